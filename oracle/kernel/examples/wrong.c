/* The plain kernel with one mistake, which LOCKSTEP_WRONG names: one of the functions below in place of its run. */
#include "plain.c"

#include <fcntl.h>
#include <fenv.h>
#include <stdlib.h>
#include <unistd.h>

/* Every rank adds the sum over all ranks of its bias: P times what it should be. */
static int bias_times_ranks(void* state, const lockstep_call* c, char* why) {
  const lockstep_problem* p = c->problem;
  run(state, c, why);
  if (!(p->pass & LOCKSTEP_FORWARD) || p->bias != LOCKSTEP_BIAS_PER_RANK || !is_row(p)) return 0;
  for (int times = 1; times < p->ranks; ++times)
    for (int r = 0; r < p->ranks; ++r)
      for (int64_t i = 0; i < c->y[r].rows; ++i)
        for (int64_t j = 0; j < c->y[r].columns; ++j) {
          float bias = 0;
          for (int q = 0; q < p->ranks; ++q) bias += get(&c->b[q], 0, j);
          put(&c->y[r], i, j, get(&c->y[r], i, j) + bias);
        }
  return 0;
}

/* From the second call on the operands of the first are used, as where a graph replays old pointers. */
static int stale_second_call(void* state, const lockstep_call* c, char* why) {
  static int64_t sizes[3];
  static lockstep_tensor x[72];
  lockstep_call stale = *c;
  const lockstep_problem* p = c->problem;
  const int64_t now[3] = {p->tokens, p->in, p->out};
  const int is_first = *(int*)state == 0;
  *(int*)state = 1;
  if (is_first) memcpy(sizes, now, sizeof now);
  if (is_first) memcpy(x, c->x, sizeof *x * (size_t)p->ranks);
  if (memcmp(sizes, now, sizeof now) == 0) stale.x = x;
  return run(state, &stale, why);
}

static int crash_on_no_tokens(void* state, const lockstep_call* c, char* why) {
  if (c->problem->tokens == 0) abort();
  return run(state, c, why);
}

static int endless(void* state, const lockstep_call* c, char* why) {
  for (volatile int waits = 1; waits && c->problem->ranks > 1;) continue;
  return run(state, c, why);
}

static int one_past_output(void* state, const lockstep_call* c, char* why) {
  const lockstep_tensor* y = &c->y[c->problem->ranks - 1];
  run(state, c, why);
  if (y->rows > 0 && y->columns > 0) put(y, y->rows - 1, y->columns, 1);
  return 0;
}

static int changes_input(void* state, const lockstep_call* c, char* why) {
  const lockstep_tensor* x = &c->x[0];
  run(state, c, why);
  if (x->rows > 0 && x->columns > 0) memset(x->data, 0x11, 1);
  return 0;
}

static int returns_error(void* state, const lockstep_call* c, char* why) {
  if (c->problem->out % 2 == 0) return run(state, c, why);
  strcpy(why, "out must be even");
  return 7;
}

static int calls_exit(void* state, const lockstep_call* c, char* why) {
  if (c->problem->splits > 1) exit(0);
  return run(state, c, why);
}

/* What it computes is right, and what it leaves behind is set back. */
static int leaves_rounding_upward(void* state, const lockstep_call* c, char* why) {
  run(state, c, why);
  fesetround(FE_UPWARD);
  return 0;
}

static int speaks_gibberish(void* state, const lockstep_call* c, char* why) {
  (void)state, (void)c;
  memcpy(why, "\xff\x1b[31m\n", 7);
  return 1;
}

static int comes_back_twice(void* state, const lockstep_call* c, char* why) {
  const int code = run(state, c, why);
  fork();
  return code;
}

static void write_to_all_files(void) {
  static const char nonsense[] = "non\0sense\n";
  for (int file = 3; file < 64; ++file)
    if (write(file, nonsense, sizeof nonsense) < 0) continue;
}

static int writes_anywhere(void* state, const lockstep_call* c, char* why) {
  run(state, c, why);
  write_to_all_files();
  return 0;
}

static void never_end(void) {
  for (;;) pause();
}

/* As a race does: LOCKSTEP_ONCE names the file by which it knows. */
static int hangs_once(void* state, const lockstep_call* c, char* why) {
  const int file = open(getenv("LOCKSTEP_ONCE"), O_CREAT | O_EXCL, 0600);
  if (file >= 0) never_end();
  return run(state, c, why);
}

static int first_call(const lockstep_problem* problems, int32_t count, void** state, char* why) {
  (void)problems, (void)count, (void)why;
  *state = calloc(1, sizeof(int));
  return 0;
}

static int nothing(const lockstep_problem* problem) { return problem == NULL; }

static int never_answers(const lockstep_problem* problem) {
  never_end();
  return problem != NULL;
}

static int answers_into_files(const lockstep_problem* problem) {
  write_to_all_files();
  return problem != NULL;
}

/* While it is loaded. */
#ifdef LOCKSTEP_ON_LOAD
__attribute__((constructor)) static void on_load(void) { LOCKSTEP_ON_LOAD(); }
#endif

#ifndef LOCKSTEP_SUPPORTS
#define LOCKSTEP_SUPPORTS NULL
#endif
#ifndef LOCKSTEP_WRONG_ABI
#define LOCKSTEP_WRONG_ABI LOCKSTEP_KERNEL_ABI
#endif

static const lockstep_kernel wrong = {.abi = LOCKSTEP_WRONG_ABI,
                                      .size = sizeof(lockstep_kernel),
                                      .name = "wrong",
                                      .memory = LOCKSTEP_HOST,
                                      .ops = 1 << LOCKSTEP_GEMM_RS | 1 << LOCKSTEP_AG_GEMM,
                                      .supports = LOCKSTEP_SUPPORTS,
                                      .init = first_call,
                                      .run = LOCKSTEP_WRONG,
                                      .end = free};

const lockstep_kernel* lockstep_kernel_table(void) { return &wrong; }
