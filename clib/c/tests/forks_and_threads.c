/* What a program's forks and threads leave of a client: `cargo xtask c-test` runs it.
 *
 *   ./forks_and_threads HOST:PORT
 */
#define _GNU_SOURCE
#include "../examples/example.h"

#include <mneme.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 512, FORKS = 20 };

struct shared {
  const char *board;
  mneme_client *client;
  mneme_process *process;
  uint64_t va;
  volatile bool stops;
  bool failed;
};

/* Makes calls all the time, so that forks find the client in the middle of one. */
static void *hammer(void *context) {
  struct shared *shared = context;
  uint64_t word = 0;
  while (!shared->stops && !shared->failed) {
    shared->failed = mneme_rwrite(shared->process, shared->va + 8 * WORDS, &word, sizeof word) != MNEME_OK;
    word++;
  }
  return NULL;
}

static void ignore(void *context, const char *name, uint64_t value) {
  (void)context, (void)name, (void)value;
}

/* What asks no board: it comes back, though a thread of the parent's had the client in use when it forked. */
static int looks(struct shared *shared, mneme_queue *queue, const uint8_t *token) {
  uint8_t told[16];
  uint64_t ns, tag;
  uint32_t number;
  size_t count;
  bool found;
  mneme_membership of;
  TRY(mneme_token(shared->process, told));
  HOLDS(memcmp(told, token, sizeof told) == 0);
  TRY(mneme_memberships(shared->process, &of, 1, &count));
  HOLDS(count == 1 && of.board_id != 0 && memcmp(of.token, token, sizeof told) == 0);
  TRY(mneme_board_of(shared->process, shared->va, &number));
  HOLDS(number == 0);
  HOLDS(mneme_boards(shared->client) == 0);
  HOLDS(mneme_describe(shared->client, NULL, 0) == 0);
  HOLDS(mneme_statistics(shared->client, ignore, NULL) == MNEME_FORKED);
  HOLDS(mneme_latency(shared->client, "read", 0.5, &ns, &ns) == MNEME_FORKED);
  HOLDS(mneme_start_timing(shared->client) == MNEME_FORKED);
  HOLDS(mneme_stop_timing(shared->client, NULL) == MNEME_FORKED);
  TRY(mneme_cork(shared->client));
  TRY(mneme_uncork(shared->client));
  TRY(mneme_queue_next(queue, &found, &tag));
  HOLDS(!found);
  TRY(mneme_queue_wait(queue, UINT64_MAX, &found, &tag));
  HOLDS(!found);
  mneme_queue_close(queue);
  return 0;
}

/* The child: its parent's client is of no use, and its own one is. */
static int child(struct shared *shared, mneme_pending *pending, mneme_queue *queue, const uint8_t *token, uint32_t pid,
                 bool first) {
  uint64_t word = 0, va = 0;
  mneme_pending *another;
  HOLDS(mneme_rwrite(shared->process, shared->va, "of the child", 12) == MNEME_FORKED);
  HOLDS(mneme_last_effect() == MNEME_EFFECT_NONE);
  HOLDS(strstr(mneme_last_error(), "fork") != NULL);
  HOLDS(mneme_rread(shared->process, shared->va, &word, sizeof word) == MNEME_FORKED);
  HOLDS(mneme_fetch_add(shared->process, shared->va, 1, &word) == MNEME_FORKED);
  HOLDS(mneme_ralloc(shared->process, 64, NULL, &va) == MNEME_FORKED);
  HOLDS(mneme_rfree(shared->process, shared->va) == MNEME_FORKED);
  HOLDS(mneme_rfence(shared->process) == MNEME_FORKED);
  HOLDS(mneme_rrelease(shared->process) == MNEME_FORKED);
  HOLDS(mneme_ping(shared->client, NULL, NULL) == MNEME_FORKED);
  TRY(mneme_rwrite_async(shared->process, shared->va, "of the child", 12, &another));
  HOLDS(mneme_wait(another, NULL) == MNEME_FORKED);
  HOLDS(mneme_wait(pending, NULL) == MNEME_FORKED);
  HOLDS(looks(shared, queue, token) == 0);
  mneme_client *client;
  mneme_process *process;
  TRY(mneme_connect(shared->board, NULL, &client));
  TRY(mneme_join(client, pid, token, &process));
  TRY(mneme_rread(process, shared->va, &word, sizeof word));
  HOLDS(word == 1);
  /* Each child draws a token of its own: only the first one gets the lock, which it never gives back. */
  mneme_lock *lock;
  HOLDS(mneme_rlock(process, shared->va + 8 * (WORDS + 1), 0, &lock) == (first ? MNEME_OK : MNEME_LOCK_TIMEOUT));
  mneme_close(process);
  mneme_disconnect(client);
  HOLDS(mneme_exit(shared->process) == MNEME_FORKED);
  mneme_disconnect(shared->client);
  return 0;
}

