//! PROCESSES: the processes of the asking tenant, or source address.
use super::{PayloadError, put, u32_at, u64_at, zero};

/// Most processes that one PROCESSES request can ask for.
pub const PROCESSES_MAX: usize = 128;

/// The longest lease of a process that a tenant may have beyond its share of processes, in nanoseconds: so whoever has too
/// many can still ask which, and end some.
pub const STANDING_LEASE_NS: u64 = 10_000_000_000;

/// PROCESSES request: `after 4, count 4, zero 48 × count`. The answer, as long: `after 4, entries 4`, then the processes
/// with pids greater than `after` that belong to whoever asks, ascending, `count` of them at most, and zeros. Fewer than `count`:
/// there are no more. Nobody is told of the processes of others, or a token.
///
/// With pid 0 the source address asks. With the pid and the tag of a process its tenant does; once another tenant has joined
/// that process, it stands for itself alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessesRequest {
    /// Only processes with greater pids; 0 = from the first on.
    pub after: u32,
    /// How many, 1 to [`PROCESSES_MAX`].
    pub count: u32,
}

/// One process of a PROCESSES answer. 48 bytes: `pid 4, state 4 (bit 0 ending, bit 1 broken), lease ns 8, silent ns 8,
/// slots 8, pages 8, ranges 8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProcessEntry {
    /// The process.
    pub pid: u32,
    /// An EXIT works on it.
    pub ending: bool,
    /// An EXIT broke off halfway: all that the process can do is end.
    pub broken: bool,
    /// Nanoseconds without a slow-path request after which it is reclaimed; 0 = never.
    pub lease_ns: u64,
    /// Nanoseconds since its last slow-path request.
    pub silent_ns: u64,
    /// Page-table slots: pages allocated.
    pub slots: u64,
    /// Those of them that are or were writable, so that they may hold physical memory.
    pub pages: u64,
    /// Allocations.
    pub ranges: u64,
}

impl ProcessEntry {
    /// Bytes of the layout.
    pub const LEN: usize = 48;
    fn parse(b: &[u8]) -> Result<Self, PayloadError> {
        let (pid, state) = (u32_at(b, 0), u32_at(b, 4));
        if pid == 0 || pid >= 1 << 24 {
            return Err(PayloadError::Range("pid"));
        }
        if state > 3 {
            return Err(PayloadError::Option("state"));
        }
        Ok(ProcessEntry {
            pid,
            ending: state & 1 != 0,
            broken: state & 2 != 0,
            lease_ns: u64_at(b, 8),
            silent_ns: u64_at(b, 16),
            slots: u64_at(b, 24),
            pages: u64_at(b, 32),
            ranges: u64_at(b, 40),
        })
    }
    fn emit(&self, b: &mut [u8]) {
        put(b, 0, &self.pid.to_le_bytes());
        put(b, 4, &(u32::from(self.ending) | u32::from(self.broken) << 1).to_le_bytes());
        let words = [self.lease_ns, self.silent_ns, self.slots, self.pages, self.ranges];
        for (nth, word) in words.iter().enumerate() {
            put(b, 8 + 8 * nth, &word.to_le_bytes());
        }
    }
}

impl ProcessesRequest {
    const HEAD: usize = 8;

    /// The request for as many processes as a payload of so many bytes has room for, one at least.
    pub fn fitting(after: u32, max_payload: usize) -> ProcessesRequest {
        let room = max_payload.saturating_sub(Self::HEAD) / ProcessEntry::LEN;
        ProcessesRequest { after, count: room.clamp(1, PROCESSES_MAX) as u32 }
    }
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let least = Self::HEAD + ProcessEntry::LEN;
        if bytes.len() < least {
            return Err(PayloadError::Length { expected: least, actual: bytes.len() });
        }
        let request = ProcessesRequest { after: u32_at(bytes, 0), count: u32_at(bytes, 4) };
        if request.count == 0 || request.count as usize > PROCESSES_MAX {
            return Err(PayloadError::Range("count"));
        }
        if bytes.len() != request.payload_len() {
            return Err(PayloadError::Length { expected: request.payload_len(), actual: bytes.len() });
        }
        zero(&bytes[Self::HEAD..], "zero")?;
        Ok(request)
    }
    /// Bytes of the request and of its answer.
    pub fn payload_len(&self) -> usize {
        Self::HEAD + ProcessEntry::LEN * self.count as usize
    }
    /// Writes the request (no entries) or the answer, of as many of the entries as were asked for, into `to`, which must be
    /// `payload_len` bytes.
    pub fn emit(&self, entries: Option<&[ProcessEntry]>, to: &mut [u8]) {
        let told = entries.unwrap_or_default();
        let told = &told[..told.len().min(self.count as usize)];
        let number = entries.map_or(self.count, |_| told.len() as u32);
        to.fill(0);
        put(to, 0, &self.after.to_le_bytes());
        put(to, 4, &number.to_le_bytes());
        for (entry, to) in told.iter().zip(to[Self::HEAD..].chunks_exact_mut(ProcessEntry::LEN)) {
            entry.emit(to);
        }
    }
    /// Reads an answer to this request: its processes in order.
    pub fn parse_answer<'a>(
        &self,
        bytes: &'a [u8],
    ) -> Result<impl Iterator<Item = ProcessEntry> + 'a, PayloadError> {
        if bytes.len() != self.payload_len() {
            return Err(PayloadError::Length { expected: self.payload_len(), actual: bytes.len() });
        }
        let count = u32_at(bytes, 4);
        if u32_at(bytes, 0) != self.after || count > self.count {
            return Err(PayloadError::Range("count"));
        }
        let (told, rest) = bytes[Self::HEAD..].split_at(ProcessEntry::LEN * count as usize);
        zero(rest, "zero")?;
        let mut last = self.after;
        for entry in told.chunks_exact(ProcessEntry::LEN).map(ProcessEntry::parse) {
            let pid = entry?.pid;
            if pid <= last {
                return Err(PayloadError::Range("pid"));
            }
            last = pid;
        }
        // All of them have been read before: none is left out.
        Ok(told.chunks_exact(ProcessEntry::LEN).filter_map(|chunk| ProcessEntry::parse(chunk).ok()))
    }
}
