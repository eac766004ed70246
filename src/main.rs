//! The `quell` command.

use include_dir::{Dir, include_dir};

/// The files that quell needs where there is no source tree. They are here and not in the library, so that an edit of
/// RTL does not compile the library again.
static CARRIED: [(&str, Dir<'static>); 5] = [
    ("rtl", include_dir!("$CARGO_MANIFEST_DIR/rtl")),
    ("tb", include_dir!("$CARGO_MANIFEST_DIR/tb")),
    ("scripts", include_dir!("$CARGO_MANIFEST_DIR/scripts")),
    ("tech", include_dir!("$CARGO_MANIFEST_DIR/tech")),
    ("constraints", include_dir!("$CARGO_MANIFEST_DIR/constraints")),
];

fn main() -> std::process::ExitCode {
    quell::home::carry(&CARRIED);
    quell::cli::main()
}
