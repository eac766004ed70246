//! What is charged, what of it is shown, and what upstream is told: the parts of the input port's scoreboard, each alone.

use super::charges::Charges;
use super::fills::Fills;
use super::settings;
use super::trees::{Told, Trees};
use crate::cosim::events::arrivals::{Arrivals, Came, Flit};
use crate::cosim::events::control::{ALLOC, DEALLOC, Message, STOP};
use crate::cosim::events::scoreboard::{Broken, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};

const GO: u32 = 3;

// Registers.
const CTRL: u32 = 0;
const HTH: u32 = 1;
const LTH: u32 = 2;
const WEIGHT: u32 = 3;
const TIMER: u32 = 7;
const REFRESH: u32 = 8;
const ID: u32 = 9;

// Opcodes.
const DATA: u32 = 4;
const ACK: u32 = 0x11;
const CNP: u32 = 0x80;

/// Three outputs, two VLs.
fn params() -> Params {
    Build::named(UnitKind::InputPort, Some("tiny")).unwrap().params
}

/// Packets inside; DLID 1 goes to output 1, and so on, and DLID 3 goes there, too.
struct Inside {
    arrivals: Arrivals,
    charges: Charges,
    now: u64,
}

impl Inside {
    fn new() -> Inside {
        let p = params();
        let settings = Settings::new(settings(&p).unwrap());
        let mut arrivals = Arrivals::new(String::new(), &p, &settings, 0);
        (0..4).for_each(|dlid| arrivals.writes(None, Some((dlid, [0, 1, 2, 1][dlid as usize])), 0));
        // Until then who sends may not have heard of credits.
        let now = settings.get("credit");
        (0..2).for_each(|v| arrivals.message(Some((v, 12)), now).unwrap());
        Inside { arrivals, charges: Charges::new(&p, 4), now: now + 10 }
    }

    /// `come` flits of a packet of `n`.
    fn come(&mut self, dlid: u32, vl: u32, n: u32, come: u32, opcode: u32) -> usize {
        for r in 0..come {
            let words = 16 * n;
            let head =
                [vl << 4 | 2 << 8 | dlid << 24, (words & 0xff) << 8 | words >> 8, opcode, 0, 0, 0, 0, 0];
            let (first, last, data) = (r == 0, r + 1 == n, if r == 0 { head } else { [r; 8] });
            let flit = Flit { first, last, bad: false, data: &data };
            self.arrivals.receive(&Came { link_up: true, flit: Some(flit), fctbs: None }, self.now);
            self.arrivals.writes(None, None, self.now);
            self.now += 1;
        }
        *self.arrivals.packets.waiting.back().unwrap()
    }

    /// Of an output and VL after some cycles: least, most, and whether a packet waits for sure.
    fn look(
        &mut self,
        after: u64,
        hot: bool,
        leaving: &[Option<usize>],
        o: usize,
        vl: usize,
    ) -> (u32, u32, bool) {
        self.charges.look(&self.arrivals, hot, leaving, &[vec![], vec![], vec![]], self.now + after);
        let q = 2 * o + vl;
        (self.charges.least[q], self.charges.most[q], self.charges.waits[q])
    }
}

#[test]
fn what_is_inside_is_charged_where_it_must_and_where_it_may_be() {
    let mut i = Inside::new();
    let id = i.come(1, 0, 3, 3, DATA);
    assert_eq!(i.look(0, false, &[], 1, 0), (0, 3, true), "it has just come");
    assert_eq!(i.look(9, false, &[], 1, 0), (3, 3, true));
    assert_eq!(i.look(9, false, &[], 1, 1), (0, 0, false));
    assert_eq!(i.look(9, false, &[], 2, 0), (0, 0, false));
    assert_eq!(i.look(9, true, &[], 1, 0), (0, 3, true), "it may be in a hot queue");
    i.charges.look(&i.arrivals, false, &[], &[vec![], vec![(0, 3)], vec![]], i.now + 9);
    assert_eq!((i.charges.least[2], i.charges.most[2]), (0, 3), "it is granted");
    i.arrivals.begin(1, id, &[]);
    assert_eq!(i.look(9, false, &[None, Some(id), None], 1, 0), (0, 3, false), "it leaves");
    assert_eq!(i.look(9, false, &[None, None, None], 1, 0), (0, 0, false), "it has left");
    // Its route was just written: it may go here or there.
    let mut i = Inside::new();
    i.come(1, 1, 2, 2, DATA);
    i.arrivals.writes(None, Some((1, 2)), i.now);
    assert_eq!(i.look(9, false, &[], 1, 1), (0, 2, false));
    assert_eq!(i.look(9, false, &[], 2, 1), (0, 2, false));
    // It still comes, and does not wait.
    let mut i = Inside::new();
    i.come(1, 0, 4, 2, DATA);
    assert_eq!(i.look(9, false, &[], 1, 0), (4, 4, false));
}

