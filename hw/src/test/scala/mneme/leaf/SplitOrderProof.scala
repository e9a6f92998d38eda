package mneme.leaf

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Tokens of any kind come at any time, are looked up in their turn after any time, and leave when they may: none passes another one of its page that waits,
  * each is counted as often as it waits, and none waits but for another one.
  */
object SplitOrderProof {
  private val (places, orderBits) = (3, 1)

  class Harness(fault: Option[SplitFault.Value] = None) extends Component {
    private val dut = FormalDut(SplitOrder(places, orderBits, Faults.one(SplitFault)(fault)))
    Proof.resetFirst()
    private val io = dut.io
    private val came = io.arrives.payload
    came.order := anyseq(UInt(orderBits bits))
    came.split := anyseq(Bool())
    came.fence := anyseq(Bool())
    io.arrives.valid := anyseq(Bool())
    io.leaves.ready := anyseq(Bool())

    // --- The tokens that wait, the oldest first: in the queue, or looked up.
    private val waiting = Reg(UInt(2 bits)) init 0
    private val orders = Vec.fill(places)(Reg(UInt(orderBits bits)))
    // The engine has no more tokens than there is room for.
    assume(!io.arrives.valid || waiting < places)
    io.waits.ready := waiting < places
    io.found.valid := anyseq(Bool())
    assume(!io.found.valid || waiting =/= 0)
    io.found.payload := orders(0)
    private val left = waiting - io.found.fire.asUInt
    waiting := left + io.waits.fire.asUInt
    when(io.found.fire)(for (i <- 0 until places - 1) orders(i) := orders(i + 1))
    when(io.waits.fire)(orders(left.resized) := came.order)
    assert(waiting <= places)

    // --- Each is counted once: so no count is exceeded, and none falls below 0.
    private def held(which: Int => Bool): UInt = CountOne((0 until places).map(i => waiting > i && which(i))).resize(3)
    assert(dut.inside.pull().resize(3) === held(_ => True))
    for ((count, order) <- dut.ofPage.zipWithIndex) assert(count.pull().resize(3) === held(orders(_) === order))

    // --- Who passes overtakes nobody of its page, and a fence nobody at all. Who waits does so for a reason.
    private val passes = io.leaves.fire && !io.leaves.payload
    private val (ofItsPage, any) = (held(orders(_) === came.order) =/= 0, waiting =/= 0)
    when(passes)(assert(io.arrives.fire && !came.split && !ofItsPage && !(came.fence && any)))
    when(io.waits.fire)(assert(io.arrives.fire && (came.split || ofItsPage || (came.fence && any))))

    // --- Each goes one way, and is answered for: what comes waits or leaves, what was found leaves.
    when(io.arrives.fire)(assert(io.waits.fire ^ passes))
    when(io.waits.fire || passes)(assert(io.arrives.fire))
    assert(io.found.fire === (io.leaves.fire && io.leaves.payload))

    // --- Nobody waits for ever: the oldest leaves when it has been looked up and there is room for it, and then what came finds its way, too.
    when(io.leaves.ready && io.found.valid)(assert(io.found.fire))
    when(io.leaves.ready && io.arrives.valid && !io.found.valid)(assert(io.arrives.fire))
    cover(waiting === places && io.found.fire)
    cover(passes && any)
  }
}

class SplitOrderProof extends Proof {
  import SplitOrderProof._

  proves("no token passes another one of its page, each is counted as often as it waits", 2)(new Harness)
  reaches("all places wait, and others pass", 12)(new Harness)
  for (fault <- Seq(SplitFault.OrderIgnored, SplitFault.FencePasses, SplitFault.CountLost, SplitFault.Swallowed))
    refutes(s"order with the fault $fault", 10)(new Harness(Some(fault)))
}
