package mneme.rdma

import mneme.Faults
import spinal.core._
import spinal.lib._

/** A sound packet in a place of the store. */
case class ArrivalPlace(slots: Int, shares: ArrivalShares) extends Bundle {
  val slot = UInt(log2Up(slots) bits)
  val share = UInt(shares.bits bits)
  /** It leaves by the port of chains. */
  val chain = (shares.chains > 0) generate Bool()
  def way: UInt = if (shares.chains > 0) chain.asUInt else U(0, 1 bits)
}

/** Whose packet comes out next: shares in turn, and of each share its packets in the order in which they came. And who may have a place.
  *
  * An example. Share 7 has 20 packets that wait, share 3 has one, which came last. Next come out one of 7, that of 3, the second one of 7. A packet of 3 that
  * comes finds a place: of 32 places 7 may have 21. A share may have as many as twice the places that are free, those that are being served among its own.
  *
  * A packet has one place of `slots` until `gone`. A list is a chain of places by their numbers, and a share that has one stands in the queue of its way with
  * its list's first place. Which list is a packet's is found by comparing its share with those of all places, of which each list has one that is its last.
  *
  * | a packet that comes | cycle |
  * |---|---|
  * | its share is compared; where nobody waits it is the one that comes out | 0 |
  * | it is refused, or stands in its list | 1 |
  */
case class ArrivalTurns(slots: Int, shares: ArrivalShares, planted: Faults[RoceFault.Value] = Faults.none) extends Component {
  private val slotBits = log2Up(slots)
  private val ways = if (shares.chains > 0) 2 else 1
  val io = new Bundle {
    /** One in each cycle at most. */
    val comes = slave(Flow(ArrivalPlace(slots, shares)))
    /** The packet of the cycle before has no place: its share has as many as it may. */
    val refused = out Bool ()
    /** Ways that packets leave by. */
    val leaves = Vec(master(Stream(UInt(slotBits bits))), ways)
    /** Who has a packet needs its place no more. */
    val gone = slave(Flow(UInt(slotBits bits)))
  }
  private def bit(slot: UInt, on: Bool): Bits = UIntToOh(slot, slots).andMask(on)

  /** Places of packets that have come, were not refused and are not gone; the last ones of lists; whose each is. */
  val held, lasts = Reg(Bits(slots bits)) init 0
  private val owners = Vec.fill(slots)(Reg(UInt(shares.bits bits)))
  private val free = Reg(UInt(log2Up(slots + 1) bits)) init slots
  private val behind = Mem(UInt(slotBits bits), slots).addAttribute("ram_style", "distributed")

  /** A packet comes. */
  private val comes = new Area {
    val valid = io.comes.valid
    val p = io.comes.payload
    private val share = planted.choose(RoceFault.SharesIgnored, wrong = U(0, shares.bits bits), right = p.share)
    val same = B(owners.map(_ === share))
    /** Places of its share, six in a sum. */
    val sums = (same & held).asBools.grouped(6).map(CountOne(_)).toSeq
    val passes = Bool()
    for ((owner, i) <- owners.zipWithIndex) when(valid && p.slot === i)(owner := share)
  }

  /** The same packet a cycle later, if it did not come out at once. */
  private val links = new Area {
    val valid = RegNext(comes.valid && !comes.passes) init False
    val p = RegNext(comes.p)
    private val same = RegNext(comes.same)
    private val own = comes.sums.map(RegNext(_)).reduceBalancedTree(_ +^ _)
    /** What is free does not count its own place. */
    private val most = free @@ U(0, 1 bits)
    io.refused := valid && own > most && planted.choose(RoceFault.BoundIgnored, wrong = False, right = True)
    val goes = valid && !io.refused
    private val found = lasts & same
    val last = OHToUInt(found)
    /** Its list comes to an end in this cycle, and is no more. */
    val over = Bool()
    val joins = found.orR && !planted.choose(RoceFault.EndMissed, wrong = False, right = over)
    behind.write(last, p.slot, goes && joins)
    val begins = goes && !joins
    val noMore = found.andMask(goes && planted.choose(RoceFault.LastKept, wrong = False, right = True))
    val becomes = bit(p.slot, goes)
  }

  /** What leaves by one way. */
  private class Way(number: Int) extends Area {
    private def own(p: ArrivalPlace): Bool = p.way === number
    val shown = Reg(Flow(UInt(slotBits bits)))
    shown.valid init False
    io.leaves(number).valid := shown.valid
    io.leaves(number).payload := shown.payload
    private val empties = !shown.valid || io.leaves(number).ready

    /** First places of the lists that wait for their turn. */
    private val queue = StreamFifo(UInt(slotBits bits), slots, latency = 1)
    private val first = queue.io.pop.payload
    /** Of the list that had its turn: it stands in the queue again, behind one that begins now. */
    private val again = Reg(Flow(UInt(slotBits bits)))
    again.valid init False
    val fetches = empties && queue.io.pop.valid && !again.valid
    val ends = fetches && lasts(first)
    val fetched = first
    private val begins = links.begins && own(links.p)
    queue.io.pop.ready := empties && !again.valid
    queue.io.push.valid := begins || again.valid
    queue.io.push.payload := begins ? links.p.slot | again.payload
    when(!begins)(again.valid := False)
    when(fetches) {
      again.valid := !ends
      again.payload := behind.readAsync(first)
    }
    private val nobody = !queue.io.pop.valid && !again.valid && !(links.valid && own(links.p))
    val passes = empties && planted.choose(RoceFault.Overtaken, wrong = !queue.io.pop.valid && !again.valid, right = nobody) && own(comes.p)
    when(io.leaves(number).ready)(shown.valid := False)
    when(fetches) {
      shown.valid := True
      shown.payload := first
    }
    when(comes.valid && passes) {
      shown.valid := True
      shown.payload := comes.p.slot
    }
  }
  private val exits = Seq.tabulate(ways)(new Way(_))
  comes.passes := exits.map(_.passes).orR
  links.over := exits.map(o => o.ends && o.fetched === links.last).orR

  private val came = bit(io.comes.slot, comes.valid)
  private val went = bit(io.gone.payload, io.gone.valid)
  held := (held | came) & ~went & ~bit(links.p.slot, io.refused)
  free := free - comes.valid.asUInt + io.gone.valid.asUInt + io.refused.asUInt
  lasts := (lasts & ~links.noMore & ~exits.map(o => bit(o.fetched, o.ends)).reduce(_ | _)) | links.becomes
}
