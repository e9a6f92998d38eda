//! A port in virtual time: lines, the engine, the memory, and clients. Packets are those of the state machines; the model tells when
//! each step happens.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mneme_rdma::codec::{Bth, Opcode};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{Door, FRAME, Leaf, QueuePairs, SegmentConfig};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX, Responder};

use super::arrived::{Arrived, Waiting};
use super::board::{Beats, Board};
use super::costs::{Costs, Picos};
use super::peer::{Ended, Peer, VA, Way, address};
use crate::failure::Failure;

/// The first frame's address.
const BASE: u64 = 1 << 20;
/// What clients wait for beyond this is the loss of a packet, and none is lost.
const SOON: Picos = 1_000_000_000_000;

/// What uses a client.
pub trait Program {
    /// Begins what can be begun now. Something has ended since the last call, or nothing was begun yet.
    fn act(&mut self, now: Picos, peer: &mut Peer) -> Result<(), Failure>;
    /// A request has ended.
    fn ended(&mut self, now: Picos, ended: Ended) -> Result<(), Failure>;
    /// Whether everything has ended.
    fn is_done(&self) -> bool;
    /// When it is to act again, if nothing ends before.
    fn next_time(&self) -> Option<Picos> {
        None
    }
}

/// How a port is made.
#[derive(Debug, Clone, Copy)]
pub struct Made {
    /// How clients reach pages.
    pub way: Way,
    /// Clients.
    pub clients: usize,
    /// Pages of each.
    pub entries: u32,
    /// Requests of each at a time.
    pub slots: usize,
    /// Frames of all.
    pub frames: usize,
    /// With static binding: the first client is a process of its own, the others are one. Else all are one.
    pub first_alone: bool,
    /// Processes share the places for READs ([`Limits::shares`]).
    pub shares: bool,
    /// Processes take turns where packets come, too, as `ArrivalTurns` has it. Else packets are taken in the order in which they come.
    pub turns: bool,
    /// What steps cost.
    pub costs: Costs,
}

impl Made {
    /// The process of a client.
    fn pid(&self, client: usize) -> u32 {
        match self.way {
            // Board pages are one process's, a part for each client.
            Way::Static => 0xffff - u32::from(self.first_alone && client == 0),
            // Segments are each their own process's.
            _ => 1 + client as u32,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrives(usize, Vec<u8>),
    Engine,
    /// A packet's accesses have ended, of which so many beats of writing are charged already.
    Executes(usize, Vec<u8>, u64),
    Acts(usize),
    Reaches(usize, Vec<u8>),
    Sends(usize),
}

/// What a line, or the engine, or the memory was used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// Packets to the node, and from it.
    pub packets: [u64; 2],
    /// Bytes on the lines, each with headers, check sums and gaps.
    pub bytes: [u64; 2],
    /// Time in which the lines were busy, to the node and from it.
    pub lines: [Picos; 2],
    /// Time in which the engine was busy.
    pub engine: Picos,
    /// Time in which the memory moved beats.
    pub memory: Picos,
    /// The beats.
    pub beats: Beats,
}

struct Client<P> {
    peer: Peer,
    program: P,
    line_free: Picos,
    ticks: bool,
    /// When it was last told to act.
    acts: Picos,
}

/// A node and its clients.
pub struct Port<P> {
    made: Made,
    now: Picos,
    heap: BinaryHeap<Reverse<(Picos, u64, Event)>>,
    planned: u64,
    clients: Vec<Client<P>>,
    responder: Responder,
    pairs: QueuePairs,
    board: Board,
    arrived: Arrived,
    in_free: Picos,
    out_free: Picos,
    /// When the memory reads, and writes, again.
    memory_free: [Picos; 2],
    /// When the accesses of the packet before end.
    executed: Picos,
    engine_free: Picos,
    engine_planned: bool,
    turn: bool,
    /// How long each packet of the first client waited for the engine.
    pub waited: Vec<Picos>,
    /// What was used so far.
    pub used: Used,
}

impl<P: Program> Port<P> {
    /// Makes clients, each with a program.
    pub fn new(made: Made, programs: Vec<P>) -> Result<Port<P>, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::SetUp(error.to_string());
        let mut leaf = Leaf::new(BASE, made.frames);
        leaf.push_run(BASE, made.frames as u64).map_err(|error| wrong(&error))?;
        for client in 0..made.clients {
            let config = SegmentConfig {
                pid: 1 + client as u32,
                va: VA,
                entries: made.entries,
                budget: made.entries,
                access: Access::ALL,
            };
            leaf.create(config).map_err(|error| wrong(&error))?;
        }
        let flat =
            if made.way == Way::Static { made.clients * made.entries as usize * FRAME as usize } else { 0 };
        let mut board = Board::new(leaf, (VA << 1, flat));
        let (mut responder, mut pairs) =
            (Responder::new(Limits { shares: made.shares, ..Limits::default() }), QueuePairs::default());
        let mut clients = Vec::new();
        for (number, program) in programs.into_iter().enumerate() {
            let mut door = Door { frames: &mut board, pairs: &mut pairs };
            let (who, size) = ((number, made.pid(number)), (made.entries, made.slots));
            let peer = Peer::new(made.way, who, size, &mut responder, &mut door)?;
            clients.push(Client { peer, program, line_free: 0, ticks: false, acts: 0 });
        }
        Ok(Port {
            made,
            now: 0,
            heap: BinaryHeap::new(),
            planned: 0,
            clients,
            responder,
            pairs,
            board,
            arrived: Arrived::default(),
            in_free: 0,
            out_free: 0,
            memory_free: [0; 2],
            executed: 0,
            engine_free: 0,
            engine_planned: false,
            turn: false,
            waited: Vec::new(),
            used: Used::default(),
        })
    }

