/* Pages of 4 KB on a board that has them: address space is free, memory comes with each page's first write, up to a budget.
 *
 *   mneme board --rdma --listen 127.0.0.1:19790 &
 *   cc frames.c $(pkg-config --cflags --libs mneme) -o frames && ./frames 127.0.0.1:19790
 */
#include "example.h"

#include <inttypes.h>
#include <mneme.h>
#include <stdio.h>
#include <string.h>

#define FRAME 4096u

/* A range of 64 MiB of which two pages may be there at a time. */
static int spend(const mneme_process *process) {
  mneme_alloc_options few = {.size = sizeof few, .frames = true, .frames_max = 2 * FRAME};
  uint64_t va;
  uint8_t byte = 7, back[3] = {9, 9, 9};
  TRY(mneme_ralloc(process, 64u << 20, &few, &va));
  TRY(mneme_rread(process, va + (50u << 20), back, sizeof back));
  HOLDS(back[0] == 0 && back[1] == 0 && back[2] == 0);
  TRY(mneme_rwrite(process, va, &byte, 1));
  TRY(mneme_rwrite(process, va + (40u << 20) + FRAME - 1, &byte, 1));
  HOLDS(mneme_rwrite(process, va + (20u << 20), &byte, 1) == MNEME_QUOTA);
  /* Over what is there is no new page. */
  TRY(mneme_rwrite(process, va + 100, &byte, 1));
  TRY(mneme_rread(process, va + 99, back, sizeof back));
  HOLDS(back[0] == 0 && back[1] == 7 && back[2] == 0);
  TRY(mneme_rfree(process, va));
  HOLDS(mneme_rread(process, va, back, 1) == MNEME_UNMAPPED);
  return 0;
}

/* As many pages as the range is long. */
static int all(const mneme_process *process) {
  mneme_alloc_options whole = {.size = sizeof whole, .frames = true};
  uint64_t va, word;
  mneme_pending *pending;
  TRY(mneme_ralloc_async(process, 16 * FRAME, &whole, &pending));
  TRY(mneme_wait(pending, &va));
  for (uint64_t page = 0; page < 16; page++) TRY(mneme_rwrite(process, va + page * FRAME, &page, sizeof page));
  for (uint64_t page = 0; page < 16; page++) {
    TRY(mneme_rread(process, va + page * FRAME, &word, sizeof word));
    HOLDS(word == page);
  }
  TRY(mneme_rfree(process, va));
  mneme_alloc_options none = {.size = sizeof none, .frames_max = FRAME};
  HOLDS(mneme_ralloc(process, FRAME, &none, &va) == MNEME_INVALID);
  return 0;
}

int main(int count, char **arguments) {
  const char *address;
  mneme_options options = {.size = sizeof options};
  if (!arguments_are(count, arguments, &address, &options)) return 2;
  mneme_client *client;
  mneme_process *process;
  TRY(mneme_connect(address, &options, &client));
  TRY(mneme_open(client, 0, MNEME_DEFAULT_LEASE, &process));
  if (spend(process) != 0 || all(process) != 0) return 1;
  TRY(mneme_exit(process));
  mneme_disconnect(client);
  printf("pages of 4 KB: all checks passed\n");
  return 0;
}
