package mneme.board

import mneme.Faults
import mneme.net.{CountedBeat, FrameBeat}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.fsm._

/** Daemon to board: reads the next slot's header, then its frame, and gives it to the core.
  *
  * A slot whose length or sequence cannot be is passed over. A frame of which memory did not give every line leaves the core with a wrong check sequence, as
  * its first bytes may be gone by then.
  */
case class RingTransmit(c: RingConfig, faults: Faults[SlotFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val side = slave(RingSide(c))
    val frames = master(Stream(FrameBeat()))
    val memory = master(Axi4ReadOnly(c.axi))
  }
  private val place = RingPlace(io.side)

  private val address = Reg(UInt(c.addressBits bits))
  private val line = Reg(Bits(512 bits))
  private val beat = Reg(UInt(log2Up(c.beats) bits)) init 0
  /** Lines to ask for, and to come. */
  private val asks, comes = Reg(UInt(log2Up(c.lines + 1) bits)) init 0
  private val lastByte = Reg(UInt(c.lengthBits bits))
  /** A line is whole and waits for the core. */
  private val held = RegInit(False)
  private val failed = RegInit(False)
  private val open = Reg(UInt(log2Up(c.open + 1) bits)) init 0

  io.memory.ar.valid := asks =/= 0 && open =/= c.open
  Ring.line(c, io.memory.ar.payload, address)
  io.memory.r.ready := !held
  private val comesLast = beat === c.beats - 1
  private val whole = io.memory.r.fire && comesLast
  open := open + io.memory.ar.fire.asUInt - whole.asUInt
  private val failing = failed || (io.memory.r.valid && faults.choose(SlotFault.ReadErrorsIgnored, False, !io.memory.r.isOKAY()))
  when(io.memory.ar.fire) {
    asks := asks - 1
    address := address + 64
  }
  when(io.memory.r.fire) {
    line := io.memory.r.data ## line.dropLow(c.dataBits)
    beat := beat + 1
    failed := failing
    when(comesLast)(comes := comes - 1)
  }

  private val out = CountedBeat()
  out.data := line
  out.last := comes === 0
  out.lastByte := out.last ? lastByte(5 downto 0) | U(63)
  out.user := (out.last && failed).asBits
  io.frames.valid := held
  io.frames.payload := out.frameBeat(io.frames.valid)
  when(io.frames.fire)(held := False)

  io.side.done := False
  io.side.failed := False
  io.side.refused := False

  val machine = new StateMachine {
    val idle = makeInstantEntry()
    val header, check, frame = new State
    io.side.busy := !isActive(idle)
    idle.whenIsActive {
      address := place.address
      failed := False
      when(io.side.may) {
        asks := 1
        comes := 1
        goto(header)
      }
    }
    header.whenIsActive {
      when(whole)(goto(check))
    }
    check.whenIsActive {
      val length = line(8 * Wire.SLOT_LENGTH, 32 bits).asUInt
      val wrongLength = length < Wire.RING_FRAME_MIN || length > c.mostBytes
      val wrongSequence = line(8 * Wire.SLOT_SEQUENCE, 32 bits).asUInt =/= io.side.sequence
      val wrong = faults.choose(SlotFault.LengthIgnored, False, wrongLength) || faults.choose(SlotFault.SequenceIgnored, False, wrongSequence)
      lastByte := (length - 1).resized
      when(failed || wrong) {
        io.side.done := True
        io.side.failed := failed
        io.side.refused := !failed
        goto(idle)
      } otherwise {
        val lines = (length.resize(c.lengthBits) + 63)(c.lengthBits - 1 downto 6).resize(widthOf(asks))
        asks := lines
        comes := lines
        goto(frame)
      }
    }
    frame.whenIsActive {
      when(whole) {
        held := True
        when(comes === 1) {
          io.side.done := True
          io.side.failed := failing
        }
      }
      when(io.frames.fire && io.frames.last)(goto(idle))
    }
  }
}
