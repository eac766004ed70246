//! Loads models.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow};
use libloading::Library;

use super::recipe::{self, Of};
use crate::dut::Dut;
use crate::jobs::{processors, side_by_side};
use crate::params::{Build, Params, UnitKind};
use crate::verilate::{FACTORY, Tree};

/// The factories of the models that are loaded.
static LOADED: Mutex<Option<HashMap<(UnitKind, Params), usize>>> = Mutex::new(None);

/// The address of a model's factory. The model is made if none is kept, and stays loaded to the end of the process.
pub(super) fn factory(build: &Build) -> Result<usize> {
    let id = (build.unit, build.params);
    let known = || {
        let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.as_ref().and_then(|l| l.get(&id)).copied()
    };
    if let Some(factory) = known() {
        return Ok(factory);
    }
    // Two threads that want the same wait for each other in the store.
    let factory = open(&recipe::made(build, Of::Rtl, false)?.object())?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(*loaded.get_or_insert_default().entry(id).or_insert(factory))
}

/// The same of a model whose inside can be seen.
pub(super) fn inside_factory(build: &Build) -> Result<usize> {
    open(&recipe::made(build, Of::Rtl, true)?.object())
}

/// The same of a netlist.
pub(super) fn netlist_factory(build: &Build, netlist: &str) -> Result<usize> {
    open(&recipe::made(build, Of::Netlist(netlist), false)?.object())
}

/// The same of a copy of the RTL with faults in it.
pub(super) fn broken_factory(build: &Build, copy: &Tree) -> Result<usize> {
    open(&recipe::made(build, Of::Broken(copy), false)?.object())
}

/// The same of a design of somebody else; and what Verilator said of loops in it.
pub(super) fn foreign_factory(dut: &Dut, inside: bool) -> Result<(usize, Vec<String>)> {
    let kept = recipe::made(&dut.build, Of::Foreign(dut), inside)
        .map_err(|e| anyhow!("{}", dut.with_own_names(&format!("{e:#}"))))?;
    let log = std::fs::read_to_string(kept.log()).unwrap_or_default();
    let loops = if log.contains("%Warning-UNOPTFLAT") { dut.loops() } else { Vec::new() };
    Ok((open(&kept.object())?, loops))
}

fn open(path: &Path) -> Result<usize> {
    let bad = |e: libloading::Error| {
        anyhow!("cannot load the kept model {}: {e}; remedy: quell builds --clean all", path.display())
    };
    // SAFETY: the file is one of our own making (its sum has been compared), whose static data needs nothing from us.
    let library = unsafe { Library::new(path) }.map_err(bad)?;
    // SAFETY: the symbol is a function, of which we take nothing but the address.
    let symbol = unsafe { library.get::<unsafe extern "C" fn()>(FACTORY.as_bytes()) }.map_err(bad)?;
    let address = *symbol as usize;
    // Instances hold code and data of it as long as they live: it is never unloaded.
    std::mem::forget(library);
    Ok(address)
}

/// Makes the model of a build whose inside can be seen, if it is not kept.
pub fn prepare_inside(build: &Build) -> Result<()> {
    inside_factory(build).map(|_| ())
}

/// Makes those of these models that are not kept, several side by side, and loads all.
pub fn prepare(builds: impl IntoIterator<Item = Build>) -> Result<()> {
    let mut seen = HashSet::new();
    let builds: Vec<Build> = builds.into_iter().filter(|b| seen.insert((b.unit, b.params))).collect();
    side_by_side(builds.len(), processors(), &|_: &mut Option<()>, i| factory(&builds[i]).map(|_| ()))
}
