package mneme.mem

import mneme.{CBoardConfig, Faults}
import spinal.core._
import spinal.lib._

/** Defects that [[BurstSplitterProof]] plants, to show that it would notice them. No build of a board has one. */
object SplitterFault extends Enumeration {
  /** The second burst of an access goes to the block of the first. */
  val BlockRepeated = Value
  /** Lines are those of the access's bytes, wherever in a line they begin. */
  val OffsetForgotten = Value
  /** The block behind a page of 4 KB is the next one in memory. */
  val PageIgnored = Value
}

/** Cuts accesses into AXI bursts, none across a 4 KB border (AXI4, A3.4.1). One burst per cycle, in the cycle in which the access comes. */
class BurstSplitter(c: CBoardConfig, faults: Faults[SplitterFault.Value] = Faults.none[SplitterFault.Value]) extends Component {
  val io = new Bundle {
    val accesses = slave(Stream(Access(c)))
    val bursts = master(Stream(Burst(c)))
    /** The word within its line where the burst's access begins. */
    val word = out UInt (3 bits)
  }

  private val access = io.accesses.payload
  /** Not the access's first burst; the number of its block, and of borders that are still to come. */
  private[mem] val goes = RegInit(False)
  private[mem] val nextBlock = Reg(UInt(c.memBits - 12 bits))
  private[mem] val bordersLeft = Reg(UInt(2 bits))

  /** The access's last line, counted from the beginning of its first block. */
  private val end = (access.address(11 downto 0).resize(14) + access.lastByte.resize(14)).drop(6).asUInt
  private val borders = goes ? bordersLeft | end(7 downto 6)
  private val begin = goes ? U(0, 6 bits) | access.address(11 downto 6)
  private val block = goes ? nextBlock | access.address.drop(12).asUInt

  io.bursts.valid := io.accesses.valid
  io.bursts.work := access.work
  io.bursts.owner := access.owner
  io.bursts.line := block @@ begin
  io.bursts.last := borders === 0
  // The last line less the first, without a subtraction: an access in one block has as many lines as its bytes and its offset make.
  private val lines =
    (faults.choose(SplitterFault.OffsetForgotten, wrong = U(0, 6 bits), right = access.address(5 downto 0)) +^ access.lastByte).drop(6).asUInt.resize(6)
  io.bursts.len := io.bursts.last ? (goes ? end(5 downto 0) | lines) | ~begin
  io.word := access.address(5 downto 3)
  io.accesses.ready := io.bursts.ready && io.bursts.last

  when(io.bursts.fire) {
    goes := !io.bursts.last
    nextBlock := faults.choose(SplitterFault.BlockRepeated, wrong = block, right = block + 1)
    // Of a split page it lies anywhere.
    if (c.leaf) when(access.owner.epoch.orR)(nextBlock := faults.choose(SplitterFault.PageIgnored, wrong = block + 1, right = access.next))
    bordersLeft := borders - 1
  }
}
