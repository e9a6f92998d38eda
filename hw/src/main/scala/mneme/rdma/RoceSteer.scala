package mneme.rdma

import mneme.net.{CountedBeat, FrameBeat, FrameBytes, FrameField}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** Takes the RoCEv2 port's frames out of what a line brings: IPv4 without options, UDP, port 4791, all in a frame's first beat, and a queue pair that is not
  * software's (ROCE_QPN_FIRST). What else is wrong with them the port counts. All others go on as they came, a cycle later: those of software's queue pairs,
  * as of management, find the slow path through the match-action table. It never makes its sender wait, as neither side makes it wait.
  */
case class RoceSteer() extends Component {
  val io = new Bundle {
    val frames = slave(Stream(FrameBeat()))
    val roce = master(Stream(CountedBeat()))
    val others = master(Stream(FrameBeat()))
  }
  private val coming = io.frames.m2sPipe()
  private val first = RegInit(True)
  when(coming.fire)(first := coming.last)
  private def says(position: (Int, Int), value: Int): Bool = FrameBytes.read(coming.data, position) === value
  private val here = coming.keep(FrameField.DST_PORT._1 + FrameField.DST_PORT._2 - 1) && says(FrameField.ETHERTYPE, FrameField.ETHERTYPE_IPV4) &&
    says(FrameField.IP_VERSION_IHL, 0x45) && says(FrameField.IP_PROTOCOL, FrameField.PROTOCOL_UDP) && says(FrameField.DST_PORT, RoceField.PORT)
  // A frame without a whole number is the port's, which counts it.
  private val named = coming.keep(RoceField.DEST_QP._1 + RoceField.DEST_QP._2 - 1)
  private val software = named && FrameBytes.read(coming.data, RoceField.DEST_QP).asUInt < Wire.ROCE_QPN_FIRST
  private val own = here && !software
  private val kept = RegNextWhen(own, coming.fire && first)
  private val takes = first ? own | kept
  io.roce.valid := coming.valid && takes
  io.roce.payload := CountedBeat.of(coming.payload)
  io.others.valid := coming.valid && !takes
  io.others.payload := coming.payload
  coming.ready := takes ? io.roce.ready | io.others.ready
}
