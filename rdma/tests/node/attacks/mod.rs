//! ReDMArk's attacks on the node, a test each, and what is malformed on purpose. Each attack is a function of how the node is made, so
//! that the same attack shows the defect that it is there for.
mod crash;
mod drains;
mod guesses;
mod planted;
mod strangers;

use super::rig::*;
use mneme_rdma::codec::{Extensions, Opcode, Psn, Reth, Syndrome};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::node::FRAME;
use mneme_rdma::responder::{Counter, QueuePairConfig};

/// Done to a node before it is attacked.
type Plant<'a> = &'a dyn Fn(&mut Rig);

/// A node as it is.
fn sound(_: &mut Rig) {}

/// The victim's native queue pair, and the attacker's.
const VICTIM: u32 = 0x1a35;
const ATTACKER: u32 = 0x17e2;
/// What the victim has in its first page.
const SECRET: [u8; 16] = *b"nobody else's...";

/// A node whose victim, process 1, has a secret in its first page; the attacker is process 2, of another address.
struct Scene {
    rig: Rig,
    /// The victim's key.
    rkey: u32,
    /// The attacker's own.
    own: u32,
}

/// The attacker's address.
const OTHER: [u8; 4] = [10, 0, 0, 66];

impl Scene {
    fn new(plant: Plant<'_>, hardened: bool) -> Scene {
        let mut rig = Rig::new(16, 2, 8, PLAIN);
        plant(&mut rig);
        let rkey = Scene::pair(&mut rig, VICTIM, 1, PEER, hardened);
        let own = Scene::pair(&mut rig, ATTACKER, 2, OTHER, hardened);
        let mut scene = Scene { rig, rkey, own };
        scene.write(VICTIM, rkey, VA, &SECRET);
        assert_eq!(scene.rig.answers().0, [ACK]);
        scene
    }

    /// A native queue pair with a region over its process's segment.
    fn pair(rig: &mut Rig, qpn: u32, pid: u32, peer: [u8; 4], hardened: bool) -> u32 {
        let config =
            QueuePairConfig { pid, hardened, ..QueuePairConfig::new(qpn, peer, 0x900, Psn::default()) };
        rig.node.create_native(config).expect("a queue pair");
        let region = Region { pid, va: VA, length: 8 * FRAME, access: Access::ALL };
        rig.node.responder.regions.insert(0x2f_0000 | qpn, region).expect("a region")
    }

    /// The next request of a queue pair, from its peer.
    fn write(&mut self, qpn: u32, rkey: u32, va: u64, bytes: &[u8]) {
        let source = if qpn == ATTACKER { OTHER } else { PEER };
        self.rig.source = source;
        self.rig.request(qpn, Opcode::WriteOnly, reth(rkey, va, bytes.len()), bytes);
        self.rig.source = PEER;
    }
    fn read(&mut self, qpn: u32, rkey: u32, va: u64, length: usize) -> Vec<Sent> {
        self.rig.source = if qpn == ATTACKER { OTHER } else { PEER };
        self.rig.request(qpn, Opcode::ReadRequest, reth(rkey, va, length), &[]);
        self.rig.source = PEER;
        self.rig.sent()
    }

    fn count(&self, counter: Counter) -> u64 {
        self.rig.node.responder.counters().get(counter)
    }
    /// The victim has what it had, its connection works, and every frame is in one place.
    fn unharmed(&mut self) {
        let mut page = vec![0; 4096];
        page[..16].copy_from_slice(&SECRET);
        assert!(self.rig.read(1, 0) == page, "the victim's page has changed");
        let sent = self.read(VICTIM, self.rkey, VA, 16);
        let brought = sent.iter().any(|sent| sent.qpn == VICTIM && sent.payload == SECRET);
        assert!(brought, "the victim's connection: {sent:?}");
        let (ring, mapped, private, waiting) = self.rig.audit();
        assert_eq!(ring + mapped + private + waiting, 16, "frames");
    }
}

fn reth(rkey: u32, va: u64, length: usize) -> Extensions {
    Extensions { reth: Some(Reth { va, rkey, length: length as u32 }), ..Extensions::default() }
}

/// Whether an answer gives something of the secret away.
fn leaks(sent: &[Sent]) -> bool {
    sent.iter().any(|sent| sent.payload.windows(8).any(|part| SECRET.windows(8).any(|own| own == part)))
}

/// The one syndrome of answers.
fn only(syndromes: &[Syndrome]) -> Option<Syndrome> {
    match syndromes {
        [one] => Some(*one),
        _ => None,
    }
}
