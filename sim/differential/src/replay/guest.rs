//! The tokens of the traffic generator at door 1.
use std::collections::VecDeque;

use mneme_model::port::TraceEvent;
use mneme_model::soft::{Answer, BoardRequest, Executed, Model, Page};
use mneme_model::traffic::{Traffic, TrafficResult, digest};
use mneme_wire::{Cause, Opcode, Status, Tick};

use super::Replay;
use crate::cover::Way;
use crate::mismatch::Mismatch;

/// A token that may be on the board.
struct Token {
    request: BoardRequest,
    number: u16,
    /// Frames that had been sent, and the board's tick, when its command was given.
    since: u64,
    entered: Tick,
}

/// Those without a result.
#[derive(Default)]
pub(super) struct Guest {
    tokens: VecDeque<Token>,
    next: u16,
}

impl Guest {
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
    pub(super) fn on_page(&self, model: &Model, page: Page) -> usize {
        self.tokens.iter().filter(|token| model.page(&token.request) == page).count()
    }

    /// The token of a result. Those of its page have gone before it; before a fence, all of its process.
    fn take(&mut self, number: u16, model: &Model) -> Result<Token, &'static str> {
        let at = self.tokens.iter().position(|token| token.number == number);
        let token = at.and_then(|at| self.tokens.remove(at)).ok_or("a result of no token")?;
        let is = |request: &BoardRequest, opcode| request.operation() == Some(opcode);
        let fence = is(&token.request, Opcode::Fence);
        let mut earlier = self.tokens.iter().take(at.unwrap_or_default()).map(|token| &token.request);
        let overtaken = earlier.any(|other| {
            let accesses = other.operation().is_some() && !is(other, Opcode::Fence);
            let same_page = model.page(other) == model.page(&token.request);
            accesses && (if fence { other.pid == token.request.pid } else { same_page })
        });
        if overtaken && token.request.operation().is_some() {
            return Err(if fence {
                "a fence overtook a token of its process"
            } else {
                "a token overtook one of its page"
            });
        }
        Ok(token)
    }
}

impl Replay {
    /// Notes tokens that the generator was told to offer at this tick or later.
    pub fn send_traffic(&mut self, traffic: &Traffic, tick: Tick) {
        for request in traffic.tokens() {
            let (number, since) = (self.guest.next, self.sent.sent());
            self.guest.next = number.wrapping_add(1);
            self.guest.tokens.push_back(Token { request, number, since, entered: tick });
        }
    }
    /// Tokens without a result.
    pub fn tokens(&self) -> usize {
        self.guest.len()
    }

    /// Compares how a token ended with the model.
    pub fn result(&mut self, result: &TrafficResult, now: Tick) -> Result<(), Mismatch> {
        let token = self.guest.take(result.number, &self.model).map_err(|what| unlike(what, result))?;
        self.results += 1;
        let page = self.model.page(&token.request);
        let compared = self.compare_token(&token, result, now);
        compared.map_err(|mismatch| self.journal.explain(page, mismatch))
    }

    fn compare_token(&mut self, token: &Token, result: &TrafficResult, now: Tick) -> Result<(), Mismatch> {
        let request = &token.request;
        self.way = Way { guest: true, ..Way::default() };
        let asks = request.operation().is_some();
        let mut executed = if asks {
            self.serve_token(token, result, now)?
        } else {
            Executed { answer: Answer::ok(request, 0, Vec::new()), walked: false, zeros: false }
        };
        let answer = &mut executed.answer;
        self.called_slow += u64::from(result.slow);
        let damaged = std::mem::take(&mut answer.bad_fcs);
        let ok = answer.status == Status::Ok;
        let reads = ok && request.operation() == Some(Opcode::Read);
        let expected = TrafficResult {
            status: answer.status.number(),
            detail: if ok { Default::default() } else { (answer.va, answer.length) },
            zeros: executed.zeros,
            damaged,
            old: if ok && request.operation().is_some_and(Opcode::is_atomic) {
                answer.result
            } else {
                result.old
            },
            // What memory failed to deliver means nothing.
            digest: match reads {
                true if damaged => result.digest,
                true if !executed.zeros => digest(answer.payload()),
                _ => 0,
            },
            // The board's to say of who has a page; who did not walk did not wait.
            resumed: result.resumed && asks,
            slow: result.slow && result.resumed,
            ..*result
        };
        if expected != *result {
            return Err(unlike(&format!("a token ended otherwise than the model's, {expected:?}"), result)
                .expecting(&[], request));
        }
        self.cover.note(&self.model.shape, request, result.status, self.way);
        Ok(())
    }

    /// What the model makes of a token that asks for something.
    fn serve_token(
        &mut self,
        token: &Token,
        result: &TrafficResult,
        now: Tick,
    ) -> Result<Executed, Mismatch> {
        let request = &token.request;
        let fence = request.operation() == Some(Opcode::Fence);
        let checked = Tick::from_low_bits(result.tick_resume);
        if !fence && (checked.since(token.entered) < 0 || now.since(checked) < 0) {
            return Err(unlike("a token's tick lies outside its offer and now", result));
        }
        let event = event(request, result);
        let status = Status::from_number(result.status).ok_or_else(|| unlike("no status", result))?;
        // As the network would be told: what the answer shows of the entry is read from it.
        let told = &mut Answer::detailed(status, result.detail.0, result.detail.1);
        let frame = told.frame(request, [0; 6], now, 0, Vec::new());
        self.serve(request, token.since, &event, &frame)
    }
}

/// A result as the trace would tell it.
fn event(request: &BoardRequest, result: &TrafficResult) -> TraceEvent {
    let has_cause = ![Status::Ok.number(), Status::Moved.number()].contains(&result.status);
    TraceEvent {
        src_ip: 0,
        src_port: 0,
        op_id: result.number.into(),
        attempt: 0,
        opcode: request.opcode,
        status: result.status,
        cause: if has_cause { (result.detail.0.get() >> 40) as u8 } else { Cause::None.number() },
        tick_filter: result.tick_resume,
        tick_resume: result.tick_resume,
        tick: result.tick_resume,
        resumed: result.resumed,
    }
}

fn unlike(what: &str, result: &TrafficResult) -> Mismatch {
    Mismatch::new(format!("door 1: {what}\n  result {result:?}"))
}
