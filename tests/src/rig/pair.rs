//! Two boards in this process, and pages that are moved between them by hand: what a migration does to a board, without
//! one (scale-out §3).
use mneme_clib::{AllocOptions, Client, ClientOptions, Process};
use mneme_model::{Network, NetworkPort, Node};
use mneme_slowpath::table::{Outcome, REGISTERS, Replace, ReplaceDriver};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::pte::{ALLOCATED, PageState, STATE_MASK, STATE_SHIFT, VALID};
use mneme_wire::{Register, Status};
use mneme_world::InProcessDriver;

use super::in_process::{BoardKind, InProcess};
use super::{Config, Rig};

/// Low bits that name a row of the away table.
const ROW: u64 = 63;
/// Runs a command on a board's page table, as its slow path does, which goes on believing that the registers hold what it
/// has written.
fn replace<F: FastPath + NetworkPort>(node: &mut Node<F>, command: Replace) {
    let fast = node.fast();
    let [command_registers @ .., _go] = REGISTERS;
    let before = command_registers.map(|register| fast.read_register(register));
    let outcome = ReplaceDriver::new(1 << 20).execute(fast, &command);
    command_registers.iter().zip(before).for_each(|(register, value)| fast.write_register(*register, value));
    assert!(matches!(outcome, Outcome::Done(_)), "{command:?} ended {outcome:?}");
}

/// The command that changes some bits of an allocated page.
fn change<F: FastPath + NetworkPort>(node: &mut Node<F>, (pid, va): (u32, u64), write: u64, new: u64) {
    let vpn = va >> node.fast().read_register(Register::PageBits);
    replace(node, Replace { pid, vpn, compare: ALLOCATED, expected: ALLOCATED, write, new });
}

/// From now on writes to a page of a board wait.
pub fn hold<F: FastPath + NetworkPort>(node: &mut Node<F>, pid: u32, va: u64) {
    change(node, (pid, va), STATE_MASK, (PageState::Hold as u64) << STATE_SHIFT);
}

/// A page of a board is served by another one from now on, whose address and epoch are told by row `row` of the away table.
pub fn send_away<F: FastPath + NetworkPort>(
    node: &mut Node<F>,
    page: (u32, u64),
    row: u32,
    (to, epoch): ([u8; 4], u8),
) {
    let fast = node.fast();
    let span = fast.read_register(Register::PageBits);
    let va = u64::from(u32::from_be_bytes(to)) << 16 | u64::from(mneme_wire::DEFAULT_UDP_PORT);
    let length = u32::from(epoch) << 8 | span;
    fast.write_register(Register::AwayVaLow, va as u32);
    fast.write_register(Register::AwayVaHigh, (va >> 32) as u32 | length << 16);
    fast.write_register(Register::AwayCommit, row | u32::from(Status::Moved.number()) << 8);
    let new = (PageState::Away as u64) << STATE_SHIFT | u64::from(row);
    change(node, page, STATE_MASK | VALID | ROW, new);
}

/// Copies what is held of a page; those that begin as zeros need no zeros.
pub fn copy_page(source: &Process, destination: &Process, va: u64, page: u64) {
    let mut bytes = vec![0; page as usize];
    source.rread(va, &mut bytes).expect("held pages are read");
    for (number, beat) in bytes.chunks(64).enumerate().filter(|(_, beat)| beat.iter().any(|b| *b != 0)) {
        destination.rwrite(va + 64 * number as u64, beat).expect("the copy");
    }
}

/// Two boards, each with a network and a time of its own.
pub struct Pair<K: BoardKind> {
    networks: [Network<K::Fast>; 2],
}

/// The last byte of a board's address.
fn address(board: usize) -> [u8; 4] {
    [10, 77, 0, 1 + board as u8]
}

fn boot<K: BoardKind>(board: usize) -> Network<K::Fast> {
    let mut fast = K::reset(Config::Sim);
    let mut settings = Node::config(&mut fast, K::NUMBER, [7 + board as u8; 32]);
    settings.busy_hint_ns = 1_000;
    // More threads than one board has share its time here.
    let window = 4 * K::SHARED_WINDOW;
    settings.window_ticks = (window.as_nanos() / u128::from(settings.ns_per_tick)) as u32;
    settings.board_id = 1 + board as u64;
    settings.ip = address(board);
    let (mac, ip, port) = (settings.mac, settings.ip, settings.udp_port);
    let node = Node::boot(fast, settings, &mut MemoryEpochs::default()).expect("boot");
    Network::new(node, mac, ip, port)
}

impl<K: BoardKind> Pair<K> {
    /// Both boards, booted.
    pub fn start() -> Pair<K> {
        Pair { networks: [boot::<K>(0), boot::<K>(1)] }
    }
    /// A way to one of them.
    pub fn driver(&self, board: usize) -> InProcessDriver<K::Fast> {
        InProcessDriver::new(&self.networks[board])
    }
    /// A client of one of them.
    pub fn client_of(&self, board: usize) -> Client {
        let options = ClientOptions { transport: InProcess::<K>::transport(), ..ClientOptions::default() };
        Client::connect(self.driver(board), options).expect("connect")
    }
    /// A client of both.
    pub fn client(&self) -> Client {
        let client = self.client_of(0);
        assert_eq!(client.add_lane(self.driver(1)).expect("the second board"), 1);
        client
    }
    fn with<R>(&self, board: usize, work: impl FnOnce(&mut Node<K::Fast>) -> R) -> R {
        self.networks[board].with_node(work)
    }
    /// From now on writes to a page of the first board wait.
    pub fn hold(&self, pid: u32, va: u64) {
        self.with(0, |node| hold(node, pid, va));
    }
    /// A page of the first board is served by the second one from now on, says row `row` of its away table.
    pub fn send_away(&self, pid: u32, va: u64, row: u32, epoch: u8) {
        self.with(0, |node| send_away(node, (pid, va), row, (address(1), epoch)));
    }
    /// The same of a page of the second board, which is to be served by the first one.
    pub fn send_back(&self, pid: u32, va: u64, row: u32, epoch: u8) {
        self.with(1, |node| send_away(node, (pid, va), row, (address(0), epoch)));
    }
    /// log2 of the boards' page size.
    pub fn page_bits(&self) -> u32 {
        self.networks[0].with_node(|node| node.fast().read_register(Register::PageBits))
    }
    /// Moves a page as a migration does, while clients use it: the second board has room for it, writes wait, its bytes
    /// are copied, and the first board sends clients on.
    pub fn move_page(&self, source: &Process, destination: &Process, va: u64, row: u32, epoch: u8) {
        let page = 1 << self.page_bits();
        let at = AllocOptions { at: Some(va), own_pages: true, ..AllocOptions::default() };
        assert_eq!(destination.ralloc_with(page, at).expect("room at the same address"), va);
        self.hold(source.pid(), va);
        copy_page(source, destination, va, page);
        self.send_away(source.pid(), va, row, epoch);
    }
}
