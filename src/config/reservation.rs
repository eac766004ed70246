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
            // Of CAM lines there are none.
            hpqs: 1,
            lines: 1,
            dlist: 1,
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

    /// Flags that are as usual unless somebody says otherwise.
    pub(super) fn reservation_flags(&self) -> [(&'static str, bool); 4] {
        [
            ("srp_en", self.srp_en),
            ("rtt_comp", self.rtt_comp),
            ("spec_off", self.spec_off),
            ("drop_en", self.drop_en),
        ]
    }

    /// And numbers.
    pub(super) fn reservation_counts(&self) -> [(&'static str, u64); 10] {
        [
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
        ]
    }

    /// What does not go together with reservation, before parameters are made of it.
    pub(super) fn check_reservation(&self) -> Result<(), ConfigError> {
        if !self.reserves() {
            return Ok(());
        }
        let (least, most) = (SrpLane::OTHERS + 1, SrpLane::OTHERS + SrpLane::MOST_DATA);
        if !(least..=most).contains(&self.vls) {
            let why = "one to eight lanes of data, one of what is speculative, two of requests and replies";
            return Err(self
                .wrong("vls", format!("legal is {least}..{most} with scheme {}: {why}", self.scheme.name)));
        }
        let usual = Config::new(self.scheme, 2).values();
        let values = self.values();
        let odd =
            |key: &&super::Key| EXCLUDED.contains(&key.name) && values.get(key.name) != usual.get(key.name);
        if let Some(key) = KEYS.iter().find(odd) {
            let legal = usual.get(key.name).map_or("none".into(), super::value::show);
            return Err(self.wrong(key.name, format!("legal is {legal} with scheme {}", self.scheme.name)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Origin, Sources};
    use crate::params::UnitKind;
    use crate::scheme::Scheme;

    fn with(set: &[&str]) -> Result<Config, ConfigError> {
        let mut s = Sources::default();
        s.scheme("srp", Origin::Option("--scheme"))?;
        set.iter().try_for_each(|text| s.option(text))?;
        s.network(8, 6400)
    }

    #[test]
    fn the_papers_values_are_the_registers() {
        let c = with(&[]).unwrap();
        let all = [("CTRL", 3), ("EPS", 3277), ("NMAX_RUN", 16), ("NMIN", 4), ("RX_INTERVAL", 2)];
        assert_eq!(c.reservation_registers(2), all);
        assert_eq!(c.drop_registers().collect::<Vec<_>>(), [("SPEC", 1), ("TTW", 203)]);
        assert_eq!(Config::new(Scheme::Ecn, 8).drop_registers().count(), 0);
        let (s, h) = (c.switch_params(8), c.hca_params());
        assert_eq!((s.srp, s.vls, s.blocks, s.cap(0), s.cap(1), s.cap(3)), (true, 4, 1152, 512, 512, 64));
        assert_eq!((h.srp, h.rx_cap(0), h.rx_cap(1), h.rx_cap(2), h.blocks), (true, 512, 512, 64, 256));
        let ctrl = |set: &[&str]| with(set).unwrap().reservation_registers(1)[0].1;
        assert_eq!([ctrl(&["srp_en=false"]), ctrl(&["rtt_comp=false"]), ctrl(&["spec_off=true"])], [2, 1, 7]);
        let c = with(&["ttw=2.6us", "drop_en=false", "nmax=24", "vls=6", "rx_blocks=256"]).unwrap();
        assert_eq!(c.drop_registers().collect::<Vec<_>>(), [("SPEC", 0), ("TTW", 406)]);
        let h = c.hca_params();
        assert_eq!((h.nmax, h.blocks, h.rx_blocks, h.data_lanes()), (32, 512, 256, 3));
    }

    #[test]
    fn what_does_not_go_together_is_told() {
        for (set, says) in [
            ("vls=3", "legal is 4..11 with scheme srp"),
            ("vls=12", "legal is 4..11"),
            ("ctl_vl=true", "legal is false with scheme srp"),
            ("cioq=true", "legal is false"),
            ("sched=oldest", "legal is 0"),
            ("bypass=4", "legal is 0"),
            ("stamp_w=24", "legal is none"),
            ("nmax=65", "1..64 packets"),
            ("nmax=0", "1..64 packets"),
            ("ttw=32768", "0..32767"),
            ("eps=65536", "0..65535"),
            ("data_blocks=16", "legal is 32..2048"),
            ("spec_blocks=31", "legal is 32..2048"),
            ("ctl_blocks=1", "2..512"),
            ("msgq=3", "power of two"),
            ("repq=512", "2..256"),
            ("now_w=12", "NOW_W = 12 is too small"),
            ("hca_blocks=255", "multiple of VLS-2 = 2"),
            ("rx_blocks=62", "legal is 32..2048"),
        ] {
            let e = with(&[set]).unwrap_err().to_string();
            let name = set.split('=').next().unwrap_or_default();
            assert!(e.contains(says) && e.contains(name), "{set}: {e}");
        }
        for (set, says) in [("blocks=1024", "no effect of blocks"), ("advoq=4", "no effect of advoq")] {
            assert!(with(&[set]).unwrap().notes[0].contains(says), "{set}");
        }
        let mut s = Sources::default();
        s.option("ttw=9").unwrap();
        assert!(s.network(8, 6400).unwrap().notes[0].contains("reserves nothing: no effect of ttw"));
        for unit in [UnitKind::Switch, UnitKind::Hca] {
            let p = with(&[]).unwrap();
            let p = if unit == UnitKind::Hca { p.hca_params() } else { p.switch_params(64) };
            p.check_unit(unit).unwrap();
        }
    }
}
