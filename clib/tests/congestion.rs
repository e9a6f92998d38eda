//! Many clients, one bottleneck: a link with a queue of bounded length in front of the board (incast to the memory
//! node, Clio §4.4). Event-driven, in virtual time, one seed one run.
use mneme_clib::transport::{Call, Payload, Place, Transport};
use mneme_clib::{BoardInfo, TransportConfig};
use mneme_wire::{Opcode, Packet, Pid, Request, Response, Tick, Va};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::time::Duration;

const US: Duration = Duration::from_micros(1);
/// Payload of each read.
const LENGTH: u16 = 1_024;
/// What the bottleneck takes for a packet: 1 KB at about 10 Gbit/s.
const SERVICE: Duration = Duration::from_nanos(880);
/// From the bottleneck to the client and back, without any queue.
const PATH: Duration = Duration::from_micros(8);
/// Packets that may wait at the bottleneck; more are lost.
const QUEUE: usize = 256;

/// Takes the next datagram that is due.
fn transmit(transport: &mut Transport, now: Duration, datagram: &mut Vec<u8>) -> bool {
    let sent = transport.transmit(now, &(), |length, fill| {
        datagram.resize(length, 0);
        fill(datagram);
        Ok::<(), std::convert::Infallible>(())
    });
    sent.unwrap_or_default()
}

struct Client {
    transport: Transport,
    /// When it wants to be asked again, unless an answer comes before.
    asks: Duration,
    done: u64,
    failed: u64,
}

struct World {
    now: Duration,
    clients: Vec<Client>,
    /// Requests on their way to the bottleneck, in order of arrival: when, whose, what.
    to_board: VecDeque<OnTheWay>,
    queue: VecDeque<(usize, Request)>,
    free_at: Duration,
    to_client: VecDeque<OnTheWay>,
    lost: u64,
    longest_queue: usize,
}

impl World {
    fn new(clients: usize, config: &TransportConfig, seed: u64) -> World {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let board = BoardInfo {
            window: 400,
            ns_per_tick: 1_000,
            epoch: 1,
            page_bits: 22,
            max_payload: LENGTH,
            ..BoardInfo::default()
        };
        let client = |_| {
            let mut transport = Transport::new(config.clone(), rng.random());
            transport.learn(board, Duration::ZERO);
            Client { transport, asks: Duration::ZERO, done: 0, failed: 0 }
        };
        World {
            now: Duration::ZERO,
            clients: (0..clients).map(client).collect(),
            to_board: VecDeque::new(),
            queue: VecDeque::new(),
            free_at: Duration::ZERO,
            to_client: VecDeque::new(),
            lost: 0,
            longest_queue: 0,
        }
    }
    /// A client keeps as many reads asked for as its transport holds, and sends what it may.
    fn work(&mut self, number: usize) {
        let client = &mut self.clients[number];
        while let Some((_, result)) = client.transport.finished() {
            match result {
                Ok(_) => client.done += 1,
                Err(_) => client.failed += 1,
            }
        }
        while client.transport.has_room() {
            let (pid, va) = (Pid::from_low_bits(1), Va::from_low_bits(0));
            let call = Call {
                opcode: Opcode::Read,
                pid,
                epoch: 1,
                va,
                length: LENGTH,
                payload: Payload::new(),
                place: Place::default(),
            };
            client.transport.start(call, self.now).expect("there is room");
        }
        client.transport.poll(self.now);
        let mut datagram = Vec::new();
        while transmit(&mut client.transport, self.now, &mut datagram) {
            let request = Request::parse(&Packet::new_checked(&datagram[..]).unwrap()).unwrap();
            self.to_board.push_back((self.now + PATH / 2, number, request));
        }
        client.asks = client.transport.deadline(self.now).expect("reads are under way");
    }
    /// Lets time pass to the next event.
    fn step(&mut self) {
        let arrival = self.to_board.front().map(|(at, ..)| *at);
        let service = (!self.queue.is_empty()).then_some(self.free_at);
        let answer = self.to_client.front().map(|(at, ..)| *at);
        let timers = self.clients.iter().map(|client| client.asks).min();
        let next = [arrival, service, answer, timers].into_iter().flatten().min().expect("something goes on");
        // A deadline that has passed already means: ask again.
        self.now = next.max(self.now);
        while let Some((_, number, request)) = due(&mut self.to_board, self.now) {
            if self.queue.len() < QUEUE {
                self.queue.push_back((number, request));
                self.free_at = self.free_at.max(self.now);
            } else {
                self.lost += 1;
            }
        }
        self.longest_queue = self.longest_queue.max(self.queue.len());
        while self.free_at <= self.now
            && let Some((number, request)) = self.queue.pop_front()
        {
            self.free_at += SERVICE;
            self.to_client.push_back((self.free_at + PATH / 2, number, request));
        }
        while let Some((_, number, request)) = due(&mut self.to_client, self.now) {
            let tick = Tick::from_low_bits(self.now.as_micros() as u32);
            let mut bytes = Response::ok(&request, tick, LENGTH).to_bytes().to_vec();
            bytes.resize(bytes.len() + usize::from(LENGTH), 0);
            self.clients[number].transport.receive(self.now, &bytes, &mut ());
            self.clients[number].asks = self.now;
        }
        for number in 0..self.clients.len() {
            if self.clients[number].asks <= self.now {
                self.work(number);
            }
        }
    }
    fn run(&mut self, until: Duration) {
        while self.now < until {
            self.step();
        }
    }
    /// What each client got since `before`.
    fn shares(&self, before: &[u64]) -> Vec<f64> {
        self.clients.iter().zip(before).map(|(client, before)| (client.done - before) as f64).collect()
    }
}

