//! Who calls: listeners, who has how many places, and lines of the log about those who are refused.
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};

/// Connections that are refused in one look when all places are taken: the others wait in the listener's queue.
const REFUSED: usize = 16;
/// Nanoseconds between two lines of the log about refused callers.
const PAUSE: u64 = 100_000_000;

/// Whose GID a caller may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gids {
    /// That of the address from which it calls.
    Callers,
    /// That of any host: it calls from another network than that of its RDMA port.
    Any,
}

impl Gids {
    /// Whether a caller may name an address, on a board with this one.
    pub(crate) fn allow(self, caller: IpAddr, named: Ipv4Addr, own: Ipv4Addr) -> bool {
        match self {
            Gids::Callers => caller == IpAddr::V4(named),
            Gids::Any => {
                !(named.is_unspecified() || named.is_multicast() || named.is_broadcast() || named == own)
            }
        }
    }
}

/// How frames reach a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By this address of Ethernet.
    Known([u8; 6]),
    /// It was asked for.
    Asked,
    /// Nobody answers.
    Nobody,
}

/// Whether who has `own` places may have another one while so many are free: as many as are free. The first one gets half of all, and
/// the next one finds some, whatever the others have.
pub(crate) const fn may_have(own: usize, free: usize) -> bool {
    own < free
}

/// A listener that does not block.
#[derive(Debug)]
pub(crate) struct Listens(TcpListener);

impl Listens {
    pub fn at(address: SocketAddr) -> std::io::Result<Listens> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Listens(listener))
    }
    /// The next caller; one whose stream would block is hung up.
    fn next(&self) -> Option<(TcpStream, IpAddr)> {
        loop {
            let (stream, peer) = self.0.accept().ok()?;
            if stream.set_nonblocking(true).is_ok() {
                return Some((stream, peer.ip()));
            }
        }
    }
    /// Gives callers to `take`, which tells whether one got a place, until some had none.
    pub fn take(&self, mut take: impl FnMut(TcpStream, IpAddr) -> bool) {
        let mut refused = 0;
        while refused < REFUSED
            && let Some((stream, peer)) = self.next()
        {
            refused += usize::from(!take(stream, peer));
        }
    }
}

/// What a look at a stream has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    Nothing,
    Bytes(usize),
    /// The stream has ended.
    End,
}

/// Reads what is there.
pub(crate) fn hear(stream: &mut TcpStream, into: &mut [u8]) -> Heard {
    match stream.read(into) {
        Ok(0) => Heard::End,
        Ok(read) => Heard::Bytes(read),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            Heard::Nothing
        }
        Err(_) => Heard::End,
    }
}

/// Lines of the log, which callers can cause: some are left out.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// When the next one may be written, and how many were left out.
    next: u64,
    left_out: u64,
}

impl Told {
    /// Writes one about a caller, if it may be.
    pub fn line(&mut self, now: u64, service: &str, peer: IpAddr, why: &str, advice: &str) {
        if now < self.next {
            self.left_out += 1;
            return;
        }
        let left_out = self.left_out;
        (self.next, self.left_out) = (now.saturating_add(PAUSE), 0);
        tracing::warn!(%peer, left_out, "{service}: {why}; {advice}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_half_of_all_places_and_the_next_finds_some() {
        for most in [4, 8, 16] {
            let (mut taken, mut shares) = (0, Vec::new());
            while taken < most {
                let own = (0..).take_while(|own| may_have(*own, most - taken - own)).count();
                assert!(own > 0, "{taken} of {most} are taken");
                taken += own;
                shares.push(own);
            }
            assert_eq!((shares[0], shares[1], taken), (most / 2, most / 4, most));
        }
    }

    #[test]
    fn a_caller_of_another_network_names_a_host() {
        let own = Ipv4Addr::new(10, 0, 0, 9);
        let caller = IpAddr::from([192, 168, 0, 5]);
        let host = Ipv4Addr::new(10, 0, 0, 2);
        assert!(Gids::Any.allow(caller, host, own) && !Gids::Callers.allow(caller, host, own));
        assert!(Gids::Callers.allow(host.into(), host, own));
        for nobody in [[0, 0, 0, 0], [255, 255, 255, 255], [224, 0, 0, 1], own.octets()] {
            assert!(!Gids::Any.allow(caller, nobody.into(), own), "{nobody:?}");
        }
    }
}
