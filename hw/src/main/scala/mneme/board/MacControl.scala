package mneme.board

import spinal.core._
import spinal.lib._

/** Received pauses (IEEE 802.3 annex 31B): nothing is sent for so many times 512 bits as the last one said; 0 ends a pause. */
case class PauseTimer() extends Component {
  val io = new Bundle {
    val quanta = slave(Flow(UInt(16 bits)))
    val paused = out Bool ()
  }
  /** Words of 64 bits. */
  val left = Reg(UInt(19 bits)) init 0
  when(left =/= 0)(left := left - 1)
  when(io.quanta.valid)(left := io.quanta.payload @@ U(0, 3 bits))
  io.paused := left =/= 0
}

/** Pauses of our own: one of the longest time when the receive store fills up, again before that time is over, and one of no time when there is room. */
case class PauseSender(refresh: Int = PauseSender.REFRESH) extends Component {
  val io = new Bundle {
    /** The other side is to stop. */
    val full = in Bool ()
    /** The sender, its first byte highest. */
    val address = in Bits (48 bits)
    val frames = master(Stream(FrameWord()))
  }
  private val told = RegInit(False)
  private val age = Reg(UInt(log2Up(refresh) bits)) init 0
  private val sends, stops = RegInit(False)
  private val second = Reg(UInt(2 bits)) init 0
  private val due = age === refresh - 1
  when(told && !due)(age := age + 1)
  when(!sends && (io.full =/= told || (told && due))) {
    sends := True
    stops := io.full
    told := io.full
    age := 0
  }

  private val bytes = Bits(144 bits)
  bytes := B(MacReceive.PAUSE_ADDRESS, 48 bits) ## io.address ## B(MacReceive.CONTROL_ETHERTYPE, 16 bits) ##
    B(MacReceive.PAUSE_OPCODE, 16 bits) ## B(16 bits, default -> stops)
  // The first byte is highest in a number, lowest in a word.
  private val words = (bytes ## B(0, 48 bits)).subdivideIn(64 bits).reverse.map(w => w.subdivideIn(8 bits).reverse.asBits())
  io.frames.valid := sends
  io.frames.data := Vec(words).read(second)
  io.frames.last := second === words.size - 1
  io.frames.lastByte := io.frames.last ? U(1, 3 bits) | U(7, 3 bits)
  io.frames.damaged := False
  when(io.frames.fire) {
    second := io.frames.last ? U(0) | second + 1
    when(io.frames.last)(sends := False)
  }
}

object PauseSender {
  /** Cycles after which a pause is told again: half of the longest one, 65,535 times 8. */
  val REFRESH: Int = 1 << 18
}

/** Faults that the other side or our own PCS tells (46.3.4): four sequences of one kind with fewer than 128 columns between them; over after 128 without. */
case class LinkFault() extends Component {
  val io = new Bundle {
    val xgmii = slave(Flow(Xgmii()))
    val local, remote = out Bool ()
  }
  private def sequence(column: Int): (Bool, Bool) = {
    val at = 4 * column
    val bytes = io.xgmii.data(32 * column + 8, 24 bits)
    def is(kind: Int): Bool =
      io.xgmii.control(at, 4 bits) === 1 && io.xgmii.lane(at) === Xgmii.SEQUENCE && bytes === B(BigInt(kind) << 16, 24 bits)
    (is(1), is(2))
  }
  private val (low, high) = (sequence(0), sequence(1))
  private val (lowAny, highAny) = (low._1 || low._2, high._1 || high._2)
  private val any = RegNext(io.xgmii.valid && (lowAny || highAny)) init False
  private val both = RegNext(lowAny && highAny && low._1 === high._1)
  private val kind = RegNext(highAny ? high._2 | low._2)
  private val word = RegNext(io.xgmii.valid) init False

  private val lastKind = Reg(Bool()) init False
  private val count = Reg(UInt(3 bits)) init 0
  private val quiet = Reg(UInt(6 bits)) init 0
  private val fault, remote = RegInit(False)
  private val before = (count =/= 0 && kind === lastKind) ? count | U(0, 3 bits)
  private val now = before + (both ? U(2, 3 bits) | U(1, 3 bits))
  when(any) {
    lastKind := kind
    quiet := 0
    count := now.msb ? U(4) | now
    when(now.msb) {
      fault := True
      remote := kind
    }
  } elsewhen (word) {
    quiet := quiet + 1
    when(quiet.andR) {
      fault := False
      count := 0
    }
  }
  io.local := fault && !remote
  io.remote := fault && remote
}
