//! Golden model of `switch`, from `docs/switch.md`: the golden ports, the crossbar and the match between them.
//!
//! All that the ports say to each other follows from their states: input ports are Moore, and an output port's
//! Mealy outputs answer requests that come from input ports. So it is worked out once, at the end of each cycle, by
//! `Switch::settle`; the pins of the switch only reach the ports in `Switch::connect`.

mod cover;
mod marks;
mod state;
#[cfg(test)]
mod tests;
mod turns;

use crate::model::input_port::InputPort;
use crate::model::link::{Control, Credit, MAX_DLIST, Message};
use crate::model::output_port::OutputPort;
use crate::model::util::put_set;
use crate::model::{CoverPoint, Unit};
use crate::params::lanes::SrpLane;
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};
pub use cover::cover_applies;
use cover::{Cover, POINTS};
pub use state::Switch;
use state::{InOut, InPins, Out, OutOut, OutPins, Pins, Port, Seen, State, Turns};

impl Switch {
    /// A unit in reset state. `params` must be legal ([`Params::check`]).
    pub fn new(params: &Params) -> Self {
        let p = *params;
        let layout = Layout::new(UnitKind::Switch, &p);
        let (li, lo) = (Layout::new(UnitKind::InputPort, &p), Layout::new(UnitKind::OutputPort, &p));
        let mut switch = Switch {
            p,
            flit_words: p.flit_bytes / 4,
            idle: layout.idle(),
            rests: false,
            heard: Vec::with_capacity(p.ports),
            ctl_words: layout.signal(Group::Input, "rx_ctl").stride(),
            pins: Pins::new(&layout),
            out: Out::new(&layout),
            sts: State::new(&layout),
            in_pins: InPins::new(&li),
            in_out: InOut::new(&li),
            out_pins: OutPins::new(&lo),
            out_out: OutOut::new(&lo),
            inputs: (0..p.ports).map(|_| Port::new(InputPort::new(&p), &li)).collect(),
            outputs: (0..p.ports).map(|_| Port::new(OutputPort::new(&p), &lo)).collect(),
            accept: vec![0; p.ports],
            match_of_output: vec![None; p.ports],
            match_of_input: vec![None; p.ports],
            accept_next: vec![0; p.ports],
            offers: vec![None; p.ports],
            first: vec![None; p.ports],
            turns: Turns::new(p.ports),
            read: false,
            seen: Seen::new(p.ports * p.vls),
            cover: vec![0; POINTS.len()],
        };
        switch.settle();
        switch
    }

    /// The golden model of an input port.
    pub fn input_port(&self, port: usize) -> &InputPort {
        &self.inputs[port].unit
    }

    /// The golden model of an output port.
    pub fn output_port(&self, port: usize) -> &OutputPort {
        &self.outputs[port].unit
    }

    /// Nothing is in it: while nothing but credits comes only counters go on.
    pub fn rests(&self) -> bool {
        self.rests
    }

    fn hit_if(&mut self, happened: bool, point: Cover) {
        self.cover[point as usize] += u64::from(happened);
    }

    /// Works out what the ports say in the coming cycle, and the match.
    fn settle(&mut self) {
        for port in &mut self.inputs {
            port.quiet = [port.quiet[1], port.unit.quiet()];
            if port.quiet == [true; 2] {
                port.unit.show_quiet(&mut port.out);
            } else {
                port.unit.outputs(&[], &mut port.out);
            }
        }
        (0..self.p.ports).for_each(|o| self.connect_output(o));
        if self.p.one_queue {
            self.watch_requests();
            self.hide_requests();
        }
        for o in 0..self.p.ports {
            let port = &mut self.outputs[o];
            port.unit.look(&port.pins, &mut port.out);
        }
        if self.p.one_queue {
            self.match_ports();
        }
        // What an input drew counts in the cycle after.
        self.rests = self.inputs.iter().all(|i| i.quiet[1] && i.unit.drew().is_none())
            && self.outputs.iter().all(|o| o.unit.rests());
    }

