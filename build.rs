//! With feature `rtl`: verilates every model of `params::builds()` and compiles them, the Verilator runtime and
//! the bridge into one static library.
//!
//! Per model: a generated wrapper (pure wiring between word vectors and the unit's ports) -> `verilator` -> one
//! unity-built C++ file -> one object. They are kept in `models/` of the profile's folder (`target/release/models`), where build scripts
//! of all kinds find them (`cargo clippy` runs another one than `cargo test`): a model whose text, parameters and commands have
//! not changed is not verilated again, and generated C++ that has not changed is not compiled again.
//!
//! Environment: `VERILATOR` (the program), `CXX` (the compiler; clang++ if there is one), `QUELL_RTL_DIR` (another RTL directory, for mutants),
//! `QUELL_MODELS` (only these models, for a quick build: `switch:tiny,hca:*`).

#[allow(dead_code)]
#[path = "src/params.rs"]
mod params;
#[allow(dead_code)]
#[path = "src/signals.rs"]
mod signals;
#[allow(dead_code)]
#[path = "src/wrapper.rs"]
mod wrapper;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "rtl")]
    if let Err(message) = rtl::build() {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}

#[cfg(feature = "rtl")]
mod rtl {
    use super::params::{Build, builds};
    use super::signals::Layout;
    use super::wrapper::wrapper_text;
    use std::collections::hash_map::DefaultHasher;
    use std::env;
    use std::fmt::Write as _;
    use std::fs;
    use std::hash::{Hash, Hasher};
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::sync::Mutex;

    const REMEDY: &str = "Remedy: sudo apt-get install verilator (Debian 12, Ubuntu 24.04 or newer), or run ./setup; \
        VERILATOR=/path/to/verilator chooses another one; `--no-default-features` builds without RTL.";

    /// What a model's object is made of besides the generated C++.
    const BRIDGE: [&str; 3] = ["model.h", "shim.h", "print.h"];
    const CXX_HEADER: &str = "cxxbridge/include/rust/cxx.h";

    struct Verilator {
        program: String,
        include: PathBuf,
        version: String,
    }

    /// What every model's compilation needs.
    struct Context {
        verilator: Verilator,
        rtl: PathBuf,
        tb: PathBuf,
        bridge: PathBuf,
        root: PathBuf,
        /// OUT_DIR: what belongs to this build script.
        out: PathBuf,
        /// Where models are kept.
        store: PathBuf,
        /// clang++ where it is there and CXX does not say otherwise: a switch runs four times as fast as with g++.
        clang: Option<PathBuf>,
    }

    impl Context {
        /// A command and its arguments as text, the same wherever the project lies.
        fn plain(&self, command: &Command) -> String {
            let words: Vec<_> = [command.get_program()].into_iter().chain(command.get_args()).collect();
            format!("{words:?}").replace(&*self.root.to_string_lossy(), "")
        }
    }

