//! The functions that the SystemVerilog package `quell_dpi_pkg` imports by DPI (IEEE 1800-2017, clause 35 and annex H; no header of a simulator
//! is needed). The generated modules in `bindings/dpi/` call them; the package says what each does.
//!
//! Ports of any width go through functions of one signature as parts of 1024 bits of one vector.

use std::ffi::{c_char, c_int};

use quell::embed::{Golden, Packing};
use quell::signals::Group;

use crate::edge::{Refusal, call, free, keep, last_error, refuse, text, values, with};
use crate::quell_report;
use crate::unit::{QuellUnit, check, strength};

/// Words of a part.
const PART: usize = 32;

/// A word of a `logic` vector, as annex H lays it out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LogicWord {
    /// The values; where `bval` is 1, 0 is z and 1 is x.
    aval: u32,
    /// Ones are bits of no known value.
    bval: u32,
}

/// Vectors of a unit that come, or go, in parts.
pub(crate) struct Parts {
    /// Inputs, outputs, state: values, and what is unknown.
    groups: [(Vec<u32>, Vec<u32>); 3],
}

impl Parts {
    pub(crate) fn of(golden: &Golden) -> Parts {
        let empty = |group| {
            let words = golden.packing(group).bits().div_ceil(32).next_multiple_of(PART);
            (vec![0; words], vec![0; words])
        };
        Parts { groups: [empty(Group::Input), empty(Group::Output), empty(Group::State)] }
    }
}

/// The group of a number.
fn group(number: c_int) -> Result<(usize, Group), Refusal> {
    match number {
        0 => Ok((0, Group::Input)),
        1 => Ok((1, Group::Output)),
        2 => Ok((2, Group::State)),
        n => refuse(format!("group {n} is none: legal are 0 inputs, 1 outputs, 2 state")),
    }
}

/// The words of a part in a vector.
fn place(part: c_int, words: usize) -> Result<std::ops::Range<usize>, Refusal> {
    let parts = words / PART;
    match usize::try_from(part) {
        Ok(p) if p < parts => Ok(p * PART..(p + 1) * PART),
        _ => refuse(format!("part {part} is out of range: legal is 0..{}", parts - 1)),
    }
}

/// 0, or -1 with an error.
fn done(f: impl FnOnce() -> Result<(), Refusal>) -> c_int {
    call(f).map_or(-1, |()| 0)
}

/// Makes a unit; 0 with an error.
///
/// # Safety
/// The texts are null or end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_dpi_new(kind: *const c_char, parameters: *const c_char) -> QuellUnit {
    let made = call(|| {
        // SAFETY: the caller promises texts.
        let (kind, parameters) = unsafe { (text(kind, "kind")?, text(parameters, "parameters")?) };
        Ok(keep(Golden::new(kind, parameters)?))
    });
    made.unwrap_or(0)
}

/// The text of the last error.
#[unsafe(no_mangle)]
pub extern "C" fn quell_dpi_error() -> *const c_char {
    last_error()
}

/// An error if the unit has no such port, or one of another width.
///
/// # Safety
/// The text is null or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_dpi_port(unit: QuellUnit, port: *const c_char, bits: c_int) -> c_int {
    done(|| {
        // SAFETY: the caller promises a text.
        let port = unsafe { text(port, "port") }?;
        with(unit, |e| {
            let index = e.golden.find(port)?;
            let wanted = Packing::signal(e.golden.signal(index)?).bits();
            if usize::try_from(bits) != Ok(wanted) {
                let title = e.golden.build().title();
                return refuse(format!("{title}: port {port} has {bits} bits, and the unit's has {wanted}"));
            }
            Ok(())
        })
    })
}

/// Takes a part of the inputs, or of a design's outputs or state; the last part makes it so.
///
/// # Safety
/// `bits` is null or 32 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_dpi_put(
    unit: QuellUnit,
    which: c_int,
    part: c_int,
    bits: *const LogicWord,
) -> c_int {
    done(|| {
        // SAFETY: the caller promises a vector of 1024 bits.
        let bits = unsafe { values(bits, PART, "bits") }?;
        let (index, group) = group(which)?;
        with(unit, |e| {
            let (known, unknown) = &mut e.parts.groups[index];
            let place = place(part, known.len())?;
            for (i, w) in place.clone().zip(bits) {
                known[i] = w.aval & !w.bval;
                unknown[i] = w.bval;
            }
            if place.end < known.len() {
                return Ok(());
            }
            match group {
                // A golden model has no unknown values: they count as 0.
                Group::Input => e.golden.set_input_bits(known),
                _ => e.golden.see_group_bits(group, known, unknown)?,
            }
            Ok(())
        })
    })
}

/// Gives a part of the golden outputs or state.
///
/// # Safety
/// `bits` is null or has place for 32 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_dpi_get(unit: QuellUnit, which: c_int, part: c_int, bits: *mut u32) -> c_int {
    done(|| {
        let (index, group) = group(which)?;
        with(unit, |e| {
            let (known, _) = &mut e.parts.groups[index];
            let place = place(part, known.len())?;
            if part == 0 {
                let packing = e.golden.packing(group).clone();
                packing.pack(e.golden.vector(group)?, known);
            }
            // SAFETY: the caller promises a vector of 1024 bits.
            unsafe { crate::edge::put_words(bits, PART, &known[place], "bits") }
        })
    })
}

/// Takes signals out of the comparison: names, separated by blanks.
///
/// # Safety
/// The text is null or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_dpi_forget(unit: QuellUnit, names: *const c_char) -> c_int {
    done(|| {
        // SAFETY: the caller promises a text.
        let names = unsafe { text(names, "names") }?;
        with(unit, |e| {
            for name in names.split_whitespace() {
                let signal = e.golden.find(name)?;
                e.golden.forget(signal)?;
            }
            Ok(())
        })
    })
}

/// Compares; the number of elements that differ, -1 with an error.
#[unsafe(no_mangle)]
pub extern "C" fn quell_dpi_check(unit: QuellUnit, how: c_int) -> c_int {
    let n = call(|| {
        let how = strength(how as u32)?;
        with(unit, |e| check(e, how))
    });
    n.map_or(-1, |n| n as c_int)
}

/// The report of the last difference.
#[unsafe(no_mangle)]
pub extern "C" fn quell_dpi_report(unit: QuellUnit) -> *const c_char {
    let report = quell_report(unit);
    if report.is_null() { c"".as_ptr() } else { report }
}

/// The clock edge; -1 with an error.
#[unsafe(no_mangle)]
pub extern "C" fn quell_dpi_step(unit: QuellUnit) -> c_int {
    done(|| with(unit, |e| Ok(e.golden.step()?)))
}

/// Reset; -1 with an error.
#[unsafe(no_mangle)]
pub extern "C" fn quell_dpi_reset(unit: QuellUnit) -> c_int {
    done(|| with(unit, |e| Ok(e.golden.reset()?)))
}

/// Frees the unit; -1 with an error.
#[unsafe(no_mangle)]
pub extern "C" fn quell_dpi_free(unit: QuellUnit) -> c_int {
    done(|| free(unit))
}
