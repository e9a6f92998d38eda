//! A fast path whose own instructions do not count: those of the slow path do, and its accesses to the board, of which each is a way
//! to hardware and back on a real one.
use mneme_slowpath::{FastPath, RingFull};
use mneme_wire::{Counter, Register};

/// Instructions that do nothing, by which an emulator's plugin knows what to count (insn_count.c).
#[derive(Clone, Copy)]
pub enum Marker {
    /// What follows counts.
    Begin,
    /// It does not any more.
    End,
    /// A request is over: its count is to be told.
    Tell,
}

impl Marker {
    /// Executes it. On other processors it is nothing.
    #[inline(always)]
    pub fn execute(self) {
        #[cfg(target_arch = "aarch64")]
        // SAFETY: hints that mean nothing are no operations.
        unsafe {
            match self {
                Marker::Begin => std::arch::asm!("hint #100"),
                Marker::End => std::arch::asm!("hint #101"),
                Marker::Tell => std::arch::asm!("hint #102"),
            }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: it is the NOP of eight bytes; its address is not accessed.
        unsafe {
            match self {
                Marker::Begin => std::arch::asm!(".byte 0x0f, 0x1f, 0x84, 0x00, 0x6d, 0x6e, 0x65, 0x01"),
                Marker::End => std::arch::asm!(".byte 0x0f, 0x1f, 0x84, 0x00, 0x6d, 0x6e, 0x65, 0x02"),
                Marker::Tell => std::arch::asm!(".byte 0x0f, 0x1f, 0x84, 0x00, 0x6d, 0x6e, 0x65, 0x03"),
            }
        }
    }
}

/// Accesses to the board.
#[derive(Debug, Default, Clone, Copy)]
pub struct Accesses {
    pub reads: u64,
    pub writes: u64,
}

/// A fast path that is looked at.
pub struct Counted<'a, F> {
    pub inner: &'a mut F,
    pub accesses: &'a mut Accesses,
}

impl<F> Counted<'_, F> {
    fn uncounted<T>(&mut self, does: impl FnOnce(&mut F, &mut Accesses) -> T) -> T {
        Marker::End.execute();
        let done = does(self.inner, self.accesses);
        Marker::Begin.execute();
        done
    }
}

impl<F: FastPath> FastPath for Counted<'_, F> {
    fn read_register(&mut self, register: Register) -> u32 {
        self.uncounted(|inner, accesses| {
            accesses.reads += 1;
            inner.read_register(register)
        })
    }
    fn write_register(&mut self, register: Register, value: u32) {
        self.uncounted(|inner, accesses| {
            accesses.writes += 1;
            inner.write_register(register, value);
        });
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.uncounted(|inner, accesses| {
            accesses.reads += 1;
            inner.read_counter(counter)
        })
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.uncounted(|inner, _| inner.receive(into))
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        self.uncounted(|inner, _| inner.send(frame))
    }
    fn read_memory(&mut self, address: u64, into: &mut [u8]) {
        self.uncounted(|inner, _| inner.read_memory(address, into));
    }
    fn write_memory(&mut self, address: u64, from: &[u8]) {
        self.uncounted(|inner, _| inner.write_memory(address, from));
    }
}
