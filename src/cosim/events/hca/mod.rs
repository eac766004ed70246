//! The adapter by its events (`docs/hca.md`): what the host posts is asked for in order, not before its flow's delay is over, and leaves once
//! and as it is to be; what comes reaches the host; what asks for a reply gets one; and nothing stands still for nothing.

mod loose;
mod post;
mod receive;
mod replies;
#[cfg(test)]
mod tests;
mod windows;

use crate::cosim::events::arrivals::{Arrivals, Came, Flit, Origin, refuse};
use crate::cosim::events::control::Control;
use crate::cosim::events::register::{Register, Told};
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::sender::Sender;
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::events::throttle::{Inside, Throttle};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};
use loose::Loose;
use post::{Posts, Room};
use receive::{Ended, Head, May, Receiver};
use replies::{Replies, Reply, Says, Seen};
use windows::Windows;

/// Its tolerances; an error for an adapter that is not judged.
pub(super) fn settings(p: &Params) -> Result<Vec<Setting>, String> {
    refuse("an hca", "outputs", &inside(p), &[])?;
    let s = Setting::new;
    let entities = p.entities() as u64;
    // (One VL's data have their turn after 32 replies.)
    let vls = p.vls as u64;
    let (others, replies) = (66 * vls * (p.hpqs as u64 + 2), 2 * (4 * vls + 40));
    let turns = 2 * (p.throttle_lanes() * p.flows) as u64 + 16;
    Ok(vec![
        s("receive", 16, 0, "from a register or a table written until it holds for what comes or begins"),
        s("credit", 64, 0, "after which credits must say that a block is free"),
        s("early", 16, 0, "by which credits may say so before its flit is taken"),
        s("message", 64, 0, "between two credit messages of a VL, besides VLS FC_INTERVAL; so FCTBS"),
        s(
            "becn",
            16,
            0,
            "from a BECN, or a write to a register or a table, until the choice of packets shows it",
        ),
        s(
            "expiry",
            3 * entities + 32,
            0,
            "by which an expiry may be late, without those in which a BECN comes",
        ),
        s("choice", 4, 0, "from the choice of a packet until its first flit is asked for"),
        s("begin", 4 * entities + 64, 1, "without a packet asked for, although a flow could go"),
        s("turns", turns, 1, "(packets, not cycles) of others while a flow could go"),
        s("pick", entities + 32, 0, "without a packet asked for, for each other one, while a flow could go"),
        s("grant", 64, 0, "for which a credit limit that was taken back, or a register written, may act on"),
        s("lost", 8, 0, "(packets, not cycles) that are lost with each fall of the link"),
        s("stop", 64, 0, "for which a packet may leave, or begin, after a stop"),
        s("marks", 1, 0, "(marks, not cycles) more than MARKING_RATE allows"),
        s("read", 64, 1, "without a flit of a packet that leaves, or is asked for"),
        s("offer", 512, 1, "without a flit on the link, although a packet or a reply could go"),
        s("others", others, 1, "(packets, not cycles) that leave while a packet could go"),
        s("replies", replies, 1, "(packets, not cycles) that leave while a reply could go"),
        s("host", 64, 1, "without a flit for the host, although one has come"),
        Setting::ready(UnitKind::Hca, p),
    ])
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &[
    "gen_full",
    "dma_valid",
    "dma_flow",
    "dma_psn",
    "dma_index",
    "host_valid",
    "host_first",
    "host_last",
    "host_data",
    "tx_valid",
    "tx_first",
    "tx_last",
    "tx_data",
    "tx_ctl",
];

/// VLs of data: the highest one may be the control lane (CL2).
fn data_vls(p: &Params) -> usize {
    p.vls - usize::from(p.ctl_vl)
}

/// Parameters of the buffer that packets of the host go through.
fn inside(p: &Params) -> Params {
    Params { ports: 1, ..*p }
}

/// Offsets of the signals in the word vectors, and their words.
struct Io {
    cfg: [usize; 4],
    lft: [usize; 3],
    cct: [usize; 3],
    attr: [usize; 3],
    gen_valid: usize,
    posts: [usize; 3],
    dma_ready: usize,
    dma_data: usize,
    host_ready: usize,
    rx: [usize; 4],
    rx_data: usize,
    rx_ctl: usize,
    link_up: usize,
    ready: usize,
    gen_full: usize,
    dma: [usize; 4],
    host: [usize; 4],
    host_data: usize,
    tx: [usize; 4],
    tx_data: usize,
    tx_ctl: usize,
    flit: usize,
    ctl: usize,
}

/// What leaves by the link.
#[derive(Clone, Copy, Debug)]
enum Leaving {
    /// A packet of the host.
    Own(usize),
    /// One whose header was not sure.
    Loose(usize),
    /// What has no more flits.
    Reply,
}

/// Who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// A packet, and when it came.
    Packet(usize, u64),
    /// A reply, and since when it is owed.
    Reply(Reply, u64),
}