#[test]
fn data_count_for_stop_and_go_by_destination() {
    let mut i = Inside::new();
    i.come(1, 0, 3, 3, DATA);
    i.come(2, 0, 2, 2, DATA);
    i.come(1, 1, 1, 1, DATA);
    i.look(9, true, &[], 1, 0);
    let of = |i: &Inside, vl, list: &[u16]| i.charges.reach(vl, list);
    assert_eq!([of(&i, 0, &[1]), of(&i, 0, &[2]), of(&i, 0, &[1, 2]), of(&i, 1, &[1])], [3, 2, 5, 1]);
    assert_eq!([of(&i, 0, &[]), of(&i, 0, &[0]), of(&i, 1, &[9999])], [0, 0, 0]);
    i.come(1, 0, 1, 1, ACK);
    i.come(1, 0, 1, 1, CNP);
    assert_eq!(i.look(9, true, &[], 1, 0), (1, 5, true), "a CNP is in no hot queue");
    assert_eq!(of(&i, 0, &[1]), 3, "neither of them is held back");
    // And no longer when they are gone.
    let ids: Vec<usize> = i.arrivals.packets.waiting.iter().copied().collect();
    ids.iter().for_each(|id| i.arrivals.begin(1, *id, &[]));
    i.look(9, true, &[], 1, 0);
    assert_eq!([of(&i, 0, &[1, 2]), of(&i, 1, &[1])], [0, 0]);
}

/// The queue of output 0 and VL 0, all others are empty.
struct Shown {
    fills: Fills,
    charges: Charges,
}

impl Shown {
    /// A tolerance of two cycles; thresholds 4 and 2.
    fn new() -> Shown {
        let p = params();
        let mut fills = Fills::new(&p, 2);
        fills.write(HTH, 4);
        fills.write(LTH, 2);
        Shown { fills, charges: Charges::new(&p, 2) }
    }

    /// It was above the threshold, and is congested.
    fn congested() -> Shown {
        let mut s = Shown::new();
        s.cycles(20, [5, 5], 5, 1).unwrap();
        s
    }

    fn cycles(&mut self, n: u32, is: [u32; 2], fill: u32, cong: u32) -> Result<(), Broken> {
        (self.charges.least[0], self.charges.most[0]) = (is[0], is[1]);
        let of = |value: u32| [value, 0, 0, 0, 0, 0];
        (0..n).try_for_each(|_| self.fills.cycle(&self.charges, &of(fill), &of(cong)))
    }
}

#[test]
fn a_fill_is_what_is_there() {
    let mut s = Shown::new();
    s.cycles(20, [2, 4], 3, 0).unwrap();
    s.cycles(20, [2, 4], 2, 0).unwrap();
    s.cycles(20, [2, 4], 4, 0).unwrap();
    assert_eq!(kind(s.cycles(1, [2, 4], 5, 0)), "fill");
    assert_eq!(kind(s.cycles(1, [2, 4], 1, 0)), "fill");
    // What has left may be shown for two cycles more; what comes may be shown at once.
    let mut s = Shown::new();
    s.cycles(20, [3, 3], 3, 0).unwrap();
    s.cycles(2, [0, 0], 3, 0).unwrap();
    assert_eq!(kind(s.cycles(1, [0, 0], 3, 0)), "fill");
    let mut s = Shown::new();
    s.cycles(20, [1, 1], 1, 0).unwrap();
    s.fills.came(1, 0, 2);
    s.cycles(3, [0, 1], 3, 0).unwrap();
    assert_eq!(kind(s.cycles(1, [0, 1], 3, 0)), "fill");
    // Of a design that never shows one nothing is said.
    Shown::new().cycles(50, [3, 3], 0, 0).unwrap();
}

#[test]
fn a_congestion_bit_is_what_fill_and_thresholds_make_it() {
    let told = |fill: u32, cong: u32| Shown::congested().cycles(20, [0, 12], fill, cong);
    // Between the thresholds it stays; above the high one it is set, below the low one it is not.
    assert!([told(5, 1), told(4, 1), told(2, 1), told(1, 0)].iter().all(Result::is_ok));
    assert_eq!([told(5, 0), told(2, 0), told(1, 1)].map(kind), ["congested"; 3]);
    // It does not rise at the threshold.
    let mut s = Shown::congested();
    s.cycles(20, [0, 12], 1, 0).unwrap();
    s.cycles(20, [0, 12], 4, 0).unwrap();
    assert_eq!(kind(s.cycles(20, [0, 12], 4, 1)), "congested");
    let mut s = Shown::congested();
    s.cycles(20, [0, 12], 1, 0).unwrap();
    s.cycles(20, [0, 12], 5, 1).unwrap();
    assert!(s.fills.judged > 20);
}

