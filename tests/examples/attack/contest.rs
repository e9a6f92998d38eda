//! Honest clients alone, and honest clients beside an attack, in turn: what the attack did to them. And beside the same attack on a
//! board of the attacker's own: what it takes of the machine, whatever is attacked.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use hdrhistogram::Histogram;
use mneme_tests::figures::{Bound, Cell, Figures, Goal, Table, Verdict};
use mneme_tests::meter::latencies;
use mneme_tests::rig::Config;
use mneme_tests::statistics::Mean;

use crate::board::{Board, Kind};
use crate::honest::{Crew, Suffered, Work};
use crate::stranger::Stranger;
use crate::{Options, apart};

/// The nice value of attacking threads: what they take of the machine is not what is measured.
const NICE: i32 = 5;
/// In the short form no honest operation may take longer.
const GROSS_STALL_MS: f64 = 1_000.0;

/// What an attacker has done.
#[derive(Debug, Default, Clone, Copy)]
pub struct Did {
    pub sent: u64,
    pub answered: u64,
    pub seconds: f64,
}

impl Did {
    pub fn rate(&self) -> f64 {
        self.sent as f64 / self.seconds.max(1e-9)
    }
}

/// An attack that honest clients are measured beside.
pub trait Attack: Sync {
    type State: Send;
    /// What honest clients do.
    const WORKS: &'static [Work] = &Work::USUAL;
    /// Whether the board asks for tags, which honest clients have.
    const KEYED: bool = false;
    /// Whether honest clients are measured beside the same attack on another board as well, in the long form.
    const ELSEWHERE: bool = false;
    /// The memory of the board that it needs.
    fn config(&self) -> Config {
        Config::Sim
    }
    /// What the attacker does before anybody is measured.
    fn prepare(&self, board: &Board) -> Result<Self::State>;
    /// Attacks until told to stop.
    fn attack(&self, state: &mut Self::State, stop: &AtomicBool) -> Result<Did>;
    /// Looks at the board when everybody else is gone.
    fn after(&self, _state: &mut Self::State) -> Result<()> {
        Ok(())
    }
}

/// What honest clients are measured beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Nobody,
    /// The attack on another board of the same kind, in another thread of this program.
    Elsewhere,
    Attack,
}

impl Beside {
    const ALL: [Beside; 3] = [Beside::Nobody, Beside::Elsewhere, Beside::Attack];

    fn name(self) -> &'static str {
        match self {
            Beside::Nobody => "nobody",
            Beside::Elsewhere => "it elsewhere",
            Beside::Attack => "the attack",
        }
    }
}

/// One round: the same honest work alone and beside the attack, each on a fresh board.
pub struct Round {
    alone: Vec<Suffered>,
    /// Empty, unless measured.
    elsewhere: Vec<Suffered>,
    attacked: Vec<Suffered>,
    /// What was done elsewhere, and to the board.
    did: [Did; 2],
}

impl Round {
    fn met(&self, beside: Beside) -> &[Suffered] {
        match beside {
            Beside::Nobody => &self.alone,
            Beside::Elsewhere => &self.elsewhere,
            Beside::Attack => &self.attacked,
        }
    }
}

/// All rounds of an attack on a kind of board.
pub struct Contest {
    works: &'static [Work],
    pub rounds: Vec<Round>,
}

/// Measures an attack.
pub fn contest<A: Attack>(options: &Options, kind: Kind, time: Duration, attack: &A) -> Result<Contest> {
    let mut rounds = Vec::new();
    for round in 0..options.rounds() {
        // The order changes, so that what disturbs the machine disturbs both.
        let alone = |()| one(kind, time, attack, Beside::Nobody);
        let early = (round % 2 == 0).then(|| alone(())).transpose()?;
        let (attacked, did) = one(kind, time, attack, Beside::Attack)?;
        let (alone, _) = early.map_or_else(|| alone(()), Ok)?;
        let elsewhere = (A::ELSEWHERE && !options.short).then(|| one(kind, time, attack, Beside::Elsewhere));
        let (elsewhere, other) = elsewhere.transpose()?.unwrap_or_default();
        rounds.push(Round { alone, elsewhere, attacked, did: [other, did] });
    }
    Ok(Contest { works: A::WORKS, rounds })
}

