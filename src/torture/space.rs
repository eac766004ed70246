//! The space of parameters: every pair of values of a unit, and where it occurs.

use std::sync::OnceLock;

use crate::params::{Params, UnitKind, builds};

/// A value of a parameter of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// `switch` or `hca`; the units inside them have their parameters from them.
    pub unit: UnitKind,
    /// RTL name.
    pub name: &'static str,
    /// Value.
    pub value: usize,
}

/// Two values of one unit.
pub type Two = [Choice; 2];

/// Representative values of a parameter: both ends, and typical ones.
pub fn values(name: &str) -> &'static [usize] {
    match name {
        "PORTS" => &[1, 2, 3, 8, 64],
        "VLS" => &[1, 2, 3, 8, 64],
        "MTU" => &[1, 4, 32, 64],
        "BLOCKS" | "RX_BLOCKS" | "OBLOCKS" => &[1, 24, 256, 2048, 131072],
        "HPQS" => &[1, 2, 8],
        "LINES" => &[1, 2, 9, 32],
        "DLIST" => &[1, 2, 8, 32],
        "LFT_DEPTH" => &[2, 16, 1024, 65536],
        "FLIT_BYTES" => &[32, 64],
        "TIMER_W" => &[4, 8, 32],
        "ITERATIONS" => &[1, 2, 8],
        "ADVOQ" => &[2, 8, 256],
        "CNPQ" => &[2, 16, 64],
        "CNT_W" => &[2, 5, 32],
        "FLOWS" => &[2, 5, 64, 4096],
        "CCT" => &[8, 128, 16384],
        "TS_W" => &[8, 10, 24, 32],
        // Networks have no reservations here.
        "SRP" | "DEDUP" => &[0],
        "NMAX" | "REPQ" => &[16],
        "MSGQ" => &[8],
        "NOW_W" => &[32],
        // Networks here are graphs of any kind.
        "RANDOM_UP" => &[0],
        "DATA_BLOCKS" | "SPEC_BLOCKS" => &[512],
        "CTL_BLOCKS" => &[64],
        _ => &[0, 1],
    }
}

/// Whether some legal set has both values.
fn possible(two: &Two) -> bool {
    let [a, b] = two;
    let mut p = Params { mtu: 1, ..Params::default() };
    for one_queue in [false, true] {
        for vls in values("VLS") {
            for mtu in values("MTU") {
                for flows in [2, 64] {
                    for ts_w in [8, 32] {
                        for lane in [1, 4, 32, 64, 2048] {
                            p.one_queue = one_queue;
                            (p.vls, p.mtu, p.flows, p.ts_w) = (*vls, *mtu, flows, ts_w);
                            p.blocks = p.vls * lane;
                            (p.rx_blocks, p.oblocks) = (p.blocks, p.blocks);
                            for c in [a, b] {
                                p.set(c.name, c.value);
                            }
                            let queues = a.unit != UnitKind::Hca || !p.one_queue;
                            if queues && p.check().is_ok() {
                                return true;
                            }
                        }
                    }
                }
            }
        }
    }
    false
}

/// Every pair of values that `Params::check` calls legal, of switch and adapter.
pub fn pairs() -> &'static [Two] {
    static PAIRS: OnceLock<Vec<Two>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let mut all = Vec::new();
        for unit in [UnitKind::Switch, UnitKind::Hca] {
            let names = unit.parameter_names();
            for (i, a) in names.iter().enumerate() {
                for b in &names[i + 1..] {
                    for va in values(a) {
                        for vb in values(b) {
                            let two =
                                [Choice { unit, name: a, value: *va }, Choice { unit, name: b, value: *vb }];
                            if possible(&two) {
                                all.push(two);
                            }
                        }
                    }
                }
            }
        }
        all
    })
}

/// The build of the default regression that has both values, if one does.
pub fn built(two: &Two) -> Option<&'static str> {
    let [a, b] = two;
    let has = |p: &Params| p.get(a.name) == Some(a.value) && p.get(b.name) == Some(b.value);
    builds().iter().find(|x| x.unit == a.unit && has(&x.params)).map(|x| x.name)
}

/// A seed that draws a network with pair number `index` in it.
pub fn seed_of(index: usize) -> u64 {
    (index as u64 + 1) * DIRECTED - 1
}

/// One of so many seeds draws a network around a pair of parameter values of [`pairs`].
pub const DIRECTED: u64 = 100;
