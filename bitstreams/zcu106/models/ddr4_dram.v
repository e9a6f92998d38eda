// Ports of the vendor's IP as ip.tcl makes it, by its documents: ddr4, PG150. There is nothing inside. Lint and Yosys
// look at the wrapper's connections with it; Vivado never reads it.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
`default_nettype none

// The controller of the DRAM beside the programmable logic.
(* blackbox *)
module ddr4_dram (
  input  wire sys_rst,
  input  wire c0_sys_clk_p,
  input  wire c0_sys_clk_n,
  output wire c0_ddr4_act_n,
  output wire [16:0]   c0_ddr4_adr,
  output wire [1:0]    c0_ddr4_ba,
  output wire c0_ddr4_bg,
  output wire c0_ddr4_ck_c,
  output wire c0_ddr4_ck_t,
  output wire c0_ddr4_cke,
  output wire c0_ddr4_cs_n,
  inout  wire [7:0]    c0_ddr4_dm_dbi_n,
  inout  wire [63:0]   c0_ddr4_dq,
  inout  wire [7:0]    c0_ddr4_dqs_c,
  inout  wire [7:0]    c0_ddr4_dqs_t,
  output wire c0_ddr4_odt,
  output wire c0_ddr4_reset_n,
  output wire c0_ddr4_ui_clk,
  output wire c0_ddr4_ui_clk_sync_rst,
  output wire c0_init_calib_complete,
  input  wire c0_ddr4_aresetn,
  output wire dbg_clk,
  output wire [511:0]  dbg_bus,
  input  wire [4:0]    c0_ddr4_s_axi_awid,
  input  wire [30:0]   c0_ddr4_s_axi_awaddr,
  input  wire [7:0]    c0_ddr4_s_axi_awlen,
  input  wire [2:0]    c0_ddr4_s_axi_awsize,
  input  wire [1:0]    c0_ddr4_s_axi_awburst,
  input  wire c0_ddr4_s_axi_awlock,
  input  wire [3:0]    c0_ddr4_s_axi_awcache,
  input  wire [2:0]    c0_ddr4_s_axi_awprot,
  input  wire [3:0]    c0_ddr4_s_axi_awqos,
  input  wire c0_ddr4_s_axi_awvalid,
  output wire c0_ddr4_s_axi_awready,
  input  wire [511:0]  c0_ddr4_s_axi_wdata,
  input  wire [63:0]   c0_ddr4_s_axi_wstrb,
  input  wire c0_ddr4_s_axi_wlast,
  input  wire c0_ddr4_s_axi_wvalid,
  output wire c0_ddr4_s_axi_wready,
  output wire [4:0]    c0_ddr4_s_axi_bid,
  output wire [1:0]    c0_ddr4_s_axi_bresp,
  output wire c0_ddr4_s_axi_bvalid,
  input  wire c0_ddr4_s_axi_bready,
  input  wire [4:0]    c0_ddr4_s_axi_arid,
  input  wire [30:0]   c0_ddr4_s_axi_araddr,
  input  wire [7:0]    c0_ddr4_s_axi_arlen,
  input  wire [2:0]    c0_ddr4_s_axi_arsize,
  input  wire [1:0]    c0_ddr4_s_axi_arburst,
  input  wire c0_ddr4_s_axi_arlock,
  input  wire [3:0]    c0_ddr4_s_axi_arcache,
  input  wire [2:0]    c0_ddr4_s_axi_arprot,
  input  wire [3:0]    c0_ddr4_s_axi_arqos,
  input  wire c0_ddr4_s_axi_arvalid,
  output wire c0_ddr4_s_axi_arready,
  output wire [4:0]    c0_ddr4_s_axi_rid,
  output wire [511:0]  c0_ddr4_s_axi_rdata,
  output wire [1:0]    c0_ddr4_s_axi_rresp,
  output wire c0_ddr4_s_axi_rlast,
  output wire c0_ddr4_s_axi_rvalid,
  input  wire c0_ddr4_s_axi_rready
);
endmodule

`default_nettype wire
