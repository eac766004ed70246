//! The one list of ports: name, width, number of elements, rule. [`crate::wrapper`] generates from it the
//! wrapper through which Rust drives the RTL; the golden models, the comparison, the coverage and
//! the waveforms use it to find a signal. Documented in `docs/`.
//!
//! A *word vector* holds a group's signals one after the other; each element of a signal starts on a
//! 32-bit word.

use crate::params::lanes::SrpLane;
use crate::params::{Params, UnitKind};

/// Direction of a signal, seen from the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// RTL port `<name>_i`
    Input,
    /// RTL port `<name>_o`
    Output,
    /// RTL port `<name>_o`: architectural state
    State,
}

/// How a value is shown to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Show {
    /// a plain number or bit vector
    Bits,
    /// receiver state of the input port
    RxState,
    /// CAM line state
    LineState,
    /// message type between neighbours
    MsgType,
}

impl Show {
    /// Names of the values of an enumeration; empty for plain bits.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Show::Bits => &[],
            Show::RxState => &["IDLE", "RECV", "DROP"],
            Show::LineState => &["FREE", "ROOT", "HOT", "DRAIN"],
            Show::MsgType => &["ALLOC", "DEALLOC", "STOP", "GO"],
        }
    }
}

/// One signal: `count` elements of `width` bits.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// Name without suffix.
    pub name: &'static str,
    /// Direction.
    pub group: Group,
    /// Bits of one element.
    pub width: usize,
    /// Number of elements.
    pub count: usize,
    /// First word of element 0 in the group's word vector.
    pub offset: usize,
    /// Presentation.
    pub show: Show,
    /// Rules that govern it.
    pub rules: &'static str,
}

impl Signal {
    /// Words that one element takes.
    pub fn stride(&self) -> usize {
        self.width.div_ceil(32)
    }
}

/// All signals of one elaborated unit.
#[derive(Clone, Debug)]
pub struct Layout {
    /// In the order of the tables below.
    pub signals: Vec<Signal>,
    /// Words of the input `link_up`; none in a unit without links.
    links: std::ops::Range<usize>,
    /// Words of the input vector.
    pub in_words: usize,
    /// Words of the output vector.
    pub out_words: usize,
    /// Words of the state vector.
    pub state_words: usize,
}

impl Layout {
    /// The layout of `unit` elaborated with `p`.
    pub fn new(unit: UnitKind, p: &Params) -> Layout {
        let mut l = Layout { signals: Vec::new(), links: 0..0, in_words: 0, out_words: 0, state_words: 0 };
        match unit {
            UnitKind::InputPort => input_port(&mut l, p),
            UnitKind::OutputPort => output_port(&mut l, p),
            UnitKind::HcaThrottle => hca_throttle(&mut l, p),
            UnitKind::Switch => switch(&mut l, p),
            UnitKind::Hca => hca(&mut l, p),
            UnitKind::SourceResponse => source_response(&mut l, p),
            UnitKind::Reservation => reservation(&mut l, p),
            UnitKind::WormRouter => worm_router(&mut l, p),
            UnitKind::WormAdapter => worm_adapter(&mut l, p),
            UnitKind::InjectionControl => injection_control(&mut l, p),
        }
        l
    }

    /// Finds a signal.
    ///
    /// # Panics
    /// If the unit has no signal of that name and group (a programming error, not an input error).
    pub fn signal(&self, group: Group, name: &str) -> &Signal {
        self.signals
            .iter()
            .find(|s| s.group == group && s.name == name)
            .unwrap_or_else(|| panic!("no signal {name} in group {group:?}"))
    }

    /// First word of an input.
    pub fn input(&self, name: &str) -> usize {
        self.signal(Group::Input, name).offset
    }

    /// The inputs of a cycle in which nothing happens: all 0, and links up. What does not say otherwise begins with them.
    pub fn idle(&self) -> Vec<u32> {
        let mut words = vec![0; self.in_words];
        self.make_idle(&mut words);
        words
    }

    /// The same, into an input vector.
    pub fn make_idle(&self, words: &mut [u32]) {
        words.fill(0);
        words[self.links.clone()].fill(1);
    }

    /// First word of an output.
    pub fn output(&self, name: &str) -> usize {
        self.signal(Group::Output, name).offset
    }

    /// First word of a state signal.
    pub fn state(&self, name: &str) -> usize {
        self.signal(Group::State, name).offset
    }

    /// The signal and element that own a word of a group's vector.
    pub fn owner(&self, group: Group, word: usize) -> Option<(&Signal, usize)> {
        self.signals.iter().filter(|s| s.group == group).find_map(|s| {
            let end = s.offset + s.stride() * s.count;
            (word >= s.offset && word < end).then(|| (s, (word - s.offset) / s.stride()))
        })
    }

    fn add(&mut self, group: Group, table: &[(&'static str, usize, usize, Show, &'static str)]) {
        for &(name, width, count, show, rules) in table {
            let words = match group {
                Group::Input => &mut self.in_words,
                Group::Output => &mut self.out_words,
                Group::State => &mut self.state_words,
            };
            let s = Signal { name, group, width, count, offset: *words, show, rules };
            *words += s.stride() * count;
            if group == Group::Input && name == "link_up" {
                self.links = s.offset..*words;
            }
            self.signals.push(s);
        }
    }
}

/// Bits of a control word (`docs/link.md`).
pub fn ctl_bits(p: &Params) -> usize {
    8 * (16 + 2 * p.dlist)
}

