//! Three clients of two boards in the simulated world: a network that loses, doubles, delays and damages, and pages that
//! move meanwhile. Whatever a client was told of its calls is true afterwards, on whichever board a word is.
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use mneme_clib::{
    AllocOptions, Client, ClientOptions, Effect, OldWord, OpenOptions, Pending, Polled, Process,
    TransportConfig,
};
use mneme_model::SoftFast;
use mneme_model::soft::BoardShape;
use mneme_slowpath::FastPath;
use mneme_tests::rig::pair::{copy_page, hold, send_away};
use mneme_wire::{Counter, Register};
use mneme_world::driver::{ROUND, Shared, WorldDriver, lock};
use mneme_world::network::{Faults, World};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Words that clients add to, some on each page; each is added to less than 64 times.
const WORDS: u64 = 12;
const PAGES: u64 = 3;
const ADDS: u32 = 60;
const CLIENTS: usize = 3;
/// Calls of a client under way at once.
const OUTSTANDING: usize = 4;

fn client(world: &Shared<SoftFast>, boards: &[usize]) -> Client {
    let driver = |board: usize| {
        let host = lock(world).add_host();
        WorldDriver::new(world, host, 50_000, board)
    };
    let options = ClientOptions {
        transport: TransportConfig::board_time(),
        seed: Some(lock(world).now()),
        ..ClientOptions::default()
    };
    let client = Client::connect(driver(boards[0]), options).expect("the first board");
    for board in &boards[1..] {
        client.add_lane(driver(*board)).expect("another board");
    }
    client
}

/// What is known of a word: bits that were certainly added, and those that may have been.
#[derive(Default, Clone, Copy)]
struct Word {
    adds: u32,
    certain: u64,
    possible: u64,
}

struct Calls {
    process: Process,
    pending: VecDeque<(usize, u64, Pending<OldWord>)>,
}

struct Run {
    world: Shared<SoftFast>,
    random: ChaCha8Rng,
    /// What befalls frames.
    faults: Faults,
    words: Vec<Word>,
    at: Vec<u64>,
    calls: Vec<Calls>,
}

impl Run {
    /// What nobody's calls are about is done without faults.
    fn undisturbed<T>(&self, work: impl FnOnce() -> T) -> T {
        lock(&self.world).faults = Faults::default();
        let done = work();
        lock(&self.world).faults = self.faults;
        done
    }
    /// How many fences each board has answered.
    fn fences(&self) -> [u64; 2] {
        [0, 1].map(|board| lock(&self.world).board(board).counter(Counter::Fences as u32))
    }
    /// A fence of one of the clients; whether it has ended well. An error says of which board it did not ask.
    fn fence(&mut self) -> Result<bool, String> {
        let before = self.fences();
        let client = self.random.random_range(0..CLIENTS);
        if self.calls[client].process.rfence().is_err() {
            return Ok(false);
        }
        let after = self.fences();
        match (0..2).find(|board| after[*board] == before[*board]) {
            Some(board) => Err(format!("board {board} has seen no fence")),
            None => Ok(true),
        }
    }
    /// One look of each client, and a moment of time.
    fn round(&mut self, begins: bool) {
        for calls in &mut self.calls {
            while begins && calls.pending.len() < OUTSTANDING {
                let number = self.random.random_range(0..WORDS as usize);
                let word = &mut self.words[number];
                if word.adds == ADDS {
                    break;
                }
                let bit = 1 << word.adds;
                word.adds += 1;
                calls.pending.push_back((number, bit, calls.process.fetch_add_async(self.at[number], bit)));
            }
            for _ in 0..calls.pending.len() {
                let Some((number, bit, pending)) = calls.pending.pop_front() else { break };
                let word = &mut self.words[number];
                match pending.rpoll() {
                    Polled::Pending(pending) => calls.pending.push_back((number, bit, pending)),
                    Polled::Ready(Ok(old)) => {
                        assert_eq!(old & bit, 0, "added twice");
                        word.certain |= bit;
                    }
                    Polled::Ready(Err(error)) if error.effect() == Effect::None => {}
                    Polled::Ready(Err(_)) => word.possible |= bit,
                }
            }
        }
        let mut world = lock(&self.world);
        let until = world.now() + ROUND;
        world.pass(until, None);
    }
}

