//! Models on demand: made at first use, kept by content, never used by halves. Each test has a store of its own.
#![cfg(feature = "rtl")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use quell::params::{Build, UnitKind};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `quell` with a store of its own.
fn quell(store: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quell"));
    command.args(args).env("QUELL_CACHE", store).current_dir(store);
    command
}

/// Exit status and what was printed, standard error last.
fn said(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn run(command: &mut Command) -> (Option<i32>, String) {
    said(&command.output().expect("quell runs"))
}

const SMALL: [&str; 6] = ["cosim", "hca-throttle", "--build", "tiny", "--cycles", "300"];

/// The kept objects of a store, but for Verilator's runtime.
fn models(store: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(store.join("models")).expect("a store");
    let objects = entries.map(|e| e.expect("readable").path().join("model.so"));
    objects.filter(|p| p.is_file()).collect()
}

#[test]
fn illegal_parameters_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    for (unit, param, says) in [
        ("switch", "PORTS=65", "parameter PORTS = 65 is out of range: legal is 1..64"),
        ("switch", "PORTS=none", "-P PORTS=none: none is not a whole number"),
        ("switch", "PORTS", "-P PORTS: NAME=VALUE is wanted"),
        ("switch", "ISOLATION=2", "-P ISOLATION=2: legal is 0 or 1"),
        ("switch", "FLOWS=8", "-P FLOWS=8: switch has no parameter FLOWS: there are PORTS, VLS,"),
        ("hca", "FLIT_BYTES=48", "parameter FLIT_BYTES = 48 must be 32 or 64"),
        ("hca", "FLOWS=1", "parameter FLOWS = 1 is out of range: legal is 2..4096"),
        ("hca-throttle", "CCT=9", "parameter CCT = 9 must be a power of two"),
        ("input-port", "BLOCKS=7", "parameter BLOCKS/VLS = 7 is out of range"),
        ("source-response", "TS_W=7", "parameter TS_W = 7 is out of range: legal is 8..32"),
        ("source-response", "VLS=17", "parameter VLS = 17 is out of range: legal is 1..16, or 1..64 with"),
        ("reservation", "NMAX=12", "parameter NMAX = 12 must be a power of two"),
        ("reservation", "VLS=3", "VLS"),
        ("reservation", "NOW_W=13", "parameter NOW_W = 13 is too small"),
        ("worm-router", "PORTS=1", "parameter PORTS = 1 is out of range: legal is 2..16"),
        ("worm-router", "VLS=17", "parameter VLS = 17 is out of range: legal is 3..16"),
        ("worm-router", "DEPTH=65", "parameter DEPTH = 65 is out of range: legal is 2..64"),
        ("worm-router", "LFT_DEPTH=1", "parameter LFT_DEPTH = 1 is out of range: legal is 2..65536"),
        ("worm-router", "CNT_W=33", "parameter CNT_W = 33 is out of range: legal is 2..32"),
        (
            "worm-router",
            "MTU=4",
            "worm-router has no parameter MTU: there are PORTS, VLS, DEPTH, LFT_DEPTH, ADMIT, CNT_W",
        ),
        ("worm-adapter", "VLS=2", "parameter VLS = 2 is out of range: legal is 3..16"),
        ("worm-adapter", "DEPTH=1", "parameter DEPTH = 1 is out of range: legal is 2..64"),
        ("worm-adapter", "LANE=65", "parameter LANE = 65 is out of range: legal is 2..64"),
        ("worm-adapter", "CONNS=1025", "parameter CONNS = 1025 is out of range: legal is 2..1024"),
        ("worm-adapter", "MSGQ=6", "parameter MSGQ = 6 must be a power of two"),
        ("worm-adapter", "MSGQ=8192", "parameter MSGQ = 8192 is out of range: legal is 2..4096"),
        ("worm-adapter", "CTLQ=128", "parameter CTLQ = 128 is out of range: legal is 2..64"),
        ("injection-control", "PORTS=17", "parameter PORTS = 17 is out of range: legal is 2..16"),
        ("injection-control", "VLS=2", "parameter VLS = 2 is out of range: legal is 3..16"),
        ("injection-control", "LFT_DEPTH=1", "parameter LFT_DEPTH = 1 is out of range: legal is 2..65536"),
        (
            "source-response",
            "CCT=8",
            "source-response has no parameter CCT: there are VLS, VL_BY_DEST, FLOWS,",
        ),
    ] {
        let (status, text) = run(&mut quell(dir.path(), &["cosim", unit, "-P", param]));
        assert_eq!(status, Some(2), "{param}: {text}");
        assert!(text.contains(says), "{param}: {text}");
    }
    assert!(!dir.path().join("models").exists(), "nothing was made");
}

