// Whole layers of the reference on exact data, against one dense layer on one rank, computed in integers; and backward
// against forward by adjointness.
#include "oracle/inputs/planted_exponents.h"
#include "oracle/judges/expected.h"
#include "oracle/judges/judge.h"
#include "property_tests/case_generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

using Whole = MatrixOf<Index>;

// Inputs count in 2^-4, the least that is planted under block scales; products, and what is added to them, in its
// square.
constexpr float of_inputs = 1 << largest_planted_exponent, of_products = of_inputs * of_inputs;

Index count(float value, float in_one) {
  const float n = value * in_one;
  RC_ASSERT(n == std::nearbyint(n));
  return std::lround(n);
}

// What the ranks hold, put together at its place.
Whole assembled(const Problem& p, const std::string& name, const std::vector<Tensor>& ranks, Shape whole,
                float in_one) {
  Whole all(whole.rows, whole.cols);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Origin origin = origin_of(p, name, static_cast<Index>(rank));
    for (Index i = 0; i < ranks[rank].rows; ++i)
      for (Index j = 0; j < ranks[rank].cols; ++j)
        all(origin.row + i, origin.col + j) = count(value_at(ranks[rank], i, j), in_one);
  }
  return all;
}

Whole product(const Whole& a, const Whole& b) {
  Whole c(a.rows, b.cols);
  for (Index i = 0; i < a.rows; ++i)
    for (Index k = 0; k < a.cols; ++k)
      for (Index j = 0; j < b.cols; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

struct Dense {
  Call call;
  Prepared prepared;
  Problem p;
  Whole x, w;

  explicit Dense(Call of) : call(std::move(of)), prepared(prepare({{call}})), p(problem_of(call)) {
    x = assembled(p, "dx", prepared.inputs[0].at("x"), {call.tokens, call.in}, of_inputs);
    w = assembled(p, "dw", prepared.inputs[0].at("w"), {call.out, call.in}, of_inputs);
  }
  Whole dy() const { return assembled(p, "y", prepared.inputs[0].at("dy"), {call.tokens, call.out}, of_inputs); }
  Whole output(const std::string& name, Shape shape) const {
    return assembled(p, name, prepared.wanted[0].at(name), shape, of_products);
  }
  // The bias that reaches element (i, j) of Y: of all ranks, of the rank that holds the row, or of the column.
  Index bias(Index i, Index j) const {
    Index sum = 0;
    for (Index rank = 0; call.bias != BiasPlacement::none && rank < call.tp; ++rank) {
      const bool after = call.bias == BiasPlacement::after;
      if (!p.out_of(rank).contains(j) || (after && !p.y_rows(rank).contains(i))) continue;
      const Tensor& b = prepared.inputs[0].at("b")[static_cast<std::size_t>(rank)];
      sum += count(value_at(b, 0, j - p.out_of(rank).begin), of_products);
    }
    return sum;
  }
};

Call exact_call(Pass pass) {
  const auto cells = cells_where([&](const Cell& cell) { return cell.pass == pass; });
  Call call = (*arbitrary_case_of(cells)).first();
  call.data = Data::planted;
  return call;
}

RC_GTEST_PROP(Layer, ForwardIsTheDenseLayer, ()) {
  const Dense dense(exact_call(Pass::forward));
  Whole y = product(dense.x, transposed(dense.w));
  for (Index i = 0; i < y.rows; ++i)
    for (Index j = 0; j < y.cols; ++j) y(i, j) += dense.bias(i, j);
  RC_ASSERT(dense.output("y", {y.rows, y.cols}) == y);
}

RC_GTEST_PROP(Layer, BackwardIsTheDenseLayer, ()) {
  const Dense dense(exact_call(Pass::backward));
  const Call& call = dense.call;
  const Whole dy = dense.dy();
  RC_ASSERT(dense.output("dx", {call.tokens, call.in}) == product(dy, dense.w));
  if (call.frozen) return;
  Whole dw = product(transposed(dy), dense.x);
  const std::string name = call.accumulate ? "main_grad" : "dw";
  if (call.accumulate) {
    const Whole before =
        assembled(dense.p, "dw", dense.prepared.inputs[0].at("main_grad"), {call.out, call.in}, of_products);
    for (std::size_t e = 0; e < dw.values.size(); ++e) dw.values[e] += before.values[e];
  }
  RC_ASSERT(dense.output(name, {call.out, call.in}) == dw);
}

RC_GTEST_PROP(Layer, TheBiasGradientIsTheColumnSumOfDy, ()) {
  const auto cells =
      cells_where([](const Cell& c) { return c.pass == Pass::backward && c.bias != BiasPlacement::none; });
  Call call = (*arbitrary_case_of(cells)).first();
  call.data = Data::planted;
  const Dense dense(call);
  const Whole dy = dense.dy();
  for (Index rank = 0; rank < call.tp; ++rank) {
    const Range mine = call.bias == BiasPlacement::after ? dense.p.y_rows(rank) : Range{0, call.tokens};
    const Tensor& db = dense.prepared.wanted[0].at("db")[static_cast<std::size_t>(rank)];
    for (Index j = 0; j < db.cols; ++j) {
      Index sum = 0;
      for (Index i = mine.begin; i < mine.end; ++i) sum += dy(i, dense.p.out_of(rank).begin + j);
      RC_ASSERT(count(value_at(db, 0, j), of_inputs) == sum);
    }
  }
}

Index inner(const Whole& a, const Whole& b) {
  Index sum = 0;
  for (std::size_t e = 0; e < a.values.size(); ++e) sum += a.values[e] * b.values[e];
  return sum;
}

// <dY, Y - bias> = <dX, X> = <dW, W>: forward and backward are adjoint, exactly on exact data.
RC_GTEST_PROP(Layer, BackwardIsAdjointToForward, ()) {
  const auto cells = cells_where([](const Cell& c) { return c.pass == Pass::both; });
  Call call = (*arbitrary_case_of(cells)).first();
  call.data = Data::planted, call.accumulate.reset();
  const Dense dense(call);
  Whole y = dense.output("y", {call.tokens, call.out});
  for (Index i = 0; i < y.rows; ++i)
    for (Index j = 0; j < y.cols; ++j) y(i, j) -= dense.bias(i, j);
  const Index forward = inner(dense.dy(), y);
  RC_ASSERT(inner(dense.output("dx", {call.tokens, call.in}), dense.x) == forward);
  if (!call.frozen) RC_ASSERT(inner(dense.output("dw", {call.out, call.in}), dense.w) == forward);
}

// On exact data every accumulator gives the same bits, a Hopper tensor core's too.
RC_GTEST_PROP(Layer, ExactDataIsExactUnderEveryAccumulator, ()) {
  const auto cells = cells_where([](const Cell& c) { return c.pass == Pass::forward && c.recipe == RecipeKind::none; });
  Call call = (*arbitrary_case_of(cells)).first();
  call.data = Data::planted, call.dtype = call.wire = DType::bf16;
  const Prepared prepared = prepare({{call}});
  Ranks x;
  Parameters<float> parameters;
  for (Index rank = 0; rank < call.tp; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    x.push_back(decode(prepared.inputs[0].at("x")[r]));
    parameters.weight.push_back(decode(prepared.inputs[0].at("w")[r]));
    parameters.bias.push_back(decode(prepared.inputs[0].at("b")[r]));
  }
  LayerDeclaration how = declared(call);
  LayerState<float> state;
  const Ranks exact = forward(layer_of(call), x, parameters, how, state);
  for (const Accumulator& accumulator : {f32_in_order, hopper_16bit, ampere_16bit}) {
    how.forward.accumulator = accumulator;
    RC_ASSERT(forward(layer_of(call), x, parameters, how, state) == exact);
  }
}

}  // namespace
}  // namespace lockstep
