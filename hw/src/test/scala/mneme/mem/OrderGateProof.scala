package mneme.mem

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** No access starts while one is in flight that it must not overtake, told from what both really touch; all that come start once, in order; and
  * nothing waits when nothing is in flight.
  */
object OrderGateProof {

  /** What an access touches: lines of a block, or a word. */
  case class Touch() extends Bundle {
    val work = Work()
    val block = UInt(2 bits)
    val line, lastLine = UInt(6 bits)
    val word = UInt(3 bits)

    def isSound: Bool = {
      val kinds = work.read ## work.write ## work.atomic
      (kinds === 1 || kinds === 2 || kinds === 4) && line <= lastLine && (!work.atomic || line === lastLine)
    }

    /** Memory may change the order of the two, and whoever looks could tell. */
    def mustFollow(before: Touch): Bool = {
      val together = block === before.block && line <= before.lastLine && before.line <= lastLine
      val ordered = (work.read && before.work.read) || (work.write && before.work.write) || (work.atomic && before.work.atomic && word =/= before.word)
      together && !ordered
    }
  }

  class Harness(fault: Option[MemoryFault.Value] = None) extends Component {
    private val (places, keyBits) = (4, 1)
    private val faults = Faults.one(MemoryFault)(fault)
    private val dut = FormalDut(new OrderGate(Touch(), keyBits, places, ends = 2, faults))
    Proof.resetFirst()

    // --- Any accesses, and any order of their ends.
    private val arriving = anyseq(Touch())
    assume(arriving.isSound)
    dut.io.arriving.valid := anyseq(Bool())
    dut.io.arriving.payload.payload := arriving
    private def orderOf(touch: Touch): Order = {
      val order = Order(keyBits)
      order.work := touch.work
      order.key := touch.block.xorR.asBits
      order.single := touch.line === touch.lastLine
      order.line := touch.line
      order.word := touch.word
      order
    }
    dut.io.arriving.payload.order := orderOf(arriving)

    private val flying = RegInit(B(0, places bits))
    private val touches = Vec.fill(places)(Reg(Touch()))
    private val ends = dut.io.ended.map { port =>
      port.valid := anyseq(Bool())
      port.payload := anyseq(UInt(2 bits))
      assume(!port.valid || flying(port.payload))
      UIntToOh(port.payload, places) & Repeat(port.valid, places)
    }
    assume((ends(0) & ends(1)) === 0)

    // --- What came and has not started.
    private val started = dut.io.started
    private val pending = RegInit(False) setWhen (dut.io.arriving.fire) clearWhen (started.valid && !dut.io.arriving.fire)
    private val came = RegNextWhen(arriving, dut.io.arriving.fire)
    assert(!started.valid || (pending && started.payload.payload === came))
    assert(!dut.io.arriving.fire || !pending || started.valid)

    // --- What is in flight.
    private val takes = started.valid
    private val joins = UIntToOh(started.place, places) & Repeat(takes, places)
    flying := (flying | joins) & ~(ends(0) | ends(1))
    for ((touch, join) <- touches.zip(joins.asBools)) when(join)(touch := came)
    assert((joins & flying) === 0)
    for ((touch, i) <- touches.zipWithIndex) assert(!(started.valid && flying(i) && came.mustFollow(touch)))

    // --- Nothing waits for nothing.
    private val quiet = Reg(UInt(2 bits)) init 0
    // The register tells of the cycles before this one.
    quiet := (flying === 0) ? (quiet.andR ? quiet | (quiet + 1)) | U(0)
    assert(!(flying === 0 && quiet >= 2 && pending) || started.valid)

    // --- What the machine keeps, which induction needs.
    private val (taken, waits, turn) = (dut.taken.pull(), dut.waits.pull(), dut.turn.pull())
    private val rows = dut.rows.map(_.pull())
    private val leaving = RegNext(ends(0) | ends(1)) init 0
    assert(turn === UIntToOh(dut.place.pull(), places))
    assert(taken === (flying | leaving) && (flying & leaving) === 0)
    assert(dut.valid.pull() === pending)
    when(pending) {
      assert(dut.held.pull().payload === came && dut.held.pull().order === orderOf(came) && came.isSound)
      assert((waits & turn).orR)
    }
    for ((touch, i) <- touches.zipWithIndex) when(flying(i)) {
      assert(rows.map(_(i)).asBits() === orderOf(touch).asBits && touch.isSound)
      assert(!(pending && came.mustFollow(touch)) || waits(i))
    }
  }
}

class OrderGateProof extends Proof {
  import OrderGateProof._

  proves("order of memory accesses", 3)(new Harness())
  for (
    fault <-
      Seq(MemoryFault.ReadOvertakesWrite, MemoryFault.WriteOvertakesRead, MemoryFault.AtomicsUnordered, MemoryFault.AheadOverlooked)
  )
    refutes(s"order of memory accesses with $fault", 8)(new Harness(Some(fault)))
}
