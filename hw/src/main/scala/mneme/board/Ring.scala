package mneme.board

import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Size and place of the two rings of slow frames in memory of the processor (`docs/reference/device.md` §1).
  *
  * `longest` is the longest frame in bytes, `dataBits` the width of the processor's AXI port. All accesses are of a line of 64 bytes, so no burst crosses
  * 4 KB, and a coherent port takes each as one line of the caches.
  */
case class RingConfig(longest: Int, slots: Int = 256, addressBits: Int = 49, dataBits: Int = 128) {
  require(slots >= 2 && slots <= (1 << 16) && Integer.bitCount(slots) == 1, s"rings of $slots slots: a power of two from 2 to 65,536 is needed")
  require(Set(64, 128)(dataBits), s"a ring port of $dataBits bits is neither 64 nor 128 wide")
  require(addressBits > 32 && addressBits <= 64, s"ring addresses of $addressBits bits are outside 33 to 64")
  require(longest >= Wire.RING_FRAME_MIN && longest <= 9600, s"a longest frame of $longest bytes is outside ${Wire.RING_FRAME_MIN} to 9,600")

  /** Lines of a slot behind its header. */
  val lines: Int = (longest + 63) / 64
  val slotBytes: Int = Wire.SLOT_HEADER_BYTES + 64 * lines
  val mostBytes: Int = slotBytes - Wire.SLOT_HEADER_BYTES
  val ringBytes: Int = slots * slotBytes
  val lengthBits: Int = log2Up(mostBytes + 1)
  /** Beats of a line. */
  val beats: Int = 512 / dataBits
  /** Lines that may be on their way at a time. */
  val open: Int = 8

  val axi: Axi4Config = Axi4Config(
    addressWidth = addressBits,
    dataWidth = dataBits,
    idWidth = 1,
    useRegion = false,
    useLock = false,
    useQos = false
  )
}

/** What both machines of a ring are told, and tell. */
case class RingSide(c: RingConfig) extends Bundle with IMasterSlave {
  /** The next frame may begin. */
  val may = Bool()
  /** Slots begin again at the first one, which is at `base`. */
  val start = Bool()
  val base = UInt(c.addressBits bits)
  /** The sequence of the next frame. */
  val sequence = UInt(32 bits)
  /** A frame is under way. */
  val busy = Bool()
  /** A slot is done with; memory answered an access of its frame with an error; it held no frame. */
  val done, failed, refused = Bool()

  def asMaster(): Unit = {
    out(may, start, base, sequence)
    in(busy, done, failed, refused)
  }
}

/** Where the next slot is. */
case class RingPlace(side: RingSide) extends Area {
  private val c = side.c
  private val index = Reg(UInt(log2Up(c.slots) bits)) init 0
  val address = Reg(UInt(c.addressBits bits)) init 0
  when(side.done) {
    index := index + 1
    address := index.andR ? side.base | address + c.slotBytes
  }
  when(side.start) {
    index := 0
    address := side.base
  }
}

object Ring {
  /** One line, from the place `address` on: for a coherent port that looks into the caches (cacheable), not secure. */
  def line(c: RingConfig, command: Axi4Ax, address: UInt): Unit = {
    command.id := 0
    command.addr := address
    command.len := c.beats - 1
    command.size := log2Up(c.dataBits / 8)
    command.burst := Axi4.burst.INCR
    command.cache := B"1111"
    command.prot := B"010"
  }
}

/** Defects that a bench plants into the machines of the rings. */
object SlotFault extends Enumeration {
  /** A header is written while memory still owes answers for the frame. */
  val HeaderEarly = Value
  /** Errors of memory are not looked at. */
  val WriteErrorsIgnored, ReadErrorsIgnored = Value
  /** A slot of the transmit ring is taken whatever its header says. */
  val LengthIgnored, SequenceIgnored = Value
}
