// Rules of AXI and AXI-Stream that the board must keep. The first breach is remembered in words; the run stops there.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>

class Violation {
 public:
  void report(uint64_t cycle, const char* port, const char* rule) {
    if (!broken()) snprintf(text_, sizeof text_, "cycle %llu: %s: %s", (unsigned long long)cycle, port, rule);
  }
  bool broken() const { return text_[0] != 0; }
  const char* text() const { return text_; }

 private:
  char text_[160] = {0};
};

// A sender that has shown a beat may neither withdraw nor change it before it is taken.
class Steady {
 public:
  // `shown` is everything the beat consists of, at most `LIMIT` bytes. False: the rule was broken.
  bool keeps(bool valid, bool ready, const void* shown, size_t bytes) {
    const bool kept = !waiting_ || (valid && bytes == bytes_ && memcmp(beat_, shown, bytes) == 0);
    waiting_ = valid && !ready && bytes <= LIMIT;
    if (waiting_) {
      memcpy(beat_, shown, bytes);
      bytes_ = bytes;
    }
    return kept;
  }

 private:
  static constexpr size_t LIMIT = 96;
  bool waiting_ = false;
  size_t bytes_ = 0;
  uint8_t beat_[LIMIT];
};
