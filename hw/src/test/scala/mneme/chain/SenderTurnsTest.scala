package mneme.chain

import mneme.Simulation
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.sim._
import spinal.lib.Stream

import scala.collection.mutable
import scala.util.Random

/** Three that send in front of one transmitter: each packet with its own beats, and none waits for long. */
class SenderTurnsTest extends AnyFunSuite {
  private lazy val compiled = Simulation.config.compile(SenderTurns(plantable = true))
  private case class Packet(sender: Int, number: Int, bytes: Int) { def beats: Int = (bytes + 63) / 64 }

  /** How often each of the three has nothing to send, and the transmitter pauses, of 16 cycles. */
  private def run(name: String, seed: Int, pauses: Seq[Int], line: Int, fault: Option[SenderFault.Value] = None): Unit =
    compiled.doSim(s"$name${fault.mkString}", seed) { dut =>
      import dut.io
      val r = new Random(seed)
      val (senders, payloads) = (Seq(io.answers, io.replies, io.acknowledges), Seq(Some(io.answered), Some(io.replied), None))
      val made, passed = Array(0, 0, 0)
      val offered = Array.fill(3)(Option.empty[Packet])
      val waits = Array(0, 0, 0)
      // Beats: of each sender, to come; of those that have left, due.
      val (given, due) = (Array.fill(3)(mutable.Queue[BigInt]()), mutable.Queue[BigInt]())
      // A packet's beats are there before it, or come after it.
      val inside = mutable.Queue[Packet]()
      var cycle = 0
      dut.plantedFaults.get #= fault.map(f => BigInt(1) << f.id).getOrElse(BigInt(0))
      for (stream <- senders ++ payloads.flatten) stream.asInstanceOf[Stream[_]].valid #= false
      for (stream <- Seq[Stream[_]](io.departures, io.payload)) stream.ready #= false
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(5)
      def fires(stream: Stream[_]) = stream.valid.toBoolean && stream.ready.toBoolean
      def tag(packet: Packet, beat: Int) = (BigInt(packet.sender) << 500) | (BigInt(packet.number) << 32) | beat
      Simulation.cycles(dut.clockDomain) {
        cycle += 1
        for ((sender, i) <- senders.zipWithIndex if fires(sender)) {
          val packet = offered(i).get
          inside += packet
          for (beat <- 0 until packet.beats) due += tag(packet, beat)
          for (other <- 0 until 3 if other != i && offered(other).isDefined) waits(other) += 1
          assert(waits.forall(_ <= 2), "somebody waits for more than one packet of each other")
          waits(i) = 0
          passed(i) += 1
          offered(i) = None
        }
        if (fires(io.departures)) {
          val (packet, out) = (inside.dequeue(), io.departures.payload)
          assert(out.psn.toInt == packet.number && out.payload.toInt == packet.bytes && out.destQp.toInt == packet.sender)
          assert(out.write.va.toBigInt == (if (packet.sender == 1) BigInt(packet.number) * 7 else BigInt(0)) && out.msn.toInt == packet.number + 1)
        }
        if (fires(io.payload)) assert(io.payload.data.toBigInt == due.dequeue(), "the beats of the packet that left before")
        for ((Some(stream), i) <- payloads.zipWithIndex) {
          if (fires(stream)) given(i).dequeue()
          if (!stream.valid.toBoolean || stream.ready.toBoolean) stream.valid #= given(i).nonEmpty && r.nextInt(16) >= line / 2
          if (given(i).nonEmpty) stream.data #= given(i).head
          stream.error #= false
        }
        for ((sender, i) <- senders.zipWithIndex) {
          if (offered(i).isEmpty && made(i) < 400 && r.nextInt(16) >= pauses(i)) {
            val packet = Packet(i, made(i), if (i == 2 || r.nextInt(4) == 0) 0 else 1 + r.nextInt(if (r.nextInt(8) == 0) 4096 else 200))
            made(i) += 1
            offered(i) = Some(packet)
            for (beat <- 0 until packet.beats) given(i) += tag(packet, beat)
            sender.psn #= packet.number
            sender.payload.payload #= packet.bytes
            sender.destQp #= i
            sender.msn #= packet.number + 1
            if (i == 1) io.replies.write.va #= BigInt(packet.number) * 7
          }
          sender.valid #= offered(i).isDefined
        }
        io.departures.ready #= r.nextInt(16) >= line
        io.payload.ready #= r.nextInt(16) >= line
        (passed.sum < 1200 || inside.nonEmpty || due.nonEmpty) && cycle < 200000
      }
      assert(passed.toSeq == Seq(400, 400, 400) && inside.isEmpty && due.isEmpty && given.forall(_.isEmpty), s"${passed.toSeq} packets passed")
    }

  private def all(fault: Option[SenderFault.Value] = None): Unit = {
    run("busy", 1, Seq(0, 0, 0), 0, fault)
    run("paused", 2, Seq(12, 4, 8), 6, fault)
    run("slow", 3, Seq(2, 2, 2), 13, fault)
  }
  test("packets with their beats, in turn")(all())
  for (fault <- SenderFault.values) test(s"planted fault $fault is found")(info(intercept[Throwable](all(Some(fault))).getMessage))
}