    fn plan(&mut self, at: Picos, event: Event) {
        self.planned += 1;
        self.heap.push(Reverse((at, self.planned, event)));
    }

    /// Runs until every program is done. Answers how long it took.
    pub fn run(&mut self) -> Result<Picos, Failure> {
        for client in 0..self.clients.len() {
            self.act(client)?;
        }
        while self.step()? {}
        match self.clients.iter().position(|client| !client.program.is_done()) {
            Some(client) => Err(Failure::Stalled { client, pending: self.clients[client].peer.pending() }),
            None => Ok(self.now),
        }
    }

    /// Runs until somebody is told to come again.
    pub fn run_until_not_ready(&mut self) -> Result<(), Failure> {
        for client in 0..self.clients.len() {
            self.act(client)?;
        }
        while self.not_ready() == 0 {
            if !self.step()? {
                return Err(Failure::SetUp("nobody was told to come again".to_owned()));
            }
        }
        Ok(())
    }

    /// The next event. Answers whether there was one.
    fn step(&mut self) -> Result<bool, Failure> {
        let Some(Reverse((at, _, event))) = self.heap.pop() else { return Ok(false) };
        self.now = at;
        match event {
            Event::Arrives(client, packet) => {
                let of = if self.made.turns { self.made.pid(client) } else { 0 };
                self.arrived.push(of, Waiting { since: self.now, client, packet });
                self.wake();
            }
            Event::Engine => self.engine(),
            Event::Executes(client, packet, charged) => {
                self.execute(client, &packet, at, charged);
                if charged > 0 {
                    let takes = self.made.costs.cycles(self.made.costs.ended);
                    self.engine_free = self.engine_free.max(at) + takes;
                    self.used.engine += takes;
                }
                self.wake();
            }
            Event::Acts(client) => self.act(client)?,
            Event::Reaches(client, packet) => {
                self.clients[client].peer.receive(at / 1_000, &packet);
                self.act(client)?;
            }
            Event::Sends(client) => self.sends(client),
        }
        Ok(true)
    }

    /// Where frames are, when all is quiet.
    pub fn board(&mut self) -> &mut Board {
        &mut self.board
    }
    /// The programs, when all is quiet.
    pub fn programs(&self) -> impl Iterator<Item = &P> {
        self.clients.iter().map(|client| &client.program)
    }
    /// What requests could not be done at once.
    pub fn not_ready(&self) -> u64 {
        let counters = self.responder.counters();
        use mneme_rdma::responder::Counter;
        counters.get(Counter::MemoryNotReady) + counters.get(Counter::QueueFull)
    }

