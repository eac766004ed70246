//! The progress bar.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// A bar over `cycles` cycles on a terminal; nothing where standard error is not one.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of length `cycles`.
    pub fn new(cycles: u64) -> Progress {
        Progress::of(cycles, "cycles")
    }

    /// A bar over `length` of something; 0 is a length that is not known.
    pub fn of(length: u64, what: &str) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let (bar, template) = if length == 0 {
            (
                ProgressBar::new_spinner(),
                format!("{{spinner}} {{human_pos}} {what}, {{per_sec}}, {{elapsed}}"),
            )
        } else {
            let template =
                format!("{{bar:40}} {{percent:>3}}% {{human_pos}} {what}, {{per_sec}}, {{eta}} left");
            (ProgressBar::new(length), template)
        };
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress(bar)
    }

    /// A line above the bar; a plain one where there is no terminal.
    pub fn line(&self, text: &str) {
        if self.0.is_hidden() {
            eprintln!("{text}");
        } else {
            self.0.println(text);
        }
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
