//! The programs that are kept beside the hardware's benches are those that the golden model makes today.
use std::path::Path;

use mneme_rdma_world::{
    CHAIN_PACKET_PROGRAMS, FIELD_MESSAGES, LEAF_PROGRAMS, MESSAGE_PROGRAMS, PROGRAMS, RATE_PROGRAMS,
    REPLY_PROGRAMS, chain_packet_vectors, field_vectors, leaf_vectors, message_vectors, rate_vectors,
    reply_vectors, vectors,
};

/// `option`: what `rdma-vectors` is told to write the file.
fn is_fresh(option: &str, file: &str, made: &str) {
    let kept = format!("hw/src/test/resources/rdma/{file}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&kept);
    let text = std::fs::read_to_string(path).expect("the file is there");
    // Not assert_eq: nobody reads the difference of two such files.
    assert!(text == made, "stale: run `cargo run -p mneme-rdma-world --bin rdma-vectors -- {option} {kept}`");
}

#[test]
fn kept_programs_are_the_models() {
    is_fresh("", "responder.txt", &vectors(1, PROGRAMS));
}

#[test]
fn kept_programs_of_the_leaf_unit_are_the_models() {
    is_fresh("--leaf", "leaf.txt", &leaf_vectors(1, LEAF_PROGRAMS));
}

#[test]
fn kept_programs_of_replies_are_the_models() {
    is_fresh("--replies", "replies.txt", &reply_vectors(1, REPLY_PROGRAMS));
}

#[test]
fn kept_messages_of_chains_are_the_models() {
    is_fresh("--fields", "fields.txt", &field_vectors(1, FIELD_MESSAGES));
}

#[test]
fn kept_programs_of_messages_are_the_models() {
    is_fresh("--messages", "messages.txt", &message_vectors(1, MESSAGE_PROGRAMS));
}

#[test]
fn kept_packets_of_chains_are_the_models() {
    is_fresh("--chain-packets", "chain-packets.txt", &chain_packet_vectors(1, CHAIN_PACKET_PROGRAMS));
}

#[test]
fn kept_programs_of_rates_are_the_models() {
    is_fresh("--rates", "rates.txt", &rate_vectors(1, RATE_PROGRAMS));
}
