//! The examples of the guides: compiled as tests, and nothing else.
#[doc = include_str!("../../docs/guides/leases.md")]
pub struct Leases;
#[doc = include_str!("../../docs/guides/tuning.md")]
pub struct Tuning;
#[doc = include_str!("../../docs/guides/tokio.md")]
pub struct Tokio;
#[doc = include_str!("../../docs/guides/several-boards.md")]
pub struct SeveralBoards;
#[doc = include_str!("../../docs/guides/integrity.md")]
pub struct Integrity;
