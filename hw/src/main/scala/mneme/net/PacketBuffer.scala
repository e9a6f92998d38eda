package mneme.net

import mneme.{apart, CBoardConfig, PacketReadPort}
import spinal.core._
import spinal.lib._

/** The packet slots: their memory, the list of free ones, and the read port that several users share.
  *
  * A slot leaves through `free` and comes back through one of `releases`; whoever holds it in between owns its beats.
  */
case class PacketBuffer(c: CBoardConfig, readers: Int, releasers: Int) extends Component {
  private def slotType = UInt(log2Up(c.packetSlots) bits)

  val io = new Bundle {
    val write = slave(Flow(PacketWrite(c)))
    val free = master(Stream(slotType))
    val releases = Vec(slave(Stream(slotType)), releasers)
    /** A slot has come back. */
    val returned = master(Flow(slotType))
    val reads = Vec(slave(PacketReadPort(c)), readers)
    /** The first 16 bytes of a slot's second beat, in the cycle after the question. */
    val operandsOf = in(slotType)
    val operands = out Bits (128 bits)
  }

  private val memory = Mem(Bits(512 bits), c.packetSlots * c.slotBeats)
  // Eight UltraRAMs hold 4,096 beats, and no block RAM is taken from others.
  memory.addAttribute("ram_style", c.memories)
  if (c.smallLutRam) apart(memory)
  memory.write(
    address = io.write.slot @@ io.write.beat,
    data = io.write.data,
    enable = io.write.valid
  )

  /** The operands of atomics once more, so that they need not wait for the payloads of writes. */
  private val operands = Mem(Bits(128 bits), c.packetSlots).addAttribute("ram_style", "distributed")
  operands.write(address = io.write.slot, data = io.write.data(127 downto 0), enable = io.write.valid && io.write.beat === 1)
  io.operands := RegNext(operands.readAsync(io.operandsOf))

  val read = new Area {
    val arbiter = StreamArbiterFactory().roundRobin.buildOn(io.reads.map(_.cmd))
    arbiter.io.output.ready := True
    val data = memory.readSync(
      address = arbiter.io.output.slot @@ arbiter.io.output.beat,
      enable = arbiter.io.output.valid
    )
    for ((port, i) <- io.reads.zipWithIndex) {
      port.rsp.valid := RegNext(port.cmd.fire) init False
      port.rsp.payload := data
    }
  }

  val slots = new Area {
    val fifo = StreamFifo(slotType, c.packetSlots, latency = 1)
    fifo.io.pop >> io.free
    val returned = StreamArbiterFactory().roundRobin.on(io.releases)
    // After reset the list waits a cycle for each slot, so that memories with a word for each can be cleared before any is handed out. Then it
    // fills itself, one slot a cycle.
    val issued = Reg(UInt(log2Up(c.packetSlots) + 2 bits)) init 0
    val booting = !issued.msb
    val fills = booting && issued(log2Up(c.packetSlots))
    fifo.io.push.valid := fills || returned.valid
    fifo.io.push.payload := booting ? issued.resize(widthOf(slotType)) | returned.payload
    returned.ready := !booting
    io.returned << returned.toFlowFire
    when(booting)(issued := issued + 1)
  }
}
