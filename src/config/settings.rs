//! Every value, where it comes from, and what follows from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::cct::{self, Cct};
use super::error::Origin;
use super::keys::{KEYS, Key, Measure, Need, find};
use super::law::GRAN_US;
use super::value::{self, Clock, Mask};
use crate::params::{Build, Params, UnitKind};
use crate::scheme::organisation::Sizes;
use crate::scheme::{Marking, Notification, Organisation, Response, Scheme};

/// Nanoseconds in the unit of CCTI_Timer.
pub const CCTI_TIMER_UNIT_NS: f64 = 1024.0;

/// Routes of section `[lft]`: DLIDs `first..=last` to an output port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// First DLID.
    pub first: u16,
    /// Last DLID.
    pub last: u16,
    /// Output port; 255 = no route.
    pub port: u8,
    /// Who says so.
    pub origin: Origin,
}

fn yes() -> bool {
    true
}

fn is_true(b: &bool) -> bool {
    *b
}

fn is_false(b: &bool) -> bool {
    !b
}

fn one() -> u32 {
    1
}

/// The usual value of a number.
fn number<const N: u32>() -> u32 {
    N
}

fn is_number<const N: u32>(n: &u32) -> bool {
    *n == N
}

/// The usual value of a size.
fn size<const N: usize>() -> usize {
    N
}

fn is_size<const N: usize>(n: &usize) -> bool {
    *n == N
}

fn two() -> u32 {
    2
}

fn is_2(n: &u32) -> bool {
    *n == 2
}

fn three() -> u32 {
    3
}

fn is_3(n: &u32) -> bool {
    *n == 3
}

fn eight() -> u32 {
    8
}

fn is_8(n: &u32) -> bool {
    *n == 8
}

/// Reset value of SEVMAP.
fn becn_is_hot() -> u32 {
    0xaa00
}

fn is_becn_hot(n: &u32) -> bool {
    *n == becn_is_hot()
}

/// Entries of an adapter's table, if nobody says how many.
fn cct_entries() -> usize {
    128
}

fn is_cct_entries(n: &usize) -> bool {
    *n == cct_entries()
}

fn is_0(n: &u32) -> bool {
    *n == 0
}

fn is_1(n: &u32) -> bool {
    *n == 1
}

