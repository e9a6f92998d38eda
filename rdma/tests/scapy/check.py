"""Reads frames of RoCEv2 with scapy and recomputes their ICRC; then writes frames of its own for the codec to read.

A line of input is the frame in hexadecimal and the fields that it must have: `opcode=10 psn=5 …`, `body` being all between the
base transport header and the ICRC. A line of output is the same, of a frame that scapy made. Ends with 1 when a frame is not as
it must be. No code of the project takes part.
"""
import random
import sys

from scapy.contrib.roce import AETH, BTH, cnp
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

#: Fields of scapy's base transport header, by the names that lines have.
FIELDS = {
    "opcode": "opcode",
    "solicited": "solicited",
    "migrated": "migreq",
    "pad": "padcount",
    "pkey": "pkey",
    "fecn": "fecn",
    "becn": "becn",
    "qp": "dqpn",
    "ack": "ackreq",
    "psn": "psn",
}


def body(packet):
    """All between the base transport header and the ICRC."""
    return bytes(packet[BTH])[12:-4]


def describe(packet):
    """The fields of a packet."""
    fields = {name: packet[BTH].getfieldval(field) for name, field in FIELDS.items()}
    return fields | {"body": body(packet).hex() or "-"}


def check(line):
    """A frame that the codec wrote."""
    frame, *expected = line.split()
    frame = bytes.fromhex(frame)
    packet = Ether(frame)
    if BTH not in packet:
        raise ValueError(f"scapy finds no base transport header in {frame.hex()}")
    got = describe(packet)
    for item in expected:
        name, value = item.split("=")
        if str(got[name]) != value:
            raise ValueError(f"{name} is {got[name]}, not {value}, in {frame.hex()}")
    if set(got) != {item.split("=")[0] for item in expected}:
        raise ValueError("a line must tell every field")
    if AETH in packet and packet[BTH].opcode != 0x11:
        raise ValueError("scapy knows acknowledges by their opcode alone")
    packet[BTH].icrc = None
    # Only the ICRC is made anew: everything else is as it came.
    if bytes(packet) != frame:
        raise ValueError(f"scapy has another ICRC: {bytes(packet)[-4:].hex()} in {frame.hex()}")


def frames(rng):
    """Frames of every opcode of a reliable connection, acknowledges and a notification, made by scapy."""
    carrier = Ether(src="02:00:00:00:00:02", dst="02:00:00:00:00:01") / IP(src="10.0.0.2", dst="10.0.0.1", tos=3)
    carrier /= UDP(sport=50000, dport=4791)
    headers = {6: 16, 10: 16, 11: 20, 12: 16, 13: 4, 15: 4, 16: 4, 3: 4, 5: 4, 9: 4, 18: 12, 19: 28, 20: 28, 22: 4, 23: 4}
    bare = {12, 17, 18, 19, 20}
    for opcode in [*range(0x15), 0x16, 0x17]:
        for length in [0, 1, 2, 3, 4, 255, 256, 1024]:
            length = 0 if opcode in bare else length
            pad = -length % 4
            bth = BTH(
                opcode=opcode,
                padcount=pad,
                solicited=rng.getrandbits(1),
                migreq=rng.getrandbits(1),
                pkey=rng.getrandbits(16),
                fecn=rng.getrandbits(1),
                becn=rng.getrandbits(1),
                dqpn=rng.getrandbits(24),
                ackreq=rng.getrandbits(1),
                psn=rng.getrandbits(24),
            )
            if opcode == 0x11:
                yield carrier / bth.copy() / AETH(syndrome=rng.choice([0x1f, 0x60, 0x61, 0x62, 0x63, 0x2e]), msn=rng.getrandbits(24))
                continue
            yield carrier / bth / Raw(rng.randbytes(headers.get(opcode, 0) + length) + bytes(pad))
    yield carrier / cnp(rng.getrandbits(24))


def main():
    count = 0
    for line in sys.stdin:
        check(line)
        count += 1
    print(f"scapy: {count} frames, every field and ICRC as it must be", file=sys.stderr)
    for frame in frames(random.Random(1)):
        raw = bytes(frame)
        fields = describe(Ether(raw))
        # What scapy was told, not only what it reads back.
        if fields["psn"] != frame[BTH].psn or fields["qp"] != frame[BTH].dqpn:
            raise ValueError("scapy reads otherwise than it writes")
        fields["pad"] = frame[BTH].padcount
        print(raw.hex(), *(f"{name}={value}" for name, value in fields.items()))
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
