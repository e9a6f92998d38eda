//! Layouts and numbers of libibverbs.so.1 and librdmacm.so.1, as their version 1 has had them since it came (rdma-core 44 was looked
//! at). Structures that a library makes are written down as far as they are read here.
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::offset_of;

/// Things of the libraries that are passed on and never looked into.
macro_rules! opaque {
    ($($name:ident),*) => { $(
        #[repr(C)]
        pub struct $name { _private: [u8; 0] }
    )* };
}
opaque!(Device, Pd);

/// `struct ibv_context`: a device that is open.
#[repr(C)]
pub struct Context {
    pub device: *mut Device,
    pub ops: Ops,
}

pub type PollCq = unsafe extern "C" fn(*mut Cq, c_int, *mut Wc) -> c_int;
pub type RequestNotify = unsafe extern "C" fn(*mut Cq, c_int) -> c_int;
pub type PostSend = unsafe extern "C" fn(*mut Qp, *mut SendWr, *mut *mut SendWr) -> c_int;

/// `struct ibv_context_ops`: functions of the device's driver. C's ibv_poll_cq and ibv_post_send are calls of these.
#[repr(C)]
pub struct Ops {
    _to_poll: [*const c_void; 11],
    pub poll_cq: Option<PollCq>,
    pub request_notify: Option<RequestNotify>,
    _to_send: [*const c_void; 12],
    pub post_send: Option<PostSend>,
    _rest: [*const c_void; 6],
}

/// `struct ibv_cq`.
#[repr(C)]
pub struct Cq {
    pub context: *mut Context,
}

/// `struct ibv_qp`.
#[repr(C)]
pub struct Qp {
    pub context: *mut Context,
}

/// `struct ibv_comp_channel`.
#[repr(C)]
pub struct CompletionChannel {
    pub context: *mut Context,
    pub fd: c_int,
}

/// `struct ibv_mr`: memory that is registered.
#[repr(C)]
pub struct Mr {
    _context: *mut Context,
    _pd: *mut Pd,
    _addr: *mut c_void,
    _length: usize,
    _handle: u32,
    pub lkey: u32,
}

/// `struct ibv_sge`: a piece of registered memory.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Sge {
    pub addr: u64,
    pub length: u32,
    pub lkey: u32,
}

/// The remote side of a READ or a WRITE.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Remote {
    pub addr: u64,
    pub rkey: u32,
}

/// That of an atomic.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RemoteWord {
    pub addr: u64,
    pub compare_add: u64,
    pub swap: u64,
    pub rkey: u32,
}

/// `wr` of `struct ibv_send_wr`.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Target {
    pub rdma: Remote,
    pub atomic: RemoteWord,
}

/// `struct ibv_send_wr`: one operation.
#[repr(C)]
pub struct SendWr {
    pub wr_id: u64,
    pub next: *mut SendWr,
    pub sg_list: *mut Sge,
    pub num_sge: c_int,
    pub opcode: c_uint,
    pub send_flags: c_uint,
    /// In the network's order.
    pub immediate: u32,
    pub target: Target,
    /// What other kinds of queue pairs and operations have.
    pub rest: [u64; 7],
}

/// `enum ibv_wr_opcode`.
pub mod opcode {
    pub const WRITE: u32 = 0;
    pub const WRITE_IMMEDIATE: u32 = 1;
    pub const SEND: u32 = 2;
    pub const SEND_IMMEDIATE: u32 = 3;
    pub const READ: u32 = 4;
    pub const COMPARE_SWAP: u32 = 5;
    pub const FETCH_ADD: u32 = 6;
}

/// `enum ibv_send_flags`.
pub mod flag {
    pub const FENCE: u32 = 1;
    pub const SIGNALED: u32 = 2;
    pub const SOLICITED: u32 = 4;
}

/// `struct ibv_wc`: how an operation ended.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Wc {
    pub wr_id: u64,
    pub status: c_uint,
    pub _rest: [u32; 9],
}

/// `enum ibv_wc_status`.
pub mod status {
    pub const SUCCESS: u32 = 0;
    pub const LOCAL_LENGTH: u32 = 1;
    pub const LOCAL_PROTECTION: u32 = 4;
    pub const FLUSHED: u32 = 5;
    pub const BAD_RESPONSE: u32 = 7;
    pub const REMOTE_INVALID: u32 = 9;
    pub const REMOTE_ACCESS: u32 = 10;
    pub const REMOTE_OPERATION: u32 = 11;
    pub const RETRIES: u32 = 12;
    pub const NOT_READY: u32 = 13;
    pub const REMOTE_ABORTED: u32 = 16;
}

/// `struct ibv_qp_init_attr`.
#[repr(C)]
pub struct QpInit {
    pub context: *mut c_void,
    pub send_cq: *mut Cq,
    pub recv_cq: *mut Cq,
    pub srq: *mut c_void,
    pub max_send_wr: u32,
    pub max_recv_wr: u32,
    pub max_send_sge: u32,
    pub max_recv_sge: u32,
    pub max_inline: u32,
    pub qp_type: c_uint,
    pub signal_all: c_int,
}
/// `IBV_QPT_RC`.
pub const RELIABLE: c_uint = 2;
/// `IBV_ACCESS_LOCAL_WRITE`.
pub const LOCAL_WRITE: c_int = 1;

