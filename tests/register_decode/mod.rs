//! The RTL's decode: what is written through a unit's pins is seen where the description says, in the next cycle and nowhere else, and what is
//! read comes from there.
//!
//! The units have no ports that show their registers, so a module around them looks at the paths below them that the description gives (the UVM
//! register model has the same).

use std::fmt::Write as _;
use std::fs::File;
use std::process::{Command, Stdio};

use quell::params::{Build, UnitKind, builds};
use quell::signals::{Group, Layout};
use quell::verilate::{self, Design, Output, Sources, Tree};
use quell::wrapper::wrapper_text;

use super::{Set, description, root, unit_of};

mod apb;

/// `cfg_unit` and `cfg_port`.
type Target = (u32, u32);

/// Makes a description wrong.
type Change = fn(&mut Set);

/// A register that is written (with a value), read, or both.
#[derive(Clone, Copy, Debug)]
struct Access {
    unit: u32,
    port: u32,
    address: u32,
    write: Option<u32>,
    read: bool,
}

/// A field of a register of a port, and what it should hold.
struct Cell {
    window: usize,
    port: usize,
    register: usize,
    field: usize,
    value: u32,
}

/// A cycle of a run: inputs, what was done in it, and what should be seen (where that is known).
struct Cycle {
    reset: bool,
    input: Vec<u32>,
    done: String,
    seen: Option<Vec<Option<u32>>>,
    /// What is answered to a read of the cycle before.
    answer: Answer,
    /// What the bus answers, where there is one: pready, pslverr, prdata.
    bus: Option<[u32; 3]>,
}

/// What `cfg_rvalid` and `cfg_rdata` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    None,
    Data(u32),
    /// What this place showed in the cycle before.
    Place(usize),
    /// Not looked at.
    Any,
}

/// A unit as the description has it, and a run of it that is being written.
struct Unit<'a> {
    set: &'a Set,
    build: Build,
    layout: Layout,
    cells: Vec<Cell>,
    tables: Vec<Vec<u32>>,
    /// Cycles until it is ready.
    sweep: usize,
    random: u32,
    /// The answer to be given in the next cycle.
    answer: Answer,
    /// It is reached through `apb_config`.
    bus: bool,
    run: Vec<Cycle>,
}

/// The unit of a set: its build `tiny`, with the parameters of the set.
fn build_of(set: &Set) -> Build {
    let unit = unit_of(set);
    let mut build = builds().into_iter().find(|b| b.unit == unit && b.name == "tiny").expect("a tiny build");
    for (name, value) in &set.parameters {
        assert!(build.params.set(name, *value), "{name}");
    }
    build.params.isolation &= !build.params.cioq && !build.params.random_up && !build.params.srp;
    build.params.check_unit(unit).expect("legal parameters");
    build
}

impl<'a> Unit<'a> {
    fn new(set: &'a Set) -> Unit<'a> {
        let build = build_of(set);
        let mut cells = Vec::new();
        for (window, w) in set.windows.iter().enumerate() {
            for port in 0..w.ports {
                for (register, r) in w.registers.iter().enumerate() {
                    let of = |(field, _)| Cell { window, port, register, field, value: 0 };
                    cells.extend(r.fields.iter().enumerate().map(of));
                }
            }
        }
        let tables = set.tables.iter().map(|t| vec![0; t.entries]).collect();
        let layout = Layout::new(build.unit, &build.params);
        Unit {
            set,
            build,
            layout,
            cells,
            tables,
            sweep: 0,
            random: 0x2545_f491,
            answer: Answer::Any,
            bus: false,
            run: Vec::new(),
        }
    }

    fn field(&self, c: &Cell) -> &'a super::Field {
        &self.set.windows[c.window].registers[c.register].fields[c.field]
    }

    /// Ports that have a copy of a table.
    fn copies(&self, table: usize) -> usize {
        if self.set.tables[table].shown[0].contains("[*]") { self.build.params.ports } else { 1 }
    }