    /// The cycle, if nothing comes but perhaps credits to a switch in which nothing is; only counters go on then.
    fn rest(&mut self, input: &[u32]) -> bool {
        let (at, words) = (self.pins.rx_ctl, self.ctl_words);
        let end = at + self.p.ports * words;
        if !self.rests || input[..at] != self.idle[..at] || input[end..] != self.idle[end..] {
            return false;
        }
        let controls = input[at..end].chunks_exact(words);
        self.heard.clear();
        self.heard.extend(controls.map(Control::unpack));
        if self.heard.iter().any(|c| c.message.is_some()) {
            return false;
        }
        self.read = false;
        for (p, control) in self.heard.iter().enumerate() {
            let (input, output) = (&mut self.inputs[p], &mut self.outputs[p]);
            input.quiet = [true; 2];
            input.unit.rest(control.fctbs);
            input.unit.show_quiet(&mut input.out);
            output.unit.rest(control.fccl);
            output.unit.show_rest(&mut output.out);
        }
        true
    }

    /// What output `o` gets from the input ports.
    fn connect_output(&mut self, o: usize) {
        let (vls, f, t) = (self.p.vls, self.in_out, self.out_pins);
        let pins = &mut self.outputs[o].pins;
        pins[t.sw_valid] = 0;
        pins[t.sw_first] = 0;
        pins[t.sw_last] = 0;
        pins[t.sw_bad] = 0;
        pins[t.sw_mark] = 0;
        pins[t.sw_data..t.sw_data + self.flit_words].fill(0);
        for (i, port) in self.inputs.iter().enumerate() {
            let out = &port.out;
            pins[t.can_alloc + i] = out[f.can_alloc];
            if port.quiet == [true; 2] {
                continue;
            }
            for (from, to) in [
                (f.req_valid, t.req_valid),
                (f.req_len, t.req_len),
                (f.req_dlid, t.req_dlid),
                (f.req_cnp, t.req_cnp),
                (f.req_hot, t.req_hot),
                (f.req_unlinked, t.req_unlinked),
                (f.req_bound, t.req_bound),
                (f.req_line, t.req_line),
                (f.cong, t.cong),
                (f.fill, t.fill),
            ] {
                let (from, to) = (from + o * vls, to + i * vls);
                // Mostly one word: no call for that.
                (0..vls).for_each(|v| pins[to + v] = out[from + v]);
            }
            let marks = [(f.enter, t.enter), (f.full_evt, t.full_evt)];
            let marks = marks.into_iter().filter(|_| self.p.markers);
            for (from, to) in marks.chain((self.p.stamp_w > 0).then_some((f.req_age, t.req_age))) {
                pins[to + i * vls..][..vls].copy_from_slice(&out[from + o * vls..][..vls]);
            }
            for (from, to) in [
                (f.known, t.known),
                (f.room, t.room),
                (f.pend, t.pend),
                (f.req_nack, t.req_nack),
                (f.xb_act, t.xb_act),
                (f.xb_end, t.xb_end),
                (f.xb_slow, t.xb_slow),
            ] {
                pins[to + i] = out[from + o];
            }
            if out[f.xb_valid + o] != 0 {
                pins[t.sw_valid] = 1;
                pins[t.sw_first] |= out[f.xb_first + o];
                pins[t.sw_last] |= out[f.xb_last + o];
                pins[t.sw_bad] |= out[f.xb_bad + o];
                pins[t.sw_mark] |= out[f.xb_mark + o];
                let data = &out[f.xb_data + o * self.flit_words..][..self.flit_words];
                pins[t.sw_data..].iter_mut().zip(data).for_each(|(to, from)| *to |= from);
            }
        }
    }

    /// Section 2, ONE_QUEUE = 1.
    fn match_ports(&mut self) {
        let ports = self.p.ports;
        self.match_of_output.fill(None);
        self.match_of_input.fill(None);
        self.accept_next.copy_from_slice(&self.accept);
        // Iteration 1: the grants.
        for o in 0..ports {
            let out = &self.outputs[o].out;
            self.offers[o] = (0..ports).find(|i| out[self.out_out.grant + i] != 0);
        }
        let (conflict, _) = self.accept_offers(true);
        self.first.copy_from_slice(&self.match_of_output);
        self.hit_if(conflict, Cover::a1_accept_conflict);
        for k in 2..=self.p.iterations {
            for o in 0..ports {
                self.offers[o] = None;
                if self.match_of_output[o].is_some() {
                    continue;
                }
                let (port, elig) = (&self.outputs[o], self.out_out.elig);
                let Some(any) = (0..ports).find(|i| port.out[elig + i] != 0) else { continue };
                // All eligible requests are of the class chosen.
                let cnps = port.pins[self.out_pins.req_cnp + any] != 0;
                self.offers[o] = (0..ports)
                    .filter(|&i| port.out[elig + i] != 0 && self.match_of_input[i].is_none())
                    .min_by_key(|&i| port.unit.place(i, cnps));
            }
            let (conflict, accepted) = self.accept_offers(false);
            if !accepted {
                return;
            }
            self.hit_if(conflict, Cover::a1_later_conflict);
            self.hit_if(true, if k == 2 { Cover::a1_second_iteration } else { Cover::a1_third_iteration });
        }
    }

