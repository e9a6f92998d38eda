//! Somebody on the way, who listens to what a client sends, and can speak in its name.
use std::net::SocketAddrV4;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mneme_clib::driver::{Driver, DriverError, Take};

/// A driver that somebody listens to.
pub struct Tapped<D>(Arc<Line<D>>);

/// Who listens, and can speak through the same driver.
pub struct Tap<D>(Arc<Line<D>>);

struct Line<D> {
    driver: Mutex<D>,
    heard: Mutex<Vec<Vec<u8>>>,
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<D> Tapped<D> {
    /// Puts somebody behind a driver.
    pub fn new(driver: D) -> (Tapped<D>, Tap<D>) {
        let line = Arc::new(Line { driver: Mutex::new(driver), heard: Mutex::default() });
        (Tapped(Arc::clone(&line)), Tap(line))
    }
}

impl<D> Tap<D> {
    /// All that was sent, in its order.
    pub fn heard(&self) -> Vec<Vec<u8>> {
        lock(&self.0.heard).clone()
    }
    /// The driver.
    pub fn driver(&self) -> MutexGuard<'_, D> {
        lock(&self.0.driver)
    }
}

impl<D: Driver> Driver for Tapped<D> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        lock(&self.0.driver).send(length, &mut |frame| {
            fill(frame);
            lock(&self.0.heard).push(frame.to_vec());
        })
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        lock(&self.0.driver).flush()
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        lock(&self.0.driver).receive(wait, take)
    }
    fn now(&self) -> Duration {
        lock(&self.0.driver).now()
    }
    fn max_datagram(&self) -> usize {
        lock(&self.0.driver).max_datagram()
    }
    fn peer(&self) -> String {
        lock(&self.0.driver).peer()
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        lock(&self.0.driver).addresses()
    }
    fn begin_call(&mut self) {
        lock(&self.0.driver).begin_call();
    }
    fn end_call(&mut self) {
        lock(&self.0.driver).end_call();
    }
}
