//! The commands that measure the checks: `mutate`, `seu`, `coverage`, `fuzz`.

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::Result;
use clap::Args;

use super::common::{Format, Outcome, at_least_one};
use super::progress::Progress;
use super::unit::{SmallBuild, build_of};
use crate::jobs::{processors, side_by_side};
use crate::measure::mutate::{self, Campaign, Score, Verdict};
use crate::measure::{coverage, fuzz, model_lines, seu};
use crate::params::{Build, UnitKind, builds};

/// Where netlists, programs and verdicts are kept.
const HOME: &str = "quell-measure";

/// The units to measure: the one that is named, or those that stand alone.
fn units(named: Option<UnitKind>) -> Vec<UnitKind> {
    named.map_or_else(|| UnitKind::ALONE.to_vec(), |u| vec![u])
}

/// What the measuring commands have in common.
#[derive(Args)]
pub struct Common {
    /// Unit; without it input-port, output-port, hca-throttle, source-response, reservation and worm-router
    #[arg(value_parser = unit)]
    unit: Option<UnitKind>,
    #[command(flatten)]
    build: SmallBuild,
    /// Seed of what is chosen by chance, and of the runs
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    seed: u64,
    /// Processes side by side; default: the number of processors
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    jobs: Option<u64>,
    /// Folder of netlists, programs and verdicts; what was interrupted goes on from there
    #[arg(long, value_name = "DIR", default_value = HOME)]
    dir: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Common {
    /// The builds to measure.
    fn builds(&self) -> Result<Vec<Build>> {
        units(self.unit).into_iter().map(|u| self.build.of(u)).collect()
    }

    fn jobs(&self) -> usize {
        self.jobs.map_or_else(processors, |n| n as usize)
    }
}

fn unit(text: &str) -> Result<UnitKind, String> {
    UnitKind::named(text).ok_or_else(|| {
        let names: Vec<&str> = UnitKind::ALL.iter().map(|u| u.cli_name()).collect();
        format!("legal is {}", names.join(", "))
    })
}

/// `quell mutate`
#[derive(Args)]
pub struct MutateArgs {
    #[command(flatten)]
    common: Common,
    /// Mutants of each unit
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one)]
    count: u64,
    /// Cycles of random traffic that each is played through; the scenarios come on top
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = at_least_one)]
    cycles: u64,
    /// Seconds that provers may take together to show that a survivor is no fault; 0 = do not ask them
    #[arg(long, value_name = "S", default_value_t = 240)]
    prove: u64,
}

/// `quell mutate`
pub fn mutate(args: &MutateArgs) -> Result<Outcome> {
    let mut all = Vec::new();
    for build in args.common.builds()? {
        let campaign = Campaign {
            build,
            count: args.count as usize,
            seed: args.common.seed,
            cycles: args.cycles,
            jobs: args.common.jobs(),
            prove: args.prove,
            dir: args.common.dir.clone(),
        };
        let stage = Progress::of_stages();
        let outcome = mutate::run(&campaign, &|what, done, total| stage.stage(what, done, total))?;
        drop(stage);
        if args.common.format == Format::Text {
            print!("{}", mutate_text(&outcome)?);
        }
        all.push(outcome);
    }
    if args.common.format == Format::Json {
        let mut list = Vec::new();
        for o in &all {
            let mut value = serde_json::to_value(o)?;
            value["score"] = serde_json::to_value(o.score())?;
            value["percent"] = o.score().percent().into();
            value["by_module"] = serde_json::to_value(o.by_module())?;
            value["by_rule"] = serde_json::to_value(o.by_rule()?)?;
            list.push(value);
        }
        println!("{:#}", serde_json::Value::Array(list));
    }
    let survived = all.iter().any(|o| o.score().survived > 0);
    Ok(if survived { Outcome::DoesNotHold } else { Outcome::Good })
}

fn score_line(name: &str, s: &Score) -> String {
    format!(
        "    {name:20} {:>6.1} %  {:>5} killed ({} by state alone)  {:>3} equivalent  {:>3} survived\n",
        s.percent(),
        s.killed,
        s.by_state,
        s.equivalent,
        s.survived
    )
}

