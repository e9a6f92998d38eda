//! Page faults that wait for a page on the board, for a quarter of the window: a client hears the answer to its latest
//! attempt, whichever packets are lost, and does not take the wait for congestion.
use super::hand::{Bench, US, WINDOW};
use mneme_clib::transport::Answer;
use mneme_clib::{Effect, Reason, TransportConfig};
use mneme_wire::{Cause, Opcode, Request, Status};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Each way through the network.
const WAY: Duration = US;
/// How long the board lets a fault wait.
const WAIT: Duration = US.saturating_mul(WINDOW / 4);

/// What the board's filter knows of an operation.
#[derive(Clone, Copy)]
enum Entry {
    Pending { request: Request, until: Duration },
    Released { attempt: u8 },
    Done,
}

/// What becomes of a packet: when its copies arrive.
type Network = Box<dyn FnMut() -> Vec<Duration>>;

/// A client that writes once, and a board that has no page before `page`.
struct Dry {
    bench: Bench,
    page: Duration,
    filter: Vec<(u32, Entry)>,
    network: Network,
    /// Whether faults find no place to wait, the next one last.
    crowded: Vec<bool>,
    requests: Vec<(Duration, Request)>,
    /// Answers on the way: when they arrive, the tick that they tell, to what, as what.
    answers: Vec<(Duration, u32, Request, Status, Cause)>,
    executed: u32,
}

/// What has arrived by now.
fn arrived<T>(on_the_way: &mut Vec<T>, at: impl Fn(&T) -> Duration, now: Duration) -> Vec<T> {
    let mut come: Vec<T> = on_the_way.extract_if(.., |packet| at(packet) <= now).collect();
    come.sort_by_key(at);
    come
}

fn tick(at: Duration) -> u32 {
    1_000 + at.as_micros() as u32
}

impl Dry {
    fn new(page: Duration, network: Network) -> Dry {
        let mut bench = Bench::new();
        // The round trip is known, and far shorter than the wait.
        for _ in 0..20 {
            let read = bench.start(Opcode::Read);
            bench.now += 2 * WAY;
            bench.ok(&read);
            assert!(bench.ended().unwrap().is_ok());
        }
        let page = bench.now + page;
        let (filter, crowded) = (vec![], vec![]);
        Dry { bench, page, filter, network, crowded, requests: vec![], answers: vec![], executed: 0 }
    }
    /// A network that loses the packets of these numbers.
    fn losing(page: Duration, lost: &[u32]) -> Dry {
        let (lost, mut packets) = (lost.to_vec(), 0..);
        let network = move || packets.next().filter(|n| !lost.contains(n)).map(|_| WAY).into_iter().collect();
        Dry::new(page, Box::new(network))
    }
    fn reply(&mut self, at: Duration, request: Request, status: Status, cause: Cause) {
        for way in (self.network)() {
            self.answers.push((at + way, tick(at), request, status, cause));
        }
    }
    /// A request reaches the board.
    fn arrive(&mut self, at: Duration, request: Request) {
        if request.opcode == Opcode::Fence {
            return self.reply(at, Request { length: 0, ..request }, Status::Unmapped, Cause::None);
        }
        let old = tick(at) > request.time.get() + WINDOW;
        let known = self.filter.iter().position(|(id, _)| *id == request.op_id);
        match known.map(|index| self.filter[index].1) {
            Some(Entry::Pending { .. }) => self.reply(at, request, Status::Busy, Cause::Pending),
            _ if old => self.reply(at, request, Status::Expired, Cause::Window),
            Some(Entry::Done) => self.reply(at, request, Status::Ok, Cause::None),
            Some(Entry::Released { attempt }) if request.attempt <= attempt => {
                self.reply(at, request, Status::Busy, Cause::Fault);
            }
            _ => {
                let wait = if self.crowded.pop().unwrap_or(false) { Duration::ZERO } else { WAIT };
                let until = (at + wait).min(self.page.max(at));
                self.filter.retain(|(id, _)| *id != request.op_id);
                self.filter.push((request.op_id, Entry::Pending { request, until }));
            }
        }
    }
    /// Ends a wait whose time has come.
    fn end_wait(&mut self, index: usize, now: Duration) {
        let Entry::Pending { request, until } = self.filter[index].1 else { return };
        if until > now {
            return;
        }
        let (entry, status, cause) = if tick(until) > request.time.get() + WINDOW {
            (Entry::Released { attempt: request.attempt }, Status::Expired, Cause::Window)
        } else if until >= self.page {
            self.executed += 1;
            (Entry::Done, Status::Ok, Cause::None)
        } else {
            (Entry::Released { attempt: request.attempt }, Status::Busy, Cause::Fault)
        };
        self.filter[index].1 = entry;
        self.reply(until, request, status, cause);
    }
    /// A quarter of a microsecond of board and network.
    fn run(&mut self) {
        self.bench.now += US / 4;
        let now = self.bench.now;
        (0..self.filter.len()).for_each(|index| self.end_wait(index, now));
        for (at, request) in arrived(&mut self.requests, |(at, _)| *at, now) {
            self.arrive(at, request);
        }
        for (_, tick, request, status, cause) in arrived(&mut self.answers, |(at, ..)| *at, now) {
            let hint = if status == Status::Busy { 5_000 } else { 0 };
            self.bench.answer_at(&request, status, cause, hint, tick);
        }
    }
    fn send(&mut self, request: Request) {
        for way in (self.network)() {
            self.requests.push((self.bench.now + way, request));
        }
    }
    /// Writes, and lets time pass until that has ended and no copy is left.
    fn write(&mut self) -> Result<Answer, (Reason, Effect)> {
        let first = self.bench.start(Opcode::Write);
        self.send(first);
        let result = loop {
            self.run();
            if let Some(result) = self.bench.ended() {
                break result;
            }
            if let Some(request) = self.bench.sent() {
                self.send(request);
            }
            assert!(self.bench.now < Duration::from_millis(50), "it never ends");
        };
        let ended = self.bench.now;
        while self.bench.now < ended + 4 * WAIT {
            self.run();
        }
        self.bench.now = ended;
        result.map_err(|failure| (failure.reason, failure.effect))
    }
}

