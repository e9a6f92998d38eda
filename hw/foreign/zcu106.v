// The ZCU106's whole top: foreign masters and memories at its AXI ports, a foreign XGMII behind a PCS in Python (pcs.py).
`timescale 1ns / 1ps
module zcu106 (
  // The transceiver.
  input  wire         rx_clock, tx_clock, rx_valid, rx_signalOk,
  input  wire [1:0]   rx_payload_header,
  input  wire [63:0]  rx_payload_data,
  output wire         rx_slip,
  output wire [1:0]   tx_header,
  output wire [63:0]  tx_data,
  // The DDR4 controller.
  input  wire         mem_clock, mem_reset, mem_calibrated, mem_awready, mem_wready, mem_bvalid, mem_arready,
                      mem_rvalid, mem_rlast,
  input  wire [4:0]   mem_bid, mem_rid,
  input  wire [1:0]   mem_bresp, mem_rresp,
  input  wire [511:0] mem_rdata,
  output wire         mem_awvalid, mem_wvalid, mem_wlast, mem_bready, mem_arvalid, mem_rready,
  output wire [30:0]  mem_awaddr, mem_araddr,
  output wire [4:0]   mem_awid, mem_arid,
  output wire [7:0]   mem_awlen, mem_arlen,
  output wire [2:0]   mem_awsize, mem_arsize,
  output wire [1:0]   mem_awburst, mem_arburst,
  output wire [511:0] mem_wdata,
  output wire [63:0]  mem_wstrb,
  // The processor.
  input  wire         window_awvalid, window_wvalid, window_wlast, window_bready, window_arvalid, window_rready,
  input  wire [30:0]  window_awaddr, window_araddr,
  input  wire [15:0]  window_awid, window_wstrb, window_arid,
  input  wire [7:0]   window_awlen, window_arlen,
  input  wire [2:0]   window_awsize, window_arsize,
  input  wire [1:0]   window_awburst, window_arburst,
  input  wire [127:0] window_wdata,
  output wire         window_awready, window_wready, window_bvalid, window_arready, window_rvalid, window_rlast,
  output wire [15:0]  window_bid, window_rid,
  output wire [1:0]   window_bresp, window_rresp,
  output wire [127:0] window_rdata,
  input  wire         ring_awready, ring_wready, ring_bvalid, ring_arready, ring_rvalid, ring_rlast,
  input  wire [0:0]   ring_bid, ring_rid,
  input  wire [1:0]   ring_bresp, ring_rresp,
  input  wire [127:0] ring_rdata,
  output wire         ring_awvalid, ring_wvalid, ring_wlast, ring_bready, ring_arvalid, ring_rready,
  output wire [48:0]  ring_awaddr, ring_araddr,
  output wire [0:0]   ring_awid, ring_arid,
  output wire [7:0]   ring_awlen, ring_arlen,
  output wire [2:0]   ring_awsize, ring_awprot, ring_arsize, ring_arprot,
  output wire [1:0]   ring_awburst, ring_arburst,
  output wire [3:0]   ring_awcache, ring_arcache,
  output wire [127:0] ring_wdata,
  output wire [15:0]  ring_wstrb,
  input  wire         regs_awvalid, regs_wvalid, regs_bready, regs_arvalid, regs_rready,
  input  wire [12:0]  regs_awaddr, regs_araddr,
  input  wire [2:0]   regs_awprot, regs_arprot,
  input  wire [31:0]  regs_wdata,
  input  wire [3:0]   regs_wstrb,
  output wire         regs_awready, regs_wready, regs_bvalid, regs_arready, regs_rvalid,
  output wire [1:0]   regs_bresp, regs_rresp,
  output wire [31:0]  regs_rdata,
  input  wire [31:0]  build_hash, build_date,
  input  wire         reset, clk,
  output wire         irq,
  // Of XGMII nothing is in the hardware: the PCS in Python is between these and the transceiver's blocks.
  input  wire [63:0]  xgmii_in_data, xgmii_out_data,
  input  wire [7:0]   xgmii_in_control, xgmii_out_control,
  input  wire         xgmii_in_enable
);
`ifdef PLANTED
  // One fault of each edge; run.py says which.
  integer fault;
  initial if (!$value$plusargs("fault=%d", fault)) fault = 0;
  wire [63:0]  left_data;
  wire [63:0]  dram_strobes;
  wire [127:0] ring_words;
  // The line: the first bit of a block is its last one.
  assign tx_data = fault == 1 ? {left_data[0], left_data[63:1]} : left_data;
  // DRAM: the last byte of a beat is never written.
  assign mem_wstrb = fault == 2 ? dram_strobes & ~(64'b1 << 63) : dram_strobes;
  // The ring: halves of a beat.
  assign ring_wdata = fault == 3 ? {ring_words[63:0], ring_words[127:64]} : ring_words;
  Zcu106 board (
    .tx_data(left_data), .mem_wstrb(dram_strobes), .ring_wdata(ring_words),
    // The window: a beat of another address is read. Registers: no byte can be written alone.
    .window_araddr(fault == 4 ? window_araddr | 31'h10 : window_araddr),
    .regs_wstrb(fault == 5 ? 4'hf : regs_wstrb), .*
  );
`else
  Zcu106 board (.*);
`endif
endmodule
