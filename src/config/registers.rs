//! What a configuration writes to the registers of the units, by name.

use super::settings::Config;
use crate::scheme::{Detector, Isolation, Marking, Notification};

pub(super) fn bit(on: bool, n: u32) -> u32 {
    u32::from(on) << n
}

impl Config {
    fn isolates(&self) -> bool {
        self.scheme.isolation == Isolation::Lines
    }

    /// A2: CNPs are ordinary packets in the ports of switches, or of adapters.
    fn cnp_plain(&self, adapter: bool) -> bool {
        self.cnp_priority == 2 || self.cnp_priority == 1 && !adapter
    }

    /// An input port's registers that are the same for all ports: of switches, or of adapters.
    pub fn input_registers(&self, adapter: bool) -> [(&'static str, u32); 12] {
        let ctrl = bit(self.isolates(), 0)
            | bit(self.cold_first, 1)
            | bit(self.cnp_plain(adapter), 2)
            | bit(self.release == 1 && !adapter, 3)
            | bit(self.root_queue && !adapter, 4)
            | bit(self.marks() && self.scheme.detector == Detector::Naive && !adapter, 5)
            | bit(self.validates() && !adapter, 6);
        let weight = match self.weight {
            // No queue is congested (D4).
            _ if self.scheme.detector.needs_markers() => 16,
            ..0 => 0,
            weight => 16 | weight as u32,
        };
        [
            ("CTRL", ctrl),
            ("HTH", self.hth),
            ("LTH", self.lth),
            ("STOP", self.stop),
            ("GO", self.go),
            ("DETECT", self.detect),
            ("HOLD", self.hold),
            ("WEIGHT", weight),
            ("FC_INTERVAL", self.fc_interval),
            // The links of a network lose nothing.
            ("RX_TIMEOUT", self.rx_timeout.unwrap_or(0)),
            ("LINE_TIMER", self.line_timer),
            ("REFRESH", self.refresh),
        ]
    }

    /// An output port's registers that are the same for all ports.
    pub fn output_registers(&self) -> [(&'static str, u32); 7] {
        [
            ("SUM_HTH", self.sum_hth.unwrap_or(self.hth)),
            ("SUM_LTH", self.sum_lth.unwrap_or(self.lth)),
            ("MARKING_RATE", self.marking_rate),
            ("MARK_FRACTION", self.mark_fraction),
            ("PACKET_SIZE", self.packet_size),
            ("FC_INTERVAL", self.fc_interval),
            ("LINE_TIMER", self.line_timer),
        ]
    }

    /// Packets get MB and VB.
    fn validates(&self) -> bool {
        self.scheme.marking == Marking::MbVb && self.marking
    }

    /// A switch's input ports' registers that detectors with MARKERS = 1 need, and its pace and limit of passing if those are not as
    /// after a reset.
    pub fn input_markers(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let mb_th = self.mb_th.unwrap_or(66 * self.cap() / 100);
        let all = [("FILL_LEVEL", self.full()), ("MB_TH", mb_th)];
        let pace = Some(("RD_INTERVAL", self.rd_interval)).filter(|r| r.1 != 1);
        let limit = Some(("BYPASS", self.bypass)).filter(|r| r.1 > 0);
        all.into_iter().filter(|_| self.scheme.detector.needs_markers()).chain(pace).chain(limit)
    }

    /// The same of its output ports.
    pub fn output_markers(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let all = [("OUT_TH", self.out_th), ("VB_TH", self.vb_th.unwrap_or(33 * self.waiting() / 100))];
        all.into_iter().filter(|_| self.scheme.detector.needs_markers())
    }

    /// CTRL of a switch's output port.
    pub fn output_ctrl(&self, victim: bool) -> u32 {
        let eval = if self.scheme.detector.needs_markers() { 0 } else { self.eval };
        bit(self.marks() && self.scheme.marks_by_state(), 0)
            | bit(self.isolates(), 1)
            | bit(victim, 2)
            | eval << 3
            | self.mark_mode << 5
            | bit(self.cnp_plain(false), 7)
            | bit(self.release == 1, 8)
            | bit(self.sched == 1, 9)
            | if self.marks() { self.scheme.detector.counts() << 10 } else { 0 }
            | bit(self.validates(), 12)
            | bit(self.root_now && self.scheme.marks_by_state(), 13)
    }

    /// CTRL of an adapter's output port, which marks nothing.
    pub fn adapter_output_ctrl(&self) -> u32 {
        bit(self.isolates(), 1) | bit(self.cnp_plain(true), 7)
    }

    /// CTRL of an adapter itself.
    pub fn adapter_ctrl(&self) -> u32 {
        let answers = self.scheme.notification == Notification::Cnp;
        let validated = answers && self.scheme.marking == Marking::MbVb;
        bit(answers, 0) | bit(self.cnp_queued, 1) | bit(self.acks(), 2) | bit(validated, 3)
    }

    /// A source response's registers.
    pub fn response_registers(&self, interval: u32, rtt_min: u32) -> [(&'static str, u32); 7] {
        let ctrl = bit(self.windows, 0)
            | self.law << 1
            | bit(self.dynamic_window, 4)
            | bit(self.from_ack, 5)
            | bit(self.pause_unit == 1, 6)
            | bit(self.reset_empty, 7);
        [
            ("CTRL", ctrl),
            ("WMAX", self.wmax),
            ("RMIN_EXP", self.rmin_exp),
            ("WS_STEPS", self.ws_steps),
            ("RTT_MIN", rtt_min),
            ("SEVMAP", self.sevmap),
            ("LINK_INTERVAL", interval),
        ]
    }

    /// The waiting times (VR3): none, a round trip, and from there each so many times the one before.
    pub fn waiting_times(&self, rtt_min: u32) -> impl Iterator<Item = u32> {
        let step = |wait: &u32| Some(wait.saturating_mul(self.ws_base));
        std::iter::once(0).chain(std::iter::successors(Some(rtt_min), step)).take(16)
    }

    /// An adapter's own registers that are not as they are after a reset.
    pub fn adapter_registers(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let all = [("BECN_PER", self.becn_per.ilog2()), ("INJECT", self.inject)];
        all.into_iter().filter(|r| r.1 != 0)
    }

    /// A throttle's registers; `absolute`: the entries of its table are cycles.
    pub fn throttle_registers(
        &self,
        tick_cycles: u32,
        interval: u32,
        absolute: bool,
    ) -> [(&'static str, u32); 7] {
        let ctrl = bit(self.delays(), 0)
            | bit(self.sl_mode, 1)
            | bit(self.timer_per_sl, 2)
            | bit(self.restart, 3)
            | bit(absolute, 4);
        [
            ("CTRL", ctrl),
            ("CCTI_INCREASE", self.ccti_increase),
            ("CCTI_LIMIT", self.ccti_limit),
            ("CCTI_MIN", self.ccti_min),
            ("CCTI_TIMER", self.ccti_timer),
            ("TICK_CYCLES", tick_cycles),
            ("LINK_INTERVAL", interval),
        ]
    }
}
