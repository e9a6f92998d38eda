//! How long packets of software's queue pairs may be.
use mneme_rdma::codec::PathMtu;

/// The largest packets that fit into a frame of the core, which takes so many bytes behind headers of the library's: those of RoCEv2 with
/// immediate data and ICRC are shorter.
pub(crate) fn software_mtu(payload: u32) -> PathMtu {
    (1..=5)
        .rev()
        .filter_map(PathMtu::from_code)
        .find(|mtu| mtu.bytes() <= payload as usize)
        .unwrap_or(PathMtu::MIN)
}

#[cfg(test)]
mod tests {
    use super::software_mtu;

    #[test]
    fn packets_of_softwares_queue_pairs_fit_into_the_cores_frames() {
        // Of MTUs of 576, 1,500, 4,096 and 9,000 bytes.
        assert_eq!(
            [526, 1450, 4046, 8950].map(|payload| software_mtu(payload).bytes()),
            [512, 1024, 2048, 4096]
        );
    }
}
