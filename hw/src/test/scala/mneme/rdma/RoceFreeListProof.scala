package mneme.rdma

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** Places are taken at any time and come back at any time: each is at any time in one hand, and one that is free is offered without delay. */
object RoceFreeListProof {
  private val slots = 4

  class Harness(fault: Option[RoceFault.Value] = None) extends Component {
    private val dut = FormalDut(RoceFreeList(slots, Faults.one(RoceFault)(fault)))
    Proof.resetFirst()
    private val free = dut.io.free
    free.ready := anyseq(Bool())
    private val taken = Reg(Bits(slots bits)) init 0
    private val back = for (port <- dut.io.returns) yield {
      port.valid := anyseq(Bool())
      port.payload := anyseq(UInt(log2Up(slots) bits))
      // A place comes back from who has it.
      assume(!port.valid || taken(port.payload))
      (U(1, slots bits) |<< port.payload).asBits.andMask(port.valid)
    }
    assume((back(0) & back(1)) === 0)
    private val offered = (U(1, slots bits) |<< free.payload).asBits.andMask(free.valid)
    private val pool = dut.pool.pull()
    taken := (taken & ~back.reduce(_ | _)) | offered.andMask(free.ready)

    assert((taken & pool) === 0 && (taken & offered) === 0 && (pool & offered) === 0)
    assert((taken | pool | offered).andR)
    private val waited = Reg(Bool()) init False
    waited := pool.orR
    assert(!waited || free.valid)
    cover(taken.andR)
    cover(dut.io.returns.map(_.valid).reduce(_ && _))
  }
}

class RoceFreeListProof extends Proof {
  import RoceFreeListProof._

  proves("each place is in one hand, and a free one is offered", 3)(new Harness)
  reaches("all places are taken, and two come back at once", 10)(new Harness)
  for (fault <- Seq(RoceFault.ReturnLost, RoceFault.PlaceKept)) refutes(s"places with the fault $fault", 10)(new Harness(Some(fault)))
}
