//! Which bytes each operation's payload has, as tables: documentation and clients in other languages are made from them.
//! `tests/layouts.rs` holds them against the functions of [`payload`](crate::payload).
use crate::Opcode;
use crate::payload::{
    Alloc, BoardInfo, COUNTERS_MAX, OpenAnswer, OpenRequest, PROCESSES_MAX, PageRange, ProcessEntry,
    RangeRights,
};

/// One field of a payload. Integers are little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name in snake case; `zero` must be 0.
    pub name: &'static str,
    /// Its first byte.
    pub at: usize,
    /// Its bytes.
    pub bytes: usize,
    /// What it means.
    pub doc: &'static str,
}

/// Fields that come again and again behind the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeated {
    /// The fields of one of them; offsets count from its own beginning.
    pub fields: &'static [Field],
    /// How many there are, in words.
    pub times: &'static str,
    /// No more than these.
    pub max: usize,
}

/// A payload of fixed fields, one behind the other without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Its name, which headings carry.
    pub name: &'static str,
    /// What else there is to say.
    pub doc: &'static str,
    /// Its fields in order.
    pub fields: &'static [Field],
    /// What follows them.
    pub repeated: Option<Repeated>,
}

impl Layout {
    /// Bytes of the fixed fields.
    pub const fn len(&self) -> usize {
        end(self.fields)
    }
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }
}

/// What follows a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Nothing.
    Nothing,
    /// As many bytes as the header's `length` says, which are the application's.
    Data,
    /// Fields.
    Fields(&'static Layout),
}

/// What an operation's request and its OK answer carry. Every other answer is a header alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The operation.
    pub opcode: Opcode,
    /// What the request's `va` means.
    pub va: &'static str,
    /// What the request's `length` means.
    pub length: &'static str,
    /// What the request carries.
    pub request: Body,
    /// What an OK answer's `length` means; its `va` is the request's.
    pub answer_length: &'static str,
    /// What an OK answer carries.
    pub answer: Body,
}

const fn end(fields: &[Field]) -> usize {
    match fields {
        [] => 0,
        [.., last] => last.at + last.bytes,
    }
}

/// Offsets follow from the sizes, so that no gap can be.
macro_rules! fields {
    ($($name:ident $bytes:literal $doc:literal;)+) => {{
        const SIZES: &[(&str, usize, &str)] = &[$((stringify!($name), $bytes, $doc),)+];
        const FIELDS: [Field; SIZES.len()] = {
            let mut fields = [Field { name: "", at: 0, bytes: 0, doc: "" }; SIZES.len()];
            let (mut i, mut at) = (0, 0);
            while i < SIZES.len() {
                let (name, bytes, doc) = SIZES[i];
                fields[i] = Field { name, at, bytes, doc };
                at += bytes;
                i += 1;
            }
            fields
        };
        &FIELDS
    }};
}

const fn plain(name: &'static str, doc: &'static str, fields: &'static [Field]) -> Layout {
    Layout { name, doc, fields, repeated: None }
}

mod secure;
pub use secure::{SECURE_OPEN_ANSWER, SECURE_OPEN_INSIDE, SECURE_OPEN_REQUEST, SECURE_OPEN_TOLD};

/// PING's request.
pub static PING_REQUEST: Layout = plain(
    "PING request",
    "As long as its answer, so that nobody can use a board to amplify traffic. Pid and epoch of the header may be 0. \
     With the pid of a process it renews that process's lease.",
    fields! { zero 64 "0."; },
);

/// [`BoardInfo`].
pub static BOARD_INFO: Layout = plain(
    "Board info",
    "PING's answer, and the end of OPEN's.",
    fields! {
        board_id 8 "The board's identity, the same across boots.";
        nonce 8 "Boot nonce: another number after each boot.";
        token 8 "Controller token; 0 without a controller.";
        tick 4 "The tick when the answer was made, below 2^24.";
        window 4 "The window of WRITE and atomics in ticks, below 2^22.";
        ns_per_tick 4 "Nanoseconds that a tick lasts, never 0.";
        capabilities 4 "Capability bits; none is assigned.";
        memory 8 "Bytes of physical memory that processes can have.";
        max_payload 2 "Most payload bytes of one packet, 64 or more.";
        page_bits 1 "log2 of the page size, 12 to 40.";
        epoch 1 "The epoch that requests must carry, never 0.";
        key_phase 1 "The current key phase, 0 or 1.";
        filter_entries 4 "WRITEs and atomics of all clients that the board remembers at once, each for a window; 0: it does not tell.";
        tick_high 5 "The upper 40 bits of the tick when the answer was made; 0 on a board without trailers.";
        key_hint 2 "The first two bytes of SHA-256 of the board's public key, or 1 where they are 0: a hint. 0: it has none, and serves no secure OPEN.";
    },
);

