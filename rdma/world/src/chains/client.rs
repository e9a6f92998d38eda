//! A client: what it stores, loads and invalidates, and what it must get.
use std::collections::BTreeMap;

use mneme_rdma::client::{ChainClient, ChainError, Request};
use mneme_wire::frame::Endpoints;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::events::Tick;
use crate::failure::Failure;

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// A page's bytes, from a number that nobody uses twice.
fn bytes(number: u64) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    for (at, word) in page.chunks_exact_mut(8).enumerate() {
        word.copy_from_slice(&(number << 16 | at as u64).to_le_bytes());
    }
    page
}

/// A client and its picture of its pages.
#[derive(Debug)]
pub struct Host {
    pub number: usize,
    pub endpoints: Endpoints,
    pub client: ChainClient,
    pub left: usize,
    pub done: usize,
    /// Pages, and frames that it means to have at a time.
    entries: u32,
    most: usize,
    /// Numbers of what pages hold.
    holds: BTreeMap<u32, u64>,
    /// What requests under way are to give, by their numbers.
    expected: BTreeMap<u64, Option<u64>>,
    rng: ChaCha8Rng,
    next: u64,
    pub tick: Tick,
}

impl Host {
    pub fn new(
        number: usize,
        endpoints: Endpoints,
        client: ChainClient,
        (entries, most): (u32, usize),
        left: usize,
        rng: ChaCha8Rng,
    ) -> Host {
        Host {
            number,
            endpoints,
            client,
            left,
            done: 0,
            entries,
            most,
            holds: BTreeMap::new(),
            expected: BTreeMap::new(),
            rng,
            next: 0,
            tick: Tick::default(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.left == 0 && self.expected.is_empty() && self.holds.len() <= self.most / 2
    }

    /// Begins requests. The last slot is for those that give frames back, and at the end half of them go back: without them everybody
    /// might wait for everybody.
    pub fn act(&mut self, slots: usize) -> Result<(), Failure> {
        for _ in 0..4 {
            let free = slots - self.client.pending();
            let held: Vec<u32> = self.holds.keys().copied().collect();
            let ends = self.left == 0;
            if free == 0 || ends && held.len() <= self.most / 2 {
                return Ok(());
            }
            let page = self.rng.random_range(0..self.entries);
            let mapped = held.get(self.rng.random_range(0..held.len().max(1))).copied();
            let full = held.len() >= self.most;
            let asked = match self.rng.random_range(0..100) {
                _ if free == 1 || ends => self.invalidate(mapped),
                0..40 if !full || self.holds.contains_key(&page) => self.store(page),
                0..60 => mapped.map_or(Ok(false), |page| self.store(page)),
                60..85 => mapped.map_or(Ok(false), |page| self.load(page)),
                85..98 => self.invalidate(mapped),
                // One that holds nothing, perhaps.
                _ => self.invalidate(Some(page)),
            };
            match asked {
                Ok(true) => self.left = self.left.saturating_sub(1),
                Ok(false) | Err(ChainError::Busy(_)) => {}
                Err(error) => return Err(Failure::SetUp(format!("client {}: {error}", self.number))),
            }
        }
        Ok(())
    }

    fn store(&mut self, page: u32) -> Result<bool, ChainError> {
        self.next += 1;
        let number = (self.number as u64) << 40 | self.next;
        let ticket = self.client.store(page, &bytes(number))?;
        self.holds.insert(page, number);
        self.expected.insert(ticket, None);
        Ok(true)
    }
    fn load(&mut self, page: u32) -> Result<bool, ChainError> {
        match self.client.load(page) {
            // Its store has not ended, or it is to be invalidated.
            Err(ChainError::Unmapped(_)) => Ok(false),
            ticket => {
                self.expected.insert(ticket?, self.holds.get(&page).copied());
                Ok(true)
            }
        }
    }
    fn invalidate(&mut self, page: Option<u32>) -> Result<bool, ChainError> {
        let Some(page) = page else { return Ok(false) };
        let ticket = self.client.invalidate(page)?;
        self.holds.remove(&page);
        self.expected.insert(ticket, None);
        Ok(true)
    }

    /// Compares what has ended with what must have come of it.
    pub fn completions(&mut self) -> Result<(), Failure> {
        let client = self.number;
        while let Some(done) = self.client.poll_done() {
            let id = done.ticket;
            let expected = self.expected.remove(&id).ok_or(Failure::Unasked { client, id })?;
            if let Err(failure) = done.result {
                return Err(Failure::Chain { client, id, failure });
            }
            if done.request == Request::Load
                && done.bytes.as_deref() != expected.map(bytes).as_ref().map(|b| &b[..])
            {
                return Err(Failure::Answer { client, id });
            }
            self.done += 1;
        }
        Ok(())
    }
}
