//! What a software board is made as.
use super::board::SoftFast;
#[cfg(feature = "planted-faults")]
use super::planted::PlantedFault;
use super::shape::BoardShape;
use crate::port::BuildStamp;

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
