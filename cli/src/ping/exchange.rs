//! Pings and their answers, packet by packet: no transport repeats what is lost, so that losses show.
use crate::connect::Kind;
use anyhow::Result;
use mneme_clib::driver::{Driver, DriverError};
use mneme_clib::{BoardInfo, NodeCounter};
use mneme_wire::payload::CountersRequest;
use mneme_wire::{HEADER_LEN, Opcode, Packet, ParseError, Pid, Request, Response, Status, Tick, Trailer, Va};
use serde::Serialize;
use std::collections::VecDeque;
use std::time::Duration;

/// Pings whose answers are still told from those of strangers; what is older counts as lost.
const REMEMBERED: usize = 4_096;
/// Round trips that are told one by one.
const MOST_TOLD: usize = 1_000_000;
/// How often the board is asked what it is made of.
const ASKED: u32 = 3;
/// How long its answer to that is waited for.
const KIND_PATIENCE: Duration = Duration::from_millis(100);

/// Who the board is, as far as it has said.
#[derive(Clone)]
pub struct Info {
    pub kind: Kind,
    pub board: Option<BoardInfo>,
}

/// An answer that came.
pub struct Answered {
    /// Of which ping, from 0 on.
    pub number: u64,
    pub took: Duration,
    /// It had come before.
    pub again: bool,
}

/// What came of all pings.
#[derive(Debug, Clone, Default, Serialize, PartialEq)]
pub struct Tally {
    pub sent: u64,
    pub answered: u64,
    pub duplicates: u64,
    pub lost_percent: f64,
    pub rtt_min_us: Option<f64>,
    pub rtt_avg_us: Option<f64>,
    pub rtt_max_us: Option<f64>,
    /// Standard deviation, as ping computes it.
    pub rtt_mdev_us: Option<f64>,
    /// Each, in the order in which they came; the first million.
    pub rtt_us: Vec<f64>,
}

/// A ping that is remembered.
struct Sent {
    at: Duration,
    answered: bool,
}

/// Sums of round trips in microseconds.
#[derive(Default)]
struct Sums {
    all: f64,
    squares: f64,
    least: Option<f64>,
    most: Option<f64>,
}

/// Pings to one board.
pub struct Exchange {
    driver: Box<dyn Driver>,
    /// The operation id of the first ping; the one before it asks what the board is made of.
    first_id: u32,
    sent: u64,
    answered: u64,
    duplicates: u64,
    /// Pings that were refused before anybody was heard, and what the driver had counted by then.
    refused: (u64, u32),
    /// The latest pings, oldest first.
    remembered: VecDeque<Sent>,
    info: Info,
    asked: u32,
    /// The board's time, as its last answer told.
    tick: Tick,
    other_version: bool,
    sums: Sums,
    rtt_us: Vec<f64>,
}

