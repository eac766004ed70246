//! With feature `rtl`: compiles the bridge to the Verilated models. The models themselves are made at first use
//! (`src/verilate/`), so that an edit of RTL compiles no Rust.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "rtl")]
    {
        for file in [
            "src/verilated/mod.rs",
            "src/verilated/bridge.h",
            "src/verilated/bridge.cc",
            "src/verilate/cpp/model.h",
        ] {
            println!("cargo::rerun-if-changed={file}");
        }
        cxx_build::bridge("src/verilated/mod.rs")
            .std("c++17")
            .file("src/verilated/bridge.cc")
            .include("src/verilated")
            .include("src/verilate/cpp")
            .compile("quell_bridge");
    }
}
