// What the cells do that Yosys makes the ECPIX-5's core of, for the differential test of its netlist
// (`cargo xtask differential --netlist`). Ours, and not Yosys' own models; which pin of a block RAM carries which bit is taken from
// Yosys' mapping (`lattice/brams_map_16kd.v`). The core uses each cell in one way, and there is no other here: where one is used
// otherwise, Verilator finds no module `unknown_use`.
//
// Memories begin with anything, as they do in the RTL; of one with two readers Yosys makes two copies, which begin differently. What is read
// from a block RAM in the cycle of its write is wrong on purpose: the device does not say what it is.

module LUT4 (input A, B, C, D, output Z);
  parameter [15:0] INIT = 0;
  assign Z = INIT[{D, C, B, A}];
endmodule

// Two look-up tables with a carry chain: each table is one that adds, `INIT[3:0]` the carry that it makes by itself.
module CCU2C (input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
  parameter [15:0] INIT0 = 0;
  parameter [15:0] INIT1 = 0;
  parameter INJECT1_0 = "YES";
  parameter INJECT1_1 = "YES";
  if (INJECT1_0 != "NO" || INJECT1_1 != "NO") unknown_use injects();
  wire passes0 = INIT0[{D0, C0, B0, A0}];
  wire passes1 = INIT1[{D1, C1, B1, A1}];
  wire carry = passes0 ? CIN : INIT0[{2'b00, B0, A0}];
  assign S0 = passes0 ^ CIN;
  assign S1 = passes1 ^ carry;
  assign COUT = passes1 ? carry : INIT1[{2'b00, B1, A1}];
endmodule

// The global reset, which ends the configuration, has set each to its reset value.
module TRELLIS_FF (input CLK, LSR, CE, DI, output reg Q);
  parameter GSR = "ENABLED";
  parameter CEMUX = "1";
  parameter CLKMUX = "CLK";
  parameter LSRMUX = "LSR";
  parameter SRMODE = "LSR_OVER_CE";
  parameter REGSET = "RESET";
  if (CLKMUX != "CLK" || LSRMUX != "LSR" || SRMODE != "LSR_OVER_CE") unknown_use clock_or_reset();
  if (CEMUX != "1" && CEMUX != "CE" && CEMUX != "INV") unknown_use enable();
  wire enabled = CEMUX == "1" || (CEMUX == "INV" ? !CE : CE);
  initial Q = REGSET == "SET";
  always @(posedge CLK) begin
    if (LSR) Q <= REGSET == "SET";
    else if (enabled) Q <= DI;
  end
endmodule

// 16 words of four bits in look-up tables: written by the clock, read at once.
module TRELLIS_DPR16X4 (input [3:0] DI, WAD, RAD, input WRE, WCK, output [3:0] DO);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter [63:0] INITVAL = 0;
  if (WCKMUX != "WCK" || WREMUX != "WRE") unknown_use clock_or_enable();
  if (INITVAL !== 64'bx) unknown_use contents();
  reg [3:0] words [0:15];
  always @(posedge WCK) if (WRE) words[WAD] <= DI;
  assign DO = words[RAD];
endmodule

// 512 words of 36 bits: written at port A in lanes of nine bits, read at port B. The low half goes by the pins of A, the high one by
// those of B, both ways.
module DP16KD (
  input DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
  input DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17,
  input ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
  input ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
  input CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2,
  input CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
  output DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
  output DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG";
  parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000";
  parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB";
  parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL";
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC", GSR = "ENABLED";
  parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0;
  parameter [319:0] INITVAL_06 = 0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0;
  parameter [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0;
  parameter [319:0] INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0;
  parameter [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C = 0, INITVAL_1D = 0;
  parameter [319:0] INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0;
  parameter [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 = 0, INITVAL_29 = 0;
  parameter [319:0] INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0;
  parameter [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0;
  parameter [319:0] INITVAL_36 = 0, INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0;
  parameter [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;
  if (DATA_WIDTH_A != 36 || DATA_WIDTH_B != 36 || REGMODE_B != "NOREG") unknown_use width_or_stages();
  if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000") unknown_use ports();

  wire [8:0] to = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5};
  wire [8:0] from = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5};
  wire writes = CEA && WEA && {CSA2, CSA1, CSA0} == 0;
  wire [3:0] lanes = {4{writes}} & {ADA3, ADA2, ADA1, ADA0};
  wire [35:0] written = {{9{lanes[3]}}, {9{lanes[2]}}, {9{lanes[1]}}, {9{lanes[0]}}};
  wire [35:0] data = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };
  reg [35:0] words [0:511];
  reg [35:0] word;
  always @(posedge CLKA) if (writes) words[to] <= (words[to] & ~written) | (data & written);
  // A bit that is read while it is written is neither the old one nor the new one where these are the same.
  wire [35:0] clashes = to == from ? written : 36'd0;
  always @(posedge CLKB)
    if (CEB && {CSB2, CSB1, CSB0} == 0) word <= (words[from] & ~clashes) | (~(words[from] | data) & clashes);
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0,
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0
  } = word;
endmodule
