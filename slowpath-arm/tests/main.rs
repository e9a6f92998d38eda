//! The slow path's tests, each file on one subject.
mod allocator;
mod double;
mod exactly_once;
mod faults;
mod fuzz;
mod leaf;
mod limits;
mod memory;
mod neighbours;
mod pool;
mod processes;
mod requests;
mod shares;
mod windows;
