package mneme.chain

import mneme.leaf.LeafBoard
import mneme.wire.Wire
import mneme.wire.Wire.{LeafOrder, LeafRegister, LeafResult, ReplaceStatus, Status}
import mneme.{BoardBench, CBoard, CBoardConfig, Simulation}
import spinal.core._
import spinal.core.sim._
import spinal.lib.slave

import scala.collection.mutable
import scala.util.Random

/** Someone who holds `frames` frames from `base` on, and reads and writes their bytes all the time. */
class FrameTraffic(port: FrameDoor, domain: ClockDomain, c: CBoardConfig, base: BigInt, frames: Int, random: Random) {
  /** Of a read, two things end it: its completion, and its last data. */
  private case class Inside(context: Int, want: Option[Seq[Int]]) {
    var ends = 0
    def end(): Unit = {
      ends += 1
      if (want.isEmpty || ends == 2) free += context
    }
  }
  private val memory = new Array[Int](frames * 4096)
  private val kept = Array.fill(c.contexts)(Seq.fill(64 * c.slotBeats)(0))
  private val free = mutable.Queue.from(0 until c.contexts)
  private val inside, reads = mutable.Queue[Inside]()
  private var offered = Option.empty[Inside]
  private var initial = 0
  private var beat = 0
  var stopped = false
  var reading, writing = 0
  def idle: Boolean = inside.isEmpty && reads.isEmpty && offered.isEmpty
  def begun: Boolean = initial == memory.length

  private def fires(stream: spinal.lib.Stream[_]) = stream.valid.toBoolean && stream.ready.toBoolean
  private def offer(): Unit = {
    val writes = initial < memory.length || random.nextBoolean()
    // All is written before anything is read.
    val at = if (initial < memory.length) initial else random.nextInt(memory.length)
    val length = if (initial < memory.length) 1024 else (1 + random.nextInt(c.maxPayload)) min (4096 - at % 4096)
    if (initial < memory.length) initial += length
    val (context, offset) = (free.dequeue(), random.nextInt(256))
    if (writes) {
      kept(context) = Seq.fill(64 * c.slotBeats)(random.nextInt(256))
      for (i <- 0 until length) memory(at + i) = kept(context)(offset + i)
    }
    val token = port.tokens.payload
    token.context #= context
    token.writes #= writes
    token.address #= base + at
    token.length #= length
    token.dataOffset #= offset
    offered = Some(Inside(context, Option.when(!writes)(memory.slice(at, at + length).toSeq)))
  }
  private def number(bytes: Seq[Int]) = bytes.reverse.foldLeft(BigInt(0))((v, b) => (v << 8) | b)

  port.tokens.valid #= false
  port.data.fetched.valid #= false
  port.data.completions.ready #= false
  port.data.payload.ready #= false
  port.data.fetch.ready #= false
  domain.onSamplings {
    if (fires(port.tokens)) {
      inside ++= offered
      reads ++= offered.filter(_.want.isDefined)
      offered = None
    }
    port.data.fetched.valid #= fires(port.data.fetch)
    if (fires(port.data.fetch))
      port.data.fetched.payload #= number(kept(port.data.fetch.context.toInt).slice(64 * port.data.fetch.beat.toInt, 64 * port.data.fetch.beat.toInt + 64))
    if (fires(port.data.payload)) {
      val want = reads.head.want.get
      val (bytes, got) = (want.slice(64 * beat, 64 * beat + 64).padTo(64, 0), port.data.payload.data.toBigInt)
      assert(got == number(bytes) && !port.data.payload.error.toBoolean, s"beat $beat of a frame's read of ${want.size} bytes")
      beat += 1
      if (64 * beat >= want.size) { beat = 0; reading += 1; reads.dequeue().end() }
    }
    if (fires(port.data.completions)) {
      val done = inside.dequeue()
      assert(port.data.completions.context.toInt == done.context && port.data.completions.report.outcome.status.toInt == Status.OK)
      if (done.want.isEmpty) writing += 1
      done.end()
    }
    if (offered.isEmpty && free.nonEmpty && !stopped && random.nextInt(4) > 0) offer()
    port.tokens.valid #= offered.isDefined
    for (stream <- Seq[spinal.lib.Stream[_]](port.data.completions, port.data.payload, port.data.fetch)) stream.ready #= random.nextInt(8) > 0
  }
}

