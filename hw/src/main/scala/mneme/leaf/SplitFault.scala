package mneme.leaf

/** Defects of accesses to split pages that benches and proofs plant. No build of a board has one. */
object SplitFault extends Enumeration {
  val
  /** A token does not wait for others of its page. */
  OrderIgnored,
  /** A fence does not wait. */
  FencePasses,
  /** Where one token comes as another one leaves, the one that leaves stays counted. */
  CountLost,
  /** A token that may pass is gone when one that waited leaves instead. */
  Swallowed,
  /** A leaf table that is nobody's is some segment's. */
  TableUnchecked,
  /** An access that ends with its page's last byte is about the next page, too. */
  BorderMissed,
  /** The second page is looked up as the first one once more. */
  SecondForgotten,
  /** A write takes a frame though there is none for its other page. */
  OtherUnasked,
  /** A page without a frame is not read from the frame of zeros. */
  ZerosUnread,
  /** An atomic is asked for as a write. */
  AtomicWrites,
  /** What is refused after it has begun never ends. */
  RefusedKept,
  /** An access across two pages begins twice, and ends once. */
  BeginsTwice,
  /** Frames are given to others while an access to them goes on. */
  NotBegun,
  /** Of two accesses that end at once one is told. */
  EndLost = Value
}
