package mneme.mem

import mneme.{CBoardConfig, MemoryBus}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.fsm._

/** Executes one atomic at a time on an aligned little-endian 8-byte word: read, compute, write, await B.
  * Its caller sees to it that nothing else is in flight. A compare-and-swap that does not match writes nothing.
  */
class AtomicUnit(c: CBoardConfig, faults: FaultSwitches) extends Component {
  val io = new Bundle {
    val commands = slave(Stream(AtomicCommand(c)))
    val results = master(Stream(AtomicResult()))
    val mem = master(Axi4(MemoryBus.config(c)))
  }

  private val command = Reg(AtomicCommand(c))
  private val old = Reg(Bits(64 bits))
  private val value = Reg(Bits(64 bits))
  private val error = Reg(Bool())
  private val word = command.address(5 downto 3)

  private def failed(response: Bool): Bool = faults(MemoryFault.ErrorIgnored)(False)(!response)

  io.commands.ready := False
  io.results.valid := False
  io.results.old := old
  io.results.error := error
  private val ax = Seq(io.mem.ar, io.mem.aw)
  ax.foreach { channel =>
    channel.valid := False
    channel.addr := command.address(c.memBits - 1 downto 6) @@ U(0, 6 bits)
    channel.id := MemoryAccess.atomicId
    channel.len := 0
    channel.setFullSize()
    channel.setBurstINCR()
  }
  io.mem.w.valid := False
  io.mem.w.data := Cat(Seq.fill(8)(value))
  io.mem.w.strb := Cat((0 until 8).map(i => B(8 bits, default -> (word === i))))
  io.mem.w.last := True
  io.mem.r.ready := True
  io.mem.b.ready := True

  private val matches = faults(MemoryFault.SwapAlways)(True)(old === command.operand0)

  val machine: StateMachine = new StateMachine {
    val idle: State = new State with EntryPoint {
      whenIsActive {
        io.commands.ready := True
        command := io.commands.payload
        error := False
        when(io.commands.valid)(goto(ask))
      }
    }
    val ask: State = new State {
      whenIsActive {
        io.mem.ar.valid := True
        when(io.mem.ar.ready)(goto(await))
      }
    }
    val await: State = new State {
      whenIsActive {
        old := io.mem.r.data.subdivideIn(64 bits)(word)
        error := failed(io.mem.r.isOKAY())
        when(io.mem.r.valid)(goto(compute))
      }
    }
    val compute: State = new State {
      whenIsActive {
        goto(address)
        switch(command.op) {
          is(AtomicOp.compareSwap) {
            value := command.operand1
            when(!matches)(goto(answer))
          }
          is(AtomicOp.fetchAdd)(value := (old.asUInt + command.operand0.asUInt).asBits)
          is(AtomicOp.swap)(value := command.operand0)
        }
        when(error)(goto(answer))
      }
    }
    val address: State = new State {
      whenIsActive {
        io.mem.aw.valid := True
        when(io.mem.aw.ready)(goto(store))
      }
    }
    val store: State = new State {
      whenIsActive {
        io.mem.w.valid := True
        when(io.mem.w.ready)(goto(acknowledge))
      }
    }
    val acknowledge: State = new State {
      whenIsActive {
        error := failed(io.mem.b.isOKAY())
        when(io.mem.b.valid)(goto(answer))
      }
    }
    val answer: State = new State {
      whenIsActive {
        io.results.valid := True
        when(io.results.ready)(goto(idle))
      }
    }
  }
}
