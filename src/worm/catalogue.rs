//! The schemes of wormhole networks: a row each.

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
    /// What holds best-effort headers in adapters: CTRL of injection control beside each of them, which is not there with 0.
    pub control: u32,
}

/// A row of the catalogue.
pub type Scheme = &'static Row;

/// All schemes, in the paper's order. Admission is a setting of each.
pub static SCHEMES: [Row; 4] = [
    Row {
        name: "yum-none",
        title: "none (wormhole)",
        about: "hosts post until the adapter's queues are full",
        credits: false,
        control: 0,
    },
    Row {
        name: "alo",
        title: "At-Least-One",
        about: "a best-effort header leaves if each useful output has a free lane, or some output has all free (YL)",
        credits: false,
        control: 1,
    },
    Row {
        name: "selftuned",
        title: "Self-Tuned",
        about: "best-effort headers leave while the network's full lanes are fewer than a threshold that is tuned (YS)",
        credits: false,
        control: 2,
    },
    Row {
        name: "credit",
        title: "Credit-based",
        about: "a host posts with credits, which come back when the message has left (YC)",
        credits: true,
        control: 0,
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
