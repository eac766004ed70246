//! Which part of a design the timing tool must see. Arrival times of the whole netlist are estimated from the library's
//! tables as the tool reckons them; it then gets the ends that are nearly the worst with all that is before them, and its
//! figures for these are those of the whole.

use anyhow::{Context, Result, bail};

use super::liberty::{CellKind, Sense};
use super::netlist::{CONSTANTS, Flat, OPEN};

/// Ends within this part of the worst are timed, and before them all that arrives so little before the last.
const NEAR: f64 = 0.01;
/// How far the estimate may be from what the tool says; else the tool gets all.
pub const AGREE_NS: f64 = 0.002;
/// `constraints/quell.sdc`: inputs and outputs take this part of a period, uncertainty that.
const OUTSIDE: f64 = 0.3;
const UNCERTAINTY: f64 = 0.02;

/// What the worst paths are by the estimate, and the cells and pins that decide them.
pub struct Estimate {
    /// Longest path between registers.
    pub path_ns: f64,
    /// Least slack.
    pub slack_ns: f64,
    /// Cells and which of their pins.
    pub keep: Vec<(usize, Vec<bool>)>,
}

/// A function over the named variables, as the values for all combinations of them.
fn truth(function: &str, names: &[&str]) -> Option<u64> {
    const VARIABLE: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    struct Text<'a>(&'a [u8], &'a [&'a str]);
    impl Text<'_> {
        fn next(&mut self) -> Option<u8> {
            self.0 = self.0.trim_ascii_start();
            self.0.first().copied()
        }
        /// Operands of one of the operators in `level`, weakest first; the last ones are products.
        fn level(&mut self, level: usize) -> Option<u64> {
            const OPERATORS: [&[u8]; 3] = [b"|+", b"^", b"&*"];
            let Some(operators) = OPERATORS.get(level) else { return self.operand() };
            let mut value = self.level(level + 1)?;
            while let Some(c) = self.next() {
                let is_start = |c: u8| c.is_ascii_alphanumeric() || b"_!(".contains(&c);
                if operators.contains(&c) {
                    self.0 = &self.0[1..];
                } else if level != 2 || !is_start(c) {
                    break;
                }
                let other = self.level(level + 1)?;
                value = [value | other, value ^ other, value & other][level];
            }
            Some(value)
        }
        fn operand(&mut self) -> Option<u64> {
            let c = self.next()?;
            let mut value = if c == b'!' || c == b'(' {
                self.0 = &self.0[1..];
                if c == b'!' {
                    return Some(!self.operand()?);
                }
                let inside = self.level(0)?;
                if self.next()? != b')' {
                    return None;
                }
                self.0 = &self.0[1..];
                inside
            } else {
                let end = self.0.iter().position(|c| !(c.is_ascii_alphanumeric() || *c == b'_'));
                let (name, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
                self.0 = rest;
                match name {
                    b"0" => 0,
                    b"1" => u64::MAX,
                    _ => *VARIABLE.get(self.1.iter().position(|n| n.as_bytes() == name)?)?,
                }
            };
            while self.next() == Some(b'\'') {
                self.0 = &self.0[1..];
                value = !value;
            }
            Some(value)
        }
    }
    let mut text = Text(function.as_bytes(), names);
    let value = text.level(0)?;
    text.next().is_none().then_some(value)
}

/// How an output follows its inputs where some are constant.
enum Follows {
    /// It is constant, too.
    Constant(bool),
    /// For each input; not at all: nothing.
    Inputs(Vec<Option<Sense>>),
}

/// `inputs`: the constant values among them.
fn follows(value: u64, inputs: &[Option<bool>]) -> Follows {
    let rows = |fixed: &dyn Fn(usize) -> Option<bool>| {
        (0..1u64 << inputs.len())
            .filter(move |row| (0..inputs.len()).all(|i| fixed(i).is_none_or(|v| v == (row >> i & 1 != 0))))
            .collect::<Vec<u64>>()
    };
    let open = rows(&|i| inputs[i]);
    let is = |row: u64| value >> row & 1 != 0;
    if let Some(&first) = open.first()
        && open.iter().all(|r| is(*r) == is(first))
    {
        return Follows::Constant(is(first));
    }
    let of = |i: usize| {
        let low = open.iter().filter(|r| *r >> i & 1 == 0);
        let pairs: Vec<(bool, bool)> = low.map(|r| (is(*r), is(r | 1 << i))).collect();
        let (up, down) = (pairs.contains(&(false, true)), pairs.contains(&(true, false)));
        match (up, down) {
            _ if inputs[i].is_some() => None,
            (true, true) => Some(Sense::Both),
            (true, false) => Some(Sense::Same),
            (false, true) => Some(Sense::Opposite),
            (false, false) => None,
        }
    };
    Follows::Inputs((0..inputs.len()).map(of).collect())
}

