//! Threads that all do one step of their own part, again and again.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, Thread};

/// How often a waiting thread looks before it sleeps.
const SPINS: u32 = 4000;

/// What the threads share.
struct Shared {
    /// Number of the round that is to be done.
    round: AtomicU64,
    /// Parts that are still at it.
    busy: AtomicUsize,
    stop: AtomicBool,
    panicked: AtomicBool,
    caller: Thread,
}

/// Tells the caller that a part is done, or will never be.
struct Done<'a>(&'a Shared);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.panicked.store(true, Ordering::Release);
        }
        if self.0.busy.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.caller.unpark();
        }
    }
}

/// Parts of the work, each with a thread of its own; the first belongs to the caller.
pub struct Pool<P> {
    parts: Vec<Arc<Mutex<P>>>,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    step: fn(&mut P),
}

/// A panic in a thread becomes one of the caller in [`Pool::round`].
fn locked<P>(part: &Mutex<P>) -> MutexGuard<'_, P> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks for a while, then sleeps until woken; `done` is looked at before each sleep.
fn wait(done: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if done() {
            return;
        }
        std::hint::spin_loop();
    }
    while !done() {
        std::thread::park();
    }
}

impl<P: Send + 'static> Pool<P> {
    /// A thread for each part but the first. `step` is what a round does with each part. The pool must be used in
    /// the thread that made it.
    pub fn new(parts: Vec<P>, step: fn(&mut P)) -> Pool<P> {
        let parts: Vec<Arc<Mutex<P>>> = parts.into_iter().map(|p| Arc::new(Mutex::new(p))).collect();
        let shared = Arc::new(Shared {
            round: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            panicked: AtomicBool::new(false),
            caller: std::thread::current(),
        });
        let threads = parts
            .iter()
            .skip(1)
            .map(|part| {
                let (part, shared) = (part.clone(), shared.clone());
                std::thread::spawn(move || {
                    let mut done = 0;
                    loop {
                        let news = || {
                            shared.stop.load(Ordering::Acquire) || shared.round.load(Ordering::Acquire) > done
                        };
                        wait(news);
                        if shared.stop.load(Ordering::Acquire) {
                            return;
                        }
                        done += 1;
                        let _done = Done(&shared);
                        step(&mut locked(&part));
                    }
                })
            })
            .collect();
        Pool { parts, shared, threads, step }
    }

    /// One round.
    ///
    /// # Panics
    /// If a thread has panicked.
    pub fn round(&mut self) {
        if !self.threads.is_empty() {
            self.shared.busy.store(self.threads.len(), Ordering::Release);
            self.shared.round.fetch_add(1, Ordering::AcqRel);
            self.threads.iter().for_each(|t| t.thread().unpark());
        }
        (self.step)(&mut locked(&self.parts[0]));
        wait(|| self.shared.busy.load(Ordering::Acquire) == 0);
        assert!(!self.shared.panicked.load(Ordering::Acquire), "a thread of the pool has panicked");
    }

    /// A part, between rounds.
    pub fn part(&self, index: usize) -> MutexGuard<'_, P> {
        locked(&self.parts[index])
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }
}

impl<P> Drop for Pool<P> {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        for t in self.threads.drain(..) {
            t.thread().unpark();
            let _ = t.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_steps_once_a_round() {
        for n in 1..4 {
            let mut pool = Pool::new(vec![0u64; n], |p| *p += 1);
            for _ in 0..5_000 {
                pool.round();
            }
            for i in 0..pool.len() {
                assert_eq!(*pool.part(i), 5_000);
            }
        }
    }
}
