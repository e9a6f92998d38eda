//! `mneme tenant`, and boards that ask their clients who they are.
use crate::board;

use board::{Board, mneme, text};
use mneme_auth::{Initiator, PublicKey, SecretKey, files};
use mneme_clib::{
    Client, ClientOptions, Credentials, DriverOptions, Integrity, OpenOptions, TransportConfig,
};
use mneme_wire::payload::{BoardInfo, SecureOpenAnswer, SecureOpenRequest};
use mneme_wire::{Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va};
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read};
use std::net::UdpSocket;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A user's home, in which nothing is yet.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("a folder"))
    }
    fn mneme(&self, args: &[&str]) -> Command {
        let mut command = mneme(args);
        command.env("HOME", self.0.path()).env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        command
    }
    fn does(&self, args: &[&str]) -> String {
        let output = self.mneme(args).output().expect("it runs");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }
    fn fails(&self, args: &[&str], words: &[&str]) {
        let output = self.mneme(args).output().expect("it runs");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(words.iter().all(|words| said.contains(words)), "{args:?}: {said}");
    }
    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

/// A client of the test's own: without CLib, over a socket.
struct Stranger {
    socket: UdpSocket,
    key: SecretKey,
    board: PublicKey,
    id: u32,
}

impl Stranger {
    fn ask(&mut self, opcode: Opcode, info: &BoardInfo, payload: &[u8]) -> (Status, Vec<u8>) {
        self.id += 1;
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: info.epoch,
            pid: Pid::NONE,
            op_id: self.id,
            attempt: 0,
            time: Tick::from_low_bits(info.tick),
            va: Va::default(),
            length: payload.len() as u16,
        };
        self.socket.send(&[&request.to_bytes()[..], payload].concat()).expect("sent");
        let mut bytes = [0; 2048];
        let len = self.socket.recv(&mut bytes).expect("an answer");
        let packet = Packet::new_checked(&bytes[..len]).expect("a header");
        (Response::parse(&packet).expect("a response").status, packet.payload().to_vec())
    }
    fn open(&mut self) -> Result<SecureOpenAnswer, Status> {
        let (_, told) = self.ask(Opcode::Ping, &BoardInfo::default(), &[0; 64]);
        let info = BoardInfo::parse(&told).expect("a ping's layout");
        assert_eq!(info.key_hint, self.board.hint());
        let ask = SecureOpenRequest { tick: info.full_tick(), ..SecureOpenRequest::default() };
        let begun = Initiator::new(&self.board, &self.key, info.nonce, &ask, rand::random());
        let (mut initiator, message) = begun.expect("a message");
        let (status, answer) = self.ask(Opcode::Open, &info, &message);
        if status == Status::Ok {
            Ok(initiator.finish(&answer).expect("the board proves itself"))
        } else {
            Err(status)
        }
    }
}

#[test]
fn keys_are_made_tenants_come_and_go_and_files_are_guarded() {
    let home = Home::new();
    let public = home.does(&["tenant", "keygen"]).trim().to_string();
    let key = home.path(".config/mneme/tenant.key");
    assert_eq!(fs::metadata(&key).expect("there").permissions().mode() & 0o777, 0o600);
    assert_eq!(files::read_secret(&key).expect("a key").public().to_string(), public);
    home.fails(&["tenant", "keygen"], &["exists: it is not overwritten", "MNM-1013"]);
    home.does(&["tenant", "add", "alice", &public]);
    home.fails(&["tenant", "add", "bob", &public], &["already that of tenant `alice`"]);
    assert!(home.does(&["tenant", "list"]).starts_with(&format!("alice {public} 2")));
    let typo = public.replace("mneme_pub_", "mneme_pub_x");
    let output = home.mneme(&["tenant", "add", "bob", &typo]).output().expect("it runs");
    assert!(text(&output.stderr).contains("the key is damaged"), "{}", text(&output.stderr));
    let tenants = home.path(".config/mneme/tenants");
    chmod(&tenants, 0o666);
    home.fails(&["tenant", "list"], &["others can write", "chmod go-w"]);
    let named = tenants.to_str().expect("text");
    home.fails(&["board", "--listen", "127.0.0.1:0", "--tenants", named], &["others can write", "MNM-1013"]);
    chmod(&tenants, 0o644);
    home.does(&["tenant", "revoke", "alice"]);
    home.fails(&["tenant", "revoke", "alice"], &["there is no tenant `alice`"]);

    home.does(&["tenant", "pin", "10.0.0.9", &public]);
    home.does(&["tenant", "pin", "10.0.0.9:19790", &public]);
    let other = SecretKey::from_bytes([7; 32]).public().to_string();
    home.fails(&["tenant", "pin", "10.0.0.9", &other], &["HAS ANOTHER KEY THAN IT HAD", &public, &other]);
}

