package mneme.vm

import mneme.{CBoardConfig, Control, Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Page faults that wait for a page: oldest first, none lost or doubled, and none waits for much longer than its time.
  *
  * The miss table takes a turn and the fault unit decides it within a few cycles. Who is decided while it is urgent does not go on waiting, which
  * [[FaultUnitProof]] shows.
  */
object DryQueueProof {
  /** Cycles for which a turn is stalled, and after which it has been decided: at most. */
  private val stalls = 2
  private val decides = 3

  /** Cycles in which the oldest's time is over: one until that is known, and one for its turn. */
  private val overdueMost = 2 + stalls + decides

  private case class Model(c: CBoardConfig) extends Bundle {
    val fault = Waiting(c)
    val came = UInt(24 bits)
    /** Cycles since its time was over. */
    val overdue = UInt(8 bits)
  }

  class Harness(c: CBoardConfig, fault: Option[PlantedFault.Value] = None) extends Component {
    private val dut = FormalDut(DryQueue(c, Faults.one(PlantedFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io
    private val depth = DryQueue.depth(c)

    // --- A window, any, and time, which goes on by a tick in some cycles.
    private val window = anyconst(UInt(24 bits))
    private val tick = Reg(UInt(24 bits))
    private val ticks = anyseq(Bool())
    when(ticks)(tick := tick + 1)
    private val exhausted = anyseq(Bool())
    io.control := anyconst(Control())
    for (set <- Seq(io.control.window, io.control.tick, io.control.exhausted)) set.allowOverride()
    io.control.window := window
    io.control.tick := tick
    io.control.exhausted := exhausted
    private val patience = {
      val (most, quarter) = (U(1 << DryQueue.mostTicksLog2(c), 24 bits), (window >> 2).resize(24))
      (quarter > most) ? most | quarter
    }

    // --- What stands around it.
    for (free <- Seq(io.fault.valid, io.turn.ready, io.decided, io.stays, io.page, io.hurry)) free := anyseq(Bool())
    io.fault.payload := anyseq(Waiting(c))
    // A page has one entry, and its later requests do not pass one that waits.
    assume(!io.fault.valid || !io.entries(io.fault.number))
    private val asked = RegInit(False) setWhen (io.turn.fire) clearWhen (io.decided || io.stays)
    assume(!(io.decided || io.stays) || asked)
    assume(!(io.decided && io.stays))
    assume(!io.stays || !io.urgent)
    private val stalled, since = Reg(UInt(3 bits)) init 0
    stalled := io.turn.isStall ? (stalled + 1) | U(0)
    assume(stalled < stalls || !io.turn.isStall)
    since := (asked && !io.decided && !io.stays) ? (since + 1) | U(0)
    assume(since < decides - 1 || !asked || io.decided || io.stays)

    // --- Those that wait, oldest first.
    private val model = Vec.fill(depth)(Reg(Model(c)))
    private val count = Reg(UInt(log2Up(depth + 1) bits)) init 0
    private val waits = model.indices.map(i => count > i)
    private val ages = model.map(kept => tick - (kept.came + patience))
    private val late = ages.zip(waits).map { case (age, there) => there && !age.msb }
    private val came = Model(c)
    came.fault := io.fault.payload
    came.came := tick
    came.overdue := 0
    for (i <- model.indices) {
      val after = if (i + 1 < depth) i + 1 else i
      when(io.decided) {
        model(i).fault := model(after).fault
        model(i).came := model(after).came
        model(i).overdue := late(after) ? (model(after).overdue + 1) | U(0)
      } elsewhen (late(i))(model(i).overdue := model(i).overdue + 1)
      when(io.fault.fire && count - io.decided.asUInt === i)(model(i) := came)
    }
    count := count + io.fault.fire.asUInt - io.decided.asUInt
    // For the oldest alone, since it is that.
    private val oldestOverdue = Reg(UInt(4 bits)) init 0
    oldestOverdue := (late.head && !io.decided) ? (oldestOverdue + 1) | U(0)

    // --- Nothing is lost or doubled, and the oldest goes first.
    private val entries = model.zip(waits).map { case (kept, there) => UIntToOh(kept.fault.number, c.misses).andMask(there) }
    assert(count <= depth && io.fault.ready === (count < depth))
    assert(io.entries === entries.reduce(_ | _))
    for (i <- 0 until depth; j <- 0 until i) assert((entries(i) & entries(j)) === 0)
    assert(io.turn.valid === (waits.head && !asked && (io.page || io.urgent)))
    assert(!io.turn.valid || io.turn.payload === model.head.fault)

    // --- When nobody may wait, and that nobody waits longer then. Nobody is refused before its time for nothing.
    assert(io.urgent === (RegNext(exhausted || io.hurry || late.head) init False))
    for (i <- 0 until depth) assert(!waits(i) || model(i).overdue < overdueMost * depth)
    cover(oldestOverdue === overdueMost - 1)

    // --- What the machine keeps, which induction needs.
    private val peek = dut.queue rework new Area {
      private val logic = dut.queue.logic
      val kept = Vec.tabulate(depth)(i => logic.ram.readAsync(logic.ptr.pop.resize(log2Up(depth)) + i))
      for ((word, i) <- kept.zipWithIndex) out(word.setName(s"watched$i"))
    }
    assert(dut.queue.io.occupancy === count && dut.room.used.pull() === count && dut.room.full.pull() === (count === depth))
    assert(dut.away.pull() === asked && dut.patience.pull() === patience && (!asked || waits.head))
    for (i <- 0 until depth) when(waits(i)) {
      assert(peek.kept(i).fault === model(i).fault && peek.kept(i).deadline === model(i).came + patience)
      // Who came earlier is late earlier, and nobody has waited for so long that the tick has come round.
      assert(late(i) || model(i).came + patience - tick <= patience)
      assert(!late(i) || ages(i) <= model(i).overdue +^ U(1))
      assert(late(i) || model(i).overdue === 0)
      assert(model(i).overdue <= overdueMost * (depth - 1 - i) + oldestOverdue)
      if (i > 0) assert(ages(i - 1).asSInt >= ages(i).asSInt)
    }
    assert(stalled <= stalls && (stalled === 0 || !asked) && since < decides && (asked || since === 0))
    when(oldestOverdue =/= 0) {
      assert(waits.head && late.head && io.urgent)
      assert(asked ? (oldestOverdue <= 2 + stalls + since) | (oldestOverdue <= 1 + stalled))
    }

    // --- What is reached.
    private val full = RegInit(False) setWhen (count === depth)
    private val noReason = RegInit(True) clearWhen (exhausted || io.hurry)
    private val stayed = RegInit(False) setWhen (io.stays)
    cover(full && count === 0 && stayed)
    cover(noReason && io.urgent && patience === 2)
    cover(noReason && io.turn.fire && !io.urgent && patience > 4)
  }
}

class DryQueueProof extends Proof {
  import DryQueueProof._

  private val c = CBoardConfig.tiny.copy(name = "dry", misses = 4)
  long(proves("page faults that wait: oldest first, none lost, none for long", 2)(new Harness(c)))
  reaches("a queue that was full and empties, turns by a page and by the time", 18)(new Harness(c))
  for (fault <- Seq(PlantedFault.WaitsForEver, PlantedFault.DryOverflows, PlantedFault.DryTurnTwice, PlantedFault.DryForgets))
    refutes(s"page faults that wait, with $fault", 8)(new Harness(c, Some(fault)))
}
