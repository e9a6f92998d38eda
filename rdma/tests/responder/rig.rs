//! A responder with one queue pair, one region and a memory of 4 KiB that can be told to fail.
use mneme_rdma::codec::{
    AtomicEth, Bth, Credits, Extensions, Opcode, Packet, PathMtu, Psn, Reth, RnrTimer, Syndrome,
};
use mneme_rdma::memory::{Access, Atomic, Memory, MemoryFault, Region};
use mneme_rdma::responder::{Arrival, Counter, Limits, PACKET_MAX, QueuePairConfig, Responder};

pub const QPN: u32 = 0x123;
pub const CLIENT: [u8; 4] = [10, 0, 0, 2];
pub const VA: u64 = 0x7000;
/// Near the wrap, so that every test goes across it.
pub const FIRST: Psn = Psn::from_low_bits(0xff_ffff);
pub const ACK: Syndrome = Syndrome::Ack(Credits::UNCOUNTED);

pub fn rnr(code: u8) -> Syndrome {
    Syndrome::Rnr(RnrTimer::from_code(code))
}

pub struct Bytes {
    pub bytes: Vec<u8>,
    pub fault: Option<MemoryFault>,
}

impl Bytes {
    pub fn fill(&mut self) {
        for (i, byte) in self.bytes.iter_mut().enumerate() {
            *byte = (i * 7 + i / 256) as u8;
        }
    }
    fn place(&mut self, va: u64, length: usize) -> Result<&mut [u8], MemoryFault> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(&mut self.bytes[(va - VA) as usize..][..length]),
        }
    }
}

impl Memory for Bytes {
    fn read(&mut self, _: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        to.copy_from_slice(self.place(va, to.len())?);
        Ok(())
    }
    fn write(&mut self, _: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        self.place(va, from.len())?.copy_from_slice(from);
        Ok(())
    }
    fn atomic(&mut self, _: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let place = self.place(va, 8)?;
        let word = u64::from_le_bytes((&*place).try_into().expect("eight bytes"));
        place.copy_from_slice(&operation.apply(word).to_le_bytes());
        Ok(word)
    }
}

/// A response, its number counted from the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub psn: u32,
    pub opcode: Opcode,
    pub syndrome: Option<(Syndrome, u32)>,
    pub found: Option<u64>,
    pub payload: Vec<u8>,
}

impl Answer {
    pub fn ack(psn: u32, msn: u32) -> Answer {
        Answer::refusal(psn, msn, ACK)
    }
    pub fn refusal(psn: u32, msn: u32, syndrome: Syndrome) -> Answer {
        let payload = Vec::new();
        Answer { psn, opcode: Opcode::Acknowledge, syndrome: Some((syndrome, msn)), found: None, payload }
    }
}

pub struct Rig {
    pub responder: Responder,
    pub memory: Bytes,
    pub rkey: u32,
    pub now: u64,
}

impl Rig {
    pub fn new() -> Rig {
        Rig::with(|_| {})
    }
    pub fn with(change: impl FnOnce(&mut QueuePairConfig)) -> Rig {
        let memory = Bytes { bytes: vec![0; 4096], fault: None };
        let mut rig = Rig { responder: Responder::new(Limits::default()), memory, rkey: 0, now: 0 };
        rig.set_up(change);
        rig
    }
    pub fn set_up(&mut self, change: impl FnOnce(&mut QueuePairConfig)) {
        let mut config = QueuePairConfig {
            pid: 7,
            path_mtu: PathMtu::new(256).expect("a path MTU"),
            ..QueuePairConfig::new(QPN, CLIENT, 0x456, FIRST)
        };
        change(&mut config);
        self.responder.create(config).expect("room");
        let region = Region { pid: 7, va: VA, length: 4096, access: Access::ALL };
        self.rkey = self.responder.regions.insert(0x2a_5555, region).expect("room");
    }

    pub fn reth(&self, va: u64, length: u32) -> Extensions {
        Extensions { reth: Some(Reth { va, rkey: self.rkey, length }), ..Extensions::default() }
    }
    pub fn arrive(&mut self, source: [u8; 4], congested: bool, transport: &[u8]) {
        self.responder.receive(self.now, &Arrival { source, congested, transport }, &mut self.memory);
    }
    pub fn bytes(&mut self, transport: &[u8]) {
        self.arrive(CLIENT, false, transport);
    }
    pub fn send_to(&mut self, qpn: u32, psn: u32, opcode: Opcode, extensions: Extensions, payload: &[u8]) {
        let bth = Bth { dest_qp: qpn, psn: FIRST.plus(psn), ack_request: true, ..Bth::default() };
        let mut bytes = [0; PACKET_MAX];
        let length = Packet { bth, opcode, extensions, payload }.emit(&mut bytes).expect("a sound packet");
        self.bytes(&bytes[..length]);
    }
    pub fn send(&mut self, psn: u32, opcode: Opcode, extensions: Extensions, payload: &[u8]) {
        self.send_to(QPN, psn, opcode, extensions, payload);
    }
    pub fn write(&mut self, psn: u32, va: u64, payload: &[u8], ack_request: bool) {
        let extensions = self.reth(va, payload.len() as u32);
        let bth = Bth { dest_qp: QPN, psn: FIRST.plus(psn), ack_request, ..Bth::default() };
        let mut bytes = [0; PACKET_MAX];
        let packet = Packet { bth, opcode: Opcode::WriteOnly, extensions, payload };
        let length = packet.emit(&mut bytes).expect("a sound packet");
        self.bytes(&bytes[..length]);
    }
    pub fn atomic(&mut self, psn: u32, opcode: Opcode, va: u64, swap_or_add: u64, compare: u64) {
        let atomic = Some(AtomicEth { va, rkey: self.rkey, swap_or_add, compare });
        self.send(psn, opcode, Extensions { atomic, ..Extensions::default() }, b"");
    }

    pub fn answer(&mut self) -> Option<Answer> {
        let mut bytes = [0; PACKET_MAX];
        let sent = self.responder.poll_transmit(self.now, &mut self.memory, &mut bytes)?;
        assert_eq!(sent.destination, CLIENT);
        let packet = Packet::parse(&bytes[..sent.length]).expect("a sound packet");
        Some(Answer {
            psn: packet.bth.psn.since(FIRST),
            opcode: packet.opcode,
            syndrome: packet.extensions.aeth.map(|aeth| (aeth.syndrome, aeth.msn)),
            found: packet.extensions.original,
            payload: packet.payload.to_vec(),
        })
    }
    pub fn answers(&mut self) -> Vec<Answer> {
        std::iter::from_fn(|| self.answer()).collect()
    }
    pub fn count(&self, counter: Counter) -> u64 {
        self.responder.counters().get(counter)
    }

    /// What was refused has ended the queue pair, unless it is hardened: then it is as if nothing had come.
    pub fn ends_or_goes_on(&mut self, psn: u32, hardened: bool, syndrome: Syndrome, case: &str) {
        let (answers, in_error) = (self.answers(), self.responder.in_error(QPN));
        if hardened {
            assert_eq!((answers, in_error), (vec![], Some(false)), "{case}");
            assert_eq!(self.count(Counter::Hardened), 1, "{case}");
            return;
        }
        let refused = answers.last().map(|answer| (answer.psn, answer.syndrome.map(|s| s.0)));
        assert_eq!((refused, in_error), (Some((psn, Some(syndrome))), Some(true)), "{case}");
        self.write(psn, VA, b"behind", true);
        assert_eq!((self.answers(), self.count(Counter::QueuePairError)), (vec![], 1), "{case}");
    }
}
