//! A run of a network of switches.

use anyhow::{Result, anyhow, bail};

use super::point::{Gauge, Outcome, Run, network};
use crate::config::Config;
use crate::fabric::event::{Delivered, Fabric, Noted, Observer};
use crate::fabric::metrics::{Collector, Sample, Setup};
use crate::fabric::net::{End, Network};
use crate::fabric::traffic::{NamedFlow, Traffic};
use crate::jobs::Stopwatch;
use crate::params::UnitKind;
use crate::signals::Layout;

struct Watch(Collector);

impl Observer for Watch {
    fn delivered(&mut self, p: &Delivered, now: u64) {
        self.0.delivered(&p.delivery(now));
    }

    fn speculative(&mut self, len: u32) {
        self.0.speculative(len as u8);
    }

    fn dropped(&mut self, len: u32) {
        self.0.dropped(len as u8);
    }
}

/// Where the CAM lines of the switches are in their state.
struct Lines {
    output: Vec<u32>,
    state: Vec<u32>,
    ports: usize,
    lines: usize,
    hpqs: usize,
    at: usize,
}

impl Lines {
    fn new(net: &Network, config: &Config) -> Vec<Lines> {
        let of = |ports: usize| {
            let p = config.switch_params(ports);
            let l = Layout::new(UnitKind::Switch, &p);
            Lines {
                output: vec![0; l.out_words],
                state: vec![0; l.state_words],
                ports: p.ports,
                lines: p.lines,
                hpqs: p.hpqs,
                at: l.state("st_line_state"),
            }
        };
        net.switches.iter().map(|s| of(s.ports)).collect()
    }
}

/// Counts the hot-packet queues in use.
fn sample(fabric: &Fabric<Noted>, switches: &mut [Lines], metrics: &mut Watch) {
    let (mut no_free_hpq, mut hpqs_used) = (0, 0);
    for (s, l) in switches.iter_mut().enumerate() {
        fabric.observe_switch(s, &mut l.output, &mut l.state);
        for lines in l.state[l.at..l.at + l.ports * l.lines].chunks(l.lines) {
            // HOT and DRAIN lines have a queue.
            let taken = lines.iter().filter(|state| **state >= 2).count();
            no_free_hpq += u32::from(taken == l.hpqs);
            hpqs_used += taken as u32;
        }
    }
    let t = fabric.now();
    metrics.0.sample(&Sample {
        t,
        no_free_hpq,
        hpqs_used,
        port_flits: &[],
        adapter_flits: 0,
        throttled: None,
    });
}

/// Looks at fills, windows, and the link to the first hotspot that stays.
struct Looks {
    inputs: f64,
    outputs: f64,
    spot: Option<usize>,
    carried: u64,
    rows: Vec<Gauge>,
}

impl Looks {
    fn new(net: &Network, config: &Config, traffic: &Traffic) -> Looks {
        let switch = |end: End| matches!(end, End::Switch { .. });
        let (ins, outs) = net
            .ways()
            .fold((0, 0), |(i, o), w| (i + usize::from(switch(w.to)), o + usize::from(switch(w.from))));
        let p = config.switch_params(8);
        Looks {
            inputs: (ins * p.blocks) as f64,
            outputs: (outs * p.oblocks) as f64,
            spot: traffic.standing_hotspots().next().and_then(|(_, list)| list.first()).map(|&h| h as usize),
            carried: 0,
            rows: Vec::new(),
        }
    }

    fn look(&mut self, fabric: &Fabric<Noted>) {
        let g = fabric.gauge();
        let carried = self.spot.map_or(0, |h| fabric.carried(h));
        self.rows.push(Gauge {
            t: fabric.now(),
            inputs: g.inputs as f64 / self.inputs,
            outputs: g.outputs as f64 / self.outputs,
            flows: g.windowed.flows,
            outstanding: g.windowed.packets,
            narrowed: g.windowed.narrowed,
            delayed: g.windowed.delayed,
            spot: carried - self.carried,
            windows: g.windowed.by_window,
            steps: g.windowed.by_steps,
        });
        self.carried = carried;
    }
}

