//! What a run is made of, and what it saw.
use mneme_model::soft::{BoardShape, ShapeError};

use super::super::cover::Cover;
use super::super::mismatch::Mismatch;

/// What a run is made of.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The board's shape.
    pub shape: BoardShape,
    /// Everything random comes from here.
    pub seed: u64,
    /// Frames to send.
    pub requests: u64,
}

/// What a run saw.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Frames sent.
    pub frames: u64,
    /// Answers compared.
    pub answers: u64,
    /// Tokens that the second door was given.
    pub tokens: u64,
    /// Those of them whose results were compared.
    pub results: u64,
    /// Those of them that told how long their request took.
    pub timed: u64,
    /// Replace commands that ended as DONE, and others.
    pub replaced: (u64, u64),
    /// Bytes of memory compared, over all checkpoints.
    pub memory: u64,
    /// Frames that the board lost at ingress or at a full slow ring.
    pub lost: u64,
    /// Steps that programs took whose next request depends on the last answer.
    pub dependent: u64,
    /// Pages that were offered to a full zeroing queue.
    pub refused_zeroing: u64,
    /// Page faults that waited for a page.
    pub waited: u64,
    /// Requests to pages of frames.
    pub split: u64,
    /// The same by status and cause.
    pub split_tally: Vec<((u8, u8), u64)>,
    /// Segments that were opened.
    pub segments: u64,
    /// Frames compared, over all checkpoints.
    pub framed: u64,
    /// Board cycles.
    pub cycles: u64,
    /// Answers by opcode, status and cause.
    pub tally: Vec<((u8, u8, u8), u64)>,
    /// What the answers met.
    pub cover: Cover,
}

/// A run that did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The shape is not buildable.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Board and model disagree.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}
