//! The client: a connection over a device, and the operations on it.
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use mneme_rdma::client::{Carrier, CarrierError, Grant, Native, NativeConnection};
use mneme_rdma::cm::{Ask, Granted};
use mneme_rdma::requester::{Completion, Seen};

use crate::pair::DevicePair;
use crate::{VerbsError, library, manager};

/// How long a device may end nothing while something is under way: it repeats for about a second.
const SILENCE: Duration = Duration::from_secs(30);

/// By which device, from where, and to which board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The device's name, `rxe0` or `mlx5_0`.
    pub device: String,
    /// An address of its interface; `None`: the one from which the board is reached.
    pub source: Option<Ipv4Addr>,
    /// The board's.
    pub board: Ipv4Addr,
}

/// A connection to one region of a board. Nothing happens but in its calls and in the device. It ends when it is dropped.
#[derive(Debug)]
pub struct DeviceClient {
    way: Way,
    granted: Granted,
    /// The operations.
    pub native: Native<DevicePair>,
}

impl DeviceClient {
    /// Asks a board for a connection. Blocks up to `patience`.
    ///
    /// # Errors
    /// Every [`VerbsError`].
    pub fn connect(way: Way, ask: &Ask, patience: Duration) -> Result<DeviceClient, VerbsError> {
        let api = library::api()?;
        let (endpoint, bounds, granted) =
            manager::connect(api, &way.device, (way.source, way.board), ask, patience)?;
        let pair = DevicePair::new(endpoint, bounds)?;
        Ok(DeviceClient { way, granted, native: Native::over(pair, Grant::from(granted)) })
    }

    /// Waits until the next operation has ended.
    ///
    /// # Errors
    /// [`VerbsError::Silent`] and [`VerbsError::Call`]; the connection is of no use then. `None`: none was begun.
    pub fn wait(&mut self) -> Result<Option<Completion<Vec<u8>>>, VerbsError> {
        let until = Instant::now() + SILENCE;
        loop {
            if let Some(done) = self.native.poll_done() {
                return Ok(Some(done));
            }
            if self.native.pending() == 0 {
                return Ok(None);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(VerbsError::Silent(SILENCE));
            }
            self.native.carrier_mut().wait(left)?;
        }
    }
}

impl NativeConnection for DeviceClient {
    fn native(&mut self) -> &mut Native<dyn Carrier> {
        &mut self.native
    }
    fn granted(&self) -> Granted {
        self.granted
    }
    fn way(&self) -> String {
        format!("device {}", self.way.device)
    }
    fn seen(&self) -> Option<Seen> {
        None
    }
    fn wait(&mut self) -> Result<Option<Completion<Vec<u8>>>, CarrierError> {
        Ok(DeviceClient::wait(self)?)
    }
}

impl AsFd for DeviceClient {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.native.carrier().as_fd()
    }
}
