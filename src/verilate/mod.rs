//! The one way from SystemVerilog to something that runs: Verilator, the C++ compiler, and a store of what they made.
//!
//! A [`Design`] says what goes in. [`make`] gives the object, a shared object or a program: the one that is kept if all that
//! goes in is as it was (text of the files that the design needs, wrapper, arguments, versions of the tools, the code
//! around it), else a new one.

mod build;
mod design;
mod store;
mod tools;
mod tree;
mod work;

pub use build::make;
pub use design::{Design, FACTORY, Output, Sources, key};
pub use store::{Found, Kept, Manifest, Store};
pub use tools::Tools;
pub use tree::Tree;

use std::sync::{Condvar, Mutex, OnceLock};

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

static TOLD: OnceLock<Box<Told>> = OnceLock::new();

/// Has this function told of everything that is made in this process; nobody is told before.
pub fn tell(told: Box<Told>) {
    let _ = TOLD.set(told);
}

fn told(title: &str, step: Step) {
    if let Some(told) = TOLD.get() {
        told(title, step);
    }
}

/// The store of this process: see [`crate::home::cache`].
pub fn store() -> Store {
    Store::new(&crate::home::cache().join("models"))
}

/// Tools that run at once, over all that this process makes: one a processor.
struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    fn get() -> &'static Slots {
        static SLOTS: OnceLock<Slots> = OnceLock::new();
        SLOTS.get_or_init(|| Slots { free: Mutex::new(processors()), freed: Condvar::new() })
    }

    /// Runs `f` when there is a slot for it.
    fn run<T>(f: impl FnOnce() -> T) -> T {
        let slots = Slots::get();
        let free = slots.free.lock().unwrap_or_else(|e| e.into_inner());
        let mut free = slots.freed.wait_while(free, |n| *n == 0).unwrap_or_else(|e| e.into_inner());
        *free -= 1;
        drop(free);
        let result = f();
        *slots.free.lock().unwrap_or_else(|e| e.into_inner()) += 1;
        slots.freed.notify_one();
        result
    }
}

/// Processors that may be used.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}
