package mneme.vm

import mneme.CBoardConfig
import mneme.wire.Wire
import org.scalatest.funsuite.AnyFunSuite
import spinal.core._
import spinal.core.sim._
import scala.util.Random

/** The index function of every kept configuration, side by side. */
class PageKeys(configs: Seq[CBoardConfig]) extends Component {
  val pid = in UInt (Wire.PID_BITS bits)
  val va = in UInt (Wire.VA_BITS bits)
  val keys = configs.map(c => out(PageKey.of(c, pid, va(Wire.VA_BITS - 1 downto c.pageBits))))
  val sets = configs.zip(keys).map { case (c, key) => out(TlbSet(c, key)) }
}

class PageKeyTest extends AnyFunSuite {
  test("bucket, tag and TLB set are those of the reference, and bucket and tag name the page") {
    VmSim.config.compile(new PageKeys(CBoardConfig.all)).doSim(1) { dut =>
      val random = new Random(1)
      for (_ <- 0 until 5000) {
        val pid = random.nextInt(1 << 24)
        val va = random.nextLong() & 0xffffffffffffL
        dut.pid #= pid
        dut.va #= va
        sleep(1)
        for (((c, key), set) <- CBoardConfig.all.zip(dut.keys).zip(dut.sets)) {
          val geometry = Geometry(c)
          val page = Page(pid, va >> c.pageBits)
          val (bucket, tag) = (key.bucket.toLong, key.tag.toLong)
          assert(set.toInt == TlbSet.software(c, bucket, pid), s"${c.name}: $page")
          assert((bucket, tag) == (geometry.bucket(page), geometry.tag(page)), s"${c.name}: $page")
          assert(geometry.pageOf(bucket, tag) == page, s"${c.name}: $page")
        }
      }
    }
  }
}
