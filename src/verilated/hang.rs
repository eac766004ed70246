//! Calls of a model that do not come back: a loop in a design that is not ours has no end. Nothing in the process can end such a call, so
//! whoever owns the process is told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::Duration;

use super::names::Names;

/// The calls of one model.
pub(super) struct Calls {
    names: Arc<Names>,
    /// Odd while one is under way.
    begun: AtomicU64,
    /// Cycles since the reset that were whole before it.
    cycles: AtomicU64,
}

/// Those that are looked at.
static ALL: Mutex<Vec<Weak<Calls>>> = Mutex::new(Vec::new());

impl Calls {
    /// Of a model of a design.
    pub(super) fn of(names: &Arc<Names>) -> Arc<Calls> {
        let calls =
            Arc::new(Calls { names: names.clone(), begun: AtomicU64::new(0), cycles: AtomicU64::new(0) });
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|c| c.strong_count() > 0);
        all.push(Arc::downgrade(&calls));
        calls
    }

    /// Makes a call that runs so many cycles.
    pub(super) fn during<T>(&self, cycles: usize, call: impl FnOnce() -> T) -> T {
        self.begun.fetch_add(1, Ordering::Relaxed);
        let result = call();
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.cycles.fetch_add(cycles as u64, Ordering::Relaxed);
        result
    }

    fn text(&self, seconds: u64) -> String {
        let cycle = self.cycles.load(Ordering::Relaxed);
        let mut text = format!(
            "{} hangs: what it does in cycle {cycle}, or soon after, has come to no end in {seconds} s (QUELL_HANG sets how long is waited)",
            self.names.dut.title()
        );
        let loops = self.names.dut.endless();
        if !loops.is_empty() {
            text += "\n  loops in it:";
        }
        const SHOWN: usize = 8;
        loops.iter().take(SHOWN).for_each(|l| text += &format!("\n  {l}"));
        if loops.len() > SHOWN {
            text += &format!("\n  and {} more", loops.len() - SHOWN);
        }
        text
    }
}

/// Calls `told` with a text when a call to a model of a design that is not ours takes so many seconds.
pub fn on_hang(seconds: u64, told: fn(&str)) {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        std::thread::spawn(move || watch(seconds, told));
    });
}

fn watch(seconds: u64, told: fn(&str)) {
    // Each with the call that was under way, and since how many looks. (Looks and no clock: a machine may sleep.)
    let mut looks: Vec<(Weak<Calls>, u64, u64)> = Vec::new();
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let all = ALL.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let old = std::mem::take(&mut looks);
        for weak in all {
            let Some(calls) = weak.upgrade() else { continue };
            let begun = calls.begun.load(Ordering::Relaxed);
            let before = old.iter().find(|l| l.0.ptr_eq(&weak)).filter(|l| begun % 2 == 1 && l.1 == begun);
            let same = before.map_or(0, |l| l.2 + 1);
            if same >= seconds {
                told(&calls.text(seconds));
                return;
            }
            looks.push((weak, begun, same));
        }
    }
}
