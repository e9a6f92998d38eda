//! Daemons that end, that are killed, that come again, and boards without one.
use std::io::Read;
use std::net::UdpSocket;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::rig::{Daemon, Hardware, program, terminate};
use mneme_clib::{Client, ClientOptions, Error, OpenOptions, Process, TransportConfig};
use mneme_tests::Config;
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft};
use mneme_wire::{Cause, Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va};

fn process(hardware: &Hardware) -> Process {
    let transport = TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() };
    let options = ClientOptions { transport, ..ClientOptions::default() };
    let client = Client::connect(hardware.driver(), options).expect("the board answers");
    client.open(OpenOptions::default()).expect("open")
}

fn epoch(said: &[String]) -> u8 {
    let last = said.last().expect("it said that it serves");
    last.rsplit_once("epoch ").and_then(|(_, number)| number.parse().ok()).expect("the epoch comes last")
}

/// Works until something fails; how often it wrote and read back.
fn work(process: &Process) -> (u64, Error) {
    let mut done = 0;
    loop {
        let round = || -> Result<(), Error> {
            let va = process.ralloc(1 << 19)?;
            let data = [done as u8; 3000];
            process.rwrite(va, &data)?;
            let mut back = [0; 3000];
            process.rread(va, &mut back)?;
            assert_eq!(back, data);
            process.rfree(va)
        };
        match round() {
            Ok(()) => done += 1,
            Err(error) => return (done, error),
        }
    }
}

/// Kills the daemon while clients work, and starts it again: it says what it found and what it did, and every client learns.
fn killed_under_load<K: BoardKind>(clients: usize, for_so_long: Duration)
where
    K::Fast: mneme_model::Mounted,
{
    let hardware = Hardware::start::<K>(Config::Sim);
    let mut daemon = Daemon::start(&hardware, &[]);
    let first = daemon.serving();
    assert_eq!(first.len(), 1, "a core after reset has no former life: {first:?}");
    let idle = process(&hardware);
    let kept = idle.ralloc(1 << 20).expect("alloc");
    idle.rwrite(kept, b"from the first life").expect("write");
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..clients).map(|_| scope.spawn(|| work(&process(&hardware)))).collect();
        std::thread::sleep(for_so_long);
        drop(daemon);
        // What the fast path alone can answer, it answers.
        let mut bytes = [0; 19];
        idle.rread(kept, &mut bytes).expect("the fast path serves without a daemon");
        assert_eq!(&bytes, b"from the first life");
        let mut daemon = Daemon::start(&hardware, &[]);
        let said = daemon.serving();
        assert_eq!(said.len(), 2, "{said:?}");
        let before = format!("the core was in use: epoch {} ends: its table has ", epoch(&first));
        assert!(said[0].starts_with(&before), "{said:?}");
        let pages: u64 =
            said[0][before.len()..].split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        assert!(pages >= 4, "1 MB in pages of 256 KB is there at least: {said:?}");
        assert!(said[0].ends_with(&format!("epoch {} begins", epoch(&said))), "{said:?}");
        assert_ne!(epoch(&said), epoch(&first));
        let mut rounds = 0;
        for worker in workers {
            let (done, error) = worker.join().expect("no panic");
            assert!(error.is_restart(), "{error}");
            rounds += done;
        }
        assert!(rounds > 0, "they were at work");
        let error = idle.rread(kept, &mut bytes).expect_err("its memory is gone");
        assert!(error.is_restart(), "{error}");
        // And nothing of it shows to whoever comes next.
        let next = process(&hardware);
        for va in (0..64).map(|_| next.ralloc(1 << 18).expect("alloc")) {
            next.rwrite(va, b"mine").expect("write");
            let mut seen = [9; 32];
            next.rread(va, &mut seen).expect("read");
            assert_eq!((&seen[..4], &seen[4..]), (&b"mine"[..], &[0; 28][..]));
        }
    });
}

#[test]
fn a_daemon_killed_under_load_raises_the_epoch_and_says_so() {
    killed_under_load::<Soft>(4, Duration::from_millis(700));
}

#[test]
fn a_daemon_of_the_rtl_killed_under_load_raises_the_epoch_and_says_so() {
    killed_under_load::<Rtl>(2, Duration::from_secs(4));
}

fn ping(op_id: u32) -> Request {
    Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode: Opcode::Ping,
        epoch: 0,
        pid: Pid::from_low_bits(0),
        op_id,
        attempt: 0,
        time: Tick::default(),
        va: Va::from_low_bits(0),
        length: 0,
    }
}

