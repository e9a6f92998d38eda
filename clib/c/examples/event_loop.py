"""Remote memory in Python's asyncio, by the C library and nothing but Python's standard library.

    python3 event_loop.py /usr/local/lib/libmneme.so 127.0.0.1:19790

The queue's descriptor is one of asyncio's: the loop sleeps until calls have ended, and runs other tasks meanwhile.
"""
import asyncio
import ctypes
import sys
from ctypes import byref, c_bool, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

# Words, and how many reads of them are in flight at a time.
WORDS, TOGETHER = 1000, 200
# What a process gets that asks for nothing else: MNEME_DEFAULT_LEASE.
LEASE = 30_000_000_000
# MNEME_UNMAPPED of enum mneme_code.
UNMAPPED = 8


class MnemeError(Exception):
    """A call that did not end well."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Library:
    """The functions of mneme.h, without their prefix. A code other than MNEME_OK is an exception."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.mneme_last_error.restype = c_char_p

    def __getattr__(self, name):
        function = getattr(self.library, f"mneme_{name}")

        def call(*arguments):
            code = function(*arguments)
            if code != 0:
                raise MnemeError(code, self.library.mneme_last_error().decode())

        return call


class Memory:
    """A process's memory, whose reads are awaited. Used by one event loop."""

    def __init__(self, library, client, process):
        self.library, self.process, self.queue = library, process, c_void_p()
        self.waiting = {}
        library.queue_create(client, byref(self.queue))
        descriptor = c_int32()
        library.queue_descriptor(self.queue, byref(descriptor))
        self.descriptor = descriptor.value
        asyncio.get_running_loop().add_reader(self.descriptor, self.ended)

    def close(self):
        asyncio.get_running_loop().remove_reader(self.descriptor)
        self.library.library.mneme_queue_close(self.queue)

    async def read(self, va, size):
        """The bytes of a range. The buffer lives until the call has ended, whatever becomes of the task."""
        into, call = ctypes.create_string_buffer(size), c_void_p()
        self.library.rread_async(self.process, c_uint64(va), into, c_size_t(size), byref(call))
        future = asyncio.get_running_loop().create_future()
        # Numbers of calls in flight differ: their handles'.
        self.waiting[call.value] = (future, into)
        self.library.notify(call, self.queue, c_uint64(call.value))
        return await future

    def ended(self):
        """The descriptor is readable: takes the tags of all calls that have ended."""
        found, tag, done = c_bool(), c_uint64(), c_bool()
        while True:
            self.library.queue_next(self.queue, byref(found), byref(tag))
            if not found.value:
                return
            future, into = self.waiting.pop(tag.value)
            try:
                self.library.rpoll(c_void_p(tag.value), byref(done), None)
                assert done.value, "a call whose tag came has ended"
                result, error = into.raw, None
            except MnemeError as failed:
                result, error = None, failed
            # A task that was cancelled waits no more.
            if not future.done():
                future.set_exception(error) if error else future.set_result(result)


async def others(turns):
    """What the loop does beside remote memory."""
    while True:
        turns.append(True)
        await asyncio.sleep(0.001)


async def run(library, client, process):
    va, words = c_uint64(), b"".join((3 * n).to_bytes(8, "little") for n in range(WORDS))
    library.ralloc(process, c_uint64(len(words)), None, byref(va))
    library.rwrite(process, va, words, c_size_t(len(words)))
    memory, turns, places = Memory(library, client, process), [], asyncio.Semaphore(TOGETHER)

    async def word(n):
        async with places:
            return await memory.read(va.value + 8 * n, 8)

    beside = asyncio.create_task(others(turns))
    got = await asyncio.wait_for(asyncio.gather(*map(word, range(WORDS))), 60)
    assert b"".join(got) == words, "every word comes to who has asked for it"
    try:
        await asyncio.wait_for(memory.read(1 << 40, 8), 60)
        raise AssertionError("nothing is there")
    except MnemeError as error:
        assert error.code == UNMAPPED, error
    gone = asyncio.create_task(memory.read(va.value, 8))
    await asyncio.sleep(0)
    gone.cancel()
    while memory.waiting:
        await asyncio.sleep(0.001)
    beside.cancel()
    assert gone.cancelled() and turns, "other tasks had their turns"
    memory.close()
    print(f"{WORDS} reads in asyncio, {TOGETHER} at a time: all words are right")


def main(path, board):
    library, client, process = Library(path), c_void_p(), c_void_p()
    library.connect(board.encode(), None, byref(client))
    library.open(client, c_uint32(0), c_uint64(LEASE), byref(process))
    asyncio.run(run(library, client, process))
    library.exit(process)
    library.library.mneme_disconnect(client)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} LIBRARY BOARD")
    main(*sys.argv[1:])
