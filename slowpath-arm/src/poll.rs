//! The slow path in one thread: deterministic, everything happens inside [`SlowPath::poll`].
use crate::FastPath;
use crate::answers::Answers;
use crate::boot::{BootError, boot};
use crate::config::Config;
use crate::core::Core;
use crate::epoch::EpochStore;
use crate::leaf::LeafState;
use crate::pages::Pages;
use crate::query;
use crate::refusal::Refusal;
use crate::ring::{self, Incoming};
use crate::roce::RoceFrames;
use crate::serve::{self, Admitted, Job};
use crate::space::Space;
use crate::station::{Direct, Station};
use mneme_auth::TenantList;
use mneme_wire::opcode::RESPONSE_BIT;
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, NodeCounter, Opcode, Status, Trailer};

/// A board's slow path. It reads no clock and owns no thread: board time comes from the TICK register.
#[derive(Debug)]
pub struct SlowPath {
    core: Core,
    station: Station,
    answers: Answers,
    /// Where frames are received.
    frame: Vec<u8>,
}

impl SlowPath {
    /// Looks at a freshly reset fast path and starts to bring it up; [`SlowPath::poll`] completes that, since zeroing the
    /// table takes board time. The epoch is saved in `store` before anything is written to the board.
    pub fn boot<F: FastPath + ?Sized>(
        config: Config,
        fp: &mut F,
        store: &mut dyn EpochStore,
    ) -> Result<SlowPath, BootError> {
        let (core, station) = boot(config, fp, store)?;
        let answers = core.new_answers();
        Ok(SlowPath { core, station, answers, frame: Vec::new() })
    }

    /// Whether the board is up and serves requests.
    pub fn ready(&self) -> bool {
        self.station.serving()
    }

    /// Serves what waits in the ring (at most `frames_per_poll` frames), keeps the async buffer filled, reclaims what is
    /// due. Does not wait for anything but replace commands. True: something was served, so polling again at once may
    /// find more.
    pub fn poll<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> bool {
        if !self.station.begin_poll(fp, &self.core) {
            return true;
        }
        for (pid, _) in self.core.silent(usize::MAX) {
            serve::reclaim(&self.core, pid, &mut Direct { station: &mut self.station, fp });
        }
        for served in 0..self.core.config.limits.frames_per_poll {
            if !self.station.has_room() {
                return served > 0;
            }
            let mut frame = std::mem::take(&mut self.frame);
            let any = fp.receive(&mut frame);
            if any {
                let answer = self.answer(fp, &frame);
                self.station.post(fp, &self.core, answer);
            }
            self.frame = frame;
            if !any {
                return served > 0;
            }
        }
        true
    }

    fn answer<F: FastPath + ?Sized>(&mut self, fp: &mut F, frame: &[u8]) -> Vec<u8> {
        match triage(&self.core, &mut self.station, fp, frame) {
            Triage::Answered(answer) => answer,
            Triage::Query(job) => query::answer_from_space(&self.core, &job),
            Triage::Work(job) => match serve::admit(&self.core, &mut self.answers, job) {
                Admitted::Answered(answer) => answer,
                Admitted::Execute(task) => {
                    let table = &mut Direct { station: &mut self.station, fp };
                    let ended = task.execute(&self.core, table);
                    self.station.refill(fp);
                    ended.remember(&mut self.answers)
                }
            },
        }
    }

