//! Who may use a board: a file with a line for each tenant.
use crate::files::{Change, FileError, Guard, read_guarded};
use crate::key::PublicKey;
use crate::terms::Terms;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Most tenants of a file.
const MOST: usize = 1 << 14;
/// Of the file: everybody may know who the tenants are.
const MODE: u32 = 0o644;
/// Bytes of the longest name.
const LONGEST_NAME: usize = 64;
const HEAD: &str = "# The tenants of a board, one a line: name, public key, the day on which it was added, and perhaps class=N,\n\
                    # group=N, memory=SIZE, processes=N, weight=N. `mneme tenant`\n\
                    # changes it, and boards read it again when it has changed.\n";
/// What a line says a service class with, and a share group.
const CLASS: &str = "class=";
const GROUP: &str = "group=";

/// A tenant's name: letters, digits, `.`, `_` and `-`, 1 to 64 of them.
///
/// ```
/// use mneme_auth::TenantName;
///
/// assert!("team-7".parse::<TenantName>().is_ok());
/// assert!("two words".parse::<TenantName>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantName(String);

impl FromStr for TenantName {
    type Err = String;
    fn from_str(text: &str) -> Result<TenantName, String> {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if !text.is_empty() && text.len() <= LONGEST_NAME && text.bytes().all(good) {
            Ok(TenantName(text.to_owned()))
        } else {
            Err(format!("a tenant's name is 1 to {LONGEST_NAME} letters, digits, `.`, `_` and `-`"))
        }
    }
}

impl fmt::Display for TenantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A day of the calendar, in UTC.
///
/// ```
/// use mneme_auth::Day;
///
/// let day = Day::of_unix(1_000_000_000);
/// assert_eq!(day.to_string(), "2001-09-09");
/// assert_eq!("2001-09-09".parse(), Ok(day));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    /// The day of a number of seconds since 1970.
    pub fn of_unix(seconds: u64) -> Day {
        // The civil calendar in eras of 400 years that begin in March (Hinnant).
        let days = seconds / 86_400 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let (shifted, since_march) = ((5 * of_year + 2) / 153, year + era * 400);
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = u16::try_from(since_march + u64::from(month <= 2)).unwrap_or(u16::MAX);
        Day { year, month: month as u8, day: (of_year - (153 * shifted + 2) / 5 + 1) as u8 }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Day {
    type Err = String;
    fn from_str(text: &str) -> Result<Day, String> {
        let wrong = || format!("`{text}` is no day such as 2026-01-31");
        let mut parts = text.split('-');
        let mut part = |len: usize| {
            parts.next().filter(|part| part.len() == len && part.bytes().all(|b| b.is_ascii_digit()))
        };
        let (year, month, day) = (part(4), part(2), part(2));
        let number = |part: Option<&str>| part.and_then(|part| part.parse::<u16>().ok()).ok_or_else(wrong);
        let (year, month, day) = (number(year)?, number(month)?, number(day)?);
        let whole = parts.next().is_none() && (1..=12).contains(&month) && (1..=31).contains(&day);
        if whole { Ok(Day { year, month: month as u8, day: day as u8 }) } else { Err(wrong()) }
    }
}

/// A service class that tenants can have: 0, which all have that are given none, to 14. Class 15 is the boards'.
///
/// ```
/// use mneme_auth::ServiceClass;
///
/// assert_eq!("3".parse::<ServiceClass>()?.get(), 3);
/// assert!("15".parse::<ServiceClass>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ServiceClass(u8);

impl ServiceClass {
    /// The last one.
    pub const LAST: ServiceClass = ServiceClass(14);
    /// Its number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl FromStr for ServiceClass {
    type Err = String;
    fn from_str(text: &str) -> Result<ServiceClass, String> {
        let class = text.parse().ok().map(ServiceClass).filter(|class| *class <= ServiceClass::LAST);
        class.ok_or_else(|| format!("`{text}` is no service class: they are 0 to {}", ServiceClass::LAST))
    }
}

impl fmt::Display for ServiceClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A share group that a tenant's class is put into, 0 to 3: classes of other groups have TLB ways, miss entries and free pages of their own.
///
/// ```
/// use mneme_auth::ShareGroup;
///
/// assert_eq!("1".parse::<ShareGroup>()?.get(), 1);
/// assert!("4".parse::<ShareGroup>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ShareGroup(u8);

impl ShareGroup {
    /// The last one.
    pub const LAST: ShareGroup = ShareGroup(3);
    /// Its number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl FromStr for ShareGroup {
    type Err = String;
    fn from_str(text: &str) -> Result<ShareGroup, String> {
        let group = text.parse().ok().map(ShareGroup).filter(|group| *group <= ShareGroup::LAST);
        group.ok_or_else(|| format!("`{text}` is no share group: they are 0 to {}", ShareGroup::LAST))
    }
}

impl fmt::Display for ShareGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One tenant.
///
/// ```
/// use mneme_auth::{Day, SecretKey, Tenant};
///
/// let key = SecretKey::from_bytes([7; 32]).public();
/// let added = Day::of_unix(0);
/// let tenant = Tenant::new("alice".parse()?, key, added);
/// assert_eq!(tenant.to_string(), format!("alice {key} 1970-01-01"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// Its name, for people and logs.
    pub name: TenantName,
    /// What it proves itself with.
    pub key: PublicKey,
    /// When it was added.
    pub added: Day,
    /// The service class of its processes.
    pub class: ServiceClass,
    /// The share group of that class. One other than 0 is for a class other than 0, and all tenants of a class have the same.
    pub group: ShareGroup,
    /// Its quotas and weight.
    pub terms: Terms,
}

