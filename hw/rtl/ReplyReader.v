// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : ReplyReader

`timescale 1ns/1ps

module ReplyReader (
  input  wire          io_departures_valid,
  output wire          io_departures_ready,
  input  wire          io_departures_payload_sends,
  input  wire [6:0]    io_departures_payload_pair,
  input  wire [47:0]   io_departures_payload_packet_dstMac,
  input  wire [31:0]   io_departures_payload_packet_dstIp,
  input  wire [15:0]   io_departures_payload_packet_srcPort,
  input  wire [7:0]    io_departures_payload_packet_opcode,
  input  wire [15:0]   io_departures_payload_packet_pkey,
  input  wire [23:0]   io_departures_payload_packet_destQp,
  input  wire [23:0]   io_departures_payload_packet_psn,
  input  wire          io_departures_payload_packet_ackRequest,
  input  wire [7:0]    io_departures_payload_packet_syndrome,
  input  wire [23:0]   io_departures_payload_packet_msn,
  input  wire [63:0]   io_departures_payload_packet_original,
  input  wire [12:0]   io_departures_payload_packet_payload,
  input  wire [63:0]   io_departures_payload_va,
  input  wire [31:0]   io_departures_payload_rkey,
  input  wire [31:0]   io_departures_payload_length,
  input  wire [31:0]   io_departures_payload_immediate,
  input  wire [1:0]    io_departures_payload_source,
  input  wire [18:0]   io_departures_payload_frame,
  input  wire [11:0]   io_departures_payload_offset,
  input  wire [63:0]   io_departures_payload_word,
  input  wire          io_departures_payload_ends,
  input  wire          io_departures_payload_epoch,
  output wire          io_frames_tokens_valid,
  input  wire          io_frames_tokens_ready,
  output wire [5:0]    io_frames_tokens_payload_context,
  output wire          io_frames_tokens_payload_writes,
  output wire [30:0]   io_frames_tokens_payload_address,
  output wire [15:0]   io_frames_tokens_payload_length,
  output wire [7:0]    io_frames_tokens_payload_dataOffset,
  input  wire          io_frames_data_fetch_valid,
  output wire          io_frames_data_fetch_ready,
  input  wire [5:0]    io_frames_data_fetch_payload_context,
  input  wire [4:0]    io_frames_data_fetch_payload_beat,
  output wire          io_frames_data_fetched_valid,
  output wire [511:0]  io_frames_data_fetched_payload,
  input  wire [5:0]    io_frames_data_operandsOf,
  output wire [127:0]  io_frames_data_operands,
  input  wire          io_frames_data_completions_valid,
  output wire          io_frames_data_completions_ready,
  input  wire [5:0]    io_frames_data_completions_payload_context,
  input  wire [4:0]    io_frames_data_completions_payload_report_outcome_status,
  input  wire [47:0]   io_frames_data_completions_payload_report_outcome_detailVa,
  input  wire [15:0]   io_frames_data_completions_payload_report_outcome_detailLength,
  input  wire          io_frames_data_completions_payload_report_zeros,
  input  wire          io_frames_data_completions_payload_report_resumed,
  input  wire          io_frames_data_completions_payload_report_slow,
  input  wire [23:0]   io_frames_data_completions_payload_report_tickResume,
  input  wire [63:0]   io_frames_data_completions_payload_old,
  input  wire          io_frames_data_payload_valid,
  output wire          io_frames_data_payload_ready,
  input  wire [511:0]  io_frames_data_payload_payload_data,
  input  wire          io_frames_data_payload_payload_error,
  output wire          io_packets_valid,
  input  wire          io_packets_ready,
  output wire [47:0]   io_packets_payload_dstMac,
  output wire [31:0]   io_packets_payload_dstIp,
  output wire [15:0]   io_packets_payload_srcPort,
  output wire [7:0]    io_packets_payload_opcode,
  output wire [15:0]   io_packets_payload_pkey,
  output wire [23:0]   io_packets_payload_destQp,
  output wire [23:0]   io_packets_payload_psn,
  output wire          io_packets_payload_ackRequest,
  output wire [7:0]    io_packets_payload_syndrome,
  output wire [23:0]   io_packets_payload_msn,
  output wire [63:0]   io_packets_payload_original,
  output wire [12:0]   io_packets_payload_payload,
  output wire [63:0]   io_packets_payload_write_va,
  output wire [31:0]   io_packets_payload_write_rkey,
  output wire [31:0]   io_packets_payload_write_length,
  output wire [31:0]   io_packets_payload_write_immediate,
  output wire          io_payload_valid,
  input  wire          io_payload_ready,
  output wire [511:0]  io_payload_payload_data,
  output wire          io_payload_payload_error,
  output wire          io_ends_valid,
  output wire          io_ends_payload,
  output wire          io_failed_valid,
  output wire [6:0]    io_failed_payload,
  output wire [4:0]    io_inside,
  output wire          io_over,
  output wire          io_idle,
  input  wire          clk,
  input  wire          reset
);
  localparam ReplySource_FRAME = 2'd0;
  localparam ReplySource_ZEROS = 2'd1;
  localparam ReplySource_WORD = 2'd2;

  wire       [5:0]    jobs_io_push_payload_lastBeat;
  wire                jobs_io_pop_ready;
  wire                packets_io_push_valid;
  wire                packets_io_pop_ready;
  wire                jobs_io_push_ready;
  wire                jobs_io_pop_valid;
  wire                jobs_io_pop_payload_sends;
  wire       [1:0]    jobs_io_pop_payload_source;
  wire       [6:0]    jobs_io_pop_payload_pair;
  wire       [5:0]    jobs_io_pop_payload_lastBeat;
  wire       [63:0]   jobs_io_pop_payload_word;
  wire                jobs_io_pop_payload_ends;
  wire                jobs_io_pop_payload_epoch;
  wire       [4:0]    jobs_io_occupancy;
  wire                packets_io_push_ready;
  wire                packets_io_pop_valid;
  wire       [47:0]   packets_io_pop_payload_dstMac;
  wire       [31:0]   packets_io_pop_payload_dstIp;
  wire       [15:0]   packets_io_pop_payload_srcPort;
  wire       [7:0]    packets_io_pop_payload_opcode;
  wire       [15:0]   packets_io_pop_payload_pkey;
  wire       [23:0]   packets_io_pop_payload_destQp;
  wire       [23:0]   packets_io_pop_payload_psn;
  wire                packets_io_pop_payload_ackRequest;
  wire       [7:0]    packets_io_pop_payload_syndrome;
  wire       [23:0]   packets_io_pop_payload_msn;
  wire       [63:0]   packets_io_pop_payload_original;
  wire       [12:0]   packets_io_pop_payload_payload;
  wire       [63:0]   packets_io_pop_payload_write_va;
  wire       [31:0]   packets_io_pop_payload_write_rkey;
  wire       [31:0]   packets_io_pop_payload_write_length;
  wire       [31:0]   packets_io_pop_payload_write_immediate;
  wire       [11:0]   _zz_at;
  wire       [12:0]   _zz_io_frames_tokens_payload_length;
  wire       [12:0]   _zz_asked;
  wire       [12:0]   _zz_io_push_payload_lastBeat;
  wire       [63:0]   _zz_beats_payload_data;
  wire       [5:0]    _zz_beat;
  wire       [4:0]    _zz_begun;
  wire       [4:0]    _zz_begun_1;
  wire       [0:0]    _zz_begun_2;
  wire       [4:0]    _zz_begun_3;
  wire       [0:0]    _zz_begun_4;
  wire       [5:0]    _zz_piece;
  wire       [3:0]    _zz_open_1;
  wire       [3:0]    _zz_open_1_1;
  wire       [0:0]    _zz_open_1_2;
  wire       [3:0]    _zz_open_1_3;
  wire       [0:0]    _zz_open_1_4;
  wire       [3:0]    _zz_unread;
  wire       [3:0]    _zz_unread_1;
  wire       [0:0]    _zz_unread_2;
  wire       [3:0]    _zz_unread_3;
  wire       [0:0]    _zz_unread_4;
  wire                asks;
  reg        [12:0]   asked;
  wire                isFirst;
  wire                room;
  wire       [12:0]   rest;
  wire                isLast;
  reg        [2:0]    context_1;
  reg        [3:0]    open_1;
  reg        [3:0]    unread;
  wire                free;
  wire       [11:0]   at;
  wire                io_frames_tokens_fire;
  wire                io_departures_fire;
  wire                takes;
  wire                reads;
  reg        [5:0]    beat;
  wire                isEnd;
  wire                beats_valid;
  reg                 beats_ready;
  reg        [511:0]  beats_payload_data;
  wire                beats_payload_error;
  wire                over;
  reg                 broken;
  wire                breaks;
  wire                beats_fire;
  wire                beats_m2sPipe_valid;
  wire                beats_m2sPipe_ready;
  wire       [511:0]  beats_m2sPipe_payload_data;
  wire                beats_m2sPipe_payload_error;
  reg                 beats_rValid;
  reg        [511:0]  beats_rData_data;
  reg                 beats_rData_error;
  reg        [4:0]    begun;
  wire                begins;
  wire                may;
  wire                io_pop_continueWhen_valid;
  wire                io_pop_continueWhen_ready;
  wire       [47:0]   io_pop_continueWhen_payload_dstMac;
  wire       [31:0]   io_pop_continueWhen_payload_dstIp;
  wire       [15:0]   io_pop_continueWhen_payload_srcPort;
  wire       [7:0]    io_pop_continueWhen_payload_opcode;
  wire       [15:0]   io_pop_continueWhen_payload_pkey;
  wire       [23:0]   io_pop_continueWhen_payload_destQp;
  wire       [23:0]   io_pop_continueWhen_payload_psn;
  wire                io_pop_continueWhen_payload_ackRequest;
  wire       [7:0]    io_pop_continueWhen_payload_syndrome;
  wire       [23:0]   io_pop_continueWhen_payload_msn;
  wire       [63:0]   io_pop_continueWhen_payload_original;
  wire       [12:0]   io_pop_continueWhen_payload_payload;
  wire       [63:0]   io_pop_continueWhen_payload_write_va;
  wire       [31:0]   io_pop_continueWhen_payload_write_rkey;
  wire       [31:0]   io_pop_continueWhen_payload_write_length;
  wire       [31:0]   io_pop_continueWhen_payload_write_immediate;
  wire                io_packets_fire;
  reg        [5:0]    piece;
  wire                pieceEnds;
  wire                io_frames_data_payload_fire;
  wire                io_frames_data_completions_fire;
  reg                 _zz_io_ends_valid;
  reg                 io_pop_payload_epoch_regNext;
  reg                 _zz_io_failed_valid;
  reg        [6:0]    io_pop_payload_pair_regNext;

  assign _zz_at = asked[11:0];
  assign _zz_io_frames_tokens_payload_length = (isLast ? rest : 13'h0580);
  assign _zz_asked = (asked + 13'h0580);
  assign _zz_io_push_payload_lastBeat = (io_departures_payload_packet_payload - 13'h0001);
  assign _zz_beats_payload_data = ((jobs_io_pop_payload_source == ReplySource_WORD) ? jobs_io_pop_payload_word : 64'h0);
  assign _zz_beat = (beat + 6'h01);
  assign _zz_begun = (begun + _zz_begun_1);
  assign _zz_begun_2 = begins;
  assign _zz_begun_1 = {4'd0, _zz_begun_2};
  assign _zz_begun_4 = io_packets_fire;
  assign _zz_begun_3 = {4'd0, _zz_begun_4};
  assign _zz_piece = (piece + 6'h01);
  assign _zz_open_1 = (open_1 + _zz_open_1_1);
  assign _zz_open_1_2 = io_frames_tokens_fire;
  assign _zz_open_1_1 = {3'd0, _zz_open_1_2};
  assign _zz_open_1_4 = io_frames_data_completions_fire;
  assign _zz_open_1_3 = {3'd0, _zz_open_1_4};
  assign _zz_unread = (unread + _zz_unread_1);
  assign _zz_unread_2 = io_frames_tokens_fire;
  assign _zz_unread_1 = {3'd0, _zz_unread_2};
  assign _zz_unread_4 = (io_frames_data_payload_fire && pieceEnds);
  assign _zz_unread_3 = {3'd0, _zz_unread_4};
  StreamFifo jobs (
    .io_push_valid            (takes                             ), //i
    .io_push_ready            (jobs_io_push_ready                ), //o
    .io_push_payload_sends    (io_departures_payload_sends       ), //i
    .io_push_payload_source   (io_departures_payload_source[1:0] ), //i
    .io_push_payload_pair     (io_departures_payload_pair[6:0]   ), //i
    .io_push_payload_lastBeat (jobs_io_push_payload_lastBeat[5:0]), //i
    .io_push_payload_word     (io_departures_payload_word[63:0]  ), //i
    .io_push_payload_ends     (io_departures_payload_ends        ), //i
    .io_push_payload_epoch    (io_departures_payload_epoch       ), //i
    .io_pop_valid             (jobs_io_pop_valid                 ), //o
    .io_pop_ready             (jobs_io_pop_ready                 ), //i
    .io_pop_payload_sends     (jobs_io_pop_payload_sends         ), //o
    .io_pop_payload_source    (jobs_io_pop_payload_source[1:0]   ), //o
    .io_pop_payload_pair      (jobs_io_pop_payload_pair[6:0]     ), //o
    .io_pop_payload_lastBeat  (jobs_io_pop_payload_lastBeat[5:0] ), //o
    .io_pop_payload_word      (jobs_io_pop_payload_word[63:0]    ), //o
    .io_pop_payload_ends      (jobs_io_pop_payload_ends          ), //o
    .io_pop_payload_epoch     (jobs_io_pop_payload_epoch         ), //o
    .io_flush                 (1'b0                              ), //i
    .io_occupancy             (jobs_io_occupancy[4:0]            ), //o
    .clk                      (clk                               ), //i
    .reset                    (reset                             )  //i
  );
  StreamFifo_1 packets (
    .io_push_valid                   (packets_io_push_valid                       ), //i
    .io_push_ready                   (packets_io_push_ready                       ), //o
    .io_push_payload_dstMac          (io_departures_payload_packet_dstMac[47:0]   ), //i
    .io_push_payload_dstIp           (io_departures_payload_packet_dstIp[31:0]    ), //i
    .io_push_payload_srcPort         (io_departures_payload_packet_srcPort[15:0]  ), //i
    .io_push_payload_opcode          (io_departures_payload_packet_opcode[7:0]    ), //i
    .io_push_payload_pkey            (io_departures_payload_packet_pkey[15:0]     ), //i
    .io_push_payload_destQp          (io_departures_payload_packet_destQp[23:0]   ), //i
    .io_push_payload_psn             (io_departures_payload_packet_psn[23:0]      ), //i
    .io_push_payload_ackRequest      (io_departures_payload_packet_ackRequest     ), //i
    .io_push_payload_syndrome        (io_departures_payload_packet_syndrome[7:0]  ), //i
    .io_push_payload_msn             (io_departures_payload_packet_msn[23:0]      ), //i
    .io_push_payload_original        (io_departures_payload_packet_original[63:0] ), //i
    .io_push_payload_payload         (io_departures_payload_packet_payload[12:0]  ), //i
    .io_push_payload_write_va        (io_departures_payload_va[63:0]              ), //i
    .io_push_payload_write_rkey      (io_departures_payload_rkey[31:0]            ), //i
    .io_push_payload_write_length    (io_departures_payload_length[31:0]          ), //i
    .io_push_payload_write_immediate (io_departures_payload_immediate[31:0]       ), //i
    .io_pop_valid                    (packets_io_pop_valid                        ), //o
    .io_pop_ready                    (packets_io_pop_ready                        ), //i
    .io_pop_payload_dstMac           (packets_io_pop_payload_dstMac[47:0]         ), //o
    .io_pop_payload_dstIp            (packets_io_pop_payload_dstIp[31:0]          ), //o
    .io_pop_payload_srcPort          (packets_io_pop_payload_srcPort[15:0]        ), //o
    .io_pop_payload_opcode           (packets_io_pop_payload_opcode[7:0]          ), //o
    .io_pop_payload_pkey             (packets_io_pop_payload_pkey[15:0]           ), //o
    .io_pop_payload_destQp           (packets_io_pop_payload_destQp[23:0]         ), //o
    .io_pop_payload_psn              (packets_io_pop_payload_psn[23:0]            ), //o
    .io_pop_payload_ackRequest       (packets_io_pop_payload_ackRequest           ), //o
    .io_pop_payload_syndrome         (packets_io_pop_payload_syndrome[7:0]        ), //o
    .io_pop_payload_msn              (packets_io_pop_payload_msn[23:0]            ), //o
    .io_pop_payload_original         (packets_io_pop_payload_original[63:0]       ), //o
    .io_pop_payload_payload          (packets_io_pop_payload_payload[12:0]        ), //o
    .io_pop_payload_write_va         (packets_io_pop_payload_write_va[63:0]       ), //o
    .io_pop_payload_write_rkey       (packets_io_pop_payload_write_rkey[31:0]     ), //o
    .io_pop_payload_write_length     (packets_io_pop_payload_write_length[31:0]   ), //o
    .io_pop_payload_write_immediate  (packets_io_pop_payload_write_immediate[31:0]), //o
    .io_flush                        (1'b0                                        ), //i
    .clk                             (clk                                         ), //i
    .reset                           (reset                                       )  //i
  );
  assign asks = (io_departures_payload_sends && (io_departures_payload_source == ReplySource_FRAME));
  assign isFirst = (asked == 13'h0);
  assign room = ((! isFirst) || (jobs_io_push_ready && packets_io_push_ready));
  assign rest = (io_departures_payload_packet_payload - asked);
  assign isLast = (rest <= 13'h0580);
  assign free = ((open_1 != 4'b1000) && (unread != 4'b1000));
  assign io_frames_tokens_valid = (((io_departures_valid && asks) && room) && free);
  assign io_frames_tokens_payload_context = {3'd0, context_1};
  assign io_frames_tokens_payload_writes = 1'b0;
  assign at = (io_departures_payload_offset + _zz_at);
  assign io_frames_tokens_payload_address = {io_departures_payload_frame,at};
  assign io_frames_tokens_payload_length = {3'd0, _zz_io_frames_tokens_payload_length};
  assign io_frames_tokens_payload_dataOffset = 8'h0;
  assign io_frames_tokens_fire = (io_frames_tokens_valid && io_frames_tokens_ready);
  assign io_departures_ready = (room && ((! asks) || ((io_frames_tokens_ready && free) && isLast)));
  assign io_departures_fire = (io_departures_valid && io_departures_ready);
  assign takes = (isFirst && (asks ? io_frames_tokens_fire : io_departures_fire));
  assign jobs_io_push_payload_lastBeat = _zz_io_push_payload_lastBeat[11 : 6];
  assign packets_io_push_valid = (takes && io_departures_payload_sends);
  assign reads = (jobs_io_pop_payload_source == ReplySource_FRAME);
  assign isEnd = (beat == jobs_io_pop_payload_lastBeat);
  assign beats_valid = ((jobs_io_pop_valid && jobs_io_pop_payload_sends) && ((! reads) || io_frames_data_payload_valid));
  always @(*) begin
    beats_payload_data = io_frames_data_payload_payload_data;
    if((! reads)) begin
      beats_payload_data = {448'd0, _zz_beats_payload_data};
    end
  end

  assign beats_payload_error = (reads && io_frames_data_payload_payload_error);
  assign io_frames_data_payload_ready = (((jobs_io_pop_valid && jobs_io_pop_payload_sends) && reads) && beats_ready);
  assign jobs_io_pop_ready = ((! jobs_io_pop_payload_sends) || ((beats_ready && ((! reads) || io_frames_data_payload_valid)) && isEnd));
  assign io_inside = jobs_io_occupancy;
  assign over = (jobs_io_pop_valid && jobs_io_pop_ready);
  assign io_over = over;
  assign breaks = (broken || beats_payload_error);
  assign beats_fire = (beats_valid && beats_ready);
  always @(*) begin
    beats_ready = beats_m2sPipe_ready;
    if((! beats_m2sPipe_valid)) begin
      beats_ready = 1'b1;
    end
  end

  assign beats_m2sPipe_valid = beats_rValid;
  assign beats_m2sPipe_payload_data = beats_rData_data;
  assign beats_m2sPipe_payload_error = beats_rData_error;
  assign io_payload_valid = beats_m2sPipe_valid;
  assign beats_m2sPipe_ready = io_payload_ready;
  assign io_payload_payload_data = beats_m2sPipe_payload_data;
  assign io_payload_payload_error = beats_m2sPipe_payload_error;
  assign begins = (beats_fire && (beat == 6'h0));
  assign may = ((begun != 5'h0) || begins);
  assign io_pop_continueWhen_valid = (packets_io_pop_valid && may);
  assign packets_io_pop_ready = (io_pop_continueWhen_ready && may);
  assign io_pop_continueWhen_payload_dstMac = packets_io_pop_payload_dstMac;
  assign io_pop_continueWhen_payload_dstIp = packets_io_pop_payload_dstIp;
  assign io_pop_continueWhen_payload_srcPort = packets_io_pop_payload_srcPort;
  assign io_pop_continueWhen_payload_opcode = packets_io_pop_payload_opcode;
  assign io_pop_continueWhen_payload_pkey = packets_io_pop_payload_pkey;
  assign io_pop_continueWhen_payload_destQp = packets_io_pop_payload_destQp;
  assign io_pop_continueWhen_payload_psn = packets_io_pop_payload_psn;
  assign io_pop_continueWhen_payload_ackRequest = packets_io_pop_payload_ackRequest;
  assign io_pop_continueWhen_payload_syndrome = packets_io_pop_payload_syndrome;
  assign io_pop_continueWhen_payload_msn = packets_io_pop_payload_msn;
  assign io_pop_continueWhen_payload_original = packets_io_pop_payload_original;
  assign io_pop_continueWhen_payload_payload = packets_io_pop_payload_payload;
  assign io_pop_continueWhen_payload_write_va = packets_io_pop_payload_write_va;
  assign io_pop_continueWhen_payload_write_rkey = packets_io_pop_payload_write_rkey;
  assign io_pop_continueWhen_payload_write_length = packets_io_pop_payload_write_length;
  assign io_pop_continueWhen_payload_write_immediate = packets_io_pop_payload_write_immediate;
  assign io_packets_valid = io_pop_continueWhen_valid;
  assign io_pop_continueWhen_ready = io_packets_ready;
  assign io_packets_payload_dstMac = io_pop_continueWhen_payload_dstMac;
  assign io_packets_payload_dstIp = io_pop_continueWhen_payload_dstIp;
  assign io_packets_payload_srcPort = io_pop_continueWhen_payload_srcPort;
  assign io_packets_payload_opcode = io_pop_continueWhen_payload_opcode;
  assign io_packets_payload_pkey = io_pop_continueWhen_payload_pkey;
  assign io_packets_payload_destQp = io_pop_continueWhen_payload_destQp;
  assign io_packets_payload_psn = io_pop_continueWhen_payload_psn;
  assign io_packets_payload_ackRequest = io_pop_continueWhen_payload_ackRequest;
  assign io_packets_payload_syndrome = io_pop_continueWhen_payload_syndrome;
  assign io_packets_payload_msn = io_pop_continueWhen_payload_msn;
  assign io_packets_payload_original = io_pop_continueWhen_payload_original;
  assign io_packets_payload_payload = io_pop_continueWhen_payload_payload;
  assign io_packets_payload_write_va = io_pop_continueWhen_payload_write_va;
  assign io_packets_payload_write_rkey = io_pop_continueWhen_payload_write_rkey;
  assign io_packets_payload_write_length = io_pop_continueWhen_payload_write_length;
  assign io_packets_payload_write_immediate = io_pop_continueWhen_payload_write_immediate;
  assign io_packets_fire = (io_packets_valid && io_packets_ready);
  assign pieceEnds = (isEnd || (piece == 6'h15));
  assign io_frames_data_payload_fire = (io_frames_data_payload_valid && io_frames_data_payload_ready);
  assign io_frames_data_completions_ready = 1'b1;
  assign io_frames_data_completions_fire = (io_frames_data_completions_valid && io_frames_data_completions_ready);
  assign io_ends_valid = _zz_io_ends_valid;
  assign io_ends_payload = io_pop_payload_epoch_regNext;
  assign io_failed_valid = _zz_io_failed_valid;
  assign io_failed_payload = io_pop_payload_pair_regNext;
  assign io_idle = (((((((! io_departures_valid) && (! jobs_io_pop_valid)) && (! packets_io_pop_valid)) && (open_1 == 4'b0000)) && (! io_payload_valid)) && (! io_ends_valid)) && (! io_failed_valid));
  assign io_frames_data_fetch_ready = 1'b1;
  assign io_frames_data_fetched_valid = 1'b0;
  assign io_frames_data_fetched_payload = 512'h0;
  assign io_frames_data_operands = 128'h0;
  always @(posedge clk) begin
    if(reset) begin
      asked <= 13'h0;
      context_1 <= 3'b000;
      open_1 <= 4'b0000;
      unread <= 4'b0000;
      beat <= 6'h0;
      broken <= 1'b0;
      beats_rValid <= 1'b0;
      begun <= 5'h0;
      piece <= 6'h0;
      _zz_io_ends_valid <= 1'b0;
      _zz_io_failed_valid <= 1'b0;
    end else begin
      if(io_frames_tokens_fire) begin
        context_1 <= (context_1 + 3'b001);
        asked <= (isLast ? 13'h0 : _zz_asked);
      end
      if(beats_fire) begin
        beat <= (isEnd ? 6'h0 : _zz_beat);
        broken <= (breaks && (! isEnd));
      end
      if(beats_ready) begin
        beats_rValid <= beats_valid;
      end
      begun <= (_zz_begun - _zz_begun_3);
      if(io_frames_data_payload_fire) begin
        piece <= (pieceEnds ? 6'h0 : _zz_piece);
      end
      open_1 <= (_zz_open_1 - _zz_open_1_3);
      unread <= (_zz_unread - _zz_unread_3);
      _zz_io_ends_valid <= (over && jobs_io_pop_payload_ends);
      _zz_io_failed_valid <= ((beats_fire && isEnd) && breaks);
    end
  end

  always @(posedge clk) begin
    if(beats_ready) begin
      beats_rData_data <= beats_payload_data;
      beats_rData_error <= beats_payload_error;
    end
    io_pop_payload_epoch_regNext <= jobs_io_pop_payload_epoch;
    io_pop_payload_pair_regNext <= jobs_io_pop_payload_pair;
  end


endmodule

module StreamFifo_1 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [47:0]   io_push_payload_dstMac,
  input  wire [31:0]   io_push_payload_dstIp,
  input  wire [15:0]   io_push_payload_srcPort,
  input  wire [7:0]    io_push_payload_opcode,
  input  wire [15:0]   io_push_payload_pkey,
  input  wire [23:0]   io_push_payload_destQp,
  input  wire [23:0]   io_push_payload_psn,
  input  wire          io_push_payload_ackRequest,
  input  wire [7:0]    io_push_payload_syndrome,
  input  wire [23:0]   io_push_payload_msn,
  input  wire [63:0]   io_push_payload_original,
  input  wire [12:0]   io_push_payload_payload,
  input  wire [63:0]   io_push_payload_write_va,
  input  wire [31:0]   io_push_payload_write_rkey,
  input  wire [31:0]   io_push_payload_write_length,
  input  wire [31:0]   io_push_payload_write_immediate,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [47:0]   io_pop_payload_dstMac,
  output wire [31:0]   io_pop_payload_dstIp,
  output wire [15:0]   io_pop_payload_srcPort,
  output wire [7:0]    io_pop_payload_opcode,
  output wire [15:0]   io_pop_payload_pkey,
  output wire [23:0]   io_pop_payload_destQp,
  output wire [23:0]   io_pop_payload_psn,
  output wire          io_pop_payload_ackRequest,
  output wire [7:0]    io_pop_payload_syndrome,
  output wire [23:0]   io_pop_payload_msn,
  output wire [63:0]   io_pop_payload_original,
  output wire [12:0]   io_pop_payload_payload,
  output wire [63:0]   io_pop_payload_write_va,
  output wire [31:0]   io_pop_payload_write_rkey,
  output wire [31:0]   io_pop_payload_write_length,
  output wire [31:0]   io_pop_payload_write_immediate,
  input  wire          io_flush,
  input  wire          clk,
  input  wire          reset
);

  wire       [437:0]  logic_ram_spinal_port1;
  wire       [437:0]  _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [4:0]    logic_ptr_push;
  reg        [4:0]    logic_ptr_pop;
  wire       [4:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [3:0]    logic_push_onRam_write_payload_address;
  wire       [47:0]   logic_push_onRam_write_payload_data_dstMac;
  wire       [31:0]   logic_push_onRam_write_payload_data_dstIp;
  wire       [15:0]   logic_push_onRam_write_payload_data_srcPort;
  wire       [7:0]    logic_push_onRam_write_payload_data_opcode;
  wire       [15:0]   logic_push_onRam_write_payload_data_pkey;
  wire       [23:0]   logic_push_onRam_write_payload_data_destQp;
  wire       [23:0]   logic_push_onRam_write_payload_data_psn;
  wire                logic_push_onRam_write_payload_data_ackRequest;
  wire       [7:0]    logic_push_onRam_write_payload_data_syndrome;
  wire       [23:0]   logic_push_onRam_write_payload_data_msn;
  wire       [63:0]   logic_push_onRam_write_payload_data_original;
  wire       [12:0]   logic_push_onRam_write_payload_data_payload;
  wire       [63:0]   logic_push_onRam_write_payload_data_write_va;
  wire       [31:0]   logic_push_onRam_write_payload_data_write_rkey;
  wire       [31:0]   logic_push_onRam_write_payload_data_write_length;
  wire       [31:0]   logic_push_onRam_write_payload_data_write_immediate;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [47:0]   logic_pop_async_readed_dstMac;
  wire       [31:0]   logic_pop_async_readed_dstIp;
  wire       [15:0]   logic_pop_async_readed_srcPort;
  wire       [7:0]    logic_pop_async_readed_opcode;
  wire       [15:0]   logic_pop_async_readed_pkey;
  wire       [23:0]   logic_pop_async_readed_destQp;
  wire       [23:0]   logic_pop_async_readed_psn;
  wire                logic_pop_async_readed_ackRequest;
  wire       [7:0]    logic_pop_async_readed_syndrome;
  wire       [23:0]   logic_pop_async_readed_msn;
  wire       [63:0]   logic_pop_async_readed_original;
  wire       [12:0]   logic_pop_async_readed_payload;
  wire       [63:0]   logic_pop_async_readed_write_va;
  wire       [31:0]   logic_pop_async_readed_write_rkey;
  wire       [31:0]   logic_pop_async_readed_write_length;
  wire       [31:0]   logic_pop_async_readed_write_immediate;
  wire       [437:0]  _zz_logic_pop_async_readed_dstMac;
  wire       [159:0]  _zz_logic_pop_async_readed_write_va;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [47:0]   logic_pop_addressGen_translated_payload_dstMac;
  wire       [31:0]   logic_pop_addressGen_translated_payload_dstIp;
  wire       [15:0]   logic_pop_addressGen_translated_payload_srcPort;
  wire       [7:0]    logic_pop_addressGen_translated_payload_opcode;
  wire       [15:0]   logic_pop_addressGen_translated_payload_pkey;
  wire       [23:0]   logic_pop_addressGen_translated_payload_destQp;
  wire       [23:0]   logic_pop_addressGen_translated_payload_psn;
  wire                logic_pop_addressGen_translated_payload_ackRequest;
  wire       [7:0]    logic_pop_addressGen_translated_payload_syndrome;
  wire       [23:0]   logic_pop_addressGen_translated_payload_msn;
  wire       [63:0]   logic_pop_addressGen_translated_payload_original;
  wire       [12:0]   logic_pop_addressGen_translated_payload_payload;
  wire       [63:0]   logic_pop_addressGen_translated_payload_write_va;
  wire       [31:0]   logic_pop_addressGen_translated_payload_write_rkey;
  wire       [31:0]   logic_pop_addressGen_translated_payload_write_length;
  wire       [31:0]   logic_pop_addressGen_translated_payload_write_immediate;
  (* ram_style = "distributed" *) reg [437:0] logic_ram [0:15];

  assign _zz_logic_ram_port = {{logic_push_onRam_write_payload_data_write_immediate,{logic_push_onRam_write_payload_data_write_length,{logic_push_onRam_write_payload_data_write_rkey,logic_push_onRam_write_payload_data_write_va}}},{logic_push_onRam_write_payload_data_payload,{logic_push_onRam_write_payload_data_original,{logic_push_onRam_write_payload_data_msn,{logic_push_onRam_write_payload_data_syndrome,{logic_push_onRam_write_payload_data_ackRequest,{logic_push_onRam_write_payload_data_psn,{logic_push_onRam_write_payload_data_destQp,{logic_push_onRam_write_payload_data_pkey,{logic_push_onRam_write_payload_data_opcode,{logic_push_onRam_write_payload_data_srcPort,{logic_push_onRam_write_payload_data_dstIp,logic_push_onRam_write_payload_data_dstMac}}}}}}}}}}}};
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  assign logic_ram_spinal_port1 = logic_ram[logic_pop_addressGen_payload];
  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 5'h10) == 5'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[3:0];
  assign logic_push_onRam_write_payload_data_dstMac = io_push_payload_dstMac;
  assign logic_push_onRam_write_payload_data_dstIp = io_push_payload_dstIp;
  assign logic_push_onRam_write_payload_data_srcPort = io_push_payload_srcPort;
  assign logic_push_onRam_write_payload_data_opcode = io_push_payload_opcode;
  assign logic_push_onRam_write_payload_data_pkey = io_push_payload_pkey;
  assign logic_push_onRam_write_payload_data_destQp = io_push_payload_destQp;
  assign logic_push_onRam_write_payload_data_psn = io_push_payload_psn;
  assign logic_push_onRam_write_payload_data_ackRequest = io_push_payload_ackRequest;
  assign logic_push_onRam_write_payload_data_syndrome = io_push_payload_syndrome;
  assign logic_push_onRam_write_payload_data_msn = io_push_payload_msn;
  assign logic_push_onRam_write_payload_data_original = io_push_payload_original;
  assign logic_push_onRam_write_payload_data_payload = io_push_payload_payload;
  assign logic_push_onRam_write_payload_data_write_va = io_push_payload_write_va;
  assign logic_push_onRam_write_payload_data_write_rkey = io_push_payload_write_rkey;
  assign logic_push_onRam_write_payload_data_write_length = io_push_payload_write_length;
  assign logic_push_onRam_write_payload_data_write_immediate = io_push_payload_write_immediate;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[3:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_dstMac = logic_ram_spinal_port1;
  assign logic_pop_async_readed_dstMac = _zz_logic_pop_async_readed_dstMac[47 : 0];
  assign logic_pop_async_readed_dstIp = _zz_logic_pop_async_readed_dstMac[79 : 48];
  assign logic_pop_async_readed_srcPort = _zz_logic_pop_async_readed_dstMac[95 : 80];
  assign logic_pop_async_readed_opcode = _zz_logic_pop_async_readed_dstMac[103 : 96];
  assign logic_pop_async_readed_pkey = _zz_logic_pop_async_readed_dstMac[119 : 104];
  assign logic_pop_async_readed_destQp = _zz_logic_pop_async_readed_dstMac[143 : 120];
  assign logic_pop_async_readed_psn = _zz_logic_pop_async_readed_dstMac[167 : 144];
  assign logic_pop_async_readed_ackRequest = _zz_logic_pop_async_readed_dstMac[168];
  assign logic_pop_async_readed_syndrome = _zz_logic_pop_async_readed_dstMac[176 : 169];
  assign logic_pop_async_readed_msn = _zz_logic_pop_async_readed_dstMac[200 : 177];
  assign logic_pop_async_readed_original = _zz_logic_pop_async_readed_dstMac[264 : 201];
  assign logic_pop_async_readed_payload = _zz_logic_pop_async_readed_dstMac[277 : 265];
  assign _zz_logic_pop_async_readed_write_va = _zz_logic_pop_async_readed_dstMac[437 : 278];
  assign logic_pop_async_readed_write_va = _zz_logic_pop_async_readed_write_va[63 : 0];
  assign logic_pop_async_readed_write_rkey = _zz_logic_pop_async_readed_write_va[95 : 64];
  assign logic_pop_async_readed_write_length = _zz_logic_pop_async_readed_write_va[127 : 96];
  assign logic_pop_async_readed_write_immediate = _zz_logic_pop_async_readed_write_va[159 : 128];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_dstMac = logic_pop_async_readed_dstMac;
  assign logic_pop_addressGen_translated_payload_dstIp = logic_pop_async_readed_dstIp;
  assign logic_pop_addressGen_translated_payload_srcPort = logic_pop_async_readed_srcPort;
  assign logic_pop_addressGen_translated_payload_opcode = logic_pop_async_readed_opcode;
  assign logic_pop_addressGen_translated_payload_pkey = logic_pop_async_readed_pkey;
  assign logic_pop_addressGen_translated_payload_destQp = logic_pop_async_readed_destQp;
  assign logic_pop_addressGen_translated_payload_psn = logic_pop_async_readed_psn;
  assign logic_pop_addressGen_translated_payload_ackRequest = logic_pop_async_readed_ackRequest;
  assign logic_pop_addressGen_translated_payload_syndrome = logic_pop_async_readed_syndrome;
  assign logic_pop_addressGen_translated_payload_msn = logic_pop_async_readed_msn;
  assign logic_pop_addressGen_translated_payload_original = logic_pop_async_readed_original;
  assign logic_pop_addressGen_translated_payload_payload = logic_pop_async_readed_payload;
  assign logic_pop_addressGen_translated_payload_write_va = logic_pop_async_readed_write_va;
  assign logic_pop_addressGen_translated_payload_write_rkey = logic_pop_async_readed_write_rkey;
  assign logic_pop_addressGen_translated_payload_write_length = logic_pop_async_readed_write_length;
  assign logic_pop_addressGen_translated_payload_write_immediate = logic_pop_async_readed_write_immediate;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_dstMac = logic_pop_addressGen_translated_payload_dstMac;
  assign io_pop_payload_dstIp = logic_pop_addressGen_translated_payload_dstIp;
  assign io_pop_payload_srcPort = logic_pop_addressGen_translated_payload_srcPort;
  assign io_pop_payload_opcode = logic_pop_addressGen_translated_payload_opcode;
  assign io_pop_payload_pkey = logic_pop_addressGen_translated_payload_pkey;
  assign io_pop_payload_destQp = logic_pop_addressGen_translated_payload_destQp;
  assign io_pop_payload_psn = logic_pop_addressGen_translated_payload_psn;
  assign io_pop_payload_ackRequest = logic_pop_addressGen_translated_payload_ackRequest;
  assign io_pop_payload_syndrome = logic_pop_addressGen_translated_payload_syndrome;
  assign io_pop_payload_msn = logic_pop_addressGen_translated_payload_msn;
  assign io_pop_payload_original = logic_pop_addressGen_translated_payload_original;
  assign io_pop_payload_payload = logic_pop_addressGen_translated_payload_payload;
  assign io_pop_payload_write_va = logic_pop_addressGen_translated_payload_write_va;
  assign io_pop_payload_write_rkey = logic_pop_addressGen_translated_payload_write_rkey;
  assign io_pop_payload_write_length = logic_pop_addressGen_translated_payload_write_length;
  assign io_pop_payload_write_immediate = logic_pop_addressGen_translated_payload_write_immediate;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 5'h0;
      logic_ptr_pop <= 5'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 5'h01);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 5'h01);
      end
      if(io_flush) begin
        logic_ptr_push <= 5'h0;
        logic_ptr_pop <= 5'h0;
      end
    end
  end


endmodule

module StreamFifo (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire          io_push_payload_sends,
  input  wire [1:0]    io_push_payload_source,
  input  wire [6:0]    io_push_payload_pair,
  input  wire [5:0]    io_push_payload_lastBeat,
  input  wire [63:0]   io_push_payload_word,
  input  wire          io_push_payload_ends,
  input  wire          io_push_payload_epoch,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire          io_pop_payload_sends,
  output wire [1:0]    io_pop_payload_source,
  output wire [6:0]    io_pop_payload_pair,
  output wire [5:0]    io_pop_payload_lastBeat,
  output wire [63:0]   io_pop_payload_word,
  output wire          io_pop_payload_ends,
  output wire          io_pop_payload_epoch,
  input  wire          io_flush,
  output wire [4:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);
  localparam ReplySource_FRAME = 2'd0;
  localparam ReplySource_ZEROS = 2'd1;
  localparam ReplySource_WORD = 2'd2;

  wire       [81:0]   logic_ram_spinal_port1;
  wire       [81:0]   _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [4:0]    logic_ptr_push;
  reg        [4:0]    logic_ptr_pop;
  wire       [4:0]    logic_ptr_occupancy;
  wire       [4:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [3:0]    logic_push_onRam_write_payload_address;
  wire                logic_push_onRam_write_payload_data_sends;
  wire       [1:0]    logic_push_onRam_write_payload_data_source;
  wire       [6:0]    logic_push_onRam_write_payload_data_pair;
  wire       [5:0]    logic_push_onRam_write_payload_data_lastBeat;
  wire       [63:0]   logic_push_onRam_write_payload_data_word;
  wire                logic_push_onRam_write_payload_data_ends;
  wire                logic_push_onRam_write_payload_data_epoch;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_async_readed_sends;
  wire       [1:0]    logic_pop_async_readed_source;
  wire       [6:0]    logic_pop_async_readed_pair;
  wire       [5:0]    logic_pop_async_readed_lastBeat;
  wire       [63:0]   logic_pop_async_readed_word;
  wire                logic_pop_async_readed_ends;
  wire                logic_pop_async_readed_epoch;
  wire       [81:0]   _zz_logic_pop_async_readed_sends;
  wire       [1:0]    _zz_logic_pop_async_readed_source;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire                logic_pop_addressGen_translated_payload_sends;
  wire       [1:0]    logic_pop_addressGen_translated_payload_source;
  wire       [6:0]    logic_pop_addressGen_translated_payload_pair;
  wire       [5:0]    logic_pop_addressGen_translated_payload_lastBeat;
  wire       [63:0]   logic_pop_addressGen_translated_payload_word;
  wire                logic_pop_addressGen_translated_payload_ends;
  wire                logic_pop_addressGen_translated_payload_epoch;
  (* ram_style = "distributed" *) reg [81:0] logic_ram [0:15];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_epoch,{logic_push_onRam_write_payload_data_ends,{logic_push_onRam_write_payload_data_word,{logic_push_onRam_write_payload_data_lastBeat,{logic_push_onRam_write_payload_data_pair,{logic_push_onRam_write_payload_data_source,logic_push_onRam_write_payload_data_sends}}}}}};
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  assign logic_ram_spinal_port1 = logic_ram[logic_pop_addressGen_payload];
  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 5'h10) == 5'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[3:0];
  assign logic_push_onRam_write_payload_data_sends = io_push_payload_sends;
  assign logic_push_onRam_write_payload_data_source = io_push_payload_source;
  assign logic_push_onRam_write_payload_data_pair = io_push_payload_pair;
  assign logic_push_onRam_write_payload_data_lastBeat = io_push_payload_lastBeat;
  assign logic_push_onRam_write_payload_data_word = io_push_payload_word;
  assign logic_push_onRam_write_payload_data_ends = io_push_payload_ends;
  assign logic_push_onRam_write_payload_data_epoch = io_push_payload_epoch;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[3:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_sends = logic_ram_spinal_port1;
  assign logic_pop_async_readed_sends = _zz_logic_pop_async_readed_sends[0];
  assign _zz_logic_pop_async_readed_source = _zz_logic_pop_async_readed_sends[2 : 1];
  assign logic_pop_async_readed_source = _zz_logic_pop_async_readed_source;
  assign logic_pop_async_readed_pair = _zz_logic_pop_async_readed_sends[9 : 3];
  assign logic_pop_async_readed_lastBeat = _zz_logic_pop_async_readed_sends[15 : 10];
  assign logic_pop_async_readed_word = _zz_logic_pop_async_readed_sends[79 : 16];
  assign logic_pop_async_readed_ends = _zz_logic_pop_async_readed_sends[80];
  assign logic_pop_async_readed_epoch = _zz_logic_pop_async_readed_sends[81];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_sends = logic_pop_async_readed_sends;
  assign logic_pop_addressGen_translated_payload_source = logic_pop_async_readed_source;
  assign logic_pop_addressGen_translated_payload_pair = logic_pop_async_readed_pair;
  assign logic_pop_addressGen_translated_payload_lastBeat = logic_pop_async_readed_lastBeat;
  assign logic_pop_addressGen_translated_payload_word = logic_pop_async_readed_word;
  assign logic_pop_addressGen_translated_payload_ends = logic_pop_async_readed_ends;
  assign logic_pop_addressGen_translated_payload_epoch = logic_pop_async_readed_epoch;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_sends = logic_pop_addressGen_translated_payload_sends;
  assign io_pop_payload_source = logic_pop_addressGen_translated_payload_source;
  assign io_pop_payload_pair = logic_pop_addressGen_translated_payload_pair;
  assign io_pop_payload_lastBeat = logic_pop_addressGen_translated_payload_lastBeat;
  assign io_pop_payload_word = logic_pop_addressGen_translated_payload_word;
  assign io_pop_payload_ends = logic_pop_addressGen_translated_payload_ends;
  assign io_pop_payload_epoch = logic_pop_addressGen_translated_payload_epoch;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_occupancy = logic_ptr_occupancy;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 5'h0;
      logic_ptr_pop <= 5'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 5'h01);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 5'h01);
      end
      if(io_flush) begin
        logic_ptr_push <= 5'h0;
        logic_ptr_pop <= 5'h0;
      end
    end
  end


endmodule
