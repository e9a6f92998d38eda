/* Memory that does not fit: writes and checks every word of more pages than there is room for, so that the kernel swaps.
 *
 * hog MIB ROUNDS SEED. In each round it visits all pages in an order that follows from the seed, checks what the round before left
 * there, and writes new words. A last round checks alone. It prints one line and ends well if every word was right and pages
 * went out and came back:
 *
 *   pages=24576 checked=25165824 wrong=0 out=24811 in=24640
 *
 * `out` and `in` are pages that the whole machine swapped meanwhile (/proc/vmstat).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u
#define WORDS (PAGE / 8)

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* The word at a place after a round. */
static uint64_t word(uint64_t seed, uint64_t round, uint64_t at) { return mix(mix(seed + round) ^ at); }

/* Pages that the machine has swapped out and in since it started. */
static int swapped(uint64_t *out, uint64_t *in) {
  FILE *file = fopen("/proc/vmstat", "r");
  char name[64];
  uint64_t value;
  int found = 0;
  while (file && fscanf(file, "%63s %" SCNu64, name, &value) == 2) {
    if (strcmp(name, "pswpout") == 0)
      *out = value, found++;
    else if (strcmp(name, "pswpin") == 0)
      *in = value, found++;
  }
  if (file)
    fclose(file);
  return found == 2;
}

/* Fisher and Yates: each order of the pages is as likely as any other. */
static void shuffle(uint32_t *order, uint32_t pages, uint64_t seed) {
  for (uint32_t i = pages - 1; i > 0; i--) {
    uint32_t other = mix(seed ^ i) % (i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

static uint64_t check(const uint64_t *page, uint64_t seed, uint64_t round, uint64_t first) {
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < WORDS; i++)
    wrong += page[i] != word(seed, round, first + i);
  return wrong;
}

int main(int count, char **arguments) {
  if (count != 4 || atoi(arguments[1]) < 1 || atoi(arguments[1]) > 4096 || atoi(arguments[2]) < 1) {
    fprintf(stderr, "hog MIB ROUNDS SEED\n");
    return 2;
  }
  uint32_t pages = (uint32_t)atoi(arguments[1]) * 256, rounds = (uint32_t)atoi(arguments[2]);
  uint64_t seed = strtoull(arguments[3], NULL, 10), before[2], after[2], wrong = 0, checked = 0;
  uint64_t *memory =
      mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  uint32_t *order = malloc(pages * sizeof *order);
  if (memory == MAP_FAILED || !order || !swapped(&before[0], &before[1])) {
    perror("hog");
    return 2;
  }
  for (uint32_t i = 0; i < pages; i++)
    order[i] = i;
  for (uint32_t round = 0; round <= rounds; round++) {
    shuffle(order, pages, seed + round);
    for (uint32_t i = 0; i < pages; i++) {
      uint64_t first = (uint64_t)order[i] * WORDS, *page = memory + first;
      if (round > 0) {
        wrong += check(page, seed, round - 1, first);
        checked += WORDS;
      }
      for (uint32_t w = 0; round < rounds && w < WORDS; w++)
        page[w] = word(seed, round, first + w);
    }
  }
  if (!swapped(&after[0], &after[1]))
    return 2;
  uint64_t out = after[0] - before[0], in = after[1] - before[1];
  printf("pages=%" PRIu32 " checked=%" PRIu64 " wrong=%" PRIu64 " out=%" PRIu64 " in=%" PRIu64 "\n", pages, checked, wrong, out, in);
  return wrong != 0 || out == 0 || in == 0;
}
