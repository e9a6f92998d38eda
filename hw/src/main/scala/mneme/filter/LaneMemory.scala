package mneme.filter

import spinal.core._

/** A memory of wide words written in lanes of 9 bits, for UltraRAM or block RAM (`style`), which have one write enable for each of these.
  *
  * Verilog of our own: SpinalHDL writes a memory with a write mask as one array per lane, and each array would take an UltraRAM to itself.
  * One read port, whose word follows one cycle after its address; a read in the cycle of a write to the same place gives the old word.
  */
class LaneMemory(lanes: Int, words: Int, style: String = "ultra") extends BlackBox {
  setDefinitionName("LaneMemory")
  addGeneric("LANES", lanes)
  addGeneric("ADDRESS_BITS", log2Up(words))

  val clk = in Bool ()
  val readAddress = in UInt (log2Up(words) bits)
  val readData = out Bits (9 * lanes bits)
  val writeAddress = in UInt (log2Up(words) bits)
  val writeLanes = in Bits (lanes bits)
  val writeData = in Bits (9 * lanes bits)
  mapCurrentClockDomain(clk)

  setInlineVerilog("""module LaneMemory #(
    |  parameter LANES = 1,
    |  parameter ADDRESS_BITS = 1
    |) (
    |  input  wire                    clk,
    |  input  wire [ADDRESS_BITS-1:0] readAddress,
    |  output reg  [9*LANES-1:0]      readData,
    |  input  wire [ADDRESS_BITS-1:0] writeAddress,
    |  input  wire [LANES-1:0]        writeLanes,
    |  input  wire [9*LANES-1:0]      writeData
    |);
    |  (* ram_style = "ultra" *) reg [9*LANES-1:0] words [0:(1<<ADDRESS_BITS)-1];
    |  integer i;
    |  always @(posedge clk) begin
    |    readData <= words[readAddress];
    |    for (i = 0; i < LANES; i = i + 1)
    |      if (writeLanes[i]) words[writeAddress][9*i +: 9] <= writeData[9*i +: 9];
    |  end
    |endmodule
    |""".stripMargin.replace("\"ultra\"", s"\"$style\""))
}
