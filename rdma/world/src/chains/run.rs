//! One run: from a seed to a report, or to what went wrong.
use std::collections::BTreeMap;

use mneme_rdma::client::{ChainClient, ChainSetup, FunctionSetup};
use mneme_rdma::codec::profile::{Chain, Profile};
use mneme_rdma::codec::{Packet, PathMtu};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{ChainConfig, Leaf, NoMemory, Node, PagedCounters, ReplyOptions, SegmentConfig};
use mneme_rdma::requester::NotReadyRetries;
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX};
use mneme_wire::frame::Endpoints;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::client::{Host, PAGE};
use super::paper::Paper;
use crate::Time;
use crate::client::{first_psn, open, seal};
use crate::events::{Events, Tick};
use crate::failure::Failure;
use crate::network::{Happened, Network, Rates};

/// How soon a client looks again whether it can give frames back.
const LOOK_AGAIN: Time = 50_000;
/// The first frame's address.
const BASE: u64 = 0x1_0000;
/// Where clients say that their buffers lie.
const BUFFERS: u64 = 0x7000_0000;

/// What a run is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainPlan {
    /// Everything follows from it.
    pub seed: u64,
    /// Clients.
    pub clients: usize,
    /// Requests of each client.
    pub operations: usize,
    /// Requests of a client at a time.
    pub slots: usize,
    /// Pages of a client.
    pub entries: u32,
    /// Frames of all.
    pub frames: usize,
    /// Frames that one client may have.
    pub budget: u32,
    /// Frames that a client means to have.
    pub most: usize,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// Replies carry immediate data.
    pub immediate: bool,
    /// What happens to frames on the way.
    pub rates: Rates,
}

impl ChainPlan {
    /// A plan drawn from a seed: every rate is 0 in one of three plans, else up to a tenth. Frames and budgets are short in many.
    pub fn of(seed: u64) -> ChainPlan {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6f64_7270);
        let mut rate = || if rng.random_bool(0.33) { 0.0 } else { rng.random_range(0.0..=0.1) };
        let rates =
            Rates { loss: rate(), duplication: rate(), reorder: rate(), damage: rate(), congestion: rate() };
        let clients = rng.random_range(1..=3);
        let most = rng.random_range(3..=10);
        ChainPlan {
            seed,
            clients,
            operations: rng.random_range(30..=120),
            slots: rng.random_range(2..=6),
            entries: rng.random_range(12..=40),
            // A power of two or not, and not always enough for all.
            frames: (clients * most * rng.random_range(60..=110) / 100).max(2),
            budget: if rng.random_bool(0.5) { 1 << 20 } else { (most as u32 - 1).max(2) },
            most,
            path_mtu: PathMtu::from_code(rng.random_range(1..=5)).unwrap_or_default(),
            immediate: rng.random_bool(0.3),
            rates,
        }
    }
}

/// What a run has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChainReport {
    /// Requests, each done once.
    pub operations: usize,
    /// What the network did.
    pub network: Happened,
    /// What the node's tables have seen.
    pub node: PagedCounters,
    /// Messages that the paper's node was given.
    pub executed: u64,
    /// Nanoseconds of virtual time.
    pub took: Time,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    ToNode(Vec<u8>),
    ToHost(usize, Vec<u8>),
    NodeTick,
    HostTick(usize),
}

/// What the paper's node has written into a client's memory.
#[derive(Debug)]
struct Mirror {
    buffers: Vec<u8>,
    rkey: u32,
}

struct World {
    events: Events<Event>,
    node: Node<NoMemory>,
    node_tick: Tick,
    hosts: Vec<Host>,
    segments: Vec<u32>,
    paper: Paper,
    mirrors: Vec<Mirror>,
    /// Messages as they come, by queue pair.
    messages: BTreeMap<u32, Vec<u8>>,
    executed: u64,
    slots: usize,
}

fn qpn(client: usize, function: usize) -> u32 {
    0x100 + 4 * client as u32 + function as u32
}

/// Runs a plan.
///
/// # Errors
/// What went wrong first.
pub fn run_chains(plan: &ChainPlan) -> Result<ChainReport, Failure> {
    run_chains_planted(plan, &|_| {})
}

/// Runs a plan with a node that is given defects.
///
/// # Errors
/// What went wrong first.
pub fn run_chains_planted(
    plan: &ChainPlan,
    plant: &dyn Fn(&mut Node<NoMemory>),
) -> Result<ChainReport, Failure> {
    let mut world = World::new(plan)?;
    plant(&mut world.node);
    for host in 0..plan.clients {
        world.tick_host(host, 0);
    }
    while let Some(event) = world.events.next() {
        world.happen(event)?;
    }
    world.judge()
}

