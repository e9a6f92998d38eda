//! A process on a board: its address space, and the calls on it.
mod asynchronous;
mod vectored;

pub use asynchronous::{
    Allocated, BufferError, OldWord, ReadInto, ReadOwned, Unmapped, Written, WrittenOwned,
};
pub use vectored::{ReadBatch, ReadVectored};

use crate::client::unreadable;
use crate::core::{Handle, LeaseId, Session};
use crate::error::{Error, OperationError, Result};
use crate::heap::{Freed, Heap};
use crate::order::{Access, Footprint};
use crate::planted::PlantedFault;
use crate::request::{Kind, One, Reading, Walk, Writing};
use crate::transport::{Answer, Payload, Reason};
use mneme_wire::payload::{Alloc, OpenAnswer, RangeRights, Rights};
use mneme_wire::{Cause, Opcode, Pid, Status, Va};
use parking_lot::{Mutex, MutexGuard};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// How memory is allocated.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// use mneme_clib::{AllocOptions, Rights};
///
/// let options = AllocOptions { rights: Rights::READ_ONLY, own_pages: true, ..AllocOptions::default() };
/// let va = process.ralloc_with(4096, options)?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocOptions {
    /// What the process may do with it.
    pub rights: Rights,
    /// The address wanted, a multiple of the page size; `None`: wherever the board finds room.
    pub at: Option<u64>,
    /// Take whole pages even for a small allocation, so that its rights can be changed.
    pub own_pages: bool,
}

impl Default for AllocOptions {
    /// To read and to write, anywhere, small allocations sharing pages.
    fn default() -> Self {
        AllocOptions { rights: Rights::READ_WRITE, at: None, own_pages: false }
    }
}

/// A process of a board, opened or joined by [`Client`](crate::Client). Synchronous calls block and follow each other;
/// those whose names end in `_async` return at once with a [`Pending`](crate::Pending).
///
/// Dropping it leaves the process on the board, for other clients that joined it and keep it; without any, the board
/// reclaims it when its lease has run out. [`Process::exit`] ends it at once.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// let va = process.ralloc(100)?;
/// process.rwrite(va, b"remote memory")?;
/// let mut back = [0; 13];
/// process.rread(va, &mut back)?;
/// process.rfree(va)?;
/// # Ok(()) }
/// ```
pub struct Process(Arc<Inner>);

/// What a process's handle and its pending calls share.
struct Inner {
    session: Arc<Session>,
    pid: Pid,
    epoch: u8,
    /// What keeps it, and how long the board waits for that; none: for ever.
    lease: Option<(LeaseId, Duration)>,
    token: [u8; 16],
    page_bits: u8,
    heap: Mutex<Heap>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some((lease, _)) = self.lease {
            self.session.let_go(lease);
        }
    }
}

// As a client; and the heap is changed by single calls that leave it whole.
impl UnwindSafe for Process {}
impl RefUnwindSafe for Process {}

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Process")
            .field("pid", &self.0.pid.get())
            .field("epoch", &self.0.epoch)
            .finish_non_exhaustive()
    }
}

/// The checked beginning of a range of at least one byte that stays within the address space.
fn range(what: &'static str, va: u64, length: u64) -> Result<Va> {
    if length == 0 {
        return Err(Error::ZeroSize(what));
    }
    match (Va::new(va), va.checked_add(length)) {
        (Some(va), Some(end)) if end <= Va::LIMIT => Ok(va),
        _ => Err(Error::AddressRange { va, length }),
    }
}

