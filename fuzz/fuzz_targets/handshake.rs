//! [`mneme_fuzz::handshake`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::handshake::run);
