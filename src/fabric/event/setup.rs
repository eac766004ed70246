//! What the configuration phase leaves behind: register values, and where the free-running counters are.

use super::up::Up;
use crate::fabric::setup::Write;
use crate::model::header::Marks;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::scheme::any_up::SEED;
use crate::scheme::detector::{Thresholds, evaluation};
use crate::scheme::isolation::hot_thresholds;
use crate::scheme::marking::Mode;

/// Internal time of the first cycle after reset. Times before it exist only in arithmetic.
pub(super) const RESET: u64 = 1 << 32;

/// Registers of an input port.
#[derive(Clone, Debug)]
pub(super) struct InRegs {
    pub iso_en: bool,
    pub cold_first: bool,
    /// CNPs take their turn; the charge leaves at the grant; a root takes an HPQ.
    pub cnp_plain: bool,
    pub release: bool,
    pub root_hpq: bool,
    pub cold: Thresholds,
    pub hot: Thresholds,
    pub weight: Option<u32>,
    pub rx_interval: u32,
    /// The fewest cycles a flit at which an output reads (B2).
    pub rd_interval: u32,
    /// That of the crossbar (CQ2).
    pub xb_interval: u32,
    /// Packets in a buffer that becomes full are marked (SM3).
    pub naive: bool,
    pub fill_level: u32,
    /// VM1: above it packets get MB, if they do.
    pub mb_th: Option<u32>,
    /// AG2: so many may go before the oldest packet of a VL; 0: any number.
    pub bypass: u32,
    /// Q6: speculative packets that are older are dropped, if any are.
    pub drop_after: Option<u32>,
    pub line_timer: u64,
    pub refresh: u64,
    /// Internal time from which the refresh counter counts from 0 with its period.
    pub refresh_origin: u64,
    pub switch_id: u32,
    pub detect: u32,
    pub hold: u32,
    pub up: Up,
    pub fc: Slots,
}

/// Registers of an output port.
#[derive(Clone, Debug)]
pub(super) struct OutRegs {
    pub mark_en: bool,
    pub iso_en: bool,
    pub victim: bool,
    /// CNPs are ordinary packets; marks look at the state that the packet's own grant leaves.
    pub cnp_plain: bool,
    pub at_once: bool,
    pub eval: u32,
    pub mark_mode: Mode,
    pub sum: Thresholds,
    pub marking_rate: u32,
    pub mark_fraction: u32,
    pub packet_size: u32,
    /// SM4, SM5: packets are marked by their counts; and all that wait if those are more than so many.
    pub counts: bool,
    pub out_th: Option<u32>,
    /// VM2: above it packets with MB get VB, if they do.
    pub vb_th: Option<u32>,
    /// AG1: the oldest data go first.
    pub sched: bool,
    /// D6: the root test is that of the cycle.
    pub root_now: bool,
    pub line_timer: u64,
    pub lfsr: u32,
    pub fc: Slots,
    /// Slots of the link, and of the crossbar.
    pub tx: Slots,
    pub xb: Slots,
}

/// A free-running slot counter.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pub interval: u64,
    /// A slot of VL 0; the pattern holds from traffic time 0 on.
    pub origin: u64,
    /// The first slot of each VL that the receiver of the messages does not ignore.
    pub first: Vec<u64>,
}

/// A register's value over the configuration phase: what it is reset to, and writes (cycle, value).
#[derive(Clone)]
struct History {
    reset: u32,
    writes: Vec<(u64, u32)>,
}

impl History {
    /// The lower of two, of which 0 acts as 1 (CQ2).
    fn below(&self, other: &History) -> History {
        let at =
            |h: &History, t: u64| h.writes.iter().rev().find(|w| w.0 <= t).map_or(h.reset, |w| w.1).max(1);
        let mut times: Vec<u64> = self.writes.iter().chain(&other.writes).map(|w| w.0).collect();
        times.sort_unstable();
        times.dedup();
        let writes = times.into_iter().map(|t| (t, at(self, t).min(at(other, t)))).collect();
        History { reset: self.reset.max(1).min(other.reset.max(1)), writes }
    }

    fn last(&self) -> u32 {
        self.writes.last().map_or(self.reset, |w| w.1)
    }

