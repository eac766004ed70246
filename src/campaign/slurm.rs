//! Jobs on Slurm: arrays whose tasks do some jobs each, one after another.
//!
//! An array has a folder `slurm/NAME/`, written before it is submitted under that name: what its tasks do, and their logs. A job that a
//! task has which `squeue` shows is on its way; of all others nobody takes care.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::job::Keyed;
use super::local::{TRIES, tried};
use super::made_of::{MadeOf, Now};
use super::queue::{self, Submitted};
use super::store::{Store, json, make, remove};
use crate::outfile;

const LIST: &str = "tasks.json";
const SCRIPT: &str = "script.sh";
/// Between two looks at the folder.
const LOOK: Duration = Duration::from_millis(500);
/// Between two questions to Slurm.
const ASK: Duration = Duration::from_secs(10);
/// Before a full queue is asked again.
const FULL: Duration = Duration::from_secs(30);
/// Arrays are cut so that there are no more tasks than this: starting one costs Slurm about a second.
const TASKS: usize = 100;

/// How a campaign is put on Slurm.
pub struct How<'a> {
    /// Options for sbatch.
    pub options: &'a [String],
    /// Tasks that may run at once; none: as many as there is room for.
    pub at_once: Option<u64>,
    /// Jobs of a task; none: so many that there are at most 100 tasks.
    pub chunk: Option<usize>,
    /// Stay until all is done.
    pub wait: bool,
}

/// What an array does.
#[derive(Serialize, Deserialize)]
struct Tasks {
    made_of: MadeOf,
    root: PathBuf,
    tasks: Vec<Vec<Keyed>>,
}

/// What is told meanwhile.
pub enum News<'a> {
    /// So many more jobs have come to an end.
    Ended(usize),
    /// Something that is to be known.
    Line(&'a str),
}

/// What became of the jobs of a campaign.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Given to Slurm, and not waited for.
    pub queued: usize,
    /// Not given to it: the queue was full.
    pub refused: usize,
    /// Begun often enough, and killed each time.
    pub lost: usize,
}

fn folder(store: &Store) -> PathBuf {
    store.folder().join("slurm")
}

/// The jobs that tasks in the queue have.
fn on_their_way(store: &Store) -> Result<HashSet<String>> {
    let queued = queue::tasks()?;
    store.look();
    let mut keys = HashSet::new();
    for entry in std::fs::read_dir(folder(store)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !queued.iter().any(|(n, _)| *n == name) {
            continue;
        }
        let list: Tasks = json(&entry.path().join(LIST))?;
        for (i, task) in list.tasks.iter().enumerate() {
            if queued.contains(&(name.clone(), i)) {
                keys.extend(task.iter().map(|t| t.key.clone()));
            }
        }
    }
    Ok(keys)
}