/// Lanes are legal as the unit's page says, whatever buffers others would need for them.
#[test]
fn a_unit_is_not_held_to_buffers_that_it_does_not_have() {
    for unit in [UnitKind::HcaThrottle, UnitKind::SourceResponse] {
        for vls in 1..=16 {
            let mut build = Build::named(unit, None).expect("a build");
            build.set(&format!("VLS={vls}")).expect("a parameter");
            assert_eq!(build.params.check(), Ok(()), "{}", build.title());
        }
    }
}

#[test]
fn a_model_is_made_once_and_again_when_it_is_damaged() {
    let dir = tempfile::tempdir().expect("a folder");
    let (status, text) = run(&mut quell(dir.path(), &SMALL));
    assert!(status == Some(0) && text.contains("hca-throttle tiny: making the model"), "{text}");
    let (status, text) = run(&mut quell(dir.path(), &SMALL));
    assert!(status == Some(0) && !text.contains("making"), "{text}");
    let [object] = &models(dir.path())[..] else { panic!("one model is kept") };
    let (_, listed) = run(&mut quell(dir.path(), &["builds", "hca-throttle"]));
    assert!(
        listed.lines().any(|l| l.contains("tiny ") && l.contains(" MB ") && l.contains("FLOWS=5")),
        "{listed}"
    );

    // Cut short, a changed byte, without a manifest.
    let whole = fs::read(object).expect("readable");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    let manifest = object.with_file_name("kept.json");
    for damage in [&whole[..whole.len() / 2], &changed, &[]] {
        match damage.is_empty() {
            true => fs::remove_file(&manifest).expect("removed"),
            false => fs::write(object, damage).expect("written"),
        }
        let (status, text) = run(&mut quell(dir.path(), &SMALL));
        assert!(status == Some(0) && text.contains("the kept model is damaged; it is made anew"), "{text}");
        assert!(fs::read(object).expect("readable").len() > whole.len() / 2);
    }

    // Other parameters are another model; both are listed, and removed.
    let other = [&SMALL[..], &["-P", "FLOWS=6"]].concat();
    let (status, text) = run(&mut quell(dir.path(), &other));
    assert!(status == Some(0) && text.contains("hca-throttle tiny FLOWS=6: equal in every cycle"), "{text}");
    let (_, listed) = run(&mut quell(dir.path(), &["builds", "hca-throttle"]));
    assert!(listed.lines().any(|l| l.contains("tiny FLOWS=6 ") && l.contains(" MB ")), "{listed}");
    let (status, text) = run(&mut quell(dir.path(), &["builds", "--clean"]));
    assert!(status == Some(0) && models(dir.path()).len() == 2, "they are of these sources: {text}");
    let (status, text) = run(&mut quell(dir.path(), &["builds", "--clean", "all"]));
    assert!(status == Some(0) && models(dir.path()).is_empty(), "{text}");
}

