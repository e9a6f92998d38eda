package mneme.chain

import mneme.Faults
import mneme.wire.Wire.ChainCounter
import spinal.core._

/** What chains count beside the port's counters, 32 bits each; they wrap.
  *
  * Several events come in a cycle, and one memory has the counts, so each event has a small counter of its own. One of these goes to the memory in each cycle,
  * in turn. Its turn comes each 32 cycles, so it counts to 32 and no farther: nothing is lost, and a count is at most that much late.
  */
case class ChainCounters(plantable: Boolean = false) extends Component {
  val io = new Bundle {
    /** By ChainCounter number. */
    val events = in Bits (ChainCounters.NUMBER bits)
    val index = in UInt (ChainCounters.BITS bits)
    /** Of the counter `index`, a cycle later; 0 of a number that none has. */
    val value = out UInt (32 bits)
  }
  val plantedFaults: Option[Bits] = Faults.port(ChainCounterFault, plantable)
  private val planted = new Faults[ChainCounterFault.Value](plantedFaults)
  private val counts = Mem(UInt(32 bits), 1 << ChainCounters.BITS).addAttribute("ram_style", "distributed")
  private val turn = Reg(UInt(ChainCounters.BITS bits)) init 0
  turn := turn + 1

  /** Memory is not emptied by a reset: the first round writes over what was there. */
  private val stale = RegInit(True) clearWhen turn.andR
  private val waiting = io.events.asBools.zipWithIndex.map { case (event, i) =>
    val waits = Reg(UInt(ChainCounters.BITS + 1 bits)) init 0
    val kept = Mux(turn === i, U(0, ChainCounters.BITS + 1 bits), waits)
    waits := kept + event.asUInt
    when(planted.choose(ChainCounterFault.LostAtItsTurn, wrong = turn === i, right = False))(waits := 0)
    waits
  }
  private val added = Vec(waiting ++ Seq.fill((1 << ChainCounters.BITS) - ChainCounters.NUMBER)(U(0, ChainCounters.BITS + 1 bits)))(turn)
  private val before = counts.readAsync(turn).andMask(planted.choose(ChainCounterFault.KeptOverReset, wrong = True, right = !stale))
  counts.write(turn, before + added)
  io.value := RegNext(counts.readAsync(io.index).andMask(!stale)) init 0
}

object ChainCounters {
  val NUMBER: Int = ChainCounter.all.size
  val BITS: Int = log2Up(NUMBER)
  require(ChainCounter.all.map(_._2) == (0 until NUMBER))
}

/** Defects that benches plant. No build of a board has one. */
object ChainCounterFault extends Enumeration {
  val
  /** What comes in the cycle of its turn is forgotten. */
  LostAtItsTurn,
  /** A reset does not empty the counts. */
  KeptOverReset = Value
}
