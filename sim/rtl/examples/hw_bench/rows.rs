//! The rows: what is sent, to which pages, on which memory.
use mneme_model::BoardShape;
use mneme_rtl::RtlConfig;
use mneme_wire::Opcode;

/// Gigabytes, in bytes.
const GB: u64 = 1 << 30;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traffic {
    /// Reads alone.
    Read,
    /// Writes alone.
    Write,
    /// As many of each, at random.
    Mix,
    /// Fetch-and-add.
    Atomic,
}

impl Traffic {
    /// Opcodes with their weights.
    pub fn kinds(self) -> &'static [(Opcode, u64)] {
        match self {
            Traffic::Read => &[(Opcode::Read, 1)],
            Traffic::Write => &[(Opcode::Write, 1)],
            Traffic::Mix => &[(Opcode::Read, 1), (Opcode::Write, 1)],
            Traffic::Atomic => &[(Opcode::FetchAdd, 1)],
        }
    }
    fn name(self) -> &'static str {
        match self {
            Traffic::Read => "read",
            Traffic::Write => "write",
            Traffic::Mix => "mix",
            Traffic::Atomic => "fetch-add",
        }
    }
}

/// What a row has to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// 98% of what the pipeline is built for.
    OfBound,
    /// Payload in Gbit/s at 250 MHz, and 98% of what the pipeline is built for.
    Gbit(f64),
    /// Requests in millions per second at 250 MHz, and 98% of what the pipeline is built for.
    Millions(f64),
    /// p50 latency in cycles, last beat in to last beat out, at memory latency 0.
    Cycles(u64),
    /// Within 1% of the row of this name.
    Like(&'static str),
    /// p99 of hits within half as much again as in the row of this name, and 98% of the misses that the pipeline is built for.
    HitsLike(&'static str),
    /// Nothing: a point of a curve.
    Curve,
}

/// The board of most rows.
pub const BOARD: RtlConfig = RtlConfig::Large;
/// The board of the ZCU106, as it is built.
pub const DEVICE: RtlConfig = RtlConfig::Zcu106;
/// The board for faults: its pages are small, so that free ones come soon.
pub const FAULTS: RtlConfig = RtlConfig::Sim;
/// Misses that the translation works on at once, a build parameter (contracts §8).
pub fn misses(board: RtlConfig) -> f64 {
    if board == BOARD { 32.0 } else { 8.0 }
}
/// Pages outside those that the TLB holds: so many that none is in it when its turn comes again.
const COLD_PAGES: usize = 400;

/// Where a row belongs in the short form, which CI runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In both forms.
    Short,
    /// In the long form alone.
    Long,
}

/// One row.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name in tables and in the file of bounds.
    pub name: String,
    /// The board.
    pub board: RtlConfig,
    /// What is asked.
    pub traffic: Traffic,
    /// Payload bytes of each request.
    pub length: usize,
    /// Where a request begins, from a multiple of 4 KB.
    pub offset: u64,
    /// Share of requests to pages that the TLB holds.
    pub hits: f64,
    /// Pages that requests go round otherwise.
    pub pages: usize,
    /// Cycles from AR to R beyond the least, and from the last W to B.
    pub latency: u32,
    /// Requests in flight at most.
    pub window: u64,
    /// Processes.
    pub pids: u32,
    /// Bytes over which pages are spread.
    pub spread: u64,
    /// Every request goes to a page never touched before.
    pub first_touch: bool,
    /// Answers before counting, where they are not enough to fill all queues and to touch all hot pages.
    pub warm_up: u64,
    /// Requests counted.
    pub requests: u64,
    /// Bits per cycle that the wire at the port carries; 0: a beat in every cycle.
    pub link_bits: u32,
    /// Ticks for which the retry filter remembers; none: as long as this row needs.
    pub retry_window: Option<u32>,
    /// Hits per cycle that come by themselves, at random times; the window is then that of misses. 0: they come with the others.
    pub hit_rate: f64,
    /// What it has to reach.
    pub goal: Goal,
    /// Where it belongs.
    pub form: Form,
}

