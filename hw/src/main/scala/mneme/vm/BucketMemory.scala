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

/** Reads buckets and writes single entries, one access at a time.
  *
  * A read is taken only after the answer (B) of every earlier write, so a walk never sees an entry that is about to change.
  */
case class BucketMemory(c: CBoardConfig, planted: PlantedFaults = PlantedFaults.none) extends Component {
  val io = new Bundle {
    val read = slave Stream (UInt(c.bucketBits bits))
    val bucket = master Flow (Bucket())
    val write = slave Stream (EntryWrite(c))

    /** The write has ended; the payload tells of an error. */
    val written = master Flow (Bool())
    val mem = master(Axi4(MemoryBus.config(c)))
  }

  private def address(bucket: UInt): UInt = (bucket @@ U(0, 6 bits)).resize(c.memBits bits)
  private def single(ax: Axi4Ax): Unit = {
    ax.id := 0
    ax.len := 0
    ax.size := 6
    ax.setBurstINCR()
  }

  private val reading, writing = RegInit(False)

  val readPort = new Area {
    val idle = !reading && planted.choose(PlantedFault.WalkOvertakesWrite, wrong = True, right = !writing)
    io.mem.ar.valid := io.read.valid && idle
    io.read.ready := io.mem.ar.ready && idle
    single(io.mem.ar.payload)
    io.mem.ar.addr := address(io.read.payload)
    reading.setWhen(io.mem.ar.fire).clearWhen(io.mem.r.fire)

    io.mem.r.ready := True
    io.bucket.valid := RegNext(io.mem.r.fire) init False
    io.bucket.data := RegNextWhen(io.mem.r.data, io.mem.r.fire)
    io.bucket.error := RegNextWhen(!io.mem.r.isOKAY(), io.mem.r.fire)
  }

  val writePort = new Area {
    val addressSent, dataSent = RegInit(False)
    val command = RegNextWhen(io.write.payload, io.write.fire)
    // A read that waits at AR may not be taken back.
    io.write.ready := !writing && !reading && !io.read.valid
    when(io.write.fire) {
      writing := True
      addressSent := False
      dataSent := False
    }

    io.mem.aw.valid := writing && !addressSent
    single(io.mem.aw.payload)
    io.mem.aw.addr := address(command.bucket)
    addressSent.setWhen(io.mem.aw.fire)

    io.mem.w.valid := writing && !dataSent
    io.mem.w.data := Seq.fill(Wire.BUCKET_ENTRIES)(command.entry).asBits()
    io.mem.w.strb := Cat(command.slot.asBools.map(chosen => B(8 bits, default -> chosen)))
    io.mem.w.last := True
    dataSent.setWhen(io.mem.w.fire)

    io.mem.b.ready := True
    writing.clearWhen(io.mem.b.fire)
    io.written.valid := io.mem.b.fire
    io.written.payload := !io.mem.b.isOKAY()
  }
}
