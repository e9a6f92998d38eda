//! Shares of what many sources take from: the answer cache, places to rest, processes, workers.
//!
//! A source may have fewer than a third of what is left. Alone it gets a quarter of all, so three quarters stay for others;
//! as they come, everybody's share shrinks, and something is always left for who has nothing (dynamic thresholds: Choudhury
//! and Hahne, 1998). Nobody has to be told how many sources there will be.
use mneme_auth::PublicKey;
use std::collections::HashMap;
use std::fmt;

/// Who has shares, debts and quotas: a tenant that has proved itself, else a source address.
///
/// ```
/// use mneme_slowpath::share::Source;
///
/// assert_eq!(Source::from([10, 0, 0, 9]).to_string(), "10.0.0.9");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// Whoever sends from this address.
    Address([u8; 4]),
    /// The tenant with this key, from wherever.
    Tenant(PublicKey),
}

impl Source {
    /// The key of a tenant that has proved itself.
    pub(crate) fn tenant(&self) -> Option<&PublicKey> {
        match self {
            Source::Tenant(key) => Some(key),
            Source::Address(_) => None,
        }
    }
}

impl From<[u8; 4]> for Source {
    fn from(ip: [u8; 4]) -> Source {
        Source::Address(ip)
    }
}

impl Default for Source {
    fn default() -> Source {
        Source::Address([0; 4])
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Address(ip) => std::net::Ipv4Addr::from(*ip).fmt(f),
            Source::Tenant(key) => key.fmt(f),
        }
    }
}

/// Whether one more is for somebody who has `own`, where `used` of `bound` are taken.
pub fn takes(own: usize, used: usize, bound: usize) -> bool {
    own < bound.saturating_sub(used).div_ceil(3)
}

/// What each source has of a bounded number of places.
#[derive(Debug, Clone)]
pub struct Shares {
    own: HashMap<Source, usize>,
    used: usize,
    bound: usize,
}

impl Shares {
    /// Nobody has anything of `bound` places.
    pub fn new(bound: usize) -> Shares {
        Shares { own: HashMap::new(), used: 0, bound }
    }
    /// Places taken.
    pub fn used(&self) -> usize {
        self.used
    }
    /// Places that a source has.
    pub fn of(&self, source: Source) -> usize {
        self.own.get(&source).copied().unwrap_or(0)
    }
    /// Whether a source may have one more.
    pub fn has_room(&self, source: Source) -> bool {
        takes(self.of(source), self.used, self.bound)
    }
    /// A source takes a place, if it may.
    #[must_use]
    pub fn enter(&mut self, source: Source) -> bool {
        let may = self.has_room(source);
        if may {
            self.add(source);
        }
        may
    }
    /// A source takes a place that it was promised: as many more than there are can be taken as there are promises.
    pub fn add(&mut self, source: Source) {
        *self.own.entry(source).or_default() += 1;
        self.used += 1;
    }
    /// A source gives a place back.
    pub fn leave(&mut self, source: Source) {
        let Some(own) = self.own.get_mut(&source) else { return };
        *own -= 1;
        self.used -= 1;
        if *own == 0 {
            self.own.remove(&source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(shares: &mut Shares, source: [u8; 4]) -> usize {
        let source = source.into();
        (0..).take_while(|_| shares.enter(source)).count()
    }

    #[test]
    fn one_source_gets_a_quarter_and_later_ones_find_room() {
        let mut shares = Shares::new(4096);
        assert_eq!(fill(&mut shares, [1; 4]), 1024);
        assert_eq!(fill(&mut shares, [2; 4]), 768);
        for last in 3..20 {
            assert!(fill(&mut shares, [last; 4]) > 0, "source {last}");
        }
        assert!(shares.used() <= 4096);
        for _ in 0..1024 {
            shares.leave([1; 4].into());
        }
        assert_eq!(shares.of([1; 4].into()), 0);
        shares.leave([1; 4].into());
        assert!(fill(&mut shares, [99; 4]) > 200, "what one gives back others may have");
    }

    #[test]
    fn the_last_place_is_for_who_has_none() {
        for bound in 1..9 {
            let mut shares = Shares::new(bound);
            let sources = (0..).map_while(|n: u8| shares.enter([n; 4].into()).then_some(n)).count();
            assert_eq!((sources, shares.used()), (bound, bound));
        }
    }
}
