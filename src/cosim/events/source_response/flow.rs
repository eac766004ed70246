//! What a flow may do, by its ACKs (AK6, AK7, VR1, VR2, VR5, SR1, SR2): the best and the worst that it can be.

/// The registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Registers {
    pub ctrl: u32,
    pub wmax: u32,
    pub exponent: u32,
    pub steps: u32,
    pub rtt: u32,
    pub severities: u32,
    pub interval: u32,
}

impl Registers {
    pub fn new() -> Registers {
        Registers { ctrl: 0, wmax: 1, exponent: 8, steps: 3, rtt: 1, severities: 0xaa00, interval: 1 }
    }

    pub fn is_on(&self) -> bool {
        self.ctrl & 1 == 1
    }

    fn response(&self) -> u32 {
        self.ctrl >> 1 & 7
    }

    /// Marks lower the rate.
    pub fn by_rate(&self) -> bool {
        matches!(self.response(), 1..=3)
    }

    /// Marks give waiting slots.
    pub fn by_slots(&self) -> bool {
        self.response() == 4
    }

    fn moves(&self) -> bool {
        self.ctrl >> 4 & 1 == 1
    }

    /// A delay counts from the last ACK.
    pub fn counts_from_ack(&self) -> bool {
        self.by_slots() || self.ctrl >> 5 & 1 == 1
    }

    /// A packet time is RTT_MIN.
    pub fn by_round_trip(&self) -> bool {
        self.ctrl >> 6 & 1 == 1
    }

    /// A post into an empty queue begins anew.
    pub fn forgets(&self) -> bool {
        self.ctrl >> 7 & 1 == 1 && self.wmax > 0
    }

    fn widest(&self) -> u32 {
        self.wmax.max(1)
    }

    fn lowest(&self) -> u32 {
        self.exponent.clamp(2, 8)
    }

    /// Of the bits of an ACK: 0 clean, 1 warm, 2 hot, 3 invalid.
    pub fn severity(&self, bits: u32) -> u32 {
        self.severities >> (2 * (bits & 7)) & 3
    }
}

/// A rate of 1: the time from packet to packet in packet times.
const ONE: u64 = 1 << 24;

/// What ACKs have made of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    adjusted: bool,
    window: u32,
    time: u64,
    slot: u32,
}

impl Point {
    pub const FRESH: Point = Point { adjusted: false, window: 0, time: 0, slot: 0 };
    pub const WORST: Point = Point { adjusted: true, window: 1, time: ONE << 8, slot: 15 };

    pub fn window(&self, r: &Registers) -> u32 {
        if self.adjusted && r.moves() { self.window.min(r.widest()) } else { r.widest() }
    }

    /// Packet times from packet to packet, 24 bits behind the point.
    pub fn time(&self, r: &Registers) -> u64 {
        if self.adjusted && r.by_rate() { self.time.min(ONE << r.lowest()) } else { ONE }
    }

    pub fn slot(&self, r: &Registers) -> u32 {
        if self.adjusted && r.by_slots() { self.slot.min(r.steps) } else { 0 }
    }

    /// After an ACK of a severity of 0 to 2.
    fn acked(&self, severity: u32, r: &Registers) -> Point {
        let (window, time, slot) = (self.window(r), self.time(r), self.slot(r));
        let p = Point { adjusted: true, window, time, slot };
        match severity {
            0 if slot > 0 => Point { slot: 0, ..p },
            0 if time > ONE => Point { time: recovered(time, r), ..p },
            0 if r.moves() => Point { window: (window + 1).min(r.widest()), ..p },
            1 if r.moves() => Point { window: (window - 1).max(1), ..p },
            2 if r.moves() && window > 1 => Point { window: window - 1, ..p },
            2 if r.by_slots() => Point { slot: (slot + 1).min(r.steps), ..p },
            2 if r.by_rate() => {
                let more = if r.response() == 1 { time + ONE } else { 2 * time };
                Point { time: more.min(ONE << r.lowest()), ..p }
            }
            _ => p,
        }
    }

    /// What holds least of two, by whatever registers come.
    fn better(self, other: Point) -> Point {
        if !self.adjusted || !other.adjusted {
            return Point::FRESH;
        }
        Point {
            adjusted: true,
            window: self.window.max(other.window),
            time: self.time.min(other.time),
            slot: self.slot.min(other.slot),
        }
    }

    /// And most.
    fn worse(self, other: Point) -> Point {
        match (self.adjusted, other.adjusted) {
            (false, _) => other,
            (_, false) => self,
            _ => Point {
                adjusted: true,
                window: self.window.min(other.window),
                time: self.time.max(other.time),
                slot: self.slot.max(other.slot),
            },
        }
    }
}

