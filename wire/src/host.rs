//! The slow path of a board without a processor: a host on the same Ethernet reads and writes the board's registers with
//! keyed frames of 64 bytes, and takes and gives the slow ring's frames through registers (`docs/reference/ecpix5.md`).
use crate::declare::{constants, declare};

constants! {
    /// What a host's frame is made of. Beyond addresses and EtherType, fields are little-endian.
    CONSTANTS {
        #[doc = "EtherType of a host's frames: IEEE 802's second one for local experiments."] HOST_ETHERTYPE = 0x88b6;
        #[doc = "Bytes of a host's frame without its check sequence."] HOST_FRAME_BYTES = 64;
        #[doc = "Offset of the kind, a HostKind; behind it a byte of 0."] HOST_KIND = 14;
        #[doc = "Offset of the tag, 8 bytes: SipHash-2-4 under the host's key."] HOST_TAG = 16;
        #[doc = "Offset of the board's nonce, 8 bytes; 0 in a HELLO."] HOST_NONCE = 24;
        #[doc = "Offset of the sequence, 8 bytes; in a HELLO any number of the host's choice."] HOST_SEQUENCE = 32;
        #[doc = "Offset of the register's address, 4 bytes, a multiple of 4."] HOST_ADDRESS = 40;
        #[doc = "Offset of the word that is written, or was read, 4 bytes."] HOST_DATA = 44;
        #[doc = "Kind bit of the board's answers."] HOST_ANSWER = 0x80;
        #[doc = "MAIL_STATUS: a beat of a frame for the slow path is in MAIL_IN."] MAIL_HAS = 1;
        #[doc = "MAIL_STATUS: there is room for a beat of a frame of the slow path's."] MAIL_ROOM = 2;
        #[doc = "DRAM_STATUS: an access to the DRAM controller's registers is under way."] DRAM_BUSY = 1;
        #[doc = "MAIL_BEAT and MAIL_SEND: the beat is its frame's last."] MAIL_LAST = 0x100;
        #[doc = "MAIL_BEAT and MAIL_SEND: the place of the beat's last byte, 63 in every beat but a frame's last."] MAIL_LAST_BYTE_MASK = 0x3f;
        #[doc = "Bytes of the longest frame of the board's port, without its check sequence: an MTU of 1,500, and some more for tags."] MAIL_FRAME_MAX = 1600;
        #[doc = "Offset of the first of the 16 words of a beat for the slow path, its first byte lowest."] MAIL_IN = 0x1a40;
        #[doc = "Offset of the first of the 16 words of a beat of the slow path's."] MAIL_OUT = 0x1a80;
    }
}

declare! {
    /// What a host's frame asks for.
    HostKind: u32 {
        #[doc = "Tells the board's nonce, which is another one after each reset."] Hello = 1, "HELLO";
        #[doc = "Reads a register."] Read = 2, "READ";
        #[doc = "Writes a register."] Write = 3, "WRITE";
    }
}

declare! {
    /// Byte offsets in the register window, beside the device registers, of a board whose slow path is a host.
    HostRegister: u32 {
        #[doc = "RO. Frames with the EtherType that were dropped: not from the host, not to the board, of no kind, or of another length. Wraps."] Foreign = 0x1a00, "HOST_FOREIGN";
        #[doc = "RO. Frames dropped for a wrong tag. Wraps."] BadTag = 0x1a04, "HOST_BAD_TAG";
        #[doc = "RO. Frames dropped for another nonce or an old sequence. Wraps."] Stale = 0x1a08, "HOST_STALE";
        #[doc = "RO. Frames dropped because the one before was not answered yet. Wraps."] Busy = 0x1a0c, "HOST_BUSY";
        #[doc = "RO. MAIL_HAS, MAIL_ROOM."] MailStatus = 0x1a10, "MAIL_STATUS";
        #[doc = "Last byte and last of the beat in MAIL_IN. Any write takes the beat out, and the next one comes."] MailBeat = 0x1a14, "MAIL_BEAT";
        #[doc = "RW. Byte address of a register of the DRAM controller, a multiple of 4, below 64 KB."] DramAddress = 0x1a1c, "DRAM_ADDRESS";
        #[doc = "A write writes the word to that register. A read gives the word of the last DRAM_READ. Writes while DRAM_BUSY are ignored."] DramData = 0x1a20, "DRAM_DATA";
        #[doc = "WO. Any write reads that register; ignored while DRAM_BUSY."] DramRead = 0x1a24, "DRAM_READ";
        #[doc = "RO. DRAM_BUSY: the controller has not answered yet."] DramStatus = 0x1a28, "DRAM_STATUS";
        #[doc = "WO. Gives the beat in MAIL_OUT to the core, with this last byte and last; ignored without MAIL_ROOM."] MailSend = 0x1a18, "MAIL_SEND";
    }
}
