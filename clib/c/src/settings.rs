//! Settings of clients.
use crate::client::MnemeOptions;
use crate::error::{Code, Failure, Outcome, run};
use crate::trust;
use crate::versioned::{self, MOST_SIZE};
use mneme_clib::{ClientOptions, TransportConfig};
use std::time::Duration;

/// Timers and bounds of a client. Filled in by mneme_transport_defaults; settings that cannot be are answered
/// MNEME_INVALID by mneme_connect, which says what would work. All times are nanoseconds.
///
/// Later versions may add fields at the end: `size` tells those apart that a program knows.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MnemeTransport {
    /// Bytes of this structure as the program knows it.
    pub size: usize,
    /// Packets that have not been answered at most, and the bound of the congestion window: 1 to 65536.
    pub packets_in_flight: u32,
    /// Whether the congestion window may fall below one packet, so that packets are paced. Wrong where a long round
    /// trip is more likely a busy processor than a busy network.
    pub paces: bool,
    /// Bytes of answers to reads that may be on the way at most, 1 at least; one larger answer comes alone.
    pub incast_bytes: u64,
    /// A longer round trip counts as congestion, unless an eighth of the board's window is longer still.
    pub target_rtt_ns: u64,
    /// When a packet is sent again before the first round trip was measured; from the least to the most that follow.
    pub first_timeout_ns: u64,
    /// A packet is never sent again sooner.
    pub min_timeout_ns: u64,
    /// A packet is sent again after this at the latest, however often before.
    pub max_timeout_ns: u64,
    /// A BUSY answer delays the next attempt by no more; but after one that says that the board works on it, the
    /// answer is waited for as long as a page fault may wait.
    pub max_busy_wait_ns: u64,
    /// How long the board's tick is carried forward before the board is asked again; 0: an eighth of its window, which
    /// is right for simulated boards; a second at most.
    pub clock_trust_ns: u64,
}

/// Most packets in flight that may be asked for.
const MOST_PACKETS: u32 = 1 << 16;
/// In a second a clock of hardware, within 100 ppm of what the board advertises, is wrong by 100 µs: a few ticks.
const MOST_TRUST_NS: u64 = 1_000_000_000;
/// The least that `largest_payload` may be: one beat of a board's data path.
const LEAST_PAYLOAD: u16 = 64;

