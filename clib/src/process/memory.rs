//! Allocating, freeing, and changing rights.
use super::{AllocOptions, Process, range, way};
use crate::client::unreadable;
use crate::core::Way;
use crate::error::{Error, OperationError, Result};
use crate::heap::Freed;
use crate::transport::{Effect, Payload, Reason};
use mneme_wire::payload::{Alloc, AllocUnit, RangeRights, Rights};
use mneme_wire::{Cause, Opcode, Status, Va};

/// Memory that goes back to the board: where it begins, and its bytes.
pub(super) type Back = (Va, u64);

impl Process {
    /// Allocates `size` bytes to read and to write, which may hold anything: [`Process::ralloc_zeroed`] has zeros. See
    /// [`Process::ralloc_with`].
    pub fn ralloc(&self, size: u64) -> Result<u64> {
        self.ralloc_with(size, AllocOptions::default())
    }
    /// Allocates `size` bytes that are zero, to read and to write: for counters and locks. Small ones cost a write.
    pub fn ralloc_zeroed(&self, size: u64) -> Result<u64> {
        let call = self.one_call();
        let va = call.ralloc(size)?;
        if !self.heaps()?.is_shared(va) {
            // A page of its own comes as zeros.
            return Ok(va);
        }
        let zeros = vec![0; usize::try_from(size).map_err(|_| Error::TooLarge(size))?];
        match call.rwrite(va, &zeros) {
            Ok(()) => Ok(va),
            Err(error) => {
                // Nobody knows the address, and nobody waits for that.
                self.discard(va);
                Err(error)
            }
        }
    }
    /// Allocates `size` bytes (1 at least) and answers their address.
    ///
    /// Allocations up to half a page less 64 bytes share pages, begin on a multiple of 16 (of 64 from 64 bytes on) that
    /// begins no page, and hold whatever was there before; larger ones, those with a fixed address, other rights or
    /// `own_pages` have whole pages of zeros.
    ///
    /// Of a process on several boards the freer of two takes it, which may cost a question to each; another one when
    /// that has no room.
    pub fn ralloc_with(&self, size: u64, options: AllocOptions) -> Result<u64> {
        self.session().is_own()?;
        let asked = self.check_alloc(size, options)?;
        self.give_unclaimed_back();
        if asked.may_share
            && let Some(va) = self.heaps()?.take(size, asked.only)
        {
            return Ok(va);
        }
        let (call, mut refused) = (self.one_call(), None);
        for number in call.candidates(&asked, true) {
            match call.alloc_on(number, size, options, asked.may_share) {
                Err(error) if asked.only.is_none() && is_full(&error) => drop(refused.get_or_insert(error)),
                ended => return ended,
            }
        }
        // One was asked at least.
        Err(refused.unwrap_or(Error::TooLarge(size)))
    }
    fn alloc_on(&self, number: usize, size: u64, options: AllocOptions, may_share: bool) -> Result<u64> {
        let member = self.inner.members[number];
        let (page, small) = self.heaps()?.shares(number, size, may_share);
        let asked = if small { page } else { size };
        let (va, payload) = alloc_request(asked, options);
        let answer = self.slow(way(&member), Opcode::Alloc, va, &payload);
        let (va, given) = match answer {
            Ok(answer) => given(&answer.payload)?,
            Err(error) => {
                let memory = self.session().lock()?.lane(member.lane).board().memory;
                return Err(explain_alloc(error, asked, page, options.at, memory));
            }
        };
        self.came(number, (va, given), size, small)
    }
    /// A board gave memory for an allocation: its address.
    pub(super) fn came(&self, number: usize, (va, given): (u64, u64), size: u64, small: bool) -> Result<u64> {
        self.session().lock()?.placed(self.domain(), va, given, self.inner.members[number].lane);
        let mut heaps = self.heaps()?;
        if !small {
            heaps.of(number).add_range(va, given);
            return Ok(va);
        }
        if let Some(at_hand) = heaps.take(size, Some(number)) {
            // Calls that were made together asked for a page each: what another one has brought is enough.
            drop(heaps);
            self.owe((Va::from_low_bits(va), given));
            return Ok(at_hand);
        }
        heaps.of(number).add_arena(va, given);
        // A fresh page holds two of the largest.
        heaps.take(size, Some(number)).ok_or(Error::TooLarge(size))
    }
    /// Frees an allocation that nobody has any more, and waits for nothing: [`Process::rrelease`] tells the error.
    pub(crate) fn discard(&self, va: u64) {
        if self.session().is_of_parent() {
            return;
        }
        match self.take_back(va) {
            Ok(Some(back)) => self.owe(back),
            Ok(None) => {}
            Err(error) => self.lose(error),
        }
    }
    /// Gives pages back that no allocation has any more, now or when there is room for the call.
    pub(super) fn owe(&self, back: Back) {
        if let Ok(mut heaps) = self.heaps() {
            heaps.owe(back);
        }
        self.give_unclaimed_back();
    }
    /// Gives memory back that nobody claims: what came for calls whose handles were dropped, and what is owed; whether there
    /// was any. What finds no room among the asynchronous calls waits for the next time.
    pub(super) fn give_unclaimed_back(&self) -> bool {
        let mut any = false;
        let admits = || self.session().lock().and_then(|core| core.admit(RangeRights::LEN)).is_ok();
        while admits() {
            let Ok(owed) = self.heaps().map(|mut heaps| heaps.take_owed()) else { break };
            if let Some(back) = owed {
                if self.unhurried().give_back_async(back, back.0.get()).found_no_room() {
                    // Another thread has taken it meanwhile.
                    if let Ok(mut heaps) = self.heaps() {
                        heaps.owe(back);
                    }
                    break;
                }
                any = true;
                continue;
            }
            let taken = self.session().look(None, |core| core.take_unclaimed(self.domain()));
            let Some((lane, payload)) = taken else { break };
            if let Ok((va, size)) = given(&payload) {
                self.session().look((), |core| core.placed(self.domain(), va, size, lane));
                drop(self.unhurried().give_back_async((Va::from_low_bits(va), size), va));
                any = true;
            }
        }
        any
    }
    /// What a sensible allocation asks for.
    pub(super) fn check_alloc(&self, size: u64, options: AllocOptions) -> Result<Asked> {
        if size == 0 {
            return Err(Error::ZeroSize("ralloc"));
        }
        if size > Va::LIMIT {
            return Err(Error::TooLarge(size));
        }
        let members = &self.inner.members;
        let numbered = |lane: usize| {
            let found = members.iter().position(|member| member.lane == lane);
            found.ok_or(Error::NoSuchLane(lane))
        };
        let mut only = options.lane.map(numbered).transpose()?;
        if let Some(va) = options.at {
            range("ralloc", va, size)?;
            // The board in whose window it lies, unless another one is asked for.
            let number = only.unwrap_or_else(|| numbered(self.lane_of(va)).unwrap_or(0));
            let page = self.page_of(number);
            if !va.is_multiple_of(page) {
                return Err(Error::NotAPage { va, page });
            }
            only = Some(number);
        }
        let whole = options.own_pages || options.frames.is_some();
        let plain = options.at.is_none() && !whole && options.rights == Rights::READ_WRITE;
        Ok(Asked { may_share: plain, only: only.or((members.len() == 1).then_some(0)) })
    }
    /// The boards to ask for memory, by number, the best one first. `asks`: boards may be asked how free they are.
    pub(super) fn candidates(&self, asked: &Asked, asks: bool) -> Vec<usize> {
        if let Some(only) = asked.only {
            return vec![only];
        }
        let members = &self.inner.members;
        let drawn = self.session().look(0, |core| core.random());
        let (first, step) =
            (drawn as usize % members.len(), 1 + (drawn >> 32) as usize % (members.len() - 1));
        let second = (first + step) % members.len();
        if asks {
            self.session().ask_free_memory(&[first, second].map(|number| way(&members[number])), self.ends);
        }
        let free = |number: usize| self.session().look(0, |core| core.lane(members[number].lane).free());
        let mut order = match free(first) < free(second) {
            true => vec![second, first],
            false => vec![first, second],
        };
        order.extend((0..members.len()).filter(|number| ![first, second].contains(number)));
        order
    }
    /// Frees what [`Process::ralloc`] answered. Allocations that other handles made in this process can be freed too, if
    /// they have pages of their own; those that share pages are [`Error::NotAllocated`] elsewhere. After an error the
    /// board may hold the pages until the process exits; they are not used again.
    pub fn rfree(&self, va: u64) -> Result<()> {
        self.session().is_own()?;
        self.give_unclaimed_back();
        let Some(back) = self.take_back(va)? else { return Ok(()) };
        let of_holder = |(way, base)| (way, base, Payload::from_slice(&free_request()));
        let freed = self.slow_all(Opcode::Free, self.holders(back).map(of_holder));
        let failed = freed.into_iter().find_map(Result::err);
        self.session().look((), |core| core.freed(self.domain(), back.0.get(), back.1));
        failed.map_or(Ok(()), |error| Err(explain_free(error, va)))
    }
    /// The boards that keep something of an allocation, each with where that begins.
    pub(super) fn holders(&self, (base, length): Back) -> impl Iterator<Item = (Way, Va)> + use<> {
        let holders = self.session().look(Vec::new(), |core| core.holders(self.domain(), base.get(), length));
        holders.into_iter().map(|(way, start)| (way, Va::from_low_bits(start)))
    }
    /// Takes an allocation out of the heap: the pages that go back to the board, if any do.
    pub(super) fn take_back(&self, va: u64) -> Result<Option<Back>> {
        let address = range("rfree", va, 1)?;
        let mut heaps = self.heaps()?;
        match heaps.give(va) {
            Freed::Kept => Ok(None),
            Freed::Range(base, size) => Ok(Some((Va::from_low_bits(base), size))),
            Freed::Unknown if heaps.is_shared(va) || !va.is_multiple_of(heaps.shortest_page()) => {
                Err(Error::NotAllocated(va))
            }
            Freed::Unknown => Ok(Some((address, 1))),
        }
    }
    /// Whether [`Process::rfree`] may be asked to free an address: what this handle allocated, or pages that another
    /// one may have.
    pub(crate) fn may_free(&self, va: u64) -> Result<bool> {
        let heaps = self.heaps()?;
        Ok(heaps.owns(va) || va.is_multiple_of(heaps.shortest_page()) && !heaps.is_shared(va))
    }
    /// Whether an address of this handle's lies in a page that allocations share.
    pub(crate) fn is_shared(&self, va: u64) -> Result<bool> {
        Ok(self.heaps()?.is_shared(va))
    }
    /// Changes the rights of whole pages inside one allocation that has pages of its own. `va` begins a page; `length`
    /// is rounded up to whole pages.
    pub fn rprotect(&self, va: u64, length: u64, rights: Rights) -> Result<()> {
        range("rprotect", va, length)?;
        let ways = self.session().lock()?.ways(self.domain(), va, length);
        let mut parts = Vec::new();
        for (way, start, bytes) in ways {
            let heaps = self.heaps()?;
            let page = heaps.page_of_lane(way.lane);
            if heaps.is_shared(start) {
                return Err(Error::SharedPage(start));
            }
            if !start.is_multiple_of(page) {
                return Err(Error::NotAPage { va: start, page });
            }
            let asked = RangeRights { size: bytes.next_multiple_of(page), rights }.to_bytes();
            parts.push((way, Va::from_low_bits(start), Payload::from_slice(&asked)));
        }
        let (mut failed, mut any_done, mut any_possible) = (None, false, false);
        for changed in self.slow_all(Opcode::Protect, parts) {
            match changed {
                Ok(_) => any_done = true,
                Err(error) => {
                    any_possible |= error.effect() != Effect::None;
                    failed.get_or_insert(error);
                }
            }
        }
        match failed {
            None => Ok(()),
            Some(error) if any_done => Err(with_effect(error, Effect::Partial)),
            Some(error) if any_possible => Err(with_effect(error, Effect::Possible)),
            Some(error) => Err(error),
        }
    }
}