    /// Every input accepts one of the offers to it; in the first iteration its pointer moves on. Returns whether an input
    /// had to choose, and whether any accepted.
    fn accept_offers(&mut self, first: bool) -> (bool, bool) {
        let ports = self.p.ports;
        let (mut conflict, mut accepted) = (false, false);
        for i in 0..ports {
            let mut offers =
                (0..ports).map(|n| (self.accept[i] + n) % ports).filter(|&o| self.offers[o] == Some(i));
            let Some(o) = offers.next() else { continue };
            conflict |= offers.next().is_some();
            accepted = true;
            self.match_of_output[o] = Some(i);
            self.match_of_input[i] = Some(o);
            if first {
                self.accept_next[i] = (o + 1) % ports;
            }
        }
        (conflict, accepted)
    }

    /// All input ports are ready.
    fn ready(&self) -> bool {
        self.inputs.iter().all(|i| i.out[self.in_out.ready] != 0)
    }

    /// Section 1: the pins of the ports that do not come from the input ports.
    fn connect(&mut self, input: &[u32]) {
        let (ports, vls, pins) = (self.p.ports, self.p.vls, self.pins);
        let configures = input[pins.cfg_we] & 1 != 0;
        let (unit, chosen) = (input[pins.cfg_unit] & 0xff, input[pins.cfg_port] & 0xff);
        if configures {
            self.hit_if(chosen == 255 && unit < 2, Cover::d1_cfg_all_ports);
            self.hit_if(chosen != 255 && chosen as usize >= ports, Cover::d1_cfg_no_such_port);
            self.hit_if(unit > 1, Cover::d1_cfg_no_such_unit);
        }
        let reads = input[pins.cfg_re] & 1 != 0;
        let there = (chosen as usize) < ports;
        if reads {
            self.hit_if(there && unit == 0, Cover::c1_read_input);
            self.hit_if(there && unit == 1, Cover::c1_read_output);
            self.hit_if(there && unit < 2 && configures, Cover::c1_read_and_write);
            self.hit_if(chosen == 255 && unit < 2, Cover::c1_read_all_ports);
            self.hit_if(!there && chosen != 255 && unit < 2, Cover::c1_read_no_port);
            self.hit_if(unit > 1, Cover::c1_read_no_unit);
        }
        self.read = reads;
        let down = (0..ports).filter(|p| input[pins.link_up + p] & 1 == 0).count();
        let goes =
            |p: usize| input[pins.link_up + p] & 1 != 0 && self.outputs[p].pins[self.out_pins.sw_valid] != 0;
        let others_go = down > 0 && (0..ports).any(goes);
        self.hit_if(down > 0, Cover::f1_link_down);
        self.hit_if(down > 1, Cover::f1_several_down);
        self.hit_if(others_go, Cover::f1_others_go);
        for p in 0..ports {
            let here = configures && (chosen == 255 || chosen as usize == p);
            let read_here = reads && chosen as usize == p;
            let ctl = &input[pins.rx_ctl + p * self.ctl_words..][..self.ctl_words];
            let ctl = Control::unpack(ctl);

            // Input port p.
            let to = self.in_pins;
            let w = &mut self.inputs[p].pins;
            w[to.cfg_we] = u32::from(here && unit == 0);
            w[to.cfg_re] = u32::from(read_here && unit == 0);
            w[to.cfg_addr] = input[pins.cfg_addr];
            w[to.cfg_data] = input[pins.cfg_data];
            w[to.lft_we] = input[pins.lft_we];
            w[to.lft_addr] = input[pins.lft_addr];
            w[to.lft_port] = input[pins.lft_port];
            w[to.link_up] = input[pins.link_up + p];
            w[to.rx_valid] = input[pins.rx_valid + p];
            w[to.rx_first] = input[pins.rx_first + p];
            w[to.rx_last] = input[pins.rx_last + p];
            w[to.rx_bad] = input[pins.rx_bad + p];
            let data = &input[pins.rx_data + p * self.flit_words..][..self.flit_words];
            w[to.rx_data..to.rx_data + self.flit_words].copy_from_slice(data);
            w[to.fctbs_valid] = u32::from(ctl.fctbs.is_some());
            let fctbs = ctl.fctbs.unwrap_or_default();
            w[to.fctbs_vl] = fctbs.vl;
            w[to.fctbs] = fctbs.blocks;
            let from = self.out_out;
            for (o, port) in self.outputs.iter().enumerate() {
                let out = &port.out;
                if self.p.one_queue {
                    w[to.grant + o] = u32::from(self.match_of_output[o] == Some(p));
                } else {
                    (0..vls).for_each(|v| w[to.grant + o * vls + v] = out[from.grant + p * vls + v]);
                }
                for (from, to) in [(from.held, to.held), (from.held_line, to.held_line)] {
                    w[to + o * vls..][..vls].copy_from_slice(&out[from + p * vls..][..vls]);
                }
                w[to.rd_en + o] = out[from.rd_en];
                w[to.rd_slow + o] = out[from.rd_slow];
                w[to.prop_valid + o] = out[from.prop_valid + p];
                if out[from.prop_valid + p] != 0 {
                    w[to.prop_vl + o] = out[from.prop_vl];
                    w[to.prop_line + o] = out[from.prop_line];
                    w[to.prop_hops + o] = out[from.prop_hops];
                    w[to.prop_root + o] = out[from.prop_root];
                }
                w[to.ol_valid + o] = out[from.ol_valid];
                w[to.ol_stop + o] = out[from.ol_stop] | out[from.ol_wait + p];
            }

            // Output port p.
            let to = self.out_pins;
            let w = &mut self.outputs[p].pins;
            w[to.cfg_we] = u32::from(here && unit == 1);
            w[to.cfg_re] = u32::from(read_here && unit == 1);
            w[to.cfg_addr] = input[pins.cfg_addr];
            w[to.cfg_data] = input[pins.cfg_data];
            w[to.take..to.take + ports * vls].fill(0);
            if let (true, Some(i)) = (self.p.one_queue, self.match_of_output[p]) {
                w[to.take + i] = 1;
            }
            w[to.link_up] = input[pins.link_up + p];
            w[to.fccl_valid] = u32::from(ctl.fccl.is_some());
            let fccl = ctl.fccl.unwrap_or_default();
            w[to.fccl_vl] = fccl.vl;
            w[to.fccl] = fccl.blocks;
            w[to.msg_valid] = u32::from(ctl.message.is_some());
            let m = ctl.message.unwrap_or_default();
            w[to.msg_type] = m.kind;
            w[to.msg_line] = m.line;
            w[to.msg_vl] = m.vl;
            w[to.msg_root] = m.root;
            w[to.msg_hops] = m.hops;
            w[to.msg_stop] = u32::from(m.stop);
            w[to.msg_dcnt] = m.dcnt;
            let entries = &mut w[to.msg_dlist..to.msg_dlist + self.p.dlist];
            entries.iter_mut().zip(m.dlist).for_each(|(to, from)| *to = u32::from(from));
        }
    }

