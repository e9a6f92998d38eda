"""The 10G port of the ZCU106 beside cocotbext-eth's XGMII."""
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.eth import XgmiiFrame, XgmiiSink, XgmiiSource

import frames


async def begin(dut):
    dut.net_tx_tvalid.value = 0
    dut.counter_index.value = 0
    Clock(dut.clk, 4, unit="ns").start()
    Clock(dut.line_clock, 6400, unit="ps").start()
    source = XgmiiSource(dut.xgmii_in_data, dut.xgmii_in_control, dut.line_clock)
    sink = XgmiiSink(dut.xgmii_out_data, dut.xgmii_out_control, dut.line_clock, enable=dut.xgmii_out_valid)
    stream = frames.Stream(dut)
    dut.reset.value = 1
    dut.line_reset.value = 1
    await ClockCycles(dut.clk, 50)
    dut.reset.value = 0
    dut.line_reset.value = 0
    for _ in range(5_000):
        await RisingEdge(dut.line_clock)
        if dut.locked.value == 1:
            return source, sink, stream
    raise AssertionError("no link within 5,000 cycles")


@cocotb.test()
async def frames_from_a_foreign_mac(dut):
    source, _, stream = await begin(dut)
    await frames.to_core(dut, source, stream, frames.drawn(1), XgmiiFrame.from_payload)


@cocotb.test()
async def frames_to_a_foreign_mac(dut):
    _, sink, stream = await begin(dut)
    sink.clear()
    await frames.from_core(dut, sink, stream, frames.drawn(2))


@cocotb.test()
async def a_damaged_frame_is_left_out_and_counted(dut):
    source, _, stream = await begin(dut)
    await frames.damaged(dut, source, stream, XgmiiFrame.from_payload)


@cocotb.test()
async def a_pause_of_a_foreign_mac_holds_frames_back(dut):
    source, sink, stream = await begin(dut)
    sink.clear()
    # IEEE 802.3 annex 31B: address, type 0x8808, opcode 1, and 100 quanta of 512 bit times.
    pause = bytes.fromhex("0180c2000001020304050607880800010064").ljust(60, b"\0")
    await source.send(XgmiiFrame.from_payload(pause))
    for _ in range(1_000):
        await RisingEdge(dut.line_clock)
        if dut.paused.value == 1:
            break
    assert dut.paused.value == 1, "the port takes no pause"
    await stream.source.send(frames.drawn(4)[0])
    # 100 quanta are 51,200 bit times: 800 cycles of the line.
    await ClockCycles(dut.line_clock, 700)
    assert sink.empty(), "a frame left in a pause"
    left = await frames.within(sink.recv())
    assert bytes(left.get_payload()) == frames.drawn(4)[0]
    assert stream.sink.empty(), "a pause is the MAC's own"