/// [`OpenRequest`].
pub static OPEN_REQUEST: Layout = plain(
    "OPEN request",
    "The header's pid is the one asked for; 0 stands for any. Padded to the length of its answer.",
    fields! {
        flags 4 "Bit 0: join the open process of the header's pid; else the process must be new. All other bits are 0.";
        capabilities 4 "Capabilities that the client wants to use; none is assigned.";
        lease 8 "Nanoseconds of board time without a slow-path request of the process after which it is ended; 0: never.";
        token 16 "Join: what OPEN answered. New: 0, and the board draws one; or the token that the process shall have.";
        window_va 8 "The first address of a window in which ALLOCs without a fixed address are placed: a multiple of 2^30. Join: 0.";
        window_bytes 8 "The window's bytes: a multiple of 2^30. 0, with window_va 0: the whole address space. Join: 0.";
        zero 64 "0.";
    },
);

/// [`OpenAnswer`].
pub static OPEN_ANSWER: Layout = plain(
    "OPEN answer",
    "",
    fields! {
        pid 4 "The process, 1 to 2^24 - 1.";
        capabilities 4 "Capabilities granted: none.";
        lease 8 "The lease in force in nanoseconds, 0: none. A wish past the board's bound gets the bound.";
        token 16 "What another client needs to join.";
        key 16 "The process's tag key of the current phase, in the answer to a secure OPEN; else 0.";
        board 64 "Board info, as PING answers it.";
    },
);

/// [`Alloc`], asked.
pub static ALLOC_REQUEST: Layout = plain(
    "ALLOC request",
    "",
    fields! {
        size 8 "Bytes wanted, 1 or more; the board rounds up to whole pages.";
        rights 1 "Bit 0: READ and atomics. Bit 1: WRITE and atomics.";
        fixed 1 "1: the header's va or nothing. 0: the board chooses.";
        unit 1 "An allocation unit; 0 is served.";
        class 1 "An allocation class; 0 is served.";
        zero 4 "0.";
        dram_min 8 "Of tiered allocations; 0.";
        dram_max 8 "Of tiered allocations; 0.";
        zero 8 "0.";
    },
);

/// [`Alloc`], answered.
pub static ALLOC_ANSWER: Layout = plain(
    "ALLOC answer",
    "",
    fields! {
        size 8 "Bytes given: whole pages.";
        rights 1 "As asked.";
        fixed 1 "As asked.";
        unit 1 "As asked.";
        class 1 "As asked.";
        zero 4 "0.";
        dram_min 8 "As asked.";
        dram_max 8 "As asked.";
        va 8 "Where the range begins: a page border, never 0.";
    },
);

/// [`RangeRights`] of FREE, asked.
pub static FREE_REQUEST: Layout = plain(
    "FREE request",
    "",
    fields! {
        size 8 "The size that ALLOC answered, or 0 for whatever that was.";
        rights 1 "0.";
        zero 7 "0.";
    },
);

/// [`RangeRights`] of FREE, answered.
pub static FREE_ANSWER: Layout = plain(
    "FREE answer",
    "",
    fields! {
        size 8 "Bytes freed.";
        rights 1 "0.";
        zero 7 "0.";
    },
);

/// [`RangeRights`] of PROTECT, which the answer repeats.
pub static PROTECT: Layout = plain(
    "PROTECT request and answer",
    "The answer repeats the request.",
    fields! {
        size 8 "Bytes: whole pages inside one range that ALLOC answered.";
        rights 1 "The new rights, bits as ALLOC's.";
        zero 7 "0.";
    },
);