impl Process {
    pub(crate) fn new(session: Arc<Session>, opened: &OpenAnswer, sent: Duration) -> Self {
        let page_bits = opened.board.page_bits;
        let lease = Duration::from_nanos(opened.lease_ns);
        let named = (Pid::from_low_bits(opened.pid), opened.board.epoch);
        let kept = (!lease.is_zero()).then(|| (session.keep(named, lease, sent), lease));
        Process(Arc::new(Inner {
            session,
            pid: named.0,
            epoch: named.1,
            lease: kept,
            token: opened.token,
            page_bits,
            heap: Mutex::new(Heap::new(page_bits)),
        }))
    }
    /// Another handle for a pending call.
    pub(crate) fn handle(&self) -> Process {
        Process(Arc::clone(&self.0))
    }
    /// The process id.
    pub fn pid(&self) -> u32 {
        self.0.pid.get()
    }
    /// What another client needs to join.
    pub fn token(&self) -> [u8; 16] {
        self.0.token
    }
    /// How long the process outlives its clients ([`OpenOptions::lease`](crate::OpenOptions::lease)), as the board has
    /// granted it; `None`: until somebody exits it.
    pub fn lease(&self) -> Option<Duration> {
        self.0.lease.map(|(_, length)| length)
    }
    /// The board's page size in bytes.
    pub fn page_size(&self) -> u64 {
        1 << self.0.page_bits
    }
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.0.session
    }
    fn heap(&self) -> MutexGuard<'_, Heap> {
        self.0.heap.lock()
    }
    fn kind(&self, opcode: Opcode) -> Kind {
        Kind { opcode, pid: self.0.pid, epoch: self.0.epoch }
    }
    fn slow(&self, opcode: Opcode, va: Va, payload: &[u8]) -> Result<Answer> {
        let call = self.kind(opcode).call(va, payload.len() as u16, Payload::from_slice(payload));
        self.session().call(Some(Footprint::barrier(self.0.pid)), call)
    }
    /// A range of at least one byte.
    fn footprint(&self, access: Access, va: u64, length: u64) -> Footprint {
        Footprint { pid: self.0.pid, access, bytes: (va, va + length - 1) }
    }
    pub(crate) fn detach(&self, handle: Handle) {
        self.session().detach(handle);
    }
    /// Keeps the error of a call that nobody asks about for the next `rrelease`.
    pub(crate) fn lose(&self, error: Error) {
        self.session().lose(self.0.pid, error);
    }
}

/// Memory.
impl Process {
    /// Allocates `size` bytes to read and to write, which may hold anything: [`Process::ralloc_zeroed`] has zeros. See
    /// [`Process::ralloc_with`].
    pub fn ralloc(&self, size: u64) -> Result<u64> {
        self.ralloc_with(size, AllocOptions::default())
    }
    /// Allocates `size` bytes that are zero, to read and to write: for counters and locks. Small ones cost a write.
    pub fn ralloc_zeroed(&self, size: u64) -> Result<u64> {
        let va = self.ralloc(size)?;
        if !self.heap().is_shared(va) {
            // A page of its own comes as zeros.
            return Ok(va);
        }
        let zeros = vec![0; usize::try_from(size).map_err(|_| Error::TooLarge(size))?];
        match self.rwrite(va, &zeros) {
            Ok(()) => Ok(va),
            Err(error) => {
                // Nobody knows the address: should that fail, too, the memory goes with the process.
                let _freed = self.rfree(va);
                Err(error)
            }
        }
    }
    /// Allocates `size` bytes (1 at least) and answers their address.
    ///
    /// Allocations up to half a page less 64 bytes share pages, begin on a multiple of 16 (of 64 from 64 bytes on) that
    /// begins no page, and hold whatever was there before; larger ones, those with a fixed address, other rights or
    /// `own_pages` have whole pages of zeros.
    pub fn ralloc_with(&self, size: u64, options: AllocOptions) -> Result<u64> {
        let small = self.check_alloc(size, options)?;
        let mut heap = self.heap();
        let page = heap.page();
        if !small {
            let (va, given) = self.alloc_pages(size, page, options)?;
            heap.add_range(va, given);
            return Ok(va);
        }
        if let Some(va) = heap.take(size) {
            return Ok(va);
        }
        let (va, given) = self.alloc_pages(page, page, options)?;
        heap.add_arena(va, given);
        // A fresh page holds two of the largest.
        heap.take(size).ok_or(Error::TooLarge(size))
    }
    /// Whether a sensible allocation shares pages with others.
    fn check_alloc(&self, size: u64, options: AllocOptions) -> Result<bool> {
        if size == 0 {
            return Err(Error::ZeroSize("ralloc"));
        }
        if size > Va::LIMIT {
            return Err(Error::TooLarge(size));
        }
        let heap = self.heap();
        let page = heap.page();
        if let Some(va) = options.at {
            range("ralloc", va, size)?;
            if !va.is_multiple_of(page) {
                return Err(Error::NotAPage { va, page });
            }
        }
        let plain = options.at.is_none() && !options.own_pages && options.rights == Rights::READ_WRITE;
        Ok(plain && heap.is_small(size))
    }
    /// Frees what [`Process::ralloc`] answered. Allocations that other handles made in this process can be freed too, if
    /// they have pages of their own; those that share pages are [`Error::NotAllocated`] elsewhere. After an error the
    /// board may hold the pages until the process exits; they are not used again.
    pub fn rfree(&self, va: u64) -> Result<()> {
        match self.take_back(va)? {
            None => Ok(()),
            Some(base) => match self.slow(Opcode::Free, base, &free_request()) {
                Ok(_) => Ok(()),
                Err(error) => Err(explain_free(error, va)),
            },
        }
    }
    /// Takes an allocation out of the heap: the pages that go back to the board, if any do.
    fn take_back(&self, va: u64) -> Result<Option<Va>> {
        let address = range("rfree", va, 1)?;
        let mut heap = self.heap();
        match heap.give(va) {
            Freed::Kept => Ok(None),
            Freed::Range(base) => Ok(Some(Va::from_low_bits(base))),
            Freed::Unknown if heap.is_shared(va) || !va.is_multiple_of(heap.page()) => {
                Err(Error::NotAllocated(va))
            }
            Freed::Unknown => Ok(Some(address)),
        }
    }
    /// Whether [`Process::rfree`] may be asked to free an address: what this handle allocated, or pages that another
    /// one may have.
    pub(crate) fn may_free(&self, va: u64) -> bool {
        let heap = self.heap();
        heap.owns(va) || va.is_multiple_of(heap.page()) && !heap.is_shared(va)
    }
    /// Changes the rights of whole pages inside one allocation that has pages of its own. `va` begins a page; `length`
    /// is rounded up to whole pages.
    pub fn rprotect(&self, va: u64, length: u64, rights: Rights) -> Result<()> {
        let address = range("rprotect", va, length)?;
        let heap = self.heap();
        let page = heap.page();
        if heap.is_shared(va) {
            return Err(Error::SharedPage(va));
        }
        if !va.is_multiple_of(page) {
            return Err(Error::NotAPage { va, page });
        }
        let size = length.next_multiple_of(page);
        self.slow(Opcode::Protect, address, &RangeRights { size, rights }.to_bytes())?;
        Ok(())
    }
    fn alloc_pages(&self, size: u64, page: u64, options: AllocOptions) -> Result<(u64, u64)> {
        let (va, payload) = alloc_request(size, options);
        match self.slow(Opcode::Alloc, va, &payload) {
            Ok(answer) => given(&answer.payload),
            Err(error) => {
                Err(explain_alloc(error, size, page, options.at, self.session().lock().board().memory))
            }
        }
    }
}

