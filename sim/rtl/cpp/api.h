// What Rust and the shim tell each other; `../src/ffi.rs` mirrors every line.
#pragma once
#include <cstdint>

extern "C" {
struct MnemeOptions {
  uint64_t seed;            // of stalls, delays and orders
  uint64_t reset_seed;      // of register contents before reset
  uint32_t random_reset;    // 0: registers begin as zeros
  uint32_t stall;           // chance of 65,536 to hold a handshake back in a cycle
  uint32_t latency, jitter; // DRAM, in cycles
  uint32_t memory_fill;     // byte that DRAM holds at power-on
  uint32_t build_hash, build_date;  // tied to the board
};
struct MnemeTrace {
  uint32_t src_ip, op_id, tick_filter, tick_resume, tick;
  uint16_t src_port;
  uint8_t attempt, opcode, status, cause, resumed;
};
// A run of tokens for the traffic generator at door 1 (hw/, `TrafficCommand`). `operation` as `Operation` of the RTL counts.
struct MnemeTraffic {
  uint64_t va, operands[2];
  uint32_t pid, time;
  uint16_t length, count, stride;
  uint8_t operation, fence, windowed, data_offset;
};
// How a token of it ended (`TrafficResult`).
struct MnemeTrafficResult {
  uint64_t detail_va, old, digest;
  uint32_t tick_resume;
  uint16_t number, detail_length, cycles;
  uint8_t status, zeros, resumed, slow, damaged;
};
struct MnemeLatency {
  uint64_t cycles;
  uint8_t opcode;  // of the request
};
// A page that a load uses: its first address and process.
struct MnemePage {
  uint64_t va;
  uint32_t pid;
};
// A kind of request: a frame, how often it is sent, and where in a page: offset + stride * (one of `places`).
struct MnemeKind {
  const uint8_t* frame;
  uint64_t frame_length, weight, offset, stride, places;
};
struct MnemeLoad {
  uint64_t seed;
  uint64_t requests;     // answers to wait for
  uint64_t warm_up;      // answers before counting begins
  uint64_t cycle_limit;  // gives up after so many
  uint64_t window;       // requests in flight at most
  uint64_t sources;      // source ports, in turn
  uint64_t first_id;     // of operations
  const MnemeKind* kind;
  uint64_t kinds;
  const MnemePage* page;  // the hot ones in front
  uint64_t pages, hot_pages;
  uint32_t hot_share;  // of 65,536
  uint32_t tick;       // the board's, now
  uint32_t first_port;
  uint32_t in_turn;      // places come in turn instead of at random
  uint64_t retry_after;  // cycles after which what was answered BUSY is asked again as a new operation; 0: such an answer counts
  uint32_t hot_rate;     // of 65,536: chance per cycle that a request to a hot page comes by itself; 0: hot_share tells. Then the window is that of the others
  uint32_t link_bits;    // per cycle on the wire, in each direction; 0: a beat in every cycle
  uint64_t hot_window;   // requests that came by themselves and are in flight, at most
  const MnemeTraffic* traffic;  // what the traffic generator is told, over and over, as long as the load is on
  uint64_t traffics;
};
enum { MNEME_LOAD_KINDS = 8, MNEME_LOAD_STAGES = 8 };
// Cycles: the least, p50, p99, the largest.
struct MnemeSpread {
  uint64_t min, p50, p99, max;
};
// Everything but `answers` is of what follows the warm-up.
struct MnemeLoadResult {
  uint64_t answers;  // of all requests
  uint64_t ok, other;
  uint64_t hot;      // answers of hot pages
  uint64_t cycles;   // from the warm-up's last to the last: beats of answers out, or beats of requests in, whichever took longer
  uint64_t read_beats, write_beats;     // of DRAM, meanwhile
  MnemeSpread latency, hot_latency;     // last beat in to last beat out, of all and of those to hot pages
  MnemeSpread first_latency;            // last beat in to first beat out
  uint64_t ok_of_kind[MNEME_LOAD_KINDS];       // answers
  uint64_t entered_of_kind[MNEME_LOAD_KINDS];  // requests that went in after as many as the warm-up has
  // Cycles in each stage, from the board's own taps: only of requests that were alone (a window of 1) on a board compiled with them.
  uint64_t stamped, unstamped;
  uint64_t stage_min[MNEME_LOAD_STAGES], stage_max[MNEME_LOAD_STAGES];
  // Tokens of the traffic generator that ended meanwhile, and their cycles from offer to result.
  uint64_t traffic_ok, traffic_other;
  MnemeSpread traffic_latency;
};
// Beats that DRAM has moved.
struct MnemeBeats {
  uint64_t read, write;
};
// How lines of memory fail: R, B; LOST: a write that meets one changes nothing.
enum { MNEME_FAIL_READ = 1, MNEME_FAIL_WRITE = 2, MNEME_FAIL_LOST = 4 };
struct MnemeState {
  uint64_t cycles;   // since reset
  uint64_t idle;     // cycles since anything moved at a port
  uint64_t slow_waiting;  // frames for the slow path that nobody has fetched
  uint8_t waiting;   // frames wait to go in, or to be fetched
  uint8_t entering;  // frames wait to go in from the network
};
// Which cycles are written as waveforms (waves.h). CYCLES: `count` from `from` on. Else those around the first time that an answer with the status
// `value` leaves, or the counter `value` counts: at least `before` where there are as many, and `after`; stretches of `before` cycles are kept in two files.
// LAST: the stretches before the end.
enum { MNEME_WAVES_CYCLES = 0, MNEME_WAVES_STATUS = 1, MNEME_WAVES_COUNTED = 2, MNEME_WAVES_LAST = 3 };
struct MnemeWaves {
  const char* file;
  const char* older;  // what came before the first cycle in `file`
  uint64_t from, count, before, after;
  uint32_t trigger, value;
};
struct MnemeWavesState {
  uint64_t first, end;   // cycles in the file: from the first to before the end; the same where there is none
  uint64_t older_first;  // the first in the other file, which ends where this one begins
  uint64_t trigger;      // when it happened
  uint8_t done, failed, triggered, older;
};
}
