//! Chains of a fast path's RoCEv2 port: chain queue pairs are made by one command at a time (`wire`, *ChainCommand*).
use crate::FastPath;
use crate::commands::{PortRefused, ended, halves, split_mac};
use mneme_wire::chain::{CHAIN_COUNTERS, CHAIN_IN_ERROR, CHAIN_KEYED, CHAIN_MAGIC, CHAIN_ROW_LAST};
use mneme_wire::register::BUILD_CHAINS;
use mneme_wire::{ChainCommand, ChainCounter, ChainRegister, ChainResult, Register};

/// Where rows of a profile go.
const ROWS: [ChainRegister; 6] = [
    ChainRegister::Row0,
    ChainRegister::Row1,
    ChainRegister::Row2,
    ChainRegister::Row3,
    ChainRegister::Row4,
    ChainRegister::Row5,
];

/// An argument of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainRow {
    /// Its number: 1 `tt_addr`, 2 `buffer`, 3 `signal`, 4 `magic`, 5 `rkey`, 6 `key`.
    pub field: u32,
    /// The message's byte that is its last one.
    pub end: u32,
}

/// A chain queue pair, as the port is told of it.
#[derive(Clone, PartialEq, Eq)]
pub struct ChainQueuePair {
    /// Its number, `CHAIN_QPN_BIT` among it; the low bits are its place.
    pub qpn: u32,
    /// The peer's number of it.
    pub peer_qpn: u32,
    /// The peer's address.
    pub peer_ip: [u8; 4],
    /// Where answers and replies go.
    pub peer_mac: [u8; 6],
    /// UDP source port of what is sent.
    pub source_port: u16,
    /// The process.
    pub pid: u32,
    /// The number of the first packet that comes.
    pub psn: u32,
    /// The number of the first packet of replies.
    pub reply_psn: u32,
    /// Path MTU: 1 for 256 bytes to 5 for 4,096.
    pub mtu_code: u32,
    /// 0 load, 1 mapped store, 2 unmapped store, 3 invalidate.
    pub function: u32,
    /// The CHAIN_ bits of CHAIN_OPTIONS, but CHAIN_KEYED.
    pub flags: u32,
    /// Replies are sent again after 2^n times 10 µs without progress.
    pub timeout: u32,
    /// The most that its replies send, in bytes a period; 0: as can.
    pub rate: u32,
    /// Bytes of each message.
    pub length: u32,
    /// The segment's number.
    pub segment: u32,
    /// The secret that each message must have, if it must: the number that its 8 bytes are, the first one highest.
    pub key: Option<u64>,
    /// The address that stands for the table's first entry, a multiple of 8.
    pub base: u64,
    /// The profile's arguments in the order of the message, six at most.
    pub rows: Vec<ChainRow>,
}

impl std::fmt::Debug for ChainQueuePair {
    /// Without the secret: it is not for logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ChainQueuePair { qpn, peer_ip, pid, function, segment, .. } = self;
        let mut it = f.debug_struct("ChainQueuePair");
        it.field("qpn", qpn).field("peer_ip", peer_ip).field("pid", pid);
        it.field("function", function).field("segment", segment).finish_non_exhaustive()
    }
}

/// Where a chain queue pair is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainProgress {
    /// The next packet that is expected.
    pub expected: u32,
    /// It has ended in an error.
    pub in_error: bool,
}

/// Why the port did not do what it was told about chains.
pub type ChainRefused = PortRefused<ChainResult>;

/// The registers of chains of a fast path's RoCEv2 port.
#[derive(Debug)]
pub struct ChainPort<'a, F: ?Sized> {
    fast: &'a mut F,
}

