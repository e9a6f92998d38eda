//! A board for one row: booted by registers, page table and pages written straight into DRAM.
use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail};
use mneme_model::NetworkPort;
use mneme_rtl::{LoadPage, RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::FastPath;
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::pte::{self, BUCKET_BYTES, BUCKET_ENTRIES, Geometry};
use mneme_wire::register::CONTROL_ENABLE;
use mneme_wire::{
    DEFAULT_UDP_PORT, MatAction, Opcode, Pid, Register, ReplaceStatus, Request, Tick, Trailer, Va,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const EPOCH: u8 = 7;
/// Of the pages' places.
const SEED: u64 = 1;
const ENDPOINTS: Endpoints = Endpoints {
    src_mac: [2, 0, 0, 0, 0, 1],
    dst_mac: [2, 0, 0, 0, 0, 9],
    src_ip: [10, 0, 0, 1],
    dst_ip: [10, 0, 0, 9],
    src_port: 40_000,
    dst_port: DEFAULT_UDP_PORT,
};

/// A board and the pages that were given out on it.
pub struct Host {
    /// The board.
    pub board: RtlFast,
    /// Its page table's geometry.
    pub geometry: Geometry,
    random: ChaCha8Rng,
    /// Entries of each bucket in use.
    used: HashMap<u64, usize>,
    physical: HashSet<u64>,
    pages: HashSet<(u32, u64)>,
    /// The next physical page to zero and offer that nobody has had.
    next_free: u64,
}

/// Reads of the status after which a replace command is given up.
const REPLACE_PATIENCE: u32 = 10_000;

/// How pages are chosen.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    /// Processes: pids are drawn from so many.
    pub pids: u32,
    /// Virtual and physical pages lie within so many bytes each.
    pub bytes: u64,
    /// They hold physical pages, read and written before; otherwise the first touch faults.
    pub backed: bool,
}

impl Host {
    /// A board that answers requests. Its DRAM is all zeros, so the table needs no zeroing.
    pub fn boot(config: RtlConfig, dram_latency: u32, window: u32) -> Result<Host> {
        Host::boot_with(config, dram_latency, 0, window)
    }
    /// The same on a memory whose answers come up to `dram_jitter` cycles later at random.
    pub fn boot_with(config: RtlConfig, dram_latency: u32, dram_jitter: u32, window: u32) -> Result<Host> {
        let options = RtlOptions { dram_latency, dram_jitter, skip_idle: false, ..RtlOptions::new(config) };
        let mut board = RtlFast::new(options)?;
        let geometry = board.shape().check()?;
        // The filter frees its entries after reset.
        board.run(1 << 13);
        let word = |bytes: [u8; 4]| u32::from_be_bytes(bytes);
        let udp = 0x0800 << 16 | 17 << 8;
        let [m0, m1, m2, m3, m4, m5] = ENDPOINTS.dst_mac;
        let registers = [
            (Register::Epoch, EPOCH.into()),
            (Register::Window, window),
            (Register::MacHigh, word([0, 0, m0, m1])),
            (Register::MacLow, word([m2, m3, m4, m5])),
            (Register::Ip, word(ENDPOINTS.dst_ip)),
            (Register::UdpPort, DEFAULT_UDP_PORT.into()),
            (Register::MatMask1, 0),
            // Pings are the slow path's.
            (Register::MatValue0, udp | u32::from(Opcode::Ping.number())),
            (Register::MatMask0, u32::MAX),
            (Register::MatCommit, 1 << 16 | u32::from(MatAction::Slow.number()) << 8),
            (Register::MatValue0, udp),
            (Register::MatMask0, u32::MAX << 8),
            (Register::MatCommit, 1 << 16 | u32::from(MatAction::Fast.number()) << 8 | 1),
            (Register::Control, CONTROL_ENABLE),
        ];
        for (register, value) in registers {
            board.write_register(register, value);
        }
        Ok(Host {
            board,
            geometry,
            random: ChaCha8Rng::seed_from_u64(SEED),
            used: HashMap::new(),
            physical: HashSet::new(),
            pages: HashSet::new(),
            next_free: geometry.table_pages(),
        })
    }

    /// Allocates random pages by writing their entries.
    pub fn allocate(&mut self, count: usize, spread: &Spread) -> Result<Vec<LoadPage>> {
        let mut pages = Vec::with_capacity(count);
        for _ in 0..100 * count {
            if pages.len() == count {
                return Ok(pages);
            }
            pages.extend(self.allocate_one(spread)?);
        }
        bail!("no room for {count} pages in the table or the memory asked for")
    }

    /// One page, unless the dice name one that is taken or a full bucket.
    fn allocate_one(&mut self, spread: &Spread) -> Result<Option<LoadPage>> {
        let geometry = self.geometry;
        let within = (spread.bytes >> geometry.page_bits()).min(geometry.pages());
        let pid = self.random.random_range(1..=spread.pids);
        let vpn = self.random.random_range(0..within);
        let free = geometry.table_pages()..within.max(geometry.table_pages() + 1);
        let ppn = self.random.random_range(free);
        let bucket = geometry.bucket(pid, vpn);
        let used = self.used.entry(bucket).or_default();
        let taken = spread.backed && self.physical.contains(&ppn);
        if *used == BUCKET_ENTRIES || taken || !self.pages.insert((pid, vpn)) {
            return Ok(None);
        }
        let mut entry = pte::ALLOCATED | pte::READ | pte::WRITE;
        entry |= geometry.tag(pid, vpn) << geometry.tag_shift();
        if spread.backed {
            self.physical.insert(ppn);
            // As after earlier accesses: nothing is written back.
            entry |= pte::VALID | pte::ACCESSED | pte::DIRTY | ppn;
        }
        if !pte::parity_ok(entry) {
            entry |= pte::PARITY;
        }
        self.board.write_memory(bucket * BUCKET_BYTES + 8 * *used as u64, &entry.to_le_bytes());
        *used += 1;
        let pid = Pid::new(pid).context("a pid of 24 bits")?;
        Ok(Some(LoadPage { pid, va: vpn << geometry.page_bits() }))
    }

    /// Pages offered from here on begin at this physical one.
    pub fn offer_from(&mut self, page: u64) {
        self.next_free = page;
    }
    /// Pages that nobody has had.
    pub fn free_pages(&self) -> u64 {
        self.geometry.pages() - self.next_free
    }
    /// Gives the board the next free page to zero and offer, if there is one and the board has room. Whether it did.
    pub fn offer(&mut self) -> bool {
        let offers = self.free_pages() > 0 && self.board.read_register(Register::ZeroSpace) > 0;
        if offers {
            self.board.write_register(Register::ZeroPush, self.next_free as u32);
            self.next_free += 1;
        }
        offers
    }
    /// Gives the board pages to zero until its async buffer holds so many and nothing is left to zero. Answers how many pages came after
    /// the first one, and in how many cycles.
    pub fn fill_async_buffer(&mut self, pages: u32) -> Result<(u32, u64)> {
        let (mut offered, mut level, mut began) = (0, 0, None);
        let mut last = 0;
        while level < pages {
            offered += u32::from(offered < pages && self.offer());
            let now = self.board.read_register(Register::AsyncLevel);
            if now > level {
                (level, last) = (now, self.board.cycles());
                began.get_or_insert((now, last));
            }
        }
        let (at, began) = began.context("a board with an async buffer")?;
        Ok((level - at, last - began))
    }
    /// Takes a page's physical page away, as a slow path that frees it; the next write to it is a first touch. Answers the physical page
    /// that it had.
    pub fn take_back(&mut self, page: &LoadPage) -> Result<Option<u64>> {
        let mask = pte::VALID | pte::ACCESSED | pte::DIRTY | self.geometry.ppn_mask();
        let registers = [
            (Register::ReplacePid, page.pid.get()),
            (Register::ReplaceVpn, self.geometry.vpn(page.va) as u32),
            (Register::ReplaceCompareLow, 0),
            (Register::ReplaceCompareHigh, 0),
            (Register::ReplaceWriteLow, mask as u32),
            (Register::ReplaceWriteHigh, (mask >> 32) as u32),
            (Register::ReplaceNewLow, 0),
            (Register::ReplaceNewHigh, 0),
            (Register::ReplaceGo, 1),
        ];
        for (register, value) in registers {
            self.board.write_register(register, value);
        }
        for _ in 0..REPLACE_PATIENCE {
            let status = self.board.read_register(Register::ReplaceStatus);
            if status == u32::from(ReplaceStatus::Running.number()) {
                continue;
            }
            if status != u32::from(ReplaceStatus::Done.number()) {
                bail!("replace ended with status {status}");
            }
            let low = self.board.read_register(Register::ReplaceOldLow);
            let old = u64::from(self.board.read_register(Register::ReplaceOldHigh)) << 32 | u64::from(low);
            return Ok((old & pte::VALID != 0).then(|| self.geometry.entry_ppn(old)));
        }
        bail!("a replace command did not end")
    }
}

/// A frame of one kind of request, `payload` bytes after its header.
pub fn frame(opcode: Opcode, length: usize) -> Result<Vec<u8>> {
    let payload = match opcode {
        Opcode::Write | Opcode::Ping => length,
        Opcode::CompareSwap => 16,
        Opcode::FetchAdd | Opcode::Swap => 8,
        _ => 0,
    };
    let request = Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode,
        epoch: EPOCH,
        pid: Pid::new(1).context("a pid")?,
        op_id: 0,
        attempt: 0,
        time: Tick::default(),
        va: Va::new(0).context("an address")?,
        length: length as u16,
    };
    let datagram = [&request.to_bytes()[..], &vec![0x5a; payload]].concat();
    let udp = UdpFrame { endpoints: ENDPOINTS, datagram: &datagram };
    let mut frame = vec![0; udp.frame_len()];
    udp.emit(false, &mut frame).map_err(|error| anyhow::anyhow!("a frame of {length} bytes: {error:?}"))?;
    Ok(frame)
}
