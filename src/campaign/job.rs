//! A job: one command of quell, and all that its result depends on.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::made_of::MadeOf;
use crate::home::hex;

/// Changes when jobs are run or kept in another way, so that results of before are done anew.
const LAYOUT: &str = "quell campaign 1";

/// One command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The `name` of its `[[job]]`.
    pub part: String,
    /// What is put into the command where `each` varies it.
    pub values: BTreeMap<String, Value>,
    /// The command without `quell`.
    pub args: Vec<String>,
    /// Files in the folder where it runs: name, and SHA-256 of the content.
    pub inputs: BTreeMap<String, String>,
    /// Processors that it may use; none: all of a machine. The result does not depend on it.
    pub cpus: Option<u32>,
}

/// A job with its key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyed {
    /// See [`Job::key`].
    pub key: String,
    /// The job.
    pub job: Job,
}

impl Job {
    /// The name of its result: of command, inputs, and what quell is made of.
    pub fn key(&self, of: &MadeOf) -> Result<String> {
        let all = serde_json::to_vec(&(LAYOUT, &self.args, &self.inputs, of))?;
        Ok(hex(&Sha256::digest(all)[..16]))
    }

    /// The command, for people.
    pub fn command(&self) -> String {
        let quoted = |arg: &String| match arg.is_empty() || arg.contains(char::is_whitespace) {
            true => format!("'{arg}'"),
            false => arg.clone(),
        };
        format!("quell {}", self.args.iter().map(quoted).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_changes_with_what_the_result_depends_on_and_with_nothing_else() {
        let of = |program: &str| MadeOf {
            program: program.into(),
            sources: "s".into(),
            tools: vec!["yosys 0.70".into()],
        };
        let job = Job {
            part: "a".into(),
            values: BTreeMap::new(),
            args: vec!["torture".into(), "--seed".into(), "1".into()],
            inputs: [("a.toml".to_string(), "00".to_string())].into(),
            cpus: Some(1),
        };
        let key = |job: &Job, of: &MadeOf| job.key(of).unwrap();
        let first = key(&job, &of("p"));
        assert_eq!(first.len(), 32);
        let same = Job { part: "b".into(), cpus: None, ..job.clone() };
        assert_eq!(key(&same, &of("p")), first);
        let others = [
            (Job { args: vec!["torture".into(), "--seed 1".into()], ..job.clone() }, of("p")),
            (Job { inputs: [("a.toml".to_string(), "01".to_string())].into(), ..job.clone() }, of("p")),
            (Job { inputs: [("b.toml".to_string(), "00".to_string())].into(), ..job.clone() }, of("p")),
            (job.clone(), of("q")),
            (job.clone(), MadeOf { tools: vec!["yosys 0.71".into()], ..of("p") }),
        ];
        for (job, of) in others {
            assert_ne!(key(&job, &of), first, "{job:?} {of:?}");
        }
    }
}
