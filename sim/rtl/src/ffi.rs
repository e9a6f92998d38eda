//! The only unsafe code of the crate, but for who loads a library: the C interface of `cpp/api.h`, and an owner of one board that keeps
//! its rules.
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use libloading::Library;

use super::RtlConfig;

#[path = "../abi.rs"]
mod abi;
mod memory;
mod mirror;
mod waves;
use abi::ABI;
pub(crate) use mirror::*;

/// The C++ object, never looked into.
#[repr(C)]
pub(super) struct Board {
    opaque: [u8; 0],
    /// The object belongs to one owner: neither shared between threads nor moved in memory.
    marker: PhantomData<*mut u8>,
}

/// The functions of one compiled configuration.
#[derive(Clone, Copy)]
pub(super) struct Api {
    create: unsafe extern "C" fn(*const Options) -> *mut Board,
    destroy: unsafe extern "C" fn(*mut Board),
    run: unsafe extern "C" fn(*mut Board, u64, u64),
    reset_core: unsafe extern "C" fn(*mut Board, u64, u8),
    begin_load: unsafe extern "C" fn(*mut Board, *const Load),
    run_load: unsafe extern "C" fn(*mut Board, u64) -> u8,
    end_load: unsafe extern "C" fn(*mut Board, *mut LoadResult),
    state: unsafe extern "C" fn(*const Board, *mut State),
    violation: unsafe extern "C" fn(*const Board) -> *const c_char,
    read_register: unsafe extern "C" fn(*mut Board, u32, *mut u32) -> u8,
    write_register: unsafe extern "C" fn(*mut Board, u32, u32, u8) -> u8,
    read_word: unsafe extern "C" fn(*mut Board, u32, u32, *mut u32) -> u8,
    write_bytes: unsafe extern "C" fn(*mut Board, u32, u32, u8, *const u32) -> u8,
    ingress: unsafe extern "C" fn(*mut Board, *const u8, u64, u8) -> u8,
    egress: unsafe extern "C" fn(*mut Board, *mut u8, u64, *mut u8) -> i64,
    slow_send: unsafe extern "C" fn(*mut Board, *const u8, u64) -> u8,
    slow_receive: unsafe extern "C" fn(*mut Board, *mut u8, u64, *mut u8) -> i64,
    memory: unsafe extern "C" fn(*mut Board, *mut u64) -> *mut u8,
    memory_fail: unsafe extern "C" fn(*mut Board, u64, u64),
    memory_fail_lines: unsafe extern "C" fn(*mut Board, u64, u64, u64, u32),
    memory_fail_table: unsafe extern "C" fn(*mut Board, u32, u32),
    memory_lose: unsafe extern "C" fn(*mut Board, u32, u8, u64),
    trace: unsafe extern "C" fn(*mut Board, *mut Trace) -> u8,
    latency: unsafe extern "C" fn(*mut Board, *mut Latency) -> u8,
    traffic: unsafe extern "C" fn(*mut Board, *const Traffic) -> u8,
    traffic_result: unsafe extern "C" fn(*mut Board, *mut TrafficResult) -> u8,
    order: unsafe extern "C" fn(*mut Board, *mut u8) -> u8,
    waves: unsafe extern "C" fn(*mut Board, *const Waves) -> u8,
    end_waves: unsafe extern "C" fn(*mut Board),
    waves_state: unsafe extern "C" fn(*const Board, *mut WavesState),
}

/// Why a library cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenError {
    #[error(transparent)]
    Loading(#[from] libloading::Error),
    #[error("it was built of other sources than this program")]
    Other,
}