/// One that could go.
#[derive(Clone, Copy, Debug)]
struct Waits {
    who: Who,
    /// Since when.
    since: u64,
    /// So many of its VL may be before it.
    before: u64,
}

/// What is counted, in the order of [`Adapter::cover`].
const COVER: [Point; 19] = [
    ("posted", "H1", "packets that the host posted"),
    ("asked", "H1", "packets asked for, in order"),
    ("loose", "H1", "of these, with a header that was not sure, as a register or a table was just written"),
    ("left", "R1 E9", "packets that left, in order and as they are to be"),
    ("falls", "F1 B3", "times that the link fell"),
    ("sent", "F1", "flow control messages judged"),
    ("marks", "M1 M2", "marks judged"),
    ("others", "A3", "packets that went while one that could go waited"),
    ("stopped", "E5 H5", "packets that left or began in spite of a stop, within the tolerance"),
    ("owed", "H2 AK3", "replies that had to leave"),
    ("owed_unsure", "H2 AK4", "replies that might be lost, or not be asked for"),
    ("replies", "H2 AK3", "replies that left"),
    ("received", "H2 B3", "packets that came and had to be accepted"),
    ("received_unsure", "B3", "packets that might be refused"),
    ("refused", "B3", "packets refused by their first flit"),
    ("shown", "H2", "flits that the host took"),
    ("credits", "F1", "credit messages judged"),
    ("becns", "H3", "BECNs that came"),
    ("windows", "AK6", "packets that began, judged by a window"),
];

/// Cycles between two looks at what stands still.
const LOOK: u64 = 64;
/// Packets between two looks at who goes.
const TURN: u64 = 16;

/// Registers of the adapter itself.
const OWN: [&str; 6] = ["CTRL", "LID", "LID_BASE", "FC_INTERVAL", "BECN_PER", "INJECT"];

/// The scoreboard.
pub(super) struct Adapter {
    io: Io,
    params: Params,
    own: [u32; 6],
    room_every: u32,
    late: u64,
    slack: u64,
    grant: u64,
    lost: u64,
    stop: u64,
    read: u64,
    offer: u64,
    host: u64,
    begin: u64,
    others: [u64; 2],

    now: u64,
    ready: Readiness,
    posts: Posts,
    /// Who chooses. With RESPONSE it is a throttle that is off, and nobody is sure to go while windows and delays may be on.
    throttle: Throttle,
    windows: Windows,
    /// Flows with a CNP in their generation queue since their last packet, perhaps: that begins a delay of its own. Words. So SLs.
    cnps: Vec<u32>,
    sl_cnps: u32,
    /// SLs of flows.
    sls: Vec<Register>,
    /// When the packet that is asked for was chosen at the earliest, and when it began.
    chosen: u64,
    begun: u64,
    /// The last cycle in which one that was chosen might have to wait.
    held: u64,
    /// Packets from the host, as if they came by a link.
    packets: Arrivals,
    loose: Loose,
    /// What is asked for now is one of those.
    asked_loose: bool,
    /// Credits inside may be so old.
    interval: (u64, u64),
    /// Since when there is room for any packet of a VL.
    room: Vec<Option<u64>>,
    /// Of which flow packets inside are, and when they were posted.
    posted: Vec<(usize, u64)>,

    registers: [Register; 6],
    receiver: Receiver,
    seen: Seen,
    replies: Replies,

    sender: Sender,
    leaving: Option<Leaving>,
    vl: usize,
    moved: u64,
    flit: u64,
    /// Of data and replies of each VL: who waits, seen first when, and packets that had left by then.
    turns: Vec<Option<(Waits, u64, u64)>>,

    asked: u64,
    left: u64,
    waited: u64,
    becns: u64,
}

