//! A board for the manager: the software board's page table and memory, and beside it the registers of a leaf unit, a RoCEv2 port and its
//! chains. Commands answer as the hardware's do.
use std::collections::{BTreeMap, HashMap, VecDeque};

use mneme_model::{BoardShape, SoftFast};
use mneme_slowpath::{FastPath, RingFull};
use mneme_wire::chain::{CHAIN_COUNTERS, CHAIN_IN_ERROR, CHAIN_MAGIC, CHAIN_QPN_BIT, CHAIN_ROW_LAST};
use mneme_wire::leaf::{LEAF_CLEAN, LEAF_MAGIC};
use mneme_wire::roce::{ROCE_COUNTERS, ROCE_MAGIC};
use mneme_wire::{
    ChainCommand, ChainRegister, ChainResult, Counter, LeafRegister, LeafResult, Register, RoceCommand,
    RoceRegister, RoceResult,
};

/// log2 of places: of native queue pairs and regions, and of chains.
pub const NATIVE_LOG2: u32 = 5;
pub const CHAINS_LOG2: u32 = 4;
/// Looks at a result that find PENDING.
const PENDING: u32 = 3;
/// More free frames than anybody wants: the slow path gives no page.
const FRAMES: u32 = 1 << 20;

/// A queue pair: the registers with which it was made, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair<R: std::hash::Hash + Eq> {
    pub made: HashMap<R, u32>,
    pub expected: u32,
    pub in_error: bool,
}

/// The board.
pub struct Hardware {
    soft: SoftFast,
    pub rx: VecDeque<Vec<u8>>,
    pub tx: VecDeque<Vec<u8>>,
    /// Its time.
    pub tick: u32,
    pub native: BTreeMap<u32, Pair<RoceRegister>>,
    pub regions: BTreeMap<u32, u32>,
    pub chains: BTreeMap<u32, Pair<ChainRegister>>,
    /// What the leaf unit's registers read, where they are not as usual: by offset.
    pub leaf: HashMap<u32, u32>,
    /// What its chains have counted.
    pub counted: [u32; 26],
    /// Commands of chains that it was given.
    pub commands: Vec<ChainCommand>,
    roce: HashMap<RoceRegister, u32>,
    roce_result: (u32, RoceResult),
    chain: HashMap<ChainRegister, u32>,
    chain_result: (u32, ChainResult),
}

impl Hardware {
    /// With chains, or without.
    pub fn new(chains: bool) -> Hardware {
        Hardware {
            soft: SoftFast::new(BoardShape { chains, ..BoardShape::RDMA_PORT }).expect("a board"),
            rx: VecDeque::new(),
            tx: VecDeque::new(),
            tick: 0,
            native: BTreeMap::new(),
            regions: BTreeMap::new(),
            chains: BTreeMap::new(),
            leaf: HashMap::new(),
            counted: [0; 26],
            commands: Vec::new(),
            roce: HashMap::new(),
            roce_result: (PENDING, RoceResult::Done),
            chain: HashMap::new(),
            chain_result: (PENDING, ChainResult::Done),
        }
    }

    fn roce_command(&mut self, number: u32) -> RoceResult {
        let of = |register| self.roce.get(&register).copied().unwrap_or(0);
        let (qpn, key) = (of(RoceRegister::Qpn), of(RoceRegister::Key));
        let low = (1 << NATIVE_LOG2) - 1;
        let place = qpn & low;
        let here = self.native.get(&place).filter(|own| own.made[&RoceRegister::Qpn] == qpn).cloned();
        match RoceCommand::from_number(number).expect("a command") {
            RoceCommand::CreateQueuePair => {
                assert_eq!(qpn & CHAIN_QPN_BIT, 0, "{qpn:#x} is a chain's number");
                assert!(!self.native.contains_key(&place), "{qpn:#x}: its place is taken");
                let pair = Pair { made: self.roce.clone(), expected: of(RoceRegister::Psn), in_error: false };
                self.native.insert(place, pair);
                RoceResult::Done
            }
            RoceCommand::DestroyQueuePair if here.is_some() => {
                self.native.remove(&place);
                RoceResult::Done
            }
            RoceCommand::QueryQueuePair => {
                let Some(pair) = here else { return RoceResult::Unknown };
                self.roce.insert(RoceRegister::Expected, pair.expected);
                self.roce.insert(RoceRegister::State, u32::from(pair.in_error));
                RoceResult::Done
            }
            RoceCommand::CreateRegion => {
                self.regions.insert(key & low, key);
                RoceResult::Done
            }
            RoceCommand::RemoveRegion if self.regions.get(&(key & low)) == Some(&key) => {
                self.regions.remove(&(key & low));
                RoceResult::Done
            }
            _ => RoceResult::Unknown,
        }
    }

