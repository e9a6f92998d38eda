//! A process on a board: its address space, and the calls on it.
mod asynchronous;
mod exit;
mod heaps;
mod memory;
mod vectored;

pub use asynchronous::{
    Allocated, BufferError, OldWord, ReadInto, ReadOwned, Unmapped, Written, WrittenOwned,
};
pub use exit::ExitError;
pub(crate) use memory::with_effect;
pub use vectored::{ReadBatch, ReadVectored};

use crate::client::Proven;
use crate::core::{Answers, Ends, Handle, LeaseId, Member, Session, Way};
use crate::error::{Error, Result};
use crate::fork::OfMaker;
use crate::order::{Access, Domain, Footprint};
use crate::planted::PlantedFault;
use crate::request::{Kind, One, Reading, Walk, Writing};
use crate::transport::{Answer, Payload};
use heaps::Heaps;
use mneme_wire::payload::Rights;
use mneme_wire::{Opcode, Va};
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
    /// Pages of 4 KB, each of which takes memory with its first write and can be given up by RDMA, at most so many bytes of them at a
    /// time; 0: as many as the allocation is long. `None`: the board's own pages. Rights are those of the whole allocation, and boards
    /// without a leaf unit refuse it (UNSUPPORTED, cause SPLIT).
    pub frames: Option<u64>,
    /// The number of the board that is to have the memory; `None`: of two boards drawn at random the freer one, and
    /// another when that refuses.
    pub lane: Option<usize>,
}

impl Default for AllocOptions {
    /// To read and to write, anywhere, on any of the process's boards, small allocations sharing pages.
    fn default() -> Self {
        AllocOptions { rights: Rights::READ_WRITE, at: None, own_pages: false, frames: None, lane: None }
    }
}

/// A process, opened or joined by [`Client`](crate::Client): an address space on one board or several. Synchronous
/// calls block and follow each other; those whose names end in `_async` return at once with a
/// [`Pending`](crate::Pending).
///
/// Dropping it leaves the process on its boards, for other clients that joined it and keep it; without any, a board
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
pub struct Process {
    inner: Arc<Inner>,
    /// By when each call of this handle is to have ended.
    ends: Ends,
}

/// What a process's handle and its pending calls share.
struct Inner {
    session: Arc<Session>,
    domain: Domain,
    /// The process on each of its boards, the first one's first.
    members: Box<[Member]>,
    /// What keeps it there.
    leases: Vec<LeaseId>,
    /// How long boards wait for that, at the least; none: for ever.
    lease: Option<Duration>,
    /// Bytes of a page on each.
    pages: Box<[u64]>,
    heaps: OfMaker<Mutex<Heaps>>,
    /// Somebody else may have opened it.
    joined: bool,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.leases.iter().for_each(|lease| self.session.let_go(*lease));
        self.session.look((), |core| core.let_space_go(self.domain));
    }
}

// As a client; and the heap is changed by single calls that leave it whole.
impl UnwindSafe for Process {}
impl RefUnwindSafe for Process {}

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Process")
            .field("pid", &self.pid())
            .field("epoch", &self.home().epoch)
            .field("boards", &self.inner.members.len())
            .finish_non_exhaustive()
    }
}

/// A process as one board knows it, which another client needs to join it ([`Client::join_all`]).
///
/// ```no_run
/// # fn example(one: &mneme_clib::Client, other: &mneme_clib::Client) -> mneme_clib::Result<()> {
/// let process = one.open(Default::default())?;
/// let shared = other.join_all(&process.memberships())?;
/// # Ok(()) }
/// ```
///
/// [`Client::join_all`]: crate::Client::join_all
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// The board's identity, the same across its restarts.
    pub board_id: u64,
    /// The process's id there.
    pub pid: u32,
    /// What OPEN gave: who knows it may join.
    pub token: [u8; 16],
    /// The first address and the bytes of the window in which the board allocates; `None`: the whole address space.
    pub window: Option<(u64, u64)>,
}

