/* One address space on two boards, each board by itself, calls with deadlines, calls that are cancelled, and calls that go
 * on by themselves.
 *
 *   cc boards.c $(pkg-config --cflags --libs mneme) -o boards && ./boards 127.0.0.1:19790 127.0.0.1:19791
 */
#include "example.h"

#include <inttypes.h>
#include <mneme.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* Memory on each board, used together; another client joins on both. */
static int share(mneme_client *client, mneme_process *process, const char *first, const char *second) {
  mneme_alloc_options here = {.size = sizeof here, .on_board = true, .board = 0};
  mneme_alloc_options there = {.size = sizeof there, .on_board = true, .board = 1};
  uint64_t one, two;
  uint32_t number;
  TRY(mneme_ralloc(process, 8, &here, &one));
  TRY(mneme_ralloc(process, 100000, &there, &two));
  TRY(mneme_board_of(process, one, &number));
  HOLDS(number == 0);
  TRY(mneme_board_of(process, two, &number));
  HOLDS(number == 1);
  TRY(mneme_rwrite(process, one, "here", 4));
  TRY(mneme_rwrite(process, two, "there", 5));

  mneme_membership all[2];
  size_t count;
  TRY(mneme_memberships(process, NULL, 0, &count));
  HOLDS(count == 2 && mneme_memberships(process, all, 1, &count) == MNEME_INVALID);
  TRY(mneme_memberships(process, all, 2, &count));
  mneme_client *other;
  mneme_process *joined;
  char back[5];
  TRY(mneme_connect(second, NULL, &other));
  HOLDS(mneme_join_all(other, all, 2, &joined) == MNEME_UNKNOWN_BOARD);
  TRY(mneme_add_board(other, first, NULL, NULL));
  HOLDS(mneme_boards(other) == 2 && mneme_boards(NULL) == 0);
  TRY(mneme_join_all(other, all, 2, &joined));
  TRY(mneme_rread(joined, one, back, 4));
  HOLDS(memcmp(back, "here", 4) == 0);
  TRY(mneme_rread(joined, two, back, 5));
  HOLDS(memcmp(back, "there", 5) == 0);
  mneme_close(joined);
  mneme_disconnect(other);

  here.board = 7;
  HOLDS(mneme_ralloc(process, 8, &here, &one) == MNEME_NO_SUCH_LANE);
  HOLDS(mneme_add_board(client, first, NULL, NULL) == MNEME_SAME_BOARD);
  HOLDS(mneme_add_board(client, NULL, NULL, NULL) == MNEME_INVALID && mneme_add_board(NULL, first, NULL, NULL) == MNEME_INVALID);
  TRY(mneme_rfence(process));
  return 0;
}

/* Calls that end before their time. */
static int hurry(mneme_client *client, mneme_process *process) {
  mneme_client *soon, *never;
  mneme_process *hurried, *late;
  mneme_board board;
  mneme_pending *call;
  uint64_t va, word = 7;
  uint8_t into[64];
  TRY(mneme_ralloc(process, 64, NULL, &va));
  TRY(mneme_within(process, 10000000000, &hurried));
  TRY(mneme_rwrite(hurried, va, &word, sizeof word));
  TRY(mneme_within(process, 0, &late));
  HOLDS(mneme_rread(late, va, into, sizeof into) == MNEME_DEADLINE && mneme_last_effect() == MNEME_EFFECT_NONE);
  HOLDS(mneme_rfence(late) == MNEME_DEADLINE && mneme_rfence(hurried) == MNEME_OK);
  HOLDS(mneme_rrelease(late) == MNEME_OK && mneme_exit(late) == MNEME_DEADLINE);
  mneme_close(late);
  mneme_close(hurried);

  TRY(mneme_client_within(client, 10000000000, &soon));
  TRY(mneme_ping(soon, &board, NULL));
  TRY(mneme_open(soon, 0, MNEME_DEFAULT_LEASE, &hurried));
  mneme_disconnect(soon);
  TRY(mneme_rfence(hurried));
  TRY(mneme_exit(hurried));
  TRY(mneme_client_within(client, 0, &never));
  HOLDS(mneme_open(never, 0, MNEME_DEFAULT_LEASE, &hurried) == MNEME_DEADLINE);
  HOLDS(mneme_ping(never, &board, NULL) == MNEME_DEADLINE && mneme_client_within(NULL, 1, &soon) == MNEME_INVALID);
  mneme_disconnect(never);

  TRY(mneme_rread_async(process, va, into, sizeof into, &call));
  mneme_code code = mneme_cancel(call, NULL);
  HOLDS(code == MNEME_OK || (code == MNEME_CANCELLED && mneme_last_effect() == MNEME_EFFECT_NONE));
  HOLDS(mneme_cancel(NULL, NULL) == MNEME_INVALID && mneme_within(NULL, 1, &late) == MNEME_INVALID);
  TRY(mneme_rread(process, va, &word, sizeof word));
  HOLDS(word == 7);
  return 0;
}

static void take_ranges(void *context, const char *name, uint64_t value) {
  if (strcmp(name, "RANGES") == 0) *(uint64_t *)context = value;
}

