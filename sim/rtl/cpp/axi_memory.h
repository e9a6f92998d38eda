// DRAM behind an AXI4 slave port: 512-bit beats, INCR bursts, answers of one id in order, those of different ids as they become due.
//
// AXI promises nothing about a read and a write in flight at once, nor about writes of different ids, before B. The model takes every such
// freedom, by its seed: a write shows in memory when its data are complete or only at its B, a read looks when its
// address is taken or only when its data leave. A board that starts before the B it depends on is found out.
#pragma once
#include <sys/mman.h>

#include <deque>
#include <set>

#include "api.h"
#include "streams.h"

struct MemorySettings {
  uint32_t latency;  // cycles from the address (writes: from the last data beat) to the answer
  uint32_t jitter;   // up to so many cycles more, for each transaction by itself
  uint32_t stall;    // chance per cycle and channel, of 65,536, to hold ready or valid back
};

template <class Model>
class AxiMemory {
 public:
  AxiMemory(Model& model, MemorySettings settings) : m_(model), s_(settings) {}
  AxiMemory(const AxiMemory&) = delete;
  ~AxiMemory() {
    if (bytes_) munmap(bytes_, size_);
  }

  // Maps `size` bytes; pages take room only once they are touched. False: the system refused.
  bool map(uint64_t size, uint8_t fill) {
    void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return false;
    bytes_ = static_cast<uint8_t*>(at);
    size_ = size;
    if (fill != 0) memset(bytes_, fill, size);
    return true;
  }
  uint8_t* bytes() { return bytes_; }
  uint64_t size() const { return size_; }
  // Bursts with a beat in [from, to) answer SLVERR there, and writes of them change nothing.
  void fail(uint64_t from, uint64_t to) { fail_from_ = from, fail_to_ = to; }
  // The memory access stage alone, beats whose address modulo `period` (a power of two) lies in [from, to): `how` tells whether R, whether B is an
  // error, and whether a write that meets one is lost as a whole or takes effect.
  void fail_lines(uint64_t period, uint64_t from, uint64_t to, uint32_t how) { lines_.push_back(Lines{period - 1, from, to, how}); }
  // Writes of translation, which are of page-table entries: a chance of `chance` in 65,536 that one answers SLVERR, taking effect or not; no more than `most`
  // entries at a time hold something older than what was written to them, or may.
  void fail_table(uint32_t chance, uint32_t most) { table_chance_ = chance, table_most_ = most; }
  // The answer of a master's `count`th burst from now on never comes, nor do those of its id behind it.
  void lose(uint32_t master, bool write, uint64_t count) { loss_ = Loss{master, write, count}; }
  const MnemeBeats& beats() const { return moved_; }
  bool idle() const { return reads_.empty() && writes_.empty() && addresses_.empty() && beats_.empty(); }

  // Before the edge: what the memory shows in this cycle. An answer once shown stays.
  void drive(uint64_t cycle, Seeded& seed) {
    m_.mem_arready = reads_.size() < TRANSACTIONS && !seed.chance(s_.stall);
    m_.mem_awready = addresses_.size() < TRANSACTIONS && writes_.size() < TRANSACTIONS && !seed.chance(s_.stall);
    m_.mem_wready = beats_.size() < BEATS && !seed.chance(s_.stall);
    if (!read_shown_) show_read(cycle, seed);
    if (!write_shown_) show_write(cycle, seed);
    if (s_.stall != 0) spoil();
    m_.mem_rvalid = read_shown_;
    m_.mem_bvalid = write_shown_;
  }

  // Wires are settled: takes what moves on this edge. True: the port is in use.
  bool sample(uint64_t cycle, Seeded& seed, Violation& violation) {
    const bool used = m_.mem_arvalid || m_.mem_awvalid || m_.mem_wvalid || !idle();
    check(cycle, violation);
    if (read_shown_ && m_.mem_rready) end_read_beat();
    if (write_shown_ && m_.mem_bready) {
      writes_.erase(writes_.begin() + writing_);
      write_shown_ = false;
    }
    if (m_.mem_arvalid && m_.mem_arready) take_read(cycle, seed, violation);
    if (m_.mem_awvalid && m_.mem_awready) take_address(cycle, violation);
    if (m_.mem_wvalid && m_.mem_wready) take_beat();
    complete_write(cycle, seed, violation);
    return used;
  }

 private:
  static constexpr size_t TRANSACTIONS = 64, BEATS = 512;
  // How the core's arbiter (hw/, MemoryArbiter) makes ids: the number of the master above the master's own bits.
  static constexpr uint32_t MASTER_ID_BITS = 2, ACCESS_MASTER = 1, TABLE_MASTER = 0;

  struct Lines {
    uint64_t mask, from, to;
    uint32_t how;
  };

  struct Loss {
    uint32_t master;
    bool write;
    uint64_t left;  // bursts until it, itself among them; 0: none
  };

