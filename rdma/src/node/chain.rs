//! Chain queue pairs: what a SEND of ODRP's does, and the WRITEs that answer it (ODRP paper, §4.3 to §4.5).
use std::collections::VecDeque;

use super::door::{Door, Frames};
use super::epochs::Begun;
use super::leaf::Leaf;
use crate::codec::profile::{Arguments, Chain, PAGE, Profile};
use crate::codec::{DEFAULT_PKEY, PathMtu, Psn};
use crate::memory::{Access, MemoryFault};
use crate::planted::PlantedFault;
use crate::requester::{NotReadyRetries, Operation, Requester, RequesterConfig, Work};
use crate::responder::{QueuePairConfig, Serves};

/// Replies of a queue pair that wait for their end, at most.
pub const REPLIES: usize = 32;
/// How often a reply is sent again without progress.
const RETRIES: u8 = 7;

/// How a chain answers, beyond what the paper's does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReplyOptions {
    /// The last WRITE of an answer carries the page's number as immediate data.
    pub immediate: bool,
    /// Loads and invalidates write the magic to the signal too, if the message has both.
    pub signal: bool,
    /// A store for which no frame is to be had writes `NOT magic`. Else its packet is to come again (RNR).
    pub tell_empty: bool,
}

/// One function of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainConfig {
    /// The queue pair's number.
    pub qpn: u32,
    /// The client's address.
    pub peer: [u8; 4],
    /// The client's queue pair.
    pub peer_qpn: u32,
    /// The number of the client's first packet.
    pub expected_psn: Psn,
    /// The number of the first packet of replies.
    pub first_psn: Psn,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// Function and layout of its messages.
    pub profile: Profile,
    /// The table.
    pub segment: u32,
    /// The address that stands for the table's first entry. It is invented, and no address of memory.
    pub tt_base: u64,
    /// The secret that every message must have.
    pub key: Option<u64>,
    /// How it answers.
    pub options: ReplyOptions,
    /// What would end it is dropped instead.
    pub hardened: bool,
    /// Nanoseconds after which a reply without acknowledge is sent again.
    pub timeout: u64,
    /// The most that its replies send, in bytes a period; 0: as can.
    pub rate: u32,
}

impl ChainConfig {
    pub(super) fn queue_pair(&self, pid: u32) -> QueuePairConfig {
        let Self { qpn, peer, peer_qpn, expected_psn, .. } = *self;
        QueuePairConfig {
            pid,
            path_mtu: self.path_mtu,
            hardened: self.hardened,
            rate: self.rate,
            serves: Serves::Messages(self.profile.message_len() as u32),
            ..QueuePairConfig::new(qpn, peer, peer_qpn, expected_psn)
        }
    }
}

/// A WRITE on its way to the client.
#[derive(Debug)]
enum Reply {
    /// A page, and the frame that it had when it was last looked up for a packet that had not left before.
    Page { page: u32, frame: u64 },
    /// A magic.
    Word,
}

/// An access to the frame of a page: freed frames of everybody wait for its end. So it goes on only while the page's next packet may leave
/// at once, and no client that takes nothing keeps frames from others.
#[derive(Debug)]
struct Open {
    /// The reply's number.
    id: u64,
    access: Begun,
}

#[derive(Debug)]
pub(super) struct ChainQp {
    pub config: ChainConfig,
    /// The segment's.
    pub pid: u32,
    replies: Requester<Vec<u8>>,
    /// Those of `replies`, in order, from the number `first` on.
    running: VecDeque<Reply>,
    first: u64,
    open: Option<Open>,
    /// Its rate lets nothing go before.
    held: Option<u64>,
}

impl ChainQp {
    pub fn new(config: ChainConfig, pid: u32) -> ChainQp {
        let requester = RequesterConfig {
            path_mtu: config.path_mtu,
            pkey: DEFAULT_PKEY,
            timeout: config.timeout,
            retries: RETRIES,
            not_ready_retries: NotReadyRetries::Forever,
            window: REPLIES,
            queue: 2 * REPLIES,
            ..RequesterConfig::new(config.peer_qpn, config.first_psn)
        };
        let replies = Requester::new(requester);
        ChainQp { config, pid, replies, running: VecDeque::new(), first: 0, open: None, held: None }
    }

    fn has_room(&self, replies: usize) -> bool {
        self.running.len() + replies <= REPLIES
    }

    fn reply(&mut self, reply: Reply, va: u64, rkey: u32, data: Vec<u8>, immediate: Option<u32>) {
        let id = self.first + self.running.len() as u64;
        let write = Operation::Write { data, va, rkey, immediate };
        // There is room for it, and it is short.
        if self.replies.post(Work::new(id, write)).is_ok() {
            self.running.push_back(reply);
        }
    }

    /// Takes an acknowledge of a reply. Answers whether the queue pair goes on.
    pub fn receive(&mut self, now: u64, transport: &[u8]) -> bool {
        self.replies.receive(now, transport);
        self.settle()
    }

