//! Tests by section of `docs/worm-router.md`, properties, random words.

mod admission;
mod allocation;
mod arrival;
mod crossbar;
mod guard;
mod lanes;
mod links;
mod order;
mod random;
mod registers;

use crate::model::bench::Bench;
use crate::params::{Build, Params, UnitKind};

const LHP: u32 = 3;
const BE_MASK: u32 = 5;
const LFSR_SEED: u32 = 8;
const ERR_CLEAR: u32 = 10;
const WEIGHT_IN: u32 = 32;
const WEIGHT_OUT: u32 = 48;
const CNT_FLITS: u32 = 128;
const CNT_MSGS: u32 = 129;
const CNT_DROP: u32 = 130;

const BAD_VL: u32 = 1;
const NO_ROUTE: u32 = 2;
const OVERFLOW: u32 = 4;
const FRAMING: u32 = 8;
const CREDIT: u32 = 64;
const LINK_DOWN: u32 = 128;

fn params(name: &str) -> Params {
    Build::named(UnitKind::WormRouter, Some(name)).unwrap().params
}

/// A router with its lanes' numbers at hand.
struct Router {
    b: Bench,
    p: Params,
    /// The number that the next flit has in its data.
    next: u32,
}

/// What a flit is of its message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Header,
    Body,
    Tail,
    /// Both ends.
    Whole,
}
use Part::{Body, Header, Tail, Whole};

impl Router {
    /// One that is ready. DLID d leads to output d.
    fn new(name: &str) -> Router {
        Router::with(&params(name))
    }

    fn with(p: &Params) -> Router {
        let mut r = Router { b: Bench::new(UnitKind::WormRouter, p), p: *p, next: 1 };
        r.b.idle(p.lft_depth);
        assert_eq!(r.b.get("ready", 0), 0);
        for port in 0..p.ports as u32 {
            r.table(port, port);
        }
        r
    }

    /// The lane of control; that of reply is below.
    fn control(&self) -> usize {
        self.p.vls - 1
    }

    fn reply(&self) -> usize {
        self.p.vls - 2
    }

    /// Port and lane as one number.
    fn at(&self, port: usize, lane: usize) -> usize {
        port * self.p.vls + lane
    }

    fn table(&mut self, dlid: u32, port: u32) {
        self.b.set("lft_we", 0, 1).set("lft_addr", 0, dlid).set("lft_port", 0, port).cycle();
    }

    fn write(&mut self, port: u32, addr: u32, data: u32) {
        self.b.set("cfg_port", 0, port).config(addr, data);
    }

    /// A flit in the coming cycle.
    fn flit(&mut self, port: usize, lane: usize, part: Part, dlid: u32) {
        let header = (dlid >> 8 & 0xff) << 16 | (dlid & 0xff) << 24;
        let words = [header, self.next, port as u32, lane as u32];
        self.next += 1;
        self.b.set_element("rx_data", port, &words);
        self.b.set("rx_valid", port, 1).set("rx_vl", port, lane as u32);
        self.b.set("rx_first", port, u32::from(part == Header || part == Whole));
        self.b.set("rx_last", port, u32::from(part == Tail || part == Whole));
    }

    /// A message of `flits` flits, one a cycle; other inputs are idle.
    fn message(&mut self, port: usize, lane: usize, flits: usize, dlid: u32) {
        for n in 0..flits {
            self.flit(port, lane, part(n, flits), dlid);
            self.b.cycle();
        }
    }

    /// A cycle without input.
    fn cycle(&mut self) {
        self.b.cycle();
    }

    /// A cycle with a credit pulse for every lane of an output with fewer than DEPTH.
    fn give(&mut self) {
        for port in 0..self.p.ports {
            self.pay(port);
        }
        self.b.cycle();
    }

    /// In the coming cycle, all credits that this output lacks, one a lane.
    fn pay(&mut self, port: usize) {
        for lane in 0..self.p.vls {
            let at = self.at(port, lane);
            // (What is read here is of the cycle before: one flit more may have gone.)
            if self.b.get("st_cr", at) < self.p.depth as u32 {
                self.b.set("rx_credit", at, 1);
            }
        }
    }

    fn idle(&mut self, cycles: usize) {
        self.b.idle(cycles);
    }

    fn get(&self, name: &str, i: usize) -> u32 {
        self.b.get(name, i)
    }

    /// The value of a lane.
    fn lane(&self, name: &str, port: usize, lane: usize) -> u32 {
        self.b.get(name, self.at(port, lane))
    }

    /// What is on a link: lane, first, last, bad, number.
    fn sent(&self, port: usize) -> Option<[u32; 5]> {
        let of = |name| self.get(name, port);
        let number = self.b.get_element("tx_data", port)[1];
        (of("tx_valid") == 1).then(|| [of("tx_vl"), of("tx_first"), of("tx_last"), of("tx_bad"), number])
    }

    /// The lane that a lane of an input owns.
    fn owns(&self, port: usize, lane: usize) -> Option<(u32, u32)> {
        let own = self.lane("st_own", port, lane) == 1;
        let place = (self.lane("st_own_out", port, lane), self.lane("st_own_vl", port, lane));
        assert!(own || place == (0, 0));
        own.then_some(place)
    }

    fn errors(&self, port: usize) -> u32 {
        self.get("err", port)
    }
}

/// Which part flit `n` of a message is.
fn part(n: usize, flits: usize) -> Part {
    match (n == 0, n + 1 == flits) {
        (true, true) => Whole,
        (true, false) => Header,
        (false, true) => Tail,
        (false, false) => Body,
    }
}