#[test]
fn a_page_that_comes_late_is_waited_for_with_few_packets() {
    for windows in [0.1, 0.3, 0.7, 1.5, 3.0, 9.0] {
        let mut dry = Dry::losing((US * WINDOW).mul_f64(windows), &[]);
        let answer = dry.write().expect("the page came");
        assert_eq!(dry.executed, 1);
        // Two for each quarter of a window: one that waits, and one that asks what has become of it.
        let attempts = f64::from(answer.attempts);
        assert!(attempts <= 3.0 + 8.0 * windows, "{windows} windows: {attempts} attempts");
        let bench = &mut dry.bench;
        assert!(bench.transport.congestion().requests() >= 1.0, "what waited for a page is no congestion");
        bench.start(Opcode::Read);
        let asked = bench.now;
        bench.next().expect("a timeout");
        let timer = bench.now - asked;
        assert!(timer <= 10 * US || timer == US * WINDOW / 2, "{timer:?}: neither known nor after a pause");
    }
}

#[test]
fn whichever_three_packets_are_lost_no_outcome_stays_unknown() {
    let mut anew = 0;
    for first in 0..24 {
        for second in first..24 {
            for third in (second..24).step_by(3) {
                let mut dry = Dry::losing(US * WINDOW * 2, &[first, second, third]);
                let result = dry.write();
                assert!(result.is_ok(), "{first}, {second}, {third} lost: {result:?}");
                assert_eq!(dry.executed, 1);
                anew += dry.bench.transport.counters().anew_released;
            }
        }
    }
    assert!(anew > 0);
}

#[test]
fn without_any_page_the_end_comes_in_time_and_is_known() {
    let mut dry = Dry::losing(Duration::from_secs(1), &[]);
    let began = dry.bench.now;
    assert_eq!(dry.write(), Err((Reason::Busy(Cause::Fault), Effect::None)));
    assert_eq!(dry.executed, 0);
    let (took, give_up) = (dry.bench.now - began, TransportConfig::board_time().give_up);
    assert!(took <= give_up && took + 2 * WAIT >= give_up, "{took:?}");
}

#[test]
fn in_any_weather_what_is_told_is_true() {
    let (mut known, mut unknown) = (0, 0);
    for seed in 0..400 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let page = WAIT.mul_f64(rng.random_range(0.0..100.0));
        let loss = rng.random_range(0.0..0.4);
        let crowd = rng.random_range(0.0..1.0);
        let crowded = (0..1_000).map(|_| rng.random_bool(crowd)).collect();
        let weather = move || {
            let copies = if rng.random_bool(loss) { 0 } else { 1 + u32::from(rng.random_bool(0.2)) };
            let late = if rng.random_bool(0.1) { 300 } else { 5 };
            (0..copies).map(|_| WAY + US * rng.random_range(0..late)).collect()
        };
        let mut dry = Dry { crowded, ..Dry::new(page, Box::new(weather)) };
        match dry.write() {
            Ok(_) => assert_eq!(dry.executed, 1, "seed {seed}"),
            Err((reason, Effect::None)) => assert_eq!(dry.executed, 0, "seed {seed}: {reason}"),
            Err((reason, _)) => {
                assert!(dry.executed <= 1, "seed {seed}: {reason}");
                unknown += 1;
                continue;
            }
        }
        known += 1;
    }
    // At up to two frames of five lost, and answers later than the window.
    assert!(known > 3 * unknown, "{known} known, {unknown} not");
}