/// A program that stands for a tool.
fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn tools_that_fail_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    for (variable, says) in [
        (
            "VERILATOR",
            "Verilator 5.006 or newer makes models of the RTL, but `/nowhere/tool` does not run; remedy: ./setup",
        ),
        ("CXX", "a C++ compiler makes models of the RTL, but `/nowhere/tool` does not run; remedy: ./setup"),
    ] {
        let (status, text) = run(quell(dir.path(), &SMALL).env(variable, "/nowhere/tool"));
        assert!(status == Some(2) && text.contains(says), "{text}");
    }
    let old = dir.path().join("old/verilator");
    script(&old, "echo Verilator 4.038 2020-07-11");
    let (status, text) = run(quell(dir.path(), &SMALL).env("VERILATOR", &old));
    assert!(status == Some(2) && text.contains("is 4.038; remedy:"), "{text}");

    // A compiler that says its version and then fails, as on a full disk.
    let bin = dir.path().join("bin");
    script(
        &bin.join("clang++"),
        "case $* in *--version*) echo clang 0.1;; *) echo 'fatal error: no space left on device' >&2; exit 1;; esac",
    );
    let path = std::env::var("PATH").expect("a PATH");
    let (status, text) =
        run(quell(dir.path(), &SMALL).env("PATH", format!("{}:{path}", bin.display())).env_remove("CXX"));
    assert!(status == Some(2) && text.contains("the C++ compiler, clang++, fails"), "{text}");
    assert!(text.contains("no space left on device") && text.contains("the whole log: "), "{text}");
    let log = text.split("the whole log: ").nth(1).and_then(|l| l.split(": ").next()).expect("a path").trim();
    assert!(fs::read_to_string(log).expect("the log").contains("no space left"), "{log}");
    assert!(models(dir.path()).is_empty(), "nothing is kept of it");

    // RTL that Verilator rejects.
    let copy = dir.path().join("copy");
    copy_tree(&copy);
    let file = copy.join("rtl/hca_throttle.sv");
    let rtl = fs::read_to_string(&file).expect("readable");
    fs::write(&file, rtl.replace("endmodule", "  assign nothing = ;\nendmodule")).expect("written");
    let (status, text) = run(quell(dir.path(), &SMALL).env("QUELL_ROOT", &copy));
    assert!(status == Some(2) && text.contains("Verilator, verilator, fails"), "{text}");
    assert!(text.contains("rtl/hca_throttle.sv:"), "{text}");

    let (status, text) = run(quell(dir.path(), &["builds", "--clean"]).env_remove("QUELL_ROOT"));
    assert!(status == Some(0) && !text.contains(" 0 left-over"), "{text}");
    assert_eq!(run(&mut quell(dir.path(), &SMALL)).0, Some(0));
}

/// Files that cannot grow stand for a full disk: what fails is told, what was there stays, and nothing half made is used later.
#[test]
fn a_full_disk_is_told_and_leaves_nothing_half() {
    let dir = tempfile::tempdir().expect("a folder");
    let small = |blocks: u32, args: &[&str]| {
        let mut c = Command::new("sh");
        c.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""));
        c.arg(env!("CARGO_BIN_EXE_quell")).args(args).current_dir(dir.path()).env("QUELL_CACHE", dir.path());
        run(&mut c)
    };
    let (status, text) = small(4000, &SMALL);
    assert!(status == Some(2) && text.contains("the C++ compiler, clang++, fails"), "{text}");
    assert!(text.contains("File too large") && models(dir.path()).is_empty(), "{text}");
    assert_eq!(run(&mut quell(dir.path(), &SMALL)).0, Some(0), "with room it is made");

    fs::write(dir.path().join("r.json"), "old").expect("written");
    let star = ["fabric", "star:3", "--cycles", "2000", "--format", "json"];
    for (file, more) in [("r.json", &[][..]), ("w.vcd", &["--vcd", "w.vcd", "--vcd-nodes", "S"])] {
        fs::write(dir.path().join(file), "old").expect("written");
        let (status, text) = small(1, &[&star[..], &["--out", "r.json"], more].concat());
        assert!(
            status == Some(2) && text.contains(&format!("cannot write {file}: File too large")),
            "{text}"
        );
        assert_eq!(fs::read_to_string(dir.path().join(file)).expect("readable"), "old");
    }
    let left = fs::read_dir(dir.path()).expect("a folder").map(|e| e.expect("readable").file_name());
    let parts: Vec<_> = left.filter(|name| name.to_string_lossy().ends_with(".part")).collect();
    assert!(parts.is_empty(), "{parts:?}");
}

/// A copy of the sources that models are made of.
fn copy_tree(to: &Path) {
    for folder in ["rtl", "tb", "scripts"] {
        fs::create_dir_all(to.join(folder)).expect("made");
        for e in fs::read_dir(root().join(folder)).expect("a folder") {
            let e = e.expect("readable");
            if e.path().is_file() {
                fs::copy(e.path(), to.join(folder).join(e.file_name())).expect("copied");
            }
        }
    }
}

