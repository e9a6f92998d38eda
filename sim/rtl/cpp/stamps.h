// When a request that is alone on the board passes the taps of its stages: the wires from which the board's own histograms are made
// (regs/Observer.scala), and the way out of ingress.
#pragma once
#include <algorithm>
#include <cstdint>

#include "api.h"

class Stamps {
 public:
  // In the order of a request's way. The first is seen with every beat of a frame, and the last one counts.
  enum Tap { ARRIVING, FRAMED, DISPATCHED, FILTERED, TRANSLATED, ACCESSED, ANSWERED, TAPS };

  // The last beat of a request enters the board.
  void begin(uint64_t cycle) {
    entered_ = cycle;
    for (uint32_t& count : seen_) count = 0;
  }
  void see(Tap tap, uint64_t cycle) {
    at_[tap] = cycle;
    seen_[tap]++;
  }
  // The first beat of its answer leaves the board. A stage lies between two stamps; where one is missing or doubled nothing is known.
  void end(uint64_t cycle, bool counts) {
    if (!counts) return;
    for (int tap = FRAMED; tap < TAPS; tap++) {
      if (seen_[tap] == 1) continue;
      unstamped_++;
      return;
    }
    uint64_t before = entered_;
    for (int stage = 0; stage < MNEME_LOAD_STAGES; stage++) {
      const uint64_t until = stage < TAPS ? at_[stage] : cycle, passed = until - before;
      least_[stage] = stamped_ ? std::min(least_[stage], passed) : passed;
      most_[stage] = std::max(most_[stage], passed);
      before = until;
    }
    stamped_++;
  }
  void result(MnemeLoadResult& r) const {
    r.stamped = stamped_;
    r.unstamped = unstamped_;
    std::copy(least_, least_ + MNEME_LOAD_STAGES, r.stage_min);
    std::copy(most_, most_ + MNEME_LOAD_STAGES, r.stage_max);
  }

 private:
  static_assert(TAPS + 1 == MNEME_LOAD_STAGES, "a stage ends at each tap, and one at the port");
  uint64_t entered_ = 0, at_[TAPS] = {}, stamped_ = 0, unstamped_ = 0;
  uint64_t least_[MNEME_LOAD_STAGES] = {}, most_[MNEME_LOAD_STAGES] = {};
  uint32_t seen_[TAPS] = {};
};