fn input_port(l: &mut Layout, p: &Params) {
    use Show::{Bits, LineState, MsgType, RxState};
    let (ports, vls, pv) = (p.ports, p.vls, p.ports * p.vls);
    let flit = p.flit_bytes * 8;
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "D1"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "D1"),
            ("cfg_data", 32, 1, Bits, "D1"),
            ("lft_we", 1, 1, Bits, "R1"),
            ("lft_addr", 16, 1, Bits, "R1"),
            ("lft_port", 8, 1, Bits, "R1"),
            ("rx_valid", 1, 1, Bits, "B3"),
            ("rx_first", 1, 1, Bits, "B3"),
            ("rx_last", 1, 1, Bits, "B3"),
            ("rx_bad", 1, 1, Bits, "B3"),
            ("rx_data", flit, 1, Bits, "B3"),
            ("fctbs_valid", 1, 1, Bits, "F1"),
            ("fctbs_vl", 8, 1, Bits, "F1"),
            ("fctbs", 12, 1, Bits, "F1"),
            ("link_up", 1, 1, Bits, "F1"),
            ("grant", 1, pv, Bits, "A2"),
            ("held", 1, pv, Bits, "E5"),
            ("held_line", 8, pv, Bits, "E5"),
            ("rd_en", 1, ports, Bits, "B2"),
            ("rd_slow", 1, ports, Bits, "CQ2"),
            ("prop_valid", 1, ports, Bits, "E3"),
            ("prop_vl", 8, ports, Bits, "E3"),
            ("prop_line", 8, ports, Bits, "E3"),
            ("prop_hops", 6, ports, Bits, "E3"),
            ("prop_root", 24, ports, Bits, "E3"),
            ("ol_valid", p.lines, ports, Bits, "E6"),
            ("ol_stop", p.lines, ports, Bits, "E5"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "R1"),
            ("req_valid", 1, pv, Bits, "A2"),
            ("req_len", 7, pv, Bits, "F1"),
            ("req_dlid", 16, pv, Bits, "E3"),
            ("req_cnp", 1, pv, Bits, "A2"),
            ("req_hot", 1, pv, Bits, "A2"),
            ("req_unlinked", 1, pv, Bits, "E6"),
            ("req_bound", 1, pv, Bits, "A3 E5"),
            ("req_line", 8, pv, Bits, "A3 E5"),
            ("req_age", p.age_w(), pv, Bits, "AG1"),
            ("req_nack", 1, ports, Bits, "Q7"),
            ("xb_act", 1, ports, Bits, "A2"),
            ("xb_end", 1, ports, Bits, "A2"),
            ("xb_slow", 1, ports, Bits, "CQ2"),
            ("xb_valid", 1, ports, Bits, "B2"),
            ("xb_first", 1, ports, Bits, "B2"),
            ("xb_last", 1, ports, Bits, "B2"),
            ("xb_bad", 1, ports, Bits, "B3"),
            ("xb_mark", 1, ports, Bits, "SM3"),
            ("xb_data", flit, ports, Bits, "B3"),
            ("cong", 1, pv, Bits, "D1 D4"),
            ("fill", 16, pv, Bits, "D5"),
            ("enter", 1, pv, Bits, "SM4"),
            ("full_evt", 1, pv, Bits, "SM1 SM2"),
            ("can_alloc", 1, 1, Bits, "E3 E7"),
            ("known", p.lines, ports, Bits, "E3"),
            ("room", p.lines, ports, Bits, "E3"),
            ("pend", p.lines, ports, Bits, "A3 E5"),
            ("fc_valid", 1, 1, Bits, "F1"),
            ("fc_vl", 8, 1, Bits, "F1"),
            ("fccl", 12, 1, Bits, "F1"),
            ("msg_valid", 1, 1, Bits, "E2 E5 E6"),
            ("msg_type", 2, 1, MsgType, "E2 E5 E6"),
            ("msg_line", 8, 1, Bits, "E2"),
            ("msg_vl", 8, 1, Bits, "E2"),
            ("msg_root", 24, 1, Bits, "E2"),
            ("msg_hops", 6, 1, Bits, "E2"),
            ("msg_stop", 1, 1, Bits, "E5"),
            ("msg_dcnt", 8, 1, Bits, "E2"),
            ("msg_dlist", 16, p.dlist, Bits, "E2"),
            ("err", 16, 1, Bits, "B3"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_up", 1, 1, Bits, "F1"),
            ("st_rx_state", 2, 1, RxState, "B3"),
            ("st_rx_count", 7, 1, Bits, "B2"),
            ("st_used", 16, vls, Bits, "F2"),
            ("st_abr", 12, vls, Bits, "F1"),
            ("st_cpq_pkts", 16, pv, Bits, "B1"),
            ("st_cpq_fill", 16, pv, Bits, "B1 D1"),
            ("st_hpq_pkts", 16, p.hpqs, Bits, "E4"),
            ("st_hpq_fill", 16, p.hpqs, Bits, "E4 E5"),
            ("st_line_state", 2, p.lines, LineState, "E1 E3 E6"),
            ("st_line_out", 8, p.lines, Bits, "E1"),
            ("st_line_vl", 8, p.lines, Bits, "E1"),
            ("st_line_queue", 16, p.lines, Bits, "E1 E3"),
            ("st_line_hops", 6, p.lines, Bits, "E1 E3"),
            ("st_line_root", 24, p.lines, Bits, "E2"),
            ("st_line_next", 8, p.lines, Bits, "E3"),
            ("st_line_linked", 1, p.lines, Bits, "E6"),
            ("st_line_ann", 1, p.lines, Bits, "E2"),
            ("st_line_sent_stop", 1, p.lines, Bits, "E5"),
            ("st_line_stop_req", 1, p.lines, Bits, "E5"),
            ("st_line_reached", 1, p.lines, Bits, "E5"),
            ("st_line_dirty", 1, p.lines, Bits, "E8"),
            ("st_line_timer", p.timer_w, p.lines, Bits, "E8"),
            ("st_line_dcnt", 8, p.lines, Bits, "E1"),
            ("st_line_dlist", 16, p.lines * p.dlist, Bits, "E1 E4"),
            ("st_line_own", 1, p.lines, Bits, "E1"),
            ("st_cpq_tied", 1, pv, Bits, "E5"),
            ("st_cpq_tie", 8, pv, Bits, "E5"),
            ("st_hpq_tied", 1, p.hpqs, Bits, "E5"),
            ("st_hpq_tie", 8, p.hpqs, Bits, "E5"),
            ("st_cpq_went", 1, pv, Bits, "A2 A3"),
            ("st_hpq_went", 1, p.hpqs, Bits, "A2 A3"),
            ("st_line_cong", 1, p.lines, Bits, "D1"),
            ("st_nfq_wait", 16, 1, Bits, "E1"),
            ("st_slow", 1, ports, Bits, "CQ2"),
            ("st_waiting", 16, pv, Bits, "SM2"),
            ("st_full", 1, vls, Bits, "SM1"),
            ("st_armed", 1, vls, Bits, "SM1"),
            ("st_ncnt", 16, pv, Bits, "SM3"),
            ("st_aged", 1, pv, Bits, "AG1"),
            ("st_pinned", 1, vls, Bits, "AG2"),
            ("st_pin", 8, vls, Bits, "AG2"),
            ("st_bypass", 4, vls, Bits, "AG2"),
            ("st_now", 16, 1, Bits, "Q5"),
            ("st_spec_nack", 1, 1, Bits, "Q7"),
            ("st_spec_age", 16, 1, Bits, "Q5"),
            ("st_spec_waited", 16, 1, Bits, "Q5"),
            ("st_disc_act", 1, 1, Bits, "Q8"),
            ("st_disc_r", 7, 1, Bits, "Q8"),
            ("st_cnt_spec_drop", 32, 1, Bits, "Q7"),
            ("st_lfsr", 16, 1, Bits, "UP1"),
            ("st_cnt_drop", 16, 1, Bits, "B3"),
            ("st_cnt_nohpq", 16, 1, Bits, "E7"),
            ("st_cnt_noline", 16, 1, Bits, "E7"),
        ],
    );
}

