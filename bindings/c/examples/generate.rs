//! Makes the C header and the SystemVerilog modules anew: `cargo run --example generate`. A test compares them.

#[path = "../tests/make/mod.rs"]
mod make;

fn main() -> std::io::Result<()> {
    for (name, text) in make::files() {
        let path = make::root().join(&name);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        std::fs::write(&path, text)?;
        println!("{name}");
    }
    Ok(())
}
