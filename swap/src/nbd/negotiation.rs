//! The handshake: options of a client, answers to them, until it takes the export or goes.
use super::transmission;
use crate::{BLOCK, REQUEST_MAX, UNIT};

const MAGIC: &[u8; 8] = b"NBDMAGIC";
const OPTION_MAGIC: u64 = u64::from_be_bytes(*b"IHAVEOPT");
const REPLY_MAGIC: u64 = 0x0003_e889_0455_65a9;
const FIXED_NEWSTYLE: u16 = 1;
const NO_ZEROES: u16 = 2;
/// Bytes of an option's head: magic, number, length.
const HEAD: usize = 16;
/// Data of an option that is looked at; names are up to 4,096 bytes long.
const DATA_MAX: usize = 8192;
/// Options of a handshake: a client needs a handful.
const OPTIONS_MAX: u32 = 128;

const EXPORT_NAME: u32 = 1;
const ABORT: u32 = 2;
const LIST: u32 = 3;
const INFO: u32 = 6;
const GO: u32 = 7;

const ACK: u32 = 1;
const SERVER: u32 = 2;
const REP_INFO: u32 = 3;
const ERR_UNSUPPORTED: u32 = 0x8000_0001;
const ERR_POLICY: u32 = 0x8000_0002;
const ERR_INVALID: u32 = 0x8000_0003;
const ERR_UNKNOWN: u32 = 0x8000_0006;
const ERR_TOO_BIG: u32 = 0x8000_0009;

const INFO_EXPORT: u16 = 0;
const INFO_NAME: u16 = 1;
const INFO_BLOCK_SIZE: u16 = 3;

/// What the export is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// Its name; the empty name means it, too.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// How a handshake goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// More bytes are needed.
    More,
    /// The client has the export: requests follow.
    Begins,
    /// It went, as it may.
    Ended,
    /// It said what it may not: the connection ends.
    Failed(&'static str),
}

/// One client's handshake.
#[derive(Debug)]
pub struct Negotiation {
    export: Export,
    greeted: bool,
    no_zeroes: bool,
    /// Bytes of an option that is too long, still to be passed over.
    skip: u64,
    options: u32,
}

fn number<const N: usize>(from: &[u8], at: usize) -> Option<[u8; N]> {
    from.get(at..at + N)?.try_into().ok()
}

fn answer(out: &mut Vec<u8>, option: u32, kind: u32, data: &[&[u8]]) {
    let length: usize = data.iter().map(|part| part.len()).sum();
    out.extend_from_slice(&REPLY_MAGIC.to_be_bytes());
    out.extend_from_slice(&option.to_be_bytes());
    out.extend_from_slice(&kind.to_be_bytes());
    // Ours are some dozens of bytes, and names of 4,096 at most.
    out.extend_from_slice(&(length as u32).to_be_bytes());
    data.iter().for_each(|part| out.extend_from_slice(part));
}

