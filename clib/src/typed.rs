//! Typed remote memory: values and slices of plain old data, without addresses.
//!
//! A [`RemoteBox`] or [`RemoteSlice`] owns memory of a process, and a handle of it: it may be stored, sent to other
//! threads, and outlive the handle that it was made with. It frees its memory when it is dropped; once the process has
//! been ended ([`Process::exit`]), calls on it fail. What may be stored is
//! what the crate `zerocopy` proves to be plain bytes ([`Plain`]). Bytes cross as they are in local memory: clients
//! that share values must agree on their byte order and layout (`#[repr(C)]`, and `zerocopy::little_endian` where
//! machines differ).
//!
//! ```no_run
//! use mneme_clib::{Process, RemoteBox, RemoteSlice};
//! # fn example(process: &Process) -> mneme_clib::Result<()> {
//! let mut counter = RemoteBox::new(process, &7u64)?;
//! counter.set(&8)?;
//! assert_eq!(counter.fetch_add(1)?, 8);
//! let mut series = RemoteSlice::new(process, &[1.5f64, 2.5, 3.5])?;
//! series.write(1, &[9.0])?;
//! assert_eq!(series.to_vec()?, [1.5, 9.0, 3.5]);
//! counter.free()?; // or leave it to the drop
//! # Ok(()) }
//! ```
//!
//! # What the compiler refuses
//!
//! Memory that was freed:
//! ```compile_fail,E0382
//! # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
//! let value = mneme_clib::RemoteBox::new(process, &7u64)?;
//! value.free()?;
//! value.get()?;
//! # Ok(()) }
//! ```
//! A local buffer that a call still fills:
//! ```compile_fail,E0502
//! # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
//! let slice = mneme_clib::RemoteSlice::new(process, &[1u32, 2, 3])?;
//! let mut into = [0u32; 3];
//! let pending = slice.read_async(0, &mut into);
//! println!("{}", into[0]);
//! pending.wait()?;
//! # Ok(()) }
//! ```
//! A local buffer that is gone before the call has ended:
//! ```compile_fail,E0597
//! # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
//! let pending = {
//!     let mut into = [0u8; 3];
//!     process.rread_async(va, &mut into)
//! };
//! pending.wait()?;
//! # Ok(()) }
//! ```
//! Types that are not plain bytes:
//! ```compile_fail,E0277
//! # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
//! mneme_clib::RemoteBox::new(process, &String::new())?;
//! # Ok(()) }
//! ```
use crate::error::{Error, Result};
use crate::pending::{Outcome, Pending, sealed::Sealed};
use crate::process::{AllocOptions, Process, Written};
use crate::transport::Answer;
use std::marker::PhantomData;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// Plain old data: any bytes are a value, and every byte of a value is initialised. Derive zerocopy's three traits.
///
/// ```
/// use mneme_clib::Plain;
/// use zerocopy::{FromBytes, Immutable, IntoBytes};
///
/// #[derive(FromBytes, IntoBytes, Immutable)]
/// #[repr(C)]
/// struct Point {
///     x: u64,
///     y: u64,
/// }
///
/// fn is_plain<T: Plain>() {}
/// is_plain::<Point>();
/// ```
pub trait Plain: FromBytes + IntoBytes + Immutable {}
impl<T: FromBytes + IntoBytes + Immutable> Plain for T {}

/// Memory of a process that is freed with its owner, or belongs to somebody else.
#[derive(Debug)]
struct Owned {
    process: Process,
    va: u64,
    kept: bool,
}

impl Owned {
    fn new(process: &Process, size: usize, options: AllocOptions) -> Result<Self> {
        Ok(Owned { va: process.ralloc_with(size as u64, options)?, process: process.handle(), kept: false })
    }
    /// The same of another handle, whose calls it makes from now on.
    fn of(mut self, process: &Process) -> Self {
        self.process = process.handle();
        self
    }
    fn adopt<T: Plain>(process: &Process, va: u64, count: usize) -> Result<Self> {
        let va = placed::<T>(va, count)?;
        if process.may_free(va)? {
            Ok(Owned { process: process.handle(), va, kept: false })
        } else {
            Err(Error::NotAllocated(va))
        }
    }
    fn attach<T: Plain>(process: &Process, va: u64, count: usize) -> Result<Self> {
        Ok(Owned { process: process.handle(), va: placed::<T>(va, count)?, kept: true })
    }
    fn free(mut self) -> Result<()> {
        if std::mem::replace(&mut self.kept, true) {
            return Err(Error::NotAllocated(self.va));
        }
        self.process.rfree(self.va)
    }
    fn leak(mut self) -> u64 {
        self.kept = true;
        self.va
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if !self.kept {
            // A drop neither waits nor panics: the next `rrelease` tells the error.
            self.process.discard(self.va);
        }
    }
}

