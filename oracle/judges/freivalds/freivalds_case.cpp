#include "oracle/judges/freivalds/freivalds_case.h"

#include "oracle/judges/freivalds/layer_claims.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <deque>

namespace lockstep {
namespace {

// In the order of their names.
std::vector<std::string> products_of(const Call& call, bool is_last) {
  std::vector<std::string> names;
  if (call.is_backward() && call.bias != BiasPlacement::none) names.push_back("db");
  if (call.is_backward() && !call.frozen && !call.accumulate) names.push_back("dw");
  if (call.is_backward()) names.push_back("dx");
  if (call.accumulate && is_last) names.push_back("main_grad");
  if (call.is_forward()) names.push_back("y");
  return names;
}

struct CaseCheck {
  const Case& a_case;
  const FreivaldsOptions& options;
  std::deque<CallInputs> calls{};
  Comparison comparison{};

  // The ranks' tensors are one matrix, or (gemm_ar) each is all of it.
  std::vector<PlacedMatrix> matrices(const CallInputs& call, const std::string& name, const Tensors& ranks) const {
    const PlacedMatrix all = whole(call, name, ranks);
    if (name != "y" || !call.problem.all_reduce) return {all};
    std::vector<PlacedMatrix> each;
    for (const PlacedTensor& part : all.parts) each.push_back({all.name, all.rows, all.cols, {part}});
    return each;
  }

  Claim claim_of(const CallInputs& call, const std::string& name) const {
    if (name != "main_grad") return {{}, terms_of(call, name), {}};
    Claim claim;
    for (const CallInputs& each : calls) std::ranges::move(terms_of(each, "dw"), std::back_inserter(claim.terms));
    claim.d = whole(calls[0], name, tensors_named(calls[0].tensors, name, 0));
    return claim;
  }

  void add(const CallInputs& call, const std::string& name, const Tensors& ranks, const PlacedMatrix& m,
           const Findings& findings) {
    std::vector<Difference> differences;
    for (const WrongElement& wrong : findings.elements) {
      const PlacedTensor& part = m.parts[static_cast<std::size_t>(m.part_at(wrong.row, wrong.col))];
      const Index rank = part.tensor - ranks.data();
      const Origin origin = origin_of(call.problem, name, rank);
      differences.push_back({call.which, rank, name, origin.row + wrong.row - part.row,
                             origin.col + wrong.col - part.col, part.tensor->dtype, wrong.got, wrong.want});
    }
    std::ranges::stable_sort(differences, {}, &Difference::rank);
    for (const Difference& each : differences) comparison.add(a_case.calls[static_cast<std::size_t>(call.which)], each);
  }

  void check(const CallInputs& call, const std::string& name, const Tensors& ranks) {
    for (const Tensor& tensor : ranks) comparison.compared += tensor.rows * tensor.cols;
    Claim claim = claim_of(call, name);
    for (PlacedMatrix& m : matrices(call, name, ranks)) {
      claim.c = std::move(m);
      add(call, name, ranks, claim.c, freivalds(claim, options));
    }
  }

  Comparison run(const std::vector<NamedTensors>& inputs, const std::vector<NamedTensors>& outputs) {
    for (std::size_t n = 0; n < inputs.size(); ++n)
      calls.emplace_back(a_case.calls[n], static_cast<Index>(n), inputs[n]);
    for (const CallInputs& call : calls) {
      const auto n = static_cast<std::size_t>(call.which);
      for (const std::string& name : products_of(a_case.calls[n], n + 1 == calls.size()))
        check(call, name, tensors_named(outputs[n], name, call.which));
    }
    return std::move(comparison);
  }
};

void check_calls(const Case& a_case, std::size_t inputs, std::size_t outputs) {
  if (inputs != a_case.calls.size() || outputs != a_case.calls.size())
    refuse("a case of {} calls with inputs of {} and outputs of {}", a_case.calls.size(), inputs, outputs);
  for (const Call& call : a_case.calls)
    if (!is_exact(call.data))
      refuse("data={}: Freivalds' check takes exact data: planted, rank_bits or address", key_named("data").get(call));
}

}  // namespace

Comparison compare_by_freivalds(const Case& a_case, const std::vector<NamedTensors>& inputs,
                                const std::vector<NamedTensors>& outputs, const FreivaldsOptions& options) {
  check_calls(a_case, inputs.size(), outputs.size());
  return CaseCheck{a_case, options}.run(inputs, outputs);
}

}  // namespace lockstep