    /// Forgets replies that have ended. Answers whether the queue pair goes on.
    fn settle(&mut self) -> bool {
        let mut sound = !self.replies.has_ended();
        while let Some(done) = self.replies.poll_completion() {
            sound &= done.result.is_ok();
            self.first += u64::from(self.running.pop_front().is_some());
        }
        sound
    }

    pub fn close(&mut self, leaf: &mut Leaf) {
        if let Some(open) = self.open.take() {
            leaf.end(open.access);
        }
    }

    /// Ends the access, unless the next packet is one of its page's that may leave now and has not left before.
    fn hold(&mut self, now: u64, leaf: &mut Leaf) {
        let Some(id) = self.open.as_ref().map(|open| open.id) else { return };
        let goes_on = self.replies.next_packet(now).is_some_and(|next| next.id == id && !next.again);
        if !goes_on && !leaf.plants.has(PlantedFault::AccessKept) {
            self.close(leaf);
        }
    }

    /// When [`ChainQp::transmit`] is to be called at the latest.
    pub fn next_time(&self) -> Option<u64> {
        self.held.or_else(|| self.replies.next_time())
    }

    /// Its rate lets nothing go until then. What may not go on has no access. Answers whether it waits.
    pub fn held(&mut self, until: Option<u64>, leaf: &mut Leaf) -> bool {
        self.held = until.filter(|_| self.replies.pending() > 0);
        if until.is_some() {
            self.close(leaf);
        }
        until.is_some()
    }

    /// Writes the next packet of a reply: a page's bytes are those of the frame that it has at this moment. Answers its length, and
    /// whether the queue pair goes on.
    pub fn transmit(
        &mut self,
        now: u64,
        frames: &mut impl Frames,
        again: &mut u64,
        to: &mut [u8; crate::responder::PACKET_MAX],
    ) -> (Option<usize>, bool) {
        self.hold(now, frames.leaf_mut());
        // Bytes that memory did not give are not sent.
        let sound = self.fill(now, frames, again);
        let length = if sound { self.replies.poll_transmit(now, to) } else { None };
        self.hold(now, frames.leaf_mut());
        (length, sound && self.settle())
    }

    /// Puts a page's bytes where the next packet takes them from. Answers whether memory gave them.
    fn fill(&mut self, now: u64, frames: &mut impl Frames, again: &mut u64) -> bool {
        let Some(next) = self.replies.next_packet(now) else { return true };
        let at = (next.id - self.first) as usize;
        let Some(Reply::Page { page, frame }) = self.running.get_mut(at) else { return true };
        let leaf = frames.leaf_mut();
        *again += u64::from(next.again);
        let from = if self.open.as_ref().is_some_and(|open| open.id == next.id)
            || next.again && leaf.plants.has(PlantedFault::RepeatKeepsFrame)
        {
            Some(*frame)
        } else {
            leaf.frame(self.config.segment, *page)
        };
        let Some(from) = from else {
            // The page was given up meanwhile: nobody waits for it.
            next.data.fill(0);
            return true;
        };
        if self.open.is_none() && !next.again {
            *frame = from;
            self.open = Some(Open { id: next.id, access: leaf.begin() });
        }
        frames.load(from, next.data).is_ok()
    }
}

/// Where a message's answer goes.
#[derive(Debug, Clone, Copy)]
struct To {
    va: u64,
    rkey: u32,
    magic: [u8; 8],
}