/// Every function of a board, with the end of its symbol, for another macro.
macro_rules! functions {
    ($then:ident $($config:ident)?) => {
        $then! { $($config)?:
            create "_create" (*const Options) -> *mut Board;
            destroy "_destroy" (*mut Board);
            run "_run" (*mut Board, u64, u64);
            reset_core "_reset_core" (*mut Board, u64, u8);
            begin_load "_begin_load" (*mut Board, *const Load);
            run_load "_run_load" (*mut Board, u64) -> u8;
            end_load "_end_load" (*mut Board, *mut LoadResult);
            state "_state" (*const Board, *mut State);
            violation "_violation" (*const Board) -> *const c_char;
            read_register "_read_register" (*mut Board, u32, *mut u32) -> u8;
            write_register "_write_register" (*mut Board, u32, u32, u8) -> u8;
            read_word "_read_word" (*mut Board, u32, u32, *mut u32) -> u8;
            write_bytes "_write_bytes" (*mut Board, u32, u32, u8, *const u32) -> u8;
            ingress "_ingress" (*mut Board, *const u8, u64, u8) -> u8;
            egress "_egress" (*mut Board, *mut u8, u64, *mut u8) -> i64;
            slow_send "_slow_send" (*mut Board, *const u8, u64) -> u8;
            slow_receive "_slow_receive" (*mut Board, *mut u8, u64, *mut u8) -> i64;
            memory "_memory" (*mut Board, *mut u64) -> *mut u8;
            memory_fail "_memory_fail" (*mut Board, u64, u64);
            memory_fail_lines "_memory_fail_lines" (*mut Board, u64, u64, u64, u32);
            memory_fail_table "_memory_fail_table" (*mut Board, u32, u32);
            memory_lose "_memory_lose" (*mut Board, u32, u8, u64);
            trace "_trace" (*mut Board, *mut Trace) -> u8;
            latency "_latency" (*mut Board, *mut Latency) -> u8;
            traffic "_traffic" (*mut Board, *const Traffic) -> u8;
            traffic_result "_traffic_result" (*mut Board, *mut TrafficResult) -> u8;
            order "_order" (*mut Board, *mut u8) -> u8;
            waves "_waves" (*mut Board, *const Waves) -> u8;
            end_waves "_end_waves" (*mut Board);
            waves_state "_waves_state" (*const Board, *mut WavesState);
        }
    };
}
/// A configuration that the build script has linked.
macro_rules! linked {
    ($config:ident: $($function:ident $symbol:literal ($($argument:ty),*) $(-> $result:ty)?;)+) => {
        mod $config {
            use super::*;
            unsafe extern "C" {
                $( #[link_name = concat!("mneme_board_", stringify!($config), $symbol)]
                   fn $function($(_: $argument),*) $(-> $result)?; )+
            }
            pub(super) const API: Api = Api { $($function),+ };
        }
    };
}
functions!(linked tiny);
functions!(linked sim);
functions!(linked wide);
functions!(linked odd);
#[cfg(feature = "large")]
functions!(linked large);
#[cfg(feature = "zcu106")]
functions!(linked zcu106);
#[cfg(feature = "doors")]
functions!(linked doors);
#[cfg(feature = "tags")]
functions!(linked tags);
#[cfg(feature = "rdma")]
functions!(linked rdma);

/// A configuration from a library of its own.
macro_rules! loaded {
    (: $($function:ident $symbol:literal ($($argument:ty),*) $(-> $result:ty)?;)+) => {
        impl Api {
            /// Opens a library whose functions begin with `mneme_board_loaded`; it is never closed. One that was made of other sources than
            /// this crate is refused before any other function of it is called.
            ///
            /// # Safety
            /// It must be a board's library: nothing happens on its being loaded.
            pub(super) unsafe fn open(path: &Path) -> Result<Api, OpenError> {
                // SAFETY: as the caller promises, it does nothing on being loaded; where its number is right its functions have these
                // types.
                unsafe {
                    let library = ManuallyDrop::new(Library::new(path)?);
                    let abi = library.get::<unsafe extern "C" fn() -> u64>(b"mneme_board_loaded_abi\0");
                    if !abi.is_ok_and(|abi| abi() == ABI) {
                        return Err(OpenError::Other);
                    }
                    Ok(Api {
                        $( $function: *library.get::<unsafe extern "C" fn($($argument),*) $(-> $result)?>(
                            concat!("mneme_board_loaded", $symbol, "\0").as_bytes(),
                        )?, )+
                    })
                }
            }
        }
    };
}
functions!(loaded);

/// Names a folder of boards that were built apart (`cargo xtask mutate`): one of a linked board's name stands in for it, so that every
/// test of a linked board can be asked about another hardware.
const STAND_INS: &str = "MNEME_STAND_INS";

