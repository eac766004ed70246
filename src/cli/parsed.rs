//! From arguments to a command: what clap refuses is told as quell tells what it refuses, with the argument and what is legal.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches};

/// The command line as clap knows it. A number below 0 is a value like others: its option says what is legal.
pub(super) fn command<C: CommandFactory>() -> Command {
    negative_numbers_are_values(C::command())
}

fn negative_numbers_are_values(command: Command) -> Command {
    let options = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(options).mut_subcommands(negative_numbers_are_values)
}

/// `--time -3ms` as `--time=-3ms`: no option begins with a digit, and clap knows plain numbers only.
pub(super) fn with_their_options(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    for arg in args {
        let below = arg
            .to_str()
            .and_then(|a| a.strip_prefix('-'))
            .is_some_and(|a| a.starts_with(|c: char| c.is_ascii_digit()));
        let option = |o: &&mut OsString| {
            o.to_str().is_some_and(|o| o.len() > 2 && o.starts_with("--") && !o.contains('='))
        };
        match all.last_mut().filter(option) {
            Some(option) if below => {
                option.push("=");
                option.push(arg);
            }
            _ => all.push(arg),
        }
    }
    all
}

/// The arguments that the program was given; it ends here if they ask for help, or are not legal.
pub(super) fn cli<C: CommandFactory + FromArgMatches>() -> C {
    let args = with_their_options(std::env::args_os());
    let given = command::<C>().try_get_matches_from(&args).and_then(|m| C::from_arg_matches(&m));
    given.unwrap_or_else(|error| {
        if error.kind() == ErrorKind::InvalidUtf8 {
            eprintln!("quell: error: {}", not_text(&args));
            std::process::exit(2);
        }
        error.exit()
    })
}

/// Whether such arguments (without the program's name) are a command of the program.
pub(super) fn check<C: CommandFactory>() -> impl Fn(&[String]) -> anyhow::Result<()> {
    let command = std::cell::RefCell::new(command::<C>());
    move |args| {
        let all = with_their_options(
            std::iter::once("quell").chain(args.iter().map(String::as_str)).map(OsString::from),
        );
        let found = command.borrow_mut().try_get_matches_from_mut(all);
        found.map(|_| ()).map_err(|error| {
            // The first lines say what is wrong, and what is legal; after them comes how the command is used.
            let text = error.to_string();
            let lines = text.lines().take_while(|l| !l.starts_with("Usage") && !l.starts_with("For more"));
            let said = lines.map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
            anyhow::anyhow!("{}", said.trim_start_matches("error: "))
        })
    }
}

/// Which argument is no text.
pub(super) fn not_text(args: &[OsString]) -> String {
    let found = args.iter().enumerate().find(|(_, arg)| arg.to_str().is_none());
    let (place, arg) = found.map_or((0, "?".into()), |(place, arg)| (place, arg.to_string_lossy()));
    format!(
        "argument {place}, {arg:?}: it is not UTF-8; names of networks, traffics and settings are text, \
         and a file with such a name can be given another one by a link"
    )
}
