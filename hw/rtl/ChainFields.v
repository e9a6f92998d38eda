// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : ChainFields

`timescale 1ns/1ps

module ChainFields (
  input  wire          io_rows_valid,
  input  wire [6:0]    io_rows_payload_pair,
  input  wire [2:0]    io_rows_payload_row,
  input  wire [2:0]    io_rows_payload_value_field,
  input  wire [12:0]   io_rows_payload_value_end,
  input  wire          io_rows_payload_value_last,
  input  wire          io_secrets_valid,
  input  wire [6:0]    io_secrets_payload_pair,
  input  wire          io_secrets_payload_value_keyed,
  input  wire [63:0]   io_secrets_payload_value_key,
  input  wire [63:0]   io_secrets_payload_value_base,
  input  wire          io_messages_valid,
  output wire          io_messages_ready,
  input  wire [6:0]    io_messages_payload,
  input  wire          io_beats_valid,
  output wire          io_beats_ready,
  input  wire [511:0]  io_beats_payload,
  output wire          io_arguments_valid,
  input  wire          io_arguments_ready,
  output wire          io_arguments_payload_wrongKey,
  output wire          io_arguments_payload_outside,
  output wire [20:0]   io_arguments_payload_page,
  output wire [63:0]   io_arguments_payload_buffer,
  output wire [63:0]   io_arguments_payload_signal,
  output wire [63:0]   io_arguments_payload_magic,
  output wire [31:0]   io_arguments_payload_rkey,
  input  wire          clk,
  input  wire          reset
);
  localparam Step_idle = 3'd0;
  localparam Step_extract = 3'd1;
  localparam Step_last = 3'd2;
  localparam Step_subtract = 3'd3;
  localparam Step_judge = 3'd4;
  localparam Step_done = 3'd5;

  reg        [16:0]   rows_spinal_port1;
  reg        [128:0]  secrets_spinal_port1;
  wire       [9:0]    _zz_rows_port;
  wire       [16:0]   _zz_rows_port_1;
  wire       [128:0]  _zz_secrets_port;
  wire                _zz_rows_port_2;
  wire                _zz__zz_row_field_1;
  wire                _zz_secrets_port_1;
  wire                _zz__zz_secret_keyed;
  reg        [63:0]   _zz_bytes;
  wire       [5:0]    _zz_bytes_1;
  wire       [2:0]    _zz_next_1;
  wire       [2:0]    _zz_next_1_1;
  wire       [0:0]    _zz_next_1_2;
  reg        [2:0]    state;
  wire                isIdle;
  reg        [6:0]    pair;
  wire       [6:0]    own;
  reg        [2:0]    at;
  wire       [2:0]    next_1;
  wire       [9:0]    _zz_row_field;
  wire       [2:0]    row_field;
  wire       [12:0]   row_end;
  wire                row_last;
  wire       [16:0]   _zz_row_field_1;
  wire                secret_keyed;
  wire       [63:0]   secret_key;
  wire       [63:0]   secret_base;
  wire       [128:0]  _zz_secret_keyed;
  reg        [6:0]    beat;
  wire                io_beats_fire;
  reg        [55:0]   before_1;
  wire                inside_1;
  wire       [567:0]  window;
  wire       [63:0]   bytes;
  wire                extracts;
  reg                 taken;
  reg        [2:0]    field;
  reg        [63:0]   value;
  reg        [63:0]   tt;
  reg        [63:0]   key;
  reg        [63:0]   buffer_1;
  reg        [63:0]   signal_1;
  reg        [63:0]   magic;
  reg        [31:0]   rkey;
  reg        [63:0]   _zz_tt;
  wire       [63:0]   address;
  reg        [61:0]   difference;
  reg        [3:0]    wrong;
  reg                 wrongKey;
  reg                 outside;
  reg        [20:0]   page;
  (* ram_style = "block" *) reg [16:0] rows [0:1023];
  (* ram_style = "block" *) reg [128:0] secrets [0:127];

  assign _zz_next_1 = (at + _zz_next_1_1);
  assign _zz_next_1_2 = extracts;
  assign _zz_next_1_1 = {2'd0, _zz_next_1_2};
  assign _zz_rows_port = {io_rows_payload_pair,io_rows_payload_row};
  assign _zz_rows_port_1 = {io_rows_payload_value_last,{io_rows_payload_value_end,io_rows_payload_value_field}};
  assign _zz__zz_row_field_1 = 1'b1;
  assign _zz_secrets_port = {io_secrets_payload_value_base,{io_secrets_payload_value_key,io_secrets_payload_value_keyed}};
  assign _zz__zz_secret_keyed = 1'b1;
  assign _zz_bytes_1 = row_end[5 : 0];
  always @(posedge clk) begin
    if(io_rows_valid) begin
      rows[_zz_rows_port] <= _zz_rows_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_row_field_1) begin
      rows_spinal_port1 <= rows[_zz_row_field];
    end
  end

  always @(posedge clk) begin
    if(io_secrets_valid) begin
      secrets[io_secrets_payload_pair] <= _zz_secrets_port;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_secret_keyed) begin
      secrets_spinal_port1 <= secrets[own];
    end
  end

  always @(*) begin
    case(_zz_bytes_1)
      6'b000000 : _zz_bytes = window[63 : 0];
      6'b000001 : _zz_bytes = window[71 : 8];
      6'b000010 : _zz_bytes = window[79 : 16];
      6'b000011 : _zz_bytes = window[87 : 24];
      6'b000100 : _zz_bytes = window[95 : 32];
      6'b000101 : _zz_bytes = window[103 : 40];
      6'b000110 : _zz_bytes = window[111 : 48];
      6'b000111 : _zz_bytes = window[119 : 56];
      6'b001000 : _zz_bytes = window[127 : 64];
      6'b001001 : _zz_bytes = window[135 : 72];
      6'b001010 : _zz_bytes = window[143 : 80];
      6'b001011 : _zz_bytes = window[151 : 88];
      6'b001100 : _zz_bytes = window[159 : 96];
      6'b001101 : _zz_bytes = window[167 : 104];
      6'b001110 : _zz_bytes = window[175 : 112];
      6'b001111 : _zz_bytes = window[183 : 120];
      6'b010000 : _zz_bytes = window[191 : 128];
      6'b010001 : _zz_bytes = window[199 : 136];
      6'b010010 : _zz_bytes = window[207 : 144];
      6'b010011 : _zz_bytes = window[215 : 152];
      6'b010100 : _zz_bytes = window[223 : 160];
      6'b010101 : _zz_bytes = window[231 : 168];
      6'b010110 : _zz_bytes = window[239 : 176];
      6'b010111 : _zz_bytes = window[247 : 184];
      6'b011000 : _zz_bytes = window[255 : 192];
      6'b011001 : _zz_bytes = window[263 : 200];
      6'b011010 : _zz_bytes = window[271 : 208];
      6'b011011 : _zz_bytes = window[279 : 216];
      6'b011100 : _zz_bytes = window[287 : 224];
      6'b011101 : _zz_bytes = window[295 : 232];
      6'b011110 : _zz_bytes = window[303 : 240];
      6'b011111 : _zz_bytes = window[311 : 248];
      6'b100000 : _zz_bytes = window[319 : 256];
      6'b100001 : _zz_bytes = window[327 : 264];
      6'b100010 : _zz_bytes = window[335 : 272];
      6'b100011 : _zz_bytes = window[343 : 280];
      6'b100100 : _zz_bytes = window[351 : 288];
      6'b100101 : _zz_bytes = window[359 : 296];
      6'b100110 : _zz_bytes = window[367 : 304];
      6'b100111 : _zz_bytes = window[375 : 312];
      6'b101000 : _zz_bytes = window[383 : 320];
      6'b101001 : _zz_bytes = window[391 : 328];
      6'b101010 : _zz_bytes = window[399 : 336];
      6'b101011 : _zz_bytes = window[407 : 344];
      6'b101100 : _zz_bytes = window[415 : 352];
      6'b101101 : _zz_bytes = window[423 : 360];
      6'b101110 : _zz_bytes = window[431 : 368];
      6'b101111 : _zz_bytes = window[439 : 376];
      6'b110000 : _zz_bytes = window[447 : 384];
      6'b110001 : _zz_bytes = window[455 : 392];
      6'b110010 : _zz_bytes = window[463 : 400];
      6'b110011 : _zz_bytes = window[471 : 408];
      6'b110100 : _zz_bytes = window[479 : 416];
      6'b110101 : _zz_bytes = window[487 : 424];
      6'b110110 : _zz_bytes = window[495 : 432];
      6'b110111 : _zz_bytes = window[503 : 440];
      6'b111000 : _zz_bytes = window[511 : 448];
      6'b111001 : _zz_bytes = window[519 : 456];
      6'b111010 : _zz_bytes = window[527 : 464];
      6'b111011 : _zz_bytes = window[535 : 472];
      6'b111100 : _zz_bytes = window[543 : 480];
      6'b111101 : _zz_bytes = window[551 : 488];
      6'b111110 : _zz_bytes = window[559 : 496];
      default : _zz_bytes = window[567 : 504];
    endcase
  end

  assign isIdle = (state == Step_idle);
  assign own = (isIdle ? io_messages_payload : pair);
  assign _zz_row_field = {own,next_1};
  assign _zz_row_field_1 = rows_spinal_port1;
  assign row_field = _zz_row_field_1[2 : 0];
  assign row_end = _zz_row_field_1[15 : 3];
  assign row_last = _zz_row_field_1[16];
  assign _zz_secret_keyed = secrets_spinal_port1;
  assign secret_keyed = _zz_secret_keyed[0];
  assign secret_key = _zz_secret_keyed[64 : 1];
  assign secret_base = _zz_secret_keyed[128 : 65];
  assign io_beats_fire = (io_beats_valid && io_beats_ready);
  assign inside_1 = (row_end[12 : 6] == beat);
  assign window = {io_beats_payload,before_1};
  assign bytes = _zz_bytes;
  assign extracts = (((state == Step_extract) && io_beats_valid) && inside_1);
  assign io_beats_ready = ((state == Step_extract) && (! inside_1));
  assign next_1 = (isIdle ? 3'b000 : _zz_next_1);
  always @(*) begin
    _zz_tt[63 : 56] = value[7 : 0];
    _zz_tt[55 : 48] = value[15 : 8];
    _zz_tt[47 : 40] = value[23 : 16];
    _zz_tt[39 : 32] = value[31 : 24];
    _zz_tt[31 : 24] = value[39 : 32];
    _zz_tt[23 : 16] = value[47 : 40];
    _zz_tt[15 : 8] = value[55 : 48];
    _zz_tt[7 : 0] = value[63 : 56];
  end

  assign address = tt;
  assign io_messages_ready = isIdle;
  assign io_arguments_valid = (state == Step_done);
  assign io_arguments_payload_wrongKey = wrongKey;
  assign io_arguments_payload_outside = outside;
  assign io_arguments_payload_page = page;
  assign io_arguments_payload_buffer = buffer_1;
  assign io_arguments_payload_signal = signal_1;
  assign io_arguments_payload_magic = magic;
  assign io_arguments_payload_rkey = rkey;
  always @(posedge clk) begin
    if(reset) begin
      state <= Step_idle;
      taken <= 1'b0;
    end else begin
      taken <= extracts;
      case(state)
        Step_idle : begin
          if(io_messages_valid) begin
            state <= Step_extract;
          end
        end
        Step_extract : begin
          if((extracts && row_last)) begin
            state <= Step_last;
          end
        end
        Step_last : begin
          state <= Step_subtract;
        end
        Step_subtract : begin
          state <= Step_judge;
        end
        Step_judge : begin
          state <= Step_done;
        end
        default : begin
          if(io_arguments_ready) begin
            state <= Step_idle;
          end
        end
      endcase
    end
  end

  always @(posedge clk) begin
    if(isIdle) begin
      pair <= io_messages_payload;
    end
    at <= next_1;
    if(io_beats_fire) begin
      before_1 <= io_beats_payload[511 : 456];
    end
    field <= row_field;
    value <= bytes;
    if(taken) begin
      case(field)
        3'b001 : begin
          tt <= _zz_tt;
        end
        3'b010 : begin
          buffer_1 <= _zz_tt;
        end
        3'b011 : begin
          signal_1 <= _zz_tt;
        end
        3'b100 : begin
          magic <= value;
        end
        3'b101 : begin
          rkey <= _zz_tt[31 : 0];
        end
        3'b110 : begin
          key <= _zz_tt;
        end
        default : begin
        end
      endcase
    end
    case(state)
      Step_idle : begin
        beat <= 7'h0;
      end
      Step_extract : begin
        if(io_beats_fire) begin
          beat <= (beat + 7'h01);
        end
      end
      Step_last : begin
      end
      Step_subtract : begin
        difference <= ({1'b0,address[63 : 3]} - {1'b0,secret_base[63 : 3]});
        wrong[0] <= (key[15 : 0] != secret_key[15 : 0]);
        wrong[1] <= (key[31 : 16] != secret_key[31 : 16]);
        wrong[2] <= (key[47 : 32] != secret_key[47 : 32]);
        wrong[3] <= (key[63 : 48] != secret_key[63 : 48]);
      end
      Step_judge : begin
        wrongKey <= (secret_keyed && (|wrong));
        outside <= (difference[61] || (|difference[60 : 21]));
        page <= difference[20:0];
      end
      default : begin
      end
    endcase
  end


endmodule
