package mneme

import spinal.core._
import spinal.lib._

package object mem {
  implicit class LutQueue[T <: Data](stream: Stream[T]) {
    /** A queue in LUTRAM: what enters an empty one can leave in the next cycle. */
    def lutQueue(depth: Int): Stream[T] = {
      val fifo = StreamFifo(stream.payloadType, depth, latency = 1)
      fifo.io.push << stream
      fifo.io.pop
    }
  }
}
