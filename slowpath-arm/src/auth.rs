//! Tenants that prove themselves: who may open, what a failed proof costs, and which messages have been used.
use crate::config::Config;
use crate::debts::Debts;
use crate::share::{Shares, Source};
use mneme_auth::{Asked, PublicKey, Responder, TenantList};
use mneme_wire::payload::PUBLIC_KEY_LEN;
use parking_lot::Mutex;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha12Rng;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A message by its ephemeral key, of which every message has its own.
pub(crate) type MessageId = [u8; PUBLIC_KEY_LEN];

/// Messages that one request forgets at most.
const FORGOTTEN: usize = 32;

/// What the board knows of tenants.
#[derive(Debug)]
pub(crate) struct Auth {
    responder: Responder,
    nonce: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    tenants: Arc<TenantList>,
    /// Tenants who have been told keys of processes that are not theirs, with the newest generation of those.
    guests: HashMap<PublicKey, u32>,
    rng: ChaCha12Rng,
    /// Handshakes of each source address that proved nobody.
    failed: Debts,
    used: Used,
}

impl Auth {
    /// Of a board that has a key.
    pub(crate) fn new(config: &Config, nonce: u64) -> Option<Auth> {
        let responder = Responder::new(config.board_key.clone()?);
        let mut rng = ChaCha12Rng::from_seed(config.seed);
        rng.set_stream(3);
        let limits = &config.limits;
        let state = State {
            tenants: Arc::new(config.tenants.clone()),
            guests: HashMap::new(),
            rng,
            failed: Debts::new(limits.unproven_opens, limits.processes),
            used: Used::new(limits.answers, u64::from(config.slow_window_ticks())),
        };
        Some(Auth { responder, nonce, state: Mutex::new(state) })
    }
    pub(crate) fn public(&self) -> PublicKey {
        self.responder.public()
    }
    pub(crate) fn tenants(&self) -> Arc<TenantList> {
        Arc::clone(&self.state.lock().tenants)
    }
    /// The service class of a tenant that is known.
    pub(crate) fn class(&self, tenant: &PublicKey) -> Option<u8> {
        self.tenants().find(tenant).map(|tenant| tenant.class.get())
    }
    /// Other tenants from now on. Tells the newest generation of keys that somebody knows who is none any more, of processes that
    /// live on without him.
    pub(crate) fn set_tenants(&self, tenants: TenantList) -> Option<u32> {
        let mut state = self.state.lock();
        let gone = state.guests.extract_if(|key, _| tenants.find(key).is_none());
        let newest = gone.map(|(_, generation)| generation).max();
        state.tenants = Arc::new(tenants);
        newest
    }
    /// A tenant is about to be told keys; `guest`: their generation, where the process is not his. False: he is no tenant any
    /// more, so he is told nothing.
    pub(crate) fn tells(&self, tenant: PublicKey, guest: Option<u32>) -> bool {
        let mut state = self.state.lock();
        let known = state.tenants.find(&tenant).is_some();
        if let Some(generation) = guest.filter(|_| known) {
            let newest = state.guests.entry(tenant).or_default();
            *newest = generation.max(*newest);
        }
        known
    }
    /// Nanoseconds until a source may try again, 0: it may now.
    pub(crate) fn wait(&self, source: Source, limit: u64, now_ns: u64) -> u64 {
        self.state.lock().failed.wait(source, limit, now_ns)
    }
    /// A source has made the board compute for nobody.
    pub(crate) fn failed(&self, source: Source, now_ns: u64) {
        self.state.lock().failed.add(source, 1, now_ns);
    }
    /// Reads a message, if a tenant has made it. The lock is not held while the board computes.
    pub(crate) fn read(&self, message: &[u8]) -> Option<Asked> {
        let mut entropy = [0; PUBLIC_KEY_LEN];
        self.state.lock().rng.fill_bytes(&mut entropy);
        let asked = self.responder.read(self.nonce, message, entropy).ok()?;
        self.tenants().find(&asked.tenant()).is_some().then_some(asked)
    }
    /// Takes a message of a tenant, made at `tick`, if it was not taken before.
    pub(crate) fn take(&self, id: MessageId, tenant: PublicKey, tick: u64, now: u64) -> Taken {
        self.state.lock().used.take(id, Source::Tenant(tenant), tick, now)
    }
    /// A message that was taken was refused: it may come again.
    pub(crate) fn release(&self, id: &MessageId) {
        self.state.lock().used.release(id);
    }
}

/// What becomes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It is the first with its key.
    Fresh,
    /// It was taken before.
    Again,
    /// The tenant has its share of those that are remembered.
    Full,
}

/// Messages that were taken, for as long as their tick lets them in. A tenant has its share of them.
#[derive(Debug)]
struct Used {
    until: HashMap<MessageId, u64>,
    order: BTreeMap<(u64, MessageId), Source>,
    shares: Shares,
    window: u64,
}

impl Used {
    fn new(bound: usize, window: u64) -> Used {
        Used { until: HashMap::new(), order: BTreeMap::new(), shares: Shares::new(bound), window }
    }
    fn take(&mut self, id: MessageId, owner: Source, tick: u64, now: u64) -> Taken {
        for _ in 0..FORGOTTEN {
            match self.order.first_key_value().map(|(key, _)| *key) {
                Some((until, old)) if until < now => self.forget(until, &old),
                _ => break,
            }
        }
        if self.until.contains_key(&id) {
            return Taken::Again;
        }
        if !self.shares.enter(owner) {
            return Taken::Full;
        }
        let until = tick.saturating_add(self.window);
        self.until.insert(id, until);
        self.order.insert((until, id), owner);
        Taken::Fresh
    }
    fn release(&mut self, id: &MessageId) {
        if let Some(until) = self.until.get(id).copied() {
            self.forget(until, id);
        }
    }
    fn forget(&mut self, until: u64, id: &MessageId) {
        self.until.remove(id);
        if let Some(owner) = self.order.remove(&(until, *id)) {
            self.shares.leave(owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_taken_once_while_its_tick_lets_it_in() {
        let owner = Source::from([1; 4]);
        let mut used = Used::new(8, 100);
        let id = |n: u8| [n; PUBLIC_KEY_LEN];
        assert_eq!(used.take(id(1), owner, 1000, 1000), Taken::Fresh);
        assert_eq!(used.take(id(1), owner, 1000, 1001), Taken::Again);
        used.release(&id(1));
        assert_eq!(used.take(id(1), owner, 1000, 1002), Taken::Fresh);
        assert_eq!(used.take(id(2), owner, 1002, 1002), Taken::Fresh);
        assert_eq!(used.take(id(3), owner, 1002, 1002), Taken::Full, "of eight places one tenant has two");
        assert_eq!(used.take(id(3), Source::from([2; 4]), 1002, 1002), Taken::Fresh);
        assert_eq!(used.take(id(1), owner, 1000, 1100), Taken::Again);
        assert_eq!(used.take(id(4), owner, 1103, 1103), Taken::Fresh, "those that are too old made room");
        assert_eq!((used.until.len(), used.order.len(), used.shares.used()), (1, 1, 1));
    }
}