#[test]
fn congestion_bits_follow_weights_and_the_charge_at_the_grant() {
    // Weight 0: never. Weight 15: above 1/16 of the buffer of 12 flits, which is 0.
    for (weight, cong, ok) in [(0x10, 1, false), (0x10, 0, true), (0x1f, 0, false), (0x1f, 1, true)] {
        let mut s = Shown::congested();
        s.fills.write(WEIGHT, weight);
        assert_eq!(s.cycles(30, [0, 12], 5, cong).is_ok(), ok, "weight {weight:#x}, {cong}");
    }
    // Of 5 flits a packet of up to 4 may be granted in that cycle, and does not count then.
    let mut s = Shown::congested();
    s.fills.write(CTRL, 8);
    s.cycles(30, [0, 12], 5, 0).unwrap();
    let mut s = Shown::congested();
    s.fills.write(CTRL, 8);
    assert_eq!(kind(s.cycles(30, [0, 12], 9, 0)), "congested");
}

/// Lines of a port with 5 flits to DLID 1 on VL 0, 3 to another one of its output, or none; tolerances 4 and 2 cycles.
struct Lines {
    trees: Trees,
    charges: Charges,
    full: Charges,
    others: Charges,
    cong: [u32; 6],
    fill: [u32; 6],
    up: bool,
    now: u64,
}

impl Lines {
    /// Isolation is on, HTH is 4; data came to DLID 1, and another queue was congested and not empty once.
    fn new() -> Lines {
        let charges = |packets: &[(u32, u32)]| {
            let mut i = Inside::new();
            packets.iter().for_each(|&(dlid, n)| _ = i.come(dlid, 0, n, n, DATA));
            i.look(9, true, &[], 1, 0);
            i.charges
        };
        let [none, full, others] = [&[][..], &[(1, 3), (1, 2)], &[(3, 3)]].map(charges);
        let trees = Trees::new(&params(), 4, 2);
        let mut t =
            Lines { trees, charges: none, full, others, cong: [0; 6], fill: [0; 6], up: true, now: 0 };
        (t.cong[5], t.fill[5]) = (1, 1);
        for (register, value) in [(CTRL, 1), (HTH, 4), (LTH, 4), (ID, 7)] {
            t.trees.write(register, value, 0);
        }
        t.cycles(30).unwrap();
        t
    }

    fn fills(&mut self) -> &mut Lines {
        self.charges = self.full.clone();
        self.fill[2] = 5;
        self.trees.came(2, 0, 1, self.now);
        self
    }

    fn empties(&mut self) -> &mut Lines {
        self.charges = Charges::new(&params(), 4);
        (self.fill[2], self.cong[2]) = (0, 0);
        self
    }

    fn step(&mut self, message: Option<(Message, u32)>) -> Result<(), Broken> {
        self.trees.queues(&self.charges, &self.cong, &self.fill, self.now);
        let result = self.trees.cycle(message, &self.charges, self.now);
        self.trees.inputs(self.up, &[0; 3], self.now);
        self.now += 1;
        result
    }

    fn cycles(&mut self, n: u32) -> Result<(), Broken> {
        (0..n).try_for_each(|_| self.step(None))
    }

    /// A message of the line of the root at output 1, which is hop 1.
    fn root(&mut self, line: usize, kind: u32) -> Result<(), Broken> {
        let list = if kind == ALLOC { vec![1] } else { vec![] };
        self.step(Some((Message { kind, stop: false, line, vl: 0, root: 7 << 8 | 1, list }, 1)))
    }

    /// A message of a tree that the output proposed.
    fn tree(&mut self, kind: u32, stop: bool, list: &[u16]) -> Result<(), Broken> {
        self.step(Some((Message { kind, stop, line: 0, vl: 0, root: 0x123, list: list.to_vec() }, 3)))
    }

    fn proposes(&mut self, dlid: u16) {
        self.trees.propose(Told { o: 1, vl: 0, hops: 3, root: 0x123, dlid: Some(dlid) }, self.now);
    }

