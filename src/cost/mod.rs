//! What a configuration costs in hardware: synthesis of the RTL module by module, memories and CAM lines counted
//! apart, and the clock (`docs/cost.md`).

pub mod cam;
mod estimate;
mod liberty;
pub mod library;
pub mod memory;
mod netlist;
mod timing;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::config::Config;
use crate::jobs::side_by_side;
use crate::outfile;
use crate::params::{Params, UnitKind};
use crate::scheme::{Detector, Isolation, Marking, Notification, Response, Row, Scheme};
use library::{Library, hash};
use memory::{Model, Shape};
pub use timing::Timing;

/// Modules whose flip-flops are storage of CAM lines.
pub const CAM_MODULES: [&str; 2] = ["cam_line", "output_cam_line"];
/// Memories.
const MEMORY_MODULES: [&str; 2] = ["ram_sync", "ram_async"];
/// Most lanes of which a lane per destination is synthesised; more are reckoned from these.
pub const FEW_LANES: [usize; 2] = [2, 4];

/// Whether a scheme is without a choice, the units that it is in, and their outputs that are 0 then.
type Without = (fn(&Row) -> bool, &'static [UnitKind], &'static [&'static str]);

/// Without a choice: outputs that are 0 then, and the units they are in. The first of each kind is a register; the others
/// follow from it, but through state that Yosys takes for free: with `enable` 0 no entity is ever written, so it need not
/// be read, and with `cnp_en` 0 the responder's queue stays empty.
const UNUSED: [Without; 9] = [
    (
        |s| !s.marks_by_state(),
        &[UnitKind::Switch, UnitKind::OutputPort, UnitKind::Hca],
        &["output_regs.mark_en_o"],
    ),
    (
        |s| s.response == Response::None,
        &[UnitKind::Hca, UnitKind::HcaThrottle],
        &["throttle_regs.enable_o", "cct_update.ent_raddr_o"],
    ),
    (
        |s| s.notification == Notification::None,
        &[UnitKind::Hca],
        &[
            "hca_regs.cnp_en_o",
            "reply_source.req_valid_o",
            "reply_source.act_o",
            "reply_source.move_o",
            "reply_source.sw_valid_o",
            "reply_source.sw_header_o",
        ],
    ),
    (|s| s.notification != Notification::Ack, &[UnitKind::Hca], &["hca_regs.ack_en_o"]),
    (
        |s| s.notification != Notification::Cnp || s.marking != Marking::MbVb,
        &[UnitKind::Hca],
        &["hca_regs.cnp_src_o"],
    ),
    (|s| s.detector.counts() == 0, &[UnitKind::Switch, UnitKind::OutputPort], &["output_regs.det_o"]),
    (|s| s.marking != Marking::MbVb, &[UnitKind::Switch, UnitKind::OutputPort], &["output_regs.vb_en_o"]),
    (|s| s.marking != Marking::MbVb, &[UnitKind::Switch, UnitKind::InputPort], &["input_config.mb_en_o"]),
    (|s| s.detector != Detector::Naive, &[UnitKind::Switch, UnitKind::InputPort], &["input_config.naive_o"]),
];

/// What a source response has of its laws, by the setting `law`: outputs of the registers that say so.
const LAWS: [&str; 4] =
    ["response_regs.lipd_o", "response_regs.aimd_o", "response_regs.rate_o", "response_regs.slots_o"];

/// One thing to be synthesised.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The unit.
    pub unit: UnitKind,
    /// Its parameters.
    pub params: Params,
    /// The scheme: what it does not have is left out.
    pub scheme: Scheme,
    /// Nodes of the network.
    pub nodes: usize,
    /// Only others are reckoned from it: its times are not looked for.
    pub untimed: bool,
    /// Of a source response: the one law that is kept, as its register has it.
    law: Option<u32>,
}

/// Changes of a scheme's usual parameters.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Changes {
    pub ports: Option<usize>,
    pub hpqs: Option<usize>,
    pub dlist: Option<usize>,
    pub lines: Option<usize>,
    pub vls: Option<usize>,
}

