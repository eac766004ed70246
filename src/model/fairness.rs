//! Rules A3, H8 where a line is stopped and let go: all sources of its tree that are alike get alike, whatever the windows and
//! periods of the stops and whatever else goes out beside them.

use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::bench::Bench;
use super::header::{Bth, Header};
use super::link::{Control, Credit, MAX_DLIST, Message};
use crate::params::{Params, UnitKind, builds};

use std::collections::VecDeque;

const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;
const GO: u32 = 3;
/// The tree's first destinations; in the switch another one behind the same output is not in it.
const TREE: u16 = 3;
const OTHER: u16 = 4;
const FREE: u16 = 7;
/// Flits of a packet.
const LEN: u32 = 4;
/// Cycles of a run, and those before anything is counted.
const CYCLES: u32 = 1_200;
const WARM_UP: u32 = 400;

/// How long a line is open and shut. The one who stops it has been filled by the packets of its tree, so a window ends some cycles
/// after so many of them have begun; it opens after so many cycles.
#[derive(Clone, Copy, Debug)]
struct Windows {
    packets: u32,
    after: u32,
    shut: u32,
    /// The three are the most, and every window draws its own.
    seed: Option<u64>,
}

impl Windows {
    /// All windows of 1 to 3 packets, with gaps of every phase, and random ones.
    fn all() -> Vec<Windows> {
        let constant = (1..=3).flat_map(|packets| {
            (0..=6).step_by(2).flat_map(move |after| {
                (1..=5 * LEN).map(move |shut| Windows { packets, after, shut, seed: None })
            })
        });
        let random = (0..24).map(|seed| {
            let (packets, shut) = (1 + seed as u32 % 3, LEN * (1 + seed as u32 / 3));
            Windows { packets, after: 6, shut, seed: Some(seed) }
        });
        constant.chain(random).collect()
    }

    /// The message of a cycle, from what it is and from whether a packet of the tree began in the last one.
    fn messages(self) -> impl FnMut(u32, bool) -> Option<(u32, bool)> {
        let mut rng = self.seed.map(SmallRng::seed_from_u64);
        let mut draw = move |low: u32, most: u32| rng.as_mut().map_or(most, |r| r.random_range(low..=most));
        let (mut open, mut left, mut due) = (false, 0, Some(40));
        move |t, began| {
            if open && began && left > 0 {
                left -= 1;
                due = (left == 0).then(|| t + draw(0, self.after));
            }
            if due != Some(t) {
                return None;
            }
            open = !open;
            (left, due) =
                if open { (draw(1, self.packets), None) } else { (0, Some(t + draw(1, self.shut))) };
            Some((if open { GO } else { STOP }, false))
        }
    }
}

/// A tree that dies after each go: the hot queue behind the link runs empty, and a packet that comes brings it back, so many cycles
/// after it began. It is announced stopped, or the next packet stops it.
#[derive(Clone, Copy, Debug)]
struct Deaths {
    at_once: bool,
    after: u32,
    shut: u32,
    /// From go to end.
    life: u32,
}

impl Deaths {
    fn all() -> Vec<Deaths> {
        let of = |at_once: bool| {
            (0..=6).step_by(3).flat_map(move |after| {
                (1..=3 * LEN)
                    .step_by(2)
                    .flat_map(move |shut| (1..=5).map(move |life| Deaths { at_once, after, shut, life }))
            })
        };
        [true, false].into_iter().flat_map(of).collect()
    }

    /// As [`Windows::messages`].
    fn messages(self) -> impl FnMut(u32, bool) -> Option<(u32, bool)> {
        let mut due = VecDeque::from([(40, (GO, false)), (40 + self.life, (DEALLOC, false))]);
        let mut announced = false;
        move |t, began| {
            if began && due.is_empty() {
                let at = t + self.after;
                let first = if announced { (STOP, false) } else { (ALLOC, self.at_once) };
                due.push_back((at, first));
                announced = first == (ALLOC, false);
                if !announced {
                    let go = at + self.shut;
                    due.extend([(go, (GO, false)), (go + self.life, (DEALLOC, false))]);
                }
            }
            due.pop_front_if(|d| d.0 <= t).map(|d| d.1)
        }
    }
}

