//! Models in ASCII AIGER, as `scripts/prove_model.py` writes them.

use std::collections::HashMap;

/// A literal: twice the number of a variable, plus one if inverted. 0 is false, 1 is true.
pub type Lit = u32;

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// False.
    Constant,
    /// Input, by number.
    Input(u32),
    /// Register bit, by number.
    Latch(u32),
    /// Both literals.
    And(Lit, Lit),
}

/// A register bit.
#[derive(Clone, Debug)]
pub struct Latch {
    /// Its value in the next step.
    pub next: Lit,
    /// Its first value; `None`: any.
    pub init: Option<bool>,
    /// Its names, separated by blanks.
    pub names: String,
}

/// A property or an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Path of the checker and label, as `u_pool.b1_no_underflow`.
    pub name: String,
    /// For an assertion 1 where it is broken, for a cover 1 where it is hit, for an assumption 1 where it holds.
    pub lit: Lit,
}

/// A model: one clock, every output a function of registers and inputs.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// By variable.
    pub nodes: Vec<Node>,
    /// Variables of the AND gates, operands before users.
    pub order: Vec<u32>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Literal of each input.
    pub input_lits: Vec<Lit>,
    /// Register bits.
    pub latches: Vec<Latch>,
    /// Ports: name and value.
    pub ports: Vec<(String, Lit)>,
    /// Assertions.
    pub asserts: Vec<Property>,
    /// Covers.
    pub covers: Vec<Property>,
    /// Assumptions.
    pub assumes: Vec<Property>,
}

