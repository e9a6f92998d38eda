//! The client library's tests against drivers that the tests make.
mod asynchronous;
mod client;
mod congestion;
mod deadlines;
mod driver_fails;
mod ended;
mod exactly_once;
mod lanes;
mod leases;
mod path;
mod support;
mod transport;
mod typed;
mod vectored;
