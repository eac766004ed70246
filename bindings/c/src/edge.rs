//! The edge between C and Rust: status and text of errors, checked pointers, units by number, texts that live on.
//!
//! What C must promise of a pointer, and no check can see, is said once, at [`quell_unit_new`](crate::quell_unit_new): it is null, or
//! points to as many values as the function says, and nobody writes them during the call.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use quell::embed::{Error, Golden};

/// What a call came to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuellStatus {
    /// It was done.
    QUELL_OK = 0,
    /// An argument is not legal; nothing was done.
    QUELL_BAD_ARGUMENT = 1,
    /// There is no such unit: it was freed, or never made.
    QUELL_BAD_UNIT = 2,
    /// The golden model itself failed: a fault of quell. The unit is of no more use.
    QUELL_FAILED = 3,
}

pub(crate) use QuellStatus::QUELL_OK;

/// Why a call did nothing.
pub(crate) struct Refusal(pub(crate) QuellStatus, pub(crate) String);

impl From<Error> for Refusal {
    fn from(e: Error) -> Refusal {
        let status = match &e {
            Error::Argument(_) => QuellStatus::QUELL_BAD_ARGUMENT,
            Error::Failed(_) => QuellStatus::QUELL_FAILED,
        };
        Refusal(status, e.to_string())
    }
}

/// An argument that is not legal.
pub(crate) fn refuse<T>(text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(QuellStatus::QUELL_BAD_ARGUMENT, text.into()))
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// A text for C; a zero byte within would end it.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

fn note(text: &str) {
    // Not there any more while a thread ends: nobody can ask then.
    let _ = ERROR.try_with(|e| *e.borrow_mut() = c_text(text));
}

/// The text of this thread's last error.
pub(crate) fn last_error() -> *const c_char {
    ERROR.try_with(|e| e.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Runs a call: an error is noted, and a panic becomes one.
pub(crate) fn call<T>(f: impl FnOnce() -> Result<T, Refusal>) -> Result<T, QuellStatus> {
    let refusal = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(refusal)) => refusal,
        Err(_) => Refusal(QuellStatus::QUELL_FAILED, "a fault in libquell_model: it panicked".into()),
    };
    note(&refusal.1);
    Err(refusal.0)
}

/// The same, where the status is all that comes back.
pub(crate) fn status(f: impl FnOnce() -> Result<(), Refusal>) -> QuellStatus {
    call(f).map_or_else(|status| status, |()| QUELL_OK)
}

/// An error if a pointer cannot be one to a `T`.
fn checked<T>(pointer: *const T, field: &str) -> Result<(), Refusal> {
    if pointer.is_null() {
        return refuse(format!("{field} is a null pointer"));
    }
    if !pointer.is_aligned() {
        return refuse(format!("{field} is not aligned to {} bytes", align_of::<T>()));
    }
    Ok(())
}

/// A text from C.
///
/// # Safety
/// `pointer` is null or a text that ends with a zero byte and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, field: &str) -> Result<&'a str, Refusal> {
    checked(pointer, field)?;
    // SAFETY: not null; the caller promises a text with an end.
    let text = unsafe { CStr::from_ptr(pointer) };
    match text.to_str() {
        Ok(text) => Ok(text),
        Err(_) => refuse(format!("{field} is not UTF-8")),
    }
}

/// Values from C.
///
/// # Safety
/// `pointer` is null or points to `n` values, which stay as they are for `'a`.
pub(crate) unsafe fn values<'a, T>(pointer: *const T, n: usize, field: &str) -> Result<&'a [T], Refusal> {
    fits::<T>(n, field)?;
    checked(pointer, field)?;
    // SAFETY: not null, aligned and no longer than an object can be; the caller promises `n` values.
    Ok(unsafe { std::slice::from_raw_parts(pointer, n) })
}

/// No object is larger than half the address space.
fn fits<T>(n: usize, field: &str) -> Result<(), Refusal> {
    match n.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => refuse(format!("{field}: {n} words are more than there can be")),
    }
}

/// Writes a value for C.
///
/// # Safety
/// `pointer` is null or points to a `T`'s place, which nobody else uses during the call.
pub(crate) unsafe fn put<T>(pointer: *mut T, value: T, field: &str) -> Result<(), Refusal> {
    checked(pointer, field)?;
    // SAFETY: not null and aligned; the caller promises the place. What was there is not read.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes words for C, if `n` is their number.
///
/// # Safety
/// `pointer` is null or points to the places of `n` words, which nobody else uses during the call.
pub(crate) unsafe fn put_words(
    pointer: *mut u32,
    n: usize,
    words: &[u32],
    field: &str,
) -> Result<(), Refusal> {
    checked(pointer, field)?;
    if n != words.len() {
        return refuse(format!("{field}: {n} words are wanted, and there are {}", words.len()));
    }
    // SAFETY: not null and aligned; the caller promises `n` places, and `words` is memory of Rust's, so they do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), pointer, n) };
    Ok(())
}

/// A name that lives on, with the zero byte that C wants.
pub(crate) fn kept(name: &'static str) -> *const c_char {
    static NAMES: LazyLock<Mutex<HashMap<&'static str, CString>>> = LazyLock::new(Mutex::default);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    // Never taken out again, and a CString's bytes stay where they are.
    names.entry(name).or_insert_with(|| c_text(name)).as_ptr()
}

/// A unit, and what C was last told of it.
pub(crate) struct Entry {
    pub(crate) golden: Golden,
    pub(crate) report: CString,
    /// Vectors of bits that come in parts by DPI.
    pub(crate) parts: crate::dpi::Parts,
}

/// The units that there are, by number. Numbers are not used again.
#[derive(Default)]
struct Units {
    last: u64,
    all: HashMap<u64, Arc<Mutex<Entry>>>,
}

fn units() -> MutexGuard<'static, Units> {
    static UNITS: LazyLock<Mutex<Units>> = LazyLock::new(Mutex::default);
    UNITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a unit; its number.
pub(crate) fn keep(golden: Golden) -> u64 {
    let parts = crate::dpi::Parts::of(&golden);
    let mut units = units();
    units.last += 1;
    let number = units.last;
    units.all.insert(number, Arc::new(Mutex::new(Entry { golden, report: CString::default(), parts })));
    number
}

/// Why there is no unit of a number.
fn none(number: u64, last: u64) -> Refusal {
    let text = match number {
        0 => "unit 0 is none: it could not be made, or was not".into(),
        n if n <= last => format!("unit {n} was freed"),
        n => format!("unit {n} was never made"),
    };
    Refusal(QuellStatus::QUELL_BAD_UNIT, text)
}

/// Takes a unit away.
pub(crate) fn free(number: u64) -> Result<(), Refusal> {
    let mut units = units();
    let last = units.last;
    units.all.remove(&number).map(drop).ok_or_else(|| none(number, last))
}

/// Calls with a unit; two threads wait for each other.
pub(crate) fn with<T>(number: u64, f: impl FnOnce(&mut Entry) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let entry = {
        let units = units();
        units.all.get(&number).cloned().ok_or_else(|| none(number, units.last))?
    };
    // A panic of the golden model is caught before it gets here.
    let mut entry = entry.lock().unwrap_or_else(PoisonError::into_inner);
    f(&mut entry)
}
