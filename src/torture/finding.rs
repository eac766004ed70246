//! What the judge finds.

use std::fmt;

/// What was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A packet that is damaged, cut, changed, misrouted, or was never sent.
    Packet,
    /// A packet that is not the next of its pair: one was lost, doubled or overtaken.
    Order,
    /// A sticky error although nothing was wrong.
    Error,
    /// A waiting pair got nothing for too long.
    Progress,
    /// Without new packets, nothing is delivered any more.
    Stuck,
    /// The network is empty, but a buffer or a line is not free.
    Line,
    /// Credits that do not come home.
    Credit,
    /// CNPs sent and received differ.
    Cnp,
    /// An ACK that answers no packet, one twice, or out of turn; one too few; a window that is exceeded.
    Ack,
    /// A packet was sent again though nothing was dropped, or drops and what sources are told of them differ.
    Drop,
    /// A flow is throttled long after all congestion.
    Throttle,
    /// A checker in the RTL fired.
    Checker,
    /// RTL and golden model differ.
    Mismatch,
    /// The model panicked.
    Panic,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 14] = [
        FaultKind::Packet,
        FaultKind::Order,
        FaultKind::Error,
        FaultKind::Progress,
        FaultKind::Stuck,
        FaultKind::Line,
        FaultKind::Credit,
        FaultKind::Cnp,
        FaultKind::Ack,
        FaultKind::Drop,
        FaultKind::Throttle,
        FaultKind::Checker,
        FaultKind::Mismatch,
        FaultKind::Panic,
    ];

    /// Its name in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Packet => "packet",
            FaultKind::Order => "order",
            FaultKind::Error => "error",
            FaultKind::Progress => "progress",
            FaultKind::Stuck => "stuck",
            FaultKind::Line => "line",
            FaultKind::Credit => "credit",
            FaultKind::Cnp => "cnp",
            FaultKind::Ack => "ack",
            FaultKind::Drop => "drop",
            FaultKind::Throttle => "throttle",
            FaultKind::Checker => "checker",
            FaultKind::Mismatch => "mismatch",
            FaultKind::Panic => "panic",
        }
    }
}

/// A broken promise.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which.
    pub kind: FaultKind,
    /// Cycle of traffic.
    pub cycle: u64,
    /// What was seen.
    pub text: String,
}

impl Finding {
    /// A checker in the RTL of a node fired.
    pub fn of_checker(node: &str, said: &str, cycle: u64) -> Finding {
        Finding { kind: FaultKind::Checker, cycle, text: format!("{node}: {said}") }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} in cycle {}: {}", self.kind.name(), self.cycle, self.text)
    }
}
