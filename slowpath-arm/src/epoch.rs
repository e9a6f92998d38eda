//! The board's epoch: its boot number, never 0 and unlike the last 16, so that a request meant for an earlier life of the
//! board cannot be taken for one of this life (architecture §3).

/// Epochs remembered.
pub const EPOCH_MEMORY: usize = 16;

/// Where the last epochs are kept across boots. The daemon keeps a file; a simulation keeps them in memory or not at all.
pub trait EpochStore {
    /// The epochs that were saved, newest last; empty when there are none.
    fn load(&mut self) -> Result<Vec<u8>, EpochStoreError>;
    /// Saves the epochs, newest last. Must be durable when it returns.
    fn save(&mut self, epochs: &[u8]) -> Result<(), EpochStoreError>;
}

/// The store could not be read or written. A board without a readable store must not guess: it would risk an epoch of
/// its recent past.
#[derive(Debug, thiserror::Error)]
#[error("epoch store: {0}")]
pub struct EpochStoreError(pub String);

/// Epochs in memory, for simulated boards and tests.
#[derive(Debug, Clone, Default)]
pub struct MemoryEpochs(pub Vec<u8>);

impl EpochStore for MemoryEpochs {
    fn load(&mut self) -> Result<Vec<u8>, EpochStoreError> {
        Ok(self.0.clone())
    }
    fn save(&mut self, epochs: &[u8]) -> Result<(), EpochStoreError> {
        self.0 = epochs.to_vec();
        Ok(())
    }
}

/// Takes the next epoch and saves it before it is used. `draw` breaks the tie where no epoch was ever saved, so that
/// boards without a store still differ from boot to boot most of the time.
pub fn next_epoch(store: &mut dyn EpochStore, draw: u8) -> Result<u8, EpochStoreError> {
    let mut recent = store.load()?;
    recent.drain(..recent.len().saturating_sub(EPOCH_MEMORY));
    let mut epoch = recent.last().map_or(draw, |last| last.wrapping_add(1));
    while epoch == 0 || recent.contains(&epoch) {
        epoch = epoch.wrapping_add(1);
    }
    recent.push(epoch);
    recent.drain(..recent.len().saturating_sub(EPOCH_MEMORY));
    store.save(&recent)?;
    Ok(epoch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs_are_never_zero_and_unlike_the_last_sixteen() {
        let mut store = MemoryEpochs::default();
        let mut seen: Vec<u8> = Vec::new();
        for _ in 0..600 {
            let epoch = next_epoch(&mut store, 0).unwrap();
            assert_ne!(epoch, 0);
            assert!(!seen.iter().rev().take(EPOCH_MEMORY).any(|old| *old == epoch));
            seen.push(epoch);
        }
        assert!(store.0.len() <= EPOCH_MEMORY);
    }

    #[test]
    fn damaged_history_still_gives_a_fresh_epoch() {
        let mut store = MemoryEpochs(vec![255, 1, 2, 3, 254, 255]);
        assert_eq!(next_epoch(&mut store, 9).unwrap(), 4);
    }
}
