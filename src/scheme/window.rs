//! What ACKs with marks make of a flow's window and delay (rules VR1, VR2, VR4), pure (`docs/source-response.md`, section 2).

use super::rate::{FULL, Rate, lowest};

choice! {
    /// What the marks of an ACK say.
    Severity {
        /// No congestion.
        Clean "clean",
        /// A root or a victim: windows close.
        Warm "warm",
        /// Both: delays follow.
        Hot "hot",
    }
}

/// VR1: the severity of an ACK's bits by the map of the register; `None`: no switch makes these.
#[inline]
pub fn severity(map: u32, bits: u32) -> Option<Severity> {
    match map >> (2 * (bits & 7)) & 3 {
        0 => Some(Severity::Clean),
        1 => Some(Severity::Warm),
        2 => Some(Severity::Hot),
        _ => None,
    }
}

/// How hot ACKs delay a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Not at all.
    None,
    /// By a rate (SR2).
    Rate(Rate),
    /// By waiting slots (VR3).
    Slots,
}

impl Law {
    /// By the number in the register.
    pub fn of(number: u32) -> Law {
        match number {
            1 => Law::Rate(Rate::Lipd),
            2 => Law::Rate(Rate::Fimd),
            3 => Law::Rate(Rate::Aimd),
            4 => Law::Slots,
            _ => Law::None,
        }
    }
}

/// What holds a flow back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Packets that may be outstanding.
    pub window: u32,
    /// Time between packets, as a [`Rate`] has it.
    pub x: u64,
    /// Steps of waiting slots.
    pub slots: u32,
}

/// Which line of VR2 an ACK was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The slots end.
    EndsSlots,
    /// The rate rises.
    Recovers,
    /// The window is wider by one, if it was not the widest.
    Widens,
    /// The window is narrower by one, if it was not 1.
    Narrows,
    /// One slot step more, if there are more.
    MoreSlots,
    /// The rate falls.
    Slows,
    /// Nothing.
    Nothing,
}

/// What the registers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How hot ACKs delay.
    pub law: Law,
    /// The widest window, 1 at least.
    pub widest: u32,
    /// Windows move.
    pub moves: bool,
    /// SR1: the lowest rate is 2^-g.
    pub g: u32,
    /// VR4: the largest number of slot steps.
    pub steps: u32,
}

impl Bounds {
    /// A flow that no ACK has adjusted.
    pub fn fresh(&self) -> Held {
        Held { window: self.widest, x: FULL, slots: 0 }
    }

    /// What is in effect of what ACKs made: within the registers, and nothing of another law.
    pub fn in_effect(&self, made: &Held) -> Held {
        let fresh = self.fresh();
        Held {
            window: if self.moves { made.window.min(self.widest) } else { fresh.window },
            x: if matches!(self.law, Law::Rate(_)) { made.x.min(lowest(self.g)) } else { fresh.x },
            slots: if self.law == Law::Slots { made.slots.min(self.steps) } else { fresh.slots },
        }
    }

