//! The codec as its users see it: what is written is read the same, and nothing that is read can panic.
use mneme_rdma::codec::cm::{IpService, Mad, MadError, Message, Pair, Reply, Request, Timing};
use mneme_rdma::codec::frame::Datagram;
use mneme_rdma::codec::icrc::icrc;
use mneme_rdma::codec::profile::{Arguments, Chain, Field, Profile, ProfileError};
use mneme_rdma::codec::{
    Aeth, AtomicEth, Bth, Deth, Extension, Extensions, FrameError, Opcode, Packet, PacketError, PathMtu,
    Payload, Psn, Reth, RoceFrame, Syndrome, Transport,
};
use mneme_wire::frame::Endpoints;
use proptest::prelude::*;

fn endpoints() -> impl Strategy<Value = Endpoints> {
    (any::<[u8; 6]>(), any::<[u8; 6]>(), any::<[u8; 4]>(), any::<[u8; 4]>(), any::<u16>()).prop_map(
        |(src_mac, dst_mac, src_ip, dst_ip, src_port)| Endpoints {
            src_mac,
            dst_mac,
            src_ip,
            dst_ip,
            src_port,
            dst_port: 4791,
        },
    )
}

fn bth() -> impl Strategy<Value = Bth> {
    (any::<[bool; 5]>(), any::<u16>(), 0..1u32 << 24, any::<u32>()).prop_map(|(b, pkey, dest_qp, psn)| Bth {
        solicited: b[0],
        migrated: b[1],
        fecn: b[2],
        becn: b[3],
        ack_request: b[4],
        pkey,
        dest_qp,
        psn: Psn::from_low_bits(psn),
        ..Bth::default()
    })
}

/// Every header an opcode brings, with any content.
fn extensions(opcode: Opcode) -> impl Strategy<Value = Extensions> {
    (any::<[u64; 3]>(), any::<[u32; 4]>(), any::<u8>()).prop_map(move |(long, short, byte)| {
        let low = short[0] & 0xff_ffff;
        let all = Extensions {
            deth: Some(Deth { qkey: short[1], source_qp: low }),
            reth: Some(Reth { va: long[0], rkey: short[1], length: short[2] }),
            atomic: Some(AtomicEth { va: long[0], rkey: short[1], swap_or_add: long[1], compare: long[2] }),
            aeth: Some(Aeth { syndrome: Syndrome::from_number(byte), msn: low }),
            original: Some(long[1]),
            immediate: Some(short[2]),
            invalidate: Some(short[3]),
        };
        let has = |extension| opcode.has(extension);
        Extensions {
            deth: all.deth.filter(|_| has(Extension::Deth)),
            reth: all.reth.filter(|_| has(Extension::Reth)),
            atomic: all.atomic.filter(|_| has(Extension::AtomicEth)),
            aeth: all.aeth.filter(|_| has(Extension::Aeth)),
            original: all.original.filter(|_| has(Extension::AtomicAckEth)),
            immediate: all.immediate.filter(|_| has(Extension::Immediate)),
            invalidate: all.invalidate.filter(|_| has(Extension::Ieth)),
        }
    })
}

fn parts() -> impl Strategy<Value = (Bth, Opcode, Extensions, Vec<u8>)> {
    (bth(), proptest::sample::select(Opcode::ALL)).prop_flat_map(|(bth, opcode)| {
        let most = if opcode.payload() == Payload::Any { PathMtu::MAX.bytes() } else { 0 };
        let payload = proptest::collection::vec(any::<u8>(), 0..=most);
        (Just(bth), Just(opcode), extensions(opcode), payload)
    })
}

