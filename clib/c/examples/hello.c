/* Stores words in remote memory and reads them back, synchronously and asynchronously.
 *
 *   cc hello.c $(pkg-config --cflags --libs mneme) -o hello && ./hello 127.0.0.1:19790
 *
 * A driver (udp, auto, pnet, tpacket, afxdp) and an interface may follow.
 */
#include "example.h"

#include <inttypes.h>
#include <mneme.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 64, SIZE = 4096 };

static int check_lock(mneme_process *process, uint64_t word) {
  mneme_lock *lock;
  TRY(mneme_rlock(process, word, 1000000000, &lock));
  mneme_lock *second;
  if (mneme_rlock(process, word, 1000000, &second) != MNEME_LOCK_TIMEOUT) {
    fprintf(stderr, "a held lock was given out\n");
    return 1;
  }
  TRY(mneme_runlock(process, lock));
  TRY(mneme_rlock(process, word, 1000000000, &lock));
  TRY(mneme_runlock(process, lock));
  return 0;
}

/* Many calls in flight; the results are taken in any order. */
static int check_async(const mneme_client *client, mneme_process *process, uint64_t va) {
  mneme_pending *adds[WORDS];
  /* Many calls at once leave together. */
  TRY(mneme_cork(client));
  for (int i = 0; i < WORDS; i++) TRY(mneme_fetch_add_async(process, va + 8 * (uint64_t)(i % 8), 1, &adds[i]));
  TRY(mneme_uncork(client));
  for (int i = WORDS; i-- > 0;) {
    uint64_t old = 99;
    TRY(mneme_wait(adds[i], &old));
    if (old != (uint64_t)(i / 8)) {
      fprintf(stderr, "word %d held %" PRIu64 " before increment %d\n", i % 8, old, i / 8);
      return 1;
    }
  }
  char text[] = "nobody waits for this", back[sizeof text];
  mneme_pending *pending;
  TRY(mneme_rwrite_async(process, va + 512, text, sizeof text, &pending));
  mneme_detach(pending);
  memset(text, 'x', sizeof text);
  TRY(mneme_rrelease(process));
  TRY(mneme_rread_async(process, va + 512, back, sizeof back, &pending));
  for (bool done = false; !done;) TRY(mneme_rpoll(pending, &done, NULL));
  if (strcmp(back, "nobody waits for this") != 0) {
    fprintf(stderr, "read back \"%s\"\n", back);
    return 1;
  }
  return 0;
}

/* Several buffers and one range; several ranges in one call. */
static int check_vectored(mneme_process *process, uint64_t va) {
  uint8_t first[3] = {1, 2, 3}, second[2000], back[2003], head[100], tail[50];
  memset(second, 4, sizeof second);
  mneme_write_part parts[] = {{.from = first, .size = sizeof first}, {.from = second, .size = sizeof second}};
  TRY(mneme_rwritev(process, va, parts, 2));
  mneme_read_part ranges[] = {{va + 1, head, sizeof head}, {va + 1900, tail, sizeof tail}};
  mneme_pending *pending;
  TRY(mneme_rread_batch_async(process, ranges, 2, &pending));
  TRY(mneme_rreadv(process, va, &(mneme_read_part){0, back, sizeof back}, 1));
  TRY(mneme_wait(pending, NULL));
  if (memcmp(back, first, sizeof first) != 0 || memcmp(back + 3, second, sizeof second) != 0 ||
      memcmp(head, back + 1, sizeof head) != 0 || memcmp(tail, back + 1900, sizeof tail) != 0) {
    fprintf(stderr, "vectored access differs\n");
    return 1;
  }
  mneme_read_part same[] = {{va, back, 10}, {va + 10, back + 5, 10}};
  if (mneme_rread_batch(process, same, 2) != MNEME_INVALID) {
    fprintf(stderr, "buffers that overlap were filled\n");
    return 1;
  }
  return 0;
}

