//! Shares of groups of service classes (docs/reference/classes.md): told in counts, written as the masks of the fast path.
use crate::fast_path::FastPath;
use mneme_auth::TenantList;
use mneme_wire::Register;
use mneme_wire::register::{BUILD_WAITING_LISTS, SHARE_GROUPS};
use std::fmt::Write;

/// Share groups.
pub const GROUPS: usize = SHARE_GROUPS;
/// Parts of the miss entries that are given to groups.
const EIGHTHS: u32 = 8;

/// TLB ways that a group's mask has bits for.
const WAYS: u32 = 8;

/// What a group has for itself. Group 0 has those TLB ways and miss entries that the others leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupShare {
    /// Ways of each set of the TLB; 0: it has none of its own, and takes those of group 0.
    pub ways: u8,
    /// Eighths of the miss entries; 0: those of group 0.
    pub misses: u8,
    /// Requests that may wait for a miss entry; 0: any number.
    pub waiting: u8,
    /// Free pages that are kept for first touches.
    pub pages: u8,
}

/// What a fast path has to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    ways: u32,
    misses: u32,
    lists: bool,
    pages: u32,
}

impl Shape {
    fn of<F: FastPath + ?Sized>(fp: &mut F) -> Shape {
        Shape {
            ways: fp.read_register(Register::TlbWays),
            misses: fp.read_register(Register::Misses),
            lists: fp.read_register(Register::BuildFlags) & BUILD_WAITING_LISTS != 0,
            pages: fp.read_register(Register::AsyncDepth),
        }
    }
    /// Whether misses can be shared.
    fn has_misses(&self) -> bool {
        self.lists && self.misses > 0
    }
    /// Miss entries in these eighths.
    fn entries(&self, eighths: u32) -> u32 {
        (0..self.misses).filter(|entry| eighths >> (entry * EIGHTHS / self.misses) & 1 != 0).count() as u32
    }
}

/// Masks of `count[g]` bits for each group, disjoint, from the lowest bit up; what is left of `all` bits is group 0's and that of
/// groups that ask for none. 0 where nobody asks.
fn masks(counts: [u8; GROUPS], all: u32) -> [u32; GROUPS] {
    let mut next = 0;
    let mut masks = counts.map(|count| {
        let mask = ((1 << count) - 1) << next;
        next += u32::from(count);
        mask
    });
    let rest = if next == 0 { 0 } else { ((1 << all) - 1) & !((1 << next) - 1) };
    for mask in &mut masks {
        *mask = if *mask == 0 { rest } else { *mask };
    }
    masks
}

fn word(bytes: [u32; GROUPS]) -> u32 {
    u32::from_le_bytes(bytes.map(|byte| byte as u8))
}

/// Why a board cannot have these shares.
fn check(shares: &[GroupShare; GROUPS], shape: &Shape) -> Result<(), String> {
    let total = |of: fn(&GroupShare) -> u8| shares.iter().map(|share| u32::from(of(share))).sum::<u32>();
    let (ways, misses, pages) = (total(|s| s.ways), total(|s| s.misses), total(|s| s.pages));
    if shares.iter().any(|share| u32::from(share.ways) > WAYS) {
        return Err(format!("a group would have more than the {WAYS} TLB ways that registers can tell"));
    }
    if shares[0].ways != 0 || shares[0].misses != 0 {
        return Err(
            "group 0 has the TLB ways and miss entries that the others leave: name 0 of either".to_owned()
        );
    }
    if shape.ways > 0 && ways >= shape.ways {
        return Err(format!(
            "groups would have {ways} TLB ways of {}: one at least is group 0's",
            shape.ways
        ));
    }
    if misses >= EIGHTHS {
        return Err(format!(
            "groups would have {misses} eighths of the miss entries: one at least is group 0's"
        ));
    }
    let none = masks(shares.map(|share| share.misses), EIGHTHS).into_iter();
    if shape.has_misses() && misses > 0 && none.into_iter().any(|mask| shape.entries(mask) == 0) {
        return Err(format!(
            "a group would have none of the {} miss entries: {misses} eighths cannot be told apart so",
            shape.misses
        ));
    }
    if shape.pages > 0 && pages > shape.pages / 2 {
        return Err(format!(
            "{pages} free pages would be kept for groups: {} at most, half of the {} that are ready at a time",
            shape.pages / 2,
            shape.pages
        ));
    }
    Ok(())
}

/// Looks whether the fast path can have these shares; the answer says in words why not.
pub(crate) fn check_on<F: FastPath + ?Sized>(
    shares: &[GroupShare; GROUPS],
    fp: &mut F,
) -> Result<(), String> {
    check(shares, &Shape::of(fp))
}

