//! Both sides of a secure OPEN: whoever changes a byte of a message proves nothing, and whoever seals nonsense is understood or
//! refused.
use crate::input::Input;
use mneme_auth::{HandshakeError, Initiator, PublicKey, Responder, SecretKey};
use mneme_wire::payload::{
    BoardInfo, NOISE_NAME, OpenAnswer, OpenRequest, PUBLIC_KEY_LEN, SECURE_OPEN_LEN, SecureOpenAnswer,
    SecureOpenRequest, prologue,
};
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use snow::{Builder, HandshakeState};
use std::sync::LazyLock;

const NONCE: u64 = 77;
const TENANT: SecretKey = SecretKey::from_bytes([2; 32]);
const ENTROPY: [[u8; 32]; 2] = [[3; 32], [4; 32]];

static BOARD: LazyLock<Responder> = LazyLock::new(|| Responder::new(SecretKey::from_bytes([1; 32])));
static KEY: LazyLock<PublicKey> = LazyLock::new(|| TENANT.public());

/// Points that make a shared secret that everybody knows: of order 1, 2, 4 and 8 on the curve and its twist, as RFC 7748's
/// security considerations have them; some in two spellings.
const WEAK: [[u8; 32]; 6] = [
    [0; 32],
    spelled(1, 0, 0),
    spelled(0xec, 0xff, 0x7f),
    spelled(0xed, 0xff, 0x7f),
    spelled(0xee, 0xff, 0x7f),
    spelled(0, 0, 0x80),
];

const fn spelled(first: u8, rest: u8, last: u8) -> [u8; 32] {
    let mut bytes = [rest; 32];
    (bytes[0], bytes[31]) = (first, last);
    bytes
}

/// Snow's own primitives, which a hostile party may have: randomness as told, and a static key that it only claims to have.
struct Hostile {
    claims: Option<[u8; 32]>,
}

impl CryptoResolver for Hostile {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Fixed))
    }
    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        let dh = DefaultResolver.resolve_dh(choice)?;
        Some(Box::new(Claimed { dh, claims: self.claims, own: false }))
    }
    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }
    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

struct Fixed;

impl Random for Fixed {
    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), snow::Error> {
        dest.fill(5);
        Ok(())
    }
}

/// X25519 whose static public key is another one than it has, for which every shared secret is zeros.
struct Claimed {
    dh: Box<dyn Dh>,
    claims: Option<[u8; 32]>,
    /// It is the static key.
    own: bool,
}

impl Dh for Claimed {
    fn name(&self) -> &'static str {
        self.dh.name()
    }
    fn pub_len(&self) -> usize {
        self.dh.pub_len()
    }
    fn priv_len(&self) -> usize {
        self.dh.priv_len()
    }
    fn set(&mut self, privkey: &[u8]) {
        self.own = true;
        self.dh.set(privkey);
    }
    fn generate(&mut self, rng: &mut dyn Random) -> Result<(), snow::Error> {
        self.dh.generate(rng)
    }
    fn pubkey(&self) -> &[u8] {
        match &self.claims {
            Some(claims) if self.own => claims,
            _ => self.dh.pubkey(),
        }
    }
    fn privkey(&self) -> &[u8] {
        self.dh.privkey()
    }
    fn dh(&self, pubkey: &[u8], out: &mut [u8]) -> Result<(), snow::Error> {
        if self.own && self.claims.is_some() {
            out.fill(0);
            return Ok(());
        }
        self.dh.dh(pubkey, out)
    }
}

fn builder(claims: Option<[u8; 32]>) -> Builder<'static> {
    let params = NOISE_NAME.parse().expect("the name that both sides use");
    Builder::with_resolver(params, Box::new(Hostile { claims }))
}

