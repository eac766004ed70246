//! Elaboration parameters of the units, and named sets of them.

pub mod lanes;

use lanes::SrpLane;

/// The entry of a forwarding table that is any up port (UP1).
pub const ANY_UP: u8 = 0xfe;

/// Which unit a parameter set or signal table belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKind {
    /// `switch_input_port`
    InputPort,
    /// `switch_output_port`
    OutputPort,
    /// `hca_throttle`
    HcaThrottle,
    /// `switch`
    Switch,
    /// `hca`
    Hca,
    /// `source_response`
    SourceResponse,
    /// `reservation`
    Reservation,
    /// `worm_router`
    WormRouter,
    /// `worm_adapter`
    WormAdapter,
    /// `injection_control`
    InjectionControl,
}

impl UnitKind {
    /// All units.
    pub const ALL: [UnitKind; 10] = [
        UnitKind::InputPort,
        UnitKind::OutputPort,
        UnitKind::HcaThrottle,
        UnitKind::Switch,
        UnitKind::Hca,
        UnitKind::SourceResponse,
        UnitKind::Reservation,
        UnitKind::WormRouter,
        UnitKind::WormAdapter,
        UnitKind::InjectionControl,
    ];

    /// Those that are not joined of other units.
    pub const ALONE: [UnitKind; 8] = [
        UnitKind::InputPort,
        UnitKind::OutputPort,
        UnitKind::HcaThrottle,
        UnitKind::SourceResponse,
        UnitKind::Reservation,
        UnitKind::WormRouter,
        UnitKind::WormAdapter,
        UnitKind::InjectionControl,
    ];

    /// The RTL module name.
    pub fn module(self) -> &'static str {
        match self {
            UnitKind::InputPort => "switch_input_port",
            UnitKind::OutputPort => "switch_output_port",
            UnitKind::HcaThrottle => "hca_throttle",
            UnitKind::Switch => "switch",
            UnitKind::Hca => "hca",
            UnitKind::SourceResponse => "source_response",
            UnitKind::Reservation => "reservation",
            UnitKind::WormRouter => "worm_router",
            UnitKind::WormAdapter => "worm_adapter",
            UnitKind::InjectionControl => "injection_control",
        }
    }

    /// The unit that has this name on the command line.
    pub fn named(name: &str) -> Option<UnitKind> {
        UnitKind::ALL.into_iter().find(|u| u.cli_name() == name)
    }

    /// The name on the command line.
    pub fn cli_name(self) -> &'static str {
        match self {
            UnitKind::InputPort => "input-port",
            UnitKind::OutputPort => "output-port",
            UnitKind::HcaThrottle => "hca-throttle",
            UnitKind::Switch => "switch",
            UnitKind::Hca => "hca",
            UnitKind::SourceResponse => "source-response",
            UnitKind::Reservation => "reservation",
            UnitKind::WormRouter => "worm-router",
            UnitKind::WormAdapter => "worm-adapter",
            UnitKind::InjectionControl => "injection-control",
        }
    }

    /// RTL parameters of the unit, in the order in which they are passed to elaboration.
    pub fn parameter_names(self) -> &'static [&'static str] {
        match self {
            UnitKind::InputPort => &[
                "PORTS",
                "VLS",
                "MTU",
                "BLOCKS",
                "HPQS",
                "LINES",
                "DLIST",
                "LFT_DEPTH",
                "FLIT_BYTES",
                "TIMER_W",
                "ONE_QUEUE",
                "ISOLATION",
                "VL_BY_DEST",
                "MARKERS",
                "STAMP_W",
                "CIOQ",
                "CTL_VL",
                "SRP",
                "DATA_BLOCKS",
                "SPEC_BLOCKS",
                "CTL_BLOCKS",
                "RANDOM_UP",
                "PARITY",
            ],
            UnitKind::OutputPort => &[
                "PORTS",
                "VLS",
                "MTU",
                "BLOCKS",
                "LINES",
                "DLIST",
                "FLIT_BYTES",
                "TIMER_W",
                "ONE_QUEUE",
                "ISOLATION",
                "VL_BY_DEST",
                "CNT_W",
                "MARKERS",
                "STAMP_W",
                "CIOQ",
                "OBLOCKS",
                "CTL_VL",
                "SRP",
                "DATA_BLOCKS",
                "PARITY",
            ],
            UnitKind::HcaThrottle => &["VLS", "VL_BY_DEST", "FLOWS", "CCT", "TS_W", "PARITY"],
            UnitKind::SourceResponse => &["VLS", "VL_BY_DEST", "FLOWS", "TS_W", "PARITY"],
            UnitKind::Reservation => {
                &["VLS", "MTU", "FLOWS", "CTL_BLOCKS", "CNT_W", "NMAX", "MSGQ", "REPQ", "NOW_W", "DEDUP"]
            }
            UnitKind::WormRouter => &["PORTS", "VLS", "DEPTH", "LFT_DEPTH", "ADMIT", "CNT_W"],
            UnitKind::WormAdapter => &["VLS", "DEPTH", "LANE", "CONNS", "MSGQ", "CTLQ", "CNT_W"],
            UnitKind::InjectionControl => &["PORTS", "VLS", "LFT_DEPTH"],
            UnitKind::Switch => &[
                "PORTS",
                "VLS",
                "MTU",
                "BLOCKS",
                "HPQS",
                "LINES",
                "DLIST",
                "LFT_DEPTH",
                "FLIT_BYTES",
                "TIMER_W",
                "ONE_QUEUE",
                "ISOLATION",
                "VL_BY_DEST",
                "ITERATIONS",
                "CNT_W",
                "MARKERS",
                "STAMP_W",
                "CIOQ",
                "OBLOCKS",
                "CTL_VL",
                "SRP",
                "DATA_BLOCKS",
                "SPEC_BLOCKS",
                "CTL_BLOCKS",
                "RANDOM_UP",
                "PARITY",
            ],
            UnitKind::Hca => &[
                "VLS",
                "MTU",
                "BLOCKS",
                "HPQS",
                "LINES",
                "DLIST",
                "LFT_DEPTH",
                "FLIT_BYTES",
                "TIMER_W",
                "ISOLATION",
                "VL_BY_DEST",
                "FLOWS",
                "CCT",
                "TS_W",
                "ADVOQ",
                "RX_BLOCKS",
                "CNPQ",
                "CNT_W",
                "RESPONSE",
                "CTL_VL",
                "SRP",
                "CTL_BLOCKS",
                "NMAX",
                "MSGQ",
                "REPQ",
                "NOW_W",
                "DEDUP",
                "PARITY",
            ],
        }
    }
}

