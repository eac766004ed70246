//! Cover points.

use std::ffi::c_char;

use crate::edge::{QuellStatus, kept, put, refuse, status, with};
use crate::unit::QuellUnit;

/// Something that must be seen to happen, and how often it did since the unit was made (reset does not clear it).
#[repr(C)]
pub struct QuellCover {
    /// Name, unique within the unit. Lives as long as the program, as do the other texts.
    pub name: *const c_char,
    /// Rules it belongs to, separated by blanks.
    pub rules: *const c_char,
    /// What happened, in a line.
    pub text: *const c_char,
    /// How often.
    pub count: u64,
}

/// How many cover points the unit has.
///
/// # Safety
/// As [`quell_unit_new`](crate::quell_unit_new) says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_covers(unit: QuellUnit, out: *mut u32) -> QuellStatus {
    status(|| {
        let n = with(unit, |e| Ok(e.golden.cover().len() as u32))?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, n, "out") }
    })
}

/// One of the unit's cover points.
///
/// # Safety
/// As [`quell_unit_new`](crate::quell_unit_new) says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_cover(unit: QuellUnit, index: u32, out: *mut QuellCover) -> QuellStatus {
    status(|| {
        let point = with(unit, |e| {
            let all = e.golden.cover();
            match all.get(index as usize) {
                Some(c) => Ok(QuellCover {
                    name: kept(c.name),
                    rules: kept(c.rules),
                    text: kept(c.text),
                    count: c.count,
                }),
                None => {
                    refuse(format!("index {index} of a cover point is out of range: there are {}", all.len()))
                }
            }
        })?;
        // SAFETY: the caller promises a place.
        unsafe { put(out, point, "out") }
    })
}
