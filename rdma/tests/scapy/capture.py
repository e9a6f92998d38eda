"""Reads a capture of RoCEv2 with scapy: every ICRC is computed again, every frame must be of a known kind.

    python capture.py rxe.pcap

Says how many frames of each opcode each side has sent. Ends with 1 when a frame is not as it must be. No code of the
project takes part.
"""
import collections
import sys

from scapy.contrib.roce import AETH, BTH, _bth_opcodes
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader

#: The port of RoCEv2.
PORT = 4791
#: A datagram of management: UD SEND Only, which scapy's opcodes of reliable connections do not have.
DATAGRAM = 0x64
#: Bytes between the base transport header and the payload, by opcode of a reliable connection (IBTA volume 1, 9.2).
HEADERS = {0x06: 16, 0x0A: 16, 0x0B: 20, 0x0C: 16, 0x0D: 4, 0x0F: 4, 0x10: 4, 0x09: 4, 0x11: 4, 0x12: 12, 0x13: 28, 0x14: 28}
#: Opcodes without payload.
BARE = {0x0C, 0x11, 0x12, 0x13, 0x14}


def name(opcode):
    """An opcode's name, as scapy has it."""
    return "UD_SEND_ONLY" if opcode == DATAGRAM else _bth_opcodes.get(opcode, hex(opcode))


def check(frame):
    """One frame. Answers who has sent it and its opcode."""
    packet = Ether(frame)
    if BTH not in packet or packet[UDP].dport != PORT:
        raise ValueError(f"scapy finds no base transport header in {frame.hex()}")
    opcode, pad = packet[BTH].opcode, packet[BTH].padcount
    payload = len(bytes(packet[BTH])) - 12 - 4 - HEADERS.get(opcode, 0) - pad
    if opcode in BARE and payload != 0 or payload < 0 or (payload + pad) % 4:
        raise ValueError(f"{payload} bytes of payload and {pad} of pad in {frame.hex()}")
    if opcode == 0x11 and AETH not in packet:
        raise ValueError(f"scapy finds no acknowledge in {frame.hex()}")
    source = packet[IP].src
    packet[BTH].icrc = None
    # Only the ICRC is made anew: everything else is as it came.
    if bytes(packet) != frame:
        raise ValueError(f"scapy has another ICRC: {bytes(packet)[-4:].hex()} in {frame.hex()}")
    return source, opcode


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    counts = collections.Counter()
    for frame, _ in RawPcapReader(sys.argv[1]):
        counts[check(frame)] += 1
    for (source, opcode), count in sorted(counts.items()):
        print(f"{count:>8}  {source}  {name(opcode)}")
    print(f"scapy: {sum(counts.values())} frames, every ICRC as it must be")
    return 0 if counts else 1


if __name__ == "__main__":
    sys.exit(main())
