//! Where the library is that cargo has built for this test, and programs that are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A library beside this test, where cargo has built it.
fn built(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("this program");
    let path = own.with_file_name(name);
    assert!(path.exists(), "{} is not there: cargo builds it with this test", path.display());
    path
}

/// The shared library.
pub fn shared() -> PathBuf {
    built("libquell_model.so")
}

/// The static library.
pub fn fixed() -> PathBuf {
    built("libquell_model.a")
}

/// Runs a command that must succeed; what it printed.
pub fn run(command: &mut Command) -> String {
    let output = ended(command);
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// Runs a command to whatever end.
pub fn ended(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; remedy: ./setup"))
}

/// A C compiler's command for a source, warnings being errors.
pub fn cc(source: &Path, to: &Path) -> Command {
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    command.arg(super::make::root().join("bindings/c/include")).arg(source).arg("-o").arg(to);
    command
}
