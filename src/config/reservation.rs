//! The settings of schemes that reserve (SRP = 1): sizes, what is legal of them together, and registers.

use super::error::ConfigError;
use super::keys::KEYS;
use super::registers::bit;
use super::settings::Config;
use crate::params::Params;
use crate::params::lanes::SrpLane;

/// Settings of what is not built beside reservation.
const EXCLUDED: [&str; 5] = ["ctl_vl", "cioq", "sched", "bypass", "stamp_w"];

impl Config {
    /// Its sources reserve.
    pub fn reserves(&self) -> bool {
        self.scheme.reserves()
    }

    /// Lanes of what hosts send: those of data, and with reservation the speculative one (Q1).
    fn sent_lanes(&self) -> usize {
        self.vls.saturating_sub(SrpLane::OTHERS) + 1
    }

    /// Sizes of an adapter that nobody has said: 128 flits a lane on the way out, 512 for the host.
    pub(super) fn follow_lanes(&mut self) {
        if !self.reserves() || !self.said("vls") {
            return;
        }
        let lanes = self.sent_lanes();
        if !self.said("hca_blocks") {
            self.hca_blocks = 128 * lanes;
        }
        if !self.said("rx_blocks") {
            self.rx_blocks = 512 * lanes;
        }
    }

    /// Parameters of a switch that are others with reservation.
    pub(super) fn reserving_switch(&self, p: Params) -> Params {
        let p = Params {
            srp: true,
            isolation: false,
            data_blocks: self.data_blocks,
            spec_blocks: self.spec_blocks,
            ctl_blocks: self.ctl_blocks,
            ..p
        };
        Params { blocks: p.srp_blocks(), ..p }
    }

    /// The same of an adapter.
    pub(super) fn reserving_adapter(&self, p: Params) -> Params {
        let nmax = (self.nmax as usize).next_power_of_two();
        Params { nmax, msgq: self.msgq, repq: self.repq, now_w: self.now_w, ..p }
    }

    /// Flags and numbers that are as usual unless somebody says otherwise.
    pub(super) fn reservation_values(&self) -> ([(&'static str, bool); 4], [(&'static str, u64); 10]) {
        let flags = [
            ("srp_en", self.srp_en),
            ("rtt_comp", self.rtt_comp),
            ("spec_off", self.spec_off),
            ("drop_en", self.drop_en),
        ];
        let numbers = [
            ("nmax", self.nmax.into()),
            ("nmin", self.nmin.into()),
            ("eps", self.eps.into()),
            ("ttw", self.ttw.into()),
            ("data_blocks", self.data_blocks as u64),
            ("spec_blocks", self.spec_blocks as u64),
            ("ctl_blocks", self.ctl_blocks as u64),
            ("msgq", self.msgq as u64),
            ("repq", self.repq as u64),
            ("now_w", self.now_w as u64),
        ];
        (flags, numbers)
    }

    /// What does not go together with reservation, before parameters are made of it.
    pub(super) fn check_reservation(&self) -> Result<(), ConfigError> {
        if !self.reserves() {
            return Ok(());
        }
        let (least, most) = (SrpLane::OTHERS + 1, SrpLane::OTHERS + SrpLane::MOST_DATA);
        if !(least..=most).contains(&self.vls) {
            let why = "one to eight lanes of data, one of what is speculative, two of requests and replies";
            return Err(self.wrong("vls", format!("legal is {least}..{most} with scheme {}: {why}", self.scheme.name)));
        }
        let usual = Config::new(self.scheme, 2).values();
        let values = self.values();
        let odd = |key: &&super::Key| EXCLUDED.contains(&key.name) && values.get(key.name) != usual.get(key.name);
        if let Some(key) = KEYS.iter().find(odd) {
            let legal = usual.get(key.name).map_or("none".into(), super::value::show);
            return Err(self.wrong(key.name, format!("legal is {legal} with scheme {}", self.scheme.name)));
        }
        let lanes = self.sent_lanes();
        for (name, blocks) in [("hca_blocks", self.hca_blocks), ("rx_blocks", self.rx_blocks)] {
            let (least, most) = (lanes * self.mtu, lanes * 2048);
            if !blocks.is_multiple_of(lanes) || !(least..=most).contains(&blocks) {
                let why = format!("data and what is speculative have {lanes} lanes");
                return Err(self.wrong(name, format!("legal is a multiple of {lanes}, {least}..{most} ({why})")));
            }
        }
        Ok(())
    }

    /// An input port's registers of a switch that drops what is speculative.
    pub fn drop_registers(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let all = [("SPEC", bit(self.drop_en, 0)), ("TTW", self.ttw)];
        all.into_iter().filter(|_| self.reserves())
    }

    /// A reservation's registers; `interval`: pace at which the host takes flits.
    pub fn reservation_registers(&self, interval: u32) -> [(&'static str, u32); 5] {
        let ctrl = bit(self.srp_en, 0) | bit(self.rtt_comp, 1) | bit(self.spec_off, 2);
        [
            ("CTRL", ctrl),
            ("EPS", self.eps),
            ("NMAX_RUN", self.nmax),
            ("NMIN", self.nmin),
            ("RX_INTERVAL", interval),
        ]
    }
}
