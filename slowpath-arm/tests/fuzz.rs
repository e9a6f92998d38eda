//! Random sequences of open, alloc, free, protect, exit, first touches, lost answers and passing time; after every step the
//! audit must find shadow, table, trees, accounts and physical pages in agreement.
use crate::double;
use double::{Bench, Double, config};
use mneme_slowpath::{Config, Limits};
use mneme_wire::payload::OpenRequest;
use mneme_wire::{Opcode, Rights, Status};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Step {
    Open { client: u8 },
    Exit { process: usize },
    Alloc { process: usize, pages: u64, rights: u8 },
    AllocAt { process: usize, vpn: u64, pages: u64 },
    Free { process: usize, range: usize },
    FreeStray { process: usize, vpn: u64 },
    Protect { process: usize, range: usize, from: u64, pages: u64, rights: u8 },
    Touch { process: usize, range: usize, page: u64 },
    Pass { ticks: u64 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let p = 0usize..6;
    let r = 0usize..20;
    let step = prop_oneof![
        2 => (0u8..3).prop_map(|client| Step::Open { client }),
        1 => p.clone().prop_map(|process| Step::Exit { process }),
        8 => (p.clone(), 1u64..40, 0u8..4).prop_map(|(process, pages, rights)| Step::Alloc { process, pages, rights }),
        2 => (p.clone(), 0u64..100, 1u64..9).prop_map(|(process, vpn, pages)| Step::AllocAt { process, vpn, pages }),
        5 => (p.clone(), r.clone()).prop_map(|(process, range)| Step::Free { process, range }),
        1 => (p.clone(), 0u64..100).prop_map(|(process, vpn)| Step::FreeStray { process, vpn }),
        3 => (p.clone(), r.clone(), 0u64..4, 1u64..6, 0u8..4).prop_map(|(process, range, from, pages, rights)| {
            Step::Protect { process, range, from, pages, rights }
        }),
        12 => (p, r, 0u64..40).prop_map(|(process, range, page)| Step::Touch { process, range, page }),
        2 => (0u64..15).prop_map(|ticks| Step::Pass { ticks }),
    ];
    proptest::collection::vec(step, 1..60)
}

/// What the clients know.
#[derive(Default)]
struct Known {
    pids: Vec<u32>,
    ranges: Vec<(u32, u64, u64)>,
}

impl Known {
    fn pid(&self, at: usize) -> u32 {
        if self.pids.is_empty() { 1 } else { self.pids[at % self.pids.len()] }
    }
    fn range(&self, pid: u32, at: usize) -> Option<(u32, u64, u64)> {
        let of: Vec<_> = self.ranges.iter().filter(|r| r.0 == pid).collect();
        (!of.is_empty()).then(|| *of[at % of.len()])
    }
}

fn rights(bits: u8) -> Rights {
    Rights { read: bits & 1 != 0, write: bits & 2 != 0 }
}

fn apply(b: &mut Bench, known: &mut Known, step: &Step) {
    match *step {
        Step::Open { client } => {
            if let Ok(opened) = b.open_from([10, 0, 0, client], 0, &OpenRequest::default()) {
                known.pids.push(opened.pid);
            }
        }
        Step::Exit { process } => {
            let pid = known.pid(process);
            if b.exit(pid).status == Status::Ok {
                known.pids.retain(|p| *p != pid);
                known.ranges.retain(|r| r.0 != pid);
            }
        }
        Step::Alloc { process, pages, rights: bits } => {
            let pid = known.pid(process);
            if let Ok(at) = b.alloc(pid, pages, rights(bits)) {
                known.ranges.push((pid, at, pages));
            }
        }
        Step::AllocAt { process, vpn, pages } => {
            let pid = known.pid(process);
            match b.alloc_at(pid, vpn, pages) {
                Ok(at) => {
                    assert_eq!(at, vpn);
                    known.ranges.push((pid, at, pages));
                }
                Err(refused) => assert_ne!(refused.status, Status::MemoryError),
            }
        }
        Step::Free { process, range } => {
            if let Some((pid, at, pages)) = known.range(known.pid(process), range) {
                let answer = b.free(pid, at, if range % 2 == 0 { pages } else { 0 });
                if answer.status == Status::Ok {
                    known.ranges.retain(|r| (r.0, r.1) != (pid, at));
                } else {
                    assert_eq!(answer.status, Status::Busy, "only the full quarantine");
                }
            }
        }
        Step::FreeStray { process, vpn } => {
            let pid = known.pid(process);
            if !known.ranges.iter().any(|r| (r.0, r.1) == (pid, vpn)) {
                assert_ne!(b.free(pid, vpn, 0).status, Status::Ok);
            }
        }
        Step::Protect { process, range, from, pages, rights: bits } => {
            if let Some((pid, at, len)) = known.range(known.pid(process), range) {
                let from = from % len;
                let inside = from + pages <= len;
                let answer = b.protect(pid, at + from, pages, rights(bits));
                let fine = answer.status == Status::Ok || answer.status == Status::Quota;
                assert_eq!(fine, inside, "{answer:?}");
            }
        }
        Step::Touch { process, range, page } => {
            if let Some((pid, at, len)) = known.range(known.pid(process), range) {
                let status = b.fp.touch(pid, at + page % len);
                assert_ne!(status, Status::Unmapped);
            }
        }
        Step::Pass { ticks } => b.pass(ticks),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_sequence_keeps_everything_in_agreement(steps in steps(), tight: bool) {
        let limits = if tight {
            Limits {
                processes: 12, ranges_per_process: 6, quarantine: 15, tenant_slots: Some(70), tenant_pages: Some(40),
                ..double::limits()
            }
        } else {
            double::limits()
        };
        let mut b = Bench::new(Double::new(18, 24, 2), Config { limits, ..config() });
        let mut known = Known::default();
        for step in &steps {
            apply(&mut b, &mut known, step);
            b.audit();
        }
        // Everything ends, and the board is as it was at first.
        for pid in known.pids.clone() {
            while b.exit(pid).status == Status::Busy {
                b.pass(20);
            }
        }
        b.pass(20);
        b.audit();
        prop_assert!(b.fp.table.iter().all(|entry| *entry == 0));
        prop_assert_eq!(b.slow.inspect(|s| (s.slots_used(), s.live_ranges(), s.process_count())), (0, 0, 0));
        let held = b.fp.buffer.len();
        prop_assert_eq!(b.slow.pages(&mut b.fp).held_by_hardware(), held);
    }

    #[test]
    fn doubled_and_late_copies_change_nothing(steps in steps()) {
        let mut b = Bench::tiny();
        let mut known = Known::default();
        let mut sent = Vec::new();
        for step in &steps {
            let pid = known.pid(0);
            apply(&mut b, &mut known, step);
            let request = b.request(Opcode::Exit, pid + 1000, 0, 0);
            sent.push(request);
            let before = b.table_pages();
            for copy in sent.iter().rev().take(4) {
                let answer = b.send([10, 0, 0, 77], copy, &[]).0;
                prop_assert_ne!(answer.status, Status::Ok);
            }
            prop_assert_eq!(before, b.table_pages());
        }
    }
}
