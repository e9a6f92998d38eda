//! The parsers of the wire: any bytes give a value or a typed error, and what was read is written the same.
use crate::input::Behaviour;
use mneme_wire::frame::UdpFrame;
use mneme_wire::payload::{
    Alloc, BoardInfo, CountersRequest, OpenAnswer, OpenRequest, PageRange, PayloadError, RangeRights,
};
use mneme_wire::{HEADER_LEN, Packet, Request, Response};

/// A payload that was read must be written the same.
fn payload<T>(
    behaviour: &mut Behaviour,
    name: &str,
    bytes: &[u8],
    parsed: Result<T, PayloadError>,
    written: impl FnOnce(T) -> Vec<u8>,
) {
    match parsed {
        Ok(value) => {
            assert_eq!(written(value), bytes, "{name} is written otherwise than it was read");
            behaviour.saw(name);
        }
        Err(error) => behaviour.saw(&format!("{name} {error:?}")),
    }
}

fn payloads(behaviour: &mut Behaviour, b: &[u8]) {
    payload(behaviour, "board", b, BoardInfo::parse(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "open", b, OpenRequest::parse(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "opened", b, OpenAnswer::parse(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "alloc", b, Alloc::parse_request(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "allocated", b, Alloc::parse_answer(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "rights", b, RangeRights::parse(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "range", b, PageRange::parse(b), |v| v.to_bytes().to_vec());
    payload(behaviour, "counters", b, CountersRequest::parse(b), |v| {
        let mut bytes = vec![0xff; v.payload_len()];
        v.emit(&[], &mut bytes);
        bytes
    });
    if b.len() >= 8 {
        let asked = CountersRequest { first: 0, count: (b.len() as u32 - 8) / 8 };
        if let Ok(values) = asked.parse_answer(b) {
            assert_eq!(values.count() as u32, asked.count);
            behaviour.saw("counted");
        }
    }
}

pub fn run(input: &[u8]) -> Behaviour {
    let mut behaviour = Behaviour::default();
    match UdpFrame::parse(input) {
        Ok(frame) => {
            let mut written = vec![0; frame.frame_len()];
            let length = frame.emit(true, &mut written).expect("what was read has room");
            let again = UdpFrame::parse(&written[..length]).expect("what was written can be read");
            assert_eq!((again.endpoints, again.datagram), (frame.endpoints, frame.datagram));
            behaviour.saw("frame");
        }
        Err(error) => behaviour.saw(&format!("{error:?}")),
    }
    if let Ok(packet) = Packet::new_checked(input) {
        match Request::parse(&packet) {
            Ok(request) => {
                assert_eq!(request.to_bytes(), input[..HEADER_LEN], "a request is written as it was read");
                behaviour.saw(request.opcode.name());
            }
            Err(error) => behaviour.saw(&format!("request {error}")),
        }
        match Response::parse(&packet) {
            Ok(response) => {
                assert_eq!(response.to_bytes(), input[..HEADER_LEN], "a response is written as it was read");
                behaviour.saw(response.status.name());
                response.detail();
            }
            Err(error) => behaviour.saw(&format!("response {error}")),
        }
        payloads(&mut behaviour, packet.payload());
    }
    payloads(&mut behaviour, input);
    behaviour
}
