//! The suite on the software board on an Ethernet interface, reached by every raw driver. Skipped, with a line that says why,
//! where there are no privileges for that; `soft_udp` is the same without any.
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::raw;

mod pnet {
    mneme_tests::suite!(super::raw::Raw<super::Soft, super::raw::Pnet>);
}
mod tpacket {
    mneme_tests::suite!(super::raw::Raw<super::Soft, super::raw::Tpacket>);
}
mod afxdp {
    mneme_tests::suite!(super::raw::Raw<super::Soft, super::raw::XdpGeneric>);
}
mod afxdp_native {
    mneme_tests::suite!(super::raw::Raw<super::Soft, super::raw::XdpNative>);
}
