//! All that parts need: the guest, the board, and the cable between them.
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use anyhow::{Context, Result, bail, ensure};
use mneme_rdma::cm::{Ask, Refusal};
use rand_chacha::ChaCha12Rng;

use crate::board::Board;
use crate::guest::{Guest, Role, Settings};
use crate::peer::{self, Connection, Made, Operation, Wish};
use crate::relay::Relay;

/// The board's address, the one from which its counters are read, and the guest's.
pub const BOARD: Ipv4Addr = Ipv4Addr::new(10, 91, 0, 1);
pub const BESIDE: Ipv4Addr = Ipv4Addr::new(10, 91, 0, 3);
pub const GUEST: Ipv4Addr = Ipv4Addr::new(10, 91, 0, 2);
/// Bytes of the largest IP packet: one of RoCEv2 with 4,096 bytes of payload, and all headers, has 4,160.
pub const MTU: usize = 4200;
/// The MTU at which the guest takes this path MTU or the next smaller one: payload and the longest headers.
pub const fn mtu_for(path_mtu: usize) -> usize {
    path_mtu + MTU - 4096
}

/// What a part has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Operations of the guest that ended as they had to.
    pub operations: u64,
    /// Bytes that were compared with what they had to be.
    pub compared: u64,
}

/// What there is.
pub struct Lab {
    pub guest: Guest,
    /// What guests are made of, and what this one is for.
    pub settings: Settings,
    pub role: Role,
    pub board: Board,
    /// It is the Verilated one.
    pub rtl: bool,
    /// And its slow path another program.
    pub daemon: bool,
    pub relay: Relay,
    pub rng: ChaCha12Rng,
    /// Less of everything.
    pub short: bool,
    pub tally: Tally,
    /// What the parts have to tell, for the report.
    pub notes: Vec<String>,
}

/// Boots a guest and lets each end learn the other's Ethernet address: rdma_cm does not ask long for one.
pub fn boot(settings: &Settings, role: Role) -> Result<Guest> {
    let mut guest = Guest::boot(settings, role)?;
    println!("Linux {}, {}: started in {:.1} s", guest.version, guest.accelerator, guest.boot.as_secs_f64());
    guest.run(&format!("ping -c 3 -W 5 {BOARD}")).context("the guest does not reach the board's system")?;
    Ok(guest)
}

impl Lab {
    /// Has a guest of this role; another one is switched off, and so is one that is `spoilt`: what it has begun may hang.
    pub fn have(&mut self, role: Role, spoilt: bool) -> Result<()> {
        if self.role != role || spoilt {
            // First: nothing can be sent to a guest that is off.
            self.relay.unplug()?;
            self.guest.off()?;
            self.relay.unplug()?;
            self.guest = boot(&self.settings, role)?;
            self.role = role;
        }
        Ok(())
    }
    /// Asks for a connection, or why there is none.
    pub fn connect(&mut self, wish: &Wish, ask: &Ask) -> Result<Made> {
        peer::connect(&mut self.guest, wish, &BOARD.to_string(), ask)
    }
    /// A connection to a range, with all rights.
    pub fn connection(&mut self, number: u32, va: u64, length: u64) -> Result<Connection> {
        let ask = self.board.ask(va, length);
        self.connection_as(&Wish::number(number), &ask)
    }
    /// A connection, which the board must grant as it was asked for.
    pub fn connection_as(&mut self, wish: &Wish, ask: &Ask) -> Result<Connection> {
        match self.connect(wish, ask)? {
            Made::Yes(connection) => {
                let granted = connection.granted;
                let told = (granted.pid, granted.kind, granted.access, granted.va, granted.length);
                ensure!(told == (ask.pid, ask.kind, ask.access, ask.va, ask.length), "granted: {granted:?}");
                Ok(connection)
            }
            Made::Refused { reason, why } => bail!("refused for reason {reason}: {why:?}"),
        }
    }
    /// A connection that the board must refuse so.
    pub fn refused(&mut self, ask: &Ask, expected: Refusal) -> Result<()> {
        match self.connect(&Wish::number(0), ask)? {
            Made::Refused { reason: 28, why: Some(why) } if why == expected => {
                self.tally.operations += 1;
                Ok(())
            }
            other => bail!("{other:?} instead of {expected:?}"),
        }
    }
    /// Gives the guest's network card another MTU, from which its path MTU follows.
    pub fn set_mtu(&mut self, path_mtu: usize) -> Result<()> {
        self.guest.run(&format!("ip link set eth0 mtu {}", mtu_for(path_mtu)))
    }
    /// Does operations of a connection, which must all end well.
    pub fn all(&mut self, connection: &Connection, operations: &[Operation]) -> Result<()> {
        for some in operations.chunks(peer::DEPTH) {
            let statuses = connection.all(&mut self.guest, some)?;
            if let Some(at) = statuses.iter().position(|own| *own != peer::status::SUCCESS) {
                bail!("{:?} ends with status {}", some[at], statuses[at]);
            }
            self.tally.operations += some.len() as u64;
        }
        Ok(())
    }
    /// The board's memory must be this, as the library reads it.
    pub fn memory_is(&mut self, va: u64, expected: &[u8], what: &str) -> Result<()> {
        let found = self.board.read(va, expected.len())?;
        same(&found, expected, what)?;
        self.tally.compared += expected.len() as u64;
        Ok(())
    }
    /// The guest's buffer must be this.
    pub fn buffer_is(&mut self, own: &Connection, place: u64, expected: &[u8], what: &str) -> Result<()> {
        ensure!(own.holds(&mut self.guest, place, expected)?, "{what}: the guest's buffer is another one");
        self.tally.compared += expected.len() as u64;
        Ok(())
    }
    /// How much a counter of the board has grown since an earlier look.
    pub fn grown(&mut self, before: &BTreeMap<&'static str, u64>, name: &str) -> Result<u64> {
        let now = self.board.counters()?;
        Ok(now.get(name).copied().unwrap_or(0).saturating_sub(before.get(name).copied().unwrap_or(0)))
    }
}

/// Fails with the first byte that is another one.
pub fn same(found: &[u8], expected: &[u8], what: &str) -> Result<()> {
    ensure!(found.len() == expected.len(), "{what}: {} bytes instead of {}", found.len(), expected.len());
    match found.iter().zip(expected).position(|(a, b)| a != b) {
        Some(at) => {
            let wrong = found.iter().zip(expected).filter(|(a, b)| a != b).count();
            bail!(
                "{what}: byte {at} of {} is {:#04x}, not {:#04x}; {wrong} differ",
                found.len(),
                found[at],
                expected[at]
            )
        }
        None => Ok(()),
    }
}
