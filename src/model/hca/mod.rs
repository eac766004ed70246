//! Golden model of `hca`, from `docs/hca.md`: the golden throttle, source response or reservation, input port and output port, and between
//! them the generation queues, the injector, the replies and the receiver.
//!
//! The outputs and state of the embedded units that a step needs are worked out once, at the end of the step before.

mod cover;
mod injector;
mod receiver;
mod replies;
mod reserve;
mod reserve_arrivals;
mod reserve_losses;
mod reserve_state;
mod state;

#[cfg(test)]
mod ack_tests;
#[cfg(test)]
mod pair_tests;
#[cfg(test)]
mod reserve_tests;
#[cfg(test)]
mod tests;

use crate::model::input_port::InputPort;
use crate::model::link::{Control, Credit};
use crate::model::output_port::OutputPort;
use crate::model::util::{Read, bit, err_clear, set_bit};
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::scheme::organisation::SlToVl;
use crate::signals::{Layout, ctl_bits};
pub use cover::cover_applies;
use cover::{Cover, POINTS};
use reserve_state::{Reserve, ReserveIn};
pub use state::Hca;
use state::{
    ACK_LOST, Chooser, ChooserIn, ChooserOut, Config, In, Injector, Out, OwnIn, Part, PickIn, PortIn,
    PortOut, Post, Receiver, Replies, ResponseIn, STRAY_ACK, SendIn, SendOut, State, Taken, ThrottleIn,
    WINDOW, reset_registers,
};

impl Hca {
    /// A unit in reset state. `params` must be legal ([`Params::check`]).
    pub fn new(params: &Params) -> Self {
        let p = *params;
        let layout = Layout::new(UnitKind::Hca, &p);
        let p = Params { one_queue: false, markers: false, stamp_w: 0, ..p };
        let port_lanes = p.packet_lanes();
        let port_params = Params { ports: 1, vls: port_lanes, srp: false, ..p };
        let send_params = if p.srp {
            Params { ports: 3, data_blocks: p.blocks / port_lanes, ..p }
        } else {
            Params { ports: 2, ..p }
        };
        let port_layout = Layout::new(UnitKind::InputPort, &port_params);
        let send_layout = Layout::new(UnitKind::OutputPort, &send_params);
        // CL2: it chooses among flows of data.
        let chooser_params = Params { vls: if p.srp { p.vls } else { p.data_lanes() }, ..p };
        let chooser_layout = Layout::new(p.chooser(), &chooser_params);
        let l = &chooser_layout;
        let own = match p.chooser() {
            UnitKind::Reservation => OwnIn::Reservation(ReserveIn::new(l)),
            UnitKind::SourceResponse => OwnIn::Response(PickIn::new(l), ResponseIn::new(l)),
            _ => OwnIn::Throttle(PickIn::new(l), ThrottleIn::new(l)),
        };
        let flow_words = p.flows.div_ceil(32);
        let written = reset_registers();
        Hca {
            p,
            flit_words: p.flit_bytes / 4,
            ctl_words: ctl_bits(&p).div_ceil(32),
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            pi: PortIn::new(&port_layout),
            po: PortOut::new(&port_layout),
            si: SendIn::new(&send_layout),
            so: SendOut::new(&send_layout),
            ti: ChooserIn::new(&chooser_layout),
            own,
            to: ChooserOut::new(&chooser_layout),
            blocked: if p.srp { 0 } else { chooser_layout.output("blocked") },
            outstanding: if p.response { chooser_layout.state("st_out") } else { 0 },
            reserve: p.srp.then(|| Reserve::new(&chooser_layout)),
            port_lanes,
            port_cap: (p.blocks / port_lanes) as u32,
            port: Part::new(InputPort::in_adapter(&port_params), &port_layout),
            send: Part::new(OutputPort::new(&send_params), &send_layout),
            chooser: Part::new(Chooser::new(&chooser_params), &chooser_layout),
            chooser_words: chooser_layout.state_words,
            cfg: Config::new(&written, &p),
            sl2vl: SlToVl::modulo(p.data_lanes()),
            written,
            read: None,
            injector: Injector::new(&p),
            replies: Replies::new(&p),
            receiver: Receiver::new(&p),
            stop: vec![0; flow_words],
            err: 0,
            held: vec![0; flow_words],
            was_blocked: vec![0; flow_words],
            chooser_err: 0,
            cover: vec![0; POINTS.len()],
        }
    }

