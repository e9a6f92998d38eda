//! Native clients and ODRP's on a served board of RTL, whose packets take less than a page: 256 to 2,048 bytes.
use mneme_clib::OpenOptions;
use mneme_daemon::rdma::SILENT;
use mneme_rdma::codec::PathMtu;
use mneme_rdma::node::FRAME;
use mneme_rdma::udp::{ChainConnection, ChainOptions, NativeClient};
use mneme_tests::chain::{ended, load, page, store};
use mneme_tests::frames::{ask, frames, meet};
use mneme_tests::native::{done, native_read, native_write};
use mneme_tests::served::RdmaBoard;
use mneme_tests::suite::{pattern, read};

const PAGE: usize = FRAME as usize;
const MB: u64 = 1 << 20;
/// Pages of each kind that are under way at a time.
const MANY: u32 = 8;

/// Stores of chains beside WRITEs of native clients, then loads beside READs, each of other pages. Each finds what the other one has put
/// there.
fn many_at_once(native: &mut NativeClient, chain: &mut ChainConnection, va: u64) {
    let (own, others) = (16..16 + MANY, 32..32 + MANY);
    for (mine, other) in own.clone().zip(others.clone()) {
        chain.chain.store(mine, &page(mine.into())).expect("sent");
        let at = va + u64::from(other) * FRAME;
        native.native.write(at, page(other.into()).to_vec(), None, false).expect("posted");
    }
    for _ in own.clone() {
        assert_eq!((ended(chain).result, done(native).result), (Ok(()), Ok(())));
    }
    for (mine, other) in own.clone().zip(others.clone()) {
        chain.chain.learn(other, true).expect("no request of it");
        chain.chain.load(other).expect("sent");
        native.native.read(va + u64::from(mine) * FRAME, vec![0; PAGE]).expect("posted");
    }
    for mine in own {
        let read = done(native);
        assert!(
            read.result == Ok(()) && read.buffer == Some(page(mine.into()).to_vec()),
            "READ of page {mine}"
        );
        let loaded = ended(chain);
        let expected = page(loaded.page.into()).to_vec();
        assert!(loaded.result == Ok(()) && loaded.bytes == Some(expected), "load of page {}", loaded.page);
    }
}

#[test]
fn clients_of_every_path_mtu_meet_in_the_same_bytes_of_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    for bytes in [256, 512, 1024, 2048] {
        let path_mtu = PathMtu::new(bytes).expect("a path MTU");
        let va = process.ralloc_with(MB, frames(0)).expect("alloc");
        let mut native = board.rdma_by(ask(&process, va, MB), path_mtu).expect("a connection");
        let options = ChainOptions { path_mtu, ..ChainOptions::default() };
        let mut chain = board.chain(ask(&process, va, MB), options).expect("four connections");
        meet(&process, &mut native, &mut chain, va);
        many_at_once(&mut native, &mut chain, va);
        // Neither begins nor ends where a page or a packet does.
        let (at, written) = (va + 64 * FRAME + 4_001, pattern(bytes.into(), 3 * PAGE + 77));
        let packets = |native: &NativeClient| (native.native.seen().sent, native.counters().received);
        let before = packets(&native);
        assert_eq!(native_write(&mut native, at, &written), Ok(()));
        let least = written.len().div_ceil(usize::from(bytes)) as u64;
        assert!(packets(&native).0 - before.0 >= least, "a WRITE of {least} packets");
        assert!(read(&process, at, written.len()) == written, "the library, path MTU {bytes}");
        let before = packets(&native);
        assert!(native_read(&mut native, at, written.len()) == written, "a READ, path MTU {bytes}");
        assert!(packets(&native).1 - before.1 >= least, "responses of {least} packets");
        // Whole pages of it by chains, which then change the middle one.
        let all = read(&process, va + 64 * FRAME, 4 * PAGE);
        let before = chain.counters().received;
        for (number, expected) in (64..68).zip(all.chunks(PAGE)) {
            assert!(load(&mut chain, number) == expected, "page {number}, path MTU {bytes}");
        }
        let least = 4 * PAGE as u64 / u64::from(bytes);
        assert!(chain.counters().received - before >= least, "loads of {least} packets");
        let before = chain.counters().sent;
        store(&mut chain, 66, &page(1)).expect("stored");
        assert!(
            chain.counters().sent - before > PAGE as u64 / u64::from(bytes),
            "a store of several packets"
        );
        let expected = [&all[..2 * PAGE], &page(1), &all[3 * PAGE..]].concat();
        assert!(native_read(&mut native, va + 64 * FRAME, 4 * PAGE) == expected, "path MTU {bytes}");
        drop((native, chain));
        process.rfree(va).expect("freed");
    }
    assert_eq!(board.end()("memory denied"), 0);
}
