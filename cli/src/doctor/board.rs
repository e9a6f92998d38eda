//! A board: is it reached, by which drivers, and does it speak our version?
use super::check::Check;
use crate::connect::RouteArgs;
use mneme_clib::driver::{self, BoardAddress};
use mneme_clib::{Client, ClientOptions, DriverKind, DriverOptions, Reason, TransportConfig};
use mneme_wire::WIRE_VERSION;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);
/// Pings of which the quickest counts.
const PINGS: usize = 10;

pub fn checks(board: &BoardAddress, args: &RouteArgs) -> Vec<Check> {
    let name = "board: address";
    let address = match board.resolve() {
        Ok(address) => address,
        Err(error) => {
            let remedy = "name it as HOST[:PORT], such as 10.0.0.2:19790, or look at the name service";
            return vec![Check::fail(name, error.to_string(), remedy)];
        }
    };
    let mut checks = vec![Check::ok(name, address.to_string())];
    checks.extend(reached(board, args));
    checks.push(choice(board, args));
    checks
}

fn options(kind: DriverKind, args: &RouteArgs) -> DriverOptions {
    DriverOptions { kind, route: args.route(), ..DriverOptions::default() }
}

fn reached(board: &BoardAddress, args: &RouteArgs) -> Vec<Check> {
    let name = "board: answer";
    let options = options(DriverKind::Udp, args);
    let transport = TransportConfig { give_up: PATIENCE, ..TransportConfig::default() };
    let connected = driver::open(board, &options).map_err(mneme_clib::Error::from).and_then(|chosen| {
        Client::connect(chosen.driver, ClientOptions { transport, ..ClientOptions::default() })
    });
    let client = match connected {
        Ok(client) => client,
        Err(error) if error.reason() == Some(Reason::Version) => {
            let remedy = "take a client and a board of one release";
            let found = format!("the board speaks another version than {WIRE_VERSION}: {error}");
            return vec![Check::fail("board: wire version", found, remedy)];
        }
        Err(error) => {
            let remedy = "is it running, and does a firewall pass its UDP port? `mneme board` starts one without hardware";
            return vec![Check::fail(name, error.to_string(), remedy)];
        }
    };
    let quickest = (0..PINGS).filter_map(|_| client.ping().ok()).map(|(_, took)| took).min();
    let info = client.board();
    let took = quickest.map_or_else(|| "no ping came back".into(), |took| format!("{took:.1?} at best"));
    vec![
        Check::ok(name, took),
        Check::ok("board: wire version", format!("{WIRE_VERSION}, epoch {}", info.epoch)),
        Check::ok(
            "board: limits",
            format!(
                "payloads up to {} bytes, pages of {} KiB",
                info.max_payload,
                (1_u64 << info.page_bits) >> 10
            ),
        ),
    ]
}

fn choice(board: &BoardAddress, args: &RouteArgs) -> Check {
    let name = "board: --driver auto";
    match driver::open(board, &options(DriverKind::Auto, args)) {
        Ok(chosen) => {
            let speed = chosen.speed.map_or(String::new(), |speed| format!(" ({speed})"));
            let others = chosen.remarks().into_iter().map(|other| format!("; {other}"));
            Check::ok(name, format!("takes {}{speed}{}", chosen.kind, others.collect::<String>()))
        }
        Err(error) => {
            Check::fail(name, error.to_string(), "no driver can be opened: the other checks say why")
        }
    }
}