/// `struct ibv_device_attr`.
#[repr(C)]
pub struct DeviceAttr {
    _to_qp_wr: [u64; 14],
    pub max_qp_wr: c_int,
    _to_init: [c_int; 10],
    /// READs and atomics under way.
    pub max_init_reads: c_int,
    _ee: c_int,
    /// 0: none.
    pub atomics: c_uint,
    _rest: [c_int; 16],
}

/// `struct ibv_port_attr`.
#[repr(C)]
#[derive(Default)]
pub struct PortAttr {
    _to_mtu: [u32; 2],
    /// 1 for 256 bytes to 5 for 4,096.
    pub active_mtu: u32,
    _to_message: [u32; 2],
    pub max_message: u32,
    /// Longer than the library's, which has grown once.
    _rest: [u64; 16],
}

/// `struct rdma_event_channel`.
#[repr(C)]
pub struct EventChannel {
    pub fd: c_int,
}

/// `struct rdma_cm_id`.
#[repr(C)]
pub struct CmId {
    /// The device, when the address has been resolved.
    pub verbs: *mut Context,
    _channel: *mut EventChannel,
    _context: *mut c_void,
    pub qp: *mut Qp,
    _route: [u64; 39],
    _ps: c_uint,
    pub port: u8,
}

/// `struct rdma_conn_param`.
#[repr(C)]
pub struct ConnParam {
    pub private: *const c_void,
    pub private_len: u8,
    pub responder_resources: u8,
    pub initiator_depth: u8,
    pub flow_control: u8,
    pub retries: u8,
    pub not_ready_retries: u8,
    pub srq: u8,
    pub qp_num: u32,
}

/// `struct rdma_cm_event`; of its union, the connection.
#[repr(C)]
pub struct CmEvent {
    _id: *mut CmId,
    _listen: *mut CmId,
    pub event: c_uint,
    pub status: c_int,
    pub connection: ConnParam,
}

/// `enum rdma_cm_event_type`.
pub mod event {
    pub const ADDRESS: u32 = 0;
    pub const ADDRESS_ERROR: u32 = 1;
    pub const ROUTE: u32 = 2;
    pub const ROUTE_ERROR: u32 = 3;
    pub const CONNECT_ERROR: u32 = 6;
    pub const UNREACHABLE: u32 = 7;
    pub const REJECTED: u32 = 8;
    pub const ESTABLISHED: u32 = 9;
    pub const REMOVED: u32 = 11;
}
/// `RDMA_PS_TCP`.
pub const PORT_SPACE_TCP: c_uint = 0x106;
/// `RDMA_OPTION_ID` and `RDMA_OPTION_ID_ACK_TIMEOUT`.
pub const OPTION_ID: c_int = 0;
pub const OPTION_ACK_TIMEOUT: c_int = 3;

/// `struct sockaddr_in`.
#[repr(C)]
pub struct SocketAddress {
    /// `AF_INET`, 2.
    pub family: u16,
    /// Both in the network's order.
    pub port: [u8; 2],
    pub address: [u8; 4],
    pub zeros: [u8; 8],
}

/// A name that the libraries give.
pub type Name = *const c_char;

