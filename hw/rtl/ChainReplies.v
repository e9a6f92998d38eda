// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : ChainReplies

`timescale 1ns/1ps

module ChainReplies (
  input  wire          io_commands_valid,
  output wire          io_commands_ready,
  input  wire          io_commands_payload_creates,
  input  wire [6:0]    io_commands_payload_pair,
  input  wire [47:0]   io_commands_payload_peer_mac,
  input  wire [31:0]   io_commands_payload_peer_ip,
  input  wire [23:0]   io_commands_payload_peer_qpn,
  input  wire [15:0]   io_commands_payload_peer_srcPort,
  input  wire [2:0]    io_commands_payload_peer_mtu,
  input  wire [3:0]    io_commands_payload_peer_timeout,
  input  wire [7:0]    io_commands_payload_peer_segment,
  input  wire [23:0]   io_commands_payload_peer_pid,
  input  wire [6:0]    io_commands_payload_peer_share,
  input  wire [23:0]   io_commands_payload_psn,
  input  wire [16:0]   io_commands_payload_cap,
  input  wire          io_posts_valid,
  output wire          io_posts_ready,
  input  wire [6:0]    io_posts_payload_pair,
  input  wire          io_posts_payload_held,
  input  wire          io_posts_payload_reply_word,
  input  wire          io_posts_payload_reply_immediate,
  input  wire [20:0]   io_posts_payload_reply_page,
  input  wire [63:0]   io_posts_payload_reply_va,
  input  wire [31:0]   io_posts_payload_reply_rkey,
  input  wire [63:0]   io_posts_payload_reply_data,
  input  wire          io_acks_valid,
  output wire          io_acks_ready,
  input  wire [6:0]    io_acks_payload_pair,
  input  wire [23:0]   io_acks_payload_psn,
  input  wire [7:0]    io_acks_payload_syndrome,
  input  wire          io_notified_valid,
  input  wire [6:0]    io_notified_payload,
  output wire          io_mayNotify,
  output wire          io_departures_valid,
  input  wire          io_departures_ready,
  output wire          io_departures_payload_sends,
  output wire [6:0]    io_departures_payload_pair,
  output wire [47:0]   io_departures_payload_packet_dstMac,
  output wire [31:0]   io_departures_payload_packet_dstIp,
  output wire [15:0]   io_departures_payload_packet_srcPort,
  output wire [7:0]    io_departures_payload_packet_opcode,
  output wire [15:0]   io_departures_payload_packet_pkey,
  output wire [23:0]   io_departures_payload_packet_destQp,
  output wire [23:0]   io_departures_payload_packet_psn,
  output wire          io_departures_payload_packet_ackRequest,
  output wire [7:0]    io_departures_payload_packet_syndrome,
  output wire [23:0]   io_departures_payload_packet_msn,
  output wire [63:0]   io_departures_payload_packet_original,
  output wire [12:0]   io_departures_payload_packet_payload,
  output wire [63:0]   io_departures_payload_va,
  output wire [31:0]   io_departures_payload_rkey,
  output wire [31:0]   io_departures_payload_length,
  output wire [31:0]   io_departures_payload_immediate,
  output wire [1:0]    io_departures_payload_source,
  output wire [18:0]   io_departures_payload_frame,
  output wire [11:0]   io_departures_payload_offset,
  output wire [63:0]   io_departures_payload_word,
  output wire          io_departures_payload_ends,
  output wire          io_departures_payload_epoch,
  output wire          io_looks_valid,
  input  wire          io_looks_ready,
  output wire [3:0]    io_looks_payload_operation,
  output wire [7:0]    io_looks_payload_segment,
  output wire [23:0]   io_looks_payload_pid,
  output wire          io_looks_payload_rights_read,
  output wire          io_looks_payload_rights_write,
  output wire          io_looks_payload_rights_atomic,
  output wire [20:0]   io_looks_payload_page,
  output wire [20:0]   io_looks_payload_pages,
  output wire          io_looks_payload_begins,
  output wire          io_looks_payload_first,
  output wire          io_looks_payload_whole,
  output wire          io_looks_payload_also,
  output wire [9:0]    io_looks_payload_filler,
  output wire [24:0]   io_looks_payload_line,
  input  wire          io_looked_valid,
  output wire          io_looked_ready,
  input  wire [3:0]    io_looked_payload_status,
  input  wire [18:0]   io_looked_payload_frame,
  input  wire          io_looked_payload_hidden,
  input  wire          io_looked_payload_epoch,
  input  wire [20:0]   io_looked_payload_count,
  input  wire [6:0]    io_roomOf,
  output wire [5:0]    io_room,
  output wire          io_quiet,
  input  wire [17:0]   io_time,
  output wire          io_failed_valid,
  output wire [6:0]    io_failed_payload_pair,
  output wire [1:0]    io_failed_payload_why,
  output wire          io_events_sent,
  output wire          io_events_again,
  output wire          io_events_looked,
  output wire          io_events_timeout,
  output wire          io_events_gap,
  output wire          io_events_notReady,
  output wire          io_events_stale,
  output wire          io_events_malformed,
  output wire          io_events_held,
  output wire          io_idle,
  input  wire          clk,
  input  wire          reset
);
  localparam ReplySource_FRAME = 2'd0;
  localparam ReplySource_ZEROS = 2'd1;
  localparam ReplySource_WORD = 2'd2;
  localparam LeafOperation_LOOK = 4'd0;
  localparam LeafOperation_CHECK = 4'd1;
  localparam LeafOperation_STORE = 4'd2;
  localparam LeafOperation_PUBLISH = 4'd3;
  localparam LeafOperation_GIVE_UP = 4'd4;
  localparam LeafOperation_FREE = 4'd5;
  localparam LeafOperation_CREATE = 4'd6;
  localparam LeafOperation_SET_RIGHTS = 4'd7;
  localparam LeafOperation_CLOSE = 4'd8;
  localparam LeafOperation_SWEEP = 4'd9;
  localparam LeafOperation_PUSH = 4'd10;
  localparam LeafOperation_POP = 4'd11;
  localparam LeafOperation_RING = 4'd12;
  localparam LeafOperation_USED = 4'd13;
  localparam LeafStatus_DONE = 4'd0;
  localparam LeafStatus_UNMAPPED = 4'd1;
  localparam LeafStatus_UNKNOWN = 4'd2;
  localparam LeafStatus_OUTSIDE = 4'd3;
  localparam LeafStatus_RIGHT = 4'd4;
  localparam LeafStatus_BUDGET_SPENT = 4'd5;
  localparam LeafStatus_RING_EMPTY = 4'd6;
  localparam LeafStatus_FAILED = 4'd7;
  localparam LeafStatus_NOTHING = 4'd8;
  localparam LeafStatus_TAKEN = 4'd9;
  localparam LeafStatus_BAD_RANGE = 4'd10;
  localparam LeafStatus_FULL = 4'd11;
  localparam ReplyFailure_REFUSED = 2'd0;
  localparam ReplyFailure_SILENT = 2'd1;
  localparam ReplyFailure_MEMORY = 2'd2;
  localparam Step_clear = 4'd0;
  localparam Step_idle = 4'd1;
  localparam Step_load = 4'd2;
  localparam Step_judge = 4'd3;
  localparam Step_walk = 4'd4;
  localparam Step_answered = 4'd5;
  localparam Step_made = 4'd6;
  localparam Step_look = 4'd7;
  localparam Step_looked = 4'd8;
  localparam Step_emit = 4'd9;
  localparam Step_ending = 4'd10;
  localparam Step_write = 4'd11;
  localparam Op_command = 3'd0;
  localparam Op_ack = 3'd1;
  localparam Op_post = 3'd2;
  localparam Op_time_1 = 3'd3;
  localparam Op_send = 3'd4;
  localparam Op_wake = 3'd5;

  wire                turns_io_pop_ready;
  wire                rates_io_changes_valid;
  wire       [6:0]    rates_io_changes_payload_pair;
  wire                rates_io_changes_payload_cuts;
  wire                rates_io_sent_valid;
  wire                rates_io_wakes_ready;
  reg        [138:0]  states_spinal_port0;
  reg        [165:0]  peers_spinal_port0;
  reg        [182:0]  replies_spinal_port0;
  wire       [6:0]    rooms_spinal_port1;
  wire       [19:0]   accesses_spinal_port0;
  wire                turns_io_pop_valid;
  wire       [6:0]    turns_io_pop_payload;
  wire                turns_io_empty;
  wire                rates_io_room;
  wire                rates_io_holds;
  wire                rates_io_wakes_valid;
  wire       [6:0]    rates_io_wakes_payload;
  wire       [9:0]    _zz__zz_chosen_2;
  wire       [9:0]    _zz__zz_chosen_2_1;
  wire       [4:0]    _zz__zz_chosen_2_2;
  reg        [6:0]    _zz_pick_4;
  wire       [2:0]    _zz_pick_5;
  wire                _zz_peers_port;
  wire                _zz__zz_peer_mac_1;
  wire       [6:0]    _zz_states_port;
  wire       [138:0]  _zz_states_port_1;
  wire                _zz_states_port_2;
  wire       [165:0]  _zz_peers_port_1;
  wire       [5:0]    _zz_free;
  wire       [6:0]    _zz_rooms_port;
  wire       [6:0]    _zz_rooms_port_1;
  wire                _zz_rooms_port_2;
  wire       [4:0]    _zz__zz_reply_word;
  wire       [4:0]    _zz__zz_reply_word_1;
  wire       [4:0]    _zz_tail;
  wire       [11:0]   _zz_replies_port;
  wire       [182:0]  _zz_replies_port_1;
  reg        [3:0]    _zz_last_1;
  wire       [2:0]    _zz_last_2;
  wire       [5:0]    _zz_fills;
  wire       [19:0]   _zz_accesses_port;
  wire       [19:0]   _zz_accesses_port_1;
  wire                _zz_accesses_port_2;
  wire       [0:0]    _zz_request_first;
  wire       [0:0]    _zz_request_whole;
  wire       [0:0]    _zz_request_also;
  reg        [3:0]    _zz_left1_1;
  wire       [2:0]    _zz_left1_2;
  wire       [5:0]    _zz_replyEnds;
  wire                _zz_when;
  wire       [15:0]   _zz_timeout;
  reg        [17:0]   _zz_pause;
  wire       [4:0]    _zz_pause_1;
  wire       [23:0]   _zz_fresh;
  wire       [5:0]    _zz_answered;
  wire       [5:0]    _zz_answered_1;
  wire       [0:0]    _zz_answered_2;
  wire       [5:0]    _zz_rest;
  wire       [5:0]    _zz_rest_1;
  wire       [0:0]    _zz_rest_2;
  wire       [17:0]   _zz_isTimeout;
  wire       [17:0]   _zz_isReady;
  wire                _zz_when_1;
  wire                _zz_when_2;
  wire       [5:0]    _zz_rest_3;
  wire       [5:0]    _zz_rest_4;
  wire       [5:0]    _zz_rest_5;
  wire       [3:0]    _zz_s_done;
  wire       [3:0]    _zz_s_done_1;
  wire                _zz_when_3;
  wire                _zz_when_4;
  wire       [23:0]   _zz_s_unanswered;
  wire       [17:0]   _zz_s_deadline;
  wire       [17:0]   _zz_s_ready;
  wire                _zz_when_5;
  wire                _zz_when_6;
  wire                _zz_when_7;
  wire                _zz_when_8;
  wire                _zz_when_9;
  wire       [0:0]    _zz_kept_wentBack;
  wire       [0:0]    _zz_kept_waits;
  wire       [0:0]    _zz_kept_pauses;
  wire       [0:0]    _zz_kept_open;
  wire       [0:0]    _zz_kept_closes;
  reg        [12:0]   _zz_bytes_1;
  wire       [2:0]    _zz_bytes_2;
  wire       [7:0]    _zz__zz_slot_packet_opcode;
  wire       [0:0]    _zz__zz_slot_packet_opcode_1;
  wire       [7:0]    _zz__zz_slot_packet_opcode_2;
  wire       [0:0]    _zz__zz_slot_packet_opcode_3;
  wire       [23:0]   _zz_slot_packet_psn;
  wire       [31:0]   _zz_slot_immediate;
  wire       [18:0]   _zz_slot_offset_1;
  wire       [3:0]    _zz_slot_offset_2;
  wire       [3:0]    _zz_slot_offset_3;
  wire       [2:0]    _zz_slot_offset_4;
  reg        [3:0]    state_1;
  reg        [2:0]    op_2;
  reg        [6:0]    pair;
  reg                 s_valid;
  reg                 s_queued;
  reg        [23:0]   s_unanswered;
  reg        [3:0]    s_done;
  reg        [5:0]    s_next;
  reg        [5:0]    s_sent;
  reg        [4:0]    s_head;
  reg        [5:0]    s_count;
  reg        [31:0]   s_words;
  reg        [5:0]    s_cursor;
  reg        [3:0]    s_at;
  reg        [2:0]    s_retries;
  reg                 s_wentBack;
  reg                 s_waits;
  reg                 s_pauses;
  reg        [17:0]   s_deadline;
  reg        [17:0]   s_ready;
  reg                 s_open;
  reg                 s_closes;
  wire                isIdle;
  reg        [6:0]    times_pair;
  reg        [17:0]   times_seen;
  reg                 times_goes;
  wire       [6:0]    times_next;
  reg                 slot_sends;
  reg        [6:0]    slot_pair;
  reg        [47:0]   slot_packet_dstMac;
  reg        [31:0]   slot_packet_dstIp;
  reg        [15:0]   slot_packet_srcPort;
  reg        [7:0]    slot_packet_opcode;
  reg        [15:0]   slot_packet_pkey;
  reg        [23:0]   slot_packet_destQp;
  reg        [23:0]   slot_packet_psn;
  reg                 slot_packet_ackRequest;
  reg        [7:0]    slot_packet_syndrome;
  reg        [23:0]   slot_packet_msn;
  reg        [63:0]   slot_packet_original;
  reg        [12:0]   slot_packet_payload;
  reg        [63:0]   slot_va;
  reg        [31:0]   slot_rkey;
  reg        [31:0]   slot_length;
  reg        [31:0]   slot_immediate;
  reg        [1:0]    slot_source;
  reg        [18:0]   slot_frame;
  reg        [11:0]   slot_offset;
  reg        [63:0]   slot_word;
  reg                 slot_ends;
  reg                 slot_epoch;
  reg                 full;
  wire                left_valid;
  reg                 left_ready;
  wire                left_payload_sends;
  wire       [6:0]    left_payload_pair;
  wire       [47:0]   left_payload_packet_dstMac;
  wire       [31:0]   left_payload_packet_dstIp;
  wire       [15:0]   left_payload_packet_srcPort;
  wire       [7:0]    left_payload_packet_opcode;
  wire       [15:0]   left_payload_packet_pkey;
  wire       [23:0]   left_payload_packet_destQp;
  wire       [23:0]   left_payload_packet_psn;
  wire                left_payload_packet_ackRequest;
  wire       [7:0]    left_payload_packet_syndrome;
  wire       [23:0]   left_payload_packet_msn;
  wire       [63:0]   left_payload_packet_original;
  wire       [12:0]   left_payload_packet_payload;
  wire       [63:0]   left_payload_va;
  wire       [31:0]   left_payload_rkey;
  wire       [31:0]   left_payload_length;
  wire       [31:0]   left_payload_immediate;
  wire       [1:0]    left_payload_source;
  wire       [18:0]   left_payload_frame;
  wire       [11:0]   left_payload_offset;
  wire       [63:0]   left_payload_word;
  wire                left_payload_ends;
  wire                left_payload_epoch;
  wire                left_m2sPipe_valid;
  wire                left_m2sPipe_ready;
  wire                left_m2sPipe_payload_sends;
  wire       [6:0]    left_m2sPipe_payload_pair;
  wire       [47:0]   left_m2sPipe_payload_packet_dstMac;
  wire       [31:0]   left_m2sPipe_payload_packet_dstIp;
  wire       [15:0]   left_m2sPipe_payload_packet_srcPort;
  wire       [7:0]    left_m2sPipe_payload_packet_opcode;
  wire       [15:0]   left_m2sPipe_payload_packet_pkey;
  wire       [23:0]   left_m2sPipe_payload_packet_destQp;
  wire       [23:0]   left_m2sPipe_payload_packet_psn;
  wire                left_m2sPipe_payload_packet_ackRequest;
  wire       [7:0]    left_m2sPipe_payload_packet_syndrome;
  wire       [23:0]   left_m2sPipe_payload_packet_msn;
  wire       [63:0]   left_m2sPipe_payload_packet_original;
  wire       [12:0]   left_m2sPipe_payload_packet_payload;
  wire       [63:0]   left_m2sPipe_payload_va;
  wire       [31:0]   left_m2sPipe_payload_rkey;
  wire       [31:0]   left_m2sPipe_payload_length;
  wire       [31:0]   left_m2sPipe_payload_immediate;
  wire       [1:0]    left_m2sPipe_payload_source;
  wire       [18:0]   left_m2sPipe_payload_frame;
  wire       [11:0]   left_m2sPipe_payload_offset;
  wire       [63:0]   left_m2sPipe_payload_word;
  wire                left_m2sPipe_payload_ends;
  wire                left_m2sPipe_payload_epoch;
  reg                 left_rValid;
  reg                 left_rData_sends;
  reg        [6:0]    left_rData_pair;
  reg        [47:0]   left_rData_packet_dstMac;
  reg        [31:0]   left_rData_packet_dstIp;
  reg        [15:0]   left_rData_packet_srcPort;
  reg        [7:0]    left_rData_packet_opcode;
  reg        [15:0]   left_rData_packet_pkey;
  reg        [23:0]   left_rData_packet_destQp;
  reg        [23:0]   left_rData_packet_psn;
  reg                 left_rData_packet_ackRequest;
  reg        [7:0]    left_rData_packet_syndrome;
  reg        [23:0]   left_rData_packet_msn;
  reg        [63:0]   left_rData_packet_original;
  reg        [12:0]   left_rData_packet_payload;
  reg        [63:0]   left_rData_va;
  reg        [31:0]   left_rData_rkey;
  reg        [31:0]   left_rData_length;
  reg        [31:0]   left_rData_immediate;
  reg        [1:0]    left_rData_source;
  reg        [18:0]   left_rData_frame;
  reg        [11:0]   left_rData_offset;
  reg        [63:0]   left_rData_word;
  reg                 left_rData_ends;
  reg                 left_rData_epoch;
  wire                creates;
  wire       [4:0]    wants;
  reg        [4:0]    first;
  wire       [4:0]    _zz_chosen;
  wire       [9:0]    _zz_chosen_1;
  wire       [9:0]    _zz_chosen_2;
  wire       [4:0]    chosen;
  wire                _zz_pick;
  wire                _zz_pick_1;
  wire                _zz_pick_2;
  wire                _zz_pick_3;
  wire       [6:0]    pick;
  reg        [17:0]   now;
  reg                 held;
  wire                loaded_valid;
  wire                loaded_queued;
  wire       [23:0]   loaded_unanswered;
  wire       [3:0]    loaded_done;
  wire       [5:0]    loaded_next;
  wire       [5:0]    loaded_sent;
  wire       [4:0]    loaded_head;
  wire       [5:0]    loaded_count;
  wire       [31:0]   loaded_words;
  wire       [5:0]    loaded_cursor;
  wire       [3:0]    loaded_at;
  wire       [2:0]    loaded_retries;
  wire                loaded_wentBack;
  wire                loaded_waits;
  wire                loaded_pauses;
  wire       [17:0]   loaded_deadline;
  wire       [17:0]   loaded_ready;
  wire                loaded_open;
  wire                loaded_closes;
  wire       [138:0]  _zz_loaded_valid;
  wire       [6:0]    _zz_peer_mac;
  wire       [47:0]   peer_mac;
  wire       [31:0]   peer_ip;
  wire       [23:0]   peer_qpn;
  wire       [15:0]   peer_srcPort;
  wire       [2:0]    peer_mtu;
  wire       [3:0]    peer_timeout;
  wire       [7:0]    peer_segment;
  wire       [23:0]   peer_pid;
  wire       [6:0]    peer_share;
  wire       [165:0]  _zz_peer_mac_1;
  wire                writes;
  wire                clears;
  reg        [6:0]    cleared;
  reg                 kept_valid;
  reg                 kept_queued;
  reg        [23:0]   kept_unanswered;
  reg        [3:0]    kept_done;
  reg        [5:0]    kept_next;
  reg        [5:0]    kept_sent;
  reg        [4:0]    kept_head;
  reg        [5:0]    kept_count;
  reg        [31:0]   kept_words;
  reg        [5:0]    kept_cursor;
  reg        [3:0]    kept_at;
  reg        [2:0]    kept_retries;
  reg                 kept_wentBack;
  reg                 kept_waits;
  reg                 kept_pauses;
  reg        [17:0]   kept_deadline;
  reg        [17:0]   kept_ready;
  reg                 kept_open;
  reg                 kept_closes;
  wire       [5:0]    free;
  wire                quiet;
  reg        [6:0]    asked;
  wire       [5:0]    roomed;
  wire       [11:0]   _zz_reply_word;
  wire                _zz_reply_word_1;
  wire                reply_word;
  wire                reply_immediate;
  wire       [20:0]   reply_page;
  wire       [63:0]   reply_va;
  wire       [31:0]   reply_rkey;
  wire       [63:0]   reply_data;
  wire       [182:0]  _zz_reply_word_2;
  wire                room;
  reg        [4:0]    tail;
  reg                 _zz_posts;
  wire                posts;
  reg        [23:0]   since;
  reg                 fresh;
  reg                 isTimeout;
  reg                 isReady;
  reg        [5:0]    answered;
  reg        [5:0]    rest;
  reg        [5:0]    popped;
  reg        [17:0]   timeout;
  reg        [17:0]   pause;
  reg                 fails;
  reg        [1:0]    why;
  wire                maySend;
  reg                 may;
  reg                 again;
  reg        [18:0]   look_frame;
  reg                 look_epoch;
  reg                 looksUp;
  reg                 hasLooked;
  wire                begins;
  wire       [2:0]    _zz_last;
  wire                last;
  wire                bare;
  wire                seeks;
  reg        [19:0]   access_1;
  wire                holds;
  wire                fills;
  wire                stops;
  wire                owed;
  reg                 events_sent;
  reg                 events_again;
  reg                 events_looked;
  reg                 events_timeout;
  reg                 events_gap;
  reg                 events_notReady;
  reg                 events_stale;
  reg                 events_malformed;
  reg                 events_held;
  wire       [3:0]    request_operation;
  wire       [7:0]    request_segment;
  wire       [23:0]   request_pid;
  wire                request_rights_read;
  wire                request_rights_write;
  wire                request_rights_atomic;
  wire       [20:0]   request_page;
  wire       [20:0]   request_pages;
  wire                request_begins;
  wire                request_first;
  wire                request_whole;
  wire                request_also;
  wire       [9:0]    request_filler;
  wire       [24:0]   request_line;
  wire       [2:0]    _zz_request_rights_read;
  wire       [2:0]    _zz_left1;
  wire       [3:0]    left1;
  wire                replyEnds;
  wire       [3:0]    _zz_state;
  wire                _zz_s_open;
  wire                _zz_11;
  wire                _zz_12;
  wire                _zz_13;
  wire                _zz_events_held;
  wire       [3:0]    _zz_state_1;
  wire                queues;
  wire                immediate;
  wire       [2:0]    _zz_bytes;
  wire       [12:0]   bytes;
  wire       [12:0]   payload;
  reg        [7:0]    _zz_slot_packet_opcode;
  wire       [1:0]    _zz_slot_source;
  wire       [2:0]    _zz_slot_offset;
  (* ram_style = "block" *) reg [138:0] states [0:127];
  (* ram_style = "block" *) reg [165:0] peers [0:127];
  (* ram_style = "ultra" *) reg [182:0] replies [0:4095];
  (* ram_style = "distributed" *) reg [6:0] rooms [0:127];
  (* ram_style = "distributed" *) reg [19:0] accesses [0:127];

  assign _zz_when_9 = (clears || creates);
  assign _zz_when = (! io_commands_valid);
  assign _zz_when_1 = ((! fresh) || (((! (io_acks_payload_syndrome[7 : 5] == 3'b000)) && (! (io_acks_payload_syndrome[7 : 5] == 3'b001))) && (! (io_acks_payload_syndrome[7 : 5] == 3'b011))));
  assign _zz_when_2 = ((rest == 6'h0) || 1'b0);
  assign _zz_when_3 = (op_2 == Op_time_1);
  assign _zz_when_4 = ((s_retries == 3'b111) && 1'b1);
  assign _zz_when_5 = ((io_acks_payload_syndrome[7 : 5] == 3'b011) && (io_acks_payload_syndrome[4 : 0] != 5'h0));
  assign _zz_when_6 = (s_closes || ((_zz_events_held && s_open) && 1'b1));
  assign _zz_when_7 = (io_looked_payload_status == LeafStatus_FAILED);
  assign _zz_when_8 = ((! owed) || (! full));
  assign _zz__zz_chosen_2 = (_zz_chosen_1 - _zz__zz_chosen_2_1);
  assign _zz__zz_chosen_2_2 = first;
  assign _zz__zz_chosen_2_1 = {5'd0, _zz__zz_chosen_2_2};
  assign _zz_free = (6'h20 - s_count);
  assign _zz__zz_reply_word = (s_head + _zz__zz_reply_word_1);
  assign _zz__zz_reply_word_1 = s_cursor[4:0];
  assign _zz_tail = s_count[4:0];
  assign _zz_fills = (s_next + 6'h01);
  assign _zz_accesses_port_1 = io_posts_payload_reply_data[19:0];
  assign _zz_request_first = 1'b0;
  assign _zz_request_whole = 1'b0;
  assign _zz_request_also = 1'b0;
  assign _zz_replyEnds = {2'd0, left1};
  assign _zz_timeout = ({15'd0,1'b1} <<< peer_timeout);
  assign _zz_fresh = {18'd0, s_sent};
  assign _zz_answered = since[5:0];
  assign _zz_answered_2 = (io_acks_payload_syndrome[7 : 5] == 3'b000);
  assign _zz_answered_1 = {5'd0, _zz_answered_2};
  assign _zz_rest = since[5:0];
  assign _zz_rest_2 = (io_acks_payload_syndrome[7 : 5] == 3'b000);
  assign _zz_rest_1 = {5'd0, _zz_rest_2};
  assign _zz_isTimeout = (now - s_deadline);
  assign _zz_isReady = (now - s_ready);
  assign _zz_rest_3 = (_zz_rest_4 - 6'h01);
  assign _zz_rest_4 = (rest - _zz_rest_5);
  assign _zz_rest_5 = {2'd0, left1};
  assign _zz_s_done = (s_done + _zz_s_done_1);
  assign _zz_s_done_1 = rest[3:0];
  assign _zz_s_unanswered = {18'd0, answered};
  assign _zz_s_deadline = (now + timeout);
  assign _zz_s_ready = (now + pause);
  assign _zz_kept_wentBack = 1'b0;
  assign _zz_kept_waits = 1'b0;
  assign _zz_kept_pauses = 1'b0;
  assign _zz_kept_open = 1'b0;
  assign _zz_kept_closes = 1'b0;
  assign _zz__zz_slot_packet_opcode_1 = immediate;
  assign _zz__zz_slot_packet_opcode = {7'd0, _zz__zz_slot_packet_opcode_1};
  assign _zz__zz_slot_packet_opcode_3 = immediate;
  assign _zz__zz_slot_packet_opcode_2 = {7'd0, _zz__zz_slot_packet_opcode_3};
  assign _zz_slot_packet_psn = {18'd0, s_next};
  assign _zz_slot_immediate = {11'd0, reply_page};
  assign _zz_slot_offset_1 = ({15'd0,s_at} <<< _zz_slot_offset_2);
  assign _zz_slot_offset_2 = (_zz_slot_offset_3 + 4'b1000);
  assign _zz_slot_offset_4 = ((peer_mtu < _zz_slot_offset) ? peer_mtu : _zz_slot_offset);
  assign _zz_slot_offset_3 = {1'd0, _zz_slot_offset_4};
  assign _zz_states_port = (clears ? cleared : pair);
  assign _zz_states_port_1 = {kept_closes,{kept_open,{kept_ready,{kept_deadline,{kept_pauses,{kept_waits,{kept_wentBack,{kept_retries,{kept_at,{kept_cursor,{kept_words,{kept_count,{kept_head,{kept_sent,{kept_next,{kept_done,{kept_unanswered,{kept_queued,kept_valid}}}}}}}}}}}}}}}}}};
  assign _zz_states_port_2 = (writes || clears);
  assign _zz__zz_peer_mac_1 = 1'b1;
  assign _zz_peers_port_1 = {io_commands_payload_peer_share,{io_commands_payload_peer_pid,{io_commands_payload_peer_segment,{io_commands_payload_peer_timeout,{io_commands_payload_peer_mtu,{io_commands_payload_peer_srcPort,{io_commands_payload_peer_qpn,{io_commands_payload_peer_ip,io_commands_payload_peer_mac}}}}}}}};
  assign _zz_replies_port = {pair,tail};
  assign _zz_replies_port_1 = {io_posts_payload_reply_data,{io_posts_payload_reply_rkey,{io_posts_payload_reply_va,{io_posts_payload_reply_page,{io_posts_payload_reply_immediate,io_posts_payload_reply_word}}}}};
  assign _zz_rooms_port = (clears ? cleared : pair);
  assign _zz_rooms_port_1 = {(creates || (quiet && (! clears))),free};
  assign _zz_rooms_port_2 = (writes || clears);
  assign _zz_accesses_port = ((op_2 == Op_post) ? _zz_accesses_port_1 : {look_epoch,look_frame});
  assign _zz_accesses_port_2 = ((posts && io_posts_payload_held) || ((writes && (op_2 == Op_send)) && hasLooked));
  assign _zz_pick_5 = {_zz_pick_1,{_zz_pick_3,_zz_pick_2}};
  assign _zz_last_2 = ((peer_mtu < _zz_last) ? peer_mtu : _zz_last);
  assign _zz_left1_2 = ((peer_mtu < _zz_left1) ? peer_mtu : _zz_left1);
  assign _zz_pause_1 = io_acks_payload_syndrome[4 : 0];
  assign _zz_bytes_2 = ((peer_mtu < _zz_bytes) ? peer_mtu : _zz_bytes);
  always @(posedge clk) begin
    if(isIdle) begin
      states_spinal_port0 <= states[pick];
    end
  end

  always @(posedge clk) begin
    if(_zz_states_port_2) begin
      states[_zz_states_port] <= _zz_states_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_peer_mac_1) begin
      peers_spinal_port0 <= peers[_zz_peer_mac];
    end
  end

  always @(posedge clk) begin
    if(creates) begin
      peers[pair] <= _zz_peers_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz_reply_word_1) begin
      replies_spinal_port0 <= replies[_zz_reply_word];
    end
  end

  always @(posedge clk) begin
    if(posts) begin
      replies[_zz_replies_port] <= _zz_replies_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz_rooms_port_2) begin
      rooms[_zz_rooms_port] <= _zz_rooms_port_1;
    end
  end

  assign rooms_spinal_port1 = rooms[io_roomOf];
  assign accesses_spinal_port0 = accesses[pair];
  always @(posedge clk) begin
    if(_zz_accesses_port_2) begin
      accesses[pair] <= _zz_accesses_port;
    end
  end

  RoceTurns turns (
    .io_push_valid         (queues                   ), //i
    .io_push_payload_share (peer_share[6:0]          ), //i
    .io_push_payload_pair  (pair[6:0]                ), //i
    .io_pop_valid          (turns_io_pop_valid       ), //o
    .io_pop_ready          (turns_io_pop_ready       ), //i
    .io_pop_payload        (turns_io_pop_payload[6:0]), //o
    .io_clear_valid        (clears                   ), //i
    .io_clear_payload      (cleared[6:0]             ), //i
    .io_empty              (turns_io_empty           ), //o
    .clk                   (clk                      ), //i
    .reset                 (reset                    )  //i
  );
  ReactionPoint rates (
    .io_changes_valid        (rates_io_changes_valid            ), //i
    .io_changes_payload_pair (rates_io_changes_payload_pair[6:0]), //i
    .io_changes_payload_cuts (rates_io_changes_payload_cuts     ), //i
    .io_changes_payload_cap  (io_commands_payload_cap[16:0]     ), //i
    .io_room                 (rates_io_room                     ), //o
    .io_sent_valid           (rates_io_sent_valid               ), //i
    .io_sent_payload_pair    (pair[6:0]                         ), //i
    .io_sent_payload_bytes   (payload[12:0]                     ), //i
    .io_pair                 (pair[6:0]                         ), //i
    .io_holds                (rates_io_holds                    ), //o
    .io_wakes_valid          (rates_io_wakes_valid              ), //o
    .io_wakes_ready          (rates_io_wakes_ready              ), //i
    .io_wakes_payload        (rates_io_wakes_payload[6:0]       ), //o
    .clk                     (clk                               ), //i
    .reset                   (reset                             )  //i
  );
  always @(*) begin
    case(_zz_pick_5)
      3'b000 : _zz_pick_4 = io_acks_payload_pair;
      3'b001 : _zz_pick_4 = io_posts_payload_pair;
      3'b010 : _zz_pick_4 = times_pair;
      3'b011 : _zz_pick_4 = turns_io_pop_payload;
      default : _zz_pick_4 = rates_io_wakes_payload;
    endcase
  end

  always @(*) begin
    case(_zz_last_2)
      3'b000 : _zz_last_1 = 4'b1111;
      3'b001 : _zz_last_1 = 4'b0111;
      3'b010 : _zz_last_1 = 4'b0011;
      3'b011 : _zz_last_1 = 4'b0001;
      default : _zz_last_1 = 4'b0000;
    endcase
  end

  always @(*) begin
    case(_zz_left1_2)
      3'b000 : _zz_left1_1 = 4'b1111;
      3'b001 : _zz_left1_1 = 4'b0111;
      3'b010 : _zz_left1_1 = 4'b0011;
      3'b011 : _zz_left1_1 = 4'b0001;
      default : _zz_left1_1 = 4'b0000;
    endcase
  end

  always @(*) begin
    case(_zz_pause_1)
      5'b00000 : _zz_pause = 18'h10000;
      5'b00001 : _zz_pause = 18'h00001;
      5'b00010 : _zz_pause = 18'h00002;
      5'b00011 : _zz_pause = 18'h00003;
      5'b00100 : _zz_pause = 18'h00004;
      5'b00101 : _zz_pause = 18'h00006;
      5'b00110 : _zz_pause = 18'h00008;
      5'b00111 : _zz_pause = 18'h0000c;
      5'b01000 : _zz_pause = 18'h00010;
      5'b01001 : _zz_pause = 18'h00018;
      5'b01010 : _zz_pause = 18'h00020;
      5'b01011 : _zz_pause = 18'h00030;
      5'b01100 : _zz_pause = 18'h00040;
      5'b01101 : _zz_pause = 18'h00060;
      5'b01110 : _zz_pause = 18'h00080;
      5'b01111 : _zz_pause = 18'h000c0;
      5'b10000 : _zz_pause = 18'h00100;
      5'b10001 : _zz_pause = 18'h00180;
      5'b10010 : _zz_pause = 18'h00200;
      5'b10011 : _zz_pause = 18'h00300;
      5'b10100 : _zz_pause = 18'h00400;
      5'b10101 : _zz_pause = 18'h00600;
      5'b10110 : _zz_pause = 18'h00800;
      5'b10111 : _zz_pause = 18'h00c00;
      5'b11000 : _zz_pause = 18'h01000;
      5'b11001 : _zz_pause = 18'h01800;
      5'b11010 : _zz_pause = 18'h02000;
      5'b11011 : _zz_pause = 18'h03000;
      5'b11100 : _zz_pause = 18'h04000;
      5'b11101 : _zz_pause = 18'h06000;
      5'b11110 : _zz_pause = 18'h08000;
      default : _zz_pause = 18'h0c000;
    endcase
  end

  always @(*) begin
    case(_zz_bytes_2)
      3'b000 : _zz_bytes_1 = 13'h0100;
      3'b001 : _zz_bytes_1 = 13'h0200;
      3'b010 : _zz_bytes_1 = 13'h0400;
      3'b011 : _zz_bytes_1 = 13'h0800;
      default : _zz_bytes_1 = 13'h1000;
    endcase
  end

  assign isIdle = (state_1 == Step_idle);
  assign times_next = (times_pair + 7'h01);
  assign left_valid = full;
  assign left_payload_sends = slot_sends;
  assign left_payload_pair = slot_pair;
  assign left_payload_packet_dstMac = slot_packet_dstMac;
  assign left_payload_packet_dstIp = slot_packet_dstIp;
  assign left_payload_packet_srcPort = slot_packet_srcPort;
  assign left_payload_packet_opcode = slot_packet_opcode;
  assign left_payload_packet_pkey = slot_packet_pkey;
  assign left_payload_packet_destQp = slot_packet_destQp;
  assign left_payload_packet_psn = slot_packet_psn;
  assign left_payload_packet_ackRequest = slot_packet_ackRequest;
  assign left_payload_packet_syndrome = slot_packet_syndrome;
  assign left_payload_packet_msn = slot_packet_msn;
  assign left_payload_packet_original = slot_packet_original;
  assign left_payload_packet_payload = slot_packet_payload;
  assign left_payload_va = slot_va;
  assign left_payload_rkey = slot_rkey;
  assign left_payload_length = slot_length;
  assign left_payload_immediate = slot_immediate;
  assign left_payload_source = slot_source;
  assign left_payload_frame = slot_frame;
  assign left_payload_offset = slot_offset;
  assign left_payload_word = slot_word;
  assign left_payload_ends = slot_ends;
  assign left_payload_epoch = slot_epoch;
  always @(*) begin
    left_ready = left_m2sPipe_ready;
    if((! left_m2sPipe_valid)) begin
      left_ready = 1'b1;
    end
  end

  assign left_m2sPipe_valid = left_rValid;
  assign left_m2sPipe_payload_sends = left_rData_sends;
  assign left_m2sPipe_payload_pair = left_rData_pair;
  assign left_m2sPipe_payload_packet_dstMac = left_rData_packet_dstMac;
  assign left_m2sPipe_payload_packet_dstIp = left_rData_packet_dstIp;
  assign left_m2sPipe_payload_packet_srcPort = left_rData_packet_srcPort;
  assign left_m2sPipe_payload_packet_opcode = left_rData_packet_opcode;
  assign left_m2sPipe_payload_packet_pkey = left_rData_packet_pkey;
  assign left_m2sPipe_payload_packet_destQp = left_rData_packet_destQp;
  assign left_m2sPipe_payload_packet_psn = left_rData_packet_psn;
  assign left_m2sPipe_payload_packet_ackRequest = left_rData_packet_ackRequest;
  assign left_m2sPipe_payload_packet_syndrome = left_rData_packet_syndrome;
  assign left_m2sPipe_payload_packet_msn = left_rData_packet_msn;
  assign left_m2sPipe_payload_packet_original = left_rData_packet_original;
  assign left_m2sPipe_payload_packet_payload = left_rData_packet_payload;
  assign left_m2sPipe_payload_va = left_rData_va;
  assign left_m2sPipe_payload_rkey = left_rData_rkey;
  assign left_m2sPipe_payload_length = left_rData_length;
  assign left_m2sPipe_payload_immediate = left_rData_immediate;
  assign left_m2sPipe_payload_source = left_rData_source;
  assign left_m2sPipe_payload_frame = left_rData_frame;
  assign left_m2sPipe_payload_offset = left_rData_offset;
  assign left_m2sPipe_payload_word = left_rData_word;
  assign left_m2sPipe_payload_ends = left_rData_ends;
  assign left_m2sPipe_payload_epoch = left_rData_epoch;
  assign io_departures_valid = left_m2sPipe_valid;
  assign left_m2sPipe_ready = io_departures_ready;
  assign io_departures_payload_sends = left_m2sPipe_payload_sends;
  assign io_departures_payload_pair = left_m2sPipe_payload_pair;
  assign io_departures_payload_packet_dstMac = left_m2sPipe_payload_packet_dstMac;
  assign io_departures_payload_packet_dstIp = left_m2sPipe_payload_packet_dstIp;
  assign io_departures_payload_packet_srcPort = left_m2sPipe_payload_packet_srcPort;
  assign io_departures_payload_packet_opcode = left_m2sPipe_payload_packet_opcode;
  assign io_departures_payload_packet_pkey = left_m2sPipe_payload_packet_pkey;
  assign io_departures_payload_packet_destQp = left_m2sPipe_payload_packet_destQp;
  assign io_departures_payload_packet_psn = left_m2sPipe_payload_packet_psn;
  assign io_departures_payload_packet_ackRequest = left_m2sPipe_payload_packet_ackRequest;
  assign io_departures_payload_packet_syndrome = left_m2sPipe_payload_packet_syndrome;
  assign io_departures_payload_packet_msn = left_m2sPipe_payload_packet_msn;
  assign io_departures_payload_packet_original = left_m2sPipe_payload_packet_original;
  assign io_departures_payload_packet_payload = left_m2sPipe_payload_packet_payload;
  assign io_departures_payload_va = left_m2sPipe_payload_va;
  assign io_departures_payload_rkey = left_m2sPipe_payload_rkey;
  assign io_departures_payload_length = left_m2sPipe_payload_length;
  assign io_departures_payload_immediate = left_m2sPipe_payload_immediate;
  assign io_departures_payload_source = left_m2sPipe_payload_source;
  assign io_departures_payload_frame = left_m2sPipe_payload_frame;
  assign io_departures_payload_offset = left_m2sPipe_payload_offset;
  assign io_departures_payload_word = left_m2sPipe_payload_word;
  assign io_departures_payload_ends = left_m2sPipe_payload_ends;
  assign io_departures_payload_epoch = left_m2sPipe_payload_epoch;
  assign wants = {rates_io_wakes_valid,{(turns_io_pop_valid && (! full)),{times_goes,{io_posts_valid,io_acks_valid}}}};
  assign _zz_chosen = wants;
  assign _zz_chosen_1 = {_zz_chosen,_zz_chosen};
  assign _zz_chosen_2 = (_zz_chosen_1 & (~ _zz__zz_chosen_2));
  assign chosen = (_zz_chosen_2[9 : 5] | _zz_chosen_2[4 : 0]);
  assign _zz_pick = chosen[3];
  assign _zz_pick_1 = chosen[4];
  assign _zz_pick_2 = (chosen[1] || _zz_pick);
  assign _zz_pick_3 = (chosen[2] || _zz_pick);
  assign pick = (io_commands_valid ? io_commands_payload_pair : _zz_pick_4);
  assign turns_io_pop_ready = ((isIdle && (! io_commands_valid)) && chosen[3]);
  assign rates_io_wakes_ready = ((isIdle && (! io_commands_valid)) && chosen[4]);
  assign rates_io_changes_valid = (io_notified_valid || creates);
  assign rates_io_changes_payload_pair = (creates ? pair : io_notified_payload);
  assign rates_io_changes_payload_cuts = (! creates);
  assign io_mayNotify = rates_io_room;
  assign _zz_loaded_valid = states_spinal_port0;
  assign loaded_valid = _zz_loaded_valid[0];
  assign loaded_queued = _zz_loaded_valid[1];
  assign loaded_unanswered = _zz_loaded_valid[25 : 2];
  assign loaded_done = _zz_loaded_valid[29 : 26];
  assign loaded_next = _zz_loaded_valid[35 : 30];
  assign loaded_sent = _zz_loaded_valid[41 : 36];
  assign loaded_head = _zz_loaded_valid[46 : 42];
  assign loaded_count = _zz_loaded_valid[52 : 47];
  assign loaded_words = _zz_loaded_valid[84 : 53];
  assign loaded_cursor = _zz_loaded_valid[90 : 85];
  assign loaded_at = _zz_loaded_valid[94 : 91];
  assign loaded_retries = _zz_loaded_valid[97 : 95];
  assign loaded_wentBack = _zz_loaded_valid[98];
  assign loaded_waits = _zz_loaded_valid[99];
  assign loaded_pauses = _zz_loaded_valid[100];
  assign loaded_deadline = _zz_loaded_valid[118 : 101];
  assign loaded_ready = _zz_loaded_valid[136 : 119];
  assign loaded_open = _zz_loaded_valid[137];
  assign loaded_closes = _zz_loaded_valid[138];
  assign _zz_peer_mac = (isIdle ? pick : pair);
  assign _zz_peer_mac_1 = peers_spinal_port0;
  assign peer_mac = _zz_peer_mac_1[47 : 0];
  assign peer_ip = _zz_peer_mac_1[79 : 48];
  assign peer_qpn = _zz_peer_mac_1[103 : 80];
  assign peer_srcPort = _zz_peer_mac_1[119 : 104];
  assign peer_mtu = _zz_peer_mac_1[122 : 120];
  assign peer_timeout = _zz_peer_mac_1[126 : 123];
  assign peer_segment = _zz_peer_mac_1[134 : 127];
  assign peer_pid = _zz_peer_mac_1[158 : 135];
  assign peer_share = _zz_peer_mac_1[165 : 159];
  assign writes = (state_1 == Step_write);
  assign clears = (state_1 == Step_clear);
  assign creates = ((writes && (op_2 == Op_command)) && io_commands_payload_creates);
  assign free = (creates ? 6'h20 : ((s_valid && (! clears)) ? _zz_free : 6'h0));
  assign quiet = (((((((s_valid && (! (s_cursor != s_count))) && (s_next == s_sent)) && (s_next < 6'h20)) && (! s_pauses)) && (! s_open)) && (! s_closes)) && (! held));
  assign roomed = asked[5 : 0];
  assign io_room = roomed;
  assign io_quiet = asked[6];
  assign _zz_reply_word = {pair,_zz__zz_reply_word};
  assign _zz_reply_word_1 = (state_1 == Step_judge);
  assign _zz_reply_word_2 = replies_spinal_port0;
  assign reply_word = _zz_reply_word_2[0];
  assign reply_immediate = _zz_reply_word_2[1];
  assign reply_page = _zz_reply_word_2[22 : 2];
  assign reply_va = _zz_reply_word_2[86 : 23];
  assign reply_rkey = _zz_reply_word_2[118 : 87];
  assign reply_data = _zz_reply_word_2[182 : 119];
  assign room = (s_valid && (s_count != 6'h20));
  assign posts = ((writes && (op_2 == Op_post)) && _zz_posts);
  assign maySend = (((s_cursor != s_count) && (! s_pauses)) && (s_next < 6'h20));
  assign begins = (s_at == 4'b0000);
  assign _zz_last = 3'b100;
  assign last = (s_at == ((! reply_word) ? _zz_last_1 : 4'b0000));
  assign bare = (! s_open);
  assign seeks = ((! reply_word) && bare);
  assign holds = (s_open || hasLooked);
  assign fills = (_zz_fills == 6'h20);
  assign stops = ((again || last) || fills);
  assign owed = ((s_open || s_closes) || (op_2 == Op_post));
  assign io_events_sent = events_sent;
  assign io_events_again = events_again;
  assign io_events_looked = events_looked;
  assign io_events_timeout = events_timeout;
  assign io_events_gap = events_gap;
  assign io_events_notReady = events_notReady;
  assign io_events_stale = events_stale;
  assign io_events_malformed = events_malformed;
  assign io_events_held = events_held;
  assign io_failed_valid = (writes && fails);
  assign io_failed_payload_pair = pair;
  assign io_failed_payload_why = why;
  assign io_commands_ready = (writes && (op_2 == Op_command));
  assign io_acks_ready = (writes && (op_2 == Op_ack));
  assign io_posts_ready = (writes && (op_2 == Op_post));
  assign io_idle = ((((isIdle && (wants == 5'h0)) && (! io_commands_valid)) && (! full)) && (! io_departures_valid));
  assign request_operation = LeafOperation_LOOK;
  assign request_segment = peer_segment;
  assign request_pid = peer_pid;
  assign _zz_request_rights_read = 3'b000;
  assign request_rights_read = _zz_request_rights_read[0];
  assign request_rights_write = _zz_request_rights_read[1];
  assign request_rights_atomic = _zz_request_rights_read[2];
  assign request_page = reply_page;
  assign request_pages = 21'h000001;
  assign request_begins = 1'b1;
  assign request_first = _zz_request_first[0];
  assign request_whole = _zz_request_whole[0];
  assign request_also = _zz_request_also[0];
  assign request_filler = 10'h0;
  assign request_line = 25'h0;
  assign io_looks_valid = (state_1 == Step_look);
  assign io_looks_payload_operation = request_operation;
  assign io_looks_payload_segment = request_segment;
  assign io_looks_payload_pid = request_pid;
  assign io_looks_payload_rights_read = request_rights_read;
  assign io_looks_payload_rights_write = request_rights_write;
  assign io_looks_payload_rights_atomic = request_rights_atomic;
  assign io_looks_payload_page = request_page;
  assign io_looks_payload_pages = request_pages;
  assign io_looks_payload_begins = request_begins;
  assign io_looks_payload_first = request_first;
  assign io_looks_payload_whole = request_whole;
  assign io_looks_payload_also = request_also;
  assign io_looks_payload_filler = request_filler;
  assign io_looks_payload_line = request_line;
  assign io_looked_ready = (state_1 == Step_looked);
  assign _zz_left1 = 3'b100;
  assign left1 = (((! s_words[0]) ? _zz_left1_1 : 4'b0000) - s_done);
  assign replyEnds = (_zz_replyEnds < rest);
  assign _zz_state = (s_valid ? Step_ending : Step_write);
  assign _zz_s_open = (quiet || 1'b0);
  assign _zz_11 = (answered != 6'h0);
  assign _zz_12 = ((io_acks_payload_syndrome[7 : 5] == 3'b011) && ((_zz_11 || (! s_wentBack)) || 1'b0));
  assign _zz_13 = ((io_acks_payload_syndrome[7 : 5] == 3'b001) && (! s_pauses));
  assign _zz_events_held = (may && held);
  assign _zz_state_1 = (seeks ? Step_look : Step_emit);
  always @(*) begin
    kept_valid = s_valid;
    if(_zz_when_9) begin
      kept_valid = creates;
    end
  end

  always @(*) begin
    kept_queued = s_queued;
    if(_zz_when_9) begin
      kept_queued = (creates && s_queued);
    end
    if(queues) begin
      kept_queued = 1'b1;
    end
  end

  always @(*) begin
    kept_unanswered = s_unanswered;
    if(_zz_when_9) begin
      kept_unanswered = io_commands_payload_psn;
    end
  end

  always @(*) begin
    kept_done = s_done;
    if(_zz_when_9) begin
      kept_done = 4'b0000;
    end
  end

  always @(*) begin
    kept_next = s_next;
    if(_zz_when_9) begin
      kept_next = 6'h0;
    end
  end

  always @(*) begin
    kept_sent = s_sent;
    if(_zz_when_9) begin
      kept_sent = 6'h0;
    end
  end

  always @(*) begin
    kept_head = s_head;
    if(_zz_when_9) begin
      kept_head = 5'h0;
    end
  end

  always @(*) begin
    kept_count = s_count;
    if(_zz_when_9) begin
      kept_count = 6'h0;
    end
  end

  always @(*) begin
    kept_words = s_words;
    if(_zz_when_9) begin
      kept_words = 32'h0;
    end
  end

  always @(*) begin
    kept_cursor = s_cursor;
    if(_zz_when_9) begin
      kept_cursor = 6'h0;
    end
  end

  always @(*) begin
    kept_at = s_at;
    if(_zz_when_9) begin
      kept_at = 4'b0000;
    end
  end

  always @(*) begin
    kept_retries = s_retries;
    if(_zz_when_9) begin
      kept_retries = 3'b000;
    end
  end

  always @(*) begin
    kept_wentBack = s_wentBack;
    if(_zz_when_9) begin
      kept_wentBack = _zz_kept_wentBack[0];
    end
  end

  always @(*) begin
    kept_waits = s_waits;
    if(_zz_when_9) begin
      kept_waits = _zz_kept_waits[0];
    end
  end

  always @(*) begin
    kept_pauses = s_pauses;
    if(_zz_when_9) begin
      kept_pauses = _zz_kept_pauses[0];
    end
  end

  always @(*) begin
    kept_deadline = s_deadline;
    if(_zz_when_9) begin
      kept_deadline = 18'h0;
    end
  end

  always @(*) begin
    kept_ready = s_ready;
    if(_zz_when_9) begin
      kept_ready = 18'h0;
    end
  end

  always @(*) begin
    kept_open = s_open;
    if(_zz_when_9) begin
      kept_open = _zz_kept_open[0];
    end
  end

  always @(*) begin
    kept_closes = s_closes;
    if(_zz_when_9) begin
      kept_closes = _zz_kept_closes[0];
    end
  end

  assign queues = ((((writes && s_valid) && (! s_queued)) && (((maySend && (! held)) || s_closes) || (s_open && held))) && (! creates));
  assign immediate = (last && reply_immediate);
  assign _zz_bytes = 3'b100;
  assign bytes = _zz_bytes_1;
  assign rates_io_sent_valid = (state_1 == Step_emit);
  assign payload = (reply_word ? 13'h0008 : bytes);
  always @(*) begin
    _zz_slot_packet_opcode = 8'h07;
    if(last) begin
      _zz_slot_packet_opcode = (8'h08 | _zz__zz_slot_packet_opcode);
    end
    if(begins) begin
      _zz_slot_packet_opcode = 8'h06;
    end
    if((begins && last)) begin
      _zz_slot_packet_opcode = (8'h0a | _zz__zz_slot_packet_opcode_2);
    end
  end

  assign _zz_slot_source = (reply_word ? ReplySource_WORD : ReplySource_FRAME);
  assign _zz_slot_offset = 3'b100;
  always @(posedge clk) begin
    if(reset) begin
      state_1 <= Step_clear;
      times_pair <= 7'h0;
      times_seen <= 18'h0;
      times_goes <= 1'b0;
      full <= 1'b0;
      left_rValid <= 1'b0;
      first <= 5'h01;
      cleared <= 7'h0;
    end else begin
      if(left_ready) begin
        left_rValid <= left_valid;
      end
      if(left_ready) begin
        full <= 1'b0;
      end
      case(state_1)
        Step_clear : begin
          cleared <= (cleared + 7'h01);
          if((&cleared)) begin
            state_1 <= Step_idle;
          end
        end
        Step_idle : begin
          if(_zz_when) begin
            first <= ((|chosen) ? {chosen[3 : 0],chosen[4 : 4]} : first);
            if(chosen[2]) begin
              times_pair <= times_next;
              if((&times_pair)) begin
                times_goes <= 1'b0;
              end
            end
          end
          if((io_commands_valid || (|wants))) begin
            state_1 <= Step_load;
          end
        end
        Step_load : begin
          state_1 <= Step_judge;
        end
        Step_judge : begin
          state_1 <= Step_write;
          case(op_2)
            Op_command : begin
              state_1 <= _zz_state;
            end
            Op_ack : begin
              state_1 <= Step_walk;
            end
            Op_post : begin
              if(!room) begin
                if(io_posts_payload_held) begin
                  state_1 <= Step_ending;
                end
              end
            end
            Op_time_1 : begin
              state_1 <= Step_answered;
            end
            Op_send : begin
              state_1 <= Step_made;
            end
            default : begin
              state_1 <= Step_write;
            end
          endcase
        end
        Step_walk : begin
          if(_zz_when_1) begin
            state_1 <= Step_write;
          end else begin
            if(_zz_when_2) begin
              state_1 <= Step_answered;
            end
          end
        end
        Step_answered : begin
          state_1 <= Step_write;
          if(_zz_when_3) begin
            if(isTimeout) begin
              if(_zz_when_4) begin
                state_1 <= Step_ending;
              end
            end
          end else begin
            if(_zz_when_5) begin
              state_1 <= Step_ending;
            end
          end
        end
        Step_made : begin
          state_1 <= Step_write;
          if(_zz_when_6) begin
            full <= 1'b1;
          end else begin
            if((may && (! held))) begin
              state_1 <= _zz_state_1;
            end
          end
        end
        Step_look : begin
          if(io_looks_ready) begin
            state_1 <= Step_looked;
          end
        end
        Step_looked : begin
          if(io_looked_valid) begin
            state_1 <= Step_emit;
            if(_zz_when_7) begin
              state_1 <= Step_ending;
            end
          end
        end
        Step_emit : begin
          state_1 <= Step_write;
          full <= 1'b1;
        end
        Step_ending : begin
          if(_zz_when_8) begin
            state_1 <= Step_write;
            if((owed && 1'b1)) begin
              full <= 1'b1;
            end
          end
        end
        default : begin
          state_1 <= Step_idle;
        end
      endcase
      if((((io_time != times_seen) && (! times_goes)) && (! clears))) begin
        times_goes <= 1'b1;
        times_seen <= io_time;
        times_pair <= 7'h0;
      end
    end
  end

  always @(posedge clk) begin
    if(left_ready) begin
      left_rData_sends <= left_payload_sends;
      left_rData_pair <= left_payload_pair;
      left_rData_packet_dstMac <= left_payload_packet_dstMac;
      left_rData_packet_dstIp <= left_payload_packet_dstIp;
      left_rData_packet_srcPort <= left_payload_packet_srcPort;
      left_rData_packet_opcode <= left_payload_packet_opcode;
      left_rData_packet_pkey <= left_payload_packet_pkey;
      left_rData_packet_destQp <= left_payload_packet_destQp;
      left_rData_packet_psn <= left_payload_packet_psn;
      left_rData_packet_ackRequest <= left_payload_packet_ackRequest;
      left_rData_packet_syndrome <= left_payload_packet_syndrome;
      left_rData_packet_msn <= left_payload_packet_msn;
      left_rData_packet_original <= left_payload_packet_original;
      left_rData_packet_payload <= left_payload_packet_payload;
      left_rData_va <= left_payload_va;
      left_rData_rkey <= left_payload_rkey;
      left_rData_length <= left_payload_length;
      left_rData_immediate <= left_payload_immediate;
      left_rData_source <= left_payload_source;
      left_rData_frame <= left_payload_frame;
      left_rData_offset <= left_payload_offset;
      left_rData_word <= left_payload_word;
      left_rData_ends <= left_payload_ends;
      left_rData_epoch <= left_payload_epoch;
    end
    if(isIdle) begin
      now <= io_time;
    end
    held <= rates_io_holds;
    asked <= rooms_spinal_port1;
    tail <= (s_head + _zz_tail);
    _zz_posts <= (room && (state_1 == Step_judge));
    access_1 <= accesses_spinal_port0;
    events_sent <= 1'b0;
    events_again <= 1'b0;
    events_looked <= 1'b0;
    events_timeout <= 1'b0;
    events_gap <= 1'b0;
    events_notReady <= 1'b0;
    events_stale <= 1'b0;
    events_malformed <= 1'b0;
    events_held <= 1'b0;
    case(state_1)
      Step_clear : begin
      end
      Step_idle : begin
        pair <= pick;
        op_2 <= Op_command;
        fails <= 1'b0;
        looksUp <= 1'b0;
        hasLooked <= 1'b0;
        if(_zz_when) begin
          if(chosen[0]) begin
            op_2 <= Op_ack;
          end
          if(chosen[1]) begin
            op_2 <= Op_post;
          end
          if(chosen[2]) begin
            op_2 <= Op_time_1;
          end
          if(chosen[3]) begin
            op_2 <= Op_send;
          end
          if(chosen[4]) begin
            op_2 <= Op_wake;
          end
        end
      end
      Step_load : begin
        s_valid <= loaded_valid;
        s_queued <= loaded_queued;
        s_unanswered <= loaded_unanswered;
        s_done <= loaded_done;
        s_next <= loaded_next;
        s_sent <= loaded_sent;
        s_head <= loaded_head;
        s_count <= loaded_count;
        s_words <= loaded_words;
        s_cursor <= loaded_cursor;
        s_at <= loaded_at;
        s_retries <= loaded_retries;
        s_wentBack <= loaded_wentBack;
        s_waits <= loaded_waits;
        s_pauses <= loaded_pauses;
        s_deadline <= loaded_deadline;
        s_ready <= loaded_ready;
        s_open <= loaded_open;
        s_closes <= loaded_closes;
        since <= (io_acks_payload_psn - loaded_unanswered);
      end
      Step_judge : begin
        timeout <= {2'd0, _zz_timeout};
        pause <= _zz_pause;
        fresh <= (s_valid && (since < _zz_fresh));
        answered <= (_zz_answered + _zz_answered_1);
        rest <= (_zz_rest + _zz_rest_1);
        popped <= 6'h0;
        isTimeout <= ((s_valid && s_waits) && (! _zz_isTimeout[17]));
        isReady <= ((s_valid && s_pauses) && (! _zz_isReady[17]));
        may <= (s_valid && maySend);
        again <= (s_next < s_sent);
        case(op_2)
          Op_command : begin
          end
          Op_ack : begin
          end
          Op_post : begin
            if(room) begin
              s_count <= (s_count + 6'h01);
              if((s_count == 6'h0)) begin
                s_words[0] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h01)) begin
                s_words[1] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h02)) begin
                s_words[2] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h03)) begin
                s_words[3] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h04)) begin
                s_words[4] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h05)) begin
                s_words[5] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h06)) begin
                s_words[6] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h07)) begin
                s_words[7] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h08)) begin
                s_words[8] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h09)) begin
                s_words[9] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h0a)) begin
                s_words[10] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h0b)) begin
                s_words[11] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h0c)) begin
                s_words[12] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h0d)) begin
                s_words[13] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h0e)) begin
                s_words[14] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h0f)) begin
                s_words[15] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h10)) begin
                s_words[16] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h11)) begin
                s_words[17] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h12)) begin
                s_words[18] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h13)) begin
                s_words[19] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h14)) begin
                s_words[20] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h15)) begin
                s_words[21] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h16)) begin
                s_words[22] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h17)) begin
                s_words[23] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h18)) begin
                s_words[24] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h19)) begin
                s_words[25] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h1a)) begin
                s_words[26] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h1b)) begin
                s_words[27] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h1c)) begin
                s_words[28] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h1d)) begin
                s_words[29] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h1e)) begin
                s_words[30] <= io_posts_payload_reply_word;
              end
              if((s_count == 6'h1f)) begin
                s_words[31] <= io_posts_payload_reply_word;
              end
              if(io_posts_payload_held) begin
                s_open <= _zz_s_open;
                s_closes <= (! _zz_s_open);
              end
            end
          end
          Op_time_1 : begin
          end
          Op_send : begin
          end
          default : begin
          end
        endcase
      end
      Step_walk : begin
        if(_zz_when_1) begin
          events_stale <= (! fresh);
          events_malformed <= fresh;
        end else begin
          if(!_zz_when_2) begin
            rest <= (replyEnds ? _zz_rest_3 : 6'h0);
            s_done <= (replyEnds ? 4'b0000 : _zz_s_done);
            if(replyEnds) begin
              s_head <= (s_head + 5'h01);
              s_count <= (s_count - 6'h01);
              s_words <= (s_words >>> 1);
              popped <= (popped + 6'h01);
            end
          end
        end
      end
      Step_answered : begin
        if(_zz_when_3) begin
          if(isReady) begin
            s_pauses <= 1'b0;
          end
          if(isTimeout) begin
            events_timeout <= 1'b1;
            s_retries <= (s_retries + 3'b001);
            s_wentBack <= 1'b0;
            s_deadline <= (now + timeout);
            s_next <= 6'h0;
            s_cursor <= 6'h0;
            s_at <= s_done;
            s_open <= 1'b0;
            if((s_open && 1'b1)) begin
              s_closes <= 1'b1;
            end
            if(_zz_when_4) begin
              fails <= 1'b1;
              why <= ReplyFailure_SILENT;
            end
          end
        end else begin
          s_unanswered <= (s_unanswered + _zz_s_unanswered);
          s_sent <= (s_sent - answered);
          s_next <= (s_next - answered);
          s_cursor <= (s_cursor - popped);
          if(_zz_11) begin
            s_retries <= 3'b000;
            s_wentBack <= 1'b0;
            s_waits <= (s_sent != answered);
            if(1'b1) begin
              s_deadline <= (_zz_s_deadline + 18'h00001);
            end
          end
          if((((s_next <= answered) || _zz_12) || _zz_13)) begin
            s_next <= 6'h0;
            s_cursor <= 6'h0;
            s_at <= s_done;
          end
          if((_zz_12 || _zz_13)) begin
            s_open <= 1'b0;
            if((s_open && 1'b1)) begin
              s_closes <= 1'b1;
            end
          end
          if(_zz_12) begin
            events_gap <= 1'b1;
            s_wentBack <= 1'b1;
          end
          if(((io_acks_payload_syndrome[7 : 5] == 3'b001) && s_pauses)) begin
            events_stale <= 1'b1;
          end
          if(_zz_13) begin
            events_notReady <= 1'b1;
            s_wentBack <= 1'b0;
            s_waits <= 1'b0;
            s_retries <= 3'b000;
            s_pauses <= 1'b1;
            s_ready <= (_zz_s_ready + 18'h00001);
          end
          if(_zz_when_5) begin
            fails <= 1'b1;
            why <= ReplyFailure_REFUSED;
          end
        end
      end
      Step_made : begin
        looksUp <= seeks;
        s_queued <= 1'b0;
        events_held <= (_zz_events_held && (! s_closes));
        if(_zz_when_6) begin
          s_closes <= 1'b0;
          if((! s_closes)) begin
            s_open <= 1'b0;
          end
        end
      end
      Step_look : begin
        if(io_looks_ready) begin
          events_looked <= again;
        end
      end
      Step_looked : begin
        if(io_looked_valid) begin
          look_frame <= io_looked_payload_frame;
          look_epoch <= io_looked_payload_epoch;
          hasLooked <= (io_looked_payload_status == LeafStatus_DONE);
          if(_zz_when_7) begin
            fails <= 1'b1;
            why <= ReplyFailure_MEMORY;
          end
        end
      end
      Step_emit : begin
        events_sent <= 1'b1;
        events_again <= again;
        s_open <= (holds && (! stops));
        s_next <= (s_next + 6'h01);
        if((! again)) begin
          s_sent <= (s_next + 6'h01);
        end
        s_at <= (s_at + 4'b0001);
        if(last) begin
          s_at <= 4'b0000;
          s_cursor <= (s_cursor + 6'h01);
        end
        s_waits <= 1'b1;
        if((! s_waits)) begin
          s_deadline <= (now + timeout);
        end
      end
      Step_ending : begin
        if(_zz_when_8) begin
          if((op_2 != Op_post)) begin
            s_valid <= 1'b0;
            s_open <= 1'b0;
            s_closes <= 1'b0;
          end
        end
      end
      default : begin
      end
    endcase
    if((! full)) begin
      slot_pair <= pair;
    end
    if((state_1 == Step_emit)) begin
      slot_sends <= 1'b1;
      slot_packet_dstMac <= peer_mac;
      slot_packet_dstIp <= peer_ip;
      slot_packet_srcPort <= peer_srcPort;
      slot_packet_opcode <= _zz_slot_packet_opcode;
      slot_packet_pkey <= 16'hffff;
      slot_packet_destQp <= peer_qpn;
      slot_packet_psn <= (s_unanswered + _zz_slot_packet_psn);
      slot_packet_ackRequest <= (last || (&s_at[2 : 0]));
      slot_packet_syndrome <= 8'h0;
      slot_packet_msn <= 24'h0;
      slot_packet_original <= 64'h0;
      slot_packet_payload <= payload;
      slot_va <= reply_va;
      slot_rkey <= reply_rkey;
      slot_length <= (reply_word ? 32'h00000008 : 32'h00001000);
      slot_immediate <= _zz_slot_immediate;
      slot_source <= _zz_slot_source;
      if((looksUp && (! hasLooked))) begin
        slot_source <= ReplySource_ZEROS;
      end
      slot_frame <= (looksUp ? look_frame : access_1[18 : 0]);
      slot_offset <= _zz_slot_offset_1[11:0];
      slot_word <= reply_data;
      slot_ends <= ((holds && stops) && (! (again && 1'b0)));
      slot_epoch <= (looksUp ? look_epoch : access_1[19]);
    end
    if(((state_1 == Step_made) || ((state_1 == Step_ending) && (! full)))) begin
      slot_sends <= 1'b0;
      slot_ends <= 1'b1;
      slot_epoch <= ((op_2 == Op_post) ? io_posts_payload_reply_data[19] : access_1[19]);
    end
  end


endmodule

module ReactionPoint (
  input  wire          io_changes_valid,
  input  wire [6:0]    io_changes_payload_pair,
  input  wire          io_changes_payload_cuts,
  input  wire [16:0]   io_changes_payload_cap,
  output wire          io_room,
  input  wire          io_sent_valid,
  input  wire [6:0]    io_sent_payload_pair,
  input  wire [12:0]   io_sent_payload_bytes,
  input  wire [6:0]    io_pair,
  output wire          io_holds,
  output wire          io_wakes_valid,
  input  wire          io_wakes_ready,
  output wire [6:0]    io_wakes_payload,
  input  wire          clk,
  input  wire          reset
);
  localparam Op_1_pass = 2'd0;
  localparam Op_1_sent = 2'd1;
  localparam Op_1_cut = 2'd2;
  localparam Op_1_set = 2'd3;

  wire                changes_io_push_valid;
  wire                changes_io_pop_ready;
  wire                sents_io_pop_ready;
  wire                waking_io_push_valid;
  reg        [107:0]  rows_spinal_port0;
  wire       [0:0]    held_spinal_port0;
  wire                changes_io_push_ready;
  wire                changes_io_pop_valid;
  wire       [6:0]    changes_io_pop_payload_pair;
  wire                changes_io_pop_payload_cuts;
  wire       [16:0]   changes_io_pop_payload_cap;
  wire       [2:0]    changes_io_occupancy;
  wire                sents_io_push_ready;
  wire                sents_io_pop_valid;
  wire       [6:0]    sents_io_pop_payload_pair;
  wire       [12:0]   sents_io_pop_payload_bytes;
  wire                waking_io_push_ready;
  wire                waking_io_pop_valid;
  wire       [6:0]    waking_io_pop_payload;
  wire       [4:0]    waking_io_occupancy;
  wire       [10:0]   _zz_period_valueNext;
  wire       [0:0]    _zz_period_valueNext_1;
  wire                _zz_takesPass;
  wire                _zz_takesPass_1;
  wire       [0:0]    _zz_takesPass_2;
  wire       [0:0]    _zz_takesPass_3;
  wire                _zz_io_pop_ready;
  wire                _zz_io_pop_ready_1;
  wire       [16:0]   _zz_read_payload_amount;
  wire                _zz_rows_port;
  wire                _zz__zz_row_cap;
  wire       [17:0]   _zz_more;
  wire       [17:0]   _zz_more_1;
  wire       [17:0]   _zz_more_2;
  wire       [18:0]   _zz__zz_credit;
  wire       [18:0]   _zz__zz_credit_1;
  wire       [1:0]    _zz_when;
  wire       [0:0]    _zz_when_1;
  wire       [14:0]   _zz_units_1;
  wire       [9:0]    _zz_units_1_1;
  wire       [17:0]   _zz_units_1_2;
  wire       [17:0]   _zz_units_1_3;
  wire       [8:0]    _zz_units_1_4;
  wire       [2:0]    _zz_first_timer;
  wire       [14:0]   _zz_first_alpha;
  wire       [6:0]    _zz_first_alpha_1;
  wire       [14:0]   _zz_first_alpha_2;
  wire       [6:0]    _zz_first_alpha_3;
  wire       [14:0]   _zz_first_alpha_4;
  wire       [17:0]   _zz_target;
  wire       [9:0]    _zz_target_1;
  wire       [17:0]   _zz_when_2;
  wire       [20:0]   _zz_low4_1;
  wire       [20:0]   _zz_low4_2;
  wire       [20:0]   _zz_low4_3;
  wire       [17:0]   _zz_low4_4;
  wire       [20:0]   _zz_low4_5;
  wire       [20:0]   _zz_low4_6;
  wire       [18:0]   _zz_low4_7;
  wire       [20:0]   _zz_low4_8;
  wire       [19:0]   _zz_low4_9;
  wire       [20:0]   _zz_high4_1;
  wire       [20:0]   _zz_high4_2;
  wire       [20:0]   _zz_high4_3;
  wire       [17:0]   _zz_high4_4;
  wire       [20:0]   _zz_high4_5;
  wire       [20:0]   _zz_high4_6;
  wire       [18:0]   _zz_high4_7;
  wire       [20:0]   _zz_high4_8;
  wire       [19:0]   _zz_high4_9;
  wire       [18:0]   _zz_middle;
  wire       [17:0]   _zz_middle_1;
  wire       [18:0]   _zz_middle_2;
  wire       [1:0]    _zz_middle_3;
  wire       [24:0]   _zz_part;
  wire       [25:0]   _zz_part_1;
  wire       [21:0]   _zz_part_2;
  wire       [6:0]    _zz_rows_port_1;
  wire       [107:0]  _zz_rows_port_2;
  wire       [17:0]   _zz_rows_port_3;
  wire                _zz_rows_port_4;
  wire       [6:0]    _zz_held_port;
  wire       [0:0]    _zz_held_port_1;
  wire                _zz_held_port_2;
  reg                 read_valid;
  reg        [1:0]    read_payload_op;
  reg        [6:0]    read_payload_pair;
  reg        [16:0]   read_payload_amount;
  reg                 loaded_valid;
  reg        [1:0]    loaded_payload_op;
  reg        [6:0]    loaded_payload_pair;
  reg        [16:0]   loaded_payload_amount;
  reg                 atHand_valid;
  reg        [1:0]    atHand_payload_op;
  reg        [6:0]    atHand_payload_pair;
  reg        [16:0]   atHand_payload_amount;
  reg                 added_valid;
  reg        [1:0]    added_payload_op;
  reg        [6:0]    added_payload_pair;
  reg                 aimed_valid;
  reg        [1:0]    aimed_payload_op;
  reg        [6:0]    aimed_payload_pair;
  reg                 done_valid;
  reg        [1:0]    done_payload_op;
  reg        [6:0]    done_payload_pair;
  reg        [6:0]    sweep;
  reg                 sweeps;
  wire                period_willIncrement;
  wire                period_willClear;
  reg        [10:0]   period_valueNext;
  reg        [10:0]   period_value;
  wire                period_willOverflowIfInc;
  wire                period_willOverflow;
  reg                 due;
  reg                 passes;
  reg        [6:0]    next_1;
  reg                 _zz_io_room;
  wire                room;
  wire                takesPass;
  wire                changes_io_pop_fire;
  wire                sents_io_pop_fire;
  wire       [1:0]    _zz_read_payload_op;
  wire       [107:0]  _zz_row_cap;
  wire       [5:0]    _zz_row_stages_0;
  reg        [16:0]   row_cap;
  reg        [16:0]   row_rate;
  reg        [16:0]   row_target;
  reg        [14:0]   row_alpha;
  reg        [2:0]    row_timer;
  reg        [14:0]   row_units;
  reg        [2:0]    row_stages_0;
  reg        [2:0]    row_stages_1;
  reg        [17:0]   row_credit;
  wire                isPass;
  wire                isSent;
  wire                isCut;
  wire                isSet;
  wire                limited;
  wire                low;
  wire       [17:0]   nothing;
  reg        [16:0]   first_cap;
  reg        [16:0]   first_rate;
  reg        [16:0]   first_target;
  reg        [14:0]   first_alpha;
  reg        [2:0]    first_timer;
  reg        [14:0]   first_units;
  reg        [2:0]    first_stages_0;
  reg        [2:0]    first_stages_1;
  reg        [17:0]   first_credit;
  reg                 grows;
  reg                 wasHeld;
  wire       [14:0]   alpha;
  reg        [7:0]    by;
  wire       [17:0]   debt;
  wire       [17:0]   inHand;
  wire       [17:0]   more;
  wire       [18:0]   _zz_credit;
  reg        [17:0]   credit;
  wire       [15:0]   units_1;
  wire       [0:0]    clock;
  wire                ticks;
  reg        [16:0]   second_cap;
  reg        [16:0]   second_rate;
  reg        [16:0]   second_target;
  reg        [14:0]   second_alpha;
  reg        [2:0]    second_timer;
  reg        [14:0]   second_units;
  reg        [2:0]    second_stages_0;
  reg        [2:0]    second_stages_1;
  reg        [17:0]   second_credit;
  reg                 secondGrows;
  reg                 secondHeld;
  reg        [8:0]    step2;
  wire       [17:0]   target;
  wire       [3:0]    _zz_low4;
  reg        [20:0]   low4;
  wire       [3:0]    _zz_high4;
  reg        [20:0]   high4;
  reg        [16:0]   third_cap;
  reg        [16:0]   third_rate;
  reg        [16:0]   third_target;
  reg        [14:0]   third_alpha;
  reg        [2:0]    third_timer;
  reg        [14:0]   third_units;
  reg        [2:0]    third_stages_0;
  reg        [2:0]    third_stages_1;
  reg        [17:0]   third_credit;
  reg                 thirdHeld;
  wire       [17:0]   middle;
  wire       [25:0]   part;
  wire       [16:0]   written_cap;
  reg        [16:0]   written_rate;
  wire       [16:0]   written_target;
  wire       [14:0]   written_alpha;
  wire       [2:0]    written_timer;
  wire       [14:0]   written_units;
  wire       [2:0]    written_stages_0;
  wire       [2:0]    written_stages_1;
  reg        [17:0]   written_credit;
  wire                holds;
  wire       [16:0]   _zz_3;
  wire                wakes;
  reg                 _zz_room;
  (* ram_style = "block" *) reg [107:0] rows [0:127];
  (* ram_style = "distributed" *) reg [0:0] held [0:127];

  assign _zz_period_valueNext_1 = period_willIncrement;
  assign _zz_period_valueNext = {10'd0, _zz_period_valueNext_1};
  assign _zz_read_payload_amount = {4'd0, sents_io_pop_payload_bytes};
  assign _zz_more = (- _zz_more_1);
  assign _zz_more_1 = {1'b0,atHand_payload_amount};
  assign _zz_more_2 = {1'b0,row_rate};
  assign _zz__zz_credit = {inHand[17],inHand};
  assign _zz__zz_credit_1 = {more[17],more};
  assign _zz_when = _zz_credit[18 : 17];
  assign _zz_when_1 = _zz_credit[17 : 17];
  assign _zz_units_1_1 = _zz_units_1_2[17 : 8];
  assign _zz_units_1 = {5'd0, _zz_units_1_1};
  assign _zz_units_1_2 = ({1'b0,atHand_payload_amount} + _zz_units_1_3);
  assign _zz_units_1_4 = {1'b0,8'hff};
  assign _zz_units_1_3 = {9'd0, _zz_units_1_4};
  assign _zz_first_timer = (row_timer + 3'b001);
  assign _zz_first_alpha_1 = row_alpha[14 : 8];
  assign _zz_first_alpha = {8'd0, _zz_first_alpha_1};
  assign _zz_first_alpha_3 = _zz_first_alpha_4[14 : 8];
  assign _zz_first_alpha_2 = {8'd0, _zz_first_alpha_3};
  assign _zz_first_alpha_4 = (~ alpha);
  assign _zz_target_1 = {1'b0,step2};
  assign _zz_target = {8'd0, _zz_target_1};
  assign _zz_when_2 = {1'd0, first_cap};
  assign _zz_low4_1 = ((_zz_low4[0] ? _zz_low4_2 : 21'h0) + (_zz_low4[1] ? _zz_low4_3 : 21'h0));
  assign _zz_low4_2 = {4'd0, first_rate};
  assign _zz_low4_4 = ({1'd0,first_rate} <<< 1'd1);
  assign _zz_low4_3 = {3'd0, _zz_low4_4};
  assign _zz_low4_5 = ((_zz_low4[2] ? _zz_low4_6 : 21'h0) + (_zz_low4[3] ? _zz_low4_8 : 21'h0));
  assign _zz_low4_7 = ({2'd0,first_rate} <<< 2'd2);
  assign _zz_low4_6 = {2'd0, _zz_low4_7};
  assign _zz_low4_9 = ({3'd0,first_rate} <<< 2'd3);
  assign _zz_low4_8 = {1'd0, _zz_low4_9};
  assign _zz_high4_1 = ((_zz_high4[0] ? _zz_high4_2 : 21'h0) + (_zz_high4[1] ? _zz_high4_3 : 21'h0));
  assign _zz_high4_2 = {4'd0, first_rate};
  assign _zz_high4_4 = ({1'd0,first_rate} <<< 1'd1);
  assign _zz_high4_3 = {3'd0, _zz_high4_4};
  assign _zz_high4_5 = ((_zz_high4[2] ? _zz_high4_6 : 21'h0) + (_zz_high4[3] ? _zz_high4_8 : 21'h0));
  assign _zz_high4_7 = ({2'd0,first_rate} <<< 2'd2);
  assign _zz_high4_6 = {2'd0, _zz_high4_7};
  assign _zz_high4_9 = ({3'd0,first_rate} <<< 2'd3);
  assign _zz_high4_8 = {1'd0, _zz_high4_9};
  assign _zz_middle = ({1'b0,_zz_middle_1} + _zz_middle_2);
  assign _zz_middle_1 = ({1'b0,second_rate} + {1'b0,second_target});
  assign _zz_middle_3 = {1'b0,1'b1};
  assign _zz_middle_2 = {17'd0, _zz_middle_3};
  assign _zz_part = ({4'd0,high4} <<< 3'd4);
  assign _zz_part_2 = {1'b0,low4};
  assign _zz_part_1 = {4'd0, _zz_part_2};
  assign _zz_rows_port_3 = (sweeps ? 18'h0 : written_credit);
  assign _zz__zz_row_cap = 1'b1;
  assign _zz_rows_port_1 = (sweeps ? sweep : done_payload_pair);
  assign _zz_rows_port_2 = {_zz_rows_port_3,{{(sweeps ? 3'b000 : written_stages_1),(sweeps ? 3'b000 : written_stages_0)},{(sweeps ? 15'h0 : written_units),{(sweeps ? 3'b000 : written_timer),{(sweeps ? 15'h7fff : written_alpha),{(sweeps ? _zz_3 : written_target),{(sweeps ? _zz_3 : written_rate),(sweeps ? _zz_3 : written_cap)}}}}}}};
  assign _zz_rows_port_4 = (sweeps || done_valid);
  assign _zz_held_port = (sweeps ? sweep : done_payload_pair);
  assign _zz_held_port_1 = (holds && (! sweeps));
  assign _zz_held_port_2 = (sweeps || done_valid);
  assign _zz_takesPass = (added_payload_pair == next_1);
  assign _zz_takesPass_1 = (atHand_valid && (atHand_payload_pair == next_1));
  assign _zz_takesPass_2 = (loaded_valid && (loaded_payload_pair == next_1));
  assign _zz_takesPass_3 = (read_valid && (read_payload_pair == next_1));
  assign _zz_io_pop_ready = (loaded_payload_pair == changes_io_pop_payload_pair);
  assign _zz_io_pop_ready_1 = (read_payload_pair == changes_io_pop_payload_pair);
  always @(posedge clk) begin
    if(_zz__zz_row_cap) begin
      rows_spinal_port0 <= rows[read_payload_pair];
    end
  end

  always @(posedge clk) begin
    if(_zz_rows_port_4) begin
      rows[_zz_rows_port_1] <= _zz_rows_port_2;
    end
  end

  assign held_spinal_port0 = held[io_pair];
  always @(posedge clk) begin
    if(_zz_held_port_2) begin
      held[_zz_held_port] <= _zz_held_port_1;
    end
  end

  StreamFifo_1 changes (
    .io_push_valid        (changes_io_push_valid           ), //i
    .io_push_ready        (changes_io_push_ready           ), //o
    .io_push_payload_pair (io_changes_payload_pair[6:0]    ), //i
    .io_push_payload_cuts (io_changes_payload_cuts         ), //i
    .io_push_payload_cap  (io_changes_payload_cap[16:0]    ), //i
    .io_pop_valid         (changes_io_pop_valid            ), //o
    .io_pop_ready         (changes_io_pop_ready            ), //i
    .io_pop_payload_pair  (changes_io_pop_payload_pair[6:0]), //o
    .io_pop_payload_cuts  (changes_io_pop_payload_cuts     ), //o
    .io_pop_payload_cap   (changes_io_pop_payload_cap[16:0]), //o
    .io_flush             (1'b0                            ), //i
    .io_occupancy         (changes_io_occupancy[2:0]       ), //o
    .clk                  (clk                             ), //i
    .reset                (reset                           )  //i
  );
  StreamFifo_2 sents (
    .io_push_valid         (io_sent_valid                   ), //i
    .io_push_ready         (sents_io_push_ready             ), //o
    .io_push_payload_pair  (io_sent_payload_pair[6:0]       ), //i
    .io_push_payload_bytes (io_sent_payload_bytes[12:0]     ), //i
    .io_pop_valid          (sents_io_pop_valid              ), //o
    .io_pop_ready          (sents_io_pop_ready              ), //i
    .io_pop_payload_pair   (sents_io_pop_payload_pair[6:0]  ), //o
    .io_pop_payload_bytes  (sents_io_pop_payload_bytes[12:0]), //o
    .io_flush              (1'b0                            ), //i
    .clk                   (clk                             ), //i
    .reset                 (reset                           )  //i
  );
  StreamFifo_3 waking (
    .io_push_valid   (waking_io_push_valid      ), //i
    .io_push_ready   (waking_io_push_ready      ), //o
    .io_push_payload (done_payload_pair[6:0]    ), //i
    .io_pop_valid    (waking_io_pop_valid       ), //o
    .io_pop_ready    (io_wakes_ready            ), //i
    .io_pop_payload  (waking_io_pop_payload[6:0]), //o
    .io_flush        (1'b0                      ), //i
    .io_occupancy    (waking_io_occupancy[4:0]  ), //o
    .clk             (clk                       ), //i
    .reset           (reset                     )  //i
  );
  assign io_holds = held_spinal_port0[0];
  assign period_willClear = 1'b0;
  assign period_willOverflowIfInc = (period_value == 11'h7ff);
  assign period_willOverflow = (period_willOverflowIfInc && period_willIncrement);
  always @(*) begin
    period_valueNext = (period_value + _zz_period_valueNext);
    if(period_willClear) begin
      period_valueNext = 11'h0;
    end
  end

  assign period_willIncrement = 1'b1;
  assign io_room = _zz_io_room;
  assign changes_io_push_valid = (io_changes_valid && (io_room || (! io_changes_payload_cuts)));
  assign takesPass = ((((((! sweeps) && (! changes_io_pop_valid)) && (! sents_io_pop_valid)) && passes) && room) && (! (|{(aimed_valid && (aimed_payload_pair == next_1)),{(added_valid && _zz_takesPass),{_zz_takesPass_1,{_zz_takesPass_2,_zz_takesPass_3}}}})));
  assign changes_io_pop_ready = (((! sweeps) && (! sents_io_pop_valid)) && (! (|{(aimed_valid && (aimed_payload_pair == changes_io_pop_payload_pair)),{(added_valid && (added_payload_pair == changes_io_pop_payload_pair)),{(atHand_valid && (atHand_payload_pair == changes_io_pop_payload_pair)),{(loaded_valid && _zz_io_pop_ready),(read_valid && _zz_io_pop_ready_1)}}}})));
  assign sents_io_pop_ready = ((! sweeps) && (! (|{(aimed_valid && (aimed_payload_pair == sents_io_pop_payload_pair)),{(added_valid && (added_payload_pair == sents_io_pop_payload_pair)),{(atHand_valid && (atHand_payload_pair == sents_io_pop_payload_pair)),{(loaded_valid && (loaded_payload_pair == sents_io_pop_payload_pair)),(read_valid && (read_payload_pair == sents_io_pop_payload_pair))}}}})));
  assign changes_io_pop_fire = (changes_io_pop_valid && changes_io_pop_ready);
  assign sents_io_pop_fire = (sents_io_pop_valid && sents_io_pop_ready);
  assign _zz_read_payload_op = (changes_io_pop_payload_cuts ? Op_1_cut : Op_1_set);
  assign _zz_row_cap = rows_spinal_port0;
  assign _zz_row_stages_0 = _zz_row_cap[89 : 84];
  assign isPass = (atHand_payload_op == Op_1_pass);
  assign isSent = (atHand_payload_op == Op_1_sent);
  assign isCut = (atHand_payload_op == Op_1_cut);
  assign isSet = (atHand_payload_op == Op_1_set);
  assign limited = (! (&row_rate));
  assign low = (row_rate != row_cap);
  assign nothing = 18'h0;
  assign alpha = (low ? row_alpha : 15'h7fff);
  assign debt = (row_credit[17] ? row_credit : nothing);
  assign inHand = (isSent ? row_credit : debt);
  assign more = (isSent ? _zz_more : _zz_more_2);
  assign _zz_credit = ($signed(_zz__zz_credit) + $signed(_zz__zz_credit_1));
  always @(*) begin
    if(_zz_credit[18]) begin
      if((! (&_zz_when))) begin
        credit = 18'h20000;
      end else begin
        credit = _zz_credit[17 : 0];
      end
    end else begin
      if((|_zz_when_1)) begin
        credit = 18'h1ffff;
      end else begin
        credit = _zz_credit[17 : 0];
      end
    end
  end

  assign units_1 = ({1'b0,row_units} + {1'b0,_zz_units_1});
  assign clock = isSent;
  assign ticks = (isPass && (row_timer == 3'b110));
  always @(*) begin
    step2 = 9'h029;
    if((&{(first_stages_1 < 3'b101),(first_stages_0 < 3'b101)})) begin
      step2 = 9'h0;
    end
    if((&{(3'b101 < first_stages_1),(3'b101 < first_stages_0)})) begin
      step2 = 9'h19a;
    end
  end

  assign target = ({1'b0,first_target} + _zz_target);
  assign _zz_low4 = by[3 : 0];
  assign _zz_high4 = by[7 : 4];
  assign middle = _zz_middle[18 : 1];
  assign part = ({1'b0,_zz_part} + _zz_part_1);
  assign written_cap = third_cap;
  always @(*) begin
    written_rate = third_rate;
    if(((done_payload_op == Op_1_cut) && (third_rate < 17'h00080))) begin
      written_rate = 17'h00080;
    end
  end

  assign written_target = third_target;
  assign written_alpha = third_alpha;
  assign written_timer = third_timer;
  assign written_units = third_units;
  assign written_stages_0 = third_stages_0;
  assign written_stages_1 = third_stages_1;
  always @(*) begin
    written_credit = third_credit;
    if((! (! (&third_rate)))) begin
      written_credit = 18'h0;
    end
  end

  assign holds = ((! (&written_rate)) && written_credit[17]);
  assign _zz_3 = 17'h1ffff;
  assign wakes = ((thirdHeld && (! holds)) && (! (done_payload_op == Op_1_set)));
  assign waking_io_push_valid = (done_valid && wakes);
  assign io_wakes_valid = waking_io_pop_valid;
  assign io_wakes_payload = waking_io_pop_payload;
  assign room = _zz_room;
  always @(posedge clk) begin
    if(reset) begin
      read_valid <= 1'b0;
      loaded_valid <= 1'b0;
      atHand_valid <= 1'b0;
      added_valid <= 1'b0;
      aimed_valid <= 1'b0;
      done_valid <= 1'b0;
      sweep <= 7'h0;
      sweeps <= 1'b1;
      period_value <= 11'h0;
      due <= 1'b0;
      passes <= 1'b0;
      next_1 <= 7'h0;
      _zz_io_room <= 1'b0;
      _zz_room <= 1'b0;
    end else begin
      loaded_valid <= read_valid;
      atHand_valid <= loaded_valid;
      added_valid <= atHand_valid;
      aimed_valid <= added_valid;
      done_valid <= aimed_valid;
      if(sweeps) begin
        sweep <= (sweep + 7'h01);
        if((&sweep)) begin
          sweeps <= 1'b0;
        end
      end
      period_value <= period_valueNext;
      if(period_willOverflow) begin
        due <= 1'b1;
      end
      if(((due && (! passes)) && (! sweeps))) begin
        due <= period_willOverflow;
        passes <= 1'b1;
      end
      _zz_io_room <= (changes_io_occupancy < 3'b010);
      `ifndef SYNTHESIS
        `ifdef FORMAL
          assert(((! changes_io_push_valid) || changes_io_push_ready)); // ReactionPoint.scala:L137
        `else
          if(!((! changes_io_push_valid) || changes_io_push_ready)) begin
            $display("FAILURE a change of a rate is lost"); // ReactionPoint.scala:L137
            $finish;
          end
        `endif
      `endif
      `ifndef SYNTHESIS
        `ifdef FORMAL
          assert(((! io_sent_valid) || sents_io_push_ready)); // ReactionPoint.scala:L137
        `else
          if(!((! io_sent_valid) || sents_io_push_ready)) begin
            $display("FAILURE a change of a rate is lost"); // ReactionPoint.scala:L137
            $finish;
          end
        `endif
      `endif
      read_valid <= ((changes_io_pop_fire || sents_io_pop_fire) || takesPass);
      if(takesPass) begin
        next_1 <= (next_1 + 7'h01);
        if((&next_1)) begin
          passes <= 1'b0;
        end
      end
      `ifndef SYNTHESIS
        `ifdef FORMAL
          assert(((! waking_io_push_valid) || waking_io_push_ready)); // ReactionPoint.scala:L247
        `else
          if(!((! waking_io_push_valid) || waking_io_push_ready)) begin
            $display("FAILURE a queue pair that may go on is not told so"); // ReactionPoint.scala:L247
            $finish;
          end
        `endif
      `endif
      _zz_room <= (waking_io_occupancy < 5'h08);
    end
  end

  always @(posedge clk) begin
    loaded_payload_op <= read_payload_op;
    loaded_payload_pair <= read_payload_pair;
    loaded_payload_amount <= read_payload_amount;
    atHand_payload_op <= loaded_payload_op;
    atHand_payload_pair <= loaded_payload_pair;
    atHand_payload_amount <= loaded_payload_amount;
    added_payload_op <= atHand_payload_op;
    added_payload_pair <= atHand_payload_pair;
    aimed_payload_op <= added_payload_op;
    aimed_payload_pair <= added_payload_pair;
    done_payload_op <= aimed_payload_op;
    done_payload_pair <= aimed_payload_pair;
    read_payload_op <= Op_1_pass;
    read_payload_pair <= next_1;
    read_payload_amount <= (_zz_read_payload_amount + 17'h00060);
    if(sents_io_pop_valid) begin
      read_payload_op <= Op_1_sent;
      read_payload_pair <= sents_io_pop_payload_pair;
    end else begin
      if(changes_io_pop_valid) begin
        read_payload_op <= _zz_read_payload_op;
        read_payload_pair <= changes_io_pop_payload_pair;
        read_payload_amount <= changes_io_pop_payload_cap;
      end
    end
    row_cap <= _zz_row_cap[16 : 0];
    row_rate <= _zz_row_cap[33 : 17];
    row_target <= _zz_row_cap[50 : 34];
    row_alpha <= _zz_row_cap[65 : 51];
    row_timer <= _zz_row_cap[68 : 66];
    row_units <= _zz_row_cap[83 : 69];
    row_stages_0 <= _zz_row_stages_0[2 : 0];
    row_stages_1 <= _zz_row_stages_0[5 : 3];
    row_credit <= _zz_row_cap[107 : 90];
    by <= alpha[14 : 7];
    wasHeld <= ((! (&row_rate)) && row_credit[17]);
    grows <= 1'b0;
    first_cap <= row_cap;
    first_rate <= row_rate;
    first_target <= row_target;
    first_alpha <= row_alpha;
    first_timer <= row_timer;
    first_units <= row_units;
    first_stages_0 <= row_stages_0;
    first_stages_1 <= row_stages_1;
    first_credit <= row_credit;
    if((limited && (isPass || isSent))) begin
      first_credit <= credit;
      if((low && isPass)) begin
        first_timer <= (ticks ? 3'b000 : _zz_first_timer);
        if(ticks) begin
          first_alpha <= (row_alpha - _zz_first_alpha);
        end
      end
      if((low && isSent)) begin
        first_units <= units_1[14:0];
      end
      if((low && (ticks || (isSent && units_1[15])))) begin
        grows <= 1'b1;
        if(((clock == 1'b0) && (! (&row_stages_0)))) begin
          first_stages_0 <= (row_stages_0 + 3'b001);
        end
        if(((clock == 1'b1) && (! (&row_stages_1)))) begin
          first_stages_1 <= (row_stages_1 + 3'b001);
        end
      end
    end
    if(isCut) begin
      first_credit <= (limited ? debt : nothing);
      first_target <= row_rate;
      first_alpha <= (alpha + _zz_first_alpha_2);
      first_timer <= 3'b000;
      first_units <= 15'h0;
      if(1'b1) begin
        first_stages_0 <= 3'b000;
        first_stages_1 <= 3'b000;
      end
    end
    if(isSet) begin
      first_cap <= atHand_payload_amount;
      first_rate <= atHand_payload_amount;
      first_target <= atHand_payload_amount;
      first_alpha <= 15'h7fff;
      first_timer <= 3'b000;
      first_units <= 15'h0;
      first_stages_0 <= 3'b000;
      first_stages_1 <= 3'b000;
      first_credit <= 18'h0;
    end
    secondGrows <= grows;
    secondHeld <= wasHeld;
    second_cap <= first_cap;
    second_rate <= first_rate;
    second_target <= first_target;
    second_alpha <= first_alpha;
    second_timer <= first_timer;
    second_units <= first_units;
    second_stages_0 <= first_stages_0;
    second_stages_1 <= first_stages_1;
    second_credit <= first_credit;
    if(grows) begin
      second_target <= target[16:0];
      if((_zz_when_2 < target)) begin
        second_target <= first_cap;
      end
    end
    low4 <= (_zz_low4_1 + _zz_low4_5);
    high4 <= (_zz_high4_1 + _zz_high4_5);
    thirdHeld <= secondHeld;
    third_cap <= second_cap;
    third_rate <= second_rate;
    third_target <= second_target;
    third_alpha <= second_alpha;
    third_timer <= second_timer;
    third_units <= second_units;
    third_stages_0 <= second_stages_0;
    third_stages_1 <= second_stages_1;
    third_credit <= second_credit;
    if(secondGrows) begin
      third_rate <= middle[16:0];
    end
    if((aimed_payload_op == Op_1_cut)) begin
      third_rate <= (second_rate - part[25 : 9]);
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
  localparam State_idle = 2'd0;
  localparam State_push = 2'd1;
  localparam State_fetch = 2'd2;
  localparam State_next_1 = 2'd3;

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
  reg        [1:0]    state_1;
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
  assign _zz_behind_port_2 = ((state_1 == State_push) && list_some);
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
  assign idle = (state_1 == State_idle);
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
    case(state_1)
      State_idle : begin
        if(returns) begin
          processes_io_push_valid = 1'b1;
        end
      end
      State_push : begin
        if(_zz_when) begin
          processes_io_push_valid = 1'b1;
        end
      end
      State_fetch : begin
      end
      default : begin
      end
    endcase
  end

  assign processes_io_push_payload = (returns ? again_payload : process_1);
  always @(*) begin
    changed_some = list_some;
    case(state_1)
      State_idle : begin
      end
      State_push : begin
        changed_some = 1'b1;
      end
      State_fetch : begin
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
    case(state_1)
      State_idle : begin
      end
      State_push : begin
        if(_zz_when) begin
          changed_first = comes_payload_pair;
        end
      end
      State_fetch : begin
      end
      default : begin
        changed_first = second;
      end
    endcase
  end

  always @(*) begin
    changed_last = list_last;
    case(state_1)
      State_idle : begin
      end
      State_push : begin
        changed_last = comes_payload_pair;
      end
      State_fetch : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    changes = 1'b0;
    case(state_1)
      State_idle : begin
      end
      State_push : begin
        changes = 1'b1;
      end
      State_fetch : begin
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
      state_1 <= State_idle;
      comes_valid <= 1'b0;
      candidate_valid <= 1'b0;
      again_valid <= 1'b0;
    end else begin
      if(io_pop_ready) begin
        candidate_valid <= 1'b0;
      end
      case(state_1)
        State_idle : begin
          if(comes_valid) begin
            state_1 <= State_push;
          end else begin
            if(fetches) begin
              state_1 <= State_fetch;
            end
          end
          if(returns) begin
            again_valid <= 1'b0;
          end
        end
        State_push : begin
          comes_valid <= 1'b0;
          state_1 <= State_idle;
        end
        State_fetch : begin
          candidate_valid <= 1'b1;
          state_1 <= State_next_1;
          if(one) begin
            state_1 <= State_idle;
          end
        end
        default : begin
          again_valid <= 1'b1;
          state_1 <= State_idle;
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
    case(state_1)
      State_idle : begin
      end
      State_push : begin
      end
      State_fetch : begin
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

module StreamFifo_3 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [6:0]    io_push_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [6:0]    io_pop_payload,
  input  wire          io_flush,
  output wire [4:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  wire       [6:0]    logic_ram_spinal_port1;
  wire       [6:0]    _zz_logic_ram_port;
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
  wire       [6:0]    logic_push_onRam_write_payload_data;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [3:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [6:0]    logic_pop_async_readed;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [6:0]    logic_pop_addressGen_translated_payload;
  (* ram_style = "distributed" *) reg [6:0] logic_ram [0:15];

  assign _zz_logic_ram_port = logic_push_onRam_write_payload_data;
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
  assign logic_push_onRam_write_payload_data = io_push_payload;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[3:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign logic_pop_async_readed = logic_ram_spinal_port1;
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload = logic_pop_async_readed;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload = logic_pop_addressGen_translated_payload;
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

module StreamFifo_2 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [6:0]    io_push_payload_pair,
  input  wire [12:0]   io_push_payload_bytes,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [6:0]    io_pop_payload_pair,
  output wire [12:0]   io_pop_payload_bytes,
  input  wire          io_flush,
  input  wire          clk,
  input  wire          reset
);

  reg        [19:0]   logic_ram_spinal_port1;
  wire       [19:0]   _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [2:0]    logic_ptr_push;
  reg        [2:0]    logic_ptr_pop;
  wire       [2:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [1:0]    logic_push_onRam_write_payload_address;
  wire       [6:0]    logic_push_onRam_write_payload_data_pair;
  wire       [12:0]   logic_push_onRam_write_payload_data_bytes;
  wire                logic_pop_addressGen_valid;
  reg                 logic_pop_addressGen_ready;
  wire       [1:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_sync_readArbitration_valid;
  wire                logic_pop_sync_readArbitration_ready;
  reg                 logic_pop_addressGen_rValid;
  wire                logic_pop_sync_readPort_cmd_valid;
  wire       [1:0]    logic_pop_sync_readPort_cmd_payload;
  wire       [6:0]    logic_pop_sync_readPort_rsp_pair;
  wire       [12:0]   logic_pop_sync_readPort_rsp_bytes;
  wire       [19:0]   _zz_logic_pop_sync_readPort_rsp_pair;
  wire                logic_pop_addressGen_toFlowFire_valid;
  wire       [1:0]    logic_pop_addressGen_toFlowFire_payload;
  wire                logic_pop_sync_readArbitration_translated_valid;
  wire                logic_pop_sync_readArbitration_translated_ready;
  wire       [6:0]    logic_pop_sync_readArbitration_translated_payload_pair;
  wire       [12:0]   logic_pop_sync_readArbitration_translated_payload_bytes;
  wire                logic_pop_sync_readArbitration_fire;
  reg        [2:0]    logic_pop_sync_popReg;
  reg [19:0] logic_ram [0:3];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_bytes,logic_push_onRam_write_payload_data_pair};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 3'b100) == 3'b000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[1:0];
  assign logic_push_onRam_write_payload_data_pair = io_push_payload_pair;
  assign logic_push_onRam_write_payload_data_bytes = io_push_payload_bytes;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[1:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  always @(*) begin
    logic_pop_addressGen_ready = logic_pop_sync_readArbitration_ready;
    if((! logic_pop_sync_readArbitration_valid)) begin
      logic_pop_addressGen_ready = 1'b1;
    end
  end

  assign logic_pop_sync_readArbitration_valid = logic_pop_addressGen_rValid;
  assign _zz_logic_pop_sync_readPort_rsp_pair = logic_ram_spinal_port1;
  assign logic_pop_sync_readPort_rsp_pair = _zz_logic_pop_sync_readPort_rsp_pair[6 : 0];
  assign logic_pop_sync_readPort_rsp_bytes = _zz_logic_pop_sync_readPort_rsp_pair[19 : 7];
  assign logic_pop_addressGen_toFlowFire_valid = logic_pop_addressGen_fire;
  assign logic_pop_addressGen_toFlowFire_payload = logic_pop_addressGen_payload;
  assign logic_pop_sync_readPort_cmd_valid = logic_pop_addressGen_toFlowFire_valid;
  assign logic_pop_sync_readPort_cmd_payload = logic_pop_addressGen_toFlowFire_payload;
  assign logic_pop_sync_readArbitration_translated_valid = logic_pop_sync_readArbitration_valid;
  assign logic_pop_sync_readArbitration_ready = logic_pop_sync_readArbitration_translated_ready;
  assign logic_pop_sync_readArbitration_translated_payload_pair = logic_pop_sync_readPort_rsp_pair;
  assign logic_pop_sync_readArbitration_translated_payload_bytes = logic_pop_sync_readPort_rsp_bytes;
  assign io_pop_valid = logic_pop_sync_readArbitration_translated_valid;
  assign logic_pop_sync_readArbitration_translated_ready = io_pop_ready;
  assign io_pop_payload_pair = logic_pop_sync_readArbitration_translated_payload_pair;
  assign io_pop_payload_bytes = logic_pop_sync_readArbitration_translated_payload_bytes;
  assign logic_pop_sync_readArbitration_fire = (logic_pop_sync_readArbitration_valid && logic_pop_sync_readArbitration_ready);
  assign logic_ptr_popOnIo = logic_pop_sync_popReg;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 3'b000;
      logic_ptr_pop <= 3'b000;
      logic_pop_addressGen_rValid <= 1'b0;
      logic_pop_sync_popReg <= 3'b000;
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
        logic_pop_sync_popReg <= 3'b000;
      end
    end
  end


endmodule

module StreamFifo_1 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [6:0]    io_push_payload_pair,
  input  wire          io_push_payload_cuts,
  input  wire [16:0]   io_push_payload_cap,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [6:0]    io_pop_payload_pair,
  output wire          io_pop_payload_cuts,
  output wire [16:0]   io_pop_payload_cap,
  input  wire          io_flush,
  output wire [2:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  reg        [24:0]   logic_ram_spinal_port1;
  wire       [24:0]   _zz_logic_ram_port;
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
  wire       [6:0]    logic_push_onRam_write_payload_data_pair;
  wire                logic_push_onRam_write_payload_data_cuts;
  wire       [16:0]   logic_push_onRam_write_payload_data_cap;
  wire                logic_pop_addressGen_valid;
  reg                 logic_pop_addressGen_ready;
  wire       [1:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire                logic_pop_sync_readArbitration_valid;
  wire                logic_pop_sync_readArbitration_ready;
  reg                 logic_pop_addressGen_rValid;
  wire                logic_pop_sync_readPort_cmd_valid;
  wire       [1:0]    logic_pop_sync_readPort_cmd_payload;
  wire       [6:0]    logic_pop_sync_readPort_rsp_pair;
  wire                logic_pop_sync_readPort_rsp_cuts;
  wire       [16:0]   logic_pop_sync_readPort_rsp_cap;
  wire       [24:0]   _zz_logic_pop_sync_readPort_rsp_pair;
  wire                logic_pop_addressGen_toFlowFire_valid;
  wire       [1:0]    logic_pop_addressGen_toFlowFire_payload;
  wire                logic_pop_sync_readArbitration_translated_valid;
  wire                logic_pop_sync_readArbitration_translated_ready;
  wire       [6:0]    logic_pop_sync_readArbitration_translated_payload_pair;
  wire                logic_pop_sync_readArbitration_translated_payload_cuts;
  wire       [16:0]   logic_pop_sync_readArbitration_translated_payload_cap;
  wire                logic_pop_sync_readArbitration_fire;
  reg        [2:0]    logic_pop_sync_popReg;
  reg [24:0] logic_ram [0:3];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_cap,{logic_push_onRam_write_payload_data_cuts,logic_push_onRam_write_payload_data_pair}};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 3'b100) == 3'b000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[1:0];
  assign logic_push_onRam_write_payload_data_pair = io_push_payload_pair;
  assign logic_push_onRam_write_payload_data_cuts = io_push_payload_cuts;
  assign logic_push_onRam_write_payload_data_cap = io_push_payload_cap;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[1:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  always @(*) begin
    logic_pop_addressGen_ready = logic_pop_sync_readArbitration_ready;
    if((! logic_pop_sync_readArbitration_valid)) begin
      logic_pop_addressGen_ready = 1'b1;
    end
  end

  assign logic_pop_sync_readArbitration_valid = logic_pop_addressGen_rValid;
  assign _zz_logic_pop_sync_readPort_rsp_pair = logic_ram_spinal_port1;
  assign logic_pop_sync_readPort_rsp_pair = _zz_logic_pop_sync_readPort_rsp_pair[6 : 0];
  assign logic_pop_sync_readPort_rsp_cuts = _zz_logic_pop_sync_readPort_rsp_pair[7];
  assign logic_pop_sync_readPort_rsp_cap = _zz_logic_pop_sync_readPort_rsp_pair[24 : 8];
  assign logic_pop_addressGen_toFlowFire_valid = logic_pop_addressGen_fire;
  assign logic_pop_addressGen_toFlowFire_payload = logic_pop_addressGen_payload;
  assign logic_pop_sync_readPort_cmd_valid = logic_pop_addressGen_toFlowFire_valid;
  assign logic_pop_sync_readPort_cmd_payload = logic_pop_addressGen_toFlowFire_payload;
  assign logic_pop_sync_readArbitration_translated_valid = logic_pop_sync_readArbitration_valid;
  assign logic_pop_sync_readArbitration_ready = logic_pop_sync_readArbitration_translated_ready;
  assign logic_pop_sync_readArbitration_translated_payload_pair = logic_pop_sync_readPort_rsp_pair;
  assign logic_pop_sync_readArbitration_translated_payload_cuts = logic_pop_sync_readPort_rsp_cuts;
  assign logic_pop_sync_readArbitration_translated_payload_cap = logic_pop_sync_readPort_rsp_cap;
  assign io_pop_valid = logic_pop_sync_readArbitration_translated_valid;
  assign logic_pop_sync_readArbitration_translated_ready = io_pop_ready;
  assign io_pop_payload_pair = logic_pop_sync_readArbitration_translated_payload_pair;
  assign io_pop_payload_cuts = logic_pop_sync_readArbitration_translated_payload_cuts;
  assign io_pop_payload_cap = logic_pop_sync_readArbitration_translated_payload_cap;
  assign logic_pop_sync_readArbitration_fire = (logic_pop_sync_readArbitration_valid && logic_pop_sync_readArbitration_ready);
  assign logic_ptr_popOnIo = logic_pop_sync_popReg;
  assign io_occupancy = logic_ptr_occupancy;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 3'b000;
      logic_ptr_pop <= 3'b000;
      logic_pop_addressGen_rValid <= 1'b0;
      logic_pop_sync_popReg <= 3'b000;
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
        logic_pop_sync_popReg <= 3'b000;
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
