//! Reads a TOML file: settings, then sections `[lft]` and `[knobs]`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use toml::{Spanned, Value};

use super::error::{ConfigError, Origin, read};
use super::settings::Route;
use super::sources::Sources;
use super::value::show;
use crate::scheme::Scheme;

type Entries = BTreeMap<Spanned<String>, Spanned<Value>>;

/// A file, with places.
#[derive(Default)]
struct Document {
    settings: Vec<(Spanned<String>, Spanned<Value>)>,
    lft: Entries,
    knobs: Entries,
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Document, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Document;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("settings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
                let mut document = Document::default();
                while let Some(key) = map.next_key::<Spanned<String>>()? {
                    match key.get_ref().as_str() {
                        "lft" => document.lft = map.next_value()?,
                        "knobs" => document.knobs = map.next_value()?,
                        _ => document.settings.push((key, map.next_value()?)),
                    }
                }
                Ok(document)
            }
        }
        d.deserialize_map(Reader)
    }
}

impl Sources {
    /// Adds what a TOML file says.
    pub fn toml(&mut self, path: &Path) -> Result<(), ConfigError> {
        load(self, path)
    }
}

fn load(sources: &mut Sources, path: &Path) -> Result<(), ConfigError> {
    let text = read(path)?;
    let line = |at: usize| Some(1 + text[..at.min(text.len())].matches('\n').count());
    let document: Document = toml::from_str(&text).map_err(|e| {
        let origin = Origin::file(path, e.span().and_then(|s| line(s.start)), None);
        ConfigError::new(origin, "", "", e.message().replace('\n', "; "))
    })?;
    let place = |key: &Spanned<String>| Origin::file(path, line(key.span().start), None);
    let mut settings = document.settings;
    // In the order of the file, so that the first error is the one that is told.
    settings.sort_by_key(|(key, _)| key.span().start);
    let there = |name: &str| settings.iter().find(|(k, _)| k.get_ref() == name);
    for (a, b) in [("cct", "cct_us"), ("flow_sl", "sls")] {
        if let (Some((first, _)), Some((second, _))) = (there(a), there(b)) {
            let (first, second) =
                if first.span().start < second.span().start { (first, second) } else { (second, first) };
            let problem = format!("{} sets the same: give only one", first.get_ref());
            return Err(ConfigError::new(place(second), second.get_ref(), "", problem));
        }
    }
    for (key, value) in &settings {
        let (name, value) = (key.get_ref(), value.get_ref());
        match value {
            Value::Table(_) => {
                let problem = "there are no sections but [lft] and [knobs]: settings stand at the top of the file, \
                               thresholds in flits or as \"6 MTU\" (quell params lists all)";
                return Err(ConfigError::new(place(key), format!("[{name}]"), "", problem));
            }
            Value::String(scheme) if name == "scheme" => sources.scheme(scheme, place(key))?,
            _ if name == "scheme" => {
                let problem = format!("legal is {}", Scheme::NAMES.join(", "));
                return Err(ConfigError::new(place(key), name, show(value), problem));
            }
            _ => sources.say(name, value.clone(), place(key))?,
        }
    }
    for (key, value) in &document.lft {
        sources.route(route(key.get_ref(), value.get_ref(), place(key))?);
    }
    for (key, value) in &document.knobs {
        let (name, v) = (key.get_ref(), value.get_ref());
        let number = v.as_float().or(v.as_integer().map(|i| i as f64));
        let wrong = || ConfigError::new(place(key), format!("knobs.{name}"), show(v), "legal is a number");
        sources.knob(name, number.ok_or_else(wrong)?, place(key));
    }
    Ok(())
}

fn route(name: &str, value: &Value, origin: Origin) -> Result<Route, ConfigError> {
    let bad = |problem: &str| ConfigError::new(origin.clone(), format!("lft.{name}"), show(value), problem);
    let (first, last) = name.split_once('-').unwrap_or((name, name));
    let (Ok(first), Ok(last)) = (first.trim().parse::<u16>(), last.trim().parse::<u16>()) else {
        return Err(bad("the key is a DLID 0..65535 or a range \"first-last\""));
    };
    if first > last {
        return Err(bad("an empty range of DLIDs"));
    }
    let port = value.as_integer().and_then(|v| u8::try_from(v).ok());
    let port = port.ok_or_else(|| bad("legal is the number of an output port, or 255 for no route"))?;
    Ok(Route { first, last, port, origin })
}
