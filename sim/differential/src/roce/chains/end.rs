//! What is compared of chains when nothing moves: queue pairs, counters, and where each frame is.
use std::collections::BTreeSet;

use mneme_rdma::responder::Counter;
use mneme_slowpath::ChainProgress;
use mneme_wire::{ChainCounter, LeafRegister};

use super::super::end::differ;
use super::super::run::Run;
use super::Wrong;
use crate::Mismatch;

impl Run<'_> {
    /// How far a chain queue pair is.
    pub(super) fn check_chain(&mut self, at: usize) -> Result<(), Mismatch> {
        let peer = &self.chains[at];
        let qpn = peer.config.qpn;
        let board = self.board.chains(|port| port.query(qpn))?;
        let expected = ChainProgress { expected: peer.client.number(), in_error: peer.in_error };
        differ(
            &format!("chain queue pair {qpn:#x} in the model"),
            self.model.responder.in_error(qpn),
            Some(peer.in_error),
        )?;
        differ(&format!("chain queue pair {qpn:#x}"), expected, board)
    }
    /// All of them, when all replies are answered.
    pub(in crate::roce) fn end_chains(&mut self) -> Result<(), Mismatch> {
        self.answer_all()?;
        (0..self.chains.len()).try_for_each(|at| self.check_chain(at))
    }

    /// What chains have counted.
    pub(in crate::roce) fn check_chain_counters(&mut self) -> Result<(), Mismatch> {
        use ChainCounter as Number;
        let c = *self.model.chain_counters();
        let length = self.model.responder.counters().get(Counter::ReceiveLength);
        self.report.chains.rights = c.right;
        let seen = self.report.chains;
        let [replies, again] = seen.replies;
        for (counter, model) in [
            (Number::Loads, c.loads + u64::from(c.loads > 0 && self.wrong == Some(Wrong::Count))),
            (Number::MappedStores, c.mapped_stores),
            (Number::UnmappedStores, c.unmapped_stores),
            (Number::Freed, c.freed),
            (Number::FreedNothing, c.freed_nothing),
            (Number::Unmapped, c.unmapped),
            (Number::Outside, c.outside),
            (Number::WrongKey, c.wrong_key),
            (Number::Right, c.right),
            (Number::RingEmpty, c.ring_empty),
            (Number::BudgetSpent, c.budget_spent),
            (Number::NotStored, c.not_stored),
            (Number::RepliesFull, c.replies_full),
            (Number::ReceiveLength, length),
            (Number::Abandoned, seen.abandoned),
            (Number::AnswerMalformed, 0),
            (Number::RepliesFailed, seen.failed),
            (Number::ReplyPackets, replies),
            (Number::RepliesAgain, again),
            (Number::LookedAgain, c.looked_up_again),
            (Number::ReplyTimeouts, seen.silences),
            (Number::ReplyGaps, seen.gaps),
            (Number::ReplyNotReady, seen.not_ready),
            (Number::AnswersStale, seen.stale),
            (Number::AnswersUnknown, seen.unknown),
        ] {
            let board = self.board.chains(|port| Ok(port.counter(counter)))?;
            differ(&format!("chains: {counter}"), model, board.into())?;
        }
        Ok(())
    }

    /// Each frame is in one place: free, waiting for accesses to end, or in a table.
    pub(in crate::roce) fn check_places(&mut self, tables: &[u64]) -> Result<(), Mismatch> {
        let mapped: BTreeSet<u64> = tables.iter().copied().collect();
        differ("frames that two pages have", 0, tables.len() - mapped.len())?;
        let leaf = &self.model.memory.leaf;
        let audit = leaf.audit().map_err(|error| Mismatch::new(error.to_string()))?;
        let waits = audit.waiting + audit.private;
        let mut number = |register: LeafRegister| self.board.leaf(register) as usize;
        let [total, usable, waiting] =
            [LeafRegister::Total, LeafRegister::Usable, LeafRegister::Waiting].map(&mut number);
        let all = [total, usable + waiting, mapped.len()];
        differ(
            "frames, those of no page, and those of pages",
            [leaf.given(), audit.ring + waits, audit.mapped],
            all,
        )?;
        // Nothing waits for chains: a load's access does not go on while nothing may be sent.
        differ("frames that are free, and those that wait", [audit.ring, waits], [usable, waiting])?;
        differ("frames that are nowhere", total, usable + waiting + mapped.len())
    }
}