/// Every elaboration parameter (a unit uses those named by [`UnitKind::parameter_names`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each field is the RTL parameter of the same name; docs/conventions.md
pub struct Params {
    pub ports: usize,
    pub vls: usize,
    pub mtu: usize,
    pub blocks: usize,
    pub hpqs: usize,
    pub lines: usize,
    pub dlist: usize,
    pub lft_depth: usize,
    pub flit_bytes: usize,
    pub timer_w: usize,
    pub one_queue: bool,
    pub isolation: bool,
    pub vl_by_dest: bool,
    pub markers: bool,
    pub stamp_w: usize,
    pub cioq: bool,
    pub oblocks: usize,
    pub ctl_vl: bool,
    pub srp: bool,
    pub data_blocks: usize,
    pub spec_blocks: usize,
    pub ctl_blocks: usize,
    pub random_up: bool,
    pub iterations: usize,
    pub flows: usize,
    pub cct: usize,
    pub ts_w: usize,
    pub advoq: usize,
    pub rx_blocks: usize,
    pub cnpq: usize,
    pub cnt_w: usize,
    pub response: bool,
    pub nmax: usize,
    pub msgq: usize,
    pub repq: usize,
    pub now_w: usize,
    pub dedup: bool,
    pub depth: usize,
    pub admit: bool,
    pub lane: usize,
    pub conns: usize,
    pub ctlq: usize,
    pub parity: bool,
}

impl Default for Params {
    /// The EcoCC paper's 8-port switch and a 64-flow adapter.
    fn default() -> Self {
        Params {
            ports: 8,
            vls: 1,
            mtu: 32,
            blocks: 2048,
            hpqs: 2,
            lines: 9,
            dlist: 8,
            lft_depth: 1024,
            flit_bytes: 64,
            timer_w: 32,
            one_queue: false,
            isolation: true,
            vl_by_dest: false,
            markers: false,
            stamp_w: 0,
            cioq: false,
            oblocks: 2048,
            ctl_vl: false,
            srp: false,
            data_blocks: 512,
            spec_blocks: 512,
            ctl_blocks: 64,
            random_up: false,
            iterations: 1,
            flows: 64,
            cct: 128,
            ts_w: 24,
            advoq: 8,
            rx_blocks: 256,
            cnpq: 16,
            cnt_w: 32,
            response: false,
            nmax: 16,
            msgq: 8,
            repq: 16,
            now_w: 32,
            dedup: false,
            depth: 10,
            admit: false,
            lane: 40,
            conns: 256,
            ctlq: 16,
            parity: false,
        }
    }
}

impl Params {
    /// Blocks of the input buffer that a VL owns; VL 0 is one of data, whose share register values and tests go by.
    pub fn cap(&self, vl: usize) -> usize {
        match self.srp_lane(vl) {
            None => self.blocks / self.vls,
            Some(SrpLane::Data) => self.data_blocks,
            Some(SrpLane::Spec) => self.spec_blocks,
            Some(SrpLane::Res | SrpLane::Reply) => self.ctl_blocks,
        }
    }

    /// Q1: blocks of an input buffer with SRP.
    pub fn srp_blocks(&self) -> usize {
        SrpLane::data_lanes(self.vls) * self.data_blocks + self.spec_blocks + 2 * self.ctl_blocks
    }

    /// Q1: what a lane is for; none without SRP.
    pub fn srp_lane(&self, vl: usize) -> Option<SrpLane> {
        self.srp.then(|| SrpLane::of(vl, self.vls))
    }

    /// The same of an output's queue (CQ1); 0: there is none.
    pub fn ocap(&self) -> usize {
        if self.cioq { self.oblocks / self.vls } else { 0 }
    }

    /// The same of an adapter's receive FIFO, and of its part of the lanes of RES and replies.
    pub fn rx_cap(&self, vl: usize) -> usize {
        match self.srp_lane(vl) {
            Some(SrpLane::Res | SrpLane::Reply) => self.ctl_blocks,
            _ => self.rx_blocks / self.packet_lanes(),
        }
    }

    /// VLs on which packets of the hosts are: those of data, with SRP and spec.
    pub fn packet_lanes(&self) -> usize {
        if self.srp { SrpLane::data_lanes(self.vls) + 1 } else { self.vls }
    }

    /// CL1: the lane of replies, the highest one.
    pub fn control_lane(&self) -> Option<usize> {
        self.ctl_vl.then(|| self.vls - 1)
    }

    /// CL2, Q1: lanes of data, the lowest ones.
    pub fn data_lanes(&self) -> usize {
        if self.srp { SrpLane::data_lanes(self.vls) } else { self.control_lane().unwrap_or(self.vls) }
    }

    /// Width of a packet's age (AG1).
    pub fn age_w(&self) -> usize {
        self.stamp_w.max(1)
    }

    /// Where the counters of packets stop.
    pub fn cnt_max(&self) -> u32 {
        u32::MAX >> (32 - self.cnt_w)
    }

    /// Entities of the throttle unit (flows, and at least one per SL).
    pub fn entities(&self) -> usize {
        self.flows.max(16)
    }

    /// Lanes among which the throttle unit, or the source response, goes round (NV of their pages).
    pub fn throttle_lanes(&self) -> usize {
        if self.vl_by_dest { self.vls } else { self.vls.min(16) }
    }