/** A core whose door of frames is the bench's: chains, which do nothing here, have it no more. */
class FrameCore(c: CBoardConfig) extends CBoard(c) {
  val frames = slave(FrameDoor(c))
  private val (inside, chained) = (engine.io.frames, roce.io.chains.frames)
  for (part <- inside.flatten ++ chained.flatten if part.isInput) part.removeAssignments()
  for (part <- chained.flatten if part.isInput) part.assignFromBits(B(0, widthOf(part) bits))
  inside <> frames
}

/** Tokens of frames in a whole core: neither a replace nor frames that were freed wait for them, and none is missing for them. */
class FrameBoardTest extends LeafBoard {
  override protected def chains: Int = 16
  override protected lazy val compiled: SimCompiled[CBoard] = Simulation.config.compile[CBoard](new FrameCore(config))
  private def frames(dut: CBoard): FrameDoor = dut.asInstanceOf[FrameCore].frames
  override protected def prepare(dut: CBoard): Unit = {
    frames(dut).tokens.valid #= false
    frames(dut).data.fetched.valid #= false
  }

  test("frames' tokens beside requests, replaces and segments that end") {
    for (seed <- 1 to 2) bench(s"beside$seed", seed, memory = if (seed == 1) BoardBench.steady else mneme.leaf.LeafBoardTest.moody) { t =>
      import t._
      val traffic = new FrameTraffic(FrameBoardTest.this.frames(dut), b.domain, config, 30 * page, frames = 4, new Random(seed))
      while (!traffic.begun) b.cycles(100)
      for (round <- 0 until 3) {
        assert(create(1, table = 0, pages = 256, budget = 256) == LeafResult.DONE && map(0, 1, 0) == LeafResult.DONE)
        if (round == 0) assert(push(0, 40) == LeafResult.DONE)
        split(0x10, 0)
        val before = traffic.reading
        for (i <- 0 until 8) {
          val (at, bytes) = (0x10 * page + i * frame - (if (i == 0) 0 else 300), data(700))
          assert(store(at, bytes).status == Status.OK && load(at, 700) == bytes)
          // Its entry alone is replaced.
          assert(b.replace(pid, 0x20 + i, BoardBench.readWrite) == ReplaceStatus.DONE && b.replace(pid, 0x20 + i, 0) == ReplaceStatus.DONE)
        }
        assert(b.replace(pid, 0x11, BoardBench.readWrite) == ReplaceStatus.DONE)
        val bytes = data(700)
        assert(store(0x11 * page, bytes).status == Status.OK && load(0x11 * page, 700) == bytes)
        assert(b.replace(pid, 0x11, 0) == ReplaceStatus.DONE)
        b.push(31 + round)
        assert(traffic.reading > before + 10, "frames' tokens went on")
        assert(b.replace(pid, 0x10, 0) == ReplaceStatus.DONE)
        assert(order(LeafOrder.CLOSE, LeafRegister.LEAF_SEGMENT -> 1) == LeafResult.DONE)
        assert(order(LeafOrder.SWEEP, LeafRegister.LEAF_SEGMENT -> 1, LeafRegister.LEAF_PAGES -> 256) == LeafResult.DONE)
        assert(order(LeafOrder.UNMAP, LeafRegister.LEAF_TABLE -> 0) == LeafResult.DONE)
        b.cycles(300)
        assert(Seq(LeafRegister.LEAF_TOTAL, LeafRegister.LEAF_USABLE, LeafRegister.LEAF_WAITING).map(read(_).toInt) == Seq(40, 40, 0), "a freed frame waits")
      }
      traffic.stopped = true
      b.cycles(2000)
      assert(traffic.idle && traffic.writing > 100 && b.counter(Wire.Counter.MEM_ERROR) == 0)
      info(s"${traffic.reading} reads and ${traffic.writing} writes of frames")
    }
  }
}
