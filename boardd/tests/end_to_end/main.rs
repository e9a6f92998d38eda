//! Simulated boards whose slow path is `mneme-boardd`, a process of its own: the suite of all boards on either kind, and daemons
//! that die.
mod callers;
mod far;
mod lives;
mod rdma;
mod rig;
mod tags;

/// The suite on the software board.
mod soft {
    mneme_tests::suite!(crate::rig::Boardd<mneme_tests::rig::in_process::Soft>);
}

/// The suite on the RTL.
mod rtl {
    mneme_tests::suite!(crate::rig::Boardd<mneme_tests::rig::in_process::Rtl>);
}
