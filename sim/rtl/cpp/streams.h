// The two ends of an AXI-Stream of Ethernet frames, 64 bytes a beat, both bounded.
#pragma once
#include <deque>
#include <vector>

#include "checks.h"
#include "seeded.h"

constexpr size_t BEAT = 64;

// One stream's wires at the model.
struct StreamWires {
  const char* name;
  uint8_t& valid;
  uint8_t& ready;
  uint32_t* data;
  uint64_t& keep;
  uint8_t& last;
  uint8_t& user;
};

struct Frame {
  std::vector<uint8_t> bytes;
  bool flag = false;  // into the board: FCS error; out of it: send with a bad FCS
};

// Drives frames into the board.
class FrameSource {
 public:
  FrameSource(StreamWires wires, size_t limit) : w_(wires), limit_(limit) {}

  bool offer(const uint8_t* bytes, size_t length, bool flag) {
    if (frames_.size() >= limit_) return false;
    frames_.push_back(Frame{std::vector<uint8_t>(bytes, bytes + length), flag});
    return true;
  }
  // The other end was reset.
  void forget() {
    frames_.clear();
    at_ = 0;
    showing_ = false;
  }
  bool empty() const { return frames_.empty(); }
  size_t waiting() const { return frames_.size(); }

  // Before the edge: shows the next beat, unless the seed wants a gap. A beat once shown stays. In surroundings that stall, wires that nobody may
  // look at say anything: those of no beat, and those of a beat behind the frame's end.
  void drive(Seeded& seed, uint32_t stall) {
    if (!showing_ && !frames_.empty() && !seed.chance(stall)) show(stall != 0);
    if (!showing_ && stale_ && stall != 0) spoil();
    w_.valid = showing_;
  }
  // Wires are settled. Answers the frame whose last beat the board takes on this edge; it lives until the next call.
  const Frame* sample() {
    if (!(showing_ && w_.ready)) return nullptr;
    showing_ = false;
    at_ += BEAT;
    if (at_ < frames_.front().bytes.size()) return nullptr;
    taken_ = std::move(frames_.front());
    frames_.pop_front();
    at_ = 0;
    return &taken_;
  }

 private:
  void show(bool noisy) {
    const Frame& frame = frames_.front();
    const size_t left = frame.bytes.size() - at_, count = left < BEAT ? left : BEAT;
    uint8_t beat[BEAT] = {0};
    if (noisy && count != BEAT) fill(beat);
    if (count != 0) memcpy(beat, frame.bytes.data() + at_, count);
    memcpy(w_.data, beat, BEAT);
    w_.keep = count == BEAT ? ~0ull : (1ull << count) - 1;
    w_.last = left <= BEAT;
    // It counts with the last beat alone.
    w_.user = w_.last ? frame.flag : noisy;
    showing_ = stale_ = true;
  }
  void spoil() {
    uint8_t beat[BEAT];
    fill(beat);
    memcpy(w_.data, beat, BEAT);
    w_.keep = noise_.next();
    w_.last = !w_.last;
    w_.user = !w_.user;
    stale_ = false;
  }
  void fill(uint8_t (&beat)[BEAT]) {
    for (size_t at = 0; at < BEAT; at += 8) {
      const uint64_t word = noise_.next();
      memcpy(beat + at, &word, 8);
    }
  }

  StreamWires w_;
  size_t limit_;
  std::deque<Frame> frames_;
  Frame taken_;
  size_t at_ = 0;
  // The wires still say what the last beat said.
  bool showing_ = false, stale_ = false;
  // Of its own: it changes no decision.
  Seeded noise_{1};
};

// Takes frames from the board; stops taking while `limit` whole frames wait to be fetched.
class FrameSink {
 public:
  FrameSink(StreamWires wires, size_t limit, size_t largest) : w_(wires), limit_(limit), largest_(largest) {}

  void drive(Seeded& seed, uint32_t stall) { w_.ready = frames_.size() < limit_ && !seed.chance(stall); }

  // Wires are settled. True: the first beat of a frame leaves on this edge, readable in `wires().data`.
  bool sample(uint64_t cycle, Violation& violation) {
    check(cycle, violation);
    if (!(w_.valid && w_.ready)) return false;
    const bool first = current_.bytes.empty();
    const size_t count = w_.keep == ~0ull ? BEAT : size_t(__builtin_popcountll(w_.keep));
    const uint8_t* beat = reinterpret_cast<const uint8_t*>(w_.data);
    current_.bytes.insert(current_.bytes.end(), beat, beat + count);
    if (current_.bytes.size() > largest_) {
      violation.report(cycle, w_.name, "a frame never ends");
    } else if (w_.last) {
      current_.flag = w_.user;
      frames_.push_back(std::move(current_));
      current_ = Frame{};
    }
    return first;
  }

  // The other end was reset.
  void forget() {
    frames_.clear();
    current_ = Frame{};
    steady_ = Steady();
  }
  bool empty() const { return frames_.empty() && current_.bytes.empty(); }
  size_t waiting() const { return frames_.size(); }
  bool active() const { return w_.valid; }
  const StreamWires& wires() const { return w_; }
  bool ready_to_fetch() const { return !frames_.empty(); }
  const Frame& front() const { return frames_.front(); }
  void pop() { frames_.pop_front(); }

 private:
  void check(uint64_t cycle, Violation& violation) {
    uint8_t shown[BEAT + 10];
    memcpy(shown, w_.data, BEAT);
    memcpy(shown + BEAT, &w_.keep, 8);
    shown[BEAT + 8] = w_.last;
    shown[BEAT + 9] = w_.user;
    if (!steady_.keeps(w_.valid, w_.ready, shown, sizeof shown)) violation.report(cycle, w_.name, "a beat changed before it was taken");
    if (!w_.valid) return;
    const bool contiguous = w_.keep != 0 && (w_.keep & (w_.keep + 1)) == 0;
    if (!contiguous || (!w_.last && w_.keep != ~0ull)) violation.report(cycle, w_.name, "keep has a hole");
  }

  StreamWires w_;
  size_t limit_, largest_;
  std::deque<Frame> frames_;
  Frame current_;
  Steady steady_;
};
