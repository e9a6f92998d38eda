//! A lane: one board, the driver to it, and the transport over that.
use super::outstanding::Outstanding;
use crate::driver::{Driver, DriverError};
use crate::split::Limits;
use crate::transport::{Integrity, ProcessKeys, Reason, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{HEADER_LEN, Pid};
use std::net::SocketAddrV4;
use std::time::Duration;

/// Looks at the driver before timers that have run out count. One takes as many datagrams as the driver's memory holds:
/// this is a bound for a board that answers without end.
const LATE_LOOKS: u32 = 8;

/// Refusals in a row that are believed: with the timeouts of sockets three come within 0.3 s.
const REFUSALS: u32 = 3;
/// For how long it is believed how much memory a board has free.
const FREE_FOR: Duration = Duration::from_millis(100);

pub(crate) struct Lane {
    pub(super) driver: Box<dyn Driver>,
    pub(super) transport: Transport,
    largest_payload: Option<u16>,
    /// What packets to the board must respect, as far as it is known.
    limits: Limits,
    /// Bytes of the largest datagram, as the driver said last.
    longest: usize,
    /// Whether the driver looks for free.
    looks: bool,
    /// Bytes that the board had free, and when it said so. Less than none: more is allocated than there is memory.
    free: Option<(i64, Duration)>,
}

impl Lane {
    pub(crate) fn new(driver: Box<dyn Driver>, transport: Transport, largest_payload: Option<u16>) -> Lane {
        let looks = driver.looks_for_free();
        let limits = Limits { page_bits: 0, max_payload: 0 };
        let mut lane = Lane { driver, transport, largest_payload, limits, longest: 0, looks, free: None };
        lane.set_longest(lane.driver.max_datagram());
        lane
    }
    /// Whether packets have tags.
    pub(crate) fn tags(&self) -> bool {
        self.transport.integrity() == Integrity::Tag
    }
    /// The board's address, as frames have it.
    pub(crate) fn address(&self) -> Option<SocketAddrV4> {
        self.driver.addresses().map(|(_, board)| board)
    }
    /// The board's tick with all its bits, as far as it is known.
    pub(crate) fn full_tick(&self) -> u64 {
        self.transport.full_tick(self.driver.now())
    }
    /// As [`Lane::learn`], of a board that has proven who it is.
    pub(crate) fn learn_proven(&mut self, board: BoardInfo) {
        let now = self.driver.now();
        self.transport.learn_proven(board, now);
        self.limits = self.limits_now();
    }
    /// The newest keys of a process on this board.
    pub(crate) fn set_keys(&mut self, pid: Pid, epoch: u8, keys: ProcessKeys) {
        self.transport.set_keys(pid, epoch, keys);
    }
    /// A process that has keys, and its epoch.
    pub(crate) fn keyed(&self) -> Option<(Pid, u8)> {
        self.transport.keyed()
    }
    /// From now on packets have trailers.
    pub(crate) fn set_integrity(&mut self, integrity: Integrity) -> Result<(), DriverError> {
        if integrity != Integrity::None {
            let (own, board) =
                self.driver.addresses().ok_or_else(|| DriverError::NoAddresses(self.peer()))?;
            self.transport.set_integrity(integrity, own, board);
            self.limits = self.limits_now();
        }
        Ok(())
    }
    /// Another driver takes the old one's place, to the same board or to one that has come back. What was in flight ends
    /// as it may.
    pub(super) fn replace(&mut self, driver: Box<dyn Driver>) {
        if let Some((own, board)) = driver.addresses() {
            self.transport.set_integrity(self.transport.integrity(), own, board);
        }
        self.looks = driver.looks_for_free();
        self.driver = driver;
        self.set_longest(self.driver.max_datagram());
    }
    pub(crate) fn board(&self) -> BoardInfo {
        // `Client::connect` answers no client before it has learned the board.
        self.transport.board().copied().unwrap_or_default()
    }
    pub(crate) fn learn(&mut self, board: BoardInfo) {
        let now = self.driver.now();
        self.transport.learn(board, now);
        self.limits = self.limits_now();
    }
    #[inline]
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
    fn set_longest(&mut self, longest: usize) {
        self.longest = longest;
        self.transport.set_longest(longest);
        self.limits = self.limits_now();
    }
    fn limits_now(&self) -> Limits {
        let board = self.board();
        let trailer = self.transport.integrity().bytes();
        let path = u16::try_from(self.longest.saturating_sub(HEADER_LEN + trailer)).unwrap_or(u16::MAX);
        let max_payload = board
            .max_payload
            .saturating_sub(trailer as u16)
            .min(path)
            .min(self.largest_payload.unwrap_or(u16::MAX))
            .max(64);
        Limits { page_bits: board.page_bits, max_payload }
    }
    /// Bytes that the board has free, as far as is known.
    pub(crate) fn free(&self) -> i64 {
        let all = i64::try_from(self.board().memory).unwrap_or(i64::MAX);
        self.free.map_or(all, |(free, _)| free)
    }
    /// Whether it had better be asked.
    pub(super) fn asks_free(&self) -> bool {
        self.free.is_none_or(|(_, at)| self.driver.now().saturating_sub(at) > FREE_FOR)
    }
    /// The board has said how many of its pages are allocated; none: it did not say.
    pub(super) fn told_free(&mut self, pages: Option<u64>) {
        let board = self.board();
        let used = |pages: u64| pages.saturating_mul(1 << board.page_bits).min(i64::MAX as u64) as i64;
        let all = i64::try_from(board.memory).unwrap_or(i64::MAX);
        let free = pages.map_or(i64::MIN, |pages| all.saturating_sub(used(pages)));
        self.free = Some((free, self.driver.now()));
    }
    /// This client has been given so many bytes of it since.
    pub(super) fn took(&mut self, bytes: u64) {
        if let Some((free, _)) = &mut self.free {
            *free = free.saturating_sub_unsigned(bytes);
        }
    }
    /// Bytes of the largest datagram, as the driver said last.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }
    #[inline]
    pub(super) fn looks(&self) -> bool {
        self.looks
    }
    pub(crate) fn peer(&self) -> String {
        self.driver.peer()
    }
    pub(crate) fn remarks(&self) -> Vec<String> {
        self.driver.remarks()
    }
    pub(crate) fn congestion_window(&self) -> f64 {
        self.transport.congestion().requests()
    }

    /// The time now. A timer that has run out may tell of a thread that did not run, rather than of an answer that did
    /// not come: what lies in the driver is taken first, lest it be asked for again.
    #[inline]
    pub(super) fn catch_up(&mut self, outstanding: &mut Outstanding) -> Result<Duration, DriverError> {
        let mut now = self.driver.now();
        let mut looks = LATE_LOOKS;
        while looks > 0 && self.transport.is_late(now) {
            let came = self.take(Duration::ZERO, outstanding)?;
            looks = if came > 0 { looks - 1 } else { 0 };
            now = self.driver.now();
        }
        Ok(now)
    }
    /// What the driver sent may have told it that the path carries other packets than before: whether it has.
    #[inline]
    pub(super) fn follow_path(&mut self) -> bool {
        let longest = self.driver.max_datagram();
        if longest == self.longest {
            return false;
        }
        self.set_longest(longest);
        true
    }
    /// What certainly has not left counts as never sent.
    #[inline]
    pub(super) fn take_back(&mut self, now: Duration) {
        let transport = &mut self.transport;
        self.driver.take_back(&mut |datagram| transport.take_back(datagram, now));
    }
    /// Sends what is due.
    #[inline]
    pub(super) fn transmit(&mut self, now: Duration, outstanding: &Outstanding) -> Result<(), DriverError> {
        self.transport.poll(now);
        let driver = &mut *self.driver;
        self.transport.transmit_all(now, outstanding, |length, fill| driver.send(length, fill))?;
        driver.flush()
    }
    /// Waits for datagrams, until the transport's next deadline or for `longest`.
    #[inline]
    pub(super) fn receive(
        &mut self,
        now: Duration,
        longest: Duration,
        outstanding: &mut Outstanding,
    ) -> Result<(), DriverError> {
        let deadline = self.transport.deadline(now).unwrap_or(now + longest);
        let wait = deadline.saturating_sub(now).min(longest);
        if self.take(wait, outstanding)? == 0 && !wait.is_zero() {
            if self.follow_path() {
                // A driver that has heard nothing may have asked why.
                self.take_back(now);
            }
            self.believe_refusals();
        }
        Ok(())
    }
    /// Ends everything when nothing listens where the board should be. One that was heard before may be restarting: that
    /// is waited for.
    fn believe_refusals(&mut self) {
        if self.driver.refusals() >= REFUSALS && !self.transport.was_heard() {
            self.transport.abandon(Reason::Unreachable, self.driver.now());
        }
    }
    /// Gives what comes within `wait` to the transport; how many datagrams.
    #[inline]
    pub(super) fn take(
        &mut self,
        wait: Duration,
        outstanding: &mut Outstanding,
    ) -> Result<usize, DriverError> {
        let transport = &mut self.transport;
        self.driver.receive(wait, &mut |at, datagram| transport.receive(at, datagram, outstanding))
    }
}
