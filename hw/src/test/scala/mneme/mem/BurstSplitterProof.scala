package mneme.mem

import mneme.{CBoardConfig, Proof}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** The bursts of an access are its lines, each once and in order, and none crosses a 4 KB border (AXI4, A3.4.1). */
object BurstSplitterProof {

  class Harness(c: CBoardConfig) extends Component {
    private val dut = FormalDut(new BurstSplitter(c))
    Proof.resetFirst()

    private val accesses = dut.io.accesses
    accesses.valid := anyseq(Bool())
    accesses.payload := anyseq(Access(c))
    dut.io.bursts.ready := anyseq(Bool())
    // A stream's offer stands until it is taken.
    private val offered = RegNext(accesses.isStall) init False
    private val before = RegNext(accesses.payload)
    assume(!offered || (accesses.valid && accesses.payload === before))
    private val access = accesses.payload
    private val lastAddress = access.address + access.lastByte.resize(c.memBits)
    assume(access.lastByte < c.maxPayload)
    // An access lies inside one page, so its lines do not wrap round the end of memory.
    assume((lastAddress ^ access.address).drop(c.pageBits) === 0)

    private val (firstLine, lastLine) = (access.address.drop(6).asUInt, lastAddress.drop(6).asUInt)
    private val goes = RegInit(False)
    private val next = Reg(cloneOf(firstLine))
    private val burst = dut.io.bursts
    private val end = burst.line + burst.len.resize(burst.line.getWidth)
    when(accesses.valid) {
      assert(burst.valid && burst.work === access.work && burst.owner === access.owner)
      assert(accesses.ready === (burst.ready && burst.last))
      assert(burst.line === (goes ? next | firstLine))
      assert((burst.line ^ end).drop(6) === 0)
      assert(end <= lastLine && burst.last === (end === lastLine))
    }
    when(burst.fire) {
      goes := !burst.last
      next := end + 1
    }

    // What the machine keeps between bursts, which induction needs.
    assert(goes === dut.goes.pull())
    when(goes) {
      assert(offered && next <= lastLine && next > firstLine)
      assert(next === dut.nextBlock.pull() @@ U(0, 6 bits))
      assert(dut.bordersLeft.pull().resize(next.getWidth - 6) === lastLine.drop(6).asUInt - next.drop(6).asUInt)
    }
  }
}

class BurstSplitterProof extends Proof {
  import BurstSplitterProof._

  for (c <- Seq(CBoardConfig.tiny, CBoardConfig.wide)) proves(s"bursts of an access on ${c.name}", 2)(new Harness(c))
}