    fn hit(&mut self, point: Cover) {
        self.cover[point as usize] += 1;
    }

    fn hit_if(&mut self, happened: bool, point: Cover) {
        self.cover[point as usize] += u64::from(happened);
    }

    fn ready(&self) -> bool {
        self.port.out[self.po.ready] & self.chooser.out[self.to.ready] != 0
    }

    /// DLID of a flow.
    fn dlid(&self, flow: usize) -> u32 {
        (self.cfg.lid_base + flow as u32) & 0xffff
    }

    /// The flow of a LID.
    fn flow_of(&self, lid: u32) -> Option<usize> {
        let flow = (lid.wrapping_sub(self.cfg.lid_base) & 0xffff) as usize;
        (flow < self.p.flows).then_some(flow)
    }

    /// The words of the register port for a unit, in the order `cfg_we`, `cfg_re`, `cfg_addr`, `cfg_data`; 0 if the access
    /// is to another.
    fn register_port(&self, input: &[u32], unit: u32) -> [u32; 4] {
        if input[self.i.cfg_unit] & 0xff != unit {
            return [0; 4];
        }
        [self.i.cfg_we, self.i.cfg_re, self.i.cfg_addr, self.i.cfg_data].map(|at| input[at])
    }

    /// Inputs of the output port: requests of the input port and of the replies, the stream of both, the link.
    fn drive_send(&mut self, input: &[u32], control: &Control) {
        let (w, r, v) = (self.si, self.po, self.port_lanes);
        // Section 13: of the lane spec these are 0, as at a switch.
        let seen = self.p.data_lanes();
        let mut words = std::mem::take(&mut self.send.input);
        words.fill(0);
        for (to, word) in
            [w.cfg_we, w.cfg_re, w.cfg_addr, w.cfg_data].into_iter().zip(self.register_port(input, 1))
        {
            words[to] = word;
        }
        let out = &self.port.out;
        for (to, from) in [
            (w.req_valid, r.req_valid),
            (w.req_len, r.req_len),
            (w.req_dlid, r.req_dlid),
            (w.req_cnp, r.req_cnp),
            (w.req_hot, r.req_hot),
            (w.req_unlinked, r.req_unlinked),
            (w.req_bound, r.req_bound),
            (w.req_line, r.req_line),
        ] {
            words[to..to + v].copy_from_slice(&out[from..from + v]);
        }
        for (to, from) in [(w.cong, r.cong), (w.fill, r.fill)] {
            words[to..to + seen].copy_from_slice(&out[from..from + seen]);
        }
        for (to, from) in [
            (w.can_alloc, r.can_alloc),
            (w.known, r.known),
            (w.room, r.room),
            (w.pend, r.pend),
            (w.xb_act, r.xb_act),
            (w.xb_end, r.xb_end),
            (w.sw_valid, r.xb_valid),
            (w.sw_first, r.xb_first),
            (w.sw_last, r.xb_last),
            (w.sw_bad, r.xb_bad),
        ] {
            words[to] = out[from];
        }
        words[w.sw_data..w.sw_data + self.flit_words]
            .copy_from_slice(&out[r.xb_data..r.xb_data + self.flit_words]);
        // Requester 1, and 2 with reservation.
        if self.reserve.is_some() {
            self.ask_reserving(&mut words);
        } else {
            for (vl, head) in self.asking() {
                let q = v + vl;
                words[w.req_valid + q] = 1;
                words[w.req_len + q] = 1;
                words[w.req_dlid + q] = head.dlid;
                words[w.req_cnp + q] = 1;
            }
            words[w.xb_act + 1] = u32::from(self.replies.active.is_some());
            words[w.xb_end + 1] = words[w.xb_act + 1];
        }
        if let Some(flit) = &self.replies.emitted {
            words[w.sw_valid] |= 1;
            words[w.sw_first] |= 1;
            words[w.sw_last] |= 1;
            words[w.sw_data..].iter_mut().zip(&flit[..self.flit_words]).for_each(|(to, from)| *to |= from);
        }
        // The link.
        words[w.link_up] = input[self.i.link_up];
        if let Some(c) = control.fccl {
            words[w.fccl_valid] = 1;
            words[w.fccl_vl] = c.vl;
            words[w.fccl] = c.blocks;
        }
        if let Some(m) = &control.message {
            let fields = [1, m.kind, m.line, m.vl, m.root, m.hops, u32::from(m.stop), m.dcnt];
            words[w.msg_valid..w.msg_valid + 8].copy_from_slice(&fields);
            words[w.msg_dlist..]
                .iter_mut()
                .zip(&m.dlist[..self.p.dlist])
                .for_each(|(to, d)| *to = u32::from(*d));
        }
        self.send.input = words;
        self.send.unit.look(&self.send.input, &mut self.send.out);
    }