fn one<A: Attack>(kind: Kind, time: Duration, attack: &A, beside: Beside) -> Result<(Vec<Suffered>, Did)> {
    let start = if A::KEYED { Board::keyed } else { Board::with };
    let board = start(kind, attack.config());
    let other = (beside == Beside::Elsewhere).then(|| start(kind, attack.config()));
    let attack = (beside != Beside::Nobody).then_some(attack);
    let crew = Crew::hire(A::WORKS, kind, board.address()?, A::KEYED)?;
    let attacked = other.as_ref().unwrap_or(&board);
    let state = attack.map(|attack| attack.prepare(attacked)).transpose()?;
    let stop = AtomicBool::new(false);
    let (met, did) = std::thread::scope(|scope| {
        let attacker = attack.zip(state).map(|(attack, mut state)| {
            let stop = &stop;
            scope.spawn(move || {
                be_nice();
                apart::attacker()?;
                let began = Instant::now();
                let did = attack.attack(&mut state, stop)?;
                let did = Did { seconds: began.elapsed().as_secs_f64(), ..did };
                attack.after(&mut state).map(|()| did)
            })
        });
        crew.begin();
        std::thread::sleep(time);
        // Those who wait for an answer are stopped while the attack still lasts.
        let met = crew.end();
        stop.store(true, Ordering::Relaxed);
        let did =
            attacker.map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("an attacker panicked"))));
        anyhow::Ok((met?, did.transpose()?.unwrap_or_default()))
    })?;
    board.end()?;
    other.map(Board::end).transpose()?;
    Ok((met, did))
}

/// Gives the calling thread less of the machine than the board and the honest clients have.
pub fn be_nice() {
    // A machine that refuses that only measures more pessimistically.
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
}

impl Contest {
    fn of(&self, work: Work, beside: Beside) -> impl Iterator<Item = &Suffered> {
        self.rounds.iter().flat_map(move |round| round.met(beside)).filter(move |met| met.work == work)
    }
    fn p99s(&self, work: Work, beside: Beside) -> Vec<f64> {
        self.of(work, beside).map(Suffered::p99_ms).collect()
    }
    fn worst(&self, work: Work, beside: Beside) -> f64 {
        self.of(work, beside).map(Suffered::max_ms).fold(0.0, f64::max)
    }
    /// What was measured, as a table.
    pub fn table(&self, title: &str) -> Table {
        let columns = ["operation", "with", "ops/s", "p50 ms", "p99 ms", "max ms", "failed"];
        let mut table = Table::new(title, &columns);
        for work in self.works.iter().copied() {
            for beside in Beside::ALL {
                let all: Vec<&Suffered> = self.of(work, beside).collect();
                if all.is_empty() {
                    continue;
                }
                let mut latency: Histogram<u64> = latencies();
                all.iter().for_each(|met| latency.add(&met.latency).expect("all have the same bounds"));
                let quantile = |share| Cell::Number(latency.value_at_quantile(share) as f64 / 1e6);
                let rates: Vec<f64> = all.iter().map(|met| met.rate).collect();
                table.rows.push(vec![
                    work.name().into(),
                    beside.name().into(),
                    Mean::of(&rates).map(|mean| mean.mean).map_or(Cell::None, Cell::Number),
                    quantile(0.5),
                    quantile(0.99),
                    self.worst(work, beside).into(),
                    all.iter().map(|met| met.failures).sum::<u64>().into(),
                ]);
            }
        }
        table
    }
    /// In words what the attacker did.
    pub fn attacker(&self) -> String {
        let rate = |which: usize| {
            let rates: Vec<f64> = self.rounds.iter().map(|round| round.did[which].rate()).collect();
            Mean::of(&rates).map_or(0.0, |mean| mean.mean)
        };
        let (sent, answered) = self.rounds.iter().fold((0, 0), |(sent, answered), round| {
            (sent + round.did[1].sent, answered + round.did[1].answered)
        });
        let here = format!("{sent} requests ({:.0}/s), {answered} answers", rate(1));
        match self.rounds.iter().any(|round| !round.elsewhere.is_empty()) {
            true => format!("{here}; elsewhere {:.0} requests/s", rate(0)),
            false => here,
        }
    }
    /// No honest operation fails; in the short form none takes a second. Longer ones have goals of their own.
    pub fn gross(&self, options: &Options, named: &str, figures: &mut Figures) {
        self.gross_of(self.works, options, named, figures);
    }
    /// The same of some kinds of work.
    pub fn gross_of(&self, works: &[Work], options: &Options, named: &str, figures: &mut Figures) {
        let failures = self.rounds.iter().flat_map(|round| &round.attacked);
        let failures = failures.filter(|met| works.contains(&met.work));
        let (count, why) =
            failures.fold((0, None), |(count, why), met| (count + met.failures, why.or(met.why.as_deref())));
        if let Some(why) = why {
            eprintln!("{named}: an honest client failed: {why}");
        }
        figures.goals.push(exactly(
            format!("{named}: honest operations that fail"),
            Bound::AtMost(0.0),
            "",
            count as f64,
        ));
        if options.short {
            let worst = works.iter().map(|work| self.worst(*work, Beside::Attack)).fold(0.0, f64::max);
            let name = format!("{named}: longest honest operation");
            figures.goals.push(exactly(name, Bound::AtMost(GROSS_STALL_MS), " ms", worst));
        }
    }
    /// A bound of the 99th percentile, in every round.
    pub fn p99(&self, work: Work, most_ms: f64, named: &str, figures: &mut Figures) {
        let (with, alone) = (self.p99s(work, Beside::Attack), self.p99s(work, Beside::Nobody));
        figures.goals.push(every(format!("{named}: honest {} p99", work.name()), most_ms, &with, &alone));
    }
    /// How many times the 99th percentile alone it is, round by round.
    pub fn p99_ratio(&self, work: Work, most: f64, named: &str, figures: &mut Figures) {
        let name = format!("{named}: honest {} p99", work.name());
        ratios(&name, Bound::AtMost(most), |beside| self.p99s(work, beside), figures);
    }
    /// A bound of the longest operation, in every round.
    pub fn stall(&self, work: Work, most_ms: f64, named: &str, figures: &mut Figures) {
        let longest = |beside| self.of(work, beside).map(Suffered::max_ms).collect::<Vec<_>>();
        let name = format!("{named}: longest honest {}", work.name());
        figures.goals.push(every(name, most_ms, &longest(Beside::Attack), &longest(Beside::Nobody)));
    }
    /// The share of the rate alone that is left, round by round.
    pub fn rate(&self, work: Work, least: f64, named: &str, figures: &mut Figures) {
        let rates = |beside| self.of(work, beside).map(|met| met.rate).collect();
        let name = format!("{named}: honest {} rate", work.name());
        ratios(&name, Bound::AtLeast(least), rates, figures);
    }
}

