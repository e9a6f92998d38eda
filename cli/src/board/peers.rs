//! Programs of others that a board serves over RDMA: who calls shows no token.
use crate::output::say;
use anyhow::{Context, Result};
use clap::Args;
use mneme_auth::Size;
use mneme_clib::{Client, ClientOptions, OpenOptions, UdpDriver};
use mneme_daemon::rdma::{Lent, PERFTEST_PATIENCE, PerftestSettings, TEST_BYTES, TestMemory};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// At which TCP ports they find it.
#[derive(Debug, Args)]
pub(super) struct RdmaPeers {
    /// Serve `ibv_rc_pingpong` of rdma-core at this TCP port too: messages come back to whoever asks, and no memory of the board is
    /// behind them
    #[arg(long, value_name = "PORT", requires = "rdma", num_args = 0..=1, require_equals = true, default_missing_value = "18515")]
    pub(super) ping_pong: Option<u16>,
    /// Serve perftest's ib_write_bw, ib_read_bw, ib_read_lat, ib_atomic_bw, ib_atomic_lat and ib_send_bw at this TCP port too, for
    /// whoever asks: four at a time, each with 2 MiB of a process that the board opens for them
    #[arg(long, value_name = "PORT", requires = "rdma", num_args = 0..=1, require_equals = true, default_missing_value = "18516")]
    perftest: Option<u16>,
    /// On a board of RTL perftest's ib_send_bw finds it at this TCP port, and its programs that do not SEND at the one before; a software
    /// board serves all of them at both
    #[arg(long, value_name = "PORT", requires = "perftest", default_value = "18517")]
    perftest_sends: u16,
    /// perftest's ib_send_lat finds it at this TCP port: each message is answered by one as long
    #[arg(long, value_name = "PORT", requires = "perftest", default_value = "18518")]
    perftest_send_lat: u16,
    /// Write the process of perftest's tests to this file, for its owner alone, as `PID TOKEN VA BYTES`: who has the token reads over
    /// RDMA what tests have written
    #[arg(long, value_name = "FILE", requires = "perftest")]
    perftest_token: Option<PathBuf>,
    /// What READs, atomics and ODRP's replies of one RDMA connection may send a second, headers among it, 15M to 14G; default: what
    /// the line takes. Congestion lowers it, whatever it is
    #[arg(long, value_name = "BYTES", requires = "rdma", default_value = "0", hide_default_value = true, value_parser = cap)]
    pub(super) rdma_cap: u32,
}

fn cap(text: &str) -> Result<u32, String> {
    mneme_daemon::rdma::cap(text.parse::<Size>()?.0)
}

impl RdmaPeers {
    /// What the port is told of perftest.
    pub(super) fn perftest(&self) -> Option<PerftestSettings> {
        let memory = Arc::new(Lent::default());
        let (sends, send_lat) = (self.perftest_sends, self.perftest_send_lat);
        let patience = PERFTEST_PATIENCE;
        self.perftest.map(|port| PerftestSettings { port, sends, send_lat, memory, patience })
    }
    /// Says what can be run against the board.
    pub(super) fn tell(&self, address: Ipv4Addr) {
        // A board serves on when nobody reads what it prints.
        if let Some(port) = self.ping_pong {
            let _ = say!("ping-pong on TCP {address}:{port}: ibv_rc_pingpong -p {port} {address}");
        }
        if let Some(port) = self.perftest {
            let (sends, send_lat) = (self.perftest_sends, self.perftest_send_lat);
            let _ = say!(
                "perftest on TCP {address}:{port}: ib_write_bw -p {port} {address}, ib_send_bw -p {sends} {address}, ib_send_lat -p \
                 {send_lat} {address}"
            );
        }
    }
    /// Opens the process of perftest's tests as a client does, as soon as the board serves, and keeps it while the board runs.
    pub(super) fn lend(&self, board: SocketAddr, settings: Option<PerftestSettings>) -> Result<()> {
        let (Some(PerftestSettings { memory, .. }), SocketAddr::V4(board)) = (settings, board) else {
            return Ok(());
        };
        let token = self.perftest_token.clone();
        let lend = move || -> Result<()> {
            let client = Client::connect(UdpDriver::connect(board)?, ClientOptions::default())?;
            let process = client.open(OpenOptions::default())?;
            let own = TestMemory {
                pid: process.pid(),
                token: process.token(),
                va: process.ralloc(TEST_BYTES).context("memory for perftest's tests")?,
            };
            if let Some(file) = token {
                write(&file, &own).with_context(|| format!("cannot write {}", file.display()))?;
            }
            // Nobody else sets it.
            let _set = memory.set(own);
            // Blocks as long as the board serves: a process lasts as long as somebody has it.
            memory.serve(|va, words| process.rwrite(va, words).is_ok());
            Ok(())
        };
        let report = move || {
            if let Err(error) = lend() {
                tracing::error!("perftest's programs get no memory, and wait: {error:#}");
            }
        };
        std::thread::Builder::new().name("perftest".into()).spawn(report).context("a thread")?;
        Ok(())
    }
}

/// A file that was there is another one afterwards: its owner might let others read it.
fn write(file: &Path, TestMemory { pid, token, va }: &TestMemory) -> std::io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    let token: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(made, "{pid} {token} {va} {TEST_BYTES}")
}
