//! Draws one chart into a rectangle.

use super::chart::{Axis, Chart, Series, Style};
use super::scale::{Scale, ends, label, ticks};
use super::svg::{Svg, Text, num};

/// Okabe and Ito's colours, without the yellow that is hard to see on white.
const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
/// Dashes; their number has no common factor with that of the colours.
const DASHES: [&str; 5] = ["", "9 4", "2 3", "10 3 2 3", "14 4"];
/// Series with at most so many points get a marker at each.
const MARK_ALL: usize = 40;
/// Markers on a longer series.
const MARKERS: usize = 12;

const BLACK: &str = "#333333";
const GRID: &str = "#dddddd";

fn colour(look: usize) -> &'static str {
    COLOURS[look % COLOURS.len()]
}

/// Smallest and largest finite value; infinite if there is none.
fn extent(values: impl Iterator<Item = f64>, log: bool) -> (f64, f64) {
    values
        .filter(|v| v.is_finite() && (!log || *v > 0.0))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
}

/// The scales of a chart whose plot area is (left, top, right, bottom).
fn scales(c: &Chart, area: (f64, f64, f64, f64)) -> (Scale, Scale) {
    let points = || c.series.iter().flat_map(|s| &s.points);
    let fixed = |axis: &Axis, found: (f64, f64)| match axis.range {
        Some((a, b)) if a.is_finite() && b > a && (!axis.log || a > 0.0) => (a, b),
        _ => found,
    };
    let x = if c.x.names.is_empty() {
        let (a, b) = extent(points().map(|p| p.0), c.x.log);
        let log = ends(a, b, true, false);
        fixed(&c.x, if c.x.log { log } else { ends(a, b, false, false) })
    } else {
        (-0.5, c.x.names.len() as f64 - 0.5)
    };
    let (a, b) = extent(points().map(|p| p.1), c.y.log);
    let y = fixed(&c.y, ends(a, b, c.y.log, true));
    (
        Scale { low: x.0, high: x.1, log: c.x.log && c.x.names.is_empty(), from: area.0, to: area.2 },
        Scale { low: y.0, high: y.1, log: c.y.log, from: area.3, to: area.1 },
    )
}

/// About how wide a text is.
fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

/// Draws a chart into (left, top, width, height).
pub fn draw(svg: &mut Svg, c: &Chart, frame: (f64, f64, f64, f64)) {
    let (fx, fy, fw, fh) = frame;
    let named: Vec<(usize, &Series)> =
        c.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()).collect();
    let right = fx + fw - 28.0;
    let left = fx + 84.0;
    // The legend lies above the plot area, in as many rows as it needs.
    let entries: Vec<f64> = named.iter().map(|(_, s)| 52.0 + width(&s.name, 14.0)).collect();
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut used = f64::INFINITY;
    for (i, w) in entries.iter().enumerate() {
        if used + w > right - left {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += w;
        if let Some(row) = rows.last_mut() {
            row.push(i);
        }
    }
    let title = if c.subtitle.is_empty() { 40.0 } else { 62.0 };
    let top = fy + title + 24.0 * rows.len() as f64 + if c.marks.is_empty() { 6.0 } else { 22.0 };
    let bottom = fy + fh - 62.0;
    let area = (left, top, right, bottom);
    let centre = (left + right) / 2.0;

    svg.text((centre, fy + 28.0), &c.title, Text { size: 18.0, bold: true, ..Text::middle() });
    svg.text((centre, fy + 50.0), &c.subtitle, Text { size: 13.0, grey: true, ..Text::middle() });
    let (x, y) = scales(c, area);
    axes(svg, c, &x, &y);
    for (at, name) in c.marks.iter().filter(|(at, _)| x.holds(*at)) {
        let px = x.at(*at);
        svg.line((px, top), (px, bottom), "#777777", 1.2, "3 3");
        svg.text((px, top - 6.0), name, Text { size: 12.0, grey: true, ..Text::middle() });
    }
    svg.clip((left - 1.0, top - 6.0, right - left + 2.0, bottom - top + 12.0));
    let bars = c.series.iter().filter(|s| s.style == Style::Bar).count();
    let mut bar = 0;
    for (i, s) in c.series.iter().enumerate() {
        let look = s.look.unwrap_or(i);
        match s.style {
            Style::Bar => {
                draw_bars(svg, s, look, (bar, bars), &x, &y);
                bar += 1;
            }
            _ => draw_line(svg, s, look, (i, c.series.len()), &x, &y),
        }
    }
    svg.unclip();
    for (r, row) in rows.iter().enumerate() {
        let total: f64 = row.iter().map(|&i| entries[i]).sum();
        let mut at = centre - total / 2.0;
        let ly = fy + title + 10.0 + 24.0 * r as f64;
        for &i in row {
            let (index, s) = named[i];
            let look = s.look.unwrap_or(index);
            match s.style {
                Style::Bar | Style::Area => svg.rect((at, ly - 7.0, 30.0, 13.0), colour(look), "none"),
                style => {
                    if style == Style::Line {
                        svg.line((at, ly), (at + 32.0, ly), colour(look), 2.4, DASHES[look % DASHES.len()]);
                    }
                    marker(svg, look, (at + 16.0, ly));
                }
            }
            svg.text((at + 38.0, ly + 5.0), &s.name, Text::start());
            at += entries[i];
        }
    }
}

