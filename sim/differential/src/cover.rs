//! What the comparison has met: answers by opcode, status, size, state of the TLB, alignment, state of the filter, and door.
//!
//! A bin is one of each. Those that no answer can fall into are explained by a table of reasons, whose patterns name them.
use mneme_model::soft::{BoardRequest, BoardShape};
use mneme_wire::{Counter, Opcode, Status};

/// What a column's places are called, in order.
pub(crate) struct Column {
    /// The column.
    pub name: &'static str,
    /// Its places.
    pub places: &'static [&'static str],
}

/// The columns of a bin.
pub(crate) const COLUMNS: [Column; 7] = [
    Column { name: "opcode", places: &["READ", "WRITE", "CAS", "FAA", "SWAP", "FENCE"] },
    Column {
        name: "status",
        places: &[
            "OK",
            "BUSY",
            "EXPIRED",
            "STALE",
            "CONFLICT",
            "UNMAPPED",
            "DENIED",
            "BADREQUEST",
            "UNSUPPORTED",
            "NOMEM",
            "MOVED",
            "MEMERR",
            "another",
        ],
    },
    Column { name: "size", places: &["none", "word", "line", "lines", "most"] },
    Column { name: "TLB", places: &["unasked", "hit", "walk"] },
    Column { name: "alignment", places: &["line", "word", "byte"] },
    Column {
        name: "filter",
        places: &[
            "unasked", "insert", "reopen", "replay", "repeat", "pending", "conflict", "expired", "clock",
            "full",
        ],
    },
    // The second is the traffic generator's.
    Column { name: "door", places: &["network", "guest"] },
];

const STATUSES: [Status; 12] = [
    Status::Ok,
    Status::Busy,
    Status::Expired,
    Status::Stale,
    Status::Conflict,
    Status::Unmapped,
    Status::Denied,
    Status::BadRequest,
    Status::Unsupported,
    Status::NoMemory,
    Status::Moved,
    Status::MemoryError,
];
const FILTER: [Counter; 9] = [
    Counter::FilterInsert,
    Counter::FilterReopen,
    Counter::FilterReplay,
    Counter::FilterRepeat,
    Counter::FilterPending,
    Counter::FilterConflict,
    Counter::FilterExpired,
    Counter::FilterClock,
    Counter::FilterFull,
];

/// How far from the largest length one still counts as such.
const NEARLY: usize = 64;

/// What a request met on its way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Way {
    /// What the filter counted, if it was asked.
    pub filter: Option<Counter>,
    /// Whether translation walked, if it was asked.
    pub walked: Option<bool>,
    /// It is a token of the second door.
    pub guest: bool,
    /// Its page is one of frames.
    pub split: bool,
}

/// A bin: the number of a place in each column.
pub type Bin = [usize; COLUMNS.len()];

/// How often each bin was met.
#[derive(Debug, Clone)]
pub struct Cover(Vec<u64>);

impl Default for Cover {
    fn default() -> Cover {
        Cover(vec![0; COLUMNS.iter().map(|column| column.places.len()).product()])
    }
}

impl Cover {
    fn number(bin: &Bin) -> usize {
        COLUMNS.iter().zip(bin).fold(0, |number, (column, place)| number * column.places.len() + place)
    }
    /// Every bin.
    pub fn bins() -> impl Iterator<Item = Bin> {
        (0..Cover::default().0.len()).map(|mut number| {
            let mut bin = Bin::default();
            for (place, column) in bin.iter_mut().zip(&COLUMNS).rev() {
                *place = number % column.places.len();
                number /= column.places.len();
            }
            bin
        })
    }
    /// How often a bin was met.
    pub fn met(&self, bin: &Bin) -> u64 {
        self.0[Cover::number(bin)]
    }
    /// Adds what another run met.
    pub fn add(&mut self, other: &Cover) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, more)| *sum += more);
    }
    /// Notes an answer. What is no operation of the fast path has no bin.
    pub fn note(&mut self, shape: &BoardShape, request: &BoardRequest, status: u8, way: Way) {
        let opcode = match request.operation() {
            Some(Opcode::Read) => 0,
            Some(Opcode::Write) => 1,
            Some(Opcode::CompareSwap) => 2,
            Some(Opcode::FetchAdd) => 3,
            Some(Opcode::Swap) => 4,
            Some(Opcode::Fence) => 5,
            _ => return,
        };
        let status = STATUSES.iter().position(|one| one.number() == status).unwrap_or(STATUSES.len());
        let size = match usize::from(request.length) {
            0 => 0,
            1..=8 => 1,
            9..=64 => 2,
            length if length + NEARLY < shape.max_payload() => 3,
            _ => 4,
        };
        let alignment = match request.va.get() {
            va if va % 64 == 0 => 0,
            va if va % 8 == 0 => 1,
            _ => 2,
        };
        // What dispatch refuses before it looks at them has neither.
        let unread = matches!(STATUSES.get(status), None | Some(Status::Stale | Status::Unsupported))
            && way.walked.is_none()
            && way.filter.is_none();
        // Nor does a fence of the second door mean anything by them.
        let unread = unread || (way.guest && opcode == 5);
        let (size, alignment) = if unread { (0, 0) } else { (size, alignment) };
        let tlb = way.walked.map_or(0, |walked| 1 + usize::from(walked));
        let filter = way.filter.and_then(|counter| FILTER.iter().position(|one| *one == counter));
        let bin =
            [opcode, status, size, tlb, alignment, filter.map_or(0, |place| place + 1), way.guest.into()];
        self.0[Cover::number(&bin)] += 1;
    }
}

