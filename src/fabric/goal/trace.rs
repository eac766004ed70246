//! A trace: what each rank does, and after what.

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// Sends a message; ends when its last packet has been taken.
    Send {
        /// Bytes.
        bytes: u64,
        /// Rank that receives it.
        to: u32,
        /// Tag.
        tag: u32,
    },
    /// Receives a message; ends when it has started and the message is there.
    Recv {
        /// Bytes.
        bytes: u64,
        /// Rank that sends it.
        from: u32,
        /// Tag.
        tag: u32,
    },
    /// Computes.
    Calc {
        /// Duration in the unit of the trace.
        time: u64,
    },
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// Label, if it has one.
    pub label: Option<String>,
    /// Line of the text.
    pub line: usize,
    /// What it does.
    pub kind: OpKind,
}

/// A dependency between two operations of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Index of the operation that waits.
    pub op: usize,
    /// Index of the one it waits for.
    pub on: usize,
    /// True: waits only for its start (`irequires`).
    pub start: bool,
}

/// The operations of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// In the order of the text.
    pub ops: Vec<Op>,
    /// The dependencies.
    pub dependencies: Vec<Dependency>,
}

/// A trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The ranks.
    pub ranks: Vec<Rank>,
}

impl Trace {
    /// Index of a rank's first operation when all operations are counted through.
    pub(super) fn bases(&self) -> Vec<usize> {
        let mut bases = vec![0];
        self.ranks.iter().for_each(|r| bases.push(bases[bases.len() - 1] + r.ops.len()));
        bases
    }
}
