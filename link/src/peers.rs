//! Peers that join datagrams, as far as somebody who serves many knows.
use std::collections::HashMap;
use std::net::SocketAddrV4;

/// Peers remembered at most.
const MOST: usize = 1024;
/// A peer that sent so many datagrams alone, and none joined, may be another one by now, with the same address and port.
const ALONE: u32 = 64;

/// Who joins what it sends. Only they are answered so: what they read takes joined datagrams apart, which a raw link
/// behind an interface that does not cannot.
#[derive(Debug, Default)]
pub struct JoiningPeers {
    /// Each with the datagrams that came alone since some came joined.
    peers: HashMap<SocketAddrV4, u32>,
    /// The last one asked for: answers come in rows.
    last: Option<(SocketAddrV4, bool)>,
}

impl JoiningPeers {
    /// Whether nobody joins.
    pub fn is_empty(&self) -> bool {
        self.peers.is_empty()
    }
    /// Datagrams came from a peer, joined or alone.
    pub fn hear(&mut self, peer: SocketAddrV4, joined: bool) {
        if joined {
            if self.peers.len() >= MOST && !self.peers.contains_key(&peer) {
                self.peers.clear();
            }
            self.peers.insert(peer, 0);
            self.last = Some((peer, true));
        } else if let Some(alone) = self.peers.get_mut(&peer) {
            *alone += 1;
            if *alone >= ALONE {
                self.peers.remove(&peer);
                self.last = None;
            }
        }
    }
    /// Whether a peer does.
    pub fn joins(&mut self, peer: SocketAddrV4) -> bool {
        match self.last {
            Some((last, joins)) if last == peer => joins,
            _ => {
                let joins = self.peers.contains_key(&peer);
                self.last = Some((peer, joins));
                joins
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn peer(port: u16) -> SocketAddrV4 {
        SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)
    }

    #[test]
    fn those_who_join_are_remembered_and_bounded() {
        let mut peers = JoiningPeers::default();
        assert!(peers.is_empty() && !peers.joins(peer(1)));
        peers.hear(peer(1), true);
        peers.hear(peer(2), false);
        assert!(peers.joins(peer(1)) && !peers.joins(peer(2)) && peers.joins(peer(1)));
        (2..=MOST as u16).for_each(|port| peers.hear(peer(port), true));
        assert!((1..=MOST as u16).all(|port| peers.joins(peer(port))));
        peers.hear(peer(7), true);
        assert!(peers.joins(peer(1)), "one that is known needs no room");
        peers.hear(peer(5_000), true);
        assert_eq!(peers.peers.len(), 1, "all are forgotten: they are heard of again");
        assert!(peers.joins(peer(5_000)) && !peers.joins(peer(1)));
    }

    #[test]
    fn who_no_longer_joins_is_forgotten() {
        let mut peers = JoiningPeers::default();
        peers.hear(peer(1), true);
        (1..ALONE).for_each(|_| peers.hear(peer(1), false));
        assert!(peers.joins(peer(1)));
        peers.hear(peer(1), true);
        (1..ALONE).for_each(|_| peers.hear(peer(1), false));
        assert!(peers.joins(peer(1)), "it has joined since");
        peers.hear(peer(1), false);
        assert!(!peers.joins(peer(1)) && peers.is_empty());
    }
}
