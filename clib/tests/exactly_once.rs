//! Random loss, doubling, delay and reordering, busy and damaged answers, a lagging tick: each operation takes effect
//! at most once, exactly once when it is answered OK, never when its failure says so; and what is read is what was
//! written.
use crate::support;

use mneme_clib::{AllocOptions, Client, Effect, OpenOptions, Process};
use mneme_wire::Cause;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;
use support::{Faults, Mood, Shared};

#[derive(Debug, Clone)]
struct Weather {
    seed: u64,
    loss: f64,
    doubling: f64,
    lateness: f64,
    late_us: u64,
    moody: f64,
    rate: f64,
}

fn weather() -> impl Strategy<Value = Weather> {
    (any::<u64>(), 0.0..0.5f64, 0.0..0.5f64, 0.0..0.3f64, 100u64..6_000, 0.0..0.4f64, 0.05..1.0f64).prop_map(
        |(seed, loss, doubling, lateness, late_us, moody, rate)| Weather {
            seed,
            loss,
            doubling,
            lateness,
            late_us,
            moody,
            rate,
        },
    )
}

fn random_mood(rng: &mut ChaCha8Rng, moody: f64) -> Mood {
    if !rng.random_bool(moody) {
        return Mood::Normal;
    }
    let unrecorded = [Cause::Queue, Cause::Filter, Cause::Pending, Cause::Clock];
    match rng.random_range(0..5) {
        0 => Mood::Nack,
        1 => Mood::BusyUnrecorded(unrecorded[rng.random_range(0..unrecorded.len())]),
        2 => Mood::BusyReleased(if rng.random() { Cause::Fault } else { Cause::Hold }),
        3 => Mood::Deaf,
        _ => Mood::Mute,
    }
}

/// A process with 64 words of memory, opened in fine weather; then the weather turns.
fn set_out(weather: &Weather) -> (Shared, Client, Process, u64) {
    let world = Shared::new(weather.seed);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc_with(512, AllocOptions { own_pages: true, ..AllocOptions::default() }).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(!weather.seed);
    world.with(|world| {
        // The tick goes on from where it was, slower.
        let tick = world.board.tick(world.now).get();
        world.board.rate = weather.rate;
        let passed = world.board.tick(world.now).since(mneme_wire::Tick::default());
        world.board.tick_base =
            world.board.tick_base.wrapping_add(tick).wrapping_sub(passed as u32) & 0xff_ffff;
        world.board.moods = (0..20_000).map(|_| random_mood(&mut rng, weather.moody)).collect();
        world.faults = Faults {
            loss: weather.loss,
            doubling: weather.doubling,
            lateness: weather.lateness,
            late: (Duration::from_micros(50), Duration::from_micros(weather.late_us)),
            ..Faults::default()
        };
    });
    (world, client, process, va)
}

/// How often the operations on one word may have happened.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    sure: u64,
    possible: u64,
}

impl Count {
    fn add(&mut self, result: &mneme_clib::Result<u64>) {
        match result {
            Ok(_) => self.sure += 1,
            Err(error) if error.effect() == Effect::None => {}
            Err(_) => self.possible += 1,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Each operation adds 1 to a word; afterwards the word tells how often that happened.
    #[test]
    fn every_effect_happens_at_most_once(weather in weather()) {
        let (world, _client, process, va) = set_out(&weather);
        let mut counts = [Count::default(); 16];
        for i in 0..48 {
            let word = i % counts.len();
            let result = process.fetch_add(va + 8 * word as u64, 1);
            counts[word].add(&result);
            if let Ok(old) = result {
                let count = counts[word];
                prop_assert!(old < count.sure + count.possible, "word {word} was {old}, {count:?}");
                prop_assert!(old + 1 >= count.sure, "word {word} was {old}, {count:?}");
            }
        }
        world.with(|world| {
            world.settle();
            for (i, count) in counts.iter().enumerate() {
                let word = world.board.word(process.pid(), va + 8 * i as u64);
                prop_assert!(
                    word >= count.sure && word <= count.sure + count.possible,
                    "word {i} is {word}, {count:?}"
                );
            }
            Ok(())
        })?;
    }

    /// Writes of increasing numbers to few words: what is read is the last number that was written for sure, or one
    /// that was possibly written after it; and once seen, an older one never comes back.
    #[test]
    fn no_late_copy_overwrites_what_came_after_it(weather in weather()) {
        let (world, client, process, va) = set_out(&weather);
        let mut allowed = vec![vec![0u64]; 4];
        for number in 1..40u64 {
            let word = (number % 4) as usize;
            let at = va + 8 * word as u64;
            match process.rwrite(at, &number.to_le_bytes()) {
                Ok(()) => allowed[word] = vec![number],
                Err(error) if error.effect() == Effect::None => {}
                Err(_) => allowed[word].push(number),
            }
            let mut read = [0; 8];
            if process.rread(at, &mut read).is_ok() {
                let found = u64::from_le_bytes(read);
                prop_assert!(allowed[word].contains(&found), "read {found}, {:?} are possible", allowed[word]);
                // Reads wait until older copies cannot be executed any more, so what was seen stays.
                allowed[word] = vec![found];
            }
        }
        let statistics = client.statistics();
        prop_assert!(statistics.transport.sent > 0);
        world.with(|world| {
            world.settle();
            for (i, allowed) in allowed.iter().enumerate() {
                let word = world.board.word(process.pid(), va + 8 * i as u64);
                prop_assert!(allowed.contains(&word), "word {i} is {word}, {allowed:?} are possible");
            }
            Ok(())
        })?;
    }

    /// Large writes and reads over several packets in flight, in weather that heals: everything completes and agrees.
    #[test]
    fn a_healed_network_completes_everything(mut weather in weather()) {
        weather.loss = weather.loss.min(0.1);
        weather.moody = weather.moody.min(0.1);
        weather.rate = 1.0;
        weather.late_us = 200;
        let (world, _client, process, _) = set_out(&weather);
        world.with(|world| world.faults = Faults::default());
        world.mood([]);
        let va = process.ralloc(support::PAGE * 2).unwrap();
        let data: Vec<u8> = (0..30_000u32).map(|i| (i ^ (i >> 7) ^ weather.seed as u32) as u8).collect();
        let bad = Faults { loss: weather.loss, doubling: weather.doubling, lateness: weather.lateness, ..Faults::default() };
        world.with(|world| world.faults = bad);
        let stormy = process.rwrite(va + support::PAGE - 10_000, &data);
        if let Err(error) = stormy {
            prop_assert_ne!(error.effect(), Effect::None, "{}", error);
        }
        world.with(|world| world.faults = Faults::default());
        process.rwrite(va + support::PAGE - 10_000, &data).unwrap();
        let mut back = vec![0; data.len()];
        process.rread(va + support::PAGE - 10_000, &mut back).unwrap();
        prop_assert!(back == data);
    }
}