/// The bug of README.md: it is found where the page says, and the files have the names that are in its commands.
#[test]
fn the_bug_of_the_readme_is_told_as_it_says() {
    let page = fs::read_to_string(root().join("README.md")).expect("readable");
    let dir = tempfile::tempdir().expect("a folder");
    let copy = dir.path().join("copy");
    copy_tree(&copy);
    let (file, edit) = (copy.join("rtl/throttle_verdict.sv"), ["elapsed) > ird_o", "elapsed) >= ird_o"]);
    assert!(page.contains(&format!("sed -i 's/{}/{}/' rtl/throttle_verdict.sv", edit[0], edit[1])));
    let text = fs::read_to_string(&file).expect("readable");
    fs::write(&file, text.replace(edit[0], edit[1])).expect("written");
    let (status, told) = run(quell(dir.path(), &["cosim", "hca-throttle"]).env("QUELL_ROOT", &copy));
    assert_eq!(status, Some(1), "{told}");
    let (_, shown) = page.split_once("```text\nhca-throttle f64: ").expect("what is told");
    let shown = shown.split("```").next().unwrap_or_default();
    for line in shown.lines() {
        // How short the stimulus gets varies.
        let line = line.split_once("cycles: quell replay").map_or(line, |l| l.1);
        assert!(told.contains(line), "README.md shows\n{line}\nand quell says\n{told}");
    }
    let stimulus = page.split_whitespace().filter(|w| w.ends_with(".stim")).collect::<Vec<_>>();
    assert_eq!(stimulus.len(), 3);
    for name in &stimulus {
        assert!(dir.path().join(name).is_file(), "README.md names {name}");
    }
    // With the RTL as it is the stimulus runs equal.
    let (status, told) = run(&mut quell(dir.path(), &["replay", stimulus[0]]));
    assert!(status == Some(0) && told.contains("equal in every cycle"), "{told}");
}

#[test]
fn only_what_a_unit_needs_makes_another_model() {
    let dir = tempfile::tempdir().expect("a folder");
    let copy = dir.path().join("copy");
    copy_tree(&copy);
    let made = |args: &[&str]| {
        let (status, text) = run(quell(dir.path(), &[&SMALL[..], args].concat()).env_remove("QUELL_ROOT"));
        assert_eq!(status, Some(0), "{text}");
        text.contains("making the model")
    };
    let copied = ["--root", copy.to_str().expect("a name")];
    // The same text is the same model, wherever it is; the sources in the program are those of this tree.
    assert!(made(&[]));
    assert!(!made(&copied));
    assert!(!made(&["--root", "carried"]));
    // A file that the unit does not need; one that it needs.
    let edit = |name: &str| {
        let file = copy.join(name);
        let text = fs::read_to_string(&file).expect("readable");
        fs::write(&file, text.replace("endmodule", "  wire quell_edit = 1'b0;\nendmodule")).expect("written");
    };
    edit("rtl/read_engine.sv");
    assert!(!made(&copied));
    edit("rtl/flow_pick.sv");
    assert!(made(&copied));
    assert!(!made(&copied));

    for (wrong, says) in
        [("/nowhere", "--root /nowhere: "), ("/tmp", "--root /tmp: it has no rtl/quell_pkg.sv")]
    {
        let (status, text) = run(&mut quell(dir.path(), &[&SMALL[..], &["--root", wrong]].concat()));
        assert!(status == Some(2) && text.contains(says), "{text}");
    }
}

#[test]
fn two_at_once_make_one_model() {
    let dir = tempfile::tempdir().expect("a folder");
    let start = || -> Child {
        quell(dir.path(), &SMALL).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("quell runs")
    };
    let both = [start(), start()].map(|child| said(&child.wait_with_output().expect("it ends")));
    for (status, text) in &both {
        assert!(*status == Some(0) && text.contains("equal in every cycle"), "{text}");
    }
    assert_eq!(both.iter().filter(|b| b.1.contains("making the model")).count(), 1, "{both:?}");
    assert_eq!(models(dir.path()).len(), 1);
    let left = fs::read_dir(dir.path().join("models")).expect("a store").flatten();
    assert!(left.into_iter().all(|e| !e.file_name().to_string_lossy().contains(".part")));

    // One that was killed leaves a part, which nobody uses.
    let mut killed =
        quell(dir.path(), &[&SMALL[..], &["-P", "FLOWS=7"]].concat()).spawn().expect("quell runs");
    std::thread::sleep(std::time::Duration::from_millis(700));
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    let (status, text) = run(&mut quell(dir.path(), &[&SMALL[..], &["-P", "FLOWS=7"]].concat()));
    assert!(status == Some(0) && text.contains("equal in every cycle"), "{text}");
}

