//! A board on an Ethernet interface, and clients that reach it by raw frames over a cable between two network namespaces.
//!
//! Clients share the cable, their address is the system's. AF_XDP takes an interface for itself, so there each client gets a
//! cable to a bridge, and an address that the system does not know.
use std::marker::PhantomData;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::JoinHandle;

use mneme_clib::driver::{LinkKind, Route, Waiting, XdpMode};
use mneme_clib::{DriverError, RawDriver, TransportConfig};
use mneme_daemon::{Options, RawPort, serve_and_report};
use mneme_link::LinkError;
use mneme_model::Node;
use mneme_skips::{Lack, skipped};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::{DEFAULT_UDP_PORT, Register};

use super::in_process::BoardKind;
use super::udp::Udp;
use super::veth::{BRIDGE, End, INTERFACE, Veth};
use super::{Config, Rig};

/// Whether a raw driver works here; if it does not, what it lacks, and in words.
pub type Works = Result<(), (Lack, String)>;

/// A raw driver, chosen as a type.
pub trait RawKind: Send + Sync + 'static {
    /// The link that both ends use.
    const LINK: LinkKind;
    /// Whether it works here, found out once.
    fn works() -> &'static Works;
}

/// Declares a type per raw driver.
macro_rules! raw_kinds {
    ($($(#[$doc:meta])* $name:ident = $link:expr;)*) => {
        $(
            $(#[$doc])*
            pub struct $name;
            impl RawKind for $name {
                const LINK: LinkKind = $link;
                fn works() -> &'static Works {
                    static WORKS: OnceLock<Works> = OnceLock::new();
                    WORKS.get_or_init(|| try_out($link))
                }
            }
        )*
    };
}

raw_kinds! {
    /// `pnet_datalink`.
    Pnet = LinkKind::Pnet;
    /// A packet ring.
    Tpacket = LinkKind::PacketRing;
    /// AF_XDP on packets as the kernel has made them.
    XdpGeneric = LinkKind::Xdp(XdpMode::Generic);
    /// AF_XDP in the interface's driver.
    XdpNative = LinkKind::Xdp(XdpMode::Native);
}

fn try_out(kind: LinkKind) -> Works {
    let no_veth = |error| (Lack::Privileges, format!("no network namespaces: {error}"));
    let veth = Veth::new().map_err(no_veth)?;
    let refused = |error: DriverError| (lack(kind, &error), error.to_string());
    veth.at(End::Client, || connect(kind, INTERFACE, None)).map(drop).map_err(refused)
}

/// What a raw driver lacks that does not work: every Linux has packet sockets, AF_XDP is an option of the kernel.
fn lack(kind: LinkKind, error: &DriverError) -> Lack {
    let unknown = matches!(error, DriverError::Link(LinkError::Unsupported { .. }));
    if unknown && is_exclusive(kind) { Lack::System } else { Lack::Privileges }
}

fn connect(kind: LinkKind, interface: &str, source: Option<Ipv4Addr>) -> Result<RawDriver, DriverError> {
    let route = Route { interface: Some(interface.into()), source, ..Route::default() };
    RawDriver::connect(address(), kind, &route, Waiting::Yield)
}

/// Where boards listen: an address that the system does not have.
pub fn address() -> SocketAddrV4 {
    SocketAddrV4::new(Veth::SPARE, DEFAULT_UDP_PORT)
}

/// A daemon in a thread of this process, at the far end of a cable of its own.
pub struct Raw<K, L> {
    veth: Veth,
    cables: AtomicU8,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    kind: PhantomData<(K, L)>,
}

/// Whether links of a kind have an interface for themselves.
fn is_exclusive(kind: LinkKind) -> bool {
    matches!(kind, LinkKind::Xdp(_))
}

impl<K: BoardKind, L: RawKind> Raw<K, L> {
    /// The cable.
    pub fn veth(&self) -> &Veth {
        &self.veth
    }
}

impl<K: BoardKind, L: RawKind> Rig for Raw<K, L> {
    type Driver = RawDriver;

    fn start(config: Config) -> Self {
        let veth = Veth::new().expect("network namespaces worked before");
        let (interface, link) = if is_exclusive(L::LINK) {
            veth.add_bridge().expect("a bridge");
            // A bridge has no queue that a program could sit in.
            (BRIDGE, LinkKind::Xdp(XdpMode::Generic))
        } else {
            (INTERFACE, L::LINK)
        };
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, (up, is_up)) = (stop.clone(), mpsc::channel());
        // The thread opens the link in the far namespace, and tells when it listens.
        let enter = veth.entrance(End::Board).expect("the namespace is there");
        let thread = std::thread::spawn(move || {
            enter.enter().expect("the namespace is there");
            let port = RawPort::new(interface, address(), link, Waiting::Yield).expect("the interface is up");
            let mut fast = K::reset(config);
            let max_payload = fast.read_register(Register::MaxPayload) as usize;
            let mut settings =
                mneme_daemon::config(&mut fast, K::NUMBER, [1; 32], K::NS_PER_CYCLE, K::WINDOW);
            (settings.mac, settings.ip) = (port.mac(), port.address().ip().octets());
            config.limit(&mut settings.limits);
            let options = Options::of(&settings, K::NS_PER_CYCLE);
            let store = &mut MemoryEpochs::default();
            let mut node =
                Node::boot_with_workers(fast, settings, store, mneme_daemon::DEFAULT_WORKERS).expect("boot");
            let mut wire = port.open(max_payload).expect("the link opens");
            up.send(()).expect("somebody waits");
            let asked = AtomicBool::new(false);
            serve_and_report(&mut node, &mut wire, &options, &stopped, &asked, |_, _| {}).expect("serve");
        });
        let rig = Raw { veth, cables: AtomicU8::new(0), stop, thread: Some(thread), kind: PhantomData };
        is_up.recv().expect("the board starts");
        rig
    }
    fn driver(&self) -> RawDriver {
        if !is_exclusive(L::LINK) {
            return self.veth.at(End::Client, || connect(L::LINK, INTERFACE, None)).expect("the link opens");
        }
        let number = self.cables.fetch_add(1, Ordering::Relaxed) + 1;
        let (name, source) = (format!("mneme{number}"), Ipv4Addr::new(10, 77, 0, 100 + number));
        self.veth.add_cable(&name).expect("another cable");
        self.veth.at(End::Client, || connect(L::LINK, &name, Some(source))).expect("the link opens")
    }
    fn transport() -> TransportConfig {
        Udp::<K>::transport()
    }
    fn works(test: &str) -> bool {
        match L::works() {
            Ok(()) => true,
            Err((lack, reason)) => {
                let name = L::LINK.name();
                skipped(test, *lack, format_args!("the driver {name} does not work here: {reason}"));
                false
            }
        }
    }
}

impl<K, L> Drop for Raw<K, L> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}