/// Why bins stay empty: a pattern of each column, the door's left out where it is any, and the reason. `*` is any place, `a|b` these, `^a|b` all others.
pub const REASONS: &[(&str, &str)] = &[
    ("* * * * * ^unasked guest", "The filter is the network's."),
    ("* STALE|CONFLICT|BADREQUEST * * * * guest", "Dispatch and filter are the network's."),
    ("FENCE ^OK * * * * guest", "A fence of the second door is done."),
    ("FENCE * ^none * * * guest", "A fence has neither length nor address."),
    ("FENCE * * * ^line * guest", "The same."),
    ("^FENCE * none * * * guest", "A token has at least a byte."),
    ("^FENCE * * unasked * * guest", "A token that is no fence is translated."),
    (
        "* another ^none * * *",
        "NACK and UNAUTHENTICATED are said by dispatch before it looks at length and address, QUOTA of a page of frames alone, which has no bin.",
    ),
    ("* another none ^unasked * *", "The same."),
    ("* another none unasked ^line *", "The same."),
    ("* another none unasked line ^unasked", "The same."),
    ("READ|FENCE * * * * ^unasked", "The filter does not look up reads and fences."),
    ("FENCE * * ^unasked * *", "A fence has no page."),
    (
        "FENCE ^OK|BUSY|STALE|BADREQUEST|UNSUPPORTED|another * * * *",
        "A fence is refused by dispatch or done.",
    ),
    (
        "* STALE ^none * * *",
        "Of what dispatch refuses before it looks at length and address these are not told apart: they count as none and line.",
    ),
    ("* STALE none * ^line *", "The same."),
    ("* UNSUPPORTED ^none unasked * unasked", "The same."),
    ("* UNSUPPORTED none unasked ^line unasked", "The same."),
    ("FENCE ^BADREQUEST ^none * * *", "A fence with a length is BADREQUEST."),
    (
        "READ|WRITE ^BUSY|STALE|BADREQUEST|UNSUPPORTED|another none * * *",
        "A request of no bytes is BADREQUEST.",
    ),
    ("READ|WRITE UNSUPPORTED none ^unasked * *", "The same."),
    ("WRITE UNSUPPORTED none * * ^unasked", "The same."),
    (
        "READ|WRITE BUSY none ^unasked * *",
        "One of no bytes that is BUSY found the slow ring full, where a row of the match-action table sent it: nobody behind dispatch looks at it.",
    ),
    ("WRITE BUSY none * * ^unasked", "The same."),
    (
        "CAS|FAA|SWAP ^BUSY|STALE|BADREQUEST|UNSUPPORTED|another ^word * * *",
        "An atomic of another length than 8 is BADREQUEST.",
    ),
    (
        "CAS|FAA|SWAP BUSY ^word ^unasked * *",
        "It is BUSY where it found the slow ring full, and nowhere else.",
    ),
    ("CAS|FAA|SWAP BUSY ^word * * ^unasked", "The same."),
    ("CAS|FAA|SWAP UNSUPPORTED ^word ^unasked * *", "The same."),
    ("CAS|FAA|SWAP UNSUPPORTED ^word * * ^unasked", "The same."),
    ("CAS|FAA|SWAP ^BADREQUEST * * byte *", "An atomic that is not aligned is BADREQUEST."),
    ("* STALE|BADREQUEST * ^unasked * *", "Dispatch refuses these: translation does not see them."),
    ("* STALE|BADREQUEST * * * ^unasked", "Dispatch refuses these: the filter does not look them up."),
    ("READ CONFLICT|NOMEM * * * *", "A read has no entry of the filter, and takes no page."),
    ("READ EXPIRED * * * * network", "The window of reads is the second door's alone."),
    ("* * * ^unasked * ^unasked|insert|reopen", "What the filter answers or refuses is not translated."),
    ("* * * unasked * insert|reopen", "What the filter lets go on is translated."),
    ("* CONFLICT * * * ^conflict", "The filter alone says CONFLICT."),
    ("* ^CONFLICT * * * conflict", "The filter says CONFLICT to another operation under the same id."),
    ("* ^OK * * * replay", "Only what was done is replayed."),
    ("* ^BUSY * * * pending|clock|full", "The filter says BUSY to these."),
    ("* ^EXPIRED * * * expired", "The filter says EXPIRED to these."),
    (
        "* EXPIRED * * * repeat",
        "Once a request is EXPIRED the window of its entry is over, and nothing is repeated.",
    ),
    ("* OK * * * repeat", "What was done is replayed, not repeated."),
    (
        "READ ^BUSY|STALE|BADREQUEST|UNSUPPORTED|another * unasked * *",
        "A read that dispatch does not refuse is translated; a row of the match-action table may send it to a slow ring that is full (BUSY).",
    ),
    (
        "WRITE|CAS|FAA|SWAP ^BUSY|STALE|BADREQUEST|UNSUPPORTED|another * * * unasked network",
        "A write or an atomic that dispatch does not refuse is looked up.",
    ),
    ("WRITE|CAS|FAA|SWAP * * ^unasked * unasked network", "What is not looked up was refused by dispatch."),
    (
        "* UNMAPPED|NOMEM|MOVED|UNSUPPORTED * hit * *",
        "The TLB holds entries with a physical page that serve a request; what has none, is away or split, was walked for.",
    ),
    ("READ BUSY * hit * *", "A read is BUSY by its entry alone, which the TLB then does not hold."),
];

