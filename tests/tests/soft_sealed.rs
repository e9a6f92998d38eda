//! What trailers touch of the suite, on the software board: in this process, on networks that damage, and over sockets.
use mneme_tests::rig::in_process::{InProcess, Soft, SoftTagged};
use mneme_tests::rig::sealed::{Tagged, Whole};
use mneme_tests::rig::udp::Udp;

mod crc_in_process {
    use super::*;
    mneme_tests::suite!(@tests Whole<InProcess<Soft>>:
        access::any_size_and_alignment,
        access::random_accesses_like_local_memory,
        access::atomics_tell_the_old_word,
        access::exactly_once_on_a_bad_network,
        access::answers_tell_the_time_on_the_board,
        protection::read_only_memory_refuses_writes,
        protection::joining_needs_the_token,
        asynchronous::many_in_flight_on_a_bad_network,
        forms::corked_and_owned,
        reclaim::exit_frees_everything,
        errors::calls_that_cannot_be,
    );
}

mod crc_over_sockets {
    use super::*;
    mneme_tests::suite!(@tests Whole<Udp<Soft>>:
        access::any_size_and_alignment,
        access::answers_tell_the_time_on_the_board,
        asynchronous::many_in_flight_on_a_bad_network,
        forms::corked_and_owned,
    );
}

mod tags_in_process {
    use super::*;
    mneme_tests::suite!(@tests Tagged<InProcess<SoftTagged>>:
        access::any_size_and_alignment,
        access::random_accesses_like_local_memory,
        access::atomics_tell_the_old_word,
        access::exactly_once_on_a_bad_network,
        access::answers_tell_the_time_on_the_board,
        protection::read_only_memory_refuses_writes,
        protection::joining_needs_the_token,
        asynchronous::released_writes_are_seen_by_others,
        asynchronous::many_in_flight_on_a_bad_network,
        forms::corked_and_owned,
        forms::threads_of_one_client,
        errors::calls_that_cannot_be,
        errors::a_process_that_ended,
    );
}

mod tags_over_sockets {
    use super::*;
    mneme_tests::suite!(@tests Tagged<Udp<SoftTagged>>:
        access::any_size_and_alignment,
        access::answers_tell_the_time_on_the_board,
        asynchronous::many_in_flight_on_a_bad_network,
        forms::corked_and_owned,
    );
}
