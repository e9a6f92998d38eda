//! The suite on the software board behind the daemon's socket.
mneme_tests::suite!(mneme_tests::rig::udp::Udp<mneme_tests::rig::in_process::Soft>);
