//! CLib's driver to a board of a simulated world.
use std::cell::RefCell;
use std::net::SocketAddrV4;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mneme_clib::driver::{Driver, DriverError, Take};
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::frame::Endpoints;
use mneme_wire::{HEADER_LEN, Register};

use super::Time;
use super::inprocess::addresses;
use super::network::World;

/// A world that its clients share. One thread at a time works in it: the order of calls, and so the run, is the
/// caller's.
pub type Shared<F> = Arc<Mutex<World<F>>>;

/// The world, between two whole steps.
pub fn lock<F>(world: &Shared<F>) -> MutexGuard<'_, World<F>> {
    world.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Virtual time between two looks of every client at its requests.
pub const ROUND: Time = 2_000;

/// What goes on while a client waits.
type Meanwhile = Rc<dyn Fn()>;

thread_local! {
    /// What the others do while a client waits in a call that returns at its end only.
    static MEANWHILE: RefCell<Option<Meanwhile>> = const { RefCell::new(None) };
}

/// Others work while a client waits, as long as this lives.
pub(crate) struct OthersWork(());

impl OthersWork {
    /// From now on this is done once a round while a client of this thread waits. It may make a client wait, too.
    pub(crate) fn begin(meanwhile: Meanwhile) -> OthersWork {
        MEANWHILE.set(Some(meanwhile));
        OthersWork(())
    }
}

impl Drop for OthersWork {
    fn drop(&mut self) {
        MEANWHILE.set(None);
    }
}

/// Carries a client's datagrams; time is the world's, and passes while the client waits.
pub struct WorldDriver<F> {
    world: Shared<F>,
    board: usize,
    host: usize,
    endpoints: Endpoints,
    frame: Vec<u8>,
}

impl<F: FastPath + NetworkPort> WorldDriver<F> {
    /// A client on a host that binds a port.
    pub fn new(world: &Shared<F>, host: usize, port: u16, board: usize) -> WorldDriver<F> {
        let mut held = lock(world);
        let endpoints = held.bind(host, port, board);
        let payload = held.board(board).fast().read_register(Register::MaxPayload);
        drop(held);
        WorldDriver {
            world: world.clone(),
            board,
            host,
            endpoints,
            frame: vec![0; HEADER_LEN + payload as usize],
        }
    }
}

impl<F: FastPath + NetworkPort + Send> Driver for WorldDriver<F> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let frame = self.frame.get_mut(..length).ok_or(DriverError::TooLarge(length))?;
        fill(frame);
        lock(&self.world).send(self.board, self.endpoints, frame);
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let mut world = lock(&self.world);
        let mut received = world.take(self.host);
        let until = world.now() + wait.as_nanos() as u64;
        while received.is_none() && world.now() < until {
            let round = until.min(world.now() + ROUND);
            world.pass(round, Some(self.host));
            received = world.take(self.host);
            if received.is_none()
                && let Some(others) = MEANWHILE.with_borrow(Clone::clone)
            {
                drop(world);
                others();
                world = lock(&self.world);
            }
        }
        drop(world);
        let Some((at, datagram)) = received else { return Ok(0) };
        take(Duration::from_nanos(at), &datagram);
        Ok(1)
    }
    fn now(&self) -> Duration {
        Duration::from_nanos(lock(&self.world).now())
    }
    fn max_datagram(&self) -> usize {
        self.frame.len()
    }
    fn board_address(&self) -> Option<SocketAddrV4> {
        Some(SocketAddrV4::new(self.endpoints.dst_ip.into(), self.endpoints.dst_port))
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        Some(addresses(&self.endpoints))
    }
    fn peer(&self) -> String {
        format!("board {} of a simulated world", self.board)
    }
}
