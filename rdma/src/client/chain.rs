//! ODRP's client: it SENDs, and the node WRITEs into its memory (ODRP paper, §4.4).
//!
//! | request | queue pair | ended when |
//! |---|---|---|
//! | load | load | the page is in the buffer |
//! | store of a page that has a frame | mapped store | the magic is in the signal |
//! | store of a page without frame | unmapped store | the same |
//! | invalidate | invalidate | the SEND is acknowledged |
//!
//! Besides, every request waits for its SEND's acknowledge. A page has one request at a time. A node gives up an answer that is never
//! acknowledged, and tells nobody: one that does not come for long is given up here, too, and its function with it.
use std::collections::VecDeque;

use super::setup::ChainSetup;
use crate::codec::profile::{Arguments, Chain, Field, PAGE};
use crate::codec::{Bth, Opcode};
use crate::memory::{Access, Atomic, Memory, MemoryFault, Region, RegionError};
use crate::requester::{Failure, Operation, PostError, Requester, RequesterConfig, Seen, Work};
use crate::responder::{Arrival, Departure, Limits, PACKET_MAX, QueuePairConfig, Responder, ResponderError};

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// The page's bytes.
    Load,
    /// The page's bytes are these from now on.
    Store,
    /// The page has no bytes any more.
    Invalidate,
}

/// Why a request was not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// The table has no such page.
    #[error("page {page} of {entries}")]
    Page {
        /// The page.
        page: u32,
        /// Pages of the table.
        entries: u32,
    },
    /// The page was never stored, or was invalidated: it has no bytes.
    #[error("page {0} holds nothing")]
    Unmapped(u32),
    /// Another request of the page has not ended.
    #[error("another request of page {0} has not ended")]
    Busy(u32),
    /// As many requests are under way as may be.
    #[error("{0} requests are under way, and no more may be")]
    Full(usize),
    /// The function's requester does not take it.
    #[error(transparent)]
    Post(#[from] PostError),
    /// The client could not be made.
    #[error(transparent)]
    Responder(#[from] ResponderError),
    /// The buffers have no addresses.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// A queue pair of another function stands in the function's place.
    #[error("queue pair {0} of four is not the function's: load, mapped store, unmapped store, invalidate")]
    Order(usize),
}

/// Why a request that was begun did nothing, or may have done nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unstored {
    /// The node had no frame, and said so.
    #[error("the node has no frame for the page")]
    Empty,
    /// The function's connection ended.
    #[error(transparent)]
    Ended(#[from] Failure),
}

/// A request that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainDone {
    /// The number that it was given.
    pub ticket: u64,
    /// What it was.
    pub request: Request,
    /// Its page.
    pub page: u32,
    /// How it ended.
    pub result: Result<(), Unstored>,
    /// What a load has brought.
    pub bytes: Option<Vec<u8>>,
}

/// Buffers and signals. The node writes here, and nothing else does.
#[derive(Debug)]
struct Window {
    base: u64,
    pages: Vec<u8>,
    signals: Vec<u8>,
    /// The buffer's last byte has come.
    loaded: Vec<bool>,
}

impl Memory for Window {
    fn read(&mut self, _: u32, _: u64, _: &mut [u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault::Denied)
    }
    fn write(&mut self, _: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        let at =
            va.checked_sub(self.base).and_then(|at| usize::try_from(at).ok()).ok_or(MemoryFault::Denied)?;
        let end = at.checked_add(from.len()).ok_or(MemoryFault::Denied)?;
        let bytes = self.pages.len();
        if let Some(place) = self.pages.get_mut(at..end) {
            place.copy_from_slice(from);
            // Packets of a WRITE come in order.
            if end % PAGE == 0 && end > at {
                self.loaded[end / PAGE - 1] = true;
            }
            return Ok(());
        }
        let place = at.checked_sub(bytes).and_then(|at| self.signals.get_mut(at..at + from.len()));
        place.ok_or(MemoryFault::Denied)?.copy_from_slice(from);
        Ok(())
    }
    fn atomic(&mut self, _: u32, _: u64, _: Atomic) -> Result<u64, MemoryFault> {
        Err(MemoryFault::Denied)
    }
}

#[derive(Debug, Clone, Copy)]
struct Running {
    ticket: u64,
    request: Request,
    page: u32,
    function: usize,
    magic: [u8; 8],
    sent: bool,
}