/// Bytes of some values; types without bytes are refused when the program is compiled.
const fn bytes_of<T>(count: usize) -> Option<usize> {
    const { assert!(size_of::<T>() > 0, "a type without bytes needs no remote memory") };
    size_of::<T>().checked_mul(count)
}

/// The checked address of values that are there already.
fn placed<T: Plain>(va: u64, count: usize) -> Result<u64> {
    let length = bytes_of::<T>(count).unwrap_or(usize::MAX) as u64;
    if va.is_multiple_of(align_of::<T>() as u64) {
        return Ok(va);
    }
    let what = std::any::type_name::<T>();
    Err(Error::NotThisType { what, va, length, align: align_of::<T>(), size: size_of::<T>() })
}

/// Ends with a value.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// let number = mneme_clib::RemoteBox::new(process, &5u64)?;
/// let value: u64 = number.get_async().wait()?;
/// # Ok(()) }
/// ```
pub struct Value<T>(Option<T>);
impl<T> Sealed for Value<T> {}
impl<T: Plain + Unpin> Outcome for Value<T> {
    type Output = T;
    type Error = Error;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        self.0 = T::read_from_prefix(buffer).ok().map(|(value, _)| value);
    }
    fn finish(self, _: &Process) -> Result<T> {
        // A read that ended well has filled the value's bytes.
        self.0.ok_or(Error::Taken)
    }
}

/// Ends with the local slice, filled.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// let numbers = mneme_clib::RemoteSlice::new(process, &[1u64, 2, 3])?;
/// let mut two = [0; 2];
/// numbers.read_async(1, &mut two).wait()?;
/// # Ok(()) }
/// ```
pub struct Values<'b, T>(&'b mut [T]);
impl<T> Sealed for Values<'_, T> {}
impl<'b, T: Plain> Outcome for Values<'b, T> {
    type Output = &'b mut [T];
    type Error = Error;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        self.0.as_mut_bytes().iter_mut().zip(&*buffer).for_each(|(to, from)| *to = *from);
    }
    fn finish(self, _: &Process) -> Result<&'b mut [T]> {
        Ok(self.0)
    }
}

/// One value in remote memory. Dropping it frees the memory without waiting: an error is told by the process's next
/// [`Process::rrelease`], and memory that could not be freed (or whose free found the queue of asynchronous calls full)
/// stays until the process ends.
///
/// Other clients can change the value at any time if they know its address; a value larger than an aligned 8-byte word
/// may then be read half old, half new.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// use mneme_clib::RemoteBox;
///
/// let mut number = RemoteBox::new(process, &5u64)?;
/// number.set(&7)?;
/// assert_eq!(number.fetch_add(1)?, 7);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct RemoteBox<T> {
    memory: Owned,
    of: PhantomData<fn() -> T>,
}

