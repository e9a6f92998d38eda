//! The host's side against a model of the board's, over a line that loses, doubles, delays, and damages frames. A seed replays a run.
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use mneme_daemon::hosted::{Broken, Built, HostedBoard, Right};
use mneme_host::dram::{Csr, DramError, MODULES, bring_up};
use mneme_host::{HostError, HostRegisters, Identity, Key, Line, Mail, MailError};
use mneme_model::{BoardShape, NetworkPort, SoftFast};
use mneme_window::Registers;
use mneme_wire::device::{DEVICE_MAGIC, DEVICE_MEMORY_READY};
use mneme_wire::{DeviceRegister, HostRegister, MatAction, Register, Target};

const RIGHT: [Right; 2] = [Right { slip: 1, delays: (2, 6) }, Right { slip: 3, delays: (0, 4) }];
const SINCE: Duration = Duration::from_secs(1_700_000_000);

/// Per thousand frames, each way.
#[derive(Debug, Clone, Copy, Default)]
struct Weather {
    lost: u64,
    doubled: u64,
    damaged: u64,
    /// Kept back until the next one has gone.
    late: u64,
}

/// A line to a board in this process, whose time is its own.
struct Loop {
    board: HostedBoard<SoftFast>,
    now: Duration,
    weather: Weather,
    chance: u64,
    to_host: VecDeque<Vec<u8>>,
    late: Option<Vec<u8>>,
    /// Every frame that reached the board.
    record: Vec<Vec<u8>>,
    /// The line's interface fails.
    broken: bool,
}

impl Loop {
    fn new(broken: Option<Broken>) -> Loop {
        let fast = SoftFast::new(BoardShape::DAEMON).expect("a sound shape");
        Loop {
            board: HostedBoard::new(fast, built(), RIGHT, broken),
            now: Duration::from_secs(5),
            weather: Weather::default(),
            chance: 1,
            to_host: VecDeque::new(),
            late: None,
            record: Vec::new(),
            broken: false,
        }
    }
    fn below(&mut self, bound: u64) -> u64 {
        self.chance =
            self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % bound
    }
    /// What becomes of a frame on its way.
    fn carry(&mut self, frame: &[u8]) -> Vec<Vec<u8>> {
        let Weather { lost, doubled, damaged, late } = self.weather;
        let mut frame = frame.to_vec();
        let fate = self.below(1_000);
        if fate < damaged {
            let bit = self.below(8 * frame.len() as u64) as usize;
            frame[bit / 8] ^= 1 << (bit % 8);
        }
        if fate < late {
            return self.late.replace(frame).into_iter().collect();
        }
        let mut out: Vec<_> = self.late.take().into_iter().collect();
        if self.below(1_000) >= lost {
            out.push(frame.clone());
        }
        if self.below(1_000) < doubled {
            out.push(frame);
        }
        out
    }
    fn give(&mut self, frame: &[u8]) {
        self.record.push(frame.to_vec());
        if let Some(answer) = self.board.answer(self.now, frame) {
            let came = self.carry(&answer);
            self.to_host.extend(came);
        }
    }
}

impl Line for Loop {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("the interface is gone"));
        }
        for frame in self.carry(frame) {
            self.give(&frame);
        }
        Ok(())
    }
    fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool> {
        match self.to_host.pop_front() {
            Some(frame) => {
                self.now += Duration::from_micros(20);
                *into = frame;
                Ok(true)
            }
            None => {
                self.now += at_most;
                Ok(false)
            }
        }
    }
    fn now(&self) -> Duration {
        self.now
    }
    fn pause(&mut self, time: Duration) {
        self.now += time;
    }
}

fn identity() -> Identity {
    Identity { board: [2, 0, 0xc0, 0xff, 0xee, 1], host: [2, 0, 0, 0, 0, 9], key: Key::new([0x5a; 16]) }
}

fn built() -> Built {
    let Identity { board, host, key } = identity();
    Built { board, host, key: *key.bytes() }
}

type Host = HostRegisters<Loop>;

fn greet(line: Loop) -> Host {
    Host::greet(line, identity(), 77, SINCE).expect("a board")
}

