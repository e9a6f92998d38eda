//! OPENs with handshakes: what proves nothing costs the board the computing all the same.
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mneme_auth::{Initiator, SecretKey};
use mneme_tests::figures::Bound;
use mneme_tests::rig::in_process::{BOARD_KEY, TENANT_KEY};
use mneme_wire::payload::{SECURE_OPEN_LEN, SecureOpenRequest};
use mneme_wire::{Opcode, Status};

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest, exactly};
use crate::honest::Work;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{Options, VICTIM};

/// Addresses that the flood comes from.
const SOURCES: u8 = 8;
/// OPENs per second, of all of them.
const RATE: u32 = 10_000;
/// Most that are made up at once after the thread had no processor.
const CATCH_UP: u32 = 256;
/// How often the attacker looks for answers.
const LOOK: Duration = Duration::from_micros(200);
/// Handshakes that prove nothing of each address, which the board computes in a second; as many may come at once.
const COMPUTED: f64 = 100.0;
/// Of so many the figure may be off: board and attacker have clocks of their own.
const MARGIN: f64 = 1.1;
/// Goals (milliseconds, and times the figure alone).
const READ_P99: f64 = 2.0;
const STALL_MS: f64 = 5.0;
const SLOW_P99_MS: f64 = 20.0;

/// What the board said to the flood.
#[derive(Default)]
struct Proofs {
    /// Computed for nobody.
    computed: AtomicU64,
    /// Told to wait before anything was computed.
    waits: AtomicU64,
    /// Served.
    opened: AtomicU64,
    /// What may have been computed at most.
    most: AtomicU64,
}

struct State {
    sources: Vec<Stranger>,
    /// Forged, of an unknown tenant, and one of a tenant that the board has served before.
    messages: [[u8; SECURE_OPEN_LEN]; 3],
}

impl Proofs {
    fn collect(&self, state: &mut State) -> Result<u64> {
        let mut count = 0;
        for source in &mut state.sources {
            while let Some(answer) = source.answer(Duration::ZERO)? {
                count += 1;
                let counter = match answer.status() {
                    Status::Unauthenticated => &self.computed,
                    Status::Busy => &self.waits,
                    Status::Ok => &self.opened,
                    _ => anyhow::bail!("an OPEN was answered {}", answer.words()),
                };
                counter.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(count)
    }
}

impl Attack for Proofs {
    type State = State;
    const WORKS: &'static [Work] = &[Work::Read, Work::Write, Work::Alloc, Work::Open];
    const KEYED: bool = true;
    fn prepare(&self, board: &Board) -> Result<State> {
        let address = board.address()?;
        let at = |last| Stranger::at(Ipv4Addr::new(127, 0, 2, last), address);
        let sources: Vec<Stranger> = (1..=SOURCES).map(at).collect::<Result<_>>()?;
        let mut victim = Stranger::at(VICTIM, address)?;
        let ask = SecureOpenRequest { tick: victim.info.full_tick(), ..SecureOpenRequest::default() };
        let message = |own: &SecretKey, entropy| {
            Initiator::new(&BOARD_KEY.public(), own, victim.info.nonce, &ask, [entropy; 32])
        };
        let (_, unknown) = message(&SecretKey::from_bytes([99; 32]), 1)?;
        let (_, heard) = message(&TENANT_KEY, 2)?;
        let mut forged = heard;
        forged[SECURE_OPEN_LEN - 1] ^= 1;
        // Somebody listens while a tenant opens a process.
        let answer = victim.ask(Opcode::Open, 0, 0, 0, &heard)?;
        ensure!(answer.is_ok(), "the tenant's OPEN was answered {}", answer.words());
        Ok(State { sources, messages: [forged, unknown, heard] })
    }
    fn attack(&self, state: &mut State, stop: &AtomicBool) -> Result<Did> {
        let (mut did, began) = (Did::default(), Instant::now());
        let (mut next, interval) = (began, Duration::from_secs(1) / RATE);
        while !stop.load(Ordering::Relaxed) {
            did.answered += self.collect(state)?;
            let now = Instant::now();
            next = next.max(now.checked_sub(CATCH_UP * interval).unwrap_or(now));
            while next <= now {
                let message = &state.messages[did.sent as usize % 3];
                let source = &mut state.sources[did.sent as usize / 3 % usize::from(SOURCES)];
                let packet = source.packet(Opcode::Open, 0, 0, message);
                source.send(&packet)?;
                (did.sent, next) = (did.sent + 1, next + interval);
            }
            std::thread::sleep(LOOK);
        }
        std::thread::sleep(10 * LOOK);
        did.answered += self.collect(state)?;
        let most = f64::from(SOURCES) * COMPUTED * (1.0 + began.elapsed().as_secs_f64()) * MARGIN;
        self.most.fetch_add(most as u64, Ordering::Relaxed);
        Ok(did)
    }
}

/// Floods a board with handshakes.
pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let proofs = Proofs::default();
    let contest = contest(options, kind, options.time(), &proofs)?;
    let [computed, waits, opened, most] = [&proofs.computed, &proofs.waits, &proofs.opened, &proofs.most]
        .map(|count| count.load(Ordering::Relaxed));
    let about = format!(
        "OPENs with handshakes from {SOURCES} addresses, {RATE}/s: forged, of an unknown tenant, and one that was listened to; {}, \
         {computed} computed and {waits} told to wait",
        contest.attacker()
    );
    let mut report = Report::new("open-proofs", kind, about);
    let named = report.named();
    report.figures.tables.push(contest.table("Honest clients with tags beside a flood of handshakes"));
    contest.gross(options, &named, &mut report.figures);
    let known = |what: &str, most: f64, count: u64| {
        exactly(format!("{named}: {what}"), Bound::AtMost(most), "", count as f64)
    };
    report.figures.goals.push(known("processes opened by the flood", 0.0, opened));
    report.figures.goals.push(known("handshakes computed for nobody", most as f64, computed));
    ensure!(
        computed > 0 && waits > 0,
        "the board computed {computed} and told {waits} to wait: that is no flood"
    );
    if !options.short {
        contest.p99_ratio(Work::Read, READ_P99, &named, &mut report.figures);
        contest.stall(Work::Read, STALL_MS, &named, &mut report.figures);
        contest.p99(Work::Alloc, SLOW_P99_MS, &named, &mut report.figures);
        contest.p99(Work::Open, SLOW_P99_MS, &named, &mut report.figures);
    }
    Ok(report)
}