/// What a board gave at OPEN.
pub(crate) struct Opened {
    pub(crate) member: Member,
    pub(crate) lease: Duration,
    pub(crate) page_bits: u8,
    /// When OPEN was sent, on the client's clock.
    pub(crate) sent: Duration,
    /// The keys of tags, if a handshake has brought some.
    pub(crate) proven: Option<Proven>,
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
    /// On one board at least. `joined`: another client, or this one, has opened it.
    pub(crate) fn new(session: Arc<Session>, opened: &[Opened], joined: bool) -> Result<Self> {
        let members: Box<[Member]> = opened.iter().map(|opened| opened.member).collect();
        let domain = {
            let mut core = session.lock()?;
            let domain = core.add_space(&members, joined);
            for Opened { member, proven, sent, .. } in opened {
                if let Some(proven) = proven {
                    core.keep_keys(way(member), member.token, proven, *sent);
                }
            }
            domain
        };
        let leased = opened.iter().filter(|opened| !opened.lease.is_zero());
        let keep = |opened: &Opened| session.keep((domain, way(&opened.member)), opened.lease, opened.sent);
        let leases = leased.clone().map(keep).collect::<Result<Vec<LeaseId>>>()?;
        let lease = leased.map(|opened| opened.lease).min();
        let heaps = Heaps::new(opened.iter().map(|opened| (opened.member.lane, opened.page_bits)));
        let pages = (0..members.len()).map(|number| heaps.page(number)).collect();
        let heaps = OfMaker::new(Mutex::new(heaps));
        let inner = Inner { session, domain, members, leases, lease, pages, heaps, joined };
        Ok(Process { inner: Arc::new(inner), ends: Ends::Open })
    }
    fn ending(&self, ends: Ends) -> Process {
        Process { inner: Arc::clone(&self.inner), ends }
    }
    /// The handle for the parts of a call that is made now, which has to end as a whole when it would by itself.
    pub(crate) fn one_call(&self) -> Process {
        self.ending(self.session().ends(self.ends))
    }
    /// Another handle for what is to be done though the time of a call is over.
    pub(crate) fn unhurried(&self) -> Process {
        self.ending(Ends::Open)
    }
    /// The time that is left at a time for the parts of a call; none: as long as the transport's bounds say.
    pub(crate) fn left(&self, now: Duration) -> Option<Duration> {
        self.ends.left(now)
    }
    /// Another handle for a pending call.
    pub(crate) fn handle(&self) -> Process {
        self.ending(self.ends)
    }
    /// Another handle, whose calls end within a time: with a result, or with an error
    /// ([`Error::is_deadline`](crate::Error::is_deadline)) that tells whether the call may have taken effect. The time runs
    /// from the call on, on the client's clock, and holds for the call as a whole: for waiting behind other calls, for all
    /// boards that it asks, and for all tries of a lock. An asynchronous call ends when somebody drives the client next. It
    /// shortens what the transport's `give_up` allows, and does not lengthen it.
    ///
    /// ```no_run
    /// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
    /// use std::time::Duration;
    /// let hurried = process.within(Duration::from_millis(2));
    /// let mut word = [0; 8];
    /// if hurried.rread(va, &mut word).is_err_and(|error| error.is_deadline()) {
    ///     println!("the board took too long; nothing was changed");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn within(&self, time: Duration) -> Process {
        self.ending(Ends::In(time))
    }
    /// The process on its first board.
    fn home(&self) -> &Member {
        // There is one at least.
        &self.inner.members[0]
    }
    /// What its requests to its first board are named by: pid and epoch.
    pub(crate) fn name(&self) -> (mneme_wire::Pid, u8) {
        (self.home().pid, self.home().epoch)
    }
    fn domain(&self) -> Domain {
        self.inner.domain
    }
    /// The process id, on its first board.
    pub fn pid(&self) -> u32 {
        self.home().pid.get()
    }
    /// What another client needs to join, on its first board. Of a process on several boards [`Process::memberships`]
    /// has all.
    pub fn token(&self) -> [u8; 16] {
        self.home().token
    }
    /// The process as each of its boards knows it, for other clients to join ([`Client::join_all`]).
    ///
    /// [`Client::join_all`]: crate::Client::join_all
    pub fn memberships(&self) -> Vec<Membership> {
        let of = |member: &Member| Membership {
            board_id: member.board_id,
            pid: member.pid.get(),
            token: member.token,
            window: member.window.map(|window| (window.first(), window.bytes())),
        };
        self.inner.members.iter().map(of).collect()
    }
    /// How long the process outlives its clients ([`OpenOptions::lease`](crate::OpenOptions::lease)), as its boards have
    /// granted it, the shortest; `None`: until somebody exits it.
    pub fn lease(&self) -> Option<Duration> {
        self.inner.lease
    }
    /// The first board's page size in bytes.
    pub fn page_size(&self) -> u64 {
        self.page_of(0)
    }
    fn page_of(&self, number: usize) -> u64 {
        self.inner.pages[number]
    }
    /// The number of the board ([`Client::lane`](crate::Client::lane)) that has an address, as far as this client knows:
    /// memory may have moved.
    pub fn lane_of(&self, va: u64) -> usize {
        let ways = self.session().look(Vec::new(), |core| core.ways(self.domain(), va, 1));
        ways.first().map_or(self.home().lane, |(way, ..)| way.lane)
    }
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.inner.session
    }
    /// The heaps; an error in a child, where nobody might ever give them back.
    fn heaps(&self) -> Result<MutexGuard<'_, Heaps>> {
        self.session().is_own()?;
        Ok(self.inner.heaps.lock())
    }
    fn kind(&self, opcode: Opcode) -> Kind {
        let Member { pid, epoch, .. } = *self.home();
        Kind { opcode, pid, epoch }
    }
    /// An operation of one board, which waits for everything before it and holds up everything after it.
    fn slow(&self, way: Way, opcode: Opcode, va: Va, payload: &[u8]) -> Result<Answer> {
        let kind = Kind { opcode, pid: way.pid, epoch: way.epoch };
        let call = kind.call(va, payload.len() as u16, Payload::from_slice(payload));
        self.session().call((Footprint::barrier(self.domain()), Some(way.lane)), self.ends, call)
    }
    /// Operations that are the parts of one call, each for its board: all leave before any is waited for. Together they wait
    /// for everything before them and hold up everything after them.
    fn slow_all(&self, opcode: Opcode, parts: impl IntoIterator<Item = (Way, Va, Payload)>) -> Answers {
        let call = |(way, va, payload): (Way, Va, Payload)| {
            let kind = Kind { opcode, pid: way.pid, epoch: way.epoch };
            (way.lane, kind.call(va, payload.len() as u16, payload))
        };
        let barrier = Footprint::barrier(self.domain());
        self.session().call_all(barrier, self.ends, parts.into_iter().map(call))
    }
    /// An operation on memory, wherever it is.
    fn call(
        &self,
        footprint: Footprint,
        (opcode, va, length): (Opcode, Va, u16),
        payload: Payload,
    ) -> Result<Answer> {
        let call = self.kind(opcode).call(va, length, payload);
        self.session().call((footprint, None), self.ends, call)
    }
    /// A range of at least one byte.
    fn footprint(&self, access: Access, va: u64, length: u64) -> Footprint {
        Footprint { domain: self.domain(), access, bytes: (va, va + length - 1) }
    }
    pub(crate) fn detach(&self, handle: Handle) {
        self.session().detach(handle);
    }
    /// Keeps the error of a call that nobody asks about for the next `rrelease`.
    pub(crate) fn lose(&self, error: Error) {
        self.session().lose(self.domain(), error);
    }
}

