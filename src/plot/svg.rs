//! Writes SVG.

use std::fmt::Write;

use crate::text::escape;

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub size: f64,
    pub bold: bool,
    pub grey: bool,
    pub anchor: &'static str,
    pub vertical: bool,
}

impl Text {
    /// Centred.
    pub fn middle() -> Text {
        Text { size: 14.0, bold: false, grey: false, anchor: "middle", vertical: false }
    }

    /// To the right of its point.
    pub fn start() -> Text {
        Text { anchor: "start", ..Text::middle() }
    }

    /// To the left of its point.
    pub fn end() -> Text {
        Text { anchor: "end", ..Text::middle() }
    }
}

/// A document.
pub struct Svg {
    out: String,
    clips: usize,
}

/// A number with at most two decimals.
pub fn num(v: f64) -> String {
    let text = format!("{v:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

impl Svg {
    /// An empty white page.
    pub fn new(w: f64, h: f64, title: &str) -> Svg {
        let (w, h) = (num(w), num(h));
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" role=\"img\">\n<title>{}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n",
            escape(title)
        );
        Svg { out, clips: 0 }
    }

    /// A line of text; nothing if it is empty.
    pub fn text(&mut self, at: (f64, f64), text: &str, t: Text) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (num(at.0), num(at.1));
        let turn = if t.vertical { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        let weight = if t.bold { " font-weight=\"bold\"" } else { "" };
        let fill = if t.grey { "#555555" } else { "#111111" };
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{fill}\"{weight}{turn}>{}</text>",
            num(t.size),
            t.anchor,
            escape(text)
        );
    }

    /// A straight line.
    pub fn line(&mut self, a: (f64, f64), b: (f64, f64), colour: &str, width: f64, dash: &str) {
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let _ = writeln!(
            self.out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"{}\"{dash}/>",
            num(a.0),
            num(a.1),
            num(b.0),
            num(b.1),
            num(width)
        );
    }

    /// A rectangle (x, y, width, height).
    pub fn rect(&mut self, r: (f64, f64, f64, f64), fill: &str, stroke: &str) {
        let _ = writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
            num(r.0),
            num(r.1),
            num(r.2),
            num(r.3)
        );
    }

    /// Any path.
    pub fn path(&mut self, d: &str, attributes: &str) {
        let _ = writeln!(self.out, "<path d=\"{d}\" {attributes}/>");
    }

    /// What follows, until [`Svg::unclip`], is seen only inside a rectangle.
    pub fn clip(&mut self, r: (f64, f64, f64, f64)) {
        let id = self.clips;
        self.clips += 1;
        let _ = writeln!(
            self.out,
            "<clipPath id=\"c{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
             <g clip-path=\"url(#c{id})\">",
            num(r.0),
            num(r.1),
            num(r.2),
            num(r.3)
        );
    }

    /// Ends [`Svg::clip`].
    pub fn unclip(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// The document.
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}
