#include "oracle/inputs/planted.h"

#include "oracle/inputs/budget.h"
#include "oracle/inputs/exactness.h"
#include "oracle/inputs/grouping.h"
#include "oracle/inputs/planted_exponents.h"
#include "oracle/inputs/planted_scales.h"
#include "oracle/inputs/shards.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

enum Stream : std::uint64_t { stream_tokens = 1, stream_in, stream_out, stream_x, stream_w, stream_dy, stream_bias };

struct Plot {
  const Call& call;
  Problem problem;
  Shares shares;
  Multipliers m;
  Index size;  // the largest factor
  std::uint64_t seed;
  Exponents exponents;

  bool tensor_scaled() const { return has_tensor_scale(call.recipe); }
};

struct Axes {
  std::vector<Range> tokens_shards, in_shards, out_shards;
  Grouping tokens, in, out;
};

// How many groups a share of so many units has room for; 0 where nothing is contracted.
Index groups_for(Index share, Index multiplier, Index size) {
  return share == 0 ? 0 : std::max<Index>(1, share / (2 * size * size * multiplier));
}

Axes axes_of(const Plot& plot) {
  const Problem& p = plot.problem;
  const auto shards = [&](Index total, bool divided) { return partition(total, divided ? p.tp : 1); };
  Axes axes{shards(p.tokens, false), shards(p.in, p.is_row()), shards(p.out, !p.is_row()), {}, {}, {}};
  const auto random = [&](Stream stream) { return Random(plot.seed, stream); };
  axes.tokens = grouping_of(axes.tokens_shards, groups_for(plot.shares.wgrad, plot.m.dy * plot.m.x, plot.size),
                            random(stream_tokens));
  axes.in =
      grouping_of(axes.in_shards, groups_for(plot.shares.forward, plot.m.x * plot.m.w, plot.size), random(stream_in));
  axes.out =
      grouping_of(axes.out_shards, groups_for(plot.shares.dgrad, plot.m.dy * plot.m.w, plot.size), random(stream_out));
  return axes;
}

float factor(const Plot& plot, Random& random) {
  const auto n = random.between(1, plot.size);
  const Index power_of_two = n >= 4 ? 4 : n >= 2 ? 2 : 1;
  return random.sign() * static_cast<float>(plot.tensor_scaled() && !needs_sevens(plot.call) ? power_of_two : n);
}

// [groups of the rows, groups of the columns]; where a tensor has a scale of its own its first element is the largest.
Matrix factors(const Plot& plot, const Grouping& rows, const Grouping& cols, const std::vector<Range>& row_shards,
               const std::vector<Range>& col_shards, Stream stream) {
  Random random(plot.seed, stream);
  Matrix m(rows.groups, cols.groups);
  for (float& value : m.values) value = factor(plot, random);
  if (!plot.tensor_scaled()) return m;
  for (const Range& i : row_shards)
    for (const Range& j : col_shards)
      if (!i.empty() && !j.empty())
        m(rows.group[static_cast<std::size_t>(i.begin)], cols.group[static_cast<std::size_t>(j.begin)]) =
            static_cast<float>(plot.size);
  return m;
}

Matrix spread(const Matrix& factors, const Grouping& rows, const std::vector<float>& row_signs, const Grouping& cols,
              const std::vector<float>& col_signs, Index multiplier) {
  Matrix m(std::ssize(rows.group), std::ssize(cols.group));
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) {
      const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
      m(i, j) = static_cast<float>(multiplier) * factors(rows.group[r], cols.group[c]) * row_signs[r] * col_signs[c];
    }
  return m;
}

Index drawn_from(const Range& range, Random& random) { return random.between(range.begin, range.end - 1); }

Matrix positive(Index cols, const Range& range, Random random) {
  Matrix values(1, cols);
  for (float& value : values.values) value = static_cast<float>(drawn_from(range, random));
  return values;
}

Matrix of_both_signs(const Shape& shape, const Range& sizes, Random random) {
  Matrix values(shape.rows, shape.cols);
  for (float& value : values.values)
    value = random.sign() * static_cast<float>(drawn_from(sizes, random)) + 0.0f;  // no -0
  return values;
}

// The most that a contraction can come to on one rank, from the data itself.
void prove(const Grouping& grouping, const std::vector<Range>& shards, const Matrix& a, const Matrix& b, Index share) {
  const Index most = largest_sum_of_signs(grouping, shards) * largest_magnitude(a) * largest_magnitude(b);
  CHECK(share == 0 || most <= share, "planted data that is not exact");
}

