//! The client of chains beside a node, whose packets are lost or come as the test says.
use super::rig::*;
use mneme_rdma::client::{ChainClient, ChainSetup, FunctionSetup, Request, Unstored};
use mneme_rdma::codec::profile::{Chain, PAGE, Profile};
use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{ChainConfig, Leaf, NoMemory, Node, SegmentConfig};
use mneme_rdma::requester::{Failure, NotReadyRetries};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX};

const NODE: [u8; 4] = [10, 0, 0, 1];
const ANSWER: u64 = 5_000_000;

struct Both {
    node: Node<NoMemory>,
    client: ChainClient,
    now: u64,
}

impl Both {
    /// Answers are 16 packets.
    fn new() -> Both {
        let path_mtu = PathMtu::new(256).expect("a path MTU");
        let mut leaf = Leaf::new(BASE, 4);
        leaf.push_run(BASE, 4).expect("they fit");
        let mut node = Node::new(Limits::default(), NoMemory, leaf);
        let segment = SegmentConfig { pid: 1, va: VA, entries: 8, budget: 4, access: Access::ALL };
        node.memory.leaf.create(segment).expect("a segment");
        let functions = Chain::ALL.map(|chain| {
            let (own, node_qpn) = (0x900 + chain as u32, qpn(0, chain));
            let config = ChainConfig { path_mtu, peer_qpn: own, ..chain_config(0, chain) };
            node.create_chain(config).expect("a chain");
            let (profile, psn) = (Profile::default_of(chain), Psn::default());
            FunctionSetup { profile, qpn: own, node_qpn, to_node: psn, from_node: psn }
        });
        let client = ChainClient::new(ChainSetup {
            node: NODE,
            functions,
            tt_base: TT,
            entries: 8,
            key: KEY,
            options: PLAIN,
            path_mtu,
            timeout: ANSWER / 2,
            patient: false,
            not_ready_retries: NotReadyRetries::Forever,
            answer_timeout: Some(ANSWER),
            slots: 4,
            buffers: 0x10_0000_0000,
            random: 0x1234_5678_9abc,
        });
        Both { node, client: client.expect("a client"), now: 0 }
    }
    /// What the client sends gets to the node.
    fn forth(&mut self) {
        let mut bytes = [0; PACKET_MAX];
        while let Some(sent) = self.client.poll_transmit(self.now, &mut bytes) {
            let arrival = Arrival { source: PEER, congested: false, transport: &bytes[..sent.length] };
            self.node.receive(self.now, &arrival);
        }
    }
    /// What the node sends; of its WRITEs so many get to the client.
    fn back(&mut self, mut writes: usize) {
        let mut bytes = [0; PACKET_MAX];
        while let Some(sent) = self.node.poll_transmit(self.now, &mut bytes) {
            let is_write = bytes[0] < 0x10;
            if !is_write || writes > 0 {
                writes -= usize::from(is_write);
                let arrival = Arrival { source: NODE, congested: false, transport: &bytes[..sent.length] };
                self.client.receive(self.now, &arrival);
            }
        }
    }
    fn done(&mut self) -> Vec<(Request, u32, Result<(), Unstored>)> {
        std::iter::from_fn(|| self.client.poll_done())
            .map(|done| (done.request, done.page, done.result))
            .collect()
    }
    fn store(&mut self, page: u32) {
        self.client.store(page, &[page as u8; PAGE]).expect("begun");
        self.forth();
        self.back(usize::MAX);
        self.forth();
        assert_eq!(self.done(), [(Request::Store, page, Ok(()))]);
    }
}

#[test]
fn an_answer_that_does_not_come_ends_its_function() {
    let mut both = Both::new();
    (0..3).for_each(|page| both.store(page));
    assert_eq!(both.client.next_time(), None, "nothing is waited for");
    both.client.load(0).expect("begun");
    both.client.load(1).expect("begun");
    both.forth();
    both.back(0);
    assert_eq!(both.client.next_time(), Some(ANSWER), "their SENDs are acknowledged");
    // Some of it comes late; from then on the rest is waited for anew.
    both.now = ANSWER - 1;
    both.back(10);
    let by = both.now + ANSWER;
    assert_eq!((both.done(), both.client.next_time()), (vec![], Some(by)));
    // A load whose SEND nobody has heard ends with them.
    both.client.load(2).expect("begun");
    let mut bytes = [0; PACKET_MAX];
    both.now = by - 1;
    while both.client.poll_transmit(both.now, &mut bytes).is_some() {}
    assert_eq!((both.done(), both.client.has_ended()), (vec![], false));
    both.now = by;
    while both.client.poll_transmit(both.now, &mut bytes).is_some() {}
    let of = |page, failure| (Request::Load, page, Err(Unstored::Ended(failure)));
    let ended = [of(0, Failure::NoAnswer(0)), of(1, Failure::NoAnswer(0)), of(2, Failure::Flushed)];
    assert_eq!((both.done(), both.client.has_ended()), (ended.to_vec(), true));
    assert_eq!(both.client.next_time(), None);
    // The others go on, until all are ended.
    both.store(0);
    both.client.store(1, &[7; PAGE]).expect("begun");
    both.client.close();
    assert_eq!(both.done(), [(Request::Store, 1, Err(Unstored::Ended(Failure::Flushed)))]);
    assert_eq!(both.client.next_time(), None);
}
