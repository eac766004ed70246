//! What became of a campaign: one object, and a table of all jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

use super::job::Keyed;
use super::made_of::MadeOf;
use super::store::{OUT, State, Store};

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Became {
    /// All is good.
    Good,
    /// Something is not good.
    NotGood,
    /// The command could not be carried out.
    Failed,
    /// It was killed.
    Killed,
    /// There is no result yet.
    Open,
    /// Its result is not what was put there.
    Damaged,
}

impl Became {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Became::Good => "good",
            Became::NotGood => "NOT GOOD",
            Became::Failed => "FAILED",
            Became::Killed => "KILLED",
            Became::Open => "open",
            Became::Damaged => "DAMAGED",
        }
    }
}

/// A job.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its part.
    pub job: String,
    /// What was varied.
    pub values: BTreeMap<String, Value>,
    /// Its command.
    pub command: String,
    /// Its key.
    pub key: String,
    /// What became of it.
    pub became: Became,
    /// Exit status, where there is one.
    pub status: Option<i32>,
    /// Seconds of the command.
    pub seconds: f64,
    /// Seconds around it.
    pub around: f64,
    /// Where it ran.
    pub host: String,
    /// Where result and logs are.
    pub folder: PathBuf,
    /// Why it is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What it printed, if that is JSON.
    pub output: Value,
}

/// The sum over a number that all outputs of a part have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Total {
    /// Outputs that have it.
    pub jobs: usize,
    /// All together.
    pub sum: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

/// The jobs of one name.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Its name.
    pub job: String,
    /// How many.
    pub jobs: usize,
    /// Of each end how many.
    pub became: BTreeMap<Became, usize>,
    /// Seconds of all commands.
    pub seconds: f64,
    /// Of numbers that outputs have at the top.
    pub totals: BTreeMap<String, Total>,
}

/// What became of all.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The campaign's name.
    pub campaign: String,
    /// Of what program and sources.
    pub made_of: MadeOf,
    /// By name, in the campaign's order.
    pub parts: Vec<Part>,
    /// In the campaign's order.
    pub jobs: Vec<Row>,
}

/// Reads what became of jobs. It depends on the campaign and the folder alone, in whatever order and wherever they were done.
pub fn summary(store: &Store, name: &str, of: &MadeOf, jobs: &[Keyed]) -> Summary {
    let rows: Vec<Row> = jobs.iter().map(|j| row(store, j)).collect();
    let mut parts: Vec<Part> = Vec::new();
    for row in &rows {
        let i = parts.iter().position(|p| p.job == row.job).unwrap_or_else(|| {
            parts.push(Part {
                job: row.job.clone(),
                jobs: 0,
                became: BTreeMap::new(),
                seconds: 0.0,
                totals: BTreeMap::new(),
            });
            parts.len() - 1
        });
        let part = &mut parts[i];
        part.jobs += 1;
        *part.became.entry(row.became).or_default() += 1;
        part.seconds += row.seconds;
        for (name, value) in row.output.as_object().into_iter().flatten() {
            let Some(x) = value.as_f64() else { continue };
            let none = Total { jobs: 0, sum: 0.0, least: x, greatest: x };
            let t = part.totals.entry(name.clone()).or_insert(none);
            (t.jobs, t.sum) = (t.jobs + 1, t.sum + x);
            (t.least, t.greatest) = (t.least.min(x), t.greatest.max(x));
        }
    }
    Summary { campaign: name.into(), made_of: of.clone(), parts, jobs: rows }
}

fn row(store: &Store, job: &Keyed) -> Row {
    let mut row = Row {
        job: job.job.part.clone(),
        values: job.job.values.clone(),
        command: job.job.command(),
        key: job.key.clone(),
        became: Became::Open,
        status: None,
        seconds: 0.0,
        around: 0.0,
        host: String::new(),
        folder: store.part(&job.key),
        why: None,
        output: Value::Null,
    };
    match store.find(&job.key) {
        State::Nothing => {}
        State::Failed(f) => {
            row.became = if f.status.is_some() { Became::Failed } else { Became::Killed };
            (row.status, row.seconds, row.host) = (f.status, f.seconds, f.host);
        }
        State::Whole(record) => {
            row.became = if record.status == 0 { Became::Good } else { Became::NotGood };
            row.status = Some(record.status);
            (row.seconds, row.around, row.host) = (record.seconds, record.around, record.host.clone());
            row.folder = store.place(&job.key);
            let text = std::fs::read(row.folder.join(OUT)).unwrap_or_default();
            row.output = serde_json::from_slice(&text).unwrap_or(Value::Null);
        }
        State::Damaged(why) => {
            row.became = Became::Damaged;
            row.folder = store.place(&job.key);
            row.why = Some(why);
        }
    }
    row
}

impl Summary {
    /// How many jobs ended so.
    pub fn count(&self, became: Became) -> usize {
        self.parts.iter().filter_map(|p| p.became.get(&became)).sum()
    }

    /// A line for each job (RFC 4180): what was varied, what became of it, and what its output has at the top.
    pub fn csv(&self) -> Result<String> {
        let plain = |v: &Value| !(v.is_object() || v.is_array() || v.is_null());
        let empty = Map::new();
        let tops = |r: &'_ Row| r.output.as_object().cloned().unwrap_or_else(|| empty.clone());
        let mut varied = BTreeSet::new();
        let mut told = BTreeSet::new();
        for row in &self.jobs {
            varied.extend(row.values.keys().cloned());
            told.extend(tops(row).into_iter().filter(|(_, v)| plain(v)).map(|(k, _)| k));
        }
        let fixed = ["job", "became", "seconds", "key"].map(String::from);
        let head =
            fixed.into_iter().chain(varied.iter().cloned()).chain(told.iter().map(|n| format!("out.{n}")));
        let mut text = line(head);
        for row in &self.jobs {
            let tops = tops(row);
            let cell = |v: Option<&Value>| match v.filter(|v| plain(v)) {
                None => String::new(),
                Some(Value::String(s)) => s.clone(),
                Some(v) => v.to_string(),
            };
            let first =
                [row.job.clone(), row.became.text().into(), format!("{:.3}", row.seconds), row.key.clone()];
            let values = varied.iter().map(|n| cell(row.values.get(n)));
            text += &line(first.into_iter().chain(values).chain(told.iter().map(|n| cell(tops.get(n)))));
        }
        Ok(text)
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |c: String| match c.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", c.replace('"', "\"\"")),
        false => c,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}