#[test]
fn a_file_of_tenants_that_could_not_be_written_can_be_changed_again() {
    let home = Home::new();
    let public = home.does(&["tenant", "keygen"]).trim().to_string();
    let other = SecretKey::from_bytes([7; 32]).public().to_string();
    home.does(&["tenant", "add", "alice", &public]);
    // As with a full disk: files of this command get no bytes.
    let mut full = Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_mneme")]);
    full.args(["tenant", "add", "bob", &other]).env("HOME", home.0.path());
    full.env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
    let output = full.output().expect("it runs");
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("cannot write"), "{said}");
    home.does(&["tenant", "add", "carol", &other]);
    let listed = home.does(&["tenant", "list"]);
    assert!(listed.contains("alice") && listed.contains("carol") && !listed.contains("bob"), "{listed}");
}

#[test]
fn a_board_s_key_without_one_of_ones_own_is_refused_or_told() {
    let home = Home::new();
    let board = Board::start(&["--memory", "64M"]);
    let key = SecretKey::from_bytes([7; 32]).public().to_string();
    let file = home.path("file");
    fs::write(&file, [7; 5_000]).expect("written");
    let copy = ["cp", "--board", board.address(), file.to_str().expect("text")];
    let words = ["tags need a key of your own", "mneme tenant keygen", "MNM-1013"];
    home.fails(&[&copy[..], &["--board-key", &key]].concat(), &words);
    let output = home.mneme(&copy).env("MNEME_BOARD_KEY", &key).output().expect("it runs");
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains(words[0]), "{said}");
    // What is asked for by name is taken.
    home.does(&[&copy[..], &["--board-key", &key, "--integrity", "crc32c"]].concat());

    let warned = |more: &[&str]| {
        let output = home.mneme(&[&copy[..], more].concat()).output().expect("it runs");
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        said.matches("warning: ").count()
    };
    assert_eq!(warned(&[]), 0);
    home.does(&["tenant", "pin", board.address(), &key]);
    assert_eq!((warned(&[]), warned(&["--integrity", "none"])), (1, 0), "pinned, and nobody proves it");
    board.end();
}

