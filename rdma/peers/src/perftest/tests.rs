//! The service with sockets and a clock of its own, on a board that is told what was asked of it.
use std::io::Read;
use std::net::TcpListener;
use std::time::Instant;

use super::*;

/// Nanoseconds.
const SECOND: u64 = 1_000_000_000;

/// A board that makes what it is asked for.
#[derive(Default)]
struct Board {
    grounds: Option<Ground>,
    asked: Vec<String>,
}

impl TestGround for Board {
    fn ready(&self) -> bool {
        true
    }
    fn want(&mut self, place: usize) {
        self.asked.push(format!("want {place}"));
    }
    fn ground(&mut self, _: usize) -> Ground {
        self.grounds.unwrap_or(Ground::Ready { pid: 7, va: 0x1000 })
    }
    fn release(&mut self, place: usize) {
        self.asked.push(format!("release {place}"));
    }
}

impl TestPlace for Board {
    fn grounds(&mut self) -> &mut dyn TestGround {
        self
    }
    fn make(&mut self, pair: &TestPair, _: &mut ChaCha12Rng) -> Result<(u32, u32), NotMade> {
        self.asked.push(format!("make {} {}", pair.peer, pair.mtu.bytes()));
        Ok((5, 6))
    }
    fn end(&mut self, qpn: u32, rkey: u32) {
        self.asked.push(format!("end {qpn} {rkey}"));
    }
    fn progress(&mut self, _: u32) -> Option<(Psn, bool)> {
        Some((Psn::from_low_bits(7), false))
    }
}

fn service() -> (Perftest, SocketAddr) {
    // Ports that are free now: nobody else of this machine asks for one by its number.
    let free: Vec<TcpListener> = (0..3).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let [at, sends, send_lat] = [0, 1, 2].map(|n| free[n].local_addr().expect("an address"));
    drop(free);
    let sockets = Sockets { at, sends, send_lat, gids: Gids::Any, patience: Duration::from_secs(10) };
    (Perftest::listen(&sockets, Ipv4Addr::new(10, 0, 0, 9), [1; 32]).expect("it listens"), at)
}
/// Looks until something is so: what a socket is given is there a moment later.
fn until(service: &mut Perftest, now: u64, board: &mut Board, is: impl Fn(&Perftest) -> bool) {
    let began = Instant::now();
    while !is(service) {
        service.watch(now, board);
        assert!(began.elapsed() < Duration::from_secs(10), "it is never so");
        std::thread::sleep(Duration::from_millis(1));
    }
}
fn refused(service: &Perftest, why: Why) -> u64 {
    service.counted[why.place()]
}

#[test]
fn who_says_a_byte_now_and_then_has_no_more_time_than_who_says_nothing() {
    let (mut service, at) = service();
    let mut board = Board::default();
    let mut stream = TcpStream::connect(at).expect("it listens");
    until(&mut service, 0, &mut board, |service| service.busy() == 1);
    for second in [3, 6, 9] {
        stream.write_all(b"6").expect("sent");
        let filled = second as usize / 3;
        until(&mut service, second * SECOND, &mut board, |service| {
            service.tests.first().is_some_and(|test| test.talk.filled() == filled)
        });
    }
    service.watch(10 * SECOND, &mut board);
    assert_eq!((service.busy(), refused(&service, Why::Silent)), (0, 1));
    assert!(board.asked.is_empty(), "nothing was made for it: {:?}", board.asked);
    assert_eq!(stream.read(&mut [0; 1]).unwrap_or(0), 0, "it is hung up");
}

#[test]
fn a_test_has_a_queue_pair_from_its_keys_to_its_end() {
    let (mut service, at) = service();
    let mut board = Board { grounds: Some(Ground::Wait), ..Board::default() };
    let mut stream = TcpStream::connect(at).expect("it listens");
    let address = Ipv4Addr::new(10, 0, 0, 2);
    let own = Keys { qpn: 1, psn: Psn::from_low_bits(7), rkey: 2, va: 3, address };
    for message in ["6.12\0\0\0\0\0\0\0\0\0\0\0\0", "abcd", "efgh", "3\0", &own.message()] {
        stream.write_all(message.as_bytes()).expect("sent");
    }
    // Its memory takes longer than it would have time for: that is not its matter.
    for second in 0..40 {
        service.watch(second * SECOND, &mut board);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!((service.busy(), &board.asked[..]), (1, &["want 0".to_owned()][..]));
    board.grounds = None;
    until(&mut service, 40 * SECOND, &mut board, |service| service.counted[0] == 1);
    let mut said = [0; 16 + 4 + 4 + 2 + 108];
    stream.read_exact(&mut said).expect("answers");
    assert!(said.ends_with(b":00000000:\0"));
    drop(stream);
    until(&mut service, 41 * SECOND, &mut board, |service| service.busy() == 0);
    assert_eq!(refused(&service, Why::HungUp), 1);
    assert_eq!(board.asked, ["want 0", "make 10.0.0.2 1024", "end 5 6", "release 0"]);
}

#[test]
fn of_many_calls_few_have_places_and_the_others_are_hung_up() {
    let (mut service, at) = service();
    let mut board = Board::default();
    let calls: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(at).expect("it listens")).collect();
    until(&mut service, 0, &mut board, |service| refused(service, Why::Share) == 98);
    assert_eq!(service.busy(), MOST / 2);
    let is_open = |mut call: &TcpStream| {
        call.set_nonblocking(true).expect("set");
        matches!(call.read(&mut [0; 1]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    assert_eq!(calls.iter().filter(|call| is_open(call)).count(), MOST / 2);
    drop(calls);
    // Places come back with the streams.
    until(&mut service, SECOND, &mut board, |service| service.busy() == 0);
    assert_eq!(refused(&service, Why::HungUp), 2);
}
