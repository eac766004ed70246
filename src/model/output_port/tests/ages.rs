//! Section 13: oldest first.

use super::*;

const SCHED: u32 = 1 << 9;

fn aged(b: &mut Bench, r: usize, age: u32) {
    request(b, r, 1, 1);
    b.set("req_age", r, age);
}

/// The timing diagram; one VL.
#[test]
fn ages_of_the_page() {
    let p = Params { vls: 1, blocks: 16, ..params("santiny") };
    let mut b = Bench::new(UnitKind::OutputPort, &p);
    b.config(CTRL, SCHED);
    credits(&mut b, 0, 1000);
    let ages = [[9, 7, 9], [3, 8, 10], [4, 9, 0], [5, 0, 0]];
    let rows = ages.map(|now| {
        (0..3).filter(|i| now[*i] > 0).for_each(|i| aged(&mut b, i, now[i]));
        b.cycle();
        (granted(&b, 3)[0], order_of(&b, 0))
    });
    assert_eq!(rows, [(0, vec![0, 1, 2]), (2, vec![1, 2, 0]), (1, vec![1, 0, 2]), (0, vec![0, 2, 1])]);
}

/// AG1, A3: nobody younger goes before a request that fits, whatever the pointers; those alike go in turn: at most P-1 others of the
/// VL, V-1 of other VLs for each.
#[test]
fn the_oldest_that_fits_goes() {
    for seed in 0..8 {
        let p = params("santiny");
        let mut b = Bench::new(UnitKind::OutputPort, &p);
        b.config(CTRL, SCHED);
        let mut rng = SmallRng::seed_from_u64(seed);
        let n = p.ports * p.vls;
        // Requests that stand: their age, at most 128.
        let mut standing: Vec<Option<u32>> = vec![None; n];
        let mut passed = vec![0usize; n];
        for _ in 0..6000 {
            let credit: Vec<bool> = (0..p.vls).map(|_| rng.random_ratio(3, 4)).collect();
            let v = rng.random_range(0..p.vls);
            let txr = b.get("st_txr", v);
            credits(&mut b, v as u32, if credit[v] { txr + 200 } else { txr });
            for (r, age) in standing.iter_mut().enumerate() {
                *age = match *age {
                    Some(a) => Some((a + 2).min(128)),
                    None => rng.random_ratio(1, 6).then_some(rng.random_range(1..4)),
                };
                if let Some(a) = *age {
                    aged(&mut b, r, a);
                }
            }
            b.cycle();
            let winners = granted(&b, n);
            let fits = |v: usize| {
                b.get("st_fccl", v).wrapping_sub(b.get("st_txr", v)).wrapping_sub(p.mtu as u32) & 0xfff
                    <= 2048
            };
            let oldest = (0..n).filter(|r| fits(r % p.vls)).filter_map(|r| standing[r]).max();
            assert_eq!(winners.first().map(|r| standing[*r]), oldest.map(Some));
            let Some(winner) = winners.first().copied() else { continue };
            for r in (0..n).filter(|r| standing[*r] == Some(128) && fits(r % p.vls) && *r != winner) {
                passed[r] += 1;
                assert!(passed[r] < p.ports * p.vls, "{r}");
            }
            (standing[winner], passed[winner]) = (None, 0);
        }
    }
}

#[test]
fn without_sched_ages_are_not_looked_at() {
    for (ctrl, order) in [(0, [0, 2, 4]), (SCHED, [4, 0, 2])] {
        let mut b = bench("santiny");
        b.config(CTRL, ctrl);
        credits(&mut b, 0, 1000);
        let mut left = vec![(0, 5), (2, 4), (4, 9)];
        let granted = [0; 3].map(|_| {
            left.iter().for_each(|(r, age)| aged(&mut b, *r, *age));
            b.cycle();
            let r = granted(&b, 6)[0];
            left.retain(|x| x.0 != r);
            r
        });
        assert_eq!(granted, order);
    }
}

/// CNPs go by class, without ages; with `cnp_plain` they have one.
#[test]
fn notifications_have_ages_as_ordinary_packets_only() {
    for (ctrl, winner) in [(SCHED, 2), (SCHED | 0x80, 0)] {
        let mut b = bench("santiny");
        b.config(CTRL, ctrl);
        credits(&mut b, 0, 1000);
        aged(&mut b, 0, 50);
        aged(&mut b, 2, 7);
        b.set("req_cnp", 2, 1);
        b.cycle();
        assert_eq!(granted(&b, 6), [winner]);
    }
}
