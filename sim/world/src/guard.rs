//! Locks: each protects two words, on either page, that hold the same value. Whoever has the lock reads both, writes
//! the next value to both without waiting, and unlocks.
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use mneme_clib::{Effect, Error, LockOptions, Process};
use rand::Rng;

use super::program::{Made, Step};
use super::tenants::{ADD_BITS, Failed, Region, Tenant, Worker, failed};

/// Locks that a process can use up.
const LOCKS: u64 = 256;
/// Place of the words on the second page, behind those that requests go to.
const BEHIND: u64 = 1_000;

/// The locks of a process, one after the other: one whose holder was killed, or who does not know what became of its
/// words, is not used again.
#[derive(Default)]
pub struct Guard {
    /// The lock in use.
    number: Cell<u64>,
    /// What its words hold while nobody has it.
    left: Cell<u64>,
    /// The client that has it.
    holder: Cell<Option<usize>>,
    /// Clients that have a lock, or have had it and do not know yet what became of its words.
    open: RefCell<Vec<(usize, u64)>>,
    spoiled: RefCell<BTreeSet<u64>>,
    /// What was seen of a lock, and cannot be unless it turns out to be spoiled.
    seen: RefCell<Vec<(u64, String)>>,
}

impl Guard {
    /// A lock is not used again.
    fn spoil(&self, number: u64) {
        self.spoiled.borrow_mut().insert(number);
        if self.number.get() == number {
            self.number.set(number + 1);
            self.left.set(0);
            self.holder.set(None);
        }
    }
    /// A client is gone, in the middle of what it did.
    pub fn abandon(&self, client: usize) {
        let gone: Vec<u64> =
            self.open.borrow().iter().filter(|(c, _)| *c == client).map(|(_, n)| *n).collect();
        gone.into_iter().for_each(|number| self.spoil(number));
        self.open.borrow_mut().retain(|(other, _)| *other != client);
    }
    /// What was seen that cannot be, once everybody knows what became of what they did.
    pub fn verdict(&self) -> Option<String> {
        let (seen, spoiled) = (self.seen.borrow(), self.spoiled.borrow());
        seen.iter().find(|(number, _)| !spoiled.contains(number)).map(|(_, what)| what.clone())
    }
    fn saw(&self, number: u64, what: String) {
        self.seen.borrow_mut().push((number, what));
    }
    /// Somebody has got the lock. False: it is not to be used.
    fn enter(&self, number: u64, client: usize) -> bool {
        if self.number.get() != number {
            return false;
        }
        if let Some(other) = self.holder.replace(Some(client)) {
            self.saw(number, format!("client {client} has got lock {number} while client {other} has it"));
        }
        self.open.borrow_mut().push((client, number));
        true
    }
    /// The holder is about to unlock, and has left this value.
    fn leave(&self, number: u64, value: u64) {
        if self.number.get() == number {
            self.left.set(value);
            self.holder.set(None);
        }
    }
    /// Nothing of what a client did under a lock is open any longer.
    fn close(&self, number: u64, client: usize) {
        let mut open = self.open.borrow_mut();
        if let Some(at) = open.iter().position(|other| *other == (client, number)) {
            open.swap_remove(at);
        }
    }
    /// The words as a holder has read them.
    fn compare(&self, number: u64, words: [u64; 2]) {
        let left = self.left.get();
        if self.number.get() == number && words != [left; 2] {
            self.saw(
                number,
                format!("lock {number} protects two words {left:#x}, and its holder read {words:x?}"),
            );
        }
    }
}

/// Where the words of a lock lie: region and place of each.
fn places(tenant: &Tenant, number: u64) -> [(Region, u64); 2] {
    [(tenant.low, 2 * number + 1), (tenant.shared, BEHIND + number)]
}

/// Reads the lock in use and its words in the end, when nobody has it.
pub fn look_at_the_end(tenant: &Tenant, process: &Process) -> Result<(), Error> {
    let number = tenant.guard.number.get();
    let read = |(region, index): (Region, u64)| {
        let mut bytes = [0; 8];
        process.rread(region.at(index), &mut bytes).map(|()| u64::from_le_bytes(bytes))
    };
    let [first, second] = places(tenant, number);
    let (lock, words) = (read((tenant.low, 2 * number))?, [read(first)?, read(second)?]);
    tenant.guard.compare(number, words);
    if lock != 0 {
        tenant.guard.saw(number, format!("lock {number} is held in the end, and nobody has it"));
    }
    Ok(())
}

impl Worker {
    /// Takes the lock, unless somebody has it for too long, and changes what it protects.
    pub(super) async fn critical(&mut self) -> Result<(), Failed> {
        let (tenant, process) = (Rc::clone(&self.tenant), Rc::clone(&self.process));
        let (guard, number) = (&tenant.guard, tenant.guard.number.get());
        if number == LOCKS {
            return self.request(tenant.shared).await;
        }
        let options = LockOptions {
            timeout: Duration::from_micros(self.random.random_range(0..12)),
            first_pause: Duration::from_micros(2),
            longest_pause: Duration::from_micros(10),
        };
        let token = match process.rlock(tenant.low.at(2 * number), options) {
            Ok(token) => token,
            Err(Error::LockTimeout { .. }) => return Ok(()),
            Err(error) => {
                if error.effect() != Effect::None {
                    guard.spoil(number);
                }
                return Err(failed(&error));
            }
        };
        if !guard.enter(number, self.client) {
            return Ok(());
        }
        let mut result = Ok(());
        if let Some(mut made) = self.change(&process, number, &mut result).await {
            match process.runlock(token) {
                Ok(()) => self.all_ended(&mut made, "unlock"),
                Err(unlock) => {
                    match *unlock.error {
                        Error::LockLost { .. } => guard.saw(number, unlock.to_string()),
                        _ => guard.spoil(number),
                    }
                    result = Err(failed(&unlock.error));
                }
            }
            for Made { ticket, step, call, .. } in made {
                if let Err(error) = self.end_one(ticket, &step, call).await {
                    guard.spoil(number);
                    result = Err(failed(&error));
                }
            }
        }
        guard.close(number, self.client);
        result
    }
    /// Reads what a lock protects and begins to write the next value; nothing if that went wrong.
    async fn change(
        &self,
        process: &Process,
        number: u64,
        result: &mut Result<(), Failed>,
    ) -> Option<Vec<Made>> {
        let guard = &self.tenant.guard;
        let mut words = [0; 2];
        let reads =
            places(&self.tenant, number).map(|(region, at)| self.make(process, region, at, Step::Read(1)));
        for (word, Made { ticket, step, call, .. }) in words.iter_mut().zip(reads) {
            match self.end_one(ticket, &step, call).await {
                Ok(seen) => *word = seen[0],
                Err(error) => *result = Err(failed(&error)),
            }
        }
        if result.is_err() {
            guard.spoil(number);
            return None;
        }
        guard.compare(number, words);
        let next = self.owned((words[0] & !self.owned(0)) + (1 << ADD_BITS));
        let write = |(region, at)| self.make(process, region, at, Step::Write(vec![next]));
        let made = places(&self.tenant, number).map(write);
        guard.leave(number, next);
        Some(made.into())
    }
}
