//! Arbitration lists of an opensm options file (`qos_*`) as settings of a wormhole network.
//!
//! opensm's lists have two tables: lanes in the high one are served first, up to a limit. Here that is what real-time lanes do, so lanes of
//! the high table are real-time and those of the low one best-effort. Weights are ratios in both. What has no counterpart is told in notes.

use std::path::Path;

use super::settings::Settings;
use crate::config::opensm::{OptionLine, boolean, integer, option_lines, wrong_line};
use crate::config::{ConfigError, nearby, read_text};

/// What the names of the lists end with.
const SUFFIXES: [&str; 5] = ["max_vls", "high_limit", "vlarb_high", "vlarb_low", "sl2vl"];
/// opensm has lists for channel adapters, ports 0 and external ports of switches, and routers, and one for those that are not said.
const PREFIXES: [&str; 5] = ["qos_", "qos_ca_", "qos_sw0_", "qos_swe_", "qos_rtr_"];
/// Those that count here: of the external ports of switches, else of all.
const SWITCHES: [&str; 2] = ["qos_swe_", "qos_"];
/// A table has as many entries at most.
const ENTRIES: usize = 64;
/// VLs of data in InfiniBand.
const VLS: usize = 15;
/// Flits of 16 bytes in a unit of weight (64 bytes) and in one of the limit (4096 bytes).
const WEIGHT_FLITS: u32 = 4;
const LIMIT_FLITS: u32 = 256;
/// What a register of a weight or of the guard holds.
const MOST: u32 = 255;

/// Weights by VL; entries of one VL add up.
type Table = [u32; VLS];

/// What a file says.
struct Lists {
    file: String,
    on: bool,
    max_vls: Option<u32>,
    limit: u32,
    high: Table,
    low: Table,
    notes: Vec<String>,
}

/// An option that is known, and the rank of its prefix where it is of a switch's external ports.
fn known(name: &str) -> Option<(&'static str, Option<usize>)> {
    if name == "qos" || name == "qos_policy_file" {
        return Some(("", None));
    }
    let of = |prefix: &str| SUFFIXES.into_iter().find(|s| name.strip_prefix(prefix) == Some(s));
    let (prefix, suffix) = PREFIXES.into_iter().find_map(|p| Some((p, of(p)?)))?;
    Some((suffix, SWITCHES.iter().position(|p| *p == prefix)))
}

fn table(value: &str) -> Result<Table, String> {
    let legal = "legal is at most 64 of VL:weight (0..15:0..255), separated by commas";
    let mut table = Table::default();
    for (i, entry) in value.split(',').map(str::trim).enumerate() {
        let wrong = |why: &str| format!("entry {i}, \"{entry}\": {why}");
        if i == ENTRIES {
            return Err(format!("{legal} (opensm drops the rest)"));
        }
        let pair = entry.split_once(':').and_then(|(vl, w)| Some((integer(vl)?, integer(w)?)));
        match pair {
            Some((vl, weight)) if vl <= VLS as u64 && weight <= 255 => {
                // VL 15 carries management, which no list concerns.
                if let Some(all) = table.get_mut(vl as usize) {
                    *all += weight as u32;
                }
            }
            _ => return Err(wrong(legal)),
        }
    }
    Ok(table)
}

fn number(value: &str, most: u64) -> Result<u32, String> {
    let n = integer(value).filter(|n| *n <= most);
    n.map(|n| n as u32).ok_or_else(|| format!("legal is 0..{most}"))
}

impl Settings {
    /// The arbitration lists of an opensm options file, and changes on top; what to say of the file.
    pub fn with_opensm(path: &Path, changes: &[String]) -> Result<(Settings, Vec<String>), ConfigError> {
        let lists = Lists::read(path)?;
        let mut settings = Settings::default();
        lists.lanes(&mut settings);
        // Changes first, for how many lanes there are; and again, since what is said later counts.
        let mut settings = settings.with(changes)?;
        let notes = lists.put(&mut settings);
        Ok((settings.with(changes)?, notes))
    }
}