/// All that is relied upon, by the names that C has: place and bytes; of a structure that the library makes the bytes are 0.
pub fn layouts() -> Vec<(&'static str, usize, usize)> {
    macro_rules! rows {
        ($($name:literal = $place:expr, $bytes:expr;)*) => { vec![$(($name, $place, $bytes)),*] };
    }
    let ops = offset_of!(Context, ops);
    rows! {
        "struct ibv_context.device" = offset_of!(Context, device), 8;
        "struct ibv_context.ops.poll_cq" = ops + offset_of!(Ops, poll_cq), 8;
        "struct ibv_context.ops.req_notify_cq" = ops + offset_of!(Ops, request_notify), 8;
        "struct ibv_context.ops.post_send" = ops + offset_of!(Ops, post_send), 8;
        "struct ibv_context.ops" = ops, size_of::<Ops>();
        "struct ibv_cq.context" = offset_of!(Cq, context), 8;
        "struct ibv_qp.context" = offset_of!(Qp, context), 8;
        "struct ibv_comp_channel.fd" = offset_of!(CompletionChannel, fd), 4;
        "struct ibv_mr.lkey" = offset_of!(Mr, lkey), 4;
        "struct ibv_sge" = 0, size_of::<Sge>();
        "struct ibv_sge.addr" = offset_of!(Sge, addr), 8;
        "struct ibv_sge.length" = offset_of!(Sge, length), 4;
        "struct ibv_sge.lkey" = offset_of!(Sge, lkey), 4;
        "struct ibv_send_wr" = 0, size_of::<SendWr>();
        "struct ibv_send_wr.wr_id" = offset_of!(SendWr, wr_id), 8;
        "struct ibv_send_wr.next" = offset_of!(SendWr, next), 8;
        "struct ibv_send_wr.sg_list" = offset_of!(SendWr, sg_list), 8;
        "struct ibv_send_wr.num_sge" = offset_of!(SendWr, num_sge), 4;
        "struct ibv_send_wr.opcode" = offset_of!(SendWr, opcode), 4;
        "struct ibv_send_wr.send_flags" = offset_of!(SendWr, send_flags), 4;
        "struct ibv_send_wr.imm_data" = offset_of!(SendWr, immediate), 4;
        "struct ibv_send_wr.wr" = offset_of!(SendWr, target), size_of::<Target>();
        "struct ibv_send_wr.wr.rdma.remote_addr" = offset_of!(SendWr, target) + offset_of!(Remote, addr), 8;
        "struct ibv_send_wr.wr.rdma.rkey" = offset_of!(SendWr, target) + offset_of!(Remote, rkey), 4;
        "struct ibv_send_wr.wr.atomic.remote_addr" = offset_of!(SendWr, target) + offset_of!(RemoteWord, addr), 8;
        "struct ibv_send_wr.wr.atomic.compare_add" = offset_of!(SendWr, target) + offset_of!(RemoteWord, compare_add), 8;
        "struct ibv_send_wr.wr.atomic.swap" = offset_of!(SendWr, target) + offset_of!(RemoteWord, swap), 8;
        "struct ibv_send_wr.wr.atomic.rkey" = offset_of!(SendWr, target) + offset_of!(RemoteWord, rkey), 4;
        "struct ibv_wc" = 0, size_of::<Wc>();
        "struct ibv_wc.wr_id" = offset_of!(Wc, wr_id), 8;
        "struct ibv_wc.status" = offset_of!(Wc, status), 4;
        "struct ibv_qp_init_attr" = 0, size_of::<QpInit>();
        "struct ibv_qp_init_attr.send_cq" = offset_of!(QpInit, send_cq), 8;
        "struct ibv_qp_init_attr.recv_cq" = offset_of!(QpInit, recv_cq), 8;
        "struct ibv_qp_init_attr.cap.max_send_wr" = offset_of!(QpInit, max_send_wr), 4;
        "struct ibv_qp_init_attr.cap.max_recv_wr" = offset_of!(QpInit, max_recv_wr), 4;
        "struct ibv_qp_init_attr.cap.max_send_sge" = offset_of!(QpInit, max_send_sge), 4;
        "struct ibv_qp_init_attr.cap.max_recv_sge" = offset_of!(QpInit, max_recv_sge), 4;
        "struct ibv_qp_init_attr.qp_type" = offset_of!(QpInit, qp_type), 4;
        "struct ibv_qp_init_attr.sq_sig_all" = offset_of!(QpInit, signal_all), 4;
        "struct ibv_device_attr" = 0, size_of::<DeviceAttr>();
        "struct ibv_device_attr.max_qp_wr" = offset_of!(DeviceAttr, max_qp_wr), 4;
        "struct ibv_device_attr.max_qp_init_rd_atom" = offset_of!(DeviceAttr, max_init_reads), 4;
        "struct ibv_device_attr.atomic_cap" = offset_of!(DeviceAttr, atomics), 4;
        "struct ibv_port_attr.max_msg_sz" = offset_of!(PortAttr, max_message), 4;
        "struct rdma_event_channel.fd" = offset_of!(EventChannel, fd), 4;
        "struct rdma_cm_id.verbs" = offset_of!(CmId, verbs), 8;
        "struct rdma_cm_id.qp" = offset_of!(CmId, qp), 8;
        "struct rdma_cm_id.port_num" = offset_of!(CmId, port), 1;
        "struct rdma_conn_param" = 0, size_of::<ConnParam>();
        "struct rdma_conn_param.private_data" = offset_of!(ConnParam, private), 8;
        "struct rdma_conn_param.private_data_len" = offset_of!(ConnParam, private_len), 1;
        "struct rdma_conn_param.responder_resources" = offset_of!(ConnParam, responder_resources), 1;
        "struct rdma_conn_param.initiator_depth" = offset_of!(ConnParam, initiator_depth), 1;
        "struct rdma_conn_param.retry_count" = offset_of!(ConnParam, retries), 1;
        "struct rdma_conn_param.rnr_retry_count" = offset_of!(ConnParam, not_ready_retries), 1;
        "struct rdma_conn_param.qp_num" = offset_of!(ConnParam, qp_num), 4;
        "struct rdma_cm_event.event" = offset_of!(CmEvent, event), 4;
        "struct rdma_cm_event.status" = offset_of!(CmEvent, status), 4;
        "struct rdma_cm_event.param.conn" = offset_of!(CmEvent, connection), size_of::<ConnParam>();
        "struct sockaddr_in" = 0, size_of::<SocketAddress>();
        "struct sockaddr_in.sin_port" = offset_of!(SocketAddress, port), 2;
        "struct sockaddr_in.sin_addr" = offset_of!(SocketAddress, address), 4;
    }
}
