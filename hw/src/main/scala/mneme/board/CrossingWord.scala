package mneme.board

import mneme.Faults
import spinal.core._
import spinal.lib._

/** One word after the other from a clock to another: pointers, counts, settings.
  *
  * The word is held while a request, one bit that changes for each word, goes over; whoever sees the change takes the word and sends the bit back, and only
  * then the next word is taken. So a word takes a cycle of the sender and three of the receiver, and the next one as long again. Any two clocks will do.
  */
case class CrossingWord[T <: Data](word: HardType[T], from: ClockDomain, to: ClockDomain, faults: Faults[CrossingFault.Value] = Faults.none)
    extends Crossing {
  val io = new Bundle {
    val in = slave(Stream(word()))
    val out = master(Flow(word()))
  }

  private val width = widthOf(word())
  val sender = new ClockingArea(from) {
    val held = Reg(Bits(width bits)) init 0
    val request = Reg(Bits(1 bits)) init 0
  }
  val receiver = new ClockingArea(to) {
    val wanted = settle(sender.request)
    val seen = Reg(Bits(1 bits)) init 0
    val taken = Reg(Bits(width bits)) init 0
    val valid = RegNext(wanted =/= seen) init False
    seen := wanted
    when(wanted =/= seen)(sample(sender.held, taken, together = true))
    io.out.valid := valid
    io.out.payload.assignFromBits(taken)
  }
  val answered = new ClockingArea(from) {
    val seen = settle(faults.choose(CrossingFault.AnsweredEarly, receiver.wanted, receiver.seen))
    io.in.ready := faults.choose(CrossingFault.DoesNotWait, True, seen === sender.request)
    when(io.in.fire) {
      sender.held := io.in.payload.asBits
      sender.request := ~sender.request
    }
  }
}

/** A value in another clock: it is sent whenever it differs from what was sent last. At first both sides hold zeros. */
case class Follower[T <: Data](source: T, from: ClockDomain, to: ClockDomain) extends Area {
  val crossing = CrossingWord(Bits(widthOf(source) bits), from, to)
  val sender = new ClockingArea(from) {
    val last = Reg(Bits(widthOf(source) bits)) init 0
    crossing.io.in.valid := last =/= source.asBits
    crossing.io.in.payload := source.asBits
    when(crossing.io.in.fire)(last := source.asBits)
  }
  private val receiver = new ClockingArea(to) {
    val current = RegNextWhen(crossing.io.out.payload, crossing.io.out.valid) init 0
  }
  val value: T = cloneOf(source)
  value.assignFromBits(receiver.current)
}

/** Defects that a proof plants. */
object CrossingFault extends Enumeration {
  /** The sender does not wait until a word was taken. */
  val DoesNotWait = Value
  /** The receiver answers before it has taken the word. */
  val AnsweredEarly = Value
}