impl Design {
    /// A unit of a network of `nodes` nodes with these settings; `lanes` where every destination has one.
    pub fn new(
        unit: UnitKind,
        config: &Config,
        nodes: usize,
        with: Changes,
        lanes: Option<usize>,
    ) -> Result<Design> {
        let (mut c, scheme) = (config.clone(), config.scheme);
        let ports = with.ports.unwrap_or(8);
        let vls = lanes.or(with.vls).unwrap_or(c.vls);
        if let Some(lanes) = lanes {
            (c.blocks, c.hca_blocks, c.rx_blocks) =
                (c.blocks / c.vls * lanes, c.hca_blocks / c.vls * lanes, c.rx_blocks / c.vls * lanes);
        }
        c.vls = vls;
        c.hpqs = with.hpqs.unwrap_or(c.hpqs);
        c.dlist = with.dlist.unwrap_or(c.dlist);
        let isolates = scheme.isolation == Isolation::Lines;
        if isolates {
            c.lines = with.lines.unwrap_or(ports.max(2) - 1 + c.hpqs);
        } else {
            // Without lines it is the width of unused ports only; modules that do not differ are synthesised once.
            c.dlist = with.dlist.unwrap_or(8);
        }
        let base = match unit {
            UnitKind::Hca | UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation => {
                c.hca_params()
            }
            UnitKind::InputPort | UnitKind::OutputPort | UnitKind::Switch => c.switch_params(8),
            UnitKind::WormRouter | UnitKind::InjectionControl => {
                Params { vls: with.vls.unwrap_or(16), ..c.switch_params(8) }
            }
            UnitKind::WormAdapter => Params { vls: with.vls.unwrap_or(16), msgq: 1024, ..c.hca_params() },
        };
        let params = Params { ports, flit_bytes: 64, isolation: isolates, ..base };
        params.check_unit(unit).map_err(anyhow::Error::msg)?;
        let law = (scheme.response == Response::Window).then_some(c.law);
        Ok(Design { unit, params, scheme, nodes, untimed: lanes.is_some(), law })
    }

    /// Outputs of modules that are 0 in this scheme: logic before and behind them goes.
    fn ties(&self) -> impl Iterator<Item = &'static str> + '_ {
        UNUSED
            .iter()
            .filter(|(unused, units, _)| unused(&self.scheme) && units.contains(&self.unit))
            .flat_map(|(_, _, ports)| *ports)
            .copied()
    }

