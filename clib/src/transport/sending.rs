//! What leaves, when, and how long its answer may take.
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::seal::Sealing;
use super::timing::Moment;
use super::{Buffers, Effect, Reason, Transport};
use mneme_wire::{HEADER_LEN, Request};
use std::time::Duration;

/// Writes a datagram into the memory it is given.
///
/// ```
/// use mneme_clib::transport::Fill;
///
/// fn send(length: usize, fill: &mut Fill) -> Vec<u8> {
///     let mut datagram = vec![0; length];
///     fill(&mut datagram);
///     datagram
/// }
/// assert_eq!(send(2, &mut |bytes| bytes.fill(7)), [7, 7]);
/// ```
pub type Fill<'a> = dyn FnMut(&mut [u8]) + 'a;

impl Transport {
    /// Gives the next datagram that is due to `send`: its length, and what writes it. False when none is due. Payloads
    /// of writes come from `buffers`.
    pub fn transmit<E>(
        &mut self,
        now: Duration,
        buffers: &dyn Buffers,
        send: impl FnOnce(usize, &mut Fill) -> Result<(), E>,
    ) -> Result<bool, E> {
        let moment = self.timing.moment(now.into());
        self.transmit_at(moment, buffers, send)
    }
    /// Gives all datagrams that are due to `send`.
    #[inline]
    pub(crate) fn transmit_all<E>(
        &mut self,
        now: Duration,
        buffers: &dyn Buffers,
        mut send: impl FnMut(usize, &mut Fill) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.may_transmit() {
            let moment = self.timing.moment(now.into());
            while self.may_transmit() && self.transmit_at(moment, buffers, &mut send)? {}
        }
        Ok(())
    }
    #[inline(always)]
    fn transmit_at<E>(
        &mut self,
        moment: Moment,
        buffers: &dyn Buffers,
        send: impl FnOnce(usize, &mut Fill) -> Result<(), E>,
    ) -> Result<bool, E> {
        let now = moment.now;
        let next = if self.table.any_due() { self.next_that_fits(moment) } else { None };
        if next.is_none() && self.probe.due(now).is_none() {
            return Ok(false);
        }
        let timed = self.times.is_some();
        self.counters.sent += 1;
        let sealing = match next.map(|index| &self.table[index]).or(self.probe.operation()) {
            Some(operation) => self.seal.sealing(&operation.call, operation.is_doubted()),
            None => return Ok(false),
        };
        // Alone, not with the call: a whole that was just put together is slow to copy.
        let header = match next {
            Some(index) => {
                let operation = &self.table[index];
                // A probe is not paced, and must not put off what is. After a pause timers are blind.
                self.gate.sent(operation, self.table.load().0, now);
                let tick = if operation.is_handshake() { self.handshake_tick(now) } else { moment.tick };
                let ends = self.ends_once_sent(operation, now);
                let until = (now + self.timeout(operation)).min(ends);
                self.table.send(index, |operation| {
                    operation.ends = ends;
                    operation.state = State::Sent(until);
                    operation.emit(Moment { tick, ..moment }, &sealing, timed)
                })
            }
            None => match self.send_probe(moment, &sealing) {
                Some(header) => header,
                None => return Ok(false),
            },
        };
        let Some(operation) = next.map(|index| &self.table[index]).or(self.probe.operation()) else {
            return Ok(false);
        };
        let (call, trailer) = (&operation.call, sealing.kind.bytes());
        let (carried, means, addresses) =
            (call.payload_len(), sealing.means(operation.upper), self.seal.out());
        let mut fill = |frame: &mut [u8]| {
            // A driver gives as many bytes as it is asked for.
            let Some((head, rest)) = frame.split_first_chunk_mut() else { return };
            header.write(head);
            let Some(payload) = rest.get_mut(..carried) else { return };
            if call.is_filled() {
                buffers.fill(call.place, payload);
            } else {
                payload.copy_from_slice(&call.payload);
            }
            if trailer > 0 {
                means.seal(addresses, frame);
            }
        };
        let sent = send(HEADER_LEN + carried + trailer, &mut fill);
        if let (Err(_), Some(index)) = (&sent, next) {
            self.unsend(index, now);
        }
        sent.map(|()| true)
    }
    #[cold]
    fn handshake_tick(&self, now: Nanos) -> u64 {
        self.timing.clock().for_handshake(now).unwrap_or_default()
    }
    #[cold]
    fn send_probe(&mut self, moment: Moment, sealing: &Sealing) -> Option<Request> {
        let timeout = self.timing.timeout(self.probe.due(moment.now)?, self.gate.least_timeout());
        self.probe.send(timeout, moment, sealing)
    }
    /// The operation to send now; those that the path does not carry any longer end, or wait for what was sent before.
    #[inline(always)]
    fn next_that_fits(&mut self, moment: Moment) -> Option<usize> {
        loop {
            let next = self.next_due(moment.now)?;
            if self.table[next].needs(self.seal.bytes()) <= self.longest {
                return Some(next);
            }
            self.outgrown(next, moment.now);
        }
    }
    #[cold]
    fn outgrown(&mut self, index: usize, now: Nanos) {
        let operation = &self.table[index];
        if !operation.outgrown {
            self.counters.outgrown += 1;
        }
        let reason = self.too_long(operation);
        if !operation.can_have_happened() {
            self.fail(index, reason, Effect::None, now);
        } else if operation.outgrown || now >= operation.ends {
            self.fail(index, reason, Effect::Possible, now);
        } else {
            // The board may have what was sent, and answer when a page fault has got its page.
            let until = (now + self.timing.page_wait() + self.timeout(operation)).min(operation.ends);
            self.table.change(index, |operation| {
                operation.outgrown = true;
                operation.state = State::Sent(until);
            });
        }
    }
    pub(super) fn too_long(&self, operation: &Operation) -> Reason {
        Reason::TooLong { needs: operation.needs(self.seal.bytes()), carries: self.longest }
    }
    /// The operation to send now.
    #[expect(clippy::manual_find, reason = "`find` on a queue costs each operation eight instructions more")]
    #[inline(always)]
    fn next_due(&mut self, now: Nanos) -> Option<usize> {
        if self.gate.is_closed(&self.table, now) {
            return None;
        }
        let (load, holds) = (self.table.load(), self.gate.holds(self.timing.clock(), &self.table, now));
        for index in self.table.due() {
            if self.gate.lets(&self.table[index], holds, load, &self.timing, now) {
                return Some(index);
            }
        }
        None
    }
    /// When an operation is given up once its next attempt has left. A write that had to wait for the filter has half of
    /// its time from its first attempt on, if the board answers: what is left of it may be nothing. That is time for a
    /// second attempt, whatever the timer is after a pause.
    #[inline]
    fn ends_once_sent(&self, operation: &Operation, now: Nanos) -> Nanos {
        let first = operation.transmissions == 0 && operation.class == Class::Filtered;
        if !first || !self.hearing.is_alive(now, self.timing.patience_with_board()) {
            return operation.ends;
        }
        let time = (self.timing.give_up(operation.class) / 2).max(2 * self.timeout(operation));
        operation.ends.max(now + time)
    }
    /// How long the latest attempt of an operation may take.
    #[inline]
    pub(super) fn timeout(&self, operation: &Operation) -> Nanos {
        self.timing.timeout(operation, self.gate.least_timeout())
    }
}
