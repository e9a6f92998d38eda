// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : ChainResponder

`timescale 1ns/1ps

module ChainResponder (
  input  wire          io_arrivals_valid,
  output wire          io_arrivals_ready,
  input  wire [47:0]   io_arrivals_payload_headers_srcMac,
  input  wire [31:0]   io_arrivals_payload_headers_srcIp,
  input  wire [15:0]   io_arrivals_payload_headers_srcPort,
  input  wire          io_arrivals_payload_headers_congested,
  input  wire [7:0]    io_arrivals_payload_headers_opcode,
  input  wire          io_arrivals_payload_headers_solicited,
  input  wire          io_arrivals_payload_headers_ackRequest,
  input  wire [1:0]    io_arrivals_payload_headers_pad,
  input  wire [15:0]   io_arrivals_payload_headers_pkey,
  input  wire [23:0]   io_arrivals_payload_headers_destQp,
  input  wire [23:0]   io_arrivals_payload_headers_psn,
  input  wire [63:0]   io_arrivals_payload_headers_va,
  input  wire [31:0]   io_arrivals_payload_headers_rkey,
  input  wire [31:0]   io_arrivals_payload_headers_dmaLength,
  input  wire [63:0]   io_arrivals_payload_headers_swapAdd,
  input  wire [63:0]   io_arrivals_payload_headers_compare,
  input  wire [31:0]   io_arrivals_payload_headers_immediate,
  input  wire [12:0]   io_arrivals_payload_headers_payload,
  input  wire [4:0]    io_arrivals_payload_slot,
  input  wire [6:0]    io_arrivals_payload_offset,
  input  wire          io_arrivals_payload_malformed,
  output wire          io_read_valid,
  input  wire          io_read_ready,
  output reg  [4:0]    io_read_payload_slot,
  output reg  [6:0]    io_read_payload_beat,
  input  wire [511:0]  io_packet,
  output wire          io_released_valid,
  input  wire          io_released_ready,
  output wire [4:0]    io_released_payload,
  output wire          io_departures_valid,
  input  wire          io_departures_ready,
  output wire [47:0]   io_departures_payload_dstMac,
  output wire [31:0]   io_departures_payload_dstIp,
  output wire [15:0]   io_departures_payload_srcPort,
  output wire [7:0]    io_departures_payload_opcode,
  output wire [15:0]   io_departures_payload_pkey,
  output wire [23:0]   io_departures_payload_destQp,
  output wire [23:0]   io_departures_payload_psn,
  output wire          io_departures_payload_ackRequest,
  output wire [7:0]    io_departures_payload_syndrome,
  output wire [23:0]   io_departures_payload_msn,
  output wire [63:0]   io_departures_payload_original,
  output wire [12:0]   io_departures_payload_payload,
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
  input  wire          io_orders_valid,
  output wire          io_orders_ready,
  input  wire [1:0]    io_orders_payload_command,
  input  wire [23:0]   io_orders_payload_pair_qpn,
  input  wire [23:0]   io_orders_payload_pair_peerQpn,
  input  wire [31:0]   io_orders_payload_pair_peerIp,
  input  wire [47:0]   io_orders_payload_pair_peerMac,
  input  wire [15:0]   io_orders_payload_pair_srcPort,
  input  wire [2:0]    io_orders_payload_pair_mtuCode,
  input  wire          io_orders_payload_pair_hardened,
  input  wire [13:0]   io_orders_payload_pair_length,
  input  wire [23:0]   io_orders_payload_psn,
  input  wire [23:0]   io_orders_payload_firstReply,
  input  wire [2:0]    io_orders_payload_rows_0_field,
  input  wire [12:0]   io_orders_payload_rows_0_end,
  input  wire          io_orders_payload_rows_0_last,
  input  wire [2:0]    io_orders_payload_rows_1_field,
  input  wire [12:0]   io_orders_payload_rows_1_end,
  input  wire          io_orders_payload_rows_1_last,
  input  wire [2:0]    io_orders_payload_rows_2_field,
  input  wire [12:0]   io_orders_payload_rows_2_end,
  input  wire          io_orders_payload_rows_2_last,
  input  wire [2:0]    io_orders_payload_rows_3_field,
  input  wire [12:0]   io_orders_payload_rows_3_end,
  input  wire          io_orders_payload_rows_3_last,
  input  wire [2:0]    io_orders_payload_rows_4_field,
  input  wire [12:0]   io_orders_payload_rows_4_end,
  input  wire          io_orders_payload_rows_4_last,
  input  wire [2:0]    io_orders_payload_rows_5_field,
  input  wire [12:0]   io_orders_payload_rows_5_end,
  input  wire          io_orders_payload_rows_5_last,
  input  wire [2:0]    io_orders_payload_rows_6_field,
  input  wire [12:0]   io_orders_payload_rows_6_end,
  input  wire          io_orders_payload_rows_6_last,
  input  wire [2:0]    io_orders_payload_rows_7_field,
  input  wire [12:0]   io_orders_payload_rows_7_end,
  input  wire          io_orders_payload_rows_7_last,
  input  wire          io_orders_payload_secrets_keyed,
  input  wire [63:0]   io_orders_payload_secrets_key,
  input  wire [63:0]   io_orders_payload_secrets_base,
  input  wire [1:0]    io_orders_payload_settings_function,
  input  wire          io_orders_payload_settings_immediate,
  input  wire          io_orders_payload_settings_signal,
  input  wire          io_orders_payload_settings_tellEmpty,
  input  wire [7:0]    io_orders_payload_settings_segment,
  input  wire [23:0]   io_orders_payload_settings_pid,
  input  wire [9:0]    io_orders_payload_settings_filler,
  input  wire [3:0]    io_orders_payload_timeout,
  input  wire [31:0]   io_orders_payload_rate,
  output wire          io_ordered_valid,
  output reg  [2:0]    io_ordered_payload_result,
  output wire [23:0]   io_ordered_payload_expected,
  output wire [23:0]   io_ordered_payload_msn,
  output wire          io_ordered_payload_inError,
  output wire          io_ordered_payload_running,
  output wire          io_owners_valid,
  input  wire          io_owners_ready,
  output wire          io_owners_payload_valid,
  output wire [23:0]   io_owners_payload_qpn,
  output wire [31:0]   io_owners_payload_peerIp,
  output wire [6:0]    io_owners_payload_share,
  output wire          io_rows_valid,
  output wire [6:0]    io_rows_payload_pair,
  output wire [2:0]    io_rows_payload_row,
  output wire [2:0]    io_rows_payload_value_field,
  output wire [12:0]   io_rows_payload_value_end,
  output wire          io_rows_payload_value_last,
  output wire          io_secrets_valid,
  output wire [6:0]    io_secrets_payload_pair,
  output wire          io_secrets_payload_value_keyed,
  output wire [63:0]   io_secrets_payload_value_key,
  output wire [63:0]   io_secrets_payload_value_base,
  output wire          io_fields_valid,
  input  wire          io_fields_ready,
  output wire [6:0]    io_fields_payload,
  output wire          io_beats_valid,
  input  wire          io_beats_ready,
  output wire [511:0]  io_beats_payload,
  input  wire          io_arguments_valid,
  output wire          io_arguments_ready,
  input  wire          io_arguments_payload_wrongKey,
  input  wire          io_arguments_payload_outside,
  input  wire [20:0]   io_arguments_payload_page,
  input  wire [63:0]   io_arguments_payload_buffer,
  input  wire [63:0]   io_arguments_payload_signal,
  input  wire [63:0]   io_arguments_payload_magic,
  input  wire [31:0]   io_arguments_payload_rkey,
  output wire          io_settings_valid,
  output wire [6:0]    io_settings_payload_pair,
  output wire [1:0]    io_settings_payload_value_function,
  output wire          io_settings_payload_value_immediate,
  output wire          io_settings_payload_value_signal,
  output wire          io_settings_payload_value_tellEmpty,
  output wire [7:0]    io_settings_payload_value_segment,
  output wire [23:0]   io_settings_payload_value_pid,
  output wire [9:0]    io_settings_payload_value_filler,
  output wire          io_messages_valid,
  input  wire          io_messages_ready,
  output wire [6:0]    io_messages_payload_pair,
  output wire          io_messages_payload_arguments_wrongKey,
  output wire          io_messages_payload_arguments_outside,
  output wire [20:0]   io_messages_payload_arguments_page,
  output wire [63:0]   io_messages_payload_arguments_buffer,
  output wire [63:0]   io_messages_payload_arguments_signal,
  output wire [63:0]   io_messages_payload_arguments_magic,
  output wire [31:0]   io_messages_payload_arguments_rkey,
  output wire          io_pages_valid,
  input  wire          io_pages_ready,
  output wire [6:0]    io_pages_payload_pair,
  output reg  [2:0]    io_pages_payload_how,
  input  wire          io_told_valid,
  output wire          io_told_ready,
  input  wire [6:0]    io_told_payload_pair,
  input  wire [2:0]    io_told_payload_verdict,
  input  wire [18:0]   io_told_payload_frame,
  input  wire          io_told_payload_open,
  output wire          io_commands_valid,
  input  wire          io_commands_ready,
  output wire          io_commands_payload_creates,
  output wire [6:0]    io_commands_payload_pair,
  output wire [47:0]   io_commands_payload_peer_mac,
  output wire [31:0]   io_commands_payload_peer_ip,
  output wire [23:0]   io_commands_payload_peer_qpn,
  output wire [15:0]   io_commands_payload_peer_srcPort,
  output wire [2:0]    io_commands_payload_peer_mtu,
  output wire [3:0]    io_commands_payload_peer_timeout,
  output wire [7:0]    io_commands_payload_peer_segment,
  output wire [23:0]   io_commands_payload_peer_pid,
  output wire [6:0]    io_commands_payload_peer_share,
  output wire [23:0]   io_commands_payload_psn,
  output wire [16:0]   io_commands_payload_cap,
  output wire          io_acks_valid,
  input  wire          io_acks_ready,
  output wire [6:0]    io_acks_payload_pair,
  output wire [23:0]   io_acks_payload_psn,
  output wire [7:0]    io_acks_payload_syndrome,
  output wire          io_notified_valid,
  output wire [6:0]    io_notified_payload,
  input  wire          io_mayNotify,
  input  wire          io_failed_valid,
  output wire          io_failed_ready,
  input  wire [6:0]    io_failed_payload,
  output reg           io_counted_valid,
  output reg  [5:0]    io_counted_payload,
  output wire          io_events_receiveLength,
  output wire          io_events_abandoned,
  output wire          io_events_answerMalformed,
  output wire          io_events_repliesFailed,
  output wire          io_ready,
  output wire          io_rests,
  input  wire          clk,
  input  wire          reset
);
  localparam ChainCommand_CREATE = 2'd0;
  localparam ChainCommand_DESTROY = 2'd1;
  localparam ChainCommand_END_1 = 2'd2;
  localparam ChainCommand_QUERY = 2'd3;
  localparam ChainFunction_LOAD = 2'd0;
  localparam ChainFunction_MAPPED_STORE = 2'd1;
  localparam ChainFunction_UNMAPPED_STORE = 2'd2;
  localparam ChainFunction_INVALIDATE = 2'd3;
  localparam ChainResult_DONE = 3'd0;
  localparam ChainResult_TAKEN = 3'd1;
  localparam ChainResult_UNKNOWN = 3'd2;
  localparam ChainResult_NUMBER = 3'd3;
  localparam ChainResult_PATH_MTU = 3'd4;
  localparam ChainResult_PROFILE = 3'd5;
  localparam ChainResult_RATE = 3'd6;
  localparam ChainPageEnd_WRITTEN = 3'd0;
  localparam ChainPageEnd_FAILED = 3'd1;
  localparam ChainPageEnd_ABANDONED = 3'd2;
  localparam ChainPageEnd_PAUSED = 3'd3;
  localparam ChainPageEnd_AGAIN = 3'd4;
  localparam ChainVerdict_DONE = 3'd0;
  localparam ChainVerdict_PAGE = 3'd1;
  localparam ChainVerdict_DROP = 3'd2;
  localparam ChainVerdict_DENIED = 3'd3;
  localparam ChainVerdict_FAILED = 3'd4;
  localparam ChainVerdict_NOT_READY = 3'd5;
  localparam ChainVerdict_ABANDONED = 3'd6;
  localparam ChainVerdict_PAUSED = 3'd7;
  localparam State_empty = 5'd0;
  localparam State_idle = 5'd1;
  localparam State_load = 5'd2;
  localparam State_judge = 5'd3;
  localparam State_act = 5'd4;
  localparam State_arguments = 5'd5;
  localparam State_told = 5'd6;
  localparam State_move = 5'd7;
  localparam State_page = 5'd8;
  localparam State_write = 5'd9;
  localparam State_refuse = 5'd10;
  localparam State_reply = 5'd11;
  localparam State_flight = 5'd12;
  localparam State_end_1 = 5'd13;
  localparam State_command = 5'd14;
  localparam State_gone = 5'd15;
  localparam State_pick = 5'd16;
  localparam State_order = 5'd17;
  localparam State_rows = 5'd18;
  localparam State_store = 5'd19;
  localparam Owner_flight = 3'd0;
  localparam Owner_failure = 3'd1;
  localparam Owner_order = 3'd2;
  localparam Owner_arrival = 3'd3;
  localparam Owner_answer = 3'd4;
  localparam Pending_none = 2'd0;
  localparam Pending_ack = 2'd1;
  localparam Pending_refusal = 2'd2;
  localparam ArrivalStep_drop = 3'd0;
  localparam ArrivalStep_reply = 3'd1;
  localparam ArrivalStep_gap = 3'd2;
  localparam ArrivalStep_refuse = 3'd3;
  localparam ArrivalStep_duplicate = 3'd4;
  localparam ArrivalStep_begins = 3'd5;
  localparam ArrivalStep_page = 3'd6;
  localparam ArrivalStep_moves = 3'd7;

  wire                turns_io_push_valid;
  wire                turns_io_pop_ready;
  wire                turns_io_clear_valid;
  wire                shares_io_seeks;
  wire                shares_io_gives;
  wire                shares_io_clear_valid;
  wire                writes_io_commands_valid;
  wire       [12:0]   writes_io_commands_payload_source;
  wire       [30:0]   writes_io_commands_payload_address;
  wire                writes_io_retire;
  reg                 departures_io_push_valid;
  reg        [47:0]   departures_io_push_payload_dstMac;
  reg        [31:0]   departures_io_push_payload_dstIp;
  reg        [15:0]   departures_io_push_payload_srcPort;
  reg        [7:0]    departures_io_push_payload_opcode;
  reg        [15:0]   departures_io_push_payload_pkey;
  reg        [23:0]   departures_io_push_payload_destQp;
  reg        [23:0]   departures_io_push_payload_psn;
  reg                 departures_io_push_payload_ackRequest;
  reg        [7:0]    departures_io_push_payload_syndrome;
  reg        [23:0]   departures_io_push_payload_msn;
  reg        [63:0]   departures_io_push_payload_original;
  reg        [12:0]   departures_io_push_payload_payload;
  reg                 departures_io_pop_ready;
  reg        [169:0]  rowMem_spinal_port0;
  reg        [185:0]  stateMem_spinal_port0;
  wire                turns_io_pop_valid;
  wire       [6:0]    turns_io_pop_payload;
  wire                turns_io_empty;
  wire                shares_io_found;
  wire       [6:0]    shares_io_share;
  wire                writes_io_commands_ready;
  wire       [1:0]    writes_io_next;
  wire       [1:0]    writes_io_oldest;
  wire       [3:0]    writes_io_held;
  wire                writes_io_over_valid;
  wire                writes_io_over_payload;
  wire                writes_io_read_valid;
  wire       [4:0]    writes_io_read_payload_slot;
  wire       [6:0]    writes_io_read_payload_beat;
  wire                writes_io_frames_tokens_valid;
  wire       [5:0]    writes_io_frames_tokens_payload_context;
  wire                writes_io_frames_tokens_payload_writes;
  wire       [30:0]   writes_io_frames_tokens_payload_address;
  wire       [15:0]   writes_io_frames_tokens_payload_length;
  wire       [7:0]    writes_io_frames_tokens_payload_dataOffset;
  wire                writes_io_frames_data_fetch_ready;
  wire                writes_io_frames_data_completions_ready;
  wire                writes_io_frames_data_payload_ready;
  wire                writes_io_frames_data_fetched_valid;
  wire       [511:0]  writes_io_frames_data_fetched_payload;
  wire       [127:0]  writes_io_frames_data_operands;
  wire                departures_io_push_ready;
  wire                departures_io_pop_valid;
  wire       [47:0]   departures_io_pop_payload_dstMac;
  wire       [31:0]   departures_io_pop_payload_dstIp;
  wire       [15:0]   departures_io_pop_payload_srcPort;
  wire       [7:0]    departures_io_pop_payload_opcode;
  wire       [15:0]   departures_io_pop_payload_pkey;
  wire       [23:0]   departures_io_pop_payload_destQp;
  wire       [23:0]   departures_io_pop_payload_psn;
  wire                departures_io_pop_payload_ackRequest;
  wire       [7:0]    departures_io_pop_payload_syndrome;
  wire       [23:0]   departures_io_pop_payload_msn;
  wire       [63:0]   departures_io_pop_payload_original;
  wire       [12:0]   departures_io_pop_payload_payload;
  wire       [2:0]    departures_io_availability;
  wire       [31:0]   _zz__zz_qp_notifiedAt_1;
  wire       [0:0]    _zz__zz_qp_notifiedAt_1_1;
  wire       [6:0]    _zz_asked;
  wire       [6:0]    _zz_asked_1;
  reg        [6:0]    _zz_nextIndex;
  wire                _zz_rowMem_port;
  wire                _zz__zz_rowRead_stores;
  wire                _zz_stateMem_port;
  wire                _zz__zz_stateRead_valid;
  wire                _zz_when;
  wire                _zz_when_1;
  wire                _zz_when_2;
  wire                _zz_when_3;
  wire       [23:0]   _zz_message_judge_place_behind;
  wire       [12:0]   _zz_message_judge_fits;
  wire       [12:0]   _zz_message_judge_fits_1;
  wire       [14:0]   _zz_message_judge_end;
  wire       [13:0]   _zz_message_judge_end_1;
  wire       [14:0]   _zz_message_judge_whole;
  wire       [14:0]   _zz_message_judge_whole_1;
  wire                _zz_when_4;
  wire                _zz_when_5;
  wire                _zz_when_6;
  wire       [23:0]   _zz_message_thisEarlier;
  wire       [23:0]   _zz_message_doneEarlier;
  wire       [23:0]   _zz_message_doneEarlier_1;
  wire       [14:0]   _zz_message_toPage;
  wire       [13:0]   _zz_message_toPage_1;
  wire       [14:0]   _zz_message_toPage_2;
  wire                _zz_when_7;
  wire       [13:0]   _zz_message_end;
  wire       [12:0]   _zz_message_before;
  wire       [14:0]   _zz_message_before_1;
  wire       [14:0]   _zz_message_bytes;
  wire       [13:0]   _zz_message_bytes_1;
  wire       [12:0]   _zz_message_bytes_2;
  wire       [11:0]   _zz_message_offset;
  wire       [14:0]   _zz_message_offset_1;
  wire       [14:0]   _zz_message_offset_2;
  wire                _zz_when_8;
  wire       [31:0]   _zz_when_9;
  wire                _zz_when_10;
  wire                _zz_when_11;
  wire                _zz_when_12;
  wire                _zz_when_13;
  wire                _zz_when_14;
  wire                _zz_when_15;
  wire                _zz_when_16;
  wire                _zz_when_17;
  wire       [3:0]    _zz__zz_qp_notReady;
  wire       [7:0]    _zz_qp_pendingSyndrome;
  wire       [3:0]    _zz_qp_pendingSyndrome_1;
  wire                _zz_when_18;
  wire       [7:0]    _zz_qp_pendingSyndrome_2;
  wire       [1:0]    _zz_qp_pendingSyndrome_3;
  wire                _zz_when_19;
  wire                _zz_when_20;
  wire                _zz_when_21;
  wire                _zz_when_22;
  wire                _zz_when_23;
  wire       [0:0]    _zz_slow_fits;
  wire       [1:0]    _zz_slow_fits_1;
  wire       [12:0]   _zz_slow_fits_2;
  wire       [13:0]   _zz_slow_fits_3;
  wire       [12:0]   _zz_slow_fits_4;
  wire                _zz_when_24;
  wire                _zz_when_25;
  reg        [2:0]    _zz_io_rows_payload_value_field;
  reg        [12:0]   _zz_io_rows_payload_value_end;
  reg                 _zz_io_rows_payload_value_last;
  wire                _zz_when_26;
  wire       [16:0]   _zz_io_commands_payload_cap;
  wire       [169:0]  _zz_rowMem_port_1;
  wire                _zz_when_27;
  wire                _zz_when_28;
  wire       [3:0]    _zz_others_1;
  wire       [6:0]    _zz_follows;
  wire                _zz_when_29;
  wire       [6:0]    _zz_stateMem_port_1;
  wire       [185:0]  _zz_stateMem_port_2;
  wire                _zz_stateMem_port_3;
  wire                _zz_when_30;
  reg        [4:0]    _zz_place;
  reg        [4:0]    state_2;
  reg        [2:0]    owner_1;
  reg        [6:0]    index;
  reg                 qp_valid;
  reg                 qp_inError;
  reg        [23:0]   qp_expected;
  reg        [23:0]   qp_msn;
  reg                 qp_running;
  reg        [13:0]   qp_filled;
  reg        [18:0]   qp_frame;
  reg                 qp_drops;
  reg                 qp_failed;
  reg                 qp_open;
  reg                 qp_bare;
  reg                 qp_gapTold;
  reg        [3:0]    qp_notReady;
  reg                 qp_mustNotify;
  reg                 qp_notified;
  reg        [31:0]   qp_notifiedAt;
  reg        [1:0]    qp_pending;
  reg        [23:0]   qp_pendingPsn;
  reg        [23:0]   qp_pendingMsn;
  reg        [7:0]    qp_pendingSyndrome;
  reg                 qp_scheduled;
  reg        [23:0]   row_pair_qpn;
  reg        [23:0]   row_pair_peerQpn;
  reg        [31:0]   row_pair_peerIp;
  reg        [47:0]   row_pair_peerMac;
  reg        [15:0]   row_pair_srcPort;
  reg        [2:0]    row_pair_mtuCode;
  reg                 row_pair_hardened;
  reg        [13:0]   row_pair_length;
  reg                 row_stores;
  reg        [6:0]    row_share;
  wire                _zz_qp_notifiedAt;
  reg        [31:0]   _zz_qp_notifiedAt_1;
  reg        [31:0]   _zz_qp_notifiedAt_2;
  wire                io_pop_m2sPipe_valid;
  wire                io_pop_m2sPipe_ready;
  wire       [47:0]   io_pop_m2sPipe_payload_dstMac;
  wire       [31:0]   io_pop_m2sPipe_payload_dstIp;
  wire       [15:0]   io_pop_m2sPipe_payload_srcPort;
  wire       [7:0]    io_pop_m2sPipe_payload_opcode;
  wire       [15:0]   io_pop_m2sPipe_payload_pkey;
  wire       [23:0]   io_pop_m2sPipe_payload_destQp;
  wire       [23:0]   io_pop_m2sPipe_payload_psn;
  wire                io_pop_m2sPipe_payload_ackRequest;
  wire       [7:0]    io_pop_m2sPipe_payload_syndrome;
  wire       [23:0]   io_pop_m2sPipe_payload_msn;
  wire       [63:0]   io_pop_m2sPipe_payload_original;
  wire       [12:0]   io_pop_m2sPipe_payload_payload;
  reg                 io_pop_rValid;
  reg        [47:0]   io_pop_rData_dstMac;
  reg        [31:0]   io_pop_rData_dstIp;
  reg        [15:0]   io_pop_rData_srcPort;
  reg        [7:0]    io_pop_rData_opcode;
  reg        [15:0]   io_pop_rData_pkey;
  reg        [23:0]   io_pop_rData_destQp;
  reg        [23:0]   io_pop_rData_psn;
  reg                 io_pop_rData_ackRequest;
  reg        [7:0]    io_pop_rData_syndrome;
  reg        [23:0]   io_pop_rData_msn;
  reg        [63:0]   io_pop_rData_original;
  reg        [12:0]   io_pop_rData_payload;
  reg                 departs;
  reg                 later_valid;
  reg        [5:0]    later_payload;
  reg                 events_receiveLength;
  reg                 events_abandoned;
  reg                 events_answerMalformed;
  reg                 events_repliesFailed;
  reg                 events_regNext_receiveLength;
  reg                 events_regNext_abandoned;
  reg                 events_regNext_answerMalformed;
  reg                 events_regNext_repliesFailed;
  reg        [6:0]    sweep;
  reg                 releases;
  reg        [4:0]    place;
  wire                creates;
  wire                io_orders_fire;
  reg                 turn;
  reg                 orders;
  wire                flies;
  wire                takesFlight;
  wire                takesOrder;
  wire                mayArrive;
  wire                mayAnswer;
  wire                quiet;
  wire                takesAnswer;
  wire                takesArrival;
  reg        [6:0]    flightPairs_0;
  reg        [6:0]    flightPairs_1;
  reg        [6:0]    flightPairs_2;
  reg        [6:0]    flightPairs_3;
  reg        [4:0]    flightSlots_0;
  reg        [4:0]    flightSlots_1;
  reg        [4:0]    flightSlots_2;
  reg        [4:0]    flightSlots_3;
  reg        [3:0]    flightEnds;
  reg        [3:0]    flightAsks;
  reg        [3:0]    own;
  wire       [6:0]    asked;
  wire       [6:0]    nextIndex;
  wire       [23:0]   rowRead_pair_qpn;
  wire       [23:0]   rowRead_pair_peerQpn;
  wire       [31:0]   rowRead_pair_peerIp;
  wire       [47:0]   rowRead_pair_peerMac;
  wire       [15:0]   rowRead_pair_srcPort;
  wire       [2:0]    rowRead_pair_mtuCode;
  wire                rowRead_pair_hardened;
  wire       [13:0]   rowRead_pair_length;
  wire                rowRead_stores;
  wire       [6:0]    rowRead_share;
  wire       [169:0]  _zz_rowRead_stores;
  wire       [161:0]  _zz_rowRead_pair_qpn;
  wire                stateRead_valid;
  wire                stateRead_inError;
  wire       [23:0]   stateRead_expected;
  wire       [23:0]   stateRead_msn;
  wire                stateRead_running;
  wire       [13:0]   stateRead_filled;
  wire       [18:0]   stateRead_frame;
  wire                stateRead_drops;
  wire                stateRead_failed;
  wire                stateRead_open;
  wire                stateRead_bare;
  wire                stateRead_gapTold;
  wire       [3:0]    stateRead_notReady;
  wire                stateRead_mustNotify;
  wire                stateRead_notified;
  wire       [31:0]   stateRead_notifiedAt;
  wire       [1:0]    stateRead_pending;
  wire       [23:0]   stateRead_pendingPsn;
  wire       [23:0]   stateRead_pendingMsn;
  wire       [7:0]    stateRead_pendingSyndrome;
  wire                stateRead_scheduled;
  wire       [185:0]  _zz_stateRead_valid;
  wire       [1:0]    _zz_stateRead_pending;
  wire                nothing;
  wire                waits;
  wire       [4:0]    _zz_state;
  reg                 flightLast;
  reg                 flightAsk;
  wire                asks;
  reg                 message_feed_on;
  reg                 message_feed_begun;
  reg                 message_feed_comes;
  reg        [6:0]    message_feed_next;
  reg        [79:0]   message_feed_before;
  reg        [511:0]  message_feed_beat;
  reg                 message_feed_full;
  wire                message_feed_wants;
  wire                message_feed_goes;
  wire                io_beats_fire;
  wire       [31:0]   message_judge_h_srcIp;
  wire       [7:0]    message_judge_h_opcode;
  wire       [15:0]   message_judge_h_pkey;
  wire       [23:0]   message_judge_h_destQp;
  wire       [23:0]   message_judge_h_psn;
  wire       [12:0]   message_judge_h_payload;
  wire                message_judge_malformed;
  wire       [23:0]   message_judge_row_pair_qpn;
  wire       [31:0]   message_judge_row_pair_peerIp;
  wire       [2:0]    message_judge_row_pair_mtuCode;
  wire       [13:0]   message_judge_row_pair_length;
  wire                message_judge_row_stores;
  wire                message_judge_qp_valid;
  wire                message_judge_qp_inError;
  wire       [23:0]   message_judge_qp_expected;
  wire                message_judge_qp_running;
  wire       [13:0]   message_judge_qp_filled;
  wire                message_judge_qp_gapTold;
  wire       [3:0]    message_judge_qp_notReady;
  reg        [2:0]    message_judge_judgement_step;
  reg        [5:0]    message_judge_judgement_reason;
  reg                 message_judge_judgement_byLength;
  wire                message_judge_judgement_known;
  wire                message_judge_judgement_cuts;
  wire                message_judge_judgement_ends;
  wire                message_judge_kind_send;
  wire                message_judge_kind_write;
  wire                message_judge_kind_read;
  wire                message_judge_kind_compareSwap;
  wire                message_judge_kind_fetchAdd;
  wire                message_judge_place_expected;
  wire                message_judge_place_ahead;
  wire                message_judge_place_behind;
  wire                message_judge_begins;
  wire                message_judge_ends;
  wire                message_judge_immediate;
  wire                message_judge_invalidates;
  wire                message_judge_fits;
  wire       [14:0]   message_judge_end;
  wire                message_judge_whole;
  wire                _zz_3;
  wire                _zz_4;
  wire                _zz_5;
  wire                _zz_6;
  wire                message_judge_strange;
  wire                message_judge_foreign;
  wire                message_judge_answers;
  wire                message_judge_silent_0_0;
  wire                message_judge_silent_1_0;
  wire                message_judge_silent_5_0;
  reg        [2:0]    message_j_step;
  reg        [5:0]    message_j_reason;
  reg                 message_j_byLength;
  reg                 message_j_known;
  reg                 message_j_cuts;
  reg                 message_j_ends;
  reg                 message_thisEarlier;
  reg                 message_doneEarlier;
  reg        [14:0]   message_toPage;
  reg        [13:0]   message_end;
  wire       [12:0]   message_before;
  reg        [12:0]   message_skip;
  reg        [12:0]   message_bytes;
  reg        [11:0]   message_offset;
  reg                 message_failure_notReady;
  reg        [1:0]    message_failure_nak;
  reg        [5:0]    message_failure_reason;
  reg                 message_failure_byLength;
  reg                 message_failure_over;
  wire                message_goesOn;
  reg                 message_ofPage;
  wire                io_fields_fire;
  wire                io_told_fire;
  reg        [2:0]    message_how;
  wire                message_some;
  wire                message_lacks;
  wire                message_early;
  wire                io_pages_fire;
  wire       [23:0]   message_msn;
  wire                message_ends;
  wire                message_tells;
  wire       [23:0]   _zz_qp_pendingMsn;
  wire                message_hardened;
  wire       [3:0]    _zz_qp_notReady;
  wire                message_stored;
  wire                message_leaves;
  wire                message_gone;
  wire                slow_here;
  wire                _zz_slow_end;
  wire       [12:0]   slow_end;
  wire                slow_fits;
  reg        [2:0]    slow_sound;
  wire                slow_limited;
  wire                slow_creates;
  wire                slow_writes;
  wire       [23:0]   slow_written_pair_qpn;
  wire       [23:0]   slow_written_pair_peerQpn;
  wire       [31:0]   slow_written_pair_peerIp;
  wire       [47:0]   slow_written_pair_peerMac;
  wire       [15:0]   slow_written_pair_srcPort;
  wire       [2:0]    slow_written_pair_mtuCode;
  wire                slow_written_pair_hardened;
  wire       [13:0]   slow_written_pair_length;
  wire                slow_written_stores;
  wire       [6:0]    slow_written_share;
  reg                 slow_tells;
  reg        [2:0]    slow_count;
  wire                slow_begins;
  wire                io_commands_fire;
  wire       [4:0]    _zz_state_1;
  wire                handed;
  wire       [3:0]    _zz_8;
  wire       [3:0]    _zz_9;
  reg                 keeps;
  wire       [3:0]    others_1;
  wire                follows;
  wire                rests;
  wire                pauses;
  wire                stores;
  wire                enters;
  reg                 written_valid;
  wire                written_inError;
  wire       [23:0]   written_expected;
  wire       [23:0]   written_msn;
  wire                written_running;
  wire       [13:0]   written_filled;
  wire       [18:0]   written_frame;
  wire                written_drops;
  wire                written_failed;
  reg                 written_open;
  wire                written_bare;
  wire                written_gapTold;
  wire       [3:0]    written_notReady;
  wire                written_mustNotify;
  wire                written_notified;
  wire       [31:0]   written_notifiedAt;
  wire       [1:0]    written_pending;
  wire       [23:0]   written_pendingPsn;
  wire       [23:0]   written_pendingMsn;
  wire       [7:0]    written_pendingSyndrome;
  reg                 written_scheduled;
  (* ram_style = "block" *) reg [169:0] rowMem [0:127];
  (* ram_style = "block" *) reg [185:0] stateMem [0:127];

  assign _zz_when_15 = (state_2 == State_write);
  assign _zz_when_16 = (departs && (! ((qp_pending == Pending_refusal) && message_thisEarlier)));
  assign _zz_when_21 = (state_2 == State_pick);
  assign _zz_when_22 = (qp_pending != Pending_none);
  assign _zz_when_8 = (state_2 == State_act);
  assign _zz_when_11 = (message_j_known && ((|(own & flightEnds)) || (waits && (! message_goesOn))));
  assign _zz_when_17 = (state_2 == State_refuse);
  assign _zz_when_23 = (qp_pending == Pending_ack);
  assign _zz_when_20 = (state_2 == State_gone);
  assign _zz_when_2 = (! writes_io_read_valid);
  assign _zz_when_4 = (message_judge_qp_notReady != 4'b0000);
  assign _zz_when_5 = (message_judge_kind_send || message_judge_kind_write);
  assign _zz_when_6 = ((! (((message_judge_kind_send || message_judge_kind_write) || message_judge_kind_read) || (message_judge_kind_compareSwap || message_judge_kind_fetchAdd))) || message_judge_malformed);
  assign _zz_when_24 = (state_2 == State_order);
  assign _zz_when_25 = (! slow_here);
  assign _zz_when_29 = (state_2 == State_empty);
  assign _zz_when = (state_2 == State_idle);
  assign _zz_when_1 = (state_2 == State_load);
  assign _zz_when_3 = (state_2 == State_idle);
  assign _zz_when_7 = (state_2 == State_judge);
  assign _zz_when_10 = (message_j_cuts && io_mayNotify);
  assign _zz_when_12 = (state_2 == State_move);
  assign _zz_when_13 = ((! message_some) || writes_io_commands_ready);
  assign _zz_when_14 = (message_some && (! message_early));
  assign _zz_when_18 = (message_hardened && (! message_failure_over));
  assign _zz_when_19 = (state_2 == State_end_1);
  assign _zz_when_26 = (state_2 == State_rows);
  assign _zz_when_27 = (state_2 == State_flight);
  assign _zz_when_28 = (flightLast && 1'b1);
  assign _zz_when_30 = (writes_io_retire || (io_arrivals_ready && (! keeps)));
  assign _zz__zz_qp_notifiedAt_1_1 = _zz_qp_notifiedAt;
  assign _zz__zz_qp_notifiedAt_1 = {31'd0, _zz__zz_qp_notifiedAt_1_1};
  assign _zz_asked = io_orders_payload_pair_qpn[6:0];
  assign _zz_asked_1 = io_arrivals_payload_headers_destQp[6:0];
  assign _zz_message_judge_place_behind = (message_judge_h_psn - message_judge_qp_expected);
  assign _zz_message_judge_fits = (13'h0080 <<< message_judge_row_pair_mtuCode);
  assign _zz_message_judge_fits_1 = (13'h0080 <<< message_judge_row_pair_mtuCode);
  assign _zz_message_judge_end_1 = {1'b0,message_judge_h_payload};
  assign _zz_message_judge_end = {1'd0, _zz_message_judge_end_1};
  assign _zz_message_judge_whole = {1'd0, message_judge_row_pair_length};
  assign _zz_message_judge_whole_1 = {1'd0, message_judge_row_pair_length};
  assign _zz_message_thisEarlier = (qp_expected - qp_pendingPsn);
  assign _zz_message_doneEarlier = (_zz_message_doneEarlier_1 - qp_pendingPsn);
  assign _zz_message_doneEarlier_1 = (qp_expected - 24'h000001);
  assign _zz_message_toPage = {1'b0,_zz_message_toPage_1};
  assign _zz_message_toPage_1 = (row_pair_length - 14'h1000);
  assign _zz_message_toPage_2 = {1'b0,(qp_running ? qp_filled : 14'h0)};
  assign _zz_message_end = {1'd0, io_arrivals_payload_headers_payload};
  assign _zz_message_before_1 = message_toPage;
  assign _zz_message_before = _zz_message_before_1[12:0];
  assign _zz_message_bytes_1 = {1'b0,io_arrivals_payload_headers_payload};
  assign _zz_message_bytes = {{1{_zz_message_bytes_1[13]}}, _zz_message_bytes_1};
  assign _zz_message_bytes_2 = (io_arrivals_payload_headers_payload - message_before);
  assign _zz_message_offset_1 = _zz_message_offset_2;
  assign _zz_message_offset = _zz_message_offset_1[11:0];
  assign _zz_message_offset_2 = (- message_toPage);
  assign _zz_when_9 = (_zz_qp_notifiedAt_2 - qp_notifiedAt);
  assign _zz__zz_qp_notReady = (qp_notReady + 4'b0001);
  assign _zz_qp_pendingSyndrome_1 = _zz_qp_notReady;
  assign _zz_qp_pendingSyndrome = {4'd0, _zz_qp_pendingSyndrome_1};
  assign _zz_qp_pendingSyndrome_3 = message_failure_nak;
  assign _zz_qp_pendingSyndrome_2 = {6'd0, _zz_qp_pendingSyndrome_3};
  assign _zz_slow_fits_2 = (13'h0080 <<< io_orders_payload_pair_mtuCode);
  assign _zz_slow_fits_4 = (13'h0080 <<< io_orders_payload_pair_mtuCode);
  assign _zz_slow_fits_3 = {1'd0, _zz_slow_fits_4};
  assign _zz_io_commands_payload_cap = io_orders_payload_rate[16:0];
  assign _zz_others_1 = (4'b0001 <<< writes_io_oldest);
  assign _zz_follows = io_arrivals_payload_headers_destQp[6:0];
  assign _zz__zz_rowRead_stores = 1'b1;
  assign _zz_rowMem_port_1 = {slow_written_share,{slow_written_stores,{slow_written_pair_length,{slow_written_pair_hardened,{slow_written_pair_mtuCode,{slow_written_pair_srcPort,{slow_written_pair_peerMac,{slow_written_pair_peerIp,{slow_written_pair_peerQpn,slow_written_pair_qpn}}}}}}}}};
  assign _zz__zz_stateRead_valid = 1'b1;
  assign _zz_stateMem_port_1 = ((state_2 == State_empty) ? sweep : index);
  assign _zz_stateMem_port_2 = {written_scheduled,{written_pendingSyndrome,{written_pendingMsn,{written_pendingPsn,{written_pending,{written_notifiedAt,{written_notified,{written_mustNotify,{written_notReady,{written_gapTold,{written_bare,{written_open,{written_failed,{written_drops,{written_frame,{written_filled,{written_running,{written_msn,{written_expected,{written_inError,written_valid}}}}}}}}}}}}}}}}}}}};
  assign _zz_stateMem_port_3 = ((state_2 == State_empty) || stores);
  assign _zz_slow_fits = io_orders_payload_rows_2_last;
  assign _zz_slow_fits_1 = {io_orders_payload_rows_1_last,io_orders_payload_rows_0_last};
  always @(posedge clk) begin
    if(_zz__zz_rowRead_stores) begin
      rowMem_spinal_port0 <= rowMem[nextIndex];
    end
  end

  always @(posedge clk) begin
    if(slow_writes) begin
      rowMem[index] <= _zz_rowMem_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_stateRead_valid) begin
      stateMem_spinal_port0 <= stateMem[nextIndex];
    end
  end

  always @(posedge clk) begin
    if(_zz_stateMem_port_3) begin
      stateMem[_zz_stateMem_port_1] <= _zz_stateMem_port_2;
    end
  end

  RoceTurns turns (
    .io_push_valid         (turns_io_push_valid      ), //i
    .io_push_payload_share (row_share[6:0]           ), //i
    .io_push_payload_pair  (index[6:0]               ), //i
    .io_pop_valid          (turns_io_pop_valid       ), //o
    .io_pop_ready          (turns_io_pop_ready       ), //i
    .io_pop_payload        (turns_io_pop_payload[6:0]), //o
    .io_clear_valid        (turns_io_clear_valid     ), //i
    .io_clear_payload      (sweep[6:0]               ), //i
    .io_empty              (turns_io_empty           ), //o
    .clk                   (clk                      ), //i
    .reset                 (reset                    )  //i
  );
  RoceShares shares (
    .io_seeks         (shares_io_seeks                     ), //i
    .io_pid           (io_orders_payload_settings_pid[23:0]), //i
    .io_found         (shares_io_found                     ), //o
    .io_share         (shares_io_share[6:0]                ), //o
    .io_ends          (io_orders_fire                      ), //i
    .io_takes         (slow_writes                         ), //i
    .io_gives         (shares_io_gives                     ), //i
    .io_of            (row_share[6:0]                      ), //i
    .io_clear_valid   (shares_io_clear_valid               ), //i
    .io_clear_payload (sweep[6:0]                          ), //i
    .clk              (clk                                 ), //i
    .reset            (reset                               )  //i
  );
  FrameWrites writes (
    .io_commands_valid                                        (writes_io_commands_valid                                     ), //i
    .io_commands_ready                                        (writes_io_commands_ready                                     ), //o
    .io_commands_payload_slot                                 (io_arrivals_payload_slot[4:0]                                ), //i
    .io_commands_payload_source                               (writes_io_commands_payload_source[12:0]                      ), //i
    .io_commands_payload_bytes                                (message_bytes[12:0]                                          ), //i
    .io_commands_payload_address                              (writes_io_commands_payload_address[30:0]                     ), //i
    .io_next                                                  (writes_io_next[1:0]                                          ), //o
    .io_oldest                                                (writes_io_oldest[1:0]                                        ), //o
    .io_held                                                  (writes_io_held[3:0]                                          ), //o
    .io_over_valid                                            (writes_io_over_valid                                         ), //o
    .io_over_payload                                          (writes_io_over_payload                                       ), //o
    .io_retire                                                (writes_io_retire                                             ), //i
    .io_read_valid                                            (writes_io_read_valid                                         ), //o
    .io_read_ready                                            (io_read_ready                                                ), //i
    .io_read_payload_slot                                     (writes_io_read_payload_slot[4:0]                             ), //o
    .io_read_payload_beat                                     (writes_io_read_payload_beat[6:0]                             ), //o
    .io_packet                                                (io_packet[511:0]                                             ), //i
    .io_frames_tokens_valid                                   (writes_io_frames_tokens_valid                                ), //o
    .io_frames_tokens_ready                                   (io_frames_tokens_ready                                       ), //i
    .io_frames_tokens_payload_context                         (writes_io_frames_tokens_payload_context[5:0]                 ), //o
    .io_frames_tokens_payload_writes                          (writes_io_frames_tokens_payload_writes                       ), //o
    .io_frames_tokens_payload_address                         (writes_io_frames_tokens_payload_address[30:0]                ), //o
    .io_frames_tokens_payload_length                          (writes_io_frames_tokens_payload_length[15:0]                 ), //o
    .io_frames_tokens_payload_dataOffset                      (writes_io_frames_tokens_payload_dataOffset[7:0]              ), //o
    .io_frames_data_fetch_valid                               (io_frames_data_fetch_valid                                   ), //i
    .io_frames_data_fetch_ready                               (writes_io_frames_data_fetch_ready                            ), //o
    .io_frames_data_fetch_payload_context                     (io_frames_data_fetch_payload_context[5:0]                    ), //i
    .io_frames_data_fetch_payload_beat                        (io_frames_data_fetch_payload_beat[4:0]                       ), //i
    .io_frames_data_fetched_valid                             (writes_io_frames_data_fetched_valid                          ), //o
    .io_frames_data_fetched_payload                           (writes_io_frames_data_fetched_payload[511:0]                 ), //o
    .io_frames_data_operands                                  (writes_io_frames_data_operands[127:0]                        ), //o
    .io_frames_data_completions_valid                         (io_frames_data_completions_valid                             ), //i
    .io_frames_data_completions_ready                         (writes_io_frames_data_completions_ready                      ), //o
    .io_frames_data_completions_payload_context               (io_frames_data_completions_payload_context[5:0]              ), //i
    .io_frames_data_completions_payload_report_outcome_status (io_frames_data_completions_payload_report_outcome_status[4:0]), //i
    .io_frames_data_payload_ready                             (writes_io_frames_data_payload_ready                          ), //o
    .clk                                                      (clk                                                          ), //i
    .reset                                                    (reset                                                        )  //i
  );
  StreamFifo_1 departures (
    .io_push_valid              (departures_io_push_valid                 ), //i
    .io_push_ready              (departures_io_push_ready                 ), //o
    .io_push_payload_dstMac     (departures_io_push_payload_dstMac[47:0]  ), //i
    .io_push_payload_dstIp      (departures_io_push_payload_dstIp[31:0]   ), //i
    .io_push_payload_srcPort    (departures_io_push_payload_srcPort[15:0] ), //i
    .io_push_payload_opcode     (departures_io_push_payload_opcode[7:0]   ), //i
    .io_push_payload_pkey       (departures_io_push_payload_pkey[15:0]    ), //i
    .io_push_payload_destQp     (departures_io_push_payload_destQp[23:0]  ), //i
    .io_push_payload_psn        (departures_io_push_payload_psn[23:0]     ), //i
    .io_push_payload_ackRequest (departures_io_push_payload_ackRequest    ), //i
    .io_push_payload_syndrome   (departures_io_push_payload_syndrome[7:0] ), //i
    .io_push_payload_msn        (departures_io_push_payload_msn[23:0]     ), //i
    .io_push_payload_original   (departures_io_push_payload_original[63:0]), //i
    .io_push_payload_payload    (departures_io_push_payload_payload[12:0] ), //i
    .io_pop_valid               (departures_io_pop_valid                  ), //o
    .io_pop_ready               (departures_io_pop_ready                  ), //i
    .io_pop_payload_dstMac      (departures_io_pop_payload_dstMac[47:0]   ), //o
    .io_pop_payload_dstIp       (departures_io_pop_payload_dstIp[31:0]    ), //o
    .io_pop_payload_srcPort     (departures_io_pop_payload_srcPort[15:0]  ), //o
    .io_pop_payload_opcode      (departures_io_pop_payload_opcode[7:0]    ), //o
    .io_pop_payload_pkey        (departures_io_pop_payload_pkey[15:0]     ), //o
    .io_pop_payload_destQp      (departures_io_pop_payload_destQp[23:0]   ), //o
    .io_pop_payload_psn         (departures_io_pop_payload_psn[23:0]      ), //o
    .io_pop_payload_ackRequest  (departures_io_pop_payload_ackRequest     ), //o
    .io_pop_payload_syndrome    (departures_io_pop_payload_syndrome[7:0]  ), //o
    .io_pop_payload_msn         (departures_io_pop_payload_msn[23:0]      ), //o
    .io_pop_payload_original    (departures_io_pop_payload_original[63:0] ), //o
    .io_pop_payload_payload     (departures_io_pop_payload_payload[12:0]  ), //o
    .io_flush                   (1'b0                                     ), //i
    .io_availability            (departures_io_availability[2:0]          ), //o
    .clk                        (clk                                      ), //i
    .reset                      (reset                                    )  //i
  );
  always @(*) begin
    case(writes_io_oldest)
      2'b00 : begin
        _zz_nextIndex = flightPairs_0;
        _zz_place = flightSlots_0;
      end
      2'b01 : begin
        _zz_nextIndex = flightPairs_1;
        _zz_place = flightSlots_1;
      end
      2'b10 : begin
        _zz_nextIndex = flightPairs_2;
        _zz_place = flightSlots_2;
      end
      default : begin
        _zz_nextIndex = flightPairs_3;
        _zz_place = flightSlots_3;
      end
    endcase
  end

  always @(*) begin
    case(slow_count)
      3'b000 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_0_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_0_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_0_last;
      end
      3'b001 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_1_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_1_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_1_last;
      end
      3'b010 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_2_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_2_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_2_last;
      end
      3'b011 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_3_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_3_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_3_last;
      end
      3'b100 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_4_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_4_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_4_last;
      end
      3'b101 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_5_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_5_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_5_last;
      end
      3'b110 : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_6_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_6_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_6_last;
      end
      default : begin
        _zz_io_rows_payload_value_field = io_orders_payload_rows_7_field;
        _zz_io_rows_payload_value_end = io_orders_payload_rows_7_end;
        _zz_io_rows_payload_value_last = io_orders_payload_rows_7_last;
      end
    endcase
  end

  always @(*) begin
    _zz_qp_notifiedAt_1 = (_zz_qp_notifiedAt_2 + _zz__zz_qp_notifiedAt_1);
    if(1'b0) begin
      _zz_qp_notifiedAt_1 = 32'h0;
    end
  end

  assign _zz_qp_notifiedAt = 1'b1;
  assign io_frames_tokens_valid = writes_io_frames_tokens_valid;
  assign io_frames_tokens_payload_context = writes_io_frames_tokens_payload_context;
  assign io_frames_tokens_payload_writes = writes_io_frames_tokens_payload_writes;
  assign io_frames_tokens_payload_address = writes_io_frames_tokens_payload_address;
  assign io_frames_tokens_payload_length = writes_io_frames_tokens_payload_length;
  assign io_frames_tokens_payload_dataOffset = writes_io_frames_tokens_payload_dataOffset;
  assign io_frames_data_fetch_ready = writes_io_frames_data_fetch_ready;
  assign io_frames_data_fetched_valid = writes_io_frames_data_fetched_valid;
  assign io_frames_data_fetched_payload = writes_io_frames_data_fetched_payload;
  assign io_frames_data_operands = writes_io_frames_data_operands;
  assign io_frames_data_completions_ready = writes_io_frames_data_completions_ready;
  assign io_frames_data_payload_ready = writes_io_frames_data_payload_ready;
  always @(*) begin
    departures_io_pop_ready = io_pop_m2sPipe_ready;
    if((! io_pop_m2sPipe_valid)) begin
      departures_io_pop_ready = 1'b1;
    end
  end

  assign io_pop_m2sPipe_valid = io_pop_rValid;
  assign io_pop_m2sPipe_payload_dstMac = io_pop_rData_dstMac;
  assign io_pop_m2sPipe_payload_dstIp = io_pop_rData_dstIp;
  assign io_pop_m2sPipe_payload_srcPort = io_pop_rData_srcPort;
  assign io_pop_m2sPipe_payload_opcode = io_pop_rData_opcode;
  assign io_pop_m2sPipe_payload_pkey = io_pop_rData_pkey;
  assign io_pop_m2sPipe_payload_destQp = io_pop_rData_destQp;
  assign io_pop_m2sPipe_payload_psn = io_pop_rData_psn;
  assign io_pop_m2sPipe_payload_ackRequest = io_pop_rData_ackRequest;
  assign io_pop_m2sPipe_payload_syndrome = io_pop_rData_syndrome;
  assign io_pop_m2sPipe_payload_msn = io_pop_rData_msn;
  assign io_pop_m2sPipe_payload_original = io_pop_rData_original;
  assign io_pop_m2sPipe_payload_payload = io_pop_rData_payload;
  assign io_departures_valid = io_pop_m2sPipe_valid;
  assign io_pop_m2sPipe_ready = io_departures_ready;
  assign io_departures_payload_dstMac = io_pop_m2sPipe_payload_dstMac;
  assign io_departures_payload_dstIp = io_pop_m2sPipe_payload_dstIp;
  assign io_departures_payload_srcPort = io_pop_m2sPipe_payload_srcPort;
  assign io_departures_payload_opcode = io_pop_m2sPipe_payload_opcode;
  assign io_departures_payload_pkey = io_pop_m2sPipe_payload_pkey;
  assign io_departures_payload_destQp = io_pop_m2sPipe_payload_destQp;
  assign io_departures_payload_psn = io_pop_m2sPipe_payload_psn;
  assign io_departures_payload_ackRequest = io_pop_m2sPipe_payload_ackRequest;
  assign io_departures_payload_syndrome = io_pop_m2sPipe_payload_syndrome;
  assign io_departures_payload_msn = io_pop_m2sPipe_payload_msn;
  assign io_departures_payload_original = io_pop_m2sPipe_payload_original;
  assign io_departures_payload_payload = io_pop_m2sPipe_payload_payload;
  always @(*) begin
    departures_io_push_valid = 1'b0;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_valid = 1'b1;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_valid = 1'b1;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_valid = 1'b1;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_dstMac = 48'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_dstMac = row_pair_peerMac;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_dstMac = row_pair_peerMac;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_dstMac = row_pair_peerMac;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_dstIp = 32'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_dstIp = row_pair_peerIp;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_dstIp = row_pair_peerIp;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_dstIp = row_pair_peerIp;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_srcPort = 16'bxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_srcPort = row_pair_srcPort;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_srcPort = row_pair_srcPort;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_srcPort = row_pair_srcPort;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_opcode = 8'bxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_opcode = 8'h11;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_opcode = 8'h81;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_opcode = 8'h11;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_pkey = 16'bxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_pkey = 16'hffff;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_pkey = 16'hffff;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_pkey = 16'hffff;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_destQp = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_destQp = row_pair_peerQpn;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_destQp = row_pair_peerQpn;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_destQp = row_pair_peerQpn;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_psn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_psn = qp_expected;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_psn = 24'h0;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_psn = qp_pendingPsn;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_ackRequest = 1'bx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_ackRequest = 1'b0;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_ackRequest = 1'b0;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_ackRequest = 1'b0;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_syndrome = 8'bxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_syndrome = 8'h1f;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_syndrome = 8'h0;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_syndrome = qp_pendingSyndrome;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_msn = 24'bxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_msn = _zz_qp_pendingMsn;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_msn = 24'h0;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_msn = qp_pendingMsn;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_original = 64'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_original = 64'h0;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_original = 64'h0;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_original = 64'h0;
          end
        end
      end
    end
  end

  always @(*) begin
    departures_io_push_payload_payload = 13'bxxxxxxxxxxxxx;
    if(_zz_when_15) begin
      if(asks) begin
        if(_zz_when_16) begin
          departures_io_push_payload_payload = 13'h0;
        end
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          departures_io_push_payload_payload = 13'h0;
        end else begin
          if(_zz_when_22) begin
            departures_io_push_payload_payload = 13'h0;
          end
        end
      end
    end
  end

  always @(*) begin
    io_counted_valid = 1'b0;
    if(_zz_when_8) begin
      case(message_j_step)
        ArrivalStep_drop : begin
          io_counted_valid = 1'b1;
        end
        ArrivalStep_reply : begin
        end
        ArrivalStep_gap : begin
          io_counted_valid = 1'b1;
        end
        ArrivalStep_duplicate : begin
          io_counted_valid = 1'b1;
        end
        ArrivalStep_refuse : begin
        end
        ArrivalStep_begins : begin
        end
        ArrivalStep_page : begin
        end
        default : begin
        end
      endcase
      if(_zz_when_11) begin
        io_counted_valid = 1'b0;
      end
    end
    if(_zz_when_15) begin
      if(message_ends) begin
        io_counted_valid = 1'b1;
      end
    end
    if(_zz_when_17) begin
      if(!message_failure_byLength) begin
        io_counted_valid = 1'b1;
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          io_counted_valid = 1'b1;
        end else begin
          if(_zz_when_22) begin
            if(_zz_when_23) begin
              io_counted_valid = 1'b1;
            end
          end
        end
      end
    end
    if(stores) begin
      if(later_valid) begin
        io_counted_valid = 1'b1;
      end
    end
  end

  always @(*) begin
    io_counted_payload = 6'bxxxxxx;
    if(_zz_when_8) begin
      case(message_j_step)
        ArrivalStep_drop : begin
          io_counted_payload = message_j_reason;
        end
        ArrivalStep_reply : begin
        end
        ArrivalStep_gap : begin
          io_counted_payload = message_j_reason;
        end
        ArrivalStep_duplicate : begin
          io_counted_payload = message_j_reason;
        end
        ArrivalStep_refuse : begin
        end
        ArrivalStep_begins : begin
        end
        ArrivalStep_page : begin
        end
        default : begin
        end
      endcase
    end
    if(_zz_when_15) begin
      if(message_ends) begin
        io_counted_payload = 6'h3b;
      end
    end
    if(_zz_when_17) begin
      if(!message_failure_byLength) begin
        io_counted_payload = message_failure_reason;
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          io_counted_payload = 6'h39;
        end else begin
          if(_zz_when_22) begin
            if(_zz_when_23) begin
              io_counted_payload = 6'h37;
            end
          end
        end
      end
    end
    if(stores) begin
      if(later_valid) begin
        io_counted_payload = later_payload;
      end
    end
  end

  always @(*) begin
    events_receiveLength = 1'b0;
    if(_zz_when_17) begin
      if(message_failure_byLength) begin
        events_receiveLength = 1'b1;
      end
    end
  end

  always @(*) begin
    events_abandoned = 1'b0;
    if(io_told_fire) begin
      case(io_told_payload_verdict)
        ChainVerdict_DONE : begin
        end
        ChainVerdict_PAGE, ChainVerdict_DROP : begin
        end
        ChainVerdict_PAUSED : begin
        end
        ChainVerdict_DENIED : begin
        end
        ChainVerdict_FAILED : begin
        end
        ChainVerdict_NOT_READY : begin
        end
        default : begin
          events_abandoned = 1'b1;
        end
      endcase
    end
  end

  always @(*) begin
    events_answerMalformed = 1'b0;
    if(_zz_when_8) begin
      case(message_j_step)
        ArrivalStep_drop : begin
        end
        ArrivalStep_reply : begin
          if(io_arrivals_payload_malformed) begin
            events_answerMalformed = 1'b1;
          end
        end
        ArrivalStep_gap : begin
        end
        ArrivalStep_duplicate : begin
        end
        ArrivalStep_refuse : begin
        end
        ArrivalStep_begins : begin
        end
        ArrivalStep_page : begin
        end
        default : begin
        end
      endcase
    end
  end

  always @(*) begin
    events_repliesFailed = 1'b0;
    if(_zz_when_20) begin
      events_repliesFailed = message_gone;
    end
  end

  assign io_events_receiveLength = events_regNext_receiveLength;
  assign io_events_abandoned = events_regNext_abandoned;
  assign io_events_answerMalformed = events_regNext_answerMalformed;
  assign io_events_repliesFailed = events_regNext_repliesFailed;
  assign io_ready = (! (state_2 == State_empty));
  assign turns_io_clear_valid = (state_2 == State_empty);
  assign shares_io_clear_valid = (state_2 == State_empty);
  assign io_released_valid = releases;
  assign io_released_payload = place;
  assign creates = (io_orders_payload_command == ChainCommand_CREATE);
  assign shares_io_seeks = (io_orders_valid && creates);
  assign io_orders_fire = (io_orders_valid && io_orders_ready);
  assign flies = (|writes_io_held);
  assign takesFlight = (writes_io_over_valid && (! releases));
  assign takesOrder = (orders && (! flies));
  assign mayArrive = ((io_arrivals_valid && writes_io_commands_ready) && (! releases));
  assign mayAnswer = (turns_io_pop_valid && departs);
  assign quiet = (((! takesFlight) && (! io_failed_valid)) && (! orders));
  assign takesAnswer = ((quiet && mayAnswer) && (turn || (! mayArrive)));
  assign takesArrival = ((quiet && (! takesAnswer)) && mayArrive);
  assign asked = (takesOrder ? _zz_asked : (takesAnswer ? turns_io_pop_payload : _zz_asked_1));
  assign nextIndex = (takesFlight ? _zz_nextIndex : (io_failed_valid ? io_failed_payload : asked));
  assign _zz_rowRead_stores = rowMem_spinal_port0;
  assign _zz_rowRead_pair_qpn = _zz_rowRead_stores[161 : 0];
  assign rowRead_pair_qpn = _zz_rowRead_pair_qpn[23 : 0];
  assign rowRead_pair_peerQpn = _zz_rowRead_pair_qpn[47 : 24];
  assign rowRead_pair_peerIp = _zz_rowRead_pair_qpn[79 : 48];
  assign rowRead_pair_peerMac = _zz_rowRead_pair_qpn[127 : 80];
  assign rowRead_pair_srcPort = _zz_rowRead_pair_qpn[143 : 128];
  assign rowRead_pair_mtuCode = _zz_rowRead_pair_qpn[146 : 144];
  assign rowRead_pair_hardened = _zz_rowRead_pair_qpn[147];
  assign rowRead_pair_length = _zz_rowRead_pair_qpn[161 : 148];
  assign rowRead_stores = _zz_rowRead_stores[162];
  assign rowRead_share = _zz_rowRead_stores[169 : 163];
  assign _zz_stateRead_valid = stateMem_spinal_port0;
  assign stateRead_valid = _zz_stateRead_valid[0];
  assign stateRead_inError = _zz_stateRead_valid[1];
  assign stateRead_expected = _zz_stateRead_valid[25 : 2];
  assign stateRead_msn = _zz_stateRead_valid[49 : 26];
  assign stateRead_running = _zz_stateRead_valid[50];
  assign stateRead_filled = _zz_stateRead_valid[64 : 51];
  assign stateRead_frame = _zz_stateRead_valid[83 : 65];
  assign stateRead_drops = _zz_stateRead_valid[84];
  assign stateRead_failed = _zz_stateRead_valid[85];
  assign stateRead_open = _zz_stateRead_valid[86];
  assign stateRead_bare = _zz_stateRead_valid[87];
  assign stateRead_gapTold = _zz_stateRead_valid[88];
  assign stateRead_notReady = _zz_stateRead_valid[92 : 89];
  assign stateRead_mustNotify = _zz_stateRead_valid[93];
  assign stateRead_notified = _zz_stateRead_valid[94];
  assign stateRead_notifiedAt = _zz_stateRead_valid[126 : 95];
  assign _zz_stateRead_pending = _zz_stateRead_valid[128 : 127];
  assign stateRead_pending = _zz_stateRead_pending;
  assign stateRead_pendingPsn = _zz_stateRead_valid[152 : 129];
  assign stateRead_pendingMsn = _zz_stateRead_valid[176 : 153];
  assign stateRead_pendingSyndrome = _zz_stateRead_valid[184 : 177];
  assign stateRead_scheduled = _zz_stateRead_valid[185];
  assign turns_io_pop_ready = ((state_2 == State_idle) && takesAnswer);
  assign nothing = ((((((! flies) && (! releases)) && (! io_failed_valid)) && (! departures_io_pop_valid)) && (! io_departures_valid)) && turns_io_empty);
  assign io_rests = (((state_2 == State_idle) && nothing) && (! io_arrivals_valid));
  assign waits = (|own);
  assign _zz_state = (waits ? State_idle : State_end_1);
  assign asks = ((owner_1 == Owner_flight) ? flightAsk : io_arrivals_payload_headers_ackRequest);
  assign message_feed_wants = ((message_feed_on && (! message_feed_full)) && (! (message_feed_comes && message_feed_begun)));
  assign io_read_valid = (writes_io_read_valid || message_feed_wants);
  always @(*) begin
    io_read_payload_slot = writes_io_read_payload_slot;
    if(_zz_when_2) begin
      io_read_payload_slot = io_arrivals_payload_slot;
    end
  end

  always @(*) begin
    io_read_payload_beat = writes_io_read_payload_beat;
    if(_zz_when_2) begin
      io_read_payload_beat = message_feed_next;
    end
  end

  assign message_feed_goes = ((message_feed_wants && io_read_ready) && (! writes_io_read_valid));
  assign io_beats_valid = (message_feed_full && (state_2 == State_told));
  assign io_beats_payload = message_feed_beat;
  assign io_beats_fire = (io_beats_valid && io_beats_ready);
  assign message_judge_kind_send = ((message_judge_h_opcode <= 8'h05) || (|{(message_judge_h_opcode == 8'h17),(message_judge_h_opcode == 8'h16)}));
  assign message_judge_kind_write = ((8'h06 <= message_judge_h_opcode) && (message_judge_h_opcode <= 8'h0b));
  assign message_judge_kind_read = (message_judge_h_opcode == 8'h0c);
  assign message_judge_kind_compareSwap = (message_judge_h_opcode == 8'h13);
  assign message_judge_kind_fetchAdd = (message_judge_h_opcode == 8'h14);
  assign message_judge_place_expected = (message_judge_h_psn == message_judge_qp_expected);
  assign message_judge_place_behind = _zz_message_judge_place_behind[23];
  assign message_judge_place_ahead = ((! message_judge_place_expected) && (! message_judge_place_behind));
  assign message_judge_begins = (|{(message_judge_h_opcode == 8'h17),{(message_judge_h_opcode == 8'h05),{(message_judge_h_opcode == 8'h04),(message_judge_h_opcode == 8'h0)}}});
  assign message_judge_ends = (|{(message_judge_h_opcode == 8'h17),{(message_judge_h_opcode == 8'h16),{(message_judge_h_opcode == 8'h05),{(message_judge_h_opcode == 8'h04),{(message_judge_h_opcode == 8'h03),(message_judge_h_opcode == 8'h02)}}}}});
  assign message_judge_immediate = (|{(message_judge_h_opcode == 8'h05),(message_judge_h_opcode == 8'h03)});
  assign message_judge_invalidates = (|{(message_judge_h_opcode == 8'h17),(message_judge_h_opcode == 8'h16)});
  assign message_judge_judgement_ends = message_judge_ends;
  assign message_judge_fits = (message_judge_ends ? ((message_judge_h_payload <= _zz_message_judge_fits) && (message_judge_begins || (message_judge_h_payload != 13'h0))) : (message_judge_h_payload == _zz_message_judge_fits_1));
  assign message_judge_end = ({1'b0,(message_judge_qp_running ? message_judge_qp_filled : 14'h0)} + _zz_message_judge_end);
  assign message_judge_whole = ((message_judge_end == _zz_message_judge_whole) || ((! message_judge_ends) && (message_judge_end < _zz_message_judge_whole_1)));
  always @(*) begin
    message_judge_judgement_byLength = (! message_judge_whole);
    if(message_judge_immediate) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(_zz_3) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(_zz_4) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(_zz_5) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_malformed) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(_zz_6) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_place_ahead) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_place_behind) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_qp_inError) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_silent_5_0) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_foreign) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_strange) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_answers) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_silent_1_0) begin
      message_judge_judgement_byLength = 1'b0;
    end
    if(message_judge_silent_0_0) begin
      message_judge_judgement_byLength = 1'b0;
    end
  end

  always @(*) begin
    message_judge_judgement_step = ArrivalStep_moves;
    if(message_judge_row_stores) begin
      message_judge_judgement_step = ArrivalStep_page;
      if(message_judge_begins) begin
        message_judge_judgement_step = ArrivalStep_begins;
      end
    end else begin
      if(message_judge_ends) begin
        message_judge_judgement_step = ArrivalStep_begins;
      end
    end
    if(message_judge_judgement_byLength) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(message_judge_immediate) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(_zz_3) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(_zz_4) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(_zz_5) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(message_judge_malformed) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(_zz_6) begin
      message_judge_judgement_step = ArrivalStep_refuse;
    end
    if(message_judge_place_ahead) begin
      message_judge_judgement_step = ArrivalStep_gap;
      if(message_judge_qp_gapTold) begin
        message_judge_judgement_step = ArrivalStep_drop;
      end
      if(_zz_when_4) begin
        message_judge_judgement_step = ArrivalStep_drop;
      end
    end
    if(message_judge_place_behind) begin
      message_judge_judgement_step = ArrivalStep_drop;
      if(_zz_when_5) begin
        message_judge_judgement_step = ArrivalStep_duplicate;
      end
      if(_zz_when_6) begin
        message_judge_judgement_step = ArrivalStep_drop;
      end
    end
    if(message_judge_qp_inError) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(message_judge_silent_5_0) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(message_judge_foreign) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(message_judge_strange) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(message_judge_answers) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(message_judge_silent_1_0) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(message_judge_silent_0_0) begin
      message_judge_judgement_step = ArrivalStep_drop;
    end
    if(((((message_judge_h_opcode == 8'h11) && (! message_judge_strange)) && (! message_judge_foreign)) && (! message_judge_qp_inError))) begin
      message_judge_judgement_step = ArrivalStep_reply;
    end
  end

  always @(*) begin
    message_judge_judgement_reason = 6'h0;
    if(message_judge_judgement_byLength) begin
      message_judge_judgement_reason = 6'h0;
    end
    if(message_judge_immediate) begin
      message_judge_judgement_reason = 6'h28;
    end
    if(_zz_3) begin
      message_judge_judgement_reason = 6'h2b;
    end
    if(_zz_4) begin
      message_judge_judgement_reason = 6'h2a;
    end
    if(_zz_5) begin
      message_judge_judgement_reason = 6'h28;
    end
    if(message_judge_malformed) begin
      message_judge_judgement_reason = 6'h29;
    end
    if(_zz_6) begin
      message_judge_judgement_reason = 6'h28;
    end
    if(message_judge_place_ahead) begin
      message_judge_judgement_reason = 6'h25;
      if(message_judge_qp_gapTold) begin
        message_judge_judgement_reason = 6'h26;
      end
      if(_zz_when_4) begin
        message_judge_judgement_reason = 6'h27;
      end
    end
    if(message_judge_place_behind) begin
      message_judge_judgement_reason = 6'h1c;
      if(_zz_when_5) begin
        message_judge_judgement_reason = 6'h19;
      end
      if(_zz_when_6) begin
        message_judge_judgement_reason = 6'h1d;
      end
    end
    if(message_judge_qp_inError) begin
      message_judge_judgement_reason = 6'h24;
    end
    if(message_judge_silent_5_0) begin
      message_judge_judgement_reason = 6'h23;
    end
    if(message_judge_foreign) begin
      message_judge_judgement_reason = 6'h22;
    end
    if(message_judge_strange) begin
      message_judge_judgement_reason = 6'h21;
    end
    if(message_judge_answers) begin
      message_judge_judgement_reason = 6'h1f;
    end
    if(message_judge_silent_1_0) begin
      message_judge_judgement_reason = 6'h1e;
    end
    if(message_judge_silent_0_0) begin
      message_judge_judgement_reason = 6'h20;
    end
  end

  assign _zz_3 = (! message_judge_fits);
  assign _zz_4 = (message_judge_qp_running == message_judge_begins);
  assign _zz_5 = ((! message_judge_kind_send) || message_judge_invalidates);
  assign _zz_6 = (! (((message_judge_kind_send || message_judge_kind_write) || message_judge_kind_read) || (message_judge_kind_compareSwap || message_judge_kind_fetchAdd)));
  assign message_judge_strange = ((! message_judge_qp_valid) || (message_judge_row_pair_qpn != message_judge_h_destQp));
  assign message_judge_foreign = (message_judge_row_pair_peerIp != message_judge_h_srcIp);
  assign message_judge_answers = ((8'h0d <= message_judge_h_opcode) && (message_judge_h_opcode <= 8'h12));
  assign message_judge_silent_0_0 = (message_judge_h_opcode == 8'h81);
  assign message_judge_silent_1_0 = (8'h20 <= message_judge_h_opcode);
  assign message_judge_silent_5_0 = (message_judge_h_pkey != 16'hffff);
  assign message_judge_judgement_known = (! (|{message_judge_qp_inError,{message_judge_silent_5_0,{message_judge_foreign,{message_judge_strange,{message_judge_answers,{message_judge_silent_1_0,message_judge_silent_0_0}}}}}}));
  assign message_judge_judgement_cuts = (((message_judge_h_opcode == 8'h81) && (! message_judge_malformed)) && (! (|{message_judge_qp_inError,{message_judge_silent_5_0,{message_judge_foreign,message_judge_strange}}})));
  assign message_judge_h_srcIp = io_arrivals_payload_headers_srcIp;
  assign message_judge_h_opcode = io_arrivals_payload_headers_opcode;
  assign message_judge_h_pkey = io_arrivals_payload_headers_pkey;
  assign message_judge_h_destQp = io_arrivals_payload_headers_destQp;
  assign message_judge_h_psn = io_arrivals_payload_headers_psn;
  assign message_judge_h_payload = io_arrivals_payload_headers_payload;
  assign message_judge_malformed = io_arrivals_payload_malformed;
  assign message_judge_row_pair_qpn = row_pair_qpn;
  assign message_judge_row_pair_peerIp = row_pair_peerIp;
  assign message_judge_row_pair_mtuCode = row_pair_mtuCode;
  assign message_judge_row_pair_length = row_pair_length;
  assign message_judge_row_stores = row_stores;
  assign message_judge_qp_valid = qp_valid;
  assign message_judge_qp_inError = qp_inError;
  assign message_judge_qp_expected = qp_expected;
  assign message_judge_qp_running = qp_running;
  assign message_judge_qp_filled = qp_filled;
  assign message_judge_qp_gapTold = qp_gapTold;
  assign message_judge_qp_notReady = qp_notReady;
  assign message_before = (message_toPage[14] ? 13'h0 : _zz_message_before);
  assign io_notified_valid = (((state_2 == State_act) && (message_j_step == ArrivalStep_drop)) && message_j_cuts);
  assign io_notified_payload = index;
  assign message_goesOn = ((message_j_step == ArrivalStep_page) || (message_j_step == ArrivalStep_moves));
  assign io_fields_valid = ((state_2 == State_arguments) || (((state_2 == State_act) && (message_j_step == ArrivalStep_begins)) && (! waits)));
  assign io_fields_payload = index;
  assign io_fields_fire = (io_fields_valid && io_fields_ready);
  assign io_messages_valid = io_arguments_valid;
  assign io_arguments_ready = io_messages_ready;
  assign io_messages_payload_pair = index;
  assign io_messages_payload_arguments_wrongKey = io_arguments_payload_wrongKey;
  assign io_messages_payload_arguments_outside = io_arguments_payload_outside;
  assign io_messages_payload_arguments_page = io_arguments_payload_page;
  assign io_messages_payload_arguments_buffer = io_arguments_payload_buffer;
  assign io_messages_payload_arguments_signal = io_arguments_payload_signal;
  assign io_messages_payload_arguments_magic = io_arguments_payload_magic;
  assign io_messages_payload_arguments_rkey = io_arguments_payload_rkey;
  assign io_told_ready = (state_2 == State_told);
  assign io_told_fire = (io_told_valid && io_told_ready);
  assign message_some = ((message_bytes != 13'h0) && (! qp_drops));
  assign message_lacks = ((message_some && qp_bare) && 1'b1);
  assign writes_io_commands_valid = (((state_2 == State_move) && message_some) && (! message_lacks));
  assign writes_io_commands_payload_source = (13'h0036 + message_skip);
  assign writes_io_commands_payload_address = {qp_frame,message_offset};
  assign message_early = 1'b0;
  assign io_pages_valid = (state_2 == State_page);
  assign io_pages_payload_pair = index;
  always @(*) begin
    io_pages_payload_how = message_how;
    if((qp_failed && (message_how == ChainPageEnd_WRITTEN))) begin
      io_pages_payload_how = ChainPageEnd_FAILED;
    end
  end

  assign io_pages_fire = (io_pages_valid && io_pages_ready);
  assign message_msn = (qp_msn + 24'h000001);
  assign message_ends = ((owner_1 == Owner_flight) || message_j_ends);
  assign message_tells = (message_ends || 1'b0);
  assign _zz_qp_pendingMsn = (message_tells ? message_msn : qp_msn);
  assign message_hardened = (row_pair_hardened && 1'b1);
  assign _zz_qp_notReady = (((qp_notReady == 4'b1110) || 1'b0) ? qp_notReady : _zz__zz_qp_notReady);
  assign message_stored = ((qp_running && row_stores) && 1'b1);
  assign message_leaves = ((owner_1 == Owner_order) && (io_orders_payload_command == ChainCommand_DESTROY));
  assign message_gone = (owner_1 == Owner_failure);
  assign shares_io_gives = ((state_2 == State_gone) && message_leaves);
  assign io_acks_valid = (state_2 == State_reply);
  assign io_acks_payload_pair = index;
  assign io_acks_payload_psn = io_arrivals_payload_headers_psn;
  assign io_acks_payload_syndrome = io_arrivals_payload_headers_immediate[31 : 24];
  assign slow_here = (qp_valid && (row_pair_qpn == io_orders_payload_pair_qpn));
  assign _zz_slow_end = (io_orders_payload_rows_0_last || io_orders_payload_rows_1_last);
  assign slow_end = ((_zz_slow_end || (io_orders_payload_rows_2_last || io_orders_payload_rows_3_last)) ? (_zz_slow_end ? (io_orders_payload_rows_0_last ? io_orders_payload_rows_0_end : io_orders_payload_rows_1_end) : (io_orders_payload_rows_2_last ? io_orders_payload_rows_2_end : io_orders_payload_rows_3_end)) : ((io_orders_payload_rows_4_last || io_orders_payload_rows_5_last) ? (io_orders_payload_rows_4_last ? io_orders_payload_rows_4_end : io_orders_payload_rows_5_end) : (io_orders_payload_rows_6_last ? io_orders_payload_rows_6_end : io_orders_payload_rows_7_end)));
  assign slow_fits = (((|{io_orders_payload_rows_7_last,{io_orders_payload_rows_6_last,{io_orders_payload_rows_5_last,{io_orders_payload_rows_4_last,{io_orders_payload_rows_3_last,{_zz_slow_fits,_zz_slow_fits_1}}}}}}) && (slow_end < _zz_slow_fits_2)) && (((io_orders_payload_settings_function == ChainFunction_MAPPED_STORE) || (io_orders_payload_settings_function == ChainFunction_UNMAPPED_STORE)) || (io_orders_payload_pair_length <= _zz_slow_fits_3)));
  always @(*) begin
    slow_sound = ChainResult_DONE;
    if((! slow_fits)) begin
      slow_sound = ChainResult_PROFILE;
    end
    if(((io_orders_payload_pair_mtuCode == 3'b000) || (3'b101 < io_orders_payload_pair_mtuCode))) begin
      slow_sound = ChainResult_PATH_MTU;
    end
    if((slow_limited && ((io_orders_payload_rate < 32'h00000080) || (32'h0001ffff < io_orders_payload_rate)))) begin
      slow_sound = ChainResult_RATE;
    end
    if((io_orders_payload_pair_qpn < 24'h000002)) begin
      slow_sound = ChainResult_NUMBER;
    end
    if(qp_valid) begin
      slow_sound = ChainResult_TAKEN;
    end
  end

  assign slow_limited = (io_orders_payload_rate != 32'h0);
  assign slow_creates = (io_orders_payload_command == ChainCommand_CREATE);
  assign slow_writes = (((state_2 == State_order) && slow_creates) && (slow_sound == ChainResult_DONE));
  assign slow_written_pair_qpn = io_orders_payload_pair_qpn;
  assign slow_written_pair_peerQpn = io_orders_payload_pair_peerQpn;
  assign slow_written_pair_peerIp = io_orders_payload_pair_peerIp;
  assign slow_written_pair_peerMac = io_orders_payload_pair_peerMac;
  assign slow_written_pair_srcPort = io_orders_payload_pair_srcPort;
  assign slow_written_pair_mtuCode = io_orders_payload_pair_mtuCode;
  assign slow_written_pair_hardened = io_orders_payload_pair_hardened;
  assign slow_written_pair_length = io_orders_payload_pair_length;
  assign slow_written_stores = ((io_orders_payload_settings_function == ChainFunction_MAPPED_STORE) || (io_orders_payload_settings_function == ChainFunction_UNMAPPED_STORE));
  assign slow_written_share = shares_io_share;
  assign io_owners_valid = slow_tells;
  assign io_owners_payload_valid = slow_creates;
  assign io_owners_payload_qpn = io_orders_payload_pair_qpn;
  assign io_owners_payload_peerIp = io_orders_payload_pair_peerIp;
  assign io_owners_payload_share = shares_io_share;
  assign io_ordered_valid = (state_2 == State_order);
  always @(*) begin
    io_ordered_payload_result = ChainResult_DONE;
    if(_zz_when_24) begin
      if(slow_creates) begin
        io_ordered_payload_result = slow_sound;
      end else begin
        if(_zz_when_25) begin
          io_ordered_payload_result = ChainResult_UNKNOWN;
        end
      end
    end
  end

  assign io_ordered_payload_expected = qp_expected;
  assign io_ordered_payload_msn = qp_msn;
  assign io_ordered_payload_inError = qp_inError;
  assign io_ordered_payload_running = qp_running;
  assign io_rows_valid = (state_2 == State_rows);
  assign io_rows_payload_pair = index;
  assign io_rows_payload_row = slow_count;
  assign io_rows_payload_value_field = _zz_io_rows_payload_value_field;
  assign io_rows_payload_value_end = _zz_io_rows_payload_value_end;
  assign io_rows_payload_value_last = _zz_io_rows_payload_value_last;
  assign io_secrets_valid = (state_2 == State_rows);
  assign io_secrets_payload_pair = index;
  assign io_secrets_payload_value_keyed = io_orders_payload_secrets_keyed;
  assign io_secrets_payload_value_key = io_orders_payload_secrets_key;
  assign io_secrets_payload_value_base = io_orders_payload_secrets_base;
  assign io_settings_valid = (state_2 == State_rows);
  assign io_settings_payload_pair = index;
  assign io_settings_payload_value_function = io_orders_payload_settings_function;
  assign io_settings_payload_value_immediate = io_orders_payload_settings_immediate;
  assign io_settings_payload_value_signal = io_orders_payload_settings_signal;
  assign io_settings_payload_value_tellEmpty = io_orders_payload_settings_tellEmpty;
  assign io_settings_payload_value_segment = io_orders_payload_settings_segment;
  assign io_settings_payload_value_pid = io_orders_payload_settings_pid;
  assign io_settings_payload_value_filler = {3'd0, index};
  assign slow_begins = ((owner_1 == Owner_order) && slow_creates);
  assign io_commands_valid = (state_2 == State_command);
  assign io_commands_payload_creates = slow_begins;
  assign io_commands_payload_pair = index;
  assign io_commands_payload_psn = io_orders_payload_firstReply;
  assign io_commands_payload_cap = (slow_limited ? _zz_io_commands_payload_cap : 17'h1ffff);
  assign io_commands_payload_peer_mac = io_orders_payload_pair_peerMac;
  assign io_commands_payload_peer_ip = io_orders_payload_pair_peerIp;
  assign io_commands_payload_peer_qpn = io_orders_payload_pair_peerQpn;
  assign io_commands_payload_peer_srcPort = io_orders_payload_pair_srcPort;
  assign io_commands_payload_peer_mtu = (io_orders_payload_pair_mtuCode - 3'b001);
  assign io_commands_payload_peer_timeout = io_orders_payload_timeout;
  assign io_commands_payload_peer_segment = io_orders_payload_settings_segment;
  assign io_commands_payload_peer_pid = io_orders_payload_settings_pid;
  assign io_commands_payload_peer_share = row_share;
  assign io_commands_fire = (io_commands_valid && io_commands_ready);
  assign _zz_state_1 = (slow_begins ? State_store : State_gone);
  assign handed = (writes_io_commands_valid && writes_io_commands_ready);
  assign _zz_8 = ({3'd0,1'b1} <<< writes_io_next);
  assign _zz_9 = ({3'd0,1'b1} <<< writes_io_next);
  assign others_1 = (own & (~ ((owner_1 == Owner_flight) ? _zz_others_1 : 4'b0000)));
  assign follows = (((owner_1 != Owner_arrival) && io_arrivals_valid) && (_zz_follows == index));
  assign rests = ((((qp_open && qp_running) && (! (|others_1))) && (! keeps)) && (! follows));
  assign pauses = ((state_2 == State_store) && rests);
  assign stores = ((state_2 == State_store) && (! pauses));
  assign enters = ((qp_valid && (qp_mustNotify || (qp_pending != Pending_none))) && (! qp_scheduled));
  always @(*) begin
    written_valid = qp_valid;
    if(_zz_when_29) begin
      written_valid = 1'b0;
    end
  end

  assign written_inError = qp_inError;
  assign written_expected = qp_expected;
  assign written_msn = qp_msn;
  assign written_running = qp_running;
  assign written_filled = qp_filled;
  assign written_frame = qp_frame;
  assign written_drops = qp_drops;
  assign written_failed = qp_failed;
  always @(*) begin
    written_open = qp_open;
    if(_zz_when_29) begin
      written_open = 1'b0;
    end
  end

  assign written_bare = qp_bare;
  assign written_gapTold = qp_gapTold;
  assign written_notReady = qp_notReady;
  assign written_mustNotify = qp_mustNotify;
  assign written_notified = qp_notified;
  assign written_notifiedAt = qp_notifiedAt;
  assign written_pending = qp_pending;
  assign written_pendingPsn = qp_pendingPsn;
  assign written_pendingMsn = qp_pendingMsn;
  assign written_pendingSyndrome = qp_pendingSyndrome;
  always @(*) begin
    written_scheduled = qp_scheduled;
    if(enters) begin
      written_scheduled = 1'b1;
    end
    if(_zz_when_29) begin
      written_scheduled = 1'b0;
    end
  end

  assign turns_io_push_valid = (stores && enters);
  assign io_arrivals_ready = (stores && (owner_1 == Owner_arrival));
  assign io_orders_ready = (stores && (owner_1 == Owner_order));
  assign io_failed_ready = (stores && (owner_1 == Owner_failure));
  assign writes_io_retire = (stores && (owner_1 == Owner_flight));
  always @(posedge clk) begin
    if(reset) begin
      state_2 <= State_empty;
      _zz_qp_notifiedAt_2 <= 32'h0;
      io_pop_rValid <= 1'b0;
      departs <= 1'b0;
      later_valid <= 1'b0;
      sweep <= 7'h0;
      releases <= 1'b0;
      turn <= 1'b0;
      orders <= 1'b0;
      message_feed_on <= 1'b0;
      message_feed_comes <= 1'b0;
      message_feed_full <= 1'b0;
      slow_tells <= 1'b0;
      keeps <= 1'b0;
    end else begin
      _zz_qp_notifiedAt_2 <= _zz_qp_notifiedAt_1;
      if(departures_io_pop_ready) begin
        io_pop_rValid <= departures_io_pop_valid;
      end
      departs <= (3'b001 < departures_io_availability);
      if((state_2 == State_empty)) begin
        sweep <= (sweep + 7'h01);
        if((&sweep)) begin
          state_2 <= State_idle;
        end
      end
      if(io_released_ready) begin
        releases <= 1'b0;
      end
      orders <= ((io_orders_valid && (! io_orders_ready)) && ((! creates) || shares_io_found));
      if(_zz_when) begin
        if(((((takesFlight || io_failed_valid) || takesOrder) || takesAnswer) || takesArrival)) begin
          state_2 <= State_load;
        end
        if(takesAnswer) begin
          turn <= 1'b0;
        end
        if(takesArrival) begin
          turn <= 1'b1;
        end
      end
      if(_zz_when_1) begin
        case(owner_1)
          Owner_flight : begin
            state_2 <= State_flight;
          end
          Owner_failure : begin
            state_2 <= _zz_state;
          end
          Owner_order : begin
            state_2 <= State_order;
          end
          Owner_arrival : begin
            state_2 <= State_judge;
          end
          default : begin
            state_2 <= State_pick;
          end
        endcase
      end
      message_feed_comes <= message_feed_goes;
      if(io_beats_fire) begin
        message_feed_full <= 1'b0;
      end
      if(message_feed_comes) begin
        message_feed_full <= message_feed_begun;
      end
      if((state_2 == State_store)) begin
        message_feed_on <= 1'b0;
      end
      if(_zz_when_3) begin
        message_feed_on <= (takesArrival && ((io_arrivals_payload_headers_opcode == 8'h0) || (io_arrivals_payload_headers_opcode == 8'h04)));
        message_feed_comes <= 1'b0;
        message_feed_full <= 1'b0;
      end
      if(_zz_when_7) begin
        state_2 <= State_act;
      end
      if(_zz_when_8) begin
        state_2 <= State_store;
        case(message_j_step)
          ArrivalStep_drop : begin
            if(_zz_when_10) begin
              later_valid <= 1'b1;
            end
          end
          ArrivalStep_reply : begin
            if(!io_arrivals_payload_malformed) begin
              state_2 <= State_reply;
            end
          end
          ArrivalStep_gap : begin
          end
          ArrivalStep_duplicate : begin
          end
          ArrivalStep_refuse : begin
            state_2 <= State_refuse;
          end
          ArrivalStep_begins : begin
            state_2 <= State_arguments;
          end
          ArrivalStep_page : begin
            state_2 <= State_move;
          end
          default : begin
            state_2 <= State_write;
          end
        endcase
        if(_zz_when_11) begin
          state_2 <= State_idle;
        end
      end
      if(io_fields_fire) begin
        state_2 <= State_told;
      end
      if(io_told_fire) begin
        case(io_told_payload_verdict)
          ChainVerdict_DONE : begin
            state_2 <= State_write;
          end
          ChainVerdict_PAGE, ChainVerdict_DROP : begin
            state_2 <= State_move;
          end
          ChainVerdict_PAUSED : begin
            state_2 <= State_store;
          end
          ChainVerdict_DENIED : begin
            state_2 <= State_refuse;
          end
          ChainVerdict_FAILED : begin
            state_2 <= State_refuse;
          end
          ChainVerdict_NOT_READY : begin
            state_2 <= State_refuse;
          end
          default : begin
            state_2 <= State_end_1;
          end
        endcase
      end
      if(_zz_when_12) begin
        if(message_lacks) begin
          state_2 <= State_page;
        end else begin
          if(_zz_when_13) begin
            state_2 <= State_write;
            if(message_j_ends) begin
              if(_zz_when_14) begin
                state_2 <= State_store;
              end else begin
                state_2 <= State_page;
              end
            end
          end
        end
      end
      if(io_pages_fire) begin
        state_2 <= State_told;
      end
      if(_zz_when_15) begin
        state_2 <= State_store;
        if(asks) begin
          if(_zz_when_16) begin
            later_valid <= 1'b1;
          end
        end
      end
      if(_zz_when_17) begin
        state_2 <= State_store;
        if(!message_failure_notReady) begin
          if(_zz_when_18) begin
            later_valid <= 1'b1;
          end else begin
            state_2 <= State_end_1;
          end
        end
      end
      if(_zz_when_19) begin
        state_2 <= State_command;
        if((((qp_inError || (! qp_valid)) || message_gone) || 1'b0)) begin
          state_2 <= State_gone;
        end
        if(message_stored) begin
          state_2 <= State_page;
        end
        if((message_gone && ((! qp_valid) || qp_inError))) begin
          state_2 <= State_store;
        end
      end
      if(_zz_when_20) begin
        state_2 <= State_store;
      end
      if(((state_2 == State_reply) && io_acks_ready)) begin
        state_2 <= State_store;
      end
      if(_zz_when_21) begin
        state_2 <= State_store;
      end
      if(io_owners_ready) begin
        slow_tells <= 1'b0;
      end
      if((slow_writes || (((state_2 == State_order) && slow_here) && (io_orders_payload_command == ChainCommand_DESTROY)))) begin
        slow_tells <= 1'b1;
      end
      if(_zz_when_24) begin
        state_2 <= State_store;
        if(slow_creates) begin
          if(slow_writes) begin
            state_2 <= State_rows;
          end
        end else begin
          if(!_zz_when_25) begin
            if((io_orders_payload_command != ChainCommand_QUERY)) begin
              state_2 <= State_end_1;
            end
          end
        end
      end
      if(_zz_when_26) begin
        if((&slow_count)) begin
          state_2 <= State_command;
        end
      end
      if(io_commands_fire) begin
        state_2 <= _zz_state_1;
      end
      if(_zz_when_27) begin
        state_2 <= State_store;
        if(_zz_when_28) begin
          state_2 <= State_page;
        end
      end
      if(handed) begin
        keeps <= 1'b1;
      end
      if(pauses) begin
        state_2 <= State_page;
      end
      if(stores) begin
        keeps <= 1'b0;
        later_valid <= 1'b0;
        if(_zz_when_30) begin
          releases <= 1'b1;
        end
        state_2 <= State_idle;
      end
    end
  end

  always @(posedge clk) begin
    if(departures_io_pop_ready) begin
      io_pop_rData_dstMac <= departures_io_pop_payload_dstMac;
      io_pop_rData_dstIp <= departures_io_pop_payload_dstIp;
      io_pop_rData_srcPort <= departures_io_pop_payload_srcPort;
      io_pop_rData_opcode <= departures_io_pop_payload_opcode;
      io_pop_rData_pkey <= departures_io_pop_payload_pkey;
      io_pop_rData_destQp <= departures_io_pop_payload_destQp;
      io_pop_rData_psn <= departures_io_pop_payload_psn;
      io_pop_rData_ackRequest <= departures_io_pop_payload_ackRequest;
      io_pop_rData_syndrome <= departures_io_pop_payload_syndrome;
      io_pop_rData_msn <= departures_io_pop_payload_msn;
      io_pop_rData_original <= departures_io_pop_payload_original;
      io_pop_rData_payload <= departures_io_pop_payload_payload;
    end
    events_regNext_receiveLength <= events_receiveLength;
    events_regNext_abandoned <= events_abandoned;
    events_regNext_answerMalformed <= events_answerMalformed;
    events_regNext_repliesFailed <= events_repliesFailed;
    if(_zz_when) begin
      index <= nextIndex;
      owner_1 <= Owner_arrival;
      if(takesAnswer) begin
        owner_1 <= Owner_answer;
      end
      if(takesOrder) begin
        owner_1 <= Owner_order;
      end
      if(io_failed_valid) begin
        owner_1 <= Owner_failure;
      end
      if(takesFlight) begin
        owner_1 <= Owner_flight;
      end
      own <= (writes_io_held & {(flightPairs_3 == nextIndex),{(flightPairs_2 == nextIndex),{(flightPairs_1 == nextIndex),(flightPairs_0 == nextIndex)}}});
    end
    if(_zz_when_1) begin
      qp_valid <= stateRead_valid;
      qp_inError <= stateRead_inError;
      qp_expected <= stateRead_expected;
      qp_msn <= stateRead_msn;
      qp_running <= stateRead_running;
      qp_filled <= stateRead_filled;
      qp_frame <= stateRead_frame;
      qp_drops <= stateRead_drops;
      qp_failed <= stateRead_failed;
      qp_open <= stateRead_open;
      qp_bare <= stateRead_bare;
      qp_gapTold <= stateRead_gapTold;
      qp_notReady <= stateRead_notReady;
      qp_mustNotify <= stateRead_mustNotify;
      qp_notified <= stateRead_notified;
      qp_notifiedAt <= stateRead_notifiedAt;
      qp_pending <= stateRead_pending;
      qp_pendingPsn <= stateRead_pendingPsn;
      qp_pendingMsn <= stateRead_pendingMsn;
      qp_pendingSyndrome <= stateRead_pendingSyndrome;
      qp_scheduled <= stateRead_scheduled;
      row_pair_qpn <= rowRead_pair_qpn;
      row_pair_peerQpn <= rowRead_pair_peerQpn;
      row_pair_peerIp <= rowRead_pair_peerIp;
      row_pair_peerMac <= rowRead_pair_peerMac;
      row_pair_srcPort <= rowRead_pair_srcPort;
      row_pair_mtuCode <= rowRead_pair_mtuCode;
      row_pair_hardened <= rowRead_pair_hardened;
      row_pair_length <= rowRead_pair_length;
      row_stores <= rowRead_stores;
      row_share <= rowRead_share;
      case(owner_1)
        Owner_flight : begin
        end
        Owner_failure : begin
        end
        Owner_order : begin
        end
        Owner_arrival : begin
        end
        default : begin
          qp_scheduled <= 1'b0;
        end
      endcase
    end
    if(message_feed_goes) begin
      message_feed_next <= (message_feed_next + 7'h01);
    end
    if(message_feed_comes) begin
      message_feed_begun <= 1'b1;
      message_feed_before <= io_packet[511 : 432];
      message_feed_beat <= {io_packet[431 : 0],message_feed_before};
    end
    if(_zz_when_3) begin
      message_feed_begun <= 1'b0;
      message_feed_next <= 7'h0;
    end
    if((state_2 == State_judge)) begin
      message_j_step <= message_judge_judgement_step;
      message_j_reason <= message_judge_judgement_reason;
      message_j_byLength <= message_judge_judgement_byLength;
      message_j_known <= message_judge_judgement_known;
      message_j_cuts <= message_judge_judgement_cuts;
      message_j_ends <= message_judge_judgement_ends;
    end
    if(((state_2 == State_judge) || (state_2 == State_flight))) begin
      message_thisEarlier <= _zz_message_thisEarlier[23];
    end
    if((state_2 == State_judge)) begin
      message_doneEarlier <= _zz_message_doneEarlier[23];
    end
    if((state_2 == State_judge)) begin
      message_toPage <= ($signed(_zz_message_toPage) - $signed(_zz_message_toPage_2));
    end
    if(_zz_when_7) begin
      message_end <= ((qp_running ? qp_filled : 14'h0) + _zz_message_end);
    end
    if((state_2 == State_act)) begin
      message_skip <= message_before;
    end
    if((state_2 == State_act)) begin
      message_bytes <= (($signed(_zz_message_bytes) < $signed(message_toPage)) ? 13'h0 : _zz_message_bytes_2);
    end
    if((state_2 == State_act)) begin
      message_offset <= (message_toPage[14] ? _zz_message_offset : 12'h0);
    end
    if(_zz_when_8) begin
      if(((message_j_known && io_arrivals_payload_headers_congested) && ((! qp_notified) || (32'h000030d4 <= _zz_when_9)))) begin
        qp_mustNotify <= 1'b1;
        qp_notified <= 1'b1;
        qp_notifiedAt <= _zz_qp_notifiedAt_2;
      end
      case(message_j_step)
        ArrivalStep_drop : begin
          if(_zz_when_10) begin
            later_payload <= 6'h3d;
          end
        end
        ArrivalStep_reply : begin
        end
        ArrivalStep_gap : begin
          qp_gapTold <= 1'b1;
          qp_pending <= Pending_refusal;
          qp_pendingPsn <= qp_expected;
          qp_pendingMsn <= qp_msn;
          qp_pendingSyndrome <= 8'h60;
        end
        ArrivalStep_duplicate : begin
          if((! ((qp_pending == Pending_refusal) && message_doneEarlier))) begin
            qp_pending <= Pending_ack;
            qp_pendingPsn <= (qp_expected - 24'h000001);
            qp_pendingMsn <= qp_msn;
            qp_pendingSyndrome <= 8'h1f;
          end
        end
        ArrivalStep_refuse : begin
          message_failure_notReady <= 1'b0;
          message_failure_nak <= 2'b01;
          message_failure_reason <= message_j_reason;
          message_failure_byLength <= message_j_byLength;
          message_failure_over <= 1'b0;
        end
        ArrivalStep_begins : begin
        end
        ArrivalStep_page : begin
        end
        default : begin
        end
      endcase
    end
    if(io_fields_fire) begin
      message_ofPage <= 1'b0;
    end
    if(io_told_fire) begin
      case(io_told_payload_verdict)
        ChainVerdict_DONE : begin
        end
        ChainVerdict_PAGE, ChainVerdict_DROP : begin
          qp_frame <= io_told_payload_frame;
          qp_drops <= (io_told_payload_verdict == ChainVerdict_DROP);
          qp_open <= io_told_payload_open;
          qp_bare <= 1'b0;
          if((! message_ofPage)) begin
            qp_failed <= 1'b0;
          end
        end
        ChainVerdict_PAUSED : begin
          qp_open <= 1'b0;
          qp_bare <= 1'b1;
        end
        ChainVerdict_DENIED : begin
          message_failure_notReady <= 1'b0;
          message_failure_nak <= 2'b10;
          message_failure_reason <= 6'h32;
          message_failure_byLength <= 1'b0;
          message_failure_over <= message_ofPage;
        end
        ChainVerdict_FAILED : begin
          message_failure_notReady <= 1'b0;
          message_failure_nak <= 2'b11;
          message_failure_reason <= 6'h33;
          message_failure_byLength <= 1'b0;
          message_failure_over <= message_ofPage;
        end
        ChainVerdict_NOT_READY : begin
          message_failure_notReady <= 1'b1;
          message_failure_nak <= 2'b00;
          message_failure_reason <= 6'h34;
          message_failure_byLength <= 1'b0;
          message_failure_over <= 1'b0;
        end
        default : begin
          qp_running <= 1'b0;
        end
      endcase
    end
    if(_zz_when_12) begin
      if(message_lacks) begin
        message_how <= ChainPageEnd_AGAIN;
      end else begin
        if(_zz_when_13) begin
          if(message_j_ends) begin
            if(!_zz_when_14) begin
              message_how <= ChainPageEnd_WRITTEN;
            end
          end
        end
      end
    end
    if(io_pages_fire) begin
      message_ofPage <= 1'b1;
    end
    if(_zz_when_15) begin
      qp_expected <= (qp_expected + 24'h000001);
      qp_gapTold <= 1'b0;
      qp_notReady <= 4'b0000;
      qp_running <= (! message_ends);
      qp_filled <= message_end;
      if(message_tells) begin
        qp_msn <= message_msn;
      end
      if(asks) begin
        if(_zz_when_16) begin
          qp_pending <= Pending_none;
          later_payload <= 6'h37;
        end else begin
          if((! ((qp_pending == Pending_refusal) && message_thisEarlier))) begin
            qp_pending <= Pending_ack;
            qp_pendingPsn <= qp_expected;
            qp_pendingMsn <= _zz_qp_pendingMsn;
            qp_pendingSyndrome <= 8'h1f;
          end
        end
      end
    end
    if(_zz_when_17) begin
      if(message_failure_notReady) begin
        qp_notReady <= _zz_qp_notReady;
        qp_pending <= Pending_refusal;
        qp_pendingPsn <= qp_expected;
        qp_pendingMsn <= qp_msn;
        qp_pendingSyndrome <= (8'h20 | _zz_qp_pendingSyndrome);
      end else begin
        if(_zz_when_18) begin
          later_payload <= 6'h36;
        end else begin
          qp_pending <= Pending_refusal;
          qp_pendingPsn <= qp_expected;
          qp_pendingMsn <= qp_msn;
          qp_pendingSyndrome <= (8'h60 | _zz_qp_pendingSyndrome_2);
          if(message_failure_over) begin
            qp_running <= 1'b0;
          end
        end
      end
    end
    if(_zz_when_19) begin
      if(message_stored) begin
        message_how <= ChainPageEnd_ABANDONED;
      end
    end
    if(_zz_when_20) begin
      qp_inError <= 1'b1;
      qp_running <= 1'b0;
      if(((owner_1 != Owner_arrival) && (owner_1 != Owner_flight))) begin
        qp_pending <= Pending_none;
      end
      if(message_leaves) begin
        qp_valid <= 1'b0;
      end
    end
    if(_zz_when_21) begin
      if(qp_valid) begin
        if(qp_mustNotify) begin
          qp_mustNotify <= 1'b0;
        end else begin
          if(_zz_when_22) begin
            qp_pending <= Pending_none;
          end
        end
      end
    end
    if(_zz_when_24) begin
      slow_count <= 3'b000;
    end
    if(_zz_when_26) begin
      slow_count <= (slow_count + 3'b001);
      row_pair_qpn <= slow_written_pair_qpn;
      row_pair_peerQpn <= slow_written_pair_peerQpn;
      row_pair_peerIp <= slow_written_pair_peerIp;
      row_pair_peerMac <= slow_written_pair_peerMac;
      row_pair_srcPort <= slow_written_pair_srcPort;
      row_pair_mtuCode <= slow_written_pair_mtuCode;
      row_pair_hardened <= slow_written_pair_hardened;
      row_pair_length <= slow_written_pair_length;
      row_stores <= slow_written_stores;
      row_share <= slow_written_share;
      qp_valid <= 1'b1;
      qp_inError <= 1'b0;
      qp_expected <= io_orders_payload_psn;
      qp_msn <= 24'h0;
      qp_running <= 1'b0;
      qp_gapTold <= 1'b0;
      qp_notReady <= 4'b0000;
      qp_mustNotify <= 1'b0;
      qp_notified <= 1'b0;
      qp_pending <= Pending_none;
    end
    if(handed) begin
      if(_zz_8[0]) begin
        flightPairs_0 <= index;
      end
      if(_zz_8[1]) begin
        flightPairs_1 <= index;
      end
      if(_zz_8[2]) begin
        flightPairs_2 <= index;
      end
      if(_zz_8[3]) begin
        flightPairs_3 <= index;
      end
      if(_zz_9[0]) begin
        flightSlots_0 <= io_arrivals_payload_slot;
      end
      if(_zz_9[1]) begin
        flightSlots_1 <= io_arrivals_payload_slot;
      end
      if(_zz_9[2]) begin
        flightSlots_2 <= io_arrivals_payload_slot;
      end
      if(_zz_9[3]) begin
        flightSlots_3 <= io_arrivals_payload_slot;
      end
      flightEnds[writes_io_next] <= message_j_ends;
      flightAsks[writes_io_next] <= io_arrivals_payload_headers_ackRequest;
    end
    if((state_2 == State_load)) begin
      flightLast <= flightEnds[writes_io_oldest];
      flightAsk <= flightAsks[writes_io_oldest];
    end
    if(_zz_when_27) begin
      if((writes_io_over_payload && 1'b1)) begin
        qp_failed <= 1'b1;
      end
      if(_zz_when_28) begin
        message_how <= ChainPageEnd_WRITTEN;
      end
    end
    if(pauses) begin
      message_how <= ChainPageEnd_PAUSED;
    end
    if(stores) begin
      if(_zz_when_30) begin
        place <= (writes_io_retire ? _zz_place : io_arrivals_payload_slot);
      end
    end
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
  input  wire          io_flush,
  output wire [2:0]    io_availability,
  input  wire          clk,
  input  wire          reset
);

  wire       [277:0]  logic_ram_spinal_port1;
  wire       [277:0]  _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [2:0]    logic_ptr_push;
  reg        [2:0]    logic_ptr_pop;
  wire       [2:0]    logic_ptr_occupancy;
  wire       [2:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [1:0]    logic_push_onRam_write_payload_address;
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
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [1:0]    logic_pop_addressGen_payload;
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
  wire       [277:0]  _zz_logic_pop_async_readed_dstMac;
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
  (* ram_style = "distributed" *) reg [277:0] logic_ram [0:3];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_payload,{logic_push_onRam_write_payload_data_original,{logic_push_onRam_write_payload_data_msn,{logic_push_onRam_write_payload_data_syndrome,{logic_push_onRam_write_payload_data_ackRequest,{logic_push_onRam_write_payload_data_psn,{logic_push_onRam_write_payload_data_destQp,{logic_push_onRam_write_payload_data_pkey,{logic_push_onRam_write_payload_data_opcode,{logic_push_onRam_write_payload_data_srcPort,{logic_push_onRam_write_payload_data_dstIp,logic_push_onRam_write_payload_data_dstMac}}}}}}}}}}};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 3'b100) == 3'b000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[1:0];
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
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[1:0];
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
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_availability = (3'b100 - logic_ptr_occupancy);
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 3'b000;
      logic_ptr_pop <= 3'b000;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 3'b001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 3'b001);
      end
      if(io_flush) begin
        logic_ptr_push <= 3'b000;
        logic_ptr_pop <= 3'b000;
      end
    end
  end


endmodule

module FrameWrites (
  input  wire          io_commands_valid,
  output wire          io_commands_ready,
  input  wire [4:0]    io_commands_payload_slot,
  input  wire [12:0]   io_commands_payload_source,
  input  wire [12:0]   io_commands_payload_bytes,
  input  wire [30:0]   io_commands_payload_address,
  output wire [1:0]    io_next,
  output wire [1:0]    io_oldest,
  output wire [3:0]    io_held,
  output wire          io_over_valid,
  output wire          io_over_payload,
  input  wire          io_retire,
  output wire          io_read_valid,
  input  wire          io_read_ready,
  output wire [4:0]    io_read_payload_slot,
  output wire [6:0]    io_read_payload_beat,
  input  wire [511:0]  io_packet,
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
  output wire [127:0]  io_frames_data_operands,
  input  wire          io_frames_data_completions_valid,
  output wire          io_frames_data_completions_ready,
  input  wire [5:0]    io_frames_data_completions_payload_context,
  input  wire [4:0]    io_frames_data_completions_payload_report_outcome_status,
  output wire          io_frames_data_payload_ready,
  input  wire          clk,
  input  wire          reset
);

  wire       [11:0]   places_spinal_port1;
  wire       [3:0]    _zz_io_frames_tokens_payload_context;
  wire       [5:0]    _zz_io_frames_tokens_payload_dataOffset;
  wire       [3:0]    _zz_places_port;
  wire       [11:0]   _zz_places_port_1;
  wire       [30:0]   _zz_address;
  wire       [6:0]    _zz_io_read_payload_beat;
  wire       [2:0]    _zz_inside_0_1;
  wire       [2:0]    _zz_inside_0_2;
  wire       [0:0]    _zz_inside_0_3;
  wire       [2:0]    _zz_inside_0_4;
  wire       [0:0]    _zz_inside_0_5;
  wire       [2:0]    _zz_inside_1_1;
  wire       [2:0]    _zz_inside_1_2;
  wire       [0:0]    _zz_inside_1_3;
  wire       [2:0]    _zz_inside_1_4;
  wire       [0:0]    _zz_inside_1_5;
  wire       [2:0]    _zz_inside_2_1;
  wire       [2:0]    _zz_inside_2_2;
  wire       [0:0]    _zz_inside_2_3;
  wire       [2:0]    _zz_inside_2_4;
  wire       [0:0]    _zz_inside_2_5;
  wire       [2:0]    _zz_inside_3_1;
  wire       [2:0]    _zz_inside_3_2;
  wire       [0:0]    _zz_inside_3_3;
  wire       [2:0]    _zz_inside_3_4;
  wire       [0:0]    _zz_inside_3_5;
  reg        [2:0]    _zz_io_over_valid;
  reg        [1:0]    next_1;
  reg        [1:0]    oldest;
  reg        [1:0]    flight;
  reg        [3:0]    held;
  reg        [3:0]    failed;
  reg        [2:0]    inside_0;
  reg        [2:0]    inside_1;
  reg        [2:0]    inside_2;
  reg        [2:0]    inside_3;
  reg                 walks;
  reg        [4:0]    slot;
  reg        [12:0]   source;
  reg        [12:0]   left;
  reg        [30:0]   address;
  reg        [1:0]    index;
  wire       [12:0]   longest;
  wire       [4:0]    place_slot;
  wire       [6:0]    place_beat;
  wire                io_frames_tokens_fire;
  wire       [3:0]    _zz_from_slot;
  wire       [4:0]    from_slot;
  wire       [6:0]    from_beat;
  wire       [11:0]   _zz_from_slot_1;
  wire                io_frames_data_fetch_fire;
  reg                 io_frames_data_fetch_fire_regNext;
  wire       [1:0]    of_1;
  wire                _zz_inside_0;
  wire                _zz_inside_1;
  wire                _zz_inside_2;
  wire                _zz_inside_3;
  wire                io_commands_fire;
  (* ram_style = "distributed" *) reg [11:0] places [0:15];

  assign _zz_io_frames_tokens_payload_context = {flight,index};
  assign _zz_io_frames_tokens_payload_dataOffset = source[5 : 0];
  assign _zz_address = {18'd0, longest};
  assign _zz_io_read_payload_beat = {2'd0, io_frames_data_fetch_payload_beat};
  assign _zz_inside_0_1 = (inside_0 + _zz_inside_0_2);
  assign _zz_inside_0_3 = (io_frames_tokens_fire && (flight == 2'b00));
  assign _zz_inside_0_2 = {2'd0, _zz_inside_0_3};
  assign _zz_inside_0_5 = _zz_inside_0;
  assign _zz_inside_0_4 = {2'd0, _zz_inside_0_5};
  assign _zz_inside_1_1 = (inside_1 + _zz_inside_1_2);
  assign _zz_inside_1_3 = (io_frames_tokens_fire && (flight == 2'b01));
  assign _zz_inside_1_2 = {2'd0, _zz_inside_1_3};
  assign _zz_inside_1_5 = _zz_inside_1;
  assign _zz_inside_1_4 = {2'd0, _zz_inside_1_5};
  assign _zz_inside_2_1 = (inside_2 + _zz_inside_2_2);
  assign _zz_inside_2_3 = (io_frames_tokens_fire && (flight == 2'b10));
  assign _zz_inside_2_2 = {2'd0, _zz_inside_2_3};
  assign _zz_inside_2_5 = _zz_inside_2;
  assign _zz_inside_2_4 = {2'd0, _zz_inside_2_5};
  assign _zz_inside_3_1 = (inside_3 + _zz_inside_3_2);
  assign _zz_inside_3_3 = (io_frames_tokens_fire && (flight == 2'b11));
  assign _zz_inside_3_2 = {2'd0, _zz_inside_3_3};
  assign _zz_inside_3_5 = _zz_inside_3;
  assign _zz_inside_3_4 = {2'd0, _zz_inside_3_5};
  assign _zz_places_port = {flight,index};
  assign _zz_places_port_1 = {place_beat,place_slot};
  always @(posedge clk) begin
    if(io_frames_tokens_fire) begin
      places[_zz_places_port] <= _zz_places_port_1;
    end
  end

  assign places_spinal_port1 = places[_zz_from_slot];
  always @(*) begin
    case(oldest)
      2'b00 : _zz_io_over_valid = inside_0;
      2'b01 : _zz_io_over_valid = inside_1;
      2'b10 : _zz_io_over_valid = inside_2;
      default : _zz_io_over_valid = inside_3;
    endcase
  end

  assign io_next = next_1;
  assign io_oldest = oldest;
  assign io_held = held;
  assign io_commands_ready = ((! walks) && (! held[next_1]));
  assign longest = ((13'h05aa < left) ? 13'h05aa : left);
  assign io_frames_tokens_valid = walks;
  assign io_frames_tokens_payload_context = {2'd0, _zz_io_frames_tokens_payload_context};
  assign io_frames_tokens_payload_writes = 1'b1;
  assign io_frames_tokens_payload_address = address;
  assign io_frames_tokens_payload_length = {3'd0, longest};
  assign io_frames_tokens_payload_dataOffset = {2'd0, _zz_io_frames_tokens_payload_dataOffset};
  assign place_slot = slot;
  assign place_beat = source[12 : 6];
  assign io_frames_tokens_fire = (io_frames_tokens_valid && io_frames_tokens_ready);
  assign _zz_from_slot = io_frames_data_fetch_payload_context[3:0];
  assign _zz_from_slot_1 = places_spinal_port1;
  assign from_slot = _zz_from_slot_1[4 : 0];
  assign from_beat = _zz_from_slot_1[11 : 5];
  assign io_read_valid = io_frames_data_fetch_valid;
  assign io_read_payload_slot = from_slot;
  assign io_read_payload_beat = (from_beat + _zz_io_read_payload_beat);
  assign io_frames_data_fetch_ready = io_read_ready;
  assign io_frames_data_fetch_fire = (io_frames_data_fetch_valid && io_frames_data_fetch_ready);
  assign io_frames_data_fetched_valid = io_frames_data_fetch_fire_regNext;
  assign io_frames_data_fetched_payload = io_packet;
  assign io_frames_data_operands = 128'h0;
  assign io_frames_data_payload_ready = 1'b1;
  assign of_1 = io_frames_data_completions_payload_context[3 : 2];
  assign io_frames_data_completions_ready = 1'b1;
  assign _zz_inside_0 = (io_frames_data_completions_valid && (of_1 == 2'b00));
  assign _zz_inside_1 = (io_frames_data_completions_valid && (of_1 == 2'b01));
  assign _zz_inside_2 = (io_frames_data_completions_valid && (of_1 == 2'b10));
  assign _zz_inside_3 = (io_frames_data_completions_valid && (of_1 == 2'b11));
  assign io_over_valid = ((held[oldest] && (_zz_io_over_valid == 3'b000)) && (! (walks && (flight == oldest))));
  assign io_over_payload = failed[oldest];
  assign io_commands_fire = (io_commands_valid && io_commands_ready);
  always @(posedge clk) begin
    if(reset) begin
      next_1 <= 2'b00;
      oldest <= 2'b00;
      held <= 4'b0000;
      inside_0 <= 3'b000;
      inside_1 <= 3'b000;
      inside_2 <= 3'b000;
      inside_3 <= 3'b000;
      walks <= 1'b0;
      io_frames_data_fetch_fire_regNext <= 1'b0;
    end else begin
      if(io_frames_tokens_fire) begin
        if((left == longest)) begin
          walks <= 1'b0;
        end
      end
      io_frames_data_fetch_fire_regNext <= io_frames_data_fetch_fire;
      inside_0 <= (_zz_inside_0_1 - _zz_inside_0_4);
      inside_1 <= (_zz_inside_1_1 - _zz_inside_1_4);
      inside_2 <= (_zz_inside_2_1 - _zz_inside_2_4);
      inside_3 <= (_zz_inside_3_1 - _zz_inside_3_4);
      if(io_retire) begin
        held[oldest] <= 1'b0;
        oldest <= (oldest + 2'b01);
      end
      if(io_commands_fire) begin
        walks <= 1'b1;
        next_1 <= (next_1 + 2'b01);
        held[next_1] <= 1'b1;
      end
    end
  end

  always @(posedge clk) begin
    if(io_frames_tokens_fire) begin
      index <= (index + 2'b01);
      left <= (left - longest);
      source <= (source + longest);
      address <= (address + _zz_address);
    end
    if((_zz_inside_0 && (io_frames_data_completions_payload_report_outcome_status != 5'h0))) begin
      failed[0] <= 1'b1;
    end
    if((_zz_inside_1 && (io_frames_data_completions_payload_report_outcome_status != 5'h0))) begin
      failed[1] <= 1'b1;
    end
    if((_zz_inside_2 && (io_frames_data_completions_payload_report_outcome_status != 5'h0))) begin
      failed[2] <= 1'b1;
    end
    if((_zz_inside_3 && (io_frames_data_completions_payload_report_outcome_status != 5'h0))) begin
      failed[3] <= 1'b1;
    end
    if(io_commands_fire) begin
      flight <= next_1;
      failed[next_1] <= 1'b0;
      slot <= io_commands_payload_slot;
      source <= io_commands_payload_source;
      left <= io_commands_payload_bytes;
      address <= io_commands_payload_address;
      index <= 2'b00;
    end
  end


endmodule

module RoceShares (
  input  wire          io_seeks,
  input  wire [23:0]   io_pid,
  output wire          io_found,
  output wire [6:0]    io_share,
  input  wire          io_ends,
  input  wire          io_takes,
  input  wire          io_gives,
  input  wire [6:0]    io_of,
  input  wire          io_clear_valid,
  input  wire [6:0]    io_clear_payload,
  input  wire          clk,
  input  wire          reset
);

  reg        [31:0]   rows_spinal_port0;
  wire       [6:0]    _zz__zz_row_pid;
  wire                _zz_rows_port;
  wire                _zz__zz_row_pid_1;
  wire                _zz_when;
  wire       [31:0]   _zz_rows_port_1;
  wire                _zz_rows_port_2;
  reg                 found;
  reg        [7:0]    next_1;
  wire                searches;
  wire       [6:0]    _zz_row_pid;
  wire       [23:0]   row_pid;
  wire       [7:0]    row_pairs;
  wire       [31:0]   _zz_row_pid_1;
  reg                 looked;
  reg        [6:0]    at;
  reg        [6:0]    share;
  reg        [7:0]    pairs;
  reg                 some;
  wire                own;
  reg        [23:0]   written_pid;
  reg        [7:0]    written_pairs;
  reg        [6:0]    where;
  reg [31:0] rows [0:127];

  assign _zz_when = (own || ((row_pairs == 8'h0) && (! some)));
  assign _zz__zz_row_pid = next_1[6:0];
  assign _zz__zz_row_pid_1 = 1'b1;
  assign _zz_rows_port_1 = {written_pairs,written_pid};
  assign _zz_rows_port_2 = ((io_takes || io_gives) || io_clear_valid);
  always @(posedge clk) begin
    if(_zz__zz_row_pid_1) begin
      rows_spinal_port0 <= rows[_zz_row_pid];
    end
  end

  always @(posedge clk) begin
    if(_zz_rows_port_2) begin
      rows[where] <= _zz_rows_port_1;
    end
  end

  assign searches = (io_seeks && (! found));
  assign _zz_row_pid = (searches ? _zz__zz_row_pid : io_of);
  assign _zz_row_pid_1 = rows_spinal_port0;
  assign row_pid = _zz_row_pid_1[23 : 0];
  assign row_pairs = _zz_row_pid_1[31 : 24];
  assign own = ((row_pairs != 8'h0) && (row_pid == io_pid));
  assign io_found = found;
  assign io_share = share;
  always @(*) begin
    where = share;
    if(io_gives) begin
      where = io_of;
    end
    if(io_clear_valid) begin
      where = io_clear_payload;
    end
  end

  always @(*) begin
    written_pid = io_pid;
    if(io_gives) begin
      written_pid = row_pid;
    end
  end

  always @(*) begin
    written_pairs = (pairs + 8'h01);
    if(io_gives) begin
      written_pairs = (row_pairs - 8'h01);
    end
    if(io_clear_valid) begin
      written_pairs = 8'h0;
    end
  end

  always @(posedge clk) begin
    if(reset) begin
      found <= 1'b0;
      next_1 <= 8'h0;
      looked <= 1'b0;
      some <= 1'b0;
    end else begin
      looked <= (searches && (! next_1[7]));
      if(searches) begin
        if((! next_1[7])) begin
          next_1 <= (next_1 + 8'h01);
        end
        if(looked) begin
          if(_zz_when) begin
            some <= 1'b1;
          end
          if((own || (&at))) begin
            found <= 1'b1;
          end
        end
      end
      if(io_ends) begin
        found <= 1'b0;
        some <= 1'b0;
        next_1 <= 8'h0;
      end
    end
  end

  always @(posedge clk) begin
    at <= next_1[6:0];
    if(searches) begin
      if(looked) begin
        if(_zz_when) begin
          share <= at;
          pairs <= row_pairs;
        end
      end
    end
  end


endmodule

module RoceTurns (
  input  wire          io_push_valid,
  input  wire [6:0]    io_push_payload_share,
  input  wire [6:0]    io_push_payload_pair,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [6:0]    io_pop_payload,
  input  wire          io_clear_valid,
  input  wire [6:0]    io_clear_payload,
  output wire          io_empty,
  input  wire          clk,
  input  wire          reset
);
  localparam State_1_idle = 2'd0;
  localparam State_1_push = 2'd1;
  localparam State_1_fetch = 2'd2;
  localparam State_1_next_1 = 2'd3;

  reg                 processes_io_push_valid;
  wire       [6:0]    processes_io_push_payload;
  reg        [14:0]   lists_spinal_port0;
  reg        [6:0]    behind_spinal_port0;
  wire                processes_io_push_ready;
  wire                processes_io_pop_valid;
  wire       [6:0]    processes_io_pop_payload;
  wire       [7:0]    processes_io_occupancy;
  wire                _zz_lists_port;
  wire                _zz__zz_list_some_1;
  wire                _zz_behind_port;
  wire                _zz_second;
  wire       [6:0]    _zz_lists_port_1;
  wire       [14:0]   _zz_lists_port_2;
  wire                _zz_lists_port_3;
  wire       [6:0]    _zz_behind_port_1;
  wire                _zz_behind_port_2;
  wire                _zz_when;
  reg        [1:0]    state_2;
  wire                idle;
  reg                 comes_valid;
  reg        [6:0]    comes_payload_share;
  reg        [6:0]    comes_payload_pair;
  reg                 candidate_valid;
  reg        [6:0]    candidate_payload;
  reg                 again_valid;
  reg        [6:0]    again_payload;
  wire                returns;
  wire                fetches;
  reg        [6:0]    process_1;
  wire       [6:0]    asked;
  wire       [6:0]    _zz_list_some;
  wire                list_some;
  wire       [6:0]    list_first;
  wire       [6:0]    list_last;
  wire       [14:0]   _zz_list_some_1;
  wire       [6:0]    second;
  wire                one;
  reg                 changed_some;
  reg        [6:0]    changed_first;
  reg        [6:0]    changed_last;
  reg                 changes;
  reg [14:0] lists [0:127];
  reg [6:0] behind [0:127];

  assign _zz_when = (! list_some);
  assign _zz__zz_list_some_1 = 1'b1;
  assign _zz_lists_port_1 = (io_clear_valid ? io_clear_payload : process_1);
  assign _zz_lists_port_2 = {changed_last,{changed_first,changed_some}};
  assign _zz_lists_port_3 = (changes || io_clear_valid);
  assign _zz_second = 1'b1;
  assign _zz_behind_port_1 = comes_payload_pair;
  assign _zz_behind_port_2 = ((state_2 == State_1_push) && list_some);
  always @(posedge clk) begin
    if(_zz__zz_list_some_1) begin
      lists_spinal_port0 <= lists[_zz_list_some];
    end
  end

  always @(posedge clk) begin
    if(_zz_lists_port_3) begin
      lists[_zz_lists_port_1] <= _zz_lists_port_2;
    end
  end

  always @(posedge clk) begin
    if(_zz_second) begin
      behind_spinal_port0 <= behind[list_first];
    end
  end

  always @(posedge clk) begin
    if(_zz_behind_port_2) begin
      behind[list_last] <= _zz_behind_port_1;
    end
  end

  StreamFifo processes (
    .io_push_valid   (processes_io_push_valid       ), //i
    .io_push_ready   (processes_io_push_ready       ), //o
    .io_push_payload (processes_io_push_payload[6:0]), //i
    .io_pop_valid    (processes_io_pop_valid        ), //o
    .io_pop_ready    (fetches                       ), //i
    .io_pop_payload  (processes_io_pop_payload[6:0] ), //o
    .io_flush        (1'b0                          ), //i
    .io_occupancy    (processes_io_occupancy[7:0]   ), //o
    .clk             (clk                           ), //i
    .reset           (reset                         )  //i
  );
  assign idle = (state_2 == State_1_idle);
  assign returns = (((idle && (! comes_valid)) && (! candidate_valid)) && again_valid);
  assign fetches = ((((idle && (! comes_valid)) && (! candidate_valid)) && (! again_valid)) && processes_io_pop_valid);
  assign asked = (comes_valid ? comes_payload_share : processes_io_pop_payload);
  assign _zz_list_some = (idle ? asked : process_1);
  assign _zz_list_some_1 = lists_spinal_port0;
  assign list_some = _zz_list_some_1[0];
  assign list_first = _zz_list_some_1[7 : 1];
  assign list_last = _zz_list_some_1[14 : 8];
  assign second = behind_spinal_port0;
  assign one = (list_first == list_last);
  always @(*) begin
    processes_io_push_valid = 1'b0;
    case(state_2)
      State_1_idle : begin
        if(returns) begin
          processes_io_push_valid = 1'b1;
        end
      end
      State_1_push : begin
        if(_zz_when) begin
          processes_io_push_valid = 1'b1;
        end
      end
      State_1_fetch : begin
      end
      default : begin
      end
    endcase
  end

  assign processes_io_push_payload = (returns ? again_payload : process_1);
  always @(*) begin
    changed_some = list_some;
    case(state_2)
      State_1_idle : begin
      end
      State_1_push : begin
        changed_some = 1'b1;
      end
      State_1_fetch : begin
        if(one) begin
          changed_some = 1'b0;
        end
      end
      default : begin
      end
    endcase
    if(io_clear_valid) begin
      changed_some = 1'b0;
    end
  end

  always @(*) begin
    changed_first = list_first;
    case(state_2)
      State_1_idle : begin
      end
      State_1_push : begin
        if(_zz_when) begin
          changed_first = comes_payload_pair;
        end
      end
      State_1_fetch : begin
      end
      default : begin
        changed_first = second;
      end
    endcase
  end

  always @(*) begin
    changed_last = list_last;
    case(state_2)
      State_1_idle : begin
      end
      State_1_push : begin
        changed_last = comes_payload_pair;
      end
      State_1_fetch : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    changes = 1'b0;
    case(state_2)
      State_1_idle : begin
      end
      State_1_push : begin
        changes = 1'b1;
      end
      State_1_fetch : begin
        if(one) begin
          changes = 1'b1;
        end
      end
      default : begin
        changes = 1'b1;
      end
    endcase
  end

  assign io_pop_valid = candidate_valid;
  assign io_pop_payload = candidate_payload;
  assign io_empty = ((((idle && (! comes_valid)) && (! candidate_valid)) && (! again_valid)) && (processes_io_occupancy == 8'h0));
  always @(posedge clk) begin
    if(reset) begin
      state_2 <= State_1_idle;
      comes_valid <= 1'b0;
      candidate_valid <= 1'b0;
      again_valid <= 1'b0;
    end else begin
      if(io_pop_ready) begin
        candidate_valid <= 1'b0;
      end
      case(state_2)
        State_1_idle : begin
          if(comes_valid) begin
            state_2 <= State_1_push;
          end else begin
            if(fetches) begin
              state_2 <= State_1_fetch;
            end
          end
          if(returns) begin
            again_valid <= 1'b0;
          end
        end
        State_1_push : begin
          comes_valid <= 1'b0;
          state_2 <= State_1_idle;
        end
        State_1_fetch : begin
          candidate_valid <= 1'b1;
          state_2 <= State_1_next_1;
          if(one) begin
            state_2 <= State_1_idle;
          end
        end
        default : begin
          again_valid <= 1'b1;
          state_2 <= State_1_idle;
        end
      endcase
      if(io_push_valid) begin
        if(io_empty) begin
          candidate_valid <= 1'b1;
        end else begin
          comes_valid <= 1'b1;
        end
      end
    end
  end

  always @(posedge clk) begin
    if(idle) begin
      process_1 <= asked;
    end
    case(state_2)
      State_1_idle : begin
      end
      State_1_push : begin
      end
      State_1_fetch : begin
        candidate_payload <= list_first;
      end
      default : begin
        again_payload <= process_1;
      end
    endcase
    if(io_push_valid) begin
      if(io_empty) begin
        candidate_payload <= io_push_payload_pair;
      end else begin
        comes_payload_share <= io_push_payload_share;
        comes_payload_pair <= io_push_payload_pair;
      end
    end
  end


endmodule

module StreamFifo (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [6:0]    io_push_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [6:0]    io_pop_payload,
  input  wire          io_flush,
  output wire [7:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  reg        [6:0]    logic_ram_spinal_port1;
  wire       [6:0]    _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [7:0]    logic_ptr_push;
  reg        [7:0]    logic_ptr_pop;
  wire       [7:0]    logic_ptr_occupancy;
  wire       [7:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [6:0]    logic_push_onRam_write_payload_address;
  wire       [6:0]    logic_push_onRam_write_payload_data;
  wire                logic_pop_addressGen_valid;
  reg                 logic_pop_addressGen_ready;
  wire       [6:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_sync_readArbitration_valid;
  wire                logic_pop_sync_readArbitration_ready;
  reg                 logic_pop_addressGen_rValid;
  wire                logic_pop_sync_readPort_cmd_valid;
  wire       [6:0]    logic_pop_sync_readPort_cmd_payload;
  wire       [6:0]    logic_pop_sync_readPort_rsp;
  wire                logic_pop_addressGen_toFlowFire_valid;
  wire       [6:0]    logic_pop_addressGen_toFlowFire_payload;
  wire                logic_pop_sync_readArbitration_translated_valid;
  wire                logic_pop_sync_readArbitration_translated_ready;
  wire       [6:0]    logic_pop_sync_readArbitration_translated_payload;
  wire                logic_pop_sync_readArbitration_fire;
  reg        [7:0]    logic_pop_sync_popReg;
  reg [6:0] logic_ram [0:127];

  assign _zz_logic_ram_port = logic_push_onRam_write_payload_data;
  always @(posedge clk) begin
    if(_zz_1) begin
      logic_ram[logic_push_onRam_write_payload_address] <= _zz_logic_ram_port;
    end
  end

  always @(posedge clk) begin
    if(logic_pop_sync_readPort_cmd_valid) begin
      logic_ram_spinal_port1 <= logic_ram[logic_pop_sync_readPort_cmd_payload];
    end
  end

  always @(*) begin
    _zz_1 = 1'b0;
    if(logic_push_onRam_write_valid) begin
      _zz_1 = 1'b1;
    end
  end

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 8'h80) == 8'h0);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[6:0];
  assign logic_push_onRam_write_payload_data = io_push_payload;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[6:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  always @(*) begin
    logic_pop_addressGen_ready = logic_pop_sync_readArbitration_ready;
    if((! logic_pop_sync_readArbitration_valid)) begin
      logic_pop_addressGen_ready = 1'b1;
    end
  end

  assign logic_pop_sync_readArbitration_valid = logic_pop_addressGen_rValid;
  assign logic_pop_sync_readPort_rsp = logic_ram_spinal_port1;
  assign logic_pop_addressGen_toFlowFire_valid = logic_pop_addressGen_fire;
  assign logic_pop_addressGen_toFlowFire_payload = logic_pop_addressGen_payload;
  assign logic_pop_sync_readPort_cmd_valid = logic_pop_addressGen_toFlowFire_valid;
  assign logic_pop_sync_readPort_cmd_payload = logic_pop_addressGen_toFlowFire_payload;
  assign logic_pop_sync_readArbitration_translated_valid = logic_pop_sync_readArbitration_valid;
  assign logic_pop_sync_readArbitration_ready = logic_pop_sync_readArbitration_translated_ready;
  assign logic_pop_sync_readArbitration_translated_payload = logic_pop_sync_readPort_rsp;
  assign io_pop_valid = logic_pop_sync_readArbitration_translated_valid;
  assign logic_pop_sync_readArbitration_translated_ready = io_pop_ready;
  assign io_pop_payload = logic_pop_sync_readArbitration_translated_payload;
  assign logic_pop_sync_readArbitration_fire = (logic_pop_sync_readArbitration_valid && logic_pop_sync_readArbitration_ready);
  assign logic_ptr_popOnIo = logic_pop_sync_popReg;
  assign io_occupancy = logic_ptr_occupancy;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 8'h0;
      logic_ptr_pop <= 8'h0;
      logic_pop_addressGen_rValid <= 1'b0;
      logic_pop_sync_popReg <= 8'h0;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 8'h01);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 8'h01);
      end
      if(io_flush) begin
        logic_ptr_push <= 8'h0;
        logic_ptr_pop <= 8'h0;
      end
      if(logic_pop_addressGen_ready) begin
        logic_pop_addressGen_rValid <= logic_pop_addressGen_valid;
      end
      if(io_flush) begin
        logic_pop_addressGen_rValid <= 1'b0;
      end
      if(logic_pop_sync_readArbitration_fire) begin
        logic_pop_sync_popReg <= logic_ptr_pop;
      end
      if(io_flush) begin
        logic_pop_sync_popReg <= 8'h0;
      end
    end
  end


endmodule
