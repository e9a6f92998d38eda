//! Verilates the committed Verilog of the kept configurations and compiles it with the shim in `cpp/`:
//! per configuration one static library of the model and one of the shim.
//!
//! Libraries are kept in `<target>/verilated/<hash of everything that makes them>`, which the profiles share that
//! compile alike: only a changed configuration is built again. `MNEME_VERILATED_CACHE` names another folder.
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::error::Error;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[path = "verilator_flags.rs"]
mod verilator_flags;
#[path = "verilator_version.rs"]
mod verilator_version;
use verilator_flags::{DEFINES, TAPPED, TRAFFIC, UNDEFINED_CHEAP, UNDEFINED_RANDOM, VERILATOR, joined};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Boards that are compiled twice, the second time for the branches that a load was seen to take (`cpp/train.cpp`): the
/// default one, which users run, the same without trailers, which the longest tests run on, and the largest one, whose comparisons take longest.
const TRAINED: &[&str] = &["sim", "tags", "rdma"];
/// The profile of the tests (`Cargo.toml`), in which boards run for seconds: they are compiled sooner and run slower, none of them twice.
const OF_TESTS: &str = "ci";
/// Boards for tests alone.
const TESTED: &[&str] = &["tiny", "odd", "wide", "zcu106", "doors"];
/// What makes these taps readable.
const TAPS: &str = "cpp/taps.vlt";
/// What makes readable what every board is asked about at rest.
const REST: &str = "cpp/rest.vlt";
/// Folder of the C constants.
const WIRE: &str = "../../wire/generated";
/// Folder of the generated C++ within a model's.
const GENERATED: &str = "generated";

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=verilator_flags.rs");
    println!("cargo:rerun-if-changed=verilator_version.rs");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-changed={WIRE}/mneme_wire.h");
    println!("cargo:rerun-if-env-changed=MNEME_VERILATED_CACHE");
    match build_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the Verilated boards cannot be built: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build_all() -> Result<()> {
    let version = output(Command::new("verilator").arg("--version"))
        .map_err(|error| format!("verilator does not run ({error}); `cargo xtask setup` installs it"))?;
    if let Some(why) = verilator_version::too_old(&version) {
        return Err(why.into());
    }
    let include = output(Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
    let include = Path::new(include.trim()).join("include");
    let verilator = Verilator { version, include, optimized: if of_tests()? { 1 } else { 2 } };
    let mut boards = vec!["tiny", "sim", "wide", "odd"];
    if env::var_os("CARGO_FEATURE_LARGE").is_some() {
        boards.push("large");
    }
    if env::var_os("CARGO_FEATURE_ZCU106").is_some() {
        boards.push("zcu106");
    }
    if env::var_os("CARGO_FEATURE_DOORS").is_some() {
        boards.push("doors");
    }
    if env::var_os("CARGO_FEATURE_TAGS").is_some() {
        boards.push("tags");
    }
    if env::var_os("CARGO_FEATURE_RDMA").is_some() {
        boards.push("rdma");
    }
    // The linker wants each library after those that need it.
    let models = boards.iter().map(|board| build_model(board, &verilator)).collect::<Result<Vec<_>>>()?;
    for (board, model) in boards.iter().zip(&models) {
        link(&build_shim(board, model, &verilator)?);
    }
    models.iter().for_each(link);
    link(&build_runtime(&verilator)?);
    println!("cargo:rustc-link-lib=stdc++");
    println!("cargo:rustc-link-lib=pthread");
    Ok(())
}

struct Verilator {
    version: String,
    include: PathBuf,
    /// How well the compiler does.
    optimized: u32,
}

fn of_tests() -> Result<bool> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // target/<profile>/build/<package>/out
    Ok(out.ancestors().nth(3).and_then(Path::file_name).is_some_and(|profile| profile == OF_TESTS))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The folder that holds all Verilated libraries: beside the profiles' folders in the target folder.
fn cache() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("MNEME_VERILATED_CACHE") {
        return Ok(folder.into());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // target/<profile>/build/<package>/out
    Ok(out.ancestors().nth(4).unwrap_or(&out).join("verilated"))
}

fn hash_files(hasher: &mut DefaultHasher, files: &[PathBuf]) -> Result<()> {
    for file in files {
        fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?.hash(hasher);
    }
    Ok(())
}

fn sources(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    Ok(files)
}

/// A static library in a folder of its own.
struct Library {
    name: String,
    folder: PathBuf,
}

fn link(library: &Library) {
    println!("cargo:rustc-link-search=native={}", library.folder.display());
    println!("cargo:rustc-link-lib=static={}", library.name);
}

/// The library from the cache; if it is not there, builds it beside and moves it in when it is whole.
fn cached(name: String, hasher: DefaultHasher, build: impl FnOnce(&Path) -> Result<()>) -> Result<Library> {
    let folder = cache()?.join(format!("{name}-{:016x}", hasher.finish()));
    if !folder.exists() {
        let work = folder.with_extension(format!("{}.part", std::process::id()));
        fs::create_dir_all(&work)?;
        build(&work)?;
        // Another build may have been first; its library is the same.
        if fs::rename(&work, &folder).is_err() {
            fs::remove_dir_all(&work)?;
        }
    }
    Ok(Library { name, folder })
}

/// A hash that already holds what every library depends on.
fn hasher(verilator: &Verilator) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    (&verilator.version, verilator.optimized, VERILATOR, DEFINES).hash(&mut hasher);
    (env::var_os("CXX"), env::var_os("CXXFLAGS")).hash(&mut hasher);
    hasher
}