impl<T: Plain> RemoteBox<T> {
    /// Allocates memory and stores a value. Blocks, as all calls here but the asynchronous ones.
    pub fn new(process: &Process, value: &T) -> Result<Self> {
        RemoteBox::new_with(process, value, AllocOptions::default())
    }
    /// As [`RemoteBox::new`], with memory as [`Process::ralloc_with`] allocates it: on a board that is named, with pages
    /// of its own. The value is written, which memory without that right refuses.
    ///
    /// ```no_run
    /// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
    /// use mneme_clib::{AllocOptions, RemoteBox};
    ///
    /// let on_the_second = AllocOptions { lane: Some(1), ..AllocOptions::default() };
    /// let number = RemoteBox::new_with(process, &5u64, on_the_second)?;
    /// assert_eq!(process.lane_of(number.va()), 1);
    /// # Ok(()) }
    /// ```
    pub fn new_with(process: &Process, value: &T, options: AllocOptions) -> Result<Self> {
        let size = bytes_of::<T>(1).unwrap_or(usize::MAX);
        let call = process.one_call();
        let memory = Owned::new(&call, size, options)?.of(process);
        call.rwrite(memory.va, value.as_bytes())?;
        Ok(RemoteBox { memory, of: PhantomData })
    }
    /// Takes over memory at an address that [`RemoteBox::leak`] answered. A value that shares its page with others can
    /// be taken over by the handle that allocated it alone, and is [`Error::NotAllocated`] for others, which
    /// [`RemoteBox::attach`] to it; one with pages of its own by any handle of its process.
    pub fn adopt(process: &Process, va: u64) -> Result<Self> {
        Ok(RemoteBox { memory: Owned::adopt::<T>(process, va, 1)?, of: PhantomData })
    }
    /// A value that somebody else owns, on this client or another. It is not freed here: [`RemoteBox::free`] answers
    /// [`Error::NotAllocated`]. Once its owner frees it, reads and writes may fail or meet other data.
    pub fn attach(process: &Process, va: u64) -> Result<Self> {
        Ok(RemoteBox { memory: Owned::attach::<T>(process, va, 1)?, of: PhantomData })
    }
    /// The value's address, for other clients.
    pub fn va(&self) -> u64 {
        self.memory.va
    }
    /// Reads the value.
    pub fn get(&self) -> Result<T> {
        let mut value = T::new_zeroed();
        self.memory.process.rread(self.memory.va, value.as_mut_bytes())?;
        Ok(value)
    }
    /// Writes the value.
    pub fn set(&mut self, value: &T) -> Result<()> {
        self.memory.process.rwrite(self.memory.va, value.as_bytes())
    }
    /// As [`RemoteBox::set`]; the value is taken at once.
    pub fn set_async(&mut self, value: &T) -> Pending<Written> {
        self.memory.process.rwrite_async(self.memory.va, value.as_bytes())
    }
    /// Frees the memory and tells how that went.
    pub fn free(self) -> Result<()> {
        self.memory.free()
    }
    /// Keeps the memory allocated; its address, for [`RemoteBox::adopt`].
    pub fn leak(self) -> u64 {
        self.memory.leak()
    }
}

impl<T: Plain + Unpin> RemoteBox<T> {
    /// As [`RemoteBox::get`].
    pub fn get_async(&self) -> Pending<Value<T>> {
        self.memory.process.read_plain(self.memory.va, size_of::<T>(), Value(None))
    }
}

/// Words that the board changes in one step, for all clients.
impl RemoteBox<u64> {
    /// Adds, wrapping; what the word held before.
    pub fn fetch_add(&self, addend: u64) -> Result<u64> {
        self.memory.process.fetch_add(self.memory.va, addend)
    }
    /// Writes `new` if the word holds `expected`; what it held before.
    pub fn compare_swap(&self, expected: u64, new: u64) -> Result<u64> {
        self.memory.process.compare_swap(self.memory.va, expected, new)
    }
    /// Writes a word; what was there before.
    pub fn swap(&self, new: u64) -> Result<u64> {
        self.memory.process.swap(self.memory.va, new)
    }
}

/// A number of values in remote memory, one after the other. Dropped as a [`RemoteBox`] is.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// use mneme_clib::RemoteSlice;
///
/// let mut numbers = RemoteSlice::new(process, &[1u64, 2, 3])?;
/// numbers.set(1, &20)?;
/// assert_eq!(numbers.to_vec()?, [1, 20, 3]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct RemoteSlice<T> {
    memory: Owned,
    len: usize,
    of: PhantomData<fn() -> T>,
}