    fn act(&mut self, client: usize) -> Result<(), Failure> {
        let own = &mut self.clients[client];
        while let Some(ended) = own.peer.ended()? {
            own.program.ended(self.now, ended)?;
        }
        own.program.act(self.now, &mut own.peer)?;
        if let Some(at) = own.program.next_time().filter(|at| *at > self.now && *at != own.acts) {
            own.acts = at;
            self.plan(at, Event::Acts(client));
        }
        self.tick(client);
        Ok(())
    }

    fn tick(&mut self, client: usize) {
        let own = &mut self.clients[client];
        if !std::mem::replace(&mut own.ticks, true) {
            let at = own.line_free.max(self.now);
            self.plan(at, Event::Sends(client));
        }
    }

    /// A client's line is free: the next packet goes on it, and through the switch onto the node's.
    fn sends(&mut self, client: usize) {
        let own = &mut self.clients[client];
        own.ticks = false;
        if self.now < own.line_free {
            return self.tick(client);
        }
        let mut packet = [0; PACKET_MAX];
        let Some(length) = own.peer.transmit(self.now / 1_000, &mut packet) else {
            // One that was not served is to come again; nothing else waits for a time.
            if let Some(at) = own.peer.next_time().filter(|at| at * 1_000 < self.now + SOON) {
                self.plan((at * 1_000).max(self.now + 1_000), Event::Sends(client));
            }
            return;
        };
        let takes = self.made.costs.line(length);
        own.line_free = self.now + takes;
        // The switch sends on while a frame comes: its last bit has the way behind it, and the node's line to itself.
        let there = (self.now + takes + self.made.costs.way).max(self.in_free + takes);
        self.in_free = there;
        self.count(0, length);
        let at = there + self.made.costs.cycles(self.made.costs.receive);
        self.plan(at, Event::Arrives(client, packet[..length].to_vec()));
        self.tick(client);
    }

    fn count(&mut self, direction: usize, length: usize) {
        self.used.packets[direction] += 1;
        self.used.bytes[direction] += self.made.costs.wire(length);
        self.used.lines[direction] += self.made.costs.line(length);
    }

    /// The engine is to look for work as soon as it is free.
    fn wake(&mut self) {
        if !std::mem::replace(&mut self.engine_planned, true) {
            let at = self.engine_free.max(self.now);
            self.plan(at, Event::Engine);
        }
    }

    /// The engine is free: it takes a packet or sends one, in turns. One thing is done at a time.
    fn engine(&mut self) {
        self.engine_planned = false;
        if self.now < self.engine_free {
            return self.wake();
        }
        self.turn = !self.turn;
        let mut steps: [fn(&mut Port<P>) -> bool; 2] = [Port::take, Port::answer];
        if !self.turn {
            steps.reverse();
        }
        if steps.into_iter().any(|step| step(self)) {
            self.wake();
        }
    }

    /// Moves beats, reading or writing; answers when the last has moved.
    fn moves(&mut self, from: Picos, beats: u64, writes: bool) -> Picos {
        let takes = self.made.costs.cycles(beats);
        let way = usize::from(writes && !self.made.costs.shared);
        self.memory_free[way] = self.memory_free[way].max(from) + takes;
        self.used.memory += takes;
        self.memory_free[way]
    }

    fn spent(&mut self) -> Beats {
        let spent = self.board.spent();
        let all = &mut self.used.beats;
        all.read += spent.read;
        all.written += spent.written;
        all.entries_read += spent.entries_read;
        all.entries_written += spent.entries_written;
        all.ring += spent.ring;
        spent
    }