    /// What is looked at, in order: name and expression. The answers to a read come first.
    fn places(&self) -> Vec<(String, String)> {
        let bus: &[_] = if self.bus { &["pready", "pslverr", "prdata"] } else { &[] };
        let bus = bus.iter().map(|n| (n.to_string(), format!("bus.{n}_o")));
        let answer = ["cfg_rvalid", "cfg_rdata"].map(|n| (n.to_string(), format!("w.u.{n}_o")));
        let mut places: Vec<_> = bus.chain(answer).collect();
        for c in &self.cells {
            let w = &self.set.windows[c.window];
            let (r, f) = (&w.registers[c.register], self.field(c));
            let path = w.path.replace("%0d", &c.port.to_string());
            // (What all ports have together is the unit's; what is a part of a vector is that of the port.)
            let path = if f.of_unit { String::new() } else { path };
            let shown = f.shown.replace("%0d", &c.port.to_string());
            let inside = ["w.u", &path].into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(".");
            let name = format!("{} {} {}.{}", w.part, c.port, r.name, f.name);
            places.push((name.clone(), format!("{inside}.{shown}")));
            places.extend(f.acts.iter().map(|a| (format!("{name} (acting)"), format!("{inside}.{a}"))));
        }
        for (i, t) in self.set.tables.iter().enumerate() {
            for port in 0..self.copies(i) {
                for entry in 0..t.entries {
                    let part = |p: &String| {
                        let p = p.replace("[*]", &format!("[{port}]")).replace("%0d", &entry.to_string());
                        format!("w.u.{p}")
                    };
                    let parts: Vec<String> = t.shown.iter().map(part).collect();
                    places.push((
                        format!("{} {port} entry {entry}", t.name),
                        format!("{{{}}}", parts.join(", ")),
                    ));
                }
            }
        }
        places
    }

    fn has(&self, pin: &str) -> bool {
        self.layout.signals.iter().any(|s| s.group == Group::Input && s.name == pin)
    }

    /// Whether an access names a register (and not all of them).
    fn names(&self, a: &Access, c: &Cell) -> bool {
        let window = &self.set.windows[c.window];
        (!self.has("cfg_unit") || a.unit == window.cfg_unit)
            && (!self.has("cfg_port") || a.port == c.port as u32)
            && a.address == window.registers[c.register].address
    }

    /// Whether a write reaches a register.
    fn reaches(&self, a: &Access, c: &Cell) -> bool {
        let shared = self.field(c).of_unit && (a.port as usize) < self.set.windows[c.window].ports;
        let every = self.has("cfg_port") && (a.port == 255 || shared);
        self.names(&if every { Access { port: c.port as u32, ..*a } } else { *a }, c)
    }

    /// What a read gives.
    fn held(&self, a: &Access) -> u32 {
        let named = self.cells.iter().filter(|c| self.names(a, c));
        named.map(|c| c.value << self.field(c).lsb).sum()
    }

    /// What should be seen in this cycle.
    fn seen(&self, access: Option<Access>) -> Vec<Option<u32>> {
        let mut seen = Vec::new();
        for c in &self.cells {
            let f = self.field(c);
            seen.push(Some(c.value));
            if f.acts.is_some() {
                let write = access.filter(|a| self.sweep == 0 && self.reaches(a, c));
                let data = write.and_then(|a| a.write).unwrap_or(0);
                let clears = data >> f.lsb & f.most();
                seen.push(Some(if f.clears() { clears } else { f.acting(c.value) }));
            }
        }
        for (i, table) in self.tables.iter().enumerate() {
            for _ in 0..self.copies(i) {
                seen.extend(table.iter().map(|e| (self.sweep == 0).then_some(*e)));
            }
        }
        seen
    }

    /// An error, or a counter.
    fn error(&mut self, part: &str, name: &str) -> &mut Cell {
        let set = self.set;
        let is = |c: &&mut Cell| {
            let w = &set.windows[c.window];
            let r = &w.registers[c.register];
            w.part == part && c.port == 0 && (r.name == name || r.fields[c.field].name == name)
        };
        self.cells.iter_mut().find(is).unwrap_or_else(|| panic!("no error {part} {name}"))
    }

