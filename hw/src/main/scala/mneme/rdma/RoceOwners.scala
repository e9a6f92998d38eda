package mneme.rdma

import spinal.core._
import spinal.lib._

/** Numbers of those who have packets at the port: shares of processes with queue pairs, shares of processes with chains, and two for packets that are nobody's,
  * one for each kind of queue pair that they name.
  */
case class ArrivalShares(pairs: Int = 1024, chains: Int = 0) {
  require(chains <= pairs, s"a port of $pairs queue pairs has as many chains at most, not $chains")
  val bits: Int = log2Up(pairs + chains + 2)
  /** Rows of queue pairs, then as many places of chains as there are, if there are any. */
  val rows: Int = pairs + chains
  val rowBits: Int = log2Up(rows)

  def isChain(qpn: UInt): Bool = if (chains > 0) qpn(RoceConfig.CHAIN_BIT) else False
  def row(qpn: UInt): UInt = {
    val own = qpn.resize(log2Up(pairs)).resize(rowBits)
    if (chains > 0) isChain(qpn) ? (U(pairs, rowBits bits) | qpn.resize(log2Up(chains)).resize(rowBits)) | own else own
  }
  def nobody(chain: Bool): UInt = {
    val own = U(pairs + chains, bits bits)
    if (chains > 0) chain ? U(pairs + chains + 1, bits bits) | own else own
  }
  /** Of a chain's share, as chains number them. */
  def ofChain(share: UInt): UInt = U(pairs, bits bits) | share.resized
}

/** A queue pair, whose packets these are: those that come from its peer. */
case class RoceOwner(shares: ArrivalShares) extends Bundle {
  /** It is there. */
  val valid = Bool()
  val qpn = UInt(24 bits)
  val peerIp = Bits(32 bits)
  val share = UInt(shares.bits bits)
}

/** Of each queue pair its peer and its process's share, for who shares places among packets that come: he knows them before they are judged.
  *
  * Rows are emptied after a reset; until then every packet is nobody's.
  */
case class RoceOwners(shares: ArrivalShares) extends Component {
  val io = new Bundle {
    /** A queue pair is made, or is there no more. */
    val changes = slave(Flow(RoceOwner(shares)))
    /** The queue pair's number of a packet; `owner` is the row a cycle later, until the next is asked for. */
    val asked = slave(Flow(UInt(24 bits)))
    val owner = out(RoceOwner(shares))
    val ready = out Bool ()
  }
  private val rows = Mem(RoceOwner(shares), shares.rows)
  private val sweep = Reg(UInt(log2Up(shares.rows) + 1 bits)) init 0
  io.ready := sweep >= shares.rows
  when(!io.ready)(sweep := sweep + 1)

  private val written = CombInit(io.changes.payload)
  when(!io.ready)(written.valid := False)
  rows.write(io.ready ? shares.row(io.changes.qpn) | sweep.resize(shares.rowBits), written, io.changes.valid || !io.ready)
  io.owner := rows.readSync(shares.row(io.asked.payload), io.asked.valid)
  io.owner.valid.allowOverride()
}
