//! Waveforms through the C interface.
use std::ffi::CString;

use super::{Verilated, Waves, WavesState};
use crate::waves::{WavePlan, WaveTrigger, WaveWindow};

impl Verilated {
    /// Begins to write waveforms; the names of files end with 0. False: this board was not built to.
    pub(crate) fn begin_waves(&mut self, plan: &WavePlan, file: &CString, older: &CString) -> bool {
        let mut waves = Waves {
            file: file.as_ptr(),
            older: older.as_ptr(),
            from: 0,
            count: 0,
            before: 0,
            after: 0,
            trigger: 0,
            value: 0,
        };
        match plan.window {
            WaveWindow::Cycles { from, count } => (waves.from, waves.count) = (from, count),
            // Nothing ends it.
            WaveWindow::Last { cycles } => (waves.before, waves.trigger) = (cycles, 3),
            WaveWindow::Around { trigger, before, after } => {
                (waves.before, waves.after) = (before, after);
                (waves.trigger, waves.value) = match trigger {
                    WaveTrigger::Status(status) => (1, u32::from(status.number())),
                    WaveTrigger::Counted(counter) => (2, counter.number()),
                };
            }
        }
        // SAFETY: `board` is alive and exclusively ours; `waves` and the names live during the call, which copies them; a counter's number
        // is that of a wire, of which there is one for each.
        unsafe { (self.api.waves)(self.board.as_ptr(), &waves) != 0 }
    }
    /// Closes the file of waveforms, if there is one.
    pub(crate) fn end_waves(&mut self) {
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.end_waves)(self.board.as_ptr()) }
    }
    pub(crate) fn waves_state(&self) -> WavesState {
        let mut state = WavesState::default();
        // SAFETY: `board` is alive; the call only reads it and fills `state`.
        unsafe { (self.api.waves_state)(self.board.as_ptr(), &mut state) };
        state
    }
}
