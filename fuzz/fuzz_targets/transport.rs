//! [`mneme_fuzz::transport`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::transport::run);
