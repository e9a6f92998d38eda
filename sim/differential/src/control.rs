//! What the slow path would do in mid-run: replace commands, pages to zero, epochs, damage in the table.
use mneme_wire::pte::{self, BUCKET_BYTES, BUCKET_ENTRIES, PageState};
use mneme_wire::register::{AWAY_ROWS, CONTROL_ENABLE, CONTROL_EXHAUSTED, MAT_ROWS, ZERO_ONLY};
use mneme_wire::trailer::BoardKey;
use mneme_wire::{MatAction, Opcode, Register, ReplaceStatus, Status};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::mismatch::Mismatch;
use super::pages::first_page;
use super::replay::{Replaced, Replay};
use super::spoil::pick;
use super::world::{Addresses, World};
use mneme_model::soft::{CLASSES, Page, Replace};
use mneme_slowpath::FastPath;

/// Writes a register of both.
pub fn write<B: FastPath>(board: &mut B, replay: &mut Replay, register: Register, value: u32) {
    board.write_register(register, value);
    replay.model.write_register(register, value);
}

/// One row of the match-action table.
struct Row {
    ethertype: u16,
    protocol: u8,
    opcode: u8,
    opcode_mask: u8,
    action: MatAction,
    /// What the UDP port is more than the board's own, bit by bit.
    port: u16,
}

impl Row {
    const fn mneme(opcode: u8, opcode_mask: u8, action: MatAction) -> Row {
        Row { ethertype: 0x0800, protocol: 17, opcode, opcode_mask, action, port: 0 }
    }
    const fn other(ethertype: u16, protocol: u8) -> Row {
        Row { ethertype, protocol, opcode: 0, opcode_mask: 0, action: MatAction::Slow, port: 0 }
    }
}

/// The row of offloads, the first one for Mneme.
const OFFLOADS: usize = 3;

/// The rows of this run: offloads are dropped, 0x30 to 0x3f miss or reach the fast path. Among the first there is one of another UDP port,
/// by a bit: a board that does not compare it drops everything.
fn rows(rng: &mut ChaCha8Rng) -> Vec<Row> {
    let mut rows = vec![
        Row::other(0x0806, 0),
        Row::other(0x0800, 1),
        Row { port: 1 << rng.random_range(0..16), ..Row::mneme(0, 0, MatAction::Drop) },
    ];
    rows.rotate_left(rng.random_range(0..OFFLOADS));
    rows.extend([
        Row::mneme(Opcode::Offload.number(), 0xff, MatAction::Drop),
        Row::mneme(0x00, 0xf0, MatAction::Fast),
        Row::mneme(0x10, 0xf0, MatAction::Slow),
        Row::mneme(0x20, 0xf0, MatAction::Slow),
    ]);
    if rng.random_bool(0.5) {
        rows.push(Row::mneme(0x40, 0xc0, MatAction::Fast));
    }
    if rng.random_ratio(1, 16) {
        // Some of the fast path's own opcodes go to the slow one, whose ring may be full.
        rows[OFFLOADS] = Row::mneme(rng.random_range(0..6), 0xff, MatAction::Slow);
    }
    rows
}

/// Registers and what to write to them, in this order.
pub type Writes = Vec<(Register, u32)>;

fn mat_row(number: usize, row: &Row, udp_port: u16) -> Writes {
    let value0 = u32::from(row.ethertype) << 16 | u32::from(row.protocol) << 8 | u32::from(row.opcode);
    let port = if row.protocol == 17 { (udp_port ^ row.port).into() } else { 0 };
    let commit = 1 << 16 | u32::from(row.action.number()) << 8 | number as u32;
    vec![
        (Register::MatValue0, value0),
        (Register::MatValue1, port),
        (Register::MatMask0, 0xffff_ff00 | u32::from(row.opcode_mask)),
        (Register::MatMask1, 0xffff),
        (Register::MatCommit, commit),
    ]
}

/// The whole match-action table.
pub fn mat_table(udp_port: u16, rng: &mut ChaCha8Rng) -> Writes {
    let rows = rows(rng);
    let written = rows.iter().enumerate().flat_map(|(number, row)| mat_row(number, row, udp_port));
    // The others match nothing.
    let empty = (rows.len()..MAT_ROWS).map(|number| (Register::MatCommit, number as u32));
    written.chain(empty).collect()
}

