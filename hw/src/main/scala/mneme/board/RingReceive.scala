package mneme.board

import mneme.Faults
import mneme.net.{FrameBeat, FrameBytes}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.fsm._

/** Board to daemon: writes a slow frame into the next slot, and its header once memory has the frame, so that whoever reads its sequence finds all of it.
  *
  * A line of 64 bytes at a time; of the frame's last one only the frame's bytes are written. A slow path needs no more.
  */
case class RingReceive(c: RingConfig, faults: Faults[SlotFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val side = slave(RingSide(c))
    val frames = slave(Stream(FrameBeat()))
    val memory = master(Axi4WriteOnly(c.axi))
  }
  private val place = RingPlace(io.side)

  private val address = Reg(UInt(c.addressBits bits))
  private val line = Reg(Bits(512 bits))
  private val strobes = Reg(Bits(64 bits))
  private val beat = Reg(UInt(log2Up(c.beats) bits)) init 0
  private val lines = Reg(UInt(log2Up(c.lines + 1) bits)) init 0
  private val length = Reg(UInt(c.lengthBits bits)) init 0
  /** The line is the frame's last one; it is the slot's header. */
  private val last, header = RegInit(False)
  /** Memory has answered with an error, or the frame is longer than a slot. */
  private val lost = RegInit(False)

  /** Lines that memory has not answered for. */
  private val open = Reg(UInt(log2Up(c.open + 1) bits)) init 0
  private val answered = io.memory.b.fire
  open := open + io.memory.aw.fire.asUInt - answered.asUInt
  when(answered && faults.choose(SlotFault.WriteErrorsIgnored, False, !io.memory.b.isOKAY()))(lost := True)

  io.frames.ready := False
  io.memory.aw.valid := False
  Ring.line(c, io.memory.aw.payload, address)
  io.memory.w.valid := False
  io.memory.w.data := line.resized
  io.memory.w.strb := strobes.resized
  io.memory.w.last := beat === c.beats - 1
  io.memory.b.ready := True
  io.side.done := False
  io.side.failed := False
  io.side.refused := False

  val machine = new StateMachine {
    val idle = makeInstantEntry()
    val take, ask, give, settle = new State
    io.side.busy := !isActive(idle)
    idle.whenIsActive {
      address := place.address + Wire.SLOT_HEADER_BYTES
      lines := 0
      length := 0
      header := False
      lost := False
      when(io.side.may && io.frames.valid)(goto(take))
    }
    take.whenIsActive {
      io.frames.ready := True
      line := io.frames.data
      strobes := io.frames.keep
      last := io.frames.last
      when(io.frames.fire) {
        // The core has no such frame; were there one, it would end in the next slot.
        when(lines === c.lines) {
          lost := True
          when(io.frames.last)(goto(settle))
        } otherwise {
          lines := lines + 1
          length := length + FrameBytes.lastByte(io.frames.keep) + 1
          goto(ask)
        }
      }
    }
    ask.whenIsActive {
      io.memory.aw.valid := open =/= c.open
      when(io.memory.aw.fire)(goto(give))
    }
    give.whenIsActive {
      io.memory.w.valid := True
      when(io.memory.w.fire) {
        line := line |>> c.dataBits
        strobes := strobes |>> c.dataBits / 8
        beat := beat + 1
        when(io.memory.w.last) {
          address := address + 64
          when(last)(goto(settle)) otherwise goto(take)
        }
      }
    }
    settle.whenIsActive {
      when(faults.choose(SlotFault.HeaderEarly, True, open === 0)) {
        when(header || lost) {
          io.side.failed := lost
          io.side.done := !lost
          goto(idle)
        } otherwise {
          address := place.address
          line := (io.side.sequence ## length.resize(32)).resized
          strobes.setAll()
          header := True
          goto(ask)
        }
      }
    }
  }
}
