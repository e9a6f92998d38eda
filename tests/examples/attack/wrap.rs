//! A request that was listened to, sent again when the 24 bits of the tick have come round. No 137 s pass: an idle board in this
//! process skips its ticks.
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use mneme_tests::rig::Config;
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft, network};
use mneme_wire::{Opcode, Tick};

use crate::board::Kind;
use crate::inside::Inside;
use crate::stranger::bytes;

/// Ticks until the count is the same again.
const WRAP: u64 = 1 << 24;
/// Looks at the tick until it is the one that is waited for.
const LOOKS: u32 = 64;

/// What became of the copy.
pub fn replay(kind: Kind) -> Result<String> {
    match kind {
        Kind::Soft => on::<Soft>(),
        Kind::Rtl => on::<Rtl>(),
    }
}

fn on<K: BoardKind>() -> Result<String> {
    let network = network(K::reset(Config::Small), K::NUMBER, Config::Small);
    let mut victim = Inside::new(network.attach())?;
    let sent = victim.learn()?;
    let request = victim.request(Opcode::Write, victim.va, 8);
    let copy = bytes(&request, &1u64.to_le_bytes());
    ensure!(victim.send(&copy)?.is_some_and(|answer| answer.is_ok()), "the first WRITE was not served");
    victim.write(2)?;
    ensure!(victim.send(&copy)?.is_some(), "a copy was not answered");
    ensure!(victim.read()? == 2, "a copy inside the window was executed");
    // Half a wrap and the rest, since ticks are compared modulo the wrap.
    wait_for(&mut victim, sent.plus((WRAP / 2) as u32))?;
    wait_for(&mut victim, sent)?;
    let answer = victim.send(&copy)?.context("no answer to the copy")?;
    let executed = victim.read()? == 1;
    Ok(if executed { "executed again".into() } else { format!("not executed, answered {}", answer.words()) })
}

/// Lets time pass until the board's tick is this one or a few further.
fn wait_for<F>(client: &mut Inside<F>, wanted: Tick) -> Result<()>
where
    F: mneme_slowpath::FastPath + mneme_model::port::NetworkPort,
{
    for _ in 0..LOOKS {
        let left = u64::from(wanted.get().wrapping_sub(client.learn()?.get()) & (WRAP as u32 - 1));
        if left == 0 || left > WRAP - u64::from(client.info.window / 2) {
            return Ok(());
        }
        // Short of it by what a PING takes.
        let wait = left.saturating_sub(1).max(1) * u64::from(client.info.ns_per_tick);
        let strange = client.port.receive(Duration::from_nanos(wait));
        ensure!(strange.is_none(), "an answer that nobody waited for");
    }
    anyhow::bail!("the tick never was {}", wanted.get())
}
