//! How datagrams travel.
use crate::client::MnemeOptions;
use crate::error::{Failure, Outcome};
use mneme_clib::driver::{Route, Waiting};
use mneme_clib::{DriverKind, DriverOptions};
use std::ffi::{CStr, c_char};
use std::net::Ipv4Addr;

/// How datagrams travel (docs/guides/drivers.md).
#[allow(non_camel_case_types, missing_docs)]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MnemeDriver {
    /// A UDP socket: no privileges, any network.
    MNEME_DRIVER_UDP = 0,
    /// The fastest that works here, by measuring: blocks for 0.2 s, and 0.3 s for each that opens and reaches nobody.
    MNEME_DRIVER_AUTO = 1,
    /// Raw Ethernet through pnet.
    MNEME_DRIVER_PNET = 2,
    /// Raw Ethernet with a receive ring shared with the kernel.
    MNEME_DRIVER_TPACKET = 3,
    /// AF_XDP: one client for each interface.
    MNEME_DRIVER_AFXDP = 4,
}

/// The kind of a number, which C programs may have from anywhere.
fn kind(number: u32) -> Outcome<DriverKind> {
    use MnemeDriver::*;
    let known = [
        (MNEME_DRIVER_UDP, DriverKind::Udp),
        (MNEME_DRIVER_AUTO, DriverKind::Auto),
        (MNEME_DRIVER_PNET, DriverKind::Pnet),
        (MNEME_DRIVER_TPACKET, DriverKind::Tpacket),
        (MNEME_DRIVER_AFXDP, DriverKind::AfXdp),
    ];
    let found = known.into_iter().find(|(known, _)| *known as u32 == number);
    let unknown = || Failure::invalid(&format!("there is no driver {number}: enum mneme_driver has them"));
    found.map(|(_, kind)| kind).ok_or_else(unknown)
}

/// Text that may be absent.
///
/// # Safety
///
/// `text` is null or ends with a zero byte.
pub(crate) unsafe fn text<'a>(what: &str, text: *const c_char) -> Outcome<Option<&'a str>> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not null, and the caller's promise.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Some).map_err(|_| Failure::invalid(&format!("the {what} is not UTF-8")))
}

/// # Safety
///
/// As for [`text`].
unsafe fn address(what: &str, from: *const c_char) -> Outcome<Option<Ipv4Addr>> {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { text(what, from) })? else { return Ok(None) };
    let wrong = |_| Failure::invalid(&format!("the {what} `{text}` is no IPv4 address such as 10.0.0.1"));
    text.parse().map(Some).map_err(wrong)
}

/// # Safety
///
/// The strings are null or end with a zero byte.
pub(crate) unsafe fn options(given: &MnemeOptions) -> Outcome<DriverOptions> {
    // SAFETY: the caller's promise.
    let (interface, source, gateway) = unsafe {
        (
            text("interface", given.interface)?.map(str::to_owned),
            address("source", given.source)?,
            address("gateway", given.gateway)?,
        )
    };
    let neighbour = (given.neighbour != [0; 6]).then_some(given.neighbour);
    if neighbour.is_some_and(|mac| mac[0] & 1 == 1) {
        return Err(Failure::invalid("the neighbour's MAC address is one of several interfaces (multicast)"));
    }
    Ok(DriverOptions {
        kind: kind(given.driver)?,
        waiting: if given.spin { Waiting::Spin } else { Waiting::Yield },
        route: Route { interface, source, gateway, neighbour },
    })
}
