//! The progress bar.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::verilate::{Step, Told, store};

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

/// Tells of models that are made: a line with a bar for each on a terminal; elsewhere a line at begin and end.
pub fn models() -> Box<Told> {
    let terminal = std::io::stderr().is_terminal();
    let (lines, all) = (Mutex::new(HashMap::<String, (ProgressBar, Instant)>::new()), MultiProgress::new());
    Box::new(move |title, step| {
        let say = |text: &str| match terminal {
            true => drop(all.println(text)),
            false => eprintln!("{text}"),
        };
        let mut lines = lines.lock().unwrap_or_else(|e| e.into_inner());
        let (bar, since) = lines.entry(title.to_string()).or_insert_with(|| {
            if !terminal {
                return (ProgressBar::hidden(), Instant::now());
            }
            let style = ProgressStyle::with_template("{prefix}: {msg} {bar:30} {elapsed}");
            let bar = ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            (all.add(bar.with_prefix(title.to_string())), Instant::now())
        });
        match step {
            Step::Waiting => say(&format!("quell: {title}: the model is being made; waiting for it")),
            Step::Damaged => say(&format!("quell: {title}: the kept model is damaged; it is made anew")),
            Step::Verilating => {
                if !terminal {
                    eprintln!(
                        "quell: {title}: making the model, to be kept in {}",
                        store().folder().display()
                    );
                }
                bar.set_message("Verilator");
            }
            Step::Compiling(done, of) => {
                bar.set_message(format!("compiling {done}/{of}"));
                bar.set_length(of as u64);
                bar.set_position(done as u64);
            }
            Step::Made | Step::Failed => {
                bar.finish_and_clear();
                if step == Step::Made {
                    say(&format!("quell: {title}: model made in {:.1} s", since.elapsed().as_secs_f64()));
                }
                lines.remove(title);
            }
        }
    })
}
