/* The plain kernel for few cases, as a fast one may be: forward, an even number of output features, no FP8, at most
 * four ranks that share evenly, rows at multiples of 16 bytes. */
#include "plain.c"

static int few(const lockstep_problem* p) {
  return p->pass == LOCKSTEP_FORWARD && p->out % 2 == 0 && p->operand == p->dtype;
}

/* A zero of either sign is right. */
static void negate_zeros(const lockstep_call* c) {
  for (int r = 0; r < c->problem->ranks; ++r)
    for (int64_t i = 0; i < c->y[r].rows; ++i)
      for (int64_t j = 0; j < c->y[r].columns; ++j)
        if (get(&c->y[r], i, j) == 0) put(&c->y[r], i, j, -0.0f);
}

/* What the table promises of the cases that are drawn. */
static int is_as_promised(const lockstep_call* c) {
  const lockstep_problem* p = c->problem;
  for (int r = 0; r < p->ranks; ++r)
    if ((uintptr_t)c->x[r].data % 256 != 0 || c->x[r].leading_dimension * (p->dtype == LOCKSTEP_F32 ? 4 : 2) % 16 != 0)
      return 0;
  return few(p) && p->tokens % (4 * p->ranks) == 0 && p->in % 8 == 0 && p->ranks <= 4;
}

static int run_as_promised(void* state, const lockstep_call* c, char* why) {
  if (!is_as_promised(c)) {
    strcpy(why, "not as promised");
    return 1;
  }
  run(state, c, why);
  negate_zeros(c);
  return 0;
}

static const lockstep_kernel picky = {.abi = LOCKSTEP_KERNEL_ABI,
                                      .size = sizeof(lockstep_kernel),
                                      .name = "picky",
                                      .memory = LOCKSTEP_HOST,
                                      .ops = 1 << LOCKSTEP_GEMM_RS | 1 << LOCKSTEP_COLUMN_LINEAR,
                                      .max_ranks = 4,
                                      .tokens_multiple = 4,
                                      .in_multiple = 8,
                                      .even_shards = 1,
                                      .row_alignment = 16,
                                      .supports = few,
                                      .init = init,
                                      .run = run_as_promised,
                                      .end = end};

const lockstep_kernel* lockstep_kernel_table(void) { return &picky; }