/// An interrupted making leaves nothing half done in the store.
#[test]
fn what_is_interrupted_is_removed() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = dir.path().join("models");
    let parts = || {
        let entries = fs::read_dir(&store).into_iter().flatten().flatten();
        entries.filter(|e| e.file_name().to_string_lossy().ends_with(".part")).count()
    };
    let mut making = quell(dir.path(), &SMALL).stderr(Stdio::piped()).spawn().expect("quell runs");
    while parts() == 0 {
        assert!(making.try_wait().expect("a status").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = making.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
    let (status, text) = said(&making.wait_with_output().expect("it ends"));
    assert!(status == Some(130) && text.contains("quell: interrupted"), "{text}");
    assert_eq!(parts(), 0, "a part is left");
}

#[test]
fn a_store_that_cannot_be_written_is_told_and_one_that_is_full_still_gives() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("file");
    fs::write(&file, "").expect("written");
    let (status, text) = run(quell(dir.path(), &SMALL).env("QUELL_CACHE", file.join("cache")));
    assert!(status == Some(2) && text.contains("remedy: QUELL_CACHE=DIR"), "{text}");

    // What is kept is given, though nothing can be written there any more.
    assert_eq!(run(&mut quell(dir.path(), &SMALL)).0, Some(0));
    let store = dir.path().join("models");
    let read_only = |on: bool| {
        fs::set_permissions(&store, fs::Permissions::from_mode(if on { 0o555 } else { 0o755 })).expect("set");
    };
    read_only(true);
    let (status, text) = run(quell(dir.path(), &SMALL).current_dir("/tmp"));
    read_only(false);
    assert_eq!(status, Some(0), "{text}");
}

/// Parameters that no named build has, by command line alone.
#[test]
fn models_without_a_name_by_command_line() {
    let store = quell::home::cache();
    let at = tempfile::tempdir().expect("a folder");
    let small = ["-P", "BLOCKS=64", "-P", "MTU=4", "-P", "LFT_DEPTH=64", "--cycles", "300"];
    for args in [
        &["cosim", "switch", "-P", "PORTS=5", "-P", "LINES=3", "-P", "DLIST=2"][..],
        &["cosim", "hca", "-P", "FLIT_BYTES=64", "-P", "FLOWS=256"],
    ] {
        let (status, text) = run(quell(&store, &[args, &small].concat()).current_dir(at.path()));
        assert!(status == Some(0) && text.contains("equal in every cycle"), "{args:?}: {text}");
    }
}

/// A throttle that never does anything, in names of its own.
const IDLE: &str = "module idler #(parameter N = 4) (input wire clk, input wire rst_n, input wire [N-1:0] want,\n  output reg go);\n\
    always @(posedge clk) go <= 1'b0;\nendmodule\n";
const IDLE_MAP: &str = "clock = \"clk\"\nreset = \"rst_n\"\nreset_active = \"low\"\n[parameters]\nN = \"FLOWS\"\n[pins]\nwant = \"req\"\n\
    go = \"inj_valid\"\n[lacks]\ninputs = [\"cfg_we\", \"cfg_re\", \"cfg_addr\", \"cfg_data\", \"cct_we\", \"cct_addr\", \"cct_data\",\n  \
    \"attr_we\", \"attr_flow\", \"attr_sl\", \"becn_valid\", \"becn_flow\", \"stop\", \"sl_ok\", \"inj_ready\", \"inj_len\", \"sent\"]\n\
    outputs = [\"ready\", \"inj_flow\", \"inj_sl\", \"blocked\", \"err\", \"cfg_rvalid\", \"cfg_rdata\"]\n";

/// `quell cosim` of a design and a map in `dir`.
fn with_design(dir: &Path, more: &[&str]) -> (Option<i32>, String) {
    let args = [
        "cosim",
        "hca-throttle",
        "--build",
        "tiny",
        "--dut",
        "design",
        "--top",
        "idler",
        "--map",
        "map.toml",
    ];
    run(&mut quell(dir, &[&args[..], more].concat()))
}

fn design(dir: &Path, text: &str, map: &str) {
    fs::create_dir_all(dir.join("design")).expect("a folder");
    fs::write(dir.join("design/idler.v"), text).expect("written");
    fs::write(dir.join("map.toml"), map).expect("written");
}

