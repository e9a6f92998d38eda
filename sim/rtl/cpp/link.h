// One direction of the wire behind the board's port: a MAC moves a beat only as often as the wire carries its bits, the frame's preamble,
// check sequence and gap included.
#pragma once
#include <cstddef>
#include <cstdint>

class Link {
 public:
  // `bits` per cycle; 0: a beat in every cycle.
  explicit Link(uint32_t bits) : bits_(bits) {}

  // Whether the MAC moves a beat in this cycle, if there is one.
  bool free(uint64_t cycle) const { return until_ <= cycle * bits_; }
  // It moves one.
  void moved(uint64_t cycle, uint64_t keep, bool last) {
    if (bits_ == 0) return;
    const uint64_t bytes = uint64_t(__builtin_popcountll(keep)), now = cycle * bits_;
    frame_ += bytes;
    const uint64_t around = !last ? 0 : AROUND + (frame_ < LEAST ? LEAST - frame_ : 0);
    if (last) frame_ = 0;
    // A beat that moved as soon as it might follows on the one before, in the middle of a cycle.
    if (until_ + bits_ <= now) until_ = now;
    until_ += 8 * (bytes + around);
  }

 private:
  // Preamble, check sequence and gap; the shortest frame without check sequence.
  static constexpr uint64_t AROUND = 8 + 4 + 12, LEAST = 60;
  uint32_t bits_;
  uint64_t until_ = 0, frame_ = 0;
};