/// [`CountersRequest`](crate::payload::CountersRequest).
pub static COUNTERS_REQUEST: Layout = Layout {
    name: "COUNTERS request",
    doc: "",
    fields: fields! {
        first 4 "The first number: of a counter below 0x1000, of a node counter from there on, of a register that tells of the build from 0x2000 on.";
        count 4 "How many numbers, 1 to 128.";
    },
    repeated: Some(Repeated {
        fields: fields! { zero 8 "0: room for a value."; },
        times: "count",
        max: COUNTERS_MAX,
    }),
};

/// The answer to [`COUNTERS_REQUEST`].
pub static COUNTERS_ANSWER: Layout = Layout {
    name: "COUNTERS answer",
    doc: "",
    fields: fields! {
        first 4 "As asked.";
        count 4 "As asked.";
    },
    repeated: Some(Repeated {
        fields: fields! { value 8 "The value of number `first` and so on; 0 for numbers that the board does not have."; },
        times: "count",
        max: COUNTERS_MAX,
    }),
};

/// [`ProcessesRequest`](crate::payload::ProcessesRequest).
pub static PROCESSES_REQUEST: Layout = Layout {
    name: "PROCESSES request",
    doc: "The header's pid is 0: the source address asks; or, with a tag, that of a process whose tenant asks.",
    fields: fields! {
        after 4 "Only processes with greater pids; 0: from the first on.";
        count 4 "How many, 1 to 128.";
    },
    repeated: Some(Repeated {
        fields: fields! { zero 48 "0: room for a process."; },
        times: "count",
        max: PROCESSES_MAX,
    }),
};

/// The answer to [`PROCESSES_REQUEST`].
pub static PROCESSES_ANSWER: Layout = Layout {
    name: "PROCESSES answer",
    doc: "The processes of whoever asks, by ascending pid. Zeros fill it to the length of the request.",
    fields: fields! {
        after 4 "As asked.";
        count 4 "How many follow; less than asked for: there are no more.";
    },
    repeated: Some(Repeated {
        fields: fields! {
            pid 4 "The process.";
            state 4 "Bit 0: an EXIT works on it. Bit 1: an EXIT broke off, all that the process can do is end. All other bits are 0.";
            lease 8 "Its lease in nanoseconds, 0: none.";
            silent 8 "Nanoseconds since its last request that reached the slow path.";
            slots 8 "Pages allocated.";
            pages 8 "Those of them that are or were writable, so that they may hold memory.";
            ranges 8 "Ranges that ALLOC answered and FREE has not taken.";
        },
        times: "count",
        max: PROCESSES_MAX,
    }),
};

/// COMPARE_SWAP's request.
pub static COMPARE_SWAP_REQUEST: Layout = plain(
    "COMPARE_SWAP request",
    "",
    fields! {
        expected 8 "The word is exchanged if it is this one.";
        new 8 "What is stored then.";
    },
);
/// FETCH_ADD's request.
pub static FETCH_ADD_REQUEST: Layout =
    plain("FETCH_ADD request", "", fields! { addend 8 "What is added, modulo 2^64."; });
/// SWAP's request.
pub static SWAP_REQUEST: Layout = plain("SWAP request", "", fields! { new 8 "What is stored."; });
/// What the atomics answer.
pub static ATOMIC_ANSWER: Layout = plain(
    "Atomics answer",
    "Of COMPARE_SWAP, FETCH_ADD and SWAP. A COMPARE_SWAP has stored its word exactly when this is the expected one.",
    fields! { old 8 "The word before."; },
);

/// ADVISE and PERSIST, which boards answer UNSUPPORTED, cause OPCODE, until tiers are built.
pub static RANGES_REQUEST: Layout = Layout {
    name: "ADVISE and PERSIST request",
    doc: "Declared so that no packet has to change; boards answer UNSUPPORTED, cause OPCODE.",
    fields: fields! {
        kind 1 "What is to be done with the ranges; none is assigned.";
        zero 7 "0.";
    },
    repeated: Some(Repeated {
        fields: fields! {
            va 8 "Where a range begins.";
            pages 8 "Its pages.";
        },
        times: "1 to 64",
        max: PageRange::MAX,
    }),
};

