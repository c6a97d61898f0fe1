#include "oracle/campaign/reduction_score.h"

#include "oracle/campaign/draw.h"
#include "oracle/campaign/parallel.h"
#include "oracle/diagnosis/short_line.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/stopwatch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep {
namespace {

Index elements_of(const Call& call) {
  const Index groups = call.ranks() / call.tp;
  const Index forward = call.is_forward() ? call.tokens * call.out : 0;
  const Index weight = call.frozen ? 0 : call.in * call.out;
  const Index bias = call.bias == BiasPlacement::none ? 0 : call.out;
  return groups * (forward + (call.is_backward() ? call.tokens * call.in + weight + bias : 0));
}

ReducedFault of_fault(const Fault& fault, std::uint64_t seed, Index cases) {
  Fixed fixed;
  fixed.fault = fault.id;
  const Stopwatch stopwatch;
  for (Index number = 0; number < cases; ++number) {
    const Case a_case = draw_case(seed, number, 0, fixed);
    if (!is_struck(a_case) || !judge(a_case).failed()) continue;
    const double seconds = stopwatch.seconds();
    return {&fault, reduce(a_case), seconds};
  }
  return {&fault, {}, stopwatch.seconds()};
}

Index tp_of(const ReducedFault& one) { return one.reduced ? one.reduced->failure.shrunk.first().tp : 0; }
Index size_of(const ReducedFault& one) { return one.reduced ? output_elements(one.reduced->failure.shrunk) : 0; }
double seconds_of(const ReducedFault& one) { return one.reduced ? one.reduced->seconds : 0; }
std::string first_of(const ReducedFault& one) {
  const auto& faults = one.reduced->failure.explanation.faults;
  return faults.empty() ? "nothing" : faults.front();
}

std::string line_of(const ReducedFault& one) {
  if (!one.reduced) return fmt::format("{:<32} no case failed\n", one.fault->id);
  return fmt::format("{:<32} explained as {}, tp {}, {} output elements, {:.1f} s: {}\n", one.fault->id, first_of(one),
                     tp_of(one), size_of(one), seconds_of(one), short_line(one.reduced->failure.shrunk));
}

}  // namespace

Index output_elements(const Case& a_case) {
  Index all = 0;
  for (const Call& call : a_case.calls) all += elements_of(call);
  return all;
}

bool ReducedFault::is_small() const {
  return reduced && tp_of(*this) <= largest_reduced_tp && size_of(*this) <= largest_reduced_output;
}

bool ReducedFault::is_named() const { return reduced && first_of(*this) == fault->id; }

std::vector<ReducedFault> reduction_score(std::span<const Fault> faults, std::uint64_t seed, Index cases,
                                          Index threads) {
  std::vector<ReducedFault> all(faults.size());
  parallel_for(std::ssize(faults), threads, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    all[at] = of_fault(faults[at], seed, cases);
  });
  return all;
}

std::string print_reductions(const std::vector<ReducedFault>& all) {
  std::string text;
  Index tp = 0, elements = 0;
  std::vector<double> seconds{0};
  for (const ReducedFault& one : all) {
    if (!one.passes()) text += line_of(one);
    tp = std::max(tp, tp_of(one)), elements = std::max(elements, size_of(one));
    seconds.push_back(seconds_of(one));
  }
  std::ranges::sort(seconds);
  return text + fmt::format(
                    "{} faults: {} reduced to at most tp={} and {} output elements, {} explained by the fault itself; "
                    "the largest tp is {}, the most output elements {}; reducing took {:.2f} s in the median, {:.2f} s "
                    "at most\n",
                    all.size(), std::ranges::count_if(all, &ReducedFault::is_small), largest_reduced_tp,
                    largest_reduced_output, std::ranges::count_if(all, &ReducedFault::is_named), tp, elements,
                    seconds[seconds.size() / 2], seconds.back());
}

nlohmann::json reductions_json(const std::vector<ReducedFault>& all) {
  nlohmann::json faults = nlohmann::json::array();
  for (const ReducedFault& one : all) {
    nlohmann::json json{{"fault", one.fault->id},
                        {"small", one.is_small()},
                        {"named", one.is_named()},
                        {"seconds_to_find", one.seconds_to_find}};
    if (one.reduced)
      json.update({{"found", print(one.reduced->failure.found)},
                   {"case", print(one.reduced->failure.shrunk)},
                   {"explained_as", first_of(one)},
                   {"tp", tp_of(one)},
                   {"output_elements", size_of(one)},
                   {"tried", one.reduced->tried},
                   {"seconds", one.reduced->seconds}});
    faults.push_back(std::move(json));
  }
  return {{"faults", faults}};
}

}  // namespace lockstep
