//! Two programs that nobody here wrote read what the codec writes: scapy, which also writes frames for the codec, and tshark.
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mneme_rdma::codec::cm::{
    IpService, MANAGEMENT_QKEY, MANAGEMENT_QP, Message, Pair, Reply, Request, Timing, service_of_port,
};
use mneme_rdma::codec::{
    Aeth, AtomicEth, Bth, Credits, Deth, Extension, Extensions, Nak, Opcode, Packet, PathMtu, Payload, Psn,
    Reth, RnrTimer, RoceFrame, Syndrome, Transport,
};
use mneme_skips::{FILE, Lack, skipped};
use mneme_wire::frame::Endpoints;

const ENDPOINTS: Endpoints = Endpoints {
    src_mac: [2, 0, 0, 0, 0, 2],
    dst_mac: [2, 0, 0, 0, 0, 1],
    src_ip: [10, 0, 0, 2],
    dst_ip: [10, 0, 0, 1],
    src_port: 0xc123,
    dst_port: 4791,
};

/// Whether a test may be skipped. What `cargo xtask test` runs may not: it has installed both programs.
fn lacks(test: &str, what: &str) {
    assert!(std::env::var_os(FILE).is_none(), "{what}, although `cargo xtask setup` has run");
    skipped(test, Lack::System, format_args!("want of {what}; `cargo xtask setup` installs it"));
}

fn frame(packet: &Packet<'_>) -> Vec<u8> {
    let mut frame = vec![0; 8192];
    let length = RoceFrame::emit(&ENDPOINTS, packet, &mut frame).expect("there is room");
    frame.truncate(length);
    frame
}

