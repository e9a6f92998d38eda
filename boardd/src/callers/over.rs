//! The board as its slow path sees it while callers are served: frames of the daemon itself come among those of the ring, and answers to
//! these go to the daemon.
use mneme_slowpath::{FastPath, LatencySummary, LeafCommand, LeafRefused, LeafState, RingFull};
use mneme_wire::{ChainRegister, Counter, LeafRegister, Register, RoceRegister};

use super::Inside;

/// A board, and who is inside.
pub(crate) struct Over<'a, B> {
    pub board: &'a mut B,
    pub inside: &'a mut Inside,
}

impl<B: FastPath> FastPath for Over<'_, B> {
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        if let Some(frame) = self.inside.memory.goes.pop_front() {
            *into = frame;
            return true;
        }
        // Answers to the daemon's own questions are nobody else's: at most as many as the ring has.
        while self.board.receive(into) {
            if !self.inside.neighbours.take(into) {
                return true;
            }
        }
        false
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        if self.inside.memory.take(frame) { Ok(()) } else { self.board.send(frame) }
    }
    fn read_register(&mut self, register: Register) -> u32 {
        self.board.read_register(register)
    }
    fn write_register(&mut self, register: Register, value: u32) {
        self.board.write_register(register, value);
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.board.read_counter(counter)
    }
    fn read_observed(&mut self, number: u32) -> u32 {
        self.board.read_observed(number)
    }
    fn read_memory(&mut self, address: u64, into: &mut [u8]) {
        self.board.read_memory(address, into);
    }
    fn write_memory(&mut self, address: u64, from: &[u8]) {
        self.board.write_memory(address, from);
    }
    fn leaf(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        self.board.leaf(command)
    }
    fn leaf_state(&self) -> Option<LeafState> {
        self.board.leaf_state()
    }
    fn read_leaf(&mut self, offset: u32) -> u32 {
        self.board.read_leaf(offset)
    }
    fn write_leaf(&mut self, register: LeafRegister, value: u32) {
        self.board.write_leaf(register, value);
    }
    fn read_chain(&mut self, offset: u32) -> u32 {
        self.board.read_chain(offset)
    }
    fn write_chain(&mut self, register: ChainRegister, value: u32) {
        self.board.write_chain(register, value);
    }
    fn read_roce(&mut self, offset: u32) -> u32 {
        self.board.read_roce(offset)
    }
    fn write_roce(&mut self, register: RoceRegister, value: u32) {
        self.board.write_roce(register, value);
    }
    fn memory_limit(&self) -> Option<u64> {
        self.board.memory_limit()
    }
    fn latency(&self) -> Option<LatencySummary> {
        self.board.latency()
    }
}
