#include "fused/host/execute_parts.h"

#include "reference/contract/hash.h"

namespace lockstep {
namespace {

// [call][operation of the whole]: its first part, and at the end how many parts there are.
std::vector<std::vector<Index>> first_parts(const ProgramInParts& parts) {
  std::vector<std::vector<Index>> first;
  for (const auto& part_of : parts.part_of) {
    auto& of_call = first.emplace_back();
    for (Index part = 0; part < std::ssize(part_of); ++part)
      if (part_of[static_cast<std::size_t>(part)] == std::ssize(of_call)) of_call.push_back(part);
    of_call.push_back(std::ssize(part_of));
  }
  return first;
}

// An operation has ended when its last part has. The parts of an operation are neighbours.
std::vector<bool> ended_wholes(const ProgramInParts& parts, const std::vector<bool>& ended) {
  std::vector<bool> wholes;
  std::size_t node = 0;
  for (const auto& part_of : parts.part_of)
    for (std::size_t part = 0; part < part_of.size(); ++part, ++node) {
      const bool is_first = part == 0 || part_of[part] != part_of[part - 1];
      if (is_first) wholes.push_back(true);
      wholes.back() = wholes.back() && ended[node];
    }
  return wholes;
}

}  // namespace

Walked of_wholes(const ProgramInParts& parts, Walked walked) {
  for (Blocked& blocked : walked.blocked) blocked.step = parts.whole(blocked.step);
  if (!walked.finished) walked.ended = ended_wholes(parts, walked.ended);
  return walked;
}

Walked execute_parts(const ProgramInParts& parts, const Pick& pick, Memory& memory, Arithmetic arithmetic,
                     const Watch& watch) {
  const auto whole = [&](const Step& part) { return parts.whole(part); };
  const Effect effect = watched(host_effect(parts.program, memory, arithmetic), watch, whole);
  return of_wholes(parts, walk(parts.program, pick, effect));
}

Walked execute_in_threads(const Program& whole, const ProgramInParts& parts, const Threads& threads, Memory& memory,
                          Arithmetic arithmetic, const Watch& watch) {
  const auto first = first_parts(parts);
  const Effect effect = watched(host_effect(parts.program, memory, arithmetic), watch,
                                [&](const Step& part) { return parts.whole(part); });
  return walk_in_threads(whole, threads, [&](const Step& step) {
    const auto& of_call = first[static_cast<std::size_t>(step.call)];
    const Index begin = of_call[static_cast<std::size_t>(step.op)],
                end = of_call[static_cast<std::size_t>(step.op) + 1];
    const auto count = static_cast<std::uint64_t>(end - begin), turn = mix(threads.seed, step.call, step.op);
    for (std::uint64_t part = 0; part < count; ++part) {
      if (part > 0) delay(threads.seed, step, DelayPoint::between_parts, part);
      effect({step.call, begin + static_cast<Index>((part + turn) % count)});
    }
  });
}

}  // namespace lockstep