/// A client with its own table on a node.
#[derive(Debug)]
pub struct ChainClient {
    setup: ChainSetup,
    requesters: Vec<Requester<Vec<u8>>>,
    responder: Responder,
    window: Window,
    rkey: u32,
    /// Which pages have a frame: as far as the client knows, and nobody else gives it frames.
    mapped: Vec<u64>,
    slots: Vec<Option<Running>>,
    /// Buffers of messages and loaded pages that nobody uses: no more than there are slots.
    spare: Vec<Vec<u8>>,
    done: VecDeque<ChainDone>,
    /// By when more must have come of a function's answers, if some are waited for.
    answer_by: [Option<u64>; 4],
    next: u64,
    turn: usize,
}

impl ChainClient {
    /// A client of connections that have been set up. No page has a frame.
    ///
    /// # Errors
    /// [`ChainError::Order`], [`ChainError::Responder`], [`ChainError::Region`].
    pub fn new(setup: ChainSetup) -> Result<ChainClient, ChainError> {
        for (at, function) in setup.functions.iter().enumerate() {
            if function.profile.chain() != Chain::ALL[at] {
                return Err(ChainError::Order(at));
            }
        }
        let mut responder =
            Responder::new(Limits { queue_pairs: 4, receives: setup.slots + 1, ..Limits::default() });
        let mut requesters = Vec::new();
        for function in &setup.functions {
            let config =
                QueuePairConfig::new(function.qpn, setup.node, function.node_qpn, function.from_node);
            responder.create(QueuePairConfig { path_mtu: setup.path_mtu, ..config })?;
            for id in 0..=setup.slots {
                responder.post_receive(function.qpn, id as u64, Box::default())?;
            }
            requesters.push(Requester::new(RequesterConfig {
                path_mtu: setup.path_mtu,
                timeout: setup.timeout,
                patient: setup.patient,
                not_ready_retries: setup.not_ready_retries,
                queue: setup.slots.max(1),
                ..RequesterConfig::new(function.node_qpn, function.to_node)
            }));
        }
        let length = (setup.slots * (PAGE + 8)) as u64;
        let region = Region { pid: 0, va: setup.buffers, length, access: Access::WRITE };
        let rkey = responder.regions.insert(setup.random as u32, region)?;
        Ok(ChainClient {
            window: Window {
                base: setup.buffers,
                pages: vec![0; setup.slots * PAGE],
                signals: vec![0; setup.slots * 8],
                loaded: vec![false; setup.slots],
            },
            mapped: vec![0; (setup.entries as usize).div_ceil(64)],
            slots: vec![None; setup.slots],
            spare: Vec::with_capacity(setup.slots),
            done: VecDeque::new(),
            answer_by: [None; 4],
            next: 0,
            turn: 0,
            requesters,
            responder,
            rkey,
            setup,
        })
    }

    /// Whether a page has bytes on the node.
    pub fn is_mapped(&self, page: u32) -> bool {
        self.mapped.get(page as usize / 64).is_some_and(|word| word >> (page % 64) & 1 == 1)
    }
    /// Another client of the table has stored a page, or given it up: nobody else tells this one.
    ///
    /// # Errors
    /// [`ChainError::Page`] and [`ChainError::Busy`].
    pub fn learn(&mut self, page: u32, mapped: bool) -> Result<(), ChainError> {
        self.check(page)?;
        self.set_mapped(page, mapped);
        Ok(())
    }
    fn set_mapped(&mut self, page: u32, mapped: bool) {
        if let Some(word) = self.mapped.get_mut(page as usize / 64) {
            *word = *word & !(1 << (page % 64)) | u64::from(mapped) << (page % 64);
        }
    }
    /// Requests that have not ended.
    pub fn pending(&self) -> usize {
        self.slots.iter().flatten().count()
    }
    /// Buffers, then signals: what the node has written.
    pub fn memory(&self) -> (&[u8], &[u8]) {
        (&self.window.pages, &self.window.signals)
    }
    /// The key of the buffers.
    pub const fn rkey(&self) -> u32 {
        self.rkey
    }
    /// What the function's requester has seen.
    pub fn seen(&self, function: Chain) -> &Seen {
        self.requesters[function as usize].seen()
    }
    /// The side that takes the node's WRITEs.
    pub const fn responder(&self) -> &Responder {
        &self.responder
    }