/// The way to a process's board.
fn way(member: &Member) -> Way {
    Way { lane: member.lane, pid: member.pid, epoch: member.epoch }
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
        self.session().run(footprint, self.ends, &mut Reading { kind: self.kind(Opcode::Read), walk, local })
    }
    /// Writes `from` (1 byte at least) at `va`. Any alignment, any length; not atomic beyond aligned 8-byte words: an
    /// error whose effect is partial leaves some of the bytes written.
    pub fn rwrite(&self, va: u64, from: &[u8]) -> Result<()> {
        let address = range("rwrite", va, from.len() as u64)?;
        let footprint = self.footprint(Access::Write, va, from.len() as u64);
        let walk = Walk::default();
        let local = One { va: address, bytes: from };
        self.session().run(footprint, self.ends, &mut Writing { kind: self.kind(Opcode::Write), walk, local })
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
        Ok(word(&self.call(footprint, (opcode, address, 8), payload)?))
    }
    /// Compare-and-swap on the word of a lock: everything before it has ended, and everything after it waits.
    pub(crate) fn compare_swap_releasing(&self, va: u64, expected: u64, new: u64) -> Result<u64> {
        let address = aligned(va)?;
        let footprint = match self.session().lock()?.planted(PlantedFault::UnlockOvertakes) {
            true => self.footprint(Access::Write, va, 8),
            false => Footprint::barrier(self.domain()),
        };
        Ok(word(&self.call(footprint, (Opcode::CompareSwap, address, 8), two_words(expected, new))?))
    }
    /// Returns after all requests of this process that its boards received earlier are done, those of other clients
    /// included, and after all asynchronous calls of this process on this client have ended.
    pub fn rfence(&self) -> Result<()> {
        let ways = {
            let core = self.session().lock()?;
            let mut ways = core.all_ways(self.domain());
            if core.planted(PlantedFault::FenceIgnored) {
                ways.clear();
            } else if core.planted(PlantedFault::FenceOfOneBoard) {
                ways.truncate(1);
            }
            ways
        };
        let parts = ways.into_iter().map(|way| (way, Va::default(), Payload::new()));
        self.slow_all(Opcode::Fence, parts).into_iter().try_for_each(|done| done.map(drop))
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
