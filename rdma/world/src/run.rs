//! One run: from a seed to a report, or to what went wrong.
use mneme_rdma::codec::PathMtu;
use mneme_rdma::requester::{Requester, RequesterConfig, Seen};
use mneme_rdma::responder::{Counter, QueuePairConfig, Responder};
use mneme_wire::frame::Endpoints;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Time;
use crate::client::{Client, first_psn, open};
use crate::events::Events;
use crate::failure::Failure;
use crate::memory::{Areas, Change, SHARED_WORDS};
use crate::network::{Happened, Network, Rates};
use crate::program::Program;
use crate::server::{Server, qpn};

/// How soon a server looks again for memory that was not ready.
const LOOK_AGAIN: Time = 3_000;

/// What a run is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Everything follows from it.
    pub seed: u64,
    /// Clients, 1 to 3 in a drawn plan.
    pub clients: usize,
    /// Operations of each client.
    pub operations: usize,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// What happens to frames.
    pub rates: Rates,
    /// How often memory is not ready, of 1.
    pub not_ready: f64,
    /// How often somebody forges a packet of the client beside one that it sends, of 1. The forger knows everything but keys.
    pub forgeries: f64,
    /// Queue pairs drop what would end others.
    pub hardened: bool,
}

impl Plan {
    /// A plan drawn from a seed: every rate is 0 in one of three plans, else up to a tenth.
    pub fn of(seed: u64) -> Plan {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rate = || if rng.random_bool(0.33) { 0.0 } else { rng.random_range(0.0..=0.1) };
        let rates =
            Rates { loss: rate(), duplication: rate(), reorder: rate(), damage: rate(), congestion: rate() };
        let not_ready = rate() / 2.0;
        let forgeries = rate();
        Plan {
            forgeries,
            hardened: forgeries > 0.0,
            seed,
            clients: rng.random_range(1..=3),
            operations: rng.random_range(20..=80),
            path_mtu: PathMtu::from_code(rng.random_range(1..=5)).unwrap_or_default(),
            rates,
            not_ready,
        }
    }
}

/// Gives something a defect.
pub type Plant<T> = Box<dyn Fn(&mut T)>;

/// Defects for a run.
#[derive(Default)]
pub struct Plants {
    /// Done to the responder.
    pub responder: Option<Plant<Responder>>,
    /// Done to each requester.
    pub requester: Option<Plant<Requester<Vec<u8>>>>,
    /// Nobody looks at ICRC and other checks of frames.
    pub trusting: bool,
}

/// What a run has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Operations, each done once.
    pub operations: usize,
    /// What the network did.
    pub network: Happened,
    /// Frames that no check let through.
    pub dropped: u64,
    /// Congestion notifications that came.
    pub notified: u64,
    /// Forged packets.
    pub forged: u64,
    /// Packets that would have ended a queue pair that is not hardened.
    pub hardened: u64,
    /// What requesters saw, all together.
    pub seen: Seen,
    /// Nanoseconds of virtual time.
    pub took: Time,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    ToServer(Vec<u8>),
    ToClient(usize, Vec<u8>),
    ServerTick,
    ClientTick(usize),
    Repost(usize),
}

struct World {
    events: Events<Event>,
    server: Server,
    clients: Vec<Client>,
    rng: ChaCha8Rng,
    trusting: bool,
    client_dropped: u64,
    forgeries: f64,
    forged: u64,
    /// Frames come, once each and in order, and memory is ready.
    in_order: bool,
}

/// Runs a plan.
///
/// # Errors
/// What went wrong first.
pub fn run(plan: &Plan) -> Result<Report, Failure> {
    run_planted(plan, &Plants::default())
}

/// Runs a plan with defects.
///
/// # Errors
/// What went wrong first.
pub fn run_planted(plan: &Plan, plants: &Plants) -> Result<Report, Failure> {
    let mut world = World::new(plan, plants)?;
    for client in 0..plan.clients {
        world.tick_client(client, 0);
    }
    while let Some(event) = world.events.next() {
        world.happen(event)?;
    }
    world.judge()
}

