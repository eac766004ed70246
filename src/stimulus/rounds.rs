//! How long a round of a scenario takes: it is run on the golden model.

use crate::cosim::source::Source;
use crate::model;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

/// Cycles until a source has done everything once, `most` at most.
pub(super) fn cycles_of<S: Source>(
    unit: UnitKind,
    params: &Params,
    script: &mut S,
    most: u64,
    done: impl Fn(&S) -> bool,
) -> Result<u64, String> {
    let layout = Layout::new(unit, params);
    let mut golden = model::new(unit, params)?;
    let (mut out, mut input) = (vec![0; layout.out_words], layout.idle());
    let mut cycles = 0;
    while !done(script) && cycles < most {
        golden.outputs(&[], &mut out);
        layout.make_idle(&mut input);
        script.drive(&out, &mut input);
        golden.step(&input);
        cycles += 1;
    }
    Ok(cycles)
}