fn compiler(verilator: &Verilator, work: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .opt_level(verilator.optimized)
        .debug(false)
        .warnings(false)
        .cargo_metadata(false)
        .out_dir(work);
    build.include(&verilator.include).include(verilator.include.join("vltstd"));
    build.flag_if_supported("-faligned-new").flag_if_supported("-fcf-protection=none");
    for (name, value) in DEFINES {
        build.define(name, *value);
    }
    build
}

/// Class that Verilator generates for a board.
fn class(board: &str) -> String {
    format!("VCBoard_{board}")
}

fn build_model(board: &str, verilator: &Verilator) -> Result<Library> {
    let verilog = PathBuf::from(format!("../../hw/rtl/CBoard_{board}.v"));
    println!("cargo:rerun-if-changed={}", verilog.display());
    if !verilog.exists() {
        return Err(format!("{} is missing; `cargo xtask rtl` generates it", verilog.display()).into());
    }
    let mut hasher = hasher(verilator);
    let undefined = if TESTED.contains(&board) { UNDEFINED_RANDOM } else { UNDEFINED_CHEAP };
    undefined.hash(&mut hasher);
    let trained = TRAINED.contains(&board)
        && !of_tests()?
        && compiler(verilator, Path::new(&env::var("OUT_DIR")?)).get_compiler().is_like_gnu();
    let training = trained.then(|| PathBuf::from("cpp/train.cpp"));
    let taps = TAPPED.contains(&board).then(|| PathBuf::from(TAPS));
    let readable: Vec<PathBuf> = taps.into_iter().chain([PathBuf::from(REST)]).collect();
    let inputs = [&verilog].into_iter().chain(&training).chain(&readable).cloned().collect::<Vec<_>>();
    hash_files(&mut hasher, &inputs)?;
    let name = format!("mneme_model_{board}");
    cached(name.clone(), hasher, |work| {
        let generated = work.join(GENERATED);
        let mut verilate = Command::new("verilator");
        verilate.args(VERILATOR).args(undefined).args([
            "--prefix",
            &class(board),
            "--top-module",
            &format!("CBoard_{board}"),
        ]);
        output(verilate.arg("--Mdir").arg(&generated).args(&readable).arg(&verilog))?;
        // What runs once, at the start, is half of the text: not worth the optimizer's time.
        let (once, often): (Vec<_>, Vec<_>) = sources(&generated, "cpp")?
            .into_iter()
            .partition(|file| file.to_string_lossy().ends_with("__Slow.cpp"));
        let (once, often) = (joined(once, &work.join("once.cpp"))?, joined(often, &work.join("often.cpp"))?);
        let mut unoptimized = compiler(verilator, work);
        let once = unoptimized.include(&generated).opt_level(0).files(once).try_compile_intermediates()?;
        let mut optimized = compiler(verilator, work);
        optimized.include(&generated).files(&often);
        if trained {
            train(board, verilator, work, &optimized, &once)?;
            // The profile lies beside the objects, which are written anew.
            optimized.flag("-fprofile-use").flag("-fprofile-partial-training").flag("-Wno-missing-profile");
        }
        optimized.objects(once).try_compile(&name)?;
        Ok(())
    })
}

