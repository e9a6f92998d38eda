package mneme.trailer

import mneme.{Faults, Simulation}
import mneme.net.CountedBeat
import mneme.trailer.TrailerReference._
import spinal.core._
import spinal.core.sim._

import scala.util.Random

/** Frames for the benches of trailers: what counts of them is any bytes. */
object TrailerFrames {
  def any(r: Random, payload: Int, kind: Int, pid: Int, phase: Boolean): Bytes = {
    val bytes = Array.fill(64 + payload)(r.nextInt(256))
    bytes(42) = (1 << 4) | (kind << 2) | (if (phase) 2 else 0) | r.nextInt(2)
    for ((byte, i) <- bigEndian(pid, 3).zipWithIndex) bytes(pidAt + i) = byte
    bytes.toSeq
  }
  private val pidAt = 42 + mneme.wire.Wire.Field.PID._1

  /** Payloads of lengths at which something changes, or any up to `most`. */
  def length(r: Random, most: Int): Int = r.nextInt(4) match {
    case 0 => 0
    case 1 => (64 * r.nextInt(3) + 52 + r.nextInt(14)) min most
    case 2 => r.nextInt(70) min most
    case _ => r.nextInt(most + 1)
  }

  def beats(frame: Bytes): Seq[Bytes] = frame.grouped(64).toSeq

  def drive(port: CountedBeat, r: Random, bytes: Bytes, last: Boolean): Unit = {
    port.data #= number(bytes.padTo(64, 0)) | (BigInt(64 * 8, r) >> (8 * bytes.size) << (8 * bytes.size))
    port.lastByte #= bytes.size - 1
    port.last #= last
  }

  def drive(port: CrcBeat, r: Random, bytes: Bytes, first: Boolean, last: Boolean, headers: Boolean): Unit = {
    port.data #= number(bytes.padTo(64, 0)) | (BigInt(64 * 8, r) >> (8 * bytes.size) << (8 * bytes.size))
    port.lastByte #= bytes.size - 1
    port.first #= first
    port.last #= last
    port.headers #= headers
  }

  def bits(value: Bytes): BigInt = number(value)

  /** A fault that is planted for good, at elaboration. */
  def planted(which: Option[TrailerFault.Value]): Faults[TrailerFault.Value] = new Faults[TrailerFault.Value](None) {
    override def choose[T <: Data](fault: TrailerFault.Value, wrong: => T, right: T): T = if (which.contains(fault)) wrong else right
  }

  def compile[T <: Component](machine: => T): SimCompiled[T] = Simulation.config.compile(machine)
}
