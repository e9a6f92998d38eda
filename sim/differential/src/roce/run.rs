//! The run: sends, lets memory and queue pairs change, and compares.
use std::collections::BTreeMap;

use mneme_rdma::memory::{Access, Region};
use mneme_rdma::node::Leaf;
use mneme_rdma::responder::Responder;
use mneme_rdma_world::{Network, Rates};
use mneme_rtl::RtlFast;
use mneme_slowpath::RoceRegion;
use mneme_wire::pte;
use mneme_wire::roce::{ROCE_RIGHT_ATOMIC, ROCE_RIGHT_READ, ROCE_RIGHT_WRITE};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::answers::Answer;
use super::board::{AWAY, Board};
use super::chains::{ChainPeer, ChainReport, Wrong};
use super::end::differ;
use super::frames::{self, Source};
use super::group::Group;
use super::memory::{Page, State};
use super::model::Model;
use super::peers::{BASE, ODD, PAGE, PAGES, Peer};
use crate::Mismatch;

/// Peers, two for each pid in turn.
const PEERS: u8 = 8;
pub(super) const PIDS: [u32; 2] = [7, 0xf0_0001];
/// Nanoseconds of virtual time between two looks at everybody.
const STEP: u64 = 4_000;
/// Packets of a peer in one step.
const PACKETS: usize = 4;
/// Frames that come back to back, at most: fewer than the board has places for READs.
const BACK_TO_BACK: usize = 16;
/// Of so many seeds one lets frames come one by one, and compares without any leave to differ.
const ALONE_SEEDS: u64 = 4;
/// Of so many seeds one has pages of 4 KB, beside board pages in the same regions.
const FRAME_SEEDS: u64 = 4;
/// Of so many seeds one has chains on its pages of 4 KB, if the board has them; of these every other has frames for all.
const CHAIN_SEEDS: u64 = 4;
/// Steps of chains among the frames of native queue pairs.
const CHAIN_STEPS: f64 = 0.3;
/// Of so many seeds one has all that a network does at a tenth.
const WORST_SEEDS: u64 = 5;
/// Of so many pages of a process one has no memory before its first touch; the others hold something from the beginning on.
const TOUCHED: u64 = 2;
/// Of so many pages that come anew in place of one with memory, one has its first touch again; the others come with what they hold. A page takes
/// as long to be zeroed as a hundred frames take.
const ZEROED_RENEWALS: u32 = 4;
/// Steps after which an undisturbed network and open pages must have let everything end.
const HEALED: u64 = 40_000;
pub(super) const RIGHTS: u64 = pte::READ | pte::WRITE;

/// What a run is made of.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Everything random comes from here.
    pub seed: u64,
    /// Frames that the board gets, at least.
    pub frames: u64,
}

impl Plan {
    fn has_frames(&self) -> bool {
        self.seed % FRAME_SEEDS == FRAME_SEEDS - 2 || self.has_chains()
    }
    fn has_chains(&self) -> bool {
        self.seed.is_multiple_of(CHAIN_SEEDS)
    }
    /// Whether there are few frames, so that it matters who comes first.
    pub(super) fn is_scarce(&self) -> bool {
        !self.seed.is_multiple_of(2 * CHAIN_SEEDS)
    }
    /// What the network does: nothing in one of three draws, else up to a tenth.
    fn rates(&self, rng: &mut ChaCha8Rng) -> Rates {
        let worst = self.seed.is_multiple_of(WORST_SEEDS);
        let mut rate = || match rng.random_bool(0.33) {
            _ if worst => 0.1,
            true => 0.0,
            false => rng.random_range(0.0..=0.1),
        };
        // Notifications depend on the board's clock; the port's own bench has them.
        Rates { loss: rate(), duplication: rate(), reorder: rate(), damage: rate(), congestion: 0.0 }
    }
}

/// Pages of a process that are the board's own size.
fn board_pages(has_frames: bool) -> u64 {
    if has_frames { frames::FIRST } else { PAGES }
}

