//! The daemon's loop: polls the slow path, waits for frames, tells systemd that it lives.
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_rdma_manager::Manager;
use mneme_slowpath::{FastPath, Slow, TenantsWatch};
use mneme_wire::payload::BoardInfo;

use crate::board::OpenError;
use crate::callers::Callers;
use crate::patience::Patience;
use crate::watchdog::Watchdog;

/// How long a loop whose workers have something sleeps for one of them, at most: frames come meanwhile.
const WORKERS: Duration = Duration::from_micros(50);
/// How long the slow path may take to boot: zeroing the table of the largest board takes a second.
const BOOT: Duration = Duration::from_secs(60);

/// A board that a daemon serves.
pub trait Served: FastPath {
    /// Why the board is no longer reached.
    fn alive(&self) -> Result<(), OpenError>;
    /// Looks after frames for so long, or once where a look takes longer; whether one is there.
    fn look(&mut self, at_most: Duration) -> bool;
    /// Sleeps until a frame comes or leaves, at most this long. True: something may have happened.
    fn wait(&mut self, at_most: Duration) -> io::Result<bool>;
}

/// What the loop is told.
pub struct Options {
    /// The file of the board's tenants, looked at again and again.
    pub tenants: Option<TenantsWatch>,
    /// Makes connections to the board's RDMA port.
    pub rdma: Option<Manager>,
    /// Serves programs that call over TCP, beside that manager.
    pub callers: Option<Callers>,
    /// What systemd is told.
    pub watchdog: Watchdog,
}

/// Why a daemon ends early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The board is no longer reached.
    #[error(transparent)]
    Board(#[from] OpenError),
    /// The interrupt fails.
    #[error("the board's interrupt failed")]
    Interrupt(#[from] io::Error),
    /// The slow path never gets ready.
    #[error("the board does not zero its page table within {} s", BOOT.as_secs())]
    NeverReady,
}

/// Serves until `stop` is set. `ready` is called once, when requests are served. The board's fast path serves on afterwards.
pub fn serve(
    board: &mut impl Served,
    slow: &mut Slow,
    options: &mut Options,
    stop: &AtomicBool,
    ready: impl FnOnce(&BoardInfo) -> String,
) -> Result<(), ServeError> {
    let (began, mut patience, mut ready) = (Instant::now(), Patience::default(), Some(ready));
    while !stop.load(Ordering::Relaxed) {
        let mut progress = match &mut options.callers {
            Some(callers) => slow.poll(&mut callers.over(board)),
            None => slow.poll(board),
        };
        let now = Instant::now();
        if let Some(rdma) = &mut options.rdma {
            let since = u64::try_from((now - began).as_nanos()).unwrap_or(u64::MAX);
            progress |= rdma.serve(since, board, slow);
            if let Some(callers) = options.callers.as_mut().filter(|_| slow.ready()) {
                progress |= callers.serve(since, rdma, board, slow);
            }
        }
        board.alive()?;
        options.watchdog.lives(now);
        if let Some(list) = options.tenants.as_mut().and_then(|watch| watch.look(now - began)) {
            slow.set_tenants(list);
        }
        if slow.ready() {
            if let Some(ready) = ready.take() {
                options.watchdog.ready(&ready(&slow.info()));
            }
        } else if now - began > BOOT {
            return Err(ServeError::NeverReady);
        }
        if progress {
            patience.worked();
        } else if slow.working() {
            slow.wait(WORKERS);
        } else if board.look(patience.look()) {
            patience.came();
        } else {
            let woken = board.wait(patience.sleep())?;
            patience.slept(woken);
        }
    }
    options.watchdog.stopping();
    if let Some(rdma) = &mut options.rdma {
        rdma.look(board);
    }
    slow.close(board);
    Ok(())
}