/// Removes the folders of arrays whose jobs are all done.
pub fn tidy(store: &Store) -> Result<()> {
    for entry in std::fs::read_dir(folder(store)).into_iter().flatten().flatten() {
        let list = json::<Tasks>(&entry.path().join(LIST));
        if list.is_ok_and(|l| l.tasks.iter().flatten().all(|t| store.is_there(&t.key))) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Has Slurm do jobs.
pub fn run(store: &Store, now: &Now, jobs: &[Keyed], how: &How, told: &dyn Fn(News)) -> Result<Left> {
    let longest = queue::longest_array()?;
    let mut tries: HashMap<&str, u32> = HashMap::new();
    let mut ended: HashSet<&str> = HashSet::new();
    // Those for which there was no room.
    let mut refused: HashSet<&str> = HashSet::new();
    let mut first = true;
    loop {
        {
            // Two campaigns that are started at once submit one after the other, and the second one sees what the first one did.
            let lock = store.alone()?;
            let mut way = None;
            while way.is_none() {
                match on_their_way(store) {
                    Ok(keys) => way = Some(keys),
                    Err(e) if first => return Err(e),
                    Err(e) => {
                        told(News::Line(&format!("{e:#}; asking again")));
                        std::thread::sleep(ASK);
                    }
                }
            }
            let way = way.unwrap_or_default();
            let mut open = Vec::new();
            for job in jobs.iter().filter(|j| !store.is_there(&j.key) && !way.contains(&j.key)) {
                if first {
                    store.forget_failure(&job.key)?;
                }
                if store.has_failed(&job.key) && !killed(store, &job.key) {
                    continue;
                }
                let n = tries.entry(&job.key).or_insert(0);
                if *n < TRIES {
                    *n += 1;
                    open.push(job);
                }
            }
            let killed = open.iter().filter(|j| !refused.contains(j.key.as_str())).count();
            if !first && killed > 0 {
                told(News::Line(&format!(
                    "{killed} jobs were killed, or their tasks were; they are begun again"
                )));
            }
            refused = submit(store, now, &open, how, longest, &lock, told)?
                .iter()
                .map(|j| j.key.as_str())
                .collect();
            for key in &refused {
                tries.entry(key).and_modify(|n| *n -= 1);
            }
        }
        first = false;
        if !how.wait {
            let queued = jobs.iter().filter(|j| !store.is_there(&j.key)).count() - refused.len();
            return Ok(Left { queued, refused: refused.len(), lost: 0 });
        }
        watch(store, jobs, &mut ended, !refused.is_empty(), told);
        let open =
            |j: &&Keyed| !store.is_there(&j.key) && (!store.has_failed(&j.key) || killed(store, &j.key));
        let left: Vec<&Keyed> = jobs.iter().filter(open).collect();
        if left.iter().all(|j| tries.get(j.key.as_str()).is_some_and(|n| *n >= TRIES)) {
            let busy = on_their_way(store).unwrap_or_default();
            if left.iter().all(|j| !busy.contains(&j.key)) {
                return Ok(Left { lost: left.len(), ..Left::default() });
            }
        }
    }
}

/// Whether the last try was killed, as far as somebody was left to say so.
fn killed(store: &Store, key: &str) -> bool {
    matches!(store.find(key), super::store::State::Failed(f) if f.status.is_none())
}

/// Until no job is on its way any more; with `full` until there may be room.
fn watch<'a>(
    store: &Store,
    jobs: &'a [Keyed],
    ended: &mut HashSet<&'a str>,
    full: bool,
    told: &dyn Fn(News),
) {
    let (begin, mut asked) = (Instant::now(), Instant::now());
    loop {
        let before = ended.len();
        for job in jobs {
            if !ended.contains(job.key.as_str()) && (store.is_there(&job.key) || store.has_failed(&job.key)) {
                ended.insert(&job.key);
            }
        }
        if ended.len() > before {
            told(News::Ended(ended.len() - before));
        }
        if jobs.iter().all(|j| store.is_there(&j.key)) || full && begin.elapsed() >= FULL {
            return;
        }
        // The last one that ends is a reason to ask at once.
        if asked.elapsed() >= ASK || ended.len() > before && ended.len() == jobs.len() {
            match on_their_way(store) {
                Ok(keys)
                    if !full && jobs.iter().all(|j| store.is_there(&j.key) || !keys.contains(&j.key)) =>
                {
                    return;
                }
                Ok(_) => {}
                Err(e) => told(News::Line(&format!("{e:#}; asking again"))),
            }
            asked = Instant::now();
        }
        std::thread::sleep(LOOK);
    }
}

/// Submits jobs; those for which there was no room.
fn submit<'a>(
    store: &Store,
    now: &Now,
    jobs: &[&'a Keyed],
    how: &How,
    longest: usize,
    lock: &File,
    told: &dyn Fn(News),
) -> Result<Vec<&'a Keyed>> {
    // A task has a number of processors for all its jobs.
    let mut kinds: BTreeMap<Option<u32>, Vec<&Keyed>> = BTreeMap::new();
    jobs.iter().for_each(|j| kinds.entry(j.job.cpus).or_default().push(j));
    let chunk = how.chunk.unwrap_or(jobs.len().div_ceil(TASKS)).max(1);
    let mut refused = Vec::new();
    for (cpus, jobs) in kinds {
        let mut rest = &jobs[..];
        let mut tasks = longest;
        while !rest.is_empty() && refused.is_empty() {
            let n = rest.len().min(tasks.saturating_mul(chunk));
            match array(store, now, &rest[..n], cpus, chunk, how, lock)? {
                Submitted::Yes => rest = &rest[n..],
                // There may be room for fewer.
                Submitted::Full(_) if n > chunk => tasks = n.div_ceil(chunk) / 2,
                Submitted::Full(why) => {
                    told(News::Line(&format!("the queue is full: {why}")));
                    break;
                }
            }
        }
        refused.extend(rest);
    }
    Ok(refused)
}

