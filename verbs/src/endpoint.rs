//! One end of a connection: everything that the libraries gave for it, and the order in which it goes back.
use std::os::fd::BorrowedFd;
use std::ptr::{self, NonNull};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::VerbsError;
use crate::abi::*;
use crate::library::Api;

/// Identifier of the connection manager, protection domain, completion queue and queue pair. What is null is not there yet.
pub struct Endpoint {
    pub api: &'static Api,
    pub events: NonNull<EventChannel>,
    pub id: NonNull<CmId>,
    pub pd: *mut Pd,
    channel: *mut CompletionChannel,
    cq: *mut Cq,
    connected: bool,
}

// SAFETY: all of it belongs to the endpoint alone, and the libraries may be called by any thread.
unsafe impl Send for Endpoint {}

/// What an endpoint may have under way, as its device allows.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// READs and atomics.
    pub reads: u8,
    /// Operations.
    pub operations: usize,
    /// Bytes of a message.
    pub message: usize,
    /// Bytes of a packet: boards take the longest, so the port decides.
    pub packet: usize,
}

/// The operations of a connection that the library's own client has, too.
const OPERATIONS: u32 = 128;
/// READs and atomics that a board serves at a time.
const READS: i32 = 16;

impl Endpoint {
    /// Events and an identifier: nothing is known of a device yet.
    pub fn new(api: &'static Api) -> Result<Endpoint, VerbsError> {
        // SAFETY: it takes nothing.
        let events = unsafe { (api.create_event_channel)() };
        let events = NonNull::new(events).ok_or_else(|| VerbsError::last(crate::manager::CHANNEL))?;
        let mut id = ptr::null_mut();
        // SAFETY: the channel is there, and the identifier is written where it may be.
        let failed =
            unsafe { (api.create_id)(events.as_ptr(), &raw mut id, ptr::null_mut(), PORT_SPACE_TCP) } != 0;
        let Some(id) = NonNull::new(id).filter(|_| !failed) else {
            let error = VerbsError::last("asking for an identifier of a connection");
            // SAFETY: it was made above, and has no identifier.
            unsafe { (api.destroy_event_channel)(events.as_ptr()) };
            return Err(error);
        };
        let (pd, channel, cq) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let endpoint = Endpoint { api, events, id, pd, channel, cq, connected: false };
        // SAFETY: the channel is there, and keeps its file as long.
        set_nonblocking(unsafe { BorrowedFd::borrow_raw((*events.as_ptr()).fd) })?;
        Ok(endpoint)
    }

    /// One whose parts a test has made.
    #[cfg(test)]
    pub fn of(
        api: &'static Api,
        (events, id): (NonNull<EventChannel>, NonNull<CmId>),
        pd: *mut Pd,
        (channel, cq): (*mut CompletionChannel, *mut Cq),
    ) -> Endpoint {
        Endpoint { api, events, id, pd, channel, cq, connected: true }
    }

    /// The device's context, when an address has been resolved.
    pub fn context(&self) -> Option<NonNull<Context>> {
        // SAFETY: the identifier is there.
        NonNull::new(unsafe { (*self.id.as_ptr()).verbs })
    }

    /// What the device allows. It must know atomics.
    pub fn bounds(&self) -> Result<Bounds, VerbsError> {
        let context = self.context().ok_or(VerbsError::Unfit("it is not there any more"))?.as_ptr();
        // SAFETY: numbers alone: zeros are a value of it.
        let mut device: DeviceAttr = unsafe { std::mem::zeroed() };
        let mut port = PortAttr::default();
        // SAFETY: the context is there, and what is written has room.
        let failed = unsafe {
            (self.api.query_device)(context, &raw mut device) != 0
                || (self.api.query_port)(context, (*self.id.as_ptr()).port, &raw mut port) != 0
        };
        if failed {
            return Err(VerbsError::last("asking the device what it can"));
        }
        if device.atomics == 0 {
            return Err(VerbsError::Unfit("it has no atomics"));
        }
        Ok(Bounds {
            reads: device.max_init_reads.clamp(1, READS) as u8,
            operations: device.max_qp_wr.clamp(1, OPERATIONS as i32) as usize,
            message: port.max_message as usize,
            packet: 128 << port.active_mtu.clamp(1, 5),
        })
    }

    /// Makes all that operations need.
    pub fn furnish(&mut self, bounds: &Bounds) -> Result<(), VerbsError> {
        let context = self.context().ok_or(VerbsError::Unfit("it is not there any more"))?.as_ptr();
        // SAFETY: the context is there.
        self.pd = unsafe { (self.api.alloc_pd)(context) };
        if self.pd.is_null() {
            return Err(VerbsError::last("allocating a protection domain"));
        }
        // SAFETY: the context is there.
        self.channel = unsafe { (self.api.create_channel)(context) };
        if self.channel.is_null() {
            return Err(VerbsError::last("making a channel for completions"));
        }
        set_nonblocking(self.ready_fd())?;
        let room = bounds.operations as i32;
        // SAFETY: context and channel are there, and the channel goes behind the queue.
        self.cq = unsafe { (self.api.create_cq)(context, room, ptr::null_mut(), self.channel, 0) };
        if self.cq.is_null() {
            return Err(VerbsError::last("making a queue for completions"));
        }
        let mut wanted = QpInit {
            context: ptr::null_mut(),
            send_cq: self.cq,
            recv_cq: self.cq,
            srq: ptr::null_mut(),
            max_send_wr: bounds.operations as u32,
            max_recv_wr: 1,
            max_send_sge: 1,
            max_recv_sge: 1,
            max_inline: 0,
            qp_type: RELIABLE,
            signal_all: 1,
        };
        // SAFETY: identifier, domain and queue are there, and go behind the queue pair.
        if unsafe { (self.api.create_qp)(self.id.as_ptr(), self.pd, &raw mut wanted) } != 0 {
            return Err(VerbsError::last("making a queue pair"));
        }
        Ok(())
    }

