package mneme.chain

import mneme.{CBoardConfig, Faults}
import mneme.engine.{Operation, Place}
import mneme.leaf.LeafConfig
import mneme.vm.Translated
import mneme.wire.Wire.Status
import spinal.core._
import spinal.lib._

/** Where tokens of frames join the translated ones, on their way to memory access. They take turns: each waits for one of the other kind at most.
  *
  * A frame's token has no page, generation or epoch: who asks holds the frame. So no replace and no freed frame waits for it, and memory access counts it
  * for neither.
  */
case class FrameEntrance(c: CBoardConfig, plantable: Boolean = false) extends Component {
  private val m = c.inMemory
  val io = new Bundle {
    val translated = slave(Stream(Translated(c)))
    val frames = slave(Stream(FrameToken(c)))
    val tokens = master(Stream(Translated(m)))
  }
  val plantedFaults: Option[Bits] = Faults.port(EntranceFault, plantable)
  private val planted = new Faults[EntranceFault.Value](plantedFaults)

  private val translated = io.translated.map { token =>
    val wider = Translated(m)
    for ((name, to) <- wider.elements) name match {
      case "place" => wider.place := token.place.resized
      case _ => to := token.find(name)
    }
    wider
  }
  private val frames = io.frames.map { token =>
    val plain = Translated(m)
    plain.place := planted.choose(EntranceFault.OtherDoor, wrong = Place.of(m, 1, token.context), right = Place.of(m, c.doors, token.context))
    plain.operation := Operation.read
    when(token.writes)(plain.operation := Operation.write)
    plain.assignSomeByName(token)
    plain.leaf.epoch := planted.choose(EntranceFault.InEpoch, wrong = B(1, 2 bits), right = B(0, 2 bits))
    plain.leaf.next := token.address.drop(LeafConfig.FRAME_LOG2).asUInt
    // All else is nothing, which says OK of its report.
    val known = Seq[Data](plain.place, plain.operation, plain.length, plain.dataOffset, plain.address, plain.leaf.epoch, plain.leaf.next)
    for (rest <- plain.flatten if !known.exists(_ eq rest)) rest.assignFromBits(B(0, widthOf(rest) bits))
    plain
  }
  require(Status.OK == 0, "a report of zeros does not say OK")

  // Who came last waits, if both are there.
  private[chain] val last = RegInit(False)
  private val chosen = io.frames.valid && (!io.translated.valid || !planted.choose(EntranceFault.FramesFirst, wrong = False, right = last))
  io.tokens << StreamMux(chosen.asUInt, Seq(translated, frames))
  when(io.tokens.fire)(last := chosen)
}

/** Defects that benches plant. No build of a board has one. */
object EntranceFault extends Enumeration {
  val
  /** Tokens of frames do not wait for others. */
  FramesFirst,
  /** A frame's data go to another door. */
  OtherDoor,
  /** A frame's access is one of the leaf unit's. */
  InEpoch = Value
}
