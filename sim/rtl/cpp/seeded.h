// Seeded decisions of the simulated surroundings: stalls, delays, order. One seed replays a run.
#pragma once
#include <cstdint>

class Seeded {
 public:
  explicit Seeded(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567ull) {}
  // SplitMix64.
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // True in `per_65536` of 65,536 cases; asks for no random number when it is 0.
  bool chance(uint32_t per_65536) { return per_65536 != 0 && (next() & 0xffff) < per_65536; }
  // 0 to `limit`, both included.
  uint32_t up_to(uint32_t limit) { return limit == 0 ? 0 : uint32_t(next() % (uint64_t(limit) + 1)); }

 private:
  uint64_t state_;
};
