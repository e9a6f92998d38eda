//! Answers as frames, and what may differ between those of the board and of the model.
use std::fmt;

use mneme_rdma::codec::frame::TRANSPORT_OFFSET;

/// A frame that answers, or would.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer(pub Vec<u8>);

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// All up to its number is done.
    Acknowledge,
    /// The packet of its number is refused, or is to come again.
    Refusal,
    /// What was asked for.
    Other,
}

impl Answer {
    fn at(&self, offset: usize) -> u8 {
        self.0.get(TRANSPORT_OFFSET + offset).copied().unwrap_or_default()
    }
    fn number(&self, offset: usize) -> u32 {
        u32::from_be_bytes([0, self.at(offset), self.at(offset + 1), self.at(offset + 2)])
    }
    /// The queue pair of the peer that it is for.
    pub fn queue_pair(&self) -> u32 {
        self.number(5)
    }
    /// The syndrome of what has one.
    pub fn syndrome(&self) -> u8 {
        self.at(12)
    }
    /// The number of its packet.
    pub fn psn(&self) -> u32 {
        self.number(9)
    }
    fn says(&self) -> Says {
        match (self.at(0), self.syndrome() >> 5) {
            (0x11, 0) => Says::Acknowledge,
            (0x11, _) => Says::Refusal,
            _ => Says::Other,
        }
    }
    /// Whether it says no more than that all up to a number is done.
    pub fn is_acknowledge(&self) -> bool {
        self.says() == Says::Acknowledge
    }
    /// Whether it refuses a packet, or wants it again.
    pub fn is_refusal(&self) -> bool {
        self.says() == Says::Refusal
    }
    /// Whether it is a WRITE that answers a chain.
    pub fn is_reply(&self) -> bool {
        (0x06..=0x0b).contains(&self.at(0))
    }
    /// Whether a refusal says of all before its packet what an acknowledge of them would.
    fn stands_for(&self, acknowledge: &Answer) -> bool {
        self.says() == Says::Refusal
            && acknowledge.is_acknowledge()
            && self.psn() == (acknowledge.psn() + 1) & 0xff_ffff
            && self.number(13) == acknowledge.number(13)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.len();
        let (opcode, psn, syndrome, msn) = (self.at(0), self.psn(), self.at(12), self.number(13));
        write!(
            f,
            "[opcode {opcode:#04x}, packet {psn:#x}, syndrome {syndrome:#04x}, message {msn}, {bytes} bytes]"
        )
    }
}

/// Compares the answers of one queue pair to packets that came back to back. `alone`: to one packet, where nothing may differ. Else an
/// acknowledge says what those before it would have said; an answer to a READ or an atomic says that all before it is done, and so
/// does what was refused, and was done then.
///
/// # Errors
/// What differs.
pub fn compare(model: &[Answer], board: &[Answer], alone: bool) -> Result<(), String> {
    let differ = |why: &str| Err(format!("{why}\n  model {model:?}\n  board {board:?}"));
    if alone {
        return if model == board { Ok(()) } else { differ("the answers differ") };
    }
    let asked = |answers: &[Answer]| -> Vec<Answer> {
        answers.iter().filter(|answer| answer.says() == Says::Other).cloned().collect()
    };
    if asked(model) != asked(board) {
        return differ("answers to READs or atomics differ");
    }
    let mut left = model.iter();
    if board.iter().any(|answer| !left.any(|told| told == answer)) {
        return differ("the board says what the model does not, or says it late");
    }
    match (model.last(), board.last()) {
        (Some(told), Some(says)) if says.stands_for(told) => Ok(()),
        (told, says) if told == says => Ok(()),
        _ => differ("the last answers differ"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(opcode: u8, psn: u8, syndrome: u8, msn: u8) -> Answer {
        let mut frame = vec![0; TRANSPORT_OFFSET + 16];
        let packet = &mut frame[TRANSPORT_OFFSET..];
        (packet[0], packet[11], packet[12], packet[15]) = (opcode, psn, syndrome, msn);
        Answer(frame)
    }

    #[test]
    fn a_later_acknowledge_stands_for_those_before_it_and_nothing_else_may_differ() {
        let acks: Vec<_> = (1..4).map(|psn| answer(0x11, psn, 0x1f, psn)).collect();
        let (word, nak) = ([answer(0x12, 4, 0x1f, 4)], [answer(0x11, 4, 0x60, 3)]);
        let all = |parts: &[&[Answer]]| parts.concat();
        assert_eq!(compare(&acks, &acks[2..], false), Ok(()));
        assert!(compare(&acks, &all(&[&acks, &nak]), false).is_err());
        assert_eq!(compare(&all(&[&acks, &nak]), &nak, false), Ok(()));
        assert_eq!(compare(&all(&[&acks[..1], &nak, &acks[2..]]), &nak, false), Ok(()));
        // Too early, out of order, missing, another one.
        assert!(compare(&acks, &acks[2..], true).is_err());
        assert!(compare(&acks, &acks[..2], false).is_err());
        assert!(compare(&acks, &[acks[2].clone(), acks[1].clone()], false).is_err());
        assert!(compare(&all(&[&acks, &word]), &acks, false).is_err());
        assert!(compare(&word, &[answer(0x12, 4, 0x1f, 5)], false).is_err());
        assert!(compare(&acks, &[], false).is_err());
    }
}
