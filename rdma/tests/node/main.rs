//! The node's tables by single packets, and what attackers do with them.
mod attacks;
mod chains;
mod client;
mod native;
mod rig;