    /// VR2: an ACK of a flow with these values in effect: the first line that fits.
    pub fn acknowledged(&self, held: &Held, severity: Severity) -> (Held, Step) {
        let Held { window, x, slots } = *held;
        match (severity, self.law) {
            (Severity::Clean, _) if slots > 0 => (Held { slots: 0, ..*held }, Step::EndsSlots),
            (Severity::Clean, Law::Rate(rate)) if x > FULL => {
                (Held { x: rate.recovered(x, self.g), ..*held }, Step::Recovers)
            }
            (Severity::Clean, _) if self.moves => {
                (Held { window: (window + 1).min(self.widest), ..*held }, Step::Widens)
            }
            (Severity::Warm, _) if self.moves => {
                (Held { window: (window - 1).max(1), ..*held }, Step::Narrows)
            }
            (Severity::Hot, _) if self.moves && window > 1 => {
                (Held { window: window - 1, ..*held }, Step::Narrows)
            }
            (Severity::Hot, Law::Slots) => {
                (Held { slots: (slots + 1).min(self.steps), ..*held }, Step::MoreSlots)
            }
            (Severity::Hot, Law::Rate(rate)) => (Held { x: rate.marked(x, self.g), ..*held }, Step::Slows),
            _ => (*held, Step::Nothing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bounds(law: Law, widest: u32, moves: bool) -> Bounds {
        Bounds { law, widest, moves, g: 8, steps: 3 }
    }

    #[test]
    fn severities_of_the_schemes() {
        let all = |map: u32| (0..8).map(|i| severity(map, i).map_or("-", Severity::name)).collect::<Vec<_>>();
        // BECN alone counts.
        assert_eq!(all(0xaa00), ["clean", "clean", "clean", "clean", "hot", "hot", "hot", "hot"]);
        // MB and VB; VB alone is not made. Without warm packets; with MB alone as hot.
        assert_eq!(all(0x9c9c)[..4], ["clean", "-", "warm", "hot"]);
        assert_eq!(all(0x8c8c)[..4], ["clean", "-", "clean", "hot"]);
        assert_eq!(all(0xacac)[..4], ["clean", "-", "hot", "hot"]);
        assert_eq!(all(0x9c9c)[4..], all(0x9c9c)[..4]);
    }

    /// Section 10: MVCM.
    #[test]
    fn the_sequence_of_mvcm() {
        let b = bounds(Law::Slots, 3, true);
        let mut held = b.fresh();
        let rows = [
            ('w', 2, 0),
            ('h', 1, 0),
            ('h', 1, 1),
            ('h', 1, 2),
            ('h', 1, 3),
            ('h', 1, 3),
            ('h', 1, 3),
            ('w', 1, 3),
            ('c', 1, 0),
            ('c', 2, 0),
            ('c', 3, 0),
            ('c', 3, 0),
        ];
        for (k, (ack, window, slots)) in rows.into_iter().enumerate() {
            let severity = match ack {
                'c' => Severity::Clean,
                'w' => Severity::Warm,
                _ => Severity::Hot,
            };
            held = b.acknowledged(&b.in_effect(&held), severity).0;
            assert_eq!((held.window, held.slots), (window, slots), "{k}");
        }
    }

    #[test]
    fn laws_by_number() {
        let none = [0, 5, 6, 7].map(Law::of);
        assert_eq!(none, [Law::None; 4]);
        assert_eq!(Law::of(2), Law::Rate(Rate::Fimd));
        assert_eq!(Law::of(4), Law::Slots);
    }

    #[test]
    fn what_one_law_left_does_not_hold_up_another() {
        let made = Held { window: 2, x: lowest(8), slots: 3 };
        let none = bounds(Law::None, 4, false);
        assert_eq!(none.in_effect(&made), none.fresh());
        let rate = Bounds { g: 3, ..bounds(Law::Rate(Rate::Lipd), 1, true) };
        assert_eq!(rate.in_effect(&made), Held { window: 1, x: lowest(3), slots: 0 });
        let slots = Bounds { steps: 2, ..bounds(Law::Slots, 9, true) };
        assert_eq!(slots.in_effect(&made), Held { window: 2, x: FULL, slots: 2 });
        let no_steps = Bounds { steps: 0, ..slots };
        let (after, step) = no_steps.acknowledged(&no_steps.fresh(), Severity::Hot);
        assert_eq!((after.window, step), (8, Step::Narrows));
        let narrow = no_steps.in_effect(&Held { window: 1, ..made });
        assert_eq!(no_steps.acknowledged(&narrow, Severity::Hot), (narrow, Step::MoreSlots));
    }

    fn any_law() -> impl Strategy<Value = Law> {
        (0u32..8).prop_map(Law::of)
    }

    proptest! {
        /// Of any flow: an ACK changes the window by one at most and not with a delay; clean ones hold nothing back, marks
        /// free nothing; and what they make is in effect as it is.
        #[test]
        fn one_step_the_right_way(
            law in any_law(), widest in 1u32..256, moves: bool, g in 2u32..9, steps in 0u32..16,
            window in 1u32..256, x in FULL..=lowest(8), slots in 0u32..16, hot in 0usize..3,
        ) {
            let b = Bounds { law, widest, moves, g, steps };
            let held = b.in_effect(&Held { window, x, slots });
            let severity = [Severity::Clean, Severity::Warm, Severity::Hot][hot];
            let (after, step) = b.acknowledged(&held, severity);
            prop_assert_eq!(b.in_effect(&after), after);
            let window_moved = after.window != held.window;
            let delay_moved = (after.x, after.slots) != (held.x, held.slots);
            prop_assert!(!(window_moved && delay_moved) && after.window.abs_diff(held.window) <= 1);
            prop_assert!(step != Step::Nothing || after == held);
            if severity == Severity::Clean {
                prop_assert!(after.window >= held.window && after.x <= held.x && after.slots <= held.slots);
                // Something gets better until all is well.
                prop_assert!(after != held || held == b.fresh());
            } else {
                prop_assert!(after.window <= held.window && after.x >= held.x && after.slots >= held.slots);
            }
            prop_assert!(severity != Severity::Warm || !delay_moved);
        }

        /// With slots so many clean ACKs as the window is wide restore the full rate, from whatever there was.
        #[test]
        fn a_window_of_clean_acks_restores_the_full_rate(
            widest in 1u32..256, steps in 0u32..16, window in 1u32..256, slots in 0u32..16,
        ) {
            let b = Bounds { law: Law::Slots, widest, moves: true, g: 8, steps };
            let mut held = Held { window, x: FULL, slots };
            for _ in 0..widest {
                held = b.acknowledged(&b.in_effect(&held), Severity::Clean).0;
            }
            prop_assert_eq!(held, b.fresh());
        }
    }
}
