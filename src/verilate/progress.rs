//! Who is told of long steps.

use std::sync::OnceLock;

/// How far the making of something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Another (process or thread) makes the same: its result is waited for.
    Waiting,
    /// What was kept is not what was put there, and is made anew.
    Damaged,
    /// Verilator reads it.
    Verilating,
    /// So many of so many files are compiled.
    Compiling(usize, usize),
    /// It is made, and kept.
    Made,
    /// It cannot be made.
    Failed,
}

/// Is told what is made (its title) and how far that is.
pub type Told = dyn Fn(&str, Step) + Send + Sync;

pub(super) static TOLD: OnceLock<Box<Told>> = OnceLock::new();

/// Has this function told of everything that is made in this process; nobody is told before.
pub fn tell(told: Box<Told>) {
    let _ = TOLD.set(told);
}

pub(super) fn told(title: &str, step: Step) {
    if let Some(told) = TOLD.get() {
        told(title, step);
    }
}
