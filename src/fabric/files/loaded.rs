//! What a file gives, and what is wrong with one.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;

use crate::fabric::net::Network;

/// A wrong file: where, what, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Field or record, empty if there is none.
    pub field: String,
    /// What is wrong and what is legal.
    pub problem: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        if !self.field.is_empty() {
            write!(f, " {}:", self.field)?;
        }
        write!(f, " {}", self.problem)
    }
}

impl std::error::Error for FileError {}

/// LIDs and GUIDs of the nodes of a network in the files of InfiniBand tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    /// LID of each host's port.
    pub host_lids: Vec<u16>,
    /// GUID of each host's port.
    pub host_guids: Vec<u64>,
    /// LID of each switch.
    pub switch_lids: Vec<u16>,
    /// GUID of each switch.
    pub switch_guids: Vec<u64>,
}

impl Ids {
    /// The numbers of a network that has none of its own: hosts have the LIDs of the model, the LIDs of the switches
    /// follow, the GUIDs are made up.
    pub fn of(net: &Network) -> Ids {
        let hosts = net.hosts.len();
        Ids {
            host_lids: (0..hosts).map(|h| net.lid(h)).collect(),
            host_guids: (0..hosts as u64).map(|h| 0x0010_0000_0000_0000 + 2 * h + 1).collect(),
            switch_lids: (0..net.switches.len()).map(|s| (hosts + s + 1) as u16).collect(),
            switch_guids: (0..net.switches.len() as u64).map(|s| 0x0020_0000_0000_0000 + s).collect(),
        }
    }
}

/// A network from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The network, routed.
    pub net: Network,
    /// Its numbers in the files of InfiniBand tools.
    pub ids: Ids,
    /// What the user should know: values that could not be kept exactly.
    pub notes: Vec<String>,
}

/// Index of each name that occurs once.
pub(super) fn unique<'a, K: std::hash::Hash + Eq + 'a>(keys: impl Iterator<Item = K>) -> HashMap<K, usize> {
    let mut found: HashMap<K, Option<usize>> = HashMap::new();
    for (index, key) in keys.enumerate() {
        found.entry(key).and_modify(|i| *i = None).or_insert(Some(index));
    }
    found.into_iter().filter_map(|(k, i)| i.map(|i| (k, i))).collect()
}
