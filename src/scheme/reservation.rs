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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_end_where_they_are_full() {
        assert_eq!(waited(3, 0xfffe), 5);
        assert_eq!((grown(7, 5), grown(0xfff0, 0xff)), (12, 0xffff));
        assert!(expired(0xffff, 0xffff, 0x7fff) && expired(0, 1, 0) && !expired(0, 0, 0));
        assert!(!expired(200, 3, 203) && expired(200, 4, 203));
    }
}
