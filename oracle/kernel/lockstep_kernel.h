/* A kernel of yours under Lockstep's judges: `lockstep run --kernel ./libmine.so`.
 *
 * The shared library exports one function, lockstep_kernel_table, which gives a table of what it is and can do. This
 * header is all that it needs: C99 or C++, nothing else of Lockstep. Version 1.
 *
 * One call of `run` is one linear layer, or one GEMM with its communication, of all P ranks at once:
 *
 *   op                        forward                               backward, of dY = the gradient of Y
 *   gemm                      Y = X W^T + b, P = 1
 *   gemm_rs, row_linear       Y = ReduceScatter(X_r W_r^T + b_r)    dX_r = AllGather(dY) W_r
 *   gemm_ar                   Y = AllReduce(X_r W_r^T + b_r)
 *   ag_gemm, column_linear    Y_r = AllGather(X) W_r^T + b_r        dX = ReduceScatter(dY_r W_r)
 *                                                                   dW_r = dY^T X, db_r = the column sums of dY
 *
 * Of every rank, row-major; `of r` is part r of a length cut in P parts, the first of which are one longer where it
 * does not divide, and any of which may be empty:
 *
 *              gemm_rs, row_linear    gemm_ar                 ag_gemm, column_linear
 *   X, dX      [tokens, in of r]      [tokens, in of r]       [tokens of r, in]
 *   W, dW      [out, in of r]         [out, in of r]          [out of r, in]
 *   b, db      [1, out]               [1, out]                [1, out of r]
 *   Y, dY      [tokens of r, out]     [tokens, out]           [tokens, out of r]
 *
 * Bias: LOCKSTEP_BIAS_PER_RANK comes before the reduction, so Y has the sum of all b_r, and db_r of row_linear is the
 * sum over all tokens. LOCKSTEP_BIAS_AFTER (row_linear) is added to the reduced Y, rounded to its type: rank r adds its
 * b_r to its rows, and db_r is the sum over those.
 *
 * A reduction, of which rank q keeps an element: LOCKSTEP_AT_ONCE: each rank's part is rounded to `wire`, and these are
 * summed in float in any order; LOCKSTEP_TRAVELLING: the sum goes through ranks q+1, q+2, .. to q, rounded to `wire` at
 * each but the last. FP8: a sum of products of codes is scaled when it is done, by scale_inv of the one times scale_inv
 * of the other, before its bias is added.
 *
 * What is right: on data whose sums are exact in every order, each bit; on other data, what any order of the sums may
 * give in float (on CUDA, in tensor cores). +0 and -0 are the same. A part that is not rounded to `wire` is within that,
 * and is not told from one that is. */
#ifndef LOCKSTEP_KERNEL_H
#define LOCKSTEP_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOCKSTEP_KERNEL_ABI 1

enum lockstep_memory { LOCKSTEP_HOST = 0, LOCKSTEP_CUDA = 1 };
enum lockstep_op {
  LOCKSTEP_GEMM = 0,
  LOCKSTEP_GEMM_RS = 1,
  LOCKSTEP_AG_GEMM = 2,
  LOCKSTEP_GEMM_AR = 3,
  LOCKSTEP_ROW_LINEAR = 4,
  LOCKSTEP_COLUMN_LINEAR = 5
};
enum lockstep_pass { LOCKSTEP_FORWARD = 1, LOCKSTEP_BACKWARD = 2 }; /* bits: both is 3 */
enum lockstep_dtype { LOCKSTEP_F32 = 0, LOCKSTEP_BF16 = 1, LOCKSTEP_FP16 = 2, LOCKSTEP_E4M3 = 3, LOCKSTEP_E5M2 = 4 };
enum lockstep_bias { LOCKSTEP_BIAS_NONE = 0, LOCKSTEP_BIAS_PER_RANK = 1, LOCKSTEP_BIAS_AFTER = 2 };
enum lockstep_reduction { LOCKSTEP_AT_ONCE = 0, LOCKSTEP_TRAVELLING = 1 };

