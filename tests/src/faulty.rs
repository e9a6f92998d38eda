//! A network that loses, doubles, delays, reorders and damages, between any driver and its board.
use std::collections::VecDeque;
use std::net::SocketAddrV4;
use std::time::Duration;

use mneme_clib::driver::{Driver, DriverError, Take};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How often each fault happens, in percent of the datagrams of either direction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Thrown away.
    pub lost: u32,
    /// Delivered twice.
    pub doubled: u32,
    /// Held back until a few later datagrams have passed.
    pub late: u32,
    /// One to three bits are wrong, with check sequences below that are right: only trailers tell.
    pub damaged: u32,
}

/// Datagrams that may pass while one is held back.
const LATE_BY: usize = 6;

struct Path {
    random: ChaCha8Rng,
    faults: Faults,
    held: VecDeque<Vec<u8>>,
}

impl Path {
    /// What comes out when `datagram` goes in.
    fn pass(&mut self, datagram: &[u8]) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        let mut datagram = datagram.to_vec();
        if self.faults.damaged > 0 && self.random.random_range(0..100) < self.faults.damaged {
            for _ in 0..self.random.random_range(1..=3) {
                let bit = self.random.random_range(0..8 * datagram.len());
                datagram[bit / 8] ^= 1 << (bit % 8);
            }
        }
        let mut percent = || self.random.random_range(0..100);
        if percent() < self.faults.late {
            self.held.push_back(datagram.clone());
        } else if percent() >= self.faults.lost {
            out.push(datagram.to_vec());
            if percent() < self.faults.doubled {
                out.push(datagram.to_vec());
            }
        }
        if self.held.len() >= LATE_BY || (!self.held.is_empty() && self.random.random_range(0..LATE_BY) == 0)
        {
            out.extend(self.held.pop_front());
        }
        out
    }
}

/// A driver behind a bad network. The faults follow from the seed and the order of the datagrams.
pub struct FaultyDriver<D> {
    inner: D,
    out: Path,
    back: Path,
    arrived: VecDeque<Vec<u8>>,
    frame: Vec<u8>,
    stands_still: bool,
}

impl<D: Driver> FaultyDriver<D> {
    /// Puts a bad network in front of a driver.
    pub fn new(inner: D, faults: Faults, seed: u64) -> Self {
        let path =
            |n| Path { random: ChaCha8Rng::seed_from_u64(seed * 2 + n), faults, held: VecDeque::new() };
        FaultyDriver {
            inner,
            out: path(0),
            back: path(1),
            arrived: VecDeque::new(),
            frame: Vec::new(),
            stands_still: false,
        }
    }
    /// Its time stands still while nobody calls, as that of a program that is stopped.
    pub fn standing_still(self) -> Self {
        FaultyDriver { stands_still: true, ..self }
    }
}

impl<D: Driver> Driver for FaultyDriver<D> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        self.frame.resize(length, 0);
        fill(&mut self.frame);
        for datagram in self.out.pass(&self.frame) {
            self.inner.send(datagram.len(), &mut |frame| frame.copy_from_slice(&datagram))?;
        }
        Ok(())
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        self.inner.flush()
    }
    fn take_back(&mut self, _: &mut dyn FnMut(&[u8])) {
        // What this network has doubled or held back may have left as well.
        self.inner.take_back(&mut |_| {});
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        if self.arrived.is_empty() {
            let (arrived, back) = (&mut self.arrived, &mut self.back);
            self.inner.receive(wait, &mut |_, datagram| arrived.extend(back.pass(datagram)))?;
        }
        let Some(datagram) = self.arrived.pop_front() else { return Ok(0) };
        take(self.inner.now(), &datagram);
        Ok(1)
    }
    fn begin_call(&mut self) {
        self.inner.begin_call();
    }
    fn end_call(&mut self) {
        self.inner.end_call();
    }
    fn goes_on_alone(&self) -> bool {
        !self.stands_still && self.inner.goes_on_alone()
    }
    fn now(&self) -> Duration {
        self.inner.now()
    }
    fn max_datagram(&self) -> usize {
        self.inner.max_datagram()
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        self.inner.addresses()
    }
    fn peer(&self) -> String {
        format!("{} behind a bad network", self.inner.peer())
    }
}
