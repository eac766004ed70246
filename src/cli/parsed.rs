//! From arguments to a command: what clap refuses is told as quell tells what it refuses, with the argument and what is legal.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches};

use super::Cli;

/// The command line as clap knows it. A number below 0 is a value like others: its option says what is legal.
pub(super) fn command() -> Command {
    negative_numbers_are_values(Cli::command())
}

fn negative_numbers_are_values(command: Command) -> Command {
    let options = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(options).mut_subcommands(negative_numbers_are_values)
}

/// The arguments that the program was given; it ends here if they ask for help, or are not legal.
pub(super) fn cli() -> Cli {
    let args: Vec<OsString> = std::env::args_os().collect();
    let given = command().try_get_matches_from(&args).and_then(|m| Cli::from_arg_matches(&m));
    given.unwrap_or_else(|error| {
        if error.kind() == ErrorKind::InvalidUtf8 {
            eprintln!("quell: error: {}", not_text(&args));
            std::process::exit(2);
        }
        error.exit()
    })
}

/// Which argument is no text.
fn not_text(args: &[OsString]) -> String {
    let found = args.iter().enumerate().find(|(_, arg)| arg.to_str().is_none());
    let (place, arg) = found.map_or((0, "?".into()), |(place, arg)| (place, arg.to_string_lossy()));
    format!(
        "argument {place}, {arg:?}: it is not UTF-8; names of networks, traffics and settings are text, \
         and a file with such a name can be given another one by a link"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_in_order() {
        command().debug_assert();
    }

    /// Every option that takes a number says what is legal, whatever number it is given.
    #[test]
    fn numbers_out_of_range_are_told_with_what_is_legal() {
        for (args, wanted) in [
            (["fabric", "star:4", "--cycles", "-5"], "1 or more"),
            (["fabric", "star:4", "--cycles", "99999999999999999999999"], "1 or more"),
            (["fabric", "star:4", "--seed", "-1"], "0..18446744073709551615"),
            (["fabric", "star:4", "--seed", "99999999999999999999999"], "0..18446744073709551615"),
            (["fabric", "star:4", "--threads", "0"], "1..=256"),
            (["fabric", "star:4", "--threads", "-1"], "1..=256"),
        ] {
            let error = command().try_get_matches_from(["quell"].iter().chain(&args)).expect_err("refused");
            let text = error.to_string();
            assert!(
                text.contains(args[2]) && text.contains(args[3]) && text.contains(wanted),
                "{args:?}: {text}"
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_text_is_named() {
        use std::os::unix::ffi::OsStringExt;
        let args = ["quell".into(), "fabric".into(), OsString::from_vec(vec![0xff, b'a'])];
        let text = not_text(&args);
        assert!(text.starts_with("argument 2") && text.contains("UTF-8"), "{text}");
    }
}
