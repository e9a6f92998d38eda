//! Loading both libraries, and the functions of theirs that are used.
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;

use crate::abi::*;
use crate::{Devices, VerbsError};

/// Declares the functions once, by library: name and type.
macro_rules! functions {
    ($($field:ident of $library:ident = $name:literal: fn($($argument:ty),*) $(-> $answer:ty)?;)*) => {
        /// Functions of libibverbs and librdmacm.
        pub struct Api {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $answer)?,)*
        }

        impl Api {
            fn of(libraries: &Libraries) -> Result<Api, VerbsError> {
                Ok(Api {
                    // SAFETY: version 1 of the library has this function with this type (verbs.h and rdma_cma.h of rdma-core).
                    $($field: unsafe { libraries.$library.function(concat!($name, "\0").as_bytes())? },)*
                })
            }
            /// Functions that must not be called: those of a test's device take the place of some.
            #[cfg(test)]
            pub fn none() -> Api {
                $(unsafe extern "C" fn $field($(_: $argument),*) $(-> $answer)? {
                    panic!($name)
                })*
                Api { $($field),* }
            }
        }
    };
}

functions! {
    get_device_list of verbs = "ibv_get_device_list": fn(*mut c_int) -> *mut *mut Device;
    free_device_list of verbs = "ibv_free_device_list": fn(*mut *mut Device);
    get_device_name of verbs = "ibv_get_device_name": fn(*mut Device) -> Name;
    query_device of verbs = "ibv_query_device": fn(*mut Context, *mut DeviceAttr) -> c_int;
    query_port of verbs = "ibv_query_port": fn(*mut Context, u8, *mut PortAttr) -> c_int;
    alloc_pd of verbs = "ibv_alloc_pd": fn(*mut Context) -> *mut Pd;
    dealloc_pd of verbs = "ibv_dealloc_pd": fn(*mut Pd) -> c_int;
    reg_mr of verbs = "ibv_reg_mr": fn(*mut Pd, *mut c_void, usize, c_int) -> *mut Mr;
    dereg_mr of verbs = "ibv_dereg_mr": fn(*mut Mr) -> c_int;
    create_channel of verbs = "ibv_create_comp_channel": fn(*mut Context) -> *mut CompletionChannel;
    destroy_channel of verbs = "ibv_destroy_comp_channel": fn(*mut CompletionChannel) -> c_int;
    create_cq of verbs = "ibv_create_cq":
        fn(*mut Context, c_int, *mut c_void, *mut CompletionChannel, c_int) -> *mut Cq;
    destroy_cq of verbs = "ibv_destroy_cq": fn(*mut Cq) -> c_int;
    get_cq_event of verbs = "ibv_get_cq_event": fn(*mut CompletionChannel, *mut *mut Cq, *mut *mut c_void) -> c_int;
    ack_cq_events of verbs = "ibv_ack_cq_events": fn(*mut Cq, c_uint);
    destroy_qp of verbs = "ibv_destroy_qp": fn(*mut Qp) -> c_int;
    create_event_channel of manager = "rdma_create_event_channel": fn() -> *mut EventChannel;
    destroy_event_channel of manager = "rdma_destroy_event_channel": fn(*mut EventChannel);
    create_id of manager = "rdma_create_id": fn(*mut EventChannel, *mut *mut CmId, *mut c_void, c_uint) -> c_int;
    destroy_id of manager = "rdma_destroy_id": fn(*mut CmId) -> c_int;
    resolve_addr of manager = "rdma_resolve_addr":
        fn(*mut CmId, *const SocketAddress, *const SocketAddress, c_int) -> c_int;
    resolve_route of manager = "rdma_resolve_route": fn(*mut CmId, c_int) -> c_int;
    set_option of manager = "rdma_set_option": fn(*mut CmId, c_int, c_int, *const c_void, usize) -> c_int;
    create_qp of manager = "rdma_create_qp": fn(*mut CmId, *mut Pd, *mut QpInit) -> c_int;
    connect of manager = "rdma_connect": fn(*mut CmId, *const ConnParam) -> c_int;
    disconnect of manager = "rdma_disconnect": fn(*mut CmId) -> c_int;
    get_cm_event of manager = "rdma_get_cm_event": fn(*mut EventChannel, *mut *mut CmEvent) -> c_int;
    ack_cm_event of manager = "rdma_ack_cm_event": fn(*mut CmEvent) -> c_int;
}

