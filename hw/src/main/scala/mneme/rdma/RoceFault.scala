package mneme.rdma

/** Faults that the benches plant into the port's receive and transmit sides, and find. */
object RoceFault extends Enumeration {
  val
  /** The byte with the congestion bits is in the ICRC. */
  CongestionCovered,
  /** A wrong ICRC is not noticed. */
  IcrcAccepted,
  /** Bytes between the packet's end and the frame's are in the ICRC. */
  PaddingCovered,
  /** A dropped packet keeps its place in the store. */
  PlaceLost,
  /** A packet that no place was free for is handed on. */
  FullAccepted,
  /** Of two places that come back in one cycle, one is lost. */
  ReturnLost,
  /** A place that is offered while another comes back stays among the free ones. */
  PlaceKept,
  /** A fragment is not noticed. */
  FragmentAccepted,
  /** A payload that ends where its pad should begin is not noticed. */
  PadAccepted,
  /** The payload of a packet counts its pad. */
  PadCounted,
  /** All packets that come have one list. */
  SharesIgnored,
  /** A process may have all places. */
  BoundIgnored,
  /** A packet comes out before one that is about to stand in its list. */
  Overtaken,
  /** A packet joins a list whose last one leaves in this cycle. */
  EndMissed,
  /** Who was a list's last one stays that. */
  LastKept,
  /** Damage under a payload does not show in its frame. */
  ErrorHidden,
  /** Bytes behind a payload's end are sent. */
  PayloadLeaks,
  /** Of an ICRC across two beats the second half is missing. */
  HalfIcrc,
  /** The header's checksum loses what overflows twice. */
  CarryLost,
  /** A WRITE has an acknowledge's syndrome and number, too. */
  AethInWrites,
  /** Immediate data stand before RETH as well as behind. */
  ImmediateTwice = Value
}