/// Access.
impl Process {
    /// Reads `into.len()` bytes (1 at least) at `va`. Any alignment, any length; not atomic beyond aligned 8-byte
    /// words.
    pub fn rread(&self, va: u64, into: &mut [u8]) -> Result<()> {
        let address = range("rread", va, into.len() as u64)?;
        let footprint = self.footprint(Access::Read, va, into.len() as u64);
        let walk = Walk::default();
        let local = One { va: address, bytes: into };
        self.session().run(footprint, &mut Reading { kind: self.kind(Opcode::Read), walk, local })
    }
    /// Writes `from` (1 byte at least) at `va`. Any alignment, any length; not atomic beyond aligned 8-byte words: an
    /// error whose effect is partial leaves some of the bytes written.
    pub fn rwrite(&self, va: u64, from: &[u8]) -> Result<()> {
        let address = range("rwrite", va, from.len() as u64)?;
        let footprint = self.footprint(Access::Write, va, from.len() as u64);
        let walk = Walk::default();
        let local = One { va: address, bytes: from };
        self.session().run(footprint, &mut Writing { kind: self.kind(Opcode::Write), walk, local })
    }
    /// Writes `new` to the aligned 8-byte word at `va` if it holds `expected`; answers what it held.
    pub fn compare_swap(&self, va: u64, expected: u64, new: u64) -> Result<u64> {
        self.atomic(Opcode::CompareSwap, va, two_words(expected, new))
    }
    /// Adds `addend`, wrapping, to the aligned 8-byte word at `va`; answers what it held.
    pub fn fetch_add(&self, va: u64, addend: u64) -> Result<u64> {
        self.atomic(Opcode::FetchAdd, va, Payload::from_slice(&addend.to_le_bytes()))
    }
    /// Writes `new` to the aligned 8-byte word at `va`; answers what it held.
    pub fn swap(&self, va: u64, new: u64) -> Result<u64> {
        self.atomic(Opcode::Swap, va, Payload::from_slice(&new.to_le_bytes()))
    }
    fn atomic(&self, opcode: Opcode, va: u64, payload: Payload) -> Result<u64> {
        let address = aligned(va)?;
        let footprint = self.footprint(Access::Write, va, 8);
        let answer = self.session().call(Some(footprint), self.kind(opcode).call(address, 8, payload))?;
        Ok(word(&answer))
    }
    /// Compare-and-swap on the word of a lock: everything before it has ended, and everything after it waits.
    pub(crate) fn compare_swap_releasing(&self, va: u64, expected: u64, new: u64) -> Result<u64> {
        let address = aligned(va)?;
        let call = self.kind(Opcode::CompareSwap).call(address, 8, two_words(expected, new));
        let footprint = match self.session().lock().planted(PlantedFault::UnlockOvertakes) {
            true => self.footprint(Access::Write, va, 8),
            false => Footprint::barrier(self.0.pid),
        };
        Ok(word(&self.session().call(Some(footprint), call)?))
    }
    /// Returns after all requests of this process that the board received earlier are done, those of other clients
    /// included, and after all asynchronous calls of this process on this client have ended.
    pub fn rfence(&self) -> Result<()> {
        let call = self.kind(Opcode::Fence).call(Va::default(), 0, Payload::new());
        if !self.session().lock().planted(PlantedFault::FenceIgnored) {
            self.session().call(Some(Footprint::barrier(self.0.pid)), call)?;
        }
        Ok(())
    }
    /// Ends the process on the board, for all clients that joined it: its memory is freed and zeroed. After an error the
    /// handle is in it, for another try; without one, the process ends with its lease.
    pub fn exit(self) -> Result<(), ExitError> {
        self.end().map_err(|error| ExitError { process: self, error: Box::new(error) })
    }
    /// [`Process::exit`] for handles that cannot be moved.
    #[doc(hidden)]
    pub fn end(&self) -> Result<()> {
        self.slow(Opcode::Exit, Va::default(), &[])?;
        // Another process may be given the same number.
        self.session().forget(self.0.pid);
        Ok(())
    }
}

