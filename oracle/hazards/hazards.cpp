#include "oracle/hazards/hazards.h"

#include "fused/plan/malformed.h"
#include "oracle/hazards/memory_hazards.h"
#include "oracle/hazards/race.h"
#include "oracle/hazards/signal_hazards.h"

namespace lockstep {
namespace {

std::vector<Hazard> unjoined(const Program& program, const Order& order) {
  std::vector<Hazard> found;
  for (std::size_t node = 0; node < order.graph.steps.size(); ++node) {
    const Step& step = order.graph.steps[node];
    if (!order.after_begin[node])
      found.push_back({HazardKind::unjoined, named(program, step) + " does not come after its rank's Begin", {step}});
    if (!order.before_end[node])
      found.push_back({HazardKind::unjoined, named(program, step) + " is not waited for by its rank's End", {step}});
  }
  return found;
}

void append(std::vector<Hazard>& all, std::vector<Hazard> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::string_view name(HazardKind kind) {
  constexpr std::string_view names[] = {"malformed",  "deadlock", "race",      "alias",       "no value",
                                        "lost write", "unjoined", "unawaited", "two writers", "turns over"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Hazard> hazards(const Program& program, std::size_t most) {
  if (auto finding = malformed(program)) return {{HazardKind::malformed, std::move(*finding), {}}};
  std::vector<Hazard> found;
  append(found, turning_counters(program));
  append(found, two_writers(program));
  const Order order = order_of(program);
  if (!order.walked.finished) {
    append(found, {deadlock(program, order)});
  } else {
    append(found, memory_hazards(program, order, most));
    append(found, unjoined(program, order));
    append(found, unawaited(program, order));
  }
  if (found.size() > most) found.resize(most);
  return found;
}

Program repeated(const Program& program, Index times) {
  Program all{{}, program.counter_base};
  for (Index i = 0; i < times; ++i) all.calls.insert(all.calls.end(), program.calls.begin(), program.calls.end());
  return all;
}

}  // namespace lockstep
