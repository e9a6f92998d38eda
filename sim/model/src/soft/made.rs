//! What a software board is made as, and made anew as.
use std::fs::File;
use std::io;

use super::board::SoftFast;
#[cfg(feature = "planted-faults")]
use super::planted::PlantedFault;
use super::shape::BoardShape;
use crate::port::{BuildStamp, Mounted};

impl SoftFast {
    /// The board's shape.
    pub fn shape(&self) -> &BoardShape {
        &self.model.shape
    }
    /// Ties what registers tell of the sources.
    pub fn set_stamp(&mut self, stamp: BuildStamp) {
        self.model.stamp = stamp;
    }
    /// Plants a fault.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: PlantedFault) {
        self.model.plant(fault);
    }
}

impl Mounted for SoftFast {
    fn reset_core(&mut self) {
        // The shape was sound when the board was made.
        let Ok(fresh) = SoftFast::with_timing(self.model.shape, self.timing) else { return };
        let former = std::mem::replace(self, fresh);
        self.cycle = former.cycle;
        // The tick begins at 0.
        self.skipped_ticks = 0u64.wrapping_sub(former.cycle >> former.model.shape.tick_log2);
        self.model.memory = former.model.memory;
        self.model.bad_lines = former.model.bad_lines;
        self.model.stamp = former.model.stamp;
    }
    fn share_memory(&mut self, file: &File) -> io::Result<()> {
        self.model.memory.share(file.try_clone()?)
    }
}
