//! Steps a golden throttle by itself and shows what it offers. `cargo run --release --no-default-features --example golden_unit`

use quell::model;
use quell::params::{Build, UnitKind};
use quell::signals::Layout;

fn main() -> Result<(), String> {
    let build = Build::named(UnitKind::HcaThrottle, Some("tiny"))?;
    let layout = Layout::new(build.unit, &build.params);
    let mut unit = model::new(build.unit, &build.params)?;
    let mut input = layout.idle();
    let (mut output, mut state) = (vec![0; layout.out_words], vec![0; layout.state_words]);
    // Flow 1 has a packet, and every SL may send.
    input[layout.input("req")] = 1 << 1;
    input[layout.input("sl_ok")] = 0xffff;
    for cycle in 0..200 {
        // A cycle: outputs, state, clock edge. This unit's outputs do not depend on the inputs of the same cycle.
        unit.outputs(&input, &mut output);
        unit.state(&mut state);
        if output[layout.output("inj_valid")] == 1 {
            println!("cycle {cycle}: flow {} is offered", output[layout.output("inj_flow")]);
            return Ok(());
        }
        unit.step(&input);
    }
    Err("nothing was offered".into())
}
