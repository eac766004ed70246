//! Every parameter there is, from the tables that the readers use.

use super::{Config, keys, opensm};
use crate::experiments::knobs::Knobs;
use crate::params::{Params, UnitKind};
use crate::registers::{ELABORATION, REGISTERS};

/// Where a parameter is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// At elaboration (RTL parameter).
    Elaboration,
    /// In a register of a unit.
    Register(UnitKind),
    /// In a TOML file.
    Toml,
    /// In an opensm options file.
    Opensm,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamDoc {
    /// Where it is set.
    pub kind: ParamKind,
    /// Name: `PORTS`, `switch_input_port.HTH`, `switch.hth`, `cc_cct`.
    pub name: String,
    /// Unit of the value.
    pub unit: String,
    /// Default value.
    pub default: String,
    /// Legal values.
    pub range: String,
    /// Where the default comes from.
    pub source: String,
    /// Meaning.
    pub text: String,
}

/// Every parameter: elaboration, registers, TOML keys, opensm options.
pub fn parameters() -> Vec<ParamDoc> {
    let doc = |kind, name: &str, unit: &str, default: &str, range: &str, source: &str, text: &str| ParamDoc {
        kind,
        name: name.into(),
        unit: unit.into(),
        default: default.into(),
        range: range.into(),
        source: source.into(),
        text: text.into(),
    };
    let p = Params::default();
    let c = Config::default();
    let mut v: Vec<ParamDoc> = ELABORATION
        .iter()
        .map(|e| {
            let default = p.get(e.name).unwrap_or_default().to_string();
            doc(ParamKind::Elaboration, e.name, e.measure, &default, e.legal, e.source, e.text)
        })
        .collect();
    v.extend(REGISTERS.iter().map(|r| {
        let name = format!("{}.{}", r.unit.module(), r.name);
        let range = format!("{} at address {}", r.bits, r.addr);
        doc(ParamKind::Register(r.unit), &name, r.measure, r.reset, &range, "reset value", r.text)
    }));
    v.extend(keys::KEYS.iter().map(|k| {
        let name = format!("{}.{}", k.section, k.name);
        doc(ParamKind::Toml, &name, k.measure, &(k.default)(&c), &k.legal(None), k.source, k.text)
    }));
    v.push(doc(
        ParamKind::Toml,
        "lft.<DLID> or lft.\"<first>-<last>\"",
        "port",
        "chosen by the stimulus",
        "0..PORTS-1, or 255 for no route",
        "project",
        "routes of the forwarding table (R1)",
    ));
    v.extend(Knobs::TABLE.iter().map(|k| {
        let name = format!("knobs.{}", k.name);
        let range = format!("{} to {}", k.min, k.max);
        doc(ParamKind::Toml, &name, k.unit, "varied by the stimulus", &range, "project", k.text)
    }));
    v.extend(
        opensm::KEYS
            .iter()
            .map(|k| doc(ParamKind::Opensm, k.name, k.measure, k.default, &k.legal(), "opensm", k.text)),
    );
    v
}
