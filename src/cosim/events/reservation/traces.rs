//! Made-up traces, a cycle at a time.

use super::{Reservation, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, UnitKind};
use crate::registers::addr;

/// A trace; lanes have room, nobody takes anything, `end_ok` is 1.
pub(super) struct Trace {
    pub pins: Pins,
    pub judge: Reservation,
    pub room: u32,
    pub link: u32,
    pub end_ok: u32,
    pub full: u32,
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let (room, link, end_ok, full) = (self.room, self.link, self.end_ok, self.full);
        self.set("room", 0, room).set("link_room", 0, link).show("ready", 0, 1);
        self.show("end_ok", 0, end_ok).show("gen_full", 0, full);
        let result = self.pins.judged(&mut self.judge);
        self.pins.rest();
        result
    }
}

impl Trace {
    /// Of a build, with narrow tolerances, and CTRL.
    pub fn of(build: &str, ctrl: u32) -> Trace {
        let p = Build::named(UnitKind::Reservation, Some(build)).unwrap().params;
        let own = [
            ("receive", 4),
            ("reply", 4),
            ("choice", 4),
            ("full", 2),
            ("done", 2),
            ("walk", 0),
            ("serve", 8),
            ("taken", 3),
            ("offer", 40),
            ("turns", 3),
        ];
        let judge = Reservation::new(&p, &Settings::but(settings(&p), &own));
        let pins = Pins::new(UnitKind::Reservation, &p);
        let mut t = Trace { pins, judge, room: 0x1ff, link: 0, end_ok: 1, full: 0 };
        t.write("CTRL", ctrl).cycle().unwrap();
        t.write("NMIN", 2).cycle().unwrap();
        t.cycles(6).unwrap();
        t
    }

    pub fn write(&mut self, name: &str, value: u32) -> &mut Trace {
        let number = addr(UnitKind::Reservation, name).into();
        self.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, value)
    }

    fn sets(&mut self, all: &[(&str, u32)]) -> &mut Trace {
        for (name, value) in all {
            self.set(name, 0, *value);
        }
        self
    }

    fn shows(&mut self, all: &[(&str, u32)]) -> &mut Trace {
        for (name, value) in all {
            self.show(name, 0, *value);
        }
        self
    }

    pub fn post(&mut self, flow: u32, pkts: u32, last: u32, psn: u32) -> &mut Trace {
        let all = [("post_flow", flow), ("post_pkts", pkts), ("post_last", last), ("post_psn", psn)];
        self.sets(&all).set("post_valid", 0, 1)
    }

    /// A RES of flow, chunk, packets, flits, whether it is the last one.
    pub fn res(&mut self, flow: u32, id: u32, n: u32, size: u32, last: u32) -> &mut Trace {
        let all = [("res_flow", flow), ("res_id", id), ("res_n", n), ("res_size", size), ("res_last", last)];
        self.shows(&all).show("res_valid", 0, 1)
    }

    /// It is taken in the cycle in which it is seen.
    pub fn asks(&mut self, flow: u32, id: u32, n: u32, size: u32, last: u32) -> Result<(), Broken> {
        self.res(flow, id, n, size, last).set("res_ready", 0, 1).cycle()
    }

    /// A packet: kind, flow, chunk, number, packets, last chunk; PSN and flits.
    pub fn packet(&mut self, fields: [u32; 6], psn: u32, len: u32) -> &mut Trace {
        let [kind, flow, id, seq, n, last] = fields;
        let lane = u32::from(kind == 1);
        let all = [("inj_kind", kind), ("inj_flow", flow), ("inj_lane", lane), ("inj_len", len)];
        self.shows(&all);
        let all = [("inj_psn", psn), ("inj_id", id), ("inj_seq", seq), ("inj_n", n), ("inj_last", last)];
        self.shows(&all).show("inj_valid", 0, 1)
    }

    pub fn goes(&mut self, fields: [u32; 6], psn: u32, len: u32) -> Result<(), Broken> {
        self.packet(fields, psn, len).set("inj_ready", 0, 1).cycle()?;
        self.cycle()
    }

    /// A reply comes: kind, flow, chunk, packet, wait.
    pub fn reply(&mut self, kind: u32, flow: u32, id: u32, seq: u32, wait: u32) -> &mut Trace {
        let all =
            [("rep_kind", kind), ("rep_flow", flow), ("rep_id", id), ("rep_seq", seq), ("rep_wait", wait)];
        self.sets(&all).set("rep_valid", 0, 1)
    }

    /// A RES comes: LID, chunk, flits.
    pub fn comes(&mut self, lid: u32, id: u32, size: u32) -> &mut Trace {
        self.sets(&[("rin_valid", 1), ("rin_slid", lid), ("rin_id", id), ("rin_size", size)])
    }

    /// A speculative packet ends: LID, chunk, packet.
    pub fn ends(&mut self, lid: u32, id: u32, seq: u32) -> &mut Trace {
        self.sets(&[("end_valid", 1), ("end_slid", lid), ("end_id", id), ("end_seq", seq)])
    }

    /// A reply is offered and taken: kind, LID, chunk, packet, wait.
    pub fn answers(&mut self, kind: u32, lid: u32, id: u32, seq: u32, wait: u32) -> &mut Trace {
        let all =
            [("out_kind", kind), ("out_lid", lid), ("out_id", id), ("out_seq", seq), ("out_wait", wait)];
        self.shows(&all).show("out_valid", 0, 1).set("out_ready", 0, 1)
    }

    pub fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}