proptest! {
    #[test]
    fn a_frame_is_read_as_it_was_written((bth, opcode, extensions, payload) in parts(), endpoints in endpoints()) {
        let packet = Packet { bth, opcode, extensions, payload: &payload };
        let mut frame = vec![0xee; 6000];
        let length = RoceFrame::emit(&endpoints, &packet, &mut frame).expect("there is room");
        let read = RoceFrame::parse(&frame[..length]).expect("sound");
        prop_assert_eq!(read.endpoints, endpoints);
        let got = Packet::parse(read.transport).expect("sound");
        let pad = (payload.len().next_multiple_of(4) - payload.len()) as u8;
        let bth = Bth { opcode: opcode.number(), pad, ..bth };
        prop_assert_eq!(got, Packet { bth, opcode, extensions, payload: &payload });
        prop_assert_eq!(got.wire_len(), read.transport.len());
        // Room is needed to the last byte.
        let short = RoceFrame::emit(&endpoints, &packet, &mut frame[..length - 1]);
        let no_room = matches!(short, Err(FrameError::Packet(PacketError::NoRoom { .. })));
        prop_assert!(no_room);
    }

    #[test]
    fn one_wrong_bit_that_no_router_changes_is_found(
        (bth, opcode, extensions, payload) in parts(),
        bit in any::<prop::sample::Index>(),
    ) {
        let packet = Packet { bth, opcode, extensions, payload: &payload };
        let mut frame = vec![0; 6000];
        let length = RoceFrame::emit(&Endpoints::default(), &packet, &mut frame).expect("there is room");
        let bit = bit.index((length - 14) * 8) + 14 * 8;
        frame[bit / 8] ^= 1 << (bit % 8);
        // The congestion byte of the base transport header and UDP's checksum are all that is neither in the ICRC nor in
        // IPv4's checksum; a checksum that is not 0 is then wrong.
        prop_assert_eq!(RoceFrame::parse(&frame[..length]).is_ok(), bit / 8 == 42 + 4);
    }

    #[test]
    fn any_bytes_give_a_packet_or_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Err(error) = Packet::parse(&bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Err(error) = Mad::parse(&bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn a_connection_request_is_read_as_it_was_written(
        ids in any::<[u32; 4]>(),
        long in any::<[u64; 2]>(),
        small in any::<[u8; 8]>(),
        gids in any::<[[u8; 16]; 2]>(),
        code in 1..=5u8,
        private in proptest::collection::vec(any::<u8>(), 0..=92),
    ) {
        let mut padded = private.clone();
        padded.resize(92, 0);
        let request = Request {
            local_id: ids[0],
            service: long[0],
            ca_guid: long[1],
            qkey: ids[1],
            qpn: ids[2] >> 8,
            responder_resources: small[0],
            initiator_depth: small[1],
            flow_control: small[2] & 1 == 1,
            starting_psn: Psn::from_low_bits(ids[3]),
            timing: Timing {
                remote_response: small[2] >> 3,
                local_response: small[3] >> 3,
                retry: small[3] & 7,
                rnr_retry: small[4] & 7,
                cm_retries: small[4] >> 4,
                ack_timeout: small[5] >> 3,
            },
            pkey: ids[3] as u16,
            path_mtu: PathMtu::from_code(code).expect("a code"),
            shared_receive: small[5] & 1 == 1,
            local_gid: gids[0],
            remote_gid: gids[1],
            flow_label: ids[1] >> 12,
            packet_rate: small[6] & 0x3f,
            traffic_class: small[7],
            hop_limit: small[6],
            service_level: small[7] >> 4,
            subnet_local: small[7] & 1 == 1,
            private: &private,
        };
        let bytes = Message::Request(request).to_bytes(long[1]).expect("it fits");
        let mad = Mad::parse(&bytes).expect("sound");
        prop_assert_eq!(mad.message, Message::Request(Request { private: &padded, ..request }));
        prop_assert_eq!((mad.transaction, mad.status), (long[1], 0));
    }

    #[test]
    fn other_messages_are_read_as_they_were_written(
        ids in any::<[u32; 4]>(),
        byte in any::<[u8; 4]>(),
        private in proptest::collection::vec(any::<u8>(), 224),
    ) {
        let pair = Pair { local: ids[0], remote: ids[1] };
        let (which, p) = (byte[0] & 3, &private[..]);
        let messages = [
            Message::Acknowledge { ids: pair, which, timeout: byte[1] >> 3, private: &p[..222] },
            Message::Reject {
                ids: pair, which, length: byte[1] >> 1, reason: ids[2] as u16, information: &p[..72],
                private: &p[..148],
            },
            Message::Reply(Reply {
                ids: pair, qkey: ids[2], qpn: ids[3] >> 8, starting_psn: Psn::from_low_bits(ids[2]),
                responder_resources: byte[0], initiator_depth: byte[1], ack_delay: byte[2] >> 3, failover: which,
                flow_control: byte[3] & 1 == 1, rnr_retry: byte[3] >> 5, shared_receive: byte[3] & 2 == 2,
                ca_guid: u64::from(ids[3]) << 20, private: &p[..196],
            }),
            Message::ReadyToUse { ids: pair, private: p },
            Message::DisconnectRequest { ids: pair, remote_qpn: ids[2] >> 8, private: &p[..220] },
            Message::DisconnectReply { ids: pair, private: p },
        ];
        for message in messages {
            let bytes = message.to_bytes(7).expect("it fits");
            prop_assert_eq!(Mad::parse(&bytes).expect("sound").message, message);
        }
    }

    #[test]
    fn a_chain_s_arguments_are_read_as_they_were_written(
        chain in proptest::sample::select(&Chain::ALL[..]),
        long in any::<[u64; 5]>(),
        rkey in any::<u32>(),
        order in Just([0, 1, 2, 3, 4, 5, 6]).prop_shuffle(),
        skip in 1..40u16,
        page in proptest::collection::vec(any::<u8>(), 4096),
    ) {
        use Field::{Buffer, Key, Magic, Page, Rkey, Signal, Skip, TtAddr};
        let fields = [(8, TtAddr), (8, Buffer), (8, Signal), (8, Magic), (4, Rkey), (8, Key), (skip, Skip)];
        let mut list: Vec<_> = order.iter().map(|i| fields[*i]).collect();
        if chain.stores() {
            list.push((4096, Page));
        }
        let profile = Profile::new(chain, &list).expect("a sound list");
        let arguments = Arguments {
            tt_addr: long[0], buffer: Some(long[1]), signal: Some(long[2]), magic: Some(long[3].to_le_bytes()),
            rkey: Some(rkey), key: Some(long[4]), page: chain.stores().then_some(&page[..]),
        };
        let mut message = vec![0xee; profile.message_len()];
        prop_assert_eq!(profile.write(&arguments, &mut message), Ok(message.len()));
        prop_assert_eq!(profile.read(&message), Ok(arguments));
        let short = matches!(profile.read(&message[1..]), Err(ProfileError::Length { .. }));
        prop_assert!(short);
        let (bytes, length) = profile.to_list();
        prop_assert_eq!(Profile::from_list(chain, &bytes[..length]), Ok(profile));
    }
}

#[test]
fn malformed_packets_are_refused_with_the_reason() {
    let bytes = |bth: Bth, rest: usize| [&bth.to_bytes()[..], &vec![0; rest]].concat();
    let of = |opcode: Opcode, pad, rest| bytes(Bth { opcode: opcode.number(), pad, ..Bth::default() }, rest);
    let name = |opcode: Opcode| opcode.name();
    let (send, read, write, cnp) =
        (Opcode::SendOnly, Opcode::ReadRequest, Opcode::WriteOnly, Opcode::Congestion);
    assert_eq!(Packet::parse(&[0; 11]), Err(PacketError::Short(11)));
    let mut version = of(send, 0, 0);
    version[1] |= 1;
    assert_eq!(Packet::parse(&version), Err(PacketError::Version(1)));
    let unknown = bytes(Bth { opcode: 0x1d, ..Bth::default() }, 4);
    assert_eq!(Packet::parse(&unknown), Err(PacketError::Opcode(0x1d)));
    assert!(Transport::parse(&unknown).is_ok(), "a responder needs its number to refuse it");
    let cut = PacketError::Headers { name: name(write), needs: 28, has: 24 };
    assert_eq!(Packet::parse(&of(write, 0, 12)), Err(cut));
    assert_eq!(Packet::parse(&of(send, 0, 6)), Err(PacketError::Alignment(6)));
    assert_eq!(Packet::parse(&of(send, 1, 0)), Err(PacketError::Pad { pad: 1, bytes: 0 }));
    // The longest of all path MTUs, and its pad, which is no payload.
    assert_eq!(Packet::parse(&of(send, 0, 4096)).map(|packet| packet.payload.len()), Ok(4096));
    assert_eq!(Packet::parse(&of(send, 3, 4100)), Err(PacketError::Long(4097)));
    assert_eq!(Packet::parse(&of(send, 0, 4100)), Err(PacketError::Long(4100)));
    let payload = |opcode, bytes, pad| PacketError::Payload { name: name(opcode), bytes, pad };
    assert_eq!(Packet::parse(&of(read, 0, 20)), Err(payload(read, 4, 0)));
    assert_eq!(Packet::parse(&of(read, 2, 16)), Err(payload(read, 0, 2)));
    assert_eq!(Packet::parse(&of(cnp, 0, 12)), Err(payload(cnp, 12, 0)));
    assert!(Packet::parse(&of(cnp, 0, 16)).is_ok());
    let lacking =
        Packet { bth: Bth::default(), opcode: write, extensions: Extensions::default(), payload: &[] };
    let missing = PacketError::Missing { name: name(write), extension: Extension::Reth };
    assert_eq!(lacking.emit(&mut [0; 64]), Err(missing));
    assert_eq!(Packet { opcode: cnp, payload: b"x", ..lacking }.emit(&mut [0; 64]), Err(payload(cnp, 1, 0)));
}

#[test]
fn frames_of_others_are_refused_with_the_reason() {
    let packet = Packet {
        bth: Bth::default(),
        opcode: Opcode::SendOnly,
        extensions: Extensions::default(),
        payload: b"abcd",
    };
    let mut frame = [0; 80];
    let length = RoceFrame::emit(&Endpoints::default(), &packet, &mut frame).expect("room");
    let frame = &mut frame[..length];
    assert!(!RoceFrame::parse(frame).expect("sound").congested);
    let mut port = frame.to_vec();
    port[37] += 1;
    assert_eq!(RoceFrame::parse(&port), Err(FrameError::Port(4792)));
    // Both bits of ECN: routers may set them, and mend the checksum of IPv4.
    let mut congested = frame.to_vec();
    (congested[15], congested[25]) = (3, congested[25] - 3);
    assert!(RoceFrame::parse(&congested).expect("the ICRC does not cover it").congested);
    let mut short = [0; 42 + 15];
    let carrier = mneme_wire::frame::UdpFrame {
        endpoints: Endpoints { dst_port: 4791, ..Endpoints::default() },
        datagram: &[0; 15],
    };
    carrier.emit(false, &mut short).expect("room");
    assert_eq!(RoceFrame::parse(&short), Err(FrameError::Short(15)));
    assert!(matches!(RoceFrame::parse(&frame[..length - 1]), Err(FrameError::Carrier(_))));
}

/// A congestion notification as a ConnectX-4 Lx sent it, ICRC and all; scapy's tests have it too.
#[test]
fn the_frame_of_a_real_card_is_read() {
    let frame = [
        &[0xe4, 0x1d, 0x2d, 0xab, 0x2b, 0xc2, 0x7c, 0xfe, 0x90, 0x64, 0x3b, 0x32, 0x08, 0x00][..],
        &[0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61],
        &[0x0a, 0x00, 0x11, 0x01, 0x0a, 0x00, 0x12, 0x01],
        &[0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00],
        &[0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00, 0x00, 0x00],
        &[0; 16],
        &[0x82, 0xfd, 0x00, 0x2a],
    ]
    .concat();
    let packet = Packet::parse(RoceFrame::parse(&frame).expect("sound").transport).expect("sound");
    assert_eq!((packet.opcode, packet.bth.dest_qp, packet.bth.becn), (Opcode::Congestion, 0x118, true));
    let mut again = [0; 28];
    assert_eq!(packet.emit(&mut again), Ok(28));
    assert_eq!(again, frame[42..70]);
}

#[test]
fn a_datagram_s_icrc_is_that_of_its_frame() {
    let packet = Packet {
        bth: Bth { psn: Psn::from_low_bits(9), ..Bth::default() },
        opcode: Opcode::SendOnly,
        extensions: Extensions::default(),
        payload: b"some words",
    };
    let endpoints =
        Endpoints { src_ip: [10, 0, 0, 1], dst_ip: [10, 0, 0, 2], src_port: 50_000, ..Endpoints::default() };
    let mut frame = [0; 128];
    let length = RoceFrame::emit(&endpoints, &packet, &mut frame).expect("room");
    let way = Datagram { source: endpoints.src_ip, destination: endpoints.dst_ip, source_port: 50_000 };
    let mut datagram = frame[42..length].to_vec();
    assert_eq!(way.open(&datagram), Ok((&frame[42..length - 4], 0)));
    // The same frame of a sender that numbers its packets: the number is told by nothing but the ICRC.
    frame[18..20].copy_from_slice(&0xbeef_u16.to_be_bytes());
    let numbered = icrc(frame[14..42].first_chunk().expect("28 bytes"), &frame[42..length - 4]);
    let mut other = [&frame[42..length - 4], &numbered].concat();
    assert_eq!(way.open(&other), Ok((&frame[42..length - 4], 0xbeef)));
    other[9] ^= 1;
    assert_eq!(way.open(&other), Err(FrameError::Icrc));
    datagram[length - 43] ^= 1;
    assert_eq!(way.open(&datagram), Err(FrameError::Icrc));
    way.seal(&mut datagram).expect("long enough");
    assert_eq!(datagram, frame[42..length]);
    assert_eq!(way.open(&[0; 15]), Err(FrameError::Short(15)));
    assert_eq!(way.seal(&mut [0; 15]), Err(FrameError::Short(15)));
}

#[test]
fn malformed_management_datagrams_are_refused_with_the_reason() {
    let request = Request { path_mtu: PathMtu::MAX, ..Request::default() };
    let sound = Message::Request(request).to_bytes(1).expect("sound");
    let with = |at: usize, value: u8| {
        let mut bytes = sound;
        bytes[at] = value;
        Mad::parse(&bytes).map(|_| ()).expect_err("refused")
    };
    assert_eq!(Mad::parse(&sound[1..]), Err(MadError::Length(255)));
    assert_eq!(with(0, 2), MadError::BaseVersion(2));
    assert_eq!(with(1, 3), MadError::Class(3));
    assert_eq!(with(2, 1), MadError::ClassVersion(1));
    assert_eq!(with(3, 0x81), MadError::Method(0x81));
    assert_eq!(with(17, 0x19), MadError::Attribute(0x19));
    assert_eq!(with(24 + 50, 0x60), MadError::PathMtu(6));
    assert_eq!(with(24 + 43, 2), MadError::Transport(1));
    let long = Message::Request(Request { private: &[0; 93], ..request }).to_bytes(1);
    assert_eq!(long, Err(MadError::Private { has: 93, most: 92 }));
}

#[test]
fn addresses_in_private_data_are_read_as_they_were_written() {
    let service = IpService { source_port: 7174, source: [10, 0, 0, 1], destination: [10, 0, 0, 2] };
    let private = [&service.to_bytes()[..], b"own"].concat();
    assert_eq!(IpService::parse(&private), Ok((service, &b"own"[..])));
    let mut ipv6 = private.clone();
    ipv6[1] = 6 << 4;
    assert_eq!(IpService::parse(&ipv6), Err(MadError::IpHeader));
    assert_eq!(IpService::parse(&private[..35]), Err(MadError::IpHeader));
}

#[test]
fn lists_that_are_no_profile_are_refused_with_the_reason() {
    use Field::{Buffer, Page, Rkey, Skip, TtAddr};
    let load = [(8, TtAddr), (8, Buffer), (4, Rkey)];
    let new = |chain, list: &[_]| Profile::new(chain, list).map(|_| ());
    let and = |pair| [&load[..], &[pair]].concat();
    assert_eq!(new(Chain::Load, &load), Ok(()));
    assert_eq!(new(Chain::Load, &[]), Err(ProfileError::Pairs(0)));
    assert_eq!(new(Chain::Load, &[(1, Skip); 17]), Err(ProfileError::Pairs(17)));
    assert_eq!(new(Chain::Load, &and((0, Skip))), Err(ProfileError::Bytes { field: Skip, bytes: 0 }));
    assert_eq!(new(Chain::Load, &[(4, TtAddr)]), Err(ProfileError::Bytes { field: TtAddr, bytes: 4 }));
    assert_eq!(new(Chain::Load, &and((4, Rkey))), Err(ProfileError::Twice(Rkey)));
    assert_eq!(new(Chain::Load, &and((4096, Page))), Err(ProfileError::NoPage(Chain::Load)));
    let early = [(4096, Page), (8, TtAddr)];
    assert_eq!(new(Chain::MappedStore, &early), Err(ProfileError::AfterPage(TtAddr)));
    let needs = ProfileError::Needs { chain: Chain::Load, field: Rkey };
    assert_eq!(new(Chain::Load, &load[..2]), Err(needs));
    let list = |bytes: &[u8]| Profile::from_list(Chain::Load, bytes).map(|_| ());
    assert_eq!(list(&[0; 4]), Err(ProfileError::List(4)));
    assert_eq!(list(&[9, 0, 8]), Err(ProfileError::Number(9)));
    assert_eq!(list(&[0; 51]), Err(ProfileError::Pairs(17)));
    let store = Profile::default_of(Chain::MappedStore);
    let mut message = vec![0; store.message_len()];
    assert_eq!(store.write(&Arguments::default(), &mut message), Err(ProfileError::Page(0)));
}

#[test]
fn the_default_profile_is_the_design_s() {
    for chain in Chain::ALL {
        let profile = Profile::default_of(chain);
        assert_eq!(Profile::new(chain, profile.pairs()), Ok(profile), "it is sound itself");
        assert_eq!(profile.message_len(), if chain.stores() { 64 + 4096 } else { 64 });
    }
    let mut message = [0; 64];
    let load = Profile::default_of(Chain::Load);
    let arguments =
        Arguments { tt_addr: 0x0102, buffer: Some(0x0304), rkey: Some(5), ..Arguments::default() };
    load.write(&arguments, &mut message).expect("it fits");
    assert_eq!((&message[6..8], &message[14..16], message[19]), (&[1, 2][..], &[3, 4][..], 5));
}

#[test]
fn hardware_takes_messages_whose_arguments_are_in_the_first_packet() {
    use Field::{Buffer, Key, Magic, Page, Rkey, Signal, Skip, TtAddr};
    let mtu = |bytes| PathMtu::new(bytes).expect("a path MTU");
    let load = |rest| {
        Profile::new(Chain::Load, &[(8, TtAddr), (8, Buffer), (4, Rkey), (rest, Skip)]).expect("sound")
    };
    assert_eq!((load(236).arguments_len(), load(236).message_len()), (20, 256));
    assert!(load(236).suits(mtu(256)) && !load(237).suits(mtu(256)) && load(237).suits(mtu(512)));
    let store = |before, behind| {
        let arguments =
            [(8, TtAddr), (8, Signal), (8, Magic), (4, Rkey), (before, Skip), (8, Key), (behind, Skip)];
        let list = [&arguments[..], &[(4096, Page)]].concat();
        Profile::new(Chain::MappedStore, &list).expect("sound")
    };
    assert_eq!((store(220, 300).arguments_len(), store(220, 300).message_len()), (256, 4652));
    assert!(
        store(220, 300).suits(mtu(256))
            && !store(221, 300).suits(mtu(256))
            && store(221, 300).suits(mtu(512))
    );
    for chain in Chain::ALL {
        assert!(
            Profile::default_of(chain).suits(mtu(256)) && Profile::default_of(chain).arguments_len() == 40
        );
    }
}
