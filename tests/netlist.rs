//! Synthesis: Yosys reads every build, keeps the memories as memories and makes no latch; and the netlist of each
//! tiny build behaves like the RTL, cycle for cycle, on random traffic.
#![cfg(feature = "rtl")]

use crate::extent::{is_long, pick};
use quell::netlist::{Netlist, Outcome};
use quell::params::{Build, Params, UnitKind, builds};
use quell::signals::{Group, Layout};
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario;
use quell::verilated::Model;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cycles of a unit's gates: Icarus is slow. `quell netlist` runs a million of them, Verilated.
fn cycles() -> usize {
    pick(2000, 5000)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of the test's own for what it writes.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("a folder can be made");
    dir
}

/// Runs a command; its output, or a panic with all that it said.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// `scripts/synth.py` for a build.
fn synth(build: &Build) -> Command {
    let mut command = Command::new("python3");
    command.arg(root().join("scripts/synth.py")).arg(build.unit.module());
    for name in build.unit.parameter_names() {
        let value = build.params.get(name).expect("parameter_names() are known to get()");
        command.arg("-P").arg(format!("{name}={value}"));
    }
    command
}

/// The memory of an output's queue, if there is one.
fn queue(p: &Params) -> Option<(usize, usize)> {
    p.cioq.then_some((p.oblocks, p.flit_bytes * 8 + 3))
}

/// The memories that must be kept: depth and width at least so large.
fn memories(build: &Build) -> Vec<(usize, usize)> {
    let p = &build.params;
    match build.unit {
        // data buffer, forwarding table, stamps of packets, ages and ways back of speculative packets
        UnitKind::InputPort => {
            let stamps = (p.stamp_w > 0).then_some((p.blocks, p.stamp_w));
            let ages = p.srp.then_some((p.spec_blocks, 33));
            let port = [(p.blocks, p.flit_bytes * 8), (p.lft_depth, 6)];
            port.into_iter().chain(stamps).chain(ages).collect()
        }
        // the queue before the link
        UnitKind::OutputPort => queue(p).into_iter().collect(),
        UnitKind::Switch => {
            let port = [(p.blocks, p.flit_bytes * 8)].into_iter().chain(queue(p));
            port.flat_map(|memory| vec![memory; p.ports]).collect()
        }
        // data buffer, receive FIFO, table and messages of reservation
        UnitKind::Hca if p.srp => {
            let flit = p.flit_bytes * 8;
            let chooser = [(p.flows, 66 + 2 * p.nmax + p.now_w), (p.flows * p.msgq, 47)];
            [(p.blocks, flit), (p.rx_blocks, flit + 3)].into_iter().chain(chooser).collect()
        }
        // data buffer, receive FIFO, descriptors of the generation queues and their pointers
        UnitKind::Hca => {
            let (flit, pointer) = (p.flit_bytes * 8, p.advoq.ilog2() as usize);
            vec![
                (p.blocks, flit),
                (p.rx_blocks, flit + 3),
                (p.flows * p.advoq, 31),
                (p.flows, pointer),
                (p.flows, pointer),
                (p.cct, 16),
            ]
        }
        // congestion control table, entity state, last time of injection
        UnitKind::HcaThrottle => {
            let cct_index = p.cct.ilog2() as usize;
            let n = p.entities();
            vec![(p.cct, 16), (n, cct_index + 1 + 18 + 14 + 4), (n, 1 + p.ts_w + 7)]
        }
        // table of the flows, messages
        UnitKind::Reservation => vec![(p.flows, 66 + 2 * p.nmax + p.now_w), (p.flows * p.msgq, 47)],
        // forwarding table, FIFOs of an input's lanes
        UnitKind::WormRouter => vec![(p.lft_depth, p.ports.ilog2() as usize), (p.vls * p.depth, 128)],
        // flits of the lanes, connections, queues of three classes and of probes
        UnitKind::WormAdapter => vec![
            (p.vls * p.lane, 128),
            (p.conns, 94),
            (p.msgq, 41),
            (p.msgq, 40),
            (p.ctlq, 40),
            (p.conns, 16),
        ],
        // table of useful outputs
        UnitKind::InjectionControl => vec![(p.lft_depth, p.ports)],
        // responses, last time of injection and packets accepted, waiting times
        UnitKind::SourceResponse => {
            vec![(p.flows, 9 + 8 + 33 + 4 + 1 + p.ts_w), (p.flows, 1 + p.ts_w + 7 + 9), (16, 32)]
        }
    }
}

