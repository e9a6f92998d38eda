package mneme.mem

import mneme.CBoardConfig
import mneme.engine.Operation
import spinal.core._

/** What an access does to memory; none is set for a token that asks for nothing. */
case class Work() extends Bundle {
  val read, write, atomic = Bool()
}

object Work {
  def of(operation: Operation.C): Work = {
    val work = Work()
    work.read := operation === Operation.read
    work.write := operation === Operation.write
    work.atomic := Operation.isAtomic(operation)
    work
  }
}

/** Bytes of a payload and where they begin within a line of memory. */
case class Extent(c: CBoardConfig) extends Bundle {
  val offset = UInt(6 bits)
  /** Index of the last byte: length less one, which spares every user a subtraction. */
  val lastByte = UInt(log2Up(c.maxPayload) bits)

  /** The last beat of payload ends in the line after the one in which it begins. */
  def spills: Bool = (offset +^ lastByte(5 downto 0)).msb
  /** Index of the last beat of payload, aligned to its first byte. */
  def lastBeat: UInt = lastByte.drop(6).asUInt.resize(8)
}

/** Whose an access is: its door (one-hot), and the replace before which it was translated. */
case class Owner(c: CBoardConfig) extends Bundle {
  val door = Bits(c.doors bits)
  val generation = Bool()
  /** As in [[mneme.vm.SplitPage]]. */
  val epoch = c.leaf generate Bits(2 bits)
}

/** An access in the order of arrival. It lies inside one page. */
case class Access(c: CBoardConfig) extends Bundle {
  val work = Work()
  val owner = Owner(c)
  val address = UInt(c.memBits bits)
  val lastByte = UInt(log2Up(c.maxPayload) bits)
  /** It touches one line alone. */
  val single = Bool()
  /** Of a split page: the block behind the one with its first byte. */
  val next = c.leaf generate UInt(c.memBits - 12 bits)
}

/** A read whose payload is to be handed out. */
case class ReadCommand(c: CBoardConfig) extends Bundle {
  val address = UInt(c.memBits bits)
  val lastByte = UInt(log2Up(c.maxPayload) bits)
  /** As in [[mneme.vm.SplitPage]]; nobody reads it but who tells reads apart. */
  val next = c.leaf generate UInt(c.memBits - 12 bits)

  def extent: Extent = {
    val extent = Extent(c)
    extent.offset := address(5 downto 0)
    extent.lastByte := lastByte
    extent
  }
}

/** A write whose data are to be shifted to the lines of memory. */
case class WriteCommand(c: CBoardConfig) extends Bundle {
  val extent = Extent(c)
  /** Line within the 4 KB block where it begins. */
  val line = UInt(6 bits)
  /** Whose data, and where these begin among the bytes that the door keeps. */
  val place = UInt(c.placeBits bits)
  val dataOffset = UInt(8 bits)
  /** The index of their last beat at the door, from the one with the first byte on: worked out where the command is made, since all who use it are late. */
  val lastFetched = UInt(8 bits)

  /** The data as they lie at the door, in beats of their own alignment. */
  def source: Extent = {
    val source = Extent(c)
    source.offset := dataOffset(5 downto 0)
    source.lastByte := extent.lastByte
    source
  }
  /** The last beat, from the other fields. */
  def findLastFetched(): Unit = lastFetched := source.lastBeat + source.spills.asUInt
}

object AtomicOp extends SpinalEnum {
  val compareSwap, fetchAdd, swap = newElement()
}

/** A read-modify-write of an aligned 8-byte word; its operands lie at the door. */
case class AtomicCommand(c: CBoardConfig) extends Bundle {
  val word = UInt(c.memBits - 3 bits)
  val op = AtomicOp()
  val place = UInt(c.placeBits bits)
}

/** How an atomic ended: the word before, or an error of memory. */
case class AtomicResult() extends Bundle {
  val old = Bits(64 bits)
  val error = Bool()
}

/** The end of an access. */
case class AccessEnd(c: CBoardConfig) extends Bundle {
  val owner = Owner(c)
  val error = Bool()
}

/** One AXI burst: whole lines inside one 4 KB block. */
case class Burst(c: CBoardConfig) extends Bundle {
  val work = Work()
  val owner = Owner(c)
  /** First line. */
  val line = UInt(c.memBits - 6 bits)
  /** Lines less one, as AXI counts. */
  val len = UInt(6 bits)
  /** The last burst of its access. */
  val last = Bool()
}

/** A burst that may go, with its place in the [[OrderGate]]. */
case class StartedBurst(c: CBoardConfig) extends Bundle {
  val burst = Burst(c)
  val place = UInt(log2Up(c.burstPlaces) bits)
}
