// One Verilated board with its surroundings: network and slow-path streams, DRAM, register port, trace. Compiled once per
// configuration with -DMODEL=<Verilator class> -DMODEL_HEADER=<its header> -DROOT_HEADER=<that of its wires> -DTOP=<the top module's name>
// -DPREFIX=<function prefix>.
//
// Single-threaded; everything happens inside the calls. Rust checks pointers and lengths before it calls.
//
// With -DTAPPED the model is one whose taps can be read (taps.vlt); with -DTRAFFIC one with a traffic generator;
// with -DCOVERED -DSYMBOLS_HEADER=<its symbols> one with coverage points; with -DTRACED one that can write waveforms (waves.vlt);
// with -DNETLIST one made of a device's cells, in which no register has its name any more.
#include MODEL_HEADER
#include ROOT_HEADER
#ifdef COVERED
#include SYMBOLS_HEADER
#include "coverage.h"
#endif

#include <memory>

#include "api.h"
#include "axi_memory.h"
#include "latency.h"
#include "load.h"
#include "traffic.h"
#include "verilated.h"
#ifdef TRACED
#include "waves.h"
#endif

namespace {

// Bounds of what waits at the board's ports, in frames and events.
constexpr size_t RX_FRAMES = 64, TX_FRAMES = 256, SLOW_FRAMES = 16, TRACE_EVENTS = 1 << 16;
// No frame is longer; larger configurations need a larger bound.
constexpr size_t LARGEST_FRAME = 16384;
// A register access that takes longer is a fault of the board.
constexpr uint64_t REGISTER_CYCLES = 100000;
// Cycles without movement at a port after which nothing is under way inside: fewer than who calls waits for.
constexpr uint64_t RESTS_AFTER = 448;
// A handshake that does not come in this cycle, as a chance of 65,536.
constexpr uint32_t HELD = 1 << 16;
constexpr uint32_t REGISTER_MEM_BITS = 0x00c;

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

// Cycles by which the address and the data of a register's write come late, and its answer is taken late.
struct Late {
  uint32_t address = 0, data = 0, answer = 0;
};

class Board {
 public:
  explicit Board(const MnemeOptions& o)
      : context_(std::make_unique<VerilatedContext>()),
        seed_(o.seed),
        options_(o) {
    context_->threads(1);
#ifdef TRACED
    context_->traceEverOn(true);
#endif
    context_->randReset(o.random_reset ? 2 : 0);
    context_->randSeed(int((o.reset_seed & 0x7fffffff) | 1));
    model_ = std::make_unique<MODEL>(context_.get());
    MODEL& m = *model_;
    memory_ = std::make_unique<AxiMemory<MODEL>>(m, MemorySettings{o.latency, o.jitter, o.stall});
    net_rx_ = std::make_unique<FrameSource>(
        StreamWires{"net_rx", m.net_rx_tvalid, m.net_rx_tready, m.net_rx_tdata.data(), m.net_rx_tkeep, m.net_rx_tlast, m.net_rx_tuser}, RX_FRAMES);
    slow_rx_ = std::make_unique<FrameSource>(
        StreamWires{"slow_rx", m.slow_rx_tvalid, m.slow_rx_tready, m.slow_rx_tdata.data(), m.slow_rx_tkeep, m.slow_rx_tlast, m.slow_rx_tuser}, SLOW_FRAMES);
    net_tx_ = std::make_unique<FrameSink>(
        StreamWires{"net_tx", m.net_tx_tvalid, m.net_tx_tready, m.net_tx_tdata.data(), m.net_tx_tkeep, m.net_tx_tlast, m.net_tx_tuser}, TX_FRAMES, LARGEST_FRAME);
    slow_tx_ = std::make_unique<FrameSink>(
        StreamWires{"slow_tx", m.slow_tx_tvalid, m.slow_tx_tready, m.slow_tx_tdata.data(), m.slow_tx_tkeep, m.slow_tx_tlast, m.slow_tx_tuser}, SLOW_FRAMES, LARGEST_FRAME);
  }
  ~Board() {
    // The model takes itself out of the thread's context, which is that of whichever board was made last, and may be gone.
    Verilated::threadContextp(context_.get());
#ifdef TRACED
    waves_.end();
#endif
    model_->final();
#ifdef COVERED
    keep_coverage(*context_, model_->rootp->vlSymsp->__Vcoverage, TEXT(TOP));
#endif
  }

