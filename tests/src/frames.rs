//! Pages of 4 KB under clients of every kind.
use mneme_clib::{AllocOptions, Process};
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::memory::Access;
use mneme_rdma::node::FRAME;
use mneme_rdma::udp::{ChainConnection, NativeClient};

use crate::chain::{load, page, store};
use crate::native::{native_read, native_write};
use crate::suite::read;

/// Bytes of a page.
const PAGE: usize = FRAME as usize;

/// An allocation in pages of 4 KB, so many at most; 0: as many as it has.
pub fn frames(most: u64) -> AllocOptions {
    AllocOptions { frames: Some(most), ..AllocOptions::default() }
}
/// Asks for a native connection to a range of such pages.
pub fn ask(process: &Process, va: u64, length: u64) -> Ask {
    Ask {
        pid: process.pid(),
        kind: Kind::Frames,
        access: Access::ALL,
        token: process.token(),
        va,
        length,
        hardened: false,
    }
}

/// Each of three clients writes a page that nobody has written before, pages 3 to 5 from `va` on, and the other two read it;
/// then all three write into page 3.
pub fn meet(process: &Process, native: &mut NativeClient, chain: &mut ChainConnection, va: u64) {
    let at = |page: u64| va + page * FRAME;
    process.rwrite(at(3), &page(1)).expect("written");
    native_write(native, at(4), &page(2)).expect("written");
    store(chain, 5, &page(3)).expect("stored");
    for (number, seed) in [(3, 1), (4, 2), (5, 3)] {
        assert_eq!(read(process, at(number), PAGE), page(seed), "page {number} by the library");
        assert_eq!(native_read(native, at(number), PAGE), page(seed), "page {number} by RDMA");
        assert_eq!(load(chain, number as u32), page(seed), "page {number} by a chain");
    }
    store(chain, 3, &page(4)).expect("stored");
    native_write(native, at(3) + 100, b"native").expect("written");
    process.rwrite(at(3) + 106, b"library").expect("written");
    let mut expected = page(4);
    expected[100..113].copy_from_slice(b"nativelibrary");
    assert_eq!(read(process, at(3), PAGE), expected);
    assert_eq!(native_read(native, at(3), PAGE), expected);
    assert_eq!(load(chain, 3), expected);
}