fn output_port(l: &mut Layout, p: &Params) {
    use Show::{Bits, MsgType};
    let (ports, vls, pv) = (p.ports, p.vls, p.ports * p.vls);
    let flit = p.flit_bytes * 8;
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "M2"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "M2"),
            ("cfg_data", 32, 1, Bits, "M2"),
            ("req_valid", 1, pv, Bits, "A1"),
            ("req_len", 7, pv, Bits, "F1"),
            ("req_dlid", 16, pv, Bits, "E3"),
            ("req_cnp", 1, pv, Bits, "A2"),
            ("req_hot", 1, pv, Bits, "A2"),
            ("req_unlinked", 1, pv, Bits, "E6"),
            ("req_bound", 1, pv, Bits, "A3 E5"),
            ("req_line", 8, pv, Bits, "A3 E5"),
            ("req_age", p.age_w(), pv, Bits, "AG1"),
            ("req_nack", 1, ports, Bits, "Q3 Q7"),
            ("can_alloc", 1, ports, Bits, "E7"),
            ("known", p.lines, ports, Bits, "E3"),
            ("room", p.lines, ports, Bits, "E3"),
            ("pend", p.lines, ports, Bits, "A3 E5"),
            ("xb_act", 1, ports, Bits, "A2"),
            ("xb_end", 1, ports, Bits, "A2"),
            ("xb_slow", 1, ports, Bits, "CQ2"),
            ("cong", 1, pv, Bits, "D2"),
            ("fill", 16, pv, Bits, "D5"),
            ("enter", 1, pv, Bits, "SM4"),
            ("full_evt", 1, pv, Bits, "SM4"),
            ("sw_valid", 1, 1, Bits, "B2"),
            ("sw_first", 1, 1, Bits, "B2"),
            ("sw_last", 1, 1, Bits, "B2"),
            ("sw_bad", 1, 1, Bits, "B3"),
            ("sw_mark", 1, 1, Bits, "SM3"),
            ("sw_data", flit, 1, Bits, "B3"),
            ("take", 1, pv, Bits, "A1"),
            ("link_up", 1, 1, Bits, "F1"),
            ("fccl_valid", 1, 1, Bits, "F1"),
            ("fccl_vl", 8, 1, Bits, "F1"),
            ("fccl", 12, 1, Bits, "F1"),
            ("msg_valid", 1, 1, Bits, "E3 E5 E6"),
            ("msg_type", 2, 1, MsgType, "E3 E5 E6"),
            ("msg_line", 8, 1, Bits, "E3"),
            ("msg_vl", 8, 1, Bits, "E3"),
            ("msg_root", 24, 1, Bits, "E3"),
            ("msg_hops", 6, 1, Bits, "E3"),
            ("msg_stop", 1, 1, Bits, "E5"),
            ("msg_dcnt", 8, 1, Bits, "E3"),
            ("msg_dlist", 16, p.dlist, Bits, "E3"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("grant", 1, pv, Bits, "A1 A2 A3"),
            ("elig", 1, pv, Bits, "A1"),
            ("held", 1, pv, Bits, "E5"),
            ("held_line", 8, pv, Bits, "E5"),
            ("rd_en", 1, 1, Bits, "B2"),
            ("rd_slow", 1, 1, Bits, "CQ2"),
            ("prop_valid", 1, ports, Bits, "E3"),
            ("prop_vl", 8, 1, Bits, "E3"),
            ("prop_line", 8, 1, Bits, "E3"),
            ("prop_hops", 6, 1, Bits, "E3"),
            ("prop_root", 24, 1, Bits, "E3"),
            ("ol_valid", p.lines, 1, Bits, "E3 E6"),
            ("ol_stop", p.lines, 1, Bits, "E5"),
            ("ol_wait", p.lines, ports, Bits, "A3 E5"),
            ("tx_valid", 1, 1, Bits, "B2"),
            ("tx_first", 1, 1, Bits, "B2"),
            ("tx_last", 1, 1, Bits, "B2"),
            ("tx_bad", 1, 1, Bits, "B3"),
            ("tx_data", flit, 1, Bits, "M1 M2 M3"),
            ("fctbs_valid", 1, 1, Bits, "F1"),
            ("fctbs_vl", 8, 1, Bits, "F1"),
            ("fctbs", 12, 1, Bits, "F1"),
            ("cong_state", 1, vls, Bits, "D2 D3"),
            ("cnp_plain", 1, 1, Bits, "A2"),
            ("err", 16, 1, Bits, "B3"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_txr", 12, vls, Bits, "F1"),
            ("st_fctbs", 12, vls, Bits, "F1"),
            ("st_fccl", 12, vls, Bits, "F1"),
            ("st_count", 8, vls, Bits, "D2 D5"),
            ("st_mark_count", 16, vls, Bits, "M2"),
            ("st_lfsr", 16, 1, Bits, "M2"),
            ("st_ahead", ports, ports * vls, Bits, "A1 A3"),
            ("st_cr", 16, vls, Bits, "A2 A3"),
            ("st_vp", 16, 2, Bits, "A1 A3"),
            ("st_class_ptr", 16, 4, Bits, "Q3"),
            ("st_owed", 1, vls, Bits, "Q3"),
            ("st_owed_in", 8, vls, Bits, "Q3"),
            ("st_passed", 8, vls, Bits, "A2 A3"),
            ("st_waited", 1, vls, Bits, "D3"),
            ("st_rooted", 1, vls, Bits, "D3"),
            ("st_root_held", 1, vls, Bits, "D3"),
            ("st_cnt1", 18, vls, Bits, "SM4"),
            ("st_cnt2", 18, vls, Bits, "SM4 SM5"),
            ("st_sat", 1, vls, Bits, "VM2"),
            ("st_ofill", 16, vls, Bits, "CQ1"),
            ("st_oq_flits", 16, vls, Bits, "CQ1"),
            ("st_lp", 16, 1, Bits, "CQ3"),
            ("st_sending", 1, 1, Bits, "CQ3"),
            ("st_scan", 16, 1, Bits, "E3"),
            ("st_draw", 16, 1, Bits, "A3"),
            ("st_due", 2, 1, Bits, "B3"),
            ("st_drop", 2, 1, Bits, "B3"),
            ("st_ol_hold", 2, p.lines, Bits, "E3 E6"),
            ("st_ol_vl", 8, p.lines, Bits, "E3"),
            ("st_ol_hops", 6, p.lines, Bits, "E3"),
            ("st_ol_root", 24, p.lines, Bits, "E3"),
            ("st_ol_timer", p.timer_w, p.lines, Bits, "E8"),
            ("st_ol_dcnt", 8, p.lines, Bits, "E3"),
            ("st_ol_dlist", 16, p.lines * p.dlist, Bits, "E3"),
            ("st_ol_fresh", p.lines, 1, Bits, "A3 E5"),
            ("st_ol_closing", p.lines, 1, Bits, "A3 E6"),
            ("st_ol_turn", 16, p.lines, Bits, "A3 E5"),
            ("st_cnt_e7", 16, 1, Bits, "E7"),
            ("st_cnt_marked", p.cnt_w, 1, Bits, "M1"),
            ("st_cnt_sent", p.cnt_w, 1, Bits, "B3"),
        ],
    );
}