    /// A root is announced.
    fn with_root() -> Lines {
        let mut t = Lines::new();
        t.fills().cong[2] = 1;
        t.cycles(9).unwrap();
        t.root(0, ALLOC).unwrap();
        t.cycles(9).unwrap();
        t
    }

    /// A tree is announced.
    fn with_tree() -> Lines {
        let mut t = Lines::new();
        t.fills().proposes(1);
        t.cycles(9).unwrap();
        t.tree(ALLOC, false, &[1]).unwrap();
        t.cycles(9).unwrap();
        t
    }
}

#[test]
fn messages_of_a_line_follow_each_other() {
    let mut t = Lines::with_tree();
    t.tree(STOP, true, &[]).unwrap();
    t.tree(GO, false, &[]).unwrap();
    t.cycles(9).unwrap();
    t.tree(STOP, true, &[]).unwrap();
    t.empties().cycles(2).unwrap();
    t.tree(GO, false, &[]).unwrap();
    t.tree(DEALLOC, false, &[]).unwrap();
    assert_eq!(t.trees.judged, 6);
    assert_eq!(t.trees.stops, 2);
    t.cycles(50).unwrap();
    // And in no other way.
    for kinds in [&[STOP, STOP][..], &[GO], &[DEALLOC, GO], &[ALLOC], &[DEALLOC, DEALLOC]] {
        let mut t = Lines::with_tree();
        for (i, kind) in kinds.iter().enumerate() {
            let list: &[u16] = if *kind == ALLOC { &[1] } else { &[] };
            assert_eq!(t.tree(*kind, *kind == STOP, list).is_ok(), i + 1 < kinds.len(), "{kinds:?}, {i}");
        }
    }
}

#[test]
fn a_list_has_what_was_proposed_and_only_grows() {
    let mut t = Lines::with_tree();
    t.proposes(2);
    t.trees.came(2, 0, 2, t.now);
    t.tree(ALLOC, false, &[1, 2]).unwrap();
    let wrong: [(&[u16], &str); 4] = [(&[1, 0], "E1 E3"), (&[2, 1], "E2"), (&[1, 1], "E2"), (&[], "E2")];
    for (list, rules) in wrong {
        let mut t = Lines::with_tree();
        t.proposes(2);
        assert_eq!(t.tree(ALLOC, false, list).unwrap_err().rules, rules, "{list:?}");
    }
    // What was proposed to a line that has ended since is not on the list of the next one.
    let mut t = Lines::with_tree();
    t.proposes(2);
    t.cycles(20).unwrap();
    t.tree(DEALLOC, false, &[]).unwrap();
    t.cycles(30).unwrap();
    t.proposes(1);
    assert_eq!(t.tree(ALLOC, false, &[1, 2]).unwrap_err().rules, "E1 E3");
}

#[test]
fn a_tree_is_announced_with_isolation_and_when_enough_is_there() {
    let mut t = Lines::new();
    t.trees.write(CTRL, 0, t.now);
    t.cycles(9).unwrap();
    t.fills().proposes(1);
    t.cycles(9).unwrap();
    assert_eq!(t.tree(ALLOC, false, &[1]).unwrap_err().rules, "E1");
    // HTH is 4, and five flits are there; with 5 that is not enough.
    let mut t = Lines::new();
    t.trees.write(HTH, 5, t.now);
    t.cycles(50).unwrap();
    t.fills().proposes(1);
    t.cycles(9).unwrap();
    assert_eq!(t.tree(ALLOC, false, &[1]).unwrap_err().rules, "E5");
    // Nor is it for a stop.
    let mut t = Lines::with_tree();
    t.trees.write(HTH, 5, t.now);
    t.cycles(30).unwrap();
    t.tree(STOP, true, &[]).unwrap();
    t.tree(GO, false, &[]).unwrap();
    t.cycles(30).unwrap();
    assert_eq!(t.tree(STOP, true, &[]).unwrap_err().rules, "E5");
}

#[test]
fn go_and_the_end_are_owed() {
    let mut t = Lines::with_tree();
    t.tree(STOP, true, &[]).unwrap();
    t.charges = t.others.clone();
    let told = (0..9).find_map(|_| t.step(None).err());
    assert_eq!(told.unwrap().rules, "E5");
    let mut t = Lines::with_tree();
    t.empties();
    let told = (0..20).find_map(|_| t.step(None).err());
    assert_eq!(told.unwrap().rules, "E6");
}