/// Compiles a model that counts the branches it takes, and runs it under load.
fn train(board: &str, verilator: &Verilator, work: &Path, model: &cc::Build, once: &[PathBuf]) -> Result<()> {
    let counting = model
        .clone()
        .flag("-fprofile-generate")
        .flag("-fprofile-update=single")
        .try_compile_intermediates()?;
    let mut shim = compiler(verilator, work);
    shim.include(work.join(GENERATED)).opt_level(1);
    let shim = with_board(&mut shim, board, "trained").file("cpp/train.cpp").try_compile_intermediates()?;
    let program = work.join("train");
    let mut link = compiler(verilator, work).get_compiler().to_command();
    link.args(counting).args(once).args(shim).args(runtime(verilator));
    output(link.args(["-lgcov", "-lpthread", "-o"]).arg(&program))?;
    output(&mut Command::new(&program))?;
    Ok(())
}

/// The shim around one board, its functions' names beginning with `prefix`.
fn with_board<'a>(build: &'a mut cc::Build, board: &str, prefix: &str) -> &'a mut cc::Build {
    if TAPPED.contains(&board) {
        build.define("TAPPED", None);
    }
    if TRAFFIC.contains(&board) {
        build.define("TRAFFIC", None);
    }
    build
        .include("cpp")
        .include(WIRE)
        .file("cpp/board.cpp")
        .define("MODEL", class(board).as_str())
        .define("MODEL_HEADER", format!("\"{}.h\"", class(board)).as_str())
        .define("ROOT_HEADER", format!("\"{}___024root.h\"", class(board)).as_str())
        .define("TOP", format!("CBoard_{board}").as_str())
        .define("PREFIX", prefix)
}

fn build_shim(board: &str, model: &Library, verilator: &Verilator) -> Result<Library> {
    let mut hasher = hasher(verilator);
    model.folder.file_name().hash(&mut hasher);
    let shim = vec![PathBuf::from("cpp/board.cpp")];
    let folders = [sources(Path::new("cpp"), "h")?, shim, sources(Path::new(WIRE), "h")?];
    hash_files(&mut hasher, &folders.concat())?;
    let name = format!("mneme_board_{board}");
    cached(name.clone(), hasher, |work| {
        let mut build = compiler(verilator, work);
        build.include(model.folder.join(GENERATED));
        with_board(&mut build, board, &name).try_compile(&name)?;
        Ok(())
    })
}

/// Verilator's own runtime, once for all boards.
fn build_runtime(verilator: &Verilator) -> Result<Library> {
    let name = "mneme_verilated".to_string();
    cached(name.clone(), hasher(verilator), |work| {
        compiler(verilator, work).files(runtime(verilator)).try_compile(&name)?;
        Ok(())
    })
}

fn runtime(verilator: &Verilator) -> [PathBuf; 2] {
    ["verilated.cpp", "verilated_threads.cpp"].map(|file| verilator.include.join(file))
}
