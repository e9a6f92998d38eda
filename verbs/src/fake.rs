//! A device that a test has in its hands: operations wait until the test lets them end, and the order of all that is given back is seen.
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::os::fd::IntoRawFd;
use std::ptr::{self, NonNull};
use std::time::Duration;

use mneme_rdma::client::{Carrier, Grant, Native};
use mneme_rdma::codec::Nak;
use mneme_rdma::memory::Access;
use mneme_rdma::requester::{Failure, Operation, PostError, Work};

use crate::abi::*;
use crate::endpoint::{Bounds, Endpoint};
use crate::library::Api;
use crate::pair::DevicePair;

/// The board's bytes, at address 0x1000.
const BYTES: usize = 1 << 16;
const VA: u64 = 0x1000;
const GRANT: Grant = Grant { va: VA, length: BYTES as u64, rkey: 77, access: Access::ALL };

/// An operation that the device has.
#[derive(Clone, Copy)]
struct Has {
    id: u64,
    opcode: u32,
    piece: Option<Sge>,
    target: RemoteWord,
}

#[derive(Default)]
struct Device {
    memory: Vec<u8>,
    has: VecDeque<Has>,
    ended: VecDeque<Wc>,
    registered: Vec<(usize, usize)>,
    /// What was called, in order.
    said: Vec<&'static str>,
    keeps_queue_pair: bool,
}

thread_local! {
    static DEVICE: RefCell<Device> = RefCell::default();
}

fn device<R>(with: impl FnOnce(&mut Device) -> R) -> R {
    DEVICE.with(|device| with(&mut device.borrow_mut()))
}

unsafe extern "C" fn post(_: *mut Qp, work: *mut SendWr, _: *mut *mut SendWr) -> c_int {
    // SAFETY: the caller's request and its piece are there.
    let has = unsafe {
        let SendWr { wr_id, opcode, num_sge, sg_list, target, .. } = *work;
        Has { id: wr_id, opcode, piece: (num_sge > 0).then(|| *sg_list), target: target.atomic }
    };
    device(|device| device.has.push_back(has));
    0
}

unsafe extern "C" fn poll(_: *mut Cq, most: c_int, to: *mut Wc) -> c_int {
    device(|device| {
        let count = device.ended.len().min(most as usize);
        for (at, done) in device.ended.drain(..count).enumerate() {
            // SAFETY: the caller has room for so many.
            unsafe { to.add(at).write(done) };
        }
        count as c_int
    })
}

unsafe extern "C" fn arm(_: *mut Cq, _: c_int) -> c_int {
    0
}
unsafe extern "C" fn no_event(_: *mut CompletionChannel, _: *mut *mut Cq, _: *mut *mut c_void) -> c_int {
    -1
}
unsafe extern "C" fn register(_: *mut Pd, at: *mut c_void, length: usize, _: c_int) -> *mut Mr {
    device(|device| device.registered.push((at as usize, length)));
    // SAFETY: numbers and pointers: zeros are a value of it.
    let mr: Box<(Mr, usize)> = Box::new((unsafe { std::mem::zeroed() }, at as usize));
    Box::into_raw(mr).cast()
}
unsafe extern "C" fn deregister(mr: *mut Mr) -> c_int {
    // SAFETY: it was made above, and is given back once.
    let (_, at) = *unsafe { Box::from_raw(mr.cast::<(Mr, usize)>()) };
    device(|device| {
        device.registered.retain(|(own, _)| *own != at);
        device.said.push("deregister");
    });
    0
}
unsafe extern "C" fn disconnect(_: *mut CmId) -> c_int {
    device(|device| device.said.push("disconnect"));
    0
}
unsafe extern "C" fn destroy_qp(_: *mut Qp) -> c_int {
    device(|device| {
        if device.keeps_queue_pair {
            return 16;
        }
        device.said.push("queue pair");
        device.has.clear();
        0
    })
}
unsafe extern "C" fn destroy_cq(_: *mut Cq) -> c_int {
    device(|device| device.said.push("completion queue"));
    0
}
unsafe extern "C" fn destroy_channel(_: *mut CompletionChannel) -> c_int {
    0
}
unsafe extern "C" fn dealloc_pd(_: *mut Pd) -> c_int {
    device(|device| device.said.push("protection domain"));
    0
}
unsafe extern "C" fn destroy_id(_: *mut CmId) -> c_int {
    device(|device| device.said.push("identifier"));
    0
}
unsafe extern "C" fn destroy_events(_: *mut EventChannel) {}

