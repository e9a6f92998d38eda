package mneme.regs

import mneme.net.{MatKey, MatRow}
import mneme.share.{ClassMeter, ClassSetting}
import mneme.trailer.TrailerControl
import mneme.vm.{PinnedPages, ShareGroup, ShareSettings}
import mneme.wire.Wire
import mneme.wire.Wire.{Mark, MatAction, Register, ReplaceStatus}
import mneme.{AwayRow, CBoardConfig, Control, CounterEvents, ReplaceCommand, ReplaceResult, ZeroCommand}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axilite.{AxiLite4, AxiLite4Config, AxiLite4SlaveFactory}
import spinal.lib.bus.misc.{SingleMapping, SizeMapping}

/** Registers, counters and tables over AXI4-Lite; every register of the wire table with its semantics.
  *
  * Reads of write-only and unassigned words give 0, writes to read-only and unassigned words do nothing.
  */
case class RegisterBlock(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val bus = slave(AxiLite4(RegisterBlock.busConfig))
    val build = in(BuildStamp())
    val control = out(Control())
    val rows = out(Vec(MatRow(), Wire.MAT_ROWS))
    val awayIndex = in UInt (log2Up(Wire.AWAY_ROWS) bits)
    /** The row of `awayIndex`, in the same cycle. */
    val awayRow = out(AwayRow())
    /** The rate of a service class was written. */
    val classRate = master(Flow(ClassSetting()))
    val replace = master(Stream(ReplaceCommand(c)))
    val replaceResult = slave(Flow(ReplaceResult()))
    val zero = master(Stream(ZeroCommand(c)))
    /** Page-table entries that could not be written. */
    val pinned = slave(PinnedPages(c))
    val asyncLevel, zeroPending, zeroSpace = in UInt (32 bits)
    val doorWeights = out(Vec(UInt(8 bits), c.doors))
    /** Shares as they stand in the registers; they are to be in force; that is still to come. */
    val shares = out(ShareSettings(c))
    val shareCommit = out Bool ()
    val sharePending = in Bool ()
    /** Nothing that was taken in is on the board; memory owes nothing. */
    val rests, memoryRests = in Bool ()
    /** Events of the whole core, one wire per counter. */
    val counted = in(CounterEvents())
    /** Memory errors of this cycle: the one event that several components may meet at once. Its wire in `counted` is not looked at. */
    val memoryErrors = in UInt (2 bits)
    val events = out(CounterEvents())
    /** Histograms and high-water marks, which lie among the counters' words. */
    val observed = master(ObserverRead())
    val trailers = c.trailers generate out(TrailerControl())
  }

  // The choice among all words ends at a register: what lies behind the port counts none of its levels.
  private val answering = AxiLite4(RegisterBlock.busConfig)
  private val readable = RegInit(False)
  // Nor a write, before copies of registers are what these are.
  answering.aw << io.bus.aw.haltWhen(!readable)
  answering.w << io.bus.w
  /** One read at a time, and none before the counters are known. */
  private val reading = RegInit(False) setWhen answering.ar.fire clearWhen io.bus.r.fire
  answering.ar << io.bus.ar.haltWhen(reading || !readable)
  io.bus.b << answering.b
  io.bus.r << answering.r.m2sPipe()

  private val bus = new AxiLite4SlaveFactory(answering, useWriteStrobes = true)
  /** What was written to words of whole bytes, for reads: a copy in a memory costs a fraction of the choice among as many registers. */
  private val kept = new KeptWords(bus, answering.w.strb)
  private def register(width: Int, address: Int, reset: BigInt = 0): Bits = {
    val value = Reg(Bits(width bits)) init reset
    if (width % 8 == 0 && reset == 0) {
      bus.write(value, address)
      kept.holds(address, width / 8)
    } else bus.readAndWrite(value, address)
    value
  }
  /** A register without an action on writing; the value as the bus has it in the cycle of the write. */
  private def written(address: Int): (Bool, Bits) = (bus.isWriting(address), bus.nonStopWrite(Bits(32 bits)))

  private def flag(set: Boolean, bit: Int): Int = if (set) bit else 0
  private val identity = Seq(
    Register.MAGIC -> BigInt(Wire.MAGIC),
    Register.WIRE_VERSION -> BigInt(Wire.WIRE_VERSION),
    Register.PAGE_BITS -> BigInt(c.pageBits),
    Register.MEM_BITS -> BigInt(c.memBits),
    Register.SLOTS_LOG2 -> BigInt(c.slotsLog2),
    Register.TLB_ENTRIES -> BigInt(c.tlbEntries),
    Register.FILTER_ENTRIES -> BigInt(c.filterEntries),
    Register.ASYNC_DEPTH -> BigInt(c.asyncDepth),
    Register.MAX_PAYLOAD -> BigInt(c.maxPayload),
    Register.TICK_LOG2 -> BigInt(c.tickLog2),
    Register.PACKET_SLOTS -> BigInt(c.packetSlots),
    Register.TLB_WAYS -> BigInt(c.tlbWays),
    Register.MISSES -> BigInt(c.misses),
    Register.FILTER_WAYS -> BigInt(c.filterWays),
    Register.ZERO_DEPTH -> BigInt(c.zeroQueueDepth),
    Register.BUILD_FLAGS -> BigInt(flag(c.simulated, Wire.BUILD_SIMULATED) | c.doors - 1 << Wire.BUILD_DOORS_BIT | flag(
      c.waitingLists,
      Wire.BUILD_WAITING_LISTS
    ) | flag(c.trailers, Wire.BUILD_TRAILERS) | flag(c.rdma > 0, Wire.BUILD_RDMA) | flag(c.leaf, Wire.BUILD_LEAF) | flag(c.chains > 0, Wire.BUILD_CHAINS))
  )
  for ((address, value) <- identity) bus.read(B(value, 32 bits), address)
  bus.read(io.build.hash, Register.BUILD_HASH)
  bus.read(io.build.date, Register.BUILD_DATE)

  val settings = new Area {
    val control = register(2, Register.CONTROL)
    io.control.exhausted := control(1)
    /** What was written takes effect when nothing that was taken in under the old one is left; until then nothing is taken in. */
    val epoch = register(8, Register.EPOCH)
    private val current = Reg(Bits(8 bits)) init 0
    private val writing = bus.isWriting(Register.EPOCH)
    val changing = RegInit(False) setWhen writing
    /** What the board says of rest counts once frames have been kept out for a while. */
    private val settled = History(changing && !writing, RegisterBlock.SETTLE, init = False).reduce(_ && _)
    when(settled && io.rests) {
      current := epoch
      changing := False
    }
    io.control.enable := control(0) && !changing
    io.control.epoch := current
    bus.read(changing ## io.memoryRests ## io.rests, Register.REST)
    io.control.window := register(24, Register.WINDOW).asUInt
    val macLow = register(32, Register.MAC_LOW)
    val macHigh = register(16, Register.MAC_HIGH)
    io.control.mac := macHigh ## macLow
    io.control.ip := register(32, Register.IP)
    io.control.udpPort := register(16, Register.UDP_PORT, Wire.DEFAULT_UDP_PORT)
    io.control.busyHint := register(32, Register.BUSY_HINT)
    // One door needs no share.
    private val weights =
      if (c.doors == 1) B(0, 8 bits) else register(8 * c.doors, Register.DOOR_WEIGHTS, (0 until c.doors).map(RegisterBlock.DEFAULT_WEIGHT << 8 * _).sum)
    io.doorWeights := Vec(weights.subdivideIn(8 bits).map(_.asUInt))
  }

  val shares = new Area {
    private def perGroup(address: Int): Vec[Bits] = register(8 * ShareGroup.count, address).subdivideIn(8 bits)
    io.shares.groups := Vec(register(ShareGroup.bits * ShareGroup.classes, Register.SHARE_GROUPS).subdivideIn(ShareGroup.bits bits).map(_.asUInt))
    // What the board does not have is kept, and means nothing.
    io.shares.ways := Vec(perGroup(Register.SHARE_WAYS).map(_.resize(c.tlbWays)))
    io.shares.pages := Vec(perGroup(Register.SHARE_PAGES).map(_.asUInt))
    if (c.waitingLists) {
      io.shares.waiting := Vec(perGroup(Register.SHARE_WAITING).map(_.asUInt))
      val eighths = perGroup(Register.SHARE_MISSES)
      io.shares.misses := Vec(eighths.map(share => B((0 until c.misses).map(i => share(ShareGroup.eighth(i, c.misses))))))
    }
    io.shareCommit := RegNext(bus.isWriting(Register.SHARE_COMMIT)) init False
    bus.read(io.sharePending || io.shareCommit, Register.SHARE_COMMIT)
  }

  val time = new Area {
    val cycles = Reg(UInt(c.tickLog2 bits)) init 0
    cycles := cycles + 1
    val elapsed = cycles.andR
    val tick = Reg(UInt(24 bits)) init 0
    private val (skipping, ticks) = written(Register.TICK_SKIP)
    private val skipped = if (c.simulated) skipping ? ticks.asUInt.resize(24) | U(0, 24 bits) else U(0, 24 bits)
    tick := tick + U(elapsed) + skipped
    bus.read(tick, Register.TICK)
    io.control.tick := tick

    val upper = c.trailers generate new Area {
      val ticks = Reg(UInt(40 bits)) init 0
      // What a cycle adds is less than the tick's range, so it is less than before when it has gone round.
      private val before = RegNext(tick) init 0
      private val wraps = tick < before
      ticks := ticks + U(wraps)
      private val now = ticks + U(wraps)
      bus.read(now(31 downto 0), Register.TICK_HIGH)
      bus.read(now(39 downto 32), Register.TICK_TOP)
      io.trailers.tick := now @@ tick
    }
  }

  val trailers = c.trailers generate new Area {
    io.trailers.mode := register(2, Register.TAG_MODE)
    io.trailers.phases := register(2, Register.TAG_PHASES)
    private val addresses = (0 until 8).map(Register.TAG_KEY_0 + 4 * _)
    // Nobody reads a key.
    private val words = for (address <- addresses) yield {
      val word = Reg(Bits(32 bits)) init 0
      bus.write(word, address)
      word
    }
    for ((key, phase) <- io.trailers.keys.zip(words.grouped(4).toSeq)) key := phase.reverse.reduce(_ ## _)
    io.trailers.changed := RegNext(addresses.map(bus.isWriting(_)).orR) init False
  }

  val pages = new Area {
    // A cycle old, which no access over the bus can tell: a read comes later than that after the write that it follows.
    bus.read(RegNext(io.asyncLevel), Register.ASYNC_LEVEL)
    bus.read(RegNext(io.zeroSpace), Register.ZERO_SPACE)
    bus.read(RegNext(io.zeroPending), Register.ZERO_PENDING)
    val (pushing, page) = written(Register.ZERO_PUSH)
    /** A page that the board does not have would alias one that it has. */
    val exists = page(30 downto c.memBits - c.pageBits) === 0
    io.zero.valid := pushing && exists
    io.zero.ppn := page(c.memBits - c.pageBits - 1 downto 0).asUInt
    io.zero.offer := !page(31)
    val refused = pushing && !(exists && io.zero.ready)
  }

  val replace = new Area {
    val pid = register(Wire.PID_BITS, Register.REPLACE_PID)
    val vpn = register(32, Register.REPLACE_VPN)
    def word(low: Int, high: Int): Bits = { val (l, h) = (register(32, low), register(32, high)); h ## l }
    io.replace.pid := pid.asUInt
    io.replace.vpn := vpn.asUInt.resized
    io.replace.compare := word(Register.REPLACE_COMPARE_LOW, Register.REPLACE_COMPARE_HIGH)
    io.replace.expected := word(Register.REPLACE_EXPECTED_LOW, Register.REPLACE_EXPECTED_HIGH)
    io.replace.write := word(Register.REPLACE_WRITE_LOW, Register.REPLACE_WRITE_HIGH)
    io.replace.value := word(Register.REPLACE_NEW_LOW, Register.REPLACE_NEW_HIGH)

    val status = Reg(Bits(8 bits)) init ReplaceStatus.IDLE
    val old = Reg(Bits(64 bits)) init 0
    bus.read(status, Register.REPLACE_STATUS)
    bus.read(old(31 downto 0), Register.REPLACE_OLD_LOW)
    bus.read(old(63 downto 32), Register.REPLACE_OLD_HIGH)
    val asking = RegInit(False)
    io.replace.valid := asking
    when(io.replace.fire)(asking := False)
    when(io.replaceResult.valid) {
      status := io.replaceResult.status
      old := io.replaceResult.old
    }
    when(bus.isWriting(Register.REPLACE_GO) && status =/= ReplaceStatus.RUNNING) {
      status := ReplaceStatus.RUNNING
      asking := True
    }
  }

  val pinned = new Area {
    io.pinned.next := bus.isWriting(Register.TABLE_PINNED)
    bus.read(io.pinned.valid ## io.pinned.lost ## io.pinned.bucket.asBits.resize(30 bits), Register.TABLE_PINNED)
  }

  val matchAction = new Area {
    def key(first: Int, second: Int): MatKey = {
      val (word, port) = (register(32, first), register(16, second))
      val key = MatKey()
      key.etherType := word(31 downto 16)
      key.protocol := word(15 downto 8)
      key.opcode := word(7 downto 0)
      key.port := port
      key
    }
    val value = key(Register.MAT_VALUE0, Register.MAT_VALUE1)
    val mask = key(Register.MAT_MASK0, Register.MAT_MASK1)
    val (committing, commit) = written(Register.MAT_COMMIT)
    for ((row, i) <- io.rows.zipWithIndex) {
      val stored = Reg(MatRow())
      stored.valid init False
      when(committing && commit(7 downto 0) === i) {
        stored.value := value
        stored.mask := mask
        // A number that names no action drops.
        stored.action := (commit(15 downto 10) === 0) ? commit(9 downto 8) | B(MatAction.DROP, 2 bits)
        stored.valid := commit(16)
      }
      row := stored
    }
  }

  val away = new Area {
    val vaLow = register(32, Register.AWAY_VA_LOW)
    val vaHigh = register(32, Register.AWAY_VA_HIGH)
    val rows = Mem(AwayRow(), Wire.AWAY_ROWS)
    val row = AwayRow()
    val (committing, commit) = written(Register.AWAY_COMMIT)
    row.status := commit(12 downto 8)
    row.va := vaHigh(15 downto 0) ## vaLow
    row.length := vaHigh(31 downto 16)
    val exists = commit(7 downto 0).asUInt < Wire.AWAY_ROWS
    rows.write(commit(log2Up(Wire.AWAY_ROWS) - 1 downto 0).asUInt, row, committing && exists)
    io.awayRow := rows.readAsync(io.awayIndex)
  }

  val classes = new Area {
    val rate = register(32, Register.CLASS_RATE)
    val (committing, commit) = written(Register.CLASS_COMMIT)
    private val exists = commit(7 downto 0).asUInt < ClassMeter.CLASSES
    io.classRate.valid := RegNext(committing && exists) init False
    io.classRate.number := RegNext(commit(Wire.CLASS_BITS - 1 downto 0).asUInt)
    io.classRate.rate.burstLog2 := RegNext(commit(11 downto 8).asUInt)
    // The next write comes later than the commit's cycle.
    io.classRate.rate.operations := rate(15 downto 0).asUInt
    io.classRate.rate.lines := rate(31 downto 16).asUInt
  }

  /** Totals lie in a memory, and what came to each since it was last looked at in a few bits beside it. One total is brought up to date per
    * cycle, all in turn; a read brings up to date what it asks for, and its answer is the new total: exact in the cycle in which the choice
    * among all words is made.
    */
  val counters = new Area {
    private val number = UInt(log2Up(CounterEvents.width) bits)
    private val last = CounterEvents.width - 1
    number := io.bus.ar.addr(2, widthOf(number) bits)
    require(Wire.COUNTER_BASE % (4 << widthOf(number)) == 0)
    val turn = Reg(number) init 0
    /** The one that is brought up to date. Whatever a read asks for takes a turn; one in three cycles at most, since a read takes three. */
    val at = RegNext(answering.ar.fire ? number | turn) init 0
    private val longest = CounterEvents.width * 3 / 2 + 2
    when(!answering.ar.fire)(turn := (turn === last) ? U(0) | turn + 1)
    // In the first round the memory holds what it held before the reset.
    readable.setWhen(at === last)
    require(last >= (1 << widthOf(kept.cleared)), "copies of registers are cleared in the counters' first round")
    kept.clears := !readable
    kept.cleared := at.resized

    val pending = for (i <- 0 to last) yield {
      val (events, most) = if (i == Wire.Counter.MEM_ERROR) (io.memoryErrors, 3) else (io.counted(i).asUInt, 1)
      val since = Reg(UInt(log2Up(most * longest + 1) bits)) init 0
      when(at === i)(since := events.resized) elsewhen (events =/= 0)(since := since + events)
      since
    }
    private val widest = pending.map(widthOf(_)).max
    val totals = Mem(UInt(32 bits), CounterEvents.width).addAttribute("ram_style", "distributed")
    private val before = readable ? totals.readAsync(at) | U(0, 32 bits)
    val total = before + Vec(pending.map(_.resize(widest))).read(at)
    totals.write(at, total)
    bus.readPrimitive(total.asBits, SizeMapping(Wire.COUNTER_BASE, 4 * CounterEvents.width), 0, null)
  }

  val observed = new Area {
    // Counter numbers: words from COUNTER_BASE on.
    private val address = bus.readAddress()
    io.observed.number := (address(11 downto 10) - Wire.COUNTER_BASE / 1024) @@ address(9 downto 2)
    for ((number, words) <- Seq(Mark.all.head._2 -> 16, Wire.HISTOGRAM_BASE -> 128))
      bus.readPrimitive(io.observed.data, SizeMapping(Wire.COUNTER_BASE + 4 * number, 4 * words), 0, null)
  }

  io.events := 0
  io.events(Wire.Counter.ZERO_REFUSED) := pages.refused
}

/** What tells one build from another, and would change the text of the Verilog: inputs of the top, tied by who builds a board of it. */
case class BuildStamp() extends Bundle {
  /** The first bits of the sources' git hash. */
  val hash = Bits(32 bits)
  /** Seconds since 1970. */
  val date = Bits(32 bits)
}

object RegisterBlock {
  /** A door's share after reset: 128 lines in turn. */
  val DEFAULT_WEIGHT = BigInt(16)
  /** Cycles after which a frame that was taken in the cycle of a write is counted. */
  val SETTLE = 4
  val busConfig: AxiLite4Config = AxiLite4Config(addressWidth = 12, dataWidth = 32)
}

/** Copies of registers that a bus writes, for its reads. After a reset `clears` sets them to zero, one after the other. */
class KeptWords(bus: AxiLite4SlaveFactory, strobe: Bits) extends Area {
  private val indexBits = 6
  private def index(address: UInt): UInt = address(2, indexBits bits)
  private var indices = Set.empty[Int]
  private val words = Seq.fill(4)(Mem(Bits(8 bits), 1 << indexBits).addAttribute("ram_style", "distributed"))

  /** The word of this number is to be zero; nothing is written meanwhile. */
  val clears = Bool()
  val cleared = UInt(indexBits bits)

  /** Bytes of the word that is written which the register has. */
  private val has = Bits(4 bits)
  has := 0
  private val value = Vec(words.map(_.readAsync(index(bus.readAddress())))).asBits
  private val to = clears ? cleared | index(bus.writeAddress())
  for (((word, byte), i) <- words.zip(bus.nonStopWrite(Bits(32 bits)).subdivideIn(8 bits)).zipWithIndex)
    word.write(to, byte.andMask(!clears), clears || (has(i) && strobe(i)))

  /** The register of so many bytes at this address is one of them. */
  def holds(address: Int, bytes: Int): Unit = {
    val index = address / 4 % (1 << indexBits)
    require(!indices(index), f"two words have the place of register 0x$address%x")
    indices += index
    when(bus.isWriting(address))(has := (1 << bytes) - 1)
    bus.readPrimitive(value, SingleMapping(address), 0, null)
  }
}
