//! `mneme tenant`: keys of tenants, who may use a board, and which boards are known.
use crate::output::say;
use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand};
use mneme_auth::Size;
use mneme_auth::{
    BoardsFile, Day, PublicKey, SecretKey, ServiceClass, ShareGroup, Tenant, TenantName, TenantsFile, Terms,
    Weight, files,
};
use mneme_clib::driver::BoardAddress;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Make tenants' keys, and say who may use a board.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme tenant keygen                               the tenant: makes a key, prints the public one\n  \
    mneme tenant add alice mneme_pub_...              whoever runs the board: lets that key in\n  \
    mneme board --listen 10.0.0.9:19790               the board: prints its public key\n  \
    mneme tenant pin 10.0.0.9:19790 mneme_pub_...     the tenant: knows the board by that key from then on\n  \
    mneme tenant revoke alice                         ends alice's processes, within a second")]
pub struct TenantArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Keygen(KeygenArgs),
    Add(AddArgs),
    List(FileArgs),
    Revoke(RevokeArgs),
    Pin(PinArgs),
}

/// Make a tenant's key and print the public one, which whoever runs a board adds to its tenants.
#[derive(Debug, Args)]
struct KeygenArgs {
    /// The file of the secret key, for this user alone; default: ~/.config/mneme/tenant.key
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct FileArgs {
    /// The file of tenants; default: ~/.config/mneme/tenants
    #[arg(long, value_name = "FILE")]
    tenants: Option<PathBuf>,
}

/// Let a tenant use the boards that read a file of tenants.
#[derive(Debug, Args)]
struct AddArgs {
    /// What to call the tenant
    name: TenantName,
    /// The tenant's public key, as `mneme tenant keygen` prints it
    key: PublicKey,
    /// The service class of the tenant's processes, 0 to 14, which may have a rate of its own (`mneme board --class`)
    #[arg(long, value_name = "CLASS", default_value_t)]
    class: ServiceClass,
    /// The share group of that class, 0 to 3: what others do with the TLB, its misses and free pages does not touch it
    /// (`mneme board --shares`)
    #[arg(long, value_name = "GROUP", default_value_t)]
    group: ShareGroup,
    /// How much writable memory the tenant's processes may allocate, all together; a board's own bound holds as well
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// How many processes the tenant may have open
    #[arg(long, value_name = "N")]
    processes: Option<u32>,
    /// How much of the slow path (allocations, frees, OPENs) the tenant gets beside others: one of weight 3 gets three times
    /// as much as one of weight 1
    #[arg(long, value_name = "N")]
    weight: Option<Weight>,
    #[command(flatten)]
    file: FileArgs,
}

/// Let a tenant no longer use the boards that read a file of tenants; what he has there is given back.
#[derive(Debug, Args)]
struct RevokeArgs {
    /// What the tenant is called
    name: TenantName,
    #[command(flatten)]
    file: FileArgs,
}

/// Know a board by its public key: one that proves another key is refused.
#[derive(Debug, Args)]
struct PinArgs {
    /// The board's UDP address, as it is given to other commands
    board: BoardAddress,
    /// The board's public key, as it prints it when it starts
    key: PublicKey,
    /// The file of known boards; default: ~/.config/mneme/boards
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
}

/// A file that was named, or the usual one.
fn file(named: Option<&PathBuf>, usual: &str) -> Result<PathBuf> {
    named.cloned().or_else(|| files::setting(usual)).context("no home folder: name the file")
}

impl FileArgs {
    fn file(&self) -> Result<TenantsFile> {
        Ok(TenantsFile::new(file(self.tenants.as_ref(), files::TENANTS)?))
    }
}

/// Runs the command.
pub fn run(args: &TenantArgs) -> Result<()> {
    match &args.what {
        What::Keygen(args) => keygen(args),
        What::Add(args) => add(args),
        What::List(args) => list(args),
        What::Revoke(args) => revoke(args),
        What::Pin(args) => pin(args),
    }
}

fn keygen(args: &KeygenArgs) -> Result<()> {
    let path = file(args.key.as_ref(), files::TENANT_KEY)?;
    let key = SecretKey::from_bytes(rand::random());
    files::create_secret(&path, &key)?;
    say!("{}", key.public())?;
    eprintln!(
        "the secret key is in {}; the line above is the public one: `mneme tenant add NAME {}` lets it in",
        path.display(),
        key.public()
    );
    Ok(())
}

fn add(args: &AddArgs) -> Result<()> {
    let now =
        SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| anyhow!("the clock is before 1970"))?;
    let (file, added) = (args.file.file()?, Day::of_unix(now.as_secs()));
    let terms = Terms {
        memory: args.memory.map(|Size(bytes)| bytes),
        processes: args.processes,
        weight: args.weight,
    };
    let tenant = Tenant::new(args.name.clone(), args.key, added);
    file.add(Tenant { class: args.class, group: args.group, terms, ..tenant })?;
    Ok(say!("added `{}` to {}", args.name, file.path().display())?)
}

fn list(args: &FileArgs) -> Result<()> {
    let file = args.file()?;
    let list = file.load()?;
    for tenant in list.all() {
        say!("{tenant}")?;
    }
    if list.is_empty() {
        eprintln!("no tenants in {}", file.path().display());
    }
    Ok(())
}

fn revoke(args: &RevokeArgs) -> Result<()> {
    let file = args.file.file()?;
    let gone = file.revoke(&args.name)?;
    Ok(say!(
        "revoked `{}` ({}) in {}; boards that read it end its processes",
        gone.name,
        gone.key,
        file.path().display()
    )?)
}

fn pin(args: &PinArgs) -> Result<()> {
    let file = BoardsFile::new(file(args.boards.as_ref(), files::BOARDS)?);
    file.pin(&args.board.to_string(), args.key)?;
    Ok(say!("{} is known by {} in {}", args.board, args.key, file.path().display())?)
}
