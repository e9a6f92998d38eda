//! What a responder has seen, by reason. Nothing is dropped or refused without one of these.

macro_rules! counters {
    ($( #[doc = $doc:literal] $name:ident, $label:literal; )+) => {
        /// A reason or an event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Counter { $( #[doc = $doc] $name, )+ }

        impl Counter {
            /// All of them.
            pub const ALL: &'static [Counter] = &[$( Counter::$name, )+];
            /// The name, for tables.
            pub const fn name(self) -> &'static str { match self { $( Counter::$name => $label, )+ } }
        }
    };
}

counters! {
    /// SENDs done.
    Sends, "sends";
    /// WRITEs done.
    Writes, "writes";
    /// READs accepted.
    Reads, "reads";
    /// Atomics executed.
    Atomics, "atomics";
    /// SENDs and WRITEs that had been done, by packet; answered.
    DuplicateWrites, "duplicate writes";
    /// READs that were done again.
    DuplicateReads, "duplicate reads";
    /// Atomics whose result was told again.
    DuplicateAtomics, "duplicate atomics";
    /// Duplicates of READs and atomics that are not remembered, or are others than those; dropped.
    DuplicateForgotten, "duplicates forgotten";
    /// Duplicates that are no sound packet; dropped.
    DuplicateMalformed, "duplicates malformed";
    /// No whole base transport header, or another version; dropped.
    Malformed, "malformed";
    /// Not of a reliable connection; dropped.
    OtherTransport, "other transport";
    /// A response, which no responder asked for; dropped.
    Response, "responses";
    /// A congestion notification.
    CongestionNotified, "congestion notified";
    /// No such queue pair; dropped.
    UnknownQueuePair, "unknown queue pair";
    /// Not from the peer's address; dropped.
    WrongSource, "wrong source";
    /// Another partition; dropped.
    WrongPartition, "wrong partition";
    /// The queue pair has ended in an error; dropped.
    QueuePairError, "queue pair in error";
    /// A packet is missing: refused with 0x60.
    Gap, "gap";
    /// Behind a gap that was told already; dropped.
    AheadOfGap, "ahead of gap";
    /// Behind a packet that is to come again; dropped.
    AheadOfNotReady, "ahead of not ready";
    /// Refused with 0x61: opcode that is not served.
    Opcode, "opcode";
    /// Refused with 0x61: headers cut off, pad or payload that cannot be.
    Layout, "layout";
    /// Refused with 0x61: the packet is not the next of its message.
    Order, "order";
    /// Refused with 0x61: a payload that its place in the message cannot have.
    Length, "length";
    /// Refused with 0x61: more or fewer bytes than the message's first packet told, or than any message may have.
    Total, "total";
    /// Refused with 0x61: an atomic operation across a word's ends.
    Alignment, "alignment";
    /// Refused with 0x61: a SEND that is longer than its buffer.
    ReceiveLength, "receive too short";
    /// Refused with 0x61: the memory takes no such message.
    Message, "message";
    /// Refused with 0x62: no region has the key.
    Key, "key";
    /// Refused with 0x62: another process's region.
    Process, "process";
    /// Refused with 0x62: past the region's ends.
    Range, "range";
    /// Refused with 0x62: the region may not be used so.
    Right, "right";
    /// Refused with 0x62: the memory itself denies the access.
    MemoryDenied, "memory denied";
    /// Refused with 0x63: the memory failed.
    MemoryFailed, "memory failed";
    /// Not ready: the memory.
    MemoryNotReady, "memory not ready";
    /// Not ready: no buffer for a SEND or an immediate.
    NoReceive, "no receive";
    /// Not ready: no place for another READ or atomic.
    QueueFull, "queue full";
    /// A hardened queue pair was sent what would have ended another one; dropped.
    Hardened, "hardened";
    /// Acknowledges sent.
    Acknowledges, "acknowledges";
    /// READ responses sent, by packet.
    ReadResponses, "read responses";
    /// Congestion notifications sent.
    Notifications, "notifications";
    /// Rates that a congestion notification has lowered.
    RateCuts, "rate cuts";
    /// Answers that waited until their queue pair's rate let them go.
    Held, "held";
}

/// Counts by [`Counter`]; they stop at the last of 64 bits.
#[derive(Debug, Clone)]
pub struct Counters([u64; Counter::ALL.len()]);

impl Default for Counters {
    fn default() -> Counters {
        Counters([0; Counter::ALL.len()])
    }
}

impl Counters {
    /// One count.
    pub fn get(&self, counter: Counter) -> u64 {
        self.0[counter as usize]
    }
    /// Those that are not 0, with their names.
    pub fn seen(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Counter::ALL.iter().map(|c| (c.name(), self.get(*c))).filter(|(_, count)| *count > 0)
    }
    pub(super) fn add(&mut self, counter: Counter) {
        let count = &mut self.0[counter as usize];
        *count = count.saturating_add(1);
    }
}
