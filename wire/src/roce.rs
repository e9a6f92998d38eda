//! The RoCEv2 port of a board as the slow path sees it: a block of registers through which it makes queue pairs and regions, one at
//! a time, and what the port counts (`docs/reference/rdma-port.md`). Boards without the port have none of it.
use crate::declare::{constants, declare};

constants! {
    /// What the registers below are made of.
    CONSTANTS {
        #[doc = "Value of the ROCE_MAGIC register: \"MNRP\"."] ROCE_MAGIC = 0x5052_4e4d;
        #[doc = "Offset, within the board's register block, of the RoCEv2 port's."] ROCE_BASE = 0xc00;
        #[doc = "Bytes of the RoCEv2 port's register block."] ROCE_BYTES = 0x200;
        #[doc = "Offset, within the block, of the first counter; counter *i* is the word at ROCE_COUNTERS + 4 × i."] ROCE_COUNTERS = 0x100;
        #[doc = "Queue pairs below are software's, management among them: a board gives their frames to its slow path, those of all others to the port."] ROCE_QPN_FIRST = 0x1000;
        #[doc = "ROCE_RIGHTS: READ."] ROCE_RIGHT_READ = 1;
        #[doc = "ROCE_RIGHTS: WRITE."] ROCE_RIGHT_WRITE = 2;
        #[doc = "ROCE_RIGHTS: atomics."] ROCE_RIGHT_ATOMIC = 4;
        #[doc = "ROCE_OPTIONS: what would end the queue pair is dropped instead."] ROCE_HARDENED = 0x100;
        #[doc = "ROCE_OPTIONS: it takes SEND FREE of pages of 4 KB of one segment; without a leaf unit it has no effect."] ROCE_FREES = 0x200;
        #[doc = "Ranges of a FREE, at most; each has 16 bytes: address and pages, little-endian."] ROCE_FREE_RANGES = 64;
        #[doc = "Pages of all ranges of a FREE together, at most, so that others wait for a bounded time."] ROCE_FREE_PAGES = 512;
        #[doc = "ROCE_STATE: the queue pair has ended in an error."] ROCE_IN_ERROR = 1;
        #[doc = "ROCE_STATE: packets of a WRITE have come, and more are to come."] ROCE_RUNNING = 2;
        #[doc = "ROCE_STATE: something is still to be answered."] ROCE_UNANSWERED = 4;
        #[doc = "Rates of answers are in bytes a period of so many cycles (8.192 µs at 250 MHz). A power of two."] ROCE_RATE_PERIOD = 2048;
        #[doc = "The highest rate, at which a queue pair sends as it can: 64 bytes a cycle, less one byte a period."] ROCE_RATE_LINE = 0x1_ffff;
        #[doc = "The lowest rate: 125 Mbit/s. A response of 4 KB takes 33 periods."] ROCE_RATE_LEAST = 128;
        #[doc = "By so much the target of a rate grows in additive increase: 40 Mbit/s."] ROCE_RATE_ADDITIVE = 41;
        #[doc = "The same in hyper increase: 400 Mbit/s."] ROCE_RATE_HYPER = 410;
        #[doc = "Periods without a notification after which a rate grows and alpha decays: 57 µs."] ROCE_RATE_TIMER = 7;
        #[doc = "Log2 of the units of 256 bytes after which a rate grows, too: 8 MiB."] ROCE_RATE_BYTES_LOG = 15;
        #[doc = "Increases of either kind with which fast recovery ends."] ROCE_RATE_STAGES = 5;
        #[doc = "Bits of alpha's fraction; alpha moves by 1/256 of the way."] ROCE_RATE_ALPHA_BITS = 15;
        #[doc = "Bytes that a packet counts besides its payload: its headers, ICRC and what the wire needs."] ROCE_RATE_HEADERS = 96;
    }
}