fn mutate_text(o: &mutate::Outcome) -> Result<String> {
    let score = o.score();
    let mut t = format!(
        "{} {}: {} mutants, seed {}, {} runs of {} cycles, {:.1} s{}\n  score {:.2} %: {} killed, {} survived; {} are no faults\n",
        o.unit,
        o.build,
        o.mutants.len(),
        o.seed,
        o.runs,
        o.cycles,
        o.seconds,
        if o.resumed > 0 { format!(" ({} verdicts from earlier)", o.resumed) } else { String::new() },
        score.percent(),
        score.killed,
        score.survived,
        score.equivalent
    );
    t += "  by module\n";
    o.by_module().iter().for_each(|(name, s)| t += &score_line(name, s));
    t += "  by rule (all mutants of the modules that own it)\n";
    o.by_rule()?.iter().for_each(|(name, s)| t += &score_line(name, s));
    for (title, want_equivalent) in [("survived", false), ("proved equivalent", true)] {
        let is = |v: &Verdict| match v {
            Verdict::Survived { .. } => !want_equivalent,
            Verdict::Equivalent { .. } | Verdict::Loop => want_equivalent,
            Verdict::Killed { .. } => false,
        };
        let list: Vec<_> = o.mutants.iter().filter(|m| is(&m.verdict)).collect();
        if !list.is_empty() {
            t += &format!("  {title}\n");
        }
        for m in list {
            let how = match &m.verdict {
                Verdict::Equivalent { how } => format!(": {how}"),
                Verdict::Loop => ": a combinational loop".into(),
                Verdict::Survived { prover, stimulus } if !prover.is_empty() => {
                    let path = stimulus.as_ref().map_or(String::new(), |p| format!(" {}", p.display()));
                    format!(": {prover}{path}")
                }
                _ => String::new(),
            };
            t += &format!(
                "    {:>5}  {}:{}  {}{how}\n",
                m.number,
                m.mutant.file,
                m.mutant.line,
                m.mutant.text()
            );
        }
    }
    Ok(t)
}

/// `quell seu`
#[derive(Args)]
pub struct SeuArgs {
    #[command(flatten)]
    common: Common,
    /// Flips in each unit
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one)]
    count: u64,
    /// Cycles of random traffic in which flips happen; the scenarios come on top
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = at_least_one)]
    cycles: u64,
    /// Cycles that are looked at after a flip
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(10..))]
    horizon: u64,
}

/// `quell seu`
pub fn seu(args: &SeuArgs) -> Result<Outcome> {
    let mut all = Vec::new();
    for build in args.common.builds()? {
        let campaign = seu::Campaign {
            build,
            count: args.count as usize,
            seed: args.common.seed,
            cycles: args.cycles,
            horizon: args.horizon,
            jobs: args.common.jobs(),
            dir: args.common.dir.clone(),
        };
        let stage = Progress::of_stages();
        let outcome = seu::run(&campaign, &|what, done, total| stage.stage(what, done, total))?;
        drop(stage);
        if args.common.format == Format::Text {
            print!("{}", seu_text(&outcome));
        }
        all.push(outcome);
    }
    if args.common.format == Format::Json {
        println!("{:#}", serde_json::to_value(&all)?);
    }
    Ok(Outcome::Good)
}

fn seu_text(o: &seu::Outcome) -> String {
    let head: String =
        seu::Effect::ALL.iter().map(|e| format!("{:>10}", format!("{e:?}").to_lowercase())).collect();
    let mut t = format!(
        "{} {}: {} flips in {} bits, seed {}, {} cycles after each, {:.1} s\n  {:44}{:>8}{head}\n",
        o.unit,
        o.build,
        o.control.total() + o.payload.total(),
        o.bits,
        o.seed,
        o.horizon,
        o.seconds,
        "class of state",
        "flips"
    );
    let line = |name: &str, c: &seu::Counts| {
        let counts: String = c.0.iter().map(|n| format!("{n:>10}")).collect();
        format!("  {name:44}{:>8}{counts}\n", c.total())
    };
    t += &line("control", &o.control);
    t += &line("payload", &o.payload);
    o.classes.iter().for_each(|(name, c)| t += &line(name, c));
    t
}

