//! Asynchronous calls on memory that is handed over: no byte is copied but into or out of the packets.
use crate::error::{Code, Failure, Outcome};
use crate::pending::{Call, MnemePending, begin};
use crate::process::{MOST, MnemeProcess, TOO_MUCH};
use mneme_clib::Lent;
use std::ffi::c_void;
use std::ptr::NonNull;

/// Takes `size` bytes of `memory` back that were handed over. `context` is the one that came with them. Any thread may call
/// it. It must neither call a function of this library nor wait for a thread that does, and must return (no longjmp, no
/// C++ exception).
pub type MnemeRelease = Option<unsafe extern "C" fn(context: *mut c_void, memory: *mut c_void, size: usize)>;

/// Memory of a program that is the library's until it is dropped.
struct Loan {
    memory: NonNull<c_void>,
    size: usize,
    release: unsafe extern "C" fn(*mut c_void, *mut c_void, usize),
    context: *mut c_void,
}

// SAFETY: the program has promised that the memory is the library's alone, and that any thread may release it.
unsafe impl Send for Loan {}

impl Loan {
    /// # Safety
    ///
    /// `memory` is null or valid for `size` bytes that nobody else uses until they are released, on any thread.
    unsafe fn new(
        memory: *mut c_void,
        size: usize,
        release: MnemeRelease,
        context: *mut c_void,
    ) -> Outcome<Box<Loan>> {
        let (Some(memory), Some(release)) = (NonNull::new(memory), release) else {
            return Err(Failure::NULL_RESULT);
        };
        if size > MOST {
            return Err(Failure::invalid(TOO_MUCH));
        }
        Ok(Box::new(Loan { memory, size, release, context }))
    }
}

impl Lent for Loan {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the promise of `Loan::new`; no longer than an object can be.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.size) }
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr().cast(), self.size) }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        // SAFETY: the program has promised that this function takes this memory back, once.
        unsafe { (self.release)(self.context, self.memory.as_ptr(), self.size) };
    }
}

/// As mneme_rread_async, but into memory that is handed over: the `size` bytes from `va` on land in `into` straight from
/// the network.
///
/// Nobody else may use the memory until `release`, called once with `context`, gives it back; the bytes are in it if the
/// call ends with MNEME_OK. It is called during the mneme_wait or mneme_rpoll that ends the call; during this function
/// where the call is refused on this side, which mneme_wait tells; and after mneme_detach during whichever call of the
/// client finds that it has ended, on that call's thread. If this function answers otherwise than MNEME_OK it never took
/// the memory, and releases nothing. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid, `into` for `size` bytes that nobody uses until they are released; `release` is null
/// or a function as mneme_release says, which any thread may call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rread_owned_async(
    process: *const MnemeProcess,
    va: u64,
    into: *mut c_void,
    size: usize,
    release: MnemeRelease,
    context: *mut c_void,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            Ok(Call::Write(process.rread_lent_async(va, Loan::new(into, size, release, context)?)))
        })
    }
}

/// As mneme_rwrite_async, but from memory that is handed over: the packets of the `size` bytes for `va` are made straight
/// from `from`, again for each attempt. Nobody may write to it until `release`, called once with `context`, gives it back
/// as mneme_rread_owned_async says. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// As for mneme_rread_owned_async; nobody writes to the memory until it is released.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwrite_owned_async(
    process: *const MnemeProcess,
    va: u64,
    from: *mut c_void,
    size: usize,
    release: MnemeRelease,
    context: *mut c_void,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            Ok(Call::Write(process.rwrite_lent_async(va, Loan::new(from, size, release, context)?)))
        })
    }
}