/// What a build is made of. It has its memories, and no latch.
fn report(build: &Build) -> serde_json::Value {
    checked(build, synth(build))
}

/// The same, with further arguments in the command.
fn checked(build: &Build, mut command: Command) -> serde_json::Value {
    for (depth, width) in memories(build) {
        command.arg("--memory").arg(format!("{depth}x{width}"));
    }
    let report: serde_json::Value =
        serde_json::from_str(&run(command.arg("--json"))).expect("synth.py --json prints JSON");
    println!("{} {}: {report}", build.unit.module(), build.name);
    assert_eq!(report["latches"], 0);
    report
}

fn builds_of(unit: UnitKind) -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == unit).collect()
}

/// All builds of a unit, in the short form those that are named: of each kind of parts one that has no netlist below, where the
/// same is asked.
fn synthesise(unit: UnitKind, short: &[&str]) {
    let all = builds_of(unit);
    assert!(short.iter().all(|name| all.iter().any(|b| b.name == *name)), "{short:?}");
    for build in all.into_iter().filter(|b| is_long() || short.contains(&b.name)) {
        let report = report(&build);
        assert!(report["flip_flop_bits"].as_u64().expect("a number") > 0);
    }
}

#[test]
fn input_port_synthesises() {
    synthesise(UnitKind::InputPort, &["p8v1", "santinyp"]);
}

#[test]
fn output_port_synthesises() {
    synthesise(UnitKind::OutputPort, &["p8v1", "cqtinyp"]);
}

/// The units of the wormhole network; the small build of each has a netlist below.
#[test]
fn wormhole_units_synthesise() {
    synthesise(UnitKind::WormRouter, &[]);
    synthesise(UnitKind::WormAdapter, &[]);
    synthesise(UnitKind::InjectionControl, &["two"]);
}

/// The small switches; larger ones are more of the same.
#[test]
fn switch_synthesises() {
    for &name in pick(&["tinyq"][..], &["tiny", "tinyq", "net", "santiny", "cqtiny"]) {
        report(&builds_of(UnitKind::Switch).into_iter().find(|b| b.name == name).expect("a build"));
    }
}

#[test]
fn throttle_synthesises_with_its_state_in_memories() {
    synthesise(UnitKind::HcaThrottle, &[]);
    // Each flow more has its SL and a bit for blocked and went; all else is in memories, and indices get wider.
    grows_by_flow(UnitKind::HcaThrottle, "f64", 1024, 6);
}

#[test]
fn source_response_synthesises_with_its_state_in_memories() {
    synthesise(UnitKind::SourceResponse, &["tinyp"]);
    // Each flow more has its SL and a bit for blocked, went, outstanding and adjusted.
    grows_by_flow(UnitKind::SourceResponse, "r64", 512, 8);
}

#[test]
fn reservation_synthesises_with_its_state_in_memories() {
    synthesise(UnitKind::Reservation, &[]);
    // Each flow more has its SL and a bit for idle, the four states that are chosen from, messages and full.
    grows_by_flow(UnitKind::Reservation, "r64", 512, 11);
}

#[test]
fn adapter_synthesises_with_its_queues_in_memories() {
    synthesise(UnitKind::Hca, &[]);
    // Each flow more has a bit for non-empty, full, half full, stopped, blocked, went and FECN not yet told, and its SL; all
    // else is in memories.
    grows_by_flow(UnitKind::Hca, "h64", 1024, 11);
}

