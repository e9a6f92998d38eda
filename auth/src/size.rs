//! Sizes in files, on command lines and in reports: binary units, as memory has them. Whatever takes a number of bytes from a
//! person reads it here.
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A number of bytes.
///
/// ```
/// use mneme_auth::Size;
///
/// assert_eq!("64M".parse(), Ok(Size(64 << 20)));
/// assert_eq!((Size(64 << 20).to_string(), Size::exact(64 << 20)), ("64 MiB".to_owned(), "64M".to_owned()));
/// assert!("lots".parse::<Size>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

const UNITS: [(&str, u32); 5] = [("", 0), ("K", 10), ("M", 20), ("G", 30), ("T", 40)];

impl FromStr for Size {
    type Err = String;
    /// `4096`, `64K`, `64KB`, `64KiB`, `64 KiB` as reports show it, `16M`, `2G`, `1T`; capitals do not matter.
    fn from_str(text: &str) -> Result<Self, String> {
        let upper = text.trim().to_ascii_uppercase();
        let unit = upper.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &upper[..upper.len() - unit.len()];
        let letter = match unit.trim_start() {
            "B" => "",
            unit => unit.strip_suffix("IB").or_else(|| unit.strip_suffix(['B', 'I'])).unwrap_or(unit),
        };
        let wrong = || {
            format!(
                "`{text}` is no size: write bytes, or a whole number with K, M, G or T (of 1024), such as 64M"
            )
        };
        let shift = match (unit, UNITS.iter().find(|(known, _)| *known == letter)) {
            (unit, Some((known, shift))) if unit.is_empty() || !known.is_empty() || unit.trim() == "B" => {
                *shift
            }
            _ => return Err(wrong()),
        };
        if digits.is_empty() {
            return Err(wrong());
        }
        let most = || {
            format!(
                "{text} is more than 64 bits can count: the most is {}",
                Size::exact(u64::MAX >> 40 << 40)
            )
        };
        digits.parse::<u64>().ok().and_then(|n| n.checked_mul(1 << shift)).map(Size).ok_or_else(most)
    }
}

impl Size {
    /// A parser for an option that takes sizes of a range.
    pub fn within(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<Size, String> + Clone {
        move |text| match text.parse() {
            Ok(Size(bytes)) if !range.contains(&bytes) => {
                let (least, most) = (Size::exact(*range.start()), Size::exact(*range.end()));
                Err(format!("{} bytes are outside {least} to {most}", Size::exact(bytes)))
            }
            parsed => parsed,
        }
    }
    /// The size without rounding, as [`Size::from_str`] reads it.
    pub fn exact(bytes: u64) -> String {
        let whole = |shift: u32| bytes >> shift != 0 && bytes.is_multiple_of(1 << shift);
        match UNITS.iter().rev().find(|(_, shift)| *shift > 0 && whole(*shift)) {
            Some((unit, shift)) => format!("{}{unit}", bytes >> shift),
            None => format!("{bytes}"),
        }
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
        for (text, bytes) in [
            ("0", 0),
            ("17", 17),
            ("17B", 17),
            ("17 b", 17),
            ("4k", 4096),
            ("4KB", 4096),
            ("4Ki", 4096),
            ("4KiB", 4096),
            ("4 KiB", 4096),
            ("64M", 64 << 20),
            ("2GiB", 2 << 30),
            ("1TB", 1 << 40),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "M", "KiB", "1.5G", "-1", "+1", "12Q", "17iB", "17i", "1 2", "4KK", "4BB", "K4"] {
            let error = text.parse::<Size>().expect_err(text);
            assert!(error.contains("is no size"), "{text}: {error}");
        }
        for text in ["99999999T", "99999999999999999999999"] {
            let error = text.parse::<Size>().expect_err(text);
            assert!(error.contains("64 bits"), "{text}: {error}");
        }
    }

    #[test]
    fn shows_round_units_and_exact_ones() {
        assert_eq!(Size(512).to_string(), "512 B");
        assert_eq!(Size(64 << 20).to_string(), "64 MiB");
        assert_eq!(Size(1_500_000).to_string(), "1.4 MiB");
        for (bytes, told) in [(0, "0"), (65_535, "65535"), (3 << 20, "3M"), (1025 << 10, "1025K")] {
            assert_eq!(Size::exact(bytes), told);
        }
    }

    #[test]
    fn what_reports_show_is_read_again() {
        for bytes in [0, 1, 512, 4 << 10, 64 << 20, 1 << 40] {
            assert_eq!(Size(bytes).to_string().parse(), Ok(Size(bytes)));
        }
    }

    #[test]
    fn a_range_is_told_in_the_words_that_the_option_takes() {
        let within = Size::within(1..=64 << 20);
        assert_eq!((within("1"), within("64M")), (Ok(Size(1)), Ok(Size(64 << 20))));
        assert_eq!(within("0"), Err("0 bytes are outside 1 to 64M".into()));
        assert_eq!(within("65M"), Err("65M bytes are outside 1 to 64M".into()));
    }
}
