//! The one way from SystemVerilog to something that runs: Verilator, the C++ compiler, and a store of what they made.
//!
//! A [`Design`] says what goes in. [`make`] gives the object, a shared object or a program: the one that is kept if all that
//! goes in is as it was (text of the files that the design needs, wrapper, arguments, versions of the tools, the code
//! around it), else a new one.

mod build;
mod design;
mod headers;
mod progress;
pub(crate) mod slots;
mod store;
mod tools;
mod tree;
mod work;

pub use progress::{Step, Told, tell};

pub use build::make;
pub use design::{Design, FACTORY, Output, Sources, UNROLL, key};
pub use store::{Found, Kept, Manifest, Store};
pub use tools::Tools;
pub use tree::Tree;

/// The store of this process: see [`crate::home::cache`].
pub fn store() -> Store {
    Store::new(&crate::home::cache().join("models"))
}