std::vector<int> cut(const std::vector<int>& exponents, const Range& range) {
  return {exponents.begin() + range.begin, exponents.begin() + range.end};
}

void add_bias(NamedTensors& inputs, const Plot& plot) {
  const Problem& p = plot.problem;
  inputs["b"] = of_each_rank(p, plot.call.dtype, [&](Index rank) {
    const Matrix b = positive(p.b_of(rank).cols, plot.shares.bias, Random(plot.seed, stream_bias, rank));
    return raised(b, {0}, cut(plot.exponents.out, p.out_of(rank)));
  });
}

std::vector<Tensor> sharded(const Problem& p, const Matrix& whole, Block (*block_of_rank)(const Problem&, Index)) {
  return of_each_rank(p, p.dtype, [&](Index rank) { return cut(whole, block_of_rank(p, rank)); });
}

NamedTensors one_call(const Plot& plot) {
  const Problem& p = plot.problem;
  const auto& [h, f, g] = plot.exponents;
  const Axes axes = axes_of(plot);
  const std::vector<Range> all_tokens = axes.tokens_shards;
  const Matrix x = spread(factors(plot, axes.tokens, axes.in, all_tokens, axes.in_shards, stream_x), axes.tokens,
                          axes.tokens.left, axes.in, axes.in.left, plot.m.x);
  const Matrix w = spread(factors(plot, axes.out, axes.in, axes.out_shards, axes.in_shards, stream_w), axes.out,
                          axes.out.left, axes.in, axes.in.right, plot.m.w);
  prove(axes.in, axes.in_shards, x, w, plot.shares.forward);
  NamedTensors inputs;
  inputs["x"] = sharded(p, raised(x, h, f), x_block);
  inputs["w"] = sharded(p, raised(w, g, negated(f)), w_block);
  if (plot.call.is_forward()) add_bias(inputs, plot);
  if (!plot.call.is_backward()) return inputs;
  const Matrix dy = spread(factors(plot, axes.tokens, axes.out, all_tokens, axes.out_shards, stream_dy), axes.tokens,
                           axes.tokens.right, axes.out, axes.out.right, plot.m.dy);
  prove(axes.out, axes.out_shards, dy, w, plot.shares.dgrad);
  prove(axes.tokens, axes.tokens_shards, dy, x, plot.shares.wgrad);
  inputs["dy"] = sharded(p, raised(dy, negated(h), negated(g)), y_block);
  return inputs;
}

void add_main_grad(NamedTensors& inputs, const Call& call, const Shares& shares) {
  const Problem p = problem_of(call);
  const Exponents e = planted_exponents(call, call.seed, 0);
  inputs["main_grad"] = of_each_rank(p, *call.accumulate, [&](Index rank) {
    const Matrix m = of_both_signs(p.w_of(rank), shares.main_grad, Random(call.seed, 0x6D67u, rank));
    return raised(m, negated(cut(e.out, p.out_of(rank))), cut(e.in, p.in_of(rank)));
  });
}

// Nothing is kept from call to call, so each stands for itself.
std::vector<NamedTensors> planted_one_by_one(const Case& a_case) {
  std::vector<NamedTensors> inputs;
  for (Call call : a_case.calls) {
    call.seed = mix(call.seed, inputs.size());
    inputs.push_back(std::move(planted({{call}})[0]));
  }
  return inputs;
}

}  // namespace

std::vector<NamedTensors> planted(const Case& a_case) {
  const Shares shares = shares_of(a_case);
  if (!has_room(a_case))
    refuse(
        "data=planted tp={} dtype={} wire={} accumulate={} recipe={}: a sum of {} contributions has no room for an "
        "exact scale; take f32 for all three, or data=normal",
        a_case.first().tp, name(a_case.first().dtype), key_named("wire").get(a_case.first()),
        key_named("accumulate").get(a_case.first()), key_named("recipe").get(a_case.first()), a_case.first().tp);
  if (is_mixed(a_case)) return planted_one_by_one(a_case);
  const Multipliers m = multipliers_of(a_case, shares);
  std::vector<NamedTensors> inputs;
  for (std::size_t which = 0; which < a_case.calls.size(); ++which) {
    const Call& call = a_case.calls[which];
    const std::uint64_t seed = mix(call.seed, which);
    inputs.push_back(one_call({call, problem_of(call), shares, m, largest_factor(call, shares, m), seed,
                               planted_exponents(call, a_case.first().seed, seed)}));
  }
  inputs[0].merge(planted_scales(a_case, m));
  if (a_case.first().accumulate) add_main_grad(inputs[0], a_case.first(), shares);
  return inputs;
}

}  // namespace lockstep