impl Device {
    /// Lets the oldest operation end: the device reads and writes memory now.
    fn end_one(&mut self, status: u32) {
        let has = self.has.pop_front().expect("an operation");
        let at = (has.target.addr.wrapping_sub(VA)) as usize;
        if let Some(Sge { addr, length, .. }) = has.piece.filter(|_| status == status::SUCCESS) {
            let (start, length) = (addr as usize, length as usize);
            let inside = |(own, bytes): &(usize, usize)| *own <= start && start + length <= own + bytes;
            assert!(self.registered.iter().any(inside), "the device may reach registered memory alone");
            // SAFETY: registered memory is there, as was just looked, and nobody else has it.
            let bytes = unsafe { std::slice::from_raw_parts_mut(start as *mut u8, length) };
            match has.opcode {
                opcode::READ => bytes.copy_from_slice(&self.memory[at..at + length]),
                opcode::FETCH_ADD => {
                    let word = u64::from_le_bytes(self.memory[at..at + 8].try_into().expect("a word"));
                    bytes.copy_from_slice(&word.to_ne_bytes());
                    let sum = word.wrapping_add(has.target.compare_add);
                    self.memory[at..at + 8].copy_from_slice(&sum.to_le_bytes());
                }
                _ => self.memory[at..at + length].copy_from_slice(bytes),
            }
        }
        self.ended.push_back(Wc { wr_id: has.id, status, ..Wc::default() });
    }
}

fn ends(status: u32) {
    device(|device| device.end_one(status));
}
fn said() -> Vec<&'static str> {
    device(|device| device.said.clone())
}

/// A connection over a new device, with room for four operations.
fn native() -> Native<DevicePair> {
    device(|device| *device = Device { memory: vec![0; BYTES], ..Device::default() });
    let api: &'static Api = Box::leak(Box::new(Api {
        reg_mr: register,
        dereg_mr: deregister,
        disconnect,
        destroy_qp,
        destroy_cq,
        destroy_channel,
        dealloc_pd,
        destroy_id,
        destroy_event_channel: destroy_events,
        get_cq_event: no_event,
        ..Api::none()
    }));
    // SAFETY: numbers, pointers and functions that may be missing: zeros are a value of each.
    let (context, id): (&mut Context, &mut CmId) =
        unsafe { (Box::leak(Box::new(std::mem::zeroed())), Box::leak(Box::new(std::mem::zeroed()))) };
    context.ops.post_send = Some(post);
    context.ops.poll_cq = Some(poll);
    context.ops.request_notify = Some(arm);
    let context = ptr::from_mut(context);
    id.qp = ptr::from_mut(Box::leak(Box::new(Qp { context })));
    let (pipe, other) = std::os::unix::net::UnixStream::pair().expect("two sockets");
    let _stays = other.into_raw_fd();
    let channel = Box::leak(Box::new(CompletionChannel { context, fd: pipe.into_raw_fd() }));
    let cq = Box::leak(Box::new(Cq { context }));
    let events = NonNull::from(Box::leak(Box::new(EventChannel { fd: -1 })));
    let pd = NonNull::<Pd>::dangling().as_ptr();
    let endpoint = Endpoint::of(api, (events, NonNull::from(id)), pd, (channel, cq));
    let bounds = Bounds { reads: 4, operations: 4, message: 1 << 15, packet: 1024 };
    Native::over(DevicePair::new(endpoint, bounds).expect("a pair"), GRANT)
}

#[test]
fn bytes_and_words_go_both_ways_and_buffers_come_back() {
    let mut native = native();
    let written: Vec<u8> = (0..5000).map(|at| at as u8 ^ 0x5a).collect();
    assert_eq!(native.write(VA + 9, written.clone(), Some(3), true), Ok(0));
    assert_eq!(native.read(VA + 8, vec![0; 5002]), Ok(1));
    assert_eq!(native.fetch_add(VA + 64, 5), Ok(2));
    assert_eq!((native.pending(), native.poll_done()), (3, None));
    (0..3).for_each(|_| ends(status::SUCCESS));
    let done = native.poll_done().expect("a WRITE");
    assert_eq!((done.id, done.result, done.buffer.as_ref()), (0, Ok(()), Some(&written)));
    let read = native.poll_done().expect("a READ").buffer.expect("its buffer");
    assert_eq!((&read[1..5001], read[0], read[5001]), (&written[..], 0, 0));
    let word = u64::from_le_bytes(written[55..63].try_into().expect("a word"));
    assert_eq!(native.poll_done().and_then(|done| done.found), Some(word));
    assert_eq!(native.pending(), 0);
    // Blocks are used again.
    let blocks = device(|device| device.registered.len());
    for _ in 0..20 {
        native.read(VA, vec![0; 5000]).expect("posted");
        ends(status::SUCCESS);
        native.poll_done().expect("done").result.expect("well");
    }
    assert_eq!(device(|device| device.registered.len()), blocks);
    assert!(said().is_empty(), "nothing was given back: {:?}", said());
}

