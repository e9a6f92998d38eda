// The DRAM controller: ports as LiteDRAM's pinned generator writes them for litedram.yml, its two pins of both directions mended, which the
// bitstream's build compares with what was generated. Lint looks at the board's connections with it. Inside, for the board's simulation
// at its pins, there are registers that keep what they are told, and a memory behind AXI; the chip's pins are quiet.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off BLKSEQ */
`default_nettype none

module litedram_core (
  input  wire          clk,
  output wire   [14:0] ddram_a,
  output wire    [2:0] ddram_ba,
  output wire          ddram_cas_n,
  output wire          ddram_cke,
  input  wire          ddram_clk_n,
  output wire          ddram_clk_p,
  output wire          ddram_cs_n,
  output wire    [1:0] ddram_dm,
  inout  wire   [15:0] ddram_dq,
  input  wire    [1:0] ddram_dqs_n,
  inout  wire    [1:0] ddram_dqs_p,
  output wire          ddram_odt,
  output wire          ddram_ras_n,
  output wire          ddram_reset_n,
  output wire          ddram_we_n,
  output wire          init_done,
  output wire          init_error,
  output wire          pll_locked,
  input  wire          rst,
  output wire          user_clk,
  input  wire   [28:0] user_port_axi_0_araddr,
  input  wire    [1:0] user_port_axi_0_arburst,
  input  wire          user_port_axi_0_arid,
  input  wire    [7:0] user_port_axi_0_arlen,
  output wire          user_port_axi_0_arready,
  input  wire    [3:0] user_port_axi_0_arsize,
  input  wire          user_port_axi_0_arvalid,
  input  wire   [28:0] user_port_axi_0_awaddr,
  input  wire    [1:0] user_port_axi_0_awburst,
  input  wire          user_port_axi_0_awid,
  input  wire    [7:0] user_port_axi_0_awlen,
  output wire          user_port_axi_0_awready,
  input  wire    [3:0] user_port_axi_0_awsize,
  input  wire          user_port_axi_0_awvalid,
  output wire          user_port_axi_0_bid,
  input  wire          user_port_axi_0_bready,
  output wire    [1:0] user_port_axi_0_bresp,
  output wire          user_port_axi_0_bvalid,
  output wire   [63:0] user_port_axi_0_rdata,
  output wire          user_port_axi_0_rid,
  output wire          user_port_axi_0_rlast,
  input  wire          user_port_axi_0_rready,
  output wire    [1:0] user_port_axi_0_rresp,
  output wire          user_port_axi_0_rvalid,
  input  wire   [63:0] user_port_axi_0_wdata,
  input  wire          user_port_axi_0_wlast,
  output wire          user_port_axi_0_wready,
  input  wire    [7:0] user_port_axi_0_wstrb,
  input  wire          user_port_axi_0_wvalid,
  output wire          user_rst,
  output wire          wb_ctrl_ack,
  input  wire   [29:0] wb_ctrl_adr,
  input  wire    [1:0] wb_ctrl_bte,
  input  wire    [2:0] wb_ctrl_cti,
  input  wire          wb_ctrl_cyc,
  output wire   [31:0] wb_ctrl_dat_r,
  input  wire   [31:0] wb_ctrl_dat_w,
  output wire          wb_ctrl_err,
  input  wire    [3:0] wb_ctrl_sel,
  input  wire          wb_ctrl_stb,
  input  wire          wb_ctrl_we
);
  // --- Clock and reset: 75 MHz, and in reset for some cycles.
  reg clock = 1'b0;
  always #6.667 clock = !clock;
  assign user_clk = clock;
  reg [3:0] resets = 4'hf;
  always @(posedge clock or posedge rst)
    if (rst) resets <= 4'hf;
    else resets <= {resets[2:0], 1'b0};
  assign user_rst = resets[3];
  assign pll_locked = !user_rst;

  // --- Registers, by the number of their word; `init_done` is the first, `init_error` the second.
  reg [31:0] registers[0:2047];
  integer i;
  initial for (i = 0; i < 2048; i = i + 1) registers[i] = 32'h0;
  assign init_done = registers[0][0];
  assign init_error = registers[1][0];
  wire selected = wb_ctrl_cyc && wb_ctrl_stb;
  reg acknowledged;
  assign wb_ctrl_ack = acknowledged;
  assign wb_ctrl_err = 1'b0;
  assign wb_ctrl_dat_r = registers[wb_ctrl_adr[10:0]];
  always @(posedge clock) begin
    acknowledged <= selected && !acknowledged && !user_rst;
    if (selected && !acknowledged && !user_rst && wb_ctrl_we) registers[wb_ctrl_adr[10:0]] <= wb_ctrl_dat_w;
  end

  // --- Memory in words of eight bytes, which begins with zeros.
  reg [63:0] memory[bit [25:0]];
  function automatic [63:0] word(input [25:0] at);
    word = memory.exists(at) != 0 ? memory[at] : 64'h0;
  endfunction

  // One burst each way at a time.
  reg writing, answering;
  reg [25:0] write_at;
  assign user_port_axi_0_awready = !writing && !answering && !user_rst;
  assign user_port_axi_0_wready = writing;
  assign user_port_axi_0_bvalid = answering;
  assign user_port_axi_0_bid = 1'b0;
  assign user_port_axi_0_bresp = 2'b00;
  reg [63:0] merged;
  always @(posedge clock)
    if (user_rst) {writing, answering} <= 2'b00;
    else begin
      if (user_port_axi_0_awvalid && user_port_axi_0_awready) begin
        write_at <= user_port_axi_0_awaddr[28:3];
        writing <= 1'b1;
      end
      if (user_port_axi_0_wvalid && writing) begin
        merged = word(write_at);
        for (i = 0; i < 8; i = i + 1) if (user_port_axi_0_wstrb[i]) merged[8 * i +: 8] = user_port_axi_0_wdata[8 * i +: 8];
        memory[write_at] = merged;
        write_at <= write_at + 26'h1;
        if (user_port_axi_0_wlast) {writing, answering} <= 2'b01;
      end
      if (answering && user_port_axi_0_bready) answering <= 1'b0;
    end

  reg reading;
  reg [25:0] read_at;
  reg [7:0] left;
  reg [63:0] read_word;
  assign user_port_axi_0_arready = !reading && !user_rst;
  assign user_port_axi_0_rvalid = reading;
  assign user_port_axi_0_rdata = read_word;
  assign user_port_axi_0_rlast = left == 8'h0;
  assign user_port_axi_0_rid = 1'b0;
  assign user_port_axi_0_rresp = 2'b00;
  always @(posedge clock)
    if (user_rst) reading <= 1'b0;
    else if (user_port_axi_0_arvalid && user_port_axi_0_arready) begin
      reading <= 1'b1;
      left <= user_port_axi_0_arlen;
      read_at <= user_port_axi_0_araddr[28:3] + 26'h1;
      read_word <= word(user_port_axi_0_araddr[28:3]);
    end else if (reading && user_port_axi_0_rready) begin
      left <= left - 8'h1;
      read_at <= read_at + 26'h1;
      read_word <= word(read_at);
      if (left == 8'h0) reading <= 1'b0;
    end
endmodule

`default_nettype wire
