//! RoCEv2: any bytes give a value or a typed error, and what was read is written the same. And both state machines, fed with
//! packets that are nearly right: memory changes only where a region lets it, and nothing grows without bound.
use std::fmt::Display;

use mneme_rdma::codec::cm::{IpService, Mad};
use mneme_rdma::codec::frame::{TRANSPORT_OFFSET, seal_frame};
use mneme_rdma::codec::profile::{Chain, Profile};
use mneme_rdma::codec::{
    Aeth, AtomicEth, Bth, Extensions, Opcode, Packet, PathMtu, Psn, Reth, RoceFrame, Syndrome,
};
use mneme_rdma::memory::{Access, Atomic, Memory, MemoryFault, Region};
use mneme_rdma::requester::{Operation, Requester, RequesterConfig, Work};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX, QueuePairConfig, Responder};
use mneme_wire::frame::Endpoints;

use crate::input::Input;

/// An error says what it is.
fn told<T, E: Display>(parsed: Result<T, E>) -> Option<T> {
    parsed.map_err(|error| assert!(!error.to_string().is_empty())).ok()
}

fn packet(bytes: &[u8]) {
    let Some(packet) = told(Packet::parse(bytes)) else { return };
    let mut written = vec![0xee; packet.wire_len()];
    let length = packet.emit(&mut written).expect("what was read has room");
    assert_eq!((length, packet.wire_len()), (bytes.len(), bytes.len()));
    assert_eq!(Packet::parse(&written), Ok(packet), "written otherwise than it was read");
    // As a frame, too.
    let mut frame = vec![0; TRANSPORT_OFFSET + length + 4];
    frame[TRANSPORT_OFFSET..][..length].copy_from_slice(&written);
    seal_frame(&Endpoints::default(), &mut frame).expect("a frame");
    assert_eq!(told(RoceFrame::parse(&frame)).map(|read| read.transport), Some(&written[..]));
}

fn management(bytes: &[u8]) {
    let mut whole = [0; 256];
    let length = bytes.len().min(256);
    whole[..length].copy_from_slice(&bytes[..length]);
    // As it is, and with a header that lets the message be read.
    told(Mad::parse(bytes));
    whole[..4].copy_from_slice(&[1, 7, 2, 3]);
    let Some(mad) = told(Mad::parse(&whole)) else { return };
    let written = mad.message.to_bytes(mad.transaction).expect("what was read fits");
    let again = Mad::parse(&written).expect("what was written can be read");
    assert_eq!((again.message, again.transaction), (mad.message, mad.transaction));
}

fn profile(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let chain = input.pick(&Chain::ALL);
    let count = 3 * usize::from(input.byte() % 20);
    let Some(profile) = told(Profile::from_list(chain, input.take(count))) else { return };
    let (list, length) = profile.to_list();
    assert_eq!(Profile::from_list(chain, &list[..length]), Ok(profile));
    let mut message = input.take(profile.message_len()).to_vec();
    message.resize(profile.message_len(), 0);
    let arguments = profile.read(&message).expect("it has the length");
    let mut written = vec![0; message.len()];
    profile.write(&arguments, &mut written).expect("there is room");
    assert_eq!(profile.read(&written), Ok(arguments));
}

const VA: u64 = 0x1000;
const BYTES: usize = 2048;
const QPN: u32 = 17;
const CLIENT: [u8; 4] = [10, 0, 0, 2];

/// Memory round a region: what lies outside must stay as it was.
struct Guarded {
    bytes: Vec<u8>,
    fault: Option<MemoryFault>,
}

impl Guarded {
    fn place(&mut self, va: u64, length: usize) -> Result<&mut [u8], MemoryFault> {
        assert!(va >= VA && va + length as u64 <= VA + BYTES as u64, "an access outside the region");
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(&mut self.bytes[(va - VA) as usize..][..length]),
        }
    }
}

impl Memory for Guarded {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        assert_eq!(pid, 1);
        to.copy_from_slice(self.place(va, to.len())?);
        Ok(())
    }
    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        assert_eq!(pid, 1);
        self.place(va, from.len())?.copy_from_slice(from);
        Ok(())
    }
    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        assert!(pid == 1 && va.is_multiple_of(8));
        let place = self.place(va, 8)?;
        let word = u64::from_le_bytes((&*place).try_into().expect("eight bytes"));
        place.copy_from_slice(&operation.apply(word).to_le_bytes());
        Ok(word)
    }
}