    fn random(&mut self) -> u32 {
        for (left, by) in [(true, 13), (false, 17), (true, 5)] {
            self.random ^= if left { self.random << by } else { self.random >> by };
        }
        self.random
    }

    /// Two cycles of reset, with whatever at the pins.
    fn reset(&mut self) {
        for _ in 0..2 {
            let input = (0..self.layout.in_words).map(|_| self.random()).collect();
            self.run.push(Cycle {
                reset: true,
                input,
                done: "reset".into(),
                seen: None,
                answer: Answer::Any,
                bus: None,
            });
        }
        self.answer = Answer::None;
        self.sweep = self.build.params.init_cycles(self.build.unit);
        for i in 0..self.cells.len() {
            self.cells[i].value = self.field(&self.cells[i]).reset;
        }
        for (table, t) in self.tables.iter_mut().zip(&self.set.tables) {
            table.fill(t.fields.iter().map(|f| f.reset << f.lsb).sum());
        }
    }

    /// A cycle in which a register is accessed, an entry of a table (table, entry, data) and other pins are written.
    fn cycle(&mut self, access: Option<Access>, entry: Option<(usize, u32, u32)>, pins: &[(&str, u32)]) {
        let mut input = self.layout.idle();
        let mut pin = |name: &str, value: u32| {
            let s = self.layout.signals.iter().find(|s| s.group == Group::Input && s.name == name);
            if let Some(s) = s {
                input[s.offset] = value;
            }
        };
        if let Some(a) = access {
            let named = ["cfg_we", "cfg_re", "cfg_unit", "cfg_port", "cfg_addr", "cfg_data"];
            let (we, data) = (u32::from(a.write.is_some()), a.write.unwrap_or(0));
            let values = [we, u32::from(a.read), a.unit, a.port, a.address, data];
            named.into_iter().zip(values).for_each(|(n, v)| pin(n, v));
        }
        if let Some((table, at, data)) = entry {
            let named = &self.set.tables[table].pins;
            named.iter().zip([1, at, data]).for_each(|(n, v)| pin(n, v));
        }
        pins.iter().for_each(|(n, v)| pin(n, *v));
        let done = format!("{access:x?} {entry:x?} {pins:x?}");
        let seen = Some(self.seen(access));
        self.run.push(Cycle { reset: false, input, done, seen, answer: self.answer, bus: None });
        self.answer = Answer::None;
        if self.sweep > 0 {
            self.sweep -= 1;
            return;
        }
        if let Some(a) = access.filter(|a| a.read) {
            self.answer = Answer::Data(self.held(&a));
        }
        if let Some((a, data)) = access.and_then(|a| Some((a, a.write?))) {
            for i in 0..self.cells.len() {
                let c = &self.cells[i];
                let f = self.field(c);
                if self.reaches(&a, c) && !f.counts {
                    let clear = data >> f.lsb & f.most();
                    self.cells[i].value = if f.clears() { c.value & !clear } else { f.written(data) };
                }
            }
        }
        if let Some((table, at, data)) = entry {
            let t = &self.set.tables[table];
            match self.tables[table].get_mut(at as usize) {
                Some(e) => *e = t.fields.iter().map(|f| data & f.most() << f.lsb).sum(),
                None if ["lft", "useful"].contains(&t.name.as_str()) => {}
                None => {
                    let has = |part: &str| self.set.windows.iter().any(|w| w.part == part);
                    let part = ["response", "reservation"].into_iter().find(|p| has(p)).unwrap_or("throttle");
                    self.error(part, "BAD_ADDR").value = 1;
                }
            }
        }
    }

    /// A write, in some cycles with a read: that gives the value before.
    fn write(&mut self, (unit, port): Target, address: u32, data: u32) {
        let read = self.random() & 1 != 0;
        self.cycle(Some(Access { unit, port, address, write: Some(data), read }), None, &[]);
    }

