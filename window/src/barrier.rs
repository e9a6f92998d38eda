//! Barriers between a processor and a board that reads and writes the same memory. The board is no processor of the inner
//! shareable domain, whose barriers the language's fences are: on ARM they have to reach the whole system.
#[cfg(not(target_arch = "aarch64"))]
use std::sync::atomic::{Ordering, fence};

/// Loads before it are done before any load or store behind it.
#[inline]
pub fn load_barrier() {
    #[cfg(target_arch = "aarch64")]
    crate::map::data_memory_barrier_loads();
    #[cfg(not(target_arch = "aarch64"))]
    fence(Ordering::Acquire);
}

/// Stores before it are seen by the board before any store behind it.
#[inline]
pub fn store_barrier() {
    #[cfg(target_arch = "aarch64")]
    crate::map::data_memory_barrier_stores();
    #[cfg(not(target_arch = "aarch64"))]
    fence(Ordering::Release);
}