fn hca_throttle(l: &mut Layout, p: &Params) {
    use Show::Bits;
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "H3"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "H3"),
            ("cfg_data", 32, 1, Bits, "H3"),
            ("cct_we", 1, 1, Bits, "H6"),
            ("cct_addr", 16, 1, Bits, "H6"),
            ("cct_data", 16, 1, Bits, "H6"),
            ("attr_we", 1, 1, Bits, "H7"),
            ("attr_flow", 16, 1, Bits, "H7"),
            ("attr_sl", 4, 1, Bits, "H7"),
            ("becn_valid", 1, 1, Bits, "H3"),
            ("becn_flow", 16, 1, Bits, "H3"),
            ("req", p.flows, 1, Bits, "H8"),
            ("stop", p.flows, 1, Bits, "H5"),
            ("sl_ok", 16, 1, Bits, "H5"),
            ("inj_ready", 1, 1, Bits, "H8"),
            ("inj_len", 7, 1, Bits, "H6"),
            ("sent", 1, 1, Bits, "H5"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "H6"),
            ("inj_valid", 1, 1, Bits, "H5 H8"),
            ("inj_flow", 16, 1, Bits, "H8"),
            ("inj_sl", 4, 1, Bits, "H7"),
            ("blocked", p.flows, 1, Bits, "H1 H5"),
            ("err", 16, 1, Bits, "H3"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_now", p.ts_w, 1, Bits, "H5"),
            ("st_tick", 18, 1, Bits, "H4"),
            ("st_vp", 16, 1, Bits, "H8"),
            ("st_went", p.flows, 1, Bits, "H8"),
            ("st_sp", 16, p.throttle_lanes(), Bits, "H7 H8"),
            ("st_fp", 16, p.throttle_classes(), Bits, "H8"),
            ("st_wk", 16, 1, Bits, "H8"),
            ("st_blk", p.entities(), 1, Bits, "H5 H8"),
            ("st_snd", 1, 1, Bits, "H5"),
            ("st_rs", 16, 1, Bits, "H4"),
            ("st_sl_run", 1, 16, Bits, "H4"),
            ("st_sl_t0", 18, 16, Bits, "H4"),
            ("st_sl_steps", 14, 16, Bits, "H4"),
            ("st_sl_act", 1, 16, Bits, "H4"),
            // The write that the update pipeline makes to the entity RAM in this cycle (U2).
            ("st_ent_we", 1, 1, Bits, "H3 H4"),
            ("st_ent_addr", 16, 1, Bits, "H3 H4"),
            ("st_ent_ccti", 14, 1, Bits, "H3 H4"),
            ("st_ent_run", 1, 1, Bits, "H4"),
            ("st_ent_t0", 18, 1, Bits, "H4"),
            ("st_ent_seen", 14, 1, Bits, "H4"),
            ("st_ent_esl", 4, 1, Bits, "H4 H7"),
            // The write to the LTI RAM in the previous cycle (a packet sent, or ageing).
            ("st_lti_we", 1, 1, Bits, "H5"),
            ("st_lti_addr", 16, 1, Bits, "H5"),
            ("st_lti_valid", 1, 1, Bits, "H5"),
            ("st_lti", p.ts_w, 1, Bits, "H5"),
            ("st_lti_len", 7, 1, Bits, "H6"),
        ],
    );
}

fn switch(l: &mut Layout, p: &Params) {
    use Show::{Bits, LineState};
    let (ports, vls) = (p.ports, p.vls);
    let (flit, ctl) = (p.flit_bytes * 8, ctl_bits(p));
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "D1"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_unit", 8, 1, Bits, "D1"),
            ("cfg_port", 8, 1, Bits, "D1"),
            ("cfg_addr", 8, 1, Bits, "D1"),
            ("cfg_data", 32, 1, Bits, "D1"),
            ("lft_we", 1, 1, Bits, "R1"),
            ("lft_addr", 16, 1, Bits, "R1"),
            ("lft_port", 8, 1, Bits, "R1"),
            ("rx_valid", 1, ports, Bits, "B3"),
            ("rx_first", 1, ports, Bits, "B3"),
            ("rx_last", 1, ports, Bits, "B3"),
            ("rx_bad", 1, ports, Bits, "B3"),
            ("rx_data", flit, ports, Bits, "B3"),
            ("rx_ctl", ctl, ports, Bits, "F1 E3"),
            ("link_up", 1, ports, Bits, "F1"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "R1"),
            ("tx_valid", 1, ports, Bits, "B2"),
            ("tx_first", 1, ports, Bits, "B2"),
            ("tx_last", 1, ports, Bits, "B2"),
            ("tx_bad", 1, ports, Bits, "B3"),
            ("tx_data", flit, ports, Bits, "M1 M2 M3"),
            ("tx_ctl", ctl, ports, Bits, "F1 E2"),
            ("err_in", 16, ports, Bits, "B3"),
            ("err_out", 16, ports, Bits, "B3"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_used", 16, ports * vls, Bits, "F2"),
            ("st_cpq_fill", 16, ports * ports * vls, Bits, "B1 D1"),
            ("st_hpq_fill", 16, ports * p.hpqs, Bits, "E4 E5"),
            ("st_line_state", 2, ports * p.lines, LineState, "E1 E3 E6"),
            ("st_line_dcnt", 8, ports * p.lines, Bits, "E1"),
            ("st_txr", 12, ports * vls, Bits, "F1"),
            ("st_cong_state", 1, ports * vls, Bits, "D2 D3"),
            ("st_cnt1", 18, ports * vls, Bits, "SM4"),
            ("st_cnt2", 18, ports * vls, Bits, "SM4"),
            ("st_ofill", 16, ports * vls, Bits, "CQ1"),
            ("st_ol_valid", p.lines, ports, Bits, "E3 E6"),
            ("st_ol_stop", p.lines, ports, Bits, "E5"),
            ("st_accept", 16, ports, Bits, "A1"),
            ("st_lost", p.ports, ports, Bits, "A3"),
            ("st_claim", p.ports, ports, Bits, "A3"),
            ("st_claim_ahead", p.ports, ports * p.ports, Bits, "A3"),
            ("st_spec_nack", 1, ports, Bits, "Q7"),
            ("st_cnt_spec_drop", 32, ports, Bits, "Q7"),
            ("st_cnt_nohpq", 16, ports, Bits, "E7"),
            ("st_cnt_noline", 16, ports, Bits, "E7"),
            ("st_cnt_marked", p.cnt_w, ports, Bits, "M1"),
            ("st_cnt_sent", p.cnt_w, ports, Bits, "B3"),
        ],
    );
}