    fn read(&mut self, (unit, port): Target, address: u32) {
        self.cycle(Some(Access { unit, port, address, write: None, read: true }), None, &[]);
    }

    /// Values of `cfg_unit` and `cfg_port`: those that reach something, and others.
    fn targets(&self) -> (Vec<Target>, Vec<Target>) {
        let ports = self.build.params.ports as u32;
        let units: Vec<u32> = self.set.windows.iter().map(|w| w.cfg_unit).collect();
        let many = |units: &[u32], ports: &[u32]| -> Vec<Target> {
            units.iter().flat_map(|u| ports.iter().map(move |p| (*u, *p))).collect()
        };
        let here: Vec<u32> = (0..ports).chain([255]).collect();
        let none = [4, 5, 6, 7, 8, 16, 32, 64, 128, 254, 255];
        match self.build.unit {
            UnitKind::Switch => (
                many(&units, &here),
                [
                    many(&units, &[ports, 4, 7, 8, 64, 127, 128, 254]),
                    many(&[2, 3], &here),
                    many(&none, &[0, 255]),
                ]
                .concat(),
            ),
            UnitKind::Hca => (many(&units, &[0]), many(&none, &[0])),
            UnitKind::WormRouter => {
                (many(&units, &here), many(&units, &[ports, 4, 7, 8, 16, 32, 64, 127, 128, 254]))
            }
            _ => (vec![(0, 0)], Vec::new()),
        }
    }

    /// Every register of every port with many values; every other address; all bits of the addresses of ports and units.
    fn write_registers(&mut self) {
        let (there, nowhere) = self.targets();
        let listed = |set: &Set, unit: u32, address: u32| {
            let mut here = set.windows.iter().filter(|w| set.windows.len() == 1 || w.cfg_unit == unit);
            here.any(|w| w.registers.iter().any(|r| r.address == address))
        };
        // In a switch, whose ports are many, less of what cannot depend on the port.
        let few = self.build.unit == UnitKind::Switch;
        for target in there {
            for address in 0..256u32 {
                let data: Vec<u32> = if listed(self.set, target.0, address) {
                    let ones = (0..32).map(|b| 1 << b);
                    let ends =
                        [0, 1, u32::MAX, 0xffff, 0xffff_0000, 0xff, 0x100, 0x101, 0x5555_5555, 0xaaaa_aaaa];
                    ones.filter(|_| !few).chain(ends).chain((0..4).map(|_| self.random())).collect()
                } else if few && address > 31 && !address.is_power_of_two() && address != 255 {
                    Vec::new()
                } else {
                    vec![u32::MAX, 0, self.random()]
                };
                data.into_iter().for_each(|d| self.write(target, address, d));
            }
        }
        for target in nowhere {
            for address in 0..16 {
                let data = self.random();
                self.write(target, address, data);
            }
        }
    }

    /// Every number of every port, of all ports and of what is not there; one after the other and with pauses.
    fn read_registers(&mut self) {
        let (there, nowhere) = self.targets();
        for target in there {
            (0..256).for_each(|address| self.read(target, address));
        }
        for target in nowhere {
            for address in 0..16 {
                self.read(target, address);
                self.read(target, 128 + address);
                self.cycle(None, None, &[]);
            }
        }
    }

