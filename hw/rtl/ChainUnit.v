// Generator : SpinalHDL v1.14.2    git head : 78f29dc66110fc099a777992b6daa2f803ab445e
// Component : ChainUnit

`timescale 1ns/1ps

module ChainUnit (
  input  wire          io_settings_valid,
  input  wire [6:0]    io_settings_payload_pair,
  input  wire [1:0]    io_settings_payload_value_function,
  input  wire          io_settings_payload_value_immediate,
  input  wire          io_settings_payload_value_signal,
  input  wire          io_settings_payload_value_tellEmpty,
  input  wire [7:0]    io_settings_payload_value_segment,
  input  wire [23:0]   io_settings_payload_value_pid,
  input  wire [9:0]    io_settings_payload_value_filler,
  input  wire          io_messages_valid,
  output wire          io_messages_ready,
  input  wire [6:0]    io_messages_payload_pair,
  input  wire          io_messages_payload_arguments_wrongKey,
  input  wire          io_messages_payload_arguments_outside,
  input  wire [20:0]   io_messages_payload_arguments_page,
  input  wire [63:0]   io_messages_payload_arguments_buffer,
  input  wire [63:0]   io_messages_payload_arguments_signal,
  input  wire [63:0]   io_messages_payload_arguments_magic,
  input  wire [31:0]   io_messages_payload_arguments_rkey,
  input  wire          io_pages_valid,
  output wire          io_pages_ready,
  input  wire [6:0]    io_pages_payload_pair,
  input  wire [2:0]    io_pages_payload_how,
  output wire          io_told_valid,
  input  wire          io_told_ready,
  output wire [6:0]    io_told_payload_pair,
  output wire [2:0]    io_told_payload_verdict,
  output wire [18:0]   io_told_payload_frame,
  output wire          io_told_payload_open,
  output wire          io_request_valid,
  input  wire          io_request_ready,
  output wire [3:0]    io_request_payload_operation,
  output wire [7:0]    io_request_payload_segment,
  output wire [23:0]   io_request_payload_pid,
  output wire          io_request_payload_rights_read,
  output wire          io_request_payload_rights_write,
  output wire          io_request_payload_rights_atomic,
  output wire [20:0]   io_request_payload_page,
  output wire [20:0]   io_request_payload_pages,
  output wire          io_request_payload_begins,
  output wire          io_request_payload_first,
  output wire          io_request_payload_whole,
  output wire          io_request_payload_also,
  output wire [9:0]    io_request_payload_filler,
  output wire [24:0]   io_request_payload_line,
  input  wire          io_answer_valid,
  output wire          io_answer_ready,
  input  wire [3:0]    io_answer_payload_status,
  input  wire [18:0]   io_answer_payload_frame,
  input  wire          io_answer_payload_hidden,
  input  wire          io_answer_payload_epoch,
  input  wire [20:0]   io_answer_payload_count,
  output wire          io_ends_valid,
  output wire          io_ends_payload,
  output wire          io_holds,
  output wire          io_wants,
  input  wire          io_mayBegin,
  output wire [6:0]    io_roomOf,
  input  wire [5:0]    io_room,
  input  wire          io_quiet,
  output wire          io_posts_valid,
  input  wire          io_posts_ready,
  output wire [6:0]    io_posts_payload_pair,
  output wire          io_posts_payload_held,
  output wire          io_posts_payload_reply_word,
  output wire          io_posts_payload_reply_immediate,
  output wire [20:0]   io_posts_payload_reply_page,
  output reg  [63:0]   io_posts_payload_reply_va,
  output wire [31:0]   io_posts_payload_reply_rkey,
  output reg  [63:0]   io_posts_payload_reply_data,
  output wire          io_events_loads,
  output wire          io_events_mappedStores,
  output wire          io_events_unmappedStores,
  output wire          io_events_freed,
  output wire          io_events_freedNothing,
  output wire          io_events_unmapped,
  output wire          io_events_outside,
  output wire          io_events_wrongKey,
  output wire          io_events_right,
  output wire          io_events_ringEmpty,
  output wire          io_events_budgetSpent,
  output wire          io_events_notStored,
  output wire          io_events_repliesFull,
  input  wire          clk,
  input  wire          reset
);
  localparam ChainFunction_LOAD = 2'd0;
  localparam ChainFunction_MAPPED_STORE = 2'd1;
  localparam ChainFunction_UNMAPPED_STORE = 2'd2;
  localparam ChainFunction_INVALIDATE = 2'd3;
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
  localparam Step_idle = 3'd0;
  localparam Step_load = 3'd1;
  localparam Step_begin_1 = 3'd2;
  localparam Step_ask = 3'd3;
  localparam Step_answer = 3'd4;
  localparam Step_page = 3'd5;
  localparam Step_signal_1 = 3'd6;
  localparam Step_tell = 3'd7;

  reg        [46:0]   settings_spinal_port1;
  reg        [184:0]  running_spinal_port0;
  wire       [46:0]   _zz_settings_port;
  wire                _zz_settings_port_1;
  wire                _zz__zz_own_immediate;
  wire                _zz_running_port;
  wire                _zz__zz_was_page;
  wire       [0:0]    _zz_needed;
  wire       [0:0]    _zz_request_first;
  wire       [0:0]    _zz_request_whole;
  wire       [0:0]    _zz_request_also;
  wire       [5:0]    _zz__zz_fits;
  wire                _zz_when;
  wire                _zz_when_1;
  wire                _zz_when_2;
  wire                _zz_when_3;
  wire                _zz_when_4;
  wire                _zz_when_5;
  wire                _zz_when_6;
  wire                _zz_when_7;
  wire                _zz_when_8;
  wire       [184:0]  _zz_running_port_1;
  wire                _zz_running_port_2;
  wire                _zz_when_9;
  wire       [19:0]   _zz_io_posts_payload_reply_data;
  reg        [2:0]    state;
  wire                isIdle;
  reg                 ofPage;
  reg        [6:0]    pair;
  wire       [6:0]    pick;
  wire       [6:0]    at;
  wire       [1:0]    own_function;
  wire                own_immediate;
  wire                own_signal;
  wire                own_tellEmpty;
  wire       [7:0]    own_segment;
  wire       [23:0]   own_pid;
  wire       [9:0]    own_filler;
  wire       [46:0]   _zz_own_immediate;
  wire       [1:0]    _zz_own_function;
  wire       [20:0]   was_page;
  wire       [63:0]   was_signal;
  wire       [63:0]   was_magic;
  wire       [31:0]   was_rkey;
  wire                was_hidden;
  wire                was_open;
  wire                was_epoch;
  wire                was_drops;
  wire       [184:0]  _zz_was_page;
  reg        [2:0]    how;
  wire                stores;
  wire                isLoad;
  reg        [20:0]   now_page;
  reg        [63:0]   now_signal;
  reg        [63:0]   now_magic;
  reg        [31:0]   now_rkey;
  reg                 now_hidden;
  reg                 now_open;
  reg                 now_epoch;
  reg                 now_drops;
  reg        [3:0]    operation;
  reg        [1:0]    needed;
  reg                 fits;
  reg                 begins;
  reg        [63:0]   buffer_1;
  reg        [18:0]   frame;
  reg        [2:0]    verdict;
  reg                 inverted;
  reg                 wantsSignal;
  reg                 refused;
  reg                 events_loads;
  reg                 events_mappedStores;
  reg                 events_unmappedStores;
  reg                 events_freed;
  reg                 events_freedNothing;
  reg                 events_unmapped;
  reg                 events_outside;
  reg                 events_wrongKey;
  reg                 events_right;
  reg                 events_ringEmpty;
  reg                 events_budgetSpent;
  reg                 events_notStored;
  reg                 events_repliesFull;
  reg                 ends_valid;
  reg                 ends_payload;
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
  wire                again;
  wire                _zz_fits;
  wire       [3:0]    _zz_operation;
  wire                _zz_4;
  wire       [2:0]    _zz_state;
  wire                _zz_5;
  wire       [2:0]    _zz_state_1;
  (* ram_style = "block" *) reg [46:0] settings [0:127];
  (* ram_style = "block" *) reg [184:0] running [0:127];

  assign _zz_when_9 = (state == Step_page);
  assign _zz_when = (! ofPage);
  assign _zz_when_1 = (how == ChainPageEnd_WRITTEN);
  assign _zz_when_2 = (io_answer_payload_status == LeafStatus_DONE);
  assign _zz_when_3 = (fits && (io_answer_payload_status == LeafStatus_UNMAPPED));
  assign _zz_when_4 = (own_function == ChainFunction_UNMAPPED_STORE);
  assign _zz_when_5 = (io_answer_payload_status == LeafStatus_DONE);
  assign _zz_when_6 = ((! _zz_5) && ((((io_answer_payload_status == LeafStatus_UNKNOWN) || (io_answer_payload_status == LeafStatus_OUTSIDE)) || (io_answer_payload_status == LeafStatus_RIGHT)) || (io_answer_payload_status == LeafStatus_NOTHING)));
  assign _zz_when_7 = ((! _zz_5) && (io_answer_payload_status == LeafStatus_FAILED));
  assign _zz_when_8 = (operation == LeafOperation_PUBLISH);
  assign _zz_needed = stores;
  assign _zz_request_first = 1'b1;
  assign _zz_request_whole = 1'b1;
  assign _zz_request_also = 1'b0;
  assign _zz__zz_fits = {4'd0, needed};
  assign _zz_io_posts_payload_reply_data = {now_epoch,frame};
  assign _zz_settings_port = {io_settings_payload_value_filler,{io_settings_payload_value_pid,{io_settings_payload_value_segment,{io_settings_payload_value_tellEmpty,{io_settings_payload_value_signal,{io_settings_payload_value_immediate,io_settings_payload_value_function}}}}}};
  assign _zz__zz_own_immediate = 1'b1;
  assign _zz__zz_was_page = 1'b1;
  assign _zz_running_port_1 = {now_drops,{now_epoch,{now_open,{now_hidden,{now_rkey,{now_magic,{now_signal,now_page}}}}}}};
  assign _zz_running_port_2 = (state == Step_tell);
  always @(posedge clk) begin
    if(io_settings_valid) begin
      settings[io_settings_payload_pair] <= _zz_settings_port;
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_own_immediate) begin
      settings_spinal_port1 <= settings[at];
    end
  end

  always @(posedge clk) begin
    if(_zz__zz_was_page) begin
      running_spinal_port0 <= running[at];
    end
  end

  always @(posedge clk) begin
    if(_zz_running_port_2) begin
      running[pair] <= _zz_running_port_1;
    end
  end

  assign isIdle = (state == Step_idle);
  assign pick = (io_pages_valid ? io_pages_payload_pair : io_messages_payload_pair);
  assign at = (isIdle ? pick : pair);
  assign _zz_own_immediate = settings_spinal_port1;
  assign _zz_own_function = _zz_own_immediate[1 : 0];
  assign own_function = _zz_own_function;
  assign own_immediate = _zz_own_immediate[2];
  assign own_signal = _zz_own_immediate[3];
  assign own_tellEmpty = _zz_own_immediate[4];
  assign own_segment = _zz_own_immediate[12 : 5];
  assign own_pid = _zz_own_immediate[36 : 13];
  assign own_filler = _zz_own_immediate[46 : 37];
  assign _zz_was_page = running_spinal_port0;
  assign was_page = _zz_was_page[20 : 0];
  assign was_signal = _zz_was_page[84 : 21];
  assign was_magic = _zz_was_page[148 : 85];
  assign was_rkey = _zz_was_page[180 : 149];
  assign was_hidden = _zz_was_page[181];
  assign was_open = _zz_was_page[182];
  assign was_epoch = _zz_was_page[183];
  assign was_drops = _zz_was_page[184];
  assign io_roomOf = at;
  assign stores = ((own_function == ChainFunction_MAPPED_STORE) || (own_function == ChainFunction_UNMAPPED_STORE));
  assign isLoad = (own_function == ChainFunction_LOAD);
  always @(*) begin
    needed = {1'd0, _zz_needed};
    if((isLoad || (own_function == ChainFunction_INVALIDATE))) begin
      needed = ({1'b0,isLoad} + {1'b0,own_signal});
    end
  end

  assign io_events_loads = events_loads;
  assign io_events_mappedStores = events_mappedStores;
  assign io_events_unmappedStores = events_unmappedStores;
  assign io_events_freed = events_freed;
  assign io_events_freedNothing = events_freedNothing;
  assign io_events_unmapped = events_unmapped;
  assign io_events_outside = events_outside;
  assign io_events_wrongKey = events_wrongKey;
  assign io_events_right = events_right;
  assign io_events_ringEmpty = events_ringEmpty;
  assign io_events_budgetSpent = events_budgetSpent;
  assign io_events_notStored = events_notStored;
  assign io_events_repliesFull = events_repliesFull;
  assign io_ends_valid = ends_valid;
  assign io_ends_payload = ends_payload;
  assign request_operation = operation;
  assign request_segment = own_segment;
  assign request_pid = own_pid;
  assign request_rights_read = isLoad;
  assign request_rights_write = (! isLoad);
  assign request_rights_atomic = 1'b0;
  assign request_page = now_page;
  assign request_pages = 21'h000001;
  assign request_begins = begins;
  assign request_first = _zz_request_first[0];
  assign request_whole = _zz_request_whole[0];
  assign request_also = _zz_request_also[0];
  assign request_filler = own_filler;
  assign request_line = 25'h0;
  assign io_request_valid = (state == Step_ask);
  assign io_request_payload_operation = request_operation;
  assign io_request_payload_segment = request_segment;
  assign io_request_payload_pid = request_pid;
  assign io_request_payload_rights_read = request_rights_read;
  assign io_request_payload_rights_write = request_rights_write;
  assign io_request_payload_rights_atomic = request_rights_atomic;
  assign io_request_payload_page = request_page;
  assign io_request_payload_pages = request_pages;
  assign io_request_payload_begins = request_begins;
  assign io_request_payload_first = request_first;
  assign io_request_payload_whole = request_whole;
  assign io_request_payload_also = request_also;
  assign io_request_payload_filler = request_filler;
  assign io_request_payload_line = request_line;
  assign io_answer_ready = (state == Step_answer);
  assign io_holds = ((state == Step_ask) || (state == Step_answer));
  assign again = (ofPage && (how == ChainPageEnd_AGAIN));
  assign io_wants = (((state == Step_begin_1) && (! refused)) && (((! ofPage) || now_hidden) || again));
  assign io_messages_ready = ((state == Step_load) && (! ofPage));
  assign io_pages_ready = ((state == Step_load) && ofPage);
  assign _zz_fits = ((ofPage || (_zz__zz_fits <= io_room)) || 1'b0);
  assign _zz_operation = (fits ? LeafOperation_FREE : LeafOperation_CHECK);
  assign _zz_4 = ((io_answer_payload_status == LeafStatus_RING_EMPTY) || (io_answer_payload_status == LeafStatus_BUDGET_SPENT));
  assign _zz_state = (wantsSignal ? Step_signal_1 : Step_tell);
  assign _zz_5 = (operation == LeafOperation_GIVE_UP);
  assign _zz_state_1 = (wantsSignal ? Step_signal_1 : Step_tell);
  assign io_posts_valid = ((state == Step_page) || (state == Step_signal_1));
  assign io_posts_payload_pair = pair;
  assign io_posts_payload_held = (begins && (state == Step_page));
  assign io_posts_payload_reply_word = (state == Step_signal_1);
  assign io_posts_payload_reply_immediate = (own_immediate && (((state == Step_signal_1) || (! wantsSignal)) || 1'b0));
  assign io_posts_payload_reply_page = now_page;
  assign io_posts_payload_reply_rkey = now_rkey;
  always @(*) begin
    io_posts_payload_reply_va = now_signal;
    if(_zz_when_9) begin
      io_posts_payload_reply_va = buffer_1;
    end
  end

  always @(*) begin
    io_posts_payload_reply_data = (now_magic ^ (inverted ? 64'hffffffffffffffff : 64'h0));
    if(_zz_when_9) begin
      io_posts_payload_reply_data = {44'd0, _zz_io_posts_payload_reply_data};
    end
  end

  assign io_told_valid = (state == Step_tell);
  assign io_told_payload_pair = pair;
  assign io_told_payload_verdict = verdict;
  assign io_told_payload_frame = frame;
  assign io_told_payload_open = now_open;
  always @(posedge clk) begin
    if(reset) begin
      state <= Step_idle;
    end else begin
      case(state)
        Step_idle : begin
          if((io_pages_valid || io_messages_valid)) begin
            state <= Step_load;
          end
        end
        Step_load : begin
          state <= Step_begin_1;
        end
        Step_begin_1 : begin
          if(refused) begin
            state <= Step_tell;
          end else begin
            if(_zz_when) begin
              if(io_mayBegin) begin
                state <= Step_ask;
              end
            end else begin
              if(now_hidden) begin
                if(io_mayBegin) begin
                  state <= Step_ask;
                end
              end else begin
                if(again) begin
                  if(io_mayBegin) begin
                    state <= Step_ask;
                  end
                end else begin
                  if(_zz_when_1) begin
                    state <= Step_signal_1;
                  end else begin
                    state <= Step_tell;
                  end
                end
              end
            end
          end
        end
        Step_ask : begin
          if(io_request_ready) begin
            state <= Step_answer;
          end
        end
        Step_answer : begin
          if(io_answer_valid) begin
            case(operation)
              LeafOperation_LOOK : begin
                if(_zz_when_2) begin
                  state <= Step_page;
                  if(stores) begin
                    state <= Step_tell;
                  end
                end else begin
                  if(_zz_when_3) begin
                    if(_zz_when_4) begin
                      if(again) begin
                        state <= Step_tell;
                      end else begin
                        state <= Step_ask;
                      end
                    end else begin
                      state <= Step_tell;
                    end
                  end
                end
              end
              LeafOperation_STORE : begin
                state <= Step_tell;
              end
              LeafOperation_FREE : begin
                state <= _zz_state;
              end
              LeafOperation_PUBLISH : begin
                if(_zz_when_5) begin
                  state <= Step_signal_1;
                end
              end
              LeafOperation_GIVE_UP : begin
                state <= Step_tell;
              end
              default : begin
              end
            endcase
            if(((((operation == LeafOperation_LOOK) || (operation == LeafOperation_CHECK)) && (! fits)) && ((io_answer_payload_status == LeafStatus_DONE) || (io_answer_payload_status == LeafStatus_UNMAPPED)))) begin
              state <= Step_tell;
            end
            if(_zz_when_6) begin
              state <= Step_tell;
            end
            if(_zz_when_7) begin
              state <= Step_tell;
              if(_zz_when_8) begin
                state <= Step_ask;
              end
            end
          end
        end
        Step_page : begin
          if(io_posts_ready) begin
            state <= _zz_state_1;
          end
        end
        Step_signal_1 : begin
          if(io_posts_ready) begin
            state <= Step_tell;
          end
        end
        default : begin
          if(io_told_ready) begin
            state <= Step_idle;
          end
        end
      endcase
    end
  end

  always @(posedge clk) begin
    events_loads <= 1'b0;
    events_mappedStores <= 1'b0;
    events_unmappedStores <= 1'b0;
    events_freed <= 1'b0;
    events_freedNothing <= 1'b0;
    events_unmapped <= 1'b0;
    events_outside <= 1'b0;
    events_wrongKey <= 1'b0;
    events_right <= 1'b0;
    events_ringEmpty <= 1'b0;
    events_budgetSpent <= 1'b0;
    events_notStored <= 1'b0;
    events_repliesFull <= 1'b0;
    ends_valid <= 1'b0;
    case(state)
      Step_idle : begin
        pair <= pick;
        ofPage <= io_pages_valid;
      end
      Step_load : begin
        how <= io_pages_payload_how;
        fits <= _zz_fits;
        begins <= (_zz_fits && (((! isLoad) || io_quiet) || 1'b0));
        now_page <= was_page;
        now_signal <= was_signal;
        now_magic <= was_magic;
        now_rkey <= was_rkey;
        now_hidden <= was_hidden;
        now_open <= was_open;
        now_epoch <= was_epoch;
        now_drops <= was_drops;
        buffer_1 <= io_messages_payload_arguments_buffer;
        inverted <= 1'b0;
        wantsSignal <= (stores || own_signal);
        if((! ofPage)) begin
          now_page <= io_messages_payload_arguments_page;
          now_signal <= io_messages_payload_arguments_signal;
          now_magic <= io_messages_payload_arguments_magic;
          now_rkey <= io_messages_payload_arguments_rkey;
          now_hidden <= 1'b0;
          now_open <= 1'b0;
          now_drops <= 1'b0;
        end
        refused <= ((! ofPage) && (io_messages_payload_arguments_outside || (io_messages_payload_arguments_wrongKey && 1'b1)));
        events_wrongKey <= ((! ofPage) && io_messages_payload_arguments_wrongKey);
        events_outside <= (((! ofPage) && (! io_messages_payload_arguments_wrongKey)) && io_messages_payload_arguments_outside);
      end
      Step_begin_1 : begin
        if(refused) begin
          verdict <= ChainVerdict_DENIED;
        end else begin
          if(_zz_when) begin
            if(io_mayBegin) begin
              operation <= LeafOperation_LOOK;
              if((own_function == ChainFunction_INVALIDATE)) begin
                operation <= _zz_operation;
              end
            end
          end else begin
            if(now_hidden) begin
              if(io_mayBegin) begin
                operation <= LeafOperation_PUBLISH;
                if((how != ChainPageEnd_WRITTEN)) begin
                  operation <= LeafOperation_GIVE_UP;
                end
              end
            end else begin
              if(again) begin
                if(io_mayBegin) begin
                  operation <= LeafOperation_LOOK;
                end
              end else begin
                if(((! (! now_open)) && (! (1'b0 || 1'b0)))) begin
                  ends_valid <= 1'b1;
                  ends_payload <= now_epoch;
                end
                now_open <= 1'b0;
                if(_zz_when_1) begin
                  verdict <= ChainVerdict_DONE;
                  inverted <= now_drops;
                  events_notStored <= now_drops;
                  events_mappedStores <= ((! now_drops) && (! now_hidden));
                  events_unmappedStores <= ((! now_drops) && now_hidden);
                end else begin
                  verdict <= ChainVerdict_FAILED;
                  if((how == ChainPageEnd_ABANDONED)) begin
                    verdict <= ChainVerdict_ABANDONED;
                  end
                  if((how == ChainPageEnd_PAUSED)) begin
                    verdict <= ChainVerdict_PAUSED;
                  end
                end
              end
            end
          end
        end
      end
      Step_ask : begin
      end
      Step_answer : begin
        if(io_answer_valid) begin
          frame <= io_answer_payload_frame;
          now_epoch <= io_answer_payload_epoch;
          case(operation)
            LeafOperation_LOOK : begin
              if(_zz_when_2) begin
                if(stores) begin
                  now_open <= 1'b1;
                  verdict <= ChainVerdict_PAGE;
                end
              end else begin
                if(_zz_when_3) begin
                  if(_zz_when_4) begin
                    if(again) begin
                      verdict <= ChainVerdict_DROP;
                    end else begin
                      operation <= LeafOperation_STORE;
                    end
                  end else begin
                    events_unmapped <= 1'b1;
                    verdict <= ChainVerdict_DENIED;
                  end
                end
              end
            end
            LeafOperation_STORE : begin
              now_hidden <= 1'b1;
              verdict <= ChainVerdict_PAGE;
              if(((_zz_4 && own_tellEmpty) && 1'b1)) begin
                now_hidden <= 1'b0;
                now_drops <= 1'b1;
                verdict <= ChainVerdict_DROP;
              end else begin
                if(_zz_4) begin
                  events_ringEmpty <= (io_answer_payload_status == LeafStatus_RING_EMPTY);
                  events_budgetSpent <= (io_answer_payload_status == LeafStatus_BUDGET_SPENT);
                  verdict <= ChainVerdict_NOT_READY;
                end
              end
            end
            LeafOperation_FREE : begin
              events_freed <= ((io_answer_payload_status == LeafStatus_DONE) && (io_answer_payload_count != 21'h0));
              events_freedNothing <= ((io_answer_payload_status == LeafStatus_DONE) && (io_answer_payload_count == 21'h0));
              verdict <= ChainVerdict_DONE;
            end
            LeafOperation_PUBLISH : begin
              if(_zz_when_5) begin
                verdict <= ChainVerdict_DONE;
                inverted <= now_drops;
                events_notStored <= now_drops;
                events_mappedStores <= ((! now_drops) && (! now_hidden));
                events_unmappedStores <= ((! now_drops) && now_hidden);
              end
            end
            LeafOperation_GIVE_UP : begin
              verdict <= ChainVerdict_FAILED;
              if((how == ChainPageEnd_ABANDONED)) begin
                verdict <= ChainVerdict_ABANDONED;
              end
            end
            default : begin
            end
          endcase
          if(((((operation == LeafOperation_LOOK) || (operation == LeafOperation_CHECK)) && (! fits)) && ((io_answer_payload_status == LeafStatus_DONE) || (io_answer_payload_status == LeafStatus_UNMAPPED)))) begin
            events_repliesFull <= 1'b1;
            verdict <= ChainVerdict_NOT_READY;
          end
          if(_zz_when_6) begin
            events_outside <= (io_answer_payload_status == LeafStatus_OUTSIDE);
            events_right <= (io_answer_payload_status == LeafStatus_RIGHT);
            verdict <= ChainVerdict_DENIED;
          end
          if(_zz_when_7) begin
            verdict <= ChainVerdict_FAILED;
            if(_zz_when_8) begin
              how <= ChainPageEnd_FAILED;
              operation <= LeafOperation_GIVE_UP;
            end
          end
        end
      end
      Step_page : begin
        if(io_posts_ready) begin
          events_loads <= 1'b1;
          verdict <= ChainVerdict_DONE;
        end
      end
      Step_signal_1 : begin
      end
      default : begin
      end
    endcase
  end


endmodule
