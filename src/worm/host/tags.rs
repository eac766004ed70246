//! What a host calls its messages at the adapter: 16 bits, used anew when a message has left.

use crate::worm::port::Class;

/// A message that the adapter has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) class: Class,
    pub(super) conn: u16,
    pub(super) len: u8,
    /// Its number, when it is accepted.
    pub(super) seq: Option<u32>,
}

/// The tags of a host.
#[derive(Debug, Default)]
pub(super) struct Tags {
    of: Vec<Option<Held>>,
    free: Vec<u16>,
}

impl Tags {
    /// None is in use.
    pub(super) fn is_empty(&self) -> bool {
        self.free.len() == self.of.len()
    }

    /// A tag for a message. An adapter has far fewer messages than there are tags.
    pub(super) fn take(&mut self, held: Held) -> u16 {
        let tag = self.free.pop().unwrap_or_else(|| {
            self.of.push(None);
            (self.of.len() - 1) as u16
        });
        self.of[usize::from(tag)] = Some(held);
        tag
    }

    pub(super) fn get(&self, tag: u16) -> Option<&Held> {
        self.of.get(usize::from(tag))?.as_ref()
    }

    pub(super) fn get_mut(&mut self, tag: u16) -> Option<&mut Held> {
        self.of.get_mut(usize::from(tag))?.as_mut()
    }

    /// The tag is free again.
    pub(super) fn give_back(&mut self, tag: u16) -> Option<Held> {
        let held = self.of.get_mut(usize::from(tag))?.take();
        if held.is_some() {
            self.free.push(tag);
        }
        held
    }
}