/// How much of the rate comes back, by the share of the lowest rate in it: an entry of the table.
fn gain(i: u64, r: &Registers) -> i64 {
    let e = i as f64 / 64.0;
    let h = match (r.response(), i) {
        (2, 0) => std::f64::consts::LN_2,
        (2, _) => (1.0 - (-e).exp2()) / e,
        _ => e / (1.0 + e * e),
    };
    (65536.0 * h + 0.5).floor() as i64
}

/// The time after a clean ACK.
fn recovered(time: u64, r: &Registers) -> u64 {
    let share = time >> r.lowest();
    let less = match r.response() {
        1 => share,
        _ => {
            let (i, rest) = (share >> 18, (share >> 8 & 1023) as i64);
            let (from, to) = (gain(i, r), gain((i + 1).min(64), r));
            let slope = if i >= 64 { 0 } else { (to - from) * rest };
            let h = (from * 1024 + slope) as u128;
            let q = (u128::from(time) * u128::from(share)) >> 24;
            ((q * h) >> 26) as u64
        }
    };
    time.saturating_sub(less).max(ONE)
}

/// A flow, as far as it is known: the best and the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub best: Point,
    pub worst: Point,
    /// Packets outstanding, at least and at most.
    pub out: (u32, u32),
    /// The last ACK that counted: the first and the last cycle from which a delay may count; none: none does, perhaps, or for sure.
    pub first: Option<u64>,
    pub last: Option<u64>,
}

/// More packets than these are not counted.
const MOST: u32 = 511;

impl Known {
    pub fn new() -> Known {
        Known { best: Point::FRESH, worst: Point::FRESH, out: (0, 0), first: None, last: None }
    }

    /// A packet is accepted.
    pub fn takes(&mut self) {
        self.out = match self.out {
            (_, most) if most >= MOST => (0, MOST + 1),
            (least, most) => (least + 1, most + 1),
        };
    }

    /// It is silent for so long that packets may be given up, or are.
    pub fn silent(&mut self, sure: bool) {
        self.out = if sure { (0, 0) } else { (0, self.out.1) };
    }

    /// What ACKs made of it is not known, nor whether one of a moment ago counted.
    pub fn forget(&mut self, now: u64) {
        (self.best, self.worst) = (Point::FRESH, Point::WORST);
        (self.first, self.last) = (None, Some(now));
    }

    /// A packet is accepted for which an ACK of a moment ago may have counted.
    pub fn takes_perhaps(&mut self, now: u64) {
        let least = self.out.0;
        self.takes();
        self.out.0 = least.min(self.out.0);
        self.forget(now);
    }

    /// An ACK came; `young` packets were accepted so late that it may count for one of them, or not. Whether it counts for sure.
    pub fn acked(&mut self, bits: u32, young: u32, r: &Registers, now: u64) -> bool {
        let (least, most) = self.out;
        if most == 0 {
            return false;
        }
        let sure = least > young;
        let less = if most > MOST { most } else { most - 1 };
        self.out = (least.saturating_sub(1), if sure { less } else { less.max(young.min(most)) });
        let severity = r.severity(bits);
        if !r.is_on() || severity == 3 {
            return sure;
        }
        let (best, worst) = (self.best.acked(severity, r), self.worst.acked(severity, r));
        if sure {
            (self.best, self.worst, self.first) = (best, worst, Some(now));
        } else {
            // It may count for nothing.
            self.best = self.best.better(best);
            self.worst = self.worst.worse(worst);
        }
        self.last = Some(now);
        sure
    }

