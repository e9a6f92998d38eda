// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : LeafUnit

`timescale 1ns/1ps

module LeafUnit (
  input  wire          io_request_valid,
  output wire          io_request_ready,
  input  wire [3:0]    io_request_payload_operation,
  input  wire [7:0]    io_request_payload_segment,
  input  wire [23:0]   io_request_payload_pid,
  input  wire          io_request_payload_rights_read,
  input  wire          io_request_payload_rights_write,
  input  wire          io_request_payload_rights_atomic,
  input  wire [20:0]   io_request_payload_page,
  input  wire [20:0]   io_request_payload_pages,
  input  wire          io_request_payload_begins,
  input  wire          io_request_payload_first,
  input  wire          io_request_payload_whole,
  input  wire          io_request_payload_also,
  input  wire [9:0]    io_request_payload_filler,
  input  wire [24:0]   io_request_payload_line,
  output wire          io_answer_valid,
  input  wire          io_answer_ready,
  output wire [3:0]    io_answer_payload_status,
  output wire [18:0]   io_answer_payload_frame,
  output wire          io_answer_payload_hidden,
  output wire          io_answer_payload_epoch,
  output wire [20:0]   io_answer_payload_count,
  input  wire          io_ends_valid,
  input  wire          io_ends_payload,
  output wire          io_mem_aw_valid,
  input  wire          io_mem_aw_ready,
  output wire [30:0]   io_mem_aw_payload_addr,
  output wire [1:0]    io_mem_aw_payload_id,
  output wire [7:0]    io_mem_aw_payload_len,
  output wire [2:0]    io_mem_aw_payload_size,
  output wire [1:0]    io_mem_aw_payload_burst,
  output wire          io_mem_w_valid,
  input  wire          io_mem_w_ready,
  output wire [511:0]  io_mem_w_payload_data,
  output wire [63:0]   io_mem_w_payload_strb,
  output wire          io_mem_w_payload_last,
  input  wire          io_mem_b_valid,
  output wire          io_mem_b_ready,
  input  wire [1:0]    io_mem_b_payload_id,
  input  wire [1:0]    io_mem_b_payload_resp,
  output wire          io_mem_ar_valid,
  input  wire          io_mem_ar_ready,
  output wire [30:0]   io_mem_ar_payload_addr,
  output wire [1:0]    io_mem_ar_payload_id,
  output wire [7:0]    io_mem_ar_payload_len,
  output wire [2:0]    io_mem_ar_payload_size,
  output wire [1:0]    io_mem_ar_payload_burst,
  input  wire          io_mem_r_valid,
  output wire          io_mem_r_ready,
  input  wire [511:0]  io_mem_r_payload_data,
  input  wire [1:0]    io_mem_r_payload_id,
  input  wire [1:0]    io_mem_r_payload_resp,
  input  wire          io_mem_r_payload_last,
  output wire          io_events_right,
  output wire          io_events_outside,
  output wire          io_events_unmapped,
  output wire          io_events_ringEmpty,
  output wire          io_events_budgetSpent,
  output wire          io_events_taken,
  output wire          io_events_freed,
  output wire          io_events_memoryError,
  output wire          io_events_lineLost,
  output wire [20:0]   io_total,
  output wire [20:0]   io_usable,
  output wire [20:0]   io_waiting,
  output wire          io_stuck,
  output wire          io_clean,
  input  wire          clk,
  input  wire          reset
);
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
  localparam LeafState_CLEAN = 5'd0;
  localparam LeafState_IDLE = 5'd1;
  localparam LeafState_LOAD = 5'd2;
  localparam LeafState_RELOAD = 5'd3;
  localparam LeafState_LOADED = 5'd4;
  localparam LeafState_JUDGE = 5'd5;
  localparam LeafState_LINE = 5'd6;
  localparam LeafState_SHORT = 5'd7;
  localparam LeafState_POP = 5'd8;
  localparam LeafState_TAKEN = 5'd9;
  localparam LeafState_OLD_READ = 5'd10;
  localparam LeafState_OLD_LOAD = 5'd11;
  localparam LeafState_OLD_PUSH = 5'd12;
  localparam LeafState_OLD_STORE = 5'd13;
  localparam LeafState_HIDE = 5'd14;
  localparam LeafState_ZERO = 5'd15;
  localparam LeafState_ZEROED = 5'd16;
  localparam LeafState_UNZEROED = 5'd17;
  localparam LeafState_REPLACE = 5'd18;
  localparam LeafState_ROOM = 5'd19;
  localparam LeafState_GATHER = 5'd20;
  localparam LeafState_CHANGE = 5'd21;
  localparam LeafState_NEXT_1 = 5'd22;
  localparam LeafState_WALK = 5'd23;
  localparam LeafState_WALKED = 5'd24;
  localparam LeafState_PUSH = 5'd25;
  localparam LeafState_STORE_RECORD = 5'd26;
  localparam LeafState_ANSWER = 5'd27;

  wire                memory_io_write_2_valid;
  wire       [24:0]   memory_io_write_2_payload_line;
  reg                 lines_io_ask_valid;
  wire                lines_io_change_valid;
  reg        [18:0]   lines_io_change_payload_0;
  reg        [18:0]   lines_io_change_payload_1;
  reg        [18:0]   lines_io_change_payload_2;
  reg        [18:0]   lines_io_change_payload_3;
  reg        [18:0]   lines_io_change_payload_4;
  reg        [18:0]   lines_io_change_payload_5;
  reg        [18:0]   lines_io_change_payload_6;
  reg        [18:0]   lines_io_change_payload_7;
  reg                 ring_io_push_valid;
  reg        [18:0]   ring_io_push_payload;
  wire                ring_io_pop_ready;
  reg                 epochs_io_begins;
  wire                epochs_io_freed;
  wire                epochs_io_came;
  reg        [116:0]  segments_spinal_port0;
  reg        [48:0]   fillers_spinal_port0;
  wire                memory_io_read_0_ready;
  wire                memory_io_read_1_ready;
  wire                memory_io_got_0_valid;
  wire       [18:0]   memory_io_got_0_payload_frames_0;
  wire       [18:0]   memory_io_got_0_payload_frames_1;
  wire       [18:0]   memory_io_got_0_payload_frames_2;
  wire       [18:0]   memory_io_got_0_payload_frames_3;
  wire       [18:0]   memory_io_got_0_payload_frames_4;
  wire       [18:0]   memory_io_got_0_payload_frames_5;
  wire       [18:0]   memory_io_got_0_payload_frames_6;
  wire       [18:0]   memory_io_got_0_payload_frames_7;
  wire                memory_io_got_0_payload_error;
  wire                memory_io_got_1_valid;
  wire       [18:0]   memory_io_got_1_payload_frames_0;
  wire       [18:0]   memory_io_got_1_payload_frames_1;
  wire       [18:0]   memory_io_got_1_payload_frames_2;
  wire       [18:0]   memory_io_got_1_payload_frames_3;
  wire       [18:0]   memory_io_got_1_payload_frames_4;
  wire       [18:0]   memory_io_got_1_payload_frames_5;
  wire       [18:0]   memory_io_got_1_payload_frames_6;
  wire       [18:0]   memory_io_got_1_payload_frames_7;
  wire                memory_io_got_1_payload_error;
  wire                memory_io_write_0_ready;
  wire                memory_io_write_1_ready;
  wire                memory_io_write_2_ready;
  wire                memory_io_written_0_valid;
  wire                memory_io_written_0_payload;
  wire                memory_io_written_1_valid;
  wire                memory_io_written_1_payload;
  wire                memory_io_written_2_valid;
  wire                memory_io_written_2_payload;
  wire                memory_io_mem_ar_valid;
  wire       [30:0]   memory_io_mem_ar_payload_addr;
  wire       [1:0]    memory_io_mem_ar_payload_id;
  wire       [7:0]    memory_io_mem_ar_payload_len;
  wire       [2:0]    memory_io_mem_ar_payload_size;
  wire       [1:0]    memory_io_mem_ar_payload_burst;
  wire                memory_io_mem_aw_valid;
  wire       [30:0]   memory_io_mem_aw_payload_addr;
  wire       [1:0]    memory_io_mem_aw_payload_id;
  wire       [7:0]    memory_io_mem_aw_payload_len;
  wire       [2:0]    memory_io_mem_aw_payload_size;
  wire       [1:0]    memory_io_mem_aw_payload_burst;
  wire                memory_io_mem_w_valid;
  wire       [511:0]  memory_io_mem_w_payload_data;
  wire       [63:0]   memory_io_mem_w_payload_strb;
  wire                memory_io_mem_w_payload_last;
  wire                memory_io_mem_r_ready;
  wire                memory_io_mem_b_ready;
  wire                lines_io_ask_ready;
  wire                lines_io_ended_valid;
  wire                lines_io_ended_payload;
  wire       [18:0]   lines_io_line_0;
  wire       [18:0]   lines_io_line_1;
  wire       [18:0]   lines_io_line_2;
  wire       [18:0]   lines_io_line_3;
  wire       [18:0]   lines_io_line_4;
  wire       [18:0]   lines_io_line_5;
  wire       [18:0]   lines_io_line_6;
  wire       [18:0]   lines_io_line_7;
  wire       [7:0]    lines_io_there;
  wire                lines_io_change_ready;
  wire                lines_io_read_valid;
  wire       [24:0]   lines_io_read_payload;
  wire                lines_io_write_valid;
  wire       [24:0]   lines_io_write_payload_line;
  wire       [18:0]   lines_io_write_payload_frames_0;
  wire       [18:0]   lines_io_write_payload_frames_1;
  wire       [18:0]   lines_io_write_payload_frames_2;
  wire       [18:0]   lines_io_write_payload_frames_3;
  wire       [18:0]   lines_io_write_payload_frames_4;
  wire       [18:0]   lines_io_write_payload_frames_5;
  wire       [18:0]   lines_io_write_payload_frames_6;
  wire       [18:0]   lines_io_write_payload_frames_7;
  wire                lines_io_write_payload_zeros;
  wire                lines_io_memoryError;
  wire                lines_io_clean;
  wire                ring_io_push_ready;
  wire                ring_io_pop_valid;
  wire       [18:0]   ring_io_pop_payload;
  wire                ring_io_room;
  wire                ring_io_stuck;
  wire                ring_io_read_valid;
  wire       [24:0]   ring_io_read_payload;
  wire                ring_io_write_valid;
  wire       [24:0]   ring_io_write_payload_line;
  wire       [18:0]   ring_io_write_payload_frames_0;
  wire       [18:0]   ring_io_write_payload_frames_1;
  wire       [18:0]   ring_io_write_payload_frames_2;
  wire       [18:0]   ring_io_write_payload_frames_3;
  wire       [18:0]   ring_io_write_payload_frames_4;
  wire       [18:0]   ring_io_write_payload_frames_5;
  wire       [18:0]   ring_io_write_payload_frames_6;
  wire       [18:0]   ring_io_write_payload_frames_7;
  wire                ring_io_memoryError;
  wire                ring_io_lineLost;
  wire                epochs_io_now;
  wire       [20:0]   epochs_io_usable;
  wire       [20:0]   epochs_io_waiting;
  wire                _zz_segments_port;
  wire                _zz__zz_readRecord_valid_1;
  wire                _zz_fillers_port;
  wire                _zz__zz_readFilling_valid_1;
  wire       [7:0]    _zz_segments_port_1;
  wire       [7:0]    _zz_segments_port_2;
  wire       [116:0]  _zz_segments_port_3;
  wire       [48:0]   _zz_fillers_port_1;
  reg        [18:0]   _zz_entry;
  wire       [21:0]   _zz_inRange_8;
  wire       [21:0]   _zz_inRange_9;
  wire       [21:0]   _zz_inRange_10;
  wire                _zz_inRange_11;
  wire                _zz_inRange_12;
  wire       [21:0]   _zz_inRange_13;
  wire                _zz_inRange_14;
  wire       [21:0]   _zz_inRange_15;
  wire       [0:0]    _zz_inRange_16;
  wire       [21:0]   _zz_inRange_17;
  wire       [1:0]    _zz_inRange_18;
  wire       [21:0]   _zz_inRange_19;
  wire       [21:0]   _zz_inRange_20;
  wire       [21:0]   _zz_isEnd;
  wire       [18:0]   _zz_isLast;
  wire       [18:0]   _zz_isLast_1;
  wire       [1:0]    _zz_isLast_2;
  wire       [1:0]    _zz_needed;
  wire       [0:0]    _zz_needed_1;
  wire       [1:0]    _zz_io_write_2_payload_line;
  wire       [2:0]    _zz_owed;
  wire       [2:0]    _zz_owed_1;
  wire       [0:0]    _zz_owed_2;
  wire       [2:0]    _zz_owed_3;
  wire       [0:0]    _zz_owed_4;
  wire       [21:0]   _zz_end_1;
  wire       [1:0]    _zz_end_1_1;
  wire       [24:0]   _zz_wanted;
  wire       [17:0]   _zz_wanted_1;
  wire       [21:0]   _zz_inside_1;
  wire       [21:0]   _zz_spent;
  wire       [21:0]   _zz_spent_1;
  wire       [21:0]   _zz_spent_2;
  wire       [2:0]    _zz_spent_3;
  wire       [20:0]   _zz_left;
  wire       [21:0]   _zz_exceeds;
  wire       [21:0]   _zz_exceeds_1;
  wire                _zz_when;
  wire       [24:0]   _zz_wanted_2;
  wire       [17:0]   _zz_wanted_3;
  wire       [21:0]   _zz_inside_1_1;
  wire       [21:0]   _zz_spent_4;
  wire       [21:0]   _zz_spent_5;
  wire       [21:0]   _zz_spent_6;
  wire       [2:0]    _zz_spent_7;
  wire       [20:0]   _zz_left_1;
  wire                _zz_when_1;
  wire                _zz_when_2;
  wire                _zz_when_3;
  wire                _zz_when_4;
  wire                _zz_when_5;
  wire                _zz_when_6;
  wire                _zz_when_7;
  wire                _zz_when_8;
  wire                _zz_when_9;
  wire                _zz_when_10;
  wire                _zz_when_11;
  wire                _zz_when_12;
  wire       [24:0]   _zz_wanted_4;
  wire       [17:0]   _zz_wanted_5;
  wire                _zz_when_13;
  wire                _zz_when_14;
  wire       [23:0]   _zz_capacity;
  wire       [20:0]   _zz_capacity_1;
  wire                _zz_when_15;
  wire                _zz_when_16;
  wire                _zz_when_17;
  wire                _zz_when_18;
  wire                _zz_when_19;
  wire                _zz_when_20;
  wire                _zz__zz_todo_7;
  wire                _zz__zz_todo_7_1;
  wire                _zz__zz_todo_7_2;
  wire                _zz__zz_todo_7_3;
  wire                _zz__zz_todo_7_4;
  wire                _zz__zz_todo_7_5;
  wire                _zz__zz_todo_7_6;
  wire                _zz__zz_todo_7_7;
  wire                _zz__zz_todo_7_8;
  wire                _zz__zz_todo_7_9;
  wire                _zz__zz_todo_7_10;
  wire       [0:0]    _zz__zz_todo_7_11;
  wire                _zz__zz_todo_7_12;
  wire       [1:0]    _zz__zz_todo_7_13;
  wire                _zz__zz_todo_7_14;
  wire                _zz__zz_todo_7_15;
  wire                _zz__zz_todo_7_16;
  wire                _zz__zz_todo_7_17;
  reg        [18:0]   _zz_io_push_payload_8;
  wire       [2:0]    _zz_io_push_payload_9;
  wire                _zz_when_21;
  wire       [17:0]   _zz_page;
  wire                _zz_when_22;
  wire                _zz_when_23;
  wire                _zz_when_24;
  wire       [21:0]   _zz_isEnd_1;
  wire       [21:0]   _zz_isEnd_2;
  wire       [1:0]    _zz_isEnd_3;
  reg        [4:0]    state_2;
  wire                io_request_fire;
  reg        [3:0]    r_operation;
  reg        [7:0]    r_segment;
  reg        [23:0]   r_pid;
  reg                 r_rights_read;
  reg                 r_rights_write;
  reg                 r_rights_atomic;
  reg        [20:0]   r_page;
  reg        [20:0]   r_pages;
  reg                 r_begins;
  reg                 r_first;
  reg                 r_whole;
  reg                 r_also;
  reg        [9:0]    r_filler;
  reg        [24:0]   r_line;
  reg        [3:0]    answer_status;
  reg        [18:0]   answer_frame;
  reg                 answer_hidden;
  reg                 answer_epoch;
  reg        [20:0]   answer_count;
  reg                 events_right;
  reg                 events_outside;
  reg                 events_unmapped;
  reg                 events_ringEmpty;
  reg                 events_budgetSpent;
  reg                 events_taken;
  reg                 events_freed;
  reg                 events_memoryError;
  reg                 events_lineLost;
  reg                 events_regNext_right;
  reg                 events_regNext_outside;
  reg                 events_regNext_unmapped;
  reg                 events_regNext_ringEmpty;
  reg                 events_regNext_budgetSpent;
  reg                 events_regNext_taken;
  reg                 events_regNext_freed;
  reg                 events_regNext_memoryError;
  reg                 events_regNext_lineLost;
  reg        [9:0]    walk;
  wire                idle;
  reg        [7:0]    target;
  reg                 record_valid;
  reg                 record_closed;
  reg        [23:0]   record_pid;
  reg                 record_rights_read;
  reg                 record_rights_write;
  reg                 record_rights_atomic;
  reg        [24:0]   record_line;
  reg        [20:0]   record_entries;
  reg        [20:0]   record_budget;
  reg        [20:0]   record_used;
  reg                 filling_valid;
  reg        [7:0]    filling_segment;
  reg        [18:0]   filling_frame;
  wire       [7:0]    _zz_readRecord_valid;
  wire                readRecord_valid;
  wire                readRecord_closed;
  wire       [23:0]   readRecord_pid;
  wire                readRecord_rights_read;
  wire                readRecord_rights_write;
  wire                readRecord_rights_atomic;
  wire       [24:0]   readRecord_line;
  wire       [20:0]   readRecord_entries;
  wire       [20:0]   readRecord_budget;
  wire       [20:0]   readRecord_used;
  wire       [116:0]  _zz_readRecord_valid_1;
  wire       [2:0]    _zz_readRecord_rights_read;
  wire       [9:0]    _zz_readFilling_valid;
  wire                readFilling_valid;
  wire       [7:0]    readFilling_segment;
  wire       [20:0]   readFilling_page;
  wire       [18:0]   readFilling_frame;
  wire       [48:0]   _zz_readFilling_valid_1;
  reg                 storesRecord;
  reg                 storesFilling;
  reg                 stored_valid;
  wire                stored_closed;
  wire       [23:0]   stored_pid;
  wire                stored_rights_read;
  wire                stored_rights_write;
  wire                stored_rights_atomic;
  wire       [24:0]   stored_line;
  wire       [20:0]   stored_entries;
  wire       [20:0]   stored_budget;
  wire       [20:0]   stored_used;
  reg                 storedFilling_valid;
  wire       [7:0]    storedFilling_segment;
  wire       [20:0]   storedFilling_page;
  wire       [18:0]   storedFilling_frame;
  reg        [9:0]    filler;
  reg        [20:0]   capacity;
  reg        [20:0]   total;
  reg        [24:0]   ringBase;
  reg        [24:0]   ringMask;
  wire                io_pop_fire;
  wire                io_push_fire;
  wire                noRoom;
  reg        [20:0]   page;
  reg        [21:0]   end_1;
  reg        [24:0]   wanted;
  reg                 swept;
  wire       [2:0]    lane;
  wire       [18:0]   entry;
  reg        [7:0]    todo;
  wire                loops;
  wire       [20:0]   _zz_inRange;
  wire       [20:0]   _zz_inRange_1;
  wire       [20:0]   _zz_inRange_2;
  wire       [20:0]   _zz_inRange_3;
  wire       [20:0]   _zz_inRange_4;
  wire       [20:0]   _zz_inRange_5;
  wire       [20:0]   _zz_inRange_6;
  wire       [20:0]   _zz_inRange_7;
  reg        [7:0]    inRange;
  reg                 isEnd;
  reg                 isLast;
  reg                 known;
  reg                 inside_1;
  reg                 allowed;
  reg                 own;
  reg                 spent;
  reg                 exceeds;
  reg                 noFrames;
  reg        [20:0]   left;
  wire       [1:0]    needed;
  wire                tooFew;
  reg        [2:0]    bursts;
  reg        [2:0]    owed;
  reg                 zeroFailed;
  wire                io_write_2_fire;
  wire       [2:0]    _zz_record_rights_read;
  wire       [4:0]    _zz_state;
  wire       [7:0]    _zz_todo;
  wire       [4:0]    _zz_state_1;
  wire       [4:0]    _zz_state_2;
  wire       [4:0]    _zz_state_3;
  wire                _zz_todo_1;
  wire                _zz_todo_2;
  wire                _zz_todo_3;
  wire                _zz_todo_4;
  wire                _zz_todo_5;
  wire                _zz_todo_6;
  wire       [7:0]    _zz_todo_7;
  wire       [7:0]    _zz_io_push_payload;
  wire                _zz_io_push_payload_1;
  wire                _zz_io_push_payload_2;
  wire                _zz_io_push_payload_3;
  wire                _zz_io_push_payload_4;
  wire                _zz_io_push_payload_5;
  wire                _zz_io_push_payload_6;
  wire                _zz_io_push_payload_7;
  wire                _zz_io_push_valid;
  reg [116:0] segments [0:255];
  reg [48:0] fillers [0:1023];

  assign _zz_when_1 = (! known);
  assign _zz_when_2 = (! inside_1);
  assign _zz_when_3 = (! allowed);
  assign _zz_when_15 = (! lines_io_there[lane]);
  assign _zz_when_20 = (r_operation == LeafOperation_GIVE_UP);
  assign _zz_when_21 = (! loops);
  assign _zz_when_23 = ((! _zz_io_push_valid) || io_push_fire);
  assign _zz_when_4 = (r_operation == LeafOperation_CHECK);
  assign _zz_when_5 = ((r_operation == LeafOperation_STORE) && own);
  assign _zz_when_9 = (! record_valid);
  assign _zz_when_10 = (! record_closed);
  assign _zz_when_11 = (r_pages == 21'h0);
  assign _zz_when_12 = (! swept);
  assign _zz_when = ((r_operation == LeafOperation_PUBLISH) || (r_operation == LeafOperation_GIVE_UP));
  assign _zz_when_6 = (r_pages == 21'h0);
  assign _zz_when_7 = ((! record_valid) || record_closed);
  assign _zz_when_8 = (! record_valid);
  assign _zz_when_13 = (epochs_io_usable == 21'h0);
  assign _zz_when_14 = (total == 21'h0);
  assign _zz_when_16 = lines_io_there[lane];
  assign _zz_when_17 = (ring_io_pop_payload != 19'h0);
  assign _zz_when_18 = (r_operation == LeafOperation_POP);
  assign _zz_when_19 = (r_whole && r_first);
  assign _zz_when_22 = (_zz_io_push_valid && noRoom);
  assign _zz_when_24 = (walk == 10'h3ff);
  assign _zz_segments_port_2 = walk[7:0];
  assign _zz_inRange_8 = {1'd0, _zz_inRange_7};
  assign _zz_inRange_9 = {1'd0, _zz_inRange_6};
  assign _zz_inRange_10 = {1'd0, _zz_inRange_5};
  assign _zz_inRange_13 = {1'd0, _zz_inRange_4};
  assign _zz_inRange_15 = {1'd0, _zz_inRange_3};
  assign _zz_inRange_17 = {1'd0, _zz_inRange_2};
  assign _zz_inRange_19 = {1'd0, _zz_inRange_1};
  assign _zz_inRange_20 = {1'd0, _zz_inRange};
  assign _zz_isEnd = {1'd0, page};
  assign _zz_isLast = ({1'b0,page[20 : 3]} + _zz_isLast_1);
  assign _zz_isLast_2 = {1'b0,1'b1};
  assign _zz_isLast_1 = {17'd0, _zz_isLast_2};
  assign _zz_needed_1 = r_also;
  assign _zz_needed = {1'd0, _zz_needed_1};
  assign _zz_io_write_2_payload_line = bursts[1:0];
  assign _zz_owed = (owed + _zz_owed_1);
  assign _zz_owed_2 = io_write_2_fire;
  assign _zz_owed_1 = {2'd0, _zz_owed_2};
  assign _zz_owed_4 = memory_io_written_2_valid;
  assign _zz_owed_3 = {2'd0, _zz_owed_4};
  assign _zz_end_1_1 = {1'b0,1'b1};
  assign _zz_end_1 = {20'd0, _zz_end_1_1};
  assign _zz_wanted_1 = page[20 : 3];
  assign _zz_wanted = {7'd0, _zz_wanted_1};
  assign _zz_inside_1 = {1'd0, readRecord_entries};
  assign _zz_spent = {1'd0, readRecord_budget};
  assign _zz_spent_1 = ({1'b0,readRecord_used} + _zz_spent_2);
  assign _zz_spent_3 = {1'b0,needed};
  assign _zz_spent_2 = {19'd0, _zz_spent_3};
  assign _zz_left = (readRecord_entries - r_pages);
  assign _zz_exceeds = {1'd0, capacity};
  assign _zz_exceeds_1 = ({1'b0,total} + {1'b0,r_pages});
  assign _zz_wanted_3 = page[20 : 3];
  assign _zz_wanted_2 = {7'd0, _zz_wanted_3};
  assign _zz_inside_1_1 = {1'd0, readRecord_entries};
  assign _zz_spent_4 = {1'd0, readRecord_budget};
  assign _zz_spent_5 = ({1'b0,readRecord_used} + _zz_spent_6);
  assign _zz_spent_7 = {1'b0,needed};
  assign _zz_spent_6 = {19'd0, _zz_spent_7};
  assign _zz_left_1 = (readRecord_entries - r_pages);
  assign _zz_wanted_5 = left[20 : 3];
  assign _zz_wanted_4 = {7'd0, _zz_wanted_5};
  assign _zz_capacity = ({3'd0,_zz_capacity_1} <<< 2'd3);
  assign _zz_capacity_1 = (r_page + 21'h000001);
  assign _zz_page = (page[20 : 3] + 18'h00001);
  assign _zz_isEnd_1 = ({1'b0,page} + _zz_isEnd_2);
  assign _zz_isEnd_3 = {1'b0,1'b1};
  assign _zz_isEnd_2 = {20'd0, _zz_isEnd_3};
  assign _zz__zz_readRecord_valid_1 = 1'b1;
  assign _zz_segments_port_1 = ((state_2 == LeafState_CLEAN) ? _zz_segments_port_2 : target);
  assign _zz_segments_port_3 = {stored_used,{stored_budget,{stored_entries,{stored_line,{{stored_rights_atomic,{stored_rights_write,stored_rights_read}},{stored_pid,{stored_closed,stored_valid}}}}}}};
  assign _zz__zz_readFilling_valid_1 = 1'b1;
  assign _zz_fillers_port_1 = {storedFilling_frame,{storedFilling_page,{storedFilling_segment,storedFilling_valid}}};
  assign _zz_io_push_payload_9 = {_zz_io_push_payload_7,{_zz_io_push_payload_6,_zz_io_push_payload_5}};
  assign _zz_inRange_11 = (page <= _zz_inRange_4);
  assign _zz_inRange_12 = (_zz_inRange_13 < end_1);
  assign _zz_inRange_14 = ((page <= _zz_inRange_3) && (_zz_inRange_15 < end_1));
  assign _zz_inRange_16 = ((page <= _zz_inRange_2) && (_zz_inRange_17 < end_1));
  assign _zz_inRange_18 = {((page <= _zz_inRange_1) && (_zz_inRange_19 < end_1)),((page <= _zz_inRange) && (_zz_inRange_20 < end_1))};
  assign _zz__zz_todo_7 = (((_zz__zz_todo_7_1 || _zz_todo_2) || _zz_todo_3) || _zz_todo_4);
  assign _zz__zz_todo_7_2 = (((_zz__zz_todo_7_3 || _zz_todo_2) || _zz_todo_3) || _zz_todo_4);
  assign _zz__zz_todo_7_4 = (((_zz__zz_todo_7_5 || _zz_todo_2) || _zz_todo_3) || _zz_todo_4);
  assign _zz__zz_todo_7_6 = todo[4];
  assign _zz__zz_todo_7_7 = (((_zz__zz_todo_7_8 || _zz_todo_2) || _zz_todo_3) || _zz_todo_4);
  assign _zz__zz_todo_7_9 = (todo[3] && ((_zz__zz_todo_7_10 || _zz_todo_2) || _zz_todo_3));
  assign _zz__zz_todo_7_11 = (todo[2] && (_zz__zz_todo_7_12 || _zz_todo_2));
  assign _zz__zz_todo_7_13 = {(_zz__zz_todo_7_14 && _zz__zz_todo_7_15),(_zz__zz_todo_7_16 && _zz__zz_todo_7_17)};
  assign _zz__zz_todo_7_1 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_3 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_5 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_8 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_10 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_12 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_14 = todo[1];
  assign _zz__zz_todo_7_15 = (1'b0 || _zz_todo_1);
  assign _zz__zz_todo_7_16 = todo[0];
  assign _zz__zz_todo_7_17 = 1'b0;
  always @(posedge clk) begin
    if(_zz__zz_readRecord_valid_1) begin
      segments_spinal_port0 <= segments[_zz_readRecord_valid];
    end
  end

  always @(posedge clk) begin
    if(storesRecord) begin
      segments[_zz_segments_port_1] <= _zz_segments_port_3;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_readFilling_valid_1) begin
      fillers_spinal_port0 <= fillers[_zz_readFilling_valid];
    end
  end

  always @(posedge clk) begin
    if(storesFilling) begin
      fillers[filler] <= _zz_fillers_port_1;
    end
  end

  LeafMemory memory (
    .io_read_0_valid             (lines_io_read_valid                   ), //i
    .io_read_0_ready             (memory_io_read_0_ready                ), //o
    .io_read_0_payload           (lines_io_read_payload[24:0]           ), //i
    .io_read_1_valid             (ring_io_read_valid                    ), //i
    .io_read_1_ready             (memory_io_read_1_ready                ), //o
    .io_read_1_payload           (ring_io_read_payload[24:0]            ), //i
    .io_got_0_valid              (memory_io_got_0_valid                 ), //o
    .io_got_0_payload_frames_0   (memory_io_got_0_payload_frames_0[18:0]), //o
    .io_got_0_payload_frames_1   (memory_io_got_0_payload_frames_1[18:0]), //o
    .io_got_0_payload_frames_2   (memory_io_got_0_payload_frames_2[18:0]), //o
    .io_got_0_payload_frames_3   (memory_io_got_0_payload_frames_3[18:0]), //o
    .io_got_0_payload_frames_4   (memory_io_got_0_payload_frames_4[18:0]), //o
    .io_got_0_payload_frames_5   (memory_io_got_0_payload_frames_5[18:0]), //o
    .io_got_0_payload_frames_6   (memory_io_got_0_payload_frames_6[18:0]), //o
    .io_got_0_payload_frames_7   (memory_io_got_0_payload_frames_7[18:0]), //o
    .io_got_0_payload_error      (memory_io_got_0_payload_error         ), //o
    .io_got_1_valid              (memory_io_got_1_valid                 ), //o
    .io_got_1_payload_frames_0   (memory_io_got_1_payload_frames_0[18:0]), //o
    .io_got_1_payload_frames_1   (memory_io_got_1_payload_frames_1[18:0]), //o
    .io_got_1_payload_frames_2   (memory_io_got_1_payload_frames_2[18:0]), //o
    .io_got_1_payload_frames_3   (memory_io_got_1_payload_frames_3[18:0]), //o
    .io_got_1_payload_frames_4   (memory_io_got_1_payload_frames_4[18:0]), //o
    .io_got_1_payload_frames_5   (memory_io_got_1_payload_frames_5[18:0]), //o
    .io_got_1_payload_frames_6   (memory_io_got_1_payload_frames_6[18:0]), //o
    .io_got_1_payload_frames_7   (memory_io_got_1_payload_frames_7[18:0]), //o
    .io_got_1_payload_error      (memory_io_got_1_payload_error         ), //o
    .io_write_0_valid            (lines_io_write_valid                  ), //i
    .io_write_0_ready            (memory_io_write_0_ready               ), //o
    .io_write_0_payload_line     (lines_io_write_payload_line[24:0]     ), //i
    .io_write_0_payload_frames_0 (lines_io_write_payload_frames_0[18:0] ), //i
    .io_write_0_payload_frames_1 (lines_io_write_payload_frames_1[18:0] ), //i
    .io_write_0_payload_frames_2 (lines_io_write_payload_frames_2[18:0] ), //i
    .io_write_0_payload_frames_3 (lines_io_write_payload_frames_3[18:0] ), //i
    .io_write_0_payload_frames_4 (lines_io_write_payload_frames_4[18:0] ), //i
    .io_write_0_payload_frames_5 (lines_io_write_payload_frames_5[18:0] ), //i
    .io_write_0_payload_frames_6 (lines_io_write_payload_frames_6[18:0] ), //i
    .io_write_0_payload_frames_7 (lines_io_write_payload_frames_7[18:0] ), //i
    .io_write_0_payload_zeros    (lines_io_write_payload_zeros          ), //i
    .io_write_1_valid            (ring_io_write_valid                   ), //i
    .io_write_1_ready            (memory_io_write_1_ready               ), //o
    .io_write_1_payload_line     (ring_io_write_payload_line[24:0]      ), //i
    .io_write_1_payload_frames_0 (ring_io_write_payload_frames_0[18:0]  ), //i
    .io_write_1_payload_frames_1 (ring_io_write_payload_frames_1[18:0]  ), //i
    .io_write_1_payload_frames_2 (ring_io_write_payload_frames_2[18:0]  ), //i
    .io_write_1_payload_frames_3 (ring_io_write_payload_frames_3[18:0]  ), //i
    .io_write_1_payload_frames_4 (ring_io_write_payload_frames_4[18:0]  ), //i
    .io_write_1_payload_frames_5 (ring_io_write_payload_frames_5[18:0]  ), //i
    .io_write_1_payload_frames_6 (ring_io_write_payload_frames_6[18:0]  ), //i
    .io_write_1_payload_frames_7 (ring_io_write_payload_frames_7[18:0]  ), //i
    .io_write_1_payload_zeros    (1'b0                                  ), //i
    .io_write_2_valid            (memory_io_write_2_valid               ), //i
    .io_write_2_ready            (memory_io_write_2_ready               ), //o
    .io_write_2_payload_line     (memory_io_write_2_payload_line[24:0]  ), //i
    .io_write_2_payload_frames_0 (19'h0                                 ), //i
    .io_write_2_payload_frames_1 (19'h0                                 ), //i
    .io_write_2_payload_frames_2 (19'h0                                 ), //i
    .io_write_2_payload_frames_3 (19'h0                                 ), //i
    .io_write_2_payload_frames_4 (19'h0                                 ), //i
    .io_write_2_payload_frames_5 (19'h0                                 ), //i
    .io_write_2_payload_frames_6 (19'h0                                 ), //i
    .io_write_2_payload_frames_7 (19'h0                                 ), //i
    .io_write_2_payload_zeros    (1'b1                                  ), //i
    .io_written_0_valid          (memory_io_written_0_valid             ), //o
    .io_written_0_payload        (memory_io_written_0_payload           ), //o
    .io_written_1_valid          (memory_io_written_1_valid             ), //o
    .io_written_1_payload        (memory_io_written_1_payload           ), //o
    .io_written_2_valid          (memory_io_written_2_valid             ), //o
    .io_written_2_payload        (memory_io_written_2_payload           ), //o
    .io_mem_aw_valid             (memory_io_mem_aw_valid                ), //o
    .io_mem_aw_ready             (io_mem_aw_ready                       ), //i
    .io_mem_aw_payload_addr      (memory_io_mem_aw_payload_addr[30:0]   ), //o
    .io_mem_aw_payload_id        (memory_io_mem_aw_payload_id[1:0]      ), //o
    .io_mem_aw_payload_len       (memory_io_mem_aw_payload_len[7:0]     ), //o
    .io_mem_aw_payload_size      (memory_io_mem_aw_payload_size[2:0]    ), //o
    .io_mem_aw_payload_burst     (memory_io_mem_aw_payload_burst[1:0]   ), //o
    .io_mem_w_valid              (memory_io_mem_w_valid                 ), //o
    .io_mem_w_ready              (io_mem_w_ready                        ), //i
    .io_mem_w_payload_data       (memory_io_mem_w_payload_data[511:0]   ), //o
    .io_mem_w_payload_strb       (memory_io_mem_w_payload_strb[63:0]    ), //o
    .io_mem_w_payload_last       (memory_io_mem_w_payload_last          ), //o
    .io_mem_b_valid              (io_mem_b_valid                        ), //i
    .io_mem_b_ready              (memory_io_mem_b_ready                 ), //o
    .io_mem_b_payload_id         (io_mem_b_payload_id[1:0]              ), //i
    .io_mem_b_payload_resp       (io_mem_b_payload_resp[1:0]            ), //i
    .io_mem_ar_valid             (memory_io_mem_ar_valid                ), //o
    .io_mem_ar_ready             (io_mem_ar_ready                       ), //i
    .io_mem_ar_payload_addr      (memory_io_mem_ar_payload_addr[30:0]   ), //o
    .io_mem_ar_payload_id        (memory_io_mem_ar_payload_id[1:0]      ), //o
    .io_mem_ar_payload_len       (memory_io_mem_ar_payload_len[7:0]     ), //o
    .io_mem_ar_payload_size      (memory_io_mem_ar_payload_size[2:0]    ), //o
    .io_mem_ar_payload_burst     (memory_io_mem_ar_payload_burst[1:0]   ), //o
    .io_mem_r_valid              (io_mem_r_valid                        ), //i
    .io_mem_r_ready              (memory_io_mem_r_ready                 ), //o
    .io_mem_r_payload_data       (io_mem_r_payload_data[511:0]          ), //i
    .io_mem_r_payload_id         (io_mem_r_payload_id[1:0]              ), //i
    .io_mem_r_payload_resp       (io_mem_r_payload_resp[1:0]            ), //i
    .clk                         (clk                                   ), //i
    .reset                       (reset                                 )  //i
  );
  LeafLines lines (
    .io_ask_valid              (lines_io_ask_valid                    ), //i
    .io_ask_ready              (lines_io_ask_ready                    ), //o
    .io_ask_payload            (wanted[24:0]                          ), //i
    .io_ended_valid            (lines_io_ended_valid                  ), //o
    .io_ended_payload          (lines_io_ended_payload                ), //o
    .io_line_0                 (lines_io_line_0[18:0]                 ), //o
    .io_line_1                 (lines_io_line_1[18:0]                 ), //o
    .io_line_2                 (lines_io_line_2[18:0]                 ), //o
    .io_line_3                 (lines_io_line_3[18:0]                 ), //o
    .io_line_4                 (lines_io_line_4[18:0]                 ), //o
    .io_line_5                 (lines_io_line_5[18:0]                 ), //o
    .io_line_6                 (lines_io_line_6[18:0]                 ), //o
    .io_line_7                 (lines_io_line_7[18:0]                 ), //o
    .io_there                  (lines_io_there[7:0]                   ), //o
    .io_change_valid           (lines_io_change_valid                 ), //i
    .io_change_ready           (lines_io_change_ready                 ), //o
    .io_change_payload_0       (lines_io_change_payload_0[18:0]       ), //i
    .io_change_payload_1       (lines_io_change_payload_1[18:0]       ), //i
    .io_change_payload_2       (lines_io_change_payload_2[18:0]       ), //i
    .io_change_payload_3       (lines_io_change_payload_3[18:0]       ), //i
    .io_change_payload_4       (lines_io_change_payload_4[18:0]       ), //i
    .io_change_payload_5       (lines_io_change_payload_5[18:0]       ), //i
    .io_change_payload_6       (lines_io_change_payload_6[18:0]       ), //i
    .io_change_payload_7       (lines_io_change_payload_7[18:0]       ), //i
    .io_read_valid             (lines_io_read_valid                   ), //o
    .io_read_ready             (memory_io_read_0_ready                ), //i
    .io_read_payload           (lines_io_read_payload[24:0]           ), //o
    .io_got_valid              (memory_io_got_0_valid                 ), //i
    .io_got_payload_frames_0   (memory_io_got_0_payload_frames_0[18:0]), //i
    .io_got_payload_frames_1   (memory_io_got_0_payload_frames_1[18:0]), //i
    .io_got_payload_frames_2   (memory_io_got_0_payload_frames_2[18:0]), //i
    .io_got_payload_frames_3   (memory_io_got_0_payload_frames_3[18:0]), //i
    .io_got_payload_frames_4   (memory_io_got_0_payload_frames_4[18:0]), //i
    .io_got_payload_frames_5   (memory_io_got_0_payload_frames_5[18:0]), //i
    .io_got_payload_frames_6   (memory_io_got_0_payload_frames_6[18:0]), //i
    .io_got_payload_frames_7   (memory_io_got_0_payload_frames_7[18:0]), //i
    .io_got_payload_error      (memory_io_got_0_payload_error         ), //i
    .io_write_valid            (lines_io_write_valid                  ), //o
    .io_write_ready            (memory_io_write_0_ready               ), //i
    .io_write_payload_line     (lines_io_write_payload_line[24:0]     ), //o
    .io_write_payload_frames_0 (lines_io_write_payload_frames_0[18:0] ), //o
    .io_write_payload_frames_1 (lines_io_write_payload_frames_1[18:0] ), //o
    .io_write_payload_frames_2 (lines_io_write_payload_frames_2[18:0] ), //o
    .io_write_payload_frames_3 (lines_io_write_payload_frames_3[18:0] ), //o
    .io_write_payload_frames_4 (lines_io_write_payload_frames_4[18:0] ), //o
    .io_write_payload_frames_5 (lines_io_write_payload_frames_5[18:0] ), //o
    .io_write_payload_frames_6 (lines_io_write_payload_frames_6[18:0] ), //o
    .io_write_payload_frames_7 (lines_io_write_payload_frames_7[18:0] ), //o
    .io_write_payload_zeros    (lines_io_write_payload_zeros          ), //o
    .io_written_valid          (memory_io_written_0_valid             ), //i
    .io_written_payload        (memory_io_written_0_payload           ), //i
    .io_memoryError            (lines_io_memoryError                  ), //o
    .io_clean                  (lines_io_clean                        ), //o
    .clk                       (clk                                   ), //i
    .reset                     (reset                                 )  //i
  );
  FrameRing ring (
    .io_push_valid             (ring_io_push_valid                    ), //i
    .io_push_ready             (ring_io_push_ready                    ), //o
    .io_push_payload           (ring_io_push_payload[18:0]            ), //i
    .io_pop_valid              (ring_io_pop_valid                     ), //o
    .io_pop_ready              (ring_io_pop_ready                     ), //i
    .io_pop_payload            (ring_io_pop_payload[18:0]             ), //o
    .io_room                   (ring_io_room                          ), //o
    .io_stuck                  (ring_io_stuck                         ), //o
    .io_base                   (ringBase[24:0]                        ), //i
    .io_mask                   (ringMask[24:0]                        ), //i
    .io_read_valid             (ring_io_read_valid                    ), //o
    .io_read_ready             (memory_io_read_1_ready                ), //i
    .io_read_payload           (ring_io_read_payload[24:0]            ), //o
    .io_got_valid              (memory_io_got_1_valid                 ), //i
    .io_got_payload_frames_0   (memory_io_got_1_payload_frames_0[18:0]), //i
    .io_got_payload_frames_1   (memory_io_got_1_payload_frames_1[18:0]), //i
    .io_got_payload_frames_2   (memory_io_got_1_payload_frames_2[18:0]), //i
    .io_got_payload_frames_3   (memory_io_got_1_payload_frames_3[18:0]), //i
    .io_got_payload_frames_4   (memory_io_got_1_payload_frames_4[18:0]), //i
    .io_got_payload_frames_5   (memory_io_got_1_payload_frames_5[18:0]), //i
    .io_got_payload_frames_6   (memory_io_got_1_payload_frames_6[18:0]), //i
    .io_got_payload_frames_7   (memory_io_got_1_payload_frames_7[18:0]), //i
    .io_got_payload_error      (memory_io_got_1_payload_error         ), //i
    .io_write_valid            (ring_io_write_valid                   ), //o
    .io_write_ready            (memory_io_write_1_ready               ), //i
    .io_write_payload_line     (ring_io_write_payload_line[24:0]      ), //o
    .io_write_payload_frames_0 (ring_io_write_payload_frames_0[18:0]  ), //o
    .io_write_payload_frames_1 (ring_io_write_payload_frames_1[18:0]  ), //o
    .io_write_payload_frames_2 (ring_io_write_payload_frames_2[18:0]  ), //o
    .io_write_payload_frames_3 (ring_io_write_payload_frames_3[18:0]  ), //o
    .io_write_payload_frames_4 (ring_io_write_payload_frames_4[18:0]  ), //o
    .io_write_payload_frames_5 (ring_io_write_payload_frames_5[18:0]  ), //o
    .io_write_payload_frames_6 (ring_io_write_payload_frames_6[18:0]  ), //o
    .io_write_payload_frames_7 (ring_io_write_payload_frames_7[18:0]  ), //o
    .io_written_valid          (memory_io_written_1_valid             ), //i
    .io_written_payload        (memory_io_written_1_payload           ), //i
    .io_memoryError            (ring_io_memoryError                   ), //o
    .io_lineLost               (ring_io_lineLost                      ), //o
    .clk                       (clk                                   ), //i
    .reset                     (reset                                 )  //i
  );
  FrameEpochs epochs (
    .io_begins       (epochs_io_begins       ), //i
    .io_now          (epochs_io_now          ), //o
    .io_ends_valid   (io_ends_valid          ), //i
    .io_ends_payload (io_ends_payload        ), //i
    .io_freed        (epochs_io_freed        ), //i
    .io_came         (epochs_io_came         ), //i
    .io_taken        (io_pop_fire            ), //i
    .io_usable       (epochs_io_usable[20:0] ), //o
    .io_waiting      (epochs_io_waiting[20:0]), //o
    .clk             (clk                    ), //i
    .reset           (reset                  )  //i
  );
  always @(*) begin
    case(lane)
      3'b000 : _zz_entry = lines_io_line_0;
      3'b001 : _zz_entry = lines_io_line_1;
      3'b010 : _zz_entry = lines_io_line_2;
      3'b011 : _zz_entry = lines_io_line_3;
      3'b100 : _zz_entry = lines_io_line_4;
      3'b101 : _zz_entry = lines_io_line_5;
      3'b110 : _zz_entry = lines_io_line_6;
      default : _zz_entry = lines_io_line_7;
    endcase
  end

  always @(*) begin
    case(_zz_io_push_payload_9)
      3'b000 : _zz_io_push_payload_8 = lines_io_line_0;
      3'b001 : _zz_io_push_payload_8 = lines_io_line_1;
      3'b010 : _zz_io_push_payload_8 = lines_io_line_2;
      3'b011 : _zz_io_push_payload_8 = lines_io_line_3;
      3'b100 : _zz_io_push_payload_8 = lines_io_line_4;
      3'b101 : _zz_io_push_payload_8 = lines_io_line_5;
      3'b110 : _zz_io_push_payload_8 = lines_io_line_6;
      default : _zz_io_push_payload_8 = lines_io_line_7;
    endcase
  end

  assign io_request_fire = (io_request_valid && io_request_ready);
  always @(*) begin
    events_right = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
        case(r_operation)
          LeafOperation_LOOK, LeafOperation_STORE, LeafOperation_CHECK, LeafOperation_FREE : begin
            if(!_zz_when_1) begin
              if(!_zz_when_2) begin
                if(_zz_when_3) begin
                  events_right = 1'b1;
                end
              end
            end
          end
          LeafOperation_PUBLISH : begin
          end
          LeafOperation_GIVE_UP : begin
          end
          LeafOperation_CREATE : begin
          end
          LeafOperation_SET_RIGHTS : begin
          end
          LeafOperation_CLOSE : begin
          end
          LeafOperation_SWEEP : begin
          end
          LeafOperation_PUSH : begin
          end
          LeafOperation_POP : begin
          end
          LeafOperation_RING : begin
          end
          default : begin
          end
        endcase
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_outside = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
        case(r_operation)
          LeafOperation_LOOK, LeafOperation_STORE, LeafOperation_CHECK, LeafOperation_FREE : begin
            if(!_zz_when_1) begin
              if(_zz_when_2) begin
                events_outside = 1'b1;
              end
            end
          end
          LeafOperation_PUBLISH : begin
          end
          LeafOperation_GIVE_UP : begin
          end
          LeafOperation_CREATE : begin
          end
          LeafOperation_SET_RIGHTS : begin
          end
          LeafOperation_CLOSE : begin
          end
          LeafOperation_SWEEP : begin
          end
          LeafOperation_PUSH : begin
          end
          LeafOperation_POP : begin
          end
          LeafOperation_RING : begin
          end
          default : begin
          end
        endcase
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_unmapped = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
        if(lines_io_ended_valid) begin
          if(!lines_io_ended_payload) begin
            case(r_operation)
              LeafOperation_LOOK : begin
                if(_zz_when_15) begin
                  events_unmapped = 1'b1;
                end
              end
              LeafOperation_STORE : begin
              end
              LeafOperation_PUBLISH : begin
              end
              default : begin
              end
            endcase
          end
        end
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_ringEmpty = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
        if(!spent) begin
          if(tooFew) begin
            events_ringEmpty = 1'b1;
          end
        end
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_budgetSpent = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
        if(spent) begin
          events_budgetSpent = 1'b1;
        end
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_taken = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
        events_taken = 1'b1;
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_freed = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
        if(io_push_fire) begin
          events_freed = 1'b1;
          if(_zz_when_20) begin
            events_freed = 1'b0;
          end
        end
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
        if(ring_io_push_ready) begin
          events_freed = 1'b1;
        end
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    events_memoryError = 1'b0;
    if(((lines_io_memoryError || ring_io_memoryError) || (memory_io_written_2_valid && memory_io_written_2_payload))) begin
      events_memoryError = 1'b1;
    end
  end

  always @(*) begin
    events_lineLost = 1'b0;
    if(ring_io_lineLost) begin
      events_lineLost = 1'b1;
    end
  end

  assign io_events_right = events_regNext_right;
  assign io_events_outside = events_regNext_outside;
  assign io_events_unmapped = events_regNext_unmapped;
  assign io_events_ringEmpty = events_regNext_ringEmpty;
  assign io_events_budgetSpent = events_regNext_budgetSpent;
  assign io_events_taken = events_regNext_taken;
  assign io_events_freed = events_regNext_freed;
  assign io_events_memoryError = events_regNext_memoryError;
  assign io_events_lineLost = events_regNext_lineLost;
  assign io_mem_ar_valid = memory_io_mem_ar_valid;
  assign io_mem_ar_payload_addr = memory_io_mem_ar_payload_addr;
  assign io_mem_ar_payload_id = memory_io_mem_ar_payload_id;
  assign io_mem_ar_payload_len = memory_io_mem_ar_payload_len;
  assign io_mem_ar_payload_size = memory_io_mem_ar_payload_size;
  assign io_mem_ar_payload_burst = memory_io_mem_ar_payload_burst;
  assign io_mem_aw_valid = memory_io_mem_aw_valid;
  assign io_mem_aw_payload_addr = memory_io_mem_aw_payload_addr;
  assign io_mem_aw_payload_id = memory_io_mem_aw_payload_id;
  assign io_mem_aw_payload_len = memory_io_mem_aw_payload_len;
  assign io_mem_aw_payload_size = memory_io_mem_aw_payload_size;
  assign io_mem_aw_payload_burst = memory_io_mem_aw_payload_burst;
  assign io_mem_w_valid = memory_io_mem_w_valid;
  assign io_mem_w_payload_data = memory_io_mem_w_payload_data;
  assign io_mem_w_payload_strb = memory_io_mem_w_payload_strb;
  assign io_mem_w_payload_last = memory_io_mem_w_payload_last;
  assign io_mem_r_ready = memory_io_mem_r_ready;
  assign io_mem_b_ready = memory_io_mem_b_ready;
  assign idle = (state_2 == LeafState_IDLE);
  assign _zz_readRecord_valid = (idle ? io_request_payload_segment : target);
  assign _zz_readRecord_valid_1 = segments_spinal_port0;
  assign readRecord_valid = _zz_readRecord_valid_1[0];
  assign readRecord_closed = _zz_readRecord_valid_1[1];
  assign readRecord_pid = _zz_readRecord_valid_1[25 : 2];
  assign _zz_readRecord_rights_read = _zz_readRecord_valid_1[28 : 26];
  assign readRecord_rights_read = _zz_readRecord_rights_read[0];
  assign readRecord_rights_write = _zz_readRecord_rights_read[1];
  assign readRecord_rights_atomic = _zz_readRecord_rights_read[2];
  assign readRecord_line = _zz_readRecord_valid_1[53 : 29];
  assign readRecord_entries = _zz_readRecord_valid_1[74 : 54];
  assign readRecord_budget = _zz_readRecord_valid_1[95 : 75];
  assign readRecord_used = _zz_readRecord_valid_1[116 : 96];
  assign _zz_readFilling_valid = (idle ? io_request_payload_filler : walk);
  assign _zz_readFilling_valid_1 = fillers_spinal_port0;
  assign readFilling_valid = _zz_readFilling_valid_1[0];
  assign readFilling_segment = _zz_readFilling_valid_1[8 : 1];
  assign readFilling_page = _zz_readFilling_valid_1[29 : 9];
  assign readFilling_frame = _zz_readFilling_valid_1[48 : 30];
  always @(*) begin
    storesRecord = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
        storesRecord = 1'b1;
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
        storesRecord = 1'b1;
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
        storesRecord = 1'b1;
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
        storesRecord = 1'b1;
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    storesFilling = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
        storesFilling = 1'b1;
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
        storesFilling = 1'b1;
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
        if(io_push_fire) begin
          if(_zz_when_20) begin
            storesFilling = 1'b1;
          end
        end
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
        if(lines_io_change_ready) begin
          if(_zz_when_21) begin
            storesFilling = (r_operation == LeafOperation_PUBLISH);
          end
        end
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
        if(_zz_when_23) begin
          if(_zz_io_push_valid) begin
            storesFilling = 1'b1;
          end
        end
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    stored_valid = record_valid;
    case(state_2)
      LeafState_CLEAN : begin
        stored_valid = 1'b0;
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  assign stored_closed = record_closed;
  assign stored_pid = record_pid;
  assign stored_rights_read = record_rights_read;
  assign stored_rights_write = record_rights_write;
  assign stored_rights_atomic = record_rights_atomic;
  assign stored_line = record_line;
  assign stored_entries = record_entries;
  assign stored_budget = record_budget;
  assign stored_used = record_used;
  always @(*) begin
    storedFilling_valid = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
        storedFilling_valid = 1'b1;
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  assign storedFilling_segment = r_segment;
  assign storedFilling_page = r_page;
  assign storedFilling_frame = answer_frame;
  always @(*) begin
    filler = r_filler;
    case(state_2)
      LeafState_CLEAN : begin
        filler = walk;
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
        filler = walk;
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  assign ring_io_pop_ready = (state_2 == LeafState_POP);
  always @(*) begin
    ring_io_push_valid = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
        ring_io_push_valid = 1'b1;
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
        ring_io_push_valid = 1'b1;
      end
      LeafState_REPLACE : begin
        ring_io_push_valid = ring_io_room;
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
        ring_io_push_valid = 1'b1;
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
        ring_io_push_valid = (_zz_io_push_valid && ring_io_room);
      end
      LeafState_PUSH : begin
        ring_io_push_valid = ((! isEnd) && ring_io_room);
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    ring_io_push_payload = answer_frame;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
        ring_io_push_payload = filling_frame;
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
        ring_io_push_payload = ((r_operation == LeafOperation_PUBLISH) ? entry : answer_frame);
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
        ring_io_push_payload = _zz_io_push_payload_8;
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
        ring_io_push_payload = readFilling_frame;
      end
      LeafState_PUSH : begin
        ring_io_push_payload = page[18:0];
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  assign io_pop_fire = (ring_io_pop_valid && ring_io_pop_ready);
  assign io_push_fire = (ring_io_push_valid && ring_io_push_ready);
  assign epochs_io_came = (io_push_fire && (r_operation == LeafOperation_PUSH));
  assign epochs_io_freed = (io_push_fire && (! (r_operation == LeafOperation_PUSH)));
  always @(*) begin
    epochs_io_begins = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
      end
      LeafState_LINE : begin
        if(lines_io_ended_valid) begin
          if(!lines_io_ended_payload) begin
            case(r_operation)
              LeafOperation_LOOK : begin
                if(!_zz_when_15) begin
                  epochs_io_begins = r_begins;
                end
              end
              LeafOperation_STORE : begin
              end
              LeafOperation_PUBLISH : begin
              end
              default : begin
              end
            endcase
          end
        end
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  assign noRoom = ((! ring_io_room) && ring_io_stuck);
  assign lane = page[2:0];
  assign entry = _zz_entry;
  always @(*) begin
    lines_io_ask_valid = 1'b0;
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
      end
      LeafState_LOAD : begin
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
      end
      LeafState_JUDGE : begin
        case(r_operation)
          LeafOperation_LOOK, LeafOperation_STORE, LeafOperation_CHECK, LeafOperation_FREE : begin
            if(!_zz_when_1) begin
              if(!_zz_when_2) begin
                if(!_zz_when_3) begin
                  if(!_zz_when_4) begin
                    if(!_zz_when_5) begin
                      lines_io_ask_valid = 1'b1;
                    end
                  end
                end
              end
            end
          end
          LeafOperation_PUBLISH : begin
            lines_io_ask_valid = 1'b1;
          end
          LeafOperation_GIVE_UP : begin
          end
          LeafOperation_CREATE : begin
          end
          LeafOperation_SET_RIGHTS : begin
          end
          LeafOperation_CLOSE : begin
          end
          LeafOperation_SWEEP : begin
            if(!_zz_when_9) begin
              if(!_zz_when_10) begin
                if(!_zz_when_11) begin
                  if(!_zz_when_12) begin
                    lines_io_ask_valid = 1'b1;
                  end
                end
              end
            end
          end
          LeafOperation_PUSH : begin
          end
          LeafOperation_POP : begin
          end
          LeafOperation_RING : begin
          end
          default : begin
          end
        endcase
      end
      LeafState_LINE : begin
      end
      LeafState_SHORT : begin
      end
      LeafState_POP : begin
      end
      LeafState_TAKEN : begin
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
      end
      LeafState_OLD_PUSH : begin
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
      end
      LeafState_ZERO : begin
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
      end
      LeafState_REPLACE : begin
      end
      LeafState_ROOM : begin
      end
      LeafState_GATHER : begin
      end
      LeafState_CHANGE : begin
      end
      LeafState_NEXT_1 : begin
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
      end
      LeafState_PUSH : begin
      end
      LeafState_STORE_RECORD : begin
      end
      default : begin
      end
    endcase
  end

  assign lines_io_change_valid = (state_2 == LeafState_CHANGE);
  assign loops = ((r_operation == LeafOperation_FREE) || (r_operation == LeafOperation_SWEEP));
  assign _zz_inRange = {page[20 : 3],3'b000};
  assign _zz_inRange_1 = {page[20 : 3],3'b001};
  assign _zz_inRange_2 = {page[20 : 3],3'b010};
  assign _zz_inRange_3 = {page[20 : 3],3'b011};
  assign _zz_inRange_4 = {page[20 : 3],3'b100};
  assign _zz_inRange_5 = {page[20 : 3],3'b101};
  assign _zz_inRange_6 = {page[20 : 3],3'b110};
  assign _zz_inRange_7 = {page[20 : 3],3'b111};
  always @(*) begin
    lines_io_change_payload_0 = lines_io_line_0;
    if((loops && inRange[0])) begin
      lines_io_change_payload_0 = 19'h0;
    end
    if(((! loops) && (lane == 3'b000))) begin
      lines_io_change_payload_0 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_1 = lines_io_line_1;
    if((loops && inRange[1])) begin
      lines_io_change_payload_1 = 19'h0;
    end
    if(((! loops) && (lane == 3'b001))) begin
      lines_io_change_payload_1 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_2 = lines_io_line_2;
    if((loops && inRange[2])) begin
      lines_io_change_payload_2 = 19'h0;
    end
    if(((! loops) && (lane == 3'b010))) begin
      lines_io_change_payload_2 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_3 = lines_io_line_3;
    if((loops && inRange[3])) begin
      lines_io_change_payload_3 = 19'h0;
    end
    if(((! loops) && (lane == 3'b011))) begin
      lines_io_change_payload_3 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_4 = lines_io_line_4;
    if((loops && inRange[4])) begin
      lines_io_change_payload_4 = 19'h0;
    end
    if(((! loops) && (lane == 3'b100))) begin
      lines_io_change_payload_4 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_5 = lines_io_line_5;
    if((loops && inRange[5])) begin
      lines_io_change_payload_5 = 19'h0;
    end
    if(((! loops) && (lane == 3'b101))) begin
      lines_io_change_payload_5 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_6 = lines_io_line_6;
    if((loops && inRange[6])) begin
      lines_io_change_payload_6 = 19'h0;
    end
    if(((! loops) && (lane == 3'b110))) begin
      lines_io_change_payload_6 = answer_frame;
    end
  end

  always @(*) begin
    lines_io_change_payload_7 = lines_io_line_7;
    if((loops && inRange[7])) begin
      lines_io_change_payload_7 = 19'h0;
    end
    if(((! loops) && (lane == 3'b111))) begin
      lines_io_change_payload_7 = answer_frame;
    end
  end

  assign needed = (2'b01 + _zz_needed);
  assign tooFew = ((epochs_io_usable[20 : 1] == 20'h0) && (r_also || (! epochs_io_usable[0])));
  assign memory_io_write_2_valid = (state_2 == LeafState_ZERO);
  assign memory_io_write_2_payload_line = {{answer_frame,_zz_io_write_2_payload_line},4'b0000};
  assign io_write_2_fire = (memory_io_write_2_valid && memory_io_write_2_ready);
  assign io_request_ready = idle;
  assign io_answer_valid = (state_2 == LeafState_ANSWER);
  assign io_answer_payload_status = answer_status;
  assign io_answer_payload_frame = answer_frame;
  assign io_answer_payload_hidden = answer_hidden;
  assign io_answer_payload_epoch = answer_epoch;
  assign io_answer_payload_count = answer_count;
  assign io_total = total;
  assign io_usable = epochs_io_usable;
  assign io_waiting = epochs_io_waiting;
  assign io_stuck = ring_io_stuck;
  assign io_clean = lines_io_clean;
  assign _zz_record_rights_read = 3'b000;
  assign _zz_state = (lines_io_there[lane] ? LeafState_REPLACE : LeafState_CHANGE);
  assign _zz_todo = (inRange & lines_io_there);
  assign _zz_state_1 = ((_zz_todo == 8'h0) ? LeafState_NEXT_1 : LeafState_ROOM);
  assign _zz_state_2 = ((r_operation == LeafOperation_POP) ? LeafState_JUDGE : LeafState_SHORT);
  assign _zz_state_3 = (zeroFailed ? LeafState_UNZEROED : LeafState_CHANGE);
  assign _zz_todo_1 = todo[0];
  assign _zz_todo_2 = todo[1];
  assign _zz_todo_3 = todo[2];
  assign _zz_todo_4 = todo[3];
  assign _zz_todo_5 = todo[4];
  assign _zz_todo_6 = todo[5];
  assign _zz_todo_7 = {(todo[7] && (((_zz__zz_todo_7 || _zz_todo_5) || _zz_todo_6) || todo[6])),{(todo[6] && ((_zz__zz_todo_7_2 || _zz_todo_5) || _zz_todo_6)),{(todo[5] && (_zz__zz_todo_7_4 || _zz_todo_5)),{(_zz__zz_todo_7_6 && _zz__zz_todo_7_7),{_zz__zz_todo_7_9,{_zz__zz_todo_7_11,_zz__zz_todo_7_13}}}}}};
  assign _zz_io_push_payload = (todo & (~ _zz_todo_7));
  assign _zz_io_push_payload_1 = _zz_io_push_payload[3];
  assign _zz_io_push_payload_2 = _zz_io_push_payload[5];
  assign _zz_io_push_payload_3 = _zz_io_push_payload[6];
  assign _zz_io_push_payload_4 = _zz_io_push_payload[7];
  assign _zz_io_push_payload_5 = (((_zz_io_push_payload[1] || _zz_io_push_payload_1) || _zz_io_push_payload_2) || _zz_io_push_payload_4);
  assign _zz_io_push_payload_6 = (((_zz_io_push_payload[2] || _zz_io_push_payload_1) || _zz_io_push_payload_3) || _zz_io_push_payload_4);
  assign _zz_io_push_payload_7 = (((_zz_io_push_payload[4] || _zz_io_push_payload_2) || _zz_io_push_payload_3) || _zz_io_push_payload_4);
  assign _zz_io_push_valid = (readFilling_valid && (readFilling_segment == r_segment));
  always @(posedge clk) begin
    if(reset) begin
      state_2 <= LeafState_CLEAN;
      walk <= 10'h0;
      capacity <= 21'h0;
      total <= 21'h0;
      ringBase <= 25'h0;
      ringMask <= 25'h0;
      owed <= 3'b000;
    end else begin
      owed <= (_zz_owed - _zz_owed_3);
      case(state_2)
        LeafState_CLEAN : begin
          walk <= (walk + 10'h001);
          if((&walk)) begin
            state_2 <= LeafState_IDLE;
          end
        end
        LeafState_IDLE : begin
          walk <= 10'h0;
          if(io_request_valid) begin
            state_2 <= LeafState_LOAD;
          end
        end
        LeafState_LOAD : begin
          state_2 <= LeafState_JUDGE;
          if(_zz_when) begin
            if(readFilling_valid) begin
              state_2 <= LeafState_RELOAD;
            end else begin
              state_2 <= LeafState_ANSWER;
            end
          end
        end
        LeafState_RELOAD : begin
          state_2 <= LeafState_LOADED;
        end
        LeafState_LOADED : begin
          state_2 <= LeafState_JUDGE;
        end
        LeafState_JUDGE : begin
          case(r_operation)
            LeafOperation_LOOK, LeafOperation_STORE, LeafOperation_CHECK, LeafOperation_FREE : begin
              if(_zz_when_1) begin
                state_2 <= LeafState_ANSWER;
              end else begin
                if(_zz_when_2) begin
                  state_2 <= LeafState_ANSWER;
                end else begin
                  if(_zz_when_3) begin
                    state_2 <= LeafState_ANSWER;
                  end else begin
                    if(_zz_when_4) begin
                      state_2 <= LeafState_ANSWER;
                    end else begin
                      if(_zz_when_5) begin
                        state_2 <= LeafState_ANSWER;
                      end else begin
                        if(lines_io_ask_ready) begin
                          state_2 <= LeafState_LINE;
                        end
                      end
                    end
                  end
                end
              end
            end
            LeafOperation_PUBLISH : begin
              if(lines_io_ask_ready) begin
                state_2 <= LeafState_LINE;
              end
            end
            LeafOperation_GIVE_UP : begin
              state_2 <= LeafState_REPLACE;
            end
            LeafOperation_CREATE : begin
              state_2 <= LeafState_STORE_RECORD;
              if(record_valid) begin
                state_2 <= LeafState_ANSWER;
              end
              if(_zz_when_6) begin
                state_2 <= LeafState_ANSWER;
              end
            end
            LeafOperation_SET_RIGHTS : begin
              state_2 <= LeafState_STORE_RECORD;
              if(_zz_when_7) begin
                state_2 <= LeafState_ANSWER;
              end
            end
            LeafOperation_CLOSE : begin
              state_2 <= LeafState_WALK;
              if(_zz_when_8) begin
                state_2 <= LeafState_ANSWER;
              end
            end
            LeafOperation_SWEEP : begin
              if(_zz_when_9) begin
                state_2 <= LeafState_ANSWER;
              end else begin
                if(_zz_when_10) begin
                  state_2 <= LeafState_ANSWER;
                end else begin
                  if(_zz_when_11) begin
                    state_2 <= LeafState_ANSWER;
                  end else begin
                    if(!_zz_when_12) begin
                      if(lines_io_ask_ready) begin
                        state_2 <= LeafState_LINE;
                      end
                    end
                  end
                end
              end
            end
            LeafOperation_PUSH : begin
              state_2 <= LeafState_PUSH;
              if(exceeds) begin
                state_2 <= LeafState_ANSWER;
              end
              if(noFrames) begin
                state_2 <= LeafState_ANSWER;
              end
            end
            LeafOperation_POP : begin
              if(_zz_when_13) begin
                state_2 <= LeafState_ANSWER;
              end else begin
                state_2 <= LeafState_POP;
              end
            end
            LeafOperation_RING : begin
              state_2 <= LeafState_ANSWER;
              if(_zz_when_14) begin
                ringBase <= r_line;
                ringMask <= {4'd0, r_page};
                capacity <= _zz_capacity[20:0];
                state_2 <= LeafState_ANSWER;
              end
            end
            default : begin
              state_2 <= LeafState_ANSWER;
              if(record_valid) begin
                state_2 <= LeafState_ANSWER;
              end
            end
          endcase
        end
        LeafState_LINE : begin
          if(lines_io_ended_valid) begin
            if(lines_io_ended_payload) begin
              state_2 <= LeafState_STORE_RECORD;
            end else begin
              case(r_operation)
                LeafOperation_LOOK : begin
                  if(_zz_when_15) begin
                    state_2 <= LeafState_ANSWER;
                  end else begin
                    state_2 <= LeafState_ANSWER;
                  end
                end
                LeafOperation_STORE : begin
                  state_2 <= LeafState_SHORT;
                  if(_zz_when_16) begin
                    state_2 <= LeafState_ANSWER;
                  end
                end
                LeafOperation_PUBLISH : begin
                  state_2 <= _zz_state;
                end
                default : begin
                  state_2 <= _zz_state_1;
                end
              endcase
            end
          end
        end
        LeafState_SHORT : begin
          if(spent) begin
            state_2 <= LeafState_ANSWER;
          end else begin
            if(tooFew) begin
              state_2 <= LeafState_ANSWER;
            end else begin
              if(noRoom) begin
                state_2 <= LeafState_ANSWER;
              end else begin
                if(ring_io_room) begin
                  state_2 <= LeafState_POP;
                end
              end
            end
          end
        end
        LeafState_POP : begin
          if(io_pop_fire) begin
            state_2 <= _zz_state_2;
            if(_zz_when_17) begin
              state_2 <= LeafState_TAKEN;
              if(_zz_when_18) begin
                total <= (total - 21'h000001);
                state_2 <= LeafState_ANSWER;
              end
            end
          end
        end
        LeafState_TAKEN : begin
          state_2 <= LeafState_ZERO;
          if(1'b0) begin
            state_2 <= LeafState_CHANGE;
          end
          if(_zz_when_19) begin
            state_2 <= LeafState_HIDE;
            if((filling_valid && (! 1'b0))) begin
              state_2 <= LeafState_OLD_READ;
            end
          end
        end
        LeafState_OLD_READ : begin
          state_2 <= LeafState_OLD_LOAD;
        end
        LeafState_OLD_LOAD : begin
          state_2 <= LeafState_OLD_PUSH;
        end
        LeafState_OLD_PUSH : begin
          if(ring_io_push_ready) begin
            state_2 <= LeafState_OLD_STORE;
          end
        end
        LeafState_OLD_STORE : begin
          state_2 <= LeafState_HIDE;
        end
        LeafState_HIDE : begin
          state_2 <= LeafState_ANSWER;
        end
        LeafState_ZERO : begin
          if(io_write_2_fire) begin
            if((bursts == 3'b011)) begin
              state_2 <= LeafState_ZEROED;
            end
          end
        end
        LeafState_ZEROED : begin
          if((owed == 3'b000)) begin
            state_2 <= _zz_state_3;
          end
        end
        LeafState_UNZEROED : begin
          if(ring_io_push_ready) begin
            state_2 <= LeafState_STORE_RECORD;
          end
        end
        LeafState_REPLACE : begin
          if(noRoom) begin
            state_2 <= LeafState_ANSWER;
          end
          if(io_push_fire) begin
            state_2 <= LeafState_CHANGE;
            if(_zz_when_20) begin
              state_2 <= LeafState_STORE_RECORD;
            end
          end
        end
        LeafState_ROOM : begin
          if(ring_io_room) begin
            state_2 <= LeafState_GATHER;
          end
          if(noRoom) begin
            state_2 <= LeafState_STORE_RECORD;
          end
        end
        LeafState_GATHER : begin
          if(ring_io_push_ready) begin
            if((! (|_zz_todo_7))) begin
              state_2 <= LeafState_CHANGE;
            end
          end
        end
        LeafState_CHANGE : begin
          if(lines_io_change_ready) begin
            state_2 <= LeafState_NEXT_1;
            if(_zz_when_21) begin
              state_2 <= LeafState_STORE_RECORD;
            end
          end
        end
        LeafState_NEXT_1 : begin
          state_2 <= LeafState_JUDGE;
          if(isLast) begin
            state_2 <= LeafState_STORE_RECORD;
          end
        end
        LeafState_WALK : begin
          state_2 <= LeafState_WALKED;
        end
        LeafState_WALKED : begin
          if(_zz_when_22) begin
            state_2 <= LeafState_STORE_RECORD;
          end
          if(_zz_when_23) begin
            walk <= (walk + 10'h001);
            state_2 <= LeafState_WALK;
            if(_zz_when_24) begin
              state_2 <= LeafState_STORE_RECORD;
            end
          end
        end
        LeafState_PUSH : begin
          if(io_push_fire) begin
            total <= (total + 21'h000001);
          end
          if(isEnd) begin
            state_2 <= LeafState_ANSWER;
          end else begin
            if(noRoom) begin
              state_2 <= LeafState_ANSWER;
            end
          end
        end
        LeafState_STORE_RECORD : begin
          state_2 <= LeafState_ANSWER;
        end
        default : begin
          if(io_answer_ready) begin
            state_2 <= LeafState_IDLE;
          end
        end
      endcase
    end
  end

  always @(posedge clk) begin
    if(io_request_fire) begin
      r_operation <= io_request_payload_operation;
      r_segment <= io_request_payload_segment;
      r_pid <= io_request_payload_pid;
      r_rights_read <= io_request_payload_rights_read;
      r_rights_write <= io_request_payload_rights_write;
      r_rights_atomic <= io_request_payload_rights_atomic;
      r_page <= io_request_payload_page;
      r_pages <= io_request_payload_pages;
      r_begins <= io_request_payload_begins;
      r_first <= io_request_payload_first;
      r_whole <= io_request_payload_whole;
      r_also <= io_request_payload_also;
      r_filler <= io_request_payload_filler;
      r_line <= io_request_payload_line;
    end
    events_regNext_right <= events_right;
    events_regNext_outside <= events_outside;
    events_regNext_unmapped <= events_unmapped;
    events_regNext_ringEmpty <= events_ringEmpty;
    events_regNext_budgetSpent <= events_budgetSpent;
    events_regNext_taken <= events_taken;
    events_regNext_freed <= events_freed;
    events_regNext_memoryError <= events_memoryError;
    events_regNext_lineLost <= events_lineLost;
    inRange <= {((page <= _zz_inRange_7) && (_zz_inRange_8 < end_1)),{((page <= _zz_inRange_6) && (_zz_inRange_9 < end_1)),{((page <= _zz_inRange_5) && (_zz_inRange_10 < end_1)),{(_zz_inRange_11 && _zz_inRange_12),{_zz_inRange_14,{_zz_inRange_16,_zz_inRange_18}}}}}};
    isEnd <= (_zz_isEnd == end_1);
    isLast <= (end_1 <= {_zz_isLast,3'b000});
    if((memory_io_written_2_valid && memory_io_written_2_payload)) begin
      zeroFailed <= 1'b1;
    end
    case(state_2)
      LeafState_CLEAN : begin
      end
      LeafState_IDLE : begin
        target <= io_request_payload_segment;
        page <= io_request_payload_page;
        answer_frame <= 19'h0;
        answer_count <= 21'h0;
        answer_hidden <= 1'b0;
        answer_epoch <= 1'b0;
        bursts <= 3'b000;
        zeroFailed <= 1'b0;
        swept <= 1'b0;
        end_1 <= ({1'b0,io_request_payload_page} + _zz_end_1);
        if((((io_request_payload_operation == LeafOperation_FREE) || (io_request_payload_operation == LeafOperation_CHECK)) || (io_request_payload_operation == LeafOperation_PUSH))) begin
          end_1 <= ({1'b0,io_request_payload_page} + {1'b0,io_request_payload_pages});
        end
      end
      LeafState_LOAD : begin
        record_valid <= readRecord_valid;
        record_closed <= readRecord_closed;
        record_pid <= readRecord_pid;
        record_rights_read <= readRecord_rights_read;
        record_rights_write <= readRecord_rights_write;
        record_rights_atomic <= readRecord_rights_atomic;
        record_line <= readRecord_line;
        record_entries <= readRecord_entries;
        record_budget <= readRecord_budget;
        record_used <= readRecord_used;
        wanted <= (readRecord_line + _zz_wanted);
        known <= (readRecord_valid && (readRecord_pid == r_pid));
        inside_1 <= ((end_1 <= _zz_inside_1) && (((r_operation == LeafOperation_LOOK) || (r_operation == LeafOperation_STORE)) || (r_pages != 21'h0)));
        allowed <= (({r_rights_atomic,{r_rights_write,r_rights_read}} & (~ {readRecord_rights_atomic,{readRecord_rights_write,readRecord_rights_read}})) == 3'b000);
        spent <= (_zz_spent < _zz_spent_1);
        left <= ((r_pages < readRecord_entries) ? _zz_left : 21'h0);
        filling_valid <= readFilling_valid;
        filling_segment <= readFilling_segment;
        filling_frame <= readFilling_frame;
        own <= (((readFilling_valid && (readFilling_segment == r_segment)) && (readFilling_page == r_page)) && (! r_first));
        exceeds <= (_zz_exceeds < _zz_exceeds_1);
        noFrames <= ((r_page == 21'h0) || (22'h080000 < end_1));
        if(_zz_when) begin
          target <= readFilling_segment;
          page <= readFilling_page;
          if(readFilling_valid) begin
            answer_frame <= readFilling_frame;
          end else begin
            answer_status <= LeafStatus_NOTHING;
          end
        end
      end
      LeafState_RELOAD : begin
      end
      LeafState_LOADED : begin
        record_valid <= readRecord_valid;
        record_closed <= readRecord_closed;
        record_pid <= readRecord_pid;
        record_rights_read <= readRecord_rights_read;
        record_rights_write <= readRecord_rights_write;
        record_rights_atomic <= readRecord_rights_atomic;
        record_line <= readRecord_line;
        record_entries <= readRecord_entries;
        record_budget <= readRecord_budget;
        record_used <= readRecord_used;
        wanted <= (readRecord_line + _zz_wanted_2);
        known <= (readRecord_valid && (readRecord_pid == r_pid));
        inside_1 <= ((end_1 <= _zz_inside_1_1) && (((r_operation == LeafOperation_LOOK) || (r_operation == LeafOperation_STORE)) || (r_pages != 21'h0)));
        allowed <= (({r_rights_atomic,{r_rights_write,r_rights_read}} & (~ {readRecord_rights_atomic,{readRecord_rights_write,readRecord_rights_read}})) == 3'b000);
        spent <= (_zz_spent_4 < _zz_spent_5);
        left <= ((r_pages < readRecord_entries) ? _zz_left_1 : 21'h0);
      end
      LeafState_JUDGE : begin
        case(r_operation)
          LeafOperation_LOOK, LeafOperation_STORE, LeafOperation_CHECK, LeafOperation_FREE : begin
            if(_zz_when_1) begin
              answer_status <= LeafStatus_UNKNOWN;
            end else begin
              if(_zz_when_2) begin
                answer_status <= LeafStatus_OUTSIDE;
              end else begin
                if(_zz_when_3) begin
                  answer_status <= LeafStatus_RIGHT;
                end else begin
                  if(_zz_when_4) begin
                    answer_status <= LeafStatus_DONE;
                  end else begin
                    if(_zz_when_5) begin
                      answer_frame <= filling_frame;
                      answer_hidden <= 1'b1;
                      answer_status <= LeafStatus_DONE;
                    end
                  end
                end
              end
            end
          end
          LeafOperation_PUBLISH : begin
          end
          LeafOperation_GIVE_UP : begin
          end
          LeafOperation_CREATE : begin
            record_valid <= 1'b1;
            record_closed <= 1'b0;
            record_pid <= r_pid;
            record_rights_read <= r_rights_read;
            record_rights_write <= r_rights_write;
            record_rights_atomic <= r_rights_atomic;
            record_line <= r_line;
            record_entries <= r_pages;
            record_budget <= r_page;
            record_used <= 21'h0;
            answer_status <= LeafStatus_DONE;
            if(record_valid) begin
              answer_status <= LeafStatus_TAKEN;
            end
            if(_zz_when_6) begin
              answer_status <= LeafStatus_BAD_RANGE;
            end
          end
          LeafOperation_SET_RIGHTS : begin
            record_rights_read <= r_rights_read;
            record_rights_write <= r_rights_write;
            record_rights_atomic <= r_rights_atomic;
            answer_status <= LeafStatus_DONE;
            if(_zz_when_7) begin
              answer_status <= LeafStatus_UNKNOWN;
            end
          end
          LeafOperation_CLOSE : begin
            record_rights_read <= _zz_record_rights_read[0];
            record_rights_write <= _zz_record_rights_read[1];
            record_rights_atomic <= _zz_record_rights_read[2];
            record_closed <= 1'b1;
            if(_zz_when_8) begin
              answer_status <= LeafStatus_UNKNOWN;
            end
          end
          LeafOperation_SWEEP : begin
            if(_zz_when_9) begin
              answer_status <= LeafStatus_UNKNOWN;
            end else begin
              if(_zz_when_10) begin
                answer_status <= LeafStatus_TAKEN;
              end else begin
                if(_zz_when_11) begin
                  answer_count <= record_entries;
                  answer_status <= LeafStatus_DONE;
                end else begin
                  if(_zz_when_12) begin
                    swept <= 1'b1;
                    page <= left;
                    end_1 <= {1'd0, record_entries};
                    wanted <= (record_line + _zz_wanted_4);
                  end
                end
              end
            end
          end
          LeafOperation_PUSH : begin
            if(exceeds) begin
              answer_status <= LeafStatus_FULL;
            end
            if(noFrames) begin
              answer_status <= LeafStatus_BAD_RANGE;
            end
          end
          LeafOperation_POP : begin
            if(_zz_when_13) begin
              answer_status <= LeafStatus_RING_EMPTY;
            end
          end
          LeafOperation_RING : begin
            answer_status <= LeafStatus_TAKEN;
            if(_zz_when_14) begin
              answer_status <= LeafStatus_DONE;
            end
          end
          default : begin
            answer_status <= LeafStatus_UNKNOWN;
            if(record_valid) begin
              answer_count <= record_used;
              answer_status <= LeafStatus_DONE;
            end
          end
        endcase
      end
      LeafState_LINE : begin
        if(lines_io_ended_valid) begin
          if(lines_io_ended_payload) begin
            answer_status <= LeafStatus_FAILED;
          end else begin
            case(r_operation)
              LeafOperation_LOOK : begin
                answer_frame <= entry;
                answer_epoch <= epochs_io_now;
                if(_zz_when_15) begin
                  answer_status <= LeafStatus_UNMAPPED;
                end else begin
                  answer_status <= LeafStatus_DONE;
                end
              end
              LeafOperation_STORE : begin
                answer_frame <= entry;
                if(_zz_when_16) begin
                  answer_status <= LeafStatus_DONE;
                end
              end
              LeafOperation_PUBLISH : begin
              end
              default : begin
                todo <= _zz_todo;
              end
            endcase
          end
        end
      end
      LeafState_SHORT : begin
        if(spent) begin
          answer_status <= LeafStatus_BUDGET_SPENT;
        end else begin
          if(tooFew) begin
            answer_status <= LeafStatus_RING_EMPTY;
          end else begin
            if(noRoom) begin
              answer_status <= LeafStatus_FAILED;
            end
          end
        end
      end
      LeafState_POP : begin
        if(io_pop_fire) begin
          answer_frame <= ring_io_pop_payload;
          if(_zz_when_17) begin
            record_used <= (record_used + 21'h000001);
            if(_zz_when_18) begin
              answer_status <= LeafStatus_DONE;
            end
          end
        end
      end
      LeafState_TAKEN : begin
        if(_zz_when_19) begin
          target <= filling_segment;
        end
      end
      LeafState_OLD_READ : begin
      end
      LeafState_OLD_LOAD : begin
        record_valid <= readRecord_valid;
        record_closed <= readRecord_closed;
        record_pid <= readRecord_pid;
        record_rights_read <= readRecord_rights_read;
        record_rights_write <= readRecord_rights_write;
        record_rights_atomic <= readRecord_rights_atomic;
        record_line <= readRecord_line;
        record_entries <= readRecord_entries;
        record_budget <= readRecord_budget;
        record_used <= readRecord_used;
      end
      LeafState_OLD_PUSH : begin
        if(ring_io_push_ready) begin
          record_used <= (record_used - 21'h000001);
        end
      end
      LeafState_OLD_STORE : begin
      end
      LeafState_HIDE : begin
        answer_hidden <= 1'b1;
        answer_status <= LeafStatus_DONE;
      end
      LeafState_ZERO : begin
        if(io_write_2_fire) begin
          bursts <= (bursts + 3'b001);
        end
      end
      LeafState_ZEROED : begin
      end
      LeafState_UNZEROED : begin
        if(ring_io_push_ready) begin
          record_used <= (record_used - 21'h000001);
          answer_status <= LeafStatus_FAILED;
        end
      end
      LeafState_REPLACE : begin
        if(noRoom) begin
          answer_status <= LeafStatus_FAILED;
        end
        if(io_push_fire) begin
          record_used <= (record_used - 21'h000001);
          if(_zz_when_20) begin
            answer_status <= LeafStatus_DONE;
          end
        end
      end
      LeafState_ROOM : begin
        if(noRoom) begin
          answer_status <= LeafStatus_FAILED;
        end
      end
      LeafState_GATHER : begin
        if(ring_io_push_ready) begin
          todo <= _zz_todo_7;
          record_used <= (record_used - 21'h000001);
          answer_count <= (answer_count + 21'h000001);
        end
      end
      LeafState_CHANGE : begin
        if(lines_io_change_ready) begin
          if(_zz_when_21) begin
            answer_status <= LeafStatus_DONE;
          end
        end
      end
      LeafState_NEXT_1 : begin
        page <= {_zz_page,3'b000};
        wanted <= (wanted + 25'h0000001);
        if(isLast) begin
          answer_status <= LeafStatus_DONE;
          if((r_operation == LeafOperation_SWEEP)) begin
            record_entries <= left;
            record_valid <= (left != 21'h0);
          end
        end
      end
      LeafState_WALK : begin
      end
      LeafState_WALKED : begin
        if(_zz_when_22) begin
          answer_status <= LeafStatus_FAILED;
        end
        if(_zz_when_23) begin
          if(_zz_io_push_valid) begin
            record_used <= (record_used - 21'h000001);
          end
          if(_zz_when_24) begin
            answer_status <= LeafStatus_DONE;
          end
        end
      end
      LeafState_PUSH : begin
        if(io_push_fire) begin
          page <= (page + 21'h000001);
          isEnd <= (_zz_isEnd_1 == end_1);
          answer_count <= (answer_count + 21'h000001);
        end
        if(isEnd) begin
          answer_status <= LeafStatus_DONE;
        end else begin
          if(noRoom) begin
            answer_status <= LeafStatus_FAILED;
          end
        end
      end
      LeafState_STORE_RECORD : begin
        if(((r_operation == LeafOperation_SWEEP) && (answer_status == LeafStatus_DONE))) begin
          answer_count <= (record_valid ? record_entries : 21'h0);
        end
      end
      default : begin
      end
    endcase
  end


endmodule

module FrameEpochs (
  input  wire          io_begins,
  output wire          io_now,
  input  wire          io_ends_valid,
  input  wire          io_ends_payload,
  input  wire          io_freed,
  input  wire          io_came,
  input  wire          io_taken,
  output wire [20:0]   io_usable,
  output wire [20:0]   io_waiting,
  input  wire          clk,
  input  wire          reset
);

  wire       [15:0]   _zz_begun_0;
  wire       [15:0]   _zz_begun_0_1;
  wire       [0:0]    _zz_begun_0_2;
  wire       [15:0]   _zz_begun_0_3;
  wire       [0:0]    _zz_begun_0_4;
  wire       [15:0]   _zz_begun_1;
  wire       [15:0]   _zz_begun_1_1;
  wire       [0:0]    _zz_begun_1_2;
  wire       [15:0]   _zz_begun_1_3;
  wire       [0:0]    _zz_begun_1_4;
  reg        [15:0]   _zz_quiet;
  wire       [0:0]    _zz_quiet_1;
  wire       [20:0]   _zz_usable;
  wire       [20:0]   _zz_usable_1;
  wire       [20:0]   _zz_usable_2;
  wire       [0:0]    _zz_usable_3;
  wire       [20:0]   _zz_usable_4;
  wire       [0:0]    _zz_usable_5;
  wire       [20:0]   _zz_open_1;
  wire       [0:0]    _zz_open_1_1;
  reg                 now;
  reg        [15:0]   begun_0;
  reg        [15:0]   begun_1;
  reg        [20:0]   usable;
  reg        [20:0]   closing;
  reg        [20:0]   open_1;
  reg                 waits;
  wire                quiet;
  wire                directly;
  wire                opens;
  wire                turns;

  assign _zz_begun_0 = (begun_0 + _zz_begun_0_1);
  assign _zz_begun_0_2 = (io_begins && (now == 1'b0));
  assign _zz_begun_0_1 = {15'd0, _zz_begun_0_2};
  assign _zz_begun_0_4 = (io_ends_valid && (io_ends_payload == 1'b0));
  assign _zz_begun_0_3 = {15'd0, _zz_begun_0_4};
  assign _zz_begun_1 = (begun_1 + _zz_begun_1_1);
  assign _zz_begun_1_2 = (io_begins && (now == 1'b1));
  assign _zz_begun_1_1 = {15'd0, _zz_begun_1_2};
  assign _zz_begun_1_4 = (io_ends_valid && (io_ends_payload == 1'b1));
  assign _zz_begun_1_3 = {15'd0, _zz_begun_1_4};
  assign _zz_usable = (_zz_usable_1 + _zz_usable_2);
  assign _zz_usable_1 = (usable + (quiet ? closing : 21'h0));
  assign _zz_usable_3 = directly;
  assign _zz_usable_2 = {20'd0, _zz_usable_3};
  assign _zz_usable_5 = io_taken;
  assign _zz_usable_4 = {20'd0, _zz_usable_5};
  assign _zz_open_1_1 = opens;
  assign _zz_open_1 = {20'd0, _zz_open_1_1};
  assign _zz_quiet_1 = (! now);
  always @(*) begin
    case(_zz_quiet_1)
      1'b0 : _zz_quiet = begun_0;
      default : _zz_quiet = begun_1;
    endcase
  end

  assign quiet = (_zz_quiet == 16'h0);
  assign directly = ((io_came && (! waits)) || 1'b0);
  assign opens = ((io_came || io_freed) && (! directly));
  assign turns = (quiet && (open_1 != 21'h0));
  assign io_now = now;
  assign io_usable = usable;
  assign io_waiting = (closing + open_1);
  always @(posedge clk) begin
    if(reset) begin
      now <= 1'b0;
      begun_0 <= 16'h0;
      begun_1 <= 16'h0;
      usable <= 21'h0;
      closing <= 21'h0;
      open_1 <= 21'h0;
      waits <= 1'b0;
    end else begin
      begun_0 <= (_zz_begun_0 - _zz_begun_0_3);
      begun_1 <= (_zz_begun_1 - _zz_begun_1_3);
      usable <= (_zz_usable - _zz_usable_4);
      if(quiet) begin
        closing <= open_1;
      end
      open_1 <= ((quiet ? 21'h0 : open_1) + _zz_open_1);
      now <= (now ^ turns);
      waits <= ((opens || (open_1 != 21'h0)) || ((closing != 21'h0) && (! quiet)));
    end
  end


endmodule

module FrameRing (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [18:0]   io_push_payload,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [18:0]   io_pop_payload,
  output wire          io_room,
  output wire          io_stuck,
  input  wire [24:0]   io_base,
  input  wire [24:0]   io_mask,
  output wire          io_read_valid,
  input  wire          io_read_ready,
  output wire [24:0]   io_read_payload,
  input  wire          io_got_valid,
  input  wire [18:0]   io_got_payload_frames_0,
  input  wire [18:0]   io_got_payload_frames_1,
  input  wire [18:0]   io_got_payload_frames_2,
  input  wire [18:0]   io_got_payload_frames_3,
  input  wire [18:0]   io_got_payload_frames_4,
  input  wire [18:0]   io_got_payload_frames_5,
  input  wire [18:0]   io_got_payload_frames_6,
  input  wire [18:0]   io_got_payload_frames_7,
  input  wire          io_got_payload_error,
  output wire          io_write_valid,
  input  wire          io_write_ready,
  output wire [24:0]   io_write_payload_line,
  output reg  [18:0]   io_write_payload_frames_0,
  output reg  [18:0]   io_write_payload_frames_1,
  output reg  [18:0]   io_write_payload_frames_2,
  output reg  [18:0]   io_write_payload_frames_3,
  output reg  [18:0]   io_write_payload_frames_4,
  output reg  [18:0]   io_write_payload_frames_5,
  output reg  [18:0]   io_write_payload_frames_6,
  output reg  [18:0]   io_write_payload_frames_7,
  input  wire          io_written_valid,
  input  wire          io_written_payload,
  output reg           io_memoryError,
  output reg           io_lineLost,
  input  wire          clk,
  input  wire          reset
);
  localparam State_1_IDLE = 3'd0;
  localparam State_1_WRITE = 3'd1;
  localparam State_1_WRITTEN = 3'd2;
  localparam State_1_READ = 3'd3;
  localparam State_1_GOT = 3'd4;
  localparam State_1_ZERO = 3'd5;
  localparam State_1_ZEROED = 3'd6;

  reg                 gathered_io_pop_ready;
  reg                 fetched_io_push_valid;
  reg        [18:0]   fetched_io_push_payload_0;
  reg        [18:0]   fetched_io_push_payload_1;
  reg        [18:0]   fetched_io_push_payload_2;
  reg        [18:0]   fetched_io_push_payload_3;
  reg        [18:0]   fetched_io_push_payload_4;
  reg        [18:0]   fetched_io_push_payload_5;
  reg        [18:0]   fetched_io_push_payload_6;
  reg        [18:0]   fetched_io_push_payload_7;
  wire                fetched_io_pop_ready;
  wire                gathered_io_push_ready;
  wire                gathered_io_pop_valid;
  wire       [18:0]   gathered_io_pop_payload_0;
  wire       [18:0]   gathered_io_pop_payload_1;
  wire       [18:0]   gathered_io_pop_payload_2;
  wire       [18:0]   gathered_io_pop_payload_3;
  wire       [18:0]   gathered_io_pop_payload_4;
  wire       [18:0]   gathered_io_pop_payload_5;
  wire       [18:0]   gathered_io_pop_payload_6;
  wire       [18:0]   gathered_io_pop_payload_7;
  wire       [3:0]    gathered_io_occupancy;
  wire       [3:0]    gathered_io_availability;
  wire                fetched_io_push_ready;
  wire                fetched_io_pop_valid;
  wire       [18:0]   fetched_io_pop_payload_0;
  wire       [18:0]   fetched_io_pop_payload_1;
  wire       [18:0]   fetched_io_pop_payload_2;
  wire       [18:0]   fetched_io_pop_payload_3;
  wire       [18:0]   fetched_io_pop_payload_4;
  wire       [18:0]   fetched_io_pop_payload_5;
  wire       [18:0]   fetched_io_pop_payload_6;
  wire       [18:0]   fetched_io_pop_payload_7;
  wire       [3:0]    fetched_io_occupancy;
  wire       [24:0]   _zz_io_write_payload_line;
  wire                _zz_when;
  wire                _zz_when_1;
  wire                _zz_when_2;
  reg        [18:0]   packer_0;
  reg        [18:0]   packer_1;
  reg        [18:0]   packer_2;
  reg        [18:0]   packer_3;
  reg        [18:0]   packer_4;
  reg        [18:0]   packer_5;
  reg        [18:0]   packer_6;
  reg        [18:0]   packer_7;
  reg        [3:0]    packed_1;
  wire                full;
  reg                 moving;
  wire                moves;
  wire                io_push_fire;
  wire                gathered_io_push_fire;
  reg                 _zz_io_room;
  reg        [18:0]   unpacker_0;
  reg        [18:0]   unpacker_1;
  reg        [18:0]   unpacker_2;
  reg        [18:0]   unpacker_3;
  reg        [18:0]   unpacker_4;
  reg        [18:0]   unpacker_5;
  reg        [18:0]   unpacker_6;
  reg        [18:0]   unpacker_7;
  reg        [3:0]    left;
  wire                io_pop_fire;
  wire                fetched_io_pop_fire;
  reg        [2:0]    state_2;
  reg        [24:0]   head;
  reg        [24:0]   lines;
  reg        [1:0]    refusals;
  reg        [1:0]    failures;
  reg                 stuck;
  reg        [8:0]    resting;
  wire                none;
  wire                passes;
  wire       [24:0]   place;
  wire                io_write_fire;
  wire                io_read_fire;

  assign _zz_when = (state_2 == State_1_ZERO);
  assign _zz_when_1 = (! io_written_payload);
  assign _zz_when_2 = ((! io_got_payload_error) || (failures == 2'b11));
  assign _zz_io_write_payload_line = (head - 25'h0000001);
  StreamFifo gathered (
    .io_push_valid     (full                           ), //i
    .io_push_ready     (gathered_io_push_ready         ), //o
    .io_push_payload_0 (packer_0[18:0]                 ), //i
    .io_push_payload_1 (packer_1[18:0]                 ), //i
    .io_push_payload_2 (packer_2[18:0]                 ), //i
    .io_push_payload_3 (packer_3[18:0]                 ), //i
    .io_push_payload_4 (packer_4[18:0]                 ), //i
    .io_push_payload_5 (packer_5[18:0]                 ), //i
    .io_push_payload_6 (packer_6[18:0]                 ), //i
    .io_push_payload_7 (packer_7[18:0]                 ), //i
    .io_pop_valid      (gathered_io_pop_valid          ), //o
    .io_pop_ready      (gathered_io_pop_ready          ), //i
    .io_pop_payload_0  (gathered_io_pop_payload_0[18:0]), //o
    .io_pop_payload_1  (gathered_io_pop_payload_1[18:0]), //o
    .io_pop_payload_2  (gathered_io_pop_payload_2[18:0]), //o
    .io_pop_payload_3  (gathered_io_pop_payload_3[18:0]), //o
    .io_pop_payload_4  (gathered_io_pop_payload_4[18:0]), //o
    .io_pop_payload_5  (gathered_io_pop_payload_5[18:0]), //o
    .io_pop_payload_6  (gathered_io_pop_payload_6[18:0]), //o
    .io_pop_payload_7  (gathered_io_pop_payload_7[18:0]), //o
    .io_flush          (1'b0                           ), //i
    .io_occupancy      (gathered_io_occupancy[3:0]     ), //o
    .io_availability   (gathered_io_availability[3:0]  ), //o
    .clk               (clk                            ), //i
    .reset             (reset                          )  //i
  );
  StreamFifo_1 fetched (
    .io_push_valid     (fetched_io_push_valid          ), //i
    .io_push_ready     (fetched_io_push_ready          ), //o
    .io_push_payload_0 (fetched_io_push_payload_0[18:0]), //i
    .io_push_payload_1 (fetched_io_push_payload_1[18:0]), //i
    .io_push_payload_2 (fetched_io_push_payload_2[18:0]), //i
    .io_push_payload_3 (fetched_io_push_payload_3[18:0]), //i
    .io_push_payload_4 (fetched_io_push_payload_4[18:0]), //i
    .io_push_payload_5 (fetched_io_push_payload_5[18:0]), //i
    .io_push_payload_6 (fetched_io_push_payload_6[18:0]), //i
    .io_push_payload_7 (fetched_io_push_payload_7[18:0]), //i
    .io_pop_valid      (fetched_io_pop_valid           ), //o
    .io_pop_ready      (fetched_io_pop_ready           ), //i
    .io_pop_payload_0  (fetched_io_pop_payload_0[18:0] ), //o
    .io_pop_payload_1  (fetched_io_pop_payload_1[18:0] ), //o
    .io_pop_payload_2  (fetched_io_pop_payload_2[18:0] ), //o
    .io_pop_payload_3  (fetched_io_pop_payload_3[18:0] ), //o
    .io_pop_payload_4  (fetched_io_pop_payload_4[18:0] ), //o
    .io_pop_payload_5  (fetched_io_pop_payload_5[18:0] ), //o
    .io_pop_payload_6  (fetched_io_pop_payload_6[18:0] ), //o
    .io_pop_payload_7  (fetched_io_pop_payload_7[18:0] ), //o
    .io_flush          (1'b0                           ), //i
    .io_occupancy      (fetched_io_occupancy[3:0]      ), //o
    .clk               (clk                            ), //i
    .reset             (reset                          )  //i
  );
  assign full = (packed_1 == 4'b1000);
  assign moves = (moving && (! full));
  assign io_push_ready = ((! full) && (! moving));
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign gathered_io_push_fire = (full && gathered_io_push_ready);
  assign io_room = _zz_io_room;
  assign io_pop_valid = (left != 4'b0000);
  assign io_pop_payload = unpacker_0;
  assign fetched_io_pop_ready = (left == 4'b0000);
  assign io_pop_fire = (io_pop_valid && io_pop_ready);
  assign fetched_io_pop_fire = (fetched_io_pop_valid && fetched_io_pop_ready);
  assign none = (lines == 25'h0);
  assign passes = ((((state_2 == State_1_IDLE) && none) && gathered_io_pop_valid) && fetched_io_push_ready);
  assign place = (head + lines);
  assign io_read_valid = (state_2 == State_1_READ);
  assign io_read_payload = (io_base | (head & io_mask));
  assign io_write_valid = ((state_2 == State_1_WRITE) || (state_2 == State_1_ZERO));
  assign io_write_payload_line = (io_base | (((state_2 == State_1_ZERO) ? _zz_io_write_payload_line : place) & io_mask));
  always @(*) begin
    io_write_payload_frames_0 = gathered_io_pop_payload_0;
    if(_zz_when) begin
      io_write_payload_frames_0 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_1 = gathered_io_pop_payload_1;
    if(_zz_when) begin
      io_write_payload_frames_1 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_2 = gathered_io_pop_payload_2;
    if(_zz_when) begin
      io_write_payload_frames_2 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_3 = gathered_io_pop_payload_3;
    if(_zz_when) begin
      io_write_payload_frames_3 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_4 = gathered_io_pop_payload_4;
    if(_zz_when) begin
      io_write_payload_frames_4 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_5 = gathered_io_pop_payload_5;
    if(_zz_when) begin
      io_write_payload_frames_5 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_6 = gathered_io_pop_payload_6;
    if(_zz_when) begin
      io_write_payload_frames_6 = 19'h0;
    end
  end

  always @(*) begin
    io_write_payload_frames_7 = gathered_io_pop_payload_7;
    if(_zz_when) begin
      io_write_payload_frames_7 = 19'h0;
    end
  end

  always @(*) begin
    gathered_io_pop_ready = passes;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
        if(io_written_valid) begin
          if(_zz_when_1) begin
            gathered_io_pop_ready = 1'b1;
          end else begin
            gathered_io_pop_ready = 1'b0;
          end
        end
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_valid = passes;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        if(io_got_valid) begin
          if(_zz_when_2) begin
            fetched_io_push_valid = 1'b1;
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_0 = gathered_io_pop_payload_0;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_0 = io_got_payload_frames_0;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_0 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_1 = gathered_io_pop_payload_1;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_1 = io_got_payload_frames_1;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_1 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_2 = gathered_io_pop_payload_2;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_2 = io_got_payload_frames_2;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_2 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_3 = gathered_io_pop_payload_3;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_3 = io_got_payload_frames_3;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_3 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_4 = gathered_io_pop_payload_4;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_4 = io_got_payload_frames_4;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_4 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_5 = gathered_io_pop_payload_5;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_5 = io_got_payload_frames_5;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_5 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_6 = gathered_io_pop_payload_6;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_6 = io_got_payload_frames_6;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_6 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    fetched_io_push_payload_7 = gathered_io_pop_payload_7;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        fetched_io_push_payload_7 = io_got_payload_frames_7;
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              fetched_io_push_payload_7 = 19'h0;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    io_memoryError = 1'b0;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
        if(io_written_valid) begin
          if(!_zz_when_1) begin
            io_memoryError = 1'b1;
          end
        end
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        if(io_got_valid) begin
          if(io_got_payload_error) begin
            io_memoryError = 1'b1;
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
        if(io_written_valid) begin
          io_memoryError = io_written_payload;
        end
      end
    endcase
  end

  always @(*) begin
    io_lineLost = 1'b0;
    case(state_2)
      State_1_IDLE : begin
      end
      State_1_WRITE : begin
      end
      State_1_WRITTEN : begin
      end
      State_1_READ : begin
      end
      State_1_GOT : begin
        if(io_got_valid) begin
          if(_zz_when_2) begin
            if(io_got_payload_error) begin
              io_lineLost = 1'b1;
            end
          end
        end
      end
      State_1_ZERO : begin
      end
      default : begin
      end
    endcase
  end

  assign io_stuck = stuck;
  assign io_write_fire = (io_write_valid && io_write_ready);
  assign io_read_fire = (io_read_valid && io_read_ready);
  always @(posedge clk) begin
    if(reset) begin
      packed_1 <= 4'b0000;
      moving <= 1'b0;
      _zz_io_room <= 1'b0;
      left <= 4'b0000;
      state_2 <= State_1_IDLE;
      head <= 25'h0;
      lines <= 25'h0;
      refusals <= 2'b00;
      failures <= 2'b00;
      stuck <= 1'b0;
      resting <= 9'h0;
    end else begin
      if(io_push_fire) begin
        packed_1 <= (packed_1 + 4'b0001);
      end
      if((gathered_io_push_fire || moves)) begin
        packed_1 <= 4'b0000;
      end
      _zz_io_room <= (4'b0010 <= gathered_io_availability);
      if(io_pop_fire) begin
        left <= (left - 4'b0001);
      end
      if(fetched_io_pop_fire) begin
        left <= 4'b1000;
      end
      if(moves) begin
        left <= packed_1;
      end
      if((resting != 9'h0)) begin
        resting <= (resting - 9'h001);
      end
      moving <= (((((((((! moving) && (left == 4'b0000)) && (! fetched_io_pop_valid)) && (fetched_io_occupancy == 4'b0000)) && (gathered_io_occupancy == 4'b0000)) && none) && (state_2 == State_1_IDLE)) && (packed_1 != 4'b0000)) && (! full));
      case(state_2)
        State_1_IDLE : begin
          if(((! none) && fetched_io_push_ready)) begin
            state_2 <= State_1_READ;
          end else begin
            if(((gathered_io_pop_valid && (! passes)) && (resting == 9'h0))) begin
              state_2 <= State_1_WRITE;
            end
          end
        end
        State_1_WRITE : begin
          if(io_write_fire) begin
            state_2 <= State_1_WRITTEN;
          end
        end
        State_1_WRITTEN : begin
          if(io_written_valid) begin
            state_2 <= State_1_IDLE;
            if(_zz_when_1) begin
              lines <= (lines + 25'h0000001);
              refusals <= 2'b00;
              stuck <= 1'b0;
            end else begin
              refusals <= (refusals + 2'b01);
              if((refusals == 2'b11)) begin
                refusals <= 2'b00;
                stuck <= 1'b1;
                resting <= 9'h100;
              end
            end
          end
        end
        State_1_READ : begin
          if(io_read_fire) begin
            state_2 <= State_1_GOT;
          end
        end
        State_1_GOT : begin
          if(io_got_valid) begin
            state_2 <= State_1_READ;
            if(io_got_payload_error) begin
              failures <= (failures + 2'b01);
            end
            if(_zz_when_2) begin
              failures <= 2'b00;
              head <= (head + 25'h0000001);
              lines <= (lines - 25'h0000001);
              state_2 <= State_1_ZERO;
            end
          end
        end
        State_1_ZERO : begin
          if(io_write_fire) begin
            state_2 <= State_1_ZEROED;
          end
        end
        default : begin
          if(io_written_valid) begin
            state_2 <= State_1_IDLE;
          end
        end
      endcase
    end
  end

  always @(posedge clk) begin
    if(io_push_fire) begin
      if((packed_1 == 4'b0000)) begin
        packer_0 <= io_push_payload;
      end
      if((packed_1 == 4'b0001)) begin
        packer_1 <= io_push_payload;
      end
      if((packed_1 == 4'b0010)) begin
        packer_2 <= io_push_payload;
      end
      if((packed_1 == 4'b0011)) begin
        packer_3 <= io_push_payload;
      end
      if((packed_1 == 4'b0100)) begin
        packer_4 <= io_push_payload;
      end
      if((packed_1 == 4'b0101)) begin
        packer_5 <= io_push_payload;
      end
      if((packed_1 == 4'b0110)) begin
        packer_6 <= io_push_payload;
      end
      if((packed_1 == 4'b0111)) begin
        packer_7 <= io_push_payload;
      end
    end
    if(io_pop_fire) begin
      unpacker_0 <= unpacker_1;
      unpacker_1 <= unpacker_2;
      unpacker_2 <= unpacker_3;
      unpacker_3 <= unpacker_4;
      unpacker_4 <= unpacker_5;
      unpacker_5 <= unpacker_6;
      unpacker_6 <= unpacker_7;
    end
    if(fetched_io_pop_fire) begin
      unpacker_0 <= fetched_io_pop_payload_0;
      unpacker_1 <= fetched_io_pop_payload_1;
      unpacker_2 <= fetched_io_pop_payload_2;
      unpacker_3 <= fetched_io_pop_payload_3;
      unpacker_4 <= fetched_io_pop_payload_4;
      unpacker_5 <= fetched_io_pop_payload_5;
      unpacker_6 <= fetched_io_pop_payload_6;
      unpacker_7 <= fetched_io_pop_payload_7;
    end
    if(moves) begin
      unpacker_0 <= packer_0;
      unpacker_1 <= packer_1;
      unpacker_2 <= packer_2;
      unpacker_3 <= packer_3;
      unpacker_4 <= packer_4;
      unpacker_5 <= packer_5;
      unpacker_6 <= packer_6;
      unpacker_7 <= packer_7;
    end
  end


endmodule

module LeafLines (
  input  wire          io_ask_valid,
  output wire          io_ask_ready,
  input  wire [24:0]   io_ask_payload,
  output wire          io_ended_valid,
  output wire          io_ended_payload,
  output wire [18:0]   io_line_0,
  output wire [18:0]   io_line_1,
  output wire [18:0]   io_line_2,
  output wire [18:0]   io_line_3,
  output wire [18:0]   io_line_4,
  output wire [18:0]   io_line_5,
  output wire [18:0]   io_line_6,
  output wire [18:0]   io_line_7,
  output wire [7:0]    io_there,
  input  wire          io_change_valid,
  output wire          io_change_ready,
  input  wire [18:0]   io_change_payload_0,
  input  wire [18:0]   io_change_payload_1,
  input  wire [18:0]   io_change_payload_2,
  input  wire [18:0]   io_change_payload_3,
  input  wire [18:0]   io_change_payload_4,
  input  wire [18:0]   io_change_payload_5,
  input  wire [18:0]   io_change_payload_6,
  input  wire [18:0]   io_change_payload_7,
  output wire          io_read_valid,
  input  wire          io_read_ready,
  output wire [24:0]   io_read_payload,
  input  wire          io_got_valid,
  input  wire [18:0]   io_got_payload_frames_0,
  input  wire [18:0]   io_got_payload_frames_1,
  input  wire [18:0]   io_got_payload_frames_2,
  input  wire [18:0]   io_got_payload_frames_3,
  input  wire [18:0]   io_got_payload_frames_4,
  input  wire [18:0]   io_got_payload_frames_5,
  input  wire [18:0]   io_got_payload_frames_6,
  input  wire [18:0]   io_got_payload_frames_7,
  input  wire          io_got_payload_error,
  output wire          io_write_valid,
  input  wire          io_write_ready,
  output reg  [24:0]   io_write_payload_line,
  output wire [18:0]   io_write_payload_frames_0,
  output wire [18:0]   io_write_payload_frames_1,
  output wire [18:0]   io_write_payload_frames_2,
  output wire [18:0]   io_write_payload_frames_3,
  output wire [18:0]   io_write_payload_frames_4,
  output wire [18:0]   io_write_payload_frames_5,
  output wire [18:0]   io_write_payload_frames_6,
  output wire [18:0]   io_write_payload_frames_7,
  output wire          io_write_payload_zeros,
  input  wire          io_written_valid,
  input  wire          io_written_payload,
  output wire          io_memoryError,
  output wire          io_clean,
  input  wire          clk,
  input  wire          reset
);
  localparam State_IDLE = 3'd0;
  localparam State_LOOK = 3'd1;
  localparam State_EVICT = 3'd2;
  localparam State_EVICTED = 3'd3;
  localparam State_READ = 3'd4;
  localparam State_GOT = 3'd5;
  localparam State_CHANGE = 3'd6;

  wire       [151:0]  kept_spinal_port1;
  wire       [7:0]    keptThere_spinal_port1;
  wire       [18:0]   tags_spinal_port0;
  wire       [5:0]    _zz_place;
  wire       [5:0]    _zz_place_1;
  wire       [18:0]   _zz_place_2;
  wire       [5:0]    _zz_io_write_payload_line;
  wire       [151:0]  _zz_kept_port;
  wire       [18:0]   _zz_tags_port;
  wire       [151:0]  _zz_kept_port_1;
  wire       [18:0]   _zz_tags_port_1;
  wire       [18:0]   _zz__zz_there;
  wire                _zz__zz_there_1;
  wire                _zz__zz_there_2;
  wire                _zz_when;
  wire       [18:0]   _zz__zz_there_1_1;
  wire                _zz__zz_there_1_2;
  wire                _zz__zz_there_1_3;
  reg                 _zz_1;
  reg                 _zz_2;
  reg                 _zz_3;
  reg                 _zz_4;
  reg                 _zz_5;
  reg                 _zz_6;
  reg        [63:0]   valid;
  reg        [63:0]   dirty;
  reg        [2:0]    state_2;
  wire                io_ask_fire;
  reg        [24:0]   asked;
  wire       [5:0]    place;
  wire       [18:0]   tag;
  reg        [18:0]   line_0;
  reg        [18:0]   line_1;
  reg        [18:0]   line_2;
  reg        [18:0]   line_3;
  reg        [18:0]   line_4;
  reg        [18:0]   line_5;
  reg        [18:0]   line_6;
  reg        [18:0]   line_7;
  reg        [7:0]    there;
  reg                 ended;
  reg                 failed;
  reg                 outstanding;
  reg        [5:0]    writing;
  wire       [18:0]   oldTag;
  wire                hit;
  wire                io_write_fire;
  wire                io_change_fire;
  wire       [7:0]    _zz_there;
  wire       [151:0]  _zz_line_0;
  wire                io_read_fire;
  wire       [7:0]    _zz_there_1;
  (* ram_style = "distributed" *) reg [151:0] kept [0:63];
  (* ram_style = "distributed" *) reg [7:0] keptThere [0:63];
  (* ram_style = "distributed" *) reg [18:0] tags [0:63];

  assign _zz_when = (! io_got_payload_error);
  assign _zz_place = asked[5:0];
  assign _zz_place_2 = asked[24 : 6];
  assign _zz_place_1 = _zz_place_2[5:0];
  assign _zz_io_write_payload_line = oldTag[5:0];
  assign _zz_kept_port = {io_change_payload_7,{io_change_payload_6,{io_change_payload_5,{io_change_payload_4,{io_change_payload_3,{io_change_payload_2,{io_change_payload_1,io_change_payload_0}}}}}}};
  assign _zz_kept_port_1 = {io_got_payload_frames_7,{io_got_payload_frames_6,{io_got_payload_frames_5,{io_got_payload_frames_4,{io_got_payload_frames_3,{io_got_payload_frames_2,{io_got_payload_frames_1,io_got_payload_frames_0}}}}}}};
  assign _zz_tags_port = tag;
  assign _zz_tags_port_1 = tag;
  assign _zz__zz_there = 19'h0;
  assign _zz__zz_there_1 = (io_change_payload_1 != 19'h0);
  assign _zz__zz_there_2 = (io_change_payload_0 != 19'h0);
  assign _zz__zz_there_1_1 = 19'h0;
  assign _zz__zz_there_1_2 = (io_got_payload_frames_1 != 19'h0);
  assign _zz__zz_there_1_3 = (io_got_payload_frames_0 != 19'h0);
  always @(posedge clk) begin
    if(_zz_6) begin
      kept[place] <= _zz_kept_port;
    end
  end

  assign kept_spinal_port1 = kept[place];
  always @(posedge clk) begin
    if(_zz_3) begin
      kept[place] <= _zz_kept_port_1;
    end
  end

  always @(posedge clk) begin
    if(_zz_5) begin
      keptThere[place] <= _zz_there;
    end
  end

  assign keptThere_spinal_port1 = keptThere[place];
  always @(posedge clk) begin
    if(_zz_2) begin
      keptThere[place] <= _zz_there_1;
    end
  end

  assign tags_spinal_port0 = tags[place];
  always @(posedge clk) begin
    if(_zz_4) begin
      tags[place] <= _zz_tags_port;
    end
  end

  always @(posedge clk) begin
    if(_zz_1) begin
      tags[place] <= _zz_tags_port_1;
    end
  end

  always @(*) begin
    _zz_1 = 1'b0;
    case(state_2)
      State_IDLE : begin
      end
      State_LOOK : begin
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
      end
      State_READ : begin
      end
      State_GOT : begin
        if(io_got_valid) begin
          if(_zz_when) begin
            _zz_1 = 1'b1;
          end
        end
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    _zz_2 = 1'b0;
    case(state_2)
      State_IDLE : begin
      end
      State_LOOK : begin
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
      end
      State_READ : begin
      end
      State_GOT : begin
        if(io_got_valid) begin
          if(_zz_when) begin
            _zz_2 = 1'b1;
          end
        end
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    _zz_3 = 1'b0;
    case(state_2)
      State_IDLE : begin
      end
      State_LOOK : begin
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
      end
      State_READ : begin
      end
      State_GOT : begin
        if(io_got_valid) begin
          if(_zz_when) begin
            _zz_3 = 1'b1;
          end
        end
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    _zz_4 = 1'b0;
    case(state_2)
      State_IDLE : begin
        if(io_change_fire) begin
          _zz_4 = 1'b1;
        end
      end
      State_LOOK : begin
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
      end
      State_READ : begin
      end
      State_GOT : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    _zz_5 = 1'b0;
    case(state_2)
      State_IDLE : begin
        if(io_change_fire) begin
          _zz_5 = 1'b1;
        end
      end
      State_LOOK : begin
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
      end
      State_READ : begin
      end
      State_GOT : begin
      end
      default : begin
      end
    endcase
  end

  always @(*) begin
    _zz_6 = 1'b0;
    case(state_2)
      State_IDLE : begin
        if(io_change_fire) begin
          _zz_6 = 1'b1;
        end
      end
      State_LOOK : begin
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
      end
      State_READ : begin
      end
      State_GOT : begin
      end
      default : begin
      end
    endcase
  end

  assign io_ask_fire = (io_ask_valid && io_ask_ready);
  assign place = (_zz_place ^ _zz_place_1);
  assign tag = asked[24 : 6];
  assign oldTag = tags_spinal_port0;
  assign hit = (valid[place] && (oldTag == tag));
  assign io_ask_ready = ((state_2 == State_IDLE) && (! io_change_valid));
  assign io_change_ready = ((state_2 == State_IDLE) && (! outstanding));
  assign io_ended_valid = ended;
  assign io_ended_payload = failed;
  assign io_line_0 = line_0;
  assign io_line_1 = line_1;
  assign io_line_2 = line_2;
  assign io_line_3 = line_3;
  assign io_line_4 = line_4;
  assign io_line_5 = line_5;
  assign io_line_6 = line_6;
  assign io_line_7 = line_7;
  assign io_there = there;
  assign io_read_valid = (state_2 == State_READ);
  assign io_read_payload = asked;
  assign io_write_valid = ((state_2 == State_EVICT) || (state_2 == State_CHANGE));
  always @(*) begin
    io_write_payload_line = asked;
    if((state_2 == State_EVICT)) begin
      io_write_payload_line = {oldTag,(place ^ _zz_io_write_payload_line)};
    end
  end

  assign io_write_payload_frames_0 = line_0;
  assign io_write_payload_frames_1 = line_1;
  assign io_write_payload_frames_2 = line_2;
  assign io_write_payload_frames_3 = line_3;
  assign io_write_payload_frames_4 = line_4;
  assign io_write_payload_frames_5 = line_5;
  assign io_write_payload_frames_6 = line_6;
  assign io_write_payload_frames_7 = line_7;
  assign io_write_payload_zeros = 1'b0;
  assign io_memoryError = ((io_written_valid && io_written_payload) || (io_got_valid && io_got_payload_error));
  assign io_clean = (! (|dirty));
  assign io_write_fire = (io_write_valid && io_write_ready);
  assign io_change_fire = (io_change_valid && io_change_ready);
  assign _zz_there = {(io_change_payload_7 != 19'h0),{(io_change_payload_6 != 19'h0),{(io_change_payload_5 != 19'h0),{(io_change_payload_4 != 19'h0),{(io_change_payload_3 != 19'h0),{(io_change_payload_2 != _zz__zz_there),{_zz__zz_there_1,_zz__zz_there_2}}}}}}};
  assign _zz_line_0 = kept_spinal_port1;
  assign io_read_fire = (io_read_valid && io_read_ready);
  assign _zz_there_1 = {(io_got_payload_frames_7 != 19'h0),{(io_got_payload_frames_6 != 19'h0),{(io_got_payload_frames_5 != 19'h0),{(io_got_payload_frames_4 != 19'h0),{(io_got_payload_frames_3 != 19'h0),{(io_got_payload_frames_2 != _zz__zz_there_1_1),{_zz__zz_there_1_2,_zz__zz_there_1_3}}}}}}};
  always @(posedge clk) begin
    if(reset) begin
      valid <= 64'h0;
      dirty <= 64'h0;
      state_2 <= State_IDLE;
      ended <= 1'b0;
      outstanding <= 1'b0;
    end else begin
      ended <= 1'b0;
      if(io_write_fire) begin
        outstanding <= 1'b1;
      end
      if(io_written_valid) begin
        outstanding <= 1'b0;
        if(((! io_written_payload) || 1'b0)) begin
          dirty[writing] <= 1'b0;
        end
      end
      case(state_2)
        State_IDLE : begin
          if(io_ask_valid) begin
            state_2 <= State_LOOK;
          end
          if(io_change_fire) begin
            valid[place] <= 1'b1;
            dirty[place] <= 1'b1;
            state_2 <= State_CHANGE;
          end else begin
            if(io_change_valid) begin
              state_2 <= State_IDLE;
            end
          end
        end
        State_LOOK : begin
          if(hit) begin
            ended <= 1'b1;
            state_2 <= State_IDLE;
          end else begin
            if((! dirty[place])) begin
              state_2 <= State_READ;
            end else begin
              if((! outstanding)) begin
                state_2 <= State_EVICT;
              end
            end
          end
        end
        State_EVICT : begin
          if(io_write_fire) begin
            state_2 <= State_EVICTED;
          end
        end
        State_EVICTED : begin
          if(io_written_valid) begin
            state_2 <= State_READ;
            if(io_written_payload) begin
              ended <= 1'b1;
              state_2 <= State_IDLE;
            end
          end
        end
        State_READ : begin
          if(io_read_fire) begin
            state_2 <= State_GOT;
          end
        end
        State_GOT : begin
          if(io_got_valid) begin
            state_2 <= State_IDLE;
            ended <= 1'b1;
            if(_zz_when) begin
              valid[place] <= 1'b1;
            end
          end
        end
        default : begin
          if(io_write_fire) begin
            state_2 <= State_IDLE;
          end
        end
      endcase
    end
  end

  always @(posedge clk) begin
    if(io_ask_fire) begin
      asked <= io_ask_payload;
    end
    if(io_write_fire) begin
      writing <= place;
    end
    case(state_2)
      State_IDLE : begin
        if(io_change_fire) begin
          line_0 <= io_change_payload_0;
          line_1 <= io_change_payload_1;
          line_2 <= io_change_payload_2;
          line_3 <= io_change_payload_3;
          line_4 <= io_change_payload_4;
          line_5 <= io_change_payload_5;
          line_6 <= io_change_payload_6;
          line_7 <= io_change_payload_7;
          there <= _zz_there;
        end
      end
      State_LOOK : begin
        line_0 <= _zz_line_0[18 : 0];
        line_1 <= _zz_line_0[37 : 19];
        line_2 <= _zz_line_0[56 : 38];
        line_3 <= _zz_line_0[75 : 57];
        line_4 <= _zz_line_0[94 : 76];
        line_5 <= _zz_line_0[113 : 95];
        line_6 <= _zz_line_0[132 : 114];
        line_7 <= _zz_line_0[151 : 133];
        there <= keptThere_spinal_port1;
        failed <= 1'b0;
      end
      State_EVICT : begin
      end
      State_EVICTED : begin
        if(io_written_valid) begin
          if(io_written_payload) begin
            failed <= 1'b1;
          end
        end
      end
      State_READ : begin
      end
      State_GOT : begin
        if(io_got_valid) begin
          failed <= io_got_payload_error;
          if(_zz_when) begin
            line_0 <= io_got_payload_frames_0;
            line_1 <= io_got_payload_frames_1;
            line_2 <= io_got_payload_frames_2;
            line_3 <= io_got_payload_frames_3;
            line_4 <= io_got_payload_frames_4;
            line_5 <= io_got_payload_frames_5;
            line_6 <= io_got_payload_frames_6;
            line_7 <= io_got_payload_frames_7;
            there <= _zz_there_1;
          end
        end
      end
      default : begin
      end
    endcase
  end


endmodule

module LeafMemory (
  input  wire          io_read_0_valid,
  output wire          io_read_0_ready,
  input  wire [24:0]   io_read_0_payload,
  input  wire          io_read_1_valid,
  output wire          io_read_1_ready,
  input  wire [24:0]   io_read_1_payload,
  output wire          io_got_0_valid,
  output wire [18:0]   io_got_0_payload_frames_0,
  output wire [18:0]   io_got_0_payload_frames_1,
  output wire [18:0]   io_got_0_payload_frames_2,
  output wire [18:0]   io_got_0_payload_frames_3,
  output wire [18:0]   io_got_0_payload_frames_4,
  output wire [18:0]   io_got_0_payload_frames_5,
  output wire [18:0]   io_got_0_payload_frames_6,
  output wire [18:0]   io_got_0_payload_frames_7,
  output wire          io_got_0_payload_error,
  output wire          io_got_1_valid,
  output wire [18:0]   io_got_1_payload_frames_0,
  output wire [18:0]   io_got_1_payload_frames_1,
  output wire [18:0]   io_got_1_payload_frames_2,
  output wire [18:0]   io_got_1_payload_frames_3,
  output wire [18:0]   io_got_1_payload_frames_4,
  output wire [18:0]   io_got_1_payload_frames_5,
  output wire [18:0]   io_got_1_payload_frames_6,
  output wire [18:0]   io_got_1_payload_frames_7,
  output wire          io_got_1_payload_error,
  input  wire          io_write_0_valid,
  output wire          io_write_0_ready,
  input  wire [24:0]   io_write_0_payload_line,
  input  wire [18:0]   io_write_0_payload_frames_0,
  input  wire [18:0]   io_write_0_payload_frames_1,
  input  wire [18:0]   io_write_0_payload_frames_2,
  input  wire [18:0]   io_write_0_payload_frames_3,
  input  wire [18:0]   io_write_0_payload_frames_4,
  input  wire [18:0]   io_write_0_payload_frames_5,
  input  wire [18:0]   io_write_0_payload_frames_6,
  input  wire [18:0]   io_write_0_payload_frames_7,
  input  wire          io_write_0_payload_zeros,
  input  wire          io_write_1_valid,
  output wire          io_write_1_ready,
  input  wire [24:0]   io_write_1_payload_line,
  input  wire [18:0]   io_write_1_payload_frames_0,
  input  wire [18:0]   io_write_1_payload_frames_1,
  input  wire [18:0]   io_write_1_payload_frames_2,
  input  wire [18:0]   io_write_1_payload_frames_3,
  input  wire [18:0]   io_write_1_payload_frames_4,
  input  wire [18:0]   io_write_1_payload_frames_5,
  input  wire [18:0]   io_write_1_payload_frames_6,
  input  wire [18:0]   io_write_1_payload_frames_7,
  input  wire          io_write_1_payload_zeros,
  input  wire          io_write_2_valid,
  output wire          io_write_2_ready,
  input  wire [24:0]   io_write_2_payload_line,
  input  wire [18:0]   io_write_2_payload_frames_0,
  input  wire [18:0]   io_write_2_payload_frames_1,
  input  wire [18:0]   io_write_2_payload_frames_2,
  input  wire [18:0]   io_write_2_payload_frames_3,
  input  wire [18:0]   io_write_2_payload_frames_4,
  input  wire [18:0]   io_write_2_payload_frames_5,
  input  wire [18:0]   io_write_2_payload_frames_6,
  input  wire [18:0]   io_write_2_payload_frames_7,
  input  wire          io_write_2_payload_zeros,
  output wire          io_written_0_valid,
  output wire          io_written_0_payload,
  output wire          io_written_1_valid,
  output wire          io_written_1_payload,
  output wire          io_written_2_valid,
  output wire          io_written_2_payload,
  output wire          io_mem_aw_valid,
  input  wire          io_mem_aw_ready,
  output wire [30:0]   io_mem_aw_payload_addr,
  output wire [1:0]    io_mem_aw_payload_id,
  output reg  [7:0]    io_mem_aw_payload_len,
  output wire [2:0]    io_mem_aw_payload_size,
  output wire [1:0]    io_mem_aw_payload_burst,
  output wire          io_mem_w_valid,
  input  wire          io_mem_w_ready,
  output wire [511:0]  io_mem_w_payload_data,
  output wire [63:0]   io_mem_w_payload_strb,
  output wire          io_mem_w_payload_last,
  input  wire          io_mem_b_valid,
  output wire          io_mem_b_ready,
  input  wire [1:0]    io_mem_b_payload_id,
  input  wire [1:0]    io_mem_b_payload_resp,
  output wire          io_mem_ar_valid,
  input  wire          io_mem_ar_ready,
  output wire [30:0]   io_mem_ar_payload_addr,
  output wire [1:0]    io_mem_ar_payload_id,
  output wire [7:0]    io_mem_ar_payload_len,
  output wire [2:0]    io_mem_ar_payload_size,
  output wire [1:0]    io_mem_ar_payload_burst,
  input  wire          io_mem_r_valid,
  output wire          io_mem_r_ready,
  input  wire [511:0]  io_mem_r_payload_data,
  input  wire [1:0]    io_mem_r_payload_id,
  input  wire [1:0]    io_mem_r_payload_resp,
  input  wire          clk,
  input  wire          reset
);

  reg                 writes_io_output_fork2_io_outputs_1_ready;
  wire                reads_io_inputs_0_ready;
  wire                reads_io_inputs_1_ready;
  wire                reads_io_output_valid;
  wire       [24:0]   reads_io_output_payload;
  wire       [0:0]    reads_io_chosen;
  wire       [1:0]    reads_io_chosenOH;
  wire                writes_io_inputs_0_ready;
  wire                writes_io_inputs_1_ready;
  wire                writes_io_inputs_2_ready;
  wire                writes_io_output_valid;
  wire       [24:0]   writes_io_output_payload_line;
  wire       [18:0]   writes_io_output_payload_frames_0;
  wire       [18:0]   writes_io_output_payload_frames_1;
  wire       [18:0]   writes_io_output_payload_frames_2;
  wire       [18:0]   writes_io_output_payload_frames_3;
  wire       [18:0]   writes_io_output_payload_frames_4;
  wire       [18:0]   writes_io_output_payload_frames_5;
  wire       [18:0]   writes_io_output_payload_frames_6;
  wire       [18:0]   writes_io_output_payload_frames_7;
  wire                writes_io_output_payload_zeros;
  wire       [1:0]    writes_io_chosen;
  wire       [2:0]    writes_io_chosenOH;
  wire                writes_io_output_fork2_io_input_ready;
  wire                writes_io_output_fork2_io_outputs_0_valid;
  wire                writes_io_output_fork2_io_outputs_1_valid;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_0;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_1;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_2;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_3;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_4;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_5;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_6;
  wire       [18:0]   writes_io_output_fork2_io_outputs_1_payload_frames_7;
  wire                writes_io_output_fork2_io_outputs_1_payload_zeros;
  wire       [24:0]   _zz_io_mem_aw_payload_addr;
  wire       [1:0]    _zz_addressed;
  wire       [1:0]    _zz_addressed_1;
  wire       [0:0]    _zz_addressed_2;
  wire       [1:0]    _zz_addressed_3;
  wire       [0:0]    _zz_addressed_4;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_2;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_2_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_4;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_4_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_6;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_6_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_8;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_8_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_10;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_10_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_12;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_12_1;
  wire       [63:0]   _zz__zz_io_mem_w_payload_data_14;
  wire       [30:0]   _zz__zz_io_mem_w_payload_data_14_1;
  wire       [3:0]    _zz_beat;
  wire                io_mem_r_toFlow_valid;
  wire       [511:0]  io_mem_r_toFlow_payload_data;
  wire       [1:0]    io_mem_r_toFlow_payload_id;
  wire       [1:0]    io_mem_r_toFlow_payload_resp;
  reg                 came_valid;
  reg        [511:0]  came_payload_data;
  reg        [1:0]    came_payload_id;
  reg        [1:0]    came_payload_resp;
  wire       [63:0]   _zz_io_got_0_payload_frames_0;
  wire       [63:0]   _zz_io_got_0_payload_frames_1;
  wire       [63:0]   _zz_io_got_0_payload_frames_2;
  wire       [63:0]   _zz_io_got_0_payload_frames_3;
  wire       [63:0]   _zz_io_got_0_payload_frames_4;
  wire       [63:0]   _zz_io_got_0_payload_frames_5;
  wire       [63:0]   _zz_io_got_0_payload_frames_6;
  wire       [63:0]   _zz_io_got_0_payload_frames_7;
  reg        [63:0]   _zz_io_got_0_payload_frames_0_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_1_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_2_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_3_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_4_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_5_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_6_1;
  reg        [63:0]   _zz_io_got_0_payload_frames_7_1;
  wire       [63:0]   _zz_io_got_1_payload_frames_0;
  wire       [63:0]   _zz_io_got_1_payload_frames_1;
  wire       [63:0]   _zz_io_got_1_payload_frames_2;
  wire       [63:0]   _zz_io_got_1_payload_frames_3;
  wire       [63:0]   _zz_io_got_1_payload_frames_4;
  wire       [63:0]   _zz_io_got_1_payload_frames_5;
  wire       [63:0]   _zz_io_got_1_payload_frames_6;
  wire       [63:0]   _zz_io_got_1_payload_frames_7;
  reg        [63:0]   _zz_io_got_1_payload_frames_0_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_1_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_2_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_3_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_4_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_5_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_6_1;
  reg        [63:0]   _zz_io_got_1_payload_frames_7_1;
  wire                writes_io_output_fork2_io_outputs_0_translated_valid;
  reg                 writes_io_output_fork2_io_outputs_0_translated_ready;
  wire       [27:0]   writes_io_output_fork2_io_outputs_0_translated_payload;
  wire                chosen_valid;
  wire                chosen_ready;
  wire       [27:0]   chosen_payload;
  reg                 writes_io_output_fork2_io_outputs_0_translated_rValid;
  reg        [27:0]   writes_io_output_fork2_io_outputs_0_translated_rData;
  wire                data_valid;
  wire                data_ready;
  wire       [18:0]   data_payload_frames_0;
  wire       [18:0]   data_payload_frames_1;
  wire       [18:0]   data_payload_frames_2;
  wire       [18:0]   data_payload_frames_3;
  wire       [18:0]   data_payload_frames_4;
  wire       [18:0]   data_payload_frames_5;
  wire       [18:0]   data_payload_frames_6;
  wire       [18:0]   data_payload_frames_7;
  wire                data_payload_zeros;
  reg                 writes_io_output_fork2_io_outputs_1_rValid;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_0;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_1;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_2;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_3;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_4;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_5;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_6;
  reg        [18:0]   writes_io_output_fork2_io_outputs_1_rData_frames_7;
  reg                 writes_io_output_fork2_io_outputs_1_rData_zeros;
  reg        [3:0]    beat;
  wire                last;
  reg        [1:0]    addressed;
  wire                io_mem_aw_fire;
  wire                io_mem_w_fire;
  wire       [63:0]   _zz_io_mem_w_payload_data;
  reg        [63:0]   _zz_io_mem_w_payload_data_1;
  wire       [63:0]   _zz_io_mem_w_payload_data_2;
  reg        [63:0]   _zz_io_mem_w_payload_data_3;
  wire       [63:0]   _zz_io_mem_w_payload_data_4;
  reg        [63:0]   _zz_io_mem_w_payload_data_5;
  wire       [63:0]   _zz_io_mem_w_payload_data_6;
  reg        [63:0]   _zz_io_mem_w_payload_data_7;
  wire       [63:0]   _zz_io_mem_w_payload_data_8;
  reg        [63:0]   _zz_io_mem_w_payload_data_9;
  wire       [63:0]   _zz_io_mem_w_payload_data_10;
  reg        [63:0]   _zz_io_mem_w_payload_data_11;
  wire       [63:0]   _zz_io_mem_w_payload_data_12;
  reg        [63:0]   _zz_io_mem_w_payload_data_13;
  wire       [63:0]   _zz_io_mem_w_payload_data_14;
  reg        [63:0]   _zz_io_mem_w_payload_data_15;
  wire                io_mem_b_toFlow_valid;
  wire       [1:0]    io_mem_b_toFlow_payload_id;
  wire       [1:0]    io_mem_b_toFlow_payload_resp;
  reg                 answered_valid;
  reg        [1:0]    answered_payload_id;
  reg        [1:0]    answered_payload_resp;

  assign _zz_io_mem_aw_payload_addr = chosen_payload[24:0];
  assign _zz_addressed = (addressed + _zz_addressed_1);
  assign _zz_addressed_2 = io_mem_aw_fire;
  assign _zz_addressed_1 = {1'd0, _zz_addressed_2};
  assign _zz_addressed_4 = (io_mem_w_fire && last);
  assign _zz_addressed_3 = {1'd0, _zz_addressed_4};
  assign _zz__zz_io_mem_w_payload_data_1 = {data_payload_frames_0,12'h0};
  assign _zz__zz_io_mem_w_payload_data = {33'd0, _zz__zz_io_mem_w_payload_data_1};
  assign _zz__zz_io_mem_w_payload_data_2_1 = {data_payload_frames_1,12'h0};
  assign _zz__zz_io_mem_w_payload_data_2 = {33'd0, _zz__zz_io_mem_w_payload_data_2_1};
  assign _zz__zz_io_mem_w_payload_data_4_1 = {data_payload_frames_2,12'h0};
  assign _zz__zz_io_mem_w_payload_data_4 = {33'd0, _zz__zz_io_mem_w_payload_data_4_1};
  assign _zz__zz_io_mem_w_payload_data_6_1 = {data_payload_frames_3,12'h0};
  assign _zz__zz_io_mem_w_payload_data_6 = {33'd0, _zz__zz_io_mem_w_payload_data_6_1};
  assign _zz__zz_io_mem_w_payload_data_8_1 = {data_payload_frames_4,12'h0};
  assign _zz__zz_io_mem_w_payload_data_8 = {33'd0, _zz__zz_io_mem_w_payload_data_8_1};
  assign _zz__zz_io_mem_w_payload_data_10_1 = {data_payload_frames_5,12'h0};
  assign _zz__zz_io_mem_w_payload_data_10 = {33'd0, _zz__zz_io_mem_w_payload_data_10_1};
  assign _zz__zz_io_mem_w_payload_data_12_1 = {data_payload_frames_6,12'h0};
  assign _zz__zz_io_mem_w_payload_data_12 = {33'd0, _zz__zz_io_mem_w_payload_data_12_1};
  assign _zz__zz_io_mem_w_payload_data_14_1 = {data_payload_frames_7,12'h0};
  assign _zz__zz_io_mem_w_payload_data_14 = {33'd0, _zz__zz_io_mem_w_payload_data_14_1};
  assign _zz_beat = (beat + 4'b0001);
  StreamArbiter reads (
    .io_inputs_0_valid   (io_read_0_valid              ), //i
    .io_inputs_0_ready   (reads_io_inputs_0_ready      ), //o
    .io_inputs_0_payload (io_read_0_payload[24:0]      ), //i
    .io_inputs_1_valid   (io_read_1_valid              ), //i
    .io_inputs_1_ready   (reads_io_inputs_1_ready      ), //o
    .io_inputs_1_payload (io_read_1_payload[24:0]      ), //i
    .io_output_valid     (reads_io_output_valid        ), //o
    .io_output_ready     (io_mem_ar_ready              ), //i
    .io_output_payload   (reads_io_output_payload[24:0]), //o
    .io_chosen           (reads_io_chosen              ), //o
    .io_chosenOH         (reads_io_chosenOH[1:0]       ), //o
    .clk                 (clk                          ), //i
    .reset               (reset                        )  //i
  );
  StreamArbiter_1 writes (
    .io_inputs_0_valid            (io_write_0_valid                       ), //i
    .io_inputs_0_ready            (writes_io_inputs_0_ready               ), //o
    .io_inputs_0_payload_line     (io_write_0_payload_line[24:0]          ), //i
    .io_inputs_0_payload_frames_0 (io_write_0_payload_frames_0[18:0]      ), //i
    .io_inputs_0_payload_frames_1 (io_write_0_payload_frames_1[18:0]      ), //i
    .io_inputs_0_payload_frames_2 (io_write_0_payload_frames_2[18:0]      ), //i
    .io_inputs_0_payload_frames_3 (io_write_0_payload_frames_3[18:0]      ), //i
    .io_inputs_0_payload_frames_4 (io_write_0_payload_frames_4[18:0]      ), //i
    .io_inputs_0_payload_frames_5 (io_write_0_payload_frames_5[18:0]      ), //i
    .io_inputs_0_payload_frames_6 (io_write_0_payload_frames_6[18:0]      ), //i
    .io_inputs_0_payload_frames_7 (io_write_0_payload_frames_7[18:0]      ), //i
    .io_inputs_0_payload_zeros    (io_write_0_payload_zeros               ), //i
    .io_inputs_1_valid            (io_write_1_valid                       ), //i
    .io_inputs_1_ready            (writes_io_inputs_1_ready               ), //o
    .io_inputs_1_payload_line     (io_write_1_payload_line[24:0]          ), //i
    .io_inputs_1_payload_frames_0 (io_write_1_payload_frames_0[18:0]      ), //i
    .io_inputs_1_payload_frames_1 (io_write_1_payload_frames_1[18:0]      ), //i
    .io_inputs_1_payload_frames_2 (io_write_1_payload_frames_2[18:0]      ), //i
    .io_inputs_1_payload_frames_3 (io_write_1_payload_frames_3[18:0]      ), //i
    .io_inputs_1_payload_frames_4 (io_write_1_payload_frames_4[18:0]      ), //i
    .io_inputs_1_payload_frames_5 (io_write_1_payload_frames_5[18:0]      ), //i
    .io_inputs_1_payload_frames_6 (io_write_1_payload_frames_6[18:0]      ), //i
    .io_inputs_1_payload_frames_7 (io_write_1_payload_frames_7[18:0]      ), //i
    .io_inputs_1_payload_zeros    (io_write_1_payload_zeros               ), //i
    .io_inputs_2_valid            (io_write_2_valid                       ), //i
    .io_inputs_2_ready            (writes_io_inputs_2_ready               ), //o
    .io_inputs_2_payload_line     (io_write_2_payload_line[24:0]          ), //i
    .io_inputs_2_payload_frames_0 (io_write_2_payload_frames_0[18:0]      ), //i
    .io_inputs_2_payload_frames_1 (io_write_2_payload_frames_1[18:0]      ), //i
    .io_inputs_2_payload_frames_2 (io_write_2_payload_frames_2[18:0]      ), //i
    .io_inputs_2_payload_frames_3 (io_write_2_payload_frames_3[18:0]      ), //i
    .io_inputs_2_payload_frames_4 (io_write_2_payload_frames_4[18:0]      ), //i
    .io_inputs_2_payload_frames_5 (io_write_2_payload_frames_5[18:0]      ), //i
    .io_inputs_2_payload_frames_6 (io_write_2_payload_frames_6[18:0]      ), //i
    .io_inputs_2_payload_frames_7 (io_write_2_payload_frames_7[18:0]      ), //i
    .io_inputs_2_payload_zeros    (io_write_2_payload_zeros               ), //i
    .io_output_valid              (writes_io_output_valid                 ), //o
    .io_output_ready              (writes_io_output_fork2_io_input_ready  ), //i
    .io_output_payload_line       (writes_io_output_payload_line[24:0]    ), //o
    .io_output_payload_frames_0   (writes_io_output_payload_frames_0[18:0]), //o
    .io_output_payload_frames_1   (writes_io_output_payload_frames_1[18:0]), //o
    .io_output_payload_frames_2   (writes_io_output_payload_frames_2[18:0]), //o
    .io_output_payload_frames_3   (writes_io_output_payload_frames_3[18:0]), //o
    .io_output_payload_frames_4   (writes_io_output_payload_frames_4[18:0]), //o
    .io_output_payload_frames_5   (writes_io_output_payload_frames_5[18:0]), //o
    .io_output_payload_frames_6   (writes_io_output_payload_frames_6[18:0]), //o
    .io_output_payload_frames_7   (writes_io_output_payload_frames_7[18:0]), //o
    .io_output_payload_zeros      (writes_io_output_payload_zeros         ), //o
    .io_chosen                    (writes_io_chosen[1:0]                  ), //o
    .io_chosenOH                  (writes_io_chosenOH[2:0]                ), //o
    .clk                          (clk                                    ), //i
    .reset                        (reset                                  )  //i
  );
  StreamFork writes_io_output_fork2 (
    .io_input_valid                (writes_io_output_valid                                    ), //i
    .io_input_ready                (writes_io_output_fork2_io_input_ready                     ), //o
    .io_input_payload_frames_0     (writes_io_output_payload_frames_0[18:0]                   ), //i
    .io_input_payload_frames_1     (writes_io_output_payload_frames_1[18:0]                   ), //i
    .io_input_payload_frames_2     (writes_io_output_payload_frames_2[18:0]                   ), //i
    .io_input_payload_frames_3     (writes_io_output_payload_frames_3[18:0]                   ), //i
    .io_input_payload_frames_4     (writes_io_output_payload_frames_4[18:0]                   ), //i
    .io_input_payload_frames_5     (writes_io_output_payload_frames_5[18:0]                   ), //i
    .io_input_payload_frames_6     (writes_io_output_payload_frames_6[18:0]                   ), //i
    .io_input_payload_frames_7     (writes_io_output_payload_frames_7[18:0]                   ), //i
    .io_input_payload_zeros        (writes_io_output_payload_zeros                            ), //i
    .io_outputs_0_valid            (writes_io_output_fork2_io_outputs_0_valid                 ), //o
    .io_outputs_0_ready            (writes_io_output_fork2_io_outputs_0_translated_ready      ), //i
    .io_outputs_1_valid            (writes_io_output_fork2_io_outputs_1_valid                 ), //o
    .io_outputs_1_ready            (writes_io_output_fork2_io_outputs_1_ready                 ), //i
    .io_outputs_1_payload_frames_0 (writes_io_output_fork2_io_outputs_1_payload_frames_0[18:0]), //o
    .io_outputs_1_payload_frames_1 (writes_io_output_fork2_io_outputs_1_payload_frames_1[18:0]), //o
    .io_outputs_1_payload_frames_2 (writes_io_output_fork2_io_outputs_1_payload_frames_2[18:0]), //o
    .io_outputs_1_payload_frames_3 (writes_io_output_fork2_io_outputs_1_payload_frames_3[18:0]), //o
    .io_outputs_1_payload_frames_4 (writes_io_output_fork2_io_outputs_1_payload_frames_4[18:0]), //o
    .io_outputs_1_payload_frames_5 (writes_io_output_fork2_io_outputs_1_payload_frames_5[18:0]), //o
    .io_outputs_1_payload_frames_6 (writes_io_output_fork2_io_outputs_1_payload_frames_6[18:0]), //o
    .io_outputs_1_payload_frames_7 (writes_io_output_fork2_io_outputs_1_payload_frames_7[18:0]), //o
    .io_outputs_1_payload_zeros    (writes_io_output_fork2_io_outputs_1_payload_zeros         ), //o
    .clk                           (clk                                                       ), //i
    .reset                         (reset                                                     )  //i
  );
  assign io_read_0_ready = reads_io_inputs_0_ready;
  assign io_read_1_ready = reads_io_inputs_1_ready;
  assign io_mem_ar_valid = reads_io_output_valid;
  assign io_mem_ar_payload_id = {1'd0, reads_io_chosen};
  assign io_mem_ar_payload_len = 8'h0;
  assign io_mem_ar_payload_size = 3'b110;
  assign io_mem_ar_payload_burst = 2'b01;
  assign io_mem_ar_payload_addr = {reads_io_output_payload,6'h0};
  assign io_mem_r_ready = 1'b1;
  assign io_mem_r_toFlow_valid = io_mem_r_valid;
  assign io_mem_r_toFlow_payload_data = io_mem_r_payload_data;
  assign io_mem_r_toFlow_payload_id = io_mem_r_payload_id;
  assign io_mem_r_toFlow_payload_resp = io_mem_r_payload_resp;
  assign io_got_0_valid = (came_valid && (came_payload_id == 2'b00));
  assign _zz_io_got_0_payload_frames_0 = came_payload_data[63 : 0];
  assign _zz_io_got_0_payload_frames_1 = came_payload_data[127 : 64];
  assign _zz_io_got_0_payload_frames_2 = came_payload_data[191 : 128];
  assign _zz_io_got_0_payload_frames_3 = came_payload_data[255 : 192];
  assign _zz_io_got_0_payload_frames_4 = came_payload_data[319 : 256];
  assign _zz_io_got_0_payload_frames_5 = came_payload_data[383 : 320];
  assign _zz_io_got_0_payload_frames_6 = came_payload_data[447 : 384];
  assign _zz_io_got_0_payload_frames_7 = came_payload_data[511 : 448];
  always @(*) begin
    _zz_io_got_0_payload_frames_0_1[63 : 56] = _zz_io_got_0_payload_frames_0[7 : 0];
    _zz_io_got_0_payload_frames_0_1[55 : 48] = _zz_io_got_0_payload_frames_0[15 : 8];
    _zz_io_got_0_payload_frames_0_1[47 : 40] = _zz_io_got_0_payload_frames_0[23 : 16];
    _zz_io_got_0_payload_frames_0_1[39 : 32] = _zz_io_got_0_payload_frames_0[31 : 24];
    _zz_io_got_0_payload_frames_0_1[31 : 24] = _zz_io_got_0_payload_frames_0[39 : 32];
    _zz_io_got_0_payload_frames_0_1[23 : 16] = _zz_io_got_0_payload_frames_0[47 : 40];
    _zz_io_got_0_payload_frames_0_1[15 : 8] = _zz_io_got_0_payload_frames_0[55 : 48];
    _zz_io_got_0_payload_frames_0_1[7 : 0] = _zz_io_got_0_payload_frames_0[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_1_1[63 : 56] = _zz_io_got_0_payload_frames_1[7 : 0];
    _zz_io_got_0_payload_frames_1_1[55 : 48] = _zz_io_got_0_payload_frames_1[15 : 8];
    _zz_io_got_0_payload_frames_1_1[47 : 40] = _zz_io_got_0_payload_frames_1[23 : 16];
    _zz_io_got_0_payload_frames_1_1[39 : 32] = _zz_io_got_0_payload_frames_1[31 : 24];
    _zz_io_got_0_payload_frames_1_1[31 : 24] = _zz_io_got_0_payload_frames_1[39 : 32];
    _zz_io_got_0_payload_frames_1_1[23 : 16] = _zz_io_got_0_payload_frames_1[47 : 40];
    _zz_io_got_0_payload_frames_1_1[15 : 8] = _zz_io_got_0_payload_frames_1[55 : 48];
    _zz_io_got_0_payload_frames_1_1[7 : 0] = _zz_io_got_0_payload_frames_1[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_2_1[63 : 56] = _zz_io_got_0_payload_frames_2[7 : 0];
    _zz_io_got_0_payload_frames_2_1[55 : 48] = _zz_io_got_0_payload_frames_2[15 : 8];
    _zz_io_got_0_payload_frames_2_1[47 : 40] = _zz_io_got_0_payload_frames_2[23 : 16];
    _zz_io_got_0_payload_frames_2_1[39 : 32] = _zz_io_got_0_payload_frames_2[31 : 24];
    _zz_io_got_0_payload_frames_2_1[31 : 24] = _zz_io_got_0_payload_frames_2[39 : 32];
    _zz_io_got_0_payload_frames_2_1[23 : 16] = _zz_io_got_0_payload_frames_2[47 : 40];
    _zz_io_got_0_payload_frames_2_1[15 : 8] = _zz_io_got_0_payload_frames_2[55 : 48];
    _zz_io_got_0_payload_frames_2_1[7 : 0] = _zz_io_got_0_payload_frames_2[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_3_1[63 : 56] = _zz_io_got_0_payload_frames_3[7 : 0];
    _zz_io_got_0_payload_frames_3_1[55 : 48] = _zz_io_got_0_payload_frames_3[15 : 8];
    _zz_io_got_0_payload_frames_3_1[47 : 40] = _zz_io_got_0_payload_frames_3[23 : 16];
    _zz_io_got_0_payload_frames_3_1[39 : 32] = _zz_io_got_0_payload_frames_3[31 : 24];
    _zz_io_got_0_payload_frames_3_1[31 : 24] = _zz_io_got_0_payload_frames_3[39 : 32];
    _zz_io_got_0_payload_frames_3_1[23 : 16] = _zz_io_got_0_payload_frames_3[47 : 40];
    _zz_io_got_0_payload_frames_3_1[15 : 8] = _zz_io_got_0_payload_frames_3[55 : 48];
    _zz_io_got_0_payload_frames_3_1[7 : 0] = _zz_io_got_0_payload_frames_3[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_4_1[63 : 56] = _zz_io_got_0_payload_frames_4[7 : 0];
    _zz_io_got_0_payload_frames_4_1[55 : 48] = _zz_io_got_0_payload_frames_4[15 : 8];
    _zz_io_got_0_payload_frames_4_1[47 : 40] = _zz_io_got_0_payload_frames_4[23 : 16];
    _zz_io_got_0_payload_frames_4_1[39 : 32] = _zz_io_got_0_payload_frames_4[31 : 24];
    _zz_io_got_0_payload_frames_4_1[31 : 24] = _zz_io_got_0_payload_frames_4[39 : 32];
    _zz_io_got_0_payload_frames_4_1[23 : 16] = _zz_io_got_0_payload_frames_4[47 : 40];
    _zz_io_got_0_payload_frames_4_1[15 : 8] = _zz_io_got_0_payload_frames_4[55 : 48];
    _zz_io_got_0_payload_frames_4_1[7 : 0] = _zz_io_got_0_payload_frames_4[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_5_1[63 : 56] = _zz_io_got_0_payload_frames_5[7 : 0];
    _zz_io_got_0_payload_frames_5_1[55 : 48] = _zz_io_got_0_payload_frames_5[15 : 8];
    _zz_io_got_0_payload_frames_5_1[47 : 40] = _zz_io_got_0_payload_frames_5[23 : 16];
    _zz_io_got_0_payload_frames_5_1[39 : 32] = _zz_io_got_0_payload_frames_5[31 : 24];
    _zz_io_got_0_payload_frames_5_1[31 : 24] = _zz_io_got_0_payload_frames_5[39 : 32];
    _zz_io_got_0_payload_frames_5_1[23 : 16] = _zz_io_got_0_payload_frames_5[47 : 40];
    _zz_io_got_0_payload_frames_5_1[15 : 8] = _zz_io_got_0_payload_frames_5[55 : 48];
    _zz_io_got_0_payload_frames_5_1[7 : 0] = _zz_io_got_0_payload_frames_5[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_6_1[63 : 56] = _zz_io_got_0_payload_frames_6[7 : 0];
    _zz_io_got_0_payload_frames_6_1[55 : 48] = _zz_io_got_0_payload_frames_6[15 : 8];
    _zz_io_got_0_payload_frames_6_1[47 : 40] = _zz_io_got_0_payload_frames_6[23 : 16];
    _zz_io_got_0_payload_frames_6_1[39 : 32] = _zz_io_got_0_payload_frames_6[31 : 24];
    _zz_io_got_0_payload_frames_6_1[31 : 24] = _zz_io_got_0_payload_frames_6[39 : 32];
    _zz_io_got_0_payload_frames_6_1[23 : 16] = _zz_io_got_0_payload_frames_6[47 : 40];
    _zz_io_got_0_payload_frames_6_1[15 : 8] = _zz_io_got_0_payload_frames_6[55 : 48];
    _zz_io_got_0_payload_frames_6_1[7 : 0] = _zz_io_got_0_payload_frames_6[63 : 56];
  end

  always @(*) begin
    _zz_io_got_0_payload_frames_7_1[63 : 56] = _zz_io_got_0_payload_frames_7[7 : 0];
    _zz_io_got_0_payload_frames_7_1[55 : 48] = _zz_io_got_0_payload_frames_7[15 : 8];
    _zz_io_got_0_payload_frames_7_1[47 : 40] = _zz_io_got_0_payload_frames_7[23 : 16];
    _zz_io_got_0_payload_frames_7_1[39 : 32] = _zz_io_got_0_payload_frames_7[31 : 24];
    _zz_io_got_0_payload_frames_7_1[31 : 24] = _zz_io_got_0_payload_frames_7[39 : 32];
    _zz_io_got_0_payload_frames_7_1[23 : 16] = _zz_io_got_0_payload_frames_7[47 : 40];
    _zz_io_got_0_payload_frames_7_1[15 : 8] = _zz_io_got_0_payload_frames_7[55 : 48];
    _zz_io_got_0_payload_frames_7_1[7 : 0] = _zz_io_got_0_payload_frames_7[63 : 56];
  end

  assign io_got_0_payload_frames_0 = _zz_io_got_0_payload_frames_0_1[30 : 12];
  assign io_got_0_payload_frames_1 = _zz_io_got_0_payload_frames_1_1[30 : 12];
  assign io_got_0_payload_frames_2 = _zz_io_got_0_payload_frames_2_1[30 : 12];
  assign io_got_0_payload_frames_3 = _zz_io_got_0_payload_frames_3_1[30 : 12];
  assign io_got_0_payload_frames_4 = _zz_io_got_0_payload_frames_4_1[30 : 12];
  assign io_got_0_payload_frames_5 = _zz_io_got_0_payload_frames_5_1[30 : 12];
  assign io_got_0_payload_frames_6 = _zz_io_got_0_payload_frames_6_1[30 : 12];
  assign io_got_0_payload_frames_7 = _zz_io_got_0_payload_frames_7_1[30 : 12];
  assign io_got_0_payload_error = (! (came_payload_resp == 2'b00));
  assign io_got_1_valid = (came_valid && (came_payload_id == 2'b01));
  assign _zz_io_got_1_payload_frames_0 = came_payload_data[63 : 0];
  assign _zz_io_got_1_payload_frames_1 = came_payload_data[127 : 64];
  assign _zz_io_got_1_payload_frames_2 = came_payload_data[191 : 128];
  assign _zz_io_got_1_payload_frames_3 = came_payload_data[255 : 192];
  assign _zz_io_got_1_payload_frames_4 = came_payload_data[319 : 256];
  assign _zz_io_got_1_payload_frames_5 = came_payload_data[383 : 320];
  assign _zz_io_got_1_payload_frames_6 = came_payload_data[447 : 384];
  assign _zz_io_got_1_payload_frames_7 = came_payload_data[511 : 448];
  always @(*) begin
    _zz_io_got_1_payload_frames_0_1[63 : 56] = _zz_io_got_1_payload_frames_0[7 : 0];
    _zz_io_got_1_payload_frames_0_1[55 : 48] = _zz_io_got_1_payload_frames_0[15 : 8];
    _zz_io_got_1_payload_frames_0_1[47 : 40] = _zz_io_got_1_payload_frames_0[23 : 16];
    _zz_io_got_1_payload_frames_0_1[39 : 32] = _zz_io_got_1_payload_frames_0[31 : 24];
    _zz_io_got_1_payload_frames_0_1[31 : 24] = _zz_io_got_1_payload_frames_0[39 : 32];
    _zz_io_got_1_payload_frames_0_1[23 : 16] = _zz_io_got_1_payload_frames_0[47 : 40];
    _zz_io_got_1_payload_frames_0_1[15 : 8] = _zz_io_got_1_payload_frames_0[55 : 48];
    _zz_io_got_1_payload_frames_0_1[7 : 0] = _zz_io_got_1_payload_frames_0[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_1_1[63 : 56] = _zz_io_got_1_payload_frames_1[7 : 0];
    _zz_io_got_1_payload_frames_1_1[55 : 48] = _zz_io_got_1_payload_frames_1[15 : 8];
    _zz_io_got_1_payload_frames_1_1[47 : 40] = _zz_io_got_1_payload_frames_1[23 : 16];
    _zz_io_got_1_payload_frames_1_1[39 : 32] = _zz_io_got_1_payload_frames_1[31 : 24];
    _zz_io_got_1_payload_frames_1_1[31 : 24] = _zz_io_got_1_payload_frames_1[39 : 32];
    _zz_io_got_1_payload_frames_1_1[23 : 16] = _zz_io_got_1_payload_frames_1[47 : 40];
    _zz_io_got_1_payload_frames_1_1[15 : 8] = _zz_io_got_1_payload_frames_1[55 : 48];
    _zz_io_got_1_payload_frames_1_1[7 : 0] = _zz_io_got_1_payload_frames_1[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_2_1[63 : 56] = _zz_io_got_1_payload_frames_2[7 : 0];
    _zz_io_got_1_payload_frames_2_1[55 : 48] = _zz_io_got_1_payload_frames_2[15 : 8];
    _zz_io_got_1_payload_frames_2_1[47 : 40] = _zz_io_got_1_payload_frames_2[23 : 16];
    _zz_io_got_1_payload_frames_2_1[39 : 32] = _zz_io_got_1_payload_frames_2[31 : 24];
    _zz_io_got_1_payload_frames_2_1[31 : 24] = _zz_io_got_1_payload_frames_2[39 : 32];
    _zz_io_got_1_payload_frames_2_1[23 : 16] = _zz_io_got_1_payload_frames_2[47 : 40];
    _zz_io_got_1_payload_frames_2_1[15 : 8] = _zz_io_got_1_payload_frames_2[55 : 48];
    _zz_io_got_1_payload_frames_2_1[7 : 0] = _zz_io_got_1_payload_frames_2[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_3_1[63 : 56] = _zz_io_got_1_payload_frames_3[7 : 0];
    _zz_io_got_1_payload_frames_3_1[55 : 48] = _zz_io_got_1_payload_frames_3[15 : 8];
    _zz_io_got_1_payload_frames_3_1[47 : 40] = _zz_io_got_1_payload_frames_3[23 : 16];
    _zz_io_got_1_payload_frames_3_1[39 : 32] = _zz_io_got_1_payload_frames_3[31 : 24];
    _zz_io_got_1_payload_frames_3_1[31 : 24] = _zz_io_got_1_payload_frames_3[39 : 32];
    _zz_io_got_1_payload_frames_3_1[23 : 16] = _zz_io_got_1_payload_frames_3[47 : 40];
    _zz_io_got_1_payload_frames_3_1[15 : 8] = _zz_io_got_1_payload_frames_3[55 : 48];
    _zz_io_got_1_payload_frames_3_1[7 : 0] = _zz_io_got_1_payload_frames_3[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_4_1[63 : 56] = _zz_io_got_1_payload_frames_4[7 : 0];
    _zz_io_got_1_payload_frames_4_1[55 : 48] = _zz_io_got_1_payload_frames_4[15 : 8];
    _zz_io_got_1_payload_frames_4_1[47 : 40] = _zz_io_got_1_payload_frames_4[23 : 16];
    _zz_io_got_1_payload_frames_4_1[39 : 32] = _zz_io_got_1_payload_frames_4[31 : 24];
    _zz_io_got_1_payload_frames_4_1[31 : 24] = _zz_io_got_1_payload_frames_4[39 : 32];
    _zz_io_got_1_payload_frames_4_1[23 : 16] = _zz_io_got_1_payload_frames_4[47 : 40];
    _zz_io_got_1_payload_frames_4_1[15 : 8] = _zz_io_got_1_payload_frames_4[55 : 48];
    _zz_io_got_1_payload_frames_4_1[7 : 0] = _zz_io_got_1_payload_frames_4[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_5_1[63 : 56] = _zz_io_got_1_payload_frames_5[7 : 0];
    _zz_io_got_1_payload_frames_5_1[55 : 48] = _zz_io_got_1_payload_frames_5[15 : 8];
    _zz_io_got_1_payload_frames_5_1[47 : 40] = _zz_io_got_1_payload_frames_5[23 : 16];
    _zz_io_got_1_payload_frames_5_1[39 : 32] = _zz_io_got_1_payload_frames_5[31 : 24];
    _zz_io_got_1_payload_frames_5_1[31 : 24] = _zz_io_got_1_payload_frames_5[39 : 32];
    _zz_io_got_1_payload_frames_5_1[23 : 16] = _zz_io_got_1_payload_frames_5[47 : 40];
    _zz_io_got_1_payload_frames_5_1[15 : 8] = _zz_io_got_1_payload_frames_5[55 : 48];
    _zz_io_got_1_payload_frames_5_1[7 : 0] = _zz_io_got_1_payload_frames_5[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_6_1[63 : 56] = _zz_io_got_1_payload_frames_6[7 : 0];
    _zz_io_got_1_payload_frames_6_1[55 : 48] = _zz_io_got_1_payload_frames_6[15 : 8];
    _zz_io_got_1_payload_frames_6_1[47 : 40] = _zz_io_got_1_payload_frames_6[23 : 16];
    _zz_io_got_1_payload_frames_6_1[39 : 32] = _zz_io_got_1_payload_frames_6[31 : 24];
    _zz_io_got_1_payload_frames_6_1[31 : 24] = _zz_io_got_1_payload_frames_6[39 : 32];
    _zz_io_got_1_payload_frames_6_1[23 : 16] = _zz_io_got_1_payload_frames_6[47 : 40];
    _zz_io_got_1_payload_frames_6_1[15 : 8] = _zz_io_got_1_payload_frames_6[55 : 48];
    _zz_io_got_1_payload_frames_6_1[7 : 0] = _zz_io_got_1_payload_frames_6[63 : 56];
  end

  always @(*) begin
    _zz_io_got_1_payload_frames_7_1[63 : 56] = _zz_io_got_1_payload_frames_7[7 : 0];
    _zz_io_got_1_payload_frames_7_1[55 : 48] = _zz_io_got_1_payload_frames_7[15 : 8];
    _zz_io_got_1_payload_frames_7_1[47 : 40] = _zz_io_got_1_payload_frames_7[23 : 16];
    _zz_io_got_1_payload_frames_7_1[39 : 32] = _zz_io_got_1_payload_frames_7[31 : 24];
    _zz_io_got_1_payload_frames_7_1[31 : 24] = _zz_io_got_1_payload_frames_7[39 : 32];
    _zz_io_got_1_payload_frames_7_1[23 : 16] = _zz_io_got_1_payload_frames_7[47 : 40];
    _zz_io_got_1_payload_frames_7_1[15 : 8] = _zz_io_got_1_payload_frames_7[55 : 48];
    _zz_io_got_1_payload_frames_7_1[7 : 0] = _zz_io_got_1_payload_frames_7[63 : 56];
  end

  assign io_got_1_payload_frames_0 = _zz_io_got_1_payload_frames_0_1[30 : 12];
  assign io_got_1_payload_frames_1 = _zz_io_got_1_payload_frames_1_1[30 : 12];
  assign io_got_1_payload_frames_2 = _zz_io_got_1_payload_frames_2_1[30 : 12];
  assign io_got_1_payload_frames_3 = _zz_io_got_1_payload_frames_3_1[30 : 12];
  assign io_got_1_payload_frames_4 = _zz_io_got_1_payload_frames_4_1[30 : 12];
  assign io_got_1_payload_frames_5 = _zz_io_got_1_payload_frames_5_1[30 : 12];
  assign io_got_1_payload_frames_6 = _zz_io_got_1_payload_frames_6_1[30 : 12];
  assign io_got_1_payload_frames_7 = _zz_io_got_1_payload_frames_7_1[30 : 12];
  assign io_got_1_payload_error = (! (came_payload_resp == 2'b00));
  assign io_write_0_ready = writes_io_inputs_0_ready;
  assign io_write_1_ready = writes_io_inputs_1_ready;
  assign io_write_2_ready = writes_io_inputs_2_ready;
  assign writes_io_output_fork2_io_outputs_0_translated_valid = writes_io_output_fork2_io_outputs_0_valid;
  assign writes_io_output_fork2_io_outputs_0_translated_payload = {{writes_io_chosen,writes_io_output_payload_zeros},writes_io_output_payload_line};
  always @(*) begin
    writes_io_output_fork2_io_outputs_0_translated_ready = chosen_ready;
    if((! chosen_valid)) begin
      writes_io_output_fork2_io_outputs_0_translated_ready = 1'b1;
    end
  end

  assign chosen_valid = writes_io_output_fork2_io_outputs_0_translated_rValid;
  assign chosen_payload = writes_io_output_fork2_io_outputs_0_translated_rData;
  assign io_mem_aw_valid = chosen_valid;
  assign chosen_ready = io_mem_aw_ready;
  assign io_mem_aw_payload_id = chosen_payload[27 : 26];
  always @(*) begin
    io_mem_aw_payload_len = 8'h0;
    if(chosen_payload[25]) begin
      io_mem_aw_payload_len = 8'h0f;
    end
  end

  assign io_mem_aw_payload_size = 3'b110;
  assign io_mem_aw_payload_burst = 2'b01;
  assign io_mem_aw_payload_addr = {_zz_io_mem_aw_payload_addr,6'h0};
  always @(*) begin
    writes_io_output_fork2_io_outputs_1_ready = data_ready;
    if((! data_valid)) begin
      writes_io_output_fork2_io_outputs_1_ready = 1'b1;
    end
  end

  assign data_valid = writes_io_output_fork2_io_outputs_1_rValid;
  assign data_payload_frames_0 = writes_io_output_fork2_io_outputs_1_rData_frames_0;
  assign data_payload_frames_1 = writes_io_output_fork2_io_outputs_1_rData_frames_1;
  assign data_payload_frames_2 = writes_io_output_fork2_io_outputs_1_rData_frames_2;
  assign data_payload_frames_3 = writes_io_output_fork2_io_outputs_1_rData_frames_3;
  assign data_payload_frames_4 = writes_io_output_fork2_io_outputs_1_rData_frames_4;
  assign data_payload_frames_5 = writes_io_output_fork2_io_outputs_1_rData_frames_5;
  assign data_payload_frames_6 = writes_io_output_fork2_io_outputs_1_rData_frames_6;
  assign data_payload_frames_7 = writes_io_output_fork2_io_outputs_1_rData_frames_7;
  assign data_payload_zeros = writes_io_output_fork2_io_outputs_1_rData_zeros;
  assign last = ((! data_payload_zeros) || (beat == 4'b1111));
  assign io_mem_aw_fire = (io_mem_aw_valid && io_mem_aw_ready);
  assign io_mem_w_fire = (io_mem_w_valid && io_mem_w_ready);
  assign io_mem_w_valid = (data_valid && (addressed != 2'b00));
  assign _zz_io_mem_w_payload_data = _zz__zz_io_mem_w_payload_data;
  always @(*) begin
    _zz_io_mem_w_payload_data_1[63 : 56] = _zz_io_mem_w_payload_data[7 : 0];
    _zz_io_mem_w_payload_data_1[55 : 48] = _zz_io_mem_w_payload_data[15 : 8];
    _zz_io_mem_w_payload_data_1[47 : 40] = _zz_io_mem_w_payload_data[23 : 16];
    _zz_io_mem_w_payload_data_1[39 : 32] = _zz_io_mem_w_payload_data[31 : 24];
    _zz_io_mem_w_payload_data_1[31 : 24] = _zz_io_mem_w_payload_data[39 : 32];
    _zz_io_mem_w_payload_data_1[23 : 16] = _zz_io_mem_w_payload_data[47 : 40];
    _zz_io_mem_w_payload_data_1[15 : 8] = _zz_io_mem_w_payload_data[55 : 48];
    _zz_io_mem_w_payload_data_1[7 : 0] = _zz_io_mem_w_payload_data[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_2 = _zz__zz_io_mem_w_payload_data_2;
  always @(*) begin
    _zz_io_mem_w_payload_data_3[63 : 56] = _zz_io_mem_w_payload_data_2[7 : 0];
    _zz_io_mem_w_payload_data_3[55 : 48] = _zz_io_mem_w_payload_data_2[15 : 8];
    _zz_io_mem_w_payload_data_3[47 : 40] = _zz_io_mem_w_payload_data_2[23 : 16];
    _zz_io_mem_w_payload_data_3[39 : 32] = _zz_io_mem_w_payload_data_2[31 : 24];
    _zz_io_mem_w_payload_data_3[31 : 24] = _zz_io_mem_w_payload_data_2[39 : 32];
    _zz_io_mem_w_payload_data_3[23 : 16] = _zz_io_mem_w_payload_data_2[47 : 40];
    _zz_io_mem_w_payload_data_3[15 : 8] = _zz_io_mem_w_payload_data_2[55 : 48];
    _zz_io_mem_w_payload_data_3[7 : 0] = _zz_io_mem_w_payload_data_2[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_4 = _zz__zz_io_mem_w_payload_data_4;
  always @(*) begin
    _zz_io_mem_w_payload_data_5[63 : 56] = _zz_io_mem_w_payload_data_4[7 : 0];
    _zz_io_mem_w_payload_data_5[55 : 48] = _zz_io_mem_w_payload_data_4[15 : 8];
    _zz_io_mem_w_payload_data_5[47 : 40] = _zz_io_mem_w_payload_data_4[23 : 16];
    _zz_io_mem_w_payload_data_5[39 : 32] = _zz_io_mem_w_payload_data_4[31 : 24];
    _zz_io_mem_w_payload_data_5[31 : 24] = _zz_io_mem_w_payload_data_4[39 : 32];
    _zz_io_mem_w_payload_data_5[23 : 16] = _zz_io_mem_w_payload_data_4[47 : 40];
    _zz_io_mem_w_payload_data_5[15 : 8] = _zz_io_mem_w_payload_data_4[55 : 48];
    _zz_io_mem_w_payload_data_5[7 : 0] = _zz_io_mem_w_payload_data_4[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_6 = _zz__zz_io_mem_w_payload_data_6;
  always @(*) begin
    _zz_io_mem_w_payload_data_7[63 : 56] = _zz_io_mem_w_payload_data_6[7 : 0];
    _zz_io_mem_w_payload_data_7[55 : 48] = _zz_io_mem_w_payload_data_6[15 : 8];
    _zz_io_mem_w_payload_data_7[47 : 40] = _zz_io_mem_w_payload_data_6[23 : 16];
    _zz_io_mem_w_payload_data_7[39 : 32] = _zz_io_mem_w_payload_data_6[31 : 24];
    _zz_io_mem_w_payload_data_7[31 : 24] = _zz_io_mem_w_payload_data_6[39 : 32];
    _zz_io_mem_w_payload_data_7[23 : 16] = _zz_io_mem_w_payload_data_6[47 : 40];
    _zz_io_mem_w_payload_data_7[15 : 8] = _zz_io_mem_w_payload_data_6[55 : 48];
    _zz_io_mem_w_payload_data_7[7 : 0] = _zz_io_mem_w_payload_data_6[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_8 = _zz__zz_io_mem_w_payload_data_8;
  always @(*) begin
    _zz_io_mem_w_payload_data_9[63 : 56] = _zz_io_mem_w_payload_data_8[7 : 0];
    _zz_io_mem_w_payload_data_9[55 : 48] = _zz_io_mem_w_payload_data_8[15 : 8];
    _zz_io_mem_w_payload_data_9[47 : 40] = _zz_io_mem_w_payload_data_8[23 : 16];
    _zz_io_mem_w_payload_data_9[39 : 32] = _zz_io_mem_w_payload_data_8[31 : 24];
    _zz_io_mem_w_payload_data_9[31 : 24] = _zz_io_mem_w_payload_data_8[39 : 32];
    _zz_io_mem_w_payload_data_9[23 : 16] = _zz_io_mem_w_payload_data_8[47 : 40];
    _zz_io_mem_w_payload_data_9[15 : 8] = _zz_io_mem_w_payload_data_8[55 : 48];
    _zz_io_mem_w_payload_data_9[7 : 0] = _zz_io_mem_w_payload_data_8[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_10 = _zz__zz_io_mem_w_payload_data_10;
  always @(*) begin
    _zz_io_mem_w_payload_data_11[63 : 56] = _zz_io_mem_w_payload_data_10[7 : 0];
    _zz_io_mem_w_payload_data_11[55 : 48] = _zz_io_mem_w_payload_data_10[15 : 8];
    _zz_io_mem_w_payload_data_11[47 : 40] = _zz_io_mem_w_payload_data_10[23 : 16];
    _zz_io_mem_w_payload_data_11[39 : 32] = _zz_io_mem_w_payload_data_10[31 : 24];
    _zz_io_mem_w_payload_data_11[31 : 24] = _zz_io_mem_w_payload_data_10[39 : 32];
    _zz_io_mem_w_payload_data_11[23 : 16] = _zz_io_mem_w_payload_data_10[47 : 40];
    _zz_io_mem_w_payload_data_11[15 : 8] = _zz_io_mem_w_payload_data_10[55 : 48];
    _zz_io_mem_w_payload_data_11[7 : 0] = _zz_io_mem_w_payload_data_10[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_12 = _zz__zz_io_mem_w_payload_data_12;
  always @(*) begin
    _zz_io_mem_w_payload_data_13[63 : 56] = _zz_io_mem_w_payload_data_12[7 : 0];
    _zz_io_mem_w_payload_data_13[55 : 48] = _zz_io_mem_w_payload_data_12[15 : 8];
    _zz_io_mem_w_payload_data_13[47 : 40] = _zz_io_mem_w_payload_data_12[23 : 16];
    _zz_io_mem_w_payload_data_13[39 : 32] = _zz_io_mem_w_payload_data_12[31 : 24];
    _zz_io_mem_w_payload_data_13[31 : 24] = _zz_io_mem_w_payload_data_12[39 : 32];
    _zz_io_mem_w_payload_data_13[23 : 16] = _zz_io_mem_w_payload_data_12[47 : 40];
    _zz_io_mem_w_payload_data_13[15 : 8] = _zz_io_mem_w_payload_data_12[55 : 48];
    _zz_io_mem_w_payload_data_13[7 : 0] = _zz_io_mem_w_payload_data_12[63 : 56];
  end

  assign _zz_io_mem_w_payload_data_14 = _zz__zz_io_mem_w_payload_data_14;
  always @(*) begin
    _zz_io_mem_w_payload_data_15[63 : 56] = _zz_io_mem_w_payload_data_14[7 : 0];
    _zz_io_mem_w_payload_data_15[55 : 48] = _zz_io_mem_w_payload_data_14[15 : 8];
    _zz_io_mem_w_payload_data_15[47 : 40] = _zz_io_mem_w_payload_data_14[23 : 16];
    _zz_io_mem_w_payload_data_15[39 : 32] = _zz_io_mem_w_payload_data_14[31 : 24];
    _zz_io_mem_w_payload_data_15[31 : 24] = _zz_io_mem_w_payload_data_14[39 : 32];
    _zz_io_mem_w_payload_data_15[23 : 16] = _zz_io_mem_w_payload_data_14[47 : 40];
    _zz_io_mem_w_payload_data_15[15 : 8] = _zz_io_mem_w_payload_data_14[55 : 48];
    _zz_io_mem_w_payload_data_15[7 : 0] = _zz_io_mem_w_payload_data_14[63 : 56];
  end

  assign io_mem_w_payload_data = {_zz_io_mem_w_payload_data_15,{_zz_io_mem_w_payload_data_13,{_zz_io_mem_w_payload_data_11,{_zz_io_mem_w_payload_data_9,{_zz_io_mem_w_payload_data_7,{_zz_io_mem_w_payload_data_5,{_zz_io_mem_w_payload_data_3,_zz_io_mem_w_payload_data_1}}}}}}};
  assign io_mem_w_payload_strb = 64'hffffffffffffffff;
  assign io_mem_w_payload_last = last;
  assign data_ready = ((io_mem_w_ready && last) && (addressed != 2'b00));
  assign io_mem_b_ready = 1'b1;
  assign io_mem_b_toFlow_valid = io_mem_b_valid;
  assign io_mem_b_toFlow_payload_id = io_mem_b_payload_id;
  assign io_mem_b_toFlow_payload_resp = io_mem_b_payload_resp;
  assign io_written_0_valid = (answered_valid && (answered_payload_id == 2'b00));
  assign io_written_0_payload = (! (answered_payload_resp == 2'b00));
  assign io_written_1_valid = (answered_valid && (answered_payload_id == 2'b01));
  assign io_written_1_payload = (! (answered_payload_resp == 2'b00));
  assign io_written_2_valid = (answered_valid && (answered_payload_id == 2'b10));
  assign io_written_2_payload = (! (answered_payload_resp == 2'b00));
  always @(posedge clk) begin
    if(reset) begin
      came_valid <= 1'b0;
      writes_io_output_fork2_io_outputs_0_translated_rValid <= 1'b0;
      writes_io_output_fork2_io_outputs_1_rValid <= 1'b0;
      beat <= 4'b0000;
      addressed <= 2'b00;
      answered_valid <= 1'b0;
    end else begin
      came_valid <= io_mem_r_toFlow_valid;
      if(writes_io_output_fork2_io_outputs_0_translated_ready) begin
        writes_io_output_fork2_io_outputs_0_translated_rValid <= writes_io_output_fork2_io_outputs_0_translated_valid;
      end
      if(writes_io_output_fork2_io_outputs_1_ready) begin
        writes_io_output_fork2_io_outputs_1_rValid <= writes_io_output_fork2_io_outputs_1_valid;
      end
      addressed <= (_zz_addressed - _zz_addressed_3);
      if(io_mem_w_fire) begin
        beat <= (last ? 4'b0000 : _zz_beat);
      end
      answered_valid <= io_mem_b_toFlow_valid;
    end
  end

  always @(posedge clk) begin
    came_payload_data <= io_mem_r_toFlow_payload_data;
    came_payload_id <= io_mem_r_toFlow_payload_id;
    came_payload_resp <= io_mem_r_toFlow_payload_resp;
    if(writes_io_output_fork2_io_outputs_0_translated_ready) begin
      writes_io_output_fork2_io_outputs_0_translated_rData <= writes_io_output_fork2_io_outputs_0_translated_payload;
    end
    if(writes_io_output_fork2_io_outputs_1_ready) begin
      writes_io_output_fork2_io_outputs_1_rData_frames_0 <= writes_io_output_fork2_io_outputs_1_payload_frames_0;
      writes_io_output_fork2_io_outputs_1_rData_frames_1 <= writes_io_output_fork2_io_outputs_1_payload_frames_1;
      writes_io_output_fork2_io_outputs_1_rData_frames_2 <= writes_io_output_fork2_io_outputs_1_payload_frames_2;
      writes_io_output_fork2_io_outputs_1_rData_frames_3 <= writes_io_output_fork2_io_outputs_1_payload_frames_3;
      writes_io_output_fork2_io_outputs_1_rData_frames_4 <= writes_io_output_fork2_io_outputs_1_payload_frames_4;
      writes_io_output_fork2_io_outputs_1_rData_frames_5 <= writes_io_output_fork2_io_outputs_1_payload_frames_5;
      writes_io_output_fork2_io_outputs_1_rData_frames_6 <= writes_io_output_fork2_io_outputs_1_payload_frames_6;
      writes_io_output_fork2_io_outputs_1_rData_frames_7 <= writes_io_output_fork2_io_outputs_1_payload_frames_7;
      writes_io_output_fork2_io_outputs_1_rData_zeros <= writes_io_output_fork2_io_outputs_1_payload_zeros;
    end
    answered_payload_id <= io_mem_b_toFlow_payload_id;
    answered_payload_resp <= io_mem_b_toFlow_payload_resp;
  end


endmodule

module StreamFifo_1 (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [18:0]   io_push_payload_0,
  input  wire [18:0]   io_push_payload_1,
  input  wire [18:0]   io_push_payload_2,
  input  wire [18:0]   io_push_payload_3,
  input  wire [18:0]   io_push_payload_4,
  input  wire [18:0]   io_push_payload_5,
  input  wire [18:0]   io_push_payload_6,
  input  wire [18:0]   io_push_payload_7,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [18:0]   io_pop_payload_0,
  output wire [18:0]   io_pop_payload_1,
  output wire [18:0]   io_pop_payload_2,
  output wire [18:0]   io_pop_payload_3,
  output wire [18:0]   io_pop_payload_4,
  output wire [18:0]   io_pop_payload_5,
  output wire [18:0]   io_pop_payload_6,
  output wire [18:0]   io_pop_payload_7,
  input  wire          io_flush,
  output wire [3:0]    io_occupancy,
  input  wire          clk,
  input  wire          reset
);

  wire       [151:0]  logic_ram_spinal_port1;
  wire       [151:0]  _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [3:0]    logic_ptr_push;
  reg        [3:0]    logic_ptr_pop;
  wire       [3:0]    logic_ptr_occupancy;
  wire       [3:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [2:0]    logic_push_onRam_write_payload_address;
  wire       [18:0]   logic_push_onRam_write_payload_data_0;
  wire       [18:0]   logic_push_onRam_write_payload_data_1;
  wire       [18:0]   logic_push_onRam_write_payload_data_2;
  wire       [18:0]   logic_push_onRam_write_payload_data_3;
  wire       [18:0]   logic_push_onRam_write_payload_data_4;
  wire       [18:0]   logic_push_onRam_write_payload_data_5;
  wire       [18:0]   logic_push_onRam_write_payload_data_6;
  wire       [18:0]   logic_push_onRam_write_payload_data_7;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [2:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [18:0]   logic_pop_async_readed_0;
  wire       [18:0]   logic_pop_async_readed_1;
  wire       [18:0]   logic_pop_async_readed_2;
  wire       [18:0]   logic_pop_async_readed_3;
  wire       [18:0]   logic_pop_async_readed_4;
  wire       [18:0]   logic_pop_async_readed_5;
  wire       [18:0]   logic_pop_async_readed_6;
  wire       [18:0]   logic_pop_async_readed_7;
  wire       [151:0]  _zz_logic_pop_async_readed_0;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [18:0]   logic_pop_addressGen_translated_payload_0;
  wire       [18:0]   logic_pop_addressGen_translated_payload_1;
  wire       [18:0]   logic_pop_addressGen_translated_payload_2;
  wire       [18:0]   logic_pop_addressGen_translated_payload_3;
  wire       [18:0]   logic_pop_addressGen_translated_payload_4;
  wire       [18:0]   logic_pop_addressGen_translated_payload_5;
  wire       [18:0]   logic_pop_addressGen_translated_payload_6;
  wire       [18:0]   logic_pop_addressGen_translated_payload_7;
  (* ram_style = "distributed" *) reg [151:0] logic_ram [0:7];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_7,{logic_push_onRam_write_payload_data_6,{logic_push_onRam_write_payload_data_5,{logic_push_onRam_write_payload_data_4,{logic_push_onRam_write_payload_data_3,{logic_push_onRam_write_payload_data_2,{logic_push_onRam_write_payload_data_1,logic_push_onRam_write_payload_data_0}}}}}}};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 4'b1000) == 4'b0000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[2:0];
  assign logic_push_onRam_write_payload_data_0 = io_push_payload_0;
  assign logic_push_onRam_write_payload_data_1 = io_push_payload_1;
  assign logic_push_onRam_write_payload_data_2 = io_push_payload_2;
  assign logic_push_onRam_write_payload_data_3 = io_push_payload_3;
  assign logic_push_onRam_write_payload_data_4 = io_push_payload_4;
  assign logic_push_onRam_write_payload_data_5 = io_push_payload_5;
  assign logic_push_onRam_write_payload_data_6 = io_push_payload_6;
  assign logic_push_onRam_write_payload_data_7 = io_push_payload_7;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[2:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_0 = logic_ram_spinal_port1;
  assign logic_pop_async_readed_0 = _zz_logic_pop_async_readed_0[18 : 0];
  assign logic_pop_async_readed_1 = _zz_logic_pop_async_readed_0[37 : 19];
  assign logic_pop_async_readed_2 = _zz_logic_pop_async_readed_0[56 : 38];
  assign logic_pop_async_readed_3 = _zz_logic_pop_async_readed_0[75 : 57];
  assign logic_pop_async_readed_4 = _zz_logic_pop_async_readed_0[94 : 76];
  assign logic_pop_async_readed_5 = _zz_logic_pop_async_readed_0[113 : 95];
  assign logic_pop_async_readed_6 = _zz_logic_pop_async_readed_0[132 : 114];
  assign logic_pop_async_readed_7 = _zz_logic_pop_async_readed_0[151 : 133];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_0 = logic_pop_async_readed_0;
  assign logic_pop_addressGen_translated_payload_1 = logic_pop_async_readed_1;
  assign logic_pop_addressGen_translated_payload_2 = logic_pop_async_readed_2;
  assign logic_pop_addressGen_translated_payload_3 = logic_pop_async_readed_3;
  assign logic_pop_addressGen_translated_payload_4 = logic_pop_async_readed_4;
  assign logic_pop_addressGen_translated_payload_5 = logic_pop_async_readed_5;
  assign logic_pop_addressGen_translated_payload_6 = logic_pop_async_readed_6;
  assign logic_pop_addressGen_translated_payload_7 = logic_pop_async_readed_7;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_0 = logic_pop_addressGen_translated_payload_0;
  assign io_pop_payload_1 = logic_pop_addressGen_translated_payload_1;
  assign io_pop_payload_2 = logic_pop_addressGen_translated_payload_2;
  assign io_pop_payload_3 = logic_pop_addressGen_translated_payload_3;
  assign io_pop_payload_4 = logic_pop_addressGen_translated_payload_4;
  assign io_pop_payload_5 = logic_pop_addressGen_translated_payload_5;
  assign io_pop_payload_6 = logic_pop_addressGen_translated_payload_6;
  assign io_pop_payload_7 = logic_pop_addressGen_translated_payload_7;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_occupancy = logic_ptr_occupancy;
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 4'b0000;
      logic_ptr_pop <= 4'b0000;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 4'b0001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 4'b0001);
      end
      if(io_flush) begin
        logic_ptr_push <= 4'b0000;
        logic_ptr_pop <= 4'b0000;
      end
    end
  end


endmodule

module StreamFifo (
  input  wire          io_push_valid,
  output wire          io_push_ready,
  input  wire [18:0]   io_push_payload_0,
  input  wire [18:0]   io_push_payload_1,
  input  wire [18:0]   io_push_payload_2,
  input  wire [18:0]   io_push_payload_3,
  input  wire [18:0]   io_push_payload_4,
  input  wire [18:0]   io_push_payload_5,
  input  wire [18:0]   io_push_payload_6,
  input  wire [18:0]   io_push_payload_7,
  output wire          io_pop_valid,
  input  wire          io_pop_ready,
  output wire [18:0]   io_pop_payload_0,
  output wire [18:0]   io_pop_payload_1,
  output wire [18:0]   io_pop_payload_2,
  output wire [18:0]   io_pop_payload_3,
  output wire [18:0]   io_pop_payload_4,
  output wire [18:0]   io_pop_payload_5,
  output wire [18:0]   io_pop_payload_6,
  output wire [18:0]   io_pop_payload_7,
  input  wire          io_flush,
  output wire [3:0]    io_occupancy,
  output wire [3:0]    io_availability,
  input  wire          clk,
  input  wire          reset
);

  wire       [151:0]  logic_ram_spinal_port1;
  wire       [151:0]  _zz_logic_ram_port;
  reg                 _zz_1;
  wire                logic_ptr_doPush;
  wire                logic_ptr_doPop;
  wire                logic_ptr_full;
  wire                logic_ptr_empty;
  reg        [3:0]    logic_ptr_push;
  reg        [3:0]    logic_ptr_pop;
  wire       [3:0]    logic_ptr_occupancy;
  wire       [3:0]    logic_ptr_popOnIo;
  wire                io_push_fire;
  wire                logic_push_onRam_write_valid;
  wire       [2:0]    logic_push_onRam_write_payload_address;
  wire       [18:0]   logic_push_onRam_write_payload_data_0;
  wire       [18:0]   logic_push_onRam_write_payload_data_1;
  wire       [18:0]   logic_push_onRam_write_payload_data_2;
  wire       [18:0]   logic_push_onRam_write_payload_data_3;
  wire       [18:0]   logic_push_onRam_write_payload_data_4;
  wire       [18:0]   logic_push_onRam_write_payload_data_5;
  wire       [18:0]   logic_push_onRam_write_payload_data_6;
  wire       [18:0]   logic_push_onRam_write_payload_data_7;
  wire                logic_pop_addressGen_valid;
  wire                logic_pop_addressGen_ready;
  wire       [2:0]    logic_pop_addressGen_payload;
  wire                logic_pop_addressGen_fire;
  wire       [18:0]   logic_pop_async_readed_0;
  wire       [18:0]   logic_pop_async_readed_1;
  wire       [18:0]   logic_pop_async_readed_2;
  wire       [18:0]   logic_pop_async_readed_3;
  wire       [18:0]   logic_pop_async_readed_4;
  wire       [18:0]   logic_pop_async_readed_5;
  wire       [18:0]   logic_pop_async_readed_6;
  wire       [18:0]   logic_pop_async_readed_7;
  wire       [151:0]  _zz_logic_pop_async_readed_0;
  wire                logic_pop_addressGen_translated_valid;
  wire                logic_pop_addressGen_translated_ready;
  wire       [18:0]   logic_pop_addressGen_translated_payload_0;
  wire       [18:0]   logic_pop_addressGen_translated_payload_1;
  wire       [18:0]   logic_pop_addressGen_translated_payload_2;
  wire       [18:0]   logic_pop_addressGen_translated_payload_3;
  wire       [18:0]   logic_pop_addressGen_translated_payload_4;
  wire       [18:0]   logic_pop_addressGen_translated_payload_5;
  wire       [18:0]   logic_pop_addressGen_translated_payload_6;
  wire       [18:0]   logic_pop_addressGen_translated_payload_7;
  (* ram_style = "distributed" *) reg [151:0] logic_ram [0:7];

  assign _zz_logic_ram_port = {logic_push_onRam_write_payload_data_7,{logic_push_onRam_write_payload_data_6,{logic_push_onRam_write_payload_data_5,{logic_push_onRam_write_payload_data_4,{logic_push_onRam_write_payload_data_3,{logic_push_onRam_write_payload_data_2,{logic_push_onRam_write_payload_data_1,logic_push_onRam_write_payload_data_0}}}}}}};
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

  assign logic_ptr_full = (((logic_ptr_push ^ logic_ptr_popOnIo) ^ 4'b1000) == 4'b0000);
  assign logic_ptr_empty = (logic_ptr_push == logic_ptr_pop);
  assign logic_ptr_occupancy = (logic_ptr_push - logic_ptr_popOnIo);
  assign io_push_ready = (! logic_ptr_full);
  assign io_push_fire = (io_push_valid && io_push_ready);
  assign logic_ptr_doPush = io_push_fire;
  assign logic_push_onRam_write_valid = io_push_fire;
  assign logic_push_onRam_write_payload_address = logic_ptr_push[2:0];
  assign logic_push_onRam_write_payload_data_0 = io_push_payload_0;
  assign logic_push_onRam_write_payload_data_1 = io_push_payload_1;
  assign logic_push_onRam_write_payload_data_2 = io_push_payload_2;
  assign logic_push_onRam_write_payload_data_3 = io_push_payload_3;
  assign logic_push_onRam_write_payload_data_4 = io_push_payload_4;
  assign logic_push_onRam_write_payload_data_5 = io_push_payload_5;
  assign logic_push_onRam_write_payload_data_6 = io_push_payload_6;
  assign logic_push_onRam_write_payload_data_7 = io_push_payload_7;
  assign logic_pop_addressGen_valid = (! logic_ptr_empty);
  assign logic_pop_addressGen_payload = logic_ptr_pop[2:0];
  assign logic_pop_addressGen_fire = (logic_pop_addressGen_valid && logic_pop_addressGen_ready);
  assign logic_ptr_doPop = logic_pop_addressGen_fire;
  assign _zz_logic_pop_async_readed_0 = logic_ram_spinal_port1;
  assign logic_pop_async_readed_0 = _zz_logic_pop_async_readed_0[18 : 0];
  assign logic_pop_async_readed_1 = _zz_logic_pop_async_readed_0[37 : 19];
  assign logic_pop_async_readed_2 = _zz_logic_pop_async_readed_0[56 : 38];
  assign logic_pop_async_readed_3 = _zz_logic_pop_async_readed_0[75 : 57];
  assign logic_pop_async_readed_4 = _zz_logic_pop_async_readed_0[94 : 76];
  assign logic_pop_async_readed_5 = _zz_logic_pop_async_readed_0[113 : 95];
  assign logic_pop_async_readed_6 = _zz_logic_pop_async_readed_0[132 : 114];
  assign logic_pop_async_readed_7 = _zz_logic_pop_async_readed_0[151 : 133];
  assign logic_pop_addressGen_translated_valid = logic_pop_addressGen_valid;
  assign logic_pop_addressGen_ready = logic_pop_addressGen_translated_ready;
  assign logic_pop_addressGen_translated_payload_0 = logic_pop_async_readed_0;
  assign logic_pop_addressGen_translated_payload_1 = logic_pop_async_readed_1;
  assign logic_pop_addressGen_translated_payload_2 = logic_pop_async_readed_2;
  assign logic_pop_addressGen_translated_payload_3 = logic_pop_async_readed_3;
  assign logic_pop_addressGen_translated_payload_4 = logic_pop_async_readed_4;
  assign logic_pop_addressGen_translated_payload_5 = logic_pop_async_readed_5;
  assign logic_pop_addressGen_translated_payload_6 = logic_pop_async_readed_6;
  assign logic_pop_addressGen_translated_payload_7 = logic_pop_async_readed_7;
  assign io_pop_valid = logic_pop_addressGen_translated_valid;
  assign logic_pop_addressGen_translated_ready = io_pop_ready;
  assign io_pop_payload_0 = logic_pop_addressGen_translated_payload_0;
  assign io_pop_payload_1 = logic_pop_addressGen_translated_payload_1;
  assign io_pop_payload_2 = logic_pop_addressGen_translated_payload_2;
  assign io_pop_payload_3 = logic_pop_addressGen_translated_payload_3;
  assign io_pop_payload_4 = logic_pop_addressGen_translated_payload_4;
  assign io_pop_payload_5 = logic_pop_addressGen_translated_payload_5;
  assign io_pop_payload_6 = logic_pop_addressGen_translated_payload_6;
  assign io_pop_payload_7 = logic_pop_addressGen_translated_payload_7;
  assign logic_ptr_popOnIo = logic_ptr_pop;
  assign io_occupancy = logic_ptr_occupancy;
  assign io_availability = (4'b1000 - logic_ptr_occupancy);
  always @(posedge clk) begin
    if(reset) begin
      logic_ptr_push <= 4'b0000;
      logic_ptr_pop <= 4'b0000;
    end else begin
      if(logic_ptr_doPush) begin
        logic_ptr_push <= (logic_ptr_push + 4'b0001);
      end
      if(logic_ptr_doPop) begin
        logic_ptr_pop <= (logic_ptr_pop + 4'b0001);
      end
      if(io_flush) begin
        logic_ptr_push <= 4'b0000;
        logic_ptr_pop <= 4'b0000;
      end
    end
  end


endmodule

module StreamFork (
  input  wire          io_input_valid,
  output reg           io_input_ready,
  input  wire [18:0]   io_input_payload_frames_0,
  input  wire [18:0]   io_input_payload_frames_1,
  input  wire [18:0]   io_input_payload_frames_2,
  input  wire [18:0]   io_input_payload_frames_3,
  input  wire [18:0]   io_input_payload_frames_4,
  input  wire [18:0]   io_input_payload_frames_5,
  input  wire [18:0]   io_input_payload_frames_6,
  input  wire [18:0]   io_input_payload_frames_7,
  input  wire          io_input_payload_zeros,
  output wire          io_outputs_0_valid,
  input  wire          io_outputs_0_ready,
  output wire          io_outputs_1_valid,
  input  wire          io_outputs_1_ready,
  output wire [18:0]   io_outputs_1_payload_frames_0,
  output wire [18:0]   io_outputs_1_payload_frames_1,
  output wire [18:0]   io_outputs_1_payload_frames_2,
  output wire [18:0]   io_outputs_1_payload_frames_3,
  output wire [18:0]   io_outputs_1_payload_frames_4,
  output wire [18:0]   io_outputs_1_payload_frames_5,
  output wire [18:0]   io_outputs_1_payload_frames_6,
  output wire [18:0]   io_outputs_1_payload_frames_7,
  output wire          io_outputs_1_payload_zeros,
  input  wire          clk,
  input  wire          reset
);

  reg                 logic_linkEnable_0;
  reg                 logic_linkEnable_1;
  wire                io_outputs_0_fire;
  wire                io_outputs_1_fire;

  always @(*) begin
    io_input_ready = 1'b1;
    if(((! io_outputs_0_ready) && logic_linkEnable_0)) begin
      io_input_ready = 1'b0;
    end
    if(((! io_outputs_1_ready) && logic_linkEnable_1)) begin
      io_input_ready = 1'b0;
    end
  end

  assign io_outputs_0_valid = (io_input_valid && logic_linkEnable_0);
  assign io_outputs_0_fire = (io_outputs_0_valid && io_outputs_0_ready);
  assign io_outputs_1_valid = (io_input_valid && logic_linkEnable_1);
  assign io_outputs_1_payload_frames_0 = io_input_payload_frames_0;
  assign io_outputs_1_payload_frames_1 = io_input_payload_frames_1;
  assign io_outputs_1_payload_frames_2 = io_input_payload_frames_2;
  assign io_outputs_1_payload_frames_3 = io_input_payload_frames_3;
  assign io_outputs_1_payload_frames_4 = io_input_payload_frames_4;
  assign io_outputs_1_payload_frames_5 = io_input_payload_frames_5;
  assign io_outputs_1_payload_frames_6 = io_input_payload_frames_6;
  assign io_outputs_1_payload_frames_7 = io_input_payload_frames_7;
  assign io_outputs_1_payload_zeros = io_input_payload_zeros;
  assign io_outputs_1_fire = (io_outputs_1_valid && io_outputs_1_ready);
  always @(posedge clk) begin
    if(reset) begin
      logic_linkEnable_0 <= 1'b1;
      logic_linkEnable_1 <= 1'b1;
    end else begin
      if(io_outputs_0_fire) begin
        logic_linkEnable_0 <= 1'b0;
      end
      if(io_outputs_1_fire) begin
        logic_linkEnable_1 <= 1'b0;
      end
      if(io_input_ready) begin
        logic_linkEnable_0 <= 1'b1;
        logic_linkEnable_1 <= 1'b1;
      end
    end
  end


endmodule

module StreamArbiter_1 (
  input  wire          io_inputs_0_valid,
  output wire          io_inputs_0_ready,
  input  wire [24:0]   io_inputs_0_payload_line,
  input  wire [18:0]   io_inputs_0_payload_frames_0,
  input  wire [18:0]   io_inputs_0_payload_frames_1,
  input  wire [18:0]   io_inputs_0_payload_frames_2,
  input  wire [18:0]   io_inputs_0_payload_frames_3,
  input  wire [18:0]   io_inputs_0_payload_frames_4,
  input  wire [18:0]   io_inputs_0_payload_frames_5,
  input  wire [18:0]   io_inputs_0_payload_frames_6,
  input  wire [18:0]   io_inputs_0_payload_frames_7,
  input  wire          io_inputs_0_payload_zeros,
  input  wire          io_inputs_1_valid,
  output wire          io_inputs_1_ready,
  input  wire [24:0]   io_inputs_1_payload_line,
  input  wire [18:0]   io_inputs_1_payload_frames_0,
  input  wire [18:0]   io_inputs_1_payload_frames_1,
  input  wire [18:0]   io_inputs_1_payload_frames_2,
  input  wire [18:0]   io_inputs_1_payload_frames_3,
  input  wire [18:0]   io_inputs_1_payload_frames_4,
  input  wire [18:0]   io_inputs_1_payload_frames_5,
  input  wire [18:0]   io_inputs_1_payload_frames_6,
  input  wire [18:0]   io_inputs_1_payload_frames_7,
  input  wire          io_inputs_1_payload_zeros,
  input  wire          io_inputs_2_valid,
  output wire          io_inputs_2_ready,
  input  wire [24:0]   io_inputs_2_payload_line,
  input  wire [18:0]   io_inputs_2_payload_frames_0,
  input  wire [18:0]   io_inputs_2_payload_frames_1,
  input  wire [18:0]   io_inputs_2_payload_frames_2,
  input  wire [18:0]   io_inputs_2_payload_frames_3,
  input  wire [18:0]   io_inputs_2_payload_frames_4,
  input  wire [18:0]   io_inputs_2_payload_frames_5,
  input  wire [18:0]   io_inputs_2_payload_frames_6,
  input  wire [18:0]   io_inputs_2_payload_frames_7,
  input  wire          io_inputs_2_payload_zeros,
  output wire          io_output_valid,
  input  wire          io_output_ready,
  output wire [24:0]   io_output_payload_line,
  output wire [18:0]   io_output_payload_frames_0,
  output wire [18:0]   io_output_payload_frames_1,
  output wire [18:0]   io_output_payload_frames_2,
  output wire [18:0]   io_output_payload_frames_3,
  output wire [18:0]   io_output_payload_frames_4,
  output wire [18:0]   io_output_payload_frames_5,
  output wire [18:0]   io_output_payload_frames_6,
  output wire [18:0]   io_output_payload_frames_7,
  output wire          io_output_payload_zeros,
  output wire [1:0]    io_chosen,
  output wire [2:0]    io_chosenOH,
  input  wire          clk,
  input  wire          reset
);

  wire       [5:0]    _zz__zz_maskProposal_0_2;
  wire       [5:0]    _zz__zz_maskProposal_0_2_1;
  wire       [2:0]    _zz__zz_maskProposal_0_2_2;
  reg        [24:0]   _zz_io_output_payload_line_1;
  reg        [18:0]   _zz_io_output_payload_frames_0;
  reg        [18:0]   _zz_io_output_payload_frames_1;
  reg        [18:0]   _zz_io_output_payload_frames_2;
  reg        [18:0]   _zz_io_output_payload_frames_3;
  reg        [18:0]   _zz_io_output_payload_frames_4;
  reg        [18:0]   _zz_io_output_payload_frames_5;
  reg        [18:0]   _zz_io_output_payload_frames_6;
  reg        [18:0]   _zz_io_output_payload_frames_7;
  reg                 _zz_io_output_payload_zeros;
  reg                 locked;
  wire                maskProposal_0;
  wire                maskProposal_1;
  wire                maskProposal_2;
  reg                 maskLocked_0;
  reg                 maskLocked_1;
  reg                 maskLocked_2;
  wire                maskRouted_0;
  wire                maskRouted_1;
  wire                maskRouted_2;
  wire       [2:0]    _zz_maskProposal_0;
  wire       [5:0]    _zz_maskProposal_0_1;
  wire       [5:0]    _zz_maskProposal_0_2;
  wire       [2:0]    _zz_maskProposal_0_3;
  wire                io_output_fire;
  wire       [1:0]    _zz_io_output_payload_line;
  wire                _zz_io_chosen;
  wire                _zz_io_chosen_1;

  assign _zz__zz_maskProposal_0_2 = (_zz_maskProposal_0_1 - _zz__zz_maskProposal_0_2_1);
  assign _zz__zz_maskProposal_0_2_2 = {maskLocked_1,{maskLocked_0,maskLocked_2}};
  assign _zz__zz_maskProposal_0_2_1 = {3'd0, _zz__zz_maskProposal_0_2_2};
  always @(*) begin
    case(_zz_io_output_payload_line)
      2'b00 : begin
        _zz_io_output_payload_line_1 = io_inputs_0_payload_line;
        _zz_io_output_payload_frames_0 = io_inputs_0_payload_frames_0;
        _zz_io_output_payload_frames_1 = io_inputs_0_payload_frames_1;
        _zz_io_output_payload_frames_2 = io_inputs_0_payload_frames_2;
        _zz_io_output_payload_frames_3 = io_inputs_0_payload_frames_3;
        _zz_io_output_payload_frames_4 = io_inputs_0_payload_frames_4;
        _zz_io_output_payload_frames_5 = io_inputs_0_payload_frames_5;
        _zz_io_output_payload_frames_6 = io_inputs_0_payload_frames_6;
        _zz_io_output_payload_frames_7 = io_inputs_0_payload_frames_7;
        _zz_io_output_payload_zeros = io_inputs_0_payload_zeros;
      end
      2'b01 : begin
        _zz_io_output_payload_line_1 = io_inputs_1_payload_line;
        _zz_io_output_payload_frames_0 = io_inputs_1_payload_frames_0;
        _zz_io_output_payload_frames_1 = io_inputs_1_payload_frames_1;
        _zz_io_output_payload_frames_2 = io_inputs_1_payload_frames_2;
        _zz_io_output_payload_frames_3 = io_inputs_1_payload_frames_3;
        _zz_io_output_payload_frames_4 = io_inputs_1_payload_frames_4;
        _zz_io_output_payload_frames_5 = io_inputs_1_payload_frames_5;
        _zz_io_output_payload_frames_6 = io_inputs_1_payload_frames_6;
        _zz_io_output_payload_frames_7 = io_inputs_1_payload_frames_7;
        _zz_io_output_payload_zeros = io_inputs_1_payload_zeros;
      end
      default : begin
        _zz_io_output_payload_line_1 = io_inputs_2_payload_line;
        _zz_io_output_payload_frames_0 = io_inputs_2_payload_frames_0;
        _zz_io_output_payload_frames_1 = io_inputs_2_payload_frames_1;
        _zz_io_output_payload_frames_2 = io_inputs_2_payload_frames_2;
        _zz_io_output_payload_frames_3 = io_inputs_2_payload_frames_3;
        _zz_io_output_payload_frames_4 = io_inputs_2_payload_frames_4;
        _zz_io_output_payload_frames_5 = io_inputs_2_payload_frames_5;
        _zz_io_output_payload_frames_6 = io_inputs_2_payload_frames_6;
        _zz_io_output_payload_frames_7 = io_inputs_2_payload_frames_7;
        _zz_io_output_payload_zeros = io_inputs_2_payload_zeros;
      end
    endcase
  end

  assign maskRouted_0 = (locked ? maskLocked_0 : maskProposal_0);
  assign maskRouted_1 = (locked ? maskLocked_1 : maskProposal_1);
  assign maskRouted_2 = (locked ? maskLocked_2 : maskProposal_2);
  assign _zz_maskProposal_0 = {io_inputs_2_valid,{io_inputs_1_valid,io_inputs_0_valid}};
  assign _zz_maskProposal_0_1 = {_zz_maskProposal_0,_zz_maskProposal_0};
  assign _zz_maskProposal_0_2 = (_zz_maskProposal_0_1 & (~ _zz__zz_maskProposal_0_2));
  assign _zz_maskProposal_0_3 = (_zz_maskProposal_0_2[5 : 3] | _zz_maskProposal_0_2[2 : 0]);
  assign maskProposal_0 = _zz_maskProposal_0_3[0];
  assign maskProposal_1 = _zz_maskProposal_0_3[1];
  assign maskProposal_2 = _zz_maskProposal_0_3[2];
  assign io_output_fire = (io_output_valid && io_output_ready);
  assign io_output_valid = (((io_inputs_0_valid && maskRouted_0) || (io_inputs_1_valid && maskRouted_1)) || (io_inputs_2_valid && maskRouted_2));
  assign _zz_io_output_payload_line = {maskRouted_2,maskRouted_1};
  assign io_output_payload_line = _zz_io_output_payload_line_1;
  assign io_output_payload_frames_0 = _zz_io_output_payload_frames_0;
  assign io_output_payload_frames_1 = _zz_io_output_payload_frames_1;
  assign io_output_payload_frames_2 = _zz_io_output_payload_frames_2;
  assign io_output_payload_frames_3 = _zz_io_output_payload_frames_3;
  assign io_output_payload_frames_4 = _zz_io_output_payload_frames_4;
  assign io_output_payload_frames_5 = _zz_io_output_payload_frames_5;
  assign io_output_payload_frames_6 = _zz_io_output_payload_frames_6;
  assign io_output_payload_frames_7 = _zz_io_output_payload_frames_7;
  assign io_output_payload_zeros = _zz_io_output_payload_zeros;
  assign io_inputs_0_ready = (maskRouted_0 && io_output_ready);
  assign io_inputs_1_ready = (maskRouted_1 && io_output_ready);
  assign io_inputs_2_ready = (maskRouted_2 && io_output_ready);
  assign io_chosenOH = {maskRouted_2,{maskRouted_1,maskRouted_0}};
  assign _zz_io_chosen = io_chosenOH[1];
  assign _zz_io_chosen_1 = io_chosenOH[2];
  assign io_chosen = {_zz_io_chosen_1,_zz_io_chosen};
  always @(posedge clk) begin
    if(reset) begin
      locked <= 1'b0;
      maskLocked_0 <= 1'b0;
      maskLocked_1 <= 1'b0;
      maskLocked_2 <= 1'b1;
    end else begin
      if(io_output_valid) begin
        maskLocked_0 <= maskRouted_0;
        maskLocked_1 <= maskRouted_1;
        maskLocked_2 <= maskRouted_2;
      end
      if(io_output_valid) begin
        locked <= 1'b1;
      end
      if(io_output_fire) begin
        locked <= 1'b0;
      end
    end
  end


endmodule

module StreamArbiter (
  input  wire          io_inputs_0_valid,
  output wire          io_inputs_0_ready,
  input  wire [24:0]   io_inputs_0_payload,
  input  wire          io_inputs_1_valid,
  output wire          io_inputs_1_ready,
  input  wire [24:0]   io_inputs_1_payload,
  output wire          io_output_valid,
  input  wire          io_output_ready,
  output wire [24:0]   io_output_payload,
  output wire [0:0]    io_chosen,
  output wire [1:0]    io_chosenOH,
  input  wire          clk,
  input  wire          reset
);

  wire       [3:0]    _zz__zz_maskProposal_0_2;
  wire       [3:0]    _zz__zz_maskProposal_0_2_1;
  wire       [1:0]    _zz__zz_maskProposal_0_2_2;
  reg                 locked;
  wire                maskProposal_0;
  wire                maskProposal_1;
  reg                 maskLocked_0;
  reg                 maskLocked_1;
  wire                maskRouted_0;
  wire                maskRouted_1;
  wire       [1:0]    _zz_maskProposal_0;
  wire       [3:0]    _zz_maskProposal_0_1;
  wire       [3:0]    _zz_maskProposal_0_2;
  wire       [1:0]    _zz_maskProposal_0_3;
  wire                io_output_fire;
  wire                _zz_io_chosen;

  assign _zz__zz_maskProposal_0_2 = (_zz_maskProposal_0_1 - _zz__zz_maskProposal_0_2_1);
  assign _zz__zz_maskProposal_0_2_2 = {maskLocked_0,maskLocked_1};
  assign _zz__zz_maskProposal_0_2_1 = {2'd0, _zz__zz_maskProposal_0_2_2};
  assign maskRouted_0 = (locked ? maskLocked_0 : maskProposal_0);
  assign maskRouted_1 = (locked ? maskLocked_1 : maskProposal_1);
  assign _zz_maskProposal_0 = {io_inputs_1_valid,io_inputs_0_valid};
  assign _zz_maskProposal_0_1 = {_zz_maskProposal_0,_zz_maskProposal_0};
  assign _zz_maskProposal_0_2 = (_zz_maskProposal_0_1 & (~ _zz__zz_maskProposal_0_2));
  assign _zz_maskProposal_0_3 = (_zz_maskProposal_0_2[3 : 2] | _zz_maskProposal_0_2[1 : 0]);
  assign maskProposal_0 = _zz_maskProposal_0_3[0];
  assign maskProposal_1 = _zz_maskProposal_0_3[1];
  assign io_output_fire = (io_output_valid && io_output_ready);
  assign io_output_valid = ((io_inputs_0_valid && maskRouted_0) || (io_inputs_1_valid && maskRouted_1));
  assign io_output_payload = (maskRouted_0 ? io_inputs_0_payload : io_inputs_1_payload);
  assign io_inputs_0_ready = (maskRouted_0 && io_output_ready);
  assign io_inputs_1_ready = (maskRouted_1 && io_output_ready);
  assign io_chosenOH = {maskRouted_1,maskRouted_0};
  assign _zz_io_chosen = io_chosenOH[1];
  assign io_chosen = _zz_io_chosen;
  always @(posedge clk) begin
    if(reset) begin
      locked <= 1'b0;
      maskLocked_0 <= 1'b0;
      maskLocked_1 <= 1'b1;
    end else begin
      if(io_output_valid) begin
        maskLocked_0 <= maskRouted_0;
        maskLocked_1 <= maskRouted_1;
      end
      if(io_output_valid) begin
        locked <= 1'b1;
      end
      if(io_output_fire) begin
        locked <= 1'b0;
      end
    end
  end


endmodule
