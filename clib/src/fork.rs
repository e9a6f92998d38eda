//! Forks. A child has its parent's sockets, and would name its operations as the parent does: boards take the one's write
//! for a repetition of the other's, and each takes the other's answers. It has none of the parent's threads, and a lock
//! that another thread held stays held. So a client serves the process that made it, and no child of that.
#![allow(unsafe_code)]
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often this process is a child of the one in which the library was used first.
static FORKS: AtomicU32 = AtomicU32::new(0);
/// Whether forks are counted.
static COUNTED: LazyLock<bool> = LazyLock::new(|| {
    extern "C" fn child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler lives for ever and does nothing but to count, which a child of several threads may do.
    unsafe { libc::pthread_atfork(None, None, Some(child)) == 0 }
});

/// Something of the process that made it. A child neither uses it nor drops it: a thread that has no copy there may have been
/// in the middle of changing it.
#[derive(Debug)]
pub(crate) struct OfMaker<T> {
    forks: u32,
    value: ManuallyDrop<T>,
}

impl<T> OfMaker<T> {
    /// Of this process.
    pub(crate) fn new(value: T) -> Self {
        if !*COUNTED {
            // There is no memory for the handler; what needs some next tells.
            tracing::warn!("forks of this process go unnoticed: use no client in a child");
        }
        OfMaker { forks: FORKS.load(Ordering::Relaxed), value: ManuallyDrop::new(value) }
    }
    /// Whether this process is a child of its maker.
    #[inline]
    pub(crate) fn is_of_parent(&self) -> bool {
        self.forks != FORKS.load(Ordering::Relaxed)
    }
    /// The value, in the process that made it.
    pub(crate) fn into_inner(self) -> Option<T> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is neither dropped nor used again.
        (!this.is_of_parent()).then(|| unsafe { ManuallyDrop::take(&mut this.value) })
    }
}

impl<T> Deref for OfMaker<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Drop for OfMaker<T> {
    fn drop(&mut self) {
        if !self.is_of_parent() {
            // SAFETY: nobody uses it afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}
