//! Golden models for programs in other languages: units, parameters and signals by name, values as words, every error a text that
//! names the field and what is legal, no panic. The [C library, the DPI functions and the Python package](../../docs/bindings.md) are
//! thin layers over this.
//!
//! ```
//! use quell::embed::{Golden, Strength};
//! let mut unit = Golden::new("hca-throttle", "tiny FLOWS=6")?;
//! let (req, ready) = (unit.find("req")?, unit.find("ready")?);
//! unit.set(req, 0, &[0b10])?;
//! assert_eq!(unit.get(ready, 0)?, [0], "it sweeps its tables first");
//! // A design that says it is ready too early:
//! unit.see(ready, 0, &[1], None)?;
//! let report = unit.check(Strength::Outputs)?.expect("a difference");
//! assert!(report.text.starts_with("hca-throttle tiny FLOWS=6: RTL and golden model differ in cycle 0\n  output ready, rules H6\n"));
//! unit.step()?;
//! # Ok::<(), quell::embed::Error>(())
//! ```

mod bits;
mod error;
mod golden;
mod legal;
mod lists;
mod seen;

pub use bits::Packing;
pub use error::Error;
pub use golden::{Golden, Mismatch, Strength};
pub use legal::Legal;
pub use lists::{Parameter, builds_of, parameters, unit};
