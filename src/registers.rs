//! The registers of the units and the elaboration parameters, as tables: what `quell params` lists and what
//! a configuration writes to. `tests/registers.rs` compares them with the description, `regs/*.rdl`.

use crate::params::UnitKind;

/// One configuration register.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    /// The unit that has it.
    pub unit: UnitKind,
    /// Address on the configuration port.
    pub addr: u8,
    /// Name in docs/registers.md.
    pub name: &'static str,
    /// Bits in use.
    pub bits: &'static str,
    /// Unit of the value.
    pub measure: &'static str,
    /// Value after reset.
    pub reset: &'static str,
    /// Meaning.
    pub text: &'static str,
}

impl Register {
    /// The largest value; TIMER_W is that of the unit.
    pub fn most(&self, timer_w: usize) -> u32 {
        let high = self.bits.trim_start_matches('[').split(':').next().unwrap_or_default();
        let bits = high.parse::<usize>().map_or(timer_w, |b| b + 1);
        u32::MAX >> (32 - bits.clamp(1, 32))
    }
}

const fn r(
    unit: UnitKind,
    addr: u8,
    name: &'static str,
    bits: &'static str,
    measure: &'static str,
    reset: &'static str,
    text: &'static str,
) -> Register {
    Register { unit, addr, name, bits, measure, reset, text }
}

/// Of a lane that the build has.
const fn weight(addr: u8, name: &'static str, text: &'static str) -> Register {
    r(UnitKind::WormRouter, addr, name, "[7:0]", "flits", "1", text)
}

use UnitKind::{
    Hca as HC, HcaThrottle as HT, InjectionControl as IC, InputPort as IP, OutputPort as OP,
    Reservation as RV, SourceResponse as SR, WormAdapter as WA, WormRouter as WR,
};

