package mneme.mem

/** Defects that a test can plant into [[MemoryAccess]] to show that its bench would notice them. No build of a board has one. */
sealed trait MemoryFault

object MemoryFault {
  /** A read's last beat carries one byte more than was asked for. */
  case object LengthOffByOne extends MemoryFault
  /** Write strobes sit one byte too high. */
  case object StrobeShifted extends MemoryFault
  /** A write is answered when its last beat has left, not when memory acknowledged it. */
  case object OkBeforeB extends MemoryFault
  /** Reads do not wait for writes in flight, nor writes for reads. */
  case object NoDirectionDrain extends MemoryFault
  /** Bursts run across 4 KB borders. */
  case object NoBurstSplit extends MemoryFault
  /** A compare-and-swap stores its new word whatever it finds. */
  case object SwapAlways extends MemoryFault
  /** The response code of memory is ignored. */
  case object ErrorIgnored extends MemoryFault
  /** The packet slot of a request that arrived answered is kept. */
  case object SlotLeaked extends MemoryFault
  /** A fence does not wait. */
  case object FenceIgnored extends MemoryFault
  /** AR is sent without room for its data. */
  case object NoReservation extends MemoryFault

  val all: Seq[MemoryFault] =
    Seq(LengthOffByOne, StrobeShifted, OkBeforeB, NoDirectionDrain, NoBurstSplit, SwapAlways, ErrorIgnored, SlotLeaked, FenceIgnored, NoReservation)
}
