//! The leaf unit of hardware: how board pages come back out of its ring, whatever the order of the frames in it.
use mneme_slowpath::{FastPath, LeafCommand, LeafDriver, RingFull};
use mneme_wire::leaf::LEAF_MAGIC;
use mneme_wire::pte::Geometry;
use mneme_wire::{Counter, LeafOrder, LeafRegister, LeafResult, Register};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Register accesses of one command, at most.
const MOST: u64 = 4_096;
/// Pages of 1 MB.
const PAGE_FRAMES: u32 = 256;

/// The registers of a leaf unit, and its ring.
#[derive(Default)]
struct Unit {
    ring: VecDeque<u32>,
    /// The next page of the async buffer.
    next: u32,
    registers: HashMap<u32, u32>,
    accesses: u64,
}

impl Unit {
    fn of(&self, register: LeafRegister) -> u32 {
        self.registers.get(&register.number()).copied().unwrap_or(0)
    }
    fn order(&mut self, number: u32) -> (LeafResult, u32) {
        let (page, pages) = (self.of(LeafRegister::Page), self.of(LeafRegister::Pages));
        match LeafOrder::from_number(number).expect("an order") {
            LeafOrder::Push => {
                self.ring.extend(page..page + pages);
                (LeafResult::Done, 0)
            }
            LeafOrder::Pop => match self.ring.pop_front() {
                Some(frame) => (LeafResult::Done, frame),
                None => (LeafResult::RingEmpty, 0),
            },
            LeafOrder::TakePage => {
                self.next += 1;
                (LeafResult::Done, self.next)
            }
            _ => (LeafResult::Done, 0),
        }
    }
}

impl FastPath for Unit {
    fn read_leaf(&mut self, offset: u32) -> u32 {
        self.accesses += 1;
        match LeafRegister::from_number(offset) {
            Some(LeafRegister::Magic) => LEAF_MAGIC,
            Some(LeafRegister::Sizes) => 5,
            Some(LeafRegister::Usable) => self.ring.len() as u32,
            _ => self.registers.get(&offset).copied().unwrap_or(0),
        }
    }
    fn write_leaf(&mut self, register: LeafRegister, value: u32) {
        self.accesses += 1;
        self.registers.insert(register.number(), value);
        if register == LeafRegister::Command {
            let (result, count) = self.order(value);
            self.registers.insert(LeafRegister::Result.number(), result.number());
            self.registers.insert(LeafRegister::Count.number(), count);
        }
    }
    fn read_register(&mut self, _: Register) -> u32 {
        0
    }
    fn write_register(&mut self, _: Register, _: u32) {}
    fn read_counter(&mut self, _: Counter) -> u32 {
        0
    }
    fn receive(&mut self, _: &mut Vec<u8>) -> bool {
        false
    }
    fn send(&mut self, _: &[u8]) -> Result<(), RingFull> {
        Err(RingFull)
    }
    fn read_memory(&mut self, _: u64, into: &mut [u8]) {
        into.fill(0);
    }
    fn write_memory(&mut self, _: u64, _: &[u8]) {}
}

/// A driver, and a unit that was given so many pages.
fn given(pages: u32) -> (LeafDriver, Unit) {
    let mut unit = Unit::default();
    let geometry = Geometry::new(20, 28, 2).expect("256 MB");
    let mut driver = LeafDriver::of(&mut unit, &geometry).expect("a unit");
    for _ in 0..pages {
        driver.command(&mut unit, LeafCommand::Refill).expect("a page");
    }
    assert_eq!(unit.ring.len() as u32, pages * PAGE_FRAMES);
    (driver, unit)
}

/// Commands until so many in a row have found nothing: what they found, and the commands.
fn collect(driver: &mut LeafDriver, unit: &mut Unit, most: u32) -> (Vec<u64>, u32) {
    let (mut found, mut commands, mut vain) = (Vec::new(), 0, 0);
    while vain < most {
        unit.accesses = 0;
        let page = driver.command(unit, LeafCommand::TakeBack);
        assert!(unit.accesses <= MOST, "{} register accesses in one command", unit.accesses);
        (commands, vain) = (commands + 1, vain + 1);
        if let Ok(page) = page {
            found.push(page);
            vain = 0;
        }
        // What is kept out of the ring to make pages whole is less than what stays in it, but for the last pages.
        assert!(
            driver.held() <= (unit.ring.len() as u64).max(256),
            "{} of {}",
            driver.held(),
            unit.ring.len()
        );
    }
    (found, commands)
}

