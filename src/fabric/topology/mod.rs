//! Networks that can be named: `docs/fabric-files.md` lists them.

mod builder;
mod mesh;
mod multistage;
mod small;
mod tree;

use anyhow::{Result, bail};

use crate::fabric::net::{Network, Timing};
pub use mesh::mesh;
pub use multistage::{Pattern, multistage};
pub use small::{SRP_TIMING, ccfit_1, one_switch, santos, srp_1, star, two_switch};
pub use tree::{clos, kary_ntree, min512, slow_kary_ntree};

/// A kind of name and what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name, or its form with the numbers to fill in in capitals.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
}

/// Every name that [`by_name`] knows.
pub const NAMES: [Entry; 18] = [
    Entry { name: "4ary-3tree", about: "64 hosts, 48 switches of 8 ports, 40 Gbit/s" },
    Entry { name: "4ary-4tree", about: "256 hosts, 256 switches of 8 ports, 40 Gbit/s" },
    Entry { name: "4ary-5tree", about: "1024 hosts, 1280 switches of 8 ports, 40 Gbit/s" },
    Entry { name: "2ary-3tree", about: "8 hosts, 12 switches of 4 ports, 40 Gbit/s" },
    Entry {
        name: "tree-648",
        about: "648 hosts, 36 leaves and 18 spines of 36 ports, 16 Gbit/s (4x DDR), hosts send 13.5 and take 13.6",
    },
    Entry {
        name: "two-switch",
        about: "H1-H3 on S1, H4-H7 on S2, 16 Gbit/s (4x DDR), 32 between the switches, hosts send 13 and take 13.6",
    },
    Entry {
        name: "one-switch",
        about: "H1-H7 on one switch, 16 Gbit/s (4x DDR), hosts send 13 and take 13.6 Gbit/s",
    },
    Entry { name: "ccfit-1", about: "N0-N2 on S0, N3-N6 on S1, 2.5 GB/s, 5 GB/s between the switches" },
    Entry { name: "srp-1", about: "S0-S2 on X, S3-S5, D0 and D1 on Y, 80 Gbit/s, 25.6 ns of link" },
    Entry { name: "ccfit-2", about: "the 2-ary 3-tree with links of 2.5 GB/s: 8 hosts, 12 switches" },
    Entry {
        name: "kary-ntree:K:N",
        about: "k-ary n-tree, K^N hosts, N*K^(N-1) switches of 2K ports, 40 Gbit/s",
    },
    Entry {
        name: "clos:P",
        about: "three-stage tree of P-port switches, P/2 spines, P*P/2 hosts, 40 Gbit/s (P even, 4..64)",
    },
    Entry { name: "star:N", about: "N hosts on one switch of N ports, 40 Gbit/s (N 2..64)" },
    Entry {
        name: "mesh:XxY",
        about: "mesh of X times Y switches of 5 ports with a host each, X-Y routing, 40 Gbit/s",
    },
    Entry {
        name: "umin:K:N:PATTERN",
        about: "one-way k-ary n-fly, butterfly or shuffle, K^N hosts, N*K^(N-1) switches of K ports, 40 Gbit/s",
    },
    Entry {
        name: "santos:L:R",
        about: "A1-AR and victim AV on switch A; B1-BL, hot host BC and BV on switch B; 1 GB/s, 15 cycles a flit",
    },
    Entry { name: "min:K:N", about: "the k-ary n-tree with links of 1 GB/s at 14 cycles a flit" },
    Entry {
        name: "min512",
        about: "512 hosts: two 4-ary 4-trees under 128 switches, 640 of 8 ports in all; links as in min:K:N",
    },
];

/// Cycles per flit of the links of `min`: a hop is short beside a packet there.
const MIN_INTERVAL: u32 = 14;

/// Links of 1 GB/s at that interval.
const MIN_TIMING: Timing = Timing::of(8.0 * MIN_INTERVAL as f64);

