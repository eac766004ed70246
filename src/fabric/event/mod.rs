//! The fast golden fabric engine: event-driven, cycle-exact, one thread.
//!
//! # Time and state
//!
//! Time is in cycles from traffic time 0 (`Setup::start` cycles after reset). `S(t)` is the state in cycle `t` as on the
//! unit pages. Ports keep their counters as functions of time, and are *stepped* in a cycle only if that cycle may
//! decide something; a step at a cycle in which nothing happens changes nothing, so a wake-up too many is harmless.
//!
//! # The sending half of an adapter (`source.rs`)
//!
//! Generation queues, throttle, injector ([`hca`](../../../docs/hca.md) sections 1 and 2, `hca-throttle.md`), up to the rx
//! pins of the adapter's input port. The engine owns everything else (input port, output port, CNP responder, receiver) and
//! drives a `Source` so:
//!
//! ```text
//! Source::new(params: &Params, writes: &[Write], setup: (sweep, start), inject: Rate) -> Source
//!     // simulates its free-running counters over the configuration phase; traffic time 0 is cycle `start` after reset
//! source.full(flow) -> bool                      // gen_full in S(t) (t: not before the last step, nothing posted since)
//! source.post(t, flow, len, psn)                 // gen_valid in cycle t; seen in S(t+1). Before step(t), at most one per t
//! source.becn(t, flow, sl)                       // throttle.becn_valid in cycle t. Before step(t)
//! source.set_stop(flow, bool)                    // stop[flow] register, as it is in S(t) of the next step(t)
//! source.step(t, fccl: &mut dyn FnMut(vl) -> u64) -> Step
//!     // cycle t. fccl(vl): the injector's FCCL in S(t), absolute (not modulo 4096), 0 before the first message.
//! struct Step {
//!     accepted: Option<Accepted { flow, len, psn, sl, vl, first: u64 /* dma cycle of flit 0 */, last: u64 }>,
//!     next: u64,     // step must be called at this cycle at the latest (u64::MAX: only after an input or a credit)
//! }
//! source.blocked() -> impl Iterator<Item = (vl, need)>
//!     // after a step: lanes for which a decision waits for FCCL >= need (absolute); the engine steps the source in the
//!     // first cycle in which that holds
//! source.dma(t) -> Option<(flow, psn, index)>    // what dma_* shows in cycle t (the pins of the input port are its flit if
//!                                                // Rate::allows(t)); for observers
//! source.state(t) -> SourceState { gen_pkts, sending, inj_txr[..] }   // of S(t); for observers
//! ```
//!
//! `step(t)` is called with increasing `t`, and at every `t` at which an input changes (post, becn, set_stop). Between two
//! steps nothing that the throttle sees changes but time, so lazily advanced counters (now, tick, sweep, ageing, visit
//! pointer while nothing is wanted) are caught up on at the next step.

mod source;
