//! Parallel programs as GOAL text: stand-ins for the communication of three HPC Challenge tests.

use std::fmt::Write;

use anyhow::{Result, bail};

use crate::fabric::traffic::text::Call;

/// A program that [`text`] knows.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name.
    pub name: &'static str,
    /// Keys, in order.
    pub keys: &'static [&'static str],
    /// What it does.
    pub about: &'static str,
}

/// The programs.
pub const PROGRAMS: &[Program] = &[
    Program {
        name: "beff",
        keys: &["ranks", "bytes", "rounds"],
        about: "natural ring: every rank sends `bytes` (131072) to both neighbours and waits for theirs, `rounds` (8) times",
    },
    Program {
        name: "ptrans",
        keys: &["ranks", "bytes", "rounds"],
        about: "matrix transpose on a p x q grid, p <= q as square as can be: every rank sends its `bytes` (1048576) to the \
                owners of the transposed blocks, then adds, `rounds` (2) times",
    },
    Program {
        name: "mpifft",
        keys: &["ranks", "bytes", "rounds"],
        about: "one-dimensional FFT: three all-to-all exchanges of each rank's `bytes` (262144), with computing before \
                each, `rounds` (1) times",
    },
];

/// Nanoseconds of computing per byte of a rank's data in an FFT pass.
const FFT_NS_PER_BYTE: u64 = 2;

/// The GOAL text of `name(ranks=.., bytes=.., rounds=..)`; `ranks` is `nodes` unless given.
pub fn text(call: &str, nodes: usize) -> Result<String> {
    let keys = |name: &str| PROGRAMS.iter().find(|p| p.name == name).map(|p| p.keys);
    let Some(c) = Call::parse(call, keys)? else {
        let names: Vec<&str> = PROGRAMS.iter().map(|p| p.name).collect();
        bail!("program {call:?}; legal: {}", names.join(", "));
    };
    let ranks: u32 = c.get("ranks", nodes as u32)?;
    let (bytes, rounds): (u64, u32) = match c.name.as_str() {
        "beff" => (c.get("bytes", 131_072)?, c.get("rounds", 8)?),
        "ptrans" => (c.get("bytes", 1_048_576)?, c.get("rounds", 2)?),
        _ => (c.get("bytes", 262_144)?, c.get("rounds", 1)?),
    };
    if !(2..=4096).contains(&ranks) {
        bail!("program {call:?}: {ranks} ranks; legal: 2 to 4096");
    }
    if bytes == 0 || rounds == 0 {
        bail!("program {call:?}: bytes and rounds must be at least 1");
    }
    Ok(match c.name.as_str() {
        "beff" => beff(ranks, bytes, rounds),
        "ptrans" => ptrans(ranks, bytes, rounds),
        _ => mpifft(ranks, bytes, rounds),
    })
}

/// Writes one rank: phases of operations, each phase after the end of all operations of the one before.
struct Writer {
    text: String,
    ops: usize,
    before: Vec<usize>,
}

impl Writer {
    fn new(ranks: u32) -> Writer {
        Writer { text: format!("num_ranks {ranks}\n"), ops: 0, before: Vec::new() }
    }

    fn rank(&mut self, rank: u32) {
        let _ = writeln!(self.text, "\nrank {rank} {{");
        (self.ops, self.before) = (0, Vec::new());
    }

    fn phase(&mut self, ops: &[String]) {
        let mut now = Vec::new();
        // With many operations on both sides, a calc of no length between them saves dependencies.
        if ops.len() > 1 && self.before.len() > 1 {
            self.phase(&["calc 0".to_string()]);
        }
        for op in ops {
            self.ops += 1;
            let _ = writeln!(self.text, "  l{}: {op}", self.ops);
            for on in &self.before {
                let _ = writeln!(self.text, "  l{} requires l{on}", self.ops);
            }
            now.push(self.ops);
        }
        self.before = now;
    }

    fn end(&mut self) {
        self.text.push_str("}\n");
    }
}

fn beff(ranks: u32, bytes: u64, rounds: u32) -> String {
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        let (left, right) = ((r + ranks - 1) % ranks, (r + 1) % ranks);
        for _ in 0..rounds {
            w.phase(&[
                format!("recv {bytes}b from {left} tag 1"),
                format!("recv {bytes}b from {right} tag 2"),
                format!("send {bytes}b to {right} tag 1"),
                format!("send {bytes}b to {left} tag 2"),
            ]);
        }
        w.end();
    }
    w.text
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Ranks that hold the transposed blocks of rank (p, q)'s blocks on a `rows` x `cols` grid: block (I, J) is with rank
/// (I mod rows, J mod cols), its transpose is block (J, I).
fn transposed(rows: u32, cols: u32, p: u32, q: u32) -> Vec<u32> {
    let g = gcd(rows, cols);
    let row = (0..rows / g).map(|k| (q + k * cols) % rows);
    let mut owners: Vec<u32> =
        row.flat_map(|x| (0..cols / g).map(move |k| x * cols + (p + k * rows) % cols)).collect();
    owners.sort_unstable();
    owners
}

fn ptrans(ranks: u32, bytes: u64, rounds: u32) -> String {
    let rows = (1..=ranks).filter(|r| ranks.is_multiple_of(*r) && r * r <= ranks).max().unwrap_or(1);
    let cols = ranks / rows;
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        let to = transposed(rows, cols, r / cols, r % cols);
        let share = (bytes / to.len() as u64).max(1);
        // Owners are mutual: (p, q) owns the transpose of a block of (p', q') iff it is so the other way round.
        let peers = || to.iter().filter(|&&peer| peer != r);
        let mut ops: Vec<String> = peers().map(|p| format!("recv {share}b from {p}")).collect();
        ops.extend(peers().map(|p| format!("send {share}b to {p}")));
        for _ in 0..rounds {
            if !ops.is_empty() {
                w.phase(&ops);
            }
            w.phase(&[format!("calc {}", bytes / 8)]);
        }
        w.end();
    }
    w.text
}

fn mpifft(ranks: u32, bytes: u64, rounds: u32) -> String {
    let share = (bytes / u64::from(ranks)).max(1);
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        for _ in 0..rounds {
            for pass in 0..3 {
                w.phase(&[format!("calc {}", bytes * FFT_NS_PER_BYTE)]);
                let mut ops = Vec::new();
                for k in 1..ranks {
                    ops.push(format!("recv {share}b from {} tag {pass}", (r + ranks - k) % ranks));
                    ops.push(format!("send {share}b to {} tag {pass}", (r + k) % ranks));
                }
                w.phase(&ops);
            }
        }
        w.phase(&[format!("calc {}", bytes * FFT_NS_PER_BYTE)]);
        w.end();
    }
    w.text
}
