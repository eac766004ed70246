//! Section 12: marks by count, and VB.

use super::*;
use std::collections::VecDeque;

const VB_EN: u32 = 1 << 12;

/// A first flit of a packet that is its last one; its marks when it is on tx in the next cycle.
fn crosses(b: &mut Bench, h: &Header) {
    flit(b, Some(h), true, 8);
}

fn shown(b: &Bench) -> Option<Marks> {
    (b.get("tx_first", 0) == 1).then(|| Header::parse(b.get_words("tx_data")).marks())
}

/// The timing diagram.
#[test]
fn counts_of_the_page() {
    let mut b = bench("santiny");
    b.config(CTRL, 3 << 10);
    b.config(11, 2);
    let mut rows: [Vec<u32>; 3] = Default::default();
    for t in 0..6 {
        let entering: &[usize] = [&[0usize, 2][..], &[1], &[], &[], &[], &[]][t];
        entering.iter().for_each(|i| _ = b.set("enter", i * 2, 1));
        b.set("full_evt", 2, u32::from(t == 4));
        if (2..5).contains(&t) {
            crosses(&mut b, &data(16));
        }
        b.cycle();
        rows[0].push(b.get("st_cnt1", 0));
        rows[1].push(b.get("st_cnt2", 0));
        rows[2].push(shown(&b).map_or(0, |m| 1 + u32::from(m.has(Marks::FECN))));
    }
    assert_eq!(rows, [[0, 2, 3, 2, 1, 0], [0, 0, 3, 2, 1, 0], [0, 0, 0, 2, 2, 2]].map(Vec::from));
    b.cycle();
    assert_eq!((b.get("st_cnt_marked", 0), b.get("st_cnt_sent", 0)), (3, 3));
}

#[test]
fn the_count_of_a_threshold_triggers_while_it_stays_above() {
    for (det, expected) in [(0, [0, 0, 0, 0]), (1, [0, 0, 0, 0]), (2, [0, 0, 0, 0]), (3, [0, 0, 3, 4])] {
        let mut b = bench("marktiny");
        b.config(CTRL, det << 10);
        b.config(11, 2);
        let marked = [0; 4].map(|_| {
            b.set("enter", 1, 1).cycle();
            b.idle(1).get("st_cnt2", 1)
        });
        assert_eq!((marked, b.get("st_cnt1", 1), b.get("st_cnt1", 0)), (expected, 4, 0), "det {det}");
        b.config(CTRL, 0);
        assert_eq!(b.idle(2).get("st_cnt2", 1), 0);
    }
}

#[test]
fn what_is_no_data_is_neither_counted_nor_marked() {
    let mut b = bench("marktiny");
    b.config(CTRL, 2 << 10 | VB_EN);
    b.config(12, 0);
    b.set("fill", 0, 5);
    let marks = Marks::MB;
    let with = |opcode, dlid, lnh| Header {
        dlid,
        lnh,
        bth: Some(Bth { opcode, marks, ..Bth::default() }),
        ..data(16)
    };
    for h in [with(0x80, 5, 2), with(0x11, 5, 2), with(4, 0xc000, 2), with(4, 5, 0)] {
        b.set("enter", 0, 1).set("full_evt", 0, 1).set("fill", 0, 5).cycle();
        b.set("sw_mark", 0, 1).set("fill", 0, 5);
        crosses(&mut b, &h);
        b.cycle();
        b.cycle();
        let marks = shown(&b).unwrap();
        assert!(!marks.has(Marks::FECN) && !marks.has(Marks::VB), "{h:?}");
    }
    assert_eq!((b.get("st_cnt1", 0), b.get("st_cnt2", 0), b.get("st_cnt_marked", 0)), (4, 4, 0));
}

#[test]
fn a_packet_with_mb_is_validated_above_the_threshold() {
    for (fills, mb, en, vb) in [
        ([3, 4, 3], true, true, false),
        ([3, 4, 4], true, true, true),
        ([0, 0, 11], true, true, true),
        ([9, 9, 9], false, true, false),
        ([9, 9, 9], true, false, false),
    ] {
        let mut b = bench("santiny");
        b.config(CTRL, VB_EN * u32::from(en));
        b.config(12, 10);
        (0..3).for_each(|i| _ = b.set("fill", 2 * i, fills[i]));
        b.cycle();
        let marks = Marks::MB.when(mb);
        crosses(&mut b, &Header { bth: Some(Bth { marks, ..Bth::default() }), ..data(16) });
        b.cycle();
        b.cycle();
        assert_eq!(shown(&b), Some(marks | Marks::VB.when(vb)), "{fills:?}");
    }
}

/// SM4 from outside: the packets that are there at a trigger leave with a mark, as many others as came later without one, and
/// what is dropped leaves, too.
#[test]
fn as_many_are_marked_as_were_there() {
    for (seed, det) in [(1, 2), (2, 3), (3, 2), (4, 3)] {
        let p = params("santiny");
        let mut b = Bench::new(UnitKind::OutputPort, &p);
        b.config(CTRL, det << 10);
        b.config(11, 6);
        let mut rng = SmallRng::seed_from_u64(seed);
        // Of each one that is there, by VL: was it there at a trigger. All of a VL are alike: the first ones of it are marked.
        let mut there: Vec<VecDeque<bool>> = vec![VecDeque::new(); p.vls];
        let mut expected: Option<bool> = None;
        let mut down = 0;
        for _ in 0..20_000 {
            let fills: Vec<bool> = (0..p.vls).map(|_| rng.random_ratio(1, 40)).collect();
            down = if down > 0 { down - 1 } else { 20 * u32::from(rng.random_ratio(1, 500)) };
            b.set("link_up", 0, u32::from(down == 0));
            let v = rng.random_range(0..p.vls);
            let leaves = !there[v].is_empty() && rng.random_ratio(2, 3);
            if leaves {
                let h = Header { vl: v as u8, ..data(16) };
                flit(&mut b, Some(&h), true, 8);
            }
            let was = expected.take();
            if leaves {
                let marked = there[v].pop_front().unwrap();
                expected = (down == 0).then_some(marked);
            }
            for (v, lane) in there.iter_mut().enumerate() {
                let entering = (0..p.ports).filter(|_| lane.len() < 40 && rng.random_ratio(1, 10)).count();
                (0..entering).for_each(|i| _ = b.set("enter", i * p.vls + v, 1));
                b.set("full_evt", rng.random_range(0..p.ports) * p.vls + v, u32::from(fills[v]));
                lane.extend(vec![false; entering]);
                if fills[v] || det == 3 && entering > 0 && lane.len() > 6 {
                    lane.iter_mut().for_each(|t| *t = true);
                }
            }
            b.cycle();
            assert_eq!(shown(&b).map(|m| m.has(Marks::FECN)), was);
        }
        b.cycle();
        for (v, lane) in there.iter().enumerate() {
            assert_eq!(b.get("st_cnt1", v) as usize, lane.len());
            assert_eq!(b.get("st_cnt2", v) as usize, lane.iter().filter(|t| **t).count());
        }
    }
}
