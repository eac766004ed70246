//! An end-to-end check of the input port that knows nothing of its queues: every accepted packet comes out exactly
//! once, intact but for a mark MB, on the output of its route, and in order among the packets of its VL, source, destination and
//! kind (data or CNP: notifications may overtake). It watches the input and output words only, and may be put
//! around the golden model or the RTL alike. Of speculative packets (SRP) it knows neither when they are dropped nor when the rest of a
//! dropped one is gone: each comes out once at most, with its age or as the NACK that it has become.

use std::collections::{HashMap, VecDeque};

use super::input_port::{Dims, Io};
use crate::model::header::{Header, Marks};
use crate::params::ANY_UP;
use crate::params::Params;
use crate::params::lanes::{SrpLane, opcode};

/// Packets that must stay in order among themselves: output, VL, DLID, CNP or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Class {
    out: u8,
    vl: u8,
    dlid: u16,
    cnp: bool,
}

impl Class {
    /// Packets that leave by the same output, with one that was drawn by any: they are in no order.
    fn any_up(self) -> Class {
        Class { out: ANY_UP, ..self }
    }
}

#[derive(Debug)]
struct Stored {
    class: Class,
    slid: u16,
    /// Length by the header.
    n: usize,
    /// Words of the flits stored so far.
    words: Vec<u32>,
    /// Cut short; no more flits come.
    cut: bool,
    arrived: u64,
    /// Of a speculative packet: the output towards its source, and whether it has become a NACK.
    back: u8,
    nack: bool,
    /// The outputs that may have been drawn for it, as bits.
    ups: u32,
}

/// Flit pins, registered.
#[derive(Clone, Copy, Debug, Default)]
struct Flit {
    valid: bool,
    first: bool,
    last: bool,
    bad: bool,
    data: [u32; 16],
    /// Port from the routing table at its DLID, and at its SLID; perhaps any up port.
    route: u8,
    back: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rx {
    Idle,
    Recv(usize),
    Drop,
}

/// The scoreboard.
#[derive(Debug)]
pub struct Scoreboard {
    d: Dims,
    io: Io,
    cycle: u64,
    lft: Vec<u8>,
    rx_timeout: u32,
    /// Outputs that lead up, as bits.
    ups: u32,
    silent: u32,
    pins: Flit,
    /// The link, registered with the pins.
    up: bool,
    rx: Rx,
    used: [usize; 8],
    queues: HashMap<Class, VecDeque<usize>>,
    packets: Vec<Stored>,
    free: Vec<usize>,
    leaving: Vec<Option<(usize, usize)>>,
    /// Speculative packets inside, in the order in which they came, with some that were refused for want of room.
    spec: VecDeque<usize>,
    accepted: u64,
    dropped: u64,
    delivered: u64,
    cut_delivered: u64,
}

impl Scoreboard {
    /// For a port in reset state.
    pub fn new(params: &Params) -> Scoreboard {
        let d = Dims::new(params);
        Scoreboard {
            d,
            io: Io::new(params),
            cycle: 0,
            lft: vec![0xff; d.lft_depth],
            rx_timeout: 1024,
            ups: 0,
            silent: 0,
            pins: Flit::default(),
            up: true,
            rx: Rx::Idle,
            used: [0; 8],
            queues: HashMap::new(),
            packets: Vec::new(),
            free: Vec::new(),
            leaving: vec![None; d.ports],
            spec: VecDeque::new(),
            accepted: 0,
            dropped: 0,
            delivered: 0,
            cut_delivered: 0,
        }
    }

    /// Packets accepted so far.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Packets refused so far (by their first flit).
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Packets that have left, whole or cut.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Packets that have left with a bad end because they were cut short.
    pub fn cut_delivered(&self) -> u64 {
        self.cut_delivered
    }

    /// Speculative packets inside, if none was refused for want of room.
    pub fn speculative(&self) -> usize {
        self.spec.len()
    }

    /// Packets inside; of all but speculative ones, which are in none of the counts.
    pub fn pending(&self) -> u64 {
        self.accepted - self.delivered
    }

    /// Blocks of a VL in use.
    pub fn used(&self, vl: usize) -> usize {
        self.used[vl]
    }

