//! `mneme rdma --device rxe0` in the guest: the native client over libibverbs and librdmacm, which it loads by itself. The same commands
//! run over the client's own socket elsewhere.
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::lab::{BOARD, Lab};

/// How long a command may take, on an emulated processor.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs `mneme rdma` in the guest, to the board. Answers whether it ended well, and what it said, in one line; with its errors if not.
fn rdma(lab: &mut Lab, arguments: &str) -> Result<(bool, String)> {
    let command = format!("mneme rdma {arguments} --board {BOARD}:19790 >/run/said 2>/run/why");
    let all = "code=$?; [ $code = 0 ] || cat /run/why >>/run/said; echo $code $(tr '\\n' ' ' </run/said)";
    let said = lab.guest.line_of(&format!("{command}; {all}"), PATIENCE)?;
    let (code, said) = said.split_once(' ').unwrap_or((&said, ""));
    Ok((code == "0", said.to_owned()))
}

/// One that must end well.
fn well(lab: &mut Lab, arguments: &str) -> Result<String> {
    let (well, said) = rdma(lab, arguments)?;
    ensure!(well, "`mneme rdma {arguments}` says: {said}");
    Ok(said)
}

/// One that must fail, with these words.
fn fails(lab: &mut Lab, arguments: &str, words: &[&str]) -> Result<()> {
    let (well, said) = rdma(lab, arguments)?;
    let missing = words.iter().find(|words| !said.contains(**words));
    ensure!(!well && missing.is_none(), "`mneme rdma {arguments}` does not say {missing:?}: {said}");
    lab.tally.operations += 1;
    Ok(())
}

/// What a command counts, of its JSON.
fn field(said: &str, name: &str) -> Result<u64> {
    let value: serde_json::Value = serde_json::from_str(said).with_context(|| format!("no JSON: {said}"))?;
    value[name].as_u64().with_context(|| format!("no {name}: {said}"))
}

/// Data that both clients read and write, rates, counters, and what is missing.
pub fn run(lab: &mut Lab) -> Result<()> {
    let before = lab.board.counters()?;
    let check = well(lab, "check --device rxe0")?;
    for line in [
        "RDMA by device rxe0",
        "512 words written by the library, read by RDMA READ: all are equal",
        "512 words written by RDMA WRITE, read by the library: all are equal",
        "64 additions each to one word, in turns",
        "2 swaps of one word",
        "bytes written by RDMA WRITEs, read by the library: all are equal",
        "bytes written by the library, read by RDMA READs: all are equal",
        "2 pages given up by RDMA's FREE: both read zeros",
    ] {
        ensure!(check.contains(line), "`{line}` is not among: {check}");
    }
    let many = if lab.short { 100 } else { 1000 };
    for (verb, bytes, depth) in
        [("read", 4096, 1), ("read", 100_000, 8), ("write", 65_536, 16), ("atomic", 8, 16)]
    {
        let said =
            well(lab, &format!("bench {verb} -s {bytes} --depth {depth} -n {many} --json --device rxe0"))?;
        ensure!(field(&said, "operations")? == many, "{said}");
        lab.tally.operations += many;
        // READs are compared one by one, WRITEs and atomics by what the last has left.
        lab.tally.compared += bytes * if verb == "write" { 1 } else { many };
    }
    let ping = well(lab, "ping -c 3 -i 0.01 --device rxe0")?;
    ensure!(ping.contains("speaks RDMA: device rxe0") && ping.contains("READ 3: "), "{ping}");
    let stat = well(lab, "stat --json --device rxe0")?;
    let made = field(&stat, "connections_made")? - before.get("connections made").copied().unwrap_or(0);
    ensure!(made == 7, "{made} connections were made, not those of seven commands");
    // A client that is killed with operations under way leaves nothing that is in the way of another.
    let killed = format!(
        "timeout -s KILL 4 mneme rdma bench write -s 64K --depth 64 -n 1000000 --device rxe0 --board {BOARD}:19790"
    );
    lab.guest.run(&format!("{killed}; [ $? = 137 ]"))?;
    well(lab, "bench write -s 64K --depth 64 -n 100 --device rxe0")?;
    lab.tally.operations += 100;
    missing(lab)?;
    let atomics = lab.grown(&before, "atomics")?;
    ensure!(atomics == many + 64 + 2, "{atomics} atomics were served");
    Ok(())
}

/// What is not there is said in words, with what to do.
fn missing(lab: &mut Lab) -> Result<()> {
    fails(lab, "ping --device rxe7", &["there is no RDMA device rxe7: this machine has rxe0", "MNM-1016"])?;
    fails(lab, "ping --kind chain --device rxe0", &["leave out --device rxe0"])?;
    let library = "/usr/lib/x86_64-linux-gnu/librdmacm.so.1";
    lab.guest.run(&format!("mv {library} /run/away"))?;
    let said = fails(
        lab,
        "ping --device rxe0",
        &["librdmacm.so.1 cannot be loaded", "install rdma-core's libraries"],
    );
    lab.guest.run(&format!("mv /run/away {library}"))?;
    said
}
