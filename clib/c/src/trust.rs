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
    let Some(identity) = identity else {
        let passed_over =
            || Failure::invalid("board_keys are given, and no identity: nobody would prove one");
        return if keys.is_some() { Err(passed_over()) } else { Ok(None) };
    };
    if given.integrity != MnemeIntegrity::MNEME_INTEGRITY_TAG as u32 {
        let said = "identity is given, and packets would have no tags: set integrity to MNEME_INTEGRITY_TAG, or leave it out";
        return Err(Failure::invalid(said));
    }
    let invalid = |error: &dyn std::fmt::Display| Failure::invalid(&error.to_string());
    let mut credentials = Credentials::read(Path::new(identity)).map_err(|error| invalid(&error))?;
    for key in keys.unwrap_or_default().split_whitespace() {
        credentials = credentials.board(key.parse().map_err(|error| invalid(&error))?);
    }
    Ok(Some(credentials))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;
    use std::ptr::null;

    /// What is said of settings that pass a key over.
    fn refused(integrity: u32, identity: Option<&CStr>, board_keys: Option<&CStr>) -> Option<String> {
        // SAFETY: of numbers and pointers, for which zeros are right.
        let zero: MnemeOptions = unsafe { std::mem::zeroed() };
        let pointer = |text: Option<&CStr>| text.map_or(null(), CStr::as_ptr);
        let (identity, board_keys) = (pointer(identity), pointer(board_keys));
        let given = MnemeOptions { integrity, identity, board_keys, ..zero };
        // SAFETY: both end with a zero byte.
        unsafe { credentials(&given) }.err().map(|failure| failure.text().to_owned())
    }

    #[test]
    fn keys_that_would_prove_nothing_are_refused() {
        let (tag, file, key) = (MnemeIntegrity::MNEME_INTEGRITY_TAG as u32, c"/no/such/file", c"mneme_pub_x");
        assert_eq!(refused(0, None, None), None);
        assert!(refused(tag, None, Some(key)).is_some_and(|said| said.contains("no identity")));
        assert!(refused(0, None, Some(key)).is_some_and(|said| said.contains("no identity")));
        for integrity in [MnemeIntegrity::MNEME_INTEGRITY_NONE, MnemeIntegrity::MNEME_INTEGRITY_CRC32C] {
            assert!(
                refused(integrity as u32, Some(file), Some(key)).is_some_and(|said| said.contains("no tags"))
            );
        }
        assert!(refused(tag, Some(file), Some(key)).is_some_and(|said| said.contains("/no/such/file")));
    }
}
