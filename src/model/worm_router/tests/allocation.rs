//! Section 3: lanes for headers.

use super::*;
use crate::scheme::marking::next_lfsr;

/// Makes lanes of inputs ask for output `o` in the same cycle: headers come one a cycle on each input while a message holds their
/// lanes' routes back.
fn ask(r: &mut Router, lanes: &[(usize, usize)], o: u32) {
    for &(i, v) in lanes {
        r.flit(i, v, Whole, o);
    }
    r.cycle();
}

/// What owns which lane of output `o`, as granted one a cycle.
fn grants(r: &mut Router, cycles: usize) -> Vec<(usize, usize, u32)> {
    let mut seen = Vec::new();
    let mut before = vec![None; r.p.ports * r.p.vls];
    for _ in 0..cycles {
        r.cycle();
        for i in 0..r.p.ports {
            for v in 0..r.p.vls {
                let (at, now) = (r.at(i, v), r.owns(i, v));
                if let Some((_, u)) = now.filter(|_| before[at].is_none()) {
                    seen.push((i, v, u));
                }
                before[at] = now;
            }
        }
    }
    seen
}

#[test]
fn groups_and_inputs_take_turns() {
    // Of three ports and two data lanes, the second one best-effort.
    let mut r = Router::new("tiny");
    let (rt, be, reply) = (0, 1, 2);
    ask(&mut r, &[(0, rt), (1, reply), (2, be)], 0);
    assert_eq!(grants(&mut r, 6), [(0, rt, 0), (1, reply, 2), (2, be, 1)]);
    // Group V = 4 was last: pointer 0.
    assert_eq!((r.get("st_ptr_group", 0), r.get("st_ptr_be", 0)), (0, 2 * 4 + 1 + 1));
    assert_eq!((r.lane("st_ptr_lane", 0, rt), r.lane("st_ptr_lane", 0, reply)), (1, 2));
    // Inputs of one lane, from the pointer on; a lane is free when its tail has gone.
    ask(&mut r, &[(0, rt), (1, rt), (2, rt)], 0);
    let got = grants(&mut r, 10);
    assert_eq!(got.iter().map(|g| g.0).collect::<Vec<_>>(), [1, 2]);
    for _ in 0..12 {
        r.give();
    }
    assert_eq!(r.lane("st_ptr_lane", 0, rt), 1);
    assert_eq!(r.get("st_cnt_msgs", 0), 6);
}

/// A lane is free, and granted, in the cycle after its tail went.
#[test]
fn a_lane_is_granted_as_soon_as_it_is_free() {
    let mut r = Router::new("two");
    ask(&mut r, &[(0, 0), (1, 0)], 1);
    let mut rows = Vec::new();
    for _ in 0..6 {
        r.cycle();
        let owner = (0..2).find(|&i| r.owns(i, 0).is_some());
        assert_eq!(r.lane("st_owned", 1, 0), u32::from(owner.is_some()));
        rows.push(owner);
    }
    // Input 0 asks in 2, goes in 3; the lane is granted in 4 again.
    assert_eq!(rows, [None, None, Some(0), None, Some(1), None]);
    assert!(r.b.covered("yw4_freed_asked") > 0 && r.b.covered("yw4_freed_granted") > 0);
}

/// Each free best-effort lane as often as the others, by the LFSR.
#[test]
fn best_effort_lanes_are_drawn() {
    let mut r = Router::new("worm5");
    r.write(255, BE_MASK, 0b111_0000);
    let mut lfsr = 0xace1;
    let mut counts = [0; 3];
    for _ in 0..3000 {
        let busy: Vec<u32> = (4..7).filter(|&u| r.lane("st_owned", 1, u) == 0).map(|u| u as u32).collect();
        assert_eq!(busy.len(), 3);
        r.flit(0, 5, Whole, 1);
        r.idle(4);
        let (o, u) = r.owns(0, 5).unwrap();
        let k = (lfsr * 3) >> 16;
        assert_eq!((o, u), (1, 4 + k));
        lfsr = next_lfsr(lfsr);
        assert_eq!(r.get("st_lfsr", 1), lfsr);
        counts[k as usize] += 1;
        r.give();
        r.give();
    }
    assert!(counts.iter().all(|n| (900..1100).contains(n)), "{counts:?}");
    // Others draw nothing.
    assert_eq!(r.get("st_lfsr", 0), 0xace1);
    r.message(0, 3, 2, 0);
    r.idle(5);
    assert_eq!(r.get("st_lfsr", 0), 0xace1);
}

/// Only free lanes are drawn, and a header waits if there is none.
#[test]
fn a_draw_has_the_free_lanes_alone() {
    let mut r = Router::new("odd");
    r.write(255, BE_MASK, 0b1_1000);
    let mut got = Vec::new();
    for i in 0..3 {
        r.flit(i, 3, Header, 4);
    }
    for _ in 0..8 {
        r.cycle();
    }
    for i in 0..3 {
        got.extend(r.owns(i, 3));
    }
    got.sort_unstable();
    assert_eq!(got, [(4, 3), (4, 4)]);
    assert!(r.b.covered("yw4_all_owned") > 0 && r.b.covered("yw4_one_free") == 1);
    let (waits, first) = (2, 0);
    assert_eq!(r.owns(waits, 3), None);
    let pointer = r.get("st_ptr_be", 4);
    let free = r.owns(first, 3).unwrap();
    r.flit(first, 3, Tail, 0);
    r.idle(4);
    assert_eq!((r.owns(waits, 3), r.owns(first, 3)), (Some(free), None));
    assert_eq!((pointer, r.get("st_ptr_be", 4)), (7 + 3 + 1, 2 * 7 + 3 + 1));
}

/// Neither credits nor a link are needed to have a lane.
#[test]
fn lanes_are_granted_without_credits_and_links() {
    let mut r = Router::new("tiny");
    r.message(0, 0, 2, 1);
    r.idle(6);
    assert_eq!(r.lane("st_cr", 1, 0), 0);
    r.flit(2, 0, Whole, 1);
    r.idle(5);
    assert_eq!(r.owns(2, 0), Some((1, 0)));
    r.flit(0, 2, Header, 1);
    for _ in 0..5 {
        r.b.set("link_up", 1, 0);
        r.cycle();
    }
    assert_eq!(r.owns(0, 2), Some((1, 2)));
}
