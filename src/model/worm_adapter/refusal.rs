//! Why an open or a post is refused (section 2), and what error that sets.

use super::state::{BAD_POST, NO_CONN, SUM_C};

pub(super) const WHY_NO_CONN: u32 = 1;
pub(super) const WHY_BAD: u32 = 2;
pub(super) const WHY_NO_BANDWIDTH: u32 = 3;
pub(super) const WHY_SUM_C: u32 = 4;
pub(super) const WHY_FULL: u32 = 5;
pub(super) const WHY_NO_CREDIT: u32 = 6;

/// The error that a refusal sets, if it sets any.
pub(super) fn error_of(why: u32) -> u32 {
    match why {
        WHY_NO_CONN => NO_CONN,
        WHY_BAD => BAD_POST,
        WHY_SUM_C => SUM_C,
        _ => 0,
    }
}
