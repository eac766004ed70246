//! A figure that was measured: one value for each draw of the hotspots.

/// One value for each draw; just one where nothing is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// The values, in the order of the draws.
    pub fn new(values: Vec<f64>) -> Sample {
        Sample(values)
    }

    /// A value that no draw changes.
    pub fn constant(value: f64) -> Sample {
        Sample(vec![value])
    }

    /// The draws.
    pub fn draws(&self) -> usize {
        self.0.len()
    }

    /// The value of a draw.
    pub fn of(&self, draw: usize) -> f64 {
        match self.0[..] {
            [one] => one,
            _ => self.0.get(draw).copied().unwrap_or(f64::NAN),
        }
    }

    /// All values.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// Mean over the draws.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Standard deviation over the draws; None for one draw.
    pub fn spread(&self) -> Option<f64> {
        let (n, mean) = (self.0.len(), self.mean());
        let squares: f64 = self.0.iter().map(|v| (v - mean) * (v - mean)).sum();
        (n > 1).then(|| (squares / (n - 1) as f64).sqrt())
    }

    /// Something of each value.
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Sample {
        Sample(self.0.iter().map(|&v| f(v)).collect())
    }

    /// Something of several figures, draw by draw.
    pub fn each(of: &[Sample], f: impl Fn(&[f64]) -> f64) -> Sample {
        let draws = of.iter().map(Sample::draws).max().unwrap_or(0);
        let value = |draw| f(&of.iter().map(|s| s.of(draw)).collect::<Vec<_>>());
        Sample((0..draws).map(value).collect())
    }

    /// This divided by another, draw by draw.
    pub fn over(&self, other: &Sample) -> Sample {
        Sample::each(&[self.clone(), other.clone()], |v| v[0] / v[1])
    }

    /// By how many per cent this is above another, draw by draw.
    pub fn gain(&self, other: &Sample) -> Sample {
        self.over(other).map(|r| 100.0 * (r - 1.0))
    }

    /// The mean, and the spread if there are draws.
    pub fn text(&self, digits: usize) -> String {
        let mean = format!("{:.digits$}", self.mean());
        // Nothing is less than nothing.
        let zero = mean.starts_with('-') && mean.parse() == Ok(0.0);
        let mean = mean[usize::from(zero)..].to_string();
        self.spread().map_or(mean.clone(), |spread| format!("{mean} ± {spread:.digits$}"))
    }
}

/// The highest; no number if one of them is none.
pub fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, |a, b| if a > b || a.is_nan() { a } else { b })
}

/// The lowest; no number if one of them is none.
pub fn lowest(values: &[f64]) -> f64 {
    -highest(&values.iter().map(|v| -v).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread_are_over_draws() {
        let s = Sample::new(vec![1.0, 2.0, 6.0]);
        assert_eq!((s.mean(), s.draws(), s.of(2)), (3.0, 3, 6.0));
        assert!((s.spread().unwrap() - 7f64.sqrt()).abs() < 1e-12);
        assert_eq!(s.text(1), "3.0 ± 2.6");
        let one = Sample::constant(2.0);
        assert_eq!((one.spread(), one.of(7), one.text(2)), (None, 2.0, "2.00".to_string()));
        assert_eq!([-0.04, 0.0, -0.06].map(|v| Sample::constant(v).text(1)), ["0.0", "0.0", "-0.1"]);
        assert_eq!(s.over(&one).values(), [0.5, 1.0, 3.0]);
        assert_eq!(s.gain(&one).values(), [-50.0, 0.0, 200.0]);
        assert_eq!((highest(s.values()), lowest(s.values())), (6.0, 1.0));
        for with in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
            assert!(highest(&with).is_nan() && lowest(&with).is_nan());
        }
        // A draw that is not there is no number, and no claim holds of it.
        assert!(Sample::new(vec![1.0, 2.0]).of(2).is_nan());
        assert!(Sample::new(Vec::new()).mean().is_nan());
    }
}