/// Frame, grid, ticks and labels.
fn axes(svg: &mut Svg, c: &Chart, x: &Scale, y: &Scale) {
    let (left, right, top, bottom) = (x.from, x.to, y.to, y.from);
    let yt = ticks(y.low, y.high, y.log, 6.0);
    for &v in &yt {
        let py = y.at(v);
        svg.line((left, py), (right, py), GRID, 1.0, "");
        svg.line((left - 5.0, py), (left, py), BLACK, 1.0, "");
        svg.text((left - 9.0, py + 5.0), &label(v, &yt, y.log), Text::end());
    }
    if c.x.names.is_empty() {
        let xt = ticks(x.low, x.high, x.log, 8.0);
        for &v in &xt {
            let px = x.at(v);
            svg.line((px, top), (px, bottom), GRID, 1.0, "");
            svg.line((px, bottom), (px, bottom + 5.0), BLACK, 1.0, "");
            svg.text((px, bottom + 21.0), &label(v, &xt, x.log), Text::middle());
        }
    } else {
        for (i, name) in c.x.names.iter().enumerate() {
            svg.text((x.at(i as f64), bottom + 21.0), name, Text::middle());
        }
    }
    if !y.log && y.low < 0.0 && y.high > 0.0 {
        svg.line((left, y.at(0.0)), (right, y.at(0.0)), BLACK, 1.0, "");
    }
    svg.rect((left, top, right - left, bottom - top), "none", BLACK);
    svg.text(((left + right) / 2.0, bottom + 47.0), &c.x.label, Text { size: 15.0, ..Text::middle() });
    let at = (left - 62.0, (top + bottom) / 2.0);
    svg.text(at, &c.y.label, Text { size: 15.0, vertical: true, ..Text::middle() });
}

fn draw_bars(svg: &mut Svg, s: &Series, look: usize, place: (usize, usize), x: &Scale, y: &Scale) {
    let slot = (x.at(x.low + 1.0) - x.from) * 0.8;
    let w = slot / place.1.max(1) as f64;
    let zero = y.at(if y.log { y.low } else { 0f64.clamp(y.low, y.high) });
    for &(px, v) in s.points.iter().filter(|p| x.holds(p.0) && p.1.is_finite() && (!y.log || p.1 > 0.0)) {
        let left = x.at(px) - slot / 2.0 + place.0 as f64 * w;
        let end = y.at(v.clamp(y.low, y.high));
        svg.rect((left, end.min(zero), w, (end - zero).abs()), colour(look), "#ffffff");
    }
}

/// A line, area or set of points; `place` is (position, number of series) and staggers the markers.
fn draw_line(svg: &mut Svg, s: &Series, look: usize, place: (usize, usize), x: &Scale, y: &Scale) {
    let drawn =
        |p: &(f64, f64)| p.0.is_finite() && p.1.is_finite() && (!x.log || p.0 > 0.0) && (!y.log || p.1 > 0.0);
    let pixel = |p: &(f64, f64)| (x.at(p.0), y.at(p.1));
    if s.style != Style::Points {
        for run in s.points.split(|p| !drawn(p)).filter(|r| !r.is_empty()) {
            let mut d = String::new();
            for (i, p) in run.iter().map(pixel).enumerate() {
                d += &format!("{}{} {}", if i == 0 { "M" } else { "L" }, num(p.0), num(p.1));
            }
            if s.style == Style::Area {
                let base = y.at(if y.log { y.low } else { 0f64.clamp(y.low, y.high) });
                let (a, b) = (pixel(&run[0]).0, pixel(&run[run.len() - 1]).0);
                let area = format!("{d}L{} {}L{} {}Z", num(b), num(base), num(a), num(base));
                svg.path(&area, &format!("fill=\"{}\" fill-opacity=\"0.35\" stroke=\"none\"", colour(look)));
            }
            let dash = DASHES[look % DASHES.len()];
            let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
            let line = format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\" stroke-linejoin=\"round\"{dash}",
                colour(look)
            );
            svg.path(&d, &line);
        }
    }
    if s.style == Style::Area {
        return;
    }
    let points: Vec<(f64, f64)> =
        s.points.iter().filter(|p| drawn(p) && x.holds(p.0) && y.holds(p.1)).map(pixel).collect();
    let all = points.len() <= MARK_ALL || s.style == Style::Points;
    let every = if all { 1 } else { points.len().div_ceil(MARKERS) };
    let first = if all { 0 } else { every * (2 * place.0 + 1) / (2 * place.1) };
    points.iter().skip(first).step_by(every).for_each(|&p| marker(svg, look, p));
}

/// A marker; its shape and colour belong to the look.
fn marker(svg: &mut Svg, look: usize, (px, py): (f64, f64)) {
    let at = |dx: f64, dy: f64| format!("{} {}", num(px + dx), num(py + dy));
    let polygon = |corners: &[(f64, f64)]| {
        let list: Vec<String> = corners.iter().map(|&(dx, dy)| at(dx, dy)).collect();
        format!("M{}Z", list.join("L"))
    };
    let d = match look % 6 {
        0 => format!("M{}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", at(-4.0, 0.0)),
        1 => polygon(&[(-3.7, -3.7), (3.7, -3.7), (3.7, 3.7), (-3.7, 3.7)]),
        2 => polygon(&[(0.0, -5.0), (4.6, 3.4), (-4.6, 3.4)]),
        3 => polygon(&[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)]),
        4 => polygon(&[(0.0, 5.0), (4.6, -3.4), (-4.6, -3.4)]),
        _ => polygon(&[
            (-1.6, -4.8),
            (1.6, -4.8),
            (1.6, -1.6),
            (4.8, -1.6),
            (4.8, 1.6),
            (1.6, 1.6),
            (1.6, 4.8),
            (-1.6, 4.8),
            (-1.6, 1.6),
            (-4.8, 1.6),
            (-4.8, -1.6),
            (-1.6, -1.6),
        ]),
    };
    svg.path(&d, &format!("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"", colour(look)));
}
