//! The memory node's slow path (architecture §6): processes, virtual addresses, physical pages, the answers to slow
//! requests. A state machine: I/O is passed in, time is the board's own, the fast path is behind the [`FastPath`] trait.
//!
//! [`SlowPath::boot`] looks at a fast path, [`SlowPath::poll`] does everything else. [`Pool`] is the same with worker threads.
#![forbid(unsafe_code)]

pub mod allocator;
pub mod answers;
mod auth;
mod boot;
mod chain;
mod classes;
mod commands;
pub mod config;
mod core;
pub mod debts;
pub mod epoch;
mod fast_path;
#[cfg(feature = "files")]
mod files;
mod groups;
mod keys;
mod leaf;
mod log_limit;
pub mod pages;
mod planted;
mod poll;
mod pool;
pub mod process;
mod query;
pub mod refusal;
mod refusal_rate;
mod ring;
mod roce;
mod scattered;
mod serve;
pub mod shadow;
pub mod share;
mod slow;
pub mod space;
mod station;
pub mod stats;
pub mod table;
pub mod tenant;

pub use boot::BootError;
pub use chain::{ChainPort, ChainProgress, ChainQueuePair, ChainRefused, ChainRow};
pub use classes::{CLASSES, ClassRate};
pub use commands::PortRefused;
pub use config::{Config, Limits};
pub use epoch::{EpochStore, EpochStoreError, MemoryEpochs};
pub use fast_path::{FastPath, LatencySummary, RingFull};
#[cfg(feature = "files")]
pub use files::{FileEpochs, TenantsWatch, board_identity};
pub use groups::{GROUPS, GroupShare, told as told_shares};
pub use keys::Secret;
pub use leaf::{LeafCommand, LeafDriver, LeafRefused, LeafSegment, LeafState};
pub use planted::PlantedFault;
pub use poll::SlowPath;
pub use pool::Pool;
pub use roce::{RoceFrees, RocePort, RoceProgress, RoceQueuePair, RoceRefused, RoceRegion};
pub use slow::Slow;
