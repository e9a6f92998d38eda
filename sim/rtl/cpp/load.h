// A traffic generator at the board's network port: as many requests as the streams take, bounded by how many may be in flight. It works
// beside the model, cycle by cycle, so that the border between the languages costs nothing per cycle.
//
// Rust makes one frame per kind of request; here source port, operation id, time, pid and address are put in. The UDP checksum is 0.
// Frames of other ports pass it by: the slow path's traffic.
#pragma once
#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "api.h"
#include "link.h"
#include "mneme_wire.h"
#include "spread.h"
#include "stamps.h"
#include "streams.h"

class Load {
 public:
  Load(const MnemeLoad& plan, uint64_t cycle)
      : p_(plan), pages_(plan.page, plan.page + plan.pages), random_(plan.seed), tick_(plan.tick), flights_(IDS), all_(LATENCIES), first_(LATENCIES), hot_(LATENCIES), in_(plan.link_bits), out_(plan.link_bits) {
    for (uint32_t i = 0; i < p_.kinds; i++) {
      weights_ += p_.kind[i].weight;
      kinds_.push_back(p_.kind[i]);
      frames_.emplace_back(p_.kind[i].frame, p_.kind[i].frame + p_.kind[i].frame_length);
    }
    begin_ = last_ = in_begin_ = in_last_ = cycle;
  }

  // Gives the port frames as long as fewer than the window are in flight. The port never runs dry while some may go.
  void feed(FrameSource& port, uint64_t cycle) {
    // Such hits come whatever the board does. One for which there is no room waits outside, and that counts.
    if (p_.hot_rate != 0 && random_.chance(p_.hot_rate)) due_.push_back(cycle);
    while (port.waiting() < AHEAD) {
      // What was refused keeps its place in the window until it is done.
      const bool again = !refused_.empty() && refused_.front().due <= cycle;
      const bool hit = !again && drawn_ != p_.requests && !due_.empty() && hits_ < p_.hot_window;
      if (!again && !hit && !room()) return;
      const Choice choice = again ? refused_.front().choice : draw(hit);
      std::vector<uint8_t>& frame = make(choice);
      if (!port.offer(frame.data(), frame.size(), false)) return;
      again ? refused_.pop_front() : void(drawn_++);
      flights_[id() % IDS] = Flight{choice, 0, hit ? due_.front() : 0};
      if (hit) due_.pop_front(), hits_++;
      sent_++;
    }
  }
  // The wire in each direction.
  Link& in() { return in_; }
  Link& out() { return out_; }
  // The last beat of a frame went in.
  void entered(uint64_t cycle, const std::vector<uint8_t>& frame) {
    if (!mine(frame.data() + SOURCE_PORT)) return;
    Flight& its = flight(&frame[MNEME]);
    its.entered = its.due ? its.due : cycle;
    if (alone()) stamps_.begin(cycle);
    if (++entered_ == p_.warm_up) in_begin_ = cycle;
    if (entered_ > p_.warm_up) entered_of_kind_[its.choice.kind]++;
    in_last_ = cycle;
  }
  // The first beat of a frame leaves.
  void leaving(uint64_t cycle, const uint8_t* beat) {
    if (!mine(beat + DESTINATION_PORT)) return;
    const Flight& its = flight(beat + MNEME);
    const bool counts = answers_ >= p_.warm_up;
    if (alone()) stamps_.end(cycle, counts);
    if (!counts) return;
    first_[std::min<uint64_t>(cycle - its.entered, LATENCIES - 1)]++;
  }
  // Takes all frames that have left. `beats` are those of DRAM until now: R and W.
  void drain(FrameSink& port, uint64_t cycle, const MnemeBeats& beats) {
    while (port.ready_to_fetch()) {
      if (mine(&port.front().bytes[DESTINATION_PORT])) take(port.front(), cycle, beats);
      port.pop();
    }
  }
  bool finished() const { return answers_ == p_.requests; }
  // The warm-up is over.
  bool counting() const { return answers_ >= p_.warm_up; }
  // One request at a time: its way through the stages can be followed.
  bool alone() const { return p_.window == 1; }
  Stamps& stamps() { return stamps_; }

  MnemeLoadResult result(const MnemeBeats& beats) const {
    MnemeLoadResult r = result_;
    r.answers = answers_;
    // Where nothing is asked twice, what comes in is what goes out.
    r.cycles = p_.retry_after ? last_ - begin_ : std::max(last_ - begin_, in_last_ - in_begin_);
    r.read_beats = beats.read - beats_.read;
    r.write_beats = beats.write - beats_.write;
    r.latency = spread(all_);
    r.first_latency = spread(first_);
    r.hot_latency = spread(hot_);
    std::copy(entered_of_kind_, entered_of_kind_ + MNEME_LOAD_KINDS, r.entered_of_kind);
    stamps_.result(r);
    return r;
  }

