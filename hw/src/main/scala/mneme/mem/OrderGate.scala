package mneme.mem

import mneme.Faults
import mneme.known
import spinal.core._
import spinal.lib._

/** What decides whether two accesses, each within one 4 KB block, must keep their order. */
case class Order(keyBits: Int) extends Bundle {
  val work = Work()
  /** The block's number, folded: equal for accesses to one block, and seldom for others. */
  val key = Bits(keyBits bits)
  /** One line alone is touched: this one of the block, at this word. */
  val single = Bool()
  val line = UInt(6 bits)
  val word = UInt(3 bits)
}

/** Starts accesses in the order in which they come, each when none before it is in flight that it must not overtake.
  *
  * Memory keeps the order of reads among themselves and of writes among themselves, each of one AXI id. Between kinds nobody does, so a read waits for
  * writes, a write for reads, and both for atomics, if they may touch the same line: both of them touch the same single line, or one of them touches more
  * and the blocks are the same. Atomics on different words of a line flow by each other.
  *
  * A place stands for each access in flight, given out in a ring. Two stages: the first finds the places that an access must wait for, and that of the access just ahead, and
  * notes them as one bit each; the second waits until none of these is taken. Blocks are compared by `keyBits` bits: what looks
  * like the same block and is another one costs time, never order.
  */
class OrderGate[T <: Data](payload: HardType[T], keyBits: Int, places: Int, ends: Int, faults: Faults[MemoryFault.Value]) extends Component {
  case class Ordered() extends Bundle {
    val order = Order(keyBits)
    val payload = OrderGate.this.payload()
  }
  case class Started() extends Bundle {
    val payload = OrderGate.this.payload()
    val place = UInt(log2Up(places) bits)
  }

  val io = new Bundle {
    val arriving = slave(Stream(Ordered()))
    val started = master(Flow(Started()))
    /** Places whose access has ended. */
    val ended = Vec(slave(Flow(UInt(log2Up(places) bits))), ends)
  }

  private[mem] val taken = RegInit(B(0, places bits))

  /** Where the fields lie. */
  private val shape = Order(keyBits)

  /** Orders of all places, a row for each bit of an order: they are compared at once by words as wide as there are places, which simulators like. */
  private[mem] val rows = Vec.fill(Order(keyBits).getBitsWidth)(Reg(Bits(places bits)))
  /** The next place in turn, as one bit and as a number. */
  private[mem] val turn = RegInit(B(1, places bits))
  private[mem] val place = Reg(UInt(log2Up(places) bits)) init 0

  private[mem] val valid = RegInit(False)
  private[mem] val held = Reg(Ordered())
  private[mem] val waits = Reg(Bits(places bits))
  private val clear = (waits & taken) === 0

  /** Fields of several orders side by side, as rows of their bits; `of` gives that of each bit of an order. */
  private class Rows(width: Int, of: Seq[Bits]) {
    private def field(select: Order => BaseType): Seq[Bits] = {
      val at = shape.flatten.takeWhile(_ ne select(shape)).map(_.getBitsWidth).sum
      of.slice(at, at + select(shape).getBitsWidth)
    }
    /** Who differs from `mine` in a field. Three bits are told together, and kept so: with what they are compared to they are one look-up table, where a
      * mapper that rewrites the comparison of a whole field needs 30% more.
      */
    private def differs(select: Order => BaseType, mine: Order): Bits = {
      val bits = field(select).zip(select(mine).asBits.asBools).map { case (row, bit) => row ^ Repeat(bit, width) }
      bits.grouped(3).map(three => CombInit(three.reduce(_ | _)).addAttribute("keep")).reduce(_ | _)
    }
    private def all(condition: Bool): Bits = Repeat(condition, width)

    /** Who of them `mine` must wait for. */
    def waitedFor(mine: Order): Bits = {
      val now = mine.work
      val (notRead, notWrite) = (now.write || now.atomic, now.read || now.atomic)
      val apart = all(mine.single) & field(_.single).head & differs(_.line, mine)
      val nothing = B(0, width bits)
      val kinds =
        faults.choose(MemoryFault.WriteOvertakesRead, wrong = nothing, right = field(_.work.read).head & all(notRead)) |
          faults.choose(MemoryFault.ReadOvertakesWrite, wrong = nothing, right = field(_.work.write).head & all(notWrite)) |
          faults.choose(
            MemoryFault.AtomicsUnordered,
            wrong = nothing,
            // Neither a read nor a write is an atomic.
            right = field(_.work.atomic).head & (all(!(notRead && notWrite)) | ~differs(_.word, mine))
          )
      ~differs(_.key, mine) & (~apart & kinds)
    }
  }

  // --- First stage. Its own place, which may be taken still, is waited for like the others.
  private val mine = io.arriving.order
  private val ahead =
    faults.choose(MemoryFault.AheadOverlooked, wrong = False, right = valid && new Rows(1, held.order.asBits.asBools.map(_.asBits).toSeq).waitedFor(mine).lsb)
  private val own = valid ? turn.rotateLeft(1) | turn
  private val found = known(io.arriving.valid, Bits(places bits))(_ := taken & new Rows(places, rows.toSeq).waitedFor(mine))
  io.arriving.ready := !valid || clear
  when(io.arriving.ready) {
    valid := io.arriving.valid
    held := io.arriving.payload
    waits := found | (turn & Repeat(ahead, places)) | own
  }

  // --- Second stage.
  io.started.valid := valid && clear
  io.started.payload.payload := held.payload
  io.started.place := place
  private val joins = turn & Repeat(io.started.valid, places)
  when(io.started.valid) {
    turn := turn.rotateLeft(1)
    place := place + 1
  }
  // A test of eight at once saves a simulator most of the others; synthesis finds that it says nothing more.
  when(io.started.valid) {
    for (group <- (0 until places).grouped(8)) when(turn(group.last downto group.head).orR) {
      for (i <- group) when(turn(i)) {
        for ((row, bit) <- rows.zip(held.order.asBits.asBools)) row(i) := bit
      }
    }
  }

  /** A cycle late: an end costs nobody but those that wait for it. */
  private val left = io.ended.map { end =>
    val late = end.stage()
    UIntToOh(late.payload, places) & Repeat(late.valid, places)
  }
  taken := (taken | joins) & ~left.reduce(_ | _)
}
