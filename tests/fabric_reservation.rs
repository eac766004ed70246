//! Fabrics whose sources reserve: a hotspot is shared evenly, nothing is lost whatever is dropped, and what is told wrongly is found.

use crate::fabric::{faulty, job, run_and_drain, solo};
use quell::cosim::engines::{Drained, Engine, Job};
use quell::fabric::metrics::{Report, jain};
use quell::scheme::Scheme;
use quell::signals::Layout;

/// A job with settings, all in messages that are generated as a whole.
fn reserving(net: &str, traffic: &str, set: &[(&str, &str)]) -> Job {
    let mut job = job(net, Scheme::Srp, traffic);
    job.config.change(set, &quell::config::Origin::Study).unwrap();
    job
}

fn report(job: &Job, cycles: u64) -> Report {
    let mut run = job.run(&[Engine::Golden], None).unwrap();
    assert!(run.run(cycles).unwrap().is_none());
    run.report()
}

/// Figure 1 of the paper: with reservation S0 has what the hotspot leaves of the link between the switches.
#[test]
fn five_senders_share_a_destination_and_harm_nobody() {
    let r = report(&reserving("srp-1", "srp-1(whole=true)", &[]), 16_000);
    let rate = |i: usize| r.mean(r.find(&format!("S{i}")).unwrap(), 4_000, 16_000);
    let five: Vec<f64> = (1..6).map(rate).collect();
    assert!(jain(&five) > 0.995, "{five:?}");
    // 1/1.05 of a link, and what two of five leave of another.
    let sum: f64 = five.iter().sum();
    assert!((sum - 0.952).abs() < 0.02, "{five:?}");
    assert!((rate(0) - 0.619).abs() < 0.03, "{}", rate(0));
    let (s, c, m) = (r.speculation.unwrap(), r.channels.unwrap(), r.messages.unwrap());
    assert!(s.dropped > 0 && s.dropped < s.injected, "{s:?}");
    assert!(
        c.bypass == 0 && c.granted > 10 * c.spec_dropped / 2 && c.control > 0 && c.spec_delivered > 0,
        "{c:?}"
    );
    assert!(m.packets > 50 && m.mean > r.network_latency.mean, "{m:?}");
    // The same messages without reservation: who is near has more, and S0 is held back.
    let base = report(&job("srp-1", Scheme::Vl1, "srp-1(whole=true)"), 16_000);
    let rate = |i: usize| base.mean(base.find(&format!("S{i}")).unwrap(), 4_000, 16_000);
    assert!(rate(0) < 0.25 && rate(1) < 0.7 * rate(3), "{} {} {}", rate(0), rate(1), rate(3));
    assert!(base.messages.is_some() && base.channels.is_none() && base.speculation.is_none());
}

#[test]
fn everything_is_delivered_whatever_is_dropped() {
    let sizes = "srp-uniform(0.7, message=range(1, 600))";
    let small = [("data_blocks", "64"), ("spec_blocks", "64"), ("ctl_blocks", "2"), ("rx_blocks", "128")];
    let cases: [(&str, &[(&str, &str)]); 7] = [
        ("srp-1", &[("ttw", "0")]),
        (sizes, &[("ttw", "0"), ("nmax", "4"), ("msgq", "2"), ("repq", "2")]),
        (sizes, &[("nmin", "0"), ("eps", "0"), ("rtt_comp", "false")]),
        (sizes, &[("vls", "6"), ("sls", "4"), ("nmax", "3"), ("ttw", "40")]),
        (sizes, &[("spec_off", "true"), ("eps", "65535")]),
        (sizes, &[("srp_en", "false")]),
        (sizes, &small),
    ];
    for (traffic, set) in cases {
        let job = reserving("srp-1", traffic, set);
        let delivered = run_and_drain(&job, &[Engine::Golden, Engine::Model], 4000);
        assert!(delivered > 100, "{set:?}: {delivered}");
        let speculation = report(&job, 4000).speculation.unwrap();
        let sends = !set.iter().any(|s| ["spec_off", "srp_en"].contains(&s.0));
        assert_eq!(speculation.injected > 0, sends, "{set:?}");
        assert!(set[0] != ("ttw", "0") || speculation.dropped > 0, "{set:?}");
    }
}

/// Changes the opcode of the first flits of a switch from one to another.
fn opcodes(from: u32, to: u32) -> impl FnMut(&Layout, &mut [u32]) + Send + Clone + 'static {
    move |l: &Layout, output: &mut [u32]| {
        for port in 0..8 {
            let at = l.output("tx_data") + 8 * port + 2;
            if output[l.output("tx_first") + port] == 1 && output[at] & 0xff == from {
                output[at] = output[at] & !0xff | to;
            }
        }
    }
}

#[test]
fn a_drop_that_nobody_is_told_of_is_found() {
    // Sources take it that all was delivered.
    let job = reserving("srp-1", "srp-1", &[("ttw", "0")]);
    let mut run = solo(&job, faulty(&job, 1, opcodes(0xc3, 0xc2)));
    let found = match run.run(4000) {
        Err(e) => format!("{e:#}"),
        Ok(_) => match run.drain().unwrap() {
            Drained::Stuck(_) => return,
            other => format!("{other:?}"),
        },
    };
    panic!("{found}");
}

#[test]
fn a_drop_that_was_none_is_found() {
    let job = reserving("srp-1", "srp-uniform(0.2)", &[]);
    let e = solo(&job, faulty(&job, 1, opcodes(0xc2, 0xc3))).run(4000).unwrap_err();
    assert!(format!("{e:#}").contains("was never sent"), "{e:#}");
}

#[test]
fn a_packet_that_leaves_twice_is_found() {
    let job = reserving("srp-1", "srp-uniform(0.2)", &[]);
    // Adapter S0 gives every packet but the first of the run the number of the one before it.
    let mut last = 0;
    let fault = move |l: &Layout, output: &mut [u32]| {
        let at = l.output("tx_data") + 4;
        if output[l.output("tx_first")] == 1 && [0xc4, 0xc5].contains(&(output[at - 2] & 0xff)) {
            let own = output[at];
            output[at] = if last == 0 { own } else { last };
            last = own;
        }
    };
    let e = solo(&job, faulty(&job, 2, fault)).run(6000).unwrap_err();
    assert!(
        format!("{e:#}").contains("though it was not dropped") || format!("{e:#}").contains("word"),
        "{e:#}"
    );
}

#[test]
fn a_network_without_a_way_back_is_refused() {
    let e = job("umin:2:2:butterfly", Scheme::Srp, "uniform").run(&[Engine::Golden], None);
    let e = format!("{:#}", e.err().expect("it is taken"));
    assert!(e.contains("must find back to its source") && e.contains("has no way to"), "{e}");
    job("umin:2:2:butterfly", Scheme::Vl1, "uniform").check().unwrap();
}