fn hca(l: &mut Layout, p: &Params) {
    use Show::{Bits, LineState};
    let (flit, ctl) = (p.flit_bytes * 8, ctl_bits(p));
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "H3"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_unit", 8, 1, Bits, "H3"),
            ("cfg_addr", 8, 1, Bits, "H3"),
            ("cfg_data", 32, 1, Bits, "H3"),
            ("lft_we", 1, 1, Bits, "R1"),
            ("lft_addr", 16, 1, Bits, "R1"),
            ("lft_port", 8, 1, Bits, "R1"),
            ("cct_we", 1, 1, Bits, "H6"),
            ("cct_addr", 16, 1, Bits, "H6"),
            ("cct_data", 16, 1, Bits, "H6"),
            ("wt_we", 1, 1, Bits, "VR3"),
            ("wt_addr", 16, 1, Bits, "VR3"),
            ("wt_data", 32, 1, Bits, "VR3"),
            ("attr_we", 1, 1, Bits, "H7"),
            ("attr_flow", 16, 1, Bits, "H7"),
            ("attr_sl", 4, 1, Bits, "H7"),
            ("gen_valid", 1, 1, Bits, "H1"),
            ("gen_flow", 16, 1, Bits, "H1"),
            ("gen_len", 7, 1, Bits, "H1"),
            ("gen_psn", 24, 1, Bits, "H1"),
            ("gen_pkts", 16, 1, Bits, "Q14"),
            ("dma_ready", 1, 1, Bits, "H8"),
            ("dma_data", flit, 1, Bits, "H8"),
            ("host_ready", 1, 1, Bits, "B3"),
            ("rx_valid", 1, 1, Bits, "B3"),
            ("rx_first", 1, 1, Bits, "B3"),
            ("rx_last", 1, 1, Bits, "B3"),
            ("rx_bad", 1, 1, Bits, "B3"),
            ("rx_data", flit, 1, Bits, "B3"),
            ("rx_ctl", ctl, 1, Bits, "F1 E3"),
            ("link_up", 1, 1, Bits, "F1"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "H6"),
            ("gen_full", p.flows, 1, Bits, "H1"),
            ("dma_valid", 1, 1, Bits, "H8"),
            ("dma_flow", 16, 1, Bits, "H8"),
            ("dma_psn", 24, 1, Bits, "H8"),
            ("dma_index", 7, 1, Bits, "H8"),
            ("host_valid", 1, 1, Bits, "B3"),
            ("host_first", 1, 1, Bits, "B3"),
            ("host_last", 1, 1, Bits, "B3"),
            ("host_bad", 1, 1, Bits, "B3"),
            ("host_data", flit, 1, Bits, "B3"),
            ("tx_valid", 1, 1, Bits, "B2"),
            ("tx_first", 1, 1, Bits, "B2"),
            ("tx_last", 1, 1, Bits, "B2"),
            ("tx_bad", 1, 1, Bits, "B3"),
            ("tx_data", flit, 1, Bits, "H2 H8"),
            ("tx_ctl", ctl, 1, Bits, "F1"),
            ("err", 16, 1, Bits, "B3"),
            ("err_in", 16, 1, Bits, "B3"),
            ("err_out", 16, 1, Bits, "B3"),
            ("err_thr", 16, 1, Bits, "H3"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_gen_pkts", 32, 1, Bits, "H1"),
            ("st_win", 8, 1, Bits, "H1"),
            ("st_sending", 1, 1, Bits, "H8"),
            ("st_inj_txr", 12, p.vls, Bits, "F1"),
            ("st_used", 16, p.vls, Bits, "F2"),
            ("st_cpq_fill", 16, p.vls, Bits, "H9"),
            ("st_hpq_fill", 16, p.hpqs, Bits, "H9"),
            ("st_line_state", 2, p.lines, LineState, "H9"),
            ("st_txr", 12, p.vls, Bits, "F1"),
            ("st_ol_valid", p.lines, 1, Bits, "H9"),
            ("st_ol_stop", p.lines, 1, Bits, "H5 H9"),
            ("st_cnp_pkts", 16, 1, Bits, "H2 AK4"),
            ("st_owed", 1, p.vls, Bits, "AK4"),
            ("st_seen", p.flows, 1, Bits, "H2"),
            ("st_out", p.flows, 1, Bits, "AK6"),
            ("st_rx_used", 16, p.vls, Bits, "F2"),
            ("st_rx_abr", 12, p.vls, Bits, "F1"),
            ("st_cnt_cnp", p.cnt_w, 1, Bits, "H2"),
            ("st_cnt_cnp_lost", 16, 1, Bits, "H2"),
            ("st_cnt_becn", p.cnt_w, 1, Bits, "H3"),
            ("st_cnt_rcv", p.cnt_w, 1, Bits, "B3"),
            ("st_cnt_ack", p.cnt_w, 1, Bits, "AK3"),
            ("st_cnt_ack_lost", 16, 1, Bits, "AK4"),
            ("st_cnt_ack_in", p.cnt_w, 1, Bits, "AK5"),
            ("st_ungranted", 1, 1, Bits, "Q20"),
            ("st_t", p.now_w, 1, Bits, "Q10"),
            ("st_tv", 1, 1, Bits, "Q10"),
            ("st_res_pkts", 16, 1, Bits, "Q13"),
            ("st_rep_pkts", 16, 1, Bits, "Q12"),
            ("st_rs", p.flows, 1, Bits, "Q16"),
            ("st_sp", p.flows, 1, Bits, "Q16"),
            ("st_go", p.flows, 1, Bits, "Q16"),
            ("st_wt", p.flows, 1, Bits, "Q16"),
            ("st_pq", p.flows, 1, Bits, "Q14"),
        ],
    );
}

fn source_response(l: &mut Layout, p: &Params) {
    use Show::Bits;
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "VR2"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "VR2"),
            ("cfg_data", 32, 1, Bits, "VR2"),
            ("wt_we", 1, 1, Bits, "VR3"),
            ("wt_addr", 16, 1, Bits, "VR3"),
            ("wt_data", 32, 1, Bits, "VR3"),
            ("attr_we", 1, 1, Bits, "H7"),
            ("attr_flow", 16, 1, Bits, "H7"),
            ("attr_sl", 4, 1, Bits, "H7"),
            ("ack_valid", 1, 1, Bits, "AK5"),
            ("ack_flow", 16, 1, Bits, "AK5"),
            ("ack_bits", 3, 1, Bits, "VR1"),
            ("post_valid", 1, 1, Bits, "VR5"),
            ("post_flow", 16, 1, Bits, "VR5"),
            ("req", p.flows, 1, Bits, "H8"),
            ("stop", p.flows, 1, Bits, "H5"),
            ("sl_ok", 16, 1, Bits, "H5"),
            ("inj_ready", 1, 1, Bits, "H8"),
            ("inj_len", 7, 1, Bits, "H6"),
            ("sent", 1, 1, Bits, "H5"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "AK6"),
            ("inj_valid", 1, 1, Bits, "H8 AK6 SR3"),
            ("inj_flow", 16, 1, Bits, "H8"),
            ("inj_sl", 4, 1, Bits, "H7"),
            ("blocked", p.flows, 1, Bits, "H1 H8"),
            ("err", 16, 1, Bits, "AK5 AK7 VR1"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_now", p.ts_w, 1, Bits, "H5"),
            ("st_vp", 16, 1, Bits, "H8"),
            ("st_went", p.flows, 1, Bits, "H8"),
            ("st_sp", 16, p.throttle_lanes(), Bits, "H7 H8"),
            ("st_fp", 16, p.throttle_classes(), Bits, "H8"),
            ("st_wk", 16, 1, Bits, "H8"),
            ("st_blk", p.flows, 1, Bits, "H8"),
            ("st_snd", 1, 1, Bits, "H5"),
            ("st_out", p.flows, 1, Bits, "AK6"),
            ("st_adj", p.flows, 1, Bits, "VR2 VR5"),
            // The write that the update pipeline makes to the response RAM in this cycle (U2).
            ("st_rsp_we", 1, 1, Bits, "AK5 AK7"),
            ("st_rsp_addr", 16, 1, Bits, "AK5"),
            ("st_rsp_acked", 9, 1, Bits, "AK6 AK7"),
            ("st_rsp_win", 8, 1, Bits, "VR2"),
            ("st_rsp_x", 33, 1, Bits, "SR1 SR2"),
            ("st_rsp_j", 4, 1, Bits, "VR2 VR4"),
            ("st_rsp_av", 1, 1, Bits, "AK7 VR3"),
            ("st_rsp_at", p.ts_w, 1, Bits, "AK7 VR3"),
            // The write to the LTI RAM in the previous cycle (a packet sent, or ageing).
            ("st_lti_we", 1, 1, Bits, "H5"),
            ("st_lti_addr", 16, 1, Bits, "H5"),
            ("st_lti_valid", 1, 1, Bits, "H5"),
            ("st_lti", p.ts_w, 1, Bits, "H5"),
            ("st_lti_len", 7, 1, Bits, "H6"),
            ("st_lti_taken", 9, 1, Bits, "AK6"),
        ],
    );
}