/// Everything adjustable. Lengths in flits and times in cycles unless [`KEYS`] says otherwise. What is not set (None) is
/// said by another setting, by the network, or by the stimulus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // each field is the setting of the same name: KEYS has a text for it
pub struct Config {
    pub scheme: Scheme,
    // sizes
    pub mtu: usize,
    pub blocks: usize,
    pub hca_blocks: usize,
    pub rx_blocks: usize,
    pub hpqs: usize,
    pub lines: usize,
    pub dlist: usize,
    pub lft_depth: usize,
    pub flows: usize,
    pub vls: usize,
    #[serde(default, skip_serializing_if = "is_false")]
    pub ctl_vl: bool,
    #[serde(default, skip_serializing_if = "is_0")]
    pub up: u32,
    pub sls: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flow_sl: Vec<u8>,
    pub iterations: usize,
    pub advoq: usize,
    pub cnpq: usize,
    // detection, isolation
    pub hth: u32,
    pub lth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum_hth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum_lth: Option<u32>,
    pub stop: u32,
    pub go: u32,
    pub detect: u32,
    pub hold: u32,
    pub weight: i32,
    pub cold_first: bool,
    pub line_timer: u32,
    pub refresh: u32,
    // marking
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub marking: bool,
    pub eval: u32,
    pub mark_mode: u32,
    pub marking_rate: u32,
    pub mark_fraction: u32,
    pub packet_size: u32,
    pub victim_hosts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub victim_mask: Option<Mask>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub root_now: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill_level: Option<u32>,
    #[serde(default = "eight", skip_serializing_if = "is_8")]
    pub out_th: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mb_th: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vb_th: Option<u32>,
    #[serde(default, skip_serializing_if = "is_0")]
    pub sched: u32,
    #[serde(default, skip_serializing_if = "is_0")]
    pub bypass: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamp_w: Option<u32>,
    // output queues
    #[serde(default, skip_serializing_if = "is_false")]
    pub cioq: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oblocks: Option<usize>,
    #[serde(default = "one", skip_serializing_if = "is_1")]
    pub xb_interval: u32,
    // readings of the papers
    #[serde(default, skip_serializing_if = "is_0")]
    pub cnp_priority: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub cnp_queued: bool,
    #[serde(default = "one", skip_serializing_if = "is_1")]
    pub becn_per: u32,
    #[serde(default, skip_serializing_if = "is_0")]
    pub release: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub root_queue: bool,
    #[serde(default, skip_serializing_if = "is_0")]
    pub inject: u32,
    // throttling
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub throttling: bool,
    pub sl_mode: bool,
    pub timer_per_sl: bool,
    pub restart: bool,
    pub ccti_increase: u32,
    pub ccti_limit: u32,
    pub ccti_min: u32,
    pub ccti_timer: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_cycles: Option<u32>,
    #[serde(default = "cct_entries", skip_serializing_if = "is_cct_entries")]
    pub cct_size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cct_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cct: Option<Cct>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub cct_relative: bool,
    // windows
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub windows: bool,
    #[serde(default = "one", skip_serializing_if = "is_1")]
    pub wmax: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub dynamic_window: bool,
    #[serde(default, skip_serializing_if = "is_0")]
    pub law: u32,
    #[serde(default = "eight", skip_serializing_if = "is_8")]
    pub rmin_exp: u32,
    #[serde(default = "three", skip_serializing_if = "is_3")]
    pub ws_steps: u32,
    #[serde(default = "two", skip_serializing_if = "is_2")]
    pub ws_base: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt_min: Option<u32>,
    #[serde(default = "becn_is_hot", skip_serializing_if = "is_becn_hot")]
    pub sevmap: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub from_ack: bool,
    #[serde(default, skip_serializing_if = "is_0")]
    pub pause_unit: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub reset_empty: bool,
    // reservation
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub srp_en: bool,
    #[serde(default = "number::<16>", skip_serializing_if = "is_number::<16>")]
    pub nmax: u32,
    #[serde(default = "number::<4>", skip_serializing_if = "is_number::<4>")]
    pub nmin: u32,
    #[serde(default = "number::<3277>", skip_serializing_if = "is_number::<3277>")]
    pub eps: u32,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub rtt_comp: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub spec_off: bool,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub drop_en: bool,
    #[serde(default = "number::<203>", skip_serializing_if = "is_number::<203>")]
    pub ttw: u32,
    #[serde(default = "size::<512>", skip_serializing_if = "is_size::<512>")]
    pub data_blocks: usize,
    #[serde(default = "size::<512>", skip_serializing_if = "is_size::<512>")]
    pub spec_blocks: usize,
    #[serde(default = "size::<64>", skip_serializing_if = "is_size::<64>")]
    pub ctl_blocks: usize,
    #[serde(default = "size::<8>", skip_serializing_if = "is_size::<8>")]
    pub msgq: usize,
    #[serde(default = "size::<16>", skip_serializing_if = "is_size::<16>")]
    pub repq: usize,
    #[serde(default = "size::<32>", skip_serializing_if = "is_size::<32>")]
    pub now_w: usize,
    // pace, flow control
    #[serde(default = "one", skip_serializing_if = "is_1")]
    pub rd_interval: u32,
    pub fc_interval: u32,
    // single units
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rx_interval: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tx_interval: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inject_interval: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rx_timeout: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lhp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub be_mask: Option<u32>,
    /// Routes of a single unit; empty: the stimulus chooses.
    #[serde(skip)]
    pub lft: Vec<Route>,
    /// Adapters of the network; None: of a unit.
    #[serde(skip)]
    pub(super) hosts: Option<usize>,
    /// UP1: what the draws of a run begin with.
    #[serde(skip)]
    pub run_seed: u64,
    /// Remarks that a person should see; not errors.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Where values come from that are not defaults.
    #[serde(skip)]
    pub(super) origins: BTreeMap<String, Origin>,
}

impl Config {
    /// The papers' parameters of a scheme, for a network of `hosts` adapters.
    pub fn new(scheme: Scheme, hosts: usize) -> Config {
        let mut config = Config::plain(scheme, hosts);
        config.catalogue(u32::MAX);
        config
    }