/// What an allocation asks for, beside its options.
pub(super) struct Asked {
    /// Small ones may share pages with others.
    pub(super) may_share: bool,
    /// The one of the process's boards that is to have it.
    pub(super) only: Option<usize>,
}

/// Whether another board may have what this one has not.
fn is_full(error: &Error) -> bool {
    matches!(error, Error::OutOfMemory { .. } | Error::Quota { .. })
}

/// The same error of a call of several parts, of which others may have taken effect.
pub(crate) fn with_effect(error: Error, effect: Effect) -> Error {
    match error {
        Error::Operation(mut operation) => {
            operation.effect = effect;
            Error::Operation(operation)
        }
        other => other,
    }
}

/// The address field and the payload of an ALLOC.
pub(super) fn alloc_request(size: u64, options: AllocOptions) -> (Va, Vec<u8>) {
    let (unit, dram_max) = match options.frames {
        Some(most) => (AllocUnit::Frame, most),
        None => (AllocUnit::BoardPage, 0),
    };
    let fixed = options.at.is_some();
    let request = Alloc { fixed, unit, dram_max, ..Alloc::request(size, options.rights) };
    (Va::from_low_bits(options.at.unwrap_or(0)), request.to_bytes().to_vec())
}

/// Address and bytes that an ALLOC was given.
pub(super) fn given(payload: &[u8]) -> Result<(u64, u64)> {
    let given = Alloc::parse_answer(payload).map_err(unreadable)?;
    Ok((given.va, given.size))
}

