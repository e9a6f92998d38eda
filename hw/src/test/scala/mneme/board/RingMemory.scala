package mneme.board

import spinal.core.ClockDomain
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.Axi4

import scala.collection.mutable
import scala.util.Random

/** Memory of the processor behind its AXI4 port, with checks of the rules that a master must keep. A write takes effect when it comes or with its answer, so
  * that who orders writes by anything but answers is found out. `stalls` is the share of cycles in which a channel waits.
  */
class RingMemory(port: Axi4, clock: ClockDomain, c: RingConfig, r: Random, var stalls: Double = 0.3, latency: Int = 5) {
  val bytes = mutable.HashMap[BigInt, Int]().withDefaultValue(0)
  /** Lines whose accesses end with an error; a failed write changes nothing. */
  val badReads, badWrites = mutable.Set[BigInt]()
  /** Lines written and read, in the order of their answers; lines in the order in which they changed. */
  val written, read, changed = mutable.ArrayBuffer[BigInt]()

  def word(address: BigInt): BigInt = (0 until 4).map(i => BigInt(bytes(address + i)) << (8 * i)).sum
  def put(address: BigInt, value: BigInt): Unit = for (i <- 0 until 4) bytes(address + i) = ((value >> (8 * i)) & 0xff).toInt

  private case class Line(address: BigInt, var at: Long) { val data = mutable.ArrayBuffer[(BigInt, Int)](); var beats = 0 }
  private val reads, writes, answers = mutable.Queue[Line]()
  private var (cycle, beat) = (0L, 0)
  private val width = c.dataBits / 8
  def idle: Boolean = reads.isEmpty && writes.isEmpty && answers.isEmpty

  private def change(line: Line): Unit = {
    if (!badWrites(line.address)) for ((at, value) <- line.data) bytes(at) = value
    changed += line.address
    line.data.clear()
  }
  private def check(address: BigInt, len: Int, size: Int, burst: Int): Unit = {
    assert(address % 64 == 0, f"a line at 0x$address%x")
    assert(len == c.beats - 1 && (1 << size) == width && burst == 1, s"a burst of ${len + 1} beats of 2^$size bytes")
  }
  private def go = r.nextDouble() >= stalls

  port.ar.ready #= false
  port.aw.ready #= false
  port.w.ready #= false
  port.r.valid #= false
  port.b.valid #= false

  clock.onSamplings {
    cycle += 1
    if (port.ar.valid.toBoolean && port.ar.ready.toBoolean) {
      check(port.ar.addr.toBigInt, port.ar.len.toInt, port.ar.size.toInt, port.ar.burst.toInt)
      reads += Line(port.ar.addr.toBigInt, cycle + latency)
    }
    if (port.aw.valid.toBoolean && port.aw.ready.toBoolean) {
      check(port.aw.addr.toBigInt, port.aw.len.toInt, port.aw.size.toInt, port.aw.burst.toInt)
      writes += Line(port.aw.addr.toBigInt, cycle + latency)
    }
    if (port.w.valid.toBoolean && port.w.ready.toBoolean) {
      assert(writes.nonEmpty, "data before their address")
      val line = writes.head
      val (data, strobes) = (port.w.data.toBigInt, port.w.strb.toBigInt)
      for (i <- 0 until width if strobes.testBit(i)) line.data += ((line.address + width * line.beats + i, ((data >> (8 * i)) & 0xff).toInt))
      line.beats += 1
      assert(port.w.last.toBoolean == (line.beats == c.beats), "last is wrong")
      if (line.beats == c.beats) {
        line.at = cycle + r.nextInt(40)
        answers += writes.dequeue()
        if (r.nextBoolean()) change(line)
      }
    }
    if (port.r.valid.toBoolean && port.r.ready.toBoolean) {
      beat += 1
      if (beat == c.beats) { beat = 0; read += reads.dequeue().address }
      port.r.valid #= false
    }
    if (port.b.valid.toBoolean && port.b.ready.toBoolean) {
      val line = answers.dequeue()
      if (line.data.nonEmpty) change(line)
      written += line.address
      port.b.valid #= false
    }
    port.ar.ready #= go
    port.aw.ready #= go
    port.w.ready #= go && writes.nonEmpty
    if ((!port.r.valid.toBoolean || port.r.ready.toBoolean) && reads.headOption.exists(_.at <= cycle) && go) {
      val from = reads.head.address + width * beat
      port.r.valid #= true
      port.r.data #= (0 until width).map(i => BigInt(bytes(from + i)) << (8 * i)).sum
      port.r.resp #= (if (badReads(reads.head.address)) 2 else 0)
      port.r.last #= beat == c.beats - 1
      port.r.id #= 0
    }
    if ((!port.b.valid.toBoolean || port.b.ready.toBoolean) && answers.headOption.exists(_.at <= cycle) && go) {
      port.b.valid #= true
      port.b.resp #= (if (badWrites(answers.head.address)) 2 else 0)
      port.b.id #= 0
    }
  }
}