/// What a run has seen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Frames that the board got.
    pub frames: u64,
    /// Those of them that no queue pair saw.
    pub dropped: u64,
    /// Packets that no requester sends.
    pub nonsense: u64,
    /// Groups of frames that came back to back, and those of one frame.
    pub groups: [u64; 2],
    /// Frames that the board sent, each compared.
    pub answers: u64,
    /// Those of them that acknowledge.
    pub acknowledges: u64,
    /// Operations that ended, and those that failed.
    pub operations: [u64; 2],
    /// Queue pairs that ended in an error and were made anew.
    pub ended: u64,
    /// Commands on pages and regions.
    pub commands: u64,
    /// Pages of 4 KB that got a frame.
    pub frames_taken: u64,
    /// Accesses that wanted one when there was none.
    pub frames_short: u64,
    /// Frames that lists of pages gave back, and the lists.
    pub freed: [u64; 2],
    /// Bytes of memory compared.
    pub memory: u64,
    /// Board cycles.
    pub cycles: u64,
    /// What chains have seen.
    pub chains: ChainReport,
}

/// When, and of how many a frame is.
type When = (u64, u64);

pub(super) struct Run<'a> {
    pub(super) board: Board<'a>,
    pub(super) model: Model,
    pub(super) peers: Vec<Peer>,
    pub(super) report: Report,
    pub(super) rng: ChaCha8Rng,
    pub(super) network: Network,
    /// Pages of 4 KB are among those of the processes, and where frames for them come from.
    has_frames: bool,
    /// There are few frames.
    pub(super) is_scarce: bool,
    pub(super) source: Source,
    /// Of regions that peers should not name.
    others: Vec<u32>,
    keys: [u32; PIDS.len()],
    pub(super) now: u64,
    /// Frames on their way to the board, and to a peer's queue pair.
    to_board: BTreeMap<When, (Vec<u8>, bool)>,
    pub(super) to_peer: BTreeMap<When, Vec<u8>>,
    pub(super) number: u64,
    pub(super) group: Group,
    pub(super) most: usize,
    lives: u32,
    pub(super) chains: Vec<ChainPeer>,
    pub(super) chain_lives: u32,
    pub(super) wrong: Option<Wrong>,
    /// A page whose rights or state are not as they should be.
    disturbed: Option<(u32, u64)>,
    /// A process whose segment lacks a right.
    pub(super) restricted: Option<usize>,
}

/// Test-only: where a defect can be planted.
#[derive(Debug)]
pub struct Plants<'a> {
    /// The model of the port.
    pub responder: &'a mut Responder,
    /// The model of the leaf unit, and of chains.
    pub leaf: &'a mut Leaf,
    /// What the comparison takes for right, and is not.
    pub wrong: &'a mut Option<Wrong>,
}