    fn job(&self, folder: &Path) -> serde_json::Value {
        let params: BTreeMap<&str, usize> = self
            .unit
            .parameter_names()
            .iter()
            .map(|n| (*n, self.params.get(n).expect("parameter_names() are known to get()")))
            .collect();
        let mut ties: BTreeMap<&str, usize> = self.ties().map(|t| (t, 0)).collect();
        if let Some(law) = self.law.filter(|_| [UnitKind::Hca, UnitKind::SourceResponse].contains(&self.unit))
        {
            let of = [law == 1, law == 3, (1..=3).contains(&law), law == 4];
            ties.extend(LAWS.into_iter().zip(of.map(usize::from)));
        }
        json!({"op": "elaborate", "top": self.unit.module(), "params": params, "ties": ties, "out": folder})
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Elaborated {
    top: String,
    modules: BTreeMap<String, Module>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Module {
    base: String,
    /// Its own logic.
    file: String,
    /// The modules that the file calls by number.
    children: Vec<String>,
    instances: BTreeMap<String, String>,
    memories: Vec<Shape>,
    ports: BTreeMap<String, (usize, String)>,
}

impl Module {
    /// Its shape, if it is a memory. One that a scheme never writes is none: what is left of its module are constants.
    fn memory(&self) -> Option<Shape> {
        self.memories.first().copied().filter(|_| MEMORY_MODULES.contains(&self.base.as_str()))
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Mapped {
    cells: BTreeMap<String, usize>,
}

/// Times of a design, and the buffers that its ports need: by module and kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Timed {
    timing: Option<Timing>,
    buffers: BTreeMap<String, BTreeMap<String, usize>>,
}

/// What the modules of one name cost in a design, without the modules inside them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Part {
    /// Name of the RTL module.
    pub module: String,
    /// How many there are.
    pub instances: usize,
    /// NAND2-equivalents of all.
    pub nand2: f64,
    /// Flip-flops of all.
    pub flip_flops: usize,
}

/// A memory of a design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryPart {
    /// The module it is in, and its instance.
    pub name: String,
    /// How many.
    pub instances: usize,
    /// Its shape.
    #[serde(flatten)]
    pub shape: Shape,
    /// Area, times and energy of each by the memory model.
    #[serde(flatten)]
    pub estimate: memory::Estimate,
}

/// What a design costs.
#[derive(Clone, Debug, Serialize)]
pub struct Cost {
    /// Unit on the command line.
    pub unit: &'static str,
    /// Its scheme.
    pub scheme: Scheme,
    /// Nodes of the network.
    pub nodes: usize,
    /// Library.
    pub library: String,
    /// Elaboration parameters.
    pub parameters: BTreeMap<&'static str, usize>,
    /// Reckoned from fewer lanes, not synthesised.
    pub reckoned: bool,
    /// NAND2-equivalents of all cells, CAM lines among them.
    pub nand2: f64,
    /// Of these in CAM lines: storage and comparison.
    pub cam_nand2: f64,
    /// Area of the cells, in units of the library.
    pub cell_area: f64,
    /// Flip-flops outside CAM lines.
    pub flip_flops: usize,
    /// Bits stored in CAM lines (flip-flops).
    pub cam_bits: usize,
    /// Bits in memories.
    pub sram_bits: usize,
    /// Area of cells and memories at the library's node by the memory model, mm2.
    pub area_mm2: f64,
    /// Area of the memories in it, mm2.
    pub sram_mm2: f64,
    /// Standby power of the memories, W.
    pub sram_leakage_w: f64,
    /// Area of the CAM bits if they were one full-custom array, mm2; not in `area_mm2`, where they are cells.
    pub cam_array_mm2: f64,
    /// Times.
    pub timing: Option<Timing>,
    /// Modules, most expensive first.
    pub modules: Vec<Part>,
    /// Memories, largest first.
    pub memories: Vec<MemoryPart>,
    /// Cells by kind.
    pub cells: BTreeMap<String, usize>,
    /// Flip-flops in one line of an input and of an output port.
    pub cam_line_bits: BTreeMap<String, usize>,
}

/// Which step has been made, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// So many steps of a kind are ahead.
    Ahead(&'static str, u64),
    /// One is done.
    Done,
}

/// How to measure.
pub struct Engine<'a> {
    /// The source tree.
    pub root: &'a Path,
    /// Where results are kept.
    pub cache: &'a Path,
    /// Workers side by side.
    pub jobs: usize,
    /// The cell library.
    pub library: &'a Library,
    /// The wanted clock, MHz.
    pub clock_mhz: f64,
    /// Told of each step.
    pub progress: &'a (dyn Fn(Step) + Sync),
}

/// The sum; of nothing it is 0, where `sum` has -0.
fn total(of: impl Iterator<Item = f64>) -> f64 {
    of.fold(0.0, |all, one| all + one)
}

fn read<T: for<'d> Deserialize<'d>>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// A number that changes with the RTL and the script.
fn sources(root: &Path) -> Result<u64> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("rtl"))
        .with_context(|| {
            format!("{}: quell cost needs the source tree it was built from", root.join("rtl").display())
        })?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "sv"))
        .collect();
    files.push(root.join("scripts/cost.py"));
    files.sort();
    let mut all = Vec::new();
    for f in &files {
        all.extend(f.file_name().unwrap_or_default().as_encoded_bytes());
        all.extend(std::fs::read(f).with_context(|| f.display().to_string())?);
    }
    Ok(hash(&all))
}

