//! Shares of the retry filter: what one process's class can take of it, whatever addresses its requests have.
use crate::bench::Bench;
use mneme_model::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::trailer::Means;
use mneme_wire::{Counter, Opcode, Pid, Request, TagMode};

/// Frames that enter in a row: no board drops any for want of room.
const IN_A_ROW: usize = 16;
/// Requests of the quiet class.
const FEW: usize = 16;

/// How many of so many WRITEs, each from an address of its own, the filter takes. Their page is nobody's, which it does not know.
fn taken<F: FastPath + NetworkPort>(bench: &mut Bench<F>, class: u32, count: usize, tagged: bool) -> usize {
    let counted = |bench: &mut Bench<F>| bench.node.fast().read_counter(Counter::FilterInsert);
    let (before, pid) = (counted(bench), Pid::from_low_bits(class << 20 | 77));
    let honest = bench.endpoints;
    let frames: Vec<_> = (0..count as u16)
        .map(|number| {
            let [high, low] = number.to_be_bytes();
            bench.endpoints.src_ip = [10, class as u8 + 1, high, low];
            let means = if tagged { bench.tag_of(pid, false) } else { Means::None };
            let write = Request { pid, ..bench.request(Opcode::Write) };
            (bench.endpoints, bench.datagram(&means, write, b"8 bytes."))
        })
        .collect();
    bench.endpoints = honest;
    frames.chunks(IN_A_ROW).for_each(|some| drop(bench.send_each(some)));
    (counted(bench) - before) as usize
}

/// A class that floods the filter is held to its share, and another one finds room. Without proofs it has every address's share.
pub fn classes<F: FastPath + NetworkPort>(board: impl Fn() -> F, entries: usize) {
    for flood in [0, 5] {
        let mut bench = Bench::new(board(), TagMode::All);
        let flooded = taken(&mut bench, flood, 2 * entries, true);
        assert!(
            (entries / 2..entries * 13 / 16).contains(&flooded),
            "class {flood} has {flooded} of {entries}"
        );
        let others = taken(&mut bench, 6, FEW, true);
        assert!(others >= FEW - 1, "class 6 beside {flood}: {others} of {FEW}");
        // 13 and 5 are of the same part.
        let alike = taken(&mut bench, 13, FEW, true);
        assert!(if flood == 5 { alike == 0 } else { alike >= FEW - 1 }, "class 13 beside {flood}: {alike}");
    }
    let mut bench = Bench::new(board(), TagMode::Slow);
    let flooded = taken(&mut bench, 5, 2 * entries, false);
    assert!(flooded > entries * 13 / 16, "{flooded} of {entries}");
    let others = taken(&mut bench, 6, FEW, false);
    assert!(others < FEW / 2, "class 6 is nobody that can be known: {others} of {FEW}");
}
