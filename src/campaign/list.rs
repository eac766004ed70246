//! A campaign's file: commands, and what is varied in them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::job::Job;
use crate::home::hex;

/// Jobs of a campaign, at most.
const MOST: usize = 1_000_000;
/// Options of sbatch that are quell's.
const OURS: &[&str] = &[
    "--array",
    "-a",
    "--job-name",
    "-J",
    "--output",
    "-o",
    "--error",
    "-e",
    "--wrap",
    "--wait",
    "-W",
    "--parsable",
];

/// The jobs of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The file's name without `.toml`; summaries are called so.
    pub name: String,
    /// The jobs, in the file's order.
    pub jobs: Vec<Job>,
    /// Where the inputs are, by SHA-256.
    pub inputs: BTreeMap<String, PathBuf>,
    /// Options for sbatch.
    pub slurm: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    slurm: Slurm,
    #[serde(default)]
    job: Vec<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slurm {
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<String>,
    run: toml::Value,
    #[serde(default)]
    each: BTreeMap<String, toml::Value>,
    #[serde(default)]
    inputs: Vec<String>,
    cpus: Option<toml::Value>,
}

/// Says whether a command (without `quell`) is one.
pub type Check<'a> = &'a dyn Fn(&[String]) -> Result<()>;

/// Reads a file.
pub fn read(path: &Path, check: Check) -> Result<List> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    parse(&name, &text, path.parent().unwrap_or(Path::new("")), check).context(shown)
}

/// Reads the text of a file that is in this folder.
pub fn parse(name: &str, text: &str, folder: &Path, check: Check) -> Result<List> {
    let file: File = toml::from_str(text).map_err(|e| anyhow!("{}", e.to_string().trim_end()))?;
    let mut list =
        List { name: name.into(), jobs: Vec::new(), inputs: BTreeMap::new(), slurm: file.slurm.options };
    if let Some(option) = list.slurm.iter().find(|o| OURS.contains(&o.split('=').next().unwrap_or(o))) {
        bail!(
            "slurm.options: {option:?} is set by quell; legal is what else sbatch takes, such as \"--partition=long\""
        );
    }
    ensure!(!file.job.is_empty(), "job: there is none; legal are 1 or more [[job]]");
    for (i, entry) in file.job.iter().enumerate() {
        let place = match &entry.name {
            Some(name) => format!("job {} ({name})", i + 1),
            None => format!("job {}", i + 1),
        };
        add(&mut list, entry, folder, check).context(place)?;
    }
    Ok(list)
}

fn add(list: &mut List, entry: &Entry, folder: &Path, check: Check) -> Result<()> {
    let words = words(&entry.run)?;
    for name in entry.each.keys() {
        let good = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        ensure!(good, "each: the name {name:?}: legal are letters, digits, _ and -");
        let used = words.iter().any(|w| w.contains(&format!("{{{name}}}")));
        ensure!(used, "each.{name}: run has no {{{name}}}; legal are names that it has");
    }
    let each: Vec<(&String, Vec<Value>)> = entry
        .each
        .iter()
        .map(|(name, v)| Ok((name, values(v).with_context(|| format!("each.{name}"))?)))
        .collect::<Result<_>>()?;
    let inputs = inputs(list, &entry.inputs, folder)?;
    let cpus = cpus(entry.cpus.as_ref())?;
    let count = each.iter().try_fold(1usize, |n, (_, v)| n.checked_mul(v.len()));
    let room = MOST - list.jobs.len();
    ensure!(count.is_some_and(|n| n <= room), "each: too many jobs; legal are {MOST} in a campaign");
    let part = match (&entry.name, words.first()) {
        (Some(name), _) if name.trim().is_empty() => bail!("name: it is empty; legal is any text"),
        (Some(name), _) => name.clone(),
        (None, first) => first.cloned().unwrap_or_default(),
    };
    // The last name turns fastest.
    for mut n in 0..count.unwrap_or(0) {
        let mut chosen = BTreeMap::new();
        for (name, of) in each.iter().rev() {
            chosen.insert((*name).clone(), of[n % of.len()].clone());
            n /= of.len();
        }
        let args = words.iter().map(|w| filled(w, &chosen)).collect::<Result<Vec<_>>>()?;
        legal(&args, check)?;
        list.jobs.push(Job { part: part.clone(), values: chosen, args, inputs: inputs.clone(), cpus });
    }
    Ok(())
}

