// Door 1 of a board that was built with a traffic generator there (hw/, `TrafficGenerator`): commands in, results out, both bounded, and in
// which order tokens of both doors left translation. Other boards have none of it, and take no command.
#pragma once
#include <deque>
#include <vector>

#include "api.h"
#include "checks.h"
#include "mneme_wire.h"
#include "seeded.h"
#include "spread.h"

class Traffic {
 public:
  bool offer(const MnemeTraffic& command) {
    if (commands_.size() >= COMMANDS || command.count == 0) return false;
    commands_.push_back(command);
    return true;
  }
  // From here on these are told over and over, and results are counted, not kept, until `end`.
  void begin(const MnemeTraffic* commands, uint64_t count) {
    endless_.assign(commands, commands + count);
    cycles_.assign(endless_.empty() ? 0 : 1 << 16, 0);
    ok_ = other_ = next_ = 0;
  }
  void end(MnemeLoadResult* into) {
    into->traffic_ok = ok_;
    into->traffic_other = other_;
    into->traffic_latency = spread(cycles_);
    if (!endless_.empty()) ending_ = true;
    endless_.clear();
  }
  bool result(MnemeTrafficResult* into) { return take(results_, into); }
  // One-hot: of which door the next token was that left translation.
  bool order(uint8_t* into) { return take(order_, into); }
  // Something is under way, or waits to be fetched.
  bool active() const { return !commands_.empty() || owed_ != 0; }
  bool waiting() const { return active() || !results_.empty(); }

  // Before the edge: shows the next command, unless the seed wants a gap, and takes results, or not.
  template <class Model>
  void drive(Model& m, Seeded& seed, uint32_t stall) {
    if (commands_.empty() && !endless_.empty()) commands_.push_back(endless_[next_++ % endless_.size()]);
    ending_ = ending_ && active();
    if (!showing_ && !commands_.empty() && !seed.chance(stall)) {
      show(m, commands_.front());
      showing_ = true;
      // Its first tokens may end before its last is offered.
      owed_ += commands_.front().count;
    }
    m.traffic_commands_valid = showing_;
    m.traffic_results_ready = results_.size() < RESULTS && !seed.chance(stall);
  }
  // Wires are settled.
  template <class Model>
  void sample(const Model& m, uint64_t cycle, bool counts, Violation& violation) {
    if (showing_ && m.traffic_commands_ready) {
      commands_.pop_front();
      showing_ = false;
    }
    // Their number and what came of them: enough to tell a result that changes before it is taken.
    const uint64_t shown[] = {m.traffic_results_payload_number, m.traffic_results_payload_digest, m.traffic_results_payload_old, m.traffic_results_payload_cycles};
    if (!steady_.keeps(m.traffic_results_valid, m.traffic_results_ready, shown, sizeof shown)) violation.report(cycle, "traffic", "a result changed before it was taken");
    if (m.traffic_results_valid && m.traffic_results_ready) {
      if (owed_ == 0) violation.report(cycle, "traffic", "a result of no token");
      owed_ -= owed_ != 0;
      if (endless_.empty() && !ending_) {
        results_.push_back(read(m));
      } else if (counts) {
        (m.traffic_results_payload_report_outcome_status == MNEME_STATUS_OK && !m.traffic_results_payload_damaged ? ok_ : other_)++;
        cycles_[m.traffic_results_payload_cycles]++;
      }
    }
    if (m.traffic_order_valid && endless_.empty() && !ending_) {
      if (order_.size() == ORDER) order_.pop_front();
      order_.push_back(m.traffic_order_payload);
    }
  }

 private:
  static constexpr size_t COMMANDS = 64, RESULTS = 1 << 12, ORDER = 1 << 17;

  template <class Queue, class Item>
  static bool take(Queue& queue, Item* into) {
    if (queue.empty()) return false;
    *into = queue.front();
    queue.pop_front();
    return true;
  }
  template <class Model>
  static void show(Model& m, const MnemeTraffic& c) {
    m.traffic_commands_payload_demand_operation = c.operation;
    m.traffic_commands_payload_demand_ordering_fence = c.fence;
    m.traffic_commands_payload_demand_ordering_windowed = c.windowed;
    m.traffic_commands_payload_demand_ordering_time = c.time;
    m.traffic_commands_payload_demand_pid = c.pid;
    m.traffic_commands_payload_demand_va = c.va;
    m.traffic_commands_payload_demand_length = c.length;
    m.traffic_commands_payload_demand_dataOffset = c.data_offset;
    for (int word = 0; word < 4; word++) m.traffic_commands_payload_operands[word] = uint32_t(c.operands[word / 2] >> (32 * (word % 2)));
    m.traffic_commands_payload_count = c.count;
    m.traffic_commands_payload_stride = c.stride;
  }
  template <class Model>
  static MnemeTrafficResult read(const Model& m) {
    return MnemeTrafficResult{m.traffic_results_payload_report_outcome_detailVa, m.traffic_results_payload_old, m.traffic_results_payload_digest,
                              m.traffic_results_payload_report_tickResume, m.traffic_results_payload_number, m.traffic_results_payload_report_outcome_detailLength,
                              m.traffic_results_payload_cycles, m.traffic_results_payload_report_outcome_status, m.traffic_results_payload_report_zeros,
                              m.traffic_results_payload_report_resumed, m.traffic_results_payload_report_slow, m.traffic_results_payload_damaged};
  }

  std::deque<MnemeTraffic> commands_;
  std::deque<MnemeTrafficResult> results_;
  std::deque<uint8_t> order_;
  // Of a load; `ending_`: tokens of one are under way still.
  std::vector<MnemeTraffic> endless_;
  std::vector<uint32_t> cycles_;
  uint64_t ok_ = 0, other_ = 0, next_ = 0;
  bool ending_ = false;
  uint64_t owed_ = 0;
  bool showing_ = false;
  Steady steady_;
};
