//! Sizes on the command line and in reports: binary units, as memory has them.
use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

const UNITS: [(&str, u32); 5] = [("", 0), ("K", 10), ("M", 20), ("G", 30), ("T", 40)];

impl FromStr for Size {
    type Err = String;
    /// `4096`, `64K`, `16M`, `2G`, `1T`; a final `B` or `iB` is allowed.
    fn from_str(text: &str) -> Result<Self, String> {
        let upper = text.trim().to_ascii_uppercase();
        let bare = upper.strip_suffix("IB").or_else(|| upper.strip_suffix('B')).unwrap_or(&upper);
        let digits = bare.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let shift = UNITS.iter().find(|(unit, _)| *unit == &bare[digits.len()..]).map(|(_, shift)| *shift);
        let wrong =
            || format!("`{text}` is no size: write bytes, or a number with K, M, G or T, such as 64M");
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        let factor = 1u64 << shift.ok_or_else(wrong)?;
        number.checked_mul(factor).map(Size).ok_or_else(|| format!("{text} is more than 64 bits can count"))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().rev().find(|(_, shift)| self.0 >> shift != 0 && *shift > 0) {
            None => write!(f, "{} B", self.0),
            Some((unit, shift)) if self.0.is_multiple_of(1 << shift) => {
                write!(f, "{} {unit}iB", self.0 >> shift)
            }
            Some((unit, shift)) => write!(f, "{:.1} {unit}iB", self.0 as f64 / (1u64 << shift) as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, bytes) in
            [("0", 0), ("17", 17), ("4k", 4096), ("64M", 64 << 20), ("2GiB", 2 << 30), ("1TB", 1 << 40)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "M", "1.5G", "-1", "12Q", "99999999T", "1 2"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn shows_round_units() {
        assert_eq!(Size(512).to_string(), "512 B");
        assert_eq!(Size(64 << 20).to_string(), "64 MiB");
        assert_eq!(Size(1_500_000).to_string(), "1.4 MiB");
    }
}
