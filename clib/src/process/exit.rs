//! The end of a process.
use super::Process;
use crate::client::Lane;
use crate::core::{Closed, Way};
use crate::error::{Error, Result};
use crate::transport::Payload;
use mneme_wire::{Opcode, Va};

impl Process {
    /// Ends the process on its boards, for all clients that joined it: its memory is freed and zeroed. After an error the
    /// handle is in it, for another try; without one, the process ends with its lease.
    ///
    /// Another try asks the boards on which it has not ended. One whose answer was lost, and that says now that there is no
    /// such process, or that it has restarted since, has ended it. With tags ([`Integrity::Tag`](crate::Integrity::Tag)) it
    /// has to prove that, which it does to the tenant who has opened the process. Who has joined another tenant's may be
    /// left with the error of a board that does not answer.
    ///
    /// Other handles of this client ([`Process::within`], pending calls, typed memory) send nothing more for the process:
    /// their calls fail with [`Reason::Exited`](crate::Reason::Exited), those that wait behind this one, too. The board may
    /// give the process's number to somebody else.
    pub fn exit(self) -> Result<(), ExitError> {
        self.end().map_err(|error| ExitError { process: self, error: Box::new(error) })
    }
    /// Whether it has been ended on a board.
    pub(super) fn has_ended_on(&self, way: &Way) -> bool {
        self.session().look(None, |core| core.closed(self.domain(), way.lane)) == Some(Closed::Exited)
    }
    /// [`Process::exit`] for handles that cannot be moved.
    #[doc(hidden)]
    pub fn end(&self) -> Result<()> {
        let domain = self.domain();
        let mut ways = {
            let mut core = self.session().lock()?;
            let ways = core.all_ways(domain);
            for way in &ways {
                // Its number has been given to another process since.
                if core.closed(domain, way.lane) == Some(Closed::Perhaps) && core.is_of_another(domain, *way)
                {
                    core.close(domain, way.lane, Closed::Exited);
                }
            }
            ways
        };
        // Its keys may have ended with it, and it could be another's by another try.
        for way in &ways {
            let lane = Lane::new(self.session(), way.lane, self.ends);
            let unsure = self.session().lock()?.closed(domain, way.lane) == Some(Closed::Perhaps);
            if unsure && lane.proves_gone(way, self.inner.joined) {
                self.session().lock()?.close(domain, way.lane, Closed::Exited);
            }
        }
        ways.retain(|way| !self.has_ended_on(way));
        let parts = ways.iter().map(|way| (*way, Va::default(), Payload::new()));
        let mut failed = None;
        for (way, answer) in ways.iter().zip(self.slow_all(Opcode::Exit, parts)) {
            // An earlier try may have ended it.
            if let Err(error) = answer
                && !self.has_ended_on(way)
            {
                failed.get_or_insert(error);
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        // Nobody asks about its calls any more.
        self.session().forget(domain);
        Ok(())
    }
}

/// A process that could not be ended; the handle is given back for another try.
///
/// ```no_run
/// fn end(process: mneme_clib::Process) {
///     if let Err(error) = process.exit() {
///         println!("{error}: once more");
///         drop(error.process.exit());
///     }
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct ExitError {
    /// The process, which may have ended all the same.
    pub process: Process,
    /// Why.
    #[source]
    pub error: Box<Error>,
}

impl From<ExitError> for Error {
    /// Without the process: it ends with its lease, if it has one.
    fn from(error: ExitError) -> Error {
        *error.error
    }
}
