package mneme.board

import mneme.wire.Wire
import mneme.wire.Wire.DeviceRegister

import scala.collection.mutable

/** The daemon's side of the rings, as `docs/reference/device.md` has it: it knows registers and memory, nothing of the board. */
class RingDaemon(memory: RingMemory, c: RingConfig, read: Int => BigInt, write: (Int, BigInt) => Unit, wait: () => Unit) {
  import DeviceRegister._
  private val base = BigInt("40", 16) << 32 | 0x12340
  private var taken, given = 0
  private def slot(ring: Int, frame: Int): BigInt = base + ring * c.ringBytes + (frame % c.slots) * c.slotBytes

  def stop(): Unit = {
    write(RING_CONTROL, 0)
    while ((read(RING_STATUS) & Wire.RING_RUNNING) != 0) wait()
  }
  def start(interrupt: Boolean = false): Unit = {
    stop()
    for (ring <- 0 to 1; n <- 0 until c.slots) memory.put(slot(ring, n) + Wire.SLOT_SEQUENCE, 0)
    write(RING_BASE_LOW, base & 0xffffffffL)
    write(RING_BASE_HIGH, base >> 32)
    write(RING_CONTROL, Wire.RING_ENABLE | (if (interrupt) Wire.RING_INTERRUPT else 0))
    taken = 0
    given = 0
  }

  /** All frames that have come; RX_TAIL is written once for all of them, unless `keeps`. */
  def receive(keeps: Boolean = false): Seq[Seq[Int]] = {
    val frames = mutable.ArrayBuffer[Seq[Int]]()
    def at = slot(0, taken)
    while (memory.word(at + Wire.SLOT_SEQUENCE) == taken + 1) {
      val length = memory.word(at + Wire.SLOT_LENGTH).toInt
      assert((8 until 64).forall(i => memory.bytes(at + i) == 0), "the header's rest is zero")
      frames += Seq.tabulate(length)(i => memory.bytes(at + 64 + i))
      taken += 1
    }
    if (!keeps && frames.nonEmpty) free()
    frames.toSeq
  }
  def free(): Unit = write(RX_TAIL, taken)

  /** Puts a frame into the transmit ring; `length` and `sequence` may be wrong. TX_HEAD is the caller's to write. */
  def put(frame: Seq[Int], length: Option[Int] = None, sequence: Option[Int] = None): Unit = {
    val at = slot(1, given)
    for ((byte, i) <- frame.zipWithIndex) memory.bytes(at + 64 + i) = byte
    given += 1
    memory.put(at + Wire.SLOT_LENGTH, BigInt(length.getOrElse(frame.size)) & 0xffffffffL)
    memory.put(at + Wire.SLOT_SEQUENCE, BigInt(sequence.getOrElse(given)) & 0xffffffffL)
  }
  def tell(): Unit = write(TX_HEAD, given)
  def room: Int = c.slots - (given - read(TX_TAIL).toInt)
  /** Lines of a frame's slot, the header first. */
  def lines(ring: Int, frame: Int): Seq[BigInt] = (0 to c.lines).map(slot(ring, frame) + 64 * _)
}
