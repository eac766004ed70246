//! What is booked (YA1): of each output's link, and of the lanes of either side.

/// Largest value of a sum.
const MOST: u32 = 0xffff;

/// Bandwidth of a stream, and the sums in which it is: output and its lane, input and its lane. A lane that is not there has no sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Share {
    pub(in super::super) out: usize,
    pub(in super::super) out_lane: Option<usize>,
    pub(in super::super) input: usize,
    pub(in super::super) in_lane: Option<usize>,
    pub(in super::super) bw: u32,
}

/// Sums of which more was to be taken off than there was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Short {
    pub(in super::super) used: bool,
    pub(in super::super) out: bool,
    pub(in super::super) input: bool,
}

/// All sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Sums {
    pub(in super::super) used: Vec<u32>,
    /// Of output and lane; of input and lane.
    pub(in super::super) out: Vec<Vec<u32>>,
    pub(in super::super) input: Vec<Vec<u32>>,
}

/// Takes off, down to 0. Says whether there was too little.
fn take(sum: &mut u32, bw: u32) -> bool {
    let short = bw > *sum;
    *sum = sum.saturating_sub(bw);
    short
}

impl Sums {
    /// Nothing is booked.
    pub(in super::super) fn new(ports: usize, vls: usize) -> Sums {
        let lanes = vec![vec![0; vls]; ports];
        Sums { used: vec![0; ports], out: lanes.clone(), input: lanes }
    }

    pub(in super::super) fn is_zero(&self) -> bool {
        let none = |sums: &Vec<Vec<u32>>| sums.iter().flatten().all(|&s| s == 0);
        self.used.iter().all(|&s| s == 0) && none(&self.out) && none(&self.input)
    }

    pub(in super::super) fn take_off(&mut self, s: &Share) -> Short {
        Short {
            used: take(&mut self.used[s.out], s.bw),
            out: s.out_lane.is_some_and(|v| take(&mut self.out[s.out][v], s.bw)),
            input: s.in_lane.is_some_and(|v| take(&mut self.input[s.input][v], s.bw)),
        }
    }

    pub(in super::super) fn add(&mut self, s: &Share) {
        let add = |sum: &mut u32| *sum = (*sum + s.bw).min(MOST);
        add(&mut self.used[s.out]);
        if let Some(v) = s.out_lane {
            add(&mut self.out[s.out][v]);
        }
        if let Some(v) = s.in_lane {
            add(&mut self.input[s.input][v]);
        }
    }
}
