#include "oracle/campaign/hazard_search.h"

#include "oracle/campaign/parallel.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/stopwatch.h"

namespace lockstep {

Checked check_hazards(const Case& a_case) {
  const Program program = program_of(a_case);
  Checked checked{a_case, 0, {}, 0};
  for (const Plan& plan : program.calls) checked.operations += std::ssize(plan.ops);
  const Stopwatch stopwatch;
  checked.hazards = hazards(repeated(program));
  checked.seconds = stopwatch.seconds();
  return checked;
}

std::vector<Checked> search_hazards(const HazardSearch& search, const std::function<void(Index, Index)>& progress) {
  constexpr Index batch = 256;
  const Index given = std::ssize(search.cases), all = given + search.random_cases;
  Fixed fixed;
  fixed.fault = search.fault;
  std::vector<Checked> checked(static_cast<std::size_t>(all));
  for (Index begin = 0; begin < all; begin += batch) {
    const Index size = std::min(batch, all - begin);
    parallel_for(size, search.threads, [&](Index i) {
      const Index number = begin + i;
      const Case a_case = number < given ? search.cases[static_cast<std::size_t>(number)]
                                         : draw_case(search.seed, number - given, 0, fixed);
      checked[static_cast<std::size_t>(number)] = check_hazards(a_case);
    });
    progress(begin + size, all);
  }
  return checked;
}

}  // namespace lockstep
