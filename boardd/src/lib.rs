//! The slow path's daemon on a board: [`Board`] is the fast path as its windows show it, [`serve`] runs a slow path on it.
//!
//! The order is that of [device.md](../../docs/reference/device.md). What a board is made of, [`mneme_window`] knows: a device
//! of UIO or a simulated board. [`FarBoard`] is a board without a processor, whose daemon runs on a host of the same Ethernet.
#![forbid(unsafe_code)]

mod board;
mod callers;
mod ethernet;
mod far;
mod former;
mod identity;
mod patience;
mod rings;
mod serve;
mod watchdog;

pub use board::{Board, OpenError};
pub use callers::{Callers, CallersAt};
pub use ethernet::{Ethernet, EthernetError, reach};
pub use far::{FarBoard, raise};
pub use former::Former;
pub use identity::identity;
pub use patience::Patience;
pub use rings::{RingShape, Rings};
pub use serve::{Options, ServeError, Served, serve};
pub use watchdog::Watchdog;
