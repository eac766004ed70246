//! Injection control beside the adapters (`docs/injection-control.md`), and the side-band that adds up what they count.

use anyhow::Result;

use super::net::Write;
use super::seen::{AdapterSeen, RouterSeen};
use crate::cosim::engines::Device;
use crate::model::util::offsets;
use crate::model::worm::wires::{AdapterShows, Sending, gather, scatter};
use crate::params::Params;
use crate::signals::Layout;

offsets! {
    In, input,
    cfg_we cfg_addr cfg_data use_we use_addr use_mask be_front be_dlid tx_valid tx_vl tx_first dlv_valid link_free own_full
    owned full gather sum_valid sum_full sum_flits
}

offsets! {
    Out, output,
    be_hold give_valid give_full give_flits
}

/// The unit beside an adapter.
pub(super) struct Control {
    device: Box<dyn Device>,
    i: In,
    o: Out,
    p: Params,
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
    writes: Vec<Write>,
    /// Its router.
    router: usize,
    /// The state of every cycle is wanted.
    watched: bool,
}

impl Control {
    /// The unit of a router's adapter, in its reset state.
    pub(super) fn new(
        mut device: Box<dyn Device>,
        p: &Params,
        l: &Layout,
        router: usize,
        writes: Vec<Write>,
        watched: bool,
    ) -> Control {
        let (mut output, mut state) = (vec![0; l.out_words], vec![0; l.state_words]);
        device.reset(&mut output, &mut state);
        Control {
            device,
            i: In::new(l),
            o: Out::new(l),
            p: *p,
            input: l.idle(),
            output,
            state,
            writes,
            router,
            watched,
        }
    }

    /// `be_hold` of this cycle.
    fn holds(&self) -> u32 {
        gather(&self.output[self.o.be_hold..][..self.p.vls])
    }

    /// A write of the configuration phase, or none.
    fn configure(&mut self, at: Option<usize>) {
        self.put(at.and_then(|k| self.writes.get(k)).copied());
    }

    /// A write of this cycle, or none.
    fn put(&mut self, write: Option<Write>) {
        let (i, input) = (&self.i, &mut self.input);
        for at in [i.cfg_we, i.cfg_addr, i.cfg_data, i.use_we, i.use_addr, i.use_mask] {
            input[at] = 0;
        }
        match write {
            Some(Write::Register(a)) => {
                (input[i.cfg_we], input[i.cfg_addr], input[i.cfg_data]) = (1, a.addr.into(), a.data);
            }
            Some(Write::Useful { dlid, outputs }) => {
                (input[i.use_we], input[i.use_addr], input[i.use_mask]) = (1, dlid.into(), outputs);
            }
            _ => {}
        }
    }

    /// What it sees of its router.
    fn see_router(&mut self, seen: &RouterSeen) {
        let vls = self.p.vls;
        for p in 0..self.p.ports {
            scatter(seen.owned[p], &mut self.input[self.i.owned + p * vls..][..vls]);
            scatter(seen.full[p], &mut self.input[self.i.full + p * vls..][..vls]);
        }
    }

    /// And of its adapter.
    fn see_adapter(&mut self, seen: &AdapterSeen, sends: &Sending, shows: &AdapterShows) {
        let (i, input, vls) = (&self.i, &mut self.input, self.p.vls);
        scatter(seen.front, &mut input[i.be_front..][..vls]);
        for v in 0..vls {
            input[i.be_dlid + v] = seen.dlid[v].into();
        }
        scatter(seen.free, &mut input[i.link_free..][..vls]);
        scatter(seen.full, &mut input[i.own_full..][..vls]);
        let tx = sends.flit.map_or([0; 3], |f| [1, f.vl.into(), f.first.into()]);
        [input[i.tx_valid], input[i.tx_vl], input[i.tx_first]] = tx;
        input[i.dlv_valid] = shows.delivered.is_some().into();
    }
}

/// The side-band: it asks all units for counts at once, and brings the sums to all when it asks again.
#[derive(Clone, Copy, Default)]
struct SideBand {
    /// log2 of the cycles between.
    gather: u32,
    /// Full lanes, flits: what was given last.
    sums: Option<(u32, u32)>,
}

/// All units of a network, a host each.
#[derive(Default)]
pub(super) struct Controls {
    units: Vec<Control>,
    /// Those of each router, by number.
    of_router: Vec<Vec<usize>>,
    side: SideBand,
}

/// Largest sum.
const MOST: u32 = 0xff_ffff;

impl Controls {
    pub(super) fn new(units: Vec<Control>, gather: u32) -> Controls {
        let mut of_router = vec![Vec::new(); units.iter().map(|u| u.router + 1).max().unwrap_or(0)];
        units.iter().enumerate().for_each(|(h, u)| of_router[u.router].push(h));
        Controls { units, of_router, side: SideBand { gather, sums: None } }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// `be_hold` of host `h` in this cycle.
    pub(super) fn holds(&self, h: usize) -> u32 {
        self.units.get(h).map_or(0, Control::holds)
    }

    /// A cycle's writes of the configuration phase.
    pub(super) fn configure(&mut self, at: Option<usize>) {
        self.units.iter_mut().for_each(|unit| unit.configure(at));
    }

    /// A write of this cycle to the unit of host `h`, or none.
    pub(super) fn put(&mut self, h: usize, write: Option<Write>) {
        self.units[h].put(write);
    }

    /// What routers show, by number.
    pub(super) fn see_router(&mut self, router: usize, seen: &RouterSeen) {
        for &h in self.of_router.get(router).into_iter().flatten() {
            self.units[h].see_router(seen);
        }
    }

    /// What the adapter of host `h` shows.
    pub(super) fn see_adapter(
        &mut self,
        h: usize,
        seen: &AdapterSeen,
        sends: &Sending,
        shows: &AdapterShows,
    ) {
        self.units[h].see_adapter(seen, sends, shows);
    }

    /// The side-band in traffic cycle `t`.
    pub(super) fn add_up(&mut self, t: u64) {
        let gives = self.units.iter().filter(|u| u.output[u.o.give_valid] != 0);
        let given = gives.fold(None, |sums: Option<(u32, u32)>, u| {
            let (full, flits) = sums.unwrap_or_default();
            Some((full + u.output[u.o.give_full], flits + u.output[u.o.give_flits]))
        });
        self.side.sums = given.or(self.side.sums);
        let asks = t.is_multiple_of(1 << self.side.gather);
        let brings = self.side.sums.filter(|_| asks);
        for unit in &mut self.units {
            let (i, input) = (&unit.i, &mut unit.input);
            input[i.gather] = asks.into();
            let sums = brings.map_or([0; 3], |(full, flits)| [1, full.min(MOST), flits.min(MOST)]);
            [input[i.sum_valid], input[i.sum_full], input[i.sum_flits]] = sums;
        }
    }

    /// The edge of all units. An error is of which host, and what a checker of the RTL said.
    pub(super) fn edge(&mut self) -> Result<(), (usize, String)> {
        for (h, u) in self.units.iter_mut().enumerate() {
            let state = if u.watched { &mut u.state[..] } else { &mut [] };
            u.device.advance(&u.input, &mut u.output, state).map_err(|said| (h, said))?;
        }
        Ok(())
    }

    /// Words of the current cycle of host `h`'s unit: inputs, outputs, state.
    pub(super) fn look(&mut self, h: usize) -> [&[u32]; 3] {
        let u = &mut self.units[h];
        if !u.watched {
            u.device.state(&mut u.output, &mut u.state);
        }
        [&u.input, &u.output, &u.state]
    }
}