/* An event loop: poll tells when calls have ended, and their tags tell which. */
static int check_queue(const mneme_client *client, mneme_process *process, uint64_t va) {
  enum { CALLS = 8 };
  mneme_queue *queue;
  TRY(mneme_queue_create(client, &queue));
  struct pollfd event = {.events = POLLIN};
  TRY(mneme_queue_descriptor(queue, &event.fd));
  mneme_pending *calls[CALLS];
  for (uint64_t tag = 0; tag < CALLS; tag++) {
    TRY(mneme_rwrite_async(process, va + 16 * tag, (uint8_t[8]){(uint8_t)tag, 1}, 8, &calls[tag]));
    TRY(mneme_notify(calls[tag], queue, tag));
  }
  bool ended[CALLS] = {false}, found, done;
  uint64_t tag;
  for (int left = CALLS; left > 0;) {
    HOLDS(poll(&event, 1, 60000) == 1);
    TRY(mneme_queue_next(queue, &found, &tag));
    if (!found) continue;
    HOLDS(tag < CALLS && !ended[tag]);
    ended[tag] = true;
    left--;
    TRY(mneme_rpoll(calls[tag], &done, NULL));
    HOLDS(done);
  }
  TRY(mneme_queue_wait(queue, 1000000, &found, &tag));
  HOLDS(!found);
  HOLDS(mneme_queue_next(queue, NULL, &tag) == MNEME_INVALID && mneme_notify(NULL, queue, 1) == MNEME_INVALID);
  mneme_queue_close(queue);
  mneme_queue_close(NULL);
  return 0;
}

/* Counters begin with zero. */
static int check_zeroed(mneme_process *process) {
  uint64_t counter, before = 7;
  TRY(mneme_ralloc_zeroed(process, 8, &counter));
  TRY(mneme_fetch_add(process, counter, 1, &before));
  HOLDS(before == 0);
  TRY(mneme_rfree(process, counter));
  return 0;
}

/* Options that cannot be are refused before anything is sent. */
static int check_options(const char *address) {
  mneme_client *client;
  mneme_options wrong[] = {
      {.size = sizeof wrong[0], .driver = 99},
      {.size = sizeof wrong[0], .driver = MNEME_DRIVER_TPACKET, .source = "10.0.0"},
      {.size = 0},
      {.size = sizeof wrong[0] - 1},
      {.size = sizeof wrong[0]},
      {.size = sizeof wrong[0]},
  };
  /* What a program that forgets to clear its memory has there. */
  memset(&wrong[4].spin, 0x5a, sizeof wrong[4].spin);
  memset(&wrong[5].background, 0x5a, sizeof wrong[5].background);
  for (size_t which = 0; which < sizeof wrong / sizeof wrong[0]; which++) {
    if (mneme_connect(address, &wrong[which], &client) != MNEME_INVALID || strlen(mneme_last_error()) < 20 ||
        mneme_last_effect() != MNEME_EFFECT_NONE) {
      fprintf(stderr, "wrong options %zu were answered otherwise: %s\n", which, mneme_last_error());
      return 1;
    }
  }
  mneme_options nowhere = {.size = sizeof nowhere, .driver = MNEME_DRIVER_PNET, .interface = "no-such-0"};
  if (mneme_connect(address, &nowhere, &client) != MNEME_NO_INTERFACE ||
      mneme_connect("nowhere", NULL, &client) != MNEME_BAD_ADDRESS) {
    fprintf(stderr, "a wrong way was answered otherwise: %s\n", mneme_last_error());
    return 1;
  }
  return 0;
}

/* How the board is reached: the driver that was asked for, or the one that MNEME_DRIVER_AUTO has found. */
static int check_way(const mneme_client *client, const char *driver) {
  char whole[4096], start[8];
  size_t length = mneme_describe(client, whole, sizeof whole);
  if (length != strlen(whole) || mneme_describe(client, start, sizeof start) != length ||
      strncmp(start, whole, sizeof start - 1) != 0 || strlen(start) != sizeof start - 1 ||
      mneme_describe(client, NULL, 0) != length || mneme_describe(NULL, start, sizeof start) != 0) {
    fprintf(stderr, "the description of %zu bytes is \"%s\" and begins \"%s\"\n", length, whole, start);
    return 1;
  }
  if (strcmp(driver, "auto") != 0 && strncmp(whole, driver, strlen(driver)) != 0) {
    fprintf(stderr, "%s was asked for, and this is %s\n", driver, whole);
    return 1;
  }
  printf("%s\n", whole);
  return 0;
}