#[test]
fn a_link_that_falls_forgets_all_lines() {
    let mut t = Lines::with_tree();
    t.up = false;
    t.cycles(20).unwrap();
    assert_eq!(t.tree(ALLOC, false, &[1]).unwrap_err().rules, "E2 F1");
    t.up = true;
    t.cycles(20).unwrap();
    t.tree(ALLOC, true, &[1]).unwrap();
    assert_eq!(kind(t.tree(STOP, true, &[])), "tree");
    // Nothing but its announcement tells that it is there.
    let mut t = Lines::with_tree();
    t.up = false;
    t.cycles(20).unwrap();
    t.up = true;
    t.cycles(20).unwrap();
    assert_eq!(t.tree(DEALLOC, false, &[]).unwrap_err().rules, "E2");
}

#[test]
fn a_root_is_of_a_congested_queue_and_the_only_one_there() {
    let mut t = Lines::with_root();
    assert_eq!(t.root(1, ALLOC).unwrap_err().rules, "E1");
    // Its queue shows that it is congested within two cycles.
    let late = |shows: u32| {
        let mut t = Lines::new();
        t.fills().cycles(9).unwrap();
        t.root(0, ALLOC).unwrap();
        t.cycles(shows)?;
        t.cong[2] = 1;
        t.cycles(9)
    };
    assert_eq!(late(1), Ok(()));
    assert_eq!(late(3).unwrap_err().rules, "E1");
    // It has the id of the switch, of the time when it began.
    let mut t = Lines::new();
    t.trees.write(ID, 8, t.now);
    t.cycles(50).unwrap();
    t.fills().cong[2] = 1;
    t.cycles(9).unwrap();
    assert_eq!(t.root(0, ALLOC).unwrap_err().rules, "E1 E3");
}

#[test]
fn a_root_lives_as_long_as_its_queue_is_congested_and_line_timer_says() {
    let calm = |timer: u32| {
        let mut t = Lines::with_root();
        t.trees.write(TIMER, timer, t.now);
        t.cycles(9).unwrap();
        t.cong[2] = 0;
        t
    };
    let mut t = calm(20);
    t.cycles(22).unwrap();
    t.root(0, DEALLOC).unwrap();
    t.cycles(20).unwrap();
    let mut t = calm(20);
    let told = (0..40).find_map(|_| t.step(None).err());
    assert_eq!(told.unwrap().rules, "E8");
    // Too early, but for a queue that shows that it is empty.
    let ends = |shows: u32| {
        let mut t = calm(60);
        t.cycles(9).unwrap();
        t.root(0, DEALLOC).unwrap();
        t.cycles(shows)?;
        t.empties().cycles(9)
    };
    assert_eq!(ends(1), Ok(()));
    assert_eq!(ends(3).unwrap_err().rules, "E6 E8");
    // Its time was over when it was congested again, two cycles ago at most.
    let again = |ago: u32| {
        let mut t = calm(20);
        t.cycles(22).unwrap();
        t.cong[2] = 1;
        t.cycles(ago).unwrap();
        t.root(0, DEALLOC).unwrap();
        t.cycles(9)
    };
    assert_eq!(again(2), Ok(()));
    assert_eq!(again(4).unwrap_err().rules, "E6 E8");
}

#[test]
fn a_root_is_refreshed() {
    let mut t = Lines::with_root();
    t.trees.write(REFRESH, 20, t.now);
    t.cycles(9).unwrap();
    t.root(0, ALLOC).unwrap();
    t.cycles(20).unwrap();
    t.root(0, ALLOC).unwrap();
    let told = (0..40).find_map(|_| t.step(None).err());
    assert_eq!(told.unwrap().rules, "E8");
    // Without REFRESH it is not.
    let mut t = Lines::with_root();
    t.cycles(100).unwrap();
    assert_eq!(t.root(0, ALLOC).unwrap_err().rules, "E2 E8");
}

#[test]
fn a_root_that_keeps_its_packets_in_the_cold_queue_stops_nobody() {
    // It may have a hot queue if root_hpq was on when it began, and not because that was on before.
    for (before, then, stops) in [(1, 1, false), (1, 0x11, true), (0x11, 0x11, true), (0x11, 1, false)] {
        let mut t = Lines::new();
        t.trees.write(CTRL, before, t.now);
        t.fills().cong[2] = 1;
        t.cycles(9).unwrap();
        t.root(0, ALLOC).unwrap();
        t.trees.write(CTRL, then, t.now);
        t.cycles(30).unwrap();
        // The line ends, and another one is announced in its place.
        t.fill[2] = 0;
        t.root(0, DEALLOC).unwrap();
        t.fill[2] = 5;
        t.root(0, ALLOC).unwrap();
        t.cycles(9).unwrap();
        assert_eq!(t.root(0, STOP).is_ok(), stops, "{before:#x} {then:#x}");
    }
}
