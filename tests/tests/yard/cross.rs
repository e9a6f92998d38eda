//! Every pid that is not one's own × every kind of page × every right × the borders of the address space × lengths, by every
//! operation that touches memory: not one byte of memory that somebody has changes, and nothing of it is told.
use mneme_model::node::CYCLE_NS;
use mneme_rtl::RtlConfig;
use mneme_tests::yard::{Ground, Raw, Shared, lock};
use mneme_wire::payload::RangeRights;
use mneme_wire::{Opcode, Rights, Status};

use crate::{balances, rtl_yard, soft_yard};

/// What the victim's pages hold.
const SECRET: u8 = 0xc3;
/// The end of the address space.
const SPACE: u64 = 1 << 48;

/// A page, as an attacker finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    /// The attacker's own, which may be read and written.
    Own,
    /// Its own, to be read only; written only; freed.
    ReadOnly,
    WriteOnly,
    Freed,
    /// Where the victim has a page.
    Victims,
    /// Of the address space's end, and its beginning.
    Last,
    First,
}

/// Who is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    /// The attacker's own process.
    Own,
    /// The victim's, where even that gives no right: its freed and its read-only page. (Who names a pid has its rights, without tags.)
    Victims,
    /// One that has ended, one that never was, none.
    Ended,
    Nobodys,
    None,
}

struct Scene<F: Ground> {
    yard: Shared<F>,
    attacker: Raw<F>,
    own: u32,
    pages: Vec<(Page, u64)>,
    victims: u32,
    victims_pages: [(u64, bool); 2],
    ended: u32,
    page: u64,
    asked: u64,
}

impl<F: Ground> Scene<F> {
    fn set(yard: Shared<F>) -> (Scene<F>, Raw<F>) {
        let [mut victim, mut attacker] =
            [1, 2].map(|n| Raw::new(&yard, [10, 78, 1, n], 20_000).expect("the board answers"));
        let page = victim.page();
        let victims = victim.open(0).expect("a process");
        let secret = victim.alloc(victims, 1, Rights::READ_WRITE).expect("a page");
        let freed = victim.alloc(victims, 1, Rights::READ_WRITE).expect("a page");
        for va in [secret, freed] {
            for at in [0, 64, page / 2, page - 64] {
                assert!(victim.write(victims, va + at, &[SECRET; 64]).expect("an answer").is_ok());
            }
        }
        assert!(victim.free(victims, freed).expect("an answer").is_ok());
        let ask = RangeRights { size: page, rights: Rights::READ_ONLY };
        assert!(victim.ask(Opcode::Protect, victims, secret, 0, &ask.to_bytes()).expect("an answer").is_ok());
        let own = attacker.open(0).expect("a process");
        let ended = attacker.open(0).expect("a process");
        assert!(attacker.exit(ended).expect("an answer").is_ok());
        let mut pages = vec![(Page::Victims, secret), (Page::Last, SPACE - page), (Page::First, 0)];
        let rights = [
            (Page::Own, Rights::READ_WRITE),
            (Page::ReadOnly, Rights::READ_ONLY),
            (Page::Freed, Rights::READ_WRITE),
        ];
        for (kind, rights) in rights {
            pages.push((kind, attacker.alloc(own, 1, rights).expect("a page")));
        }
        let write_only = Rights { read: false, write: true };
        if let Ok(va) = attacker.alloc(own, 1, write_only) {
            pages.push((Page::WriteOnly, va));
        }
        let gone = pages.iter().find(|(kind, _)| *kind == Page::Freed).expect("it is there").1;
        assert!(attacker.write(own, gone, &[1; 8]).expect("an answer").is_ok());
        assert!(attacker.free(own, gone).expect("an answer").is_ok());
        let victims_pages = [(secret, true), (freed, false)];
        (Scene { yard, attacker, own, pages, victims, victims_pages, ended, page, asked: 0 }, victim)
    }
    /// The victim's memory as DRAM has it.
    fn memory(&self) -> Vec<u8> {
        let mut held = lock(&self.yard);
        let (bits, limit) = (held.node().fast().shape().mem_bits, held.node().fast().memory_limit());
        let mut bytes = vec![0; limit.unwrap_or(1 << bits) as usize];
        held.node().fast().read_memory(0, &mut bytes);
        bytes
    }
    fn allowed(named: Named, page: Page, opcode: Opcode) -> bool {
        let (reads, writes) = match (named, page) {
            (Named::Own, Page::Own) => (true, true),
            (Named::Own, Page::ReadOnly) | (Named::Victims, Page::Victims) => (true, false),
            (Named::Own, Page::WriteOnly) => (false, true),
            _ => (false, false),
        };
        match opcode {
            Opcode::Read => reads,
            Opcode::Write => writes,
            _ => reads && writes,
        }
    }
    /// Asks for everything. What is allowed to nobody must be refused; what is refused changes nothing, and tells nothing.
    fn ask_for_everything(&mut self) {
        let mut cases: Vec<(Named, u32, Page, u64)> = Vec::new();
        for (kind, va) in self.pages.clone() {
            let who = [
                (Named::Own, self.own),
                (Named::Ended, self.ended),
                (Named::Nobodys, 0x0f_fffe),
                (Named::None, 0),
            ];
            cases.extend(who.map(|(named, pid)| (named, pid, kind, va)));
        }
        for (va, there) in self.victims_pages {
            let kind = if there { Page::Victims } else { Page::Freed };
            cases.push((Named::Victims, self.victims, kind, va));
        }
        for (named, pid, page, va) in cases {
            for opcode in [Opcode::Read, Opcode::Write, Opcode::CompareSwap, Opcode::FetchAdd, Opcode::Swap] {
                self.borders(named, pid, page, va, opcode);
            }
        }
    }
    fn borders(&mut self, named: Named, pid: u32, page: Page, va: u64, opcode: Opcode) {
        let most = self.attacker.info.max_payload;
        for offset in [0, 1, 8, self.page / 2, self.page - 64, self.page - 8, self.page - 1] {
            for length in [0, 1, 7, 8, 9, 64, 65, most, most + 1, u16::MAX] {
                let payload = match opcode {
                    Opcode::Read => Vec::new(),
                    Opcode::CompareSwap => [[SECRET; 8], [0xee; 8]].concat(),
                    Opcode::Write => vec![0xee; usize::from(length.min(most))],
                    _ => vec![0xee; 8],
                };
                let atomic = !matches!(opcode, Opcode::Read | Opcode::Write);
                if atomic && length != 8 && length != 64 {
                    continue;
                }
                self.one(named, pid, page, va + offset, opcode, length, &payload);
            }
        }
    }
    #[allow(clippy::too_many_arguments)]
    fn one(
        &mut self,
        named: Named,
        pid: u32,
        page: Page,
        va: u64,
        opcode: Opcode,
        length: u16,
        payload: &[u8],
    ) {
        let mut request = self.attacker.request(opcode, pid, va & (SPACE - 1), length);
        request.time = lock(&self.yard).ask_tick();
        self.attacker.send(&request, payload).expect("sent");
        let answer = self.attacker.answer(1 << 12).expect("an answer can be read");
        self.asked += 1;
        let case = format!("{named:?} {page:?} {opcode:?} at {va:#x} for {length}");
        let answer = answer.unwrap_or_else(|| panic!("{case}: no answer"));
        assert_eq!(answer.response.op_id, request.op_id, "{case}");
        if !Self::allowed(named, page, opcode) {
            assert!(!answer.is_ok(), "{case}: served");
        }
        if !answer.is_ok() {
            assert!(answer.payload.is_empty(), "{case}: a refusal tells {} bytes", answer.payload.len());
            assert_ne!(answer.response.status, Status::MemoryError, "{case}");
        }
        let secret = answer.payload.contains(&SECRET);
        assert!(!secret || named == Named::Victims, "{case}: it tells what is the victim's");
    }
}

