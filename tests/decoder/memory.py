"""What remote memory must hold, told from the packets alone."""

#: Unit of bookkeeping. Allocations are whole board pages, which are multiples of it.
PAGE = 4096


class Page:
    """Bytes, and which of them are known."""

    def __init__(self, known):
        self.data = bytearray(PAGE)
        self.known = bytearray([known]) * PAGE


class Memory:
    """Bytes by (process, va), zero after ALLOC, as acknowledged writes left them.

    A byte that no seen packet decides is unknown and matches anything: a capture may begin late.
    """

    def __init__(self):
        self._pages = {}
        # Allocated and not touched since: zeros that need no room.
        self._fresh = set()

    def _pieces(self, process, va, size):
        """The parts of a range within one page each: key, first byte in the page, first byte in the range, bytes."""
        at = 0
        while at < size:
            offset = (va + at) % PAGE
            length = min(size - at, PAGE - offset)
            yield (process, (va + at) // PAGE), offset, at, length
            at += length

    def _page(self, key):
        if key not in self._pages:
            self._pages[key] = Page(key in self._fresh)
            self._fresh.discard(key)
        return self._pages[key]

    def allocate(self, process, va, size):
        """A fresh range reads zeros."""
        self.forget(process, va, size)
        self._fresh.update((process, n) for n in range(va // PAGE, (va + size) // PAGE))

    def forget(self, process, va, size):
        """A freed range holds nothing that we may expect."""
        for number in range(va // PAGE, (va + size) // PAGE):
            self._pages.pop((process, number), None)
            self._fresh.discard((process, number))

    def exit(self, process):
        """Everything of a process is gone."""
        self._pages = {k: p for k, p in self._pages.items() if k[0] != process}
        self._fresh = {k for k in self._fresh if k[0] != process}

    def write(self, process, va, data):
        """An acknowledged write."""
        for key, offset, at, length in self._pieces(process, va, len(data)):
            page = self._page(key)
            page.data[offset : offset + length] = data[at : at + length]
            page.known[offset : offset + length] = b"\1" * length

    def doubt(self, process, va, size):
        """A write whose outcome nobody saw."""
        for key, offset, _, length in self._pieces(process, va, size):
            self._page(key).known[offset : offset + length] = bytes(length)

    def differs(self, process, va, data):
        """Offset of the first byte that is known to be another one, None when all agree."""
        for key, offset, at, length in self._pieces(process, va, len(data)):
            page = self._page(key)
            here, known = page.data[offset : offset + length], page.known[offset : offset + length]
            there = data[at : at + length]
            if here == there:
                continue
            for i in range(length):
                if known[i] and here[i] != there[i]:
                    return at + i
        return None