 private:
  static constexpr size_t MNEME = 42, SOURCE_PORT = 34, DESTINATION_PORT = 36, IDS = 1 << 14, LATENCIES = 1 << 16, AHEAD = 8;

  // What to ask: kind, page and place.
  struct Choice {
    uint32_t kind;
    uint64_t page, place;
  };
  struct Flight {
    Choice choice;
    uint64_t entered, due;  // the latter where it came by itself
  };
  struct Refused {
    Choice choice;
    uint64_t due;
  };

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

  bool mine(const uint8_t* port) const { return get<2>(port) - p_.first_port < p_.sources; }
  Flight& flight(const uint8_t* mneme) { return flights_[get<4>(mneme + MNEME_FIELD_OP_ID) % IDS]; }
  uint32_t id() const { return uint32_t(p_.first_id + sent_); }

  // Whether one more of those that the window bounds may go.
  bool room() const {
    if (drawn_ == p_.requests || drawn_ - answers_ - hits_ >= p_.window) return false;
    return p_.hot_rate == 0 || p_.hot_pages != p_.pages;
  }
  uint64_t page(bool hit) {
    if (hit || (p_.hot_rate == 0 && p_.hot_pages != 0 && random_.chance(p_.hot_share))) return random_.next() % p_.hot_pages;
    // Pages of the cold part come round in turn, so that each has left the TLB when its turn comes again.
    if (cold_ == p_.pages - p_.hot_pages) cold_ = 0;
    return p_.hot_pages + cold_++;
  }
  Choice draw(bool hit) {
    uint64_t at = weights_ == 1 ? 0 : random_.next() % weights_;
    uint32_t kind = 0;
    for (; at >= kinds_[kind].weight; kind++) at -= kinds_[kind].weight;
    const uint64_t places = kinds_[kind].places, where = page(hit);
    return Choice{kind, where, places <= 1 ? 0 : (p_.in_turn ? drawn_ : random_.next()) % places};
  }
  std::vector<uint8_t>& make(const Choice& choice) {
    const MnemeKind& k = kinds_[choice.kind];
    const MnemePage& page = pages_[choice.page];
    std::vector<uint8_t>& frame = frames_[choice.kind];
    put<2>(&frame[SOURCE_PORT], p_.first_port + sent_ % p_.sources);
    uint8_t* mneme = &frame[MNEME];
    put<4>(mneme + MNEME_FIELD_OP_ID, id());
    put<3>(mneme + MNEME_FIELD_TIME, tick_);
    put<3>(mneme + MNEME_FIELD_PID, page.pid);
    put<6>(mneme + MNEME_FIELD_VA, page.va + k.offset + k.stride * choice.place);
    return frame;
  }
  void take(const Frame& frame, uint64_t cycle, const MnemeBeats& beats) {
    const uint8_t* mneme = &frame.bytes[MNEME];
    const uint8_t status = mneme[MNEME_FIELD_EPOCH] & MNEME_STATUS_CODE_MASK;
    const Flight& its = flight(mneme);
    const Choice& choice = its.choice;
    if (answers_ >= p_.warm_up) {
      // Its last beat left in the cycle before.
      const uint64_t latency = std::min<uint64_t>(cycle - 1 - its.entered, LATENCIES - 1);
      all_[latency]++;
      if (choice.page < p_.hot_pages) hot_[latency]++;
    }
    if (its.due) hits_--;
    tick_ = uint32_t(get<3>(mneme + MNEME_FIELD_TIME));
    if (status == MNEME_STATUS_BUSY && p_.retry_after) {
      result_.other++;
      refused_.push_back(Refused{choice, cycle + p_.retry_after});
      return;
    }
    const bool ok = status == MNEME_STATUS_OK && !frame.flag;
    (ok ? result_.ok : result_.other)++;
    if (ok) result_.ok_of_kind[choice.kind]++;
    if (choice.page < p_.hot_pages) result_.hot++;
    if (++answers_ == p_.warm_up) begin_ = cycle, result_ = MnemeLoadResult{}, beats_ = beats;
    last_ = cycle;
  }

  const MnemeLoad p_;
  const std::vector<MnemePage> pages_;
  Seeded random_;
  uint32_t tick_;
  std::vector<MnemeKind> kinds_;
  std::vector<std::vector<uint8_t>> frames_;
  std::vector<Flight> flights_;
  std::deque<Refused> refused_;
  std::deque<uint64_t> due_;
  std::vector<uint32_t> all_, first_, hot_;
  Link in_, out_;
  Stamps stamps_;
  MnemeLoadResult result_{};
  MnemeBeats beats_{};
  uint64_t entered_of_kind_[MNEME_LOAD_KINDS] = {};
  uint64_t weights_ = 0, drawn_ = 0, sent_ = 0, entered_ = 0, answers_ = 0, cold_ = 0, hits_ = 0;
  uint64_t begin_, last_, in_begin_, in_last_;
};
