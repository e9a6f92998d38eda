/* Misuses the library in one way, which sanitizers and valgrind have to find: `cargo xtask c-test` looks whether they do.
 *
 *   ./misuse none|overrun|short-buffer|kept-name|kept-error|freed-early|leak|misaligned HOST:PORT
 */
#include "../examples/example.h"

#include <mneme.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A figure's name, kept longer than it is valid. */
static const char *kept;

static void keep(void *context, const char *name, uint64_t value) {
  (void)context, (void)value;
  kept = name;
}

/* Writes behind a buffer that the library gave. */
static void overrun(void *context, const char *name, uint64_t value) {
  (void)context, (void)value;
  char *writable = (char *)(uintptr_t)name;
  writable[strlen(name) + 1] = 0;
}

/* The compiler must not see that it is not used. */
static volatile char seen;

static int misuse(const char *how, mneme_client *client, mneme_process *process, uint64_t va) {
  if (strcmp(how, "overrun") == 0) {
    TRY(mneme_statistics(client, overrun, NULL));
  } else if (strcmp(how, "short-buffer") == 0) {
    char *buffer = malloc(16);
    TRY(mneme_rread(process, va, buffer, 24));
    free(buffer);
  } else if (strcmp(how, "kept-name") == 0) {
    TRY(mneme_statistics(client, keep, NULL));
    seen = kept[0];
  } else if (strcmp(how, "kept-error") == 0) {
    HOLDS(mneme_rfree(process, va + 8) != MNEME_OK);
    const char *text = mneme_last_error();
    HOLDS(mneme_rfree(process, va + 16) != MNEME_OK);
    seen = text[0];
  } else if (strcmp(how, "freed-early") == 0) {
    /* The buffer is the call's until the call has ended. */
    mneme_pending *pending;
    char *buffer = malloc(64);
    TRY(mneme_rread_async(process, va, buffer, 64, &pending));
    free(buffer);
    TRY(mneme_wait(pending, NULL));
  } else if (strcmp(how, "leak") == 0) {
    /* All but the last are forgotten, whatever a register keeps. */
    mneme_queue *queue;
    for (int i = 0; i < 8; i++) TRY(mneme_queue_create(client, &queue));
  } else if (strcmp(how, "misaligned") == 0) {
    static uint64_t room[32];
    mneme_transport *transport = (void *)((char *)room + 1);
    transport->packets_in_flight = 1;
    seen = ((char *)room)[9];
  } else {
    HOLDS(strcmp(how, "none") == 0);
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: %s MISUSE HOST:PORT\n", arguments[0]);
    return 2;
  }
  mneme_client *client;
  mneme_process *process;
  uint64_t va;
  TRY(mneme_connect(arguments[2], NULL, &client));
  TRY(mneme_open(client, 0, MNEME_DEFAULT_LEASE, &process));
  TRY(mneme_ralloc_zeroed(process, 4096, &va));
  if (misuse(arguments[1], client, process, va) != 0) return 1;
  TRY(mneme_exit(process));
  mneme_disconnect(client);
  return 0;
}
