//! Shares of the free pages (docs/reference/classes.md): how many of those in the async buffer are kept for first touches of each group, as the
//! hardware counts them, but at once.
use mneme_wire::register::SHARE_GROUPS;

/// Pages of the async buffer that are kept for each group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageShares {
    wanted: [usize; SHARE_GROUPS],
    kept: [usize; SHARE_GROUPS],
    /// The group that is the next to get a page.
    turn: usize,
}

impl PageShares {
    /// New shares are in force, 8 bits for each group; `level`: pages in the buffer.
    pub fn begin(&mut self, word: u32, level: usize, exhausted: bool) {
        self.wanted = word.to_le_bytes().map(usize::from);
        self.kept = Default::default();
        self.keep(level, exhausted);
    }
    /// Whether a group may take one of the pages.
    pub fn may_take(&mut self, group: usize, level: usize, exhausted: bool) -> bool {
        self.keep(level, exhausted);
        self.kept[group] > 0 || self.spare(level) > 0
    }
    /// A group has taken a page; `level` were in the buffer before.
    pub fn taken(&mut self, group: usize, level: usize) {
        if self.spare(level) == 0 {
            self.kept[group] = self.kept[group].saturating_sub(1);
        }
    }
    /// Pages for anybody. As in the hardware there are none while a group has less than its number.
    fn spare(&self, level: usize) -> usize {
        level.saturating_sub(self.kept.iter().sum())
    }
    /// Gives groups that have less than their number what is for anybody, in turn. When memory is full nothing is kept.
    fn keep(&mut self, level: usize, exhausted: bool) {
        if exhausted {
            self.kept = Default::default();
            return;
        }
        for _ in 0..self.spare(level) {
            let lacks = |group: &usize| self.kept[*group] < self.wanted[*group];
            let next = (0..SHARE_GROUPS).map(|step| (self.turn + step) % SHARE_GROUPS).find(lacks);
            let Some(next) = next else { return };
            self.kept[next] += 1;
            self.turn = (next + 1) % SHARE_GROUPS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes for the group while it may; how many of the pages it got.
    fn drain(shares: &mut PageShares, group: usize, level: &mut usize) -> usize {
        let before = *level;
        while *level > 0 && shares.may_take(group, *level, false) {
            shares.taken(group, *level);
            *level -= 1;
        }
        before - *level
    }

    #[test]
    fn what_is_kept_for_a_group_nobody_else_takes() {
        let (mut shares, mut level) = (PageShares::default(), 10);
        shares.begin(0x0002_0300, level, false);
        assert_eq!(drain(&mut shares, 0, &mut level), 5);
        assert_eq!(drain(&mut shares, 3, &mut level), 0);
        assert_eq!(drain(&mut shares, 1, &mut level), 3);
        assert_eq!(drain(&mut shares, 2, &mut level), 2);
        // What comes goes to groups that lack some, in turn.
        level = 2;
        assert_eq!(drain(&mut shares, 0, &mut level), 0);
        assert_eq!([1, 2].map(|group| drain(&mut shares, group, &mut level)), [1, 1]);
    }

    #[test]
    fn a_full_memory_keeps_nothing() {
        let mut shares = PageShares::default();
        shares.begin(0xff00, 4, false);
        assert!(!shares.may_take(0, 4, false));
        assert!(shares.may_take(0, 4, true));
    }

    #[test]
    fn without_shares_pages_are_for_whoever_comes() {
        let (mut shares, mut level) = (PageShares::default(), 3);
        shares.begin(0, level, false);
        assert_eq!(drain(&mut shares, 2, &mut level), 3);
    }
}