/// Whether a pattern names a bin.
pub fn explains(pattern: &str, bin: &Bin) -> bool {
    pattern.split(' ').zip(&COLUMNS).zip(bin).all(|((part, column), place)| {
        let is = |names: &str| names.split('|').any(|name| name == column.places[*place]);
        match part.strip_prefix('^') {
            Some(others) => !is(others),
            None => part == "*" || is(part),
        }
    })
}

/// The first reason why a bin stays empty.
pub fn reason(bin: &Bin) -> Option<usize> {
    REASONS.iter().position(|(pattern, _)| explains(pattern, bin))
}

/// A bin in words.
pub fn describe(bin: &Bin) -> String {
    let words =
        COLUMNS.iter().zip(bin).map(|(column, place)| format!("{} {}", column.name, column.places[*place]));
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_names_places_that_there_are_and_explains_a_bin() {
        let mut explained = vec![0; REASONS.len()];
        Cover::bins().filter_map(|bin| reason(&bin)).for_each(|at| explained[at] += 1);
        for ((pattern, _), count) in REASONS.iter().zip(explained) {
            let parts: Vec<_> = pattern.split(' ').collect();
            assert!([COLUMNS.len() - 1, COLUMNS.len()].contains(&parts.len()), "{pattern}");
            for (part, column) in parts.iter().zip(&COLUMNS).filter(|(part, _)| **part != "*") {
                let mut names = part.trim_start_matches('^').split('|');
                assert!(names.all(|name| column.places.contains(&name)), "{pattern}: {part}");
            }
            assert!(count > 0, "{pattern} explains nothing that those before it do not");
        }
    }

    #[test]
    fn bins_are_numbered_and_named() {
        let mut cover = Cover::default();
        assert!(Cover::bins().enumerate().all(|(number, bin)| Cover::number(&bin) == number));
        let request = BoardRequest { opcode: Opcode::Write.number(), length: 64, ..BoardRequest::default() };
        let way = Way { filter: Some(Counter::FilterInsert), walked: Some(true), ..Way::default() };
        cover.note(&BoardShape::TINY, &request, Status::Ok.number(), way);
        let met: Vec<_> = Cover::bins().filter(|bin| cover.met(bin) > 0).map(|bin| describe(&bin)).collect();
        assert_eq!(
            met,
            ["opcode WRITE, status OK, size line, TLB walk, alignment line, filter insert, door network"]
        );
        let mut twice = cover.clone();
        twice.add(&cover);
        assert_eq!(Cover::bins().map(|bin| twice.met(&bin)).sum::<u64>(), 2);
    }

    #[test]
    fn a_pattern_names_what_it_says() {
        let bin = [1, 0, 2, 2, 0, 1, 0];
        for (pattern, expected) in [
            ("* * * * * *", true),
            ("WRITE OK|BUSY * walk * ^full", true),
            ("^WRITE * * * * *", false),
            ("* * none * * *", false),
        ] {
            assert_eq!(explains(pattern, &bin), expected, "{pattern}");
        }
    }
}