fn ready(host: &mut Host) -> bool {
    host.read(DeviceRegister::Status.number()) & DEVICE_MEMORY_READY != 0
}

#[test]
fn a_board_says_what_it_is_and_its_core_comes_with_dram() {
    let mut host = greet(Loop::new(None));
    assert_eq!(host.read(DeviceRegister::Magic.number()), DEVICE_MAGIC);
    assert_eq!(host.read(DeviceRegister::Target.number()), Target::Ecpix5.number());
    assert!(!ready(&mut host));
    assert_eq!(host.read(Register::Magic.number()), 0, "its core is in reset");
    let levels = bring_up(&mut host).expect("DRAM comes up");
    for (level, right) in levels.iter().zip(RIGHT) {
        let (first, last) = right.delays;
        assert_eq!(level.slip as u32, right.slip);
        assert_eq!((level.delay as u32, level.width as u32), ((first + last) / 2, last - first + 1));
    }
    assert!(ready(&mut host) && host.line().board.dram().sound());
    assert_eq!(host.read(Register::Magic.number()), mneme_wire::register::MAGIC);
    assert!(host.trouble().is_none() && host.retries() == 0);
    // Again, on a chip that is at work already.
    bring_up(&mut host).expect("and again");
    assert!(ready(&mut host) && host.line().board.dram().sound());
}

#[test]
fn dram_comes_up_over_a_line_that_loses_doubles_damages_and_delays() {
    for seed in 1..4 {
        let mut line = Loop::new(None);
        (line.chance, line.weather) = (seed, Weather { lost: 20, doubled: 20, damaged: 20, late: 10 });
        let mut host = greet(line);
        bring_up(&mut host).expect("DRAM comes up");
        assert!(ready(&mut host) && host.line().board.dram().sound() && host.retries() > 100);
        let dropped = host.read(HostRegister::BadTag.number()) + host.read(HostRegister::Foreign.number());
        assert!(dropped > 10, "damaged frames reached no register");
    }
}

#[test]
fn chips_that_cannot_be_read_and_controllers_that_are_none_are_refused_in_words() {
    let error = |broken| bring_up(&mut greet(Loop::new(Some(broken)))).expect_err("broken");
    assert!(matches!(error(Broken::Silent), DramError::Silent));
    let forgets = error(Broken::Forgets);
    assert!(matches!(forgets, DramError::Forgets { wrote: 0x2aaa, read: 0, .. }), "{forgets}");
    for module in 0..MODULES {
        let error = error(Broken::Byte(module));
        assert!(error.to_string().contains("00000000 00000000 00000000 00000000"), "{error}");
        assert!(matches!(error, DramError::Unreadable { module: told, .. } if told == module), "{error}");
    }
    assert!(matches!(error(Broken::Crosstalk), DramError::Unsteady { .. }));
    // The core must not use what does not work.
    let mut host = greet(Loop::new(Some(Broken::Byte(1))));
    bring_up(&mut host).expect_err("a dead byte");
    assert!(!ready(&mut host) && host.line().board.dram().read(Csr::InitError.number()) == 1);
}

#[test]
fn a_start_that_is_too_fast_leaves_a_chip_that_takes_nothing() {
    /// Lets no time pass.
    struct Hasty(Host);
    impl Registers for Hasty {
        fn bytes(&self) -> u64 {
            self.0.bytes()
        }
        fn read(&mut self, offset: u32) -> u32 {
            self.0.read(offset)
        }
        fn write(&mut self, offset: u32, value: u32) {
            self.0.write(offset, value);
        }
        fn trouble(&self) -> Option<&io::Error> {
            self.0.trouble()
        }
    }
    impl mneme_host::dram::Paced for Hasty {
        fn pause(&mut self, _: Duration) {}
    }
    let error = bring_up(&mut Hasty(greet(Loop::new(None)))).expect_err("the model looks at the time");
    assert!(matches!(error, DramError::Unreadable { module: 0, .. }), "{error}");
}

