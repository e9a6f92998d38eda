//! Programs whose memory is swapped. Each computes something that is checked at its end; its data follows from a seed.
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::trace::{WORDS, Words};

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Sorts random words in place (the ODRP paper's own).
    Quicksort,
    /// Sorts random words by merging, with a second half of memory that is given up after each pass.
    MergeSort,
    /// Assigns points of four coordinates to eight centres, five times.
    KMeans,
    /// Ranks of a graph with eight edges a node, three rounds.
    PageRank,
    /// Gets and puts of keys of which a few are asked for often (Zipf, 0.99), one in ten a put.
    KeyValue,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] =
        [Kind::Quicksort, Kind::MergeSort, Kind::KMeans, Kind::PageRank, Kind::KeyValue];

    /// The name, for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Quicksort => "quicksort",
            Kind::MergeSort => "merge sort",
            Kind::KMeans => "k-means",
            Kind::PageRank => "PageRank",
            Kind::KeyValue => "keys and values",
        }
    }

    /// Runs it on so many pages, of which half are local. Answers what it swapped.
    ///
    /// # Errors
    /// What it computed is wrong: then the memory was.
    pub fn run(self, seed: u64, pages: usize) -> Result<Words, &'static str> {
        let mut words = Words::new(pages, pages / 2);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        match self {
            Kind::Quicksort => quicksort(&mut words, &mut rng)?,
            Kind::MergeSort => merge_sort(&mut words, &mut rng)?,
            Kind::KMeans => k_means(&mut words, &mut rng)?,
            Kind::PageRank => page_rank(&mut words, &mut rng)?,
            Kind::KeyValue => key_value(&mut words, &mut rng)?,
        }
        Ok(words)
    }
}

/// Fills words, and answers their sum.
fn fill(words: &mut Words, length: usize, rng: &mut ChaCha8Rng) -> u64 {
    (0..length).fold(0u64, |sum, at| {
        let word = rng.random();
        words.set(at, word);
        sum.wrapping_add(word)
    })
}

fn sorted(words: &mut Words, length: usize, sum: u64) -> Result<(), &'static str> {
    let (mut last, mut found) = (0, 0u64);
    for at in 0..length {
        let word = words.get(at);
        if word < last {
            return Err("words are out of order");
        }
        (last, found) = (word, found.wrapping_add(word));
    }
    if found == sum { Ok(()) } else { Err("words are others than before") }
}

fn quicksort(words: &mut Words, rng: &mut ChaCha8Rng) -> Result<(), &'static str> {
    let length = words.pages() * WORDS;
    let sum = fill(words, length, rng);
    let mut parts = vec![(0, length)];
    while let Some((from, to)) = parts.pop() {
        if to - from < 2 {
            continue;
        }
        // Hoare's partition.
        let pivot = words.get(from + (to - from - 1) / 2);
        let (mut low, mut high) = (from, to - 1);
        loop {
            while words.get(low) < pivot {
                low += 1;
            }
            while words.get(high) > pivot {
                high -= 1;
            }
            if low >= high {
                break;
            }
            words.swap(low, high);
            (low, high) = (low + 1, high - 1);
        }
        // The first half comes first, so that its pages are still there.
        parts.push((high + 1, to));
        parts.push((from, high + 1));
    }
    sorted(words, length, sum)
}

fn merge_sort(words: &mut Words, rng: &mut ChaCha8Rng) -> Result<(), &'static str> {
    let half = words.pages() / 2;
    let length = half * WORDS;
    let sum = fill(words, length, rng);
    let (mut from, mut to) = (0, length);
    let mut run = 1;
    while run < length {
        for start in (0..length).step_by(2 * run) {
            let (middle, end) = ((start + run).min(length), (start + 2 * run).min(length));
            let (mut a, mut b) = (start, middle);
            for at in start..end {
                let first = a < middle && (b == end || words.get(from + a) <= words.get(from + b));
                let taken = if first { &mut a } else { &mut b };
                let word = words.get(from + *taken);
                *taken += 1;
                words.set(to + at, word);
            }
        }
        let first = from / WORDS;
        words.free(first..first + half);
        (from, to) = (to, from);
        run *= 2;
    }
    if from != 0 {
        for at in 0..length {
            let word = words.get(from + at);
            words.set(at, word);
        }
    }
    sorted(words, length, sum)
}

