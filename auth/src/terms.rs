//! What a tenant may have on a board, as far as its line says so.
use crate::size::Size;
use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// How much of the slow path a tenant gets beside others that want it, too: 1, which all have that are given none, to 100. One
/// of weight 3 gets three times as much as one of weight 1.
///
/// ```
/// use mneme_auth::Weight;
///
/// assert_eq!("3".parse::<Weight>()?.get(), 3);
/// assert_eq!(Weight::default().get(), 1);
/// assert!("0".parse::<Weight>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(NonZeroU8);

impl Weight {
    /// The most.
    pub const MOST: u8 = 100;
    /// The number.
    pub const fn get(self) -> u8 {
        self.0.get()
    }
}

impl Default for Weight {
    fn default() -> Weight {
        Weight(NonZeroU8::MIN)
    }
}

impl FromStr for Weight {
    type Err = String;
    fn from_str(text: &str) -> Result<Weight, String> {
        let weight = text.parse().ok().filter(|weight: &NonZeroU8| weight.get() <= Weight::MOST);
        weight.map(Weight).ok_or_else(|| format!("`{text}` is no weight: they are 1 to {}", Weight::MOST))
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Quotas and weight of a tenant. A board's own bounds hold as well.
///
/// ```
/// use mneme_auth::Terms;
///
/// let mut terms = Terms::default();
/// for word in ["memory=64M", "processes=8", "weight=3"] {
///     assert!(terms.take(word)?, "it is one of these");
/// }
/// assert_eq!((terms.memory, terms.processes, terms.weight), (Some(64 << 20), Some(8), "3".parse().ok()));
/// assert_eq!(terms.to_string(), " memory=64M processes=8 weight=3");
/// assert!(!terms.take("colour=red")?);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terms {
    /// Bytes that its processes may have allocated writable, all together; a board takes whole pages of it.
    pub memory: Option<u64>,
    /// Processes that it may have open.
    pub processes: Option<u32>,
    /// Its share of the slow path; `None`: that of weight 1.
    pub weight: Option<Weight>,
}

const MEMORY: &str = "memory=";
const PROCESSES: &str = "processes=";
const WEIGHT: &str = "weight=";

impl Terms {
    /// Takes a word of a tenant's line; false: it is none of these. A word that was there before is refused.
    pub fn take(&mut self, word: &str) -> Result<bool, String> {
        let again =
            |known: bool| if known { Err(format!("`{word}` is the second of its kind")) } else { Ok(()) };
        if let Some(size) = word.strip_prefix(MEMORY) {
            again(self.memory.is_some())?;
            let Size(bytes) = size.parse()?;
            self.memory = Some(bytes);
        } else if let Some(number) = word.strip_prefix(PROCESSES) {
            again(self.processes.is_some())?;
            let number = number.parse();
            self.processes = Some(number.map_err(|_| format!("`{word}` is no number of processes"))?);
        } else if let Some(weight) = word.strip_prefix(WEIGHT) {
            again(self.weight.is_some())?;
            self.weight = Some(weight.parse()?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

impl fmt::Display for Terms {
    /// As words behind others, a space before each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(memory) = self.memory {
            write!(f, " {MEMORY}{}", Size::exact(memory))?;
        }
        if let Some(processes) = self.processes {
            write!(f, " {PROCESSES}{processes}")?;
        }
        match self.weight {
            Some(weight) => write!(f, " {WEIGHT}{weight}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_wrong_are_refused_in_words() {
        for (word, why) in [
            ("memory=lots", "`lots` is no size"),
            ("memory=17179869184G", "17179869184G is more than 64 bits can count"),
            ("memory=", "`` is no size"),
            ("processes=-1", "`processes=-1` is no number of processes"),
            ("weight=101", "`101` is no weight: they are 1 to 100"),
        ] {
            let said = Terms::default().take(word).expect_err(word);
            assert!(said.starts_with(why), "{word}: {said}");
        }
        let mut terms = Terms::default();
        assert_eq!(terms.take("memory=0"), Ok(true));
        assert_eq!(terms.take("memory=1"), Err("`memory=1` is the second of its kind".to_owned()));
        assert_eq!((terms.take("weight=1"), terms.take("weight=2").is_err()), (Ok(true), true));
        assert_eq!(terms.to_string(), " memory=0 weight=1");
    }

    #[test]
    fn what_is_written_is_read_again() {
        for memory in [1, 1024, 1023, 3 << 20, 5 << 30, u64::MAX, 1 << 63] {
            let terms = Terms { memory: Some(memory), ..Terms::default() };
            let (mut read, text) = (Terms::default(), terms.to_string());
            assert_eq!(read.take(text.trim()), Ok(true));
            assert_eq!(read, terms);
        }
    }
}
