//! The catalogue: a row for each scheme.

use serde::{Deserialize, Serialize};

use crate::params::Params;

use super::{Detector, Isolation, Marking, Notification, Organisation, Response};

/// A scheme, as its choices.
#[derive(Debug)]
pub struct Row {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in the papers.
    pub title: &'static str,
    /// How packets queue.
    pub organisation: Organisation,
    /// How a switch finds congestion.
    pub detector: Detector,
    /// Which packets a switch marks.
    pub marking: Marking,
    /// Where packets of congested flows go.
    pub isolation: Isolation,
    /// How a destination tells a source.
    pub notification: Notification,
    /// What the source does then.
    pub response: Response,
    /// Settings that differ from the defaults of all schemes, as `--set` takes them.
    pub settings: &'static [(&'static str, &'static str)],
    /// Place in the palette of figures.
    pub look: usize,
}

impl Row {
    /// A build of a unit has what it needs.
    pub fn runs_on(&self, p: &Params) -> bool {
        let one_queue = self.organisation == Organisation::OneQueue;
        let lines = p.isolation || self.isolation == Isolation::None;
        one_queue == p.one_queue
            && (!self.reserves() || p.srp)
            && lines
            && (p.markers || !self.detector.needs_markers())
    }

    /// The elaboration parameters that choose it.
    pub fn build(&self, p: Params) -> Params {
        let p = self.organisation.build(p);
        match self.detector.needs_markers() {
            true => Params { markers: true, isolation: self.isolation == Isolation::Lines, ..p },
            false => p,
        }
    }

    /// Its switches mark by the congestion state of an output (M1).
    pub fn marks_by_state(&self) -> bool {
        self.marking != Marking::None && self.detector.makes_states()
    }

    /// Its sources reserve time at destinations, and its switches drop what is sent before that and waits for too long (SRP = 1).
    pub fn reserves(&self) -> bool {
        self.response == Response::Reservation
    }

    /// Its choices are off: an organisation and nothing else.
    pub fn does_nothing(&self) -> bool {
        self.isolation == Isolation::None && self.marking == Marking::None && !self.reserves()
    }

    /// What a table of the catalogue shows.
    pub const HEAD: [&str; 8] =
        ["name", "in the papers", "queues", "detector", "marking", "isolation", "notification", "response"];

    /// Its row there.
    pub fn cells(&self) -> [&'static str; 8] {
        [
            self.name,
            self.title,
            self.organisation.name(),
            self.detector.name(),
            self.marking.name(),
            self.isolation.name(),
            self.notification.name(),
            self.response.name(),
        ]
    }
}

