//! What the model charges, and from where each number is.

/// Picoseconds of virtual time.
pub type Picos = u64;

/// Costs of a port at 250 MHz between a 100 Gbit/s line and a memory of 64 bytes a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// A cycle.
    pub cycle: Picos,
    /// A byte on a line.
    pub byte: Picos,
    /// Cycles from a packet's last beat to the engine (`RoceReceive`, measured by its bench).
    pub receive: u64,
    /// Cycles of the engine for a request packet beside its accesses (states of `RoceResponder`: idle, load, judge, act, write or access,
    /// store).
    pub request: u64,
    /// Cycles of the engine for the end of a WRITE that it has handed over (idle, load, ended, retire, store). An acknowledge is charged as a
    /// packet that is sent, though `RoceResponder` sends it within these where nothing is in front of it.
    pub ended: u64,
    /// Cycles of the engine for a packet that it sends (pick, entry, check, answer, emit, store).
    pub answer: u64,
    /// Cycles from a departure to its frame's first beat (`RoceTransmit`, measured by its bench, the longer of two).
    pub transmit: u64,
    /// Beats of data that may wait for the line when another packet is made (`RoceConfig.AHEAD`).
    pub ahead: u64,
    /// Cycles from an address to the memory's first beat, and from a write's last beat to its response.
    pub memory: u64,
    /// The engine hands an access over and takes the next packet, and answers when the access has ended, as `RoceResponder` does with
    /// WRITEs. Else it waits for it: one thing at a time.
    pub overlaps: bool,
    /// Reads and writes share the memory's beats, as one DRAM channel's do. Else each has its own, as AXI's channels and the memories of the
    /// hardware's benches have.
    pub shared: bool,
    /// The way from one end's line to the other's, one way: switch, cables, and what the client's card takes.
    pub way: Picos,
}

impl Costs {
    /// Memory that answers in the next cycle, as the design's goals have it, and nothing for clients and the way: all that both sides of
    /// a comparison would have in common is left out, which makes differences larger.
    pub const GOALS: Costs = Costs {
        cycle: 4_000,
        byte: 80,
        receive: 4,
        request: 6,
        ended: 5,
        answer: 6,
        transmit: 6,
        ahead: 64,
        memory: 1,
        overlaps: true,
        shared: false,
        way: 0,
    };
    /// An engine that waits for each access.
    pub const WAITS: Costs = Costs { overlaps: false, ..Costs::GOALS };
    /// One channel of memory that takes 100 ns, as DDR4 behind a controller does.
    pub const SLOW: Costs = Costs { memory: 25, shared: true, ..Costs::GOALS };

    /// The time on the line of what may wait for it.
    pub const fn ahead(&self) -> Picos {
        64 * self.ahead * self.byte
    }
    /// The time of cycles.
    pub const fn cycles(&self, cycles: u64) -> Picos {
        cycles * self.cycle
    }
    /// The time on a line of a packet from its base transport header up to the ICRC: Ethernet, IPv4, UDP, ICRC and FCS, preamble and gap,
    /// and no frame is shorter than 64 bytes.
    pub const fn line(&self, packet: usize) -> Picos {
        self.wire(packet) * self.byte
    }
    /// Bytes of the same.
    pub const fn wire(&self, packet: usize) -> u64 {
        let frame = 14 + 20 + 8 + packet as u64 + 4 + 4;
        (if frame < 64 { 64 } else { frame }) + 20
    }
}