    /// The control word to link `p`.
    fn control(&self, p: usize) -> Control {
        let mut c = Control::default();
        let (f, out) = (&self.out_out, &self.outputs[p].out);
        if out[f.fctbs_valid] != 0 {
            c.fctbs = Some(Credit { vl: out[f.fctbs_vl], blocks: out[f.fctbs] });
        }
        let (f, out) = (&self.in_out, &self.inputs[p].out);
        if out[f.fc_valid] != 0 {
            c.fccl = Some(Credit { vl: out[f.fc_vl], blocks: out[f.fccl] });
        }
        if out[f.msg_valid] != 0 {
            let mut dlist = [0; MAX_DLIST];
            let entries = &out[f.msg_dlist..f.msg_dlist + self.p.dlist];
            dlist.iter_mut().zip(entries).for_each(|(to, from)| *to = *from as u16);
            c.message = Some(Message {
                kind: out[f.msg_type],
                line: out[f.msg_line],
                vl: out[f.msg_vl],
                root: out[f.msg_root],
                hops: out[f.msg_hops],
                stop: out[f.msg_stop] != 0,
                dcnt: out[f.msg_dcnt],
                dlist,
            });
        }
        c
    }

    /// Cover points of what passes between the ports in this cycle.
    fn cover_inside(&mut self) {
        let (fi, fo) = (self.in_out, self.out_out);
        let ports = self.p.ports;
        let crossing = |i: &Port<InputPort>| i.out[fi.xb_valid..fi.xb_valid + ports].iter().sum::<u32>();
        let flits: u32 = self.inputs.iter().map(crossing).sum();
        let several_from_one = self.inputs.iter().any(|i| crossing(i) > 1);
        let told = |o: &Port<OutputPort>| o.out[fo.prop_valid..fo.prop_valid + ports].contains(&1);
        let props = self.outputs.iter().filter(|o| told(o)).count();
        let ups = self.inputs.iter().filter(|i| i.out[fi.msg_valid] != 0).count();
        let deeper = self.inputs.iter().any(|i| i.out[fi.msg_hops] > 1);
        if self.p.srp {
            self.cover_nacks();
        }
        if self.p.random_up {
            self.cover_draws();
        }
        self.hit_if(flits as usize == ports, Cover::b2_all_outputs_busy);
        self.hit_if(several_from_one, Cover::b1_input_feeds_several);
        self.hit_if(props > 0, Cover::e3_prop);
        self.hit_if(ups > 0, Cover::e2_message_up);
        self.hit_if(deeper, Cover::e2_tree_goes_on);
        let requesters = ports * self.p.vls;
        let held = self.outputs.iter().any(|o| o.out[fo.held..fo.held + requesters].contains(&1));
        self.hit_if(held, Cover::e5_held);
        let waits =
            self.outputs.iter().any(|o| o.out[fo.ol_wait..fo.ol_wait + ports].iter().any(|w| *w != 0));
        self.hit_if(waits, Cover::a3_ol_wait);
    }
}