/// Every register of every unit.
pub const REGISTERS: &[Register] = &[
    r(
        IP,
        0,
        "CTRL",
        "[6:0]",
        "bits",
        "0",
        "[0] iso_en: isolation on, [1] cold_first: CPQ before HPQs (A2), [2] cnp_plain: CNPs in turn (A2), [3] release: charges leave at the grant (D1), [4] root_hpq: a root takes an HPQ (E1), [5] naive: marks those present at a fill (SM3), [6] mb_en: sets MB (VM1)",
    ),
    r(IP, 1, "HTH", "[15:0]", "flits", "min(6*MTU, 3*CAP/4)", "high threshold (D1)"),
    r(IP, 2, "LTH", "[15:0]", "flits", "min(4*MTU, CAP/2)", "low threshold; 0 acts as 1 (D1)"),
    r(IP, 3, "WEIGHT", "[4:0]", "bits", "0", "[4] use, [3:0] threshold weight (D4)"),
    r(IP, 4, "FC_INTERVAL", "[15:0]", "cycles", "4", "between credit messages (F1)"),
    r(IP, 5, "RX_INTERVAL", "[3:0]", "cycles/flit", "1", "pace of the receiving link (B2)"),
    r(IP, 6, "RX_TIMEOUT", "[15:0]", "cycles", "1024", "without a flit until a packet is cut; 0 never (B3)"),
    r(IP, 7, "LINE_TIMER", "[TIMER_W-1:0]", "cycles", "all ones", "life of a line without use (E8)"),
    r(IP, 8, "REFRESH", "[15:0]", "cycles", "0", "between refreshes of announced lines; 0 never (E8)"),
    r(IP, 9, "SWITCH_ID", "[15:0]", "number", "0", "for root ids (E2)"),
    r(IP, 10, "ERR_CLEAR", "[15:0]", "bits", "-", "write 1: clears that sticky error"),
    r(IP, 11, "STOP", "[15:0]", "flits", "0", "stop threshold of HPQs; 0: same as HTH (E5)"),
    r(IP, 12, "GO", "[15:0]", "flits", "0", "go threshold of HPQs; 0: same as LTH (E5)"),
    r(
        IP,
        13,
        "DETECT",
        "[15:0]",
        "flits",
        "min(4*MTU, CAP/2)",
        "ONE_QUEUE: detection threshold on the NFQ (E1)",
    ),
    r(IP, 14, "HOLD", "[15:0]", "cycles", "MTU", "ONE_QUEUE: the NFQ's head must have asked in vain (E1)"),
    r(
        IP,
        15,
        "RD_INTERVAL",
        "[3:0]",
        "cycles/flit",
        "1",
        "fewest at which an output reads; 0 acts as 1 (B2)",
    ),
    r(IP, 16, "FILL_LEVEL", "[15:0]", "flits", "CAP - (MTU+1)/2", "a VL's buffer is full above it (SM1)"),
    r(IP, 17, "MB_TH", "[15:0]", "flits", "66*CAP/100", "a packet with which more is stored gets MB (VM1)"),
    r(IP, 18, "BYPASS", "[3:0]", "packets", "0", "that may pass a VL's oldest one; 0: no limit (AG2)"),
    r(
        IP,
        19,
        "XB_INTERVAL",
        "[3:0]",
        "cycles/flit",
        "1",
        "CIOQ: fewest at which an output's queue takes flits; 0 acts as 1 (CQ2)",
    ),
    r(IP, 20, "SPEC", "[0:0]", "bits", "0", "[0] drop_en: speculative packets are dropped (Q6)"),
    r(IP, 21, "TTW", "[14:0]", "cycles", "203", "so long a speculative packet may queue in switches (Q6)"),
    r(IP, 22, "UP_MASK", "[31:0]", "bits", "0", "RANDOM_UP: [o] output o leads up (UP1)"),
    r(IP, 23, "UP_SEED", "[15:0]", "number", "-", "RANDOM_UP: write: state of the LFSR that draws (UP1)"),
    r(
        OP,
        0,
        "CTRL",
        "[13:0]",
        "bits",
        "0",
        "[0] mark_en, [1] iso_en, [2] victim, [4:3] eval (D5), [6:5] mark_mode (M2), [7] cnp_plain: CNPs as data (A2), [8] at_once: marks by the state behind the grant (M1), [9] sched: oldest first (AG1), [11:10] det: marks by count (SM4, SM5), [12] vb_en: sets VB (VM2), [13] root_now: root by the credit of the cycle (D6)",
    ),
    r(OP, 1, "SUM_HTH", "[15:0]", "flits", "6*MTU", "high threshold on the sum (D5)"),
    r(OP, 2, "SUM_LTH", "[15:0]", "flits", "4*MTU", "low threshold on the sum; 0 acts as 1 (D5)"),
    r(OP, 3, "MARKING_RATE", "[15:0]", "packets", "0", "eligible packets between marked ones (M2)"),
    r(OP, 4, "MARK_FRACTION", "[8:0]", "1/256", "256", "share of eligible packets marked (M2)"),
    r(OP, 5, "PACKET_SIZE", "[7:0]", "flits", "0", "smallest packet that is marked (M1)"),
    r(OP, 6, "FC_INTERVAL", "[15:0]", "cycles", "4", "between FCTBS messages (F1)"),
    r(OP, 7, "TX_INTERVAL", "[3:0]", "cycles/flit", "1", "pace of the sending link (B2)"),
    r(OP, 8, "LINE_TIMER", "[TIMER_W-1:0]", "cycles", "all ones", "life of a line without messages (E8)"),
    r(OP, 9, "LFSR_SEED", "[15:0]", "number", "-", "write: state of the marking LFSR (M2)"),
    r(OP, 10, "ERR_CLEAR", "[15:0]", "bits", "-", "write 1: clears that sticky error"),
    r(OP, 11, "OUT_TH", "[15:0]", "packets", "8", "det 3: more packets for an output are too many (SM5)"),
    r(
        OP,
        12,
        "VB_TH",
        "[15:0]",
        "flits",
        "33*QCAP/100",
        "an output is saturated above it; QCAP: OBLOCKS/VLS with CIOQ, else CAP (VM2)",
    ),
    r(
        OP,
        13,
        "XB_INTERVAL",
        "[3:0]",
        "cycles/flit",
        "1",
        "CIOQ: pace of the crossbar into the queue; 0 acts as 1, TX_INTERVAL at most (CQ2)",
    ),
    r(
        HT,
        0,
        "CTRL",
        "[4:0]",
        "bits",
        "0",
        "[0] enable, [1] sl_mode, [2] timer_per_sl, [3] restart, [4] cct_abs (H3-H7)",
    ),
    r(HT, 1, "CCTI_INCREASE", "[7:0]", "entries", "1", "added to the index by a BECN (H3)"),
    r(HT, 2, "CCTI_LIMIT", "[13:0]", "entry", "CCT-1", "largest index (H3)"),
    r(HT, 3, "CCTI_MIN", "[7:0]", "entry", "0", "the timer lowers no index below it (H4)"),
    r(HT, 4, "CCTI_TIMER", "[15:0]", "1.024 us", "150", "between two decrements; 0 never (H4)"),
    r(HT, 5, "TICK_CYCLES", "[15:0]", "cycles", "80", "in 1.024 us (H4)"),
    r(HT, 6, "LINK_INTERVAL", "[3:0]", "cycles/flit", "1", "pace of the link (H6)"),
    r(HT, 10, "ERR_CLEAR", "[15:0]", "bits", "-", "write 1: clears that sticky error"),
    r(
        HC,
        0,
        "CTRL",
        "[3:0]",
        "bits",
        "0",
        "[0] cnp_en: answer marks with a CNP, [1] cnp_queued: in the generation queues, [2] ack_en: answer data with ACKs, take ACKs (AK3 AK5), [3] cnp_src: marks are MB and VB, not FECN (H2)",
    ),
    r(HC, 1, "LID", "[15:0]", "LID", "0", "own LID"),
    r(HC, 2, "LID_BASE", "[15:0]", "LID", "1", "DLID of flow 0 (H1)"),
    r(HC, 3, "FC_INTERVAL", "[15:0]", "cycles", "4", "between credit messages of the receiver (F1)"),
    r(HC, 4, "BECN_PER", "[2:0]", "log2 of packets", "0", "packets that one CNP answers (H2)"),
    r(
        HC,
        5,
        "INJECT",
        "[3:0]",
        "packets",
        "0",
        "queued of flows that wait for no delay; 0: no limit, above 8 acts as 8 (H1)",
    ),
    r(HC, 10, "ERR_CLEAR", "[15:0]", "bits", "-", "write 1: clears that sticky error"),
    r(
        SR,
        0,
        "CTRL",
        "[7:0]",
        "bits",
        "0",
        "[0] enable, [3:1] resp: 1 LIPD, 2 FIMD, 3 AIMD, 4 slots (SR2, VR3), [4] dyn: window moves (VR2), [5] from_ack, [6] unit (SR3), [7] reset_empty (VR5)",
    ),
    r(SR, 1, "WMAX", "[7:0]", "packets", "1", "widest window; 0: no window (AK6)"),
    r(SR, 2, "RMIN_EXP", "[3:0]", "log2", "8", "lowest rate is 2^-RMIN_EXP; 2..8 (SR1)"),
    r(SR, 3, "WS_STEPS", "[3:0]", "steps", "3", "largest number of slot steps (VR4)"),
    r(SR, 4, "RTT_MIN", "[15:0]", "cycles", "1", "packet time of delays with unit = 1 (SR3)"),
    r(SR, 5, "SEVMAP", "[15:0]", "bits", "0xAA00", "severity of each combination of ACK bits (VR1)"),
    r(SR, 6, "LINK_INTERVAL", "[3:0]", "cycles/flit", "1", "pace of the link (H6, SR3)"),
    r(SR, 10, "ERR_CLEAR", "[15:0]", "bits", "-", "write 1: clears that sticky error"),
    r(
        RV,
        0,
        "CTRL",
        "[6:0]",
        "bits",
        "2",
        "[0] srp_en: messages are reserved (Q15), [1] rtt_comp: a GRANT's time counts from the RES (Q18), [2] spec_off: nothing is speculative (Q16), [3] merge: messages that wait become one (Q14), [4] fast: granted time for what is not answered (Q21), [5] inorder: granted time begins with all that is not answered, and speculative packets are taken in the order of their PSNs only; only with DEDUP = 1 (Q21), [6] walkin: packets without reservation are booked (Q15)",
    ),
    r(RV, 1, "EPS", "[15:0]", "1/65536", "3277", "so much more time is reserved than flits take (Q10)"),
    r(
        RV,
        2,
        "NMAX_RUN",
        "[6:0]",
        "packets",
        "NMAX",
        "in a chunk, at most; 0 acts as 1, more than NMAX as NMAX (Q15)",
    ),
    r(RV, 3, "NMIN", "[15:0]", "packets", "4", "shorter messages are sent without reservation (Q15)"),
    r(RV, 5, "RX_INTERVAL", "[3:0]", "cycles/flit", "1", "pace of the ejection link; 0 acts as 1 (Q10)"),
    r(
        RV,
        6,
        "RTO",
        "[31:0]",
        "cycles",
        "0",
        "DEDUP: without progress until packets go again; 0: never (Q22)",
    ),
    r(RV, 10, "ERR_CLEAR", "[6:0]", "bits", "-", "write 1: clears that sticky error"),
    r(WR, 0, "CTRL", "[0:0]", "bits", "0", "ADMIT, of the router: [0] admit_en: admission on (YA2)"),
    r(
        WR,
        1,
        "LIMIT",
        "[12:0]",
        "1/4096 of the link",
        "4096",
        "ADMIT: bandwidth of the output's link that may be booked; above 4096 acts as 4096 (YA2)",
    ),
    r(WR, 2, "WSHIFT", "[3:0]", "bits", "4", "ADMIT: weights of real-time lanes from what is booked (YA7)"),
    r(
        WR,
        3,
        "LHP",
        "[7:0]",
        "flits",
        "64",
        "real-time flits that may pass best-effort before it has a turn; 0: any number (YW6)",
    ),
    r(
        WR,
        5,
        "BE_MASK",
        "[15:0]",
        "lanes",
        "B highest data lanes",
        "of the router: best-effort lanes; B = max(1, (VLS-2)/4) (YW7)",
    ),
    r(WR, 6, "NODE_ID", "[15:0]", "number", "0", "ADMIT, of the router: its own number (YA3)"),
    r(
        WR,
        7,
        "NEXT",
        "[16:0]",
        "bits",
        "0",
        "ADMIT: [15:0] node: number of the node at the other end, [16] host: it is an adapter (YA2)",
    ),
    r(
        WR,
        8,
        "LFSR_SEED",
        "[15:0]",
        "number",
        "-",
        "write: state of the LFSR that draws lanes; 0 acts as 1 (YW4)",
    ),
    r(WR, 10, "ERR_CLEAR", "[7:0]", "bits", "-", "write 1: clears that sticky error"),
    weight(32, "WEIGHT_IN0", "of lane 0 at the input; 0 acts as 1 (YW5)"),
    weight(33, "WEIGHT_IN1", "of lane 1 at the input; 0 acts as 1 (YW5)"),
    weight(34, "WEIGHT_IN2", "of lane 2 at the input; 0 acts as 1 (YW5)"),
    weight(35, "WEIGHT_IN3", "of lane 3 at the input; 0 acts as 1 (YW5)"),
    weight(36, "WEIGHT_IN4", "of lane 4 at the input; 0 acts as 1 (YW5)"),
    weight(37, "WEIGHT_IN5", "of lane 5 at the input; 0 acts as 1 (YW5)"),
    weight(38, "WEIGHT_IN6", "of lane 6 at the input; 0 acts as 1 (YW5)"),
    weight(39, "WEIGHT_IN7", "of lane 7 at the input; 0 acts as 1 (YW5)"),
    weight(40, "WEIGHT_IN8", "of lane 8 at the input; 0 acts as 1 (YW5)"),
    weight(41, "WEIGHT_IN9", "of lane 9 at the input; 0 acts as 1 (YW5)"),
    weight(42, "WEIGHT_IN10", "of lane 10 at the input; 0 acts as 1 (YW5)"),
    weight(43, "WEIGHT_IN11", "of lane 11 at the input; 0 acts as 1 (YW5)"),
    weight(44, "WEIGHT_IN12", "of lane 12 at the input; 0 acts as 1 (YW5)"),
    weight(45, "WEIGHT_IN13", "of lane 13 at the input; 0 acts as 1 (YW5)"),
    weight(46, "WEIGHT_IN14", "of lane 14 at the input; 0 acts as 1 (YW5)"),
    weight(47, "WEIGHT_IN15", "of lane 15 at the input; 0 acts as 1 (YW5)"),
    weight(48, "WEIGHT_OUT0", "of lane 0 at the output; 0 acts as 1 (YW5)"),
    weight(49, "WEIGHT_OUT1", "of lane 1 at the output; 0 acts as 1 (YW5)"),
    weight(50, "WEIGHT_OUT2", "of lane 2 at the output; 0 acts as 1 (YW5)"),
    weight(51, "WEIGHT_OUT3", "of lane 3 at the output; 0 acts as 1 (YW5)"),
    weight(52, "WEIGHT_OUT4", "of lane 4 at the output; 0 acts as 1 (YW5)"),
    weight(53, "WEIGHT_OUT5", "of lane 5 at the output; 0 acts as 1 (YW5)"),
    weight(54, "WEIGHT_OUT6", "of lane 6 at the output; 0 acts as 1 (YW5)"),
    weight(55, "WEIGHT_OUT7", "of lane 7 at the output; 0 acts as 1 (YW5)"),
    weight(56, "WEIGHT_OUT8", "of lane 8 at the output; 0 acts as 1 (YW5)"),
    weight(57, "WEIGHT_OUT9", "of lane 9 at the output; 0 acts as 1 (YW5)"),
    weight(58, "WEIGHT_OUT10", "of lane 10 at the output; 0 acts as 1 (YW5)"),
    weight(59, "WEIGHT_OUT11", "of lane 11 at the output; 0 acts as 1 (YW5)"),
    weight(60, "WEIGHT_OUT12", "of lane 12 at the output; 0 acts as 1 (YW5)"),
    weight(61, "WEIGHT_OUT13", "of lane 13 at the output; 0 acts as 1 (YW5)"),
    weight(62, "WEIGHT_OUT14", "of lane 14 at the output; 0 acts as 1 (YW5)"),
    weight(63, "WEIGHT_OUT15", "of lane 15 at the output; 0 acts as 1 (YW5)"),
    r(
        WA,
        0,
        "CTRL",
        "[2:0]",
        "bits",
        "0",
        "[0] credit_en: posts need credits (YC1), [1] admit_en: opening needs a probe (YA4), [2] lost: connections that wait may be given up (YA4)",
    ),
    r(
        WA,
        1,
        "M",
        "[15:0]",
        "messages",
        "min(1024, MSGQ)",
        "real-time and best-effort messages in the adapter; acts as min(max(M, 1), MSGQ) (YC2)",
    ),
    r(WA, 2, "C_B", "[15:0]", "messages", "max(1, min(200, MSGQ/4))", "credits of best-effort (YC1)"),
    r(
        WA,
        3,
        "LIMIT",
        "[12:0]",
        "1/4096 of the link",
        "4096",
        "bandwidth that may be booked; above 4096 acts as 4096 (YA4)",
    ),
    r(WA, 4, "LID", "[15:0]", "LID", "0", "the adapter's own"),
    r(
        WA,
        5,
        "BE_MASK",
        "[15:0]",
        "lanes",
        "B highest data lanes",
        "best-effort lanes; B = max(1, (VLS-2)/4) (YW7)",
    ),
    r(
        WA,
        6,
        "LHP",
        "[7:0]",
        "flits",
        "64",
        "real-time flits that may pass best-effort, a flit of it: on the link and on the way into lanes; 0: any number (YW6, YC4)",
    ),
    r(WA, 7, "WSHIFT", "[3:0]", "bits", "4", "weights of real-time lanes from what is booked (YA7)"),
    r(
        WA,
        8,
        "LFSR_SEED",
        "[15:0]",
        "number",
        "-",
        "write: state of the LFSR that draws lanes; 0 acts as 1 (YC4)",
    ),
    r(WA, 9, "FIRST_NODE", "[15:0]", "number", "0", "of the router at the other end of the link (YA4)"),
    r(WA, 10, "ERR_CLEAR", "[9:0]", "bits", "-", "write 1: clears that sticky error"),
    r(
        WA,
        11,
        "BE_WEIGHT",
        "[7:0]",
        "flits",
        "1",
        "weight of each best-effort lane and of the control lane; 0 acts as 1 (YW6)",
    ),
    r(
        WA,
        12,
        "PROBE_GAP",
        "[15:0]",
        "cycles",
        "0",
        "at least so many from one accepted open with a probe to the next one's turn (YA4)",
    ),
    r(
        IC,
        0,
        "CTRL",
        "[2:0]",
        "bits",
        "4",
        "[1:0] scheme: 0 none, 1 ALO (YL1), 2 Self-Tuned (YS2); 3 acts as 0, [2] count_router: the router's full lanes are counted here (YS1)",
    ),
    r(
        IC,
        1,
        "CHANNELS",
        "[15:0]",
        "outputs",
        "all outputs",
        "of which one with all lanes free is enough (YL1)",
    ),
    r(
        IC,
        2,
        "HOLD_MAX",
        "[15:0]",
        "cycles",
        "65535",
        "longest time that a header is held; 0: no bound (YL1)",
    ),
    r(IC, 3, "GATHER", "[3:0]", "log2 of cycles", "5", "time between sums (YS2)"),
    r(IC, 4, "UP", "[15:0]", "lanes", "15", "step of the threshold up; 0 acts as 1 (YS3)"),
    r(
        IC,
        5,
        "BE_MASK",
        "[15:0]",
        "lanes",
        "B highest data lanes",
        "best-effort lanes, as the router's; B = max(1, (VLS-2)/4) (YW7)",
    ),
    r(IC, 6, "DOWN", "[15:0]", "lanes", "61", "step of the threshold down (YS3)"),
    r(IC, 7, "ALL", "[23:0]", "lanes", "1536", "of all routers and adapters: highest threshold (YS3)"),
    r(
        IC,
        9,
        "T",
        "[23:0]",
        "lanes",
        "-",
        "the threshold, 15 after reset; a write sets it, and what tuning has learnt is forgotten (YS3)",
    ),
];

