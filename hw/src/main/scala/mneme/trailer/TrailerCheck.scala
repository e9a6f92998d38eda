package mneme.trailer

import mneme.Faults
import mneme.wire.Wire.Trailer
import spinal.core._
import spinal.lib._

/** A frame before its trailer was checked. */
case class Unchecked[T <: Data](frame: HardType[T]) extends Bundle {
  val payload = frame()
  /** A Trailer number. */
  val kind = Bits(2 bits)
  val pid = UInt(24 bits)
  val phase = Bool()
  /** The tag's words that are known of the first beat. */
  val words = Vec(Bits(64 bits), TagMessage.KNOWN_WORDS)
}

/** A frame, what its trailer is worth, and under which key its answer is sealed. */
case class Checked[T <: Data](frame: HardType[T]) extends Bundle {
  val payload = frame()
  val verdict = TrailerVerdict()
  /** Of a frame with a tag. */
  val key = Bits(128 bits)
}

/** Frames come in and go out in their order, each with a verdict; those without a trailer need no `tails`.
  *
  * A tag takes its time, the same for right and wrong ones wherever they differ and for any pid whose key is at hand; frames behind it wait, up to `depth` of them.
  */
class TrailerCheck[T <: Data](frame: HardType[T], workers: Int, depth: Int = 32, planted: Faults[TrailerFault.Value] = Faults.none) extends Component {
  val io = new Bundle {
    /** The board's keys by phase, k1 ## k0; which of them there are; and that one is another one than a cycle before. */
    val keys = in(Vec(Bits(128 bits), 2))
    val phases = in Bits (2 bits)
    val changed = in Bool ()
    val frames = slave(Stream(Unchecked(frame)))
    /** One for each frame with a trailer, in their order. */
    val tails = slave(Stream(Tail()))
    val checked = master(Stream(Checked(frame)))
  }

  private case class Waiting() extends Bundle {
    val payload = frame()
    val kind = Bits(2 bits)
    /** There is a key for its tag. */
    val keyed = Bool()
  }

  private val pool = new SipPool(workers)
  private val derivation = new KeyDerivation(Vec(Bits(64 bits), TagMessage.KNOWN_WORDS), planted = planted)
  derivation.io.keys := io.keys
  derivation.io.changed := io.changed
  private def queue[D <: Data](shape: HardType[D], in: Stream[D]): Stream[D] = {
    val fifo = StreamFifo(shape, depth, latency = 1)
    fifo.io.push << in
    fifo.io.pop
  }

  private val (toWait, toKeys) = StreamFork2(io.frames)
  private val waiting = queue(
    Waiting(),
    toWait.map { frame =>
      val waiting = Waiting()
      waiting.assignSomeByName(frame)
      val phase = planted.choose(TrailerFault.PhaseOverlooked, wrong = True, right = io.phases(frame.phase.asUInt))
      waiting.keyed := frame.pid =/= 0 && phase
      waiting
    }
  )
  derivation.io.asks << toKeys.takeWhen(toKeys.kind === Trailer.TAG).map { frame =>
    val ask = KeyAsk(derivation.io.asks.payload.context)
    ask.pid := frame.pid
    ask.phase := frame.phase
    ask.payload := frame.words
    ask
  }

  private val (toPool, toKept) = StreamFork2(derivation.io.answers)
  pool.io.jobs << toPool.map { answer =>
    val job = SipJob()
    job.key := answer.key
    job.words := answer.payload
    job
  }
  private val keys = queue(Bits(128 bits), toKept.map(_.key))

  private val (toCompare, toTags) = StreamFork2(io.tails)
  private val tails = queue(Tail(), toCompare)
  pool.io.lasts << toTags.takeWhen(toTags.isTag).map(_.payloadCrc)

  /** The head, when all is there that it waits for. */
  private val head = waiting.payload
  private val isTag = head.kind === Trailer.TAG
  private val plain = head.kind =/= Trailer.TAG && head.kind =/= Trailer.CRC32C
  private val present = plain || (tails.valid && (!isTag || (pool.io.tags.valid && keys.valid)))
  private val out = io.checked
  out.valid := waiting.valid && present
  waiting.ready := out.fire
  tails.ready := out.fire && !plain
  keys.ready := out.fire && isTag
  pool.io.tags.ready := out.fire && isTag

  private val difference = tails.tag ^ pool.io.tags.payload
  private val equal = planted.choose(TrailerFault.HalfCompared, wrong = difference(31 downto 0) === 0, right = difference === 0)
  out.payload.payload := head.payload
  out.key := keys.payload
  out.verdict := TrailerVerdict.none
  when(head.kind === Trailer.CRC32C)(out.verdict := tails.crcRight ? TrailerVerdict.crcRight | TrailerVerdict.crcWrong)
  when(isTag)(out.verdict := (equal && head.keyed) ? TrailerVerdict.tagRight | TrailerVerdict.tagWrong)
}