fn k_means(words: &mut Words, rng: &mut ChaCha8Rng) -> Result<(), &'static str> {
    const AXES: usize = 4;
    const CENTRES: usize = 8;
    // Four coordinates and the centre of each point.
    let points = words.pages() * WORDS / (AXES + 1);
    for at in 0..points * AXES {
        words.set(at, rng.random_range(0..1 << 20));
    }
    let mut centres: Vec<[u64; AXES]> =
        (0..CENTRES).map(|_| std::array::from_fn(|_| rng.random_range(0..1 << 20))).collect();
    let (mut before, mut all) = (u64::MAX, 0);
    for _ in 0..5 {
        let (mut sums, mut counts) = ([[0u64; AXES]; CENTRES], [0u64; CENTRES]);
        all = 0;
        for point in 0..points {
            let own: [u64; AXES] = std::array::from_fn(|axis| words.get(point * AXES + axis));
            let far = |centre: &[u64; AXES]| -> u64 {
                own.iter().zip(centre).map(|(a, b)| a.abs_diff(*b).pow(2)).sum()
            };
            let (nearest, distance) =
                centres.iter().map(far).enumerate().min_by_key(|(_, distance)| *distance).unwrap_or_default();
            words.set(points * AXES + point, nearest as u64);
            counts[nearest] += 1;
            all += distance / points as u64;
            for (sum, own) in sums[nearest].iter_mut().zip(own) {
                *sum += own;
            }
        }
        for (centre, (sum, count)) in centres.iter_mut().zip(sums.iter().zip(counts)) {
            if count > 0 {
                *centre = sum.map(|sum| sum / count);
            }
        }
        // Rounding may cost a little.
        if all > before.saturating_add(before / 1000) {
            return Err("points are farther from their centres than before");
        }
        before = all;
    }
    if all > 0 { Ok(()) } else { Err("points without distance") }
}

fn page_rank(words: &mut Words, rng: &mut ChaCha8Rng) -> Result<(), &'static str> {
    const EDGES: usize = 8;
    const ONE: u64 = 1 << 40;
    // Edges, then ranks and the next ranks.
    let nodes = words.pages() * WORDS / (EDGES + 2);
    for at in 0..nodes * EDGES {
        // Some nodes are linked to more often than others.
        let (a, b) = (rng.random_range(0..nodes), rng.random_range(0..nodes));
        words.set(at, a.min(b) as u64);
    }
    let (mut ranks, mut next) = (nodes * EDGES, nodes * (EDGES + 1));
    (0..nodes).for_each(|node| words.set(ranks + node, ONE));
    for _ in 0..3 {
        (0..nodes).for_each(|node| words.set(next + node, ONE * 15 / 100));
        for node in 0..nodes {
            let share = words.get(ranks + node) * 85 / 100 / EDGES as u64;
            for edge in 0..EDGES {
                let to = next + words.get(node * EDGES + edge) as usize;
                let rank = words.get(to);
                words.set(to, rank + share);
            }
        }
        (ranks, next) = (next, ranks);
    }
    let sum: u128 = (0..nodes).map(|node| u128::from(words.get(ranks + node))).sum();
    let due = u128::from(ONE) * nodes as u128;
    // What division cuts off is less than a millionth.
    if sum <= due && due - sum < due / 1_000_000 { Ok(()) } else { Err("ranks do not sum up") }
}

fn key_value(words: &mut Words, rng: &mut ChaCha8Rng) -> Result<(), &'static str> {
    // A value of 8 words: the key, a version, and six that follow from both.
    const VALUE: usize = 8;
    let keys = words.pages() * WORDS / VALUE;
    let word = |key: usize, version: u64, at: usize| {
        (key as u64) << 32 ^ version.wrapping_mul(0x9e37_79b9) ^ at as u64
    };
    let mut versions = vec![0u64; keys];
    let put = |words: &mut Words, key: usize, version: u64| {
        // Keys that are asked for often do not lie beside each other.
        let place = key.wrapping_mul(0x9e37_79b1) % keys * VALUE;
        (0..VALUE).for_each(|at| words.set(place + at, word(key, version, at)));
    };
    if !keys.is_power_of_two() {
        return Err("places are of a power of two");
    }
    (0..keys).for_each(|key| put(words, key, 0));
    let weights: Vec<f64> = (1..=keys).map(|rank| (rank as f64).powf(-0.99)).collect();
    let mut sums = weights;
    (1..keys).for_each(|at| sums[at] += sums[at - 1]);
    let all = sums[keys - 1];
    for _ in 0..10 * words.pages() {
        let draw = rng.random_range(0.0..all);
        let key = sums.partition_point(|sum| *sum <= draw).min(keys - 1);
        if rng.random_bool(0.1) {
            versions[key] += 1;
            put(words, key, versions[key]);
            continue;
        }
        let place = key.wrapping_mul(0x9e37_79b1) % keys * VALUE;
        if (0..VALUE).any(|at| words.get(place + at) != word(key, versions[key], at)) {
            return Err("a value is not the one that was put");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::trace::Step;

    #[test]
    fn programs_compute_what_they_should_and_a_seed_replays() {
        for kind in Kind::ALL {
            let words = kind.run(1, 64).unwrap_or_else(|error| panic!("{}: {error}", kind.name()));
            let count = |is: fn(&Step) -> bool| words.steps.iter().filter(|(_, step)| is(step)).count();
            let needs = count(|step| matches!(step, Step::Needs(_)));
            let stores = count(|step| matches!(step, Step::Store(_)));
            assert!(needs > 0 && stores > 0, "{}: {needs} needed, {stores} stored", kind.name());
            assert_eq!(kind.run(1, 64).expect("again").steps, words.steps);
            let frees = count(|step| matches!(step, Step::Free(_)));
            assert_eq!(frees > 0, kind == Kind::MergeSort, "{}", kind.name());
        }
    }
}