impl Switch {
    /// UP1: what inputs drew in the cycle before.
    fn cover_draws(&mut self) {
        let mut drawn = self.inputs.iter().filter_map(|i| i.unit.drew());
        let first = drawn.next();
        let differ = drawn.any(|o| Some(o) != first);
        self.hit_if(first.is_some(), Cover::up1_drawn);
        self.hit_if(differ, Cover::up1_inputs_differ);
    }

    /// Q7: what goes back in this cycle.
    fn cover_nacks(&mut self) {
        let (ports, vls, lane) = (self.p.ports, self.p.vls, SrpLane::Spec.vl(self.p.vls));
        let (t, f) = (self.out_pins, self.out_out);
        for o in 0..ports {
            let Port { pins, out, .. } = &self.outputs[o];
            let nack = |i: usize| {
                let r = i * vls + lane;
                (pins[t.req_nack + i] & pins[t.req_valid + r] != 0).then(|| out[f.grant + r] != 0)
            };
            let asking = (0..ports).filter_map(nack).count();
            let granted = (0..ports).find(|i| nack(*i) == Some(true));
            self.hit_if(granted.is_some(), Cover::q7_nack);
            self.hit_if(granted == Some(o), Cover::q7_nack_to_own_link);
            self.hit_if(granted.is_some_and(|i| i != o), Cover::q7_nack_to_other_link);
            self.hit_if(asking > 1, Cover::q7_nacks_meet);
        }
    }
}

