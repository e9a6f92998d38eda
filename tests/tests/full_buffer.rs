//! A socket whose buffer is full: what did not leave is given back, nothing is lost without a word. Skipped, with a line
//! that says why, where there are no privileges.
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use mneme_link::{Interface, UdpBatch, UdpOptions};
use mneme_tests::rig::veth::{End, INTERFACE, Veth};
use rustix::net::sockopt;

/// More than a buffer holds of datagrams of this size.
const DATAGRAMS: u32 = 20_000;
const SIZE: usize = 1_400;

/// Until the address resolves, datagrams wait in the kernel and fill the socket's buffer.
fn fills(veth: &Veth, options: UdpOptions) {
    let silent = |on| veth.ip(End::Board, &["link", "set", INTERFACE, "arp", on]).expect("an interface");
    silent("off");
    let there = veth.at(End::Board, || UdpSocket::bind((Veth::address(End::Board), 0))).expect("a socket");
    sockopt::set_socket_recv_buffer_size_force(&there, 64 << 20).expect("root may have such a buffer");
    let to = there.local_addr().expect("an address");
    let mut batch = veth.at(End::Client, || {
        let waiting = format!("/proc/sys/net/ipv4/neigh/{INTERFACE}/unres_qlen_bytes");
        std::fs::write(waiting, "64000000").expect("a longer queue for the unknown neighbour");
        let local = (Veth::address(End::Client), 0).into();
        UdpBatch::connect(local, to, SIZE, options).expect("a socket")
    });
    let (clock, mut back) = (|| Duration::ZERO, Vec::new());
    let mut number = 0;
    while number < DATAGRAMS && back.is_empty() {
        let fill = &mut |to: &mut [u8]| to[..4].copy_from_slice(&number.to_be_bytes());
        let taken = batch.send(&clock, SIZE, fill);
        assert!(taken.is_ok() || taken.is_err_and(|error| mneme_link::is_loss(&error)));
        batch.take_back(&mut |datagram| back.push(first(datagram)));
        number += 1;
    }
    assert!(number < DATAGRAMS, "the buffer was never full: {options:?}");
    let flushed = batch.flush(&clock);
    assert!(flushed.is_err_and(|error| mneme_link::is_loss(&error)), "there is no room: {options:?}");
    batch.take_back(&mut |datagram| back.push(first(datagram)));
    // Now the neighbour is known, and all that left comes.
    let mac = veth.at(End::Board, || Interface::named(INTERFACE).expect("it is up").mac);
    let mac: Vec<_> = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    let board = Veth::address(End::Board).to_string();
    let known = ["neigh", "replace", &board, "lladdr", &mac.join(":"), "dev", INTERFACE, "nud", "permanent"];
    veth.ip(End::Client, &known).expect("a neighbour");
    there.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout");
    let (mut came, until, mut buffer) = (Vec::new(), Instant::now() + Duration::from_secs(20), [0; SIZE]);
    while came.len() + back.len() < number as usize && Instant::now() < until {
        if let Ok(length) = there.recv(&mut buffer) {
            came.push(first(&buffer[..length]));
        }
    }
    let told = format!("{} came and {} were given back of {number}: {options:?}", came.len(), back.len());
    let mut all = [came, back].concat();
    all.sort_unstable();
    assert!(all == (0..number).collect::<Vec<_>>(), "{told}");
    veth.ip(End::Client, &["neigh", "del", &board, "dev", INTERFACE]).expect("a neighbour");
    silent("on");
}

fn first(datagram: &[u8]) -> u32 {
    u32::from_be_bytes(datagram[..4].try_into().expect("four bytes"))
}

#[test]
fn what_a_full_buffer_does_not_take_is_given_back() {
    let Some(veth) = Veth::or_skip("what_a_full_buffer_does_not_take_is_given_back") else { return };
    for segmentation in [false, true] {
        fills(&veth, UdpOptions { segmentation, ..UdpOptions::default() });
    }
}
