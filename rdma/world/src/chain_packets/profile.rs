//! Profiles of random layouts.
use mneme_rdma::codec::PathMtu;
use mneme_rdma::codec::profile::{Chain, Field, PAGE, Profile};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Lists that are drawn, at most.
const DRAWS: usize = 1000;

/// A list of arguments, in any order and with any gaps, that hardware takes at this path MTU; `None`: none was drawn.
pub fn draw_profile(rng: &mut ChaCha8Rng, chain: Chain, path_mtu: PathMtu) -> Option<Profile> {
    (0..DRAWS).map(|_| draw(rng, chain, path_mtu)).find(|profile| profile.suits(path_mtu))
}

fn draw(rng: &mut ChaCha8Rng, chain: Chain, path_mtu: PathMtu) -> Profile {
    let needed: &[Field] = match chain {
        Chain::Load => &[Field::TtAddr, Field::Buffer, Field::Rkey],
        Chain::Invalidate => &[Field::TtAddr],
        _ => &[Field::TtAddr, Field::Signal, Field::Magic, Field::Rkey],
    };
    let all = [Field::TtAddr, Field::Buffer, Field::Signal, Field::Magic, Field::Rkey, Field::Key];
    let mut list: Vec<(u16, Field)> = all
        .into_iter()
        .filter(|field| needed.contains(field) || rng.random_bool(0.6))
        .map(|field| (field.bytes().unwrap_or(0), field))
        .collect();
    for _ in 0..rng.random_range(0..4) {
        list.push((rng.random_range(1..=60), Field::Skip));
    }
    list.shuffle(rng);
    if chain.stores() {
        if rng.random_bool(0.2) {
            list.push((rng.random_range(1..=300), Field::Skip));
        }
        list.push((PAGE as u16, Field::Page));
    } else if rng.random_bool(0.1) {
        // A message of exactly one packet.
        let bytes: u16 = list.iter().map(|pair| pair.0).sum();
        let rest = (path_mtu.bytes() as u16).saturating_sub(bytes);
        list.extend((rest > 0).then_some((rest, Field::Skip)));
    }
    Profile::new(chain, &list).expect("a legal profile")
}
