//! What is inside of the RTL: scope `internals`, from the text of a VCD file that the model makes.

use std::collections::{HashMap, VecDeque};
use std::io;

use vcd::{Command, IdCode, Parser, Scope, ScopeItem, Value, Vector};

use super::sink::{Id, Kind, Sink};

/// The scopes around the design: the model, the wrapper, and the unit in it.
const AROUND: [&str; 3] = ["*", "*", "u"];
/// The design in the adapter, if it is somebody else's.
const DUT: &str = "dut";

/// The values of one cycle.
type Changes = (u64, Vec<(Id, Vec<u32>)>);

/// The variables inside, and the changes of the cycles that are written next.
pub(super) struct Internals {
    vars: HashMap<IdCode, (Id, usize)>,
    next: VecDeque<Changes>,
}

impl Internals {
    /// Adds the scope with all that a header names; without a header nothing.
    pub(super) fn new(sink: &mut dyn Sink, header: &[u8]) -> io::Result<Internals> {
        let mut internals = Internals { vars: HashMap::new(), next: VecDeque::new() };
        if header.is_empty() {
            return Ok(internals);
        }
        let header = Parser::new(header).parse_header()?;
        let inside = design(&header.items).ok_or_else(|| io::Error::other("the model shows no design"))?;
        sink.scope("internals")?;
        internals.scope(sink, inside)?;
        sink.upscope()?;
        Ok(internals)
    }

    fn scope(&mut self, sink: &mut dyn Sink, scope: &Scope) -> io::Result<()> {
        for item in &scope.items {
            match item {
                ScopeItem::Scope(inner) => {
                    sink.scope(&inner.identifier)?;
                    self.scope(sink, inner)?;
                    sink.upscope()?;
                }
                ScopeItem::Var(var) => {
                    let width = var.size as usize;
                    let of = self.vars.get(&var.code).map(|v| v.0);
                    let id = sink.var(Kind::Bits(width), &var.reference, of)?;
                    self.vars.insert(var.code, (id, width));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes changes: the text of a VCD file after its header, whose times are the numbers of cycles.
    pub(super) fn add(&mut self, text: &[u8]) -> io::Result<()> {
        for command in Parser::new(text) {
            match command? {
                Command::Timestamp(cycle) => self.next.push_back((cycle, Vec::new())),
                Command::ChangeScalar(code, value) => self.change(code, &Vector::from([value])),
                Command::ChangeVector(code, value) => self.change(code, &value),
                _ => {}
            }
        }
        Ok(())
    }

    fn change(&mut self, code: IdCode, value: &Vector) {
        // What is around the design has no variable.
        let (Some(&(id, width)), Some((_, changes))) = (self.vars.get(&code), self.next.back_mut()) else {
            return;
        };
        let mut words = vec![0; width.div_ceil(32)];
        // The first is the most significant.
        for (i, _) in value.iter().enumerate().filter(|v| v.1 == Value::V1) {
            let bit = value.len() - 1 - i;
            if bit < width {
                words[bit / 32] |= 1 << (bit % 32);
            }
        }
        changes.push((id, words));
    }

    /// Writes the changes of a cycle.
    pub(super) fn write(&mut self, sink: &mut dyn Sink, cycle: u64) -> io::Result<()> {
        while self.next.front().is_some_and(|n| n.0 <= cycle) {
            for (id, words) in self.next.pop_front().map_or(Vec::new(), |n| n.1) {
                sink.bits(id, &words)?;
            }
        }
        Ok(())
    }
}

/// The scope of the design.
fn design(items: &[ScopeItem]) -> Option<&Scope> {
    let inner = |items: &'_ [ScopeItem], name: &str| -> Option<usize> {
        items.iter().position(|i| matches!(i, ScopeItem::Scope(s) if name == "*" || s.identifier == name))
    };
    let mut items = items;
    let mut found = None;
    for name in AROUND.into_iter().chain([DUT]) {
        let Some(ScopeItem::Scope(scope)) = inner(items, name).map(|i| &items[i]) else {
            return found.filter(|_| name == DUT);
        };
        (items, found) = (&scope.items, Some(scope));
    }
    found
}
