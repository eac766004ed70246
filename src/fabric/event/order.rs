//! Orders of inputs by when they were served: of an output's data, for each VL (rule A1), and of a switch's claims, for each output (A3).

use super::bits::ones;

#[derive(Debug)]
pub(super) struct Order {
    /// Element `v * inputs + i`: when input `i` was served last in order `v`, or before all others.
    served: Box<[i64]>,
    inputs: usize,
    services: i64,
    fronts: i64,
}

impl Order {
    /// Nobody was served: by their numbers.
    pub fn new(inputs: usize, orders: usize) -> Order {
        let served = (0..orders * inputs).map(|k| (k % inputs) as i64).collect();
        Order { served, inputs, services: inputs as i64, fronts: 0 }
    }

    #[inline]
    fn of(&self, v: usize) -> &[i64] {
        &self.served[v * self.inputs..][..self.inputs]
    }

    /// Of some inputs the one that was served longest ago.
    #[inline]
    pub fn first(&self, v: usize, set: u64) -> Option<usize> {
        if set & set.wrapping_sub(1) == 0 {
            return (set != 0).then(|| set.trailing_zeros() as usize);
        }
        let served = self.of(v);
        ones(set).min_by_key(|&i| served[i])
    }

    /// The inputs that were served longer ago than input `i`.
    pub fn before(&self, v: usize, i: usize) -> u64 {
        let served = self.of(v);
        (0..self.inputs).filter(|&other| served[other] < served[i]).map(|other| 1 << other).sum()
    }

    /// Input `i` is served.
    #[inline]
    pub fn serve(&mut self, v: usize, i: usize) {
        self.served[v * self.inputs + i] = self.services;
        self.services += 1;
    }

    /// Input `i` goes to the front.
    pub fn put_first(&mut self, v: usize, i: usize) {
        self.fronts -= 1;
        self.served[v * self.inputs + i] = self.fronts;
    }
}
