//! Messages, and what will become of a message.
use mneme_rdma::codec::profile::{Arguments, Chain, PAGE};
use mneme_rdma::memory::Access;
use mneme_rdma::node::REPLIES;
use rand::Rng;

use super::super::memory::Touches;
use super::super::run::Run;
use super::ChainPeer;
use crate::Mismatch;

/// Pages of a segment that messages name lie so near to every half board page, where native accesses are.
const NEAR: u32 = 3;
/// Pages of half a board page.
const HALF: u32 = 128;

/// What becomes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Done,
    /// The same, and it takes a frame or gives one back.
    Moves,
    /// No frame is to be had, and the client is told so.
    Tells,
    Denied,
    NotReady,
}

impl Verdict {
    pub fn is_refused(self) -> bool {
        matches!(self, Verdict::Denied | Verdict::NotReady)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Message {
    pub bytes: Vec<u8>,
    pub page: u32,
    wrong: bool,
    outside: bool,
}

impl ChainPeer {
    /// Packets of each of a message's replies.
    pub fn replies(&self) -> Vec<u32> {
        let page = self.config.path_mtu.packets(PAGE as u32);
        match self.chain() {
            Chain::Load if self.signals() => vec![page, 1],
            Chain::Load => vec![page],
            Chain::Invalidate if !self.signals() => vec![],
            _ => vec![1],
        }
    }
}

impl Run<'_> {
    /// What becomes of it now.
    pub(super) fn verdict(&self, at: usize, message: &Message) -> Verdict {
        let peer = &self.chains[at];
        let (memory, segment) = (&self.model.memory, peer.config.segment);
        let pages = memory.leaf.config(segment).map_or(0, |own| own.entries);
        let wrong = message.wrong && peer.config.key.is_some();
        if wrong || message.outside || message.page >= pages || self.is_forbidden(at) {
            return Verdict::Denied;
        }
        if peer.posted.len() + peer.replies().len() > REPLIES {
            return Verdict::NotReady;
        }
        match (peer.chain(), memory.leaf.frame(segment, message.page)) {
            (Chain::Invalidate, Some(_)) => Verdict::Moves,
            (Chain::Invalidate, None) | (_, Some(_)) => Verdict::Done,
            (Chain::UnmappedStore, None) => match memory.leaf.can_take(segment, 1) {
                Ok(()) => Verdict::Moves,
                Err(_) if peer.config.options.tell_empty => Verdict::Tells,
                Err(_) => Verdict::NotReady,
            },
            _ => Verdict::Denied,
        }
    }

    /// Whether its segment lacks the right for what a queue pair does.
    pub(super) fn is_forbidden(&self, at: usize) -> bool {
        let peer = &self.chains[at];
        let needs = if peer.chain() == Chain::Load { Access::READ } else { Access::WRITE };
        !self.model.memory.may(peer.config.segment, needs)
    }

    /// What a message that is done touches.
    pub(super) fn chain_touches(&self, at: usize, message: &Message) -> Touches {
        let peer = &self.chains[at];
        let va = self.model.memory.va(peer.config.segment, message.page);
        Touches::of_chain(peer.pid, va, peer.chain() != Chain::Load)
    }

    /// Loads and mapped stores are of pages that have a frame, mostly.
    fn draw_page(&mut self, at: usize) -> u32 {
        let segment = self.chains[at].config.segment;
        let memory = &self.model.memory;
        let pages = memory.leaf.config(segment).map_or(0, |own| own.entries);
        if self.rng.random_bool(0.01) {
            return pages + 3;
        }
        let near = |page: &u32| (page + NEAR) % HALF < 2 * NEAR;
        let all: Vec<u32> = (0..pages).filter(near).collect();
        let mapped: Vec<u32> =
            all.iter().copied().filter(|page| memory.leaf.frame(segment, *page).is_some()).collect();
        let needs = matches!(self.chains[at].chain(), Chain::Load | Chain::MappedStore);
        let wants = if needs { 0.97 } else { 0.3 };
        let from = if !mapped.is_empty() && self.rng.random_bool(wants) { mapped } else { all };
        from[self.rng.random_range(0..from.len())]
    }

    pub(super) fn draw_message(&mut self, at: usize) -> Result<Message, Mismatch> {
        let page = self.draw_page(at);
        self.draw_message_of(at, page)
    }
    pub(super) fn draw_message_of(&mut self, at: usize, page: u32) -> Result<Message, Mismatch> {
        let config = self.chains[at].config;
        let rng = &mut self.rng;
        let (wrong, outside) = (rng.random_bool(0.01), rng.random_bool(0.005));
        let low = rng.random_range(0..8);
        let entry = config.tt_base + 8 * u64::from(page);
        let tt_addr = if outside { config.tt_base.wrapping_sub(8) } else { entry } + low;
        let mut stored = vec![0; PAGE];
        rng.fill(&mut stored[..]);
        let arguments = Arguments {
            tt_addr,
            buffer: Some(rng.random()),
            signal: Some(rng.random()),
            magic: Some(rng.random()),
            rkey: Some(rng.random()),
            key: config.key.map(|key| if wrong { key ^ 1 << rng.random_range(0..64) } else { key }),
            page: config.profile.chain().stores().then_some(&stored[..]),
        };
        let mut bytes = vec![0; config.profile.message_len()];
        let written = config.profile.write(&arguments, &mut bytes);
        written.map_err(|error| Mismatch::new(error.to_string()))?;
        Ok(Message { bytes, page, wrong, outside })
    }
}