    /// A configuration of one unit: sizes are those of its build, the rest fits them.
    pub fn of_build(scheme: Scheme, build: &Build) -> Config {
        let p = &build.params;
        let (cap, mtu) = (p.cap(0) as u32, p.mtu as u32);
        // In a buffer too small for the papers' thresholds one MTU below full, and one below that.
        let small = if cap > mtu + 1 { cap - mtu } else { cap - 1 };
        let hth = if 6 * mtu < cap { 6 * mtu } else { small };
        // MSGQ of a wormhole adapter is another thing, the length of its queues, and no setting.
        let msgq_is_set = find("msgq").is_some_and(|k| k.parameter_of(build.unit).is_some());
        let mut config = Config {
            mtu: p.mtu,
            blocks: p.blocks,
            hca_blocks: p.blocks,
            rx_blocks: p.rx_blocks,
            hpqs: p.hpqs,
            lines: p.lines,
            dlist: p.dlist,
            lft_depth: p.lft_depth,
            flows: p.flows,
            vls: p.vls,
            iterations: p.iterations,
            advoq: p.advoq,
            cnpq: p.cnpq,
            hth,
            lth: low(hth, mtu),
            detect: (4 * mtu).min(cap - 1),
            hold: mtu,
            line_timer: ((1u64 << p.timer_w) - 1) as u32,
            refresh: 0,
            packet_size: 8,
            victim_hosts: false,
            ccti_limit: (p.cct as u32 - 1).min(127),
            cct_size: p.cct,
            ctl_vl: p.ctl_vl,
            nmax: p.nmax as u32,
            data_blocks: p.data_blocks,
            spec_blocks: p.spec_blocks,
            ctl_blocks: p.ctl_blocks,
            msgq: if msgq_is_set { p.msgq } else { Params::default().msgq },
            repq: p.repq,
            now_w: p.now_w,
            up: p.random_up.into(),
            cycle_ns: Some(12.8),
            rx_interval: Some(1),
            tx_interval: Some(1),
            inject_interval: Some(1),
            rx_timeout: Some(1024),
            port: Some(1),
            switch_id: Some(0),
            lhp: Some(64),
            hosts: None,
            ..Config::plain(scheme, 2)
        };
        config.catalogue(cap - 1);
        config
    }

    /// Without what the scheme's row says.
    fn plain(scheme: Scheme, hosts: usize) -> Config {
        let mtu = 32;
        let Sizes { vls, blocks, hca_blocks, rx_blocks, hpqs, lines, dlist, flows } =
            scheme.organisation.sizes(hosts);
        Config {
            scheme,
            mtu,
            blocks,
            hca_blocks,
            rx_blocks,
            hpqs,
            lines,
            dlist,
            lft_depth: (hosts + 1).next_power_of_two().max(128),
            flows,
            vls,
            ctl_vl: false,
            up: 0,
            sls: 1,
            flow_sl: Vec::new(),
            iterations: 2,
            advoq: 8,
            cnpq: 16,
            hth: 6 * mtu as u32,
            lth: 4 * mtu as u32,
            sum_hth: None,
            sum_lth: None,
            stop: 0,
            go: 0,
            detect: 4 * mtu as u32,
            hold: mtu as u32,
            weight: -1,
            cold_first: false,
            line_timer: 20_000,
            refresh: 5_000,
            marking: true,
            eval: 0,
            mark_mode: 0,
            marking_rate: 1,
            mark_fraction: 256,
            packet_size: 0,
            victim_hosts: true,
            victim_mask: None,
            root_now: false,
            fill_level: None,
            out_th: 8,
            mb_th: None,
            vb_th: None,
            sched: 0,
            bypass: 0,
            stamp_w: None,
            cioq: false,
            oblocks: None,
            xb_interval: 1,
            cnp_priority: 0,
            cnp_queued: false,
            becn_per: 1,
            release: 0,
            root_queue: false,
            inject: 0,
            throttling: true,
            sl_mode: false,
            timer_per_sl: false,
            restart: false,
            ccti_increase: 1,
            ccti_limit: 127,
            ccti_min: 0,
            ccti_timer: 150,
            tick_cycles: None,
            cct_size: cct_entries(),
            cct_us: Some(GRAN_US),
            cct: None,
            cct_relative: false,
            windows: true,
            wmax: 1,
            dynamic_window: false,
            law: 0,
            rmin_exp: eight(),
            ws_steps: three(),
            ws_base: two(),
            rtt_min: None,
            sevmap: becn_is_hot(),
            from_ack: false,
            pause_unit: 0,
            reset_empty: false,
            srp_en: true,
            nmax: number::<16>(),
            nmin: number::<4>(),
            eps: number::<3277>(),
            rtt_comp: true,
            spec_off: false,
            drop_en: true,
            ttw: number::<203>(),
            data_blocks: size::<512>(),
            spec_blocks: size::<512>(),
            ctl_blocks: size::<64>(),
            msgq: size::<8>(),
            repq: size::<16>(),
            now_w: size::<32>(),
            rd_interval: 1,
            fc_interval: 4,
            cycle_ns: None,
            rx_interval: None,
            tx_interval: None,
            inject_interval: None,
            rx_timeout: None,
            port: None,
            switch_id: None,
            lhp: None,
            be_mask: None,
            lft: Vec::new(),
            hosts: Some(hosts),
            run_seed: 0,
            notes: Vec::new(),
            origins: BTreeMap::new(),
        }
    }

