package mneme.leaf

import mneme.Faults
import spinal.core._
import spinal.lib._

/** What the order of tokens hangs on. */
case class SplitKind(orderBits: Int) extends Bundle {
  /** The same of all tokens of a page. */
  val order = UInt(orderBits bits)
  val split, fence = Bool()
}

/** Who waits, and who passes: no token leaves before those of its page that came before it, and a fence leaves after all that wait.
  *
  * An example. A write to a split page waits to be looked up. A read of the same page, which translation has refused, waits behind it; a read of another page
  * passes. A token counts from its arrival in the queue until it has left, so the one that is looked up counts, too.
  */
case class SplitOrder(places: Int, orderBits: Int, planted: Faults[SplitFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val arrives = slave(Stream(SplitKind(orderBits)))
    /** It waits in the queue, which has room for `places`. */
    val waits = master(Stream(NoData()))
    /** The oldest of the queue has been looked up. */
    val found = slave(Stream(UInt(orderBits bits)))
    /** Whether it is `found` that leaves, else what `arrives`. */
    val leaves = master(Stream(Bool()))
  }
  private def counter(): UInt = Reg(UInt(log2Up(places + 1) bits)) init 0
  val inside = counter()
  /** Those that wait, by page: some of others' count, too. */
  val ofPage = Vec.fill(1 << orderBits)(counter())

  private val came = io.arrives.payload
  private val behind = planted.choose(SplitFault.OrderIgnored, wrong = False, right = Vec(ofPage.map(_ =/= 0))(came.order))
  private val after = planted.choose(SplitFault.FencePasses, wrong = False, right = inside =/= 0)
  private val waits = came.split || behind || (came.fence && after)
  io.waits.valid := io.arrives.valid && waits
  io.leaves.valid := io.found.valid || (io.arrives.valid && !waits)
  io.leaves.payload := io.found.valid
  io.found.ready := io.leaves.ready
  io.arrives.ready := waits ? io.waits.ready | (io.leaves.ready && planted.choose(SplitFault.Swallowed, wrong = True, right = !io.found.valid))

  private def count(of: UInt, up: Bool, down: Bool): Unit =
    of := of + up.asUInt - (down && planted.choose(SplitFault.CountLost, wrong = !up, right = True)).asUInt
  count(inside, io.waits.fire, io.found.fire)
  for ((one, order) <- ofPage.zipWithIndex) count(one, io.waits.fire && came.order === order, io.found.fire && io.found.payload === order)
}
