//! Which id ([`ErrorId`]) each error has.
use crate::driver::{AddressError, DriverError, LinkError, Refusal};
use crate::error::{Error, OperationError};
use crate::error_ids::ErrorId;
use crate::transport::Reason;
use mneme_wire::payload::SECURE_OPEN_LEN;
use mneme_wire::{Cause, Opcode, Status};

impl ErrorId {
    /// The text of an error with its id, a few words and what to do, for people who see `Debug` alone.
    pub(crate) fn explain(
        self,
        error: &dyn std::fmt::Display,
        f: &mut std::fmt::Formatter<'_>,
    ) -> std::fmt::Result {
        write!(f, "{error}\n{self} ({}; docs/reference/errors.md): {}", self.title(), self.remedy())
    }
    /// The board has refused a secure OPEN for what it proves.
    fn of_handshake(operation: &OperationError) -> Option<ErrorId> {
        let secure = operation.opcode == Opcode::Open && usize::from(operation.length) == SECURE_OPEN_LEN;
        match operation.reason {
            Reason::Refused { status: Status::Unauthenticated, cause, .. } if secure => {
                Some(if cause == Cause::Clock { ErrorId::ClockOff } else { ErrorId::UnknownTenant })
            }
            _ => None,
        }
    }
    fn of_reason(reason: Reason) -> ErrorId {
        match reason {
            Reason::Unreachable => ErrorId::Unreachable,
            Reason::Busy(_) => ErrorId::Busy,
            Reason::Damaged => ErrorId::Damaged,
            Reason::Expired => ErrorId::Expired,
            Reason::Held { .. } => ErrorId::Held,
            Reason::Restarted { .. } => ErrorId::Restarted,
            Reason::Version => ErrorId::Version,
            Reason::TooLong { .. } => ErrorId::DatagramTooLarge,
            Reason::Driver => ErrorId::Driver,
            Reason::Moved { .. } => ErrorId::Moved,
            Reason::Unproven { .. } => ErrorId::Unproven,
            Reason::Cancelled => ErrorId::Cancelled,
            Reason::Deadline => ErrorId::Deadline,
            Reason::Exited { .. } => ErrorId::Exited,
            Reason::Refused { cause: Cause::Trailer, .. } => ErrorId::NoTrailers,
            Reason::Refused { status, .. } => ErrorId::of_status(status),
        }
    }
    fn of_status(status: Status) -> ErrorId {
        match status {
            Status::Unmapped => ErrorId::Unmapped,
            Status::Denied => ErrorId::Denied,
            Status::NoMemory => ErrorId::NoMemory,
            Status::Quota => ErrorId::Quota,
            Status::MemoryError => ErrorId::MemoryError,
            Status::Unsupported => ErrorId::Unsupported,
            Status::Conflict => ErrorId::Conflict,
            Status::Moved => ErrorId::Moved,
            Status::Unauthenticated => ErrorId::TagsWanted,
            _ => ErrorId::Refused,
        }
    }
}

impl From<&DriverError> for ErrorId {
    fn from(error: &DriverError) -> ErrorId {
        match error {
            DriverError::Io { source, .. } => ErrorId::of_system(source),
            DriverError::Address(AddressError::NotIpv4(_)) => ErrorId::NotIpv4,
            DriverError::Address(_) | DriverError::Resolve { .. } => ErrorId::BadAddress,
            DriverError::TooLarge(_) => ErrorId::DatagramTooLarge,
            DriverError::Link(error) => error.into(),
            DriverError::NoAnswer { .. } => ErrorId::Unreachable,
            DriverError::NoAddresses(_) => ErrorId::NoAddresses,
            DriverError::Ended(_) => ErrorId::Ended,
        }
    }
}

