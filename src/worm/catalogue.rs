//! The schemes of wormhole networks: a row each.

use super::hold::Hold;
use super::net::Net;
use super::settings::Settings;

/// Makes what holds best-effort headers back.
pub type Holding = fn(&Net, &Settings) -> Box<dyn Hold>;

/// A scheme.
pub struct Row {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in figures.
    pub title: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Hosts post with credits (YC1).
    pub credits: bool,
    /// What holds best-effort headers in adapters, if anything does.
    pub hold: Option<Holding>,
}

/// A row of the catalogue.
pub type Scheme = &'static Row;

/// All schemes, in the paper's order. Admission is a setting of each.
pub static SCHEMES: [Row; 2] = [
    Row {
        name: "yum-none",
        title: "none (wormhole)",
        about: "hosts post until the adapter's queues are full",
        credits: false,
        hold: None,
    },
    Row {
        name: "credit",
        title: "Credit-based",
        about: "a host posts with credits, which come back when the message has left (YC)",
        credits: true,
        hold: None,
    },
];

/// The scheme of a name.
pub fn find(name: &str) -> Option<Scheme> {
    SCHEMES.iter().find(|row| row.name == name)
}

impl Row {
    /// What a table of the catalogue shows.
    pub const HEAD: [&str; 3] = ["name", "in figures", "what it does"];

    /// Its row there.
    pub fn cells(&self) -> [&'static str; 3] {
        [self.name, self.title, self.about]
    }
}
