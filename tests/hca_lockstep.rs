//! The adapter's RTL against its golden model on random traffic of a lively neighbour and host: every output and every
//! state word, every cycle.
#![cfg(feature = "rtl")]

use crate::extent::pick;
use quell::model;
use quell::params::{Build, UnitKind, builds};
use quell::signals::{Group, Layout, ctl_bits};
use quell::verilated::Model;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// 0..n
    fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) as usize) % n.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The inputs of one cycle.
struct Pins<'a> {
    layout: &'a Layout,
    words: Vec<u32>,
}

impl Pins<'_> {
    fn set(&mut self, name: &str, value: usize) {
        self.words[self.layout.input(name)] = value as u32;
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        let at = self.layout.input(name);
        for (i, chunk) in bytes.chunks(4).enumerate() {
            self.words[at + i] = chunk.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
        }
    }
}

/// Percentages and ranges of one stretch of cycles.
struct Mood {
    gen_: usize,
    dma: usize,
    host: usize,
    rx: usize,
    gap: usize,
    fault: usize,
    window: usize,
    message: usize,
    fecn: usize,
    becn: usize,
    cnp: usize,
    few: usize,
    cfg: usize,
}

impl Mood {
    fn new(r: &mut Rng) -> Mood {
        Mood {
            gen_: r.pick(&[0, 5, 20, 60, 100]),
            dma: r.pick(&[10, 60, 100, 100]),
            host: r.pick(&[0, 30, 100, 100]),
            rx: r.pick(&[0, 10, 50, 100]),
            gap: r.pick(&[0, 0, 30]),
            fault: r.pick(&[0, 0, 1, 10]),
            window: r.pick(&[0, 1, 4, 8, 1000]),
            message: r.pick(&[0, 1, 10, 50]),
            fecn: r.pick(&[0, 20, 100]),
            becn: r.pick(&[0, 10, 60]),
            cnp: r.pick(&[0, 10, 60]),
            few: r.pick(&[1, 2, 64]),
            cfg: r.pick(&[0, 0, 1, 5]),
        }
    }
}

struct Run<'a> {
    build: &'a Build,
    layout: Layout,
    r: Rng,
    lid: usize,
    lid_base: usize,
    /// Of the packet on the rx pins: flits still to come, and whether it ends with `last`.
    rx_left: usize,
    rx_ends: bool,
    /// Cycles for which the link is still down.
    down: usize,
    mood: Mood,
}

