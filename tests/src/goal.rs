//! Goals of measured figures: what was asked for, and whether a measurement says anything about it.
use serde::Serialize;

/// A figure whose 95% confidence interval is wider than this share of itself, to either side, says nothing. Of a goal that is
/// larger than the figure, where that is the case: a figure that is next to nothing against its goal need not be known well.
pub const WIDEST: f64 = 0.25;

/// What a goal asks of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// This much or more.
    AtLeast(f64),
    /// This much or less.
    AtMost(f64),
}

impl Bound {
    /// The figure that divides what meets the goal from what misses it.
    pub fn limit(self) -> f64 {
        match self {
            Bound::AtLeast(limit) | Bound::AtMost(limit) => limit,
        }
    }
    fn is_met_by(self, figure: f64) -> bool {
        match self {
            Bound::AtLeast(least) => figure >= least,
            Bound::AtMost(most) => figure <= most,
        }
    }
}

/// What came of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval meets it.
    Met,
    /// The whole interval misses it.
    Missed,
    /// Neither can be said.
    NotMeasured(Doubt),
}

/// Why a measurement says nothing about a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// There is none.
    NoFigure,
    /// There is one, and nothing that tells how well it is known.
    OneRound,
    /// The interval is wider than [`WIDEST`] allows.
    TooWide,
    /// The goal lies inside of the interval.
    GoalWithin,
    /// Some rounds meet the goal and some miss it.
    RoundsDiffer,
    /// The figure would miss the goal without what was done to it, too: the machine is too busy.
    MissedAnyway,
}

impl Verdict {
    /// Judges a mean and the half of its 95% confidence interval; 0: known exactly.
    pub fn of(bound: Bound, measured: Option<(f64, f64)>) -> Verdict {
        let Some((mean, confidence)) = measured.filter(|(mean, _)| mean.is_finite()) else {
            return Verdict::NotMeasured(Doubt::NoFigure);
        };
        if !confidence.is_finite() {
            return Verdict::NotMeasured(Doubt::OneRound);
        }
        let limit = bound.limit();
        if confidence > WIDEST * mean.abs().max(limit.abs()) {
            Verdict::NotMeasured(Doubt::TooWide)
        } else if confidence > 0.0 && (mean - limit).abs() <= confidence {
            Verdict::NotMeasured(Doubt::GoalWithin)
        } else if bound.is_met_by(mean) {
            Verdict::Met
        } else {
            Verdict::Missed
        }
    }
    /// Judges rounds one by one, where they spread too widely for a mean to say anything: all must say the same.
    pub fn of_rounds(bound: Bound, rounds: &[f64]) -> Verdict {
        let met = rounds.iter().filter(|figure| bound.is_met_by(**figure)).count();
        match (met, rounds.len()) {
            (_, 0) => Verdict::NotMeasured(Doubt::NoFigure),
            (met, all) if met == all => Verdict::Met,
            (0, _) => Verdict::Missed,
            _ => Verdict::NotMeasured(Doubt::RoundsDiffer),
        }
    }
    /// Judges the worst of a run beside the worst of a run that nothing was done to. A miss counts where that one meets the
    /// goal, or where it is twice as good.
    pub fn of_worst(bound: Bound, worst: f64, untouched: f64) -> Verdict {
        let clearly = match bound {
            Bound::AtLeast(_) => worst <= untouched / 2.0,
            Bound::AtMost(_) => worst >= untouched * 2.0,
        };
        match bound.is_met_by(worst) {
            true => Verdict::Met,
            false if bound.is_met_by(untouched) || clearly => Verdict::Missed,
            false => Verdict::NotMeasured(Doubt::MissedAnyway),
        }
    }
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::Missed => "MISSED",
            Verdict::NotMeasured(Doubt::NoFigure) => "not measured",
            Verdict::NotMeasured(Doubt::OneRound) => "not measured: a single round",
            Verdict::NotMeasured(Doubt::TooWide) => "not measured: interval wider than ±25%",
            Verdict::NotMeasured(Doubt::GoalWithin) => "not measured: goal within the interval",
            Verdict::NotMeasured(Doubt::RoundsDiffer) => "not measured: rounds differ",
            Verdict::NotMeasured(Doubt::MissedAnyway) => "not measured: missed alone, too",
        }
    }
}

