//! The ids of attempts and the names of operations: each is given once, for as long as anybody may remember it.
use super::Token;

/// An id that this many operations or fewer ago was ours names a late answer, not a stranger's.
const RECENT: u32 = 1 << 16;

#[derive(Debug)]
pub(super) struct Ids {
    first: u32,
    next: u32,
    tokens: u64,
}

impl Ids {
    pub(super) fn new(first: u32) -> Ids {
        Ids { first, next: first, tokens: 0 }
    }
    /// An id for an operation that begins, or begins anew.
    #[inline]
    pub(super) fn fresh(&mut self) -> u32 {
        let id = self.next;
        self.next = id.wrapping_add(1);
        id
    }
    /// A name for an operation.
    #[inline]
    pub(super) fn token(&mut self) -> Token {
        let token = Token(self.tokens);
        self.tokens += 1;
        token
    }
    /// Whether an id was given lately.
    pub(super) fn is_recent(&self, id: u32) -> bool {
        let given = self.next.wrapping_sub(self.first);
        self.next.wrapping_sub(id).wrapping_sub(1) < RECENT.min(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_given_lately_is_recent() {
        let mut ids = Ids::new(u32::MAX - 1);
        assert!(!ids.is_recent(u32::MAX - 1), "not given yet");
        assert_eq!([ids.fresh(), ids.fresh(), ids.fresh()], [u32::MAX - 1, u32::MAX, 0]);
        assert!([u32::MAX - 1, u32::MAX, 0].into_iter().all(|id| ids.is_recent(id)));
        assert!(!ids.is_recent(1) && !ids.is_recent(u32::MAX - 2));
        (0..RECENT).for_each(|_| {
            ids.fresh();
        });
        assert!(!ids.is_recent(0) && ids.is_recent(1));
        assert_eq!((ids.token(), ids.token()), (Token(0), Token(1)));
    }
}
