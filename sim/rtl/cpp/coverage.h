// What boards with coverage points have met: the counts of all of a process, in one file of Verilator's format. With -DCOVERED alone.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

#include "verilated.h"
#include "verilated_cov.h"

// The folder that the files go to. Without it nothing is kept.
constexpr const char* COVERAGE_FOLDER = "MNEME_COVERAGE";

// Adds a board's counts to those of boards before it, which it takes over to write them: the file is whole whenever a board has ended.
template <size_t POINTS>
void keep_coverage(VerilatedContext& context, std::atomic<uint32_t> (&counts)[POINTS], const char* name) {
  static std::mutex mutex;
  static std::vector<uint32_t> total(POINTS);
  const char* folder = getenv(COVERAGE_FOLDER);
  if (!folder) return;
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < POINTS; i++) {
    const uint64_t sum = uint64_t(total[i]) + counts[i];
    counts[i] = total[i] = uint32_t(sum > UINT32_MAX ? UINT32_MAX : sum);
  }
  const std::string file = std::string(folder) + "/" + name + "-" + std::to_string(getpid()) + ".dat";
  context.coveragep()->write(file.c_str());
}
