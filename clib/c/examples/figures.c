/* A client with settings of its own, what it and the board have counted, and memory that is handed over.
 *
 *   cc figures.c $(pkg-config --cflags --libs mneme) -o figures && ./figures 127.0.0.1:19790
 *
 * A driver (udp, auto, pnet, tpacket, afxdp) and an interface may follow.
 */
#include "example.h"

#include <inttypes.h>
#include <mneme.h>
#include <stdio.h>
#include <string.h>

/* What a program looks for among the figures. */
struct search {
  const char *name;
  uint64_t value;
  int found, all;
};

static void look(void *context, const char *name, uint64_t value) {
  struct search *search = context;
  search->all++;
  if (strcmp(name, search->name) == 0) {
    search->found++;
    search->value = value;
  }
}

/* A client's figure by name; UINT64_MAX when there is none. */
static uint64_t figure(const mneme_client *client, const char *name) {
  struct search search = {.name = name};
  bool told = mneme_statistics(client, look, &search) == MNEME_OK && search.found == 1;
  return told ? search.value : UINT64_MAX;
}

static uint64_t counter(const mneme_client *client, const char *name) {
  struct search search = {.name = name};
  bool told = mneme_board_counters(client, look, &search) == MNEME_OK && search.found == 1;
  return told && search.all > 50 ? search.value : UINT64_MAX;
}

/* A register of the board's build by name; UINT64_MAX when the board does not tell. */
static uint64_t built(const mneme_client *client, const char *name) {
  struct search search = {.name = name};
  bool told = mneme_board_build(client, look, &search) == MNEME_OK && search.found == 1;
  return told ? search.value : UINT64_MAX;
}

/* Settings that cannot be are refused before anything is sent, with what can. */
static int check_settings(const char *address) {
  mneme_transport usual, wrong;
  TRY(mneme_transport_defaults(&usual, sizeof usual));
  HOLDS(usual.size == sizeof usual && usual.packets_in_flight > 0 && usual.max_timeout_ns >= usual.first_timeout_ns);
  HOLDS(mneme_transport_defaults(NULL, sizeof usual) == MNEME_INVALID);
  HOLDS(mneme_transport_defaults(&wrong, 1) == MNEME_INVALID);
  mneme_options options = {.size = sizeof options, .transport = &wrong};
  mneme_client *client;
  for (int which = 0; which < 9; which++) {
    wrong = usual;
    options.largest_payload = 0;
    if (which == 0) wrong.packets_in_flight = 0;
    if (which == 1) wrong.packets_in_flight = 65537;
    if (which == 2) wrong.incast_bytes = 0;
    if (which == 3) wrong.target_rtt_ns = 0;
    if (which == 4) wrong.min_timeout_ns = 0;
    if (which == 5) wrong.max_timeout_ns = wrong.min_timeout_ns - 1;
    if (which == 6) wrong.first_timeout_ns = wrong.max_timeout_ns + 1;
    if (which == 7) wrong.size = 1;
    if (which == 8) options.largest_payload = 63;
    HOLDS(mneme_connect(address, &options, &client) == MNEME_INVALID && strlen(mneme_last_error()) > 20);
    HOLDS(mneme_last_effect() == MNEME_EFFECT_NONE);
  }
  wrong = usual;
  wrong.max_busy_wait_ns = 0;
  options.largest_payload = 0;
  HOLDS(mneme_connect(address, &options, &client) == MNEME_INVALID);
  return 0;
}