    /// Traffic that knows no rules moves the counters, which are read meanwhile.
    fn read_counters(&mut self) {
        let (there, _) = self.targets();
        let set = self.set;
        for (unit, port) in there.into_iter().filter(|t| t.1 != 255) {
            let w = set.windows.iter().find(|w| set.windows.len() == 1 || w.cfg_unit == unit).expect("one");
            // All is switched on, thresholds are low, the own LID is 0.
            for r in w.registers.iter().filter(|r| r.name != "LFSR_SEED") {
                let data = match r.name.as_str() {
                    // (With spec_off nothing goes as speculative.)
                    "CTRL" if self.build.unit == UnitKind::Reservation => !(1 << 2),
                    "CTRL" | "LINE_TIMER" => u32::MAX,
                    name => u32::from(name.ends_with("INTERVAL")),
                };
                self.write((unit, port), r.address, data);
            }
        }
        for table in 0..self.tables.len() {
            for at in 0..self.set.tables[table].entries as u32 {
                self.cycle(None, Some((table, at, 0)), &[]);
            }
        }
        let (counters, mut input) = (self.counters(), self.layout.idle());
        let alone = ["cfg_", "lft_", "cct_", "attr_", "link_up"];
        let pins: Vec<_> = self.layout.signals.iter().filter(|s| s.group == Group::Input).cloned().collect();
        for t in 0..6000 {
            for s in pins.iter().filter(|s| !alone.iter().any(|a| s.name.starts_with(a))) {
                for i in 0..s.count {
                    let at = s.offset + i * s.stride();
                    for word in &mut input[at..at + s.stride()] {
                        *word = self.random();
                    }
                    // Few destinations, lanes, lines and flows.
                    let few = ["dlid", "dlist", "_vl", "_line", "_flow"].iter().any(|p| s.name.ends_with(p));
                    input[at] &= if few { 0x1_0001 } else { u32::MAX };
                    // Packets that could be: DLID 0, a BTH, some VL, a length of a few flits.
                    if s.name == "rx_data" {
                        input[at] = input[at] & 0x1010 | 0x200;
                        input[at + 1] &= 0x3f00;
                    }
                    let top = input[at + s.stride() - 1];
                    input[at + s.stride() - 1] = top & u32::MAX >> (31 - (s.width - 1) % 32);
                }
            }
            let mut input = input.clone();
            let (place, a) = &counters[t % counters.len()];
            for (name, value) in
                [("cfg_re", 1), ("cfg_unit", a.unit), ("cfg_port", a.port), ("cfg_addr", a.address)]
            {
                if self.has(name) {
                    input[self.layout.input(name)] = value;
                }
            }
            let done = format!("traffic, {a:x?}");
            self.run.push(Cycle { reset: false, input, done, seen: None, answer: self.answer, bus: None });
            self.answer = Answer::Place(*place);
        }
    }

    /// The counters: their places, and how they are read.
    fn counters(&self) -> Vec<(usize, Access)> {
        let names = self.places();
        let counting = self.cells.iter().filter(|c| self.field(c).counts);
        let of = |c: &Cell| {
            let w = &self.set.windows[c.window];
            let r = &w.registers[c.register];
            let name = format!("{} {} {}.{}", w.part, c.port, r.name, self.field(c).name);
            let place = names.iter().position(|n| n.0 == name).expect("a place");
            let read =
                Access { unit: w.cfg_unit, port: c.port as u32, address: r.address, write: None, read: true };
            (place, read)
        };
        counting.map(of).collect()
    }

    /// Every entry with several values, and entries beyond the table.
    fn write_tables(&mut self) {
        for table in 0..self.tables.len() {
            let entries = self.set.tables[table].entries as u32;
            for at in 0..entries {
                for data in [u32::MAX, 0, 0x5a5a ^ at, self.random()] {
                    self.cycle(None, Some((table, at, data)), &[]);
                }
            }
            let full = entries.next_power_of_two();
            for at in [entries, full, full + 1, 2 * full, 0x100, 0x4000, 0x8000, 0xffff] {
                if at >= entries {
                    self.cycle(None, Some((table, at, u32::MAX)), &[]);
                }
            }
        }
        self.cycle(None, None, &[]);
    }

