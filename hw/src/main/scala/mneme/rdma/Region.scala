package mneme.rdma

import mneme.wire.Wire
import mneme.wire.Wire.RoceCounter
import spinal.core._
import spinal.lib._

/** A range of a process's memory under one key. */
case class Region() extends Bundle {
  val valid = Bool()
  /** The low bits are the row's number; all are compared. */
  val key = Bits(32 bits)
  val pid = UInt(Wire.PID_BITS bits)
  val va, length = UInt(Wire.VA_BITS bits)
  /** The ROCE_RIGHT_ bits. */
  val rights = Bits(3 bits)
}

/** Whether an access is granted, or what is counted when not. */
case class Grant() extends Bundle {
  val granted = Bool()
  val reason = UInt(RoceCounters.BITS bits)
}

object Region {
  /** `right` is a ROCE_RIGHT_ bit. Addresses have 64 bits on the wire, and memory has fewer: those past it are in no region. */
  def check(row: Region, key: Bits, pid: UInt, va: UInt, bytes: UInt, right: Bits): Grant = {
    val grant = Grant()
    val offset = va -^ row.va.resize(64)
    val inside = !offset.msb && offset(63 downto Wire.VA_BITS) === 0
    val end = offset(Wire.VA_BITS - 1 downto 0) +^ bytes.resize(Wire.VA_BITS)
    val checks = Seq(
      (row.valid && row.key === key) -> RoceCounter.KEY,
      (row.pid === pid) -> RoceCounter.PROCESS,
      (inside && end <= row.length.resize(Wire.VA_BITS + 1)) -> RoceCounter.RANGE,
      (row.rights & right).orR -> RoceCounter.RIGHT
    )
    grant.granted := checks.map(_._1).andR
    grant.reason := U(checks.last._2, RoceCounters.BITS bits)
    for ((holds, reason) <- checks.init.reverse) when(!holds)(grant.reason := reason)
    grant
  }
}
