`default_nettype none

// A ZCU106 from pin to pin: `Zcu106`, which is ours, between the vendor's parts, which ip.tcl makes.
//
// BUILD_HASH and BUILD_DATE come from the command that builds it; the register block tells them. With the macro SECOND_SFP the
// board has a port at SFP+ cage 1, too.
module Zcu106Board #(
  parameter [31:0] BUILD_HASH = 32'd0,
  parameter [31:0] BUILD_DATE = 32'd0
) (
  input  wire        clock_125_p,
  input  wire        clock_125_n,

  input  wire        sfp_clock_p,
  input  wire        sfp_clock_n,
  input  wire        sfp0_rx_p,
  input  wire        sfp0_rx_n,
  output wire        sfp0_tx_p,
  output wire        sfp0_tx_n,
  output wire        sfp0_enable,  // the cage's TX_DISABLE behind an inverter
`ifdef SECOND_SFP
  input  wire        sfp1_rx_p,
  input  wire        sfp1_rx_n,
  output wire        sfp1_tx_p,
  output wire        sfp1_tx_n,
  output wire        sfp1_enable,
`endif

  input  wire        ddr4_clock_p,
  input  wire        ddr4_clock_n,
  output wire        ddr4_act_n,
  output wire [16:0] ddr4_adr,
  output wire [1:0]  ddr4_ba,
  output wire        ddr4_bg,
  output wire        ddr4_ck_c,
  output wire        ddr4_ck_t,
  output wire        ddr4_cke,
  output wire        ddr4_cs_n,
  inout  wire [7:0]  ddr4_dm_n,
  inout  wire [63:0] ddr4_dq,
  inout  wire [7:0]  ddr4_dqs_c,
  inout  wire [7:0]  ddr4_dqs_t,
  output wire        ddr4_odt,
  output wire        ddr4_reset_n,

  output wire [4:0]  led
);
  // ---- The board's own clock of 125 MHz: it runs before the processor does. Resets of the vendor's parts are made from it.
  wire clock_125_in, free;
  IBUFDS free_buffer (.I(clock_125_p), .IB(clock_125_n), .O(clock_125_in));
  BUFG free_tree (.I(clock_125_in), .O(free));

  // Configuration leaves it at 0: resets are held until it has counted to its highest bit, 8 us.
  reg [10:0] awake = 11'd0;
  reg asleep = 1'b1;
  always @(posedge free) begin
    if (!awake[10]) awake <= awake + 1'b1;
    asleep <= !awake[10];
  end

  // ---- The processor. Its clock is the core's, and that of all of its ports.
  wire clk, ps_reset_n;
  wire irq;

  wire [15:0]  window_awid, window_arid, window_bid, window_rid;
  wire [39:0]  window_awaddr, window_araddr;
  wire [7:0]   window_awlen, window_arlen;
  wire [2:0]   window_awsize, window_arsize;
  wire [1:0]   window_awburst, window_arburst, window_bresp, window_rresp;
  wire         window_awvalid, window_awready, window_arvalid, window_arready;
  wire [127:0] window_wdata, window_rdata;
  wire [15:0]  window_wstrb;
  wire         window_wlast, window_wvalid, window_wready, window_bvalid, window_bready, window_rlast, window_rvalid, window_rready;

  wire [15:0]  host_awid, host_arid, host_bid, host_rid;
  wire [39:0]  host_awaddr, host_araddr;
  wire [7:0]   host_awlen, host_arlen;
  wire [2:0]   host_awsize, host_arsize, host_awprot, host_arprot;
  wire [1:0]   host_awburst, host_arburst, host_bresp, host_rresp;
  wire [3:0]   host_awcache, host_arcache, host_awqos, host_arqos;
  wire         host_awlock, host_arlock, host_awvalid, host_awready, host_arvalid, host_arready;
  wire [127:0] host_wdata, host_rdata;
  wire [15:0]  host_wstrb;
  wire         host_wlast, host_wvalid, host_wready, host_bvalid, host_bready, host_rlast, host_rvalid, host_rready;

  wire [48:0]  ring_awaddr, ring_araddr;
  wire [0:0]   ring_awid, ring_arid;
  wire [7:0]   ring_awlen, ring_arlen;
  wire [2:0]   ring_awsize, ring_arsize, ring_awprot, ring_arprot;
  wire [1:0]   ring_awburst, ring_arburst, ring_bresp, ring_rresp;
  wire [3:0]   ring_awcache, ring_arcache;
  wire [5:0]   ring_bid, ring_rid;
  wire         ring_awvalid, ring_awready, ring_arvalid, ring_arready;
  wire [127:0] ring_wdata, ring_rdata;
  wire [15:0]  ring_wstrb;
  wire         ring_wlast, ring_wvalid, ring_wready, ring_bvalid, ring_bready, ring_rlast, ring_rvalid, ring_rready;

  zynq_ps ps (
    .pl_clk0(clk), .pl_resetn0(ps_reset_n), .pl_ps_irq0(irq),
    .maxihpm0_fpd_aclk(clk), .maxihpm0_lpd_aclk(clk), .saxihpc0_fpd_aclk(clk),
    // M_AXI_HPM0_FPD: the window onto DRAM.
    .maxigp0_awid(window_awid), .maxigp0_awaddr(window_awaddr), .maxigp0_awlen(window_awlen), .maxigp0_awsize(window_awsize),
    .maxigp0_awburst(window_awburst), .maxigp0_awlock(), .maxigp0_awcache(), .maxigp0_awprot(), .maxigp0_awqos(), .maxigp0_awuser(),
    .maxigp0_awvalid(window_awvalid), .maxigp0_awready(window_awready),
    .maxigp0_wdata(window_wdata), .maxigp0_wstrb(window_wstrb), .maxigp0_wlast(window_wlast), .maxigp0_wvalid(window_wvalid),
    .maxigp0_wready(window_wready),
    .maxigp0_bid(window_bid), .maxigp0_bresp(window_bresp), .maxigp0_bvalid(window_bvalid), .maxigp0_bready(window_bready),
    .maxigp0_arid(window_arid), .maxigp0_araddr(window_araddr), .maxigp0_arlen(window_arlen), .maxigp0_arsize(window_arsize),
    .maxigp0_arburst(window_arburst), .maxigp0_arlock(), .maxigp0_arcache(), .maxigp0_arprot(), .maxigp0_arqos(), .maxigp0_aruser(),
    .maxigp0_arvalid(window_arvalid), .maxigp0_arready(window_arready),
    .maxigp0_rid(window_rid), .maxigp0_rdata(window_rdata), .maxigp0_rresp(window_rresp), .maxigp0_rlast(window_rlast),
    .maxigp0_rvalid(window_rvalid), .maxigp0_rready(window_rready),
    // M_AXI_HPM0_LPD: registers.
    .maxigp2_awid(host_awid), .maxigp2_awaddr(host_awaddr), .maxigp2_awlen(host_awlen), .maxigp2_awsize(host_awsize),
    .maxigp2_awburst(host_awburst), .maxigp2_awlock(host_awlock), .maxigp2_awcache(host_awcache), .maxigp2_awprot(host_awprot),
    .maxigp2_awqos(host_awqos), .maxigp2_awuser(), .maxigp2_awvalid(host_awvalid), .maxigp2_awready(host_awready),
    .maxigp2_wdata(host_wdata), .maxigp2_wstrb(host_wstrb), .maxigp2_wlast(host_wlast), .maxigp2_wvalid(host_wvalid),
    .maxigp2_wready(host_wready),
    .maxigp2_bid(host_bid), .maxigp2_bresp(host_bresp), .maxigp2_bvalid(host_bvalid), .maxigp2_bready(host_bready),
    .maxigp2_arid(host_arid), .maxigp2_araddr(host_araddr), .maxigp2_arlen(host_arlen), .maxigp2_arsize(host_arsize),
    .maxigp2_arburst(host_arburst), .maxigp2_arlock(host_arlock), .maxigp2_arcache(host_arcache), .maxigp2_arprot(host_arprot),
    .maxigp2_arqos(host_arqos), .maxigp2_aruser(), .maxigp2_arvalid(host_arvalid), .maxigp2_arready(host_arready),
    .maxigp2_rid(host_rid), .maxigp2_rdata(host_rdata), .maxigp2_rresp(host_rresp), .maxigp2_rlast(host_rlast),
    .maxigp2_rvalid(host_rvalid), .maxigp2_rready(host_rready),
    // S_AXI_HPC0_FPD: the rings, in the processor's memory.
    .saxigp0_awid({5'd0, ring_awid}), .saxigp0_awaddr(ring_awaddr), .saxigp0_awlen(ring_awlen), .saxigp0_awsize(ring_awsize),
    .saxigp0_awburst(ring_awburst), .saxigp0_awlock(1'b0), .saxigp0_awcache(ring_awcache), .saxigp0_awprot(ring_awprot),
    .saxigp0_awqos(4'd0), .saxigp0_awuser(1'b0), .saxigp0_awvalid(ring_awvalid), .saxigp0_awready(ring_awready),
    .saxigp0_wdata(ring_wdata), .saxigp0_wstrb(ring_wstrb), .saxigp0_wlast(ring_wlast), .saxigp0_wvalid(ring_wvalid),
    .saxigp0_wready(ring_wready),
    .saxigp0_bid(ring_bid), .saxigp0_bresp(ring_bresp), .saxigp0_bvalid(ring_bvalid), .saxigp0_bready(ring_bready),
    .saxigp0_arid({5'd0, ring_arid}), .saxigp0_araddr(ring_araddr), .saxigp0_arlen(ring_arlen), .saxigp0_arsize(ring_arsize),
    .saxigp0_arburst(ring_arburst), .saxigp0_arlock(1'b0), .saxigp0_arcache(ring_arcache), .saxigp0_arprot(ring_arprot),
    .saxigp0_arqos(4'd0), .saxigp0_aruser(1'b0), .saxigp0_arvalid(ring_arvalid), .saxigp0_arready(ring_arready),
    .saxigp0_rid(ring_rid), .saxigp0_rdata(ring_rdata), .saxigp0_rresp(ring_rresp), .saxigp0_rlast(ring_rlast),
    .saxigp0_rvalid(ring_rvalid), .saxigp0_rready(ring_rready)
  );

  // A reset of the processor's begins at once and ends with its clock; so does configuration, which leaves all at 1.
  (* ASYNC_REG = "TRUE" *) reg [3:0] resets = 4'b1111;
  always @(posedge clk or negedge ps_reset_n) begin
    if (!ps_reset_n) resets <= 4'b1111;
    else resets <= {resets[2:0], 1'b0};
  end
  wire reset = resets[3];

  // ---- Registers: the port's 128 bits of AXI4 to 32 bits of AXI4-Lite. At 128 bits the port is as a reset of the processor leaves it.
  wire [39:0] narrow_awaddr, narrow_araddr;
  wire [7:0]  narrow_awlen, narrow_arlen;
  wire [2:0]  narrow_awsize, narrow_arsize, narrow_awprot, narrow_arprot;
  wire [1:0]  narrow_awburst, narrow_arburst, narrow_bresp, narrow_rresp;
  wire [3:0]  narrow_awcache, narrow_arcache, narrow_awqos, narrow_arqos, narrow_awregion, narrow_arregion;
  wire        narrow_awlock, narrow_arlock, narrow_awvalid, narrow_awready, narrow_arvalid, narrow_arready;
  wire [31:0] narrow_wdata, narrow_rdata;
  wire [3:0]  narrow_wstrb;
  wire        narrow_wlast, narrow_wvalid, narrow_wready, narrow_bvalid, narrow_bready, narrow_rlast, narrow_rvalid, narrow_rready;

  regs_narrow narrow (
    .s_axi_aclk(clk), .s_axi_aresetn(!reset),
    .s_axi_awid(host_awid), .s_axi_awaddr(host_awaddr), .s_axi_awlen(host_awlen), .s_axi_awsize(host_awsize), .s_axi_awburst(host_awburst),
    .s_axi_awlock(host_awlock), .s_axi_awcache(host_awcache), .s_axi_awprot(host_awprot), .s_axi_awregion(4'd0), .s_axi_awqos(host_awqos),
    .s_axi_awvalid(host_awvalid), .s_axi_awready(host_awready),
    .s_axi_wdata(host_wdata), .s_axi_wstrb(host_wstrb), .s_axi_wlast(host_wlast), .s_axi_wvalid(host_wvalid), .s_axi_wready(host_wready),
    .s_axi_bid(host_bid), .s_axi_bresp(host_bresp), .s_axi_bvalid(host_bvalid), .s_axi_bready(host_bready),
    .s_axi_arid(host_arid), .s_axi_araddr(host_araddr), .s_axi_arlen(host_arlen), .s_axi_arsize(host_arsize), .s_axi_arburst(host_arburst),
    .s_axi_arlock(host_arlock), .s_axi_arcache(host_arcache), .s_axi_arprot(host_arprot), .s_axi_arregion(4'd0), .s_axi_arqos(host_arqos),
    .s_axi_arvalid(host_arvalid), .s_axi_arready(host_arready),
    .s_axi_rid(host_rid), .s_axi_rdata(host_rdata), .s_axi_rresp(host_rresp), .s_axi_rlast(host_rlast), .s_axi_rvalid(host_rvalid),
    .s_axi_rready(host_rready),
    .m_axi_awaddr(narrow_awaddr), .m_axi_awlen(narrow_awlen), .m_axi_awsize(narrow_awsize), .m_axi_awburst(narrow_awburst),
    .m_axi_awlock(narrow_awlock), .m_axi_awcache(narrow_awcache), .m_axi_awprot(narrow_awprot), .m_axi_awregion(narrow_awregion),
    .m_axi_awqos(narrow_awqos), .m_axi_awvalid(narrow_awvalid), .m_axi_awready(narrow_awready),
    .m_axi_wdata(narrow_wdata), .m_axi_wstrb(narrow_wstrb), .m_axi_wlast(narrow_wlast), .m_axi_wvalid(narrow_wvalid), .m_axi_wready(narrow_wready),
    .m_axi_bresp(narrow_bresp), .m_axi_bvalid(narrow_bvalid), .m_axi_bready(narrow_bready),
    .m_axi_araddr(narrow_araddr), .m_axi_arlen(narrow_arlen), .m_axi_arsize(narrow_arsize), .m_axi_arburst(narrow_arburst),
    .m_axi_arlock(narrow_arlock), .m_axi_arcache(narrow_arcache), .m_axi_arprot(narrow_arprot), .m_axi_arregion(narrow_arregion),
    .m_axi_arqos(narrow_arqos), .m_axi_arvalid(narrow_arvalid), .m_axi_arready(narrow_arready),
    .m_axi_rdata(narrow_rdata), .m_axi_rresp(narrow_rresp), .m_axi_rlast(narrow_rlast), .m_axi_rvalid(narrow_rvalid), .m_axi_rready(narrow_rready)
  );

  wire [39:0] regs_awaddr, regs_araddr;
  wire [2:0]  regs_awprot, regs_arprot;
  wire [1:0]  regs_bresp, regs_rresp;
  wire [31:0] regs_wdata, regs_rdata;
  wire [3:0]  regs_wstrb;
  wire        regs_awvalid, regs_awready, regs_wvalid, regs_wready, regs_bvalid, regs_bready, regs_arvalid, regs_arready, regs_rvalid, regs_rready;

  regs_lite lite (
    .aclk(clk), .aresetn(!reset),
    .s_axi_awaddr(narrow_awaddr), .s_axi_awlen(narrow_awlen), .s_axi_awsize(narrow_awsize), .s_axi_awburst(narrow_awburst),
    .s_axi_awlock(narrow_awlock), .s_axi_awcache(narrow_awcache), .s_axi_awprot(narrow_awprot), .s_axi_awregion(narrow_awregion),
    .s_axi_awqos(narrow_awqos), .s_axi_awvalid(narrow_awvalid), .s_axi_awready(narrow_awready),
    .s_axi_wdata(narrow_wdata), .s_axi_wstrb(narrow_wstrb), .s_axi_wlast(narrow_wlast), .s_axi_wvalid(narrow_wvalid), .s_axi_wready(narrow_wready),
    .s_axi_bresp(narrow_bresp), .s_axi_bvalid(narrow_bvalid), .s_axi_bready(narrow_bready),
    .s_axi_araddr(narrow_araddr), .s_axi_arlen(narrow_arlen), .s_axi_arsize(narrow_arsize), .s_axi_arburst(narrow_arburst),
    .s_axi_arlock(narrow_arlock), .s_axi_arcache(narrow_arcache), .s_axi_arprot(narrow_arprot), .s_axi_arregion(narrow_arregion),
    .s_axi_arqos(narrow_arqos), .s_axi_arvalid(narrow_arvalid), .s_axi_arready(narrow_arready),
    .s_axi_rdata(narrow_rdata), .s_axi_rresp(narrow_rresp), .s_axi_rlast(narrow_rlast), .s_axi_rvalid(narrow_rvalid), .s_axi_rready(narrow_rready),
    .m_axi_awaddr(regs_awaddr), .m_axi_awprot(regs_awprot), .m_axi_awvalid(regs_awvalid), .m_axi_awready(regs_awready),
    .m_axi_wdata(regs_wdata), .m_axi_wstrb(regs_wstrb), .m_axi_wvalid(regs_wvalid), .m_axi_wready(regs_wready),
    .m_axi_bresp(regs_bresp), .m_axi_bvalid(regs_bvalid), .m_axi_bready(regs_bready),
    .m_axi_araddr(regs_araddr), .m_axi_arprot(regs_arprot), .m_axi_arvalid(regs_arvalid), .m_axi_arready(regs_arready),
    .m_axi_rdata(regs_rdata), .m_axi_rresp(regs_rresp), .m_axi_rvalid(regs_rvalid), .m_axi_rready(regs_rready)
  );

  // ---- DRAM: four chips of 16 bits, 2 GB.
  wire         mem_clock, mem_reset, mem_calibrated;
  wire [30:0]  mem_awaddr, mem_araddr;
  wire [4:0]   mem_awid, mem_arid, mem_bid, mem_rid;
  wire [7:0]   mem_awlen, mem_arlen;
  wire [2:0]   mem_awsize, mem_arsize;
  wire [1:0]   mem_awburst, mem_arburst, mem_bresp, mem_rresp;
  wire         mem_awvalid, mem_awready, mem_arvalid, mem_arready;
  wire [511:0] mem_wdata, mem_rdata;
  wire [63:0]  mem_wstrb;
  wire         mem_wlast, mem_wvalid, mem_wready, mem_bvalid, mem_bready, mem_rlast, mem_rvalid, mem_rready;

  // The controller's ports of AXI leave their reset with the rest of its side.
  reg mem_aresetn = 1'b0;
  always @(posedge mem_clock) mem_aresetn <= !mem_reset;

  ddr4_dram dram (
    .sys_rst(asleep), .c0_sys_clk_p(ddr4_clock_p), .c0_sys_clk_n(ddr4_clock_n),
    .c0_ddr4_act_n(ddr4_act_n), .c0_ddr4_adr(ddr4_adr), .c0_ddr4_ba(ddr4_ba), .c0_ddr4_bg(ddr4_bg), .c0_ddr4_ck_c(ddr4_ck_c),
    .c0_ddr4_ck_t(ddr4_ck_t), .c0_ddr4_cke(ddr4_cke), .c0_ddr4_cs_n(ddr4_cs_n), .c0_ddr4_dm_dbi_n(ddr4_dm_n), .c0_ddr4_dq(ddr4_dq),
    .c0_ddr4_dqs_c(ddr4_dqs_c), .c0_ddr4_dqs_t(ddr4_dqs_t), .c0_ddr4_odt(ddr4_odt), .c0_ddr4_reset_n(ddr4_reset_n),
    .c0_ddr4_ui_clk(mem_clock), .c0_ddr4_ui_clk_sync_rst(mem_reset), .c0_init_calib_complete(mem_calibrated), .c0_ddr4_aresetn(mem_aresetn),
    .dbg_clk(), .dbg_bus(),
    .c0_ddr4_s_axi_awid(mem_awid), .c0_ddr4_s_axi_awaddr(mem_awaddr), .c0_ddr4_s_axi_awlen(mem_awlen), .c0_ddr4_s_axi_awsize(mem_awsize),
    .c0_ddr4_s_axi_awburst(mem_awburst), .c0_ddr4_s_axi_awlock(1'b0), .c0_ddr4_s_axi_awcache(4'b0011), .c0_ddr4_s_axi_awprot(3'd0),
    .c0_ddr4_s_axi_awqos(4'd0), .c0_ddr4_s_axi_awvalid(mem_awvalid), .c0_ddr4_s_axi_awready(mem_awready),
    .c0_ddr4_s_axi_wdata(mem_wdata), .c0_ddr4_s_axi_wstrb(mem_wstrb), .c0_ddr4_s_axi_wlast(mem_wlast), .c0_ddr4_s_axi_wvalid(mem_wvalid),
    .c0_ddr4_s_axi_wready(mem_wready),
    .c0_ddr4_s_axi_bid(mem_bid), .c0_ddr4_s_axi_bresp(mem_bresp), .c0_ddr4_s_axi_bvalid(mem_bvalid), .c0_ddr4_s_axi_bready(mem_bready),
    .c0_ddr4_s_axi_arid(mem_arid), .c0_ddr4_s_axi_araddr(mem_araddr), .c0_ddr4_s_axi_arlen(mem_arlen), .c0_ddr4_s_axi_arsize(mem_arsize),
    .c0_ddr4_s_axi_arburst(mem_arburst), .c0_ddr4_s_axi_arlock(1'b0), .c0_ddr4_s_axi_arcache(4'b0011), .c0_ddr4_s_axi_arprot(3'd0),
    .c0_ddr4_s_axi_arqos(4'd0), .c0_ddr4_s_axi_arvalid(mem_arvalid), .c0_ddr4_s_axi_arready(mem_arready),
    .c0_ddr4_s_axi_rid(mem_rid), .c0_ddr4_s_axi_rdata(mem_rdata), .c0_ddr4_s_axi_rresp(mem_rresp), .c0_ddr4_s_axi_rlast(mem_rlast),
    .c0_ddr4_s_axi_rvalid(mem_rvalid), .c0_ddr4_s_axi_rready(mem_rready)
  );

  // ---- The transceiver of SFP+ cage 0: blocks of 66 bits through its asynchronous gearbox.
  wire sfp_clock;
  IBUFDS_GTE4 sfp_buffer (.I(sfp_clock_p), .IB(sfp_clock_n), .CEB(1'b0), .O(sfp_clock), .ODIV2());

  wire        rx_clock, tx_clock, rx_ready, tx_ready, rx_slip, rx_restart, locked;
  wire [63:0] gt_tx_data, gt_rx_data;
  wire [5:0]  gt_rx_header;
  wire [1:0]  gt_rx_data_valid, gt_rx_header_valid;
  wire [1:0]  tx_header;
  wire [63:0] tx_data;
  wire [63:0] rx_data;

  // It sends its highest bit first; the PCS has the line's first bit lowest.
  genvar n;
  generate
    for (n = 0; n < 64; n = n + 1) begin : turned
      assign gt_tx_data[n] = tx_data[63 - n];
      assign rx_data[n] = gt_rx_data[63 - n];
    end
  endgenerate
  assign sfp0_enable = 1'b1;

`ifdef SECOND_SFP
  wire pll_clock, pll_reference, pll_locked;
