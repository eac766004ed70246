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

const KEYS: &[&str] = &["ranks", "bytes", "rounds", "compute"];

/// The programs.
pub const PROGRAMS: &[Program] = &[
    Program {
        name: "beff",
        keys: KEYS,
        about: "natural ring: every rank computes for `compute` (0) ns, sends `bytes` (131072) to both neighbours and waits for theirs, \
                `rounds` (8) times",
    },
    Program {
        name: "ptrans",
        keys: KEYS,
        about: "matrix transpose on a p x q grid, p <= q as square as can be: every rank computes for `compute` (0) ns, exchanges its \
                `bytes` (1048576) with one owner of transposed blocks after the other, always in pairs, then adds, `rounds` (2) times",
    },
    Program {
        name: "mpifft",
        keys: KEYS,
        about: "one-dimensional FFT: three all-to-all exchanges of each rank's `bytes` (262144), with computing (`compute`, \
                2 ns per byte) before each, `rounds` (1) times",
    },
    Program {
        name: "mdpw",
        keys: KEYS,
        about: "molecular dynamics and plane waves at once: every rank computes (`compute`, 0 ns), exchanges half of `bytes` (16384) with its \
                neighbours in a box of ranks and sends `bytes` to one rank, another one each time, `rounds` (4) times; meanwhile it computes and \
                exchanges 8 times `bytes` with all ranks, as often",
    },
];

/// Nanoseconds of computing per byte of a rank's data in an FFT pass.
const FFT_NS_PER_BYTE: u64 = 2;

/// The GOAL text of `name(ranks=.., bytes=.., rounds=.., compute=..)`; `ranks` is `nodes` unless given.
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
        "mdpw" => (c.get("bytes", 16_384)?, c.get("rounds", 4)?),
        _ => (c.get("bytes", 262_144)?, c.get("rounds", 1)?),
    };
    if !(2..=4096).contains(&ranks) {
        bail!("program {call:?}: {ranks} ranks; legal: 2 to 4096");
    }
    if bytes == 0 || rounds == 0 {
        bail!("program {call:?}: bytes and rounds must be at least 1");
    }
    let own = if c.name == "mpifft" { bytes.saturating_mul(FFT_NS_PER_BYTE) } else { 0 };
    let compute: u64 = c.get("compute", own)?;
    if compute > MOST_COMPUTE {
        bail!("program {call:?}: compute = {compute} ns; legal: 0 to {MOST_COMPUTE}");
    }
    Ok(match c.name.as_str() {
        "beff" => beff(ranks, bytes, rounds, compute),
        "ptrans" => ptrans(ranks, bytes, rounds, compute),
        "mdpw" => mdpw(ranks, bytes, rounds, compute),
        _ => mpifft(ranks, bytes, rounds, compute),
    })
}

/// Longest computing before an exchange, ns: a second.
const MOST_COMPUTE: u64 = 1_000_000_000;

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

    /// What follows waits for nothing that was written before.
    fn beside(&mut self) {
        self.before.clear();
    }

    fn compute(&mut self, ns: u64) {
        if ns > 0 {
            self.phase(&[format!("calc {ns}")]);
        }
    }

    fn end(&mut self) {
        self.text.push_str("}\n");
    }
}

fn beff(ranks: u32, bytes: u64, rounds: u32, compute: u64) -> String {
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        let (left, right) = ((r + ranks - 1) % ranks, (r + 1) % ranks);
        for _ in 0..rounds {
            w.compute(compute);
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
/// (I mod rows, J mod cols), its transpose is block (J, I). In an order in which each has the other at the same place.
fn transposed(rows: u32, cols: u32, p: u32, q: u32) -> Vec<u32> {
    // They are (x, y) with x = q and y = p modulo g.
    let g = gcd(rows, cols);
    let (up, across) = (rows / g, cols / g);
    let place = |step: u32, own: u32, n: u32| (step + n - own / g % n) % n;
    (0..up)
        .flat_map(|s| (0..across).map(move |t| (s, t)))
        .map(|(s, t)| (place(s, p, up) * g + q % g) * cols + place(t, q, across) * g + p % g)
        .collect()
}

fn ptrans(ranks: u32, bytes: u64, rounds: u32, compute: u64) -> String {
    let rows = (1..=ranks).filter(|r| ranks.is_multiple_of(*r) && r * r <= ranks).max().unwrap_or(1);
    let cols = ranks / rows;
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        let with = transposed(rows, cols, r / cols, r % cols);
        let share = (bytes / with.len() as u64).max(1);
        for _ in 0..rounds {
            w.compute(compute);
            for peer in with.iter().filter(|&&peer| peer != r) {
                w.phase(&[format!("recv {share}b from {peer}"), format!("send {share}b to {peer}")]);
            }
            w.phase(&[format!("calc {}", bytes / 8)]);
        }
        w.end();
    }
    w.text
}

fn mpifft(ranks: u32, bytes: u64, rounds: u32, compute: u64) -> String {
    let share = (bytes / u64::from(ranks)).max(1);
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        for _ in 0..rounds {
            for pass in 0..3 {
                w.compute(compute);
                let mut ops = Vec::new();
                for k in 1..ranks {
                    ops.push(format!("recv {share}b from {} tag {pass}", (r + ranks - k) % ranks));
                    ops.push(format!("send {share}b to {} tag {pass}", (r + k) % ranks));
                }
                w.phase(&ops);
            }
        }
        w.compute(compute);
        w.end();
    }
    w.text
}

