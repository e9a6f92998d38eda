package mneme.rdma

import mneme.wire.Wire
import spinal.core._
import spinal.lib._

/** A process that has queue pairs. */
case class RoceProcess(r: RoceConfig) extends Bundle {
  val pid = UInt(Wire.PID_BITS bits)
  val pairs = UInt(r.queuePairBits + 1 bits)
}

/** Which queue pairs are of one process: a small number, its *share*, stands for it wherever something is counted for each process or queued by process.
  *
  * An example. The slow path makes the first queue pair of process 7. No row has 7, row 3 is the first one that nobody has: it is of process 7 now, and has one
  * queue pair. The second one finds it. When both are gone row 3 is free.
  *
  * A search takes a cycle for each row, up to the process's own; the responder works on meanwhile. There are as many rows as queue pairs, so there is always
  * one for a queue pair that finds its own place free.
  */
case class RoceShares(r: RoceConfig) extends Component {
  val io = new Bundle {
    /** A queue pair of `pid` is to be made: `share` is its share when `found` holds, until the command `ends`. */
    val seeks = in Bool ()
    val pid = in UInt (Wire.PID_BITS bits)
    val found = out Bool ()
    val share = out UInt (r.queuePairBits bits)
    val ends = in Bool ()
    /** It is made. */
    val takes = in Bool ()
    /** A queue pair of `of` is gone; `of` is told a cycle before, too. */
    val gives = in Bool ()
    val of = in UInt (r.queuePairBits bits)
    /** After a reset: a row of no process. */
    val clear = slave Flow (UInt(r.queuePairBits bits))
  }
  private val rows = Mem(RoceProcess(r), r.queuePairs)
  val found = RegInit(False)
  private val next = Reg(UInt(r.queuePairBits + 1 bits)) init 0
  private val searches = io.seeks && !found
  private val row = rows.readSync(searches ? next.resize(r.queuePairBits) | io.of)
  private val looked = RegNext(searches && !next.msb) init False
  private val at = RegNext(next.resize(r.queuePairBits))

  private val share = Reg(UInt(r.queuePairBits bits))
  private val pairs = Reg(UInt(r.queuePairBits + 1 bits))
  /** A row of nobody has been seen. */
  private val some = RegInit(False)
  private val own = row.pairs =/= 0 && row.pid === io.pid
  when(searches) {
    when(!next.msb)(next := next + 1)
    when(looked) {
      when(own || (row.pairs === 0 && !some)) {
        share := at
        pairs := row.pairs
        some := True
      }
      found setWhen (own || at.andR)
    }
  }
  when(io.ends) {
    found := False
    some := False
    next := 0
  }
  io.found := found
  io.share := share

  private val written = RoceProcess(r)
  private val where = CombInit(share)
  written.pid := io.pid
  written.pairs := pairs + 1
  when(io.gives) {
    written.pid := row.pid
    written.pairs := row.pairs - 1
    where := io.of
  }
  when(io.clear.valid) {
    written.pairs := 0
    where := io.clear.payload
  }
  rows.write(where, written, io.takes || io.gives || io.clear.valid)
}
