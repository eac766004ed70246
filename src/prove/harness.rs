//! What is proved: modules, their parameters, and how far the search goes.

use Params::{Build as Of, Own};

use crate::params::{Build, UnitKind, builds};

/// A module of the RTL with the parameters that it is proved for.
pub struct Harness {
    /// Its name in reports.
    pub name: &'static str,
    /// The unit that it belongs to.
    pub unit: UnitKind,
    /// The module.
    pub module: &'static str,
    /// Its parameters.
    pub params: Params,
    /// Cycles after reset that the bounded search covers, if time allows.
    pub depth: usize,
    /// Cycles that every property is searched before any is searched further: two lives of a CAM line. 0: all as far as they come.
    pub lives: usize,
    /// So many times the seconds that a model has.
    pub times: u64,
    /// Longest induction tried.
    pub induction: usize,
    /// Assertions that the others may rely on where they cannot be proved without.
    pub given: &'static [&'static str],
    /// Instances of modules that have a model of their own, where what their checkers state is looked at.
    pub without: &'static [&'static str],
    /// Small enough for the test command.
    pub quick: bool,
}

/// Parameters of a harness.
#[derive(Clone, Copy)]
pub enum Params {
    /// These, and the module's defaults.
    Own(&'static [(&'static str, usize)]),
    /// Those of a build of the unit; a counterexample can be replayed on it.
    Build(&'static str),
}

/// Of a switch and of its input ports.
const SMALL_SWITCH: &[(&str, usize)] = &[
    ("PORTS", 2),
    ("VLS", 1),
    ("MTU", 2),
    ("BLOCKS", 4),
    ("HPQS", 1),
    ("LINES", 2),
    ("DLIST", 1),
    ("LFT_DEPTH", 2),
    ("FLIT_BYTES", 32),
    ("TIMER_W", 4),
];

/// The same with one queue.
const SMALL_ONE_QUEUE: [(&str, usize); SMALL_SWITCH.len() + 1] = with(SMALL_SWITCH, &[("ONE_QUEUE", 1)]);

/// The same with marks of packets and ages, which is without isolation.
const SMALL_MARKS: [(&str, usize); SMALL_SWITCH.len() + 3] =
    with(SMALL_SWITCH, &[("ISOLATION", 0), ("MARKERS", 1), ("STAMP_W", 8)]);

/// An output of such a switch, of two lanes.
const SMALL_OUTPUT_MARKS: &[(&str, usize)] = &[
    ("PORTS", 2),
    ("VLS", 2),
    ("MTU", 2),
    ("BLOCKS", 8),
    ("LINES", 2),
    ("DLIST", 1),
    ("FLIT_BYTES", 32),
    ("TIMER_W", 4),
    ("CNT_W", 5),
    ("ISOLATION", 0),
    ("MARKERS", 1),
    ("STAMP_W", 8),
];

/// An output with a queue, and validation.
const SMALL_QUEUE: &[(&str, usize)] = &[
    ("PORTS", 2),
    ("VLS", 1),
    ("MTU", 2),
    ("BLOCKS", 4),
    ("LINES", 2),
    ("DLIST", 1),
    ("FLIT_BYTES", 32),
    ("TIMER_W", 4),
    ("CNT_W", 5),
    ("ISOLATION", 0),
    ("MARKERS", 1),
    ("CIOQ", 1),
    ("OBLOCKS", 4),
];

/// A wormhole router with a lane of each class. (The build `tiny` sweeps its table for longer than the search lasts.)
const SMALL_WORM: &[(&str, usize)] =
    &[("PORTS", 2), ("VLS", 4), ("DEPTH", 2), ("LFT_DEPTH", 2), ("CNT_W", 2)];

/// Parameters of a small adapter.
const SMALL_ADAPTER: &[(&str, usize)] = &[
    ("VLS", 1),
    ("MTU", 2),
    ("BLOCKS", 4),
    ("HPQS", 1),
    ("LINES", 2),
    ("DLIST", 1),
    ("LFT_DEPTH", 2),
    ("FLIT_BYTES", 32),
    ("TIMER_W", 4),
    ("FLOWS", 2),
    ("CCT", 8),
    ("TS_W", 10),
    ("ADVOQ", 2),
    ("RX_BLOCKS", 4),
    ("CNPQ", 2),
];

/// The same with the source response in place of the throttle.
const SMALL_ADAPTER_RESPONSE: [(&str, usize); SMALL_ADAPTER.len() + 1] =
    with(SMALL_ADAPTER, &[("RESPONSE", 1)]);

