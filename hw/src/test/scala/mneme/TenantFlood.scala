package mneme

import mneme.mem.{BadLines, MemoryModel, Timing}
import mneme.net.{FrameSpec, Frames}
import mneme.wire.Wire
import mneme.wire.Wire.{Cause, Counter, Opcode, Pte, Register, Status}
import spinal.core.sim._
import spinal.lib.bus.amba4.axilite.sim.AxiLite4Driver

import scala.collection.mutable
import scala.util.Random

/** A quiet tenant beside 1 to 8 neighbours that send at the line rate of their own 10G links, on the whole core: `sbt "Test/runMain mneme.TenantFlood"`.
  *
  * A neighbour sends a smallest frame in each 17 cycles (84 bytes of a 10G wire are 67 ns), a read of a page that the TLB does not hold; the quiet tenant
  * one in 40, either of few pages, which hit, or of many, which miss. All go through one port, which takes a frame in a cycle. Memory takes 30 cycles.
  * Measured are the share of the quiet tenant's requests that were answered OK without a retry, and the cycles from a request's last beat to its
  * answer's last, alone, beside neighbours, and beside neighbours with shares.
  * Not to the answer's first beat: its header leaves before its data only while no answer in front of it waits for data.
  *
  * In the rows *touches* all write to pages that have no memory yet. A neighbour does so at line rate, once in 21 cycles; the slow path frees
  * the neighbours' pages as fast as its registers let it, and has as many pages zeroed. The quiet tenant touches 12 new pages in a row, once in 40
  * cycles, and again when the board has had time to zero as many. Prints a table and a line of JSON, and fails when a goal is missed.
  *
  * In the rows *frees* neighbours send reads that miss. The quiet tenant allocates a page, writes to it and frees it, a request in 1,500 cycles; the slow
  * path serves it by a replace, and has the page zeroed again. Under each row with 8 neighbours stands where packet slots were held.
  *
  * In the rows *rates* neighbours send reads that miss; with bounds each one's class has a rate of operations, and nobody a share. In the rows *large*
  * they send reads of 1,400 bytes that hit; all have shares, and with bounds each neighbour's class has a rate of bytes, too. Loads can be chosen by
  * their names: `sbt "Test/runMain mneme.TenantFlood rates large"`.
  */
object TenantFlood {
  val c: CBoardConfig = CBoardConfig.sim.copy(name = "tenants", packetSlots = 64)
  private val (mac, ip) = (BigInt("02004d4e454d", 16), BigInt(0x0a000001))
  /** Cycles between two frames of a neighbour and of the quiet tenant, and of a measurement. */
  private val (neighbourPeriod, quietPeriod, length) = (17, 40, 20000)
  private val (hitPages, missPages) = (4, 64)
  /** First touches: cycles between two frames of a neighbour, which are of two beats; touches of the quiet tenant in a row, how often, and cycles from one row to the next. */
  private val (touchPeriod, touchesInRow, touchRows, touchPause) = (21, 12, 6, 70000)
  /** Frees: cycles from one request of the quiet tenant to the next, and its requests: a page is zeroed faster than three of them come. */
  private val (freePeriod, freeRequests) = (1500, 120)
  /** Rates: operations of a neighbour that misses, and lines of one whose reads are large, in 2^16 cycles; log2 of the burst. The lines are a quarter
    * of what its own 10G link carries.
    */
  private val (rateOperations, rateLines, rateBurst) = (400, 1250, 5)
  /** Bytes of a large read, and beats of its answer. */
  private val largeLength = 1400
  private val largeBeats = (42 + Wire.HEADER_LEN + largeLength + 63) / 64
  /** In goals: the share of its rate that is kept, and the 99th percentile beside that of being alone. */
  val (rateGoal, delayGoal) = (0.9, 1.5)
  /** The latter without shares: a page that leaves the TLB costs a hit what a miss takes, 85 cycles instead of 49. */
  private val unsharedGoal = 2.0

  def pidOf(tenant: Int): Int = (tenant + 1) << (Wire.PID_BITS - Wire.CLASS_BITS) | 7

  /** What came of the quiet tenant's requests. */
  case class Figure(load: String, neighbours: Int, shares: Boolean, sent: Int, ok: Int, p50: Long, p99: Long, busy: Int, dropped: Int, slots: String) {
    def kept: Double = ok.toDouble / sent
    def json: String = f"""{"load":"$load","neighbours":$neighbours,"shares":$shares,"sent":$sent,"ok":$ok,"p50_cycles":$p50,"p99_cycles":$p99,""" +
      f""""neighbours_busy":$busy,"frames_dropped":$dropped}"""
  }