static int check_figures(const mneme_client *client, mneme_process *process, uint64_t va) {
  uint8_t bytes[5000] = {1};
  uint64_t ns, longest, count, answered = counter(client, "STATUS_OK");
  TRY(mneme_rwrite(process, va, bytes, sizeof bytes));
  for (int i = 0; i < 10; i++) TRY(mneme_rread(process, va, bytes, 16));
  HOLDS(figure(client, "bytes_written") == sizeof bytes && figure(client, "bytes_read") == 160);
  HOLDS(figure(client, "operations_read") == 10 && figure(client, "operations_write") >= 4);
  HOLDS(figure(client, "sent") >= 15 && figure(client, "failures_read") == UINT64_MAX);
  HOLDS(mneme_rread(process, va + (1ull << 40), bytes, 1) == MNEME_UNMAPPED);
  HOLDS(figure(client, "failures_read") == 1);
  HOLDS(counter(client, "STATUS_OK") - answered >= 14);

  TRY(mneme_latency(client, "read", 0.5, &ns, &count));
  TRY(mneme_latency(client, "READ", 1.0, &longest, NULL));
  HOLDS(count == 10 && ns > 0 && longest >= ns);
  TRY(mneme_latency(client, NULL, 0.99, &ns, &count));
  HOLDS(count > 14);
  TRY(mneme_latency(client, "swap", 0.5, &ns, &count));
  HOLDS(count == 0 && ns == 0);
  printf("the slowest of 10 reads took %" PRIu64 " us\n", longest / 1000);

  HOLDS(mneme_latency(client, "reed", 0.5, &ns, &count) == MNEME_INVALID);
  HOLDS(mneme_latency(client, "read", 1.1, &ns, &count) == MNEME_INVALID);
  HOLDS(mneme_statistics(client, NULL, NULL) == MNEME_INVALID && mneme_board_counters(client, NULL, NULL) == MNEME_INVALID);
  HOLDS(built(client, "PAGE_BITS") >= 12 && built(client, "MEM_BITS") > built(client, "PAGE_BITS"));
  HOLDS(built(client, "MAX_PAYLOAD") >= 64 && built(client, "EPOCH") == UINT64_MAX);
  printf("the board was built from git %08" PRIx64 " at %" PRIu64 "\n", built(client, "BUILD_HASH"), built(client, "BUILD_DATE"));
  HOLDS(mneme_board_build(client, NULL, NULL) == MNEME_INVALID && mneme_board_build(NULL, look, NULL) == MNEME_INVALID);
  HOLDS(mneme_statistics(NULL, look, NULL) == MNEME_INVALID && mneme_board_counters(NULL, look, NULL) == MNEME_INVALID);
  return 0;
}

/* A process that is looked for among those of this address. */
struct sought {
  uint32_t pid;
  int found;
  mneme_process_info info;
};

static void meet(void *context, const mneme_process_info *info) {
  struct sought *sought = context;
  if (info->pid != sought->pid) return;
  sought->found++;
  sought->info = *info;
}

/* Processes of one's own are seen, and ended without their handles. */
static int check_processes(mneme_client *client) {
  mneme_process *process;
  uint64_t va;
  bool ended;
  mneme_alloc_options own = {.size = sizeof own, .own_pages = true};
  TRY(mneme_open(client, 0, 77000000000, &process));
  TRY(mneme_ralloc(process, 10000, &own, &va));
  struct sought sought = {.pid = mneme_pid(process)};
  TRY(mneme_processes(client, meet, &sought));
  HOLDS(sought.found == 1 && sought.info.lease_ns == 77000000000 && sought.info.silent_ns < 77000000000);
  HOLDS(sought.info.ranges == 1 && sought.info.bytes >= 10000 && sought.info.writable_bytes == sought.info.bytes);
  HOLDS(!sought.info.ending && !sought.info.broken);
  TRY(mneme_reap(client, sought.pid, &ended));
  HOLDS(ended);
  TRY(mneme_processes(client, meet, &sought));
  HOLDS(sought.found == 1);
  TRY(mneme_reap(client, sought.pid, &ended));
  HOLDS(!ended && mneme_reap(client, sought.pid, NULL) == MNEME_OK);
  HOLDS(mneme_reap(client, 0, NULL) == MNEME_BAD_PID && mneme_reap(client, 1u << 24, NULL) == MNEME_BAD_PID);
  HOLDS(mneme_reap(NULL, 1, NULL) == MNEME_INVALID && mneme_processes(NULL, meet, &sought) == MNEME_INVALID);
  HOLDS(mneme_processes(client, NULL, NULL) == MNEME_INVALID);
  uint8_t byte;
  HOLDS(mneme_rread(process, va, &byte, 1) == MNEME_UNMAPPED);
  mneme_close(process);
  return 0;
}

