//! Minimising a failing stimulus.