/* How long calls were on the board, by the board's own word. */
static int check_timing(const mneme_client *client, mneme_process *process, uint64_t va) {
  mneme_board_times times;
  TRY(mneme_start_timing(client));
  TRY(mneme_rwrite(process, va, (uint8_t[16]){7}, 16));
  TRY(mneme_fetch_add(process, va, 1, NULL));
  TRY(mneme_stop_timing(client, &times));
  if (times.packets != 2 || times.shortest == 0 || times.longest < times.shortest ||
      times.cycles != (uint64_t)times.shortest + times.longest) {
    fprintf(stderr, "%" PRIu64 " packets took %" PRIu64 " cycles, %" PRIu32 " to %" PRIu32 " each\n", times.packets,
            times.cycles, times.shortest, times.longest);
    return 1;
  }
  printf("a write and a fetch-and-add were %" PRIu64 " cycles on the board\n", times.cycles);
  TRY(mneme_rwrite(process, va, (uint8_t[16]){0}, 16));
  TRY(mneme_stop_timing(client, &times));
  if (times.packets != 0) {
    fprintf(stderr, "a packet told its time, and was not asked\n");
    return 1;
  }
  return 0;
}

int main(int count, char **arguments) {
  const char *address;
  mneme_options options = {.size = sizeof options};
  if (!arguments_are(count, arguments, &address, &options)) return 2;
  const char *name = count > 2 ? arguments[2] : "udp";
  mneme_client *client;
  mneme_process *process;
  mneme_board board;
  uint64_t va, old;
  /* The library that was found is of the header's interface. */
  HOLDS(mneme_version() / 1000 == MNEME_VERSION / 1000);
  if (check_options(address) != 0) return 1;
  TRY(mneme_connect(address, &options, &client));
  if (check_way(client, name) != 0) return 1;
  TRY(mneme_ping(client, &board, NULL));
  TRY(mneme_open(client, 0, MNEME_DEFAULT_LEASE, &process));
  mneme_alloc_options own = {.size = sizeof own, .own_pages = true};
  TRY(mneme_ralloc(process, SIZE, &own, &va));

  uint8_t data[SIZE], back[SIZE];
  for (size_t i = 0; i < SIZE; i++) data[i] = (uint8_t)(i * 7);
  TRY(mneme_rwrite(process, va, data, SIZE));
  TRY(mneme_rread(process, va, back, SIZE));
  if (memcmp(data, back, SIZE) != 0) {
    fprintf(stderr, "memory differs\n");
    return 1;
  }
  if (check_vectored(process, va) != 0) return 1;
  TRY(mneme_rwrite(process, va, (uint8_t[64]){0}, 64));
  if (check_async(client, process, va) != 0) return 1;
  if (check_zeroed(process) != 0) return 1;
  TRY(mneme_compare_swap(process, va, 8, 0, &old));
  if (old != 8) {
    fprintf(stderr, "8 increments made %" PRIu64 "\n", old);
    return 1;
  }
  if (check_lock(process, va) != 0) return 1;
  if (check_timing(client, process, va) != 0) return 1;
  if (check_queue(client, process, va + 1024) != 0) return 1;

  /* Errors: a code, a text, and whether memory can have changed. */
  if (mneme_rread(process, va + (1ull << 40), back, 1) != MNEME_UNMAPPED || mneme_last_effect() != MNEME_EFFECT_NONE ||
      mneme_rwrite(NULL, va, data, 1) != MNEME_INVALID || mneme_fetch_add(process, va + 1, 1, NULL) != MNEME_UNALIGNED ||
      mneme_rfree(process, va + board.page_size) != MNEME_NOT_ALLOCATED) {
    fprintf(stderr, "a wrong call was answered otherwise: %s\n", mneme_last_error());
    return 1;
  }
  for (int code = MNEME_OK; code <= MNEME_UNKNOWN_BOARD; code++) {
    if (strcmp(mneme_strerror(code), mneme_strerror(-1)) == 0) {
      fprintf(stderr, "code %d has no name\n", code);
      return 1;
    }
  }
  TRY(mneme_rfree(process, va));
  TRY(mneme_exit(process));
  mneme_disconnect(client);
  printf("%" PRIu64 " bytes of remote memory, pages of %" PRIu64 ": all checks passed\n", board.memory, board.page_size);
  return 0;
}
