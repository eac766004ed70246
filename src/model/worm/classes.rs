//! Lanes and their classes (YW7).

/// Lanes, ports or groups, a bit each.
pub(in crate::model) type Set = u32;

/// The members of a set, lowest first.
pub(in crate::model) fn members(set: Set) -> Members {
    Members(set)
}

/// Those that are left.
#[derive(Clone, Copy)]
pub(in crate::model) struct Members(Set);

impl Iterator for Members {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// A class of lanes; what comes first goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::model) enum Class {
    Reply,
    Control,
    RealTime,
    BestEffort,
}

impl Class {
    /// First to last.
    pub(in crate::model) const ALL: [Class; 4] =
        [Class::Reply, Class::Control, Class::RealTime, Class::BestEffort];

    /// The guard of best-effort does not touch it (section 5).
    pub(in crate::model) fn is_exempt(self) -> bool {
        self < Class::RealTime
    }
}

/// YW7: which lanes are of which class.
#[derive(Clone, Copy)]
pub(in crate::model) struct Classes {
    vls: usize,
    best_effort: Set,
}

impl Classes {
    /// Of `vls` lanes with register BE_MASK.
    pub(in crate::model) fn new(vls: usize, be_mask: u32) -> Classes {
        Classes { vls, best_effort: be_mask & Classes::data(vls) }
    }

    /// The data lanes of `vls` lanes: all but the highest two.
    pub(in crate::model) fn data(vls: usize) -> Set {
        (1 << (vls - 2)) - 1
    }

    /// BE_MASK after reset: the B = max(1, floor(D/4)) highest data lanes.
    pub(in crate::model) fn reset_mask(vls: usize) -> u32 {
        let data = vls - 2;
        let share = (data / 4).max(1);
        ((1 << share) - 1) << (data - share)
    }

    pub(in crate::model) fn lanes(self, class: Class) -> Set {
        match class {
            Class::Reply => 1 << (self.vls - 2),
            Class::Control => 1 << (self.vls - 1),
            Class::RealTime => Classes::data(self.vls) & !self.best_effort,
            Class::BestEffort => self.best_effort,
        }
    }

    pub(in crate::model) fn of(self, lane: usize) -> Class {
        match lane {
            v if v == self.vls - 1 => Class::Control,
            v if v == self.vls - 2 => Class::Reply,
            v if self.best_effort >> v & 1 != 0 => Class::BestEffort,
            _ => Class::RealTime,
        }
    }

    /// The first class that has a lane in a set.
    pub(in crate::model) fn first_of(self, set: Set) -> Option<Class> {
        Class::ALL.into_iter().find(|&c| set & self.lanes(c) != 0)
    }
}
