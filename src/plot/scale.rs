//! From values to positions, and where the ticks are.

/// A scale: values `low..=high` to pixels `from..=to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub low: f64,
    pub high: f64,
    pub log: bool,
    pub from: f64,
    pub to: f64,
}

impl Scale {
    /// Pixel of a value.
    pub fn at(&self, v: f64) -> f64 {
        let f = |v: f64| if self.log { v.log10() } else { v };
        let (a, b) = (f(self.low), f(self.high));
        self.from + (f(v) - a) / (b - a) * (self.to - self.from)
    }

    /// Whether a value is on the scale.
    pub fn holds(&self, v: f64) -> bool {
        v.is_finite() && v >= self.low - 1e-12 * self.low.abs() && v <= self.high + 1e-12 * self.high.abs()
    }
}

/// 1, 2 or 5 times a power of ten, so that about `count` steps cover `span`.
fn step(span: f64, count: f64) -> f64 {
    let raw = span / count;
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= raw * 0.999).unwrap_or(10.0);
    factor * power
}

/// The ends of an axis of values `low..=high`, rounded outwards to a tick; `zero`: 0 is wanted on it.
pub fn ends(low: f64, high: f64, log: bool, zero: bool) -> (f64, f64) {
    if !low.is_finite() || !high.is_finite() {
        return if log { (1.0, 10.0) } else { (0.0, 1.0) };
    }
    if log {
        let (a, b) = (10f64.powf(low.log10().floor()), 10f64.powf(high.log10().ceil()));
        return (a, if b > a { b } else { a * 10.0 });
    }
    let (mut a, mut b) = if zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
    if a == b {
        (a, b) = if a == 0.0 { (0.0, 1.0) } else { (a - a.abs() * 0.1, b + b.abs() * 0.1) };
    }
    let s = step(b - a, 6.0);
    ((a / s + 1e-9).floor() * s, (b / s - 1e-9).ceil() * s)
}

/// The ticks of an axis.
pub fn ticks(low: f64, high: f64, log: bool, count: f64) -> Vec<f64> {
    if log {
        let (a, b) = (low.log10().ceil() as i32, high.log10().floor() as i32);
        let every = ((f64::from(b - a) / 8.0).ceil() as i32).max(1);
        return (a..=b).step_by(every as usize).map(|e| 10f64.powi(e)).collect();
    }
    let s = step(high - low, count);
    let first = (low / s - 1e-9).ceil() as i64;
    let last = (high / s + 1e-9).floor() as i64;
    (first..=last).map(|i| i as f64 * s).collect()
}

/// A tick as text; `all` says how many decimals are needed to tell the ticks apart.
pub fn label(v: f64, all: &[f64], log: bool) -> String {
    let large = all.iter().fold(0f64, |m, t| m.max(t.abs()));
    if log && all.iter().any(|t| !(0.01..1e6).contains(t)) {
        return format!("10^{}", v.log10().round() as i32);
    }
    if !log && large >= 1e6 {
        let (unit, name) = if large >= 1e9 { (1e9, " G") } else { (1e6, " M") };
        return if v == 0.0 { "0".into() } else { format!("{}{name}", short(v / unit)) };
    }
    if log {
        return short(v);
    }
    let gap = all.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
    let decimals =
        if gap.is_finite() && gap < 1.0 { (-gap.log10() - 1e-9).ceil().clamp(0.0, 9.0) } else { 0.0 };
    let text = format!("{v:.*}", decimals as usize);
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') && v.abs() < gap * 0.5 {
        return format!("{:.*}", decimals as usize, 0.0);
    }
    text
}

/// With at most three decimals and no zeros at the end.
fn short(v: f64) -> String {
    let text = format!("{v:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
