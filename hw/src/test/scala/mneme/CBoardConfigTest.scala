package mneme

import org.scalatest.funsuite.AnyFunSuite

import java.nio.file.{Files, Path}
import scala.util.Random

/** Parameters are refused in words, random legal ones generate, and each has an effect. */
class CBoardConfigTest extends AnyFunSuite {
  private val tiny = CBoardConfig.tiny

  test("what a board cannot be is said in words") {
    val wrong: Seq[(String, () => CBoardConfig)] = Seq(
      "page size" -> (() => tiny.copy(pageBits = 17)),
      "16 pages" -> (() => tiny.copy(memBits = 20)),
      "slots per page" -> (() => tiny.copy(slotsLog2 = 7)),
      "power of two of sets" -> (() => tiny.copy(tlbEntries = 6)),
      "TLB ways" -> (() => tiny.copy(tlbWays = 9)),
      "larger than a page table" -> (() => tiny.copy(tlbEntries = 128)),
      "TLB misses" -> (() => tiny.copy(misses = 33)),
      "filter sets" -> (() => tiny.copy(filterSetsLog2 = 0)),
      "filter ways" -> (() => tiny.copy(filterWays = 17)),
      "async buffer" -> (() => tiny.copy(asyncDepth = 1)),
      "async buffer of 256 pages is outside 2 to 255, to which high-water marks count" -> (() => tiny.copy(asyncDepth = 256)),
      "zeroing queue" -> (() => tiny.copy(zeroQueueDepth = 1)),
      "power of two" -> (() => tiny.copy(packetSlots = 12)),
      "256 packet slots: a power of two from 4 to 128 is needed, since high-water marks count to 255" -> (() => tiny.copy(packetSlots = 256)),
      "MTU" -> (() => tiny.copy(mtu = 9001)),
      "tick" -> (() => tiny.copy(tickLog2 = 3)),
      "larger pages or more slots" -> (() => tiny.copy(pageBits = 18, memBits = 44, slotsLog2 = 0))
    )
    for ((words, make) <- wrong) {
      val refusal = intercept[IllegalArgumentException](make())
      assert(refusal.getMessage.contains(words), refusal.getMessage)
    }
  }

  /** The Verilog of a configuration, its name left out. */
  private def verilog(folder: Path, c: CBoardConfig): String = {
    Generate.config(folder.toString).generateVerilog(CBoard(c))
    val file = folder.resolve(s"CBoard_${c.name}.v")
    try Files.readString(file).replace(s"CBoard_${c.name}", "CBoard")
    finally Files.delete(file)
  }

  test("every parameter has an effect, and the text is the same every time") {
    val folder = Files.createTempDirectory("rtl")
    val base = verilog(folder, tiny)
    assert(verilog(folder, tiny.copy(name = "again")) == base)
    val changed = Seq(
      tiny.copy(pageBits = 19),
      tiny.copy(memBits = 25),
      tiny.copy(slotsLog2 = 3),
      tiny.copy(tlbEntries = 8),
      tiny.copy(tlbEntries = 8, tlbWays = 4),
      tiny.copy(misses = 3),
      tiny.copy(filterSetsLog2 = 3),
      tiny.copy(filterWays = 3),
      tiny.copy(asyncDepth = 5),
      tiny.copy(zeroQueueDepth = 5),
      tiny.copy(packetSlots = 8),
      tiny.copy(mtu = 1400),
      tiny.copy(tickLog2 = 7),
      tiny.copy(simulated = false)
    )
    for (c <- changed) assert(verilog(folder, c) != base, s"$c")
    Files.delete(folder)
  }

  test("the largest queues generate, and random legal configurations") {
    val folder = Files.createTempDirectory("rtl")
    assert(verilog(folder, tiny.copy(name = "deep", asyncDepth = 255, zeroQueueDepth = 1024, packetSlots = 128)).contains("module CBoard "))
    val r = new Random(20)
    for (i <- 0 until 6) {
      val c = DrawnConfig(s"random$i", r, simulated = false)
      assert(verilog(folder, c).contains("module CBoard "), s"$c")
    }
    Files.delete(folder)
  }
}