    /// The counter 0..interval-1 with a slot pointer over `vls`, from cycle `ready` until `start` (cycles after reset). First
    /// slots are those from `heard` on.
    fn slots(&self, ready: u64, start: u64, vls: usize, heard: u64) -> Slots {
        let mut first = vec![None; vls];
        let (mut count, mut vl, mut next) = (0u32, 0usize, 0);
        let mut value = self.reset.max(1);
        for t in ready..start {
            while self.writes.get(next).is_some_and(|w| w.0 < t) {
                value = self.writes[next].1.max(1);
                next += 1;
            }
            if count == 0 {
                if t >= heard {
                    first[vl].get_or_insert(RESET + t);
                }
                vl = (vl + 1) % vls;
            }
            count = if count + 1 >= value { 0 } else { count + 1 };
        }
        let interval = u64::from(self.last().max(1));
        let slot = start + if count == 0 { 0 } else { interval.saturating_sub(u64::from(count)).max(1) };
        // Not after traffic time 0.
        let origin = RESET + slot - (vl + vls) as u64 * interval;
        let first = first
            .iter()
            .enumerate()
            .map(|(v, f)| f.unwrap_or(RESET + slot + ((v + vls - vl) % vls) as u64 * interval))
            .collect();
        Slots { interval, origin, first }
    }
}

/// The writes that one embedded unit of one port sees.
pub(super) struct Unit<'a> {
    writes: &'a [Write],
    sweep: u64,
    kind: UnitKind,
    /// `cfg_unit` and `cfg_port` that select it.
    unit: u8,
    port: u8,
}

