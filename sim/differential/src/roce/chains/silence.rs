//! Peers that answer nothing: replies are sent again after a time without an answer, seven times, and then the queue pair has ended.
//!
//! The clocks of board and model are not the same. So time passes on both while nothing else happens, and a queue pair of its own has the
//! short time: of others no time ends.
use rand::Rng;

use super::super::run::Run;
use super::PEERS;
use super::replies::Says;
use crate::Mismatch;

/// Replies are sent again after 2^2 ticks.
const TIMEOUT: u32 = 2;
const TICKS: u64 = 1 << TIMEOUT;
/// Nanoseconds of a tick.
const TICK: u64 = 10_000;
/// Between the first repeat, on a board that looks at its times once a tick, and the second, which is due twice as late. A board
/// goes on while it comes to rest, for 2,048 of a tick's 2,500 cycles and more; with two ticks more it may send the second one.
const ONE: u64 = TICKS + 1;
/// All seven repeats, and the end.
const ALL: u64 = 9 * (TICKS + 2);
/// Repeats of replies.
const REPEATS: u64 = 7;

impl Run<'_> {
    /// A queue pair is made, does one message, has no answer for a while or for good, and goes.
    pub(super) fn silence(&mut self) -> Result<(), Mismatch> {
        self.flush()?;
        let at = self.chains.len();
        let number = PEERS + self.rng.random_range(0..PEERS);
        let peer = self.chain_peer(number, TICKS * TICK)?;
        self.create_chain(&peer, TIMEOUT)?;
        self.chains.push(peer);
        self.be_silent(at)?;
        self.destroy_chain(at)?;
        self.chains.truncate(at);
        Ok(())
    }
    fn be_silent(&mut self, at: usize) -> Result<(), Mismatch> {
        let message = self.draw_message(at)?;
        let verdict = self.verdict(at, &message);
        if verdict.is_refused() || self.chains[at].replies().is_empty() {
            return Ok(());
        }
        self.send_messages(vec![(at, message, verdict)])?;
        self.flush()?;
        if self.rng.random_bool(0.2) {
            self.pass_time(ALL)?;
            // It counts the time after the last repeat, too.
            self.report.chains.silences += REPEATS + 1;
            self.report.chains.failed += 1;
            self.chains[at].in_error = true;
            return Ok(());
        }
        self.pass_time(ONE)?;
        self.report.chains.silences += 1;
        let left = self.chains[at].sent.since(self.chains[at].answered);
        self.say(at, Says::Acknowledge(left))?;
        self.flush()
    }
}
