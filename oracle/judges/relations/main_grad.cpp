// What dW is added to:  main_grad(M) = M + main_grad(0), after all calls. On exact data only, where the sum is exact;
// under tensor scales of one call, since from 0 what a scale adds to one call's dW shows where the next cancels it.
#include "oracle/judges/relations/outputs.h"

namespace lockstep {
namespace {

// a - b, in a's type.
Tensor difference(const Tensor& a, const Tensor& b) {
  Matrix values = decode(a);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) values(i, j) -= value_at(b, i, j);
  return encode(a.dtype, values);
}

Related from_zero(const Given& given, const Run& run) {
  Asked asked = given.asked;
  Related related{asked.a_case, {}, given.outputs};
  for (std::size_t rank = 0; rank < asked.inputs[0]["main_grad"].size(); ++rank) {
    Tensor& before = asked.inputs[0]["main_grad"][rank];
    Tensor& after = related.want.back()["main_grad"][rank];
    after = difference(after, before);
    before = encode(before.dtype, Matrix(before.rows, before.cols));
  }
  related.got = run(asked);
  return related;
}

}  // namespace

Relation main_grad_relation() {
  return {"main_grad", "dW is added to the main gradient",
          [](const Case& a_case) {
            const bool from_0 = a_case.calls.size() == 1 || !has_tensor_scale(a_case.first().recipe);
            return from_0 && has_exact_data(a_case) &&
                   every_call(a_case, [](const Call& call) { return call.accumulate.has_value(); });
          },
          from_zero};
}

}  // namespace lockstep
