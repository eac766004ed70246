//! The engine in steps that are needed against the golden unit `reservation`, which is clocked in every cycle.

use crate::fabric::setup::Write;
use crate::model::{self, Unit};
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;
use crate::signals::Layout;

use super::engine::Engine;
use super::messages::Message;
use super::ops::{Came, Packet, Room};
use super::regs::Regs;
use super::tag::Kind;
use crate::fabric::event::tests::Random;

/// The golden unit with its words.
struct Golden {
    layout: Layout,
    unit: Box<dyn Unit>,
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
}

impl Golden {
    fn new(p: &Params) -> Golden {
        let layout = Layout::new(UnitKind::Reservation, p);
        Golden {
            unit: model::new(UnitKind::Reservation, p).unwrap(),
            input: layout.idle(),
            output: vec![0; layout.out_words],
            state: vec![0; layout.state_words],
            layout,
        }
    }

    fn set(&mut self, name: &str, value: u32) {
        let at = self.layout.input(name);
        self.input[at] = value;
    }

    fn out(&self, name: &str) -> u32 {
        self.output[self.layout.output(name)]
    }

    fn st(&self, name: &str) -> u32 {
        self.state[self.layout.state(name)]
    }

    fn show(&mut self) {
        self.unit.outputs(&self.input, &mut self.output);
        self.unit.state(&mut self.state);
    }

    fn step(&mut self) {
        self.unit.step(&self.input);
        self.layout.make_idle(&mut self.input);
    }
}

/// Replies of a destination and of switches, for what the source sent; some for what it did not.
struct Network {
    r: Random,
    /// Cycle, reply.
    replies: Vec<(u64, Came)>,
    slow: u64,
}

impl Network {
    fn sent(&mut self, t: u64, kind: Kind, flow: usize, id: u32, seq: u32) {
        let at = t + 1 + self.r.below(self.slow);
        let wait = self.r.below(60) as u32;
        self.replies.push((at, Came { kind, flow, id, seq, wait }));
        if self.r.below(8) == 0 {
            let stale = Came { kind, flow, id: self.r.below(4) as u32, seq: self.r.below(5) as u32, wait };
            self.replies.push((at + self.r.below(20), stale));
        }
    }

    /// The reply of a cycle.
    fn take(&mut self, t: u64) -> Option<Came> {
        let i = self.replies.iter().position(|r| r.0 <= t)?;
        Some(self.replies.remove(i).1)
    }
}

fn number(kind: Kind) -> u32 {
    match kind {
        Kind::Spec | Kind::Grant => 1,
        Kind::Granted | Kind::Ack => 2,
        Kind::Bypass | Kind::Nack => 3,
        Kind::Res => 0,
    }
}

fn show_offer(g: &Golden, offer: Option<&Packet>) -> [[u32; 10]; 2] {
    let names =
        ["inj_kind", "inj_flow", "inj_sl", "inj_lane", "inj_len", "inj_psn", "inj_id", "inj_seq", "inj_n"];
    let mut golden = [0; 10];
    names.iter().zip(&mut golden).for_each(|(name, to)| *to = g.out(name));
    golden[9] = g.out("inj_last");
    let fast = offer.map_or([0; 10], |o| {
        let last = u32::from(o.last);
        [number(o.kind), o.flow as u32, o.sl.into(), o.lane as u32, o.len, o.psn, o.id, o.seq, o.n, last]
    });
    [golden, fast]
}