    /// Flow pointers of the same (NC of their pages): one per SL, or per lane.
    pub fn throttle_classes(&self) -> usize {
        if self.vl_by_dest { self.vls } else { 16 }
    }

    /// What chooses among the flows of an adapter.
    pub fn chooser(&self) -> UnitKind {
        match (self.srp, self.response) {
            (true, _) => UnitKind::Reservation,
            (_, true) => UnitKind::SourceResponse,
            _ => UnitKind::HcaThrottle,
        }
    }

    /// Cycles that `ready_o` stays low after reset.
    pub fn init_cycles(&self, unit: UnitKind) -> usize {
        match unit {
            UnitKind::InputPort | UnitKind::Switch | UnitKind::WormRouter | UnitKind::InjectionControl => {
                self.lft_depth
            }
            UnitKind::OutputPort => 0,
            UnitKind::HcaThrottle => self.flows.max(self.cct).max(16),
            UnitKind::SourceResponse => self.flows.max(16),
            UnitKind::Reservation => self.flows,
            UnitKind::WormAdapter => self.conns,
            UnitKind::Hca => self.init_cycles(self.chooser()).max(self.lft_depth),
        }
    }

    /// The value of an RTL parameter by its RTL name.
    pub fn get(&self, name: &str) -> Option<usize> {
        Some(match name {
            "PORTS" => self.ports,
            "VLS" => self.vls,
            "MTU" => self.mtu,
            "BLOCKS" => self.blocks,
            "HPQS" => self.hpqs,
            "LINES" => self.lines,
            "DLIST" => self.dlist,
            "LFT_DEPTH" => self.lft_depth,
            "FLIT_BYTES" => self.flit_bytes,
            "TIMER_W" => self.timer_w,
            "ONE_QUEUE" => usize::from(self.one_queue),
            "ISOLATION" => usize::from(self.isolation),
            "VL_BY_DEST" => usize::from(self.vl_by_dest),
            "MARKERS" => usize::from(self.markers),
            "STAMP_W" => self.stamp_w,
            "CIOQ" => usize::from(self.cioq),
            "OBLOCKS" => self.oblocks,
            "CTL_VL" => usize::from(self.ctl_vl),
            "SRP" => usize::from(self.srp),
            "DATA_BLOCKS" => self.data_blocks,
            "SPEC_BLOCKS" => self.spec_blocks,
            "CTL_BLOCKS" => self.ctl_blocks,
            "RANDOM_UP" => usize::from(self.random_up),
            "ITERATIONS" => self.iterations,
            "ADVOQ" => self.advoq,
            "RX_BLOCKS" => self.rx_blocks,
            "CNPQ" => self.cnpq,
            "CNT_W" => self.cnt_w,
            "FLOWS" => self.flows,
            "CCT" => self.cct,
            "TS_W" => self.ts_w,
            "RESPONSE" => usize::from(self.response),
            "NMAX" => self.nmax,
            "MSGQ" => self.msgq,
            "REPQ" => self.repq,
            "NOW_W" => self.now_w,
            "DEDUP" => usize::from(self.dedup),
            "DEPTH" => self.depth,
            "ADMIT" => usize::from(self.admit),
            "LANE" => self.lane,
            "CONNS" => self.conns,
            "CTLQ" => self.ctlq,
            "PARITY" => usize::from(self.parity),
            _ => return None,
        })
    }

    /// Sets a parameter by its RTL name; false if there is none of that name. A flag is set by any value but 0.
    pub fn set(&mut self, name: &str, value: usize) -> bool {
        let flag = value != 0;
        match name {
            "PORTS" => self.ports = value,
            "VLS" => self.vls = value,
            "MTU" => self.mtu = value,
            "BLOCKS" => self.blocks = value,
            "HPQS" => self.hpqs = value,
            "LINES" => self.lines = value,
            "DLIST" => self.dlist = value,
            "LFT_DEPTH" => self.lft_depth = value,
            "FLIT_BYTES" => self.flit_bytes = value,
            "TIMER_W" => self.timer_w = value,
            "ONE_QUEUE" => self.one_queue = flag,
            "ISOLATION" => self.isolation = flag,
            "VL_BY_DEST" => self.vl_by_dest = flag,
            "MARKERS" => self.markers = flag,
            "STAMP_W" => self.stamp_w = value,
            "CIOQ" => self.cioq = flag,
            "OBLOCKS" => self.oblocks = value,
            "CTL_VL" => self.ctl_vl = flag,
            "SRP" => self.srp = flag,
            "DATA_BLOCKS" => self.data_blocks = value,
            "SPEC_BLOCKS" => self.spec_blocks = value,
            "CTL_BLOCKS" => self.ctl_blocks = value,
            "RANDOM_UP" => self.random_up = flag,
            "ITERATIONS" => self.iterations = value,
            "ADVOQ" => self.advoq = value,
            "RX_BLOCKS" => self.rx_blocks = value,
            "CNPQ" => self.cnpq = value,
            "CNT_W" => self.cnt_w = value,
            "FLOWS" => self.flows = value,
            "CCT" => self.cct = value,
            "TS_W" => self.ts_w = value,
            "RESPONSE" => self.response = flag,
            "NMAX" => self.nmax = value,
            "MSGQ" => self.msgq = value,
            "REPQ" => self.repq = value,
            "NOW_W" => self.now_w = value,
            "DEDUP" => self.dedup = flag,
            "DEPTH" => self.depth = value,
            "ADMIT" => self.admit = flag,
            "LANE" => self.lane = value,
            "CONNS" => self.conns = value,
            "CTLQ" => self.ctlq = value,
            "PARITY" => self.parity = flag,
            _ => return false,
        }
        true
    }

    /// Whether a parameter is 0 or 1.
    pub fn is_flag(name: &str) -> bool {
        let flags = ["ONE_QUEUE", "ISOLATION", "VL_BY_DEST", "MARKERS", "CIOQ", "CTL_VL", "SRP", "RANDOM_UP"];
        flags.contains(&name) || ["RESPONSE", "PARITY", "DEDUP", "ADMIT"].contains(&name)
    }