/// `quell coverage`
#[derive(Args)]
pub struct CoverageArgs {
    /// Unit; without it input-port, output-port, hca-throttle, source-response, reservation and worm-router
    #[arg(value_parser = unit)]
    unit: Option<UnitKind>,
    /// Parameter sets, separated by commas; without it all of the unit (bits that toggle are counted in tiny and tinyp only)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    build: Vec<String>,
    /// Set a parameter of each on top of it; may be given several times
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    param: Vec<String>,
    /// Cycles of random traffic on each build; the scenarios come on top
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = at_least_one)]
    cycles: u64,
    /// Seed of the runs
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    seed: u64,
    /// Folder of models and counts; annotated sources go to html/ in it
    #[arg(long, value_name = "DIR", default_value = HOME)]
    dir: PathBuf,
    /// Show every point that is missed, toggles too
    #[arg(long)]
    missed: bool,
    /// Lines of the golden model, too: builds a second quell, with counters, in the folder
    #[arg(long)]
    golden: bool,
    /// Only play the runs on the golden model; what that second quell does
    #[arg(long, hide = true)]
    play_only: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// `quell coverage`
pub fn coverage(args: &CoverageArgs) -> Result<Outcome> {
    let mut chosen = Vec::new();
    for u in units(args.unit) {
        let all = builds().into_iter().filter(|b| b.unit == u).map(|b| b.name.to_string());
        let names = if args.build.is_empty() { all.collect() } else { args.build.clone() };
        for name in names {
            chosen.push(build_of(u, Some(&name), &args.param)?);
        }
    }
    if args.play_only {
        for b in &chosen {
            model_lines::play(b, args.cycles, args.seed)?;
        }
        return Ok(Outcome::Good);
    }
    let stage = Progress::of_stages();
    let show = |what: &str, done: u64, total: u64| stage.stage(what, done, total);
    let golden = match args.golden {
        true => Some(model_lines::run(&chosen, args.cycles, args.seed, &args.dir, &show)?),
        false => None,
    };
    let o = coverage::run(&chosen, args.cycles, args.seed, &args.dir, &show)?;
    drop(stage);
    let html = coverage::write_html(&o, &args.dir.join("html"))?;
    let whole = [coverage::PointKind::Line, coverage::PointKind::Branch];
    match args.format {
        Format::Text => {
            print!("{}", coverage_text(&o, args.missed, &html));
            golden.iter().for_each(|files| print!("{}", golden_text(files)));
        }
        Format::Json => {
            let kinds = |f: Option<&str>| {
                let one = |k: coverage::PointKind| {
                    Ok((format!("{k:?}").to_lowercase(), serde_json::to_value(o.share(f, k))?))
                };
                coverage::PointKind::ALL.into_iter().map(one).collect::<Result<serde_json::Map<_, _>>>()
            };
            let mut files = serde_json::Map::new();
            for f in o.files() {
                files.insert(f.clone(), kinds(Some(&f))?.into());
            }
            let missed: Vec<_> = o.missed().filter(|p| args.missed || whole.contains(&p.kind)).collect();
            let value = serde_json::json!({
                "cycles": o.cycles, "all": kinds(None)?, "files": files, "missed": missed, "golden": golden,
            });
            println!("{value:#}");
        }
    }
    let reached = whole.iter().all(|k| o.share(None, *k).reached == o.share(None, *k).of);
    Ok(if reached { Outcome::Good } else { Outcome::DoesNotHold })
}