#[test]
fn a_design_of_the_user_takes_the_place_of_a_unit() {
    let dir = tempfile::tempdir().expect("a folder");
    design(dir.path(), IDLE, IDLE_MAP);
    // As long as no flow has a packet it does what the golden model does.
    let quiet = ["--compare", "outputs", "--cycles", "2000", "--knob", "load=0"];
    let (status, text) = with_design(dir.path(), &quiet);
    assert_eq!(status, Some(0), "{text}");
    for part in [
        "idler in the place of hca-throttle tiny: making the model",
        "idler in the place of hca-throttle tiny: outputs equal in every cycle (random traffic)",
        "not there  ready, inj_flow, inj_sl, blocked, err, cfg_rvalid, cfg_rdata",
    ] {
        assert!(text.contains(part), "no {part} in:\n{text}");
    }
    // It is kept; what differs is told, and how to see it again.
    let busy = ["--compare", "outputs", "--cycles", "2000", "--knob", "load=1"];
    let (status, text) = with_design(dir.path(), &busy);
    assert!(status == Some(1) && !text.contains("making the model"), "{text}");
    assert!(text.contains("output inj_valid, rules H5 H8") && text.contains("RTL 0, golden 1"), "{text}");
    let again = text.lines().find_map(|l| l.split_once("to see it again in ")).expect("a command").1;
    let (_, command) = again.split_once("quell ").expect("a command");
    let (status, text) = run(&mut quell(dir.path(), &command.split_whitespace().collect::<Vec<_>>()));
    assert!(status == Some(1) && text.contains("output inj_valid"), "{command}: {text}");
    // So with names in which a shell sees several words.
    let odd = dir.path().join("my design");
    fs::create_dir(&odd).expect("a folder");
    fs::write(odd.join("an idler.v"), IDLE).expect("written");
    let unit =
        ["cosim", "hca-throttle", "--build", "tiny", "--dut", "my design/an idler.v", "--top", "idler"];
    let (status, text) = run(&mut quell(dir.path(), &[&unit[..], &["--map", "map.toml"], &busy].concat()));
    let again = "--dut 'my design/an idler.v' --top idler --map map.toml --compare outputs --stimulus";
    assert!(status == Some(1) && text.contains(again), "{text}");
    // An edit is another model.
    design(dir.path(), &IDLE.replace("1'b0", "1'b1"), IDLE_MAP);
    let (status, text) = with_design(dir.path(), &quiet);
    assert!(status == Some(1) && text.contains("making the model"), "{text}");
}

#[test]
fn what_is_wrong_with_a_design_or_its_map_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let here = |from: &str, to: &str| {
        assert!(IDLE.contains(from) || IDLE_MAP.contains(from), "{from}");
        design(dir.path(), &IDLE.replace(from, to), &IDLE_MAP.replace(from, to));
        with_design(dir.path(), &["--compare", "outputs", "--cycles", "100"])
    };
    for (from, to, says) in [
        (
            "want = \"req\"",
            "wants = \"req\"",
            "map.toml:7: pins.wants: idler has no pin of this name; did you mean want?",
        ),
        (
            "want = \"req\"",
            "want = \"req[2:0]\"",
            "wrong width: want is an input, 5 bits, and req[2:0] has 3",
        ),
        ("want = \"req\"", "want = \"rec\"", "hca-throttle has no signal rec; did you mean req?"),
        (
            "clock = \"clk\"\n",
            "",
            "clock: idler has no pin clk_i; did you mean clk? (in the map: clock = \"clk\")",
        ),
        ("\"sent\"", "\"sen\"", "lacks.inputs: hca-throttle has no input sen; did you mean sent?"),
        ("N = \"FLOWS\"", "N = \"FLOW\"", "hca-throttle has no parameter FLOW; did you mean FLOWS?"),
        (
            "N = \"FLOWS\"",
            "M = \"FLOWS\"",
            "parameters.M: idler has no parameter of this name; did you mean N?",
        ),
        ("[lacks]", "[lack]", "unknown field `lack`, expected one of `clock`, `reset`"),
        ("go <= 1'b0", "gone <= 1'b0", "design/idler.v:3:"),
        ("module idler ", "module idle ", "no file of design has a module of this name; did you mean idle?"),
    ] {
        let (status, text) = here(from, to);
        assert!(status == Some(2) && text.contains(says), "{says}\n{text}");
    }
    // State that is to be compared must be there.
    design(dir.path(), IDLE, IDLE_MAP);
    let (status, text) = with_design(dir.path(), &[]);
    assert!(
        status == Some(2) && text.contains("state st_now of hca-throttle (10 bits) comes from no pin"),
        "{text}"
    );
    // These are seen when it runs.
    let (status, text) = here(
        "  output reg go);\nalways @(posedge clk) go <= 1'b0;",
        "  output wire go);\nwire a;\nassign a = ~go;\nassign go = a;",
    );
    assert!(status == Some(1) && text.contains("a combinational loop"), "{text}");
    assert!(text.contains("design/idler.v:2:") || text.contains("design/idler.v:3:"), "{text}");
    assert!(!text.contains("what is inside"), "{text}");
    let (status, text) = here("go <= 1'b0;", "begin go <= 1'b0; if (rst_n) $finish; end");
    assert!(status == Some(1) && text.contains("idler.v:3: the design calls $finish"), "{text}");
}

