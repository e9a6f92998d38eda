//! Chains of a RoCEv2 port as the slow path sees them: a block of registers through which it makes chain queue pairs, one at a time, and
//! what chains count (`docs/reference/rdma-chains-hw.md`). Boards without chains have none of it.
use crate::declare::{constants, declare};

constants! {
    /// What the registers below are made of.
    CONSTANTS {
        #[doc = "Value of the CHAIN_MAGIC register: \"MNCH\"."] CHAIN_MAGIC = 0x4843_4e4d;
        #[doc = "Offset, within the board's register block, of the chains'."] CHAIN_BASE = 0xf00;
        #[doc = "Bytes of the chains' register block."] CHAIN_BYTES = 0x100;
        #[doc = "Offset, within the block, of the first counter; counter *i* is the word at CHAIN_COUNTERS + 4 × i."] CHAIN_COUNTERS = 0x80;
        #[doc = "A row of a profile: no argument comes behind it."] CHAIN_ROW_LAST = 8;
        #[doc = "Numbers of chain queue pairs have this bit; on a port with chains, others do not."] CHAIN_QPN_BIT = 0x80_0000;
        #[doc = "CHAIN_OPTIONS: what would end the queue pair is dropped instead."] CHAIN_HARDENED = 0x100;
        #[doc = "CHAIN_OPTIONS: the last WRITE of a reply has the page's number as immediate data."] CHAIN_IMMEDIATE = 0x200;
        #[doc = "CHAIN_OPTIONS: loads and invalidates write the magic, too."] CHAIN_SIGNAL = 0x400;
        #[doc = "CHAIN_OPTIONS: a store for which there is no frame writes NOT magic. Else its packet is to come again."] CHAIN_TELL_EMPTY = 0x800;
        #[doc = "CHAIN_OPTIONS: each message must have the secret of CHAIN_KEY."] CHAIN_KEYED = 0x1000;
        #[doc = "CHAIN_STATE: the queue pair has ended in an error."] CHAIN_IN_ERROR = 1;
        #[doc = "CHAIN_STATE: packets of a message have come, and more are to come."] CHAIN_RUNNING = 2;
    }
}

declare! {
    /// Byte offsets in the chains' register block. RO: writes are ignored.
    ChainRegister: u32 {
        #[doc = "RO. The constant CHAIN_MAGIC."] Magic = 0x00, "CHAIN_MAGIC";
        #[doc = "RO. log2 of the chain queue pairs in bits 7:0, of the replies of each that may be unanswered in bits 15:8. A queue pair's place is the low bits of its number."] Sizes = 0x04, "CHAIN_SIZES";
        #[doc = "WO. A ChainCommand number: does it with the registers below. While CHAIN_RESULT is PENDING, writes to this block are ignored."] Command = 0x08, "CHAIN_COMMAND";
        #[doc = "RO. How the last command ended: a ChainResult number."] Result = 0x0c, "CHAIN_RESULT";
        #[doc = "RW. The queue pair, 24 bits, CHAIN_QPN_BIT among them."] Qpn = 0x10, "CHAIN_QPN";
        #[doc = "RW. The peer's number of it, 24 bits."] PeerQpn = 0x14, "CHAIN_PEER_QPN";
        #[doc = "RW. The peer's IPv4 address: packets of others are dropped."] PeerIp = 0x18, "CHAIN_PEER_IP";
        #[doc = "RW. The MAC address to which answers and replies go, low word."] PeerMacLow = 0x1c, "CHAIN_PEER_MAC_LOW";
        #[doc = "RW. The same, high 16 bits."] PeerMacHigh = 0x20, "CHAIN_PEER_MAC_HIGH";
        #[doc = "RW. UDP source port of what is sent, 16 bits."] Port = 0x24, "CHAIN_PORT";
        #[doc = "RW. The process of the queue pair, 24 bits."] Pid = 0x28, "CHAIN_PID";
        #[doc = "RW. The number of the first packet that comes, 24 bits."] Psn = 0x2c, "CHAIN_PSN";
        #[doc = "RW. The number of the first packet of replies, 24 bits."] ReplyPsn = 0x30, "CHAIN_REPLY_PSN";
        #[doc = "RW. Path MTU in bits 2:0, 1 (256 bytes) to 5 (4,096); function in bits 5:4 (0 load, 1 mapped store, 2 unmapped store, 3 invalidate); the CHAIN_ bits; in bits 19:16 the time without progress after which replies are sent again, 2^n × 10 µs."] Options = 0x34, "CHAIN_OPTIONS";
        #[doc = "RW. Bytes of each of its messages, 14 bits."] Length = 0x38, "CHAIN_LENGTH";
        #[doc = "RW. The segment's number."] Segment = 0x3c, "CHAIN_SEGMENT";
        #[doc = "RW. The secret, low word of the number that its 8 bytes are, the first one highest."] KeyLow = 0x40, "CHAIN_KEY_LOW";
        #[doc = "RW. The same, high word."] KeyHigh = 0x44, "CHAIN_KEY_HIGH";
        #[doc = "RW. The address that stands for the table's first entry, a multiple of 8; low word."] BaseLow = 0x48, "CHAIN_BASE_LOW";
        #[doc = "RW. The same, high word."] BaseHigh = 0x4c, "CHAIN_BASE_HIGH";
        #[doc = "RW. The profile's first argument, in the order of the message: its number in bits 2:0 (1 tt_addr, 2 buffer, 3 signal, 4 magic, 5 rkey, 6 key), CHAIN_ROW_LAST, and in bits 28:16 the message's byte that is its last one."] Row0 = 0x50, "CHAIN_ROW_0";
        #[doc = "RW. The same of the second."] Row1 = 0x54, "CHAIN_ROW_1";
        #[doc = "RW. The same of the third."] Row2 = 0x58, "CHAIN_ROW_2";
        #[doc = "RW. The same of the fourth."] Row3 = 0x5c, "CHAIN_ROW_3";
        #[doc = "RW. The same of the fifth."] Row4 = 0x60, "CHAIN_ROW_4";
        #[doc = "RW. The same of the sixth."] Row5 = 0x64, "CHAIN_ROW_5";
        #[doc = "RW. Bytes that its replies send in a period at most, from ROCE_RATE_LEAST on; 0: as can. Its rate under congestion is never over it."] Rate = 0x68, "CHAIN_RATE";
        #[doc = "RO. Of the last QUERY that was DONE: the number of the next packet that is expected."] Expected = 0x70, "CHAIN_EXPECTED";
        #[doc = "RO. Of the same: messages done, 24 bits, wrapping."] Msn = 0x74, "CHAIN_MSN";
        #[doc = "RO. Of the same: CHAIN_IN_ERROR, CHAIN_RUNNING."] State = 0x78, "CHAIN_STATE";
    }
}