/// A message of line `line`, whose tree has these destinations; kind, and whether an ALLOC says stop.
fn message((kind, stop): (u32, bool), line: u32, dlids: &[u16]) -> Message {
    let mut m = Message { kind, line, ..Message::default() };
    if kind == ALLOC {
        (m.root, m.hops, m.stop, m.dcnt) = (0x0001_0305 + line, 1, stop, dlids.len() as u32);
        let mut dlist = [0; MAX_DLIST];
        dlist[..dlids.len()].copy_from_slice(dlids);
        m.dlist = dlist;
    }
    m
}

/// The worst of some like sources gets a third at least of an equal share.
fn is_fair(counts: &[u32]) -> bool {
    let (worst, all) = (counts.iter().min().unwrap(), counts.iter().sum::<u32>());
    3 * counts.len() as u32 * worst >= all && all > 0
}

/// A host at an input: what it sends, its credits, the packet under way, and what is stopped.
#[derive(Clone, Default)]
struct Sender {
    kinds: &'static [u16],
    fccl: u32,
    sent: u32,
    packet: Option<(u16, u32)>,
    turn: usize,
    /// Destinations of each line of the input, and whether they are stopped.
    lines: [(Vec<u16>, bool); 5],
}

impl Sender {
    fn is_stopped(&self, dlid: u16) -> bool {
        self.lines.iter().any(|(dlids, stop)| *stop && dlids.contains(&dlid))
    }

    /// What the input's hot queues say.
    fn hear(&mut self, m: &Message) {
        let line = &mut self.lines[m.line as usize];
        match m.kind {
            ALLOC => *line = (m.dlist[..m.dcnt as usize].to_vec(), m.stop),
            DEALLOC => *line = Default::default(),
            kind => line.1 = kind == STOP,
        }
    }
}

/// A switch of four ports: three senders and the output 3, whose line is stopped and let go.
struct Net {
    b: Bench,
    p: Params,
    senders: Vec<Sender>,
    /// Packets of the tree by sender; and those to its second destination.
    counts: [u32; 3],
    of_other: u32,
}

