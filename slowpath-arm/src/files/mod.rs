//! What a board's daemon keeps in files: [`FileEpochs`], its epochs and its key; and reads from them: [`TenantsWatch`],
//! [`board_identity`].
mod epochs;
mod identity;
mod tenants;

pub use epochs::FileEpochs;
pub use identity::board_identity;
pub use tenants::TenantsWatch;
