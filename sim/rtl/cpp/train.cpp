// Runs a board under the loads that users put on it, for the compiler to count which branches are taken (build.rs). It says nothing about
// the board: answers are counted only to see that the load was one.
#include <cstdio>
#include <cstring>
#include <vector>

#include "api.h"
#include "mneme_wire.h"

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define API(name) JOIN(PREFIX, name)

struct Board;
extern "C" {
Board* API(create)(const MnemeOptions*);
void API(destroy)(Board*);
void API(run)(Board*, uint64_t, uint64_t);
uint8_t API(load)(Board*, const MnemeLoad*, MnemeLoadResult*);
uint8_t API(read_register)(Board*, uint32_t, uint32_t*);
uint8_t API(write_register)(Board*, uint32_t, uint32_t, uint8_t);
}

namespace {

constexpr uint32_t PAGES = 24, PID = 1, IPV4 = 0x0800, UDP = 17, WINDOW = 1 << 10;
constexpr size_t HEADERS = 64, ETHERNET = 14, IP = 20, MNEME = 42;
const uint8_t MAC[6] = {2, 0, 0, 0, 0, 9};
const uint8_t ADDRESS[4] = {10, 0, 0, 9};

void set(Board* board, uint32_t address, uint32_t value) { API(write_register)(board, address, value, 1); }
uint32_t get(Board* board, uint32_t address) {
  uint32_t value = 0;
  API(read_register)(board, address, &value);
  return value;
}

// Allocates page `vpn` by a replace command.
void allocate(Board* board, uint32_t vpn) {
  set(board, MNEME_REG_REPLACE_PID, PID);
  set(board, MNEME_REG_REPLACE_VPN, vpn);
  set(board, MNEME_REG_REPLACE_WRITE_LOW, ~0u);
  set(board, MNEME_REG_REPLACE_WRITE_HIGH, ~0u);
  set(board, MNEME_REG_REPLACE_NEW_HIGH, 7u << (MNEME_PTE_WRITE_BIT - 32));  // write, read, allocated
  set(board, MNEME_REG_REPLACE_GO, 1);
  for (int i = 0; i < 1000 && get(board, MNEME_REG_REPLACE_STATUS) == MNEME_REPLACE_RUNNING; i++) API(run)(board, 10, ~0ull);
}

void boot(Board* board) {
  API(run)(board, 1 << 13, ~0ull);
  const uint32_t free_page = 1u << (get(board, MNEME_REG_MEM_BITS) - get(board, MNEME_REG_PAGE_BITS) - 1);
  for (uint32_t page = 0; page < PAGES; page++) {
    while (get(board, MNEME_REG_ZERO_SPACE) == 0) API(run)(board, 1000, ~0ull);
    set(board, MNEME_REG_ZERO_PUSH, free_page + page);
  }
  set(board, MNEME_REG_EPOCH, 1);
  set(board, MNEME_REG_WINDOW, WINDOW);
  set(board, MNEME_REG_MAC_HIGH, MAC[0] << 8 | MAC[1]);
  set(board, MNEME_REG_MAC_LOW, uint32_t(MAC[2]) << 24 | MAC[3] << 16 | MAC[4] << 8 | MAC[5]);
  set(board, MNEME_REG_IP, uint32_t(ADDRESS[0]) << 24 | ADDRESS[1] << 16 | ADDRESS[2] << 8 | ADDRESS[3]);
  set(board, MNEME_REG_UDP_PORT, MNEME_DEFAULT_UDP_PORT);
  set(board, MNEME_REG_MAT_VALUE0, IPV4 << 16 | UDP << 8);
  set(board, MNEME_REG_MAT_MASK0, 0xffffff00u);
  set(board, MNEME_REG_MAT_COMMIT, 1 << 16 | MNEME_MAT_ACTION_FAST << 8);
  set(board, MNEME_REG_CONTROL, 1);
  for (uint32_t page = 0; page < PAGES; page++) allocate(board, page);
}

void put16(uint8_t* at, size_t value) { at[0] = uint8_t(value >> 8), at[1] = uint8_t(value); }

// A request; the generator puts in what differs from one to the next.
std::vector<uint8_t> frame(uint8_t opcode, size_t payload, size_t length) {
  std::vector<uint8_t> f(HEADERS + payload, 0x5a);
  memset(f.data(), 0, HEADERS);
  memcpy(&f[0], MAC, 6);
  f[6] = 2;
  put16(&f[12], IPV4);
  uint8_t* ip = &f[ETHERNET];
  ip[0] = 0x45, ip[8] = 64, ip[9] = UDP;
  put16(ip + 2, f.size() - ETHERNET);
  ip[12] = 10, ip[15] = 1;
  memcpy(ip + 16, ADDRESS, 4);
  uint32_t sum = 0;
  for (size_t i = 0; i < IP; i += 2) sum += uint32_t(ip[i]) << 8 | ip[i + 1];
  sum = (sum & 0xffff) + (sum >> 16);
  put16(ip + 10, ~(sum + (sum >> 16)) & 0xffff);
  uint8_t* udp = ip + IP;
  put16(udp + 2, MNEME_DEFAULT_UDP_PORT);
  put16(udp + 4, f.size() - ETHERNET - IP);
  uint8_t* mneme = &f[MNEME];
  mneme[MNEME_FIELD_FLAGS] = MNEME_WIRE_VERSION << 4;
  mneme[MNEME_FIELD_OPCODE] = opcode;
  mneme[MNEME_FIELD_EPOCH] = 1;
  put16(mneme + MNEME_FIELD_LENGTH, length);
  return f;
}

uint64_t carry(Board* board, const std::vector<uint8_t>& f, uint64_t window, uint64_t requests, uint64_t first_id) {
  const uint64_t page_size = 1ull << get(board, MNEME_REG_PAGE_BITS);
  std::vector<MnemePage> pages;
  for (uint64_t page = 0; page < PAGES; page++) pages.push_back(MnemePage{page * page_size, PID});
  const MnemeKind kind{f.data(), f.size(), 1, 0, 4096, 16};
  MnemeLoad plan{};
  plan.seed = first_id, plan.requests = requests, plan.cycle_limit = 1000 * requests, plan.window = window, plan.sources = 4;
  plan.first_id = first_id, plan.kind = &kind, plan.kinds = 1, plan.page = pages.data(), plan.pages = PAGES;
  plan.hot_pages = 8, plan.hot_share = 60000, plan.tick = get(board, MNEME_REG_TICK), plan.first_port = 40000;
  MnemeLoadResult result{};
  API(load)(board, &plan, &result);
  return result.ok;
}

}  // namespace

int main() {
  MnemeOptions options{};
  options.latency = 25;
  Board* board = API(create)(&options);
  if (!board) return 1;
  boot(board);
  uint64_t ok = 0, id = 1;
  struct Step {
    std::vector<uint8_t> frame;
    uint64_t window, requests;
  };
  const Step steps[] = {{frame(MNEME_OP_WRITE, 1024, 1024), 4, 400},    {frame(MNEME_OP_READ, 0, 1024), 8, 400},
                        {frame(MNEME_OP_READ, 0, 16), 24, 8000},        {frame(MNEME_OP_WRITE, 16, 16), 8, 400},
                        {frame(MNEME_OP_FETCH_ADD, 8, 8), 4, 100},      {frame(MNEME_OP_READ, 0, 16), 1, 300}};
  for (const Step& step : steps) {
    ok += carry(board, step.frame, step.window, step.requests, id);
    id += step.requests;
  }
  API(run)(board, 30000, ~0ull);
  API(destroy)(board);
  printf("%llu answers\n", (unsigned long long)ok);
  return ok > 4000 ? 0 : 1;
}
