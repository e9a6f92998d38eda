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
use mneme_wire::frame::Endpoints;

/// The UDP port that peers send from.
pub const SOURCE_PORT: u16 = 0xc000;

/// The board *rdma*, whose surroundings the seed draws.
pub fn fast(seed: u64) -> RtlFast {
    boards::rtl(RtlConfig::Rdma, seed).expect("the board starts")
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
