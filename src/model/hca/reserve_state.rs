//! What an adapter with reservation has beside one without.

use crate::model::header::{Header, SrpFields};
use crate::model::link::Credit;
use crate::model::util::offsets;
use crate::params::lanes::opcode;
use crate::scheme::packet::PacketKind;
use crate::signals::Layout;

offsets!(ReserveIn, input,
    post_valid post_flow post_pkts post_last post_psn room link_room ungranted res_ready rep_valid rin_valid end_valid out_ready rep_rty rep_init
    rin_init end_rty see_look walk_valid);

offsets!(ReserveOut, output,
    gen_full inj_kind inj_lane inj_len inj_psn inj_id inj_seq inj_n inj_last res_valid res_flow res_sl res_id res_n res_size
    res_last out_valid out_kind out_lid out_sl out_id out_seq out_wait rin_done end_ok inj_rty res_rty res_init out_rty out_init see_drop
    see_ack see_known);

offsets!(ReserveState, state, st_t st_tv st_res_pkts st_rep_pkts st_rs st_sp st_go st_wt st_pq);

/// Flags: R, the last chunk, I.
pub(super) const RETRY: u8 = 1;
pub(super) const LAST: u8 = 2;
pub(super) const INIT: u8 = 4;

/// What becomes of the flits of a packet at the table of sources.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Spec,
    /// GRANTED with R.
    Again,
    Res,
    /// GRANTED without R, or without reservation: it is not told apart.
    Plain,
}

/// A packet that the table of sources knows, from its first flit.
#[derive(Clone, Copy)]
pub(super) struct Tracked {
    pub(super) kind: Kind,
    pub(super) init: bool,
    pub(super) flow: usize,
    pub(super) id: u16,
    pub(super) seq: u8,
    pub(super) psn: u32,
}

/// What the link brought in the cycle before.
#[derive(Clone, Default)]
pub(super) struct Delayed {
    /// `rx_valid`, `rx_first`, `rx_last`, `rx_bad`.
    pub(super) flags: [u32; 4],
    pub(super) data: Vec<u32>,
    pub(super) fctbs: Option<Credit>,
    pub(super) down: bool,
    /// The first flit would be of the table, and is of no flow.
    pub(super) strange: bool,
    /// The packet whose flits come to the pins.
    pub(super) tracked: Option<Tracked>,
    /// The flit was the last one of a packet that is not told apart.
    pub(super) pass: bool,
}

/// A packet that is answered: SPEC, or GRANTED with R.
pub(super) fn is_answered(code: Option<u8>, flags: u8, dedup: bool) -> bool {
    match kind_of(code, flags) {
        Some(Kind::Spec) => true,
        Some(Kind::Again) => dedup,
        _ => false,
    }
}

/// What a first flit is for the table of sources; DEDUP = 1.
pub(super) fn kind_of(code: Option<u8>, flags: u8) -> Option<Kind> {
    match code? {
        opcode::RES => Some(Kind::Res),
        opcode::SPEC => Some(Kind::Spec),
        opcode::GRANTED if flags & RETRY != 0 => Some(Kind::Again),
        opcode::GRANTED => Some(Kind::Plain),
        code if code == PacketKind::Data.opcode() => Some(Kind::Plain),
        _ => None,
    }
}

/// The opcode of a packet that says something behind its BTH.
pub(super) fn code_of(h: &Header) -> Option<u8> {
    h.bth.filter(|_| h.lnh == 2).map(|b| b.opcode)
}

/// A RES that came whole.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) slid: u32,
    pub(super) sl: u32,
    pub(super) id: u32,
    pub(super) size: u32,
    pub(super) init: bool,
}

/// A reply that came whole.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    pub(super) kind: u32,
    pub(super) flow: usize,
    pub(super) id: u32,
    pub(super) seq: u32,
    pub(super) wait: u32,
    pub(super) rty: bool,
    pub(super) init: bool,
}

/// A RES or a reply in its engine.
#[derive(Clone, Copy)]
pub(super) struct Note {
    pub(super) opcode: u8,
    pub(super) vl: usize,
    pub(super) sl: u32,
    pub(super) dlid: u32,
    pub(super) fields: SrpFields,
}

/// What is told of a packet with its last flit.
#[derive(Clone, Copy, Default)]
pub(super) struct SpecPacket {
    pub(super) slid: u32,
    pub(super) sl: u32,
    pub(super) id: u32,
    pub(super) seq: u32,
    pub(super) rty: bool,
    /// Its end is told.
    pub(super) answered: bool,
}

/// What an adapter with reservation has beside one without.
pub(super) struct Reserve {
    pub(super) out: ReserveOut,
    pub(super) state: ReserveState,
    pub(super) state_words: usize,
    /// The engines: of RES, of replies.
    pub(super) engines: [Option<Note>; 2],
    /// A packet that was accepted has not been granted.
    pub(super) ungranted: bool,
    /// What the unit sees in this cycle.
    pub(super) request: Option<Request>,
    pub(super) answer: Option<Answer>,
    /// Of the packet that the host is taking.
    pub(super) first: SpecPacket,
    /// A packet without reservation came: its flits.
    pub(super) walk: Option<u32>,
    /// Section 14: the pins of the cycle before.
    pub(super) pins: Delayed,
}

impl Reserve {
    pub(super) fn new(layout: &Layout) -> Reserve {
        Reserve {
            out: ReserveOut::new(layout),
            state: ReserveState::new(layout),
            state_words: layout.state_words,
            engines: [None; 2],
            ungranted: false,
            request: None,
            answer: None,
            first: SpecPacket::default(),
            walk: None,
            pins: Delayed::default(),
        }
    }

    pub(super) fn reset(&mut self) {
        self.engines = [None; 2];
        self.ungranted = false;
        self.request = None;
        self.answer = None;
        self.first = SpecPacket::default();
        self.walk = None;
        self.pins = Delayed::default();
    }
}

impl SpecPacket {
    pub(super) fn of(flit: &[u32], dedup: bool) -> SpecPacket {
        let (h, f) = (Header::parse(flit), SrpFields::parse(flit));
        SpecPacket {
            slid: h.slid.into(),
            sl: h.sl.into(),
            id: f.id.into(),
            seq: f.seq.into(),
            rty: dedup && f.flags & RETRY != 0,
            answered: is_answered(code_of(&h), f.flags, dedup),
        }
    }
}
