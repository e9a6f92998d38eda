//! Boards, a switch and hosts in virtual time.
//!
//! Each host and each board hangs at a port of one switch: a link of 10 Gbit/s with a queue of its own towards it, which loses what
//! it cannot hold. Faults strike each frame on its way, by the seed.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use mneme_model::node::{CYCLE_NS, Node, NodeError, Slow};
use mneme_model::port::NetworkPort;
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Time;

/// From a port into the switch and out of it again.
const FLIGHT: Time = 1_000;
/// Nanoseconds of a byte on a link, in thousandths: 10 Gbit/s.
const BYTE_PS: u64 = 800;
/// Bytes on the wire besides a frame's own: preamble, check sequence, gap.
const FRAME_EXTRA: u64 = 24;
/// Bytes that wait for a link of the switch.
const SWITCH_BYTES: u64 = 128 << 10;
/// Datagrams that a host holds for a client that does not look.
const MAILBOX: usize = 1024;
/// Board cycles between two looks at a board that works.
const SLICE: u64 = 64;

/// What happens to frames, as shares of all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Faults {
    /// Vanish.
    pub lost: f64,
    /// Come twice.
    pub doubled: f64,
    /// Come later than those behind them.
    pub late: f64,
    /// Come so late that the board's window is over.
    pub very_late: f64,
    /// Come with a bit flipped.
    pub damaged: f64,
}

/// Where a frame is bound for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum To {
    Board(usize),
    Host(usize),
}

/// Frames on the way, the first that arrives on top.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    at: Time,
    /// Of two at the same time, the one that was sent first.
    number: u64,
    to: To,
    frame: Vec<u8>,
    bad_fcs: bool,
}

/// A board and its place in time.
struct Place<F> {
    node: Node<F>,
    endpoints: Endpoints,
    epochs: MemoryEpochs,
    /// World time less the board's own.
    ahead: i128,
    paused_until: Time,
}

/// What a host has got.
#[derive(Default)]
struct Host {
    datagrams: VecDeque<(Time, Vec<u8>)>,
    /// Bound: another port than the client's before it restarted is closed.
    port: u16,
}

/// Makes a freshly reset board, of a number.
pub type MakeBoard<F> = Box<dyn Fn(usize) -> F + Send>;

/// What is done to the slow path of each board that comes up.
pub type PlantSlow = Box<dyn Fn(&Slow) + Send>;

/// Everything but the clients.
pub struct World<F> {
    now: Time,
    random: ChaCha8Rng,
    /// What strikes frames now.
    pub faults: Faults,
    /// Packets have trailers.
    pub covered: bool,
    /// Longer than the boards' window.
    very_late: Time,
    make: MakeBoard<F>,
    plant: PlantSlow,
    boards: Vec<Place<F>>,
    hosts: Vec<Host>,
    arrivals: BinaryHeap<Reverse<Arrival>>,
    /// When the link of the switch towards a port is free again.
    links: HashMap<To, Time>,
    frames: u64,
    /// Frames that the switch or a host had no room for.
    pub overflowed: u64,
}