impl World {
    fn new(plan: &ChainPlan) -> Result<World, Failure> {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed ^ 0x6368_6169);
        let paper = Paper::new(BASE as usize, plan.frames, plan.clients, plan.entries as usize);
        let mut leaf = Leaf::new(BASE, plan.frames);
        let wrong = |error: &dyn std::fmt::Display| Failure::SetUp(error.to_string());
        leaf.push_run(BASE, plan.frames as u64).map_err(|error| wrong(&error))?;
        let mut node = Node::new(Limits::default(), NoMemory, leaf);
        let mut world_hosts = Vec::new();
        let (mut segments, mut mirrors) = (Vec::new(), Vec::new());
        for number in 0..plan.clients {
            let segment = SegmentConfig {
                pid: 1 + number as u32,
                va: 0x10_0000,
                entries: plan.entries,
                budget: plan.budget,
                access: Access::ALL,
            };
            let segment = node.memory.leaf.create(segment).map_err(|error| wrong(&error))?;
            segments.push(segment);
            let client = connect(plan, &mut node, (number, segment, paper.table_base(number)), &mut rng)?;
            mirrors.push(Mirror { buffers: vec![0; plan.slots * (PAGE + 8)], rkey: client.rkey() });
            let endpoints = Endpoints {
                src_ip: address(number),
                dst_ip: NODE,
                src_port: 49_152 + number as u16,
                ..Endpoints::default()
            };
            let part = ChaCha8Rng::seed_from_u64(rng.random());
            let most = (plan.most).min(plan.budget as usize + 1);
            world_hosts.push(Host::new(
                number,
                endpoints,
                client,
                (plan.entries, most),
                plan.operations,
                part,
            ));
        }
        Ok(World {
            events: Events::new(Network::new(plan.rates, ChaCha8Rng::seed_from_u64(rng.random()))),
            node,
            node_tick: Tick::default(),
            hosts: world_hosts,
            segments,
            paper,
            mirrors,
            messages: BTreeMap::new(),
            executed: 0,
            slots: plan.slots,
        })
    }

    fn tick_host(&mut self, host: usize, at: Time) {
        if let Some(at) = self.hosts[host].tick.plan(at) {
            self.events.plan(at, Event::HostTick(host));
        }
    }
    fn tick_node(&mut self, at: Time) {
        if let Some(at) = self.node_tick.plan(at) {
            self.events.plan(at, Event::NodeTick);
        }
    }

    fn happen(&mut self, event: Event) -> Result<(), Failure> {
        let now = self.events.now;
        match event {
            Event::ToNode(frame) => {
                self.at_node(&frame)?;
                self.tick_node(now);
            }
            Event::ToHost(host, frame) => {
                if let Some((transport, congested, source)) = open(&frame, false) {
                    let arrival = Arrival { source, congested, transport };
                    self.hosts[host].client.receive(now, &arrival);
                    self.hosts[host].completions()?;
                }
                self.tick_host(host, now);
            }
            Event::NodeTick if self.node_tick.comes(now) => self.node_sends()?,
            Event::HostTick(host) if self.hosts[host].tick.comes(now) => self.host_sends(host)?,
            Event::NodeTick | Event::HostTick(_) => {}
        }
        Ok(())
    }

    /// A frame comes to the node. What the node executes, the paper's node executes too.
    fn at_node(&mut self, frame: &[u8]) -> Result<(), Failure> {
        let Some((transport, congested, source)) = open(frame, false) else { return Ok(()) };
        let Ok(packet) = Packet::parse(transport) else { return Ok(()) };
        let qpn = packet.bth.dest_qp;
        let before = self.node.responder.progress(qpn);
        self.node.receive(self.events.now, &Arrival { source, congested, transport });
        let after = self.node.responder.progress(qpn);
        let (Some((psn, done)), Some((next, ended))) = (before, after) else { return Ok(()) };
        if psn == next {
            return Ok(());
        }
        let message = self.messages.entry(qpn).or_default();
        if packet.opcode.position().begins() {
            message.clear();
        }
        message.extend_from_slice(packet.payload);
        if done == ended {
            return Ok(());
        }
        let (client, function) = (((qpn - 0x100) / 4) as usize, ((qpn - 0x100) % 4) as usize);
        let profile = Profile::default_of(Chain::ALL[function]);
        let writes =
            self.paper.send(client, &profile, message).map_err(|_| Failure::Paper { client, function })?;
        self.executed += 1;
        let mirror = &mut self.mirrors[client];
        for write in writes {
            let at = (write.va.wrapping_sub(BUFFERS)) as usize;
            match mirror.buffers.get_mut(at..at.saturating_add(write.bytes.len())) {
                Some(place) if write.rkey == mirror.rkey => place.copy_from_slice(&write.bytes),
                _ => return Err(Failure::Paper { client, function }),
            }
        }
        Ok(())
    }

    fn node_sends(&mut self) -> Result<(), Failure> {
        let now = self.events.now;
        let mut packet = [0; PACKET_MAX];
        match self.node.poll_transmit(now, &mut packet) {
            Some(sent) => {
                let host = ((sent.qpn - 0x100) / 4) as usize;
                let frame = seal(&self.hosts[host].endpoints.reversed(), &packet[..sent.length])?;
                self.events.send(frame, |frame| Event::ToHost(host, frame));
                self.node_tick.sends(now);
                self.tick_node(now);
            }
            None => {
                if let Some(at) = self.node.next_time() {
                    self.tick_node(at.max(now + 1));
                }
            }
        }
        Ok(())
    }

    fn host_sends(&mut self, number: usize) -> Result<(), Failure> {
        let now = self.events.now;
        let host = &mut self.hosts[number];
        host.act(self.slots)?;
        let mut packet = [0; PACKET_MAX];
        let sent = host.client.poll_transmit(now, &mut packet);
        host.completions()?;
        let next = host.client.next_time();
        match sent {
            Some(sent) => {
                let frame = seal(&host.endpoints, &packet[..sent.length])?;
                self.events.send(frame, Event::ToNode);
                self.hosts[number].tick.sends(now);
                self.tick_host(number, now);
            }
            None => {
                let look = (!host.is_done()).then_some(now + LOOK_AGAIN);
                if let Some(at) = next.into_iter().chain(look).min() {
                    self.tick_host(number, at.max(now + 1));
                }
            }
        }
        Ok(())
    }

    /// Compares what there is at the end, when the last copy of the last frame has come.
    fn judge(self) -> Result<ChainReport, Failure> {
        for host in &self.hosts {
            if !host.is_done() {
                let pending = host.client.pending() + host.left;
                return Err(Failure::Stalled { client: host.number, pending });
            }
        }
        let leaf = &self.node.memory.leaf;
        leaf.audit().map_err(Failure::Audit)?;
        if leaf.under_way() > 0 {
            return Err(Failure::Queue);
        }
        for (client, segment) in self.segments.iter().enumerate() {
            let table = leaf.table(*segment).unwrap_or_default();
            let own = self.paper.table(client);
            if table.len() * 8 != own.len() {
                return Err(Failure::Table { client, page: table.len() });
            }
            if let Some(page) = table.iter().zip(own.chunks_exact(8)).position(|(a, b)| a != b) {
                return Err(Failure::Table { client, page });
            }
            let (pages, signals) = self.hosts[client].client.memory();
            let buffers = &self.mirrors[client].buffers;
            if pages.len() + signals.len() != buffers.len() {
                return Err(Failure::Memory { client, at: buffers.len() });
            }
            let written = pages.iter().chain(signals).zip(buffers);
            if let Some(at) = written.into_iter().position(|(a, b)| a != b) {
                return Err(Failure::Memory { client, at });
            }
        }
        let ring = leaf.ring();
        if !ring.elements().iter().copied().eq(self.paper.ring()) || ring.ends() != self.paper.ends() {
            return Err(Failure::Queue);
        }
        Ok(ChainReport {
            operations: self.hosts.iter().map(|host| host.done).sum(),
            network: self.events.network.happened,
            node: *self.node.counters(),
            executed: self.executed,
            took: self.events.now,
        })
    }
}