`endif
  gth_10gbaser gth (
`ifdef SECOND_SFP
    .qpll0lock_out(pll_locked), .qpll0outclk_out(pll_clock), .qpll0outrefclk_out(pll_reference),
`else
    .qpll0outclk_out(), .qpll0outrefclk_out(),
`endif
    .gtwiz_reset_clk_freerun_in(free), .gtwiz_reset_all_in(asleep),
    .gtwiz_userclk_tx_reset_in(1'b0), .gtwiz_userclk_tx_srcclk_out(), .gtwiz_userclk_tx_usrclk_out(),
    .gtwiz_userclk_tx_usrclk2_out(tx_clock), .gtwiz_userclk_tx_active_out(),
    .gtwiz_userclk_rx_reset_in(1'b0), .gtwiz_userclk_rx_srcclk_out(), .gtwiz_userclk_rx_usrclk_out(),
    .gtwiz_userclk_rx_usrclk2_out(rx_clock), .gtwiz_userclk_rx_active_out(),
    .gtwiz_reset_tx_pll_and_datapath_in(1'b0), .gtwiz_reset_tx_datapath_in(1'b0),
    .gtwiz_reset_rx_pll_and_datapath_in(1'b0), .gtwiz_reset_rx_datapath_in(rx_restart),
    .gtwiz_reset_rx_cdr_stable_out(), .gtwiz_reset_tx_done_out(tx_ready), .gtwiz_reset_rx_done_out(rx_ready),
    .gtwiz_userdata_tx_in(gt_tx_data), .gtwiz_userdata_rx_out(gt_rx_data),
    .gtrefclk00_in(sfp_clock),
    .gthrxp_in(sfp0_rx_p), .gthrxn_in(sfp0_rx_n), .gthtxp_out(sfp0_tx_p), .gthtxn_out(sfp0_tx_n),
    .rxgearboxslip_in(rx_slip), .txheader_in({4'd0, tx_header[0], tx_header[1]}), .txsequence_in(7'd0),
    .gtpowergood_out(), .rxdatavalid_out(gt_rx_data_valid), .rxheader_out(gt_rx_header), .rxheadervalid_out(gt_rx_header_valid),
    .rxpmaresetdone_out(), .rxprgdivresetdone_out(), .rxstartofseq_out(), .txpmaresetdone_out(), .txprgdivresetdone_out()
  );

  LinkWatch watch (
    .clk(free), .rx_clock(rx_clock), .rx_slip(rx_slip), .rx_ready(rx_ready), .rx_restart(rx_restart), .locked(locked)
  );

`ifdef SECOND_SFP
  // ---- That of cage 1. Both are of one quad, which has one PLL for such a rate: the first one's.
  wire        rx_clock1, tx_clock1, rx_ready1, rx_slip1, rx_restart1;
  wire [63:0] gt_tx_data1, gt_rx_data1;
  wire [5:0]  gt_rx_header1;
  wire [1:0]  gt_rx_data_valid1, gt_rx_header_valid1;
  wire [1:0]  tx_header1;
  wire [63:0] tx_data1;
  wire [63:0] rx_data1;
  generate
    for (n = 0; n < 64; n = n + 1) begin : turned1
      assign gt_tx_data1[n] = tx_data1[63 - n];
      assign rx_data1[n] = gt_rx_data1[63 - n];
    end
  endgenerate
  assign sfp1_enable = 1'b1;

  gth_10gbaser_more gth1 (
    .gtwiz_reset_clk_freerun_in(free), .gtwiz_reset_all_in(asleep),
    .gtwiz_userclk_tx_reset_in(1'b0), .gtwiz_userclk_tx_srcclk_out(), .gtwiz_userclk_tx_usrclk_out(),
    .gtwiz_userclk_tx_usrclk2_out(tx_clock1), .gtwiz_userclk_tx_active_out(),
    .gtwiz_userclk_rx_reset_in(1'b0), .gtwiz_userclk_rx_srcclk_out(), .gtwiz_userclk_rx_usrclk_out(),
    .gtwiz_userclk_rx_usrclk2_out(rx_clock1), .gtwiz_userclk_rx_active_out(),
    .gtwiz_reset_tx_pll_and_datapath_in(1'b0), .gtwiz_reset_tx_datapath_in(1'b0),
    .gtwiz_reset_rx_pll_and_datapath_in(1'b0), .gtwiz_reset_rx_datapath_in(rx_restart1),
    .gtwiz_reset_qpll0lock_in(pll_locked), .gtwiz_reset_qpll0reset_out(),
    .gtwiz_reset_rx_cdr_stable_out(), .gtwiz_reset_tx_done_out(), .gtwiz_reset_rx_done_out(rx_ready1),
    .gtwiz_userdata_tx_in(gt_tx_data1), .gtwiz_userdata_rx_out(gt_rx_data1),
    .qpll0clk_in(pll_clock), .qpll0refclk_in(pll_reference), .qpll1clk_in(1'b0), .qpll1refclk_in(1'b0),
    .gthrxp_in(sfp1_rx_p), .gthrxn_in(sfp1_rx_n), .gthtxp_out(sfp1_tx_p), .gthtxn_out(sfp1_tx_n),
    .rxgearboxslip_in(rx_slip1), .txheader_in({4'd0, tx_header1[0], tx_header1[1]}), .txsequence_in(7'd0),
    .gtpowergood_out(), .rxdatavalid_out(gt_rx_data_valid1), .rxheader_out(gt_rx_header1), .rxheadervalid_out(gt_rx_header_valid1),
    .rxpmaresetdone_out(), .rxprgdivresetdone_out(), .rxstartofseq_out(), .txpmaresetdone_out(), .txprgdivresetdone_out()
  );

  LinkWatch watch1 (
    .clk(free), .rx_clock(rx_clock1), .rx_slip(rx_slip1), .rx_ready(rx_ready1), .rx_restart(rx_restart1), .locked()
  );
`endif

  // ---- What is ours.
  Zcu106 board (
`ifdef SECOND_SFP
    .second_rx_clock(rx_clock1), .second_tx_clock(tx_clock1), .second_rx_valid(gt_rx_data_valid1[0] && gt_rx_header_valid1[0]),
    .second_rx_payload_header({gt_rx_header1[0], gt_rx_header1[1]}), .second_rx_payload_data(rx_data1), .second_rx_signalOk(rx_ready1),
    .second_rx_slip(rx_slip1), .second_tx_header(tx_header1), .second_tx_data(tx_data1),
`endif
    .clk(clk), .reset(reset),
    .rx_clock(rx_clock), .tx_clock(tx_clock), .rx_valid(gt_rx_data_valid[0] && gt_rx_header_valid[0]),
    .rx_payload_header({gt_rx_header[0], gt_rx_header[1]}), .rx_payload_data(rx_data), .rx_signalOk(rx_ready), .rx_slip(rx_slip),
    .tx_header(tx_header), .tx_data(tx_data),
    .mem_clock(mem_clock), .mem_reset(mem_reset), .mem_calibrated(mem_calibrated),
    .mem_awvalid(mem_awvalid), .mem_awready(mem_awready), .mem_awaddr(mem_awaddr), .mem_awid(mem_awid), .mem_awlen(mem_awlen),
    .mem_awsize(mem_awsize), .mem_awburst(mem_awburst), .mem_wvalid(mem_wvalid), .mem_wready(mem_wready), .mem_wdata(mem_wdata),
    .mem_wstrb(mem_wstrb), .mem_wlast(mem_wlast), .mem_bvalid(mem_bvalid), .mem_bready(mem_bready), .mem_bid(mem_bid), .mem_bresp(mem_bresp),
    .mem_arvalid(mem_arvalid), .mem_arready(mem_arready), .mem_araddr(mem_araddr), .mem_arid(mem_arid), .mem_arlen(mem_arlen),
    .mem_arsize(mem_arsize), .mem_arburst(mem_arburst), .mem_rvalid(mem_rvalid), .mem_rready(mem_rready), .mem_rdata(mem_rdata),
    .mem_rid(mem_rid), .mem_rresp(mem_rresp), .mem_rlast(mem_rlast),
    // The port's place is 0x4_8000_0000, and the window has 2 GB: the low bits are DRAM's address.
    .window_awvalid(window_awvalid), .window_awready(window_awready), .window_awaddr(window_awaddr[30:0]), .window_awid(window_awid),
    .window_awlen(window_awlen), .window_awsize(window_awsize), .window_awburst(window_awburst), .window_wvalid(window_wvalid),
    .window_wready(window_wready), .window_wdata(window_wdata), .window_wstrb(window_wstrb), .window_wlast(window_wlast),
    .window_bvalid(window_bvalid), .window_bready(window_bready), .window_bid(window_bid), .window_bresp(window_bresp),
    .window_arvalid(window_arvalid), .window_arready(window_arready), .window_araddr(window_araddr[30:0]), .window_arid(window_arid),
    .window_arlen(window_arlen), .window_arsize(window_arsize), .window_arburst(window_arburst), .window_rvalid(window_rvalid),
    .window_rready(window_rready), .window_rdata(window_rdata), .window_rid(window_rid), .window_rresp(window_rresp), .window_rlast(window_rlast),
    .ring_awvalid(ring_awvalid), .ring_awready(ring_awready), .ring_awaddr(ring_awaddr), .ring_awid(ring_awid), .ring_awlen(ring_awlen),
    .ring_awsize(ring_awsize), .ring_awburst(ring_awburst), .ring_awcache(ring_awcache), .ring_awprot(ring_awprot), .ring_wvalid(ring_wvalid),
    .ring_wready(ring_wready), .ring_wdata(ring_wdata), .ring_wstrb(ring_wstrb), .ring_wlast(ring_wlast), .ring_bvalid(ring_bvalid),
    .ring_bready(ring_bready), .ring_bid(ring_bid[0]), .ring_bresp(ring_bresp), .ring_arvalid(ring_arvalid), .ring_arready(ring_arready),
    .ring_araddr(ring_araddr), .ring_arid(ring_arid), .ring_arlen(ring_arlen), .ring_arsize(ring_arsize), .ring_arburst(ring_arburst),
    .ring_arcache(ring_arcache), .ring_arprot(ring_arprot), .ring_rvalid(ring_rvalid), .ring_rready(ring_rready), .ring_rdata(ring_rdata),
    .ring_rid(ring_rid[0]), .ring_rresp(ring_rresp), .ring_rlast(ring_rlast),
    .regs_awvalid(regs_awvalid), .regs_awready(regs_awready), .regs_awaddr(regs_awaddr[12:0]), .regs_awprot(regs_awprot),
    .regs_wvalid(regs_wvalid), .regs_wready(regs_wready), .regs_wdata(regs_wdata), .regs_wstrb(regs_wstrb), .regs_bvalid(regs_bvalid),
    .regs_bready(regs_bready), .regs_bresp(regs_bresp), .regs_arvalid(regs_arvalid), .regs_arready(regs_arready),
    .regs_araddr(regs_araddr[12:0]), .regs_arprot(regs_arprot), .regs_rvalid(regs_rvalid), .regs_rready(regs_rready),
    .regs_rdata(regs_rdata), .regs_rresp(regs_rresp),
    .irq(irq), .build_hash(BUILD_HASH), .build_date(BUILD_DATE)
  );

  // ---- For who looks at the board: the processor's clock runs (2 Hz), DRAM is calibrated, the transmitter and the receiver are
  // out of their resets, blocks are found.
  reg [26:0] beat = 27'd0;
  always @(posedge clk) beat <= beat + 1'b1;
  assign led = {locked, rx_ready, tx_ready, mem_calibrated, beat[26]};
endmodule

`default_nettype wire
