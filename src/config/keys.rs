//! Every setting: its unit, what is legal, who uses it.

use super::law::FORMS;
use crate::params::UnitKind;
use crate::scheme::{Detector, Isolation, Marking, Notification, Organisation, Response, Row};

/// What kind of value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueKind {
    /// A whole number: smallest, largest.
    Int(i64, i64),
    /// A number: smallest, largest.
    Real(f64, f64),
    /// True or false.
    Bool,
    /// A power of two up to this one.
    Power(i64),
    /// One of some words, or its number from 0.
    Word(&'static [&'static str]),
    /// A list of whole numbers: smallest, largest.
    List(i64, i64),
    /// A set of ports.
    Ports,
    /// A congestion control table.
    Table,
    /// SLs of the flows.
    Sls,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// This and nothing else.
    Of(&'static str),
    /// Flits; also said in packets of MTU size.
    Flits,
    /// Clock cycles; also said as a time.
    Cycles,
    /// 1.024 us; also said as a time.
    Ticks,
    /// 256ths; also said in per cent.
    Share,
}

impl Measure {
    /// The unit of a number without one.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Of(name) => name,
            Measure::Flits => "flits",
            Measure::Cycles => "cycles",
            Measure::Ticks => "1.024 us",
            Measure::Share => "1/256",
        }
    }

    /// Units that a number may be given with.
    pub fn others(self) -> &'static [&'static str] {
        match self {
            Measure::Of(_) => &[],
            Measure::Flits => &["MTU"],
            Measure::Cycles | Measure::Ticks => &["ns", "us", "ms"],
            Measure::Share => &["%"],
        }
    }
}

/// For what a setting can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Networks and single units.
    Both,
    /// Networks.
    Network,
    /// Single units: a network knows it of its own.
    Unit,
}

/// What a scheme must have for the setting to mean anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// It acts on congestion.
    Acts,
    /// It compares fills of queues with thresholds.
    Thresholds,
    /// One queue.
    OneQueue,
    /// A detector of VOQs.
    Fill,
    /// The detector of the one queue's head.
    Head,
    /// It marks.
    Marks,
    /// It marks by the congestion state of an output.
    States,
    /// It marks at inputs and validates at outputs.
    Validates,
    /// It looks for full buffers.
    Fulls,
    /// It looks for outputs with many packets.
    Outputs,
    /// CAM lines.
    Lines,
    /// It throttles.
    Delays,
    /// CAM lines, and a detector of VOQs.
    FillLines,
    /// It answers marks with CNPs.
    Replies,
    /// It has windows.
    Windows,
    /// VOQs, no CAM lines, and nothing reserved.
    Voqs,
    /// It reserves.
    Reserves,
    /// It does not reserve.
    Queues,
}

impl Need {
    /// A scheme has it.
    pub fn met(self, scheme: &Row) -> bool {
        match self {
            Need::Nothing => true,
            Need::Acts => !scheme.does_nothing() && !scheme.reserves(),
            Need::Thresholds => Need::Fill.met(scheme) || Need::Head.met(scheme),
            Need::OneQueue => scheme.organisation == Organisation::OneQueue,
            Need::Fill => scheme.detector == Detector::Fill && !scheme.does_nothing(),
            Need::Head => scheme.detector == Detector::Head,
            Need::Marks => scheme.marking != Marking::None,
            Need::States => scheme.marks_by_state(),
            Need::Validates => scheme.marking == Marking::MbVb,
            Need::Fulls => scheme.detector.looks_for_full_buffers(),
            Need::Outputs => scheme.detector == Detector::InputOutput,
            Need::Lines => scheme.isolation == Isolation::Lines,
            Need::Delays => scheme.response == Response::Delay,
            Need::FillLines => Need::Fill.met(scheme) && Need::Lines.met(scheme),
            Need::Replies => scheme.notification == Notification::Cnp,
            Need::Windows => scheme.response == Response::Window,
            Need::Voqs => {
                let voqs = scheme.organisation == Organisation::Voq;
                voqs && scheme.isolation == Isolation::None && !scheme.reserves()
            }
            Need::Reserves => scheme.reserves(),
            Need::Queues => !scheme.reserves(),
        }
    }