/// Another row in front of those for Mneme's opcodes: some of these go elsewhere.
pub fn other_mat_row(udp_port: u16, rng: &mut ChaCha8Rng) -> Writes {
    let action = *pick(rng, &[MatAction::Drop, MatAction::Slow, MatAction::Fast]);
    let (opcode, mask) = *pick(rng, &[(0x00, 0xf0), (0x00, 0xfe), (0x02, 0xff), (0x10, 0xf0), (0x00, 0x80)]);
    mat_row(OFFLOADS, &Row::mneme(opcode, mask, action), udp_port)
}

/// One away row.
pub fn away_row(row: u32, rng: &mut ChaCha8Rng) -> Writes {
    let status = *pick(rng, &[Status::Busy, Status::Moved, Status::MemoryError]);
    // The cause within `va`: none that a board finds by itself.
    let high = rng.random::<u32>() | 0x8000;
    vec![
        (Register::AwayVaLow, rng.random()),
        (Register::AwayVaHigh, high),
        (Register::AwayCommit, u32::from(status.number()) << 8 | row),
    ]
}

/// All away rows.
pub fn away_table(rng: &mut ChaCha8Rng) -> Writes {
    (0..AWAY_ROWS as u32).flat_map(|row| away_row(row, rng)).collect()
}

/// Rates of the service classes: none, or half of the classes have a bound, some of them one that is soon used up.
pub fn class_rates(rated: bool, rng: &mut ChaCha8Rng) -> Writes {
    let bounded = if rated { 0.5 } else { 0.0 };
    let mut writes = Writes::new();
    for class in 0..CLASSES as u32 {
        let bounded = rng.random_bool(bounded);
        let mut rate = || if bounded && rng.random_bool(0.7) { 1u32 << rng.random_range(4..15) } else { 0 };
        let (operations, lines) = (rate(), rate());
        let burst: u32 = rng.random_range(0..16);
        writes.push((Register::ClassRate, lines << 16 | operations));
        writes.push((Register::ClassCommit, burst << 8 | class));
    }
    writes
}

/// Where the board is reached.
pub fn addresses(of: Addresses) -> Writes {
    let [a, b, c, d, e, f] = of.mac;
    vec![
        (Register::MacLow, u32::from_be_bytes([c, d, e, f])),
        (Register::MacHigh, u32::from_be_bytes([0, 0, a, b])),
        (Register::Ip, u32::from_be_bytes(of.ip)),
        (Register::UdpPort, of.port.into()),
    ]
}

/// Writes registers of both.
pub fn write_all<B: FastPath>(board: &mut B, replay: &mut Replay, writes: &Writes) {
    for (register, value) in writes {
        write(board, replay, *register, *value);
    }
}

/// Boots both, as a slow path does: the table's pages are zeroed first, frames are accepted last.
pub fn boot<B: FastPath>(
    board: &mut B,
    replay: &mut Replay,
    world: &World,
    rng: &mut ChaCha8Rng,
) -> Result<(), Mismatch> {
    for ppn in 0..first_page(&world.shape, &world.geometry) as u32 {
        wait_for_zero_space(board)?;
        push_zero(board, replay, ppn | ZERO_ONLY, ppn | ZERO_ONLY);
    }
    for _ in 0..1_000_000 {
        if board.read_register(Register::ZeroPending) == 0 {
            break;
        }
    }
    if board.read_register(Register::ZeroPending) != 0 {
        return Err(Mismatch::new("the table's pages are never zeroed".into()));
    }
    let tables = [
        mat_table(world.board.port, rng),
        away_table(rng),
        class_rates(world.rated, rng),
        addresses(world.board),
    ];
    for writes in tables {
        write_all(board, replay, &writes);
    }
    write(board, replay, Register::Epoch, world.epoch.into());
    write(board, replay, Register::Window, world.window);
    write(board, replay, Register::BusyHint, rng.random());
    write_trailers(board, replay, world);
    set_control(board, replay, true, false);
    Ok(())
}

/// Keys, and who needs a tag; boards without trailers have no such registers.
pub fn write_trailers<B: FastPath>(board: &mut B, replay: &mut Replay, world: &World) {
    if !world.shape.trailers {
        return;
    }
    let words = world.seals.keys.iter().flat_map(BoardKey::to_words);
    for (register, word) in Register::TAG_KEYS.into_iter().zip(words) {
        write(board, replay, register, word);
    }
    write(board, replay, Register::TagPhases, world.phases.into());
    write(board, replay, Register::TagMode, world.tag_mode.number().into());
}

