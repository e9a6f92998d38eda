//! Waveforms of a board: an FST file of some of its cycles, with save files for GTKWave and Surfer.
//!
//! Cycles are those that are simulated: idle time that a board jumps over has none. A cycle lasts [`NS_PER_CYCLE`] in the file.
mod save;

use std::ffi::CString;
use std::fmt;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use mneme_wire::{Counter, Status};

use super::RtlFast;

/// Nanoseconds of the file's time that a cycle lasts, as on hardware.
pub const NS_PER_CYCLE: u64 = 4;
/// The longest stretch that is waited in: what is kept are two of them.
pub const MOST_BEFORE: u64 = 1_000_000;

/// Which cycles, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WavePlan {
    /// The FST file; an old one is replaced.
    pub file: PathBuf,
    /// Which cycles.
    pub window: WaveWindow,
}

/// Which cycles are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaveWindow {
    /// So many from this one on.
    Cycles {
        /// The first.
        from: u64,
        /// How many, 1 at least.
        count: u64,
    },
    /// Those around the first time that something happens. Until then stretches of `before` cycles are written, of which the last two
    /// are kept: the one in which it happens, in the plan's file, and the one before it, in [`WavePlan::older`].
    Around {
        /// What is waited for.
        trigger: WaveTrigger,
        /// Cycles before it, 1 to [`MOST_BEFORE`].
        before: u64,
        /// Cycles after it.
        after: u64,
    },
    /// The last ones before the board is dropped, or [`RtlFast::end_waves`] is called: of so many in the plan's file at most, and as
    /// many before them in [`WavePlan::older`].
    Last {
        /// 1 to [`MOST_BEFORE`].
        cycles: u64,
    },
}

/// What may happen on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaveTrigger {
    /// An answer with this status begins to leave, whoever made it.
    Status(Status),
    /// The fast path counts something: a frame that it drops, a TLB miss.
    Counted(Counter),
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveReport {
    /// The file, and its cycles; none: the board never came so far.
    pub file: PathBuf,
    /// Its cycles.
    pub cycles: Range<u64>,
    /// The stretch before it.
    pub older: Option<(PathBuf, Range<u64>)>,
    /// The cycle in which what was waited for happened.
    pub triggered: Option<u64>,
    /// For GTKWave, and for Surfer.
    pub save_files: Vec<PathBuf>,
}

impl fmt::Display for WaveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cycles.is_empty() {
            return f.write_str("none, the board has not come so far");
        }
        let part = |file: &Path, cycles: &Range<u64>| {
            format!("cycles {} to {} in {}", cycles.start, cycles.end - 1, file.display())
        };
        f.write_str(&part(&self.file, &self.cycles))?;
        if let Some((file, cycles)) = &self.older {
            write!(f, ", {}", part(file, cycles))?;
        }
        if let Some(cycle) = self.triggered {
            write!(f, "; it happened in cycle {cycle}")?;
        }
        let saved: Vec<String> = self.save_files.iter().map(|file| file.display().to_string()).collect();
        write!(f, "; open them with {}", saved.join(" or "))
    }
}

/// Why there are no waveforms.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The board's library has no code for it.
    #[error(
        "this board was built without waveforms: `cargo xtask board CONFIGURATION --traced` builds one that can write them"
    )]
    NotBuilt,
    /// A file cannot be written.
    #[error("the waveforms cannot be written to {0}")]
    Write(PathBuf),
    /// A save file cannot be written.
    #[error("the save file {0} cannot be written")]
    Save(PathBuf, #[source] std::io::Error),
    /// The file that was written cannot be read.
    #[error("the waveforms in {0} cannot be read again: {1}")]
    Read(PathBuf, String),
    /// More or fewer cycles than can be kept.
    #[error("{0} cycles: there are 1 to {1}")]
    Cycles(u64, u64),
}

/// Told once what became of the waveforms.
pub(super) type Told = Box<dyn FnMut(Result<WaveReport, WaveError>) + Send>;

/// Waveforms that are being written.
pub(super) struct Recording {
    plan: WavePlan,
    told: Told,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl WavePlan {
    /// Where the stretch before the file's is: `FILE.before.fst` of `FILE.fst`.
    pub fn older(&self) -> PathBuf {
        self.file.with_extension("before.fst")
    }
    fn check(&self) -> Result<(), WaveError> {
        let (cycles, most) = match self.window {
            WaveWindow::Cycles { count, .. } => (count, u64::MAX / NS_PER_CYCLE / 4),
            WaveWindow::Around { before: cycles, .. } | WaveWindow::Last { cycles } => (cycles, MOST_BEFORE),
        };
        if cycles == 0 || cycles > most { Err(WaveError::Cycles(cycles, most)) } else { Ok(()) }
    }
}

/// A name that C can have. An empty one where it cannot: no file has it.
fn c_name(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

impl RtlFast {
    /// Writes waveforms as planned from the next cycle on; `told` hears once what became of them: when all cycles are written, when a
    /// file fails, or when the board is dropped, whichever comes first. The same cycles come whether they are written or not.
    ///
    /// Only boards that were built with waveforms can: those of `cargo xtask board ... --traced`.
    pub fn write_waves(
        &mut self,
        plan: WavePlan,
        told: impl FnMut(Result<WaveReport, WaveError>) + Send + 'static,
    ) -> Result<(), WaveError> {
        plan.check()?;
        self.end_waves();
        // Here and now: who starts a board does not want to hear hours later that the folder is missing.
        std::fs::File::create(&plan.file).map_err(|_| WaveError::Write(plan.file.clone()))?;
        // What an earlier run left is not this one's.
        let _ = std::fs::remove_file(plan.older());
        if !self.verilated.begin_waves(&plan, &c_name(&plan.file), &c_name(&plan.older())) {
            let _ = std::fs::remove_file(&plan.file);
            return Err(WaveError::NotBuilt);
        }
        self.recording = Some(Recording { plan, told: Box::new(told) });
        Ok(())
    }
    /// Ends the waveforms with what has been written.
    pub fn end_waves(&mut self) {
        if self.recording.is_some() {
            self.verilated.end_waves();
            self.look_at_waves();
        }
    }
    /// Tells what has become of waveforms that are complete.
    pub(super) fn look_at_waves(&mut self) {
        if self.recording.is_none() {
            return;
        }
        let state = self.verilated.waves_state();
        if state.done == 0 {
            return;
        }
        let Some(Recording { plan, mut told }) = self.recording.take() else { return };
        if state.failed != 0 {
            return told(Err(WaveError::Write(plan.file)));
        }
        let mut report = WaveReport {
            cycles: state.first..state.end,
            older: (state.older != 0).then(|| (plan.older(), state.older_first..state.first)),
            triggered: (state.triggered != 0).then_some(state.trigger),
            save_files: Vec::new(),
            file: plan.file,
        };
        if report.cycles.is_empty() {
            // The file that was made at the beginning is no FST file.
            let _ = std::fs::remove_file(&report.file);
            return told(Ok(report));
        }
        let saved = save::write(&report);
        told(saved.map(|files| {
            report.save_files = files;
            report
        }));
    }
}

impl Drop for RtlFast {
    fn drop(&mut self) {
        self.end_waves();
    }
}
