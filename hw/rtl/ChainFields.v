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
  reg        [119:0]  _zz_near;
  wire       [2:0]    _zz_near_1;
  reg        [63:0]   _zz_bytes;
  wire       [2:0]    _zz_bytes_1;
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
  wire       [119:0]  near;
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
  assign _zz_near_1 = row_end[5 : 3];
  assign _zz_bytes_1 = row_end[2 : 0];
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
    case(_zz_near_1)
      3'b000 : _zz_near = window[119 : 0];
      3'b001 : _zz_near = window[183 : 64];
      3'b010 : _zz_near = window[247 : 128];
      3'b011 : _zz_near = window[311 : 192];
      3'b100 : _zz_near = window[375 : 256];
      3'b101 : _zz_near = window[439 : 320];
      3'b110 : _zz_near = window[503 : 384];
      default : _zz_near = window[567 : 448];
    endcase
  end

  always @(*) begin
    case(_zz_bytes_1)
      3'b000 : _zz_bytes = near[63 : 0];
      3'b001 : _zz_bytes = near[71 : 8];
      3'b010 : _zz_bytes = near[79 : 16];
      3'b011 : _zz_bytes = near[87 : 24];
      3'b100 : _zz_bytes = near[95 : 32];
      3'b101 : _zz_bytes = near[103 : 40];
      3'b110 : _zz_bytes = near[111 : 48];
      default : _zz_bytes = near[119 : 56];
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
  assign near = _zz_near;
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
