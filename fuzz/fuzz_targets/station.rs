//! [`mneme_fuzz::station`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::station::run);
