//! What a board asks of its clients: nothing on a network that is trusted, elsewhere the proof of a tenant and tags.
use crate::fault::Fault;
use crate::output::{say, warn};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use mneme_auth::{SecretKey, TenantList, TenantsFile, files};
use mneme_daemon::FileEpochs;
use mneme_slowpath::{Config, Secret};
use mneme_wire::TagMode;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Which requests need a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tags {
    /// None: whoever reaches the board may use it
    None,
    /// The slow path's: OPEN, ALLOC, FREE, PROTECT, EXIT
    Slow,
    /// All
    All,
}

impl From<Tags> for TagMode {
    fn from(tags: Tags) -> TagMode {
        match tags {
            Tags::None => TagMode::None,
            Tags::Slow => TagMode::Slow,
            Tags::All => TagMode::All,
        }
    }
}

/// Who may use a board.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tenants")]
pub struct TagArgs {
    /// Which requests need the tag of a tenant's process; default: all, but none on a loopback address without --tenants
    #[arg(long, value_enum, value_name = "WHICH")]
    tags: Option<Tags>,
    /// Ask for no tags on an address that others can reach: every machine on that network can use the board, in any tenant's name
    #[arg(long, conflicts_with = "tags")]
    trust_network: bool,
    /// The file of tenants, which `mneme tenant` changes; the board reads it again when it has changed. Default:
    /// ~/.config/mneme/tenants
    #[arg(long, value_name = "FILE", conflicts_with = "trust_network")]
    tenants: Option<PathBuf>,
    /// Seconds after which the keys of tags are rolled; clients fetch new ones by themselves. 0: never
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(0..=31_536_000))]
    key_period: u64,
}

/// What was decided.
pub struct Decided {
    mode: TagMode,
    /// The file of tenants, of a board that asks for tags.
    pub file: Option<TenantsFile>,
    tenants: TenantList,
}

impl TagArgs {
    /// Which requests need a tag at this address.
    fn mode(&self, listening: SocketAddr) -> TagMode {
        let asked = self.tags.map(TagMode::from);
        let open = self.trust_network || listening.ip().is_loopback() && self.tenants.is_none();
        asked.unwrap_or(if open { TagMode::None } else { TagMode::All })
    }
    /// Decides for a board at this address, whose fast path knows trailers or not.
    pub fn decide(&self, listening: SocketAddr, trailers: bool, name: &str) -> Result<Decided> {
        let mode = self.mode(listening);
        if mode == TagMode::None {
            if !listening.ip().is_loopback() {
                warn(&format!(
                    "{listening} is no loopback address and the board asks for no tags: whoever reaches it can use it, in anybody's name"
                ));
            }
            return Ok(Decided { mode, file: None, tenants: TenantList::default() });
        }
        if listening.ip().is_unspecified() {
            let why = format!(
                "tags cover the board's address, and one that listens on {listening} cannot tell which one a client means: listen on one \
                 address of this machine, or say --trust-network if all who reach it may use it"
            );
            return Err(anyhow!(why).context(Fault::Tags));
        }
        if !trailers {
            let why = format!(
                "the fast path of the {name} board has no trailers, so it cannot ask for tags: listen on a loopback address, such as \
                 127.0.0.1, or say --trust-network if all who reach {listening} may use it; software boards \
                 (--kind soft) have them, and the RTL's configuration tags (--kind rtl --config tags)"
            );
            return Err(anyhow!(why).context(Fault::Tags));
        }
        let path = self.tenants.clone().or_else(|| files::setting(files::TENANTS));
        let path = path
            .context("no home folder, so --tenants must name the file of tenants")
            .context(Fault::Keys)?;
        let file = TenantsFile::new(path);
        let tenants = file.load().context(Fault::Keys)?;
        Ok(Decided { mode, file: Some(file), tenants })
    }
}

impl Decided {
    /// Whether the board needs a key.
    pub fn needs_key(&self) -> bool {
        self.mode != TagMode::None
    }
    /// Tells the slow path, and the user.
    pub fn apply(&self, args: &TagArgs, key: SecretKey, config: &mut Config) {
        config.tag_mode = self.mode;
        config.secret = Secret::new(key.derive("tags"));
        config.key_period_ns = args.key_period.saturating_mul(1_000_000_000);
        config.board_key = Some(key);
        config.tenants = self.tenants.clone();
    }
    /// What is printed when the board serves.
    pub fn announce(&self, config: &Config) {
        let (Some(file), Some(key)) = (&self.file, &config.board_key) else { return };
        let which = if self.mode == TagMode::All { "all requests" } else { "the slow path's requests" };
        let count = self.tenants.len();
        let _ = say!(
            "board key {} for `mneme tenant pin` of clients; tags for {which}; {count} tenants in {}",
            key.public(),
            file.path().display()
        );
        if count == 0 {
            warn(&format!(
                "nobody may use this board yet: `mneme tenant keygen` makes a tenant's key, and `mneme tenant add NAME PUBLIC-KEY \
                 --tenants {}` lets him in, at once",
                file.path().display()
            ));
        }
    }
}

/// Where the key and the epochs of a board are kept that asks for tags, unless it is told.
pub fn state_file(listening: SocketAddr) -> Result<PathBuf> {
    let name = format!("board-{}-{}.json", listening.ip(), listening.port());
    let path =
        files::state(&name).context("no home folder, so --state must name the file with the board's key");
    let path = path.context(Fault::Keys)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    if let Err(error) = std::fs::create_dir_all(folder) {
        bail!("cannot make {}: {error}", folder.display());
    }
    Ok(path)
}

/// The key of a board: kept in its state file, or made of the seed that it was given.
pub fn board_key(
    state: Option<&mut FileEpochs>,
    seed: Option<u64>,
    randomness: [u8; 32],
) -> Result<SecretKey> {
    match (state, seed) {
        (Some(state), None) => Ok(state.key(rand::random()).context(Fault::Keys)?),
        _ => Ok(SecretKey::from_bytes(SecretKey::from_bytes(randomness).derive("board"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(tags: Option<Tags>, trust_network: bool, tenants: bool) -> TagArgs {
        TagArgs { tags, trust_network, tenants: tenants.then(|| "tenants".into()), key_period: 3600 }
    }

    #[test]
    fn the_easy_way_is_the_safe_one() {
        let (here, there) = ("127.0.0.1:1".parse().unwrap(), "10.0.0.9:1".parse().unwrap());
        for (tags, trusts, tenants, expected) in [
            (None, false, false, (TagMode::None, TagMode::All)),
            (None, false, true, (TagMode::All, TagMode::All)),
            (None, true, false, (TagMode::None, TagMode::None)),
            (Some(Tags::Slow), false, false, (TagMode::Slow, TagMode::Slow)),
            (Some(Tags::None), false, true, (TagMode::None, TagMode::None)),
        ] {
            let args = args(tags, trusts, tenants);
            assert_eq!((args.mode(here), args.mode(there)), expected, "{args:?}");
        }
        let any = "0.0.0.0:1".parse().unwrap();
        assert_eq!(args(None, false, false).mode(any), TagMode::All);
    }
}
