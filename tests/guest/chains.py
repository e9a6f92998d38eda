"""ODRP's four functions on a board's pages of 4 KB from Python: pyverbs of rdma-core, a peer that shares no code with Mneme.

    python3 chains.py ADDRESS PID TOKEN VA PAGES FRAMES OPTIONS SEED

TOKEN is hexadecimal; VA begins a range of PAGES pages that nobody uses meanwhile, of which FRAMES may have bytes at a time (fewer than
there are pages). OPTIONS are those of docs/reference/rdma.md: 1 immediate, 2 signal, 4 "not stored" is told. Without 4 a store that
finds no frame waits until a page is given up.

The program connects four queue pairs with layouts of messages that SEED draws, stores, loads, stores again and gives up, several
pages at once, and keeps a model of the pages. It ends with a line `OPERATIONS COMPARED SUM`: how many operations ended as they had
to, how many bytes were compared, and FNV-1a of the pages now. A difference ends it with an error.
"""
import random
import struct
import sys
import time

import pyverbs.enums as e
from pyverbs.wr import SGE, RecvWR, SendWR

from connection import PATIENCE, Connection, fnv, same

PAGE = 4096
# Operations of a connection at once, and bytes of each one's place in its memory: page, signal, guard, message.
SLOTS = 8
SIGNAL = PAGE
GUARD = PAGE + 8
MESSAGE = PAGE + 64
STRIDE = MESSAGE + PAGE + 512
GUARDED = bytes([0xA7]) * (MESSAGE - GUARD)
IMMEDIATE, TELLS_SIGNAL, TELLS_EMPTY = 1, 2, 4
FIELDS = {"skip": 0, "tt_addr": 1, "buffer": 2, "signal": 3, "magic": 4, "rkey": 5, "key": 6, "page": 7}
LENGTHS = {"tt_addr": 8, "buffer": 8, "signal": 8, "magic": 8, "rkey": 4, "key": 8, "page": PAGE}
LOAD, MAPPED, UNMAPPED, INVALIDATE = range(4, 8)


def layout(draw, kind, options):
    """The fields of a function's messages, in an order that is drawn, with gaps."""
    fields = ["tt_addr"]
    if kind == LOAD:
        fields += ["buffer", "rkey"]
    if kind in (MAPPED, UNMAPPED):
        fields += ["signal", "magic", "rkey"]
    elif options & TELLS_SIGNAL:
        fields += ["signal", "magic"] + (["rkey"] if kind == INVALIDATE else [])
    fields += ["key"] * draw.getrandbits(1)
    pairs = [(field, LENGTHS[field]) for field in fields]
    pairs += [("skip", 4 * draw.randrange(1, 9)) for _ in range(draw.randrange(3))]
    draw.shuffle(pairs)
    return pairs + ([("page", PAGE)] if kind in (MAPPED, UNMAPPED) else [])