/// The first message of somebody who does the handshake as he must, and seals what he likes.
fn sealed_request(inside: &[u8], claims: Option<[u8; 32]>) -> Vec<u8> {
    let (prologue, board) = (prologue(NONCE), BOARD.public().to_bytes());
    let state = builder(claims)
        .local_private_key(&[2; 32])
        .and_then(|builder| builder.remote_public_key(&board))
        .and_then(|builder| builder.prologue(&prologue))
        .and_then(Builder::build_initiator);
    write(state.expect("a side"), inside)
}

/// The answer of a board that seals what it likes.
fn sealed_answer(message: &[u8], inside: &[u8]) -> Vec<u8> {
    let prologue = prologue(NONCE);
    let state = builder(None)
        .local_private_key(&[1; 32])
        .and_then(|builder| builder.prologue(&prologue))
        .and_then(Builder::build_responder);
    let mut state = state.expect("a side");
    state.read_message(message, &mut [0; SECURE_OPEN_LEN]).expect("the client's own message");
    write(state, inside)
}

fn write(mut state: HandshakeState, inside: &[u8]) -> Vec<u8> {
    let mut message = vec![0; inside.len() + SECURE_OPEN_LEN];
    let length = state.write_message(inside, &mut message).expect("there is room");
    message.truncate(length);
    message
}

fn asked(input: &mut Input<'_>) -> SecureOpenRequest {
    let open = OpenRequest {
        join: input.byte() & 1 != 0,
        token: [input.byte(); 16],
        lease_ns: input.number(4),
        ..OpenRequest::default()
    };
    SecureOpenRequest { open, tick: input.number(4), pid: input.number(3) as u32 }
}

fn told(input: &mut Input<'_>) -> SecureOpenAnswer {
    let board =
        BoardInfo { page_bits: 18, epoch: 7, ns_per_tick: 8192, max_payload: 1450, ..BoardInfo::default() };
    let open =
        OpenAnswer { pid: 1 + input.byte() as u32, key: [input.byte(); 16], board, ..OpenAnswer::default() };
    let rolls_ns = input.number(4);
    SecureOpenAnswer { open, rolls_ns, ends_ns: 2 * rolls_ns, valid: 1, ..SecureOpenAnswer::default() }
}

fn begin(ask: &SecureOpenRequest) -> (Initiator, [u8; SECURE_OPEN_LEN]) {
    Initiator::new(&BOARD.public(), &TENANT, NONCE, ask, ENTROPY[0]).expect("a message")
}

/// What somebody on the way makes of a message.
fn damaged(input: &mut Input<'_>, message: &[u8]) -> Vec<u8> {
    let mut message = message.to_vec();
    while !input.is_over() {
        let at = input.number(2) as usize % SECURE_OPEN_LEN;
        match input.byte() % 6 {
            0 => message.truncate(at),
            1 => message.extend_from_slice(input.take(at)),
            2 if message.len() >= PUBLIC_KEY_LEN => {
                message[..PUBLIC_KEY_LEN].copy_from_slice(&input.pick(&WEAK));
            }
            3 => {
                let bytes = input.take(at % 64);
                message.iter_mut().skip(at).zip(bytes).for_each(|(old, new)| *old = *new);
            }
            _ => {
                let bit = 1 << (input.byte() % 8);
                message.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bit);
            }
        }
    }
    message
}

/// What is not the message itself proves nothing, whatever it is.
fn refused(error: Option<HandshakeError>, length: usize) {
    let error = error.expect("it is not what the other side has sent");
    assert!(!error.to_string().is_empty());
    match error {
        HandshakeError::Length(told) => assert!(told == length && length != SECURE_OPEN_LEN),
        HandshakeError::Unproven => assert_eq!(length, SECURE_OPEN_LEN),
        other => panic!("it was understood: {other}"),
    }
}

