//! Every error that a caller can see, declared once: its stable id, what it means and what to do. `docs/reference/errors.md`, the
//! C codes and their texts are made of this table, which needs nothing of this crate: what writes the page is built without it.

macro_rules! errors {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $number:literal, $title:literal, $cause:literal, $remedy:literal; )+) => {
        /// The stable id of an error: `MNM-` and four digits, the same in every language. Numbers are never given to
        /// another error.
        ///
        /// ```
        /// use mneme_clib::ErrorId;
        ///
        /// assert_eq!(ErrorId::Unmapped.to_string(), "MNM-0008");
        /// println!("{}", ErrorId::Unmapped.remedy());
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[non_exhaustive]
        pub enum ErrorId { $( $(#[doc = $doc])+ $variant = $number, )+ }

        impl ErrorId {
            /// Every id, in the order of the numbers.
            pub const ALL: &'static [ErrorId] = &[$( ErrorId::$variant, )+];
            /// A few words: what went wrong.
            pub const fn title(self) -> &'static str {
                match self { $( ErrorId::$variant => $title, )+ }
            }
            /// What it means, and whether memory can have changed.
            pub const fn cause(self) -> &'static str {
                match self { $( ErrorId::$variant => $cause, )+ }
            }
            /// What to do about it.
            pub const fn remedy(self) -> &'static str {
                match self { $( ErrorId::$variant => $remedy, )+ }
            }
        }
    };
}