/// A run; how many fences ended well. `plant`: what is done to a client that makes calls.
fn run(seed: u64, plant: impl Fn(&Client)) -> Result<u32, String> {
    let make = |_| SoftFast::new(BoardShape::SIM.with_memory(16 << 20).expect("a size")).expect("a shape");
    let world = World::new(seed, 2, 1_500_000, (Box::new(make), Box::new(|_| ()))).expect("boards");
    let world: Shared<SoftFast> = Arc::new(Mutex::new(world));
    let owner = client(&world, &[0, 1]);
    let process = owner.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    let memberships = process.memberships();
    assert_eq!(memberships[0].pid, memberships[1].pid, "as a controller gives pids");
    let page = process.page_size();
    let on_first = AllocOptions { lane: Some(0), own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(PAGES * page, on_first).expect("memory");
    let destination = client(&world, &[1]);
    let destination = destination.join(memberships[1].pid, memberships[1].token).expect("join");
    let epoch = owner.lane(1).expect("the second board").board().epoch;
    let join = |_| {
        let client = client(&world, &[1, 0]);
        plant(&client);
        Calls { process: client.join_all(&memberships).expect("join"), pending: VecDeque::new() }
    };
    let calls = (0..CLIENTS).map(join).collect();
    let at = (0..WORDS).map(|word| va + word % PAGES * page + 8 * word).collect();
    let random = ChaCha8Rng::seed_from_u64(seed);
    let faults = Faults { lost: 0.03, doubled: 0.05, late: 0.05, very_late: 0.002, damaged: 0.02 };
    let mut run = Run { world, random, faults, words: vec![Word::default(); WORDS as usize], at, calls };

    // Two of the pages move, in the middle of it all, of calls whose packets are lost, too; the copy itself is nobody's
    // concern here.
    lock(&run.world).faults = faults;
    let mut fenced = 0;
    for moving in 0..PAGES {
        (0..400).for_each(|_| run.round(true));
        fenced += u32::from(run.fence()?);
        if moving == PAGES - 1 {
            break;
        }
        let source = va + moving * page;
        let at = AllocOptions { at: Some(source), own_pages: true, ..AllocOptions::default() };
        run.undisturbed(|| destination.ralloc_with(page, at).expect("room at the same address"));
        hold(lock(&run.world).board(0), process.pid(), source);
        (0..run.random.random_range(0..20)).for_each(|_| run.round(true));
        run.undisturbed(|| copy_page(&process, &destination, source, page));
        (0..run.random.random_range(0..20)).for_each(|_| run.round(true));
        let to = lock(&run.world).board(1).fast().read_register(Register::Ip).to_be_bytes();
        send_away(lock(&run.world).board(0), (process.pid(), source), moving as u32, (to, epoch));
    }
    lock(&run.world).faults = Faults::default();
    for _ in 0..20_000 {
        run.round(false);
        if run.calls.iter().all(|calls| calls.pending.is_empty()) {
            break;
        }
    }
    assert!(run.calls.iter().all(|calls| calls.pending.is_empty()), "everything comes to its end");
    let fresh = client(&run.world, &[0, 1]).join_all(&memberships).expect("join");
    let mut done = 0;
    for (number, word) in run.words.iter().enumerate() {
        let found = fresh.fetch_add(run.at[number], 0).expect("read");
        assert_eq!(found & word.certain, word.certain, "word {number}: what ended well is there");
        assert_eq!(found & !(word.certain | word.possible), 0, "word {number}: what had no effect is not");
        assert_eq!(fresh.lane_of(run.at[number]), usize::from(number as u64 % PAGES < PAGES - 1));
        done += word.certain.count_ones();
    }
    assert!(done > 300, "{done} of {} ended well", WORDS * u64::from(ADDS));
    Ok(fenced)
}

#[test]
fn what_clients_are_told_is_true_while_pages_move_between_boards() {
    let mut fenced = 0;
    for seed in 0..200 {
        println!("seed {seed}");
        fenced += run(seed, |_| ()).expect("a fence reaches both boards");
    }
    assert!(fenced > 300, "{fenced} fences ended well");
}

#[cfg(feature = "planted-faults")]
#[test]
fn clients_whose_fences_reach_one_board_alone_are_found() {
    let one = |client: &Client| client.plant(mneme_clib::PlantedFault::FenceOfOneBoard);
    let found = (0..3).find_map(|seed| run(seed, one).err());
    assert!(found.is_some_and(|error| error.ends_with("has seen no fence")));
}
