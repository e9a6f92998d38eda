//! Both sides of the connection manager, message by message.
use mneme_rdma::cm::{
    Accepted, Ask, CONNECTIONS, ConnectConfig, ConnectError, Connector, Granted, Kind, Listener, Refusal,
};
use mneme_rdma::codec::cm::{MAD_LEN, Mad, Message, Pair};
use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::memory::Access;

const CLIENT: [u8; 4] = [10, 0, 0, 2];
const ASK: Ask = Ask {
    pid: 7,
    kind: Kind::Pages,
    access: Access::ALL,
    token: [9; 16],
    va: 0x1000,
    length: 0x2000,
    hardened: true,
};
const SECOND: u64 = 1_000_000_000;

fn config(id: u32) -> ConnectConfig {
    ConnectConfig {
        source: CLIENT,
        board: [10, 0, 0, 1],
        qpn: 0x321,
        from_board: Psn::from_low_bits(5),
        path_mtu: PathMtu::MAX,
        id,
        ask: ASK,
        patience: SECOND,
    }
}

fn connector(id: u32) -> Connector {
    Connector::new(config(id)).expect("a request")
}

/// The request of a connector that has just been made.
fn request(id: u32) -> [u8; MAD_LEN] {
    connector(id).poll(0).expect("there is time").expect("a request")
}

fn accepted(qpn: u32) -> Accepted {
    let Ask { pid, kind, access, va, length, .. } = ASK;
    Accepted {
        qpn,
        starting_psn: Psn::from_low_bits(77),
        granted: Granted { pid, kind, access, rkey: 0xabc, va, length },
        chain: None,
    }
}

/// Gives a listener a datagram that it must not ask anybody about.
fn tell(listener: &mut Listener, bytes: &[u8]) -> (Option<[u8; MAD_LEN]>, Option<u32>) {
    let (reply, ended) = listener.receive(0, CLIENT, bytes, |_| panic!("nobody is to be asked"));
    (reply, ended.map(|ended| ended.qpn))
}

#[test]
fn a_connection_is_made_once_and_ended_once_whatever_comes_twice() {
    let mut listener = Listener::default();
    let mut client = connector(1);
    let request = client.poll(0).expect("there is time").expect("a request");
    assert_eq!(client.poll(1), Ok(None));
    assert_eq!(client.poll(SECOND / 2), Ok(Some(request)), "sent again");
    let (reply, _) = listener.receive(0, CLIENT, &request, |asked| {
        assert_eq!((asked.ask, asked.request.qpn, asked.request.starting_psn.number()), (ASK, 0x321, 5));
        Ok(accepted(0x1abc))
    });
    let reply = reply.expect("a reply");
    assert_eq!(tell(&mut listener, &request), (Some(reply), None), "the same again");
    let (connected, ready) = client.receive(&reply).expect("sound").expect("connected");
    assert_eq!((connected.qpn, connected.starting_psn.number(), connected.granted.rkey), (0x1abc, 77, 0xabc));
    assert_eq!(client.receive(&reply), Ok(Some((connected, ready))), "the listener did not hear it");
    assert_eq!(client.poll(SECOND / 2 + SECOND / 4), Ok(None));
    assert_eq!(listener.half_open().collect::<Vec<_>>(), [0x1abc]);
    assert_eq!(tell(&mut listener, &ready), (None, None));
    assert_eq!(listener.half_open().count(), 0);
    assert!(listener.on_time(1000 * SECOND).is_none(), "it stays");
    let end = Connector::end(&connected).expect("a message");
    let (answer, ended) = tell(&mut listener, &end);
    assert_eq!((ended, listener.len()), (Some(0x1abc), 0));
    assert!(matches!(
        Mad::parse(&answer.expect("one")).map(|mad| mad.message),
        Ok(Message::DisconnectReply { .. })
    ));
    assert_eq!(tell(&mut listener, &end), (answer, None), "its answer was lost");
    let seen = *listener.counters();
    assert_eq!((seen.accepted, seen.repeated, seen.disconnected), (1, 1, 1));
}

#[test]
fn a_client_that_begins_anew_under_the_same_number_gets_another_connection() {
    let mut listener = Listener::default();
    let first = request(1);
    listener.receive(0, CLIENT, &first, |_| Ok(accepted(0x1001)));
    // Restarted, with the same number and another queue pair.
    let mut again = Connector::new(ConnectConfig { qpn: 0x322, ..config(1) }).expect("a request");
    let request = again.poll(0).expect("there is time").expect("a request");
    let (_, ended) = listener.receive(0, CLIENT, &request, |_| Err(Refusal::Process));
    assert_eq!((ended, tell(&mut listener, &first).1), (None, None), "who is refused ends nothing");
    let (reply, ended) = listener.receive(0, CLIENT, &request, |_| Ok(accepted(0x1002)));
    let (connected, _) = again.receive(&reply.expect("one")).expect("sound").expect("connected");
    assert_eq!((connected.qpn, ended.map(|ended| ended.qpn)), (0x1002, Some(0x1001)));
    assert_eq!((listener.len(), listener.counters().stale, listener.counters().repeated), (1, 1, 1));
}

