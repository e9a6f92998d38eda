package mneme.trailer

/** Defects that a bench or a proof plants, to show that it would notice them. No build of a board has one. */
object TrailerFault extends Enumeration {
  /** A last word goes to every engine that waits for one. */
  val LastsToAll = Value
  /** Engines other than the one whose turn it is lose their tags. */
  val TagsOutOfTurn = Value
  /** The cache of keys survives a change of the board's keys. */
  val CacheKept = Value
  /** Half of a tag is compared. */
  val HalfCompared = Value
  /** A tag of a process under a phase without a key is good. */
  val PhaseOverlooked = Value
  /** A trailer that needs a beat of its own is left out. */
  val BeatLeftOut = Value
  /** The frame's damage is told with the beat before its last. */
  val DamageEarly = Value
}
