package mneme.board

import mneme.Faults
import mneme.net.{FrameBeat, FrameBytes, FrameField}
import mneme.trailer.{SipEngine, TagMessage}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite._

/** Who may reach the registers through the network, and under which key. Addresses have their first byte highest. */
case class HostIdentity() extends Bundle {
  val board, host = Bits(48 bits)
  /** As SipHash has it: its first byte lowest. */
  val key = Bits(128 bits)
}

/** What was dropped, each an event of one cycle. */
case class HostEvents() extends Bundle {
  val foreign, badTag, stale, busy = Bool()
}

/** Register accesses of a host on the same Ethernet, in frames of 64 bytes with a tag (`docs/reference/ecpix5.md` §3, numbers in `wire/src/host.rs`).
  *
  * Frames with the host's EtherType end here, all others pass. A tag covers the frame's first 48 bytes but itself. A frame whose tag is right is taken when
  * it has the board's nonce and a higher sequence than the one before; with the same sequence it is a retry, and gets the same answer without another access.
  * A recorded frame is of an older sequence, or of an older nonce: that is the time of the first HELLO since the reset, in cycles, which a recorded HELLO
  * cannot set again but by hitting the cycle.
  *
  * One frame at a time; those that come while one is not answered are dropped and counted.
  */
case class HostPort(plantable: Boolean = false) extends Component {
  val io = new Bundle {
    val identity = in(HostIdentity())
    val fromPort, fromCore = slave(Stream(FrameBeat()))
    val toCore, toPort = master(Stream(FrameBeat()))
    val bus = master(AxiLite4(RegisterGate.busConfig))
    val events = out(HostEvents())
  }
  val plantedFaults = Faults.port(HostFault, plantable)
  private val faults = new Faults[HostFault.Value](plantedFaults)
  private def bytes(beat: Bits, at: Int, count: Int): Bits = beat(8 * at, 8 * count bits)

  /** Frames of the host's EtherType come here, others go on. */
  val entry = new Area {
    val inside, ours = RegInit(False)
    private val in = io.fromPort
    private val isOurs = FrameBytes.read(in.data, FrameField.ETHERTYPE) === Wire.HOST_ETHERTYPE
    private val mine = inside ? ours | isOurs
    when(in.fire) {
      inside := !in.last
      ours := mine
    }
    io.toCore.valid := in.valid && !mine
    io.toCore.payload := in.payload
    in.ready := mine || io.toCore.ready
    val comes = in.fire && !inside && isOurs
    /** Of one full beat. */
    val whole = in.last && in.keep.msb
    val beat = in.data(8 * 48 - 1 downto 0)
  }

  // Of the first 48 bytes.
  private val beat = Reg(Bits(8 * 48 bits))
  private val busy, checks, accesses, answers = RegInit(False)
  private val kind = bytes(beat, Wire.HOST_KIND, 1)
  private def is(number: Int): Bool = kind === number
  private val (hello, reads, writes) = (is(Wire.HostKind.HELLO), is(Wire.HostKind.READ), is(Wire.HostKind.WRITE))

  /** The time since the reset; the first HELLO's is the nonce. */
  val time = Reg(UInt(64 bits)) init 1
  time := time + 1
  val nonce = Reg(Bits(64 bits)) init 0
  val sequence = Reg(UInt(64 bits)) init 0
  private val data = Reg(Bits(32 bits))

  private val judged = new Area {
    val addressed = RegNext(
      FrameBytes.read(entry.beat, FrameField.DST_MAC) === io.identity.board && FrameBytes.read(entry.beat, FrameField.SRC_MAC) === io.identity.host
    )
    val whole = RegNext(entry.whole)
    val fresh = RegNext(entry.comes && !busy) init False
    private val known = hello || reads || writes
    private val aligned = bytes(beat, Wire.HOST_ADDRESS, 4).take(2) === 0
    val takes = fresh && addressed && whole && known && bytes(beat, Wire.HOST_KIND + 1, 1) === 0 && aligned
    io.events.foreign := fresh && !takes
    io.events.busy := entry.comes && busy
  }

  /** Tags of what comes and of what goes, in turn. */
  private val sip = new SipEngine
  private val asks = RegInit(False)
  private val words = Vec(
    bytes(beat, 0, 8),
    bytes(beat, 8, 8),
    bytes(beat, Wire.HOST_NONCE, 8),
    bytes(beat, Wire.HOST_SEQUENCE, 8),
    bytes(beat, Wire.HOST_ADDRESS, 8)
  )
  require(words.size == TagMessage.KNOWN_WORDS)
  sip.io.jobs.valid := asks
  sip.io.jobs.key := io.identity.key
  sip.io.jobs.words := words
  sip.io.lasts.valid := True
  sip.io.lasts.payload := 0
  sip.io.tags.ready := checks || answers
  when(sip.io.jobs.fire)(asks := False)
  private val tagged = sip.io.tags.valid && !asks

  when(entry.comes && !busy) {
    beat := entry.beat
    busy := True
  }
  when(judged.fresh) {
    busy := judged.takes
    checks := judged.takes
    asks := judged.takes
  }

  /** The frame's tag is there. */
  private val check = new Area {
    private val theirs = bytes(beat, Wire.HOST_SEQUENCE, 8).asUInt
    private val right = faults.choose(HostFault.AnyTag, True, sip.io.tags.payload === bytes(beat, Wire.HOST_TAG, 8))
    private val ofThisLife = bytes(beat, Wire.HOST_NONCE, 8) === nonce && nonce =/= 0
    private val newer = faults.choose(HostFault.Replays, True, theirs > sequence)
    private val again = theirs === sequence && theirs =/= 0
    private val now = checks && tagged
    private val first = right && !hello && ofThisLife && newer
    private val retry = right && !hello && ofThisLife && again && !newer
    private val greets = right && hello
    io.events.badTag := now && !right
    io.events.stale := now && right && !greets && !first && !retry
    when(now) {
      checks := False
      busy := greets || first || retry
      accesses := first
      when(first)(sequence := theirs)
      when(greets || retry) {
        answers := True
        asks := True
        turnRound()
      }
      when(greets) {
        val told = (nonce === 0) ? time.asBits | nonce
        nonce := told
        bytes(beat, Wire.HOST_NONCE, 8) := told
        bytes(beat, Wire.HOST_ADDRESS, 8) := 0
      }
      when(retry)(bytes(beat, Wire.HOST_DATA, 4) := data)
    }
  }

  /** The beat becomes its answer. */
  private def turnRound(): Unit = {
    bytes(beat, 0, 6) := bytes(beat, 6, 6)
    bytes(beat, 6, 6) := bytes(beat, 0, 6)
    bytes(beat, Wire.HOST_KIND, 1)(7) := True
  }

  /** The access itself. */
  private val access = new Area {
    private val bus = io.bus
    val asksBus, gives = RegInit(False)
    when(accesses.rise(False)) {
      asksBus := True
      gives := writes
    }
    for (command <- Seq(bus.aw, bus.ar)) {
      command.addr := bytes(beat, Wire.HOST_ADDRESS, 4).asUInt.resized
      command.prot := 0
    }
    bus.ar.valid := asksBus && reads
    bus.aw.valid := asksBus && writes
    bus.w.valid := gives
    bus.w.data := bytes(beat, Wire.HOST_DATA, 4)
    bus.w.strb := 0xf
    bus.r.ready := True
    bus.b.ready := True
    when(bus.ar.fire || bus.aw.fire)(asksBus := False)
    when(bus.w.fire)(gives := False)
    when(bus.r.fire || bus.b.fire) {
      accesses := False
      answers := True
      asks := True
      val result = reads ? bus.r.data | B(0, 32 bits)
      data := result
      bytes(beat, Wire.HOST_DATA, 4) := result
      turnRound()
    }
  }

  /** Its tag is there: the answer goes between two frames of the core. */
  private val exit = new Area {
    val inside, turn, holds = RegInit(False)
    when(answers && tagged) {
      answers := False
      holds := True
      bytes(beat, Wire.HOST_TAG, 8) := sip.io.tags.payload
    }
    private val (core, out) = (io.fromCore, io.toPort)
    out.valid := turn || core.valid
    out.payload := core.payload
    when(turn) {
      out.data := beat.resized
      out.keep.setAll()
      out.last := True
      out.user := 0
    }
    core.ready := out.ready && !turn
    when(core.fire)(inside := !core.last)
    when(turn && out.fire) {
      turn := False
      holds := False
      busy := False
    }
    when(holds && !turn && (core.fire ? core.last | (!core.valid && !inside)))(turn := True)
  }
}

/** Defects that a bench plants. */
object HostFault extends Enumeration {
  /** Tags are not looked at. */
  val AnyTag = Value
  /** A frame that was recorded is taken again. */
  val Replays = Value
}
