package mneme

import mneme.vm.Translation
import spinal.core._
import spinal.core.sim._

/** Where packet slots are held, and whose requests hold them: what bounds a board beside a flood is seldom what refuses the frames. It watches and changes
  * nothing; `SlotWatch.visible` has to be called while the board is built.
  *
  * A slot is taken with a good frame's last beat and comes back when its answer's header has left.
  */
class SlotWatch(dut: CBoard, quiet: Int) {
  import SlotWatch._
  private val slots = dut.c.packetSlots
  /** State of each slot, none when it is free, and whether its request is of the quiet class. */
  private val state = Array.fill(slots)(-1)
  private val isQuiet = Array.fill(slots)(false)
  /** Slots that were held, summed over cycles, by state: of others, of the quiet class. */
  private val held = Array.fill(2, states.size)(0L)
  private var cycles, full = 0L
  private val inside = translation(dut)

  def clear(): Unit = {
    held.foreach(sums => sums.indices.foreach(sums(_) = 0))
    cycles = 0
    full = 0
  }

  /** Once in a cycle; `counts` when it is to be counted. */
  def step(counts: Boolean): Unit = {
    val free = dut.ingress.io.free
    if (free.valid.toBoolean && free.ready.toBoolean) {
      isQuiet(free.payload.toInt) = false
      state(free.payload.toInt) = 0
    }
    val dispatched = dut.dispatch.io.requests
    if (dispatched.valid.toBoolean && dispatched.ready.toBoolean) {
      isQuiet(dispatched.slot.toInt) = dispatched.header.pid.toInt >> (wire.Wire.PID_BITS - wire.Wire.CLASS_BITS) == quiet
      state(dispatched.slot.toInt) = 1
    }
    if (inside.lists.enters.toBoolean) state(inside.lists.place.toInt) = 2
    if (inside.decide.parked.toBoolean) state(inside.lists.place.toInt) = 3
    val translated = dut.engine.io.translated
    if (translated.valid.toBoolean) state(translated.payload.toInt) = 4
    val completed = dut.engine.io.doors(0).data.completions
    if (completed.valid.toBoolean && completed.ready.toBoolean) state(completed.context.toInt) = 5
    val returned = dut.buffer.io.returned
    if (returned.valid.toBoolean) state(returned.payload.toInt) = -1
    if (counts) count()
  }

  private def count(): Unit = {
    cycles += 1
    var taken = 0
    for (slot <- 0 until slots if state(slot) >= 0) {
      taken += 1
      held(if (isQuiet(slot)) 1 else 0)(state(slot)) += 1
    }
    if (taken == slots) full += 1
  }

  /** Mean slots in each state, those of others and of the quiet class, and the share of cycles in which none was free. */
  def line: String = {
    val means = for ((name, i) <- states.zipWithIndex) yield f"$name ${held(0)(i).toDouble / cycles}%.1f + ${held(1)(i).toDouble / cycles}%.1f"
    means.mkString("slots of others + its own: ", ", ", f"; all taken in ${100.0 * full / cycles}%.1f%% of cycles")
  }
}

object SlotWatch {
  /** On its way to dispatch; to a decision of translation; in a list for a miss entry; in an entry; in memory access until all before it have ended; its
    * answer's header is being built. Door 0 alone: places are slots.
    */
  private val states = Seq("ingress", "on the way", "lists", "entries", "memory access", "answers")

  private def translation(dut: CBoard): Translation = dut.engine.children.collectFirst { case translation: Translation => translation }.get

  def visible(dut: CBoard): CBoard = {
    require(dut.c.doors == 1, "places are packet slots of a board with one door")
    val inside = translation(dut)
    Seq[Data](
      dut.ingress.io.free,
      dut.dispatch.io.requests,
      dut.engine.io.translated,
      dut.engine.io.doors(0).data.completions,
      dut.buffer.io.returned,
      inside.lists.enters,
      inside.lists.place,
      inside.decide.parked
    ).foreach(_.simPublic())
    dut
  }
}
