//! Defects that the attacks find: each is planted, and its attack must fail on it.
#![cfg(feature = "planted-faults")]
use super::{Plant, Rig, crash, drains, guesses, strangers};
use mneme_rdma::PlantedFault::{self, *};
use mneme_rdma::node::Leaf;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An attack on a node that is made in some way.
type Attack = dyn Fn(Plant<'_>);

/// What an attack says of a defect; `None`: it does not see it.
fn said(attack: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(attack)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    Some(text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default())
}

#[test]
fn every_planted_fault_is_found_by_its_attack() {
    let attacks: [(PlantedFault, &Attack); 23] = [
        (KeyByRow, &guesses::guessed_key),
        (HardenedMovesOn, &guesses::forged_error),
        (GapAccepted, &guesses::injected),
        (DuplicateWriteExecuted, &guesses::injected),
        (SecretIgnored, &guesses::wrong_secret),
        (AnySource, &strangers::spoofed),
        (ForeignRegion, &strangers::foreign_region),
        (RangeByStart, &strangers::ends_and_rights),
        (RightsIgnored, &strangers::ends_and_rights),
        (Unaligned, &strangers::unaligned),
        (TableWraps, &strangers::outside_of_the_table),
        (FrameNotZeroed, &strangers::last_owner),
        (BudgetIgnored, &drains::ring_drain),
        (MappedFrameLost, &drains::double_store),
        (EntryKept, &drains::double_free),
        (FreedAtOnce, &drains::free_race),
        (RepliesUnbounded, &drains::replies),
        (AccessKept, &drains::takes_nothing),
        (JobsUnbounded, &drains::jobs),
        (PlacesUnshared, &drains::places_and_turns),
        (TurnsForgotten, &drains::places_and_turns),
        (ErrorServed, &drains::error_served),
        (PrivateFrameKept, &crash::every_step),
    ];
    let mut missed = Vec::new();
    for (fault, attack) in attacks {
        assert_eq!(said(|| attack(&|_: &mut Rig| {})), None, "{fault:?}: the attack fails without it");
        match said(|| attack(&|rig: &mut Rig| rig.node.plant(fault))) {
            Some(text) => println!("{fault:?}: {}", text.lines().next().unwrap_or_default()),
            None => missed.push(fault),
        }
    }
    if said(|| strangers::frees_of_others(&|leaf: &mut Leaf| leaf.plant(FreesAnything))).is_none() {
        missed.push(FreesAnything);
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}
