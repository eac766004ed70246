//! Registers (C1).

use super::*;

#[test]
fn registers_reset_to_what_the_page_says() {
    // tiny: 2 ports, 1 data lane; two: 3 ports, 2 data lanes; mesh: 5 ports, 14 data lanes.
    for (name, channels, be_mask) in [("tiny", 3, 1), ("two", 7, 2), ("mesh", 31, 0x3800)] {
        let mut c = Control::new(name);
        let read: Vec<u32> = (0..12).map(|number| c.b.read(number)).collect();
        assert_eq!(read, [4, channels, 65535, 5, 15, be_mask, 61, 1536, 0, 15, 0, 0], "{name}");
    }
}

#[test]
fn what_was_written_is_read() {
    let mut c = Control::new("two");
    let bits = [7, 0xffff, 0xffff, 15, 0xffff, 0xffff, 0xffff, 0xff_ffff, 0, 0xff_ffff, 0, 0];
    for data in [u32::MAX, 0, 0x5555_5555, 0xaaaa_aaaa] {
        for number in 0..256 {
            c.write(number, data);
        }
        for number in 0..256 {
            let kept = bits.get(number as usize).copied().unwrap_or(0);
            assert_eq!(c.b.read(number), data & kept, "{number}");
        }
    }
    // A read beside a write gives what was before.
    c.b.set("cfg_re", 0, 1);
    c.write(UP, 3);
    c.cycle();
    assert_eq!((c.get("cfg_rvalid"), c.get("cfg_rdata")), (1, 0xaaaa));
    c.cycle();
    assert_eq!((c.get("cfg_rvalid"), c.get("cfg_rdata"), c.b.read(UP)), (0, 0, 3));
}
