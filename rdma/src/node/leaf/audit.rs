//! Whether every frame is in exactly one place.
use std::collections::BTreeSet;

use super::Leaf;

/// Where frames are, each in one place only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Audit {
    /// In the ring.
    pub ring: usize,
    /// In a table.
    pub mapped: usize,
    /// Being filled.
    pub private: usize,
    /// Freed, and waiting for accesses to end.
    pub waiting: usize,
}

/// What an audit finds wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuditError {
    /// A frame is in two places.
    #[error("frame {0:#x} is in two places")]
    Twice(u64),
    /// Frames are nowhere, or came from nowhere.
    #[error("{found} frames are somewhere, {given} were given")]
    Lost {
        /// Frames found.
        found: usize,
        /// Frames given.
        given: usize,
    },
    /// A segment counts other frames than it has.
    #[error("segment {segment} counts {counted} frames and has {has}")]
    Count {
        /// The segment.
        segment: u32,
        /// What it counts.
        counted: u32,
        /// What it has.
        has: u32,
    },
}

impl Leaf {
    /// Looks where every frame is.
    ///
    /// # Errors
    /// [`AuditError`]: a frame that is in two places or in none, or a segment that counts wrongly.
    pub fn audit(&self) -> Result<Audit, AuditError> {
        let mut seen = BTreeSet::new();
        let mut see = |frame: u64| if seen.insert(frame) { Ok(()) } else { Err(AuditError::Twice(frame)) };
        let mut audit = Audit::default();
        for frame in self.ring.frames() {
            see(frame)?;
            audit.ring += 1;
        }
        for frame in self.epochs.waiting() {
            see(frame)?;
            audit.waiting += 1;
        }
        for frame in self.private.keys() {
            see(*frame)?;
            audit.private += 1;
        }
        for (number, segment) in &self.segments {
            let mut has = self.private.values().filter(|own| *own == number).count() as u32;
            for page in 0..segment.table.len() as u32 {
                if let Some(frame) = self.frame(*number, page) {
                    see(frame)?;
                    (audit.mapped, has) = (audit.mapped + 1, has + 1);
                }
            }
            if has != segment.used {
                return Err(AuditError::Count { segment: *number, counted: segment.used, has });
            }
        }
        if seen != self.given {
            return Err(AuditError::Lost { found: seen.len(), given: self.given.len() });
        }
        Ok(audit)
    }
}
