//! Section 8, rule by rule.

mod decision;
mod ends;
mod lost;
mod replies;
mod weights;

use super::*;

const CTRL: u32 = 0;
const LIMIT: u32 = 1;
const WSHIFT: u32 = 2;
const NODE_ID: u32 = 6;
const NEXT: u32 = 7;

const BAD_RELEASE: u32 = 16;
const ADM_LOST: u32 = 32;

const HOST: u32 = 1 << 16;

const PROBE: u32 = 1;
const ACK: u32 = 2;
const NACK: u32 = 3;
const RELEASE: u32 = 4;

/// What a header says.
#[derive(Clone, Copy, Debug)]
struct Head {
    kind: u32,
    last: bool,
    /// The LRH's VL.
    vl: usize,
    dlid: u32,
    slid: u32,
    bw: u32,
    node: u32,
}

impl Head {
    fn words(&self) -> [u32; 4] {
        let pair = |n: u32, at: u32| (n >> 8 & 0xff) << at | (n & 0xff) << (at + 8);
        [
            (self.vl as u32) << 4 | 0x0b | 0x5a00 | pair(self.dlid, 16),
            0xe9 | 0x7700 | pair(self.slid, 16),
            self.kind | u32::from(self.last) << 8 | 0xc0d1 << 16,
            pair(self.bw, 0) | pair(self.node, 16),
        ]
    }
}

/// A probe of a stream on lane 1 from DLID 0 to DLID 3.
const ASKS: Head = Head { kind: PROBE, last: false, vl: 1, dlid: 3, slid: 0, bw: 100, node: 0 };

/// The router's own number.
const OWN: u32 = 0xfff0;

/// Its release, its last message.
const GIVES: Head = Head { kind: RELEASE, ..ASKS };
const LAST: Head = Head { kind: 0, last: true, ..ASKS };

impl Router {
    /// One with admission on.
    fn admitting(name: &str) -> Router {
        let mut r = Router::new(name);
        r.write(0, CTRL, 1);
        r.write(0, NODE_ID, OWN);
        r
    }

    /// The flit of a message in the coming cycle; its header says this.
    fn say(&mut self, port: usize, lane: usize, part: Part, head: Head) {
        self.flit(port, lane, part, head.dlid);
        if matches!(part, Header | Whole) {
            self.b.set_element("rx_data", port, &head.words());
        }
    }

    /// A control message of one flit, that has been decided if nothing else is.
    fn tell(&mut self, port: usize, head: Head) {
        self.say(port, self.control(), Whole, head);
        self.idle(4);
    }

    /// What is booked for lane `v`: of the output, of its lane, of that of the input.
    fn booked(&self, input: usize, output: usize, v: usize) -> (u32, u32, u32) {
        (self.get("st_used", output), self.lane("st_book_out", output, v), self.lane("st_book_in", input, v))
    }

    /// Errors of a port, but for credits that [`Router::give`] gave too many of.
    fn wrong(&self, port: usize) -> u32 {
        self.errors(port) & !CREDIT
    }

    /// Cycles with credits for all that goes.
    fn flow(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.give());
    }
}

#[test]
fn registers_of_admission_are_read_as_they_were_written() {
    let mut r = Router::new("odda");
    let read = |r: &mut Router, port: u32, addr: u32| r.b.set("cfg_port", 0, port).read(addr);
    for (addr, value) in [(CTRL, 0), (LIMIT, 4096), (WSHIFT, 4), (NODE_ID, 0), (NEXT, 0)] {
        assert_eq!(read(&mut r, 2, addr), value, "{addr}");
    }
    for (addr, most) in [(LIMIT, 0x1fff), (WSHIFT, 15), (NEXT, 0x1_ffff)] {
        r.write(2, addr, !0);
        assert_eq!(read(&mut r, 2, addr), most);
        r.write(2, addr, 7);
        assert_eq!((read(&mut r, 2, addr), read(&mut r, 3, addr) != 7), (7, true));
        r.write(255, addr, 9);
        assert!((0..5).all(|p| read(&mut r, p, addr) == 9));
    }
    // The router's own.
    for (addr, most) in [(CTRL, 1), (NODE_ID, 0xffff)] {
        r.write(4, addr, !0);
        assert!((0..5).all(|p| read(&mut r, p, addr) == most));
        r.write(5, addr, 0);
        assert_eq!(read(&mut r, 0, addr), most);
        r.write(255, addr, 0);
        assert_eq!(read(&mut r, 1, addr), 0);
    }
    // Sums and counters cannot be written.
    r.write(255, LIMIT, 4096);
    r.write(0, CTRL, 1);
    r.tell(0, ASKS);
    r.tell(0, Head { bw: 5000, ..ASKS });
    for addr in 131..=175 {
        r.write(255, addr, 7);
    }
    assert_eq!((read(&mut r, 3, 131), read(&mut r, 0, 131)), (100, 0));
    assert_eq!((read(&mut r, 0, 132), read(&mut r, 0, 133), read(&mut r, 3, 132)), (1, 1, 0));
    assert_eq!((read(&mut r, 3, 145), read(&mut r, 3, 144), read(&mut r, 0, 145)), (100, 0, 0));
    assert_eq!((read(&mut r, 0, 161), read(&mut r, 0, 160), read(&mut r, 3, 161)), (100, 0, 0));
    for addr in [134, 143, 151, 159, 167, 175, 176] {
        assert_eq!(read(&mut r, 0, addr), 0);
    }
}

/// Sums, slots and all the rest of it are 0 without ADMIT, whatever comes.
#[test]
fn without_it_nothing_is_booked() {
    let mut r = Router::admitting("odd");
    r.write(255, NEXT, HOST);
    for head in [ASKS, LAST, GIVES] {
        r.say(0, r.control(), Whole, head);
        r.say(1, 1, Whole, head);
        r.say(2, r.reply(), Header, head);
        r.flow(8);
    }
    let from = crate::signals::Layout::new(UnitKind::WormRouter, &r.p).state("st_used");
    assert!(r.b.state[from..].iter().all(|&w| w == 0));
    assert_eq!((r.get("st_cnt_msgs", 3), r.wrong(0), r.wrong(3)), (7, 0, 0));
}
