//! The headers that the adapter makes (section 3).

use super::*;

/// The bytes of the next header on the link.
fn next(a: &mut Adapter) -> Vec<u8> {
    for _ in 0..60 {
        a.give();
        if a.sent().is_some_and(|[_, first, _]| first == 1) {
            return a.b.get_words("tx_data").iter().flat_map(|w| w.to_le_bytes()).collect();
        }
    }
    panic!("no header");
}

#[test]
fn headers_are_as_on_the_page() {
    let mut a = Adapter::two(ADMISSION);
    a.b.config(LID, 0x0a07);
    assert_eq!(a.open(5, 0x1122, 0x304), 0);
    let probe = [0x00, 0, 0x11, 0x22, 0, 40, 0x0a, 0x07, 1, 0, 0, 5, 3, 4, 0, 0];
    assert_eq!(next(&mut a), probe);
    // Behind it there is nothing in an own message.
    for n in 1..10 {
        while a.sent().is_none_or(|[_, first, _]| first == 1 && n > 0) {
            a.give();
        }
        assert!(a.b.get_words("tx_data").iter().all(|&w| w == 0));
        if n < 9 {
            a.give();
        }
    }
    a.b.config(LID, 7);
    a.reply(false, 5, 0x708);
    a.b.cycle();
    a.b.config(LID, 0x0a07);
    assert_eq!(next(&mut a), [0x00, 0, 0x11, 0x22, 0, 40, 0x0a, 0x07, 4, 0, 0, 5, 3, 4, 7, 8]);
    a.until_tail();
    a.b.idle(2);
    assert_eq!(a.open(5, 0x1122, 0x304), 0);
    a.until_tail();
    a.b.config(LID, 7);
    a.reply(true, 5, 0x708);
    a.b.cycle();
    a.b.config(LID, 0x0a07).idle(3);
    assert_eq!(a.real_time(5, 12), 0);
    assert_eq!(next(&mut a), [0x00, 0, 0x11, 0x22, 0, 48, 0x0a, 0x07, 0, 2, 0, 5, 0, 0, 0, 0]);
    a.until_tail();
    let last = Post { class: 1, conn: 5, len: 1, last: 1, dlid: 0xffff, ..Post::default() };
    assert_eq!(a.post(last), 0);
    assert_eq!(next(&mut a), [0x00, 0, 0x11, 0x22, 0, 4, 0x0a, 0x07, 0, 3, 0, 5, 3, 4, 0, 0]);
    let others = Post { conn: 5, len: 2, last: 1, dlid: 0x3344, ..Post::default() };
    assert_eq!(a.post(Post { class: 2, ..others }), 0);
    assert_eq!(next(&mut a), [0x10, 0, 0x33, 0x44, 0, 8, 0x0a, 0x07, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(a.post(others), 0);
    assert_eq!(next(&mut a), [0x30, 0, 0x33, 0x44, 0, 8, 0x0a, 0x07, 5, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn a_probe_says_the_lane_of_its_stream() {
    let mut a = Adapter::new("odd");
    a.b.config(CTRL, ADMISSION).config(BE_MASK, 0b10111);
    assert_eq!(a.open(36, 1, 7), 0);
    let bytes = next(&mut a);
    assert_eq!((bytes[0], bytes[10], bytes[11], a.get("tx_vl")), (0x30, 0, 36, 6));
}

#[test]
fn the_longest_message_needs_two_bytes() {
    let mut a = Adapter::with(&Params { lane: 64, ..params("odd") });
    assert_eq!(a.best_effort(1, 64), 0);
    assert_eq!(next(&mut a)[4..6], [1, 0]);
}

#[test]
fn lid_is_that_of_the_cycle_that_moves_the_header() {
    let mut a = Adapter::two(0);
    a.offer_post(Post { class: 2, len: 1, ..Post::default() });
    a.b.idle(2);
    // Written in the cycle of the choice: seen in that of the header.
    a.b.config(LID, 9);
    a.b.config(LID, 10);
    assert_eq!(a.get("st_move"), 1);
    assert_eq!(next(&mut a)[6..8], [0, 9]);
}

#[test]
fn a_probe_has_the_number_of_its_open() {
    let mut a = Adapter::two(ADMISSION);
    for n in 0..4 {
        assert_eq!(a.open(n, 1, 7), 0);
        assert_eq!(next(&mut a)[8..12], [1, (n as u8) << 2, 0, n as u8]);
        a.until_tail();
    }
    // A release has none.
    a.reply(false, 3, 0x99);
    a.b.cycle();
    assert_eq!(next(&mut a)[8..12], [4, 0, 0, 3]);
}