/// A build made for more flows (in the short form 64 instead of 16, else so many instead of 64) gets at most so many flip-flops for each
/// flow more.
fn grows_by_flow(unit: UnitKind, name: &str, most: usize, each: u64) {
    let build = builds_of(unit).into_iter().find(|b| b.name == name).expect("a build");
    let (few, many) = pick((16, 64), (64, most));
    let flops = |flows| {
        let report = report(&Build { params: Params { flows, ..build.params }, ..build });
        report["flip_flop_bits"].as_u64().expect("a number")
    };
    let (small, large) = (flops(few), flops(many));
    assert!(
        large < small + each * (many - few) as u64 + 200,
        "{name}: {small} with {few} flows, {large} with {many}"
    );
}

/// It has no state: it asks the unit when a read is answered.
#[test]
fn apb_synthesises_without_flip_flops() {
    for adapter in ["ADAPTER=0", "ADAPTER=1"] {
        let mut command = Command::new("python3");
        command.arg(root().join("scripts/synth.py")).args(["apb_config", "-P", adapter, "--gates", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&run(&mut command)).expect("JSON");
        assert_eq!(
            (report["latches"].as_u64(), report["flip_flop_bits"].as_u64()),
            (Some(0), Some(0)),
            "{report}"
        );
    }
}

/// What `order_first` promises for any matrix, also one in which bits were flipped: one of those that ask goes, and it is the one
/// that has nobody ahead, if there is one.
const FIRST_LAW: &str = "
module law #(parameter int N = 5) (input logic [N-1:0] req, input logic [N*N-1:0] bits, output logic ok);
  logic [N*N-1:0] ahead, before;
  logic [N-1:0] first, free;
  for (genvar v = 0; v < N; v++) for (genvar w = 0; w < N; w++) begin
    assign ahead[v*N+w] = (w < v) && bits[v*N+w];
    assign before[v*N+w] = (w < v) ? bits[v*N+w] : (w > v) && !bits[w*N+v];
  end
  order_first #(.N(N)) u (.req_i(req), .ahead_i(ahead), .first_o(first));
  for (genvar v = 0; v < N; v++) assign free[v] = req[v] && (req & before[v*N+:N]) == '0;
  assign ok = (first & (first - 1'b1)) == '0 && (first & ~req) == '0 && (first != '0) == (req != '0)
      && (free == '0 || first == free);
endmodule
";

#[test]
fn a_ring_in_a_flipped_order_lets_somebody_go() {
    let dir = scratch("order-first");
    let rtl = std::fs::read_to_string(root().join("rtl/order_first.sv")).expect("the RTL is there");
    let fallback = "(first != '0) ? first : req_i & (~req_i + 1'b1)";
    assert_eq!(rtl.matches(fallback).count(), 1);
    for (text, holds) in [(rtl.clone(), true), (rtl.replace(fallback, "first"), false)] {
        let file = dir.join(format!("{holds}.sv"));
        std::fs::write(&file, text + FIRST_LAW).expect("a file can be written");
        let passes = format!(
            "read_verilog -sv {}; hierarchy -top law; proc; flatten; opt; sat -verify -prove ok 1 law",
            file.display()
        );
        let program = "import sys; from pyosys import libyosys as ys; ys.run_pass(sys.argv[1], ys.Design())";
        let python = root().join(".venv/bin/python");
        let output =
            Command::new(python).args(["-c", program, &passes]).output().expect("python; remedy: ./setup");
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let found = said.contains("Called with -verify and proof did fail!");
        assert_eq!((output.status.success(), found), (holds, !holds), "{said}");
    }
}

#[test]
fn a_memory_that_is_not_there_is_told() {
    let build = builds_of(UnitKind::HcaThrottle).into_iter().find(|b| b.name == "tiny").expect("tiny");
    let output = synth(&build).args(["--memory", "100000x16"]).output().expect("synth.py runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("no memory of at least 100000 words of 16 bits"), "{text}");
}

/// The generated part of the testbench: the netlist's ports, tied to slices of the recorded words.
fn netlist_ports(build: &Build, layout: &Layout) -> String {
    let mut instance = String::from(".clk_i(clk), .rst_i(rst)");
    let mut wires = String::new();
    let mut differs = Vec::new();
    for s in &layout.signals {
        let bits = s.width * s.count;
        let base = match s.group {
            Group::Input | Group::Output => 0,
            Group::State => layout.out_words,
        };
        // the elements, highest first, as a concatenation takes them
        let slices = |vector: &str| {
            let part =
                |i: usize| format!("{vector}[{} +: {}]", 32 * (base + s.offset + i * s.stride()), s.width);
            (0..s.count).rev().map(part).collect::<Vec<_>>().join(", ")
        };
        if s.group == Group::Input {
            let _ = write!(instance, ", .{}_i({{{}}})", s.name, slices("in"));
        } else {
            let _ = write!(wires, " wire [{}:0] o_{} ;", bits - 1, s.name);
            let _ = write!(instance, ", .{}_o(o_{})", s.name, s.name);
            differs.push(format!("(o_{} !== {{{}}})", s.name, slices("expected")));
        }
    }
    differs.reverse();
    format!(
        "`define IN_BITS {}\n`define OUT_BITS {}\n`define NETLIST_PORTS{wires} \
         wire [{}:0] differs = {{{}}};\n`define NETLIST_UNIT {}_netlist netlist ({instance});\n",
        32 * layout.in_words,
        32 * (layout.out_words + layout.state_words),
        differs.len() - 1,
        differs.join(", "),
        build.unit.module()
    )
}

/// Words as one hexadecimal number, word 0 lowest.
fn hex(words: &[u32]) -> String {
    let mut s = String::with_capacity(8 * words.len());
    for word in words.iter().rev() {
        let _ = write!(s, "{word:08x}");
    }
    s
}

/// Inputs, outputs and state of the RTL in each of `cycles` cycles of random traffic.
fn record(build: &Build, layout: &Layout, cycles: usize, seed: u64) -> Vec<String> {
    let mut golden = quell::model::new(build.unit, &build.params).expect("a legal build");
    let mut source =
        scenario::source(build, None, &Knobs::default(), &Setup::default(), seed).expect("random");
    let mut rtl = Model::new(build, seed).expect("the model is in the binary");
    rtl.reset();
    golden.reset();
    let mut seen = vec![0; layout.out_words];
    let (mut out, mut state) = (vec![0; layout.out_words], vec![0; layout.state_words]);
    let mut lines = Vec::with_capacity(cycles);
    for _ in 0..cycles {
        if golden.is_moore() {
            golden.outputs(&[], &mut seen);
        }
        let mut input = layout.idle();
        source.drive(&seen, &mut input);
        rtl.cycle(&input, &mut out, &mut state).expect("no assertion fires");
        golden.outputs(&input, &mut seen);
        golden.step(&input);
        lines.push(format!("{} {}{}\n", hex(&input), hex(&state), hex(&out)));
    }
    lines
}

/// Simulates the netlist on the recorded lines: what the testbench says last.
fn simulate(simulator: &Path, dir: &Path, name: &str, lines: &[String]) -> String {
    let vectors = dir.join(name);
    std::fs::write(&vectors, lines.concat()).expect("vectors can be written");
    let output = run(Command::new(simulator).arg(format!("+vectors={}", vectors.display())));
    output.lines().find(|l| l.starts_with("PASS") || l.starts_with("FAIL")).unwrap_or(&output).to_string()
}

fn netlist_equals_rtl(unit: UnitKind, name: &str, cycles: usize) {
    let build = builds_of(unit).into_iter().find(|b| b.name == name).expect("a build");
    let layout = Layout::new(unit, &build.params);
    let dir = scratch(&format!("netlist-{}-{name}", unit.cli_name()));
    let mut gates = synth(&build);
    gates.args(["--gates", "--keep-state", "--netlist"]).arg(dir.join("netlist.v"));
    checked(&build, gates);
    std::fs::write(dir.join("netlist_ports.vh"), netlist_ports(&build, &layout))
        .expect("ports can be written");
    let simulator = dir.join("simulator");
    run(Command::new("iverilog")
        .args(["-g2005-sv", "-s", "netlist_tb", "-I"])
        .arg(&dir)
        .arg("-o")
        .arg(&simulator)
        .arg(root().join("tb/netlist_tb.v"))
        .arg(dir.join("netlist.v")));

    let lines = record(&build, &layout, cycles, 7);
    assert_eq!(simulate(&simulator, &dir, "vectors", &lines), format!("PASS: {cycles} cycles"));

    // The check sees a single wrong bit: the lowest of the last word, which is in the first output.
    let mut wrong = lines[..200].to_vec();
    let line = wrong[150].trim_end().to_string();
    let (rest, last) = line.split_at(line.len() - 1);
    let digit = u32::from_str_radix(last, 16).expect("a digit") ^ 1;
    wrong[150] = format!("{rest}{digit:x}\n");
    let said = simulate(&simulator, &dir, "wrong", &wrong);
    assert!(said.starts_with("FAIL: cycle 150,"), "{said}");
}

#[test]
fn input_port_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::InputPort, "tiny", cycles());
}

#[test]
fn output_port_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::OutputPort, "tiny", cycles());
}

#[test]
fn output_queue_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::OutputPort, "cqtiny", cycles());
}

