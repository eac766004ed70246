//! Section 1: the two receive stages, and what an arriving flit does to the buffer.

use super::cover::Cov;
use super::err;
use super::state::{Accept, Arrival, InputPort, Packet, Receiver, RxState, count};
use crate::model::header::{Header, Marks};
use crate::model::link::Credit;
use crate::scheme::packet::{Class, PacketKind};

impl Receiver {
    pub fn new(flit_words: usize) -> Self {
        Receiver {
            state: RxState::Idle,
            ctx_vl: 0,
            ctx_vl_ok: false,
            current: None,
            quiet: 0,
            valid: false,
            first: false,
            last: false,
            bad: false,
            data: vec![0; flit_words],
            header: Header::default(),
            rt: 0xff,
            back: 0xff,
            fctbs: None,
        }
    }
}

impl InputPort {
    /// Stage 1. Decides from the buffer as it is in S(t); only the receiver's own registers, ABR, counters
    /// and errors change here.
    pub(super) fn receive(&mut self) -> Arrival {
        let mut a = Arrival::default();
        if !self.up {
            self.lose_link(&mut a);
            return a;
        }
        let counted_vl = if !self.rx.valid {
            self.watch_timeout(&mut a);
            None
        } else if self.rx.first {
            self.first_flit(&mut a)
        } else {
            self.next_flit(&mut a)
        };
        self.count_blocks(counted_vl);
        a
    }

    /// Section 11: a cycle without a link. The packet that it cuts stays, and is sent on.
    fn lose_link(&mut self, a: &mut Arrival) {
        match self.rx.state {
            RxState::Recv => {
                self.error(err::LINK_DOWN);
                a.cut = self.rx.current.take();
                self.hit(Cov::B3LinkDownCuts);
            }
            RxState::Drop => self.hit(Cov::B3LinkDownInDrop),
            RxState::Idle => self.hit(Cov::F1LinkDownIdle),
        }
        self.hit_if(self.rx.valid, Cov::B3LinkDownFlit);
        self.hit_if(self.rx.valid && self.rx.first && self.any_up() != (false, false), Cov::Up1LinkDown);
        self.hit_if(self.rx.fctbs.is_some(), Cov::F1LinkDownFctbs);
        self.rx.state = RxState::Idle;
        self.rx.ctx_vl_ok = false;
        self.abr.fill(0);
    }

    /// A cycle without a flit.
    fn watch_timeout(&mut self, a: &mut Arrival) {
        if self.rx.state != RxState::Recv {
            return;
        }
        count(&mut self.rx.quiet);
        if self.cfg.rx_timeout > 0 && self.rx.quiet >= self.cfg.rx_timeout {
            self.error(err::TIMEOUT);
            self.hit(Cov::B3Timeout);
            a.cut = self.rx.current.take();
            self.rx.state = RxState::Drop;
        }
    }

