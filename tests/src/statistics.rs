//! Means with their confidence, and rounds in which every contestant has the same chance.
use serde::Serialize;

/// Student's t for 95%, two-sided, by degrees of freedom from 1 on; beyond, the normal distribution's.
const STUDENT: [f64; 20] = [
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11,
    2.10, 2.09, 2.09,
];

/// A mean, and the half of its 95% confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of its interval.
    pub confidence: f64,
}

impl Mean {
    /// Of independent samples; nothing when there are none. A single sample says nothing of its confidence.
    pub fn of(samples: &[f64]) -> Option<Mean> {
        let count = samples.len() as f64;
        let freedom = samples.len().checked_sub(1)?;
        let mean = samples.iter().sum::<f64>() / count;
        let Some(t) = freedom.checked_sub(1).map(|at| STUDENT.get(at).copied().unwrap_or(1.96)) else {
            return Some(Mean { mean, confidence: f64::INFINITY });
        };
        let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / freedom as f64;
        Some(Mean { mean, confidence: t * (variance / count).sqrt() })
    }
    /// Of the ratios of samples that were taken in the same rounds.
    pub fn of_ratios(samples: &[f64], to: &[f64]) -> Option<Mean> {
        Mean::of(&samples.iter().zip(to).map(|(sample, to)| sample / to).collect::<Vec<_>>())
    }
    /// A value that is known exactly.
    pub fn exact(mean: f64) -> Mean {
        Mean { mean, confidence: 0.0 }
    }
}

/// A contestant's samples, one a round, until it failed.
#[derive(Debug)]
pub struct Samples<C, S> {
    /// Who was measured.
    pub contestant: C,
    /// What was measured of it.
    pub samples: Vec<S>,
    /// Why it takes no further part.
    pub failed: Option<String>,
}

/// Lets every contestant be measured once a round, in an order that changes, so that what disturbs the machine disturbs all
/// alike. One that failed takes no further part.
pub fn interleave<C, S>(
    rounds: usize,
    contestants: impl IntoIterator<Item = C>,
    mut measure: impl FnMut(&C) -> anyhow::Result<S>,
) -> Vec<Samples<C, S>> {
    let all = contestants.into_iter();
    let mut all: Vec<_> =
        all.map(|contestant| Samples { contestant, samples: Vec::new(), failed: None }).collect();
    let count = all.len();
    for round in 0..rounds {
        for step in 0..count {
            let one = &mut all[(round + step) % count];
            if one.failed.is_some() {
                continue;
            }
            match measure(&one.contestant) {
                Ok(sample) => one.samples.push(sample),
                Err(error) => one.failed = Some(format!("{error:#}")),
            }
        }
    }
    all
}

/// Jain's index of fairness: 1 when all have the same, 1/n when one has everything (RFC 5166, 2.3).
pub fn jain(shares: &[f64]) -> f64 {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|share| share * share).sum();
    if squares == 0.0 { 0.0 } else { sum * sum / (shares.len() as f64 * squares) }
}
