//! A network: switches, hosts, links, forwarding tables. Pure data; builders, readers and checks are beside it.

/// LFT entry of a destination without a route.
pub const NO_ROUTE: u8 = 0xFF;

/// A rate in 65 536ths of a flit per cycle; `Rate::FULL` is one flit in every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(pub u32);

impl Rate {
    /// One flit per cycle.
    pub const FULL: Rate = Rate(1 << 16);

    /// Flits allowed in cycles `0..t`; cycle `t` may carry a flit iff this grows from `t` to `t + 1`.
    pub fn flits_before(self, t: u64) -> u64 {
        ((u128::from(t) * u128::from(self.0)) >> 16) as u64
    }

    /// Whether cycle `t` may carry a flit.
    pub fn allows(self, t: u64) -> bool {
        self.flits_before(t + 1) > self.flits_before(t)
    }
}

/// Speed and delay of the links of a network; what the durations of the outside world are in cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Data rate of the fastest links in Gbit/s.
    pub gbps: f64,
    /// Propagation delay of a link in ns.
    pub delay_ns: f64,
}

impl Timing {
    /// 40 Gbit/s and 6 ns (1.2 m at 5 ns/m).
    pub const DEFAULT: Timing = Timing { gbps: 40.0, delay_ns: 6.0 };

    /// Another rate, 6 ns.
    pub const fn of(gbps: f64) -> Timing {
        Timing { gbps, ..Timing::DEFAULT }
    }

    /// Duration of a cycle: 64 bytes at the full rate.
    pub fn cycle_ps(self) -> u64 {
        (512_000.0 / self.gbps).round() as u64
    }

    /// A delay in whole cycles, rounded up, at least 1.
    pub fn cycles(self, delay_ns: f64) -> u32 {
        ((delay_ns * 1000.0 / self.cycle_ps() as f64 - 1e-6).ceil() as u32).max(1)
    }

    /// The default delay in cycles.
    pub fn delay(self) -> u32 {
        self.cycles(self.delay_ns)
    }

    /// A rate in Gbit/s as a [`Rate`], to the nearest 65 536th.
    pub fn rate(self, gbps: f64) -> Rate {
        Rate((gbps / self.gbps * f64::from(Rate::FULL.0)).round() as u32)
    }
}

/// A switch. Its id (`SWITCH_ID`) is its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Name, unique in the network.
    pub name: String,
    /// Number of ports.
    pub ports: usize,
    /// Output port of each LID, [`NO_ROUTE`] if none. Index 0 is unused.
    pub lft: Vec<u8>,
}

/// A host with its channel adapter. Its node number is its index, its LID is its index + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Name, unique in the network.
    pub name: String,
    /// How fast the adapter can read packets from the host.
    pub inject: Rate,
    /// How fast the host takes received packets.
    pub sink: Rate,
}

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// A host's only port.
    Host(usize),
    /// A port of a switch.
    Switch {
        /// Index of the switch.
        switch: usize,
        /// Port of the switch.
        port: usize,
    },
}

/// A link: full duplex and alike in both directions, or one-way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// One end; of a one-way link the one that sends.
    pub a: End,
    /// The other.
    pub b: End,
    /// Cycles from the sender's pins to the receiver's; at least 1.
    pub delay: u32,
    /// Cycles per flit, 1..15.
    pub interval: u32,
    /// Flits go from `a` to `b` only: back go what tells of them, credits and messages.
    pub one_way: bool,
}

/// A direction of a link in which flits go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Who sends.
    pub from: End,
    /// Who receives.
    pub to: End,
    /// Index of the link.
    pub link: usize,
}

impl Link {
    /// The directions in which flits go: (sender, receiver).
    pub fn ways(&self) -> impl Iterator<Item = (End, End)> + use<> {
        let back = (!self.one_way).then_some((self.b, self.a));
        std::iter::once((self.a, self.b)).chain(back)
    }
}

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Name, for reports.
    pub name: String,
    /// Duration of a cycle in picoseconds: 64 bytes on a link of interval 1.
    pub cycle_ps: u64,
    /// Switches.
    pub switches: Vec<Switch>,
    /// Hosts.
    pub hosts: Vec<Host>,
    /// Links.
    pub links: Vec<Link>,
}

impl Network {
    /// LID of a host.
    pub fn lid(&self, host: usize) -> u16 {
        (host + 1) as u16
    }

    /// Host of a LID.
    pub fn host_of_lid(&self, lid: u16) -> Option<usize> {
        (lid as usize).checked_sub(1).filter(|&h| h < self.hosts.len())
    }

    /// A switch whose table has no way to some host, and that host.
    pub fn no_way(&self) -> Option<(&Switch, &Host)> {
        let lacks = |s: &Switch, h: usize| s.lft.get(h + 1).is_none_or(|port| *port == NO_ROUTE);
        let first = |s| self.hosts.iter().enumerate().find(|(h, _)| lacks(s, *h)).map(|(_, host)| (s, host));
        self.switches.iter().find_map(first)
    }

    /// Every direction of every link in which flits go, in the order of the links.
    pub fn ways(&self) -> impl Iterator<Item = Way> + '_ {
        let of = |(link, l): (usize, &Link)| l.ways().map(move |(from, to)| Way { from, to, link });
        self.links.iter().enumerate().flat_map(of)
    }

    /// The first one-way link.
    pub fn one_way(&self) -> Option<&Link> {
        self.links.iter().find(|l| l.one_way)
    }

    /// Data rate of a link of interval 1 in Gbit/s.
    pub fn full_rate_gbps(&self) -> f64 {
        512_000.0 / self.cycle_ps as f64
    }
}