/// Every layout, each once, in the order in which documentation shows them.
pub static LAYOUTS: &[&Layout] = &[
    &COMPARE_SWAP_REQUEST,
    &FETCH_ADD_REQUEST,
    &SWAP_REQUEST,
    &ATOMIC_ANSWER,
    &OPEN_REQUEST,
    &OPEN_ANSWER,
    &SECURE_OPEN_REQUEST,
    &SECURE_OPEN_INSIDE,
    &SECURE_OPEN_ANSWER,
    &SECURE_OPEN_TOLD,
    &ALLOC_REQUEST,
    &ALLOC_ANSWER,
    &FREE_REQUEST,
    &FREE_ANSWER,
    &PROTECT,
    &RANGES_REQUEST,
    &PING_REQUEST,
    &BOARD_INFO,
    &COUNTERS_REQUEST,
    &COUNTERS_ANSWER,
    &PROCESSES_REQUEST,
    &PROCESSES_ANSWER,
];

const PAYLOAD: &str = "payload bytes";

/// An atomic on a word.
const fn atomic(opcode: Opcode, request: &'static Layout) -> Exchange {
    let (va, length) = ("the word, a multiple of 8", "8");
    Exchange {
        opcode,
        va,
        length,
        request: Body::Fields(request),
        answer_length: "8",
        answer: Body::Fields(&ATOMIC_ANSWER),
    }
}

/// An operation of the slow path: `length` counts payload bytes, both ways.
const fn slow(
    opcode: Opcode,
    va: &'static str,
    request: &'static Layout,
    answer: &'static Layout,
) -> Exchange {
    let (request, answer) = (Body::Fields(request), Body::Fields(answer));
    Exchange { opcode, va, length: PAYLOAD, request, answer_length: PAYLOAD, answer }
}

/// What every operation that a board may serve carries.
pub static EXCHANGES: &[Exchange] = &[
    Exchange {
        opcode: Opcode::Read,
        va: "where to read, all in one page",
        length: "bytes wanted, 1 to the largest payload",
        request: Body::Nothing,
        answer_length: "the same",
        answer: Body::Data,
    },
    Exchange {
        opcode: Opcode::Write,
        va: "where to write, all in one page",
        length: "payload bytes, 1 to the largest payload",
        request: Body::Data,
        answer_length: "bytes written",
        answer: Body::Nothing,
    },
    atomic(Opcode::CompareSwap, &COMPARE_SWAP_REQUEST),
    atomic(Opcode::FetchAdd, &FETCH_ADD_REQUEST),
    atomic(Opcode::Swap, &SWAP_REQUEST),
    Exchange {
        opcode: Opcode::Fence,
        va: "0",
        length: "0",
        request: Body::Nothing,
        answer_length: "0",
        answer: Body::Nothing,
    },
    slow(Opcode::Open, "0", &OPEN_REQUEST, &OPEN_ANSWER),
    Exchange {
        opcode: Opcode::Exit,
        va: "0; with a tag also the pid of another process of the same tenant, which ends in its place",
        length: "0",
        request: Body::Nothing,
        answer_length: "0",
        answer: Body::Nothing,
    },
    slow(Opcode::Alloc, "0, or the address wanted if `fixed`", &ALLOC_REQUEST, &ALLOC_ANSWER),
    slow(Opcode::Free, "where the range begins", &FREE_REQUEST, &FREE_ANSWER),
    slow(Opcode::Protect, "where the change begins, a page border", &PROTECT, &PROTECT),
    slow(Opcode::Ping, "0", &PING_REQUEST, &BOARD_INFO),
    slow(Opcode::Counters, "0", &COUNTERS_REQUEST, &COUNTERS_ANSWER),
    slow(Opcode::Processes, "0", &PROCESSES_REQUEST, &PROCESSES_ANSWER),
];

const _: () = {
    assert!(PING_REQUEST.len() == BoardInfo::LEN && BOARD_INFO.len() == BoardInfo::LEN);
    assert!(OPEN_REQUEST.len() == OpenRequest::LEN && OPEN_ANSWER.len() == OpenAnswer::LEN);
    assert!(ALLOC_REQUEST.len() == Alloc::LEN && ALLOC_ANSWER.len() == Alloc::LEN);
    assert!(FREE_REQUEST.len() == RangeRights::LEN && FREE_ANSWER.len() == RangeRights::LEN);
    assert!(PROTECT.len() == RangeRights::LEN);
    if let (Some(room), Some(told)) = (PROCESSES_REQUEST.repeated, PROCESSES_ANSWER.repeated) {
        assert!(end(room.fields) == ProcessEntry::LEN && end(told.fields) == ProcessEntry::LEN);
    }
};
