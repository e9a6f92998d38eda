"""Pages whose entries a test writes into DRAM itself, and what a board has to answer to requests for them."""
import wire
from board import operation_of, time_of

READ_WRITE = wire.PTE_ALLOCATED_BIT, wire.PTE_READ_BIT, wire.PTE_WRITE_BIT
# Bytes of a page that requests reach.
SPAN = 8192


class Table:
    """Where a board of these parameters has a page's entry, as docs/reference/contracts.md §3 tells."""

    def __init__(self, page_bits, mem_bits, slots_log2):
        self.page_bits, self.bits = page_bits, mem_bits - page_bits + slots_log2 - 3
        self.ppn_bits = max(mem_bits - page_bits, wire.PPN_BITS_MIN)
        self.high_bits = wire.VA_BITS - page_bits - self.bits
        self.tag_at = wire.PTE_TAG_TOP_BIT - wire.PID_BITS - self.high_bits

    def tag(self, pid, vpn):
        return pid << self.high_bits | vpn >> self.bits

    def bucket(self, pid, vpn):
        """The address of the page's bucket."""
        mask, fold, rest = (1 << self.bits) - 1, 0, self.tag(pid, vpn)
        while rest:
            fold ^= rest & mask
            rest >>= self.bits
        return 64 * (vpn & mask ^ fold)

    def entry(self, pid, vpn, ppn, *bits):
        """An entry of the page with these bits, by number."""
        word = self.tag(pid, vpn) << self.tag_at | ppn | sum(1 << bit for bit in bits)
        return word | (word.bit_count() & 1) << wire.PTE_PARITY_BIT


class Pages:
    """Pages whose entries the test has written into DRAM, and what a board has to answer to requests for them."""

    def __init__(self, board, table, pages):
        self.board, self.table, self.pages = board, table, pages
        self.model = {}
        for pid, vpn, ppn, rights in pages:
            at = self.at(pid, vpn)
            self.model[pid, vpn] = bytearray(board.draw.randbytes(SPAN))
            board.dram.write(ppn << table.page_bits, bytes(self.model[pid, vpn]))
            board.dram.write_qword(at, table.entry(pid, vpn, ppn, wire.PTE_VALID_BIT, *rights))

    def at(self, pid, vpn):
        """Somewhere in its bucket; pages of one bucket have places of their own."""
        return self.table.bucket(pid, vpn) + 8 * ((pid + vpn) % 8)

    def request(self, opcode, pid, vpn, at, length, payload=b""):
        """What is sent, and a function that makes the expected answer of a time."""
        model, va = self.model.get((pid, vpn)), vpn << self.table.page_bits | at
        number, frame = self.board.request(opcode, va, length, payload, pid)
        rights = next((rights for p, v, _, rights in self.pages if (p, v) == (pid, vpn)), ())
        status, answered = wire.STATUS_OK, b""
        if model is None:
            status, va, length = wire.STATUS_UNMAPPED, 0, 0
        elif opcode != wire.OP_READ and wire.PTE_WRITE_BIT not in rights:
            status, va, length = wire.STATUS_DENIED, wire.CAUSE_RIGHTS << 40, 0
        elif opcode == wire.OP_WRITE:
            model[at:at + length] = payload
        else:
            answered = bytes(model[at:at + length])
            if opcode == wire.OP_FETCH_ADD:
                total = int.from_bytes(answered, "little") + int.from_bytes(payload, "little")
                model[at:at + 8] = (total % (1 << 64)).to_bytes(8, "little")
        return number, frame, lambda time: self.board.answer(opcode, number, time, va, length, answered, pid, status), status

    def drawn(self, pid, vpn):
        draw = self.board.draw
        opcode = draw.choice([wire.OP_READ, wire.OP_WRITE, wire.OP_FETCH_ADD])
        if opcode == wire.OP_FETCH_ADD:
            return self.request(opcode, pid, vpn, 8 * draw.randrange(SPAN // 8), 8, draw.randbytes(8))
        length = draw.choice([1, 8, 63, 64, 65, 1450, draw.randint(1, 1450)])
        payload = draw.randbytes(length) if opcode == wire.OP_WRITE else b""
        return self.request(opcode, pid, vpn, draw.randrange(SPAN - length), length, payload)

    async def ask(self, requests):
        """Sends them in a row; each has to be answered as it must, in whatever order."""
        awaited = {}
        for number, frame, answer, _ in requests:
            awaited[number] = answer
            await self.board.send(frame)
        while awaited:
            came = await self.board.leaves()
            answer = awaited.pop(operation_of(came))(time_of(came))
            assert came == answer, f"{came.hex()} is not {answer.hex()}"


async def served(board, pages):
    table = Table(*[await board.read(r) for r in (wire.REG_PAGE_BITS, wire.REG_MEM_BITS, wire.REG_SLOTS_LOG2)])
    return Pages(board, table, pages)