/// A process without an end.
#[test]
fn a_design_that_hangs_is_told_with_its_loops() {
    let dir = tempfile::tempdir().expect("a folder");
    let endless = "reg [3:0] i; initial i = 0; integer j;\nalways @(posedge clk) begin go <= 0; for (j = 0; j < 3; j = j + 1) go <= want[j];\n\
        while (want != 0) i = i + 1;\n go <= i[3]; end";
    design(dir.path(), &IDLE.replace("always @(posedge clk) go <= 1'b0;", endless), IDLE_MAP);
    let args = ["--compare", "outputs", "--cycles", "2000", "--knob", "load=1"];
    let args = [
        &[
            "cosim",
            "hca-throttle",
            "--build",
            "tiny",
            "--dut",
            "design",
            "--top",
            "idler",
            "--map",
            "map.toml",
        ],
        &args[..],
    ];
    let (status, text) = run(quell(dir.path(), &args.concat()).env("QUELL_HANG", "2"));
    assert!(status == Some(1) && text.contains("idler in the place of hca-throttle tiny hangs"), "{text}");
    let (_, loops) = text.split_once("loops in it:\n").unwrap_or_else(|| panic!("{text}"));
    // (What says least of its end is first.)
    assert!(
        loops.lines().next().is_some_and(|l| l.contains("design/idler.v:5: while (want != 0)")),
        "{text}"
    );
    let (status, text) = run(quell(dir.path(), &args.concat()).env("QUELL_HANG", "0"));
    assert!(status == Some(2) && text.contains("QUELL_HANG: 0 is no number of seconds"), "{text}");
}

/// The example of `docs/dut.md` judged by its events.
#[test]
fn a_throttle_of_another_kind_keeps_the_rules_and_its_bugs_are_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let pacer = root().join("examples/dut/pacer");
    let path = |name: &str| pacer.join(name).display().to_string();
    let events = |more: &[&str]| {
        let args = ["cosim", "hca-throttle", "--build", "tiny", "--compare", "events", "--cycles", "300000"];
        run(&mut quell(dir.path(), &[&args[..], more].concat()))
    };
    let map = path("pacer.toml");
    let of = |file: &str| events(&["--dut", &path(file), "--top", "nic_pacer", "--map", &map]);
    let (status, text) = of("nic_pacer.v");
    assert!(status == Some(0) && text.contains("no rule broken (random traffic)"), "{text}");
    for (file, kind) in [
        ("bug_short.f", "(spacing)"),
        ("bug_index.f", "(spacing)"),
        ("bug_lost_cn.f", "(spacing)"),
        ("bug_unfair.f", "(starved)"),
    ] {
        let (status, text) = of(file);
        assert_eq!(status, Some(1), "{file}: {text}");
        assert!(text.contains(&format!("a rule is broken {kind}")), "{file}: {text}");
        assert!(text.contains("--compare events --stimulus"), "{file}: {text}");
    }
    // The waveform that was asked for opens on the cycle (12 800 ps each) as well as that of the failure.
    let short = path("bug_short.f");
    let (_, text) = events(&["--dut", &short, "--top", "nic_pacer", "--map", &map, "--vcd", "w.vcd"]);
    let cycle = text.split_once("in cycle ").and_then(|t| t.1.split(' ').next()).expect("a cycle");
    let marker = cycle.parse::<u64>().expect("a number") * 12_800;
    let layout = fs::read_to_string(dir.path().join("w.gtkw")).expect("a layout");
    assert!(layout.contains(&format!(" {marker} {marker}\n")), "{layout}");
    // What nothing sets is told as such, whatever rule it breaks as well.
    let source = fs::read_to_string(path("nic_pacer.v")).expect("readable");
    let x =
        source.replace("  output reg  [15:0]  go_q,", "  output wire [15:0] shown, output reg [15:0] go_q,");
    let x = x.replace(
        "  reg        b_vld;",
        "  reg [31:0] never; assign shown = {15'd0, ^never} ^ go_q;\n  reg b_vld;",
    );
    assert!(x.contains("shown,") && x.contains("^never"));
    fs::write(dir.path().join("x.v"), x).expect("written");
    let known = fs::read_to_string(&map).expect("readable");
    fs::write(dir.path().join("x.toml"), known.replace("go_q =", "go_q = \"open\"\nshown ="))
        .expect("written");
    // (Two instances power up alike with one in two of such seeds.)
    let told = ["1", "2", "3", "4", "5", "6"].into_iter().any(|seed| {
        let (_, text) = events(&["--dut", "x.v", "--top", "nic_pacer", "--map", "x.toml", "--seed", seed]);
        text.contains("output inj_flow is X")
    });
    assert!(told, "X is not told");
    // What a failure leaves is beside who called.
    assert!(dir.path().join("quell-failures").is_dir() && !pacer.join("quell-failures").exists());
    // So does quell's own.
    let (status, text) = events(&[]);
    assert!(status == Some(0) && text.contains("hca-throttle tiny: no rule broken"), "{text}");
    // Tolerances are those of the map.
    let known = fs::read_to_string(&map).expect("readable");
    assert!(known.contains("\nbecn = 4\n"), "{known}");
    fs::write(dir.path().join("map.toml"), known.replace("\nbecn = 4\n", "\nbecnn = 4\n")).expect("written");
    let (status, text) = events(&["--dut", &path("nic_pacer.v"), "--top", "nic_pacer", "--map", "map.toml"]);
    let says = "events.becnn: there is no tolerance becnn; there are becn, expiry";
    assert!(status == Some(2) && text.contains(says), "{text}");
}

