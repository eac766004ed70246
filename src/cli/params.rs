//! `quell params`: settings of a network or a unit, with who set them, and all other parameters.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::common::Outcome;
use super::lists::table;
use super::settings::{SettingsArgs, tell};
use super::unit::BuildArgs;
use crate::config::value::show;
use crate::config::{Config, KEYS, Key, OPTIONS, Origin, Place};
use crate::fabric::files;
use crate::params::{Params, UnitKind};
use crate::registers::{ELABORATION, REGISTERS};
use crate::stimulus::knobs::Knobs;

/// How parameters are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ParamsFormat {
    /// For people
    Text,
    /// One JSON array
    Json,
    /// The settings as a file for --config
    Toml,
}

/// `quell params`
#[derive(Args)]
pub struct ParamsArgs {
    /// What the settings are for: a network (a name or a file), or a unit (input-port, output-port, hca-throttle, switch,
    /// hca, source-response, reservation, worm-router); without it a tree of 64 hosts, and all other parameters are listed, too
    #[arg(value_name = "NETWORK|UNIT")]
    pub what: Option<String>,
    #[command(flatten)]
    pub settings: SettingsArgs,
    #[command(flatten)]
    pub build: BuildArgs,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: ParamsFormat,
}

/// One line.
struct Row {
    /// How it is set.
    how: String,
    /// Name, value, unit, legal values, where the value comes from, meaning.
    cells: [String; 6],
}

/// The head of a table of settings.
pub const HEAD: [&str; 6] = ["setting", "value", "unit", "legal", "from", "meaning"];

/// The settings of a unit or of a network.
pub fn rows(config: &Config, unit: Option<UnitKind>) -> Vec<[String; 6]> {
    let values = config.values();
    let row = |k: &Key| {
        let origin = match config.origin(k.name) {
            Origin::Default => format!("default ({})", k.source),
            other => other.to_string(),
        };
        // What is not set is said by another setting, by the network or by the stimulus.
        let value = values.get(k.name).map_or("-".into(), show);
        [k.name.into(), value, dash(k.measure.name()), k.legal(), origin, k.text.into()]
    };
    let is = |k: &&Key| unit.map_or(k.place != Place::Unit, |u| k.is_of(u));
    KEYS.iter().filter(is).map(row).collect()
}

fn dash(unit: &str) -> String {
    if unit.is_empty() { "-".into() } else { unit.into() }
}

/// The configuration that the command line describes, and of which unit it is.
fn config(args: &ParamsArgs) -> Result<(Config, Option<UnitKind>)> {
    let sources = args.settings.sources()?;
    let what = args.what.as_deref().unwrap_or("4ary-3tree");
    if let Some(unit) = UnitKind::named(what) {
        return Ok((sources.unit(&args.build.of(unit)?)?, Some(unit)));
    }
    if args.build.is_given() {
        anyhow::bail!("--build and -P are for a unit, not for network {what}");
    }
    let net = files::open(what)?.net;
    Ok((sources.network(net.hosts.len(), net.cycle_ps)?, None))
}

/// All parameters that are no settings.
fn others() -> Vec<Row> {
    let p = Params::default();
    let row = |how: &str, name: &str, value: &str, unit: &str, legal: &str, from: &str, text: &str| Row {
        how: how.into(),
        cells: [name.into(), value.into(), dash(unit), legal.into(), from.into(), text.into()],
    };
    let mut all: Vec<Row> = ELABORATION
        .iter()
        .map(|e| {
            let value = p.get(e.name).unwrap_or_default().to_string();
            row(
                "RTL parameter (-P)",
                e.name,
                &value,
                e.measure,
                e.legal,
                &format!("default ({})", e.source),
                e.text,
            )
        })
        .collect();
    all.extend(REGISTERS.iter().map(|r| {
        let name = format!("{}.{}", r.unit.module(), r.name);
        let how = format!("{} register", r.unit.cli_name());
        row(
            &how,
            &name,
            r.reset,
            r.measure,
            &format!("{} at address {}", r.bits, r.addr),
            "reset value",
            r.text,
        )
    }));
    all.extend(
        OPTIONS.iter().map(|o| {
            row("--opensm file", o.name, o.default, o.measure, &o.legal(), "opensm's default", o.text)
        }),
    );
    let route = "a DLID or a range \"first-last\": its output port";
    all.push(row(
        "section [lft] of a --config file",
        "lft",
        "-",
        "port",
        "0..PORTS-1, or 255 for no route",
        "the stimulus chooses",
        route,
    ));
    all.extend(Knobs::TABLE.iter().map(|k| {
        let legal = format!("{} to {}", k.min, k.max);
        let name = format!("knobs.{}", k.name);
        row(
            "section [knobs] of a --config file, --knob",
            &name,
            "-",
            k.unit,
            &legal,
            "the stimulus varies it",
            k.text,
        )
    }));
    all
}

/// `quell params`
pub fn params(args: &ParamsArgs) -> Result<Outcome> {
    let (config, unit) = config(args)?;
    tell(&config);
    if args.format == ParamsFormat::Toml {
        print!("{}", config.to_toml(unit));
        return Ok(Outcome::Good);
    }
    let how = "setting (--set, --config)".to_string();
    let origin = config.origin("scheme").to_string();
    let schemes = crate::scheme::Scheme::NAMES.join(", ");
    let text = "what is on (quell fabric --list)";
    let scheme = ["scheme", config.scheme.name, "-", &schemes, &origin, text].map(String::from);
    let mut all = vec![Row { how: "setting (--scheme, --config)".into(), cells: scheme }];
    let settings = rows(&config, unit).into_iter();
    all.extend(settings.map(|cells| Row { how: how.clone(), cells }));
    if args.what.is_none() {
        all.extend(others());
    }
    if args.format == ParamsFormat::Json {
        let list: Vec<Value> = all
            .iter()
            .map(|r| {
                let [name, value, unit, legal, from, text] = &r.cells;
                json!({
                    "name": name, "set_by": r.how, "value": value, "unit": unit, "legal": legal, "from": from, "text": text,
                })
            })
            .collect();
        println!("{:#}", Value::Array(list));
        return Ok(Outcome::Good);
    }
    let mut rest = &all[..];
    while let Some(first) = rest.first() {
        let (part, more) = rest.split_at(rest.iter().take_while(|r| r.how == first.how).count());
        println!("Set by: {}", first.how);
        println!("{}", table(HEAD, part.iter().map(|r| r.cells.clone()).collect()));
        rest = more;
    }
    Ok(Outcome::Good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Scheme;

    #[test]
    fn every_parameter_is_listed_once_and_in_full() {
        let mut all = others();
        let settings =
            |c: &Config| rows(c, None).into_iter().map(|cells| Row { how: "setting".into(), cells });
        all.extend(settings(&Config::new(Scheme::DEFAULT, 64)));
        for (i, r) in all.iter().enumerate() {
            assert!(r.cells.iter().all(|c| !c.is_empty()), "{:?}", r.cells);
            assert!(
                all[..i].iter().all(|e| (&e.how, &e.cells[0]) != (&r.how, &r.cells[0])),
                "{} twice",
                r.cells[0]
            );
        }
        let count = |how: &str| all.iter().filter(|r| r.how == how).count();
        assert_eq!(count("RTL parameter (-P)"), ELABORATION.len());
        assert_eq!(count("--opensm file"), 18);
        assert_eq!(all.iter().filter(|r| r.how.ends_with("register")).count(), REGISTERS.len());
    }
}
