//! The register writes with which a configuration starts a single unit.

use super::knobs::Setup;
use crate::config::{CCTI_TIMER_UNIT_NS, Config};
use crate::params::{Params, UnitKind};
use crate::registers::{REGISTERS, addr};

/// Writes by address, the control register last: what it switches on then has its values.
fn writes(unit: UnitKind, values: &[(&str, u32)]) -> Vec<(u8, u32)> {
    let mut writes: Vec<(u8, u32)> = values.iter().map(|&(name, v)| (addr(unit, name), v)).collect();
    let ctrl = addr(unit, "CTRL");
    writes.sort_by_key(|w| w.0 == ctrl);
    writes
}

impl Setup {
    /// The writes of every unit, built with `p`.
    pub fn of(c: &Config, p: &Params) -> Setup {
        let of = |v: Option<u32>, default| v.unwrap_or(default);
        let cycle_ns = c.cycle_ns.unwrap_or(12.8);
        let interval = of(c.inject_interval, 1);
        let packet = p.mtu as u64 * u64::from(interval);
        let table = c.table(c.ccti_limit as usize + 1, cycle_ns * 1000.0, packet);
        let tick = (CCTI_TIMER_UNIT_NS / cycle_ns).round().max(1.0) as u32;
        let input = [("RX_INTERVAL", of(c.rx_interval, 1)), ("SWITCH_ID", of(c.switch_id, 0))];
        let (fills, counts): (Vec<_>, Vec<_>) = (c.input_markers().collect(), c.output_markers().collect());
        // In the mask the ports have the numbers that InfiniBand gives them.
        let victim = c.victim_mask.is_some_and(|m| m.has(of(c.port, 1) as usize));
        let output = [("CTRL", c.output_ctrl(victim)), ("TX_INTERVAL", of(c.tx_interval, 1))];
        let throttle = c.throttle_registers(tick, interval, table.absolute);
        let lane_registers = [("LHP", c.lhp), ("BE_MASK", c.be_mask)];
        let lanes = |unit| {
            let there = |name| REGISTERS.iter().find(|r| r.unit == unit && r.name == name);
            lane_registers.iter().filter_map(|&(name, v)| Some((there(name)?.addr, v?))).collect()
        };
        let sls = c.said("sls") || !c.flow_sl.is_empty();
        Setup {
            input_port: writes(
                UnitKind::InputPort,
                &[&c.input_registers(false)[..], &fills, &input].concat(),
            ),
            output_port: writes(
                UnitKind::OutputPort,
                &[&c.output_registers()[..], &counts, &output].concat(),
            ),
            hca_throttle: writes(UnitKind::HcaThrottle, &throttle),
            lft: (!c.lft.is_empty())
                .then(|| c.lft.iter().flat_map(|r| (r.first..=r.last).map(|d| (d, r.port))).collect()),
            cct: Some(table.entries),
            attrs: (0..p.flows).filter(|_| sls).map(|f| (f as u16, c.sl(f))).collect(),
            worm_router: lanes(UnitKind::WormRouter),
            worm_adapter: lanes(UnitKind::WormAdapter),
            injection_control: lanes(UnitKind::InjectionControl),
        }
    }
}
