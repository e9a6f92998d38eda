// The cells of an ECP5 around Ecpix5: clocks, both edges of RGMII's pins, the DDR3 controller (LiteDRAM, generated beside).
// docs/reference/ecpix5.md §5. Nothing of it has run on hardware.
module Ecpix5Board #(
  parameter [47:0]  BOARD_MAC  = 48'h0,
  parameter [47:0]  HOST_MAC   = 48'h0,
  parameter [127:0] HOST_KEY   = 128'h0,
  parameter [31:0]  BUILD_HASH = 32'h0,
  parameter [31:0]  BUILD_DATE = 32'h0
) (
  input  wire        clk100,
  input  wire        rst_n,
  output wire        eth_tx_clk,
  output wire        eth_tx_ctl,
  output wire [3:0]  eth_tx_data,
  input  wire        eth_rx_clk,
  input  wire        eth_rx_ctl,
  input  wire [3:0]  eth_rx_data,
  output wire        eth_rst_n,
  output wire        eth_mdc,
  output wire [14:0] ddram_a,
  output wire [2:0]  ddram_ba,
  output wire        ddram_ras_n,
  output wire        ddram_cas_n,
  output wire        ddram_we_n,
  output wire [1:0]  ddram_dm,
  inout  wire [15:0] ddram_dq,
  inout  wire [1:0]  ddram_dqs_p,
  output wire        ddram_clk_p,
  output wire        ddram_cke,
  output wire        ddram_odt,
  // Lit low: the host has calibrated DRAM.
  output wire        led_n
);
  // 100 MHz / 4 * 5 = 125 MHz for RGMII, from an oscillator of 500 MHz; a twelfth of that for the core, 41.7 MHz.
  wire core_clock, tx_clock, locked;
  (* FREQUENCY_PIN_CLKI = "100", FREQUENCY_PIN_CLKOP = "125", FREQUENCY_PIN_CLKOS = "41.6667" *)
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .CLKI_DIV(4), .CLKFB_DIV(5), .FEEDBK_PATH("CLKOP"),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(4), .CLKOP_CPHASE(3), .CLKOP_FPHASE(0),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(12), .CLKOS_CPHASE(11), .CLKOS_FPHASE(0)
  ) pll (
    .RST(1'b0), .STDBY(1'b0), .CLKI(clk100), .CLKOP(tx_clock), .CLKOS(core_clock), .CLKFB(tx_clock), .CLKINTFB(),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0),
    .ENCLKOP(1'b0), .LOCK(locked)
  );
  reg [3:0] core_reset = 4'hf;
  always @(posedge core_clock) core_reset <= {core_reset[2:0], !(locked && rst_n)};

  // The transceiver's reset takes 10 ms at least; this is 10.5.
  reg [20:0] settled = 21'h0;
  always @(posedge clk100)
    if (!rst_n) settled <= 21'h0;
    else if (!settled[20]) settled <= settled + 21'h1;
  assign eth_rst_n = settled[20];
  // Its registers keep what its straps say: 1 Gbit/s, autonegotiation, delays of its own on receive.
  assign eth_mdc = 1'b0;

  // --- RGMII: five pins each way, the control one last.
  wire [4:0] rx_pins = {eth_rx_ctl, eth_rx_data};
  wire [4:0] tx_pins, rx_rise, rx_fall, tx_rise, tx_fall;
  assign {eth_tx_ctl, eth_tx_data} = tx_pins;
  genvar i;
  generate
    for (i = 0; i < 5; i = i + 1) begin : pins
      IDDRX1F in (.D(rx_pins[i]), .SCLK(eth_rx_clk), .RST(1'b0), .Q0(rx_rise[i]), .Q1(rx_fall[i]));
      ODDRX1F out (.D0(tx_rise[i]), .D1(tx_fall[i]), .SCLK(tx_clock), .RST(1'b0), .Q(tx_pins[i]));
    end
  endgenerate
  // The clock leaves 2 ns behind the data, 80 steps of 25 ps.
  wire tx_clock_pin;
  ODDRX1F clock_out (.D0(1'b1), .D1(1'b0), .SCLK(tx_clock), .RST(1'b0), .Q(tx_clock_pin));
  DELAYG #(.DEL_MODE("USER_DEFINED"), .DEL_VALUE(80)) clock_delay (.A(tx_clock_pin), .Z(eth_tx_clk));

  // --- DRAM.
  wire mem_clock, mem_reset, mem_calibrated, mem_failed;
  wire mem_awvalid, mem_awready, mem_wvalid, mem_wready, mem_bvalid, mem_bready;
  wire mem_arvalid, mem_arready, mem_rvalid, mem_rready, mem_wlast, mem_rlast;
  wire [28:0] mem_awaddr, mem_araddr;
  wire [0:0]  mem_awid, mem_arid, mem_bid, mem_rid;
  wire [7:0]  mem_awlen, mem_arlen, mem_wstrb;
  wire [2:0]  mem_awsize, mem_arsize;
  wire [1:0]  mem_awburst, mem_arburst, mem_bresp, mem_rresp;
  wire [63:0] mem_wdata, mem_rdata;
  wire [13:0] ctrl_adr;
  wire [31:0] ctrl_dat_w, ctrl_dat_r;
  wire ctrl_stb, ctrl_we, ctrl_ack, ctrl_err;
  assign led_n = !mem_calibrated;

  litedram_core dram (
    .clk(clk100), .rst(!rst_n), .pll_locked(),
    .ddram_a(ddram_a), .ddram_ba(ddram_ba), .ddram_ras_n(ddram_ras_n), .ddram_cas_n(ddram_cas_n), .ddram_we_n(ddram_we_n),
    .ddram_dm(ddram_dm), .ddram_dq(ddram_dq), .ddram_dqs_p(ddram_dqs_p), .ddram_dqs_n(2'b0), .ddram_clk_p(ddram_clk_p),
    .ddram_clk_n(1'b0), .ddram_cke(ddram_cke), .ddram_odt(ddram_odt), .ddram_cs_n(), .ddram_reset_n(),
    .init_done(mem_calibrated), .init_error(mem_failed), .user_clk(mem_clock), .user_rst(mem_reset),
    .user_port_axi_0_awvalid(mem_awvalid), .user_port_axi_0_awready(mem_awready), .user_port_axi_0_awaddr(mem_awaddr),
    .user_port_axi_0_awid(mem_awid), .user_port_axi_0_awlen(mem_awlen), .user_port_axi_0_awsize({1'b0, mem_awsize}),
    .user_port_axi_0_awburst(mem_awburst),
    .user_port_axi_0_wvalid(mem_wvalid), .user_port_axi_0_wready(mem_wready), .user_port_axi_0_wdata(mem_wdata),
    .user_port_axi_0_wstrb(mem_wstrb), .user_port_axi_0_wlast(mem_wlast),
    .user_port_axi_0_bvalid(mem_bvalid), .user_port_axi_0_bready(mem_bready), .user_port_axi_0_bid(mem_bid),
    .user_port_axi_0_bresp(mem_bresp),
    .user_port_axi_0_arvalid(mem_arvalid), .user_port_axi_0_arready(mem_arready), .user_port_axi_0_araddr(mem_araddr),
    .user_port_axi_0_arid(mem_arid), .user_port_axi_0_arlen(mem_arlen), .user_port_axi_0_arsize({1'b0, mem_arsize}),
    .user_port_axi_0_arburst(mem_arburst),
    .user_port_axi_0_rvalid(mem_rvalid), .user_port_axi_0_rready(mem_rready), .user_port_axi_0_rdata(mem_rdata),
    .user_port_axi_0_rid(mem_rid), .user_port_axi_0_rresp(mem_rresp), .user_port_axi_0_rlast(mem_rlast),
    .wb_ctrl_adr({16'h0, ctrl_adr}), .wb_ctrl_dat_w(ctrl_dat_w), .wb_ctrl_dat_r(ctrl_dat_r), .wb_ctrl_sel(4'hf),
    .wb_ctrl_cyc(ctrl_stb), .wb_ctrl_stb(ctrl_stb), .wb_ctrl_we(ctrl_we), .wb_ctrl_ack(ctrl_ack), .wb_ctrl_err(ctrl_err),
    .wb_ctrl_cti(3'h0), .wb_ctrl_bte(2'h0)
  );

  Ecpix5 board (
    .clk(core_clock), .reset(core_reset[3]),
    .rx_clock(eth_rx_clk), .rx_rise_data(rx_rise[3:0]), .rx_rise_control(rx_rise[4]), .rx_fall_data(rx_fall[3:0]),
    .rx_fall_control(rx_fall[4]),
    .tx_clock(tx_clock), .tx_rise_data(tx_rise[3:0]), .tx_rise_control(tx_rise[4]), .tx_fall_data(tx_fall[3:0]),
    .tx_fall_control(tx_fall[4]),
    .mem_clock(mem_clock), .mem_reset(mem_reset), .mem_calibrated(mem_calibrated && !mem_failed),
    .mem_awvalid(mem_awvalid), .mem_awready(mem_awready), .mem_awaddr(mem_awaddr), .mem_awid(mem_awid), .mem_awlen(mem_awlen),
    .mem_awsize(mem_awsize), .mem_awburst(mem_awburst),
    .mem_wvalid(mem_wvalid), .mem_wready(mem_wready), .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_wlast(mem_wlast),
    .mem_bvalid(mem_bvalid), .mem_bready(mem_bready), .mem_bid(mem_bid), .mem_bresp(mem_bresp),
    .mem_arvalid(mem_arvalid), .mem_arready(mem_arready), .mem_araddr(mem_araddr), .mem_arid(mem_arid), .mem_arlen(mem_arlen),
    .mem_arsize(mem_arsize), .mem_arburst(mem_arburst),
    .mem_rvalid(mem_rvalid), .mem_rready(mem_rready), .mem_rdata(mem_rdata), .mem_rid(mem_rid), .mem_rresp(mem_rresp),
    .mem_rlast(mem_rlast),
    .ctrl_adr(ctrl_adr), .ctrl_dat_w(ctrl_dat_w), .ctrl_dat_r(ctrl_dat_r), .ctrl_stb(ctrl_stb), .ctrl_we(ctrl_we),
    .ctrl_ack(ctrl_ack || ctrl_err),
    .identity_board(BOARD_MAC), .identity_host(HOST_MAC), .identity_key(HOST_KEY),
    .build_hash(BUILD_HASH), .build_date(BUILD_DATE)
  );
endmodule
