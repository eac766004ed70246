//! `libquell_model`: quell's golden models for C, C++ and whatever calls C, and for SystemVerilog by DPI ([`dpi`]). How to build, link and
//! use it: `docs/bindings.md`. The header `include/quell_model.h` is made of this file.
//!
//! A unit is a number, not a pointer, so that one that was freed or never made is told and not followed. No panic leaves this crate, every
//! argument is checked, and the text of an error names the field and what is legal.

#![warn(missing_docs)]
#![allow(non_camel_case_types)] // enumerators have their names in C

mod cover;
pub mod dpi;
mod edge;
mod lists;
mod unit;

pub use cover::*;
pub use lists::*;
pub use unit::*;
