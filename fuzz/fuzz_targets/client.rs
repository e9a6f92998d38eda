//! [`mneme_fuzz::client`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::client::run);
