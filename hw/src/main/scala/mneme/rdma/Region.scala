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

/** A region as an access looks at it, before its end is compared: what that takes is a cycle's work of its own. */
case class RegionLook() extends Bundle {
  /** The row has the key, its process is the right one, the access begins inside, it may be done. */
  val key, process, inside, right = Bool()
  /** Bytes from the region's first one to the access's; the region's bytes. */
  val offset, length = UInt(Wire.VA_BITS bits)

  def grant(bytes: UInt): Grant = {
    val grant = Grant()
    val end = offset +^ bytes.resize(Wire.VA_BITS)
    val checks = Seq(
      key -> RoceCounter.KEY,
      process -> RoceCounter.PROCESS,
      (inside && end <= length.resize(Wire.VA_BITS + 1)) -> RoceCounter.RANGE,
      right -> RoceCounter.RIGHT
    )
    grant.granted := checks.map(_._1).andR
    grant.reason := U(checks.last._2, RoceCounters.BITS bits)
    for ((holds, reason) <- checks.init.reverse) when(!holds)(grant.reason := reason)
    grant
  }
}

object Region {
  /** `right` is a ROCE_RIGHT_ bit. Addresses have 64 bits on the wire, and memory has fewer: those past it are in no region. */
  def look(row: Region, key: Bits, pid: UInt, va: UInt, right: Bits): RegionLook = {
    val look = RegionLook()
    val offset = va -^ row.va.resize(64)
    look.key := row.valid && row.key === key
    look.process := row.pid === pid
    look.inside := !offset.msb && offset(63 downto Wire.VA_BITS) === 0
    look.right := (row.rights & right).orR
    look.offset := offset(Wire.VA_BITS - 1 downto 0)
    look.length := row.length
    look
  }
}