#[test]
fn after_pending_the_answer_of_the_attempt_that_the_board_has_is_waited_for() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    let second = bench.next().expect("a timeout");
    let window = bench.transport.congestion().requests();
    bench.answer(&second, Status::Busy, Cause::Pending);
    assert_eq!(bench.transport.congestion().requests(), 2.0 * window, "nothing was lost");
    let told = bench.now;
    // That answer is lost: the next one goes when it must have come, as a copy.
    let third = bench.next().expect("it asks again");
    assert!(bench.now >= told + WAIT && bench.now <= told + WAIT + US * WINDOW / 8, "{:?}", bench.now - told);
    assert_eq!((third.op_id, third.time, third.attempt), (first.op_id, first.time, second.attempt));
    bench.answer(&third, Status::Busy, Cause::Pending);
    // It comes: nothing is waited for any more.
    bench.now += 5 * US;
    let told = bench.now;
    bench.answer(&first, Status::Busy, Cause::Fault);
    let fourth = bench.next().expect("the board has nothing");
    assert!(bench.now > told && bench.now <= told + 40 * US, "{:?}", bench.now - told);
    assert_eq!((fourth.op_id, fourth.attempt), (first.op_id, second.attempt));
    // The board's own answer is one to the latest attempt, though its timer has asked for another copy.
    let copy = bench.next().expect("a timeout");
    assert_eq!((copy.op_id, copy.attempt), (first.op_id, second.attempt));
    bench.answer(&copy, Status::Busy, Cause::Pending);
    bench.now = told + WAIT;
    bench.answer(&fourth, Status::Busy, Cause::Fault);
    assert_eq!(bench.transport.counters().anew_released, 1);
}

#[test]
fn a_doubled_attempt_may_be_told_pending_before_it_is_released() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    bench.now += 5 * US;
    bench.answer(&first, Status::Busy, Cause::Pending);
    bench.now += 10 * US;
    bench.answer(&first, Status::Busy, Cause::Fault);
    let told = bench.now;
    let second = bench.next().expect("at the hint");
    assert!(bench.now <= told + 20 * US, "{:?}", bench.now - told);
    assert_eq!(
        (second.op_id, second.attempt),
        (first.op_id, 1),
        "a new number, since the other one is released"
    );
}

#[test]
fn when_the_window_is_about_to_close_pending_is_asked_again_by_its_hint() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    bench.now = US * WINDOW - WAIT;
    let told = bench.now;
    bench.answer(&first, Status::Busy, Cause::Pending);
    let second = bench.next().expect("at the hint");
    assert!(bench.now <= told + 10 * US, "{:?}", bench.now - told);
    bench.ok(&second);
    assert!(bench.ended().unwrap().is_ok());
}

/// The time of the next retry and the congestion window, after an answer that took `away`.
fn learned(away: Duration, slow: bool) -> (Duration, f64) {
    let mut bench = Bench::new();
    let quick = bench.start(Opcode::Write);
    bench.now += 2 * US;
    bench.ok(&quick);
    bench.ended().unwrap().unwrap();
    let request = bench.start(Opcode::Write);
    bench.now += away;
    if slow {
        bench.ok_slow(&request)
    } else {
        bench.ok(&request)
    }
    bench.ended().unwrap().unwrap();
    let window = bench.transport.congestion().requests();
    let begun = bench.now;
    bench.start(Opcode::Write);
    bench.next().expect("a timeout");
    (bench.now - begun, window)
}

#[test]
fn an_answer_that_the_board_calls_slow_says_nothing_of_the_way() {
    let away = 15 * US;
    let ((patience, window), (misled, narrowed)) = (learned(away, true), learned(away, false));
    let (usual, unchanged) = learned(2 * US, true);
    assert_eq!((patience, window), (usual, unchanged), "the wait for a page is no sample");
    assert!(misled > patience && narrowed != window, "without the bit it is one");
}