/// The address of a register.
///
/// # Panics
/// If the unit has no such register (a programming error).
pub fn addr(unit: UnitKind, name: &str) -> u8 {
    match REGISTERS.iter().find(|r| r.unit == unit && r.name == name) {
        Some(r) => r.addr,
        None => panic!("{} has no register {name}", unit.module()),
    }
}

/// One elaboration parameter.
#[derive(Clone, Copy, Debug)]
pub struct Elaboration {
    /// RTL name.
    pub name: &'static str,
    /// Unit of the value.
    pub measure: &'static str,
    /// Legal values.
    pub legal: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
    /// Meaning.
    pub text: &'static str,
}

const fn e(
    name: &'static str,
    measure: &'static str,
    legal: &'static str,
    source: &'static str,
    text: &'static str,
) -> Elaboration {
    Elaboration { name, measure, legal, source, text }
}

/// Every elaboration parameter.
pub const ELABORATION: &[Elaboration] = &[
    e("PORTS", "ports", "1..64", "EcoCC 4.1", "switch ports"),
    e("VLS", "VLs", "1..16; with VL_BY_DEST = 1 1..64", "EcoCC 3.1", "virtual lanes"),
    e("MTU", "flits", "1..64", "EcoCC 4.1", "largest packet"),
    e(
        "BLOCKS",
        "64 bytes",
        "multiple of VLS; MTU <= BLOCKS/VLS <= 2048; with SRP the sum of its lanes",
        "EcoCC 4.1",
        "input buffer of a port",
    ),
    e("HPQS", "queues", "1..8", "EcoCC 4.1", "hot-packet queues of an input port"),
    e("LINES", "lines", "1..32", "EcoCC 4.1 (P-1+HPQS)", "CAM lines of a port"),
    e("DLIST", "DLIDs", "1..32", "EcoCC 4.1", "destinations of a CAM line"),
    e("LFT_DEPTH", "entries", "2..65536", "project", "forwarding table: DLIDs 0..LFT_DEPTH-1"),
    e("FLIT_BYTES", "bytes", "32 or 64", "project", "bytes of a 64-byte flit that the hardware carries"),
    e("TIMER_W", "bits", "4..32", "project", "CAM line timer"),
    e(
        "ONE_QUEUE",
        "0/1",
        "0..1; 1 needs VLS = 1",
        "CCFIT III-A",
        "one cold queue and one read port instead of VOQs (1Q, FBICM, CCFIT)",
    ),
    e("ISOLATION", "0/1", "0..1", "project", "CAM lines and HPQs are built (HFDI, EcoCC)"),
    e("PARITY", "0/1", "0..1", "project", "parity on the control state; errors are bit 15 of err"),
    e("VL_BY_DEST", "0/1", "0..1", "project", "the VL is DLID mod VLS (VOQnet)"),
    e("MARKERS", "0/1", "0..1", "Santos, MVCM", "fill events, counts of packets, MB and VB are built"),
    e(
        "STAMP_W",
        "bits",
        "0 or 8..32; above 0 needs ONE_QUEUE = 0 and ISOLATION = 0",
        "Santos",
        "stamps of packets (oldest first, limit of bypassing); 0: none",
    ),
    e(
        "CIOQ",
        "0/1",
        "0..1; 1 needs ONE_QUEUE = 0 and ISOLATION = 0",
        "MVCM, Pfister",
        "a queue at each output, into which the crossbar may be faster than the link",
    ),
    e(
        "OBLOCKS",
        "64 bytes",
        "with CIOQ = 1: multiple of VLS; MTU <= OBLOCKS/VLS <= 2048",
        "MVCM",
        "queue of an output",
    ),
    e(
        "CTL_VL",
        "0/1",
        "0..1; 1 needs VLS >= 2 and ONE_QUEUE = ISOLATION = VL_BY_DEST = CIOQ = 0",
        "SRP's ECN",
        "the highest VL is a control lane for replies, which goes first",
    ),
    e(
        "SRP",
        "0/1",
        "0..1; 1 needs VLS = 4..11 and ONE_QUEUE = ISOLATION = VL_BY_DEST = MARKERS = STAMP_W = CIOQ = CTL_VL = PARITY = 0",
        "SRP",
        "lanes of the reservation protocol: VLS-3 for data, then spec, res and reply",
    ),
    e("DATA_BLOCKS", "64 bytes", "with SRP = 1: MTU..2048", "SRP", "input buffer of each lane of data"),
    e("SPEC_BLOCKS", "64 bytes", "with SRP = 1: MTU..2048", "SRP", "input buffer of the lane spec"),
    e(
        "CTL_BLOCKS",
        "64 bytes",
        "with SRP = 1: 2..512",
        "SRP",
        "input buffer of each of the lanes res and reply",
    ),
    e(
        "RANDOM_UP",
        "0/1",
        "0..1; 1 needs PORTS <= 32 and ONE_QUEUE = ISOLATION = VL_BY_DEST = MARKERS = STAMP_W = CIOQ = PARITY = 0",
        "SRP",
        "a route may be any up port, drawn for each packet",
    ),
    e("ITERATIONS", "iterations", "1..8", "iSLIP", "of a switch's match, with ONE_QUEUE = 1"),
    e("ADVOQ", "packets", "power of two, 2..256", "project", "per generation queue of an adapter"),
    e(
        "RX_BLOCKS",
        "64 bytes",
        "multiple of VLS; MTU <= RX_BLOCKS/VLS <= 2048",
        "project",
        "receive FIFO of an adapter",
    ),
    e(
        "CNPQ",
        "replies",
        "power of two, 2..4096; VLS*CNPQ <= 32768",
        "project",
        "CNPs and ACKs waiting in an adapter, per VL",
    ),
    e(
        "RESPONSE",
        "0/1",
        "0..1",
        "project",
        "chooses among an adapter's flows: 0 the throttle, 1 the source response (ACKs, windows)",
    ),
    e("CNT_W", "bits", "2..32", "project", "counters of packets (marked, sent, received, CNPs, BECNs, ACKs)"),
    e("FLOWS", "flows", "2..4096", "project", "flows of the throttle"),
    e("CCT", "entries", "power of two, 8..16384", "InfiniBand (at least 128)", "congestion control table"),
    e("NMAX", "packets", "power of two, 1..64", "SRP", "in a chunk, which is reserved as one, at most"),
    e(
        "MSGQ",
        "messages",
        "power of two, 2..64; of a worm_adapter 2..4096",
        "project",
        "of a flow that wait to be sent; in a worm_adapter real-time, and best-effort",
    ),
    e("REPQ", "replies", "power of two, 2..256", "project", "GRANTs, ACKs and NACKs that wait to be sent"),
    e(
        "NOW_W",
        "bits",
        "12..32; FLOWS*64 < 2^(NOW_W-1); FLOWS*NMAX*MTU*2 < 2^(NOW_W-2)",
        "project",
        "times of reservations in cycles",
    ),
    e(
        "DEDUP",
        "0/1",
        "0..1; 1 needs SRP = 1",
        "project",
        "losses of reservation end: time-out, and a table of what has come",
    ),
    e("DEPTH", "flits", "2..64", "Yum: 10", "a lane of an input of a worm_router holds"),
    e("ADMIT", "0/1", "0..1", "Yum", "admission of streams in a worm_router: probes book bandwidth"),
    e("LANE", "flits", "2..64", "project", "a lane of a worm_adapter holds; a message is no longer"),
    e("CONNS", "connections", "2..1024", "project", "streams of a worm_adapter"),
    e("CTLQ", "messages", "power of two, 2..64", "project", "of control that wait in a worm_adapter"),
    e("TS_W", "bits", "8..32; 2^(TS_W-2) >= 4*max(FLOWS, 16)", "project", "time stamps in cycles (LTI)"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    #[test]
    fn elaboration_parameters_are_those_of_the_units() {
        let d = Params::default();
        for unit in UnitKind::ALL {
            for name in unit.parameter_names() {
                assert!(ELABORATION.iter().any(|e| e.name == *name), "{name}");
            }
        }
        for e in ELABORATION {
            assert!(d.get(e.name).is_some(), "{}", e.name);
            assert!(include_str!("../docs/conventions.md").contains(e.name), "{}", e.name);
        }
        // plain ranges are those that Params::check enforces
        let reject = |name: &str, v: usize| {
            let mut p = d;
            match name {
                "PORTS" => p.ports = v,
                "VLS" => p.vls = v,
                "MTU" => p.mtu = v,
                "HPQS" => p.hpqs = v,
                "LINES" => p.lines = v,
                "DLIST" => p.dlist = v,
                "LFT_DEPTH" => p.lft_depth = v,
                "TIMER_W" => p.timer_w = v,
                "ITERATIONS" => p.iterations = v,
                "CNT_W" => p.cnt_w = v,
                "FLOWS" => p.flows = v,
                _ => return true,
            }
            p.check().is_err_and(|e| e.contains(name))
        };
        for e in ELABORATION {
            if let Some((lo, hi)) = e.legal.split_once("..")
                && let (Ok(lo), Ok(hi)) = (lo.parse::<usize>(), hi.parse::<usize>())
            {
                assert!(lo == 0 || reject(e.name, lo - 1), "{}", e.name);
                assert!(reject(e.name, hi + 1), "{}", e.name);
            }
        }
    }
}
