/* What the examples share. */
#ifndef MNEME_EXAMPLE_H
#define MNEME_EXAMPLE_H
#include <mneme.h>
#include <stdio.h>
#include <string.h>

/* Ends main with what failed, on which board, and what would work. */
#define TRY(call)                                                                               \
  do {                                                                                          \
    enum mneme_code code = (call);                                                              \
    if (code != MNEME_OK) {                                                                     \
      fprintf(stderr, "%s: %s: %s\n", #call, mneme_strerror(code), mneme_last_error());         \
      return 1;                                                                                 \
    }                                                                                           \
  } while (0)

/* Ends a check that does not hold. */
#define HOLDS(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      fprintf(stderr, "line %d: this does not hold: %s\n", __LINE__, #condition);               \
      return 1;                                                                                 \
    }                                                                                           \
  } while (0)

/* The driver's number, -1 for a name that there is not. */
static inline int driver_named(const char *name) {
  const char *names[] = {
      [MNEME_DRIVER_UDP] = "udp",         [MNEME_DRIVER_AUTO] = "auto",   [MNEME_DRIVER_PNET] = "pnet",
      [MNEME_DRIVER_TPACKET] = "tpacket", [MNEME_DRIVER_AFXDP] = "afxdp",
  };
  for (int driver = 0; driver < (int)(sizeof names / sizeof names[0]); driver++) {
    if (strcmp(names[driver], name) == 0) return driver;
  }
  return -1;
}

/* What the command line asks for: the board's address, then, if given, a driver and an interface. */
static inline bool arguments_are(int count, char **arguments, const char **board, mneme_options *options) {
  int driver = driver_named(count > 2 ? arguments[2] : "udp");
  if (count < 2 || count > 4 || driver < 0) {
    fprintf(stderr, "usage: %s HOST[:PORT] [udp|auto|pnet|tpacket|afxdp [INTERFACE]]\n", arguments[0]);
    return false;
  }
  *board = arguments[1];
  options->driver = (uint32_t)driver;
  options->interface = count > 3 ? arguments[3] : NULL;
  return true;
}

#endif