/* Memory that was handed over and has come back. */
struct lent {
  int releases;
  void *memory;
  size_t size;
};

static void take_back(void *context, void *memory, size_t size) {
  struct lent *lent = context;
  lent->releases++;
  lent->memory = memory;
  lent->size = size;
}

/* Memory handed over: its bytes are not copied on the way, and it comes back once. */
static int check_owned(mneme_process *process, uint64_t va) {
  static uint8_t out[6000], in[6000], byte;
  struct lent written = {0}, read = {0}, refused = {0};
  mneme_pending *pending;
  for (size_t i = 0; i < sizeof out; i++) out[i] = (uint8_t)(i * 13 + 1);
  TRY(mneme_rwrite_owned_async(process, va, out, sizeof out, take_back, &written, &pending));
  TRY(mneme_wait(pending, NULL));
  HOLDS(written.releases == 1 && written.memory == out && written.size == sizeof out);
  TRY(mneme_rread_owned_async(process, va, in, sizeof in, take_back, &read, &pending));
  for (bool done = false; !done;) TRY(mneme_rpoll(pending, &done, NULL));
  HOLDS(read.releases == 1 && read.memory == in && memcmp(in, out, sizeof in) == 0);

  /* Nobody waits: it comes back all the same, when the call has ended. */
  TRY(mneme_rwrite_owned_async(process, va + 6000, out, 100, take_back, &written, &pending));
  mneme_detach(pending);
  TRY(mneme_rrelease(process));
  HOLDS(written.releases == 2 && written.size == 100);
  TRY(mneme_rread(process, va + 6099, &byte, 1));
  HOLDS(byte == out[99]);

  /* What fails gives it back, too; what is never begun has not taken it. */
  TRY(mneme_rread_owned_async(process, va + (1ull << 40), in, 8, take_back, &refused, &pending));
  HOLDS(mneme_wait(pending, NULL) == MNEME_UNMAPPED && refused.releases == 1);
  TRY(mneme_rwrite_owned_async(process, va, out, 0, take_back, &refused, &pending));
  HOLDS(mneme_wait(pending, NULL) == MNEME_ZERO_SIZE && refused.releases == 2);
  HOLDS(mneme_rread_owned_async(process, va, NULL, 8, take_back, &refused, &pending) == MNEME_INVALID);
  HOLDS(mneme_rread_owned_async(process, va, in, (size_t)-1, take_back, &refused, &pending) == MNEME_INVALID);
  HOLDS(mneme_rwrite_owned_async(process, va, out, 8, NULL, &refused, &pending) == MNEME_INVALID);
  HOLDS(mneme_rwrite_owned_async(NULL, va, out, 8, take_back, &refused, &pending) == MNEME_INVALID);
  HOLDS(refused.releases == 2);
  return 0;
}

int main(int count, char **arguments) {
  const char *address;
  mneme_options options = {.size = sizeof options, .give_up_ns = 20000000000, .largest_payload = 1024};
  if (!arguments_are(count, arguments, &address, &options)) return 2;
  /* Two packets in flight, patience for a slow board, and packets of 1 KB. */
  mneme_transport transport;
  TRY(mneme_transport_defaults(&transport, sizeof transport));
  transport.packets_in_flight = 2;
  transport.min_timeout_ns = 20000000;
  options.transport = &transport;
  mneme_client *client;
  mneme_process *process;
  uint64_t va;
  if (check_settings(address) != 0) return 1;
  TRY(mneme_connect(address, &options, &client));
  TRY(mneme_open(client, 0, MNEME_DEFAULT_LEASE, &process));
  mneme_alloc_options own = {.size = sizeof own, .own_pages = true};
  TRY(mneme_ralloc(process, 10000, &own, &va));
  if (check_figures(client, process, va) != 0 || check_owned(process, va) != 0 || check_processes(client) != 0) return 1;
  TRY(mneme_exit(process));
  mneme_disconnect(client);
  printf("settings, statistics, counters, processes and memory handed over: all checks passed\n");
  return 0;
}
