//! What packets carry against damage and forgery, and with which keys.
use crate::client::MnemeOptions;
use crate::driver::text;
use crate::error::{Failure, Outcome};
use mneme_clib::{Credentials, Integrity};
use std::path::Path;

/// What packets carry against damage on the way, and against who forges them (docs/guides/integrity.md).
#[allow(non_camel_case_types, missing_docs)]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MnemeIntegrity {
    /// Nothing: the checks of Ethernet and UDP stand alone.
    MNEME_INTEGRITY_NONE = 0,
    /// A CRC-32C: what was damaged is sent again.
    MNEME_INTEGRITY_CRC32C = 1,
    /// A tag under the process's key: nobody without it is believed. Needs `identity` and `board_keys`.
    MNEME_INTEGRITY_TAG = 2,
}

/// What packets carry.
pub(crate) fn integrity(number: u32) -> Outcome<Integrity> {
    use MnemeIntegrity::*;
    let known = [
        (MNEME_INTEGRITY_NONE, Integrity::None),
        (MNEME_INTEGRITY_CRC32C, Integrity::Crc32c),
        (MNEME_INTEGRITY_TAG, Integrity::Tag),
    ];
    let found = known.into_iter().find(|(known, _)| *known as u32 == number);
    let unknown =
        || Failure::invalid(&format!("there is no integrity {number}: enum mneme_integrity has them"));
    found.map(|(_, integrity)| integrity).ok_or_else(unknown)
}

/// Who the client is to boards.
///
/// # Safety
///
/// The strings are null or end with a zero byte.
pub(crate) unsafe fn credentials(given: &MnemeOptions) -> Outcome<Option<Credentials>> {
    // SAFETY: the caller's promise.
    let (identity, keys) =
        unsafe { (text("identity", given.identity)?, text("list of the boards' keys", given.board_keys)?) };
    let Some(identity) = identity else { return Ok(None) };
    let invalid = |error: &dyn std::fmt::Display| Failure::invalid(&error.to_string());
    let mut credentials = Credentials::read(Path::new(identity)).map_err(|error| invalid(&error))?;
    for key in keys.unwrap_or_default().split_whitespace() {
        credentials = credentials.board(key.parse().map_err(|error| invalid(&error))?);
    }
    Ok(Some(credentials))
}
