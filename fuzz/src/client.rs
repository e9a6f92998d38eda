//! A whole client on a board that answers as it should until the input says otherwise: every call returns in bounded
//! virtual time, with a result or a typed error.
use mneme_clib::driver::{Driver, DriverError, Take};
use mneme_clib::{
    Client, ClientOptions, LockOptions, OpenOptions, Process, ReadPart, Result, TransportConfig, WritePart,
};
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, RangeRights};
use mneme_wire::{Opcode, Packet, Request, Response, Status, Tick, Va};
use std::collections::VecDeque;
use std::io::{IoSlice, IoSliceMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const LARGEST: usize = 1_400;

/// The input, and the time. Calls are read from its front and the board's answers from its back, so that more of the
/// one does not give the other another meaning.
struct Board {
    program: VecDeque<u8>,
    now: Duration,
    answers: VecDeque<Vec<u8>>,
}

#[derive(Clone)]
struct Hostile(Arc<Mutex<Board>>);

impl Hostile {
    fn with<R>(&self, work: impl FnOnce(&mut Board) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
    /// The caller's next decision.
    fn byte(&self) -> u8 {
        self.with(|board| board.program.pop_front().unwrap_or(0))
    }
    fn pair(&self) -> u64 {
        u64::from(self.byte()) << 8 | u64::from(self.byte())
    }
}

impl Board {
    /// The board's next decision; 0, which is to behave, after the end.
    fn byte(&mut self) -> u8 {
        self.program.pop_back().unwrap_or(0)
    }
    fn tick(&self) -> Tick {
        Tick::from_low_bits((self.now.as_micros() & 0xff_ffff) as u32)
    }
    fn proper(&self, request: &Request, payload: &[u8]) -> Vec<u8> {
        let info = BoardInfo {
            epoch: 1,
            window: 1_000,
            ns_per_tick: 1_000,
            tick: self.tick().get(),
            page_bits: 18,
            max_payload: LARGEST as u16,
            memory: 1 << 30,
            ..BoardInfo::default()
        };
        let carried = match request.opcode {
            Opcode::Read => vec![7; usize::from(request.length)],
            Opcode::CompareSwap | Opcode::FetchAdd | Opcode::Swap => vec![0; 8],
            Opcode::Ping => info.to_bytes().to_vec(),
            Opcode::Open => OpenAnswer { pid: 1, token: [1; 16], board: info, ..OpenAnswer::default() }
                .to_bytes()
                .to_vec(),
            Opcode::Alloc => match Alloc::parse_request(payload) {
                Ok(asked) => Alloc { va: 1 << 30, ..asked }.to_bytes().to_vec(),
                Err(_) => Vec::new(),
            },
            Opcode::Free | Opcode::Protect => RangeRights::default().to_bytes().to_vec(),
            Opcode::Counters => payload.to_vec(),
            _ => Vec::new(),
        };
        let length = if request.opcode == Opcode::Write { request.length } else { carried.len() as u16 };
        [&Response::ok(request, self.tick(), length).to_bytes()[..], &carried].concat()
    }
    fn serve(&mut self, datagram: &[u8]) {
        let packet = Packet::new_checked(datagram).expect("a whole header");
        let request = Request::parse(&packet).expect("a well-formed request");
        let mut answer = self.proper(&request, packet.payload());
        let kind = self.byte();
        match kind % 16 {
            // Refused, with any cause and hint.
            8 | 9 => {
                let number = self.byte() & 0x1f;
                let status = Status::from_number(number).unwrap_or(Status::Busy);
                let va = u64::from(self.byte()) << 40 | u64::from(self.byte()) << (self.byte() % 32);
                answer =
                    Response::fail(&request, self.tick(), status, Va::from_low_bits(va)).to_bytes().to_vec();
            }
            10 => return,
            11 => self.answers.push_back(answer.clone()),
            12 | 13 => {
                let place = usize::from(self.byte()) % answer.len();
                answer[place] ^= self.byte();
            }
            14 => answer.truncate(usize::from(self.byte())),
            15 => {
                let tick = u32::from(self.byte()) << (self.byte() % 17);
                answer[11..14].copy_from_slice(&tick.to_be_bytes()[1..]);
            }
            _ => {}
        }
        self.answers.push_back(answer);
    }
}

impl Driver for Hostile {
    fn send(
        &mut self,
        length: usize,
        fill: &mut dyn FnMut(&mut [u8]),
    ) -> std::result::Result<(), DriverError> {
        let mut frame = vec![0; length];
        fill(&mut frame);
        self.with(|board| board.serve(&frame));
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> std::result::Result<usize, DriverError> {
        let answer = self.with(|board| {
            board.now += Duration::from_micros(2);
            let answer = board.answers.pop_front();
            board.now += if answer.is_none() { wait } else { Duration::ZERO };
            answer
        });
        answer.iter().for_each(|bytes| take(self.now(), bytes));
        Ok(usize::from(answer.is_some()))
    }
    fn now(&self) -> Duration {
        self.with(|board| board.now)
    }
    fn max_datagram(&self) -> usize {
        22 + LARGEST
    }
    fn peer(&self) -> String {
        "a hostile board".into()
    }
}

fn call(process: &Process, input: &Hostile) -> Result<()> {
    let va = (1 << 30) + input.pair();
    let length = 1 + input.pair() as usize % 6_000;
    let (from, mut into) = (vec![3; length], vec![0; length]);
    match input.byte() % 14 {
        0 => process.rread(va, &mut into),
        1 => process.rwrite(va, &from),
        2 => process.fetch_add(va & !7, 1).map(drop),
        3 => process.compare_swap(va, 0, 1).map(drop),
        4 => process.ralloc(length as u64 * 100).map(drop),
        5 => process.rfree(va),
        6 => process.rfence(),
        7 => {
            let lock = process.rlock(va & !7, LockOptions::within(Duration::from_millis(2)))?;
            process.runlock(lock).map_err(|error| *error.error)
        }
        8 => process.rread_async(va, &mut into).wait().map(drop),
        9 => {
            drop(process.rwrite_async(va, &from));
            drop(process.swap_async(va & !7, 1));
            Ok(())
        }
        10 => process.rrelease(),
        11 => process.rwritev(va, &[IoSlice::new(&from), IoSlice::new(b"more")]),
        12 => {
            let (left, right) = into.split_at_mut(length / 2);
            process.rreadv(va, &mut [IoSliceMut::new(left), IoSliceMut::new(right)])
        }
        _ => {
            process
                .rwrite_batch(&[WritePart { va: va + 9_000, from: &from }, WritePart { va, from: b"x" }])?;
            process.rread_batch_async(&mut [ReadPart { va, into: &mut into }]).wait()?;
            process
                .rread_batch_owned_async(&[(va, length.max(1)), (va + 9_000, 7)], into)
                .wait()
                .map(drop)
                .map_err(Into::into)
        }
    }
}

/// Calls from the front, answers from the back.
pub fn run(bytes: &[u8]) {
    let program = bytes.iter().copied().collect();
    let board = Board { program, now: Duration::from_millis(1), answers: VecDeque::new() };
    let driver = Hostile(Arc::new(Mutex::new(board)));
    let transport = TransportConfig::board_time();
    // A call may wait for others that were made before it, and pass through several operations.
    let patience = 600 * transport.give_up;
    let options = ClientOptions { transport, seed: Some(5), ..ClientOptions::default() };
    let opened = Client::connect(driver.clone(), options).and_then(|client| {
        let process = client.open(OpenOptions::default())?;
        Ok((client, process))
    });
    let (client, process) = match opened {
        Ok(opened) => opened,
        Err(error) => return told(Err(error)),
    };
    for _ in 0..24 {
        if driver.with(|board| board.program.is_empty()) {
            break;
        }
        let before = driver.now();
        told(call(&process, &driver));
        let took = driver.now() - before;
        assert!(took <= patience, "a call took {took:?}");
    }
    told(client.counters(0, 3).map(drop));
    told(process.exit().map_err(mneme_clib::Error::from));
}

/// An error says what it is, and what became of the operation.
fn told(result: Result<()>) {
    if let Err(error) = result {
        assert!(!error.to_string().is_empty());
        assert!(!error.id().title().is_empty());
        error.effect();
    }
}
