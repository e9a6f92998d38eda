//! Two boards and two clients, each a process of its own: a client is killed in mid-write, a board is killed and restarted. Who is
//! left gets answers or errors that are true, and never waits for ever.
use crate::board;

use board::Board;
use mneme_clib::{Client, ClientOptions, Effect, OpenOptions, Process, TransportConfig, UdpDriver};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long an operation may take before it fails.
const GIVE_UP: Duration = Duration::from_secs(10);
/// What the machine may add to what should take moments.
const GRACE: Duration = Duration::from_secs(60);
/// Bytes that one packet writes, and how many of them the writer goes over again and again.
const BLOCK: usize = 1024;
const BLOCKS: usize = 32;
/// How the writer is told where to write.
const WHERE: &str = "TEST_WRITER_BOARD";

fn connect(address: &str) -> Client {
    let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::default() };
    let options = ClientOptions { transport, ..ClientOptions::default() };
    Client::connect(UdpDriver::connect(address).expect("a socket"), options).expect("the board answers")
}

/// A board, a client of it, and a process with the blocks in it.
struct Site {
    board: Board,
    process: Process,
    va: u64,
}

impl Site {
    fn new() -> Site {
        let board = Board::start(&[]);
        let process = connect(board.address()).open(OpenOptions::default()).expect("a process");
        let va = process.ralloc((BLOCK * BLOCKS) as u64).expect("memory");
        process.rwrite(va, &[0; BLOCK * BLOCKS]).expect("written");
        Site { board, process, va }
    }
    /// The generation of every block, each of which must be whole.
    fn generations(&self) -> Vec<u8> {
        let whole = |block: usize| {
            // A packet each, as they were written.
            let mut bytes = [0xee; BLOCK];
            self.process.rread(self.va + (block * BLOCK) as u64, &mut bytes).expect("read");
            assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a write of one packet is there in part");
            bytes[0]
        };
        (0..BLOCKS).map(whole).collect()
    }
    /// What the other client needs to write here.
    fn invitation(&self) -> String {
        let token: String = self.process.token().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} {} {token} {}", self.board.address(), self.process.pid(), self.va)
    }
}

/// Joins the process that an invitation names.
fn join(invitation: &str) -> (Process, u64) {
    let mut words = invitation.split(' ');
    let mut word = || words.next().expect("a word");
    let (address, pid, token, va) = (word(), word(), word(), word());
    let mut bytes = [0; 16];
    for (byte, digits) in bytes.iter_mut().zip(token.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).expect("digits"), 16).expect("digits");
    }
    let process = connect(address).join(pid.parse().expect("a number"), bytes).expect("joined");
    (process, va.parse().expect("a number"))
}

/// The other client, in a process of its own: writes generation after generation, block by block, on all boards that it was told of.
#[test]
fn writer_in_a_process_of_its_own() {
    let Ok(invitations) = std::env::var(WHERE) else { return };
    let joined: Vec<(Process, u64)> = invitations.split(';').map(join).collect();
    for generation in (1..=u8::MAX).cycle() {
        for block in 0..BLOCKS {
            for (process, va) in &joined {
                process.rwrite(va + (block * BLOCK) as u64, &[generation; BLOCK]).expect("written");
            }
        }
    }
}

fn start_writer(sites: &[Site]) -> Child {
    let invitations: Vec<String> = sites.iter().map(Site::invitation).collect();
    let mut writer = Command::new(std::env::current_exe().expect("this test"));
    writer.args(["two_boards::writer_in_a_process_of_its_own", "--exact"]).env(WHERE, invitations.join(";"));
    writer.stdout(Stdio::null()).spawn().expect("the writer starts")
}

#[test]
fn a_client_killed_in_mid_write_leaves_whole_blocks_and_working_boards() {
    let sites = [Site::new(), Site::new()];
    let mut writer = start_writer(&sites);
    let began = Instant::now();
    // In the middle of its third round, however long the machine takes to get there.
    while sites[1].generations().iter().all(|generation| *generation < 3) {
        assert!(began.elapsed() < GRACE, "the writer does not write");
    }
    writer.kill().expect("killed");
    writer.wait().expect("gone");
    for site in &sites {
        // Its writes follow each other: the newest generation up to some block, the one before it from there on.
        let generations = site.generations();
        let (newest, rest) = (generations[0], generations[BLOCKS - 1]);
        let border = generations.iter().position(|generation| *generation != newest).unwrap_or(BLOCKS);
        assert!(
            newest >= 2 && (rest == newest || rest == newest - 1 || (newest, rest) == (1, u8::MAX)),
            "{generations:?}"
        );
        assert!(generations[border..].iter().all(|generation| *generation == rest), "{generations:?}");
        // The process lives on in the client that is left, and the board serves others.
        let data = [7; BLOCK * BLOCKS];
        site.process.rwrite(site.va, &data).expect("written");
        assert_eq!(site.generations(), [7; BLOCKS]);
        site.process.rfree(site.va).expect("freed");
        let other = connect(site.board.address()).open(OpenOptions::default()).expect("another process");
        let va = other.ralloc(1 << 20).expect("memory");
        assert_eq!(other.fetch_add(va, 5).expect("an atomic"), 0, "fresh memory is zero");
    }
}

#[test]
fn a_board_killed_and_restarted_is_told_of_and_the_other_goes_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let state = folder.path().join("epochs.json");
    let args = ["--state", state.to_str().expect("UTF-8")];
    let dying = Board::start_to_return(3, &args);
    let address = dying.address().to_owned();
    let (client, living) = (connect(&address), Site::new());
    let process = client.open(OpenOptions::default()).expect("a process");
    let va = process.ralloc(BLOCK as u64).expect("memory");
    process.rwrite(va, &[1; BLOCK]).expect("written");
    dying.kill();
    let began = Instant::now();
    let error = process.rwrite(va, &[2; BLOCK]).expect_err("nobody is there");
    assert!(began.elapsed() < GIVE_UP + GRACE, "only after {:?}", began.elapsed());
    assert_ne!(error.effect(), Effect::None, "a packet that nobody answered may have been executed: {error}");
    living.process.rwrite(living.va, &[9; BLOCK]).expect("the other board does not care");
    let back = Board::start_at(&address, &args);
    let error = process.rread(va, &mut [0; 8]).expect_err("of another life");
    assert!(error.is_restart(), "{error}");
    let again = client.open(OpenOptions::default()).expect("a process in the new epoch");
    let fresh = again.ralloc(BLOCK as u64).expect("memory");
    let mut bytes = [0xee; BLOCK];
    again.rread(fresh, &mut bytes).expect("read");
    assert_eq!(bytes, [0; BLOCK], "nothing of the first life is left");
    assert_eq!(living.generations()[0], 9);
    drop(back);
}