impl Tenant {
    /// One of class 0, without quotas of its own.
    pub fn new(name: TenantName, key: PublicKey, added: Day) -> Tenant {
        let (class, group, terms) = (ServiceClass::default(), ShareGroup::default(), Terms::default());
        Tenant { name, key, added, class, group, terms }
    }
    /// A share group is of a class, and class 0 is everybody's.
    fn check_group(&self) -> Result<(), String> {
        if self.group != ShareGroup::default() && self.class == ServiceClass::default() {
            return Err(format!(
                "share group {} is for a service class of the tenant's own: class 0 is everybody's",
                self.group
            ));
        }
        Ok(())
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.name, self.key, self.added)?;
        if self.class != ServiceClass::default() {
            write!(f, " {CLASS}{}", self.class)?;
        }
        if self.group != ShareGroup::default() {
            write!(f, " {GROUP}{}", self.group)?;
        }
        self.terms.fmt(f)
    }
}

impl FromStr for Tenant {
    type Err = String;
    fn from_str(line: &str) -> Result<Tenant, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, key, added, more @ ..] = &words[..] else {
            return Err("a tenant is a name, a public key, a day, and perhaps more".to_owned());
        };
        let key = key.parse().map_err(|error: crate::KeyError| error.to_string())?;
        let mut tenant = Tenant::new(name.parse()?, key, added.parse()?);
        let (mut class, mut group) = (None, None);
        for word in more {
            if let (Some(number), None) = (word.strip_prefix(CLASS), class) {
                class = Some(number.parse()?);
            } else if let (Some(number), None) = (word.strip_prefix(GROUP), group) {
                group = Some(number.parse()?);
            } else if !tenant.terms.take(word)? {
                return Err(format!(
                    "`{word}` is none of `{CLASS}3`, `{GROUP}1`, `memory=1G`, `processes=8` and `weight=2`, each once"
                ));
            }
        }
        (tenant.class, tenant.group) = (class.unwrap_or_default(), group.unwrap_or_default());
        tenant.check_group()?;
        Ok(tenant)
    }
}

/// The tenants of a board, found by their keys.
///
/// ```
/// use mneme_auth::{Day, SecretKey, Tenant, TenantList};
///
/// let key = SecretKey::from_bytes([7; 32]).public();
/// let mut list = TenantList::default();
/// list.insert(Tenant::new("alice".parse()?, key, Day::of_unix(0)))?;
/// assert!(list.find(&key).is_some());
/// assert!(list.insert(Tenant::new("bob".parse()?, key, Day::of_unix(0))).is_err(), "a key is one tenant's");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TenantList {
    by_key: BTreeMap<PublicKey, Tenant>,
    by_name: BTreeMap<TenantName, PublicKey>,
    /// Of the classes that tenants are in.
    groups: BTreeMap<ServiceClass, ShareGroup>,
}