/// Runs a plan on a board, beside the model; `plant` may give the model a defect.
///
/// # Errors
/// What differs first.
pub fn run(fast: &mut RtlFast, plan: &Plan, plant: impl FnOnce(&mut Plants<'_>)) -> Result<Report, Mismatch> {
    let mut run = Run::new(fast, plan, plant)?;
    while run.report.frames < plan.frames {
        run.step(true)?;
    }
    run.heal()?;
    for _ in 0..HEALED {
        run.step(false)?;
        if run.is_done() {
            run.judge()?;
            return Ok(run.report);
        }
    }
    Err(Mismatch::new("not everything ends, though nothing is in the way any more".into()))
}

impl<'a> Run<'a> {
    fn new(
        fast: &'a mut RtlFast,
        plan: &Plan,
        plant: impl FnOnce(&mut Plants<'_>),
    ) -> Result<Run<'a>, Mismatch> {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        let touched = board_pages(plan.has_frames()).div_ceil(TOUCHED);
        let mut model = Model::new(fast.shape().page_bits);
        let mut wrong = None;
        plant(&mut Plants {
            responder: &mut model.responder,
            leaf: &mut model.memory.leaf,
            wrong: &mut wrong,
        });
        let network = Network::new(plan.rates(&mut rng), ChaCha8Rng::seed_from_u64(rng.random()));
        let mut run = Run {
            board: Board::boot(fast, PIDS.len() as u32 * touched as u32)?,
            model,
            peers: Vec::new(),
            report: Report::default(),
            network,
            has_frames: plan.has_frames(),
            is_scarce: plan.is_scarce(),
            source: Source::default(),
            others: Vec::new(),
            keys: [0; PIDS.len()],
            now: 0,
            to_board: BTreeMap::new(),
            to_peer: BTreeMap::new(),
            number: 0,
            group: Group::default(),
            most: if plan.seed % ALONE_SEEDS == ALONE_SEEDS - 1 { 1 } else { BACK_TO_BACK },
            lives: 0,
            chains: Vec::new(),
            chain_lives: 0,
            wrong,
            disturbed: None,
            restricted: None,
            rng,
        };
        run.board.without_lists = !run.has_frames;
        run.make_regions()?;
        if run.has_frames {
            run.make_frames()?;
        }
        if plan.has_chains() && run.board.has_chains() {
            run.make_chains()?;
        }
        for number in 0..PEERS {
            let peer = run.peer(number);
            run.create(&peer)?;
            run.peers.push(peer);
        }
        Ok(run)
    }
    fn make_regions(&mut self) -> Result<(), Mismatch> {
        for (pid, at) in PIDS.into_iter().zip(0..) {
            for page in 0..board_pages(self.has_frames) {
                let key = (pid, BASE / PAGE + page);
                let first_touch = page % TOUCHED == 0;
                let mut page = Page::default();
                if first_touch {
                    self.board.allocate(key, RIGHTS)?;
                } else {
                    let holds = self.noise();
                    let number = self.board.take_page();
                    self.board.bring_in(key, RIGHTS, (number, &holds))?;
                    page.bytes = Some(holds);
                }
                self.model.memory.pages.insert(key, page);
            }
            // One page more than there is.
            let all = Region { pid, va: BASE, length: (PAGES + 1) * PAGE, access: Access::ALL };
            self.keys[at] = self.grant(all)?;
            let odd = Region { va: ODD.0, length: ODD.1, ..all };
            for region in
                [Region { access: Access::READ, ..all }, Region { access: Access::WRITE, ..all }, odd]
            {
                let key = self.grant(region)?;
                self.others.push(key);
            }
        }
        self.others.extend(self.keys);
        Ok(())
    }
    fn grant(&mut self, region: Region) -> Result<u32, Mismatch> {
        let key = self.model.responder.regions.insert(self.rng.random(), region);
        let key = key.map_err(|error| Mismatch::new(error.to_string()))?;
        let Region { pid, va, length, access } = region;
        let right = |has: bool, right: u32| if has { right } else { 0 };
        let rights = right(access.read, ROCE_RIGHT_READ)
            | right(access.write, ROCE_RIGHT_WRITE)
            | right(access.atomic, ROCE_RIGHT_ATOMIC);
        self.board.port(|port| port.grant(&RoceRegion { key, pid, va, length, rights }))?;
        Ok(key)
    }
    fn peer(&mut self, number: u8) -> Peer {
        self.lives += 1;
        let at = usize::from(number) / 2 % PIDS.len();
        // Of longer packets the board takes more than one token, whose first may find a frame where the next one finds none.
        let most = if self.has_frames { 3 } else { 5 };
        let frees = self.has_frames.then(|| frames::frees(at));
        Peer::new((number, self.lives), (PIDS[at], self.keys[at]), frees, most, &mut self.rng)
    }
    fn create(&mut self, peer: &Peer) -> Result<(), Mismatch> {
        self.model.create(peer.config, peer.back())?;
        self.model.memory.owners.insert(peer.config.qpn, peer.config.pid);
        self.board.port(|port| port.create(&peer.pair()))
    }

    /// Everybody sends, what is due comes, and all of it is answered.
    fn step(&mut self, draws: bool) -> Result<(), Mismatch> {
        self.now += STEP;
        while let Some(entry) = self.to_peer.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let frame = entry.remove();
            let number = Answer(frame.clone()).queue_pair();
            if let Some(peer) = self.peers.iter_mut().find(|peer| peer.config.peer_qpn == number) {
                peer.receive(self.now, &frame);
            }
        }
        for at in 0..self.peers.len() {
            if self.peers[at].requester.has_ended() {
                self.make_anew(at)?;
            }
            if draws {
                self.peers[at].post(&self.others, &mut self.rng);
            }
            for _ in 0..PACKETS {
                let Some(packet) = self.peers[at].transmit(self.now) else { break };
                self.send(self.peers[at].frame(&packet)?);
                if draws && self.rng.random_bool(0.03) {
                    self.send_nonsense(at, &packet)?;
                }
            }
            self.peers[at].take_completions();
        }
        if draws && self.rng.random_bool(0.03) {
            self.flush()?;
            self.come_to_rest()?;
            self.disturb()?;
        }
        while let Some(entry) = self.to_board.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let (frame, bad_fcs) = entry.remove();
            self.arrive(frame, bad_fcs)?;
            if draws && !self.chains.is_empty() && self.rng.random_bool(CHAIN_STEPS) {
                self.chain_step()?;
            }
        }
        self.flush()
    }
    fn send(&mut self, frame: Vec<u8>) {
        for (at, frame) in self.network.send(self.now, frame) {
            self.number += 1;
            self.to_board.insert((at, self.number), (frame, false));
        }
    }
    fn send_nonsense(&mut self, at: usize, packet: &[u8]) -> Result<(), Mismatch> {
        let queue_pairs: Vec<u32> = self.peers.iter().map(|peer| peer.config.qpn).collect();
        self.report.nonsense += 1;
        self.number += 1;
        let frame = self.peers[at].nonsense(packet, (&self.others, &queue_pairs), &mut self.rng)?;
        // Some come with a check sequence that the MAC finds wrong.
        let bad_fcs = self.rng.random_bool(0.03);
        self.to_board.insert((self.now + self.rng.random_range(0..2 * STEP), self.number), (frame, bad_fcs));
        Ok(())
    }
    /// A queue pair whose requester has ended is gone, and another one takes its place.
    fn make_anew(&mut self, at: usize) -> Result<(), Mismatch> {
        self.flush()?;
        self.come_to_rest()?;
        self.check_state(at)?;
        let gone = self.peers[at].config.qpn;
        self.board.port(|port| port.destroy(gone))?;
        self.model.responder.destroy(gone).map_err(|error| Mismatch::new(error.to_string()))?;
        self.count_operations(at);
        let peer = self.peer(at as u8);
        self.create(&peer)?;
        self.peers[at] = peer;
        self.report.ended += 1;
        Ok(())
    }
    pub(super) fn count_operations(&mut self, at: usize) {
        let ended = self.peers[at].ended;
        self.report.operations = [0, 1].map(|which| self.report.operations[which] + ended[which]);
    }

    /// Nothing is under way any more, and nothing is said that has not been heard.
    pub(super) fn come_to_rest(&mut self) -> Result<(), Mismatch> {
        let late = self.board.rest()?;
        if !late.is_empty() {
            return Err(Mismatch::new(format!("answers to nothing: {late:?}")));
        }
        for (key, page) in self.model.memory.pages.iter().filter(|(_, page)| page.split.is_none()) {
            differ(&format!("page {key:x?} has memory"), page.bytes.is_some(), self.board.is_placed(*key)?)?;
        }
        if self.has_frames {
            self.check_frames()?;
        }
        if !self.chains.is_empty() {
            self.check_chain_counters()?;
        }
        self.check_counters()
    }
    /// What was changed is as it was, or something changes: rights or state of a page, a page is another one, a region has another key.
    fn disturb(&mut self) -> Result<(), Mismatch> {
        self.report.commands += 1;
        if let Some(key) = self.disturbed.take() {
            return self.change(key, RIGHTS, State::Open);
        }
        if self.has_frames && self.rng.random_bool(0.4) {
            return self.change_frames();
        }
        let pid = PIDS[self.rng.random_range(0..PIDS.len())];
        let key = (pid, BASE / PAGE + self.rng.random_range(0..PAGES));
        let page = self.model.memory.pages.get(&key);
        let placed = page.is_some_and(|page| page.bytes.is_some());
        if page.is_some_and(|page| page.split.is_some()) {
            self.disturbed = Some(key);
            let rights = if self.rng.random() { pte::READ } else { pte::WRITE };
            return self.change(key, rights, State::Open);
        }
        let (rights, state) = match self.rng.random_range(0..10) {
            0 => (pte::READ, State::Open),
            1 => (pte::WRITE, State::Open),
            2..5 => (RIGHTS, State::Hold),
            5..8 if !placed => (RIGHTS, State::Away(AWAY[self.rng.random_range(0..AWAY.len())].0)),
            8 => return self.renew_region(),
            _ => return self.renew_page(key, placed),
        };
        self.disturbed = Some(key);
        self.change(key, rights, state)
    }
    fn noise(&mut self) -> Vec<u8> {
        let mut noise = vec![0; PAGE as usize];
        self.rng.fill(&mut noise[..]);
        noise
    }
    fn renew_page(&mut self, key: (u32, u64), placed: bool) -> Result<(), Mismatch> {
        let mut page = Page::default();
        if !placed {
            self.board.free(key)?;
            self.board.allocate(key, RIGHTS)?;
        } else if self.rng.random_ratio(1, ZEROED_RENEWALS) {
            self.board.renew(key, RIGHTS, None)?;
        } else {
            let holds = self.noise();
            self.board.renew(key, RIGHTS, Some(&holds))?;
            page.bytes = Some(holds);
        }
        self.model.memory.pages.insert(key, page);
        Ok(())
    }
    /// A region that peers should not name goes, and comes back under another key.
    fn renew_region(&mut self) -> Result<(), Mismatch> {
        let at = self.rng.random_range(0..self.others.len() - self.keys.len());
        let key = self.others[at];
        let region = self.model.responder.regions.remove(key);
        let region = region.map_err(|error| Mismatch::new(error.to_string()))?;
        self.board.port(|port| port.revoke(key))?;
        self.others[at] = self.grant(region)?;
        Ok(())
    }
    fn change(&mut self, key: (u32, u64), rights: u64, state: State) -> Result<(), Mismatch> {
        let Some(page) = self.model.memory.pages.get_mut(&key) else { return Ok(()) };
        (page.rights, page.state) = (rights, state);
        if page.split.is_some() {
            return self.change_rights(key, rights);
        }
        self.board.change(key, rights, state, page.bytes.is_some())
    }
    /// From now on nothing is in the way: what has been sent comes, and so does everything after it.
    fn heal(&mut self) -> Result<(), Mismatch> {
        self.network.heal();
        // Replies that wait for their window leave, too.
        self.end_chains()?;
        self.come_to_rest()?;
        if self.has_frames {
            self.heal_frames()?;
        }
        let keys: Vec<_> = self.model.memory.pages.keys().copied().collect();
        keys.into_iter().try_for_each(|key| self.change(key, RIGHTS, State::Open))
    }
    fn is_done(&self) -> bool {
        let idle = |peer: &Peer| peer.requester.pending() == 0 && !peer.requester.has_ended();
        self.to_board.is_empty() && self.to_peer.is_empty() && self.peers.iter().all(idle)
    }
}