    /// Checks a set against `docs/conventions.md`; the message names the parameter and its legal range. With SRP it is one of a switch
    /// and its ports: an adapter's buffers have other lanes ([`Params::check_unit`]).
    pub fn check(&self) -> Result<(), String> {
        self.check_for(UnitKind::Switch)
    }

    /// The same, with the buffers of a unit.
    fn check_for(&self, unit: UnitKind) -> Result<(), String> {
        range("PORTS", self.ports, 1, 64)?;
        if !self.vl_by_dest && self.vls > 16 {
            return Err(format!(
                "parameter VLS = {} is out of range: legal is 1..16, or 1..64 with VL_BY_DEST = 1",
                self.vls
            ));
        }
        range("VLS", self.vls, 1, 64)?;
        range("MTU", self.mtu, 1, 64)?;
        if self.dedup && !self.srp {
            return Err("parameter DEDUP = 1 needs SRP = 1, and SRP is 0".into());
        }
        if self.srp {
            self.check_srp()?;
            range("CTL_BLOCKS", self.ctl_blocks, 2, 512)?;
        }
        if self.srp && unit == UnitKind::Hca {
            self.check_lanes_of_adapter()?;
        } else if self.srp && unit != UnitKind::Reservation {
            range("DATA_BLOCKS", self.data_blocks, self.mtu, 2048)?;
            range("SPEC_BLOCKS", self.spec_blocks, self.mtu, 2048)?;
            if self.blocks != self.srp_blocks() {
                return Err(format!(
                    "parameter BLOCKS = {} must be (VLS-3)*DATA_BLOCKS + SPEC_BLOCKS + 2*CTL_BLOCKS = {} with SRP = 1",
                    self.blocks,
                    self.srp_blocks()
                ));
            }
        } else if !self.srp && !self.blocks.is_multiple_of(self.vls) {
            return Err(format!(
                "parameter BLOCKS = {} must be a multiple of VLS = {}",
                self.blocks, self.vls
            ));
        } else if !self.srp {
            range("BLOCKS/VLS", self.cap(0), self.mtu, 2048)?;
        }
        range("HPQS", self.hpqs, 1, 8)?;
        range("LINES", self.lines, 1, 32)?;
        range("DLIST", self.dlist, 1, 32)?;
        range("LFT_DEPTH", self.lft_depth, 2, 65536)?;
        if self.flit_bytes != 32 && self.flit_bytes != 64 {
            return Err(format!("parameter FLIT_BYTES = {} must be 32 or 64", self.flit_bytes));
        }
        range("TIMER_W", self.timer_w, 4, 32)?;
        if self.one_queue && self.vls != 1 {
            return Err("parameter ONE_QUEUE = 1 needs VLS = 1".into());
        }
        if self.stamp_w != 0 && !(8..=32).contains(&self.stamp_w) {
            return Err(format!("parameter STAMP_W = {} is out of range: legal is 0 or 8..32", self.stamp_w));
        }
        if self.stamp_w > 0 && (self.one_queue || self.isolation) {
            return Err(format!(
                "parameter STAMP_W = {} needs ONE_QUEUE = 0 and ISOLATION = 0",
                self.stamp_w
            ));
        }
        if self.cioq && (self.one_queue || self.isolation) {
            return Err("parameter CIOQ = 1 needs ONE_QUEUE = 0 and ISOLATION = 0".into());
        }
        if self.cioq {
            if !self.oblocks.is_multiple_of(self.vls) {
                return Err(format!(
                    "parameter OBLOCKS = {} must be a multiple of VLS = {}",
                    self.oblocks, self.vls
                ));
            }
            range("OBLOCKS/VLS", self.ocap(), self.mtu, 2048)?;
        }
        if self.ctl_vl && self.vls < 2 {
            return Err(format!("parameter CTL_VL = 1 needs VLS >= 2, and VLS is {}", self.vls));
        }
        if self.ctl_vl && (self.one_queue || self.isolation || self.vl_by_dest || self.cioq) {
            return Err(
                "parameter CTL_VL = 1 needs ONE_QUEUE = 0, ISOLATION = 0, VL_BY_DEST = 0 and CIOQ = 0".into(),
            );
        }
        if self.random_up {
            self.check_random_up()?;
        }
        range("ITERATIONS", self.iterations, 1, 8)?;
        range("CNT_W", self.cnt_w, 2, 32)?;
        power_of_two("ADVOQ", self.advoq)?;
        range("ADVOQ", self.advoq, 2, 256)?;
        if !self.srp && !self.rx_blocks.is_multiple_of(self.vls) {
            return Err(format!(
                "parameter RX_BLOCKS = {} must be a multiple of VLS = {}",
                self.rx_blocks, self.vls
            ));
        }
        if !self.srp {
            range("RX_BLOCKS/VLS", self.rx_cap(0), self.mtu, 2048)?;
        }
        if !self.cnpq.is_power_of_two() || !(2..=4096).contains(&self.cnpq) {
            return Err(format!("parameter CNPQ = {} must be a power of two, 2..4096", self.cnpq));
        }
        if self.vls * self.cnpq > 32768 {
            return Err(format!(
                "parameters CNPQ = {} and VLS = {}: VLS * CNPQ is at most 32768, as st_cnp_pkts has 16 bits",
                self.cnpq, self.vls
            ));
        }
        range("FLOWS", self.flows, 2, 4096)?;
        power_of_two("CCT", self.cct)?;
        range("CCT", self.cct, 8, 16384)?;
        range("TS_W", self.ts_w, 8, 32)?;
        if (1usize << (self.ts_w - 2)) < 4 * self.entities() {
            return Err(format!(
                "parameter TS_W = {} is too small: 2^(TS_W-2) must be at least 4 * max(FLOWS, 16) = {}",
                self.ts_w,
                4 * self.entities()
            ));
        }
        for (name, value, lo, hi) in
            [("NMAX", self.nmax, 1, 64), ("MSGQ", self.msgq, 2, 64), ("REPQ", self.repq, 2, 256)]
        {
            power_of_two(name, value)?;
            range(name, value, lo, hi)?;
        }
        range("NOW_W", self.now_w, 12, 32)?;
        self.check_times()
    }

