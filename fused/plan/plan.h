// A schedule as data: what one call does on every rank, as operations over named buffers.
//
// Order. An operation runs on a lane of its rank; the operations of a lane run in the order of the plan; `after` names
// further operations of the same rank that end before it starts. It reads and writes at any time between its start and
// its end. Begin is when the call's inputs may be read, End when its outputs are handed over; every join is an edge.
//
// Signals. A counter is written by one lane only and only grows. Wait(counter, v) starts after the signal whose running
// total within this call reaches v; v = 0 stands for all signals of all calls before this one.
#pragma once

#include "fused/plan/operand.h"
#include "reference/contract/groups.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

struct Begin {
  bool operator==(const Begin&) const = default;
};
struct End {
  bool operator==(const End&) const = default;
};

// D = A B^T: A [m, k], B [n, k], D [m, n], summed over k in the arithmetic of the executor:
//
//   tensor scales           v = acc * (scale_a * scale_b); both operands have scales, or neither
//   blocks                  v = fma(acc, scale_a * scale_b, v) block by block where B's scales are in squares,
//                           v = fma(acc * scale_a, scale_b, v) where both are in rows
//
// then v = v + C, v = v + bias [1, n], amax = the largest |v|, D = v * scale_d rounded once to D's type.
// With k = 0 the sum is 0, and D is written all the same.
struct Gemm {
  Operand a, b;
  std::optional<Region> c{};
  std::optional<Region> bias{};
  Region d;
  std::optional<Region> scale_d{}, amax{};  // [1, 1]
  bool operator==(const Gemm&) const = default;
};

// D = sum of the sources (times their scales [1, 1], where there are any) in the order listed, in float from +0, one
// rounding to D's type; or the largest of them. `accumulate` is what a sum is rounded to after each term.
enum class Reduction { sum, max };
struct Reduce {
  std::vector<Region> sources;
  std::vector<Region> scale_inv{};
  Region d;
  Reduction reduction = Reduction::sum;
  DType accumulate = DType::f32;
  bool operator==(const Reduce&) const = default;
};

// The same codes in another place, of any rank.
struct Copy {
  Region from, to;
  bool operator==(const Copy&) const = default;
};

// to[j, i] = from[i, j]
struct Transpose {
  Region from, to;
  bool operator==(const Transpose&) const = default;
};

// amax = the largest |value| of `from`; a NaN is never the largest, of nothing it is 0.
struct Amax {
  Region from, amax;
  bool operator==(const Amax&) const = default;
};

// scale = largest(format) / amax (reference/contract/recipe.h, current).
struct ScaleFromAmax {
  Region amax;
  DType format = DType::e4m3;
  Region scale;
  bool operator==(const ScaleFromAmax&) const = default;
};

// The history [1, n] takes the amax in, the scale follows (reference/contract/recipe.h, delayed).
struct UpdateScale {
  Region amax, history;
  DType format = DType::e4m3;
  Recipe recipe;
  Region scale;
  bool operator==(const UpdateScale&) const = default;
};

// inverse = 1 / scale
struct Inverse {
  Region scale, inverse;
  bool operator==(const Inverse&) const = default;
};

// to = encode(from * scale), scale_inv = 1 / scale.
struct QuantizeTensor {
  Region from, scale, to, scale_inv;
  bool operator==(const QuantizeTensor&) const = default;
};

// Codes and scales of each block, as `scales` lays them out; with `transposed`, of from^T.
struct QuantizeBlocks {
  Region from;
  bool transposed = false;
  RecipeKind recipe = RecipeKind::block128;
  Region to;
  Scales scales;
  bool operator==(const QuantizeBlocks&) const = default;
};

// to[i, j] = from[i, j] + bias[0, j], in float, rounded once.
struct AddBias {
  Region from, bias, to;
  bool operator==(const AddBias&) const = default;
};

// to[0, j] = sum over i of from[i, j], i in order, in float from +0, rounded once.
struct BiasGrad {
  Region from, to;
  bool operator==(const BiasGrad&) const = default;
};

struct Signal {
  Index counter = 0;
  Index add = 1;
  bool operator==(const Signal&) const = default;
};
struct Wait {
  Index counter = 0;
  Index value = 0;
  bool operator==(const Wait&) const = default;
};

using PlanBody = std::variant<Begin, End, Gemm, Reduce, Copy, Transpose, Amax, ScaleFromAmax, UpdateScale, Inverse,
                              QuantizeTensor, QuantizeBlocks, AddBias, BiasGrad, Signal, Wait>;

struct PlanOp {
  PlanBody body{};
  Index rank = 0;
  Index lane = 0;
  Index split = -1;            // the chunk it works for, -1: none
  std::vector<Index> after{};  // indices into Plan::ops
  bool operator==(const PlanOp&) const = default;
};

struct Counter {
  std::string name;  // "ready", "done": with the rank, its identity on the Userbuffers
  Index rank = 0;    // whose lane writes it
  // It keeps its value modulo 2^bits, 1 to 64. What a wait wants is counted in 64 bits.
  Index bits = 64;
  // How a wait compares: by the difference of the two as a signed number, which is right across 2^64; or the two
  // themselves, as signed numbers of `bits` bits, which is right as long as both stand on one side of 2^(bits - 1).
  bool wraps = true;
  bool operator==(const Counter&) const = default;
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Counter> counters;
  std::vector<std::string> lanes;  // names; lane i of every rank
  Index ranks = 0;
  std::vector<PlanOp> ops;
  RankLists groups{};  // that work together; none: all ranks are one group (fused/plan/world.h)
  bool operator==(const Plan&) const = default;

  Index group_size() const { return groups.empty() ? ranks : std::ssize(groups.front()); }
};

// All calls on one set of Userbuffers. On each rank the End of a call precedes the Begin of the next; nothing else
// orders calls.
struct Program {
  std::vector<Plan> calls;
  std::uint64_t counter_base = 0;  // what every counter of the Userbuffers starts from
};

}  // namespace lockstep