/// Bounds of a figure beside the attack over the same figure alone, and over the one beside it elsewhere if that was measured, each of the
/// same round.
fn ratios(name: &str, bound: Bound, of: impl Fn(Beside) -> Vec<f64>, figures: &mut Figures) {
    let with = of(Beside::Attack);
    for (beside, than) in [(Beside::Nobody, "alone"), (Beside::Elsewhere, "that beside it elsewhere")] {
        let without = of(beside);
        if without.is_empty() {
            continue;
        }
        let ratios: Vec<f64> = with.iter().zip(&without).map(|(with, without)| with / without).collect();
        let mut goal = Goal::new(format!("{name} against {than}"), bound, "×", Mean::of(&ratios));
        goal.verdict = Verdict::of_rounds(bound, &ratios);
        figures.goals.push(goal);
    }
}

/// A bound that every round has to keep. A miss must be one of every round too, and none of a machine that is too busy.
fn every(name: String, most_ms: f64, with: &[f64], alone: &[f64]) -> Goal {
    let worst = |rounds: &[f64]| rounds.iter().copied().fold(0.0, f64::max);
    let bound = Bound::AtMost(most_ms);
    let mut goal = Goal::new(name, bound, " ms", Mean::of(with));
    goal.verdict = match Verdict::of_rounds(bound, with) {
        Verdict::Missed => Verdict::of_worst(bound, worst(with), worst(alone)),
        said => said,
    };
    goal
}

/// A goal for a figure that is known exactly.
pub fn exactly(name: impl Into<String>, bound: Bound, unit: &'static str, figure: f64) -> Goal {
    Goal::new(name, bound, unit, Some(Mean::exact(figure)))
}

/// Takes what has been answered so far without waiting; how many.
pub fn drain(from: &mut Stranger) -> Result<u64> {
    let mut count = 0;
    while from.answer(Duration::ZERO)?.is_some() {
        count += 1;
    }
    Ok(count)
}
