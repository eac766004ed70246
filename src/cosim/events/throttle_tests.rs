//! The throttle's scoreboard on made-up traces, and on the golden model.

use super::scoreboard::{Broken, Scoreboard, kind};
use super::settings::Settings;
use super::throttle::{Throttle, settings};
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;
use crate::signals::Layout;

/// Inputs and outputs by name, a cycle at a time.
struct Trace {
    layout: Layout,
    judge: Throttle,
    input: Vec<u32>,
    output: Vec<u32>,
    now: u64,
}

fn params() -> Params {
    Build::named(UnitKind::HcaThrottle, Some("tiny")).unwrap().params
}

impl Trace {
    fn new() -> Trace {
        let p = params();
        let layout = Layout::new(UnitKind::HcaThrottle, &p);
        let values = Settings::but(settings(&p), &[("becn", 4), ("withdraw", 2)]);
        let (input, output) = (layout.idle(), vec![0; layout.out_words]);
        Trace { judge: Throttle::new(&p, &values), layout, input, output, now: 0 }
    }

    fn set(&mut self, name: &str, value: u32) -> &mut Trace {
        let at = self.layout.input(name);
        self.input[at] = value;
        self
    }

    fn offer(&mut self, flow: Option<u32>) -> &mut Trace {
        let at = |name| self.layout.output(name);
        let (valid, to) = (at("inj_valid"), at("inj_flow"));
        self.output[valid] = flow.is_some().into();
        self.output[to] = flow.unwrap_or(0);
        self
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let at = self.layout.output("ready");
        self.output[at] = 1;
        self.now += 1;
        let result = self.judge.cycle(&self.input, &self.output);
        for name in ["cfg_we", "cct_we", "becn_valid", "inj_ready", "sent"] {
            self.set(name, 0);
        }
        result
    }

    fn cycles(&mut self, n: u64) -> Result<(), Broken> {
        (0..n).try_for_each(|_| self.cycle())
    }

    fn register(&mut self, name: &str, value: u32) {
        let address = addr(UnitKind::HcaThrottle, name).into();
        self.set("cfg_we", 1).set("cfg_addr", address).set("cfg_data", value).cycle().unwrap();
    }

    /// Enabled, a timer of 10 cycles, a table in which entry i is a delay of 20 i cycles, credits, and no packets.
    fn ready() -> Trace {
        let mut t = Trace::new();
        for (name, value) in [("TICK_CYCLES", 1), ("CCTI_TIMER", 1000), ("CTRL", 0b10001)] {
            t.register(name, value);
        }
        for i in 0..params().cct as u32 {
            t.set("cct_we", 1).set("cct_addr", i).set("cct_data", 20 * i).cycle().unwrap();
        }
        t.set("sl_ok", 0xffff).cycles(10).unwrap();
        t
    }

    /// A packet of flow 1, of a flit.
    fn packet(&mut self) {
        self.set("req", 2).cycle().unwrap();
        self.offer(Some(1)).set("inj_ready", 1).set("inj_len", 1).cycle().unwrap();
        self.offer(None).set("req", 0).set("sent", 1).cycle().unwrap();
    }

    fn becn(&mut self) {
        self.set("becn_valid", 1).set("becn_flow", 1).cycle().unwrap();
    }

    fn kind(&mut self) -> &'static str {
        kind(self.cycle())
    }
}

#[test]
fn spacing_is_judged_by_the_index_after_the_last_becn() {
    // 3 BECNs: CCTI 3, 60 cycles after the last flit.
    for (early, broken) in [(0, false), (1, true), (40, true)] {
        let mut t = Trace::ready();
        t.packet();
        let sent = t.now - 1;
        (0..3).for_each(|_| t.becn());
        let wait = sent + 61 - t.now - early;
        t.set("req", 2).cycles(wait).unwrap();
        t.offer(Some(1));
        if broken {
            assert_eq!(t.kind(), "spacing", "{early}");
        } else {
            t.cycle().unwrap();
            assert_eq!(t.judge.cover().iter().find(|c| c.name == "spacing_exact").unwrap().count, 1);
        }
    }
    // A BECN that came just now need not have been seen.
    let mut t = Trace::ready();
    t.packet();
    t.cycles(10).unwrap();
    t.set("req", 2);
    t.becn();
    t.offer(Some(1)).cycle().unwrap();
}

