//! Queue pairs and their messages, and what will become of a message.
use std::collections::VecDeque;

use mneme_rdma::codec::profile::{Arguments, Chain, Field, PAGE};
use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{ChainConfig, REPLIES, ReplyOptions};
use rand::Rng;

use super::profile::draw_profile;
use super::{Own, PAGES, PLACES, Program, byte};

/// What becomes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Done,
    /// The same, with a frame that it takes; because no frame is to be had, and the client is told so.
    Takes,
    Tells,
    Denied,
    NotReady,
    /// Another one now than at its end: stores that run are about to take frames.
    Open,
}

#[derive(Debug, Clone)]
pub(super) struct Message {
    pub bytes: Vec<u8>,
    /// Bytes that are not of its seed.
    pub head: usize,
    pub seed: u32,
    pub page: u32,
    pub wrong: bool,
    pub outside: bool,
    pub verdict: Verdict,
}

impl Message {
    /// Of packets that have no message.
    pub fn none() -> Message {
        let verdict = Verdict::Denied;
        Message { bytes: vec![0; 8192], head: 8192, seed: 0, page: 0, wrong: false, outside: false, verdict }
    }
}

impl Own {
    pub fn chain(&self) -> Chain {
        self.config.profile.chain()
    }
    fn signals(&self) -> bool {
        let has = |field| self.config.profile.pairs().iter().any(|pair| pair.1 == field);
        self.config.options.signal && [Field::Signal, Field::Magic, Field::Rkey].into_iter().all(has)
    }
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

impl Program {
    pub(super) fn create(&mut self, place: usize) {
        let (chain, segment) = (Chain::ALL[place % 4], place as u32 / 4);
        let code = self.rng.random_range(1..=5);
        let path_mtu = PathMtu::from_code(code).expect("a code");
        let profile = draw_profile(&mut self.rng, chain, path_mtu).expect("a profile that suits");
        let options = ReplyOptions {
            immediate: self.percent(50),
            signal: self.percent(50),
            tell_empty: self.percent(40),
        };
        let key = self.rng.random();
        let config = ChainConfig {
            qpn: 0x100 * self.rng.random_range(1..0xffff) + place as u32,
            peer: [10, 1, 2, place as u8],
            peer_qpn: 0x900 + place as u32,
            expected_psn: Psn::from_low_bits(self.rng.random()),
            first_psn: Psn::from_low_bits(self.rng.random()),
            path_mtu,
            profile,
            segment,
            tt_base: self.rng.random::<u64>() & 0x7fff_ffff_ffff_fff8,
            key: Some(key).filter(|_| profile.has_key()),
            options,
            hardened: self.percent(30),
            timeout: 1 << 60,
            rate: 0,
        };
        self.node.create_chain(config).expect("there is room for it");
        let own = Own {
            config,
            client: config.expected_psn,
            posted: VecDeque::new(),
            untold: VecDeque::new(),
            to: (0, 0),
            sent: 0,
            sent_to: config.first_psn,
            running: None,
            again: None,
            in_error: false,
        };
        let (keyed, signal) = (u8::from(config.key.is_some()), u8::from(own.signals()));
        let (immediate, tell) = (u8::from(options.immediate), u8::from(options.tell_empty));
        let (qpn, peer, peer_qpn) = (config.qpn, u32::from_be_bytes(config.peer), config.peer_qpn);
        let (first, reply) = (config.expected_psn.number(), config.first_psn.number());
        let (function, hardened) = (place % 4, u8::from(config.hardened));
        let (length, base) = (profile.message_len(), config.tt_base);
        let mut at = 0;
        let mut rows = String::new();
        for &(bytes, field) in profile.pairs() {
            at += bytes;
            if !matches!(field, Field::Skip | Field::Page) {
                rows.push_str(&format!(" {:x} {:x}", at - 1, field as u8));
            }
        }
        self.line(format_args!(
            "create {place:x} {qpn:x} {peer_qpn:x} {peer:x} {code:x} {first:x} {reply:x} {function:x} {immediate:x} {signal:x} \
             {tell:x} {segment:x} {hardened:x} {length:x} {keyed:x} {key:x} {base:x}{rows}"
        ));
        self.own[place] = Some(own);
    }

