//! What of a unit is compared.

use crate::signals::{Group, Layout, Signal};

/// Which outputs and state are compared; a [`Bench`](super::Bench) without it compares all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// A mask a word.
    outputs: Vec<u32>,
    states: Vec<u32>,
}

impl Compared {
    /// Those signals of which `is` says so.
    pub fn new(layout: &Layout, is: impl Fn(&Signal) -> bool) -> Compared {
        let mut c = Compared { outputs: vec![0; layout.out_words], states: vec![0; layout.state_words] };
        for s in layout.signals.iter().filter(|s| s.group != Group::Input && is(s)) {
            let words = if s.group == Group::Output { &mut c.outputs } else { &mut c.states };
            words[s.offset..s.offset + s.count * s.stride()].fill(u32::MAX);
        }
        c
    }

    /// True if some state is compared.
    pub fn has_state(&self) -> bool {
        self.states.iter().any(|m| *m != 0)
    }

    /// Puts what is not compared in one to what it is in the other.
    pub(super) fn level(&self, rtl: (&mut [u32], &mut [u32]), golden: (&[u32], &[u32])) {
        for (mask, rtl, golden) in [(&self.outputs, rtl.0, golden.0), (&self.states, rtl.1, golden.1)] {
            if mask.is_empty() {
                continue;
            }
            for (rtl, golden) in rtl.chunks_mut(mask.len()).zip(golden.chunks(mask.len())) {
                for ((r, g), m) in rtl.iter_mut().zip(golden).zip(mask) {
                    *r = *r & m | g & !m;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Build, UnitKind};

    #[test]
    fn only_what_is_compared_stays() {
        let b = Build::named(UnitKind::HcaThrottle, Some("tiny")).unwrap();
        let l = Layout::new(b.unit, &b.params);
        let c = Compared::new(&l, |s| s.name == "inj_flow" || s.name == "st_now");
        let (mut o, mut s) = (vec![7; 2 * l.out_words], vec![7; 2 * l.state_words]);
        let (go, gs) = (vec![1; o.len()], vec![1; s.len()]);
        c.level((&mut o, &mut s), (&go, &gs));
        let (flow, now) = (l.output("inj_flow"), l.state("st_now"));
        for (i, w) in o.iter().enumerate() {
            assert_eq!(*w, if i % l.out_words == flow { 7 } else { 1 });
        }
        assert!(s.iter().enumerate().all(|(i, w)| *w == if i % l.state_words == now { 7 } else { 1 }));
    }
}