    /// Looks at one cycle: its outputs and its inputs. The error says what is wrong with which packet.
    pub fn cycle(&mut self, out: &[u32], input: &[u32]) -> Result<(), String> {
        for o in 0..self.d.ports {
            if out[self.io.xb_valid + o] == 1 {
                self.leave(o, out).map_err(|e| format!("cycle {}, output {o}: {e}", self.cycle))?;
            }
        }
        if out[self.io.ready] == 1 {
            self.arrive();
            self.sample(input);
        }
        self.cycle += 1;
        for v in 0..self.d.vls {
            if self.used[v] > self.d.params.cap(v) {
                return Err(format!("cycle {}: VL {v} holds more blocks than it owns", self.cycle));
            }
        }
        Ok(())
    }

    /// Of the BTH, where there is one to be seen.
    fn opcode(&self, data: &[u32]) -> u32 {
        match data[0] >> 8 & 3 {
            2 => data[2] & 0xff,
            3 if self.d.flit_bytes == 64 => data[12] & 0xff,
            _ => 0,
        }
    }

    fn class(&self, data: &[u32], out: u8) -> Class {
        let opcode = self.opcode(data);
        let dlid = ((data[0] >> 16 & 0xff) << 8 | data[0] >> 24) as u16;
        let vl = match self.d.vl_by_dest {
            true => (usize::from(dlid) % self.d.vls) as u8,
            false => (data[0] >> 4 & 15) as u8,
        };
        Class { out, vl, dlid, cnp: opcode == 0x80 }
    }

    /// A flit on the crossbar.
    fn leave(&mut self, o: usize, out: &[u32]) -> Result<(), String> {
        let w = self.d.flit_words;
        let data = &out[self.io.xb_data + o * w..self.io.xb_data + (o + 1) * w];
        let flag = |at: usize| out[at + o] == 1;
        let (first, last, bad) = (flag(self.io.xb_first), flag(self.io.xb_last), flag(self.io.xb_bad));
        let (id, r) = match (self.leaving[o], first) {
            (Some(_), true) => return Err("a first flit inside a packet".into()),
            (None, false) => return Err("a flit that is not first outside a packet".into()),
            (Some((id, r)), false) if self.is_spec(self.packets[id].class.vl) => {
                return self.leave_spec(o, id, r, (last, bad), data);
            }
            (Some(at), false) => at,
            (None, true) => {
                let class = self.class(data, o as u8);
                if let Some(id) = self.take_spec(o as u8, data)? {
                    return self.leave_spec(o, id, 0, (last, bad), data);
                }
                let id = self.take_any_up(o, class, data);
                let id = id.or_else(|| self.queues.get_mut(&class).and_then(VecDeque::pop_front));
                (id.ok_or_else(|| format!("a packet that is not there: {class:?}"))?, 0)
            }
        };
        let p = &self.packets[id];
        let what = || {
            format!("packet {:?} slid {} of {} flits, arrived in cycle {}", p.class, p.slid, p.n, p.arrived)
        };
        let stored = p.words.len() / w;
        if bad {
            if !p.cut || r != stored || !last || data.iter().any(|&x| x != 0) {
                return Err(format!("a bad end where there is none: {}, flit {r}", what()));
            }
            self.cut_delivered += 1;
        } else {
            if r >= stored {
                return Err(format!("a flit that was not received: {}, flit {r}", what()));
            }
            let mut came = p.words[r * w..(r + 1) * w].to_vec();
            let header = Header::parse(&came);
            if r == 0 && self.d.markers && header.is_marked() && Header::parse(data).marks().has(Marks::MB) {
                header.add_marks(&mut came, Marks::MB); // VM1
            }
            if data != came {
                return Err(format!("flit {r} is not the one received: {}", what()));
            }
            if last != (r + 1 == p.n) {
                return Err(format!("last is {last} at flit {r}: {}", what()));
            }
            let vl = usize::from(p.class.vl);
            self.used[vl] = self.used[vl].checked_sub(1).ok_or("more blocks read than stored")?;
        }
        self.leaving[o] = if last { None } else { Some((id, r + 1)) };
        if last {
            self.delivered += 1;
            self.free.push(id);
        }
        Ok(())
    }

