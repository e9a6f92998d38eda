package mneme.chain

import mneme.CBoardConfig
import mneme.engine.DoorData
import spinal.core._
import spinal.lib._

/** Bytes of a frame of 4 KB that are read or written, 1 to the largest payload. Who asks holds the frame: by an access that it has begun, or as its filler. */
case class FrameToken(c: CBoardConfig) extends Bundle {
  /** The asker's own name for it; no two tokens inside have the same. */
  val context = UInt(c.contextBits bits)
  val writes = Bool()

  /** Physical byte address. The bytes lie inside one frame. */
  val address = UInt(c.memBits bits)
  val length = UInt(16 bits)

  /** Of a write: where the bytes begin among those that the asker keeps for this context. */
  val dataOffset = UInt(8 bits)
}

/** A way to memory behind translation, seen from who uses it: no process, page or right is asked. Data go as at a [[mneme.engine.Door]]. */
case class FrameDoor(c: CBoardConfig) extends Bundle with IMasterSlave {
  val tokens = Stream(FrameToken(c))
  val data = DoorData(c)
  override def asMaster(): Unit = {
    master(tokens)
    slave(data)
  }
}