impl Exchange {
    pub fn new(driver: Box<dyn Driver>) -> Exchange {
        Exchange {
            driver,
            first_id: rand::random(),
            sent: 0,
            answered: 0,
            duplicates: 0,
            refused: (0, 0),
            remembered: VecDeque::new(),
            info: Info { kind: Kind::Unknown(0), board: None },
            asked: 0,
            tick: Tick::default(),
            other_version: false,
            sums: Sums::default(),
            rtt_us: Vec::new(),
        }
    }
    pub fn now(&self) -> Duration {
        self.driver.now()
    }
    pub fn peer(&self) -> String {
        self.driver.peer()
    }
    pub fn trouble(&self) -> Option<String> {
        self.driver.trouble()
    }
    pub fn refusals(&self) -> u32 {
        self.driver.refusals()
    }
    pub fn sent(&self) -> u64 {
        self.sent
    }
    pub fn info(&self) -> Info {
        self.info.clone()
    }
    /// Whether somebody of another wire version answers.
    pub fn other_version(&self) -> bool {
        self.other_version
    }
    pub fn was_heard(&self) -> bool {
        self.answered > 0 || self.other_version
    }
    /// Pings that certainly reached nobody.
    pub fn refused(&self) -> u64 {
        self.refused.0
    }
    pub fn all_answered(&self) -> bool {
        self.answered + self.refused() >= self.sent
    }
    /// Sends the next ping.
    pub fn send(&mut self) -> Result<(), DriverError> {
        let id = self.first_id.wrapping_add(self.sent as u32);
        let request = request(Opcode::Ping, id, BoardInfo::LEN as u16);
        if self.remembered.len() == REMEMBERED {
            self.remembered.pop_front();
        }
        self.remembered.push_back(Sent { at: self.driver.now(), answered: false });
        self.sent += 1;
        put(&mut *self.driver, &request, &[0; BoardInfo::LEN])
    }
    /// Takes what comes within a time. After the first answer the board is asked what it is made of.
    pub fn receive(&mut self, wait: Duration) -> Result<Vec<Answered>, DriverError> {
        let mut heard = self.take_all(wait)?;
        while self.ask_kind()? {
            let until = self.now() + KIND_PATIENCE;
            while self.info.kind == Kind::Unknown(0) && self.now() < until {
                heard.extend(self.take_all(until.saturating_sub(self.now()))?);
            }
        }
        Ok(heard)
    }
    fn take_all(&mut self, wait: Duration) -> Result<Vec<Answered>, DriverError> {
        let mut came = Vec::new();
        self.driver.receive(wait, &mut |at, datagram| came.push((at, datagram.to_vec())))?;
        let (refused, before) = self.refused;
        let now = self.driver.refusals();
        if !self.was_heard() && now > before {
            self.refused = ((refused + u64::from(now - before)).min(self.sent), now);
        }
        Ok(came.into_iter().filter_map(|(at, datagram)| self.take(at, &datagram)).collect())
    }
    fn take(&mut self, at: Duration, datagram: &[u8]) -> Option<Answered> {
        let packet = Packet::new_checked(datagram).ok()?;
        let answer = match Response::parse(&packet) {
            Ok(answer) if answer.status == Status::Ok => answer,
            Err(ParseError::Version(_)) => {
                self.other_version = true;
                return None;
            }
            _ => return None,
        };
        if answer.opcode == Opcode::Counters && answer.op_id == self.first_id.wrapping_sub(1) {
            let number = kind_request().parse_answer(packet.payload()).ok()?.next();
            self.info.kind = number.map_or(Kind::Unknown(0), Kind::of_number);
            return None;
        }
        if answer.opcode != Opcode::Ping {
            return None;
        }
        let info = BoardInfo::parse(packet.payload()).ok()?;
        // Ids wrap where numbers do not: what is remembered is less than they tell apart.
        let back = (self.first_id.wrapping_add(self.sent as u32)).wrapping_sub(answer.op_id) as usize;
        let place = self.remembered.len().checked_sub(back).filter(|_| back > 0)?;
        let sent = &mut self.remembered[place];
        let (took, again) = (at.saturating_sub(sent.at), std::mem::replace(&mut sent.answered, true));
        self.info.board = Some(info);
        self.tick = answer.tick().unwrap_or(self.tick);
        if again {
            self.duplicates += 1;
        } else {
            self.answered += 1;
            self.sums.add(took);
            if self.rtt_us.len() < MOST_TOLD {
                self.rtt_us.push(took.as_nanos() as f64 / 1e3);
            }
        }
        Some(Answered { number: self.sent - back as u64, took, again })
    }
    /// Asks a board that answers what it is made of, if that is not known: whether it did.
    fn ask_kind(&mut self) -> Result<bool, DriverError> {
        let unknown = self.info.kind == Kind::Unknown(0) && self.asked < ASKED;
        let Some(info) = self.info.board.filter(|_| unknown) else { return Ok(false) };
        self.asked += 1;
        let ask = kind_request();
        let mut payload = vec![0; ask.payload_len()];
        ask.emit(&[], &mut payload);
        let id = self.first_id.wrapping_sub(1);
        let request = request(Opcode::Counters, id, payload.len() as u16);
        let request = Request { epoch: info.epoch, time: self.tick, ..request };
        put(&mut *self.driver, &request, &payload).map(|()| true)
    }
    /// What came of all of them.
    pub fn tally(&self) -> Tally {
        let Sums { all, squares, least, most } = self.sums;
        let count = self.answered as f64;
        let average = (self.answered > 0).then(|| all / count);
        Tally {
            sent: self.sent,
            answered: self.answered,
            duplicates: self.duplicates,
            lost_percent: 100.0 * (self.sent - self.answered) as f64 / self.sent.max(1) as f64,
            rtt_min_us: least,
            rtt_avg_us: average,
            rtt_max_us: most,
            rtt_mdev_us: average.map(|average| (squares / count - average * average).max(0.0).sqrt()),
            rtt_us: self.rtt_us.clone(),
        }
    }
}

impl Sums {
    fn add(&mut self, took: Duration) {
        let us = took.as_nanos() as f64 / 1e3;
        self.all += us;
        self.squares += us * us;
        self.least = Some(self.least.map_or(us, |least| least.min(us)));
        self.most = Some(self.most.map_or(us, |most| most.max(us)));
    }
}

fn kind_request() -> CountersRequest {
    CountersRequest { first: NodeCounter::BoardKind as u32, count: 1 }
}

fn request(opcode: Opcode, op_id: u32, length: u16) -> Request {
    Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode,
        epoch: 0,
        pid: Pid::NONE,
        op_id,
        attempt: 0,
        time: Tick::default(),
        va: Va::default(),
        length,
    }
}

