/* Two clients of one process: the second joins with the number and token that the first gives it, and both work on the
 * same memory.
 *
 *   cc share.c $(pkg-config --cflags --libs mneme) -o share && ./share 127.0.0.1:19790
 *
 * A driver (udp, auto, pnet, tpacket, afxdp) and an interface may follow; then the two clients take turns.
 */
#include "example.h"

#include <inttypes.h>
#include <mneme.h>
#include <stdio.h>
#include <string.h>

/* Words that one client changes and the other sees. */
static int check_words(const mneme_process *first, const mneme_process *second, uint64_t va) {
  uint64_t old;
  mneme_pending *pending;
  TRY(mneme_rwrite(first, va, (uint8_t[8]){0}, 8));
  TRY(mneme_swap(first, va, 5, &old));
  HOLDS(old == 0);
  TRY(mneme_swap_async(second, va, 6, &pending));
  TRY(mneme_wait(pending, &old));
  HOLDS(old == 5);
  TRY(mneme_compare_swap_async(second, va, 6, 7, &pending));
  TRY(mneme_wait(pending, &old));
  HOLDS(old == 6);
  TRY(mneme_compare_swap(first, va, 6, 8, &old));
  HOLDS(old == 7);
  return 0;
}

/* Several ranges at once, written by one client and read by the other. */
static int check_parts(const mneme_process *first, const mneme_process *second, uint64_t va) {
  uint8_t head[100], tail[3000], into[3100], same[100];
  mneme_pending *pending;
  memset(head, 1, sizeof head);
  memset(tail, 2, sizeof tail);
  mneme_write_part row[] = {{.from = head, .size = sizeof head}, {.from = tail, .size = sizeof tail}};
  TRY(mneme_rwritev_async(first, va, row, 2, &pending));
  TRY(mneme_wait(pending, NULL));
  mneme_read_part split[] = {{.into = into, .size = 50}, {.into = into + 50, .size = sizeof into - 50}};
  TRY(mneme_rreadv_async(second, va, split, 2, &pending));
  TRY(mneme_wait(pending, NULL));
  HOLDS(memcmp(into, head, sizeof head) == 0 && memcmp(into + sizeof head, tail, sizeof tail) == 0);
  mneme_write_part places[] = {{va + 8000, tail, 100}, {va + 9000, head, 100}};
  TRY(mneme_rwrite_batch(second, places, 2));
  TRY(mneme_rfence(second));
  TRY(mneme_rread(first, va + 8000, same, sizeof same));
  HOLDS(memcmp(same, tail, sizeof same) == 0);
  places[0].from = head;
  TRY(mneme_rwrite_batch_async(first, places, 1, &pending));
  TRY(mneme_wait(pending, NULL));
  TRY(mneme_rread(second, va + 8000, same, sizeof same));
  HOLDS(memcmp(same, head, sizeof same) == 0);
  return 0;
}

/* Memory of one client: the other can use it, and free it if it has pages of its own. */
static int check_memory(const mneme_process *first, const mneme_process *second, uint64_t page) {
  uint64_t small, whole;
  uint8_t byte = 9;
  mneme_pending *pending;
  TRY(mneme_ralloc_async(first, 40, NULL, &pending));
  TRY(mneme_wait(pending, &small));
  TRY(mneme_rwrite(second, small, &byte, 1));
  HOLDS(mneme_rfree(second, small) == MNEME_NOT_ALLOCATED);
  TRY(mneme_rread(first, small, &byte, 1));
  TRY(mneme_rfree_async(first, small, &pending));
  TRY(mneme_wait(pending, NULL));
  mneme_alloc_options options = {.size = sizeof options, .own_pages = true};
  TRY(mneme_ralloc(first, page, &options, &whole));
  TRY(mneme_rprotect(second, whole, page, true, false));
  HOLDS(mneme_rwrite(first, whole, &byte, 1) == MNEME_DENIED && strlen(mneme_remedy(MNEME_DENIED)) > 0);
  TRY(mneme_rread(first, whole, &byte, 1));
  HOLDS(byte == 0);
  TRY(mneme_rfree(second, whole));
  HOLDS(mneme_rread(first, whole, &byte, 1) == MNEME_UNMAPPED);
  /* This board has no pages of 4 KB. */
  options.frames = true;
  HOLDS(mneme_ralloc(first, page, &options, &whole) == MNEME_UNSUPPORTED);
  return 0;
}