/// A list and some parameters more (N in all).
const fn with<const N: usize>(
    list: &[(&'static str, usize)],
    more: &[(&'static str, usize)],
) -> [(&'static str, usize); N] {
    let mut all = [more[0]; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < list.len() { list[i] } else { more[i - list.len()] };
        i += 1;
    }
    all
}

/// Every harness.
pub const HARNESSES: &[Harness] = &[
    Harness {
        name: "block_pool",
        unit: UnitKind::InputPort,
        module: "block_pool",
        params: Own(&[("BLOCKS", 8), ("FREES", 2)]),
        depth: 12,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "queue_lists",
        unit: UnitKind::InputPort,
        module: "queue_lists",
        params: Own(&[("N", 2), ("BLOCKS", 4), ("CAP", 4)]),
        depth: 12,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "read_engine",
        unit: UnitKind::InputPort,
        module: "read_engine",
        params: Own(&[("AW", 2), ("TAG_W", 3)]),
        depth: 10,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "detect_fill",
        unit: UnitKind::InputPort,
        module: "detect_fill",
        params: Own(&[("N", 2), ("FW", 17)]),
        depth: 8,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "route_table",
        unit: UnitKind::InputPort,
        module: "route_table",
        params: Own(&[("DEPTH", 4)]),
        depth: 12,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "input_port",
        unit: UnitKind::InputPort,
        module: "switch_input_port",
        params: Own(SMALL_SWITCH),
        depth: 24,
        lives: 12,
        // Induction over all lemmas takes four minutes.
        times: 2,
        induction: 3,
        given: &["b1_head_is_its_packet"],
        without: &[],
        quick: false,
    },
    Harness {
        name: "input_port_one_queue",
        unit: UnitKind::InputPort,
        module: "switch_input_port",
        params: Own(&SMALL_ONE_QUEUE),
        depth: 20,
        lives: 0,
        times: 1,
        induction: 2,
        given: &["b1_head_is_its_packet"],
        without: &[],
        quick: false,
    },
    Harness {
        name: "input_port_marks",
        unit: UnitKind::InputPort,
        module: "switch_input_port",
        params: Own(&SMALL_MARKS),
        depth: 20,
        lives: 0,
        times: 1,
        induction: 2,
        given: &["b1_head_is_its_packet"],
        without: &[],
        quick: false,
    },
    Harness {
        name: "credit_sender",
        unit: UnitKind::OutputPort,
        module: "credit_sender",
        params: Own(&[("VLS", 2), ("MTU", 4)]),
        depth: 8,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "output_port",
        unit: UnitKind::OutputPort,
        module: "switch_output_port",
        params: Of("tiny"),
        depth: 16,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &[],
        quick: false,
    },
    Harness {
        name: "output_port_marks",
        unit: UnitKind::OutputPort,
        module: "switch_output_port",
        params: Own(SMALL_OUTPUT_MARKS),
        depth: 16,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &[],
        quick: false,
    },
    Harness {
        name: "output_port_queue",
        unit: UnitKind::OutputPort,
        module: "switch_output_port",
        params: Own(SMALL_QUEUE),
        depth: 16,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &[],
        quick: false,
    },
    Harness {
        name: "throttle",
        unit: UnitKind::HcaThrottle,
        module: "hca_throttle",
        params: Of("tiny"),
        depth: 40,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: false,
    },
    Harness {
        name: "source_response",
        unit: UnitKind::SourceResponse,
        module: "source_response",
        params: Of("tiny"),
        depth: 40,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: false,
    },
    Harness {
        name: "apb_of_a_switch",
        unit: UnitKind::Switch,
        module: "apb_config",
        params: Own(&[("PORTS", 3), ("LFT_DEPTH", 5)]),
        depth: 8,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "apb_of_an_adapter",
        unit: UnitKind::Hca,
        module: "apb_config",
        params: Own(&[("ADAPTER", 1), ("LFT_DEPTH", 5), ("FLOWS", 5), ("CCT", 8)]),
        depth: 8,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "wrr_order",
        unit: UnitKind::WormRouter,
        module: "wrr_order",
        params: Own(&[("N", 4)]),
        depth: 8,
        lives: 0,
        times: 1,
        induction: 3,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "worm_crossbar",
        unit: UnitKind::WormRouter,
        module: "worm_crossbar",
        params: Own(&[("PORTS", 3), ("VLS", 4)]),
        depth: 2,
        lives: 0,
        times: 1,
        induction: 1,
        given: &[],
        without: &[],
        quick: true,
    },
    Harness {
        name: "worm_router",
        unit: UnitKind::WormRouter,
        module: "worm_router",
        params: Own(SMALL_WORM),
        depth: 20,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &[],
        quick: false,
    },
    Harness {
        name: "switch",
        unit: UnitKind::Switch,
        module: "switch",
        params: Own(SMALL_SWITCH),
        depth: 20,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &["u_in", "u_out"],
        quick: false,
    },
    Harness {
        name: "hca",
        unit: UnitKind::Hca,
        module: "hca",
        params: Own(SMALL_ADAPTER),
        depth: 40,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &["u_input", "u_output", "u_chooser"],
        quick: false,
    },
    Harness {
        name: "hca_response",
        unit: UnitKind::Hca,
        module: "hca",
        params: Own(&SMALL_ADAPTER_RESPONSE),
        depth: 40,
        lives: 0,
        times: 1,
        induction: 2,
        given: &[],
        without: &["u_input", "u_output", "u_chooser"],
        quick: false,
    },
];

impl Harness {
    /// Names and values of the parameters that are set.
    pub fn parameters(&self) -> Vec<(String, usize)> {
        match self.params {
            Own(list) => list.iter().map(|(n, v)| (n.to_string(), *v)).collect(),
            Of(_) => {
                let Some(build) = self.build() else { return Vec::new() };
                let names = self.unit.parameter_names();
                names.iter().map(|n| (n.to_string(), build.params.get(n).unwrap_or_default())).collect()
            }
        }
    }

    /// The build of the same parameters, if there is one.
    pub fn build(&self) -> Option<Build> {
        match self.params {
            Own(_) => None,
            Of(name) => builds().into_iter().find(|b| b.unit == self.unit && b.name == name),
        }
    }
}
