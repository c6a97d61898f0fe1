#include "oracle/judges/freivalds/layer_claims.h"

#include "oracle/inputs/shards.h"
#include "oracle/judges/comparison.h"
#include "oracle/judges/freivalds/ones.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// Biases that may reach the same column are rows of a matrix.
Index lanes(const Problem& p) { return p.is_row() ? p.tp : 1; }

Tensor rows_with_bias(const Problem& p) {
  return ones_where(p.tokens, lanes(p),
                    [&](Index i, Index lane) { return p.bias != BiasPlacement::after || p.y_rows(lane).contains(i); });
}

Shape shape_of(const Problem& p, std::string_view name, Index rank) {
  if (is_one_of(name, {"x", "dx"})) return p.x_of(rank);
  if (is_one_of(name, {"y", "dy"})) return p.y_of(rank);
  return is_one_of(name, {"b", "db"}) ? p.b_of(rank) : p.w_of(rank);
}

Shape whole_shape(const Problem& p, std::string_view name) {
  if (is_one_of(name, {"x", "dx"})) return {p.tokens, p.in};
  if (is_one_of(name, {"y", "dy"})) return {p.tokens, p.out};
  return is_one_of(name, {"b", "db"}) ? Shape{lanes(p), p.out} : Shape{p.out, p.in};
}

Origin place_of(const Problem& p, std::string_view name, Index rank) {
  if (is_one_of(name, {"x", "dx"})) return origin_of(p, "dx", rank);
  if (is_one_of(name, {"y", "dy"})) return origin_of(p, "y", rank);
  return is_one_of(name, {"b", "db"}) ? Origin{p.is_row() ? rank : 0, p.out_of(rank).begin} : origin_of(p, "dw", rank);
}

}  // namespace

CallInputs::CallInputs(const Call& call, Index number, const NamedTensors& inputs)
    : problem(problem_of(call)), which(number), tensors(inputs), takes_bias(rows_with_bias(problem)) {}

const Tensors& tensors_named(const NamedTensors& all, const std::string& name, Index call) {
  const auto found = all.find(name);
  if (found == all.end()) refuse("call {} has no {}", call, name);
  return found->second;
}

PlacedMatrix whole(const CallInputs& call, const std::string& name, const Tensors& ranks) {
  const Problem& p = call.problem;
  const Shape shape = whole_shape(p, name);
  PlacedMatrix m{fmt::format("{} of call {}", name, call.which), shape.rows, shape.cols, {}};
  if (std::ssize(ranks) != p.tp) refuse("{} has {} ranks where tp={}", m.name, ranks.size(), p.tp);
  for (Index rank = 0; rank < p.tp; ++rank) {
    const Tensor& tensor = ranks[static_cast<std::size_t>(rank)];
    const Shape want = shape_of(p, name, rank);
    if (tensor.rows != want.rows || tensor.cols != want.cols)
      refuse("{} of rank {} is {} x {}: by the case it is {} x {}", m.name, rank, tensor.rows, tensor.cols, want.rows,
             want.cols);
    const Origin origin = place_of(p, name, rank);
    m.parts.push_back({&tensor, origin.row, origin.col});
  }
  return m;
}

std::vector<ClaimTerm> terms_of(const CallInputs& call, std::string_view output) {
  const auto input = [&](const char* name) { return whole(call, name, tensors_named(call.tensors, name, call.which)); };
  const auto takes_bias = [&] { return placed("rows with a bias", call.takes_bias); };
  if (output == "dx") return {{input("dy"), transposed(input("w"))}};
  if (output == "dw") return {{transposed(input("dy")), transposed(input("x"))}};
  if (output == "db") return {{transposed(takes_bias()), transposed(input("dy"))}};
  CHECK(output == "y", "an output that is no sum of products");
  std::vector<ClaimTerm> terms{{input("x"), input("w")}};
  if (call.problem.bias != BiasPlacement::none) terms.push_back({takes_bias(), transposed(input("b"))});
  return terms;
}

}  // namespace lockstep
