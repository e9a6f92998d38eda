//! OPEN: a new process, or one to join.
use super::{Job, Served};
use crate::core::Core;
use mneme_wire::payload::{OpenAnswer, OpenRequest};

/// Capabilities of this board: none are assigned yet, so none are granted.
const CAPABILITIES: u32 = 0;

pub(super) fn serve(core: &Core, job: &Job, ask: &OpenRequest) -> Served {
    let opened = core.space().open(job.request.pid, ask, job.endpoints.src_ip, core.now())?;
    let answer = OpenAnswer {
        pid: opened.pid,
        capabilities: ask.capabilities & CAPABILITIES,
        lease_ns: opened.lease_ns,
        token: opened.token,
        key: [0; 16],
        board: core.board_info(),
    };
    Ok(answer.to_bytes().to_vec())
}
