//! Memory that the device may access: blocks, registered once and used again.
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::collections::BTreeMap;
use std::ptr::NonNull;

use crate::VerbsError;
use crate::abi::{LOCAL_WRITE, Mr, Pd, Sge};
use crate::library::Api;

/// Bytes of the smallest block: less than a page is registered as a page.
const LEAST: usize = 4096;
/// Bytes of blocks that are kept for later operations.
const KEPT: usize = 64 << 20;

/// A block of registered memory. While an operation has it the device reads or writes it, so nobody makes a reference to its bytes.
/// Dropped, it is leaked: [`Pool::give`] takes it back.
pub struct Block {
    bytes: NonNull<u8>,
    layout: Layout,
    mr: NonNull<Mr>,
}

// SAFETY: memory and registration belong to the block alone, and the libraries may be called by any thread.
unsafe impl Send for Block {}

impl Block {
    /// Its first bytes, for an operation.
    pub fn piece(&self, length: usize) -> Sge {
        debug_assert!(length <= self.layout.size());
        // SAFETY: the registration is there as long as the block.
        let lkey = unsafe { (*self.mr.as_ptr()).lkey };
        Sge { addr: self.bytes.as_ptr() as u64, length: length as u32, lkey }
    }
    /// Copies bytes into it. No operation has it.
    pub fn put(&mut self, from: &[u8]) {
        assert!(from.len() <= self.layout.size(), "a block has room for what it was taken for");
        // SAFETY: there is room, and the block's memory is nobody else's.
        unsafe { from.as_ptr().copy_to_nonoverlapping(self.bytes.as_ptr(), from.len()) };
    }
    /// Copies its first bytes. No operation has it any more.
    pub fn get(&mut self, to: &mut [u8]) {
        assert!(to.len() <= self.layout.size(), "a block has what it was taken for");
        // SAFETY: it has so many bytes, all initialised, and the block's memory is nobody else's.
        unsafe { self.bytes.as_ptr().copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
    }
}

/// Blocks of a protection domain.
pub struct Pool {
    api: &'static Api,
    pd: NonNull<Pd>,
    /// By bytes.
    free: BTreeMap<usize, Vec<Block>>,
    kept: usize,
}

// SAFETY: see Block; the protection domain may be used by any thread.
unsafe impl Send for Pool {}

impl Pool {
    /// Without blocks.
    ///
    /// # Safety
    /// The protection domain stays until the pool and all of its blocks are gone.
    pub unsafe fn new(api: &'static Api, pd: NonNull<Pd>) -> Pool {
        Pool { api, pd, free: BTreeMap::new(), kept: 0 }
    }

    /// A block of so many bytes or more.
    pub fn take(&mut self, bytes: usize) -> Result<Block, VerbsError> {
        let size = bytes.max(LEAST).next_power_of_two();
        if let Some(block) = self.free.get_mut(&size).and_then(Vec::pop) {
            self.kept -= size;
            return Ok(block);
        }
        let Ok(layout) = Layout::from_size_align(size, LEAST) else {
            return Err(VerbsError::Unfit("a message is longer than memory can be"));
        };
        // SAFETY: the size is not 0.
        let memory = unsafe { alloc_zeroed(layout) };
        let Some(bytes) = NonNull::new(memory) else { handle_alloc_error(layout) };
        // SAFETY: the memory is there, and is freed behind the end of its registration alone.
        let mr = unsafe { (self.api.reg_mr)(self.pd.as_ptr(), memory.cast(), size, LOCAL_WRITE) };
        let Some(mr) = NonNull::new(mr) else {
            let error = VerbsError::last("registering memory (is RLIMIT_MEMLOCK high enough?)");
            // SAFETY: it was allocated so, and nobody has it.
            unsafe { dealloc(memory, layout) };
            return Err(error);
        };
        Ok(Block { bytes, layout, mr })
    }

    /// Takes a block back that no operation has.
    pub fn give(&mut self, block: Block) {
        let size = block.layout.size();
        if self.kept + size > KEPT {
            return self.end(&block);
        }
        self.kept += size;
        self.free.entry(size).or_default().push(block);
    }

    /// Ends a block for good.
    fn end(&self, block: &Block) {
        // SAFETY: the registration is the block's, and is used by nobody.
        let ended = unsafe { (self.api.dereg_mr)(block.mr.as_ptr()) };
        // What is still registered the device may still reach.
        if ended == 0 {
            // SAFETY: it was allocated so.
            unsafe { dealloc(block.bytes.as_ptr(), block.layout) };
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let free = std::mem::take(&mut self.free);
        free.into_values().flatten().for_each(|block| self.end(&block));
    }
}