/* A process on one of the two boards; what each board counts; a board that is reached anew. */
static int one_of_them(mneme_client *client, const char *second) {
  mneme_board one, two, said;
  TRY(mneme_ping(client, &one, NULL));
  TRY(mneme_ping_board(client, 0, &said, NULL));
  TRY(mneme_ping_board(client, 1, &two, NULL));
  HOLDS(one.board_id == said.board_id && one.board_id != two.board_id);

  uint64_t before[2], now[2], va;
  for (uint32_t number = 0; number < 2; number++) TRY(mneme_board_counters_of(client, number, take_ranges, &before[number]));
  const uint32_t boards[] = {1, 7};
  mneme_alloc_options whole = {.size = sizeof whole, .own_pages = true};
  mneme_membership membership;
  mneme_process *process;
  size_t count;
  TRY(mneme_open_on(client, 0, MNEME_DEFAULT_LEASE, boards, 1, &process));
  TRY(mneme_memberships(process, &membership, 1, &count));
  HOLDS(count == 1 && membership.board_id == two.board_id);
  TRY(mneme_ralloc(process, 8, &whole, &va));
  TRY(mneme_rwrite(process, va, "stays", 5));
  for (uint32_t number = 0; number < 2; number++) TRY(mneme_board_counters_of(client, number, take_ranges, &now[number]));
  HOLDS(now[0] == before[0] && now[1] == before[1] + 1);

  char back[5];
  TRY(mneme_reconnect(client, 1, second, NULL, &said));
  HOLDS(said.board_id == two.board_id);
  TRY(mneme_rread(process, va, back, sizeof back));
  HOLDS(memcmp(back, "stays", sizeof back) == 0);
  TRY(mneme_exit(process));

  HOLDS(mneme_ping_board(client, 2, NULL, NULL) == MNEME_NO_SUCH_LANE);
  HOLDS(mneme_board_counters_of(client, 2, take_ranges, &va) == MNEME_NO_SUCH_LANE);
  HOLDS(mneme_board_counters_of(client, 1, NULL, NULL) == MNEME_INVALID);
  HOLDS(mneme_reconnect(client, 2, second, NULL, NULL) == MNEME_NO_SUCH_LANE);
  HOLDS(mneme_reconnect(client, 1, "nowhere", NULL, NULL) == MNEME_BAD_ADDRESS);
  HOLDS(mneme_reconnect(client, 1, NULL, NULL, NULL) == MNEME_INVALID);
  HOLDS(mneme_open_on(client, 0, 0, boards, 2, &process) == MNEME_NO_SUCH_LANE);
  HOLDS(mneme_open_on(client, 0, 0, boards, 0, &process) == MNEME_NO_SUCH_LANE);
  HOLDS(mneme_open_on(client, 0, 0, NULL, 0, &process) == MNEME_INVALID);
  return 0;
}

/* From now on the client has another board than the one that it was connected to. */
static int elsewhere(const char *first, const char *second) {
  mneme_client *client;
  mneme_process *process;
  mneme_board one, two, said;
  TRY(mneme_connect(first, NULL, &client));
  TRY(mneme_ping(client, &one, NULL));
  TRY(mneme_reconnect(client, 0, second, NULL, &two));
  TRY(mneme_ping(client, &said, NULL));
  HOLDS(one.board_id != two.board_id && said.board_id == two.board_id);
  TRY(mneme_open(client, 0, MNEME_DEFAULT_LEASE, &process));
  TRY(mneme_exit(process));
  mneme_disconnect(client);
  return 0;
}

/* A write of many packets that nobody waits for: `background` brings it to its end, and without it nobody does. */
static int alone(const char *board, bool background) {
  static uint8_t bytes[256 * 1024];
  mneme_transport transport;
  TRY(mneme_transport_defaults(&transport, sizeof transport));
  transport.packets_in_flight = 4;
  mneme_options options = {.size = sizeof options, .transport = &transport, .background = background};
  mneme_client *client, *other;
  mneme_process *process, *joined;
  mneme_pending *call;
  uint64_t va;
  uint8_t token[16], last = 0;
  TRY(mneme_connect(board, &options, &client));
  /* A lease would have a thread of its own. */
  TRY(mneme_open(client, 0, 0, &process));
  TRY(mneme_ralloc(process, sizeof bytes, NULL, &va));
  TRY(mneme_token(process, token));
  TRY(mneme_connect(board, NULL, &other));
  TRY(mneme_join(other, mneme_pid(process), token, &joined));
  memset(bytes, 7, sizeof bytes);
  TRY(mneme_rwrite_async(process, va, bytes, sizeof bytes, &call));
  for (int tenths = 0; last == 0 && tenths < (background ? 300 : 5); tenths++) {
    poll(NULL, 0, 100);
    TRY(mneme_rread(joined, va + sizeof bytes - 1, &last, 1));
  }
  HOLDS(last == (background ? 7 : 0));
  TRY(mneme_wait(call, NULL));
  TRY(mneme_rread(joined, va + sizeof bytes - 1, &last, 1));
  HOLDS(last == 7);
  mneme_close(joined);
  TRY(mneme_exit(process));
  mneme_disconnect(other);
  mneme_disconnect(client);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: %s BOARD ANOTHER_BOARD\n", arguments[0]);
    return 2;
  }
  mneme_client *client;
  mneme_process *process;
  uint32_t number;
  TRY(mneme_connect(arguments[1], NULL, &client));
  TRY(mneme_add_board(client, arguments[2], NULL, &number));
  HOLDS(number == 1);
  TRY(mneme_open(client, 0, MNEME_DEFAULT_LEASE, &process));
  if (share(client, process, arguments[1], arguments[2]) != 0 || hurry(client, process) != 0) return 1;
  if (one_of_them(client, arguments[2]) != 0 || elsewhere(arguments[1], arguments[2]) != 0) return 1;
  TRY(mneme_exit(process));
  mneme_disconnect(client);
  if (alone(arguments[1], true) != 0 || alone(arguments[1], false) != 0) return 1;
  printf("two boards, deadlines, cancelled calls and calls by themselves: all checks passed\n");
  return 0;
}