#[test]
fn what_cannot_be_posted_is_refused_and_given_back() {
    let mut native = native();
    let pair = native.carrier_mut();
    let read = |bytes| Work::new(9, Operation::Read { into: vec![0; bytes], va: VA, rkey: 1 });
    let (error, work) = pair.post(read(40_000)).expect_err("longer than the device takes");
    assert_eq!((error, work), (PostError::Long { has: 40_000, most: 1 << 15 }, read(40_000)));
    let add = Work::new(9, Operation::FetchAdd { va: VA + 4, rkey: 1, add: 1 });
    assert_eq!(pair.post(add).expect_err("no multiple of 8").0, PostError::Alignment(VA + 4));
    (0..4).for_each(|_| pair.post(read(8)).expect("room for four"));
    assert_eq!(pair.post(read(8)).expect_err("full").0, PostError::Full(4));
    // One that has ended, and that nobody has taken, has its place still.
    ends(status::SUCCESS);
    assert_eq!(pair.wait(Duration::ZERO).map_err(|error| error.to_string()), Ok(true));
    assert_eq!(pair.post(read(8)).expect_err("full").0, PostError::Full(4));
    assert!(pair.poll_completion().is_some() && pair.post(read(8)).is_ok());
}

#[test]
fn a_failure_is_told_and_ends_the_connection() {
    for (status, failure) in [
        (status::REMOTE_ACCESS, Failure::Refused(Nak::RemoteAccess)),
        (status::REMOTE_INVALID, Failure::Refused(Nak::InvalidRequest)),
        (status::REMOTE_OPERATION, Failure::Refused(Nak::RemoteOperation)),
        (status::RETRIES, Failure::NoAnswer(7)),
        (status::NOT_READY, Failure::NeverReady(7)),
    ] {
        let mut native = native();
        (0..2).for_each(|_| assert!(native.read(VA, vec![0; 8]).is_ok()));
        ends(status);
        ends(status::FLUSHED);
        assert_eq!(native.poll_done().map(|done| done.result), Some(Err(failure)));
        assert_eq!(native.poll_done().map(|done| done.result), Some(Err(Failure::Flushed)));
        assert!(native.has_ended() && native.read(VA, vec![0; 8]).is_err());
    }
}

#[test]
fn an_operation_that_ends_out_of_turn_ends_the_connection_first() {
    let mut native = native();
    (0..2).for_each(|_| assert!(native.read(VA, vec![7; 8]).is_ok()));
    device(|device| device.has.swap(0, 1));
    ends(status::SUCCESS);
    for _ in 0..2 {
        let done = native.poll_done().expect("both end");
        assert_eq!((done.result, done.buffer), (Err(Failure::Flushed), Some(vec![7; 8])));
    }
    assert_eq!(said(), ["disconnect", "queue pair"]);
}

#[test]
fn memory_is_given_back_behind_the_queue_pair_also_with_operations_under_way() {
    let mut native = native();
    native.write(VA, vec![1; 100], None, false).expect("posted");
    native.read(VA, vec![0; 9000]).expect("posted");
    drop(native);
    assert_eq!(
        said(),
        [
            "disconnect",
            "queue pair",
            "deregister",
            "deregister",
            "completion queue",
            "protection domain",
            "identifier"
        ]
    );
    assert!(device(|device| device.registered.is_empty()));
}

#[test]
fn memory_of_a_queue_pair_that_stays_is_never_given_back() {
    let mut native = native();
    device(|device| device.keeps_queue_pair = true);
    native.read(VA, vec![0; 64]).expect("posted");
    drop(native);
    assert_eq!(said(), ["disconnect"]);
    // The device still reaches what it was given.
    ends(status::SUCCESS);
    assert_eq!(device(|device| device.registered.len()), 1);
}
