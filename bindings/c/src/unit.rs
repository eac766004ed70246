//! A unit: made, driven, looked at, stepped; and a design compared with it.

use std::ffi::c_char;

use quell::embed::{self, Golden};
use quell::signals::Group;

use crate::edge::{
    Entry, QuellStatus, c_text, call, free, keep, kept, put, put_words, refuse, status, text, values, with,
};

/// A golden unit, by number; 0 is none.
pub type QuellUnit = u64;

/// What a signal is to the unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuellGroup {
    /// An input: port `NAME_i`.
    QUELL_INPUT = 0,
    /// An output: port `NAME_o`.
    QUELL_OUTPUT = 1,
    /// Architectural state: port `st_NAME_o` of quell's RTL.
    QUELL_STATE = 2,
}

impl QuellGroup {
    /// As the library has it.
    fn of(group: Group) -> QuellGroup {
        match group {
            Group::Input => QuellGroup::QUELL_INPUT,
            Group::Output => QuellGroup::QUELL_OUTPUT,
            Group::State => QuellGroup::QUELL_STATE,
        }
    }
}

/// The group of a number from C, which may be any.
fn group(number: u32) -> Result<Group, crate::edge::Refusal> {
    match number {
        0 => Ok(Group::Input),
        1 => Ok(Group::Output),
        2 => Ok(Group::State),
        n => refuse(format!("group {n} is none: legal are QUELL_INPUT 0, QUELL_OUTPUT 1, QUELL_STATE 2")),
    }
}

/// What of a design is compared.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuellStrength {
    /// Its outputs.
    QUELL_COMPARE_OUTPUTS = 0,
    /// Its outputs and its architectural state.
    QUELL_COMPARE_STATE = 1,
}

/// The strength of a number from C, which may be any.
pub(crate) fn strength(number: u32) -> Result<embed::Strength, crate::edge::Refusal> {
    match number {
        0 => Ok(embed::Strength::Outputs),
        1 => Ok(embed::Strength::State),
        n => {
            refuse(format!("strength {n} is none: legal are QUELL_COMPARE_OUTPUTS 0, QUELL_COMPARE_STATE 1"))
        }
    }
}

/// A signal of a unit: `count` elements of `width` bits.
#[repr(C)]
pub struct QuellSignal {
    /// Name without suffix: `rx_data`. Lives as long as the program, as do the rules.
    pub name: *const c_char,
    /// Input, output or state.
    pub group: QuellGroup,
    /// Bits of an element.
    pub width: u32,
    /// Number of elements.
    pub count: u32,
    /// 32-bit words of an element, the lowest first.
    pub words: u32,
    /// First word of element 0 in the words of its group (`quell_set_inputs`, `quell_get_group`).
    pub offset: u32,
    /// Rules that govern it, separated by blanks.
    pub rules: *const c_char,
}

/// Makes a golden unit: its name (`hca-throttle`), and its parameters: the name of a build (`tiny`), `NAME=VALUE`s separated by blanks, or
/// both; an empty text is the first build. It is reset, in cycle 0, with idle inputs (0; links are up).
///
/// # Safety
/// Of each pointer here and in the other functions: it is null (which is an error), or it points to as many values as the function says (a
/// text ends with a zero byte), and nobody else writes them, or uses what is written, during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_unit_new(
    kind: *const c_char,
    parameters: *const c_char,
    out: *mut QuellUnit,
) -> QuellStatus {
    status(|| {
        // First, so that a unit is not made that nobody could free.
        // SAFETY: the caller promises a place.
        unsafe { put(out, 0, "out") }?;
        // SAFETY: the caller promises texts.
        let (kind, parameters) = unsafe { (text(kind, "kind")?, text(parameters, "parameters")?) };
        let number = keep(Golden::new(kind, parameters)?);
        // SAFETY: as above.
        unsafe { put(out, number, "out") }
    })
}

/// Frees a unit; its number is of no more use. Texts of its reports are gone.
#[unsafe(no_mangle)]
pub extern "C" fn quell_unit_free(unit: QuellUnit) -> QuellStatus {
    status(|| free(unit))
}

/// The value of one of the unit's parameters.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_unit_parameter(
    unit: QuellUnit,
    name: *const c_char,
    out: *mut u64,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises a text.
        let name = unsafe { text(name, "name") }?;
        let value = with(unit, |e| {
            let all = e.golden.build().values();
            match all.iter().find(|(n, _)| *n == name) {
                Some((_, value)) => Ok(*value as u64),
                None => refuse(format!(
                    "{} has no parameter {name}: there are {}",
                    e.golden.build().title(),
                    all.iter().map(|(n, _)| *n).collect::<Vec<_>>().join(", ")
                )),
            }
        })?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, value, "out") }
    })
}

