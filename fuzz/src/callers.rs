//! What programs of others say over TCP to a board that serves them: `ibv_rc_pingpong`'s word, and perftest's side of a conversation.
use std::net::Ipv4Addr;

use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma_peers::{Keys, Side, Talk, Turn, WORD};

use crate::input::Input;

/// What the board says of itself.
const OWN: Keys = Keys {
    qpn: 0x9c3,
    psn: Psn::from_low_bits(5),
    rkey: 0x1234_5678,
    va: 0x10_0000,
    address: Ipv4Addr::new(10, 0, 0, 9),
};

/// What came of a conversation: everything that was said, and how it ended, if it has.
type Came = (Vec<u8>, Option<Result<(), usize>>);

/// Gives the bytes to a conversation, so many at a time. `early`: no packet comes of it.
fn talk(bytes: &[u8], piece: usize, early: bool) -> Came {
    let (mut talk, mut left, mut said, mut took) = (Talk::default(), bytes, Vec::new(), 0);
    loop {
        match talk.turn(PathMtu::MAX) {
            Ok(Turn::More) => {
                let room = talk.room();
                assert!(!room.is_empty(), "it wants more and has no room");
                let (now, later) = left.split_at(piece.min(room.len()).min(left.len()));
                if now.is_empty() {
                    break (said, None);
                }
                room[..now.len()].copy_from_slice(now);
                talk.came(now.len());
                took += now.len();
                left = later;
            }
            Ok(Turn::Say(message)) => said.extend(message),
            Ok(Turn::Keys(client)) => {
                assert!(talk.room().is_empty(), "keys that were not granted are there");
                let answer = talk.grant(client, OWN, !early);
                let bytes = answer.as_bytes().try_into().expect("as long as the client's");
                assert_eq!(Keys::parse(bytes), Some(OWN));
                assert_eq!(talk.keys().map(|(first, own)| (*first, *own)), Some((client, OWN)));
                said.extend(answer.into_bytes());
            }
            Ok(Turn::Over) => break (said, Some(Ok(()))),
            Err(why) => {
                assert!(!why.name().is_empty() && !why.advice().is_empty());
                break (said, Some(Err(why.place())));
            }
        }
        assert!(said.len() <= took, "it says more than it was told");
    }
}

/// Panics when a property of either parser is broken.
pub fn run(input: &[u8]) {
    if let Some(word) = input.first_chunk::<WORD>()
        && let Some(side) = Side::parse(word)
    {
        let again = side.word();
        let again = again.as_bytes().try_into().expect("as long");
        assert_eq!(Side::parse(again), Some(side));
    }
    let mut input = Input::new(input);
    let (piece, early) = (usize::from(input.byte()).max(1), input.byte() & 1 == 1);
    let bytes = input.take(usize::MAX);
    let came = talk(bytes, piece, early);
    // How the stream was cut into pieces is nobody's matter.
    assert_eq!(came, talk(bytes, usize::MAX, early));
}