    /// What a scheme lacks that does not have it.
    pub fn lack(self, scheme: &Row) -> &'static str {
        match self {
            Need::States if !Need::Marks.met(scheme) => Need::Marks.lack(scheme),
            Need::Nothing => "lacks nothing",
            Need::Acts => "does not act on congestion",
            Need::Thresholds => "does not compare fills of queues",
            Need::OneQueue => "does not have one queue",
            Need::Fill => "does not act on the fill of VOQs",
            Need::Head => "does not watch the head of one queue",
            Need::Marks => "does not mark",
            Need::States => "does not mark by the state of an output",
            Need::Validates => "does not mark at inputs",
            Need::Fulls => "does not look for full buffers",
            Need::Outputs => "does not count the packets of an output",
            Need::Lines => "has no CAM lines",
            Need::Delays => "does not throttle",
            Need::FillLines => "has no CAM lines beside VOQs",
            Need::Replies => "sends no CNPs",
            Need::Windows => "has no windows",
            Need::Voqs => "does not have VOQs alone",
            Need::Reserves => "reserves nothing",
            Need::Queues => "reserves, and has lanes, messages and replies of other settings",
        }
    }
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Field of [`Config`](super::Config).
    pub name: &'static str,
    /// Unit.
    pub measure: Measure,
    /// Legal values.
    pub kind: ValueKind,
    /// For what it can be given.
    pub place: Place,
    /// The RTL parameter that it becomes, empty if it is set at run time.
    pub parameter: &'static str,
    /// Units with a register, parameter or table for it.
    pub units: &'static [UnitKind],
    /// What the scheme must have.
    pub need: Need,
    /// Where the default comes from.
    pub source: &'static str,
    /// Meaning.
    pub text: &'static str,
}

impl Key {
    /// The legal values in words.
    pub fn legal(&self) -> String {
        let unit = |range: String| {
            let name = self.measure.name();
            let others = self.measure.others();
            let name = if name.is_empty() { String::new() } else { format!(" {name}") };
            let others =
                if others.is_empty() { String::new() } else { format!(", or in {}", others.join(", ")) };
            format!("{range}{name}{others}")
        };
        match self.kind {
            ValueKind::Int(lo, hi) => unit(format!("{lo}..{hi}")),
            ValueKind::Real(lo, hi) => unit(format!("{lo} to {hi}")),
            ValueKind::Power(most) => {
                let powers: Vec<String> =
                    (0..).map(|i| 1i64 << i).take_while(|p| *p <= most).map(|p| p.to_string()).collect();
                unit(powers.join(", "))
            }
            ValueKind::Bool => "true or false".into(),
            ValueKind::Word(words) => {
                let numbered: Vec<String> =
                    words.iter().enumerate().map(|(i, w)| format!("{i} {w}")).collect();
                numbered.join(", ")
            }
            ValueKind::List(lo, hi) => unit(format!("a list of {lo}..{hi}")),
            ValueKind::Ports => "a list of port numbers 0..254, or at most 64 hexadecimal digits".into(),
            ValueKind::Table => {
                format!(
                    "a formula in i (us), a law ({FORMS}; each also with contributors=N/M), a list of times (us, 0 or \
                     more), or a list of \"shift:multiplier\" (0..3:0..16383)"
                )
            }
            ValueKind::Sls => "a list of SLs 0..15 (flow f has entry f modulo its length)".into(),
        }
    }

    /// A unit alone has a use for it.
    pub fn is_of(&self, unit: UnitKind) -> bool {
        self.units.contains(&unit) && self.place != Place::Network
    }

    /// The setting that says the same in another way, and is not set any more when this one is.
    pub(super) fn instead_of(&self) -> Option<&'static str> {
        match self.name {
            "cct" => Some("cct_us"),
            "cct_us" => Some("cct"),
            "sls" => Some("flow_sl"),
            _ => None,
        }
    }
}

use Measure::{Cycles, Flits, Of, Share, Ticks};
use Need::{
    Acts, Delays, Fill, FillLines, Fulls, Head, Lines, Marks, Nothing, OneQueue, Outputs, Queues, Replies,
    Reserves, States, Thresholds, Validates, Voqs, Windows,
};
use Place::{Both, Network, Unit};
use UnitKind::{
    Hca, HcaThrottle, InjectionControl, InputPort, OutputPort, Reservation, SourceResponse, Switch,
    WormAdapter, WormRouter,
};
use ValueKind::{Bool, Int, Ports, Power, Real, Sls, Table, Word};