/// How many signals the unit has.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_signals(unit: QuellUnit, out: *mut u32) -> QuellStatus {
    status(|| {
        let n = with(unit, |e| Ok(e.golden.signals().len() as u32))?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, n, "out") }
    })
}

/// One of the unit's signals.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_signal(unit: QuellUnit, signal: u32, out: *mut QuellSignal) -> QuellStatus {
    status(|| {
        let s = with(unit, |e| Ok(*e.golden.signal(signal as usize)?))?;
        let signal = QuellSignal {
            name: kept(s.name),
            group: QuellGroup::of(s.group),
            width: s.width as u32,
            count: s.count as u32,
            words: s.stride() as u32,
            offset: s.offset as u32,
            rules: kept(s.rules),
        };
        // SAFETY: the caller promises a place.
        unsafe { put(out, signal, "out") }
    })
}

/// The index of a signal, by name with or without `_i` and `_o`.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_find(unit: QuellUnit, name: *const c_char, out: *mut u32) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises a text.
        let name = unsafe { text(name, "name") }?;
        let index = with(unit, |e| Ok(e.golden.find(name)?))?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, index as u32, "out") }
    })
}

/// The reset state, as after the RTL's `rst_i`, and cycle 0. Inputs stay as they are; what a design has shown is forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn quell_reset(unit: QuellUnit) -> QuellStatus {
    status(|| with(unit, |e| Ok(e.golden.reset()?)))
}

/// The clock edge that ends the cycle.
#[unsafe(no_mangle)]
pub extern "C" fn quell_step(unit: QuellUnit) -> QuellStatus {
    status(|| with(unit, |e| Ok(e.golden.step()?)))
}

/// Cycles since reset.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_cycle(unit: QuellUnit, out: *mut u64) -> QuellStatus {
    status(|| {
        let cycle = with(unit, |e| Ok(e.golden.cycle()))?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, cycle, "out") }
    })
}

/// A number as an element's words; an error if it has more bits.
fn as_words(e: &Entry, signal: usize, value: u64) -> Result<Vec<u32>, crate::edge::Refusal> {
    let s = e.golden.signal(signal)?;
    if s.width < 64 && value >> s.width != 0 {
        return refuse(format!(
            "{}: {value:#x} is out of range: an element has {} bits, legal is 0..{:#x}",
            s.name,
            s.width,
            u64::MAX >> (64 - s.width)
        ));
    }
    Ok((0..s.stride()).map(|i| if i < 2 { (value >> (32 * i)) as u32 } else { 0 }).collect())
}

/// Sets an element of an input, by name.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_set(
    unit: QuellUnit,
    name: *const c_char,
    element: u32,
    value: u64,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises a text.
        let name = unsafe { text(name, "name") }?;
        with(unit, |e| {
            let signal = e.golden.find(name)?;
            let words = as_words(e, signal, value)?;
            Ok(e.golden.set(signal, element as usize, &words)?)
        })
    })
}

/// An element of a signal in this cycle, by name. One of more than 64 bits is an error: `quell_get_words`.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_get(
    unit: QuellUnit,
    name: *const c_char,
    element: u32,
    out: *mut u64,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises a text.
        let name = unsafe { text(name, "name") }?;
        let value = with(unit, |e| {
            let signal = e.golden.find(name)?;
            match e.golden.get(signal, element as usize)? {
                [low] => Ok(u64::from(*low)),
                [low, high] => Ok(u64::from(*low) | u64::from(*high) << 32),
                words => refuse(format!("{name} has {} words, more than a value of 64 bits", words.len())),
            }
        })?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, value, "out") }
    })
}

/// Sets an element of an input, by the signal's index: `n` words, as many as an element has.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_set_words(
    unit: QuellUnit,
    signal: u32,
    element: u32,
    words: *const u32,
    n: usize,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises `n` words.
        let words = unsafe { values(words, n, "words") }?;
        with(unit, |e| Ok(e.golden.set(signal as usize, element as usize, words)?))
    })
}

/// An element of a signal in this cycle, by the signal's index: `n` words, as many as an element has.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_get_words(
    unit: QuellUnit,
    signal: u32,
    element: u32,
    words: *mut u32,
    n: usize,
) -> QuellStatus {
    status(|| {
        with(unit, |e| {
            let value = e.golden.get(signal as usize, element as usize)?;
            // SAFETY: the caller promises `n` places.
            unsafe { put_words(words, n, value, "words") }
        })
    })
}