/// Writes the controller's scratch address, whose value tells how often a write took effect.
fn counts(host: &mut Host, rounds: u32) {
    for round in 0..rounds {
        host.write(HostRegister::DramAddress.number(), 4 * round);
        assert_eq!(host.read(HostRegister::DramAddress.number()), 4 * round, "round {round}");
    }
    assert!(host.trouble().is_none());
}

#[test]
fn accesses_take_effect_once_whatever_the_line_does() {
    for seed in 1..20 {
        let mut line = Loop::new(None);
        (line.chance, line.weather) = (seed, Weather { lost: 150, doubled: 100, damaged: 100, late: 100 });
        let mut host = greet(line);
        counts(&mut host, 200);
        assert!(host.retries() > 50, "{}", host.retries());
    }
}

#[test]
fn records_of_this_life_and_of_an_earlier_one_do_nothing() {
    let mut host = greet(Loop::new(None));
    counts(&mut host, 20);
    let record = host.line().record.clone();
    for frame in &record[1..record.len() - 1] {
        assert!(host.line().board.answer(Duration::ZERO, frame).is_none(), "of this life");
    }
    assert_eq!(host.read(HostRegister::Stale.number()) as usize, record.len() - 2);
    let mut line = Loop::new(None);
    line.board.fast().run(1_000);
    let mut host = greet(line);
    for frame in &record[1..] {
        assert!(host.line().board.answer(Duration::ZERO, frame).is_none(), "of an earlier one");
    }
    counts(&mut host, 3);
}

#[test]
fn a_second_host_of_the_same_life_goes_on_where_the_first_has_ended() {
    let mut host = greet(Loop::new(None));
    counts(&mut host, 50);
    let mut line = Loop::new(None);
    std::mem::swap(&mut line, host.line());
    let later = SINCE + Duration::from_secs(3);
    counts(&mut Host::greet(line, identity(), 5, later).expect("the board is there"), 50);
}

fn why(host: &mut Host) -> String {
    assert_eq!(host.read(DeviceRegister::Magic.number()), 0);
    let why = host.trouble().expect("it is in trouble").to_string();
    let sent = host.line().record.len();
    assert_eq!(host.read(DeviceRegister::Magic.number()), 0);
    assert_eq!(host.line().record.len(), sent, "nothing is sent any more");
    why
}

#[test]
fn what_ends_the_way_to_a_board_is_told_within_seconds() {
    // A host whose clock is behind that of its predecessor.
    let mut host = greet(Loop::new(None));
    counts(&mut host, 3);
    let mut line = Loop::new(None);
    std::mem::swap(&mut line, host.line());
    let mut host = Host::greet(line, identity(), 5, SINCE - Duration::from_secs(1)).expect("it greets");
    let said = why(&mut host);
    assert!(said.contains("clock has gone back"), "{said}");
    // A board that was switched off and on.
    let mut host = greet(Loop::new(None));
    counts(&mut host, 3);
    host.line().board.fast().run(500);
    host.line().board.reset();
    let said = why(&mut host);
    assert!(said.contains("was reset"), "{said}");
    // A line that is cut, for good and by the system.
    let mut host = greet(Loop::new(None));
    host.line().weather.lost = 1_000;
    let before = host.line().now;
    let said = why(&mut host);
    assert!(said.contains("no board 02:00:c0:ff:ee:01 answers 02:00:00:00:00:09"), "{said}");
    assert!(host.line().now - before < Duration::from_secs(10), "{:?}", host.line().now - before);
    let mut host = greet(Loop::new(None));
    host.line().broken = true;
    let said = why(&mut host);
    assert!(said.contains("the interface is gone"), "{said}");
}