impl<F: FastPath + NetworkPort> World<F> {
    /// A world of boards that are up.
    pub fn new(
        seed: u64,
        boards: usize,
        very_late: Time,
        (make, plant): (MakeBoard<F>, PlantSlow),
    ) -> Result<World<F>, NodeError> {
        let mut world = World {
            now: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
            faults: Faults::default(),
            covered: false,
            very_late,
            make,
            plant,
            boards: Vec::new(),
            hosts: Vec::new(),
            arrivals: BinaryHeap::new(),
            links: HashMap::new(),
            frames: 0,
            overflowed: 0,
        };
        for number in 0..boards {
            let place = world.boot(number, MemoryEpochs::default())?;
            world.boards.push(place);
        }
        Ok(world)
    }
    fn boot(&mut self, number: usize, mut epochs: MemoryEpochs) -> Result<Place<F>, NodeError> {
        let mut fast = (self.make)(number);
        let mut config = Node::config(&mut fast, 1, [number as u8 + 1; 32]);
        config.ip[3] = number as u8 + 1;
        config.board_id = number as u64 + 1;
        config.busy_hint_ns = 1_000;
        let endpoints = Endpoints {
            src_mac: [2, 0, 0, 0, 0, 0],
            dst_mac: config.mac,
            src_ip: [10, 78, 0, 0],
            dst_ip: config.ip,
            src_port: 0,
            dst_port: config.udp_port,
        };
        let mut node = Node::boot(fast, config, &mut epochs)?;
        (self.plant)(node.slow());
        let ahead = i128::from(self.now) - i128::from(node.fast().cycles() * CYCLE_NS);
        Ok(Place { node, endpoints, epochs, ahead, paused_until: 0 })
    }
    /// Virtual time.
    pub fn now(&self) -> Time {
        self.now
    }
    /// A board loses everything but its epoch and comes up again.
    pub fn restart_board(&mut self, number: usize) -> Result<(), NodeError> {
        let epochs = self.boards[number].epochs.clone();
        self.boards[number] = self.boot(number, epochs)?;
        Ok(())
    }
    /// A board stands still; its time stands still with it.
    pub fn pause_board(&mut self, number: usize, until: Time) {
        self.boards[number].paused_until = until;
    }
    /// Looks at a board.
    pub fn board(&mut self, number: usize) -> &mut Node<F> {
        &mut self.boards[number].node
    }
    /// A new host; its number.
    pub fn add_host(&mut self) -> usize {
        self.hosts.push(Host::default());
        self.hosts.len() - 1
    }
    /// A client on the host binds a port to talk to a board: from now on, nothing for an earlier port reaches it.
    pub fn bind(&mut self, host: usize, port: u16, board: usize) -> Endpoints {
        self.hosts[host] = Host { datagrams: VecDeque::new(), port };
        let [high, low] = (host as u16 + 1).to_be_bytes();
        Endpoints {
            src_mac: [2, 0, 0, 1, high, low],
            src_ip: [10, 78, high, low],
            src_port: port,
            ..self.boards[board].endpoints
        }
    }
    /// A datagram for a host's client, if one is there, with the time when it came.
    pub fn take(&mut self, host: usize) -> Option<(Time, Vec<u8>)> {
        self.hosts[host].datagrams.pop_front()
    }

    /// A host sends.
    pub fn send(&mut self, board: usize, endpoints: Endpoints, datagram: &[u8]) {
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        if (UdpFrame { endpoints, datagram }).emit(true, &mut frame).is_ok() {
            self.carry(To::Board(board), frame, false);
        }
    }

    /// Puts a frame onto its way, through all that can befall it.
    fn carry(&mut self, to: To, frame: Vec<u8>, bad_fcs: bool) {
        let Faults { lost, doubled, late, very_late, damaged } = self.faults;
        // Drawn for each frame alike, so that one that is lost changes nothing for the next.
        let [a, b, c, d, e]: [f64; 5] = self.random.random();
        let extra = self.random.random_range(2_000..60_000);
        let (bit, caught) = (self.random.random_range(0..frame.len() * 8), self.random.random_bool(0.5));
        if a < lost {
            return;
        }
        let delay = match () {
            () if d < very_late => self.very_late + extra,
            () if c < late => extra,
            () => 0,
        };
        let (mut frame, mut bad_fcs) = (frame, bad_fcs);
        if b < doubled {
            self.queue(to, frame.clone(), bad_fcs, extra / 2);
        }
        if e < damaged {
            // Half of them in a switch, which makes the check sequence anew: the checksums within must find it. Answers of a
            // board have none, unless they have a trailer.
            let covered = matches!(to, To::Board(_)) || self.covered;
            let hidden = covered && !caught && bit >= 8 * MNEME_OFFSET;
            frame[bit / 8] ^= 1 << (bit % 8);
            bad_fcs |= !hidden;
        }
        self.queue(to, frame, bad_fcs, delay);
    }
    fn queue(&mut self, to: To, frame: Vec<u8>, bad_fcs: bool, delay: Time) {
        let enters = self.now + FLIGHT + delay;
        let link = self.links.entry(to).or_default();
        let begins = enters.max(*link);
        if delay == 0 && (begins - enters) * 1000 / BYTE_PS > SWITCH_BYTES {
            self.overflowed += 1;
            return;
        }
        let at = begins + (frame.len() as u64 + FRAME_EXTRA) * BYTE_PS / 1000;
        if delay == 0 {
            *link = at;
        }
        self.frames += 1;
        self.arrivals.push(Reverse(Arrival { at, number: self.frames, to, frame, bad_fcs }));
    }

