//! Settings from the environment and from a file: defaults of options, below the command line.
//!
//! ```toml
//! [all]                      # for every command that has the option
//! board = "10.0.0.2:19790"
//! timeout = 2
//!
//! [bench]                    # for `mneme bench` alone
//! depth = 16
//! ```
//!
//! What stands before the first section is for every command, too; but TOML lets nothing be both a key there and a
//! section, so that `board = ...` and `[board]` need the form above.
use crate::output::suggestion;
use crate::{checkout, log};
use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
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

/// The section for every command.
const ALL: &str = "all";
/// Variables that are read besides those of options.
const VARIABLES: [&str; 3] = ["MNEME_CONFIG", log::VARIABLE, checkout::VARIABLE];
/// Variables that the project's own builds and tests read.
const OF_BUILDS: [&str; 3] = ["MNEME_FORMAL", "MNEME_SKIPS", "MNEME_VERILATED_CACHE"];

/// Looks for variables of the environment that are meant for this command and that nothing reads.
pub fn check_environment(command: &Command, names: impl Iterator<Item = OsString>) -> Result<()> {
    let args = command.get_subcommands().flat_map(Command::get_arguments);
    let read = args.filter_map(Arg::get_env).filter_map(|name| name.to_str());
    let mut known: Vec<String> = read.chain(VARIABLES).map(str::to_owned).collect();
    known.sort();
    known.dedup();
    for name in names.filter_map(|name| name.into_string().ok()) {
        let ours = name.starts_with("MNEME_") && !OF_BUILDS.contains(&name.as_str());
        if ours && !known.contains(&name) {
            bail!("nothing reads the variable `{name}`{}", suggestion(&name, known));
        }
    }
    Ok(())
}

/// The command with the file's settings as defaults. A key that no command knows is an error. A setting gives way to
/// options of the command line that exclude it.
pub fn apply(command: Command, path: &Path) -> Result<Command> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("reading the settings in {}", path.display()))?;
    let table: Table = text.parse().with_context(|| format!("the settings in {}", path.display()))?;
    // What is wrong with the line is said when it is read for good.
    let line = command.clone().ignore_errors(true).try_get_matches().ok();
    settings(command, &table, line.as_ref()).with_context(|| format!("the settings in {}", path.display()))
}

fn settings(mut command: Command, table: &Table, line: Option<&ArgMatches>) -> Result<Command> {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    // What is said for one command stands above what is said for all.
    let (sections, general): (Vec<_>, Vec<_>) = table.iter().partition(|(_, value)| value.is_table());
    let (all, sections): (Vec<_>, Vec<_>) = sections.into_iter().partition(|(name, _)| *name == ALL);
    let all = all.into_iter().filter_map(|(_, value)| value.as_table()).flatten();
    for (key, value) in general.into_iter().chain(all) {
        let known: Vec<&String> = names.iter().filter(|name| knows(&command, name, key)).collect();
        if known.is_empty() {
            bail!("no command has an option `{key}`{}", suggestion(key, options(&command, &names)));
        }
        for name in known.into_iter().cloned().collect::<Vec<_>>() {
            command = default(command, &name, key, value, line)?;
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
            command = default(command, section, key, value, line)?;
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

fn default(
    command: Command,
    name: &str,
    key: &str,
    value: &Value,
    line: Option<&ArgMatches>,
) -> Result<Command> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        _ => bail!("`{key}` is neither text, nor a number, nor true or false"),
    };
    let sub = command.find_subcommand(name).context("a command that is known")?;
    let arg = sub.get_arguments().find(|arg| arg.get_long() == Some(key));
    let arg = arg.context("an option that is known")?;
    if line.and_then(|line| line.subcommand_matches(name)).is_some_and(|line| is_excluded(sub, arg, line)) {
        return Ok(command);
    }
    let id = arg.get_id().to_string();
    Ok(command.mut_subcommand(name, |sub| sub.mut_arg(id, |arg| arg.default_value(text))))
}

/// Whether an option was given that excludes another one. Clap itself looks at what was given alone, not at defaults.
fn is_excluded(command: &Command, arg: &Arg, given: &ArgMatches) -> bool {
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    };
    command.get_arguments().filter(|other| excludes(arg, other) || excludes(other, arg)).any(|other| {
        let source = given.value_source(other.get_id().as_str());
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    fn command() -> Command {
        let board = || Arg::new("board").long("board").default_value("here");
        let depth = Arg::new("deep").long("depth").default_value("1");
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        let all = Arg::new("all").long("all").action(ArgAction::SetTrue).conflicts_with("deep");
        Command::new("mneme")
            .subcommand(Command::new("ping").arg(board().env("MNEME_BOARD")))
            .subcommand(Command::new("bench").arg(board()).arg(depth).arg(json).arg(all))
            .subcommand(Command::new("board"))
    }
    fn parsed(text: &str, line: &[&str]) -> Result<clap::ArgMatches> {
        let given = command().ignore_errors(true).try_get_matches_from(line).ok();
        Ok(settings(command(), &text.parse()?, given.as_ref())?.try_get_matches_from(line)?)
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
    fn a_section_for_all_commands_leaves_room_for_one_that_is_named_like_an_option() {
        let file = "[all]\nboard = \"there\"\n[bench]\nboard = \"near\"\n[board]\n";
        for (line, expected) in [("ping", "there"), ("bench", "near")] {
            let matches = parsed(file, &["mneme", line]).expect("a sound file");
            let (_, matches) = matches.subcommand().expect("a command");
            assert_eq!(matches.get_one::<String>("board").map(String::as_str), Some(expected));
        }
    }

    #[test]
    fn a_setting_gives_way_to_an_option_that_excludes_it() {
        let all = |line: &[&str]| {
            let matches = parsed("[bench]\nall = true\n", line).expect("a sound file");
            matches.subcommand().expect("a command").1.get_flag("all")
        };
        assert!(all(&["mneme", "bench"]) && !all(&["mneme", "bench", "--depth", "2"]));
    }

    #[test]
    fn a_variable_that_nothing_reads_is_an_error() {
        let check = |names: &[&str]| check_environment(&command(), names.iter().map(OsString::from));
        check(&["PATH", "MNEME_BOARD", "MNEME_CONFIG", "MNEME_LOG", "MNEME_FORMAL"]).expect("all are known");
        let error = check(&["MNEME_BORD"]).expect_err("misspelt").to_string();
        assert!(error.contains("did you mean `MNEME_BOARD`"), "{error}");
        assert!(check(&["MNEME_SOMETHING_ELSE"]).is_err());
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
