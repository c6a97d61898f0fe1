/* A right kernel, as plain as can be: every op, forward and backward, all formats, in float, one element at a time. */
#include "numbers.h"

/* Row i of the ranks' shards, one on top of the other. */
static float get_whole(const lockstep_tensor* shards, int64_t i, int64_t j) {
  while (i >= shards->rows) i -= (shards++)->rows;
  return get(shards, i, j);
}

static int is_row(const lockstep_problem* p) { return p->op != LOCKSTEP_AG_GEMM && p->op != LOCKSTEP_COLUMN_LINEAR; }

/* X and dY as rank r multiplies them: what is sharded by tokens is gathered. */
static float x_of(const lockstep_call* c, int r, int64_t i, int64_t k) {
  return is_row(c->problem) ? get(&c->x[r], i, k) : get_whole(c->x, i, k);
}
static float dy_of(const lockstep_call* c, int r, int64_t i, int64_t j) {
  return is_row(c->problem) ? get_whole(c->dy, i, j) : get(&c->dy[r], i, j);
}

/* Rank r's parts of Y[i, j], with its bias where that comes before the reduction, and of dX[i, k]. */
static float y_part(const lockstep_call* c, int r, int64_t i, int64_t j) {
  float sum = 0;
  for (int64_t k = 0; k < c->w[r].columns; ++k) sum += x_of(c, r, i, k) * get(&c->w[r], j, k);
  sum *= scale(&c->x[r], &c->w[r]);
  return c->problem->bias == LOCKSTEP_BIAS_PER_RANK ? sum + get(&c->b[r], 0, j) : sum;
}
static float dx_part(const lockstep_call* c, int r, int64_t i, int64_t k) {
  float sum = 0;
  for (int64_t j = 0; j < c->w[r].rows; ++j) sum += dy_of(c, r, i, j) * get(&c->w[r], j, k);
  return sum * scale(&c->dy[r], &c->w[r]);
}

typedef float part_of(const lockstep_call* c, int r, int64_t i, int64_t j);

/* The sum over the ranks, of which `owner` keeps this row. */
static float reduced(const lockstep_call* c, part_of* part, int owner, int64_t i, int64_t j) {
  const int ranks = c->problem->ranks, travels = c->problem->reduction == LOCKSTEP_TRAVELLING;
  float sum = 0;
  for (int step = 1; step <= ranks; ++step) {
    const float value = part(c, (owner + step) % ranks, i, j);
    if (travels)
      sum = step < ranks ? rounded(sum + value, c->problem->wire) : sum + value;
    else
      sum += rounded(value, c->problem->wire);
  }
  return sum;
}

/* Fills the ranks' outputs: each its own part, or its rows of the sum, or (all_rows) all rows of it. */
static void fill(const lockstep_call* c, const lockstep_tensor* outputs, part_of* part, int is_reduced, int all_rows) {
  int64_t first = 0;
  for (int r = 0; r < c->problem->ranks; ++r) {
    const lockstep_tensor* t = &outputs[r];
    for (int64_t i = 0; i < t->rows; ++i)
      for (int64_t j = 0; j < t->columns; ++j)
        put(t, i, j, is_reduced ? reduced(c, part, r, first + i, j) : part(c, r, i, j));
    if (is_reduced && !all_rows) first += t->rows;
  }
}

static void add_bias(const lockstep_call* c) {
  for (int r = 0; r < c->problem->ranks; ++r)
    for (int64_t i = 0; i < c->y[r].rows; ++i)
      for (int64_t j = 0; j < c->y[r].columns; ++j) put(&c->y[r], i, j, get(&c->y[r], i, j) + get(&c->b[r], 0, j));
}

static void fill_dw(const lockstep_call* c, int r) {
  const lockstep_tensor* dw = &c->dw[r];
  for (int64_t j = 0; j < dw->rows; ++j)
    for (int64_t k = 0; k < dw->columns; ++k) {
      float sum = 0;
      for (int64_t i = 0; i < c->problem->tokens; ++i) sum += dy_of(c, r, i, j) * x_of(c, r, i, k);
      sum *= scale(&c->dy[r], &c->x[r]);
      put(dw, j, k, c->problem->main_grad ? sum + get(dw, j, k) : sum);
    }
}

static void fill_db(const lockstep_call* c, int r) {
  const int is_own = c->problem->bias == LOCKSTEP_BIAS_AFTER;
  const int64_t rows = is_own ? c->dy[r].rows : c->problem->tokens;
  for (int64_t j = 0; j < c->db[r].columns; ++j) {
    float sum = 0;
    for (int64_t i = 0; i < rows; ++i) sum += is_own ? get(&c->dy[r], i, j) : dy_of(c, r, i, j);
    put(&c->db[r], 0, j, sum);
  }
}

static void backward(const lockstep_call* c) {
  fill(c, c->dx, dx_part, !is_row(c->problem), 0);
  for (int r = 0; r < c->problem->ranks; ++r) {
    if (!c->problem->frozen) fill_dw(c, r);
    if (c->problem->bias != LOCKSTEP_BIAS_NONE) fill_db(c, r);
  }
}

static int run(void* state, const lockstep_call* c, char* why) {
  (void)state, (void)why;
  if (c->problem->pass & LOCKSTEP_FORWARD) {
    fill(c, c->y, y_part, is_row(c->problem), c->problem->op == LOCKSTEP_GEMM_AR);
    if (c->problem->bias == LOCKSTEP_BIAS_AFTER) add_bias(c);
  }
  if (c->problem->pass & LOCKSTEP_BACKWARD) backward(c);
  return 0;
}

static int init(const lockstep_problem* problems, int32_t count, void** state, char* why) {
  (void)problems, (void)count, (void)why;
  *state = NULL;
  return 0;
}

static void end(void* state) { (void)state; }

static const lockstep_kernel plain = {.abi = LOCKSTEP_KERNEL_ABI,
                                      .size = sizeof(lockstep_kernel),
                                      .name = "plain",
                                      .memory = LOCKSTEP_HOST,
                                      .ops = 1 << LOCKSTEP_GEMM | 1 << LOCKSTEP_GEMM_RS | 1 << LOCKSTEP_AG_GEMM |
                                             1 << LOCKSTEP_GEMM_AR | 1 << LOCKSTEP_ROW_LINEAR |
                                             1 << LOCKSTEP_COLUMN_LINEAR,
                                      .init = init,
                                      .run = run,
                                      .end = end};

#ifndef LOCKSTEP_WRONG
const lockstep_kernel* lockstep_kernel_table(void) { return &plain; }
#endif