declare! {
    /// What the slow path tells the port about chain queue pairs.
    ChainCommand: u32 {
        #[doc = "Makes a chain queue pair that is ready to receive."] Create = 1, "CREATE";
        #[doc = "Ends a queue pair: a store that runs is abandoned, its replies are not sent again."] Destroy = 2, "DESTROY";
        #[doc = "The same, but it stays there in error, silent."] End = 3, "END";
        #[doc = "Fills CHAIN_EXPECTED, CHAIN_MSN and CHAIN_STATE."] Query = 4, "QUERY";
    }
}

declare! {
    /// How a command about chains ended.
    ChainResult: u32 {
        #[doc = "It has not ended; after a reset: the tables are being emptied."] Pending = 0, "PENDING";
        #[doc = "Done."] Done = 1, "DONE";
        #[doc = "There is no such queue pair."] Unknown = 2, "UNKNOWN";
        #[doc = "The place is taken."] Taken = 3, "TAKEN";
        #[doc = "The queue pair's number lacks CHAIN_QPN_BIT."] Number = 4, "NUMBER";
        #[doc = "No such path MTU."] PathMtu = 5, "PATH_MTU";
        #[doc = "The profile's arguments do not end within the first packet, or a message without a page is longer than a packet."] Profile = 6, "PROFILE";
        #[doc = "No such command."] Command = 7, "COMMAND";
        #[doc = "A rate below ROCE_RATE_LEAST, or over ROCE_RATE_LINE."] Rate = 8, "RATE";
    }
}

declare! {
    /// What chains count beside the port's counters, 32 bits each; they wrap.
    ChainCounter: u32 {
        #[doc = "Loads done."] Loads = 0, "LOADS";
        #[doc = "Stores into pages that had a frame."] MappedStores = 1, "MAPPED_STORES";
        #[doc = "Stores that gave their page a frame."] UnmappedStores = 2, "UNMAPPED_STORES";
        #[doc = "Pages given up."] Freed = 3, "FREED";
        #[doc = "Pages given up that had no frame."] FreedNothing = 4, "FREED_NOTHING";
        #[doc = "Refused with 0x62: a load or mapped store of a page without a frame."] Unmapped = 5, "UNMAPPED";
        #[doc = "Refused with 0x62: an address outside the table."] Outside = 6, "OUTSIDE";
        #[doc = "Refused with 0x62: another secret."] WrongKey = 7, "WRONG_KEY";
        #[doc = "Refused with 0x62: the segment may not be used so."] Right = 8, "RIGHT";
        #[doc = "A frame was wanted of an empty ring."] RingEmpty = 9, "RING_EMPTY";
        #[doc = "A frame was wanted beyond the segment's budget."] BudgetSpent = 10, "BUDGET_SPENT";
        #[doc = "Stores told \"not stored\"."] NotStored = 11, "NOT_STORED";
        #[doc = "Messages that found no room for their replies."] RepliesFull = 12, "REPLIES_FULL";
        #[doc = "Refused with 0x61: more or fewer bytes than the profile's messages have."] ReceiveLength = 13, "RECEIVE_LENGTH";
        #[doc = "Stores abandoned amid their page."] Abandoned = 14, "ABANDONED";
        #[doc = "Answers to replies that are no sound packet; dropped."] AnswerMalformed = 15, "ANSWER_MALFORMED";
        #[doc = "Queue pairs that ended because their replies did: refused, unanswered, or memory failed."] RepliesFailed = 16, "REPLIES_FAILED";
        #[doc = "Packets of replies."] ReplyPackets = 17, "REPLY_PACKETS";
        #[doc = "Packets of replies that had been sent before."] RepliesAgain = 18, "REPLIES_AGAIN";
        #[doc = "Pages looked up again for a repeated reply."] LookedAgain = 19, "LOOKED_AGAIN";
        #[doc = "Silences after which replies were sent again, or the queue pair ended."] ReplyTimeouts = 20, "REPLY_TIMEOUTS";
        #[doc = "Replies sent again because a packet was missing."] ReplyGaps = 21, "REPLY_GAPS";
        #[doc = "Replies that wait because their peer was not ready."] ReplyNotReady = 22, "REPLY_NOT_READY";
        #[doc = "Answers to what is answered already, was never sent, or nobody has; dropped."] AnswersStale = 23, "ANSWERS_STALE";
        #[doc = "Answers whose syndrome means nothing; dropped."] AnswersUnknown = 24, "ANSWERS_UNKNOWN";
        #[doc = "Packets of replies that waited until their queue pair's rate let them go."] RepliesHeld = 25, "REPLIES_HELD";
    }
}
