//! `quell schema`: what `--format json` prints, key by key, with units; as text or as JSON Schema.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::common::{Format, Outcome};
use super::lists::table;

/// The keys of all outputs; its head says how it is written.
const KEYS: &str = include_str!("schema.toml");
/// The language of the schemas.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// `quell schema`
#[derive(Args)]
pub struct SchemaArgs {
    /// The command; without it: those that there are
    command: Option<String>,
    /// How to print: text is a table of keys, json a JSON Schema (draft 2020-12), whose numbers say their `unit`
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// All outputs, and what several have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Book {
    part: toml::Table,
    output: Vec<Output>,
}

/// What commands print.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    command: Vec<String>,
    #[serde(default)]
    when: String,
    keys: toml::Value,
}

/// A key: its path, type, unit, and what it is.
type Row = [String; 4];

/// A value: its type, whether it may be null, its unit, and what it is.
struct Leaf<'a> {
    kind: &'a str,
    null: bool,
    unit: &'a str,
    text: &'a str,
}

impl Leaf<'_> {
    fn of(list: &[toml::Value]) -> Result<Leaf<'_>> {
        let words: Vec<&str> = list.iter().filter_map(|w| w.as_str()).collect();
        let [kind, unit, text] = words[..] else { bail!("{list:?} is not a type, a unit and a text") };
        let (kind, null) = kind.strip_suffix('?').map_or((kind, false), |k| (k, true));
        let leaf = Leaf { kind, null, unit, text };
        leaf.types().with_context(|| format!("{list:?}"))?;
        Ok(leaf)
    }

    /// In JSON Schema; none: any.
    fn types(&self) -> Result<Option<&'static str>> {
        Ok(Some(match self.kind {
            "text" => "string",
            "integer" => "integer",
            "number" => "number",
            "yes-no" => "boolean",
            "any" => return Ok(None),
            other => bail!("{other}: no type; types are text, integer, number, yes-no, any"),
        }))
    }

    fn schema(&self, null: bool) -> Result<Value> {
        let mut schema = json!({ "description": self.text });
        match self.types()? {
            Some(kind) if null || self.null => schema["type"] = json!([kind, "null"]),
            Some(kind) => schema["type"] = kind.into(),
            None => {}
        }
        if !self.unit.is_empty() {
            schema["unit"] = self.unit.into();
        }
        Ok(schema)
    }
}

/// The name of a key without the mark that it may be missing.
fn name(key: &str) -> (&str, bool) {
    key.strip_suffix('?').map_or((key, false), |k| (k, true))
}

/// The schema of a value, which may be null.
fn schema(of: &toml::Value, null: bool) -> Result<Value> {
    let schema = match of {
        toml::Value::Array(list) => return Leaf::of(list)?.schema(null),
        toml::Value::String(part) => json!({"$ref": format!("#/$defs/{}", part.trim_start_matches('@'))}),
        toml::Value::Table(keys) => match (keys.get("[]"), keys.get("*")) {
            (Some(element), _) => json!({"type": "array", "items": self::schema(element, false)?}),
            (_, Some(any)) => json!({"type": "object", "additionalProperties": self::schema(any, false)?}),
            _ => {
                let mut properties = Map::new();
                let mut required = Vec::new();
                for (key, of) in keys {
                    let (name, missing) = name(key);
                    let of = self::schema(of, missing).with_context(|| format!("key {name}"))?;
                    properties.insert(name.into(), of);
                    if !missing {
                        required.push(name);
                    }
                }
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
            }
        },
        other => bail!("{other}: neither a value nor keys"),
    };
    Ok(if null { json!({"anyOf": [schema, {"type": "null"}]}) } else { schema })
}

/// The keys below a path.
fn rows(book: &Book, of: &toml::Value, path: &str, to: &mut Vec<Row>) -> Result<()> {
    match of {
        toml::Value::Array(list) => {
            let leaf = Leaf::of(list)?;
            let null = if leaf.null || path.ends_with('?') { " or null" } else { "" };
            let kind = format!("{}{null}", leaf.kind);
            to.push([path.trim_end_matches('?').into(), kind, leaf.unit.into(), leaf.text.into()]);
        }
        toml::Value::String(part) => rows(book, find(book, part)?, path, to)?,
        toml::Value::Table(keys) => {
            for (key, of) in keys {
                let dot = if path.is_empty() || key == "[]" { "" } else { "." };
                rows(book, of, &format!("{}{dot}{key}", path.trim_end_matches('?')), to)?;
            }
        }
        other => bail!("{path}: {other}: neither a value nor keys"),
    }
    Ok(())
}

