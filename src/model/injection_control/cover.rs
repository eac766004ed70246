//! Cover points (`docs/injection-control.md`).

use super::state::InjectionControl;
use crate::model::util::cover_points;
use crate::params::Params;

cover_points! {
    yl1_looks "YL1" "a look-up is answered for the header that is still in front"
    yl1_looks_whatever "YL1" "with another scheme than ALO"
    yl1_compete "YL1" "two lanes ask at once"
    yl1_ask_wraps "YL1" "the round robin of those that ask goes round"
    yl1_lost_gone "YL1" "the answer is there, and no header is in front any more"
    yl1_lost_changed "YL1" "another one is"
    yl1_forgotten "YL1" "what is known is forgotten, as the header is gone"
    yl1_forgotten_changed "YL1" "as another one is in front"
    yl1_lost_write "YL1" "the table is written as an answer is there"
    yl1_write_asks "YL1" "as a lane asks"
    yl1_write_forgets "YL1" "as something is known"
    yl1_write_beyond "YL1" "a write beyond the table, as a look-up is under way or something known"
    yl1_write_bits_beyond "YL1" "a write with bits of outputs that are not there"
    yl1_beyond "YL1" "a look-up beyond the table: no output is useful"
    yl1_useful "YL1" "useful outputs and the link decide alone: a header may go"
    yl1_clear "YL1" "an output that is clear decides alone: a useful one has no free lane"
    yl1_clear_link "YL1" "the same, and the link has none"
    yl1_clear_unknown "YL1" "the same, and the useful ones are not known"
    yl1_held_unknown "YL1" "a header is held as its useful outputs are not known"
    yl1_held_output "YL1" "as a useful output alone has no free lane"
    yl1_held_link "YL1" "as the link alone has none"
    yl1_held_one_of_two "YL1" "as one useful output has none, and another one has"
    yl1_held_channels "YL1" "as CHANNELS does not name the output that is clear"
    yl1_channels_beyond "YL1" "CHANNELS is written with bits of no output"
    yl1_partly "YL1" "an output is free and not clear"
    yl1_no_lane "YL1 YW7" "no lane is best-effort: no output is free, none is clear"
    yl1_permission "YL1" "a header may go by its predecessor's permission"
    yl1_not_held "YL1 YW7" "the scheme would hold a header on a lane that is not best-effort"
    yl1_overdue "YL1" "a header is overdue that ALO would hold"
    yl1_overdue_leaves "YL1" "one leaves in the first cycle in which it is"
    yl1_leaves_held "YL1" "one leaves while it is held"
    yl1_kept "YL1" "one is not held any more, waits, and its count is kept"
    yl1_hold_0 "YL1" "a header has been held without a bound"
    yl1_held_most "YL1" "for longer than is counted"
    yl1_scheme_changes "YL1 YS2" "the scheme changes while a header is held"
    yl1_scheme_3 "YL1 YS2" "a header waits with scheme 3, which is none"
    ys1_gives "YS1" "counts are given"
    ys1_held "YS1" "a lane is full whose header is held: it does not count"
    ys1_not_held "YS1" "one is full whose header may go: it does"
    ys1_router "YS1" "with full lanes of the router"
    ys1_not_router "YS1" "without those that it has"
    ys1_gives_and_delivers "YS1" "a flit is delivered in the cycle of a gathering"
    ys1_gather_and_sum "YS1 YS2" "sums come in it"
    ys1_again "YS1" "gatherings in successive cycles"
    ys1_flits_most "YS1" "more flits are delivered than are counted"
    ys1_gives_most "YS1" "that many are given, and one is delivered"
    ys2_first "YS2" "sums come after silence"
    ys2_silent "YS2" "the side-band becomes silent"
    ys2_silent_over "YS2" "the estimate is above T, and nothing is throttled in silence"
    ys2_holds "YS2" "Self-Tuned holds a header"
    ys2_overdue "YS2" "a header is overdue that Self-Tuned would hold"
    ys2_equal "YS2" "the estimate is T: not above it"
    ys2_rising "YS2" "the estimate alone is above T, the last sum is not"
    ys2_falling "YS2" "the last sum alone is, the estimate is not"
    ys2_below_0 "YS2" "the estimate would be below 0"
    ys2_rounds_down "YS2" "a slope that falls is no whole number: rounded down"
    ys2_late "YS2" "sums come later than they should, not yet after silence"
    ys2_at_once "YS2" "sums come in successive cycles"
    ys2_cut "YS2" "GATHER is lowered, and the time since the last sums is cut"
    ys2_raised "YS2" "GATHER is raised in silence: it is over"
    ys3_down "YS3" "T goes down, as flits have dropped by more than a quarter"
    ys3_down_over "YS3" "and it would have held"
    ys3_down_0 "YS3" "down to 0 and less"
    ys3_quarter "YS3" "flits have dropped by a quarter and not more"
    ys3_up "YS3" "T goes up, as it would have held"
    ys3_up_1 "YS3" "by 1, with UP = 0"
    ys3_up_before "YS3" "earlier in the period alone"
    ys3_up_now "YS3" "in its last cycle alone"
    ys3_stays "YS3" "T stays"
    ys3_least "YS3" "T is brought up to UP"
    ys3_least_1 "YS3" "up to 1, with UP = 0"
    ys3_most "YS3" "down to ALL"
    ys3_all_below_up "YS3" "ALL is below UP: T is ALL"
    ys3_forgets "YS3 YS4" "sums after silence: what was learnt is forgotten"
    ys3_write "YS3 YS4" "T is written, and what was learnt is forgotten"
    ys3_write_and_sum "YS3" "in the cycle of sums that end no period"
    ys3_write_and_tunes "YS3 YS4" "in the last cycle of a period"
    ys4_best "YS4" "a period is the best"
    ys4_best_moves "YS4" "as T moves: the T that it had is kept"
    ys4_equal "YS4" "it is as good as the best, which stays"
    ys4_half "YS4" "it is half as good, and no less"
    ys4_from_t "YS4" "T comes from that of the best period"
    ys4_from_full "YS4" "from its full lanes"
    ys4_bad_ends "YS4" "periods far below the best end before they are too many"
    ys4_forgotten "YS4" "they are too many: the best is forgotten"
    yw7_none "YW7" "BE_MASK without data lanes"
    yw7_all "YW7" "BE_MASK with all data lanes"
    yw7_beyond "YW7" "BE_MASK with bits of no data lane"
    r1_sweeps "R1" "an input is ignored while the table is swept"
    c1_read "C1" "a register is read"
    c1_read_and_write "C1" "and written in the same cycle"
    c1_read_as_written "C1" "one is read that acts as another value"
    c1_read_none "C1" "a number that is not listed"
    c1_write_none "C1" "a write to one"
}

impl InjectionControl {
    pub(super) fn hit_if(&mut self, met: bool, point: Cover) {
        self.cover[point as usize] += u64::from(met);
    }
}

/// Says whether a point can be hit at all with these parameters.
pub fn cover_applies(point: &str, p: &Params) -> bool {
    match point {
        // (They need two best-effort lanes.)
        "yl1_partly" => p.vls > 3,
        "yl1_write_bits_beyond" | "yl1_channels_beyond" => p.ports < 16,
        "yl1_write_beyond" | "yl1_beyond" => p.lft_depth < 65536,
        _ => true,
    }
}