    /// Inputs of the input port: the injector's flit, grants and what else the output port tells.
    fn drive_port(&mut self, input: &[u32]) {
        let (w, r) = (self.pi, self.so);
        let mut words = std::mem::take(&mut self.port.input);
        words.fill(0);
        for (to, word) in
            [w.cfg_we, w.cfg_re, w.cfg_addr, w.cfg_data].into_iter().zip(self.register_port(input, 0))
        {
            words[to] = word;
        }
        for (to, from) in
            [(w.lft_we, self.i.lft_we), (w.lft_addr, self.i.lft_addr), (w.lft_port, self.i.lft_port)]
        {
            words[to] = input[from];
        }
        let out = &self.send.out;
        for (to, from) in [(w.grant, r.grant), (w.held, r.held), (w.held_line, r.held_line)] {
            words[to..to + self.port_lanes].copy_from_slice(&out[from..from + self.port_lanes]);
        }
        // Its sender is the injector.
        words[w.link_up] = 1;
        for (to, from) in [(w.rd_en, r.rd_en), (w.prop_valid, r.prop_valid), (w.ol_valid, r.ol_valid)] {
            words[to] = out[from];
        }
        words[w.ol_stop] = out[r.ol_stop] | out[r.ol_wait];
        if words[w.prop_valid] != 0 {
            for (to, from) in [
                (w.prop_vl, r.prop_vl),
                (w.prop_line, r.prop_line),
                (w.prop_hops, r.prop_hops),
                (w.prop_root, r.prop_root),
            ] {
                words[to] = out[from];
            }
        }
        if let Some(flit) = self.injected_flit(input) {
            words[w.rx_valid] = 1;
            words[w.rx_first] = u32::from(flit.first);
            words[w.rx_last] = u32::from(flit.last);
            words[w.rx_data..w.rx_data + self.flit_words].copy_from_slice(&flit.data[..self.flit_words]);
        }
        self.port.input = words;
    }

    /// VR5: the flow of the packet that is posted to an empty queue.
    fn first_post(&self, posted: Option<(usize, Post)>) -> Option<usize> {
        posted.map(|(flow, _)| flow).filter(|&flow| self.injector.queues[flow].is_empty())
    }

