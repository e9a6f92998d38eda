/* An RDMA client in the guest: librdmacm and libibverbs, whose messages and packets come from the kernel's rdma_rxe.
 *
 * It takes commands from standard input, a line each, and answers each with one line: `ok …`, or `error …` if the command could
 * not be carried out. What the other side says, a refusal or the status of a completion, is part of an `ok`. Nothing waits longer
 * than the command says. Example:
 *
 *   connect 0 10.91.0.1 19790 4d4e5231… 16 14
 *   ok connected qpn=17 peer=4660 sq=77 rq=901 mtu=4096 private=4d4e5231…
 *   post 0 write 0 4096 65536 305419896 0 0
 *   ok
 *   reap 0 1 5000
 *   ok 0
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 8
/* Bytes of a connection's buffer, and of what surrounds it: nobody may write there. */
#define BYTES (8u << 20)
#define GUARD 8192u
#define GUARD_BYTE 0xa7
/* Operations of a connection under way. */
#define DEPTH 256
/* Milliseconds for each step of the connection manager. */
#define STEP 20000

struct connection {
  struct rdma_event_channel *channel;
  struct rdma_cm_id *id;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  struct ibv_mr *mr;
  uint8_t *whole;
  uint8_t *buffer;
};

static struct connection connections[CONNECTIONS];

