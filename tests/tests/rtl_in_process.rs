//! The suite on the RTL in this process.
mneme_tests::suite!(mneme_tests::rig::in_process::InProcess<mneme_tests::rig::in_process::Rtl>);
