//! The programs that are kept beside the hardware's bench are those that the golden model makes today.
use std::path::Path;

use mneme_rdma_world::{
    FIELD_MESSAGES, LEAF_PROGRAMS, MESSAGE_PROGRAMS, PROGRAMS, REPLY_PROGRAMS, field_vectors, leaf_vectors,
    message_vectors, reply_vectors, vectors,
};

#[test]
fn kept_programs_are_the_models() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hw/src/test/resources/rdma/responder.txt");
    let text = std::fs::read_to_string(kept).expect("the file is there");
    // Not assert_eq: nobody reads the difference of two such files.
    assert!(
        text == vectors(1, PROGRAMS),
        "stale: run `cargo run -p mneme-rdma-world --bin rdma-vectors -- hw/src/test/resources/rdma/responder.txt`"
    );
}

#[test]
fn kept_programs_of_the_leaf_unit_are_the_models() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hw/src/test/resources/rdma/leaf.txt");
    let text = std::fs::read_to_string(kept).expect("the file is there");
    assert!(
        text == leaf_vectors(1, LEAF_PROGRAMS),
        "stale: run `cargo run -p mneme-rdma-world --bin rdma-vectors -- --leaf hw/src/test/resources/rdma/leaf.txt`"
    );
}

#[test]
fn kept_programs_of_replies_are_the_models() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hw/src/test/resources/rdma/replies.txt");
    let text = std::fs::read_to_string(kept).expect("the file is there");
    assert!(
        text == reply_vectors(1, REPLY_PROGRAMS),
        "stale: run `cargo run -p mneme-rdma-world --bin rdma-vectors -- --replies hw/src/test/resources/rdma/replies.txt`"
    );
}

#[test]
fn kept_messages_of_chains_are_the_models() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hw/src/test/resources/rdma/fields.txt");
    let text = std::fs::read_to_string(kept).expect("the file is there");
    assert!(
        text == field_vectors(1, FIELD_MESSAGES),
        "stale: run `cargo run -p mneme-rdma-world --bin rdma-vectors -- --fields hw/src/test/resources/rdma/fields.txt`"
    );
}

#[test]
fn kept_programs_of_messages_are_the_models() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hw/src/test/resources/rdma/messages.txt");
    let text = std::fs::read_to_string(kept).expect("the file is there");
    assert!(
        text == message_vectors(1, MESSAGE_PROGRAMS),
        "stale: run `cargo run -p mneme-rdma-world --bin rdma-vectors -- --messages hw/src/test/resources/rdma/messages.txt`"
    );
}
