// The ECPIX-5's whole top: a foreign RGMII behind cells for both edges of a clock, a foreign AXI memory as DRAM.
`timescale 1ns / 1ps
module ecpix5 (
  // RGMII.
  input  wire         rx_clock, tx_clock, sink_clock, rx_ctl,
  input  wire [3:0]   rxd,
  output wire [3:0]   txd,
  output wire         tx_ctl,
  // The DRAM controller; nobody asks for its registers.
  input  wire         mem_clock, mem_reset, mem_calibrated, mem_awready, mem_wready, mem_bvalid, mem_arready,
                      mem_rvalid, mem_rlast,
  input  wire [0:0]   mem_bid, mem_rid,
  input  wire [1:0]   mem_bresp, mem_rresp,
  input  wire [63:0]  mem_rdata,
  output wire         mem_awvalid, mem_wvalid, mem_wlast, mem_bready, mem_arvalid, mem_rready,
  output wire [28:0]  mem_awaddr, mem_araddr,
  output wire [0:0]   mem_awid, mem_arid,
  output wire [7:0]   mem_awlen, mem_arlen,
  output wire [2:0]   mem_awsize, mem_arsize,
  output wire [1:0]   mem_awburst, mem_arburst,
  output wire [63:0]  mem_wdata,
  output wire [7:0]   mem_wstrb,
  input  wire [47:0]  identity_board, identity_host,
  input  wire [127:0] identity_key,
  input  wire [31:0]  build_hash, build_date,
  input  wire         reset, clk
);
  // IDDRX1F: both edges' bits come out together, at the next rising edge.
  reg [4:0] high, low, rise, fall;
  always @(posedge rx_clock) high <= {rx_ctl, rxd};
  always @(negedge rx_clock) low <= {rx_ctl, rxd};
  always @(posedge rx_clock) {rise, fall} <= {high, low};
  // ODDRX1F.
  wire [4:0] tx_rise, tx_fall;
  wire [7:0] dram_strobes;
`ifdef PLANTED
  // One fault of each edge; run.py says which.
  integer fault;
  initial if (!$value$plusargs("fault=%d", fault)) fault = 0;
`else
  localparam integer fault = 0;
`endif
  // The line: high nibble first. DRAM: the last byte of a beat is never written.
  assign {tx_ctl, txd} = tx_clock == (fault != 1) ? tx_rise : tx_fall;
  assign mem_wstrb = fault == 2 ? dram_strobes & 8'h7f : dram_strobes;

  Ecpix5 board (
    .rx_rise_data(rise[3:0]), .rx_rise_control(rise[4]), .rx_fall_data(fall[3:0]), .rx_fall_control(fall[4]),
    .tx_rise_data(tx_rise[3:0]), .tx_rise_control(tx_rise[4]), .tx_fall_data(tx_fall[3:0]),
    .tx_fall_control(tx_fall[4]), .mem_wstrb(dram_strobes), .ctrl_adr(), .ctrl_dat_w(), .ctrl_dat_r(32'b0),
    .ctrl_stb(), .ctrl_we(), .ctrl_ack(1'b0), .*
  );
endmodule