    /// Inputs of throttle or source response; `accepted` is the length of the packet that the injector takes, `posted` the flow of [`Hca::first_post`].
    fn drive_chooser(&mut self, input: &[u32], accepted: Option<u32>, posted: Option<usize>) {
        let pick = match self.own {
            OwnIn::Throttle(pick, _) | OwnIn::Response(pick, _) => pick,
            OwnIn::Reservation(_) => return,
        };
        let w = self.ti;
        let mut words = std::mem::take(&mut self.chooser.input);
        words.fill(0);
        for (to, word) in
            [w.cfg_we, w.cfg_re, w.cfg_addr, w.cfg_data].into_iter().zip(self.register_port(input, 2))
        {
            words[to] = word;
        }
        match self.own {
            OwnIn::Reservation(_) => {}
            OwnIn::Throttle(_, w) => {
                words[w.cct_we..w.cct_we + 3].copy_from_slice(&input[self.i.cct_we..self.i.cct_we + 3]);
                if let Some(flow) = self.receiver.becn {
                    words[w.becn_valid..w.becn_valid + 2].copy_from_slice(&[1, flow as u32]);
                }
            }
            OwnIn::Response(_, w) => {
                words[w.wt_we..w.wt_we + 3].copy_from_slice(&input[self.i.wt_we..self.i.wt_we + 3]);
                if let Some((flow, bits)) = self.receiver.ack {
                    words[w.ack_valid..w.ack_valid + 3].copy_from_slice(&[1, flow as u32, bits]);
                }
                if let Some(flow) = posted {
                    words[w.post_valid..w.post_valid + 2].copy_from_slice(&[1, flow as u32]);
                }
            }
        }
        words[w.attr_we..w.attr_we + 3].copy_from_slice(&input[self.i.attr_we..self.i.attr_we + 3]);
        words[pick.sent] = u32::from(self.last_leaves(input));
        let room = self.rooms();
        for flow in 0..self.p.flows {
            let wanted = !self.injector.queues[flow].is_empty()
                && (!self.p.vl_by_dest || room >> self.lane(flow, 0) & 1 != 0);
            words[pick.req + flow / 32] |= u32::from(wanted) << (flow % 32);
        }
        words[pick.stop..pick.stop + self.stop.len()].copy_from_slice(&self.stop);
        words[pick.sl_ok] = if self.p.vl_by_dest {
            0xffff
        } else {
            (0..16).fold(0, |ok, sl| ok | ((room >> self.sl2vl.vl(sl) & 1) as u32) << sl)
        };
        if let Some(len) = accepted {
            words[w.inj_ready] = 1;
            words[pick.inj_len] = len;
        }
        self.chooser.input = words;
    }

    /// One cycle in which the unit is ready.
    fn clock(&mut self, input: &[u32]) {
        let control = Control::unpack(&input[self.i.rx_ctl..][..self.ctl_words]);
        // Everything from S(t): the inputs of the embedded units ...
        self.drive_send(input, &control);
        self.drive_port(input);
        let taken = self.accepts(input);
        let mut errors = 0;
        let posted = self.judge_post(input, taken.map(|t| t.flow), &mut errors);
        self.drive_chooser(input, taken.map(|t| t.post.len), self.first_post(posted));
        let stop = self.stopped_flows();
        let arrival = self.judge(input);
        self.cover_response(posted, taken.as_ref(), arrival.becn.is_some());
        // ... and the edge.
        errors |= arrival.errors;
        let moved = self.judge_mover(posted.is_none(), &mut errors);
        self.step_window(posted, taken.as_ref());
        self.step_queues(posted, taken.is_some(), moved);
        self.step_injector(input, taken.map(|t| self.begins(&t)));
        self.step_replies(input, &arrival, moved);
        errors |= self.step_receiver(input, &control, &arrival);
        self.stop = stop;
        self.cover_lines();
        self.step_registers(input, errors);
    }

    /// Sticky errors and registers of this page.
    fn step_registers(&mut self, input: &[u32], errors: u32) {
        let [we, _, addr, data] = self.register_port(input, 3);
        let clear = err_clear(we, addr, data);
        self.hit_if(self.err & clear & !errors != 0, Cover::b3_error_cleared);
        self.hit_if(errors & clear != 0, Cover::b3_error_set_wins);
        self.err = (self.err & !clear) | errors;
        self.configure(input);
    }

    /// H5: the flows of the lines that are stopped in this cycle.
    fn stopped_flows(&mut self) -> Vec<u32> {
        let lines = self.send.out[self.so.ol_valid] & self.send.out[self.so.ol_stop];
        let mut stop = vec![0; self.stop.len()];
        if lines == 0 && self.stop.iter().all(|s| *s == 0) {
            return stop;
        }
        for k in (0..self.p.lines).filter(|k| lines >> k & 1 != 0) {
            let mut by_this_line = vec![0; stop.len()];
            for flow in self.send.unit.destinations(k).iter().filter_map(|dlid| self.flow_of(*dlid)) {
                set_bit(&mut by_this_line, flow, true);
            }
            let twice = stop.iter().zip(&by_this_line).any(|(a, b)| a & b != 0);
            self.hit_if(twice, Cover::h5_two_lines_stop);
            stop.iter_mut().zip(by_this_line).for_each(|(all, one): (&mut u32, u32)| *all |= one);
        }
        for flow in 0..self.p.flows {
            let (was, is) = (bit(&self.stop, flow), bit(&stop, flow));
            let waiting = !self.injector.queues[flow].is_empty();
            self.hit_if(is && waiting, Cover::h5_stopped);
            self.hit_if(was && !is && waiting, Cover::h5_released);
        }
        stop
    }

