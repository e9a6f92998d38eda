//! The swap device's tests.
mod command;
mod device;
mod faults;
mod foreign;
mod rig;
