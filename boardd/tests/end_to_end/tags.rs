//! A board that asks for tags, and whose daemon keeps its key: what `mneme-boardd --tenants` serves, and to whom.
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use mneme_auth::{TenantName, TenantsFile};
use mneme_clib::{
    Client, ClientOptions, Credentials, Error, ErrorId, Integrity, OpenOptions, Process, SecretKey,
    TransportConfig,
};
use mneme_slowpath::FileEpochs;
use mneme_tests::Config;
use mneme_tests::rig::in_process::{Rtl, Soft, TENANT_KEY};

use crate::rig::{Daemon, Hardware, program};

struct Board {
    hardware: Hardware,
    tenants: TenantsFile,
}

impl Board {
    /// With one tenant.
    fn start() -> Board {
        let hardware = Hardware::start::<Soft>(Config::Sim);
        let tenants = TenantsFile::new(hardware.path("tenants"));
        tenants.add(tenant("one", &TENANT_KEY)).expect("the first one");
        Board { hardware, tenants }
    }
    fn daemon(&self) -> Daemon {
        let path = self.hardware.path("tenants");
        let mut daemon = Daemon::start(&self.hardware, &["--tenants", path.to_str().expect("text")]);
        daemon.serving();
        daemon
    }
    /// A process of whoever has this key; without one, without tags.
    fn open(&self, key: Option<SecretKey>) -> Result<Process, Error> {
        self.open_within(key, Duration::from_secs(60))
    }
    fn open_within(&self, key: Option<SecretKey>, give_up: Duration) -> Result<Process, Error> {
        let transport = TransportConfig { give_up, ..TransportConfig::default() };
        // The key that the board has made, as an operator tells it.
        let board = FileEpochs::new(self.hardware.path("state.json")).key([0; 32]).expect("a key");
        let credentials = key.map(|key| Credentials::new(key).board(board.public()));
        let integrity = if credentials.is_some() { Integrity::Tag } else { Integrity::None };
        let options = ClientOptions { transport, credentials, integrity, ..ClientOptions::default() };
        Client::connect(self.hardware.driver(), options)?.open(OpenOptions::default())
    }
}

fn tenant(name: &str, key: &SecretKey) -> mneme_auth::Tenant {
    format!("{name} {} 2026-01-01", key.public()).parse().expect("a tenant")
}

fn works(process: &Process) {
    let va = process.ralloc(1 << 19).expect("alloc");
    process.rwrite(va, &[7; 3000]).expect("written");
    let mut back = [0; 3000];
    process.rread(va, &mut back).expect("read");
    assert_eq!(back, [7; 3000]);
    process.rfree(va).expect("freed");
}

#[test]
fn a_board_of_tenants_serves_them_and_nobody_else_and_keeps_its_key() {
    let board = Board::start();
    let daemon = board.daemon();
    let stranger = SecretKey::from_bytes([9; 32]);
    for (key, why) in [(None, ErrorId::TagsWanted), (Some(stranger.clone()), ErrorId::UnknownTenant)] {
        let refused = board.open(key).expect_err("a stranger");
        assert_eq!(refused.id(), why, "{refused}");
    }
    let process = board.open(Some(TENANT_KEY)).expect("a tenant");
    works(&process);
    let idle = board.open_within(Some(TENANT_KEY), Duration::from_secs(2)).expect("a tenant");
    drop(daemon);
    // The next one has the same key: whoever has pinned it finds the same board.
    let daemon = board.daemon();
    // Without the keys of its epoch nobody can prove to a process that it has ended.
    let error = idle.ralloc(1 << 19).expect_err("its epoch is over");
    assert_eq!(error.id(), ErrorId::Unproven, "{error}");
    works(&board.open(Some(TENANT_KEY)).expect("a tenant"));
    // Tenants come and go while it serves.
    board.tenants.add(tenant("two", &stranger)).expect("another name");
    let until = Instant::now() + Duration::from_secs(60);
    let added = loop {
        match board.open(Some(stranger.clone())) {
            Ok(process) => break process,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    works(&added);
    let name: TenantName = "two".parse().expect("a name");
    board.tenants.revoke(&name).expect("it is there");
    let until = Instant::now() + Duration::from_secs(60);
    while board.open(Some(stranger.clone())).is_ok() {
        assert!(Instant::now() < until, "the revoked tenant is served");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(daemon);
}

#[test]
fn a_board_without_trailers_asks_for_no_tags() {
    let hardware = Hardware::start::<Rtl>(Config::Sim);
    TenantsFile::new(hardware.path("tenants")).add(tenant("one", &TENANT_KEY)).expect("the first one");
    let mut command = program();
    command.arg("--simulated").arg(hardware.path("device")).arg("--state").arg(hardware.path("state.json"));
    command.arg("--tenants").arg(hardware.path("tenants")).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let mut said = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
    assert!(!child.wait().expect("it ends").success());
    assert!(said.contains("the board's fast path has no trailers"), "{said}");
}