/* A call without its data. `size` is this structure's in the Lockstep that calls. */
typedef struct lockstep_problem {
  uint32_t size;
  int32_t op, pass;
  int32_t ranks; /* P */
  int64_t tokens, in, out;
  int32_t dtype;     /* of Y, b and all gradients; of X, W and dY too, where they are not FP8 */
  int32_t operand;   /* of X and W: dtype, or e4m3 */
  int32_t gradient;  /* of dY: dtype, or e5m2 */
  int32_t wire;      /* of the parts of a reduction */
  int32_t bias;      /* lockstep_bias */
  int32_t reduction; /* lockstep_reduction */
  int32_t splits;    /* in how many chunks to overlap, where that can be chosen: a wish */
  int32_t frozen;    /* 1: no dW */
  int32_t main_grad; /* 1: dW is added to what its buffer holds, which is of type main_grad_dtype */
  int32_t main_grad_dtype;
} lockstep_problem;

/* Row i begins at data + i * leading_dimension elements. Without elements, or without a part in the call, data may be
 * NULL. FP8: a value is its code times *scale_inv, which lies in the library's kind of memory; else scale_inv is NULL.
 * What is gathered has the same scale on all ranks. */
typedef struct lockstep_tensor {
  void* data;
  int64_t rows, columns, leading_dimension;
  const float* scale_inv;
  int32_t dtype;
} lockstep_tensor;

/* Each points to P tensors. x, w, b, dy are read only. */
typedef struct lockstep_call {
  uint32_t size;
  const lockstep_problem* problem;
  const lockstep_tensor *x, *w, *b, *dy;
  const lockstep_tensor *y, *dx, *dw, *db;
  void* stream; /* CUDA: a cudaStream_t; else NULL */
} lockstep_call;

/* Where a function returns something else than 0, it failed, which is a verdict of its own; a sentence that says why
 * goes into `why`, LOCKSTEP_WHY bytes that are zero before. */
#define LOCKSTEP_WHY 256

typedef struct lockstep_kernel {
  uint32_t abi;  /* LOCKSTEP_KERNEL_ABI */
  uint32_t size; /* sizeof(lockstep_kernel) */
  const char* name;
  int32_t memory; /* lockstep_memory: where all tensors lie */
  uint32_t ops;   /* what it implements: 1 << LOCKSTEP_GEMM_RS | ..; without that, op=gemm_rs tp=1 is LOCKSTEP_GEMM */

  /* Which cases to draw; 0: any. Sizes are rounded up to multiples, with even_shards each rank's part of them; rows
   * begin at multiples of row_alignment bytes (a power of two up to 256; 0: they follow each other). A multiple is at
   * most 2^20. */
  int32_t min_ranks, max_ranks;
  int64_t tokens_multiple, in_multiple, out_multiple;
  int32_t even_shards, row_alignment;

  /* 1: this problem can be run. NULL: all can. A case that is not supported is not run. */
  int (*supports)(const lockstep_problem* problem);
  /* All calls of a case, in their order, before the first: what lives as long as Userbuffers do goes into *state. */
  int (*init)(const lockstep_problem* problems, int32_t count, void** state, char* why);
  /* One call. Calls of a case share one state, and may differ in their sizes. */
  int (*run)(void* state, const lockstep_call* call, char* why);
  /* After the last call; also after one that failed. */
  void (*end)(void* state);
} lockstep_kernel;

/* Who promises what.
 *
 * Lockstep: every buffer begins at a multiple of 256 bytes. No two overlap, but dW as a main gradient is one buffer in
 * all calls of a case. Every call has buffers of its own, so pointers differ from call to call. Outputs are NaN
 * before the first call, and so is what lies between the rows of an input and around it. Problems live until `end`,
 * a lockstep_call and its tensors until `run` returns, the data until `end`. All functions are called by one thread,
 * one after the other, cases too, in a process that may be ended at any time; other cases run in other processes at
 * the same time. On CUDA all ranks are on the current device, and `end` comes when the stream is idle.
 *
 * The library: nothing is written but the outputs of the call: Lockstep looks at what lies around and between them,
 * and at all inputs. `supports` answers the same whenever it is asked, soon. No thread of its own is at work when a
 * function returns, and what it forks does not come back from it. It finds the default modes of floating-point
 * arithmetic, which are set back when it returns. What it prints comes out on standard error. `why` is shown with all
 * but printable ASCII escaped. `init`, `run` and `end` are there. On the host all is done when `run` returns; on CUDA when what `run` has put on `stream` is done:
 * other streams are forked from it and joined to it. What is between calls, only `state` knows. */

/* The one symbol. The table lives as long as the library. */
const lockstep_kernel* lockstep_kernel_table(void);

#ifdef __cplusplus
}
#endif

#endif