impl From<&LinkError> for ErrorId {
    fn from(error: &LinkError) -> ErrorId {
        match error {
            LinkError::NoInterface { .. } => ErrorId::NoInterface,
            LinkError::Down { .. } => ErrorId::InterfaceDown,
            LinkError::NotEthernet { .. } => ErrorId::NotEthernet,
            LinkError::NoAddress { .. } => ErrorId::NoAddress,
            LinkError::NoRoute { .. } => ErrorId::NoRoute,
            LinkError::NotPermitted { .. } => ErrorId::NotPermitted,
            LinkError::MtuTooSmall { .. } => ErrorId::MtuTooSmall,
            LinkError::Unsupported { .. } => ErrorId::DriverUnsupported,
            LinkError::Taken { .. } => ErrorId::InterfaceTaken,
            LinkError::SeveralQueues { .. } => ErrorId::SeveralQueues,
            LinkError::Port { source, .. } => match ErrorId::of_system(source) {
                ErrorId::Driver => ErrorId::PortTaken,
                known => known,
            },
            LinkError::Gone { .. } => ErrorId::InterfaceGone,
            LinkError::TooLong { .. } => ErrorId::DatagramTooLarge,
            LinkError::Io { source, .. } => ErrorId::of_system(source),
        }
    }
}

impl ErrorId {
    fn of_system(error: &std::io::Error) -> ErrorId {
        match Refusal::of(error) {
            Refusal::Permission => ErrorId::NotPermitted,
            Refusal::Limit => ErrorId::SystemLimit,
            Refusal::Address => ErrorId::PortTaken,
            Refusal::Route => ErrorId::NoRoute,
            Refusal::Other => ErrorId::Driver,
        }
    }
}