impl Row {
    pub(super) fn new(shape: &BoardShape, traffic: Traffic, length: usize, latency: u32) -> Row {
        let length = if traffic == Traffic::Atomic { 8 } else { length };
        Row {
            name: format!("{} {length} B, memory {latency}", traffic.name()),
            board: BOARD,
            traffic,
            length,
            offset: 0,
            hits: 1.0,
            pages: COLD_PAGES,
            latency,
            window: shape.packet_slots as u64,
            pids: 16,
            spread: 64 * GB,
            first_touch: false,
            warm_up: 0,
            requests: (200_000 / (length as u64 + 64)).clamp(400, 2400)
                * match traffic {
                    // Answered unevenly, and drawn unevenly: where requests in flight are worth a thousandth of
                    // those counted, they say what the board does, not what was drawn.
                    Traffic::Mix if length >= 4096 => 64,
                    Traffic::Mix => 4,
                    _ => 1,
                },
            link_bits: 0,
            retry_window: None,
            hit_rate: 0.0,
            goal: Goal::OfBound,
            form: Form::Long,
        }
    }
    /// Enough reads to take the simulation's time.
    pub fn for_speed(board: RtlConfig) -> Row {
        let row = Row::new(&board.shape(), Traffic::Read, 16, 25);
        Row { board, requests: 100_000, spread: 1 << board.shape().mem_bits, ..row }
    }
    pub(super) fn named(self, suffix: &str) -> Row {
        Row { name: format!("{}, {suffix}", self.name), ..self }
    }
    pub(super) fn goal(self, goal: Goal) -> Row {
        Row { goal, ..self }
    }
    /// Where requests of a kind begin: offset, stride and number of places in a page. So fine that two requests in flight to the same bytes,
    /// which must keep their order, are rare; of a mix, each kind has its part of the page.
    pub fn places(&self, kind: usize, page: u64) -> (u64, u64, u64) {
        let stride = match self.length as u64 {
            8 if self.traffic == Traffic::Atomic => 8,
            length if length <= 64 && self.offset == 0 => 64,
            _ => 4096,
        };
        let part = page / self.traffic.kinds().len() as u64;
        // The last place ends within its part.
        let places = (part - self.length as u64 - self.offset) / stride;
        (part * kind as u64 + self.offset, stride, if self.first_touch { 1 } else { places })
    }
    pub(super) fn short(self) -> Row {
        Row { form: Form::Short, ..self }
    }
}

/// Sizes: 64 B, 1 KB, 4 KB and as much as the MTU carries.
fn throughput(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    for latency in [0, 60] {
        for traffic in [Traffic::Read, Traffic::Write, Traffic::Mix] {
            for length in [16, 64, 1024, 4096, shape.max_payload()] {
                let row = Row::new(shape, traffic, length, latency);
                rows.push(match (traffic, length) {
                    (Traffic::Read, 16 | 64) => row.goal(Goal::Millions(100.0)).short(),
                    (Traffic::Read | Traffic::Write, 1024) => row.goal(Goal::Gbit(120.0)).short(),
                    (_, 16 | 1024) => row.short(),
                    _ => row,
                });
            }
        }
        rows.push(Row::new(shape, Traffic::Atomic, 8, latency).short());
    }
    rows
}

fn alignments(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    for latency in [0, 60] {
        for traffic in [Traffic::Read, Traffic::Write] {
            for (offset, name) in [(8, "offset 8"), (61, "offset 61"), (4096 - 500, "over 4 KB")] {
                let row = Row { offset, ..Row::new(shape, traffic, 1024, latency) }.named(name);
                rows.push(row.goal(Goal::Gbit(120.0)));
            }
        }
    }
    rows
}

fn hit_shares(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    for latency in [0, 60] {
        let moving = [Traffic::Read, Traffic::Write, Traffic::Mix];
        let sized =
            moving.map(|traffic| [64, 1024, 4096, shape.max_payload()].map(|length| (traffic, length)));
        for (traffic, length) in sized.into_iter().flatten().chain([(Traffic::Atomic, 8)]) {
            for hits in [0.9, 0.5, 0.0] {
                let name = format!("{:.0}% hot", 100.0 * hits);
                let row = Row { hits, ..Row::new(shape, traffic, length, latency) }.named(&name);
                rows.push(if length == 64 && traffic == Traffic::Read { row.short() } else { row });
            }
        }
        // As many faults as the async buffer has pages. All miss entries come round twice before counting, for at first they crowd, and whole rounds are counted.
        let pages = FAULTS.shape().async_depth as u64;
        let warm_up = 2 * misses(FAULTS) as u64;
        let storm = faulting(Row::new(&FAULTS.shape(), Traffic::Write, 16, latency));
        let storm = Row { pages: pages as usize, warm_up, requests: pages - warm_up, ..storm };
        rows.push(storm.named("first touches").short());
    }
    rows
}