    fn chain_command(&mut self, number: u32) -> ChainResult {
        let command = ChainCommand::from_number(number).expect("a command");
        self.commands.push(command);
        let of = |register| self.chain.get(&register).copied().unwrap_or(0);
        let qpn = of(ChainRegister::Qpn);
        let place = qpn & ((1 << CHAINS_LOG2) - 1);
        let here = self.chains.get_mut(&place);
        let (options, length) = (of(ChainRegister::Options), of(ChainRegister::Length));
        let here = match (command, here) {
            (ChainCommand::Create, Some(_)) => return ChainResult::Taken,
            (ChainCommand::Create, None) => {
                let (code, stores) = (options & 7, matches!(options >> 4 & 3, 1 | 2));
                let rows =
                    [ChainRegister::Row0, ChainRegister::Row1, ChainRegister::Row2, ChainRegister::Row3];
                let rows = rows.into_iter().chain([ChainRegister::Row4, ChainRegister::Row5]).map(of);
                let end = rows.into_iter().find(|row| row & CHAIN_ROW_LAST != 0).map(|row| row >> 16);
                let most = 128 << code;
                return if qpn & CHAIN_QPN_BIT == 0 {
                    ChainResult::Number
                } else if !(1..=5).contains(&code) {
                    ChainResult::PathMtu
                } else if end.is_none_or(|end| end >= most) || !stores && length > most {
                    ChainResult::Profile
                } else {
                    let expected = of(ChainRegister::Psn);
                    self.chains.insert(place, Pair { made: self.chain.clone(), expected, in_error: false });
                    ChainResult::Done
                };
            }
            (_, here) => here.filter(|own| own.made[&ChainRegister::Qpn] == qpn),
        };
        let Some(pair) = here else { return ChainResult::Unknown };
        match command {
            ChainCommand::Query => {
                let state = if pair.in_error { CHAIN_IN_ERROR } else { 0 };
                self.chain.insert(ChainRegister::Expected, pair.expected);
                self.chain.insert(ChainRegister::State, state);
            }
            ChainCommand::End => pair.in_error = true,
            _ => drop(self.chains.remove(&place)),
        }
        ChainResult::Done
    }
}

impl FastPath for Hardware {
    fn read_register(&mut self, register: Register) -> u32 {
        if register == Register::Tick { self.tick & 0xff_ffff } else { self.soft.read_register(register) }
    }
    fn write_register(&mut self, register: Register, value: u32) {
        self.soft.write_register(register, value);
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.soft.read_counter(counter)
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.rx.pop_front().map(|frame| *into = frame).is_some()
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        self.tx.push_back(frame.to_vec());
        Ok(())
    }
    fn read_memory(&mut self, address: u64, into: &mut [u8]) {
        self.soft.read_memory(address, into);
    }
    fn write_memory(&mut self, address: u64, from: &[u8]) {
        self.soft.write_memory(address, from);
    }
    /// The leaf unit does what it is told, and has always frames.
    fn read_leaf(&mut self, offset: u32) -> u32 {
        if let Some(value) = self.leaf.get(&offset) {
            return *value;
        }
        match LeafRegister::from_number(offset) {
            Some(LeafRegister::State) => LEAF_CLEAN,
            Some(LeafRegister::Magic) => LEAF_MAGIC,
            Some(LeafRegister::Sizes) => 5,
            Some(LeafRegister::Result) => LeafResult::Done.number(),
            Some(LeafRegister::Usable) => FRAMES,
            _ => 0,
        }
    }
    fn read_roce(&mut self, offset: u32) -> u32 {
        if offset >= ROCE_COUNTERS {
            return 0;
        }
        match RoceRegister::from_number(offset).expect("a register") {
            RoceRegister::Magic => ROCE_MAGIC,
            RoceRegister::Sizes => NATIVE_LOG2 << 8 | NATIVE_LOG2,
            RoceRegister::Result if self.roce_result.0 > 0 => {
                self.roce_result.0 -= 1;
                RoceResult::Pending.number()
            }
            RoceRegister::Result => self.roce_result.1.number(),
            other => self.roce.get(&other).copied().unwrap_or(0),
        }
    }
    fn write_roce(&mut self, register: RoceRegister, value: u32) {
        assert_eq!(self.roce_result.0, 0, "{register} is written while a command is under way");
        match register {
            RoceRegister::Command => self.roce_result = (PENDING, self.roce_command(value)),
            _ => drop(self.roce.insert(register, value)),
        }
    }
    fn read_chain(&mut self, offset: u32) -> u32 {
        if let Some(at) = offset.checked_sub(CHAIN_COUNTERS) {
            return self.counted[at as usize / 4];
        }
        match ChainRegister::from_number(offset).expect("a register") {
            ChainRegister::Magic => CHAIN_MAGIC,
            ChainRegister::Sizes => 5 << 8 | CHAINS_LOG2,
            ChainRegister::Result if self.chain_result.0 > 0 => {
                self.chain_result.0 -= 1;
                ChainResult::Pending.number()
            }
            ChainRegister::Result => self.chain_result.1.number(),
            other => self.chain.get(&other).copied().unwrap_or(0),
        }
    }
    fn write_chain(&mut self, register: ChainRegister, value: u32) {
        assert_eq!(self.chain_result.0, 0, "{register} is written while a command is under way");
        match register {
            ChainRegister::Command => self.chain_result = (PENDING, self.chain_command(value)),
            _ => drop(self.chain.insert(register, value)),
        }
    }
}
