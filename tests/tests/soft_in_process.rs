//! The suite on the software board in this process.
mneme_tests::suite!(mneme_tests::rig::in_process::InProcess<mneme_tests::rig::in_process::Soft>);