    pub fn build() -> Result<(), String> {
        let var = |name: &str| env::var(name).map_err(|_| format!("cargo did not set {name}"));
        let root = PathBuf::from(var("CARGO_MANIFEST_DIR")?);
        let out = PathBuf::from(var("OUT_DIR")?);
        let rtl = env::var_os("QUELL_RTL_DIR").map_or_else(|| root.join("rtl"), PathBuf::from);
        let context = Context {
            rtl,
            tb: root.join("tb"),
            bridge: root.join("src/verilated"),
            root,
            store: store(&out)?,
            out,
            clang: {
                let works =
                    || Command::new("clang++").arg("--version").output().is_ok_and(|o| o.status.success());
                (env::var_os("CXX").is_none() && works()).then(|| PathBuf::from("clang++"))
            },
            verilator: {
                for name in [
                    "VERILATOR",
                    "VERILATOR_ROOT",
                    "QUELL_RTL_DIR",
                    "QUELL_MODELS",
                    "CXX",
                    "CXXFLAGS",
                    "PATH",
                ] {
                    println!("cargo::rerun-if-env-changed={name}");
                }
                find_verilator()?
            },
        };
        for path in [&context.rtl, &context.tb, &context.bridge] {
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
        println!("cargo::rerun-if-changed=src/params.rs");
        println!("cargo::rerun-if-changed=src/signals.rs");
        println!("cargo::rerun-if-changed=src/wrapper.rs");

        // Writes the bridge's sources; its header is needed by the models.
        let mut lib = cxx_build::bridge("src/verilated/mod.rs");
        // One unit of work is a model or a part of the runtime; the largest come first.
        let mut work: Vec<Work> = Vec::new();
        work.extend(chosen()?.into_iter().map(Work::Model));
        work.extend(["verilated.cpp", "verilated_threads.cpp"].map(Work::Runtime));
        work.push(Work::Registry);
        work.reverse();
        let queue = Mutex::new(work);
        let done: Mutex<Vec<Result<PathBuf, String>>> = Mutex::new(Vec::new());
        let jobs = env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(1usize).max(1);
        std::thread::scope(|s| {
            for _ in 0..jobs {
                s.spawn(|| {
                    loop {
                        let Some(w) = queue.lock().unwrap().pop() else { break };
                        let result = w.object(&context);
                        let failed = result.is_err();
                        done.lock().unwrap().push(result);
                        if failed {
                            queue.lock().unwrap().clear();
                        }
                    }
                });
            }
        });
        let mut objects = done.into_inner().unwrap().into_iter().collect::<Result<Vec<_>, _>>()?;
        objects.sort();

        flags(&mut lib, &context);
        lib.file(context.bridge.join("model.cc"));
        for o in &objects {
            lib.object(o);
        }
        lib.compile("quell_verilated");
        println!("cargo::rustc-link-lib=pthread");
        if context.clang.is_some() {
            // clang calls __atomic_is_lock_free where g++ decides while compiling.
            println!("cargo::rustc-link-lib=atomic");
        }
        Ok(())
    }

    /// The folder `models` beside the folder `build` that OUT_DIR lies in.
    fn store(out: &Path) -> Result<PathBuf, String> {
        let build = out.ancestors().find(|a| a.file_name().is_some_and(|n| n == "build"));
        let store = build.and_then(Path::parent).unwrap_or(out).join("models");
        fs::create_dir_all(&store).map_err(|e| format!("cannot make {}: {e}", store.display()))?;
        Ok(store)
    }

    /// The models to build: all, or those of QUELL_MODELS (`hca-throttle:tiny,switch:*`).
    fn chosen() -> Result<Vec<Build>, String> {
        let list = env::var("QUELL_MODELS").unwrap_or_default();
        let wanted: Vec<&str> = list.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
        let matches = |b: &Build, w: &str| {
            w.split_once(':').is_some_and(|(u, n)| u == b.unit.cli_name() && (n == "*" || n == b.name))
        };
        if let Some(w) = wanted.iter().find(|w| !builds().iter().any(|b| matches(b, w))) {
            let names: Vec<String> =
                builds().iter().map(|b| format!("{}:{}", b.unit.cli_name(), b.name)).collect();
            return Err(format!(
                "QUELL_MODELS: there is no model {w}; there are UNIT:* and {}",
                names.join(", ")
            ));
        }
        let keep = |b: &Build| wanted.is_empty() || wanted.iter().any(|w| matches(b, w));
        Ok(builds().into_iter().filter(keep).collect())
    }

    /// Finds Verilator and its runtime sources, and checks the version.
    fn find_verilator() -> Result<Verilator, String> {
        let candidates = match env::var("VERILATOR") {
            Ok(v) if !v.is_empty() => vec![v],
            _ => vec!["verilator".to_string(), "verilator_bin".to_string()],
        };
        let Some((program, text)) = candidates.iter().find_map(|p| {
            let o = Command::new(p).arg("--version").output().ok()?;
            o.status.success().then(|| (p.clone(), String::from_utf8_lossy(&o.stdout).trim().to_string()))
        }) else {
            return Err(format!(
                "Verilator 5.006 or newer is needed to build the RTL, but `{}` does not run. {REMEDY}",
                candidates[0]
            ));
        };
        // "Verilator 5.006 2023-01-22 rev ...". The build on PyPI prints nothing.
        let number = text.split_whitespace().nth(1).unwrap_or("");
        let mut parts = number.split('.').map(str::parse::<u32>);
        match (parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => {
                if (major, minor) < (5, 6) {
                    return Err(format!(
                        "Verilator 5.006 or newer is needed to build the RTL, but `{program}` is {number}. {REMEDY}"
                    ));
                }
            }
            _ => println!("cargo::warning=`{program} --version` names no version; 5.006 or newer is assumed"),
        }
        let root = Command::new(&program)
            .args(["--getenv", "VERILATOR_ROOT"])
            .output()
            .map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string())
            .unwrap_or_default();
        let root = if root.is_empty() { env::var("VERILATOR_ROOT").unwrap_or_default() } else { root };
        let include = Path::new(&root).join("include");
        if !include.join("verilated.cpp").is_file() {
            return Err(format!(
                "`{program}` has no runtime sources: {} does not exist. {REMEDY}",
                include.join("verilated.cpp").display()
            ));
        }
        Ok(Verilator { program, include, version: text })
    }

