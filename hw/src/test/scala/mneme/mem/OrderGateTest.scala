package mneme.mem

import mneme.{CBoardConfig, Faults, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._

import scala.util.Random

/** The gate before memory with as many places as a board has: OrderGateProof proves a gate of four. Nothing starts while an access is in flight that it
  * must not overtake, nothing is lost, and nothing waits for ever.
  */
class OrderGateTest extends AnyFunSuite {
  import OrderGateTest._

  private val c = CBoardConfig.sim
  private val (places, ends) = (c.burstPlaces, 2)
  private lazy val compiled =
    mneme.Simulation.config.compile(
      new OrderGate(UInt(31 bits), MemoryAccess.keyBits, places, ends, Faults.none)
    )

  /** Accesses in flight end seldom while there are fewer than `fills`, so that the ring of places goes round with most of them taken. */
  private def run(seed: Int, accesses: Int, fills: Int): Unit = compiled.doSim(s"gate_$seed", seed) { dut =>
    val r = new Random(seed)
    val flying = Array.fill[Option[Access]](places)(None)
    var coming = Option.empty[Access]
    var waiting = Vector.empty[Access]
    var (next, idle, place, full) = (0, 0, 0, 0)

    /** Often what must wait for one of the oldest, since these stay longest; otherwise anything. */
    def draw(): Access = {
      val oldest = (0 until places).iterator.map(i => flying((place + i) % places)).collect { case Some(access) => access }.take(8).toVector
      val near = oldest.nonEmpty && r.nextInt(if (flying.count(_.isDefined) >= fills) 6 else 24) == 0
      val like = if (near) oldest(r.nextInt(oldest.size)) else Access.any(r)
      like.copy(id = next, kind = r.nextInt(3), single = like.single || r.nextBoolean())
    }
    dut.io.arriving.valid #= false
    dut.io.ended.foreach(_.valid #= false)
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(2)
    while (next < accesses || coming.nonEmpty || waiting.nonEmpty || flying.exists(_.isDefined)) {
      if (coming.isEmpty && next < accesses && r.nextInt(8) != 0) {
        coming = Some(draw())
        next += 1
      }
      dut.io.arriving.valid #= coming.isDefined
      coming.foreach(_.drive(dut.io.arriving.payload.order))
      dut.io.arriving.payload.payload #= coming.fold(0)(_.id)
      val many = flying.count(_.isDefined)
      full = full.max(many)
      for (port <- dut.io.ended) {
        val taken = flying.indices.filter(flying(_).isDefined)
        val now = taken.nonEmpty && (next == accesses || idle > 4 || r.nextInt(if (many < fills) 64 else 2) == 0)
        port.valid #= now
        if (now) {
          val which = taken(r.nextInt(taken.size))
          port.payload #= which
          flying(which) = None
        }
      }
      sleep(1)
      val taken = coming.isDefined && dut.io.arriving.ready.toBoolean
      idle += 1
      if (dut.io.started.valid.toBoolean) {
        val (at, access) = (dut.io.started.payload.place.toInt, waiting.headOption)
        assert(access.exists(_.id == dut.io.started.payload.payload.toInt), "accesses start in the order in which they come")
        assert(at == place && flying(at).isEmpty, s"place $at, which is taken or not in turn")
        for (before <- flying.flatten) assert(!access.get.mustFollow(before), s"${access.get} overtakes $before")
        flying(at) = access
        waiting = waiting.tail
        place = (place + 1) % places
        idle = 0
      }
      assert(idle < 4000, s"nothing starts; ${waiting.headOption} waits")
      if (taken) {
        waiting = waiting ++ coming
        coming = None
      }
      dut.clockDomain.waitSampling()
    }
    assert(full >= fills, s"only $full places were ever taken")
  }

  test("all places taken, and what must wait for the oldest") {
    for (seed <- 1 to 3) run(seed, accesses = 20000, fills = places - 2)
  }

  test("few places taken") {
    run(seed = 4, accesses = 10000, fills = 4)
  }
}

object OrderGateTest {

  /** As the gate sees it: kinds are read, write, atomic. */
  case class Access(id: Int, kind: Int, key: BigInt, single: Boolean, line: Int, word: Int) {

    /** Both may touch the same line, and memory does not keep their order. */
    def mustFollow(before: Access): Boolean = {
      val apart = single && before.single && line != before.line
      val kept = kind == before.kind && (kind != 2 || word != before.word)
      key == before.key && !apart && !kept
    }

    def drive(order: Order): Unit = {
      order.work.read #= kind == 0
      order.work.write #= kind == 1
      order.work.atomic #= kind == 2
      order.key #= key
      order.single #= single
      order.line #= line
      order.word #= word
    }
  }

  object Access {
    def any(r: Random): Access =
      Access(0, 0, BigInt(MemoryAccess.keyBits, r), single = r.nextInt(4) != 0, line = r.nextInt(64), word = r.nextInt(8))
  }
}