    /// A packet with this first flit that any up port, which `o` was, was to be drawn for. (Flits are random: two are never the same.)
    fn take_any_up(&mut self, o: usize, class: Class, data: &[u32]) -> Option<usize> {
        let queue = self.queues.get_mut(&class.any_up())?;
        let of = |id: &usize| &self.packets[*id];
        let at =
            queue.iter().position(|id| of(id).ups >> o & 1 != 0 && &of(id).words[..data.len()] == data)?;
        queue.remove(at)
    }

    /// A table's entry is output `o`, or may be.
    fn leads(entry: u8, o: u8, ups: u32) -> bool {
        entry == o || entry == ANY_UP && ups >> o & 1 != 0
    }

    /// A lane of speculative packets.
    fn is_spec(&self, vl: u8) -> bool {
        self.d.params.srp && usize::from(vl) == SrpLane::Spec.vl(self.d.vls)
    }

    /// The speculative packet that a first flit belongs to, if it is one or a NACK made here.
    fn take_spec(&mut self, o: u8, data: &[u32]) -> Result<Option<usize>, String> {
        if !self.d.params.srp {
            return Ok(None);
        }
        let (vl, w, vls) = ((data[0] >> 4 & 15) as u8, self.d.flit_words, self.d.vls);
        let spec = self.is_spec(vl);
        let found = self.spec.iter().position(|&id| {
            let p = &self.packets[id];
            let came = &p.words[..w];
            if spec {
                Self::leads(p.class.out, o, p.ups) && aged(came, data) == data
            } else {
                Self::leads(p.back, o, p.ups) && nack(came, vls) == data
            }
        });
        match found {
            None if spec => Err(format!("a speculative packet that is not there: {:?}", self.class(data, o))),
            None => Ok(None),
            Some(at) => {
                let Some(id) = self.spec.remove(at) else { return Ok(None) };
                self.packets[id].nack = !spec;
                Ok(Some(id))
            }
        }
    }

    /// Flit `r` of a speculative packet, or its NACK.
    fn leave_spec(
        &mut self,
        o: usize,
        id: usize,
        r: usize,
        (last, bad): (bool, bool),
        data: &[u32],
    ) -> Result<(), String> {
        let (p, w) = (&self.packets[id], self.d.flit_words);
        let stored = p.words.len() / w;
        let right = match (bad, r) {
            (true, _) => p.cut && r == stored && last && data.iter().all(|x| *x == 0),
            (false, 0) => last == (p.nack || p.n == 1),
            (false, _) => r < stored && data == &p.words[r * w..][..w] && last == (r + 1 == p.n),
        };
        if !right {
            return Err(format!("flit {r} of a speculative packet that came in cycle {}", p.arrived));
        }
        self.leaving[o] = if last { None } else { Some((id, r + 1)) };
        Ok(())
    }

    /// An entry of the table is a route in this cycle.
    fn goes(&self, port: u8) -> bool {
        if port == ANY_UP { self.ups != 0 } else { usize::from(port) < self.d.ports }
    }

