//! Frames for the RTL's RoCEv2 port that somebody makes by hand.
//!
//! # Panics
//! All of it, on what no board and no packet can be: it is for tests and measurements.
use super::answers::Answer;
use super::board::Board;
use super::model::sealed;
use crate::boards;
use crate::world::{BOARD_IP, BOARD_MAC};
use mneme_rdma::codec::frame::ROCE_PORT;
use mneme_rdma::codec::{Bth, Extensions, Opcode, Packet, Psn};
use mneme_rdma::responder::PACKET_MAX;
use mneme_rtl::{RtlConfig, RtlFast};
use mneme_wire::LeafRegister;
use mneme_wire::frame::Endpoints;
use std::collections::BTreeSet;

/// The UDP port that peers send from.
pub const SOURCE_PORT: u16 = 0xc000;

/// The board *rdma*, whose surroundings the seed draws.
pub fn fast(seed: u64) -> RtlFast {
    boards::rtl(RtlConfig::Rdma, seed).expect("the board starts")
}
/// A board of four pages whose ring has so many frames of 4 KB.
pub fn board_of(fast: &mut RtlFast, frames: usize) -> Board<'_> {
    let mut board = Board::boot(fast, 4).expect("it boots");
    board.make_ring().expect("a ring");
    let page = board.take_page();
    board.push(page, 0, frames as u64).expect("frames");
    board
}
/// The frames that a leaf table names.
pub fn mapped(board: &mut Board<'_>, table: u64) -> Vec<u64> {
    board.table(table).expect("a table").into_iter().filter(|frame| *frame != 0).collect()
}
/// Frames that are free, that wait for accesses to end, and that these leaf tables name. The tables name different ones, and with
/// `held`, which a queue pair fills, they are all `frames` of the board.
pub fn audit(
    board: &mut Board<'_>,
    tables: impl IntoIterator<Item = u64>,
    (held, frames): (usize, usize),
    case: &str,
) -> [usize; 3] {
    let named: Vec<u64> = tables.into_iter().flat_map(|table| mapped(board, table)).collect();
    let pages = named.len();
    assert_eq!(named.into_iter().collect::<BTreeSet<_>>().len(), pages, "{case}: a frame of two pages");
    let [total, free, waiting] = [LeafRegister::Total, LeafRegister::Usable, LeafRegister::Waiting]
        .map(|register| board.leaf(register) as usize);
    let found = free + waiting + pages + held;
    assert_eq!((total, found), (frames, frames), "{case}: {free} free, {waiting} wait");
    [free, waiting, pages]
}
/// The MAC of an address.
pub fn mac(ip: [u8; 4]) -> [u8; 6] {
    [2, 0, 0, 0, 0, ip[3]]
}
/// A packet of a peer for a queue pair; who sends a message's last one wants to be answered.
pub fn frame(
    src_ip: [u8; 4],
    dest_qp: u32,
    psn: Psn,
    opcode: Opcode,
    extensions: Extensions,
    payload: &[u8],
) -> Vec<u8> {
    let bth = Bth { dest_qp, psn, ack_request: opcode.position().ends(), ..Bth::default() };
    let mut bytes = [0; PACKET_MAX];
    let length = Packet { bth, opcode, extensions, payload }.emit(&mut bytes).expect("a packet");
    let way = Endpoints {
        src_mac: mac(src_ip),
        dst_mac: BOARD_MAC,
        src_ip,
        dst_ip: BOARD_IP,
        src_port: SOURCE_PORT,
        dst_port: ROCE_PORT,
    };
    sealed(&way, &bytes[..length]).expect("a frame")
}
/// Frames come back to back, and what they do is done. Answers all that leaves.
pub fn deliver(board: &mut Board<'_>, frames: impl IntoIterator<Item = Vec<u8>>) -> Vec<Answer> {
    let frames: Vec<_> = frames.into_iter().map(|frame| (frame, false)).collect();
    let mut answers = board.serve(&frames).expect("it comes to rest");
    answers.extend(board.rest().expect("it comes to rest"));
    answers
}
