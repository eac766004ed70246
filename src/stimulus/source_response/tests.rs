//! The stimulus against the golden model.

use super::script::Script;
use super::*;
use crate::params::UnitKind;
use crate::signals::Layout;
use crate::stimulus::alone::{Golden, assert_depends_on_the_seed_alone, builds_of, left_out, run};

fn sr_builds() -> Vec<Build> {
    builds_of(UnitKind::SourceResponse)
}

#[test]
fn probe() {
    for build in sr_builds() {
        for s in scenarios() {
            let mut script =
                Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
            let mut golden = Golden::new(&build);
            let mut cycles = 0;
            while script.rounds < 1 && cycles < 2_000_000 {
                golden.cycle(&mut script, |_, _, _| ());
                cycles += 1;
            }
            let unit = &golden.unit;
            let hits: Vec<_> = unit
                .cover_points()
                .iter()
                .zip(unit.cover())
                .filter(|(_, c)| **c > 0)
                .map(|(p, _)| p.name)
                .collect();
            println!("SCEN {} {} {cycles} {}", build.name, s.name, hits.join(" "));
        }
        println!("RANDOM {} {:?}", build.name, left_out(&build, 10, 50_000));
    }
}
