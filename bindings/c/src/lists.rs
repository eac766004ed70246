//! Version, units, parameters.

use std::ffi::c_char;

use quell::embed::{self, Legal};
use quell::params::UnitKind;

use crate::edge::{QuellStatus, c_text, call, kept, last_error, put, refuse, status, text};

/// Version of the library that the header is of: an incompatible change is a new major one.
pub const QUELL_MODEL_VERSION_MAJOR: u32 = 0;
/// A new function is a new minor one; while the major one is 0, an incompatible change is, too.
pub const QUELL_MODEL_VERSION_MINOR: u32 = 1;
/// A repair is a new patch.
pub const QUELL_MODEL_VERSION_PATCH: u32 = 0;

/// A unit that can be made.
#[repr(C)]
pub struct QuellKind {
    /// Its name: `hca-throttle`. Texts of this and the other structures live as long as the program.
    pub name: *const c_char,
    /// Its RTL module, `hca_throttle`, by which it can be named, too.
    pub module: *const c_char,
    /// How many parameters it has.
    pub parameters: usize,
    /// How many named parameter sets.
    pub builds: usize,
}

/// A parameter of a unit.
#[repr(C)]
pub struct QuellParameter {
    /// Its name: `PORTS`.
    pub name: *const c_char,
    /// Its value in a unit that is made without parameters.
    pub value: u64,
    /// Its least legal value.
    pub least: u64,
    /// Its greatest legal value.
    pub most: u64,
    /// What is legal, in words: `a power of two, 8..16384`. How parameters bind each other is told when a unit is made.
    pub legal: *const c_char,
}

/// The library's version, `MAJOR.MINOR.PATCH`.
#[unsafe(no_mangle)]
pub extern "C" fn quell_model_version() -> *const c_char {
    kept(env!("CARGO_PKG_VERSION"))
}

/// Whether a program made with a header of this version can use the library. Pass `QUELL_MODEL_VERSION_MAJOR` and `_MINOR`.
#[unsafe(no_mangle)]
pub extern "C" fn quell_model_compatible(major: u32, minor: u32) -> QuellStatus {
    status(|| {
        let (own, newest) = (QUELL_MODEL_VERSION_MAJOR, QUELL_MODEL_VERSION_MINOR);
        // Before 1.0 each minor version is one of its own.
        if major != own || minor > newest || own == 0 && minor != newest {
            return refuse(format!(
                "the program was made for version {major}.{minor} of libquell_model, and this is {}",
                env!("CARGO_PKG_VERSION")
            ));
        }
        Ok(())
    })
}

/// The text of this thread's last error; it stays until the next one. Empty if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn quell_error() -> *const c_char {
    last_error()
}

/// How many units can be made.
#[unsafe(no_mangle)]
pub extern "C" fn quell_kinds() -> usize {
    UnitKind::ALL.len()
}

/// One of the units that can be made.
///
/// # Safety
/// As [`quell_unit_new`](crate::quell_unit_new) says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_kind(index: usize, out: *mut QuellKind) -> QuellStatus {
    status(|| {
        let Some(unit) = UnitKind::ALL.get(index) else {
            return refuse(format!("index {index} is out of range: legal is 0..{}", UnitKind::ALL.len() - 1));
        };
        let kind = QuellKind {
            name: kept(unit.cli_name()),
            module: kept(unit.module()),
            parameters: unit.parameter_names().len(),
            builds: embed::builds_of(*unit).len(),
        };
        // SAFETY: the caller promises a place.
        unsafe { put(out, kind, "out") }
    })
}

/// A text of what is legal that lives on; there are few different ones.
fn legal(legal: Legal) -> *const c_char {
    use std::collections::HashMap;
    use std::sync::{LazyLock, Mutex, PoisonError};
    static TEXTS: LazyLock<Mutex<HashMap<String, std::ffi::CString>>> = LazyLock::new(Mutex::default);
    let text = legal.to_string();
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = c_text(&text);
    // Never taken out again, and a CString's bytes stay where they are.
    texts.entry(text).or_insert(kept).as_ptr()
}

/// One of a unit's parameters.
///
/// # Safety
/// As [`quell_unit_new`](crate::quell_unit_new) says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_parameter(
    kind: *const c_char,
    index: usize,
    out: *mut QuellParameter,
) -> QuellStatus {
    status(|| {
        // SAFETY: the caller promises a text.
        let unit = embed::unit(unsafe { text(kind, "kind") }?)?;
        let all = embed::parameters(unit);
        let Some(p) = all.get(index) else {
            return refuse(format!(
                "index {index} of a parameter of {} is out of range: legal is 0..{}",
                unit.cli_name(),
                all.len() - 1
            ));
        };
        let parameter = QuellParameter {
            name: kept(p.name),
            value: p.default as u64,
            least: p.legal.least() as u64,
            most: p.legal.most() as u64,
            legal: legal(p.legal),
        };
        // SAFETY: the caller promises a place.
        unsafe { put(out, parameter, "out") }
    })
}

/// The name of one of a unit's named parameter sets; null, with an error, if there is none of that index.
///
/// # Safety
/// As [`quell_unit_new`](crate::quell_unit_new) says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quell_build(kind: *const c_char, index: usize) -> *const c_char {
    let name = call(|| {
        // SAFETY: the caller promises a text.
        let unit = embed::unit(unsafe { text(kind, "kind") }?)?;
        let all = embed::builds_of(unit);
        match all.get(index) {
            Some(b) => Ok(kept(b.name)),
            None => refuse(format!(
                "index {index} of a build of {} is out of range: legal is 0..{}",
                unit.cli_name(),
                all.len() - 1
            )),
        }
    });
    name.unwrap_or(std::ptr::null())
}