fn find<'a>(book: &'a Book, part: &str) -> Result<&'a toml::Value> {
    let name = part.trim_start_matches('@');
    book.part.get(name).ok_or_else(|| anyhow!("there is no part {name}"))
}

/// `quell schema`
pub fn schemas(args: &SchemaArgs) -> Result<Outcome> {
    let book: Book = toml::from_str(KEYS).context("the keys of all outputs")?;
    let commands: BTreeSet<&str> = book.output.iter().flat_map(|o| &o.command).map(|c| c.as_str()).collect();
    let Some(command) = &args.command else {
        match args.format {
            Format::Text => commands.iter().for_each(|c| println!("{c}")),
            Format::Json => println!("{:#}", json!(commands)),
        }
        return Ok(Outcome::Good);
    };
    let outputs: Vec<&Output> = book.output.iter().filter(|o| o.command.contains(command)).collect();
    if outputs.is_empty() {
        let all: Vec<&str> = commands.into_iter().collect();
        bail!("COMMAND {command}: it prints no JSON; those that do: {}", all.join(", "));
    }
    match args.format {
        Format::Json => {
            let any: Vec<Value> = outputs
                .iter()
                .map(|o| {
                    let mut of = schema(&o.keys, false)?;
                    if !o.when.is_empty() {
                        of["title"] = o.when.as_str().into();
                    }
                    Ok(of)
                })
                .collect::<Result<_>>()?;
            let parts: Map<String, Value> = book
                .part
                .iter()
                .map(|(name, of)| Ok((name.clone(), schema(of, false)?)))
                .collect::<Result<_>>()?;
            let title = format!("quell {command} --format json");
            println!("{:#}", json!({"$schema": DRAFT, "title": title, "anyOf": any, "$defs": parts}));
        }
        Format::Text => {
            for o in outputs {
                let when = if o.when.is_empty() { String::new() } else { format!(", {}", o.when) };
                println!("quell {command}{when}");
                let mut list = Vec::new();
                rows(&book, &o.keys, "", &mut list)?;
                println!("{}", table(["key", "type", "unit", "what it is"], list));
            }
        }
    }
    Ok(Outcome::Good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_unit() {
        let book: Book = toml::from_str(KEYS).unwrap();
        let mut numbers = 0;
        for o in &book.output {
            let mut list = Vec::new();
            rows(&book, &o.keys, "", &mut list).unwrap();
            for [path, kind, unit, text] in list {
                let number = kind.starts_with("integer") || kind.starts_with("number");
                assert!(!number || !unit.is_empty(), "{:?} {path} has no unit", o.command);
                assert!(!text.is_empty(), "{path}");
                numbers += usize::from(number);
            }
        }
        assert!(numbers > 300, "{numbers}");
    }

    #[test]
    fn a_book_that_is_not_right_is_told() {
        let bad =
            |text: &str| schema(&text.parse::<toml::Table>().unwrap()["k"], false).unwrap_err().to_string();
        assert!(bad("k = ['number', 'ns']").contains("a type, a unit and a text"));
        assert!(bad("k = ['float', 'ns', 'x']").contains("float"));
        assert!(bad("k = 3").contains("neither"));
    }

    #[test]
    fn what_may_be_missing_may_be_null() {
        let of: toml::Table =
            "\"a?\" = ['integer', 'cycles', 'when']\nb = ['text', '', 'who']".parse().unwrap();
        let s = schema(&toml::Value::Table(of), false).unwrap();
        assert_eq!(s["properties"]["a"]["type"], json!(["integer", "null"]));
        assert_eq!(s["properties"]["a"]["unit"], "cycles");
        assert_eq!(s["required"], json!(["b"]));
        assert_eq!(s["additionalProperties"], false);
    }
}
