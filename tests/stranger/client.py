"""A client of a board, written from docs/reference/protocol.md and docs/reference/wire.md alone.

It shares no code with the project and needs nothing but Python: if it works, the pages say enough.
Usage: client.py HOST:PORT
"""
import random
import socket
import struct
import sys
import time

READ, WRITE, COMPARE_SWAP, FETCH_ADD, SWAP, FENCE = range(1, 7)
OPEN, EXIT, ALLOC, FREE, PROTECT = range(0x10, 0x15)
PING, COUNTERS = 0x20, 0x21
OK, BUSY, NACK, EXPIRED, STALE, CONFLICT, UNMAPPED, DENIED, BADREQUEST, UNSUPPORTED = range(10)
CLOCK, WINDOW, EPOCH, PID, LENGTH, ALIGNMENT, CROSSING, RIGHTS = 7, 9, 10, 17, 18, 19, 20, 21
#: The bit of the first byte that asks for cycles.
TIMED = 1
#: Operations that change something and so need a time that the board knows.
EFFECTS = (WRITE, COMPARE_SWAP, FETCH_ADD, SWAP, OPEN, EXIT, ALLOC, FREE, PROTECT)


class Refused(Exception):
    """An answer that is not OK and that another attempt would not change."""

    def __init__(self, status, cause, hint):
        super().__init__(f"status {status}, cause {cause}, hint {hint}")
        self.status, self.cause, self.hint = status, cause, hint


class Unknown(Exception):
    """The operation took effect once or not at all."""


class Answer:
    """A response, taken apart."""

    def __init__(self, datagram):
        flags, opcode, status = datagram[0], datagram[1], datagram[2]
        self.timed = flags & TIMED != 0
        self.version, self.is_response, self.opcode = flags >> 4, opcode >> 7, opcode & 0x7F
        self.status, self.slow = status & 0x1F, status >> 7
        self.pid = int.from_bytes(datagram[3:6], "big")
        self.op_id, self.attempt = int.from_bytes(datagram[6:10], "big"), datagram[10]
        self.time = int.from_bytes(datagram[11:14], "big")
        self.va = int.from_bytes(datagram[14:20], "big")
        self.length = int.from_bytes(datagram[20:22], "big")
        self.cause, self.hint = self.va >> 40, self.va & 0xFFFFFFFF
        self.payload = datagram[22:]


def request(opcode, epoch, pid, op_id, attempt, tick, va, length, flags=0):
    """The header of a request."""
    first = 1 << 4 | flags
    return (
        struct.pack(">BBB", first, opcode, epoch)
        + pid.to_bytes(3, "big")
        + struct.pack(">IB", op_id, attempt)
        + tick.to_bytes(3, "big")
        + va.to_bytes(6, "big")
        + struct.pack(">H", length)
    )


def since(later, earlier):
    """Ticks from one to the other, the tick's wrap considered: -2^23 to 2^23 - 1."""
    return ((later - earlier + (1 << 23)) & 0xFFFFFF) - (1 << 23)


