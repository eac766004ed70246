//! What a source does that learns of congestion (rules H3, H4, H6), or so that there is none (Q14 to Q20).

choice! {
    /// Response of an adapter.
    Response {
        /// Nothing.
        None "-",
        /// An index (CCTI) into a table of delays between the packets of a flow: up with a BECN, down with time.
        Delay "delay by CCTI",
        /// A window of packets outstanding, and a delay that follows the marks of ACKs (VR2).
        Window "window and delay by ACKs",
        /// It asks for time before it sends, and until the answer sends what switches may drop (Q14 to Q20).
        Reservation "reserved time",
    }
}

/// H3: the index after a BECN.
#[inline]
pub fn raised(ccti: u32, increase: u32, limit: u32) -> u32 {
    (ccti + increase).min(limit)
}

/// H4: the index after `n` steps towards its minimum; one below it is lifted.
#[inline]
pub fn lowered(ccti: u32, n: u32, min: u32) -> u32 {
    ccti.saturating_sub(n).max(min)
}

/// H4: the steps that an expiry makes: the largest power of two up to 128 of periods that are over, or 0.
#[inline]
pub fn periods_over(elapsed: u32, period: u32) -> u32 {
    (0..8).rev().map(|j| 1 << j).find(|n| elapsed >= period * n).unwrap_or(0)
}

/// H6: the delay that a table entry means after a packet that took `time`: in cycles, or shift and factor of that time.
#[inline]
pub fn delay(entry: u32, time: u32, absolute: bool) -> u32 {
    if absolute { entry } else { (time >> (entry >> 14)) * (entry & 0x3fff) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_delays() {
        assert_eq!((raised(3, 2, 9), raised(8, 2, 9), raised(12, 1, 9)), (5, 9, 9));
        assert_eq!((lowered(5, 2, 1), lowered(5, 9, 1), lowered(0, 1, 4)), (3, 1, 4));
        assert_eq!(
            [0, 9, 10, 19, 20, 79, 80, 99_999].map(|e| periods_over(e, 10)),
            [0, 0, 1, 1, 2, 4, 8, 128]
        );
        assert_eq!((delay(77, 32, true), delay(1 << 14 | 3, 33, false)), (77, 48));
    }
}