  struct Burst {
    uint32_t id = 0;
    uint64_t address = 0;
    uint32_t beats = 0;
  };
  struct Read : Burst {
    uint64_t due = 0;
    uint32_t done = 0;
    bool looked = false;
    std::vector<uint8_t> data;
  };
  struct Beat {
    uint8_t data[BEAT];
    uint64_t strobe;
    bool last;
  };
  struct Write : Burst {
    uint64_t due = 0;
    bool applied = false, error = false, lost = false;
    std::vector<Beat> data;
  };

  uint64_t due(uint64_t cycle, Seeded& seed, const Burst& burst, bool write) {
    const uint64_t at = cycle + 1 + s_.latency + seed.up_to(s_.jitter);
    const bool counts = loss_.left != 0 && loss_.write == write && burst.id >> MASTER_ID_BITS == loss_.master;
    return counts && --loss_.left == 0 ? NEVER : at;
  }
  // How a beat of a burst fails: MNEME_FAIL_*.
  uint32_t fails(const Burst& burst, uint64_t address) const {
    if (address >= fail_from_ && address < fail_to_) return MNEME_FAIL_READ | MNEME_FAIL_WRITE | MNEME_FAIL_LOST;
    if (burst.id >> MASTER_ID_BITS != ACCESS_MASTER) return 0;
    uint32_t how = 0;
    for (const Lines& bad : lines_)
      if ((address & bad.mask) >= bad.from && (address & bad.mask) < bad.to) how |= bad.how;
    return how;
  }

  // The first transaction that is due and the oldest of its id.
  template <class Queue>
  static size_t pick(const Queue& queue, uint64_t cycle) {
    uint32_t seen = 0;
    for (size_t i = 0; i < queue.size(); i++) {
      const uint32_t id = 1u << (queue[i].id & 31);
      if (!(seen & id) && queue[i].due <= cycle) return i;
      seen |= id;
    }
    return queue.size();
  }

  void look(Read& read) {
    if (read.looked) return;
    read.data.assign(bytes_ + read.address, bytes_ + read.address + read.beats * BEAT);
    read.looked = true;
  }

  // What answers said that have been taken nobody may look at: in surroundings that stall it becomes something else.
  void spoil() {
    if (!read_shown_ && read_stale_) {
      uint32_t* words = reinterpret_cast<uint32_t*>(m_.mem_rdata.data());
      for (size_t i = 0; i < BEAT / sizeof(uint32_t); i++) words[i] = ~words[i];
      m_.mem_rid ^= 1, m_.mem_rresp ^= 3, m_.mem_rlast ^= 1;
      read_stale_ = false;
    }
    if (!write_shown_ && write_stale_) {
      m_.mem_bid ^= 1, m_.mem_bresp ^= 3;
      write_stale_ = false;
    }
  }
  void show_read(uint64_t cycle, Seeded& seed) {
    if (!burst_open_) reading_ = pick(reads_, cycle);
    if (reading_ >= reads_.size() || seed.chance(s_.stall)) return;
    Read& read = reads_[reading_];
    look(read);
    burst_open_ = read_shown_ = read_stale_ = true;
    memcpy(m_.mem_rdata.data(), read.data.data() + read.done * BEAT, BEAT);
    m_.mem_rid = read.id;
    m_.mem_rresp = fails(read, read.address + read.done * BEAT) & MNEME_FAIL_READ ? SLVERR : 0;
    m_.mem_rlast = read.done + 1 == read.beats;
  }
  void end_read_beat() {
    moved_.read++;
    read_shown_ = false;
    if (++reads_[reading_].done < reads_[reading_].beats) return;
    reads_.erase(reads_.begin() + reading_);
    burst_open_ = false;
  }

  void show_write(uint64_t cycle, Seeded& seed) {
    writing_ = pick(writes_, cycle);
    if (writing_ >= writes_.size() || seed.chance(s_.stall)) return;
    apply(writing_);
    write_shown_ = write_stale_ = true;
    m_.mem_bid = writes_[writing_].id;
    m_.mem_bresp = writes_[writing_].error ? SLVERR : 0;
  }

  void take_read(uint64_t cycle, Seeded& seed, Violation& violation) {
    Read read;
    static_cast<Burst&>(read) = burst(cycle, m_.mem_arid, m_.mem_araddr, m_.mem_arlen, "mem_ar", violation);
    if (read.beats == 0) return;
    read.due = due(cycle, seed, read, false);
    if (seed.next() & 1) look(read);
    reads_.push_back(std::move(read));
  }
  void take_address(uint64_t cycle, Violation& violation) {
    const Burst taken = burst(cycle, m_.mem_awid, m_.mem_awaddr, m_.mem_awlen, "mem_aw", violation);
    if (taken.beats != 0) addresses_.push_back(taken);
  }
  void take_beat() {
    moved_.write++;
    Beat beat;
    memcpy(beat.data, m_.mem_wdata.data(), BEAT);
    beat.strobe = m_.mem_wstrb;
    beat.last = m_.mem_wlast;
    beats_.push_back(beat);
  }

