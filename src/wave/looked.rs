//! What of a unit is shown, and in which order: made from what happened in the waveform.

use super::bank::{Bank, element_name, first_var, text_kind, text_name};
use super::order::groups;
use super::sink::Kind;
use super::view::{Hue, Item, Part};
use crate::params::UnitKind;
use crate::signals::{Group, Layout, Signal};

/// Elements that differ which a layout shows.
pub(super) const DIFFERING: usize = 24;
/// Elements of a signal that are shown in a group.
const ELEMENTS: usize = 8;
/// And among what rules govern.
const RULED: usize = 4;
/// Elements of a signal that are listed where it is folded.
const FOLDED: usize = 64;

/// A unit in a waveform: its signals, and what was written of them.
pub(super) struct Looked<'a> {
    pub(super) unit: UnitKind,
    pub(super) layout: &'a Layout,
    pub(super) scope: &'a str,
    /// Inputs, outputs, state.
    pub(super) banks: [&'a Bank; 3],
}

/// An element of a signal, in one scope.
pub(super) fn item(scope: &str, s: &Signal, element: usize, hue: Hue) -> Item {
    let (name, kind) = match text_kind(s.show) {
        None => (element_name(s.name, element, s.count), Kind::Bits(s.width)),
        Some(kind) => (text_name(s.name, element, s.count), kind),
    };
    Item { scope: scope.into(), name, kind, hue }
}

impl Looked<'_> {
    /// The elements that changed, at most so many; if none did, the first.
    fn elements(&self, s: &Signal, most: usize) -> Vec<usize> {
        let bank = self.banks[match s.group {
            Group::Input => 0,
            Group::Output => 1,
            Group::State => 2,
        }];
        let first = first_var(self.layout, s);
        let changed = (0..s.count).filter(|i| bank.vars[first + i].changed);
        let changed: Vec<usize> = changed.take(most).collect();
        if changed.is_empty() { vec![0] } else { changed }
    }

    fn items<'s>(&self, signals: impl Iterator<Item = &'s Signal>, most: usize) -> Vec<Item> {
        let elements = signals.flat_map(|s| self.elements(s, most).into_iter().map(move |i| (s, i)));
        elements.map(|(s, i)| item(self.scope, s, i, Hue::Plain)).collect()
    }

    /// The signals that rules govern.
    pub(super) fn ruled(&self, rules: &str) -> Vec<Item> {
        let ruled =
            |s: &&Signal| s.rules.split_whitespace().any(|r| rules.split_whitespace().any(|w| w == r));
        self.items(self.layout.signals.iter().filter(ruled), RULED)
    }

    /// All signals, those of the unit's groups first; titles begin with `of`.
    pub(super) fn parts(&self, of: &str) -> Vec<Part> {
        let groups = groups(self.unit);
        let mut parts = Vec::new();
        for (title, names) in groups {
            let signals =
                names.split_whitespace().filter_map(|n| self.layout.signals.iter().find(|s| s.name == n));
            let items = self.items(signals, ELEMENTS);
            parts.push(Part { title: format!("{of}{title}"), open: true, items });
        }
        let grouped =
            |s: &Signal| groups.iter().any(|(_, names)| names.split_whitespace().any(|n| n == s.name));
        for (group, title) in
            [(Group::Input, "More inputs"), (Group::Output, "More outputs"), (Group::State, "More state")]
        {
            let rest = self.layout.signals.iter().filter(|s| s.group == group && !grouped(s));
            let items = self.items(rest, FOLDED);
            parts.push(Part { title: format!("{of}{title}"), open: false, items });
        }
        parts
    }
}
