//! What a daemon runs: a board with its slow path, or one whose slow path is another program.
use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use mneme_auth::TenantList;
use mneme_model::Node;
use mneme_model::port::{EgressFrame, NetworkPort, PortBusy};
use mneme_slowpath::FastPath;

/// A board that runs as far as the wall clock allows.
pub trait Driven {
    /// Its fast path.
    type Fast: FastPath + NetworkPort;
    /// The board.
    fn fast(&mut self) -> &mut Self::Fast;
    /// Gives a frame to the board's port.
    fn submit(&mut self, frame: &[u8]) -> Result<(), PortBusy>;
    /// The next frame that left the board.
    fn poll(&mut self) -> Option<EgressFrame>;
    /// Lets board time pass, and the slow path work.
    fn run(&mut self, cycles: u64);
    /// The same, but no longer than there is something to do other than to [`Driven::poll`].
    fn run_to_rest(&mut self, cycles: u64);
    /// Nothing is left to do until a frame comes or board time has passed.
    fn idle(&self) -> bool;
    /// What is left to do waits for somebody who may never come.
    fn is_stuck(&self) -> bool {
        false
    }
    /// Waits for these files or for whoever else may want something. False: it waits for nobody, the caller may.
    fn wait(&self, _files: &[BorrowedFd<'_>], _at_most: Duration) -> io::Result<bool> {
        Ok(false)
    }
    /// The board rests, and the slow path's workers have something to end.
    fn waits_for_workers(&self) -> bool {
        false
    }
    /// Serves the workers that want something.
    fn serve_workers(&mut self) {}
    /// Lets the board give back the room of free pages, some at a time.
    fn forget_free(&mut self, _pages: usize) {}
    /// Ends the slow path's workers.
    fn close(&mut self) {}
    /// Changes who may use the board.
    fn set_tenants(&self, _tenants: TenantList) {}
}

impl<F: FastPath + NetworkPort> Driven for Node<F> {
    type Fast = F;
    fn fast(&mut self) -> &mut F {
        Node::fast(self)
    }
    fn submit(&mut self, frame: &[u8]) -> Result<(), PortBusy> {
        Node::submit(self, frame)
    }
    fn poll(&mut self) -> Option<EgressFrame> {
        Node::poll(self)
    }
    fn run(&mut self, cycles: u64) {
        Node::run(self, cycles);
    }
    fn run_to_rest(&mut self, cycles: u64) {
        Node::run_to_rest(self, cycles);
    }
    fn idle(&self) -> bool {
        Node::idle(self)
    }
    fn waits_for_workers(&self) -> bool {
        Node::waits_for_workers(self)
    }
    fn serve_workers(&mut self) {
        Node::serve_workers(self);
    }
    fn forget_free(&mut self, pages: usize) {
        Node::forget_free(self, pages);
    }
    fn close(&mut self) {
        Node::close(self);
    }
    fn set_tenants(&self, tenants: TenantList) {
        self.slow().set_tenants(tenants);
    }
}
