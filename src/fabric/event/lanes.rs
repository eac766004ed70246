//! A value per VL. Nearly always there is one, which then is where its owner is.

use std::ops::{Index, IndexMut};

/// Values of VLs 0, 1, ...
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lanes<T> {
    first: T,
    others: Vec<T>,
}

impl<T: Clone> Lanes<T> {
    pub fn new(value: T, lanes: usize) -> Lanes<T> {
        Lanes { others: vec![value.clone(); lanes - 1], first: value }
    }

    pub fn of(lanes: usize, value: impl Fn(usize) -> T) -> Lanes<T> {
        Lanes { first: value(0), others: (1..lanes).map(value).collect() }
    }

    pub fn len(&self) -> usize {
        1 + self.others.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl<T> Index<usize> for Lanes<T> {
    type Output = T;
    #[inline]
    fn index(&self, lane: usize) -> &T {
        if lane == 0 { &self.first } else { &self.others[lane - 1] }
    }
}

impl<T> IndexMut<usize> for Lanes<T> {
    #[inline]
    fn index_mut(&mut self, lane: usize) -> &mut T {
        if lane == 0 { &mut self.first } else { &mut self.others[lane - 1] }
    }
}
