#include "oracle/campaign/score.h"

#include "fused/plan/malformed.h"
#include "oracle/campaign/parallel.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/judge.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/hash.h"

#include <algorithm>

namespace lockstep {
namespace {

Fixed with_data(Data data) {
  Fixed fixed;
  fixed.data = data;
  return fixed;
}

// Of the judge alone; a hang is found by hazards, whose judge of it is called `hang`.
bool is_seen(const Case& a_case, const JudgeColumn& column) {
  if (column.name == "hazards") return judge_plan(program_of(a_case)).failed();
  const Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  if (malformed(program) || hangs(program)) return false;
  const Verdict verdict = judge_run(prepared, program);
  return verdict.failed() && verdict.judge == column.name;
}

Fixed on_symbols() {
  Fixed fixed;
  fixed.executor = Executor{ExecutorKind::provenance, 0};
  return fixed;
}

}  // namespace

std::vector<JudgeColumn> judge_columns() {
  return {{"exact", with_data(Data::planted)},
          {"declared", with_data(Data::normal)},
          {"provenance", on_symbols()},
          {"hazards", {}}};
}

Kill hunt(const Fault& fault, const JudgeColumn& column, std::uint64_t seed, Index cases) {
  Fixed fixed = column.fixed;
  fixed.fault = fault.id;
  Kill kill{&fault, column.name, column.can_see(fault), 0, {}, 0};
  const Stopwatch stopwatch;
  const std::uint64_t of_fault =
      mix(seed, static_cast<std::uint64_t>(std::distance(fault_catalogue().data(), &fault))) >> 1;
  constexpr Index by_luck = 64;
  const Index most = kill.expected ? cases : is_of_the_program(fault.kind) ? std::min(cases, by_luck) : 0;
  for (Index number = 0; number < most; ++number) {
    const Case a_case = draw_case(of_fault, number, 0, fixed);
    if (!is_struck(a_case)) continue;
    if (is_seen(a_case, column)) {
      kill.cases = number + 1, kill.killer = a_case;
      break;
    }
  }
  kill.seconds = stopwatch.seconds();
  return kill;
}

std::vector<Kill> score(std::uint64_t seed, Index cases, Index threads) {
  const auto faults = fault_catalogue();
  const auto columns = judge_columns();
  const Index width = std::ssize(columns);
  std::vector<Kill> kills(faults.size() * columns.size());
  parallel_for(std::ssize(kills), threads, [&](Index i) {
    kills[static_cast<std::size_t>(i)] =
        hunt(faults[static_cast<std::size_t>(i / width)], columns[static_cast<std::size_t>(i % width)], seed, cases);
  });
  return kills;
}

}  // namespace lockstep
