//! Campaigns: many independent commands of quell, each done once, kept by its content, on threads or on Slurm (`docs/campaign.md`).

pub mod job;
pub mod list;
pub mod local;
pub mod made_of;
pub mod merge;
pub mod queue;
pub mod slurm;
pub mod store;
pub mod summary;
pub mod work;
