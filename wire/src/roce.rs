//! What the RoCEv2 port of a board counts (`docs/reference/rdma.md`). Boards without the port have none of it.
use crate::declare::declare;

declare! {
    /// What happens to a packet of RoCEv2. Every frame that comes to the port is counted once: as handed on, or by the first of
    /// the reasons, in their order, for which it is dropped. So is every frame that leaves.
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
        #[doc = "Frames sent."] TxPackets = 19, "TX_PACKETS";
        #[doc = "Frames sent as damaged, with a wrong ICRC, because memory failed under their payload."] TxDamaged = 20, "TX_DAMAGED";
    }
}