    /// A flit with `first`. Returns its VL if that is legal.
    fn first_flit(&mut self, a: &mut Arrival) -> Option<usize> {
        // Step 1: a packet was not finished.
        if self.rx.state == RxState::Recv {
            self.error(err::FRAMING);
            self.hit(Cov::B3FramingFirst);
            a.cut = self.rx.current.take();
        }
        let draws = self.draw_routes();
        // Step 2: context.
        let h = self.rx.header;
        let vl = h.lane(self.p.vls, self.p.vl_by_dest);
        let vl_ok = vl < self.p.vls;
        self.hit_if(vl != usize::from(h.vl), Cov::R1LaneOfDest);
        self.rx.ctx_vl = vl;
        self.rx.ctx_vl_ok = vl_ok;
        // Step 3: checks.
        let before = self.err_set;
        self.err_set = 0;
        let n = h.flits() as u32;
        let len_ok = n >= 1 && n <= self.p.mtu as u32;
        let out = usize::from(self.rx.rt);
        if !vl_ok {
            self.error(err::BAD_VL);
            self.hit(Cov::B3BadVl);
        }
        if !len_ok {
            self.error(err::BAD_LEN);
            self.hit(if n == 0 { Cov::B3BadLenZero } else { Cov::B3BadLenLong });
        }
        if out >= self.p.ports {
            self.error(err::NO_ROUTE);
            let outside = usize::from(h.dlid) >= self.p.lft_depth;
            self.hit(if outside { Cov::B3NoRouteDlid } else { Cov::B3NoRoute });
        }
        if vl_ok && len_ok && n > self.cap[vl] - self.used[vl] {
            self.error(err::NO_CREDIT);
            self.hit(Cov::B3NoCredit);
        }
        if self.p.control_lane() == Some(vl) {
            let reply = h.is_cnp() || h.is_ack();
            self.hit_if(reply && n == 1, Cov::Cl3Reply);
            self.hit_if(reply && n != 1, Cov::Cl3Long);
            self.hit_if(!reply && n == 1, Cov::Cl3Data);
            if !reply || n != 1 {
                self.error(err::BAD_CLASS);
            }
        }
        if vl_ok {
            let failed = self.refuse_by_lane(vl, n);
            self.err_set |= failed;
        }
        if self.rx.bad {
            self.error(err::BAD_PKT);
            self.hit(Cov::B3BadFirst);
        } else if len_ok && self.rx.last != (n == 1) {
            self.error(err::FRAMING);
            self.hit(Cov::B3FramingShape);
        }
        let failed = self.err_set;
        self.err_set |= before;
        // Step 4.
        if failed == 0 {
            let queue = self.cold_queue(out * self.p.vls + vl);
            let markable = h.is_marked();
            let mb = self.takes_mb(&h, self.used[vl] + n);
            a.accept = Some(Accept { queue, vl, out, n, markable, mb });
            a.vl = Some(vl);
            self.rx.quiet = 0;
            self.rx.state = if n == 1 { RxState::Idle } else { RxState::Recv };
            self.hit(Cov::R1Route);
            self.cover_drawn(draws, out);
        } else {
            self.hit_if(draws && failed != 1 << err::NO_ROUTE, Cov::Up1Refused);
            self.hit_if(failed.count_ones() > 1, Cov::B3TwoErrors);
            self.hit_if(vl_ok, Cov::F1DropCounted);
            count(&mut self.cnt_drop);
            self.rx.state = if self.rx.last { RxState::Idle } else { RxState::Drop };
        }
        vl_ok.then_some(vl)
    }

    /// A flit without `first`. Returns its VL if that is known and legal.
    fn next_flit(&mut self, a: &mut Arrival) -> Option<usize> {
        let after = if self.rx.last { RxState::Idle } else { RxState::Drop };
        match self.rx.state {
            RxState::Idle => {
                self.error(err::FRAMING);
                self.hit(Cov::B3FramingStray);
                // Whose flit it is, nobody knows: it is not counted in ABR.
                self.rx.ctx_vl_ok = false;
                self.rx.state = after;
            }
            RxState::Drop => {
                self.hit(Cov::B3DropFlit);
                self.rx.state = after;
            }
            RxState::Recv => {
                let id = self.rx.current;
                let (stored, n) = id.map_or((0, 0), |id| (self.packets[id].stored, self.packets[id].n));
                let at_end = stored + 1 == n;
                if !self.rx.bad && self.rx.last == at_end {
                    a.store = id;
                    a.vl = Some(self.rx.ctx_vl);
                    self.rx.quiet = 0;
                    if at_end {
                        self.rx.state = RxState::Idle;
                        self.rx.current = None;
                    }
                } else {
                    if self.rx.bad {
                        self.error(err::BAD_PKT);
                        self.hit(Cov::B3BadMid);
                    } else {
                        self.error(err::FRAMING);
                        self.hit(if at_end { Cov::B3FramingLate } else { Cov::B3FramingEarly });
                    }
                    a.cut = self.rx.current.take();
                    self.rx.state = after;
                }
            }
        }
        self.hit_if(!self.rx.ctx_vl_ok, Cov::F1UnknownVl);
        self.rx.ctx_vl_ok.then_some(self.rx.ctx_vl)
    }

    /// F1: ABR follows every flit of a known VL, and the neighbour's FCTBS.
    fn count_blocks(&mut self, counted_vl: Option<usize>) {
        if let Some((vl, fctbs)) = self.rx.fctbs {
            if vl < self.p.vls {
                self.hit_if(self.abr[vl] != fctbs, Cov::F1FctbsRepair);
                self.hit_if(counted_vl == Some(vl), Cov::F1FctbsAndFlit);
                self.abr[vl] = fctbs;
            } else {
                self.error(err::BAD_VL);
                self.hit(Cov::B3BadVlFctbs);
            }
        }
        if let Some(vl) = counted_vl {
            self.abr[vl] = (self.abr[vl] + 1) & 0xfff;
            self.hit_if(self.abr[vl] == 0, Cov::F1AbrWrap);
        }
    }

