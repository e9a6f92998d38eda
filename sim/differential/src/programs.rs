//! Programs whose next request depends on the last answer, several clients at once on the same words: a counter, a lock around
//! a shared word, and a linked list.
//!
//! Their pages are protected, held and evicted like others, and never freed, so what they built can be counted: an operation that took
//! effect twice, or never, shows in memory whatever the golden model says.
use mneme_model::soft::{Model, Page};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::{Opcode, Packet, Pid, Response, Status, Tick, pte};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::generate::{Sent, timed};
use super::mismatch::Mismatch;
use super::packet::{RawPacket, RawTrailer};
use super::world::{World, client};

/// Programs that run at once.
const PROGRAMS: u64 = 4;
/// Client numbers of the first one; those before are the generator's.
const FIRST_CLIENT: u8 = 20;
/// Words of the shared page, each in a line of its own.
const COUNTER: u64 = 0;
const LOCK: u64 = 64;
const SHARED: u64 = 128;
const HEAD: u64 = 192;
/// Bytes of a list's node: offset of the next one in the page of nodes, value.
const NODE: u64 = 16;

/// What a program asks next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Adds 1 to the counter.
    Count,
    /// Takes the lock.
    Lock,
    /// Reads the word that the lock protects.
    Read,
    /// Writes it back, larger by 1.
    Write(u64),
    /// Gives the lock back.
    Unlock,
    /// Reads the list's head.
    Head,
    /// Writes a new node that points to it.
    Node(u64),
    /// Makes that node the head, if the head is still the same.
    Link(u64),
}

struct Program {
    endpoints: Endpoints,
    /// What it writes into the lock; not 0.
    number: u64,
    step: Step,
    waiting: Option<RawPacket>,
    /// The attempt that comes next, after BUSY.
    again: Option<RawPacket>,
    /// Nodes that it has linked.
    nodes: u64,
}

/// All programs, with what they have done together.
pub struct Programs {
    programs: Vec<Program>,
    shared: Page,
    nodes: Page,
    page_size: u64,
    counted: u64,
    written: u64,
    linked: u64,
}

impl Programs {
    /// Programs on two pages, which are theirs alone.
    pub fn new(world: &World, shared: Page, nodes: Page, rng: &mut ChaCha8Rng) -> Programs {
        let program = |number: u64| Program {
            endpoints: client(FIRST_CLIENT + number as u8, rng),
            number,
            step: Step::Count,
            waiting: None,
            again: None,
            nodes: 0,
        };
        Programs {
            programs: (1..=PROGRAMS).map(program).collect(),
            shared,
            nodes,
            page_size: world.geometry.page_size(),
            counted: 0,
            written: 0,
            linked: 0,
        }
    }
    /// Operations that were done.
    pub fn done(&self) -> u64 {
        self.counted + self.written + self.linked
    }
    /// How many programs there are.
    pub fn len(&self) -> usize {
        self.programs.len()
    }
    /// What is asked again has another trailer now.
    pub fn seal_again(&mut self, trailer: RawTrailer, flags: u8) {
        for packet in self.programs.iter_mut().filter_map(|program| program.again.as_mut()) {
            packet.flags = RawPacket::FLAGS | packet.flags & RawPacket::TIMED | flags;
            packet.trailer = trailer;
        }
    }
    /// Their pages.
    pub fn pages(&self) -> [Page; 2] {
        [self.shared, self.nodes]
    }

    /// The next request of a program, unless it waits for an answer.
    pub fn next(&mut self, at: usize, world: &World, now: Tick, rng: &mut ChaCha8Rng) -> Option<Sent> {
        let program = &mut self.programs[at];
        if program.waiting.is_some() {
            return None;
        }
        let packet = program.again.take().unwrap_or_else(|| {
            let (page, offset, opcode, payload) = program.ask(self.shared, self.nodes, self.page_size);
            let (trailer, flags) = world.right_trailer();
            RawPacket {
                endpoints: program.endpoints,
                flags: RawPacket::FLAGS | timed(rng) | flags,
                opcode: opcode.number(),
                epoch: world.epoch,
                pid: page.pid.get(),
                op_id: rng.random(),
                attempt: 0,
                time: now.get(),
                va: page.vpn * self.page_size + offset,
                length: if opcode == Opcode::Write { payload.len() as u16 } else { 8 },
                payload,
                trailer,
                udp_checksum: rng.random_bool(0.5),
            }
        });
        let packet = RawPacket { endpoints: world.board.of(packet.endpoints), ..packet };
        program.waiting = Some(packet.clone());
        Some(Sent { frame: packet.frame(&world.seals), fcs_error: false })
    }