    /// The engine takes a packet.
    fn take(&mut self) -> bool {
        let Some(Waiting { since, client, packet }) = self.arrived.pop() else { return false };
        let (now, costs) = (self.now, self.made.costs);
        if client == 0 {
            self.waited.push(now - since);
        }
        let header = packet.first_chunk().map(|header| Bth::from_bytes(header).0);
        let opcode = header.and_then(|bth| Opcode::from_number(bth.opcode));
        // What answers a reply is the requester's, a unit of its own.
        if opcode.is_some_and(Opcode::is_response) {
            self.execute(client, &packet, now, 0);
            return true;
        }
        let begins = now + costs.cycles(costs.request);
        if costs.overlaps {
            // The state machine does everything at once: it is asked when the accesses have ended, in the order of packets.
            let (entries, written) = expected(opcode, packet.len(), self.made.way);
            let found = begins + costs.cycles(entries * (1 + costs.memory));
            let ends = match written {
                0 => found,
                _ => self.moves(found, written, true) + costs.cycles(costs.memory),
            };
            self.executed = self.executed.max(ends);
            self.plan(self.executed, Event::Executes(client, packet, written));
            self.engine_free = begins;
        } else {
            self.engine_free = self.execute(client, &packet, begins, 0);
        }
        self.used.engine += self.engine_free - now;
        true
    }

    /// A packet is executed, and what of its accesses is not charged yet is charged from a time on: lines of entries come before what
    /// they lead to; what is written has ended when memory says so. Answers when.
    fn execute(&mut self, client: usize, packet: &[u8], from: Picos, charged: u64) -> Picos {
        let costs = self.made.costs;
        let arrival = Arrival { source: address(client), congested: false, transport: packet };
        let mut door = Door { frames: &mut self.board, pairs: &mut self.pairs };
        door.receive(&mut self.responder, self.now / 1_000, &arrival);
        let spent = self.spent();
        let mut at = from;
        for _ in 0..spent.entries_read {
            at = self.moves(at, 1, false) + costs.cycles(costs.memory);
        }
        // The ring's lines are fetched before they are needed, and written behind: they take beats, and nobody waits.
        self.moves(at, spent.ring, true);
        if spent.read > 0 {
            at = self.moves(at, spent.read, false) + costs.cycles(costs.memory);
        }
        let writes = (spent.written + spent.entries_written).saturating_sub(charged);
        if writes > 0 {
            at = self.moves(at, writes, true) + costs.cycles(costs.memory);
        }
        at
    }

    /// A packet is made; data comes beside, and leaves while it comes.
    fn answer(&mut self) -> bool {
        let at = self.out_free.saturating_sub(self.made.costs.ahead());
        if at > self.now {
            if self.arrived.is_empty() && !std::mem::replace(&mut self.engine_planned, true) {
                self.plan(at, Event::Engine);
            }
            return false;
        }
        let (now, costs, mut packet) = (self.now, self.made.costs, [0; PACKET_MAX]);
        let mut door = Door { frames: &mut self.board, pairs: &mut self.pairs };
        let Some(sent) = door.poll_transmit(&mut self.responder, now / 1_000, &mut packet) else {
            return false;
        };
        let spent = self.spent();
        let mut ready = now + costs.cycles(costs.answer);
        self.engine_free = ready;
        self.used.engine += costs.cycles(costs.answer);
        for _ in 0..spent.entries_read {
            ready = self.moves(ready, 1, false) + costs.cycles(costs.memory);
        }
        // Accesses that waited for their turn behind READs end with the answer.
        self.moves(ready, spent.ring + spent.entries_written + spent.written, true);
        if spent.read > 0 {
            let last = self.moves(ready, spent.read, false);
            ready = last - costs.cycles(spent.read) + costs.cycles(costs.memory);
        }
        let begins = (ready + costs.cycles(costs.transmit)).max(self.out_free);
        let ends = begins + costs.line(sent.length);
        self.out_free = ends;
        self.count(1, sent.length);
        let client = usize::from(sent.destination[3]);
        self.plan(ends + costs.way, Event::Reaches(client, packet[..sent.length].to_vec()));
        true
    }
}

/// Lines of entries that a packet waits for, and beats that it writes.
fn expected(opcode: Option<Opcode>, length: usize, way: Way) -> (u64, u64) {
    let entries = u64::from(way != Way::Static);
    match opcode {
        // A store is done with its message's last packet.
        Some(Opcode::SendLast) => (entries, FRAME / 64),
        // Headers of 28 bytes.
        Some(Opcode::WriteOnly) => (entries, (length as u64 - 28) / 64),
        Some(Opcode::SendOnly) => (entries, 0),
        _ => (0, 0),
    }
}
