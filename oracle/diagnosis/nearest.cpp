#include "oracle/diagnosis/nearest.h"

#include "fused/plan/malformed.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/same_value.h"
#include "oracle/judges/stopwatch.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Shared {
  Index same = 0, of = 0;
  bool is_more_than(const Nearest& other) const { return same * other.of > other.same * of; }
};

void add(Shared& all, const Tensor& got, const Tensor& other, const Tensor& want) {
  for (Index i = 0; i < want.rows; ++i)
    for (Index j = 0; j < want.cols; ++j) {
      const auto right = code_at(want, i, j), one = code_at(got, i, j), two = code_at(other, i, j);
      const bool is_wrong = !same_value(want.dtype, one, right), other_is = !same_value(want.dtype, two, right);
      all.of += is_wrong || other_is ? 1 : 0;
      all.same += is_wrong && other_is && same_value(want.dtype, one, two) ? 1 : 0;
    }
}

Shared shared(const Prepared& prepared, const Observed& got, const Observed& other) {
  Shared all;
  for (std::size_t call = 0; call < prepared.wanted.size(); ++call)
    for (const auto& [name, ranks] : prepared.wanted[call])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        add(all, got.outputs[call].at(name)[rank], other.outputs[call].at(name)[rank], ranks[rank]);
  return all;
}

}  // namespace

std::optional<Nearest> nearest_fault(const Prepared& prepared, const Observed& observed, double most_seconds) {
  const Stopwatch stopwatch;
  Nearest nearest{"", 0, 1};
  for (const Fault& fault : fault_catalogue())
    for (Index site = 0; site < most_sites(fault, prepared.correct) && stopwatch.seconds() < most_seconds; ++site) {
      const Program candidate = struck(prepared.correct, {&fault, site, true});
      if (malformed(candidate) || hangs(candidate)) continue;
      const Shared all = shared(prepared, observed, observe(prepared, candidate, {}));
      if (all.is_more_than(nearest)) nearest = {fmt::format("{}:{}", fault.id, site), all.same, all.of};
    }
  if (nearest.same == 0) return {};
  return nearest;
}

std::string print(const Nearest& nearest) {
  return fmt::format("{} gives the same wrong bits in {} of the {} elements that are wrong in either", nearest.fault,
                     nearest.same, nearest.of);
}

}  // namespace lockstep
