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
  require(TagMessage.KNOWN_WORDS == 5, s"${TagMessage.KNOWN_WORDS} words from the beginning: the ring of those to come has four places")

  private val busy = RegInit(False)
  private val round = Reg(UInt(4 bits)) init 0
  private val state = Reg(SipState())
  /** The word that the two rounds under way absorb. */
  private val word = Reg(Bits(64 bits))
  /** Those to come, which stay where they are; the last one takes the place of the first of them, so that two bits of the round tell which is next. */
  private val later = Vec.fill(TagMessage.KNOWN_WORDS - 1)(Reg(Bits(64 bits)))
  private val tagged = RegInit(False)
  private val tag = Reg(Bits(64 bits))

  private val waits = (round === LAST_WANTED && !io.lasts.valid) || (round === LAST_ROUND && tagged)
  private val steps = busy && !waits
  private val ends = steps && round === LAST_ROUND
  io.jobs.ready := !busy || ends
  io.lasts.ready := busy && round === LAST_WANTED
  io.tags.valid := tagged
  io.tags.payload := tag

  /** A word goes into v3 before its two rounds and into v0 behind them. The former where v3 is used, in an adder's look-up tables, which have room for it: those in
    * front of v3, which take a key as well, have none.
    */
  private val absorbs = round < FINAL_ROUNDS
  private val next = SipRound(state.withV3(state.v3 ^ word.asUInt.andMask(absorbs && !round(0))))
  private val absorbed = absorbs && round(0)
  when(steps) {
    round := round + 1
    state.v0 := next.v0 ^ word.asUInt.andMask(absorbed)
    state.v1 := next.v1
    state.v2 := next.v2 ^ U(0xff, 64 bits).andMask(round === FINAL_ROUNDS - 1)
    state.v3 := next.v3
    when(absorbed)(word := later(round(2 downto 1)))
    when(io.lasts.fire)(later(0) := TagMessage.last(io.lasts.payload))
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
    state := SipState.begun(io.jobs.key, wide = false)
    word := io.jobs.words(0)
    later := Vec(io.jobs.words.tail)
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
