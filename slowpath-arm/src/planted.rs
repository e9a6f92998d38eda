//! Planted faults: one switch each, to show that the simulated world's checkers find them. Without the cargo feature
//! `planted-faults` no slow path can be told to misbehave.
use crate::space::{Space, Span};
use mneme_wire::Opcode;

/// A way to misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedFault {
    /// No answer is remembered: every copy of a request is executed.
    AnswersForgotten,
    /// The same for FREE alone: who lost the first answer is told that there was nothing to free.
    FreeAgain,
    /// The same for OPEN alone.
    OpenAgain,
    /// Now and then an ALLOC is refused, and what it took is kept.
    RefusedKept,
    /// A FREE leaves the tenant's account as it was.
    FreeUncounted,
    /// A PROTECT is answered and not executed.
    ProtectAnswered,
    /// An EXIT is answered and not executed.
    ExitAnswered,
}

impl PlantedFault {
    /// Every one of them.
    pub const ALL: &'static [PlantedFault] = &[
        PlantedFault::AnswersForgotten,
        PlantedFault::FreeAgain,
        PlantedFault::OpenAgain,
        PlantedFault::RefusedKept,
        PlantedFault::FreeUncounted,
        PlantedFault::ProtectAnswered,
        PlantedFault::ExitAnswered,
    ];
    /// Whether it makes the answer cache forget requests of a kind.
    pub(crate) fn forgets(self, opcode: Opcode) -> bool {
        match self {
            PlantedFault::AnswersForgotten => true,
            PlantedFault::FreeAgain => opcode == Opcode::Free,
            PlantedFault::OpenAgain => opcode == Opcode::Open,
            _ => false,
        }
    }
}

/// Counts the pages of a range that was freed against its tenant again.
pub(crate) fn charge_again(space: &mut Space, span: Span) {
    if let Some(process) = space.processes.get(&span.pid) {
        space.tenants.charge(process.tenant, span.pages, span.pages);
    }
}
