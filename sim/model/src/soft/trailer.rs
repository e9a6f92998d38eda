//! Trailers: what a request's must be, and what its answer is sealed with (`docs/reference/trailers.md` §3).
use mneme_wire::trailer::{BoardKey, Means, ProcessKey, full_time, upper};
use mneme_wire::{Cause, Opcode, Packet, Pid, Register, Status, TagMode, Trailer};

use super::model::Model;
use super::request::{Answer, BoardRequest};

/// Registers that only boards with trailers have.
pub(super) fn of_trailers(register: Register) -> bool {
    use Register as R;
    matches!(register, R::TagMode | R::TagPhases | R::TickHigh | R::TickTop)
        || Register::TAG_KEYS.contains(&register)
}

impl Model {
    /// The kind of a packet's trailer, if this board has it.
    pub(super) fn trailer_of(&self, packet: &Packet<&[u8]>) -> Option<Trailer> {
        packet.trailer().filter(|kind| self.shape.trailers || *kind == Trailer::None)
    }

    /// Which requests need a tag.
    pub(super) fn tag_mode(&self) -> TagMode {
        TagMode::from_number(self.registers.get(Register::TagMode) as u8).unwrap_or(TagMode::All)
    }

    /// Whether TAG_MODE asks for a tag. PING's answer is what everybody may know, and OPEN proves its tenant by itself.
    fn needs_tag(&self, request: &BoardRequest, slow: bool) -> bool {
        let open = match request.operation() {
            Some(Opcode::Open) => true,
            Some(Opcode::Ping) => request.pid == Pid::NONE,
            _ => false,
        };
        let mode = self.tag_mode();
        !open && (mode == TagMode::All || mode == TagMode::Slow && slow)
    }

    /// The key of the request's process, if its phase has a valid one.
    fn key_of(&self, request: &BoardRequest) -> Option<ProcessKey> {
        let phase = usize::from(request.key_phase);
        let valid = self.registers.get(Register::TagPhases) >> phase & 1 == 1;
        let words = [0, 1, 2, 3].map(|word| self.registers.get(Register::TAG_KEYS[4 * phase + word]));
        let key = BoardKey::from_words(words);
        (valid && request.pid != Pid::NONE).then(|| key.of(request.pid))
    }

    /// Checks the trailer: an answer, or nothing when the request goes on; it holds then what its answer is sealed with.
    pub(super) fn authenticate(
        &self,
        packet: &Packet<&[u8]>,
        request: &mut BoardRequest,
        slow: bool,
    ) -> Option<Answer> {
        let refused = |status| Some(Answer::fail(status, Cause::None));
        let kind = packet.trailer().unwrap_or(Trailer::None);
        if kind != Trailer::Tag && self.needs_tag(request, slow) {
            return refused(Status::Unauthenticated);
        }
        let means = match kind {
            Trailer::None => Means::None,
            Trailer::Crc32c => Means::Crc32c,
            Trailer::Tag => match self.key_of(request) {
                Some(key) => Means::Tag { key, upper: upper(full_time(self.full_tick(), request.time)) },
                None => return refused(Status::Unauthenticated),
            },
        };
        if !means.check(&request.endpoints.covered(), packet.bytes()) {
            return refused(if kind == Trailer::Tag { Status::Unauthenticated } else { Status::Nack });
        }
        request.means = means;
        None
    }

    /// The tick with all its 64 bits.
    fn full_tick(&self) -> u64 {
        self.tick_high << 24 | u64::from(self.tick.get())
    }
}
