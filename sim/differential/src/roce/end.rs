//! What is compared when nothing moves: queue pairs, counters, memory.
use mneme_model::port::NetworkPort;
use mneme_rdma::responder::Counter;
use mneme_slowpath::RoceProgress;
use mneme_wire::RoceCounter;

use super::model::counter;
use super::run::Run;
use crate::Mismatch;
use crate::mismatch::hex;

impl Run<'_> {
    /// How far a queue pair is.
    pub(super) fn check_state(&mut self, at: usize) -> Result<(), Mismatch> {
        let qpn = self.peers[at].config.qpn;
        let board = self.board.port(|port| port.query(qpn))?;
        let responder = &self.model.responder;
        let expected = responder.progress(qpn).map_or(0, |(expected, _)| expected.number());
        let in_error = responder.in_error(qpn) == Some(true);
        differ(&format!("queue pair {qpn:#x}"), RoceProgress { expected, in_error }, board)
    }

    /// Compares everything.
    pub(super) fn judge(&mut self) -> Result<(), Mismatch> {
        self.end_chains()?;
        self.come_to_rest()?;
        for at in 0..self.peers.len() {
            self.check_state(at)?;
            self.count_operations(at);
        }
        let memory = &self.model.memory;
        self.report.frames_taken = memory.taken;
        self.report.freed = [memory.freed, self.model.responder.counters().get(Counter::Sends)];
        self.report.frames_short = memory.ring_empty + memory.budget_spent;
        self.report.cycles = self.board.fast.cycles();
        let keys: Vec<_> = self.model.memory.pages.keys().copied().collect();
        for key in keys {
            let memory = &self.model.memory;
            let split = memory.split_bytes(key);
            let whole = || memory.pages.get(&key).and_then(|page| page.bytes.clone());
            let model = split.clone().or_else(whole);
            let board = if split.is_some() { self.split_page(key)? } else { self.board.page(key)? };
            if model != board {
                let pair = model.as_ref().zip(board.as_ref());
                let first = pair.and_then(|(a, b)| a.iter().zip(b).position(|(a, b)| a != b));
                let had = |bytes: Option<&Vec<u8>>| if bytes.is_some() { "has" } else { "lacks" };
                return Err(Mismatch::new(format!(
                    "page {:#x} of {:#x}: the model {} bytes, the board {}; the first that differs: {first:x?}",
                    key.1,
                    key.0,
                    had(model.as_ref()),
                    had(board.as_ref())
                )));
            }
            self.report.memory += model.map_or(0, |bytes| bytes.len() as u64);
        }
        Ok(())
    }

    /// Compares what was counted. The board must be at rest.
    pub(super) fn check_counters(&mut self) -> Result<(), Mismatch> {
        let counters = self.model.responder.counters().clone();
        for own in Counter::ALL {
            // Several WRITEs may have one acknowledge.
            let model =
                if *own == Counter::Acknowledges { self.report.acknowledges } else { counters.get(*own) };
            match counter(*own) {
                // The model's answers never wait.
                _ if *own == Counter::Held => differ(own.name(), model, 0)?,
                Some(number) => {
                    let what =
                        format!("{}, the last that was refused {}", own.name(), hex(&self.model.refused));
                    differ(&what, model, self.board.counted(number)?)?;
                }
                // Chains count it themselves.
                None if *own == Counter::ReceiveLength => {}
                // What is another version is dropped by name before; nobody takes SENDs into buffers.
                None => differ(own.name(), model, 0)?,
            }
        }
        let board = &mut self.board;
        differ("immediates", self.model.immediates, board.counted(RoceCounter::Immediates)?)?;
        let handed_on = board.counted(RoceCounter::RxPackets)? + board.counted(RoceCounter::RxMalformed)?;
        differ("packets handed on", self.model.sound, handed_on)?;
        differ("another version", self.model.other_version, board.counted(RoceCounter::DropVersion)?)?;
        differ("frames sent", self.report.answers, board.counted(RoceCounter::TxPackets)?)?;
        differ("frames sent as damaged", 0, board.counted(RoceCounter::TxDamaged)? + board.damaged)?;
        differ("frames that found no place", 0, board.counted(RoceCounter::DropFull)?)?;
        let drops = RoceCounter::ALL.iter().filter(|counter| counter.name().starts_with("DROP_"));
        let dropped: u64 = drops.map(|counter| board.counted(*counter)).sum::<Result<u64, _>>()?;
        let dropped = dropped + board.dropped_by_core();
        differ("frames that no queue pair saw", self.report.dropped, dropped)
    }
}

/// What differs, if it does.
pub(super) fn differ<T: PartialEq + std::fmt::Debug>(what: &str, model: T, board: T) -> Result<(), Mismatch> {
    if model == board {
        Ok(())
    } else {
        Err(Mismatch::new(format!("{what}: model {model:x?}, board {board:x?}")))
    }
}
