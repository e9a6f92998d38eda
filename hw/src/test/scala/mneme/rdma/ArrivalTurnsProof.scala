package mneme.rdma

import mneme.{Faults, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Packets come in any places that are free, of any share, and are taken and gone at any time: each comes out once or is refused, of each share in the order
  * in which they came, and none stays behind when nothing else happens.
  */
object ArrivalTurnsProof {
  private val slots = 4
  private val shares = ArrivalShares(pairs = 2)

  class Harness(fault: Option[RoceFault.Value] = None) extends Component {
    private val dut = FormalDut(ArrivalTurns(slots, shares, Faults.one(RoceFault)(fault)))
    Proof.resetFirst()
    private val (io, out) = (dut.io, dut.io.leaves.head)
    private def bit(slot: UInt, on: Bool): Bits = (U(1, slots bits) |<< slot).asBits.andMask(on)

    /** Places of packets that wait, and of those that came out. */
    private val waiting, served = Reg(Bits(slots bits)) init 0
    io.comes.valid := anyseq(Bool())
    io.comes.slot := anyseq(UInt(log2Up(slots) bits))
    io.comes.share := anyseq(UInt(shares.bits bits))
    assume(io.comes.share <= 1)
    private val came = bit(io.comes.slot, io.comes.valid)
    assume((came & (waiting | served)) === 0)
    out.ready := anyseq(Bool())
    io.gone.valid := anyseq(Bool())
    io.gone.payload := anyseq(UInt(log2Up(slots) bits))
    private val went = bit(io.gone.payload, io.gone.valid)
    assume(!io.gone.valid || (went & served) =/= 0)

    private val before = RegNext(io.comes.slot)
    private val refused = bit(before, io.refused)
    private val left = bit(out.payload, out.fire)
    waiting := (waiting | came) & ~left & ~refused
    served := (served | left) & ~went
    private val mine = Vec.fill(slots)(Reg(UInt(shares.bits bits)))
    when(io.comes.valid)(mine(io.comes.slot) := io.comes.share)

    /** Of each packet those of its share that came before it and wait. */
    private val earlier = Vec.fill(slots)(Reg(Bits(slots bits)) init 0)
    private val ofShare = B(mine.map(_ === io.comes.share)) & waiting & ~left & ~refused
    for ((own, i) <- earlier.zipWithIndex) {
      own := own & ~left & ~refused
      when(io.comes.valid && io.comes.slot === i)(own := ofShare)
    }
    assert(!out.valid || (bit(out.payload, True) & waiting) =/= 0)
    assert(!out.fire || earlier(out.payload) === 0)
    assert(!io.refused || (refused & waiting) =/= 0)
    assert(dut.held.pull() === (waiting | served))

    /** Cycles in a row in which a packet waits and nothing is shown. */
    private val idle = Reg(UInt(3 bits)) init 0
    idle := (waiting =/= 0 && !out.valid && !io.comes.valid) ? (idle + 1) | U(0)
    assert(idle < 4)
    cover(waiting.andR && earlier.map(_ =/= 0).orR)
    cover(io.refused)
  }
}

class ArrivalTurnsProof extends Proof {
  import ArrivalTurnsProof._
  override protected def engine = Proof.Sat

  private val cycles = if (short) 10 else 12
  bounded("each packet comes out once, of each share in order", cycles)(new Harness)
  reaches("all places wait, and one is refused", 10)(new Harness)
  for (fault <- Seq(RoceFault.EndMissed, RoceFault.Overtaken, RoceFault.LastKept)) refutes(s"lists with the fault $fault", 13)(new Harness(Some(fault)))
}
