"""Reads captures of Mneme traffic with scapy and checks every frame and every conversation.

    python tests/decoder/check.py capture.pcap ...

Prints what it found and ends with 1 when a frame is damaged, a field disagrees or a request stays without answer.
"""
import argparse
import collections
import socket
import sys

from scapy.layers.inet import IP, UDP, in4_chksum
from scapy.layers.l2 import ARP, Ether
from scapy.utils import RawPcapReader, checksum

import mneme_layers as mneme
import trailers
from conversation import Conversation

ETHERNET, IPV4, UDP_HEADER = 14, 20, 8
#: Most faults that are told for one capture: the first ones say what is wrong.
SHOWN = 20


class Fault(Exception):
    """A frame that is not as it should be."""


def demand(condition, text):
    """Raises the text as a fault unless the condition holds."""
    if not condition:
        raise Fault(text)


def decode(frame, port):
    """Ethernet, IPv4, UDP, Mneme and trailer of a frame, checked one after another; None for ARP and ICMP."""
    demand(len(frame) >= ETHERNET, f"{len(frame)} bytes are no Ethernet frame")
    ether = Ether(frame)
    if ether.type == 0x0806:
        demand(ARP in ether and ether[ARP].hwtype == 1, "ARP of another kind of network")
        return None
    demand(ether.type == 0x0800, f"EtherType {ether.type:#06x}")
    demand(len(frame) >= ETHERNET + IPV4, "no whole IPv4 header")
    ip = ether[IP]
    demand(ip.version == 4 and ip.ihl == 5, f"IP version {ip.version}, header of {ip.ihl} words")
    demand(checksum(frame[ETHERNET : ETHERNET + IPV4]) == 0, "IPv4 header checksum")
    demand(ip.frag == 0 and not ip.flags.MF, "IPv4 fragment")
    demand(ip.proto in (1, 17), f"IP protocol {ip.proto}")
    demand(ETHERNET + ip.len == len(frame), f"IPv4 total length {ip.len} in a frame of {len(frame)}")
    if ip.proto == 1:
        return None
    demand(ip.len >= IPV4 + UDP_HEADER, "no whole UDP header")
    udp = ether[UDP]
    demand(udp.len == ip.len - IPV4, f"UDP length {udp.len} in {ip.len - IPV4} bytes")
    segment = frame[ETHERNET + IPV4 :]
    if udp.chksum != 0:
        demand(in4_chksum(socket.IPPROTO_UDP, ip, segment) == 0, "UDP checksum")
    demand(udp.len >= UDP_HEADER + mneme.HEADER, "no whole Mneme header")
    kind = segment[UDP_HEADER] >> 2 & 3
    demand(kind in trailers.BYTES, f"trailer kind {kind}")
    end = len(segment) - trailers.BYTES[kind]
    demand(end >= UDP_HEADER + mneme.HEADER, "no whole trailer")
    message = mneme.Mneme(segment[UDP_HEADER:end])
    ours = udp.sport if message.response else udp.dport
    demand(ours == port, f"a {'response from' if message.response else 'request to'} port {ours}, not {port}")
    return ether, ip, udp, message, segment[end:]


class Capture:
    """One capture file: its faults and what was in it."""

    def __init__(self, port=mneme.PORT, drops=0, keys=None):
        self.port = port
        self.drops = drops
        self.faults = []
        self.kinds = collections.Counter()
        self.conversation = Conversation(keys)

    def frame(self, number, frame, wire_length=None):
        """Checks one frame; a fault is noted under its number, counted from 1 as other programs do."""
        try:
            demand(wire_length in (None, len(frame)), f"cut off: {len(frame)} of {wire_length} bytes")
            decoded = decode(frame, self.port)
            if decoded is None:
                self.kinds["ARP or ICMP"] += 1
                return
            message = decoded[3]
            self.conversation.packet(number, *decoded)
            side = "answer" if message.response else "request"
            detail = f" {message.status}" if message.response else ""
            self.kinds[f"{message.operation} {side}{detail}"] += 1
        except (Fault, ValueError) as fault:
            self.faults.append(f"frame {number}: {fault}")

    def end(self):
        """No more frames: what is still open is a fault, except as many as were dropped."""
        silent = self.conversation.unanswered()
        if len(silent) > self.drops:
            for number in silent:
                self.faults.append(f"frame {number}: no answer")
        if not self.conversation.answers:
            self.faults.append("no request with its answer in the whole capture")
        return self


def check_frames(frames, port=mneme.PORT, drops=0, keys=None):
    """Checks frames in memory; `keys` are the board's by key phase."""
    capture = Capture(port, drops, keys)
    for number, frame in enumerate(frames, 1):
        capture.frame(number, frame)
    return capture.end()


def board_port(frames):
    """The port that the first request of a capture goes to; a board's may be any."""
    for frame in frames:
        packet = len(frame) >= 64 and frame[12:14] == b"\x08\x00" and frame[23] == 17
        if packet and not mneme.Mneme(frame[42:]).response:
            return int.from_bytes(frame[36:38], "big")
    return mneme.PORT


def check_file(path, port=None, drops=0):
    """Checks a capture file in pcap format with Ethernet frames."""
    with RawPcapReader(path) as reader:
        capture = Capture(port or board_port(frame for frame, _ in reader), drops)
    with RawPcapReader(path) as reader:
        if reader.linktype != 1:
            capture.faults.append(f"link type {reader.linktype} is not Ethernet")
            return capture
        for number, (frame, meta) in enumerate(reader, 1):
            capture.frame(number, frame, meta.wirelen)
    return capture.end()


def report(path, capture):
    """Tells what was in a capture; True when nothing was wrong."""
    print(f"{path}: {sum(capture.kinds.values())} frames, {capture.conversation.answers} answers to requests")
    for kind, count in sorted(capture.kinds.items()):
        print(f"  {count:>7}  {kind}")
    for fault in capture.faults[:SHOWN]:
        print(f"  FAULT {fault}")
    if len(capture.faults) > SHOWN:
        print(f"  … and {len(capture.faults) - SHOWN} more")
    return not capture.faults


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captures", nargs="+", help="pcap files with Ethernet frames")
    parser.add_argument("--port", type=int, help="UDP port of the board; default: that of the first request")
    parser.add_argument("--drops", type=int, default=0, help="requests that may stay without answer")
    options = parser.parse_args()
    results = [report(path, check_file(path, options.port, options.drops)) for path in options.captures]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