/// A number that looks like none of the others.
fn odd(seed: u64) -> u64 {
    seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

fn syndrome(seed: u64) -> Syndrome {
    let all = [
        Syndrome::Ack(Credits::UNCOUNTED),
        Syndrome::Ack(Credits::from_code(5)),
        Syndrome::Rnr(RnrTimer::from_code(14)),
        Syndrome::Nak(Nak::Sequence),
        Syndrome::Nak(Nak::InvalidRequest),
        Syndrome::Nak(Nak::RemoteAccess),
        Syndrome::Nak(Nak::RemoteOperation),
    ];
    all[seed as usize % all.len()]
}

fn extensions(opcode: Opcode, seed: u64) -> Extensions {
    let (long, short) = (|i| odd(seed + i), |i| odd(seed + i) as u32);
    let has = |extension, there| opcode.has(extension) && there;
    Extensions {
        deth: has(Extension::Deth, true).then(|| Deth { qkey: short(1), source_qp: short(2) >> 8 }),
        reth: has(Extension::Reth, true).then(|| Reth { va: long(3), rkey: short(4), length: short(5) }),
        atomic: has(Extension::AtomicEth, true).then(|| AtomicEth {
            va: long(6),
            rkey: short(7),
            swap_or_add: long(8),
            compare: long(9),
        }),
        aeth: has(Extension::Aeth, true).then(|| Aeth { syndrome: syndrome(seed), msn: short(10) >> 8 }),
        original: has(Extension::AtomicAckEth, true).then(|| long(11)),
        immediate: has(Extension::Immediate, true).then(|| short(12)),
        invalidate: has(Extension::Ieth, true).then(|| short(13)),
    }
}

/// Frames of every opcode with payloads round a multiple of four, and what they hold.
fn every_kind(mut each: impl FnMut(&Packet<'_>, Vec<u8>)) {
    let mut seed = 0;
    for &opcode in Opcode::ALL {
        for length in [0, 1, 2, 3, 4, 255, 256, 1024, 4096] {
            seed += 20;
            let length = if opcode.payload() == Payload::Any { length } else { 0 };
            let payload: Vec<u8> = (0..length).map(|i| odd(seed + i) as u8).collect();
            let bits = odd(seed);
            let bth = Bth {
                opcode: opcode.number(),
                solicited: bits & 1 != 0,
                migrated: bits & 2 != 0,
                pad: (payload.len().next_multiple_of(4) - payload.len()) as u8,
                pkey: (bits >> 8) as u16,
                fecn: bits & 4 != 0,
                becn: bits & 8 != 0,
                dest_qp: (bits >> 24) as u32 & 0xff_ffff,
                ack_request: bits & 16 != 0,
                psn: Psn::from_low_bits((bits >> 40) as u32),
            };
            let packet = Packet { bth, opcode, extensions: extensions(opcode, seed), payload: &payload };
            each(&packet, frame(&packet));
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |i: usize| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal");
    (0..text.len() / 2).map(digit).collect()
}

/// The fields of a line of `check.py`.
fn fields(transport: &[u8]) -> String {
    let Transport { bth, body } = Transport::parse(transport).expect("a header");
    let bit = u8::from;
    let body = if body.is_empty() { "-".to_owned() } else { hex(body) };
    format!(
        "opcode={} solicited={} migrated={} pad={} pkey={} fecn={} becn={} qp={} ack={} psn={} body={body}",
        bth.opcode,
        bit(bth.solicited),
        bit(bth.migrated),
        bth.pad,
        bth.pkey,
        bit(bth.fecn),
        bit(bth.becn),
        bth.dest_qp,
        bit(bth.ack_request),
        bth.psn.number()
    )
}

#[test]
fn scapy_reads_what_is_written_and_its_frames_are_read() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = here.join("../.tools/venv/bin/python");
    let has_scapy = Command::new(&python).args(["-c", "import scapy.contrib.roce"]).output();
    if !has_scapy.is_ok_and(|output| output.status.success()) {
        return lacks("scapy_reads_what_is_written_and_its_frames_are_read", "scapy in .tools/venv");
    }
    let (mut lines, mut count) = (String::new(), 0);
    every_kind(|packet, frame| {
        let read = RoceFrame::parse(&frame).expect("sound");
        assert_eq!(Packet::parse(read.transport).as_ref(), Ok(packet));
        lines += &format!("{} {}\n", hex(&frame), fields(read.transport));
        count += 1;
    });
    let mut command = Command::new(python);
    command.arg(here.join("tests/scapy/check.py")).stdin(Stdio::piped());
    let mut scapy = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("python starts");
    // scapy writes nothing before it has read all.
    scapy.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("scapy reads");
    let output = scapy.wait_with_output().expect("scapy ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(&format!("scapy: {count} frames")), "{said}");
    let mut kinds = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let (bytes, expected) = line.split_once(' ').expect("a frame and its fields");
        let bytes = unhex(bytes);
        let read = RoceFrame::parse(&bytes).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(read.congested, "its type of service is 3");
        assert_eq!(fields(read.transport), expected);
        let packet = Packet::parse(read.transport).unwrap_or_else(|error| panic!("{error}: {line}"));
        let body = &read.transport[Bth::LEN + packet.opcode.extension_len()..];
        assert!(body.starts_with(packet.payload));
        *kinds.entry(packet.opcode.name()).or_insert(0) += 1;
    }
    // All but datagrams, which scapy does not tell from others.
    assert_eq!(kinds.len(), Opcode::ALL.len() - 1, "{kinds:?}");
}

/// A capture file (libpcap's format) of Ethernet frames.
fn capture(frames: &[Vec<u8>], path: &Path) {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1u32] {
        file.extend(word.to_le_bytes());
    }
    for frame in frames {
        for word in [0, 0, frame.len() as u32, frame.len() as u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(frame);
    }
    std::fs::write(path, file).expect("a capture can be written");
}

/// What tshark reads of each frame: the values of each field, as numbers.
fn tshark(frames: &[Vec<u8>], names: &[&str], test: &str) -> Option<Vec<Vec<u64>>> {
    if !Command::new("tshark").arg("--version").output().is_ok_and(|output| output.status.success()) {
        lacks(test, "tshark");
        return None;
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.pcap"));
    capture(frames, &path);
    let mut command = Command::new("tshark");
    command.arg("-r").arg(&path).args(["-T", "fields", "-E", "separator=;", "-E", "occurrence=f"]);
    for name in names {
        command.args(["-e", name]);
    }
    let output = command.output().expect("tshark starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let value = |(text, name): (&str, &&str)| match (text, text.strip_prefix("0x")) {
        ("", _) => NONE,
        // Bytes, which tshark writes without a prefix.
        _ if *name == "infiniband.immdt" => u64::from_str_radix(text, 16).expect("bytes"),
        ("True", _) => 1,
        ("False", _) => 0,
        (_, Some(hex)) => u64::from_str_radix(hex, 16).expect("a number"),
        _ => text.parse().unwrap_or_else(|_| panic!("tshark said {text}")),
    };
    Some(text.lines().map(|line| line.split(';').zip(names).map(value).collect()).collect())
}

/// The number that stands for a field that a frame does not have.
const NONE: u64 = u64::MAX;

#[test]
fn tshark_reads_every_header_as_it_was_written() {
    let names = [
        "infiniband.bth.opcode",
        "infiniband.bth.destqp",
        "infiniband.bth.psn",
        "infiniband.bth.padcnt",
        "infiniband.bth.a",
        "infiniband.bth.p_key",
        "infiniband.reth.va",
        "infiniband.reth.r_key",
        "infiniband.reth.dmalen",
        "infiniband.aeth.syndrome",
        "infiniband.aeth.msn",
        "infiniband.atomiceth.swapdt",
        "infiniband.atomiceth.cmpdt",
        "infiniband.atomicacketh.origremdt",
        "infiniband.immdt",
        "infiniband.deth.q_key",
        "infiniband.deth.srcqp",
    ];
    let (mut frames, mut expected) = (Vec::new(), Vec::new());
    every_kind(|packet, frame| {
        let (b, e) = (&packet.bth, &packet.extensions);
        let place = e.reth.map(|r| (r.va, r.rkey)).or(e.atomic.map(|a| (a.va, a.rkey)));
        expected.push(vec![
            b.opcode.into(),
            b.dest_qp.into(),
            b.psn.number().into(),
            b.pad.into(),
            b.ack_request.into(),
            b.pkey.into(),
            place.map_or(NONE, |p| p.0),
            place.map_or(NONE, |p| p.1.into()),
            e.reth.map_or(NONE, |r| r.length.into()),
            e.aeth.map_or(NONE, |a| a.syndrome.number().into()),
            e.aeth.map_or(NONE, |a| a.msn.into()),
            e.atomic.map_or(NONE, |a| a.swap_or_add),
            e.atomic.map_or(NONE, |a| a.compare),
            e.original.unwrap_or(NONE),
            e.immediate.map_or(NONE, u64::from),
            e.deth.map_or(NONE, |d| d.qkey.into()),
            e.deth.map_or(NONE, |d| d.source_qp.into()),
        ]);
        frames.push(frame);
    });
    let test = "tshark_reads_every_header_as_it_was_written";
    let Some(read) = tshark(&frames, &names, test) else { return };
    assert_eq!(read.len(), expected.len());
    for (read, expected) in read.iter().zip(&expected) {
        assert_eq!(read, expected, "{names:?}");
    }
}

fn management(message: &Message<'_>) -> Vec<u8> {
    let payload = message.to_bytes(0x0102_0304_0506_0708).expect("it fits");
    let bth = Bth { dest_qp: MANAGEMENT_QP, ..Bth::default() };
    let deth = Some(Deth { qkey: MANAGEMENT_QKEY, source_qp: 1 });
    let extensions = Extensions { deth, ..Extensions::default() };
    frame(&Packet { bth, opcode: Opcode::DatagramSendOnly, extensions, payload: &payload })
}

fn request(private: &[u8]) -> Request<'_> {
    Request {
        local_id: 0x1122_3344,
        service: service_of_port(7174),
        ca_guid: 0x0102_0304_0506_0708,
        qkey: 0x5566_7788,
        qpn: 0x12_3456,
        responder_resources: 16,
        initiator_depth: 15,
        flow_control: true,
        starting_psn: Psn::from_low_bits(0x65_4321),
        timing: Timing {
            remote_response: 20,
            local_response: 19,
            retry: 5,
            rnr_retry: 6,
            cm_retries: 14,
            ack_timeout: 17,
        },
        pkey: 0xfffe,
        path_mtu: PathMtu::new(1024).expect("a path MTU"),
        shared_receive: true,
        local_gid: [1; 16],
        remote_gid: [2; 16],
        flow_label: 0x5_4321,
        packet_rate: 0x2a,
        traffic_class: 7,
        hop_limit: 63,
        service_level: 9,
        subnet_local: true,
        private,
    }
}

/// Frames of one message, and each field's name beside the value that tshark must find.
fn told(message: Message<'_>, test: &str, fields: &[(&str, u64)]) {
    let attribute = message.attribute().into();
    let common = [
        ("infiniband.mad.mgmtclass", 7),
        ("infiniband.mad.method", 3),
        ("infiniband.mad.transactionid", 0x0102_0304_0506_0708),
        ("infiniband.mad.attributeid", attribute),
    ];
    let all: Vec<(&str, u64)> = common.iter().chain(fields).copied().collect();
    let names: Vec<&str> = all.iter().map(|field| field.0).collect();
    let file = format!("{test}-{attribute:x}");
    let Some(read) = tshark(&[management(&message)], &names, &file) else { return };
    let read: Vec<_> = names.into_iter().zip(read[0].iter().copied()).collect();
    assert_eq!(read, all);
}

#[test]
fn tshark_reads_connection_requests_as_they_were_written() {
    let service =
        IpService { source_port: 999, source: [10, 0, 0, 2], destination: [10, 0, 0, 1] }.to_bytes();
    let test = "tshark_reads_connection_requests_as_they_were_written";
    told(
        Message::Request(request(&service)),
        test,
        &[
            ("infiniband.cm.req.serviceid.dport", 7174),
            ("infiniband.cm.req.localcaguid", 0x0102_0304_0506_0708),
            ("infiniband.cm.req.localqkey", 0x5566_7788),
            ("infiniband.cm.req.localqpn", 0x12_3456),
            ("infiniband.cm.req.responderres", 16),
            ("infiniband.cm.req.initdepth", 15),
            ("infiniband.cm.req.remoteresptout", 20),
            ("infiniband.cm.req.transpsvctype", 0),
            ("infiniband.cm.req.e2eflowctrl", 1),
            ("infiniband.cm.req.startpsn", 0x65_4321),
            ("infiniband.cm.req.localresptout", 19),
            ("infiniband.cm.req.retrcount", 5),
            ("infiniband.cm.req.pkey", 0xfffe),
            ("infiniband.cm.req.pppmtu", 3),
            ("infiniband.cm.req.rnrretrcount", 6),
            ("infiniband.cm.req.maxcmretr", 14),
            ("infiniband.cm.req.srq", 1),
            // Not flow label and packet rate, which tshark 4.0 reads from other bits; later ones have 20, 6 and 6 bits, as here.
            ("infiniband.cm.req.prim_tfcclass", 7),
            ("infiniband.cm.req.prim_hoplim", 63),
            ("infiniband.cm.req.prim_sl", 9),
            ("infiniband.cm.req.prim_subnetlocal", 1),
            ("infiniband.cm.req.prim_localacktout", 17),
            ("infiniband.cm.req.ip_cm.sport", 999),
            ("infiniband.cm.req.ip_cm.ipv", 4),
        ],
    );
}

#[test]
fn tshark_reads_the_other_messages_as_they_were_written() {
    let ids = Pair { local: 0x0a0b_0c0d, remote: 0x1a1b_1c1d };
    let reply = Reply {
        ids,
        qkey: 0x5566_7788,
        qpn: 0x12_3456,
        starting_psn: Psn::from_low_bits(0x65_4321),
        responder_resources: 16,
        initiator_depth: 15,
        ack_delay: 17,
        failover: 2,
        flow_control: true,
        rnr_retry: 6,
        shared_receive: true,
        ca_guid: 0x0102_0304_0506_0708,
        private: b"private",
    };
    let test = "tshark_reads_the_other_messages_as_they_were_written";
    told(
        Message::Reply(reply),
        test,
        &[
            ("infiniband.cm.rep.remotecommid", 0x1a1b_1c1d),
            ("infiniband.cm.rep.localqkey", 0x5566_7788),
            ("infiniband.cm.rep.localqpn", 0x12_3456),
            ("infiniband.cm.rep.startpsn", 0x65_4321),
            ("infiniband.cm.rep.respres", 16),
            ("infiniband.cm.rep.initdepth", 15),
            ("infiniband.cm.rep.tgtackdelay", 17),
            ("infiniband.cm.rep.failoveracc", 2),
            ("infiniband.cm.rep.e2eflowctrl", 1),
            ("infiniband.cm.rep.rnrretrcount", 6),
            ("infiniband.cm.rep.srq", 1),
            ("infiniband.cm.rep.localcaguid", 0x0102_0304_0506_0708),
        ],
    );
    let both = |local, remote| [(local, 0x0a0b_0c0d), (remote, 0x1a1b_1c1d)];
    let rtu = both("infiniband.cm.rtu.localcommid", "infiniband.cm.rtu.remotecommid");
    told(Message::ReadyToUse { ids, private: b"" }, test, &rtu);
    let rej = Message::Reject { ids, which: 1, length: 5, reason: 28, information: b"", private: b"" };
    let more = [
        ("infiniband.cm.rej.msgrej", 1),
        ("infiniband.cm.rej.rejinfolen", 5),
        ("infiniband.cm.rej.reason", 28),
    ];
    let fields =
        [&both("infiniband.cm.rej.localcommid", "infiniband.cm.rej.remotecommid")[..], &more].concat();
    told(rej, test, &fields);
    let dreq = Message::DisconnectRequest { ids, remote_qpn: 0x12_3456, private: b"" };
    let more = [("infiniband.cm.req.remoteqpneecn", 0x12_3456)];
    let fields =
        [&both("infiniband.cm.dreq.localcommid", "infiniband.cm.dreq.remotecommid")[..], &more].concat();
    told(dreq, test, &fields);
    let drep = both("infiniband.cm.drsp.localcommid", "infiniband.cm.drsp.remotecommid");
    told(Message::DisconnectReply { ids, private: b"" }, test, &drep);
}
