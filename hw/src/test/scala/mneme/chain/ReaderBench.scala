package mneme.chain

import mneme.Simulation
import org.scalatest.Assertions._
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** A departure: of a packet, or of an end alone. `number` names it in the packet's number. */
case class Leaves(
    number: Int,
    sends: Boolean,
    pair: Int,
    source: Int,
    frame: Int,
    offset: Int,
    bytes: Int,
    word: BigInt,
    va: BigInt,
    rkey: BigInt,
    immediate: BigInt,
    ends: Boolean,
    epoch: Boolean
) {
  def reads: Boolean = sends && source == Leaves.FRAME
  def beats: Int = if (sends) (bytes + 63) / 64 else 0
}

object Leaves {
  val (frameSource, zeroSource, wordSource) = (ReplySource.FRAME, ReplySource.ZEROS, ReplySource.WORD)
  val FRAME = 0
  val ZEROS = 1
  val WORD = 2

  /** A page's packets in order, a word, or an end alone. */
  def any(r: Random, number: Int, frames: Int, pairs: Int): Seq[Leaves] = {
    val one = Leaves(
      number,
      sends = true,
      r.nextInt(pairs),
      WORD,
      r.nextInt(frames),
      0,
      8,
      BigInt(64, r),
      BigInt(64, r),
      BigInt(32, r),
      BigInt(32, r),
      ends = false,
      r.nextBoolean()
    )
    r.nextInt(8) match {
      case 0 | 1 => Seq(one)
      case 2 => Seq(one.copy(sends = false, ends = true))
      case 3 => page(one.copy(source = ZEROS, ends = r.nextBoolean()), 256 << r.nextInt(5))
      case _ => page(one, 256 << r.nextInt(5))
    }
  }

  def page(one: Leaves, mtu: Int): Seq[Leaves] = for (i <- 0 until 4096 / mtu) yield one.copy(
    number = one.number + i,
    source = if (one.source == ZEROS) ZEROS else FRAME,
    offset = i * mtu,
    bytes = mtu,
    ends = if (one.source == ZEROS) one.ends else i == 4096 / mtu - 1
  )
}

/** How often each side pauses, of 16 cycles; cycles that memory takes. */
case class ReaderPace(departures: Int = 0, tokens: Int = 0, memory: Int = 0, packets: Int = 0, line: Int = 0, latency: Int = 10)

/** Drives a [[ReplyReader]] and compares all that it gives with the bytes of its memory. One loop per cycle: the seed decides all. */
class ReaderBench(dut: ReplyReader, k: ChainConfig, r: Random, pace: ReaderPace) {
  import dut.io
  private val c = k.l.c
  private val clock = dut.clockDomain
  val frames = 16
  private val base = 1 << 6
  private val memory = Array.fill(frames * 4096)(r.nextInt(256))
  /** Lines that memory does not give. */
  val bad = mutable.Set[Int]()

  private case class Inside(context: Int, var ends: Int = 0)
  private val toOffer, packetsDue, endsDue = mutable.Queue[Leaves]()
  private val beatsDue = mutable.Queue[(Leaves, Int)]()
  private val failuresDue = mutable.Queue[Int]()
  private val completions = mutable.Queue[(Inside, Int)]()
  private val data = mutable.Queue[(Inside, Int, Int, Boolean)]()
  private val inUse = mutable.Set[Int]()
  /** Beats of frames that packets up to this one need; those that were taken. */
  private val needs = mutable.Map[Int, Int]()
  private var needed, taken = 0
  var (cycle, most) = (0, 0)
  /** Cycles of departures taken, of packets and beats given. */
  val came, left, given = mutable.ArrayBuffer[Int]()

