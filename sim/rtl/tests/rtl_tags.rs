//! Trailers on the Verilated board: the software board's tests of what is damaged, forged or captured.
#![cfg(feature = "tags")]
#[path = "../../model/tests/trailers/bench.rs"]
mod bench;
#[path = "../../model/tests/trailers/forged.rs"]
mod forged;
#[path = "../../model/tests/trailers/shares.rs"]
mod shares;

use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};

fn board() -> RtlFast {
    RtlFast::new(RtlOptions::new(RtlConfig::Tags)).expect("the board starts")
}

#[test]
fn no_flip_of_one_or_two_bits_of_a_header_executes() {
    forged::flips(board);
}

#[test]
fn damage_is_told_and_the_next_attempt_executes() {
    forged::damage(board());
}

#[test]
fn what_is_forged_or_captured_does_not_execute() {
    forged::forgeries(board());
}

#[test]
fn what_was_captured_is_worth_nothing_after_the_tick_s_wrap() {
    forged::captured(board());
}

#[test]
fn a_class_has_its_share_of_the_filter_whatever_addresses_it_has() {
    shares::classes(board, mneme_model::soft::BoardShape::SIM.filter_entries());
}
