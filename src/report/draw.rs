//! Pictures of a page: charts in the page's colours, a map of heat.

use std::fmt::Write;

use super::html::decimal;
use crate::plot::Chart;
use crate::text::escape;

/// Colours of charts, as names of the page's: each has a light and a dark value.
const COLOURS: [(&str, &str); 13] = [
    ("#ffffff", "var(--paper)"),
    ("#111111", "var(--ink)"),
    ("#555555", "var(--soft)"),
    ("#333333", "var(--axis)"),
    ("#777777", "var(--soft)"),
    ("#dddddd", "var(--grid)"),
    ("#0072B2", "var(--c0)"),
    ("#D55E00", "var(--c1)"),
    ("#009E73", "var(--c2)"),
    ("#CC79A7", "var(--c3)"),
    ("#E69F00", "var(--c4)"),
    ("#56B4E9", "var(--c5)"),
    ("#000000", "var(--ink)"),
];

/// Charts side by side, as many as fit. `first` is the number of the first one on the page.
pub(super) fn charts(charts: &[Chart], first: &mut usize) -> String {
    let mut s = String::from("<div class=\"charts\">\n");
    for chart in charts {
        *first += 1;
        let _ = writeln!(s, "<figure>{}</figure>", themed(&chart.svg(), *first));
    }
    s + "</div>\n"
}

/// A chart as a part of the page: its colours are the page's, its size is the page's, its names are its own.
fn themed(svg: &str, number: usize) -> String {
    let mut s = svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    // The size is said by the view box alone.
    if let Some((size, rest)) = s.split_once(" viewBox=") {
        let size = size.split(" width=").next().unwrap_or(size);
        s = format!("{size} viewBox={rest}");
    }
    for (from, to) in COLOURS {
        s = s.replace(from, to);
    }
    s.replace("id=\"c", &format!("id=\"k{number}c")).replace("url(#c", &format!("url(#k{number}c"))
}

/// A row of a map: its name, and the value of each of its cells, where there is one.
pub(super) type Heat = (String, Vec<Option<f64>>);

/// Rows that a map shows.
pub(super) const ROWS: usize = 48;

/// Rows of a map that stand below each other if there is room for two maps beside each other, and columns up to which there is.
const BELOW: usize = 24;
const SLIM: usize = 9;

/// A map of heat: rows and columns of cells, the darker the more.
pub(super) fn heat(rows: &[Heat], column: &str, unit: &str) -> String {
    let columns = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
    let most = rows.iter().flat_map(|r| &r.1).flatten().copied().fold(0.0, f64::max);
    let below =
        if columns <= SLIM { rows.len().div_ceil(rows.len().div_ceil(BELOW).max(1)) } else { rows.len() };
    let maps = rows.chunks(below.max(1)).map(|rows| map(rows, columns, most, (column, unit)));
    format!("<div class=\"charts\">\n{}</div>\n", maps.collect::<String>())
}

/// A part of it.
fn map(rows: &[Heat], columns: usize, most: f64, (column, unit): (&str, &str)) -> String {
    let (left, top, w, h) = (120.0, 26.0, (640.0 / columns.max(1) as f64).clamp(8.0, 46.0), 17.0);
    let (width, height) = (left + (columns as f64 * w + 10.0).max(320.0), top + rows.len() as f64 * h + 44.0);
    let mut s = format!(
        "<figure class=\"heat\"><svg viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{width:.0}px\" role=\"img\">\n\
         <title>{} by {column}</title>\n",
        escape(unit)
    );
    let every = (columns / 16).max(1);
    for c in (0..columns).step_by(every) {
        let x = left + (c as f64 + 0.5) * w;
        let _ = writeln!(s, "<text x=\"{x:.1}\" y=\"{:.1}\" class=\"mid\">{c}</text>", top - 8.0);
    }
    let _ = writeln!(
        s,
        "<text x=\"{:.1}\" y=\"{:.1}\" class=\"end\">{}</text>",
        left - 8.0,
        top - 8.0,
        escape(column)
    );
    for (r, (name, values)) in rows.iter().enumerate() {
        let y = top + r as f64 * h;
        let short: String = name.chars().take(16).collect();
        let _ = writeln!(
            s,
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"end\">{}</text>",
            left - 8.0,
            y + 12.5,
            escape(&short)
        );
        for (c, value) in values.iter().enumerate().filter_map(|(c, v)| Some((c, (*v)?))) {
            let x = left + c as f64 * w;
            // The square root: what is small is seen beside what is large.
            let share = if most > 0.0 { (value / most).max(0.0).sqrt() } else { 0.0 };
            let _ = writeln!(
                s,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" class=\"cold\"/>\
                 <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" class=\"hot\" fill-opacity=\"{share:.3}\">\
                 <title>{}, {} {c}: {} {}</title></rect>",
                w - 2.0,
                h - 2.0,
                w - 2.0,
                h - 2.0,
                escape(name),
                escape(column),
                decimal(value),
                escape(unit)
            );
        }
    }
    let y = top + rows.len() as f64 * h + 18.0;
    for i in 0..=16u32 {
        let share = f64::from(i) / 16.0;
        let _ = writeln!(
            s,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"10.5\" height=\"10\" class=\"cold\"/>\
             <rect x=\"{:.1}\" y=\"{y:.1}\" width=\"10.5\" height=\"10\" class=\"hot\" fill-opacity=\"{share:.3}\"/>",
            left + f64::from(i) * 10.0,
            left + f64::from(i) * 10.0
        );
    }
    let _ = writeln!(s, "<text x=\"{:.1}\" y=\"{:.1}\" class=\"end\">0</text>", left - 8.0, y + 9.0);
    let _ = writeln!(
        s,
        "<text x=\"{:.1}\" y=\"{:.1}\">{} {}</text>",
        left + 178.0,
        y + 9.0,
        decimal(most),
        escape(unit)
    );
    s + "</svg></figure>\n"
}