  // Resets the board and gives it as much memory as it was built for. False: memory was refused, or a rule was broken.
  bool start() {
    model_->regs_awvalid = model_->regs_wvalid = model_->regs_arvalid = 0;
    model_->regs_bready = model_->regs_rready = 0;
    model_->regs_awprot = model_->regs_arprot = 0;
    model_->build_hash = options_.build_hash;
    model_->build_date = options_.build_date;
    model_->reset = model_->mem_reset = 1;
    model_->clk = 0;
    for (int i = 0; i < 16; i++) {
      model_->net_rx_tvalid = model_->slow_rx_tvalid = model_->mem_rvalid = model_->mem_bvalid = 0;
      model_->eval();
      model_->clk = 1;
      model_->eval();
      model_->clk = 0;
    }
    model_->reset = model_->mem_reset = 0;
    uint32_t bits = 0;
    return read_register(REGISTER_MEM_BITS, &bits) && bits < 48 && memory_->map(1ull << bits, uint8_t(options_.memory_fill));
  }

  // Resets the core and whoever talks to it, now, while memory goes on with what it has. `unguarded`: the guard at its port is reset, too, as if there
  // were none.
  void reset_core(uint64_t cycles, bool unguarded) {
    net_rx_->forget(), slow_rx_->forget(), net_tx_->forget(), slow_tx_->forget();
    trace_.clear();
    latency_ = LatencyMeter();
    model_->reset = 1;
    model_->mem_reset = unguarded;
    for (uint64_t i = 0; i < cycles && !violation_.broken(); i++) {
      memory_->drive(cycles_, seed_);
      model_->net_rx_tvalid = model_->slow_rx_tvalid = model_->net_tx_tready = model_->slow_tx_tready = 0;
      low();
      memory_->sample(cycles_, seed_, violation_);
      high();
    }
    model_->reset = model_->mem_reset = 0;
    idle_ = 0;
  }

  void run(uint64_t cycles, uint64_t idle_limit) {
    for (uint64_t i = 0; i < cycles && idle_ < idle_limit && !violation_.broken(); i++) cycle();
  }

  // From here on, cycles carry a load; the port must be quiet before.
  void begin_load(const MnemeLoad& plan) {
    load_ = std::make_unique<Load>(plan, cycles_);
    traffic_.begin(plan.traffic, plan.traffics);
  }
  // Lets cycles pass, fewer when the load has come to its end. True: it has.
  bool run_load(uint64_t cycles) {
    for (uint64_t i = 0; i < cycles && load_ && !load_->finished() && !violation_.broken(); i++) cycle();
    return load_ && load_->finished();
  }
  void end_load(MnemeLoadResult* result) {
    if (load_) *result = load_->result(memory_->beats());
    traffic_.end(result);
    load_.reset();
  }

  // `late`: so many cycles go by before the answer is taken. It must stand.
  bool read_register(uint32_t address, uint32_t* value, uint32_t late = 0) {
    MODEL& m = *model_;
    m.regs_araddr = address;
    m.regs_arvalid = 1;
    if (!until([&] { return m.regs_arready; })) return false;
    m.regs_arvalid = 0;
    bool stands = false;
    for (uint32_t i = 0, stood = 0; i < late && !violation_.broken(); i++) {
      settle();
      if (stands && !(m.regs_rvalid && m.regs_rdata == stood)) violation_.report(cycles_, "regs", "an answer changed before it was taken");
      stands = m.regs_rvalid;
      stood = m.regs_rdata;
      edge();
    }
    m.regs_rready = 1;
    const bool done = until([&] {
      *value = m.regs_rdata;
      return m.regs_rvalid;
    });
    m.regs_rready = 0;
    return done;
  }
  bool write_register(uint32_t address, uint32_t value, uint32_t strobes = 15, Late late = {}) {
    MODEL& m = *model_;
    bool took_address = false, took_data = false;
    uint32_t passed = 0;
    // Each channel's valid falls after its own handshake; without valid it says anything.
    const auto offer = [&] {
      m.regs_awvalid = !took_address && passed >= late.address;
      m.regs_wvalid = !took_data && passed >= late.data;
      m.regs_awaddr = m.regs_awvalid ? address : address ^ 4;
      m.regs_wdata = m.regs_wvalid ? value : ~value;
      m.regs_wstrb = m.regs_wvalid ? strobes : 15;
      passed++;
    };
    offer();
    const bool taken = until([&] {
      took_address |= m.regs_awvalid && m.regs_awready;
      took_data |= m.regs_wvalid && m.regs_wready;
      return took_address && took_data;
    }, offer);
    if (!taken) return false;
    m.regs_awvalid = m.regs_wvalid = 0;
    // The address stays with another word: a register that takes it without valid shows.
    m.regs_awaddr = address, m.regs_wdata = ~value, m.regs_wstrb = 15;
    bool stands = false;
    for (uint32_t i = 0; i < late.answer && !violation_.broken(); i++) {
      settle();
      if (stands && !m.regs_bvalid) violation_.report(cycles_, "regs", "an answer went before it was taken");
      stands = m.regs_bvalid;
      edge();
    }
    m.regs_bready = 1;
    const bool done = until([&] { return m.regs_bvalid; });
    m.regs_bready = 0;
    return done;
  }