impl<T: Plain> RemoteSlice<T> {
    fn allocate(process: &Process, len: usize, options: AllocOptions) -> Result<Self> {
        let size = bytes_of::<T>(len).ok_or(Error::TooLarge(u64::MAX))?;
        let memory = Owned::new(process, size, options)?;
        Ok(RemoteSlice { memory, len, of: PhantomData })
    }
    /// Allocates memory and stores values, 1 at least.
    pub fn new(process: &Process, values: &[T]) -> Result<Self> {
        RemoteSlice::new_with(process, values, AllocOptions::default())
    }
    /// As [`RemoteSlice::new`], with memory as [`RemoteBox::new_with`] has it.
    pub fn new_with(process: &Process, values: &[T], options: AllocOptions) -> Result<Self> {
        let call = process.one_call();
        let mut slice = RemoteSlice::allocate(&call, values.len(), options)?;
        slice.memory = slice.memory.of(process);
        call.rwrite(slice.memory.va, values.as_bytes())?;
        Ok(slice)
    }
    /// Allocates memory for some values, 1 at least, whose bytes are all zero.
    pub fn zeroed(process: &Process, len: usize) -> Result<Self> {
        RemoteSlice::zeroed_with(process, len, AllocOptions::default())
    }
    /// As [`RemoteSlice::zeroed`], with memory as [`Process::ralloc_with`] allocates it.
    pub fn zeroed_with(process: &Process, len: usize, options: AllocOptions) -> Result<Self> {
        let call = process.one_call();
        let mut slice = RemoteSlice::allocate(&call, len, options)?;
        slice.memory = slice.memory.of(process);
        // Small allocations share pages and hold what was there before; whole pages come as zeros.
        if process.is_shared(slice.memory.va)? {
            call.rwrite(slice.memory.va, &vec![0; bytes_of::<T>(len).unwrap_or(usize::MAX)])?;
        }
        Ok(slice)
    }
    /// Takes over memory at an address that [`RemoteSlice::leak`] answered, as [`RemoteBox::adopt`] does.
    pub fn adopt(process: &Process, va: u64, len: usize) -> Result<Self> {
        Ok(RemoteSlice { memory: Owned::adopt::<T>(process, va, len)?, len, of: PhantomData })
    }
    /// Values that somebody else owns, as [`RemoteBox::attach`] has one.
    pub fn attach(process: &Process, va: u64, len: usize) -> Result<Self> {
        Ok(RemoteSlice { memory: Owned::attach::<T>(process, va, len)?, len, of: PhantomData })
    }
    /// The address of the first value, for other clients.
    pub fn va(&self) -> u64 {
        self.memory.va
    }
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Never: there is one value at least.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Where some values from a place on begin.
    fn at(&self, first: usize, count: usize) -> Result<u64> {
        match first.checked_add(count) {
            Some(end) if end <= self.len => Ok(self.memory.va + (first * size_of::<T>()) as u64),
            _ => Err(Error::OutOfBounds { first, count, len: self.len }),
        }
    }
    /// Reads one value.
    pub fn get(&self, index: usize) -> Result<T> {
        let mut value = T::new_zeroed();
        self.memory.process.rread(self.at(index, 1)?, value.as_mut_bytes())?;
        Ok(value)
    }
    /// Writes one value.
    pub fn set(&mut self, index: usize, value: &T) -> Result<()> {
        self.memory.process.rwrite(self.at(index, 1)?, value.as_bytes())
    }
    /// Reads as many values as `into` holds, 1 at least, from `first` on.
    pub fn read(&self, first: usize, into: &mut [T]) -> Result<()> {
        self.memory.process.rread(self.at(first, into.len())?, into.as_mut_bytes())
    }
    /// Writes values, 1 at least, from `first` on.
    pub fn write(&mut self, first: usize, values: &[T]) -> Result<()> {
        self.memory.process.rwrite(self.at(first, values.len())?, values.as_bytes())
    }
    /// Reads all values.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut values: Vec<T> = std::iter::repeat_with(T::new_zeroed).take(self.len).collect();
        self.read(0, &mut values)?;
        Ok(values)
    }
    /// As [`RemoteSlice::read`]; the local slice comes back, filled, with the result.
    pub fn read_async<'b>(&self, first: usize, into: &'b mut [T]) -> Pending<Values<'b, T>> {
        let bytes = size_of_val(into);
        match self.at(first, into.len()) {
            Ok(va) => self.memory.process.read_plain(va, bytes, Values(into)),
            Err(error) => Pending::ready(&self.memory.process, Err(error)),
        }
    }
    /// As [`RemoteSlice::write`]; the values are taken at once.
    pub fn write_async(&mut self, first: usize, values: &[T]) -> Pending<Written> {
        match self.at(first, values.len()) {
            Ok(va) => self.memory.process.rwrite_async(va, values.as_bytes()),
            Err(error) => Pending::ready(&self.memory.process, Err(error)),
        }
    }
    /// Frees the memory and tells how that went.
    pub fn free(self) -> Result<()> {
        self.memory.free()
    }
    /// Keeps the memory allocated; the address of the first value.
    pub fn leak(self) -> u64 {
        self.memory.leak()
    }
}

/// Handles may move between threads and be shared by them; calls of one client follow each other. A call that panics, in a
/// driver of the user's, leaves them usable.
const _: () = {
    const fn anywhere<T: Send + Sync>() {}
    anywhere::<crate::Client>();
    anywhere::<Process>();
    anywhere::<RemoteBox<u64>>();
    anywhere::<RemoteSlice<[f32; 3]>>();
    anywhere::<Pending<Values<'static, u64>>>();
    anywhere::<Pending<crate::ReadInto<'static>>>();
    anywhere::<Error>();
    const fn whole_after_a_panic<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    whole_after_a_panic::<crate::Client>();
    whole_after_a_panic::<Process>();
    whole_after_a_panic::<RemoteBox<u64>>();
    whole_after_a_panic::<RemoteSlice<[f32; 3]>>();
};