static int forks(struct shared *shared) {
  uint8_t token[16];
  uint32_t pid = mneme_pid(shared->process);
  mneme_queue *queue;
  TRY(mneme_queue_create(shared->client, &queue));
  TRY(mneme_token(shared->process, token));
  uint64_t words[WORDS], back[WORDS];
  for (uint64_t at = 0; at < WORDS; at++) words[at] = at + 1;
  TRY(mneme_rwrite(shared->process, shared->va, words, sizeof words));
  for (int made = 0; made < FORKS; made++) {
    mneme_pending *pending;
    TRY(mneme_rread_async(shared->process, shared->va, back, sizeof back, &pending));
    pid_t forked = fork();
    HOLDS(forked >= 0);
    if (forked == 0) _exit(child(shared, pending, queue, token, pid, made == 0));
    /* The parent goes on as if nothing had happened. */
    TRY(mneme_wait(pending, NULL));
    HOLDS(memcmp(words, back, sizeof words) == 0);
    for (uint64_t at = 1; at < WORDS; at++) {
      words[at]++;
      TRY(mneme_rwrite(shared->process, shared->va + 8 * at, &words[at], sizeof words[at]));
    }
    int status;
    HOLDS(waitpid(forked, &status, 0) == forked);
    HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    TRY(mneme_rread(shared->process, shared->va, back, sizeof back));
    HOLDS(memcmp(words, back, sizeof words) == 0);
  }
  mneme_queue_close(queue);
  return 0;
}

static pthread_key_t key;
static bool destroyed;

/* Calls when the thread's own state in the library may be gone. */
static void destroy(void *context) {
  struct shared *shared = context;
  uint64_t word;
  bool fails = mneme_rread(shared->process, shared->va + 1, NULL, 8) == MNEME_INVALID;
  fails = fails && mneme_last_error() != NULL && mneme_last_effect() <= MNEME_EFFECT_PARTIAL;
  for (int tries = 0; tries < 1000; tries++) {
    shared->failed = shared->failed || mneme_rread(shared->process, shared->va, &word, sizeof word) != MNEME_OK;
  }
  destroyed = fails;
}

static void *ends(void *context) {
  struct shared *shared = context;
  /* So that there is something to be destroyed. */
  shared->failed = shared->failed || mneme_rread(shared->process, shared->va, NULL, 8) != MNEME_INVALID;
  shared->failed = shared->failed || pthread_setspecific(key, shared) != 0;
  return NULL;
}

static int threads(struct shared *shared) {
  HOLDS(pthread_key_create(&key, destroy) == 0);
  pthread_t thread;
  HOLDS(pthread_create(&thread, NULL, ends, shared) == 0);
  HOLDS(pthread_join(thread, NULL) == 0);
  HOLDS(destroyed);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: %s HOST:PORT\n", arguments[0]);
    return 2;
  }
  struct shared shared = {.board = arguments[1]};
  TRY(mneme_connect(arguments[1], NULL, &shared.client));
  TRY(mneme_open(shared.client, 0, MNEME_DEFAULT_LEASE, &shared.process));
  TRY(mneme_ralloc_zeroed(shared.process, 8 * (WORDS + 2), &shared.va));
  pthread_t thread;
  HOLDS(pthread_create(&thread, NULL, hammer, &shared) == 0);
  int failed = forks(&shared);
  if (failed == 0) failed = threads(&shared);
  shared.stops = true;
  HOLDS(pthread_join(thread, NULL) == 0);
  HOLDS(failed == 0 && !shared.failed);
  TRY(mneme_exit(shared.process));
  mneme_disconnect(shared.client);
  printf("%d forks and a thread's destructor: as they should be\n", FORKS);
  return 0;
}