/// What is known of a net: slews and, from registers and from inputs, the latest arrivals of both edges.
#[derive(Clone, Copy)]
struct Times {
    slew: [f64; 2],
    arrival: [[f64; 2]; 2],
}

const NEVER: Times = Times { slew: [0.0; 2], arrival: [[f64::NEG_INFINITY; 2]; 2] };

/// Where paths end.
struct End {
    /// The longest one from a register.
    path: f64,
    /// How much of the period is used.
    used: f64,
    /// Cell and pin, if it is no output.
    at: Option<(usize, usize)>,
    net: u32,
}

/// The functions of a kind's outputs: their inputs and values.
fn functions(kind: &CellKind) -> Vec<Option<u64>> {
    let names: Vec<&str> = kind.pins.iter().filter(|p| p.input).map(|p| p.name.as_str()).collect();
    let few = names.len() <= 6;
    kind.pins.iter().map(|p| p.function.as_deref().filter(|_| few).and_then(|f| truth(f, &names))).collect()
}

/// What an input of a cell gives an edge of an output: the slew, and the arrivals from registers and from inputs.
struct Given {
    from: usize,
    edge: usize,
    slew: f64,
    arrival: [f64; 2],
}

/// What does not change while times are reckoned.
struct Nets<'a> {
    flat: &'a Flat<'a>,
    clock: u32,
    loads: Vec<[f64; 2]>,
    functions: Vec<Vec<Option<u64>>>,
}

