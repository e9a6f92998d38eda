//! How long requests were on the board, as their answers told.
use std::time::Duration;

/// A cycle of the board's clock of 250 MHz (contracts §5).
const CYCLE: Duration = Duration::from_nanos(4);

/// Times of packets on the board: from a request's last beat at the board's port to its answer's first, network apart. What an
/// answer told counts modulo 2^24 cycles (67 ms), longer than a board that can send keeps any request.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client, process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::BoardTimes;
///
/// let (old, times) = client.timed(|| process.fetch_add(va, 1));
/// println!("it was {}, and took {:?} on the board", old?, BoardTimes::span(times.cycles));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BoardTimes {
    /// Packets whose answers told.
    pub packets: u64,
    /// Cycles of all of them together.
    pub cycles: u64,
    /// Of the one that took least; 0 when there is none.
    pub shortest: u32,
    /// Of the one that took most.
    pub longest: u32,
}

impl BoardTimes {
    /// Cycles as time, if the board's clock has its 250 MHz. A simulated board's cycles are as many, and last longer.
    pub fn span(cycles: u64) -> Duration {
        Duration::from_nanos(cycles.saturating_mul(CYCLE.as_nanos() as u64))
    }
    pub(crate) fn add(&mut self, other: BoardTimes) {
        let shortest = if self.packets == 0 { other.shortest } else { self.shortest.min(other.shortest) };
        *self = BoardTimes {
            packets: self.packets + other.packets,
            cycles: self.cycles.saturating_add(other.cycles),
            shortest: if other.packets == 0 { self.shortest } else { shortest },
            longest: self.longest.max(other.longest),
        };
    }
    pub(super) fn told(&mut self, cycles: u32) {
        self.add(BoardTimes { packets: 1, cycles: cycles.into(), shortest: cycles, longest: cycles });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_and_the_longest_of_both_halves() {
        let mut times = BoardTimes::default();
        times.told(70);
        times.told(40);
        let mut other = BoardTimes::default();
        other.add(times);
        other.add(BoardTimes::default());
        assert_eq!(other, BoardTimes { packets: 2, cycles: 110, shortest: 40, longest: 70 });
        assert_eq!(BoardTimes::span(110), Duration::from_nanos(440));
    }
}
