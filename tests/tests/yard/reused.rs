//! Pages go from tenant to tenant: nobody ever reads a byte of the one before.
use mneme_rtl::RtlConfig;
use mneme_tests::yard::{Ground, Raw, Shared, lock};
use mneme_wire::Rights;
use mneme_wire::pte;

use crate::{balances, many, rtl_yard, soft_yard};

/// Pages that change hands.
const FEW: u64 = 400;
/// What a tenant leaves in all of its page.
const OLD: u8 = 0xa5;
/// Bytes that the next tenant writes, and those that it reads.
const NEW: [u8; 8] = *b"of mine.";
const READ: u16 = 256;

/// The physical page behind an address.
fn physical<F: Ground>(yard: &Shared<F>, pid: u32, va: u64) -> u64 {
    let mut yard = lock(yard);
    let geometry = yard.node().slow().inspect(|space| space.geometry());
    let (bucket, tag) = (geometry.bucket(pid, geometry.vpn(va)) * 64, geometry.tag(pid, geometry.vpn(va)));
    let mut bytes = [0; 64];
    // What the board has in its own copy is what it has written there: entries of other states are not looked for.
    yard.node().fast().read_memory(bucket, &mut bytes);
    let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    let mine = |word: &u64| word & pte::VALID != 0 && geometry.entry_tag(*word) == tag;
    let mut found = words.filter(mine).map(|word| geometry.entry_ppn(word));
    found.next().expect("a page that was written to has an entry")
}

/// Two tenants in turn: each fills its page to the last byte, and the next one must find none of it. Answers how many of the pages
/// had been somebody's before.
fn change_hands<F: Ground>(yard: &Shared<F>, count: u64) -> u64 {
    let mut tenants = [1, 2].map(|n| Raw::new(yard, [10, 78, 1, n], 20_000).expect("the board answers"));
    let pids = [0, 1].map(|n: usize| tenants[n].open(0).expect("a process"));
    let page = tenants[0].page();
    let (mut seen, mut reused) = (std::collections::BTreeSet::new(), 0);
    let (mut bytes, old) = (vec![0; page as usize], vec![OLD; page as usize]);
    for round in 0..count {
        let turn = (round % 2) as usize;
        let (tenant, pid) = (&mut tenants[turn], pids[turn]);
        let va = tenant.alloc(pid, 1, Rights::READ_WRITE).expect("a page");
        let untouched = tenant.read(pid, va + round % 64 * 512, READ).expect("an answer");
        assert!(
            untouched.is_ok() && untouched.payload.iter().all(|byte| *byte == 0),
            "a page that nobody wrote to"
        );
        let at = round % (page / 8) * 8;
        assert!(tenant.write(pid, va + at, &NEW).expect("an answer").is_ok());
        let around = (va + at).saturating_sub(128).max(va).min(va + page - u64::from(READ));
        let read = tenant.read(pid, around, READ).expect("an answer");
        assert!(read.is_ok() && !read.payload.contains(&OLD), "round {round}: bytes of another tenant");
        // The whole page at once, as memory has it.
        let number = physical(yard, pid, va);
        reused += u64::from(!seen.insert(number));
        let mut held = lock(yard);
        held.node().fast().read_memory(number * page, &mut bytes);
        let wrong =
            bytes.iter().enumerate().find(|(n, byte)| **byte != 0 && !(at..at + 8).contains(&(*n as u64)));
        assert_eq!(wrong, None, "round {round}: physical page {number} holds what nobody wrote");
        assert_eq!(bytes[at as usize..at as usize + 8], NEW);
        held.node().fast().write_memory(number * page, &old);
        drop(held);
        let freed = tenants[turn].free(pid, va).expect("an answer");
        assert!(freed.is_ok(), "FREE was answered {}", freed.words());
    }
    for (turn, pid) in pids.into_iter().enumerate() {
        assert!(tenants[turn].exit(pid).expect("an answer").is_ok());
    }
    balances(yard);
    reused
}

#[test]
fn on_the_software_board() {
    let count = many(FEW);
    let reused = change_hands(&soft_yard(3), count);
    assert!(reused > count * 3 / 4, "{reused} of {count} had been somebody's");
}

#[test]
fn on_the_rtl() {
    let count = many(10 * FEW).div_ceil(100).max(FEW / 4);
    let reused = change_hands(&rtl_yard(RtlConfig::Tiny, 4), count);
    assert!(reused > count / 4, "{reused} of {count} had been somebody's");
}