errors! {
    /// A null pointer, or text that is not UTF-8, or buffers that overlap (C interface), or settings that cannot be.
    Invalid = 1, "invalid argument", "An argument of a C function was null where a value is needed, was not UTF-8, named buffers of one read that overlap, or was a setting, a share or a name that cannot be. Or a client was to have credentials, and packets without tags, so that nobody would prove anything. Nothing was sent.", "Pass what the function's comment in mneme.h asks for. Take credentials and `Integrity::Tag`, or neither.";
    /// No answer.
    Unreachable = 2, "the board does not answer", "No answer came to any of the last attempts until the retry bound: the board is not there, or the network loses everything. A write or atomic may have taken effect once; the error says which.", "Look whether the board runs, whether it listens at this address and port, and whether a firewall lets UDP through; `mneme doctor --board HOST[:PORT]` tries each way to it. After an effect that is only possible, read before you write again.";
    /// BUSY until the retries were spent.
    Busy = 3, "the board stayed busy", "The board answered BUSY, with the cause that the error names, to every attempt until the retry bound.", "Try again later; ask for less at a time; raise `give_up` where waiting is right.";
    /// Damaged on the way.
    Damaged = 4, "every attempt reached the board damaged", "The board saw frames with wrong checksums until the retry bound.", "Look at the link's error counters, cable and optics, and at the checksum offload of the network card.";
    /// The window closed.
    Expired = 5, "the time window closed: outcome unknown", "No answer came within the board's time window, so whether the operation took effect (once, or not at all) cannot be known any more.", "Read what should have changed, then decide. Losses this long point to an overloaded network or client.";
    /// Another boot of the board.
    Restarted = 6, "the board restarted: memory and processes are gone", "The board is in another epoch than when the process was opened.", "Open a new process and fill its memory again.";
    /// Another wire version.
    Version = 7, "the board speaks another wire version", "Client and board were built from releases whose packets differ. Nothing was changed.", "Bring both to releases with the same wire version.";
    /// Nothing is allocated there.
    Unmapped = 8, "address not allocated", "No allocation of the process covers the address that the error names. Nothing was changed there; earlier packets of a large request may have been.", "Use addresses that `ralloc` answered, before `rfree`, in the process that allocated them.";
    /// Rights, or another's process.
    Denied = 9, "access denied", "The memory's rights do not allow the access, or the token does not belong to the process.", "Change the rights with `rprotect`, or join with the opener's token.";
    /// The board is full.
    NoMemory = 10, "out of remote memory", "The board has no memory, address slot or process left for the request; the error tells what would work.", "Free memory, ask for less, or use a larger board.";
    /// The tenant's share is spent.
    Quota = 11, "quota exhausted", "The tenant has as much as it may have, though the board has more.", "Free memory, or have the quota raised.";
    /// A fixed address that is taken.
    Address = 12, "the fixed address cannot be had", "The address asked for is taken, in use a moment ago, or has no free slot; the error tells one that would work.", "Ask for another address, or for none.";
    /// Freed something else than was allocated.
    NotAllocated = 13, "no allocation begins at this address", "`rfree` takes the address that `ralloc` answered, once. Nothing was freed.", "Look for a double free, or for an address inside an allocation.";
    /// Rights of shared pages.
    SharedPage = 14, "the allocation shares its page", "Rights are changed page by page, and small allocations share pages.", "Allocate with `own_pages`.";
    /// Somebody else holds the lock.
    LockTimeout = 15, "lock not free in time", "The lock's word was held by another token for longer than the timeout.", "Wait for longer; look for a holder that died (its word stays until somebody clears it).";
    /// The lock's word changed.
    LockLost = 16, "lock word overwritten", "The word does not hold the token that locked it.", "Look for writes over the lock's word.";
    /// Too many calls outstanding.
    QueueFull = 17, "too many asynchronous calls outstanding", "As many calls or bytes as `ClientOptions` allow have not ended, or their results were not taken. The call was not made.", "Take results, or set larger bounds.";
    /// The system refused.
    Driver = 18, "the driver cannot go on", "The operating system refused to send or receive; the error has its reason, and names the board and the operation. Reads have no effect, and neither have writes and atomics of which no packet left; others may have taken effect, which the error says.", "Follow the system's reason; then call again, or connect anew. After an effect that is only possible, read before you write again.";
    /// Another refusal.
    Refused = 19, "refused by the board", "The board refused with the status and cause that the error names. Nothing was changed.", "Look the cause up in docs/reference/wire.md.";
    /// A fault of the library.
    Internal = 20, "internal fault", "The library caught a panic of its own; standard error has the place.", "Report it. The client's state is sound, but the call's effect is unknown.";
    /// Held back by an earlier call.
    Held = 21, "held back by an earlier call whose outcome is unknown", "The board answers, but a late copy of an earlier write or atomic may still be executed, and no later call may overtake it. Nothing was sent for this one.", "Call again after the time that the error names, or raise `give_up` above the board's window.";
    /// No bytes.
    ZeroSize = 22, "zero bytes", "An allocation or an access of no bytes. Nothing was sent.", "Ask for one byte at least.";
    /// Past 48 bits.
    AddressRange = 23, "past the end of the address space", "The range leaves the 48-bit address space. Nothing was sent.", "Look for an address computed wrongly.";
    /// Atomics need aligned words.
    Unaligned = 24, "not a multiple of 8", "Atomics and locks work on aligned 8-byte words. Nothing was sent.", "Align the word; `ralloc` answers multiples of 16.";
    /// Not the beginning of a page.
    NotAPage = 25, "not the beginning of a page", "The call works on whole pages of the board. Nothing was sent.", "Use a multiple of the page size.";
    /// Larger than the address space.
    TooLarge = 26, "larger than the address space", "No allocation can have more than 2^48 bytes. Nothing was sent.", "Ask for less.";
    /// No pid.
    BadPid = 27, "no process id", "Process ids are 1 to 0xffffff. Nothing was sent.", "Use the id that `open` answered, or none.";
    /// Writes that overlap.
    Overlap = 28, "writes of one batch overlap", "The writes of one call are under way together and have no order. Nothing was sent.", "Make the ranges disjoint, or use several calls.";
    /// Polled after its end.
    Taken = 29, "the result was taken already", "A future was polled after it had given its result.", "Poll it until it is ready, once.";
    /// Does not fit the path.
    DatagramTooLarge = 30, "a packet does not fit the path", "A packet is longer than the path's MTU allows, which the error names, and cannot be cut shorter: it carries a word or a request of the slow path, or is a write that left before the MTU fell and whose answer did not come. Nothing was changed, unless the error says that it may have been: then the write had left.", "Raise the MTU on the way, or make the call again: reads and writes made from now on are cut to fit. After an effect that is only possible, read before you write again.";
    /// The board in this process is gone.
    Ended = 31, "the board has ended", "The board in this process, or the driver's other end, is gone.", "Start it again and connect anew.";
    /// The board's memory failed.
    MemoryError = 32, "the board's memory failed", "A parity error in the page table, or an error of the memory controller (then a write may have taken effect in part).", "Look at the board's counters (`mneme stat`); its memory may be failing.";
    /// Not served.
    Unsupported = 33, "the board does not serve this", "The board does not know the operation, or an option of it. Nothing was changed.", "Use a board whose release knows it.";
    /// An id used twice.
    Conflict = 34, "another client uses the same operation ids", "The board knows the operation's id with another content: two clients share a source address, port and seed.", "Let each client draw its own seed and port.";
    /// Lives elsewhere.
    Moved = 35, "the memory has moved", "The page lives on another board now, which the error names if the old one knows it, and this client does not have that board; or boards send the client to and fro. Nothing was changed.", "Add that board to the client with `Client::add_lane`, then make the call again.";
    /// Typed remote memory of another size or alignment.
    NotThisType = 36, "not memory of this type", "The address or length does not fit the type: typed memory begins at a multiple of the type's alignment.", "Allocate it with `RemoteBox` or `RemoteSlice`.";
    /// Past the end of a remote slice.
    OutOfBounds = 37, "outside of the remote slice", "The place or count lies past the slice's last value. Nothing was sent.", "Stay below `len`.";
    /// No such interface.
    NoInterface = 38, "no such network interface", "A raw driver was to use an interface that this machine does not have; the error lists those that it has. Nothing was sent.", "Name one of them (`--interface`, `Route::interface`), or none: then the system's own route decides.";
    /// The interface is down.
    InterfaceDown = 39, "the network interface is down", "A raw driver was to open on an interface that is not up. Nothing was sent.", "Bring it up with `ip link set NAME up`.";
    /// No Ethernet.
    NotEthernet = 40, "not an Ethernet interface", "Raw drivers build Ethernet frames, which this interface (loopback, a tunnel) does not carry. Nothing was sent.", "Name another interface, or take the driver udp.";
    /// No IPv4 address.
    NoAddress = 41, "the interface has no IPv4 address", "A raw driver needs an address to send from, and the interface has none. Nothing was sent.", "Give it one with `ip addr add`, or name the address to use (`--source`, `Route::source`).";
    /// No way to the board.
    NoRoute = 42, "no route to the board", "The board is on none of the interface's subnets and there is no gateway, or the system's routing table has no way to it. Nothing was sent.", "Name the gateway (`--gateway`, `Route::gateway`) or another interface; `ip route get ADDRESS` tells what the system would do.";
    /// A privilege is missing.
    NotPermitted = 43, "the driver lacks a privilege", "Raw drivers need the capabilities that the error names; for a UDP socket, a firewall of this machine may refuse to let packets out.", "Run as root, or give the program the capabilities with `setcap`, or take the driver udp; look at the firewall's rules for output.";
    /// The MTU is too small.
    MtuTooSmall = 44, "the interface's MTU is too small", "The interface carries packets that are too short to be of use; the error tells what is needed. Nothing was sent.", "Raise it with `ip link set NAME mtu BYTES`.";
    /// The kernel or the interface cannot do it.
    DriverUnsupported = 45, "the driver does not work here", "The kernel or the interface lacks what the driver needs; the error tells what. Nothing was sent.", "Take another driver; `--driver auto` takes one that works; `mneme doctor` tries all of them.";
    /// Somebody else has the interface.
    InterfaceTaken = 46, "the interface is taken", "AF_XDP has an interface for itself: another client, or another XDP program, is on it. Nothing was sent.", "Let one client use it for all its threads, take the driver tpacket or udp, or another interface.";
    /// Several receive queues.
    SeveralQueues = 47, "the interface has several receive queues", "The driver afxdp serves one receive queue, and what arrives on the others would be lost. Nothing was sent.", "Set one with `ethtool -L NAME combined 1`, or take the driver tpacket or udp.";
    /// The port or address belongs to somebody else.
    PortTaken = 48, "the UDP port or address cannot be had", "The address to send from is not this machine's, or its port belongs to another program. Nothing was sent.", "Name another source, or none: then a free port is taken.";
    /// The interface is gone.
    InterfaceGone = 49, "the interface was removed", "The interface went away while the driver used it. What was under way may have taken effect.", "Connect anew once it is there again.";
    /// The board's name.
    BadAddress = 50, "the board's address cannot be resolved", "It is not of the form HOST[:PORT], or nobody knows the name. Nothing was sent.", "Write it as 10.0.0.2 or 10.0.0.2:19790 (19790 is the port where none is named), or look at the name service.";
    /// Boards speak IPv4 alone.
    NotIpv4 = 51, "boards need an IPv4 address", "The board's address is an IPv6 one, or its name stands for nothing else. Nothing was sent.", "Name the board by its IPv4 address, or by a name that has one.";
    /// A bound of the system.
    SystemLimit = 52, "a limit of the system is reached", "There are no more open files, locked memory or buffers than this process has already, or than the system has.", "Raise the bound that the system's reason names (`ulimit -n` for open files, `ulimit -l` for locked memory), or use fewer clients.";
    /// The lease ran out.
    Reclaimed = 53, "the board has reclaimed the process", "The process's lease ran out: the client was stopped, or heard nothing of the board, for longer than that. Its memory is gone. Nothing was changed by this call.", "Open a new process and fill its memory again; ask for a longer lease where clients are stopped for long.";
    /// Cancelled by its caller.
    Cancelled = 54, "the call was cancelled", "The program has cancelled the call before it had ended. Of a write or atomic that had left, the error says that it may have been executed.", "Read before you write again where the effect is possible.";
    /// Its time is over.
    Deadline = 55, "the call's deadline has passed", "The call had not ended within the time that it was given (`Process::within`, `Client::within`): the board is slow or away, or earlier calls had to be waited for.", "Give it more time, or find out with `mneme ping` whether the board answers; read before you write again where the effect is possible.";
    /// Too many boards.
    TooManyLanes = 56, "a client has no place for another board", "A client has 16 boards at most. Nothing was sent to this one but a ping.", "Use another client for further boards.";
    /// The same board twice.
    SameBoard = 57, "the client has this board already", "A board was added whose identity and boot are those of one that the client has: it would have two windows of the same memory.", "Use the number that the error names.";
    /// No such board.
    NoSuchLane = 58, "the process has no such board", "A board was asked for by a number that the client does not have, or on which the process is not: a process is on the boards that its client had when it was opened. Nothing was sent.", "Add the board with `Client::add_lane` before the process is opened.";
    /// A board that the client does not have.
    UnknownBoard = 59, "the process is on a board that this client does not have", "A process on several boards was to be joined, and the client has not all of them.", "Add the board whose id the error names with `Client::add_lane`, then join again.";
    /// Nothing but hints.
    Unproven = 60, "no answer proves anything", "Every attempt was answered without the trailer that belongs there: UNAUTHENTICATED, if the board has other keys than this client; STALE, if it has restarted; or somebody else answers in its place. Without a tag that proves nothing. A write or atomic may have taken effect once; the error says which.", "Open a new process, which proves what the board is; look whether something between client and board changes addresses or ports (NAT), which trailers cover.";
    /// The board serves only requests with tags.
    TagsWanted = 61, "the board wants tags", "The board answers UNAUTHENTICATED: it asks for a tag under the process's key, and the request had none. Nothing was changed.", "Make yourself a key (`mneme tenant keygen`), have the board's keeper add it, and pin the board's (`mneme tenant pin`): commands take tags then. Programs give `ClientOptions::integrity` and `credentials`.";
    /// The board has no trailers.
    NoTrailers = 62, "the board has no trailers", "The client's packets have a CRC-32C or a tag, and the board knows neither: an RTL board of another configuration than `tags`, a bitstream built without trailers, or a board that listens on all addresses. Nothing was changed.", "Take another board, let it listen on one address, or do without (`ClientOptions::integrity`, `mneme --integrity none`).";
    /// The driver does not know what trailers cover.
    NoAddresses = 63, "the driver does not tell its addresses", "Trailers are asked for. They cover addresses and ports, which this driver does not know (`Driver::addresses`). Nothing was sent.", "Take another driver, or do without trailers.";
    /// No credentials.
    NoCredentials = 64, "the client has no credentials", "A process with tags was to be opened, and the client has no key of its own (`ClientOptions::credentials`). Nothing was sent.", "Make a key (`mneme tenant keygen`) and let the board's keeper add its public half. Give the client the secret one (`--identity FILE`).";
    /// The board's key is not known.
    UnknownBoardKey = 65, "no key of the board is known", "The client knows no public key of this board: whoever answers at its address could be anybody. No process was opened.", "Ask the board's keeper for its public key over a way that you trust, and name it (`Credentials::board`, `--board-key KEY`).";
    /// The board has none.
    NoBoardKey = 66, "the board has no key", "The board says that it has no key of its own, so it opens no process by a handshake. No process was opened.", "Start the board with a key, or take no tags (`--integrity crc32c`). If the board has one, somebody else answers in its place.";
    /// The board has another key.
    WrongBoardKey = 67, "the board has another key", "The board says that it has another public key than the client knows: its keeper has changed it, another board has its address, or somebody pretends to be it. No process was opened.", "Ask the board's keeper over a way that you trust. Name the new key only when he confirms it.";
    /// The handshake failed.
    Handshake = 68, "the board has not proven who it is", "The answer to OPEN was damaged, forged, or made by a board that does not have the key that it says. The board may have opened a process, which ends with its lease.", "Try again; if that fails, too, look for who answers in the board's place.";
    /// The board does not know the tenant.
    UnknownTenant = 69, "the board does not let this tenant in", "The board answers UNAUTHENTICATED to the handshake: it does not know the client's public key, or has revoked it; or it has another key than the client took it to have. No process was opened.", "Let the board's keeper add the public key (`mneme tenant`); look whether the board's own key is still the one that you know.";
    /// The client takes the board's tick for another one than it is.
    ClockOff = 70, "the board's clock is another one", "The handshake names the board's tick, and the board refuses it as too old or too far ahead, also after the client has asked for the tick again: somebody answers pings in its place, or the network delays packets for longer than the slow path's window. No process was opened.", "Try again; look for who answers in the board's place.";
    /// Its process has been ended.
    Exited = 71, "this client has ended the process", "A call was made through a handle of a process (`Process::within`, `RemoteBox`, a pending call) that this client has ended with `exit`, or has asked to end without hearing the answer. The process's number may be another process's by now, so nothing was sent.", "Open another process. If `exit` has failed, call it again: until it has ended well, nothing else is sent for the process.";
    /// The client is the parent process's.
    Forked = 72, "the client was made before a fork", "The program has called `fork`, and the child uses a client, or something of it, that the parent has made. They would share a socket, and boards would take operations of the one for repetitions of the other's. Nothing was sent.", "Connect in the child, and join the process there if both need its memory (`Client::join`).";
}

impl ErrorId {
    /// The number: also that of the C code.
    pub const fn number(self) -> u16 {
        self as u16
    }
}

impl std::fmt::Display for ErrorId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MNM-{:04}", self.number())
    }
}