/// Every request is the first to touch its page.
fn faulting(row: Row) -> Row {
    let spread = 1 << FAULTS.shape().mem_bits;
    Row { board: FAULTS, first_touch: true, hits: 0.0, spread, ..row }
}

/// One request at a time.
fn latencies(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    for latency in [0, 60] {
        let alone = |traffic, length, name: &str, goal| {
            let row = Row { window: 1, requests: 40, ..Row::new(shape, traffic, length, latency) };
            row.named(name).goal(if latency == 0 { Goal::Cycles(goal) } else { Goal::Curve }).short()
        };
        let miss = |row: Row| Row { hits: 0.0, ..row };
        rows.push(alone(Traffic::Read, 16, "alone, hit", 20));
        rows.push(alone(Traffic::Write, 16, "alone, hit", 28));
        rows.push(alone(Traffic::Atomic, 8, "alone, hit", 28));
        // A miss may add 6 cycles, the access to the table included.
        rows.push(miss(alone(Traffic::Read, 16, "alone, miss", 26)));
        rows.push(miss(alone(Traffic::Write, 16, "alone, miss", 34)));
        let pages = FAULTS.shape().async_depth;
        let fault = faulting(alone(Traffic::Write, 16, "alone, first touch", 34));
        rows.push(Row { pages, warm_up: 1, requests: pages as u64 - 1, ..fault });
    }
    rows
}

/// Goodput against size (Clio, figure 9).
fn sizes(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    for traffic in [Traffic::Read, Traffic::Write] {
        for length in [4, 8, 32, 128, 256, 512, 2048] {
            rows.push(Row::new(shape, traffic, length, 0).goal(Goal::Curve));
        }
    }
    rows
}

/// The name of the row that those of more processes and memory must be like.
const BASE_HIT: &str = "read 16 B, memory 60, hits, 1 process, 2 GB";
const BASE_MISS: &str = "read 16 B, memory 60, misses, 1 process, 2 GB";

/// The same with more processes and with more memory (Clio, figures 4 and 5).
fn scale(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    let points = [
        (1, 2, "1 process, 2 GB"),
        (1000, 2, "1,000 processes, 2 GB"),
        (15_000_000, 2, "15,000,000 processes, 2 GB"),
        (1, 64, "1 process, 64 GB"),
        (1, 1024, "1 process, 1 TB"),
        (1, 4096, "1 process, 4 TB"),
        (15_000_000, 4096, "15,000,000 processes, 4 TB"),
    ];
    for (hits, kind, base) in [(1.0, "hits", BASE_HIT), (0.0, "misses", BASE_MISS)] {
        for (pids, gigabytes, name) in points {
            let row = Row { hits, pids, spread: gigabytes * GB, ..Row::new(shape, Traffic::Read, 16, 60) };
            let row = Row { requests: 800, ..row }.named(&format!("{kind}, {name}"));
            rows.push(row.goal(Goal::Like(base)));
        }
    }
    rows
}

/// Latency of one read at a time against pages used in turn and against processes (Clio, figures 4 and 5).
fn curves(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    let alone = |pages: usize, pids| {
        let row = Row { window: 1, hits: 0.0, pages, pids, ..Row::new(shape, Traffic::Read, 16, 60) };
        // Every page is touched twice before counting.
        Row { requests: 8 * pages as u64, spread: 4096 * GB, goal: Goal::Curve, ..row }
    };
    for pages in [1, 4, 16, 32, 64, 256, 1024] {
        let row = Row { requests: 8.max(pages as u64), ..alone(pages, 1) };
        rows.push(row.named(&format!("alone, {pages} pages in turn")));
    }
    for (pids, name) in [(1, "1"), (1000, "1,000"), (15_000_000, "15,000,000")] {
        rows.push(alone(8, pids).named(&format!("alone, 8 pages of {name} processes")));
    }
    rows
}

/// Every row.
pub fn rows(form: Form) -> Vec<Row> {
    let shape = &BOARD.shape();
    let all = [
        throughput(shape),
        alignments(shape),
        hit_shares(shape),
        latencies(shape),
        sizes(shape),
        scale(shape),
        curves(shape),
        super::device::rows(),
    ]
    .concat();
    all.into_iter().filter(|row| form == Form::Long || row.form == Form::Short).collect()
}
