//! Vectored calls.
use crate::error::{Code, Failure, Outcome, run};
use crate::handle;
use crate::pending::{Call, MnemePending, begin};
use crate::process::{MOST, MnemeProcess, TOO_MUCH, buffer, bytes};
use mneme_clib::{ReadPart, WritePart};
use std::ffi::c_void;
use std::io::{IoSlice, IoSliceMut};

/// Bytes to write, and where they go.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MnemeWritePart {
    /// Remote address; without meaning for mneme_rwritev.
    pub va: u64,
    /// The bytes; may be NULL where `size` is 0.
    pub from: *const c_void,
    /// How many.
    pub size: usize,
}

/// A buffer to fill, and where its bytes come from.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MnemeReadPart {
    /// Remote address; without meaning for mneme_rreadv.
    pub va: u64,
    /// The buffer; may be NULL where `size` is 0.
    pub into: *mut c_void,
    /// Its bytes.
    pub size: usize,
}

/// The caller's array. No elements need no pointer.
///
/// # Safety
///
/// `parts` is null or points to `count` elements that nobody writes meanwhile.
unsafe fn array<'a, T>(parts: *const T, count: usize) -> Outcome<&'a [T]> {
    match (parts.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::NULL_RESULT),
        (false, count) if count > MOST / size_of::<T>() => Err(Failure::invalid(TOO_MUCH)),
        // SAFETY: not null, no longer than an object can be, and the caller's promise.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(parts, count) }),
    }
}

/// # Safety
///
/// The array and its pointers are null or valid.
unsafe fn sources<'a>(parts: *const MnemeWritePart, count: usize) -> Outcome<Vec<WritePart<'a>>> {
    // SAFETY: the caller's promise.
    let parts = unsafe { array(parts, count) }?;
    let source = |part: &MnemeWritePart| {
        // SAFETY: the caller's promise.
        let from = unsafe { bytes(part.from, part.size) }?;
        Ok(WritePart { va: part.va, from })
    };
    parts.iter().map(source).collect()
}

/// Buffers that overlap are refused: none of them could be told from the others.
///
/// # Safety
///
/// The array and its pointers are null or valid.
unsafe fn sinks<'a>(parts: *const MnemeReadPart, count: usize) -> Outcome<Vec<ReadPart<'a>>> {
    // SAFETY: the caller's promise.
    let parts = unsafe { array(parts, count) }?;
    let mut places: Vec<(usize, usize)> =
        parts.iter().filter(|part| part.size > 0).map(|part| (part.into as usize, part.size)).collect();
    places.sort_unstable();
    if places.windows(2).any(|pair| pair[0].0.saturating_add(pair[0].1) > pair[1].0) {
        return Err(Failure::invalid("buffers of one read overlap"));
    }
    let sink = |part: &MnemeReadPart| {
        // SAFETY: the caller's promise, and no two overlap.
        let into = unsafe { buffer(part.into, part.size) }?;
        Ok(ReadPart { va: part.va, into })
    };
    parts.iter().map(sink).collect()
}

/// Reads one remote range at `va` into the buffers of `parts`, an array of `count`, which it fills one after the other.
/// Empty buffers are allowed, 1 byte in all is needed; after an error they may hold anything.
/// Blocks. Errors: MNEME_INVALID, also for buffers that overlap; those of memory.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rreadv(
    process: *const MnemeProcess,
    va: u64,
    parts: *const MnemeReadPart,
    count: usize,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, parts) = unsafe { (handle(process)?, sinks(parts, count)?) };
        let mut buffers: Vec<IoSliceMut> = parts.into_iter().map(|part| IoSliceMut::new(part.into)).collect();
        Ok(process.shared().rreadv(va, &mut buffers)?)
    })
}

/// Writes the buffers of `parts`, an array of `count`, one after the other to one remote range at `va`. Small ones share
/// packets. Empty ones are allowed, 1 byte in all is needed. Not atomic, as mneme_rwrite.
/// Blocks. Errors: those of memory.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwritev(
    process: *const MnemeProcess,
    va: u64,
    parts: *const MnemeWritePart,
    count: usize,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, parts) = unsafe { (handle(process)?, sources(parts, count)?) };
        let buffers: Vec<IoSlice> = parts.iter().map(|part| IoSlice::new(part.from)).collect();
        Ok(process.shared().rwritev(va, &buffers)?)
    })
}

/// Reads a remote range into each buffer of `parts`, an array of `count`, all under way together. After an error the
/// buffers may hold anything.
/// Blocks. Errors: MNEME_INVALID, also for buffers that overlap; those of memory.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rread_batch(
    process: *const MnemeProcess,
    parts: *const MnemeReadPart,
    count: usize,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, mut parts) = unsafe { (handle(process)?, sinks(parts, count)?) };
        Ok(process.shared().rread_batch(&mut parts)?)
    })
}

/// Writes each buffer of `parts`, an array of `count`, to a remote range, all under way together and in no order. Not
/// atomic, as mneme_rwrite.
/// Blocks. Errors: MNEME_OVERLAP for remote ranges that overlap; those of memory.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwrite_batch(
    process: *const MnemeProcess,
    parts: *const MnemeWritePart,
    count: usize,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, parts) = unsafe { (handle(process)?, sources(parts, count)?) };
        Ok(process.shared().rwrite_batch(&parts)?)
    })
}

/// Begins what mneme_rwritev does with `va`, `parts` and `count`. The bytes are copied at once: array and buffers are free
/// when this returns. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwritev_async(
    process: *const MnemeProcess,
    va: u64,
    parts: *const MnemeWritePart,
    count: usize,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            let parts = sources(parts, count)?;
            let buffers: Vec<IoSlice> = parts.iter().map(|part| IoSlice::new(part.from)).collect();
            Ok(Call::Write(process.rwritev_async(va, &buffers)))
        })
    }
}

/// Begins what mneme_rwrite_batch does with `parts` and `count`. The bytes are copied at once: array and buffers are free
/// when this returns. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwrite_batch_async(
    process: *const MnemeProcess,
    parts: *const MnemeWritePart,
    count: usize,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            Ok(Call::Write(process.rwrite_batch_async(&sources(parts, count)?)))
        })
    }
}

/// Begins what mneme_rreadv does with `va`, `parts` and `count`. The array is free when this returns; the buffers belong
/// to the call as in mneme_rread_async. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid, the buffers until the call is given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rreadv_async(
    process: *const MnemeProcess,
    va: u64,
    parts: *const MnemeReadPart,
    count: usize,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            let buffers = sinks(parts, count)?.into_iter().map(|part| IoSliceMut::new(part.into)).collect();
            Ok(Call::read_vectored(buffers, |buffers| process.rreadv_async(va, buffers)))
        })
    }
}

/// Begins what mneme_rread_batch does with `parts` and `count`. The array is free when this returns; the buffers belong to
/// the call as in mneme_rread_async. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers, those in the array too, are null or valid, the buffers until the call is given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rread_batch_async(
    process: *const MnemeProcess,
    parts: *const MnemeReadPart,
    count: usize,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            Ok(Call::read_batch(sinks(parts, count)?, |parts| process.rread_batch_async(parts)))
        })
    }
}