impl Nets<'_> {
    /// Tells what each input of a cell gives its output `out`, unless that is a constant: then this one.
    fn give(
        &self,
        cell: usize,
        out: usize,
        times: &[Times],
        constant: &[Option<bool>],
        tell: &mut dyn FnMut(Given),
    ) -> Result<Option<bool>> {
        let (kind, pins) = (self.flat.kind(cell), self.flat.pins(cell));
        let load = self.loads[pins[out] as usize];
        let fixed = |pin: usize| constant.get(pins[pin] as usize).copied().flatten();
        let mut senses = None;
        if let Some(value) = self.functions[self.flat.cells[cell].kind as usize][out] {
            let inputs: Vec<usize> = (0..pins.len()).filter(|i| kind.pins[*i].input).collect();
            if inputs.iter().any(|i| fixed(*i).is_some()) {
                match follows(value, &inputs.iter().map(|i| fixed(*i)).collect::<Vec<_>>()) {
                    Follows::Constant(value) => return Ok(Some(value)),
                    Follows::Inputs(all) => {
                        let mut by_pin = vec![None; pins.len()];
                        inputs.iter().zip(all).for_each(|(i, sense)| by_pin[*i] = sense);
                        senses = Some(by_pin);
                    }
                }
            }
        }
        for arc in kind.arcs.iter().filter(|a| a.to.contains(&out)) {
            for &from in &arc.from {
                let at = pins[from];
                if (at == self.clock) != arc.launch {
                    bail!("a clock that is not clk_i, or goes through logic");
                }
                if arc.launch {
                    for (edge, load) in load.into_iter().enumerate() {
                        let arrival = [arc.delay[edge].at(0.0, load), f64::NEG_INFINITY];
                        tell(Given { from, edge, slew: arc.slew[edge].at(0.0, load), arrival });
                    }
                    continue;
                }
                let sense = senses.as_ref().map_or(Some(arc.sense), |s| s[from]);
                let Some(sense) = sense.filter(|_| at != OPEN && fixed(from).is_none()) else { continue };
                let before = &times[at as usize];
                for (edge, load) in load.into_iter().enumerate() {
                    for was in (0..2).filter(|w| arc.sense.lets(*w, edge) && sense.lets(*w, edge)) {
                        let slew = before.slew[was];
                        let delay = arc.delay[edge].at(slew, load);
                        let arrival = before.arrival.map(|a| a[was] + delay);
                        tell(Given { from, edge, slew: arc.slew[edge].at(slew, load), arrival });
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Estimates the design; an error where it has something that only the tool knows how to take.
pub fn estimate(flat: &Flat, period: f64) -> Result<Estimate> {
    if let Some((name, _)) = flat.kinds.iter().find(|k| k.1.odd) {
        bail!("{name}");
    }
    let clock = flat.inputs.iter().find(|i| i.0 == "clk_i").context("no clock")?.1;
    let mut times = vec![NEVER; flat.nets];
    for (_, net) in flat.inputs.iter().filter(|i| i.1 != clock) {
        times[*net as usize].arrival[1] = [OUTSIDE * period; 2];
    }
    let mut constant: Vec<Option<bool>> = vec![None; flat.nets];
    (constant[0], constant[1]) = (Some(false), Some(true));
    let functions = flat.kinds.iter().map(|k| functions(k.1)).collect();
    let nets = Nets { flat, clock, loads: flat.loads(), functions };
    // Pins from which something goes on at once.
    let through: Vec<Vec<bool>> = flat
        .kinds
        .iter()
        .map(|(_, k)| {
            let from = |i| k.arcs.iter().any(|a| !a.launch && a.from.contains(&i));
            (0..k.pins.len()).map(from).collect()
        })
        .collect();

    // Each cell after all that it waits for.
    let mut driver = vec![OPEN; flat.nets];
    for cell in 0..flat.cells.len() {
        for (pin, net) in flat.kind(cell).pins.iter().zip(flat.pins(cell)) {
            if !pin.input && *net != OPEN {
                if driver[*net as usize] != OPEN || *net < CONSTANTS {
                    bail!("a net that two drive");
                }
                driver[*net as usize] = cell as u32;
            }
        }
    }
    let waits = |cell: usize| {
        let through = &through[flat.cells[cell].kind as usize];
        let nets = flat.pins(cell).iter().zip(through).filter(|(_, t)| **t).map(|(n, _)| *n);
        nets.filter(|n| *n != OPEN && driver[*n as usize] != OPEN).collect::<Vec<u32>>()
    };
    let mut first = vec![0u32; flat.nets + 1];
    let mut left = vec![0u32; flat.cells.len()];
    for (cell, left) in left.iter_mut().enumerate() {
        for net in waits(cell) {
            first[net as usize + 1] += 1;
            *left += 1;
        }
    }
    (0..flat.nets).for_each(|n| first[n + 1] += first[n]);
    let mut waiting = vec![0u32; first[flat.nets] as usize];
    let mut next = first.clone();
    for cell in 0..flat.cells.len() {
        for net in waits(cell) {
            waiting[next[net as usize] as usize] = cell as u32;
            next[net as usize] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..flat.cells.len()).filter(|c| left[*c] == 0).collect();
    let mut done = 0;
    while let Some(&cell) = ready.get(done) {
        done += 1;
        let (kind, pins) = (flat.kind(cell), flat.pins(cell));
        for (out, &net) in pins.iter().enumerate() {
            if kind.pins[out].input || net == OPEN {
                continue;
            }
            let mut t = NEVER;
            constant[net as usize] = nets.give(cell, out, &times, &constant, &mut |g| {
                t.slew[g.edge] = t.slew[g.edge].max(g.slew);
                for (a, b) in t.arrival.iter_mut().zip(g.arrival) {
                    a[g.edge] = a[g.edge].max(b);
                }
            })?;
            times[net as usize] = t;
        }
        for &net in pins.iter().zip(&kind.pins).filter(|(n, p)| !p.input && **n != OPEN).map(|(n, _)| n) {
            for &other in &waiting[first[net as usize] as usize..first[net as usize + 1] as usize] {
                left[other as usize] -= 1;
                if left[other as usize] == 0 {
                    ready.push(other as usize);
                }
            }
        }
    }
    if done < flat.cells.len() {
        bail!("a loop");
    }

    let mut ends: Vec<End> = Vec::new();
    for cell in 0..flat.cells.len() {
        for (at, pin) in flat.kind(cell).pins.iter().enumerate() {
            let net = flat.pins(cell)[at];
            let Some((setup, at_clock)) = &pin.setup else { continue };
            if flat.pins(cell)[*at_clock] != clock {
                bail!("a clock that is not clk_i");
            }
            if net == OPEN || constant[net as usize].is_some() {
                continue;
            }
            let t = times[net as usize];
            let late = |from: usize| {
                let of = |e: usize| t.arrival[from][e] + setup[e].at(0.0, t.slew[e]);
                of(0).max(of(1))
            };
            let used = late(0).max(late(1)) + UNCERTAINTY * period;
            ends.push(End { path: late(0), used, at: Some((cell, at)), net });
        }
    }
    for (_, net) in flat.outputs.iter().filter(|o| constant[o.1 as usize].is_none()) {
        let late = times[*net as usize].arrival.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let used = late + (OUTSIDE + UNCERTAINTY) * period;
        ends.push(End { path: f64::NEG_INFINITY, used, at: None, net: *net });
    }
    let path_ns = ends.iter().map(|e| e.path).fold(f64::NEG_INFINITY, f64::max);
    let used = ends.iter().map(|e| e.used).fold(f64::NEG_INFINITY, f64::max);
    if !path_ns.is_finite() || !used.is_finite() {
        bail!("no path");
    }

    // All that is before them.
    let mut keep: Vec<Option<Vec<bool>>> = vec![None; flat.cells.len()];
    let mut open = Vec::new();
    let near = |e: &&End| e.path >= path_ns * (1.0 - NEAR) || e.used >= used * (1.0 - NEAR);
    for end in ends.iter().filter(near) {
        if let Some((cell, pin)) = end.at {
            let kind = flat.kind(cell);
            let kept = keep[cell].get_or_insert_with(|| vec![false; kind.pins.len()]);
            kept[pin] = true;
            kept[kind.pins[pin].setup.as_ref().map_or(pin, |s| s.1)] = true;
        }
        open.push(end.net);
    }
    while let Some(net) = open.pop() {
        let cell = driver[net as usize];
        if cell == OPEN {
            continue;
        }
        let (kind, pins) = (flat.kind(cell as usize), flat.pins(cell as usize));
        let kept = keep[cell as usize].get_or_insert_with(|| vec![false; kind.pins.len()]);
        let Some(out) = (0..pins.len()).find(|i| !kind.pins[*i].input && pins[*i] == net) else { continue };
        if std::mem::replace(&mut kept[out], true) {
            continue;
        }
        // An input that arrives well before the last one and has not the largest slew changes nothing behind it.
        let t = times[net as usize];
        let mut deciding = Vec::new();
        nets.give(cell as usize, out, &times, &constant, &mut |g| {
            let late = (0..2)
                .any(|k| g.arrival[k] >= t.arrival[k][g.edge] - NEAR * path_ns && g.arrival[k].is_finite());
            if late || g.slew >= t.slew[g.edge] {
                deciding.push(g.from);
            }
        })?;
        deciding.extend(
            (0..pins.len()).filter(|p| {
                kind.pins[*p].input && constant.get(pins[*p] as usize).is_some_and(Option::is_some)
            }),
        );
        for from in deciding {
            if !std::mem::replace(&mut kept[from], true) && pins[from] != OPEN {
                open.push(pins[from]);
            }
        }
    }
    let keep = keep.into_iter().enumerate().filter_map(|(cell, pins)| Some((cell, pins?))).collect();
    Ok(Estimate { path_ns, slack_ns: period - used, keep })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read() {
        let names = ["A", "B", "C"];
        for (text, want) in [
            ("(!(A&B))", 0x77),
            ("(A B)'", 0x77),
            ("(!((A * B)+C))", 0x07),
            ("A^B", 0x66),
            ("!A | B & C", 0xd5),
            ("1", 0xff),
        ] {
            assert_eq!(truth(text, &names).map(|t| t & 0xff), Some(want), "{text}");
        }
        for text in ["IQ", "(A", "A B)", ""] {
            assert_eq!(truth(text, &names), None, "{text}");
        }
    }

    #[test]
    fn a_constant_input_stops_or_turns_others() {
        let and = truth("A&B", &["A", "B"]).unwrap();
        assert!(matches!(follows(and, &[Some(false), None]), Follows::Constant(false)));
        let xor = truth("A^B", &["A", "B"]).unwrap();
        let Follows::Inputs(senses) = follows(xor, &[None, Some(true)]) else { panic!("it is not constant") };
        assert_eq!(senses, [Some(Sense::Opposite), None]);
        let Follows::Inputs(senses) = follows(xor, &[None, None]) else { panic!("it is not constant") };
        assert_eq!(senses, [Some(Sense::Both); 2]);
        let mux = truth("(A & !S) | (B & S)", &["A", "B", "S"]).unwrap();
        let Follows::Inputs(senses) = follows(mux, &[None, None, Some(false)]) else {
            panic!("it is not constant")
        };
        assert_eq!(senses, [Some(Sense::Same), None, None]);
    }
}