impl Unit for Switch {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        for port in &mut self.inputs {
            port.unit.reset();
        }
        for port in &mut self.outputs {
            port.unit.reset();
        }
        self.accept.fill(0);
        self.turns = Turns::new(self.p.ports);
        self.read = false;
        self.seen = Seen::new(self.p.ports * self.p.vls);
        self.settle();
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        let w = &self.out;
        out.fill(0);
        let ready = self.ready();
        out[w.ready] = u32::from(ready);
        out[w.cfg_rvalid] = u32::from(self.read);
        for p in 0..self.p.ports {
            let (f, from) = (&self.out_out, &self.outputs[p].out);
            if from[f.tx_valid] != 0 {
                out[w.tx_valid + p] = 1;
                out[w.tx_first + p] = from[f.tx_first];
                out[w.tx_last + p] = from[f.tx_last];
                out[w.tx_bad + p] = from[f.tx_bad];
                let data = &from[f.tx_data..f.tx_data + self.flit_words];
                out[w.tx_data + p * self.flit_words..][..self.flit_words].copy_from_slice(data);
            }
            if ready {
                self.control(p).pack(&mut out[w.tx_ctl + p * self.ctl_words..][..self.ctl_words]);
            }
            out[w.err_in + p] = self.inputs[p].out[self.in_out.err];
            out[w.err_out + p] = from[f.err];
            // One of them was read, or none.
            out[w.cfg_rdata] |= self.inputs[p].out[self.in_out.cfg_rdata] | from[f.cfg_rdata];
        }
    }

    fn state(&self, state: &mut [u32]) {
        let (w, p) = (&self.sts, &self.p);
        let pv = p.ports * p.vls;
        for i in 0..p.ports {
            let port = &self.inputs[i].unit;
            for v in 0..p.vls {
                state[w.st_used + i * p.vls + v] = port.used(v);
            }
            for q in 0..pv {
                state[w.st_cpq_fill + i * pv + q] = port.cold_fill(q);
            }
            for h in 0..p.hpqs {
                state[w.st_hpq_fill + i * p.hpqs + h] = port.hot_fill(h);
            }
            for k in 0..p.lines {
                let (line_state, dcnt) = port.line(k);
                state[w.st_line_state + i * p.lines + k] = line_state;
                state[w.st_line_dcnt + i * p.lines + k] = dcnt;
            }
            state[w.st_accept + i] = self.accept[i] as u32;
            let words = p.ports.div_ceil(32);
            put_set(&mut state[w.st_lost + i * words..][..words], self.turns.lost[i]);
            put_set(&mut state[w.st_claim + i * words..][..words], self.turns.claim[i]);
            for (from, before) in self.turns.order[i].before().filter(|_| p.one_queue) {
                put_set(&mut state[w.st_claim_ahead + (i * p.ports + from) * words..][..words], before);
            }
            state[w.st_spec_nack + i] = u32::from(port.holds_nack());
            state[w.st_cnt_spec_drop + i] = port.count_spec_drop();
            state[w.st_cnt_nohpq + i] = port.count_no_hpq();
            state[w.st_cnt_noline + i] = port.count_no_line();
        }
        for o in 0..p.ports {
            let Port { unit: port, out, .. } = &self.outputs[o];
            for v in 0..p.vls {
                state[w.st_txr + o * p.vls + v] = port.txr(v);
                state[w.st_cong_state + o * p.vls + v] = out[self.out_out.cong_state + v];
                let counts = port.packet_counts(v);
                state[w.st_cnt1 + o * p.vls + v] = counts.all;
                state[w.st_cnt2 + o * p.vls + v] = counts.marked;
                state[w.st_ofill + o * p.vls + v] = port.ofill(v);
            }
            state[w.st_ol_valid + o] = out[self.out_out.ol_valid];
            state[w.st_ol_stop + o] = out[self.out_out.ol_stop];
            state[w.st_cnt_marked + o] = port.count_marked();
            state[w.st_cnt_sent + o] = port.count_sent();
        }
    }

    fn step(&mut self, input: &[u32]) {
        if self.rest(input) {
            return;
        }
        self.cover_inside();
        self.cover_marks();
        if self.ready() {
            self.connect(input);
        } else {
            // Nothing is heard while the tables are swept.
            let mut nothing = vec![0; input.len()];
            nothing[self.pins.link_up..self.pins.link_up + self.p.ports].fill(1);
            self.connect(&nothing);
            self.hit_if(input != nothing, Cover::d1_deaf_in_init);
            self.hit_if(input[self.pins.cfg_re] & 1 != 0, Cover::c1_deaf);
        }
        if self.p.one_queue {
            self.follow_turns();
        }
        for port in &mut self.inputs {
            port.unit.step(&port.pins);
        }
        for port in &mut self.outputs {
            port.unit.step(&port.pins);
        }
        if self.p.one_queue {
            self.accept.copy_from_slice(&self.accept_next);
        }
        self.settle();
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