    /// Q10, Q19: times of reservations are told apart.
    fn check_times(&self) -> Result<(), String> {
        let Params { flows, nmax, mtu, now_w, .. } = *self;
        if flows * 64 >= 1 << (now_w - 1) {
            return Err(format!(
                "parameter NOW_W = {now_w} is too small: 2^(NOW_W-1) must be more than FLOWS * 64 = {}",
                flows * 64
            ));
        }
        let booked = flows * nmax * mtu * 2;
        if booked >= 1 << (now_w - 2) {
            return Err(format!(
                "parameter NOW_W = {now_w} is too small: 2^(NOW_W-2) must be more than FLOWS * NMAX * MTU * 2 = {booked}"
            ));
        }
        Ok(())
    }

    /// What the parameters of a unit need beside [`Params::check`].
    pub fn check_unit(&self, unit: UnitKind) -> Result<(), String> {
        if unit == UnitKind::WormRouter {
            return self.check_worm_router();
        }
        if unit == UnitKind::WormAdapter {
            return self.check_worm_adapter();
        }
        if unit == UnitKind::InjectionControl {
            return self.check_injection_control();
        }
        self.check_for(unit)?;
        match unit {
            UnitKind::Reservation if !self.srp => Err("the unit reservation needs SRP = 1".into()),
            UnitKind::Hca if self.srp && self.response => {
                Err("parameter SRP = 1 of an adapter needs RESPONSE = 0, and RESPONSE is 1".into())
            }
            _ => Ok(()),
        }
    }

    /// A wormhole router: `docs/worm-router.md`. It has neither packets nor buffers of blocks.
    fn check_worm_router(&self) -> Result<(), String> {
        range("PORTS", self.ports, 2, 16)?;
        range("VLS", self.vls, 3, 16)?;
        range("DEPTH", self.depth, 2, 64)?;
        range("LFT_DEPTH", self.lft_depth, 2, 65536)?;
        range("CNT_W", self.cnt_w, 2, 32)
    }

    /// The adapter of a network of them: `docs/worm-adapter.md`.
    fn check_worm_adapter(&self) -> Result<(), String> {
        range("VLS", self.vls, 3, 16)?;
        range("DEPTH", self.depth, 2, 64)?;
        range("LANE", self.lane, 2, 64)?;
        range("CONNS", self.conns, 2, 1024)?;
        for (name, value, most) in [("MSGQ", self.msgq, 4096), ("CTLQ", self.ctlq, 64)] {
            power_of_two(name, value)?;
            range(name, value, 2, most)?;
        }
        range("CNT_W", self.cnt_w, 2, 32)
    }

    /// What holds an adapter's best-effort messages back: `docs/injection-control.md`.
    fn check_injection_control(&self) -> Result<(), String> {
        range("PORTS", self.ports, 2, 16)?;
        range("VLS", self.vls, 3, 16)?;
        range("LFT_DEPTH", self.lft_depth, 2, 65536)
    }

    /// The buffers of an adapter with SRP: both have the lanes of data and spec, in equal parts.
    fn check_lanes_of_adapter(&self) -> Result<(), String> {
        let lanes = self.packet_lanes();
        for (name, blocks) in [("BLOCKS", self.blocks), ("RX_BLOCKS", self.rx_blocks)] {
            if !blocks.is_multiple_of(lanes) {
                return Err(format!(
                    "parameter {name} = {blocks} must be a multiple of VLS-2 = {lanes} in an adapter with SRP = 1"
                ));
            }
            range(&format!("{name}/(VLS-2)"), blocks / lanes, self.mtu, 2048)?;
        }
        Ok(())
    }

    /// What SRP = 1 needs beside it.
    fn check_srp(&self) -> Result<(), String> {
        if SrpLane::data_lanes(self.vls) == 0 || SrpLane::data_lanes(self.vls) > SrpLane::MOST_DATA {
            return Err(format!(
                "parameter SRP = 1: VLS = {} is out of range: legal is 4..11, one to eight lanes of data and three more",
                self.vls
            ));
        }
        self.check_without(
            "SRP",
            &["ONE_QUEUE", "ISOLATION", "VL_BY_DEST", "MARKERS", "STAMP_W", "CIOQ", "CTL_VL", "PARITY"],
        )
    }

    /// What RANDOM_UP = 1 needs beside it.
    fn check_random_up(&self) -> Result<(), String> {
        if self.ports > 32 {
            return Err(format!("parameter RANDOM_UP = 1 needs PORTS <= 32, and PORTS is {}", self.ports));
        }
        self.check_without(
            "RANDOM_UP",
            &["ONE_QUEUE", "ISOLATION", "VL_BY_DEST", "MARKERS", "STAMP_W", "CIOQ", "PARITY"],
        )
    }

    /// A flag that is 1 needs others to be 0.
    fn check_without(&self, flag: &str, others: &[&str]) -> Result<(), String> {
        match others.iter().find(|name| self.get(name) != Some(0)) {
            None => Ok(()),
            Some(name) => Err(format!(
                "parameter {flag} = 1 needs {} = 0, and {name} is {}",
                others.join(" = "),
                self.get(name).unwrap_or_default()
            )),
        }
    }
}

fn range(name: &str, v: usize, lo: usize, hi: usize) -> Result<(), String> {
    if v < lo || v > hi {
        Err(format!("parameter {name} = {v} is out of range: legal is {lo}..{hi}"))
    } else {
        Ok(())
    }
}

fn power_of_two(name: &str, v: usize) -> Result<(), String> {
    if v.is_power_of_two() { Ok(()) } else { Err(format!("parameter {name} = {v} must be a power of two")) }
}

