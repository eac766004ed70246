//! The one configuration of cosim, fabrics and studies.
//!
//! A [`Config`] has a value for every setting ([`KEYS`]) and knows where each comes from. It starts with the defaults of a
//! network ([`Config::new`]) or of a build of one unit ([`Config::of_build`]) and those of the scheme; [`Sources`] put on
//! top what studies, TOML files, opensm option files and the command line say, later ones over earlier ones.

pub mod cct;
mod check;
mod error;
mod keys;
mod law;
pub mod opensm;
mod registers;
mod reservation;
mod settings;
mod sources;
mod toml_file;
pub mod value;

pub use cct::Cct;
pub use error::{ConfigError, Origin, Spot};
pub(crate) use error::{nearby, read as read_text};
pub use keys::{KEYS, Key, Measure, Need, Place, ValueKind, find};
pub use law::Law;
pub use opensm::{OPTIONS, OpensmOption};
pub use settings::{CCTI_TIMER_UNIT_NS, Config, Route};
pub use sources::Sources;
pub use value::Mask;

#[cfg(test)]
mod tests;
