//! Opening and joining processes, on one board or several.
use super::{Client, Lane, MOST_LANES, OpenOptions, unreadable};
use crate::core::{Member, Way};
use crate::error::{Error, Result};
use crate::process::{Membership, Opened, Process};
use mneme_wire::payload::{OpenAnswer, OpenRequest, VaWindow};
use mneme_wire::{Cause, Pid, Status, Va};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

impl Client {
    /// Opens a new process on the boards that are asked for, on all of them or on none.
    ///
    /// A board that has restarted since the client connected is pinged, and the process opened in its new epoch. On
    /// several boards each has a window of addresses of its own, and its pid there may be another one.
    pub fn open(&self, options: OpenOptions) -> Result<Process> {
        self.session.is_own()?;
        let wanted = options.pid.map_or(Ok(Pid::NONE), valid_pid)?;
        let lease_ns =
            options.lease.map_or(0, |lease| u64::try_from(lease.as_nanos()).unwrap_or(u64::MAX).max(1));
        let call = self.one_call();
        let lanes = call.lanes();
        if let Some(missing) = options.lanes.past(lanes.len()) {
            return Err(Error::NoSuchLane(missing));
        }
        let lanes: Vec<Lane> = lanes.into_iter().filter(|lane| options.lanes.has(lane.number())).collect();
        let several = lanes.len() > 1;
        let mut opened: Vec<Opened> = Vec::new();
        for lane in &lanes {
            let window = if several { Some(window_of(lane.number())?) } else { None };
            let request = OpenRequest { lease_ns, window, ..OpenRequest::default() };
            // The same number everywhere is easier to follow, where it is free.
            let same = opened.first().map_or(wanted, |first| first.member.pid);
            let given = match open_on(lane, same, request) {
                Err(error) if wanted == Pid::NONE && same != wanted && is_taken(&error) => {
                    open_on(lane, Pid::NONE, request)
                }
                given => given,
            };
            match given {
                Ok(given) => opened.push(given),
                Err(error) => {
                    call.undo(&opened);
                    return Err(error);
                }
            }
        }
        match opened.is_empty() {
            // None is asked for: the numbers were past those that boards can have.
            true => Err(Error::NoSuchLane(MOST_LANES)),
            false => Process::new(Arc::clone(&self.session), &opened, false),
        }
    }
    /// Nobody is going to have what was opened. Should that fail, too, it ends with its lease.
    fn undo(&self, opened: &[Opened]) {
        for Opened { member, proven, sent, .. } in opened {
            let way = Way { lane: member.lane, pid: member.pid, epoch: member.epoch };
            if let Some(proven) = proven {
                // Its EXIT has a tag; then nothing keeps them.
                self.session.look((), |core| core.keep_keys(way, member.token, proven, *sent));
            }
            if let Err(error) = Lane::new(&self.session, member.lane, self.ends).end(way) {
                tracing::warn!(
                    "a process that was opened on one board, and not on others, could not be ended: {error}"
                );
            }
        }
    }
    /// Joins a process of the first board that another client opened; `token` is that client's [`Process::token`].
    pub fn join(&self, pid: u32, token: [u8; 16]) -> Result<Process> {
        self.session.is_own()?;
        let opened = self.join_on(&self.first(), pid, token, None)?;
        Process::new(Arc::clone(&self.session), &[opened], true)
    }
    /// Joins a process on all of its boards, which this client must have, in any order: that client's
    /// [`Process::memberships`].
    pub fn join_all(&self, memberships: &[Membership]) -> Result<Process> {
        self.session.is_own()?;
        let (call, mut opened) = (self.one_call(), Vec::new());
        for membership in memberships {
            let lanes = call.lanes();
            let of_board = lanes.iter().find(|lane| lane.board().board_id == membership.board_id);
            let lane = of_board.ok_or(Error::UnknownBoard(membership.board_id))?;
            let window = membership.window.map(|(first, bytes)| VaWindow::new(first, bytes));
            let window = window.transpose().map_err(unreadable)?;
            opened.push(self.join_on(lane, membership.pid, membership.token, window)?);
        }
        match opened.is_empty() {
            true => Err(Error::NoSuchLane(0)),
            false => Process::new(Arc::clone(&self.session), &opened, true),
        }
    }
    fn join_on(&self, lane: &Lane, pid: u32, token: [u8; 16], window: Option<VaWindow>) -> Result<Opened> {
        let request = OpenRequest { join: true, token, ..OpenRequest::default() };
        let mut opened = open_on(lane, valid_pid(pid)?, request)?;
        opened.member.window = window;
        Ok(opened)
    }
}

/// The window of a board of several.
fn window_of(lane: usize) -> Result<VaWindow> {
    let bytes = Va::LIMIT / MOST_LANES as u64;
    VaWindow::new(lane as u64 * bytes, bytes).map_err(unreadable)
}

/// Another process has this number, or it is not of the class that the client has on this board.
fn is_taken(error: &Error) -> bool {
    let taken = [(Status::Denied, Cause::Pid), (Status::BadRequest, Cause::Pid), (Status::Busy, Cause::Hold)];
    error.refusal().is_some_and(|refusal| taken.contains(&refusal))
        || error.reason() == Some(crate::Reason::Busy(Cause::Hold))
}

pub(super) fn open_on(lane: &Lane, pid: Pid, request: OpenRequest) -> Result<Opened> {
    let _span = tracing::debug_span!("open", board = %lane.peer(), join = request.join).entered();
    let (lane, sent) = (&lane.one_call(), Cell::new(Duration::ZERO));
    let attempt = || {
        sent.set(lane.now());
        lane.open(pid, request)
    };
    let (opened, proven) = match attempt() {
        Err(error) if error.is_restart() => {
            lane.ping()?;
            attempt()?
        }
        other => other?,
    };
    let OpenAnswer { pid, token, lease_ns, board, .. } = opened;
    let (pid, lane, epoch) = (Pid::from_low_bits(pid), lane.number(), board.epoch);
    Ok(Opened {
        member: Member { lane, board_id: board.board_id, pid, epoch, token, window: request.window },
        lease: Duration::from_nanos(lease_ns),
        page_bits: board.page_bits,
        sent: sent.get(),
        proven,
    })
}

pub(crate) fn valid_pid(pid: u32) -> Result<Pid> {
    Pid::new(pid).filter(|pid| *pid != Pid::NONE).ok_or(Error::BadPid(pid))
}
