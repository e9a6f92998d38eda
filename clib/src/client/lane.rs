//! A client's boards, each by itself.
use super::opening::open_on;
use super::{Handshake, Proven, unreadable};
use crate::core::{Ends, Session, Way};
use crate::error::{Error, Result};
use crate::order::Footprint;
use crate::process::Process;
use crate::transport::{Answer, Call, Payload, Place};
use mneme_wire::payload::{
    BoardInfo, COUNTERS_MAX, CountersRequest, NODE_COUNTER_BASE, NodeCounter, OpenAnswer, OpenRequest,
    STANDING_LEASE_NS,
};
use mneme_wire::{Cause, Counter, Opcode, Pid, Status, Va};
use std::sync::Arc;
use std::time::Duration;

/// Handshakes of one OPEN at most, of which all but the last were answered by somebody else.
const HANDSHAKES: u32 = 3;

/// A snapshot of a board's counters.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) -> mneme_clib::Result<()> {
/// for (name, value) in client.board_counters()?.named().filter(|(_, value)| *value != 0) {
///     println!("{name} {value}");
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardCounters {
    fast: Vec<u64>,
    node: Vec<u64>,
}

impl BoardCounters {
    /// A counter of the fast path; 0 for one that the board does not have.
    pub fn get(&self, counter: Counter) -> u64 {
        self.fast.get(counter as usize).copied().unwrap_or(0)
    }
    /// All of them by the names of docs/reference/wire.md, the fast path's first.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let fast = Counter::ALL.iter().map(|counter| (counter.name(), self.get(*counter)));
        fast.chain(NodeCounter::ALL.iter().map(|counter| (counter.name(), self.node(*counter))))
    }
    /// A counter or figure of the node.
    pub fn node(&self, counter: NodeCounter) -> u64 {
        let index = (counter as u32).saturating_sub(NODE_COUNTER_BASE);
        self.node.get(index as usize).copied().unwrap_or(0)
    }
}

/// One of a client's boards: what is asked of it alone. Numbers begin at 0 and stay.
///
/// ```no_run
/// # fn main() -> mneme_clib::Result<()> {
/// # let client = mneme_clib::Client::connect_to("10.0.0.2", &Default::default(), Default::default())?;
/// for lane in client.lanes() {
///     println!("{}: {} and {} bytes", lane.number(), lane.peer(), lane.board().memory);
/// }
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Lane {
    session: Arc<Session>,
    number: usize,
    /// By when each call of this handle is to have ended.
    ends: Ends,
}

impl std::fmt::Debug for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("number", &self.number).field("board", &self.peer()).finish()
    }
}

