//! One check and how it ended.
use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Ok,
    /// It works, or can be done without, but not as well as it could.
    Warn,
    /// Something that is needed does not work.
    Fail,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Fail => "FAIL",
        }
    }
}

/// What was looked at, what was found, and what to do.
#[derive(Debug, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub state: State,
    pub found: String,
    pub remedy: Option<String>,
}

impl Check {
    pub fn ok(name: &'static str, found: impl Into<String>) -> Check {
        Check { name, state: State::Ok, found: found.into(), remedy: None }
    }
    pub fn warn(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Check {
        Check { name, state: State::Warn, found: found.into(), remedy: Some(remedy.into()) }
    }
    pub fn fail(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Check {
        Check { name, state: State::Fail, found: found.into(), remedy: Some(remedy.into()) }
    }
    /// Ok, or a warning with a remedy.
    pub fn expect(name: &'static str, good: bool, found: impl Into<String>, remedy: &str) -> Check {
        if good { Check::ok(name, found) } else { Check::warn(name, found, remedy) }
    }
}

/// A file of the system, without the space around it.
pub fn system_file(path: &str) -> Option<String> {
    Some(std::fs::read_to_string(path).ok()?.trim().to_owned())
}

/// A number in a file of the system.
pub fn system_number(path: &str) -> Option<u64> {
    system_file(path)?.split_ascii_whitespace().next()?.parse().ok()
}
