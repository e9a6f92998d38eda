//! What a board's daemon keeps in files: [`FileEpochs`], its epochs and its key; and reads from them: [`TenantsWatch`].
mod epochs;
mod tenants;

pub use epochs::FileEpochs;
pub use tenants::TenantsWatch;
