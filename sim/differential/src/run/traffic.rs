//! Tokens at random for the second door.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_model::traffic::Traffic;
use mneme_slowpath::FastPath;
use mneme_wire::{Opcode, Va};
use rand::Rng;

use super::super::generate;
use super::super::mismatch::Mismatch;
use super::Run;

/// Commands of one go, and tokens of a command, at most.
const COMMANDS: usize = 6;
const TOKENS: u16 = 12;

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// A few runs of tokens, on the pages that requests are about.
    pub(super) fn send_traffic(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        for _ in 0..self.rng.random_range(1..=COMMANDS) {
            let traffic = self.traffic(now);
            // A full queue takes none; there will be others.
            if self.board.traffic(&traffic).is_err() {
                break;
            }
            self.replay.send_traffic(&traffic, now);
            self.report.tokens += u64::from(traffic.count);
        }
        self.collect()
    }

    fn traffic(&mut self, now: mneme_wire::Tick) -> Traffic {
        let Run { world, rng, .. } = self;
        let operation = match rng.random_range(0..100) {
            0..35 => Some(Opcode::Read),
            35..70 => Some(Opcode::Write),
            70..78 => Some(Opcode::CompareSwap),
            78..86 => Some(Opcode::FetchAdd),
            86..91 => Some(Opcode::Swap),
            91..97 => Some(Opcode::Fence),
            _ => None,
        };
        let atomic = operation.is_some_and(Opcode::is_atomic);
        let (page, page_size) = (world.page(rng), world.geometry.page_size());
        let length = if atomic { 8 } else { generate::length(world.shape.max_payload(), rng) };
        let offset = generate::offset(page_size, length, rng) & if atomic { !7 } else { !0 };
        let room = page_size - offset - length;
        let count = if rng.random_bool(0.5) { 1 } else { rng.random_range(1..=TOKENS) };
        // All of them inside the page.
        let most = room.checked_div(u64::from(count - 1)).unwrap_or_default().min(4096);
        let stride = rng.random_range(0..=most) & if atomic { !7 } else { !0 };
        Traffic {
            operation,
            windowed: rng.random_bool(0.4).then(|| generate::time(world, now, rng)),
            pid: page.pid,
            va: Va::from_low_bits(page.vpn * page_size + offset),
            length: length as u16,
            data_offset: rng.random(),
            operands: [generate::word(rng), generate::word(rng)],
            count,
            stride: stride as u16,
        }
    }
}
