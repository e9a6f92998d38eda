package mneme.filter

import mneme.CBoardConfig
import spinal.core._
import spinal.lib._

/** What an operation was: written once, when its entry is made. */
case class FilterKey() extends Bundle {
  val srcIp = Bits(32 bits)
  val srcPort = Bits(16 bits)
  val opId = Bits(32 bits)
  val pid = UInt(24 bits)
  val time = UInt(24 bits)
  val digest = Bits(32 bits)
}

/** States of an entry. */
object FilterState {
  val FREE = 0
  val PENDING = 1
  val DONE = 2
  val RELEASED = 3
}

/** Where an entry stands. */
case class FilterProgress() extends Bundle {
  val state = UInt(2 bits)
  /** The attempt that is pending or ended. */
  val attempt = UInt(8 bits)
  /** Status code of a released one. */
  val status = Bits(5 bits)
}

/** One choice's entries, in three memories by who writes them: keys on insert, progress on every change, results by updates.
  *
  * One synchronous read port for keys and progress, one for results. A read in the cycle of a write to the same place sees the old word;
  * [[RetryFilter]] never depends on it. The address of an entry is {set, way}.
  */
case class FilterBank(c: CBoardConfig) extends Area {
  val addressBits: Int = c.filterSetsLog2 + log2Up(c.filterWays)
  private val keys = Mem(FilterKey(), 1 << addressBits)
  private val progresses = Mem(FilterProgress(), 1 << addressBits)
  private val results = Mem(Bits(64 bits), 1 << addressBits)

  /** Address of keys and progress to read; the words follow one cycle later. */
  val readAddress = UInt(addressBits bits)
  val key: FilterKey = keys.readSync(readAddress)
  val progress: FilterProgress = progresses.readSync(readAddress)
  val resultAddress = UInt(addressBits bits)
  val result: Bits = results.readSync(resultAddress)

  /** One write port each. */
  val keyWrite = Flow(FilterKey())
  val progressWrite = Flow(FilterProgress())
  val resultWrite = Flow(Bits(64 bits))
  val writeAddress = UInt(addressBits bits)
  keys.write(writeAddress, keyWrite.payload, keyWrite.valid)
  progresses.write(writeAddress, progressWrite.payload, progressWrite.valid)
  results.write(writeAddress, resultWrite.payload, resultWrite.valid)
}