/// Gives the fast path the shares of all groups, and the groups of all classes.
pub(crate) fn write<F: FastPath + ?Sized>(shares: &[GroupShare; GROUPS], groups: u32, fp: &mut F) {
    let bytes = |of: fn(&GroupShare) -> u8| shares.map(|share| u32::from(of(&share)));
    let ways = masks(shares.map(|share| share.ways), fp.read_register(Register::TlbWays).min(WAYS));
    fp.write_register(Register::ShareWays, word(ways));
    fp.write_register(Register::ShareMisses, word(masks(shares.map(|share| share.misses), EIGHTHS)));
    fp.write_register(Register::ShareWaiting, word(bytes(|share| share.waiting)));
    fp.write_register(Register::SharePages, word(bytes(|share| share.pages)));
    regroup(groups, fp);
}

/// Gives classes other groups. In force as soon as nothing waits that came before; nobody waits for that.
pub(crate) fn regroup<F: FastPath + ?Sized>(groups: u32, fp: &mut F) {
    fp.write_register(Register::ShareGroups, groups);
    fp.write_register(Register::ShareCommit, 1);
}

/// The group of each service class, two bits each, as the tenants' lines say.
pub(crate) fn of_tenants(tenants: &TenantList) -> u32 {
    tenants
        .all()
        .into_iter()
        .fold(0, |word, tenant| word | u32::from(tenant.group.get()) << (2 * tenant.class.get()))
}

/// What a board's groups have, in words, a line for each that has something.
pub fn told<F: FastPath + ?Sized>(shares: &[GroupShare; GROUPS], fp: &mut F) -> Vec<String> {
    let shape = Shape::of(fp);
    let misses = masks(shares.map(|share| share.misses), EIGHTHS);
    let mut lines = Vec::new();
    for (group, share) in shares.iter().enumerate().filter(|(_, share)| **share != GroupShare::default()) {
        let mut line = format!("share group {group}:");
        let mut missing = Vec::new();
        if share.ways > 0 && shape.ways > 0 {
            let _ = write!(line, " {} of {} TLB ways,", share.ways, shape.ways);
        }
        if share.misses > 0 && shape.has_misses() {
            let _ = write!(line, " {} of {} miss entries,", shape.entries(misses[group]), shape.misses);
        }
        if share.waiting > 0 && shape.has_misses() {
            let _ = write!(line, " {} requests that may wait for one,", share.waiting);
        }
        let _ = write!(line, " {} free pages", share.pages);
        if share.ways > 0 && shape.ways == 0 {
            missing.push("TLB ways");
        }
        if (share.misses > 0 || share.waiting > 0) && !shape.has_misses() {
            missing.push("miss entries");
        }
        if !missing.is_empty() {
            let _ = write!(line, "; this board has no {} to share", missing.join(" and "));
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARDWARE: Shape = Shape { ways: 4, misses: 8, lists: true, pages: 64 };

    fn share(ways: u8, misses: u8, waiting: u8, pages: u8) -> GroupShare {
        GroupShare { ways, misses, waiting, pages }
    }

    #[test]
    fn masks_are_disjoint_and_what_is_left_is_group_0s() {
        assert_eq!(masks([0, 2, 0, 1], 4), [0b1000, 0b0011, 0b1000, 0b0100]);
        assert_eq!(masks([0; GROUPS], 4), [0; GROUPS], "nobody has a share");
        // As the example of docs/reference/classes.md.
        assert_eq!(word(masks([0, 2, 0, 0], 4)) & 0xffff, 0x030c);
        assert_eq!(word(masks([0, 4, 0, 0], 8)) & 0xffff, 0x0ff0);
    }

    #[test]
    fn what_a_board_cannot_have_is_refused_in_words() {
        let none = GroupShare::default();
        let refused = |shares: [GroupShare; GROUPS], words: &str| {
            let said = check(&shares, &HARDWARE).expect_err(words);
            assert!(said.contains(words), "{said}");
        };
        refused([share(1, 0, 0, 0), none, none, none], "group 0 has");
        refused([none, share(2, 0, 0, 0), share(2, 0, 0, 0), none], "4 TLB ways of 4");
        refused([none, share(0, 4, 0, 0), share(0, 4, 0, 0), none], "8 eighths");
        refused([share(0, 0, 0, 10), share(0, 0, 0, 23), none, none], "33 free pages");
        let none_known = Shape { ways: 0, ..HARDWARE };
        assert!(check(&[none, share(255, 0, 0, 0), none, none], &none_known).is_err());
        let two = Shape { misses: 2, ..HARDWARE };
        assert!(check(&[none, share(0, 4, 0, 0), none, none], &two).is_ok());
        assert!(check(&[none, share(0, 5, 0, 0), none, none], &two).is_err());
        assert!(check(&[share(0, 0, 16, 8), share(2, 4, 0, 24), none, none], &HARDWARE).is_ok());
        assert!(check(&[none; GROUPS], &HARDWARE).is_ok());
    }
}