impl Lists {
    /// Reads the file. What it does not say is opensm's default.
    fn read(path: &Path) -> Result<Lists, ConfigError> {
        let text = read_text(path)?;
        Lists::of(path, &text)
    }

    fn of(path: &Path, text: &str) -> Result<Lists, ConfigError> {
        let mut lists = Lists {
            file: path.display().to_string(),
            on: false,
            max_vls: None,
            limit: 0,
            high: std::array::from_fn(|vl| if vl == 0 { 4 } else { 0 }),
            low: std::array::from_fn(|vl| if vl == 0 { 0 } else { 4 }),
            notes: Vec::new(),
        };
        // The best prefix and the line that said an option.
        let mut said: [Option<(usize, usize)>; 5] = [None; 5];
        let mut left = Vec::new();
        for OptionLine { number: line, name, value } in option_lines(path, text)? {
            if !name.starts_with("qos") {
                continue;
            }
            let fail = |problem: String| wrong_line(path, line, name, value, problem);
            let Some((suffix, rank)) = known(name) else {
                let all =
                    PREFIXES.iter().flat_map(|p| SUFFIXES.map(|s| format!("{p}{s}"))).chain(["qos".into()]);
                let all: Vec<String> = all.collect();
                let near = nearby(name, all.iter().map(String::as_str));
                return Err(fail(format!("opensm has no such option{near}")));
            };
            if name == "qos" {
                lists.on = boolean(value).map_err(fail)?;
                continue;
            }
            let default = value == "(null)";
            let kept = rank.is_some() && suffix != "sl2vl";
            if !kept {
                left.push(name.to_string());
            }
            let at = SUFFIXES.iter().position(|s| *s == suffix);
            let counts = kept
                && at.is_some_and(|at| match (rank, said[at]) {
                    (Some(rank), Some((best, first))) => {
                        if rank == best {
                            lists.notes.push(format!(
                                "{}:{line}: {name} repeats line {first}; the last one counts",
                                lists.file
                            ));
                        }
                        rank <= best
                    }
                    _ => true,
                });
            // What does not count is checked all the same.
            let mut checked = (lists.max_vls, lists.limit, lists.high, lists.low);
            match suffix {
                _ if default => (),
                "max_vls" => checked.0 = Some(number(value, VLS as u64).map_err(fail)?),
                "high_limit" => checked.1 = number(value, 255).map_err(fail)?,
                "vlarb_high" => checked.2 = table(value).map_err(fail)?,
                "vlarb_low" => checked.3 = table(value).map_err(fail)?,
                _ => (),
            }
            if counts && !default {
                (lists.max_vls, lists.limit, lists.high, lists.low) = checked;
                if let (Some(at), Some(rank)) = (at, rank) {
                    said[at] = Some((rank, line));
                }
            }
        }
        left.dedup();
        if !left.is_empty() {
            lists.notes.push(format!("{}: ignored, without a place here: {}", lists.file, left.join(", ")));
        }
        if !lists.on {
            lists
                .notes
                .push(format!("{}: qos is not TRUE: opensm programs no lists, nothing changes", lists.file));
        }
        Ok(lists)
    }

    /// Lanes, if the file says how many VLs there are. (The last two lanes here are of control and of replies.)
    fn lanes(&self, settings: &mut Settings) {
        if let Some(vls @ 1..) = self.max_vls.filter(|_| self.on) {
            settings.vls = (vls as usize).min(14) + 2;
        }
    }

