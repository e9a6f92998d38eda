//! A chain client's calls, one at a time.
use mneme_rdma::client::{ChainDone, Unstored};
use mneme_rdma::node::FRAME;
use mneme_rdma::udp::ChainConnection;

use crate::suite::pattern;

/// Bytes of a page.
const PAGE: usize = FRAME as usize;

/// A page's worth of a pattern.
pub fn page(seed: u64) -> [u8; PAGE] {
    pattern(seed, PAGE).try_into().expect("a page")
}
/// Waits for the next request to end.
pub fn ended(client: &mut ChainConnection) -> ChainDone {
    client.wait().expect("the socket works").expect("a request")
}
/// Loads a page that somebody has stored, which must be served.
pub fn load(client: &mut ChainConnection, page: u32) -> Vec<u8> {
    client.chain.learn(page, true).expect("no request of it");
    client.chain.load(page).expect("sent");
    let done = ended(client);
    assert_eq!(done.result, Ok(()), "load of page {page}");
    done.bytes.expect("bytes")
}
/// Stores a page; how it ended.
pub fn store(client: &mut ChainConnection, page: u32, bytes: &[u8; PAGE]) -> Result<(), Unstored> {
    client.chain.store(page, bytes).expect("sent");
    ended(client).result
}
/// Gives a page up; how it ended.
pub fn invalidate(client: &mut ChainConnection, page: u32) -> Result<(), Unstored> {
    client.chain.invalidate(page).expect("sent");
    ended(client).result
}
