//! Tests of the C library and the DPI functions.

mod dpi;
mod library;
mod make;
mod programs;

#[test]
fn what_is_made_is_in_the_tree() {
    for (name, text) in make::files() {
        let kept = std::fs::read_to_string(make::root().join(&name)).unwrap_or_default();
        assert!(kept == text, "{name} is not what the sources say; remedy: cargo run --example generate");
    }
}