declare! {
    /// Byte offsets in the RoCEv2 port's register block. RO: writes are ignored.
    RoceRegister: u32 {
        #[doc = "RO. The constant ROCE_MAGIC."] Magic = 0x00, "ROCE_MAGIC";
        #[doc = "RO. log2 of the queue pairs in bits 7:0, of the regions in bits 15:8. A queue pair's place is the low bits of its number, a region's those of its key."] Sizes = 0x04, "ROCE_SIZES";
        #[doc = "WO. A RoceCommand number: does it with the registers below. While ROCE_RESULT is PENDING, writes to this block are ignored."] Command = 0x08, "ROCE_COMMAND";
        #[doc = "RO. How the last command ended: a RoceResult number."] Result = 0x0c, "ROCE_RESULT";
        #[doc = "RW. The queue pair, 24 bits; on a board from ROCE_QPN_FIRST on."] Qpn = 0x10, "ROCE_QPN";
        #[doc = "RW. The peer's number of it, 24 bits."] PeerQpn = 0x14, "ROCE_PEER_QPN";
        #[doc = "RW. The peer's IPv4 address: packets of others are dropped."] PeerIp = 0x18, "ROCE_PEER_IP";
        #[doc = "RW. The MAC address to which answers go, low word."] PeerMacLow = 0x1c, "ROCE_PEER_MAC_LOW";
        #[doc = "RW. The same, high 16 bits."] PeerMacHigh = 0x20, "ROCE_PEER_MAC_HIGH";
        #[doc = "RW. UDP source port of answers in bits 15:0, partition key in bits 31:16."] PortPkey = 0x24, "ROCE_PORT_PKEY";
        #[doc = "RW. The process of the queue pair or region, 24 bits."] Pid = 0x28, "ROCE_PID";
        #[doc = "RW. The number of the first packet that comes, 24 bits."] Psn = 0x2c, "ROCE_PSN";
        #[doc = "RW. Path MTU in bits 2:0, 1 (256 bytes) to 5 (4,096); ROCE_HARDENED; ROCE_FREES, then the pages are ROCE_VA and ROCE_LENGTH, whole ones."] Options = 0x30, "ROCE_OPTIONS";
        #[doc = "RW. The region's key."] Key = 0x34, "ROCE_KEY";
        #[doc = "RW. The region's first address, low word."] VaLow = 0x38, "ROCE_VA_LOW";
        #[doc = "RW. The same, high 16 bits."] VaHigh = 0x3c, "ROCE_VA_HIGH";
        #[doc = "RW. The region's bytes, low word."] LengthLow = 0x40, "ROCE_LENGTH_LOW";
        #[doc = "RW. The same, high 16 bits."] LengthHigh = 0x44, "ROCE_LENGTH_HIGH";
        #[doc = "RW. What the region may be used for: the ROCE_RIGHT_ constants."] Rights = 0x48, "ROCE_RIGHTS";
        #[doc = "RO. Of the last QUERY that was DONE: the number of the next packet that is expected."] Expected = 0x4c, "ROCE_EXPECTED";
        #[doc = "RO. Of the same: messages done, 24 bits, wrapping."] Msn = 0x50, "ROCE_MSN";
        #[doc = "RO. Of the same: ROCE_IN_ERROR, ROCE_RUNNING, ROCE_UNANSWERED; READs and atomics to be answered in bits 15:8."] State = 0x54, "ROCE_STATE";
        #[doc = "RO. READs and atomics of all queue pairs that are still to be answered."] Jobs = 0x58, "ROCE_JOBS";
        #[doc = "RW. Of a queue pair with ROCE_FREES: the segment's number."] FreeSegment = 0x5c, "ROCE_FREE_SEGMENT";
        #[doc = "RW. Of the same: which page of the segment is the one at ROCE_VA."] FreePage = 0x60, "ROCE_FREE_PAGE";
        #[doc = "RW. Of a queue pair: bytes that its READs' and atomics' answers send in a period at most, from ROCE_RATE_LEAST on; 0: as can. Its rate under congestion is never over it."] Rate = 0x64, "ROCE_RATE";
    }
}

declare! {
    /// What the slow path tells the RoCEv2 port to do.
    RoceCommand: u32 {
        #[doc = "Makes a queue pair that is ready to receive."] CreateQueuePair = 1, "CREATE_QUEUE_PAIR";
        #[doc = "Ends a queue pair. What it has not answered stays unanswered."] DestroyQueuePair = 2, "DESTROY_QUEUE_PAIR";
        #[doc = "Puts a queue pair into error: it stays silent."] EndQueuePair = 3, "END_QUEUE_PAIR";
        #[doc = "Fills ROCE_EXPECTED, ROCE_MSN and ROCE_STATE."] QueryQueuePair = 4, "QUERY_QUEUE_PAIR";
        #[doc = "Makes a region under ROCE_KEY."] CreateRegion = 5, "CREATE_REGION";
        #[doc = "Gives a region up. READs of it under way are refused."] RemoveRegion = 6, "REMOVE_REGION";
    }
}

