//! Whose turn it is to inject (rule H8): lanes, SLs and flows go round, and who went yields. Throttle and source response have it
//! alike (`docs/hca-throttle.md`, section 3).

use crate::model::util::{bit, set_bit};
use crate::params::Params;

/// Service levels.
pub(super) const SLS: usize = 16;

/// The pick after a walk that frees a flow comes so many cycles later at the earliest.
pub(super) const AHEAD: i64 = 4;

/// A flow that was picked: what was true of it then.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub(super) flow: usize,
    pub(super) sl: usize,
    pub(super) lane: usize,
    /// Whose flow pointer it moves.
    pub(super) class: usize,
}

/// What a pick met (coverage).
pub(super) struct Met {
    /// A flow whose turn it was by the pointers had gone, and yielded.
    pub(super) yields: bool,
    /// All candidates of the lane had gone, and there are several.
    pub(super) all_went: bool,
    /// Some of the lane had gone, others not, and another lane has candidates, too.
    pub(super) yields_in_lane: bool,
    /// There are candidates of several lanes; of several SLs of a lane.
    pub(super) lanes_compete: bool,
    pub(super) sls_compete: bool,
    /// The flow pointer went round.
    pub(super) wraps: bool,
}

/// The pointers, which only move when a flow is served, and who went.
pub(super) struct Turns {
    count: usize,
    vls: usize,
    vl_by_dest: bool,
    pub(super) lane: usize,
    /// Per lane; 0 if VLs are by destination.
    pub(super) sls: Vec<usize>,
    /// Per SL, or per lane.
    pub(super) flows: Vec<usize>,
    /// Flows that yield to those of their lane that did not go since, a bit each.
    pub(super) went: Vec<u32>,
}

/// The first of `n` candidates, a bit each, from `pointer` on.
fn first_from(candidates: u64, pointer: usize, n: usize) -> Option<usize> {
    (pointer..n).chain(0..pointer).find(|&k| candidates >> k & 1 != 0)
}

impl Turns {
    pub(super) fn new(p: &Params) -> Turns {
        Turns {
            count: p.flows,
            vls: p.vls,
            vl_by_dest: p.vl_by_dest,
            lane: 0,
            sls: vec![0; p.throttle_lanes()],
            flows: vec![0; p.throttle_classes()],
            went: vec![0; p.flows.div_ceil(32)],
        }
    }

    /// A pointer moves although nothing was taken.
    pub(super) fn drag(&mut self, class: usize) {
        self.flows[class] = (self.flows[class] + 1) % self.count;
    }

    fn has_gone(&self, flow: usize) -> bool {
        bit(&self.went, flow) && !crate::model::faults::on(crate::model::faults::Fault::pointer_moves_without_acceptance)
    }

    /// Whose flow pointer finds a flow: its SL, or its lane.
    fn class_of(&self, flow: usize, sls: &[usize]) -> usize {
        if self.vl_by_dest { flow % self.vls } else { sls[flow] }
    }

    /// The lane of a flow: its destination's, or its SL's.
    fn lane_of(&self, flow: usize, sls: &[usize]) -> usize {
        self.class_of(flow, sls) % self.vls
    }

    /// Lane, SL and flow whose turn it is among the candidates; `sl_of`: the SL of every flow.
    pub(super) fn pick(&mut self, candidates: &[usize], sl_of: &[usize]) -> Option<(Pick, Met)> {
        let bits = |of: &dyn Fn(usize) -> usize, flows: &[usize]| -> u64 {
            flows.iter().fold(0, |set, &f| set | 1 << of(f))
        };
        let lanes = bits(&|f| self.lane_of(f, sl_of), candidates);
        let lane = first_from(lanes, self.lane, self.sls.len())?;
        let of_lane: Vec<usize> =
            candidates.iter().copied().filter(|&f| self.lane_of(f, sl_of) == lane).collect();
        // Who went since yields; if all did they begin anew.
        let mut fresh: Vec<usize> = of_lane.iter().copied().filter(|&f| !self.has_gone(f)).collect();
        let all_went = fresh.is_empty();
        if all_went {
            of_lane.iter().for_each(|&f| set_bit(&mut self.went, f, false));
            fresh.clone_from(&of_lane);
        }
        // Class and flow whose turn it is among some flows of the lane.
        let first = |flows: &[usize]| {
            let classes = bits(&|f| self.class_of(f, sl_of), flows);
            let class = if self.vl_by_dest { Some(lane) } else { first_from(classes, self.sls[lane], SLS) };
            class.and_then(|class| {
                let of_class = || flows.iter().copied().filter(|&f| self.class_of(f, sl_of) == class);
                let flow = of_class().find(|&f| f >= self.flows[class]).or_else(|| of_class().next());
                flow.map(|flow| (class, flow))
            })
        };
        let (class, flow) = first(&fresh)?;
        let several_lanes = lanes.count_ones() > 1;
        let classes = bits(&|f| self.class_of(f, sl_of), candidates);
        let met = Met {
            yields: first(&of_lane) != Some((class, flow)),
            all_went: all_went && of_lane.len() > 1,
            yields_in_lane: fresh.len() < of_lane.len() && several_lanes,
            lanes_compete: several_lanes,
            sls_compete: classes.count_ones() > lanes.count_ones(),
            wraps: flow < self.flows[class],
        };
        Some((Pick { flow, sl: sl_of[flow], lane, class }, met))
    }

    /// A flow is served.
    pub(super) fn serve(&mut self, pick: &Pick) {
        self.lane = (pick.lane + 1) % self.sls.len();
        self.flows[pick.class] = (pick.flow + 1) % self.count;
        set_bit(&mut self.went, pick.flow, true);
        if !self.vl_by_dest {
            self.sls[pick.lane] = (pick.sl + 1) % SLS;
        }
    }
}
