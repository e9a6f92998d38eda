//! How a connection is made: rdma_cm resolves the address and the route, and asks the board.
use std::ffi::c_void;
use std::net::Ipv4Addr;
use std::ptr;
use std::time::{Duration, Instant};

use mneme_rdma::cm::{Ask, ConnectError, Granted, Refusal, SERVICE_PORT};

use crate::VerbsError;
use crate::abi::*;
use crate::endpoint::{Bounds, Endpoint, readable};
use crate::library::Api;

/// What is done first.
pub const CHANNEL: &str = "reaching the connection manager (/dev/infiniband/rdma_cm)";
/// Times that the device repeats what nobody acknowledges, and times that it asks a board that is not ready: 7 is for ever.
const RETRIES: u8 = 7;
/// An acknowledge may take 4.096 µs by two to the power of this: 67 ms.
static ACK_TIMEOUT: u8 = 14;

/// An event, copied.
struct Came {
    event: u32,
    status: i32,
    private: Vec<u8>,
}

/// Waits for the next event.
fn event(endpoint: &Endpoint, until: Instant) -> Result<Came, VerbsError> {
    let events = endpoint.events.as_ptr();
    // SAFETY: the channel is there, and keeps its file as long.
    let file = unsafe { std::os::fd::BorrowedFd::borrow_raw((*events).fd) };
    loop {
        let mut came = ptr::null_mut::<CmEvent>();
        // SAFETY: the channel is there and does not block.
        if unsafe { (endpoint.api.get_cm_event)(events, &raw mut came) } == 0 {
            // SAFETY: the library's event, until it is acknowledged, which happens once. Its private data is of this length.
            return Ok(unsafe {
                let CmEvent { event, status, connection, .. } = &*came;
                let has =
                    [event::ESTABLISHED, event::REJECTED].contains(event) && !connection.private.is_null();
                let length = if has { usize::from(connection.private_len) } else { 0 };
                let data = if has { connection.private.cast() } else { ptr::NonNull::dangling().as_ptr() };
                let private = std::slice::from_raw_parts(data, length).to_vec();
                let copied = Came { event: *event, status: *status, private };
                (endpoint.api.ack_cm_event)(came);
                copied
            });
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::WouldBlock {
            return Err(VerbsError::Call { what: "hearing the connection manager", error });
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ConnectError::Silent.into());
        }
        readable(file, left)?;
    }
}

/// Waits for one kind of event.
fn expect(endpoint: &Endpoint, until: Instant, wanted: u32) -> Result<Came, VerbsError> {
    let came = event(endpoint, until)?;
    let failed = |what| {
        let error = std::io::Error::from_raw_os_error(came.status.checked_neg().unwrap_or(0));
        Err(VerbsError::Call { what, error })
    };
    match came.event {
        event if event == wanted => Ok(came),
        event::ADDRESS_ERROR => failed("resolving the board's address"),
        event::ROUTE_ERROR => failed("resolving the way to the board"),
        event::UNREACHABLE => Err(ConnectError::Silent.into()),
        event::REJECTED => {
            let other = ConnectError::Rejected(u16::try_from(came.status).unwrap_or(u16::MAX));
            Err(Refusal::parse(&came.private).map_or(other, ConnectError::Refused).into())
        }
        event::CONNECT_ERROR => failed("making the connection"),
        event::REMOVED => Err(VerbsError::Unfit("it was taken away")),
        _ => Err(ConnectError::BadAnswer.into()),
    }
}

fn socket_address(address: Ipv4Addr, port: u16) -> SocketAddress {
    SocketAddress { family: 2, port: port.to_be_bytes(), address: address.octets(), zeros: [0; 8] }
}

/// Asks a board for a connection over a device. Blocks up to `patience`.
pub fn connect(
    api: &'static Api,
    device: &str,
    (source, board): (Option<Ipv4Addr>, Ipv4Addr),
    ask: &Ask,
    patience: Duration,
) -> Result<(Endpoint, Bounds, Granted), VerbsError> {
    api.has(device)?;
    let until = Instant::now() + patience;
    let most = i32::try_from(patience.as_millis()).unwrap_or(i32::MAX).max(1);
    let mut endpoint = Endpoint::new(api)?;
    let id = endpoint.id.as_ptr();
    let from = source.map(|source| socket_address(source, 0));
    let to = socket_address(board, SERVICE_PORT);
    let from = from.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: the identifier is there, and both addresses are ones of IPv4, which are copied.
    if unsafe { (api.resolve_addr)(id, from, &raw const to, most) } != 0 {
        return Err(VerbsError::last("resolving the board's address"));
    }
    expect(&endpoint, until, event::ADDRESS)?;
    let context = endpoint.context().ok_or(VerbsError::Unfit("the way to the board goes by none"))?;
    // SAFETY: the context is there, and so is its device.
    let by = unsafe { api.name((*context.as_ptr()).device) };
    if by != device {
        return Err(VerbsError::OtherDevice { wanted: device.to_owned(), by });
    }
    // Kernels before 5.3 do not know it, and take a longer time.
    // SAFETY: the identifier is there, and the option is a byte.
    let _set =
        unsafe { (api.set_option)(id, OPTION_ID, OPTION_ACK_TIMEOUT, (&raw const ACK_TIMEOUT).cast(), 1) };
    // SAFETY: the identifier is there.
    if unsafe { (api.resolve_route)(id, most) } != 0 {
        return Err(VerbsError::last("resolving the way to the board"));
    }
    expect(&endpoint, until, event::ROUTE)?;
    let bounds = endpoint.bounds()?;
    endpoint.furnish(&bounds)?;
    let granted = request(&mut endpoint, &bounds, ask, until)?;
    Ok((endpoint, bounds, granted))
}

/// Asks the board, and waits for what it grants.
fn request(
    endpoint: &mut Endpoint,
    bounds: &Bounds,
    ask: &Ask,
    until: Instant,
) -> Result<Granted, VerbsError> {
    let private = ask.to_bytes();
    let wanted = ConnParam {
        private: private.as_ptr().cast::<c_void>(),
        private_len: private.len() as u8,
        responder_resources: 0,
        initiator_depth: bounds.reads,
        flow_control: 0,
        retries: RETRIES,
        not_ready_retries: RETRIES,
        srq: 0,
        qp_num: 0,
    };
    // SAFETY: the identifier has a queue pair, and the private data is copied.
    if unsafe { (endpoint.api.connect)(endpoint.id.as_ptr(), &raw const wanted) } != 0 {
        return Err(VerbsError::last("asking the board for a connection"));
    }
    let came = expect(endpoint, until, event::ESTABLISHED)?;
    endpoint.set_connected();
    let granted = Granted::parse(&came.private).ok_or(ConnectError::BadAnswer)?;
    if (granted.pid, granted.kind) != (ask.pid, ask.kind) {
        return Err(ConnectError::BadAnswer.into());
    }
    Ok(granted)
}