/// Submits one array.
fn array(
    store: &Store,
    now: &Now,
    jobs: &[&Keyed],
    cpus: Option<u32>,
    chunk: usize,
    how: &How,
    lock: &File,
) -> Result<Submitted> {
    let home = std::path::absolute(folder(store))?;
    make(&home)?;
    // Nobody has had a name like this one: it is known even if we do not live to see what sbatch says.
    let place = tempfile::Builder::new().prefix("quell-").tempdir_in(&home);
    let place = place.with_context(|| format!("cannot make a folder in {}", home.display()))?.keep();
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let tasks: Vec<Vec<Keyed>> =
        jobs.chunks(chunk).map(|c| c.iter().map(|j| (*j).clone()).collect()).collect();
    let number = tasks.len();
    let list = Tasks { made_of: now.of.clone(), root: now.root.clone(), tasks };
    outfile::write(&place.join(LIST), &serde_json::to_vec(&list)?)?;
    let script = place.join(SCRIPT);
    let text = format!(
        "#!/bin/sh\nexec {} --root {} campaign --task {}\n",
        quoted(&now.exe)?,
        quoted(&now.root)?,
        quoted(&place)?
    );
    outfile::write(&script, text.as_bytes())?;
    let asked = queue::Array {
        name: &name,
        tasks: number,
        at_once: how.at_once,
        cpus,
        script: &script,
        folder: &place,
        options: how.options,
    };
    let submitted = queue::submit(&asked, lock);
    if !matches!(submitted, Ok(Submitted::Yes)) {
        remove(&place)?;
    }
    submitted
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{}: it is not UTF-8", path.display()))?;
    Ok(crate::text::word(text))
}

/// The task of an array: `place` is the array's folder, Slurm says which task it is.
pub fn task(place: &Path) -> Result<()> {
    let (begin, mut commands) = (Instant::now(), 0.0);
    let number = std::env::var("SLURM_ARRAY_TASK_ID").ok().and_then(|n| n.parse::<usize>().ok());
    let number = number.context("--task: SLURM_ARRAY_TASK_ID is no number: it is Slurm that begins tasks")?;
    let list: Tasks = json(&place.join(LIST))?;
    let task = list
        .tasks
        .get(number)
        .with_context(|| format!("--task: there is no {number}; legal are 0..{}", list.tasks.len() - 1))?;
    let now = Now::read()?;
    ensure!(
        now.of == list.made_of,
        "program, sources or tools are not those of the campaign's start; remedy: start it again"
    );
    let store = place.parent().and_then(Path::parent).map(Store::new);
    let store = store.with_context(|| format!("--task {}: it is no folder of an array", place.display()))?;
    for job in task {
        // Of a task that Slurm begins a second time; a start forgets failures before it submits.
        if store.has_failed(&job.key) && !killed(&store, &job.key) {
            continue;
        }
        // What another task has, which Slurm begins a second time, is waited for.
        let cpus = job.job.cpus.map_or_else(crate::jobs::processors, |n| n as usize);
        let done = tried(&store, &now, job, cpus, true)?;
        if let Some(done) = done {
            commands += if done.found { 0.0 } else { done.seconds };
            println!(
                "{:?} {:.1} s {}{}",
                done.end,
                done.seconds,
                job.job.command(),
                if done.found { " (found)" } else { "" }
            );
        } else {
            bail!("{}: somebody else has it", job.job.command());
        }
    }
    println!("task: {} jobs, besides {:.3} s", task.len(), begin.elapsed().as_secs_f64() - commands);
    Ok(())
}
