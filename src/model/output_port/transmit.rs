//! From the crossbar to the link (rules M1-M3, B2, B3, F1): section 5 of the page.

use super::cover::Cover;
use super::state::{CREDIT_MASK, FLIT_WORDS, Flit, LINK_DOWN, MAX_VLS, OpenPacket, OutputPort, XB_FRAMING};
use crate::model::header::{Header, Marks};
use crate::scheme::marking::{Mode, next_lfsr};

impl OutputPort {
    /// Takes this cycle's crossbar flit into the tx register; `held` is the next value of `root_held`. Returns new errors.
    pub(super) fn transmit(&mut self, input: &[u32], grant: Option<usize>, held: &[bool; MAX_VLS]) -> u32 {
        let bit = |at: usize| input[at] & 1 != 0;
        if !self.queue.built {
            self.tx.valid = false;
        }
        if bit(self.i.sw_valid) && (self.drop > 0 || !bit(self.i.link_up)) {
            self.hit(if bit(self.i.link_up) { Cover::b3_dropped_late } else { Cover::b3_dropped });
            return LINK_DOWN;
        }
        if !bit(self.i.sw_valid) {
            return 0;
        }
        let (first, last, bad) = (bit(self.i.sw_first), bit(self.i.sw_last), bit(self.i.sw_bad));
        let mut flit = Flit { valid: true, first, last, bad, data: [0; FLIT_WORDS], vl: None };
        flit.data[..self.flit_words].copy_from_slice(&input[self.i.sw_data..][..self.flit_words]);
        self.hit_if(bad, Cover::b3_bad_passed);

        let (mut errors, mut header) = (0, None);
        if first {
            if self.open.is_some() {
                errors |= XB_FRAMING;
                self.hit(Cover::b3_framing_no_last);
            }
            let h = Header::parse(&flit.data[..self.flit_words]);
            errors |= self.open_packet(&mut flit, &h, held, bit(self.i.sw_mark));
            header = Some(h);
        } else if self.open.is_none() {
            errors |= XB_FRAMING;
            self.hit(Cover::b3_framing_no_first);
        }
        if let Some(mut packet) = self.open {
            packet.m = packet.m.saturating_add(1);
            flit.vl = packet.vl;
            self.open = (!last).then_some(packet);
            if last {
                self.end_packet(&packet, grant);
            }
        }
        if self.queue.built {
            return errors | self.store(flit, header.as_ref());
        }
        self.tx = flit;
        errors
    }

    /// Section 9: packets on their way over the crossbar, and those of them that a link that is down loses.
    pub(super) fn follow_due(&mut self, input: &[u32], grant: Option<usize>) {
        let bit = |at: usize| input[at] & 1 != 0;
        let ends = u32::from(bit(self.i.sw_valid) && bit(self.i.sw_last));
        let was = self.due;
        self.due = (self.due.saturating_sub(ends) + u32::from(grant.is_some())).min(3);
        if bit(self.i.link_up) {
            self.hit_if(self.drop > 0 && grant.is_some(), Cover::b3_granted_behind_dropped);
            self.drop = self.drop.saturating_sub(ends);
        } else {
            if self.down == 0 {
                self.hit_if(was == 1, Cover::b3_link_down_due_1);
                self.hit_if(was == 2, Cover::b3_link_down_due_2);
                self.hit_if(self.open.is_some(), Cover::b3_link_down_open);
            }
            self.hit_if(grant.is_some(), Cover::b3_granted_in_link_down);
            self.drop = self.due;
        }
    }

    /// A first flit: opens the packet, marks it; `asked`: its input wants it marked.
    fn open_packet(&mut self, flit: &mut Flit, h: &Header, held: &[bool; MAX_VLS], asked: bool) -> u32 {
        let n = h.flits() as u32;
        let vl = Some(h.lane(self.vls, self.vl_by_dest)).filter(|&v| v < self.vls);
        self.hit_if(self.vl_by_dest && vl != Some(usize::from(h.vl)), Cover::r1_lane_of_dest);
        self.open = Some(OpenPacket { vl, n, m: 0 });
        self.cnt_sent = self.cnt_max.min(self.cnt_sent.saturating_add(1));
        self.hit(Cover::b2_packet_sent);
        let Some(vl) = vl else {
            self.hit(Cover::b3_framing_vl);
            return XB_FRAMING;
        };
        let by_state = self.marked_by_state(vl, n, h, held[vl]);
        let by_count = self.marked_by_count(vl, h, asked, by_state);
        let mut marks = Marks::NONE;
        if by_state || by_count {
            self.cnt_marked = self.cnt_max.min(self.cnt_marked.saturating_add(1));
            marks = Marks::FECN;
        }
        marks |= Marks::VB.when(self.validated(vl, h));
        h.add_marks(&mut flit.data[..self.flit_words], marks);
        0
    }