impl Lane {
    pub(crate) fn new(session: &Arc<Session>, number: usize, ends: Ends) -> Lane {
        Lane { session: Arc::clone(session), number, ends }
    }
    /// Another handle, whose calls end within a time, as those of [`Client::within`](crate::Client::within).
    pub fn within(&self, time: Duration) -> Lane {
        Lane::new(&self.session, self.number, Ends::In(time))
    }
    /// Whether calls of this handle have a deadline.
    pub(crate) fn hurries(&self) -> bool {
        self.ends != Ends::Open
    }
    /// The handle for the questions of a call that is made now, which has to end as a whole when it would by itself.
    pub(crate) fn one_call(&self) -> Lane {
        Lane::new(&self.session, self.number, self.session.ends(self.ends))
    }
    /// Its number.
    pub fn number(&self) -> usize {
        self.number
    }
    /// What the board said of itself last.
    pub fn board(&self) -> BoardInfo {
        self.session.look(BoardInfo::default(), |core| core.lane(self.number).board())
    }
    /// The board's name, as the driver gives it.
    pub fn peer(&self) -> String {
        self.session.look(String::new(), |core| core.lane(self.number).peer())
    }
    /// What its driver has to say of the way there, a clause each.
    pub fn remarks(&self) -> Vec<String> {
        self.session.look(Vec::new(), |core| core.lane(self.number).remarks())
    }
    /// How many requests may be on the way to the board at the moment: the congestion window. Below one: packets are
    /// paced.
    pub fn congestion_window(&self) -> f64 {
        self.session.look(0.0, |core| core.lane(self.number).congestion_window())
    }
    /// Asks the board who it is; answers that and the round trip.
    pub fn ping(&self) -> Result<(BoardInfo, Duration)> {
        let payload = Payload::from_elem(0, BoardInfo::LEN);
        let answer = self.ask(Opcode::Ping, (Pid::NONE, 0), payload)?;
        let board = BoardInfo::parse(&answer.payload).map_err(unreadable)?;
        self.learn(board);
        Ok((board, answer.latency))
    }
    /// Reads `count` counters from number `first` on; numbers that the board does not have are 0.
    pub fn counters(&self, first: u32, count: u32) -> Result<Vec<u64>> {
        let call = self.one_call();
        let fits = self.largest_payload().saturating_sub(8) as u32 / 8;
        let mut values = Vec::new();
        while (values.len() as u32) < count {
            let done = values.len() as u32;
            let request = CountersRequest {
                first: first.saturating_add(done),
                count: (count - done).min(COUNTERS_MAX as u32).min(fits.max(1)),
            };
            let mut payload = Payload::from_elem(0, request.payload_len());
            request.emit(&[], &mut payload);
            let answer = call.ask(Opcode::Counters, self.asking(), payload)?;
            values.extend(request.parse_answer(&answer.payload).map_err(unreadable)?);
        }
        Ok(values)
    }
    /// In whose name the board is asked for what is no process's: a tag needs one that has keys.
    fn asking(&self) -> (Pid, u8) {
        self.session.look((Pid::NONE, 0), |core| {
            let lane = core.lane(self.number);
            lane.keyed().unwrap_or((Pid::NONE, lane.board().epoch))
        })
    }
    /// Reads all counters that this client knows by name. They are read one packet after the other, not at one moment.
    pub fn board_counters(&self) -> Result<BoardCounters> {
        let call = self.one_call();
        let fast = Counter::ALL.iter().map(|c| *c as u32 + 1).max().unwrap_or(0);
        let node = NodeCounter::ALL.iter().map(|c| *c as u32 + 1 - NODE_COUNTER_BASE).max().unwrap_or(0);
        Ok(BoardCounters { fast: call.counters(0, fast)?, node: call.counters(NODE_COUNTER_BASE, node)? })
    }
    /// Bytes of the largest payload of one packet there now: what the path carries, and the board takes, less what trailers
    /// need.
    pub fn largest_payload(&self) -> usize {
        self.session.look(0, |core| core.lane(self.number).limits().max_payload.into())
    }
    /// The client's time.
    pub(super) fn now(&self) -> Duration {
        self.session.look(Duration::ZERO, |core| core.now())
    }
    /// The board has said who it is.
    pub(super) fn learn(&self, board: BoardInfo) {
        self.session.look((), |core| core.lane_mut(self.number).learn(board));
    }
    /// Opens or joins a process on the board: what OPEN answered, and the keys of tags where it proves who both are.
    pub(super) fn open(&self, pid: Pid, request: OpenRequest) -> Result<(OpenAnswer, Option<Proven>)> {
        if !self.proves()? {
            let payload = Payload::from_slice(&request.to_bytes());
            let answer = self.ask(Opcode::Open, (pid, self.board().epoch), payload)?;
            let open = OpenAnswer::parse(&answer.payload).map_err(unreadable)?;
            self.learn(open.board);
            return Ok((open, None));
        }
        let (mut tries, mut tick) = (HANDSHAKES, None);
        loop {
            tries -= 1;
            match self.prove(pid, tick, request) {
                // Anybody can have answered. The board may have opened a process, which ends with its lease.
                Err(Error::Handshake { .. }) if tries > 0 => {}
                // What was known of its tick is old.
                Err(error)
                    if tries > 0 && error.refusal() == Some((Status::Unauthenticated, Cause::Clock)) =>
                {
                    tick = Some(self.ping()?.0.full_tick());
                }
                other => return other.map(|proven| (proven.open, Some(proven))),
            }
        }
    }
    /// Whether packets to the board have tags.
    pub(crate) fn tags(&self) -> bool {
        self.session.look(false, |core| core.lane(self.number).tags())
    }
    /// A process on this board alone, in whose name its tenant asks for what is not a process's.
    pub(crate) fn open_standing(&self) -> Result<Process> {
        let request = OpenRequest { lease_ns: STANDING_LEASE_NS, ..OpenRequest::default() };
        Process::new(Arc::clone(&self.session), &[open_on(self, Pid::NONE, request)?], false)
    }
    /// Whether processes are opened by a handshake; an error: they should be, and cannot.
    fn proves(&self) -> Result<bool> {
        let core = self.session.lock()?;
        let (lane, tags) = (core.lane(self.number), core.lane(self.number).tags());
        match core.credentials() {
            None if tags => Err(Error::NoCredentials { board: lane.peer() }),
            // Whoever has any sends tags.
            own => Ok(own.is_some()),
        }
    }
    fn prove(&self, pid: Pid, tick: Option<u64>, request: OpenRequest) -> Result<Proven> {
        let (handshake, message, epoch, peer) = {
            let core = self.session.lock()?;
            let lane = core.lane(self.number);
            let Some(own) = core.credentials() else {
                return Err(Error::NoCredentials { board: lane.peer() });
            };
            let tick = tick.unwrap_or_else(|| lane.full_tick());
            let (handshake, message) = Handshake::begin(own, lane, (pid, tick), request)?;
            (handshake, message, lane.board().epoch, lane.peer())
        };
        let answer = self.ask(Opcode::Open, (pid, epoch), Payload::from_slice(&message))?;
        let proven = handshake.end(&peer, pid, &answer.payload)?;
        self.session.lock()?.lane_mut(self.number).learn_proven(proven.open.board);
        Ok(proven)
    }
    /// Ends a process of the board's that no handle stands for. Where there is a deadline, nobody waits for that.
    pub(super) fn end(&self, way: Way) -> Result<()> {
        let call = self.call(Opcode::Exit, (way.pid, way.epoch), Va::default(), Payload::new());
        let to = (Footprint::NOTHING, Some(self.number));
        if !self.hurries() {
            return self.session.call(to, Ends::Open, call).map(drop);
        }
        let begun = self.session.submit(to, 0, Ends::Open, |slot| slot.once = Some(call))?;
        self.session.detach(begun);
        Ok(())
    }
    fn call(&self, opcode: Opcode, (pid, epoch): (Pid, u8), va: Va, payload: Payload) -> Call {
        let (length, place) = (payload.len() as u16, Place::default());
        Call { opcode, pid, epoch, va, length, payload, place }
    }
    /// A request that is ordered against nothing.
    pub(crate) fn ask(&self, opcode: Opcode, by: (Pid, u8), payload: Payload) -> Result<Answer> {
        self.ask_at(opcode, by, Va::default(), payload)
    }
    /// The same with an address.
    pub(crate) fn ask_at(&self, opcode: Opcode, by: (Pid, u8), va: Va, payload: Payload) -> Result<Answer> {
        let call = self.call(opcode, by, va, payload);
        self.session.call((Footprint::NOTHING, Some(self.number)), self.ends, call)
    }
}
