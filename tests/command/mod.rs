//! Runs `quell` and keeps what it said.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What a run of `quell` did.
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Runs `quell` in a folder.
pub fn quell(dir: &Path, args: &[&str]) -> Ran {
    let output =
        Command::new(env!("CARGO_BIN_EXE_quell")).args(args).current_dir(dir).output().expect("quell runs");
    Ran {
        status: output.status.code().expect("an exit status"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The JSON that it printed.
pub fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", ran.out, ran.err))
}