impl RtlConfig {
    fn api(self) -> Api {
        if let RtlConfig::Loaded(board) = self {
            return board.api;
        }
        static FOUND: Mutex<BTreeMap<&str, Option<Api>>> = Mutex::new(BTreeMap::new());
        let name = self.shape().name;
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let stand_in =
            *found.entry(name).or_insert_with(|| {
                let library = PathBuf::from(std::env::var_os(STAND_INS)?).join(format!("{name}.so"));
                // SAFETY: who names the folder to a test program of this repository has built it with this version's sources.
                let api = library.exists().then(|| unsafe { Api::open(&library) })?;
                Some(api.unwrap_or_else(|error| {
                    panic!("{}, which stands in for {name}: {error}", library.display())
                }))
            });
        stand_in.unwrap_or_else(|| self.linked())
    }
    fn linked(self) -> Api {
        match self {
            RtlConfig::Tiny => tiny::API,
            RtlConfig::Sim => sim::API,
            RtlConfig::Wide => wide::API,
            RtlConfig::Odd => odd::API,
            #[cfg(feature = "large")]
            RtlConfig::Large => large::API,
            #[cfg(feature = "zcu106")]
            RtlConfig::Zcu106 => zcu106::API,
            #[cfg(feature = "doors")]
            RtlConfig::Doors => doors::API,
            #[cfg(feature = "tags")]
            RtlConfig::Tags => tags::API,
            #[cfg(feature = "rdma")]
            RtlConfig::Rdma => rdma::API,
            RtlConfig::Loaded(board) => board.api,
        }
    }
}

/// One board, owned.
pub(super) struct Verilated {
    api: Api,
    board: NonNull<Board>,
}

// SAFETY: the C++ object keeps no thread-local state and is reached through this owner alone, so it may change threads.
unsafe impl Send for Verilated {}

impl Drop for Verilated {
    fn drop(&mut self) {
        // SAFETY: `board` came from `create` of the same configuration and is destroyed once.
        unsafe { (self.api.destroy)(self.board.as_ptr()) }
    }
}

