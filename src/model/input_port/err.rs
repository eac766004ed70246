//! Bits of `err`.

pub const BAD_VL: u32 = 0;
pub const BAD_LEN: u32 = 1;
pub const NO_ROUTE: u32 = 2;
pub const NO_CREDIT: u32 = 3;
pub const FRAMING: u32 = 4;
pub const BAD_PKT: u32 = 5;
pub const TIMEOUT: u32 = 6;
pub const UNDERRUN: u32 = 7;
pub const BAD_GRANT: u32 = 8;
pub const LINK_DOWN: u32 = 9;
pub const BAD_CLASS: u32 = 10;
