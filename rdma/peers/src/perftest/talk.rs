//! A conversation with a client of perftest, without a socket.
use mneme_rdma::codec::PathMtu;

use super::why::Why;
use super::words::{KEYS, Keys, NUMBERS, Next};

/// Keys that a program has said before its first packet, when the server is to do something, too.
const EARLY: u8 = 4;

/// What a whole message is answered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// There is none yet.
    More,
    /// These bytes, which are as many as came.
    Say(Vec<u8>),
    /// The client's keys came: [`Talk::grant`] has the answer.
    Keys(Keys),
    /// `done`: the stream ends.
    Over,
}

/// A conversation. It takes the bytes of one message at a time, and has room for no more.
#[derive(Debug)]
pub struct Talk {
    next: Next,
    input: [u8; KEYS],
    filled: usize,
    mtu: PathMtu,
    /// The client's keys, and ours.
    keys: Option<(Keys, Keys)>,
    /// Keys that came before the first packet.
    early: u8,
    has_reported: bool,
}

impl Default for Talk {
    fn default() -> Talk {
        Talk {
            next: Next::Version,
            input: [0; KEYS],
            filled: 0,
            mtu: PathMtu::MAX,
            keys: None,
            early: 0,
            has_reported: false,
        }
    }
}

impl Talk {
    /// Where the next bytes go; empty: a whole message is there.
    pub fn room(&mut self) -> &mut [u8] {
        let wanted = self.next.bytes();
        &mut self.input[self.filled.min(wanted)..wanted]
    }
    /// So many bytes were put there.
    pub fn came(&mut self, bytes: usize) {
        self.filled = (self.filled + bytes).min(self.next.bytes());
    }
    /// Bytes of the message that is due that have come.
    #[cfg(test)]
    pub(super) const fn filled(&self) -> usize {
        self.filled
    }
    /// The path MTU, which both sides have.
    pub const fn mtu(&self) -> PathMtu {
        self.mtu
    }
    /// The client's keys and ours, when they have been exchanged.
    pub const fn keys(&self) -> Option<&(Keys, Keys)> {
        self.keys.as_ref()
    }
    /// Whether the client has told everything that comes before its keys.
    pub const fn has_greeted(&self) -> bool {
        !matches!(self.next, Next::Version | Next::CycleBuffer | Next::CacheLine | Next::Mtu)
    }
    /// Why it is silent.
    pub const fn silent(&self) -> Why {
        if self.early >= EARLY { Why::Waits } else { Why::Silent }
    }

    /// What the message that has come is answered by: the path MTU by `most` where the client's is larger. Keys stay until they are
    /// granted.
    ///
    /// # Errors
    /// Why the client gets no test.
    pub fn turn(&mut self, most: PathMtu) -> Result<Turn, Why> {
        loop {
            if self.filled < self.next.bytes() {
                return Ok(Turn::More);
            }
            match self.next {
                // Of a message whose kind its first byte tells, that byte is there.
                Next::Any => self.next = self.kind()?,
                Next::Keys => return self.keys_came(),
                Next::Done if self.input[..self.filled] == *b"done\0" => return Ok(Turn::Over),
                Next::Done => return Err(Why::Nonsense),
                _ => return self.answer(most),
            }
        }
    }

