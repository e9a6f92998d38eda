//! Rigs whose clients' packets have trailers.
use super::in_process::{BOARD_KEY, TENANT_KEY};
use super::{Config, Rig};
use mneme_clib::{ClientOptions, Credentials, Integrity, TransportConfig};

/// A rig whose clients' packets have a CRC-32C.
pub struct Whole<R>(R);

impl<R: Rig> Rig for Whole<R> {
    type Driver = R::Driver;
    fn start(config: Config) -> Self {
        Whole(R::start(config))
    }
    fn driver(&self) -> R::Driver {
        self.0.driver()
    }
    fn transport() -> TransportConfig {
        R::transport()
    }
    fn options() -> ClientOptions {
        ClientOptions { integrity: Integrity::Crc32c, ..R::options() }
    }
    fn works(test: &str) -> bool {
        R::works(test)
    }
}

/// A rig whose clients' packets have tags, on boards that ask for them.
pub struct Tagged<R>(R);

impl<R: Rig> Rig for Tagged<R> {
    type Driver = R::Driver;
    fn start(config: Config) -> Self {
        Tagged(R::start(config))
    }
    fn driver(&self) -> R::Driver {
        self.0.driver()
    }
    fn transport() -> TransportConfig {
        R::transport()
    }
    fn options() -> ClientOptions {
        let credentials = Some(Credentials::new(TENANT_KEY).board(BOARD_KEY.public()));
        ClientOptions { integrity: Integrity::Tag, credentials, ..R::options() }
    }
    fn works(test: &str) -> bool {
        R::works(test)
    }
}
