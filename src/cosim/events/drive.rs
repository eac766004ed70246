//! Runs a device with a source that sees its outputs, and a scoreboard that judges.

use std::time::Instant;

use super::scoreboard::{Broken, Scoreboard};
use crate::cosim::lockstep::{Bench, Ended, Packets, Recording, Sight, Ticker, Wrong, batch_cycles};
use crate::cosim::outcome::{Failure, Options, Report, Vcd};
use crate::cosim::source::Source;

/// In the first cycles of a run a second instance runs beside, which has powered up with other values in registers and memories.
const TWINS: u64 = 4096;
/// Makes the second instance's seed of the first one's.
const OTHER: u64 = 0x5bd1_e995_97f4_a7c5;

/// Runs to the end of the options, or to the first rule that is broken.
pub(in crate::cosim) fn run(
    bench: &Bench,
    judge: &(dyn Fn() -> Box<dyn Scoreboard> + Sync),
    source: &mut dyn Source,
    options: &Options,
    vcd: Option<&Vcd>,
    mut recording: Option<&mut Recording>,
) -> Result<Ended, Failure> {
    let made = |seed| (bench.dut)(seed).map_err(Failure::Setup);
    let (mut dut, inside) = bench.device(options.seed, vcd)?;
    let mut twin = Some(made(options.seed ^ OTHER)?);
    twin.iter_mut().for_each(|t| t.reset());
    let mut scoreboard = judge();
    // A unit that answers in the cycle of its inputs cannot be seen before they are chosen: its source sees the answers a cycle later.
    let moore = (bench.golden)().map_err(Failure::Setup)?.is_moore();
    let mut sight = Sight::new(bench.build, vcd, &[], &inside)?;
    let l = sight.layout.clone();
    let (iw, ow, sw) = (l.in_words, l.out_words, l.state_words);
    let mut packets = Packets::new(bench.build, &l);
    let mut ticker = Ticker { options, since: 0 };
    let batch = batch_cycles(&l);
    let (mut inputs, mut outputs) = (vec![0; batch * iw], vec![0; batch * ow]);
    let mut states = vec![0; batch * sw];
    let mut seen = vec![0; ow];
    let mut other = vec![0; ow];
    let mut other_state = vec![0; sw];

    let start = Instant::now();
    let (mut wrong, mut stopped, mut done) = (None, false, 0);
    while wrong.is_none() && !stopped && done < options.cycles {
        let n = (options.cycles - done).min(batch as u64) as usize;
        let mut shown = n;
        for i in 0..n {
            let input = &mut inputs[i * iw..(i + 1) * iw];
            let output = &mut outputs[i * ow..(i + 1) * ow];
            if moore {
                dut.sample(&mut seen);
            }
            l.make_idle(input);
            source.drive(&seen, input);
            let error = dut.cycles(1, input, output, &mut states[i * sw..(i + 1) * sw]).err();
            let sampled = error.as_ref().is_none_or(|e| e.sampled);
            if !moore {
                seen.copy_from_slice(output);
            }
            if sampled {
                wrong = scoreboard.cycle(input, output).err().map(Wrong::Rule);
                packets.count(input, output);
            }
            if let Some(t) = &mut twin {
                let ran = t.cycles(1, input, &mut other, &mut other_state).is_ok();
                // What is X is the cause of a rule that it breaks.
                if ran && sampled {
                    let unset = unset(&*scoreboard, &l, output, &mut other);
                    wrong = unset.map(Wrong::Rule).or(wrong);
                }
                if done + i as u64 + 1 >= TWINS {
                    twin = None;
                }
            }
            wrong = wrong.or(error.map(|e| Wrong::Checker(e.message)));
            if wrong.is_some() {
                shown = i + 1;
                break;
            }
        }
        if let Some(r) = &mut recording {
            r.add(&inputs[..shown * iw], iw);
        }
        let side = (&outputs[..], &states[..]);
        // There is no golden model beside: both scopes of the waveform show the design.
        sight.inside(&dut.noted()).map_err(Failure::Io)?;
        sight.note(shown, &inputs, side, side).map_err(Failure::Io)?;
        done += shown as u64;
        stopped = ticker.tick(shown);
    }
    let seconds = start.elapsed().as_secs_f64();
    ticker.flush();
    let tail = sight.close(wrong.as_ref())?;
    let report = Report {
        cycles: done,
        packets: packets.count,
        packets_are: Packets::are(bench.build.unit),
        cover: scoreboard.cover(),
        seconds,
        cycles_per_second: done as f64 / seconds.max(1e-9),
        seed: options.seed,
        stopped: stopped && wrong.is_none() && done < options.cycles,
    };
    Ok(Ended { report, wrong: wrong.map(|w| (done - 1, w)), tail })
}

/// An output that differs between two instances with the same inputs since their reset: the reset does not set what it depends on.
fn unset(
    scoreboard: &dyn Scoreboard,
    l: &crate::signals::Layout,
    output: &[u32],
    other: &mut [u32],
) -> Option<Broken> {
    if output == other {
        return None;
    }
    let mut one = output.to_vec();
    scoreboard.meaningful(&mut one);
    scoreboard.meaningful(other);
    let at = one.iter().zip(other.iter()).position(|(a, b)| a != b)?;
    let name = l.owner(crate::signals::Group::Output, at).map_or("", |(s, _)| s.name);
    Some(Broken {
        kind: "X",
        rules: "-",
        text: format!(
            "output {name} is X: {:x} or {:x}, as registers and memories happen to power up (two instances, same inputs); \
             it depends on something that the reset does not set",
            one[at], other[at]
        ),
    })
}
