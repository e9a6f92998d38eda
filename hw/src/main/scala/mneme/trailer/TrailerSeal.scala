package mneme.trailer

import mneme.Faults
import mneme.net.CountedBeat
import mneme.wire.Wire.Trailer
import spinal.core._
import spinal.lib._

/** A beat of an answer whose trailer is missing; what is beside the beat is the same for the whole frame. */
case class UnsealedBeat() extends Bundle {
  val beat = CountedBeat()
  /** A Trailer number. */
  val kind = Bits(2 bits)
  /** For a tag: the key, and the upper bits of the request's time. */
  val key = Bits(128 bits)
  val upper = UInt(40 bits)
}

/** Appends trailers to frames; nothing else changes, so lengths and checksums must count it already.
  *
  * Beats pass at once; a frame's last one waits for the trailer, whose rounds have begun with the first. Those behind it wait in a queue that holds
  * more beats than the trailer takes cycles, so that the line stays busy.
  */
class TrailerSeal(
    workers: Int,
    worker: => SipWorker = new SipEngine,
    summer: => CrcWorker = FrameCrc(),
    depth: Int = 32,
    planted: Faults[TrailerFault.Value] = Faults.none
) extends Component {
  val io = new Bundle {
    val beats = slave(Stream(UnsealedBeat()))
    val sealedBeats = master(Stream(CountedBeat()))
    /** A frame has not left. */
    val busy = out Bool ()
  }

  private case class Queued() extends Bundle {
    val beat = CountedBeat()
    val isTag, isCrc = Bool()
  }

  private val pool = new SipPool(workers, worker)
  private val crc = summer

  private val entering = new Area {
    private val in = io.beats
    private val beat = in.payload.beat
    val first = RegNextWhen(beat.last, in.fire) init True
    val isTag = in.kind === Trailer.TAG
    val isCrc = in.kind === Trailer.CRC32C
    private val starts = first && isTag
    val queue = StreamFifo(Queued(), depth, latency = 1)
    queue.io.push.valid := in.valid && (!starts || pool.io.jobs.ready)
    queue.io.push.payload.beat := beat
    queue.io.push.isTag := isTag
    queue.io.push.isCrc := isCrc
    pool.io.jobs.valid := in.valid && starts && queue.io.push.ready
    pool.io.jobs.key := in.key
    pool.io.jobs.words := TagMessage.ofBeat(beat.data, in.upper)
    in.ready := queue.io.push.ready && (!starts || pool.io.jobs.ready)

    crc.io.beats.valid := in.fire && (isTag || isCrc)
    crc.io.beats.payload.assignSomeByName(beat)
    crc.io.beats.first := first
    crc.io.beats.headers := isCrc
  }

  /** Sums by what they are for. A frame's last beat is in the queue until its trailer has left, so they find room. */
  private val sums = new Area {
    val ofTag = Delay(entering.isTag, FrameCrc.LATENCY)
    val sum = ~crc.io.sums.payload
    private def queue(wanted: Bool) = {
      val fifo = StreamFifo(Bits(32 bits), depth, latency = 1)
      fifo.io.push.valid := crc.io.sums.valid && wanted
      fifo.io.push.payload := sum
      fifo.io.pop
    }
    pool.io.lasts << queue(ofTag)
    val crcs = queue(!ofTag)
  }

  private val leaving = new Area {
    private val head = entering.queue.io.pop
    private val out = io.sealedBeats
    private val beat = head.payload.beat
    io.busy := head.valid
    private val trails = beat.last && (head.isTag || head.isCrc)
    private val present = head.isTag ? pool.io.tags.valid | sums.crcs.valid
    private val trailer = head.isTag ? pool.io.tags.payload | sums.crcs.payload.resize(64)

    private val end = beat.lastByte +^ (head.isTag ? U(8, 4 bits) | U(4, 4 bits))
    private val overflows = planted.choose(TrailerFault.BeatLeftOut, wrong = False, right = trails && end.msb)
    /** The beat that the trailer needs is what leaves. */
    private val extra = RegInit(False)
    out.valid := head.valid && (!trails || present)
    out.last := beat.last && (!overflows || extra)
    out.lastByte := trails ? ((overflows && !extra) ? U(63) | end(5 downto 0)) | beat.lastByte
    out.user := beat.user.andMask(planted.choose(TrailerFault.DamageEarly, wrong = beat.last && !extra, right = out.last))
    when(out.fire)(extra := overflows && !extra)
    private val done = out.fire && out.last
    head.ready := out.fire && (!overflows || extra)
    pool.io.tags.ready := done && trails && head.isTag
    sums.crcs.ready := done && trails && head.isCrc

    /** The trailer's bytes by their places modulo eight, so that each byte of the beat has a choice of two. */
    private val placed = trailer.rotateLeft((beat.lastByte(2 downto 0) + 1) << 3)
    for (i <- 0 until 64) {
      val own = if (i == 0) !extra else !extra && beat.lastByte >= i
      out.data(8 * i, 8 bits) := own ? beat.data(8 * i, 8 bits) | placed(8 * (i % 8), 8 bits)
    }
  }
}
