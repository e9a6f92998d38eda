"""The gigabit port of the ECPIX-5 beside cocotbext-eth's RGMII."""
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer
from cocotbext.eth import GmiiFrame, RgmiiSink, RgmiiSource

import frames


async def begin(dut):
    dut.net_tx_tvalid.value = 0
    dut.counter_index.value = 0
    Clock(dut.clk, 16, unit="ns").start()
    Clock(dut.rx_clock, 8, unit="ns").start()
    Clock(dut.tx_clock, 8, unit="ns").start()
    source = RgmiiSource(dut.rxd, dut.rx_ctl, dut.rx_clock)
    stream = frames.Stream(dut)
    dut.sink_clock.value = 0
    # RGMII 2.0: the receiver's clock is 2 ns behind the data's edges.
    await Timer(2, unit="ns")
    Clock(dut.sink_clock, 8, unit="ns").start()
    sink = RgmiiSink(dut.txd, dut.tx_ctl, dut.sink_clock)
    dut.reset.value = 1
    await ClockCycles(dut.clk, 50)
    dut.reset.value = 0
    await ClockCycles(dut.clk, 200)
    return source, sink, stream


@cocotb.test()
async def frames_from_a_foreign_phy(dut):
    source, _, stream = await begin(dut)
    await frames.to_core(dut, source, stream, frames.drawn(1), GmiiFrame.from_payload)


@cocotb.test()
async def frames_to_a_foreign_phy(dut):
    _, sink, stream = await begin(dut)
    sink.clear()
    await frames.from_core(dut, sink, stream, frames.drawn(2))


@cocotb.test()
async def a_damaged_frame_is_left_out_and_counted(dut):
    source, _, stream = await begin(dut)
    await frames.damaged(dut, source, stream, GmiiFrame.from_payload)