type OnTheWay = (Duration, usize, Request);

fn due(way: &mut VecDeque<OnTheWay>, now: Duration) -> Option<OnTheWay> {
    if way.front()?.0 <= now { way.pop_front() } else { None }
}

/// Jain's index: 1 when all have the same, 1/n when one has everything.
fn jain(shares: &[f64]) -> f64 {
    let (sum, squares) = shares.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
    sum * sum / (shares.len() as f64 * squares)
}

fn config() -> TransportConfig {
    TransportConfig {
        packets_in_flight: 32,
        target_rtt: 50 * US,
        paces: true,
        first_timeout: 2_000 * US,
        min_timeout: 1_000 * US,
        max_timeout: 10_000 * US,
        ..TransportConfig::board_time()
    }
}

/// Clients at one bottleneck: after a while its capacity is used, nothing is lost, everyone gets the same.
fn incast(clients: usize) -> World {
    let mut world = World::new(clients, &config(), 7);
    world.run(50_000 * US);
    let before: Vec<u64> = world.clients.iter().map(|client| client.done).collect();
    let (lost, began) = (world.lost, world.now);
    world.longest_queue = 0;
    world.run(began + 150_000 * US);
    let shares = world.shares(&before);
    let capacity = 150_000.0 * US.as_secs_f64() / SERVICE.as_secs_f64();
    let used = shares.iter().sum::<f64>() / capacity;
    assert!(used > 0.9, "{clients} clients use {used:.3} of the bottleneck");
    assert_eq!(world.lost, lost, "{clients} clients overflow the queue");
    let fairness = jain(&shares);
    assert!(fairness > 0.95, "{clients} clients: {fairness:.3}");
    assert!(world.clients.iter().all(|client| client.failed == 0));
    world
}

#[test]
fn one_client_fills_the_link_without_a_queue() {
    let world = incast(1);
    assert!(world.longest_queue < 64, "{}", world.longest_queue);
}

#[test]
fn thirty_two_clients_share_without_loss() {
    incast(32);
}

#[test]
fn with_more_clients_than_the_path_holds_windows_fall_below_one() {
    let world = incast(200);
    let paced = world.clients.iter().filter(|client| client.transport.congestion().requests() < 1.0).count();
    assert!(paced > 100, "{paced} of 200");
}

/// The bench can fail: windows that never shrink overflow the queue.
#[test]
fn without_congestion_control_the_queue_overflows() {
    let deaf = TransportConfig { target_rtt: Duration::from_secs(1), ..config() };
    let mut world = World::new(32, &deaf, 7);
    world.run(20_000 * US);
    assert!(world.lost > 1_000 || world.longest_queue == QUEUE, "{} lost", world.lost);
}

/// The incast window holds back answers, whatever the congestion window allows.
#[test]
fn expected_bytes_are_bounded() {
    let small = TransportConfig { incast_bytes: 3 * usize::from(LENGTH), ..config() };
    let mut world = World::new(1, &small, 7);
    world.run(20_000 * US);
    assert!(world.longest_queue <= 3, "{}", world.longest_queue);
    assert!(world.clients[0].done > 1_000);
}
