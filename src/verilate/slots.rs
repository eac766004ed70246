//! How many compilers run at once.

use std::sync::{Condvar, Mutex, OnceLock};

use crate::jobs::processors;

/// Tools that run at once, over all that this process makes: one a processor.
pub(super) struct Slots {
    pub(super) free: Mutex<usize>,
    pub(super) freed: Condvar,
}

impl Slots {
    pub(super) fn get() -> &'static Slots {
        static SLOTS: OnceLock<Slots> = OnceLock::new();
        SLOTS.get_or_init(|| Slots { free: Mutex::new(processors()), freed: Condvar::new() })
    }

    /// Runs `f` when there is a slot for it.
    pub(super) fn run<T>(f: impl FnOnce() -> T) -> T {
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
