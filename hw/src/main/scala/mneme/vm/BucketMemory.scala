package mneme.vm

import mneme.{CBoardConfig, MemoryBus}
import mneme.wire.Wire
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** A bucket of eight entries, as memory gave it. */
case class Bucket() extends Bundle {
  val data = Bits(512 bits)
  val error = Bool()
}

/** The end of a write: for whom (as in [[WalkRequest]]), and whether memory reported an error. */
case class Written(c: CBoardConfig) extends Bundle {
  val asker = UInt(Walker.askerBits(c) bits)
  val error = Bool()
}

/** Reads buckets and writes single entries, each in order, many at a time. Whether a read may pass a write is its asker's business. */
case class BucketMemory(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val read = slave Stream (UInt(c.bucketBits bits))
    val bucket = master Flow (Bucket())
    val write = slave Stream (EntryWrite(c))
    val written = master Flow (Written(c))
    val mem = master(Axi4(MemoryBus.config(c)))
  }

  private def address(bucket: UInt): UInt = (bucket @@ U(0, 6 bits)).resize(c.memBits bits)
  private def single(ax: Axi4Ax, bucket: UInt): Unit = {
    ax.id := 0
    ax.len := 0
    ax.size := 6
    ax.setBurstINCR()
    ax.addr := address(bucket)
  }

  io.mem.ar.arbitrationFrom(io.read)
  single(io.mem.ar.payload, io.read.payload)
  // Always taken: whoever waits for other data at the same port must not wait for us.
  io.mem.r.ready := True
  io.bucket.valid := RegNext(io.mem.r.fire) init False
  io.bucket.data := RegNext(io.mem.r.data)
  io.bucket.error := RegNext(!io.mem.r.isOKAY())

  // Room for two writes of each asker, and none has more in flight.
  private val askers = StreamFifo(UInt(Walker.askerBits(c) bits), 2 << Walker.askerBits(c), latency = 1)
  askers.io.push.valid := io.write.fire
  askers.io.push.payload := io.write.asker
  // Each ends at registers, for behind them are all masters of the memory port; and addresses run ahead of data, which waits for others'.
  private val (toAddresses, toData) = StreamFork2(io.write)
  private val addresses = toAddresses.m2sPipe()
  private val queue = StreamFifo(EntryWrite(c), BucketMemory.ahead, latency = 1)
  queue.io.push << toData
  private val data = queue.io.pop
  io.mem.aw.arbitrationFrom(addresses)
  single(io.mem.aw.payload, addresses.bucket)
  io.mem.w.arbitrationFrom(data)
  io.mem.w.data := Seq.fill(Wire.BUCKET_ENTRIES)(data.entry).asBits()
  io.mem.w.strb := Cat(data.slot.asBools.map(chosen => B(8 bits, default -> chosen)))
  io.mem.w.last := True

  io.mem.b.ready := True
  askers.io.pop.ready := io.mem.b.fire
  io.written.valid := io.mem.b.fire
  io.written.asker := askers.io.pop.payload
  io.written.error := !io.mem.b.isOKAY()
}

object BucketMemory {

  /** Writes whose address may have left before the data. */
  val ahead = 8
}
