//! The software board: the golden model of the fast path (contracts §1 to §5) and the clock that drives it.
//!
//! A frame's way through the files: `board` queues it as a MAC would, `dispatch` decides where it goes, `filter` whether
//! it may take effect, `translate` finds its page in `table` and executes it on `memory`, `request` builds the answer.
mod board;
mod classes;
mod counters;
mod dispatch;
mod filter;
mod guest;
mod made;
mod memory;
mod model;
mod pages;
mod places;
mod planted;
mod registers;
mod request;
mod shape;
mod split;
mod table;
mod timing;
mod tlb;
mod trailer;
mod translate;

pub use board::SoftFast;
pub use classes::{CLASSES, ClassRate};
pub use counters::{Counters, status_counter};
pub use dispatch::{Dispatch, MatRow};
pub use filter::{Decision, Entry, GROUPS, Key, RetryFilter, State};
pub use memory::{LineFault, Memory, WriteFault};
pub use model::Model;
pub use planted::PlantedFault;
pub use registers::{AwayRow, Registers};
pub use request::{Answer, BoardRequest};
pub use shape::{BoardShape, ShapeError};
pub use table::{Page, Replace, Walk};
pub use timing::Timing;
pub use tlb::Tlb;
pub use translate::{Executed, Lookup};
