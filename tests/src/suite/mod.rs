//! The tests, each a function of the rig that it runs on.
pub mod access;
pub mod asynchronous;
pub mod concurrency;
pub mod errors;
pub mod forms;
pub mod protection;
pub mod reclaim;

use crate::Rig;
use crate::faulty::Faults;
use mneme_clib::{AllocOptions, Error, Integrity, Process};
use mneme_wire::{Cause, Status};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Makes every test of the suite a `#[test]` on one rig.
#[macro_export]
macro_rules! suite {
    ($rig:ty) => {
        $crate::suite!(@tests $rig:
            access::any_size_and_alignment,
            access::across_page_borders,
            access::random_accesses_like_local_memory,
            access::never_written_reads_zeros,
            access::atomics_tell_the_old_word,
            access::exactly_once_on_a_bad_network,
            access::answers_tell_the_time_on_the_board,
            protection::read_only_memory_refuses_writes,
            protection::rights_follow_protect,
            protection::processes_do_not_see_each_other,
            protection::joining_needs_the_token,
            asynchronous::many_in_flight_read_what_was_written_before,
            asynchronous::released_writes_are_seen_by_others,
            asynchronous::many_in_flight_on_a_bad_network,
            asynchronous::futures_on_an_executor_that_sleeps,
            forms::several_buffers_and_ranges,
            forms::typed_values,
            forms::corked_and_owned,
            forms::threads_of_one_client,
            forms::rights_change_between_calls,
            concurrency::eight_processes_at_once,
            concurrency::counters_lose_no_increment,
            concurrency::swaps_lose_no_word,
            concurrency::locks_keep_others_out,
            concurrency::locks_between_threads_of_one_client,
            concurrency::fence_orders_other_clients,
            reclaim::freed_bytes_never_reappear,
            reclaim::small_allocations_made_together,
            reclaim::dropped_allocations_go_back,
            reclaim::exit_frees_everything,
            reclaim::out_of_memory_hits_only_who_faults,
            errors::allocations_that_cannot_be,
            errors::frees_that_cannot_be,
            errors::calls_that_cannot_be,
            errors::a_process_that_ended,
        );
    };
    (@tests $rig:ty: $($module:ident :: $test:ident),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                if <$rig as $crate::Rig>::works(concat!(module_path!(), "::", stringify!($test))) {
                    $crate::suite::$module::$test::<$rig>();
                }
            }
        )*
    };
}

/// A network that costs retries.
pub const BAD: Faults = Faults { lost: 8, doubled: 15, late: 10, damaged: 0 };

/// How many percent of the datagrams a bad network damages, too: none where nobody would notice.
pub fn damage<R: Rig>() -> u32 {
    if R::options().integrity == Integrity::None { 0 } else { 8 }
}

/// Bytes that depend on the seed, and no two of which are alike for long.
pub fn pattern(seed: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

/// Reads into a new buffer.
pub fn read(process: &Process, va: u64, length: usize) -> Vec<u8> {
    // Not zeros: a read that leaves the buffer alone must not look like one of fresh memory.
    let mut bytes = vec![0xa5; length];
    process.rread(va, &mut bytes).expect("read");
    bytes
}

/// Options for memory that begins a page and shares it with nothing.
pub fn whole_pages() -> AllocOptions {
    AllocOptions { own_pages: true, ..AllocOptions::default() }
}

/// The board's refusal, when an error is one.
pub fn refusal(error: &Error) -> Option<(Status, Cause)> {
    error.refusal()
}

/// Demands that a call was refused with this status and cause.
#[track_caller]
pub fn assert_refused<T: std::fmt::Debug>(result: Result<T, Error>, status: Status, cause: Cause) {
    let error = result.expect_err("the board must refuse this");
    assert_eq!(refusal(&error), Some((status, cause)), "{error}");
}