class Client:
    """One request at a time: ask, wait, ask again."""

    def __init__(self, host, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((host, port))
        self.next_id = random.getrandbits(32)
        self.pid, self.epoch, self.token = 0, 0, bytes(16)
        self.tick, self.heard = 0, None
        #: How many answers are thrown away from now on, as a network does.
        self.lose = 0
        self.info()

    def info(self, pid=0):
        """PING: who is there. With a pid it renews that process's lease."""
        answer = self.ask(PING, 0, bytes(64), pid=pid, epoch=self.epoch if pid else 0)
        names = "board_id nonce token tick window ns_per_tick capabilities memory max_payload page_bits epoch".split()
        self.board = dict(zip(names, struct.unpack_from("<QQQIIIIQHBB", answer.payload)))
        self.epoch = self.board["epoch"]
        return self.board

    def now(self):
        """The board's tick, carried forward by our clock."""
        passed = time.monotonic() - self.heard
        return (self.tick + int(passed * 1e9 / self.board["ns_per_tick"])) & 0xFFFFFF

    def datagram(self, opcode, va, payload, length, op_id, attempt, tick, pid, epoch, flags):
        """Sends one attempt."""
        header = request(opcode, epoch, pid, op_id, attempt, tick, va, length, flags)
        self.socket.send(header + payload)

    def answer(self, opcode, op_id, wait):
        """The answer to an operation, or None when the wait is over."""
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                datagram = self.socket.recv(65536)
            except TimeoutError:
                break
            if len(datagram) < 22:
                continue
            answer = Answer(datagram)
            if answer.version != 1 or not answer.is_response or (answer.opcode, answer.op_id) != (opcode, op_id):
                continue
            if not answer.timed:
                self.tick, self.heard = answer.time, time.monotonic()
            if self.lose:
                self.lose -= 1
                continue
            return answer
        return None

    def ask(self, opcode, va=0, payload=b"", length=None, pid=None, epoch=None, flags=0, attempts=8):
        """An operation: attempts under one id and one time until an answer decides."""
        pid, epoch = self.pid if pid is None else pid, self.epoch if epoch is None else epoch
        length = len(payload) if length is None else length
        op_id, self.next_id = self.next_id, (self.next_id + 1) & 0xFFFFFFFF
        # A time that is ahead by a quarter of the window is refused: never carry a tick on for longer than an eighth.
        if opcode in EFFECTS and (time.monotonic() - self.heard) * 1e9 > self.window_ns() / 8:
            self.info()
        tick = self.now() if opcode in EFFECTS else self.tick
        wait = 0.1
        for attempt in range(attempts):
            self.datagram(opcode, va, payload, length, op_id, attempt, tick, pid, epoch, flags)
            answer = self.answer(opcode, op_id, wait)
            if answer is None:
                wait = min(2 * wait, 1.0)
            elif answer.status == OK:
                self.sent = dict(op_id=op_id, tick=tick, attempt=attempt)
                return answer
            elif answer.status == BUSY:
                time.sleep(max(answer.hint, 1000) / 1e9)
            elif answer.status == EXPIRED and opcode in EFFECTS:
                raise Unknown(f"expired after {since(answer.time, tick)} ticks")
            elif answer.status not in (NACK, EXPIRED):
                raise Refused(answer.status, answer.cause, answer.hint)
        raise Unknown("no answer")

    def window_ns(self):
        """The window of writes and atomics."""
        return self.board["window"] * self.board["ns_per_tick"]

    def open(self, lease_ns=10**10):
        """A process of its own."""
        answer = self.ask(OPEN, 0, struct.pack("<IIQ", 0, 0, lease_ns) + bytes(96), pid=0)
        self.pid, _, self.lease = struct.unpack_from("<IIQ", answer.payload)
        self.token = answer.payload[16:32]
        assert len(answer.payload) == 112 and self.pid and self.token != bytes(16)

    def join(self, pid, token):
        """A process of another client."""
        answer = self.ask(OPEN, 0, struct.pack("<IIQ16s", 1, 0, 0, token) + bytes(80), pid=pid)
        self.pid, self.token = pid, token
        return answer

    def alloc(self, size, rights=3):
        """A range: its address and size."""
        answer = self.ask(ALLOC, 0, struct.pack("<QBBBB", size, rights, 0, 0, 0) + bytes(28))
        return struct.unpack_from("<Q", answer.payload, 32)[0], struct.unpack_from("<Q", answer.payload)[0]

    def pieces(self, va, size):
        """A range cut at page borders and at the largest payload."""
        page, most = 1 << self.board["page_bits"], self.board["max_payload"]
        while size:
            piece = min(size, most, page - va % page)
            yield va, piece
            va, size = va + piece, size - piece

    def write(self, va, data):
        """Any number of bytes at any address."""
        at = 0
        for piece, size in self.pieces(va, len(data)):
            assert self.ask(WRITE, piece, data[at : at + size]).length == size
            at += size

    def read(self, va, size):
        """Any number of bytes from any address."""
        return b"".join(self.ask(READ, piece, length=part).payload for piece, part in self.pieces(va, size))

    def atomic(self, opcode, va, *words):
        """An atomic: the word before."""
        answer = self.ask(opcode, va, struct.pack(f"<{len(words)}Q", *words), length=8)
        return struct.unpack("<Q", answer.payload)[0]

    def exit(self):
        """The end of the process."""
        self.ask(EXIT)
        self.pid = 0


def refused(status, cause, call):
    """The call must be refused so."""
    try:
        call()
    except Refused as refusal:
        assert (refusal.status, refusal.cause) == (status, cause), refusal
        return refusal
    raise AssertionError(f"not refused with {status}, {cause}")


def memory(client):
    """Bytes, words and borders."""
    page = 1 << client.board["page_bits"]
    va, size = client.alloc(2 * page)
    assert size == 2 * page and va % page == 0 and va > 0
    assert client.read(va, 100) == bytes(100), "what was never written is zero"
    data = random.Random(1).randbytes(5000)
    client.write(va + page - 2500, data)
    assert client.read(va + page - 2500, 5000) == data, "across the page border"
    assert client.atomic(FETCH_ADD, va, 5) == 0
    assert client.atomic(COMPARE_SWAP, va, 4, 9) == 5, "another word than the expected one"
    assert client.atomic(COMPARE_SWAP, va, 5, 9) == 5
    assert client.atomic(SWAP, va, 1) == 9
    assert client.read(va, 8) == struct.pack("<Q", 1)
    assert client.ask(FENCE).length == 0
    cycles = client.ask(READ, va, length=8, flags=TIMED)
    assert cycles.timed and cycles.time > 0, "how many cycles it took"
    refused(BADREQUEST, ALIGNMENT, lambda: client.atomic(SWAP, va + 4, 0))
    refused(BADREQUEST, CROSSING, lambda: client.ask(READ, va + page - 1, length=2))
    refused(BADREQUEST, LENGTH, lambda: client.ask(READ, va, length=0))
    refused(UNMAPPED, 0, lambda: client.ask(READ, va + (1 << 40), length=8))
    client.ask(PROTECT, va, struct.pack("<QB", page, 1) + bytes(7))
    refused(DENIED, RIGHTS, lambda: client.write(va, b"no"))
    freed = client.ask(FREE, va, struct.pack("<QB", 0, 0) + bytes(7))
    assert struct.unpack_from("<Q", freed.payload)[0] == size
    refused(UNMAPPED, 0, lambda: client.read(va, 8))


def lost_answers(client):
    """An operation whose answer was lost is asked for again, and executed once."""
    va, _ = client.alloc(1)
    client.lose = 1
    assert client.atomic(FETCH_ADD, va, 7) == 0, "the second attempt is told what the first one did"
    assert client.sent["attempt"] == 1
    assert client.read(va, 8) == struct.pack("<Q", 7), "added once"
    # A copy that the network kept: the same id, time and content. It is answered, and changes nothing.
    client.write(va, struct.pack("<Q", 100))
    again = dict(client.sent)
    client.write(va, struct.pack("<Q", 200))
    client.datagram(WRITE, va, struct.pack("<Q", 100), 8, again["op_id"], 0, again["tick"], client.pid, client.epoch, 0)
    assert client.answer(WRITE, again["op_id"], 2.0).status == OK
    assert client.read(va, 8) == struct.pack("<Q", 200)
    # The same id for something else.
    client.datagram(WRITE, va + 8, bytes(8), 8, again["op_id"], 0, again["tick"], client.pid, client.epoch, 0)
    assert client.answer(WRITE, again["op_id"], 2.0).status == CONFLICT
    # The slow path remembers, too: one ALLOC, asked for twice, gives one range.
    client.lose = 1
    first, _ = client.alloc(1)
    assert client.sent["attempt"] == 1
    second, _ = client.alloc(1)
    assert first != second


def times(client):
    """Times outside the window are not served."""
    va, _ = client.alloc(1)
    window = client.board["window"]
    client.info()
    for wrong, status, cause in ((-window - 2, EXPIRED, WINDOW), (window // 2, BUSY, CLOCK)):
        op_id, client.next_id = client.next_id, client.next_id + 1 & 0xFFFFFFFF
        tick = client.tick + wrong & 0xFFFFFF
        client.datagram(WRITE, va, b"x", 1, op_id, 0, tick, client.pid, client.epoch, 0)
        answer = client.answer(WRITE, op_id, 2.0)
        assert (answer.status, answer.cause) == (status, cause), (answer.status, answer.cause)
    assert client.read(va, 1) == b"\0"


def two_clients(client, host, port):
    """Another client joins by the token, and by nothing less."""
    va, _ = client.alloc(1)
    client.write(va, b"shared")
    other = Client(host, port)
    refused(DENIED, RIGHTS, lambda: other.join(client.pid, bytes(16)))
    other.join(client.pid, client.token)
    assert other.read(va, 6) == b"shared"
    other.info(pid=other.pid)
    stale = client.epoch % 255 + 1
    assert refused(STALE, EPOCH, lambda: other.ask(READ, va, length=1, epoch=stale)).hint & 0xFF == client.epoch
    refused(BADREQUEST, PID, lambda: other.ask(PING, 0, bytes(64), pid=0xABCDE, epoch=client.epoch))


def main():
    """All of it against one board."""
    host, port = sys.argv[1].rsplit(":", 1)
    client = Client(host, int(port))
    client.open()
    memory(client)
    lost_answers(client)
    times(client)
    two_clients(client, host, int(port))
    counters = client.ask(COUNTERS, 0, struct.pack("<II", 0, 2) + bytes(16))
    first, count, received, sent = struct.unpack("<IIQQ", counters.payload)
    assert (first, count) == (0, 2) and received >= sent > 0, "frames in and out"
    pid = client.pid
    client.exit()
    refused(BADREQUEST, PID, lambda: client.ask(PING, 0, bytes(64), pid=pid))
    print(f"{sys.argv[1]}: a client that was written from the pages alone is served")


if __name__ == "__main__":
    main()