    /// Puts the settings of the scheme's row on top; its thresholds only if none is beyond `most` flits.
    fn catalogue(&mut self, most: u32) {
        let clock = Clock { mtu: self.mtu, cycle_ps: None, hosts: self.hosts };
        let row = self.scheme.settings.iter().map(|(name, text)| {
            let key = find(name).expect("the catalogue has settings that there are");
            (key, value::read(key, &value::of_text(text), &clock).expect("and legal values"))
        });
        let row: Vec<(&Key, Value)> = row.collect();
        let threshold = |key: &Key| key.measure == Measure::Flits;
        let fits = |(key, v): &(&Key, Value)| !threshold(key) || v.as_integer() <= Some(most.into());
        let all = row.iter().all(fits);
        let origin = Origin::Scheme(self.scheme);
        for (key, v) in row.into_iter().filter(|(key, _)| all || !threshold(key)) {
            self.put(key, v, origin.clone());
        }
    }

    /// Every setting that has a value, as TOML has it.
    pub fn values(&self) -> toml::Table {
        let mut values = toml::Table::try_from(self).expect("settings are plain data");
        // A report lists them only where they are not as usual.
        let flags = [
            ("marking", self.marking),
            ("throttling", self.throttling),
            ("cct_relative", self.cct_relative),
            ("cnp_queued", self.cnp_queued),
            ("root_queue", self.root_queue),
            ("windows", self.windows),
            ("dynamic_window", self.dynamic_window),
            ("from_ack", self.from_ack),
            ("reset_empty", self.reset_empty),
            ("cioq", self.cioq),
            ("ctl_vl", self.ctl_vl),
            ("root_now", self.root_now),
        ];
        values.extend(flags.map(|(name, on)| (name.to_string(), Value::Boolean(on))));
        let numbers = [
            ("cnp_priority", self.cnp_priority),
            ("up", self.up),
            ("becn_per", self.becn_per),
            ("release", self.release),
            ("inject", self.inject),
            ("out_th", self.out_th),
            ("sched", self.sched),
            ("bypass", self.bypass),
            ("rd_interval", self.rd_interval),
            ("xb_interval", self.xb_interval),
            ("wmax", self.wmax),
            ("law", self.law),
            ("rmin_exp", self.rmin_exp),
            ("ws_steps", self.ws_steps),
            ("ws_base", self.ws_base),
            ("sevmap", self.sevmap),
            ("pause_unit", self.pause_unit),
        ];
        let (flags, counts) = (self.reservation_flags(), self.reservation_counts());
        values.extend(flags.map(|(name, on)| (name.to_string(), Value::Boolean(on))));
        values.extend(counts.map(|(name, n)| (name.to_string(), Value::Integer(n as i64))));
        values.insert("cct_size".into(), Value::Integer(self.cct_size as i64));
        values.extend(numbers.map(|(name, n)| (name.to_string(), Value::Integer(n.into()))));
        values
    }

