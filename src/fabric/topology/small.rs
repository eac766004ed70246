//! Networks of one and two switches.

use anyhow::{Result, ensure};

use super::builder::Builder;
use crate::fabric::net::{End, Network, Timing};
use crate::fabric::routing::Routing;

/// Ports of the switches of the test beds; those not named in a figure stay free.
const PORTS: usize = 8;

/// Port of the link between two switches.
const BETWEEN: usize = 7;

/// Data rate of a 4x DDR link: 20 Gbit/s of signal, 8b/10b coded.
const DDR: f64 = 16.0;

/// n hosts on one switch of n ports.
pub fn star(n: usize, timing: Timing) -> Result<Network> {
    ensure!((2..=64).contains(&n), "star of {n} hosts: legal is 2..64");
    let mut b = Builder::new(timing)?;
    b.net.name = format!("star:{n}");
    b.switch("S".into(), n);
    for host in 0..n {
        b.host(format!("h{host}"), 0, host, 1);
    }
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b.net)
}

/// Seven hosts on one switch, all links 4x DDR; a host sends at most 13 Gbit/s and takes 13.6.
pub fn one_switch() -> Result<Network> {
    let mut b = Builder::new(Timing::of(DDR))?;
    b.net.name = "one-switch".into();
    b.switch("S1".into(), PORTS);
    for host in 0..7 {
        b.host(format!("H{}", host + 1), 0, host, 1);
    }
    b.limit(13.0, 13.6);
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b.net)
}

/// H1 to H3 on S1 and H4 to H7 on S2 with 4x DDR links, 4x QDR (32 Gbit/s of data) between the switches; a host sends
/// at most 13 Gbit/s and takes 13.6.
pub fn two_switch() -> Result<Network> {
    let mut b = pair(Timing::of(2.0 * DDR), ["S1", "S2"], |host| format!("H{}", host + 1))?;
    b.net.name = "two-switch".into();
    b.limit(13.0, 13.6);
    Ok(b.net)
}

/// N0 to N2 on S0 and N3 to N6 on S1 with 2.5 GB/s links, 5 GB/s between the switches.
pub fn ccfit_1() -> Result<Network> {
    let mut b = pair(Timing::of(40.0), ["S0", "S1"], |host| format!("N{host}"))?;
    b.net.name = "ccfit-1".into();
    Ok(b.net)
}

/// Three hosts on one switch and four on another; the link between them is twice as fast as theirs.
fn pair(timing: Timing, switches: [&str; 2], name: impl Fn(usize) -> String) -> Result<Builder> {
    let mut b = Builder::new(timing)?;
    for switch in switches {
        b.switch(switch.into(), PORTS);
    }
    for host in 0..7 {
        let (switch, port) = if host < 3 { (0, host) } else { (1, host - 3) };
        b.host(name(host), switch, port, 2);
    }
    b.link(End::Switch { switch: 0, port: BETWEEN }, End::Switch { switch: 1, port: BETWEEN }, 1);
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b)
}