const ALL: &[UnitKind] = &UnitKind::ALL;
const PORTS: &[UnitKind] = &[InputPort, OutputPort, Switch, Hca];
const SWITCH: &[UnitKind] = &[InputPort, Switch];
const INPUT: &[UnitKind] = &[InputPort, Switch, Hca];
const OUTPUT: &[UnitKind] = &[OutputPort, Switch, Hca];
const SWITCH_OUTPUT: &[UnitKind] = &[OutputPort, Switch];
const THROTTLE: &[UnitKind] = &[HcaThrottle, Hca];
const FLOWS: &[UnitKind] = &[HcaThrottle, Hca, SourceResponse, Reservation];
const ADAPTER: &[UnitKind] = &[Hca];
const RESERVER: &[UnitKind] = &[Reservation, Hca];
const CONTROL: &[UnitKind] = &[InputPort, Switch, Reservation, Hca];
const TABLES: &[UnitKind] = &[InputPort, Switch, Hca, WormRouter, InjectionControl];
const WORM: &[UnitKind] = &[WormRouter, WormAdapter];
const CLASSES: &[UnitKind] = &[WormRouter, WormAdapter, InjectionControl];
const LANES: &[UnitKind] = &[InputPort, OutputPort, Switch];
const MOST: i64 = u32::MAX as i64;

const fn size(
    name: &'static str,
    measure: &'static str,
    (lo, hi): (i64, i64),
    parameter: &'static str,
    units: &'static [UnitKind],
    source: &'static str,
    text: &'static str,
) -> Key {
    let (measure, kind) = (Of(measure), Int(lo, hi));
    Key { name, measure, kind, place: Both, parameter, units, need: Nothing, source, text }
}

/// A size of a network that reserves.
const fn sized(
    name: &'static str,
    measure: &'static str,
    range: (i64, i64),
    parameter: &'static str,
    units: &'static [UnitKind],
    source: &'static str,
    text: &'static str,
) -> Key {
    Key { place: Network, need: Reserves, ..size(name, measure, range, parameter, units, source, text) }
}

const fn key(
    name: &'static str,
    (measure, kind): (Measure, ValueKind),
    place: Place,
    units: &'static [UnitKind],
    need: Need,
    source: &'static str,
    text: &'static str,
) -> Key {
    Key { name, measure, kind, place, parameter: "", units, need, source, text }
}

/// Laws of VR2, by number.
const LAWS: [&str; 5] = ["none", "lipd", "fimd", "aimd", "slots"];

/// Windows of an adapter.
const INJECT: [&str; 9] =
    ["advoq", "fifo:1", "fifo:2", "fifo:3", "fifo:4", "fifo:5", "fifo:6", "fifo:7", "fifo:8"];

