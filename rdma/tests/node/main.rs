//! The node's tables by single packets.
mod chains;
mod native;
mod rig;
