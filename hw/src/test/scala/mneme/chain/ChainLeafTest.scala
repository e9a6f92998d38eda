package mneme.chain

import mneme.leaf._
import mneme.mem.{BadLines, MemoryModel, Timing}
import mneme.{CBoardConfig, MemoryBus, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core.{assert => _, _}
import spinal.core.sim._
import spinal.lib._
import spinal.lib.bus.amba4.axi.Axi4

import scala.util.Random

/** Unit and leaf unit as a board joins them: the slow path's commands come between messages. */
case class ChainLeafHarness(k: ChainConfig) extends Component {
  val io = new Bundle {
    val request = slave(Stream(LeafRequest(k.l)))
    val answer = master(Stream(LeafAnswer(k.l)))
    val settings = slave(Flow(ChainSettingsWrite(k)))
    val messages = slave(Stream(ChainMessage(k)))
    val pages = slave(Stream(ChainPage(k)))
    val told = master(Stream(ChainTold(k)))
    val posts = master(Stream(ReplyPost(k)))
    /** A page would be sent at once. */
    val quiet = in Bool ()
    /** Of a page that has been sent. */
    val sent = slave(Flow(Bool()))
    val usable, waiting, total = out UInt (k.l.countBits bits)
    val mem = master(Axi4(MemoryBus.config(k.l.c)))
  }
  private val (unit, leaf) = (ChainUnit(k), LeafUnit(k.l))
  unit.io.settings << io.settings
  unit.io.messages << io.messages
  unit.io.pages << io.pages
  unit.io.told >> io.told
  unit.io.posts >> io.posts
  unit.io.room := k.replies
  unit.io.quiet := io.quiet
  private val turns = ChainLeafTurns(k)
  turns.io.request << unit.io.request
  unit.io.answer << turns.io.answer
  turns.io.holds := unit.io.holds
  turns.io.wants := unit.io.wants
  unit.io.mayBegin := turns.io.mayBegin
  turns.io.looks.setIdle()
  turns.io.looked.ready := True
  turns.io.unitEnds << unit.io.ends
  turns.io.readerEnds << io.sent
  ChainSide.share(turns.io.leaf, leaf, io.request, io.answer)
  io.usable := leaf.io.usable.resized
  io.waiting := leaf.io.waiting.resized
  io.total := leaf.io.total.resized
  leaf.io.mem >> io.mem
}

/** The unit with the real leaf unit and its memory. */
class ChainLeafTest extends AnyFunSuite {
  import ChainVerdict._
  private val k = ChainConfig(LeafConfig(CBoardConfig.sim, segments = 8, fillers = 8, lines = 4, ahead = 2), pairs = 8)
  private val segment = 2

  private class Bench(dut: ChainLeafHarness) {
    private val memory = new MemoryModel(dut.io.mem, 0, new Array[Byte](1 << k.l.c.memBits), new BadLines(), Timing(5, jitter = false), new Random(1))
    private var now = 0L
    private def cycle(): Unit = {
      dut.clockDomain.waitSampling()
      now += 1
      memory.step(now)
    }
    private def until(done: => Boolean): Unit = {
      var left = 5000
      do {
        cycle()
        left -= 1
        assert(left > 0)
      } while (!done)
    }
    def rest(): Unit = for (_ <- 0 until 300) cycle()

    def start(): Unit = {
      for (valid <- Seq(dut.io.request.valid, dut.io.settings.valid, dut.io.messages.valid, dut.io.pages.valid, dut.io.sent.valid)) valid #= false
      for (ready <- Seq(dut.io.answer.ready, dut.io.told.ready)) ready #= true
      dut.io.posts.ready #= false
      dut.io.quiet #= true
      memory.reset()
      dut.clockDomain.forkStimulus(10)
      dut.clockDomain.waitSampling(3)
      command(LeafOperation.RING, page = 3, line = 0x400)
      command(LeafOperation.PUSH, page = 0x100, pages = 3)
      command(LeafOperation.CREATE, page = 2, pages = 16, line = 0x1000)
      for (function <- 0 to 3) {
        val s = dut.io.settings
        s.pair #= function
        s.value.function #= ChainFunction.elements(function)
        s.value.immediate #= false
        s.value.signal #= false
        s.value.tellEmpty #= false
        s.value.segment #= segment
        s.value.pid #= 7
        s.value.filler #= function
        s.valid #= true
        cycle()
        s.valid #= false
      }
    }

    private def command(operation: LeafOperation.E, page: Int, pages: Int = 0, line: Int = 0): Unit = {
      val to = dut.io.request
      to.operation #= operation
      to.segment #= segment
      to.pid #= 7
      for (right <- Seq(to.rights.read, to.rights.write, to.rights.atomic)) right #= true
      to.page #= page
      to.pages #= pages
      to.line #= line
      for (flag <- Seq(to.begins, to.first, to.whole, to.also)) flag #= false
      to.filler #= 0
      to.valid #= true
      until(to.ready.toBoolean)
      to.valid #= false
      until(dut.io.answer.valid.toBoolean)
      assert(dut.io.answer.status.toEnum == LeafStatus.DONE, operation.toString)
    }

    private def verdict(): (ChainVerdict.E, Int) = {
      until(dut.io.told.valid.toBoolean)
      (dut.io.told.verdict.toEnum, dut.io.told.frame.toInt)
    }
    /** A message up to its page. Function and queue pair have the same number. */
    def begin(function: Int, page: Int): (ChainVerdict.E, Int) = {
      val a = dut.io.messages.arguments
      dut.io.messages.pair #= function
      a.wrongKey #= false
      a.outside #= false
      a.page #= page
      a.buffer #= 0x1000
      a.signal #= 0x2000
      a.magic #= 0x1234
      a.rkey #= 77
      dut.io.messages.valid #= true
      until(dut.io.messages.ready.toBoolean)
      dut.io.messages.valid #= false
      if (function == 0) verdict() else answered()
    }
    /** The verdict; a word that is posted is taken. */
    private def answered(): (ChainVerdict.E, Int) = {
      dut.io.posts.ready #= true
      val ends = verdict()
      dut.io.posts.ready #= false
      ends
    }
    def written(function: Int): ChainVerdict.E = tells(function, ChainPageEnd.WRITTEN)._1
    def tells(function: Int, how: ChainPageEnd.E): (ChainVerdict.E, Int) = {
      dut.io.pages.pair #= function
      dut.io.pages.how #= how
      dut.io.pages.valid #= true
      until(dut.io.pages.ready.toBoolean)
      dut.io.pages.valid #= false
      answered()
    }
    def store(function: Int, page: Int): ChainVerdict.E = begin(function, page) match {
      case (PAGE, _) => written(function)
      case (verdict, _) => verdict
    }
    /** The frame of a page that a load posts, and the epoch of its access, if it has one; the message goes on. */
    def load(page: Int, quiet: Boolean = true): (Int, Option[Boolean]) = {
      dut.io.quiet #= quiet
      val a = dut.io.messages
      a.pair #= 0
      a.arguments.page #= page
      a.valid #= true
      until(a.ready.toBoolean)
      a.valid #= false
      until(dut.io.posts.valid.toBoolean)
      val (data, held) = (dut.io.posts.reply.data.toBigInt, dut.io.posts.held.toBoolean)
      assert(!dut.io.posts.reply.word.toBoolean)
      assert(answered()._1 == DONE)
      ((data & ((BigInt(1) << k.l.frameBits) - 1)).toInt, if (held) Some(data.testBit(k.l.frameBits)) else None)
    }
    def sent(epoch: Boolean): Unit = {
      dut.io.sent.valid #= true
      dut.io.sent.payload #= epoch
      cycle()
      dut.io.sent.valid #= false
      rest()
    }
    def free: (Int, Int) = (dut.io.usable.toInt, dut.io.waiting.toInt)
  }

  test("the four functions on the real leaf unit: frames are seen, replaced and given back when they must be") {
    Simulation.config.compile(ChainLeafHarness(k)).doSim("functions", 1) { dut =>
      val b = new Bench(dut)
      b.start()
      b.rest()
      assert(b.free == ((3, 0)))
      assert(b.begin(0, 5)._1 == DENIED && b.begin(1, 5)._1 == DENIED && b.begin(0, 16)._1 == DENIED)
      val (page, frame) = b.begin(2, 5)
      assert(page == PAGE && b.begin(0, 5)._1 == DENIED, "nobody sees a page before its last byte")
      assert(b.written(2) == DONE)
      val (seen, epoch) = b.load(5)
      assert(seen == frame)
      // It is given up while it is sent: nobody else has the frame until then.
      assert(b.begin(3, 5)._1 == DONE && b.begin(0, 5)._1 == DENIED)
      b.rest()
      assert(b.free == ((2, 1)))
      b.sent(epoch.get)
      assert(b.free == ((3, 0)))
      // Nobody waits for one that cannot be sent yet.
      assert(b.store(2, 5) == DONE && b.load(5, quiet = false)._2.isEmpty && b.begin(3, 5)._1 == DONE)
      b.rest()
      assert(b.free == ((3, 0)))
      // The budget is two frames.
      assert(b.store(2, 1) == DONE && b.store(2, 2) == DONE && b.store(2, 3) == NOT_READY)
      assert(b.begin(1, 1)._1 == PAGE && b.begin(3, 1)._1 == DONE)
      b.rest()
      assert(b.free == ((1, 1)), "a mapped store keeps its frame until its page has come, or it pauses")
      assert(b.written(1) == DONE && b.begin(1, 2)._1 == PAGE && b.begin(3, 2)._1 == DONE && b.tells(1, ChainPageEnd.PAUSED)._1 == PAUSED)
      b.rest()
      assert(b.free == ((3, 0)) && b.tells(1, ChainPageEnd.AGAIN)._1 == DENIED && b.store(2, 2) == DONE)
      b.rest()
      assert(b.free == ((2, 0)) && b.store(2, 2) == DONE && b.begin(3, 2)._1 == DONE)
      b.rest()
      assert(b.free == ((3, 0)))
    }
  }
}
