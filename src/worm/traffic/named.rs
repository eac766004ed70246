//! The traffics that have a name: those of the published results.

use anyhow::{Result, bail};

use super::spec::{Ask, BestEffort, Control, Mpeg, OnOff, WormSpec};
use crate::fabric::traffic::named::Named;
use crate::fabric::traffic::text::Call;
use crate::fabric::traffic::{Load, Pick, Time};

/// The named traffics.
pub const NAMES: &[Named] = &[
    Named {
        name: "worm-uniform",
        keys: &["load", "message"],
        about: "every node to all others, best-effort only; load (50%) of the link, messages of 40 flits",
    },
    Named {
        name: "worm-onoff",
        keys: &["load", "rt", "rate", "on", "off", "ask", "pick", "control"],
        about: "every node to all others at load (50%); rt (80) % of it are streams that are on (10000 cycles in the mean) at rate (2%) \
                and off (10000); ask (mean, peak, or a number of 1/4096); control (10) messages in 33.3 ms",
    },
    Named {
        name: "worm-mpeg2",
        keys: &["load", "rt", "mbps", "frame", "sigma", "ask", "pick", "control"],
        about: "the same with video streams of mbps (4) Mbit/s, a frame in 33.3 ms",
    },
];

/// How destinations are chosen.
fn pick(c: &Call) -> Result<Pick> {
    match c.get("pick", "random".to_string())?.as_str() {
        "random" => Ok(Pick::Random),
        "spread" => Ok(Pick::Spread),
        other => bail!("{}: pick = {other:?}; legal: random, spread", c.name),
    }
}

/// A mix: control, best-effort, and how many per cent are left to streams.
fn mix(t: &mut WormSpec, c: &Call) -> Result<f64> {
    let rt: f64 = c.get("rt", 80.0)?;
    if !(0.0..=100.0).contains(&rt) {
        bail!("{}: rt = {rt}; legal: 0 to 100", c.name);
    }
    t.load = Some(c.get("load", Load::Percent(50.0))?);
    if rt < 100.0 {
        t.best_effort = vec![BestEffort { share: Some(100.0 - rt), ..BestEffort::new("best-effort") }];
    }
    let messages: f64 = c.get("control", 10.0)?;
    if messages != 0.0 {
        t.control = vec![Control { messages, ..Control::new("control") }];
    }
    Ok(rt)
}

/// The traffic that `text` names (with values in brackets); None if it names none.
pub fn named(text: &str) -> Result<Option<WormSpec>> {
    let keys = |name: &str| NAMES.iter().find(|n| n.name == name).map(|n| n.keys);
    let Some(c) = Call::parse(text, keys)? else { return Ok(None) };
    let mut t = WormSpec { name: text.trim().into(), ..WormSpec::default() };
    match c.name.as_str() {
        "worm-uniform" => {
            t.best_effort = vec![BestEffort {
                load: Some(c.get("load", Load::Percent(50.0))?),
                message: c.get("message", 40)?,
                ..BestEffort::new("best-effort")
            }];
        }
        "worm-onoff" => {
            let share = mix(&mut t, &c)?;
            let new = OnOff::new("onoff");
            if share > 0.0 {
                t.onoff = vec![OnOff {
                    share: Some(share),
                    rate: c.get("rate", new.rate)?,
                    on: c.get("on", new.on)?,
                    off: c.get("off", new.off)?,
                    ask: c.get("ask", Ask::Mean)?,
                    pick: pick(&c)?,
                    ..new
                }];
            }
        }
        "worm-mpeg2" => {
            let share = mix(&mut t, &c)?;
            if share > 0.0 {
                t.mpeg = vec![Mpeg {
                    share: Some(share),
                    mbps: Some(c.get("mbps", 4.0)?),
                    frame: c.get("frame", Time::ms(33.3))?,
                    sigma: c.get("sigma", 0.25)?,
                    ask: c.get("ask", Ask::Mean)?,
                    pick: pick(&c)?,
                    ..Mpeg::new("mpeg2")
                }];
            }
        }
        other => bail!("traffic {other:?} has no rule"),
    }
    Ok(Some(t))
}
