package mneme.net

/** Defects that a bench plants, to show that it would notice them. No build of a board has one. */
object NetFault extends Enumeration {
  /** A frame that the MAC reported as damaged is taken. */
  val DamagedAccepted = Value
  /** A dropped frame keeps its packet slot. */
  val SlotLeaked = Value
  /** Nobody looks at the UDP checksum. */
  val UdpChecksumIgnored = Value
  /** An access may end one byte past its page. */
  val CrossingOffByOne = Value
  /** Requests of another epoch execute. */
  val StaleAccepted = Value
  /** A response carries one payload byte more than it says. */
  val LengthOffByOne = Value
  /** The IPv4 checksum loses its last carry. */
  val CarryLost = Value
  /** A read that met a memory error leaves as a good frame. */
  val ErrorHidden = Value
  /** The header leaves although the filter has not heard of the end. */
  val HeaderBeforeUpdate = Value
  /** A write with which memory failed is told to the filter as one that did nothing. */
  val FailureReleased = Value
  /** Nobody counts the frames that leave as damaged. */
  val DamageUncounted = Value
  /** A frame of the slow path competes for egress from its first beat on. */
  val SlowFrameInParts = Value
  /** A frame of the slow path that is too long is taken. */
  val SlowGiantTaken = Value
  /** A request's last line, which is not full, costs its class nothing. */
  val LastLineFree = Value
}