/// A unit elaborated with one parameter set: one Verilated model.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// Name of the set (`p8v1`, `tiny`, ...), unique within the unit; `params` may be others than its own.
    pub name: &'static str,
    /// The unit.
    pub unit: UnitKind,
    /// Its parameters.
    pub params: Params,
}

impl Build {
    /// The build of a unit by name; its first one if no name is given.
    pub fn named(unit: UnitKind, name: Option<&str>) -> Result<Build, String> {
        let all: Vec<Build> = builds().into_iter().filter(|b| b.unit == unit).collect();
        let found = match name {
            None => all.first(),
            Some(name) => all.iter().find(|b| b.name == name),
        };
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|b| b.name).collect();
            let name = name.unwrap_or_default();
            format!("{} has no build {name}: there are {}", unit.cli_name(), names.join(", "))
        })
    }

    /// A unit with some parameters, by the name of the build of which the fewest differ.
    pub fn of(unit: UnitKind, params: &Params) -> Build {
        let of_unit = builds().into_iter().filter(|b| b.unit == unit);
        let nearest = of_unit.min_by_key(|b| b.differs(params).len());
        Build { name: nearest.map_or("", |b| b.name), unit, params: *params }
    }

    /// Its parameters: name and value of each that the unit has.
    pub fn values(&self) -> Vec<(&'static str, usize)> {
        let names = self.unit.parameter_names().iter();
        names.map(|n| (*n, self.params.get(n).unwrap_or_default())).collect()
    }

    /// The parameters of the unit that have another value in `other`, and that value.
    fn differs(&self, other: &Params) -> Vec<(&'static str, usize)> {
        let idle = |n: &str| match n {
            "ITERATIONS" => !other.one_queue && !self.params.one_queue,
            "OBLOCKS" => !other.cioq && !self.params.cioq,
            "DATA_BLOCKS" | "SPEC_BLOCKS" | "CTL_BLOCKS" | "NMAX" | "MSGQ" | "REPQ" | "NOW_W" => {
                !other.srp && !self.params.srp
            }
            _ => false,
        };
        let other = Build { params: *other, ..*self };
        let both = self.values().into_iter().zip(other.values());
        both.filter(|(a, b)| a != b && !idle(a.0)).map(|(_, b)| b).collect()
    }

    /// The parameters that are others than those of the set of its name.
    pub fn others(&self) -> Vec<(&'static str, usize)> {
        let named = builds().into_iter().find(|b| (b.unit, b.name) == (self.unit, self.name));
        named.map_or_else(Vec::new, |b| b.differs(&self.params))
    }

    /// Its name, and its other parameters.
    pub fn label(&self) -> String {
        let others: Vec<String> = self.others().iter().map(|(n, v)| format!("{n}={v}")).collect();
        [&[self.name.to_string()], &others[..]].concat().join(" ")
    }

    /// Unit and label: `switch voq8 PORTS=16`.
    pub fn title(&self) -> String {
        format!("{} {}", self.unit.cli_name(), self.label())
    }

    /// The title as a file's or folder's name.
    pub fn folder(&self) -> String {
        self.title().replace(' ', "-")
    }

    /// Sets a parameter as the command line gives it, `NAME=VALUE`. Whether all go together is for [`Params::check`].
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').ok_or_else(|| format!("{text}: NAME=VALUE is wanted"))?;
        let (name, value) = (name.trim(), value.trim());
        let names = self.unit.parameter_names();
        if !names.contains(&name) {
            return Err(format!(
                "{text}: {} has no parameter {name}: there are {}",
                self.unit.cli_name(),
                names.join(", ")
            ));
        }
        let number: usize =
            value.parse().map_err(|_| format!("{text}: {value} is not a whole number from 0 on"))?;
        if Params::is_flag(name) && number > 1 {
            return Err(format!("{text}: legal is 0 or 1"));
        }
        self.params.set(name, number);
        self.fit_others(name);
        Ok(())
    }

    /// Buffers that the unit does not have get sizes that are legal beside its parameters, so that they are no limit; so does the
    /// inputs' buffer of an output port, unless it is the one just set. With SRP the buffer has what its lanes have.
    fn fit_others(&mut self, set: &str) {
        let names = self.unit.parameter_names();
        let Params { vls, mtu, .. } = self.params;
        if !(1..=64).contains(&vls) || mtu > 64 {
            return; // told by the check
        }
        let fit = |blocks: usize| blocks.clamp(vls * mtu, vls * 2048).next_multiple_of(vls);
        if self.params.srp && self.unit == UnitKind::Hca {
            return; // its buffers are parameters of their own
        }
        if self.params.srp && set != "BLOCKS" {
            self.params.blocks = self.params.srp_blocks();
        } else if !names.contains(&"BLOCKS") || self.unit == UnitKind::OutputPort && set != "BLOCKS" {
            self.params.blocks = fit(self.params.blocks);
        }
        if !names.contains(&"RX_BLOCKS") {
            self.params.rx_blocks = fit(self.params.rx_blocks);
        }
        if !names.contains(&"OBLOCKS") {
            self.params.oblocks = fit(self.params.oblocks);
        }
    }
}

