//! Verilated boards as shared libraries, which programs load at run time: of drawn and own configurations, with planted faults, with
//! counters of what they meet, with waveforms.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::process::{at_once, capture, root, run};

#[path = "../../sim/rtl/abi.rs"]
mod abi;
#[path = "../../sim/rtl/verilator_flags.rs"]
mod verilator_flags;
use abi::ABI;
use verilator_flags::{DEFINES, TAPPED, TRAFFIC, UNDEFINED_CHEAP, UNDEFINED_RANDOM, VERILATOR, joined};

/// Makes Verilator write waveforms.
const TRACE: &[&str] = &["--trace-fst", "--trace-structs"];
/// What Verilator's own makefiles define where there are waveforms.
const TRACE_DEFINES: &[&str] = &["VM_TRACE", "VM_TRACE_FST"];
/// Makes Verilator count: branches and blocks, and changes of bits.
const COVERAGE: &[&str] = &["--coverage-line", "--coverage-toggle"];
/// Begins the names of a loaded board's functions (`sim/rtl/src/ffi.rs`).
const PREFIX: &str = "mneme_board_loaded";

/// A board that is built at run time: `name.so` of `CBoard_name.v` in the same folder.
pub struct Library<'a> {
    pub folder: &'a Path,
    pub name: &'a str,
    /// More C++.
    pub more: &'a [PathBuf],
    /// Each source is an object of its own, so that one board keeps all processors busy.
    pub apart: bool,
    /// It counts what it meets (`sim/rtl/cpp/coverage.h`).
    pub covered: bool,
    /// It can write waveforms (`sim/rtl/cpp/waves.h`).
    pub traced: bool,
    /// It has a traffic generator, whatever it is called.
    pub traffic: bool,
    /// It is served for a while: what the hardware leaves undefined is cheap, and the optimizer may take its time.
    pub served: bool,
    /// Models of the cells that its Verilog is a netlist of: no register in it has its name any more.
    pub cells: Option<PathBuf>,
}

impl<'a> Library<'a> {
    /// For tests, which run for seconds.
    pub fn new(folder: &'a Path, name: &'a str) -> Library<'a> {
        Library {
            folder,
            name,
            more: &[],
            apart: false,
            covered: false,
            traced: false,
            traffic: TRAFFIC.contains(&name),
            served: false,
            cells: None,
        }
    }
    fn class(&self) -> String {
        format!("VCBoard_{}", self.name)
    }
    fn taps(&self) -> bool {
        TAPPED.contains(&self.name)
    }
    /// Generated C++.
    fn generated(&self) -> PathBuf {
        self.folder.join(self.name)
    }

    fn verilate(&self) -> Result<()> {
        let mut verilate = Command::new("verilator");
        let top = format!("CBoard_{}", self.name);
        verilate.args(VERILATOR).args(if self.served { UNDEFINED_CHEAP } else { UNDEFINED_RANDOM }).args([
            "--prefix",
            &self.class(),
            "--top-module",
            &top,
        ]);
        verilate.arg("--Mdir").arg(self.generated());
        verilate.args(self.cells.is_none().then(|| root().join("sim/rtl/cpp/rest.vlt")));
        verilate.args(&self.cells);
        verilate.args(self.taps().then(|| root().join("sim/rtl/cpp/taps.vlt")));
        verilate.args(self.traced.then(|| root().join("sim/rtl/cpp/waves.vlt")));
        verilate.args(if self.covered { COVERAGE } else { &[] });
        verilate.args(if self.traced { TRACE } else { &[] });
        run(verilate.arg(self.folder.join(format!("{top}.v"))))
    }

    fn compiler(&self, include: &Path) -> Command {
        let class = self.class();
        let mut compiler = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
        // Tests run for seconds: a better optimiser would take longer than it saves.
        compiler.args([
            "-std=c++17",
            if self.served { "-O2" } else { "-O1" },
            "-w",
            "-fPIC",
            "-faligned-new",
        ]);
        let value = |name, value| if self.traced && TRACE_DEFINES.contains(&name) { "1" } else { value };
        compiler.args(DEFINES.iter().map(|(name, usual)| format!("-D{name}={}", value(*name, *usual))));
        compiler.args([
            format!("-DABI={ABI}ull"),
            format!("-DMODEL={class}"),
            format!("-DMODEL_HEADER=\"{class}.h\""),
            format!("-DPREFIX={PREFIX}"),
        ]);
        compiler.arg(format!("-DROOT_HEADER=\"{class}___024root.h\""));
        compiler.arg(format!("-DTOP=CBoard_{}", self.name));
        compiler.args(self.taps().then_some("-DTAPPED"));
        compiler.args(self.traffic.then_some("-DTRAFFIC"));
        compiler.args(self.traced.then_some("-DTRACED"));
        compiler.args(self.cells.is_some().then_some("-DNETLIST"));
        if self.covered {
            compiler.arg("-DCOVERED");
            compiler.arg(format!("-DSYMBOLS_HEADER=\"{class}__Syms.h\""));
        }
        let (sim, wire) = (root().join("sim/rtl/cpp"), root().join("wire/generated"));
        for path in [&self.generated(), include, &include.join("vltstd"), &sim, &wire] {
            compiler.arg("-I").arg(path);
        }
        compiler
    }

    /// Verilates and compiles it.
    pub fn build(&self) -> Result<()> {
        self.verilate()?;
        let include = capture(Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
        let include = Path::new(include.trim()).join("include");
        let mut sources =
            fs::read_dir(self.generated())?.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
        sources.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
        sources = joined(sources, &self.folder.join(format!("{}.often.cpp", self.name)))?;
        sources.extend(["verilated.cpp", "verilated_threads.cpp"].map(|file| include.join(file)));
        sources.extend(self.covered.then(|| include.join("verilated_cov.cpp")));
        sources.extend(self.traced.then(|| include.join("verilated_fst_c.cpp")));
        sources.extend(self.more.iter().cloned());
        sources.push(root().join("sim/rtl/cpp/board.cpp"));
        let mut link = self.compiler(&include);
        // Another board's functions and Verilator's own must not be taken for these.
        link.args(["-shared", "-Wl,-Bsymbolic", "-pthread", "-o"]);
        link.arg(self.folder.join(format!("{}.so", self.name)));
        let libraries = self.traced.then_some("-lz");
        if !self.apart {
            return run(link.args(sources).args(libraries));
        }
        let object =
            |source: &Path| self.generated().join(source.file_name().unwrap_or_default()).with_extension("o");
        println!("$ c++ -c ... ({} sources of {})", sources.len(), self.name);
        at_once(sources.clone(), |source| {
            let mut compile = self.compiler(&include);
            // What runs once, at the start, is half of the text: not worth the optimizer's time.
            compile.args(source.to_string_lossy().ends_with("__Slow.cpp").then_some("-O0"));
            capture(compile.args(["-c", "-o"]).arg(object(source)).arg(source)).map(|_| ())
        })?;
        run(link.args(sources.iter().map(|source| object(source))).args(libraries))
    }
}
