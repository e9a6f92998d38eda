package mneme.rdma

import mneme.wire.Wire
import mneme.wire.Wire.RoceResult
import spinal.core._

/** A command of the slow path, with what its registers hold. */
case class RoceOrder(r: RoceConfig) extends Bundle {
  /** A RoceCommand number. */
  val command = UInt(8 bits)
  val settings = QueuePairSettings()
  val psn = UInt(24 bits)
  /** Bytes a period that its answers may send; 0: as can. */
  val rate = UInt(32 bits)
  /** Its `valid` means nothing. */
  val region = Region()
  /** Of a queue pair: which pages it may give up. */
  val frees = r.leaf.map(FreeRow).orNull
}

/** How a command ended, and what a query tells. */
case class RoceAnswer() extends Bundle {
  /** A RoceResult number. */
  val result = UInt(8 bits)
  val expected, msn = UInt(24 bits)
  val inError, running, unanswered = Bool()
  val jobs = UInt(5 bits)
}

object RoceOrder {
  /** Whether a queue pair, or a region, can be as its registers say. */
  def judge(r: RoceConfig, order: RoceOrder): UInt = {
    val result = UInt(8 bits)
    val region = order.region
    result := RoceResult.DONE
    when(order.command === Wire.RoceCommand.CREATE_QUEUE_PAIR) {
      when(order.settings.mtuCode === 0 || order.settings.mtuCode > 5)(result := RoceResult.PATH_MTU)
      val limited = order.rate =/= 0
      when(limited && (order.rate < Wire.ROCE_RATE_LEAST || order.rate > Wire.ROCE_RATE_LINE))(result := RoceResult.RATE)
      when(order.settings.qpn < 2)(result := RoceResult.NUMBER)
      // No packet of such a number comes here.
      if (r.chains.isDefined) when(order.settings.qpn(RoceConfig.CHAIN_BIT))(result := RoceResult.NUMBER)
    }
    when(order.command === Wire.RoceCommand.CREATE_REGION) {
      // The end may be 2^48 itself.
      when((region.va +^ region.length) > (BigInt(1) << Wire.VA_BITS))(result := RoceResult.RANGE)
    }
    result
  }
}
