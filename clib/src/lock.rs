//! A lock in remote memory: an aligned 8-byte word, 0 when free, else the holder's token.
use crate::error::{Error, Result};
use crate::planted::PlantedFault;
use crate::process::{Process, with_effect};
use crate::transport::{Effect, Reason};
use std::time::Duration;

/// How often a release whose outcome is unknown is looked at again.
const RELEASE_TRIES: u32 = 4;

/// How long to wait for a lock, and how often to look.
///
/// ```
/// use mneme_clib::LockOptions;
/// use std::time::Duration;
///
/// let short = LockOptions::within(Duration::from_millis(100));
/// assert_eq!(short.longest_pause, LockOptions::default().longest_pause);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockOptions {
    /// How long to wait in all, on the driver's clock.
    pub timeout: Duration,
    /// The first pause after finding it held; each further one doubles, up to the longest, and is cut at random by up
    /// to a half so that waiters do not return in step.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
}

impl LockOptions {
    /// Waits for a time, with the usual pauses.
    pub fn within(timeout: Duration) -> Self {
        LockOptions { timeout, ..LockOptions::default() }
    }
}

impl Default for LockOptions {
    fn default() -> Self {
        LockOptions {
            timeout: Duration::from_secs(10),
            first_pause: Duration::from_micros(20),
            longest_pause: Duration::from_millis(5),
        }
    }
}

/// A held lock. It stays held until [`Process::runlock`] takes it, even when this is dropped.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> Result<(), Box<dyn std::error::Error>> {
/// use mneme_clib::LockOptions;
///
/// let word = process.ralloc_zeroed(8)?;
/// let token = process.rlock(word, LockOptions::default())?;
/// // One client at a time comes here.
/// process.runlock(token)?;
/// # Ok(()) }
/// ```
#[derive(Debug, PartialEq, Eq)]
#[must_use = "the lock stays held until `runlock`"]
pub struct LockToken {
    va: u64,
    word: u64,
    /// A try to release it had an error, and may have released it all the same.
    perhaps_released: bool,
}

impl LockToken {
    /// The lock word's address.
    pub fn va(&self) -> u64 {
        self.va
    }
}

/// A lock that could not be released; the token is handed back for another try.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, token: mneme_clib::LockToken) -> Result<(), mneme_clib::UnlockError> {
/// if let Err(error) = process.runlock(token) {
///     println!("{error}: once more");
///     process.runlock(error.token)?;
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct UnlockError {
    /// The lock, possibly still held.
    pub token: LockToken,
    /// Why.
    #[source]
    pub error: Box<Error>,
}

/// The operation's copies can no longer be executed, but one of them may have been.
fn settled_but_unknown(error: &Error) -> bool {
    error.reason() == Some(Reason::Expired) && error.effect() != Effect::None
}

/// The error of a try behind one that may have taken effect.
fn perhaps(error: Error) -> Error {
    match error.effect() {
        Effect::None => with_effect(error, Effect::Possible),
        Effect::Possible | Effect::Partial => error,
    }
}

impl Process {
    /// Takes the lock whose word lies at `va`, an aligned 8-byte word that was 0 before its first use. Waits as
    /// [`LockOptions`] say, while other threads of the client have their turn, and acquires: reads that follow see what
    /// the last holder wrote before its `runlock`.
    ///
    /// Each acquisition writes a token of its own, so an attempt whose outcome is unknown is settled by looking at the
    /// word. After an error whose effect is *possible* the lock may be held by nobody's token.
    ///
    /// A handle of [`Process::within`] waits for no longer than its time: for a lock that is held ([`Error::LockTimeout`]),
    /// and for a board that does not answer ([`Error::is_deadline`]), all tries together.
    pub fn rlock(&self, va: u64, options: LockOptions) -> Result<LockToken> {
        let call = self.one_call();
        let (start, word) = {
            let mut core = self.session().lock()?;
            (core.now(), core.random().max(1))
        };
        let timeout = call.left(start).map_or(options.timeout, |left| left.min(options.timeout));
        let mut unknown = false;
        let mut pause = options.first_pause.max(Duration::from_nanos(1));
        loop {
            let found = match call.compare_swap_releasing(va, 0, word) {
                Ok(found) => found,
                Err(error) if settled_but_unknown(&error) => {
                    if self.session().lock()?.now().saturating_sub(start) >= timeout {
                        return Err(error);
                    }
                    unknown = true;
                    continue;
                }
                Err(error) if unknown => return Err(perhaps(error)),
                Err(error) => return Err(error),
            };
            unknown = false;
            if found == 0 || found == word || self.session().lock()?.planted(PlantedFault::LockShared) {
                return Ok(LockToken { va, word, perhaps_released: false });
            }
            let mut core = self.session().lock()?;
            let waited = core.now().saturating_sub(start);
            if waited >= timeout {
                return Err(Error::LockTimeout { va, waited, holder: found });
            }
            let cut = pause * (core.random() % 512) as u32 / 1024;
            let until = start + waited + (pause - cut).min(timeout - waited);
            drop(core);
            self.session().pause(until);
            let now = self.session().lock()?.now();
            if call.left(now).is_some_and(|left| left.is_zero()) {
                // Another look would end before it had begun.
                return Err(Error::LockTimeout { va, waited: now.saturating_sub(start), holder: found });
            }
            pause = (pause * 2).min(options.longest_pause.max(options.first_pause));
        }
    }
    /// Releases a lock. All earlier calls of this process on this client have ended by then, asynchronous ones
    /// included, so the next holder sees their effects.
    ///
    /// After an error that may have released it, another try with the token finds the word free, or another holder's: that is
    /// taken for the effect of the first try.
    pub fn runlock(&self, mut token: LockToken) -> Result<(), UnlockError> {
        let (call, mut unknown) = (self.one_call(), token.perhaps_released);
        for tries_left in (0..RELEASE_TRIES).rev() {
            match call.compare_swap_releasing(token.va, token.word, 0) {
                Ok(found) if found == token.word || unknown => return Ok(()),
                Ok(found) => {
                    let error = Box::new(Error::LockLost { va: token.va, found });
                    return Err(UnlockError { token, error });
                }
                Err(error) if settled_but_unknown(&error) && tries_left > 0 => unknown = true,
                Err(error) => {
                    let error = Box::new(if unknown { perhaps(error) } else { error });
                    token.perhaps_released = error.effect() != Effect::None;
                    return Err(UnlockError { token, error });
                }
            }
        }
        Ok(())
    }
}