/// Runs one point on the golden fabric.
pub fn simulate(run: &Run) -> Result<Outcome> {
    let watch = Stopwatch::start();
    let net = network(&run.network)?;
    let config = run.config.of_run(run.seed);
    if let Err(problems) = net.check() {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        bail!("network {} cannot run: {first}", run.network);
    }
    let cycles = |us: f64| (us * 1e6 / net.cycle_ps as f64).round() as u64;
    let mut traffic = Traffic::new(&run.traffic, &net, config.mtu, run.seed)?;
    if config.reserves() {
        traffic = traffic.in_messages()?;
    }
    let mut setup = Setup::of(&net, &run.traffic.name, &traffic, cycles(run.bin_us));
    if config.reserves() {
        setup = setup.reserving(&net);
    }
    setup.flows.extend(run.flows.iter().map(|&(src, dst)| NamedFlow {
        name: format!("{src}->{dst}"),
        src,
        dst,
    }));
    let trace = run.traffic.trace.is_some();
    let mut looks = (run.gauge_us > 0.0).then(|| Looks::new(&net, &config, &traffic));
    let mut metrics = Watch(Collector::new(setup));
    let mut fabric = Fabric::new(&net, &config, Noted::new(traffic))?;
    let end = cycles(run.time_us);
    let mut lines = if run.sample_us > 0.0 { Lines::new(&net, &config) } else { Vec::new() };
    let every = |us: f64| if us > 0.0 { cycles(us).max(1) } else { u64::MAX };
    // A run has one of the two.
    let pause = every(run.sample_us).min(every(run.gauge_us));
    // A trace is looked at often enough to stop soon after its end.
    // Notes of offers are read now and then, too.
    let step = if trace { pause.min(cycles(50.0)) } else { pause };
    let step = if pause == u64::MAX { step.min(cycles(50.0).max(1)) } else { step };
    let mut finish = None;
    while fabric.now() < end {
        fabric.run_until(fabric.now().saturating_add(step).min(end), &mut metrics);
        for (host, offer, taken) in fabric.workload().drain() {
            if taken {
                metrics.0.posted(host, &offer);
            }
        }
        if !lines.is_empty() {
            sample(&fabric, &mut lines, &mut metrics);
        }
        if let Some(looks) = &mut looks {
            looks.look(&fabric);
        }
        if trace {
            finish = fabric.workload().traffic.trace_finish();
            if finish.is_some() {
                break;
            }
        }
    }
    if trace && finish.is_none() {
        let (ended, all) = fabric.workload().traffic.trace_progress().unwrap_or_default();
        return Err(anyhow!("after {} us only {ended} of {all} operations have ended", run.time_us));
    }
    if let Some(carried) = fabric.carried_by_kind() {
        metrics.0.carried(carried);
    }
    let report = metrics.0.report(fabric.now());
    Ok(Outcome {
        report,
        gauges: looks.map(|l| l.rows).unwrap_or_default(),
        trace_us: finish.map(|c| c as f64 * net.cycle_ps as f64 / 1e6),
        flit_hops: fabric.flit_hops(),
        seconds: watch.seconds(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::traffic::TrafficSpec;
    use crate::scheme::Scheme;
    use crate::study::point::config;

    /// A program sends the same whatever the seed: nothing is drawn but the ways up.
    #[test]
    fn each_draw_has_ways_up_of_its_own() {
        let mut spec = TrafficSpec::load("hpcc(beff, scenario=1)", 64).unwrap();
        spec.trace.as_mut().unwrap().program = Some("beff(bytes=16384, rounds=1)".into());
        let report = |up: &str, seed| {
            let c = config(Scheme::Vl1, 64, &[("up", up.to_string())]).unwrap();
            simulate(&Run::new("4ary-3tree", spec.clone(), c, seed, 5_000.0)).unwrap().report
        };
        assert_eq!(report("fixed", 1), report("fixed", 2));
        assert_eq!(report("random", 2), report("random", 2));
        assert_ne!(report("random", 1), report("random", 2));
    }
}
