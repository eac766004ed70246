//! Jobs done side by side on threads, and the processor time that they take.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result};

/// The environment variable that says how many processors may be used, 1..256, where it is not all.
pub const PROCESSORS: &str = "QUELL_PROCESSORS";

/// Processors that may be used.
pub fn processors() -> usize {
    let all = || std::thread::available_parallelism().map_or(1, |n| n.get());
    told().ok().flatten().unwrap_or_else(all)
}

/// What the environment says of it; an error if that is no legal number.
pub fn told() -> Result<Option<usize>> {
    let Some(text) = std::env::var_os(PROCESSORS).filter(|v| !v.is_empty()) else { return Ok(None) };
    let number = text.to_str().and_then(|t| t.parse().ok()).filter(|n| (1..=256).contains(n));
    Ok(Some(number.with_context(|| format!("{PROCESSORS} is {text:?}; legal are 1..256"))?))
}

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

/// Has `step` called for each number below `n` on up to `threads` threads, each with a state of its own; an error stops
/// all.
pub fn side_by_side<S>(
    n: usize,
    threads: usize,
    step: &(dyn Fn(&mut Option<S>, usize) -> Result<()> + Sync),
) -> Result<()> {
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..n).collect());
    let failed: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    let take = || {
        let stop = failed.lock().is_ok_and(|f| f.is_some());
        if stop { None } else { queue.lock().ok().and_then(|mut q| q.pop_front()) }
    };
    let work = || -> Result<()> {
        let mut state = None;
        while let Some(i) = take() {
            step(&mut state, i)?;
        }
        Ok(())
    };
    std::thread::scope(|s| {
        for _ in 0..threads.clamp(1, n.max(1)) {
            s.spawn(|| {
                if let Err(e) = work()
                    && let Ok(mut f) = failed.lock()
                {
                    f.get_or_insert(e);
                }
            });
        }
    });
    match failed.into_inner() {
        Ok(Some(e)) => Err(e),
        _ => Ok(()),
    }
}

/// The results of jobs 0, 1, ..., which are begun in the order that names each of them once.
pub fn results<T: Send>(
    order: &[usize],
    threads: usize,
    job: &(dyn Fn(usize) -> Result<T> + Sync),
) -> Result<Vec<T>> {
    let done: Vec<Mutex<Option<T>>> = order.iter().map(|_| Mutex::new(None)).collect();
    side_by_side(order.len(), threads, &|_: &mut Option<()>, k| {
        let result = job(order[k])?;
        if let Ok(mut slot) = done[order[k]].lock() {
            *slot = Some(result);
        }
        Ok(())
    })?;
    done.into_iter()
        .map(|slot| slot.into_inner().ok().flatten().context("a run ended without an outcome"))
        .collect()
}

/// The state of a thread, made when it is needed first.
pub fn made<S>(state: &mut Option<S>, make: impl FnOnce() -> Result<S>) -> Result<&mut S> {
    Ok(match state {
        Some(s) => s,
        None => state.insert(make()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_job_is_done_once_and_an_error_stops_all() {
        for threads in [0, 1, 3] {
            let done: Vec<AtomicUsize> = (0..50).map(|_| AtomicUsize::new(0)).collect();
            let started = AtomicUsize::new(0);
            side_by_side(50, threads, &|state: &mut Option<()>, i| {
                if state.replace(()).is_none() {
                    started.fetch_add(1, Ordering::Relaxed);
                }
                done[i].fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
            .unwrap();
            assert!(done.iter().all(|d| d.load(Ordering::Relaxed) == 1));
            assert!((1..=threads.max(1)).contains(&started.load(Ordering::Relaxed)));
            let wrong = side_by_side(50, threads, &|_: &mut Option<()>, i| {
                anyhow::ensure!(i != 7, "job 7");
                Ok(())
            });
            assert_eq!(wrong.unwrap_err().to_string(), "job 7");
        }
    }

    #[test]
    fn results_stand_at_their_jobs_places_whatever_was_begun_first() {
        for threads in [1, 3] {
            let order: Vec<usize> = (0..20).rev().collect();
            assert_eq!(
                results(&order, threads, &|i| Ok(2 * i)).unwrap(),
                (0..40).step_by(2).collect::<Vec<_>>()
            );
            let wrong = results(&order, threads, &|i| {
                anyhow::ensure!(i != 7, "job 7");
                Ok(i)
            });
            assert_eq!(wrong.unwrap_err().to_string(), "job 7");
        }
    }
}
