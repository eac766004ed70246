//! The `quell` command.

fn main() -> std::process::ExitCode {
    quell::cli::main()
}