fn nothing_changes<F: Ground>(yard: Shared<F>) -> u64 {
    let (mut scene, mut victim) = Scene::set(yard.clone());
    // The attacker's own page exists before, so that nothing but it may differ.
    let own = scene.pages.iter().filter(|(page, _)| matches!(page, Page::Own | Page::WriteOnly)).copied();
    for (_, va) in own.collect::<Vec<_>>() {
        assert!(scene.attacker.write(scene.own, va, &[0xee; 8]).expect("an answer").is_ok());
    }
    let before = scene.memory();
    scene.ask_for_everything();
    let after = scene.memory();
    // Of all memory, blocks that held the victim's bytes hold them still, and no others do.
    let blocks = |bytes: &[u8]| -> Vec<usize> {
        let held = bytes.chunks(64).enumerate().filter(|(_, block)| block.contains(&SECRET));
        held.map(|(n, _)| n).collect()
    };
    let (held, now) = (blocks(&before), blocks(&after));
    assert!(held.len() >= 4, "the victim's page is in memory");
    assert_eq!(held, now);
    let changed = held.iter().filter(|n| before[**n * 64..**n * 64 + 64] != after[**n * 64..**n * 64 + 64]);
    assert_eq!(changed.count(), 0, "blocks of the victim's that changed");
    let secret = scene.victims_pages[0].0;
    for at in [0, 64, scene.page / 2, scene.page - 64] {
        let read = victim.read(scene.victims, secret + at, 64).expect("an answer");
        assert_eq!((read.is_ok(), read.payload), (true, vec![SECRET; 64]), "at {at}");
    }
    assert!(victim.exit(scene.victims).expect("an answer").is_ok());
    assert!(scene.attacker.exit(scene.own).expect("an answer").is_ok());
    let asked = scene.asked;
    drop(scene);
    balances(&yard);
    assert!(lock(&yard).now_ns() > asked * CYCLE_NS);
    asked
}

#[test]
fn on_the_software_board() {
    let asked = nothing_changes(soft_yard(5));
    assert!(asked > 4_000, "{asked} cases");
}

#[test]
fn on_the_rtl() {
    let asked = nothing_changes(rtl_yard(RtlConfig::Tiny, 6));
    assert!(asked > 4_000, "{asked} cases");
}