  // False: this model writes no waveforms.
  bool waves([[maybe_unused]] const MnemeWaves& plan) {
#ifdef TRACED
    waves_.begin(*model_, plan);
    return true;
#else
    return false;
#endif
  }
  void end_waves() {
#ifdef TRACED
    waves_.end();
#endif
  }
  MnemeWavesState waves_state() const {
#ifdef TRACED
    return waves_.state();
#else
    return {};
#endif
  }

  // Something is about to happen that no port shows yet.
  void wake() { idle_ = 0; }

  FrameSource& net_rx() { return *net_rx_; }
  FrameSource& slow_rx() { return *slow_rx_; }
  FrameSink& net_tx() { return *net_tx_; }
  FrameSink& slow_tx() { return *slow_tx_; }
  AxiMemory<MODEL>& memory() { return *memory_; }
  LatencyMeter& latency() { return latency_; }
  Traffic& traffic() { return traffic_; }
  const Violation& violation() const { return violation_; }
  std::deque<MnemeTrace>& trace() { return trace_; }
  MnemeState state() const {
    return MnemeState{cycles_, idle_, slow_tx_->waiting(), uint8_t(!net_rx_->empty() || !slow_rx_->empty() || !net_tx_->empty() || !slow_tx_->empty() || traffic_.waiting()), uint8_t(!net_rx_->empty())};
  }