/// Somebody has one frame of each page, and somebody gave all others back.
#[test]
fn a_look_at_a_ring_without_a_whole_page_ends_soon() {
    let (mut driver, mut unit) = given(64);
    unit.ring.retain(|frame| frame % PAGE_FRAMES != 255);
    let ring: BTreeSet<u32> = unit.ring.iter().copied().collect();
    let (found, _) = collect(&mut driver, &mut unit, 200);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(unit.ring.iter().copied().collect::<BTreeSet<u32>>(), ring, "every frame is back");
    assert_eq!((unit.ring.len(), driver.held()), (64 * 255, 0));
    // The frames that were missing come back behind all others, but for one page's.
    unit.ring.extend((1..64).map(|page| page * PAGE_FRAMES + 255));
    let (mut found, _) = collect(&mut driver, &mut unit, 200);
    found.sort_unstable();
    assert_eq!(found, (1..64).collect::<Vec<u64>>());
    assert_eq!((unit.ring.len(), driver.held()), (255, 0));
}

#[test]
fn frames_in_order_become_pages_a_command_each() {
    let (mut driver, mut unit) = given(64);
    // The ring begins in the middle of a page.
    unit.ring.rotate_left(100);
    unit.accesses = 0;
    for _ in 0..63 {
        driver.command(&mut unit, LeafCommand::TakeBack).expect("a page");
    }
    let (found, _) = collect(&mut driver, &mut unit, 3);
    assert_eq!((found.len(), unit.ring.len()), (1, 0));
}

/// Frames in no order, of which some are used: all whole pages are found, and nothing is lost. In between frames are taken and given.
#[test]
fn every_whole_page_comes_out_of_a_ring_in_no_order() {
    for seed in 0..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let pages = rng.random_range(1..=128);
        let (mut driver, mut unit) = given(pages);
        let mut frames: Vec<u32> = unit.ring.drain(..).collect();
        frames.shuffle(&mut rng);
        let mut used: Vec<u32> = frames.split_off(frames.len() - rng.random_range(0..pages as usize));
        unit.ring.extend(frames);
        let mut found = Vec::new();
        for _ in 0..100 {
            unit.accesses = 0;
            found.extend(driver.command(&mut unit, LeafCommand::TakeBack));
            assert!(unit.accesses <= MOST);
            // Somebody touches a page, and somebody gives one up.
            used.extend(unit.ring.pop_front());
            let back = rng.random_range(0..=used.len());
            unit.ring.extend((back < used.len()).then(|| used.swap_remove(back)));
        }
        let (more, commands) = collect(&mut driver, &mut unit, 400);
        found.extend(more);
        assert!(commands < 20_000, "{commands} commands for {pages} pages");
        let in_use: BTreeSet<u32> = used.iter().map(|frame| frame / PAGE_FRAMES).collect();
        assert_eq!(found.len() + in_use.len(), pages as usize, "seed {seed}");
        let mut all: Vec<u32> = unit.ring.iter().chain(&used).copied().collect();
        all.sort_unstable();
        let kept: Vec<u32> =
            in_use.iter().flat_map(|page| page * PAGE_FRAMES..(page + 1) * PAGE_FRAMES).collect();
        assert_eq!(all, kept, "seed {seed}: every frame is in one place");
    }
}

/// A ring that runs short gets back what was kept out of it, before it gets a page.
#[test]
fn frames_that_are_kept_go_back_into_a_ring_that_runs_short() {
    let (mut driver, mut unit) = given(16);
    unit.ring.make_contiguous().shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    while driver.held() < 600 {
        driver.command(&mut unit, LeafCommand::TakeBack).expect_err("no page is whole yet");
    }
    let (held, next) = (driver.held(), unit.next);
    let mut ring = unit.ring.len() as u64;
    let all = ring + held;
    while driver.held() > 0 {
        driver.command(&mut unit, LeafCommand::Refill).expect_err("they go back");
        assert!(unit.ring.len() as u64 > ring);
        ring = unit.ring.len() as u64;
    }
    assert_eq!((unit.ring.len() as u64, unit.next), (all, next));
    driver.command(&mut unit, LeafCommand::Refill).expect("a page");
}
