//! The native half of the Python package `quell_model`; what users see is `python/quell_model/`. Values pass as little-endian bytes.

#![warn(missing_docs)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use quell::embed::{self, Error, Packing, Strength};
use quell::params::UnitKind;
use quell::signals::Group;

/// An error of the library as Python's.
fn raised(e: Error) -> PyErr {
    match e {
        Error::Argument(text) => PyValueError::new_err(text),
        Error::Failed(text) => PyRuntimeError::new_err(text),
    }
}

fn group_name(group: Group) -> &'static str {
    match group {
        Group::Input => "input",
        Group::Output => "output",
        Group::State => "state",
    }
}

/// Bytes, the lowest first, as words.
fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |c: &[u8]| c.iter().rev().fold(0, |w, b| w << 8 | u32::from(*b));
    bytes.chunks(4).map(word).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Name, group, width, count, rules.
type SignalRow = (&'static str, &'static str, usize, usize, &'static str);
/// Name, value without parameters, least, most, what is legal.
type ParameterRow = (&'static str, usize, usize, usize, String);

/// A golden unit. Python may call from any thread.
#[pyclass]
struct Golden(Mutex<embed::Golden>);

#[pymethods]
impl Golden {
    #[new]
    fn new(kind: &str, parameters: &str) -> PyResult<Golden> {
        Ok(Golden(Mutex::new(embed::Golden::new(kind, parameters).map_err(raised)?)))
    }

    fn kind(&self) -> &'static str {
        self.unit().build().unit.cli_name()
    }

    fn title(&self) -> String {
        self.unit().build().title()
    }

    fn parameters(&self) -> Vec<(&'static str, usize)> {
        self.unit().build().values()
    }

    fn signals(&self) -> Vec<SignalRow> {
        let row = |s: &quell::signals::Signal| (s.name, group_name(s.group), s.width, s.count, s.rules);
        self.unit().signals().iter().map(row).collect()
    }

    fn is_moore(&self) -> bool {
        self.unit().is_moore()
    }

    fn cycle(&self) -> u64 {
        self.unit().cycle()
    }

    fn find(&self, name: &str) -> PyResult<usize> {
        self.unit().find(name).map_err(raised)
    }

    /// Sets an element; the bytes may be fewer than its words have.
    fn set(&self, signal: usize, element: usize, value: &[u8]) -> PyResult<()> {
        let value = self.sized(signal, value)?;
        self.unit().set(signal, element, &value).map_err(raised)
    }

    /// Sets all elements of an input at once, as one number.
    fn set_all(&self, signal: usize, value: &[u8]) -> PyResult<()> {
        self.unit().set_bits(signal, &words(value)).map_err(raised)
    }

    fn get<'py>(&self, py: Python<'py>, signal: usize, element: usize) -> PyResult<Bound<'py, PyBytes>> {
        let value = bytes(self.unit().get(signal, element).map_err(raised)?);
        Ok(PyBytes::new(py, &value))
    }

    /// All elements as one number.
    fn get_all<'py>(&self, py: Python<'py>, signal: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut unit = self.unit();
        let s = *unit.signal(signal).map_err(raised)?;
        let packing = Packing::signal(&s);
        let mut bits = vec![0; packing.bits().div_ceil(32)];
        packing.pack(unit.vector(s.group).map_err(raised)?, &mut bits);
        Ok(PyBytes::new(py, &bytes(&bits)))
    }

    fn reset(&self) -> PyResult<()> {
        self.unit().reset().map_err(raised)
    }

    fn step(&self) -> PyResult<()> {
        self.unit().step().map_err(raised)
    }

    fn cover(&self) -> Vec<(&'static str, &'static str, &'static str, u64)> {
        self.unit().cover().iter().map(|c| (c.name, c.rules, c.text, c.count)).collect()
    }

    fn see(&self, signal: usize, element: usize, value: &[u8]) -> PyResult<()> {
        let value = self.sized(signal, value)?;
        self.unit().see(signal, element, &value, None).map_err(raised)
    }

    fn see_all(&self, signal: usize, value: &[u8], unknown: &[u8]) -> PyResult<()> {
        self.unit().see_bits(signal, &words(value), &words(unknown)).map_err(raised)
    }

    fn not_compared(&self, state: bool) -> Vec<&'static str> {
        self.unit().not_compared(strength(state))
    }

    /// The report, if something differs.
    fn check(&self, state: bool) -> PyResult<Option<String>> {
        Ok(self.unit().check(strength(state)).map_err(raised)?.map(|m| m.text))
    }
}

impl Golden {
    /// A panic of the golden model is caught before it gets here.
    fn unit(&self) -> MutexGuard<'_, embed::Golden> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A value in as many words as an element has; a longer one if it does not fit, which is then refused.
    fn sized(&self, signal: usize, value: &[u8]) -> PyResult<Vec<u32>> {
        let s = *self.unit().signal(signal).map_err(raised)?;
        let mut value = words(value);
        if value.len() > s.stride() {
            let beyond = value.split_off(s.stride());
            if beyond.iter().any(|w| *w != 0) {
                let text = format!("{}: the value is out of range: an element has {} bits", s.name, s.width);
                return Err(PyValueError::new_err(text));
            }
        }
        value.resize(s.stride(), 0);
        Ok(value)
    }
}

fn strength(state: bool) -> Strength {
    if state { Strength::State } else { Strength::Outputs }
}

/// The units: name, module.
#[pyfunction]
fn kinds() -> Vec<(&'static str, &'static str)> {
    UnitKind::ALL.iter().map(|u| (u.cli_name(), u.module())).collect()
}

/// A unit's parameters.
#[pyfunction]
fn parameters(kind: &str) -> PyResult<Vec<ParameterRow>> {
    let all = embed::parameters(embed::unit(kind).map_err(raised)?).into_iter();
    Ok(all.map(|p| (p.name, p.default, p.legal.least(), p.legal.most(), p.legal.to_string())).collect())
}

/// The names of a unit's builds.
#[pyfunction]
fn builds(kind: &str) -> PyResult<Vec<&'static str>> {
    Ok(embed::builds_of(embed::unit(kind).map_err(raised)?).iter().map(|b| b.name).collect())
}

#[pymodule(name = "_native")]
fn native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<Golden>()?;
    m.add_function(wrap_pyfunction!(kinds, m)?)?;
    m.add_function(wrap_pyfunction!(parameters, m)?)?;
    m.add_function(wrap_pyfunction!(builds, m)?)
}
