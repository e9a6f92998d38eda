//! Boards that were Verilated and compiled apart from this crate, each a shared library with its parameters beside it.
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use mneme_model::soft::{BoardShape, ShapeError};
use serde_json::Value;

use super::RtlConfig;
use super::ffi::Api;

/// A configuration from a library; it stays until the program ends.
pub struct LoadedBoard {
    pub(super) shape: BoardShape,
    pub(super) api: Api,
}

/// Why a library is no board.
#[derive(Debug, thiserror::Error)]
pub enum LoadedBoardError {
    /// The parameters cannot be read.
    #[error("the board's parameters in {0}")]
    Read(PathBuf, #[source] std::io::Error),
    /// They are no JSON.
    #[error("the board's parameters in {0}")]
    Json(PathBuf, #[source] serde_json::Error),
    /// One is missing or no small number.
    #[error("{0} names no number for `{1}`")]
    Parameter(PathBuf, &'static str),
    /// They are not legal.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The library cannot be loaded, lacks a function, or was built of other sources than this crate.
    #[error("the library {0} of a Verilated board cannot be used: {1}")]
    Library(PathBuf, String),
}

impl std::fmt::Debug for LoadedBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadedBoard").field("shape", &self.shape).finish_non_exhaustive()
    }
}
// Each is loaded once: they are equal when they are the same.
impl PartialEq for LoadedBoard {
    fn eq(&self, other: &LoadedBoard) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for LoadedBoard {}
impl Hash for LoadedBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self, state);
    }
}

impl RtlConfig {
    /// The board `name` in a folder: its library `name.so` and its parameters `name.json`, as `cargo xtask board` and
    /// `cargo xtask differential --drawn` make them. It takes memory until the program ends.
    ///
    /// # Safety
    /// `name.so` must be a board's library. One that was built of another version's `cpp/` is an error.
    pub unsafe fn load(folder: &Path, name: &str) -> Result<RtlConfig, LoadedBoardError> {
        let shape = read_shape(&folder.join(format!("{name}.json")), name)?;
        let library = folder.join(format!("{name}.so"));
        // SAFETY: the caller's promise.
        let api = unsafe { Api::open(&library) }
            .map_err(|error| LoadedBoardError::Library(library, error.to_string()))?;
        Ok(RtlConfig::Loaded(Box::leak(Box::new(LoadedBoard { shape, api }))))
    }
}

fn read_shape(path: &Path, name: &str) -> Result<BoardShape, LoadedBoardError> {
    let text = std::fs::read_to_string(path).map_err(|e| LoadedBoardError::Read(path.into(), e))?;
    let values: Value = serde_json::from_str(&text).map_err(|e| LoadedBoardError::Json(path.into(), e))?;
    let number = |key: &'static str| -> Result<u32, LoadedBoardError> {
        let value = values.get(key).and_then(Value::as_u64).and_then(|value| u32::try_from(value).ok());
        value.ok_or_else(|| LoadedBoardError::Parameter(path.into(), key))
    };
    let shape = BoardShape {
        name: Box::leak(name.to_string().into_boxed_str()),
        page_bits: number("page_bits")?,
        mem_bits: number("mem_bits")?,
        slots_log2: number("slots_log2")?,
        tlb_entries: number("tlb_entries")? as usize,
        filter_sets_log2: number("filter_sets_log2")?,
        filter_ways: number("filter_ways")? as usize,
        async_depth: number("async_depth")? as usize,
        zero_queue_depth: number("zero_queue_depth")? as usize,
        packet_slots: number("packet_slots")? as usize,
        mtu: number("mtu")? as usize,
        tick_log2: number("tick_log2")?,
        simulated: number("simulated")? != 0,
        traffic: number("traffic")? != 0,
        rdma: number("rdma")? != 0,
        waiting_lists: number("waiting_lists")? != 0,
        trailers: number("trailers")? != 0,
        leaf: number("leaf")? != 0,
        chains: number("chains")? != 0,
    };
    shape.check()?;
    Ok(shape)
}
