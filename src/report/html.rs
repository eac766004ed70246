//! Pieces of a page.

use std::fmt::Write;

use crate::text::{escape, in_groups};

/// A number of things, with a narrow blank between groups of three digits.
pub(super) fn grouped(n: u64) -> String {
    in_groups(n, '\u{202f}')
}

/// A number with four digits that say something.
pub(super) fn decimal(v: f64) -> String {
    if v == 0.0 || !v.is_finite() {
        return format!("{v:.0}");
    }
    if v.abs() >= 1000.0 {
        let whole = grouped(v.abs().round() as u64);
        return if v < 0.0 { format!("-{whole}") } else { whole };
    }
    let digits = (3 - v.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{v:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// What a word about a result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Good,
    Bad,
    Plain,
}

impl Mood {
    /// Good or bad.
    pub fn of(good: bool) -> Mood {
        if good { Mood::Good } else { Mood::Bad }
    }

    fn class(self) -> &'static str {
        match self {
            Mood::Good => "good",
            Mood::Bad => "bad",
            Mood::Plain => "plain",
        }
    }
}

/// A word in a coloured frame.
pub(super) fn chip(text: &str, mood: Mood) -> String {
    let sign = match mood {
        Mood::Good => "&#10003; ",
        Mood::Bad => "&#10007; ",
        Mood::Plain => "",
    };
    format!("<span class=\"chip {}\">{sign}{}</span>", mood.class(), escape(text))
}

/// Key figures, side by side: value, what it is, more about it.
pub(super) fn cards(cards: &[(String, &str, String)]) -> String {
    let mut s = String::from("<div class=\"cards\">\n");
    for (value, what, more) in cards {
        let more = if more.is_empty() { String::new() } else { format!("<small>{}</small>", escape(more)) };
        let _ = writeln!(
            s,
            "<div class=\"card\"><b>{}</b><span>{}</span>{more}</div>",
            escape(value),
            escape(what)
        );
    }
    s + "</div>\n"
}

/// A cell of a table.
pub(super) enum Cell {
    /// Of words.
    Text(String),
    /// Of a number, to the right.
    Number(String),
    /// The same, with a bar behind it: a share of the longest.
    Meter(String, f64),
    /// Made already.
    Made(String),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

/// A table; wide ones roll sideways.
pub(super) fn table(head: &[&str], rows: Vec<Vec<Cell>>) -> String {
    let mut s = String::from("<div class=\"wide\"><table>\n");
    if !head.is_empty() {
        let numbers = |i: usize| {
            rows.first().is_some_and(|r| matches!(r.get(i), Some(Cell::Number(_) | Cell::Meter(..))))
        };
        s += "<thead><tr>";
        for (i, h) in head.iter().enumerate() {
            let class = if numbers(i) { " class=\"n\"" } else { "" };
            let _ = write!(s, "<th{class}>{}</th>", escape(h));
        }
        s += "</tr></thead>\n";
    }
    s += "<tbody>\n";
    for row in rows {
        s += "<tr>";
        for cell in row {
            let _ = match cell {
                Cell::Text(t) => write!(s, "<td>{}</td>", escape(&t)),
                Cell::Number(n) => write!(s, "<td class=\"n\">{}</td>", escape(&n)),
                Cell::Meter(n, share) => write!(
                    s,
                    "<td class=\"n meter\" style=\"--share:{:.1}%\">{}</td>",
                    100.0 * share.clamp(0.0, 1.0),
                    escape(&n)
                ),
                Cell::Made(m) => write!(s, "<td>{m}</td>"),
            };
        }
        s += "</tr>\n";
    }
    s + "</tbody>\n</table></div>\n"
}

/// What needs no more than half the page.
pub(super) fn narrow(inside: &str) -> String {
    format!("<div class=\"narrow\">{inside}</div>\n")
}

/// What is folded until one asks.
pub(super) fn folded(title: &str, inside: &str) -> String {
    format!("<details><summary>{}</summary>\n{inside}</details>\n", escape(title))
}

/// A heading.
pub(super) fn heading(title: &str) -> String {
    format!("<h3>{}</h3>\n", escape(title))
}

/// A paragraph.
pub(super) fn note(text: &str) -> String {
    format!("<p class=\"note\">{}</p>\n", escape(text))
}

/// Text as a terminal shows it.
pub(super) fn block(text: &str) -> String {
    format!("<pre>{}</pre>\n", escape(text.trim_end()))
}