fn wait_for_zero_space<B: FastPath>(board: &mut B) -> Result<(), Mismatch> {
    for _ in 0..1_000_000 {
        if board.read_register(Register::ZeroSpace) > 0 {
            return Ok(());
        }
    }
    Err(Mismatch::new("the zeroing queue never has room".into()))
}

/// Gives both a page to zero; the model has it at once.
pub fn push_zero<B: FastPath>(board: &mut B, replay: &mut Replay, board_page: u32, model_page: u32) {
    board.write_register(Register::ZeroPush, board_page);
    push_model_zero(replay, model_page);
}

/// Gives the model its page alone: the board has got the other one.
pub fn push_model_zero(replay: &mut Replay, page: u32) {
    replay.model.write_register(Register::ZeroPush, page);
    replay.model.zero_next();
}

/// Writes CONTROL. The board must be quiet.
pub fn set_control<B: FastPath>(board: &mut B, replay: &mut Replay, enable: bool, exhausted: bool) {
    let enable = if enable { CONTROL_ENABLE } else { 0 };
    let exhausted = if exhausted { CONTROL_EXHAUSTED } else { 0 };
    write(board, replay, Register::Control, enable | exhausted);
    replay.was_exhausted |= exhausted != 0;
}

/// Writes a command into the registers of both; `REPLACE_GO` is written to the board alone.
pub fn start_replace<B: FastPath>(board: &mut B, replay: &mut Replay, command: &Replace) {
    for (register, value) in words(command) {
        write(board, replay, register, value);
    }
    replay.start_replace(command.page);
    board.write_register(Register::ReplaceGo, 1);
}

/// The same with a physical page in the new entry: the board's, and the model's.
pub fn start_bringing_in<B: FastPath>(
    board: &mut B,
    replay: &mut Replay,
    command: &Replace,
    (board_page, model_page): (u32, u32),
) {
    let with = |ppn: u32| Replace { new: command.new | u64::from(ppn), ..*command };
    for (register, value) in words(&with(model_page)) {
        replay.model.write_register(register, value);
    }
    for (register, value) in words(&with(board_page)) {
        board.write_register(register, value);
    }
    replay.start_replace(command.page);
    board.write_register(Register::ReplaceGo, 1);
}

/// What registers are written before a command's `REPLACE_GO`.
pub fn words(command: &Replace) -> [(Register, u32); 10] {
    use Register as R;
    let words = [
        (R::ReplacePid, u64::from(command.page.pid.get())),
        (R::ReplaceVpn, command.page.vpn),
        (R::ReplaceCompareLow, command.compare),
        (R::ReplaceCompareHigh, command.compare >> 32),
        (R::ReplaceExpectedLow, command.expected),
        (R::ReplaceExpectedHigh, command.expected >> 32),
        (R::ReplaceWriteLow, command.write),
        (R::ReplaceWriteHigh, command.write >> 32),
        (R::ReplaceNewLow, command.new),
        (R::ReplaceNewHigh, command.new >> 32),
    ];
    words.map(|(register, value)| (register, value as u32))
}

/// How the board's command ended, if it has.
pub fn replace_result<B: FastPath>(board: &mut B) -> Option<Replaced> {
    let status = ReplaceStatus::from_number(board.read_register(Register::ReplaceStatus) as u8)?;
    if matches!(status, ReplaceStatus::Running | ReplaceStatus::Idle) {
        return None;
    }
    let low = u64::from(board.read_register(Register::ReplaceOldLow));
    let high = u64::from(board.read_register(Register::ReplaceOldHigh));
    Some(Replaced { status, old: high << 32 | low })
}

/// Bits that a slow path sets when it allocates or protects a page.
const RIGHTS: u64 = pte::READ | pte::WRITE;