/// The named parameter sets of all units.
pub fn builds() -> Vec<Build> {
    let d = Params::default();
    let p8v1 = Params { lft_depth: 256, ..d };
    let p4v2 = Params { ports: 4, vls: 2, blocks: 1024, lines: 5, lft_depth: 128, flit_bytes: 32, ..d };
    let tiny = Params {
        ports: 3,
        vls: 2,
        mtu: 4,
        blocks: 24,
        hpqs: 1,
        lines: 2,
        dlist: 2,
        lft_depth: 16,
        flit_bytes: 32,
        timer_w: 8,
        cnt_w: 5,
        ..d
    };
    let oneq = Params {
        ports: 4,
        vls: 1,
        mtu: 8,
        blocks: 64,
        hpqs: 1,
        lines: 1,
        dlist: 1,
        lft_depth: 32,
        flit_bytes: 32,
        one_queue: true,
        isolation: false,
        ..d
    };
    // The single-read-port organisation with CFQs, and a lane per destination.
    let nfq = Params { ports: 3, blocks: 48, hpqs: 2, lines: 3, dlist: 2, isolation: true, ..oneq };
    let net = Params { ports: 2, vls: 4, mtu: 4, blocks: 64, one_queue: false, vl_by_dest: true, ..oneq };
    // Counts and ages that end soon, and counts beside hot queues, one queue and lanes by destination.
    let santiny =
        Params { blocks: 32, lines: 1, dlist: 1, isolation: false, markers: true, stamp_w: 8, ..tiny };
    let santinyp = Params { parity: true, ..santiny };
    let marktiny = Params { markers: true, ..tiny };
    let marknfq = Params { markers: true, ..nfq };
    let marknet = Params { markers: true, ..net };
    // A queue at each output, into which the crossbar may be faster than the link.
    let cqtiny =
        Params { lines: 1, dlist: 1, isolation: false, markers: true, cioq: true, oblocks: 24, ..tiny };
    let cqtinyp = Params { parity: true, ..cqtiny };
    let cq8 = Params {
        mtu: 17,
        blocks: 64,
        hpqs: 1,
        lines: 1,
        dlist: 1,
        lft_depth: 128,
        flit_bytes: 32,
        isolation: false,
        markers: true,
        cioq: true,
        oblocks: 64,
        ..d
    };
    // Two lanes of data and the control lane.
    let ctltiny = Params {
        vls: 3,
        blocks: 36,
        rx_blocks: 36,
        lines: 1,
        dlist: 1,
        isolation: false,
        ctl_vl: true,
        ..tiny
    };
    // Reservations: one lane of data, and two of them.
    let reserve = |p: Params| {
        let p = Params { srp: true, isolation: false, lines: 1, dlist: 1, ..p };
        Params { blocks: p.srp_blocks(), ..p }
    };
    let spectiny = reserve(Params { vls: 4, data_blocks: 8, spec_blocks: 8, ctl_blocks: 4, ..tiny });
    let spec2 = Params { ports: 4, vls: 5, mtu: 6, data_blocks: 15, spec_blocks: 13, ctl_blocks: 2, ..tiny };
    let spec2 = reserve(spec2);
    // Any up port: four of two lanes, one or two of which lead up, and those of reservations, too.
    let uptiny =
        Params { ports: 4, blocks: 32, lines: 1, dlist: 1, isolation: false, random_up: true, ..tiny };
    let uptinysrp = Params { random_up: true, ..spectiny };
    let mut v = Vec::new();
    let tinyp = Params { parity: true, ..tiny };
    for (name, params) in [
        ("p8v1", p8v1),
        ("p4v2", p4v2),
        ("tiny", tiny),
        ("oneq", oneq),
        ("nfq", nfq),
        ("net", net),
        ("tinyp", tinyp),
        ("santiny", santiny),
        ("santinyp", santinyp),
        ("marktiny", marktiny),
        ("marknfq", marknfq),
        ("marknet", marknet),
        ("cqtiny", cqtiny),
        ("cqtinyp", cqtinyp),
        ("cq8", cq8),
        ("ctltiny", ctltiny),
        ("spectiny", spectiny),
        ("spec2", spec2),
        ("uptiny", uptiny),
        ("uptinysrp", uptinysrp),
    ] {
        if name != "marknet" {
            v.push(Build { name, unit: UnitKind::InputPort, params });
        }
        if !["oneq", "uptiny", "uptinysrp"].contains(&name) {
            v.push(Build { name, unit: UnitKind::OutputPort, params });
        }
    }
    let few = Params { vls: 2, flows: 5, cct: 8, ts_w: 10, ..d };
    for (name, params) in [
        ("f64", d),
        ("f1024", Params { flows: 1024, ..d }),
        ("tiny", few),
        ("tinyp", Params { parity: true, ..few }),
        ("net", Params { vls: 4, vl_by_dest: true, flows: 7, ..few }),
    ] {
        v.push(Build { name, unit: UnitKind::HcaThrottle, params });
    }
    for (name, params) in [
        ("r64", d),
        ("r512", Params { flows: 512, ..d }),
        ("tiny", few),
        ("tinyp", Params { parity: true, ..few }),
    ] {
        v.push(Build { name, unit: UnitKind::SourceResponse, params });
    }
    let r64 = reserve(Params { vls: 4, flows: 64, ..d });
    let rtiny =
        Params { mtu: 4, flows: 5, ctl_blocks: 4, cnt_w: 5, nmax: 4, msgq: 2, repq: 2, now_w: 12, ..r64 };
    let two = Params { vls: 5, mtu: 6, flows: 8, ctl_blocks: 2, nmax: 8, msgq: 4, repq: 4, now_w: 16, ..r64 };
    // Losses end.
    let lossy = |p: Params| reserve(Params { dedup: true, ..p });
    for (name, params) in [
        ("r64", r64),
        ("tiny", reserve(rtiny)),
        ("two", reserve(two)),
        ("tinyd", lossy(rtiny)),
        ("twod", lossy(two)),
    ] {
        v.push(Build { name, unit: UnitKind::Reservation, params });
    }
    // Switches and adapters. Those of 8 ports and 64 flows build the fabrics; 32 bytes of each flit are carried.
    let voq8 = Params { lft_depth: 128, flit_bytes: 32, ..d };
    let nfq8 = Params { one_queue: true, blocks: 1024, iterations: 2, ..voq8 };
    let one_each = Params { isolation: false, hpqs: 1, lines: 1, dlist: 1, ..voq8 };
    let net8 = Params { vls: 8, vl_by_dest: true, ..one_each };
    let tinyq = Params { iterations: 2, ..nfq };
    // The switch of Santos' figure 1.
    let san13 = Params { ports: 13, blocks: 128, markers: true, stamp_w: 24, ..one_each };
    for (name, params) in [
        ("voq8", voq8),
        ("nfq8", nfq8),
        ("net8", net8),
        ("tiny", tiny),
        ("tinyp", tinyp),
        ("tinyq", tinyq),
        ("net", net),
        // Whole flits: a header behind a GRH is seen.
        ("wide", Params { flit_bytes: 64, ..tiny }),
        ("santiny", santiny),
        ("santinyp", santinyp),
        ("marktiny", marktiny),
        ("marktinyq", Params { markers: true, ..tinyq }),
        ("san13", san13),
        ("cqtiny", cqtiny),
        ("cqtinyp", cqtinyp),
        ("cq8", cq8),
        ("ctltiny", ctltiny),
        ("spectiny", spectiny),
        ("srp8", reserve(Params { vls: 4, ..one_each })),
        ("uptiny", uptiny),
        ("uptinysrp", uptinysrp),
    ] {
        v.push(Build { name, unit: UnitKind::Switch, params });
    }
    let h64 = Params { blocks: 256, ..voq8 };
    let hnet8 = Params { blocks: 512, flows: 8, rx_blocks: 512, ..net8 };
    let htiny = Params { flows: 5, cct: 8, ts_w: 10, advoq: 2, rx_blocks: 16, cnpq: 2, ..tiny };
    let htinyp = Params { parity: true, ..htiny };
    let hctl = Params {
        blocks: 36,
        rx_blocks: 36,
        ..Params { ctl_vl: true, vls: 3, isolation: false, lines: 1, dlist: 1, ..htiny }
    };
    let hwide = Params { flit_bytes: 64, ..htiny };
    // The reservation unit in its place: one lane of data, two, and many flows.
    let hsrp = Params { srp: true, isolation: false, hpqs: 1, lines: 1, dlist: 1, ..htiny };
    let srptiny = Params {
        vls: 4,
        blocks: 16,
        rx_blocks: 16,
        ctl_blocks: 4,
        nmax: 4,
        msgq: 2,
        repq: 2,
        now_w: 12,
        ..hsrp
    };
    let srp2 = Params {
        vls: 5,
        mtu: 6,
        blocks: 39,
        rx_blocks: 54,
        flows: 8,
        ctl_blocks: 2,
        nmax: 8,
        msgq: 4,
        repq: 4,
        now_w: 16,
        ..hsrp
    };
    let srp64 = Params {
        vls: 4,
        blocks: 256,
        rx_blocks: 256,
        nmax: 16,
        msgq: 8,
        repq: 16,
        now_w: 32,
        srp: true,
        ..one_each
    };
    // The source response in place of the throttle.
    for (name, params) in [
        ("h64", h64),
        ("net8", hnet8),
        ("tiny", htiny),
        ("tinyp", htinyp),
        ("wide", hwide),
        ("rtiny", Params { response: true, ..htiny }),
        ("rtinyp", Params { response: true, ..htinyp }),
        ("rnet8", Params { response: true, ..hnet8 }),
        ("ctltiny", hctl),
        ("rctltiny", Params { response: true, ..hctl }),
        // 64 adapters with windows of 2.
        ("r64", Params { response: true, cnpq: 128, blocks: h64.blocks, ..one_each }),
        ("srptiny", srptiny),
        ("srp2", srp2),
        ("srp64", srp64),
        ("srptinyd", Params { dedup: true, ..srptiny }),
        ("srp2d", Params { dedup: true, ..srp2 }),
    ] {
        v.push(Build { name, unit: UnitKind::Hca, params });
    }
    // Wormhole routers: of one data lane and of two, of any sizes, and the paper's with few entries to sweep.
    // (They have no blocks; these can be divided by all numbers of lanes.)
    let sizes = Params { isolation: false, blocks: 1008, rx_blocks: 1008, ..d };
    let worm = Params { ports: 5, vls: 16, depth: 10, lft_depth: 64, cnt_w: 32, ..sizes };
    let narrow = Params { lft_depth: 8, cnt_w: 5, ..worm };
    let tiny = Params { ports: 3, vls: 4, depth: 2, ..narrow };
    let two = Params { ports: 2, vls: 3, depth: 3, ..narrow };
    let odd = Params { vls: 7, depth: 5, lft_depth: 20, cnt_w: 7, ..narrow };
    // Those whose names end in `a` have admission.
    let admit = |p: Params| Params { admit: true, ..p };
    for (name, params) in [
        ("tiny", tiny),
        ("two", two),
        ("odd", odd),
        ("worm5", worm),
        ("worm8", Params { ports: 8, ..worm }),
        ("tinya", admit(tiny)),
        ("twoa", admit(two)),
        ("odda", admit(odd)),
        ("worm5a", admit(worm)),
    ] {
        v.push(Build { name, unit: UnitKind::WormRouter, params });
    }
    // Their adapters: the smallest, one with two lanes of data, of any sizes, and the paper's.
    let full = Params { vls: 16, msgq: 1024, ..sizes };
    for (name, (vls, depth, lane), conns, (msgq, ctlq), cnt_w) in [
        ("tiny", (3, 2, 4), 4, (4, 2), 4),
        ("two", (4, 4, 12), 8, (8, 4), 8),
        ("odd", (7, 3, 21), 37, (16, 2), 13),
    ] {
        let params = Params { vls, depth, lane, conns, msgq, ctlq, cnt_w, ..full };
        v.push(Build { name, unit: UnitKind::WormAdapter, params });
    }
    v.push(Build { name: "full", unit: UnitKind::WormAdapter, params: full });
    // What stands beside such an adapter: the smallest, one with two lanes of data, and that of a router in a mesh.
    for (name, ports, vls, lft_depth) in [("tiny", 2, 3, 4), ("two", 3, 4, 16), ("mesh", 5, 16, 64)] {
        let params = Params { ports, vls, lft_depth, ..sizes };
        v.push(Build { name, unit: UnitKind::InjectionControl, params });
    }
    v
}
