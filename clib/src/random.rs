//! Randomness, from the operating system itself: a generator in memory is copied by `fork`, and parent and children would
//! draw the same operation ids, tokens of locks and ephemeral keys.
use crate::driver::DriverError;
use crate::error::Result;
use rand::TryRngCore;
use rand::rngs::OsRng;

/// Bytes that nobody else has drawn.
pub(crate) fn drawn<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    match OsRng.try_fill_bytes(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => {
            let (what, source) =
                ("the system gives no random bytes", std::io::Error::other(error.to_string()));
            Err(DriverError::Io { what, source }.into())
        }
    }
}
