#include "oracle/diagnosis/wrong_plan.h"

#include "fused/host/provenance.h"
#include "fused/host/symbol_memory.h"
#include "fused/plan/accesses.h"
#include "fused/plan/print.h"

#include <fmt/format.h>

#include <map>

namespace lockstep {
namespace {

struct Written {
  Step step;
  std::string title;
  std::string what;  // the operation, where it writes and the symbols there
};

std::string place(const Plan& plan, const Region& r) {
  return fmt::format(" {}@{}[{} + {}x{} ld {}]", plan.buffers[static_cast<std::size_t>(r.buffer)].name, r.rank,
                     r.offset, r.rows, r.cols, r.rows > 1 ? r.ld : 0);
}

// Of every operation that writes something, in the order of the run.
std::vector<Written> trace(const Program& program) {
  std::vector<Written> all;
  provenance(program, [&](const Step& step, SymbolMemory& memory) {
    const Plan& plan = plan_at(program, step);
    const PlanOp& op = op_at(program, step);
    const std::string operation = fmt::format("{} {}", step.call, title(plan, op));
    std::string what = operation;
    bool writes = false;
    for (const Region& region : accesses_of(op).writes) {
      if (region.empty()) continue;
      const Symbol symbol = sequence(memory.load(step.call, region).values);
      what += place(plan, region) + fmt::format("={:x}{:x}", symbol.high, symbol.low);
      writes = true;
    }
    if (writes) all.push_back({step, operation, std::move(what)});
  });
  return all;
}

// The place of the first of `one` that the other has not, or not as often.
std::size_t first_only_in(const std::vector<Written>& one, const std::vector<Written>& other) {
  std::map<std::string_view, Index> left;
  for (const Written& written : other) ++left[written.what];
  for (std::size_t i = 0; i < one.size(); ++i)
    if (left[one[i].what]-- <= 0) return i;
  return one.size();
}

bool contains(const Region& r, Index element) {
  if (r.empty() || element < r.offset) return false;
  if (r.rows == 1) return element < r.offset + r.cols;
  const Index row = (element - r.offset) / std::max<Index>(r.ld, 1);
  return row < r.rows && (element - r.offset) - row * r.ld < r.cols;
}

}  // namespace

std::optional<WrongPlan> wrong_plan(const Program& correct, const Program& program) {
  const auto right = trace(correct), is = trace(program);
  const std::size_t changed = first_only_in(is, right), missing = first_only_in(right, is);
  if (changed == is.size() && missing == right.size()) return {};
  const bool is_first = missing == right.size() || changed < missing ||
                        (changed == missing && changed < is.size() && is[changed].title == right[missing].title);
  if (changed < is.size() && is_first) return WrongPlan{is[changed].step, false};
  return WrongPlan{right[missing].step, true};
}

std::optional<Step> writer_of(const Program& program, Index call, std::string_view buffer, Index rank, Index element) {
  std::optional<Step> writer;
  provenance(program, [&](const Step& step, SymbolMemory&) {
    const Plan& plan = plan_at(program, step);
    for (const Region& r : accesses_of(op_at(program, step)).writes) {
      const Buffer& written = plan.buffers[static_cast<std::size_t>(r.buffer)];
      const bool same_memory = step.call == call || is_kept(written.kind);
      if (same_memory && step.call <= call && written.name == buffer && r.rank == rank && contains(r, element))
        writer = step;
    }
  });
  return writer;
}

}  // namespace lockstep
