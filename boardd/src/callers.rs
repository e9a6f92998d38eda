//! Programs of others who call over TCP, on the network of the board's processor: `ibv_rc_pingpong` and perftest. What they say of
//! themselves, their GID among it, is of the network of the board's port.
//!
//! Nothing here waits for TCP: sockets do not block, and are looked at every 10 ms, a bounded number of them, from the daemon's loop.
mod memory;
mod neighbours;
mod over;

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};

use mneme_rdma_manager::Manager;
use mneme_rdma_peers::{
    Around, Gids, Ground, PERFTEST_PATIENCE, Perftest, PingPong, Services, Sockets, TestGround, Way,
};
use mneme_slowpath::{Config, FastPath, Slow};
use rand::Rng;

use memory::TestMemory;
use neighbours::Neighbours;
pub(crate) use over::Over;

/// Where callers are served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallersAt {
    /// `ibv_rc_pingpong`.
    pub ping_pong: Option<SocketAddrV4>,
    /// perftest's programs, `ib_send_bw`, and `ib_send_lat`.
    pub perftest: Option<[SocketAddrV4; 3]>,
}

/// The services, and what of the board they use beside its port.
#[derive(Debug)]
pub struct Callers {
    services: Services,
    inside: Inside,
}

/// What is of the daemon's own between board and slow path.
#[derive(Debug)]
pub(crate) struct Inside {
    now: u64,
    neighbours: Neighbours,
    memory: TestMemory,
}

impl Callers {
    /// Listens where it is asked to, and nowhere else, for the board that the slow path is told of.
    ///
    /// # Errors
    /// Where an address cannot be had.
    pub fn listen(at: &CallersAt, config: &Config, seed: [u8; 32]) -> io::Result<Callers> {
        let own = Ipv4Addr::from(config.ip);
        let ping_pong =
            at.ping_pong.map(|at| PingPong::listen(at.into(), own, Gids::Any, seed)).transpose()?;
        let listen = |at: [SocketAddrV4; 3]| {
            let [at, sends, send_lat] = at.map(Into::into);
            let (gids, patience) = (Gids::Any, PERFTEST_PATIENCE);
            Perftest::listen(&Sockets { at, sends, send_lat, gids, patience }, own, seed)
        };
        let perftest = at.perftest.map(listen).transpose()?;
        let inside = Inside {
            now: 0,
            neighbours: Neighbours::new(config.mac, config.ip),
            memory: TestMemory::new(config.mac, config.ip, config.udp_port, rand::rng().random()),
        };
        Ok(Callers { services: Services::new(ping_pong, perftest), inside })
    }

    /// The board, as its slow path is to see it.
    pub(crate) fn over<'a, B>(&'a mut self, board: &'a mut B) -> Over<'a, B> {
        Over { board, inside: &mut self.inside }
    }
    /// Goes on with callers. Whether there was anything. Does not block.
    pub(crate) fn serve<B: FastPath>(
        &mut self,
        now: u64,
        manager: &mut Manager,
        board: &mut B,
        slow: &Slow,
    ) -> bool {
        let inside = &mut self.inside;
        inside.now = now;
        self.services.watch(now, manager, board, Beside { inside, slow });
        let mut any = inside.memory.step(now, slow);
        while let Some(question) = inside.neighbours.goes.front()
            && board.send(question).is_ok()
        {
            inside.neighbours.goes.pop_front();
            any = true;
        }
        any | self.services.take_messages(now, manager)
    }
    /// What was counted by reason, beside what the manager tells.
    pub fn named(&self) -> impl Iterator<Item = (String, u64)> {
        self.services.named()
    }
}

/// What is around the board's port.
struct Beside<'a> {
    inside: &'a mut Inside,
    slow: &'a Slow,
}

impl Around for Beside<'_> {
    fn way(&mut self, peer: Ipv4Addr) -> Way {
        self.inside.neighbours.way(self.inside.now, peer)
    }
}

impl TestGround for Beside<'_> {
    fn ready(&self) -> bool {
        true
    }
    fn want(&mut self, place: usize) {
        self.inside.memory.want(place);
    }
    fn ground(&mut self, place: usize) -> Ground {
        self.inside.memory.ground(place, self.slow)
    }
    fn release(&mut self, place: usize) {
        self.inside.memory.release(place);
    }
}