declare! {
    /// How a command to the RoCEv2 port ended.
    RoceResult: u32 {
        #[doc = "It has not ended; after a reset: the tables are being emptied."] Pending = 0, "PENDING";
        #[doc = "Done."] Done = 1, "DONE";
        #[doc = "There is no such queue pair, or region."] Unknown = 2, "UNKNOWN";
        #[doc = "The place is taken."] Taken = 3, "TAKEN";
        #[doc = "The queue pair's number is 0 or 1, those of management."] Number = 4, "NUMBER";
        #[doc = "No such path MTU."] PathMtu = 5, "PATH_MTU";
        #[doc = "The region goes past the last address."] Range = 6, "RANGE";
        #[doc = "No such command."] Command = 7, "COMMAND";
        #[doc = "A rate below ROCE_RATE_LEAST, or over ROCE_RATE_LINE."] Rate = 8, "RATE";
    }
}

declare! {
    /// What happens to a packet of RoCEv2, 32 bits each; they wrap. Every frame that comes to the port is counted once by the receive side: as
    /// handed on, or by the first of the reasons, in their order, for which it is dropped. So is every frame that leaves. Behind TX_DAMAGED: what
    /// the responder did about the packets that were handed on; the golden model (`mneme_rdma::responder`) counts the same under the same names.
    RoceCounter: u32 {
        #[doc = "Sound packets handed on."] RxPackets = 0, "RX_PACKETS";
        #[doc = "Packets with a right ICRC handed on whose headers, pad or payload cannot be: whoever serves the queue pair refuses them."] RxMalformed = 1, "RX_MALFORMED";
        #[doc = "Dropped: the MAC reported damage."] DropDamaged = 2, "DROP_DAMAGED";
        #[doc = "Dropped: under 58 bytes, which a base transport header and an ICRC need."] DropShort = 3, "DROP_SHORT";
        #[doc = "Dropped: over 4,224 bytes."] DropGiant = 4, "DROP_GIANT";
        #[doc = "Dropped: not our MAC address."] DropForeignMac = 5, "DROP_FOREIGN_MAC";
        #[doc = "Dropped: not IPv4."] DropForeignEthertype = 6, "DROP_FOREIGN_ETHERTYPE";
        #[doc = "Dropped: not version 4."] DropIpHeader = 7, "DROP_IP_HEADER";
        #[doc = "Dropped: IPv4 options."] DropIpOptions = 8, "DROP_IP_OPTIONS";
        #[doc = "Dropped: IPv4 header checksum."] DropIpChecksum = 9, "DROP_IP_CHECKSUM";
        #[doc = "Dropped: IPv4 fragment."] DropIpFragment = 10, "DROP_IP_FRAGMENT";
        #[doc = "Dropped: IPv4 total length over the frame's, or too short for a base transport header and an ICRC."] DropIpLength = 11, "DROP_IP_LENGTH";
        #[doc = "Dropped: not our IPv4 address."] DropForeignIp = 12, "DROP_FOREIGN_IP";
        #[doc = "Dropped: not UDP."] DropForeignProtocol = 13, "DROP_FOREIGN_PROTOCOL";
        #[doc = "Dropped: UDP length disagrees with IPv4's."] DropUdpLength = 14, "DROP_UDP_LENGTH";
        #[doc = "Dropped: not UDP port 4791."] DropForeignPort = 15, "DROP_FOREIGN_PORT";
        #[doc = "Dropped: wrong ICRC."] DropIcrc = 16, "DROP_ICRC";
        #[doc = "Dropped: another version of the base transport header."] DropVersion = 17, "DROP_VERSION";
        #[doc = "Dropped: nothing is wrong with it, but no place of the store was free when it began."] DropFull = 18, "DROP_FULL";
        #[doc = "Dropped: nothing is wrong with it, but its process has as many places of the store as it may."] DropShare = 19, "DROP_SHARE";
        #[doc = "Frames sent."] TxPackets = 20, "TX_PACKETS";
        #[doc = "Frames sent as damaged, with a wrong ICRC, because memory failed under their payload."] TxDamaged = 21, "TX_DAMAGED";
        #[doc = "WRITEs done."] Writes = 22, "WRITES";
        #[doc = "READs accepted."] Reads = 23, "READS";
        #[doc = "Atomics executed."] Atomics = 24, "ATOMICS";
        #[doc = "SENDs and WRITEs that had been done, by packet; answered."] DuplicateWrites = 25, "DUPLICATE_WRITES";
        #[doc = "READs that were done again."] DuplicateReads = 26, "DUPLICATE_READS";
        #[doc = "Atomics whose result was told again."] DuplicateAtomics = 27, "DUPLICATE_ATOMICS";
        #[doc = "Duplicates of READs and atomics that are not remembered, or are others than those; dropped."] DuplicatesForgotten = 28, "DUPLICATES_FORGOTTEN";
        #[doc = "Duplicates that are no sound packet; dropped."] DuplicatesMalformed = 29, "DUPLICATES_MALFORMED";
        #[doc = "Not of a reliable connection; dropped."] OtherTransport = 30, "OTHER_TRANSPORT";
        #[doc = "A response, which no responder asked for; dropped."] Responses = 31, "RESPONSES";
        #[doc = "A congestion notification."] CongestionNotified = 32, "CONGESTION_NOTIFIED";
        #[doc = "No such queue pair; dropped."] UnknownQueuePair = 33, "UNKNOWN_QUEUE_PAIR";
        #[doc = "Not from the peer's address; dropped."] WrongSource = 34, "WRONG_SOURCE";
        #[doc = "Another partition; dropped."] WrongPartition = 35, "WRONG_PARTITION";
        #[doc = "The queue pair has ended in an error; dropped."] QueuePairInError = 36, "QUEUE_PAIR_IN_ERROR";
        #[doc = "A packet is missing: refused with 0x60."] Gap = 37, "GAP";
        #[doc = "Behind a gap that was told already; dropped."] AheadOfGap = 38, "AHEAD_OF_GAP";
        #[doc = "Behind a packet that is to come again; dropped."] AheadOfNotReady = 39, "AHEAD_OF_NOT_READY";
        #[doc = "Refused with 0x61: opcode that is not served."] Opcode = 40, "OPCODE";
        #[doc = "Refused with 0x61: headers cut off, pad or payload that cannot be."] Layout = 41, "LAYOUT";
        #[doc = "Refused with 0x61: the packet is not the next of its message."] Order = 42, "ORDER";
        #[doc = "Refused with 0x61: a payload that its place in the message cannot have."] Length = 43, "LENGTH";
        #[doc = "Refused with 0x61: more or fewer bytes than the message's first packet told, or than any message may have."] Total = 44, "TOTAL";
        #[doc = "Refused with 0x61: an atomic operation across a word's ends."] Alignment = 45, "ALIGNMENT";
        #[doc = "Refused with 0x62: no region has the key."] Key = 46, "KEY";
        #[doc = "Refused with 0x62: another process's region."] Process = 47, "PROCESS";
        #[doc = "Refused with 0x62: past the region's ends."] Range = 48, "RANGE";
        #[doc = "Refused with 0x62: the region may not be used so."] Right = 49, "RIGHT";
        #[doc = "Refused with 0x62: the memory itself denies the access."] MemoryDenied = 50, "MEMORY_DENIED";
        #[doc = "Refused with 0x63: the memory failed."] MemoryFailed = 51, "MEMORY_FAILED";
        #[doc = "Not ready: the memory."] MemoryNotReady = 52, "MEMORY_NOT_READY";
        #[doc = "Not ready: no place for another READ or atomic."] QueueFull = 53, "QUEUE_FULL";
        #[doc = "A hardened queue pair was sent what would have ended another one; dropped."] Hardened = 54, "HARDENED";
        #[doc = "Acknowledges sent."] Acknowledges = 55, "ACKNOWLEDGES";
        #[doc = "READ responses sent, by packet."] ReadResponses = 56, "READ_RESPONSES";
        #[doc = "Congestion notifications sent."] Notifications = 57, "NOTIFICATIONS";
        #[doc = "Immediates of WRITEs, which nobody takes yet."] Immediates = 58, "IMMEDIATES";
        #[doc = "SENDs done: lists of pages that were given up."] Sends = 59, "SENDS";
        #[doc = "Refused with 0x61: a SEND that is no list of pages."] Message = 60, "MESSAGE";
        #[doc = "Rates that a congestion notification has lowered."] RateCuts = 61, "RATE_CUTS";
        #[doc = "Answers that waited until their queue pair's rate let them go."] Held = 62, "HELD";
    }
}