/* Calls that cannot be made are errors, also when nobody waits for them. */
static int check_wrong(const mneme_process *process, uint64_t va) {
  uint8_t byte = 1;
  mneme_pending *pending;
  uint64_t at;
  mneme_alloc_options options = {0};
  HOLDS(mneme_ralloc(process, 1, &options, &at) == MNEME_INVALID);
  options.size = sizeof options;
  memset(&options.fixed, 2, sizeof options.fixed);
  HOLDS(mneme_ralloc(process, 1, &options, &at) == MNEME_INVALID && strstr(mneme_last_error(), "`fixed`") != NULL);
  HOLDS(mneme_ralloc_async(process, 1, &options, &pending) == MNEME_INVALID);
  HOLDS(mneme_rread(process, va, &byte, (size_t)-1) == MNEME_INVALID);
  HOLDS(mneme_rwrite(process, va, &byte, (size_t)1 << 63) == MNEME_INVALID);
  mneme_read_part parts[1] = {{va, &byte, (size_t)-1}};
  HOLDS(mneme_rreadv(process, va, parts, 1) == MNEME_INVALID);
  HOLDS(mneme_rreadv(process, va, parts, (size_t)-1) == MNEME_INVALID);
  HOLDS(mneme_swap(process, va + 4, 1, NULL) == MNEME_UNALIGNED);
  TRY(mneme_swap_async(process, va + 4, 1, &pending));
  mneme_detach(pending);
  HOLDS(mneme_rrelease(process) == MNEME_UNALIGNED);
  TRY(mneme_rrelease(process));
  return 0;
}

int main(int count, char **arguments) {
  const char *address;
  mneme_options options = {.size = sizeof options};
  if (!arguments_are(count, arguments, &address, &options)) return 2;
  mneme_client *here, *there;
  mneme_process *first, *second;
  mneme_board board;
  uint8_t token[16], wrong[16] = {0};
  uint64_t va;
  TRY(mneme_connect(address, &options, &here));
  /* A second client of its own socket; where a driver has an interface for itself, it is a handle of the first. */
  bool alone = mneme_connect(address, &options, &there) != MNEME_OK;
  TRY(mneme_ping(here, &board, NULL));
  TRY(mneme_open(here, 0, MNEME_DEFAULT_LEASE, &first));
  TRY(mneme_token(first, token));
  uint32_t pid = mneme_pid(first);
  HOLDS(pid != 0 && mneme_pid(NULL) == 0);
  HOLDS(mneme_join(alone ? here : there, pid, wrong, &second) != MNEME_OK);
  TRY(mneme_join(alone ? here : there, pid, token, &second));
  HOLDS(mneme_pid(second) == pid);
  mneme_alloc_options own = {.size = sizeof own, .own_pages = true};
  TRY(mneme_ralloc(first, 10000, &own, &va));
  if (check_words(first, second, va) != 0 || check_parts(first, second, va) != 0 ||
      check_memory(first, second, board.page_size) != 0 || check_wrong(first, va) != 0) {
    return 1;
  }
  /* A handle that is given back leaves the process to the others. */
  mneme_close(second);
  TRY(mneme_rfree(first, va));
  TRY(mneme_exit(first));
  if (!alone) mneme_disconnect(there);
  mneme_disconnect(here);
  printf("two clients of process %" PRIu32 ": all checks passed\n", pid);
  return 0;
}
