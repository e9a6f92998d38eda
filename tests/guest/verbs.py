"""READ, WRITE and atomics on a board's memory from Python: pyverbs of rdma-core, a peer that shares no code with Mneme.

    python3 verbs.py ADDRESS PRIVATE SEED

PRIVATE are the hexadecimal bytes of what is asked for (docs/reference/rdma.md, "Making a connection"): a range of four pages of
4 KB or more that nobody uses meanwhile. The program keeps a model of the range, compares every byte that it reads with it, and ends
with a line `OPERATIONS COMPARED SUM`: how many operations ended as they had to, how many bytes were compared, and FNV-1a of what the
range holds now, which the library then finds, too. A difference ends it with an error.
"""
import random
import struct
import sys

import pyverbs.enums as e
from pyverbs.wr import SGE, SendWR

from connection import Connection, fnv, same

LENGTHS = (1, 8, 63, 1023, 1024, 1025, 4095, 4096, 4097, 9000)
DEPTH = 16
RANGE = 16384
MASK = (1 << 64) - 1


class Native(Connection):
    """A connection for READ, WRITE and atomics."""

    def __init__(self, address, private):
        super().__init__(address, private, DEPTH, 2 * RANGE)
        magic, self.rkey, self.va, self.length = struct.unpack_from("<4s8xI4xQQ", self.granted)
        assert magic == b"MNR1" and self.length >= RANGE, self.granted.hex()

    def post(self, opcode, at, length, place, word=None):
        """Posts an operation on bytes `at` of the range and `place` of the buffer."""
        piece = SGE(self.mr.buf + place, length, self.mr.lkey)
        work = SendWR(opcode=opcode, num_sge=1, sg=[piece], send_flags=e.IBV_SEND_SIGNALED)
        if word is None:
            work.set_wr_rdma(self.rkey, self.va + at)
        else:
            work.set_wr_atomic(rkey=self.rkey, addr=self.va + at, compare_add=word[0], swap=word[1])
        self.qp.post_send(work)

    def reap(self, count):
        """Waits until so many operations have ended; their statuses."""
        return [one.status for one in self.completions(count)]

    def well(self, count):
        statuses = self.reap(count)
        assert statuses == [e.IBV_WC_SUCCESS] * count, statuses


def main(address, private, seed):
    draw = random.Random(seed)
    board = Native(address, private)
    # What the range holds, by this program's account.
    model = bytearray(draw.randbytes(RANGE))
    operations = compared = 0
    board.mr.write(bytes(model), RANGE)
    board.post(e.IBV_WR_RDMA_WRITE, 0, RANGE, 0)
    board.well(1)
    for length in LENGTHS:
        at = draw.randrange(RANGE - length)
        model[at : at + length] = draw.randbytes(length)
        board.mr.write(bytes(model[at : at + length]), length)
        board.post(e.IBV_WR_RDMA_WRITE, at, length, 0)
        board.well(1)
        # More than was written: what lies round it must be as before.
        low, high = max(at - 64, 0), min(at + length + 64, RANGE)
        board.post(e.IBV_WR_RDMA_READ, low, high - low, RANGE)
        board.well(1)
        compared += same(board.mr.read(high - low, RANGE), bytes(model[low:high]), f"WRITE and READ of {length} bytes")
        operations += 2
    for turn in range(48):
        at = 8 * draw.randrange(RANGE // 8)
        (there,) = struct.unpack_from("<Q", model, at)
        if turn % 2:
            added = draw.getrandbits(64)
            board.post(e.IBV_WR_ATOMIC_FETCH_AND_ADD, at, 8, 0, (added, 0))
            left = (there + added) & MASK
        else:
            # Every second one compares with another word, and leaves the memory as it is.
            compare, swap = there ^ (turn // 2 % 2), draw.getrandbits(64)
            board.post(e.IBV_WR_ATOMIC_CMP_AND_SWP, at, 8, 0, (compare, swap))
            left = swap if compare == there else there
        board.well(1)
        compared += same(board.mr.read(8, 0), struct.pack("<Q", there), "what an atomic found")
        struct.pack_into("<Q", model, at, left)
        operations += 1
    # A ticket counter with all in flight: each addition once, in order.
    struct.pack_into("<Q", model, 0, 5)
    board.mr.write(struct.pack("<Q", 5), 8)
    board.post(e.IBV_WR_RDMA_WRITE, 0, 8, 0)
    board.well(1)
    for place in range(DEPTH):
        board.post(e.IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8, 8 * place, (1, 0))
    board.well(DEPTH)
    compared += same(board.mr.read(8 * DEPTH, 0), struct.pack(f"<{DEPTH}Q", *range(5, 5 + DEPTH)), "tickets")
    struct.pack_into("<Q", model, 0, 5 + DEPTH)
    operations += DEPTH + 2
    board.post(e.IBV_WR_RDMA_READ, 0, RANGE, RANGE)
    board.well(1)
    compared += same(board.mr.read(RANGE, RANGE), bytes(model), "the range at the end")
    # Past the range: refused, and what follows is flushed.
    board.post(e.IBV_WR_RDMA_READ, board.length, 8, 0)
    board.post(e.IBV_WR_RDMA_READ, 0, 8, 0)
    statuses = board.reap(2)
    assert statuses == [e.IBV_WC_REM_ACCESS_ERR, e.IBV_WC_WR_FLUSH_ERR], statuses
    board.end()
    print(operations + 3, compared, fnv(model))


main(sys.argv[1], bytes.fromhex(sys.argv[2]), int(sys.argv[3]))