impl Negotiation {
    /// Begins: the greeting is in `out`.
    pub fn new(export: Export, out: &mut Vec<u8>) -> Negotiation {
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&OPTION_MAGIC.to_be_bytes());
        out.extend_from_slice(&(FIXED_NEWSTYLE | NO_ZEROES).to_be_bytes());
        Negotiation { export, greeted: false, no_zeroes: false, skip: 0, options: 0 }
    }

    /// Takes what a client sent, and removes what was understood from `input`. Answers are added to `out`. `admit` is asked once,
    /// when the client wants the export: whether there is a queue for it.
    pub fn take(&mut self, input: &mut Vec<u8>, out: &mut Vec<u8>, admit: &mut dyn FnMut() -> bool) -> Step {
        let mut at = 0;
        let step = loop {
            let passed = (input.len() - at).min(usize::try_from(self.skip).unwrap_or(usize::MAX));
            (at, self.skip) = (at + passed, self.skip - passed as u64);
            let rest = &input[at..];
            if self.skip > 0 {
                break Step::More;
            }
            if !self.greeted {
                let Some(flags) = number(rest, 0).map(u32::from_be_bytes) else { break Step::More };
                at += 4;
                if flags & !u32::from(FIXED_NEWSTYLE | NO_ZEROES) != 0 {
                    break Step::Failed("unknown flags of the client");
                }
                (self.greeted, self.no_zeroes) = (true, flags & u32::from(NO_ZEROES) != 0);
                continue;
            }
            let (Some(magic), Some(option), Some(length)) =
                (number(rest, 0), number(rest, 8), number(rest, 12))
            else {
                break Step::More;
            };
            if u64::from_be_bytes(magic) != OPTION_MAGIC {
                break Step::Failed("no option");
            }
            let (option, length) = (u32::from_be_bytes(option), u32::from_be_bytes(length) as usize);
            if self.options >= OPTIONS_MAX {
                break Step::Failed("too many options");
            }
            if length > DATA_MAX {
                self.options += 1;
                if option == EXPORT_NAME {
                    break Step::Failed("a name that is too long");
                }
                answer(out, option, ERR_TOO_BIG, &[]);
                at += HEAD;
                self.skip = length as u64;
                continue;
            }
            let Some(data) = rest.get(HEAD..HEAD + length) else { break Step::More };
            self.options += 1;
            let step = self.option(option, data, out, admit);
            at += HEAD + length;
            if step != Step::More {
                break step;
            }
        };
        input.drain(..at);
        step
    }

    fn option(&self, option: u32, data: &[u8], out: &mut Vec<u8>, admit: &mut dyn FnMut() -> bool) -> Step {
        match option {
            // The one option without an answer for "no": the connection ends.
            EXPORT_NAME if !self.is_known(data) => return Step::Failed("an unknown export"),
            EXPORT_NAME if !admit() => return Step::Failed("all queues are in use"),
            EXPORT_NAME => {
                out.extend_from_slice(&self.export.size.to_be_bytes());
                out.extend_from_slice(&transmission::OURS.to_be_bytes());
                if !self.no_zeroes {
                    out.extend_from_slice(&[0; 124]);
                }
                return Step::Begins;
            }
            ABORT => {
                answer(out, option, ACK, &[]);
                return Step::Ended;
            }
            LIST if !data.is_empty() => answer(out, option, ERR_INVALID, &[b"LIST has no data"]),
            LIST => {
                let name = self.export.name.as_bytes();
                answer(out, option, SERVER, &[&(name.len() as u32).to_be_bytes(), name]);
                answer(out, option, ACK, &[]);
            }
            INFO | GO => return self.tell(option, data, out, admit),
            _ => answer(out, option, ERR_UNSUPPORTED, &[]),
        }
        Step::More
    }
    fn is_known(&self, name: &[u8]) -> bool {
        name.is_empty() || name == self.export.name.as_bytes()
    }
    /// INFO and GO: a name, and what the client would like to know.
    fn tell(&self, option: u32, data: &[u8], out: &mut Vec<u8>, admit: &mut dyn FnMut() -> bool) -> Step {
        let asked = || {
            let length = u32::from_be_bytes(number(data, 0)?) as usize;
            let (name, rest) = data.get(4..)?.split_at_checked(length)?;
            let (count, asked) = rest.split_at_checked(2)?;
            let count = u16::from_be_bytes(count.try_into().ok()?);
            (asked.len() == 2 * usize::from(count)).then_some((name, asked))
        };
        let Some((name, asked)) = asked() else {
            answer(out, option, ERR_INVALID, &[b"a name and a list of numbers of two bytes"]);
            return Step::More;
        };
        if !self.is_known(name) {
            answer(out, option, ERR_UNKNOWN, &[b"there is one export: ", self.export.name.as_bytes()]);
            return Step::More;
        }
        if option == GO && !admit() {
            answer(out, option, ERR_POLICY, &[b"all queues are in use: start with more --queues"]);
            return Step::More;
        }
        let flags = transmission::OURS.to_be_bytes();
        answer(out, option, REP_INFO, &[&INFO_EXPORT.to_be_bytes(), &self.export.size.to_be_bytes(), &flags]);
        if asked.chunks_exact(2).any(|number| number == INFO_NAME.to_be_bytes()) {
            answer(out, option, REP_INFO, &[&INFO_NAME.to_be_bytes(), self.export.name.as_bytes()]);
        }
        // Told whether asked for or not: other sizes do not work.
        let sizes = [BLOCK, UNIT, REQUEST_MAX].map(|bytes| (bytes as u32).to_be_bytes());
        answer(out, option, REP_INFO, &[&INFO_BLOCK_SIZE.to_be_bytes(), sizes.as_flattened()]);
        answer(out, option, ACK, &[]);
        if option == GO { Step::Begins } else { Step::More }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXPORT: &str = "mneme";

    fn option(number: u32, data: &[u8]) -> Vec<u8> {
        let head = [&b"IHAVEOPT"[..], &number.to_be_bytes(), &(data.len() as u32).to_be_bytes()];
        [&head.concat(), data].concat()
    }
    fn wants(name: &[u8], asked: &[u16]) -> Vec<u8> {
        let asked = asked.iter().flat_map(|number| number.to_be_bytes());
        let mut data = (name.len() as u32).to_be_bytes().to_vec();
        data.extend_from_slice(name);
        data.extend_from_slice(&((asked.clone().count() / 2) as u16).to_be_bytes());
        data.extend(asked);
        data
    }
    /// Everything at once, or in pieces of so many bytes: the answers and how it ended.
    fn run(said: &[u8], piece: usize, queue: bool) -> (Vec<u8>, Step, Vec<u8>) {
        let (mut out, mut input) = (Vec::new(), Vec::new());
        let export = Export { name: EXPORT.into(), size: 12 << 30 };
        let mut negotiation = Negotiation::new(export, &mut out);
        let greeting = out.len();
        assert_eq!((greeting, &out[..16]), (18, &b"NBDMAGICIHAVEOPT"[..]));
        let mut step = Step::More;
        for piece in said.chunks(piece.max(1)) {
            input.extend_from_slice(piece);
            if step == Step::More {
                step = negotiation.take(&mut input, &mut out, &mut || queue);
            }
        }
        (out.split_off(greeting), step, input)
    }
    /// Kinds of the answers, with their data.
    fn answers(mut out: &[u8]) -> Vec<(u32, Vec<u8>)> {
        let mut all = Vec::new();
        while !out.is_empty() {
            assert_eq!(out[..8], REPLY_MAGIC.to_be_bytes(), "{out:02x?}");
            let word = |at: usize| u32::from_be_bytes(out[at..at + 4].try_into().expect("four"));
            let (kind, length) = (word(12), word(16) as usize);
            all.push((kind, out[20..20 + length].to_vec()));
            out = &out[20 + length..];
        }
        all
    }

    #[test]
    fn the_usual_way_in_whatever_pieces() {
        let said = [
            &3u32.to_be_bytes()[..],
            &option(8, &[]),
            &option(LIST, &[]),
            &option(INFO, &wants(b"other", &[])),
            &option(GO, &wants(b"", &[INFO_NAME])),
            b"requests",
        ]
        .concat();
        let whole = run(&said, said.len(), true);
        let kinds: Vec<u32> = answers(&whole.0).iter().map(|(kind, _)| *kind).collect();
        let go = [REP_INFO, REP_INFO, REP_INFO, ACK];
        assert_eq!(kinds, [&[ERR_UNSUPPORTED, SERVER, ACK, ERR_UNKNOWN][..], &go].concat());
        let told = answers(&whole.0);
        assert_eq!(told[1].1, [&[0, 0, 0, 5][..], b"mneme"].concat());
        let export = [&[0, 0, 0, 0, 0, 3, 0, 0, 0, 0][..], &transmission::OURS.to_be_bytes()].concat();
        assert_eq!(told[4].1, export);
        assert_eq!(told[6].1, [0, 3, 0, 0, 0x10, 0, 0, 1, 0, 0, 0, 0x40, 0, 0]);
        assert_eq!((whole.1, &whole.2[..]), (Step::Begins, &b"requests"[..]));
        assert_eq!(transmission::OURS & transmission::ROTATIONAL, 0);
        for piece in 1..40 {
            assert_eq!(run(&said, piece, true), whole, "in pieces of {piece}");
        }
    }

    #[test]
    fn who_finds_no_queue_or_says_nonsense_is_told() {
        let flags = 1u32.to_be_bytes();
        let go = option(GO, &wants(b"mneme", &[]));
        let (out, step, _) = run(&[&flags[..], &go].concat(), 999, false);
        assert_eq!((answers(&out)[0].0, step), (ERR_POLICY, Step::More));
        let (out, step, _) = run(&[&flags[..], &option(GO, &[0, 0, 0, 9, 1])].concat(), 7, true);
        assert_eq!((answers(&out)[0].0, step), (ERR_INVALID, Step::More));
        let (out, step, _) = run(&[&flags[..], &option(ABORT, &[])].concat(), 7, true);
        assert_eq!((answers(&out)[0].0, step), (ACK, Step::Ended));
        let long = [&flags[..], &option(77, &vec![1; 20_000]), &option(LIST, b"x"), &go].concat();
        let (out, step, _) = run(&long, 1_000, true);
        let kinds: Vec<u32> = answers(&out).iter().map(|(kind, _)| *kind).collect();
        assert_eq!((&kinds[..2], step), (&[ERR_TOO_BIG, ERR_INVALID][..], Step::Begins));
        // The oldest way in: zeros at the end, unless the client can do without.
        let (out, step, _) = run(&[&flags[..], &option(EXPORT_NAME, b"mneme")].concat(), 99, true);
        assert_eq!((out.len(), step), (134, Step::Begins));
        let (out, _, _) = run(&[&[0, 0, 0, 3][..], &option(EXPORT_NAME, b"")].concat(), 99, true);
        assert_eq!(out.len(), 10);
        for (said, why) in [
            (&[0, 0, 0, 4][..], "unknown flags of the client"),
            (&[&flags[..], b"IHAVEOPS12345678"].concat(), "no option"),
            (&[&flags[..], &option(EXPORT_NAME, b"other")].concat(), "an unknown export"),
            (&[&flags[..], &option(EXPORT_NAME, &[0; 9_000])].concat(), "a name that is too long"),
            (&[&flags[..], &option(LIST, &[]).repeat(200)].concat(), "too many options"),
        ] {
            assert_eq!(run(said, 16, true).1, Step::Failed(why));
        }
        let (_, step, _) = run(&[&flags[..], &option(EXPORT_NAME, b"")].concat(), 99, false);
        assert_eq!(step, Step::Failed("all queues are in use"));
    }

    proptest! {
        /// Nothing that a client says can make the handshake panic, grow without end, or depend on how it is cut.
        #[test]
        fn any_bytes_end_the_same_way_however_they_are_cut(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::collection::vec(any::<u8>(), 0..40),
                    (0u32..12, prop::collection::vec(any::<u8>(), 0..30)).prop_map(|(n, data)| option(n, &data)),
                    (prop_oneof![Just(GO), Just(INFO)], prop_oneof![Just(&b"mneme"[..]), Just(&b"x"[..])])
                        .prop_map(|(n, name)| option(n, &wants(name, &[1, 3]))),
                ],
                0..8,
            ),
            piece in 1usize..50,
            queue: bool,
        ) {
            let said = [&[0, 0, 0, 3][..], &parts.concat()].concat();
            let whole = run(&said, said.len(), queue);
            prop_assert!(whole.0.len() < 4096 + 200 * parts.len());
            let cut = run(&said, piece, queue);
            prop_assert_eq!((&cut.0, cut.1), (&whole.0, whole.1));
        }
    }
}