/// The network of a name.
pub fn by_name(name: &str) -> Result<Network> {
    let mut net = match name {
        "4ary-3tree" => kary_ntree(4, 3, Timing::DEFAULT)?,
        "4ary-4tree" => kary_ntree(4, 4, Timing::DEFAULT)?,
        "4ary-5tree" => kary_ntree(4, 5, Timing::DEFAULT)?,
        "2ary-3tree" => kary_ntree(2, 3, Timing::DEFAULT)?,
        "tree-648" => tree::tree_648()?,
        "two-switch" => two_switch()?,
        "one-switch" => one_switch()?,
        "ccfit-1" => ccfit_1()?,
        "srp-1" => srp_1()?,
        "ccfit-2" => kary_ntree(2, 3, Timing::of(20.0))?,
        "min512" => min512(MIN_TIMING, MIN_INTERVAL)?,
        _ => {
            let mut parts: Vec<&str> = name.split(':').collect();
            let family = parts.remove(0);
            // What is not a number: the pattern of a multistage network, and the cross of a mesh.
            let pattern = match (family, parts.last()) {
                ("umin", Some(&"butterfly")) => Some(Pattern::Butterfly),
                ("umin", Some(&"shuffle")) => Some(Pattern::Shuffle),
                ("umin", _) => bail!("network {name:?}: legal is umin:K:N:butterfly or umin:K:N:shuffle"),
                _ => None,
            };
            parts.truncate(parts.len() - usize::from(pattern.is_some()));
            if family == "mesh" {
                parts = parts.into_iter().flat_map(|p| p.split('x')).collect();
            }
            let numbers = parts
                .into_iter()
                .map(|p| p.parse().map_err(|_| anyhow::anyhow!("network {name:?}: {p:?} is not a number")))
                .collect::<Result<Vec<usize>>>()?;
            match (family, numbers.as_slice(), pattern) {
                ("kary-ntree", &[k, n], _) => kary_ntree(k, n, Timing::DEFAULT)?,
                ("min", &[k, n], _) => slow_kary_ntree(k, n, MIN_TIMING, MIN_INTERVAL)?,
                ("santos", &[local, remote], _) => santos(local, remote)?,
                ("clos", &[p], _) => clos(p, Timing::DEFAULT)?,
                ("star", &[n], _) => star(n, Timing::DEFAULT)?,
                ("mesh", &[x, y], _) => mesh(x, y, Timing::DEFAULT)?,
                ("umin", &[k, n], Some(pattern)) => multistage(k, n, pattern, Timing::DEFAULT)?,
                _ => bail!("unknown network {name:?}: there are {}", NAMES.map(|e| e.name).join(", ")),
            }
        }
    };
    net.name = name.to_string();
    Ok(net)
}

/// Switches that a packet of host `from` to host `to` passes, and the port that it takes at each.
#[cfg(test)]
fn path(net: &Network, from: usize, to: usize) -> Vec<(usize, usize)> {
    path_by(&crate::fabric::wiring::Wiring::new(net), net, from, to)
}

