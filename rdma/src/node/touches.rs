//! What the leaf unit accesses of the tables and the ring that lie in memory, for models of its cost.
use std::sync::{Mutex, PoisonError};

use super::leaf::Leaf;

/// An access of 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// A page's entry was looked at.
    EntryRead {
        /// The segment.
        segment: u32,
        /// The page.
        page: u32,
    },
    /// A page's entry was written.
    EntryWritten {
        /// The segment.
        segment: u32,
        /// The page.
        page: u32,
    },
    /// A frame was taken from the ring, and its element zeroed.
    Popped,
    /// A frame was put into the ring.
    Pushed,
}

/// Accesses since somebody asked; nothing is kept while nobody does.
#[derive(Debug, Default)]
pub(super) struct Touches(Option<Mutex<Vec<Touch>>>);

/// A copy of a leaf unit is watched by nobody.
impl Clone for Touches {
    fn clone(&self) -> Touches {
        Touches(None)
    }
}

impl Touches {
    pub fn note(&self, touch: Touch) {
        if let Some(list) = &self.0 {
            list.lock().unwrap_or_else(PoisonError::into_inner).push(touch);
        }
    }
}

impl Leaf {
    /// From now on accesses are written down, until [`Leaf::touches`] takes them. Whoever watches must take them.
    pub fn watch(&mut self) {
        self.touches = Touches(Some(Mutex::default()));
    }
    /// Takes what was accessed since the last call, in order.
    pub fn touches(&self) -> Vec<Touch> {
        let list = self.touches.0.as_ref();
        list.map(|list| std::mem::take(&mut *list.lock().unwrap_or_else(PoisonError::into_inner)))
            .unwrap_or_default()
    }
}
