//! An order by when each was served: who is served goes to its end, and nobody else moves (rules A1, A3).

#[derive(Clone)]
pub(in crate::model) struct Order {
    /// Of each those before it, a bit each.
    before: Vec<u64>,
}

impl Order {
    /// Nobody was served: by their numbers.
    pub(in crate::model) fn new(n: usize) -> Order {
        Order { before: (0..n).map(|i| (1 << i) - 1).collect() }
    }

    /// Of each those before it, by number.
    pub(in crate::model) fn before(&self) -> impl Iterator<Item = (usize, u64)> {
        self.before.iter().copied().enumerate()
    }

    /// How many are before `i`.
    pub(in crate::model) fn place(&self, i: usize) -> usize {
        self.before[i].count_ones() as usize
    }

    /// `i` is served.
    pub(in crate::model) fn serve(&mut self, i: usize) {
        self.before.iter_mut().for_each(|before| *before &= !(1 << i));
        let others = (0..self.before.len()).filter(|&other| other != i);
        self.before[i] = others.map(|other| 1 << other).sum();
    }

    /// `i` goes to the front.
    pub(in crate::model) fn put_first(&mut self, i: usize) {
        self.before.iter_mut().for_each(|before| *before |= 1 << i);
        self.before[i] = 0;
    }
}