    /// M1, M2: the packet is eligible, and chosen.
    fn marked_by_state(&mut self, vl: usize, n: u32, h: &Header, held: bool) -> bool {
        if !self.eligible(vl, n, h, held) {
            return false;
        }
        let fecn = h.marks().has(Marks::FECN);
        self.hit_if(fecn, Cover::m3_marked_upstream_is_eligible);
        let marked = self.mark(vl);
        self.hit_if(marked, if h.lnh == 2 { Cover::m1_marked } else { Cover::m1_marked_behind_grh });
        self.hit_if(!marked && fecn, Cover::m3_fecn_kept);
        marked
    }

    /// M1
    fn eligible(&mut self, vl: usize, n: u32, h: &Header, held: bool) -> bool {
        let state = if self.cfg.at_once { self.state_now(vl) } else { self.cong[vl] };
        let congested = self.cfg.mark_en && state;
        self.hit_if(!self.cfg.mark_en && state, Cover::m1_marking_off);
        self.hit_if(self.cfg.mark_en && !state, Cover::m1_not_congested);
        let big = n >= self.cfg.packet_size;
        let sort = h.is_marked() && big;
        if self.cfg.at_once && self.cfg.mark_en && sort {
            let differs = state != self.cong[vl];
            self.hit_if(differs, Cover::m1_at_once_differs);
            self.hit_if(differs && state, Cover::m1_at_once_marks);
            self.hit_if(differs && !state, Cover::m1_at_once_spares);
            self.hit_if(self.root_held[vl] != held, Cover::d3_root_held_own);
        }
        if congested {
            self.hit_if(h.bth.is_none(), Cover::m1_no_bth);
            self.hit_if(h.is_cnp(), Cover::m1_cnp);
            self.hit_if(h.is_ack(), Cover::m1_ack);
            self.hit_if(h.is_multicast() && h.bth.is_some(), Cover::m1_multicast);
            self.hit_if(h.bth.is_some() && !big, Cover::m1_too_small);
            self.hit_if(h.bth.is_some() && n == self.cfg.packet_size, Cover::m1_just_big_enough);
        }
        congested && sort
    }

    /// M2: decides an eligible packet; the LFSR moves on in every mode.
    fn mark(&mut self, vl: usize) -> bool {
        let (mode, rate, before) = (self.cfg.mark_mode, self.cfg.marking_rate, self.mark_count[vl]);
        let mark = mode.marks(self.lfsr, rate, self.cfg.mark_fraction, &mut self.mark_count[vl]);
        self.hit_if(mode == Mode::Counter && mark && before > 0, Cover::m2_counter_returns);
        self.hit(match (mode, mark) {
            (Mode::Probability, true) => Cover::m2_probability_mark,
            (Mode::Probability, false) => Cover::m2_probability_pass,
            (Mode::Fraction, true) => Cover::m2_fraction_mark,
            (Mode::Fraction, false) => Cover::m2_fraction_pass,
            (Mode::Counter, true) => Cover::m2_counter_mark,
            (Mode::Counter, false) => Cover::m2_counter_pass,
        });
        self.hit_if(mark && mode == Mode::Probability && rate == 0xffff, Cover::m2_rarest_rate);
        self.lfsr = next_lfsr(self.lfsr);
        mark
    }

    /// F1, CQ1: a packet that ended early gives back what it was granted and did not use.
    fn end_packet(&mut self, packet: &OpenPacket, grant: Option<usize>) {
        let Some(vl) = packet.vl else { return };
        if packet.m >= packet.n {
            self.hit_if(packet.m > packet.n, Cover::b3_longer_than_header);
            return;
        }
        let short = packet.n - packet.m;
        if self.queue.built {
            self.give_back(vl, short);
            return;
        }
        self.hit(match grant {
            None => Cover::f1_txr_corrected,
            Some(r) if r % self.vls == vl => Cover::f1_txr_corrected_with_grant,
            Some(_) => Cover::f1_txr_corrected_other_grant,
        });
        self.hit_if(self.txr[vl] < short, Cover::f1_txr_borrow);
        self.txr[vl] = self.txr[vl].wrapping_sub(short) & CREDIT_MASK;
    }
}