fn put(driver: &mut dyn Driver, request: &Request, payload: &[u8]) -> Result<(), DriverError> {
    driver.send(HEADER_LEN + payload.len(), &mut |to| {
        to[..HEADER_LEN].copy_from_slice(&request.to_bytes());
        to[HEADER_LEN..].copy_from_slice(payload);
    })?;
    driver.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_clib::driver::Take;

    const US: Duration = Duration::from_micros(1);

    /// Answers after 10 µs of its own clock, and 30 µs every second time; loses every third ping and doubles every fourth.
    #[derive(Default)]
    struct Lossy {
        clock: Duration,
        pings: u32,
        /// Pings that are refused before the first is taken.
        refuses: u32,
        refusals: u32,
        waiting: Vec<(Duration, Vec<u8>)>,
    }

    impl Driver for Lossy {
        fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
            let mut bytes = vec![0; length];
            fill(&mut bytes);
            let request = Request::parse(&Packet::new_checked(&bytes[..]).unwrap()).unwrap();
            let answer = |payload: &[u8]| {
                let header = Response::ok(&request, Tick::default(), payload.len() as u16).to_bytes();
                [&header[..], payload].concat()
            };
            if request.opcode == Opcode::Counters {
                let mut payload = vec![0; kind_request().payload_len()];
                kind_request().emit(&[2], &mut payload);
                self.waiting.push((self.clock, answer(&payload)));
                return Ok(());
            }
            let info = BoardInfo {
                ns_per_tick: 1,
                page_bits: 18,
                epoch: 1,
                max_payload: 1_450,
                ..BoardInfo::default()
            };
            if self.refusals < self.refuses {
                self.refusals += 1;
                return Ok(());
            }
            self.pings += 1;
            let copies =
                if self.pings.is_multiple_of(3) { 0 } else { 1 + u32::from(self.pings.is_multiple_of(4)) };
            let at = self.clock + if self.pings.is_multiple_of(2) { 30 * US } else { 10 * US };
            self.waiting.extend((0..copies).map(|_| (at, answer(&info.to_bytes()))));
            Ok(())
        }
        fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
            let all = std::mem::take(&mut self.waiting);
            self.clock = all.iter().map(|(at, _)| *at).max().unwrap_or(self.clock + wait);
            // A stranger's word, and a header that is cut.
            take(self.clock, &request(Opcode::Ping, 1, 0).to_bytes());
            take(self.clock, &[0x10; 7]);
            all.iter().for_each(|(at, bytes)| take(*at, bytes));
            Ok(all.len() + 2)
        }
        fn now(&self) -> Duration {
            self.clock
        }
        fn max_datagram(&self) -> usize {
            1_400
        }
        fn refusals(&self) -> u32 {
            self.refusals
        }
        fn peer(&self) -> String {
            "lossy".into()
        }
    }

    #[test]
    fn losses_and_doubles_show_and_round_trips_are_those_of_each_ping() {
        let mut exchange = Exchange::new(Box::<Lossy>::default());
        // Ids wrap on the way.
        exchange.first_id = u32::MAX - 3;
        let mut again = 0;
        for number in 0..12 {
            exchange.send().unwrap();
            for answer in exchange.receive(US).unwrap() {
                assert_eq!(answer.number, number);
                again += u32::from(answer.again);
            }
        }
        assert_eq!(exchange.info().kind, Kind::Rtl);
        let tally = exchange.tally();
        assert_eq!((tally.sent, tally.answered, tally.duplicates, again), (12, 8, 2, 2));
        assert!((tally.lost_percent - 100.0 / 3.0).abs() < 1e-9, "{tally:?}");
        assert_eq!((tally.rtt_min_us, tally.rtt_max_us), (Some(10.0), Some(30.0)));
        // Four of each: the mean is 20, and each is 10 away from it.
        assert_eq!((tally.rtt_avg_us, tally.rtt_mdev_us), (Some(20.0), Some(10.0)));
        assert_eq!(tally.rtt_us.len(), 8);
    }

    #[test]
    fn what_was_refused_before_anybody_listened_is_not_waited_for() {
        let mut exchange = Exchange::new(Box::new(Lossy { refuses: 2, ..Lossy::default() }));
        for (refused, heard) in [(1, 0), (2, 0), (2, 1)] {
            exchange.send().unwrap();
            assert!(!exchange.all_answered());
            assert_eq!(exchange.receive(US).unwrap().len(), heard);
            assert_eq!((exchange.refused(), exchange.all_answered()), (refused, true));
        }
        let tally = exchange.tally();
        assert_eq!((tally.sent, tally.answered), (3, 1), "lost they are");
    }

    #[test]
    fn without_answers_there_are_no_times() {
        let tally = Exchange::new(Box::<Lossy>::default()).tally();
        assert_eq!((tally.sent, tally.lost_percent, tally.rtt_avg_us), (0, 0.0, None));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut exchange = Exchange::new(Box::<Lossy>::default());
        for _ in 0..2 * REMEMBERED {
            exchange.send().unwrap();
        }
        assert_eq!(exchange.remembered.len(), REMEMBERED);
        let heard = exchange.receive(US).unwrap();
        assert!(heard.iter().all(|answer| answer.number >= REMEMBERED as u64), "older ones are lost");
        assert!(!heard.is_empty());
    }
}