impl Run<'_> {
    fn config(&mut self, pins: &mut Pins, first: Option<usize>) {
        let p = &self.build.params;
        let r = &mut self.r;
        let (cap, cct) = (p.cap(0), p.cct);
        let other_lid = 1 + r.below(p.lft_depth - 1);
        // (unit, address, value)
        let list = [
            (0, 0, r.pick(&[0, 1, 1, 1, 3])),
            (0, 1, r.pick(&[1, 2, p.mtu, 2 * p.mtu, cap / 2])),
            (0, 2, r.pick(&[0, 1, p.mtu])),
            (0, 4, r.below(5)),
            (0, 7, r.pick(&[3, 40, 255])),
            (0, 8, r.pick(&[0, 20])),
            (1, 0, r.pick(&[0, 2, 2, 3, 7, 11])),
            (1, 6, r.below(5)),
            (1, 7, r.below(4)),
            (1, 8, r.pick(&[3, 60, 255])),
            (2, 0, r.below(32)),
            (2, 1, r.below(4)),
            (2, 2, r.pick(&[cct - 1, cct / 2])),
            (2, 3, r.below(2)),
            (2, 4, r.below(4)),
            (2, 5, r.below(8)),
            (2, 6, r.below(4)),
            (3, 0, r.pick(&[0, 1, 1])),
            (3, 1, r.pick(&[self.lid, other_lid])),
            (3, 2, r.pick(&[1, 1, 1, 2, 3, 65534])),
            (3, 3, r.below(6)),
            (3, 10, r.below(128)),
            (4, 1, 77),
            (0, 10, r.below(65536)),
            (1, 10, r.below(65536)),
            (2, 10, r.below(65536)),
        ];
        let (unit, addr, data) = match first {
            Some(i) if i < list.len() => list[i],
            _ => r.pick(&list),
        };
        if unit == 3 && addr == 1 {
            self.lid = data;
        }
        if unit == 3 && addr == 2 {
            self.lid_base = data;
        }
        pins.set("cfg_we", 1);
        pins.set("cfg_unit", unit);
        pins.set("cfg_addr", addr);
        pins.set("cfg_data", data);
        pins.set("cct_we", 1);
        pins.set("cct_addr", r.below(cct + 1));
        pins.set("cct_data", r.pick(&[0, 1, 3, 20, 0x4003, 0x8002]));
        pins.set("attr_we", 1);
        pins.set("attr_flow", r.below(p.flows + 1));
        pins.set("attr_sl", r.below(16));
    }

    fn dlid(&mut self) -> usize {
        (self.lid_base + self.r.below(self.build.params.flows.min(self.mood.few))) & 0xffff
    }

    fn rx(&mut self, pins: &mut Pins) {
        let p = self.build.params;
        let fault = self.r.chance(self.mood.fault);
        let mut first = false;
        if self.rx_left == 0 || (fault && self.r.chance(20)) {
            if !self.r.chance(self.mood.rx) {
                return;
            }
            first = !(fault && self.r.chance(20));
            self.rx_left = 1 + self.r.below(p.mtu);
            self.rx_ends = !(fault && self.r.chance(20));
        } else if self.r.chance(self.mood.gap) {
            return;
        }
        let mut data: Vec<u8> = (0..p.flit_bytes).map(|_| self.r.next() as u8).collect();
        let r = &mut self.r;
        let mut last = self.rx_left == 1 && self.rx_ends;
        if fault && r.chance(10) {
            last = !last;
        }
        if first {
            let mut n = self.rx_left;
            if fault && r.chance(30) {
                n = r.pick(&[0, 1, n + 1, p.mtu + 1, 127]);
            }
            let words = if n == 0 { 0 } else { 16 * n - r.below(16) };
            let vl = if fault && r.chance(20) { r.below(16) } else { r.below(p.vls) };
            let lnh = r.pick(&[2, 2, 2, 2, 2, 3, 0, 1]);
            let dlid = match r.below(if fault { 4 } else { 12 }) {
                0 => 0xc000 + r.below(100),
                1 if fault => r.below(65536),
                _ => self.lid,
            };
            let flows = p.flows + if r.chance(5) { 3 } else { 0 };
            let slid = (self.lid_base + r.below(flows)) & 0xffff;
            let slid = if r.chance(2) { slid.wrapping_sub(10) } else { slid };
            data[0] = (vl << 4) as u8;
            data[1] = (r.below(16) << 4 | lnh) as u8;
            data[2..4].copy_from_slice(&(dlid as u16).to_be_bytes());
            data[4..6].copy_from_slice(&(words as u16 | (r.below(32) << 11) as u16).to_be_bytes());
            data[6..8].copy_from_slice(&(slid as u16).to_be_bytes());
            let any = r.below(256);
            let opcode = if r.chance(self.mood.cnp) { 0x80 } else { r.pick(&[4, 4, 4, 0x11, 0x31, any]) };
            let mark = u8::from(r.chance(self.mood.fecn)) << 7 | u8::from(r.chance(self.mood.becn)) << 6;
            for at in [8, 48] {
                if at + 5 < p.flit_bytes {
                    data[at] = opcode as u8;
                    data[at + 4] = mark;
                }
            }
            if p.srp {
                self.reservation(&mut data, vl);
                last = self.rx_left == 1 && self.rx_ends;
            }
        }
        let r = &mut self.r;
        pins.set("rx_valid", 1);
        pins.set("rx_first", usize::from(first));
        pins.set("rx_last", usize::from(last));
        pins.set("rx_bad", usize::from(last && r.chance(self.mood.fault)));
        pins.bytes("rx_data", &data);
        self.rx_left -= 1;
        if last {
            self.rx_left = 0;
        }
    }

    /// Makes of a first flit one of the reservation protocol, mostly on the lane that is its own.
    fn reservation(&mut self, data: &mut [u8], vl: usize) {
        let p = self.build.params;
        let r = &mut self.r;
        let spec = p.vls - 3;
        let wrong = r.chance(self.mood.fault);
        let codes: &[u8] = match vl {
            _ if wrong => &[0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 4],
            v if v < spec => &[4, 0xc5],
            v if v == spec => &[0xc4],
            v if v == spec + 1 => &[0xc0],
            _ => &[0xc1, 0xc2, 0xc3],
        };
        data[8] = r.pick(codes);
        if vl > spec && !wrong {
            data[1] = data[1] & 0xf0 | 2;
            (data[4], data[5]) = (0, 16);
            self.rx_left = 1;
        } else if vl == spec && !wrong {
            data[1] = data[1] & 0xf0 | 2;
        }
        // chunk, packet, size, age, wait
        data[20] = r.below(6) as u8;
        data[21] = r.below(p.nmax + 1) as u8;
        let (size, wait) = (r.below(p.nmax * p.mtu + 2), r.below(400));
        data[24..26].copy_from_slice(&(size as u16).to_be_bytes());
        data[28..32].copy_from_slice(&(wait as u32).to_be_bytes());
    }

    fn control_word(&mut self, pins: &mut Pins, state: &[u32]) {
        let p = self.build.params;
        let mut ctl = vec![0u8; ctl_bits(&p) / 8];
        let wild = self.r.chance(self.mood.fault) && self.r.chance(20);
        if self.r.chance(40) {
            let v = if wild { self.r.below(256) } else { self.r.below(p.vls) };
            let txr = state[self.layout.state("st_txr") + v.min(p.vls - 1)] as usize;
            let limit = txr + self.r.below(self.mood.window + 1);
            ctl[0] |= 2;
            ctl[4] = v as u8;
            ctl[5] = (limit >> 8 & 15) as u8;
            ctl[6] = limit as u8;
        }
        if self.r.chance(10) {
            let v = if wild { self.r.below(256) } else { self.r.below(p.vls) };
            let abr = state[self.layout.state("st_rx_abr") + v.min(p.vls - 1)] as usize;
            let abr = if wild { self.r.below(4096) } else { abr };
            ctl[0] |= 1;
            ctl[1] = v as u8;
            ctl[2] = (abr >> 8 & 15) as u8;
            ctl[3] = abr as u8;
        }
        if self.r.chance(self.mood.message) {
            ctl[0] |= 4 | (self.r.pick(&[0, 0, 1, 2, 2, 2, 3]) << 3) | (self.r.below(2) << 5) as u8;
            ctl[8] = self.r.below(p.lines + usize::from(wild)) as u8;
            ctl[9] = self.r.below(p.vls + usize::from(wild)) as u8;
            ctl[10] = self.r.below(64) as u8;
            ctl[11] = self.r.below(p.dlist + 2) as u8;
            for b in &mut ctl[12..15] {
                *b = self.r.next() as u8;
            }
            for j in 0..p.dlist {
                let dlid = self.dlid() as u16;
                ctl[16 + 2 * j..18 + 2 * j].copy_from_slice(&dlid.to_be_bytes());
            }
        }
        pins.bytes("rx_ctl", &ctl);
    }

    fn inputs(&mut self, cycle: usize, start: usize, state: &[u32]) -> Vec<u32> {
        let layout = self.layout.clone();
        let p = self.build.params;
        let mut pins = Pins { layout: &layout, words: layout.idle() };
        if cycle.is_multiple_of(500) {
            self.mood = Mood::new(&mut self.r);
        }
        let since = cycle as isize - start as isize;
        if (0..26).contains(&since) {
            self.config(&mut pins, Some(since as usize));
        } else if self.r.chance(self.mood.cfg) && self.r.chance(20) {
            self.config(&mut pins, None);
        }
        if since >= 0 && (since as usize) < p.lft_depth || self.r.below(1000) == 0 {
            pins.set("lft_we", 1);
            pins.set("lft_addr", since.max(0) as usize % p.lft_depth);
            pins.set("lft_port", usize::from(since > 200 && self.r.below(4) == 0));
        }
        if self.r.chance(self.mood.gen_) {
            let wrong = usize::from(self.r.chance(self.mood.fault));
            let flow = self.r.below(p.flows.min(self.mood.few) + wrong);
            let len = 1 - wrong + self.r.below(p.mtu + wrong);
            pins.set("gen_valid", 1);
            pins.set("gen_flow", flow);
            pins.set("gen_len", len);
            pins.set("gen_psn", self.r.below(1 << 24));
            if p.srp {
                pins.set("gen_pkts", 1 - wrong + self.r.below(3 * p.nmax));
            }
        }
        if self.r.chance(self.mood.dma) {
            pins.set("dma_ready", 1);
        }
        let data: Vec<u8> = (0..p.flit_bytes).map(|_| self.r.next() as u8).collect();
        pins.bytes("dma_data", &data);
        pins.set("host_ready", usize::from(self.r.chance(self.mood.host)));
        self.rx(&mut pins);
        self.control_word(&mut pins, state);
        if self.r.below(600) == 0 {
            self.down = 1 + self.r.below(20);
        }
        pins.set("link_up", usize::from(self.down == 0));
        self.down = self.down.saturating_sub(1);
        pins.words
    }
}

