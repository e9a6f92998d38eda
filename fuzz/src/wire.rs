//! The parsers of the wire: any bytes give a value or a typed error, and what was read is written the same.
use mneme_wire::frame::UdpFrame;
use mneme_wire::payload::{
    Alloc, BoardInfo, CountersRequest, OpenAnswer, OpenRequest, PageRange, PayloadError, ProcessesRequest,
    RangeRights, SecureOpenAnswer, SecureOpenRequest, parse_ping,
};
use mneme_wire::{HEADER_LEN, Packet, Request, Response};
use std::fmt::Display;

/// A payload that was read must be written the same.
fn payload<T>(bytes: &[u8], parsed: Result<T, PayloadError>, written: impl FnOnce(T) -> Vec<u8>) {
    if let Some(value) = told(parsed) {
        assert_eq!(written(value), bytes, "written otherwise than it was read");
    }
}

/// An error says what it is.
fn told<T, E: Display>(parsed: Result<T, E>) -> Option<T> {
    parsed.map_err(|error| assert!(!error.to_string().is_empty())).ok()
}

fn payloads(b: &[u8]) {
    payload(b, BoardInfo::parse(b), |v| v.to_bytes().to_vec());
    payload(b, OpenRequest::parse(b), |v| v.to_bytes().to_vec());
    payload(b, OpenAnswer::parse(b), |v| v.to_bytes().to_vec());
    payload(b, SecureOpenRequest::parse(b), |v| v.to_bytes().to_vec());
    payload(b, SecureOpenAnswer::parse(b), |v| v.to_bytes().to_vec());
    payload(b, Alloc::parse_request(b), |v| v.to_bytes().to_vec());
    payload(b, Alloc::parse_answer(b), |v| v.to_bytes().to_vec());
    payload(b, RangeRights::parse(b), |v| v.to_bytes().to_vec());
    payload(b, PageRange::parse(b), |v| v.to_bytes().to_vec());
    payload(b, parse_ping(b), |()| vec![0; BoardInfo::LEN]);
    payload(b, CountersRequest::parse(b), |v| {
        let mut bytes = vec![0xff; v.payload_len()];
        v.emit(&[], &mut bytes);
        bytes
    });
    payload(b, ProcessesRequest::parse(b), |v| {
        let mut bytes = vec![0xff; v.payload_len()];
        v.emit(None, &mut bytes);
        bytes
    });
    if b.len() >= 56 {
        let asked = ProcessesRequest { after: 0, count: (b.len() as u32 - 8) / 48 };
        if let Some(entries) = told(asked.parse_answer(b)) {
            let entries: Vec<_> = entries.collect();
            let mut written = vec![0xff; b.len()];
            asked.emit(Some(&entries), &mut written);
            assert_eq!(written, b, "written otherwise than it was read");
        }
    }
    if b.len() >= 8 {
        let asked = CountersRequest { first: 0, count: (b.len() as u32 - 8) / 8 };
        if let Some(values) = told(asked.parse_answer(b)) {
            assert_eq!(values.count() as u32, asked.count);
        }
    }
}

fn frame(input: &[u8]) {
    let local = told(UdpFrame::parse_local(input));
    let Some(frame) = told(UdpFrame::parse(input)) else { return };
    assert_eq!(local, Some(frame), "a frame from the same machine may only be less complete");
    let mut written = vec![0; frame.frame_len()];
    let length = frame.emit(true, &mut written).expect("what was read has room");
    let again = UdpFrame::parse(&written[..length]).expect("what was written can be read");
    assert_eq!((again.endpoints, again.datagram), (frame.endpoints, frame.datagram));
}

/// The bytes as a frame, as a packet, and as a payload of each kind.
pub fn run(input: &[u8]) {
    frame(input);
    if let Some(packet) = told(Packet::new_checked(input)) {
        if let Some(request) = told(Request::parse(&packet)) {
            assert_eq!(request.to_bytes(), input[..HEADER_LEN], "a request is written as it was read");
            assert!(!request.opcode.name().is_empty());
        }
        if let Some(response) = told(Response::parse(&packet)) {
            assert_eq!(response.to_bytes(), input[..HEADER_LEN], "a response is written as it was read");
            assert!(!response.status.name().is_empty());
            response.detail();
        }
        payloads(packet.payload());
    }
    payloads(input);
}