    fn flags(cc: &mut cc::Build, context: &Context) {
        if let Some(clang) = &context.clang {
            cc.compiler(clang);
        }
        cc.cpp(true)
            .std("c++17")
            .opt_level(2)
            .debug(false)
            .warnings(false)
            .flag("-w")
            .flag_if_supported("-fno-semantic-interposition")
            .flag("-include")
            .flag(context.bridge.join("print.h"))
            .define("VL_PRINTF", "quell_print")
            .define("VL_TIME_CONTEXT", None)
            .define("VM_SC", "0")
            .define("VM_COVERAGE", "0")
            .define("VM_TRACE", "0")
            .define("VM_TRACE_VCD", "0")
            .define("VM_TRACE_FST", "0")
            .include(&context.bridge)
            .include(&context.verilator.include)
            .include(context.verilator.include.join("vltstd"));
    }

    enum Work {
        /// A model.
        Model(Build),
        /// A source file of Verilator's runtime.
        Runtime(&'static str),
        /// The table of models.
        Registry,
    }

    impl Work {
        /// Makes the object file.
        fn object(&self, context: &Context) -> Result<PathBuf, String> {
            match self {
                Work::Model(b) => model(context, b),
                Work::Runtime(file) => {
                    let mut hash = DefaultHasher::new();
                    context.verilator.version.hash(&mut hash);
                    let source = context.verilator.include.join(file);
                    hash_file(&source, &mut hash)?;
                    hash_file(&context.bridge.join("print.h"), &mut hash)?;
                    compile(context, &context.store, &source, file.trim_end_matches(".cpp"), hash)
                }
                Work::Registry => {
                    let mut text = String::from("#include \"model.h\"\nnamespace quell {\n");
                    let mut table = String::new();
                    for b in chosen()? {
                        let p = b.prefix();
                        let _ = writeln!(text, "Model* make_{p}(uint32_t seed);");
                        let _ = writeln!(table, "  {{\"{p}\", make_{p}}},");
                    }
                    let _ =
                        write!(text, "const Entry REGISTRY[] = {{\n{table}  {{nullptr, nullptr}}}};\n}}\n");
                    let source = context.out.join("registry.cpp");
                    write(&source, &text)?;
                    let mut hash = DefaultHasher::new();
                    text.hash(&mut hash);
                    hash_file(&context.bridge.join("model.h"), &mut hash)?;
                    compile(context, &context.out, &source, "registry", hash)
                }
            }
        }
    }