/// A process that could not be ended; the handle is given back for another try.
///
/// ```no_run
/// fn end(process: mneme_clib::Process) {
///     if let Err(error) = process.exit() {
///         println!("{error}: once more");
///         drop(error.process.exit());
///     }
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct ExitError {
    /// The process, which may have ended all the same.
    pub process: Process,
    /// Why.
    #[source]
    pub error: Box<Error>,
}

impl From<ExitError> for Error {
    /// Without the process: it ends with its lease, if it has one.
    fn from(error: ExitError) -> Error {
        *error.error
    }
}

/// The checked address of an atomic.
fn aligned(va: u64) -> Result<Va> {
    let address = range("an atomic", va, 8)?;
    if va.is_multiple_of(8) { Ok(address) } else { Err(Error::Unaligned(va)) }
}

/// The old word that an atomic answers; the transport lets only answers of 8 bytes pass.
fn word(answer: &Answer) -> u64 {
    u64::from_le_bytes(answer.payload.first_chunk::<8>().copied().unwrap_or_default())
}

/// The payload of a compare-and-swap.
fn two_words(first: u64, second: u64) -> Payload {
    let mut payload = Payload::from_slice(&first.to_le_bytes());
    payload.extend_from_slice(&second.to_le_bytes());
    payload
}

/// The address field and the payload of an ALLOC.
fn alloc_request(size: u64, options: AllocOptions) -> (Va, Vec<u8>) {
    let request = Alloc { fixed: options.at.is_some(), ..Alloc::request(size, options.rights) };
    (Va::from_low_bits(options.at.unwrap_or(0)), request.to_bytes().to_vec())
}

/// Address and bytes that an ALLOC was given.
fn given(payload: &[u8]) -> Result<(u64, u64)> {
    let given = Alloc::parse_answer(payload).map_err(unreadable)?;
    Ok((given.va, given.size))
}

/// The payload of a FREE.
fn free_request() -> Vec<u8> {
    RangeRights::default().to_bytes().to_vec()
}

/// The error that names the address that the caller gave.
fn explain_free(error: Error, va: u64) -> Error {
    match error.refusal() {
        Some((Status::Unmapped, _) | (Status::BadRequest, Cause::Address)) => Error::NotAllocated(va),
        _ => error,
    }
}

/// The error that says what would work instead of a refused allocation.
fn explain_alloc(error: Error, asked: u64, page: u64, at: Option<u64>, memory: u64) -> Error {
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
