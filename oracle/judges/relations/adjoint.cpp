// Forward and backward are adjoint, in every call:
//
//   <dY, Y - b> = <dX, X> = <dW, W>,  <dY, b> = <db, b>          <A, B> = the sum over all ranks of A[i, j] B[i, j]
//
// where b is the bias that reaches an element: of all ranks (row, before the reduction), else of the rank. Exact data
// only: there all values are whole numbers, of the least power of two where block scales have planted some, but for
// what an inexact tensor scale adds, which is rounded off, and all sums below 2^53. The differences must be 0: a NaN is
// none.
#include "oracle/inputs/planted_exponents.h"
#include "oracle/judges/relations/outputs.h"

#include <cmath>

namespace lockstep {
namespace {

constexpr double quantum = 1.0 / (1 << largest_planted_exponent);

// Of a, whole numbers of the quantum.
double inner(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (std::size_t e = 0; e < a.values.size(); ++e)
    sum += std::nearbyint(a.values[e] / quantum) * quantum * double{b.values[e]};
  return sum;
}

double inner(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double sum = 0;
  for (std::size_t rank = 0; rank < a.size(); ++rank) sum += inner(decode(a[rank]), decode(b[rank]));
  return sum;
}

// In every row of a rank's Y; of no columns where there is no bias.
Matrix bias_of(const Call& call, const std::vector<Tensor>& b, std::size_t rank) {
  const bool summed = call.is_row() && call.bias == BiasPlacement::per_rank;
  Matrix sum = decode(b[rank]);
  for (std::size_t other = 0; summed && other < b.size(); ++other)
    for (Index j = 0; other != rank && j < sum.cols; ++j) sum(0, j) += value_at(b[other], 0, j);
  return sum;
}

// <dY, b>
double inner_with_bias(const Call& call, const NamedTensors& inputs) {
  double sum = 0;
  for (std::size_t rank = 0; rank < inputs.at("dy").size(); ++rank) {
    const Matrix dy = decode(inputs.at("dy")[rank]), b = bias_of(call, inputs.at("b"), rank);
    for (Index i = 0; i < dy.rows; ++i)
      for (Index j = 0; j < b.cols; ++j) sum += double{dy(i, j)} * double{b(0, j)};
  }
  return sum;
}

Tensor one(double value) {
  Matrix m(1, 1);
  m(0, 0) = static_cast<float>(value);
  return encode(DType::f32, m);
}

Related adjoint(const Given& given, const Run&) {
  Related related{given.asked.a_case, Outputs(given.outputs.size()), Outputs(given.outputs.size())};
  for (std::size_t which = 0; which < given.outputs.size(); ++which) {
    const NamedTensors &in = given.asked.inputs[which], &out = given.outputs[which];
    const double of_bias = inner_with_bias(related.a_case.calls[which], in);
    const double forward = inner(out.at("y"), in.at("dy")) - of_bias;
    related.got[which]["dx"] = {one(inner(out.at("dx"), in.at("x")) - forward)};
    if (out.contains("dw")) related.got[which]["dw"] = {one(inner(out.at("dw"), in.at("w")) - forward)};
    if (out.contains("db")) related.got[which]["db"] = {one(inner(out.at("db"), in.at("b")) - of_bias)};
    for (const auto& [name, difference] : related.got[which]) related.want[which][name] = {one(0)};
  }
  return related;
}

}  // namespace

Relation adjoint_relation() {
  return {"adjoint", "<dY, Y - b> = <dX, X> = <dW, W> and <dY, b> = <db, b>",
          [](const Case& a_case) {
            return has_exact_data(a_case) && every_call(a_case, [](const Call& c) { return c.pass == Pass::both; });
          },
          adjoint};
}

}  // namespace lockstep
