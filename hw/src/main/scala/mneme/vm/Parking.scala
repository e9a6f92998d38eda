package mneme.vm

import mneme.{CBoardConfig, Request}
import mneme.wire.Wire
import spinal.core._

/** What a request that waits for its page may not forget. It has not been answered, and its translation is not known. */
case class Parked(c: CBoardConfig) extends Bundle {
  val srcMac = Bits(48 bits)
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opcode = Bits(8 bits)
  val keyPhase, timed = Bool()
  val pid = UInt(Wire.PID_BITS bits)
  val opId = Bits(32 bits)
  val attempt = UInt(8 bits)
  val time = UInt(24 bits)
  val va = UInt(Wire.VA_BITS bits)
  val length = UInt(16 bits)
  val operand0, operand1 = Bits(64 bits)
  val filtered = Bool()
  val filterEntry = UInt(log2Up(c.filterEntries) bits)
  val tickFilter = UInt(24 bits)
  val age = Age(c)
}

/** Counts the requests that enter. */
object Age {

  /** Requests of which neither has left are so few apart. */
  private def apart(c: CBoardConfig): Int = log2Up(c.packetSlots)
  def apply(c: CBoardConfig): UInt = UInt(apart(c) + 2 bits)

  /** Whether a parked request entered before one that never waited. It may have waited for so long that the count has come round: then it is
    * taken for a later one while no more requests pass than may be inside.
    */
  def before(c: CBoardConfig, parked: UInt, other: UInt): Bool = (parked - other).drop(apart(c)).orR
}

/** What the decision on a request needs of it. */
case class Asking() extends Bundle {
  val access = Access()
  val time = UInt(24 bits)
}

/** Where requests wait for their pages: one place for each packet slot, so there is always room. */
case class Parking(c: CBoardConfig) extends Area {
  private val requests = Mem(Parked(c), c.packetSlots).addAttribute("ram_style", "distributed")
  private val questions = Mem(Asking(), c.packetSlots).addAttribute("ram_style", "distributed")

  def write(request: Request, age: UInt, enable: Bool): Unit = {
    val parked = Parked(c)
    parked.assignSomeByName(request)
    parked.age := age
    requests.write(request.slot, parked, enable = enable)
    val asking = Asking()
    asking.access := Access.of(request)
    asking.time := request.time
    questions.write(request.slot, asking, enable = enable)
  }

  /** The request of this slot; what the decision on it needs. Both in the same cycle. */
  def request(slot: UInt): Parked = requests.readAsync(slot)
  def question(slot: UInt): Asking = questions.readAsync(slot)
}