    /// Lets time pass; ends early when something comes for `host`.
    pub fn pass(&mut self, until: Time, host: Option<usize>) {
        while self.now < until {
            let first = self.arrivals.peek().map_or(Time::MAX, |Reverse(arrival)| arrival.at);
            let works = (0..self.boards.len()).any(|n| self.runs(n) && !self.boards[n].node.idle());
            let slice = if works { self.now + SLICE * CYCLE_NS } else { Time::MAX };
            let next = until.min(slice).min(first.max(self.now + 1));
            self.now = next;
            for number in 0..self.boards.len() {
                self.run_board(number);
            }
            while let Some(Reverse(arrival)) = self.arrivals.peek()
                && arrival.at <= self.now
            {
                let Some(Reverse(arrival)) = self.arrivals.pop() else { break };
                self.deliver(arrival);
            }
            if host.is_some_and(|host| !self.hosts[host].datagrams.is_empty()) {
                return;
            }
        }
    }
    fn runs(&self, board: usize) -> bool {
        self.boards[board].paused_until <= self.now
    }
    /// Brings a board up to now and takes what it has sent.
    fn run_board(&mut self, number: usize) {
        let now = self.now;
        let place = &mut self.boards[number];
        let own = place.node.fast().cycles();
        if now < place.paused_until {
            place.ahead = i128::from(now) - i128::from(own * CYCLE_NS);
            return;
        }
        let target = ((i128::from(now) - place.ahead).max(0) / i128::from(CYCLE_NS)) as u64;
        if target > own {
            place.node.run(target - own);
        }
        let mut sent = Vec::new();
        while let Some(frame) = place.node.poll() {
            sent.push(frame);
        }
        for frame in sent {
            let Ok(UdpFrame { endpoints, .. }) = UdpFrame::parse(&frame.bytes) else { continue };
            let host = usize::from(u16::from_be_bytes([endpoints.dst_ip[2], endpoints.dst_ip[3]]));
            if host >= 1 && host <= self.hosts.len() {
                self.carry(To::Host(host - 1), frame.bytes, frame.bad_fcs);
            }
        }
    }
    fn deliver(&mut self, arrival: Arrival) {
        let Arrival { to, frame, bad_fcs, .. } = arrival;
        match to {
            To::Board(number) => {
                // A port that is busy loses the frame, like a full switch.
                let taken = self.boards[number].node.fast().ingress(&frame, bad_fcs).is_ok();
                self.overflowed += u64::from(!taken);
            }
            To::Host(number) => {
                let parsed = UdpFrame::parse(&frame).ok().filter(|_| !bad_fcs);
                let Some(UdpFrame { endpoints, datagram }) = parsed else { return };
                let now = self.now;
                let host = &mut self.hosts[number];
                if host.port != endpoints.dst_port {
                    return;
                }
                if host.datagrams.len() < MAILBOX {
                    host.datagrams.push_back((now, datagram.to_vec()));
                } else {
                    self.overflowed += 1;
                }
            }
        }
    }
}
