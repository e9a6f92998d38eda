package mneme.net

import mneme.wire.Wire.Counter
import mneme.{CBoardConfig, CounterEvents}
import spinal.core._
import spinal.lib._

/** Store-and-forward ingress: whole, undamaged frames come out, everything else leaves only a counter behind (contracts §1, 1 to 3).
  *
  * It takes a beat in every cycle. Beats go into a free slot as they arrive; the slot is taken from the list only when the
  * frame turned out to be good. While beats pass, the checksum of the UDP datagram is summed.
  */
case class Ingress(c: CBoardConfig, planted: NetFaults = NetFaults.none) extends Component {
  val io = new Bundle {
    val net = slave(Stream(FrameBeat()))
    val enable = in Bool ()
    val free = slave(Stream(UInt(log2Up(c.packetSlots) bits)))
    val write = master(Flow(PacketWrite(c)))
    val frames = master(Stream(FrameDescriptor(c)))
    val events = out(CounterEvents())
  }
  io.net.ready := True

  /** The beat as registered; `bytes` counts its valid ones. */
  val beat = new Area {
    val valid = RegNext(io.net.valid) init False
    val data = RegNext(io.net.data)
    val last = RegNext(io.net.last)
    val damaged = RegNext(io.net.user(0))
    val bytes = RegNext(CountOne(io.net.keep))
    val first = RegInit(True)
    when(valid)(first := last)
    /** Number of this beat in its frame; it stops at slotBeats, where a frame is a giant anyway. */
    val following = Reg(UInt(log2Up(c.slotBeats) + 1 bits))
    val index = first ? U(0, widthOf(following) bits) | following
    val beyond = index === c.slotBeats
    when(valid && !beyond)(following := index + 1)
  }

  val place = new Area {
    /** Whether a slot was free when the frame began: later it would miss its beginning. */
    val found = Reg(Bool())
    val present = beat.first ? io.free.valid | found
    when(beat.valid)(found := present)
    io.write.valid := beat.valid && present && !beat.beyond
    io.write.slot := io.free.payload
    io.write.beat := beat.index.resized
    io.write.data := beat.data
  }

  val verdict = new Area {
    // One bit more than a descriptor's length, for giants.
    val length = (beat.index.resize(15) |<< 6) + beat.bytes
    val reasons = Seq(
      Counter.DROP_FCS -> planted.choose(NetFault.DamagedAccepted, wrong = False, right = beat.damaged),
      Counter.DROP_RUNT -> (length < FrameField.IP_START && !beat.beyond),
      Counter.DROP_GIANT -> (beat.beyond || length > c.maxFrame),
      Counter.DROP_INGRESS_FULL -> !place.present,
      Counter.DROP_DISABLED -> !io.enable
    )
    val ended = beat.valid && beat.last
    val good = ended && !reasons.map(_._2).orR
    io.free.ready := good

    val events = CounterEvents()
    events := 0
    events(Counter.RX_FRAMES) := ended
    var earlier = False
    for ((counter, fails) <- reasons) {
      events(counter) := ended && fails && !earlier
      earlier = earlier || fails
    }
    io.events := RegNext(events) init 0
  }

  /** What is known of the frame when its last beat has come; a slot each, so the queue never overflows. */
  val described = new Area {
    val header = Reg(Bits(512 bits))
    val operands = Reg(Bits(128 bits))
    when(beat.valid && beat.first)(header := beat.data)
    when(beat.valid && beat.index === 1)(operands := beat.data(127 downto 0))
    val fifo = StreamFifo(DescriptorHead(c), c.packetSlots, latency = 1)
    fifo.io.push.valid := verdict.good
    fifo.io.push.slot := io.free.payload
    fifo.io.push.length := verdict.length.resized
    fifo.io.push.header := beat.first ? beat.data | header
    fifo.io.push.operands := (beat.index === 1) ? beat.data(127 downto 0) | operands
  }

  /** The checksum is ready two cycles later than the rest: masked words, their sums, the total. */
  val checksum = new Area {
    /** Bytes of the IPv4 packet that lie in this beat and later ones, Ethernet header included. */
    val remaining = Reg(UInt(17 bits))
    val total = FrameBytes.read(beat.data, FrameField.IP_TOTAL).asUInt
    val left = beat.first ? (total +^ FrameField.IP_START) | remaining
    when(beat.valid)(remaining := (left >= 64) ? (left - 64) | U(0))

    val masked = Bits(512 bits)
    for (i <- 0 until 64) {
      // The first beat counts from the addresses on, which belong to the pseudo header.
      val counted = if (i < FrameField.SRC_IP._1) left > i && !beat.first else left > i
      masked(8 * i, 8 bits) := counted ? beat.data(8 * i, 8 bits) | B(0, 8 bits)
    }
    val words = RegNext(masked)
    val wordsValid = RegNext(beat.valid) init False
    val wordsFirst = RegNext(beat.first)
    val wordsGood = RegNext(verdict.good) init False

    val groups = RegNext(Vec(FrameBytes.words(words, 0, 64).grouped(4).map(FrameBytes.sum).toSeq))
    val groupsValid = RegNext(wordsValid) init False
    val groupsFirst = RegNext(wordsFirst)
    val groupsGood = RegNext(wordsGood) init False

    val running = Reg(UInt(FrameDescriptor.sumBits(c) bits))
    val sum = (groupsFirst ? U(0) | running) + FrameBytes.sum(groups.toSeq).resized
    when(groupsValid)(running := sum)
    val fifo = StreamFifo(UInt(FrameDescriptor.sumBits(c) bits), c.packetSlots, latency = 1)
    fifo.io.push.valid := groupsGood
    fifo.io.push.payload := sum
  }

  private val joined = StreamJoin(described.fifo.io.pop, checksum.fifo.io.pop)
  io.frames.arbitrationFrom(joined)
  io.frames.payload.assignSomeByName(joined.payload._1)
  io.frames.udpSum := joined.payload._2
}

/** The part of a descriptor that is known without the checksum. */
private[net] case class DescriptorHead(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val length = UInt(14 bits)
  val header = Bits(512 bits)
  val operands = Bits(128 bits)
}
