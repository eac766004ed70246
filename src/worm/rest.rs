//! What a network is like when nothing is left in it, and errors that it never has.

use super::net::NodeId;
use crate::signals::{Group, Layout};

/// State that is 0 at rest.
const ROUTER: &[&str] = &[
    "st_level",
    "st_open",
    "st_owed",
    "st_own",
    "st_owned",
    "st_used",
    "st_book_out",
    "st_book_in",
    "st_slot",
];
const ADAPTER: &[&str] = &[
    "st_used",
    "st_book",
    "st_live",
    "st_sum_c",
    "st_posted",
    "st_queue",
    "st_replies",
    "st_level",
    "st_rx_open",
];

/// Errors that an adapter's host makes: BAD_POST, NO_CONN, SUM_C.
const OF_HOST: u32 = 7;
/// Errors at the ends of a link that has fallen, of a router and of an adapter: FRAMING, ADM_LOST, LINK_DOWN.
const FALLEN: u32 = 1 << 3 | 1 << 5 | 1 << 7;
const FALLEN_ADAPTER: u32 = 1 << 5 | 1 << 7 | 1 << 9;

/// Reads a node's words.
pub(super) struct Rest<'a> {
    layout: &'a Layout,
    depth: usize,
}

impl<'a> Rest<'a> {
    /// Of nodes with this layout; routers' lanes hold so many flits.
    pub(super) fn new(layout: &'a Layout, depth: usize) -> Rest<'a> {
        Rest { layout, depth }
    }

    fn words<'w>(&self, name: &str, group: Group, words: &'w [u32]) -> &'w [u32] {
        let s = self.layout.signal(group, name);
        &words[s.offset..][..s.count * s.stride()]
    }

    /// What is not at rest.
    pub(super) fn left(&self, id: NodeId, state: &[u32]) -> Vec<String> {
        let names = match id {
            NodeId::Router(_) => ROUTER,
            NodeId::Host(_) => ADAPTER,
            NodeId::Control(_) => return Vec::new(),
        };
        let sum = |name: &&str| {
            let sum: u64 = self.words(name, Group::State, state).iter().map(|&w| u64::from(w)).sum();
            (sum > 0).then(|| format!("{name} {sum}"))
        };
        let mut left: Vec<String> = names.iter().filter_map(sum).collect();
        let credits = self.words("st_cr", Group::State, state);
        let away: usize = credits.iter().map(|&cr| self.depth - cr as usize).sum();
        if away > 0 {
            left.push(format!("{away} credits are away"));
        }
        left
    }

    /// Errors; `fell` says at which ports a link has fallen.
    pub(super) fn faults(&self, id: NodeId, output: &[u32], fell: &dyn Fn(usize) -> bool) -> Vec<String> {
        let (host, fallen) = match id {
            NodeId::Router(_) => (0, FALLEN),
            NodeId::Host(_) => (OF_HOST, FALLEN_ADAPTER),
            NodeId::Control(_) => return Vec::new(),
        };
        let errors = self.words("err", Group::Output, output).iter().enumerate();
        let seen = errors.map(|(p, &e)| (p, e & !host & !if fell(p) { fallen } else { 0 }));
        seen.filter(|(_, e)| *e != 0).map(|(p, e)| format!("port {p}: errors {e:#x}")).collect()
    }
}
