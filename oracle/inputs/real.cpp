#include "oracle/inputs/real.h"

#include "oracle/inputs/shards.h"

#include <cmath>
#include <limits>

namespace lockstep {
namespace {

enum Stream : std::uint64_t { stream_x, stream_w, stream_b, stream_dy };

// Where a rank's tensor stands in the whole.
struct Place {
  Stream which;
  Index rank;
  Block block;
};

float any_size(DType type, Random& random) {
  const bool narrow = format(type).exponent_bits <= 5;
  const float significand = 1.0f + static_cast<float>(random.between(0, (1 << 20) - 1)) * 0x1p-20f;
  return random.sign() * std::ldexp(significand, static_cast<int>(random.between(narrow ? -6 : -12, narrow ? 3 : 12)));
}

float special(DType type, Random& random) {
  const Format& f = format(type);
  const float smallest = std::ldexp(1.0f, 1 - f.bias - f.fraction_bits);
  const float sizes[] = {
      0.0f, smallest, smallest * static_cast<float>(random.between(1, 1 << std::min(f.fraction_bits, 20))), f.largest};
  return random.sign() * sizes[random.between(0, 3)];
}

// The value at a place of the whole tensor, `i` and `j` counted there; those that are paired have the same random
// words.
float paired(std::uint64_t seed, const Place& place, Index i, Index j, const Call& call) {
  const bool along_rows = place.which == stream_dy;
  const Index all = along_rows ? call.tokens : call.in, half = all / 2;
  Index& at = along_rows ? i : j;
  const bool repeats = place.which != stream_b && at >= half && at < 2 * half;
  const bool fresh = repeats && Random(seed, 0xF7E5u, along_rows ? i : j).between(0, 7) == 0;
  if (repeats && !fresh) at -= half;
  const float value = Random(seed, place.which, place.which == stream_b ? place.rank : 0, i, j).normal();
  return repeats && !fresh && place.which != stream_x ? -value : value;
}

float value_at(std::uint64_t seed, const Place& place, Index i, Index j, const Call& call) {
  Random random(seed, place.which, place.rank, i, j);
  switch (call.data) {
    case Data::same_sign:
      return std::abs(random.normal());
    case Data::cancel:
      return paired(seed, place, i, j, call);
    case Data::log_uniform:
      return any_size(call.dtype, random);
    case Data::specials:
      return random.between(0, 15) == 0 ? special(call.dtype, random) : random.normal();
    default:
      return random.normal();
  }
}

// An infinity or a NaN somewhere in it.
void add_not_finite(Matrix& m, Random random) {
  if (m.values.empty()) return;
  float& value = random.one_of(m.values);
  value =
      random.coin() ? std::numeric_limits<float>::quiet_NaN() : random.sign() * std::numeric_limits<float>::infinity();
}

Matrix matrix_at(const Call& call, std::uint64_t seed, const Place& place) {
  if (call.data == Data::normal)
    return normal_matrix({place.block.rows.size(), place.block.cols.size()}, Random(seed, place.which, place.rank));
  Matrix m(place.block.rows.size(), place.block.cols.size());
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j)
      m(i, j) = value_at(seed, place, place.block.rows.begin + i, place.block.cols.begin + j, call);
  const bool chosen = Random(seed, 0x5Bu, place.rank).between(0, 3) == static_cast<Index>(place.which);
  if (call.data == Data::specials && chosen) add_not_finite(m, Random(seed, 0x9A17u, place.which, place.rank));
  return m;
}

}  // namespace

Matrix normal_matrix(const Shape& shape, Random random) {
  Matrix m(shape.rows, shape.cols);
  for (float& value : m.values) value = random.normal();
  return m;
}

NamedTensors real_data(const Call& call, std::uint64_t seed) {
  const Problem p = problem_of(call);
  NamedTensors inputs;
  const auto add = [&](const char* name, Stream which, auto block_of) {
    inputs[name] = of_each_rank(p, p.dtype, [&](Index rank) {
      return matrix_at(call, seed, {which, rank, block_of(rank)});
    });
  };
  add("x", stream_x, [&](Index r) { return x_block(p, r); });
  add("w", stream_w, [&](Index r) { return w_block(p, r); });
  if (call.is_forward()) add("b", stream_b, [&](Index r) { return Block{{0, 1}, {0, p.b_of(r).cols}}; });
  if (call.is_backward()) add("dy", stream_dy, [&](Index r) { return y_block(p, r); });
  return inputs;
}

NamedTensors any_scales(const Call& call) {
  NamedTensors kept;
  const Problem p = problem_of(call);
  if (call.recipe.kind != RecipeKind::delayed) return kept;
  for (Role role : roles_of(p, call.pass)) {
    const auto amaxes = [&](Index rank, Index count) {
      Matrix m(1, count);
      Random random(call.seed, 0xA11u, role, is_gathered(p, role) ? 0 : rank, count);
      for (float& value : m.values) value = 2.0f + static_cast<float>(random.between(0, 1 << 20)) * 0x1p-18f;
      return m;
    };
    kept[scale_name(role)] = of_each_rank(p, DType::f32, [&](Index rank) {
      Matrix scale = amaxes(rank, 1);
      scale(0, 0) = format(fp8_type(role)).largest / scale(0, 0);
      return scale;
    });
    kept[history_name(role)] =
        of_each_rank(p, DType::f32, [&](Index rank) { return amaxes(rank, call.recipe.history); });
  }
  return kept;
}

}  // namespace lockstep
