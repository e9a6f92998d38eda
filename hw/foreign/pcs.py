"""The 64b/66b side of a 10G line, from IEEE 802.3 clause 49: XGMII's words on one side, blocks at a transceiver on the other.

It knows nothing of the hardware's PCS, nor of the reference of its Scala benches. Numbers of codes and types of blocks are
those of cocotbext-eth. Bit 0 is the first one on the line everywhere.
"""
import random

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.eth import XgmiiSink, XgmiiSource
from cocotbext.eth.constants import BaseRBlockType as Type
from cocotbext.eth.constants import BaseRO, BaseRSync, XgmiiCtrl
from cocotbext.eth.constants import baser_ctrl_to_xgmii_mapping as NAMES
from cocotbext.eth.constants import xgmii_ctrl_to_baser_mapping as CODES

# Figure 49-7: what stands in the eight lanes, and the type of the block. C control, D data, S start, T end, O ordered set.
TYPES = {
    "CCCCCCCC": Type.CTRL, "CCCCODDD": Type.OS_4, "CCCCSDDD": Type.START_4, "ODDDSDDD": Type.OS_START,
    "ODDDODDD": Type.OS_04, "SDDDDDDD": Type.START_0, "ODDDCCCC": Type.OS_0,
}
TYPES |= {"D" * lane + "T" + "C" * (7 - lane): Type[f"TERM_{lane}"] for lane in range(8)}
LANES = {int(number): letters for letters, number in TYPES.items()}
ORDERED = {XgmiiCtrl.SEQ_OS: BaseRO.SEQ_OS, XgmiiCtrl.SIG_OS: BaseRO.SIG_OS}
ORDERS = {int(code): int(character) for character, code in ORDERED.items()}
LETTERS = {XgmiiCtrl.START: "S", XgmiiCtrl.TERM: "T"} | dict.fromkeys(ORDERED, "O") | dict.fromkeys(CODES, "C")

# What may follow what (figure 49-17): a frame begins after a gap, and a gap or the next frame confirms its end.
FOLLOWS = {"C": "CS", "S": "DT", "D": "DT", "T": "CS"}
IDLES = (int.from_bytes(bytes([XgmiiCtrl.IDLE] * 8)), 0xFF)
ERRORS = (int.from_bytes(bytes([XgmiiCtrl.ERROR] * 8)), 0xFF)
BLOCK, BITS_64 = (1 << 66) - 1, (1 << 64) - 1


def _places(letters):
    """Where a block has what each lane needs: lane, letter, first bit."""
    shift = 8 if "T" in letters else 0
    of = {"C": lambda lane: 8 + 7 * lane, "D": lambda lane: 8 * lane + shift, "O": lambda lane: 36 if lane else 32}
    return [(lane, letter, of[letter](lane)) for lane, letter in enumerate(letters) if letter in of]


PLACES = {letters: _places(letters) for letters in TYPES}


def encode(data, control):
    """A word of XGMII as header and payload."""
    if control == 0:
        return BaseRSync.DATA, data
    word = data.to_bytes(8, "little")
    letters = "".join(LETTERS.get(byte, "?") if control >> lane & 1 else "D" for lane, byte in enumerate(word))
    if letters not in TYPES:
        return encode(*ERRORS)
    block = int(TYPES[letters])
    for lane, letter, at in PLACES[letters]:
        byte = word[lane]
        block |= (byte if letter == "D" else CODES[byte] if letter == "C" else ORDERED[byte]) << at
    return BaseRSync.CTRL, block


def decode(header, block):
    """Header and payload as a word of XGMII, and its kind: one of C, S, D and T, or E for what is no block."""
    if header == BaseRSync.DATA:
        return (block, 0), "D"
    letters = LANES.get(block & 0xFF) if header == BaseRSync.CTRL else None
    if letters is None:
        return ERRORS, "E"
    data = 0
    for lane, letter in enumerate(letters):
        if letter in "ST":
            data |= (XgmiiCtrl.START if letter == "S" else XgmiiCtrl.TERM) << 8 * lane
    for lane, letter, at in PLACES[letters]:
        bits, names = {"D": (8, None), "C": (7, NAMES), "O": (4, ORDERS)}[letter]
        value = block >> at & (1 << bits) - 1
        if names is not None and value not in names:
            return ERRORS, "E"
        data |= (value if names is None else names[value]) << 8 * lane
    control = sum(1 << lane for lane, letter in enumerate(letters) if letter != "D")
    return (data, control), next((kind for kind in "ST" if kind in letters), "C")


