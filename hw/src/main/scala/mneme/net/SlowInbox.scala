package mneme.net

import mneme.{apart, CBoardConfig, CounterEvents, Faults}
import mneme.wire.Wire.Counter
import spinal.core._
import spinal.lib._

/** Takes frames of the slow path whole before they compete for egress, so that one which pauses between its beats holds up nobody.
  *
  * It has room for one largest frame at least, the next one comes in while the one before leaves. A frame that is longer than the build's largest
  * would never fit: it is swallowed and counted.
  */
case class SlowInbox(c: CBoardConfig, planted: Faults[NetFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val frames = slave(Stream(CountedBeat()))
    val whole = master(Stream(CountedBeat()))
    val events = out(CounterEvents())
  }

  private val beats = c.slotBeats
  private val pointer = HardType(UInt(log2Up(beats) + 1 bits))
  private val memory = Mem(CountedBeat(), beats)
  memory.addAttribute("ram_style", if (c.smallLutRam) "block" else if (beats <= SlowInbox.LUT_BEATS) "distributed" else "ultra")
  if (c.smallLutRam) apart(memory)
  /** The next beat to write; the end of the last whole frame; the next beat to read. */
  private val write, whole, read = Reg(pointer()) init 0

  val taking = new Area {
    private val in = io.frames
    private val lastBeat = (c.maxFrame - 1) / 64
    private val index = write - whole
    private val atEnd = index === lastBeat
    private val tooLong = atEnd && (!in.last || in.lastByte > (c.maxFrame - 1) % 64)
    /** The rest of a frame that is too long. */
    private val swallowing = RegInit(False)
    private val drops = swallowing || planted.choose(NetFault.SlowGiantTaken, wrong = False, right = tooLong)
    private val room = write - read =/= beats
    in.ready := room || swallowing
    memory.write(write.resized, in.payload, in.fire && !drops)
    when(in.fire) {
      swallowing := drops && !in.last
      when(drops) {
        write := whole
      } otherwise {
        write := write + 1
        when(in.last)(whole := write + 1)
      }
    }
    val dropped: Bool = in.fire && in.last && drops
  }

  val leaving = new Area {
    private val end = planted.choose(NetFault.SlowFrameInParts, wrong = write, right = whole)
    private val address = Stream(UInt(log2Up(beats) bits))
    address.valid := read =/= end
    address.payload := read.resized
    when(address.fire)(read := read + 1)
    io.whole << memory.streamReadSync(address)
  }

  io.events := 0
  io.events(Counter.DROP_SLOW_GIANT) := taking.dropped
}

object SlowInbox {
  /** Up to so many beats LUTRAM is smaller than anything else; more lie in UltraRAM. */
  val LUT_BEATS = 64
}
