//! The differential test of a board's RoCEv2 port: RC requesters over a network that loses, doubles, delays and damages frames, and
//! packets that no requester sends, to the Verilated board and to the model of a responder.
//!
//! `peers` makes what is sent, `model` and `memory` are the golden model, `board` is the RTL with what a slow path does for it, `answers`
//! tells what may differ, `frames` has pages of 4 KB, `chains` ODRP's functions on them, `group` brings frames and compares, `run` sends, and lets memory and
//! queue pairs change. `hand` and `chain_link` make packets by hand, for tests of attacks and for `cycles`, which measures.
//!
//! An example. Nine frames come back to back. The model takes them one after the other, and answers each at once. The board takes
//! them as they come, so it may acknowledge several WRITEs together, which `answers` allows and nothing else; every other byte of every
//! frame is compared. A WRITE over bytes that a READ among the nine asks for would be a race: it begins the next group. What the board
//! answered goes to the requesters, whose next packets are made of it.
mod answers;
mod board;
mod chain_link;
mod chains;
mod cycles;
mod end;
mod frames;
mod group;
pub mod hand;
mod memory;
mod model;
mod peers;
mod run;

pub use crate::world::{BOARD_IP, BOARD_MAC};
pub use answers::Answer;
pub use board::Board;
pub use chain_link::{Link, TABLES};
pub use chains::{ChainReport, Wrong, chain_rows};
pub use cycles::{Figure, measure};
pub use model::sealed;
pub use run::{Plan, Plants, Report, run};
