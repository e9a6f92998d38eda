package mneme.board

import spinal.core._
import spinal.lib._

/** Frames to RGMII (IEEE 802.3 clauses 3 and 4), a byte in each cycle of the transmit clock: preamble, padding to 60 bytes, check sequence, a gap of 12.
  * Four cycles from a frame's first word to the first byte of its preamble.
  *
  * Once a frame has begun, a word must be there in every eight cycles: who feeds this has it whole. Where none is, as a clock stood still, the frame ends
  * there, marked as wrong and without a right check sequence; its rest is dropped.
  */
case class RgmiiTransmit() extends Component {
  val io = new Bundle {
    val frames = slave(Stream(FrameWord()))
    val pins = out(RgmiiWord())
    val events = out(TransmitEvents())
  }

  /** One byte on its way. */
  private case class Slot() extends Bundle {
    /** Of a frame or its preamble; of what the check sequence is of; of that itself. */
    val valid, summed, sequence = Bool()
    val begins, error, damaged = Bool()
    val byte = Bits(8 bits)
  }

  private val sequencer = new Area {
    private object State extends SpinalEnum {
      val Gap, Preamble, Data, Padding, Sequence = newElement()
    }
    private val state = RegInit(State.Gap)
    private val left = Reg(UInt(4 bits)) init 0
    private val lane = Reg(UInt(3 bits)) init 0
    /** Bytes of the frame, as far as padding asks. */
    private val count = Reg(UInt(6 bits)) init 0
    private val short = count < Rgmii.MIN_FRAME - 1
    private val damaged, drops = RegInit(False)
    private val word = io.frames.payload

    val slot = Slot()
    slot.valid := state =/= State.Gap
    slot.summed := state === State.Data || state === State.Padding
    slot.sequence := state === State.Sequence
    slot.begins := state === State.Preamble
    slot.error := False
    slot.damaged := damaged
    slot.byte := B(0, 8 bits)
    io.frames.ready := False
    val ends = False

    private def follows(next: State.E, cycles: Int): Unit = {
      state := next
      left := cycles - 1
    }
    when(left =/= 0)(left := left - 1)
    switch(state) {
      is(State.Gap) {
        damaged := False
        lane := 0
        count := 0
        when(drops) {
          io.frames.ready := True
          when(io.frames.valid && word.last)(drops := False)
        } elsewhen (left === 0 && io.frames.valid) {
          follows(State.Preamble, Rgmii.PREAMBLE_BYTES)
        }
      }
      is(State.Preamble) {
        slot.byte := (left === 0) ? B(Rgmii.DELIMITER, 8 bits) | B(Rgmii.PREAMBLE, 8 bits)
        when(left === 0)(state := State.Data)
      }
      is(State.Data) {
        slot.byte := word.data.subdivideIn(8 bits).read(lane)
        val ending = word.last && lane === word.lastByte
        lane := lane + 1
        when(short)(count := count + 1)
        io.frames.ready := lane === 7 || ending
        when(!io.frames.valid) {
          slot.error := True
          damaged := True
          drops := True
          follows(State.Sequence, 4)
        } elsewhen (ending) {
          damaged := word.damaged
          when(short)(state := State.Padding) otherwise follows(State.Sequence, 4)
        }
      }
      is(State.Padding) {
        count := count + 1
        when(!short)(follows(State.Sequence, 4))
      }
      is(State.Sequence) {
        when(left === 0) {
          ends := True
          follows(State.Gap, Rgmii.GAP)
        }
      }
    }
    io.events.sent := ends
    io.events.damaged := ends && damaged
    io.events.pause := False
    io.events.noLink := False
  }

  private val line = new Area {
    private val slot = RegNext(sequencer.slot)
    slot.valid.init(False)
    private val crc = Reg(Bits(32 bits))
    when(slot.begins)(crc := B(Fcs.ONES, 32 bits))
    when(slot.summed)(crc := Rgmii.next(crc, slot.byte))
    when(slot.sequence)(crc := crc |>> 8)
    // A damaged frame gets the register itself in place of its complement.
    private val sequence = crc(7 downto 0) ^ B(0xff, 8 bits).andMask(!slot.damaged)
    private val sent = Reg(RgmiiWord())
    sent.rise.control.init(False)
    sent.fall.control.init(False)
    // Between frames idles are zeros, which tell no link state of ours.
    sent.set(slot.sequence ? sequence | slot.byte, slot.valid, slot.error)
    io.pins := sent
  }
}