const NODE: [u8; 4] = [10, 0, 0, 1];

fn address(client: usize) -> [u8; 4] {
    [10, 0, 0, 10 + client as u8]
}

/// Makes a client's four connections on both sides.
fn connect(
    plan: &ChainPlan,
    node: &mut Node<NoMemory>,
    (client, segment, tt_base): (usize, u32, u64),
    rng: &mut ChaCha8Rng,
) -> Result<ChainClient, Failure> {
    let key: u64 = rng.random();
    let options = ReplyOptions { immediate: plan.immediate, ..ReplyOptions::default() };
    let mut functions = Vec::new();
    for (at, chain) in Chain::ALL.into_iter().enumerate() {
        let (to_node, from_node) = (first_psn(rng.random()), first_psn(rng.random()));
        let profile = Profile::default_of(chain);
        let (own, node_qpn) = (0x800 + at as u32, qpn(client, at));
        let config = ChainConfig {
            qpn: node_qpn,
            peer: address(client),
            peer_qpn: own,
            expected_psn: to_node,
            first_psn: from_node,
            path_mtu: plan.path_mtu,
            profile,
            segment,
            tt_base,
            key: Some(key),
            options,
            hardened: false,
            timeout: 200_000,
            rate: 0,
        };
        node.create_chain(config).map_err(|error| Failure::SetUp(error.to_string()))?;
        functions.push(FunctionSetup { profile, qpn: own, node_qpn, to_node, from_node });
    }
    let functions = functions.try_into().map_err(|_| Failure::SetUp("four functions".to_owned()))?;
    ChainClient::new(ChainSetup {
        node: NODE,
        functions,
        tt_base,
        entries: plan.entries,
        key,
        options,
        path_mtu: plan.path_mtu,
        timeout: 200_000,
        patient: false,
        not_ready_retries: NotReadyRetries::Forever,
        answer_timeout: None,
        slots: plan.slots,
        buffers: BUFFERS,
        random: rng.random(),
    })
    .map_err(|error| Failure::SetUp(error.to_string()))
}
