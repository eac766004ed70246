//! What a chart shows.

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A line through the points, with markers if there are few.
    #[default]
    Line,
    /// Markers only.
    Points,
    /// The area under the line, filled.
    Area,
    /// A bar for each point; the bars of several series stand side by side.
    Bar,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit: `Time (ms)`.
    pub label: String,
    /// Ends; without them those of the data (0 included on the y axis).
    pub range: Option<(f64, f64)>,
    /// Logarithmic; all values must then be above 0 (others are not drawn).
    pub log: bool,
    /// Names of the positions 0, 1, 2, ... instead of numbers.
    pub names: Vec<String>,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: &str) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// The same with fixed ends.
    pub fn range(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    /// The same with a logarithmic scale.
    pub fn log(mut self) -> Axis {
        self.log = true;
        self
    }

    /// Names at the positions 0, 1, 2, ...
    pub fn names(label: &str, names: &[&str]) -> Axis {
        Axis { names: names.iter().map(|n| n.to_string()).collect(), ..Axis::new(label) }
    }
}

/// A series of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name, for the legend.
    pub name: String,
    /// The points, in the order in which they are joined; points that are not finite are left out and break the line.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub style: Style,
    /// Position in the palette; without it that in the chart. So a scheme can look the same in every figure.
    pub look: Option<usize>,
}

impl Series {
    /// A line.
    pub fn line(name: &str, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.into(), points, ..Series::default() }
    }

    /// Bars at positions 0, 1, 2, ...
    pub fn bars(name: &str, values: &[f64]) -> Series {
        let points = values.iter().enumerate().map(|(i, &v)| (i as f64, v)).collect();
        Series { name: name.into(), points, style: Style::Bar, look: None }
    }

    /// The same with a fixed look.
    pub fn look(mut self, look: usize) -> Series {
        self.look = Some(look);
        self
    }

    /// The same in another style.
    pub fn style(mut self, style: Style) -> Series {
        self.style = style;
        self
    }
}

/// One chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// More about it: network, traffic, parameters.
    pub subtitle: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
    /// Vertical lines with a name: the start of a hotspot, for instance.
    pub marks: Vec<(f64, String)>,
}