impl Engine<'_> {
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.cache.join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(path)
    }

    /// What each design costs.
    pub fn measure(&self, designs: &[Design]) -> Result<Vec<Cost>> {
        timing::check_tool()?;
        let elaborated = self.elaborate(designs)?;
        let mapped = self.map(&elaborated)?;
        let times = self.times(designs, &elaborated)?;
        designs.iter().zip(&elaborated).zip(times).map(|((d, e), t)| self.cost(d, e, &mapped, t)).collect()
    }

    fn elaborate(&self, designs: &[Design]) -> Result<Vec<Elaborated>> {
        let modules = self.folder("modules")?;
        let reports = self.folder("designs")?;
        let version = sources(self.root)?;
        let jobs: Vec<_> = designs.iter().map(|d| d.job(&modules)).collect();
        let path = |job: &serde_json::Value| {
            // Wherever the cache is.
            let mut job = job.clone();
            job["out"].take();
            reports.join(format!("{:016x}.json", hash(format!("{version} {job}").as_bytes())))
        };
        let known = |job: &serde_json::Value| {
            read::<Elaborated>(&path(job))
                .filter(|e| e.modules.values().all(|m| modules.join(&m.file).exists()))
        };
        // Those of equal parameters together, so that they share what parameters decide; the longest first.
        let mut todo: Vec<Vec<serde_json::Value>> = Vec::new();
        let mut order: Vec<_> = designs.iter().zip(&jobs).collect();
        order.sort_by_key(|(d, _)| std::cmp::Reverse(d.nodes));
        for (_, job) in order {
            if known(job).is_some() || todo.iter().flatten().any(|j| j == job) {
                continue;
            }
            let alike = |g: &&mut Vec<serde_json::Value>| {
                g.iter().all(|j| j["top"] == job["top"] && j["params"] == job["params"])
            };
            match todo.iter_mut().find(alike) {
                Some(group) => group.push(job.clone()),
                None => todo.push(vec![job.clone()]),
            }
        }
        (self.progress)(Step::Ahead("elaborating", todo.iter().map(|g| g.len() as u64).sum()));
        worker::run(self.root, &todo, self.jobs, &|i, k, answer| {
            serde_json::from_value::<Elaborated>(answer.clone()).context("answer of scripts/cost.py")?;
            outfile::write(&path(&todo[i][k]), answer.to_string().as_bytes())?;
            (self.progress)(Step::Done);
            Ok(())
        })?;
        jobs.iter().map(|j| known(j).context("an elaborated design is gone from the cache")).collect()
    }

    fn mapped_stem(&self, file: &str) -> Result<PathBuf> {
        let script = hash(&std::fs::read(self.root.join("scripts/cost.py"))?);
        let folder = self.folder(&format!("mapped/{:016x}", self.library.hash ^ script))?;
        Ok(folder.join(file.trim_end_matches(".il")))
    }

    fn map(&self, designs: &[Elaborated]) -> Result<BTreeMap<String, Mapped>> {
        let modules = self.folder("modules")?;
        let mut files: BTreeSet<&str> = BTreeSet::new();
        for d in designs {
            files.extend(d.modules.values().filter(|m| m.memory().is_none()).map(|m| m.file.as_str()));
        }
        let load = |file: &str| -> Result<Option<Mapped>> {
            let stem = self.mapped_stem(file)?;
            let netlist = stem.with_extension("blif").exists();
            Ok(read(&stem.with_extension("json")).filter(|_| netlist))
        };
        let mut todo = Vec::new();
        for file in &files {
            if load(file)?.is_none() {
                let size = std::fs::metadata(modules.join(file)).map_or(0, |m| m.len());
                todo.push((std::cmp::Reverse(size), *file));
            }
        }
        todo.sort(); // the longest first
        let jobs = todo
            .iter()
            .map(|(_, f)| {
                let (file, out) = (modules.join(f), self.mapped_stem(f)?);
                Ok(vec![json!({"op": "map", "file": file, "library": self.library.path, "out": out})])
            })
            .collect::<Result<Vec<_>>>()?;
        (self.progress)(Step::Ahead("synthesising", jobs.len() as u64));
        worker::run(self.root, &jobs, self.jobs, &|i, _, answer| {
            let stem = self.mapped_stem(todo[i].1)?;
            outfile::write(&stem.with_extension("json"), answer.to_string().as_bytes())?;
            (self.progress)(Step::Done);
            Ok(())
        })?;
        files
            .into_iter()
            .map(|f| Ok((f.to_string(), load(f)?.context("a mapped module is gone from the cache")?)))
            .collect()
    }

    fn times(&self, designs: &[Design], elaborated: &[Elaborated]) -> Result<Vec<Timed>> {
        let folder = self.folder("timing")?;
        let sdc = hash(&std::fs::read(self.root.join("constraints/quell.sdc"))?);
        let model = hash(include_bytes!("../../tech/memory.toml"));
        let worker = hash(&std::fs::read(self.root.join("scripts/cost.py"))?);
        let period = 1000.0 / self.clock_mhz;
        let path = |untimed: bool, d: &Elaborated| {
            let modules: Vec<_> = d.modules.iter().map(|(n, m)| (n, &m.file, &m.children)).collect();
            let key = format!(
                "{sdc} {model} {worker} {period} {:x} {} {untimed} {modules:?}",
                self.library.hash, d.top
            );
            let script = [
                include_str!("estimate.rs"),
                include_str!("liberty.rs"),
                include_str!("netlist.rs"),
                include_str!("timing.rs"),
            ];
            folder.join(format!("{:016x}.json", hash((key + &script.concat()).as_bytes())))
        };
        let wanted: Vec<(&Elaborated, PathBuf, bool)> =
            designs.iter().zip(elaborated).map(|(d, e)| (e, path(d.untimed, e), d.untimed)).collect();
        let mut todo: Vec<&(&Elaborated, PathBuf, bool)> = Vec::new();
        for w in &wanted {
            if read::<Timed>(&w.1).is_none() && !todo.iter().any(|t| t.1 == w.1) {
                todo.push(w);
            }
        }
        (self.progress)(Step::Ahead("timing", todo.len() as u64));
        let cells = std::fs::read_to_string(&self.library.path)?;
        let cells = if todo.is_empty() { BTreeMap::new() } else { liberty::cells(&cells)? };
        side_by_side(todo.len(), self.jobs, &|_: &mut Option<()>, i| {
            let (d, path, untimed) = todo[i];
            let mut modules = netlist::Modules::new();
            let mut memories = Vec::new();
            for (name, m) in &d.modules {
                if let Some(shape) = m.memory() {
                    let ports = m.ports.iter().map(|(n, (w, dir))| (n.clone(), *w, dir == "in")).collect();
                    memories.push(timing::MemoryCell { name: name.clone(), shape, ports });
                } else {
                    let file = self.mapped_stem(&m.file)?.with_extension("blif");
                    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
                    modules.insert(name.clone(), netlist::Module::read(&text, &m.children)?);
                }
            }
            let buffers = netlist::add_buffers(&mut modules, &d.top, &cells);
            let timing = if *untimed {
                None
            } else {
                let model = Model::new();
                let mut cells = cells.clone();
                cells.extend(memories.iter().map(|m| (m.name.clone(), m.kind(self.library.nm, &model))));
                let dir = tempfile::tempdir_in(&folder)?;
                let job = timing::Job {
                    root: self.root,
                    dir: dir.path(),
                    top: &d.top,
                    memories: &memories,
                    library: self.library,
                    period_ns: period,
                };
                Some(job.times(&netlist::Flat::new(&modules, &d.top, &cells)?)?)
            };
            outfile::write(path, &serde_json::to_vec(&Timed { timing, buffers })?)?;
            (self.progress)(Step::Done);
            Ok(())
        })?;
        wanted.iter().map(|w| read(&w.1).context("times are gone from the cache")).collect()
    }

    fn cost(
        &self,
        d: &Design,
        e: &Elaborated,
        mapped: &BTreeMap<String, Mapped>,
        Timed { timing, buffers }: Timed,
    ) -> Result<Cost> {
        let model = Model::new();
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        let mut memories: Vec<MemoryPart> = Vec::new();
        let mut open = vec![(e.top.as_str(), 1usize)];
        // Depth first; a module that occurs often is visited once for each parent.
        while let Some((name, times)) = open.pop() {
            *count.entry(name).or_default() += times;
            let module = &e.modules[name];
            let mut inside: BTreeMap<&str, usize> = BTreeMap::new();
            for (instance, kind) in &module.instances {
                let sub = &e.modules[kind];
                if let Some(shape) = sub.memory() {
                    let name = format!("{}.{instance}", module.base);
                    match memories.iter_mut().find(|m| m.name == name && m.shape == shape) {
                        Some(m) => m.instances += times,
                        None => memories.push(MemoryPart {
                            name,
                            instances: times,
                            shape,
                            estimate: model.estimate(shape, self.library.nm),
                        }),
                    }
                } else {
                    *inside.entry(kind).or_default() += 1;
                }
            }
            if !module.memories.is_empty() {
                bail!("{name} has a memory outside of ram_sync and ram_async");
            }
            open.extend(inside.into_iter().map(|(k, n)| (k, n * times)));
        }
        let mut parts: BTreeMap<&str, Part> = BTreeMap::new();
        let mut cells: BTreeMap<String, usize> = BTreeMap::new();
        let mut cam_line_bits = BTreeMap::new();
        for (name, times) in &count {
            let module = &e.modules[*name];
            let part = parts.entry(&module.base).or_default();
            part.instances += times;
            for (kind, n) in mapped[&module.file].cells.iter().chain(buffers.get(*name).into_iter().flatten())
            {
                let Some(cell) = self.library.cells.get(kind) else {
                    bail!("{name}: the library {} has no cell {kind}", self.library.name)
                };
                part.nand2 += cell.area / self.library.nand2 * (n * times) as f64;
                *cells.entry(kind.clone()).or_default() += n * times;
                if cell.flip_flop {
                    part.flip_flops += n * times;
                    if CAM_MODULES.contains(&module.base.as_str()) {
                        *cam_line_bits.entry(module.base.clone()).or_default() += n;
                    }
                }
            }
        }
        let mut modules: Vec<Part> =
            parts.into_iter().map(|(name, p)| Part { module: name.into(), ..p }).collect();
        modules.sort_by(|a, b| b.nand2.total_cmp(&a.nand2));
        memories.sort_by_key(|m| std::cmp::Reverse(m.shape.bits() * m.instances));
        let is_cam = |p: &&Part| CAM_MODULES.contains(&p.module.as_str());
        let nand2: f64 = modules.iter().map(|p| p.nand2).sum();
        let all_flops: usize = modules.iter().map(|p| p.flip_flops).sum();
        let cam_bits: usize = modules.iter().filter(is_cam).map(|p| p.flip_flops).sum();
        let of_all = |f: &dyn Fn(&memory::Estimate) -> f64| {
            total(memories.iter().map(|m| m.instances as f64 * f(&m.estimate)))
        };
        let sram_mm2 = of_all(&|e| e.area_um2) / 1e6;
        Ok(Cost {
            unit: d.unit.cli_name(),
            scheme: d.scheme,
            nodes: d.nodes,
            library: self.library.name.clone(),
            parameters: d
                .unit
                .parameter_names()
                .iter()
                .map(|n| (*n, d.params.get(n).unwrap_or_default()))
                .collect(),
            reckoned: false,
            nand2,
            cam_nand2: total(modules.iter().filter(is_cam).map(|p| p.nand2)),
            cell_area: nand2 * self.library.nand2,
            flip_flops: all_flops - cam_bits,
            cam_bits,
            sram_bits: memories.iter().map(|m| m.shape.bits() * m.instances).sum(),
            area_mm2: sram_mm2 + nand2 * model.nand2_um2(self.library.nm) / 1e6,
            sram_mm2,
            sram_leakage_w: of_all(&|e| e.leakage_w),
            cam_array_mm2: model.cam_um2(cam_bits, self.library.nm) / 1e6,
            timing,
            modules,
            memories,
            cells,
            cam_line_bits,
        })
    }
}

