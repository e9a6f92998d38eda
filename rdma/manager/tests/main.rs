//! The manager on a board whose registers answer as the hardware's do; no packet of a connection's own is served.
mod board;
mod chains;
mod client;
mod ends;