impl<'a, F: FastPath + ?Sized> ChainPort<'a, F> {
    /// The chains; `None` where BUILD_FLAGS tell of none.
    pub fn of(fast: &'a mut F) -> Option<ChainPort<'a, F>> {
        let built = fast.read_register(Register::BuildFlags) & BUILD_CHAINS != 0;
        (built && fast.read_chain(ChainRegister::Magic.number()) == CHAIN_MAGIC).then_some(ChainPort { fast })
    }
    /// Places of chain queue pairs.
    pub fn places(&mut self) -> u32 {
        1 << (self.fast.read_chain(ChainRegister::Sizes.number()) & 0xff).min(23)
    }
    /// What was counted; wraps.
    pub fn counter(&mut self, counter: ChainCounter) -> u32 {
        self.fast.read_chain(CHAIN_COUNTERS + 4 * counter.number())
    }

    /// Makes a chain queue pair that is ready to receive.
    ///
    /// # Errors
    /// Every [`ChainRefused`]; PROFILE also where there are more than six arguments.
    pub fn create(&mut self, pair: &ChainQueuePair) -> Result<(), ChainRefused> {
        let Some(behind) = pair.rows.len().checked_sub(1).filter(|behind| *behind < ROWS.len()) else {
            return Err(ChainRefused::Result(ChainResult::Profile));
        };
        let [high, low] = split_mac(pair.peer_mac);
        let keyed = if pair.key.is_some() { CHAIN_KEYED } else { 0 };
        let options = pair.mtu_code | pair.function << 4 | pair.flags | keyed | pair.timeout << 16;
        let (key, base) = (halves(pair.key.unwrap_or(0)), halves(pair.base));
        let mut registers = vec![
            (ChainRegister::Qpn, pair.qpn),
            (ChainRegister::PeerQpn, pair.peer_qpn),
            (ChainRegister::PeerIp, u32::from_be_bytes(pair.peer_ip)),
            (ChainRegister::PeerMacLow, low),
            (ChainRegister::PeerMacHigh, high),
            (ChainRegister::Port, u32::from(pair.source_port)),
            (ChainRegister::Pid, pair.pid),
            (ChainRegister::Psn, pair.psn),
            (ChainRegister::ReplyPsn, pair.reply_psn),
            (ChainRegister::Options, options),
            (ChainRegister::Rate, pair.rate),
            (ChainRegister::Length, pair.length),
            (ChainRegister::Segment, pair.segment),
            (ChainRegister::KeyLow, key.0),
            (ChainRegister::KeyHigh, key.1),
            (ChainRegister::BaseLow, base.0),
            (ChainRegister::BaseHigh, base.1),
        ];
        let rows = ROWS.into_iter().zip(&pair.rows).enumerate();
        registers.extend(rows.map(|(at, (register, row))| {
            let last = if at == behind { CHAIN_ROW_LAST } else { 0 };
            (register, row.field | last | row.end << 16)
        }));
        self.order(ChainCommand::Create, &registers)
    }
    /// Ends a queue pair: a store that runs is abandoned, and its replies are not sent again.
    ///
    /// # Errors
    /// Every [`ChainRefused`].
    pub fn destroy(&mut self, qpn: u32) -> Result<(), ChainRefused> {
        self.order(ChainCommand::Destroy, &[(ChainRegister::Qpn, qpn)])
    }
    /// Where a queue pair is.
    ///
    /// # Errors
    /// Every [`ChainRefused`].
    pub fn query(&mut self, qpn: u32) -> Result<ChainProgress, ChainRefused> {
        self.order(ChainCommand::Query, &[(ChainRegister::Qpn, qpn)])?;
        let expected = self.fast.read_chain(ChainRegister::Expected.number());
        let state = self.fast.read_chain(ChainRegister::State.number());
        Ok(ChainProgress { expected, in_error: state & CHAIN_IN_ERROR != 0 })
    }

    /// Writes registers and then a command, and waits for its end.
    fn order(
        &mut self,
        command: ChainCommand,
        registers: &[(ChainRegister, u32)],
    ) -> Result<(), ChainRefused> {
        // After a reset the tables are being emptied, and writes are ignored.
        self.ended()?;
        for (register, value) in registers {
            self.fast.write_chain(*register, *value);
        }
        self.fast.write_chain(ChainRegister::Command, command.number());
        match self.ended()? {
            ChainResult::Done => Ok(()),
            refused => Err(ChainRefused::Result(refused)),
        }
    }
    fn ended(&mut self) -> Result<ChainResult, ChainRefused> {
        ended(|| {
            let result = ChainResult::from_number(self.fast.read_chain(ChainRegister::Result.number()));
            result.filter(|result| *result != ChainResult::Pending)
        })
    }
}

#[cfg(test)]
mod tests;