    /// Asks for a page's bytes. Answers the request's number.
    ///
    /// # Errors
    /// [`ChainError`]: nothing was sent then.
    pub fn load(&mut self, page: u32) -> Result<u64, ChainError> {
        self.check(page)?;
        if !self.is_mapped(page) {
            return Err(ChainError::Unmapped(page));
        }
        self.begin(Request::Load, Chain::Load, page, None)
    }
    /// Gives a page its bytes.
    ///
    /// # Errors
    /// [`ChainError`]: nothing was sent then.
    pub fn store(&mut self, page: u32, bytes: &[u8; PAGE]) -> Result<u64, ChainError> {
        self.check(page)?;
        let chain = if self.is_mapped(page) { Chain::MappedStore } else { Chain::UnmappedStore };
        self.begin(Request::Store, chain, page, Some(bytes))
    }
    /// Gives a page up. One that holds nothing may be given up too.
    ///
    /// # Errors
    /// [`ChainError`]: nothing was sent then.
    pub fn invalidate(&mut self, page: u32) -> Result<u64, ChainError> {
        self.check(page)?;
        self.begin(Request::Invalidate, Chain::Invalidate, page, None)
    }

    fn check(&self, page: u32) -> Result<(), ChainError> {
        let entries = self.setup.entries;
        match page {
            page if page >= entries => Err(ChainError::Page { page, entries }),
            page if self.slots.iter().flatten().any(|running| running.page == page) => {
                Err(ChainError::Busy(page))
            }
            _ => Ok(()),
        }
    }

    fn begin(
        &mut self,
        request: Request,
        chain: Chain,
        page: u32,
        bytes: Option<&[u8; PAGE]>,
    ) -> Result<u64, ChainError> {
        let slot = self.slots.iter().position(Option::is_none).ok_or(ChainError::Full(self.setup.slots))?;
        let function = chain as usize;
        let ticket = self.next;
        // Odd, so that no complement is a magic: the signal tells them apart without being cleared.
        let magic = (self.setup.random ^ ticket.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).to_be_bytes();
        let profile = &self.setup.functions[function].profile;
        let signals = self.setup.buffers + self.window.pages.len() as u64;
        let arguments = Arguments {
            tt_addr: self.setup.tt_base + 8 * u64::from(page),
            buffer: Some(self.setup.buffers + (slot * PAGE) as u64),
            signal: Some(signals + 8 * slot as u64),
            magic: Some(magic),
            rkey: Some(self.rkey),
            key: Some(self.setup.key),
            page: bytes.map(|bytes| &bytes[..]),
        };
        let mut data = self.spare.pop().unwrap_or_default();
        data.clear();
        data.resize(profile.message_len(), 0);
        // As long as it must be, and a store has its page.
        let _ = profile.write(&arguments, &mut data);
        let work = Work::new(slot as u64, Operation::Send { data, immediate: None });
        self.requesters[function].post(work).map_err(|(error, _)| error)?;
        self.window.loaded[slot] = false;
        self.slots[slot] = Some(Running { ticket, request, page, function, magic, sent: false });
        self.next += 1;
        Ok(ticket)
    }

    /// Takes a packet of the node at `now`, in nanoseconds from any start.
    pub fn receive(&mut self, now: u64, arrival: &Arrival<'_>) {
        let header = arrival.transport.first_chunk().map(|header| Bth::from_bytes(header).0);
        let own = header.and_then(|bth| {
            let answers = Opcode::from_number(bth.opcode).is_some_and(Opcode::is_response);
            let own = self.setup.functions.iter().position(|function| function.qpn == bth.dest_qp)?;
            (arrival.source == self.setup.node).then_some((own, answers))
        });
        match own {
            Some((function, true)) => self.requesters[function].receive(now, arrival.transport),
            _ => {
                if let Some((function, _)) = own {
                    // The answers of a function come in order, so that each is waited for anew.
                    self.answer_by[function] = None;
                }
                self.responder.receive(now, arrival, &mut self.window);
                while let Some(received) = self.responder.poll_received() {
                    // An immediate tells nothing that buffer and signal do not.
                    let _ = self.responder.post_receive(received.qpn, received.id, received.buffer);
                }
            }
        }
        self.settle(now);
    }