    /// An error that is made, stays when others are cleared, and is cleared.
    fn clear_an_error(&mut self) {
        let (part, name, pins): (&str, &str, &[(&str, u32)]) = match self.build.unit {
            UnitKind::InputPort => ("input_port", "BAD_VL", &[("fctbs_valid", 1), ("fctbs_vl", 255)]),
            UnitKind::OutputPort => ("output_port", "BAD_VL", &[("fccl_valid", 1), ("fccl_vl", 255)]),
            UnitKind::SourceResponse => ("response", "BAD_ADDR", &[("attr_we", 1), ("attr_flow", 0xffff)]),
            UnitKind::Reservation => ("reservation", "BAD_ADDR", &[("attr_we", 1), ("attr_flow", 0xffff)]),
            UnitKind::HcaThrottle => ("throttle", "BAD_ADDR", &[("attr_we", 1), ("attr_flow", 0xffff)]),
            UnitKind::Hca => ("adapter", "BAD_GEN", &[("gen_valid", 1)]),
            UnitKind::Switch => ("input_port", "FRAMING", &[("rx_valid", 1)]),
            UnitKind::WormRouter => ("worm_router", "CREDIT", &[("rx_credit", 1)]),
            UnitKind::WormAdapter => ("worm_adapter", "CREDIT", &[("rx_credit", 1)]),
            // (It has none.)
            UnitKind::InjectionControl => return,
        };
        let (there, _) = self.targets();
        let cell = self.error(part, name);
        let (window, register, field) = (cell.window, cell.register, cell.field);
        let w = &self.set.windows[window];
        let (unit, address) = (w.cfg_unit, w.registers[register].address);
        let bit = 1 << w.registers[register].fields[field].lsb;
        for (unit, port) in there.iter().filter(|t| t.1 != 255) {
            self.write((*unit, *port), address, u32::MAX);
        }
        let first = self.run.len();
        self.cycle(None, None, pins);
        (0..3).for_each(|_| self.cycle(None, None, &[]));
        // (It comes some cycles later, as the unit's page says.)
        self.run[first..].iter_mut().for_each(|c| c.seen = None);
        self.error(part, name).value = 1;
        self.cycle(None, None, &[]);
        self.write((unit, 0), address, !bit);
        for other in there.into_iter().filter(|t| *t != (unit, 0) && t.1 != 255) {
            self.write(other, address, u32::MAX);
        }
        self.write((unit, 0), address, bit);
        self.cycle(None, None, &[]);
    }

    /// The whole run.
    fn exercise(&mut self) {
        self.reset();
        let (there, _) = self.targets();
        while self.sweep > 0 {
            let word = self.random();
            let (unit, port) = there[word as usize % there.len()];
            let a =
                Access { unit, port, address: word >> 8 & 15, write: Some(!word), read: word >> 13 & 1 != 0 };
            let table = (!self.tables.is_empty()).then_some((word as usize % self.tables.len().max(1), 0, 1));
            self.cycle(Some(a), table, &[]);
        }
        self.cycle(None, None, &[]);
        self.write_registers();
        self.read_registers();
        self.write_tables();
        self.clear_an_error();
        self.read_registers();
        if self.set.windows.iter().any(|w| w.registers.iter().any(|r| r.fields[0].counts)) {
            self.read_counters();
        }
        self.reset();
        self.cycle(None, None, &[]);
    }

    /// The program that runs the RTL and shows the places.
    fn program(&self) -> std::path::PathBuf {
        const TOP: &str = "registers_top";
        let (l, places) = (&self.layout, self.places());
        let tree = Tree::read(&root().join("rtl"), &root().join("tb")).expect("sources");
        let mut text = wrapper_text("unit_wrap", self.build.unit.module(), true, &self.build, l, &[]);
        let (in_words, words) =
            if self.bus { (apb::WORDS + l.in_words, "words") } else { (l.in_words, "in_i") };
        let _ = write!(
            text,
            "module {TOP} (\n  input wire clk_i,\n  input wire load_i,\n  input wire rst_i,\n  input wire [31:0] in_i [0:{}],\n  \
             output wire [31:0] seen_o [0:{}]\n);\n  wire [31:0] out [0:{}];\n  wire [31:0] state [0:{}];\n  \
             wire [31:0] words [0:{}];\n  \
             unit_wrap w (.clk_i(clk_i), .load_i(load_i), .rst_i(rst_i), .in_i({words}), .out_o(out), .st_o(state));\n",
            in_words - 1,
            places.len() - 1,
            l.out_words - 1,
            l.state_words - 1,
            l.in_words - 1
        );
        if self.bus {
            text += &self.bus_text();
        }
        for (i, (_, expression)) in places.iter().enumerate() {
            let _ = writeln!(text, "  assign seen_o[{i}] = 32'({expression});");
        }
        text += "endmodule\n";
        let design = Design {
            title: format!("registers of {}", self.build.title()),
            of: serde_json::Value::Null,
            top: (TOP, &text),
            // (The units have theirs in lockstep.)
            sources: if self.bus { Sources::Checked(&tree) } else { Sources::Unchecked(&tree) },
            blocks: &[],
            // An expression of a path and a number may have two widths; a unit has not all pins that `apb_config` drives.
            verilator: &["-Wno-WIDTH", "-Wno-UNOPTFLAT", "-Wno-PINMISSING"],
            // (It runs some thousand cycles.)
            compiler: &["-DVM_COVERAGE=0", "-O0"],
            runtime: &[],
            code: include_str!("program.cpp"),
            headers: &[],
            output: Output::Program,
        };
        verilate::make(&design, &verilate::store()).unwrap_or_else(|e| panic!("{e:#}")).object()
    }

