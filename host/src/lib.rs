//! A board without a processor, as the host on its Ethernet reaches it ([ecpix5.md](../../docs/reference/ecpix5.md) §3, §4):
//! registers by keyed frames of 64 bytes, the slow ring's frames through registers, and the DRAM controller, which has to be
//! brought up.
//!
//! [`Identity`] says who speaks with whom under which key. [`HostRegisters`] is the board's register window over a [`Line`], which
//! carries frames and tells the time; nothing here opens a socket or reads a clock. [`Mail`] moves the slow ring's frames.
//! [`dram::bring_up`] starts the chip and levels its reads.
#![forbid(unsafe_code)]

pub mod dram;
mod error;
mod frame;
mod identity;
mod mail;
mod registers;

pub use error::HostError;
pub use frame::{Asked, Heard, Tags};
pub use identity::{Identity, IdentityError, Key, mac_text};
pub use mail::{Mail, MailError};
pub use registers::{HostRegisters, Line};
