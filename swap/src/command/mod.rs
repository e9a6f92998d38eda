//! The commands.
pub mod bench;
mod lock;
mod made;
pub mod serve;
pub mod stat;
mod table;