    /// Runs the RTL over the run: the largest value of each place, or the first differences.
    fn compare(&self) -> Result<Vec<u32>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("cycles");
        let mut text = String::new();
        for c in &self.run {
            let _ = write!(text, "{:x}", u32::from(c.reset));
            c.input.iter().for_each(|w| {
                let _ = write!(text, " {w:x}");
            });
            text.push('\n');
        }
        std::fs::write(&path, text).expect("writable");
        let input = Stdio::from(File::open(&path).expect("readable"));
        let output = Command::new(self.program()).stdin(input).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{}: {said}", output.status);
        let rows = String::from_utf8(output.stdout).expect("text");
        let rows: Vec<&str> = rows.lines().collect();
        assert_eq!(rows.len(), self.run.len());
        let places = self.places();
        let mut wrong = Vec::new();
        let (mut most, mut last) = (vec![0; places.len()], vec![0; places.len()]);
        for (t, (c, row)) in self.run.iter().zip(rows).enumerate() {
            let words: Vec<u32> =
                row.split_whitespace().map(|w| u32::from_str_radix(w, 16).expect("a number")).collect();
            assert_eq!(words.len(), places.len());
            let answer = match c.answer {
                Answer::None => Some([0, 0]),
                Answer::Data(data) => Some([1, data]),
                Answer::Place(place) => Some([1, last[place]]),
                Answer::Any => None,
            };
            let answered = (0..2).map(|i| answer.map(|a| a[i]));
            let bus = (0..if self.bus { 3 } else { 0 }).map(|i| c.bus.map(|b| b[i]));
            let seen = bus.chain(answered).chain(c.seen.iter().flatten().copied());
            for ((seen, (name, _)), &word) in seen.zip(&places).zip(&words) {
                if let Some(s) = seen.filter(|s| *s != word) {
                    let before = &self.run[t.saturating_sub(1)].done;
                    wrong.push(format!(
                        "cycle {t}: {name} is {word:#x}, not {s:#x}; before: {before}; now: {}",
                        c.done
                    ));
                }
            }
            if wrong.len() > 4 {
                break;
            }
            most.iter_mut().zip(&words).for_each(|(m, w)| *m = (*m).max(*w));
            last = words;
        }
        if wrong.is_empty() { Ok(most) } else { Err(wrong.join("\n")) }
    }
}

/// Compares the RTL with a description; the names of the counters that moved.
fn check(set: &Set) -> Result<Vec<String>, String> {
    let mut unit = Unit::new(set);
    unit.exercise();
    assert!(unit.run.len() > 1000, "{}", unit.run.len());
    let (most, places) = (unit.compare()?, unit.places());
    let moved = unit.counters().into_iter().filter(|(place, _)| most[*place] > 1);
    Ok(moved.map(|(place, _)| places[place].0.clone()).collect())
}