    /// Stores a value that [`value::read`] has made.
    pub(super) fn put(&mut self, key: &Key, v: Value, origin: Origin) {
        let mut values = self.values();
        if let Some(other) = key.instead_of() {
            values.remove(other);
            self.origins.remove(other);
        }
        values.insert(key.name.into(), v);
        let new: Config = values.try_into().expect("the reader makes what the field takes");
        let own = std::mem::take(&mut self.origins);
        let (lft, notes) = (std::mem::take(&mut self.lft), std::mem::take(&mut self.notes));
        *self = Config { lft, hosts: self.hosts, notes, origins: own, ..new };
        self.origins.insert(key.name.into(), origin);
    }

    /// Where the value of a setting comes from.
    pub fn origin(&self, name: &str) -> Origin {
        self.origins.get(name).cloned().unwrap_or_default()
    }

    /// A study, a file or the command line has set it.
    pub fn said(&self, name: &str) -> bool {
        self.origins.get(name).is_some_and(Origin::said)
    }

    /// The switches mark.
    pub fn marks(&self) -> bool {
        self.scheme.marking != Marking::None && self.marking
    }

    /// SM1: the level above which an input buffer of a switch is full.
    pub fn full(&self) -> u32 {
        self.fill_level.unwrap_or(self.cap() - (self.mtu as u32).div_ceil(2))
    }

    /// Flits of a switch's input buffer that a VL owns.
    pub fn cap(&self) -> u32 {
        if self.reserves() { self.data_blocks as u32 } else { (self.blocks / self.vls) as u32 }
    }

    /// The adapters throttle.
    pub fn delays(&self) -> bool {
        self.scheme.response == Response::Delay && self.throttling
    }

    /// The adapters answer data with ACKs.
    pub fn acks(&self) -> bool {
        self.scheme.notification == Notification::Ack
    }

    /// ACKs that may wait at an adapter for the others' windows (AK4).
    pub fn acks_waiting(&self) -> usize {
        if self.acks() { self.hosts.unwrap_or(1).saturating_sub(1) * self.wmax as usize } else { 0 }
    }

    /// Replies that an adapter holds for a VL: as many as there may be, if nobody says how many.
    fn replies(&self) -> usize {
        if self.said("cnpq") {
            self.cnpq
        } else {
            self.cnpq.max(self.acks_waiting().next_power_of_two().min(4096))
        }
    }

    /// SL of a flow.
    pub fn sl(&self, flow: usize) -> u8 {
        match self.flow_sl.len() {
            0 => (flow % self.sls) as u8,
            n => self.flow_sl[flow % n],
        }
    }

    /// A port of a switch marks without credits; ports count from 0.
    pub fn victim(&self, port: usize, leads_to_host: bool) -> bool {
        self.victim_hosts && leads_to_host || self.victim_mask.is_some_and(|m| m.has(port + 1))
    }

    /// Parameters of a switch with `ports` ports.
    pub fn switch_params(&self, ports: usize) -> Params {
        let p = self.scheme.build(Params {
            ports,
            vls: self.vls,
            mtu: self.mtu,
            blocks: self.blocks,
            hpqs: self.hpqs,
            lines: self.lines,
            dlist: self.dlist,
            lft_depth: self.lft_depth,
            flit_bytes: 32,
            timer_w: 32,
            // Without one read port an input has no match of several rounds.
            iterations: if self.scheme.organisation == Organisation::OneQueue { self.iterations } else { 1 },
            rx_blocks: self.rx_blocks,
            ..Params::default()
        });
        let p = match self.stamps() {
            0 => p,
            // Ages are those of cold queues.
            stamp_w => Params { stamp_w, isolation: false, ..p },
        };
        let p = match self.controls() {
            true => Params { ctl_vl: true, isolation: false, ..p },
            false => p,
        };
        let p = match self.draws_up() {
            true => Params { random_up: true, isolation: false, ..p },
            false => p,
        };
        let p = match self.queues() {
            false => p,
            true => {
                Params { cioq: true, isolation: false, oblocks: self.oblocks.unwrap_or(self.blocks), ..p }
            }
        };
        if self.reserves() { self.reserving_switch(p) } else { p }
    }