    /// A packet is posted into its empty queue; `sure`: nothing is outstanding, for sure.
    pub fn posted(&mut self, sure: bool) {
        self.best = Point::FRESH;
        if sure {
            self.worst = Point::FRESH;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(ctrl: u32, wmax: u32) -> Registers {
        Registers { ctrl, wmax, ..Registers::new() }
    }

    fn run(r: &Registers, severities: &[u32]) -> Vec<Point> {
        let mut p = Point::FRESH;
        severities
            .iter()
            .map(|s| {
                p = p.acked(*s, r);
                p
            })
            .collect()
    }

    /// The sequences of the page, section 10.
    #[test]
    fn rates_move_as_the_page_says() {
        let all: [(u32, u32, &[u32], &[u64]); 7] = [
            (1, 8, &[2, 2, 0, 0, 2, 0], &[33554432, 50331648, 50135040, 49939200, 66716416, 66455805]),
            (1, 8, &[2, 2, 2, 0, 0, 0], &[33554432, 50331648, 67108864, 66846720, 66585600, 66325500]),
            (2, 8, &[2, 2, 0, 0, 0, 0], &[33554432, 67108864, 66385968, 65678519, 64986032, 64308031]),
            (3, 8, &[2, 2, 0, 0], &[33554432, 67108864, 67092480, 67076120]),
            (1, 2, &[2, 2, 2, 2, 0, 0], &[33554432, 50331648, 67108864, 67108864, 50331648, 37748736]),
            (2, 2, &[2, 2, 2, 0, 0, 0], &[33554432, 67108864, 67108864, 33554432, 23726592, 18569674]),
            (
                3,
                2,
                &[2, 2, 2, 0, 0, 0, 0],
                &[33554432, 67108864, 67108864, 33554432, 26843648, 23141598, 20682372],
            ),
        ];
        for (resp, exponent, acks, times) in all {
            let r = Registers { exponent, ..registers(1 | resp << 1, 1) };
            let is: Vec<u64> = run(&r, acks).iter().map(|p| p.time(&r)).collect();
            assert_eq!(is, times, "{resp} {exponent}");
        }
    }

    /// MVCM, of the page: warm, hot six times, warm, clean four times.
    #[test]
    fn windows_and_slots_move_as_the_page_says() {
        let r = registers(0x99, 3);
        let all = run(&r, &[1, 2, 2, 2, 2, 2, 2, 1, 0, 0, 0, 0]);
        let windows: Vec<u32> = all.iter().map(|p| p.window(&r)).collect();
        let slots: Vec<u32> = all.iter().map(|p| p.slot(&r)).collect();
        assert_eq!(windows, [2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3]);
        assert_eq!(slots, [0, 0, 1, 2, 3, 3, 3, 3, 0, 0, 0, 0]);
        // Registers that are lowered hold at once; another response leaves nothing behind.
        let low = Registers { wmax: 1, steps: 2, ..r };
        assert_eq!((all[11].window(&low), all[7].slot(&low), all[7].slot(&registers(1, 3))), (1, 2, 0));
        assert_eq!((all[0].window(&registers(1, 3)), Point::FRESH.window(&r)), (3, 3));
    }

    #[test]
    fn what_is_not_known_is_between_the_best_and_the_worst() {
        let r = registers(0x93, 4);
        let mut k = Known::new();
        k.acked(4, 0, &r, 5);
        assert_eq!(k, Known::new());
        k.takes();
        k.takes();
        k.acked(4, 0, &r, 6);
        assert_eq!((k.out, k.best.window(&r), k.worst.window(&r), k.first), ((1, 1), 3, 3, Some(6)));
        // The second one may be given up: its ACK may be a stray.
        k.silent(false);
        k.acked(4, 0, &r, 9);
        assert_eq!((k.out, k.best.window(&r), k.worst.window(&r)), ((0, 0), 3, 2));
        assert_eq!((k.first, k.last), (Some(6), Some(9)));
        k.posted(false);
        assert_eq!((k.best.window(&r), k.worst.window(&r)), (4, 2));
        k.posted(true);
        assert_eq!((k.best, k.worst), (Point::FRESH, Point::FRESH));
        k.forget(19);
        assert_eq!((k.first, k.last), (None, Some(19)));
        k.takes();
        k.acked(0, 0, &r, 20);
        assert_eq!((k.best.time(&r), k.worst.time(&r) < ONE << 8), (ONE, true));
        // What may be fresh is as wide as WMAX comes to be.
        let mut k = Known::new();
        k.takes();
        k.silent(false);
        k.acked(0, 0, &registers(1, 1), 1);
        let wide = registers(1 | 1 << 4, 8);
        assert_eq!((k.best.window(&wide), k.worst.window(&wide)), (8, 1));
        // One that comes with the packet.
        let mut k = Known::new();
        k.takes();
        k.acked(4, 1, &r, 1);
        assert_eq!((k.out, k.best.window(&r), k.worst.window(&r), k.first), ((0, 1), 4, 3, None));
        // One that comes just before it.
        let mut k = Known::new();
        assert!(!k.acked(4, 0, &r, 1));
        k.takes_perhaps(2);
        assert_eq!((k.out, k.best, k.worst, k.last), ((0, 1), Point::FRESH, Point::WORST, Some(2)));
        // Too many to count.
        let mut k = Known::new();
        (0..600).for_each(|_| k.takes());
        k.acked(0, 0, &r, 1);
        assert_eq!(k.out, (0, 512));
        k.silent(true);
        assert_eq!(k.out, (0, 0));
    }

    #[test]
    fn severities_are_what_sevmap_says() {
        let r = Registers { severities: 0x9c9c, ..registers(1, 1) };
        assert_eq!((0..8).map(|b| r.severity(b)).collect::<Vec<_>>(), [0, 3, 1, 2, 0, 3, 1, 2]);
    }
}