  // A burst that breaks no rule; 0 beats: it does.
  Burst burst(uint64_t cycle, uint32_t id, uint64_t address, uint32_t length, const char* port, Violation& violation) {
    Burst b;
    b.id = id;
    b.address = address & ~uint64_t(BEAT - 1);
    b.beats = length + 1;
    if ((address & 4095) + b.beats * BEAT > 4096 + (address & (BEAT - 1))) violation.report(cycle, port, "a burst crosses 4 KB");
    if (b.address + b.beats * BEAT > size_) violation.report(cycle, port, "an address past the end of memory");
    if (violation.broken()) b.beats = 0;
    return b;
  }

  // The oldest address and its data have met: the write begins.
  void complete_write(uint64_t cycle, Seeded& seed, Violation& violation) {
    if (addresses_.empty() || beats_.size() < addresses_.front().beats) return;
    Write write;
    static_cast<Burst&>(write) = addresses_.front();
    addresses_.pop_front();
    for (uint32_t i = 0; i < write.beats; i++) {
      if (beats_[i].last != (i + 1 == write.beats)) violation.report(cycle, "mem_w", "last is not on the last beat");
      const uint32_t how = fails(write, write.address + i * BEAT);
      write.error |= (how & MNEME_FAIL_WRITE) != 0;
      write.lost |= (how & MNEME_FAIL_LOST) != 0;
    }
    if (write.id >> MASTER_ID_BITS == TABLE_MASTER) fail_entry(write, beats_.front().strobe, seed);
    write.data.assign(beats_.begin(), beats_.begin() + write.beats);
    beats_.erase(beats_.begin(), beats_.begin() + write.beats);
    write.due = due(cycle, seed, write, true);
    writes_.push_back(std::move(write));
    if (seed.next() & 1) apply(writes_.size() - 1);
  }

  void fail_entry(Write& write, uint64_t strobe, Seeded& seed) {
    if (table_chance_ == 0 && behind_.empty()) return;
    const uint64_t entry = write.address + (strobe ? uint64_t(__builtin_ctzll(strobe)) : 0);
    if (seed.chance(table_chance_) && (behind_.count(entry) || behind_.size() < table_most_)) {
      write.error = true;
      write.lost = seed.next() & 1;
      behind_.insert(entry);
    } else {
      behind_.erase(entry);
    }
  }

  // Puts a write into memory, after all earlier ones of its id.
  void apply(size_t index) {
    for (size_t i = 0; i <= index; i++) {
      Write& write = writes_[i];
      if (write.id != writes_[index].id || write.applied) continue;
      write.applied = true;
      if (write.lost) continue;
      for (uint32_t beat = 0; beat < write.beats; beat++) store(write.address + beat * BEAT, write.data[beat]);
    }
  }
  void store(uint64_t address, const Beat& beat) {
    if (beat.strobe == ~0ull) {
      memcpy(bytes_ + address, beat.data, BEAT);
      return;
    }
    for (size_t i = 0; i < BEAT; i++)
      if (beat.strobe >> i & 1) bytes_[address + i] = beat.data[i];
  }

  void check(uint64_t cycle, Violation& violation) {
    const uint64_t ar[] = {m_.mem_arid, m_.mem_araddr, m_.mem_arlen, m_.mem_arsize, m_.mem_arburst};
    const uint64_t aw[] = {m_.mem_awid, m_.mem_awaddr, m_.mem_awlen, m_.mem_awsize, m_.mem_awburst};
    if (!ar_.keeps(m_.mem_arvalid, m_.mem_arready, ar, sizeof ar)) violation.report(cycle, "mem_ar", "an address changed before it was taken");
    if (!aw_.keeps(m_.mem_awvalid, m_.mem_awready, aw, sizeof aw)) violation.report(cycle, "mem_aw", "an address changed before it was taken");
    if ((m_.mem_arvalid && (m_.mem_arsize != 6 || m_.mem_arburst != 1)) || (m_.mem_awvalid && (m_.mem_awsize != 6 || m_.mem_awburst != 1)))
      violation.report(cycle, "mem", "a burst is not INCR of 64-byte beats");
    uint8_t w[BEAT + 9];
    memcpy(w, m_.mem_wdata.data(), BEAT);
    memcpy(w + BEAT, &m_.mem_wstrb, 8);
    w[BEAT + 8] = m_.mem_wlast;
    if (!w_.keeps(m_.mem_wvalid, m_.mem_wready, w, sizeof w)) violation.report(cycle, "mem_w", "a beat changed before it was taken");
  }

  static constexpr uint8_t SLVERR = 2;
  static constexpr uint64_t NEVER = ~0ull;
  Model& m_;
  MemorySettings s_;
  uint8_t* bytes_ = nullptr;
  uint64_t size_ = 0, fail_from_ = 0, fail_to_ = 0;
  std::vector<Lines> lines_;
  Loss loss_{};
  uint32_t table_chance_ = 0, table_most_ = 0;
  std::set<uint64_t> behind_;
  std::deque<Read> reads_;
  std::deque<Write> writes_;
  std::deque<Burst> addresses_;
  std::deque<Beat> beats_;
  size_t reading_ = 0, writing_ = 0;
  bool burst_open_ = false, read_shown_ = false, write_shown_ = false, read_stale_ = false, write_stale_ = false;
  Steady ar_, aw_, w_;
  MnemeBeats moved_{};
};