    /// The registered flit is received.
    fn arrive(&mut self) {
        let f = self.pins;
        if !self.up {
            if let Rx::Recv(id) = self.rx {
                self.packets[id].cut = true;
            }
            self.rx = Rx::Idle;
            return;
        }
        if !f.valid {
            if let Rx::Recv(id) = self.rx {
                self.silent += 1;
                if self.rx_timeout > 0 && self.silent >= self.rx_timeout {
                    self.packets[id].cut = true;
                    self.rx = Rx::Drop;
                }
            }
            return;
        }
        let w = self.d.flit_words;
        let after_drop = if f.last { Rx::Idle } else { Rx::Drop };
        if f.first {
            if let Rx::Recv(id) = self.rx {
                self.packets[id].cut = true;
            }
            let class = self.class(&f.data, f.route);
            let pkt_len = (f.data[1] & 7) << 8 | f.data[1] >> 8 & 0xff;
            let n = (pkt_len as usize).div_ceil(16);
            let vl = usize::from(class.vl);
            // The control lane has CNPs and ACKs of one flit, nothing else.
            let opcode = self.opcode(&f.data);
            let reply = n == 1 && (opcode == 0x80 || opcode & 0x1f == 0x11);
            let lane = self.d.params.srp_lane(vl).filter(|_| vl < self.d.vls);
            let suits = match lane {
                None => reply || !self.d.ctl_vl || vl != self.d.vls - 1,
                Some(SrpLane::Data) => true,
                Some(SrpLane::Spec) => {
                    f.data[0] >> 8 & 3 == 2 && opcode == u32::from(opcode::SPEC) && self.goes(f.back)
                }
                Some(SrpLane::Res | SrpLane::Reply) => n == 1,
            };
            let legal = vl < self.d.vls && (1..=self.d.mtu).contains(&n) && suits;
            let ok = legal
                && self.goes(f.route)
                && n + self.used[vl] <= self.d.params.cap(vl)
                && !f.bad
                && f.last == (n == 1);
            if !ok {
                self.dropped += 1;
                self.rx = after_drop;
                return;
            }
            let id = self.free.pop().unwrap_or(self.packets.len());
            let slid = ((f.data[1] >> 16 & 0xff) << 8 | f.data[1] >> 24) as u16;
            let mut words = match self.packets.get_mut(id) {
                Some(old) => std::mem::take(&mut old.words),
                None => Vec::with_capacity(w * self.d.mtu),
            };
            words.clear();
            words.extend_from_slice(&f.data[..w]);
            let packet = Stored {
                class,
                slid,
                n,
                words,
                cut: false,
                arrived: self.cycle,
                back: f.back,
                nack: false,
                ups: self.ups,
            };
            if id == self.packets.len() {
                self.packets.push(packet);
            } else {
                self.packets[id] = packet;
            }
            if self.is_spec(class.vl) {
                self.spec.push_back(id);
            } else {
                self.queues.entry(class).or_default().push_back(id);
                self.accepted += 1;
                self.used[vl] += 1;
            }
            self.silent = 0;
            self.rx = if n == 1 { Rx::Idle } else { Rx::Recv(id) };
            return;
        }
        let Rx::Recv(id) = self.rx else {
            self.rx = after_drop;
            return;
        };
        let p = &mut self.packets[id];
        let a = p.words.len() / w;
        if !f.bad && f.last == (a + 1 == p.n) {
            p.words.extend_from_slice(&f.data[..w]);
            let vl = p.class.vl;
            self.used[usize::from(vl)] += usize::from(!self.is_spec(vl));
            self.silent = 0;
            if f.last {
                self.rx = Rx::Idle;
            }
        } else {
            p.cut = true;
            self.rx = after_drop;
        }
    }