/// A command as the slow path gives it: allocate, free, protect, hold, send away. The conditions that it sets hold
/// whatever requests are under way.
pub fn random_command(page: Page, mapped: bool, rng: &mut ChaCha8Rng) -> Replace {
    let rights = *pick(rng, &[RIGHTS, RIGHTS, RIGHTS, RIGHTS, RIGHTS, pte::READ, pte::WRITE, 0]);
    let allocate =
        Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new: pte::ALLOCATED | rights };
    let free = Replace { page, compare: pte::ALLOCATED, expected: pte::ALLOCATED, write: u64::MAX, new: 0 };
    let change = |write: u64, new: u64| Replace { write, new, ..free };
    let state = |state: PageState| change(pte::STATE_MASK, u64::from(state.number()) << pte::STATE_SHIFT);
    match rng.random_range(0..100) {
        // Now and then the slow path is wrong about the page.
        0..4 => *pick(rng, &[allocate, free]),
        4..20 if !mapped => Replace { new: allocate.new | away(rng), ..allocate },
        20..90 if !mapped => allocate,
        4..28 => free,
        28..50 => change(RIGHTS, rights),
        50..58 => state(PageState::Hold),
        58..83 => state(PageState::Open),
        // Only a page without a physical one: the page number of an entry that is away is a row.
        83..90 => Replace {
            compare: pte::ALLOCATED | pte::VALID,
            ..change(pte::STATE_MASK | (AWAY_ROWS as u64 - 1), away(rng))
        },
        90..95 => state(PageState::Split),
        _ => change(RIGHTS | pte::STATE_MASK, rights),
    }
}

/// A command that changes an entry's rights alone, unless it allocates or frees the page.
pub fn of_rights(command: Replace) -> Replace {
    let whole = command.write & pte::ALLOCATED != 0;
    Replace { write: if whole { command.write } else { command.write & RIGHTS }, ..command }
}

/// A command on a page whose contents must stay: rights and states come and go, mostly back to what lets everything pass.
pub fn harmless_command(page: Page, rng: &mut ChaCha8Rng) -> Replace {
    let open = (RIGHTS, PageState::Open);
    let (rights, state) =
        *pick(rng, &[open, open, open, (pte::READ, PageState::Open), (RIGHTS, PageState::Hold)]);
    Replace {
        page,
        compare: pte::ALLOCATED,
        expected: pte::ALLOCATED,
        write: RIGHTS | pte::STATE_MASK,
        new: rights | u64::from(state.number()) << pte::STATE_SHIFT,
    }
}

/// State and page number of an entry that is away.
fn away(rng: &mut ChaCha8Rng) -> u64 {
    u64::from(PageState::Away.number()) << pte::STATE_SHIFT | rng.random_range(0..AWAY_ROWS as u64)
}

/// A command with conditions and changes at random, for a quiet board. Physical pages stay where they are.
pub fn wild_command(page: Page, ppn_mask: u64, rng: &mut ChaCha8Rng) -> Replace {
    let kept = ppn_mask | pte::VALID;
    Replace {
        page,
        compare: rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>() & !ppn_mask & !pte::PARITY,
        expected: rng.random(),
        write: rng.random::<u64>() & !kept & !pte::STATE_MASK,
        new: rng.random(),
    }
}

/// An entry of the page's bucket with one bit flipped, in both tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    address: u64,
    bit: u32,
}

impl Damage {
    /// A random bit of a random entry of a page's bucket.
    pub fn random(world: &World, page: Page, rng: &mut ChaCha8Rng) -> Damage {
        let bucket = world.geometry.bucket(page.pid.get(), page.vpn) * BUCKET_BYTES;
        let slot = rng.random_range(0..BUCKET_ENTRIES as u64);
        Damage { address: bucket + 8 * slot, bit: rng.random_range(0..64) }
    }
    /// Whether another damage hits the same entry.
    pub fn same_entry(&self, other: &Damage) -> bool {
        self.address == other.address
    }
    /// A word of the table as it would be without this damage.
    pub fn mended(&self, address: u64, word: u64) -> u64 {
        if self.address == address { word ^ 1 << self.bit } else { word }
    }
    /// The page whose entry it hits, if one lies there.
    pub fn victim(&self, replay: &Replay) -> Option<Page> {
        let entry = replay.model.memory.word(self.address);
        let geometry = &replay.model.geometry;
        let (pid, vpn) = geometry.page_of(self.address / BUCKET_BYTES, geometry.entry_tag(entry));
        (entry & pte::ALLOCATED != 0).then(|| Page { pid: mneme_wire::Pid::from_low_bits(pid), vpn })
    }
    /// Flips the bit in both tables.
    pub fn flip<B: FastPath>(&self, board: &mut B, replay: &mut Replay) {
        let mut bytes = [0; 8];
        board.read_memory(self.address, &mut bytes);
        let damaged = u64::from_le_bytes(bytes) ^ 1 << self.bit;
        board.write_memory(self.address, &damaged.to_le_bytes());
        let damaged = replay.model.memory.word(self.address) ^ 1 << self.bit;
        replay.model.memory.set_word(self.address, damaged);
    }
}