impl<'a> Unit<'a> {
    /// Unit `unit` of an adapter, whose registers are read when all is written.
    pub(super) fn of_adapter(writes: &'a [Write], kind: UnitKind, unit: u8) -> Unit<'a> {
        Unit { writes, sweep: 0, kind, unit, port: 0 }
    }

    fn history(&self, name: &str, reset: u32) -> History {
        let at = addr(self.kind, name);
        let writes = self
            .writes
            .iter()
            .enumerate()
            .filter_map(|(k, w)| match *w {
                Write::Register { unit, port, addr, data }
                    if unit == self.unit && (port == 255 || port == self.port) && addr == at =>
                {
                    Some((self.sweep + k as u64, data))
                }
                _ => None,
            })
            .collect();
        History { reset, writes }
    }

    pub(super) fn value(&self, name: &str, reset: u32) -> u32 {
        self.history(name, reset).last()
    }
}

/// Registers of the input port `port` after `writes`. The sender hears its credit messages from cycle `heard` on.
pub(super) fn input(
    p: &Params,
    writes: &[Write],
    port: usize,
    (sweep, start): (u64, u64),
    heard: u64,
) -> InRegs {
    let u = Unit { writes, sweep, kind: UnitKind::InputPort, unit: 0, port: port as u8 };
    let mtu = p.mtu as u32;
    let ctrl = u.value("CTRL", 0);
    let cap = p.cap(0) as u32;
    let cold = Thresholds {
        high: u.value("HTH", (6 * mtu).min(3 * cap / 4)),
        low: u.value("LTH", (4 * mtu).min(cap / 2)).max(1),
    };
    let weight = u.value("WEIGHT", 0);
    let refresh = u.history("REFRESH", 0);
    let refresh_origin = refresh.writes.last().map_or(0, |w| RESET + w.0 + 1);
    InRegs {
        iso_en: ctrl & 1 != 0 && p.isolation,
        cold_first: ctrl & 2 != 0,
        cnp_plain: ctrl & 4 != 0,
        release: ctrl & 8 != 0,
        root_hpq: ctrl & 16 != 0 && p.isolation && !p.one_queue,
        cold,
        hot: hot_thresholds(u.value("STOP", 0), u.value("GO", 0), cold),
        weight: (weight & 16 != 0).then_some(weight & 15),
        rx_interval: u.value("RX_INTERVAL", 1).max(1),
        rd_interval: u.value("RD_INTERVAL", 1).max(1),
        xb_interval: u.value("XB_INTERVAL", 1).max(1),
        naive: ctrl & 32 != 0 && p.markers && !p.isolation,
        fill_level: u.value("FILL_LEVEL", cap - mtu.div_ceil(2)),
        bypass: if p.stamp_w > 0 { u.value("BYPASS", 0) } else { 0 },
        mb_th: (p.markers && ctrl & 64 != 0).then(|| u.value("MB_TH", 66 * cap / 100)),
        drop_after: (p.srp && u.value("SPEC", 0) & 1 != 0).then(|| u.value("TTW", 203) & 0x7fff),
        line_timer: u64::from(u.value("LINE_TIMER", u32::MAX).max(1)),
        refresh: u64::from(refresh.last()),
        refresh_origin,
        switch_id: u.value("SWITCH_ID", 0),
        detect: u.value("DETECT", (4 * mtu).min(cap / 2)),
        hold: u.value("HOLD", mtu),
        up: Up { outputs: u.value("UP_MASK", 0), lfsr: u.value("UP_SEED", SEED).max(1) },
        fc: u.history("FC_INTERVAL", 4).slots(p.lft_depth as u64, start, p.vls, heard),
    }
}

/// Registers of the output port `port` after `writes`.
pub(super) fn output(p: &Params, writes: &[Write], port: usize, (sweep, start): (u64, u64)) -> OutRegs {
    let u = Unit { writes, sweep, kind: UnitKind::OutputPort, unit: 1, port: port as u8 };
    let mtu = p.mtu as u32;
    let ctrl = u.value("CTRL", 0);
    let seed = u.history("LFSR_SEED", 0xace1);
    let det = ctrl >> 10 & 3;
    let tx = u.history("TX_INTERVAL", 1);
    OutRegs {
        mark_en: ctrl & 1 != 0,
        iso_en: ctrl & 2 != 0 && p.isolation,
        victim: ctrl & 4 != 0,
        cnp_plain: ctrl & 0x80 != 0,
        at_once: ctrl & 0x100 != 0,
        eval: if p.cioq { ctrl >> 3 & 3 } else { evaluation(ctrl >> 3 & 3) },
        mark_mode: Mode::of(ctrl >> 5),
        sum: Thresholds { high: u.value("SUM_HTH", 6 * mtu), low: u.value("SUM_LTH", 4 * mtu).max(1) },
        marking_rate: u.value("MARKING_RATE", 0),
        mark_fraction: u.value("MARK_FRACTION", 256),
        packet_size: u.value("PACKET_SIZE", 0),
        counts: p.markers && det >= 2,
        out_th: (p.markers && det == 3).then(|| u.value("OUT_TH", 8)),
        sched: p.stamp_w > 0 && ctrl & 0x200 != 0,
        root_now: ctrl & 0x2000 != 0,
        vb_th: (p.markers && ctrl & 0x1000 != 0)
            .then(|| u.value("VB_TH", 33 * (if p.cioq { p.ocap() } else { p.cap(0) }) as u32 / 100)),
        line_timer: u64::from(u.value("LINE_TIMER", u32::MAX).max(1)),
        lfsr: seed.last().max(1),
        fc: u.history("FC_INTERVAL", 4).slots(0, start, p.vls, 0),
        xb: if p.cioq { u.history("XB_INTERVAL", 1).below(&tx) } else { tx.clone() }.slots(0, start, 1, 0),
        tx: tx.slots(0, start, 1, 0),
    }
}

/// The credit messages of an adapter's receiver. The switch hears them from cycle `heard` on.
pub(super) fn receiver(p: &Params, writes: &[Write], (sweep, start): (u64, u64), heard: u64) -> Slots {
    let u = Unit { writes, sweep, kind: UnitKind::Hca, unit: 3, port: 0 };
    u.history("FC_INTERVAL", 4).slots(p.init_cycles(UnitKind::Hca) as u64, start, p.vls, heard)
}

/// How an adapter answers, and what its host may have queued.
pub(super) struct Replies {
    /// With CNPs, packets with all of these marks.
    pub answers: bool,
    pub cause: Marks,
    /// All data, with ACKs; then there are no CNPs.
    pub acks: bool,
    /// Which wait in the generation queues.
    pub queued: bool,
    /// One for a message of 2^this packets.
    pub per: u32,
    /// Packets queued of flows that wait for no delay; 0: no limit.
    pub inject: usize,
}

pub(super) fn replies(p: &Params, writes: &[Write]) -> Replies {
    let u = Unit::of_adapter(writes, UnitKind::Hca, 3);
    let ctrl = u.value("CTRL", 0);
    Replies {
        answers: ctrl & 1 != 0 && ctrl & 4 == 0,
        cause: if ctrl & 8 != 0 { Marks::MB | Marks::VB } else { Marks::FECN },
        acks: ctrl & 4 != 0,
        queued: ctrl & 2 != 0 && !p.response && !p.ctl_vl,
        per: u.value("BECN_PER", 0) & 7,
        inject: (u.value("INJECT", 0) & 15).min(8) as usize,
    }
}
