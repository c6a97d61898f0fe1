#include "oracle/hazards/touches.h"

#include <algorithm>

namespace lockstep {
namespace {

std::optional<Access> at_begin(BufferKind kind, bool is_new) {
  switch (kind) {
    case BufferKind::input:
      return Access::writes;
    case BufferKind::output:
    case BufferKind::workspace:
      return Access::claims;
    case BufferKind::state:
      return is_new ? Access::writes : Access::orders;
    case BufferKind::userbuffer:
      return {};
  }
  return {};
}

std::optional<Access> at_end(BufferKind kind) {
  switch (kind) {
    case BufferKind::input:
    case BufferKind::workspace:
      return Access::claims;
    case BufferKind::output:
      return Access::reads;
    case BufferKind::state:
      return Access::orders;
    case BufferKind::userbuffer:
      return {};
  }
  return {};
}

}  // namespace

Touches::Touches(const Program& program) : program_(program) {
  std::map<std::string, std::size_t> kept;
  for (const Plan& plan : program.calls) {
    auto& of_call = first_place_.emplace_back();
    auto& new_in_call = is_new_.emplace_back();
    for (const Buffer& buffer : plan.buffers) {
      const auto known = kept.find(buffer.name);
      const bool is_known = is_kept(buffer.kind) && known != kept.end();
      of_call.push_back(is_known ? known->second : places_);
      new_in_call.push_back(!is_known);
      if (!is_known) places_ += buffer.elements.size();
      if (is_kept(buffer.kind)) kept.emplace(buffer.name, of_call.back());
    }
  }
}

std::size_t Touches::place(Index call, Index buffer, Index rank) const {
  return first_place_[static_cast<std::size_t>(call)][static_cast<std::size_t>(buffer)] +
         static_cast<std::size_t>(rank);
}

std::vector<Touch> Touches::of(const Step& step) const {
  std::vector<Touch> all;
  const PlanOp& op = op_at(program_, step);
  const bool begins = std::holds_alternative<Begin>(op.body);
  if (begins || std::holds_alternative<End>(op.body)) of_caller(all, step, begins);
  const Plan& plan = plan_at(program_, step);
  const auto add = [&](const std::vector<Region>& regions, Access access) {
    for (const Region& r : regions)
      if (!r.empty()) all.push_back({place(step.call, r.buffer, r.rank), in_bytes(plan, r), access, r});
  };
  const Accesses accesses = accesses_of(op);
  add(accesses.reads, Access::reads), add(accesses.writes, Access::writes);
  return all;
}

void Touches::of_caller(std::vector<Touch>& all, const Step& step, bool begins) const {
  const Plan& plan = plan_at(program_, step);
  const Index rank = op_at(program_, step).rank;
  for (Index b = 0; b < std::ssize(plan.buffers); ++b) {
    const Buffer& buffer = plan.buffers[static_cast<std::size_t>(b)];
    const Index size = buffer.elements[static_cast<std::size_t>(rank)];
    const Region whole{b, rank, 0, 1, size, size};
    const auto access =
        begins ? at_begin(buffer.kind, is_new_[static_cast<std::size_t>(step.call)][static_cast<std::size_t>(b)])
               : at_end(buffer.kind);
    if (access && size > 0) all.push_back({place(step.call, b, rank), in_bytes(plan, whole), *access, whole});
  }
}

}  // namespace lockstep
