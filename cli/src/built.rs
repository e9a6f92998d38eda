//! What a board was built from, for people and for programs.
use mneme_auth::Size;
use mneme_clib::Build;
use mneme_wire::Register as R;
use serde::Serialize;
use std::collections::BTreeMap;

/// What cannot be known of a board that does not tell it.
const UNKNOWN: &str = "unknown";

/// A board's build; `null` for what the board does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Built {
    /// The first 32 bits of the sources' git hash, in hexadecimal.
    git_hash: Option<String>,
    /// When it was built, in UTC (RFC 3339).
    date: Option<String>,
    /// It was built for simulation.
    simulated: Option<bool>,
    /// Doors of the access engine.
    doors: Option<u32>,
    /// Misses that find all miss entries taken wait in lists.
    waiting_lists: Option<bool>,
    /// It checks trailers, and its answers have them.
    trailers: Option<bool>,
    /// The registers themselves; empty for a board that does not tell them.
    registers: BTreeMap<&'static str, u32>,
    #[serde(skip)]
    build: Build,
}

impl Built {
    /// Puts what a board told into words.
    pub fn new(build: Build) -> Built {
        Built {
            git_hash: build.hash().map(|hash| format!("{hash:08x}")),
            date: build.date().map(utc),
            simulated: build.simulated(),
            doors: build.doors(),
            waiting_lists: build.waiting_lists(),
            trailers: build.trailers(),
            registers: build.named().collect(),
            build,
        }
    }

    /// Some lines, the first one at the margin.
    pub fn text(&self) -> String {
        let known = |value: &Option<String>| value.clone().unwrap_or_else(|| UNKNOWN.into());
        let purpose = match self.simulated {
            Some(true) => ", for simulation",
            Some(false) => ", for a device",
            None => "",
        };
        let stamp = format!("built from git {}, date {}{purpose}", known(&self.git_hash), known(&self.date));
        let parameters = self.parameters().unwrap_or_else(|| vec![format!("parameters {UNKNOWN}")]);
        parameters.iter().fold(stamp, |text, line| format!("{text}\n  {line}"))
    }

    /// All or nothing: a board tells each of these registers or none.
    fn parameters(&self) -> Option<Vec<String>> {
        let of = |register| self.build.register(register);
        let size = |bits| {
            1_u64.checked_shl(bits).map_or_else(|| format!("2^{bits} bytes"), |size| Size(size).to_string())
        };
        let memory = format!(
            "wire version {}, memory {} in pages of {}, {} page-table slots per page",
            of(R::WireVersion)?,
            size(of(R::MemBits)?),
            size(of(R::PageBits)?),
            1_u64 << of(R::SlotsLog2)?.min(63),
        );
        let entries = of(R::TlbEntries)?;
        let sets = match of(R::TlbWays)? {
            0 => "without sets".into(),
            ways => format!("in {} sets of {ways} ways", entries / ways),
        };
        let misses = match of(R::Misses)? {
            0 => "misses are walked for at once".into(),
            misses if self.waiting_lists? => format!("{misses} misses at a time, the others in lists"),
            misses => format!("{misses} misses at a time, the others before hits"),
        };
        let translation = format!("TLB of {entries} entries {sets}, {misses}");
        let trailers = if self.trailers? { "trailers" } else { "no trailers" };
        let doors = format!("doors of the access engine: {}, {trailers}", self.doors?);
        let (entries, ways) = (of(R::FilterEntries)?, of(R::FilterWays)?);
        let filter = match ways {
            0 => format!("retry filter of {entries} entries"),
            _ => format!(
                "retry filter of {entries} entries, 2 choices of {} sets of {ways} ways",
                entries / 2 / ways
            ),
        };
        let queues = format!(
            "packet slots {}, async buffer of {} pages, zeroing queue of {}",
            of(R::PacketSlots)?,
            of(R::AsyncDepth)?,
            of(R::ZeroDepth)?,
        );
        let limits = format!(
            "payloads up to {} bytes, a tick of {} cycles",
            of(R::MaxPayload)?,
            1_u64 << of(R::TickLog2)?.min(63)
        );
        Some(vec![memory, translation, doors, filter, queues, limits])
    }
}

/// Seconds since 1970 as a date.
fn utc(seconds: u32) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u32| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u32::from(leap(year)) {
        day -= 365 + u32::from(leap(year));
        year += 1;
    }
    let february = 28 + u32::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::register::MAGIC;

    #[test]
    fn a_board_that_does_not_tell_is_unknown() {
        // COUNTERS answers 0 for numbers that a board does not have.
        let built = Built::new(Build::of(vec![0; 64]));
        assert_eq!(built.text(), "built from git unknown, date unknown\n  parameters unknown");
        let json = serde_json::to_value(&built).unwrap();
        let expected = serde_json::json!({ "git_hash": null, "date": null, "simulated": null, "doors": null, "waiting_lists": null, "trailers": null, "registers": {} });
        assert_eq!(json, expected);
    }

    #[test]
    fn a_device_tells_its_hash_and_date() {
        let mut words = vec![0; 64];
        for (register, value) in [
            (R::Magic, MAGIC),
            (R::BuildHash, 0x00ab_cdef),
            (R::BuildDate, 1_709_251_199),
            (R::BuildFlags, 2),
            (R::MemBits, 42),
            (R::PageBits, 22),
            (R::TlbEntries, 32),
            (R::TlbWays, 4),
            (R::Misses, 32),
        ] {
            words[register as usize / 4] = u64::from(value);
        }
        let text = Built::new(Build::of(words)).text();
        let first = "built from git 00abcdef, date 2024-02-29T23:59:59Z, for a device\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.contains("memory 4 TiB in pages of 4 MiB, 1 page-table slots per page"), "{text}");
        assert!(
            text.contains(
                "8 sets of 4 ways, 32 misses at a time, the others before hits\n  doors of the access engine: 2, no trailers\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("retry filter of 0 entries\n"),
            "no division by ways that are not told: {text}"
        );
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        // As `date -u -d @N +%FT%TZ` prints them.
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (u32::MAX, "2106-02-07T06:28:15Z"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