#[test]
fn only_the_client_itself_ends_its_connection() {
    let mut listener = Listener::default();
    listener.receive(0, CLIENT, &request(1), |_| Ok(accepted(0x1001)));
    let end = |ids, remote_qpn| {
        Message::DisconnectRequest { ids, remote_qpn, private: &[] }.to_bytes(1).expect("a message")
    };
    let right = Pair { local: 1, remote: 1 };
    assert_eq!(tell(&mut listener, &end(Pair { remote: 2, ..right }, 0x1001)), (None, None));
    assert_eq!(tell(&mut listener, &end(right, 0x1002)), (None, None));
    let (_, ended) = listener.receive(0, [10, 0, 0, 3], &end(right, 0x1001), |_| unreachable!());
    assert_eq!((ended, listener.len(), listener.counters().unexpected), (None, 1, 2));
    assert_eq!(tell(&mut listener, &end(right, 0x1001)).1, Some(0x1001));
}

#[test]
fn refusals_tell_why_and_leave_nothing_behind() {
    let mut listener = Listener::default();
    let mut client = connector(1);
    let request = client.poll(0).expect("there is time").expect("a request");
    let (reply, _) = listener.receive(0, CLIENT, &request, |_| Err(Refusal::Process));
    assert_eq!(client.receive(&reply.expect("one")), Err(ConnectError::Refused(Refusal::Process)));
    // From another address than it names.
    let (reply, _) = listener.receive(0, [10, 0, 0, 3], &request, |_| panic!("nobody is asked"));
    assert_eq!(connector(1).receive(&reply.expect("one")), Err(ConnectError::Refused(Refusal::Address)));
    // Another service: offsets of IBTA volume 1, 12.6.5, behind the header of 24 bytes.
    let mut other = request;
    other[24 + 15] ^= 1;
    let (reply, _) = listener.receive(0, CLIENT, &other, |_| panic!("nobody is asked"));
    assert_eq!(connector(1).receive(&reply.expect("one")), Err(ConnectError::Rejected(8)));
    assert_eq!((listener.len(), listener.counters().refused), (0, 3));
    assert_eq!(tell(&mut listener, &[1; 100]), (None, None));
    assert_eq!(listener.counters().malformed, 1);
    // Nobody answers.
    let mut client = connector(2);
    assert!(matches!(client.poll(5), Ok(Some(_))));
    assert_eq!(client.poll(5 + SECOND), Err(ConnectError::Silent));
    // What is said to others.
    assert_eq!(connector(3).receive(&reply.expect("one")), Ok(None));
}

#[test]
fn connections_are_bounded_and_half_open_ones_end() {
    let mut listener = Listener::default();
    for id in 0..CONNECTIONS as u32 {
        listener.receive(0, CLIENT, &request(id), |_| Ok(accepted(0x1000 + id)));
    }
    let id = CONNECTIONS as u32;
    let (reply, _) = listener.receive(0, CLIENT, &request(id), |_| panic!("it is full"));
    assert_eq!(connector(id).receive(&reply.expect("one")), Err(ConnectError::Refused(Refusal::Full)));
    listener.heard(0x1005);
    assert!(listener.on_time(9 * SECOND).is_none());
    let ended = std::iter::from_fn(|| listener.on_time(11 * SECOND)).count();
    assert_eq!((ended, listener.len()), (CONNECTIONS - 1, 1));
    listener.forget(0x1005);
    assert!(listener.is_empty());
}

#[test]
fn a_client_that_is_asked_says_that_it_is_there() {
    let mut listener = Listener::default();
    let mut client = connector(1);
    let request = client.poll(0).expect("there is time").expect("a request");
    let (reply, _) = listener.receive(0, CLIENT, &request, |_| Ok(accepted(0x1abc)));
    let (_, ready) = client.receive(&reply.expect("one")).expect("sound").expect("connected");
    assert_eq!(listener.probe(0x1abc), None, "it has not been heard of yet");
    assert_eq!(tell(&mut listener, &ready), (None, None));
    assert_eq!((listener.take_ready(), listener.take_ready()), (Some(0x1abc), None));
    assert_eq!(listener.probe(0x1abd), None, "nobody's");
    let (peer, probe) = listener.probe(0x1abc).expect("there is one");
    assert_eq!((peer, Some(probe)), (CLIENT, reply), "what it was told when the connection was made");
    let (_, again) = client.receive(&probe).expect("sound").expect("it stands");
    assert_eq!(again, ready);
    // Of another address, or with another number, it tells nothing.
    let (answer, _) = listener.receive(0, [10, 0, 0, 3], &again, |_| panic!("nobody is asked"));
    assert_eq!((answer, listener.take_ready()), (None, None));
    let wrong = Message::ReadyToUse { ids: Pair { local: 1, remote: 77 }, private: &[] };
    tell(&mut listener, &wrong.to_bytes(1).expect("a message"));
    assert_eq!(listener.take_ready(), None);
    tell(&mut listener, &again);
    assert_eq!(listener.take_ready(), Some(0x1abc));
    let seen = *listener.counters();
    assert_eq!((seen.probes, seen.probes_answered, seen.unexpected), (1, 1, 2));
}