    /// Changes what follows from the lists, for as many lanes and messages as long as the settings say. What to say of it.
    fn put(&self, settings: &mut Settings) -> Vec<String> {
        let mut notes = self.notes.clone();
        if !self.on {
            return notes;
        }
        let mut note = |text: String| notes.push(format!("{}: {text}", self.file));
        let data = settings.vls - 2;
        let of = |fit: &dyn Fn(usize) -> bool| -> Vec<String> {
            (0..VLS).filter(|vl| fit(*vl)).map(|vl| vl.to_string()).collect()
        };
        let beyond = of(&|vl| vl >= data && self.high[vl] + self.low[vl] > 0);
        if !beyond.is_empty() {
            note(format!("no lane of data here, left out: VL {} ({data} lanes of data)", beyond.join(", ")));
        }
        let both = of(&|vl| vl < data && self.high[vl] > 0 && self.low[vl] > 0);
        if !both.is_empty() {
            note(format!(
                "in both lists, real-time here, with the weight of the high one: VL {}",
                both.join(", ")
            ));
        }
        let idle = of(&|vl| vl < data && self.high[vl] + self.low[vl] == 0);
        if !idle.is_empty() {
            let text = "in no list, so never served by a switch; best-effort of weight 1 here: VL";
            note(format!("{text} {}", idle.join(", ")));
        }
        let units: Vec<u32> =
            (0..data).map(|vl| if self.high[vl] > 0 { self.high[vl] } else { self.low[vl] }).collect();
        let largest = units.iter().copied().max().unwrap_or(0) * WEIGHT_FLITS;
        let scaled = |w: u32| {
            let flits = w * WEIGHT_FLITS;
            // Rounded; none becomes 0.
            if largest <= MOST { flits.max(1) } else { ((2 * flits * MOST + largest) / (2 * largest)).max(1) }
        };
        let weights: Vec<u32> = units.iter().map(|w| scaled(*w)).collect();
        if largest > MOST {
            note(format!(
                "weights are scaled: the largest is {largest} flits of 16 bytes, a register holds {MOST}"
            ));
        }
        let be_mask = (0..data).filter(|vl| self.high[*vl] == 0).fold(0, |mask, vl| mask | 1 << vl);
        let lanes: Vec<u32> = (0..data).filter(|v| be_mask >> v & 1 != 0).map(|v| weights[v]).collect();
        if let Some(first) = lanes.first() {
            settings.be_weight = (lanes.iter().sum::<u32>() + lanes.len() as u32 / 2) / lanes.len() as u32;
            if lanes.iter().any(|w| w != first) {
                note(format!(
                    "adapters have one weight for all best-effort lanes, the mean: {}",
                    settings.be_weight
                ));
            }
        }
        settings.lhp = match self.limit {
            // One packet at a time.
            0 => (settings.lane as u32).min(MOST),
            // No limit.
            255 => 0,
            n => {
                let text = format!(
                    "high_limit {n} is {} flits of 16 bytes; the guard holds {MOST}",
                    n * LIMIT_FLITS
                );
                note(format!("{text}: best-effort has its turn more often than there"));
                MOST
            }
        };
        if settings.admits() {
            note("with admission the weights of real-time lanes follow what is booked (YA7)".into());
        }
        settings.weights = Some(weights);
        settings.be_mask = Some(be_mask);
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settings for so many lanes, and the notes.
    fn of(text: &str, change: &str) -> Result<(Settings, String), String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("opensm.conf");
        std::fs::write(&path, text).unwrap();
        let changes: Vec<String> = change.split_whitespace().map(str::to_string).collect();
        let all = Settings::with_opensm(&path, &changes).map_err(|e| e.to_string())?;
        all.0.check(4).map_err(|e| e.to_string())?;
        Ok((all.0, all.1.join("\n")))
    }