  private def number(bytes: Seq[Int]) = bytes.reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)
  private def pauses(share: Int) = r.nextInt(16) < share
  private def fires(stream: spinal.lib.Stream[_]) = stream.valid.toBoolean && stream.ready.toBoolean
  private def failing(leaves: Leaves, beat: Int) = leaves.reads && bad((leaves.frame * 4096 + leaves.offset) / 64 + beat)

  rest()
  clock.forkStimulus(10)
  private def rest(): Unit = {
    for (stream <- Seq[spinal.lib.Stream[_]](io.departures, io.frames.data.completions, io.frames.data.payload, io.frames.data.fetch)) stream.valid #= false
    for (stream <- Seq[spinal.lib.Stream[_]](io.packets, io.payload, io.frames.tokens)) stream.ready #= false
  }

  def send(leaves: Seq[Leaves]): Unit = for (one <- leaves) {
    toOffer += one
    if (one.reads) needed += one.beats
    needs(one.number) = needed
    if (one.sends) packetsDue += one
    for (beat <- 0 until one.beats) beatsDue += ((one, beat))
    if (one.ends) endsDue += one
    if ((0 until one.beats).exists(failing(one, _))) failuresDue += one.pair
  }

  private def takeToken(): Unit = {
    val token = io.frames.tokens.payload
    val (address, length, context) = (token.address.toInt - base * 4096, token.length.toInt, token.context.toInt)
    assert(!token.writes.toBoolean && length >= 1 && length <= c.maxPayload && address / 4096 == (address + length - 1) / 4096, "a token inside a frame")
    assert(inUse.add(context), s"context $context is used twice")
    most = most max inUse.size
    val one = Inside(context)
    // A write ahead of it, of somebody else at the door, holds up a read's completion.
    completions += ((one, cycle + (if (pace.memory > 0 && r.nextInt(8) == 0) 200 else 2)))
    for (beat <- 0 until (length + 63) / 64) {
      val at = address + 64 * beat
      data += ((one, cycle + pace.latency, at, 64 * (beat + 1) >= length))
    }
  }
  private def end(one: Inside): Unit = {
    one.ends += 1
    if (one.ends == 2) inUse -= one.context
  }

  private def check(): Unit = {
    if (fires(io.departures)) { toOffer.dequeue(); came += cycle }
    if (fires(io.frames.tokens)) takeToken()
    if (fires(io.frames.data.completions)) end(completions.dequeue()._1)
    if (fires(io.frames.data.payload)) {
      val (one, _, _, last) = data.dequeue()
      taken += 1
      if (last) end(one)
    }
    if (fires(io.packets)) {
      val (p, one) = (io.packets.payload, packetsDue.dequeue())
      left += cycle
      assert(p.psn.toInt == one.number && p.payload.toInt == one.bytes && p.opcode.toInt == (one.number & 0xff), "the packet")
      assert((
        p.write.va.toBigInt,
        p.write.rkey.toBigInt,
        p.write.length.toBigInt,
        p.write.immediate.toBigInt
      ) == ((one.va, one.rkey, BigInt(one.bytes) * 3, one.immediate)))
      if (one.reads) assert(taken > needs(one.number) - one.beats, s"packet ${one.number} leaves before its bytes are there")
    }
    if (fires(io.payload)) {
      val (one, beat) = beatsDue.dequeue()
      given += cycle
      val at = one.frame * 4096 + one.offset + 64 * beat
      val want = if (one.source == Leaves.WORD) one.word else if (one.source == Leaves.ZEROS) BigInt(0) else number(memory.slice(at, at + 64).toSeq)
      assert(io.payload.error.toBoolean == failing(one, beat), s"error of beat $beat of packet ${one.number}")
      if (!failing(one, beat)) assert(io.payload.data.toBigInt == want, s"beat $beat of packet ${one.number}, from ${one.source}")
    }
    if (io.ends.valid.toBoolean) {
      val one = endsDue.dequeue()
      assert(io.ends.payload.toBoolean == one.epoch, s"the epoch of ${one.number}")
      assert(taken >= needs(one.number), s"the access of ${one.number} ends before its bytes were read")
    }
    if (io.failed.valid.toBoolean) assert(failuresDue.dequeue() == io.failed.payload.toInt, "the queue pair that failed")
  }

  private def drive(): Unit = {
    def next(stream: spinal.lib.Stream[_], there: Boolean, share: Int)(set: => Unit): Unit = {
      if (!stream.valid.toBoolean || stream.ready.toBoolean) stream.valid #= there && !pauses(share)
      if (there) set
    }
    next(io.departures, toOffer.nonEmpty, pace.departures)(set(toOffer.head))
    next(
      io.frames.data.completions,
      completions.headOption.exists(_._2 <= cycle),
      pace.memory
    )(io.frames.data.completions.context #= completions.head._1.context)
    next(io.frames.data.payload, data.headOption.exists(_._2 <= cycle), pace.memory) {
      val (_, _, at, _) = data.head
      io.frames.data.payload.data #= number(memory.slice(at, at + 64).toSeq)
      io.frames.data.payload.error #= bad(at / 64)
    }
    io.frames.tokens.ready #= !pauses(pace.tokens)
    io.packets.ready #= !pauses(pace.packets)
    io.payload.ready #= !pauses(pace.line)
  }

  private def set(one: Leaves): Unit = {
    val d = io.departures.payload
    d.sends #= one.sends
    d.pair #= one.pair
    d.packet.opcode #= one.number & 0xff
    d.packet.psn #= one.number
    d.packet.payload #= one.bytes
    d.va #= one.va
    d.rkey #= one.rkey
    d.length #= 3 * one.bytes
    d.immediate #= one.immediate
    d.source #= Seq(ReplySource.FRAME, ReplySource.ZEROS, ReplySource.WORD)(one.source)
    d.frame #= base + one.frame
    d.offset #= one.offset
    d.word #= one.word
    d.ends #= one.ends
    d.epoch #= one.epoch
  }

  private def step(): Unit = { cycle += 1; check(); drive() }
  def run(cycles: Int): Unit = {
    val until = cycle + cycles
    Simulation.cycles(clock) { step(); cycle < until }
  }
  private def busy = Seq(toOffer, packetsDue, endsDue, beatsDue, failuresDue, completions, data).exists(_.nonEmpty)
  def settle(): Unit = {
    val until = cycle + 400000
    Simulation.cycles(clock) { step(); busy && cycle < until }
    assert(
      !busy,
      s"${toOffer.size} departures, ${packetsDue.size} packets, ${beatsDue.size} beats, ${endsDue.size} ends, ${failuresDue.size} failures are left"
    )
    run(30)
    assert(io.idle.toBoolean && inUse.isEmpty)
  }
  def reset(): Unit = {
    rest()
    clock.assertReset()
    for (queue <- Seq(toOffer, packetsDue, endsDue, beatsDue, failuresDue, completions, data)) queue.clear()
    inUse.clear()
    needs.clear()
    needed = 0
    taken = 0
    clock.waitActiveEdge(3)
    clock.deassertReset()
    clock.waitSampling()
  }
}