/// The traffic of these tests knows what errors the parts of a set raise. Of an adapter with reservation it does not: there what is wrong
/// with a message is an error of the reservation, whose registers are tried in its own set.
fn is_driven(set: &Set) -> bool {
    unit_of(set) != UnitKind::Hca || set.parameters.get("SRP") != Some(&1)
}

/// Checks all sets of a unit, and that their traffic moves these counters.
fn check_all(unit: UnitKind, moving: &[&str]) {
    let sets: Vec<Set> = description().into_iter().filter(|s| unit_of(s) == unit && is_driven(s)).collect();
    assert!(!sets.is_empty());
    for set in sets {
        let moved = check(&set).unwrap_or_else(|e| panic!("{} {:?}:\n{e}", set.unit, set.parameters));
        // Beside a queue at the output, and where routes are drawn, there are no CAM lines that a packet could match.
        let no_lines = ["CIOQ", "RANDOM_UP"].iter().any(|n| set.parameters.get(*n) == Some(&1));
        for name in moving.iter().filter(|n| !(no_lines && ["CNT_E7", "CNT_NOHPQ"].contains(*n))) {
            assert!(
                moved.iter().any(|m| m.contains(name)),
                "{} {:?}: {name} not in {moved:?}",
                set.unit,
                set.parameters
            );
        }
    }
}

#[test]
fn input_port() {
    check_all(UnitKind::InputPort, &["CNT_DROP", "CNT_NOHPQ"]);
}

#[test]
fn output_port() {
    check_all(UnitKind::OutputPort, &["CNT_E7", "CNT_MARKED", "CNT_SENT"]);
}

#[test]
fn hca_throttle() {
    check_all(UnitKind::HcaThrottle, &[]);
}

#[test]
fn source_response() {
    check_all(UnitKind::SourceResponse, &[]);
}

#[test]
fn reservation() {
    check_all(UnitKind::Reservation, &["CNT_SPEC", "CNT_GRANTED", "CNT_BYPASS", "CNT_RES", "CNT_STALE"]);
}

#[test]
fn worm_router() {
    check_all(UnitKind::WormRouter, &["0 CNT_FLITS", "0 CNT_MSGS", "1 CNT_DROP"]);
}

#[test]
fn worm_adapter() {
    check_all(UnitKind::WormAdapter, &["CNT_SENT", "CNT_RCV", "CNT_DROP"]);
}

#[test]
fn injection_control() {
    check_all(UnitKind::InjectionControl, &[]);
}

#[test]
fn hca() {
    check_all(UnitKind::Hca, &["output_port 0 CNT_SENT", "CNT_RCV", "CNT_BECN", "CNT_CNP."]);
}

#[test]
fn switch() {
    check_all(UnitKind::Switch, &["input_port 2 CNT_DROP", "output_port 0 CNT_SENT"]);
}

/// A description that is wrong in one word is found.
#[test]
fn a_wrong_description_is_found() {
    let right = description().into_iter().find(|s| unit_of(s) == UnitKind::OutputPort).expect("a set");
    let change: [(&str, Change); 9] = [
        ("an address", |s| s.windows[0].registers[4].address = 12),
        ("two addresses", |s| {
            s.windows[0].registers[1].address = 2;
            s.windows[0].registers[2].address = 1;
        }),
        ("a width", |s| s.windows[0].registers[7].fields[0].width = 5),
        ("a smaller width", |s| s.windows[0].registers[5].fields[0].width = 7),
        ("a place in the word", |s| s.windows[0].registers[0].fields[2].lsb = 7),
        ("a reset value", |s| s.windows[0].registers[6].fields[0].reset = 5),
        ("a least value", |s| s.windows[0].registers[2].fields[0].at_least = None),
        ("saturation", |s| s.windows[0].registers[8].fields[0].saturates = false),
        ("a counter", |s| s.windows[0].registers[12].address = 130),
    ];
    assert!(check(&right).is_ok());
    for (what, change) in change {
        let mut wrong = right.clone();
        change(&mut wrong);
        assert!(check(&wrong).is_err(), "{what}");
    }
}
