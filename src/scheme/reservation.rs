//! Ages of what is sent before its time is granted (SRP).

/// Bits of ages.
pub const AGE_W: u32 = 16;

/// Largest age.
pub const MOST_AGE: u32 = (1 << AGE_W) - 1;

/// Q5: cycles from a stamp to `now`.
pub fn waited(now: u32, stamp: u32) -> u32 {
    now.wrapping_sub(stamp) & MOST_AGE
}

/// Q5: the age of a packet that came with `age` and has waited here.
pub fn grown(age: u32, waited: u32) -> u32 {
    (age + waited).min(MOST_AGE)
}

/// Q6: a speculative packet has waited for too long.
pub fn expired(age: u32, waited: u32, limit: u32) -> bool {
    age + waited > limit
}

/// Q10: cycles that so many flits are given on a link which takes a flit in `interval` cycles; `eps`: 1/65536 of them beside it.
pub fn granted(flits: u32, eps: u64, interval: u64) -> u64 {
    ((u64::from(flits) * (65536 + eps) + 65535) >> 16) * interval
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_granted_in_whole_flits() {
        assert_eq!((granted(128, 3277, 1), granted(128, 3277, 3), granted(128, 0, 2)), (135, 405, 256));
        assert_eq!((granted(1, 1, 1), granted(1, 65535, 1)), (2, 2));
    }

    #[test]
    fn ages_end_where_they_are_full() {
        assert_eq!(waited(3, 0xfffe), 5);
        assert_eq!((grown(7, 5), grown(0xfff0, 0xff)), (12, 0xffff));
        assert!(expired(0xffff, 0xffff, 0x7fff) && expired(0, 1, 0) && !expired(0, 0, 0));
        assert!(!expired(200, 3, 203) && expired(200, 4, 203));
    }
}
