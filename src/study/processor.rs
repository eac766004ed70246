//! Processor time.

use std::time::Instant;

/// Measures the processor time of a thread; where the system does not tell it, the time that passes.
pub struct Stopwatch {
    begin: Instant,
    before: Option<f64>,
}

/// Processor time of this thread, seconds, where the system tells it.
fn on_processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

impl Stopwatch {
    /// From now on.
    pub fn start() -> Stopwatch {
        Stopwatch { begin: Instant::now(), before: on_processor() }
    }

    /// Seconds until now.
    pub fn seconds(&self) -> f64 {
        let took = on_processor().zip(self.before).map(|(now, before)| now - before);
        took.unwrap_or_else(|| self.begin.elapsed().as_secs_f64())
    }
}
