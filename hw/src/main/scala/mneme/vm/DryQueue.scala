package mneme.vm

import mneme.{CBoardConfig, Control, Faults}
import spinal.core._
import spinal.lib._

/** A page fault without a page: the number of its miss entry, and the token's place. */
case class Waiting(c: CBoardConfig) extends Bundle {
  val number = UInt(log2Up(c.misses) bits)
  val place = UInt(c.placeBits bits)
}

/** Page faults that found the async buffer dry, oldest first. Each keeps its miss entry, and with it the requests of its page, while others pass.
  *
  * The oldest is decided again when there is a page, or when it must not wait any longer: a quarter of the window or 2^18 cycles after it
  * came, or when somebody is in a hurry. Half of the miss entries at most wait here, so the others are left to pages that need no new page.
  */
case class DryQueue(c: CBoardConfig, planted: Faults[PlantedFault.Value] = Faults.none) extends Component {
  val io = new Bundle {

    /** Ready while there is room. */
    val fault = slave Stream (Waiting(c))

    /** The oldest, to be decided again. Then it has been `decided`, or it `stays`. */
    val turn = master Stream (Waiting(c))
    val decided, stays = in Bool ()

    /** Miss entries of all that wait. */
    val entries = out Bits (c.misses bits)

    /** The async buffer has a page. */
    val page = in Bool ()

    /** Somebody can not go on before the faults that wait. */
    val hurry = in Bool ()
    val control = in(Control())

    /** Nobody may wait: what finds no page is refused. */
    val urgent = out Bool ()
  }

  private[vm] case class Kept() extends Bundle {
    val fault = Waiting(c)
    val deadline = UInt(24 bits)
  }

  /** Ticks for which a fault may wait. */
  private[vm] val patience = {
    val quarter = io.control.window.drop(2).asUInt
    val most = DryQueue.mostTicksLog2(c)
    RegNext(quarter.drop(most).orR ? U(1 << most, most + 1 bits) | quarter.resize(most + 1))
  }

  private val entries = Reg(Bits(c.misses bits)) init 0
  private[vm] val queue = StreamFifo(Kept(), DryQueue.depth(c), latency = 1)
  // Known a cycle before it is asked: the decision on what is in it must not depend on that decision, and comes late enough.
  private[vm] val room = new Area {
    val used = Reg(UInt(log2Up(DryQueue.depth(c) + 1) bits)) init 0
    val full = RegInit(False)
    when(io.fault.fire =/= io.decided) {
      used := Mux(io.fault.fire, used + 1, used - 1)
      val depth = DryQueue.depth(c)
      val last = planted.choose(PlantedFault.DryOverflows, wrong = used === depth, right = used === depth - 1)
      full := io.fault.fire && last
    }
  }
  io.fault.ready := !room.full
  queue.io.push.valid := io.fault.fire
  queue.io.push.fault := io.fault.payload
  queue.io.push.deadline := io.control.tick + patience
  private val oldest = queue.io.pop
  oldest.ready := io.decided

  private val late = !(io.control.tick - oldest.deadline).msb
  io.urgent := RegNext(io.control.exhausted || io.hurry || planted.choose(PlantedFault.WaitsForEver, wrong = False, right = oldest.valid && late)) init False

  private[vm] val away = RegInit(False) setWhen (io.turn.fire) clearWhen (io.decided || io.stays)
  io.turn.valid := oldest.valid && planted.choose(PlantedFault.DryTurnTwice, wrong = True, right = !away) && (io.page || io.urgent)
  io.turn.payload := oldest.fault

  private def entry(fault: Waiting, when: Bool): Bits = UIntToOh(fault.number, c.misses).andMask(when)
  private val ends = planted.choose(PlantedFault.DryForgets, wrong = io.decided || io.stays, right = io.decided)
  entries := (entries | entry(io.fault.payload, io.fault.fire)) & ~entry(oldest.fault, ends)
  io.entries := entries
}

object DryQueue {

  /** Faults that may wait: at least one miss entry is left. */
  def depth(c: CBoardConfig): Int = c.misses / 2

  /** 2^18 cycles, a millisecond, in which four pages of 4 MB can be zeroed; a tick if that is longer. A window may be far longer, and then
    * BUSY is the better answer.
    */
  def mostTicksLog2(c: CBoardConfig): Int = (18 - c.tickLog2) max 0
}
