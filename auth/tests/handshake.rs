//! What the handshake lets through, and what not.
use mneme_auth::{HandshakeError, Initiator, PublicKey, Responder, SecretKey};
use mneme_wire::payload::{
    BoardInfo, OpenAnswer, OpenRequest, SECURE_OPEN_LEN, SecureOpenAnswer, SecureOpenRequest,
};
use proptest::prelude::*;
use proptest::sample::Index;

const NONCE: u64 = 77;

fn board() -> SecretKey {
    SecretKey::from_bytes([1; 32])
}
fn tenant() -> SecretKey {
    SecretKey::from_bytes([2; 32])
}
fn asked() -> SecureOpenRequest {
    SecureOpenRequest { tick: 5, ..SecureOpenRequest::default() }
}
fn told() -> SecureOpenAnswer {
    let board =
        BoardInfo { page_bits: 18, epoch: 7, ns_per_tick: 8192, max_payload: 1450, ..BoardInfo::default() };
    let open = OpenAnswer { pid: 3, key: [7; 16], board, ..OpenAnswer::default() };
    SecureOpenAnswer { open, valid: 1, ..SecureOpenAnswer::default() }
}
fn begin(board: &PublicKey) -> (Initiator, [u8; SECURE_OPEN_LEN]) {
    Initiator::new(board, &tenant(), NONCE, &asked(), [3; 32]).expect("a message")
}

/// Computed with Python's `cryptography` from the Noise specification alone.
#[test]
fn messages_are_those_of_another_implementation() {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (_, message) = begin(&board().public());
    assert_eq!(
        hex(&message),
        "5dfedd3b6bd47f6fa28ee15d969d5bb0ea53774d488bdaf9df1c6e0124b3ef22c4c6c043f282005bdd0615108bbf19828ce9f779b97c30af\
         866d86d4d6ce5298ec87692917db8b90ae4a99ee79070a36c235091a0e42ddd657bf2ba1b04d8e45f5e0c399a9ee6955fbc9504018d17643\
         81d5960b0a8896847dab31d159414b71fe745987b59ff1920ec5b43ae42cc1e625831497f67de6f66ab270ba910793d2e1eed50e03c14c47\
         e0af60e54246d7395a4fbc7e935b84ef2bf06207e61a99acb16fb4036fb2b40ab092525573a19e99ed438d3adcf9186ebc0b432c4039e37e\
         0921e87f7ae527e742b8c8850972fe22bca0421decb6ec1996a5ab2fb95494a1"
    );
    let asked = Responder::new(board()).read(NONCE, &message, [4; 32]).expect("proven");
    let answer = asked.answer(&told()).expect("an answer");
    assert_eq!(
        hex(&answer),
        "ac01b2209e86354fb853237b5de0f4fab13c7fcbf433a61c019369617fecf10b991d9ebb35748adc7a48244c52cecada14d3ed878dde93bc\
         c3b87cca4880f6e16cf97aeeac84d23e9c355a6948fcee3edd9b11edd1ec7c935afddaa597b3d28978d603f9d513c955b8830e6f565de978\
         82c7a0a75405f67c9231f4b411a81911f21b2bc36251f0d670fe52f5fb59a4a1944bb9aa56b1f30413b8987474ae8b638d657ff7c1ef2fa1\
         63be480d6b99c97bfa82d0e494176cbc37ade6171788001d1b70d1fc460d1e57abdce4dff025ba4020153df0e6f9d730cbcd34e9ca9f6052\
         a457cef84199218bfa25f3e8e19b1992c4e6b43763e78b62740fb5368d4d9a1e"
    );
}

