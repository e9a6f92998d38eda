package mneme.board

import mneme.{CBoardConfig, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** The processor's window onto DRAM: its AXI4 port of 128 bits onto the core's shape of memory (`docs/reference/device.md`, map 2).
  *
  * Any burst that AXI4 knows. A read and a write at a time; a line of 64 bytes is asked for once for all beats of a burst that lie in it, and written once.
  * An error of memory is told with every beat of the line, and with the end of a write.
  */
case class DramWindow(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val bus = slave(Axi4(DramWindow.busConfig(c)))
    val memory = master(Axi4(MemoryBus.config(c, DramWindow.ID_BITS)))
  }
  private val wordBits = DramWindow.DATA_BITS
  private val wordBytes = wordBits / 8

  /** A burst of the processor's: where its next beat is. */
  private[board] case class Burst[T <: Axi4Ax](command: Stream[T]) extends Area {
    val busy = RegInit(False) setWhen command.fire
    val kept = RegNextWhen(command.payload, command.fire)
    val address = Reg(UInt(c.memBits bits))
    command.ready := !busy
    when(command.fire)(address := command.addr)
    val next: UInt = Axi4.incr(address, kept.burst, kept.len, kept.size, wordBytes)
    val word: UInt = address(5 downto log2Up(wordBytes))
    private def line(at: UInt): UInt = at(c.memBits - 1 downto 6)
    /** The next beat lies in another line. */
    val leaves: Bool = line(next) =/= line(address)

    def ask(to: Axi4Ax): Unit = {
      to.id := 0
      to.addr := line(address) @@ U(0, 6 bits)
      to.len := 0
      to.size := 6
      to.burst := Axi4.burst.INCR
    }
  }

  val reads = new Area {
    val burst = Burst(io.bus.ar)
    private val (ar, r) = (io.memory.ar, io.memory.r)
    val left = Reg(UInt(8 bits))
    /** The line is here; it was asked for. */
    val here, asked = RegInit(False)
    val line = RegNextWhen(r.data, r.fire)
    val resp = RegNextWhen(r.resp, r.fire)
    when(io.bus.ar.fire)(left := io.bus.ar.len)
    ar.valid := burst.busy && !here && !asked
    burst.ask(ar.payload)
    when(ar.fire)(asked := True)
    r.ready := asked
    when(r.fire) {
      asked := False
      here := True
    }
    io.bus.r.valid := here
    io.bus.r.id := burst.kept.id
    io.bus.r.data := line.subdivideIn(wordBits bits).read(burst.word)
    io.bus.r.resp := resp
    io.bus.r.last := left === 0
    when(io.bus.r.fire) {
      burst.address := burst.next
      left := left - 1
      when(burst.leaves || io.bus.r.last)(here := False)
      when(io.bus.r.last)(burst.busy := False)
    }
  }

  val writes = new Area {
    val burst = Burst(io.bus.aw)
    private val (aw, w, b) = (io.memory.aw, io.memory.w, io.memory.b)
    /** A line is to be written, its address and data are yet to be taken; memory answers; the burst is over. */
    val writes, asks, gives, ends = RegInit(False)
    val line = Reg(Bits(512 bits))
    val strobes = Reg(Bits(64 bits)) init 0
    val resp = Reg(Bits(2 bits)) init 0
    io.bus.w.ready := burst.busy && !writes && !ends
    when(io.bus.w.fire) {
      for (word <- 0 until 512 / wordBits) when(burst.word === word) {
        for (byte <- 0 until wordBytes) when(io.bus.w.strb(byte))(line(wordBits * word + 8 * byte, 8 bits) := io.bus.w.data(8 * byte, 8 bits))
        strobes(wordBytes * word, wordBytes bits) := strobes(wordBytes * word, wordBytes bits) | io.bus.w.strb
      }
      burst.address := burst.next
      ends := io.bus.w.last
      when(burst.leaves || io.bus.w.last) {
        writes := True
        asks := True
        gives := True
      }
    }
    /** The address has moved on by then. */
    val at = RegNextWhen(burst.address, io.bus.w.fire)
    aw.valid := asks
    burst.ask(aw.payload)
    aw.addr.removeAssignments() := at(c.memBits - 1 downto 6) @@ U(0, 6 bits)
    w.valid := gives
    w.data := line
    w.strb := strobes
    w.last := True
    b.ready := True
    when(aw.fire)(asks := False)
    when(w.fire)(gives := False)
    when(b.fire) {
      writes := False
      strobes := 0
      resp := resp | b.resp
    }
    io.bus.b.valid := ends && !writes
    io.bus.b.id := burst.kept.id
    io.bus.b.resp := resp
    when(io.bus.b.fire) {
      burst.busy := False
      ends := False
      resp := 0
    }
  }
}

object DramWindow {
  val DATA_BITS = 128
  val ID_BITS: Int = MemoryBus.PORT_ID_BITS
  /** As Zynq's masters to the fabric have it: 128 bits of data, 16 of id. */
  def busConfig(c: CBoardConfig): Axi4Config = Axi4Config(
    addressWidth = c.memBits,
    dataWidth = DATA_BITS,
    idWidth = 16,
    useRegion = false,
    useLock = false,
    useCache = false,
    useQos = false,
    useProt = false
  )
}