/// The other examples: a FIFO, and lists linked in one memory, where quell has a buffer with a queue for each output.
#[test]
fn input_ports_of_other_kinds_keep_the_rules_and_their_bugs_are_found() {
    type Example = (&'static str, &'static str, &'static str, [(&'static str, &'static str); 4]);
    const EXAMPLES: [Example; 2] = [
        (
            "fifo",
            "fifo_port",
            "v",
            [("leak", "(leak)"), ("overdraw", "(overdrawn)"), ("stop", "(stop)"), ("silence", "(output)")],
        ),
        (
            "llist",
            "llist_port",
            "sv",
            [("free", "(request)"), ("late", "(request)"), ("cross", "(order)"), ("twice", "(overdrawn)")],
        ),
    ];
    let dir = tempfile::tempdir().expect("a folder");
    let events = |more: &[&str]| {
        let args = ["cosim", "input-port", "--build", "tiny", "--compare", "events", "--cycles", "100000"];
        run(&mut quell(dir.path(), &[&args[..], more].concat()))
    };
    let path = |example: &str, name: &str| {
        root().join("examples/dut").join(example).join(name).display().to_string()
    };
    for (example, top, ends, bugs) in EXAMPLES {
        let map = path(example, &format!("{example}.toml"));
        let of = |file: &str| events(&["--dut", &path(example, file), "--top", top, "--map", &map]);
        let (status, text) = of(&format!("{top}.{ends}"));
        assert!(status == Some(0) && text.contains("no rule broken (random traffic)"), "{text}");
        for (bug, kind) in bugs {
            let (status, text) = of(&format!("bug_{bug}.f"));
            assert_eq!(status, Some(1), "{example} {bug}: {text}");
            assert!(text.contains(&format!("a rule is broken {kind}")), "{example} {bug}: {text}");
        }
    }
    let (status, text) = events(&[]);
    assert!(status == Some(0) && text.contains("input-port tiny: no rule broken"), "{text}");
    // What cannot be judged, and what is needed for it, is told.
    let (status, text) = events(&["-P", "PORTS=32"]);
    let says = "an input-port of 32 outputs has no scoreboard of events; of up to 31 there is";
    assert!(status == Some(2) && text.contains(says), "{text}");
    let known = fs::read_to_string(path("fifo", "fifo.toml")).expect("readable");
    let lacking = known
        .replace("cr_lim = \"fccl\"", "cr_lim = \"open\"")
        .replace("outputs = [\n", "outputs = [\n  \"fccl\",\n");
    assert_ne!(lacking, known);
    fs::write(dir.path().join("map.toml"), lacking).expect("written");
    let (status, text) =
        events(&["--dut", &path("fifo", "fifo_port.v"), "--top", "fifo_port", "--map", "map.toml"]);
    let says = "fifo_port cannot be judged without fccl";
    assert!(status == Some(2) && text.contains(says), "{text}");
}