/// Makes the scheme's variant and its row from one entry.
macro_rules! catalogue {
    ($($(#[$doc:meta])* $scheme:ident $name:literal $title:literal { $($choice:tt)* })*) => {
        /// A scheme of the papers: a row of the catalogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Scheme {
            $($(#[$doc])* #[serde(rename = $name)] $scheme,)*
        }

        impl Scheme {
            /// All schemes, in the papers' order.
            pub const ALL: [Scheme; ROWS.len()] = [$(Scheme::$scheme),*];
            /// Their names on the command line.
            pub const NAMES: &[&str] = &[$($name),*];
        }

        const ROWS: &[Row] = &[$(Row { name: $name, title: $title, $($choice)* }),*];
    };
}

/// Thresholds of CCFIT III-B.
const CCFIT: &[(&str, &str)] =
    &[("hth", "4 MTU"), ("lth", "2 MTU"), ("stop", "10 MTU"), ("go", "4 MTU"), ("restart", "true")];

/// Windows that move, then slots.
const SLOTS: &[(&str, &str)] =
    &[("wmax", "2"), ("dynamic_window", "true"), ("law", "slots"), ("reset_empty", "true")];

/// The same; MB alone is warm, with VB hot.
const MVCM: &[(&str, &str)] = &[
    ("wmax", "2"),
    ("dynamic_window", "true"),
    ("law", "slots"),
    ("reset_empty", "true"),
    ("sevmap", "0x9c9c"),
];

/// One packet outstanding, and a rate of LIPD.
const SANTOS: &[(&str, &str)] = &[("wmax", "1"), ("law", "lipd")];

/// One threshold on what waits for an output, for every port without a root test; every packet is marked there. Entry i of the table is
/// i packets' time.
const PFISTER: &[(&str, &str)] = &[
    ("eval", "sum"),
    ("sum_hth", "6 MTU"),
    ("sum_lth", "6 MTU"),
    ("victim_mask", "0x1fffffffffffffffe"),
    ("marking_rate", "0"),
    ("cct", "linear(step=0.4096us)"),
];

/// Entry i of the table is 8 i cycles, the index falls by 1 in 312.
const ECN: &[(&str, &str)] = &ecn("linear(step=51.2ns)", "2", "156");

/// The same with twice its times: entry i is 16 i cycles, the index falls by 1 in 600.
const ECN2X: &[(&str, &str)] = &ecn("linear(step=102.4ns)", "4", "150");

/// Every packet that leaves a congested output is marked, while there is credit: what waits for it is 90 % of 512 flits. A lane for
/// CNPs. Times are those of a cycle of 6.4 ns.
const fn ecn(
    cct: &'static str,
    timer: &'static str,
    tick: &'static str,
) -> [(&'static str, &'static str); 16] {
    [
        ("vls", "2"),
        ("ctl_vl", "true"),
        ("blocks", "1024"),
        ("eval", "sum"),
        ("sum_hth", "461"),
        ("sum_lth", "461"),
        ("root_now", "true"),
        ("victim_hosts", "false"),
        ("marking_rate", "0"),
        ("restart", "true"),
        ("cct_size", "1024"),
        ("cct", cct),
        ("ccti_limit", "1023"),
        ("ccti_increase", "16"),
        ("ccti_timer", timer),
        ("tick_cycles", tick),
    ]
}

/// Entry i of the table is i packets' time.
const VALIDATED: &[(&str, &str)] = &[("cct", "linear(step=0.4096us)")];

catalogue! {
    /// One queue per input port, nothing else.
    OneQueue "1q" "1Q" {
        organisation: Organisation::OneQueue,
        detector: Detector::None,
        marking: Marking::None,
        isolation: Isolation::None,
        notification: Notification::None,
        response: Response::None,
        settings: &[],
        look: 4,
    }
    /// VOQs in the switch (VOQsw), nothing else: nobody asks what its detector finds.
    Vl1 "1vl" "1VL (VOQsw)" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::None,
        isolation: Isolation::None,
        notification: Notification::None,
        response: Response::None,
        settings: &[],
        look: 4,
    }
    /// A queue per destination everywhere.
    VoqNet "voqnet" "VOQnet" {
        organisation: Organisation::LanePerDest,
        detector: Detector::Fill,
        marking: Marking::None,
        isolation: Isolation::None,
        notification: Notification::None,
        response: Response::None,
        settings: &[("fc_interval", "1")],
        look: 1,
    }
    /// Marks by the sum of what waits for an output; delays by a table.
    Pfister "pfister" "Pfister" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: PFISTER,
        look: 2,
    }
    /// The packets in a buffer that becomes full are marked; window and rate.
    SantosNaive "santos-naive" "Santos, naive" {
        organisation: Organisation::Voq,
        detector: Detector::Naive,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Ack,
        response: Response::Window,
        settings: SANTOS,
        look: 1,
    }
    /// As many as wait for the outputs concerned, at whatever input.
    SantosInput "santos-input" "Santos, input" {
        organisation: Organisation::Voq,
        detector: Detector::Input,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Ack,
        response: Response::Window,
        settings: SANTOS,
        look: 3,
    }
    /// And those that wait for an output with many.
    SantosIo "santos-io" "Santos, input-output" {
        organisation: Organisation::Voq,
        detector: Detector::InputOutput,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Ack,
        response: Response::Window,
        settings: SANTOS,
        look: 7,
    }
    /// Marks at full input buffers, validated at saturated outputs; windows, then waiting slots.
    Mvcm "mvcm" "MVCM" {
        organisation: Organisation::Voq,
        detector: Detector::Levels,
        marking: Marking::MbVb,
        isolation: Isolation::None,
        notification: Notification::Ack,
        response: Response::Window,
        settings: MVCM,
        look: 6,
    }
    /// MVCM's marks; only those that are validated are answered, by CNPs, and delays follow as Pfister has them.
    PfisterValidated "pfister-validated" "Pfister, validated marks" {
        organisation: Organisation::Voq,
        detector: Detector::Levels,
        marking: Marking::MbVb,
        isolation: Isolation::None,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: VALIDATED,
        look: 5,
    }
    /// InfiniBand congestion control: VOQs, marking, injection throttling.
    Ith "ith" "IB-ITh" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: &[],
        look: 3,
    }
    /// The speculative reservation protocol: nobody sends more to a destination than that takes.
    Srp "srp" "SRP" {
        organisation: Organisation::Voq,
        detector: Detector::None,
        marking: Marking::None,
        isolation: Isolation::None,
        notification: Notification::Grant,
        response: Response::Reservation,
        settings: &[("vls", "4"), ("rx_blocks", "1024")],
        look: 0,
    }
    /// SRP's rival: marks while an output's sum is high and has credit, CNPs on a lane of their own.
    Ecn "ecn" "ECN, beside SRP" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: ECN,
        look: 1,
    }
    /// The same with the times that its authors' simulator has.
    Ecn2x "ecn2x" "ECN, twice its times" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: ECN2X,
        look: 4,
    }
    /// Marking as InfiniBand has it, told by ACKs; windows, then waiting slots: MVCM's response, to FECN.
    IthAck "ith-ack" "ITh marks, MVCM's response" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::Fecn,
        isolation: Isolation::None,
        notification: Notification::Ack,
        response: Response::Window,
        settings: SLOTS,
        look: 5,
    }
    /// Isolation at a port with one read port (FBICM).
    Fbicm "fbicm" "FBICM" {
        organisation: Organisation::OneQueue,
        detector: Detector::Head,
        marking: Marking::None,
        isolation: Isolation::Lines,
        notification: Notification::None,
        response: Response::None,
        settings: CCFIT,
        look: 2,
    }
    /// FBICM with marking and throttling.
    Ccfit "ccfit" "CCFIT" {
        organisation: Organisation::OneQueue,
        detector: Detector::Head,
        marking: Marking::Fecn,
        isolation: Isolation::Lines,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: CCFIT,
        look: 0,
    }
    /// VOQs with isolation (hot-flow dynamic isolation).
    Hfdi "hfdi" "HFDI" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::None,
        isolation: Isolation::Lines,
        notification: Notification::None,
        response: Response::None,
        settings: &[],
        look: 2,
    }
    /// HFDI with marking and throttling.
    EcoCc "ecocc" "EcoCC" {
        organisation: Organisation::Voq,
        detector: Detector::Fill,
        marking: Marking::Fecn,
        isolation: Isolation::Lines,
        notification: Notification::Cnp,
        response: Response::Delay,
        settings: &[],
        look: 0,
    }
}