#[test]
fn another_board_another_life_and_another_tenant_are_noticed() {
    let other = SecretKey::from_bytes([9; 32]);
    let (mut initiator, message) = begin(&board().public());
    let unproven = Some(HandshakeError::Unproven);
    // The client knows another board's key; the board has restarted.
    assert_eq!(Responder::new(other.clone()).read(NONCE, &message, [4; 32]).err(), unproven);
    assert_eq!(Responder::new(board()).read(NONCE + 1, &message, [4; 32]).err(), unproven);
    // Whoever asks is told by his key.
    let ask = Initiator::new(&board().public(), &other, NONCE, &asked(), [5; 32]).expect("a message").1;
    let stranger = Responder::new(board()).read(NONCE, &ask, [4; 32]).expect("proven");
    assert_eq!(stranger.tenant(), other.public());
    // Another's answer is none to this message.
    let answer = stranger.answer(&told()).expect("an answer");
    assert_eq!(initiator.finish(&answer), Err(HandshakeError::Unproven));
}

#[test]
fn points_without_a_secret_are_refused() {
    let (_, mut message) = begin(&board().public());
    message[..32].fill(0);
    assert!(Responder::new(board()).read(NONCE, &message, [4; 32]).is_err());
}

#[test]
fn nothing_that_is_printed_has_a_secret() {
    let (initiator, message) = begin(&board().public());
    let asked = Responder::new(board()).read(NONCE, &message, [4; 32]).expect("proven");
    let printed = format!("{:?} {initiator:?} {asked:?} {:?}", Responder::new(board()), told());
    for secret in ["[1, 1", "[7, 7", "mneme_key_", &*board().to_text()] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_flipped_bit_is_noticed_and_the_true_answer_still_read(at: Index, bit in 0u8..8) {
        let (mut initiator, message) = begin(&board().public());
        let responder = Responder::new(board());
        let mut damaged = message;
        damaged[at.index(SECURE_OPEN_LEN)] ^= 1 << bit;
        // The top bit of a point is not looked at by X25519, but the hash of the handshake has it.
        prop_assert_eq!(responder.read(NONCE, &damaged, [4; 32]).err(), Some(HandshakeError::Unproven));
        let answer = responder.read(NONCE, &message, [4; 32]).unwrap().answer(&told()).unwrap();
        let mut damaged = answer;
        damaged[at.index(SECURE_OPEN_LEN)] ^= 1 << bit;
        prop_assert_eq!(initiator.finish(&damaged), Err(HandshakeError::Unproven));
        prop_assert_eq!(initiator.finish(&answer[1..]), Err(HandshakeError::Length(255)));
        prop_assert_eq!(initiator.finish(&answer), Ok(told()));
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), whole: [u8; 32]) {
        let responder = Responder::new(board());
        prop_assert!(responder.read(NONCE, &bytes, [4; 32]).is_err());
        let mut message = [0; SECURE_OPEN_LEN];
        message.chunks_exact_mut(32).for_each(|part| part.copy_from_slice(&whole));
        prop_assert!(responder.read(NONCE, &message, [4; 32]).is_err());
        let (mut initiator, _) = begin(&board().public());
        prop_assert!(initiator.finish(&message).is_err());
        prop_assert!(initiator.finish(&bytes).is_err());
    }

    #[test]
    fn what_is_asked_and_told_arrives(tick: u64, pid: u32, token: [u8; 16], keys: [u8; 16], rolls in 0u64..1 << 40, valid in prop::sample::select(vec![1u8, 3])) {
        let open = OpenRequest { join: true, token, ..OpenRequest::default() };
        let ask = SecureOpenRequest { open, tick, pid };
        let (mut initiator, message) =
            Initiator::new(&board().public(), &tenant(), NONCE, &ask, [3; 32]).unwrap();
        let asked = Responder::new(board()).read(NONCE, &message, [4; 32]).unwrap();
        prop_assert_eq!((asked.tenant(), asked.request()), (tenant().public(), &ask));
        let answer = SecureOpenAnswer { other_key: keys, rolls_ns: rolls, ends_ns: rolls * 2, valid, ..told() };
        let message = asked.answer(&answer).unwrap();
        prop_assert_eq!(initiator.finish(&message), Ok(answer));
    }
}
