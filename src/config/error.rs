//! What is wrong with a configuration, and who said it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::scheme::Scheme;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub file: PathBuf,
    /// Line, from 1; None: what the file means without saying it.
    pub line: Option<usize>,
    /// The file's own name for the setting, if it has one.
    pub key: Option<String>,
}

/// Where a value comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The default, of a network's size or of a build.
    #[default]
    Default,
    /// The scheme's row of the catalogue.
    Scheme(Scheme),
    /// A published study.
    Study,
    /// A file.
    File(Arc<Spot>),
    /// An option of the command line: `--set`, `--scheme`.
    Option(&'static str),
}

impl Origin {
    /// A place in a file.
    pub fn file(file: &Path, line: Option<usize>, key: Option<&str>) -> Origin {
        Origin::File(Arc::new(Spot { file: file.into(), line, key: key.map(str::to_string) }))
    }

    /// A person or a study said it.
    pub fn said(&self) -> bool {
        !matches!(self, Origin::Default | Origin::Scheme(_))
    }

    /// The place in a file.
    pub fn spot(&self) -> Option<&Spot> {
        match self {
            Origin::File(spot) => Some(spot),
            _ => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::Scheme(s) => write!(f, "default of scheme {}", s.name),
            Origin::Study => f.write_str("study"),
            Origin::Option(name) => f.write_str(name),
            Origin::File(spot) => {
                write!(f, "{}", spot.file.display())?;
                if let Some(line) = spot.line {
                    write!(f, ":{line}")?;
                }
                spot.key.as_ref().map_or(Ok(()), |key| write!(f, " ({key})"))
            }
        }
    }
}

/// A wrong configuration: where, what, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Who said it.
    pub origin: Origin,
    /// The setting, empty if there is none.
    pub field: String,
    /// The value found.
    pub value: String,
    /// What is wrong and what is legal.
    pub problem: String,
}

impl ConfigError {
    pub(crate) fn new(
        origin: Origin,
        field: impl Into<String>,
        value: impl fmt::Display,
        problem: impl Into<String>,
    ) -> ConfigError {
        ConfigError { origin, field: field.into(), value: value.to_string(), problem: problem.into() }
    }

    /// The line of the file that is wrong.
    pub fn line(&self) -> Option<usize> {
        self.origin.spot()?.line
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut field = self.field.as_str();
        match &self.origin {
            Origin::Default => {}
            Origin::File(spot) => {
                write!(f, "{}:", spot.file.display())?;
                if let Some(line) = spot.line {
                    write!(f, "{line}:")?;
                }
                f.write_str(" ")?;
                field = spot.key.as_deref().unwrap_or(field);
            }
            Origin::Option(name) if field.is_empty() => write!(f, "{name}: ")?,
            Origin::Option(name) => write!(f, "{name} ")?,
            other => write!(f, "{other}: ")?,
        }
        if !field.is_empty() {
            f.write_str(field)?;
            if !self.value.is_empty() {
                write!(f, " = {}", self.value)?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for ConfigError {}

/// Reads a file; the error names it.
pub(crate) fn read(path: &Path) -> Result<String, ConfigError> {
    let fail = |line, why: &str| ConfigError::new(Origin::file(path, line, None), "", "", why);
    let bytes = std::fs::read(path).map_err(|e| fail(None, &format!("cannot read: {e}")))?;
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
        fail(Some(line), "not UTF-8 text")
    })
}

/// Those of `names` that look most like `name`, at most three, best first.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let like = |n: &str| strsim::jaro_winkler(name, n).max(strsim::normalized_damerau_levenshtein(name, n));
    let mut all: Vec<(f64, &str)> = names.map(|n| (like(n), n)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = all.first().map_or(0.0, |a| a.0);
    all.into_iter().take_while(|a| a.0 > 0.6 && a.0 > best - 0.1).take(3).map(|a| a.1).collect()
}

/// `there is no NAME; nearest: ...`, and where all are listed.
pub(super) fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>) -> String {
    format!("there is no {what} {name}{} (quell params lists all)", nearby(name, names))
}

/// The names that are near to one that is none: what follows the message that says so.
pub(crate) fn nearby<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let near = nearest(name, names);
    if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["hth", "lth", "sum_hth", "ccti_timer", "ccti_limit", "marking_rate"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("htz")[0], "hth");
        assert_eq!(near("hht")[0], "hth");
        assert_eq!(near("ccti_tmer")[0], "ccti_timer");
        assert_eq!(near("mark_rate"), ["marking_rate"]);
        assert_eq!(near("xyz"), Vec::<&str>::new());
        let text = unknown("setting", "htz", names.into_iter());
        assert!(text.starts_with("there is no setting htz; nearest: hth"), "{text}");
    }

    #[test]
    fn errors_say_where() {
        let e = |origin| ConfigError::new(origin, "hth", 9, "too much").to_string();
        assert_eq!(e(Origin::Default), "hth = 9: too much");
        assert_eq!(e(Origin::Option("--set")), "--set hth = 9: too much");
        let bare = ConfigError::new(Origin::Option("--scheme"), "", "", "unknown");
        assert_eq!(bare.to_string(), "--scheme: unknown");
        assert_eq!(e(Origin::Scheme(Scheme::DEFAULT)), "default of scheme ecocc: hth = 9: too much");
        let file = Path::new("x.conf");
        assert_eq!(e(Origin::file(file, Some(3), None)), "x.conf:3: hth = 9: too much");
        assert_eq!(e(Origin::file(file, None, Some("key"))), "x.conf: key = 9: too much");
        assert_eq!(Origin::file(file, Some(3), Some("key")).to_string(), "x.conf:3 (key)");
    }
}
