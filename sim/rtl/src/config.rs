//! Which boards there are.
use mneme_model::soft::BoardShape;

use super::LoadedBoard;

/// The Verilated configurations (contracts §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RtlConfig {
    /// Limits within easy reach.
    Tiny,
    /// The default.
    Sim,
    /// Jumbo frames.
    Wide,
    /// Parameters where they are hardest.
    Odd,
    /// The most memory: what is measured.
    #[cfg(feature = "large")]
    Large,
    /// The device's own size.
    #[cfg(feature = "zcu106")]
    Zcu106,
    /// A second door.
    #[cfg(feature = "doors")]
    Doors,
    /// Trailers.
    #[cfg(feature = "tags")]
    Tags,
    /// A RoCEv2 port at the second door.
    #[cfg(feature = "rdma")]
    Rdma,
    /// One that was built apart.
    Loaded(&'static LoadedBoard),
}

impl RtlConfig {
    /// Every configuration that is part of this build.
    pub const ALL: &'static [RtlConfig] = &[
        RtlConfig::Tiny,
        RtlConfig::Sim,
        RtlConfig::Wide,
        RtlConfig::Odd,
        #[cfg(feature = "large")]
        RtlConfig::Large,
        #[cfg(feature = "zcu106")]
        RtlConfig::Zcu106,
        #[cfg(feature = "doors")]
        RtlConfig::Doors,
        #[cfg(feature = "tags")]
        RtlConfig::Tags,
        #[cfg(feature = "rdma")]
        RtlConfig::Rdma,
    ];
    /// The build parameters.
    pub const fn shape(self) -> BoardShape {
        match self {
            RtlConfig::Tiny => BoardShape::TINY,
            RtlConfig::Sim => BoardShape::SIM,
            RtlConfig::Wide => BoardShape::WIDE,
            RtlConfig::Odd => BoardShape::ODD,
            #[cfg(feature = "large")]
            RtlConfig::Large => BoardShape::LARGE,
            #[cfg(feature = "zcu106")]
            RtlConfig::Zcu106 => BoardShape::ZCU106,
            #[cfg(feature = "doors")]
            RtlConfig::Doors => BoardShape::DOORS,
            #[cfg(feature = "tags")]
            RtlConfig::Tags => BoardShape::TAGS,
            #[cfg(feature = "rdma")]
            RtlConfig::Rdma => BoardShape::RDMA_PORT,
            RtlConfig::Loaded(board) => board.shape,
        }
    }
    /// Whether there is a kept configuration of this name, in this build or not.
    pub fn has_kept(name: &str) -> bool {
        BoardShape::named(name).is_some() || name == BoardShape::RDMA_PORT.name
    }
    /// The configuration of this name.
    pub fn named(name: &str) -> Option<RtlConfig> {
        Self::ALL.iter().copied().find(|config| config.shape().name == name)
    }
}
