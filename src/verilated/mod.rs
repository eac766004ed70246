//! The bridge to the Verilated models.
