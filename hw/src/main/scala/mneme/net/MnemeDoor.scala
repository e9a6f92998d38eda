package mneme.net

import mneme._
import mneme.engine._
import mneme.wire.Wire.Opcode
import spinal.core._
import spinal.lib._

/** The network's way into the access engine: what an answer needs of its request lies here by packet slot until the answer is made, and a token travels.
  *
  * A request that was answered on the way goes through the engine with a token that asks for nothing, so that answers keep their order.
  */
case class MnemeDoor(c: CBoardConfig) extends Component {
  val io = new Bundle {
    val requests = slave(Stream(Filtered(c)))
    val tokens = master(Stream(Token(c)))
    val completions = slave(Stream(Completion(c)))
    val answers = master(Stream(Answer(c)))
  }

  private val contexts = Mem(Filtered(c), c.packetSlots).addAttribute("ram_style", "distributed")
  contexts.write(io.requests.request.slot, io.requests.payload, enable = io.requests.fire)

  // The engine has no register of ready; the response builder has one close behind.
  io.tokens << io.requests.map(f => token(f.request)).s2mPipe()
  io.answers << io.completions.map(completion => answer(contexts.readAsync(completion.context), completion))

  private def token(request: Request): Token = {
    val token = Token(c)
    val header = request.header
    val demand = token.demand
    token.context := request.slot
    demand.operation := Operation.nothing
    when(!request.answered) {
      for ((opcode, operation) <- MnemeDoor.operations) when(header.isOp(opcode))(demand.operation := operation)
    }
    demand.ordering.fence := !request.answered && header.isOp(Opcode.FENCE)
    demand.ordering.windowed := header.isWriteLike
    demand.ordering.time := header.time
    if (c.rdma > 0) demand.impatient := False
    demand.pid := header.pid
    demand.va := header.va
    demand.length := header.length
    demand.dataOffset := FrameField.HEADERS
    token
  }

  private def answer(filtered: Filtered, completion: Completion): Answer = {
    val answer = Answer(c)
    val early = filtered.request.answered
    val report = completion.report
    answer.filtered := filtered
    answer.outcome := early ? filtered.request.outcome | report.outcome
    answer.result := early ? (filtered.request.outcome.detailVa ## filtered.request.outcome.detailLength) | completion.old
    answer.zeros := report.zeros
    answer.resumed := report.resumed
    answer.slow := report.slow
    answer.tickResume := report.tickResume
    answer
  }
}

object MnemeDoor {
  val operations: Seq[(Int, SpinalEnumElement[Operation.type])] = Seq(
    Opcode.READ -> Operation.read,
    Opcode.WRITE -> Operation.write,
    Opcode.COMPARE_SWAP -> Operation.compareSwap,
    Opcode.FETCH_ADD -> Operation.fetchAdd,
    Opcode.SWAP -> Operation.swap
  )
}
