//! The commands that list: `scenarios`, `params`.

use anyhow::Result;
use serde_json::{Value, json};

use super::{Format, Outcome};
use crate::config::{ParamKind, parameters};
use crate::experiments::scenario::scenarios;

/// `quell scenarios`
pub fn scenarios_list(format: Format) -> Result<Outcome> {
    let all = scenarios();
    if format == Format::Json {
        let list: Vec<Value> = all
            .iter()
            .map(|s| {
                let rules: Vec<&str> = s.rules.split_whitespace().collect();
                json!({"name": s.name, "unit": s.unit.cli_name(), "rules": rules, "text": s.text})
            })
            .collect();
        println!("{:#}", Value::Array(list));
        return Ok(Outcome::Good);
    }
    let rows = all.iter().map(|s| [s.unit.cli_name(), s.name, s.rules, s.text].map(String::from)).collect();
    print!("{}", table(["unit", "scenario", "rules", "what it does"], rows));
    Ok(Outcome::Good)
}

/// Where a parameter is set, for people.
fn kind(kind: ParamKind) -> String {
    match kind {
        ParamKind::Elaboration => "elaboration".into(),
        ParamKind::Register(unit) => format!("{} register", unit.cli_name()),
        ParamKind::Toml => "--config file".into(),
        ParamKind::Opensm => "--opensm file".into(),
    }
}

/// `quell params`
pub fn params(format: Format) -> Result<Outcome> {
    let mut all = parameters();
    // names and switches
    all.iter_mut().filter(|p| p.unit.is_empty()).for_each(|p| p.unit = "-".into());
    if format == Format::Json {
        let list: Vec<Value> = all
            .iter()
            .map(|p| {
                json!({
                    "name": p.name, "where": kind(p.kind), "unit": p.unit, "default": p.default, "legal": p.range,
                    "source": p.source, "text": p.text,
                })
            })
            .collect();
        println!("{:#}", Value::Array(list));
        return Ok(Outcome::Good);
    }
    let mut before = None;
    let mut rows = Vec::new();
    for p in &all {
        if before != Some(p.kind)
            && let Some(kind_before) = before.replace(p.kind)
        {
            print_params(kind_before, std::mem::take(&mut rows));
        }
        let p = p.clone();
        rows.push([p.name, p.unit, p.default, p.range, p.source, p.text]);
    }
    if let Some(last) = before {
        print_params(last, rows);
    }
    Ok(Outcome::Good)
}

fn print_params(of: ParamKind, rows: Vec<[String; 6]>) {
    println!("Set by: {}", kind(of));
    println!("{}", table(["parameter", "unit", "default", "legal", "source", "meaning"], rows));
}

/// Columns as wide as they need to be.
pub fn table<const N: usize>(head: [&str; N], rows: Vec<[String; N]>) -> String {
    let mut width = head.map(|h| h.chars().count());
    for row in &rows {
        for (w, cell) in width.iter_mut().zip(row) {
            *w = (*w).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let padded: Vec<String> = cells.iter().zip(width).map(|(cell, w)| format!("{cell:w$}")).collect();
        padded.join("  ").trim_end().to_string() + "\n"
    };
    let mut s = line(head);
    for row in &rows {
        s += &line(std::array::from_fn(|i| row[i].as_str()));
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![["long name".to_string(), "1".to_string()], ["x".to_string(), "22".to_string()]];
        assert_eq!(table(["name", "n"], rows), "name       n\nlong name  1\nx          22\n");
    }
}
