//! Packets inside a port or a switch, as far as pins tell: what must come out, and what may.

use std::collections::VecDeque;

/// Packets of one class leave an output in the order in which they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub vl: usize,
    pub dlid: u16,
    /// Notifications may overtake.
    pub cnp: bool,
}

/// A packet.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub class: Class,
    /// Length by its header, and the words of the flits that came.
    pub n: usize,
    pub words: Vec<u32>,
    /// Its marks as it came. (`words` are without those that may be set on the way.)
    pub marks: u32,
    /// Blocks of its VL that were in use with it, at least and at most, as it came.
    pub used: (i32, i32),
    /// It may go by any of these outputs, and is counted: of which mask it is.
    pub drawn: Option<(u64, u32)>,
    /// Outputs that it may leave by, a bit each; 0: it has no route, or may have none.
    pub outs: u32,
    /// It must come out, whole.
    pub sure: bool,
    /// Its last flit came, in this cycle.
    pub whole: Option<u64>,
    /// It ended before its time.
    pub cut: bool,
    /// It is not known when it was cut, if it was.
    pub loose: bool,
    /// Flits that have left.
    pub left: usize,
    /// Since when it need not come out.
    pub doubted: u64,
    /// The output with whose link it may have been lost.
    pub fell: Option<usize>,
    /// It was.
    pub lost: bool,
    pub arrived: u64,
}

impl Packet {
    /// Flits that came.
    pub fn stored(&self, words: usize) -> usize {
        self.words.len() / words
    }
}

/// Those that are inside.
#[derive(Debug, Default)]
pub(super) struct Packets {
    all: Vec<Packet>,
    free: Vec<usize>,
    /// Those that no flit of has left, in the order in which they came.
    pub waiting: VecDeque<usize>,
}

/// What a first flit is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// That of this packet; those before it that may be gone are, then.
    Packet { id: usize, gone: Vec<usize> },
    /// That of this packet, which is to leave elsewhere.
    Elsewhere(usize),
    /// That of the second, though the first came before it.
    Passed(usize, usize),
    /// None that came.
    Stranger,
}

impl Packets {
    pub fn get(&self, id: usize) -> &Packet {
        &self.all[id]
    }

    pub fn get_mut(&mut self, id: usize) -> &mut Packet {
        &mut self.all[id]
    }

    /// A packet comes.
    pub fn add(&mut self, packet: Packet) -> usize {
        let id = match self.free.pop() {
            Some(id) => {
                self.all[id] = packet;
                id
            }
            None => {
                self.all.push(packet);
                self.all.len() - 1
            }
        };
        self.waiting.push_back(id);
        id
    }

    /// It has left, or was dropped.
    pub fn release(&mut self, id: usize) {
        self.free.push(id);
    }

    /// Looks for the packet whose first flit shows at an output.
    pub fn find(&self, class: Class, out: usize, flit: &[u32]) -> Found {
        let mut gone = Vec::new();
        let (mut passed, mut elsewhere, mut found) = (None, None, None);
        for &id in &self.waiting {
            let p = &self.all[id];
            if p.class != class {
                continue;
            }
            if p.lost {
                gone.push(id);
                continue;
            }
            let same = p.words.get(..flit.len()) == Some(flit);
            if p.outs >> out & 1 == 0 {
                elsewhere = elsewhere.or(same.then_some(id));
            } else if same {
                found = Some(id);
                break;
            } else if p.outs == 1 << out {
                if p.sure {
                    passed = passed.or(Some(id));
                } else {
                    gone.push(id);
                }
            }
        }
        match (found, passed, elsewhere) {
            (Some(id), Some(before), _) => Found::Passed(before, id),
            (Some(id), None, _) => Found::Packet { id, gone },
            (None, _, Some(id)) => Found::Elsewhere(id),
            (None, _, None) => Found::Stranger,
        }
    }

    /// A packet waits no longer, and those that are gone do not.
    pub fn take(&mut self, id: usize, gone: &[usize]) {
        self.waiting.retain(|w| *w != id && !gone.contains(w));
    }

    /// A packet that waits is none.
    pub fn forget(&mut self, id: usize) -> bool {
        let at = self.waiting.iter().position(|w| *w == id);
        if let Some(at) = at {
            self.waiting.remove(at);
            self.release(id);
        }
        at.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: Class = Class { vl: 0, dlid: 7, cnp: false };

    fn packet(word: u32, outs: u32, sure: bool) -> Packet {
        Packet {
            class: CLASS,
            n: 1,
            words: vec![word],
            marks: 0,
            drawn: None,
            used: (0, 0),
            outs,
            sure,
            whole: Some(0),
            cut: false,
            loose: false,
            left: 0,
            doubted: 0,
            fell: None,
            lost: false,
            arrived: 0,
        }
    }

    #[test]
    fn the_first_of_its_class_leaves_and_what_may_be_gone_is_passed() {
        let mut p = Packets::default();
        let ids: Vec<usize> = [(1, 2, true), (2, 2, false), (3, 6, true), (4, 2, true)]
            .map(|(w, o, s)| p.add(packet(w, o, s)))
            .into();
        assert_eq!(p.find(CLASS, 1, &[4]), Found::Passed(ids[0], ids[3]));
        assert_eq!(p.find(CLASS, 2, &[1]), Found::Elsewhere(ids[0]));
        assert_eq!(p.find(CLASS, 1, &[9]), Found::Stranger);
        assert_eq!(p.find(Class { cnp: true, ..CLASS }, 1, &[1]), Found::Stranger);
        let mut take = |out, word, found, gone: &[usize]| {
            assert_eq!(p.find(CLASS, out, &[word]), Found::Packet { id: found, gone: gone.to_vec() });
            p.take(found, gone);
        };
        take(1, 1, ids[0], &[]);
        // The third one may go to output 2 as well, and so may be passed.
        take(1, 4, ids[3], &[ids[1]]);
        take(2, 3, ids[2], &[]);
        assert!(p.waiting.is_empty());
    }
}
