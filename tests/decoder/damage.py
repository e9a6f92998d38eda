"""Damages copies of real captures and demands that the decoder finds every one.

    python tests/decoder/damage.py capture.pcap ...

A decoder that accepts anything would pass every sound capture: this shows, on the very captures that were just
accepted, that it would not have accepted them damaged. Ends with 1 when a damage stayed unseen.
"""
import argparse
import random
import sys

from scapy.utils import RawPcapReader

import mneme_layers as mneme
from check import board_port, check_frames

#: Frames at the beginning of a capture that take part: enough for every kind of operation.
FRAMES = 300
#: The headers, without the time field: which tick a packet carries is told only once.
BYTES = [at for at in range(64) if at not in range(53, 56)]
#: The hint of an answer that is not OK. BUSY and the slow path tell a number there that nothing else repeats.
HINT = range(58, 62)


def beginning(path):
    """The first frames of a capture."""
    frames = []
    with RawPcapReader(path) as reader:
        for frame, _ in reader:
            frames.append(frame)
            if len(frames) == FRAMES:
                break
    return frames


def decided(frame, at):
    """Whether other bytes of the capture say what this one must be."""
    message = mneme.Mneme(frame[42:])
    free = message.response and (message.status == "BUSY" or message.status != "OK" and message.opcode >= mneme.SLOW_PATH)
    return not (free and at in HINT)


def damaged(frames, count, seed):
    """Frames with one header byte inverted each time: what was done, and the frames."""
    choose = random.Random(seed)
    ours = [n for n, f in enumerate(frames) if f[12:14] == b"\x08\x00" and f[23] == 17]
    while count > 0:
        number, at = choose.choice(ours), choose.choice(BYTES)
        if not decided(frames[number], at):
            continue
        count -= 1
        bad = bytearray(frames[number])
        bad[at] ^= 0xFF
        yield f"frame {number + 1}, byte {at}", [*frames[:number], bytes(bad), *frames[number + 1 :]]


def survives(path, count, seed):
    """Damages that the decoder did not see."""
    frames = beginning(path)
    # The cut leaves requests whose answers come after it.
    port = board_port(frames)
    open_requests = len(check_frames(frames, port).conversation.unanswered())
    if check_frames(frames, port, open_requests).faults:
        return ["the capture is not sound to begin with"]
    unseen = [what for what, bad in damaged(frames, count, seed) if not check_frames(bad, port, open_requests).faults]
    print(f"{path}: {count - len(unseen)} of {count} damages found")
    return unseen


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captures", nargs="+", help="sound pcap files")
    parser.add_argument("--count", type=int, default=60, help="damages for each capture")
    parser.add_argument("--seed", type=int, default=1, help="which bytes are damaged")
    options = parser.parse_args()
    unseen = [f"{path}: {what}" for path in options.captures for what in survives(path, options.count, options.seed)]
    for line in unseen:
        print(f"  NOT FOUND {line}")
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()
