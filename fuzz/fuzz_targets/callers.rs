//! [`mneme_fuzz::callers`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::callers::run);
