#include "oracle/judges/prepared.h"

#include "oracle/inputs/by_group.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/freivalds/freivalds_case.h"
#include "oracle/judges/of_group.h"
#include "oracle/judges/relations/outputs.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/judges/within_bounds.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

// compare(call, rank, name) for every output that the judge looks at.
template <typename OfCalls, typename Compare>
Comparison over_all(const OfCalls& wanted, const Compare& compare_one) {
  Comparison comparison;
  for (std::size_t call = 0; call < wanted.size(); ++call)
    for (const auto& [name, ranks] : wanted[call])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) compare_one(comparison, call, rank, name, ranks[rank]);
  return comparison;
}

Difference place_of(std::size_t call, std::size_t rank, const std::string& name) {
  return {static_cast<Index>(call), static_cast<Index>(rank), name};
}

// A difference of symbols has no codes, but for poison.
void compare_symbols(Comparison& comparison, const Call& call, Difference place, const std::vector<Symbol>& got,
                     const MatrixOf<Symbol>& want) {
  const Origin origin = origin_of(problem_of(call), place.output, place.rank);
  comparison.compared += std::ssize(want.values);
  for (std::size_t e = 0; e < want.values.size(); ++e) {
    if (got[e] == want.values[e]) continue;
    place.row = origin.row + static_cast<Index>(e) / want.cols;
    place.col = origin.col + static_cast<Index>(e) % want.cols;
    place.got = got[e] == poison_symbol ? ~std::uint32_t{0} : 0;
    comparison.add(call, place);
  }
}

Tensor tensor_of(const Call& call, std::string_view name, const MatrixOf<Bounded>& bounds) {
  const Matrix values = matrix_of<float>(bounds.rows, bounds.cols,
                                         [&](Index i, Index j) { return static_cast<float>(bounds(i, j).value); });
  return encode(type_of(call, name), values);
}

std::vector<NamedTensors> tensors_of(const Case& a_case, const std::vector<BoundsOfRanks>& bounds) {
  std::vector<NamedTensors> tensors;
  for (const BoundsOfRanks& of_call : bounds) {
    auto& named = tensors.emplace_back();
    for (const auto& [name, ranks] : of_call)
      for (const auto& of_rank : ranks) named[name].push_back(tensor_of(a_case.first(), name, of_rank));
  }
  return tensors;
}

void prepare_wanted(Prepared& prepared) {
  const std::string judge = value_judge(prepared.a_case);
  if (judge == "bound") prepared.bounds = expected_bounds(prepared.a_case, prepared.inputs);
  prepared.wanted = judge == "bound"                               ? tensors_of(prepared.a_case, prepared.bounds)
                    : judge == "freivalds" || judge == "relations" ? unwritten_outputs(prepared.a_case)
                                                                   : expected(prepared.a_case, prepared.inputs);
}

Comparison compare_values(const Prepared& prepared, const std::vector<NamedTensors>& outputs) {
  const std::string judge = value_judge(prepared.a_case);
  CHECK(judge != "relations", "relations compare runs, not outputs with what they must be");
  if (judge == "freivalds") return compare_by_freivalds(prepared.a_case, prepared.inputs, outputs);
  const auto& calls = prepared.a_case.calls;
  if (!prepared.bounds.empty())
    return over_all(prepared.bounds, [&](Comparison& all, std::size_t call, std::size_t rank, const std::string& name,
                                         const MatrixOf<Bounded>& wanted) {
      compare(all, calls[call], place_of(call, rank, name), outputs[call].at(name)[rank], wanted);
    });
  return over_all(prepared.wanted, [&](Comparison& all, std::size_t call, std::size_t rank, const std::string& name,
                                       const Tensor& wanted) {
    compare(all, calls[call], static_cast<Index>(call), static_cast<Index>(rank), name, outputs[call].at(name)[rank],
            wanted);
  });
}

Comparison compare_symbols_of_all(const Prepared& prepared, const std::vector<SymbolsByName>& outputs) {
  return over_all(prepared.wanted_symbols, [&](Comparison& all, std::size_t call, std::size_t rank,
                                               const std::string& name, const MatrixOf<Symbol>& wanted) {
    compare_symbols(all, prepared.a_case.calls[call], place_of(call, rank, name), outputs[call].at(name)[rank], wanted);
  });
}

// compare(prepared, outputs) of each group by itself.
template <typename T, typename Compare>
Comparison over_groups(const Prepared& prepared, const std::vector<OfRanks<T>>& outputs, const Compare& compare_one) {
  if (!is_grouped(prepared.a_case.first())) return compare_one(prepared, outputs);
  Comparison all;
  const RankLists groups = groups_of(prepared.a_case.first());
  for (std::size_t g = 0; g < groups.size(); ++g)
    add(all, compare_one(of_group(prepared, static_cast<Index>(g)), of_ranks(outputs, groups[g])), groups[g]);
  return all;
}

}  // namespace

Prepared prepare(const Case& a_case) {
  Prepared prepared{a_case, make_inputs(a_case), correct_program(a_case), {}, {}, expected_provenance(a_case), 0};
  const Stopwatch stopwatch;
  prepare_wanted(prepared);
  prepared.reference_seconds = stopwatch.seconds();
  return prepared;
}

std::string value_judge(const Case& a_case) {
  const JudgeChoice choice = a_case.first().judge;
  if (choice != JudgeChoice::strongest) return key_named("judge").get(a_case.first());
  return is_exact(a_case.first().data) ? "exact" : "declared";
}

Observed observe(const Prepared& prepared, const Program& program, const Executor& executor) {
  return observe(program, prepared.inputs, prepared.wanted, executor, prepared.a_case.first().arithmetic);
}

Comparison compare_outputs(const Prepared& prepared, const Observed& observed) {
  return over_groups(prepared, observed.outputs, compare_values);
}

Comparison compare_provenance(const Prepared& prepared, const Program& program) {
  return over_groups(prepared, provenance(program).outputs, compare_symbols_of_all);
}

}  // namespace lockstep
