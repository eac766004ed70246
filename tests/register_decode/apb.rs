//! APB (rule C2): a master that drives `apb_config` before a switch and an adapter. Every register and table is written through it, every register
//! and counter is read back, and what names nothing is an error; each cycle of the bus is compared with the page, and what is reached with the
//! description.

use std::fmt::Write as _;

use quell::params::UnitKind;
use quell::signals::Group;

use super::{Access, Unit, description, is_driven, unit_of};

/// Words of the bus: psel, penable, pwrite, paddr, pwdata. The unit's own inputs are behind them.
pub(super) const WORDS: usize = 5;

/// What an address names.
enum Named {
    Nothing,
    Register(Access),
    /// Table and entry.
    Entry(usize, u32),
}

impl Unit<'_> {
    /// `apb_config`, and the unit's inputs: those that it drives, and the others.
    pub(super) fn bus_text(&self) -> String {
        let adapter = self.build.unit == UnitKind::Hca;
        let mut text = format!("  apb_config #(.ADAPTER({})", u32::from(adapter));
        for name in ["PORTS", "LFT_DEPTH", "FLOWS", "CCT", "RESPONSE"] {
            if self.build.unit.parameter_names().contains(&name) {
                let _ = write!(text, ", .{name}({})", self.build.params.get(name).expect("a value"));
            }
        }
        text += ") bus (.clk_i(clk_i), .rst_i(rst_i), .psel_i(in_i[0][0]), .penable_i(in_i[1][0]), .pwrite_i(in_i[2][0]),\n    \
                 .paddr_i(in_i[3][20:0]), .pwdata_i(in_i[4]), .ready_i(w.u.ready_o), .cfg_rvalid_i(w.u.cfg_rvalid_o),\n    \
                 .cfg_rdata_i(w.u.cfg_rdata_o), .pready_o(), .pslverr_o(), .prdata_o()";
        let driven =
            |name: &str| ["cfg_", "lft_", "cct_", "wt_", "attr_"].iter().any(|p| name.starts_with(p));
        let mut rest = String::new();
        for s in self.layout.signals.iter().filter(|s| s.group == Group::Input) {
            if driven(s.name) {
                let _ = write!(text, ",\n    .{0}_o({0})", s.name);
                let _ = writeln!(rest, "  assign words[{}] = 32'({});", s.offset, s.name);
            } else {
                for k in s.offset..s.offset + s.count * s.stride() {
                    let _ = writeln!(rest, "  assign words[{k}] = in_i[{}];", WORDS + k);
                }
            }
        }
        let wires = self.layout.signals.iter().filter(|s| s.group == Group::Input && driven(s.name));
        let wires: String = wires.map(|s| format!("  wire [{}:0] {};\n", s.width - 1, s.name)).collect();
        format!("{wires}{text});\n{rest}")
    }

    /// What an address names, as docs/apb.md says.
    fn named(&self, address: u32, write: Option<u32>) -> Named {
        if address & 3 != 0 {
            return Named::Nothing;
        }
        let adapter = self.build.unit == UnitKind::Hca;
        for (i, t) in self.set.tables.iter().enumerate() {
            let base = match (adapter, t.name.as_str()) {
                (false, "lft") => 0x10_0000,
                (true, "sl") => 0x4000,
                (true, "cct" | "wt") => 0x1_0000,
                (true, "lft") => 0x4_0000,
                (_, other) => panic!("a table {other}"),
            };
            if address >= base && address - base < 4 * t.entries as u32 {
                return if write.is_some() { Named::Entry(i, (address - base) / 4) } else { Named::Nothing };
            }
        }
        let (unit, port, number) = (address >> 10 & 3, address >> 12 & 255, address >> 2 & 255);
        let ports = if adapter { 1 } else { self.build.params.ports as u32 };
        let there = port < ports || !adapter && port == 255 && write.is_some();
        if address < 0x10_0000 && there && self.set.windows.iter().any(|w| w.cfg_unit == unit) {
            return Named::Register(Access { unit, port, address: number, write, read: write.is_none() });
        }
        Named::Nothing
    }

    /// A cycle with these words on the bus, what it answers, and what reaches the unit.
    fn bus_cycle(
        &mut self,
        words: [u32; WORDS],
        answer: [u32; 3],
        access: Option<Access>,
        entry: Option<(usize, u32, u32)>,
    ) {
        self.cycle(access, entry, &[]);
        let idle = self.layout.idle();
        let cycle = self.run.last_mut().expect("the cycle");
        cycle.input = words.into_iter().chain(idle).collect();
        cycle.bus = Some(answer);
        let _ = write!(cycle.done, " by {words:x?}");
    }

    fn bus_idle(&mut self) {
        let words = [0, self.random() & 1, self.random() & 1, self.random() & 0x1f_ffff, self.random()];
        self.bus_cycle(words, [0; 3], None, None);
    }

    /// A transfer: setup, the cycles until the unit is ready, access.
    fn transfer(&mut self, address: u32, write: Option<u32>) {
        let words = [1, 1, u32::from(write.is_some()), address, write.unwrap_or_else(|| self.random())];
        let setup = [1, 0, words[2], words[3], words[4]];
        self.bus_cycle(setup, [0; 3], None, None);
        while self.sweep > 0 {
            self.bus_cycle(words, [0; 3], None, None);
        }
        match self.named(address, write) {
            Named::Nothing => self.bus_cycle(words, [1, 1, 0], None, None),
            Named::Entry(table, at) => {
                self.bus_cycle(words, [1, 0, 0], None, write.map(|data| (table, at, data)))
            }
            Named::Register(a) if a.write.is_some() => self.bus_cycle(words, [1, 0, 0], Some(a), None),
            Named::Register(a) => {
                let held = self.held(&a);
                self.bus_cycle(words, [0; 3], Some(a), None);
                self.bus_cycle(words, [1, 0, held], None, None);
            }
        }
    }

    fn bus_reset(&mut self) {
        self.reset();
        for cycle in
            self.run.iter_mut().rev().take_while(|c| c.reset && c.input.len() == self.layout.in_words)
        {
            cycle.input = [0; WORDS].into_iter().chain(self.layout.idle()).collect();
        }
    }

    /// A packet that a switch drops, as it has no route, and that an adapter takes.
    fn packet(&mut self) {
        let first = self.run.len();
        for t in 0..8 {
            self.bus_idle();
            if t == 0 {
                let l = &self.layout;
                let at = [l.input("rx_valid"), l.input("rx_first"), l.input("rx_last")];
                let length = l.input("rx_data") + 1;
                let input = &mut self.run.last_mut().expect("the cycle").input;
                at.into_iter().for_each(|k| input[WORDS + k] = 1);
                input[WORDS + length] = 0x100;
            }
        }
        self.run[first..].iter_mut().for_each(|c| c.seen = None);
        if self.build.unit == UnitKind::Hca {
            self.error("adapter", "CNT_RCV").value = 1;
        } else {
            self.error("input_port", "CNT_DROP").value = 1;
            self.error("input_port", "NO_ROUTE").value = 1;
        }
    }

    fn exercise_bus(&mut self) {
        // The first transfer after a reset waits for the unit, whatever it is.
        for (address, write) in [(4, Some(7)), (4, None), (0x1f_fffc, None), (0x1f_fffc, Some(1))] {
            self.bus_reset();
            self.transfer(address, write);
        }
        self.packet();
        // Addresses: all registers of all ports and around them, tables and around them, single bits.
        let adapter = self.build.unit == UnitKind::Hca;
        let ports = if adapter { 1 } else { self.build.params.ports as u32 };
        let numbers = (0..0x400u32).filter(|n| matches!(n & 255, 0..=17 | 32 | 64 | 126..=134 | 255));
        let mut addresses: Vec<u32> =
            (0..=ports).flat_map(|p| numbers.clone().map(move |n| p << 12 | n << 2)).collect();
        for at in [
            0x4000, 0x8000, 0x1_0000, 0x2_0000, 0x4_0000, 0x8_0000, 0xf_f000, 0x10_0000, 0x14_0000, 0x18_0000,
        ] {
            addresses.extend((0..20).flat_map(|n| [at + 4 * n, (at + 0x1f_ffb0 + 4 * n) & 0x1f_ffff]));
        }
        addresses.extend((2..21).flat_map(|b| {
            [1 << b, 0x10_0000 | 1 << b, 0x4_0000 | 1 << b, 0x1_0000 | 1 << b, 0x4000 | 1 << b]
        }));
        for t in &self.set.tables {
            let n = t.entries as u32;
            let ends = [n, n.next_power_of_two()]
                .map(|n| [0x4000, 0x1_0000, 0x4_0000, 0x10_0000].map(|at| at + 4 * n));
            addresses.extend(ends.concat());
        }
        // What is there is read as reset leaves it, written, and read again; back to back.
        for &address in &addresses {
            self.transfer(address, None);
        }
        for &address in &addresses {
            for write in [Some(u32::MAX), None, Some(self.random()), None] {
                self.transfer(address, write);
            }
        }
        // Any order, any pauses, odd addresses; writes to all ports.
        for _ in 0..4000 {
            let word = self.random();
            let address = addresses[word as usize % addresses.len()];
            let address = match word >> 20 & 15 {
                0 => address | (1 + (word >> 24) % 3),
                1 if !adapter => 0xf_f000 | address & 0xfff,
                _ => (address & 0x1f_f5fc) | ((address & 0xa00) * (word >> 24 & 1)),
            };
            let write = (word >> 28 & 1 != 0).then(|| self.random());
            self.transfer(address, write);
            for _ in 0..(word >> 29).saturating_sub(4) {
                self.bus_idle();
            }
        }
    }
}

fn check(unit: UnitKind) {
    let sets = description();
    for set in sets.iter().filter(|s| unit_of(s) == unit && is_driven(s)) {
        let mut u = Unit::new(set);
        u.bus = true;
        u.exercise_bus();
        u.compare().unwrap_or_else(|e| panic!("{} {:?}:\n{e}", set.unit, set.parameters));
    }
}

#[test]
fn apb_of_a_switch() {
    check(UnitKind::Switch);
}

#[test]
fn apb_of_an_adapter() {
    check(UnitKind::Hca);
}
