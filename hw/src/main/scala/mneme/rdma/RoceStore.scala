package mneme.rdma

import mneme.Faults
import spinal.core._
import spinal.lib._

/** A beat of a place of the store. */
case class StoreBeat(slots: Int) extends Bundle {
  val slot = UInt(log2Up(slots) bits)
  val beat = UInt(RoceStore.BEAT_BITS bits)
}

/** The store of packets: its memory, and which places are free.
  *
  * A place is offered at `free`. Who takes it has it until it comes back at one of `returns`.
  */
case class RoceStore(slots: Int, memories: String) extends Component {
  import RoceStore._
  require(slots >= 2 && slots * 64 % (2 << log2Up(slots)) == 0, s"a store of $slots places")

  val io = new Bundle {
    val write = slave(Flow(StoreBeat(slots)))
    val written = in Bits (512 bits)
    /** The answer comes in the cycle after. */
    val read = slave(Flow(StoreBeat(slots)))
    val data = out Bits (512 bits)
    val free = master(Stream(UInt(log2Up(slots) bits)))
    val returns = Vec(slave(Flow(UInt(log2Up(slots) bits))), 2)
  }

  private val memory = Mem(Bits(512 bits), slots * BEATS)
  memory.addAttribute("ram_style", memories)

  /** The first 64 beats of all places, then what the longest packets have beyond: no multiplication. */
  private def address(at: StoreBeat): UInt = {
    val width = log2Up(slots * BEATS) bits
    val beyond = U(64 * slots, width) | (at.slot @@ at.beat(0).asUInt).resize(width)
    at.beat.msb ? beyond | (at.slot @@ at.beat(5 downto 0)).resize(width)
  }
  memory.write(address(io.write.payload), io.written, io.write.valid)
  io.data := memory.readSync(address(io.read.payload), io.read.valid)

  private val places = RoceFreeList(slots)
  io.free << places.io.free
  places.io.returns := io.returns
}

object RoceStore {
  /** Of a place: 4,224 bytes, for 4,170 of the longest packet with its headers. */
  val BEATS = 66
  val BEAT_BITS: Int = log2Up(BEATS)
}

/** The free places. All are after reset, and the cycle after that finds one. One that comes back is offered again two cycles later at the earliest. */
case class RoceFreeList(slots: Int, planted: Faults[RoceFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val free = master(Stream(UInt(log2Up(slots) bits)))
    /** Of places that were taken, no two of the same in one cycle. */
    val returns = Vec(slave(Flow(UInt(log2Up(slots) bits))), 2)
  }

  /** Those that are free, but for the one that is offered. */
  val pool = Reg(Bits(slots bits)) init B((BigInt(1) << slots) - 2, slots bits)
  private val offer = Reg(UInt(log2Up(slots) bits)) init 0
  private val offered = RegInit(True)
  private val choice = OHMasking.firstV2(pool)
  private val refills = !offered || io.free.ready
  when(refills) {
    offered := pool.orR
    offer := OHToUInt(choice)
  }
  private val (first, second) = (io.returns(0), io.returns(1))
  private def places(back: Flow[UInt], taken: Bool): Bits = UIntToOh(back.payload, slots).andMask(back.valid && taken)
  private val back = places(first, True) | places(second, planted.choose(RoceFault.ReturnLost, wrong = !first.valid, right = True))
  private val chosen = choice.andMask(refills)
  pool := (pool & ~planted.choose(RoceFault.PlaceKept, wrong = chosen.andMask(back === 0), right = chosen)) | back
  io.free.valid := offered
  io.free.payload := offer
}