    fn kind(&mut self) -> Result<Next, Why> {
        match self.input[0] {
            b'0' => Ok(Next::Keys),
            b'd' => Ok(Next::Done),
            0 if self.early >= EARLY => Err(Why::BothWays),
            0 if !std::mem::replace(&mut self.has_reported, true) => Ok(Next::Report(NUMBERS)),
            _ => Err(Why::Nonsense),
        }
    }
    fn keys_came(&self) -> Result<Turn, Why> {
        let keys = Keys::parse(&self.input).ok_or(Why::Nonsense)?;
        match self.keys {
            Some((first, _)) if first != keys => Err(Why::Second),
            _ => Ok(Turn::Keys(keys)),
        }
    }
    /// Answers the keys that came by our own. `begun`: a packet has come.
    pub fn grant(&mut self, client: Keys, own: Keys, begun: bool) -> String {
        self.keys = Some((client, own));
        if !begun {
            self.early = self.early.saturating_add(1);
        }
        self.goes_on(Next::Any);
        own.message()
    }
    fn answer(&mut self, most: PathMtu) -> Result<Turn, Why> {
        let message = &mut self.input[..self.filled];
        let next = match self.next {
            // Behind the digits is a zero, as everything of C.
            Next::Version if message[0].is_ascii_digit() && message[15] == 0 => Next::CycleBuffer,
            Next::CycleBuffer => Next::CacheLine,
            Next::CacheLine => Next::Mtu,
            Next::Mtu => {
                let code = message[0].checked_sub(b'0').filter(|_| message[1] == 0);
                let mtu = code.and_then(PathMtu::from_code).ok_or(Why::Nonsense)?;
                // Both sides take the smaller one.
                self.mtu = mtu.min(most);
                message[0] = b'0' + self.mtu.code();
                Next::Keys
            }
            Next::Report(left) if left > 1 => Next::Report(left - 1),
            Next::Report(_) => Next::Any,
            Next::Version | Next::Keys | Next::Any | Next::Done => return Err(Why::Nonsense),
        };
        let said = message.to_vec();
        self.goes_on(next);
        Ok(Turn::Say(said))
    }
    const fn goes_on(&mut self, next: Next) {
        (self.next, self.filled) = (next, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use mneme_rdma::codec::Psn;

    use super::*;

    fn keys(qpn: u32) -> Keys {
        let address = Ipv4Addr::new(10, 0, 0, 2);
        Keys { qpn, psn: Psn::from_low_bits(7), rkey: 5, va: 0x1000, address }
    }
    /// Says a message in pieces of so many bytes.
    fn say(talk: &mut Talk, message: &[u8], piece: usize) -> Result<Turn, Why> {
        let mut left = message;
        loop {
            match talk.turn(PathMtu::MAX)? {
                Turn::More if left.is_empty() => return Ok(Turn::More),
                Turn::More => {}
                turn => {
                    assert!(left.is_empty(), "an answer to half a message");
                    return Ok(turn);
                }
            }
            let room = talk.room();
            let bytes = piece.min(room.len()).min(left.len());
            let (now, rest) = left.split_at(bytes);
            room[..bytes].copy_from_slice(now);
            talk.came(bytes);
            left = rest;
        }
    }

    #[test]
    fn a_whole_conversation_in_pieces_of_any_length() {
        for piece in [1, 2, 3, 7, 108] {
            let mut talk = Talk::default();
            for message in [&b"6.12\0\0\0\0\0\0\0\0\0\0\0\0"[..], b"abcd", b"efgh", b"3\0"] {
                assert!(!talk.has_greeted());
                assert_eq!(say(&mut talk, message, piece), Ok(Turn::Say(message.to_vec())), "{piece}");
            }
            assert!(talk.has_greeted());
            assert_eq!(talk.mtu(), PathMtu::new(1024).expect("a path MTU"));
            for _ in 0..2 {
                let turn = say(&mut talk, keys(1).message().as_bytes(), piece);
                assert_eq!(turn, Ok(Turn::Keys(keys(1))));
                // They stay until they are granted.
                assert!(talk.room().is_empty());
                assert_eq!(talk.turn(PathMtu::MAX), turn);
                assert_eq!(talk.grant(keys(1), keys(9), true), keys(9).message());
            }
            assert_eq!(talk.keys(), Some(&(keys(1), keys(9))));
            for number in [[0; 8], [1; 8], [2; 8], [3; 8], [4; 8]] {
                assert_eq!(say(&mut talk, &number, piece), Ok(Turn::Say(number.to_vec())));
            }
            assert_eq!(say(&mut talk, b"done\0", piece), Ok(Turn::Over));
        }
    }

    #[test]
    fn a_second_queue_pair_and_both_directions_are_refused() {
        let greeted = || {
            let mut talk = Talk::default();
            for message in [&b"6.12\0\0\0\0\0\0\0\0\0\0\0\0"[..], b"abcd", b"efgh", b"5\0"] {
                say(&mut talk, message, 108).expect("an answer");
            }
            say(&mut talk, keys(1).message().as_bytes(), 108).expect("keys");
            talk.grant(keys(1), keys(9), false);
            talk
        };
        assert_eq!(say(&mut greeted(), keys(2).message().as_bytes(), 108), Err(Why::Second));
        let mut both = greeted();
        assert_eq!(both.silent(), Why::Silent);
        for _ in 1..EARLY {
            say(&mut both, keys(1).message().as_bytes(), 108).expect("keys");
            both.grant(keys(1), keys(9), false);
        }
        assert_eq!(both.silent(), Why::Waits);
        assert_eq!(say(&mut both, &[0], 1), Err(Why::BothWays));
        assert_eq!(say(&mut greeted(), b"x", 1), Err(Why::Nonsense));
        assert_eq!(say(&mut Talk::default(), &[0xff; 16], 16), Err(Why::Nonsense));
    }
}
