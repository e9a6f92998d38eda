//! How much memory a board can have, and words for what it cannot.
use mneme_auth::Size;
use mneme_model::BoardShape;

/// Sizes of memory that a shape of board can have: all are powers of two.
fn memories(shape: BoardShape) -> impl Iterator<Item = u64> {
    (0..u64::BITS).map(|bits| 1 << bits).filter(move |bytes| shape.with_memory(*bytes).is_ok())
}

/// The least memory of which a board has pages left beside its page table.
pub fn least_memory(shape: BoardShape) -> u64 {
    shape.check().map_or(1, |geometry| (geometry.table_pages() + 1) * geometry.page_size())
}

/// Why no board has this memory, and what it can have instead.
pub fn other_memory(shape: BoardShape, bytes: u64) -> String {
    let all: Vec<u64> = memories(shape).collect();
    let wanted = format!("no board of {} bytes can be made", Size::exact(bytes));
    let (Some(least), Some(most)) = (all.first(), all.last()) else { return wanted };
    // The ones next to it, whose difference tells which is meant.
    let below = all.iter().rev().find(|size| **size < bytes);
    let above = all.iter().find(|size| **size > bytes);
    let near: Vec<String> = [below, above].into_iter().flatten().map(|size| Size::exact(*size)).collect();
    format!(
        "{wanted}: its memory is a power of two from {} to {}, such as {}",
        Size::exact(*least),
        Size::exact(*most),
        near.join(" or ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_about_memory_is_true() {
        for (bytes, words) in [
            (1 << 10, "from 16M to 16T, such as 16M"),
            (100 << 40, "from 16M to 16T, such as 16T"),
            (100 << 20, "such as 64M or 128M"),
            (0, "such as 16M"),
            (u64::MAX, "such as 16T"),
        ] {
            let said = other_memory(BoardShape::DAEMON, bytes);
            assert!(said.ends_with(words), "{bytes}: {said}");
        }
        for shape in BoardShape::ALL {
            for bytes in memories(shape) {
                assert!(shape.with_memory(bytes).is_ok(), "{} {bytes}", shape.name);
            }
            assert!(memories(shape).count() > 0, "{}", shape.name);
        }
    }
}
