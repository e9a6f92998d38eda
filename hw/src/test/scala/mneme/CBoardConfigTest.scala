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
      "second of two doors" -> (() => tiny.copy(rdma = 16)),
      "beside a traffic generator" -> (() => CBoardConfig.doors.copy(rdma = 16)),
      "rdma: a RoCEv2 port of 3 queue pairs" -> (() => tiny.copy(doors = 2, rdma = 3)),
      "rdma: a RoCEv2 port of 8192 queue pairs" -> (() => tiny.copy(doors = 2, rdma = 8192)),
      "leaf: a leaf unit's registers lie behind a RoCEv2 port's" -> (() => tiny.copy(leaf = true)),
      "leaf: entries of pages of 2^18 bytes" -> (() => CBoardConfig.rdma.copy(pageBits = 18)),
      "leaf: memory of 2^40 bytes" -> (() => CBoardConfig.rdma.copy(pageBits = 24, memBits = 40)),
      "leaf: an MTU of 9000" -> (() => CBoardConfig.rdma.copy(mtu = 9000, packetSlots = 16)),
      "chains: 16 chain queue pairs: a power of two from 2 to 1,024 is needed beside a leaf unit" -> (() => tiny.copy(doors = 2, rdma = 16, chains = 16)),
      "chains: 12 chain queue pairs" -> (() => CBoardConfig.rdma.copy(chains = 12)),
      "larger pages or more slots" -> (() => tiny.copy(pageBits = 18, memBits = 44, slotsLog2 = 0))
    )
    for ((words, make) <- wrong) {
      val refusal = intercept[IllegalArgumentException](make())
      assert(refusal.getMessage.contains(words), refusal.getMessage)
    }
  }

  test("a refusal begins with the field that it is about") {
    val wrong: Seq[(String, Map[String, String])] = Seq(
      "pageBits" -> Map("pageBits" -> "17"),
      "memBits" -> Map("memBits" -> "45"),
      "slotsLog2" -> Map("slotsLog2" -> "7"),
      "tlbEntries" -> Map("tlbEntries" -> "7"),
      "tlbWays" -> Map("tlbWays" -> "1"),
      "misses" -> Map("misses" -> "1"),
      "filterSetsLog2" -> Map("filterSetsLog2" -> "15"),
      "filterWays" -> Map("filterWays" -> "0"),
      "asyncDepth" -> Map("asyncDepth" -> "256"),
      "zeroQueueDepth" -> Map("zeroQueueDepth" -> "1"),
      "packetSlots" -> Map("packetSlots" -> "12"),
      "mtu" -> Map("mtu" -> "9001"),
      "tickLog2" -> Map("tickLog2" -> "3"),
      "doors" -> Map("doors" -> "5"),
      "traffic" -> Map("traffic" -> "true"),
      "rdma" -> Map("rdma" -> "16"),
      "rdma" -> Map("doors" -> "2", "rdma" -> "3"),
      "leaf" -> Map("leaf" -> "true"),
      "leaf" -> Map("doors" -> "2", "rdma" -> "16", "leaf" -> "true"),
      "chains" -> Map("chains" -> "16"),
      "burstPlaces" -> Map("burstPlaces" -> "7"),
      "readBeats" -> Map("readBeats" -> "1"),
      "memories" -> Map("memories" -> "paper"),
      "misses" -> Map("misses" -> "eight"),
      "trailers" -> Map("trailers" -> "1"),
      "tlbEntrys" -> Map("tlbEntrys" -> "8")
    )
    for ((field, fields) <- wrong) {
      val refusal = intercept[IllegalArgumentException](OwnConfig("own", Some("tags"), fields))
      assert(refusal.getMessage.stripPrefix("requirement failed: ").startsWith(s"$field: "), refusal.getMessage)
    }
    val base = intercept[IllegalArgumentException](OwnConfig("own", Some("tagz"), Map.empty))
    assert(base.getMessage.contains("there is no configuration 'tagz': there are tiny, sim"), base.getMessage)
  }

  test("an own configuration is its base with all its fields set at once") {
    // Neither field alone is legal on top of this base.
    val own = OwnConfig("own", Some("tiny"), Map("tlbEntries" -> "12", "tlbWays" -> "6", "trailers" -> "true"))
    assert(own == tiny.copy(name = "own", tlbEntries = 12, tlbWays = 6, trailers = true))
    for (kept <- CBoardConfig.all) assert(OwnConfig(kept.name, Some(kept.name), Map.empty) == kept)
    assert(OwnConfig("own", None, Map("memBits" -> "29")) == CBoardConfig("own", memBits = 29))
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
    for (c <- Simulation.some(changed)) assert(verilog(folder, c) != base, s"$c")
    val rdma = CBoardConfig.rdma.copy(name = "leaf")
    val whole = verilog(folder, rdma)
    for (c <- Seq(rdma.copy(leaf = false, chains = 0), rdma.copy(chains = 16), rdma.copy(chains = 0))) assert(verilog(folder, c) != whole, s"$c")
    for ((c, words) <- Seq(rdma.copy(doors = 3) -> "doors: the door of frames comes with chains", rdma.copy(packetSlots = 16) -> "packetSlots: chains need")) {
      val refusal = intercept[IllegalArgumentException](verilog(folder, c))
      assert(refusal.getMessage.contains(words), refusal.getMessage)
    }
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