impl Error {
    /// The error's stable id: `docs/reference/errors.md` has a paragraph for each.
    pub fn id(&self) -> ErrorId {
        match self {
            Error::Operation(operation) => match operation.driver.as_deref() {
                Some(driver) => driver.into(),
                None => ErrorId::of_handshake(operation).unwrap_or(ErrorId::of_reason(operation.reason)),
            },
            Error::Driver(error) => error.into(),
            Error::ZeroSize(_) => ErrorId::ZeroSize,
            Error::AddressRange { .. } => ErrorId::AddressRange,
            Error::Unaligned(_) => ErrorId::Unaligned,
            Error::NotAPage { .. } => ErrorId::NotAPage,
            Error::OutOfMemory { .. } => ErrorId::NoMemory,
            Error::AddressUnavailable { .. } => ErrorId::Address,
            Error::Quota { .. } => ErrorId::Quota,
            Error::Reclaimed { .. } => ErrorId::Reclaimed,
            Error::NotAllocated(_) => ErrorId::NotAllocated,
            Error::SharedPage(_) => ErrorId::SharedPage,
            Error::LockTimeout { .. } => ErrorId::LockTimeout,
            Error::LockLost { .. } => ErrorId::LockLost,
            Error::NotReleased { .. } => ErrorId::Deadline,
            Error::Forked => ErrorId::Forked,
            Error::QueueFull { .. } => ErrorId::QueueFull,
            Error::Overlap { .. } => ErrorId::Overlap,
            Error::Taken => ErrorId::Taken,
            Error::BadPid(_) => ErrorId::BadPid,
            Error::TooLarge(_) => ErrorId::TooLarge,
            Error::TooManyLanes(_) => ErrorId::TooManyLanes,
            Error::SameBoard { .. } => ErrorId::SameBoard,
            Error::NoSuchLane(_) => ErrorId::NoSuchLane,
            Error::UnknownBoard(_) => ErrorId::UnknownBoard,
            Error::NoCredentials { .. } => ErrorId::NoCredentials,
            Error::UnusedCredentials(_) => ErrorId::Invalid,
            Error::UnknownBoardKey { .. } => ErrorId::UnknownBoardKey,
            Error::NoBoardKey { .. } => ErrorId::NoBoardKey,
            Error::WrongBoardKey { .. } => ErrorId::WrongBoardKey,
            Error::Handshake { .. } => ErrorId::Handshake,
            Error::NotThisType { .. } => ErrorId::NotThisType,
            Error::OutOfBounds { .. } => ErrorId::OutOfBounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_order_and_say_something() {
        for (index, id) in ErrorId::ALL.iter().enumerate() {
            assert_eq!(usize::from(id.number()), index + 1, "numbers have no gaps and are never given twice");
            assert!(id.cause().ends_with('.') && id.remedy().ends_with('.'), "{id}");
            assert!(id.title().len() > 8 && !id.title().ends_with('.'), "{id}");
        }
        assert_eq!(ErrorId::Address.to_string(), "MNM-0012");
    }

    #[test]
    fn debug_shows_what_happened_the_id_and_the_remedy() {
        let error = Error::BadPid(0);
        let told = "0 is no process id: 1 to 0xffffff are\nMNM-0027 (no process id; docs/reference/errors.md): Use the id that `open` \
                    answered, or none.";
        assert_eq!(format!("{error:?}"), told);
        let silent = || DriverError::NoAnswer { peer: "a board".into(), trouble: None };
        let remedy = ErrorId::Unreachable.remedy();
        for told in [format!("{:?}", silent()), format!("{:?}", Error::from(silent()))] {
            assert!(told.starts_with("no answer at a board\nMNM-0002 (") && told.ends_with(remedy), "{told}");
        }
    }

    #[test]
    fn refusals_are_told_apart() {
        assert_eq!(Error::Unaligned(1).id(), ErrorId::Unaligned);
        assert_eq!(Error::Driver(DriverError::TooLarge(9)).id(), ErrorId::DatagramTooLarge);
        let told: std::collections::BTreeSet<_> =
            Status::ALL.iter().map(|s| ErrorId::of_status(*s)).collect();
        assert!(told.len() >= 9, "{told:?}");
    }

    #[test]
    fn every_error_of_a_link_has_an_id_of_its_own() {
        let (name, what) = (String::from("eth0"), "a packet socket");
        let system = std::io::Error::from_raw_os_error;
        let peer = std::net::Ipv4Addr::LOCALHOST;
        let address = (peer, 7).into();
        let errors = [
            (LinkError::NoInterface { name: name.clone(), have: "lo".into() }, 38),
            (LinkError::Down { name: name.clone() }, 39),
            (LinkError::NotEthernet { name: name.clone() }, 40),
            (LinkError::NoAddress { name: name.clone() }, 41),
            (LinkError::NoRoute { name: name.clone(), peer }, 42),
            (LinkError::NotPermitted { what, capability: "cap_net_raw", source: system(1) }, 43),
            (LinkError::MtuTooSmall { name: name.clone(), mtu: 500, needed: 576 }, 44),
            (LinkError::Unsupported { what, reason: "too old".into() }, 45),
            (LinkError::Taken { name: name.clone(), what, holder: "another" }, 46),
            (LinkError::SeveralQueues { name: name.clone(), queues: 8 }, 47),
            (LinkError::Port { address, source: system(98) }, 48),
            (LinkError::Port { address, source: system(22) }, 48),
            (LinkError::Port { address, source: system(24) }, 52),
            (LinkError::Gone { name }, 49),
            (LinkError::TooLong { length: 9_000, mtu: 1_500 }, 30),
            (LinkError::Io { what, source: system(105) }, 52),
            (LinkError::Io { what, source: system(5) }, 18),
        ];
        for (error, number) in errors {
            let error = Error::Driver(DriverError::Link(error));
            assert_eq!(error.id().number(), number, "{error}");
        }
        let io = |number| Error::Driver(DriverError::Io { what, source: system(number) });
        let ids = [13, 24, 98, 101, 5].map(|number| io(number).id().number());
        assert_eq!(ids, [43, 52, 48, 42, 18]);
        let silent = DriverError::NoAnswer { peer: "a board".into(), trouble: None };
        assert_eq!(Error::Driver(silent).id(), ErrorId::Unreachable);
    }
}
