//! Packets on their way, and queues of them.

use super::srp::Tag;
use crate::model::header::Marks;
use crate::scheme::packet::PacketKind;

/// Names a packet while it is in the network.
pub(super) type Id = u32;

/// No packet.
pub(super) const NONE: Id = u32::MAX;

/// A packet. It is in one place at a time: on its way to a port, or in a queue of it. What still streams from the places
/// before is in their runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub src: u32,
    pub dst: u32,
    pub psn: u32,
    /// Flits.
    pub n: u32,
    pub vl: u32,
    pub sl: u8,
    pub kind: PacketKind,
    pub marks: Marks,
    /// The port has stored the first flit at the end of this cycle.
    pub t0: u64,
    /// From this cycle on it may start to leave (B2).
    pub start: u64,
    /// When it was generated, in cycles of traffic time, and when the host posted it.
    pub born: u64,
    pub posted: u64,
    /// When its first flit entered the adapter's input port.
    pub entered: u64,
    /// The next one in the list that it is in.
    pub next: Id,
}

impl Packet {
    pub fn dlid(&self) -> u16 {
        (self.dst + 1) as u16
    }
}

/// All packets.
#[derive(Default)]
pub(super) struct Pool {
    packets: Vec<Packet>,
    unused: Vec<Id>,
    /// What they are to a protocol of reservation, where there is one.
    tags: Vec<Tag>,
}

impl Pool {
    pub fn put(&mut self, packet: Packet) -> Id {
        match self.unused.pop() {
            Some(id) => {
                self.packets[id as usize] = packet;
                id
            }
            None => {
                self.packets.push(packet);
                (self.packets.len() - 1) as Id
            }
        }
    }

    /// A packet of a protocol of reservation.
    pub fn put_tagged(&mut self, packet: Packet, tag: Tag) -> Id {
        let id = self.put(packet);
        if self.tags.len() <= id as usize {
            self.tags.resize(id as usize + 1, Tag::default());
        }
        self.tags[id as usize] = tag;
        id
    }

    /// What a packet is to it.
    #[inline]
    pub fn tag(&self, id: Id) -> &Tag {
        &self.tags[id as usize]
    }

    pub fn tag_mut(&mut self, id: Id) -> &mut Tag {
        &mut self.tags[id as usize]
    }

    pub fn remove(&mut self, id: Id) {
        self.unused.push(id);
    }

    /// Packets in the network.
    pub fn len(&self) -> usize {
        self.packets.len() - self.unused.len()
    }
}

impl std::ops::Index<Id> for Pool {
    type Output = Packet;
    #[inline]
    fn index(&self, id: Id) -> &Packet {
        &self.packets[id as usize]
    }
}

impl std::ops::IndexMut<Id> for Pool {
    #[inline]
    fn index_mut(&mut self, id: Id) -> &mut Packet {
        &mut self.packets[id as usize]
    }
}

/// A FIFO of packets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    pub head: Id,
    tail: Id,
    pub packets: u32,
    /// Flits charged, without what the read engine has read of the packet that it holds.
    pub charge: u32,
}

impl Default for Queue {
    fn default() -> Self {
        Queue { head: NONE, tail: NONE, packets: 0, charge: 0 }
    }
}

impl Queue {
    #[inline]
    pub fn push(&mut self, pool: &mut Pool, id: Id) {
        pool[id].next = NONE;
        if self.head == NONE {
            self.head = id;
        } else {
            pool[self.tail].next = id;
        }
        self.tail = id;
        self.packets += 1;
    }

    /// Another packet takes the place of the head.
    pub fn replace_head(&mut self, pool: &mut Pool, id: Id) {
        pool[id].next = pool[self.head].next;
        if self.tail == self.head {
            self.tail = id;
        }
        self.head = id;
    }

    #[inline]
    pub fn pop(&mut self, pool: &Pool) -> Id {
        let id = self.head;
        self.head = pool[id].next;
        self.packets -= 1;
        id
    }
}

/// The last packet of a flow or SL that an adapter sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lti {
    /// LTI, and the cycle of its last flit (`sent`): both are known as soon as it is accepted.
    pub at: u64,
    pub sent: u64,
    pub len: u32,
}
