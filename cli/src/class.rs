//! Rates of service classes, as `mneme board --class` names them.
use mneme_auth::Size;
use mneme_slowpath::{CLASSES, ClassRate};
use std::str::FromStr;

/// A class and its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassArg {
    class: usize,
    rate: ClassRate,
}

impl FromStr for ClassArg {
    type Err = String;
    /// `3=100000,1G`: operations a second, bytes a second, 0: no bound; perhaps the burst.
    fn from_str(text: &str) -> Result<ClassArg, String> {
        let wrong = || {
            format!(
                "`{text}` is no rate of a class such as 3=100000,1G: class, operations a second, bytes a second (0: no bound), and perhaps \
                 the operations and lines of 64 bytes at once"
            )
        };
        let (class, rate) = text.split_once('=').ok_or_else(wrong)?;
        let class: usize = class.trim().parse().map_err(|_| wrong())?;
        // The boards' class is nobody's to bound.
        if class >= CLASSES - 1 {
            return Err(format!(
                "there is no service class {class} for tenants: they are 0 to {}",
                CLASSES - 2
            ));
        }
        let words: Vec<&str> = rate.split(',').map(str::trim).collect();
        let (operations, bytes, burst) = match words[..] {
            [operations, bytes] => (operations, bytes, None),
            [operations, bytes, burst] => (operations, bytes, Some(burst)),
            _ => return Err(wrong()),
        };
        let usual = ClassRate::default().burst;
        let burst = burst.map_or(Ok(usual), str::parse).ok().filter(|burst| (1..=1 << 15).contains(burst));
        let Size(bytes) = bytes.parse()?;
        Ok(ClassArg {
            class,
            rate: ClassRate {
                operations: operations.parse().map_err(|_| wrong())?,
                bytes,
                burst: burst.ok_or("a burst is 1 to 32768 operations and lines")?,
            },
        })
    }
}

/// Gives the classes that are named their rates.
pub fn apply(args: &[ClassArg], classes: &mut [ClassRate; CLASSES]) {
    for arg in args {
        classes[arg.class] = arg.rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_named_with_its_rate() {
        let mut classes = [ClassRate::default(); CLASSES];
        let args = ["3=100000,1G", "0 = 0, 64K, 32"].map(|text| text.parse().expect("a rate"));
        apply(&args, &mut classes);
        assert_eq!(classes[3], ClassRate { operations: 100_000, bytes: 1 << 30, burst: 256 });
        assert_eq!(classes[0], ClassRate { operations: 0, bytes: 65_536, burst: 32 });
        assert_eq!(classes[1], ClassRate::default());
    }

    #[test]
    fn what_is_no_rate_is_refused_in_words() {
        for text in [
            "",
            "3",
            "3=",
            "3=1",
            "x=1,2",
            "3=1,2,3,4",
            "15=1,1",
            "16=1,1",
            "3=1,1,0",
            "3=1,1,65536",
            "3=-1,1",
        ] {
            let refused = text.parse::<ClassArg>().expect_err(text);
            assert!(refused.contains("class") || refused.contains("burst"), "{text}: {refused}");
        }
    }
}
