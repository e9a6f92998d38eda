//! Shares of groups of service classes, as `mneme board --shares` names them.
use mneme_slowpath::{GROUPS, GroupShare};
use std::str::FromStr;

/// A group and what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareArg {
    group: usize,
    share: GroupShare,
}

impl FromStr for ShareArg {
    type Err = String;
    /// `1=2,4,0,8`: TLB ways, eighths of the miss entries, requests that may wait for one (0: any number), free pages.
    fn from_str(text: &str) -> Result<ShareArg, String> {
        let wrong = || {
            format!(
                "`{text}` is no share of a group such as 1=2,4,0,8: group, TLB ways, eighths of the miss entries, requests that may wait \
                 for one (0: any number), and free pages that are kept for it, each 0 to 255"
            )
        };
        let (group, share) = text.split_once('=').ok_or_else(wrong)?;
        let group: usize = group.trim().parse().map_err(|_| wrong())?;
        if group >= GROUPS {
            return Err(format!("there is no share group {group}: they are 0 to {}", GROUPS - 1));
        }
        let numbers: Result<Vec<u8>, _> = share.split(',').map(|word| word.trim().parse()).collect();
        let [ways, misses, waiting, pages] = numbers.map_err(|_| wrong())?[..] else { return Err(wrong()) };
        if ways > 8 || misses > 8 {
            return Err(format!("`{text}` asks for more than 8 TLB ways, or 8 eighths of the miss entries"));
        }
        Ok(ShareArg { group, share: GroupShare { ways, misses, waiting, pages } })
    }
}

/// Gives the groups that are named their shares.
pub fn apply(args: &[ShareArg], shares: &mut [GroupShare; GROUPS]) {
    for arg in args {
        shares[arg.group] = arg.share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_named_with_its_share() {
        let mut shares = [GroupShare::default(); GROUPS];
        let args = ["1=2,4,0,8", "0 = 0, 0, 16, 3"].map(|text| text.parse().expect("a share"));
        apply(&args, &mut shares);
        assert_eq!(shares[1], GroupShare { ways: 2, misses: 4, waiting: 0, pages: 8 });
        assert_eq!(shares[0], GroupShare { ways: 0, misses: 0, waiting: 16, pages: 3 });
        assert_eq!(shares[2], GroupShare::default());
    }

    #[test]
    fn what_is_no_share_is_refused_in_words() {
        for text in [
            "",
            "1",
            "1=",
            "1=2,4,0",
            "1=2,4,0,8,1",
            "x=1,1,1,1",
            "4=1,1,1,1",
            "1=1,1,1,256",
            "1=9,1,1,1",
            "1=-1,1,1,1",
        ] {
            let refused = text.parse::<ShareArg>().expect_err(text);
            assert!(refused.contains("share") || refused.contains("TLB ways"), "{text}: {refused}");
        }
    }
}
