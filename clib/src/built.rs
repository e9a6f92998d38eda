//! What a board was built from, as its registers tell.
use crate::client::Client;
use crate::error::Result;
use mneme_wire::Register;
use mneme_wire::register::{
    BUILD_BASE, BUILD_DOORS_BIT, BUILD_SIMULATED, BUILD_TRAILERS, BUILD_WAITING_LISTS, MAGIC,
};

/// What a board tells of its build. Nothing of it changes while the board runs.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) -> mneme_clib::Result<()> {
/// let build = client.build()?;
/// println!("hash {:08x?}, simulated: {:?}", build.hash(), build.simulated());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// By offset in words; none when the board does not tell.
    words: Option<Vec<u64>>,
}

impl Build {
    /// Reads the values of COUNTERS numbers from [`BUILD_BASE`] on.
    pub fn of(words: Vec<u64>) -> Build {
        let magic = words.get(Register::Magic as usize / 4);
        Build { words: (magic == Some(&u64::from(MAGIC))).then_some(words) }
    }
    /// A register of [`Register::BUILD`]; `None` when the board is older than clients' way to ask, or the register is none of these.
    pub fn register(&self, register: Register) -> Option<u32> {
        let word = self.words.as_ref()?.get(register as usize / 4)?;
        Register::BUILD.contains(&register).then_some(u32::try_from(*word).ok()).flatten()
    }
    fn stamped(&self, register: Register) -> Option<u32> {
        self.register(register).filter(|word| *word != 0)
    }
    /// The first 32 bits of the sources' git hash; `None`: whoever built the board did not say.
    pub fn hash(&self) -> Option<u32> {
        self.stamped(Register::BuildHash)
    }
    /// When the board was built, in seconds since 1970; `None`: whoever built it did not say.
    pub fn date(&self) -> Option<u32> {
        self.stamped(Register::BuildDate)
    }
    /// Whether the board was built for simulation.
    pub fn simulated(&self) -> Option<bool> {
        Some(self.register(Register::BuildFlags)? & BUILD_SIMULATED != 0)
    }
    /// Doors of the board's access engine.
    pub fn doors(&self) -> Option<u32> {
        Some((self.register(Register::BuildFlags)? >> BUILD_DOORS_BIT & 3) + 1)
    }
    /// Whether misses that find all miss entries taken wait in lists, so that hits pass them.
    pub fn waiting_lists(&self) -> Option<bool> {
        Some(self.register(Register::BuildFlags)? & BUILD_WAITING_LISTS != 0)
    }
    /// Whether the board checks trailers, and its answers have them.
    pub fn trailers(&self) -> Option<bool> {
        Some(self.register(Register::BuildFlags)? & BUILD_TRAILERS != 0)
    }
    /// All registers of the build by the names of docs/reference/wire.md; nothing when the board does not tell them.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u32)> {
        Register::BUILD.iter().filter_map(|register| Some((register.name(), self.register(*register)?)))
    }
}

impl Client {
    /// Asks the board what it was built from.
    pub fn build(&self) -> Result<Build> {
        let last = Register::BUILD.iter().map(|register| register.build_number()).max().unwrap_or(BUILD_BASE);
        self.counters(BUILD_BASE, last - BUILD_BASE + 1).map(Build::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_without_these_numbers_tells_nothing() {
        // COUNTERS answers 0 for numbers that a board does not have.
        let old = Build::of(vec![0; 64]);
        assert_eq!((old.hash(), old.date(), old.doors(), old.simulated()), (None, None, None, None));
        assert_eq!((old.waiting_lists(), old.trailers()), (None, None));
        assert_eq!((old.register(Register::Misses), old.named().count()), (None, 0));
    }

    #[test]
    fn each_register_is_read_where_it_lies() {
        let mut words: Vec<u64> = (1000..1064).collect();
        words[0] = MAGIC.into();
        words[Register::BuildFlags as usize / 4] = 0b1_1101;
        let build = Build::of(words);
        assert_eq!(build.hash(), Some(1000 + Register::BuildHash as u32 / 4));
        assert_eq!(build.date(), Some(1000 + Register::BuildDate as u32 / 4));
        assert_eq!(
            (build.simulated(), build.doors(), build.waiting_lists(), build.trailers()),
            (Some(true), Some(3), Some(true), Some(true))
        );
        assert_eq!(build.register(Register::ReplaceNewLow), None, "no register of the build");
        assert_eq!(build.named().count(), Register::BUILD.len());
    }
}
