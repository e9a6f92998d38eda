//! [`mneme_fuzz::wire`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::wire::run);