    /// Configuration writes, effective in the next cycle.
    fn configure(&mut self, input: &[u32]) {
        let [we, _, addr, data] = self.register_port(input, 3);
        if we & 1 == 0 {
            return;
        }
        let base = self.cfg.lid_base;
        self.written.write(addr & 0xff, data);
        self.cfg = Config::new(&self.written, &self.p);
        let busy = self.injector.queues.iter().any(|q| !q.is_empty());
        let changed = self.cfg.lid_base != base;
        self.hit_if(busy && changed, Cover::h1_lid_base_changed);
        // In S(t+1): its first flit comes then at the earliest.
        let waits = self.injector.sending.is_some_and(|s| s.index == 0);
        self.hit_if(waits && changed, Cover::h8_base_while_going);
    }

    /// C1: what stands under a number of this page.
    fn register(&self, number: u32) -> Read {
        match number {
            10 => Read::Errors(self.err),
            128 => Read::Counter(self.replies.cnt_cnp),
            129 => Read::Counter(self.replies.cnt_cnp_lost),
            130 => Read::Counter(self.receiver.cnt_becn),
            131 => Read::Counter(self.receiver.cnt_rcv),
            132 => Read::Counter(self.replies.cnt_ack),
            133 => Read::Counter(self.replies.cnt_ack_lost),
            134 => Read::Counter(self.receiver.cnt_ack_in),
            _ => self.written.get(number).map_or(Read::None, Read::Register),
        }
    }

    /// C1: what this cycle reads of the registers of this page.
    fn read(&mut self, input: &[u32]) -> Option<u32> {
        if input[self.i.cfg_re] & 1 == 0 {
            return None;
        }
        let unit = input[self.i.cfg_unit] & 0xff;
        self.hit_if(unit < 3, Cover::c1_read_part);
        self.hit_if(unit > 3, Cover::c1_read_no_unit);
        if unit != 3 {
            return Some(0);
        }
        let (we, addr) = (input[self.i.cfg_we] & 1 != 0, input[self.i.cfg_addr] & 0xff);
        let read = self.register(addr);
        self.hit(match read {
            Read::Register(_) => Cover::c1_read,
            Read::Errors(_) => Cover::c1_read_errors,
            Read::Counter(_) => Cover::c1_read_counter,
            Read::None => Cover::c1_read_none,
        });
        self.hit_if(matches!(read, Read::Register(_)) && we, Cover::c1_read_and_write);
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cover::c1_read_error);
        self.hit_if(matches!(read, Read::Counter(c) if c != 0), Cover::c1_read_counted);
        self.hit_if(addr == 3 && read.value() == 0, Cover::c1_read_as_written);
        self.hit_if(addr == 5 && read.value() as usize > WINDOW, Cover::c1_read_as_written);
        Some(read.value())
    }

    /// CTRL bit cnp_queued as written, whether it acts or not.
    fn cnp_queued_written(&self) -> bool {
        self.written.of(0) & 2 != 0
    }

    /// AK6: flows with packets outstanding; none with the throttle.
    fn flows_outstanding(&self) -> Vec<u32> {
        let words = self.was_blocked.len();
        if !self.p.response {
            return vec![0; words];
        }
        let mut state = vec![0; self.chooser_words];
        self.chooser.unit.state(&mut state);
        state[self.outstanding..self.outstanding + words].to_vec()
    }

    /// Cover of section 9, from S(t).
    fn cover_response(&mut self, posted: Option<(usize, Post)>, taken: Option<&Taken>, becn: bool) {
        if !self.p.response {
            return;
        }
        let words = self.was_blocked.len();
        let blocked = self.chooser.out[self.blocked..][..words].to_vec();
        let any = blocked.iter().chain(&self.was_blocked).any(|&b| b != 0);
        let mut held = vec![0; words];
        if any {
            let out = self.flows_outstanding();
            for flow in 0..self.p.flows {
                if self.injector.queues[flow].is_empty() {
                    continue;
                }
                let (at, bit) = (flow / 32, 1 << (flow % 32));
                held[at] |= blocked[at] & out[at] & bit;
                self.hit_if(held[at] & !self.held[at] & bit != 0, Cover::ak6_held);
                self.hit_if(self.was_blocked[at] & !blocked[at] & bit != 0, Cover::ak6_opened);
            }
        }
        (self.held, self.was_blocked) = (held, blocked);
        let acked = self.receiver.ack.map(|(flow, _)| flow);
        let went = taken.map(|t| t.flow);
        self.hit_if(acked.is_some() && acked == went, Cover::ak6_ack_and_accept);
        let err = self.chooser.out[self.to.err];
        let risen = err & !self.chooser_err;
        self.chooser_err = err;
        self.hit_if(risen & STRAY_ACK != 0, Cover::ak7_stray);
        self.hit_if(risen & ACK_LOST != 0, Cover::ak7_lost);
        self.hit_if(self.first_post(posted).is_some(), Cover::vr5_post);
        let last =
            posted.is_some_and(|(flow, _)| went == Some(flow) && self.injector.queues[flow].len() == 1);
        self.hit_if(last, Cover::vr5_post_and_accept);
        self.hit_if(becn, Cover::h3_unheard);
    }

    /// H9: what happens in the input port.
    fn cover_lines(&mut self) {
        let port = &self.port.unit;
        let used = (0..self.p.hpqs).any(|h| port.hot_fill(h) > 0);
        let drains = (0..self.p.lines).any(|k| port.line(k).0 == 3);
        self.hit_if(used, Cover::h9_hot_used);
        self.hit_if(drains, Cover::h9_line_drained);
    }
}

