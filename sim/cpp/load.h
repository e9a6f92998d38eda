// A traffic generator at the board's network port: as many requests as the streams take, bounded by how many may be in flight. Everything
// happens within one call from Rust, so that the border between the languages costs nothing per cycle.
//
// Rust makes one frame per kind of request; here source port, operation id, time, pid and address are put in. The UDP checksum is 0.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "api.h"
#include "mneme_wire.h"
#include "streams.h"

class Load {
 public:
  explicit Load(const MnemeLoad& plan) : p_(plan), random_(plan.seed), tick_(plan.tick), in_flight_(IDS), histogram_(LATENCIES) {
    for (uint32_t i = 0; i < p_.kinds; i++) {
      weights_ += p_.kind[i].weight;
      frames_.emplace_back(p_.kind[i].frame, p_.kind[i].frame + p_.kind[i].frame_length);
    }
  }

  // Gives the port frames as long as fewer than the window are in flight. The port never runs dry while some may go.
  void feed(FrameSource& port) {
    while (sent_ < p_.requests && flying_ < p_.window && port.waiting() < AHEAD) {
      std::vector<uint8_t>& frame = next();
      if (!port.offer(frame.data(), frame.size(), false)) return;
      sent_++;
      flying_++;
    }
  }
  // The last beat of a frame went in.
  void entered(uint64_t cycle, const std::vector<uint8_t>& frame) {
    in_flight_[get<4>(&frame[MNEME + MNEME_FIELD_OP_ID]) % IDS] = cycle;
  }
  // The first beat of a frame leaves.
  void leaving(uint64_t cycle, const uint8_t* beat) {
    const uint64_t latency = cycle - in_flight_[get<4>(beat + MNEME + MNEME_FIELD_OP_ID) % IDS];
    if (answers_ >= p_.warm_up) histogram_[std::min<uint64_t>(latency, LATENCIES - 1)]++;
  }
  // Takes all frames that have left. `beats` are those of DRAM until now: R and W.
  void drain(FrameSink& port, uint64_t cycle, const MnemeBeats& beats) {
    while (port.ready_to_fetch()) {
      take(port.front());
      port.pop();
      if (answers_ == p_.warm_up) begin_ = cycle, result_.ok = 0, result_.other = 0, beats_ = beats;
      last_ = cycle;
    }
  }
  bool finished() const { return answers_ == p_.requests; }

  MnemeLoadResult result(const MnemeBeats& beats) {
    MnemeLoadResult r = result_;
    r.answers = answers_;
    r.cycles = last_ - begin_;
    r.read_beats = beats.read - beats_.read;
    r.write_beats = beats.write - beats_.write;
    uint64_t total = 0, seen = 0;
    for (uint32_t count : histogram_) total += count;
    bool first = true;
    for (uint64_t i = 0; i < histogram_.size(); i++) {
      if (histogram_[i] == 0) continue;
      if (first) r.latency_min = i, first = false;
      if (seen * 2 < total) r.latency_p50 = i;
      if (seen * 100 < total * 99) r.latency_p99 = i;
      r.latency_max = i;
      seen += histogram_[i];
    }
    return r;
  }

 private:
  static constexpr size_t MNEME = 42, SOURCE_PORT = 34, IDS = 1 << 14, LATENCIES = 1 << 16, AHEAD = 8;

  template <size_t BYTES>
  static uint64_t get(const uint8_t* at) {
    uint64_t value = 0;
    for (size_t i = 0; i < BYTES; i++) value = value << 8 | at[i];
    return value;
  }
  template <size_t BYTES>
  static void put(uint8_t* at, uint64_t value) {
    for (size_t i = 0; i < BYTES; i++) at[i] = uint8_t(value >> 8 * (BYTES - 1 - i));
  }

  const MnemePage& page() {
    if (p_.hot_pages != 0 && random_.chance(p_.hot_share)) return p_.page[random_.next() % p_.hot_pages];
    // Pages of the cold part come round in turn, so that each has left the TLB when its turn comes again.
    if (cold_ == p_.pages - p_.hot_pages) cold_ = 0;
    return p_.page[p_.hot_pages + cold_++];
  }
  std::vector<uint8_t>& next() {
    uint64_t at = weights_ == 1 ? 0 : random_.next() % weights_;
    uint32_t kind = 0;
    for (; at >= p_.kind[kind].weight; kind++) at -= p_.kind[kind].weight;
    const MnemeKind& k = p_.kind[kind];
    const MnemePage& place = page();
    std::vector<uint8_t>& frame = frames_[kind];
    put<2>(&frame[SOURCE_PORT], p_.first_port + sent_ % p_.sources);
    uint8_t* mneme = &frame[MNEME];
    put<4>(mneme + MNEME_FIELD_OP_ID, p_.first_id + sent_);
    put<3>(mneme + MNEME_FIELD_TIME, tick_);
    put<3>(mneme + MNEME_FIELD_PID, place.pid);
    put<6>(mneme + MNEME_FIELD_VA, place.va + k.offset + k.stride * (k.places > 1 ? random_.next() % k.places : 0));
    return frame;
  }
  void take(const Frame& frame) {
    answers_++;
    flying_--;
    const uint8_t* mneme = &frame.bytes[MNEME];
    const uint8_t status = mneme[MNEME_FIELD_EPOCH] & MNEME_STATUS_CODE_MASK;
    (status == 0 && !frame.flag ? result_.ok : result_.other)++;
    tick_ = uint32_t(get<3>(mneme + MNEME_FIELD_TIME));
  }

  const MnemeLoad p_;
  Seeded random_;
  uint32_t tick_;
  std::vector<std::vector<uint8_t>> frames_;
  std::vector<uint64_t> in_flight_;
  std::vector<uint32_t> histogram_;
  MnemeLoadResult result_{};
  MnemeBeats beats_{};
  uint64_t weights_ = 0, sent_ = 0, flying_ = 0, answers_ = 0, cold_ = 0, begin_ = 0, last_ = 0;
};