impl<F: Frames> Door<'_, F> {
    /// Does what a message of a chain queue pair asks for.
    pub(super) fn chain(&mut self, qpn: u32, message: &[u8]) -> Result<(), MemoryFault> {
        let Some(config) = self.pairs.chains.get(&qpn).map(|chain| chain.config) else {
            return Err(MemoryFault::Invalid);
        };
        let arguments = config.profile.read(message).map_err(|_| MemoryFault::Invalid)?;
        let wrong = config.key.is_some_and(|key| arguments.key != Some(key));
        if wrong && !self.frames.leaf().plants.has(PlantedFault::SecretIgnored) {
            self.pairs.counters.wrong_key += 1;
            return Err(MemoryFault::Denied);
        }
        let page = self.entry(&config, arguments.tt_addr)?;
        match config.profile.chain() {
            Chain::Load => self.load(&config, page, &arguments),
            Chain::MappedStore | Chain::UnmappedStore => self.store(&config, page, &arguments),
            Chain::Invalidate => self.invalidate(&config, page, &arguments),
        }
    }

    /// The page of an entry's address, of which the low three bits do not count.
    fn entry(&mut self, config: &ChainConfig, tt_addr: u64) -> Result<u32, MemoryFault> {
        let leaf = self.frames.leaf();
        let segment = leaf.config(config.segment).ok_or(MemoryFault::Denied)?;
        let offset = (tt_addr & !7).checked_sub(config.tt_base);
        let mut page = offset.map(|offset| offset / 8);
        if leaf.plants.has(PlantedFault::TableWraps) {
            page = page.map(|page| page % u64::from(segment.entries));
        }
        let page = page.filter(|page| *page < segment.entries.into());
        let access = if config.profile.chain() == Chain::Load { Access::READ } else { Access::WRITE };
        match page {
            None => {
                self.pairs.counters.outside += 1;
                Err(MemoryFault::Denied)
            }
            Some(_) if !segment.access.covers(access) => {
                self.pairs.counters.right += 1;
                Err(MemoryFault::Denied)
            }
            Some(page) => Ok(page as u32),
        }
    }

    /// Whether so many replies have room.
    fn room(&mut self, config: &ChainConfig, replies: usize) -> Result<(), MemoryFault> {
        let unbounded = self.frames.leaf().plants.has(PlantedFault::RepliesUnbounded);
        let chain = self.pairs.chains.get(&config.qpn);
        if chain.is_some_and(|chain| chain.has_room(replies) || unbounded) {
            return Ok(());
        }
        self.pairs.counters.replies_full += 1;
        Err(MemoryFault::NotReady)
    }

    fn reply(
        &mut self,
        config: &ChainConfig,
        reply: Reply,
        to: (u64, u32),
        data: Vec<u8>,
        immediate: Option<u32>,
    ) {
        if let Some(chain) = self.pairs.chains.get_mut(&config.qpn) {
            chain.reply(reply, to.0, to.1, data, immediate);
        }
    }

    fn signal(&mut self, config: &ChainConfig, page: u32, to: To) {
        let immediate = config.options.immediate.then_some(page);
        self.reply(config, Reply::Word, (to.va, to.rkey), to.magic.to_vec(), immediate);
    }

    fn load(
        &mut self,
        config: &ChainConfig,
        page: u32,
        arguments: &Arguments<'_>,
    ) -> Result<(), MemoryFault> {
        let signal = to(arguments).filter(|_| config.options.signal);
        self.room(config, 1 + usize::from(signal.is_some()))?;
        let Some(frame) = self.frames.leaf().frame(config.segment, page) else {
            self.pairs.counters.unmapped += 1;
            return Err(MemoryFault::Denied);
        };
        // A profile of a load has both.
        let (Some(buffer), Some(rkey)) = (arguments.buffer, arguments.rkey) else {
            return Err(MemoryFault::Invalid);
        };
        let leaf = self.frames.leaf_mut();
        if let Some(chain) = self.pairs.chains.get_mut(&config.qpn).filter(|chain| chain.replies.is_quiet()) {
            let id = chain.first + chain.running.len() as u64;
            chain.open = Some(Open { id, access: leaf.begin() });
        }
        let immediate = (config.options.immediate && signal.is_none()).then_some(page);
        self.reply(config, Reply::Page { page, frame }, (buffer, rkey), vec![0; PAGE], immediate);
        if let Some(to) = signal {
            self.signal(config, page, to);
        }
        self.pairs.counters.loads += 1;
        Ok(())
    }

    fn store(
        &mut self,
        config: &ChainConfig,
        page: u32,
        arguments: &Arguments<'_>,
    ) -> Result<(), MemoryFault> {
        // A profile of a store has both.
        let (Some(to), Some(bytes)) = (to(arguments), arguments.page) else {
            return Err(MemoryFault::Invalid);
        };
        self.room(config, 1)?;
        let mut mapped = self.frames.leaf().frame(config.segment, page);
        if self.frames.leaf().plants.has(PlantedFault::MappedFrameLost)
            && config.profile.chain() == Chain::UnmappedStore
        {
            mapped = None;
        }
        match mapped {
            // Also an unmapped store: a frame is not lost because a client forgot that it has one.
            Some(frame) => {
                self.frames.store(frame, bytes)?;
                self.pairs.counters.mapped_stores += 1;
            }
            None if config.profile.chain() == Chain::MappedStore => {
                self.pairs.counters.unmapped += 1;
                return Err(MemoryFault::Denied);
            }
            None => match self.frames.leaf_mut().take(config.segment) {
                Ok(frame) => {
                    if let Err(fault) = self.frames.store(frame, bytes) {
                        self.frames.leaf_mut().give_back(config.segment, frame);
                        return Err(fault);
                    }
                    self.frames.leaf_mut().publish(config.segment, page, frame);
                    self.pairs.counters.unmapped_stores += 1;
                }
                Err(_) if config.options.tell_empty => {
                    self.pairs.counters.not_stored += 1;
                    let magic = to.magic.map(|byte| !byte);
                    self.signal(config, page, To { magic, ..to });
                    return Ok(());
                }
                Err(short) => return Err(self.short(short)),
            },
        }
        self.signal(config, page, to);
        Ok(())
    }

    fn invalidate(
        &mut self,
        config: &ChainConfig,
        page: u32,
        arguments: &Arguments<'_>,
    ) -> Result<(), MemoryFault> {
        let signal = to(arguments).filter(|_| config.options.signal);
        self.room(config, usize::from(signal.is_some()))?;
        match self.frames.leaf_mut().unmap(config.segment, page) {
            true => self.pairs.counters.freed += 1,
            false => self.pairs.counters.freed_nothing += 1,
        }
        if let Some(to) = signal {
            self.signal(config, page, to);
        }
        Ok(())
    }
}

/// Where the magic goes, if the message has all of it.
fn to(arguments: &Arguments<'_>) -> Option<To> {
    Some(To { va: arguments.signal?, rkey: arguments.rkey?, magic: arguments.magic? })
}
