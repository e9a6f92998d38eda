//! RoCEv2, and ODRP's contract on it, without hardware.
//!
//! | module | what it holds |
//! |---|---|
//! | [`codec`] | bytes on the wire: headers, ICRC, connection manager, scatter profiles; needs no standard library |
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

pub mod codec;
