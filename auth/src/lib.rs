//! Who a tenant is, and how a board and a client prove to each other who they are.
//!
//! A board has a static key, and so has each tenant. OPEN carries the two messages of a Noise handshake (IK) between them: the
//! client knows the board's public key, the board finds the tenant's in its file of tenants, and the answer has the process's
//! keys of tags. [`Initiator`] is the client's side, [`Responder`] the board's. Neither reads a clock, a file or the
//! system's randomness.
//!
//! ```
//! use mneme_auth::{Initiator, Responder, SecretKey};
//! use mneme_wire::payload::{BoardInfo, OpenAnswer, SecureOpenAnswer, SecureOpenRequest};
//!
//! let (board, tenant) = (SecretKey::from_bytes([1; 32]), SecretKey::from_bytes([2; 32]));
//! let (nonce, responder) = (77, Responder::new(board.clone()));
//!
//! // The client: 32 bytes of fresh randomness for each message, here some that are not random at all.
//! let ask = SecureOpenRequest { tick: 5, ..SecureOpenRequest::default() };
//! let (mut initiator, message) = Initiator::new(&board.public(), &tenant, nonce, &ask, [3; 32])?;
//!
//! // The board.
//! let asked = responder.read(nonce, &message, [4; 32])?;
//! assert_eq!((asked.tenant(), asked.request()), (tenant.public(), &ask));
//! let info = BoardInfo { page_bits: 18, epoch: 7, ns_per_tick: 8192, max_payload: 1450, ..BoardInfo::default() };
//! let open = OpenAnswer { pid: 3, key: [7; 16], board: info, ..OpenAnswer::default() };
//! let answer = asked.answer(&SecureOpenAnswer { open, valid: 1, ..SecureOpenAnswer::default() })?;
//!
//! assert_eq!(initiator.finish(&answer)?.open.key, [7; 16]);
//! # Ok::<(), mneme_auth::HandshakeError>(())
//! ```
//!
//! Files: [`files::read_secret`] and [`files::create_secret`] for keys, [`TenantsFile`] for a board's tenants, [`BoardsFile`]
//! for the boards that a client knows.
#![forbid(unsafe_code)]

mod boards;
pub mod files;
mod handshake;
mod key;
mod noise;
mod size;
mod tenants;
mod terms;

pub use boards::{BoardsFile, Known};
pub use files::FileError;
pub use handshake::{Asked, HandshakeError, Initiator, Responder};
pub use key::{KeyError, PublicKey, SecretKey};
pub use size::Size;
pub use tenants::{Day, ServiceClass, ShareGroup, Tenant, TenantList, TenantName, TenantsFile};
pub use terms::{Terms, Weight};
