//! The library's version at run time.

/// A part of the version, which the package manifest has as decimal digits.
const fn number(digits: &str) -> u32 {
    let digits = digits.as_bytes();
    let (mut value, mut at) = (0, 0);
    while at < digits.len() {
        assert!(digits[at].is_ascii_digit(), "a part of a version is a number");
        value = value * 10 + (digits[at] - b'0') as u32;
        at += 1;
    }
    assert!(value < 1000, "a part of a version has three digits at most");
    value
}

/// As the header's MNEME_VERSION, which `cargo xtask c-header` makes of the same three numbers.
const VERSION: u32 = 1_000_000 * number(env!("CARGO_PKG_VERSION_MAJOR"))
    + 1_000 * number(env!("CARGO_PKG_VERSION_MINOR"))
    + number(env!("CARGO_PKG_VERSION_PATCH"));

/// The version of the library that the program runs with, in the form of MNEME_VERSION, which is the version of the
/// header that it was compiled with. Below 1.0 both have the same major and minor number. Does not block.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_version() -> u32 {
    VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_three_groups_of_three_digits() {
        let text = format!("{}.{}.{}", VERSION / 1_000_000, VERSION / 1_000 % 1_000, VERSION % 1_000);
        assert_eq!(text, env!("CARGO_PKG_VERSION"));
        assert_eq!(number("907"), 907);
    }
}