    /// Stores the flit of stage 1, closes a cut packet.
    pub(super) fn apply_arrival(&mut self, a: &Arrival) {
        if let Some(id) = a.cut {
            let packet = &mut self.packets[id];
            packet.arriving = false;
            packet.cut = true;
        }
        if let Some(accept) = a.accept {
            let h = &self.rx.header;
            let (dlid, cnp) = (h.dlid, h.kind().class() == Class::Cnp);
            let ack = h.kind() == PacketKind::Ack;
            let grh = cnp && h.lnh == 3;
            let packet = Packet {
                vl: accept.vl,
                out: accept.out,
                n: accept.n,
                dlid,
                cnp,
                ack,
                markable: accept.markable,
                stamp: self.ages.now(),
                way: self.way(accept.vl),
                stored: 1,
                arriving: accept.n > 1,
                cut: false,
                flits: Vec::new(),
            };
            let id = self.packets.put(packet, &self.rx.data);
            if accept.mb {
                h.add_marks(&mut self.packets[id].flits, Marks::MB);
            }
            if accept.n > 1 {
                self.rx.current = Some(id);
            }
            let queue = &mut self.queues[accept.queue];
            queue.packets.push_back(id);
            queue.charge(accept.n, ack);
            self.hit_if(grh, Cov::A2CnpGrh);
        }
        if let Some(id) = a.store {
            let packet = &mut self.packets[id];
            packet.flits.extend_from_slice(&self.rx.data);
            packet.stored += 1;
            packet.arriving = packet.stored < packet.n;
        }
        if let Some(vl) = a.vl {
            self.used[vl] += 1;
            self.hit(Cov::B1Stored);
            self.hit_if(self.used[vl] == self.cap[vl], Cov::B1Full);
        }
    }

    /// Stage 0: the pins are registered and the LFT is read; a write in the same cycle is not seen.
    pub(super) fn register_pins(&mut self, input: &[u32]) {
        let w = self.ins;
        let up = input[w.link_up] != 0;
        self.hit_if(up && !self.up, Cov::F1LinkUp);
        self.hit_if(up && !self.up && self.was_up, Cov::F1LinkGlitch);
        self.was_up = self.up;
        self.up = up;
        self.rx.valid = input[w.rx_valid] != 0;
        if self.rx.valid {
            self.rx.first = input[w.rx_first] != 0;
            self.rx.last = input[w.rx_last] != 0;
            self.rx.bad = input[w.rx_bad] != 0;
            self.rx.data.copy_from_slice(&input[w.rx_data..w.rx_data + self.flit_words]);
            if self.rx.first {
                self.rx.header = Header::parse(&self.rx.data);
                let dlid = usize::from(self.rx.header.dlid);
                self.rx.rt = self.lft.get(dlid).copied().unwrap_or(0xff);
                self.rx.back = self.lft.get(usize::from(self.rx.header.slid)).copied().unwrap_or(0xff);
                let collides = input[w.lft_we] != 0
                    && input[w.lft_addr] as usize == dlid
                    && dlid < self.p.lft_depth
                    && input[w.lft_port] as u8 != self.rx.rt;
                self.hit_if(collides, Cov::R1ReadWrite);
            }
        }
        self.rx.fctbs = self.fctbs(input).map(|c| (c.vl as usize, c.blocks & 0xfff));
        self.ol_valid.copy_from_slice(&input[w.ol_valid..w.ol_valid + self.p.ports]);
        self.ol_stop.copy_from_slice(&input[w.ol_stop..w.ol_stop + self.p.ports]);
    }

    /// Stage 0 while the link stays up and nothing comes but perhaps FCTBS.
    pub(super) fn register_credit(&mut self, fctbs: Option<Credit>) {
        self.was_up = self.up;
        self.rx.valid = false;
        self.rx.fctbs = fctbs.map(|c| (c.vl as usize, c.blocks & 0xfff));
        self.ol_valid.fill(0);
        self.ol_stop.fill(0);
    }

    /// FCTBS on the pins.
    pub(super) fn fctbs(&self, input: &[u32]) -> Option<Credit> {
        let w = &self.ins;
        (input[w.fctbs_valid] != 0).then(|| Credit { vl: input[w.fctbs_vl], blocks: input[w.fctbs] })
    }
}