/// Marks by count, ages, oldest first.
#[test]
fn netlists_with_marks_and_ages_equal_rtl() {
    netlist_equals_rtl(UnitKind::InputPort, "santiny", cycles());
    netlist_equals_rtl(UnitKind::OutputPort, "santiny", cycles());
}

/// A control lane; classes of lanes, drops and NACKs.
#[test]
fn netlists_with_lanes_of_their_own_equal_rtl() {
    netlist_equals_rtl(UnitKind::OutputPort, "ctltiny", cycles());
    netlist_equals_rtl(UnitKind::InputPort, "spectiny", cycles());
    netlist_equals_rtl(UnitKind::OutputPort, "spectiny", cycles());
}

/// Routes that are drawn, without and with ways back.
#[test]
fn netlists_with_routes_that_are_drawn_equal_rtl() {
    netlist_equals_rtl(UnitKind::InputPort, "uptiny", cycles());
    netlist_equals_rtl(UnitKind::InputPort, "uptinysrp", cycles());
}

#[test]
fn throttle_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::HcaThrottle, "tiny", cycles());
}

#[test]
fn source_response_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::SourceResponse, "tiny", cycles());
}

#[test]
fn reservation_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::Reservation, "tiny", cycles());
}

#[test]
fn worm_router_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::WormRouter, "tiny", cycles());
}

