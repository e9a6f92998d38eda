//! The wire format's tests.
mod layouts;
mod page_table;
mod round_trip;
mod trailers;
