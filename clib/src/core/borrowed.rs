//! Memory of a thread that waits: a synchronous call lends its buffers to the engine, and whichever thread drives the
//! client reads and fills them. The only unsafe code of the crate.
#![allow(unsafe_code)]
use crate::request::Work;
use std::ptr::NonNull;

/// A caller's transfer, while the caller waits.
pub(super) struct Borrowed(NonNull<dyn Work>);

// SAFETY: `Work` is `Send`, and whoever looks at it has the engine for itself.
unsafe impl Send for Borrowed {}

impl Borrowed {
    /// # Safety
    ///
    /// What is made here is dropped before the borrow ends, and nobody looks at `work` in another way until then.
    pub(super) unsafe fn new(work: &mut dyn Work) -> Borrowed {
        let work: NonNull<dyn Work + '_> = NonNull::from(work);
        // SAFETY: only the lifetime changes, and the caller sees to that.
        Borrowed(unsafe { std::mem::transmute::<NonNull<dyn Work + '_>, NonNull<dyn Work + 'static>>(work) })
    }
    pub(super) fn get(&self) -> &dyn Work {
        // SAFETY: the promise made to `new`.
        unsafe { self.0.as_ref() }
    }
    pub(super) fn get_mut(&mut self) -> &mut dyn Work {
        // SAFETY: the promise made to `new`.
        unsafe { self.0.as_mut() }
    }
}

impl std::fmt::Debug for Borrowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Borrowed")
    }
}
