//! The suite on the RTL behind the daemon's socket.
mneme_tests::suite!(mneme_tests::rig::udp::Udp<mneme_tests::rig::in_process::Rtl>);
