//! Whole fabrics, cycle by cycle (`docs/fabric.md`): every switch and adapter a Verilated model (engine `rtl`) or a
//! golden unit (engine `golden`), and two engines side by side, compared in every cycle (engine `lockstep`).
//!
//! ```
//! use quell::config::Config;
//! use quell::cosim::engines::{Engine, Job};
//! use quell::fabric::{files, traffic::TrafficSpec};
//! let net = files::open("two-switch")?.net;
//! let hosts = net.hosts.len();
//! let config = Config::new(quell::scheme::Scheme::DEFAULT, hosts);
//! let job = Job { net, config, traffic: TrafficSpec::load("all-to-one", hosts)?, seed: 1, threads: 1, bin: 100 };
//! let mut run = job.run(&[Engine::Model, Engine::Golden], None)?;
//! assert!(run.run(2000)?.is_none(), "the engines differ");
//! assert!(run.report().totals.delivered_packets > 0);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod cluster;
mod device;
mod fast;
mod gauges;
mod hosts;
mod job;
mod node;
mod pool;
mod run;
mod settle;
mod trace;
mod under_way;

pub(crate) use node::differing;
pub use node::{NodeId, Side, View, Watched};

pub use cluster::{Cluster, Fired, Maker, golden};
pub use device::{Device, Golden};
pub use hosts::Hosts;
pub use job::{Engine, Job};
pub(crate) use pool::Pool;
pub use run::{Drained, Idle, Mismatch, Names, NodeDifference, Run, wave_of};
pub use trace::{Trace, Wave};

#[cfg(feature = "rtl")]
pub use cluster::rtl;
