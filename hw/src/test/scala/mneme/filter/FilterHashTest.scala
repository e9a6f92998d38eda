package mneme.filter

import mneme.{CBoardConfig, HeaderFields, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import scala.util.Random

/** All hashes of a request, for comparison with software. */
class FilterHashes(c: CBoardConfig) extends Component {
  val request = in(HeaderFields())
  val sets = out(FilterHash(c, request, True))
  val fingerprint = out(FilterHash.fingerprint(request))
  val proven = in(Bool())
  val group = out(FilterHash.group(c, request, True, None))
  val groupOfClass = out(FilterHash.group(c, request, True, Some(proven)))
}

class FilterHashTest extends AnyFunSuite {
  private val shape = CBoardConfig.zcu106

  test("the CRC is CRC-32C") {
    // Check value of the CRC catalogue; the second is RFC 3720, B.4: 32 bytes of zeros.
    assert(Crc32c.software("123456789".map(_.toInt)) == 0xe3069283L)
    assert(Crc32c.software(Seq.fill(32)(0)) == 0x8a9136aaL)
  }

  test("the circuits give what software gives") {
    Simulation.config.compile(new FilterHashes(shape)).doSim(1) { dut =>
      val r = new Random(1)
      for (_ <- 0 until 2000) {
        val (ip, port, id) = (r.nextInt().toLong & 0xffffffffL, r.nextInt(1 << 16), r.nextInt().toLong & 0xffffffffL)
        dut.request.srcIp #= ip
        dut.request.srcPort #= port
        dut.request.opId #= id
        val (pid, proven) = (r.nextInt(1 << 24), r.nextBoolean())
        dut.request.pid #= (if (r.nextInt(4) == 0) pid & 0xfffff else pid)
        dut.proven #= proven
        sleep(1)
        assert((dut.sets(0).toInt, dut.sets(1).toInt) == FilterHash.software(shape.filterSetsLog2, ip, port, id))
        assert(dut.fingerprint.toInt == FilterHash.softwareFingerprint(ip, port, id))
        // So that one parity does for both.
        assert(dut.fingerprint.toBigInt.bitCount % 2 == (BigInt(ip).bitCount + BigInt(port).bitCount + BigInt(id).bitCount) % 2)
        assert(dut.group.toInt == FilterHash.softwareGroup(shape, ip))
        val of = Option.when(proven)(dut.request.pid.toInt >> 20)
        assert(dut.groupOfClass.toInt == FilterHash.softwareGroup(shape, ip, of))
      }
    }
  }

  test("classes that are proved have the upper half of the groups, addresses of class 0 the lower one") {
    for (c <- Seq(shape, CBoardConfig.tiny)) {
      val groups = 1 << FilterHash.groupBits(c)
      val ips = (0 until 1000).map(_.toLong)
      assert(ips.map(FilterHash.softwareGroup(c, _, Some(0))).toSet == (0 until groups / 2).toSet)
      for (of <- 1 to 15) assert(ips.map(FilterHash.softwareGroup(c, _, Some(of))).toSet == Set(groups / 2 + of % (groups / 2)))
      assert(ips.map(FilterHash.softwareGroup(c, _)).toSet == (0 until groups).toSet)
    }
  }

  /** Operations that find no room when each goes to the emptier of its two sets, of so many that fill the filter to `load`. */
  private def refused(load: Double, keys: Iterator[(Long, Int, Long)]): Int = {
    val used = Array.fill(2, 1 << shape.filterSetsLog2)(0)
    keys.take((load * shape.filterEntries).toInt).count { case (ip, port, id) =>
      val (first, second) = FilterHash.software(shape.filterSetsLog2, ip, port, id)
      val bank = if (used(1)(second) < used(0)(first)) 1 else 0
      val set = if (bank == 1) second else first
      val full = used(bank)(set) == shape.filterWays
      if (!full) used(bank)(set) += 1
      full
    }
  }
  private def oneSource(start: Long) = Iterator.from(0).map(i => (0x0a000001L, 40000, (start + i) & 0xffffffffL))
  private def equalIds(id: Long) = Iterator.from(0).map(i => (0x0a000000L + i % 16, 1024 + i / 16, id))
  private def manyClients(r: Random) = {
    val clients = Seq.fill(1000)((0x0a000000L + r.nextInt(256), 32768 + r.nextInt(28232), r.nextInt().toLong & 0xffffffffL))
    Iterator.from(0).map { i =>
      val (ip, port, id) = clients(i % 1000); (ip, port, (id + i / 1000) & 0xffffffffL)
    }
  }

  test("a run of one source's ids fills all entries, and none is refused before") {
    for (start <- Seq(0L, 0xfffffff0L, 123456789L)) assert(refused(1.0, oneSource(start)) == 0)
  }

  test("equal ids of many sources, many clients counting, and random keys are not refused up to three quarters of all entries") {
    for (seed <- 1 to 5) {
      val r = new Random(seed)
      assert(refused(0.75, equalIds(seed * 77L)) == 0)
      assert(refused(0.75, manyClients(r)) == 0)
      // Two random choices of 8 ways refuse 0.9% when operations leave again and the load stays at 75%; filling up is easier.
      val keys = Iterator.continually((r.nextInt().toLong & 0xffffffffL, r.nextInt(65536), r.nextInt().toLong & 0xffffffffL))
      assert(refused(0.75, keys) <= shape.filterEntries / 500)
    }
  }
}