/// A run: 1 in `idle` cycles has a post.
fn follow(seed: u64, idle: u64) -> u64 {
    let mut r = Random::new(seed);
    let tiny = Build::named(UnitKind::Reservation, Some("tiny")).unwrap().params;
    let p = Params { vls: 4 + r.below(3) as usize, ..tiny };
    let p = Params { blocks: p.srp_blocks(), ..p };
    let mut g = Golden::new(&p);
    let (nmax, nmin) = (1 + r.below(p.nmax as u64) as u32, r.below(4) as u32);
    let ctrl = 1 | (r.below(4) as u32) << 1;
    let registers = [("CTRL", ctrl), ("NMAX_RUN", nmax), ("NMIN", nmin)];
    let sls: Vec<u8> = (0..p.flows).map(|_| r.below(16) as u8).collect();
    let mut writes = Vec::new();
    for _ in 0..p.flows {
        g.show();
        g.step();
    }
    for (name, data) in registers {
        let addr = addr(UnitKind::Reservation, name);
        writes.push(Write::Register { unit: 2, port: 0, addr, data });
        g.set("cfg_we", 1);
        g.set("cfg_addr", addr.into());
        g.set("cfg_data", data);
        g.step();
    }
    for (flow, &sl) in sls.iter().enumerate() {
        g.set("attr_we", 1);
        g.set("attr_flow", flow as u32);
        g.set("attr_sl", sl.into());
        g.step();
    }
    g.show();
    let start = u64::from(g.st("st_now"));
    let mut fast = Engine::new(&p, Regs::new(&p, &writes), sls, start);
    let mut net = Network { r: r.clone(), replies: Vec::new(), slow: [3, 30, 100][r.below(3) as usize] };
    let mut psn = vec![0u32; p.flows];
    // The far end: room on lanes, that of the link, the packet that has not left, the offers that wait.
    let (mut room, mut link, mut leaves) = (0u32, 0u32, 0u64);
    let (mut woken, mut steps) = (true, 0u64);
    for t in start..start + 2500 {
        g.show();
        let what = format!("seed {seed}, cycle {t}");
        let [golden, model] = show_offer(&g, fast.offer.as_ref());
        assert_eq!(golden, model, "{what}: the offer");
        let full: u32 = (0..p.flows.min(32)).map(|f| u32::from(fast.messages.is_full(f)) << f).sum();
        assert_eq!(g.out("gen_full"), full, "{what}: gen_full");
        let bits = |b: &crate::fabric::event::bits::Bits| b.word(0) as u32;
        let table = &fast.table;
        let go = table.go.iter().map(|go| go.word(0) as u32).sum::<u32>();
        assert_eq!(
            [g.st("st_rs"), g.st("st_sp"), g.st("st_go"), g.st("st_wt")],
            [bits(&table.rs), bits(&table.sp), go, bits(&table.wt)],
            "{what}: rs, sp, go, wt"
        );
        if r.below(4) == 0 {
            room = r.below(1 << (p.data_lanes() + 1)) as u32;
            link = room | r.below(1 << p.data_lanes()) as u32;
            woken = true;
        }
        if r.below(idle) == 0 {
            let flow = r.below(p.flows as u64) as usize;
            let (pkts, last) = (1 + r.below(9) as u32, 1 + r.below(p.mtu as u64) as u32);
            if !fast.messages.is_full(flow) {
                for (name, value) in [
                    ("post_valid", 1),
                    ("post_flow", flow as u32),
                    ("post_pkts", pkts),
                    ("post_last", last),
                    ("post_psn", psn[flow]),
                ] {
                    g.set(name, value);
                }
                let message = Message { pkts, last, psn: psn[flow], born: 0, posted: t };
                psn[flow] += pkts;
                fast.post(flow, message, t);
            }
        }
        let came = net.take(t);
        if let Some(came) = came {
            for (name, value) in [
                ("rep_valid", 1),
                ("rep_kind", number(came.kind)),
                ("rep_flow", came.flow as u32),
                ("rep_id", came.id),
                ("rep_seq", came.seq),
                ("rep_wait", came.wait),
            ] {
                g.set(name, value);
            }
        }
        let accepts = r.below(3) == 0;
        g.set("room", room);
        g.set("link_room", link);
        g.set("ungranted", fast.ungranted.into());
        g.set("inj_ready", accepts.into());
        let offered = fast.offer;
        let next = fast.next();
        let mut taken = None;
        if woken || came.is_some() || next <= t || accepts && offered.is_some() || fast.starved() & room != 0
        {
            taken = fast
                .step(t, came, accepts, &mut |lane| match (room >> lane & 1, link >> lane & 1) {
                    (1, _) => Room::Free,
                    (_, 1) => Room::OfLink,
                    _ => Room::None,
                })
                .taken;
            steps += 1;
            // Pointers are those of the next cycle now.
        }
        woken = false;
        if let Some(o) = taken {
            leaves = t + 1 + r.below(9);
            if o.kind == Kind::Spec {
                let kind = [Kind::Ack, Kind::Ack, Kind::Nack][r.below(3) as usize];
                net.sent(t, kind, o.flow, o.id, o.seq);
            }
        } else if fast.ungranted && t >= leaves {
            fast.ungranted = false;
            woken = true;
        }
        if g.out("res_valid") == 1 && r.below(3) == 0 {
            g.set("res_ready", 1);
            net.sent(t, Kind::Grant, g.out("res_flow") as usize, g.out("res_id"), 0);
            fast.res_leaves(t);
            woken = true;
        }
        g.step();
    }
    assert!(fast.counts.grant > 0 || ctrl & 1 == 0 || nmin > 3, "seed {seed}: {:?}", fast.counts);
    steps
}

#[test]
fn the_engine_is_the_golden_unit_in_fewer_steps() {
    let busy: u64 = (0..30).map(|seed| follow(seed, 10)).sum();
    let idle: u64 = (30..60).map(|seed| follow(seed, 200)).sum();
    assert!(idle * 2 < 30 * 2500 && idle < busy, "{idle} and {busy} steps of {}", 30 * 2500);
}
