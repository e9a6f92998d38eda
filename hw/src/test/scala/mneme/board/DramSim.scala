package mneme.board

import spinal.core.ClockDomain
import spinal.core.sim._
import spinal.lib.bus.amba4.axi.Axi4

import scala.collection.mutable

/** A DDR4 controller's AXI4 port: answers come `latency` cycles of its clock after the last word of what was asked, and words of reads in a row. While it is
  * not `ready` it takes and knows nothing. What is in memory stays.
  */
class DramSim(port: Axi4, clock: ClockDomain, size: Int, latency: Int, ready: () => Boolean) {
  private case class Burst(address: Int, beats: Int, id: Int, at: Long)
  private val bytes = new Array[Byte](size)
  private val (reads, writes, answers) = (mutable.Queue[Burst](), mutable.Queue[Burst](), mutable.Queue[Burst]())
  private val words = mutable.Queue[(Array[Byte], BigInt, Boolean)]()
  private var (cycle, beat) = (0L, 0)
  private val width = port.config.dataWidth / 8

  private def burst(address: BigInt, len: Int, size: Int, kind: Int, id: Int): Burst = {
    assert((1 << size) == width && kind == 1 && address % width == 0, s"words of $width bytes")
    assert((address >> 12) == ((address + width * (len + 1) - 1) >> 12), "a burst ends within 4 KB")
    Burst(address.toInt, len + 1, id, cycle + latency)
  }

  /** Bursts whose data are here take effect. */
  private def store(): Unit = while (writes.nonEmpty && words.size >= writes.head.beats) {
    val write = writes.dequeue()
    for (i <- 0 until write.beats) {
      val (data, strobes, last) = words.dequeue()
      assert(last == (i == write.beats - 1), "last is wrong")
      for (b <- 0 until width if strobes.testBit(b)) bytes(write.address + width * i + b) = data(b)
    }
    answers += write.copy(at = cycle + latency)
  }

  private def take(): Unit = {
    val (ar, aw, w) = (port.ar, port.aw, port.w)
    if (ar.valid.toBoolean && ar.ready.toBoolean) reads += burst(ar.addr.toBigInt, ar.len.toInt, ar.size.toInt, ar.burst.toInt, ar.id.toInt)
    if (aw.valid.toBoolean && aw.ready.toBoolean) writes += burst(aw.addr.toBigInt, aw.len.toInt, aw.size.toInt, aw.burst.toInt, aw.id.toInt)
    if (w.valid.toBoolean && w.ready.toBoolean) words += ((w.data.toBytes.padTo(width, 0.toByte), w.strb.toBigInt, w.last.toBoolean))
    if (port.r.valid.toBoolean && port.r.ready.toBoolean) {
      beat += 1
      if (beat == reads.head.beats) { reads.dequeue(); beat = 0 }
    }
    if (port.b.valid.toBoolean && port.b.ready.toBoolean) answers.dequeue()
    store()
  }

  private def give(): Unit = {
    val r = reads.headOption.filter(_.at <= cycle)
    port.r.valid #= r.isDefined
    for (read <- r) {
      val at = read.address + width * beat
      port.r.data #= BigInt(1, bytes.slice(at, at + width).reverse)
      port.r.id #= read.id
      port.r.resp #= 0
      port.r.last #= beat == read.beats - 1
    }
    val b = answers.headOption.filter(_.at <= cycle)
    port.b.valid #= b.isDefined
    for (write <- b) { port.b.id #= write.id; port.b.resp #= 0 }
  }

  for (pin <- Seq(port.ar.ready, port.aw.ready, port.w.ready, port.r.valid, port.b.valid)) pin #= false
  clock.onSamplings {
    cycle += 1
    if (ready()) { take(); give() }
    else {
      for (queue <- Seq(reads, writes, answers, words)) queue.clear()
      beat = 0
      port.r.valid #= false
      port.b.valid #= false
    }
    for (pin <- Seq(port.ar.ready, port.aw.ready, port.w.ready)) pin #= ready() && words.size < 256
  }
}
