package mneme.trailer

import spinal.core._
import spinal.lib._

/** A tag to work out: the key and the words that are known from a frame's first beat. */
case class SipJob() extends Bundle {
  /** k1 ## k0. */
  val key = Bits(128 bits)
  val words = Vec(Bits(64 bits), TagMessage.KNOWN_WORDS)
}

/** The ports of what works out tags. */
case class SipPort() extends Bundle with IMasterSlave {
  val jobs = Stream(SipJob())
  /** Each job's CRC-32C of the payload, in the order of the jobs: asked for late. */
  val lasts = Stream(Bits(32 bits))
  val tags = Stream(Bits(64 bits))
  override def asMaster(): Unit = { master(jobs, lasts); slave(tags) }
}

/** Something with these ports: an engine, or what stands for it in a proof. */
abstract class SipWorker extends Component {
  val io = slave(SipPort())
}

/** SipHash-2-4 of a tag's message, a round in each cycle: 16 for a message, of which eight run before the last word must be there.
  *
  * The cycle of the last round takes the next job. Every message has the same number of rounds, so time tells nothing of key or tag.
  */
class SipEngine extends SipWorker {
  import SipEngine._

  private val busy = RegInit(False)
  private val round = Reg(UInt(4 bits)) init 0
  private val state = Reg(SipState())
  /** The word that the rounds under way absorb, and those to come. */
  private val words = Vec.fill(TagMessage.KNOWN_WORDS)(Reg(Bits(64 bits)))
  private val tagged = RegInit(False)
  private val tag = Reg(Bits(64 bits))

  private val waits = (round === LAST_WANTED && !io.lasts.valid) || (round === LAST_ROUND && tagged)
  private val steps = busy && !waits
  private val ends = steps && round === LAST_ROUND
  io.jobs.ready := !busy || ends
  io.lasts.ready := busy && round === LAST_WANTED
  io.tags.valid := tagged
  io.tags.payload := tag

  private val next = SipRound(state)
  /** Two rounds have absorbed a word. */
  private val absorbed = round(0) && round < FINAL_ROUNDS
  private val more = absorbed && round =/= FINAL_ROUNDS - 1
  when(steps) {
    round := round + 1
    state.v0 := next.v0 ^ words(0).asUInt.andMask(absorbed)
    state.v1 := next.v1
    state.v2 := next.v2 ^ U(0xff, 64 bits).andMask(round === FINAL_ROUNDS - 1)
    state.v3 := next.v3 ^ words(1).asUInt.andMask(more)
    when(absorbed)(for (i <- 1 until words.size) words(i - 1) := words(i))
    when(io.lasts.fire)(words(1) := TagMessage.last(io.lasts.payload))
  }
  when(io.tags.fire)(tagged := False)
  when(ends) {
    busy := False
    tagged := True
    tag := next.folded
  }
  when(io.jobs.fire) {
    busy := True
    round := 0
    state := SipState.begun(io.jobs.key, io.jobs.words(0).asUInt, wide = false)
    words := io.jobs.words
  }
}

object SipEngine {
  /** Rounds, from 0, in a row: two for each word, four at the end. */
  val FINAL_ROUNDS: Int = 2 * (TagMessage.KNOWN_WORDS + 1)
  val LAST_ROUND: Int = FINAL_ROUNDS + 3
  /** The round in which the last word is taken: the one after it is absorbed with it. */
  val LAST_WANTED: Int = 2 * TagMessage.KNOWN_WORDS - 2
  /** Cycles for each tag. */
  val CYCLES: Int = LAST_ROUND + 1
}
