//! Shared by the tests of the input port: the golden model with a scoreboard around it, invariants of its state, and
//! the strategy that makes whole stimulus sequences which proptest can shrink.

#![cfg_attr(not(feature = "rtl"), allow(dead_code))] // the lockstep tests use the rest

use proptest::prelude::*;

use quell::cosim::source::Source;
use quell::model::{self, Unit};
use quell::params::{Build, Params, UnitKind, builds};
use quell::signals::Layout;
use quell::stimulus::input_port::{Dims, Fault, Op, Packet, RawProp, Script, settle};
use quell::stimulus::scoreboard::Scoreboard;

use crate::extent::is_long;

/// The builds of the input port.
pub fn input_ports() -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == UnitKind::InputPort).collect()
}

/// Those that differ in what a sound port does: the short form leaves out builds with parity.
pub fn different_ports() -> Vec<Build> {
    input_ports().into_iter().filter(|b| is_long() || !b.params.parity).collect()
}

/// The golden model of a build, its word vectors and a scoreboard around it.
pub struct Bench {
    pub unit: Box<dyn Unit>,
    pub board: Scoreboard,
    pub layout: Layout,
    pub out: Vec<u32>,
    pub state: Vec<u32>,
    pub input: Vec<u32>,
}

impl Bench {
    pub fn new(build: &Build) -> Bench {
        let l = Layout::new(build.unit, &build.params);
        Bench {
            unit: model::new(build.unit, &build.params).unwrap(),
            board: Scoreboard::new(&build.params),
            out: vec![0; l.out_words],
            state: vec![0; l.state_words],
            input: l.idle(),
            layout: l,
        }
    }

    /// One cycle; the scoreboard's complaint if there is one.
    pub fn cycle(&mut self, source: &mut dyn Source) -> Result<(), String> {
        self.unit.outputs(&[], &mut self.out);
        self.layout.make_idle(&mut self.input);
        source.drive(&self.out, &mut self.input);
        self.board.cycle(&self.out, &self.input)?;
        self.unit.step(&self.input);
        Ok(())
    }

    pub fn run(&mut self, source: &mut dyn Source, cycles: u64) {
        for _ in 0..cycles {
            self.cycle(source).unwrap();
        }
    }

    /// Words of a state signal.
    pub fn st(&self, name: &str) -> &[u32] {
        let s = self.layout.signals.iter().find(|s| s.name == name).unwrap();
        &self.state[s.offset..s.offset + s.count * s.stride()]
    }

    /// How often a cover point was hit.
    pub fn hits(&self, name: &str) -> u64 {
        let i = self.unit.cover_points().iter().position(|p| p.name == name);
        self.unit.cover()[i.unwrap_or_else(|| panic!("no cover point {name}"))]
    }

    /// What must hold in every state, whatever the stimulus.
    pub fn invariants(&mut self, p: &Params) -> Result<(), String> {
        self.unit.state(&mut self.state);
        let at = |name| self.layout.state(name);
        let (state, st) = (&self.state, |base: usize, i: usize| self.state[base + i]);
        let (lines, outs, vls, queues) =
            (at("st_line_state"), at("st_line_out"), at("st_line_vl"), at("st_line_queue"));
        let (dcnt, dlist) = (at("st_line_dcnt"), at("st_line_dlist"));
        for v in 0..p.vls {
            if st(at("st_used"), v) as usize > p.cap(v) {
                return Err(format!("B1: VL {v} uses more than it owns"));
            }
        }
        let list = |k: usize| {
            let from = dlist + k * p.dlist;
            &state[from..from + (st(dcnt, k) as usize).min(p.dlist)]
        };
        for k in 0..p.lines {
            if st(dcnt, k) as usize > p.dlist {
                return Err(format!("E1: line {k} lists more than it has room for"));
            }
            for j in 0..k {
                let (a, b) = (st(lines, j), st(lines, k));
                if a == 0 || b == 0 {
                    continue;
                }
                if st(queues, j) == st(queues, k) {
                    return Err(format!("E3: lines {j} and {k} have one queue"));
                }
                let same = st(outs, j) == st(outs, k) && st(vls, j) == st(vls, k) && a != 1 && b != 1;
                if same && list(j).iter().any(|d| list(k).contains(d)) {
                    return Err(format!("E9: lines {j} and {k} list one destination"));
                }
            }
        }
        Ok(())
    }
}

fn fault(mtu: usize) -> impl Strategy<Value = Fault> {
    let at = 0..mtu as u8;
    prop_oneof![
        12 => Just(Fault::None),
        1 => Just(Fault::NoCredit),
        1 => Just(Fault::MissingFirst),
        1 => at.clone().prop_map(Fault::Cut),
        1 => at.clone().prop_map(Fault::Early),
        1 => (1..3u8).prop_map(Fault::Late),
        1 => at.clone().prop_map(Fault::Bad),
        1 => at.clone().prop_map(Fault::BadOpen),
        1 => at.clone().prop_map(Fault::Lost),
        1 => (at, 1..40u16).prop_map(|(at, n)| Fault::Stall(at, n)),
        1 => (1..4u8).prop_map(Fault::Junk),
    ]
}