/// Sets all inputs at once: `n` words, each signal's elements at its offset.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_set_inputs(unit: QuellUnit, words: *const u32, n: usize) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises `n` words.
        let words = unsafe { values(words, n, "words") }?;
        with(unit, |e| Ok(e.golden.set_inputs(words)?))
    })
}

/// How many words a group has.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_group_words(unit: QuellUnit, which: u32, out: *mut usize) -> QuellStatus {
    status(|| {
        let which = group(which)?;
        let n = with(unit, |e| Ok(e.golden.words(which)))?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, n, "out") }
    })
}

/// All words of a group (`QUELL_OUTPUT`) in this cycle: `n` words, as many as it has.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_get_group(
    unit: QuellUnit,
    which: u32,
    words: *mut u32,
    n: usize,
) -> QuellStatus {
    status(|| {
        let which = group(which)?;
        with(unit, |e| {
            let all = e.golden.vector(which)?;
            // SAFETY: the caller promises `n` places.
            unsafe { put_words(words, n, all, "words") }
        })
    })
}

/// Takes what a design shows in this cycle of an element of an output or state, by name. What was given once is compared in every cycle
/// until the next reset.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_see(
    unit: QuellUnit,
    name: *const c_char,
    element: u32,
    value: u64,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises a text.
        let name = unsafe { text(name, "name") }?;
        with(unit, |e| {
            let signal = e.golden.find(name)?;
            let words = as_words(e, signal, value)?;
            Ok(e.golden.see(signal, element as usize, &words, None)?)
        })
    })
}

/// The same by the signal's index: `n` words, as many as an element has. `unknown` is null, or `n` words in which ones are bits of no known
/// value (x, z), which differ from any.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_see_words(
    unit: QuellUnit,
    signal: u32,
    element: u32,
    words: *const u32,
    unknown: *const u32,
    n: usize,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises `n` words.
        let words = unsafe { values(words, n, "words") }?;
        // SAFETY: the same, or null.
        let unknown = if unknown.is_null() { None } else { Some(unsafe { values(unknown, n, "unknown") }?) };
        with(unit, |e| Ok(e.golden.see(signal as usize, element as usize, words, unknown)?))
    })
}

/// Compares what the design has shown in this cycle (`QUELL_COMPARE_OUTPUTS`: outputs; `QUELL_COMPARE_STATE`: outputs and state). Writes the
/// number of elements that differ; with any, `quell_report` says which.
///
/// # Safety
/// As [`quell_unit_new`] says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_check(unit: QuellUnit, how: u32, out: *mut u32) -> QuellStatus {
    status(|| {
        let how = strength(how)?;
        let n = with(unit, |e| check(e, how))?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, n, "out") }
    })
}

/// Compares, and keeps the report.
pub(crate) fn check(e: &mut Entry, how: embed::Strength) -> Result<u32, crate::edge::Refusal> {
    Ok(match e.golden.check(how)? {
        None => 0,
        Some(mismatch) => {
            e.report = c_text(&mismatch.text);
            mismatch.differences.len() as u32
        }
    })
}

/// The report of the unit's last difference, as `quell cosim` prints it: cycle, signals, both values, rules, the last inputs. Empty if there
/// was none; null, with an error, if there is no such unit. It stays until the next difference, or until the unit is freed.
#[unsafe(no_mangle)]
pub extern "C" fn quell_report(unit: QuellUnit) -> *const c_char {
    call(|| with(unit, |e| Ok(e.report.as_ptr()))).unwrap_or(std::ptr::null())
}

/// The signals that the design has not shown wholly, and that are therefore not compared, separated by blanks. It stays until the thread's
/// next call of this function; null, with an error, if there is no such unit.
#[unsafe(no_mangle)]
pub extern "C" fn quell_not_compared(unit: QuellUnit, how: u32) -> *const c_char {
    use std::cell::RefCell;
    use std::ffi::CString;
    thread_local! {
        static NAMES: RefCell<CString> = RefCell::default();
    }
    let names = call(|| {
        let how = strength(how)?;
        let names = with(unit, |e| Ok(e.golden.not_compared(how).join(" ")))?;
        Ok(NAMES.with(|kept| {
            *kept.borrow_mut() = c_text(&names);
            kept.borrow().as_ptr()
        }))
    });
    names.unwrap_or(std::ptr::null())
}
