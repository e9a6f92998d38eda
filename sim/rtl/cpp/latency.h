// Cycles from a request's last beat in to its answer's first beat out, for the opcodes of the fast path. Rust makes histograms of them.
// An answer that tells its cycles itself may not tell none, or more than these.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <vector>

#include "api.h"
#include "checks.h"

class LatencyMeter {
 public:
  // A whole frame entered. Only fast-path requests are remembered.
  void entered(uint64_t cycle, const std::vector<uint8_t>& frame) {
    if (frame.size() < HEADERS || !fast(frame.data(), 0)) return;
    const Key key = key_of(frame.data(), SOURCE_IP, SOURCE_PORT);
    Slot& entry = slots_[slot(key)];
    // Of several copies of an attempt nobody knows which is answered, and some may have been lost; a request that took another's place
    // before that was answered may be a copy of one that lay here. What is told is held against the first that it can be of.
    const bool several = entry.several || entry.used || entry.key == key;
    entry = Slot{key, cycle, several ? entry.first : cycle, true, several};
  }
  // The first beat of a frame leaves.
  void left(uint64_t cycle, const uint8_t* beat, Violation& violation) {
    if (!fast(beat, RESPONSE_BIT)) return;
    const Key key = key_of(beat, DESTINATION_IP, DESTINATION_PORT);
    Slot& entry = slots_[slot(key)];
    if (!entry.used || entry.key != key) return;
    entry.used = false;
    const uint32_t told = uint32_t(beat[TIME]) << 16 | beat[TIME + 1] << 8 | beat[TIME + 2];
    if ((beat[FLAGS] & TIMED) == TIMED && (told == 0 || told > cycle - entry.first))
      violation.report(cycle, "net.tx", "an answer tells a time that its request cannot have taken");
    if (measured_.size() == MEASURED) measured_.pop_front();
    measured_.push_back(MnemeLatency{cycle - entry.cycle, uint8_t(beat[OPCODE] & 0x7f)});
  }
  // The status of an answer, by its first beat; nothing of other frames.
  static std::optional<uint32_t> status(const uint8_t* beat) {
    if (!udp(beat) || !(beat[OPCODE] & RESPONSE_BIT)) return {};
    return beat[STATUS] & STATUS_CODES;
  }
  // The oldest measurement that nobody took yet.
  bool take(MnemeLatency* into) {
    if (measured_.empty()) return false;
    *into = measured_.front();
    measured_.pop_front();
    return true;
  }

 private:
  // Offsets in a frame without options; docs/reference/wire.md.
  static constexpr size_t HEADERS = 64, ETHERTYPE = 12, PROTOCOL = 23, SOURCE_IP = 26, DESTINATION_IP = 30, SOURCE_PORT = 34,
                          DESTINATION_PORT = 36, FLAGS = 42, OPCODE = 43, STATUS = 44, OP_ID = 48, ATTEMPT = 52, TIME = 53;
  static constexpr uint8_t RESPONSE_BIT = 0x80, LAST_FAST_OPCODE = 6, TIMED = 0x01, STATUS_CODES = 0x1f;
  static constexpr size_t MEASURED = 1 << 16;
  static constexpr size_t SLOTS = 4096;
  using Key = std::array<uint8_t, 11>;
  struct Slot {
    Key key;
    uint64_t cycle, first;
    bool used, several;
  };

  static bool udp(const uint8_t* frame) { return frame[ETHERTYPE] == 8 && frame[ETHERTYPE + 1] == 0 && frame[PROTOCOL] == 17; }
  static bool fast(const uint8_t* frame, uint8_t response) {
    const uint8_t op = frame[OPCODE] ^ response;
    return udp(frame) && op >= 1 && op <= LAST_FAST_OPCODE;
  }
  static Key key_of(const uint8_t* frame, size_t ip, size_t port) {
    Key key;
    memcpy(&key[0], frame + ip, 4);
    memcpy(&key[4], frame + port, 2);
    memcpy(&key[6], frame + OP_ID, 4);
    key[10] = frame[ATTEMPT];
    return key;
  }
  static size_t slot(const Key& key) {
    uint64_t h = 0xcbf29ce484222325ull;
    for (uint8_t byte : key) h = (h ^ byte) * 0x100000001b3ull;
    return (h ^ (h >> 29)) % SLOTS;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(SLOTS);
  std::deque<MnemeLatency> measured_;
};
