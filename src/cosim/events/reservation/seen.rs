//! The table of sources (Q21, Q22): what has come of each, which packet is the next one, and what is told of what comes.

use super::io::{IDS, Io, is};
use super::queue::PSNS;
use crate::cosim::events::register::Told;
use crate::cosim::events::scoreboard::{Broken, broken};

/// What is known of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Source {
    known: bool,
    id: u32,
    got: u64,
    /// The PSN behind that of the packet that was taken last.
    next: Option<u32>,
}

/// What came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Op {
    look: bool,
    mark: bool,
    res: bool,
    init: bool,
    spec: bool,
    /// The last flit of a packet that is not told apart.
    pass: bool,
    flow: usize,
    id: u32,
    seq: u32,
    psn: u32,
}

/// What is to be told of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Answer {
    drop: bool,
    ack: bool,
    /// It may be dropped, too: whether order is looked at is not sure.
    or_drop: bool,
    /// Of a RES.
    known: Option<u32>,
}

/// The table.
pub(super) struct Seen {
    sources: Vec<Source>,
    nmax: u32,
    /// What came in the cycle before.
    came: Option<Op>,
    /// Answers to come; the first is that of this cycle.
    due: std::collections::VecDeque<Option<(Op, Answer)>>,
    /// A RES is answered in this cycle.
    pub tells: bool,
    /// How many were judged; of them dropped.
    pub judged: u64,
    pub dropped: u64,
}

impl Seen {
    /// Answers come so many cycles after what they answer.
    pub fn new(flows: usize, nmax: usize, delay: u64) -> Seen {
        Seen {
            sources: vec![Source::default(); flows],
            nmax: nmax as u32,
            came: None,
            due: vec![None; delay.saturating_sub(1) as usize].into(),
            tells: false,
            judged: 0,
            dropped: 0,
        }
    }

    fn op(io: &Io, input: &[u32], flows: usize) -> Option<Op> {
        let (look, mark, res) = (is(input, io.see_look), is(input, io.see_mark), is(input, io.see_res));
        let pass = is(input, io.see_pass) && !(look || mark || res);
        let flow = input[io.see_flow] as usize;
        ((look || mark || res || pass) && flow < flows).then(|| Op {
            look,
            mark,
            res,
            init: is(input, io.see_init),
            flow,
            id: input[io.see_id] % IDS,
            seq: input[io.see_seq],
            spec: is(input, io.see_spec),
            pass,
            psn: input[io.see_psn] % PSNS,
        })
    }

    /// The answer, and what is known afterwards. `order`: whether speculative packets are taken in order only.
    fn judge(&mut self, op: Op, ok: bool, order: Told) -> Answer {
        let s = &mut self.sources[op.flow];
        // By how much it is newer than what is known, less than half of all numbers; else it is older or the same.
        let further = (IDS + op.id - s.id) % IDS;
        let (newer, same) = ((1..IDS / 2).contains(&further), further == 0);
        let old = s.known && !newer && !same;
        if op.res {
            let known = Some(if s.known { s.id } else { op.id });
            let drop = !op.init && old;
            if ok && op.init {
                s.next = None;
            } else if ok && (!s.known || newer) {
                *s = Source { known: true, id: op.id, got: 0, next: s.next };
            }
            return Answer { drop, known, ..Answer::default() };
        }
        let early = op.look && op.spec && s.next != Some(op.psn);
        if ok && (op.pass || op.mark && !old) {
            s.next = Some((op.psn + 1) % PSNS);
        }
        if op.pass {
            return Answer::default();
        }
        let bit = 1u64 << (op.seq % self.nmax);
        let again = s.known && same && s.got & bit != 0;
        if op.mark && ok {
            if !s.known || newer {
                *s = Source { known: true, id: op.id, got: bit, next: s.next };
            } else if same {
                s.got |= bit;
            }
        }
        Answer {
            drop: op.look && (again || old) || early && order.must,
            ack: op.look && again,
            or_drop: early && order.may && !again,
            known: None,
        }
    }

    /// A cycle.
    pub fn cycle(&mut self, io: &Io, order: Told, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let ok = is(input, io.see_ok);
        let answer = self.came.take().map(|op| (op, self.judge(op, ok, order)));
        self.due.push_back(answer);
        self.came = Seen::op(io, input, self.sources.len());
        let (drop, ack) = (is(output, io.see_drop), is(output, io.see_ack));
        let told = self.due.pop_front().flatten();
        self.tells = told.is_some_and(|(op, _)| op.res);
        let Some((op, answer)) = told else {
            if drop || ack {
                return broken("seen", "Q21 Q22", "see_drop or see_ack without anything that came".into());
            }
            return Ok(());
        };
        self.judged += 1;
        self.dropped += u64::from(answer.drop);
        let what = || {
            let kind = if op.res { "a RES" } else { "a packet" };
            format!("{kind} of source {}, chunk {}, packet {}, PSN {}", op.flow, op.id, op.seq, op.psn)
        };
        let loose = answer.or_drop && (drop, ack) == (true, false);
        if (drop, ack) != (answer.drop, answer.ack) && !loose {
            let text = |drop, ack| match (drop, ack) {
                (true, true) => "dropped and answered",
                (true, false) => "dropped",
                (false, true) => "taken and answered",
                (false, false) => "taken",
            };
            let (was, wanted) = (text(drop, ack), text(answer.drop, answer.ack));
            return broken("seen", "Q21 Q22", format!("{}, is {was}; it is to be {wanted}", what()));
        }
        let known = output[io.see_known];
        match answer.known.filter(|k| *k != known) {
            Some(k) => broken("known", "Q22", format!("{}, is told chunk {known}; it is to be {k}", what())),
            None => Ok(()),
        }
    }
}
