//! A network in the process: several clients, each with its own address and port, share one node.
//!
//! Board time passes while clients wait, and only then: a client in a call that works, or that is about to take what came
//! for it, holds time back, so that no client's requests age because its thread has no processor. Clients that are not in
//! a call hold nothing.
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mneme_slowpath::FastPath;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};

use crate::node::{CYCLE_NS, Node};
use crate::port::NetworkPort;

/// Frames that wait for one client; more are lost, as in a socket's buffer.
const MAILBOX: usize = 4096;
/// Board cycles between two looks at the mailboxes while somebody waits.
const SLICE: u64 = 64;
/// How long a client waits, in the wall clock's time, for others that hold a board's time back.
const PATIENCE: Duration = Duration::from_millis(20);
/// Board cycles that a sender waits for a busy port before its frame is lost.
const SEND_PATIENCE: u64 = 1 << 16;

type Address = ([u8; 4], u16);

/// What has come for a client, and what the client is doing.
#[derive(Default)]
struct Mailbox {
    datagrams: VecDeque<Vec<u8>>,
    in_call: bool,
    /// The cycle until which it waits for a datagram, while it waits.
    waits_until: Option<u64>,
}

impl Mailbox {
    /// Whether time must not pass: the client works, or it will as soon as its thread runs.
    fn holds_time(&self, now: u64) -> bool {
        match self.waits_until {
            None => self.in_call,
            Some(end) => !self.datagrams.is_empty() || now >= end,
        }
    }
}

/// The node and its clients' mailboxes.
struct Shared<F> {
    node: Node<F>,
    mailboxes: HashMap<Address, Mailbox>,
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
                Some(mailbox) if mailbox.datagrams.len() < MAILBOX => {
                    mailbox.datagrams.push_back(datagram.to_vec());
                }
                _ => self.lost += 1,
            }
        }
    }
    fn cycles(&mut self) -> u64 {
        self.node.fast().cycles()
    }
    /// Whether some client holds time back.
    fn time_is_held(&mut self) -> bool {
        let now = self.cycles();
        self.mailboxes.values().any(|mailbox| mailbox.holds_time(now))
    }
    /// Lets time pass up to the moment when the first waiting client gives up, or less while the board works.
    fn pass(&mut self) {
        let now = self.cycles();
        let first = self.mailboxes.values().filter_map(|mailbox| mailbox.waits_until).min();
        let rest = first.unwrap_or(now).saturating_sub(now);
        self.run(if self.node.idle() { rest } else { SLICE.min(rest) });
    }
}

/// A node that clients in the same process can attach to.
pub struct Network<F> {
    shared: Arc<Mutex<Shared<F>>>,
    /// Told whenever a client may have stopped to hold time back, or should look at its mailbox.
    changed: Arc<Condvar>,
    board: Endpoints,
}

impl<F> Clone for Network<F> {
    fn clone(&self) -> Self {
        Network { shared: self.shared.clone(), changed: self.changed.clone(), board: self.board }
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
        Network { shared: Arc::new(Mutex::new(shared)), changed: Arc::default(), board }
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
        shared.mailboxes.insert((endpoints.src_ip, endpoints.src_port), Mailbox::default());
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
            self.network.changed.notify_all();
        }
        shared.lost += 1;
    }
    /// A call of the client begins: from now on time passes only while it waits in [`ClientPort::receive`].
    pub fn begin_call(&self) {
        self.with_mailbox(|mailbox| mailbox.in_call = true);
    }
    /// The call has ended.
    pub fn end_call(&self) {
        self.with_mailbox(|mailbox| mailbox.in_call = false);
        self.network.changed.notify_all();
    }
    /// Lets up to `wait` of board time pass until a datagram for this client comes. Others' frames move along. A wait of
    /// zero lets a few cycles pass all the same, so that clients that poll get somewhere.
    ///
    /// Blocks while other clients hold time back, for a bounded time: a client of two boards may hold this one's while it waits
    /// for the other's, which another one holds that waits here. Then nothing comes, and no time has passed.
    pub fn receive(&self, wait: Duration) -> Option<Vec<u8>> {
        let cycles = match u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX).div_ceil(CYCLE_NS) {
            0 => SLICE,
            cycles => cycles,
        };
        let address = self.address();
        let mut shared = lock(&self.network.shared);
        let end = shared.cycles().saturating_add(cycles);
        loop {
            let now = shared.cycles();
            // The mailbox is there as long as this port is.
            let mailbox = shared.mailboxes.entry(address).or_default();
            mailbox.waits_until = Some(end);
            if mailbox.holds_time(now) {
                mailbox.waits_until = None;
                let received = mailbox.datagrams.pop_front();
                self.network.changed.notify_all();
                return received;
            }
            if shared.time_is_held() {
                let waited = self.network.changed.wait_timeout(shared, PATIENCE);
                let (held, waited) = waited.unwrap_or_else(PoisonError::into_inner);
                shared = held;
                if waited.timed_out() {
                    shared.mailboxes.entry(address).or_default().waits_until = None;
                    self.network.changed.notify_all();
                    return None;
                }
            } else {
                shared.pass();
                self.network.changed.notify_all();
            }
        }
    }
    fn with_mailbox<R>(&self, work: impl FnOnce(&mut Mailbox) -> R) -> R {
        work(lock(&self.network.shared).mailboxes.entry(self.address()).or_default())
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
        self.network.changed.notify_all();
    }
}