impl Verilated {
    /// A board after reset; `None` when the system refuses its memory or the board does not come up.
    pub fn new(config: RtlConfig, options: &Options) -> Option<Verilated> {
        let api = config.api();
        // SAFETY: `options` lives during the call, its layout is that of `MnemeOptions`.
        let board = unsafe { (api.create)(options) };
        NonNull::new(board).map(|board| Verilated { api, board })
    }
    /// Runs cycles, fewer when nothing has moved for `idle_limit` cycles.
    pub fn run(&mut self, cycles: u64, idle_limit: u64) {
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.run)(self.board.as_ptr(), cycles, idle_limit) }
    }
    /// Resets the core for some cycles, while memory goes on. `unguarded`: the guard at its port, too.
    pub fn reset_core(&mut self, cycles: u64, unguarded: bool) {
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.reset_core)(self.board.as_ptr(), cycles, unguarded.into()) }
    }
    /// Begins a load. Its kinds, frames and pages must be alive, as many as it says, and each frame hold a whole header.
    pub fn begin_load(&mut self, load: &Load) {
        // SAFETY: `board` is alive and exclusively ours; `load` and what it points to live during the call, which copies them, as the
        // only caller (`RtlFast::begin_load`) sees to, which also checks frames and counts.
        unsafe { (self.api.begin_load)(self.board.as_ptr(), load) }
    }
    /// Lets cycles pass, fewer when the load ends. Whether it has.
    pub fn run_load(&mut self, cycles: u64) -> bool {
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.run_load)(self.board.as_ptr(), cycles) != 0 }
    }
    /// Takes what the load measured, and the load away.
    pub fn end_load(&mut self) -> LoadResult {
        let mut result = LoadResult::default();
        // SAFETY: `board` is alive and exclusively ours; `result` has the layout of `MnemeLoadResult`.
        unsafe { (self.api.end_load)(self.board.as_ptr(), &mut result) };
        result
    }
    pub fn state(&self) -> State {
        let mut state = State::default();
        // SAFETY: `board` is alive; the call only reads it and fills `state`.
        unsafe { (self.api.state)(self.board.as_ptr(), &mut state) };
        state
    }
    /// The first rule of a bus that the board broke.
    pub fn violation(&self) -> Option<String> {
        // SAFETY: `board` is alive; the text belongs to it, ends with 0, and is copied before anything else happens.
        unsafe {
            let text = (self.api.violation)(self.board.as_ptr());
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }
    pub fn read_register(&mut self, offset: u32) -> Option<u32> {
        let mut value = 0;
        // SAFETY: `board` is alive and exclusively ours; `value` lives during the call.
        let done = unsafe { (self.api.read_register)(self.board.as_ptr(), offset, &mut value) };
        (done != 0).then_some(value)
    }
    /// `wakes`: the write may start something, so the board is not quiet.
    pub fn write_register(&mut self, offset: u32, value: u32, wakes: bool) -> Option<()> {
        // SAFETY: `board` is alive and exclusively ours.
        let done = unsafe { (self.api.write_register)(self.board.as_ptr(), offset, value, wakes.into()) };
        (done != 0).then_some(())
    }
    /// A read whose answer is taken only after so many cycles.
    pub fn read_word(&mut self, offset: u32, late: u32) -> Option<u32> {
        let mut value = 0;
        // SAFETY: `board` is alive and exclusively ours; `value` lives during the call.
        let done = unsafe { (self.api.read_word)(self.board.as_ptr(), offset, late, &mut value) };
        (done != 0).then_some(value)
    }
    /// A write of some of a word's bytes; address, data and the taking of the answer come so many cycles late.
    pub fn write_bytes(&mut self, offset: u32, value: u32, strobes: u8, late: [u32; 3]) -> Option<()> {
        // SAFETY: `board` is alive and exclusively ours; `late` lives during the call, and three numbers are read.
        let done =
            unsafe { (self.api.write_bytes)(self.board.as_ptr(), offset, value, strobes, late.as_ptr()) };
        (done != 0).then_some(())
    }
    /// False: the queue is full.
    pub fn ingress(&mut self, frame: &[u8], fcs_error: bool) -> bool {
        // SAFETY: `board` is alive and exclusively ours; the call copies `frame.len()` bytes.
        unsafe {
            (self.api.ingress)(self.board.as_ptr(), frame.as_ptr(), frame.len() as u64, fcs_error.into()) != 0
        }
    }
    /// The next frame that left, and whether its check sequence is bad.
    pub fn egress(&mut self) -> Option<(Vec<u8>, bool)> {
        let mut bytes = Vec::new();
        self.fetch(self.api.egress, &mut bytes).map(|bad_fcs| (bytes, bad_fcs))
    }
    /// False: the ring is full.
    pub fn slow_send(&mut self, frame: &[u8]) -> bool {
        // SAFETY: `board` is alive and exclusively ours; the call copies `frame.len()` bytes.
        unsafe { (self.api.slow_send)(self.board.as_ptr(), frame.as_ptr(), frame.len() as u64) != 0 }
    }
    pub fn slow_receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.fetch(self.api.slow_receive, into).is_some()
    }
    fn fetch(
        &mut self,
        from: unsafe extern "C" fn(*mut Board, *mut u8, u64, *mut u8) -> i64,
        bytes: &mut Vec<u8>,
    ) -> Option<bool> {
        let mut flag = 0;
        // SAFETY: `board` is alive and exclusively ours; a frame that does not fit 0 bytes is not copied, its length is told.
        let length = unsafe { from(self.board.as_ptr(), std::ptr::null_mut(), 0, &mut flag) };
        bytes.clear();
        bytes.resize(usize::try_from(length).ok()?, 0);
        // SAFETY: as above; at most `bytes.len()` bytes are written to `bytes`.
        unsafe { from(self.board.as_ptr(), bytes.as_mut_ptr(), bytes.len() as u64, &mut flag) };
        Some(flag != 0)
    }
    pub fn trace(&mut self) -> Option<Trace> {
        let mut event = Trace::default();
        // SAFETY: `board` is alive and exclusively ours; `event` has the layout of `MnemeTrace`.
        let any = unsafe { (self.api.trace)(self.board.as_ptr(), &mut event) };
        (any != 0).then_some(event)
    }
    pub fn latency(&mut self) -> Option<Latency> {
        let mut measured = Latency::default();
        // SAFETY: `board` is alive and exclusively ours; `measured` has the layout of `MnemeLatency`.
        let any = unsafe { (self.api.latency)(self.board.as_ptr(), &mut measured) };
        (any != 0).then_some(measured)
    }
    /// False: the queue is full, or there is no traffic generator.
    pub fn traffic(&mut self, command: &Traffic) -> bool {
        // SAFETY: `board` is alive and exclusively ours; `command` has the layout of `MnemeTraffic` and lives during the call.
        unsafe { (self.api.traffic)(self.board.as_ptr(), command) != 0 }
    }
    pub fn traffic_result(&mut self) -> Option<TrafficResult> {
        let mut result = TrafficResult::default();
        // SAFETY: `board` is alive and exclusively ours; `result` has the layout of `MnemeTrafficResult`.
        let any = unsafe { (self.api.traffic_result)(self.board.as_ptr(), &mut result) };
        (any != 0).then_some(result)
    }
    /// One-hot: the door of the next token that left translation.
    pub fn order(&mut self) -> Option<u8> {
        let mut door = 0;
        // SAFETY: `board` is alive and exclusively ours; `door` lives during the call.
        let any = unsafe { (self.api.order)(self.board.as_ptr(), &mut door) };
        (any != 0).then_some(door)
    }
}
