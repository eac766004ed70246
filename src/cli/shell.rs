//! `quell completions` and `quell man`: what a shell and `man` know of the command line, made from its description.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command};

use super::common::Outcome;
use crate::outfile;

/// `quell completions`
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell; bash reads the output from ~/.local/share/bash-completion/completions/quell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> Result<Outcome> {
    // (clap panics where it cannot write.)
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "quell", &mut text);
    print!("{}", String::from_utf8_lossy(&text));
    Ok(Outcome::Good)
}

/// `quell man`
#[derive(Args)]
pub struct ManArgs {
    /// Where to write them: a folder, which is made if it is not there (~/.local/share/man/man1 is one that man looks in)
    pub folder: PathBuf,
}

/// Writes a page for the program and one for each command.
pub fn man(args: &ManArgs, program: Command) -> Result<Outcome> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let program = program.disable_help_subcommand(true);
    let mut pages = vec![("quell".to_string(), program.clone())];
    for command in program.get_subcommands() {
        let name = format!("quell-{}", command.get_name());
        // (clap lends names for ever.)
        let title: &'static str = name.clone().leak();
        pages.push((name, command.clone().name(title).version(env!("CARGO_PKG_VERSION"))));
    }
    for (name, command) in &pages {
        page(&folder.join(format!("{name}.1")), command)?;
    }
    println!("{} pages in {}", pages.len(), folder.display());
    Ok(Outcome::Good)
}

fn page(path: &Path, command: &Command) -> Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    outfile::write(path, &text).with_context(|| format!("cannot write {}", path.display()))
}
