package mneme.filter

/** Defects that a bench plants, to show that it would notice them. No build of a board has one. */
object FilterFault extends Enumeration {
  /** The digest is not compared. */
  val NoDigest = Value
  /** No request is ever too old. */
  val WindowOff = Value
  /** A lower attempt of a released operation executes. */
  val LowerAttemptExecutes = Value
  /** A doubled packet of a pending operation executes, if its attempt is higher. */
  val PendingExecutes = Value
  /** An entry that is live may be replaced. */
  val LiveReplaced = Value
  /** Updates are taken, and not written. */
  val UpdateLost = Value
  /** Old entries stay, so that rows fill up, and they come alive again when the tick wraps. */
  val NoScrub = Value
  /** A lookup does not wait for an earlier one of the same operation. */
  val NoConflictWait = Value
  /** A lookup does not see what earlier ones, still on their way, do to its rows. */
  val NoForward = Value
  /** An equal fingerprint counts as an equal key. */
  val FingerprintIsKey = Value
  /** One source group may take the whole filter. */
  val NoShare = Value
  /** A group with its share leaves no way of a row to others. */
  val RowsFilled = Value
  /** A higher attempt of an operation with which memory failed executes. */
  val FailedExecutes = Value
  /** Flipped bits in keys and ends go unseen. */
  val EntryDamageIgnored = Value
  /** Flipped bits in rows go unseen. */
  val RowDamageIgnored = Value
}
