//! The C interface of CLib: the same calls, rules of order and errors as the Rust crate `mneme-clib`, whose
//! documentation says more. The header is made of this crate by `cargo xtask c-header`.
//!
//! No panic leaves this crate: each function catches it and answers `MNEME_INTERNAL`.
mod client;
mod completion;
mod driver;
mod error;
mod lanes;
mod owned;
mod pending;
mod process;
mod processes;
mod settings;
mod statistics;
mod trust;
mod vectored;
mod version;
mod versioned;

pub use client::{MnemeBoard, MnemeBoardTimes, MnemeClient, MnemeOptions};
pub use driver::MnemeDriver;
pub use error::{Code, MnemeEffect};
pub use lanes::MnemeMembership;
pub use owned::MnemeRelease;
pub use pending::MnemePending;
pub use process::{MnemeAllocOptions, MnemeLock, MnemeProcess};
pub use processes::{MnemeProcessInfo, MnemeTakeProcess};
pub use settings::MnemeTransport;
pub use statistics::MnemeFigure;
pub use trust::MnemeIntegrity;
pub use vectored::{MnemeReadPart, MnemeWritePart};

use error::{Failure, Outcome};

/// The referent of a handle.
///
/// # Safety
///
/// `handle` is null or came from this library and was not given back.
unsafe fn handle<'a, T>(handle: *const T) -> Outcome<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or(Failure::NULL_HANDLE)
}

/// Puts a new handle where the caller wants it.
///
/// # Safety
///
/// `out` is null or points to room for a pointer.
unsafe fn give<T>(out: *mut *mut T, value: T) -> Outcome<()> {
    if out.is_null() {
        return Err(Failure::NULL_RESULT);
    }
    // SAFETY: not null, and the caller's promise.
    unsafe { out.write(Box::into_raw(Box::new(value))) };
    Ok(())
}

/// Puts a value where the caller wants it; null: nowhere.
///
/// # Safety
///
/// `out` is null or points to room for a value.
unsafe fn store<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: not null, and the caller's promise.
        unsafe { out.write(value) };
    }
}