fn reservation(l: &mut Layout, p: &Params) {
    use Show::Bits;
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "Q15"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "Q15"),
            ("cfg_data", 32, 1, Bits, "Q15"),
            ("attr_we", 1, 1, Bits, "Q20"),
            ("attr_flow", 16, 1, Bits, "Q20"),
            ("attr_sl", 4, 1, Bits, "Q20"),
            ("post_valid", 1, 1, Bits, "Q14"),
            ("post_flow", 16, 1, Bits, "Q14"),
            ("post_pkts", 16, 1, Bits, "Q14"),
            ("post_last", 7, 1, Bits, "Q14"),
            ("post_psn", 24, 1, Bits, "Q14"),
            ("room", 9, 1, Bits, "Q20"),
            ("link_room", 9, 1, Bits, "Q20"),
            ("ungranted", 1, 1, Bits, "Q20"),
            ("inj_ready", 1, 1, Bits, "Q20"),
            ("res_ready", 1, 1, Bits, "Q17"),
            ("rep_valid", 1, 1, Bits, "Q16"),
            ("rep_kind", 2, 1, Bits, "Q16"),
            ("rep_flow", 16, 1, Bits, "Q16"),
            ("rep_id", 13, 1, Bits, "Q16"),
            ("rep_seq", 8, 1, Bits, "Q16"),
            ("rep_wait", 32, 1, Bits, "Q18"),
            ("rin_valid", 1, 1, Bits, "Q10"),
            ("rin_slid", 16, 1, Bits, "Q10"),
            ("rin_sl", 4, 1, Bits, "Q10"),
            ("rin_id", 13, 1, Bits, "Q10"),
            ("rin_size", 16, 1, Bits, "Q10"),
            ("end_valid", 1, 1, Bits, "Q12"),
            ("end_bad", 1, 1, Bits, "Q12"),
            ("end_slid", 16, 1, Bits, "Q12"),
            ("end_sl", 4, 1, Bits, "Q12"),
            ("end_id", 13, 1, Bits, "Q12"),
            ("end_seq", 8, 1, Bits, "Q12"),
            ("out_ready", 1, 1, Bits, "Q12"),
            ("rep_rty", 1, 1, Bits, "Q22"),
            ("rep_init", 1, 1, Bits, "Q22"),
            ("rin_init", 1, 1, Bits, "Q22"),
            ("end_rty", 1, 1, Bits, "Q22"),
            // The table of sources.
            ("see_look", 1, 1, Bits, "Q22"),
            ("see_mark", 1, 1, Bits, "Q22"),
            ("see_res", 1, 1, Bits, "Q22"),
            ("see_init", 1, 1, Bits, "Q22"),
            ("see_flow", 16, 1, Bits, "Q22"),
            ("see_id", 13, 1, Bits, "Q22"),
            ("see_seq", 8, 1, Bits, "Q22"),
            ("see_ok", 1, 1, Bits, "Q22"),
            ("see_spec", 1, 1, Bits, "Q21"),
            ("see_pass", 1, 1, Bits, "Q21"),
            ("see_psn", 24, 1, Bits, "Q21"),
            ("walk_valid", 1, 1, Bits, "Q15"),
            ("walk_len", 7, 1, Bits, "Q15"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "Q19"),
            ("gen_full", p.flows, 1, Bits, "Q14"),
            ("inj_valid", 1, 1, Bits, "Q20"),
            ("inj_kind", 2, 1, Bits, "Q20"),
            ("inj_flow", 16, 1, Bits, "Q20"),
            ("inj_sl", 4, 1, Bits, "Q20"),
            ("inj_lane", 4, 1, Bits, "Q20"),
            ("inj_len", 7, 1, Bits, "Q15"),
            ("inj_psn", 24, 1, Bits, "Q15"),
            ("inj_id", 13, 1, Bits, "Q15"),
            ("inj_seq", 8, 1, Bits, "Q15"),
            ("inj_n", 8, 1, Bits, "Q15"),
            ("inj_last", 1, 1, Bits, "Q15"),
            ("res_valid", 1, 1, Bits, "Q17"),
            ("res_flow", 16, 1, Bits, "Q17"),
            ("res_sl", 4, 1, Bits, "Q17"),
            ("res_id", 13, 1, Bits, "Q17"),
            ("res_n", 8, 1, Bits, "Q17"),
            ("res_size", 16, 1, Bits, "Q17"),
            ("res_last", 1, 1, Bits, "Q17"),
            ("out_valid", 1, 1, Bits, "Q12"),
            ("out_kind", 2, 1, Bits, "Q12"),
            ("out_lid", 16, 1, Bits, "Q12"),
            ("out_sl", 4, 1, Bits, "Q12"),
            ("out_id", 13, 1, Bits, "Q12"),
            ("out_seq", 8, 1, Bits, "Q12"),
            ("out_wait", 32, 1, Bits, "Q11"),
            ("rin_done", 1, 1, Bits, "Q13"),
            ("end_ok", 1, 1, Bits, "Q12"),
            ("err", 16, 1, Bits, "Q10 Q12 Q14 Q16"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
            ("inj_rty", 1, 1, Bits, "Q22"),
            ("res_rty", 1, 1, Bits, "Q22"),
            ("res_init", 1, 1, Bits, "Q22"),
            ("out_rty", 1, 1, Bits, "Q22"),
            ("out_init", 1, 1, Bits, "Q22"),
            ("see_drop", 1, 1, Bits, "Q22"),
            ("see_ack", 1, 1, Bits, "Q22"),
            ("see_known", 13, 1, Bits, "Q22"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_now", p.now_w, 1, Bits, "Q10 Q18"),
            ("st_t", p.now_w, 1, Bits, "Q10"),
            ("st_tv", 1, 1, Bits, "Q10"),
            ("st_res_pkts", 16, 1, Bits, "Q13"),
            ("st_rep_pkts", 16, 1, Bits, "Q12"),
            ("st_turn", 1, 1, Bits, "Q12"),
            ("st_rs", p.flows, 1, Bits, "Q16"),
            ("st_sp", p.flows, 1, Bits, "Q16"),
            ("st_go", p.flows, 1, Bits, "Q16"),
            ("st_wt", p.flows, 1, Bits, "Q16"),
            ("st_pq", p.flows, 1, Bits, "Q14"),
            // The write that an op makes to the table in this cycle (O1).
            ("st_tab_we", 1, 1, Bits, "Q19"),
            ("st_tab_addr", 16, 1, Bits, "Q19"),
            ("st_tab_st", 3, 1, Bits, "Q16"),
            ("st_tab_byp", 1, 1, Bits, "Q15"),
            ("st_tab_id", 13, 1, Bits, "Q15"),
            ("st_tab_n", 7, 1, Bits, "Q15"),
            ("st_tab_rem", 16, 1, Bits, "Q15"),
            ("st_tab_got", 1, 1, Bits, "Q16"),
            ("st_tab_todo", p.nmax, 1, Bits, "Q16"),
            ("st_tab_out", p.nmax, 1, Bits, "Q16"),
            ("st_tab_due", p.now_w, 1, Bits, "Q18"),
            ("st_b", 1, 1, Bits, "Q19"),
            ("st_b_flow", 16, 1, Bits, "Q19"),
            ("st_op_ptr", 3, 1, Bits, "Q19"),
            ("st_ptr_e", 16, 1, Bits, "Q17"),
            ("st_ptr_p", 16, 1, Bits, "Q19"),
            ("st_ptr_w", 16, 1, Bits, "Q19"),
            ("st_ptr_s", 16, 1, Bits, "Q20"),
            ("st_lane", 4, 1, Bits, "Q20"),
            ("st_ptr_g", 16, SrpLane::data_lanes(p.vls), Bits, "Q20"),
            ("st_op", p.flows, 1, Bits, "Q22"),
            ("st_init", p.flows, 1, Bits, "Q22"),
            ("st_quiet", 1, 1, Bits, "Q22"),
            ("st_tab_rty", p.nmax, 1, Bits, "Q22"),
            ("st_tab_again", 1, 1, Bits, "Q22"),
            ("st_tab_stamp", p.now_w, 1, Bits, "Q22"),
            // The write to the table of sources, decided in the cycle before.
            ("st_see_we", 1, 1, Bits, "Q22"),
            ("st_see_addr", 16, 1, Bits, "Q22"),
            ("st_see_v", 1, 1, Bits, "Q22"),
            ("st_see_id", 13, 1, Bits, "Q22"),
            ("st_see_got", p.nmax, 1, Bits, "Q22"),
            ("st_see_nv", 1, 1, Bits, "Q21"),
            ("st_see_next", 24, 1, Bits, "Q21"),
        ],
    );
}

