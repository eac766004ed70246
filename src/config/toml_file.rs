//! Reads a TOML configuration by the table of keys.

use super::keys::{KEYS, show};
use super::{Config, ConfigError, Route, read};
use crate::experiments::knobs::Knobs;
use crate::params::Params;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use toml::{Spanned, Value};

type Section = BTreeMap<Spanned<String>, Spanned<Value>>;
type Document = BTreeMap<Spanned<String>, Spanned<Section>>;

const SECTIONS: [&str; 5] = ["switch", "hca", "link", "lft", "knobs"];

/// Pairs of keys that set the same thing.
const TWINS: [(&str, &str); 5] = [
    ("switch.hth", "switch.hth_flits"),
    ("switch.lth", "switch.lth_flits"),
    ("switch.sum_hth", "switch.sum_hth_flits"),
    ("switch.sum_lth", "switch.sum_lth_flits"),
    ("hca.ccti_timer", "hca.ccti_timer_us"),
];

/// Reads a TOML configuration for a build. Errors name file, line, key, value and legal range.
pub fn load_toml(path: &Path, p: &Params) -> Result<Config, ConfigError> {
    let text = read(path)?;
    let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
    let document: Document = toml::from_str(&text).map_err(|e| {
        ConfigError::new("", "", e.message().replace('\n', "; ")).at(path, e.span().map(|s| line(s.start)))
    })?;

    let mut config = Config::default();
    let mut lines: HashMap<String, usize> = HashMap::new();
    // in the order of the file, so that the first error is the one reported
    let mut entries: Vec<(usize, &str, &str, &Value)> = Vec::new();
    for (section, keys) in &document {
        let at = line(section.span().start);
        if !SECTIONS.contains(&section.get_ref().as_str()) {
            let e = ConfigError::new(
                format!("[{}]", section.get_ref()),
                "",
                format!("unknown section: there are {}", list(SECTIONS.iter().map(|s| format!("[{s}]")))),
            );
            return Err(e.at(path, Some(at)));
        }
        for (key, value) in keys.get_ref() {
            entries.push((key.span().start, section.get_ref(), key.get_ref(), value.get_ref()));
        }
    }
    entries.sort_by_key(|e| e.0);
    for (at, section, name, value) in entries {
        let field = format!("{section}.{name}");
        let at = line(at);
        lines.insert(field.clone(), at);
        set(&mut config, section, name, value, p)
            .map_err(|(value, problem)| ConfigError::new(&field, value, problem).at(path, Some(at)))?;
    }
    for (a, b) in TWINS {
        if let (Some(&la), Some(&lb)) = (lines.get(a), lines.get(b)) {
            let (later, other) = if la > lb { (a, b) } else { (b, a) };
            let e = ConfigError::new(later, "", format!("{other} sets the same: give only one"));
            return Err(e.at(path, Some(la.max(lb))));
        }
    }
    if lines.contains_key("hca.cct_format")
        && config.hca.cct_absolute
        && matches!(config.hca.cct, super::Cct::Entries(_))
    {
        let e = ConfigError::new(
            "hca.cct_format",
            "\"absolute\"",
            "shift:multiplier entries are relative: leave it out",
        );
        return Err(e.at(path, lines.get("hca.cct_format").copied()));
    }
    config.knobs.check().map_err(|e| ConfigError::new("knobs", "", e).at(path, None))?;
    // the line of a value that is wrong only together with others; a default that no longer fits is blamed on
    // what made it so
    config.setup(p).map_err(|e| {
        let at = lines.get(&e.field).copied();
        e.at(path, at)
    })?;
    let mut notes = config.advice(p);
    config.notes.append(&mut notes);
    Ok(config)
}

/// Stores one value; the error is the offending part and what is legal.
fn set(
    config: &mut Config,
    section: &str,
    name: &str,
    value: &Value,
    p: &Params,
) -> Result<(), (String, String)> {
    match section {
        "lft" => {
            let bad = |problem: &str| Err((show(value), problem.to_string()));
            let (first, last) = name.split_once('-').unwrap_or((name, name));
            let (Ok(first), Ok(last)) = (first.trim().parse::<u16>(), last.trim().parse::<u16>()) else {
                return bad("the key is a DLID 0..65535 or a range \"first-last\"");
            };
            if first > last {
                return bad("an empty range of DLIDs");
            }
            let Some(port) = value.as_integer().and_then(|v| u8::try_from(v).ok()) else {
                let legal = format!("legal is an output port 0..{}, or 255 for no route", p.ports - 1);
                return bad(&legal);
            };
            config.lft.push(Route { first, last, port });
            Ok(())
        }
        "knobs" => {
            let v = value.as_float().or(value.as_integer().map(|i| i as f64));
            let v = v.ok_or((show(value), "legal is a number".to_string()))?;
            if !Knobs::TABLE.iter().any(|k| k.name == name) {
                let names = list(Knobs::TABLE.iter().map(|k| k.name.to_string()));
                return Err((show(value), format!("unknown key: [knobs] has {names}")));
            }
            config.knobs.set(name, v).map_err(|e| (show(value), e))
        }
        _ => {
            let Some(key) = KEYS.iter().find(|k| k.section == section && k.name == name) else {
                let names = list(KEYS.iter().filter(|k| k.section == section).map(|k| k.name.to_string()));
                return Err((show(value), format!("unknown key: [{section}] has {names}")));
            };
            key.set(config, value, p).map_err(|w| (w.value, w.problem))
        }
    }
}

fn list(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
