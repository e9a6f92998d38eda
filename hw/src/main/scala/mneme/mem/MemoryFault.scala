package mneme.mem

/** Defects that a test can plant into [[MemoryAccess]] to show that its bench would notice them. No build of a board has one. */
object MemoryFault extends Enumeration {
  /** A read's last beat carries one byte more than was asked for. */
  val LengthOffByOne = Value
  /** Write strobes sit one byte too high. */
  val StrobeShifted = Value
  /** A burst of a write ends when its last beat has left, not when memory acknowledged it. */
  val OkBeforeB = Value
  /** A read does not wait for writes in flight; nor an atomic. */
  val ReadOvertakesWrite = Value
  /** Bursts of the largest size wherever they begin, across 4 KB borders. */
  val NoBurstSplit = Value
  /** A compare-and-swap stores its new word whatever it finds. */
  val SwapAlways = Value
  /** The response codes of memory are ignored. */
  val ErrorIgnored = Value
  /** A token that asks for nothing has no end. */
  val EndLost = Value
  /** A fence does not wait. */
  val FenceIgnored = Value
  /** AR is sent without room for its data. */
  val NoReservation = Value
  /** A write does not wait for reads in flight; nor an atomic. */
  val WriteOvertakesRead = Value
  /** Nothing waits for atomics in flight. */
  val AtomicsUnordered = Value
  /** The access just ahead, which has no place yet, is not waited for. */
  val AheadOverlooked = Value
  /** Of a memory access with a door of frames: the end of a frame's read counts as a translated one's. */
  val FramesRetire = Value
  /** The same: a frame's read that failed is told to those who ask for the bytes by translation. */
  val FrameErrorKept = Value

  /** Those that need a door of frames. */
  val ofFrames: Set[Value] = Set(FramesRetire, FrameErrorKept)
}