    /// What becomes of it now, if nothing changes before its last packet.
    pub(super) fn verdict(&self, place: usize, message: &Message) -> Verdict {
        let Some(own) = &self.own[place] else { return Verdict::Denied };
        let (leaf, segment) = (&self.node.memory.leaf, own.config.segment);
        let access = leaf.config(segment).map(|own| own.access).unwrap_or_default();
        let wants = if own.chain() == Chain::Load { Access::READ } else { Access::WRITE };
        let wrong = message.wrong && own.config.key.is_some();
        if wrong || message.outside || message.page >= PAGES || !access.covers(wants) {
            return Verdict::Denied;
        }
        if own.posted.len() + own.replies().len() > REPLIES {
            return Verdict::NotReady;
        }
        match (own.chain(), leaf.frame(segment, message.page)) {
            (Chain::Invalidate, _) | (_, Some(_)) => Verdict::Done,
            (Chain::UnmappedStore, None) => {
                // Others of this segment, and of all, that have a frame already.
                let taking = |of: Option<u32>| {
                    let all = self.own.iter().flatten();
                    let of_it = all.filter(|own| of.is_none_or(|segment| own.config.segment == segment));
                    of_it
                        .filter(|own| own.running.as_ref().is_some_and(|r| r.0.verdict == Verdict::Takes))
                        .count()
                };
                let has = leaf.can_take(segment, taking(Some(segment)) + 1).is_ok()
                    && leaf.ring().len() > taking(None);
                match has {
                    true => Verdict::Takes,
                    false if leaf.can_take(segment, 1).is_ok() => Verdict::Open,
                    false if own.config.options.tell_empty => Verdict::Tells,
                    false => Verdict::NotReady,
                }
            }
            _ => Verdict::Denied,
        }
    }

    /// Loads and mapped stores are of pages that have a frame, mostly; a page that is being stored is left alone.
    fn page(&mut self, place: usize) -> u32 {
        let leaf = &self.node.memory.leaf;
        let busy = |page: u32| {
            let running = self.own.iter().flatten().filter_map(|own| own.running.as_ref());
            running.into_iter().any(|(message, _)| message.page == page)
        };
        let idle: Vec<u32> = (0..PAGES).filter(|page| !busy(*page)).collect();
        let has = |page: &u32| leaf.frame(place as u32 / (PLACES as u32 / 2), *page).is_some();
        let mapped: Vec<u32> = idle.iter().copied().filter(has).collect();
        if self.percent(2) {
            PAGES + 3
        } else if place % 4 < 2 && !mapped.is_empty() && self.percent(92) {
            mapped[self.rng.random_range(0..mapped.len())]
        } else {
            idle[self.rng.random_range(0..idle.len())]
        }
    }

    pub(super) fn message(&mut self, place: usize) -> Option<Message> {
        let config = self.own[place].as_ref()?.config;
        let page = self.page(place);
        let (wrong, outside) = (self.percent(2), self.percent(1));
        let low = self.rng.random_range(0..8);
        let tt_addr =
            if outside { config.tt_base.wrapping_sub(8) } else { config.tt_base + 8 * u64::from(page) } + low;
        let seed = self.rng.random();
        let (length, head) = (config.profile.message_len(), config.profile.arguments_len());
        let bytes: Vec<u8> = (length - PAGE.min(length)..length).map(|i| byte(seed, i)).collect();
        let arguments = Arguments {
            tt_addr,
            buffer: Some(self.rng.random()),
            signal: Some(self.rng.random()),
            magic: Some(self.rng.random()),
            rkey: Some(self.rng.random()),
            key: config.key.map(|key| if wrong { key ^ 1 << self.rng.random_range(0..64) } else { key }),
            page: Some(&bytes).filter(|_| config.profile.chain().stores()).map(|bytes| &bytes[..]),
        };
        let mut message = vec![0; length];
        config.profile.write(&arguments, &mut message).expect("it has room");
        // Bytes that nobody looks at are not all zeros.
        for (i, to) in message.iter_mut().enumerate().skip(head) {
            *to = byte(seed, i);
        }
        let verdict = Verdict::Denied;
        let mut message = Message { bytes: message, head, seed, page, wrong, outside, verdict };
        message.verdict = self.verdict(place, &message);
        Some(message)
    }
}