 private:
  // One clock: inputs change while the clock is low, wires settle, handshakes are read, the edge comes.
  void cycle() {
    settle();
    edge();
  }
  void settle() {
    if (load_) load_->feed(*net_rx_, cycles_);
    const uint32_t stall = options_.stall;
    net_rx_->drive(seed_, load_ && !load_->in().free(cycles_) ? HELD : stall);
    slow_rx_->drive(seed_, stall);
    net_tx_->drive(seed_, load_ && !load_->out().free(cycles_) ? HELD : stall);
    slow_tx_->drive(seed_, stall);
#ifdef TRAFFIC
    traffic_.drive(*model_, seed_, stall);
#endif
    memory_->drive(cycles_, seed_);
    low();
  }
  void edge() {
    const bool moving = !net_rx_->empty() || !slow_rx_->empty() || net_tx_->active() || slow_tx_->active() || traffic_.active();
    if (load_) pass(*load_);
    // Before the answer's first beat is looked at: the last tap tells of it in the same cycle.
    if (load_ && load_->alone()) stamp(load_->stamps());
    if (const Frame* frame = net_rx_->sample()) load_ ? load_->entered(cycles_, frame->bytes) : latency_.entered(cycles_, frame->bytes);
    slow_rx_->sample();
    if (net_tx_->sample(cycles_, violation_)) {
      const uint8_t* beat = reinterpret_cast<const uint8_t*>(net_tx_->wires().data);
      load_ ? load_->leaving(cycles_, beat) : latency_.left(cycles_, beat, violation_);
#ifdef TRACED
      if (const auto status = LatencyMeter::status(beat)) waves_.answered(cycles_, *status);
#endif
    }
    slow_tx_->sample(cycles_, violation_);
#ifdef TRAFFIC
    traffic_.sample(*model_, cycles_, load_ && load_->counting(), violation_);
#endif
    const bool memory = memory_->sample(cycles_, seed_, violation_);
    if (model_->trace_valid && !load_) remember();
    idle_ = moving || memory || model_->waiting ? 0 : idle_ + 1;
    if (idle_ == RESTS_AFTER) conserved();
    high();
    if (load_) load_->drain(*net_tx_, cycles_, memory_->beats());
  }
  // The two halves of a cycle.
  void low() {
    model_->clk = 0;
    model_->eval();
#ifdef TRACED
    waves_.settled(cycles_);
    if (waves_.armed()) waves_.counted(cycles_, model_->rootp->JOIN(TOP, _DOT__registers_io_counted));
#endif
  }
  void high() {
    model_->clk = 1;
    model_->eval();
#ifdef TRACED
    waves_.passed(cycles_);
#endif
    cycles_++;
  }
  // Nothing is under way: a miss entry belongs to nobody, but for those that are pinned, and nobody waits for one.
  void conserved() {
#ifndef NETLIST
    const auto& root = *model_->rootp;
    const uint64_t entries = root.JOIN(TOP, _DOT__engine__DOT__translation_1__DOT__misses__DOT__valid);
    const uint64_t pinned = root.JOIN(TOP, _DOT__engine__DOT__translation_1__DOT__misses__DOT__pinned);
    if (entries != pinned) violation_.report(cycles_, "rest", "a miss entry is in use, and nobody waits for its page");
    if (root.JOIN(TOP, _DOT__engine__DOT__translation_1__DOT__lists_some)) violation_.report(cycles_, "rest", "a token has been left in a waiting list");
#endif
  }
  // What the wires behind the port carry.
  void pass(Load& load) {
    const MODEL& m = *model_;
    if (m.net_rx_tvalid && m.net_rx_tready) load.in().moved(cycles_, m.net_rx_tkeep, m.net_rx_tlast);
    if (m.net_tx_tvalid && m.net_tx_tready) load.out().moved(cycles_, m.net_tx_tkeep, m.net_tx_tlast);
  }
  // What passes a stage's end in this cycle.
  void stamp([[maybe_unused]] Stamps& stamps) {
#ifdef TAPPED
    const auto& root = *model_->rootp;
    const auto see = [&](bool now, Stamps::Tap tap) { now ? stamps.see(tap, cycles_) : void(); };
    see(root.JOIN(TOP, _DOT__observer_1__DOT__io_arriving_valid), Stamps::ARRIVING);
    see(root.JOIN(TOP, _DOT__ingress_1__DOT__io_frames_valid) && root.JOIN(TOP, _DOT__ingress_1__DOT__io_frames_ready), Stamps::FRAMED);
    see(root.JOIN(TOP, _DOT__observer_1__DOT__io_dispatched_valid), Stamps::DISPATCHED);
    see(root.JOIN(TOP, _DOT__observer_1__DOT__io_filtered_valid), Stamps::FILTERED);
    see(root.JOIN(TOP, _DOT__observer_1__DOT__io_translated_valid), Stamps::TRANSLATED);
    see(root.JOIN(TOP, _DOT__observer_1__DOT__io_accessed_valid), Stamps::ACCESSED);
    // The wire tells it a cycle late.
    if (root.JOIN(TOP, _DOT__observer_1__DOT__io_answered_valid)) stamps.see(Stamps::ANSWERED, cycles_ - 1);
#endif
  }
  void remember() {
    const MODEL& m = *model_;
    if (trace_.size() == TRACE_EVENTS) trace_.pop_front();
    trace_.push_back(MnemeTrace{m.trace_payload_srcIp, m.trace_payload_opId, m.trace_payload_tickFilter, m.trace_payload_tickResume, m.trace_payload_tick,
                                m.trace_payload_srcPort, m.trace_payload_attempt, m.trace_payload_opcode, m.trace_payload_status,
                                m.trace_payload_cause, m.trace_payload_resumed});
  }