/// The same, for many ways in one network.
#[cfg(test)]
fn path_by(
    wiring: &crate::fabric::wiring::Wiring,
    net: &Network,
    from: usize,
    to: usize,
) -> Vec<(usize, usize)> {
    use crate::fabric::net::End;
    let mut path = Vec::new();
    let mut at = wiring.peer(End::Host(from)).unwrap().end;
    while let End::Switch { switch, .. } = at {
        let port = usize::from(net.switches[switch].lft[to + 1]);
        path.push((switch, port));
        assert!(path.len() < 20);
        at = wiring.peer(End::Switch { switch, port }).unwrap().end;
    }
    assert_eq!(at, End::Host(to));
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::wiring::Wiring;

    #[test]
    fn every_name_builds_and_passes_the_check() {
        for entry in NAMES {
            let name =
                entry.name.replace(":K:N", ":3:2").replace(":PATTERN", ":shuffle").replace(":L:R", ":3:2");
            let name = name.replace(":P", ":8").replace(":N", ":5").replace("XxY", "4x3");
            let net = by_name(&name).unwrap();
            assert_eq!(net.name, name);
            let problems = net.check().err().unwrap_or_default();
            assert!(problems.is_empty(), "{name}: {problems:?}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_literature() {
        let size = |name| {
            let net = by_name(name).unwrap();
            (net.hosts.len(), net.switches.len(), net.switches[0].ports)
        };
        assert_eq!(size("2ary-3tree"), (8, 12, 4));
        assert_eq!(size("4ary-3tree"), (64, 48, 8));
        assert_eq!(size("4ary-4tree"), (256, 256, 8));
        assert_eq!(size("4ary-5tree"), (1024, 1280, 8));
        assert_eq!(size("tree-648"), (648, 54, 36));
        assert_eq!(size("clos:4"), (8, 6, 4));
        assert_eq!(size("star:5"), (5, 1, 5));
    }

    #[test]
    fn cycle_times_and_intervals_follow_the_data_rates() {
        assert_eq!(by_name("4ary-3tree").unwrap().cycle_ps, 12_800);
        assert_eq!(by_name("ccfit-2").unwrap().cycle_ps, 25_600);
        let two = by_name("two-switch").unwrap();
        assert_eq!(two.cycle_ps, 16_000);
        let intervals: Vec<u32> = two.links.iter().map(|l| l.interval).collect();
        assert_eq!(intervals, [2, 2, 2, 2, 2, 2, 2, 1]);
        assert!(two.links.iter().all(|l| l.delay == 1));
        // 13 Gbit/s of 32: a flit in 13 of 32 cycles
        assert_eq!(two.hosts[0].inject.flits_before(3200), 1300);
        assert!((f64::from(two.hosts[0].sink.0) / 65536.0 * 32.0 - 13.6).abs() < 1e-3);
    }

    #[test]
    fn hosts_sit_where_the_papers_put_them() {
        for (name, first) in [("two-switch", "H1"), ("ccfit-1", "N0")] {
            let net = by_name(name).unwrap();
            let wiring = Wiring::new(&net);
            let switches: Vec<usize> = (0..7).map(|h| wiring.switch_of(h).unwrap().0).collect();
            assert_eq!(switches, [0, 0, 0, 1, 1, 1, 1]);
            assert_eq!(net.hosts[0].name, first);
        }
    }

    #[test]
    fn delays_round_up_to_whole_cycles() {
        let delay = |ns| kary_ntree(2, 2, Timing { gbps: 40.0, delay_ns: ns }).unwrap().links[0].delay;
        assert_eq!([0.0, 6.0, 12.8, 12.9, 25.6, 100.0].map(delay), [1, 1, 1, 2, 2, 8]);
    }

    #[test]
    fn bad_names_are_explained() {
        let error = |name| by_name(name).unwrap_err().to_string();
        assert!(error("torus").contains("unknown network \"torus\": there are 4ary-3tree, "));
        assert!(error("star:x").contains("\"x\" is not a number"));
        assert!(error("star:1").contains("legal is 2..64"), "{}", error("star:1"));
        assert!(error("mesh:4").contains("unknown network"));
        assert!(error("mesh:4xa").contains("\"a\" is not a number"));
        assert!(error("mesh:1x4").contains("legal is 2..128 x 1..128"));
        assert!(error("umin:2:3").contains("umin:K:N:butterfly or umin:K:N:shuffle"));
        assert!(error("umin:2:20:shuffle").contains("more than 16384"));
        assert!(error("clos:5").contains("legal is an even number 4..64"));
        assert!(error("santos:10").contains("unknown network"));
        assert_eq!(error("santos:0:10"), "santos: L = 0 local hosts: legal is 1..61");
        assert_eq!(error("santos:10:63"), "santos: R = 63 remote hosts: legal is 1..62");
        assert!(error("santos:a:1").contains("\"a\" is not a number"));
        assert!(error("min:4").contains("unknown network"));
        assert!(error("min:33:2").contains("legal is 2..32"));
        assert!(error("min:4:0").contains("n = 0: legal is 1 and more"));
        assert!(error("min:4:9").contains("more than 16384"));
        assert!(error("kary-ntree:40:2").contains("legal is 2..32"));
        assert!(error("kary-ntree:4:9").contains("more than"));
    }

    #[test]
    fn the_largest_tree_is_built_in_no_time() {
        let start = std::time::Instant::now();
        let net = by_name("4ary-5tree").unwrap();
        assert_eq!(net.links.len(), 5 * 1024);
        assert!(start.elapsed().as_millis() < 1000, "{:?}", start.elapsed());
    }
}
