//! The registers: one description (`regs/*.rdl`), what is made of it in `docs/`, the RTL's decode and the addresses that the golden side
//! writes to. The RTL is compared with `docs/registers.json`, not with the golden model, which has its own addresses.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use quell::params::UnitKind;
use quell::registers::REGISTERS;
use serde::Deserialize;

/// `docs/registers.json`: units with some parameters, as the description has them.
#[derive(Deserialize)]
struct Description {
    sets: Vec<Set>,
}

/// A unit with some parameters.
#[derive(Clone, Debug, Deserialize)]
struct Set {
    unit: String,
    parameters: BTreeMap<String, usize>,
    windows: Vec<Window>,
    tables: Vec<Table>,
}

/// The registers behind one `cfg_unit`, the same for each port.
#[derive(Clone, Debug, Deserialize)]
struct Window {
    part: String,
    cfg_unit: u32,
    ports: usize,
    path: String,
    registers: Vec<Register>,
}

#[derive(Clone, Debug, Deserialize)]
struct Register {
    name: String,
    address: u32,
    fields: Vec<Field>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Field {
    name: String,
    lsb: u32,
    width: u32,
    reset: u32,
    rules: String,
    measure: Option<String>,
    reset_as: Option<String>,
    /// Where the RTL holds it.
    shown: String,
    /// Where the value is that acts.
    acts: Option<String>,
    at_least: Option<u32>,
    at_most: Option<u32>,
    saturates: bool,
    /// One for all ports.
    of_unit: bool,
    onwrite: Option<String>,
    /// The unit changes it, too.
    moves: bool,
    /// And nothing else does: a counter.
    counts: bool,
}

/// A table with pins of its own.
#[derive(Clone, Debug, Deserialize)]
struct Table {
    name: String,
    pins: Vec<String>,
    entries: usize,
    shown: Vec<String>,
    fields: Vec<Field>,
}

impl Field {
    fn most(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// What it holds after a write.
    fn written(&self, data: u32) -> u32 {
        let value = data >> self.lsb;
        let value = if self.saturates { value.min(self.most()) } else { value & self.most() };
        // What the unit moves by itself must not get stuck: it is the acting value that is written.
        if self.moves { self.acting(value) } else { value }
    }

    /// The value that acts when it holds this one.
    fn acting(&self, value: u32) -> u32 {
        value.max(self.at_least.unwrap_or(0)).min(self.at_most.unwrap_or(u32::MAX))
    }

    fn clears(&self) -> bool {
        self.onwrite.as_deref() == Some("woclr")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn description() -> Vec<Set> {
    let text = std::fs::read_to_string(root().join("docs/registers.json")).expect("docs/registers.json");
    serde_json::from_str::<Description>(&text).expect("docs/registers.json is as this test knows it").sets
}

fn unit_of(set: &Set) -> UnitKind {
    UnitKind::ALL.into_iter().find(|u| u.module() == set.unit).expect("a unit")
}

/// Runs `scripts/regs`, which installs what it needs.
fn script(args: &[&str]) -> (bool, String) {
    let output = Command::new(root().join("scripts/regs")).args(args).output().expect("scripts/regs runs");
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    // On a new machine the first run says so.
    let said = said.lines().filter(|l| !l.starts_with("regs: installing")).map(|l| format!("{l}\n"));
    (output.status.success(), said.collect())
}

#[test]
fn docs_are_what_the_description_gives() {
    let (good, said) = script(&["--check"]);
    assert!(good, "{said}");
}

#[test]
fn other_formats_are_made_on_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("made");
    let path = to.to_str().expect("a name");
    for unit in [
        "input-port",
        "output-port",
        "hca-throttle",
        "source-response",
        "reservation",
        "hca",
        "switch",
        "worm-router",
        "worm-adapter",
        "injection-control",
    ] {
        let more: &[&str] = if unit == "switch" { &["-P", "PORTS=16", "-P", "TIMER_W=20"] } else { &[] };
        let (good, said) = script(&[&["--to", path, unit], more].concat());
        assert!(good && said.is_empty(), "{unit}: {said}");
    }
    let read = |name: &str| std::fs::read_to_string(to.join(name)).expect(name);

    // The headers can be included together, and hold their own assertions of sizes.
    let names = [
        "switch_input_port",
        "switch_output_port",
        "hca_throttle",
        "source_response",
        "reservation",
        "hca",
        "switch",
        "worm_router",
        "worm_adapter",
        "injection_control",
    ];
    let all: String = names.iter().map(|n| format!("#include \"quell_{n}.h\"\n")).collect();
    let sizes = "static_assert(offsetof(switch_t, lft) == 0x100000 && sizeof(switch__ports__portx__stride1000_t) == 0x1000, \"\");\n\
        static_assert(SWITCH__PORTS__PORTX__INPUT_PORT__LINE_TIMER__CYCLES_bm == 0xfffff, \"\");\n";
    std::fs::write(to.join("all.cpp"), format!("#include <cstddef>\n{all}{sizes}")).expect("writable");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let output = Command::new(&compiler)
        .args(["-std=c++17", "-Wall", "-Werror", "-fsyntax-only", "all.cpp"])
        .current_dir(&to)
        .output()
        .unwrap_or_else(|e| panic!("{compiler}: {e}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // Tables can only be written.
    assert_eq!(read("quell_hca_uvm.sv").matches("= new(\"m_mem\", ").count(), 3);
    assert!(!read("quell_hca_uvm.sv").lines().any(|l| l.contains("\"m_mem\"") && !l.contains("\"WO\"")));
    let xml = read("quell_switch.xml");
    let table =
        xml.split("<ipxact:name>lft</ipxact:name>").nth(1).and_then(|t| t.split("<ipxact:register>").next());
    assert!(table.is_some_and(|t| t.contains("<ipxact:access>write-only<")), "the forwarding table");
    for part in [
        "<ipxact:dim>16</ipxact:dim>",
        "<ipxact:name>LINE_TIMER</ipxact:name>",
        "<ipxact:name>lft</ipxact:name>",
    ] {
        assert!(xml.contains(part), "{part}");
    }
    // Paths with the number of the port in them.
    let uvm = read("quell_switch_uvm.sv");
    for part in [
        "this.port[i0].configure(this, $sformatf(\"g_port[%0d]\", i0));",
        "this.input_port.configure(this, \"u_in\");",
        "add_hdl_path_slice(\"u_config.hth_q\", 0, 16);",
    ] {
        assert!(uvm.contains(part), "{part}");
    }

    for (args, says) in [
        (
            &["--to", path, "switch", "-P", "FLOWS=3"][..],
            "switch has no parameter FLOWS here: there are PORTS,",
        ),
        (&["--to", path, "switch", "-P", "PORTS=few"], "-P PORTS=few: NAME=VALUE is wanted"),
        (&["--to", path, "switch", "-P", "TIMER_W=33"], "TIMER_W = 33 is out of range: legal is 4..32"),
        (&["--to", path, "switch", "-P", "PORTS=65"], "legal is 1..64"),
        (&["--to", path, "switch", "-P", "VLS=3", "-P", "BLOCKS=2048"], "must be a multiple of VLS = 3"),
        (&["--to", path, "hca", "-P", "CCT=100"], "must be a power of two"),
        (&["--to", path, "worm-router", "-P", "VLS=17"], "VLS = 17 is out of range: legal is 3..16"),
        (&["--to", path, "worm-adapter", "-P", "MSGQ=12"], "must be a power of two"),
        (
            &["--to", path, "injection-control", "-P", "PORTS=17"],
            "PORTS = 17 is out of range: legal is 2..16",
        ),
        (&["switch"], "--to DIR and UNIT go together"),
        (&["--to", "/proc/nowhere", "switch"], "regs: error: "),
    ] {
        let (good, said) = script(args);
        assert!(!good && said.contains(says) && !said.contains("Traceback"), "{args:?}: {said}");
    }
}

/// The addresses, widths and reset values that the golden side has (`src/registers.rs`) are those of the description.
/// Settings of a wormhole router that are there with ADMIT = 1 only.
const OF_ADMISSION: [&str; 5] = ["CTRL", "LIMIT", "WSHIFT", "NODE_ID", "NEXT"];

#[test]
fn the_golden_side_has_the_same_registers() {
    let mut seen = 0;
    for set in description() {
        for w in &set.windows {
            let unit = match w.part.as_str() {
                "input_port" => UnitKind::InputPort,
                "output_port" => UnitKind::OutputPort,
                "throttle" => UnitKind::HcaThrottle,
                "adapter" => UnitKind::Hca,
                "response" => UnitKind::SourceResponse,
                "reservation" => UnitKind::Reservation,
                "worm_router" => UnitKind::WormRouter,
                "worm_adapter" => UnitKind::WormAdapter,
                "injection_control" => UnitKind::InjectionControl,
                other => panic!("a part {other}"),
            };
            let has = |parameter| set.parameters.get(parameter) == Some(&1);
            let there = |name: &str| {
                // A wormhole router has weights of its lanes.
                let weight = ["WEIGHT_IN", "WEIGHT_OUT"].iter().find_map(|w| name.strip_prefix(w));
                let lane = weight.and_then(|v| v.parse::<usize>().ok());
                (has("RANDOM_UP") || !name.starts_with("UP_"))
                    && (has("DEDUP") || name != "RTO")
                    && (unit != UnitKind::WormRouter || has("ADMIT") || !OF_ADMISSION.contains(&name))
                    && lane.is_none_or(|v| v < set.parameters["VLS"])
            };
            let of_unit: Vec<_> = REGISTERS.iter().filter(|r| r.unit == unit && there(r.name)).collect();
            // (Counters are not settings.)
            let settings: Vec<_> = w.registers.iter().filter(|r| !r.fields[0].counts).collect();
            assert_eq!(of_unit.len(), settings.len(), "{}", w.part);
            for r in settings {
                let at = format!("{} {} {}", set.unit, w.part, r.name);
                let own = of_unit.iter().find(|o| o.name == r.name).unwrap_or_else(|| panic!("no {at}"));
                assert_eq!(u32::from(own.addr), r.address, "{at}");
                let top = r.fields.iter().map(|f| f.lsb + f.width).max().expect("a field");
                let timer_w = set.parameters.get("TIMER_W").copied().unwrap_or(32);
                assert_eq!(own.most(timer_w), u32::MAX >> (32 - top), "{at}");
                if let [f] = &r.fields[..] {
                    assert!(f.measure.as_deref().is_none_or(|m| m == own.measure), "{at}: {:?}", f.measure);
                }
                // (Those that act when they are written have none there; and an input port of an adapter has one of its own.)
                let acts_when_written = r.fields.iter().all(|f| f.moves);
                assert_eq!(own.reset == "-", acts_when_written, "{at}");
                if !acts_when_written && unit_of(&set) != UnitKind::Hca {
                    let value: u32 = r.fields.iter().map(|f| f.reset << f.lsb).sum();
                    let words = r.fields[0].reset_as.clone().unwrap_or_else(|| value.to_string());
                    assert_eq!(own.reset, words, "{at}");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > REGISTERS.len());
}

#[test]
fn rules_that_the_description_names_are_those_of_the_plan() {
    let plan = std::fs::read_to_string(root().join("docs/verification-plan.md")).expect("the plan");
    for set in description() {
        let registers = set.windows.iter().flat_map(|w| &w.registers).flat_map(|r| &r.fields);
        for f in registers.chain(set.tables.iter().flat_map(|t| &t.fields)) {
            assert!(!f.rules.is_empty(), "{}: {}", set.unit, f.name);
            for rule in f.rules.split_whitespace() {
                assert!(plan.contains(&format!("| **{rule}** ")), "{}: {} has rule {rule}", set.unit, f.name);
            }
        }
    }
}

#[cfg(feature = "rtl")]
#[path = "register_decode/mod.rs"]
mod register_decode;