    #[test]
    fn lists_are_classes_weights_and_the_guard() {
        let text = "qos TRUE\nqos_max_vls 4\nqos_high_limit 255\nqos_vlarb_high 0:8,1:0,0:2\nqos_vlarb_low \"1:4,2:0x10,3:1\"\n";
        let (s, notes) = of(text, "").unwrap();
        assert_eq!((s.vls, s.lhp, s.be_mask(), s.be_weight), (6, 0, 0b1110, 28));
        assert_eq!(s.weights, Some(vec![40, 16, 64, 4]), "twice in a list: both count");
        assert!(notes.contains("the mean: 28"), "{notes}");
        let weights: Vec<u32> =
            s.router_registers().into_iter().filter(|r| r.0.starts_with("WEIGHT_OUT")).map(|r| r.1).collect();
        assert_eq!(weights, [40, 16, 64, 4]);
        // What is said later counts, and lists are for the lanes that there are then.
        let (s, notes) = of(text, "vls=4 lhp=9").unwrap();
        assert_eq!((s.vls, s.lhp, s.be_mask(), s.weights), (4, 9, 0b10, Some(vec![40, 16])));
        assert!(notes.contains("left out: VL 2, 3 (2 lanes of data)"), "{notes}");
    }

    #[test]
    fn defaults_are_those_of_opensm() {
        let (s, notes) = of("qos TRUE\n", "").unwrap();
        assert_eq!((s.vls, s.lhp, s.be_mask(), s.weights), (16, 40, 0x3ffe, Some(vec![16; 14])));
        assert!(notes.contains("left out: VL 14"), "{notes}");
        let (s, notes) = of("# qos TRUE\ncc_key 0\nqos_max_vls 2\n", "").unwrap();
        assert_eq!(s, Settings::default());
        assert!(notes.contains("qos is not TRUE"), "{notes}");
    }

    #[test]
    fn lists_of_switches_count_before_those_of_all() {
        let text = "qos TRUE\nqos_swe_vlarb_high 0:1\nqos_vlarb_high 0:2\nqos_ca_vlarb_high 0:3\nqos_vlarb_low (null)\nqos_sl2vl 0\n";
        let (s, notes) = of(text, "vls=4").unwrap();
        assert_eq!(s.weights, Some(vec![4, 16]));
        assert!(notes.contains("ignored, without a place here: qos_ca_vlarb_high, qos_sl2vl"), "{notes}");
    }

    #[test]
    fn what_is_lost_is_told() {
        let text = "qos TRUE\nqos_vlarb_high 0:100,2:50\nqos_vlarb_low 0:4,1:1\nqos_high_limit 3\nqos_high_limit 2\n";
        let (s, notes) = of(text, "vls=6 admission=on").unwrap();
        assert_eq!((s.weights.as_deref(), s.lhp, s.be_mask()), (Some(&[255, 3, 128, 1][..]), 255, 0b1010));
        for part in [
            "qos_high_limit repeats line 4",
            "in both lists, real-time here, with the weight of the high one: VL 0",
            "in no list, so never served by a switch; best-effort of weight 1 here: VL 3",
            "weights are scaled: the largest is 400 flits",
            "high_limit 2 is 512 flits of 16 bytes; the guard holds 255",
            "follow what is booked",
        ] {
            assert!(notes.contains(part), "{part}: {notes}");
        }
    }

    #[test]
    fn bad_lists_are_refused_with_their_line() {
        for (line, part) in [
            ("qos yes", "legal is TRUE or FALSE"),
            ("qos_high_limit 256", "legal is 0..255"),
            ("qos_max_vls 16", "legal is 0..15"),
            ("qos_vlarb_high 0:256", "entry 0, \"0:256\""),
            ("qos_vlarb_low 1:1,16:1", "entry 1, \"16:1\""),
            ("qos_ca_vlarb_low 1", "entry 0, \"1\""),
            ("qos_vlarb_hihg 0:4", "nearest: qos_vlarb_high"),
        ] {
            let why = of(&format!("qos TRUE\n{line}\n"), "").unwrap_err();
            assert!(why.contains("opensm.conf") && why.contains('2') && why.contains(part), "{line}: {why}");
        }
        let many = vec!["0:1"; 65].join(",");
        assert!(of(&format!("qos_vlarb_low {many}\n"), "").unwrap_err().contains("at most 64"));
    }
}
