//! Reaching a board, with the options that all commands share.
use anyhow::{Context, Result};
use clap::Args;
use mneme_clib::{Client, ClientOptions, NodeCounter, TransportConfig, UdpDriver};
use std::time::Duration;

/// Where the board is and how patient to be.
#[derive(Debug, Clone, Args)]
pub struct BoardArgs {
    /// The board's UDP address
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:19790")]
    pub board: String,
    /// Seconds after which an operation that got no answer, or only BUSY, fails
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = patience)]
    pub timeout: f64,
}

fn patience(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("0.01 to 3600 seconds".into()),
    }
}

impl BoardArgs {
    /// A client with a socket of its own.
    pub fn connect(&self) -> Result<Client> {
        let driver = UdpDriver::connect(&self.board).with_context(|| format!("board {}", self.board))?;
        let give_up = Duration::from_secs_f64(self.timeout);
        let transport = TransportConfig { give_up, ..TransportConfig::default() };
        let options = ClientOptions { transport, ..ClientOptions::default() };
        Client::connect(driver, options).with_context(|| format!("no board answers at {}", self.board))
    }
}

/// What a board is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The golden model.
    Software,
    /// The RTL under Verilator.
    Rtl,
    /// A device.
    Hardware,
    /// Something that this program does not know.
    Unknown(u64),
}

impl Kind {
    /// Reads the board's own word.
    pub fn of(client: &Client) -> Result<Kind> {
        let number = client.counters(NodeCounter::BoardKind as u32, 1)?.first().copied().unwrap_or(0);
        Ok(match number {
            1 => Kind::Software,
            2 => Kind::Rtl,
            3 => Kind::Hardware,
            other => Kind::Unknown(other),
        })
    }
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Software => "software",
            Kind::Rtl => "rtl",
            Kind::Hardware => "hardware",
            Kind::Unknown(_) => "unknown",
        }
    }
}