fn nanoseconds(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

impl MnemeTransport {
    fn usual() -> MnemeTransport {
        let usual = TransportConfig::default();
        MnemeTransport {
            size: size_of::<MnemeTransport>(),
            packets_in_flight: u32::try_from(usual.packets_in_flight).unwrap_or(MOST_PACKETS),
            paces: usual.paces,
            incast_bytes: usual.incast_bytes as u64,
            target_rtt_ns: nanoseconds(usual.target_rtt),
            first_timeout_ns: nanoseconds(usual.first_timeout),
            min_timeout_ns: nanoseconds(usual.min_timeout),
            max_timeout_ns: nanoseconds(usual.max_timeout),
            max_busy_wait_ns: nanoseconds(usual.max_busy_wait),
            clock_trust_ns: usual.clock_trust.map_or(0, nanoseconds),
        }
    }
    /// What a program has set; fields that it does not know are as usual.
    ///
    /// # Safety
    ///
    /// `given` is valid for as many bytes as it says.
    unsafe fn read(given: *const MnemeTransport) -> Outcome<MnemeTransport> {
        let flags = [("paces", std::mem::offset_of!(MnemeTransport, paces))];
        // SAFETY: the caller's promise.
        unsafe { versioned::read(given, MnemeTransport::usual(), "mneme_transport", &flags) }
    }
    fn config(&self, give_up: Duration) -> Outcome<TransportConfig> {
        let wrong = [
            (
                self.packets_in_flight == 0 || self.packets_in_flight > MOST_PACKETS,
                "packets_in_flight is 1 to 65536",
            ),
            (self.incast_bytes == 0, "incast_bytes is 1 at least"),
            (self.target_rtt_ns == 0, "target_rtt_ns is 1 at least"),
            (self.min_timeout_ns == 0, "min_timeout_ns is 1 at least"),
            (self.max_timeout_ns < self.min_timeout_ns, "max_timeout_ns is not less than min_timeout_ns"),
            (
                !(self.min_timeout_ns..=self.max_timeout_ns).contains(&self.first_timeout_ns),
                "first_timeout_ns is from min_timeout_ns to max_timeout_ns",
            ),
            (self.max_busy_wait_ns == 0, "max_busy_wait_ns is 1 at least"),
            (self.clock_trust_ns > MOST_TRUST_NS, "clock_trust_ns is 1,000,000,000 at most"),
        ];
        if let Some((_, rule)) = wrong.iter().find(|(wrong, _)| *wrong) {
            return Err(Failure::invalid(&format!("the transport's settings cannot be: {rule}")));
        }
        Ok(TransportConfig {
            packets_in_flight: self.packets_in_flight as usize,
            target_rtt: Duration::from_nanos(self.target_rtt_ns),
            paces: self.paces,
            incast_bytes: usize::try_from(self.incast_bytes).unwrap_or(usize::MAX),
            first_timeout: Duration::from_nanos(self.first_timeout_ns),
            min_timeout: Duration::from_nanos(self.min_timeout_ns),
            max_timeout: Duration::from_nanos(self.max_timeout_ns),
            give_up,
            max_busy_wait: Duration::from_nanos(self.max_busy_wait_ns),
            clock_trust: (self.clock_trust_ns != 0).then(|| Duration::from_nanos(self.clock_trust_ns)),
        })
    }
}

/// Writes the usual settings to `transport`, which fit sockets, boards in hardware and simulated ones that are a hundred
/// times slower. `size`: sizeof(mneme_transport).
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// `transport` is null or valid for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_transport_defaults(transport: *mut MnemeTransport, size: usize) -> Code {
    run(|| {
        if transport.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        if !(size_of::<usize>()..=MOST_SIZE).contains(&size) {
            return Err(Failure::invalid("the size is not sizeof(mneme_transport)"));
        }
        let usual = MnemeTransport { size, ..MnemeTransport::usual() };
        // SAFETY: not null, and the caller's promise; zeros behind what this version knows.
        unsafe {
            transport.cast::<u8>().write_bytes(0, size);
            let bytes = size.min(size_of::<MnemeTransport>());
            std::ptr::copy_nonoverlapping((&raw const usual).cast::<u8>(), transport.cast::<u8>(), bytes);
        }
        Ok(())
    })
}

impl MnemeOptions {
    /// What a program has set; null: as usual.
    ///
    /// # Safety
    ///
    /// `given` is null or valid for as many bytes as it says.
    pub(crate) unsafe fn read(given: *const MnemeOptions) -> Outcome<MnemeOptions> {
        // SAFETY: zeros are valid for numbers, null pointers and `false`.
        let usual: MnemeOptions = unsafe { std::mem::zeroed() };
        if given.is_null() {
            return Ok(usual);
        }
        let flags = [
            ("spin", std::mem::offset_of!(MnemeOptions, spin)),
            ("background", std::mem::offset_of!(MnemeOptions, background)),
        ];
        // SAFETY: the caller's promise.
        unsafe { versioned::read(given, usual, "mneme_options", &flags) }
    }
}

/// What a client is connected with.
///
/// # Safety
///
/// `transport` of what is given is null or valid for as many bytes as it says; the strings are null or end with a zero byte.
pub(crate) unsafe fn options(given: &MnemeOptions) -> Outcome<ClientOptions> {
    let mut options = ClientOptions::default();
    let give_up = match given.give_up_ns {
        0 => options.transport.give_up,
        ns => Duration::from_nanos(ns),
    };
    options.transport = if given.transport.is_null() {
        TransportConfig { give_up, ..options.transport }
    } else {
        // SAFETY: not null, and the caller's promise.
        unsafe { MnemeTransport::read(given.transport) }?.config(give_up)?
    };
    if (1..LEAST_PAYLOAD).contains(&given.largest_payload) {
        return Err(Failure::invalid("largest_payload is 64 at least, or 0 for the board's"));
    }
    options.largest_payload = (given.largest_payload != 0).then_some(given.largest_payload);
    options.integrity = trust::integrity(given.integrity)?;
    // SAFETY: the caller's promise.
    options.credentials = unsafe { trust::credentials(given) }?;
    options.background = given.background;
    if given.most_outstanding != 0 {
        options.most_outstanding = given.most_outstanding as usize;
    }
    if given.most_outstanding_bytes != 0 {
        options.most_outstanding_bytes = usize::try_from(given.most_outstanding_bytes).unwrap_or(usize::MAX);
    }
    Ok(options)
}
