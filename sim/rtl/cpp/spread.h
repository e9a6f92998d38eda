// What a histogram of cycles comes to.
#pragma once
#include <vector>

#include "api.h"

inline MnemeSpread spread(const std::vector<uint32_t>& histogram) {
  MnemeSpread s{};
  uint64_t total = 0, seen = 0;
  for (uint32_t count : histogram) total += count;
  for (uint64_t i = 0; i < histogram.size(); i++) {
    if (histogram[i] == 0) continue;
    if (seen == 0) s.min = i;
    if (seen * 2 < total) s.p50 = i;
    if (seen * 100 < total * 99) s.p99 = i;
    s.max = i;
    seen += histogram[i];
  }
  return s;
}
