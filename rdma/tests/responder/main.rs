//! Every row of the responder's table, with what the memory holds afterwards and what was counted.
mod done;
mod rates;
mod refused;
mod rig;

use mneme_rdma::codec::{Nak, Syndrome};

const SEQUENCE: Syndrome = Syndrome::Nak(Nak::Sequence);
const INVALID: Syndrome = Syndrome::Nak(Nak::InvalidRequest);
const ACCESS: Syndrome = Syndrome::Nak(Nak::RemoteAccess);
const OPERATION: Syndrome = Syndrome::Nak(Nak::RemoteOperation);
