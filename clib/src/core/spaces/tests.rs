//! Ways against a map that knows each page by itself.
use super::*;
use proptest::prelude::*;

const PAGE: u64 = 1 << 18;
const PAGES: u64 = 64;
const GIVE_UP: Duration = Duration::from_secs(5);

fn member(lane: usize) -> Member {
    let window = VaWindow::new(lane as u64 * (1 << 30), 1 << 30).unwrap();
    let pid = Pid::from_low_bits(7 + lane as u32);
    Member { lane, board_id: lane as u64, pid, epoch: 1, token: [lane as u8; 16], window: Some(window) }
}

fn way(lane: usize) -> Way {
    let Member { pid, epoch, .. } = member(lane);
    Way { lane, pid, epoch }
}

#[derive(Debug, Clone)]
enum Step {
    /// The board that has a page says that `2^span` pages around it are another one's.
    Moved {
        page: u64,
        span: u8,
        to: usize,
    },
    Placed {
        page: u64,
        pages: u64,
        lane: usize,
    },
    Freed {
        page: u64,
        pages: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let pages = || 1..9u64;
    prop_oneof![
        (0..PAGES, 0..5u8, 0..3usize).prop_map(|(page, span, to)| Step::Moved { page, span, to }),
        (0..PAGES, pages(), 0..3usize).prop_map(|(page, pages, lane)| Step::Placed { page, pages, lane }),
        (0..PAGES, pages()).prop_map(|(page, pages)| Step::Freed { page, pages }),
    ]
}

proptest! {
    #[test]
    fn each_page_is_where_it_was_said_to_be_last(steps in prop::collection::vec(step(), 1..60)) {
        let mut spaces = Spaces::default();
        let domain = spaces.add(&[member(0), member(1), member(2)], false);
        // All pages lie in the first board's window.
        let mut known = vec![0; PAGES as usize + 16];
        let mut now = Duration::ZERO;
        for step in steps {
            // No two are near each other: boards do not point to and fro.
            now += 2 * GIVE_UP;
            let range = |page: u64, pages: u64| page as usize..(page + pages) as usize;
            match step {
                Step::Moved { page, span, to } => {
                    let from = known[page as usize];
                    let told = spaces.moved((domain, page * PAGE + 5, from), (to, 1, 18 + span), now, GIVE_UP);
                    prop_assert_eq!(told, to != from);
                    let first = page >> span << span;
                    if told {
                        known[range(first, 1 << span)].fill(to);
                    }
                }
                Step::Placed { page, pages, lane } => {
                    spaces.placed(domain, page * PAGE, pages * PAGE, lane);
                    known[range(page, pages)].fill(lane);
                }
                Step::Freed { page, pages } => {
                    spaces.freed(domain, page * PAGE, pages * PAGE);
                    known[range(page, pages)].fill(0);
                }
            }
            for (page, lane) in known.iter().enumerate() {
                let va = page as u64 * PAGE + 77;
                prop_assert_eq!(spaces.way(domain, va), Some(way(*lane)), "page {}", page);
            }
            let ways = spaces.ways(domain, 0, PAGES * PAGE);
            let mut at = 0;
            for (way, start, bytes) in ways {
                prop_assert_eq!(start, at);
                let lanes = &known[(start / PAGE) as usize..((start + bytes) / PAGE) as usize];
                prop_assert!(bytes > 0 && lanes.iter().all(|lane| *lane == way.lane));
                at += bytes;
            }
            prop_assert_eq!(at, PAGES * PAGE);
        }
    }
}

#[test]
fn boards_that_point_at_each_other_are_given_up_until_some_time_has_passed() {
    let mut spaces = Spaces::default();
    let domain = spaces.add(&[member(0), member(1)], false);
    let mut told = |from: usize, now| spaces.moved((domain, 0, from), (1 - from, 1, 18), now, GIVE_UP);
    let start = Duration::from_secs(1);
    assert_eq!([0, 1, 0, 1].map(|from| told(from, start)), [true, true, true, false]);
    assert!(told(1, start + GIVE_UP), "that was long ago");
    assert!(told(1, start + GIVE_UP), "old news of the board that has it no longer says nothing");
}

#[test]
fn a_process_lives_as_long_as_a_handle_or_a_request() {
    let mut spaces = Spaces::default();
    let first = spaces.add(&[member(0)], false);
    let joined = spaces.add(&[member(0), member(1)], true);
    assert_eq!(first, joined, "one process, and now on two boards");
    assert!(spaces.any_spread() && spaces.all_ways(first).len() == 2);
    let other = spaces.add(&[member(0)], false);
    assert_ne!(first, other, "a new process that was given an old one's number");
    spaces.let_go(first);
    spaces.let_go(first);
    let mut gone = Vec::new();
    spaces.sweep(|_| true, |domain| gone.push(domain));
    assert!(gone.is_empty(), "requests of it are under way");
    spaces.sweep(|_| false, |domain| gone.push(domain));
    assert_eq!(gone, [first]);
    assert!(!spaces.any_spread() && spaces.way(first, 0).is_none());
}

#[test]
fn what_was_allocated_is_freed_where_it_was_and_where_it_has_gone() {
    let mut spaces = Spaces::default();
    let domain = spaces.add(&[member(0), member(1), member(2)], false);
    assert_eq!(spaces.holders(domain, 0, 4 * PAGE), [(way(0), 0)]);
    spaces.moved((domain, PAGE, 0), (1, 1, 18), Duration::ZERO, GIVE_UP);
    spaces.moved((domain, 3 * PAGE, 0), (1, 1, 18), Duration::ZERO, GIVE_UP);
    assert_eq!(spaces.holders(domain, 0, 4 * PAGE), [(way(0), 0), (way(1), PAGE)]);
    // A fixed address in another board's window belongs to the board that gave it, also when it has moved on.
    spaces.placed(domain, 8 * PAGE, PAGE, 2);
    assert_eq!(spaces.holders(domain, 8 * PAGE, PAGE), [(way(2), 8 * PAGE)]);
    spaces.moved((domain, 8 * PAGE, 2), (1, 1, 18), Duration::ZERO, GIVE_UP);
    assert_eq!(spaces.holders(domain, 8 * PAGE, PAGE), [(way(2), 8 * PAGE), (way(1), 8 * PAGE)]);
}

#[test]
fn what_is_known_of_moved_memory_is_bounded() {
    let mut spaces = Spaces::default();
    let domain = spaces.add(&[member(0), member(1)], false);
    for page in 0..MOVED_EXTENTS as u64 + 100 {
        // Every second page, so that none joins another.
        spaces.moved((domain, (2 * page) << 12, 0), (1, 1, 12), Duration::ZERO, GIVE_UP);
    }
    assert_eq!(spaces.find(domain).unwrap().moved.len(), MOVED_EXTENTS);
}