impl TenantList {
    /// The tenant with this key.
    pub fn find(&self, key: &PublicKey) -> Option<&Tenant> {
        self.by_key.get(key)
    }
    /// The terms of whoever has this key, or of nobody that is known: those that leave everything to the board.
    pub fn terms(&self, key: Option<&PublicKey>) -> Terms {
        key.and_then(|key| self.find(key)).map(|tenant| tenant.terms).unwrap_or_default()
    }
    /// The tenant of this name.
    pub fn named(&self, name: &TenantName) -> Option<&Tenant> {
        self.by_name.get(name).and_then(|key| self.find(key))
    }
    /// All of them, by name.
    pub fn all(&self) -> Vec<&Tenant> {
        self.by_name.values().filter_map(|key| self.find(key)).collect()
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
    /// Adds one. Neither its name nor its key may be there, nor its class in another share group.
    pub fn insert(&mut self, tenant: Tenant) -> Result<(), String> {
        if self.named(&tenant.name).is_some() {
            return Err(format!("there is a tenant `{}` already", tenant.name));
        }
        if let Some(same) = self.find(&tenant.key) {
            return Err(format!("the key is already that of tenant `{}`", same.name));
        }
        tenant.check_group()?;
        let group = self.groups.get(&tenant.class).copied().unwrap_or(tenant.group);
        if group != tenant.group {
            return Err(format!(
                "class {} is of share group {group}, as another tenant's line says: a class has one group",
                tenant.class
            ));
        }
        if self.len() >= MOST {
            return Err(format!("more than {MOST} tenants"));
        }
        self.groups.insert(tenant.class, group);
        self.by_name.insert(tenant.name.clone(), tenant.key);
        self.by_key.insert(tenant.key, tenant);
        Ok(())
    }
}

/// A file of tenants.
///
/// ```
/// use mneme_auth::{Day, SecretKey, Tenant, TenantsFile};
///
/// let folder = tempfile::tempdir()?;
/// let file = TenantsFile::new(folder.path().join("tenants"));
/// let key = SecretKey::from_bytes([7; 32]).public();
/// file.add(Tenant::new("alice".parse()?, key, Day::of_unix(0)))?;
/// assert_eq!(file.load()?.len(), 1);
/// assert_eq!(file.revoke(&"alice".parse()?)?.key, key);
/// assert!(file.load()?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantsFile {
    path: PathBuf,
}

impl TenantsFile {
    /// A file that may not exist yet: then nobody is in it.
    pub fn new(path: impl Into<PathBuf>) -> TenantsFile {
        TenantsFile { path: path.into() }
    }
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
    fn text(&self) -> Result<String, FileError> {
        Ok(read_guarded(&self.path, Guard::Write)?.map_or_else(|| HEAD.to_owned(), |text| text.to_string()))
    }
    fn parse(&self, text: &str) -> Result<TenantList, FileError> {
        let mut list = TenantList::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |why| FileError::Line { path: self.path.clone(), line: at + 1, why };
            let tenant: Tenant = line.parse().map_err(wrong)?;
            list.insert(tenant).map_err(wrong)?;
        }
        Ok(list)
    }
    /// Reads it. Refused if others can write to it, or if a line cannot be read: who is in it would be a guess.
    pub fn load(&self) -> Result<TenantList, FileError> {
        self.parse(&self.text()?)
    }
    fn refuse(&self, why: String) -> FileError {
        FileError::Change { path: self.path.clone(), why }
    }
    /// Adds a tenant, and makes the file where there is none.
    pub fn add(&self, tenant: Tenant) -> Result<(), FileError> {
        let change = Change::begin(&self.path, MODE)?;
        let mut text = self.text()?;
        let line = tenant.to_string();
        self.parse(&text)?.insert(tenant).map_err(|why| self.refuse(why))?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&line);
        text.push('\n');
        change.put(&text)
    }
    /// Takes a tenant out, and tells who it was. Comments stay.
    pub fn revoke(&self, name: &TenantName) -> Result<Tenant, FileError> {
        let change = Change::begin(&self.path, MODE)?;
        let text = self.text()?;
        let gone = self.parse(&text)?.named(name).cloned();
        let gone = gone.ok_or_else(|| {
            self.refuse(format!("there is no tenant `{name}`; `mneme tenant list` shows all"))
        })?;
        let is_gone = |line: &&str| line.parse::<Tenant>().is_ok_and(|tenant| tenant.name == *name);
        let mut rest: String = text.lines().filter(|line| !is_gone(line)).collect::<Vec<_>>().join("\n");
        rest.push('\n');
        change.put(&rest)?;
        Ok(gone)
    }
}