impl Net {
    fn new(one_queue: bool, isolates: bool, kinds: [&'static [u16]; 3]) -> Net {
        let p = Params {
            ports: 4,
            mtu: LEN as usize,
            blocks: 64,
            hpqs: 2,
            lines: 5,
            dlist: 2,
            lft_depth: 8,
            flit_bytes: 32,
            timer_w: 16,
            one_queue,
            iterations: 2,
            ..Params::default()
        };
        p.check().unwrap();
        let mut b = Bench::new(UnitKind::Switch, &p);
        while b.cycle().get("ready", 0) == 0 {}
        for dlid in [TREE, OTHER, FREE] {
            b.set("lft_we", 0, 1).set("lft_addr", 0, dlid.into()).set("lft_port", 0, 3).cycle();
        }
        let low = [(0, u32::from(isolates)), (1, 3 * LEN), (2, LEN), (4, 1), (13, 0xffff)];
        for (unit, addr, data) in low.map(|(a, x)| (0, a, x)).into_iter().chain([(1, 0, 2), (1, 6, 1)]) {
            b.set("cfg_unit", 0, unit).set("cfg_port", 0, 255).config(addr, data);
        }
        let senders = kinds.map(|kinds| Sender { kinds, ..Sender::default() }).to_vec();
        Net { b, p, senders, counts: [0; 3], of_other: 0 }
    }

    fn send(&mut self, i: usize) {
        let s = &mut self.senders[i];
        if s.packet.is_none() && s.fccl.wrapping_sub(s.sent + LEN) & 0xfff <= 2048 {
            let next = (0..s.kinds.len()).map(|k| (s.turn + k) % s.kinds.len());
            let kind = next.into_iter().find(|k| !s.is_stopped(s.kinds[*k]));
            s.packet = kind.map(|k| (s.kinds[k], 0));
            s.turn = kind.map_or(s.turn, |k| (k + 1) % s.kinds.len());
            s.sent += if kind.is_some() { LEN } else { 0 };
        }
        let Some((dlid, at)) = s.packet else { return };
        let mut words = vec![0u32; self.p.flit_bytes / 4];
        if at == 0 {
            let bth = Some(Bth::default());
            let (pkt_len, slid) = (16 * LEN as u16, i as u16);
            Header { lnh: 2, dlid, slid, pkt_len, bth, ..Header::default() }.write(&mut words);
        }
        s.packet = (at + 1 < LEN).then_some((dlid, at + 1));
        self.b.set("rx_valid", i, 1).set("rx_first", i, u32::from(at == 0));
        self.b.set("rx_last", i, u32::from(at + 1 == LEN)).set_element("rx_data", i, &words);
    }

    /// One cycle with this message at the output 3; whether a packet of the tree began to leave there.
    fn cycle(&mut self, message: Option<Message>, counts: bool) -> bool {
        (0..3).for_each(|i| self.send(i));
        let mut words = vec![0; (16 + 2 * self.p.dlist).div_ceil(4)];
        let blocks = (self.b.get("st_txr", 3) + 500) & 0xfff;
        Control { fccl: Some(Credit { vl: 0, blocks }), message, fctbs: None }.pack(&mut words);
        self.b.set_element("rx_ctl", 3, &words);
        self.b.cycle();
        for (i, s) in self.senders.iter_mut().enumerate() {
            let c = Control::unpack(self.b.get_element("tx_ctl", i));
            s.fccl = c.fccl.map_or(s.fccl, |c| c.blocks);
            c.message.iter().for_each(|m| s.hear(m));
        }
        if self.b.get("tx_valid", 3) & self.b.get("tx_first", 3) == 0 {
            return false;
        }
        let h = Header::parse(self.b.get_element("tx_data", 3));
        let of_tree = h.dlid != FREE;
        self.counts[usize::from(h.slid)] += u32::from(counts && of_tree);
        self.of_other += u32::from(counts && h.dlid == OTHER);
        of_tree
    }

    /// A run with these messages of a tree of one destination, which is announced stopped.
    fn run(&mut self, mut messages: impl FnMut(u32, bool) -> Option<(u32, bool)>) {
        let tree = |m: (u32, bool)| message(m, 0, &[TREE]);
        let mut began = self.cycle(Some(tree((ALLOC, true))), false);
        for t in 1..CYCLES {
            began = self.cycle(messages(t, began).map(tree), t > WARM_UP);
        }
        assert_eq!((0..4).map(|i| self.b.get("err_in", i)).max(), Some(0));
    }
}

/// Organisations: one queue, isolation.
const ORGANISATIONS: [(bool, bool); 4] = [(false, true), (false, false), (true, true), (true, false)];
const HOT: &[u16] = &[TREE];
const COLD: &[u16] = &[FREE];
const BOTH: &[u16] = &[TREE, FREE];
const SENDERS: [[&[u16]; 3]; 4] = [[HOT, HOT, COLD], [BOTH, BOTH, COLD], [BOTH; 3], [HOT; 3]];

/// Fails with the first of some unfair runs.
fn assert_fair<T: std::fmt::Debug>(served: u32, unfair: &[T]) {
    assert!(served > 10_000, "{served}");
    assert!(unfair.is_empty(), "{}: {:#?}", unfair.len(), &unfair[..unfair.len().min(5)]);
}

/// Runs of a switch with every organisation, all senders and these stops.
fn inputs_get_alike<S: Copy + std::fmt::Debug, M: FnMut(u32, bool) -> Option<(u32, bool)>>(
    stops: &[S],
    messages: impl Fn(S) -> M,
) {
    let (mut unfair, mut served) = (Vec::new(), 0);
    for (one_queue, isolates) in ORGANISATIONS {
        for kinds in SENDERS {
            for &stop in stops {
                let mut net = Net::new(one_queue, isolates, kinds);
                net.run(messages(stop));
                let alike = kinds.iter().filter(|k| k.contains(&TREE)).count();
                served += net.counts.iter().sum::<u32>();
                if !is_fair(&net.counts[..alike]) {
                    unfair.push((one_queue, isolates, kinds, stop, net.counts));
                }
            }
        }
    }
    assert_fair(served, &unfair);
}

#[test]
fn like_inputs_of_a_tree_get_alike() {
    inputs_get_alike(&Windows::all(), Windows::messages);
}

#[test]
fn like_inputs_get_alike_if_the_tree_dies_after_each_go() {
    inputs_get_alike(&Deaths::all(), Deaths::messages);
}

#[test]
fn like_hot_queues_of_an_input_get_alike() {
    const ALL: &[u16] = &[TREE, OTHER, FREE];
    const PLAIN: &[u16] = &[TREE, OTHER];
    let (mut unfair, mut served) = (Vec::new(), 0);
    for one_queue in [false, true] {
        for kinds in [[ALL, &[], &[]], [PLAIN, &[], COLD]] {
            // Go for so many cycles, stop for so many.
            for (open, shut) in (LEN + 1..=14).flat_map(|open| (LEN..=10 * LEN).map(move |shut| (open, shut)))
            {
                let mut net = Net::new(one_queue, true, kinds);
                for t in 0..CYCLES {
                    // A tree for each destination, so each has its hot queue; their stops come and go together, now the one
                    // first, now the other.
                    let (round, at) = (t / (open + shut), t % (open + shut));
                    let m = match at.checked_sub(open) {
                        _ if t < 2 => Some(message((ALLOC, true), t, &[[TREE, OTHER][t as usize]])),
                        None if at < 2 => Some(message((GO, false), (round + at) % 2, &[])),
                        Some(at @ 0..2) => Some(message((STOP, false), (round + at) % 2, &[])),
                        _ => None,
                    };
                    net.cycle(m, t > WARM_UP);
                }
                let all: u32 = net.counts.iter().sum();
                served += all;
                if !is_fair(&[net.of_other, all - net.of_other]) {
                    unfair.push((one_queue, kinds, open, shut, net.counts, net.of_other));
                }
            }
        }
    }
    assert_fair(served, &unfair);
}

/// Stops that are shorter than this can meet the visits of one flow each time (`docs/hca-throttle.md` section 3).
const VISIT: u32 = 8;

/// Runs of an adapter with these stops; so many flows in the tree, and so many beside them.
fn flows_get_alike<S: Copy + std::fmt::Debug, M: FnMut(u32, bool) -> Option<(u32, bool)>>(
    numbers: &[(u16, u16)],
    stops: &[S],
    messages: impl Fn(S) -> M,
) {
    let p = builds().iter().find(|b| b.unit == UnitKind::Hca && b.name == "h64").unwrap().params;
    let mut unfair = Vec::new();
    let mut served = 0;
    for &(flows, beside) in numbers {
        for &stop in stops {
            let mut b = Bench::new(UnitKind::Hca, &p);
            while b.cycle().get("ready", 0) == 0 {}
            for dlid in TREE..=FREE {
                b.set("lft_we", 0, 1).set("lft_addr", 0, dlid.into()).set("lft_port", 0, 0).cycle();
            }
            for (unit, addr, data) in [(3, 2, TREE.into()), (0, 0, 1), (0, 4, 1), (1, 0, 2), (2, 0, 1)] {
                b.set("cfg_unit", 0, unit).config(addr, data);
            }
            let tree: Vec<u16> = (TREE..TREE + flows).collect();
            let (mut counts, mut messages, mut began) = (vec![0; flows.into()], messages(stop), false);
            for t in 0..CYCLES {
                let kind = if t == 0 { Some((ALLOC, true)) } else { messages(t, began) };
                let mut words = vec![0; (16 + 2 * p.dlist).div_ceil(4)];
                let blocks = (b.get("st_txr", 0) + 500) & 0xfff;
                let message = kind.map(|kind| message(kind, 0, &tree));
                Control { fccl: Some(Credit { vl: 0, blocks }), message, fctbs: None }.pack(&mut words);
                b.set_words("rx_ctl", &words);
                let flow = t % u32::from(flows + beside);
                if b.get("gen_full", 0) >> flow & 1 == 0 {
                    b.set("gen_valid", 0, 1).set("gen_flow", 0, flow).set("gen_len", 0, LEN);
                }
                b.set("dma_ready", 0, 1).cycle();
                let first = b.get("tx_valid", 0) & b.get("tx_first", 0) == 1;
                let dlid = Header::parse(b.get_words("tx_data")).dlid;
                let of_tree = tree.iter().position(|d| first && *d == dlid);
                if let Some(flow) = of_tree {
                    counts[flow] += u32::from(t > WARM_UP);
                }
                began = of_tree.is_some();
            }
            served += counts.iter().sum::<u32>();
            if !is_fair(&counts) {
                unfair.push((flows, beside, stop, counts));
            }
        }
    }
    assert_fair(served, &unfair);
}

#[test]
fn like_flows_of_a_tree_get_alike() {
    flows_get_alike(&[(2, 1), (3, 1)], &Windows::all(), Windows::messages);
    let long: Vec<Windows> = Windows::all().into_iter().filter(|w| w.shut > VISIT).collect();
    flows_get_alike(&[(2, 0), (3, 0)], &long, Windows::messages);
}

#[test]
fn like_flows_get_alike_if_the_tree_dies_after_each_go() {
    let long: Vec<Deaths> = Deaths::all().into_iter().filter(|d| d.shut > VISIT).collect();
    flows_get_alike(&[(2, 1), (3, 1), (2, 0), (3, 0)], &long, Deaths::messages);
}
