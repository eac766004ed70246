//! Meshes.

use anyhow::{Result, ensure};

use super::builder::{Builder, MAX_HOSTS};
use crate::fabric::net::{End, NO_ROUTE, Network, Timing};

/// Ports of a switch: to y + 1, x + 1, y - 1, x - 1 and to the host.
const NORTH: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const WEST: usize = 3;
const HOST: usize = 4;

/// A mesh of x times y switches with one host each: switch (i, j) is number i + j*x. A packet goes along x first, then
/// along y, so it never turns back from y to x and links cannot wait for each other in a circle.
pub fn mesh(x: usize, y: usize, timing: Timing) -> Result<Network> {
    ensure!((2..=128).contains(&x) && (1..=128).contains(&y), "mesh {x}x{y}: legal is 2..128 x 1..128");
    ensure!(x * y <= MAX_HOSTS, "mesh {x}x{y}: its {} hosts are more than {MAX_HOSTS}", x * y);
    let mut b = Builder::new(timing)?;
    b.net.name = format!("mesh:{x}x{y}");
    for s in 0..x * y {
        b.switch(format!("s{}.{}", s % x, s / x), 5);
        b.host(format!("h{s}"), s, HOST, 1);
    }
    for s in 0..x * y {
        for (port, t, far) in [(EAST, s + 1, WEST), (NORTH, s + x, SOUTH)] {
            let inside = if port == EAST { s % x + 1 < x } else { t < x * y };
            if inside {
                b.link(End::Switch { switch: s, port }, End::Switch { switch: t, port: far }, 1);
            }
        }
    }
    for (s, switch) in b.net.switches.iter_mut().enumerate() {
        let way = |d: usize| match ((d % x).cmp(&(s % x)), (d / x).cmp(&(s / x))) {
            (std::cmp::Ordering::Greater, _) => EAST,
            (std::cmp::Ordering::Less, _) => WEST,
            (_, std::cmp::Ordering::Greater) => NORTH,
            (_, std::cmp::Ordering::Less) => SOUTH,
            _ => HOST,
        };
        switch.lft = std::iter::once(NO_ROUTE).chain((0..x * y).map(|d| way(d) as u8)).collect();
    }
    Ok(b.net)
}

#[cfg(test)]
mod tests {
    use super::super::path;
    use super::*;

    #[test]
    fn packets_go_along_x_then_along_y() {
        let net = mesh(4, 3, Timing::DEFAULT).unwrap();
        net.check().unwrap();
        for from in 0..12usize {
            for to in (0..12usize).filter(|&to| to != from) {
                let ports: Vec<usize> = path(&net, from, to).iter().map(|p| p.1).collect();
                let (dx, dy) = ((to % 4).abs_diff(from % 4), (to / 4).abs_diff(from / 4));
                let mut expected = vec![if to % 4 > from % 4 { EAST } else { WEST }; dx];
                expected.extend(vec![if to > from { NORTH } else { SOUTH }; dy]);
                expected.push(HOST);
                assert_eq!(ports, expected, "{from} to {to}");
            }
        }
    }

    #[test]
    fn the_other_turns_would_deadlock() {
        // two corners send along y first: all turns of a circle are taken
        let mut net = mesh(2, 2, Timing::DEFAULT).unwrap();
        net.switches[1].lft[2 + 1] = NORTH as u8;
        net.switches[2].lft[1 + 1] = SOUTH as u8;
        let problems = net.check().unwrap_err();
        assert!(problems.iter().any(|p| p.to_string().contains("deadlock")), "{problems:?}");
    }

    #[test]
    fn a_row_is_a_mesh() {
        let net = mesh(2, 1, Timing::DEFAULT).unwrap();
        assert_eq!((net.hosts.len(), net.switches.len(), net.links.len()), (2, 2, 3));
        net.check().unwrap();
    }
}
