#include "property_tests/case_generator.h"

namespace lockstep {
namespace {

using rc::gen::build;
using rc::gen::element;
using rc::gen::inRange;
using rc::gen::set;

rc::Gen<Executor> arbitrary_executor() {
  return rc::gen::map(inRange<std::uint64_t>(0, 1000), [](std::uint64_t seed) {
    return seed == 0 ? Executor{} : Executor{ExecutorKind::adversary, seed};
  });
}

rc::Gen<Call> arbitrary_call(const std::string& fault) {
  return build<Call>(set(&Call::op, element(Kernel::gemm_rs, Kernel::row_linear)),
                     set(&Call::tp, inRange<Index>(1, 10)), set(&Call::tokens, inRange<Index>(0, 71)),
                     set(&Call::in, inRange<Index>(1, 131)), set(&Call::out, inRange<Index>(1, 131)),
                     set(&Call::splits, inRange<Index>(1, 10)),
                     set(&Call::dtype, element(DType::bf16, DType::fp16, DType::f32)),
                     set(&Call::wire, element(DType::bf16, DType::fp16, DType::f32)),
                     set(&Call::bias, element(BiasPlacement::per_rank, BiasPlacement::none)),
                     set(&Call::data, element(Data::planted, Data::normal, Data::rank_bits, Data::address)),
                     set(&Call::seed, inRange<std::uint64_t>(0, 1000)), set(&Call::executor, arbitrary_executor()),
                     set(&Call::fault, rc::gen::just(fault)));
}

// What may not change from call to call is the first call's; what cannot be is replaced by what can.
Case made_valid(Case a_case) {
  for (Call& call : a_case.calls) {
    const Call& first = a_case.first();
    call.op = first.tp == 1 ? Kernel::gemm_rs : first.op;
    call.tp = first.tp, call.dtype = first.dtype, call.wire = first.wire;
    call.executor = first.executor;
    if (call.data == Data::rank_bits && call.tp > 8) call.data = Data::planted;
  }
  return a_case;
}

}  // namespace

rc::Gen<Case> arbitrary_case(const std::string& fault) {
  const auto calls = rc::gen::suchThat(
      rc::gen::resize(3, rc::gen::container<std::vector<Call>>(rc::gen::resize(100, arbitrary_call(fault)))),
      [](const std::vector<Call>& c) { return !c.empty() && c.size() <= 3; });
  return rc::gen::map(calls, [](std::vector<Call> made) { return made_valid({std::move(made)}); });
}

}  // namespace lockstep