impl Adapter {
    pub fn new(p: &Params, settings: &Settings) -> Adapter {
        let l = Layout::new(UnitKind::Hca, p);
        let out = |name| l.signal(Group::Output, name).offset;
        let three = |a, b, c| [l.input(a), l.input(b), l.input(c)];
        let get = |name| settings.get(name);
        let cap: Vec<usize> = (0..p.vls).map(|v| p.rx_cap(v)).collect();
        let number = |unit, name| u32::from(addr(unit, name));
        let mut registers = [0; 6].map(Register::new);
        registers[2] = Register::new(1);
        Adapter {
            io: Io {
                cfg: ["cfg_we", "cfg_unit", "cfg_addr", "cfg_data"].map(|n| l.input(n)),
                lft: three("lft_we", "lft_addr", "lft_port"),
                cct: three("cct_we", "cct_addr", "cct_data"),
                attr: three("attr_we", "attr_flow", "attr_sl"),
                gen_valid: l.input("gen_valid"),
                posts: three("gen_flow", "gen_len", "gen_psn"),
                dma_ready: l.input("dma_ready"),
                dma_data: l.input("dma_data"),
                host_ready: l.input("host_ready"),
                rx: ["rx_valid", "rx_first", "rx_last", "rx_bad"].map(|n| l.input(n)),
                rx_data: l.input("rx_data"),
                rx_ctl: l.input("rx_ctl"),
                link_up: l.input("link_up"),
                ready: out("ready"),
                gen_full: out("gen_full"),
                dma: ["dma_valid", "dma_flow", "dma_psn", "dma_index"].map(out),
                host: ["host_valid", "host_first", "host_last", "host_bad"].map(out),
                host_data: out("host_data"),
                tx: ["tx_valid", "tx_first", "tx_last", "tx_bad"].map(out),
                tx_data: out("tx_data"),
                tx_ctl: out("tx_ctl"),
                flit: p.flit_bytes / 4,
                ctl: l.signal(Group::Output, "tx_ctl").stride(),
            },
            params: *p,
            own: OWN.map(|name| number(UnitKind::Hca, name)),
            room_every: number(UnitKind::InputPort, "FC_INTERVAL"),
            late: get("receive"),
            slack: get("choice"),
            grant: get("grant"),
            lost: get("lost"),
            stop: get("stop"),
            read: get("read"),
            offer: get("offer"),
            host: get("host"),
            begin: get("begin"),
            others: ["others", "replies"].map(get),
            now: 0,
            ready: Readiness::new(get("ready"), "H1"),
            posts: Posts::new(p.flows, p.mtu),
            throttle: Throttle::within(p, settings, get("begin")),
            windows: Windows::new(p, get("becn")),
            cnps: vec![0; p.flows.div_ceil(32)],
            sl_cnps: 0,
            sls: vec![Register::new(0); p.flows],
            chosen: 0,
            begun: 0,
            held: 0,
            packets: Arrivals::inside(&inside(p), settings),
            loose: Loose::default(),
            asked_loose: false,
            interval: (4, 4),
            room: vec![None; p.vls],
            posted: Vec::new(),
            registers,
            receiver: Receiver::new(&cap, p.mtu, get("credit"), get("early"), get("message")),
            seen: Seen::new(p.flows),
            replies: Replies::new(p.flows, p.cnpq),
            sender: Sender::new(String::new(), 0, p, settings),
            leaving: None,
            vl: 0,
            moved: 0,
            flit: 0,
            turns: vec![None; 2 * p.vls],
            asked: 0,
            left: 0,
            waited: 0,
            becns: 0,
        }
    }

    fn register(&self, name: &str) -> &Register {
        let at = OWN.iter().position(|n| *n == name).unwrap_or(0);
        &self.registers[at]
    }

    /// A bit of CTRL.
    fn bit(&self, bit: u32) -> Told {
        self.register("CTRL").told(self.soon(), |v| v >> bit & 1 == 1)
    }

    /// CNPs go to generation queues.
    fn queues(&self) -> Told {
        let never = self.params.ctl_vl || self.params.response;
        if never { Told::sure(false) } else { self.bit(1) }
    }

    /// CNPs are in generation queues, or may be.
    fn queued(&self) -> bool {
        self.queues().may
    }