    /// CL1: replies have a lane of their own.
    pub fn controls(&self) -> bool {
        self.ctl_vl && Need::Voqs.met(&self.scheme)
    }

    /// Packets of a pair may overtake each other.
    pub fn any_order(&self) -> bool {
        self.reserves() || self.draws_up()
    }

    /// The same for a run with this seed.
    pub fn of_run(&self, seed: u64) -> Config {
        Config { run_seed: seed, ..self.clone() }
    }

    /// UP1: ways up are drawn.
    pub fn draws_up(&self) -> bool {
        self.up == 1 && Need::Voqs.met(&self.scheme)
    }

    /// CQ1: outputs of switches have queues.
    pub fn queues(&self) -> bool {
        self.cioq && Need::Voqs.met(&self.scheme)
    }

    /// What of the flits that wait for an output VM2 has a share of: an output's queue, or what an input has.
    pub fn waiting(&self) -> u32 {
        if self.queues() { self.switch_params(1).ocap() as u32 } else { self.cap() }
    }

    /// Bits of the ages of packets; 0: nothing asks for them.
    fn stamps(&self) -> usize {
        let used = (self.sched == 1 || self.bypass > 0) && Need::Voqs.met(&self.scheme);
        if used { self.stamp_w.unwrap_or(24) as usize } else { 0 }
    }

    /// Parameters of an adapter.
    pub fn hca_params(&self) -> Params {
        let p = Params {
            blocks: self.hca_blocks,
            one_queue: false,
            markers: false,
            stamp_w: 0,
            cioq: false,
            random_up: false,
            flows: self.flows,
            cct: self.cct_size,
            advoq: self.advoq,
            cnpq: self.replies(),
            response: self.scheme.response == Response::Window,
            ..self.switch_params(1)
        };
        if self.reserves() { self.reserving_adapter(p) } else { p }
    }

    /// The congestion control table of `len` entries, or as many as it is given with; `packet`: cycles of an MTU packet.
    pub fn table(&self, len: usize, cycle_ps: f64, packet: u64) -> cct::Table {
        let of = |us: &mut dyn Iterator<Item = f64>| {
            cct::of_times(us.map(|us| us * 1e6 / cycle_ps), packet, !self.cct_relative)
        };
        let formula = self.cct_us.unwrap_or_default();
        match &self.cct {
            Some(Cct::Entries(e)) => {
                cct::Table { entries: e.iter().map(|e| e.0).collect(), absolute: false, cut: None }
            }
            Some(c) => of(&mut c.times(self.ccti_limit as usize + 1, 0.0).into_iter()),
            None => of(&mut (0..len).map(|i| (i * i) as f64 * formula)),
        }
    }

    /// The settings (those of a unit, if one is named) as a file that [`Sources::toml`](super::Sources::toml) reads as the same.
    pub fn to_toml(&self, unit: Option<UnitKind>) -> String {
        let values = self.values();
        let mut s = format!("scheme = \"{}\"  # {}\n", self.scheme.name, self.origin("scheme"));
        for key in KEYS.iter().filter(|k| unit.is_none_or(|u| k.is_of(u))) {
            let Some(v) = values.get(key.name) else { continue };
            if key.name == "sls" && !self.flow_sl.is_empty() {
                continue; // flow_sl says it in another way
            }
            let unit = key.measure.name();
            let unit = if unit.is_empty() { String::new() } else { format!("{unit}; ") };
            s += &format!("{} = {v}  # {unit}{}\n", key.name, self.origin(key.name));
        }
        if !self.lft.is_empty() {
            s += "\n[lft]\n";
        }
        for r in &self.lft {
            s += &format!("\"{}-{}\" = {}  # {}\n", r.first, r.last, r.port, r.origin);
        }
        s
    }
}

/// The low threshold where nobody says one: 4 MTU, or an MTU below a small `hth`.
pub(super) fn low(hth: u32, mtu: u32) -> u32 {
    if 4 * mtu < hth {
        4 * mtu
    } else if hth > mtu {
        hth - mtu
    } else {
        hth.saturating_sub(1)
    }
}
