//! Charts as SVG: lines, steps, areas and bars in one or several panels. Same data, same bytes.
//!
//! Series differ by colour (Okabe and Ito's palette, made for colour-blind readers), by dash and by marker, so that a
//! chart can be read in black and white as well.

mod chart;
mod scale;
mod svg;
#[cfg(test)]
mod tests;

/// Several charts, `columns` beside each other, under one title.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// More about it.
    pub subtitle: String,
    /// Charts in a row.
    pub columns: usize,
    /// The charts, row by row.
    pub panels: Vec<Chart>,
}

/// Size of a panel in pixels.
const PANEL_W: f64 = 760.0;
const PANEL_H: f64 = 460.0;

impl Figure {
    /// The figure as an SVG document.
    pub fn svg(&self) -> String {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let rows = self.panels.len().div_ceil(columns);
        let top = if self.subtitle.is_empty() { 52.0 } else { 76.0 };
        let (w, h) = (columns as f64 * PANEL_W, top + rows as f64 * PANEL_H);
        let mut svg = Svg::new(w, h, &self.title);
        svg.text((w / 2.0, 36.0), &self.title, svg::Text { size: 22.0, bold: true, ..svg::Text::middle() });
        svg.text(
            (w / 2.0, 62.0),
            &self.subtitle,
            svg::Text { size: 15.0, grey: true, ..svg::Text::middle() },
        );
        for (i, chart) in self.panels.iter().enumerate() {
            let at = ((i % columns) as f64 * PANEL_W, top + (i / columns) as f64 * PANEL_H);
            panel::draw(&mut svg, chart, (at.0, at.1, PANEL_W, PANEL_H));
        }
        svg.finish()
    }
}

mod panel;

pub use chart::{Axis, Chart, Series, Style};
use svg::Svg;

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let (w, h) = (PANEL_W, PANEL_H);
        let mut svg = Svg::new(w, h, &self.title);
        panel::draw(&mut svg, self, (0.0, 0.0, w, h));
        svg.finish()
    }
}