fn worm_router(l: &mut Layout, p: &Params) {
    use Show::Bits;
    let (ports, pv) = (p.ports, p.ports * p.vls);
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "YW5"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_port", 8, 1, Bits, "YW5"),
            ("cfg_addr", 8, 1, Bits, "YW5"),
            ("cfg_data", 32, 1, Bits, "YW5"),
            ("lft_we", 1, 1, Bits, "R1"),
            ("lft_addr", 16, 1, Bits, "R1"),
            ("lft_port", 8, 1, Bits, "R1"),
            ("link_up", 1, ports, Bits, "F1"),
            ("rx_valid", 1, ports, Bits, "YW1"),
            ("rx_vl", 4, ports, Bits, "YW1"),
            ("rx_first", 1, ports, Bits, "YW1"),
            ("rx_last", 1, ports, Bits, "YW1"),
            ("rx_bad", 1, ports, Bits, "YW1"),
            ("rx_data", 128, ports, Bits, "YW1"),
            ("rx_credit", 1, pv, Bits, "YW2"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "R1"),
            ("tx_valid", 1, ports, Bits, "YW1"),
            ("tx_vl", 4, ports, Bits, "YW4"),
            ("tx_first", 1, ports, Bits, "YW1"),
            ("tx_last", 1, ports, Bits, "YW1"),
            ("tx_bad", 1, ports, Bits, "YW1"),
            ("tx_data", 128, ports, Bits, "YW1"),
            ("tx_credit", 1, pv, Bits, "YW2"),
            ("lane_owned", 1, pv, Bits, "YL1"),
            ("lane_full", 1, pv, Bits, "YS1"),
            ("err", 16, ports, Bits, "YW1 R1"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_level", 8, pv, Bits, "YW1 YW2"),
            ("st_open", 1, pv, Bits, "YW1"),
            ("st_drain", 1, pv, Bits, "YW3"),
            ("st_cut", 1, pv, Bits, "F1"),
            ("st_owed", 8, pv, Bits, "YW2"),
            ("st_own", 1, pv, Bits, "YW4"),
            ("st_own_out", 8, pv, Bits, "YW4"),
            ("st_own_vl", 8, pv, Bits, "YW4"),
            ("st_owned", 1, pv, Bits, "YW4"),
            ("st_cr", 8, pv, Bits, "YW2"),
            ("st_place_in", 8, pv, Bits, "YW5"),
            ("st_left_in", 8, pv, Bits, "YW5"),
            ("st_place_out", 8, pv, Bits, "YW5"),
            ("st_left_out", 8, pv, Bits, "YW5"),
            ("st_guard_in", 8, ports, Bits, "YW6"),
            ("st_guard_out", 8, ports, Bits, "YW6"),
            ("st_ptr_group", 8, ports, Bits, "YW4"),
            ("st_ptr_lane", 8, pv, Bits, "YW4"),
            ("st_ptr_be", 16, ports, Bits, "YW4"),
            ("st_lfsr", 16, ports, Bits, "YW4"),
            ("st_cnt_flits", p.cnt_w, ports, Bits, "YW5"),
            ("st_cnt_msgs", p.cnt_w, ports, Bits, "YW5"),
            ("st_cnt_drop", 16, ports, Bits, "YW1 YW3"),
            // Admission; 0 with ADMIT = 0.
            ("st_used", 16, ports, Bits, "YA1"),
            ("st_book_out", 16, pv, Bits, "YA1"),
            ("st_book_in", 16, pv, Bits, "YA1"),
            ("st_ptr_adm", 8, 1, Bits, "YA2"),
            ("st_adm", 1, ports, Bits, "YA2"),
            ("st_eat", 1, ports, Bits, "YA2"),
            ("st_slot", 8, ports, Bits, "YA3"),
            ("st_slot_way", 8, ports, Bits, "YA3"),
            ("st_slot_routed", 1, ports, Bits, "YA3"),
            ("st_slot_turn", 1, ports, Bits, "YA3"),
            ("st_slot_own", 1, ports, Bits, "YA3"),
            ("st_books", 1, pv, Bits, "YA1"),
            ("st_final", 1, pv, Bits, "YA6"),
            ("st_final_bw", 16, pv, Bits, "YA6"),
            ("st_cnt_booked", 16, ports, Bits, "YA2"),
            ("st_cnt_refused", 16, ports, Bits, "YA2"),
        ],
    );
}

