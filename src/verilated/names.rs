//! What there is to a message of a design that is not ours.

use crate::dut::Dut;

/// The design, and its combinational loops as Verilator told them.
pub(super) struct Names {
    pub(super) dut: Dut,
    pub(super) loops: Vec<String>,
}