fn board_reads(input: &mut Input<'_>) {
    let (ask, answer) = (asked(input), told(input));
    let nonce = NONCE + u64::from(input.byte() % 8 == 1);
    let (mut initiator, message) = begin(&ask);
    let came = damaged(input, &message);
    let read = BOARD.read(nonce, &came, ENTROPY[1]);
    if came != message || nonce != NONCE {
        refused(read.err(), came.len());
        return;
    }
    let asked = read.expect("the tenant's own message");
    assert_eq!((asked.request(), asked.tenant()), (&ask, *KEY));
    let sent = asked.answer(&answer).expect("an answer");
    assert_eq!(initiator.finish(&sent), Ok(answer));
}

fn client_reads(input: &mut Input<'_>) {
    let (ask, answer) = (asked(input), told(input));
    let (mut initiator, message) = begin(&ask);
    let asked = BOARD.read(NONCE, &message, ENTROPY[1]).expect("the tenant's own message");
    let sent = asked.answer(&answer).expect("an answer");
    let came = damaged(input, &sent);
    if came != sent {
        refused(initiator.finish(&came).err(), came.len());
    }
    assert_eq!(initiator.finish(&sent), Ok(answer), "the true answer is read all the same");
}

/// Proven, and what is inside may be anything.
fn board_understands(input: &mut Input<'_>) {
    let claims = (input.byte() % 4 == 1).then(|| input.pick(&WEAK));
    let mut inside = asked(input).to_bytes().to_vec();
    overwrite(input, &mut inside);
    let message = sealed_request(&inside, claims);
    let read = BOARD.read(NONCE, &message, ENTROPY[1]);
    if message.len() != SECURE_OPEN_LEN || claims.is_some() {
        refused(read.err(), message.len());
        return;
    }
    match (read, SecureOpenRequest::parse(&inside)) {
        (Ok(asked), Ok(request)) => assert_eq!((asked.request(), asked.tenant()), (&request, *KEY)),
        (Err(error), Err(why)) => assert_eq!(error, HandshakeError::Payload(why)),
        (read, parsed) => panic!("{parsed:?} was read as {read:?}"),
    }
}

fn client_understands(input: &mut Input<'_>) {
    let ask = asked(input);
    let (mut initiator, message) = begin(&ask);
    let mut inside = told(input).to_bytes().to_vec();
    overwrite(input, &mut inside);
    let answer = sealed_answer(&message, &inside);
    let read = initiator.finish(&answer);
    if answer.len() != SECURE_OPEN_LEN {
        refused(read.err(), answer.len());
        return;
    }
    assert_eq!(read, SecureOpenAnswer::parse(&inside).map_err(HandshakeError::Payload));
}

/// Other bytes here and there, and more or fewer of them.
fn overwrite(input: &mut Input<'_>, inside: &mut Vec<u8>) {
    while !input.is_over() {
        let at = usize::from(input.byte());
        match input.byte() % 16 {
            0 => inside.truncate(at),
            1 => inside.extend_from_slice(input.take(at)),
            count => {
                let bytes = input.take(count.into());
                inside.iter_mut().skip(at).zip(bytes).for_each(|(old, new)| *old = *new);
            }
        }
    }
}

/// A key as text: whatever is read is written the same.
fn key(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    if let Ok(key) = text.parse::<PublicKey>() {
        assert_eq!(key.to_string(), text);
    }
}

/// Messages of anybody, damaged ones of the other side, and those of a hostile other side; then the bytes as a key.
pub fn run(input: &[u8]) {
    let (mut program, mut rest) = (Input::new(input), Input::new(input));
    match program.byte() % 5 {
        0 => {
            rest.byte();
            let bytes = rest.take(usize::MAX);
            refused(BOARD.read(NONCE, bytes, ENTROPY[1]).err(), bytes.len());
            let (mut initiator, _) = begin(&SecureOpenRequest::default());
            refused(initiator.finish(bytes).err(), bytes.len());
            key(bytes);
        }
        1 => board_reads(&mut program),
        2 => client_reads(&mut program),
        3 => board_understands(&mut program),
        _ => client_understands(&mut program),
    }
}
