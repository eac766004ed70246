//! The variables of a waveform.

use std::io::{self, Write};

use vcd::{IdCode, ReferenceIndex, VarType};

use crate::signals::{Group, Layout};

/// One variable: an element of a signal on one side.
pub(super) struct Var {
    pub(super) id: IdCode,
    /// The same as text.
    pub(super) text: Option<(IdCode, &'static [&'static str])>,
    pub(super) offset: usize,
    pub(super) stride: usize,
    pub(super) width: usize,
}

/// The variables of one word vector, and the values written last.
pub(super) struct Bank {
    pub(super) vars: Vec<Var>,
    pub(super) last: Vec<u32>,
}

/// A bit of scope `mismatch`.
pub(super) struct Bit {
    pub(super) id: IdCode,
    pub(super) state: bool,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) last: bool,
}

/// Writes the words of a bank that have changed, all if `full`.
pub(super) fn write_bank<W: Write>(
    vcd: &mut vcd::Writer<W>,
    line: &mut Vec<u8>,
    bank: &mut Bank,
    words: &[u32],
    full: bool,
) -> io::Result<()> {
    for var in &bank.vars {
        let at = var.offset..var.offset + var.stride;
        let value = &words[at.clone()];
        if !full && bank.last[at] == *value {
            continue;
        }
        if var.width == 1 {
            vcd.change_scalar(var.id, value[0] & 1 == 1)?;
        } else {
            line.clear();
            line.push(b'b');
            for i in (0..var.width).rev() {
                let bit = (value[i / 32] >> (i % 32)) & 1;
                // Leading zeros may be left out.
                if bit == 1 || line.len() > 1 || i == 0 {
                    line.push(b'0' + bit as u8);
                }
            }
            vcd.writer().write_all(line)?;
            writeln!(vcd.writer(), " {}", var.id)?;
        }
        if let Some((id, names)) = var.text {
            vcd.change_string(id, names.get(value[0] as usize).copied().unwrap_or("ILLEGAL"))?;
        }
    }
    bank.last.copy_from_slice(words);
    Ok(())
}

pub(super) fn add_vars<W: Write>(
    vcd: &mut vcd::Writer<W>,
    layout: &Layout,
    group: Group,
    bank: &mut Bank,
) -> io::Result<()> {
    for s in layout.signals.iter().filter(|s| s.group == group) {
        for i in 0..s.count {
            let name = element_name(s.name, i, s.count);
            let id = vcd.add_var(VarType::Wire, s.width as u32, &name, range(s.width))?;
            let names = s.show.names();
            let text = if names.is_empty() {
                None
            } else {
                let name = text_name(s.name, i, s.count);
                Some((vcd.add_var(VarType::String, 1, &name, None)?, names))
            };
            let offset = s.offset + i * s.stride();
            bank.vars.push(Var { id, text, offset, stride: s.stride(), width: s.width });
        }
    }
    Ok(())
}

pub(super) fn element_name(name: &str, i: usize, count: usize) -> String {
    if count > 1 { format!("{name}[{i}]") } else { name.into() }
}

/// The name of an element as text. No brackets: GTKWave strips them off strings, and takes all elements for one.
pub(super) fn text_name(name: &str, i: usize, count: usize) -> String {
    if count > 1 { format!("{name}_text_{i}") } else { format!("{name}_text") }
}

/// The bit range of a vector.
pub(super) fn range(width: usize) -> Option<ReferenceIndex> {
    (width > 1).then(|| ReferenceIndex::Range(width as i32 - 1, 0))
}