fn worm_adapter(l: &mut Layout, p: &Params) {
    use Show::Bits;
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "C1"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "C1"),
            ("cfg_data", 32, 1, Bits, "C1"),
            ("link_up", 1, 1, Bits, "F1"),
            ("open_valid", 1, 1, Bits, "YA4"),
            ("open_conn", 16, 1, Bits, "YA4"),
            ("open_dlid", 16, 1, Bits, "YA4"),
            ("open_bw", 16, 1, Bits, "YA1 YA4"),
            ("post_valid", 1, 1, Bits, "YC1"),
            ("post_class", 2, 1, Bits, "YC1"),
            ("post_conn", 16, 1, Bits, "YC1"),
            ("post_dlid", 16, 1, Bits, "YC1"),
            ("post_len", 8, 1, Bits, "YC1"),
            ("post_final", 1, 1, Bits, "YA6"),
            ("post_tag", 16, 1, Bits, "YC3"),
            ("dma_data", 128, 1, Bits, "YC4"),
            ("be_hold", 1, p.vls, Bits, "YW6"),
            ("rx_valid", 1, 1, Bits, "YW1"),
            ("rx_vl", 4, 1, Bits, "YW1"),
            ("rx_first", 1, 1, Bits, "YW1"),
            ("rx_last", 1, 1, Bits, "YW1"),
            ("rx_bad", 1, 1, Bits, "YW1"),
            ("rx_data", 128, 1, Bits, "YW1"),
            ("rx_credit", 1, p.vls, Bits, "YW2"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("open_ready", 1, 1, Bits, "YA4 R1"),
            ("post_ready", 1, 1, Bits, "YC1 R1"),
            ("done_valid", 1, 1, Bits, "YA4 YC1"),
            ("done_post", 1, 1, Bits, "YA4 YC1"),
            ("done_ok", 1, 1, Bits, "YA4 YC1"),
            ("done_why", 3, 1, Bits, "YA4 YC1"),
            ("done_tag", 16, 1, Bits, "YA4 YC1"),
            ("event_valid", 1, 1, Bits, "YA4"),
            ("event_kind", 2, 1, Bits, "YA4"),
            ("event_conn", 16, 1, Bits, "YA4"),
            ("cqe_valid", 1, 1, Bits, "YC3"),
            ("cqe_class", 2, 1, Bits, "YC3"),
            ("cqe_conn", 16, 1, Bits, "YC3"),
            ("cqe_tag", 16, 1, Bits, "YC3"),
            ("dma_valid", 1, 1, Bits, "YC4"),
            ("dma_tag", 16, 1, Bits, "YC4"),
            ("dma_index", 8, 1, Bits, "YC4"),
            ("be_front", 1, p.vls, Bits, "YW6"),
            ("be_dlid", 16, p.vls, Bits, "YW6"),
            ("link_free", 1, p.vls, Bits, "YL1"),
            ("lane_full", 1, p.vls, Bits, "YS1"),
            ("tx_valid", 1, 1, Bits, "YW1"),
            ("tx_vl", 4, 1, Bits, "YW1"),
            ("tx_first", 1, 1, Bits, "YW1"),
            ("tx_last", 1, 1, Bits, "YW1"),
            ("tx_bad", 1, 1, Bits, "YW1"),
            ("tx_data", 128, 1, Bits, "YW1 YA1"),
            ("tx_credit", 1, p.vls, Bits, "YW2"),
            ("dlv_valid", 1, 1, Bits, "YW1"),
            ("dlv_vl", 4, 1, Bits, "YW1"),
            ("dlv_first", 1, 1, Bits, "YW1"),
            ("dlv_last", 1, 1, Bits, "YW1"),
            ("dlv_bad", 1, 1, Bits, "YW1"),
            ("dlv_data", 128, 1, Bits, "YW1"),
            ("dlv_cut", 1, p.vls, Bits, "F1"),
            ("err", 16, 1, Bits, "YA4 YC1 YW1"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_used", 16, 1, Bits, "YA1"),
            ("st_book", 16, p.vls, Bits, "YA1"),
            ("st_conns", 16, p.vls, Bits, "YA4"),
            ("st_live", 16, 1, Bits, "YA4"),
            ("st_lane", 4, 1, Bits, "YA4"),
            ("st_seq", 6, 1, Bits, "YA4"),
            ("st_sum_c", 32, 1, Bits, "YC2"),
            ("st_avail_b", 16, 1, Bits, "YC1"),
            ("st_posted", 16, 1, Bits, "YC3"),
            ("st_queue", 16, 4, Bits, "YC4"),
            ("st_turn", 2, 1, Bits, "YA4"),
            ("st_gap", 16, 1, Bits, "YA4"),
            ("st_open", 1, 1, Bits, "YA4"),
            ("st_post", 1, 1, Bits, "YC1"),
            ("st_replies", 8, 1, Bits, "YA4"),
            ("st_touched", 1, 1, Bits, "YA4"),
            ("st_conn", 16, 1, Bits, "YA4"),
            ("st_state", 3, 1, Bits, "YA4"),
            ("st_avail", 16, 1, Bits, "YC1 YC3"),
            ("st_move", 1, 1, Bits, "YC4"),
            ("st_move_vl", 4, 1, Bits, "YC4"),
            ("st_move_left", 8, 1, Bits, "YC4"),
            ("st_own_first", 1, 1, Bits, "YC4"),
            ("st_guard_move", 16, 1, Bits, "YC4"),
            ("st_level", 8, p.vls, Bits, "YC4"),
            ("st_cr", 8, p.vls, Bits, "YW2"),
            ("st_inside", 1, p.vls, Bits, "YW6"),
            ("st_tail", 1, 1, Bits, "YW6"),
            ("st_place", 8, p.vls, Bits, "YW6 YA7"),
            ("st_left", 8, p.vls, Bits, "YW6 YA7"),
            ("st_guard", 8, 1, Bits, "YW6"),
            ("st_lfsr", 16, 1, Bits, "YC4"),
            ("st_rx_open", 1, p.vls, Bits, "YW1"),
            ("st_rx_skip", 1, p.vls, Bits, "YW1"),
            ("st_cnt_sent", p.cnt_w, 1, Bits, "C1"),
            ("st_cnt_rcv", p.cnt_w, 1, Bits, "C1"),
            ("st_cnt_refused", 16, 1, Bits, "YC1"),
            ("st_cnt_drop", 16, 1, Bits, "YW1"),
        ],
    );
}

fn injection_control(l: &mut Layout, p: &Params) {
    use Show::Bits;
    let (vls, pv) = (p.vls, p.ports * p.vls);
    l.add(
        Group::Input,
        &[
            ("cfg_we", 1, 1, Bits, "C1"),
            ("cfg_re", 1, 1, Bits, "C1"),
            ("cfg_addr", 8, 1, Bits, "C1"),
            ("cfg_data", 32, 1, Bits, "C1"),
            ("use_we", 1, 1, Bits, "YL1"),
            ("use_addr", 16, 1, Bits, "YL1"),
            ("use_mask", 16, 1, Bits, "YL1"),
            ("be_front", 1, vls, Bits, "YL1"),
            ("be_dlid", 16, vls, Bits, "YL1"),
            ("tx_valid", 1, 1, Bits, "YL1"),
            ("tx_vl", 4, 1, Bits, "YL1"),
            ("tx_first", 1, 1, Bits, "YL1"),
            ("dlv_valid", 1, 1, Bits, "YS1"),
            ("link_free", 1, vls, Bits, "YL1"),
            ("own_full", 1, vls, Bits, "YS1"),
            ("owned", 1, pv, Bits, "YL1"),
            ("full", 1, pv, Bits, "YS1"),
            ("gather", 1, 1, Bits, "YS1"),
            ("sum_valid", 1, 1, Bits, "YS2"),
            ("sum_full", 24, 1, Bits, "YS2"),
            ("sum_flits", 24, 1, Bits, "YS3"),
        ],
    );
    l.add(
        Group::Output,
        &[
            ("ready", 1, 1, Bits, "R1"),
            ("be_hold", 1, vls, Bits, "YL1 YS2"),
            ("give_valid", 1, 1, Bits, "YS1"),
            ("give_full", 16, 1, Bits, "YS1"),
            ("give_flits", 16, 1, Bits, "YS1"),
            ("cfg_rvalid", 1, 1, Bits, "C1"),
            ("cfg_rdata", 32, 1, Bits, "C1"),
        ],
    );
    l.add(
        Group::State,
        &[
            ("st_have", 1, vls, Bits, "YL1"),
            ("st_dlid", 16, vls, Bits, "YL1"),
            ("st_way", 16, vls, Bits, "YL1"),
            ("st_ask", 4, 1, Bits, "YL1"),
            ("st_look", 1, 1, Bits, "YL1"),
            ("st_look_vl", 4, 1, Bits, "YL1"),
            ("st_free", 16, 1, Bits, "YL1"),
            ("st_clear", 16, 1, Bits, "YL1"),
            ("st_link", 1, 1, Bits, "YL1"),
            ("st_held", 16, vls, Bits, "YL1 YS2"),
            ("st_flits", 16, 1, Bits, "YS1"),
            ("st_f0", 24, 1, Bits, "YS2"),
            ("st_f1", 24, 1, Bits, "YS2"),
            ("st_k", 17, 1, Bits, "YS2"),
            ("st_throttle", 1, 1, Bits, "YS2"),
            ("st_over", 1, 1, Bits, "YS3"),
            ("st_t", 24, 1, Bits, "YS3"),
            ("st_sums", 2, 1, Bits, "YS3"),
            ("st_tput", 26, 1, Bits, "YS3"),
            ("st_last", 26, 1, Bits, "YS3"),
            ("st_best_tput", 26, 1, Bits, "YS4"),
            ("st_best_full", 24, 1, Bits, "YS4"),
            ("st_best_t", 24, 1, Bits, "YS4"),
            ("st_bad", 3, 1, Bits, "YS4"),
        ],
    );
}
