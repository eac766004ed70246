//! A log-linear histogram: 32 classes per power of two, so a value is known to about 3 %.

/// Classes per power of two.
const SUB: u64 = 32;

/// A histogram of whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    classes: Vec<u64>,
    count: u64,
    sum: u128,
    max: u64,
}

/// Class of a value.
fn class(value: u64) -> usize {
    if value < SUB {
        return value as usize;
    }
    let shift = 63 - value.leading_zeros() - SUB.trailing_zeros();
    (u64::from(shift) * SUB + (value >> shift)) as usize
}

/// Largest value of a class.
fn upper(class: usize) -> u64 {
    let class = class as u64;
    if class < 2 * SUB {
        return class;
    }
    let shift = class / SUB - 1;
    let top = class - shift * SUB;
    ((top + 1) << shift) - 1
}

impl Histogram {
    /// Counts a value.
    pub fn add(&mut self, value: u64) {
        let c = class(value);
        if c >= self.classes.len() {
            self.classes.resize(c + 1, 0);
        }
        self.classes[c] += 1;
        self.count += 1;
        self.sum += u128::from(value);
        self.max = self.max.max(value);
    }

    /// Values counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Largest value, exact.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Mean, exact; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The value that `per_mille` of 1000 values do not exceed: the upper end of its class, at most the maximum.
    pub fn percentile(&self, per_mille: u64) -> u64 {
        let rank = (u128::from(self.count) * u128::from(per_mille)).div_ceil(1000).max(1) as u64;
        let mut seen = 0;
        for (c, &n) in self.classes.iter().enumerate() {
            seen += n;
            if seen >= rank {
                return upper(c).min(self.max);
            }
        }
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_cover_the_numbers_without_gaps() {
        for v in (0..5000).chain([u64::MAX / 3, u64::MAX - 1, u64::MAX >> 1]) {
            let c = class(v);
            assert!(v <= upper(c), "{v} is above its class");
            assert!(c == 0 || v > upper(c - 1), "{v} belongs lower");
            assert!(upper(c) - v <= v / SUB, "{v}: class too wide");
        }
    }

    #[test]
    fn percentiles_of_a_known_list() {
        let mut h = Histogram::default();
        (1..=1000).for_each(|v| h.add(v));
        assert_eq!((h.count(), h.max(), h.mean()), (1000, 1000, 500.5));
        for (per_mille, exact) in [(500u64, 500u64), (900, 900), (990, 990), (999, 999), (1000, 1000)] {
            let p = h.percentile(per_mille);
            assert!(p >= exact && p <= exact + exact / 32, "p{per_mille} = {p}");
        }
        assert_eq!(Histogram::default().percentile(500), 0);
    }
}