/// The payload of a FREE.
pub(super) fn free_request() -> Vec<u8> {
    RangeRights::default().to_bytes().to_vec()
}

/// The error that names the address that the caller gave.
pub(super) fn explain_free(error: Error, va: u64) -> Error {
    match error.refusal() {
        Some((Status::Unmapped, _) | (Status::BadRequest, Cause::Address)) => Error::NotAllocated(va),
        _ => error,
    }
}

/// The error that says what would work instead of a refused allocation.
pub(super) fn explain_alloc(error: Error, asked: u64, page: u64, at: Option<u64>, memory: u64) -> Error {
    let source: Box<OperationError> = match error {
        Error::Operation(source) => source,
        other => return other,
    };
    let Reason::Refused { status, cause, hint } = source.reason else { return Error::Operation(source) };
    // In pages: how many would fit, or the number of the page where they would.
    let possible = (hint > 0).then(|| u64::from(hint).saturating_mul(page));
    match (status, cause, at) {
        (_, Cause::Address | Cause::Slots, Some(va)) => {
            Error::AddressUnavailable { va, asked, possible, source }
        }
        (Status::NoMemory, ..) => Error::OutOfMemory { asked, memory, possible, source },
        (Status::Quota, ..) => Error::Quota { asked, source },
        _ => Error::Operation(source),
    }
}