/// How a program ends that has judged goals: 0 when all are met, 1 when one is missed, 2 when none is missed and some could
/// not be measured.
pub fn exit_code(verdicts: impl IntoIterator<Item = Verdict>) -> u8 {
    let code = |verdict| match verdict {
        Verdict::Met => 0,
        Verdict::Missed => 1,
        Verdict::NotMeasured(_) => 2,
    };
    let codes: Vec<u8> = verdicts.into_iter().map(code).collect();
    if codes.contains(&1) { 1 } else { codes.into_iter().max().unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_least(goal: f64, mean: f64, confidence: f64) -> Verdict {
        Verdict::of(Bound::AtLeast(goal), Some((mean, confidence)))
    }
    fn at_most(goal: f64, mean: f64, confidence: f64) -> Verdict {
        Verdict::of(Bound::AtMost(goal), Some((mean, confidence)))
    }
    const WIDE: Verdict = Verdict::NotMeasured(Doubt::TooWide);
    const WITHIN: Verdict = Verdict::NotMeasured(Doubt::GoalWithin);

    #[test]
    fn clear_intervals_are_judged() {
        assert_eq!(at_least(1.2, 1.87, 0.16), Verdict::Met);
        assert_eq!(at_least(3.0, 2.4, 0.3), Verdict::Missed);
        assert_eq!(at_most(250.0, 306.0, 12.0), Verdict::Missed);
        assert_eq!(at_most(250.0, 210.0, 12.0), Verdict::Met);
    }

    #[test]
    fn an_interval_that_contains_the_goal_says_nothing() {
        assert_eq!(at_least(1.2, 1.25, 0.1), WITHIN);
        assert_eq!(at_least(1.2, 1.15, 0.1), WITHIN);
        assert_eq!(at_most(250.0, 245.0, 5.0), WITHIN, "the edge belongs to it");
    }

    #[test]
    fn a_wide_interval_says_nothing_even_when_it_is_clear_of_the_goal() {
        assert_eq!(at_least(0.9, 0.989, 0.783), WIDE);
        assert_eq!(at_least(1.0, 4.0, 1.1), WIDE);
        assert_eq!(at_least(1.0, 4.0, 0.9), Verdict::Met);
        assert_eq!(at_most(10.0, 40.0, 11.0), WIDE);
    }

    #[test]
    fn next_to_nothing_need_not_be_known_well() {
        assert_eq!(at_most(0.01, 0.000_2, 0.000_3), Verdict::Met);
        assert_eq!(at_least(4.0, 0.01, 0.01), Verdict::Missed);
        assert_eq!(at_most(0.0, 0.5, 0.4), WIDE);
    }

    #[test]
    fn exact_figures_are_judged_at_the_edge_too() {
        assert_eq!(at_most(0.0, 0.0, 0.0), Verdict::Met);
        assert_eq!(at_most(0.0, 4.0, 0.0), Verdict::Missed);
        assert_eq!(at_least(0.95, 0.95, 0.0), Verdict::Met);
    }

    #[test]
    fn rounds_have_to_agree() {
        let most = Bound::AtMost(2.0);
        assert_eq!(Verdict::of_rounds(most, &[1.0, 2.0]), Verdict::Met);
        assert_eq!(Verdict::of_rounds(most, &[20.0, 3.0, 900.0]), Verdict::Missed);
        assert_eq!(Verdict::of_rounds(most, &[1.0, 3.0]), Verdict::NotMeasured(Doubt::RoundsDiffer));
        assert_eq!(Verdict::of_rounds(most, &[]), Verdict::NotMeasured(Doubt::NoFigure));
    }

    #[test]
    fn what_a_busy_machine_does_alone_is_no_miss() {
        let anyway = Verdict::NotMeasured(Doubt::MissedAnyway);
        assert_eq!(Verdict::of_worst(Bound::AtMost(5.0), 4.0, 9.0), Verdict::Met);
        assert_eq!(Verdict::of_worst(Bound::AtMost(5.0), 6.0, 1.0), Verdict::Missed);
        assert_eq!(Verdict::of_worst(Bound::AtMost(5.0), 12.0, 8.0), anyway);
        assert_eq!(Verdict::of_worst(Bound::AtMost(5.0), 900.0, 8.0), Verdict::Missed);
        assert_eq!(Verdict::of_worst(Bound::AtLeast(0.9), 0.7, 0.8), anyway);
        assert_eq!(Verdict::of_worst(Bound::AtLeast(0.9), 0.3, 0.8), Verdict::Missed);
    }

    #[test]
    fn what_was_not_measured_is_neither_met_nor_missed() {
        let nothing = Verdict::NotMeasured(Doubt::NoFigure);
        assert_eq!(Verdict::of(Bound::AtMost(1.0), None), nothing);
        assert_eq!(at_most(1.0, f64::NAN, 0.0), nothing);
        assert_eq!(at_least(1.0, 9.0, f64::INFINITY), Verdict::NotMeasured(Doubt::OneRound));
        assert_eq!(exit_code([]), 0);
        assert_eq!(exit_code([Verdict::Met]), 0);
        assert_eq!(exit_code([Verdict::Met, WIDE]), 2);
        assert_eq!(exit_code([WIDE, Verdict::Missed, Verdict::Met]), 1);
    }
}