/// Sides of a box of so many ranks, as even as can be, the longest last.
fn sides(ranks: u32) -> [u32; 3] {
    let divides = |n: u32| (1..=n).filter(move |d| n.is_multiple_of(*d));
    let x = divides(ranks).filter(|x| x.pow(3) <= ranks).max().unwrap_or(1);
    let y = divides(ranks / x).filter(|y| y.pow(2) <= ranks / x).max().unwrap_or(1);
    [x, y, ranks / x / y]
}

/// Ranks next to one in the box, down and up along each side; where a side has one rank there are none.
fn neighbours(rank: u32, sides: [u32; 3]) -> Vec<[u32; 2]> {
    let mut step = 1;
    let mut all = Vec::new();
    for side in sides {
        let at = rank / step % side;
        let to = |place: u32| rank - at * step + place % side * step;
        if side > 1 {
            all.push([to(at + side - 1), to(at + 1)]);
        }
        step *= side;
    }
    all
}

/// The rank that all send to in a round.
fn master(round: u32, ranks: u32) -> u32 {
    (round * (ranks / 3) + 5) % ranks
}

fn mdpw(ranks: u32, bytes: u64, rounds: u32, compute: u64) -> String {
    let (face, share) = ((bytes / 2).max(1), (8 * bytes / u64::from(ranks)).max(1));
    let sides = sides(ranks);
    let mut w = Writer::new(ranks);
    for r in 0..ranks {
        w.rank(r);
        for round in 0..rounds {
            w.compute(compute);
            let mut ops = Vec::new();
            for (axis, [down, up]) in neighbours(r, sides).into_iter().enumerate() {
                // What goes up comes from below.
                let tags = [2 * axis + 1, 2 * axis + 2];
                ops.push(format!("recv {face}b from {down} tag {}", tags[0]));
                ops.push(format!("send {face}b to {up} tag {}", tags[0]));
                ops.push(format!("recv {face}b from {up} tag {}", tags[1]));
                ops.push(format!("send {face}b to {down} tag {}", tags[1]));
            }
            w.phase(&ops);
            let to = master(round, ranks);
            let all = (0..ranks).filter(|from| *from != to);
            match r == to {
                true => {
                    w.phase(&all.map(|from| format!("recv {bytes}b from {from} tag 9")).collect::<Vec<_>>())
                }
                false => w.phase(&[format!("send {bytes}b to {to} tag 9")]),
            }
        }
        w.beside();
        for pass in 0..rounds {
            w.compute(compute);
            let mut ops = Vec::new();
            for k in 1..ranks {
                ops.push(format!("recv {share}b from {} tag {}", (r + ranks - k) % ranks, 10 + pass));
                ops.push(format!("send {share}b to {} tag {}", (r + k) % ranks, 10 + pass));
            }
            w.phase(&ops);
        }
        w.end();
    }
    w.text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_ranks() {
        assert_eq!([64, 12, 7, 2].map(sides), [[4, 4, 4], [2, 2, 3], [1, 1, 7], [1, 1, 2]]);
        assert_eq!(neighbours(0, [4, 4, 4]), [[3, 1], [12, 4], [48, 16]]);
        assert_eq!(neighbours(1, [1, 1, 2]), [[0, 0]]);
        for ranks in [2, 7, 12, 64] {
            // Whoever is above somebody has him below.
            for r in 0..ranks {
                for (axis, [down, up]) in neighbours(r, sides(ranks)).into_iter().enumerate() {
                    assert_eq!(neighbours(up, sides(ranks))[axis][0], r);
                    assert_eq!(neighbours(down, sides(ranks))[axis][1], r);
                }
            }
            let text = text("mdpw(bytes=4096, rounds=2)", ranks as usize).unwrap();
            let trace = super::super::parse(&text).unwrap();
            super::super::check(&trace).unwrap_or_else(|e| panic!("{ranks} ranks: {e:?}"));
        }
    }

    #[test]
    fn a_transpose_is_exchanged_in_pairs() {
        for (rows, cols) in [(1, 2), (2, 4), (4, 4), (8, 16), (3, 6), (6, 15)] {
            let of: Vec<Vec<u32>> =
                (0..rows * cols).map(|r| transposed(rows, cols, r / cols, r % cols)).collect();
            for (r, with) in of.iter().enumerate() {
                assert!(with.iter().enumerate().all(|(step, &peer)| of[peer as usize][step] == r as u32));
                let mut owners = with.clone();
                owners.sort_unstable();
                owners.dedup();
                assert_eq!(owners.len(), with.len(), "{rows} x {cols}, rank {r}");
                // Block (I, J) of the rank and its transpose: all owners, and no other.
                let (p, q) = (r as u32 / cols, r as u32 % cols);
                let blocks = (0..cols).flat_map(|a| (0..rows).map(move |b| (p + a * rows, q + b * cols)));
                let mut wanted: Vec<u32> = blocks.map(|(i, j)| (j % rows) * cols + i % cols).collect();
                wanted.sort_unstable();
                wanted.dedup();
                assert_eq!(owners, wanted, "{rows} x {cols}, rank {r}");
            }
        }
    }

    #[test]
    fn computing_goes_before_each_exchange() {
        let calcs = |call: &str| text(call, 4).unwrap().matches("calc 777\n").count();
        assert_eq!(calcs("beff(rounds=3, compute=777)"), 4 * 3);
        assert_eq!(calcs("ptrans(rounds=2, compute=777)"), 4 * 2);
        assert_eq!(calcs("mpifft(compute=777)"), 4 * 4);
        assert!(text("beff(compute=1000000001)", 4).unwrap_err().to_string().contains("legal: 0 to"));
    }
}