impl Cost {
    /// The cost with `lanes` lanes, on the straight line through two that were synthesised.
    pub fn reckon(few: &Cost, more: &Cost, lanes: usize) -> Cost {
        let at = |c: &Cost| c.parameters.get("VLS").copied().unwrap_or(1) as f64;
        let (a, b, x) = (at(few), at(more), lanes as f64);
        let line = |f: &dyn Fn(&Cost) -> f64| f(few) + (f(more) - f(few)) * (x - a) / (b - a);
        let whole = |f: &dyn Fn(&Cost) -> usize| line(&|c| f(c) as f64).round() as usize;
        let mut parameters = more.parameters.clone();
        parameters.insert("VLS", lanes);
        Cost {
            parameters,
            reckoned: true,
            nand2: line(&|c| c.nand2),
            cam_nand2: line(&|c| c.cam_nand2),
            cell_area: line(&|c| c.cell_area),
            flip_flops: whole(&|c| c.flip_flops),
            cam_bits: whole(&|c| c.cam_bits),
            sram_bits: whole(&|c| c.sram_bits),
            area_mm2: line(&|c| c.area_mm2),
            sram_mm2: line(&|c| c.sram_mm2),
            sram_leakage_w: line(&|c| c.sram_leakage_w),
            cam_array_mm2: line(&|c| c.cam_array_mm2),
            timing: None,
            modules: Vec::new(),
            memories: Vec::new(),
            cells: BTreeMap::new(),
            cam_line_bits: BTreeMap::new(),
            ..more.clone()
        }
    }

    /// What takes most NAND2-equivalents: module and part of all.
    pub fn dominant(&self) -> Option<(&str, f64)> {
        self.modules.first().map(|p| (p.module.as_str(), p.nand2 / self.nand2))
    }
}