impl World {
    fn new(plan: &Plan, plants: &Plants) -> Result<World, Failure> {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed ^ 0x7264_6d61);
        let mut part = || ChaCha8Rng::seed_from_u64(rng.random());
        let memory = Areas::new(plan.clients, plan.not_ready, part());
        let network = Network::new(plan.rates, part());
        let address = |client: usize| [10, 0, 0, 10 + client as u8];
        let endpoints: Vec<_> = (0..plan.clients)
            .map(|client| Endpoints {
                src_ip: address(client),
                dst_ip: [10, 0, 0, 1],
                src_port: 49_152 + client as u16,
                ..Endpoints::default()
            })
            .collect();
        let mut programs = Vec::new();
        for _ in 0..plan.clients {
            programs.push(part());
        }
        let psns: Vec<_> = (0..plan.clients).map(|_| first_psn(rng.random())).collect();
        let configs: Vec<_> = (0..plan.clients)
            .map(|client| QueuePairConfig {
                pid: 1,
                path_mtu: plan.path_mtu,
                hardened: plan.hardened,
                ..QueuePairConfig::new(qpn(client), address(client), 0x200 + client as u32, psns[client])
            })
            .collect();
        let mut server = Server::new(memory, endpoints.clone(), &configs)?;
        if let Some(plant) = &plants.responder {
            plant(&mut server.responder);
        }
        let mut clients = Vec::new();
        for (client, program) in programs.into_iter().enumerate() {
            let keys = server.register(client, rng.random())?;
            let mut requester = Requester::new(RequesterConfig {
                path_mtu: plan.path_mtu,
                timeout: 500_000,
                // Losses of a tenth each way would use up the seven of real networks now and then.
                retries: 100,
                queue: 24,
                ..RequesterConfig::new(qpn(client), psns[client])
            });
            if let Some(plant) = &plants.requester {
                plant(&mut requester);
            }
            let program = Program::new(client, plan.clients, keys, plan.path_mtu, program);
            clients.push(Client::new(client, endpoints[client], requester, program, plan.operations));
        }
        Ok(World {
            events: Events::new(network),
            server,
            clients,
            rng,
            trusting: plants.trusting,
            client_dropped: 0,
            forgeries: plan.forgeries,
            forged: 0,
            in_order: plan.rates == Rates::NONE && plan.not_ready == 0.0 && plan.forgeries == 0.0,
        })
    }

    fn tick_client(&mut self, client: usize, at: Time) {
        if let Some(at) = self.clients[client].tick.plan(at) {
            self.events.plan(at, Event::ClientTick(client));
        }
    }

    fn tick_server(&mut self, at: Time) {
        if let Some(at) = self.server.tick.plan(at) {
            self.events.plan(at, Event::ServerTick);
        }
    }

    fn happen(&mut self, event: Event) -> Result<(), Failure> {
        let now = self.events.now;
        match event {
            Event::ToServer(frame) => {
                self.server.receive(now, &frame, self.trusting);
                for client in self.server.take_messages(&mut self.clients)? {
                    let late = if self.rng.random_bool(0.3) { self.rng.random_range(0..100_000) } else { 0 };
                    self.events.plan(now + late, Event::Repost(client));
                }
                self.tick_server(now);
            }
            Event::ToClient(client, frame) => {
                match open(&frame, self.trusting) {
                    Some((transport, ..)) => self.clients[client].receive(now, transport)?,
                    None => self.client_dropped += 1,
                }
                self.tick_client(client, now);
            }
            Event::Repost(client) => self.server.repost(client)?,
            Event::ServerTick if self.server.tick.comes(now) => match self.server.transmit(now)? {
                Some((client, frame)) => {
                    self.events.send(frame, |frame| Event::ToClient(client, frame));
                    self.server.tick.sends(now);
                    self.tick_server(now);
                }
                None if !self.server.responder.is_idle() => self.tick_server(now + LOOK_AGAIN),
                None => {}
            },
            Event::ClientTick(client) if self.clients[client].tick.comes(now) => self.client(client)?,
            Event::ServerTick | Event::ClientTick(_) => {}
        }
        Ok(())
    }

    fn client(&mut self, number: usize) -> Result<(), Failure> {
        let now = self.events.now;
        let client = &mut self.clients[number];
        client.post();
        let frame = client.transmit(now)?;
        client.completions()?;
        let next = client.requester.next_time();
        match frame {
            Some(frame) => {
                self.events.send(frame, Event::ToServer);
                if self.rng.random_bool(self.forgeries) {
                    self.forged += 1;
                    let forged = self.server.forge(number, &self.clients[number].endpoints, &mut self.rng)?;
                    let at = now + self.rng.random_range(0..3_000);
                    self.events.plan(at, Event::ToServer(forged));
                }
                self.clients[number].tick.sends(now);
                self.tick_client(number, now);
            }
            None => {
                if let Some(at) = next {
                    self.tick_client(number, at.max(now + 1));
                }
            }
        }
        Ok(())
    }

    /// Compares what there is at the end, when the last copy of the last frame has come.
    fn judge(self) -> Result<Report, Failure> {
        for client in &self.clients {
            if !client.is_done() {
                let pending = client.requester.pending() + client.left;
                return Err(Failure::Stalled { client: client.number, pending });
            }
            let overtaken = client.requester.seen().implied_gaps;
            if self.in_order && overtaken > 0 {
                return Err(Failure::Overtaken { client: client.number, count: overtaken });
            }
            if !client.program.messages.is_empty() {
                return Err(Failure::Lost { client: client.number, count: client.program.messages.len() });
            }
            // WRITEs keep their order and atomics keep theirs; one of either may overtake the other (table 79 of the standard).
            for writes in [true, false] {
                let of = |changes: &'_ [Change]| -> Vec<Change> {
                    let wanted = |change: &&Change| matches!(change, Change::Write { .. }) == writes;
                    changes.iter().filter(wanted).cloned().collect()
                };
                let (expected, made) =
                    (of(&client.program.changes), of(&self.server.memory.changes[client.number]));
                let same = expected.iter().zip(&made).take_while(|(a, b)| a == b).count();
                if same != expected.len() || same != made.len() {
                    let (client, expected, made) = (client.number, expected.len(), made.len());
                    return Err(Failure::Changes { client, at: same, expected, made });
                }
            }
            let bytes = self.server.memory.bytes(client.number);
            if let Some(at) = bytes.iter().zip(client.program.picture()).position(|(a, b)| a != b) {
                return Err(Failure::Memory { client: client.number, at });
            }
        }
        self.judge_shared()?;
        let mut report = Report {
            network: self.events.network.happened,
            dropped: self.server.dropped + self.client_dropped,
            took: self.events.now,
            forged: self.forged,
            hardened: self.server.responder.counters().get(Counter::Hardened),
            ..Report::default()
        };
        for client in &self.clients {
            report.operations += client.completed;
            report.notified += client.notified;
            report.seen = sum(report.seen, client.requester.seen());
        }
        Ok(report)
    }

    fn judge_shared(&self) -> Result<(), Failure> {
        let words = self.server.memory.bytes(self.clients.len());
        for word in 0..SHARED_WORDS {
            let is = u64::from_le_bytes(words[8 * word..8 * word + 8].try_into().unwrap_or_default());
            let added: u64 = self.clients.iter().map(|client| client.program.added[word]).sum();
            let found = self.clients.iter().flat_map(|client| &client.found);
            let mut found: Vec<u64> =
                found.filter(|(own, _)| *own == word).map(|(_, found)| *found).collect();
            found.sort_unstable();
            if is != added || !found.into_iter().eq(0..added) {
                return Err(Failure::Shared { word, added, is });
            }
        }
        Ok(())
    }
}

fn sum(a: Seen, b: &Seen) -> Seen {
    Seen {
        sent: a.sent + b.sent,
        sent_again: a.sent_again + b.sent_again,
        timeouts: a.timeouts + b.timeouts,
        gaps: a.gaps + b.gaps,
        implied_gaps: a.implied_gaps + b.implied_gaps,
        not_ready: a.not_ready + b.not_ready,
        stale: a.stale + b.stale,
        malformed: a.malformed + b.malformed,
    }
}