#[test]
fn a_tenant_proves_himself_until_he_is_revoked() {
    let home = Home::new();
    let (tenants, state) = (home.path("tenants"), home.path("board.json"));
    let (tenants, state) = (tenants.to_str().expect("text"), state.to_str().expect("text"));
    let key = SecretKey::from_bytes([7; 32]);
    home.does(&["tenant", "add", "alice", &key.public().to_string(), "--tenants", tenants]);
    let args = ["--memory", "64M", "--tenants", tenants, "--state", state];
    let mut board = Board::start(&args);
    let line = board.line();
    let public = line.split([' ', ':']).nth(2).expect("a key").parse().expect("a key");
    assert!(line.contains("tags for all requests; 1 tenants"), "{line}");
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    socket.connect(board.address()).expect("connected");
    socket.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
    let mut alice = Stranger { socket, key, board: public, id: 1 };
    let opened = alice.open().expect("opened");
    assert!(opened.open.pid > 0 && opened.open.key != [0; 16] && opened.rolls_ns > 0);
    // CLib's plain OPEN is refused.
    home.fails(&["bench", "read", "--board", board.address(), "-D", "1"], &["MNM-"]);
    home.does(&["tenant", "revoke", "alice", "--tenants", tenants]);
    let began = Instant::now();
    while alice.open().is_ok() {
        assert!(began.elapsed() < Duration::from_secs(10), "still let in");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(alice.open().err(), Some(Status::Unauthenticated));
    drop(board);
    // The board is the same after a restart, and nobody else may read its key.
    let mut again = Board::start(&args);
    assert!(again.line().contains(&public.to_string()));
    drop(again);
    chmod(Path::new(state), 0o644);
    home.fails(
        &[&["board", "--listen", "127.0.0.1:0"][..], &args].concat(),
        &["others can read the secret", "MNM-1013"],
    );
}

#[test]
fn an_address_that_others_can_reach_asks_for_tags() {
    let home = Home::new();
    let says = |args: &[&str]| {
        let args = [&["board", "--memory", "64M"], args].concat();
        let mut child =
            home.mneme(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let (mut said, mut output) = (String::new(), BufReader::new(child.stdout.take().expect("piped")));
        output.read_line(&mut said).expect("where it listens");
        if !args.contains(&"--trust-network") {
            output.read_line(&mut said).expect("its key");
        }
        // Each of them warns, before or after that.
        let mut warnings = BufReader::new(child.stderr.take().expect("piped"));
        warnings.read_line(&mut said).expect("a warning");
        child.kill().expect("ended");
        child.wait().expect("ended");
        warnings.read_to_string(&mut said).expect("text");
        said
    };
    let said = says(&["--listen", "0.0.0.0:0", "--trust-network"]);
    assert!(said.contains("warning: ") && said.contains("asks for no tags"), "{said}");
    // It would ask for tags, which cover the one address that a board listens on.
    home.fails(&["board", "--listen", "0.0.0.0:0"], &["cannot ask for tags", "--trust-network", "MNM-1014"]);
    let tenants = home.path("tenants");
    fs::write(&tenants, "").expect("nobody");
    let said = says(&["--listen", "127.0.0.1:0", "--tenants", tenants.to_str().expect("text")]);
    assert!(said.contains("board key mneme_pub_") && said.contains("0 tenants"), "{said}");
    assert!(said.contains("nobody may use this board yet"), "{said}");
    let kept = home.path(".local/state/mneme").read_dir().expect("a folder").count();
    assert_eq!(kept, 1, "the key is kept");
    let rtl = ["board", "--kind", "rtl", "--config", "tiny", "--listen", "127.0.0.1:0", "--tags", "all"];
    home.fails(&rtl, &["has no trailers", "--trust-network", "MNM-1014"]);
}

#[test]
fn commands_prove_their_tenant_where_both_keys_are_known() {
    let home = Home::new();
    let public = home.does(&["tenant", "keygen"]).trim().to_string();
    home.does(&["tenant", "add", "alice", &public]);
    let (tenants, state) = (home.path(".config/mneme/tenants"), home.path("board.json"));
    let (tenants, state) = (tenants.to_str().expect("text"), state.to_str().expect("text"));
    let mut board = Board::start(&["--memory", "64M", "--tenants", tenants, "--state", state]);
    let key = board.line().split([' ', ':']).nth(2).expect("a key").to_owned();
    let to = ["--board", board.address()];
    home.fails(&["stat", to[0], to[1]], &["MNM-0061", "the board wants tags"]);
    let file = home.path("file");
    fs::write(&file, [7; 5_000]).expect("written");
    let file = file.to_str().expect("text");
    home.fails(&["cp", to[0], to[1], "--integrity", "tag", file], &["mneme tenant pin"]);
    home.does(&["tenant", "pin", to[1], &key]);
    home.does(&["cp", to[0], to[1], file]);
    assert!(home.does(&["stat", to[0], to[1]]).contains("OPENS"));
    let other = SecretKey::from_bytes([7; 32]).public().to_string();
    home.fails(&["cp", to[0], to[1], "--board-key", &other, file], &["MNM-0067"]);
    home.fails(&["cp", to[0], to[1], "--integrity", "crc32c", file], &["MNM-0061"]);
}

#[test]
fn a_quota_of_a_tenants_line_bounds_what_commands_allocate() {
    let home = Home::new();
    let public = home.does(&["tenant", "keygen"]).trim().to_string();
    for (option, value, words) in [
        ("--weight", "0", "no weight"),
        ("--memory", "much", "no size"),
        ("--processes", "many", "--processes"),
    ] {
        let output =
            home.mneme(&["tenant", "add", "carol", &public, option, value]).output().expect("it runs");
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(words), "{said}");
    }
    let terms = ["--memory", "1M", "--processes", "3", "--weight", "2"];
    home.does(&[&["tenant", "add", "carol", &public], &terms[..]].concat());
    let listed = home.does(&["tenant", "list"]);
    assert!(listed.trim().ends_with("memory=1M processes=3 weight=2"), "{listed}");
    let (tenants, state) = (home.path(".config/mneme/tenants"), home.path("board.json"));
    let (tenants, state) = (tenants.to_str().expect("text"), state.to_str().expect("text"));
    let mut board = Board::start(&["--memory", "64M", "--tenants", tenants, "--state", state]);
    let key = board.line().split([' ', ':']).nth(2).expect("a key").to_owned();
    let to = ["--board", board.address()];
    home.does(&["tenant", "pin", to[1], &key]);
    let file = home.path("file");
    fs::write(&file, vec![7; 1 << 20]).expect("written");
    home.does(&["cp", to[0], to[1], file.to_str().expect("text")]);
    fs::write(&file, vec![7; (1 << 20) + 1]).expect("written");
    home.fails(&["cp", to[0], to[1], file.to_str().expect("text")], &["QUOTA"]);
}

/// Two tenants on a board that asks for tags; each sees and ends his own processes.
fn tenants_see_and_end_their_own(board: &[&str]) {
    let (home, other) = (Home::new(), Home::new());
    let (alice, bob) = (home.does(&["tenant", "keygen"]), other.does(&["tenant", "keygen"]));
    home.does(&["tenant", "add", "alice", alice.trim()]);
    home.does(&["tenant", "add", "bob", bob.trim()]);
    let (tenants, state) = (home.path(".config/mneme/tenants"), home.path("board.json"));
    let (tenants, state) = (tenants.to_str().expect("text"), state.to_str().expect("text"));
    let mut board = Board::start(&[board, &["--tenants", tenants, "--state", state]].concat());
    let key = board.line().split([' ', ':']).nth(2).expect("a key").to_owned();
    let own = home.path(".config/mneme/tenant.key");
    let named =
        ["--board", board.address(), "--identity", own.to_str().expect("text"), "--board-key", &key[..]];
    let with = |first: &[&'static str]| [first, &named[..]].concat();
    let says = |first: &[&'static str]| home.does(&with(first));
    assert!(says(&["ps"]).starts_with("this tenant has no process on "));
    // Their programs are gone, and the processes are not.
    let left = |key: &Path| {
        let own = files::read_secret(key).expect("a key");
        let credentials = Some(Credentials::new(own).board(board_key(&named)));
        let options = ClientOptions { integrity: Integrity::Tag, credentials, ..ClientOptions::default() };
        let client = Client::connect_to(board.address(), &DriverOptions::default(), options);
        let client = client.expect("the board answers");
        let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("opened");
        process.ralloc(1).expect("allocated");
        process.pid()
    };
    let [one, two, three] = [&own, &own, &own].map(|key| left(key));
    let theirs = left(&other.path(".config/mneme/tenant.key"));
    let report: serde_json::Value = serde_json::from_str(&says(&["ps", "--json"])).expect("JSON");
    let told = report["processes"].as_array().expect("a list").iter();
    let told: Vec<u64> = told.map(|line| line["pid"].as_u64().expect("a pid")).collect();
    assert_eq!(told, [one, two, three].map(u64::from), "no others, nor the one that the command asks with");
    let strange = theirs.to_string();
    home.fails(
        &[&["reap", &strange], &named[..]].concat(),
        &["this tenant has no process", &strange, "MNM-"],
    );
    let reaped = home.does(&[&["reap", &two.to_string()], &named[..]].concat());
    assert_eq!(reaped, format!("ended process {two}\n"));
    let reaped = says(&["reap", "--all", "--yes"]);
    assert_eq!(reaped, format!("ended process {one}\nended process {three}\n"));
    assert!(says(&["ps"]).starts_with("this tenant has no process on "));
    // Who proves nothing is told what the board wants.
    other.fails(&["ps", "--board", board.address()], &["MNM-0061", "the board wants tags"]);
    other.does(&["tenant", "pin", board.address(), &key]);
    assert!(other.does(&["ps", "--board", board.address()]).contains(&strange), "his is still there");
}

/// Bob is a guest of Alice's process until he is revoked; what she does meanwhile goes on, and is done once.
fn a_guest_is_revoked(board: &[&str]) {
    let home = Home::new();
    let (alice, bob) = (SecretKey::from_bytes([7; 32]), SecretKey::from_bytes([8; 32]));
    let (tenants, state) = (home.path("tenants"), home.path("board.json"));
    let (tenants, state) = (tenants.to_str().expect("text"), state.to_str().expect("text"));
    for (name, key) in [("alice", &alice), ("bob", &bob)] {
        home.does(&["tenant", "add", name, &key.public().to_string(), "--tenants", tenants]);
    }
    let mut board = Board::start(&[board, &["--tenants", tenants, "--state", state]].concat());
    let key = board.line().split([' ', ':']).nth(2).expect("a key").parse().expect("a key");
    let connect = |own: &SecretKey, give_up: u64| {
        let credentials = Some(Credentials::new(own.clone()).board(key));
        let transport =
            TransportConfig { give_up: Duration::from_secs(give_up), ..TransportConfig::default() };
        let options =
            ClientOptions { integrity: Integrity::Tag, credentials, transport, ..ClientOptions::default() };
        Client::connect_to(board.address(), &DriverOptions::default(), options).expect("the board answers")
    };
    let hers = connect(&alice, 20).open(OpenOptions::default()).expect("opened");
    let word = hers.ralloc(8).expect("allocated");
    // He finds out soon that nobody answers him any more.
    let his = connect(&bob, 2).join(hers.pid(), hers.token()).expect("he has the token");
    his.fetch_add(word, 1 << 32).expect("added");
    let mut added = 0;
    let mut adds = |times: u64| {
        for _ in 0..times {
            let told = hers.fetch_add(word, 1).expect("she is no guest");
            assert_eq!(told & 0xffff_ffff, added, "each once");
            added += 1;
        }
    };
    adds(10);
    home.does(&["tenant", "revoke", "bob", "--tenants", tenants]);
    let began = Instant::now();
    let mut error = None;
    while error.is_none() {
        assert!(began.elapsed() < Duration::from_secs(20), "he can still read");
        adds(20);
        error = his.rread(word, &mut [0; 8]).err();
    }
    // The keys were rolled, and roll again in an hour.
    assert_eq!(error.map(|error| error.id().to_string()).as_deref(), Some("MNM-0060"));
    adds(100);
    let report = board.report();
    let rolls = report.lines().find(|line| line.contains("KEY_ROLLS")).expect("a counter");
    assert_eq!(rolls.split_whitespace().next(), Some("2"), "{rolls}");
}

#[test]
fn a_guest_is_revoked_on_the_software_board() {
    a_guest_is_revoked(&["--memory", "64M"]);
}

#[test]
fn a_guest_is_revoked_on_the_rtl_board() {
    a_guest_is_revoked(&["--kind", "rtl", "--config", "tags"]);
}

fn board_key(named: &[&str]) -> PublicKey {
    named.last().and_then(|key| key.parse().ok()).expect("a key")
}

#[test]
fn tenants_see_and_end_their_own_processes_on_the_software_board() {
    tenants_see_and_end_their_own(&["--memory", "64M"]);
}

#[test]
fn tenants_see_and_end_their_own_processes_on_the_rtl_board() {
    tenants_see_and_end_their_own(&["--kind", "rtl", "--config", "tags"]);
}