  // Lets cycles pass until `done` holds in one, that one included; `after` runs behind each edge before the last.
  template <class Done>
  bool until(Done done) {
    return until(done, [] {});
  }
  template <class Done, class After>
  bool until(Done done, After after) {
    for (uint64_t i = 0; i < REGISTER_CYCLES && !violation_.broken(); i++) {
      settle();
      const bool now = done();
      edge();
      after();
      if (now) return true;
    }
    violation_.report(cycles_, "regs", "no answer");
    return false;
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<MODEL> model_;
  Seeded seed_;
  MnemeOptions options_;
  std::unique_ptr<AxiMemory<MODEL>> memory_;
  std::unique_ptr<FrameSource> net_rx_, slow_rx_;
  std::unique_ptr<FrameSink> net_tx_, slow_tx_;
  LatencyMeter latency_;
  Traffic traffic_;
  std::unique_ptr<Load> load_;
  Violation violation_;
  std::deque<MnemeTrace> trace_;
  uint64_t cycles_ = 0, idle_ = 0;
#ifdef TRACED
  Waves waves_;
#endif
};

// Length of the front frame, or −1. When `into` has room for it, it is moved there.
int64_t fetch(FrameSink& sink, uint8_t* into, uint64_t capacity, uint8_t* flag) {
  if (!sink.ready_to_fetch()) return -1;
  const Frame& frame = sink.front();
  const int64_t length = int64_t(frame.bytes.size());
  if (frame.bytes.size() > capacity) return length;
  memcpy(into, frame.bytes.data(), frame.bytes.size());
  *flag = frame.flag;
  sink.pop();
  return length;
}

}  // namespace

#define API(name) JOIN(PREFIX, name)

extern "C" {
#ifdef ABI
// Of a library that is loaded at run time: what sources it was made of (`../abi.rs`).
uint64_t API(abi)() { return ABI; }
#endif
Board* API(create)(const MnemeOptions* options) {
  try {
    auto board = std::make_unique<Board>(*options);
    return board->start() ? board.release() : nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void API(destroy)(Board* board) { delete board; }
void API(run)(Board* board, uint64_t cycles, uint64_t idle_limit) { board->run(cycles, idle_limit); }
void API(reset_core)(Board* board, uint64_t cycles, uint8_t unguarded) { board->reset_core(cycles, unguarded); }
void API(begin_load)(Board* board, const MnemeLoad* plan) { board->begin_load(*plan); }
uint8_t API(run_load)(Board* board, uint64_t cycles) { return board->run_load(cycles); }
void API(end_load)(Board* board, MnemeLoadResult* result) { board->end_load(result); }
uint8_t API(load)(Board* board, const MnemeLoad* plan, MnemeLoadResult* result) {
  board->begin_load(*plan);
  const bool finished = board->run_load(plan->cycle_limit);
  board->end_load(result);
  return finished;
}
void API(state)(const Board* board, MnemeState* state) { *state = board->state(); }
const char* API(violation)(const Board* board) { return board->violation().broken() ? board->violation().text() : nullptr; }
uint8_t API(read_register)(Board* board, uint32_t address, uint32_t* value) { return board->read_register(address, value); }
uint8_t API(write_register)(Board* board, uint32_t address, uint32_t value, uint8_t wakes) {
  if (wakes) board->wake();
  return board->write_register(address, value);
}
uint8_t API(read_word)(Board* board, uint32_t address, uint32_t late, uint32_t* value) { return board->read_register(address, value, late); }
uint8_t API(write_bytes)(Board* board, uint32_t address, uint32_t value, uint8_t strobes, const uint32_t* late) {
  board->wake();
  return board->write_register(address, value, strobes, {late[0], late[1], late[2]});
}
uint8_t API(ingress)(Board* board, const uint8_t* bytes, uint64_t length, uint8_t fcs_error) {
  return board->net_rx().offer(bytes, length, fcs_error);
}
int64_t API(egress)(Board* board, uint8_t* into, uint64_t capacity, uint8_t* bad_fcs) { return fetch(board->net_tx(), into, capacity, bad_fcs); }
uint8_t API(slow_send)(Board* board, const uint8_t* bytes, uint64_t length) { return board->slow_rx().offer(bytes, length, false); }
int64_t API(slow_receive)(Board* board, uint8_t* into, uint64_t capacity, uint8_t* flag) { return fetch(board->slow_tx(), into, capacity, flag); }
uint8_t* API(memory)(Board* board, uint64_t* size) {
  *size = board->memory().size();
  return board->memory().bytes();
}
void API(memory_fail)(Board* board, uint64_t from, uint64_t to) { board->memory().fail(from, to); }
void API(memory_fail_lines)(Board* board, uint64_t period, uint64_t from, uint64_t to, uint32_t how) {
  board->memory().fail_lines(period, from, to, how);
}
void API(memory_lose)(Board* board, uint32_t master, uint8_t write, uint64_t count) { board->memory().lose(master, write, count); }
void API(memory_fail_table)(Board* board, uint32_t chance, uint32_t most) { board->memory().fail_table(chance, most); }
uint8_t API(trace)(Board* board, MnemeTrace* event) {
  if (board->trace().empty()) return 0;
  *event = board->trace().front();
  board->trace().pop_front();
  return 1;
}
uint8_t API(traffic)(Board* board, const MnemeTraffic* command) {
#ifdef TRAFFIC
  return board->traffic().offer(*command);
#else
  (void)board, (void)command;
  return 0;
#endif
}
uint8_t API(traffic_result)(Board* board, MnemeTrafficResult* result) { return board->traffic().result(result); }
uint8_t API(order)(Board* board, uint8_t* door) { return board->traffic().order(door); }
uint8_t API(waves)(Board* board, const MnemeWaves* plan) { return board->waves(*plan); }
void API(end_waves)(Board* board) { board->end_waves(); }
void API(waves_state)(const Board* board, MnemeWavesState* state) { *state = board->waves_state(); }
uint8_t API(latency)(Board* board, MnemeLatency* measured) { return board->latency().take(measured); }
}
