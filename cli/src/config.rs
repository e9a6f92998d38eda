//! Settings from a file: defaults of options, below the environment and the command line.
//!
//! ```toml
//! board = "10.0.0.2:19790"   # for every command that has --board
//! timeout = 2
//!
//! [bench]                    # for `mneme bench` alone
//! depth = 16
//! ```
use anyhow::{Context, Result, bail};
use clap::{ArgAction, Command};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The file: `MNEME_CONFIG`, or `mneme/config.toml` in the user's folder of settings, if it is there.
pub fn path() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("MNEME_CONFIG") {
        return Some(named.into());
    }
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))?;
    Some(folder.join("mneme/config.toml")).filter(|path| path.exists())
}

/// The command with the file's settings as defaults. A key that no command knows is an error.
pub fn apply(command: Command, path: &Path) -> Result<Command> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("reading the settings in {}", path.display()))?;
    let table: Table = text.parse().with_context(|| format!("the settings in {}", path.display()))?;
    settings(command, &table).with_context(|| format!("the settings in {}", path.display()))
}

fn settings(mut command: Command, table: &Table) -> Result<Command> {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    // What is said for one command stands above what is said for all.
    let (sections, general): (Vec<_>, Vec<_>) = table.iter().partition(|(_, value)| value.is_table());
    for (key, value) in general {
        let known: Vec<&String> = names.iter().filter(|name| knows(&command, name, key)).collect();
        if known.is_empty() {
            bail!("no command has an option `{key}`{}", suggestion(key, options(&command, &names)));
        }
        for name in known.into_iter().cloned().collect::<Vec<_>>() {
            command = default(command, &name, key, value)?;
        }
    }
    for (section, value) in sections {
        if !names.contains(section) {
            bail!("there is no command `{section}`{}", suggestion(section, names.clone()));
        }
        for (key, value) in value.as_table().into_iter().flatten() {
            if !knows(&command, section, key) {
                let known = options(&command, std::slice::from_ref(section));
                bail!("`mneme {section}` has no option `{key}`{}", suggestion(key, known));
            }
            command = default(command, section, key, value)?;
        }
    }
    Ok(command)
}

/// Options that a file can set: those with a long name and a meaning of their own.
fn options(command: &Command, names: &[String]) -> Vec<String> {
    let subs = names.iter().filter_map(|name| command.find_subcommand(name));
    let args = subs.flat_map(|sub| sub.get_arguments());
    let settable = args.filter(|arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::SetTrue));
    let mut options: Vec<String> = settable.filter_map(|arg| arg.get_long().map(str::to_owned)).collect();
    options.sort();
    options.dedup();
    options
}

fn knows(command: &Command, name: &str, key: &str) -> bool {
    options(command, &[name.to_owned()]).iter().any(|option| option == key)
}

fn default(command: Command, name: &str, key: &str, value: &Value) -> Result<Command> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        _ => bail!("`{key}` is neither text, nor a number, nor true or false"),
    };
    let sub = command.find_subcommand(name).context("a command that is known")?;
    let id = sub.get_arguments().find(|arg| arg.get_long() == Some(key)).map(|arg| arg.get_id().to_string());
    let id = id.context("an option that is known")?;
    Ok(command.mut_subcommand(name, |sub| sub.mut_arg(id, |arg| arg.default_value(text))))
}

/// The known name that is most like a wrong one.
fn suggestion(wrong: &str, known: Vec<String>) -> String {
    let near = known.iter().map(|name| (strsim::damerau_levenshtein(wrong, name), name)).min();
    match near {
        Some((distance, name)) if distance <= 2 => format!("; did you mean `{name}`?"),
        _ => format!("; there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    fn command() -> Command {
        let board = || Arg::new("board").long("board").default_value("here");
        let depth = Arg::new("deep").long("depth").default_value("1");
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        Command::new("mneme")
            .subcommand(Command::new("ping").arg(board()))
            .subcommand(Command::new("bench").arg(board()).arg(depth).arg(json))
    }
    fn parsed(text: &str, line: &[&str]) -> Result<clap::ArgMatches> {
        Ok(settings(command(), &text.parse()?)?.try_get_matches_from(line)?)
    }

    #[test]
    fn the_file_stands_below_the_command_line_and_a_section_above_the_rest() {
        let file = "board = \"there\"\n[bench]\nboard = \"near\"\ndepth = 16\njson = true\n";
        let ping = parsed(file, &["mneme", "ping"]).expect("a sound file");
        let board = |matches: &clap::ArgMatches| matches.get_one::<String>("board").cloned();
        let sub = |matches: &clap::ArgMatches| matches.subcommand().expect("a command").1.clone();
        assert_eq!(board(&sub(&ping)).as_deref(), Some("there"));
        let bench = sub(&parsed(file, &["mneme", "bench", "--depth", "2"]).expect("a sound file"));
        assert_eq!(board(&bench).as_deref(), Some("near"));
        assert_eq!(bench.get_one::<String>("deep").map(String::as_str), Some("2"));
        assert!(bench.get_flag("json"));
    }

    #[test]
    fn what_nobody_knows_is_an_error_that_names_what_is_meant() {
        for (file, hint) in [
            ("bord = \"x\"", "did you mean `board`"),
            ("[benhc]\ndepth = 1", "did you mean `bench`"),
            ("[bench]\ndeth = 1", "did you mean `depth`"),
            ("[ping]\ndepth = 1", "there are board"),
            ("board = [1]", "neither text"),
        ] {
            let error = parsed(file, &["mneme", "ping"]).expect_err(file);
            assert!(error.to_string().contains(hint), "{file}: {error}");
        }
    }
}