/// The words of a command.
fn words(run: &toml::Value) -> Result<Vec<String>> {
    let legal = "legal is a command of quell, such as \"torture --networks 100\", or a list of its words";
    let words: Vec<String> = match run {
        toml::Value::String(s) if s.contains(['"', '\'']) => {
            bail!("run: quotes are not read; {legal}, where a word may have spaces")
        }
        toml::Value::String(s) => s.split_whitespace().map(String::from).collect(),
        toml::Value::Array(list) => list
            .iter()
            .map(|w| w.as_str().map(String::from).with_context(|| format!("run: {w} is no text; {legal}")))
            .collect::<Result<_>>()?,
        other => bail!("run: {other} is no text; {legal}"),
    };
    ensure!(!words.is_empty(), "run: it is empty; {legal}");
    Ok(words)
}

/// The values of `[1, 2, 5]` or `{ from = 1, to = 1000, step = 10 }`.
fn values(given: &toml::Value) -> Result<Vec<Value>> {
    const LEGAL: &str = "legal is a list such as [1, 2, 5], or { from = 1, to = 1000, step = 10 }";
    if let Some(list) = given.as_array() {
        ensure!(!list.is_empty(), "the list is empty; {LEGAL}");
        let plain = |v: &toml::Value| !(v.is_array() || v.is_table() || v.is_datetime());
        let wrong = list.iter().find(|v| !plain(v));
        ensure!(wrong.is_none(), "{}: legal are text, numbers, true and false", wrong.unwrap_or(given));
        return list.iter().map(|v| Ok(serde_json::to_value(v)?)).collect();
    }
    let table = given.as_table().with_context(|| format!("{given}: {LEGAL}"))?;
    if let Some(key) = table.keys().find(|k| !["from", "to", "step"].contains(&k.as_str())) {
        bail!("there is no {key}; {LEGAL}");
    }
    let number = |key: &str, least: i64, or: Option<i64>| match table.get(key) {
        None => or.with_context(|| format!("{key} is missing; {LEGAL}")),
        Some(v) => v
            .as_integer()
            .filter(|n| *n >= least)
            .with_context(|| format!("{key} is {v}; legal are whole numbers, {least}..{}", i64::MAX)),
    };
    let from = number("from", i64::MIN, None)?;
    let (to, step) = (number("to", from, None)?, number("step", 1, Some(1))?);
    let count = (i128::from(to) - i128::from(from)) / i128::from(step) + 1;
    ensure!(count <= MOST as i128, "from, to and step make {count} values; legal are {MOST}");
    Ok((0..count as i64).map(|i| Value::from(from + i * step)).collect())
}

/// A word with its values in it.
fn filled(word: &str, values: &BTreeMap<String, Value>) -> Result<String> {
    let (mut out, mut rest) = (String::new(), word);
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) =
            after.split_once('}').with_context(|| format!("run: {word:?} has a {{ without a }}"))?;
        let value = values.get(name).with_context(|| {
            let names: Vec<&str> = values.keys().map(String::as_str).collect();
            format!(
                "run: there is no each.{name}; legal are {}",
                if names.is_empty() { "none".into() } else { names.join(", ") }
            )
        })?;
        out += before;
        match value {
            Value::String(s) => out += s,
            other => out += &other.to_string(),
        }
        rest = after;
    }
    Ok(out + rest)
}

/// A command that is one, and that reads nothing but its inputs.
fn legal(args: &[String], check: Check) -> Result<()> {
    let shown = || args.join(" ");
    ensure!(args[0] != "campaign", "run: {}: legal is any other command than campaign", shown());
    let root = args.iter().find(|a| *a == "--root" || a.starts_with("--root="));
    ensure!(root.is_none(), "run: {}: --root: legal is quell --root DIR campaign ..., for all jobs", shown());
    for arg in args {
        let path = Path::new(arg.rsplit_once('=').map_or(arg.as_str(), |(_, value)| value));
        if path.is_absolute() && path.is_file() {
            bail!(
                "run: {}: {}: a job reads only what inputs names, by a name relative to the campaign's file",
                shown(),
                path.display()
            );
        }
    }
    check(args).with_context(|| format!("run: {}", shown()))
}

/// Inputs by name.
fn inputs(list: &mut List, names: &[String], folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for name in names {
        let inside = Path::new(name).components().all(|c| matches!(c, Component::Normal(_)));
        ensure!(
            inside && !name.is_empty(),
            "inputs: {name:?}: legal are names relative to the campaign's file, without .., of files in or below its folder"
        );
        let path = folder.join(name);
        let bytes =
            std::fs::read(&path).with_context(|| format!("inputs: cannot read {}", path.display()))?;
        let sum = hex(&Sha256::digest(&bytes));
        all.insert(name.clone(), sum.clone());
        list.inputs.insert(sum, path);
    }
    Ok(all)
}

