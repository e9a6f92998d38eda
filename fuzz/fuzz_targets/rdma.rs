//! [`mneme_fuzz::rdma`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]
mneme_fuzz::target!(mneme_fuzz::rdma::run);