/// Every setting but the scheme.
#[rustfmt::skip] // a table: a line each
pub const KEYS: &[Key] = &[
    size("mtu", "flits", (1, 64), "MTU", PORTS, "EcoCC 4.1", "largest packet"),
    Key { need: Queues, ..size("blocks", "64 bytes", (1, 1 << 23), "BLOCKS", SWITCH, "EcoCC 4.1", "input buffer of a switch's port") },
    sized("data_blocks", "64 bytes", (1, 2048), "DATA_BLOCKS", LANES, "SRP table 1", "of a switch's input buffer: each lane of data (Q1)"),
    sized("spec_blocks", "64 bytes", (1, 2048), "SPEC_BLOCKS", SWITCH, "SRP table 1", "the lane of what is speculative (Q1)"),
    sized("ctl_blocks", "64 bytes", (2, 512), "CTL_BLOCKS", CONTROL, "project", "the lane of requests, and that of replies (Q1); requests that wait in an adapter (Q13)"),
    size("hca_blocks", "64 bytes", (1, 1 << 23), "BLOCKS", ADAPTER, "project", "input buffer of an adapter"),
    size("rx_blocks", "64 bytes", (1, 1 << 23), "RX_BLOCKS", ADAPTER, "project", "receive FIFO of an adapter"),
    Key { need: Lines, ..size("hpqs", "queues", (1, 8), "HPQS", INPUT, "EcoCC 4.1", "hot-packet queues of an input port") },
    Key { need: Lines, ..size("lines", "lines", (1, 32), "LINES", PORTS, "EcoCC 4.1 (P-1+HPQS)", "CAM lines of a port") },
    Key { need: Lines, ..size("dlist", "DLIDs", (1, 32), "DLIST", PORTS, "EcoCC 4.1", "destinations of a CAM line") },
    size("lft_depth", "entries", (2, 65536), "LFT_DEPTH", TABLES, "project", "forwarding table"),
    size("flows", "flows", (2, 4096), "FLOWS", FLOWS, "project", "flows of an adapter"),
    size("vls", "VLs", (1, 4096), "VLS", ALL, "EcoCC 3.1", "virtual lanes; more than 64 in the model of a lane per destination only"),
    Key { need: OneQueue, ..size("iterations", "iterations", (1, 8), "ITERATIONS", &[Switch], "iSLIP", "of a switch's match") },
    Key { need: Queues, ..size("advoq", "packets", (2, 256), "ADVOQ", ADAPTER, "project", "per generation queue of an adapter") },
    Key { need: Queues, ..size("cnpq", "replies", (2, 4096), "CNPQ", ADAPTER, "project", "CNPs and ACKs waiting in an adapter, per VL") },
    sized("msgq", "messages", (2, 64), "MSGQ", RESERVER, "project", "messages of a flow that wait in an adapter (Q14)"),
    sized("repq", "replies", (2, 256), "REPQ", RESERVER, "project", "replies that wait in an adapter (Q12)"),
    sized("now_w", "bits", (12, 32), "NOW_W", RESERVER, "project", "width of an adapter's times"),
    Key { parameter: "CTL_VL", ..key("ctl_vl", (Of(""), Bool), Network, PORTS, Voqs, "SRP, its ECN: true", "the highest of vls is for CNPs and ACKs alone, and goes first everywhere (CL1)") },
    Key { parameter: "RANDOM_UP", ..key("up", (Of(""), Word(&["fixed", "random"])), Network, SWITCH, Voqs, "SRP: random", "the way up in a tree: one for each destination, or drawn for each packet (UP1)") },
    key("sls", (Of("SLs"), Int(1, 16)), Both, FLOWS, Nothing, "project (H7)", "SLs in use: that of flow d is d mod this"),
    key("flow_sl", (Of(""), Sls), Both, FLOWS, Nothing, "project (H7)", "SLs of the flows, one by one, instead of sls"),
    key("hth", (Flits, Int(0, 65535)), Both, INPUT, Thresholds, "EcoCC 4.1", "high threshold of a queue (D1)"),
    key("lth", (Flits, Int(0, 65535)), Both, INPUT, Thresholds, "EcoCC 4.1", "low threshold (D1), not above hth; 1 MTU below at least is advised"),
    key("sum_hth", (Flits, Int(0, 65535)), Both, OUTPUT, Fill, "Gran 3.2.1", "high threshold on the sum (D5); not set: hth"),
    key("sum_lth", (Flits, Int(0, 65535)), Both, OUTPUT, Fill, "Gran 3.2.1", "low threshold on the sum (D5); not set: lth"),
    key("stop", (Flits, Int(0, 65535)), Both, INPUT, Lines, "CCFIT III-B", "stop threshold of hot queues (E5); 0: hth"),
    key("go", (Flits, Int(0, 65535)), Both, INPUT, Lines, "CCFIT III-B", "go threshold of hot queues (E5), not above stop; 0: lth"),
    key("detect", (Flits, Int(0, 65535)), Both, INPUT, Head, "CCFIT III-B", "fill of the one queue above which congestion is looked for (E1)"),
    key("hold", (Cycles, Int(0, 65535)), Both, INPUT, Head, "CCFIT III-B", "so long the one queue's head has asked in vain before it counts as congested (E1)"),
    key("weight", (Of(""), Int(-1, 15)), Both, INPUT, Fill, "InfiniBand Threshold", "threshold weight instead of hth and lth (D4): 0 never, 15 is the lowest threshold; -1: not used"),
    key("cold_first", (Of(""), Bool), Both, INPUT, Lines, "project (A2)", "the cold queue goes before the hot ones"),
    key("line_timer", (Cycles, Int(1, MOST)), Both, PORTS, Lines, "project (E8)", "life of a CAM line without use"),
    key("refresh", (Cycles, Int(0, 65535)), Both, INPUT, Lines, "project (E8)", "between refreshes of announced lines, below line_timer; 0 never"),
    key("marking", (Of(""), Bool), Both, OUTPUT, Marks, "project", "false: no switch marks"),
    key("eval", (Of(""), Word(&["each", "sum", "sum_per_input", "queue"])), Both, OUTPUT, Fill, "Gran 3.2.1", "what is compared with the threshold (D5)"),
    key("mark_mode", (Of(""), Word(&["counter", "probability", "fraction"])), Both, OUTPUT, States, "project (M2)", "how marking_rate or mark_fraction chooses"),
    key("marking_rate", (Of("packets"), Int(0, 65535)), Both, OUTPUT, States, "Gran table I", "eligible packets between marked ones (M2); 0 marks all"),
    key("mark_fraction", (Share, Int(0, 256)), Both, OUTPUT, States, "CCFIT IV-A (85 %)", "share of eligible packets marked in mode fraction (M2)"),
    key("packet_size", (Of("flits"), Int(0, 255)), Both, OUTPUT, States, "Gran table I", "smaller packets are not marked (M1)"),
    key("victim_hosts", (Of(""), Bool), Network, OUTPUT, States, "InfiniBand Victim_Mask", "ports that lead to adapters mark without credits (D3)"),
    key("victim_mask", (Of("ports"), Ports), Both, OUTPUT, States, "InfiniBand Victim_Mask", "ports of every switch that mark without credits (D3), counted from 1 as InfiniBand does"),
    key("root_now", (Of(""), Bool), Both, OUTPUT, States, "SRP, its ECN: true", "a port marks while it has credit for an MTU, whatever its last packet met (D6)"),
    key("fill_level", (Flits, Int(0, 65535)), Both, SWITCH, Fulls, "Santos: full", "level of an input buffer's VL above which it is full (SM1); not set: half an MTU less than the VL's"),
    key("out_th", (Of("packets"), Int(0, 65535)), Both, SWITCH_OUTPUT, Outputs, "Santos 3c, 3d: 4, 8", "so many may wait for an output; with more all that do are marked (SM5)"),
    key("mb_th", (Flits, Int(0, 65535)), Both, SWITCH, Validates, "MVCM 3: 66 %", "level of an input buffer's VL, with a packet that comes, above which that gets MB (VM1); not set: 66 % of the VL's"),
    key("vb_th", (Flits, Int(0, 65535)), Both, SWITCH_OUTPUT, Validates, "MVCM 3: 33 %", "what waits for an output, above which packets with MB get VB (VM2); not set: 33 % of an input's VL"),
    key("sched", (Of(""), Word(&["round_robin", "oldest"])), Network, OUTPUT, Voqs, "Santos: first come, first served", "which packet an output of a switch takes (AG1): inputs in turn, or that which waits longest in the switch"),
    key("bypass", (Of("packets"), Int(0, 15)), Network, INPUT, Voqs, "Santos: 4", "so many may go before the oldest packet of an input's VL, then only that goes (AG2); 0: no limit"),
    Key { parameter: "STAMP_W", ..key("stamp_w", (Of("bits"), Int(8, 32)), Network, &[Switch], Voqs, "project", "width of the ages of packets in a switch; not set: 24 with sched or bypass, else none are built") },
    key("cioq", (Of(""), Bool), Network, &[Switch], Voqs, "MVCM, Pfister: true", "outputs of switches have a queue of their own, before the link (CQ1); then eval may be queue"),
    Key { parameter: "OBLOCKS", place: Network, need: Voqs, ..size("oblocks", "64 bytes", (1, 1 << 23), "OBLOCKS", &[Switch], "MVCM", "the queue of an output of a switch, with cioq; not set: as blocks") },
    key("xb_interval", (Of("cycles/flit"), Int(1, 15)), Network, &[Switch], Voqs, "MVCM: half a link's", "pace of the crossbar into the queue of an output (CQ2), with cioq; above that of the link it is the link's"),
    key("cnp_priority", (Of(""), Word(&["all", "adapter", "none"])), Network, PORTS, Replies, "CCFIT III-B; Gran 3.2.2: adapter", "where CNPs go before data (A2): everywhere, in adapters, nowhere"),
    key("cnp_queued", (Of(""), Bool), Network, ADAPTER, Replies, "EcoCC 3.2 read another way", "CNPs wait in the generation queues of their destinations (H2)"),
    key("becn_per", (Of("packets"), Power(128)), Network, ADAPTER, Replies, "Gran: one a packet", "packets of a message: one CNP answers all its FECNs (H2)"),
    key("release", (Of(""), Word(&["flit", "grant"])), Network, PORTS, Acts, "project (D1)", "when a packet's charge leaves its queue (D1): flit by flit, or at its grant, before its own mark"),
    key("root_queue", (Of(""), Bool), Network, INPUT, FillLines, "EcoCC 4.1: false; supplement 9.1: true", "a root takes a hot queue (E1)"),
    key("inject", (Of(""), Word(&INJECT)), Network, ADAPTER, Queues, "EcoCC 3.2: advoq", "what a host may have queued (H1): a queue for each destination; or so many packets of flows that wait for no delay"),
    key("throttling", (Of(""), Bool), Both, THROTTLE, Delays, "project", "false: no adapter throttles"),
    key("sl_mode", (Of(""), Bool), Both, THROTTLE, Delays, "InfiniBand Port_Control bit 0", "the index belongs to the SL instead of the flow (H7)"),
    key("timer_per_sl", (Of(""), Bool), Both, THROTTLE, Delays, "InfiniBand: true; EcoCC: false", "one timer per SL instead of per flow (H4)"),
    key("restart", (Of(""), Bool), Both, THROTTLE, Delays, "CCFIT: true; hfi1: false", "a BECN restarts a running timer (H3)"),
    key("ccti_increase", (Of("entries"), Int(0, 255)), Both, THROTTLE, Delays, "Gran table I", "added to the index by a BECN (H3)"),
    key("ccti_limit", (Of("entry"), Int(0, 16383)), Both, THROTTLE, Delays, "Gran table I", "largest index (H3), within the table"),
    key("ccti_min", (Of("entry"), Int(0, 255)), Both, THROTTLE, Delays, "Gran table I", "the timer lowers no index below it (H4)"),
    key("ccti_timer", (Ticks, Int(0, 65535)), Both, THROTTLE, Delays, "Gran table I", "between two decrements (H4); 0 never"),
    Key { need: Delays, ..size("cct_size", "entries", (8, 16384), "CCT", THROTTLE, "Gran table I", "longest congestion control table that the adapter holds") },
    key("tick_cycles", (Cycles, Int(1, 65535)), Network, THROTTLE, Delays, "InfiniBand: 1.024 us", "the unit of ccti_timer (H4); not set: 1.024 us"),
    key("cct_us", (Of("us"), Real(0.0, 1e9)), Both, THROTTLE, Delays, "Gran VII-B", "congestion control table (H6): entry i is i^2 times this"),
    key("cct", (Of(""), Table), Both, THROTTLE, Delays, "Gran VII-B", "congestion control table (H6) instead of cct_us"),
    key("cct_relative", (Of(""), Bool), Both, THROTTLE, Delays, "EcoCC 3.2: false", "times of the table become shift:multiplier of a packet's time, not cycles (H6)"),
    key("windows", (Of(""), Bool), Network, ADAPTER, Windows, "project", "false: ACKs hold nobody back"),
    key("wmax", (Of("packets"), Int(1, 255)), Network, ADAPTER, Windows, "MVCM: bandwidth * delay", "widest window: packets of a flow that may be outstanding (AK6)"),
    key("dynamic_window", (Of(""), Bool), Network, ADAPTER, Windows, "MVCM: true; Santos: false", "marks narrow the window, clean ACKs widen it (VR2)"),
    key("law", (Of(""), Word(&LAWS)), Network, ADAPTER, Windows, "MVCM: slots; Santos: lipd, fimd, aimd", "how hot ACKs delay a flow whose window is narrowest (VR2)"),
    key("rmin_exp", (Of(""), Int(2, 8)), Network, ADAPTER, Windows, "project", "lowest rate of lipd, fimd, aimd: 2^-this of the full one (SR1)"),
    key("ws_steps", (Of("steps"), Int(0, 15)), Network, ADAPTER, Windows, "MVCM table 2", "most steps of waiting slots (VR4)"),
    key("ws_base", (Of(""), Int(1, 16)), Network, ADAPTER, Windows, "project", "each step waits so many times as long as the one before; the first a round trip (VR3)"),
    key("rtt_min", (Cycles, Int(1, 65535)), Network, ADAPTER, Windows, "MVCM: computed", "shortest round trip (VR6); not set: from the network's longest route"),
    key("sevmap", (Of(""), Int(0, 65535)), Network, ADAPTER, Windows, "MVCM: MB, VB; Santos: FECN", "what the marks of an ACK mean, two bits for each of {BECN, MB, VB}: 0 clean, 1 warm, 2 hot, 3 never (VR1)"),
    key("from_ack", (Of(""), Bool), Network, ADAPTER, Windows, "project", "delays of lipd, fimd, aimd count from the last ACK, not from the last packet (SR3)"),
    key("pause_unit", (Of(""), Word(&["packet", "rtt"])), Network, ADAPTER, Windows, "Santos: packet", "what delays of lipd, fimd, aimd are multiples of (SR3)"),
    key("reset_empty", (Of(""), Bool), Network, ADAPTER, Windows, "MVCM: true", "a flow that has stopped begins anew (VR5)"),
    key("srp_en", (Of(""), Bool), Network, RESERVER, Reserves, "SRP: true", "false: nobody reserves, all messages are sent as they come (Q15)"),
    Key { parameter: "NMAX", ..key("nmax", (Of("packets"), Int(1, 64)), Network, RESERVER, Reserves, "SRP table 1", "most packets that are reserved at once (Q15)") },
    key("nmin", (Of("packets"), Int(0, 65535)), Network, RESERVER, Reserves, "SRP table 1", "shorter messages are sent without reservation (Q15)"),
    key("eps", (Of("1/65536"), Int(0, 65535)), Network, RESERVER, Reserves, "SRP table 1: 0.05", "so much more time than its flits take is kept for what is reserved (Q10)"),
    key("rtt_comp", (Of(""), Bool), Network, RESERVER, Reserves, "SRP: true", "a source begins earlier by what its request took (Q18)"),
    key("spec_off", (Of(""), Bool), Network, RESERVER, Reserves, "SRP: false", "nothing is sent before its time is known (Q16)"),
    key("drop_en", (Of(""), Bool), Network, SWITCH, Reserves, "SRP: true", "false: no switch drops anything (Q6)"),
    key("ttw", (Cycles, Int(0, 32767)), Network, SWITCH, Reserves, "SRP table 1: 1.3 us", "so long a speculative packet may wait in all switches together (Q6)"),
    key("rd_interval", (Of("cycles/flit"), Int(1, 15)), Both, INPUT, Nothing, "project", "fewest cycles a flit at which any output of a switch reads: a packet may start the sooner (B2); not above the pace of the fastest"),
    key("fc_interval", (Cycles, Int(1, 65535)), Both, PORTS, Nothing, "project", "between flow control messages (F1)"),
    key("cycle_ns", (Of("ns"), Real(0.1, 1000.0)), Unit, ALL, Nothing, "64 bytes at 40 Gbit/s", "length of a clock cycle: converts every time"),
    key("rx_interval", (Of("cycles/flit"), Int(1, 15)), Unit, INPUT, Nothing, "project", "pace of the link into an input port (B2)"),
    key("tx_interval", (Of("cycles/flit"), Int(1, 15)), Unit, OUTPUT, Nothing, "project", "pace of the link out of an output port (B2)"),
    key("inject_interval", (Of("cycles/flit"), Int(1, 15)), Unit, THROTTLE, Nothing, "project", "pace of the adapter's link (H6)"),
    key("rx_timeout", (Cycles, Int(0, 65535)), Unit, INPUT, Nothing, "project", "without a flit until a packet is cut (B3); 0 never"),
    key("port", (Of("port"), Int(0, 254)), Unit, OUTPUT, Nothing, "project", "number of the output port under test: its bit of victim_mask"),
    key("lhp", (Of("flits"), Int(0, 255)), Unit, WORM, Nothing, "project (YW6)", "real-time flits that may pass best-effort before it has a turn; 0: any number"),
    key("be_mask", (Of("lanes"), Int(0, 65535)), Unit, CLASSES, Nothing, "Yum: a share of the lanes", "best-effort lanes, a bit each (YW7); not set: the highest quarter of the data lanes"),
    key("switch_id", (Of("number"), Int(0, 65535)), Unit, INPUT, Nothing, "project", "switch in a root id (E2)"),
];

/// The setting of a name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|k| k.name == name)
}
