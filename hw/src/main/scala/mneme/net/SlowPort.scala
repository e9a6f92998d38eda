package mneme.net

import mneme.wire.Wire.Counter
import mneme.{CBoardConfig, CounterEvents, PacketReadPort}
import spinal.core._
import spinal.lib._

/** Streams whole frames out of their packet slots to the slow path, then releases the slots.
  *
  * Its queue holds half of the packet slots at most, so that a slow path that stands still never stops the fast path.
  */
case class SlowPort(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val frames = slave(Flow(SlowFrame(c)))
    val room = out Bool ()
    val packet = master(PacketReadPort(c))
    val release = master(Stream(UInt(log2Up(c.packetSlots) bits)))
    val slow = master(Stream(FrameBeat()))
    val events = out(CounterEvents())
  }

  private val queue = StreamFifo(SlowFrame(c), c.packetSlots / 2, latency = 1)
  queue.io.push << io.frames.toStream
  io.room := queue.io.push.ready

  /** One beat at a time: its read, the register that holds it, its way out. A slow path needs no line rate. */
  val reader = new Area {
    val frame = queue.io.pop
    val beat = Reg(UInt(log2Up(c.slotBeats) bits)) init 0
    // Known by the time the beat is held, two cycles after its frame or its number changed.
    val lastByte = RegNext(frame.length - 1)
    val last = RegNext(beat === lastByte(6, widthOf(beat) bits))
    val reading = RegNext(io.packet.cmd.fire) init False
    val held = RegInit(False) setWhen (reading) clearWhen (io.slow.fire)
    /** Every beat was read, and the slot is on its way back to the free list. */
    val releasing = RegInit(False)
    io.packet.cmd.valid := frame.valid && !releasing && !reading && !held
    io.packet.cmd.slot := frame.slot
    io.packet.cmd.beat := beat
    when(io.slow.fire)(beat := last ? U(0) | beat + 1)
    when(io.slow.fire && last)(releasing := True)
    when(io.release.fire)(releasing := False)
    io.release.valid := releasing
    io.release.payload := frame.slot
    frame.ready := io.release.fire

    val data = RegNextWhen(io.packet.rsp.payload, reading)
    val out = CountedBeat()
    out.data := data
    out.lastByte := last ? lastByte(5 downto 0) | U(63)
    out.last := last
    out.user := 0
    io.slow.valid := held
    io.slow.payload := out.frameBeat(io.slow.valid)
  }

  io.events := 0
  io.events(Counter.SLOW_TX) := io.slow.fire && io.slow.last
}