fn cpus(given: Option<&toml::Value>) -> Result<Option<u32>> {
    match given {
        None => Ok(Some(1)),
        Some(toml::Value::String(s)) if s == "all" => Ok(None),
        Some(v) => {
            let n = v.as_integer().and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=256).contains(n));
            Ok(Some(n.with_context(|| format!("cpus is {v}; legal are 1..256 and \"all\""))?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<List> {
        parse("t", text, Path::new("/nowhere"), &|args| {
            ensure!(args[0] != "nonsense", "unrecognized");
            Ok(())
        })
    }

    #[test]
    fn each_is_put_into_the_command_in_all_ways() {
        let list = of(r#"
            [slurm]
            options = ["--partition=long"]
            [[job]]
            run = "torture --seed {seed} --engine {engine}"
            each.seed = { from = 1, to = 25, step = 10 }
            each.engine = ["golden", "rtl"]
            [[job]]
            name = "b"
            run = ["fabric", "--traffic", "a b({x})"]
            each.x = [0.5, true]
            cpus = "all"
        "#)
        .unwrap();
        let commands: Vec<String> = list.jobs.iter().map(Job::command).collect();
        assert_eq!(
            commands,
            [
                "quell torture --seed 1 --engine golden",
                "quell torture --seed 11 --engine golden",
                "quell torture --seed 21 --engine golden",
                "quell torture --seed 1 --engine rtl",
                "quell torture --seed 11 --engine rtl",
                "quell torture --seed 21 --engine rtl",
                "quell fabric --traffic 'a b(0.5)'",
                "quell fabric --traffic 'a b(true)'",
            ]
        );
        assert_eq!((list.jobs[0].part.as_str(), list.jobs[0].cpus), ("torture", Some(1)));
        assert_eq!((list.jobs[6].part.as_str(), list.jobs[6].cpus), ("b", None));
        assert_eq!((list.name.as_str(), list.slurm), ("t", vec!["--partition=long".to_string()]));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_legal() {
        let job = |more: &str| format!("[[job]]\nrun = \"torture --seed {{seed}}\"\n{more}\n");
        let cases = [
            (String::new(), "legal are 1 or more [[job]]"),
            ("[[job]]\nrum = \"x\"".into(), "unknown field `rum`, expected one of `name`, `run`"),
            ("[[job]]\nname = \"x\"".into(), "missing field `run`"),
            ("[[job]]\nrun = 3".into(), "run: 3 is no text; legal is a command"),
            ("[[job]]\nrun = \" \"".into(), "run: it is empty"),
            ("[[job]]\nrun = \"fabric 'a b'\"".into(), "quotes are not read"),
            ("[[job]]\nrun = \"campaign x\"".into(), "any other command than campaign"),
            ("[[job]]\nrun = \"torture --root=/x\"".into(), "quell --root DIR campaign"),
            ("[[job]]\nrun = \"fabric --opensm /etc/passwd\"".into(), "reads only what inputs names"),
            ("[[job]]\nrun = \"nonsense\"".into(), "job 1: run: nonsense: unrecognized"),
            ("[[job]]\nrun = \"torture {a\"".into(), "{ without a }"),
            (job(""), "there is no each.seed; legal are none"),
            (job("each.seed = 3"), "each.seed: 3: legal is a list"),
            (job("each.seed = []"), "the list is empty"),
            (job("each.seed = [[1]]"), "legal are text, numbers"),
            (job("each.seed = { from = 1 }"), "to is missing"),
            (job("each.seed = { from = 5, to = 4 }"), "to is 4; legal are whole numbers, 5.."),
            (job("each.seed = { from = 1, to = 4, step = 0 }"), "step is 0; legal are whole numbers, 1.."),
            (job("each.seed = { from = 1, to = 4, by = 1 }"), "there is no by"),
            (job("each.seed = { from = 1, to = 2000000 }"), "2000000 values; legal are 1000000"),
            (job("each.seed = [1]\neach.x = [1]"), "each.x: run has no {x}"),
            (job("each.seed = [1]\ncpus = 0"), "cpus is 0; legal are 1..256 and \"all\""),
            (job("each.seed = [1]\ninputs = [\"../x\"]"), "without .."),
            (job("each.seed = [1]\ninputs = [\"x\"]"), "inputs: cannot read /nowhere/x"),
            (job("each.seed = [1]\n[slurm]\noptions = [\"--array=3\"]"), "slurm.options: \"--array=3\""),
        ];
        for (text, part) in cases {
            let said = format!("{:#}", of(&text).unwrap_err());
            assert!(said.contains(part), "{text}\nno {part} in: {said}");
        }
    }
}
