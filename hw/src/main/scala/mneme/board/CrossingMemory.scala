package mneme.board

import spinal.core._
import spinal.lib._

/** A memory that one clock writes and another one reads: words of `width` bits in `lanes` lanes, a row of which is read at once, one cycle later.
  *
  * It has no registers of its own on the way. What is read was written before its address came over, by a [[CrossingWord]], so no path between the clocks
  * is ever looked at; it must be block RAM, whose ports have a clock each.
  */
case class CrossingMemory(width: Int, lanes: Int, rows: Int, from: ClockDomain, to: ClockDomain) extends Crossing {
  private val addressBits = log2Up(rows)
  val io = new Bundle {
    val write = slave(Flow(MemoryWrite(width * lanes, lanes, addressBits)))
    val read = slave(Flow(UInt(addressBits bits)))
    val row = out Bits (width * lanes bits)
  }
  private val memories = for (lane <- 0 until lanes) yield {
    val memory = Mem(Bits(width bits), rows).setName(s"lane_$lane")
    memory.addAttribute("ram_style", "block")
    new ClockingArea(Crossing.unreset(from)) {
      memory.write(io.write.row, io.write.data(width * lane, width bits), io.write.valid && io.write.mask(lane))
    }
    memory
  }
  private val reader = new ClockingArea(Crossing.unreset(to)) {
    val row = memories.map(_.readSync(io.read.payload, io.read.valid, clockCrossing = true)).asBits()
  }
  io.row := reader.row
}

case class MemoryWrite(width: Int, lanes: Int, addressBits: Int) extends Bundle {
  val row = UInt(addressBits bits)
  val mask = Bits(lanes bits)
  val data = Bits(width bits)
}
