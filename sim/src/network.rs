//! A network in the process: several clients, each with its own address and port, share one node.
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mneme_slowpath::FastPath;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};

use crate::node::{CYCLE_NS, Node};
use crate::port::NetworkPort;

/// Frames that wait for one client; more are lost, as in a socket's buffer.
const MAILBOX: usize = 4096;
/// Board cycles between two looks at the mailboxes while somebody waits.
const SLICE: u64 = 64;
/// Board cycles that a sender waits for a busy port before its frame is lost.
const SEND_PATIENCE: u64 = 1 << 16;

type Address = ([u8; 4], u16);

/// The node and its clients' mailboxes.
struct Shared<F> {
    node: Node<F>,
    mailboxes: HashMap<Address, VecDeque<Vec<u8>>>,
    next_client: u32,
    lost: u64,
}

impl<F: FastPath + NetworkPort> Shared<F> {
    /// Lets time pass and sorts what came out of the board.
    fn run(&mut self, cycles: u64) {
        self.node.run(cycles);
        while let Some(frame) = self.node.poll() {
            // A network card throws a frame with a wrong check sequence away.
            let parsed = UdpFrame::parse(&frame.bytes).ok().filter(|_| !frame.bad_fcs);
            let Some(UdpFrame { endpoints, datagram }) = parsed else { continue };
            match self.mailboxes.get_mut(&(endpoints.dst_ip, endpoints.dst_port)) {
                Some(mailbox) if mailbox.len() < MAILBOX => mailbox.push_back(datagram.to_vec()),
                _ => self.lost += 1,
            }
        }
    }
}

/// A node that clients in the same process can attach to.
pub struct Network<F> {
    shared: Arc<Mutex<Shared<F>>>,
    board: Endpoints,
}

impl<F> Clone for Network<F> {
    fn clone(&self) -> Self {
        Network { shared: self.shared.clone(), board: self.board }
    }
}

fn lock<F>(shared: &Mutex<Shared<F>>) -> MutexGuard<'_, Shared<F>> {
    // A client that panicked held the lock between two whole steps of the node.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<F: FastPath + NetworkPort> Network<F> {
    /// A network around a node that is up; `mac`, `ip` and `port` are the board's.
    pub fn new(node: Node<F>, mac: [u8; 6], ip: [u8; 4], port: u16) -> Network<F> {
        let board = Endpoints {
            src_mac: [0x02, 0, 0, 0, 0, 0],
            dst_mac: mac,
            src_ip: [10, 78, 0, 0],
            dst_ip: ip,
            src_port: 0,
            dst_port: port,
        };
        let shared = Shared { node, mailboxes: HashMap::new(), next_client: 1, lost: 0 };
        Network { shared: Arc::new(Mutex::new(shared)), board }
    }
    /// A new client with an address of its own.
    pub fn attach(&self) -> ClientPort<F> {
        let mut shared = lock(&self.shared);
        let number = shared.next_client;
        shared.next_client = number.wrapping_add(1);
        let [_, high, middle, low] = number.to_be_bytes();
        let mut endpoints = self.board;
        endpoints.src_mac[3..].copy_from_slice(&[high, middle, low]);
        endpoints.src_ip[1] = endpoints.src_ip[1].wrapping_add(high);
        endpoints.src_ip[2..].copy_from_slice(&[middle, low]);
        endpoints.src_port = 49_152 + (number % 16_384) as u16;
        shared.mailboxes.insert((endpoints.src_ip, endpoints.src_port), VecDeque::new());
        ClientPort { network: self.clone(), endpoints }
    }
    /// Looks at the node, or works with it, between two steps.
    pub fn with_node<R>(&self, work: impl FnOnce(&mut Node<F>) -> R) -> R {
        work(&mut lock(&self.shared).node)
    }
    /// Frames that found no client, or a client that does not read.
    pub fn lost(&self) -> u64 {
        lock(&self.shared).lost
    }
}

/// A client's connection to the node: carries Mneme datagrams. Dropping it detaches the client.
pub struct ClientPort<F: FastPath + NetworkPort> {
    network: Network<F>,
    endpoints: Endpoints,
}

impl<F: FastPath + NetworkPort> ClientPort<F> {
    /// The client's addresses and the board's.
    pub fn endpoints(&self) -> Endpoints {
        self.endpoints
    }
    /// Sends a datagram to the board. It is lost when the board's port stays busy, as on a crowded network.
    pub fn send(&self, datagram: &[u8]) {
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        let mut shared = lock(&self.network.shared);
        if (UdpFrame { endpoints: self.endpoints, datagram }).emit(true, &mut frame).is_err() {
            shared.lost += 1;
            return;
        }
        for _ in 0..SEND_PATIENCE / SLICE {
            if shared.node.submit(&frame).is_ok() {
                return;
            }
            shared.run(SLICE);
        }
        shared.lost += 1;
    }
    /// A datagram from the board that is here already.
    pub fn try_receive(&self) -> Option<Vec<u8>> {
        lock(&self.network.shared).mailboxes.get_mut(&self.address())?.pop_front()
    }
    /// Lets up to `wait` of board time pass until a datagram for this client comes. Others' frames move along.
    pub fn receive(&self, wait: Duration) -> Option<Vec<u8>> {
        let cycles = u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX).div_ceil(CYCLE_NS);
        let address = self.address();
        let mut end = None;
        loop {
            let mut shared = lock(&self.network.shared);
            if let Some(datagram) = shared.mailboxes.get_mut(&address)?.pop_front() {
                return Some(datagram);
            }
            let now = shared.node.fast().cycles();
            let rest = end.get_or_insert(now.saturating_add(cycles)).saturating_sub(now);
            if rest == 0 {
                return None;
            }
            let slice = if shared.node.idle() { rest } else { SLICE.min(rest) };
            shared.run(slice);
        }
    }
    /// The board's time.
    pub fn now(&self) -> Duration {
        lock(&self.network.shared).node.now()
    }
    fn address(&self) -> Address {
        (self.endpoints.src_ip, self.endpoints.src_port)
    }
}

impl<F: FastPath + NetworkPort> Drop for ClientPort<F> {
    fn drop(&mut self) {
        lock(&self.network.shared).mailboxes.remove(&self.address());
    }
}