fn coverage_text(o: &coverage::Outcome, all_missed: bool, html: &std::path::Path) -> String {
    let mut t = format!("RTL coverage, {} cycles\n  {:28}", o.cycles, "file");
    for k in coverage::PointKind::ALL {
        t += &format!("{:>24}", format!("{k:?}").to_lowercase());
    }
    t += "\n";
    let files = o.files();
    for f in [None].into_iter().chain(files.iter().map(|f| Some(f.as_str()))) {
        t += &format!("  {:28}", f.unwrap_or("all"));
        for k in coverage::PointKind::ALL {
            let s = o.share(f, k);
            let excluded = if s.excluded > 0 { format!(" -{}", s.excluded) } else { String::new() };
            t += &format!("{:>24}", format!("{:.1} % {}/{}{excluded}", s.percent(), s.reached, s.of));
        }
        t += "\n";
    }
    let missed: Vec<_> = o.missed().filter(|p| all_missed || p.kind != coverage::PointKind::Toggle).collect();
    if !missed.is_empty() {
        t += "  missed\n";
    }
    for p in missed {
        t += &format!("    {}:{}:{}  {:?} {}\n", p.file, p.line, p.column, p.kind, p.what);
    }
    t += &format!("  annotated sources: {}\n", html.display());
    t
}

fn golden_text(files: &[model_lines::File]) -> String {
    let sum = |count: &dyn Fn(&model_lines::File) -> usize| files.iter().map(count).sum::<usize>();
    let (lines, missed) = (sum(&|f| f.lines), sum(&|f| f.missed.len()));
    let mut t = format!("golden model, lines\n  {:36}{:>5} of {lines}\n", "all", lines - missed);
    for f in files {
        t += &format!("  {:36}{:>5} of {}", f.file, f.lines - f.missed.len(), f.lines);
        let numbers: Vec<String> = f.missed.iter().map(usize::to_string).collect();
        t += &if numbers.is_empty() { "\n".into() } else { format!("  missed: {}\n", numbers.join(" ")) };
    }
    t
}

/// `quell fuzz`
#[derive(Args)]
pub struct FuzzArgs {
    #[command(flatten)]
    common: Common,
    /// Stimuli to try on each unit
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = at_least_one)]
    tries: u64,
    /// Most stimuli that the corpus of a unit keeps
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = at_least_one)]
    keep: u64,
}

/// `quell fuzz`
pub fn fuzz(args: &FuzzArgs) -> Result<Outcome> {
    let builds = args.common.builds()?;
    let all: Mutex<Vec<(usize, fuzz::Outcome)>> = Mutex::new(Vec::new());
    let stage = Progress::of_stages();
    side_by_side(builds.len(), args.common.jobs(), &|_: &mut Option<()>, i| {
        let campaign = fuzz::Campaign {
            build: builds[i],
            tries: args.tries,
            keep: args.keep as usize,
            seed: args.common.seed,
            dir: args.common.dir.clone(),
        };
        let show = |what: &str, done, total| {
            // Units side by side would overwrite each other's line: the first one speaks for all.
            if i == 0 {
                stage.stage(what, done, total);
            }
        };
        let outcome = fuzz::run(&campaign, &show)?;
        all.lock().unwrap_or_else(|e| e.into_inner()).push((i, outcome));
        Ok(())
    })?;
    drop(stage);
    let mut all = all.into_inner().unwrap_or_else(|e| e.into_inner());
    all.sort_by_key(|(i, _)| *i);
    let all: Vec<fuzz::Outcome> = all.into_iter().map(|(_, o)| o).collect();
    match args.common.format {
        Format::Text => all.iter().for_each(|o| print!("{}", fuzz_text(o))),
        Format::Json => println!("{:#}", serde_json::to_value(&all)?),
    }
    let failed = all.iter().any(|o| !o.failures.is_empty());
    Ok(if failed { Outcome::DoesNotHold } else { Outcome::Good })
}

fn fuzz_text(o: &fuzz::Outcome) -> String {
    let mut t = format!(
        "{} {}: {} stimuli tried, {} cycles\n  RTL points, by how often: {} reached with the {} stimuli known before, {} now\n  \
         cover points of the golden model: {} of {}\n  corpus: {} stimuli in {}\n",
        o.unit,
        o.build,
        o.tries,
        o.cycles,
        o.reached_before,
        o.corpus_before,
        o.reached,
        o.rules_reached,
        o.rules,
        o.corpus,
        o.folder.display()
    );
    for f in &o.failures {
        t += &format!("  FAILS: {}; see it with: quell replay {}\n", f.what, f.file.display());
    }
    t
}