impl Scheme {
    /// The scheme where nobody asks for one.
    pub const DEFAULT: Scheme = Scheme::EcoCc;

    /// Finds a scheme by its name on the command line.
    pub fn parse(name: &str) -> Result<Scheme, String> {
        Scheme::ALL
            .into_iter()
            .find(|s| s.name == name)
            .ok_or_else(|| format!("there is no scheme {name}: there are {}", Scheme::NAMES.join(", ")))
    }
}

impl std::ops::Deref for Scheme {
    type Target = Row;

    fn deref(&self) -> &Row {
        &ROWS[*self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_catalogue() {
        let page = include_str!("../../docs/fabric.md");
        let row = |cells: [&str; 8]| format!("| {} |\n", cells.join(" | "));
        assert!(page.contains(&row(Row::HEAD)));
        let rows: String = Scheme::ALL.iter().map(|s| row(s.cells())).collect();
        assert!(page.contains(&rows), "the table wanted in docs/fabric.md:\n{rows}");
    }

    #[test]
    fn names_are_found_and_rows_make_sense() {
        for s in Scheme::ALL {
            assert_eq!(Scheme::parse(s.name), Ok(s));
            let one_queue = s.organisation == Organisation::OneQueue;
            assert!(one_queue || s.detector != Detector::Head, "{}: only one queue has a head", s.name);
            assert!(!one_queue || s.detector != Detector::Fill, "{}: one queue's fill means nothing", s.name);
            let uses = s.marking != Marking::None || s.isolation != Isolation::None;
            assert!(!uses || s.detector != Detector::None, "{}: it acts on what nobody finds", s.name);
            let voqs = s.organisation == Organisation::Voq;
            assert!(voqs || !s.detector.needs_markers(), "{}: packets wait in VOQs", s.name);
            let told = s.notification != Notification::None;
            assert_eq!(
                told,
                s.marking != Marking::None || s.reserves(),
                "{}: marks are there to be told",
                s.name
            );
            assert_eq!(
                s.reserves(),
                s.notification == Notification::Grant,
                "{}: who asks is answered",
                s.name
            );
            // E5: the stops of the golden fabric count every charge.
            let acks = s.notification == Notification::Ack;
            assert!(!acks || s.isolation == Isolation::None, "{}: no stop reaches ACKs", s.name);
            assert_eq!(told, s.response != Response::None, "{}: sources heed what they are told", s.name);
        }
        assert!(Scheme::parse("tcp").unwrap_err().contains("ecocc"));
    }
}
