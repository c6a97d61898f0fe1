// A case: what is run, in one readable line. The line is the reproducer and the command-line argument.
//
//   op=gemm_rs tp=4 tokens=64 in=128 out=96 splits=3 seed=42 executor=adversary:7 ; tokens=3
//
// One or more calls joined by " ; ", each inheriting the keys of the one before. `keys()` lists every key with what it
// takes and whether it may change from call to call. parse refuses, in a sentence that names the key and what is
// allowed; parse(print(c)) == c for every case.
#pragma once

#include "reference/contract/arithmetic.h"
#include "reference/contract/groups.h"
#include "reference/contract/layer.h"
#include "reference/contract/overlap.h"
#include "reference/contract/problem.h"

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Kernels gemm_rs, ag_gemm and gemm_ar stand for themselves; layers go through the fuser.
enum class Kernel { gemm_rs, ag_gemm, gemm_ar, row_linear, column_linear };
// What the inputs are: oracle/inputs/inputs.h.
enum class Data { planted, rank_bits, chunk_bits, address, wild, normal, same_sign, cancel, log_uniform, specials };
// What decides: the strongest judge that the data allow, or another (oracle/judges/judge.h).
enum class JudgeChoice { strongest, bound, freivalds, relations };
// fused/host/walk.h, strategies.h, threads.h, provenance.h; fused/mpi/team.h.
enum class ExecutorKind { sequential, adversary, pct, late, fast, threads, mpi, provenance };
// On the device (fused/cuda/program.h) the executor is the order in which operations are enqueued, and what is delayed.
enum class RunsOn { host, cuda };

struct Executor {
  ExecutorKind kind = ExecutorKind::sequential;
  std::uint64_t seed = 0;  // of adversary, pct, threads, mpi; of late and fast: the rank that is
  RunsOn device = RunsOn::host;
  bool operator==(const Executor&) const = default;
};

struct Call {
  Kernel op = Kernel::gemm_rs;
  Pass pass = Pass::forward;
  Index tp = 2;
  Index world = 0;  // ranks of all groups; 0: there is one group
  Groups groups;
  Index tokens = 8;
  Index in = 8;
  Index out = 8;
  DType dtype = DType::bf16;
  DType wire = DType::bf16;
  bool fp8_wire = false;  // wire=fp8
  BiasPlacement bias = BiasPlacement::per_rank;
  Recipe recipe;
  Method method = Method::by_default;  // of the forward pass
  Method dgrad = Method::by_default;   // of the gradient of the input
  Index splits = 2;
  bool aggregate = false;
  bool first_gemm = false;
  bool frozen = false;
  std::optional<DType> accumulate;  // the type of the main gradient that dW is added to
  Arithmetic arithmetic = Arithmetic::f32;
  Data data = Data::planted;
  std::uint64_t seed = 0;
  JudgeChoice judge = JudgeChoice::strongest;
  Index sample = 0;  // rows and columns of every part that are judged; 0: all (oracle/judges/sampled.h)
  Executor executor;
  std::uint64_t counter = 0;  // what every counter of the Userbuffers starts from
  std::string fault;          // an id of the fault catalogue, or "id:site"; empty: none
  bool operator==(const Call&) const = default;

  Index ranks() const { return world == 0 ? tp : world; }
  bool is_forward() const { return pass != Pass::backward; }
  bool is_backward() const { return pass != Pass::forward; }
  bool is_row() const { return op != Kernel::ag_gemm && op != Kernel::column_linear; }
  bool is_layer() const { return op == Kernel::row_linear || op == Kernel::column_linear; }
};

// Whether it takes a rank for its number, and whether a seed.
inline bool takes_rank(ExecutorKind kind) { return kind == ExecutorKind::late || kind == ExecutorKind::fast; }
inline bool takes_seed(ExecutorKind kind) {
  return kind == ExecutorKind::adversary || kind == ExecutorKind::pct || kind == ExecutorKind::threads ||
         kind == ExecutorKind::mpi;
}

struct Case {
  std::vector<Call> calls{Call{}};
  const Call& first() const { return calls.front(); }
  bool operator==(const Case&) const = default;
};

inline constexpr Index max_tp = 72;
inline constexpr Index max_world = 8 * max_tp;
inline constexpr Index max_splits = 1024;
inline constexpr Index max_calls = 64;

// Whether the calls are of several operations or passes: layers that share their Userbuffers.
bool is_mixed(const Case& a_case);

struct Key {
  std::string_view name;
  std::string_view allowed;
  bool may_change;  // from call to call
  void (*set)(Call&, std::string_view value);
  std::string (*get)(const Call&);
};

std::span<const Key> keys();
const Key& key_named(std::string_view name);  // refuses an unknown one

Case parse_case(std::string_view line);
std::string print(const Case& a_case);
std::ostream& operator<<(std::ostream& stream, const Case& a_case);

// Whether a call reduces partial sums over the ranks, and by which method: a row layer those of Y, a column layer's
// backward pass those of dX.
bool reduces(const Call& call);
Method reducing_method(const Call& call);

// Method::by_default replaced by what it stands for.
Call resolved(Call call);

// Refuses contradictions between keys that are each allowed.
void validate(const Case& a_case);

Problem problem_of(const Call& call);
Overlap overlap_of(const Call& call);

// The layer that the operation stands for.
Sequential layer_of(const Call& call);

// Whether the ranks of a group have other numbers in the world than in the group, or there are several groups.
bool is_grouped(const Call& call);
RankLists groups_of(const Call& call);
// What one group runs, as a case of its own: on its own data, which for group 0 is that of the case.
Case case_of_group(Case a_case, Index group);
// As many groups of another size.
void set_group_size(Call& call, Index tp);

}  // namespace lockstep
