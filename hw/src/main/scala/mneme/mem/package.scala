package mneme

import spinal.core._
import spinal.lib._

package object mem {
  implicit class LutQueue[T <: Data](stream: Stream[T]) {
    private def queue(depth: Int, latency: Int): Stream[T] = {
      val fifo = StreamFifo(stream.payloadType, depth, latency = latency)
      fifo.io.push << stream
      fifo.io.pop
    }
    /** A queue in LUTRAM: what enters an empty one can leave in the next cycle. */
    def lutQueue(depth: Int): Stream[T] = queue(depth, latency = 1)
    /** A queue in LUTRAM: what enters an empty one can leave in the same cycle. */
    def passingQueue(depth: Int): Stream[T] = queue(depth, latency = 0)
  }
}