    /// Registers the pins and makes the configuration writes of a cycle.
    fn sample(&mut self, input: &[u32]) {
        let io = &self.io;
        let bit = |at: usize| input[at] == 1;
        self.up = bit(io.link_up);
        self.pins.valid = bit(io.rx_valid);
        if self.pins.valid {
            let w = self.d.flit_words;
            self.pins.data[..w].copy_from_slice(&input[io.rx_data..io.rx_data + w]);
            (self.pins.first, self.pins.last, self.pins.bad) =
                (bit(io.rx_first), bit(io.rx_last), bit(io.rx_bad));
            let lid = |word: u32| ((word >> 16 & 0xff) << 8 | word >> 24) as usize;
            let port = |lid: usize| self.lft.get(lid).copied().unwrap_or(0xff);
            (self.pins.route, self.pins.back) = (port(lid(self.pins.data[0])), port(lid(self.pins.data[1])));
        }
        if bit(io.cfg_we) && input[io.cfg_addr] == 6 {
            self.rx_timeout = input[io.cfg_data] & 0xffff;
        }
        if bit(io.cfg_we) && input[io.cfg_addr] == 22 && self.d.params.random_up {
            self.ups = input[io.cfg_data] & u32::MAX >> (32 - self.d.ports);
        }
        if bit(io.lft_we)
            && let Some(entry) = self.lft.get_mut(input[io.lft_addr] as usize)
        {
            *entry = input[io.lft_port] as u8;
        }
    }
}

/// The first flit of a speculative packet as it came, with the age of one that left, unless that is younger.
fn aged(came: &[u32], left: &[u32]) -> Vec<u32> {
    let age = |word: u32| (word >> 16 & 0xff) << 8 | word >> 24;
    let mut flit = came.to_vec();
    if age(left[6]) >= age(came[6]) {
        flit[6] = came[6] & 0xffff | left[6] & 0xffff_0000;
    }
    flit
}

/// The NACK that a speculative packet becomes.
fn nack(came: &[u32], vls: usize) -> Vec<u32> {
    let mut flit = came.to_vec();
    let lids = [came[0] >> 16, came[1] >> 16];
    flit[0] = came[0] & 0xff0f | (vls as u32 - 1) << 4 | lids[1] << 16;
    flit[1] = came[1] & 0xf8 | 16 << 8 | lids[0] << 16;
    flit[2] = came[2] & !0xff | u32::from(opcode::NACK);
    flit[3] &= !0xc0;
    flit[6] &= 0xffff;
    flit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::header::{Bth, Header};
    use crate::params::builds;

    fn flit(dlid: u16, pkt_len: u16, opcode: u8, words: usize) -> Vec<u32> {
        let mut data: Vec<u32> = (0..words as u32).map(|i| 0x0101_0101 * i).collect();
        let bth = Some(Bth { opcode, ..Bth::default() });
        Header { lnh: 2, dlid, pkt_len, slid: 0x1234, bth, ..Header::default() }.write(&mut data);
        data
    }

    /// A scoreboard that has seen one packet of one flit for output 1 arrive.
    fn one_packet() -> (Scoreboard, Vec<u32>, Vec<u32>, Vec<u32>) {
        let b = builds()[0];
        let l = crate::signals::Layout::new(b.unit, &b.params);
        let mut s = Scoreboard::new(&b.params);
        let io = s.io.clone();
        let (mut out, mut input) = (vec![0; l.out_words], l.idle());
        out[io.ready] = 1;
        input[io.lft_we] = 1;
        input[io.lft_addr] = 7;
        input[io.lft_port] = 1;
        s.cycle(&out, &input).unwrap();
        l.make_idle(&mut input);
        let data = flit(7, 16, 4, 16);
        input[io.rx_valid] = 1;
        input[io.rx_first] = 1;
        input[io.rx_last] = 1;
        input[io.rx_data..io.rx_data + 16].copy_from_slice(&data);
        s.cycle(&out, &input).unwrap();
        l.make_idle(&mut input);
        s.cycle(&out, &input).unwrap();
        assert_eq!((s.accepted(), s.pending(), s.used(0)), (1, 1, 1));
        (s, out, input, data)
    }

    fn show(s: &Scoreboard, out: &mut [u32], o: usize, data: &[u32]) {
        let io = &s.io;
        out[io.xb_valid + o] = 1;
        out[io.xb_first + o] = 1;
        out[io.xb_last + o] = 1;
        out[io.xb_data + 16 * o..io.xb_data + 16 * (o + 1)].copy_from_slice(data);
    }

    #[test]
    fn a_packet_passes_once() {
        let (mut s, mut out, input, data) = one_packet();
        show(&s, &mut out, 1, &data);
        s.cycle(&out, &input).unwrap();
        assert_eq!((s.delivered(), s.pending(), s.used(0)), (1, 0, 0));
        let e = s.cycle(&out, &input).unwrap_err();
        assert!(e.contains("output 1: a packet that is not there"), "{e}");
    }

    #[test]
    fn wrong_output_and_wrong_data_are_found() {
        let (mut s, mut out, input, data) = one_packet();
        show(&s, &mut out, 2, &data);
        let e = s.cycle(&out, &input).unwrap_err();
        assert!(e.contains("output 2: a packet that is not there"), "{e}");

        let (mut s, mut out, input, mut data) = one_packet();
        data[9] ^= 0x400;
        show(&s, &mut out, 1, &data);
        let e = s.cycle(&out, &input).unwrap_err();
        assert!(e.contains("flit 0 is not the one received"), "{e}");
    }

    #[test]
    fn a_pad_needs_a_cut_packet() {
        let (mut s, mut out, input, data) = one_packet();
        show(&s, &mut out, 1, &data);
        out[s.io.xb_bad + 1] = 1;
        let e = s.cycle(&out, &input).unwrap_err();
        assert!(e.contains("a bad end where there is none"), "{e}");
    }
}
