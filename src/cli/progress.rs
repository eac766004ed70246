//! The progress bar.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// A bar over `cycles` cycles on a terminal; nothing where standard error is not one.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of length `cycles`.
    pub fn new(cycles: u64) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(cycles);
        let style =
            ProgressStyle::with_template("{bar:40} {percent:>3}% {human_pos} cycles, {per_sec}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress(bar)
    }

    /// `cycles` more are done.
    pub fn add(&self, cycles: u64) {
        self.0.inc(cycles);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
