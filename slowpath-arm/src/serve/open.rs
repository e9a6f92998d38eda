//! OPEN: a new process, or one to join.
use super::{Job, Served};
use crate::core::Core;
use crate::refusal::Refusal;
use crate::share::Source;
use mneme_wire::Pid;
use mneme_wire::payload::{OpenAnswer, OpenRequest};

/// Capabilities of this board: none are assigned yet, so none are granted.
const CAPABILITIES: u32 = 0;

pub(super) fn serve(core: &Core, job: &Job, ask: &OpenRequest) -> Served {
    Ok(open(core, job.request.pid, ask, (job.source, None))?.to_bytes().to_vec())
}

/// Opens or joins a process for a source, which may have a service class; the answer is without a key.
pub(super) fn open(
    core: &Core,
    pid: Pid,
    ask: &OpenRequest,
    of: (Source, Option<u8>),
) -> Result<OpenAnswer, Refusal> {
    let opened = core.space().open_in(pid, ask, of, core.now())?;
    Ok(OpenAnswer {
        pid: opened.pid,
        capabilities: ask.capabilities & CAPABILITIES,
        lease_ns: opened.lease_ns,
        token: opened.token,
        key: [0; 16],
        board: core.board_info(),
    })
}
