//! The forms in which calls can be made: several buffers or ranges at once, typed values, calls that leave together, buffers
//! that a call owns, one client in several threads. They give what single calls give.
use std::io::{IoSlice, IoSliceMut};
use std::thread;

use mneme_clib::{OpenOptions, ReadPart, RemoteBox, RemoteSlice, Rights, WritePart};
use mneme_wire::{Cause, Status};

use super::{assert_refused, pattern, read, whole_pages};
use crate::rig::{Config, Rig};

/// One range from and into several buffers, several ranges in one call, both across pages, at once and later.
pub fn several_buffers_and_ranges<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size();
    let base = process.ralloc_with(3 * page, whole_pages()).expect("alloc");
    let data = pattern(5, 9_000);
    let (first, rest) = data.split_at(17);
    let (second, third) = rest.split_at(4_000);
    let va = base + page - 3_000;
    process.rwritev(va, &[first, second, third].map(IoSlice::new)).expect("write");
    assert!(read(&process, va, data.len()) == data);
    let again = [third, first, second].map(IoSlice::new);
    process.rwritev_async(va, &again).wait().expect("write later");
    let (mut head, mut middle, mut tail) = (vec![0; third.len()], [0; 17], vec![0; 4_000]);
    let mut into = [&mut head[..], &mut middle, &mut tail].map(IoSliceMut::new);
    process.rreadv(va, &mut into).expect("read");
    assert!(head == third && middle == first && tail == second);
    // Ranges of one batch lie anywhere, also behind each other in memory.
    let places = [base + 2 * page + 5, base + 64, base + page + 1_000];
    let parts = [first, second, third];
    let batch: Vec<_> = places.iter().zip(parts).map(|(va, from)| WritePart { va: *va, from }).collect();
    process.rwrite_batch(&batch).expect("write a batch");
    let mut buffers = parts.map(|part| vec![0xa5; part.len()]);
    let mut wanted: Vec<_> =
        places.iter().zip(&mut buffers).map(|(va, into)| ReadPart { va: *va, into }).collect();
    process.rread_batch_async(&mut wanted).wait().expect("read a batch later");
    assert!(buffers.iter().zip(parts).all(|(read, written)| read == written));
    let ranges: Vec<_> = places.iter().zip(parts).map(|(va, part)| (*va, part.len())).collect();
    let read = process.rread_batch_owned_async(&ranges, Vec::new()).wait().expect("read into one buffer");
    assert!(read == parts.concat());
    process.exit().expect("exit");
}

/// Values and slices of this client, which another one attaches to.
pub fn typed_values<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let other = rig.join(&process);
    let values: Vec<[u32; 5]> = (0..700).map(|n| [n, n * n, !n, 7, n << 9]).collect();
    let mut slice = RemoteSlice::new(&process, &values).expect("a slice");
    let word = RemoteBox::new(&process, &40u64).expect("a word");
    let attached = RemoteSlice::<[u32; 5]>::attach(&other, slice.va(), slice.len()).expect("attach");
    assert!(attached.to_vec().expect("read") == values);
    slice.set(699, &[1; 5]).expect("write");
    slice.write_async(3, &[[2; 5]; 2]).wait().expect("write later");
    let mut seen = [[0; 5]; 3];
    attached.read_async(2, &mut seen).wait().expect("read later");
    assert_eq!((seen, attached.get(699).expect("read")), ([values[2], [2; 5], [2; 5]], [1; 5]));
    let shared = RemoteBox::<u64>::attach(&other, word.va()).expect("attach");
    assert_eq!((shared.fetch_add(2).expect("add"), word.swap(1).expect("swap")), (40, 42));
    assert_eq!(shared.get_async().wait().expect("read later"), 1);
    drop((attached, shared));
    slice.free().expect("free");
    drop(word);
    process.rrelease().expect("what was dropped is freed");
    process.exit().expect("exit");
}

/// Calls in a cork leave together and all end; buffers that a call owns come back.
pub fn corked_and_owned<R: Rig>() {
    let rig = R::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let page = process.page_size();
    let base = process.ralloc_with(4 * page, whole_pages()).expect("alloc");
    let block = |n: u64| pattern(n, 2_000);
    let writes: Vec<_> =
        client.corked(|| (0..24).map(|n| process.rwrite_owned_async(base + n * 2_500, block(n))).collect());
    for (n, write) in (0..).zip(writes) {
        assert!(write.wait().expect("write") == block(n), "the buffer comes back");
    }
    let reads: Vec<_> = client
        .corked(|| (0..24).map(|n| process.rread_owned_async(base + n * 2_500, vec![0xa5; 2_000])).collect());
    for (n, read) in (0..).zip(reads) {
        assert!(read.wait().expect("read") == block(n), "block {n}");
    }
    process.exit().expect("exit");
}

/// Threads that share one client take turns: no increment is lost, and each sees its own data.
pub fn threads_of_one_client<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size();
    let base = process.ralloc_with(5 * page, whole_pages()).expect("alloc");
    process.rwrite(base, &[0; 8]).expect("write");
    thread::scope(|scope| {
        for n in 1..=4u64 {
            let process = &process;
            scope.spawn(move || {
                for round in 0..15 {
                    let data = pattern(n * 100 + round, 3_000);
                    let later = process.fetch_add_async(base, 1);
                    process.rwrite(base + n * page, &data).expect("write");
                    assert!(read(process, base + n * page, data.len()) == data, "thread {n}");
                    later.wait().expect("add");
                }
            });
        }
    });
    assert_eq!(read(&process, base, 8), 60u64.to_le_bytes());
    process.exit().expect("exit");
}

/// A change of rights waits for what is under way, and what follows it waits for the change.
pub fn rights_change_between_calls<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size();
    let base = process.ralloc_with(page, whole_pages()).expect("alloc");
    for turn in 0..4 {
        let before = process.rwrite_async(base, &pattern(turn, 5_000));
        process.rprotect(base, page, Rights::READ_ONLY).expect("protect");
        let after = process.rwrite_async(base, &[0; 5_000]);
        before.wait().expect("the rights were still there");
        assert_refused(after.wait(), Status::Denied, Cause::Rights);
        assert!(read(&process, base, 5_000) == pattern(turn, 5_000), "turn {turn}");
        process.rprotect(base, page, Rights::READ_WRITE).expect("protect");
    }
    process.exit().expect("exit");
}
