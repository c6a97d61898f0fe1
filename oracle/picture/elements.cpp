#include "oracle/picture/elements.h"

#include "oracle/judges/same_value.h"
#include "oracle/judges/sampled.h"
#include "oracle/judges/within_bounds.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

Case with_values(Case a_case) {
  for (Call& call : a_case.calls)
    if (call.judge == JudgeChoice::freivalds || call.judge == JudgeChoice::relations)
      call.judge = JudgeChoice::strongest;
  return a_case;
}

// Infinities and NaNs have no bound.
std::vector<BoundsOfRanks> bounds_of(const Prepared& prepared) {
  if (!prepared.bounds.empty()) return prepared.bounds;
  if (prepared.a_case.first().data == Data::specials) return {};
  return expected_bounds(prepared.a_case, prepared.inputs);
}

bool is_by_symbols(const Verdict& verdict) { return verdict.judge == "provenance"; }

template <typename OfRanks>
const auto* of_rank(const std::vector<OfRanks>& all, const Part& part) {
  const auto which = static_cast<std::size_t>(part.call), rank = static_cast<std::size_t>(part.rank);
  using Held = std::remove_reference_t<decltype(all[0].at("")[0])>;
  if (which >= all.size()) return static_cast<const Held*>(nullptr);
  const auto found = all[which].find(part.output);
  return found == all[which].end() || rank >= found->second.size() ? nullptr : &found->second[rank];
}

// y first, what is kept last.
std::size_t place_of(const Part& part) {
  constexpr std::string_view order[] = {"y", "dx", "dw", "db", "main_grad"};
  return static_cast<std::size_t>(std::ranges::find(order, part.output) - std::begin(order));
}

}  // namespace

Outputs outputs_of(const Case& a_case, const Program& program, const Verdict& verdict) {
  Prepared prepared = prepare(with_values(a_case));
  Observed observed = observe(prepared, program, a_case.first().executor);
  Outputs outputs;
  outputs.a_case = prepared.a_case;
  outputs.got = std::move(observed.outputs), outputs.wanted = std::move(prepared.wanted);
  outputs.by_bound = value_judge(prepared.a_case) == "bound";
  outputs.by_symbols = is_by_symbols(verdict);
  outputs.bounds = bounds_of(prepared);
  if (!outputs.by_symbols) return outputs;
  outputs.got_symbols = provenance(program).outputs;
  outputs.wanted_symbols = std::move(prepared.wanted_symbols);
  return outputs;
}

std::vector<Part> parts_of(const Outputs& outputs) {
  std::vector<Part> parts;
  const RankLists groups = groups_of(outputs.a_case.first());
  for (std::size_t call = 0; call < outputs.wanted.size(); ++call) {
    const Problem problem = problem_of(outputs.a_case.calls[call]);
    for (const auto& [name, of_ranks] : outputs.wanted[call])
      for (std::size_t group = 0; group < groups.size() && !of_ranks.empty(); ++group)
        for (std::size_t place = 0; place < groups[group].size(); ++place) {
          const Index rank = groups[group][place];
          const Tensor& tensor = of_ranks[static_cast<std::size_t>(rank)];
          const Origin at = origin_of(problem, name, static_cast<Index>(place));
          parts.push_back({static_cast<Index>(call),
                           name,
                           rank,
                           static_cast<Index>(group),
                           tensor.dtype,
                           {at.row, at.row + tensor.rows},
                           {at.col, at.col + tensor.cols}});
        }
  }
  std::ranges::stable_sort(parts, {}, [](const Part& part) { return std::pair(part.call, place_of(part)); });
  return parts;
}

void for_each_element(const Outputs& outputs, const Part& part, const std::function<void(const SeenElement&)>& visit) {
  const Tensor &got = *of_rank(outputs.got, part), &want = *of_rank(outputs.wanted, part);
  const auto* bounds = of_rank(outputs.bounds, part);
  const auto* got_symbols = of_rank(outputs.got_symbols, part);
  const auto* wanted_symbols = of_rank(outputs.wanted_symbols, part);
  const Sampled judged = sampled(outputs.a_case.calls[static_cast<std::size_t>(part.call)]);
  Utilisation ignored;
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j) {
      SeenElement e{part.rows.begin + i, part.cols.begin + j, false,
                    code_at(got, i, j),  code_at(want, i, j), bounds ? &(*bounds)(i, j) : nullptr};
      if (!outputs.by_symbols && !judged.is_all() && !is_sampled(judged, part.output, e.row, e.col)) continue;
      e.is_wrong = outputs.by_symbols
                       ? (*got_symbols)[static_cast<std::size_t>(i * got.cols + j)] != (*wanted_symbols)(i, j)
                   : outputs.by_bound ? !is_within(part.type, e.got, *e.bound, ignored)
                                      : !same_value(part.type, e.got, e.want);
      visit(e);
    }
}

}  // namespace lockstep