#[test]
fn after_the_nth_expiry_the_index_is_lower_and_not_before() {
    // 3 BECNs and a period of 100 cycles: an offer 75 or 87 cycles after the first one knows no expiry; one after 113 may. After 250 one
    // must have been seen, and a second one can have been.
    for (wait, gap, good) in
        [(20, 50, false), (20, 62, true), (58, 50, true), (250, 10, false), (250, 22, true), (400, 3, true)]
    {
        let mut t = Trace::ready();
        t.register("CCTI_TIMER", 100);
        t.cycles(300).unwrap();
        (0..3).for_each(|_| t.becn());
        t.cycles(wait).unwrap();
        t.packet();
        let sent = t.now - 1;
        let wait = sent + gap - t.now;
        t.set("req", 2).cycles(wait).unwrap();
        let result = t.offer(Some(1)).cycle().map_err(|b| b.kind);
        assert_eq!(result, if good { Ok(()) } else { Err("spacing") }, "{wait} {gap}");
    }
}

/// In the other mode an index may be anything, even if the limit is low when the mode changes (found by the pacer in 10 million cycles).
#[test]
fn what_is_kept_of_owners_that_are_not_in_use_is_not_judged() {
    let mut t = Trace::ready();
    let cct = params().cct as u32;
    for i in 0..cct {
        t.set("cct_we", 1).set("cct_addr", i).set("cct_data", if i == 0 { 200 } else { 10 }).cycle().unwrap();
    }
    for (name, value) in [("CCTI_LIMIT", 0), ("CTRL", 0b10011), ("CCTI_LIMIT", cct - 1)] {
        t.register(name, value);
    }
    t.cycles(10).unwrap();
    t.packet();
    t.set("req", 2).cycles(20).unwrap();
    t.offer(Some(1)).cycle().unwrap();
}

#[test]
fn offers_are_for_flows_that_want_and_may() {
    let mut t = Trace::ready();
    t.offer(Some(7));
    assert_eq!(t.kind(), "flow");
    let mut t = Trace::ready();
    t.offer(Some(2));
    assert_eq!(t.kind(), "want");
    let mut t = Trace::ready();
    t.set("req", 4).set("sl_ok", 0).cycles(5).unwrap();
    t.offer(Some(2));
    assert_eq!(t.kind(), "credit");
    // It may stand for two cycles after the stop.
    let mut t = Trace::ready();
    t.set("req", 4).cycle().unwrap();
    t.offer(Some(2)).cycle().unwrap();
    t.set("stop", 4).cycles(2).unwrap();
    assert_eq!(t.kind(), "want");
    // A packet that is being sent.
    let mut t = Trace::ready();
    t.becn();
    t.set("req", 2).cycles(10).unwrap();
    t.offer(Some(1)).set("inj_ready", 1).set("inj_len", 9).cycle().unwrap();
    t.offer(None).cycles(6).unwrap();
    t.offer(Some(1));
    assert_eq!(t.kind(), "sending");
    // Another SL than the flow's.
    let mut t = Trace::ready();
    t.set("req", 4).cycle().unwrap();
    t.offer(Some(2));
    let at = t.layout.output("inj_sl");
    t.output[at] = 3;
    assert_eq!(t.kind(), "sl");
}

#[test]
fn an_offer_stands_and_who_could_go_has_a_turn() {
    let mut t = Trace::ready();
    t.set("req", 4).cycles(5).unwrap();
    t.offer(Some(2)).cycle().unwrap();
    t.offer(None);
    assert_eq!(t.kind(), "dropped");
    // Nothing at all.
    let mut t = Trace::ready();
    t.set("req", 4);
    assert_eq!(t.cycles(5000).unwrap_err().kind, "late");
    // Flow 2 alone goes, again and again.
    let mut t = Trace::ready();
    t.set("req", 6).cycle().unwrap();
    let starved = (0..1000).find_map(|_| {
        let offered = t.offer(Some(2)).set("inj_ready", 1).set("inj_len", 1).cycle();
        offered.and_then(|()| t.offer(None).set("sent", 1).cycles(3)).err()
    });
    assert_eq!(starved.expect("a rule is broken").kind, "starved");
}

#[test]
fn a_unit_must_be_ready_in_time() {
    let mut t = Trace::new();
    let (input, output) = (t.input.clone(), t.output.clone());
    let error = (0..100_000).find_map(|_| t.judge.cycle(&input, &output).err()).expect("never ready");
    assert_eq!(error.kind, "ready");
}