class Scrambler:
    """1 + x^39 + x^58 (49.2.6): each bit with those that left 39 and 58 bits before."""

    def __init__(self, seed):
        # The last 58 bits of the line, the oldest one lowest.
        self.past = random.Random(seed).getrandbits(58)

    def scramble(self, plain):
        # As many at a time as need none of each other.
        first = (plain ^ self.past >> 19 ^ self.past) & (1 << 39) - 1
        line = self.past | first << 58
        rest = (plain >> 39 ^ line >> 58 ^ line >> 39) & (1 << 25) - 1
        self.past = (line | rest << 97) >> 64
        return first | rest << 39

    def descramble(self, coming):
        line = self.past | coming << 58
        self.past = line >> 64
        return (coming ^ line >> 19 ^ line) & BITS_64


class Line:
    """What is at the other end of a board's transceiver: cocotbext-eth's XGMII behind this PCS.

    Blocks come to the board as a receiver finds them that looks at any bit first: the board has to slip to where they begin.
    The receiver's gearbox has no block now and then.
    """

    def __init__(self, dut, seed):
        self.dut, self.draw = dut, random.Random(seed)
        self.source = XgmiiSource(dut.xgmii_in_data, dut.xgmii_in_control, dut.rx_clock, enable=dut.xgmii_in_enable)
        self.sink = XgmiiSink(dut.xgmii_out_data, dut.xgmii_out_control, dut.tx_clock)
        self.slips = 0
        # How likely a block is to have a wrong bit.
        self.noise = 0.0
        # Blocks from the board that are none, or that may not follow what was before.
        self.wrong = 0
        dut.xgmii_in_enable.value = 1
        dut.xgmii_out_data.value, dut.xgmii_out_control.value = IDLES
        dut.rx_valid.value = 0
        self.out_of_step()
        self.runs = False

    def start(self):
        """Plugs it in: before there are no blocks, which a simulation would spend its time on."""
        if not self.runs:
            self.runs = True
            for task in self._to_board(), self._from_board(), self._count_slips():
                cocotb.start_soon(task)

    def out_of_step(self):
        """From now on the receiver looks at another bit first."""
        self.waiting = self.draw.randint(66, 131)
        self.bits = self.draw.getrandbits(self.waiting)

    async def _count_slips(self):
        while True:
            await RisingEdge(self.dut.rx_slip)
            self.slips += 1
            self.bits >>= 1
            self.waiting -= 1

    def _put(self, scrambler, word):
        header, block = encode(*word)
        self.bits |= (scrambler.scramble(block) << 2 | header) << self.waiting
        self.waiting += 66

    async def _to_board(self):
        dut, draw, scrambler = self.dut, self.draw, Scrambler(self.draw.random())
        edge, enabled = RisingEdge(dut.rx_clock), True
        while True:
            await edge
            if enabled:
                self._put(scrambler, (int(dut.xgmii_in_data.value), int(dut.xgmii_in_control.value)))
                # Slips use bits up; they are asked for when no frame can come through anyway.
                while self.waiting < 66:
                    self._put(scrambler, IDLES)
                block = self.bits & BLOCK
                self.bits >>= 66
                self.waiting -= 66
                if self.noise and draw.random() < self.noise:
                    block ^= 1 << draw.randrange(66)
                dut.rx_payload_header.value = block & 3
                dut.rx_payload_data.value = block >> 2
            if (dut.rx_valid.value == 1) != enabled:
                dut.rx_valid.value = int(enabled)
            goes_on = not enabled or draw.random() > 1 / 33
            if goes_on != enabled:
                dut.xgmii_in_enable.value = int(goes_on)
            enabled = goes_on

    async def _from_board(self):
        dut, scrambler = self.dut, Scrambler(0)
        edge, before, word = RisingEdge(dut.tx_clock), "C", IDLES
        idle = encode(*IDLES)
        while True:
            await edge
            header, block = int(dut.tx_header.value), scrambler.descramble(int(dut.tx_data.value))
            came, kind = (IDLES, "C") if (header, block) == idle else decode(header, block)
            if kind not in FOLLOWS.get(before, "CSDT"):
                self.wrong += 1
            if came != word:
                dut.xgmii_out_data.value, dut.xgmii_out_control.value = came
                word = came
            before = kind