static void answer(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

static void failed(const char *what) { answer("error %s: %s", what, strerror(errno)); }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

/* The byte at a place of the data that a number stands for. The host has the same function. */
static uint8_t pattern(uint64_t seed, uint64_t at) {
  uint64_t x = (seed * 0x9e3779b97f4a7c15u) ^ (at + 1);
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return (uint8_t)(x >> 56);
}

/* The connection of a command, or nothing and an answer. */
static struct connection *connection(unsigned number, int is_there) {
  if (number >= CONNECTIONS) {
    answer("error there are connections 0 to %u", CONNECTIONS - 1);
    return NULL;
  }
  struct connection *c = &connections[number];
  if ((c->id != NULL) != is_there) {
    answer("error connection %u is%s there", number, is_there ? " not" : "");
    return NULL;
  }
  return c;
}

static void end(struct connection *c) {
  if (c->id && c->id->qp)
    rdma_destroy_qp(c->id);
  if (c->mr)
    ibv_dereg_mr(c->mr);
  if (c->cq)
    ibv_destroy_cq(c->cq);
  if (c->pd)
    ibv_dealloc_pd(c->pd);
  if (c->id)
    rdma_destroy_id(c->id);
  if (c->channel)
    rdma_destroy_event_channel(c->channel);
  free(c->whole);
  memset(c, 0, sizeof *c);
}

/* The next event of the connection manager, or nothing after some milliseconds. */
static struct rdma_cm_event *event(struct connection *c, int wait) {
  struct pollfd one = {.fd = c->channel->fd, .events = POLLIN};
  struct rdma_cm_event *event = NULL;
  int ready = poll(&one, 1, wait);
  if (ready == 1 && rdma_get_cm_event(c->channel, &event) == 0)
    return event;
  if (ready == 0)
    errno = ETIMEDOUT;
  return NULL;
}

/* Waits for one kind of event. Answers nothing if it comes. */
static int expect(struct connection *c, enum rdma_cm_event_type type) {
  struct rdma_cm_event *came = event(c, STEP);
  if (!came) {
    failed(rdma_event_str(type));
    return -1;
  }
  int right = came->event == type;
  if (!right)
    answer("error %s, status %d, instead of %s", rdma_event_str(came->event), came->status, rdma_event_str(type));
  rdma_ack_cm_event(came);
  return right ? 0 : -1;
}

/* Whole if it is a number of hexadecimal bytes that fits. */
static int unhex(const char *text, uint8_t *bytes, size_t room) {
  size_t length = strlen(text);
  if (length % 2 || length / 2 > room)
    return -1;
  for (size_t i = 0; i < length / 2; i++)
    if (sscanf(text + 2 * i, "%2hhx", &bytes[i]) != 1)
      return -1;
  return (int)(length / 2);
}

static void print_hex(const void *data, size_t length) {
  for (size_t i = 0; i < length; i++)
    printf("%02x", ((const uint8_t *)data)[i]);
}

static int resources(struct connection *c) {
  c->pd = ibv_alloc_pd(c->id->verbs);
  c->cq = c->pd ? ibv_create_cq(c->id->verbs, 2 * DEPTH, NULL, NULL, 0) : NULL;
  if (!c->cq)
    return -1;
  if (posix_memalign((void **)&c->whole, 4096, BYTES + 2 * GUARD))
    return -1;
  memset(c->whole, GUARD_BYTE, BYTES + 2 * GUARD);
  c->buffer = c->whole + GUARD;
  c->mr = ibv_reg_mr(c->pd, c->buffer, BYTES, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_qp_init_attr attributes = {
      .send_cq = c->cq,
      .recv_cq = c->cq,
      .cap = {.max_send_wr = DEPTH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
      .qp_type = IBV_QPT_RC,
      .sq_sig_all = 1,
  };
  return c->mr ? rdma_create_qp(c->id, c->pd, &attributes) : -1;
}

static void established(struct connection *c, struct rdma_cm_event *came) {
  struct ibv_qp_attr attributes;
  struct ibv_qp_init_attr unused;
  int mask = IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_RQ_PSN | IBV_QP_DEST_QPN | IBV_QP_PATH_MTU;
  if (ibv_query_qp(c->id->qp, &attributes, mask, &unused)) {
    failed("asking for the queue pair");
    return;
  }
  printf("ok connected qpn=%u peer=%u sq=%u rq=%u mtu=%u private=", c->id->qp->qp_num, attributes.dest_qp_num,
         attributes.sq_psn, attributes.rq_psn, 128u << attributes.path_mtu);
  print_hex(came->param.conn.private_data, came->param.conn.private_data_len);
  answer("");
}

/* connect N ADDRESS PORT PRIVATE READS TIMEOUT: `READS` READs and atomics under way; an acknowledge may take 4.096 us << TIMEOUT. */
static int make(struct connection *c, const char *address, uint16_t port, const char *private, int reads, int timeout) {
  uint8_t data[56], code = (uint8_t)timeout;
  int length = unhex(private, data, sizeof data);
  struct sockaddr_in board = {.sin_family = AF_INET, .sin_port = htons(port)};
  if (length < 0 || inet_pton(AF_INET, address, &board.sin_addr) != 1) {
    answer("error no address or no private data");
    return -1;
  }
  c->channel = rdma_create_event_channel();
  if (!c->channel || rdma_create_id(c->channel, &c->id, NULL, RDMA_PS_TCP)) {
    failed("librdmacm");
    return -1;
  }
  if (rdma_set_option(c->id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &code, sizeof code)) {
    failed("setting the timeout");
    return -1;
  }
  if (rdma_resolve_addr(c->id, NULL, (struct sockaddr *)&board, STEP)) {
    failed("resolving the address");
    return -1;
  }
  if (expect(c, RDMA_CM_EVENT_ADDR_RESOLVED))
    return -1;
  if (rdma_resolve_route(c->id, STEP)) {
    failed("resolving the route");
    return -1;
  }
  if (expect(c, RDMA_CM_EVENT_ROUTE_RESOLVED))
    return -1;
  if (resources(c)) {
    failed("queue pair and buffer");
    return -1;
  }
  struct rdma_conn_param parameters = {
      .private_data = data,
      .private_data_len = (uint8_t)length,
      .responder_resources = 0,
      .initiator_depth = (uint8_t)reads,
      .retry_count = 7,
      .rnr_retry_count = 7,
  };
  if (rdma_connect(c->id, &parameters)) {
    failed("connecting");
    return -1;
  }
  struct rdma_cm_event *came = event(c, 3 * STEP);
  if (!came) {
    failed("waiting for the board");
    return -1;
  }
  int made = came->event == RDMA_CM_EVENT_ESTABLISHED;
  if (made) {
    established(c, came);
  } else {
    printf("ok not-connected event=%s status=%d private=", rdma_event_str(came->event), came->status);
    print_hex(came->param.conn.private_data, came->param.conn.private_data_len);
    answer("");
  }
  rdma_ack_cm_event(came);
  return made ? 0 : -1;
}

static void command_connect(const char *rest) {
  unsigned number, port;
  int reads, timeout;
  char address[32], private[128];
  if (sscanf(rest, "%u %31s %u %127s %d %d", &number, address, &port, private, &reads, &timeout) != 6) {
    answer("error connect N ADDRESS PORT PRIVATE READS TIMEOUT");
    return;
  }
  struct connection *c = connection(number, 0);
  if (c && make(c, address, (uint16_t)port, private, reads, timeout))
    end(c);
}

struct verb {
  const char *name;
  enum ibv_wr_opcode opcode;
};

static const struct verb VERBS[] = {
    {"write", IBV_WR_RDMA_WRITE},        {"write-imm", IBV_WR_RDMA_WRITE_WITH_IMM},  {"read", IBV_WR_RDMA_READ},
    {"cas", IBV_WR_ATOMIC_CMP_AND_SWP},  {"add", IBV_WR_ATOMIC_FETCH_AND_ADD},       {"send", IBV_WR_SEND},
};

/* post N VERB PLACE BYTES VA RKEY FENCE A B: A is the number whose data a write takes, what is compared, or what is added; B the
 * immediate, or what is swapped in. Atomics bring 8 bytes to PLACE. */
static void command_post(const char *rest) {
  unsigned number, bytes, rkey, fence;
  uint64_t place, va, a, b;
  char name[16];
  if (sscanf(rest, "%u %15s %" SCNu64 " %u %" SCNu64 " %u %u %" SCNu64 " %" SCNu64, &number, name, &place, &bytes, &va,
             &rkey, &fence, &a, &b) != 9) {
    answer("error post N VERB PLACE BYTES VA RKEY FENCE A B");
    return;
  }
  struct connection *c = connection(number, 1);
  if (!c)
    return;
  const struct verb *verb = NULL;
  for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++)
    if (strcmp(VERBS[i].name, name) == 0)
      verb = &VERBS[i];
  if (!verb || place > BYTES || bytes > BYTES - place) {
    answer("error no such verb, or past the buffer's %u bytes", BYTES);
    return;
  }
  struct ibv_sge piece = {.addr = (uintptr_t)(c->buffer + place), .length = bytes, .lkey = c->mr->lkey};
  struct ibv_send_wr request = {
      .sg_list = &piece,
      .num_sge = bytes > 0,
      .opcode = verb->opcode,
      .send_flags = IBV_SEND_SIGNALED | (fence ? IBV_SEND_FENCE : 0),
  };
  request.wr.rdma.remote_addr = va;
  request.wr.rdma.rkey = rkey;
  switch (verb->opcode) {
  case IBV_WR_ATOMIC_CMP_AND_SWP:
  case IBV_WR_ATOMIC_FETCH_AND_ADD:
    request.wr.atomic.remote_addr = va;
    request.wr.atomic.compare_add = a;
    request.wr.atomic.swap = b;
    request.wr.atomic.rkey = rkey;
    break;
  case IBV_WR_RDMA_READ:
    break;
  default:
    request.imm_data = htonl((uint32_t)b);
    for (unsigned i = 0; i < bytes; i++)
      c->buffer[place + i] = pattern(a, i);
  }
  struct ibv_send_wr *bad;
  errno = ibv_post_send(c->id->qp, &request, &bad);
  if (errno)
    failed("posting");
  else
    answer("ok");
}

/* reap N COUNT MILLISECONDS: the statuses of the next operations that end (enum ibv_wc_status). */
static void command_reap(const char *rest) {
  unsigned number, count;
  int wait;
  if (sscanf(rest, "%u %u %d", &number, &count, &wait) != 3 || count > DEPTH) {
    answer("error reap N COUNT MILLISECONDS");
    return;
  }
  struct connection *c = connection(number, 1);
  if (!c)
    return;
  struct ibv_wc done[DEPTH];
  unsigned have = 0;
  for (int64_t until = now() + wait; have < count;) {
    int more = ibv_poll_cq(c->cq, (int)(count - have), done + have);
    if (more < 0) {
      answer("error the completion queue fails");
      return;
    }
    have += (unsigned)more;
    if (more == 0 && now() > until) {
      answer("error %u of %u operations have not ended in %d ms", count - have, count, wait);
      return;
    }
    if (more == 0)
      usleep(50);
  }
  printf("ok");
  for (unsigned i = 0; i < count; i++)
    printf(" %d", done[i].status);
  answer("");
}

/* Whether all of a range is one byte. */
static int is_all(const uint8_t *bytes, size_t length, uint8_t byte) {
  for (size_t i = 0; i < length; i++)
    if (bytes[i] != byte)
      return 0;
  return 1;
}

/* look N PLACE BYTES: a hash of bytes of the buffer (FNV-1a, 64 bits), the first 8 of them as a number of this machine, and
 * whether nobody has written round the buffer. */
static void command_look(const char *rest) {
  unsigned number, bytes;
  uint64_t place, first = 0, hash = 0xcbf29ce484222325u;
  if (sscanf(rest, "%u %" SCNu64 " %u", &number, &place, &bytes) != 3 || place > BYTES || bytes > BYTES - place) {
    answer("error look N PLACE BYTES");
    return;
  }
  struct connection *c = connection(number, 1);
  if (!c)
    return;
  for (unsigned i = 0; i < bytes; i++)
    hash = (hash ^ c->buffer[place + i]) * 0x100000001b3u;
  memcpy(&first, c->buffer + place, bytes < 8 ? bytes : 8);
  int whole = is_all(c->whole, GUARD, GUARD_BYTE) && is_all(c->buffer + BYTES, GUARD, GUARD_BYTE);
  answer("ok %" PRIu64 " %" PRIu64 " %d", hash, first, whole);
}

/* fill N PLACE BYTES BYTE: what a read must change, or leave. */
static void command_fill(const char *rest) {
  unsigned number, bytes, byte;
  uint64_t place;
  if (sscanf(rest, "%u %" SCNu64 " %u %u", &number, &place, &bytes, &byte) != 4 || place > BYTES || bytes > BYTES - place) {
    answer("error fill N PLACE BYTES BYTE");
    return;
  }
  struct connection *c = connection(number, 1);
  if (!c)
    return;
  memset(c->buffer + place, (int)byte, bytes);
  answer("ok");
}

/* end N: ends a connection by the connection manager, and waits until both sides know. destroy N: without a word. */
static void command_end(const char *rest, int by_manager) {
  struct connection *c = connection((unsigned)atoi(rest), 1);
  if (!c)
    return;
  if (by_manager && rdma_disconnect(c->id))
    failed("disconnecting");
  else if (!by_manager || expect(c, RDMA_CM_EVENT_DISCONNECTED) == 0)
    answer("ok");
  end(c);
}

/* clear: ends all connections that are left, without a word. */
static void command_clear(void) {
  for (unsigned i = 0; i < CONNECTIONS; i++)
    end(&connections[i]);
  answer("ok");
}

/* run COMMAND: a shell's command, whose output goes to the console; its exit code. */
static void command_run(const char *rest) {
  int status = system(rest);
  answer("ok %d", WIFEXITED(status) ? WEXITSTATUS(status) : 255);
}

/* tell COMMAND: a shell's command; its exit code, and the first line that it prints. */
static void command_tell(const char *rest) {
  static char line[16384];
  FILE *output = popen(rest, "r");
  if (!output) {
    failed("starting a shell");
    return;
  }
  if (!fgets(line, sizeof line, output))
    line[0] = 0;
  line[strcspn(line, "\r\n")] = 0;
  while (getc(output) != EOF)
    ;
  int status = pclose(output);
  answer("ok %d %s", WIFEXITED(status) ? WEXITSTATUS(status) : 255, line);
}

int main(void) {
  static char line[4096];
  answer("ready");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\r\n")] = 0;
    char *rest = line + strcspn(line, " ");
    if (*rest)
      *rest++ = 0;
    if (strcmp(line, "connect") == 0)
      command_connect(rest);
    else if (strcmp(line, "post") == 0)
      command_post(rest);
    else if (strcmp(line, "reap") == 0)
      command_reap(rest);
    else if (strcmp(line, "look") == 0)
      command_look(rest);
    else if (strcmp(line, "fill") == 0)
      command_fill(rest);
    else if (strcmp(line, "end") == 0 || strcmp(line, "destroy") == 0)
      command_end(rest, line[0] == 'e');
    else if (strcmp(line, "clear") == 0)
      command_clear();
    else if (strcmp(line, "run") == 0)
      command_run(rest);
    else if (strcmp(line, "tell") == 0)
      command_tell(rest);
    else
      answer("error no command %s", line);
  }
  return 0;
}
