package mneme.net

import mneme.trailer.{Tail, TrailerKind, TrailerTail, TrailerVerdict}
import mneme.wire.Wire.{Counter, Field}
import mneme.{CBoardConfig, Control, CounterEvents, Faults, knownBytes}
import spinal.core._
import spinal.lib._

/** Store-and-forward ingress: whole, undamaged frames come out, everything else leaves only a counter behind (contracts §1, 1 to 3).
  *
  * It takes a beat in every cycle. Beats go into a free slot as they arrive; the slot is taken from the list only when the
  * frame turned out to be good. While beats pass, the header is parsed and the checksums are summed.
  */
case class Ingress(c: CBoardConfig, planted: Faults[NetFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    val net = slave(Stream(FrameBeat()))
    val control = in(Control())
    val free = slave(Stream(UInt(log2Up(c.packetSlots) bits)))
    val write = master(Flow(PacketWrite(c)))
    val frames = master(Stream(FrameDescriptor(c)))
    /** What the trailers of those that have one are held against, in their order. */
    val tails = c.trailers generate master(Stream(Tail()))
    val events = out(CounterEvents())
  }
  io.net.ready := True

  /** The beat as registered; `bytes` counts its valid ones. */
  val beat = new Area {
    val valid = RegNext(io.net.valid) init False
    val data = RegNext(io.net.data)
    val last = RegNext(io.net.last)
    val damaged = RegNext(io.net.user(0))
    val keep = RegNext(io.net.keep)
    val bytes = RegNext(FrameBytes.validBytes(io.net.keep))
    val first = RegInit(True)
    when(valid)(first := last)
    /** Number of this beat in its frame; it stops at slotBeats, where a frame is a giant anyway. */
    val index = Reg(UInt(log2Up(c.slotBeats) + 1 bits)) init 0
    val beyond = index === c.slotBeats
    when(valid && (last || !beyond))(index := last ? U(0) | index + 1)
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
      Counter.DROP_RUNT -> (beat.first && beat.bytes < FrameField.IP_START),
      // By number of beat and bytes in it, which is shorter than by the length.
      Counter.DROP_GIANT -> (beat.index > c.maxFrame / 64 || (beat.index === c.maxFrame / 64 && beat.bytes > c.maxFrame % 64)),
      Counter.DROP_INGRESS_FULL -> !place.present,
      Counter.DROP_DISABLED -> !io.control.enable
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

  /** What is known of the frame a cycle after its last beat; a slot each, so the queue never overflows. */
  val described = new Area {
    val head = Reg(DescriptorHead(c))
    when(beat.valid && beat.first)(head.header := HeaderParser(c, beat.data, io.control, planted))
    head.slot := io.free.payload
    head.length := verdict.length.resized
    val fifo = StreamFifo(DescriptorHead(c), c.packetSlots, latency = 1)
    fifo.io.push.valid := RegNext(verdict.good) init False
    fifo.io.push.payload := head
  }

  /** The checksums are ready a cycle later than that: words, sums of some of them, totals. Bytes past the frame's end count as zero. */
  val checksum = new Area {
    private val firstEthernetWords = FrameField.IP_START / 2
    private val addresses = FrameField.SRC_IP._1 / 2
    private val udp = FrameField.UDP_START / 2

    val words = new Area {
      val valid = RegNext(beat.valid) init False
      val first = RegNext(beat.first)
      val good = RegNext(verdict.good) init False
      private val masked = knownBytes(beat.valid)(i => beat.data(8 * i, 8 bits).andMask(beat.keep(i)))
      val all = Vec(FrameBytes.words(masked, 0, 64).map(RegNextWhen(_, beat.valid)))
      // Of the first beat what lies before the IP header does not count; its place takes what the pseudo header has beside the addresses.
      when(beat.valid && beat.first) {
        all.slice(2, firstEthernetWords).foreach(_ := 0)
        all(0) := FrameField.PROTOCOL_UDP
        all(1) := FrameBytes.read(beat.data, FrameField.UDP_LENGTH).asUInt
      }
    }

    /** Sums of the words that only one of both checksums covers, and of those that both do. */
    val sums = new Area {
      val valid = RegNext(words.valid) init False
      val first = RegNext(words.first)
      val good = RegNext(words.good) init False
      private def of(range: Range): UInt = RegNext(FrameBytes.sum(range.map(words.all(_))))
      val ethernet = of(0 until firstEthernetWords)
      val ip = of(firstEthernetWords until addresses)
      val both = of(addresses until udp)
      val rest = (udp until 32).grouped(4).map(g => of(g.head to g.last)).toSeq
    }

    private val running = Reg(UInt(FrameDescriptor.sumBits(c) bits))
    private val datagram = FrameBytes.sum(Seq(sums.ethernet, sums.both) ++ sums.rest)
    val udpSum = (datagram +^ sums.ip.andMask(!sums.first)).resize(widthOf(running)) + running.andMask(!sums.first)
    when(sums.valid)(running := udpSum)
    private val badIp = !FrameBytes.sumsRight(sums.ip +^ sums.both)
    private val badIpBefore = RegNextWhen(badIp, sums.valid && sums.first)

    val fifo = StreamFifo(Checksums(c), c.packetSlots, latency = 1)
    fifo.io.push.valid := sums.good
    fifo.io.push.udpSum := udpSum
    fifo.io.push.badIpSum := sums.first ? badIp | badIpBefore
  }

  /** Sums of frames with a trailer; with a place for each slot the queue never overflows. */
  val trailers = c.trailers generate new Area {
    private val tail = TrailerTail()
    private val ofFirst = FrameBytes.read(beat.data, FrameField.mneme(Field.FLAGS))(3 downto 2)
    private val headersBefore = RegNextWhen(TrailerKind.isCrc(ofFirst), beat.valid && beat.first)
    tail.io.beats.valid := beat.valid
    tail.io.beats.data := beat.data
    tail.io.beats.lastByte := (beat.bytes - 1).resized
    tail.io.beats.first := beat.first
    tail.io.beats.last := beat.last
    tail.io.beats.headers := beat.first ? TrailerKind.isCrc(ofFirst) | headersBefore
    // A frame is known to be good with its last beat, and its kind a cycle later.
    private val wanted = described.fifo.io.push.valid && TrailerKind.trails(described.head.header.kind)
    private val fifo = StreamFifo(Tail(), c.packetSlots, latency = 1)
    fifo.io.push.valid := Delay(wanted, TrailerTail.LATENCY - 1, init = False)
    fifo.io.push.payload := tail.io.tails.payload
    io.tails << fifo.io.pop
  }

  private val joined = StreamJoin(described.fifo.io.pop, checksum.fifo.io.pop)
  io.frames.arbitrationFrom(joined)
  io.frames.payload.assignSomeByName(joined.payload._1)
  io.frames.payload.assignSomeByName(joined.payload._2)
  if (c.trailers) io.frames.payload.trailer := TrailerVerdict.none
}

/** The part of a descriptor that is known without the checksums. */
private[net] case class DescriptorHead(c: CBoardConfig) extends Bundle {
  val slot = UInt(log2Up(c.packetSlots) bits)
  val length = UInt(14 bits)
  val header = Header(c)
}

/** The other part. */
private[net] case class Checksums(c: CBoardConfig) extends Bundle {
  val badIpSum = Bool()
  val udpSum = UInt(FrameDescriptor.sumBits(c) bits)
}
