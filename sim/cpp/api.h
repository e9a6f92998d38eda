// What Rust and the shim tell each other; `sim/src/rtl/ffi.rs` mirrors every line.
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
};
struct MnemeTrace {
  uint32_t src_ip, op_id, tick_filter, tick_resume;
  uint16_t src_port;
  uint8_t attempt, opcode, status, cause, resumed;
};
struct MnemeLatency {
  uint64_t cycles;
  uint8_t opcode;  // of the request
};
struct MnemeState {
  uint64_t cycles;   // since reset
  uint64_t idle;     // cycles since anything moved at a port
  uint8_t waiting;   // frames wait to go in, or to be fetched
};
}