    /// Lets a program see its answer.
    pub fn answer(&mut self, frame: &[u8]) -> Result<(), Mismatch> {
        let Ok(udp) = UdpFrame::parse(frame) else { return Ok(()) };
        let Ok(packet) = Packet::new_checked(&frame[MNEME_OFFSET..]) else { return Ok(()) };
        let Ok(response) = Response::parse(&packet) else { return Ok(()) };
        let to = |program: &&mut Program| {
            program.endpoints.src_ip == udp.endpoints.dst_ip
                && program.endpoints.src_port == udp.endpoints.dst_port
        };
        let Some(program) = self.programs.iter_mut().find(to) else { return Ok(()) };
        let sent = program.waiting.take().filter(|sent| sent.op_id == response.op_id);
        let Some(sent) = sent else {
            return Err(Mismatch::new(format!("a program was answered what it did not ask: {response:?}")));
        };
        if response.status == Status::Busy {
            program.again = Some(RawPacket { attempt: sent.attempt.wrapping_add(1), ..sent });
        } else if response.status == Status::Ok {
            let word: Option<[u8; 8]> = packet.payload().get(..8).and_then(|bytes| bytes.try_into().ok());
            match program.advance(word.map_or(0, u64::from_le_bytes), self.page_size) {
                Some(Step::Count) => self.counted += 1,
                Some(Step::Write(_)) => self.written += 1,
                Some(Step::Link(_)) => self.linked += 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// The board is quiet: what was not answered was lost before it ran, and is asked anew.
    pub fn settle(&mut self) {
        for program in &mut self.programs {
            program.waiting = None;
        }
    }

    /// Counts in memory what the programs did. Nothing when an entry of theirs is damaged.
    pub fn check(&self, model: &Model) -> Result<(), Mismatch> {
        let word = |page: Page, offset: u64| -> Option<u64> {
            let entry = model.find_entry(page).ok()?;
            let base = model.geometry.entry_ppn(entry) << model.geometry.page_bits();
            Some(if entry & pte::VALID == 0 { 0 } else { model.memory.word(base + offset) })
        };
        let pair = (word(self.shared, COUNTER), word(self.shared, SHARED));
        let (Some(counter), Some(shared)) = pair else { return Ok(()) };
        if (counter, shared) != (self.counted, self.written) {
            return Err(Mismatch::new(format!(
                "programs counted {} and wrote {} under the lock, memory holds {counter} and {shared}",
                self.counted, self.written
            )));
        }
        let (mut at, mut nodes) = (word(self.shared, HEAD).unwrap_or_default(), 0);
        while at != 0 && nodes <= self.linked {
            let Some(next) = word(self.nodes, at) else { return Ok(()) };
            (at, nodes) = (next, nodes + 1);
        }
        if nodes != self.linked {
            return Err(Mismatch::new(format!(
                "programs linked {} nodes, the list has {nodes} or more",
                self.linked
            )));
        }
        Ok(())
    }
}

impl Program {
    /// Where the next node of this program lies in the page of nodes; nothing when its part is used up.
    fn node(&self, page_size: u64) -> Option<u64> {
        let each = page_size / NODE / (PROGRAMS + 1);
        (self.nodes < each).then(|| NODE * (self.number * each + self.nodes))
    }
    /// Page, offset, opcode and payload of the next request.
    fn ask(&self, shared: Page, nodes: Page, page_size: u64) -> (Page, u64, Opcode, Vec<u8>) {
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let node = self.node(page_size).unwrap_or_default();
        match self.step {
            Step::Count => (shared, COUNTER, Opcode::FetchAdd, words(&[1])),
            Step::Lock => (shared, LOCK, Opcode::CompareSwap, words(&[0, self.number])),
            Step::Read => (shared, SHARED, Opcode::Read, Vec::new()),
            Step::Write(value) => (shared, SHARED, Opcode::Write, words(&[value + 1])),
            Step::Unlock => (shared, LOCK, Opcode::CompareSwap, words(&[self.number, 0])),
            Step::Head => (shared, HEAD, Opcode::Read, Vec::new()),
            Step::Node(head) => (nodes, node, Opcode::Write, words(&[head, self.number])),
            Step::Link(head) => (shared, HEAD, Opcode::CompareSwap, words(&[head, node])),
        }
    }
    /// Goes on after an answer that was OK, with the first word that came. Answers the step that took effect.
    fn advance(&mut self, word: u64, page_size: u64) -> Option<Step> {
        let took = self.step;
        self.step = match took {
            Step::Count => Step::Lock,
            // Held by another: something else meanwhile.
            Step::Lock if word != 0 => Step::Head,
            Step::Lock => Step::Read,
            Step::Read => Step::Write(word),
            Step::Write(_) => Step::Unlock,
            Step::Unlock => Step::Head,
            Step::Head if self.node(page_size).is_none() => Step::Count,
            Step::Head => Step::Node(word),
            Step::Node(head) => Step::Link(head),
            Step::Link(head) if head != word => {
                self.step = Step::Head;
                return None;
            }
            Step::Link(_) => {
                self.nodes += 1;
                Step::Count
            }
        };
        Some(took)
    }
}

/// A page for programs, not one of the generator's.
pub fn random_page(world: &World, rng: &mut ChaCha8Rng) -> Page {
    loop {
        let last = (1u64 << (pte::VA_BITS - world.geometry.page_bits())) - 1;
        let page =
            Page { pid: Pid::from_low_bits(rng.random_range(1..1 << 24)), vpn: rng.random_range(0..=last) };
        if !world.pages.contains(&page) {
            return page;
        }
    }
}