impl Model {
    /// Reads a model; the error names the line.
    pub fn parse(text: &str) -> Result<Model, String> {
        let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l));
        let mut numbers = |count: usize| -> Result<Vec<u32>, String> {
            let (at, line) = lines.next().ok_or("the file ends early")?;
            let v: Option<Vec<u32>> =
                line.split_whitespace().filter(|w| *w != "aag").map(|w| w.parse().ok()).collect();
            let v = v.ok_or_else(|| format!("line {at}: numbers are wanted: {line}"))?;
            if v.len() < count {
                Err(format!("line {at}: {count} numbers are wanted: {line}"))
            } else {
                Ok(v)
            }
        };
        let head = numbers(5)?;
        if head[5..].iter().any(|n| *n != 0) {
            return Err("line 1: only inputs, latches, outputs and gates are known".into());
        }
        let [vars, inputs, latches, outputs, ands] = head[..5] else { unreachable!("five numbers") };
        let mut model = Model { nodes: vec![Node::Constant; vars as usize + 1], ..Model::default() };
        let place = |nodes: &mut Vec<Node>, lit: Lit, node: Node| -> Result<(), String> {
            let slot = nodes.get_mut(lit as usize / 2).filter(|_| lit >= 2 && lit.is_multiple_of(2));
            *slot.ok_or_else(|| format!("literal {lit} is defined, which cannot be"))? = node;
            Ok(())
        };
        for i in 0..inputs {
            let lit = numbers(1)?[0];
            place(&mut model.nodes, lit, Node::Input(i))?;
            model.input_lits.push(lit);
        }
        for i in 0..latches {
            let v = numbers(2)?;
            place(&mut model.nodes, v[0], Node::Latch(i))?;
            let init = match v.get(2) {
                None | Some(0) => Some(false),
                Some(1) => Some(true),
                Some(_) => None,
            };
            model.latches.push(Latch { next: v[1], init, names: String::new() });
        }
        let mut lits = Vec::new();
        for _ in 0..outputs {
            lits.push(numbers(1)?[0]);
        }
        for _ in 0..ands {
            let v = numbers(3)?;
            place(&mut model.nodes, v[0], Node::And(v[1], v[2]))?;
        }
        let top = 2 * vars + 1;
        let used = model.latches.iter().map(|l| l.next).chain(lits.iter().copied());
        if used.into_iter().any(|lit| lit > top) {
            return Err("a literal is beyond the last variable".into());
        }
        model.inputs = vec![String::new(); inputs as usize];
        let mut names: HashMap<usize, &str> = HashMap::new();
        for (_, line) in lines {
            let Some((what, name)) = line.split_once(' ') else { break };
            let Ok(index) = what.get(1..).unwrap_or_default().parse::<usize>() else { break };
            match what.as_bytes()[0] {
                b'i' if index < model.inputs.len() => model.inputs[index] = name.into(),
                b'l' if index < model.latches.len() => model.latches[index].names = name.into(),
                b'o' => {
                    names.insert(index, name);
                }
                _ => break,
            }
        }
        for (i, lit) in lits.into_iter().enumerate() {
            for name in names.get(&i).copied().unwrap_or_default().split(' ').filter(|n| !n.is_empty()) {
                let property = |name: &str| Property { name: name.into(), lit };
                match name.split_once(':') {
                    Some(("assert", name)) => model.asserts.push(property(name)),
                    Some(("cover", name)) => model.covers.push(property(name)),
                    Some(("assume", name)) => model.assumes.push(property(name)),
                    _ => model.ports.push((name.into(), lit)),
                }
            }
        }
        model.sort()?;
        Ok(model)
    }

    /// Finds the order of the gates.
    fn sort(&mut self) -> Result<(), String> {
        // 0 not seen, 1 being visited, 2 done
        let mut seen = vec![0u8; self.nodes.len()];
        for start in 0..self.nodes.len() as u32 {
            let mut stack = vec![start];
            while let Some(&v) = stack.last() {
                let Node::And(a, b) = self.nodes[v as usize] else {
                    seen[v as usize] = 2;
                    stack.pop();
                    continue;
                };
                match seen[v as usize] {
                    0 => {
                        seen[v as usize] = 1;
                        for operand in [a / 2, b / 2] {
                            match seen.get(operand as usize) {
                                None => return Err(format!("gate {v} uses a literal that is not there")),
                                Some(1) => return Err(format!("gate {v} depends on itself")),
                                Some(0) => stack.push(operand),
                                Some(_) => {}
                            }
                        }
                    }
                    1 => {
                        seen[v as usize] = 2;
                        self.order.push(v);
                        stack.pop();
                    }
                    _ => {
                        stack.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of the input of this name.
    pub fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|n| n.split(' ').any(|n| n == name))
    }

    /// The numbers of the inputs without a name: what the netlist leaves undefined, such as a word beyond the end of a memory.
    pub fn undefined(&self) -> impl Iterator<Item = usize> {
        (0..self.inputs.len()).filter(|i| self.inputs[*i].is_empty())
    }

    /// The value of every variable in one step.
    pub fn evaluate(&self, latches: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut value = vec![false; self.nodes.len()];
        for (v, node) in self.nodes.iter().enumerate() {
            match *node {
                Node::Input(i) => value[v] = inputs[i as usize],
                Node::Latch(i) => value[v] = latches[i as usize],
                Node::Constant | Node::And(..) => {}
            }
        }
        for &v in &self.order {
            if let Node::And(a, b) = self.nodes[v as usize] {
                value[v as usize] = of(&value, a) && of(&value, b);
            }
        }
        value
    }

    /// The variable of each register bit.
    pub fn registers(&self) -> Vec<u32> {
        let mut all = vec![0; self.latches.len()];
        for (v, node) in (0u32..).zip(&self.nodes) {
            if let Node::Latch(i) = node {
                all[*i as usize] = v;
            }
        }
        all
    }

    /// The registers after a step in which the variables have these values.
    pub fn next(&self, value: &[bool]) -> Vec<bool> {
        self.latches.iter().map(|l| of(value, l.next)).collect()
    }
}

/// The value of a literal.
pub fn of(value: &[bool], lit: Lit) -> bool {
    value[lit as usize / 2] != (lit & 1 == 1)
}

/// What a model's literal is in a circuit; `to` has it for each variable.
pub fn under(to: &[Lit], lit: Lit) -> Lit {
    to[lit as usize / 2] ^ (lit & 1)
}

/// A circuit to be written as binary AIGER, which ABC reads: inputs, registers, and gates on them.
#[derive(Clone)]
pub struct Circuit {
    inputs: usize,
    registers: usize,
    gates: Vec<(Lit, Lit)>,
}

impl Circuit {
    /// Without gates.
    pub fn new(inputs: usize, registers: usize) -> Circuit {
        Circuit { inputs, registers, gates: Vec::new() }
    }

    /// Input number `i`.
    pub fn input(&self, i: usize) -> Lit {
        2 * (i as Lit + 1)
    }

    /// Register bit number `i`.
    pub fn register(&self, i: usize) -> Lit {
        self.input(self.inputs + i)
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (0, _) | (_, 0) => 0,
            (1, x) | (x, 1) => x,
            _ => {
                self.gates.push((a, b));
                self.register(self.registers + self.gates.len() - 1)
            }
        }
    }

    /// The gates of a model, whose inputs and registers are in `to` (by variable), where the gates are put, too. Gives the
    /// registers' next values.
    pub fn gates_of(&mut self, model: &Model, to: &mut [Lit]) -> Vec<Lit> {
        for &v in &model.order {
            if let Node::And(a, b) = model.nodes[v as usize] {
                to[v as usize] = self.and(under(to, a), under(to, b));
            }
        }
        model.latches.iter().map(|l| under(to, l.next)).collect()
    }

    /// `one` where `which` is 1, else `other`.
    pub fn choose(&mut self, which: Lit, one: Lit, other: Lit) -> Lit {
        let (a, b) = (self.and(which, one), self.and(which ^ 1, other));
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    /// The file. Of each register its next value and whether it begins with 1.
    pub fn write(&self, registers: &[(Lit, bool)], outputs: &[Lit]) -> Vec<u8> {
        let (inputs, latches, gates) = (self.inputs, self.registers, self.gates.len());
        let head = format!("aig {} {inputs} {latches} {} {gates}\n", inputs + latches + gates, outputs.len());
        let mut file = head.into_bytes();
        for (next, one) in registers {
            file.extend(format!("{next} {}\n", u8::from(*one)).bytes());
        }
        for output in outputs {
            file.extend(format!("{output}\n").bytes());
        }
        for (at, (a, b)) in self.gates.iter().enumerate() {
            let (high, low) = (a.max(b), a.min(b));
            for mut delta in [self.register(latches + at) - high, high - low] {
                while delta >= 128 {
                    file.push(delta as u8 | 128);
                    delta >>= 7;
                }
                file.push(delta as u8);
            }
        }
        file
    }
}