class Function(Connection):
    """One of the four functions."""

    def __init__(self, draw, address, ask, kind, options):
        self.draw, self.kind, self.options = draw, kind, options
        self.pairs = layout(draw, kind, options)
        private = bytearray(ask)
        private[8] = kind
        packed = [FIELDS[field] | (length // 4 << 3 if field == "skip" else 0) for field, length in self.pairs]
        private += bytes([options, len(packed)]) + bytes(packed) + bytes(10 - len(packed))
        access = e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE
        super().__init__(address, bytes(private), 2 * SLOTS, SLOTS * STRIDE, access)
        magic, self.first, self.entries, self.secret = struct.unpack_from("<4s32xQI4xQ", self.granted)
        assert magic == b"MNR1", self.granted.hex()
        self.free = list(range(SLOTS))
        # What is under way by its slot: page, magic.
        self.flying = {}
        # Slots whose SEND has been acknowledged, and pages that immediates have told.
        self.acknowledged, self.told = set(), []

    def begun(self):
        for _ in range(2 * SLOTS if self.options & IMMEDIATE else 0):
            self.receive()

    def receive(self):
        """For an immediate, which brings no bytes there. pyverbs has no receive without memory."""
        nowhere = SGE(self.mr.buf + SLOTS * STRIDE - 8, 8, self.mr.lkey)
        self.qp.post_recv(RecvWR(wr_id=SLOTS, num_sge=1, sg=[nowhere]))

    def post(self, page, data=b""):
        """SENDs a message about a page; the slot."""
        slot = self.free.pop()
        at = slot * STRIDE
        magic = self.draw.randbytes(8)
        # Nothing of it may be what is awaited.
        self.mr.write(self.draw.randbytes(PAGE) + bytes(byte ^ 0x55 for byte in magic) + GUARDED, MESSAGE, at)
        numbers = {
            # The low three bits mean nothing.
            "tt_addr": self.first + 8 * page + self.draw.randrange(8),
            "buffer": self.mr.buf + at,
            "signal": self.mr.buf + at + SIGNAL,
            "rkey": self.mr.rkey,
            "key": self.secret,
        }
        message = b""
        for field, length in self.pairs:
            own = {"skip": self.draw.randbytes(length), "magic": magic, "page": data}
            message += own[field] if field in own else numbers[field].to_bytes(length, "big")
        self.mr.write(message, len(message), at + MESSAGE)
        piece = SGE(self.mr.buf + at + MESSAGE, len(message), self.mr.lkey)
        self.qp.post_send(SendWR(wr_id=slot, opcode=e.IBV_WR_SEND, num_sge=1, sg=[piece], send_flags=e.IBV_SEND_SIGNALED))
        self.flying[slot] = (page, magic)
        return slot

    def poll(self):
        """Takes what has ended; statuses other than success."""
        got, done = self.cq.poll(4 * SLOTS)
        wrong = []
        for one in done[:got]:
            if one.status != e.IBV_WC_SUCCESS:
                wrong.append(one.status)
            elif one.opcode == e.IBV_WC_RECV_RDMA_WITH_IMM:
                self.told.append(int.from_bytes(one.imm_data.to_bytes(4, "little"), "big"))
                self.receive()
            else:
                self.acknowledged.add(one.wr_id)
        return wrong

    def signal(self, slot):
        return self.mr.read(8, slot * STRIDE + SIGNAL)

    def replies(self):
        """Whether the node writes to a signal."""
        return self.kind in (MAPPED, UNMAPPED) or self.options & TELLS_SIGNAL

    def ended(self, slot, data):
        """Whether an operation has ended: acknowledged, signalled, told, as far as its function does that; a load that is neither
        signalled nor told has ended when it is there."""
        page, magic = self.flying[slot]
        if slot not in self.acknowledged:
            return False
        empty = bytes(byte ^ 0xFF for byte in magic)
        if self.replies() and self.signal(slot) not in (magic, empty):
            return False
        if self.options & IMMEDIATE and self.kind != INVALIDATE and page not in self.told:
            return False
        silent = self.kind == LOAD and not self.options & (TELLS_SIGNAL | IMMEDIATE)
        return not silent or self.mr.read(PAGE, slot * STRIDE) == data

    def wait(self, slot, data=b""):
        """Waits for an operation's end; whether it was done."""
        until = time.monotonic() + PATIENCE
        while not self.ended(slot, data):
            wrong = self.poll()
            assert not wrong, f"function {self.kind}: statuses {wrong}"
            page = self.flying[slot][0]
            assert time.monotonic() < until, f"function {self.kind} of page {page} does not end"
        page, magic = self.flying.pop(slot)
        at = slot * STRIDE
        same(self.mr.read(MESSAGE - GUARD, at + GUARD), GUARDED, "what lies behind a signal")
        self.acknowledged.discard(slot)
        self.free.append(slot)
        if self.options & IMMEDIATE and self.kind != INVALIDATE:
            self.told.remove(page)
        return not self.replies() or self.signal(slot) == magic


class Table:
    """The pages, and what they must hold."""

    def __init__(self, draw, address, ask, pages, options):
        self.draw, self.options = draw, options
        self.load, self.mapped, self.unmapped, self.invalid = (
            Function(draw, address, ask, kind, options) for kind in (LOAD, MAPPED, UNMAPPED, INVALIDATE)
        )
        assert self.load.entries >= pages, f"{self.load.entries} entries"
        self.model = [None] * pages
        self.operations = self.compared = 0

    def groups(self, pages):
        return (pages[at : at + SLOTS] for at in range(0, len(pages), SLOTS))

    def store(self, pages):
        """Stores pages, by the function that each one is for; they have been stored."""
        for group in self.groups(pages):
            under_way = []
            for page in group:
                data = self.draw.randbytes(PAGE)
                function = self.unmapped if self.model[page] is None else self.mapped
                under_way.append((function, function.post(page, data)))
                self.model[page] = data
            for function, slot in under_way:
                assert function.wait(slot), "no frame for a page within the budget"
        self.operations += len(pages)

    def check(self, pages):
        """Loads pages, and compares them."""
        for group in self.groups(pages):
            slots = [(self.load.post(page), page) for page in group]
            for slot, page in slots:
                self.load.wait(slot, self.model[page])
                self.compared += same(self.load.mr.read(PAGE, slot * STRIDE), self.model[page], f"page {page}")
        self.operations += len(pages)

    def give_up(self, pages):
        for group in self.groups(pages):
            slots = [self.invalid.post(page) for page in group]
            for slot in slots:
                self.invalid.wait(slot)
            for page in group:
                self.model[page] = None
        self.operations += len(pages)

    def held(self):
        return [page for page, data in enumerate(self.model) if data is not None]


def main(address, pid, token, va, pages, frames, options, seed):
    draw = random.Random(seed)
    ask = struct.pack("<4sIBBBB16sQQ", b"MNR1", pid, 0, 3, 0, 0, token, va, pages * PAGE)
    table = Table(draw, address, ask, pages, options)
    order = draw.sample(range(pages), pages)
    inside, beyond = order[:frames], order[frames]
    table.store(inside)
    table.check(draw.sample(inside, frames))
    table.store(draw.sample(inside, frames // 2))
    table.check(inside)
    # The budget is spent.
    data = draw.randbytes(PAGE)
    slot = table.unmapped.post(beyond, data)
    if options & TELLS_EMPTY:
        assert not table.unmapped.wait(slot), "a store past the budget is done"
        table.give_up(inside[:1])
        slot = table.unmapped.post(beyond, data)
    else:
        time.sleep(0.2)
        assert not table.unmapped.poll() and not table.unmapped.ended(slot, b""), "a store past the budget has ended"
        table.give_up(inside[:1])
    assert table.unmapped.wait(slot), "there is a frame now"
    table.model[beyond] = data
    table.operations += 2
    table.check([beyond])
    for _ in range(3):
        table.give_up(draw.sample(table.held(), frames // 3))
        table.store(draw.sample(table.held(), frames // 4))
        empty = [page for page in range(pages) if table.model[page] is None]
        table.store(draw.sample(empty, min(len(empty), frames - len(table.held()))))
        table.check(draw.sample(table.held(), len(table.held())))
    # A page without bytes: refused, and what follows is flushed.
    lost = draw.choice(table.held())
    table.give_up([lost])
    table.load.post(lost)
    table.load.post(table.held()[0])
    statuses = [one.status for one in table.load.completions(2)]
    assert statuses == [e.IBV_WC_REM_ACCESS_ERR, e.IBV_WC_WR_FLUSH_ERR], statuses
    for function in (table.load, table.mapped, table.unmapped, table.invalid):
        function.end()
    left = b"".join(data or bytes(PAGE) for data in table.model)
    print(table.operations + 2, table.compared, fnv(left))


main(
    sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3]), *(int(number) for number in sys.argv[4:9])
)
