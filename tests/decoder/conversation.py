"""The Mneme layer of a capture: each packet by itself, each answer against its request, reads against writes."""
import socket
import struct

import mneme_layers as mneme
import trailers
from memory import Memory

TICKS = 1 << 24


def demand(condition, text):
    """Raises the text as a ValueError unless the condition holds."""
    if not condition:
        raise ValueError(text)


def rest(layer):
    """The bytes behind a layer."""
    return bytes(layer.payload)


def older(now, then):
    """Ticks from `then` to `now`, negative when `then` is ahead."""
    return (now - then + TICKS // 2) % TICKS - TICKS // 2


class Conversation:
    """Requests wait here for their answers."""

    def __init__(self, keys=None):
        #: The board's keys by key phase; of a phase without one tags are not verified.
        self._keys = keys or {}
        #: The boards' ticks of 64 bits, as they told them last.
        self._full = {}
        self._open = {}
        self._operations = {}
        self._results = {}
        self._memory = Memory()
        self._board = {}
        self._ticks = {}
        self.answers = 0

    def packet(self, number, ether, ip, udp, message, trailer=b""):
        """One packet with its lower layers."""
        demand(message.version == 1, f"wire version {message.version}")
        demand(message.operation is not None, f"unknown opcode {message.opcode:#04x}")
        demand(not message.timed or message.opcode < mneme.SLOW_PATH, f"a timed {message.operation}")
        if message.response:
            self._response(ether, ip, udp, message, trailer)
        else:
            self._sealed(ip, udp, message, trailer, ip.dst, message.tick)
            self._request(number, ether, ip, udp, message)

    def _sealed(self, ip, udp, message, found, board, time):
        """The trailer of a packet is right; `time` is its request's."""
        key = self._keys.get(message.key_phase)
        if message.trailer == trailers.TAG and (key is None or board not in self._full):
            return
        upper = trailers.upper_bits(self._full.get(board, 0), time)
        key = key and trailers.process_key(key, message.pid)
        addresses = struct.pack("!4s4sHH", socket.inet_aton(ip.src), socket.inet_aton(ip.dst), udp.sport, udp.dport)
        made = trailers.trailer(message.trailer, addresses, bytes(message), key, upper)
        demand(made == found, f"the trailer is {found.hex()}, not {made.hex()}")

    def unanswered(self):
        """Numbers of the frames whose requests have no answer."""
        return sorted(number for entries in self._open.values() for number, *_ in entries)

    def _request(self, number, ether, ip, udp, message):
        check_request(message)
        source = (ip.src, udp.sport, ip.dst)
        board = self._board.get(ip.dst)
        if message.epoch_or_status == 0:
            demand(message.operation == "PING", f"{message.operation} with epoch 0")
        elif board:
            demand(message.epoch_or_status == board.epoch, f"epoch {message.epoch_or_status}, the board told {board.epoch}")
            demand(message.length <= board.max_payload, f"{message.length} bytes, the board takes {board.max_payload}")
        operation = (source, message.op_id)
        identity = (message.opcode, message.pid, message.va, message.length, message.tick, rest(message))
        # Attempts of one operation are the same request, its time included.
        known = self._operations.setdefault(operation, identity)
        demand(known == identity, f"operation {message.op_id:#x} changes between its attempts")
        self._open.setdefault((source, message.op_id, message.attempt), []).append((number, ether, ip, message))

    def _response(self, ether, ip, udp, message, trailer):
        demand(message.epoch_or_status & 0x60 == 0, "reserved bits of the status byte are set")
        demand(message.status is not None, f"unknown status {message.epoch_or_status & 0x1F}")
        demand(udp.chksum == 0, f"a response with UDP checksum {udp.chksum:#06x}")
        demand((ip.id, str(ip.flags), ip.ttl) == (0, "DF", 64), f"a response with IP id {ip.id}, {ip.flags}, TTL {ip.ttl}")
        waiting = self._open.get(((ip.dst, udp.dport, ip.src), message.op_id, message.attempt))
        demand(waiting, f"{message.operation} answer to no request")
        _, request_ether, request_ip, request = waiting[0]
        demand((ether.src, ether.dst) == (request_ether.dst, request_ether.src), "MAC addresses are not the request's swapped")
        for name in ("opcode", "key_phase", "pid"):
            demand(getattr(message, name) == getattr(request, name), f"{name} is not the request's")
        # Some answers are for those who have no key, or who were not understood.
        kind = trailers.NONE if message.status in trailers.BARE else request.trailer
        demand(message.trailer == kind, f"{message.status} with trailer {message.trailer}, not {kind}")
        self._sealed(ip, udp, message, trailer, ip.src, request.tick)
        # Only OK tells how long it took.
        timed = request.timed if message.status == "OK" else 0
        demand(message.timed == timed, f"{message.status} with the flag timed {message.timed}, not {timed}")
        if message.timed:
            demand(message.tick > 0, "a request that took no time")
        elif message.opcode < mneme.SLOW_PATH:
            # The slow path's answers wait for their way out, so only the fast path's ticks never go back.
            last = self._ticks.get(ip.src, message.tick)
            demand(older(message.tick, last) >= 0, f"the board's tick went back from {last} to {message.tick}")
            self._ticks[ip.src] = message.tick
        if message.status == "OK":
            check_ok(request, message)
            if message.operation == "OPEN" and len(rest(message)) != mneme.SECURE_OPEN:
                # OPEN with pid 0 asks for any.
                demand(request.pid in (0, mneme.OpenAnswer(rest(message)).pid), "not the pid that was asked for")
            if self._first((ip.dst, udp.dport, ip.src), message):
                self._effect(ip.src, request, message)
        else:
            check_refusal(message)
            if request.operation in ("WRITE", *mneme.ATOMIC_PAYLOAD) and message.status in ("BUSY", "EXPIRED"):
                # An earlier copy may have run, or still run.
                self._memory.doubt((ip.src, request.pid), request.va, request.length)
        waiting.pop(0)
        self.answers += 1
        if not waiting:
            del self._open[((ip.dst, udp.dport, ip.src), message.op_id, message.attempt)]

    def _first(self, source, answer):
        """Whether this OK is the one of the execution; further ones of the operation must repeat it."""
        if answer.operation in mneme.IDEMPOTENT:
            return True
        known = self._results.setdefault((source, answer.op_id), None)
        demand(known in (None, rest(answer)), f"operation {answer.op_id:#x} is answered again with another result")
        self._results[(source, answer.op_id)] = rest(answer)
        return known is None

    def _effect(self, board, request, answer):
        """What an OK answer says about memory and about the board."""
        name, data, process = request.operation, rest(answer), (board, request.pid)
        if name == "READ":
            offset = self._memory.differs(process, request.va, data)
            demand(offset is None, f"a read of {request.va:#x} differs at byte {offset} from what was written there")
        elif name == "WRITE":
            self._memory.write(process, request.va, rest(request))
        elif name in mneme.ATOMIC_PAYLOAD:
            self._atomic(process, request, data)
        elif name == "ALLOC":
            given, asked = mneme.Alloc(data), mneme.Alloc(rest(request))
            demand(given.size >= asked.size, f"{given.size} bytes given for {asked.size}")
            demand(not asked.fixed or given.va == request.va, f"given {given.va:#x}, asked {request.va:#x}")
            self._memory.allocate(process, given.va, given.size)
        elif name == "FREE":
            self._memory.forget(process, request.va, mneme.RangeRights(data).size)
        elif name == "EXIT":
            self._memory.exit(process if request.va == 0 else (*process[:-1], request.va))
        elif name == "PING" or name == "OPEN" and len(data) != mneme.SECURE_OPEN:
            info = mneme.BoardInfo(data if name == "PING" else data[48:])
            known = self._board.setdefault(board, info)
            for field in ("board_id", "nonce", "epoch", "window", "memory", "max_payload", "page_bits"):
                demand(getattr(info, field) == getattr(known, field), f"the board's {field} changed")
            self._full[board] = info.full_tick

    def _atomic(self, process, request, data):
        offset = self._memory.differs(process, request.va, data)
        demand(offset is None, f"an atomic's old value differs from what {request.va:#x} held")
        old, operands = struct.unpack("<Q", data)[0], rest(request)
        if request.operation == "FETCH_ADD":
            new = (old + struct.unpack("<Q", operands)[0]) % (1 << 64)
        elif request.operation == "SWAP":
            new = struct.unpack("<Q", operands)[0]
        else:
            expected, wanted = struct.unpack("<QQ", operands)
            new = wanted if old == expected else old
        self._memory.write(process, request.va, struct.pack("<Q", new))


def check_request(message):
    """Lengths and payload of a request that CLib may send."""
    name, payload = message.operation, rest(message)
    if name not in ("PING", "OPEN", "COUNTERS", "PROCESSES"):
        demand(message.pid != 0, f"{name} with pid 0")
    if name == "READ":
        demand(not payload and message.length > 0, f"READ of {message.length} bytes with {len(payload)} of payload")
    elif name == "FENCE":
        demand(not payload and message.length == 0, "FENCE with a length or a payload")
    elif name in mneme.ATOMIC_PAYLOAD:
        demand(len(payload) == mneme.ATOMIC_PAYLOAD[name], f"{name} with {len(payload)} bytes of payload")
        demand(message.length == 8 and message.va % 8 == 0, f"{name} of {message.length} bytes at {message.va:#x}")
    else:
        demand(len(payload) == message.length, f"{name} says {message.length} bytes and carries {len(payload)}")
        if name == "WRITE":
            demand(payload, "WRITE of nothing")
        check_layout(name, payload, answer=False)
    tagged = message.trailer == trailers.TAG
    if name == "PROCESSES":
        demand((message.pid != 0) == tagged, f"PROCESSES with pid {message.pid} and trailer {message.trailer}")
    if name == "EXIT":
        # The pid of another process of the tenant, which a tag proves.
        demand(message.va < (1 << 24 if tagged else 1), f"EXIT with va {message.va:#x}")
    if name in ("PING", "OPEN", "COUNTERS", "PROCESSES", "FENCE") or name == "ALLOC" and not mneme.Alloc(payload).fixed:
        demand(message.va == 0, f"{name} with va {message.va:#x}")


def check_ok(request, answer):
    """Lengths and payload of an OK answer."""
    name, payload = answer.operation, rest(answer)
    demand(answer.va == request.va, f"va {answer.va:#x} is not the request's {request.va:#x}")
    expected = {"WRITE": 0, "FENCE": 0, "READ": request.length}
    expected.update(dict.fromkeys(mneme.ATOMIC_PAYLOAD, 8))
    length = {"WRITE": request.length}.get(name, expected.get(name, len(rest(request))))
    demand(answer.length == length, f"{name} answers length {answer.length}, not {length}")
    carried = expected.get(name, length)
    demand(len(payload) == carried, f"{name} answers {len(payload)} bytes of payload, not {carried}")
    check_layout(name, payload, answer=True)


def check_refusal(message):
    """An answer that is not OK is a header alone with cause, zero and hint."""
    demand(not rest(message), f"{message.status} with a payload")
    if message.status == "MOVED":
        return
    demand(message.length == 0, f"{message.status} with length {message.length}")
    cause, zero, hint = message.va >> 40, message.va >> 32 & 0xFF, message.va & 0xFFFFFFFF
    demand(cause <= mneme.LAST_CAUSE, f"unknown cause {cause:#04x}")
    demand(zero == 0, "the byte below the cause is not zero")
    if message.status == "STALE":
        demand(0 < hint < 256, f"STALE tells epoch {hint}")
    elif message.status != "BUSY" and message.opcode < mneme.SLOW_PATH:
        # The slow path's hint says what would work: bytes, slots.
        demand(hint == 0, f"{message.status} with the hint {hint}")


def check_processes(list_of, size, answer):
    """A list of processes, or the question for one."""
    room, odd = divmod(size - 8, 48)
    demand(1 <= room <= 128 and odd == 0, f"PROCESSES of {size} bytes")
    if not answer:
        demand(list_of.count == room, f"{list_of.count} processes asked for with room for {room}")
        demand(not any(list_of.entries), "a question for processes that holds some")
        return
    demand(list_of.count <= room, f"{list_of.count} processes in room for {room}")
    demand(not any(list_of.entries[48 * list_of.count :]), "bytes behind the last process")
    last = list_of.after
    for process in list_of.told():
        demand(last < process.pid < 1 << 24, f"process {process.pid} after {last}")
        demand(process.state < 4, f"process {process.pid} in state {process.state:#x}")
        demand(process.pages <= process.slots, f"process {process.pid}: {process.pages} pages in {process.slots} slots")
        last = process.pid


def check_layout(name, payload, answer):
    """The payload of a slow-path operation."""
    if name == "COUNTERS":
        counters = mneme.Counters(payload)
        demand(1 <= counters.count <= 128, f"{counters.count} counters")
        demand(len(payload) == 8 + 8 * counters.count, f"{len(payload)} bytes for {counters.count} counters")
        demand(answer or not any(counters.values), "a question for counters that holds values")
        return
    if name == "PROCESSES":
        check_processes(mneme.Processes(payload), len(payload), answer)
        return
    if name not in mneme.LAYOUTS:
        demand(name != "EXIT" or not payload, "EXIT with a payload")
        return
    if name == "OPEN" and len(payload) == mneme.SECURE_OPEN:
        return
    request, reply, size = mneme.LAYOUTS[name]
    demand(len(payload) == size, f"{name} with {len(payload)} bytes of payload, not {size}")
    layer = (reply if answer else request)(payload)
    if name == "PING" and not answer:
        demand(not any(payload), "a PING that is not all zero")
    if name == "OPEN" and not answer:
        first, size = layer.window_first, layer.window_bytes
        whole = first % mneme.REGION == 0 and size % mneme.REGION == 0 and first + size <= 1 << 48
        demand(whole and (size or not first), f"a window of {size} bytes at {first:#x}")
        demand(not (layer.flags & 1 and size), "who joins asks for a window")
    if name == "OPEN" and answer:
        demand(0 < layer.pid < 1 << 24, f"pid {layer.pid}")
        layer = layer[mneme.BoardInfo]
    demand(not any(layer.getfieldval("zero")), f"{name}: bytes that must be zero are not")
    if isinstance(layer, mneme.BoardInfo) and answer:
        demand(layer.epoch != 0 and layer.tick < TICKS, f"epoch {layer.epoch}, tick {layer.tick}")
    if isinstance(layer, (mneme.Alloc, mneme.RangeRights)):
        demand(layer.rights < 4, f"rights {layer.rights:#x}")
    if isinstance(layer, mneme.Alloc) and answer:
        demand(layer.size > 0 and layer.va + layer.size <= 1 << 48, f"{layer.size} bytes at {layer.va:#x}")
