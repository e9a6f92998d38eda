//! The manager on a board whose registers answer as the hardware's do; of connections' own packets those are served that hardware leaves to
//! software.
mod audit;
mod board;
mod chains;
mod client;
mod ends;
mod silence;
mod software;