    /// What fills a flow, if that is sure: with CNPs in generation queues they have half of each. `free`: flows in whose queue none is.
    fn room_of<'a>(&self, free: &'a [u32]) -> Option<Room<'a>> {
        let halves = self.queues();
        let most = if halves.must { self.params.advoq / 2 } else { self.params.advoq };
        // (It has 8 places.)
        let windows = self.register("INJECT").since(self.soon()).filter(|n| *n > 0);
        let window = windows.map(|n| n.min(8) as usize).min();
        (halves.must == halves.may).then_some(Room { most, sure: free, window })
    }

    fn soon(&self) -> u64 {
        self.now.saturating_sub(self.late)
    }

    // What the host posts and delivers.

    /// Since when a packet that begins now can have been chosen: after the one before it began, and in the last cycles if nothing held it.
    fn verdict(&self) -> u64 {
        let free = self.now - self.held > self.late;
        (if free { self.now } else { self.begun }).saturating_sub(self.late)
    }

    /// A packet begins, or the next flit of one is asked for. The packet that begins.
    fn asks(&mut self, output: &[u32]) -> Result<Option<(usize, u32, u32)>, Broken> {
        let [valid, flow, psn, index] = self.io.dma.map(|w| output[w]);
        let asks = valid & 1 == 1;
        self.posts.goes_on(asks, self.read)?;
        if !asks || !self.posts.asks((flow as usize, psn, index))? {
            return Ok(None);
        }
        let Some(c) = self.posts.current else { return Ok(None) };
        self.asked += 1;
        self.replies.chosen(c.flow, c.posted);
        self.chosen = self.verdict();
        self.begun = self.now;
        let base = self.register("LID_BASE").now;
        let dlid = (base + c.flow as u32) as u16;
        let stop =
            (0..self.params.vls).filter_map(|v| self.sender.stops.stops(v, dlid, self.now, self.grant));
        if let Some((line, since)) = stop.min_by_key(|s| s.1)
            && self.register("LID_BASE").sure(self.chosen).is_some()
        {
            self.sender.stopped += 1;
            // (What was chosen before waits for its turn as long as the packet before it takes.)
            if self.chosen > since + self.stop {
                let text = format!(
                    "a packet of flow {} begins {} cycles after line {line} stopped it",
                    c.flow,
                    self.now - since
                );
                return broken("stop", "H5", text);
            }
        }
        Ok(Some((c.flow, self.sls[c.flow].now, c.n)))
    }

    /// The flit that the host delivers, if it does. `true`: the last one of a packet.
    fn delivers(&mut self, input: &[u32], asks: bool) -> bool {
        let mut flit = None;
        let mut last = false;
        let mut posted = (0, 0);
        let mut data = Vec::new();
        if let Some(c) = self.posts.current.filter(|_| asks && input[self.io.dma_ready] & 1 == 1) {
            posted = (c.flow, c.posted);
            data.extend_from_slice(&input[self.io.dma_data..][..self.io.flit]);
            if c.index == 0 {
                let base = self.register("LID_BASE").sure(self.chosen.min(self.soon()));
                let sl = self.sls[c.flow].sure(self.chosen);
                self.asked_loose = base.is_none() || sl.is_none();
                let base = self.register("LID_BASE").now;
                self.header(
                    &mut data,
                    (base + c.flow as u32) as u16,
                    self.sls[c.flow].now,
                    (c.flow, c.n, c.psn),
                );
            }
            last = self.posts.goes().is_some();
            flit = Some((c.index == 0, last));
        }
        if let Some((first, last)) = flit.filter(|_| self.asked_loose) {
            self.loose.comes(first, last, &data, self.now);
        }
        let flit = flit.filter(|_| !self.asked_loose);
        let flit = flit.map(|(first, last)| Flit { first, last, bad: false, data: &data });
        self.packets.receive(&Came { link_up: true, flit, fctbs: None }, self.now);
        if flit.is_some_and(|f| f.first)
            && let Some(&id) = self.packets.packets.waiting.back()
        {
            let most = self.posted.len().max(id + 1);
            self.posted.resize(most, (0, 0));
            self.posted[id] = posted;
        }
        if self.sender.has_just_fallen(self.now) {
            self.packets.came_late(0, self.now);
        }
        last
    }

    /// Bytes 0 to 19 of a packet, without SLID.
    fn header(&self, data: &mut [u32], dlid: u16, sl: u32, (flow, n, psn): (usize, u32, u32)) {
        let vls = data_vls(&self.params) as u32;
        let vl = if self.params.vl_by_dest { u32::from(dlid) % vls } else { sl % vls };
        let length = 16 * n;
        data[0] = (vl & 15) << 4 | (sl << 4 | 2) << 8 | u32::from(dlid.swap_bytes()) << 16;
        data[1] = length >> 8 & 7 | (length & 0xff) << 8;
        data[2] = 0xffff_0004;
        data[3] = ((flow as u32) << 8).swap_bytes() << 8;
        data[4] = psn.swap_bytes() >> 8 << 8;
    }

    /// SLs whose VL has had room for any packet for long enough, a bit each.
    fn open(&mut self) -> u32 {
        let wait = self.params.vls as u64 * self.interval.0.max(self.interval.1) + 16;
        for v in 0..self.params.vls {
            let free = self.params.cap(v) as i32 - self.packets.held(v) - self.loose.held();
            let fits = free >= self.params.mtu as i32;
            self.room[v] = if fits { self.room[v].or(Some(self.now)) } else { None };
        }
        let is = |v: &Option<u64>| v.is_some_and(|since| self.now - since > wait);
        if self.params.vl_by_dest {
            return if self.room.iter().all(is) { 0xffff } else { 0 };
        }
        (0..16).map(|s| u32::from(is(&self.room[s % data_vls(&self.params)])) << s).sum()
    }

    /// In these flows (`free`: not) a CNP may wait, of each SL that they may have. `true`: in some.
    fn cnps_may_wait(&mut self, free: &[u32]) -> bool {
        let soon = self.soon();
        let mut some = false;
        for (w, free) in free.iter().enumerate() {
            let mut may = !free;
            if w + 1 == self.cnps.len() && !self.params.flows.is_multiple_of(32) {
                may &= (1 << (self.params.flows % 32)) - 1;
            }
            self.cnps[w] |= may;
            some |= may != 0;
            while may != 0 {
                let flow = 32 * w + may.trailing_zeros() as usize;
                may &= may - 1;
                self.sl_cnps |= self.sls[flow].since(soon).fold(0, |all, sl| all | 1 << sl);
            }
        }
        some
    }

    // What leaves.

    /// A flit without its SLID, and that.
    fn plain(data: &[u32]) -> (Vec<u32>, u16) {
        let mut data = data.to_vec();
        let slid = (data[1] >> 16) as u16;
        data[1] &= 0xffff;
        (data, slid.swap_bytes())
    }

    /// The SLID of what was made since a cycle.
    fn is_own(&self, slid: u16, since: u64, what: &str) -> Result<(), Broken> {
        let lid = self.register("LID");
        let since = since.saturating_sub(self.late);
        if lid.forgets(since) || lid.since(since).any(|v| v == u32::from(slid)) {
            return Ok(());
        }
        broken("slid", "H1", format!("{what} leaves with SLID {slid}; LID is {}", lid.now))
    }

    /// A flit on the link.
    fn leave(&mut self, output: &[u32]) -> Result<(), Broken> {
        let [_, first, last, bad] = self.io.tx.map(|w| output[w] & 1 == 1);
        let data = &output[self.io.tx_data..][..self.io.flit];
        let (plain, slid) = Adapter::plain(data);
        let whose = match (self.leaving, first) {
            (Some(l), false) => l,
            (None, false) => {
                return broken("framing", "B3", "a flit that is not first and belongs to no packet".into());
            }
            (Some(_), true) => {
                return broken("framing", "B3", "a first flit, and the packet before has not ended".into());
            }
            (None, true) => self.begins(&plain, slid, last)?,
        };
        let data = match first {
            true => self.packets.unmarked(&plain).0,
            false => data.to_vec(),
        };
        let flit = Flit { first, last, bad, data: &data };
        match whose {
            Leaving::Reply => {}
            Leaving::Own(id) => {
                self.packets.suits(0, id, self.packets.packets.get(id).left, &flit)?;
                self.packets.leave(id, &flit);
            }
            Leaving::Loose(at) => {
                if !self.loose.leaves(at, &flit) {
                    let text = "a flit is not as it came of a packet whose header is not judged".into();
                    return broken("intact", "R1", text);
                }
            }
        }
        self.leaving = (!last).then_some(whose);
        (self.flit, self.moved) = (self.now, self.now);
        self.sender.down.send(self.vl, self.now)?;
        if last {
            self.left += 1;
            self.turns[2 * self.vl + usize::from(matches!(whose, Leaving::Reply))] = None;
            if self.left.is_multiple_of(TURN) {
                self.starves()?;
            }
        }
        Ok(())
    }

    /// What a first flit begins, its SLID taken out.
    fn begins(&mut self, data: &[u32], slid: u16, last: bool) -> Result<Leaving, Broken> {
        let now = self.now;
        let (class, n) = (self.packets.class(data), Arrivals::length(data));
        self.vl = class.vl;
        self.sender.down.begin(class.vl, n, now)?;
        let ack = self.packets.opcode(data) & 0x1f == 0x11;
        if class.cnp || ack {
            let since = self.replies.leaves(class.vl, data)?;
            self.is_own(slid, since, "a reply")?;
            if !last {
                return broken("framing", "B3", "a reply has a flit more".into());
            }
            return Ok(Leaving::Reply);
        }
        let (plain, marks) = self.packets.unmarked(data);
        let (whose, told) = match self.packets.origin(0, class, &plain) {
            Origin::Packet { id, gone } => {
                let told = self.packets.told(id);
                self.is_own(slid, self.packets.packets.get(id).arrived, &told)?;
                self.packets.begin(0, id, &gone);
                self.replies.overtaken(class.dlid, self.posted[id]);
                (Leaving::Own(id), told)
            }
            Origin::Wrong(_, wrong) => {
                let Some((at, since)) = self.loose.begins(&plain) else { return Err(wrong) };
                let told = format!("a packet to DLID {} on VL {}", class.dlid, class.vl);
                self.is_own(slid, since, &told)?;
                (Leaving::Loose(at), told)
            }
        };
        let may = self.packets.markable(data);
        self.sender.marks((class.vl, n), (may, marks != 0), now, &|| told.clone())?;
        self.sender.obeys(class, now, &|| told.clone())?;
        Ok(whose)
    }

    /// The link goes on with what it has begun, and begins what could go.
    fn moves(&mut self) -> Result<(), Broken> {
        let now = self.now;
        match self.leaving {
            Some(Leaving::Own(id)) => {
                if !self.packets.complete(id) {
                    self.moved = now;
                }
                if now - self.moved > self.read {
                    let text =
                        format!("no flit of {} for {} cycles", self.packets.told(id), now - self.moved);
                    return broken("stuck", "B2", text);
                }
                return Ok(());
            }
            Some(_) => return Ok(()),
            None => {}
        }
        if now - self.flit <= self.offer || !now.is_multiple_of(LOOK) {
            return Ok(());
        }
        // What is not whole has the output until it is.
        if self.packets.holds(0) || self.asked_loose && self.posts.current.is_some() {
            self.flit = now;
            return Ok(());
        }
        let Some(up) = self.sender.down.up() else { return Ok(()) };
        for at in 0..self.turns.len() {
            let Some(w) = self.waits(at) else { continue };
            if now - w.since.max(up).max(self.flit) > self.offer {
                let text = format!(
                    "no flit for {} cycles, though {} waits, has credit and is not stopped",
                    now - self.flit,
                    self.told(w.who)
                );
                return broken("hang", "A3", text);
            }
        }
        Ok(())
    }

    /// Others go, and go.
    fn starves(&mut self) -> Result<(), Broken> {
        for at in 0..self.turns.len() {
            let waits = self.waits(at);
            let before = self.turns[at].filter(|t| waits.is_some_and(|w| w.who == t.0.who && w.since <= t.1));
            self.waited += u64::from(before.is_some());
            self.turns[at] = waits.map(|w| before.unwrap_or((w, self.now, self.left)));
            if let Some((w, _, since)) = self.turns[at]
                && self.left - since > self.others[at % 2] * (w.before + 1)
            {
                let text = format!("{} could go while {} others went", self.told(w.who), self.left - since);
                return broken("starved", "A3", text);
            }
        }
        Ok(())
    }

    /// Of data (even numbers) and replies of a VL the first that must leave, if it could go.
    fn waits(&self, at: usize) -> Option<Waits> {
        let vl = at / 2;
        let open = self.sender.down.open(vl)?;
        if at % 2 == 1 {
            let (reply, owed, before) = self.replies.head(vl).filter(|_| !self.queued())?;
            return Some(Waits { who: Who::Reply(reply, owed), since: owed.max(open), before });
        }
        let packets = &self.packets.packets;
        let mut before = 0;
        for &id in &packets.waiting {
            let p = packets.get(id);
            if p.class.vl != vl || p.outs & 1 == 0 {
                continue;
            }
            if let Some(whole) = p.whole.filter(|_| p.sure) {
                let since = whole.max(open).max(self.sender.stops.clear(self.now, self.grant)?);
                return Some(Waits { who: Who::Packet(id, p.arrived), since, before });
            }
            before += 1;
        }
        None
    }

    fn told(&self, who: Who) -> String {
        match who {
            Who::Packet(id, _) => self.packets.told(id),
            Who::Reply(reply, at) => format!("{}, owed since cycle {at},", reply.told()),
        }
    }

    // What comes.

    fn head_of(&self, data: &[u32]) -> Head {
        let class = self.packets.class(data);
        let opcode = self.packets.opcode(data);
        let bth = self.packets.bth(data);
        let mark = |w: usize| {
            let byte = data[w + 1] & 0xff;
            byte >> 4
        };
        Head {
            vl: class.vl,
            n: Arrivals::length(data),
            slid: ((data[1] >> 16) as u16).swap_bytes(),
            sl: data[0] >> 12 & 15,
            psn: bth.map_or(0, |w| data[w + 2].swap_bytes() & 0xff_ffff),
            bth: bth.is_some(),
            cnp: class.cnp,
            ack: bth.is_some() && opcode & 0x1f == 0x11,
            mcast: class.dlid >= 0xc000,
            marks: bth.map_or(0, mark),
        }
    }

    /// What may become of a packet by its first flit.
    fn judge(&self, head: &Head, dlid: u16) -> May {
        let own = self.register("LID").told(self.soon(), |lid| lid == u32::from(dlid) || head.mcast);
        let acks = self.bit(2);
        let take = match (head.cnp, head.ack && !head.mcast) {
            (true, _) => Told::sure(true),
            (_, true) => acks,
            _ => Told::sure(false),
        };
        // The control lane has replies of one flit, and nothing else (CL3).
        let control = self.params.ctl_vl && head.vl + 1 == self.params.vls;
        if control && (head.n != 1 || !head.cnp && !head.ack) {
            return May { store: false, take: false, refuse: true };
        }
        May { store: own.may && !take.must, take: own.may && take.may, refuse: !own.must }
    }

    /// A packet has ended: what it asks for, and the BECN of it.
    fn ended(&mut self, e: &Ended) -> Vec<(usize, bool)> {
        let now = self.now;
        let flow = |base: u32| {
            let f = usize::from(e.head.slid.wrapping_sub(base as u16));
            (f < self.params.flows).then_some(f)
        };
        let flows: Vec<Option<usize>> = self.register("LID_BASE").since(self.soon()).map(flow).collect();
        let alike = flows.iter().all(|f| *f == flows[0]);
        let (cnp, ack) = (self.bit(0), self.bit(2));
        let says = Says {
            cnps: Told { may: cnp.may && !ack.must, must: cnp.must && !ack.may },
            acks: ack,
            fecn: Told { may: !self.bit(3).must, must: !self.bit(3).may },
            per: self.register("BECN_PER").sure(self.soon()),
        };
        // What may have been taken is none that is answered, or stored.
        let asks =
            if e.taken { Told::sure(false) } else { self.seen.asks(e, &says, alike.then_some(flows[0])) };
        let Head { slid, sl, psn, marks, .. } = e.head;
        let vl = match (self.params.vl_by_dest, self.params.ctl_vl) {
            (true, _) => usize::from(slid) % self.params.vls,
            (_, true) => self.params.vls - 1,
            _ => e.head.vl,
        };
        let cnp = Reply { ack: false, vl, sl, dlid: slid, psn: 0, marks: 0 };
        if asks.may {
            let queued = self.queued();
            self.replies.owe(cnp, asks.must, queued, now);
        }
        if says.acks.may && e.head.data() && !e.taken {
            let ack = Reply { ack: true, psn, marks: marks >> 1 & 4 | marks & 3, ..cnp };
            self.replies.owe(ack, says.acks.must && e.sure, false, now);
        }
        if self.params.response && e.whole && e.head.ack && !e.head.mcast && !e.stored {
            let acked = flows.iter().flatten().collect::<std::collections::BTreeSet<_>>();
            acked.into_iter().for_each(|f| self.windows.acked(*f, now));
        }
        if !e.whole || !e.head.becn() || !e.head.bth {
            return Vec::new();
        }
        self.becns += 1;
        let sure = e.sure && alike;
        let mut all: Vec<(usize, bool)> = flows.into_iter().flatten().map(|f| (f, sure)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The link, registers; BECNs that came.
    fn comes(&mut self, input: &[u32]) -> Vec<(usize, bool)> {
        let now = self.now;
        let io = &self.io;
        let control = Control::of(&input[io.rx_ctl..][..io.ctl], self.params.dlist);
        let [valid, first, last, bad] = io.rx.map(|w| input[w] & 1 == 1);
        let data = &input[io.rx_data..][..io.flit];
        let link_up = input[io.link_up] & 1 == 1;
        let flit = valid.then_some(Flit { first, last, bad, data });
        let came = Came { link_up, flit, fctbs: control.fctbs };
        let first = flit.filter(|f| f.first).map(|f| {
            let head = self.head_of(f.data);
            (head, self.judge(&head, self.packets.class(f.data).dlid))
        });
        let ended = self.receiver.receive(&came, first, now);
        let becns = ended.map_or(Vec::new(), |e| self.ended(&e));
        if self.sender.hears(link_up, &control, now) {
            let leaves = match self.leaving.take() {
                Some(Leaving::Own(id)) => Some(id),
                Some(Leaving::Loose(at)) => {
                    self.loose.forget(at);
                    None
                }
                _ => None,
            };
            self.packets.fell(0, leaves);
            self.loose.fell(now);
        }
        if !link_up {
            self.replies.fell();
        }
        becns
    }

    fn writes(&mut self, input: &[u32]) {
        let now = self.now;
        let [we, unit, number, data] = self.io.cfg.map(|w| input[w]);
        let lft = (input[self.io.lft[0]] & 1 == 1).then(|| (input[self.io.lft[1]], input[self.io.lft[2]]));
        let cfg = |of: u32| (we & 1 == 1 && unit == of).then_some((number, data));
        self.packets.writes(cfg(0), lft, now);
        if let Some((_, data)) = cfg(0).filter(|c| c.0 == self.room_every) {
            self.interval = (self.interval.1, u64::from(data & 0xffff).max(1));
        }
        let [we, flow, sl] = self.io.attr.map(|w| input[w]);
        if we & 1 == 1
            && let Some(register) = self.sls.get_mut(flow as usize)
        {
            register.write(sl & 15, now);
        }
        if let Some((number, data)) = cfg(1) {
            self.sender.writes(number, data, now);
        }
        if let Some((number, data)) = cfg(3)
            && let Some(at) = self.own.iter().position(|a| *a == number)
        {
            let mask = [0xf, 0xffff, 0xffff, 0xffff, 7, 15][at];
            match at {
                3 => self.receiver.every(data, now),
                4 => self.seen.forget(true),
                _ => {}
            }
            if at == 2 && data & mask != self.registers[at].now {
                self.replies.drift();
            }
            self.registers[at].write(data & mask, now);
        }
        if self.queued() {
            self.replies.loosen(now);
        }
        let (cnp, ack) = (self.bit(0), self.bit(2));
        if !cnp.must || ack.may {
            self.seen.forget(!cnp.may || ack.must);
        }
    }

    /// What is not on the link is not lost with it.
    fn loses(&self) -> Result<(), Broken> {
        let (lost, falls) = (self.packets.lost[0], self.sender.falls);
        if lost > self.lost * falls {
            let text = format!(
                "{lost} packets were lost, beside those that were on the link, which fell {falls} times"
            );
            return broken("lost", "R1", text);
        }
        Ok(())
    }
}

impl Scoreboard for Adapter {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        if !self.ready.see(output[self.io.ready] & 1 == 1, now)? {
            self.sender.not_ready(now);
            self.receiver.not_ready(now);
            self.throttle.not_ready();
            (self.flit, self.begun) = (now, now);
            self.now += 1;
            return Ok(());
        }
        let control = Control::of(&output[self.io.tx_ctl..][..self.io.ctl], self.params.dlist);
        let link_up = input[self.io.link_up] & 1 == 1;
        // What shows while the link is down goes nowhere.
        if link_up {
            self.sender.tells(control.fctbs, now)?;
            if output[self.io.tx[0]] & 1 == 1 {
                self.leave(output)?;
            }
            self.moves()?;
        }
        self.loses()?;

        let [valid, first, last, bad] = self.io.host.map(|w| output[w] & 1 == 1);
        let data = &output[self.io.host_data..][..self.io.flit];
        let flit = valid.then_some(Flit { first, last, bad, data });
        let takes = input[self.io.host_ready] & 1 == 1;
        self.receiver.shown(flit.as_ref(), takes, self.host, now)?;
        self.receiver.message(control.fccl, now)?;

        let begins = self.asks(output)?;
        let asks = output[self.io.dma[0]] & 1 == 1;
        let busy = self.posts.current.is_some();
        let sent = self.delivers(input, asks);
        let io = &self.io;
        let full = |f: usize| output[io.gen_full + f / 32] >> (f % 32) & 1 == 1;
        let all = vec![u32::MAX; self.posts.waiting.len()];
        let base = self.register("LID_BASE").now;
        let free = if self.queued() { vec![0; all.len()] } else { self.replies.free(&all, base) };
        if let Some(room) = self.room_of(if self.queues().must { &all } else { &free }) {
            self.posts.fills(&full, &room, self.begin, now)?;
        } else {
            self.posts.unsure();
        }
        let [flow, n, psn] = io.posts.map(|w| input[w]);
        let flow = flow as usize;
        if input[io.gen_valid] & 1 == 1 {
            self.posts.post(flow, (n, psn), flow < self.params.flows && full(flow), now);
        }

        let becns = self.comes(input);
        let open = self.open();
        if busy || open != 0xffff {
            self.held = now;
        }
        let clear = self.sender.stops.clear(now, self.grant).is_some();
        let on = self.params.response && self.windows.may_be_on(self.soon());
        let clear = clear && !on;
        let wants = |(free, posted): (&u32, &u32)| if clear { free & posted } else { 0 };
        let wants: Vec<u32> = free.iter().zip(&self.posts.waiting).map(wants).collect();
        let bit = |f: usize| (f / 32, 1 << (f % 32));
        let mut judged = true;
        if let Some(((w, b), sl)) = begins.map(|b| (bit(b.0), 1 << b.1)) {
            judged = if self.throttle.by_sl() { self.sl_cnps & sl } else { self.cnps[w] & b } == 0;
            self.cnps[w] &= !b;
            self.sl_cnps &= !sl;
        }
        let unseen = self.cnps_may_wait(&free);
        let since = if begins.is_some() { self.chosen } else { self.verdict() };
        let io = &self.io;
        let [we, unit, number, data] = io.cfg.map(|w| input[w]);
        let table = |[we, a, b]: [usize; 3]| (input[we] & 1 == 1).then(|| (input[a], input[b]));
        let cfg = (we & 1 == 1 && unit == 2).then_some((number, data));
        let mut writes = [cfg, table(io.cct), table(io.attr)];
        if self.params.response {
            if let Some((flow, ..)) = begins {
                self.windows.begins(flow, self.chosen, now)?;
            }
            if sent {
                self.windows.sent(now);
            }
            if let Some((number, data)) = cfg {
                self.windows.write(number, data, now);
            }
            (writes[0], writes[1]) = (None, None);
        }
        self.throttle.inside(&Inside {
            wants: &wants,
            open,
            busy,
            begins,
            judged,
            since,
            slack: self.slack,
            unseen,
            sent,
            becns: &becns,
            writes,
        })?;
        self.writes(input);
        self.now += 1;
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let io = &self.io;
        if output[io.ready] & 1 == 0 {
            output.fill(0);
        }
        let mut valid = |words: &[usize], data: Option<usize>| {
            if output[words[0]] & 1 == 0 {
                words.iter().for_each(|w| output[*w] = 0);
                if let Some(at) = data {
                    output[at..at + io.flit].fill(0);
                }
            }
        };
        valid(&io.dma, None);
        valid(&io.host, Some(io.host_data));
        valid(&io.tx, Some(io.tx_data));
        Control::meaningful(&mut output[io.tx_ctl..][..io.ctl]);
    }

    fn cover(&self) -> Vec<CoverCount> {
        let r = &self.receiver.counts;
        let all = [
            self.posts.posted,
            self.asked,
            self.loose.all,
            self.left,
            self.sender.falls,
            self.sender.sent,
            self.sender.marks,
            self.waited,
            self.sender.stopped,
            self.replies.sure,
            self.replies.unsure,
            self.replies.left,
            r.packets,
            r.unsure,
            r.refused,
            r.shown,
            r.credits,
            self.becns,
            self.windows.judged,
        ];
        let mut all = counted(&COVER, &all);
        all.extend(self.throttle.cover_inside());
        all
    }
}
