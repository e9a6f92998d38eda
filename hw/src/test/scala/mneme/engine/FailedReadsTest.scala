package mneme.engine

import mneme.{CBoardConfig, Simulation}
import mneme.wire.Wire.{Cause, Status}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.SpinalEnumElement
import spinal.core.sim._

import scala.collection.mutable
import scala.util.Random

/** What failed reads are remembered for: told once, to the same read, the last four. */
class FailedReadsTest extends AnyFunSuite {
  private val config = CBoardConfig.tiny
  private lazy val compiled = Simulation.config.compile(new FailedReads(config))
  private lazy val split = Simulation.config.compile(new FailedReads(CBoardConfig.rdma))

  private class Bench(dut: FailedReads) {
    dut.io.failed.valid #= false
    dut.io.translated.valid #= false
    dut.io.tokens.ready #= true
    dut.clockDomain.forkStimulus(10)
    dut.clockDomain.waitSampling(2)

    def fail(address: Int, length: Int, next: Int = 0): Unit = {
      dut.io.failed.valid #= true
      dut.io.failed.address #= address
      dut.io.failed.lastByte #= length - 1
      if (dut.c.leaf) dut.io.failed.next #= next
      dut.clockDomain.waitSampling()
      dut.io.failed.valid #= false
      sleep(1)
    }

    /** A token, after some cycles of waiting; whether it is told of an error. What is not told passes as it is. */
    def told(address: Int, length: Int, operation: SpinalEnumElement[Operation.type] = Operation.read, wait: Int = 0, next: Int = 0): Boolean = {
      val token = dut.io.translated
      token.valid #= true
      token.operation #= operation
      token.address #= address
      token.length #= length
      if (dut.c.leaf) token.leaf.next #= next
      token.place #= address % config.places
      token.report.outcome.status #= Status.OK
      token.report.outcome.detailVa #= 0x1234
      token.report.outcome.detailLength #= 0x56
      dut.io.tokens.ready #= wait == 0
      dut.clockDomain.waitSampling(wait)
      dut.io.tokens.ready #= true
      sleep(1)
      val out = dut.io.tokens
      assert(out.valid.toBoolean && out.place.toInt == address % config.places && out.address.toInt == address && out.length.toInt == length)
      val outcome = (out.report.outcome.status.toInt, out.report.outcome.detailVa.toBigInt, out.report.outcome.detailLength.toInt)
      val tells = out.operation.toEnum == Operation.nothing && operation != Operation.nothing
      if (tells) assert(outcome == ((Status.MEMERR, BigInt(Cause.DRAM) << 40, 0)))
      else assert(outcome == ((Status.OK, BigInt(0x1234), 0x56)) && out.operation.toEnum == operation)
      dut.clockDomain.waitSampling()
      token.valid #= false
      sleep(1)
      tells
    }
  }

  private def bench(name: String, compiled: => SimCompiled[FailedReads] = compiled)(body: Bench => Unit): Unit =
    test(name)(compiled.doSim(name.filter(_.isLetter), 1)(dut => body(new Bench(dut))))

  bench("a failed read is told once, to a read of the same bytes, however long that waits") { b =>
    assert(!b.told(0, 1), "nothing has failed")
    b.fail(4096, 100)
    for (other <- Seq(Operation.write, Operation.swap, Operation.compareSwap, Operation.fetchAdd, Operation.nothing)) assert(!b.told(4096, 100, other))
    assert(!b.told(4096, 99) && !b.told(4097, 100) && !b.told(4096 + 128, 100))
    assert(b.told(4096, 100, wait = 5))
    assert(!b.told(4096, 100))
  }

  bench("a read that failed twice is told once, and again when it fails again") { b =>
    b.fail(64, config.maxPayload)
    b.fail(64, config.maxPayload)
    assert(b.told(64, config.maxPayload))
    assert(!b.told(64, config.maxPayload))
    b.fail(64, config.maxPayload)
    assert(b.told(64, config.maxPayload) && !b.told(64, config.maxPayload))
  }

  bench("of a split page the second frame is compared, too", split) { b =>
    b.fail(4000, 200, next = 5)
    b.fail(4000, 200, next = 7)
    assert(!b.told(4000, 200) && !b.told(4000, 200, next = 6) && !b.told(4000, 200, next = 1 << 15))
    assert(b.told(4000, 200, next = 7) && !b.told(4000, 200, next = 7))
    assert(b.told(4000, 200, next = 5) && !b.told(4000, 200, next = 5))
  }

  bench("the last four are kept") { b =>
    for (i <- 0 until 6) b.fail(1000 * i, 10 + i)
    for (i <- 5 to 0 by -1) assert(b.told(1000 * i, 10 + i) == (i >= 2), s"the read that failed as number $i")
  }

  bench("reads at random are told as a list of the last four says") { b =>
    val random = new Random(3)
    val kept = mutable.ArrayBuffer.fill(FailedReads.kept)(Option.empty[(Int, Int)])
    var next, told = 0
    for (_ <- 0 until 3000) {
      val read = (random.nextInt(3), 1 + random.nextInt(3))
      if (random.nextInt(3) == 0) {
        b.fail(read._1, read._2)
        kept(next) = Some(read)
        next = (next + 1) % FailedReads.kept
      } else {
        val due = kept.contains(Some(read))
        assert(b.told(read._1, read._2, wait = random.nextInt(3)) == due)
        if (due) told += 1
        for (i <- kept.indices if kept(i).contains(read)) kept(i) = None
      }
    }
    assert(told > 300)
  }
}
