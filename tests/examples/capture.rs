//! Writes captures of every kind of operation on every kind of board, for the decoder of `tests/decoder`.
//!
//! `cargo run -p mneme-tests --example capture -- FOLDER`
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use mneme_clib::{AllocOptions, Client, ClientOptions, LockOptions, OpenOptions, Rights, UdpDriver};
use mneme_tests::faulty::{Faults, FaultyDriver};
use mneme_tests::rig::Rig;
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft};
use mneme_tests::rig::udp::{Setup, Udp};
use mneme_tests::suite::{pattern, whole_pages};
use mneme_wire::Counter;

fn connect<K: BoardKind>(driver: impl mneme_clib::Driver + 'static, seed: u64) -> Result<Client> {
    let options =
        ClientOptions { transport: Udp::<K>::transport(), seed: Some(seed), ..ClientOptions::default() };
    Ok(Client::connect(driver, options)?)
}

/// Every operation, with answers of several kinds.
fn converse(client: &Client, reached: &dyn Fn() -> Result<Client>) -> Result<()> {
    let process = client.open(OpenOptions::default())?;
    let page = process.page_size();
    let va = process.ralloc_with(2 * page, whole_pages())?;
    let mut back = vec![0; 5_000];
    process.rread(va + 7, &mut back)?;
    ensure!(back == vec![0; 5_000], "fresh memory is not zero");
    for (seed, at, size) in [(1, 0, 1), (2, 63, 2), (3, page - 2_000, 5_000), (4, page + 3, 1_450)] {
        let data = pattern(seed, size);
        process.rwrite(va + at, &data)?;
        let mut back = vec![0; size];
        process.rread(va + at, &mut back)?;
        ensure!(back == data, "{size} bytes at +{at} came back different");
    }
    for turn in 0..5 {
        process.fetch_add(va + 8, 3)?;
        process.compare_swap(va + 8, 3, 9 + turn)?;
        process.swap(va + 16, turn)?;
    }
    process.rfence()?;
    let token = process.rlock(va + 24, LockOptions::default())?;
    process.runlock(token)?;
    let small = process.ralloc(100)?;
    process.rfree(small)?;

    // Refusals: read-only, foreign, too large.
    let constant = process.ralloc_with(page, AllocOptions { rights: Rights::READ_ONLY, ..whole_pages() })?;
    ensure!(process.rwrite(constant, b"no").is_err(), "a write to read-only memory");
    ensure!(process.fetch_add(constant, 1).is_err(), "an atomic on read-only memory");
    let stranger = reached()?.open(OpenOptions::default())?;
    ensure!(stranger.rread(va, &mut [0; 8]).is_err(), "a read of another process");
    ensure!(process.ralloc(client.board().memory * 100).is_err(), "a hundred boards");
    process.rprotect(va, page, Rights::READ_ONLY)?;
    ensure!(process.rwrite(va, b"no").is_err(), "a write to protected memory");
    let joined = reached()?.join(process.pid(), process.token())?;
    joined.rread(va, &mut [0; 64])?;

    process.rfree(va)?;
    ensure!(process.rread(va, &mut [0; 8]).is_err(), "a read of freed memory");
    stranger.exit()?;
    process.exit()?;
    Ok(())
}

/// Drops of the board: requests that have no answer.
fn drops(client: &Client) -> Result<u64> {
    let counters = client.board_counters()?;
    let names = Counter::ALL
        .iter()
        .filter(|c| (Counter::DropFcs as u32..=Counter::DropSlowFull as u32).contains(&(**c as u32)));
    Ok(names.map(|c| counters.get(*c)).sum())
}

fn capture<K: BoardKind>(name: &str, folder: &Path) -> Result<()> {
    let file: PathBuf = folder.join(format!("{name}.pcap"));
    let rig = Udp::<K>::start_with(Setup { capture: Some(file.clone()), ..Setup::default() });
    let client = connect::<K>(rig.driver(), 1)?;
    converse(&client, &|| connect::<K>(rig.driver(), 2))
        .with_context(|| format!("{name}: a good network"))?;
    let faults = Faults { lost: 5, doubled: 20, late: 10, damaged: 0 };
    let behind = |seed| connect::<K>(FaultyDriver::<UdpDriver>::new(rig.driver(), faults, seed), seed);
    converse(&behind(3)?, &|| behind(4)).with_context(|| format!("{name}: a bad network"))?;
    let drops = drops(&client)?;
    drop(rig);
    println!("wrote {}", file.display());
    if drops > 0 {
        bail!("{name}: the board dropped {drops} frames, so the capture has requests without answers");
    }
    Ok(())
}

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).context("name a folder for the captures")?);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    capture::<Soft>("soft", &folder)?;
    capture::<Rtl>("rtl", &folder)
}
