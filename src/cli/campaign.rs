//! `quell campaign`: the long forms of what the tests do in short, one after another.

use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::Outcome;
use crate::outfile;

#[derive(Args)]
pub(super) struct CampaignArgs {
    /// Parts to run (--list shows them); without one all
    #[arg(value_name = "PART")]
    parts: Vec<String>,
    /// Folder of what each part says, and of its results
    #[arg(long, value_name = "DIR", default_value = "quell-campaign")]
    out: PathBuf,
    /// Only list the parts and their commands
    #[arg(long)]
    list: bool,
}

/// A part: its name, and its commands. What was interrupted goes on where a command keeps what it has done.
type Part = (&'static str, &'static [&'static [&'static str]]);

const PARTS: &[Part] = &[
    ("regression", &[&["regress", "--cycles", "100000000"]]),
    (
        "torture",
        &[
            &["torture", "--networks", "1000000"],
            &["torture", "--engine", "lockstep", "--networks", "200", "--seed", "2000000"],
        ],
    ),
    (
        "netlists",
        &[
            &["netlist", "input-port"],
            &["netlist", "output-port"],
            &["netlist", "hca-throttle"],
            &["netlist", "source-response"],
            &["netlist", "reservation"],
            &["netlist", "switch"],
            &["netlist", "hca"],
        ],
    ),
    ("mutants", &[&["mutate"], &["mutate", "switch"], &["mutate", "hca"]]),
    (
        "flips",
        &[
            &["seu"],
            &["seu", "switch"],
            &["seu", "hca"],
            &["seu", "--build", "tinyp"],
            &["seu", "switch", "--build", "tinyp"],
            &["seu", "hca", "--build", "tinyp"],
        ],
    ),
    (
        "large",
        &[
            &["cosim", "switch", "--build", "voq8", "-P", "PORTS=16", "--cycles", "20000"],
            &[
                "cosim", "switch", "--build", "voq8", "-P", "PORTS=36", "-P", "LINES=3", "-P", "DLIST=2",
                "--cycles", "2000",
            ],
            &["cosim", "hca", "-P", "FLIT_BYTES=64", "-P", "FLOWS=256", "--cycles", "100000"],
        ],
    ),
    ("coverage", &[&["coverage", "--golden"]]),
    ("stimuli", &[&["fuzz", "--tries", "100000"]]),
    ("proofs", &[&["prove", "--seconds", "480"]]),
    ("studies", &[&["paper", "--all"]]),
    ("cost", &[&["cost", "all"]]),
];

pub(super) fn campaign(args: &CampaignArgs) -> Result<Outcome> {
    if args.list {
        for (name, commands) in PARTS {
            for command in *commands {
                println!("{name:<12} quell {}", command.join(" "));
            }
        }
        return Ok(Outcome::Good);
    }
    let names = || PARTS.iter().map(|p| p.0).collect::<Vec<_>>().join(", ");
    if let Some(no) = args.parts.iter().find(|p| !PARTS.iter().any(|(name, _)| name == p)) {
        bail!("there is no part {no}: legal are {}", names());
    }
    std::fs::create_dir_all(&args.out).with_context(|| format!("--out {}", args.out.display()))?;
    let root = std::path::absolute(crate::home::root()?)?;
    let program = std::env::current_exe().context("the program's own file")?;
    let wanted = |name: &str| args.parts.is_empty() || args.parts.iter().any(|p| p == name);
    let mut worst = 0;
    for (name, commands) in PARTS.iter().filter(|p| wanted(p.0)) {
        for (i, command) in commands.iter().enumerate() {
            let said = args.out.join(format!("{name}-{}.txt", i + 1));
            eprintln!("campaign: {name}: quell {}", command.join(" "));
            let began = Instant::now();
            let output = outfile::create_beside(&said).with_context(|| said.display().to_string())?;
            let status = Command::new(&program)
                .args(*command)
                .env("QUELL_ROOT", &root)
                .current_dir(&args.out)
                .stdin(Stdio::null())
                .stdout(output)
                .status()
                .with_context(|| format!("{name}: {}", program.display()))?;
            std::fs::rename(outfile::beside(&said), &said).with_context(|| said.display().to_string())?;
            println!("{name:<12} {:<10} {:>9}  {}", result(status), time(began.elapsed()), said.display());
            worst = worst.max(status.code().unwrap_or(2));
        }
    }
    match worst {
        0 => Ok(Outcome::Good),
        1 => Ok(Outcome::Mismatch),
        _ => bail!("a command could not be carried out: its message is above, and no result is in its file"),
    }
}

fn result(status: ExitStatus) -> String {
    match status.code() {
        Some(0) => "good".into(),
        Some(1) => "NOT GOOD".into(),
        Some(n) => format!("ERROR {n}"),
        None => "KILLED".into(),
    }
}

fn time(t: Duration) -> String {
    let s = t.as_secs();
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}