    /// Verilates one model and compiles it as one file.
    fn model(context: &Context, b: &Build) -> Result<PathBuf, String> {
        let prefix = b.prefix();
        let layout = Layout::new(b.unit, &b.params);
        let wrap = format!("{}_{}_wrap", b.unit.module(), b.name);
        let wrapper = context.store.join(format!("{wrap}.sv"));
        let text = wrapper_text(&wrap, b.unit.module(), true, b, &layout, &[]);
        let dir = context.store.join(&prefix);

        let mut cmd = Command::new(&context.verilator.program);
        // Names of files in messages are relative to the project.
        let relative = |p: &Path| p.strip_prefix(&context.root).unwrap_or(p).to_path_buf();
        cmd.current_dir(&context.root)
            .args(["--cc", "-O3", "--no-timing", "--x-assign", "unique", "--x-initial", "unique", "--assert"])
            .args(["+define+QUELL_CHECK", "--prefix", &prefix, "--top-module", &wrap]);
        let mut sources = Vec::new();
        for d in [&context.rtl, &context.tb] {
            if d.is_dir() {
                cmd.arg("-y").arg(relative(d));
                sources.extend(list(d)?);
            }
        }
        // Modules are found by name; packages must be read first.
        cmd.args(sources.iter().filter(|p| p.to_string_lossy().ends_with("_pkg.sv")).map(|p| relative(p)));

        // Nothing to do if all that goes in is as it was.
        let mut inputs = DefaultHasher::new();
        context.plain(&cmd).hash(&mut inputs);
        text.hash(&mut inputs);
        for p in sources.iter().filter(|p| p.extension().is_some_and(|e| e == "sv")) {
            p.file_name().hash(&mut inputs);
            hash_file(p, &mut inputs)?;
        }
        let mut bridge = DefaultHasher::new();
        context.verilator.version.hash(&mut bridge);
        for p in BRIDGE.map(|f| context.bridge.join(f)).iter().chain([&context.out.join(CXX_HEADER)]) {
            hash_file(p, &mut bridge)?;
        }
        bridge.finish().hash(&mut inputs);
        context.plain(&compiler(context)?).hash(&mut inputs);
        let key = format!("{:016x}", inputs.finish());
        let stamp = context.store.join(format!("{prefix}.inputs"));
        let object = context.store.join(format!("{prefix}.o"));
        if object.is_file() && fs::read_to_string(&stamp).is_ok_and(|s| s == key) {
            return Ok(object);
        }
        let _ = fs::remove_file(&stamp);

        let _ = fs::remove_dir_all(&dir);
        write(&wrapper, &text)?;
        cmd.arg("-Mdir").arg(&dir).arg(&wrapper);
        let o = cmd.output().map_err(|e| format!("cannot run {}: {e}", context.verilator.program))?;
        if !o.status.success() {
            return Err(format!(
                "Verilator rejects {} ({}):\n{}",
                b.unit.module(),
                b.name,
                String::from_utf8_lossy(&o.stderr)
            ));
        }
        for line in String::from_utf8_lossy(&o.stderr).lines().filter(|l| l.starts_with("%Warning")) {
            println!("cargo::warning={line}");
        }

        let mut shim = String::new();
        let mut hash = bridge;
        for p in list(&dir)? {
            match p.extension().and_then(|e| e.to_str()) {
                Some("cpp") => {
                    let file = p.file_name().unwrap_or_default().to_string_lossy();
                    let _ = writeln!(shim, "#include \"{prefix}/{file}\"");
                    hash_file(&p, &mut hash)?;
                }
                Some("h") => hash_file(&p, &mut hash)?,
                _ => {}
            }
        }
        let _ = write!(
            shim,
            "#include \"shim.h\"\nnamespace quell {{\nModel* make_{prefix}(uint32_t seed) {{\n  \
             return new ModelOf<{prefix}, {}, {}, {}>(seed);\n}}\n}}\n",
            layout.in_words, layout.out_words, layout.state_words
        );
        shim.hash(&mut hash);
        let source = context.store.join(format!("{prefix}_shim.cpp"));
        write(&source, &shim)?;
        compile(context, &context.store, &source, &prefix, hash)?;
        write(&stamp, &key)?;
        Ok(object)
    }

    /// The compiler and its options, but for the files.
    fn compiler(context: &Context) -> Result<Command, String> {
        let mut cc = cc::Build::new();
        cc.cargo_metadata(false);
        flags(&mut cc, context);
        Ok(cc.try_get_compiler().map_err(|e| format!("no C++ compiler: {e}"))?.to_command())
    }

    /// Compiles one file into the folder, unless it was compiled before from the same text with the same options.
    fn compile(
        context: &Context,
        folder: &Path,
        source: &Path,
        name: &str,
        mut hash: DefaultHasher,
    ) -> Result<PathBuf, String> {
        let mut cmd = compiler(context)?;
        context.plain(&cmd).hash(&mut hash);
        let object = folder.join(format!("{name}.o"));
        // The header cxx.h, which model.h includes.
        cmd.arg("-I").arg(context.out.join("cxxbridge/include"));
        cmd.arg("-c").arg(source).arg("-o").arg(&object);
        let key = format!("{:016x}", hash.finish());
        let stamp = folder.join(format!("{name}.stamp"));
        if object.is_file() && fs::read_to_string(&stamp).is_ok_and(|s| s == key) {
            return Ok(object);
        }
        let _ = fs::remove_file(&stamp);
        let o = cmd.output().map_err(|e| format!("cannot run the C++ compiler: {e}"))?;
        if !o.status.success() {
            return Err(format!(
                "the C++ compiler failed on {}:\n{}",
                source.display(),
                String::from_utf8_lossy(&o.stderr)
            ));
        }
        write(&stamp, &key)?;
        Ok(object)
    }

    /// The files of a directory, sorted.
    fn list(dir: &Path) -> Result<Vec<PathBuf>, String> {
        let entries = fs::read_dir(dir).map_err(|e| format!("cannot read {}: {e}", dir.display()))?;
        let mut v: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        v.sort();
        Ok(v)
    }

    fn hash_file(path: &Path, hash: &mut DefaultHasher) -> Result<(), String> {
        let bytes = fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        bytes.hash(hash);
        Ok(())
    }

    fn write(path: &Path, text: &str) -> Result<(), String> {
        fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}