  private class Run(dut: CBoard) {
    private val random = new Random(1)
    private val model = new MemoryModel(dut.io.mem, 0, new Array[Byte](1 << c.memBits), BadLines(), Timing(30, jitter = false), random, ids = 16)
    private val port = mutable.Queue[(BigInt, BigInt, Boolean)]()
    private var bytes = Vector[Int]()
    private var cycle = 0L
    private var opId = 0
    private case class Sent(tenant: Int, at: Long)
    private val waiting = mutable.Map[BigInt, Sent]()
    /** Of the tenant that is asked for: status and cycles of its answers; and how many BUSY answers others had. */
    private val answers = mutable.ArrayBuffer[(Int, Long)]()
    private var busy = 0
    private val lastIn = mutable.Map[BigInt, Long]()
    private val watch = new SlotWatch(dut, pidOf(0) >> (Wire.PID_BITS - Wire.CLASS_BITS))
    /** While the quiet tenant's requests count. */
    private var watching = false
    /** Frames that the slow path got, and beats that it sends. */
    private val asked = mutable.Queue[Array[Int]]()
    private val fromSlow = mutable.Queue[(BigInt, BigInt, Boolean)]()
    private var slowBytes = Vector[Int]()

    model.reset()
    dut.io.net.rx.valid #= false
    dut.io.net.tx.ready #= true
    dut.io.slow.tx.ready #= true
    dut.io.slow.rx.valid #= false
    dut.clockDomain.forkStimulus(10)
    dut.io.memReset #= true
    fork { dut.clockDomain.waitSampling(); dut.io.memReset #= false }
    private val registers = AxiLite4Driver(dut.io.regs, dut.clockDomain)
    dut.clockDomain.waitSampling(50)
    private var sources = Seq.empty[() => Unit]
    dut.clockDomain.onSamplings(step())

    private def step(): Unit = {
      cycle += 1
      watch.step(watching)
      slowPort()
      val tx = dut.io.net.tx
      if (tx.valid.toBoolean) {
        bytes ++= Frames.bytesOf(tx.data.toBigInt, tx.keep.toBigInt)
        if (tx.last.toBoolean) { answered(bytes.toArray); bytes = Vector() }
      }
      model.step(cycle)
      sources.foreach(_())
      val rx = dut.io.net.rx
      rx.valid #= port.nonEmpty
      if (port.nonEmpty) {
        val (data, keep, last) = port.dequeue()
        rx.data #= data; rx.keep #= keep; rx.last #= last; rx.user #= 0
        // The port's last beat is in the cycle that follows.
        if (last) queued.dequeue().foreach(id => lastIn(id) = cycle + 1)
      }
    }
    private val queued = mutable.Queue[Option[BigInt]]()

    private def slowPort(): Unit = {
      val (tx, rx) = (dut.io.slow.tx, dut.io.slow.rx)
      if (tx.valid.toBoolean) {
        slowBytes ++= Frames.bytesOf(tx.data.toBigInt, tx.keep.toBigInt)
        if (tx.last.toBoolean) { asked.enqueue(slowBytes.toArray); slowBytes = Vector() }
      }
      if (rx.valid.toBoolean && rx.ready.toBoolean) fromSlow.dequeue()
      rx.valid #= fromSlow.nonEmpty
      for ((data, keep, last) <- fromSlow.headOption) { rx.data #= data; rx.keep #= keep; rx.last #= last; rx.user #= 0 }
    }

    private def answered(frame: Array[Int]): Unit = {
      val status = frame(44) & ~Wire.STATUS_SLOW_BIT
      for (sent <- waiting.remove(Frames.read(frame, 48, 4))) {
        val id = Frames.read(frame, 48, 4)
        val cause = Frames.read(frame, 56, 1).toInt
        if (sent.tenant == 0) answers += status -> (cycle - lastIn(id))
        else if (status == Status.BUSY && (cause == Cause.SHARE || cause == Cause.CLASS)) busy += 1
        // A page that the slow path was not asked to allocate has none of the quiet tenant's writes.
        require(status == Status.OK || status == Status.BUSY || (sent.tenant == 0 && status == Status.UNMAPPED), s"status $status")
      }
    }

    /** The tick at cycle 0 of the bench's count, in cycles. */
    private var tickOffset = 0L
    private def ask(tenant: Int, vpn: Int, opcode: Int, length: Int = 16): Unit = {
      opId += 1
      waiting(opId) = Sent(tenant, cycle)
      val frame = FrameSpec(
        mac,
        BigInt("020000000002", 16),
        dstIp = ip,
        dstPort = Wire.DEFAULT_UDP_PORT,
        opcode = opcode,
        time = ((cycle + tickOffset) >> c.tickLog2).toInt,
        payload = if (opcode == Opcode.WRITE) Seq.fill(16)(tenant) else Nil,
        epoch = 1,
        pid = pidOf(tenant),
        opId = opId,
        va = BigInt(vpn) << c.pageBits,
        length = length
      )
      val beats = Frames.beats(frame.bytes)
      port ++= beats
      queued.enqueue(Some(BigInt(opId)))
    }

    private def replace(pid: Int, vpn: Int, entry: BigInt): Unit = {
      registers.write(Register.REPLACE_PID, pid)
      registers.write(Register.REPLACE_VPN, vpn)
      for (register <- Seq(Register.REPLACE_WRITE_LOW, Register.REPLACE_WRITE_HIGH)) registers.write(register, 0xffffffffL)
      registers.write(Register.REPLACE_NEW_LOW, entry & 0xffffffffL)
      registers.write(Register.REPLACE_NEW_HIGH, entry >> 32)
      registers.write(Register.REPLACE_GO, 0)
      while (registers.read(Register.REPLACE_STATUS) == Wire.ReplaceStatus.RUNNING) {}
      require(registers.read(Register.REPLACE_STATUS) == Wire.ReplaceStatus.DONE)
    }

    /** Pages in memory, all of the one physical page: what they hold is nobody's business here. */
    def boot(): Unit = {
      registers.write(Register.MAC_LOW, mac & 0xffffffffL)
      registers.write(Register.MAC_HIGH, mac >> 32)
      registers.write(Register.IP, ip)
      registers.write(Register.EPOCH, 1)
      registers.write(Register.WINDOW, 1 << 16)
      registers.write(Register.MAT_VALUE0, 0x08001100L)
      registers.write(Register.MAT_MASK0, 0xfffffff0L)
      registers.write(Register.MAT_COMMIT, (1 << 16) | (Wire.MatAction.FAST << 8))
      registers.write(Register.MAT_VALUE0, 0x08001110L)
      registers.write(Register.MAT_COMMIT, (1 << 16) | (Wire.MatAction.SLOW << 8) | 1)
      registers.write(Register.CONTROL, 1)
      val there = Seq(Pte.ALLOCATED, Pte.READ, Pte.WRITE, Pte.VALID, Pte.ACCESSED, Pte.DIRTY).map(BigInt(1) << _).sum | 100
      for (tenant <- 0 to 8; vpn <- 0 until missPages) replace(pidOf(tenant), vpn, there)
      dut.clockDomain.waitSampling(2 * c.filterEntries)
    }

    /** Group 1 for the quiet tenant's class: half of the TLB's ways, of the miss entries and of free pages; of the others' requests 16 may wait. */
    def share(on: Boolean): Unit = {
      registers.write(Register.SHARE_GROUPS, if (on) 1 << 2 else 0)
      registers.write(Register.SHARE_WAYS, if (on) 0x030c else 0)
      registers.write(Register.SHARE_MISSES, if (on) 0x0ff0 else 0)
      registers.write(Register.SHARE_WAITING, if (on) 16 else 0)
      registers.write(Register.SHARE_PAGES, if (on) c.asyncDepth / 2 << 8 else 0)
      registers.write(Register.SHARE_COMMIT, 0)
      while (registers.read(Register.SHARE_COMMIT) != 0) {}
    }

    /** What each neighbour's class may ask for; 0: no bound. */
    def rate(operations: Int, lines: Int): Unit = {
      registers.write(Register.CLASS_RATE, operations | lines << 16)
      for (tenant <- 1 to 8) registers.write(Register.CLASS_COMMIT, pidOf(tenant) >> (Wire.PID_BITS - Wire.CLASS_BITS) | rateBurst << 8)
    }

    /** A page that is allocated and has no memory yet. */
    private val untouched = Seq(Pte.ALLOCATED, Pte.READ, Pte.WRITE).map(BigInt(1) << _).sum
    private def level: Int = registers.read(Register.ASYNC_LEVEL).toInt

    private def zero(page: Int): Unit = if (registers.read(Register.ZERO_SPACE) != 0) registers.write(Register.ZERO_PUSH, page)

    /** Neighbours touch and the slow path frees; the quiet tenant touches in rows. */
    def measureTouches(neighbours: Int, shares: Boolean): Figure = {
      share(shares)
      // Entries of the filter live as long as the window.
      registers.write(Register.WINDOW, 2)
      findTick()
      val before = registers.read(Wire.COUNTER_BASE + 4 * Counter.DROP_INGRESS_FULL)
      var row = 0
      answers.clear(); waiting.clear(); busy = 0; watch.clear()
      sources = Nil
      var (sent, page) = (0, 200)
      // Whoever's turn it is to be freed, one after the other.
      def free(tenant: Int, vpn: Int): Unit = replace(pidOf(tenant), vpn, untouched)
      for (_ <- 0 until touchRows) {
        for (vpn <- 0 until touchesInRow) free(0, vpn)
        sources = (1 to neighbours).map(tenant => every(touchPeriod, tenant, missPages, writes = true))
        val until = cycle + touchPause
        while (cycle < until || (neighbours == 0 && level < c.asyncDepth)) {
          if (neighbours > 0) free(1 + page % neighbours, page / neighbours % missPages)
          zero(200 + page % 64)
          page += 1
        }
        row = 0
        watching = true
        var wait = 0
        val touches = () => { wait += 1; if (wait >= quietPeriod && row < touchesInRow) { wait = 0; ask(0, row, Opcode.WRITE); row += 1; sent += 1 } }
        sources = touches +: sources
        while (row < touchesInRow) if (neighbours > 0) { free(1 + page % neighbours, page / neighbours % missPages); page += 1 }
        else dut.clockDomain.waitSampling(50)
        watching = false
        dut.clockDomain.waitSampling(3000)
      }
      sources = Nil
      dut.clockDomain.waitSampling(3000)
      registers.write(Register.WINDOW, 1 << 16)
      val dropped = (registers.read(Wire.COUNTER_BASE + 4 * Counter.DROP_INGRESS_FULL) - before).toInt
      figure("touches", neighbours, shares, sent, dropped)
    }

    private def findTick(): Unit = tickOffset = (registers.read(Register.TICK).toLong << c.tickLog2) - cycle

    /** The slow path serves what it was asked, one after the other. */
    private def serve(frame: Array[Int]): Unit = {
      val (pid, vpn) = (Frames.read(frame, 45, 3).toInt, (Frames.read(frame, 56, 6) >> c.pageBits).toInt)
      if (frame(43) == Opcode.ALLOC) replace(pid, vpn, untouched)
      else {
        replace(pid, vpn, 0)
        val old = registers.read(Register.REPLACE_OLD_LOW)
        if (old.testBit(Pte.VALID)) zero((old & ((BigInt(1) << (c.memBits - c.pageBits)) - 1)).toInt)
      }
      fromSlow ++= Frames.beats(frame.updated(43, frame(43) | Wire.RESPONSE_BIT).updated(44, Status.OK))
    }

    /** The quiet tenant allocates, writes and frees. */
    def measureFrees(neighbours: Int, shares: Boolean): Figure = {
      share(shares)
      while (level < c.asyncDepth) { zero(200); dut.clockDomain.waitSampling(100) }
      findTick()
      val before = registers.read(Wire.COUNTER_BASE + 4 * Counter.DROP_INGRESS_FULL)
      sources = (1 to neighbours).map(every(neighbourPeriod, _, missPages))
      dut.clockDomain.waitSampling(2000)
      answers.clear(); waiting.clear(); busy = 0; watch.clear()
      watching = true
      val operations = Seq(Opcode.ALLOC, Opcode.WRITE, Opcode.FREE)
      var (sent, wait) = (0, 0)
      sources =
        (() => {
          wait += 1
          if (wait >= freePeriod && sent < freeRequests) {
            wait = 0; ask(0, missPages + sent / operations.size % missPages, operations(sent % operations.size)); sent += 1
          }
        }) +: sources
      while (sent < freeRequests || wait < freePeriod || asked.nonEmpty) if (asked.nonEmpty) serve(asked.dequeue()) else dut.clockDomain.waitSampling(2)
      watching = false
      sources = Nil
      dut.clockDomain.waitSampling(3000)
      val dropped = (registers.read(Wire.COUNTER_BASE + 4 * Counter.DROP_INGRESS_FULL) - before).toInt
      figure("frees", neighbours, shares, sent, dropped)
    }

    private def figure(load: String, neighbours: Int, shares: Boolean, sent: Int, dropped: Int): Figure = {
      val times = answers.collect { case (Status.OK, cycles) => cycles }.sorted.toSeq
      def at(share: Double) = if (times.isEmpty) 0L else times(((times.size - 1) * share).ceil.toInt)
      Figure(load, neighbours, shares, sent, times.size, at(0.5), at(0.99), busy, dropped, watch.line)
    }

    private def every(period: Int, tenant: Int, pages: Int, writes: Boolean = false, length: Int = 16): () => Unit = {
      var turn = random.nextInt(period)
      var page = 0
      () => {
        turn += 1
        if (turn >= period) { turn = 0; page = (page + 1) % pages; ask(tenant, page, if (writes) Opcode.WRITE else Opcode.READ, length) }
      }
    }

    def measure(load: String, neighbours: Int, shares: Boolean): Figure = {
      share(if (load == "large") neighbours > 0 else shares && load != "rates")
      load match {
        case "rates" => rate(if (shares) rateOperations else 0, 0)
        case "large" => rate(0, if (shares) rateLines else 0)
        case _ =>
      }
      val before = registers.read(Wire.COUNTER_BASE + 4 * Counter.DROP_INGRESS_FULL)
      val pages = if (load == "misses") missPages else hitPages
      val large = load == "large"
      sources = every(quietPeriod, 0, pages) +:
        (1 to neighbours).map(every(neighbourPeriod, _, if (large) 1 else missPages, length = if (large) largeLength else 16))
      // The TLB and all queues come to their rest first.
      dut.clockDomain.waitSampling(2000)
      answers.clear()
      waiting.clear()
      busy = 0
      watch.clear()
      watching = true
      dut.clockDomain.waitSampling(length)
      watching = false
      sources = Nil
      dut.clockDomain.waitSampling(3000)
      val sent = answers.size + waiting.values.count(_.tenant == 0)
      val dropped = (registers.read(Wire.COUNTER_BASE + 4 * Counter.DROP_INGRESS_FULL) - before).toInt
      figure(load, neighbours, shares, sent, dropped)
    }
  }

  /** All figures: for each load alone, and beside neighbours without and with shares. */
  def figures(loads: Seq[String], neighbours: Seq[Int]): Seq[Figure] = {
    var all = Seq.empty[Figure]
    Simulation.config.workspaceName("TenantFlood").compile(SlotWatch.visible(CBoard(c))).doSim("flood", 1) { dut =>
      val run = new Run(dut)
      run.boot()
      all = for (load <- loads; (count, shares) <- (0, false) +: neighbours.flatMap(n => Seq((n, false), (n, true))))
        yield load match {
          case "touches" => run.measureTouches(count, shares)
          case "frees" => run.measureFrees(count, shares)
          case _ => run.measure(load, count, shares)
        }
    }
    all
  }

  /** The same tenant with nobody beside. */
  def alone(all: Seq[Figure], f: Figure): Figure = all.find(a => a.load == f.load && a.neighbours == 0).get
  def met(all: Seq[Figure], f: Figure): Boolean = {
    val single = alone(all, f).p99
    f.kept >= rateGoal && f.p99 <= (f.load match {
      case "rates" => unsharedGoal * single
      // One large answer of each neighbour may be in front.
      case "large" => (single + f.neighbours * largeBeats).toDouble
      case _ => delayGoal * single
    })
  }

  def main(args: Array[String]): Unit = {
    val all = figures(if (args.isEmpty) Seq("hits", "misses", "frees", "touches", "rates", "large") else args.toSeq, Seq(1, 2, 4, 8))
    println(f"${c.name + ": a quiet tenant's"}%-32s  neighbours  bounds  kept %%  p50 cycles  p99 cycles  p99 / alone  others BUSY  dropped")
    for (f <- all) {
      println(
        f"${f.load}%-32s  ${f.neighbours}%10d  ${if (f.shares) "yes" else "no"}%6s  ${100 * f.kept}%6.1f  ${f.p50}%10d  ${f.p99}%10d  " +
          f"${f.p99.toDouble / alone(all, f).p99}%11.2f  ${f.busy}%11d  ${f.dropped}%7d"
      )
      if (f.neighbours == 8) println(s"  ${f.slots}")
    }
    println(all.map(_.json).mkString("[", ",", "]"))
    val missed = all.filter(f => f.shares && !met(all, f))
    require(missed.isEmpty, s"at least ${100 * rateGoal}% of the rate and a bounded p99: missed by ${missed.mkString(", ")}")
  }
}