fn packet(d: Dims) -> impl Strategy<Value = Packet> {
    let vls = prop_oneof![15 => 0..d.vls as u8, 1 => 0..16u8];
    let dlid = prop_oneof![15 => 0..3 * d.ports as u16, 1 => any::<u16>()];
    let words = prop_oneof![8 => 1..=16 * d.mtu.min(4) as u16, 2 => 1..=16 * d.mtu as u16, 1 => 0..2048u16];
    (dlid, vls, words, prop::bool::weighted(0.1), fault(d.mtu)).prop_map(|(dlid, vl, words, cnp, fault)| {
        let kind = if cnp { Packet::cnp(dlid) } else { Packet::data(dlid, 1) };
        Packet { vl, words, fault, ..kind }
    })
}

/// One operation. Indices are small, so that things meet.
fn op(d: Dims) -> impl Strategy<Value = Op> {
    let out = 0..d.ports.min(3);
    let some_out = prop::option::of(out.clone());
    let line = 0..d.lines.min(3);
    let chance = prop_oneof![Just(0u32), Just(0x4000_0000), Just(u32::MAX)];
    let allow = prop_oneof![Just(1u32), Just(2), Just(u32::MAX)];
    let dlids = prop::collection::vec(0..3usize, 1..=d.dlist.min(3));
    // a tree lists destinations behind its output
    let alloc = (out.clone(), line.clone(), 0..d.vls, dlids).prop_map(move |(o, k, v, js)| {
        Op::Alloc(o, k, v, js.into_iter().map(|j| (o + j * d.ports) as u16).collect())
    });
    let register = prop_oneof![
        (11..15u8, 0..12u32),
        (Just(0u8), 0..4u32),
        (1..3u8, 0..8u32),
        (Just(3u8), prop_oneof![Just(0u32), 16..32u32]),
        (4..6u8, 0..4u32),
        (6..9u8, 0..24u32),
        (9..11u8, any::<u32>()),
    ];
    let raw = (out.clone(), 0..d.vls as u8, line.clone(), 0..64u8, 0..0x100_0000u32)
        .prop_map(|(out, vl, line, hops, root)| RawProp { out, vl, line: line as u8, hops, root });
    prop_oneof![
        16 => packet(d).prop_map(Op::Send),
        10 => (0..24u32).prop_map(Op::Wait),
        6 => (some_out.clone(), chance.clone(), allow).prop_map(|(o, c, n)| Op::Serve(o, c, n)),
        2 => (some_out.clone(), 0..4u32).prop_map(|(o, n)| Op::Pace(o, n)),
        1 => (some_out, chance.clone()).prop_map(|(o, c)| Op::Read(o, c)),
        1 => (chance.clone(), any::<bool>()).prop_map(|(c, strict)| Op::Tell(c, strict)),
        14 => alloc,
        6 => (out.clone(), line.clone()).prop_map(|(o, k)| Op::Dealloc(o, k)),
        4 => (out.clone(), line, any::<bool>()).prop_map(|(o, k, stop)| Op::Stop(o, k, stop)),
        4 => raw.prop_map(Op::Prop),
        2 => (out, 0..d.vls).prop_map(|(o, v)| Op::Grant(o, v)),
        4 => register.prop_map(|(addr, data)| Op::Cfg(addr, data)),
        1 => (0..3 * d.ports as u16, 0..d.ports as u8 + 1).prop_map(|(dlid, port)| Op::Lft(dlid, port)),
        1 => (1..5u32).prop_map(Op::LinkPace),
        1 => chance.clone().prop_map(|c| Op::LinkGap(c / 2)),
        1 => (chance.clone(), chance).prop_map(|(a, b)| Op::Lose(a / 2, b / 2)),
        1 => (0..10u32).prop_map(Op::FctbsEvery),
        1 => any::<u16>().prop_map(Op::FctbsError),
        1 => (0..16u8).prop_map(Op::FctbsVl),
    ]
}

/// Whole stimulus sequences; they shrink to fewer and simpler operations.
pub fn sequences(p: &Params) -> impl Strategy<Value = Vec<Op>> + use<> {
    prop::collection::vec(op(Dims::new(p)), 1..160)
}

/// The script of a sequence: routes and lively registers, the sequence, and everything let out at the end. The second value
/// is the number of cycles after which it is over in any case.
pub fn sequence_script(p: &Params, ops: &[Op]) -> (Script, u64) {
    let mut first: Vec<Op> =
        (0..(3 * p.ports).min(p.lft_depth - 1)).map(|i| Op::Lft(i as u16, (i % p.ports) as u8)).collect();
    let values = [1, 3, 2, 0, 1, 1, 30, 8, 0, 5, 0, 0, 0, 2, 1];
    first.extend(values.iter().enumerate().map(|(a, &x)| Op::Cfg(a as u8, x)));
    first.push(Op::Wait(3 * p.ports as u32 + 2));
    let mut all = ops.to_vec();
    // stops that cannot be served would hold the end up
    all.push(Op::LinkGap(0));
    all.push(Op::Send(Packet { fault: Fault::NoCredit, ..Packet::data(0, 1) }));
    all.extend(settle(p.ports, p.lines));
    (Script::new(p, first, all, false, 1), 60_000)
}