#[test]
fn another_key_and_other_addresses_meet_silence_and_a_forger_is_told_from_that() {
    let other = |change: fn(&mut Identity)| {
        let mut identity = identity();
        change(&mut identity);
        Host::greet(Loop::new(None), identity, 1, SINCE).err().expect("nobody answers")
    };
    for error in [
        other(|identity| identity.key = Key::new([1; 16])),
        other(|identity| identity.board[5] = 2),
        other(|identity| identity.host[5] = 2),
    ] {
        assert!(matches!(error, HostError::Silent { .. }), "{error}");
        assert!(error.to_string().contains("another key or other addresses"), "{error}");
    }
    /// Answers every frame with what was asked, as somebody without the key can.
    struct Forger(VecDeque<Vec<u8>>, Duration);
    impl Line for Forger {
        fn send(&mut self, frame: &[u8]) -> io::Result<()> {
            let mut answer = frame.to_vec();
            answer[14] |= 0x80;
            answer[..6].copy_from_slice(&frame[6..12]);
            answer[6..12].copy_from_slice(&frame[..6]);
            self.0.push_back(answer);
            Ok(())
        }
        fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool> {
            match self.0.pop_front() {
                Some(frame) => *into = frame,
                None => {
                    self.1 += at_most;
                    return Ok(false);
                }
            }
            Ok(true)
        }
        fn now(&self) -> Duration {
            self.1
        }
        fn pause(&mut self, time: Duration) {
            self.1 += time;
        }
    }
    let forger = Forger(VecDeque::new(), Duration::ZERO);
    let error = HostRegisters::greet(forger, identity(), 1, SINCE).err().expect("no board");
    assert!(matches!(error, HostError::OtherKey { frames: 11, .. }), "{error}");
}

/// A frame of so many bytes for the slow ring: an ARP request's beginning, which every fast path hands on.
fn arp(length: usize) -> Vec<u8> {
    let mut frame = vec![0xff; 6];
    frame.extend([2, 0, 0, 0, 0, 7, 8, 6]);
    frame.resize(length, length as u8);
    frame
}

#[test]
fn frames_of_the_slow_ring_pass_both_ways_whole_and_in_order() {
    for weather in [Weather::default(), Weather { lost: 30, doubled: 30, damaged: 30, late: 20 }] {
        let mut line = Loop::new(None);
        line.weather = weather;
        let mut host = greet(line);
        bring_up(&mut host).expect("DRAM comes up");
        // What a slow path's boot tells the core of ARP: its frames are handed on.
        for (register, value) in [
            (Register::MatValue0, 0x0806_0000),
            (Register::MatMask0, 0xffff_0000),
            (Register::MatCommit, u32::from(MatAction::Slow.number()) << 8 | 1 << 16),
            (Register::Control, mneme_wire::register::CONTROL_ENABLE),
        ] {
            host.write(register.number(), value);
        }
        let (mut mail, mut frame) = (Mail::default(), vec![1, 2, 3]);
        assert!(!mail.receive(&mut frame, &mut host));
        for length in [60, 64, 65, 127, 128, 129, 1_000, 1_514] {
            let sent = arp(length);
            let fast = host.line().board.fast();
            fast.ingress(&sent, false).expect("the port takes it");
            fast.run(5_000);
            assert!(mail.receive(&mut frame, &mut host), "{length} bytes: {:?}", host.trouble());
            assert_eq!(frame, sent);
            mail.send(&sent, &mut host).expect("there is room");
            let fast = host.line().board.fast();
            fast.run(5_000);
            assert_eq!(fast.egress().expect("it left").bytes, sent);
        }
        assert!(!mail.receive(&mut frame, &mut host) && host.trouble().is_none());
        for length in [0, 13, 1_601] {
            mail.send(&vec![0; length], &mut host).expect("dropped");
        }
        assert_eq!((mail.unsendable(), mail.damaged()), (3, 0));
    }
}

#[test]
fn a_board_that_takes_no_frame_says_so() {
    /// Says that there is room, or not.
    struct Room(u32);
    impl Registers for Room {
        fn bytes(&self) -> u64 {
            0x2000
        }
        fn read(&mut self, _: u32) -> u32 {
            self.0
        }
        fn write(&mut self, offset: u32, _: u32) {
            if offset == HostRegister::MailSend.number() {
                self.0 = 0;
            }
        }
    }
    let mut mail = Mail::default();
    assert_eq!(mail.send(&[0; 100], &mut Room(0)), Err(MailError::Full));
    assert_eq!(mail.send(&[0; 100], &mut Room(2)), Err(MailError::Stuck));
    assert_eq!(mail.send(&[0; 64], &mut Room(2)), Ok(()));
}