#[test]
fn worm_adapter_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::WormAdapter, "tiny", cycles());
}

#[test]
fn injection_control_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::InjectionControl, "tiny", cycles());
}

/// Fewer cycles: the gates of a whole adapter take 20 ms each.
#[test]
fn adapter_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::Hca, "tiny", pick(300, 700));
}

/// With reservation.
#[test]
fn adapter_with_reservation_netlist_equals_rtl() {
    netlist_equals_rtl(UnitKind::Hca, "srptiny", pick(300, 700));
}

/// What `quell netlist` does, in a folder that is named as users do, from where they are.
#[test]
fn the_netlist_is_compared_with_the_golden_model() {
    let build = builds_of(UnitKind::OutputPort).into_iter().find(|b| b.name == "tiny").expect("tiny");
    let here = std::env::current_dir().expect("a folder to be in");
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let folder = up.join(scratch("netlist-golden").strip_prefix("/").expect("an absolute path"));
    let gates = Netlist::make(&build, &folder, &|_| {}).unwrap_or_else(|e| panic!("{e:#}"));
    let compare = |damage| gates.compare(3000, 3, damage, &|_| {}).unwrap_or_else(|e| panic!("{e:#}"));
    assert_eq!(compare(None), Outcome::Equal(3000));
    // A wrong bit in one cycle is told.
    let told = compare(Some(1234));
    assert!(matches!(told, Outcome::Differs { cycle: 1234, .. }), "{told:?}");
}