/// Runs both sides; Ok with what happened, Err with the first difference.
fn lockstep(build: &Build, seed: u64, cycles: usize) -> Result<Vec<(&'static str, u32)>, String> {
    let layout = Layout::new(build.unit, &build.params);
    let mut rtl = Model::new(build, seed)?;
    let mut golden = model::new(build.unit, &build.params)?;
    rtl.reset();
    golden.reset();
    let mut r = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mood = Mood::new(&mut r);
    let mut run = Run {
        build,
        layout: layout.clone(),
        r,
        lid: 3,
        lid_base: 1,
        rx_left: 0,
        rx_ends: true,
        down: 0,
        mood,
    };
    let start = build.params.init_cycles(UnitKind::Hca);
    let (mut ro, mut rs) = (vec![0; layout.out_words], vec![0; layout.state_words]);
    let (mut go, mut gs) = (ro.clone(), rs.clone());
    for cycle in 0..cycles {
        golden.outputs(&[], &mut go);
        golden.state(&mut gs);
        let input = run.inputs(cycle, start, &gs);
        let fired = rtl.cycle(&input, &mut ro, &mut rs);
        for (group, a, b) in [(Group::Output, &ro, &go), (Group::State, &rs, &gs)] {
            if a != b {
                let mut text = format!("{} seed {seed} cycle {cycle}:", build.name);
                for i in (0..a.len()).filter(|&i| a[i] != b[i]) {
                    let (s, e) = layout.owner(group, i).expect("every word has an owner");
                    text += &format!("\n  {}[{e}] word {i}: RTL {:x}, golden {:x}", s.name, a[i], b[i]);
                }
                return Err(text);
            }
        }
        if let Err(e) = fired {
            return Err(format!("{} seed {seed} cycle {cycle}: checker: {}", build.name, e.message));
        }
        golden.step(&input);
    }
    let mut seen: Vec<(&'static str, u32)> = ["st_cnt_cnp", "st_cnt_cnp_lost", "st_cnt_becn", "st_cnt_rcv"]
        .iter()
        .map(|&n| (n, gs[layout.state(n)]))
        .collect();
    for n in ["err", "err_in", "err_out", "err_thr"] {
        seen.push((n, go[layout.output(n)]));
    }
    for (point, &n) in golden.cover_points().iter().zip(golden.cover()) {
        seen.push((point.name, n.min(u64::from(u32::MAX)) as u32));
    }
    Ok(seen)
}

#[test]
fn adapter_equals_its_golden_model() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |v| v.parse().expect("a number"));
    let (seeds, cycles): (u64, usize) = (number("SEEDS", pick(2, 4)), number("CYCLES", 4000) as usize);
    let from = number("FROM", 0);
    let mut faults = Vec::new();
    for build in builds().iter().filter(|b| b.unit == UnitKind::Hca) {
        let mut totals: Vec<(&'static str, u32)> = Vec::new();
        for seed in from..from + seeds {
            match lockstep(build, seed, cycles) {
                Ok(seen) => {
                    for (i, (n, v)) in seen.into_iter().enumerate() {
                        if totals.len() <= i {
                            totals.push((n, 0));
                        }
                        totals[i].1 = if n.starts_with("err") {
                            totals[i].1 | v
                        } else {
                            totals[i].1.saturating_add(v)
                        };
                    }
                }
                Err(text) => {
                    if faults.len() < 5 {
                        faults.push(text);
                    }
                }
            }
        }
        println!("{}: {totals:x?}", build.name);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