/// A packet whose fields are mostly those that mean something.
fn drawn(input: &mut Input<'_>, qpn: u32, first: Psn, rkey: u32) -> Vec<u8> {
    let opcode = input.pick(Opcode::ALL);
    let near = |byte: u8| u32::from(byte).wrapping_sub(8);
    let psn = first.plus(near(input.byte() % 64));
    let bth = Bth { dest_qp: qpn, psn, ack_request: true, ..Bth::default() };
    let va = VA + u64::from(near(input.byte() % 16)) * input.pick(&[1, 8, 256]);
    let va = va & 0xffff_ffff;
    let rkey = rkey ^ input.pick(&[0, 0, 0, 1 << 31]);
    let length = u32::from(input.byte()) * input.pick(&[1, 4, 256, 1 << 24]);
    let aeth = Aeth { syndrome: Syndrome::from_number(input.byte()), msn: 0 };
    let word = input.number(2);
    let extensions = Extensions {
        deth: Some(mneme_rdma::codec::Deth::default()),
        reth: Some(Reth { va, rkey, length }),
        atomic: Some(AtomicEth { va, rkey, swap_or_add: word, compare: 0 }),
        aeth: Some(aeth),
        original: Some(word),
        immediate: Some(5),
        invalidate: Some(rkey),
    };
    let payload = vec![word as u8; usize::from(input.byte()) + input.pick(&[0, 1, 256])];
    let payload = if opcode.payload() == mneme_rdma::codec::Payload::Any { &payload[..] } else { &[] };
    let mut bytes = vec![0; 1024];
    let length = Packet { bth, opcode, extensions, payload }.emit(&mut bytes).expect("there is room");
    bytes.truncate(length);
    // Some are cut, and some have another byte.
    if input.byte().is_multiple_of(16) {
        bytes.truncate(usize::from(input.byte()));
    }
    if input.byte().is_multiple_of(16) && !bytes.is_empty() {
        let at = usize::from(input.byte()) % bytes.len();
        bytes[at] ^= input.byte();
    }
    bytes
}

fn responder(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let first = Psn::from_low_bits(0xff_fff8);
    let limits = Limits { queue_pairs: 2, jobs: 8, receives: 2, read_wait: 1000, ..Limits::default() };
    let mut responder = Responder::new(limits);
    let config = QueuePairConfig {
        pid: 1,
        path_mtu: PathMtu::new(256).expect("a path MTU"),
        hardened: input.byte().is_multiple_of(2),
        ..QueuePairConfig::new(QPN, CLIENT, 3, first)
    };
    responder.create(config).expect("room");
    let region = Region { pid: 1, va: VA, length: BYTES as u64, access: Access::ALL };
    let rkey = responder.regions.insert(0x1234, region).expect("room");
    let mut memory = Guarded { bytes: vec![0; BYTES], fault: None };
    let (mut now, mut out) = (0u64, [0; PACKET_MAX]);
    while !input.is_over() {
        match input.byte() % 8 {
            0 => {
                let faults = [None, Some(MemoryFault::NotReady), Some(MemoryFault::Failed), None];
                memory.fault = input.pick(&faults);
            }
            1 => drop(responder.post_receive(QPN, 0, vec![0; 300].into())),
            2 => now += 600,
            _ => {
                let (expected, _) = responder.progress(QPN).expect("it exists");
                let transport = drawn(&mut input, QPN, expected, rkey);
                let arrival =
                    Arrival { source: CLIENT, congested: now.is_multiple_of(7), transport: &transport };
                responder.receive(now, &arrival, &mut memory);
            }
        }
        while !input.byte().is_multiple_of(4) {
            let Some(sent) = responder.poll_transmit(now, &mut memory, &mut out) else { break };
            let packet = Packet::parse(&out[..sent.length]).expect("a sound answer");
            assert!(packet.opcode.is_response() || packet.opcode == Opcode::Congestion);
            assert_eq!(packet.bth.dest_qp, 3);
        }
        while responder.poll_received().is_some() {}
    }
    // What is queued has an end, whatever came.
    memory.fault = None;
    let mut left = 0;
    while responder.poll_transmit(now, &mut memory, &mut out).is_some() {
        left += 1;
        assert!(left < 200, "answers without end");
    }
}

fn requester(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let first = Psn::from_low_bits(0xff_fff8);
    let config = RequesterConfig {
        path_mtu: PathMtu::new(256).expect("a path MTU"),
        timeout: 1000,
        queue: 8,
        ..RequesterConfig::new(QPN, first)
    };
    let mut requester = Requester::new(config);
    let (mut now, mut out, mut id, mut ended) = (0, [0; PACKET_MAX], 0, 0);
    while !input.is_over() {
        match input.byte() % 4 {
            0 => {
                let length = usize::from(input.byte()) * 4;
                let operation = match input.byte() % 4 {
                    0 => Operation::Send { data: vec![1; length], immediate: None },
                    1 => Operation::Write { data: vec![1; length], va: VA, rkey: 1, immediate: Some(3) },
                    2 => Operation::Read { into: vec![0; length], va: VA, rkey: 1 },
                    _ => Operation::FetchAdd { va: VA, rkey: 1, add: 1 },
                };
                id += u64::from(requester.post(Work::new(id, operation)).is_ok());
            }
            1 => now += u64::from(input.byte()) * 10,
            _ => {
                let transport = drawn(&mut input, 3, first, 1);
                requester.receive(now, &transport);
            }
        }
        while !input.byte().is_multiple_of(4) {
            let Some(length) = requester.poll_transmit(now, &mut out) else { break };
            let packet = Packet::parse(&out[..length]).expect("a sound request");
            assert!(packet.opcode.is_request());
        }
        while let Some(done) = requester.poll_completion() {
            assert_eq!(done.id, ended, "operations end once and in order");
            ended += 1;
        }
    }
    requester.close();
    ended += std::iter::from_fn(|| requester.poll_completion()).count() as u64;
    assert_eq!(ended, id, "every operation ends");
}

/// The bytes as each kind of thing that is read, and as a program for either state machine.
pub fn run(input: &[u8]) {
    told(RoceFrame::parse(input));
    told(IpService::parse(input));
    packet(input);
    management(input);
    profile(input);
    responder(input);
    requester(input);
}
