//! The command that lists scenarios, and tables for people.

use anyhow::Result;
use serde_json::{Value, json};

use super::common::{Format, Outcome};
use crate::stimulus::scenario::scenarios;
use crate::text::in_groups;

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

/// A number with a blank between groups of three digits.
pub(super) fn thousands(n: usize) -> String {
    in_groups(n as u64, ' ')
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