#[test]
fn a_board_without_its_daemon_says_busy_to_what_needs_one() {
    let hardware = Hardware::start::<Soft>(Config::Sim);
    let mut daemon = Daemon::start(&hardware, &[]);
    daemon.serving();
    let process = process(&hardware);
    let va = process.ralloc(100).expect("alloc");
    process.rwrite(va, b"stays").expect("write");
    drop(daemon);
    // First its rings fill, then the core's.
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    socket.connect(hardware.address).expect("a route");
    socket.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout");
    let mut answers = (0..200).map(|op_id| {
        socket.send(&ping(op_id).to_bytes()).expect("loopback takes it");
        let mut bytes = [0; 2048];
        let length = socket.recv(&mut bytes).ok()?;
        let response = Response::parse(&Packet::new_checked(&bytes[..length]).expect("a packet"));
        let response = response.expect("a response");
        Some((response.status, response.detail().cause))
    });
    let unanswered = answers.by_ref().take_while(Option::is_none).count();
    assert!((32..=160).contains(&unanswered), "{unanswered}");
    assert_eq!(answers.next(), Some(Some((Status::Busy, Cause::Queue))));
    for byte in 0..50 {
        process.rwrite(va, &[byte; 5]).expect("the fast path writes");
        let mut back = [0; 5];
        process.rread(va, &mut back).expect("and reads");
        assert_eq!(back, [byte; 5]);
    }
}

#[test]
fn a_daemon_that_is_asked_to_end_leaves_the_fast_path_at_work() {
    let hardware = Hardware::start::<Soft>(Config::Sim);
    let mut daemon = Daemon::start(&hardware, &["--workers", "0"]);
    let first = daemon.serving();
    let process = process(&hardware);
    let va = process.ralloc(100).expect("alloc");
    terminate(daemon.id());
    assert_eq!(
        daemon.line(),
        "ended: 0 frames damaged in the receive ring, 0 too long for the transmit ring"
    );
    assert!(daemon.end());
    process.rwrite(va, b"on").expect("the fast path writes");
    let mut daemon = Daemon::start(&hardware, &[]);
    let second = daemon.serving();
    assert_ne!(epoch(&first), epoch(&second), "its state file remembers");
    assert!(process.rread(va, &mut [0; 2]).expect_err("another life").is_restart());
}

/// What a daemon says that cannot start.
fn refused(hardware: &Hardware, arguments: &[&str]) -> String {
    let mut command = program();
    command.arg("--simulated").arg(hardware.path("device")).args(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut said = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
    assert!(!child.wait().expect("it ends").success());
    said
}

#[test]
fn daemons_that_cannot_serve_say_why() {
    let hardware = Hardware::start::<Soft>(Config::Sim);
    let state = hardware.path("state.json").display().to_string();
    let said = refused(&hardware, &["--state", &state, "--target", "zcu106"]);
    assert!(said.contains("built for SIMULATED, not for ZCU106"), "{said}");
    let said = refused(&hardware, &["--state", "/nowhere/at/all.json"]);
    assert!(said.contains("/nowhere/at/all.json"), "{said}");
    std::fs::write(&state, "no epochs").expect("written");
    let said = refused(&hardware, &["--state", &state]);
    assert!(said.contains("cannot understand"), "{said}");
    std::fs::remove_file(&state).expect("removed");
    let mut daemon = Daemon::start(&hardware, &[]);
    daemon.serving();
    let said = refused(&hardware, &["--state", &state]);
    assert!(said.contains("another slow path serves this board"), "{said}");
    let said = refused(&hardware, &["--state", &state, "--workers", "x"]);
    assert!(said.contains("invalid value 'x'"), "{said}");
}

#[test]
fn a_board_is_identified_without_being_served() {
    let hardware = Hardware::start::<Soft>(Config::Sim);
    let identify = || {
        let mut command = program();
        command.arg("--simulated").arg(hardware.path("device")).arg("--identify");
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let said = identify();
    assert!(said.starts_with("target SIMULATED\ndram ready\nbuild_hash 0x"), "{said}");
    assert_eq!(identify(), said, "looking changes nothing");
    // Nor has it begun a life: a daemon that starts now finds none.
    let mut daemon = Daemon::start(&hardware, &[]);
    let said = daemon.serving();
    assert!(said.iter().all(|line| !line.contains("the core was in use")), "{said:?}");
}

#[test]
fn systemd_hears_that_the_daemon_serves_lives_and_ends() {
    let hardware = Hardware::start::<Soft>(Config::Sim);
    let path = hardware.path("notify");
    let systemd = UnixDatagram::bind(&path).expect("a socket");
    systemd.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let mut command = program();
    command.arg("--simulated").arg(hardware.path("device")).arg("--state").arg(hardware.path("state.json"));
    command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "200000").stdout(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let hear = || {
        let mut bytes = [0; 1024];
        let length = systemd.recv(&mut bytes).expect("it speaks");
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    let mut heard = hear();
    while !heard.starts_with("READY=1") {
        assert!(heard.starts_with("WATCHDOG=1"), "{heard}");
        heard = hear();
    }
    assert!(heard.contains("STATUS=serving 127.0.0.1:"), "{heard}");
    let began = Instant::now();
    for _ in 0..5 {
        assert_eq!(hear().trim_end(), "WATCHDOG=1");
    }
    // Each is due after 100 ms, however idle the board is.
    assert!(began.elapsed() >= Duration::from_millis(400), "{:?}", began.elapsed());
    terminate(child.id());
    while !hear().starts_with("STOPPING=1") {}
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_daemon_whose_board_is_gone_ends_with_an_error() {
    let hardware = Hardware::start::<Soft>(Config::Sim);
    let mut daemon = Daemon::start(&hardware, &[]);
    daemon.serving();
    drop(hardware);
    assert!(!daemon.end());
}