impl Unit for Hca {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.port.unit.reset();
        self.send.unit.reset();
        self.chooser.unit.reset();
        self.port.look();
        self.send.look();
        self.chooser.look();
        self.written = reset_registers();
        self.cfg = Config::new(&self.written, &self.p);
        self.read = None;
        self.injector = Injector::new(&self.p);
        self.replies = Replies::new(&self.p);
        self.receiver = Receiver::new(&self.p);
        self.reserve.iter_mut().for_each(Reserve::reset);
        self.stop.fill(0);
        self.err = 0;
        self.held.fill(0);
        self.was_blocked.fill(0);
        self.chooser_err = 0;
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        if !self.ready() {
            return;
        }
        let w = &self.o;
        out[w.ready] = 1;
        for flow in 0..self.p.flows {
            let full = match &self.reserve {
                Some(r) => bit(&self.chooser.out[r.out.gen_full..], flow),
                None => self.gen_full(flow),
            };
            out[w.gen_full + flow / 32] |= u32::from(full) << (flow % 32);
        }
        if let Some(s) = self.injector.sending.as_ref().filter(|s| !s.cnp) {
            out[w.dma_valid] = 1;
            out[w.dma_flow] = s.flow as u32;
            out[w.dma_psn] = s.psn;
            out[w.dma_index] = s.index;
        }
        if let Some(flit) = self.shown() {
            out[w.host_valid] = 1;
            out[w.host_first] = u32::from(flit.first);
            out[w.host_last] = u32::from(flit.last);
            out[w.host_bad] = u32::from(flit.bad);
            out[w.host_data..w.host_data + self.flit_words].copy_from_slice(&flit.data[..self.flit_words]);
        }
        let (send, r) = (&self.send.out, &self.so);
        for (to, from) in
            [(w.tx_valid, r.tx_valid), (w.tx_first, r.tx_first), (w.tx_last, r.tx_last), (w.tx_bad, r.tx_bad)]
        {
            out[to] = send[from];
        }
        out[w.tx_data..w.tx_data + self.flit_words]
            .copy_from_slice(&send[r.tx_data..r.tx_data + self.flit_words]);
        let control = Control {
            fctbs: (send[r.fctbs_valid] != 0).then(|| Credit { vl: send[r.fctbs_vl], blocks: send[r.fctbs] }),
            fccl: self.credit(),
            message: None,
        };
        control.pack(&mut out[w.tx_ctl..w.tx_ctl + self.ctl_words]);
        out[w.err] = self.err;
        out[w.err_in] = self.port.out[self.po.err];
        out[w.err_out] = send[r.err];
        out[w.err_thr] = self.chooser.out[self.to.err];
        if let Some(own) = self.read {
            out[w.cfg_rvalid] = 1;
            // One of them was read, or none.
            out[w.cfg_rdata] = own
                | self.port.out[self.po.cfg_rdata]
                | send[r.cfg_rdata]
                | self.chooser.out[self.to.cfg_rdata];
        }
    }

    fn state(&self, state: &mut [u32]) {
        let (w, v) = (&self.s, self.p.vls);
        state[w.st_gen_pkts] = self.injector.queues.iter().map(|q| q.len() as u32).sum();
        state[w.st_win] = self.injector.taken_places() as u32;
        state[w.st_sending] = u32::from(self.injector.sending.is_some());
        state[w.st_inj_txr..w.st_inj_txr + v].copy_from_slice(&self.injector.txr);
        let port = &self.port.unit;
        for vl in 0..v {
            let there = vl < self.port_lanes;
            state[w.st_used + vl] = if there { port.used(vl) } else { 0 };
            state[w.st_cpq_fill + vl] = if there { port.cold_fill(vl) } else { 0 };
            state[w.st_txr + vl] = self.send.unit.txr(vl);
        }
        (0..self.p.hpqs).for_each(|h| state[w.st_hpq_fill + h] = port.hot_fill(h));
        (0..self.p.lines).for_each(|k| state[w.st_line_state + k] = port.line(k).0);
        state[w.st_ol_valid] = self.send.out[self.so.ol_valid];
        state[w.st_ol_stop] = self.send.out[self.so.ol_stop];
        (0..v).for_each(|vl| state[w.st_owed + vl] = u32::from(self.replies.owed[vl]));
        let out = self.flows_outstanding();
        state[w.st_out..w.st_out + out.len()].copy_from_slice(&out);
        state[w.st_cnp_pkts] = self.replies.queues.iter().map(|q| q.len() as u32).sum();
        state[w.st_seen..w.st_seen + self.receiver.seen.len()].copy_from_slice(&self.receiver.seen);
        state[w.st_rx_used..w.st_rx_used + v].copy_from_slice(&self.receiver.used);
        state[w.st_rx_abr..w.st_rx_abr + v].copy_from_slice(&self.receiver.abr);
        state[w.st_cnt_cnp] = self.replies.cnt_cnp;
        state[w.st_cnt_cnp_lost] = self.replies.cnt_cnp_lost;
        state[w.st_cnt_ack] = self.replies.cnt_ack;
        state[w.st_cnt_ack_lost] = self.replies.cnt_ack_lost;
        state[w.st_cnt_ack_in] = self.receiver.cnt_ack_in;
        state[w.st_cnt_becn] = self.receiver.cnt_becn;
        state[w.st_cnt_rcv] = self.receiver.cnt_rcv;
        self.state_reserving(state);
    }

    fn step(&mut self, input: &[u32]) {
        if self.ready() {
            self.read = self.read(input);
            if self.reserve.is_some() {
                self.clock_reserving(input);
            } else {
                self.clock(input);
            }
        } else {
            self.hit_if(input[self.i.cfg_re] & 1 != 0, Cover::c1_deaf);
            // Inputs are ignored; the embedded units go on with each other.
            let mut nothing = vec![0; input.len()];
            nothing[self.i.link_up] = 1;
            self.drive_send(&nothing, &Control::default());
            self.drive_port(&nothing);
            self.drive_chooser(&nothing, None, None);
            self.drive_reserve(&nothing, None, None);
            self.step_credits_in();
        }
        self.port.unit.step(&self.port.input);
        self.send.unit.step(&self.send.input);
        self.chooser.unit.step(&self.chooser.input);
        self.port.look();
        self.send.look();
        self.chooser.look();
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
