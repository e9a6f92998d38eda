// Waveforms of some cycles of a board: those asked for by number, or those around an event that is waited for.
//
// A cycle lasts 4 ns in the file. Its first half shows what the rising edge in its middle takes; its second half what the edge made of it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "api.h"
#include "verilated_fst_c.h"

class Waves {
 public:
  static constexpr uint64_t NS_PER_CYCLE = 4;

  // Begins with the next cycle. The files are written anew.
  template <class Model>
  void begin(Model& model, const MnemeWaves& plan) {
    end();
    if (!fst_) {
      fst_ = std::make_unique<VerilatedFstC>();
      fst_->set_time_unit("1ns");
      fst_->set_time_resolution("1ns");
      model.trace(fst_.get(), 99);
    }
    plan_ = plan;
    file_ = plan.file;
    older_ = plan.older;
    state_ = MnemeWavesState{};
    end_ = plan.trigger == MNEME_WAVES_CYCLES ? plan.from + plan.count : UINT64_MAX;
    armed_ = true;
  }
  // The wires of this cycle have settled.
  void settled(uint64_t cycle) {
    if (!armed_) return;
    if (!fst_->isOpen()) {
      if (plan_.trigger == MNEME_WAVES_CYCLES && cycle < plan_.from) return;
      open(cycle);
    } else if (end_ == UINT64_MAX && cycle - state_.first >= plan_.before) {
      // Nobody knows yet whether this stretch is wanted; the one before it no longer is.
      fst_->close();
      state_.failed |= std::rename(file_.c_str(), older_.c_str()) != 0;
      state_.older = 1;
      state_.older_first = state_.first;
      open(cycle);
    }
    if (armed_) fst_->dump(NS_PER_CYCLE * cycle);
  }
  // The edge has come.
  void passed(uint64_t cycle) {
    if (!armed_ || !fst_->isOpen()) return;
    fst_->dump(NS_PER_CYCLE * cycle + NS_PER_CYCLE / 2);
    state_.end = cycle + 1;
    if (state_.end >= end_) end();
  }
  bool armed() const { return armed_; }
  // An answer with this status begins to leave; something is counted.
  void answered(uint64_t cycle, uint32_t status) { happened(cycle, MNEME_WAVES_STATUS, status); }
  template <class Wires>
  void counted(uint64_t cycle, const Wires& wires) {
    if (plan_.trigger == MNEME_WAVES_COUNTED && wires.data()[plan_.value / 32] >> plan_.value % 32 & 1) happened(cycle, MNEME_WAVES_COUNTED, plan_.value);
  }
  // Closes the file.
  void end() {
    if (!armed_) return;
    armed_ = false;
    state_.done = 1;
    if (fst_->isOpen()) fst_->close();
  }
  MnemeWavesState state() const { return state_; }

 private:
  void happened(uint64_t cycle, uint32_t trigger, uint32_t value) {
    if (!armed_ || !fst_->isOpen() || end_ != UINT64_MAX || plan_.trigger != trigger || plan_.value != value) return;
    state_.triggered = 1;
    state_.trigger = cycle;
    end_ = cycle + 1 + plan_.after;
  }
  void open(uint64_t cycle) {
    fst_->open(file_.c_str());
    state_.first = state_.end = cycle;
    if (fst_->isOpen()) return;
    armed_ = false;
    state_.done = state_.failed = 1;
  }

  std::unique_ptr<VerilatedFstC> fst_;
  MnemeWaves plan_{};
  MnemeWavesState state_{};
  std::string file_, older_;
  uint64_t end_ = UINT64_MAX;
  bool armed_ = false;
};
