//! What the differential test found.
use mneme_model::soft::BoardRequest;

/// The board and the model disagree, or the board stands still.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Mismatch {
    what: String,
}

impl Mismatch {
    /// A disagreement in words.
    pub fn new(what: String) -> Mismatch {
        Mismatch { what }
    }
    /// With the answer that the model would give.
    pub fn expecting(self, expected: &[u8], request: &BoardRequest) -> Mismatch {
        let mut shown = request.clone();
        let carried = shown.payload.len();
        shown.payload.truncate(16);
        Mismatch::new(format!(
            "{}\n  model  {}\n  request {shown:?}, payload of {carried} bytes",
            self.what,
            hex(expected)
        ))
    }
}

/// The first 128 bytes of a frame.
pub fn hex(frame: &[u8]) -> String {
    let shown: String = frame.iter().take(128).map(|byte| format!("{byte:02x}")).collect();
    format!("{shown}{} ({} bytes)", if frame.len() > 128 { "…" } else { "" }, frame.len())
}
