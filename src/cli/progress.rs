//! How far a command is.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::verilate::{Step, Told, store};

/// Without a terminal a line is printed so often.
const BETWEEN: Duration = Duration::from_secs(30);

/// How far a long command is, on standard error: a bar on a terminal; elsewhere a line for each stage, and one every 30 seconds.
pub struct Progress {
    bar: ProgressBar,
    /// What is counted.
    unit: &'static str,
    /// When the last line was printed; none on a terminal.
    said: Option<Mutex<Instant>>,
}

impl Progress {
    /// Over so many cycles.
    pub fn new(cycles: u64) -> Progress {
        Progress::of(cycles, "cycles")
    }

    /// Over `length` of something; 0 is a length that is not known.
    pub fn of(length: u64, unit: &'static str) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
        if !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
            return Progress { bar, unit, said: Some(Mutex::new(Instant::now())) };
        }
        Progress { bar, unit, said: None }.styled(length)
    }

    /// Stages follow, each with a length of its own.
    pub fn of_stages() -> Progress {
        Progress::of(0, "")
    }

    fn styled(self, length: u64) -> Progress {
        let unit = self.unit;
        let template = if length == 0 {
            format!("{{spinner}} {{msg}} {{human_pos}} {unit}, {{per_sec}}, {{elapsed}}")
        } else {
            format!(
                "{{msg}} {{bar:40}} {{percent:>3}}% {{human_pos}}/{{human_len}} {unit}, {{elapsed}}, {{eta}} left"
            )
        };
        let style = ProgressStyle::with_template(&template);
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.enable_steady_tick(Duration::from_secs(1));
        self
    }

    /// A line above the bar; a plain one where there is no terminal.
    pub fn line(&self, text: &str) {
        if self.said.is_some() {
            eprintln!("{text}");
        } else {
            self.bar.println(text);
        }
    }

    /// So many more are done.
    pub fn add(&self, n: u64) {
        self.bar.inc(n);
        self.say(false);
    }

    /// Counts up to `n`.
    pub fn reach(&self, n: u64) {
        self.bar.set_position(n);
        self.say(false);
    }

    /// A stage: `done` of `total`. A new one has another name.
    pub fn stage(&self, what: &str, done: u64, total: u64) {
        let new = self.bar.message() != what;
        self.bar.set_position(done);
        if new || self.bar.length() != Some(total) {
            self.bar.set_length(total);
            self.bar.set_message(what.to_string());
            if self.said.is_none() {
                let style = if total == 0 { "{spinner} {msg}, {elapsed}" } else { STAGE };
                let style = ProgressStyle::with_template(style);
                self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                self.bar.reset_eta();
            }
        }
        self.say(new);
    }

    /// The line that stands for the bar.
    fn say(&self, now: bool) {
        let Some(said) = &self.said else { return };
        let mut said = said.lock().unwrap_or_else(|e| e.into_inner());
        if !now && said.elapsed() < BETWEEN {
            return;
        }
        *said = Instant::now();
        let (what, unit) = (self.bar.message(), self.unit);
        let far = match (self.bar.position(), self.bar.length()) {
            (0, _) if now => String::new(),
            (done, None | Some(0)) => format!("{done} {unit}"),
            (done, Some(all)) => format!("{done} of {all} {unit}"),
        };
        let line =
            [what.as_str(), far.trim()].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(": ");
        eprintln!("quell: {line} ({:.0} s)", self.bar.elapsed().as_secs_f64());
    }
}

const STAGE: &str = "{msg} {wide_bar} {human_pos}/{human_len}, {elapsed}, {eta} left";

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
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