struct Libraries {
    verbs: Loaded,
    manager: Loaded,
}

struct Loaded {
    name: &'static str,
    library: &'static Library,
}

impl Loaded {
    fn new(name: &'static str) -> Result<Loaded, VerbsError> {
        // SAFETY: what these libraries run when they are loaded asks nothing of who loads them.
        let library = unsafe { Library::new(name) }
            .map_err(|error| VerbsError::Library { name, reason: error.to_string() })?;
        // It stays: drivers that it has loaded, and threads of theirs, do not know of an end.
        Ok(Loaded { name, library: Box::leak(Box::new(library)) })
    }
    /// # Safety
    /// `F` is the type of the function of this name.
    unsafe fn function<F: Copy>(&self, name: &[u8]) -> Result<F, VerbsError> {
        // SAFETY: as the caller says.
        let found = unsafe { self.library.get::<F>(name) };
        let found =
            found.map_err(|error| VerbsError::Library { name: self.name, reason: error.to_string() })?;
        Ok(*found)
    }
}

/// Both libraries, loaded when this is called first. One that is missing then may be there later.
pub fn api() -> Result<&'static Api, VerbsError> {
    static API: OnceLock<Api> = OnceLock::new();
    if let Some(api) = API.get() {
        return Ok(api);
    }
    let (verbs, manager) = (Loaded::new("libibverbs.so.1")?, Loaded::new("librdmacm.so.1")?);
    let api = Api::of(&Libraries { verbs, manager })?;
    // Of two threads at once both have the same functions.
    Ok(API.get_or_init(|| api))
}

impl Api {
    /// The name of a device, which may not be one of a list that is freed.
    ///
    /// # Safety
    /// The device is one of the library's, and its list or context is there.
    pub unsafe fn name(&self, device: *mut Device) -> String {
        // SAFETY: the device is there, and the library keeps the name as long as it.
        let name = unsafe { (self.get_device_name)(device) };
        if name.is_null() {
            return String::new();
        }
        // SAFETY: it is a C string of the library's.
        unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
    }

    /// All devices.
    pub fn devices(&self) -> Result<Vec<String>, VerbsError> {
        let mut count = 0;
        // SAFETY: it writes the count, and answers a list of so many or nothing.
        let list = unsafe { (self.get_device_list)(&raw mut count) };
        if list.is_null() {
            let error = std::io::Error::last_os_error();
            // A kernel without InfiniBand has none.
            return match error.raw_os_error() {
                Some(2 | 38) => Ok(Vec::new()),
                _ => Err(VerbsError::Call { what: "listing RDMA devices", error }),
            };
        }
        // SAFETY: the list has so many devices, and is freed behind this.
        let names =
            (0..usize::try_from(count).unwrap_or(0)).map(|at| unsafe { self.name(*list.add(at)) }).collect();
        // SAFETY: it is the library's list, and nobody has a device of it any more.
        unsafe { (self.free_device_list)(list) };
        Ok(names)
    }

    /// Fails unless there is a device of this name.
    pub fn has(&self, wanted: &str) -> Result<(), VerbsError> {
        let there = self.devices()?;
        if there.iter().any(|name| name == wanted) {
            return Ok(());
        }
        Err(VerbsError::NoDevice { wanted: wanted.to_owned(), there: Devices(there) })
    }
}

/// The names of the machine's RDMA devices.
///
/// # Errors
/// [`VerbsError::Library`] and [`VerbsError::Call`].
pub fn devices() -> Result<Vec<String>, VerbsError> {
    api()?.devices()
}
