package mneme.mem

import mneme.{CBoardConfig, Faults, Proof}
import spinal.core._
import spinal.core.formal._

/** The bursts of an access are its lines, each once and in order, and none crosses a 4 KB border (AXI4, A3.4.1). Behind a border lies the next block of
  * memory, or in a split page any.
  */
object BurstSplitterProof {

  class Harness(c: CBoardConfig, fault: Option[SplitterFault.Value] = None) extends Component {
    private val dut = FormalDut(new BurstSplitter(c, Faults.one(SplitterFault)(fault)))
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

    // --- Lines by their numbers, counted from the beginning of the first block.
    private val first = access.address(11 downto 6).resize(8)
    private val last = (access.address(11 downto 0).resize(14) + access.lastByte.resize(14)).drop(6).asUInt
    private val split = if (c.leaf) access.owner.epoch.orR else False
    // An access lies inside one page, so its lines do not wrap round the end of memory; in a split page it meets one border at most.
    assume(split ? (last(7 downto 6) <= 1) | ((lastAddress ^ access.address).drop(c.pageBits) === 0))
    private def block(line: UInt): UInt = {
      val nth = access.address.drop(12).asUInt + line(7 downto 6)
      if (c.leaf) (split && line(7 downto 6) =/= 0) ? access.next | nth else nth
    }

    private val goes = RegInit(False)
    private val next = Reg(UInt(8 bits))
    private val burst = dut.io.bursts
    private val begin = goes ? next | first
    private val end = begin + burst.len
    when(accesses.valid) {
      assert(burst.valid && burst.work === access.work && burst.owner === access.owner)
      assert(accesses.ready === (burst.ready && burst.last))
      assert(burst.line === block(begin) @@ begin(5 downto 0))
      assert((begin ^ end).drop(6) === 0)
      assert(end <= last && burst.last === (end === last))
    }
    when(burst.fire) {
      goes := !burst.last
      next := end + 1
    }

    // What the machine keeps between bursts, which induction needs.
    assert(goes === dut.goes.pull())
    when(goes) {
      assert(offered && next <= last && next > first && next(5 downto 0) === 0)
      assert(dut.nextBlock.pull() === block(next) && dut.bordersLeft.pull() === last(7 downto 6) - next(7 downto 6))
    }

    private val behind = block(next) =/= access.address.drop(12).asUInt + 1
    cover(goes && burst.fire && burst.last && burst.len =/= 0 && (if (c.leaf) behind else True))
  }
}

class BurstSplitterProof extends Proof {
  import BurstSplitterProof._

  private val leaf = CBoardConfig.tiny.copy(name = "leaf", pageBits = 20, memBits = 26, packetSlots = 16, doors = 2, rdma = 16, leaf = true)
  for (c <- Seq(CBoardConfig.tiny, CBoardConfig.wide, leaf)) proves(s"bursts of an access on ${c.name}", 2)(new Harness(c))
  reaches("a border, and any block behind it", 6)(new Harness(leaf))
  for (fault <- SplitterFault.values) refutes(s"bursts with the fault $fault", 6)(new Harness(leaf, Some(fault)))
}
