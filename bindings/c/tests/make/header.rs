//! The C header, by cbindgen from the sources.

use std::path::Path;

use cbindgen::{Builder, Config, Language, RenameRule, Style};

/// Names in Rust and in C.
const TYPES: [(&str, &str); 8] = [
    ("QuellStatus", "quell_status"),
    ("QuellGroup", "quell_group"),
    ("QuellStrength", "quell_strength"),
    ("QuellUnit", "quell_unit"),
    ("QuellKind", "quell_kind_info"),
    ("QuellParameter", "quell_parameter_info"),
    ("QuellSignal", "quell_signal_info"),
    ("QuellCover", "quell_cover_info"),
];

const HEAD: &str = "// libquell_model: golden models of quell for C and C++ (docs/bindings.md).
// Made of bindings/c/src by `cargo run --example generate`: do not edit.
//
// Functions that give a quell_status have done nothing if it is not QUELL_OK; quell_error() then says why. They may be called from several
// threads; calls for one unit wait for each other.";

pub fn text() -> String {
    let mut config = Config {
        language: Language::C,
        include_guard: Some("QUELL_MODEL_H".into()),
        header: Some(HEAD.into()),
        no_includes: true,
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        cpp_compat: true,
        usize_is_size_t: true,
        style: Style::Both,
        documentation: true,
        line_length: 110,
        ..Config::default()
    };
    config.enumeration.rename_variants = RenameRule::None;
    // No function takes it as such: C may pass any number.
    config.export.include = vec!["QuellStrength".into()];
    config.export.rename = TYPES.iter().map(|(rust, c)| (rust.to_string(), c.to_string())).collect();
    let source = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
    let mut builder = Builder::new().with_config(config);
    for name in ["edge.rs", "lists.rs", "unit.rs", "cover.rs"] {
        builder = builder.with_src(source(name));
    }
    let mut bytes = Vec::new();
    builder.generate().expect("sources that cbindgen reads").write(&mut bytes);
    let text = String::from_utf8(bytes).expect("a text");
    // What Rust's documentation wants and C's reader does not.
    let mut lines = Vec::new();
    let mut skip = false;
    for line in text.lines() {
        match line.trim() {
            "* # Safety" => {
                skip = true;
                if lines.last().is_some_and(|l: &&str| l.trim() == "*") {
                    lines.pop();
                }
            }
            "*/" => skip = false,
            _ => {}
        }
        if !skip {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}