    /// From now on the other side is told of the end.
    pub fn set_connected(&mut self) {
        self.connected = true;
    }

    fn qp(&self) -> Option<NonNull<Qp>> {
        // SAFETY: the identifier is there.
        NonNull::new(unsafe { (*self.id.as_ptr()).qp })
    }

    /// Gives the device an operation. Otherwise the system's number of why not.
    ///
    /// # Safety
    /// What its pieces name is registered, and stays until its completion has come or the queue pair is gone.
    pub unsafe fn post(&self, work: &mut SendWr) -> Result<(), i32> {
        let Some(qp) = self.qp() else { return Err(rustix::io::Errno::NOTCONN.raw_os_error()) };
        let mut bad = ptr::null_mut();
        // SAFETY: the queue pair and its context are there; the caller answers for the pieces.
        let failed = unsafe {
            let post = (*(*qp.as_ptr()).context).ops.post_send;
            post.map_or(rustix::io::Errno::NOSYS.raw_os_error(), |post| post(qp.as_ptr(), work, &raw mut bad))
        };
        if failed == 0 { Ok(()) } else { Err(failed) }
    }

    /// Takes completions, as many as there is room for.
    pub fn take(&self, done: &mut [Wc]) -> Result<usize, VerbsError> {
        let room = i32::try_from(done.len()).unwrap_or(i32::MAX);
        // SAFETY: the queue and its context are there, and it writes so many completions at most.
        let count = unsafe {
            (*(*self.cq).context).ops.poll_cq.map_or(-1, |poll| poll(self.cq, room, done.as_mut_ptr()))
        };
        usize::try_from(count).map_err(|_| VerbsError::last("taking completions"))
    }

    /// Lets the next completion be told on [`Endpoint::ready_fd`].
    pub fn arm(&self) -> Result<(), VerbsError> {
        // SAFETY: the queue and its context are there.
        let failed = unsafe { (*(*self.cq).context).ops.request_notify.map_or(-1, |arm| arm(self.cq, 0)) };
        if failed == 0 { Ok(()) } else { Err(VerbsError::last("asking to be told of completions")) }
    }

    /// Ready to be read when something has ended since [`Endpoint::arm`].
    pub fn ready_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the channel is there, and keeps its file as long.
        unsafe { BorrowedFd::borrow_raw((*self.channel).fd) }
    }

    /// Takes what was told.
    pub fn disarm(&self) {
        let (mut cq, mut context) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the channel is there and does not block. Each event is acknowledged once, before its queue can go.
        unsafe {
            while (self.api.get_cq_event)(self.channel, &raw mut cq, &raw mut context) == 0 {
                (self.api.ack_cq_events)(cq, 1);
            }
        }
    }

    /// Ends the connection and the queue pair: the device accesses no memory any more. Answers whether that is sure.
    pub fn end(&mut self) -> bool {
        let Some(qp) = self.qp() else { return true };
        if std::mem::take(&mut self.connected) {
            // Nobody waits for the answer: a board that does not hear it ends the connection with the process.
            // SAFETY: the identifier and its queue pair are there.
            let _told = unsafe { (self.api.disconnect)(self.id.as_ptr()) };
        }
        // SAFETY: the queue pair is there, and is forgotten when it is gone.
        unsafe {
            if (self.api.destroy_qp)(qp.as_ptr()) != 0 {
                return false;
            }
            (*self.id.as_ptr()).qp = ptr::null_mut();
        }
        true
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        if !self.end() {
            // Nothing that a living queue pair has may go.
            return;
        }
        // SAFETY: each was made by the library, is given back once, and behind what was made with it.
        unsafe {
            if !self.cq.is_null() {
                (self.api.destroy_cq)(self.cq);
            }
            if !self.channel.is_null() {
                (self.api.destroy_channel)(self.channel);
            }
            if !self.pd.is_null() {
                (self.api.dealloc_pd)(self.pd);
            }
            (self.api.destroy_id)(self.id.as_ptr());
            (self.api.destroy_event_channel)(self.events.as_ptr());
        }
    }
}

fn set_nonblocking(file: BorrowedFd<'_>) -> Result<(), VerbsError> {
    let flags = rustix::fs::fcntl_getfl(file);
    let set = flags.and_then(|flags| rustix::fs::fcntl_setfl(file, flags | rustix::fs::OFlags::NONBLOCK));
    set.map_err(|error| VerbsError::Call { what: "a channel that does not block", error: error.into() })
}

/// Waits until a file can be read. Answers whether it can.
pub fn readable(file: BorrowedFd<'_>, most: Duration) -> Result<bool, VerbsError> {
    let most = Timespec { tv_sec: most.as_secs().min(3600) as i64, tv_nsec: most.subsec_nanos().into() };
    match poll(&mut [PollFd::from_borrowed_fd(file, PollFlags::IN)], Some(&most)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(VerbsError::Call { what: "waiting for the device", error: error.into() }),
    }
}
