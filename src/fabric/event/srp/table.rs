//! The table of flows (Q15, Q16), and the bits that follow its words.

use crate::fabric::event::bits::Bits;
use crate::params::Params;
use crate::scheme::chunk::{St, Word};

/// A word of each flow.
pub struct Table {
    words: Vec<Word>,
    pub idle: Bits,
    pub rs: Bits,
    pub sp: Bits,
    pub wt: Bits,
    /// Those that are in GO, by lane.
    pub go: Vec<Bits>,
    /// Messages wait.
    pub pq: Bits,
    pub sl: Vec<u8>,
}

impl Table {
    pub fn new(p: &Params, sl: Vec<u8>) -> Table {
        let none = || Bits::new(p.flows);
        let mut idle = none();
        (0..p.flows).for_each(|f| {
            idle.set(f, true);
        });
        Table {
            words: vec![Word::default(); p.flows],
            idle,
            rs: none(),
            sp: none(),
            wt: none(),
            go: vec![none(); p.data_lanes()],
            pq: none(),
            sl,
        }
    }

    pub fn flows(&self) -> usize {
        self.words.len()
    }

    pub fn word(&self, flow: usize) -> &Word {
        &self.words[flow]
    }

    /// The lane of a flow's data.
    pub fn lane(&self, flow: usize) -> usize {
        usize::from(self.sl[flow]) % self.go.len()
    }

    /// A write; the bits of the flow follow.
    pub fn write(&mut self, flow: usize, word: Word) {
        let (old, more) = (self.words[flow].st, word.todo != 0);
        self.words[flow] = word;
        let lane = self.lane(flow);
        for st in [old, word.st] {
            let now = st == word.st;
            match st {
                St::Idle => self.idle.set(flow, now),
                St::ResWanted => self.rs.set(flow, now),
                St::Spec => self.sp.set(flow, now && more),
                St::Wait => self.wt.set(flow, now),
                St::Go => self.go[lane].set(flow, now && more),
                St::ResOut | St::Stop => false,
            };
        }
    }
}