    /// Plants a fault for good; only builds with the feature `planted-faults` can.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&self, fault: crate::PlantedFault) {
        self.core.plant(fault);
    }
    /// Changes who may use the board. Processes of tenants who no longer may are ended, as if their lease had run out.
    pub fn set_tenants(&self, tenants: TenantList) {
        self.core.set_tenants(tenants);
    }
    /// The next frame of RoCEv2 for a queue pair that is software's.
    pub fn take_roce(&mut self) -> Option<Vec<u8>> {
        self.station.roce.as_mut().and_then(RoceFrames::take)
    }
    /// Whether there is one.
    pub fn has_roce(&self) -> bool {
        self.station.roce.as_ref().is_some_and(|frames| !frames.is_empty())
    }
    /// Frames for software's queue pairs that found no place, but those of management.
    pub fn roce_lost(&self) -> u64 {
        self.station.roce.as_ref().map_or(0, RoceFrames::lost)
    }
    /// Nothing is left to do until a frame or board time comes.
    pub fn idle(&self) -> bool {
        self.ready() && self.station.idle()
    }
    /// What the board says of itself.
    pub fn info(&self) -> BoardInfo {
        self.core.board_info()
    }
    /// Reads the address space, for audits and displays.
    pub fn inspect<R>(&self, look: impl FnOnce(&Space) -> R) -> R {
        look(&self.core.space())
    }
    /// A client of a process was heard of by other ways than requests: its lease begins anew, if the token is the process's.
    pub fn renew(&self, pid: u32, token: &[u8; 16]) {
        self.core.space().renew(pid, token, self.core.now());
    }
    /// What the leaf unit has now; `None`: there is none.
    pub fn leaf_state<F: FastPath + ?Sized>(&self, fp: &mut F) -> Option<LeafState> {
        self.station.leaf_state(fp)
    }
    /// What a leaf unit of hardware numbers the segment whose first leaf table this is.
    pub fn segment_number(&self, table: u32) -> Option<u32> {
        self.station.segment_number(table)
    }
    /// Reads the physical pages' places after a fresh look at the hardware.
    pub fn pages<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> &Pages {
        self.station.observe(fp);
        &self.station.pages
    }
    /// The value of a counter number, as COUNTERS tells it: after a fresh look at the hardware.
    pub fn counter<F: FastPath + ?Sized>(&mut self, fp: &mut F, number: u32) -> u64 {
        self.station.observe(fp);
        self.station.counter(fp, &self.core, number)
    }
}

/// What the poller makes of a frame.
pub(crate) enum Triage {
    /// Answered, or nothing to answer (empty).
    Answered(Vec<u8>),
    /// A query that has to wait for the address space.
    Query(Box<Job>),
    /// To be looked up in the answer cache, and served.
    Work(Box<Job>),
}

/// Opens a frame and answers what needs neither the answer cache nor the table.
pub(crate) fn triage<F: FastPath + ?Sized>(
    core: &Core,
    station: &mut Station,
    fp: &mut F,
    frame: &[u8],
) -> Triage {
    if let Some(frames) = station.roce.as_mut().filter(|_| RoceFrames::is_one(frame)) {
        if !frames.keep(frame) {
            core.stats.count(NodeCounter::Unclaimed);
        }
        return Triage::Answered(Vec::new());
    }
    let mut incoming = ring::open(frame, core.config.mac, core.config.ip);
    if let (Incoming::Mneme(job), Some(keys)) = (&mut incoming, &core.keys) {
        let tells = matches!(job.request.opcode, Opcode::Ping | Opcode::Open);
        if tells || job.request.trailer == Trailer::Tag {
            keys.observe(fp);
        }
        job.means = keys.means(&job.request);
        job.source = core.asker(job);
    }
    Triage::Answered(match incoming {
        Incoming::Arp(reply) => {
            core.stats.count(NodeCounter::Arps);
            reply
        }
        Incoming::Echo(reply) => {
            core.stats.count(NodeCounter::Echoes);
            reply
        }
        Incoming::Mneme(job) if job.request.opcode.is_query() => {
            match query::answer(core, station, fp, job) {
                Ok(answer) => answer,
                Err(job) => return Triage::Query(job),
            }
        }
        Incoming::Mneme(job) => return Triage::Work(job),
        Incoming::UnknownOpcode(job, number) => {
            let mut answer = serve::refuse(core, &job, Refusal::new(Status::Unsupported, Cause::Opcode));
            if let Some(byte) = answer.get_mut(mneme_wire::frame::MNEME_OFFSET + 1) {
                *byte = number | RESPONSE_BIT;
            }
            answer
        }
        Incoming::Unclaimed => {
            core.stats.count(NodeCounter::Unclaimed);
            Vec::new()
        }
    })
}