    /// Writes the next packet. `None`: there is nothing now.
    pub fn poll_transmit(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<Departure> {
        for function in 0..self.requesters.len() {
            if self.answer_by[function].is_some_and(|by| by <= now) {
                self.give_up(function);
            }
        }
        let sent = (0..5).find_map(|step| {
            let turn = (self.turn + step) % 5;
            let sent = match self.requesters.get_mut(turn) {
                Some(requester) => requester.poll_transmit(now, to).map(|length| Departure {
                    qpn: self.setup.functions[turn].qpn,
                    destination: self.setup.node,
                    length,
                }),
                None => self.responder.poll_transmit(now, &mut self.window, to),
            };
            sent.map(|sent| (turn, sent))
        });
        // A requester may have given up.
        self.settle(now);
        let (turn, sent) = sent?;
        self.turn = turn + 1;
        Some(sent)
    }

    /// When [`ChainClient::poll_transmit`] is to be called, if nothing comes before.
    pub fn next_time(&self) -> Option<u64> {
        let requesters = self.requesters.iter().filter_map(Requester::next_time);
        requesters.chain(self.answer_by.into_iter().flatten()).min()
    }

    /// A function's answers have not come.
    fn give_up(&mut self, function: usize) {
        for slot in 0..self.slots.len() {
            if self.slots[slot].is_some_and(|running| running.function == function && running.sent) {
                self.end(slot, Err(Failure::NoAnswer(0).into()));
            }
        }
        self.requesters[function].close();
        self.responder.end(self.setup.functions[function].qpn);
    }
    /// Ends the connections; what has not ended is flushed.
    pub fn close(&mut self) {
        for function in 0..self.requesters.len() {
            self.requesters[function].close();
            self.responder.end(self.setup.functions[function].qpn);
        }
        self.settle(0);
    }

    /// A buffer for requests to come, such as that of a [`ChainDone`]: who gives them back has nothing allocated in the long run.
    pub fn give_back(&mut self, buffer: Vec<u8>) {
        if self.spare.len() < self.slots.len() {
            self.spare.push(buffer);
        }
    }
    /// Whether a function's connection has ended in an error.
    pub fn has_ended(&self) -> bool {
        self.requesters.iter().any(Requester::has_ended)
    }

    /// The next request that has ended.
    pub fn poll_done(&mut self) -> Option<ChainDone> {
        self.done.pop_front()
    }

    fn signals(&self, function: usize) -> bool {
        let profile = &self.setup.functions[function].profile;
        let has = |field| profile.pairs().iter().any(|pair| pair.1 == field);
        let all = has(Field::Signal) && has(Field::Magic) && has(Field::Rkey);
        profile.chain().stores() || self.setup.options.signal && all
    }

    fn settle(&mut self, now: u64) {
        for function in 0..self.requesters.len() {
            while let Some(sent) = self.requesters[function].poll_completion() {
                let slot = sent.id as usize;
                if let Some(message) = sent.buffer {
                    self.give_back(message);
                }
                match sent.result {
                    Ok(()) => {
                        if let Some(running) = self.slots[slot].as_mut() {
                            running.sent = true;
                        }
                    }
                    Err(failure) => {
                        // Nothing of a late reply may go into a buffer that has another use.
                        self.responder.end(self.setup.functions[function].qpn);
                        self.end(slot, Err(failure.into()));
                    }
                }
            }
            // Those whose SEND was done, and whose reply will not come.
            if self.requesters[function].has_ended() {
                for slot in 0..self.slots.len() {
                    if self.slots[slot].is_some_and(|running| running.function == function) {
                        self.end(slot, Err(Failure::Flushed.into()));
                    }
                }
            }
        }
        let mut wait = [false; 4];
        for slot in 0..self.slots.len() {
            let Some(running) = self.slots[slot].filter(|running| running.sent) else { continue };
            match self.answered(slot, &running) {
                Some(result) => self.end(slot, result),
                None => wait[running.function] = true,
            }
        }
        for (by, waits) in self.answer_by.iter_mut().zip(wait) {
            let latest = self.setup.answer_timeout.map(|most| now.saturating_add(most));
            *by = by.or(latest).filter(|_| waits);
        }
    }
    /// How a request has ended whose SEND is acknowledged; `None`: its answer has not come.
    fn answered(&self, slot: usize, running: &Running) -> Option<Result<(), Unstored>> {
        let signal = &self.window.signals[8 * slot..][..8];
        match (self.signals(running.function), signal == running.magic) {
            (true, false) if signal.iter().zip(running.magic).all(|(a, b)| *a == !b) => {
                Some(Err(Unstored::Empty))
            }
            (true, false) => None,
            _ if running.request == Request::Load && !self.window.loaded[slot] => None,
            _ => Some(Ok(())),
        }
    }

    fn end(&mut self, slot: usize, result: Result<(), Unstored>) {
        let Some(running) = self.slots[slot].take() else { return };
        let Running { ticket, request, page, .. } = running;
        if request != Request::Load {
            // Of a store whose end is not known, an unmapped store to come makes the best: the node stores into a frame that is there.
            self.set_mapped(page, request == Request::Store && result.is_ok());
        }
        let loaded = request == Request::Load && result.is_ok();
        let bytes = loaded.then(|| {
            let mut bytes = self.spare.pop().unwrap_or_default();
            bytes.clear();
            bytes.extend_from_slice(&self.window.pages[slot * PAGE..][..PAGE]);
            bytes
        });
        self.done.push_back(ChainDone { ticket, request, page, result, bytes });
    }
}
