//! What goes on inside, on standard error: `MNEME_LOG` says how much.
use crate::output;
use anyhow::{Context, Result, bail};
use std::io::{IsTerminal, stderr};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// The variable.
pub const VARIABLE: &str = "MNEME_LOG";
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
/// What logs: this command and the crates under it.
const TARGETS: [&str; 13] = [
    "mneme",
    "mneme_auth",
    "mneme_clib",
    "mneme_daemon",
    "mneme_link",
    "mneme_model",
    "mneme_rdma",
    "mneme_rdma_manager",
    "mneme_rtl",
    "mneme_slowpath",
    "mneme_swap",
    "mneme_verbs",
    "mneme_wire",
];

/// Reads the variable and begins to log. Spans are told when they end, with the time that they took.
pub fn begin() -> Result<()> {
    let filter = match std::env::var(VARIABLE) {
        Ok(text) => filter(&text).with_context(|| format!("{VARIABLE} is `{text}`"))?,
        Err(std::env::VarError::NotPresent) => EnvFilter::new("warn"),
        Err(error) => return Err(error).context(VARIABLE),
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(output::styled(stderr().is_terminal()))
        .with_writer(stderr)
        .init();
    Ok(())
}

/// A filter of directives: `LEVEL`, `TARGET`, `TARGET=LEVEL`, `TARGET[SPAN]=LEVEL`. `EnvFilter` itself takes a word that is
/// no level for a target that nothing has.
fn filter(text: &str) -> Result<EnvFilter> {
    let directives: Vec<&str> = text.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
    if directives.is_empty() {
        bail!("it names no level: there are {}", LEVELS.join(", "));
    }
    directives.iter().try_for_each(|directive| check(directive))?;
    directives.join(",").parse().with_context(|| format!("`{text}` cannot be read"))
}

fn check(directive: &str) -> Result<()> {
    let known = |name: &str, all: &[&str]| all.contains(&name.to_ascii_lowercase().as_str());
    let all = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let (what, level) = match directive.rsplit_once('=') {
        Some((what, level)) if !level.contains([']', '}']) => (what, Some(level)),
        _ => (directive, None),
    };
    if let Some(level) = level.filter(|level| !known(level, &LEVELS)) {
        bail!("there is no level `{level}`{}", output::suggestion(level, all(&LEVELS)));
    }
    let target = what.split('[').next().unwrap_or_default();
    let root = target.split("::").next().unwrap_or_default();
    // A span alone is one of any target.
    if TARGETS.contains(&root) || target.is_empty() && what.starts_with('[') {
        return Ok(());
    }
    match level {
        None if known(what, &LEVELS) => Ok(()),
        None => {
            let names = [all(&LEVELS), all(&TARGETS)].concat();
            bail!("`{what}` is neither a level nor a part that logs{}", output::suggestion(root, names))
        }
        Some(_) => bail!("nothing logs as `{target}`{}", output::suggestion(root, all(&TARGETS))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_filtered_is_taken() {
        for text in [
            "off",
            "warn",
            "DEBUG",
            "mneme",
            "mneme_clib=trace",
            "mneme_clib::driver::udp=debug",
            "warn,mneme_clib=debug, mneme_link=off",
            "[cp]=debug",
            "mneme[cp]=debug",
            "mneme_clib[connect]",
            "mneme_slowpath[request{pid=1}]=debug",
        ] {
            filter(text).unwrap_or_else(|error| panic!("{text}: {error:#}"));
        }
    }

    #[test]
    fn what_is_misspelt_is_refused_in_words() {
        for (text, words) in [
            ("wran", "did you mean `warn`"),
            ("", "names no level"),
            (" , ", "names no level"),
            ("mneme=debgu", "no level `debgu`; did you mean `debug`"),
            ("warn,mneme_clbi=debug", "did you mean `mneme_clib`"),
            ("mneme_clbi", "did you mean `mneme_clib`"),
            ("hyper=debug", "nothing logs as `hyper`; there are mneme"),
            ("loud", "neither a level nor a part that logs"),
            ("mneme=", "no level ``"),
            ("=debug", "nothing logs as ``"),
            ("mneme[cp=debug", "cannot be read"),
        ] {
            let error = format!("{:#}", filter(text).expect_err(text));
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    /// Parts that this command is built of and that log must be known to it.
    #[test]
    fn every_crate_under_the_command_is_known() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let manifest: toml::Table =
            std::fs::read_to_string(manifest).expect("the manifest").parse().expect("a table");
        let under = manifest["dependencies"].as_table().expect("dependencies").keys();
        let ours: Vec<String> =
            under.filter(|name| name.starts_with("mneme")).map(|name| name.replace('-', "_")).collect();
        assert!(ours.len() >= 4, "{ours:?}");
        ours.iter().for_each(|name| assert!(TARGETS.contains(&name.as_str()), "{name}"));
    }
}
